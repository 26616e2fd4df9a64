"""The code has the shape that docs/architecture.md says it has."""

import ast
import re
from pathlib import Path

import pytest

from evalcore.families.registry import FAMILIES
from tools import architecture

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted((ROOT / "pages").glob("*.py"))
SCRIPTS = [ROOT / "app.py", *sorted((ROOT / "pages").rglob("*.py"))]
CORE = ROOT / "evalcore"
ABOVE_FAMILIES = [
    *SCRIPTS,
    *(
        path
        for path in sorted(CORE.rglob("*.py"))
        if not path.is_relative_to(CORE / "families")
        and not path.is_relative_to(CORE / "demo" / "workspace")
    ),
]
OTHER_MEANINGS = {
    ("evalcore/cli/checking.py", "records"): "a column of the table of documents",
    ("evalcore/layouts/iterations.py", "records"): "the folder of a store",
    ("evalcore/shapes/relations.py", "rubric"): "a type of record",
    ("evalcore/views/chains/block.py", "rubric"): "a type of record, and the page",
    ("evalcore/views/data/documents.py", "records"): "a column of the table of documents",
    ("evalcore/views/gradings/grid.py", "records"): "how pandas calls a list of rows",
    ("evalcore/views/overview/column.py", "records"): "how pandas calls a list of rows",
    ("evalcore/counting/named_records.py", "records"): "a kind of document: several in one file",
    ("evalcore/views/compare/sides.py", "rubric"): "the page",
    ("evalcore/views/waiting.py", "rubric"): "the page",
    ("evalcore/views/rubric/state.py", "rubric"): "the page",
    ("evalcore/views/rubric/words.py", "rubric"): "a kind of criterion",
    ("pages/parts/sidebar.py", "rubric"): "the page",
    ("pages/parts/runs/model_forms.py", "improve"): "the form that improves a skill",
    ("pages/rubric.py", "rubric"): "the page",
    ("evalcore/disk/sheets.py", "rows"): "what a table has too many of",
    ("evalcore/failures/find.py", "rows"): "a field of what is found",
    ("evalcore/texts/__init__.py", "rows"): "a function that is offered",
    ("evalcore/views/compare/state.py", "rows"): "a field of the address",
    ("evalcore/views/files/diff.py", "rows"): "the rows of a panel",
    ("evalcore/views/gradings/grid.py", "rows"): "the rows of a panel",
    ("evalcore/views/judge/receipt.py", "rows"): "the rows of a panel",
    ("evalcore/views/run/steps.py", "rows"): "the rows of a panel",
    ("evalcore/views/trends/state.py", "rows"): "a field of the address",
    ("pages/parts/trends.py", "rows"): "a field of the address",
}
"""Words that are also the name of a family, and what they mean where they stand."""


def imported(path: Path) -> set[str]:
    """Return the top-level names that a module imports, at its head or inside its functions."""
    nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
    plain = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    from_ = {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module}
    return {name.split(".")[0] for name in plain | from_}


def test_drawing_shows_the_real_imports() -> None:
    """The drawing is what the imports of today give."""
    page = architecture.PAGE.read_text("utf-8")
    assert architecture.redrawn(page) == page


def test_arrows_never_form_a_ring() -> None:
    """No layer imports one that stands above it."""
    layers = architecture.core_layers()
    order = [layer.name for layer in layers]
    upward = [
        (layer.name, above)
        for layer in layers
        for above in layer.imports
        if order.index(above) < order.index(layer.name)
    ]
    assert upward == []


def test_every_layer_says_what_it_is_for() -> None:
    """Each layer opens with one sentence, which the drawing repeats."""
    silent = [layer.name for layer in architecture.core_layers() if not layer.purpose.endswith(".")]
    assert silent == []


def test_the_dashboard_reads_no_files_itself() -> None:
    """A page asks the core: no JSON reader, no data base, no data frame of its own."""
    readers = {"duckdb", "json", "msgspec", "numpy", "orjson", "pyarrow", "sqlite3"}
    assert SCRIPTS
    assert {path.name: found for path in SCRIPTS if (found := imported(path) & readers)} == {}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_a_page_file_is_a_page_name(path: Path) -> None:
    """Each file beside the pages is a page, so its name is a plain word of the address."""
    assert re.fullmatch(r"[a-z]+", path.stem)


def family_names(path: Path) -> set[str]:
    """Return the names of families that a module holds as texts."""
    nodes = ast.walk(ast.parse(path.read_text("utf-8")))
    texts = {node.value for node in nodes if isinstance(node, ast.Constant)}
    return {family.name for family in FAMILIES if family.name in texts}


def test_no_module_knows_a_family_by_name() -> None:
    """What is particular to a family stands on its `Family`; whoever needs it looks it up."""
    found = {
        (str(path.relative_to(ROOT)), name)
        for path in ABOVE_FAMILIES
        for name in family_names(path)
    }
    assert found == OTHER_MEANINGS.keys()


def test_no_module_imports_a_family() -> None:
    """The packages of the families are known to the registry alone."""
    packages = {".".join(family.find.__module__.split(".")[:3]) for family in FAMILIES}
    found = {
        (str(path.relative_to(ROOT)), node.module)
        for path in ABOVE_FAMILIES
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if not packages.isdisjoint(parents(f"{node.module}.{alias.name}"))
    }
    assert found == set()


def parents(name: str) -> set[str]:
    """Return a dotted name and all that stand above it."""
    parts = name.split(".")
    return {".".join(parts[:end]) for end in range(1, len(parts) + 1)}
