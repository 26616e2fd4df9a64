"""Chains of records: which of several counts."""

from datetime import UTC, datetime, timedelta
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from evalcore.families.reviews.review import Review, chains, review_of

START = datetime(2026, 3, 1, tzinfo=UTC)


def review(
    name: str, supersedes: str | None = None, at: int = 0, judge: str = "ana", kind: str = ""
) -> Review:
    """A judgment written so many minutes after the first."""
    fields = {"judgedBy": judge, "score": 1}
    moment = START + timedelta(minutes=at)
    return Review(kind or "eval-judgment", name, fields, moment, judge, supersedes, {}, f"{name}")


def test_the_newest_of_a_chain_counts() -> None:
    """A correction replaces what it names, and what that had replaced."""
    (chain,) = chains([review("c", "b", 2), review("a"), review("b", "a", 1)])
    assert chain.head.id == "c"
    assert [old.id for old in chain.replaced] == ["a", "b"]
    assert chain.rivals == ()


def test_two_that_replace_the_same_are_rivals() -> None:
    """The newer of two corrections counts, and the other one is named as its rival."""
    (chain,) = chains([review("a"), review("b", "a", 1), review("c", "a", 2)])
    assert (chain.head.id, [rival.id for rival in chain.rivals]) == ("c", ["b"])


def test_whoever_judges_after_a_conflict_has_settled_it() -> None:
    """A record that replaces the newest of two rivals leaves none; of the older one, it does."""
    rivals = [review("a"), review("b", "a", 1), review("c", "a", 2)]
    (settled,) = chains([*rivals, review("d", "c", 3)])
    assert (settled.head.id, settled.rivals) == ("d", ())
    (unaware,) = chains([*rivals, review("d", "b", 3)])
    assert (unaware.head.id, [rival.id for rival in unaware.rivals]) == ("d", ["c"])


def test_nobody_replaces_what_another_judge_said() -> None:
    """A judgment that names another judge's leaves it standing; so does one of another type."""
    found = chains(
        [review("a"), review("b", "a", 1, judge="bob"), review("n", "a", 2, kind="note")]
    )
    assert [chain.head.id for chain in found] == ["a", "b", "n"]


def test_a_circle_is_one_chain() -> None:
    """Records that replace each other in a circle end, and the newest counts."""
    (chain,) = chains([review("a", "b"), review("b", "a", 1)])
    assert chain.head.id == "b"


@given(
    st.dictionaries(
        st.integers(0, 9),
        st.tuples(st.none() | st.integers(0, 12), st.integers(0, 5), st.sampled_from("AB")),
        max_size=10,
    ),
    st.randoms(use_true_random=False),
)
def test_chains_hold_every_record_once_in_any_order(
    made: dict[int, tuple[int | None, int, str]], random: Random
) -> None:
    """No record is lost or counted twice, and the order of the files decides nothing."""
    reviews = [
        review(str(name), None if old is None else str(old), at, judge)
        for name, (old, at, judge) in made.items()
    ]
    found = chains(reviews)
    held = [each.id for chain in found for each in (chain.head, *chain.replaced, *chain.rivals)]
    assert sorted(held) == sorted(each.id for each in reviews)
    for chain in found:
        assert {each.fields["judgedBy"] for each in (*chain.replaced, *chain.rivals)} <= {
            chain.head.fields["judgedBy"]
        }
        assert all(rival.order < chain.head.order for rival in chain.rivals)
    random.shuffle(reviews)
    assert chains(reviews) == found


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
