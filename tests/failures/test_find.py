"""All failures of a suite: guesses, records, and what stands apart."""

from datetime import UTC, datetime
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from evalcore.errors import UnknownName
from evalcore.failures.causes import causes
from evalcore.failures.detail import described
from evalcore.failures.find import failures
from evalcore.failures.query import KINDS, STATES, Query, counts, matching
from evalcore.tables.rows import ExclusionRow, FailureRow, Row
from evalcore.workspace.opened import Workspace
from tests.made import SUITE, case, judgment, row, run, suite, version, workspace

AT = datetime(2026, 3, 1, tzinfo=UTC)


def _record(name: str = "f1", run_id: str | None = "r1", **more: object) -> FailureRow:
    base: dict[str, object] = {
        "suite": SUITE,
        "failure_id": name,
        "run_id": run_id,
        "named_run": run_id or "gone",
        "failure_type": "refusal",
        "severity": "major",
        "description": "Says no.",
        "origin": "recorded",
    }
    return row(FailureRow, **{**base, **more})


def _made(root: Path, *rows: Row) -> Workspace:
    return workspace(root, suite(), case(), version("v0", 0), version("v1", 1), *rows)


def test_a_record_takes_the_place_of_the_guess(tmp_path: Path) -> None:
    """What somebody said counts, with the criteria that failed beside it."""
    ws = _made(tmp_path, run(), judgment("a", False, rationale="x"), _record())
    (found,) = described(ws, SUITE, [0])
    assert (found.type, found.origin, found.rule) == ("refusal", "recorded", None)
    assert [each.criterion for each in found.failed] == ["a"]
    assert found.replaces == ("f1",)


def test_a_record_of_a_run_that_is_not_here_is_listed(tmp_path: Path) -> None:
    """It has no case and no version, and says which run it names."""
    ws = _made(tmp_path, run(), judgment("a"), _record(run_id=None))
    (found,) = described(ws, SUITE, [0])
    assert (found.run_id, found.named_run, found.case_id) == (None, "gone", None)
    assert counts(ws, SUITE, Query()).version == {"v0": 0}


def test_a_replaced_record_counts_no_more(tmp_path: Path) -> None:
    """The newer one says that it is resolved."""
    new = _record("f2", supersedes='["f1"]', resolved_at=AT, origin="person")
    ws = _made(tmp_path, run(), judgment("a", False), _record(), new)
    (found,) = described(ws, SUITE, range(len(failures(ws, SUITE))))
    assert (found.failure_id, found.origin, found.resolved_at) == ("f2", "person", AT)
    assert counts(ws, SUITE, Query()).state == {"open": 0, "resolved": 1}


def test_rivals_are_a_conflict(tmp_path: Path) -> None:
    """The next record has to replace all of them."""
    ws = _made(tmp_path, run(), judgment("a", False), _record(rivals='["f0"]'))
    (found,) = described(ws, SUITE, [0])
    assert (found.conflict, found.replaces) == (True, ("f1", "f0"))


def test_runs_outside_the_rates_stand_apart(tmp_path: Path) -> None:
    """Each with why it does not count; none of them is a failure."""
    ws = _made(
        tmp_path,
        run(run_id="r1", status="error"),
        run(run_id="r2"),
        judgment("a", False, run_id="r2"),
        row(ExclusionRow, suite=SUITE, run_id="r2", reason="Wrong input."),
        case(case_id="case-2", status="draft"),
        run(run_id="r3", case_id="case-2"),
        judgment("a", False, run_id="r3"),
        run(run_id="r4", status="hidden"),
        run(run_id="r5"),
    )
    found = failures(ws, SUITE)
    assert len(found) == 0
    assert {why: runs.tolist() for why, runs in found.outside.items()} == {
        "error": [0],
        "excluded": [1],
        "draft or deprecated case": [2],
        "unscored": [4],
    }
    assert (found.counted.tolist(), found.hidden.tolist()) == ([0], [1])


def test_the_newest_version_and_the_worst_come_first(tmp_path: Path) -> None:
    """By version, then by severity, then by how much failed."""
    ws = _made(
        tmp_path,
        run(run_id="old", status="gate_failed"),
        run(run_id="minor", version="v1"),
        judgment("a", False, run_id="minor"),
        judgment("b", run_id="minor"),
        run(run_id="major", version="v1"),
        judgment("a", False, run_id="major"),
    )
    listed = described(ws, SUITE, range(3))
    assert [each.run_id for each in listed] == ["major", "minor", "old"]


def test_nothing_failed(tmp_path: Path) -> None:
    """Without a run, or with a passed one only, the answer is empty."""
    assert len(failures(_made(tmp_path), SUITE)) == 0
    assert causes(_made(tmp_path, run(), judgment("a")), SUITE, Query()).causes == ()


def test_an_unknown_suite_is_a_fault_of_the_caller(tmp_path: Path) -> None:
    """As everywhere in the core."""
    try:
        failures(_made(tmp_path), "elsewhere")
    except UnknownName as fault:
        assert "elsewhere" in str(fault)
    else:
        raise AssertionError("no fault")


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["v0", "v1"]),
            st.sampled_from(["completed", "timeout", "refused", "error"]),
            st.lists(st.sampled_from(["a", "b"]), unique=True),
            st.booleans(),
        ),
        max_size=12,
    ),
    st.sampled_from([None, "v0", "v1"]),
    st.sampled_from([None, *KINDS]),
    st.sampled_from([None, *STATES]),
)
def test_a_count_is_the_length_of_the_list_that_it_opens(
    made: list[tuple[str, str, list[str], bool]],
    chosen: str | None,
    kind: str | None,
    state: str | None,
) -> None:
    """For every choice of every filter, whatever else is chosen."""
    rows: list[Row] = []
    for at, (label, status, failed, resolved) in enumerate(made):
        rows.append(run(run_id=f"r{at}", version=label, status=status))
        rows += [judgment(name, name not in failed, run_id=f"r{at}") for name in "ab"]
        if resolved:
            rows.append(_record(f"f{at}", f"r{at}", resolved_at=AT))
    ws = _made(Path("/"), *rows)
    query = Query(version=chosen, type=kind, state=state)
    found = counts(ws, SUITE, query)
    for name, told in found._asdict().items():
        for word, n in told.items():
            asked = Query(**{**vars(query), name: word})
            assert len(matching(ws, SUITE, asked)) == n, (name, word)
    grouped = causes(ws, SUITE, query)
    assert sorted(place for each in grouped.causes for place in each.places) == sorted(
        matching(ws, SUITE, query).tolist()
    )
