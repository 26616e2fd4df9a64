"""What tools call the parts of a grading differently, read as what it means and remarked on."""

from itertools import product
from pathlib import Path
from typing import Any

import pytest

from evalcore import names
from evalcore.families.iterations.documents import HINTS
from evalcore.lint import check
from evalcore.tables.rows import JudgmentRow, NoteRow, RunRow
from evalcore.workspace.opened import open_workspace
from tests.families.build import Read, changed, write
from tests.families.iterations_documents import EVAL, grading, item, suite

GRADING = f"{EVAL}/with_skill/run-1/grading.json"


def remarks(read: Read) -> list[tuple[str, str]]:
    """Return code and pointer of what was read by tolerance."""
    return [(p.code, p.pointer) for p in read.problems if p.severity == "info"]


def test_the_usual_form_has_no_remark(tmp_path: Path) -> None:
    """Nothing is said about a grading as skill-creator writes it."""
    assert suite(tmp_path, {GRADING: grading()}).problems == []


def test_a_verdict_is_a_whole_grading(tmp_path: Path) -> None:
    """The folder that README calls enough has no remark; totals and evidence are worth having."""
    items = [{"text": "Names the month", "passed": True}]
    write(tmp_path, {f"pdf-workspace/{GRADING}": {"expectations": items}})
    assert check(open_workspace(tmp_path, cache=False)) == []


def test_one_and_zero_are_verdicts(tmp_path: Path) -> None:
    """One remark of the file says so."""
    items = [item("a", 1), item("b", 0), item("c", True)]
    read = suite(tmp_path, {GRADING: changed(grading(), expectations=items, summary=...)})
    assert [row.passed for row in read.all(JudgmentRow)] == [True, False, True]
    assert remarks(read) == [("verdict-word", "/expectations/0")]


@pytest.mark.parametrize(
    "key",
    ["assertions", "results", "evaluations", "assertion_details"],
)
def test_another_name_of_the_list_is_remarked_on(tmp_path: Path, key: str) -> None:
    """The items are read, and the remark says how gradings are written."""
    document = changed(grading(), expectations=..., **{key: grading()["expectations"]})
    read = suite(tmp_path, {GRADING: document})
    assert [row.passed for row in read.all(JudgmentRow)] == [True, False]
    assert remarks(read) == [("list-name", f"/{key}")]
    assert read.problem("list-name").hint == HINTS["grading"]


def test_the_open_standard_has_a_name_of_its_own_for_the_list(tmp_path: Path) -> None:
    """`assertion_results` is a form of agentskills.io, and no deviation."""
    document = changed(grading(), expectations=..., assertion_results=grading()["expectations"])
    read = suite(tmp_path, {GRADING: document})
    assert [row.passed for row in read.all(JudgmentRow)] == [True, False]
    assert read.problems == []


def test_a_list_may_be_the_whole_document(tmp_path: Path) -> None:
    """A bare list of items is a grading."""
    read = suite(tmp_path, {GRADING: grading()["expectations"]})
    assert [row.pointer for row in read.all(JudgmentRow)] == ["/0", "/1"]
    assert remarks(read) == [("list-name", "")]


def test_items_may_stand_under_their_ids(tmp_path: Path) -> None:
    """An object of items is read like a list of them."""
    items = {
        "A1": {"name": "n", "description": "Is blue", "passed": True, "actual": "#00f"},
        "a/b": {"description": "Is round", "passed": False},
    }
    read = suite(tmp_path, {GRADING: {"assertions": items}})
    assert [(row.criterion, row.pointer, row.evidence) for row in read.all(JudgmentRow)] == [
        ("Is blue", "/assertions/A1", "#00f"),
        ("Is round", "/assertions/a~1b", None),
    ]


def test_wordings_may_lead_to_bare_verdicts(tmp_path: Path) -> None:
    """An object of wordings and verdicts is a list of items."""
    read = suite(tmp_path, {GRADING: {"expectations": {"Is blue": True, "Is round": "FAIL"}}})
    assert [(row.criterion, row.passed) for row in read.all(JudgmentRow)] == [
        ("Is blue", True),
        ("Is round", False),
    ]


@pytest.mark.parametrize(
    ("word", "passed"),
    [
        ("PASS", True),
        ("Passed", True),
        ("yes", True),
        ("met", True),
        ("FAIL", False),
        ("failed", False),
        ("No", False),
        ("not_met", False),
        ("✅", True),
    ],
)
def test_a_verdict_may_be_a_word(tmp_path: Path, word: str, passed: bool) -> None:
    """In any case and under another field."""
    document = {"expectations": [item("Is blue", word), item("Is round", ..., result=word)]}
    read = suite(tmp_path, {GRADING: document})
    assert [row.passed for row in read.all(JudgmentRow)] == [passed, passed]
    assert remarks(read) == [("verdict-word", "/expectations/0"), ("item-field", "/expectations/1")]


@pytest.mark.parametrize("word", ["n/a", "skipped", "not assessed", "Unknown", ""])
def test_a_word_may_say_that_nothing_was_judged(tmp_path: Path, word: str) -> None:
    """Such an item is unscored, without a complaint."""
    read = suite(tmp_path, {GRADING: {"expectations": [item("Is blue", word), item("Is round")]}})
    assert [row.status for row in read.all(JudgmentRow)] == ["unscored", "scored"]
    assert (read.one(RunRow).checks_total, read.codes()) == (1, [])


@pytest.mark.parametrize("key", ["rationale", "explanation", "justification", "actual"])
def test_evidence_has_more_names(tmp_path: Path, key: str) -> None:
    """What was seen is kept, also as a list of reasons."""
    document = {"expectations": [item("a", evidence=..., **{key: ["too long", "no title"]})]}
    assert suite(tmp_path, {GRADING: document}).one(JudgmentRow).evidence == "too long; no title"


@pytest.mark.parametrize(
    "fields",
    [
        {"pass": False},
        {"verdict": "fail"},
        {"result": "FAIL"},
        {"overall_pass": False},
        {"overall_verdict": "FAIL", "passed": 0},
    ],
)
def test_a_run_may_have_one_verdict_only(tmp_path: Path, fields: dict[str, Any]) -> None:
    """Where no list is, the verdict on the whole is one item."""
    read = suite(tmp_path, {GRADING: {"eval_id": 1, **fields, "notes": "no file"}})
    row = read.one(JudgmentRow)
    assert (row.criterion, row.passed, row.pointer, row.evidence) == (
        "overall verdict",
        False,
        "",
        "no file",
    )
    assert (read.one(RunRow).score, read.problem("no-list").severity) == (0.0, "info")


@pytest.mark.parametrize(
    "fields",
    [
        {"pass_rate": 0.5},
        {"pass_rate": "50%"},
        {"pass_rate": 50},
        {"pass_rate": "1/2"},
        {"passed_count": 1, "total": 2},
        {"pass_count": 1, "total_count": 2},
        {"pass_count": 1, "fail_count": 1},
        {"passed": 1, "total": 2},
        {"verdict": "PASS"},
        {"score": 0.5},
        {"overall": {"total_assertions": 2, "passed_assertions": 1}},
    ],
)
def test_a_summary_under_other_names_is_read(tmp_path: Path, fields: dict[str, Any]) -> None:
    """One that its items support is only remarked on."""
    read = suite(tmp_path, {GRADING: changed(grading(), summary=..., **fields)})
    assert [code for code, _ in remarks(read)] == ["summary-name"]
    assert read.codes() == []


@pytest.mark.parametrize(
    ("fields", "pointer"),
    [
        ({"pass_rate": 1.0}, "/pass_rate"),
        ({"pass_rate": "100%"}, "/pass_rate"),
        ({"pass_rate": 100}, "/pass_rate"),
        ({"passed_count": 2}, "/passed_count"),
        ({"total_count": 3}, "/total_count"),
        ({"fail_count": 0}, "/fail_count"),
        ({"score": 1.0}, "/score"),
        ({"overall": {"passed_assertions": 2}}, "/overall/passed_assertions"),
    ],
)
def test_a_summary_under_another_name_may_lie(
    tmp_path: Path, fields: dict[str, Any], pointer: str
) -> None:
    """What the items contradict is a warning at its place; the items count."""
    read = suite(tmp_path, {GRADING: changed(grading(), summary=..., **fields)})
    assert read.problem("derived-mismatch").pointer == pointer
    assert read.one(RunRow).fraction == 0.5


@pytest.mark.parametrize("place", ["", "/summary", "/overall"])
def test_every_name_of_a_sum_is_held_against_the_list(tmp_path: Path, place: str) -> None:
    """Whatever spelling a file uses: a list of names of one idea is one list."""
    wrong: dict[str, float] = dict.fromkeys((*names.PASSED, *names.FAILED, *names.TOTAL), 7)
    wrong |= dict.fromkeys(names.RATE, 0.78)
    held = wrong if not place else {place[1:]: wrong}
    read = suite(tmp_path, {GRADING: grading(**{"summary": ..., **held})})
    found = {each.pointer for each in read.problems if each.code == "derived-mismatch"}
    assert found == {f"{place}/{name}" for name in wrong}
    assert read.one(RunRow).fraction == 0.5


def test_every_name_of_a_sum_is_read_in_a_benchmark(
    tmp_path: Path, subtests: pytest.Subtests
) -> None:
    """The same list serves gradings and benchmarks."""
    for number, (passed, total) in enumerate(product(names.PASSED, names.TOTAL)):
        with subtests.test(f"{passed} of {total}"):
            runs = [{"eval_id": 1, "configuration": "with_skill", passed: 3, total: 4}]
            listed = {"iteration-1/benchmark.json": {"runs": runs}}
            run = suite(tmp_path / str(number), listed).one(RunRow)
            assert (run.checks_passed, run.checks_total, run.fraction) == (3, 4, 0.75)


@pytest.mark.parametrize(
    ("name", "value", "share"),
    [*((name, 0.75, 0.75) for name in names.RATE[:3]), *((name, 75, 0.75) for name in names.RATE),
     *((name, 0.5, 0.005) for name in names.RATE[3:])],
)  # fmt: skip
def test_every_name_of_a_rate_is_read_in_a_benchmark(
    tmp_path: Path, name: str, value: float, share: float
) -> None:
    """Where the name says percent, half a percent is not a half."""
    runs = [{"eval_id": 1, "configuration": "with_skill", name: value}]
    run = suite(tmp_path, {"iteration-1/benchmark.json": {"runs": runs}}).one(RunRow)
    assert run.fraction == pytest.approx(share)


@pytest.mark.parametrize(("verdict", "passed"), [("FAIL", True), ("PASS", False)])
def test_a_verdict_that_no_item_supports_is_said(
    tmp_path: Path, verdict: str, passed: bool
) -> None:
    """All passed and yet a fail, or none passed and yet a pass."""
    document = grading(passed, passed, summary=..., verdict=verdict)
    assert suite(tmp_path, {GRADING: document}).problem("derived-mismatch").pointer == "/verdict"


def test_one_remark_a_file_and_code(tmp_path: Path) -> None:
    """Thirty odd items are one remark."""
    items = [item(f"Thing {n}", text=..., expectation=f"Thing {n}") for n in range(30)]
    read = suite(tmp_path, {GRADING: {"expectations": items}})
    assert remarks(read) == [("item-field", "/expectations/0")]


def test_notes_of_any_form_are_kept(tmp_path: Path) -> None:
    """Objects in notes are shown as JSON, not left out."""
    notes = {"commit": "feat: x", "workarounds": ["a"], "parameters": {"phase": 1}}
    read = suite(tmp_path, {GRADING: grading(notes=notes)})
    found = [(row.kind, row.target, row.text, row.pointer) for row in read.all(NoteRow)]
    assert found == [
        ("user_notes", "commit", "feat: x", "/notes/commit"),
        ("workaround", None, "a", "/notes/workarounds/0"),
        ("user_notes", "parameters", '{"phase": 1}', "/notes/parameters"),
    ]
    assert read.problems == []


@pytest.mark.parametrize(
    "value",
    [
        {"expectations": {"a": [[]]}},
        {"runs": [[[[]]]]},
        [[[]]],
        [1, None],
        {"results": {}},
        {"with_skill": 3},
        {"evals": {"evals": {"evals": {"evals": {"evals": [1]}}}}},
        {"expectations": [{"text": {}, "passed": {}, "evidence": [1]}]},
    ],
)
def test_odd_values_break_nothing(tmp_path: Path, value: Any) -> None:
    """Whatever stands in a grading, other runs are read."""
    other = f"{EVAL}/without_skill/run-1/grading.json"
    read = suite(tmp_path, {GRADING: value, other: grading()})
    assert read.one(RunRow, configuration="without_skill").score == 1.0


def test_of_two_lists_one_counts(tmp_path: Path) -> None:
    """The items of the other are named, not counted twice; an empty list is no list."""
    items = grading()["expectations"]
    read = suite(tmp_path, {GRADING: grading(assertions=items)})
    assert len(read.all(JudgmentRow)) == 2
    assert read.problem("second-list").pointer == "/assertions"


def test_an_empty_list_hides_no_other(tmp_path: Path) -> None:
    """Items under another name are read where expectations is empty."""
    items = grading()["expectations"]
    read = suite(tmp_path, {GRADING: {"expectations": [], "assertions": items}})
    assert (len(read.all(JudgmentRow)), read.codes()) == (2, [])
