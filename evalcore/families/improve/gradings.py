"""Read gradings: one run of one case each, scored 1 to 5 on every criterion."""

import math
import re
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from evalcore.disk.listing import shown
from evalcore.disk.reader import MISSING, Json, Reader
from evalcore.disk.values import Node, parse_time
from evalcore.families.base import Plan
from evalcore.families.improve.definitions import CONVENTIONS, MAX_SCORE, PASS_AT, Case, Definitions
from evalcore.families.improve.documents import CONVENTION, GRADING, RESULT
from evalcore.families.improve.find import GRADING_NAME, RUN_PLACE, below
from evalcore.families.improve.history import Scores
from evalcore.ids import run_id
from evalcore.names import COST, SECONDS, TOKENS
from evalcore.numbers import NEAR, at_least, disagrees, mean
from evalcore.shapes.columns import BLOCK, Criterion, Judged, JudgmentColumns
from evalcore.shapes.judge import HUMAN, Judge, judge_from, judge_of
from evalcore.shapes.judged import Items, Subject, judgment, label_of, numbered, unscored
from evalcore.shapes.remarks import About, RemarkColumns, Remarks
from evalcore.shapes.restated import note_restated
from evalcore.shapes.runs import RunColumns
from evalcore.shapes.typed import Typed
from evalcore.tables.builder import Rows

UNASSIGNED: Final = "unassigned"
_NUMBER: Final = re.compile(r"v?(\d{1,15})", re.IGNORECASE)


class Identity(NamedTuple):
    """The case, version and run of a grading; version None is unknown."""

    case_id: str
    version: int | None
    run: str
    label: str
    """The label of the version."""


def identity_of(root: str, path: str, case_id: str, version: int, run: int) -> Identity | None:
    """Return the identity of a grading whose content and name say the same, None of any other."""
    if case_id and path == below(root, f"grading/{case_id}_v{version}_run{run}.json"):
        return Identity(case_id, version, str(run), f"v{version}") if version >= 0 else None
    return None


def identify(node: Node, root: str) -> Identity:
    """Return the identity of a grading: content wins over path, contradictions are reported."""
    values = node.get("case_id"), node.get("version"), node.get("run")
    if tuple(map(type, values)) == (str, int, int):
        usual = identity_of(root, node.path, *values)
        if usual is not None:
            return usual
    place = node.path[len(root) + 1 if root else 0 :]
    name = place.rpartition("/")[2]
    found = GRADING_NAME.fullmatch(name) or RUN_PLACE.fullmatch(place)
    path_case = found["case"] if found else None
    path_version = number_of(found["version"]) if found else None
    path_run = number_of(found["run"]) if found else None
    case_id = node.text("case_id") or None
    version = _whole(node, "version")
    run = _whole(node, "run")
    both = (
        ("case_id", case_id, path_case),
        ("version", version, path_version),
        ("run", run, path_run),
    )
    for key, inside, outside in both:
        if inside is not None and outside is not None and inside != outside:
            message = (
                f"{key!r} is {inside!r} in the file and {outside!r} in its path; the file is used."
            )
            node.note("warning", "name-mismatch", message, "Rename the file.", key)
    if not found and place.startswith("grading/"):
        message = (
            "The file is not named <case>_v<version>_run<run>.json; its content says which run "
            "it is."
        )
        node.note("info", "odd-name", message, "Rename it so that other tools find it.")
    number = path_version if version is None else version
    label = UNASSIGNED if number is None else f"v{number}"
    known_run = next((each for each in (run, path_run) if each is not None), 1)
    known_case = case_id or path_case or name.removesuffix(".json")
    for key, stated, taken, is_named in (
        ("case_id", case_id, known_case, bool(found)),
        ("version", version, label, bool(found)),
        ("run", run, str(known_run), path_run is not None),
    ):
        if stated is None:
            why = "read from the path" if is_named else "assumed, as the path does not say either"
            message = f"{key!r} is missing; {taken!r} was {why}."
            node.note("warning", "missing-identity", message, f"Write {key!r} into the file.")
    return Identity(known_case, number, str(known_run), label)


def number_of(text: str) -> int | None:
    """Return the number of a version or run, which may have a leading v; None of other texts."""
    found = _NUMBER.fullmatch(text)
    return int(found[1]) if found else None


def _whole(node: Node, key: str) -> int | None:
    """Return a non-negative integer, also from text or with a leading v."""
    value = node.get(key)
    if isinstance(value, str) and (number := number_of(value)) is not None:
        return number
    number = node.whole(key)
    if number is not None and number < 0:
        node.wrong(key, "a number of 0 or more")
        return None
    return number


HALF_A_TENTH: Final = 0.05 + NEAR
"""How far a number printed with one decimal may lie from what it stands for."""

RESULTS: Final = Items(
    "results", "expectation", RESULT, passes_at=PASS_AT, defined="the label from evals.json"
)
COMPLIANCE: Final = Items("convention_compliance", "convention", CONVENTION)
REMARKS: Final = Remarks({"user_notes_summary": "user_notes"}, ("eval_feedback",))
METRICS: Final = "execution_metrics"
TYPED: Final = Typed(GRADING, as_is=(*REMARKS.fields, METRICS))

VERDICTS: Final = ("pass", "fail")
EXECUTORS: Final = ("executor", "model", "executor_model")
ACROSS: Final = frozenset(
    {"duplicate-run", "unknown-case", "unknown-criterion", "unknown-convention"}
)
"""Problems of one grading that depend on what others hold."""

_SCALE: Final = {"min_score": 1, "max_score": MAX_SCORE, "pass_at": PASS_AT}
_CONVENTIONS: Final = tuple(CONVENTIONS)


class Outcome(NamedTuple):
    """What the scores of one run add up to; None is what they do not tell."""

    mean: float | None
    required: float | None
    passed: bool | None
    judged: int
    met: int


class Measured(NamedTuple):
    """Time, tokens and money of one run; None is not measured."""

    duration_s: float | None = None
    tokens: float | None = None
    cost_usd: float | None = None
    executor: str | None = None
    model: str | None = None
    started_at: datetime | None = None


NOTHING: Final = Measured()
_SCORE: Final = ("score", "passed", "judged", "expected")
_RUN: Final = (
    "passed", "score", "fraction", "checks_passed", "checks_total", "required_score",
    *Measured._fields,
)  # fmt: skip


class Gradings:
    """Reads the gradings of one suite."""

    def __init__(self, plan: Plan, reader: Reader, rows: Rows, definitions: Definitions) -> None:
        self.root = plan.root
        self.suite = plan.suite
        self.reader = reader
        self.rows = rows
        self.definitions = definitions
        self.versions: dict[str, tuple[int | None, str]] = {}  # label to number and first file
        self.scores: Scores = {}
        self.seen: dict[str, str] = {}  # run id to file
        self.unread: list[str] = []  # the files that say nothing of their run
        self._unknown: dict[tuple[str, str], str] = {}  # case and criterion to first file
        self._unknown_conventions: dict[str, str] = {}
        self._judgments = JudgmentColumns(rows)
        self._remarks = RemarkColumns(plan.suite, rows, REMARKS)
        self._columns = RunColumns(rows, plan.suite, "improve", _RUN, _SCORE, max_score=MAX_SCORE)

    def read(self, paths: Iterable[str]) -> None:
        """Read gradings in order: by type those that are as documented, others with tolerance."""
        for count, path in enumerate(paths, 1):
            value = self.reader.json(path)
            found = TYPED.read(value)
            if found is None or not self._add_typed(path, found):
                self._add_any(path, value)
            if count % BLOCK == 0:
                self._flush()
        self._flush()
        # What repeats in many gradings is said once.
        for (case_id, name), path in self._unknown.items():
            node = Node(self.reader, path, None, "/results", self.suite)
            message = (
                f"The case {case_id!r} has no criterion {name!r}, so it counts as not required."
            )
            hint = "Add it to the case in evals.json, or correct its name."
            node.note("warning", "unknown-criterion", message, hint)
        for name, path in self._unknown_conventions.items():
            node = Node(self.reader, path, None, f"/{COMPLIANCE.field}", self.suite)
            message = f"{name!r} is not one of the five conventions; it is kept as an extra one."
            hint = f"The five are {', '.join(CONVENTIONS)}."
            node.note("warning", "unknown-convention", message, hint, name)

    def _flush(self) -> None:
        for each in (self._judgments, self._remarks, self._columns):
            each.flush()

    def _add_typed(self, path: str, found: Any) -> bool:
        """Add a converted grading; False, with nothing done, when it is not as documented."""
        results, conventions = found.results, found.convention_compliance
        identity = identity_of(self.root, path, found.case_id, found.version, found.run)
        labels = tuple([each.criterion for each in results])
        case = self.definitions.cases.get(found.case_id or "")
        if identity is None or case is None or tuple(conventions) != _CONVENTIONS:
            return False
        if not case.decided:  # the grading's own verdict counts
            return False
        if found.judge_type == HUMAN:  # it may name the records that it was written from
            return False
        judge = judge_from((found.judge,), found.judge_type)
        like = found.case_id, labels, judge

        def criteria() -> list[Criterion] | None:
            if not labels or sorted(case.expected) != sorted(labels):
                return None  # they are not those of its case
            return [
                *(RESULTS.criterion(label, index, judge) for index, label in enumerate(labels)),
                *(COMPLIANCE.criterion(name, name, judge) for name in CONVENTIONS),
            ]

        pattern = self._judgments.pattern(like, criteria)
        scores = [each.score for each in results]
        if pattern is None or [each.passed for each in results] != [s >= PASS_AT for s in scores]:
            return False
        needed = [
            score for label, score in zip(labels, scores, strict=True) if case.expected[label]
        ]
        total = outcome(scores, needed, case.decided)
        key = self._key(identity)
        is_same = (
            found.overall in (None, "pass" if total.passed else "fail")
            and agrees(found.overall_score, total.mean)
            and agrees(found.required_score, total.required)
        )
        if key in self.seen or not is_same:
            return False
        self.seen[key] = path
        self._columns.documents.add((path, len(results)))
        compliance = conventions.values()
        scores += [each.passed for each in compliance]
        rationales = [each.reasoning for each in results] + [each.details for each in compliance]
        self._judgments.add(Judged(key, pattern, path, scores, rationales))
        self._add_run(path, key, identity, judge, total, len(results), found.execution_metrics)
        if found.claims or found.user_notes_summary or found.eval_feedback:
            remarked = {name: getattr(found, name) for name in REMARKS.fields}
            node = Node(self.reader, path, remarked, suite=self.suite)
            self._remarks.add(node, About(key, identity.case_id, identity.label))
        return True

    def _add_any(self, path: str, value: Json) -> None:
        """Add a grading, however it is written."""
        self._judgments.flush()
        node = Node(self.reader, path, value, suite=self.suite)
        results = node.get("results")
        held = type(results) is list
        self._columns.documents.add((path, len(results) if held else 0))
        if not held:
            self.unread.append(path)
        if type(value) is not dict:
            if value is not MISSING:
                node.type_problem("an object")
            return
        if not held:
            message = "The file contains no list of results, so it does not count."
            hint = 'Write the scored criteria as a list under "results".'
            node.note("error", "no-results", message, hint)
            return
        identity = identify(node, self.root)
        case_id, key = identity.case_id, self._key(identity)
        if key in self.seen:
            message = (
                f"Run {identity.run} of {case_id!r} in {identity.label} is graded by "
                f"{self.seen[key]} too; this file is ignored."
            )
            hint = "Remove one of the two, or give this one its own run number."
            node.note("warning", "duplicate-run", message, hint)
            return
        self.seen[key] = path
        case = self.definitions.cases.get(case_id)
        if case is None:
            if self.definitions.known:
                message = (
                    f"evals.json has no case {case_id!r}; it is shown without prompt and criteria."
                )
                hint = "Add the case to evals.json, or correct the id."
                node.note("warning", "unknown-case", message, hint, "case_id")
            case = self.definitions.add_case(case_id, path)
        judge = judge_of(node)
        subject = Subject(key, judge=judge)
        scores = self._add_results(node, case_id, case, subject)
        needed = [scores.get(name) for name, required in case.expected.items() if required]
        total = outcome(scores.values(), needed, case.decided)
        _note_differences(node, total)
        if total.passed is None and value.get("overall") in VERDICTS:
            # Which criteria are required is not known here; whoever graded knew it.
            total = total._replace(passed=value["overall"] == "pass")
        if value.get(COMPLIANCE.field):
            self._add_compliance(node.child(COMPLIANCE.field), case_id, subject)
        expected = len(case.expected) or len(results)
        self._add_run(path, key, identity, judge, total, expected, value.get(METRICS))
        self._remarks.add(node, About(key, case_id, identity.label))

    def _add_results(
        self, doc: Node, case_id: str, case: Case, subject: Subject
    ) -> dict[str, float | None]:
        """Add the judgments of one grading's criteria; return their scores, None where invalid."""
        scores: dict[str, float | None] = {}
        places: dict[str, str] = {}
        for node in doc.all_items("results"):
            label = label_of(node, RESULTS)
            if label is None:
                continue
            name = numbered(label, scores)
            if name != label:
                message = f"{label!r} is scored twice; this one is shown as {name!r}."
                hint = "Give each criterion its own label."
                node.note("warning", "duplicate-criterion", message, hint, "criterion")
            note_restated(node, {"required": case.expected.get(name), **_SCALE})
            row = judgment(node, RESULTS, name, subject)
            scores[name], places[name] = row.score, node.at
            self.rows.add(row)
        # Criteria that only this grading names, and those it has no result for.
        for name, at in places.items():
            if name not in case.expected and name not in case.extra:
                if case.expected:
                    self._unknown.setdefault((case_id, name), doc.path)
                self.definitions.add_criterion(case_id, name, doc.path, at)
        for name, required in case.expected.items():
            if name in scores:
                continue
            what = f"The required criterion {name!r}" if required else f"The criterion {name!r}"
            message = f"{what} has no result" + (", so the run did not pass." if required else ".")
            hint = "Grade the run again, or add the missing result."
            doc.note("warning" if required else "info", "incomplete", message, hint, "results")
            self.rows.add(unscored(doc.path, "/results", RESULTS, name, subject))
        return scores

    def _add_compliance(self, doc: Node, case_id: str, subject: Subject) -> None:
        """Add one judgment for each convention of one grading."""
        if not isinstance(doc.value, dict):
            doc.type_problem("an object")
            return
        for name, node in doc.fields():
            if name not in CONVENTIONS:
                self._unknown_conventions.setdefault(name, doc.path)
                self.definitions.add_convention(case_id, name, doc.path)
            if isinstance(node.value, bool):
                node.value = {"passed": node.value}
            if isinstance(node.value, dict):
                self.rows.add(judgment(node, COMPLIANCE, name, subject))
                continue
            if node.value is not None:
                node.type_problem("an object")
            self.rows.add(unscored(doc.path, node.at, COMPLIANCE, name, subject))
        for name in CONVENTIONS:
            if name not in doc.value:
                self.rows.add(unscored(doc.path, doc.at, COMPLIANCE, name, subject))

    def _key(self, identity: Identity) -> str:
        return run_id(self.suite, shown(identity.case_id), identity.label, "-", identity.run)

    def _add_run(
        self,
        path: str,
        key: str,
        identity: Identity,
        judge: Judge,
        total: Outcome,
        expected: int,
        metrics: Json,
    ) -> None:
        """Add the rows of one run and its score; keep the score for the average of its version."""
        case_id, number, run, label = identity
        mean, required, passed, judged, met = total
        self.versions.setdefault(label, (number, path))
        cases = self.scores.setdefault(label, {})
        if mean is not None:
            cases.setdefault(case_id, []).append(mean)
        outputs = outputs_of(self.root, label, case_id, run, self.reader.listing.folders)
        used = NOTHING
        if metrics:
            used = measured(Node(self.reader, path, metrics, f"/{METRICS}", self.suite))
        fraction = None if mean is None else mean / MAX_SCORE
        about = key, case_id, label, run, path, outputs
        scores = passed, mean, fraction, met, judged, required
        self._columns.runs.add((*about, *judge[:2], *scores, *used))
        self._columns.run_scores.add((key, *judge.of_score, mean, passed, judged, expected))


def outputs_of(
    root: str, version: str, case_id: str, run: str, folders: Collection[str]
) -> str | None:
    """Return the folder with what a run produced, if there is one."""
    runs = below(root, f"{version}/runs")
    if runs not in folders:
        return None
    places = (f"{runs}/{case_id}/run-{run}", f"{runs}/run-{run}")
    return next((folder for folder in places if folder in folders), None)


def outcome(
    scores: Iterable[float | None], needed: Sequence[float | None], decided: bool
) -> Outcome:
    """Return what scores add up to; a required criterion without a score is not passed.

    `needed` are the scores of the required criteria; `decided` says that it is known which are.
    """
    present = [score for score in scores if score is not None]
    met = len([score for score in present if passes(score)])
    passed = True if decided else None
    if any(score is None or not passes(score) for score in needed):
        passed = False
    required = mean(needed) if decided else None
    overall = math.fsum(present) / len(present) if present else None
    return Outcome(overall, required, passed, len(present), met)


def passes(score: float) -> bool:
    """Say whether a score of 1 to 5 passes."""
    # Only a score just below the pass mark needs a second look at its decimals.
    return score >= PASS_AT or (type(score) is float and at_least(score, PASS_AT))


def agrees(stored: Json, computed: float | None) -> bool:
    """Say at once whether a stored number with one decimal is the computed one."""
    if stored is None:
        return True
    if type(stored) is not float or computed is None:
        return False
    return abs(stored - computed) <= HALF_A_TENTH and round(stored, 1) == stored


def _note_differences(node: Node, total: Outcome) -> None:
    """Note the derived values of a grading that are not the recomputed ones."""
    derived = {"overall_score": total.mean, "required_score": total.required}
    if not all(agrees(node.get(key), computed) for key, computed in derived.items()):
        for key, computed in derived.items():
            stored = node.number(key)
            if stored is None or (computed is None and key == "required_score"):
                continue
            if computed is None:
                message = f"{key} is {stored}, but no criterion has a score."
                hint = "Remove it, or write null."
            elif disagrees(stored, computed):
                message = f"{key} is {stored}, but the scores give {computed:.2f}."
                hint = f"Recompute {key}: the mean of the scores, to one decimal."
            else:
                continue
            node.note("warning", "derived-mismatch", message, hint, key)
    stated, verdict = node.get("overall"), "pass" if total.passed else "fail"
    if stated in (None, verdict):
        return
    if stated not in VERDICTS:
        node.wrong("overall", '"pass" or "fail"')
    elif total.passed is not None:
        message = f"overall is {stated!r}, but the required criteria give {verdict!r}."
        hint = "Write pass only when every required criterion passed."
        node.note("warning", "derived-mismatch", message, hint, "overall")


def measured(node: Node) -> Measured:
    """Return what an executor measured, under the names that tools use.

    Other fields stay in the raw document.
    """
    if not isinstance(node.value, dict):
        node.type_problem("an object")
        return NOTHING
    seconds = (found / SECONDS[name] for name in SECONDS if (found := _number(node, name)))
    texts = {name: value for name in EXECUTORS if isinstance(value := node.get(name), str)}
    return Measured(
        next(seconds, None),
        next((found for name in TOKENS if (found := _number(node, name))), None),
        next((found for name in COST if (found := _number(node, name))), None),
        texts.get("executor") or None,
        texts.get("model") or texts.get("executor_model") or None,
        parse_time(node.get("executor_start")),
    )


def _number(node: Node, name: str) -> float | None:
    """Return a measured number; 0 and null both mean "not measured"."""
    value = node.get(name)
    # A field of this name may hold anything: only a number is meant.
    return float(value) if type(value) in (int, float) and 0 < value < 1e18 else None
