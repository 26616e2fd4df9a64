"""The rules of the `activation` family: a set must be able to show misses and false alarms."""

from collections.abc import Iterator
from typing import Any, Final

from evalcore.families.activation.queries import expectation, searched
from evalcore.families.base import Rules
from evalcore.families.linting import warning
from evalcore.problems import Problem


def lint(path: str, kind: str, value: Any) -> Iterator[Problem]:
    """Yield the violations of rules in one document; any JSON value is accepted."""
    if kind != "trigger_set" or path.endswith(".jsonl"):
        return
    found = {
        block.expected if (own := expectation(item)) is None else own
        for block in searched(value).sets
        for item in block.items
    } - {None}
    if len(found) == 1:
        missing = "no query that should not activate the skill, so no false alarm"
        if found == {False}:
            missing = "no query that should activate the skill, so no miss"
        yield warning(
            path,
            "",
            "one-sided-set",
            f"The set has {missing} can be measured.",
            "Add some of the other kind.",
        )


RULES: Final = Rules(of_document=lint)
