"""The evidence of a run holds all that is known about it, with what is missing said as missing."""

import json
from pathlib import Path

import pytest

from evalcore.errors import UnknownName
from evalcore.tables.rows import ClaimRow, FeedbackRow, NoteRow, ProblemRow, Row
from evalcore.views.run.evidence import Evidence, evidence, facts
from evalcore.views.run.grading import grade_blocks
from evalcore.views.run.remarks import stored_blocks
from tests import made
from tests.views.panel_json import panel_json


def shown(root: Path, *rows: Row) -> Evidence:
    """Return the evidence of run `r1` among these rows."""
    return evidence(made.workspace(root, *rows), "r1")


def differing(root: Path, *rows: Row) -> dict[str, str]:
    """Return the stored values of run `r1` that differ from the computed ones, by their place."""
    ws = made.workspace(root, *rows)
    found = evidence(ws, "r1")
    blocks = panel_json(stored_blocks(ws, found.run, found.items))
    return {name: words for block in blocks[1:] for name, words, _ in block["facts"]}


def test_an_unknown_run_is_an_error_with_the_nearest_name(tmp_path: Path) -> None:
    """Asking for a run that is not there is the caller's fault, and is told."""
    with pytest.raises(UnknownName, match=r"no run 'r9'"):
        evidence(made.workspace(tmp_path, made.run(run_id="r1")), "r9")


def test_the_case_says_what_was_asked(tmp_path: Path) -> None:
    """Name, prompt, expectation, tags and files come from the definition."""
    case = made.case(name="Forms", expected="A form", tags='["pdf", 3, "ü"]', files='["a.pdf"]')
    found = shown(tmp_path, case, made.run()).case
    assert (found.name, found.prompt, found.expected) == ("Forms", "Make a form.", "A form")
    assert (found.tags, found.files) == (("pdf", "ü"), ("a.pdf",))


def test_a_case_that_only_gradings_know_is_still_shown(tmp_path: Path) -> None:
    """Without a definition the id is the name, and there is no prompt to invent."""
    found = shown(tmp_path, made.run()).case
    assert (found.name, found.prompt, found.source) == ("case-1", None, None)


def test_a_case_of_another_suite_is_another_case(tmp_path: Path) -> None:
    """Equal ids in two suites do not mix."""
    assert shown(tmp_path, made.case(suite="other"), made.run()).case.prompt is None


def test_what_was_not_measured_says_so(tmp_path: Path) -> None:
    """No fact is 0 or empty because it is missing."""
    words = dict(facts(shown(tmp_path, made.run()).run))
    assert words["tokens"] == words["duration"] == words["cost"] == "not measured"
    assert words["judge"] == words["model"] == words["started"] == "not recorded"


def test_measured_facts_are_said_in_units(tmp_path: Path) -> None:
    """What was measured is shown with its unit."""
    run = made.run(duration_s=80.0, tokens=3800.0, cost_usd=0.042, judge="sonnet")
    words = dict(facts(shown(tmp_path, run).run))
    assert (words["duration"], words["tokens"]) == ("1 min 20 s", "3,800")
    assert (words["cost"], words["judge"]) == ("$0.042", "sonnet")


def test_repeats_have_their_place_in_natural_order(tmp_path: Path) -> None:
    """Run 10 comes after run 2, and the chosen one is known."""
    found = shown(
        tmp_path,
        made.run(run_id="r10", run="10"),
        made.run(run_id="r1", run="2"),
        made.run(run_id="r0", run="1"),
        made.run(run_id="other", case_id="case-2"),
        made.run(run_id="v1", version="v1"),
    )
    assert [row.run_id for row in found.siblings] == ["r0", "r1", "r10"]
    assert found.position == "2 of 3"


def test_the_case_elsewhere_follows_the_order_of_versions(tmp_path: Path) -> None:
    """Other versions and configurations of the case are listed, in the versions' order."""
    found = shown(
        tmp_path,
        made.version("final", 2),
        made.version("v0", 0),
        made.version("draft", 1),
        made.run(),
        made.run(run_id="a", version="final"),
        made.run(run_id="b", version="draft"),
        made.run(run_id="c", version="draft", run="2"),
        made.run(run_id="d", configuration="without_skill"),
    )
    sides = [(rows[0].version, rows[0].configuration, len(rows)) for rows in found.elsewhere]
    assert sides == [("v0", "without_skill", 1), ("draft", "-", 2), ("final", "-", 1)]


def test_structural_checks_and_conventions_stand_apart(tmp_path: Path) -> None:
    """Only criteria that a judge scored are among the items; the gate is known."""
    found = shown(
        tmp_path,
        made.run(gate_passed=False),
        made.judgment("a"),
        made.judgment("S1", False, kind="structural"),
        made.judgment("type", kind="convention"),
    )
    assert [item.criterion for item in found.items] == ["a"]
    assert [item.criterion for item in found.structural] == ["S1"]
    assert [item.criterion for item in found.conventions] == ["type"]
    assert found.run.gate_passed is False


def test_rationale_and_evidence_belong_to_their_judgment(tmp_path: Path) -> None:
    """Long texts are fetched for this run's judgments only, each at its own."""
    found = shown(
        tmp_path,
        made.run(),
        made.judgment("x", run_id="r0", rationale="not mine"),
        made.judgment("a", rationale="why a"),
        made.judgment("b", evidence="proof of b"),
    )
    texts = {item.criterion: (item.rationale, item.evidence) for item in found.items}
    assert texts == {"a": ("why a", None), "b": (None, "proof of b")}


def test_quotes_are_looked_up_in_the_outputs(tmp_path: Path) -> None:
    """A quoted passage leads to its file and line; one that is not there is said to be missing."""
    (tmp_path / "out").mkdir()
    (tmp_path / "out/form.md").write_text("# Form\n\nName: ____\nDate of birth: ____\n")
    proof = 'It asks "Date of birth" but never "Place of birth".'
    found = shown(tmp_path, made.run(outputs="out"), made.judgment("a", False, evidence=proof))
    assert [(quote.quote, quote.path, quote.line) for quote in found.items[0].quotes] == [
        ("Date of birth", "out/form.md", 4),
        ("Place of birth", None, None),
    ]
    assert found.excerpt is not None
    assert (found.excerpt.path, found.excerpt.line) == ("out/form.md", 1)
    assert [found.excerpt.text[a:b] for a, b in found.excerpt.marks] == ["Date of birth"]


def test_the_excerpt_begins_three_lines_before_what_the_failed_criterion_quotes(
    tmp_path: Path,
) -> None:
    """Also at the end of a file, and though a passed criterion quotes an earlier line."""
    (tmp_path / "out").mkdir()
    (tmp_path / "out/a.md").write_text("".join(f"this is line {n}\n" for n in range(1, 31)))
    found = shown(
        tmp_path,
        made.run(outputs="out"),
        made.judgment("a", evidence='It has "this is line 4".'),
        made.judgment("b", False, evidence='It ends with "this is line 29".'),
    )
    assert found.excerpt is not None
    assert (found.excerpt.line, found.excerpt.text[:15]) == (26, "this is line 26")
    assert [found.excerpt.text[a:b] for a, b in found.excerpt.marks] == ["this is line 29"]


def test_the_excerpt_of_a_very_long_line_begins_shortly_before_the_passage(tmp_path: Path) -> None:
    """A file of one line is not shown from its beginning; the cut has a sign."""
    (tmp_path / "out").mkdir()
    (tmp_path / "out/a.txt").write_text("x" * 50_000 + " the passage " + "y" * 50_000)
    proof = made.judgment("a", False, evidence='It says "the passage".')
    found = shown(tmp_path, made.run(outputs="out"), proof).excerpt
    assert found is not None
    assert found.text.startswith("…x")
    assert [found.text[a:b] for a, b in found.marks] == ["the passage"]
    assert (found.line, found.marks[0][0]) == (1, 601)


def test_without_output_files_no_quote_is_called_missing(tmp_path: Path) -> None:
    """Where there is nothing to look in, a passage is neither found nor missing."""
    proof = made.judgment("a", False, evidence='It says "Date of birth".')
    assert shown(tmp_path, made.run(outputs="gone"), proof).items[0].quotes == ()


def test_a_criterion_that_only_other_runs_name_is_not_missed(tmp_path: Path) -> None:
    """Only what the case's definition asks of this version is reported as not judged."""
    found = shown(
        tmp_path,
        made.version("v0", 0),
        made.version("v1", 1),
        made.run(),
        made.run(run_id="r2", source="grading/r2.json", version="v1"),
        made.criterion("of r2", source="grading/r2.json"),
        made.criterion("of v1", source="work/v1/eval_metadata.json"),
        made.criterion("of v0", source="work/v0/eval_metadata.json"),
        made.criterion("of all", source="evals.json"),
    )
    assert {item.criterion for item in found.items} == {"of v0", "of all"}


def test_claims_notes_and_feedback_are_those_of_the_run(tmp_path: Path) -> None:
    """What is said about this run and about its case is told apart; other cases' is left out."""

    def said(text: str, **given: object) -> FeedbackRow:
        about = {"suite": made.SUITE, "case_id": "case-1", "text": text}
        return made.row(FeedbackRow, **{**about, **given})

    ws = made.workspace(
        tmp_path,
        made.suite(),
        made.run(),
        ClaimRow(run_id="r1", claim="All done", type="quality", verified=False, evidence="No."),
        ClaimRow(run_id="r2", claim="Another"),
        made.row(NoteRow, run_id="r1", kind="user_notes", text="unsure"),
        said("of the run", run_id="r1"),
        said("of the case"),
        said("of another version", version="v7"),
        said("of another case", case_id="case-2"),
    )
    blocks = panel_json(grade_blocks(ws, evidence(ws, "r1")))
    titles = [block["title"] for block in blocks if block["t"] == "note"]
    assert titles == ["of the run", "of the case", "All done", "unsure"]


def test_problems_are_those_of_the_run_and_its_case(tmp_path: Path) -> None:
    """Faults of the run's files and of the case's definition are shown; a neighbour's are not."""

    def fault(path: str, pointer: str) -> ProblemRow:
        return ProblemRow(
            path=path,
            pointer=pointer,
            severity="warning",
            code="code",
            message=f"{path}{pointer}",
            hint="",
            suite=None,
        )

    found = shown(
        tmp_path,
        made.case(source="evals.json", pointer="/cases/1"),
        made.run(),
        made.judgment("S1", kind="structural", source="structural.json"),
        fault("grading/r1.json", "/results/0"),
        fault("structural.json", ""),
        fault("evals.json", "/cases/1/prompt"),
        fault("evals.json", "/cases/10"),
        fault("grading/r2.json", ""),
    )
    assert {problem.message for problem in found.problems} == {
        "grading/r1.json/results/0",
        "structural.json",
        "evals.json/cases/1/prompt",
    }


def test_stored_sums_stand_beside_the_computed_ones(tmp_path: Path) -> None:
    """Where a file disagrees with its own parts, both are shown; nothing is corrected silently."""
    (tmp_path / "grading").mkdir()
    document = {"overall_score": 4.6, "required_score": 3.0, "overall": "pass"}
    (tmp_path / "grading/r1.json").write_text(json.dumps(document))
    run = made.run(score=4.0, required_score=3.04, passed=True)
    assert differing(tmp_path, made.suite("improve"), run) == {
        "overall_score": "stored 4.6, ours 4"
    }
    run = made.run(score=4.6, required_score=3.06, passed=False)
    assert differing(tmp_path, made.suite("improve"), run) == {
        "required_score": "stored 3, ours 3.06",
        "overall": "stored passed, ours failed",
    }


def test_stored_counts_are_checked_against_the_listed_items(tmp_path: Path) -> None:
    """A summary is compared with the items of the same file, structural checks left out."""
    (tmp_path / "grading").mkdir()
    rows: tuple[Row, ...] = (
        made.suite("iterations"),
        made.run(),
        made.judgment("a"),
        made.judgment("b", False),
        made.judgment("S1", kind="structural"),
    )
    document = {"summary": {"passed": 2, "total": 2, "pass_rate": 0.5}}
    (tmp_path / "grading/r1.json").write_text(json.dumps(document))
    assert differing(tmp_path, *rows) == {"summary/passed": "stored 2, ours 1"}
    document = {"summary": {"passed": 1, "total": 3, "pass_rate": 0.33}}
    (tmp_path / "grading/r1.json").write_text(json.dumps(document))
    assert differing(tmp_path, *rows) == {
        "summary/total": "stored 3, ours 2",
        "summary/pass_rate": "stored 0.33, ours 0.5",
    }


def test_a_file_that_is_gone_hides_nothing_else(tmp_path: Path) -> None:
    """The tables still tell what was read; only the stored values and outputs are missing."""
    rows = made.suite(), made.run(outputs="gone"), made.judgment("a")
    found = shown(tmp_path, *rows)
    assert (found.files, found.excerpt, differing(tmp_path, *rows)) == ((), None, {})
    assert len(found.items) == 1
