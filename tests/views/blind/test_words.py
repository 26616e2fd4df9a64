"""What is said of studies and their results; nothing of the sides to those who judge."""

from evalcore.blind.closing import close, revealed
from evalcore.blind.creating import Design
from evalcore.blind.judging import take_part
from evalcore.blind.results import results
from evalcore.judging.answering.independent import Judges
from evalcore.judging.model import Judge
from evalcore.views.blind.panel import answer_of
from evalcore.views.blind.results import headline, how, remarks, result_blocks, told_blocks
from evalcore.views.blind.words import (
    FEWEST_SEEN,
    crowded_words,
    proposal_words,
    study_state,
    study_title,
    visible_words,
)
from evalcore.views.blocks.plain import as_json
from evalcore.views.problems import problems_at_open
from evalcore.views.waiting import Place, waiting
from evalcore.workspace.opened import Workspace
from tests.blind.study import A, B, created, now, proposed, said
from tests.judging.copies import ANA, BEN, INVOICES


def test_a_judge_is_told_no_sides(ws: Workspace) -> None:
    """Who gave up, and everybody once it is closed, is."""
    study = created(ws, ANA)
    assert study_title(study, ANA).startswith("Study of ")
    assert study_title(study, BEN).startswith("Study of ")
    take_part(ws, study, ANA, "gave up")
    assert study_title(now(ws, study.id), ANA).startswith(f"{A} and {B}")
    close(ws, study, BEN)
    assert study_title(now(ws, study.id), BEN).startswith(f"{A} and {B}")


def test_the_state_says_who_is_how_far(ws: Workspace) -> None:
    """Also of those who have not begun."""
    study = created(ws, ANA, BEN)
    said(ws, study, "left")
    state = study_state(now(ws, study.id))
    assert state == "open · 4 pairs · created by Ben · Ana 1, Ben 0"


def test_a_proposal_says_time_and_what_is_left_out(ws: Workspace) -> None:
    """At most five of the cases that are left out, and how many more there are."""
    found = proposed(ws)._replace(left_out=tuple((f"c{n}", "Why.") for n in range(7)))
    words = proposal_words(found, Design((), Judges((ANA.id, BEN.id))))
    assert words[0] == "4 pairs, about 12 minutes of judging in all."
    assert proposal_words(found, Design((), Judges(())))[0] == (
        "4 pairs, about 6 minutes of judging for each judge."
    )
    assert words[-1] == "7 cases skipped, why: c0, c1, c2, c3, c4 and 2 more."


def test_results_are_told_in_words(ws: Workspace) -> None:
    """Sides, rate, what could have misled, and every case."""
    study = created(ws, ANA)
    for place in range(4):
        said(ws, now(ws, study.id), "left", place=place, knows=place == 0)
    close(ws, now(ws, study.id), BEN)
    closed = now(ws, study.id)
    verdicts = revealed(closed).verdicts
    found = results(closed, verdicts, len)
    assert headline(found).startswith("Can't tell which is better: B is preferred in")
    assert "Not counted, as the judge knew which is which" in " ".join(remarks(found))
    assert "The left output won 3 of 3 times (p 0.25)." in remarks(found)
    assert "Not enough evidence to stop" in remarks(found)[-1]
    assert how(found.verdict)[0].startswith("Each case counts once")
    told = str(as_json(result_blocks(closed, found, "As recorded."), None))
    assert f"A is {A}, B is {B}." in told
    assert "As recorded." in told
    assert len(str(as_json(told_blocks(closed, verdicts), None))) > 100


def test_an_answer_is_read_as_far_as_it_is_one() -> None:
    """Unknown winners are none; scores that are no numbers are missing."""
    assert answer_of({"winner": "v2", "rationale": "x"}) is None
    scores = {"a": [1, 2], "b": [1], "c": ["1", 2], "d": [True, 2], "e": [float("nan"), 2]}
    found = answer_of({"winner": "tie", "rationale": 4, "scores": scores, "knows": "yes"})
    assert found is not None
    assert (found.scores, found.rationale, found.knows) == ({"a": (1.0, 2.0)}, "", False)


def test_a_proposal_says_what_the_study_can_see() -> None:
    """Or from how many cases on it can see anything."""
    few = visible_words(FEWEST_SEEN - 1)
    assert few.endswith("even if all prefer one side: at least 6 are needed.")
    enough = visible_words(FEWEST_SEEN)
    assert enough == "6 cases show only a very clear preference (97 % of cases)."
    assert visible_words(60).startswith("60 cases show a preference of 70 % of cases; ")


def test_what_is_left_to_compare_is_counted_for_its_judge(ws: Workspace) -> None:
    """In the sidebar: pairs of open studies, nothing for others and nothing of the sides."""
    study = created(ws, ANA)
    problems = problems_at_open(ws)

    def waits(judge: Judge | None) -> str | None:
        return waiting(ws, Place(INVOICES, None, None, "recorded", judge), problems).get("blind")

    assert [waits(judge) for judge in (ANA, BEN, None)] == ["4 to compare", None, None]
    for place in range(4):
        said(ws, now(ws, study.id), "left", place=place)
    assert waits(ANA) is None


def test_more_judges_than_a_pair_has_room_for_are_told_so(ws: Workspace) -> None:
    """Before they judge for nothing; where all judge everything, nobody is too many."""
    assert crowded_words(created(ws)._replace(parts={"cem": "joined", "dan": "joined"})) == ""
    study = created(ws, per_task=1)
    assert crowded_words(study) == ""
    one = study._replace(parts={"packet-1": "joined", "cem": "gave up"})
    assert crowded_words(one) == ""
    two = study._replace(parts={"packet-1": "joined", "packet-2": "joined"})
    assert crowded_words(two).startswith("2 judges take part, but each pair is compared by 1")
    named = created(ws, ANA)
    assert crowded_words(named._replace(parts={"packet-1": "joined"})) == ""
