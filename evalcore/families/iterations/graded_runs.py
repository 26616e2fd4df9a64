"""The graded runs of a suite to rows: the grading, structural checks and timing of each."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

from evalcore.disk.reader import MISSING, Json
from evalcore.families.base import Plan
from evalcore.families.iterations.benchmark import Benchmarks
from evalcore.families.iterations.cases import Cases
from evalcore.families.iterations.documents import JUDGE
from evalcore.families.iterations.figures import read_timing
from evalcore.families.iterations.items import listed_items, wording_of
from evalcore.families.iterations.judged_lists import (
    add_items,
    add_rubric,
    add_structural,
    check_summary,
)
from evalcore.families.iterations.runs import NO_CHECKS, RUBRIC_MAX, Facts, Run, SuiteContext
from evalcore.families.iterations.split_runs import STANDARD_HINT, Folder, Part, located_runs
from evalcore.families.iterations.words import as_text, verdict_of
from evalcore.layouts.iterations import NONE, RunLocation, below
from evalcore.names import EVIDENCE, VERDICT
from evalcore.shapes.columns import BLOCK
from evalcore.shapes.judge import JUDGE_TYPE, MODEL, Judge, judge_of

JUDGED: Final = frozenset({"grading", "structural"})
MODELS: Final = ("model", "executor_model")
OUTPUTS: Final = ("-output.md", "_output.md", "-output.txt")
SAYS_WHO: Final = frozenset({*JUDGE.names, JUDGE_TYPE.name})


def graded(folders: Iterable[Folder]) -> list[Folder]:
    """Return the run folders that have a grading or a structural check."""
    return [each for each in folders if not each.files.keys().isdisjoint(JUDGED)]


class GradedRuns:
    """Reads the graded runs of one suite; of one that is graded twice or copied only the first."""

    def __init__(
        self, plan: Plan, context: SuiteContext, cases: Cases, benchmarks: Benchmarks
    ) -> None:
        """Begin a suite; its benchmarks name the models that a version ran with."""
        self.plan = plan
        self.context = context
        self.cases = cases
        self.benchmarks = benchmarks
        self.unread: list[Folder] = []
        """Folders of which the only grading cannot be read."""
        self._gated = cases.config.flag("structural_gate") is not False
        self._known: dict[tuple[str, ...], Run] = {}
        """Runs by case, version, configuration and number, and by what their evals are called."""
        self._timings = {path.rpartition("/")[0]: path for path in plan.of("timing")}
        self._models: dict[str, tuple[str | None, Judge]] = {}
        """Version to who executed and who judged there."""

    def read(self, folders: Iterable[Folder]) -> list[Facts]:
        """Read the runs in some folders, in their order, however their documents are written."""
        context, facts = self.context, list[Facts | None]()
        sides: list[tuple[Folder, RunLocation, Part]] = []
        for count, folder in enumerate(folders):
            if count and count % BLOCK == 0:
                context.flush()
            at, path = folder.at, folder.files.get("grading")
            value = MISSING if path is None else context.reader.json(path)
            if value is MISSING and "structural" not in folder.files:
                self.unread.append(folder)
                continue
            straight = f"{at.eval_folder}/{at.configuration}" == at.configuration_folder
            if path is not None and path.endswith("/outputs/grading.json"):
                what = "The only grading of this run is in its outputs folder, where the run "
                what += "itself may have written it."
                hint = "Have the grader write it next to the folder outputs."
                context.warn(path, "", "grading-in-outputs", what, hint)
            elif path is not None and (folder.named or not (straight or at.configuration == NONE)):
                where = "its name and location" if folder.named else "its location"
                what = f"The run that this grading is about was inferred from {where}."
                context.tolerate(path, "", "layout", what, STANDARD_HINT)
            for place, part in located_runs(context, folder, value):
                if part.beside:
                    sides.append((folder, place, part))
                else:
                    facts.append(self._run(folder, place, part))
        # The other side of a run may have a folder of its own, which goes before.
        facts += [self._run(*side) for side in sides]
        context.flush()
        return [fact for fact in facts if fact is not None]

    def _run(self, folder: Folder, at: RunLocation, part: Part) -> Facts | None:
        """Read one run; None for the second grading or a copy of another."""
        value = part.value
        fields: dict[str, Any] = value if isinstance(value, dict) else {}
        if folder.whole and part.eval is not None and fields.get("eval_id") is None:
            # In a document of several evals, its eval is only known from around it.
            value = {**fields, "eval_id": part.eval}
        case = self.cases.at(at, value)
        if at.version not in self._models:
            judge = self.benchmarks.judge(at.version) or self.cases.config.text("judge_model")
            self._models[at.version] = self.benchmarks.model(at.version), Judge(judge)
        model, by = self._models[at.version]
        files = {} if part.beside else folder.files
        # Beside its grading, in its folder, or above it.
        places, there = (at.folder, at.configuration_folder), self.context.reader.listing.folders
        timings = (files.get("timing"), *map(self._timings.get, places))
        run = Run(
            self.context,
            at,
            case,
            by,
            model,
            grading=folder.files.get("grading"),
            structural=files.get("structural"),
            timing=next(filter(None, timings), None),
            outputs=next((path for each in places if (path := f"{each}/outputs") in there), None),
            number=fields.get("run_number"),
        )
        if "run_config" in files:
            self._take_config(run, files["run_config"])
        run = self._place(run, part)
        found = self._read(run, part)
        if run.case is not case:
            self.cases.join(at, run.case)
        return found

    def _take_config(self, run: Run, path: str) -> None:
        """Give a run the prompt, model, times and output that `eval-6-config.json` tells."""
        context, case = self.context, run.case
        value = context.reader.json(path)
        if value is MISSING:
            return
        doc = context.node(path, value)
        if not isinstance(value, dict):
            doc.type_problem("an object")
            return
        if case.prompt is None and isinstance(doc.get("prompt"), str):
            case.prompt = doc.text("prompt")
            if case.source is None:
                case.source, case.pointer = path, ""
        run.model = next((found for key in MODELS if (found := doc.text(key))), None) or run.model
        context.judged.setdefault(path, 1)
        stem = path.removesuffix(".json").removesuffix("config").rstrip("-_.")
        for beside in (f"{stem}{ending}" for ending in OUTPUTS) if not run.outputs else ():
            if context.reader.extra(beside) is not None:  # noqa: S610
                run.outputs = beside
                break
        if run.timing is None:
            run.timing = path
            context.reader.hold(path, value)  # its times are asked for next

    def _place(self, run: Run, part: Part) -> Run:
        """Return the run with its number here; a copy or a second grading does not count."""
        known, at, path = self._known, run.at, _source(run)
        stated = self.cases.stated.get(at.eval_folder)
        if stated is not None:
            called = (*stated, at.version, at.configuration, at.run, "")
            if self._is_copy(known.get(called), run, part):
                return replace(known[called], counts=False)
            known.setdefault(called, run)
        first = known.setdefault(run.key, run)
        if first is run:
            return run
        if self._is_copy(first, run, part):
            return replace(run, counts=False)
        if first.at.eval_folder == at.eval_folder and not self._are_apart(first, run):
            what = f"This run is graded twice; {_source(first)} counts."
            hint = "Remove one of the two, or give this one a run folder of its own."
            self.context.warn(path, part.at, "duplicate-run", what, hint)
            return replace(run, counts=False)
        count = 2
        while (*run.key[:3], f"{at.run}.{count}") in known:
            count += 1
        number = f"{at.run}.{count}"
        known[*run.key[:3], number] = run
        what = f"{_source(first)} has the same case, configuration and run; "
        what += f"this one is shown as {number}."
        hint = "Give each run its own folder: run-1, run-2."
        self.context.warn(path, part.at, "same-place", what, hint)
        return replace(run, at=at._replace(run=number))

    def _is_copy(self, first: Run | None, run: Run, part: Part) -> bool:
        """Note and return whether a whole grading repeats that of a known run's eval folder."""
        if first is None or first.at.eval_folder == run.at.eval_folder or part.at:
            return False
        if self._are_apart(first, run):
            return False
        if not repeats(self.context.reader.json(_source(first)), part.value):
            return False
        what = f"This has the eval, the configuration and the verdicts of {_source(first)}, so it "
        what += "is treated as a copy and does not count."
        hint = "Remove the copy; if this is another run, give it another run_number."
        self.context.warn(run.grading or "", "", "copied-run", what, hint)
        return True

    def _are_apart(self, one: Run, two: Run) -> bool:
        """Say whether the numbers or the timings of two documents are those of two runs."""
        if None not in (one.number, two.number) and one.number != two.number:
            return True
        if one.timing is None or two.timing is None or one.timing == two.timing:
            return False
        measured = list[dict[str, Any]]()
        for path in (one.timing, two.timing):
            value = self.context.reader.json(path)
            self.context.reader.hold(path, value)  # whoever reads its run asks for it next
            fields = value if isinstance(value, dict) else {}
            # Zeros and remarks measure nothing.
            measured.append({k: v for k, v in fields.items() if v and isinstance(v, (int, float))})
        first, second = measured
        return bool(first and second and first != second)

    def _read(self, run: Run, part: Part) -> Facts | None:
        """Add the rows of one run and return its numbers; of a second grading its judgments."""
        context, case, path, value = self.context, run.case, run.grading or "", part.value
        items = context.node(path, value, part.at)
        if not isinstance(value, (dict, list)):
            if path and value is not MISSING:
                items.type_problem("an object")
            items = context.node(path, {}, part.at)
        # A list has no other fields.
        doc = items if type(items.value) is dict else context.node(path, {})
        if not SAYS_WHO.isdisjoint(doc.value):
            judge = judge_of(doc, JUDGE.names)
            if judge.name is not None or judge.type != MODEL:
                run = replace(run, judge=judge)
        counts = run.counts
        checks = add_items(run, items, part.verdict, part.only) if run.grading else NO_CHECKS
        rules, gate, blocked = add_structural(run, run.structural)
        stopped = counts and self._gated and gate is False
        run.counts = counts and not stopped
        mean, dimensions = add_rubric(run, doc) if run.grading or counts else (None, {})
        is_summed = run.grading is not None and part.verdict is None and part.only is None
        if not counts:
            if is_summed:
                check_summary(context, doc, checks)
            return None
        if stopped and dimensions:
            what = "A critical check failed, so the rubric was not to be judged; "
            what += "its scores do not count."
            hint = "Correct what the check found and run again, or set structural_gate to false."
            doc.note("warning", "judged-behind-gate", what, hint, "rubric_scores")
            mean, dimensions = None, {}
        # What a document of several evals took belongs to none of them.
        own = doc if part.only is None else context.node(doc.path, {})
        used = read_timing(context, run.timing, own, run.about)
        normalized = None if mean is None else mean / RUBRIC_MAX
        scored: tuple[float | None, float | None, float | None] = None, None, None
        if self.plan.family == "rubric" and (dimensions or case.dimensions or run.structural):
            scored = mean, RUBRIC_MAX, normalized
        elif checks.scored:
            scored = float(checks.passed), float(checks.scored), checks.rate
        counted = rules if rules.scored else checks
        expected = max(len(case.dimensions), len(dimensions)) + checks.all
        if run.structural:
            expected += max(len(case.ruled["structural"]), rules.all)
        ended = "gate_failed" if gate is False else "completed"
        # Nothing but a gate that failed decides about a run.
        passed = False if gate is False else None
        run.add_row(
            "grading",
            "not_run" if blocked else ended,
            used,
            run.grading or run.structural,
            part.at,
            scored=scored,
            checks=(counted.passed, counted.scored) if counted.scored else (None, None),
            passed=passed,
            gate_passed=gate,
        )
        judged = len(dimensions) + checks.scored + rules.scored
        run.add_score(*scored[:2], judged, expected, passed)
        if run.grading and part.at and not checks.all and not dimensions:
            what = "This run has neither items nor a verdict; it counts as not scored."
            hint = "Write its expectations with passed: true or false."
            doc.note("warning", "no-verdict", what, hint)
        if is_summed:
            check_summary(context, doc, checks)
        if run.grading and part.leads:
            context.remarks.add(doc, run.about)
        return Facts(
            run.at.version,
            run.at.configuration,
            case.case_id,
            run.id,
            checks.rate,
            rules.rate,
            normalized,
            used.seconds,
            used.tokens,
            dimensions,
            passed=checks.passed if checks.scored else None,
            total=checks.scored or None,
            path=below(run.at),
            unscored=checks.unscored,
        )


def _source(run: Run) -> str:
    return run.grading or run.structural or run.at.folder


def repeats(one: Json, two: Json) -> bool:
    """Say whether two gradings have the same items and verdicts, and not all evidence differs."""
    first: list[tuple[str | None, Any, str | None]] = []
    second: list[tuple[str | None, Any, str | None]] = []
    for value, found in ((one, first), (two, second)):
        for item in listed_items(value):
            verdicts = [item[key] for key in VERDICT if key in item]
            known = next((v for each in verdicts if (v := verdict_of(each)) is not None), None)
            texts = (as_text(item.get(key)) for key in EVIDENCE)
            why = next((text for text in texts if text is not None), None)
            found.append((wording_of(item), known if known is not None else str(verdicts), why))
    if not first or [item[:2] for item in first] != [item[:2] for item in second]:
        return False
    reasons = [(a[2], b[2]) for a, b in zip(first, second, strict=True) if a[2] and b[2]]
    return not reasons or any(a == b for a, b in reasons)
