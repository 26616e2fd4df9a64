"""What graders suggest: alike ones together, how often, and what was decided."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from evalcore import Workspace
from evalcore.rubrics.suggestions import Suggestion, names_criterion, suggestions
from evalcore.tables.rows import FeedbackRow
from tests import made

TEXT = "Say which flag is meant, the long one or the short one."


def row(text: str | None, **given: object) -> FeedbackRow:
    """Return a suggestion of a grading."""
    base: dict[str, object] = {"suite": made.SUITE, "kind": "suggestion", "text": text}
    return made.row(FeedbackRow, **{**base, **given})


def said(root: Path, *rows: FeedbackRow) -> tuple[Suggestion, ...]:
    """Return the suggestions of a suite."""
    return suggestions(workspace(root, *rows), made.SUITE)


def workspace(root: Path, *rows: FeedbackRow) -> Workspace:
    """Return a suite with this feedback."""
    runs = [made.run(run_id=name) for name in ("r1", "r2")]
    return made.workspace(root, made.suite(), *runs, *rows)


def test_the_same_words_are_one_suggestion(tmp_path: Path) -> None:
    """Whatever their case, spaces and full stop; it is made by two runs, not three."""
    one, *more = said(
        tmp_path,
        row(TEXT, run_id="r1", version="v0"),
        row(TEXT.upper(), run_id="r2", version="v1"),
        row(f"  {TEXT[:-1]}", run_id="r2", version="v1"),
    )
    assert not more
    assert (one.n, one.runs.tolist(), one.versions) == (2, [0, 1], ("v0", "v1"))
    assert one.text == TEXT


@pytest.mark.parametrize(
    ("other", "target", "groups"),
    [
        ("Say which flag is meant: the long one or a short form.", None, 1),
        ("Add a case with no flag at all.", None, 2),
        (TEXT, "names the flag", 2),
    ],
)
def test_similar_words_about_one_criterion_are_one_suggestion(
    tmp_path: Path, other: str, target: str | None, groups: int
) -> None:
    """Half of the words is enough; about another criterion it is another one."""
    assert len(said(tmp_path, row(TEXT), row(other, target=target))) == groups


def test_an_aggregate_counts_as_often_as_it_says(tmp_path: Path) -> None:
    """Summed over versions; runs that say the same are part of it."""
    (one,) = said(
        tmp_path,
        row(TEXT, kind="aggregate", target="S1", version="v0", frequency=3, action="Done."),
        row(TEXT, kind="aggregate", target="S1", version="v1", frequency=2),
        row(TEXT, run_id="r1", target="S1: Names the flag"),
    )
    assert (one.n, one.action, one.state) == (5, "Done.", "answered")


def test_what_suggests_nothing_is_left_out(tmp_path: Path) -> None:
    """Reviews of outputs, empty words, and the summary beside a list of suggestions."""
    (one,) = said(
        tmp_path,
        row("Good", kind="review"),
        row("  "),
        row(None),
        row("No suggestions.", kind="overall", pointer="/eval_feedback/overall"),
        row(TEXT, kind="overall", pointer="/eval_feedback"),
    )
    assert one.text == TEXT


def decision(kind: str, day: int, **given: object) -> FeedbackRow:
    """Return what somebody decided about `TEXT`."""
    base: dict[str, object] = {
        "kind": kind,
        "author": "ana",
        "created_at": datetime(2026, 3, day, tzinfo=UTC),
        "source": f"reviews/suggestion-decision/d{day}.json",
    }
    return row(TEXT, **{**base, **given})


def test_a_decision_settles_all_that_is_alike(tmp_path: Path) -> None:
    """The newest counts, the others are kept; what is open comes first."""
    rows = (
        row(TEXT, run_id="r1"),
        row("Say which flag is meant: the long one or a short form.", run_id="r2"),
        row("Add a case with no flag at all."),
        decision("accepted", 1),
        decision("rejected", 2, action="It is clear."),
    )
    first, second = said(tmp_path, *rows)
    assert (first.state, second.state) == ("open", "rejected")
    assert [(one.decision, one.reason, one.record) for one in second.decisions] == [
        ("rejected", "It is clear.", "d2"),
        ("accepted", None, "d1"),
    ]


def test_a_decision_about_another_criterion_or_suite_does_not_count(tmp_path: Path) -> None:
    """The same words about something else were not decided."""
    about = decision("accepted", 1, target="other")
    elsewhere = decision("accepted", 2, suite="skills/other", run_id="r9")
    (one,) = said(tmp_path, row(TEXT), about, elsewhere)
    assert one.state == "open"


@pytest.mark.parametrize(
    ("target", "means"),
    [
        ("names the flag", True),
        ("Names the flag.", True),
        ("S1", True),
        ("S1: Names the flag", True),
        ("S12: Names the flag", False),
        ("flag", False),
        (None, False),
    ],
)
def test_a_criterion_is_named_by_id_name_or_wording(target: str | None, means: bool) -> None:
    """Graders use what they have read."""
    assert names_criterion(target, "S1", "Names the flag") is means


def test_thousands_of_suggestions_are_all_there(tmp_path: Path) -> None:
    """Beyond those that are compared each stands alone: none is lost."""
    rows = [row(f"{at} " + " ".join(f"w{at}{n}" for n in range(5))) for at in range(2_000)]
    assert len(said(tmp_path, *rows)) == 2_000


def test_versions_stand_in_their_order(tmp_path: Path) -> None:
    """Not in that of the table, where `v10` comes before `v9`."""
    names = ("v10", "v9", "v2")
    rows = [row(TEXT, run_id=f"r-{name}", version=name) for name in names]
    runs = [made.run(run_id=f"r-{name}", version=name) for name in names]
    order = [made.version(name, int(name[1:])) for name in names]
    (one,) = suggestions(made.workspace(tmp_path, made.suite(), *order, *runs, *rows), made.SUITE)
    assert one.versions == ("v2", "v9", "v10")


@pytest.mark.parametrize(("run", "state"), [(None, "accepted"), ("r1", "open")])
def test_a_decision_without_a_run_holds_for_all_suites_of_its_folder(
    tmp_path: Path, run: str | None, state: str
) -> None:
    """It lies with the first of them; one about a run of another suite is that suite's."""
    suites = [made.suite(name=name)._replace(root="w") for name in ("skills/other", made.SUITE)]
    about = decision("accepted", 1, suite="skills/other", run_id=run)
    ws = made.workspace(tmp_path, *suites, made.run(run_id="r1"), row(TEXT), about)
    (one,) = suggestions(ws, made.SUITE)
    assert one.state == state
