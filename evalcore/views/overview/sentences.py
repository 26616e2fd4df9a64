"""The state of a suite in sentences with their numbers."""

from evalcore.counting.people import Scores
from evalcore.counting.rates import EFFICIENCY, SHARE, Rate
from evalcore.families.registry import family
from evalcore.statistics.planning import Before
from evalcore.trends.metrics import HEADLINE
from evalcore.views.overview.summary import Overview, SuiteLine
from evalcore.views.series.words import MetricWords
from evalcore.views.verdict.differences import span
from evalcore.views.verdict.limits import capital
from evalcore.views.verdict.reach import REPEATS, SIX
from evalcore.views.words import wording
from evalcore.views.words.score_source import people_words, rest_words, scores_words, unscored_words

Range = tuple[float, float] | None


def rate_sentence(line: SuiteLine, found: Range) -> str:
    """Return a sentence on the rate of the column in focus, with n and interval.

    Before it stands what makes the rate doubtful.
    """
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
    value, cases = wording.headline(rate.value, line.headline), wording.count(rate.cases, "case")
    runs = wording.count(rate.counted, "run")
    if line.headline == SHARE:
        did = f"passed {value} of {cases}"
        runs = f"{rate.passed:,} of {runs} passed{with_score(rate)}"
    elif line.headline == EFFICIENCY:
        did = f"has an overall efficiency of {value} over {cases}"
    else:
        did = family(line.family).achieved.format(value=value, cases=cases)
    likely = MetricWords(HEADLINE, line.headline, None).likely(found)
    said = f"{name} {did}{scores_words(line.scores)}{likely} ({runs})."
    return " ".join((*line.suspect, said))


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


def facts(found: Overview) -> str:
    """Return the sizes of a suite, what its newest rate leaves out, and the last activity."""
    line = found.line
    counts = ((line.runs, "run"), (line.cases, "case"), (line.versions, "version"))
    left, people = left_out(line.rate, found.scores), ""
    if found.people is not None:
        judged, runs, names = found.people
        people = f"{people_words(judged, runs, len(names))}{rest_words(judged, runs, found.scores)}"
    sizes = [wording.count(n, noun) for n, noun in counts]
    return " · ".join(
        [*sizes, *filter(None, (left and f"left out: {left}", people)), activity(found)]
    )


def method(found: Overview) -> list[str]:
    """Return how the rate is computed, and what else is recorded of it."""
    line = found.line
    rule = "a case counts as the mean over its runs, a version as the mean over its cases"
    said = [f"{capital(line.headline)}: {rule}."]
    if line.rate.weighted is not None:
        weighted = wording.headline(line.rate.weighted, line.headline)
        said.append(f"Weighted by the cases' own weights: {weighted}.")
    if found.judge_model:
        said.append(f"Judge: {found.judge_model}.")
    if found.runs_per_case:
        said.append(f"Planned: {wording.count(found.runs_per_case, 'run')} a case.")
    return said


def coverage(found: Overview) -> str:
    """Return how few of the cases the version in focus ran; empty if it ran half of them."""
    if not found.ran or found.ran * 2 >= found.active:
        return ""
    name = wording.column_words(found.line.focus)
    name += "," if "," in name else ""
    return f"{name} ran {found.ran:,} of {wording.count(found.active, 'case')}"


def activity(found: Overview) -> str:
    """Return the last activity, which names the time of a file as such."""
    if found.line.active is not None:
        return f"last activity {wording.moment(found.line.active)}"
    if found.newest_file is not None:
        return f"last activity not recorded; newest file {wording.moment(found.newest_file)}"
    return "last activity not recorded"


def left_out(rate: Rate, scores: Scores = "recorded") -> str:
    """Return which runs the headline leaves out, and why."""
    words = (
        (rate.gate_failed, "stopped at the gate"),
        (rate.unscored, unscored_words(scores)),
        (rate.ungraded - rate.unread, wording.UNGRADED),
        (rate.unread, wording.UNREAD),
        (rate.outside - rate.ungraded, "not finished"),
        (rate.hidden, wording.HIDDEN),
        (rate.set_aside, "of draft or deprecated cases"),
        (rate.excluded, "excluded by a person"),
        (rate.copied, "copied from another run"),
    )
    return ", ".join(f"{wording.count(n, 'run')} {what}" for n, what in words if n)


def planned_words(found: Before, headline: str) -> str:
    """Return what cases and runs will show, as a sentence."""
    ran = f"{wording.count(found.cases, 'case')} with {wording.count(found.runs, 'run')} each"
    if found.on_these is None:
        few = f"{ran} on both sides cannot show a difference, however large"
        return f"{few}: {wording.count(found.fewest, 'run')} of each case can."
    these = span(found.on_these, headline)
    text = f"{ran} on both sides will probably show a difference of about {these}"
    if found.like_these is None:
        needed = f"for others like them, {SIX} cases or more are needed"
        return f"{text} on these cases {REPEATS}; {needed}."
    others = span(found.like_these, headline)
    if these == others:
        return f"{text}, on these cases and for others like them {REPEATS}."
    return f"{text} on these cases, of {others} for others like them {REPEATS}."
