"""What is said of blind studies, without telling those who judge which sides they compare."""

import shlex
from collections.abc import Mapping
from pathlib import Path

from evalcore.blind.creating import Design
from evalcore.blind.packets import Imported
from evalcore.blind.proposing import Proposal, minutes
from evalcore.blind.writing import Ended
from evalcore.families.reviews.review import Reasons
from evalcore.judging.model import Judge
from evalcore.judging.storing.names import person
from evalcore.judging.studies import Study
from evalcore.statistics.preferences import visible_preference
from evalcore.views.words.wording import count, moment, percent
from evalcore.workspace.hidden import NOTHING, Hidden

WHAT = (
    "A blind study shows two outputs of the same case side by side without saying which version "
    "made which. Judges pick the better one; the versions are revealed when the study is closed."
)
RESULTS_LATER = "Results of this suite are shown when you have judged all your pairs."
PACKETS = (
    "A packet is one HTML file for one judge without evalcore. It opens in any browser, needs "
    "no network, contains no names or secrets, and saves the verdicts to a file. Import that "
    "file with:"
)
RULES: Mapping[Reasons, str] = {
    "required": "Each verdict needs a reason (chosen for the suite on Judge).",
    "for a fail": "Only that both are bad needs a reason (chosen for the suite on Judge).",
    "optional": "No verdict needs a reason (chosen for the suite on Judge).",
}
"""What a study made now asks of its judges, to its end."""
MOST_LEFT_OUT = 5
CLEAR = 0.85
"""A preference of so many cases is a very clear one."""
FEWEST_SEEN = 6
"""The fewest cases with which a preference in all of them is seen."""


def study_title(study: Study, judge: Judge | None) -> str:
    """Return the name of a study; its sides only to whom they may be told."""
    when = moment(study.since)
    part = None if judge is None else study.parts.get(judge.id)
    told = study.closed is not None or part in ("gave up", "revealed")
    if told:
        return f"{study.fields.side_a} and {study.fields.side_b}, {when}"
    return f"Study of {when}"


def study_state(study: Study) -> str:
    """Say how far the judges of a study are, and whether it is over."""
    pairs = count(len(study.fields.pairs), "pair")
    judges = sorted({each.judge for each in study.verdicts} | set(study.parts))
    asked = [*study.fields.judges, *study.fields.names]
    known = list(dict.fromkeys([*asked, *judges]))
    done = []
    for judge in known:
        part = study.parts.get(judge)
        over = f", {part}" if part in ("gave up", "revealed") else ""
        done.append(f"{person(judge)} {len(study.judged_by(judge)):,}{over}")
    state = "open" if study.closed is None else f"closed {moment(study.closed)}"
    most = study.fields.judges_per_task
    each = "" if most is None else f", each for {count(most, 'judge')}"
    by = f"created by {person(study.author)}"
    return f"{state} · {pairs}{each} · {by} · {', '.join(done) or 'no judge yet'}"


def ended_words(ended: Ended) -> str:
    """Say where the end of a study was written, and what of it as documents of its family."""
    written = (
        f" {count(len(ended.paths), 'document')} of its family written." if ended.paths else ""
    )
    return " ".join([f"{ended.receipt.path}.{written}", *ended.left_out])


def import_command(root: Path) -> str:
    """Return the command that stores what comes back from packets of a folder."""
    return f"evalcore blind import {shlex.quote(str(root))} FILE"


def crowded_words(study: Study) -> str:
    """Say that more judges take part than are wanted for each pair; empty where they do not."""
    asked = {*study.fields.judges, *study.fields.names}
    taking = len(asked | {name for name, part in study.parts.items() if part == "joined"})
    most = study.fields.judges_per_task
    if most is None or taking <= most:
        return ""
    return (
        f"{count(taking, 'judge')} take part, but each pair is compared by {most:,} only: later "
        "verdicts do not count."
    )


def imported_words(found: Imported) -> str:
    """Say what an import stored, and what not."""
    back = f", {found.taken_back:,} taken back" if found.taken_back else ""
    said = [
        f"{found.packet}: {found.compared:,} of {count(found.of, 'pair')} compared.",
        f"{count(found.new, 'verdict')} stored now{back}, {found.known:,} already stored.",
    ]
    return "\n".join([*said, *(f"Not stored: {each}" for each in found.left_out)])


def proposal_words(
    found: Proposal, design: Design, hidden: Hidden = NOTHING, most: int = MOST_LEFT_OUT
) -> list[str]:
    """Say what a study would compare, how long that takes, and what it leaves out.

    Which outputs are identical would give away those that are `hidden`.
    """
    judges = design.per_pair
    time = count(minutes(len(found.pairs), len(design.criteria), judges or 1), "minute")
    whose = "for each judge" if judges is None else "in all"
    said = [f"{count(len(found.pairs), 'pair')}, about {time} of judging {whose}."]
    if found.identical and not found.holds(hidden.runs):
        same = count(found.identical, "pair")
        said.append(f"{same} with identical outputs: a tie unless somebody judges it.")
    said.append(visible_words(found.cases))
    skipped: dict[str, list[str]] = {}
    for case, why in found.left_out:
        skipped.setdefault(f"{why[:1].lower()}{why[1:]}".rstrip("."), []).append(case)
    for why, cases in skipped.items():
        more = f" and {len(cases) - most:,} more" if len(cases) > most else ""
        said.append(f"{count(len(cases), 'case')} skipped, {why}: {', '.join(cases[:most])}{more}.")
    return said


def visible_words(cases: int) -> str:
    """Say how large a preference a study of so many cases will be able to see."""
    of = count(cases, "case")
    share = visible_preference(cases)
    if share is None:
        return (
            f"{of} cannot show a difference, even if all prefer one side: at least {FEWEST_SEEN} "
            "are needed."
        )
    if share >= CLEAR:
        return f"{of} show only a very clear preference ({percent(share)} of cases)."
    return f"{of} show a preference of {percent(share)} of cases; a smaller one may go unnoticed."
