"""The top of the page: the sentence with the numbers, the filters with their counts, and bars."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from evalcore.failures.find import failures
from evalcore.failures.query import Counts, counts
from evalcore.failures.rules import TYPES
from evalcore.views.blocks.base import Block, Link, link
from evalcore.views.blocks.page import Chip, Filters, Links, Say
from evalcore.views.charts.caption import picture
from evalcore.views.charts.model import Axis, Bar, BarRow, Bars, Picture
from evalcore.views.failures.state import BY_CAUSE, FailuresState, to
from evalcore.views.failures.words import GRADE_WORDS, ORIGIN_WORDS, TYPE_WORDS, counted
from evalcore.views.gradings.reasons import named
from evalcore.views.words import wording
from evalcore.views.words.score_source import scores_words

CRITERIA: Final = 5
"""So many criteria are offered as filters, those with the most failures."""
VERSIONS: Final = 12
"""So many versions are offered as filters, the newest."""
BARS: Final = 20
"""So many versions have a bar, the newest; the sentence says how many more there are."""
MAX_NAME: Final = 60
GUESSED: Final = tuple(kind for kind in TYPES if kind != "timeout")
"""Types that rules can only guess."""


def top_blocks(state: FailuresState) -> list[Block]:
    """Describe what failed in one sentence, and the filters."""
    total = counts(state.ws, state.suite, state.everything, state.scores)
    found = counts(state.ws, state.suite, state.query, state.scores)
    said: list[Block] = [Say(sentence(state, total), big=True)]
    if hidden := int(failures(state.ws, state.suite, state.scores).hidden.sum()):
        why = f"{wording.hidden_runs(hidden)} are hidden until you have judged them."
        said.append(Say(why, quiet=True))
    if not sum(total.state.values()):
        return said
    kinds: tuple[tuple[str, str, Mapping[str, int], Mapping[str, str]], ...] = (
        ("Type", "type", found.type, TYPE_WORDS),
        ("Severity", "severity", found.severity, GRADE_WORDS),
        ("State", "state", found.state, {}),
        ("Source", "origin", found.origin, ORIGIN_WORDS),
    )
    rows = list[Links]()
    for label, name, n, words in kinds:
        chosen = getattr(state.view, name)
        items = [
            Chip(
                text=words.get(key, key),
                n=amount,
                link=to(state.view, failure=None, **{name: None if key == chosen else key}),
                on=key == chosen,
            )
            for key, amount in n.items()
            if amount or key == chosen
        ]
        # How many are open stands in the sidebar: it is also here where all of them are.
        if len(items) > 1 or chosen is not None or name == "state":
            rows.append(Links(label, items))
    newest = [
        each for each in reversed(found.version.items()) if each[1] or each[0] == state.version
    ]
    kept, chips = to(state.view, failure=None, page=1).query, list[Chip]()
    for name, amount in newest[:VERSIONS]:
        on = name == state.version
        there = Link("failures", {**kept, "v": None if on else name})
        text = wording.line(name, MAX_NAME)
        chips.append(Chip(text=text, n=amount, title=name, link=there, on=on))
    if len(newest) > VERSIONS:
        rest = f"and {len(newest) - VERSIONS:,} older ones in the sidebar"
        chips.append(Chip(text=rest, link=to(state.view)))
    if len(chips) > 1 or state.version is not None:
        rows.append(Links("Version", chips))
    rows += _criteria(state, found.criterion)
    first, *others = rows
    narrowing = sum(chip.on is True for row in others for chip in row.items)
    by_cause = state.view.group == BY_CAUSE
    newest_first = Chip(text="Newest first", link=to(state.view, group=None), on=not by_cause)
    by_shared = Chip(text="By shared cause", link=to(state.view, group=BY_CAUSE), on=by_cause)
    order = Links("Show", [newest_first, by_shared])
    return [*said, first, Filters("More filters", others, narrowing), order]


def sentence(state: FailuresState, found: Counts) -> str:
    """Return how many runs failed, of what types, and how many failures are resolved.

    What only rules say is called a guess; that a run ended at its time limit is none.
    """
    total = sum(found.state.values())
    of = failures(state.ws, state.suite, state.scores)
    runs, failed = (int(each[state.chosen].sum()) for each in (of.counted, of.failing))
    where = f" of {state.version}" if state.version is not None else ""
    by = scores_words(state.scores)
    if not runs and not total:
        return f"No run{where} counts yet, so nothing failed. Grade a run, and it is listed here."
    if not total:
        return f"None of {wording.count(runs, 'run')}{where} failed{by}."
    guessed: dict[str, int] = dict.fromkeys(GUESSED, 0)
    for origin in ("guess", "rule"):
        query = replace(state.everything, origin=origin)
        for kind, n in counts(state.ws, state.suite, query, state.scores).type.items():
            if kind in guessed:
                guessed[kind] += n
    known = {kind: n - guessed.get(kind, 0) for kind, n in found.type.items()}
    told, guesses = (
        ", ".join(counted(kind, n) for kind, n in each.items() if n) for each in (known, guessed)
    )
    said = f"{failed:,} of {wording.count(runs, 'run')}{where} failed{by}"
    if total != failed:
        said += f"; {wording.count(total, 'failure')} {'is' if total == 1 else 'are'} known"
    said += f": {told}." if told else ". Nobody has said why yet."
    if guesses:
        said += f" Rules guess {guesses}."
    resolved = found.state["resolved"]
    return f"{said} {resolved:,} resolved." if resolved else said


def _criteria(state: FailuresState, n: Mapping[str, int]) -> Iterator[Links]:
    chosen = state.view.criterion
    first = dict(list(n.items())[: None if state.view.criteria else CRITERIA])
    if chosen is not None:
        first.setdefault(chosen, n.get(chosen, 0))
    items = [
        Chip(
            text=named(state.ws, state.suite, name),
            n=amount,
            title=name[:400],
            link=to(state.view, failure=None, criterion=None if name == chosen else name),
            on=name == chosen,
        )
        for name, amount in first.items()
    ]
    if left := len(n) - len(first):
        items.append(Chip(text=f"{left:,} more", link=to(state.view, criteria=True)))
    elif state.view.criteria:
        items.append(Chip(text="Only the most frequent", link=to(state.view, criteria=False)))
    if items:
        yield Links("Criterion", items)


def type_picture(state: FailuresState) -> Picture:
    """Return the number of failures of each type."""
    found = counts(state.ws, state.suite, state.everything, state.scores)
    rows = [(TYPE_WORDS[kind], n, {"type": kind}) for kind, n in found.type.items()]
    return _picture(state, "Failures by type", rows, ())


def version_picture(state: FailuresState) -> Picture:
    """Return the number of failures of each version, all types together."""
    found = counts(state.ws, state.suite, state.everything, state.scores)
    versions = list(found.version.items())
    rows = [(name, n, {"v": name}) for name, n in versions[-BARS:]]
    left = max(len(versions) - BARS, 0)
    more = [f"The newest {BARS} of {len(versions):,} versions."] if left else []
    if gone := sum(found.state.values()) - sum(found.version.values()):
        more.append(f"{wording.count(gone, 'failure')} of missing runs, in no version.")
    return _picture(state, "Failures by version", rows, more)


def _picture(
    state: FailuresState,
    title: str,
    rows: Iterable[tuple[str, int, dict[str, str]]],
    more: Iterable[str],
) -> Picture:
    made = [
        BarRow(name, "", (Bar(n, None, None, f"{n:,}"),), link=link("failures", **query))
        for name, n, query in rows
    ]
    top = max((row.bars[0].value for row in made if row.bars[0] is not None), default=0) or 1
    ticks = tuple((value, f"{value:,.0f}") for value in (0.0, float(top)))
    total = counts(state.ws, state.suite, state.everything, state.scores)
    said = sentence(state, total)
    chart = Bars(said, (), tuple(made), Axis(0.0, float(top), ticks))
    facts = ("Types that nobody confirmed are guesses.", *more)
    return picture(state.ws, state.suite, chart, title, facts, state.scores)
