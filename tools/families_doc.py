"""Write `docs/families.md` from the models and the table of places, or say whether it is stale."""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from evalcore.documents import FAMILIES, Document
from evalcore.documents.fields import field_paths
from evalcore.documents.places import ENVELOPES, PLACES, Places
from tools import tolerances

PAGE = Path(__file__).parent.parent / "docs" / "families.md"

_INTRODUCTION = """\
# Families: where each field goes

A family is a dialect of evaluation documents. For every field of every document this page says
which column of which table holds it (`evalcore tables`, `Workspace.tables`), and which part of the
dashboard shows it. `raw` means that the field stays in its document, which every row names in
`source` and `pointer` and every page can open. In a field, `[]` is an item of a list and `*` a name
that the writer chose. A field that no model names is kept, and is found in the raw document too.

This page is written by `python -m tools.families_doc --write`.
"""

_ABOUT = {
    "improve": "Versions of a skill, each criterion scored 1 to 5 and passed from 3.",
    "records": "One record a file, joined by ids; totals are weighted sums.",
    "rubric": "Structural checks as a gate, then a rubric scored 1 to 5 by a judge.",
    "descriptions": "Assertions passed or failed, for each version of a skill's description.",
    "iterations": "Expectations passed or failed, with and without a skill; `rubric` extends it.",
    "reviews": "What people said of the runs of a suite, whatever its family. Records are created "
    "and never changed: a correction is a new one that names the old one in `supersedes`. "
    "`<suite>` is the folder that holds the runs. `testRunId` is the id of a run; of it the part "
    "after `::` counts, because the suite's own depends on the folder that is opened. "
    "`criterionId` is `kind:criterion`. A score counts while the output, the prompt and the "
    "criterion have the sha256 that its `evalcore` block names; otherwise it is stale.",
}


def render() -> str:
    """The whole page."""
    return "\n".join(_lines())


def _lines() -> Iterator[str]:
    yield _INTRODUCTION
    for family, documents in FAMILIES.items():
        yield f"## `{family}`\n"
        yield f"{_ABOUT[family]}\n"
        if (shared := ENVELOPES.get(family)) is not None:
            yield "### Every record\n"
            yield from _table(list(shared), shared)
        for document in documents:
            yield from _document(family, document)
        if family == "iterations":
            yield from tolerances.lines()


def _document(family: str, document: Document) -> Iterator[str]:
    yield f"### {document.kind}\n"
    yield f"`{document.path}`: {document.description}\n"
    fields = field_paths(document.model)
    fields = tuple(field for field in fields if field not in ENVELOPES.get(family, ()))
    yield from _table(fields, PLACES[family][document.kind])


def _table(fields: list[str] | tuple[str, ...], places: Places) -> Iterator[str]:
    yield "| field | place | shown in |"
    yield "|---|---|---|"
    for field in fields:
        place = places[field]
        columns = ", ".join(f"`{column}`" for column in place.columns.split(", "))
        yield f"| `{field}` | {columns} | {place.shown} |"
    yield ""


def main() -> int:
    """Write the page with `--write`; otherwise exit with 1 when it is stale."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the page")
    text = render()
    if parser.parse_args().write:
        PAGE.parent.mkdir(exist_ok=True)
        PAGE.write_text(text, encoding="utf-8")
        return 0
    if PAGE.exists() and PAGE.read_text(encoding="utf-8") == text:
        return 0
    print(f"{PAGE.name} is stale: run python -m tools.families_doc --write")
    return 1


if __name__ == "__main__":
    sys.exit(main())
