"""Chains of records: which of several counts."""

from datetime import UTC, datetime, timedelta
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from evalcore.families.reviews.review import (
    Review,
    by_another,
    chains,
    joined,
    judge_of,
    review_of,
    scope,
)

START = datetime(2026, 3, 1, tzinfo=UTC)


def review(name: str, *supersedes: str, at: int = 0) -> Review:
    """A judgment written so many minutes after the first."""
    fields = {"judgedBy": "ana", "score": 1}
    moment = START + timedelta(minutes=at)
    return Review("eval-judgment", name, fields, moment, "ana", supersedes, {}, name)


def test_the_newest_of_a_chain_counts() -> None:
    """A correction replaces what it names, and what that had replaced."""
    (chain,) = chains([review("c", "b", at=2), review("a"), review("b", "a", at=1)])
    assert chain.head.id == "c"
    assert [old.id for old in chain.replaced] == ["a", "b"]
    assert chain.rivals == ()


def test_two_that_replace_the_same_are_rivals() -> None:
    """The newer of two corrections counts, and the other one is named as its rival."""
    (chain,) = chains([review("a"), review("b", "a", at=1), review("c", "a", at=2)])
    assert (chain.head.id, [rival.id for rival in chain.rivals]) == ("c", ["b"])


def test_only_who_replaces_both_rivals_has_settled_a_conflict() -> None:
    """A record that replaces one of them stands beside the other, however new it is."""
    rivals = [review("a"), review("b", "a", at=1), review("c", "a", at=2)]
    (settled,) = chains([*rivals, review("d", "b", "c", at=3)])
    assert (settled.head.id, settled.rivals) == ("d", ())
    for old, rival in (("b", "c"), ("c", "b")):
        (unaware,) = chains([*rivals, review("d", old, at=3)])
        assert (unaware.head.id, [each.id for each in unaware.rivals]) == ("d", [rival])


def test_a_circle_is_one_chain_of_rivals() -> None:
    """Records that replace each other in a circle replace nothing, until one replaces them all."""
    circle = [review("a", "b"), review("b", "a", at=1)]
    (chain,) = chains(circle)
    assert (chain.head.id, [rival.id for rival in chain.rivals]) == ("b", ["a"])
    (settled,) = chains([*circle, review("c", "a", "b", at=2)])
    assert (settled.head.id, settled.rivals) == ("c", ())


def test_chains_of_one_scope_are_joined_to_one() -> None:
    """Their heads are rivals, and the newest counts."""
    found = joined(chains([review("a"), review("b", "a", at=2), review("c", at=1)]))
    assert (found.head.id, [rival.id for rival in found.rivals]) == ("b", ["c"])
    assert [old.id for old in found.replaced] == ["a"]


def test_a_score_is_of_one_judge_and_criterion() -> None:
    """Records of others, of other types and of other criteria are of another scope."""
    mine = review("a")
    other = mine._replace(fields={"judgedBy": "bob"}), mine._replace(type="adjudication")
    more = mine._replace(fields={"judgedBy": "ana", "criterionId": "assertion:b"})
    assert len({scope(each) for each in (mine, review("b", at=3), *other, more)}) == 4


def test_a_judgment_of_another_name_than_its_author_is_foreign() -> None:
    """One without author is its judge's; so is one without judge."""
    mine = review("a")
    assert not by_another(mine)
    assert not by_another(mine._replace(created_by=""))
    assert not by_another(mine._replace(fields={}))
    assert by_another(mine._replace(created_by="bob"))
    assert judge_of(mine._replace(created_by="bob")) == "ana (written by bob)"


@given(
    st.dictionaries(
        st.integers(0, 9),
        st.tuples(st.lists(st.integers(0, 12), max_size=3), st.integers(0, 5)),
        max_size=10,
    ),
    st.randoms(use_true_random=False),
)
def test_chains_hold_every_record_once_in_any_order(
    made: dict[int, tuple[list[int], int]], random: Random
) -> None:
    """No record is lost or counted twice, and the order of the files decides nothing."""
    reviews = [review(str(name), *map(str, old), at=at) for name, (old, at) in made.items()]
    found = chains(reviews)
    held = [each.id for chain in found for each in chain.members]
    assert sorted(held) == sorted(each.id for each in reviews)
    for chain in found:
        assert all(rival.order < chain.head.order for rival in chain.rivals)
    random.shuffle(reviews)
    assert chains(reviews) == found


def test_a_record_may_replace_several() -> None:
    """`supersedes` is one id or a list; what is no id is passed over."""
    value = {"id": "a", "type": "note", "schema": 1, "fields": {}}
    for given_, names in (("b", ("b",)), (["b", 7, "c", "b"], ("b", "c")), ({"b": 1}, ())):
        found = review_of({**value, "supersedes": given_}, "a.json")
        assert found is not None
        assert found.supersedes == names


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(
                st.sampled_from(["id", "type", "schema", "fields", "createdAt", "supersedes"]),
                inner,
            )
        ),
    )
)
def test_any_json_is_a_record_or_none(value: object) -> None:
    """Whatever stands in a file, reading it as a record raises nothing."""
    found = review_of(value, "x.json")
    assert found is None or found.path == "x.json"
