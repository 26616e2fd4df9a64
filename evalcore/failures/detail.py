"""Some failures with their words: what is wrong, which criteria, who says so."""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from evalcore.counting.cells import typed
from evalcore.counting.failure_rows import ids_in
from evalcore.counting.people import Scores
from evalcore.failures.find import ORIGINS, failures
from evalcore.failures.rules import RULES, SEVERITIES, TYPES
from evalcore.families.reviews.lookup import KINDS
from evalcore.families.reviews.review import FailureType, Severity
from evalcore.tables.rows import FailureRow, JudgmentRow, RunRow
from evalcore.workspace.opened import Workspace

ENDINGS = {
    "gate_failed": "The structural gate failed.",
    "timeout": "The run ran out of time.",
    "refused": "The model refused.",
    "length_cut": "The run was cut off at a limit.",
}


class Affected(NamedTuple):
    """A criterion that failed, with the score on its scale and the judge's reason.

    Without a reason of its own, that is the evidence, which then is empty.
    """

    kind: str
    criterion: str
    score: float | None
    max_score: float | None
    reason: str
    evidence: str = ""

    @property
    def key(self) -> str:
        """How records name it: `kind:criterion`."""
        return f"{self.kind}:{self.criterion}" if self.kind else self.criterion


class Failure(NamedTuple):
    """One failure; `place` is its place in `failures`.

    `named_run` is the run as a record names it; where it is not here, `run_id` is None. `type` is
    None if it is not classified, `severity` if it is not said. `rule` and `why` are of a guess,
    `failure_id` and `replaces` (the ids that a new record supersedes) of a record. `stated` are the
    criteria that a record names, `failed` those that the scores say failed.
    """

    place: int
    suite: str
    run_id: str | None
    named_run: str | None
    case_id: str | None
    version: str | None
    configuration: str | None
    run: str | None
    status: str | None
    at: datetime | None
    type: FailureType | None
    severity: Severity | None
    origin: str
    rule: str | None
    why: str
    description: str
    root_cause: str | None
    stated: tuple[str, ...]
    failed: tuple[Affected, ...]
    resolved_at: datetime | None
    resolution_notes: str | None
    author: str | None
    failure_id: str | None
    replaces: tuple[str, ...]
    source: str | None

    @property
    def criteria(self) -> tuple[str, ...]:
        """The affected criteria: those that a record names, else those that failed."""
        return self.stated or tuple(each.key for each in self.failed)

    @property
    def conflict(self) -> bool:
        """Whether several records stand side by side, so that somebody has to decide."""
        return len(self.replaces) > 1


def split_kind(name: str) -> tuple[str, str]:
    """Return kind and criterion of a name in a record; the kind is empty where it says none."""
    kind, colon, criterion = name.partition(":")
    return (kind, criterion) if colon and kind in KINDS else ("", name)


def described(
    ws: Workspace, suite: str, places: Iterable[int], scores: Scores = "recorded"
) -> list[Failure]:
    """Return some failures of a suite, in the given order."""
    found = failures(ws, suite, scores)
    made = []
    for at in map(int, places):
        judgments = found.rows[found.first[at] : found.first[at + 1]]
        failed = tuple(
            Affected(
                each.kind or "",
                each.criterion or "",
                each.score,
                each.max_score,
                (each.rationale or "").strip() or (each.evidence or "").strip(),
                (each.evidence or "").strip() if (each.rationale or "").strip() else "",
            )
            for each in typed(ws, "judgments", JudgmentRow, judgments)
        )
        place, kind, severe, rule = (
            int(of[at]) for of in (found.run, found.type, found.severity, found.rule)
        )
        run = typed(ws, "runs", RunRow, [place])[0] if place >= 0 else None
        record = int(found.record[at])
        said = typed(ws, "failures", FailureRow, [record])[0] if record >= 0 else None
        made.append(
            Failure(
                place=at,
                suite=suite,
                run_id=run and run.run_id,
                named_run=said and said.named_run,
                case_id=run and run.case_id,
                version=run and run.version,
                configuration=run and run.configuration,
                run=run and run.run,
                status=run and run.status,
                at=(run and run.started_at) or (said and said.created_at),
                type=TYPES[kind] if kind >= 0 else None,
                severity=SEVERITIES[severe] if severe >= 0 else None,
                origin=ORIGINS[int(found.origin[at])],
                rule=RULES[rule].name if rule >= 0 else None,
                why=RULES[rule].why if rule >= 0 else "",
                description=(said and said.description) or _words(run, failed),
                root_cause=said and said.root_cause,
                stated=tuple(ids_in(said.criteria)) if said else (),
                failed=failed,
                resolved_at=said and said.resolved_at,
                resolution_notes=said and said.resolution_notes,
                author=said and said.author,
                failure_id=said and said.failure_id,
                replaces=(said.failure_id or "", *ids_in(said.rivals)) if said else (),
                source=(said and said.source) or (run and run.source),
            )
        )
    return made


def _words(run: RunRow | None, failed: tuple[Affected, ...]) -> str:
    """Return what is wrong as the scores say it: how the run ended, or the first reason."""
    if run is not None and run.status in ENDINGS:
        return ENDINGS[run.status]
    if not failed:
        return "The run did not pass; no criterion says why."
    first = failed[0]
    return f"{first.criterion}: {first.reason}" if first.reason else first.criterion
