"""Counts what a reader has to look up: functions that one place calls, modules that one imports.

`python -m tools.size` ends with 1 when one of the two is above its bound, which stands under
`[tool.evalcore.size]` in pyproject.toml and is lowered whenever the code allows it.
"""

import ast
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import grimp

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("evalcore", "pages")
SMALL = 60
"""Modules of fewer lines than this are small."""


class Size(NamedTuple):
    """What was counted, and where: `path:line name` and modules."""

    functions: int
    used_once: list[str]
    small_modules: list[str]

    @property
    def percent_used_once(self) -> float:
        """The private functions that are used once, in percent of all functions."""
        return 100 * len(self.used_once) / self.functions


def used_once(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Yield the private functions and methods of a module that it names once."""
    uses = Counter(
        node.id if isinstance(node, ast.Name) else node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Name | ast.Attribute)
    )
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            is_private = node.name.startswith("_") and not node.name.endswith("__")
            if is_private and uses[node.name] == 1:
                yield node


def small_modules() -> list[str]:
    """Return the modules of few lines that exactly one other module imports."""
    graph = grimp.build_graph(*PACKAGES, cache_dir=None)
    found = []
    for module in sorted(graph.modules):
        path = ROOT.joinpath(*module.split(".")).with_suffix(".py")
        is_small = path.is_file() and len(path.read_text("utf-8").splitlines()) < SMALL
        if is_small and len(graph.find_modules_that_directly_import(module)) == 1:
            found.append(module)
    return found


def size() -> Size:
    """Count in the packages of the product."""
    functions, once = 0, list[str]()
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            if "demo/workspace" in path.as_posix():
                continue
            tree = ast.parse(path.read_text("utf-8"))
            kinds = ast.FunctionDef | ast.AsyncFunctionDef
            functions += sum(isinstance(node, kinds) for node in ast.walk(tree))
            name = path.relative_to(ROOT)
            once += [f"{name}:{node.lineno} {node.name}" for node in used_once(tree)]
    return Size(functions, once, small_modules())


def main() -> int:
    """Print both counts beside their bounds, or with `--list` every single one."""
    bounds = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["evalcore"]["size"]
    found = size()
    if "--list" in sys.argv[1:]:
        print("\n".join([*found.used_once, *found.small_modules]))
    share, small = found.percent_used_once, len(found.small_modules)
    print(
        f"Private functions used once: {share:.1f} % of {found.functions:,} functions "
        f"(at most {bounds['percent_used_once']} %). "
        f"Modules below {SMALL} lines with one importer: {small} (at most "
        f"{bounds['small_modules']})."
    )
    return int(share > bounds["percent_used_once"] or small > bounds["small_modules"])


if __name__ == "__main__":
    sys.exit(main())
