"""Traps: folders in which one side looks better than it is, each with what must be said."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import evalcore.cli.main  # noqa: F401 - registers the commands
from evalcore.cli.app import app
from tests.comparing import traps
from tests.comparing.traps import BAD, CASES, CRITERIA, GOOD, HALF, Run, every, names, write

Answer = dict[str, Any]
BETTER, ON_THESE, NOTHING = "better", "better on these", "can't tell"


@pytest.fixture
def compared(capsys: pytest.CaptureFixture[str]) -> Callable[..., Answer]:
    """Return a function that gives what `evalcore compare --json` answers."""

    def answer(root: Path, *more: str) -> Answer:
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            app(["compare", str(root), "--json", *more])
        out, err = capsys.readouterr()
        return json.loads(out) if out else {"sentence": err, "verdict": None, "code": ended.value}

    return answer


def said(found: Answer) -> str:
    """Return what a reader is told without asking how: the sentence, and what stands beside it."""
    beside = [*found.get("cautions", ()), *(each["sentence"] for each in found.get("breaks", ()))]
    return " ".join([found["sentence"], *map(str, beside)])


def tells(found: Answer) -> bool:
    """Say whether one side is called better or worse, however far that carries."""
    return found["verdict"] is not None and found["verdict"]["word"] in ("better", "worse")


def words(**at: str) -> dict[str, list[Run]]:
    """Return one good run of each case, judged by criteria of these words."""
    return every({**GOOD, "criteria": tuple(at.values())})


def test_a_difference_is_told(tmp_path: Path, compared: Callable[..., Answer]) -> None:
    """The control: without a trap, all better is better, for cases like these too."""
    found = compared(write(tmp_path, every(BAD, BAD, BAD), every(GOOD, GOOD, GOOD)))
    assert (tells(found), found["verdict"]["kind"]) == (True, None)


def _same_outputs(root: Path) -> None:
    write(root, *(every({**run, "outputs": "the same"}) for run in (HALF, GOOD)))


def _mostly_same_outputs(root: Path) -> None:
    a, b = every(HALF), every(GOOD)
    for case in names()[:-2]:
        a[case], b[case] = [{**HALF, "outputs": case}], [{**GOOD, "outputs": case}]
    write(root, a, b)


def _copies(root: Path) -> None:
    write(root, every(BAD, cases=4), every(GOOD, cases=4))
    for case in names(4):
        for number in (2, 3, 4):
            traps.copy(root, 2, case, 1, number)


def _copies_of_a_lucky_run(root: Path) -> None:
    write(root, every(GOOD, BAD, BAD), every(GOOD, BAD))
    for case in names():
        for number in (3, 4, 5):
            traps.copy(root, 2, case, 1, number)


def _lost_by_plan(root: Path) -> None:
    write(root, every(GOOD, BAD, BAD), every(GOOD))
    for iteration in (1, 2):
        traps.benchmark(root, iteration, runs_per_configuration=3)


def _lost_by_numbers(root: Path) -> None:
    write(root, every(*[GOOD, BAD, BAD] * 3), every(*({**GOOD, "number": n} for n in (2, 7, 9))))


def _lost_without_a_plan(root: Path) -> None:
    write(root, every(GOOD, BAD, BAD), every(GOOD))


def _ungraded(root: Path) -> None:
    write(root, every(GOOD, BAD, BAD), every(GOOD, {"passed": None}, {"passed": None}))


def _unscored(root: Path) -> None:
    write(root, every(HALF, HALF, HALF), every(*[{"passed": (True, None)}] * 3))


def _whole_cases_ungraded(root: Path) -> None:
    b = every(GOOD)
    for case in names()[:7]:
        b[case] = [{"passed": None}]
    a = every(GOOD)
    for case in names()[:7]:
        a[case] = [BAD]
    write(root, a, b)


def _hard_cases_dropped(root: Path) -> None:
    a = every(GOOD)
    for case in names()[:7]:
        a[case] = [BAD]
    write(root, a, {case: [GOOD] for case in names()[7:]})


def _easy_cases_added(root: Path) -> None:
    a = {case: [HALF] for case in names(7)}
    write(root, a, a | {case: [GOOD] for case in names()[7:]})


def _run_mix(root: Path) -> None:
    easy, hard = names()[:7], names()[7:]
    a = {c: [GOOD] * 5 for c in easy} | {c: [BAD] for c in hard}
    b = {c: [GOOD] for c in easy} | {c: [BAD] * 5 for c in hard}
    write(root, a, b)


def _gate(root: Path) -> None:
    """B passes its critical check in half of the cases only, and is scored higher there."""
    traps.rubric(root, lambda i, n: [("S1", i == 1 or n % 2 == 0, True)], (3, 5))


def _gate_by_hearsay(root: Path) -> None:
    """B's results call the failed critical check not critical."""
    traps.rubric(root, lambda i, _: [("S1", i == 1, i == 1)], (3, 5))


def _same_folder_twice(root: Path) -> None:
    write(root, every(HALF), {})
    shutil.copytree(root / "iteration-1", root / "iteration-2")


def _flaky(root: Path) -> None:
    write(root, every(GOOD, BAD), every(BAD, GOOD))


def _one_case(root: Path) -> None:
    write(root, every(*[BAD] * 5, cases=1), every(*[GOOD] * 5, cases=1))


def _few(root: Path) -> None:
    write(root, every(BAD, cases=2), every(GOOD, cases=2))


def _summary_lies(root: Path) -> None:
    total = {"summary": {"passed": 2, "failed": 0, "total": 2, "pass_rate": 1.0}}
    write(root, every(HALF), every({**HALF, "fields": total}))


def _benchmark_lies(root: Path) -> None:
    write(root, every(HALF), every(HALF))
    runs = [
        {"eval_id": int(case[-2:]), "configuration": "with_skill", "run_number": 1,
         "result": {"pass_rate": 1.0, "passed": 2, "total": 2}}
        for case in names()
    ]  # fmt: skip
    (root / "iteration-2/benchmark.json").write_text(json.dumps({"metadata": {}, "runs": runs}))


def _second_grading(root: Path) -> None:
    """Each run of B is graded a second time, beside its folder, better."""
    write(root, every(HALF), every(HALF))
    for case in names():
        better = [{"text": text, "passed": True, "evidence": "seen"} for text in CRITERIA]
        file = traps.place(root, 2, case, 1) / "grading_2.json"
        file.write_text(json.dumps({"expectations": better}))


NOT_TOLD: dict[str, tuple[Callable[[Path], object], str]] = {
    "same outputs, other grades": (_same_outputs, "same output"),
    "same outputs in most cases": (_mostly_same_outputs, "same output"),
    "copies of one run": (_copies, "cop"),
    "copies of a lucky run": (_copies_of_a_lucky_run, "cop"),
    "planned runs that are not there": (_lost_by_plan, "28"),
    "gaps in the numbers of runs": (_lost_by_numbers, ""),
    "outputs without a grading": (_ungraded, "28"),
    "items without a verdict": (_unscored, ""),
    "half of the cases without a grading": (_whole_cases_ungraded, "7"),
    "hard cases that are not there any more": (_hard_cases_dropped, "7"),
    "easy cases that are new": (_easy_cases_added, "7"),
    "more runs of hard cases": (_run_mix, ""),
    "a gate that stops half of one side": (_gate, "gate"),
    "the same folder twice": (_same_folder_twice, "same"),
    "chance alone": (_flaky, ""),
    "two cases, one run each": (_few, "1 of 2 evaluations"),
    "a summary that contradicts its items": (_summary_lies, ""),
    "a benchmark that contradicts its gradings": (_benchmark_lies, ""),
    "a second, better grading beside the first": (_second_grading, ""),
}


@pytest.mark.parametrize("trap", NOT_TOLD)
def test_nothing_is_called_better_by(
    tmp_path: Path, compared: Callable[..., Answer], trap: str
) -> None:
    """And what the trap is made of is said in the sentence or in a caution."""
    build, word = NOT_TOLD[trap]
    build(tmp_path)
    found = compared(tmp_path)
    assert not tells(found), found["sentence"]
    assert word in said(found).lower()


def test_a_critical_check_is_critical_whatever_a_result_calls_it(
    tmp_path: Path, compared: Callable[..., Answer]
) -> None:
    """B's scores are higher, behind a gate that its definition closes."""
    _gate_by_hearsay(tmp_path)
    found = compared(tmp_path)
    assert found["verdict"] is None or found["verdict"]["word"] != "better"
    assert "gate" in said(found)


def test_without_a_plan_unequal_numbers_of_runs_are_said(
    tmp_path: Path, compared: Callable[..., Answer]
) -> None:
    """Nobody knows whether runs were lost."""
    _lost_without_a_plan(tmp_path)
    assert "1 run of each against" in said(compared(tmp_path))


REWORDED = {
    "a number": ("Names at least 5 sources", "Names at least 1 source"),
    "a negation": ("The answer does mention a refund", "The answer does not mention a refund"),
    "a bound": ("The summary is under 200 words", "The summary is under 2000 words"),
    "a format's qualifier": ("Returns valid JSON", "Returns JSON"),
    "a format, negated": ("Returns valid JSON", "Returns not valid JSON"),
    "a quantifier": ("The answer cites every source", "The answer cites a source"),
    "all or some": ("All tests of the module pass", "Some tests of the module pass"),
    "only": ("Uses the present tense only", "Uses the present tense"),
    "the opposite": ("Refuses to give medical advice", "Gives medical advice"),
    "another unit": ("Ends within 5 seconds", "Ends within 5 minutes"),
    "exactly or at least": ("Lists exactly three risks", "Lists at least three risks"),
    "each or any": ("Each step names its owner", "Any step names its owner"),
}


@pytest.mark.parametrize("kind", REWORDED)
def test_a_criterion_made_easier_is_another_criterion(
    tmp_path: Path, compared: Callable[..., Answer], kind: str
) -> None:
    """Easier words are no better version: the criterion is in no rate, or the change is said."""
    first, second = REWORDED[kind]
    a = every({"passed": (True, False), "criteria": (CRITERIA[0], first)})
    b = every({"passed": (True, True), "criteria": (CRITERIA[0], second)})
    found = compared(write(tmp_path, a, b))
    assert not tells(found), found["sentence"]


SAME = {
    "a full stop": ("Names every fix", "Names every fix."),
    "case": ("Names every fix", "names every fix"),
    "spaces": ("Names every  fix", "Names every fix"),
}


@pytest.mark.parametrize("kind", SAME)
def test_a_criterion_written_otherwise_is_the_same(
    tmp_path: Path, compared: Callable[..., Answer], kind: str
) -> None:
    """The control: else two versions of a suite could never be compared."""
    first, second = SAME[kind]
    a = every({"passed": (True, False), "criteria": (CRITERIA[0], first)})
    b = every({"passed": (True, True), "criteria": (CRITERIA[0], second)})
    assert tells(compared(write(tmp_path, a, b)))


def test_one_case_says_nothing_of_others(tmp_path: Path, compared: Callable[..., Answer]) -> None:
    """However often it ran: the verdict is of this case."""
    _one_case(tmp_path)
    found = compared(tmp_path)
    assert not tells(found) or found["verdict"]["kind"] is not None


def test_other_prompts_are_named(tmp_path: Path, compared: Callable[..., Answer]) -> None:
    """What was asked differs: the versions were not asked the same."""
    a, b = every(BAD), every({**GOOD, "prompt": "Write one short, easy sentence."})
    found = compared(write(tmp_path, a, b))
    assert "prompt" in said(found)


@pytest.mark.parametrize("by", ["judge", "model"])
def test_another_judge_or_model_is_named(
    tmp_path: Path, compared: Callable[..., Answer], by: str
) -> None:
    """A difference may be theirs."""
    fields = {"judge": "judge_model", "model": "executor_model"}[by]
    a, b = (every({**run, "fields": {fields: f"{by}-{at}"}}) for at, run in enumerate((BAD, GOOD)))
    root = write(tmp_path, a, b)
    for iteration in (1, 2):
        traps.benchmark(root, iteration, **{fields: f"{by}-{iteration}"})
    found = compared(root)
    assert by in said(found)


def test_nothing_better_than_everything_passed(
    tmp_path: Path, compared: Callable[..., Answer]
) -> None:
    """Both sides pass all: more runs of these cases would show nothing."""
    found = compared(write(tmp_path, every(GOOD), every(GOOD)))
    assert not tells(found)
    assert f"{CASES}" in found["sentence"]
