"""A closed study is written as documents of its family, and read back as what people said."""

import json
import re
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from evalcore.blind.closing import close, revealed
from evalcore.blind.creating import Design, create_study
from evalcore.blind.criteria import SETS
from evalcore.blind.judging import Answer, give_verdict, open_task, tasks
from evalcore.blind.keys import keep_secret
from evalcore.blind.proposing import propose, side_named
from evalcore.blind.unblinding import Unblinded
from evalcore.blind.writing import Ended, documents, end
from evalcore.families.comparing import Said, name_of
from evalcore.families.reviews.review import Winner
from evalcore.judging.answering.independent import Judges
from evalcore.judging.hiding import studies
from evalcore.judging.storing.store import new_id
from evalcore.judging.studies import Study
from evalcore.lint.run import check
from evalcore.workspace.opened import Workspace, open_workspace
from tests.judging.copies import ANA, BEN, INVOICES, NOTES, SUPPORT, copied

DESCRIBED = "sql-helper"
SAID: tuple[Winner, ...] = ("left", "right", "tie", "both bad", "left", "right")


class Judged(NamedTuple):
    """A study of a suite that Ana judged to its end."""

    ws: Workspace
    study: Study


def judged(
    root: Path, suite: str, a: str, b: str, criteria: str = "none", *, knows: bool = False
) -> Judged:
    """Judge all pairs of a study; scores are high on the left."""
    ws = copied(root, suite)
    sides = (side_named(ws, suite, name) for name in (a, b))
    proposal = propose(*sides, chance=Random(1))
    design = Design(SETS[criteria], Judges((ANA.id,)))
    study = create_study(ws, suite, proposal, design, BEN).id
    (found,) = studies(ws, suite)
    for at, task in enumerate(tasks(found, ANA)):
        opened, winner = open_task(ws, found, ANA, task), SAID[at % len(SAID)]
        ends = [(each.name, each.low, each.high) for each in found.fields.criteria]
        scores = {name: _scores(winner, low, high) for name, low, high in ends}
        answer = Answer(winner, scores, f"Reason {at}", knows)
        give_verdict(ws, found, opened, answer, ANA, new_id())
    (found,) = studies(ws, suite)
    assert found.id == study
    return Judged(ws, found)


def _scores(winner: Winner, low: int, high: int) -> tuple[int, int]:
    return {"left": (high, low), "right": (low, high)}.get(winner, (low, low))


def problems(root: Path) -> set[tuple[str, str, str]]:
    """Return what `evalcore check` finds in a folder."""
    found = check(open_workspace(root, cache=False))
    return {(each.severity, each.code, each.path) for each in found}


def rows(ws: Workspace, suite: str, ended: Ended) -> list[dict[str, Any]]:
    """Return what the tables say, read anew, of the documents that were written."""
    table = open_workspace(ws.root, cache=False).tables.comparisons
    mine = table[(table["suite"] == suite) & table["source"].isin(ended.paths)]
    return [dict(row) for _, row in mine.iterrows()]


def told(study: Study) -> dict[str, Unblinded]:
    """Return the verdicts of a closed study by their record."""
    return {each.id: each for each in revealed(study).verdicts}


def spoken(said: Unblinded) -> str:
    """Return the reason of a verdict, with what the form has no word for."""
    return f"Both are bad. {said.rationale}" if said.won == "both bad" else said.rationale


@pytest.fixture(autouse=True)
def _own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVALCORE_STATE_DIR", str(tmp_path / "state"))


def test_of_improve_each_decided_verdict_is_a_comparison_with_its_analysis(
    tmp_path: Path,
) -> None:
    """The block of evalcore names the versions, so that A and B are told, also where nobody won."""
    root = tmp_path / "ws"
    ws, study = judged(root, NOTES, "v2", "v3", "skill")
    before = problems(root)
    ended = end(ws, study, BEN)
    assert problems(root) == before
    verdicts = told(ended.study)
    decided = {name for name, each in verdicts.items() if each.won in ("a", "b")}
    assert len(ended.paths) == len(verdicts) + len(decided)
    assert 0 < len(decided) < len(verdicts)
    assert ended.left_out == ()
    found = rows(ws, NOTES, ended)
    assert len(found) == len(verdicts)
    for row in found:
        said = verdicts[row["source"].partition("comparison-")[2].removesuffix(".json")]
        sides = (row["version_a"], row["version_b"])
        assert sides == (("v2", "v3") if said.a == "left" else ("v3", "v2"))
        won = {"A": sides[0], "B": sides[1]}.get(row["winner"], row["winner"])
        assert won == {"a": "v2", "b": "v3"}.get(said.won, "tie")
        assert (row["judge_type"], row["blinded"]) == ("human", True)
        assert (row["case_id"], row["versions_from"]) == (said.pair.case_id, "document")
        assert (row["summary"], row["judge"]) == (spoken(said), ANA.id)
        totals = {row["total_a"], row["total_b"]}
        assert totals == ({50, 5} if said.id in decided else {5})
        assert row["winner"] == ("A" if row["total_a"] == 50 else "B" if len(totals) > 1 else "tie")


def test_of_descriptions_each_verdict_is_a_comparison(tmp_path: Path) -> None:
    """With its scores from 1 to 5, whoever won."""
    root = tmp_path / "ws"
    ws, study = judged(root, DESCRIBED, "d1", "d2", "description")
    before = problems(root)
    ended = end(ws, study, BEN)
    assert problems(root) - before <= {each for each in problems(root) if each[0] == "info"}
    verdicts = told(ended.study)
    assert len(ended.paths) == len(verdicts)
    for row in rows(ws, DESCRIBED, ended):
        said = verdicts[Path(row["source"]).stem]
        a, b = study.fields.side_a, study.fields.side_b
        assert (row["version_a"], row["version_b"]) == ((a, b) if said.a == "left" else (b, a))
        assert (row["judge"], row["judge_type"], row["blinded"]) == (ANA.id, "human", True)
        assert (row["case_id"], row["summary"]) == (said.pair.case_id, spoken(said))
        assert {row["total_a"], row["total_b"]} == ({15, 3} if said.won in ("a", "b") else {3})
        won = {"A": row["version_a"], "B": row["version_b"]}.get(row["winner"])
        assert won == {"a": a, "b": b}.get(said.won)


def test_of_descriptions_nothing_is_written_without_scores(tmp_path: Path) -> None:
    """The form has no place for a verdict without them; that is said."""
    root = tmp_path / "ws"
    ws, study = judged(root, DESCRIBED, "d1", "d2")
    ended = end(ws, study, BEN)
    assert ended.paths == ()
    assert ended.left_out == ("No comparison.json: it needs scores from 1 to 5.",)


def test_of_records_the_study_is_a_prompt_comparison(tmp_path: Path) -> None:
    """About a benchmark that was run with both versions; it says what the difference is worth."""
    root = tmp_path / "ws"
    a, b = "support-reply@1.0.0", "support-reply@1.1.0"
    ws, study = judged(root, SUPPORT, a, b)
    before = problems(root)
    ended = end(ws, study, BEN)
    assert problems(root) == before
    (path,) = ended.paths
    record = json.loads((root / path).read_text("utf-8"))
    fields = record["fields"]
    assert record["type"] == "prompt-comparison"
    assert (fields["promptVersionA"], fields["promptVersionB"]) == (a, b)
    assert fields["scoreA"] + fields["scoreB"] == pytest.approx(1)
    assert fields["sampleSize"] == len({each.case_id for each in study.fields.pairs})
    assert fields["notes"].startswith(f"Blind study {study.id} by people: ")
    (row,) = rows(ws, SUPPORT, ended)
    assert (row["version_a"], row["version_b"], row["total_b"]) == (a, b, fields["scoreB"])


def test_ending_again_writes_what_is_missing_and_changes_nothing(tmp_path: Path) -> None:
    """An analysis that somebody filled in meanwhile stays theirs."""
    root = tmp_path / "ws"
    ws, study = judged(root, NOTES, "v2", "v3", "skill")
    first = end(ws, study, BEN)
    gone, filled, *_ = sorted(path for path in first.paths if "analysis-" in path)
    (root / gone).unlink()
    (root / filled).write_text('{"mine": 1}', "utf-8")
    again = end(ws, first.study, BEN)
    assert again.paths == (gone,)
    assert (root / filled).read_text("utf-8") == '{"mine": 1}'
    assert not again.receipt.new


def test_configurations_have_no_documents(tmp_path: Path) -> None:
    """Their family has none, so there is nothing to say of them."""
    sides = ("iteration-2@with_skill", "iteration-3@with_skill")
    ws, study = judged(tmp_path / "ws", INVOICES, *sides)
    ended = end(ws, study, BEN)
    assert (ended.paths, ended.left_out) == ((), ())


def test_who_knew_is_in_no_document(tmp_path: Path) -> None:
    """Nor is a study of which no verdict is left then."""
    ws, study = judged(tmp_path / "ws", NOTES, "v0", "v2", knows=True)
    ended = end(ws, study, BEN)
    assert ended.paths == ()
    assert ended.left_out == ("No documents of the family: no verdict counts.",)


def test_without_the_key_nothing_is_written(tmp_path: Path) -> None:
    """As nobody knows which side was which."""
    ws, study = judged(tmp_path / "ws", NOTES, "v0", "v2")
    keep_secret(study.id, bytes(32))
    ended = end(ws, study, BEN, without_key=True)
    assert (ended.paths, ended.left_out) == ((), ())


def test_a_side_without_a_number_has_no_comparison_of_descriptions(tmp_path: Path) -> None:
    """Runs that belong to no version are a side too."""
    root = tmp_path / "ws"
    ws, study = judged(root, DESCRIBED, "d1", "unassigned", "description")
    close(ws, study, BEN)
    (closed,) = studies(ws, DESCRIBED)
    found = documents(ws, closed)
    assert found == ((), ("No comparison.json: it names versions by their numbers.",))


@pytest.mark.parametrize("name", ["../../../x", "a/b", "\ud800", ""])
def test_an_id_that_somebody_made_up_names_no_path(name: str) -> None:
    """Its documents have the digest of it as their name."""
    verdict = Said(name, "c", "v1", "v2", "left", {}, "Better.", "ana", "2026-11-01T00:00:00Z")
    assert re.fullmatch(r"[0-9a-f]{32}", name_of(verdict))
    whole = verdict._replace(id="01a20cbe-cb9a-7265-a956-2fad9e96e995")
    assert name_of(whole) == whole.id
