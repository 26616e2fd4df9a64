"""Read the tables of a suite by its mapping: each row is a run, or one judgment of a run."""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from shlex import quote
from typing import Any, Final

from evalcore.disk.reader import MISSING, Json, Reader
from evalcore.disk.sheets import MAX_CELLS, flag_in, number_in, rows_of, text_in, too_many
from evalcore.disk.values import Node, parse_time
from evalcore.families.base import CURRENT, MEAN_SCORE, PENDING, Advice, Loose, Plan
from evalcore.families.foreign import Suite, judged, share
from evalcore.families.mapping import Mapped, Preview, Shown
from evalcore.families.rows.mapping import ENDING, Asked, Columns, Place, Table, columns
from evalcore.families.scoring import RUBRIC, Criteria, Criterion
from evalcore.families.several_judges import graded
from evalcore.layouts.order import natural
from evalcore.layouts.shapes import Document
from evalcore.numbers import at_least
from evalcore.problems import pointer, quoted
from evalcore.shapes.judge import HUMAN, MODEL, RULE, TYPES
from evalcore.tables.builder import Rows
from evalcore.tables.held import output_at
from evalcore.tables.rows import CaseRow, JudgmentRow, RunRow, VersionRow

HEADLINE: Final = MEAN_SCORE
LONGEST: Final = 200
"""A longer name is cut, and ends with a digest of all of it."""
MAX_PROMPT: Final = 64 * 1024

_EXPECTATION: Final = "expectation"
_KINDS: Final = (_EXPECTATION, "assertion", "structural", RUBRIC, "convention")
_STATUSES: Final = {
    **dict.fromkeys(("completed", "success", "ok", "done", "finished", "passed"), "completed"),
    **{name: name for name in ("timeout", "refused", "length_cut", "gate_failed", PENDING)},
}
_JUDGES: Final = {
    **{each: each for each in TYPES},
    "model": MODEL,
    "ai": MODEL,
    "code": RULE,
    "rule": RULE,
    "api": RULE,
    **dict.fromkeys(("annotator", "person", "user"), HUMAN),
}
"""What tools call the ends of runs, and the types of judges."""


@dataclass
class _Run:
    """A run: what the first of its rows says of it, its criteria, and its judgments by judge."""

    row: RunRow
    found: dict[str, Json] = field(default_factory=dict)
    criteria: Criteria = field(default_factory=dict)
    judged: dict[tuple[str | None, ...], JudgmentRow] = field(default_factory=dict)


def find(reader: Reader, loose: Loose) -> list[Plan]:
    """Return a plan for each mapping, which claims its tables too."""
    del loose
    plans = []
    for path in reader.listing.paths:
        root, _, name = path.rpartition("/")
        if name.endswith(ENDING) and name != ENDING:
            value, suite = reader.json(path), path.removesuffix(ENDING)
            by = columns(Node(reader, path, None if value is MISSING else value, suite=suite))
            files = ((path, "row_mapping"), *((each.path, "table") for each in by.tables))
            plans.append(Plan(suite, "rows", root, None, files, {path: by}))
    return plans


def advice(path: str, document: Document, plans: Sequence[Plan]) -> Advice | None:
    """Return how lines of objects that nobody reads could be read."""
    del plans
    if not path.endswith(".jsonl") or not isinstance(document.value, list):
        return None
    return Advice(f"If its lines are runs, say how they are read: evalcore rows {quote(path)}")


def read(plan: Plan, reader: Reader, rows: Rows) -> None:
    """Add every row of one suite; what cannot be read is noted on the reader."""
    ((path, by),) = plan.found.items()
    suite, left = _Suite(plan, rows, by, reader), MAX_CELLS
    suite.document(path, "row_mapping", 1)
    for table in by.tables:
        found = rows_of(reader, table.path)
        left -= len(found) * len(by.criteria)
        if left < 0:
            reader.problem(path, table.at, *too_many("scores", MAX_CELLS))
            break
        suite.document(table.path, "table", len(found))
        for at, row in found:
            suite.add_row(table, at, row)
    suite.note_unknown(path)
    suite.add_all()


def preview(reader: Reader, path: str, mapping: Mapping[str, Json], most: int) -> Preview:
    """Return the rows of a table in all tables, and which of its columns is what."""
    by, rows = columns(Node(reader, path, dict(mapping))), Rows()
    plan = Plan(path.rpartition(".")[0], "rows", "", None, (), {path: by})
    read(plan, reader, rows)
    first = [
        row
        for _, row in rows_of(reader, path)
        if all(place.of(row)[0] in place.wanted for place in by.only.values())
    ][:most]
    places: list[tuple[str, Place]] = list(by.places.items())
    for asked in by.criteria:
        name = asked.name or "each criterion"
        fixed = {role: each.constant for role, each in asked.places.items() if each.column is None}
        scale = f", {fixed['low']} to {fixed['high']}" if {"low", "high"} <= fixed.keys() else ""
        for role, place in asked.places.items():
            if role not in ("low", "high") or role not in fixed:
                places.append((f"{name}: {role}{scale if role == 'score' else ''}", place))
    shown = []
    for what, place in places:
        column = place.column if place.column is not None else f"always {text_in(place.constant)}"
        times = f" × {place.times:g}" if place.times is not None else ""
        values = tuple(text_in(place.of(row)[0]) for row in first)
        shown.append(Shown(what + times, column, values))
    return Preview(rows, tuple(shown))


MAPPED: Final = Mapped(ENDING, preview)


def label(value: Json) -> str | None:
    """Return a cell as a name: in one piece, and no longer than a name is."""
    text = (text_in(value) or "").strip()
    return f"{text[:LONGEST]}… {_digest(text)}" if len(text) > LONGEST else text or None


class _Suite(Suite):
    """Gathers the runs of the rows of all tables of one mapping."""

    def __init__(self, plan: Plan, rows: Rows, by: Columns, reader: Reader) -> None:
        super().__init__(plan, rows, by.name or plan.suite.rpartition("/")[2], HEADLINE)
        self.by, self.reader = by, reader
        self.cases: dict[str, CaseRow] = {}
        self.criteria: dict[str, dict[tuple[str, str], tuple[Criterion, str, str]]] = {}
        """By case: each criterion with the table and the place that asks for it first."""
        self.runs: dict[tuple[str, ...], _Run] = {}
        self._turns: Counter[tuple[str | None, ...]] = Counter()
        self._met: set[str] = set()
        self._has_rows = False

    def _warn(self, path: str, at: str, code: str, said: str, hint: str) -> None:
        self.reader.problem(path, at, "warning", code, said, hint, self.id)

    def _values(self, places: Mapping[str, Place], row: Mapping[str, Json]) -> dict[str, Json]:
        """Return what a row holds at some places, and remember which of them there are."""
        found = {}
        for name, place in places.items():
            found[name], there = place.of(row)
            if there:
                self._met.add(place.at)
        return found

    def note_unknown(self, path: str) -> None:
        """Note the columns that a mapping names and no table has."""
        of_criteria = (place for asked in self.by.criteria for place in asked.places.values())
        places = (*self.by.places.values(), *self.by.only.values(), *of_criteria)
        for place in places if self._has_rows else ():
            if place.at not in self._met:
                said = f"No row has {quoted(place.column)}, which this names."
                hint = "Name a column as the head of the table does, or take this out."
                self._warn(path, place.at, "unknown-column", said, hint)

    def add_row(self, table: Table, at: int, row: Mapping[str, Json]) -> None:
        """Take in one row, unless `only` leaves it out."""
        self._has_rows = True
        chosen = self._values(self.by.only, row)
        if any(chosen[name] not in place.wanted for name, place in self.by.only.items()):
            return
        source, found = pointer(at), self._values(self.by.places, row)
        prompt, expected = (text_in(found.get(name)) for name in ("prompt", "expected"))
        case_id = label(found.get("case"))
        if case_id is None and "case" in self.by.places:
            hint = "Fill in the column of the case."
            self._warn(table.path, source, "no-case", "This row names no case.", hint)
            return
        case_id = case_id or (f"q-{_digest(prompt)}" if prompt else str(at + 1))
        version = label(found.get("version")) or table.version
        if version is None and len(self.by.tables) > 1 and "version" not in self.by.places:
            version = table.path.rpartition("/")[2].rpartition(".")[0]
        version = version or CURRENT
        configuration = label(found.get("configuration")) or table.configuration or "-"
        judged = [(asked, self._values(asked.places, row)) for asked in self.by.criteria]
        run = label(found.get("run"))
        if run is None:
            # In a table with a row for each judgment, only a second one of a kind is another run.
            long = [cells for asked, cells in judged if "criterion" in asked.places]
            who = (label(cells.get(name)) for cells in long for name in ("criterion", "judge"))
            turn = (case_id, version, configuration, *who)
            self._turns[turn] += 1
            run = str(self._turns[turn])
        key = case_id, version, configuration, run
        if key not in self.runs:
            self.runs[key] = _Run(self.run(*key)._replace(source=table.path, pointer=source))
        one = self.runs[key]
        for name, value in found.items():
            if value is not None and one.found.setdefault(name, value) is value:
                place = self.by.places[name]
                if name == "output" and one.row.outputs is None and place.column is not None:
                    held = output_at(table.path, source + place.pointer)
                    one.row = one.row._replace(outputs=held, source=table.path, pointer=source)
        case = CaseRow(self.id, case_id, status="active", source=table.path, pointer=source)
        case = self.cases.get(case_id, case)
        self.cases[case_id] = case._replace(
            name=case.name or label(found.get("title")),
            prompt=case.prompt or (prompt and prompt[:MAX_PROMPT]),
            expected=case.expected or (expected and expected[:MAX_PROMPT]),
        )
        for asked, cells in judged:
            self._judge(one, asked, cells, table.path, source)

    def _judge(
        self, run: _Run, asked: Asked, cells: Mapping[str, Json], path: str, source: str
    ) -> None:
        """Add what a row says of one criterion of a run, if it says anything."""
        is_long = "criterion" in asked.places
        name = label(cells.get("criterion")) if is_long else asked.name
        given = next((each for each in ("score", "passed") if cells.get(each) is not None), None)
        if name is None or asked.name not in (None, name) or (given is None and not is_long):
            return
        where = source + (asked.places[given].pointer if given else "")
        low, high, mark, weight = (
            number_in(cells.get(each), comma=self.by.comma)
            for each in ("low", "high", "pass_at", "weight")
        )
        low, high = 0.0 if low is None else low, 1.0 if high is None else high
        score, passed = self._scored(asked, cells, low, high)
        if given is not None and score is None:
            said = f"{quoted(text_in(cells[given]))} is no score of {quoted(name)}: unscored."
            hint = 'Say in the "words" of this criterion in the mapping what it means.'
            self._warn(path, where, "unknown-score", said, hint)
        elif score is not None and not low <= score <= high:
            scale = f"{low:g} to {high:g}"
            said = f"The score {score:g} is outside the scale {scale}; it counts as unscored."
            hint = 'Write the scale into the mapping, as "low" and "high".'
            self._warn(path, where, "score-out-of-range", said, hint)
            score = passed = None
        if score is not None and passed is None and mark is not None:
            passed = at_least(score, mark)
        is_marked = mark is not None or passed is not None or "passed" in asked.places
        kind = label(cells.get("kind"))
        kind = kind if kind in _KINDS else _EXPECTATION if is_marked else RUBRIC
        of = _JUDGES.get((label(cells.get("judge_type")) or RULE).casefold())
        if of is None:
            said = (
                f"{quoted(text_in(cells['judge_type']))} is not a type of judge: read as {RULE!r}."
            )
            self._warn(path, where, "unknown-judge-type", said, f"Write {', '.join(TYPES)}.")
        about, required = text_in(cells.get("description")) or name, flag_in(cells.get("required"))
        criterion = Criterion(kind, name, about, required, weight, low, high, mark)
        run.criteria.setdefault((kind, name), criterion)
        of_case = self.criteria.setdefault(run.row.case_id or "", {})
        of_case.setdefault((kind, name), (criterion, path, where))
        row = judged(
            run.row.run_id,
            criterion,
            score,
            judge=label(cells.get("judge")),
            judge_type=of or RULE,
            fraction=share(score, high if 0 <= low < high else None),
            passed=passed,
            judged_at=_time(cells.get("judged_at")),
            source=path,
            pointer=where,
            rationale=text_in(cells.get("rationale")),
            evidence=text_in(cells.get("evidence")),
        )
        if run.judged.setdefault((kind, name, row.judge, row.judge_type), row) is not row:
            said = f"The same judge scored {quoted(name)} of this run before; the first counts."
            hint = 'Map the column that tells the runs of a case apart, as "run".'
            self._warn(path, where, "repeated-judgment", said, hint)

    def _scored(
        self, asked: Asked, cells: Mapping[str, Json], low: float, high: float
    ) -> tuple[float | None, bool | None]:
        """Return the score that cells hold, and whether they say that it passed."""
        found: dict[str, float | bool | None] = {}
        for name in ("score", "passed"):
            value, number = cells.get(name), None
            if name == "score" and not isinstance(value, bool):
                number = number_in(value, comma=self.by.comma, high=high)
                number = asked.places[name].scaled(number) if name in asked.places else None
            found[name] = asked.words.get((text_in(value) or "").strip().casefold(), number)
            found[name] = flag_in(value) if found[name] is None else found[name]
        score, passed = found["score"], found["passed"]
        if isinstance(score, bool):  # a word in the column of scores
            passed, score = score if passed is None else passed, None
        if score is None and passed is not None:
            score = (high if passed else low) if isinstance(passed, bool) else passed
        return score, passed if isinstance(passed, bool) else None

    def add_all(self) -> None:
        """Add the cases of the suite, its versions and runs."""
        for case_id, case in self.cases.items():
            self.add(case)
            for position, asked in enumerate(self.criteria.get(case_id, {}).values()):
                criterion, source, at = asked
                self.criterion(case_id, criterion, position, source, at)
        versions: dict[str, VersionRow] = {}
        for run in self.runs.values():
            name, began = run.row.version or "", _time(run.found.get("started_at"))
            made = VersionRow(self.id, name, 0, source=run.row.source, pointer=run.row.pointer)
            known = versions.setdefault(name, made)
            if began is not None and (known.created_at is None or began < known.created_at):
                versions[name] = known._replace(created_at=began)
        # As the mapping orders them, else by time, by name, or by table.
        stated = [name for name in self.by.versions if name in versions]
        others = [name for name in versions if name not in stated]
        if "version" in self.by.places:
            others.sort(key=natural)
        times = {name: versions[name].created_at for name in others}
        if all(times.values()):
            others.sort(key=lambda name: str(times[name]))
        for position, name in enumerate((*stated, *others)):
            self.add(versions[name]._replace(position=position))
        for run in self.runs.values():
            self._add_run(run)

    def _add_run(self, run: _Run) -> None:
        """Add a run, its judgments, and what each judge gives it."""
        found, row = run.found, run.row
        amounts: dict[str, Any] = {}
        for name in ("tokens", "cost_usd", "duration_s", "score", "max_score"):
            if name in self.by.places:
                amount = number_in(found.get(name), comma=self.by.comma)
                amounts[name] = self.by.places[name].scaled(amount)
        error = text_in(found.get("error"))
        status = _STATUSES.get((label(found.get("status")) or "completed").casefold(), "error")
        # A column of scores asks every run: an empty cell is a score that is missing.
        asked = self.criteria.get(row.case_id or "", {}) if run.judged else {}
        wide = {each.name for each in self.by.criteria if "criterion" not in each.places}
        for key, (criterion, _, _) in asked.items():
            if key not in run.criteria and criterion.name in wide:
                run.criteria[key] = criterion
                first = min(run.judged.values(), key=lambda each: each.judge_type == HUMAN)
                told = {"source": row.source, "pointer": row.pointer}
                told |= {"judge": first.judge, "judge_type": first.judge_type}
                run.judged[*key, None, None] = judged(row.run_id, criterion, None, **told)
        row = row._replace(
            status="error" if error and status == "completed" else status,
            passed=flag_in(found.get("passed")),
            model=label(found.get("model")),
            started_at=_time(found.get("started_at")),
            **amounts,
        )
        whole, *others = graded(row, run.criteria, list(run.judged.values()))
        # A column that says whether runs passed says of some that they neither did nor failed.
        self.add(whole._replace(passed=row.passed) if "passed" in self.by.places else whole)
        for each in others:
            self.add(each)
        if error:
            self.note(row, error, row.pointer)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]


def _time(value: Json) -> datetime | None:
    """Return a time in ISO form, or in seconds or milliseconds since 1970."""
    if isinstance(value, int | float) and 1e8 < value < 1e14:
        return datetime.fromtimestamp(value / 1000 if value > 1e11 else value, UTC)
    return parse_time(value)
