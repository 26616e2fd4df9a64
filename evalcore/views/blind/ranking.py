"""The ranking of several sides by blind studies, in words and a table."""

from evalcore.blind.ranking import Ranks
from evalcore.statistics.ranking import Ranked, Ranking
from evalcore.views.blocks.base import Block
from evalcore.views.blocks.page import Cell, Heading, Row, Say, Table, heads
from evalcore.views.words.wording import count, fixed, percent

METHOD = (
    "By the model of Bradley and Terry: the chance to win against an average one of these, with "
    "its 95 % range, and strength as its logit, ± its standard error. Each case of a study counts "
    "once, a tie half for each; ranges and errors take cases as independent."
)

TOO_FEW = "No ranking: closed studies of three or more versions are needed."

LATER = "The ranking of versions is shown when you have judged all your pairs."


def ranking_blocks(found: Ranks) -> list[Block]:
    """Describe a ranking, or why there is none."""
    blocks: list[Block] = [Heading("Ranking", hint=f"from {count(found.studies, 'closed study')}")]
    head = heads("#", "Version", "#Wins", "#Strength", "#Cases")
    rows = [
        Row(
            [
                Cell(f"{place}", num=True),
                Cell(side.name),
                Cell(percent(side.chance), sub=_between(side), num=True),
                Cell(_signed(side.strength), sub=f"± {fixed(side.error, 2)}", num=True),
                Cell(f"{found.cases[side.name]:,}", num=True),
            ]
        )
        for place, side in enumerate(found.ranking.sides, 1)
    ]
    if rows:
        blocks += [Table("Ranking", head, rows), Say(METHOD, quiet=True)]
    else:
        blocks.append(Say(why_none(found.ranking)))
    if found.untold:
        blocks.append(Say(untold_words(found.untold), quiet=True))
    return blocks


def ranking_lines(found: Ranks) -> list[str]:
    """Return a ranking as lines of text."""
    lines = [
        f"{place}. {side.name}  wins {percent(side.chance)} ({_between(side)}), strength "
        f"{_signed(side.strength)} ± {fixed(side.error, 2)}, "
        f"{count(found.cases[side.name], 'case')}"
        for place, side in enumerate(found.ranking.sides, 1)
    ]
    said = [*lines, METHOD] if lines else [why_none(found.ranking)]
    return [*said, untold_words(found.untold)] if found.untold else said


def why_none(ranking: Ranking) -> str:
    """Say why strengths have no finite value."""
    first, *rest = (", ".join(group) for group in ranking.groups)
    if not ranking.connected:
        apart = "; ".join(rest)
        return f"No ranking: no study compares {first} with {apart}. Create one that does."
    alone = len(ranking.groups[0]) == 1
    its, it_is = ("its strength has", "it is") if alone else ("their strengths have", "they are")
    return (
        f"No ranking: {first} lost nothing to {', '.join(rest)}, so {its} no finite value. More "
        f"cases may tell how far {it_is} ahead."
    )


def untold_words(number: int) -> str:
    """Say that studies could not be counted."""
    return f"{count(number, 'study')} left out: closed without revealing which was which."


def _between(side: Ranked) -> str:
    low, high = side.likely
    return f"{percent(low)} to {percent(high)}"


def _signed(strength: float) -> str:
    return fixed(strength, 2).replace("-", "−")
