"""The rules of every family read whatever a document holds."""

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore.families.registry import FAMILIES
from tests.families.ruled import broken

TABLES = {each.name: each.rules() for each in FAMILIES}
NAMES = sorted(
    {word for rules in TABLES.values() if rules for rule in rules.table
     for word in re.findall(r"[a-z_]{4,}", rule.of)}
    | {"id", "text", "version", "weight", "timestamp", "timing", "end", "skill_name", "run",
       "description_version", "description_hash", "total_runs", "frequency", "iteration", "match",
       "match_any", "match_regex", "duration_ms", "total_duration_seconds", "current_version"}
)  # fmt: skip
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
    | st.sampled_from([10**30, "2026-01-01T00:00:00Z", "2026-01-01"]),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.sampled_from(NAMES), inner, max_size=4),
)  # fmt: skip


@pytest.mark.parametrize("family", [name for name, rules in TABLES.items() if rules])
@settings(max_examples=60)
@given(value=JSON)
def test_any_value_may_be_given(family: str, value: Any) -> None:
    """No JSON value makes a rule fail, whatever kind of document it is taken for."""
    rules = TABLES[family]
    assert rules is not None
    kinds = {
        kind for rule in rules.table if ":" in rule.of for kind in rule.of.split(":")[0].split(",")
    }
    for kind in kinds:
        assert isinstance(broken(rules, kind, value), list)
