"""The top of the page: the sentence with the numbers, and the filters with their counts."""

from collections.abc import Iterator, Mapping
from typing import Final

from evalcore.counting.outcomes import outcomes
from evalcore.failures.find import failures
from evalcore.failures.query import Counts, counts
from evalcore.views.blocks.base import Block, Link
from evalcore.views.blocks.page import Chip, Links, Say
from evalcore.views.failures.state import BY_CAUSE, FailuresState, to
from evalcore.views.failures.words import GRADE_WORDS, ORIGIN_WORDS, TYPE_WORDS, counted
from evalcore.views.gradings.reasons import line, named
from evalcore.views.words import wording
from evalcore.views.words.score_source import scores_words

CRITERIA: Final = 5
"""So many criteria are offered as filters, those with the most failures."""
VERSIONS: Final = 12
"""So many versions are offered as filters, the newest."""
MAX_NAME: Final = 60


def top_blocks(state: FailuresState) -> list[Block]:
    """Describe what failed in one sentence, and the filters."""
    total = counts(state.ws, state.suite, state.everything, state.scores)
    found = counts(state.ws, state.suite, state.query, state.scores)
    said: list[Block] = [Say(sentence(state, total), big=True)]
    if hidden := int(failures(state.ws, state.suite, state.scores).hidden.sum()):
        said.append(
            Say(
                f"{wording.hidden_runs(hidden)} are hidden until you have judged them.",
                quiet=True,
            )
        )
    return [*said, *_chips(state, found)] if sum(total.state.values()) else said


def sentence(state: FailuresState, found: Counts) -> str:
    """Return how many runs failed, of what types, and how many failures are resolved."""
    total = sum(found.state.values())
    runs, failed = _runs(state)
    where = f" of {state.version}" if state.version is not None else ""
    by = scores_words(state.scores)
    if not runs and not total:
        return f"No run{where} counts yet, so nothing failed. Grade a run, and it is listed here."
    if not total:
        return f"None of {wording.count(runs, 'run')}{where} failed{by}."
    kinds = ", ".join(counted(kind, n) for kind, n in found.type.items() if n)
    more = "" if total == failed else f" {wording.count(total, 'failure')} are known:"
    begin = f"{failed:,} of {wording.count(runs, 'run')}{where} failed{by}"
    resolved = found.state["resolved"]
    end = f"; {resolved:,} resolved" if resolved else ""
    return f"{begin}{'.' if more else ':'}{more} {kinds}{end}."


def _runs(state: FailuresState) -> tuple[int, int]:
    """Return how many runs count in the chosen columns, and how many of them failed."""
    found = failures(state.ws, state.suite, state.scores)
    chosen = [
        state.version in (None, column.version)
        and state.configuration in (None, column.configuration)
        for column in outcomes(state.ws, state.suite).columns
    ]
    return int(found.counted[chosen].sum()), int(found.failing[chosen].sum())


def _chips(state: FailuresState, found: Counts) -> Iterator[Links]:
    for label, name, n, words in (
        ("Type", "type", found.type, TYPE_WORDS),
        ("Severity", "severity", found.severity, GRADE_WORDS),
        ("State", "state", found.state, {}),
        ("Source", "origin", found.origin, ORIGIN_WORDS),
    ):
        yield from _choice(state, label, name, n, words)
    yield from _versions(state, found.version)
    yield from _criteria(state, found.criterion)
    by_cause = state.view.group == BY_CAUSE
    yield Links(
        "Show",
        [
            Chip(text="Newest first", link=to(state.view, group=None), on=not by_cause),
            Chip(text="By shared cause", link=to(state.view, group=BY_CAUSE), on=by_cause),
        ],
    )


def _choice(
    state: FailuresState, label: str, name: str, n: Mapping[str, int], words: Mapping[str, str]
) -> Iterator[Links]:
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
        yield Links(label, items)


def _versions(state: FailuresState, n: dict[str, int]) -> Iterator[Links]:
    newest = [each for each in reversed(n.items()) if each[1] or each[0] == state.version]
    items = [
        Chip(
            text=line(name, MAX_NAME),
            n=amount,
            title=name,
            link=Link(
                "failures",
                {
                    **to(state.view, failure=None, page=1).query,
                    "v": None if name == state.version else name,
                },
            ),
            on=name == state.version,
        )
        for name, amount in newest[:VERSIONS]
    ]
    if len(newest) > VERSIONS:
        rest = f"and {len(newest) - VERSIONS:,} older ones in the sidebar"
        items.append(Chip(text=rest, link=to(state.view)))
    if len(items) > 1 or state.version is not None:
        yield Links("Version", items)


def _criteria(state: FailuresState, n: Mapping[str, int]) -> Iterator[Links]:
    chosen = state.view.criterion
    first = dict(list(n.items())[:CRITERIA])
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
    if items:
        left = len(n) - len(first)
        label = f"Criterion ({left:,} more, not listed)" if left > 0 else "Criterion"
        yield Links(label, items)
