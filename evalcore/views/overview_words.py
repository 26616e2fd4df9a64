"""Say where a suite stands, in sentences with their numbers."""

from evalcore.counting.outcomes import Column
from evalcore.counting.rates import EFFICIENCY, SHARE, Rate
from evalcore.views import wording
from evalcore.views.overview import Overview, SuiteLine


def sentence(found: Overview) -> str:
    """Say in one sentence what there is and how the column in focus did, with its numbers."""
    line = found.line
    sizes = ", ".join(
        (
            wording.count(line.versions, "version"),
            wording.count(line.cases, "case"),
            wording.count(line.runs, "run"),
        )
    )
    if line.focus is None:
        return f"{line.name}: {sizes}. Nothing was run yet."
    return f"{line.name}: {sizes}. {_how(line)}{_against(found)}."


def _how(line: SuiteLine) -> str:
    rate, name = line.rate, column_words(line.focus)
    name += "," if "," in name else ""
    if rate.value is None:
        return f"{name} has {wording.count(rate.runs, 'run')}, none of them scored"
    over = f"over {wording.count(rate.cases, 'case')}"
    if line.headline == SHARE:
        runs = f"{rate.passed:,} of {wording.count(rate.counted, 'run')} passed"
        share = wording.headline(rate.value, line.headline)
        return f"{name} passed {share}, mean {over} ({runs}{with_score(rate)})"
    value = wording.headline(rate.value, line.headline)
    counted = wording.count(rate.counted, "run")
    if line.headline == EFFICIENCY:
        return f"{name} has an overall efficiency of {value} {over} ({counted})"
    return f"{name} passed {value} of its checks, mean {over} ({counted})"


def with_score(rate: Rate) -> str:
    """Return the mean score as the end of a list; nothing where there is none."""
    if rate.score is None:
        return ""
    of = f" of {wording.number(rate.max_score)}" if rate.max_score is not None else ""
    return f", mean score {wording.fixed(rate.score)}{of}"


def _against(found: Overview) -> str:
    """Name the same number of the other side of the same version, without judging the two."""
    focus = found.line.focus
    for version in found.versions:
        for column, rate in version.columns:
            same = focus is not None and column.version == focus.version and column != focus
            if same and rate.value is not None:
                value = wording.headline(rate.value, found.line.headline)
                return f"; {column.configuration}: {value} over {wording.count(rate.cases, 'case')}"
    return ""


def column_words(column: Column | None) -> str:
    """Return a version and configuration as words."""
    if column is None:
        return ""
    return column.version if column.configuration == "-" else ", ".join(column)


def method(found: Overview) -> str:
    """Say how the headline is made and what it leaves out."""
    line = found.line
    rule = "a case counts as the mean over its runs, a version as the mean over its cases"
    parts = [f"Headline: {line.headline}; {rule}."]
    left = left_out(line.rate)
    if left:
        parts.append(f"Left out: {left}.")
    if line.rate.weighted is not None:
        weighted = wording.headline(line.rate.weighted, line.headline)
        parts.append(f"Weighted by the cases' own weights: {weighted}.")
    if found.judge_model:
        parts.append(f"Judge: {found.judge_model}.")
    if found.runs_per_case:
        parts.append(f"Planned: {wording.count(found.runs_per_case, 'run')} a case.")
    return " ".join(parts)


def left_out(rate: Rate) -> str:
    """Say which runs the headline leaves out, and why."""
    words = (
        (rate.gate_failed, "stopped at the gate"),
        (rate.unscored, "not scored"),
        (rate.outside, "not finished"),
        (rate.set_aside, "of draft or deprecated cases"),
    )
    return ", ".join(f"{wording.count(n, 'run')} {what}" for n, what in words if n)
