"""The records of a run that are in force."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from evalcore.families.reviews.review import Review
from evalcore.judging.storing.run_reviews import reviews_of_run

RUN = "s::c@v/-#1"


@given(
    theirs=st.lists(st.tuples(st.sampled_from([0, 1]), st.integers(0, 3)), min_size=1, max_size=4),
    forged=st.lists(
        st.tuples(
            st.sampled_from(["eval-judgment", "skip", "exclusion", "note", "adjudication"]),
            st.sampled_from(["bob-2", "ana-1", None, "", 7]),
            st.integers(0, 8),
            st.integers(-2, 2),
        ),
        max_size=6,
    ),
)
def test_no_records_of_another_change_what_counts_for_a_judge(
    theirs: list[tuple[int, int]], forged: list[tuple[str, object, int, int]]
) -> None:
    """Whatever they name as their judge and as what they replace, before or after."""
    records: list[Review] = []

    def put(kind: str, by: str, judge: object, old: int, minute: int, score: int) -> None:
        fields = {"testRunId": RUN, "criterionId": "assertion:a", "score": score}
        fields |= {} if judge is None else {"judgedBy": judge}
        moment = datetime(2026, 3, 1, tzinfo=UTC) + timedelta(minutes=minute)
        names = (records[old].id,) if old < len(records) else ()
        records.append(Review(kind, f"r{len(records)}", fields, moment, by, names, {}, "x.json"))

    for score, old in theirs:
        put("eval-judgment", "bob-2", "bob-2", old, len(records), score)
    put("skip", "bob-2", None, 99, 0, 0)
    before = reviews_of_run(tuple(records), RUN)
    for kind, judge, old, minute in forged:
        put(kind, "ana-1", judge, old, minute + len(theirs), 1)
    after = reviews_of_run(tuple(records), RUN)
    assert after.judges["bob-2"] == before.judges["bob-2"]
    assert after.skips["bob-2"] == before.skips["bob-2"]
