"""The rules of both families of this layout: those of expectations, and those of rubrics."""

from collections.abc import Iterator, Set
from typing import Any, Final

from evalcore.families.base import Rules
from evalcore.families.iterations import expectation_rules, rubric_rules
from evalcore.problems import Problem
from evalcore.tables.snapshot import Tables


def _of_document(path: str, kind: str, value: Any) -> Iterator[Problem]:
    if kind in expectation_rules.DEFINING:
        yield from expectation_rules.lint_document(path, value)
    if kind == "evals":
        yield from rubric_rules.lint_document(path, value)


def _of_tables(tables: Tables, suites: Set[str]) -> Iterator[Problem]:
    yield from expectation_rules.lint_tables(tables, suites)
    yield from rubric_rules.lint_tables(tables, suites)


ITERATIONS: Final = Rules(of_document=_of_document, of_tables=expectation_rules.lint_tables)
RUBRIC: Final = Rules(of_document=_of_document, of_tables=_of_tables)
