"""Numbers and missing values in words, the same for pages, reports and the terminal.

None, NaN and pandas' NA are "missing" and have words of their own; rounding is half-up.
"""

import math
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from numbers import Real
from typing import TYPE_CHECKING, Final, TypeGuard

from evalcore.numbers import rounded

if TYPE_CHECKING:
    from evalcore.counting.outcomes import Column

NOT_MEASURED: Final = "not measured"
NOT_SCORED: Final = "not scored"
JUDGE_KINDS: Final = {"llm": "model", "heuristic": "rule", "human": "person"}
NOT_RECORDED: Final = "not recorded"
SUSPECT: Final = "measurement suspect"
HIDDEN: Final = "hidden until you have judged"
UNGRADED: Final = "waiting for a grading"
UNREAD: Final = "with a grading that cannot be read"
REVEAL: Final = "Your judgment of it is then not independent, and that is recorded."
"""What giving up judging a run independently does."""
MINUS: Final = "\N{MINUS SIGN}"
ENDED: Final = {
    "gate_failed": "stopped at the structural gate",
    "timeout": "ran out of time",
    "refused": "refused by the model",
    "length_cut": "cut off at a limit",
    "error": "ended in an error",
    "cancelled": "cancelled",
    "interrupted": "interrupted",
    "rate_limited": "stopped by a rate limit",
}
"""How a run ended that did not complete, by its status."""

_PASSED: Final = {True: "passed", False: "failed"}
_MONTHS: Final = (
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
)  # fmt: skip
_UNITS: Final = ("bytes", "KB", "MB", "GB", "TB")


def known(value: object) -> TypeGuard[float]:
    """Return whether `value` is a finite number, neither missing nor a text."""
    return isinstance(value, Real) and math.isfinite(value)


def number(value: float | None, places: int = 2) -> str:
    """Return a number with at most `places` decimals: 4, 4.2, 1,204.25."""
    if not known(value):
        return NOT_MEASURED
    text = f"{rounded(value, places):,.{places}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return text.replace("-", MINUS) if text != "-0" else "0"


def fixed(value: float | None, places: int = 2) -> str:
    """Return a number with exactly `places` decimals, for numbers in a column."""
    return f"{rounded(value, places):,.{places}f}" if known(value) else NOT_MEASURED


def on_scale(value: float | None, top: float) -> str:
    """Return a score in a column of scores up to `top`: all of them with as many decimals."""
    return fixed(value, places_on(top))


def places_on(top: float) -> int:
    """Return how many decimals scores up to `top` are shown with."""
    return 1 if top >= 20 else 2


def score(value: float | None, maximum: float | None, reason: str | None = None) -> str:
    """Return a score on its scale, `4 of 5`; without a score the reason."""
    if not known(value):
        return f"{NOT_SCORED}: {reason}" if reason else NOT_SCORED
    return f"{number(value)} of {number(maximum)}" if known(maximum) else number(value)


def percent(fraction: float | None, places: int = 0) -> str:
    """Return a rate in percent; only a rate of exactly 0 or 1 is called 0 % or 100 %."""
    if not known(fraction) or not known(100 * fraction):
        return NOT_MEASURED
    shown = rounded(100 * fraction, places)
    if shown == 0 and fraction > 0:
        return f"under {number(10**-places, places)} %"
    if shown == 100 and fraction < 1:
        return f"over {number(100 - 10**-places, places)} %"
    return f"{number(shown, places)} %"


def fall(points: Real | None) -> str:
    """Return how far a rate fell, of its scale: `9 points`."""
    of_scale = rounded(100 * float(points or 0), 1)
    return f"{number(of_scale, 1)} {'point' if of_scale == 1 else 'points'}"


def rate(part: int | None, whole: int | None, noun: str = "case") -> str:
    """Return a rate with its n: `86 % of 42 cases`; without n there is no rate."""
    if not known(part) or not known(whole) or not whole:
        return f"no {plural(noun)}" if known(whole) else NOT_MEASURED
    return f"{percent(part / whole)} of {count(int(whole), noun)}"


def duration(seconds: float | None) -> str:
    """Return a time span: `0.34 s`, `45 s`, `1 min 20 s`, `2 h 5 min`."""
    if not known(seconds):
        return NOT_MEASURED
    if abs(seconds) < 9.5:
        return f"{_two_digits(seconds)} s"
    whole = int(rounded(seconds))
    if abs(whole) < 60:
        return f"{number(whole)} s"
    if whole < 3600:
        return _joined(whole // 60, "min", whole % 60, "s")
    minutes = int(rounded(whole / 60))
    return _joined(minutes // 60, "h", minutes % 60, "min")


def headline(value: float | None, name: str, places: int = 0) -> str:
    """Return a value of a headline metric: whole percent, or a number where it is no share.

    With `places` it has so many decimals more.
    """
    from evalcore.counting.rates import EFFICIENCY  # noqa: PLC0415 - a check waits for no pandas

    if value is None:
        return NOT_SCORED
    return fixed(value, 2 + places) if name == EFFICIENCY else percent(value, places)


def tokens(amount: float | None) -> str:
    """Return a number of tokens: `3,800`."""
    return number(amount, 0)


def cost(dollars: float | None) -> str:
    """Return an amount of money: `$1.80`, below a dollar with two significant digits: `$0.042`."""
    if not known(dollars):
        return NOT_MEASURED
    sign, amount = (MINUS if dollars < 0 else ""), abs(dollars)
    if amount >= 0.995 or amount == 0:
        return f"{sign}${rounded(amount, 2):,.2f}"
    text = _two_digits(amount)
    return f"{sign}${text}0" if len(text) == len("0.5") else f"{sign}${text}"


AMOUNTS: Final[dict[str, Callable[[float | None], str]]] = {
    "time": duration,
    "tokens": tokens,
    "cost": cost,
}
"""The words of what a run takes, by the name of the measure."""


def size(amount: int | None) -> str:
    """Return a file size: `812 bytes`, `12 KB`, `1.4 MB` (1 KB is 1,024 bytes)."""
    if not known(amount):
        return NOT_MEASURED
    value, unit = float(amount), 0
    while value >= 1023.5 and unit < len(_UNITS) - 1:
        value, unit = value / 1024, unit + 1
    if unit == 0:
        return count(int(value), "byte")
    return f"{number(value, 1 if value < 9.95 else 0)} {_UNITS[unit]}"


def count(amount: int, word: str) -> str:
    """Return a number of things: `1 case`, `1,204 cases`."""
    return f"{amount:,} {noun(amount, word)}"


def noun(amount: int, word: str) -> str:
    """Return what is counted, without the number: `case`, `cases`."""
    return word if amount == 1 else plural(word)


def listed(parts: Sequence[str]) -> str:
    """Return parts in one phrase: `a`, `a and b`, `a, b and c`."""
    return " and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


def hidden_runs(number: int) -> str:
    """Return so many runs that are hidden from a judge, with what hides them."""
    return f"{count(number, 'run')} of independent batches or blind studies"


def open_study_runs(number: int, *, then: bool = False) -> str:
    """Return so many runs that no reader is shown, with what hides them, or hid them then."""
    are = "were" if then else "are"
    return f"{count(number, 'run')} of blind studies that {are} not closed yet"


def plural(noun: str) -> str:
    """Return the plural of a noun: cases, entries, criteria, people."""
    if noun == "person":
        return "people"
    if noun.endswith("criterion"):
        return f"{noun.removesuffix('criterion')}criteria"
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}s"


def short(text: str, most: int) -> str:
    """Return a text of so many characters at most; one that is cut ends with a sign of it."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def line(text: str, most: int) -> str:
    """Return the beginning of a text as one line of so many characters at most."""
    begins = text[: 4 * most]  # so that a long text takes no longer
    joined = " ".join(begins.split())
    return short(joined, most) if len(begins) == len(text) else f"{joined[: most - 1]}…"


def verdict(passed: bool | None) -> str:
    """Return `passed`, `failed` or `not decided`."""
    return _PASSED[bool(passed)] if isinstance(passed, bool) else "not decided"


def confidence(level: str | None, value: float | None = None) -> str:
    """Return a judge's confidence: its word, else the number in percent."""
    if level:
        return level
    return percent(value) if known(value) else "not stated"


def judge_kind(kind: str | None) -> str:
    """Return what a judge is, of a type as documents name it: a model, a rule, a person."""
    return JUDGE_KINDS.get(kind or "", kind or "")


def judge(name: str | None, kind: str | None) -> str:
    """Return a judge by name, and what it is."""
    what = judge_kind(kind)
    return f"{name or ''} ({what})".strip() if what else name or ""


def moment(time: datetime | None) -> str:
    """Return a point in time in UTC: `21 Nov 2026, 22:04 UTC`."""
    if not isinstance(time, datetime) or time != time:  # noqa: PLR0124 - pandas' NaT differs from itself
        return NOT_RECORDED
    utc = time.astimezone(UTC) if time.tzinfo else time.replace(tzinfo=UTC)
    return f"{utc.day} {_MONTHS[utc.month - 1]} {utc.year}, {utc:%H:%M} UTC"


def column_words(column: "Column | None") -> str:
    """Return a version and configuration as words."""
    if column is None:
        return ""
    return column.version if column.configuration == "-" else ", ".join(column)


def position_of(position: int, total: int) -> str:
    """Return a position in a row: `2 of 3`."""
    return f"{position:,} of {total:,}"


def _two_digits(value: float) -> str:
    """Return a number below ten with two significant digits: 0.34, 0.0042, 2.5."""
    if value == 0:
        return "0"
    leading = math.floor(math.log10(abs(value)))
    return number(value, min(1 - leading, 12))


def _joined(first: int, unit: str, second: int, smaller: str) -> str:
    head = f"{first:,} {unit}"
    return f"{head} {second} {smaller}" if second else head
