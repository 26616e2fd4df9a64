"""What is written of a suite of `descriptions`: new test runs, comparisons, and its benchmark."""

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from datetime import UTC, datetime
from typing import Any, Final

import msgspec

from evalcore.disk.files import Files
from evalcore.disk.parsing import parse
from evalcore.disk.values import parse_time
from evalcore.errors import PathOutside
from evalcore.families.aggregating import Aggregates
from evalcore.families.base import PENDING
from evalcore.families.comparing import (
    SIDE,
    Compared,
    Comparing,
    Written,
    compared_by,
    contradicts,
    name_of,
    scored,
)
from evalcore.families.descriptions.read import SPREAD
from evalcore.families.graded import (
    Graded,
    Verdict,
    claims_of,
    counts,
    explained,
    feedback_of,
    judged_by,
)
from evalcore.families.gradings import UNASSIGNED
from evalcore.families.metrics import statistics
from evalcore.families.running import (
    ONLY,
    PRODUCED,
    Case,
    Document,
    Execution,
    KnownRun,
    Offer,
    Running,
    Suite,
    Target,
    TestRun,
    below,
    test_run,
    value_there,
    values_of,
)
from evalcore.numbers import disagrees, mean, whole
from evalcore.proposals.proposal import Proposal, merged, stored
from evalcore.proposals.proposal import Target as Proposed
from evalcore.proposals.stats import shortened
from evalcore.tables.cells import cells
from evalcore.tables.snapshot import Tables

_CONFIDENCE: Final = (("high", 0.8), ("medium", 0.5))
"""From which stated confidence on each word is written, as the documents know words only."""


class DescriptionRuns(Running):
    """One run of every case makes a run folder; a changed description is a new version."""

    grading_place = "{place}/grading/{case}.json"
    shown_place = "{place}/{case}.json"

    def offer(self, suite: Suite) -> Offer:
        """Return the version of the description in the skill: a known one, else the next."""
        digest = description_hash(suite.files, suite.skill_path)
        known: dict[str, str | None] = dict(suite.rows("versions", "version", "content_hash"))
        numbers = [int(label[1:]) for label in known if label[1:].isdecimal()]
        starts = {label: stated.lower() for label, stated in known.items() if stated}
        same = (label for label, start in starts.items() if digest and digest.startswith(start))
        label = next(same, None)
        version = label or f"d{max(numbers, default=0) + 1}"
        why = None if digest else "The description of the skill cannot be read from its SKILL.md."
        target = Target(version, ONLY, suite.skill_path, label is None, why)
        return Offer((target,), (target,), 1)

    def case(self, suite: Suite, case: Case) -> Case:
        """Return a case with the digest of the description that it is run with."""
        digest = description_hash(suite.files, suite.skill_path)
        return msgspec.structs.replace(case, definition={"description_hash": digest})

    def runs(self, suite: Suite, case: Case, target: Target, count: int, at: str) -> list[TestRun]:
        """Return one run of the case for each run folder of this plan."""
        # Named by their time, and a number where one plan makes several.
        digits = "".join(each for each in at if each.isdigit())[:17]
        first = f"{digits[:8]}-{digits[8:]}"
        names = [f"{first}-{number + 1}" if number else first for number in range(count)]
        known = suite.documents.get("eval_metadata", ())
        path = next(iter(known), suite.below("eval_metadata.json"))
        home = path[: path.rfind("/") + 1]
        return [test_run(suite, case, target, name, f"{home}runs/{name}") for name in names]

    def next_place(self, run: TestRun) -> tuple[str, str]:
        """Return the name with the next number, and its folder."""
        day, time, *number = run.run.split("-")
        name = f"{day}-{time}-{int(number[0]) + 1 if number else 2}"
        return name, run.place.removesuffix(run.run) + name

    def stored(self, suite: Suite, run: KnownRun) -> str | None:
        """Return the produced files in the document of a run, else its output."""
        if run.outputs is None:
            return None
        there = (at for at in (PRODUCED, "/output") if value_there(suite, run.outputs, at))
        return next((f"{run.outputs}#{at}" for at in there), None)

    def documents(self, case: Case, run: TestRun, done: Execution) -> list[Document]:
        """Return the output."""
        value: dict[str, Any] = {
            "test_case_id": case.id,
            "run_id": run.run,
            "description_version": int(run.version[1:]),
            "description_hash": case.definition["description_hash"],
            "prompt": case.prompt,
            "output": done.reply,
        }
        if isinstance(done.output, dict) and done.files:
            value["files"] = {name: done.output.get(name) for name in done.files}
        return [Document(f"{run.place}/{case.id}.json", value)]

    def grading(self, case: Case, run: TestRun, done: Execution, graded: Graded) -> list[Document]:
        """Return the grading, if every assertion was decided."""
        if not graded.complete or not graded.judged:
            return []

        def confidence(said: Verdict) -> str:
            """Return the word for it; what a rule or a person decides is certain."""
            stated = 1.0 if said.confidence is None else said.confidence
            return next((word for word, least in _CONFIDENCE if stated >= least), "low")

        feedback = feedback_of(graded)
        texts = {each.name: each.text for each in reversed(case.criteria)}
        value: dict[str, Any] = {
            "test_case_id": case.id,
            "run_id": run.run,
            "timestamp": graded.judged_at,
            "assertions": [
                {
                    "assertion": texts[each.name],
                    "result": "pass" if each.passed else "fail",
                    "confidence": confidence(each),
                    "evidence": explained(each),
                }
                for each in graded.judged
            ],
            "overall_score": counts(graded.judged)["pass_rate"],
            "factual_issues": [
                ": ".join(filter(None, (claim["claim"], claim["evidence"])))
                for claim in claims_of(graded)
                if claim["type"] == "factual" and not claim["verified"]
            ],
            "eval_critique": {
                "vague_assertions": [f"{each.text}: {each.why}" for each in feedback.vague],
                "missing_coverage": list(feedback.missing),
                "suggested_assertions": list(feedback.suggested),
            },
            "timing": {
                "start": done.started_at,
                "end": done.ended_at,
                "duration_seconds": round(done.seconds or 0.0, 3),
            },
            **judged_by(graded),
        }
        return [Document(self.grading_path(run), value)]

    def aggregates(
        self, tables: Tables, files: Files, suite: str, runs: Sequence[TestRun]
    ) -> list[Proposal] | None:
        """Return the benchmark with an entry for each run folder, all of one description.

        A run that an entry names is left as it is; one of which a grading is lacking makes none.
        """
        number = int(runs[0].version[1:])
        file = BenchmarkFile(tables, files, suite, f"d{number}")
        if file.is_ours:
            digest = description_hash(files, runs[0].skill)
            rows = values_of(tables, "runs", suite, "run", "status")
            skipped = {run for run, status in rows if status == PENDING}
            skipped |= {run for entry in file.value["entries"] for run in _named(entry)}
            for run in dict.fromkeys(each.run for each in runs):
                if run in file.runs and run not in skipped:
                    file.add_entry(number, digest, [run])
            current = file.current
            now = number if current is None else max(current, number)
            file.value["description_version"] = now
        return [file.proposal()]


RUNNING: Final = DescriptionRuns()


SCALE: Final = (1, 5)
_COMPARED: Final = re.compile(r"d\d{1,15}(\.\d{1,15})?")


def written(study: Compared) -> Written:
    """Return a comparison for each verdict; none where its form cannot hold the scores.

    Where nobody won, both sides have the mean of their scores.
    """
    if study.scale != SCALE:
        return Written(left_out=("No comparison.json: it needs scores from 1 to 5.",))
    if not all(map(_COMPARED.fullmatch, (study.version_a, study.version_b))):
        return Written(left_out=("No comparison.json: it names versions by their numbers.",))
    held = [each for each in study.verdicts if not contradicts(each)]
    documents = []
    for said in held:
        scores = list(scored(said))
        if SIDE[said.winner] == "tie":  # the winner of this form follows from the totals
            means = ((name, whole((a + b) / 2)) for name, a, b in scores)
            scores = [(name, both, both) for name, both in means]
        value = {
            "comparison_id": name_of(said),
            "timestamp": said.at,
            "version_a": whole(float(said.left.removeprefix("d"))),
            "version_b": whole(float(said.right.removeprefix("d"))),
            "test_case_id": said.case,
            "criteria_scores": [
                {
                    "criterion": name,
                    "score_a": a,
                    "score_b": b,
                    "justification_a": said.reasons.get(name, ("", ""))[0],
                    "justification_b": said.reasons.get(name, ("", ""))[1],
                }
                for name, a, b in scores
            ],
            "total_score_a": sum(a for _, a, _ in scores),
            "total_score_b": sum(b for _, _, b in scores),
            "winner": SIDE[said.winner],
            "key_differentiators": list(said.differences),
            "summary": said.explained,
            **compared_by(said),
        }
        path = study.below("comparisons", f"{name_of(said)}.json")
        documents.append(Document(path, value))
    other = len(study.verdicts) - len(held)
    why = f"{other:,} × comparison.json: the loser has the higher total, which its form excludes."
    return Written(tuple(documents), (why,) if other else ())


COMPARING: Final = Comparing(written, "description")


_LABEL: Final = re.compile(r"d?(\d+)")
_FRONT: Final = re.compile(r"\A---\r?\n(.*?)^---\s*$", re.DOTALL | re.MULTILINE)
_TEXT: Final = re.compile(r"^description:[ \t]*(\S.*?)[ \t]*\r?$(?!\n[ \t]+\S)", re.MULTILINE)
_QUOTED: Final = re.compile(r"(?P<quote>['\"])([^'\"\\]*)(?P=quote)")


class BenchmarkFile:
    """The benchmark.json of a suite as it shall be; where there is none, a new one."""

    def __init__(self, tables: Tables, files: Files, suite: str, version: str | None) -> None:
        (root, self.skill, name), *_ = values_of(
            tables, "suites", suite, "root", "skill_path", "name"
        )
        listed = values_of(tables, "documents", suite, "path", "kind")
        beside = (path for path, kind in listed if kind in ("eval_metadata", "benchmark"))
        near = next(beside, below(root, "benchmark.json"))
        self.path = f"{near[: near.rfind('/') + 1]}benchmark.json"
        self.files = files
        self.target = Proposed(suite, version, self.path)
        self.stored = stored(files, self.path)
        self.value: Any = {
            "skill_name": name,
            "description_version": _number(version),
            "created_at": _now(),
            "entries": [],
        }
        if self.stored is not None:
            self.value = self.stored.value
            self.value = deepcopy(self.value) if self.is_ours else self.value
        self.runs: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
        """Test case, score, seconds and grading of each test case of a run."""
        self.free: dict[str, None] = {}
        """The runs without an entry."""
        names = ("run", "version", "status", "case_id", "fraction", "duration_s", "source")
        for run, own, status, *case in values_of(tables, "runs", suite, *names):
            if status != PENDING:
                self.runs[run].append(tuple(case))
                if own == UNASSIGNED:
                    self.free[run] = None

    @property
    def is_ours(self) -> bool:
        """Whether it holds a list of entries."""
        entries = self.value.get("entries") if isinstance(self.value, dict) else None
        return isinstance(entries, list) and all(isinstance(each, dict) for each in entries)

    @property
    def current(self) -> int | None:
        """The number of the current description."""
        return _number(self.value.get("description_version"))

    def add_entry(self, number: int, digest: str | None, runs: Sequence[str]) -> None:
        """Add the entry of a description version, measured by some runs together."""
        sources = [source for run in runs for *_, source in self.runs[run]]
        stated = [parse(self.files.read(source)).get("timestamp") for source in sources]
        times = {time: text for text in stated if (time := parse_time(text)) is not None}
        cases = self.cases(runs)
        numbers = _numbers({}, cases)
        self.value["entries"].append(
            {
                "description_version": number,
                **({"description_hash": digest} if digest else {}),
                "timestamp": times[max(times)] if times else _now(),  # of the last grading
                **({"run_id": runs[0]} if len(runs) == 1 else {"run_ids": list(runs)}),
                "scores": numbers.pop("scores"),
                "per_test_case": cases,
                **numbers,
            }
        )

    def cases(self, runs: Iterable[str]) -> list[dict[str, Any]]:
        """Return the test cases of some runs as an entry has them, each the mean over the runs."""
        scores, seconds = defaultdict[str, list[Any]](list), defaultdict[str, list[Any]](list)
        for case_id, score, duration, _ in (case for run in runs for case in self.runs[run]):
            scores[case_id].append(score)
            seconds[case_id].append(duration)
        return [
            {
                "test_case_id": case_id,
                "score": _short(mean(scores[case_id])),
                "duration_seconds": _short(mean(seconds[case_id])),
            }
            for case_id in scores
        ]

    def proposal(self, messages: Sequence[str] = ()) -> Proposal:
        """Return what has become of it as a proposal."""
        if not self.is_ours:
            return self.target.left("It contains no list of entries, so it was left unchanged.")
        if self.stored is not None:
            return self.target.changed(self.stored, self.value, *messages)
        if self.value["entries"]:
            return self.target.fresh(self.value, *messages)
        return self.target.left(*messages)


def aggregates(
    tables: Tables, files: Files, suite: str, version: str | None, *, replace: bool
) -> Iterator[Proposal]:
    """Yield proposals for the benchmark of a suite.

    An entry is added for runs without one: they are of the current description unless `version`
    says another one. Existing entries are corrected if their runs differ.
    """
    del replace  # a benchmark of another shape is none of this family
    label, file = _number(version), BenchmarkFile(tables, files, suite, version)
    if not file.is_ours:
        yield file.proposal()
        return
    if version is not None and label is None:
        message = f"{version!r} is not a description version; they are called d1, d2."
        yield file.target.left(message)
        return
    messages: list[str] = []
    rows = cells(tables, "benchmark_runs", "source", "pointer", "runs")
    graded = {pointer for source, pointer, count in rows if source == file.path and count}
    entries = file.value["entries"]
    for index, entry in enumerate(entries):
        if label not in (None, _number(entry.get("description_version"))):
            continue
        at = f"Entry {index + 1}"
        if f"/entries/{index}" not in graded:
            messages.append(f"{at}: there are no gradings of it; it was left unchanged.")
            continue
        named = [run for run in _named(entry) if run in file.runs]
        listed = entry.get("per_test_case")
        old = {
            each["test_case_id"]: each
            for each in (listed if isinstance(listed, list) else ())
            if isinstance(each, dict) and isinstance(each.get("test_case_id"), str)
        }
        found = {case["test_case_id"]: case for case in file.cases(named)}
        if named and not old.keys() <= found.keys():
            messages.append(f"{at}: some of its cases have no gradings; it was left unchanged.")
            continue
        if found:
            entry["per_test_case"] = [merged(old.get(name, {}), found[name]) for name in found]
        entry.update(_numbers(entry, list((found or old).values())))
    if file.free:
        free = list(file.free)
        names = f"{', '.join(free[:5])}{' and others' if len(free) > 5 else ''}"
        number = file.current if label is None else label
        taken = {_number(entry.get("description_version")) for entry in entries}
        if number is None or (label is None and len(free) > 1):
            messages.append(
                f"No entry is of {names}: --version d2 says which description they measured."
            )
        elif number in taken:
            messages.append(
                f"No entry is of {names}, and d{number} has one. Write run_id into the entry that "
                "was made from it, or name another --version."
            )
        else:
            is_current = file.current in (None, number)
            digest = description_hash(files, file.skill) if is_current else None
            file.add_entry(number, digest, free)
            messages.append(f"d{number}: an entry was made from {names}.")
    yield file.proposal(messages)


def _named(entry: dict[str, Any]) -> list[str]:
    several = entry.get("run_ids")
    names = [entry.get("run_id"), *(several if isinstance(several, list) else ())]
    return [run for run in names if isinstance(run, str)]


def _numbers(entry: dict[str, Any], cases: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the numbers computed from an entry's test cases; equal stored ones are kept."""
    own = statistics(_value(case.get("score")) for case in cases)
    found = dict(zip(SPREAD, map(_short, own), strict=False))
    old = entry.get("scores")
    stated = old.get("std_dev") if isinstance(old, dict) else None
    if stated and own.stddev and own.n:
        of_population = own.stddev * ((own.n - 1) / own.n) ** 0.5
        if not disagrees(stated, of_population):
            found["std_dev"] = stated  # that of a population, which some tools write
    seconds = [s for case in cases if (s := _value(case.get("duration_seconds"))) is not None]
    new = {
        "scores": found,
        "num_test_cases": len(cases),
        "total_duration_seconds": _short(sum(seconds)) if seconds else None,
    }
    return {name: merged(entry.get(name), value) for name, value in new.items()}


def description_hash(files: Files, skill: str | None) -> str | None:
    """Return the SHA-256 of a skill's description; None if its text is uncertain."""
    if skill is None:
        return None
    try:
        text = files.read("SKILL.md" if skill == "." else f"{skill}/SKILL.md").decode()
    except (OSError, PathOutside, UnicodeDecodeError):
        return None
    front = _FRONT.match(text)
    line = _TEXT.search(front[1]) if front else None
    if line is None or line[1][0] in "|>&*!":
        return None
    quoted = _QUOTED.fullmatch(line[1])
    if quoted is None and line[1][0] in "'\"":
        return None
    return hashlib.sha256((quoted[2] if quoted else line[1]).encode()).hexdigest()


def _number(label: Any) -> int | None:
    """Return the number of a description version: 2 of 2, "2" or "d2"."""
    if type(label) is int:
        return label
    found = _LABEL.fullmatch(label.strip()) if isinstance(label, str) else None
    return int(found[1]) if found else None


def _value(stated: Any) -> float | None:
    return stated if type(stated) in (int, float) else None


def _short(value: float | None) -> float | None:
    return None if value is None else shortened(value)


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


AGGREGATES: Final = Aggregates(aggregates, unassigned=UNASSIGNED)
