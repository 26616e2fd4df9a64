"""Draws the layers of evalcore from its real imports into docs/architecture.md.

`python -m tools.architecture --check` ends with 1 when the drawing no longer tells the truth;
`--write` draws it anew. The order of the layers is the import contract's in pyproject.toml.
"""

import argparse
import ast
import sys
import tomllib
from pathlib import Path
from typing import NamedTuple

import grimp

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "architecture.md"
BEGIN = "<!-- drawn by `make format`: begin -->"
END = "<!-- drawn by `make format`: end -->"
DASHBOARD = "dashboard"


class Layer(NamedTuple):
    """One box of the drawing: its name, what it is for, and the layers it imports."""

    name: str
    place: str
    purpose: str
    imports: frozenset[str]


def layer_names() -> list[str]:
    """Return the layers of the import contract that exist, highest first."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    (contract,) = (contract for contract in contracts if contract.get("id") == "layers")
    names = [
        name.strip(" ()")
        for line in contract["layers"]
        for name in line.replace(":", "|").split("|")
    ]
    return [name for name in names if _place(name).exists()]


def _place(name: str) -> Path:
    """Return the file whose docstring says what a layer is for."""
    module = ROOT / "evalcore" / f"{name}.py"
    return module if module.is_file() else ROOT / "evalcore" / name / "__init__.py"


def _purpose(path: Path) -> str:
    """Return the first line of a module's docstring."""
    docstring = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
    return docstring.partition("\n")[0]


def core_layers() -> list[Layer]:
    """Return the layers of the package with the imports that are really there."""
    graph = grimp.build_graph("evalcore", cache_dir=None)
    names = layer_names()
    modules = {
        name: {f"evalcore.{name}", *graph.find_descendants(f"evalcore.{name}")} for name in names
    }
    owner = {module: name for name, owned in modules.items() for module in owned}
    layers = []
    for name in names:
        imported = {
            owner[target]
            for module in modules[name]
            for target in graph.find_modules_directly_imported_by(module)
            if target in owner
        }
        path = _place(name)
        place = f"evalcore/{path.name}" if path.name != "__init__.py" else f"evalcore/{name}/"
        layers.append(Layer(name, place, _purpose(path), frozenset(imported - {name})))
    return layers


def dashboard_layer(names: list[str]) -> Layer:
    """Return the box of app.py and pages/, which are scripts and not part of the package."""
    imported = set()
    for path in [ROOT / "app.py", *sorted((ROOT / "pages").rglob("*.py"))]:
        if path.is_file():
            imported |= {name for name in _core_imports(path) if name in names}
    purpose = "What a person sees: reads the address, asks the core, places widgets."
    return Layer(DASHBOARD, "app.py, pages/", purpose, frozenset(imported))


def _core_imports(path: Path) -> set[str]:
    """Return the direct children of evalcore that a script names in its imports."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return {name.split(".")[1] for name in found if name.startswith("evalcore.")}


def essential_arrows(layers: list[Layer]) -> list[tuple[str, str]]:
    """Return the arrows that do not follow from others: all of them together are unreadable."""
    imports = {layer.name: layer.imports for layer in layers}

    def reachable(name: str) -> set[str]:
        return set().union(*({below} | reachable(below) for below in imports[name]))

    return [
        (name, below)
        for name, direct in imports.items()
        for below in sorted(direct, key=list(imports).index)
        if not any(below in reachable(other) for other in direct - {below})
    ]


def drawing() -> str:
    """Return the drawing and the list beside it, as Markdown."""
    core = core_layers()
    layers = [dashboard_layer([layer.name for layer in core]), *core]
    below = dict[str, list[str]]()
    for above, under in essential_arrows(layers):
        below.setdefault(above, []).append(under)
    arrows = [f"    {above} --> {' & '.join(under)}" for above, under in below.items()]
    order = [layer.name for layer in layers]
    rows = [
        f"| `{layer.place}` | {layer.purpose} "
        f"| {', '.join(sorted(layer.imports, key=order.index)) or '—'} |"
        for layer in layers
    ]
    return "\n".join(
        [
            "```mermaid",
            "flowchart TD",
            *arrows,
            "```",
            "",
            "| where | what it is for | imports |",
            "|---|---|---|",
            *rows,
        ]
    )


def redrawn(page: str) -> str:
    """Return the page with its drawing replaced by the true one."""
    before, found, rest = page.partition(BEGIN)
    _, ended, after = rest.partition(END)
    if not (found and ended):
        raise SystemExit(f"{PAGE.name} has lost the lines “{BEGIN}” and “{END}”: put them back.")
    return f"{before}{BEGIN}\n{drawing()}\n{END}{after}"


def main() -> int:
    """Check or write the drawing and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    choice = parser.add_mutually_exclusive_group(required=True)
    choice.add_argument("--check", action="store_true", help="end with 1 when it is out of date")
    choice.add_argument("--write", action="store_true", help="draw it anew")
    page = PAGE.read_text("utf-8")
    true_page = redrawn(page)
    if parser.parse_args().write:
        PAGE.write_text(true_page, "utf-8")
        return 0
    if page != true_page:
        print("docs/architecture.md no longer shows the real imports: run `make format` and look.")
        return 1
    print("The drawing in docs/architecture.md shows the real imports.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
