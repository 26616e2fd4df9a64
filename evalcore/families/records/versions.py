"""The versions of prompts that the records of a store mention, in order."""

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import NamedTuple

from evalcore.families.base import CURRENT
from evalcore.families.records.rubrics import Case
from evalcore.families.records.runs import Run
from evalcore.families.records.store import Record, Store
from evalcore.shapes.prompts import names_of, prompt_in
from evalcore.tables.builder import Rows
from evalcore.tables.rows import VersionRow

_NEVER = datetime.max.replace(tzinfo=UTC)


class Mention(NamedTuple):
    """A record that names a prompt version, and when."""

    version: str
    date: datetime | None
    record: Record
    pointer: str


def add_versions(
    store: Store,
    cases: Mapping[str, Case],
    runs: Iterable[Run],
    compared: Iterable[Mention],
    rows: Rows,
) -> None:
    """Add one row for each prompt version, in the order of their first runs.

    Those of prompts that nothing here was run with or asks for come first, so that none of them
    passes for the newest.
    """
    mentions = []
    for run in runs:
        at = run.record.fields_at + ("/promptVersionRef" if run.version != CURRENT else "")
        mentions.append(Mention(run.version, run.started_at, run.record, at))
    mentions.extend(compared)
    for record in store.all("test-case"):
        version = cases[record.id].version
        if version is not None:
            at = f"{record.fields_at}/promptVersionRef"
            mentions.append(Mention(version, None, record, at))
    first: dict[str, Mention] = {}
    for mention in mentions:
        known = first.get(mention.version)
        if known is None or (mention.date or _NEVER) < (known.date or _NEVER):
            first[mention.version] = mention
    asked = {prompt_in(version) for version in first} - {None}
    # Versions of which the store holds the records, called as it calls others.
    held = [names_of({**each.envelope, **each.fields, "id": each.id}) for each in store.prompts]
    named = set(first)
    by_id = any(names[-1] in named for names in held)
    for record, names in zip(store.prompts, held, strict=True):
        label = next((name for name in names if name in named), names[-1 if by_id else 0])
        first.setdefault(label, Mention(label, None, record, record.at))

    def order(mention: Mention) -> tuple[bool, datetime, list[tuple[int, str]]]:
        prompt = prompt_in(mention.version)
        is_asked = not asked or prompt is None or prompt in asked
        parts = re.split(r"(\d+)", mention.version)
        natural = [
            (int(part) if part.isdecimal() and len(part) < 20 else -1, part) for part in parts
        ]
        return is_asked, mention.date or _NEVER, natural

    for position, mention in enumerate(sorted(first.values(), key=order)):
        rows.add(
            VersionRow(
                suite=store.suite,
                version=mention.version,
                position=position,
                created_at=mention.date,
                source=mention.record.path,
                pointer=mention.pointer,
            )
        )
