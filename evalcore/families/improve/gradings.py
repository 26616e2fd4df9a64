"""Read evals.json, and gradings of one run of one case each, scored 1 to 5 on every criterion."""

import hashlib
import json
import math
import os
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from evalcore.disk.files import inside
from evalcore.disk.listing import shown
from evalcore.disk.reader import Reader
from evalcore.disk.values import Node, parse_time
from evalcore.errors import PathOutside
from evalcore.families.base import Plan
from evalcore.families.gradings import (
    NOTHING,
    UNASSIGNED,
    GradedSuite,
    Grading,
    Measured,
    Total,
    differs,
    missing_identity,
    name_mismatch,
)
from evalcore.families.improve.documents import (
    CONVENTION,
    CONVENTIONS,
    MAX_SCORE,
    PASS_AT,
    RESULT,
)
from evalcore.families.improve.find import GRADING_NAME, RUN_PLACE, below
from evalcore.families.metrics import computed_metric
from evalcore.names import COST, SECONDS, TOKENS, slashed
from evalcore.numbers import at_least, disagrees, mean
from evalcore.shapes.columns import BLOCK
from evalcore.shapes.judged import Columns, Items, Subject, judgment, unscored
from evalcore.shapes.remarks import Remarks
from evalcore.tables.builder import Rows
from evalcore.tables.rows import BenchmarkRow, DocumentRow, VersionRow

GUIDE: Final = json.dumps(
    {
        "1": "Criterion unaddressed or contradicted",
        "2": "Partially addressed; significant gaps",
        "3": "Met minimally; superficial",
        "4": "Met well; nuanced",
        "5": "Exemplary; all nuances covered",
    }
)
REMARKS: Final = Remarks({"user_notes_summary": "user_notes"}, ("eval_feedback",))
METRICS: Final = "execution_metrics"
RESULTS: Final = Items(
    "results", "expectation", RESULT, passes_at=PASS_AT, defined="the label from evals.json"
)
COMPLIANCE: Final = Items("convention_compliance", "convention", CONVENTION)

HASHED_FILES: Final = 50
HASHED_BYTES: Final = 2_000_000
VERDICTS: Final = ("pass", "fail")
EXECUTORS: Final = ("executor", "model", "executor_model")
ACROSS: Final = frozenset(
    {"duplicate-run", "unknown-case", "unknown-criterion", "unknown-convention"}
)
"""Problems of one grading that depend on what others hold."""
_NUMBER: Final = re.compile(r"v?(\d{1,15})", re.IGNORECASE)


class ImproveSuite(GradedSuite):
    """Keeps the scores of gradings too, for the averages of versions."""

    family = "improve"
    kind = "evals"
    skill_field = "skill"
    cases_field = no_cases_at = "cases"
    case_word = "case"
    case_field = "case_id"
    items = RESULTS
    label = "criterion"
    fixed = COMPLIANCE
    fixed_names = CONVENTIONS
    undefined = ", so it counts as not required"
    guide = GUIDE
    remark_fields = REMARKS

    def __init__(self, plan: Plan, reader: Reader, rows: Rows) -> None:
        super().__init__(plan, reader, rows)
        self.prompts: dict[str, list[str]] = {}  # to the ids of its cases
        self.conventions: set[tuple[str, str]] = set()  # that only gradings of a case name
        self.versions: dict[str, tuple[int | None, str]] = {}  # label to number and first file
        self.labels: list[str] = []  # of all versions
        self._averages: dict[str, tuple[float | None, Node]] = {}  # as they are stored
        self.scores: dict[str, dict[str, list[float]]] = {}
        """Version to case to the mean scores of its runs."""
        self._unknown_conventions: dict[str, str] = {}  # to the first file

    def define(self, case: Node) -> tuple[dict[str, Any], list[tuple[int, str, dict[str, Any]]]]:
        """Return prompt and files of a case, and its expectations that have a label."""
        prompt = case.text("prompt")
        if prompt:
            self.prompts.setdefault(prompt.strip(), []).append(case.text("id") or "")
        listed = json.dumps([slashed(text) for text, _ in case.texts("files")], ensure_ascii=False)
        columns = {"prompt": prompt, "files": listed if case.has("files") else None}
        criteria = []
        for position, item in enumerate(case.items("expectations")):
            description = item.text("description")
            label = item.text("criterion") or description
            if not label:
                message = "This expectation has no label."
                item.note("error", "missing-label", message, 'Name it under "criterion".')
                continue
            required = item.flag("required")
            if required is None:
                message = f"It is not stated whether {label!r} is required."
                hint = 'Write "required": true or false.'
                item.note("warning", "required-unknown", message, hint)
            own = {"description": description, "required": required, "pointer": item.at}
            criteria.append((position, label, own))
        return columns, criteria

    def read_history(self, path: str) -> None:
        """Read the versions of one history.json."""
        value = self.reader.json(path)
        node = self.node(path, value or None)
        if value and not isinstance(value, dict):
            node.type_problem("an object")
        entries = list(node.items("versions"))
        current = node.whole("current_version")
        if current is not None and not 0 <= current < len(entries):
            message = (
                f"current_version is {current}, but the list has {len(entries)} versions, "
                "counted from 0."
            )
            hint = "Write the index of the version being worked on."
            node.note("warning", "no-such-version", message, hint, "current_version")
            current = None
        for position, entry in enumerate(entries):
            number = entry.whole("version")
            if number is None:
                message = (
                    f"This entry has no version number; its place in the list, {position}, is used."
                )
                hint = "Number the versions from 0."
                entry.note("warning", "version-unnumbered", message, hint)
                number = position
            label = f"v{number}"
            if label in self._averages:
                message = f"{label} appears earlier in the list; this entry was not read."
                hint = "Give each version its own number."
                entry.note("warning", "duplicate-version", message, hint, "version")
                continue
            folder = self._folder(entry)
            average = entry.number("average_score")
            self.labels.append(label)
            self._averages[label] = average, entry
            self.rows.add(
                VersionRow(
                    suite=self.suite,
                    version=label,
                    position=position,
                    description=entry.text("description") or None,
                    created_at=entry.time("timestamp"),
                    git_hash=entry.text("git_hash") or None,
                    content_hash=content_hash(self.reader, folder),
                    path=folder,
                    is_current=None if current is None else position == current,
                    stored_score=average,
                    source=entry.path,
                    pointer=entry.at,
                )
            )
        self.rows.add(DocumentRow(path, "improve", "history", self.suite, len(entries)))

    def _folder(self, entry: Node) -> str | None:
        """Return the folder of a version relative to the workspace, if it is inside."""
        path = entry.text("path")
        if not path:
            return None
        joined = os.path.normpath(below(self.plan.root, path))
        try:
            inside(Path(self.reader.root), joined)
        except (PathOutside, ValueError, OSError):
            joined = ".."
        if joined.startswith(("..", "/")) or path.startswith("/"):
            message = f"The path {path!r} points outside the workspace; it was not opened."
            hint = "Write it relative to the workspace."
            entry.note("warning", "path-outside", message, hint, "path")
            return None
        if joined not in self.reader.listing.folders:
            message = f"The folder {path!r} of this version is missing."
            hint = "Add it, or leave it: the gradings can be read without it."
            entry.note("info", "folder-missing", message, hint, "path")
        return joined

    def add_graded_versions(self) -> None:
        """Add the versions that only gradings name, in the order of their numbers."""
        listed, has_history = bool(self._averages), bool(self.files["history"])
        graded = sorted(self.versions.items(), key=lambda of: (of[1][0] is None, of[1][0] or 0))
        for label, (number, source) in graded:
            if label in self.labels:
                continue
            folder = below(self.plan.root, f"v{number}/skill")
            row = VersionRow(self.suite, label, len(self.labels), source=source, pointer="/version")
            if folder in self.reader.listing.folders:
                row = row._replace(path=folder, content_hash=content_hash(self.reader, folder))
            self.rows.add(row._replace(is_current=False if listed else None))
            self.labels.append(label)
            if has_history:
                message = f"{label} was graded, but history.json does not name it."
                hint = "Add the version to history.json."
                node = self.node(source)
                node.note("warning", "version-not-in-history", message, hint, "version")

    def add_averages(self, known: Mapping[str, BenchmarkRow]) -> None:
        """Add the average scores, stored and computed, and report differences.

        `known` holds the averages of versions without a grading read here.
        """
        computed, metric = dict(known), "average_score"
        for label, cases in self.scores.items():
            means = [own for runs in cases.values() if (own := mean(runs)) is not None]
            if means:
                computed[label] = computed_metric(self.suite, label, "-", metric, means)
        before = None
        for label in self.labels:
            stored, node = self._averages.get(label, (None, None))
            if stored is not None and node is not None:
                row = BenchmarkRow(self.suite, label, "-", metric=metric, origin="stored")
                self.rows.add(row._replace(mean=stored, source=node.path, pointer=node.at))
                own, previous = (
                    computed[each].mean if each in computed else None
                    for each in (label, before or "")
                )
                found, hint = "there are no gradings of it", ""
                if own is not None:
                    found = f"its gradings give {own:.2f}"
                    hint = "Recompute average_score: the mean over cases of each case's mean."
                message = f"average_score of {label} is {stored}, but {found}."
                if previous is not None and not disagrees(stored, previous):
                    message += (
                        f" {stored} is the average of {before}: the score was written one entry "
                        "too late."
                    )
                    hint = f"Move it to the entry of {before}."
                if hint and (own is None or disagrees(stored, own)):
                    node.note("warning", "derived-mismatch", message, hint, "average_score")
            if label in computed:
                self.rows.add(computed[label])
            before = label

    def read(self, paths: Iterable[str]) -> None:
        """Read gradings in order."""
        for count, path in enumerate(paths, 1):
            grading = self.load(path)
            if grading is not None:
                self._add(grading)
            if count % BLOCK == 0:
                self.flush()
        self.flush()
        self.note_unknown()
        for name, path in self._unknown_conventions.items():
            node = self.node(path, at=f"/{COMPLIANCE.field}")
            message = f"{name!r} is not one of the five conventions; it is kept as an extra one."
            hint = f"The five are {', '.join(CONVENTIONS)}."
            node.note("warning", "unknown-convention", message, hint, name)

    def usual(self, path: str, value: dict[str, Any], columns: Columns) -> str | None:
        """Return the case where path and verdicts are as they should be."""
        case_id, number, run = map(value.get, ("case_id", "version", "run"))
        case = self.cases.get(case_id) if type(case_id) is str else None
        if case is None or not case.decided:  # the grading's own verdict counts
            return None
        name = below(self.plan.root, f"grading/{case_id}_v{number}_run{run}.json")
        is_named = path == name and type(number) is type(run) is int and number >= 0 < run
        passed = tuple([score >= PASS_AT for score in columns["score"]])
        return case_id if is_named and columns["passed"] == passed else None

    def note_incomplete(self, doc: Node, case_id: str, missing: Sequence[str]) -> None:
        """Note each criterion: a required one decides."""
        for name in missing:
            required = self.cases[case_id].expected[name]
            what = f"The required criterion {name!r}" if required else f"The criterion {name!r}"
            message = f"{what} has no result" + (", so the run did not pass." if required else ".")
            hint = "Grade the run again, or add the missing result."
            doc.note("warning" if required else "info", "incomplete", message, hint, "results")

    def _add(self, grading: Grading) -> None:
        """Add all rows of one grading, and keep its score for the average of its version."""
        node, pattern, *_ = grading
        if pattern is None:
            case_id, number, run = self._identify(node)
        else:
            case_id, number, run = map(node.value.get, ("case_id", "version", "run"))
            run = str(run)
        label = UNASSIGNED if number is None else f"v{number}"
        taken = self.take(node, case_id, label, run)
        if taken is None:
            return
        about, case = taken
        judge, scores = self.results(grading, about, case)
        present = [score for score in scores.values() if score is not None]
        met = {name for name, score in scores.items() if at_least(score or 0, PASS_AT)}
        needed = {name for name, required in case.expected.items() if required}
        overall = math.fsum(present) / len(present) if present else None
        fraction = None if overall is None else overall / MAX_SCORE
        passed = (case.decided or None) if met >= needed else False
        required = mean(map(scores.get, needed)) if case.decided else None
        total = Total(overall, MAX_SCORE, fraction, len(met), len(present), passed, required)
        _note_differences(node, total)
        if passed is None and node.get("overall") in VERDICTS:
            # Which criteria are required is not known here; whoever graded knew it.
            total = total._replace(passed=node.get("overall") == "pass")
        if pattern is None and node.get(COMPLIANCE.field):
            subject = Subject(about.run_id, judge=judge)
            self._add_compliance(node.child(COMPLIANCE.field), case_id, subject)
        self.versions.setdefault(label, (number, node.path))
        cases = self.scores.setdefault(label, {})
        if total.score is not None:
            cases.setdefault(case_id, []).append(total.score)
        outputs = outputs_of(self.plan.root, label, case_id, run, self.reader.listing.folders)
        expected = len(case.expected) or len(node.get(RESULTS.field))
        used = measured(node.child(METRICS)) if node.get(METRICS) else NOTHING
        self.add_run(about, (run, node.path, outputs), judge, expected, total, used)
        self.remarks.add(node, about)

    def _add_compliance(self, doc: Node, case_id: str, subject: Subject) -> None:
        """Add one judgment for each convention of one grading."""
        if not isinstance(doc.value, dict):
            doc.type_problem("an object")
            return
        for name, node in doc.fields():
            if name not in CONVENTIONS:
                self._unknown_conventions.setdefault(name, doc.path)
                if (case_id, name) not in self.conventions:
                    self.conventions.add((case_id, name))
                    columns = {"required": False, "position": 0, "source": doc.path}
                    self.add_row(COMPLIANCE, case_id, name, **columns)
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

    def _identify(self, node: Node) -> tuple[str, int | None, str]:
        """Return case, version and run of a grading: content wins over path, with notes."""
        place = node.path.removeprefix(below(self.plan.root, ""))
        name = place.rpartition("/")[2]
        found = GRADING_NAME.fullmatch(name) or RUN_PLACE.fullmatch(place)
        in_path: dict[str, Any] = dict.fromkeys(("case_id", "version", "run"))
        if found:
            in_path |= {key: number_of(found[key]) for key in ("version", "run")}
            in_path["case_id"] = found["case"]
        inside: dict[str, Any] = {"case_id": node.text("case_id") or None}
        inside |= {key: _whole(node, key) for key in ("version", "run")}
        for key, own in inside.items():
            if own is not None and in_path[key] is not None and own != in_path[key]:
                name_mismatch(node, key, own, in_path[key])
        if not found and place.startswith("grading/"):
            message = (
                "The file is not named <case>_v<version>_run<run>.json; its content says which run "
                "it is."
            )
            node.note("info", "odd-name", message, "Rename it so that other tools find it.")
        case_id, number, run = (in_path[key] if own is None else own for key, own in inside.items())
        case_id, run = case_id or name.removesuffix(".json"), str(1 if run is None else run)
        label = UNASSIGNED if number is None else f"v{number}"
        for (key, own), taken in zip(inside.items(), (case_id, label, run), strict=True):
            if own is None:
                is_known = found if key != "run" else in_path["run"] is not None
                why = () if is_known else ("assumed, as the path does not say either",)
                missing_identity(node, key, taken, *why)
        return case_id, number, run


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


def outputs_of(
    root: str, version: str, case_id: str, run: str, folders: Collection[str]
) -> str | None:
    """Return the folder with what a run produced, if there is one."""
    runs = below(root, f"{version}/runs")
    if runs not in folders:
        return None
    places = (f"{runs}/{case_id}/run-{run}", f"{runs}/run-{run}")
    return next((folder for folder in places if folder in folders), None)


def _note_differences(node: Node, total: Total) -> None:
    """Note the derived values of a grading that are not the recomputed ones."""
    for key, computed in (("overall_score", total.score), ("required_score", total.required)):
        stored = node.number(key)
        if stored is None or (computed is None and key == "required_score"):
            continue
        if computed is None:
            differs(node, key, "no criterion has a score", "Remove it, or write null.")
        elif disagrees(stored, computed):
            hint = f"Recompute {key}: the mean of the scores, to one decimal."
            differs(node, key, f"the scores give {computed:.2f}", hint)
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

    def number(name: str) -> float | None:
        # A field of this name may hold anything; 0 and null both mean "not measured".
        value = node.get(name)
        return float(value) if type(value) in (int, float) and 0 < value < 1e18 else None

    seconds = (found / SECONDS[name] for name in SECONDS if (found := number(name)))
    texts = {name: value for name in EXECUTORS if isinstance(value := node.get(name), str)}
    return Measured(
        started_at=parse_time(node.get("executor_start")),
        duration_s=next(seconds, None),
        tokens=next(filter(None, map(number, TOKENS)), None),
        cost_usd=next(filter(None, map(number, COST)), None),
        executor=texts.get("executor") or None,
        model=texts.get("model") or texts.get("executor_model") or None,
    )


def content_hash(reader: Reader, folder: str | None) -> str | None:
    """Return the SHA-256 of a folder's sorted lines `path NUL sha256 LF`; None if it is large."""
    if folder is None or folder not in reader.listing.folders:
        return None
    lines: list[str] = []
    size = 0
    base = f"{reader.root}/{folder}"
    for parent, folders, names in os.walk(base, followlinks=False):
        folders.sort()
        for name in sorted(names):
            file = Path(parent) / name
            if not file.is_file() or file.is_symlink():
                continue
            path = os.path.relpath(file, base)
            if len(lines) >= HASHED_FILES or shown(path) != path:
                return None
            data = reader.extra(f"{folder}/{path}")  # noqa: S610 - a file beside the listed ones
            size += len(data or b"")
            if data is None or size > HASHED_BYTES:
                return None
            lines.append(f"{path}\0{hashlib.sha256(data).hexdigest()}\n")
    return hashlib.sha256("".join(sorted(lines)).encode()).hexdigest() if lines else None
