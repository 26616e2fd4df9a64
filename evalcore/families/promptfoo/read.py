"""Turn the exports of one suite into rows: what promptfoo asked, ran, checked and counted."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from evalcore.disk.reader import Json, Reader
from evalcore.disk.values import Node, fields_in
from evalcore.families.base import SHARE, Plan
from evalcore.families.foreign import Suite, judged, share
from evalcore.families.promptfoo.exports import LINES, TABLE, Export, Result, as_text, short
from evalcore.families.scoring import Criterion
from evalcore.shapes.judge import HUMAN, MODEL, RULE, judge_from
from evalcore.tables.builder import Rows
from evalcore.tables.held import output_at
from evalcore.tables.rows import CaseRow, JudgmentRow, RunScoreRow, VersionRow

KIND: Final = "assertion"
BY_PERSON: Final = "human"
"""The type of the assertion that a rating stands under, of the output as a whole by a person."""
MOST_CHECKS: Final = 1_000
"""So many component results of one output are read at most."""
UNCHECKED: Final = "No assertions"
"""The reason of a grade that nothing was asserted for."""
ERROR: Final = 2
"""The `failureReason` of a result without an output that could be checked."""
BY_MODEL: Final = frozenset(
    {"agent-rubric", "answer-relevance", "classifier", "context-faithfulness", "context-recall",
     "context-relevance", "conversation-relevance", "factuality", "g-eval", "llm-rubric",
     "model-graded-closedqa", "model-graded-factuality", "moderation", "pi", "search-rubric",
     "select-best", "trajectory:goal-success"}
)  # fmt: skip
_FILE: Final = re.compile(r"([^\s:]+\.\w{1,5}): ")


def read(plan: Plan, _: Reader, rows: Rows) -> None:
    """Add every row of one suite; what cannot be read is noted on the reader."""
    exports: list[Export] = list(plan.found.values())
    described = next((each.description for each in exports if each.description), "")
    name = short(described) or plan.suite.rpartition("/")[2]
    current = [each for each in exports if each.repeats is None]
    several = any(len(set(_prompts(export).values())) > 1 for export in current)
    suite = _Suite(plan, rows, name, several)
    for path, kind in plan.files:
        export: Export = plan.found[path]
        number, note = len(export.results), export.root.note
        suite.document(path, kind, number)
        if export.repeats is not None:
            said = f"These results are also in {export.repeats}, so they count once."
            note("info", "results-repeated", said, "Remove one of the two files.")
        elif export.more:
            said = f"The file has {export.more:,} results beyond the {number:,} that were read."
            note("error", "too-many-runs", said, "Export smaller evaluations.")
        elif not number:
            note("info", "no-runs", "This export has no result.", "Export it when it has ended.")
    for export in sorted(current, key=lambda each: str(each.created_at or "")):
        suite.add_export(export)


def _prompts(export: Export) -> dict[int, str]:
    """Return the name of the prompt of each column: its label or file, else its number."""
    names: dict[int, str] = {}
    numbers: dict[str, int] = {}
    for column, node in export.prompts.items():
        # A line has the prompt with its variables filled in, so the label alone tells it.
        label, raw = node.get("label"), None if export.kind == LINES else node.get("raw")
        number = numbers.setdefault(as_text([label, raw]), len(numbers) + 1)
        names[column] = f"prompt {number}"
        if isinstance(label, str) and label.strip():
            file = _FILE.match(label)
            is_text = label == raw or "{{" in label or short(label) != label
            names[column] = file[1] if file else names[column] if is_text else label
    return names


class _Suite(Suite):
    """Reads the exports of one suite; with `several` prompts a configuration names its prompt."""

    def __init__(self, plan: Plan, rows: Rows, name: str, several: bool) -> None:
        super().__init__(plan, rows, name, SHARE)
        self.several = several
        self.versions: list[str] = []

    def add_export(self, export: Export) -> None:
        """Add an export as a version, with its cases, runs and judgments."""
        version, columns = self.add_version(export), self.configurations(export)
        runs: Counter[tuple[str, int]] = Counter()
        ends: Counter[str] = Counter()
        for (asked, number), results in export.tests.items():
            case = _digest(asked)[:10] + (f"-{number + 1}" if number else "")
            if self.is_new(case):
                self.add_case(case, results[0])
            for result in results:
                runs[case, result.column] += 1
                run = str(runs[case, result.column])
                place = case, version, columns[result.column], run
                ends[self.add_run(export, result, place)] += 1
        stats = export.summary.child("stats")
        for name in ("successes", "failures", "errors"):
            stated = stats.get(name)
            if type(stated) is int and stated != ends[name] and not export.more:
                said = f"{name} is {stated:,}, but the results give {ends[name]:,}."
                stats.note("warning", "derived-mismatch", said, "Export it again.", name)

    def add_version(self, export: Export) -> str:
        """Add the version of an export, named by the time of the evaluation; return its name."""
        made, stem = export.created_at, export.path.rpartition("/")[2].rpartition(".")[0]
        own = export.eval_id or stem
        name = f"{made:%Y-%m-%d %H:%M}" if made else own
        names = (name, f"{name} ({own})", f"{name} ({export.path})")
        version = next(each for each in names if each not in self.versions)
        # Its text are the prompts, so that two versions can be compared by them.
        prompts = () if export.kind == LINES else export.prompts.values()
        texts = dict.fromkeys(str(node.get("raw") or "") for node in prompts)
        text = "\n\n".join(filter(None, texts)) or None
        row = VersionRow(self.id, version, len(self.versions), text, made, source=export.path)
        hashed = None if text is None else _digest(text)
        self.add(row._replace(content_hash=hashed, pointer=export.summary.at))
        self.versions.append(version)
        return version

    def configurations(self, export: Export) -> dict[int, str]:
        """Return the configuration of each column: the provider, with one of several prompts."""
        prompts = _prompts(export)
        found: dict[int, str] = {}
        for result in export.results:
            if result.column not in found:
                prompt = export.prompts.get(result.column)
                provider = _provider(result.node, "label", "id") or _provider(prompt, "id") or "-"
                named = prompts.get(result.column, f"prompt {result.column + 1}")
                found[result.column] = f"{named} · {provider}" if self.several else provider
        names = Counter(found.values())
        return {at: f"{name} ({at + 1})" if names[name] > 1 else name for at, name in found.items()}

    def add_case(self, case: str, result: Result) -> None:
        """Add a case, with its variables as what is asked."""
        texts = [(key, _text(value)) for key, value in result.variables.items()]
        asked = "\n".join(f"{key}: {value}" for key, value in texts)
        described, prompt = result.test.get("description"), result.node.get("prompt")
        if not asked:
            asked = _text(prompt.get("raw") if isinstance(prompt, dict) else prompt)
        told = described if isinstance(described, str) else ""
        name = short(told or ", ".join(value for _, value in texts) or asked) or case
        row = CaseRow(self.id, case, name, asked or None, status="active")
        self.add(row._replace(source=result.test.path, pointer=result.test.at))

    def add_run(self, export: Export, result: Result, place: tuple[str, str, str, str]) -> str:
        """Add a run with its judgments; return how it ended, as promptfoo counts it."""
        node, is_table = result.node, export.kind == TABLE
        grading, error = node.child("gradingResult"), node.get("error")
        why = node.get("failureReason")
        failed = why == ERROR or (why is None and bool(error) and grading.value is None)
        passed = None if failed else node.flag("pass" if is_table else "success")
        found = [] if failed else list(_components(grading))
        ratings = [each for each, _ in found if _rates_whole(each.child("assertion"))]
        run = self.run(*place)
        checks = [] if failed else list(_checks(run.run_id, node, grading, found))
        verdicts = [row for _, row in checks if row.judge_type != HUMAN]
        decided = [row.passed for row in verdicts if row.passed is not None]
        judges = [HUMAN] * bool(ratings) + [row.judge_type for row in verdicts]
        response = node if is_table else node.child("response")
        output = "text" if is_table else "output"
        held = not failed and response.get(output) is not None
        score, latency = None if failed else node.number("score"), node.number("latencyMs")
        used = (node if node.has("tokenUsage") else response).child("tokenUsage")
        run = run._replace(
            status="error" if failed else "completed",
            passed=passed,
            score=score,
            max_score=_scale(score)[1],
            fraction=share(score, _scale(score)[1]),
            checks_passed=sum(decided),
            checks_total=len(decided),
            judge_type=next((each for each in (HUMAN, MODEL) if each in judges), RULE),
            executor="promptfoo",
            model=_provider(node, "id"),
            duration_s=None if latency is None else latency / 1000,
            tokens=used.number("total"),
            cost_usd=node.number("cost"),
            outputs=output_at(node.path, f"{response.at}/{output}") if held else None,
            source=node.path,
            pointer=node.at,
        )
        self.add(run)
        if failed:
            self.note(run, error if isinstance(error, str) else "promptfoo got no output.", node.at)
        for rating in ratings[:1]:
            given = rating.number("score")
            total = given, _scale(given)[1], rating.flag("pass")
            self.add(RunScoreRow(run.run_id, None, HUMAN, *total, judged=1, expected=1))
        said = (each.get("comment") for each in (*ratings, grading))
        comment = next((each for each in said if isinstance(each, str) and each.strip()), None)
        if comment is not None:
            self.note(run, comment, grading.at, kind="note")
        for position, (of, row) in enumerate(checks):
            self.add(row)
            if row.judge_type != HUMAN and self.is_new(place[0], of.name):
                # Where a threshold decides, none alone is required.
                required = None if of.required and result.test.has("threshold") else of.required
                asked = of._replace(required=required, low=0.0, high=1.0)
                self.criterion(place[0], asked, position, row.source, row.pointer)
        return "errors" if failed else "successes" if passed else "failures"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def _text(value: Json) -> str:
    """Return a variable, a prompt, or what an assertion compares with, as text."""
    text = value if isinstance(value, str) else "" if value is None else as_text(value)
    return text if len(text) <= 20_000 else f"{text[:20_000]}…"


def _scale(score: float | None) -> tuple[float | None, float | None]:
    """Return the lowest and highest score that promptfoo knows, none for a score outside them."""
    return (0.0, 1.0) if score is not None and 0 <= score <= 1 else (None, None)


def _provider(node: Node | None, *names: str) -> str | None:
    """Return the provider of a result or a prompt by the first of these names that it has."""
    found = None if node is None else node.get("provider")
    values = [found.get(each) for each in names] if isinstance(found, dict) else [found]
    return next((short(each) for each in values if isinstance(each, str) and each.strip()), None)


def _components(grading: Node) -> Iterator[tuple[Node, bool]]:
    """Yield each component result, and whether it is part of another one, which comes before it.

    Newer exports list the parts after the whole too. Others list them in it only.
    """
    listed = grading.get("componentResults")
    every = grading.all_items("componentResults") if isinstance(listed, list) else ()
    nodes = [each for each in every if isinstance(each.value, dict)]
    parts = 0
    for at, node in enumerate(nodes):
        yield node, parts > 0
        parts = max(parts - 1, 0)
        held = node.get("componentResults")
        inner = list(node.items("componentResults")) if isinstance(held, list) else []
        beside = nodes[at + 1 : at + 1 + len(inner)]
        if inner and list(map(_outcome, inner)) == list(map(_outcome, beside)):
            parts = len(inner)
        else:
            yield from ((each, True) for each in inner)


def _rates_whole(assertion: Node) -> bool:
    """Say whether a person rated the output; evalcore writes which criterion a person judged."""
    return assertion.get("type") == BY_PERSON and not assertion.has("metric")


def _outcome(node: Node) -> Json:
    return node.get("pass"), node.get("score"), node.get("reason")


def _checks(
    run: str | None, node: Node, grading: Node, found: Sequence[tuple[Node, bool]]
) -> Iterator[tuple[Criterion, JudgmentRow]]:
    """Yield what each component result is of, with a name of its own, and says; then named scores.

    Its criterion is required unless it is part of another one, or only measures.
    """
    if not found and grading.get("reason") not in (None, UNCHECKED):
        found = [(grading, False)]  # a grade as a whole, of which nothing says what it is made of
    if len(found) > MOST_CHECKS:
        said = f"Of {len(found):,} component results {MOST_CHECKS:,} were read."
        grading.note("warning", "too-many-checks", said, "Assert less in one test case.")
    names: Counter[str] = Counter()
    for each, is_part in found[:MOST_CHECKS]:
        about, assertion = each.child("metadata"), each.child("assertion")
        if not isinstance(assertion.value, dict):
            assertion = about.child("assertionSet")
        kind, metric = (_text(assertion.get(name)).strip() for name in ("type", "metric"))
        if _rates_whole(assertion):
            continue
        kind, value = kind or "result", assertion.get("value")
        if value is None and kind != "assert-set":
            value = assertion.get("threshold")
        filled = about.get("renderedAssertionValue")
        plain, rendered = (
            f"{kind}: {text}" if text else kind
            for text in map(_text, (value, value if filled is None else filled))
        )
        base = kind.removeprefix("not-")
        judge_type = MODEL if base in BY_MODEL or base.startswith("similar") else RULE
        by = assertion.get("provider") if judge_type == MODEL else None
        if kind == BY_PERSON:
            judge_type, by = HUMAN, about.get("judge")
        name = short(metric or plain)
        names[name] += judge_type != HUMAN
        if names[name] > 1 and judge_type != HUMAN:
            name = f"{name} ({names[name]})"
        unanswered, measures = about.get("graderError") is True, assertion.get("metricOnly") is True
        required, weight = not is_part and not measures, assertion.number("weight")
        score = None if unanswered else each.number("score")
        of = Criterion(KIND, name, rendered, required, weight, *_scale(score))
        yield (
            of,
            judged(
                run,
                of,
                score,
                judge=judge_from((by.get("id") if isinstance(by, dict) else by,), None).name,
                judge_type=judge_type,
                passed=None if unanswered or measures else each.flag("pass"),
                status="unscored" if unanswered else "scored",
                source=each.path,
                pointer=each.at,
                rationale=each.text("comment") or each.text("reason"),
            ),
        )
    scores = node.child("namedScores")
    for named in fields_in(scores.value):
        name = short(named)
        if name not in names and len(names) < MOST_CHECKS:
            names[name] += 1
            score = scores.number(named)
            said = "A score that an assertion gives under this name."
            of = Criterion(KIND, name, said, False, None, *_scale(score))
            told = {"judge_type": RULE, "status": "scored"}
            yield of, judged(run, of, score, **told, source=scores.path, pointer=scores.at)
