"""The rules of the `activation` family: a set must be able to show misses and false alarms."""

from collections.abc import Iterator
from typing import Any, Final

from evalcore.families.activation.blocks import blocks
from evalcore.families.activation.items import expected_name
from evalcore.families.base import Rules
from evalcore.families.linting import warning
from evalcore.problems import Problem


def lint(path: str, kind: str, value: Any) -> Iterator[Problem]:
    """Yield the violations of rules in one document; any JSON value is accepted."""
    if kind != "trigger_set" or path.endswith(".jsonl"):
        return
    expected = {flag for block in blocks(value) for flag in _expected(block.items, block.expected)}
    if len(expected) == 1:
        missing = "no query that should not activate the skill, so no false alarm"
        if expected == {False}:
            missing = "no query that should activate the skill, so no miss"
        yield warning(
            path,
            "",
            "one-sided-set",
            f"The set has {missing} can be measured.",
            "Add some of the other kind.",
        )


def _expected(items: list[Any], of_texts: bool | None) -> Iterator[bool]:
    for item in items:
        name = expected_name(item)
        if name is not None:
            yield item[name]
        elif of_texts is not None:
            yield of_texts


RULES: Final = Rules(of_document=lint)
