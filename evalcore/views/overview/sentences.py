"""The state of a suite in sentences with their numbers."""

from evalcore.counting.people import Scores
from evalcore.counting.rates import EFFICIENCY, SHARE, Rate
from evalcore.families.registry import family
from evalcore.trends.metrics import HEADLINE
from evalcore.views.overview.suites import SuiteLine
from evalcore.views.overview.summary import Overview, activity
from evalcore.views.series.words import MetricWords
from evalcore.views.words import wording
from evalcore.views.words.score_source import people_words, rest_words, scores_words, unscored_words

Range = tuple[float, float] | None


def rate_sentence(line: SuiteLine, found: Range) -> str:
    """Return a sentence on the rate of the column in focus, with n and interval."""
    if line.focus is None:
        cases = wording.count(line.cases, "case") if line.cases else "no case"
        return f"{line.name} has {cases} and no run yet."
    rate, name = line.rate, wording.column_words(line.focus)
    name += "," if "," in name else ""
    if rate.value is None:
        human = line.scores == "human"
        none = f"none of them {'judged whole by people' if human else 'scored'}"
        unseen = f"; {rate.hidden:,} {wording.HIDDEN}" if rate.hidden else ""
        return f"{name} has {wording.count(rate.runs, 'run')}, {none}{unseen}."
    low, high = found or (None, None)
    whose = scores_words(line.scores)
    return f"{name} {_did(line, rate)}{whose}{likely(low, high, line.headline)}{_runs(line)}."


def _did(line: SuiteLine, rate: Rate) -> str:
    value, cases = wording.headline(rate.value, line.headline), wording.count(rate.cases, "case")
    if line.headline == SHARE:
        return f"passed {value} of {cases}"
    if line.headline == EFFICIENCY:
        return f"has an overall efficiency of {value} over {cases}"
    return family(line.family).achieved.format(value=value, cases=cases)


def likely(low: float | None, high: float | None, headline: str) -> str:
    """Return an interval as the end of a clause: `, likely between 55 and 93 %`; else nothing."""
    found = None if low is None or high is None else (low, high)
    return MetricWords(HEADLINE, headline, None).likely(found)


def _runs(line: SuiteLine) -> str:
    """Return the runs behind the rate in brackets."""
    rate = line.rate
    counted = wording.count(rate.counted, "run")
    if line.headline == SHARE:
        return f" ({rate.passed:,} of {counted} passed{with_score(rate)})"
    return f" ({counted})"


def with_score(rate: Rate) -> str:
    """Return the mean score as the end of a list; empty if there is none."""
    if rate.score is None:
        return ""
    of = f" of {wording.number(rate.max_score)}" if rate.max_score is not None else ""
    return f", mean score {wording.fixed(rate.score)}{of}"


def missing_side(line: SuiteLine) -> str:
    """Return what would make a comparison possible if there are fewer than two sides."""
    if line.focus is None or line.rate.value is None:
        return "The first scored run makes a rate, a second version a comparison."
    other = ", or the same cases without the skill," if family(line.family).without_skill else ""
    return f"Nothing to compare it with yet: a second version{other} makes that possible."


def sizes(line: SuiteLine) -> str:
    """Return the numbers of versions, cases and runs in words."""
    counts = ((line.versions, "version"), (line.cases, "case"), (line.runs, "run"))
    return f"{line.name}: {', '.join(wording.count(n, noun) for n, noun in counts)}."


def method(found: Overview) -> str:
    """Return how the headline is computed, what it leaves out, and the last activity."""
    line = found.line
    rule = "a case counts as the mean over its runs, a version as the mean over its cases"
    parts = [f"Headline: {line.headline}; {rule}."]
    if found.people is not None:
        judged, runs, _ = found.people
        words = f"{people_words(*found.people)}{rest_words(judged, runs, found.scores)}"
        parts.append(f"What counts: {words}.")
    left = left_out(line.rate, found.scores)
    if left:
        parts.append(f"Left out: {left}.")
    if line.rate.weighted is not None:
        weighted = wording.headline(line.rate.weighted, line.headline)
        parts.append(f"Weighted by the cases' own weights: {weighted}.")
    if found.judge_model:
        parts.append(f"Judge: {found.judge_model}.")
    if found.runs_per_case:
        parts.append(f"Planned: {wording.count(found.runs_per_case, 'run')} a case.")
    last = activity(found)
    return " ".join([*parts, f"{last[:1].upper()}{last[1:]}."])


def left_out(rate: Rate, scores: Scores = "recorded") -> str:
    """Return which runs the headline leaves out, and why."""
    words = (
        (rate.gate_failed, "stopped at the gate"),
        (rate.unscored, unscored_words(scores)),
        (rate.outside, "not finished"),
        (rate.hidden, wording.HIDDEN),
        (rate.set_aside, "of draft or deprecated cases"),
        (rate.excluded, "excluded by a person"),
    )
    return ", ".join(f"{wording.count(n, 'run')} {what}" for n, what in words if n)
