"""The relations are those of seed 001."""

from evalcore.families.records.shapes import RULES
from evalcore.shapes.relations import RELATIONS


def test_each_relation_is_stated_by_a_field_of_a_record() -> None:
    assert {each.relation for each in RULES} == set(RELATIONS)
    assert len(RELATIONS) == 11


def test_each_relation_leads_from_its_earlier_to_its_later_end() -> None:
    for each in RELATIONS:
        assert {each.earlier, each.later} == {each.source, each.target}
        assert (each.earlier == each.source) is (each.first == "source")


def test_the_order_of_types_has_no_circle() -> None:
    """Nothing comes before itself, so that a step back never leads forward again."""
    after = {each.later: set[str]() for each in RELATIONS}
    for each in RELATIONS:
        after[each.later].add(each.earlier)
    while after:
        first = {kind for kind, before in after.items() if not before & after.keys()}
        assert first, after
        after = {kind: before for kind, before in after.items() if kind not in first}
