"""Turn the logs of one task into rows: samples, epochs, scores, and what people changed of them."""

import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from evalcore.disk.reader import Reader
from evalcore.disk.values import Node, fields_in, parse_time
from evalcore.families.base import MEAN_SCORE, PENDING, Plan
from evalcore.families.foreign import Suite, checks, judged, share
from evalcore.families.inspect.logs import Log, Sample, samples
from evalcore.families.scoring import RUBRIC, Criteria, Criterion, Scores, Scoring, Sum
from evalcore.numbers import mean
from evalcore.problems import pointer, quoted
from evalcore.shapes.judge import HUMAN, MODEL, RULE
from evalcore.tables.builder import Rows
from evalcore.tables.held import output_at
from evalcore.tables.rows import CaseRow, JudgmentRow, RunRow, RunScoreRow, VersionRow

HEADLINE: Final = MEAN_SCORE
KIND: Final = "expectation"
LETTERS: Final = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
WORDS: Final = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
TOPS: Final = (1.0, 5.0, 10.0, 100.0)
"""Where a scale may end, as a log does not say it."""
MAX_VALUES: Final = 200
"""So many values of one score are read at most."""
MAX_TAGS: Final = 8
SHORT: Final = 60
STOPPED: Final = {"time": "timeout", "working": "timeout", "cost": "budget_stopped"}
"""The statuses of runs that a limit ended before they were scored; any other is `length_cut`."""
COMPLETED_SINCE: Final = (0, 3, 135)
"""From this version on an output holds its text as `completion`, beside the choices."""


class Value(NamedTuple):
    """One value of a score: the criterion's name, the number, and whether it is a verdict."""

    name: str
    number: float | None
    is_verdict: bool
    said: Node
    history: tuple[tuple[float | None, dict[str, Any]], ...] = ()


def mean_of_shares(_: Scoring, criteria: Criteria, scores: Scores, __: float | None) -> Sum:
    """The mean of what each score reaches of its scale, as Inspect has the mean of a scorer."""
    shares = [share(scores[key], each.high) for key, each in criteria.items() if key in scores]
    return mean(shares), 1.0, None


SCORING: Final = Scoring(
    rule=mean_of_shares,
    passed_when="every score is the highest",
    score_is="mean of the scores",
    five=frozenset(),
)


def read(plan: Plan, reader: Reader, rows: Rows) -> None:
    """Add every row of the logs of one task; what cannot be read is noted on the reader."""
    logs: list[Log] = list(plan.found.values())
    places = _places(logs)
    found = [(log, sample) for log in logs for sample in samples(log, reader, plan.suite)]
    values = [list(_values(sample.node)) for _, sample in found]
    criteria = _criteria(value for own in values for value in own)
    suite = Suite(plan, rows, str(logs[0].eval["task"]), HEADLINE)
    lengths = Counter(log.path for log, _ in found)
    for path, _ in plan.files:
        suite.document(path, "log", lengths[path])
    asked: dict[str, dict[str, Criterion]] = defaultdict(dict)
    for (_, sample), own in zip(found, values, strict=True):
        asked[sample.case_id] |= {value.name: criteria[value.name] for value in own}
    for log, sample in found:
        if suite.is_new(sample.case_id):
            # One that was never scored has the criteria of all others, so that people can score it.
            asked[sample.case_id] = asked[sample.case_id] or criteria
            suite.add(_case(plan.suite, sample))
            for position, each in enumerate(asked[sample.case_id].values()):
                suite.criterion(sample.case_id, each, position, log.path, sample.node.at)
    first: dict[str, Log] = {}
    for path, (label, _) in places.items():
        first.setdefault(label, plan.found[path])
    for position, (label, log) in enumerate(first.items()):
        tags, commit = log.eval.get("tags"), fields_in(log.eval.get("revision")).get("commit")
        version = VersionRow(
            plan.suite,
            label,
            position,
            description=", ".join(map(str, tags)) if isinstance(tags, list) and tags else None,
            created_at=parse_time(log.eval.get("created")),
            git_hash=commit if isinstance(commit, str) else None,
        )
        suite.add(version._replace(source=log.path, pointer=f"{log.at}/eval"))
    for (log, sample), own in zip(found, values, strict=True):
        epoch = str(sample.node.whole("epoch"))
        run = suite.run(sample.case_id, *places[log.path], epoch)
        judgments = [_judgment(run, value, criteria[value.name]) for value in own]
        run = _run(run, log, sample, judgments)
        for row in (run, *judgments, *_of_people(run, own, asked[sample.case_id])):
            suite.add(row)
        for what in ("error", "limit"):
            text = sample.node.get(what)
            if isinstance(text, dict):
                text = text.get("message") or text.get("reason") or text.get("type")
            if isinstance(text, str) and text:
                text = text if what == "error" else f"It was ended by a limit: {text}."
                suite.note(run, text, sample.node.at + pointer(what), target=what)


def _places(logs: Iterable[Log]) -> dict[str, tuple[str, str]]:
    """Return the version and the configuration of each log by its path.

    Logs that were started together are one version, named by the time of the first. A model that
    was started several times in one has its arguments, and then a number, beside its name.
    """
    started: dict[str, list[Log]] = defaultdict(list)
    for log in logs:
        started[str(log.eval.get("run_id") or log.path)].append(log)
    never = datetime.min.replace(tzinfo=UTC)
    found: dict[str, tuple[str, str]] = {}
    labels: set[str] = set()
    for own in sorted(
        started.values(), key=lambda own: parse_time(own[0].eval.get("created")) or never
    ):
        created = str(own[0].eval.get("created") or "no date").replace("T", " ")
        label, named = _free(created[:19].removesuffix(":00"), labels), set[str]()
        models = Counter(log.eval["model"] for log in own)
        for log in own:
            model, given = str(log.eval["model"]), log.eval.get("task_args")
            if models[model] > 1 and isinstance(given, dict) and given:
                model += f" ({', '.join(f'{name}={each}' for name, each in given.items())})"[:SHORT]
            found[log.path] = label, _free(model, named)
    return found


def _free(name: str, taken: set[str]) -> str:
    """Return a name, with a number where it is taken, and take it."""
    free, number = name, 1
    while free in taken:
        number += 1
        free = f"{name} #{number}"
    taken.add(free)
    return free


def _values(sample: Node) -> Iterator[Value]:
    """Yield each value of each score of a sample; one of several by its name."""
    for name, score in sample.fields("scores"):
        if not isinstance(score.value, dict):
            score.type_problem("an object")
            continue
        held = score.get("value")
        pairs: list[tuple[Any, Any]] = [("", held)]
        if isinstance(held, dict | list):
            pairs = [*(held.items() if isinstance(held, dict) else enumerate(held, start=1))]
            if len(pairs) > MAX_VALUES:
                of = f"{len(pairs):,} values of the score {quoted(name)}"
                said = f"Of the {of} {MAX_VALUES} were read."
                score.note("warning", "too-many-scores", said, "Make several scores of them.")
        for key, value in pairs[:MAX_VALUES]:
            number, is_verdict = _number(value)
            if number is None and isinstance(value, str):
                said = (
                    f"The score {quoted(name)} is the text {quoted(value[:SHORT])}: it is unscored."
                )
                score.note("warning", "score-not-a-number", said, "Score it with a number.")
            history = []
            for edit in score.items("history"):
                before, by = edit.get("value"), edit.get("provenance")
                if before != "UNCHANGED":
                    before = before.get(key) if isinstance(before, dict) else before
                    history.append((_number(before)[0], fields_in(by)))
            own = f"{name}/{key}" if isinstance(held, dict | list) else name
            yield Value(own, number, is_verdict, score, tuple(history))


def _number(value: Any) -> tuple[float | None, bool]:
    """Return the number that Inspect makes of a value, if any, and whether it is a verdict."""
    if isinstance(value, bool):
        return float(value), True
    if isinstance(value, int | float):
        return (float(value), value in (0, 1)) if math.isfinite(value) else (None, True)
    if not isinstance(value, str):
        return None, True
    if value in LETTERS or value.lower() in WORDS:
        return LETTERS.get(value, WORDS.get(value.lower())), True
    try:
        number = float(value)
    except ValueError:
        return None, True
    return (number, number in (0, 1)) if math.isfinite(number) else (None, True)


def _criteria(values: Iterable[Value]) -> dict[str, Criterion]:
    """Return each criterion by all its values: a verdict, or a rubric on a scale around them."""
    low: dict[str, float] = {}
    high: dict[str, float] = {}
    graded = set[str]()
    for value in values:
        for number in (value.number, *(each for each, _ in value.history)):
            known = 0.0 if number is None else number
            low[value.name] = min(low.get(value.name, 0.0), known)
            high[value.name] = max(high.get(value.name, 0.0), known)
        if not value.is_verdict:
            graded.add(value.name)
    found = {}
    for name, end in low.items():
        top = next((each for each in TOPS if high[name] <= each), high[name])
        kind, guess = KIND, ""
        if name in graded:
            kind, guess = RUBRIC, f", taken to go from {end:g} to {top:g}"
        found[name] = Criterion(kind, name, f"{name}{guess}", low=end, high=top)
    return found


def _case(suite: str, sample: Sample) -> CaseRow:
    """Return the row of a case: what is asked, a text or messages each with who says it."""
    node, said = sample.node, []
    for message in node.items("input") if isinstance(node.get("input"), list) else ():
        content, role = message.get("content"), message.get("role")
        parts = content if isinstance(content, list) else [content]
        texts = [part.get("text") if isinstance(part, dict) else part for part in parts]
        text = "\n".join(each for each in texts if isinstance(each, str))
        said.append(text if role == "user" else f"{role}: {text}")
    prompt = "\n\n".join(said) or node.text("input") or ""
    choices = [f"{chr(65 + at)}) {text}" for at, (text, _) in enumerate(node.texts("choices")[:26])]
    tags = [
        f"{name}={value}"
        for name, value in fields_in(node.get("metadata")).items()
        if isinstance(value, str | int) and len(str(value)) <= SHORT
    ]
    return CaseRow(
        suite,
        sample.case_id,
        prompt="\n".join([prompt, *choices]) or None,
        expected=" / ".join(text for text, _ in node.texts("target")) or None,
        name=node.text("description"),
        tags=json.dumps(tags[:MAX_TAGS], ensure_ascii=False) if tags else None,
        status="active",
        source=node.path,
        pointer=sample.at,
    )


def _judgment(run: RunRow, value: Value, of: Criterion) -> JudgmentRow:
    """Return what a scorer said: of a score that people edited, what it was before."""
    score, number = value.said, value.number
    if value.history and not value.history[0][1]:
        number = value.history[0][0]
    by_model = "model_graded" in value.name or "grading" in fields_in(score.get("metadata"))
    judge_type, rationale = MODEL if by_model else RULE, score.text("explanation")
    if score.get("value") == "N":
        rationale = f"No answer. {rationale or ''}".rstrip()
    told = {"rationale": rationale, "evidence": score.text("answer")}
    return _judged(run, value, of, number, judge_type=judge_type, **told)


def _judged(
    run: RunRow, value: Value, of: Criterion, number: float | None, **told: Any
) -> JudgmentRow:
    """Return a judgment of a value, which passes at the end of its scale."""
    place = {"source": value.said.path, "pointer": value.said.at}
    passed = SCORING.passes(of, number)
    return judged(run.run_id, of, number, **{**place, "passed": passed, **told})


def _of_people(
    run: RunRow, values: Iterable[Value], criteria: Mapping[str, Criterion]
) -> Iterator[JudgmentRow | RunScoreRow]:
    """Yield the last edit of each score by each person, and what these make of the run."""
    by_author: dict[str, dict[str, JudgmentRow]] = defaultdict(dict)
    for value in values:
        for number, by in value.history:
            author, reason = by.get("author"), by.get("reason")
            if isinstance(author, str) and author.strip():
                row = _judged(run, value, criteria[value.name], number)
                by_author[author.strip()][value.name] = row._replace(
                    judge=author.strip(),
                    judge_type=HUMAN,
                    judged_at=parse_time(by.get("timestamp")),
                    pointer=value.said.at + pointer("history"),
                    rationale=reason if isinstance(reason, str) else None,
                )
    for author, own in by_author.items():
        yield from own.values()
        whole = len(own) == len(criteria)
        score = mean([row.fraction for row in own.values()]) if whole else None
        yield RunScoreRow(run.run_id, author, HUMAN, score, 1.0, None, len(own), len(criteria))


def _run(run: RunRow, log: Log, sample: Sample, judgments: list[JudgmentRow]) -> RunRow:
    """Return the row of a run with what its scores give together, and what it took."""
    node, packages = sample.node, fields_in(log.eval.get("packages"))
    scored = [row for row in judgments if row.score is not None]
    score = mean([row.fraction for row in scored])
    status = "completed" if judgments or sample.record is None else PENDING
    if node.has("error"):
        status = "error"
    elif node.has("limit") and not scored:
        limit = node.get("limit")
        kind = limit.get("type") if isinstance(limit, dict) else limit
        status = STOPPED.get(str(kind), "length_cut")
    usage = [each for _, each in node.fields("model_usage")]
    tokens = [each.number("total_tokens") for each in usage]
    costs = [each.number("total_cost") for each in usage]
    version = packages.get("inspect_ai")
    release = re.match(r"(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?!\.dev)", str(version))
    has_text = release is not None and tuple(map(int, release.groups())) >= COMPLETED_SINCE
    if isinstance(node.get("output"), dict):
        has_text = isinstance(node.get("output").get("completion"), str)
    text = "/output/completion" if has_text else "/output/choices/0/message/content"
    return run._replace(
        status=status,
        score=score,
        max_score=None if score is None else 1.0,
        fraction=score,
        **checks(scored),
        judge_type=MODEL if any(row.judge_type == MODEL for row in judgments) else RULE,
        executor=f"inspect_ai {version}" if isinstance(version, str) else None,
        model=str(log.eval["model"]),
        started_at=node.time("started_at"),
        duration_s=node.number("total_time"),
        tokens=sum(each or 0 for each in tokens) or None,
        cost_usd=sum(each or 0 for each in costs) or None,
        outputs=None if sample.record is None else output_at(log.path, sample.record + text),
        source=log.path,
        pointer=sample.at,
    )
