"""Assertions that can fail, weights that count, hashes that can be compared."""

from typing import Any

import pytest

from evalcore.families.descriptions.rules import RULES
from tests.families.ruled import broken

Document = dict[str, Any]


def case(*assertions: Any, **fields: Any) -> Document:
    return {"id": "a", "prompt": "p", "assertions": [*assertions], **fields}


def found(value: Any, kind: str = "eval_metadata") -> list[tuple[str, str]]:
    return broken(RULES, kind, value)


def test_good_cases_have_nothing_to_mend() -> None:
    """A case with concrete assertions passes."""
    assert found({"test_cases": [case("Names all three changes", weight=0.5)]}) == []


@pytest.mark.parametrize(
    ("cases", "code", "pointer"),
    [
        ([case("Names it"), case("Names it")], "duplicate-case", "/test_cases/1/id"),
        ([case()], "no-assertions", "/test_cases/0/assertions"),
        ([{"id": "a", "prompt": "p"}], "no-assertions", "/test_cases/0"),
        ([case(" ")], "empty-assertion", "/test_cases/0/assertions/0"),
        ([case("Names it", "Names it")], "duplicate-criterion", "/test_cases/0/assertions/1"),
        ([case("The answer is reasonable")], "vague-criterion", "/test_cases/0/assertions/0"),
        ([case("Names it", weight=-1)], "negative-weight", "/test_cases/0/weight"),
        ([case("Names it", weight=0)], "no-weight", "/test_cases/0/weight"),
    ],
)
def test_rules_of_the_test_cases(cases: list[Document], code: str, pointer: str) -> None:
    """Each broken rule is one warning at the place to mend."""
    assert found({"test_cases": cases}) == [(code, pointer)]


@pytest.mark.parametrize(
    ("digest", "codes"),
    [("a" * 64, []), ("sha256:" + "A" * 64, []), ("abc", ["hash-form"]), ("g" * 64, ["hash-form"])],
)
def test_a_description_hash_is_a_sha256(digest: str, codes: list[str]) -> None:
    """64 hexadecimal digits, with or without the name of the hash before them."""
    entries = [{"description_version": 1, "description_hash": digest}]
    assert [code for code, _ in found({"entries": entries}, "benchmark")] == codes
