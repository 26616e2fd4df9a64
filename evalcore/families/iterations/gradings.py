"""One run's documents to rows: grading.json, structural.json and timing.json of a run folder."""

from datetime import datetime
from typing import Any, NamedTuple

from evalcore.disk.reader import MISSING, Reader
from evalcore.disk.values import Node, parse_time
from evalcore.families.iterations.cases import Case, add_criterion
from evalcore.families.iterations.remarks import add_remarks
from evalcore.ids import run_id
from evalcore.layouts.iterations import RunPlace
from evalcore.numbers import disagrees, weighted_mean
from evalcore.tables.builder import Rows
from evalcore.tables.rows import JudgmentRow, RunRow, RunScoreRow

RUBRIC_MAX = 5.0
LISTS = ("expectations", "assertions", "assertion_results", "results")
EVIDENCE = ("evidence", "reason", "reasoning", "notes")


class Place(NamedTuple):
    """A run with everything around it that its rows need."""

    suite: str
    at: RunPlace
    case: Case
    judge: str | None
    rubric: bool
    gate: bool
    model: str | None


class Facts(NamedTuple):
    """The numbers of one run that aggregates are made of."""

    version: str
    configuration: str
    case_id: str
    run_id: str
    pass_rate: float | None
    structural_rate: float | None
    normalized: float | None
    seconds: float | None
    tokens: float | None
    dimensions: dict[str, float]
    passed: int | None
    total: int | None


class Checks(NamedTuple):
    """How many of a list of pass/fail items passed; `unscored` ones have no verdict."""

    passed: int
    scored: int
    unscored: int

    @property
    def rate(self) -> float | None:
        """The share of scored items that passed."""
        return self.passed / self.scored if self.scored else None


NOTHING = Checks(0, 0, 0)


class RunReader:
    """Reads the runs of one suite into rows."""

    def __init__(self, reader: Reader, rows: Rows, suite: str) -> None:
        self.reader = reader
        self.rows = rows
        self.suite = suite
        self.add_judgment = rows.tables["judgments"].add
        self.judged: dict[str, int] = {}

    def read(self, place: Place, grading: Any, grading_path: str | None, structural_path: str | None,
             timing_path: str | None, outputs: str | None) -> Facts:  # fmt: skip
        """Add the rows of one run and return its numbers."""
        at = place.at
        key = run_id(place.suite, place.case.case_id, at.version, at.configuration, at.run)
        doc = Node(
            self.reader,
            grading_path or "",
            grading if isinstance(grading, dict) else {},
            "",
            place.suite,
        )
        if grading_path and grading is not MISSING and not isinstance(grading, dict):
            Node(self.reader, grading_path, grading, "", place.suite).wrong_here("an object")
        checks = (
            self.items(key, place.case, doc, None, "llm", "expectation")
            if grading_path
            else NOTHING
        )
        structural, gate, blocked = self._structural(key, place, structural_path)
        mean, dimensions = self._rubric(key, place, doc)
        seconds, tokens, cost, started = self._timing(timing_path, doc)
        facts = Facts(at.version, at.configuration, place.case.case_id, key, checks.rate, structural.rate,
                      None if mean is None else mean / RUBRIC_MAX, seconds, tokens, dimensions,
                      checks.passed if checks.scored else None, checks.scored if checks.scored else None)  # fmt: skip
        rubric = place.rubric and (
            bool(dimensions) or bool(place.case.dimensions) or structural_path is not None
        )
        score: float | None
        if rubric:
            score, top, fraction = mean, RUBRIC_MAX, facts.normalized
        else:
            score, top = (
                (float(checks.passed), float(checks.scored)) if checks.scored else (None, None)
            )
            fraction = checks.rate
        counted = structural if structural.scored else checks
        status = "not_run" if blocked else "gate_failed" if gate is False else "completed"
        self.rows.add(RunRow(
            key, place.suite, place.case.case_id, at.version, at.configuration, at.run,
            f"{at.version}/{at.configuration}", "grading", status, False if gate is False else None, score, top,
            fraction, counted.passed if counted.scored else None, counted.scored or None, None, gate, None,
            place.judge, "llm", None, place.model, started, seconds, tokens, cost, outputs,
            grading_path or structural_path, "",
        ))  # fmt: skip
        judged = len(dimensions) + checks.scored + structural.scored
        expected = max(len(place.case.dimensions), len(dimensions)) + checks.scored + checks.unscored \
            + structural.scored + structural.unscored  # fmt: skip
        self.rows.add(
            RunScoreRow(
                key,
                place.judge,
                "llm",
                score,
                top,
                False if gate is False else None,
                judged,
                expected,
            )
        )
        if grading_path:
            self._check_summary(doc, checks)
            add_remarks(self.rows, place.suite, key, place.case.case_id, at.version, doc)
        return facts

    def items(
        self, key: str, case: Case, doc: Node, judge: str | None, judge_type: str, kind: str
    ) -> Checks:
        """Add one judgment an item of a grading's list of pass/fail items."""
        name = next((n for n in LISTS if isinstance(doc.get(n), list)), None)
        if name is None:
            if doc.get("expectations") is not None:
                doc.wrong("expectations", "a list")
            return NOTHING
        passed_count = scored = unscored = 0
        seen: dict[str, int] = {}
        add, alias, criteria = self.add_judgment, case.alias, case.criteria
        base = f"{doc.at}/{name}/"
        for index, item in enumerate(doc.get(name)):
            at = base + str(index)
            if type(item) is not dict:
                Node(self.reader, doc.path, item, at, self.suite).wrong_here("an object")
                continue
            text = item.get("text")
            if type(text) is not str:
                text = self._label(doc, item, at)
            passed = item.get("passed")
            if type(passed) is not bool:
                passed = self._verdict(doc, item, at)
            evidence = item.get("evidence")
            if type(evidence) is not str:
                evidence = self._evidence(doc, item, at)
            text = alias[text] if text in alias else case.known_as(kind, text)
            count = seen[text] = seen.get(text, 0) + 1
            label = text if count == 1 else f"{text}#{count}"
            if (kind, label) not in criteria:
                add_criterion(case, self.suite, kind, label, text, doc.path, at)
            if passed is None:
                unscored += 1
                add(JudgmentRow(key, kind, label, judge, judge_type, None, 0.0, 1.0, None, None, None, None, None,
                                "unscored", doc.path, at, None, evidence))  # fmt: skip
                continue
            scored += 1
            passed_count += passed
            value = 1.0 if passed else 0.0
            add(JudgmentRow(key, kind, label, judge, judge_type, value, 0.0, 1.0, value, passed, None, None, None,
                            "scored", doc.path, at, None, evidence))  # fmt: skip
        self.judged[doc.path] = self.judged.get(doc.path, 0) + scored + unscored
        return Checks(passed_count, scored, unscored)

    def _label(self, doc: Node, item: dict[str, Any], at: str) -> str:
        node = Node(self.reader, doc.path, item, at, self.suite)
        for key in ("expectation", "assertion", "description", "name", "id", "text"):
            found = node.text(key)
            if found:
                return found
        return f"item {at.rpartition('/')[2]}"

    def _verdict(self, doc: Node, item: dict[str, Any], at: str) -> bool | None:
        """Read a verdict under another name or as a word; None is a missing one."""
        for key in ("passed", "pass", "result", "status"):
            value = item.get(key)
            if isinstance(value, bool):
                return value
            if isinstance(value, str) and value.strip().lower() in (
                "pass",
                "passed",
                "fail",
                "failed",
            ):
                return value.strip().lower().startswith("pass")
        node = Node(self.reader, doc.path, item, at, self.suite)
        if item.get("passed") is not None:
            node.wrong("passed", "true or false")
        else:
            node.note("warning", "no-verdict", "This item has no verdict; it counts as not scored.",
                      "Write passed: true or false.")  # fmt: skip
        return None

    def _evidence(self, doc: Node, item: dict[str, Any], at: str) -> str | None:
        node = Node(self.reader, doc.path, item, at, self.suite)
        return next((found for key in EVIDENCE if (found := node.text(key)) is not None), None)

    def _rubric(self, key: str, place: Place, doc: Node) -> tuple[float | None, dict[str, float]]:
        """Add the judgments of the quality rubric; return its weighted mean and the scores by dimension."""
        scores: dict[str, float] = {}
        pairs: list[tuple[float, float]] = []
        for name, node in doc.fields("rubric_scores"):
            score = self._dimension(key, place, name, node)
            if score is not None:
                scores[name] = score
                known = place.case.dimensions.get(name)
                pairs.append((score, known.weight if known else 1.0))
        self.judged[doc.path] = self.judged.get(doc.path, 0) + len(scores)
        mean = weighted_mean(pairs)
        summary = doc.child("rubric_summary")
        if mean is not None and isinstance(summary.value, dict):
            _compare(summary, "weighted_mean", mean)
            _compare(summary, "normalized", mean / RUBRIC_MAX)
        return mean, scores

    def _dimension(self, key: str, place: Place, name: str, node: Node) -> float | None:
        bare = not isinstance(node.value, dict)
        score = node.value if bare else node.get("score")
        why = None if bare else node.text("evidence") or node.text("reasoning")
        known = place.case.dimensions.get(name)
        if place.case.dimensions and known is None:
            node.note("warning", "unknown-dimension", f"The rubric of this case has no dimension {name!r}; weight 1 is used.",
                      "Use the names of evals.json.")  # fmt: skip
        if ("rubric", name) not in place.case.criteria:
            add_criterion(
                place.case,
                self.suite,
                "rubric",
                name,
                name,
                node.path,
                node.at,
                scale=(1.0, RUBRIC_MAX),
            )
        valid = (
            isinstance(score, (int, float))
            and not isinstance(score, bool)
            and 1 <= score <= RUBRIC_MAX
        )
        if not valid and score is not None:
            node.note("warning", "out-of-scale", f"The score {score!r} is not on the scale 1 to 5; it counts as not scored.",
                      "Judge this dimension again.")  # fmt: skip
        value = float(score) if valid else None
        self.add_judgment(JudgmentRow(
            key, "rubric", name, place.judge, "llm", value, 1.0, RUBRIC_MAX,
            None if value is None else value / RUBRIC_MAX, None, None, None, None,
            "unscored" if value is None else "scored", node.path, node.at, None, why,
        ))  # fmt: skip
        return value

    def _structural(
        self, key: str, place: Place, path: str | None
    ) -> tuple[Checks, bool | None, bool]:
        """Add structural checks; return their counts, the gate, and whether a critical check was not run."""
        value = self.reader.json(path) if path is not None else MISSING
        if path is None or value is MISSING:
            return NOTHING, None, False
        doc = Node(self.reader, path, value, "", self.suite)
        passed_count = scored = unscored = 0
        gate, blocked = True, False
        for item in doc.items("expectations"):
            name = item.text("id") or item.text("text") or f"item {item.at.rpartition('/')[2]}"
            critical = item.flag("critical")
            if critical is None:
                critical = place.case.critical.get(name, False)
            not_run = item.get("status") == "not_run"
            passed = None if not_run else item.flag("passed")
            if passed is None:
                unscored += 1
                blocked = blocked or (critical and not_run)
            else:
                scored += 1
                passed_count += passed
                gate = gate and (passed or not critical)
            self._check(key, place.case, item, name, critical, passed)
        self.judged[path] = scored + unscored
        checks = Checks(passed_count, scored, unscored)
        self._check_summary(doc, checks)
        stored = doc.flag("gate_passed")
        if stored is not None and stored != gate and not blocked:
            doc.note("warning", "derived-mismatch", f"gate_passed is {_word(stored)}, its critical checks say {_word(gate)}.",
                     "Recompute gate_passed.", "gate_passed")  # fmt: skip
        return checks, None if blocked or not (scored + unscored) else gate, blocked

    def _check(
        self, key: str, case: Case, item: Node, name: str, critical: bool, passed: bool | None
    ) -> None:
        if ("structural", name) not in case.criteria:
            add_criterion(
                case,
                self.suite,
                "structural",
                name,
                item.text("text"),
                item.path,
                item.at,
                critical=critical,
            )
        value = None if passed is None else 1.0 if passed else 0.0
        self.add_judgment(JudgmentRow(
            key, "structural", name, None, "heuristic", value, 0.0, 1.0, value, passed, None, None, None,
            "unscored" if passed is None else "scored", item.path, item.at, None, item.text("evidence"),
        ))  # fmt: skip

    def _timing(
        self, path: str | None, doc: Node
    ) -> tuple[float | None, float | None, float | None, datetime | None]:
        """Return seconds, tokens, cost and the start; 0 and null both mean "not measured"."""
        value = self.reader.json(path) if path is not None else MISSING
        timing = Node(self.reader, path or "", {} if value is MISSING else value, "", self.suite)
        inner = doc.child("timing")
        seconds = _measured(timing, "total_duration_seconds") or _measured(
            timing, "duration_seconds"
        )
        millis = _measured(timing, "duration_ms")
        seconds = seconds or (millis / 1000 if millis else None)
        seconds = (
            seconds
            or _measured(inner, "total_duration_seconds")
            or _measured(inner, "executor_duration_seconds")
        )
        tokens = _measured(timing, "total_tokens") or _measured(inner, "total_tokens")
        cost = _measured(timing, "cost_usd") or _measured(timing, "total_cost_usd")
        if path is not None and value is not MISSING:
            self.judged[path] = 1
        return seconds, tokens, cost, _started(doc, timing, inner)

    def _check_summary(self, doc: Node, checks: Checks) -> None:
        """Compare a stored summary with its own list."""
        summary = doc.get("summary")
        if type(summary) is not dict or not checks.scored:
            return
        total = checks.scored + checks.unscored
        if (summary.get("passed") == checks.passed and summary.get("total") == total
                and summary.get("failed") == total - checks.passed
                and summary.get("pass_rate") == checks.passed / total):  # fmt: skip
            return
        node = doc.child("summary")
        _compare(node, "passed", float(checks.passed))
        _compare(node, "failed", float(total - checks.passed))
        _compare(node, "total", float(total))
        _compare(node, "pass_rate", checks.passed / total)


def _started(doc: Node, *timings: Node) -> datetime | None:
    """Return when a run started, from the first of the names that is used."""
    for node in timings:
        for key in ("executor_start", "start_time", "started_at", "start"):
            found = parse_time(node.get(key))
            if found is not None:
                return found
    return parse_time(doc.get("timestamp"))


def _measured(node: Node, key: str) -> float | None:
    if not isinstance(node.value, dict) or node.get(key) in (None, 0):
        return None
    return node.number(key)


def _compare(node: Node, key: str, computed: float) -> None:
    stored = node.number(key)
    if stored is None:
        return
    whole = key in ("passed", "failed", "total")
    if (stored != computed) if whole else disagrees(stored, computed):
        node.note("warning", "derived-mismatch", f"{key} is {stored:g}, its parts give {computed:.6g}.",
                  f"Recompute {key}.", key)  # fmt: skip


def _word(value: bool) -> str:
    return "true" if value else "false"
