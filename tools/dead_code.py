"""Reports code of the product that the product never uses; a use in a test does not count.

`python -m tools.dead_code` ends with 1 when it finds some. Names that are used in a way that
cannot be seen in the code stand in tools/dead_code_allowed.txt, each group with its reason.
"""

import ast
import sys
from pathlib import Path

from vulture import Vulture

ROOT = Path(__file__).resolve().parent.parent
SCANNED = ("app.py", "benchmarks", "evalcore", "pages", "tools")
CALLED_BY_TYPER = ["@command", "@*.command", "@*_command", "@*.callback"]
ALLOWED = Path(__file__).with_name("dead_code_allowed.txt")


def allowed_names() -> set[str]:
    """Return the names that may look unused."""
    lines = (line.partition("#")[0].strip() for line in ALLOWED.read_text("utf-8").splitlines())
    return {line for line in lines if line}


def data_names(path: Path) -> set[tuple[str, int]]:
    """Return name and line of each field and each enum member of a module's classes.

    These are columns of tables, keys of documents and choices of a command: data, asked for by
    the name or the value that stands in a file or is typed.
    """
    tree = ast.parse(path.read_text("utf-8"))
    classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    return {
        (target.id, statement.lineno)
        for node in classes
        for statement in node.body
        for target in _targets(statement, is_enum=_is_enum(node))
        if isinstance(target, ast.Name)
    }


def _is_enum(node: ast.ClassDef) -> bool:
    return any(ast.unparse(base).endswith("Enum") for base in node.bases)


def _targets(statement: ast.stmt, *, is_enum: bool) -> list[ast.expr]:
    if isinstance(statement, ast.AnnAssign):
        return [statement.target]
    return statement.targets if is_enum and isinstance(statement, ast.Assign) else []


def dead_code() -> list[str]:
    """Return one line for each thing that nothing uses."""
    scan = Vulture(ignore_decorators=CALLED_BY_TYPER)
    paths = [str(ROOT / name) for name in SCANNED if (ROOT / name).exists()]
    scan.scavenge(paths, exclude=["*/evalcore/demo/workspace/*"])
    allowed = allowed_names()
    data: dict[Path, set[tuple[str, int]]] = {}
    found = []
    for item in scan.get_unused_code(min_confidence=60):
        path = Path(item.filename)
        if path not in data:
            data[path] = data_names(path)
        if item.name in allowed or (item.name, item.first_lineno) in data[path]:
            continue
        found.append(f"{path.relative_to(ROOT)}:{item.first_lineno}: {item.message}")
    return found


def main() -> int:
    """Print the dead code and return the exit code."""
    found = dead_code()
    for line in found:
        print(line)
    if found:
        print(f"Nothing uses these {len(found)}. Remove them, or say why not in {ALLOWED.name}.")
    else:
        print("No dead code.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
