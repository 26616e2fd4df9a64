"""New test runs of the `descriptions` family: the skill with its description as it is now."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from evalcore.disk.files import Files
from evalcore.families.descriptions.aggregates import description_hash, measured
from evalcore.families.graded import (
    Graded,
    Verdict,
    claims_of,
    counts,
    explained,
    feedback_of,
    judged_by,
)
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
    test_run,
    value_there,
)
from evalcore.proposals.proposal import Proposal
from evalcore.tables.cells import cells
from evalcore.tables.snapshot import Tables

_CONFIDENCE: Final = (("high", 0.8), ("medium", 0.5))
"""From which stated confidence on each word is written, as the documents know words only."""


class DescriptionRuns(Running):
    """One run of every case makes a run folder; a changed description is a new version."""

    has_conventions = False

    def offer(self, suite: Suite) -> Offer:
        """Return the version of the description in the skill: a known one, else the next."""
        digest = description_hash(suite.files, suite.skill_path)
        rows = cells(suite.tables, "versions", "suite", "version", "content_hash")
        known = {label: stated for own, label, stated in rows if own == suite.suite}
        numbers = [int(label[1:]) for label in known if label[1:].isdecimal()]
        starts = {label: stated.lower() for label, stated in known.items() if stated}
        same = (label for label, start in starts.items() if digest and digest.startswith(start))
        label = next(same, None)
        version = label or f"d{max(numbers, default=0) + 1}"
        why = None if digest else "The description of the skill cannot be read from its SKILL.md."
        target = Target(version, ONLY, suite.skill_path, label is None, why)
        return Offer((target,), (target,), 1)

    def bases(self, suite: Suite) -> Sequence[str]:
        """Return the skill's folder."""
        return [each for each in (suite.skill_path, suite.root) if each is not None]

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

    def grading_path(self, run: TestRun) -> str:
        """Return the path of the grading of the case in the run folder."""
        return f"{run.place}/grading/{run.case}.json"

    def shown(self, run: TestRun) -> str:
        """Return the document of the output."""
        return f"{run.place}/{run.case}.json"

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
        feedback = feedback_of(graded)
        value: dict[str, Any] = {
            "test_case_id": case.id,
            "run_id": run.run,
            "timestamp": graded.judged_at,
            "assertions": [
                {
                    "assertion": next(c.text for c in case.criteria if c.name == each.name),
                    "result": "pass" if each.passed else "fail",
                    "confidence": _confidence(each),
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
        """Return the benchmark with an entry for each run folder."""
        names = list(dict.fromkeys(run.run for run in runs))
        number = int(runs[0].version[1:])
        digest = description_hash(files, runs[0].skill)
        return [measured(tables, files, suite, number, digest, names)]


def _confidence(verdict: Verdict) -> str:
    """Return the word for a stated confidence; what a rule or a person decides is certain."""
    if verdict.confidence is None:
        return "high"
    return next((word for word, least in _CONFIDENCE if verdict.confidence >= least), "low")


RUNNING: Final = DescriptionRuns()
