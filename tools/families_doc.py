"""Write `docs/families.md` from the models and the table of places, or say whether it is stale."""

import argparse
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from evalcore.families import iterations
from evalcore.families.base import Family
from evalcore.families.linting import Rule
from evalcore.families.registry import dialects
from evalcore.shapes.fields import Leaf
from tools import tolerances

PAGE = Path(__file__).parent.parent / "docs" / "families.md"

_INTRODUCTION = """\
# Families: where each field goes

A family is a dialect of evaluation documents. For every field of every document this page says
which column of which table holds it (`evalcore tables`, `Workspace.tables`), and which part of the
dashboard shows it; fields of a document with the same place stand in one row. `raw` means that the
field stays in its document, which every row names in `source` and `pointer` and every page can
open. In a field, `[]` is an item of a list and `*` a name that the writer chose. A field that no
model names is kept, and is found in the raw document too.

"Rules" lists what `evalcore check` says beyond the fields: of an object in a document (`*` is each
in a list, `{}` each in an object, `[]` the list as a whole), of a row of a table, or of a record.

This page is written by `python -m tools.families_doc --write`.
"""


def render() -> str:
    """The whole page."""
    return "\n".join(_lines())


def _lines() -> Iterator[str]:
    yield _INTRODUCTION
    for dialect in dialects():
        kinds = dialect.documents().kinds
        yield f"## `{dialect.name}`\n"
        yield f"{dialect.about}\n"
        if isinstance(dialect, Family):
            yield f"Its headline is the {dialect.headline}.\n"
        shared = set.intersection(*(set(kind.leaves) for kind in kinds))
        if shared:
            yield "### Every record\n"
            yield from _table(leaf for leaf in kinds[0].leaves if leaf in shared)
        extended = _kinds_of_iterations() if dialect is iterations.RUBRIC else {}
        for kind in kinds:
            yield f"### {kind.kind}\n"
            yield f"`{kind.path}`: {kind.about}\n"
            told = shared
            if kind.kind in extended and extended[kind.kind] <= set(kind.leaves):
                told = shared | extended[kind.kind]
                more = told < set(kind.leaves)
                yield f"All fields of `{kind.kind}` of `iterations`{', and:' if more else '.'}\n"
            yield from _table(leaf for leaf in kind.leaves if leaf not in told)
        rules = dialect.rules()
        if rules is not None:
            yield "### Rules\n"
            same = iterations.FAMILY.rules() if dialect is iterations.RUBRIC else None
            if same is not None:
                yield "All rules of `iterations`, and:\n"
            yield from _rules(rule for rule in rules.table if not same or rule not in same.table)
        if dialect is iterations.FAMILY:
            yield from tolerances.lines()


def _kinds_of_iterations() -> dict[str, set[Leaf]]:
    """The fields of each document of `iterations`, which those of `rubric` extend."""
    return {kind.kind: set(kind.leaves) for kind in iterations.FAMILY.documents().kinds}


def _table(found: Iterable[Leaf]) -> Iterator[str]:
    """A row for each place, in the order of its first field, or nothing without a field."""
    paths = dict[tuple[str, str], list[str]]()
    for leaf in found:
        paths.setdefault((leaf.column, leaf.shown), []).append(leaf.path)
    if not paths:
        return
    yield "| field | place | shown in |"
    yield "|---|---|---|"
    for (column, shown), fields in paths.items():
        yield f"| {_code(fields)} | {_code(column.split(', '))} | {shown} |"
    yield ""


def _code(words: Iterable[str]) -> str:
    return ", ".join(f"`{word}`" for word in words)


def _rules(found: Iterable[Rule]) -> Iterator[str]:
    yield "| looks at | says | code |"
    yield "|---|---|---|"
    for rule in found:
        said = re.sub(r"\{[^}]*\}", "…", rule.sentence)
        yield f"| `{rule.of.split(', ')[0].strip(' /:')}` | {said} | `{rule.code}` |"
    yield ""


def write_or_check(page: Path, text: str, module: str, about: str | None) -> int:
    """Write a page with `--write`; otherwise return 1 when it is stale."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--write", action="store_true", help="write the page")
    if parser.parse_args().write:
        page.write_text(text, encoding="utf-8")
        return 0
    if page.exists() and page.read_text(encoding="utf-8") == text:
        return 0
    print(f"{page.name} is stale: run python -m {module} --write")
    return 1


if __name__ == "__main__":
    sys.exit(write_or_check(PAGE, render(), "tools.families_doc", __doc__))
