"""Comparisons of prompts, failures, and the versions that records mention."""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from evalcore.disk.values import Node, parse_time
from evalcore.families.base import CURRENT, RECORDED
from evalcore.families.records.benchmarking import BenchmarkRun, add_references
from evalcore.families.records.links import Links, resolved
from evalcore.families.records.loading import Record
from evalcore.families.records.rubrics import Case
from evalcore.families.records.runs import Run
from evalcore.families.records.shapes import ORIGINATED_FROM, quoted
from evalcore.families.records.store import Store
from evalcore.families.records.values import names
from evalcore.shapes.prompts import names_of, prompt_in
from evalcore.tables.builder import Rows
from evalcore.tables.rows import ComparisonRow, FailureRow, VersionRow

_TIES = frozenset({"tie", "draw", "none", "equal"})
_NEVER = datetime.max.replace(tzinfo=UTC)


class Mention(NamedTuple):
    """A record that names a prompt version, and when."""

    version: str
    date: datetime | None
    record: Record
    pointer: str


def read_comparisons(
    store: Store, links: Links, benchmark_runs: Sequence[BenchmarkRun], rows: Rows
) -> list[Mention]:
    """Add the rows of every prompt comparison; return the versions they name."""
    mentions = []
    for record in store.all("prompt-comparison"):
        node = store.node(record)
        versions = (node.text("promptVersionA"), node.text("promptVersionB"))
        scores = (node.number("scoreA"), node.number("scoreB"))
        date = node.time("comparedAt")
        rows.add(
            ComparisonRow(
                comparison_id=record.id,
                suite=store.suite,
                version_a=versions[0],
                version_b=versions[1],
                winner=_winner(node, versions, scores),
                total_a=scores[0],
                total_b=scores[1],
                sample_size=node.whole("sampleSize"),
                versions_from="record",
                compared_at=date,
                summary=node.text("notes"),
                source=record.path,
                pointer=record.at,
                benchmark=node.text("benchmarkId"),
            )
        )
        add_references(store, links, record, versions, benchmark_runs, rows)
        for version, key in zip(versions, ("promptVersionA", "promptVersionB"), strict=True):
            if version:
                mentions.append(Mention(version, date, record, f"{record.fields_at}/{key}"))
    return mentions


def _winner(
    node: Node, versions: tuple[str | None, str | None], scores: tuple[float | None, float | None]
) -> str | None:
    """Return A, B or tie, from the version that the record names as winner.

    Null is a tie where the scores are equal; else nobody says who won.
    """
    named = node.text("winner")
    if named is None or named == "":
        tied = scores[0] is not None and scores[0] == scores[1] and "winner" in (node.value or {})
        return "tie" if tied else None
    if versions[0] == versions[1]:
        node.note(
            "warning",
            "same-version",
            f"Both sides are the version {quoted(versions[0])}; the winner is not known.",
            "Name two versions.",
        )
        return None
    winner = _side(named, versions)
    if winner is None:
        node.note(
            "warning",
            "unknown-winner",
            f"The winner {quoted(named)} is neither {quoted(versions[0])} nor "
            f"{quoted(versions[1])}.",
            "Name one of the two versions, or tie.",
            "winner",
        )
        return None
    first, second = scores
    if first is not None and second is not None:
        better = "tie" if first == second else "A" if first > second else "B"
        if better != winner:
            node.note(
                "warning",
                "winner-contradicts-scores",
                f"The winner is {quoted(named)}, but the scores are {first:g} for A and "
                f"{second:g} for B.",
                "Correct one of them.",
                "winner",
            )
    return winner


def _side(named: str, versions: tuple[str | None, str | None]) -> str | None:
    if named in versions:
        return "A" if named == versions[0] else "B"
    if named.lower() in _TIES:
        return "tie"
    return named.upper() if named.upper() in ("A", "B") else None


def read_failures(store: Store, links: Links, runs: Mapping[str, Run], rows: Rows) -> None:
    """Add the rows of every failure."""
    for record in store.all("eval-failure"):
        node = store.node(record)
        run = runs.get(links.target(ORIGINATED_FROM, record.id) or "")
        stated = names(node, "affectedCriterionIds")
        criteria = [resolved(store, "rubric-criterion", name) or name for name in stated]
        rows.add(
            FailureRow(
                suite=store.suite,
                failure_id=record.id,
                run_id=run.run_id if run else None,
                failure_type=node.text("failureType"),
                description=node.text("description"),
                criteria=json.dumps(criteria, ensure_ascii=False),
                severity=node.text("severity"),
                root_cause=node.text("rootCause") or None,
                resolved_at=node.time("resolvedAt"),
                resolution_notes=node.text("resolutionNotes"),
                source=record.path,
                pointer=record.at,
                named_run=node.text("testRunId"),
                author=store.head(record).text("createdBy"),
                created_at=parse_time(record.envelope.get("createdAt")),
                origin=RECORDED,
            )
        )


def add_versions(
    store: Store,
    cases: Mapping[str, Case],
    runs: Iterable[Run],
    compared: Sequence[Mention],
    rows: Rows,
) -> None:
    """Add one row for each prompt version, in the order of their first runs.

    Those of prompts that nothing here was run with or asks for come first, so that none of them
    passes for the newest.
    """
    first: dict[str, Mention] = {}
    for mention in (*_ran(runs), *compared, *_asked(store, cases)):
        known = first.get(mention.version)
        if known is None or (mention.date or _NEVER) < (known.date or _NEVER):
            first[mention.version] = mention
    asked = {prompt_in(version) for version in first} - {None}
    for mention in _kept(store, set(first)):
        first.setdefault(mention.version, mention)

    def order(mention: Mention) -> tuple[bool, datetime, list[tuple[int, str]]]:
        prompt = prompt_in(mention.version)
        return (not asked or prompt is None or prompt in asked, *_order(mention))

    for position, mention in enumerate(sorted(first.values(), key=order)):
        record = mention.record
        rows.add(
            VersionRow(
                suite=store.suite,
                version=mention.version,
                position=position,
                created_at=mention.date,
                source=record.path,
                pointer=mention.pointer,
            )
        )


def _ran(runs: Iterable[Run]) -> Iterator[Mention]:
    for run in runs:
        at = run.record.fields_at + ("/promptVersionRef" if run.version != CURRENT else "")
        yield Mention(run.version, run.started_at, run.record, at)


def _asked(store: Store, cases: Mapping[str, Case]) -> Iterator[Mention]:
    for record in store.all("test-case"):
        version = cases[record.id].version
        if version:
            yield Mention(version, None, record, f"{record.fields_at}/promptVersionRef")


def _kept(store: Store, named: Collection[str]) -> Iterator[Mention]:
    """Yield the versions of prompts whose records the store holds, called as it calls others."""
    known = [names_of({**each.envelope, **each.fields, "id": each.id}) for each in store.prompts]
    by_id = any(own[-1] in named for own in known)
    for record, own in zip(store.prompts, known, strict=True):
        label = next((each for each in own if each in named), own[-1 if by_id else 0])
        yield Mention(label, None, record, record.at)


def _order(mention: Mention) -> tuple[datetime, list[tuple[int, str]]]:
    parts = re.split(r"(\d+)", mention.version)
    natural = [(int(part) if part.isdecimal() and len(part) < 20 else -1, part) for part in parts]
    return mention.date or _NEVER, natural
