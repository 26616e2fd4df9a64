"""A verdict as a picture: its sentence, both sides with their intervals, and how runs ended."""

from evalcore.comparing.model import Comparison, Estimate
from evalcore.counting.rates import EFFICIENCY, SHARE
from evalcore.views.charts.caption import picture
from evalcore.views.charts.model import Axis, Bar, BarRow, Bars, Picture
from evalcore.views.verdict.differences import agreeing_places
from evalcore.views.verdict.limits import capital
from evalcore.views.verdict.sentence import cautions, lead, rest
from evalcore.views.verdict.sides import side_words
from evalcore.views.words import wording
from evalcore.workspace.opened import Workspace

_STEPS = (0.0, 0.5, 1.0)


def axis_of(headline: str) -> Axis:
    """Return the axis of a headline: from 0 to 1, in percent where it is a share."""
    words = wording.number if headline == EFFICIENCY else wording.percent
    return Axis(0.0, 1.0, tuple((step, words(step)) for step in _STEPS))


def verdict_picture(ws: Workspace, found: Comparison) -> Picture:
    """Return the picture of a comparison; where no number compares, it says why and has none."""
    a, b = side_words(found.a), side_words(found.b)
    rows = []
    if found.verdict is not None and found.estimate_a is not None and found.estimate_b is not None:
        rows.append(_row(found.headline, found.headline, found.estimate_a, found.estimate_b))
        others = (one for one in found.outcomes if one.name != found.headline)
        rows += [_row(one.name, SHARE, one.a, one.b) for one in others]
    chart = Bars(lead(found), (f"A: {a}", f"B: {b}"), tuple(rows), axis_of(found.headline))
    ranges = ["Whiskers are 95 % intervals over cases."] if rows else []
    facts = [*filter(None, [rest(found)]), *cautions(found), *ranges]
    return picture(ws, found.b.suite, chart, f"{b} against {a}", facts, found.scores)


def _row(name: str, headline: str, a: Estimate, b: Estimate) -> BarRow:
    places = agreeing_places(a.value, b.value, headline)
    bars = (_bar(a, headline, places), _bar(b, headline, places))
    return BarRow(capital(name), "", bars)


def _bar(given: Estimate, headline: str, places: int) -> Bar | None:
    if given.value is None:
        return None
    shown = wording.headline(given.value, headline, places)
    text = f"{shown} of {wording.count(given.cases, 'case')}"
    return Bar(given.value, given.low, given.high, text)
