"""New records of a store: where they lie, test-runs with their judgments, and blind studies."""

import uuid
from collections.abc import Sequence
from itertools import chain, islice
from typing import Any, Final

import msgspec

from evalcore.errors import EvalcoreError
from evalcore.families.base import CURRENT
from evalcore.families.comparing import Compared, Comparing, Written
from evalcore.families.graded import Graded, Json, Verdict, explained
from evalcore.families.records.shapes import AGENT_RUN, SHARDS, type_of
from evalcore.families.remembering import NewRecord
from evalcore.families.running import (
    ONLY,
    Case,
    Criterion,
    Document,
    Execution,
    KnownRun,
    Offer,
    Running,
    Suite,
    Target,
    TestRun,
    test_run,
    value_there,
    values_of,
)
from evalcore.numbers import at_least, whole
from evalcore.shapes.judge import BLOCK, HUMAN, own_block, written_from
from evalcore.shapes.prompts import prompt_in

_BESIDE = ("test-case", "test-run", "benchmark-run", AGENT_RUN)


def place(home: str, kind: str, name: str) -> str:
    """Return the path of a record of a type in the store of the record at `home`.

    Beside a file of many records it gets a folder of its type.
    """
    parts = home.split("/")
    if SHARDS in parts:
        top = parts[: parts.index(SHARDS) + 1]
        return "/".join([*top, name[:2], name[2:4], f"{name}.json"])
    folder = parts[:-1]
    if home.endswith(".jsonl"):
        folder.append(kind)
    elif folder and folder[-1] in _BESIDE:
        folder[-1] = kind
    return "/".join([*folder, f"{name}.json"])


def envelope(
    kind: str, name: str, about: str, fields: dict[str, Any], at: str, *, sharded: bool
) -> dict[str, Any]:
    """Return a record with its fields; `about` names what it is of, where records have titles."""
    times = {"createdAt": at, "updatedAt": at} if at else {}
    if sharded:
        head = {"id": name, "title": f"{kind} of {about}", "minionTypeId": kind}
    else:
        head = {"id": name, "type": kind}
    return {**head, "fields": fields, **times}


def placed(documents: Sequence[tuple[str, str]], new: NewRecord) -> tuple[str, dict[str, Any]]:
    """Return the place and form of a new record of a store, given its documents (path, kind).

    It lies beside records of its type; else, in a store of shards, in one; else in a folder of its
    type, where the store has folders of types or all its records in one file.
    """
    kind, shards = new.type, {path for path, _ in documents if SHARDS in path.split("/")}
    own = [path for path, of in documents if of == kind]
    if own:
        plain = [path for path in own if path not in shards]
        is_plain = 2 * len(plain) >= len(own)
        home = plain[0] if is_plain else next(filter(shards.__contains__, own))
    elif 2 * len(shards) > len(documents):
        home = min(shards)
    else:
        homes = [(path.rpartition("/")[0], of) for path, of in documents if path not in shards]
        for folder, of in homes:
            above, _, name = folder.rpartition("/")
            if name in (of, f"{of}s"):
                folders = [above, f"{kind}s" if name.endswith("s") else kind]
                break
        else:
            one_each = any(of not in ("records", "broken") for _, of in documents)
            above = homes[0][0] if homes else ""
            folders = [above] if one_each else [above, kind]
        home = "/".join([*filter(None, folders), "record.json"])
    sharded = SHARDS in home.split("/")
    value = envelope(new.type, new.id, new.about, new.fields, new.at, sharded=sharded)
    if new.type == "relation":
        value |= value.pop("fields")  # the ends of a relation stand beside its id
    value["createdBy"] = new.author
    if new.supersedes:
        old = list(new.supersedes)
        value["supersedes"] = old if len(old) > 1 else old[0]
    return place(home, new.type, new.id), value


RULES_CONFIDENCE: Final = 1.0
"""A rule decides the same whenever it is asked."""

OUTPUT: Final = "/fields/actualOutput"

PROMPT_SHA256: Final = "promptSha256"
"""The field of `evalcore` in a record that says which text of a prompt version was executed."""

TOOL_CALLS: Final = "toolCallsLog"
MAX_DOCUMENTS: Final = 2_000
"""So many documents are looked through for an agent-run, first those that have its id as a name."""

_FAILURES: Final = {"timeout": "timeout", "refused": "refusal"}


class RecordRuns(Running):
    """A run is a record of its own beside the test case; a version is a prompt's.

    What the agent made of a case is an agent-run, from which the test-run follows when all of it
    is judged.
    """

    files_below = ()  # inputs are part of the record
    grading_place = "{place}"  # the test-run is written last

    def offer(self, suite: Suite) -> Offer:
        """Return the prompt versions of cases and earlier runs; the newest is chosen."""
        labels = suite.rows("versions", "version")
        targets = tuple(Target(label, ONLY, None) for (label,) in labels)
        return Offer(targets, targets[-1:], 1)

    def case(self, suite: Suite, case: Case) -> Case:
        """Return a case with the rubric that judges it, and its expected outputs."""
        record = case.definition if isinstance(case.definition, dict) else {}
        fields = record.get("fields", record)
        rubric: dict[str, Any] = {}
        unread: EvalcoreError | None = None
        for path in suite.documents.get("rubric", ()):
            try:
                value = suite.raw(path, "")
            except EvalcoreError as error:
                unread = error  # it matters to the cases of that rubric only
                continue
            named = (each for each in _records(value) if each.get("id") == fields.get("rubricId"))
            rubric = _fields(next(named, None))
            if rubric:
                break
        if unread is not None and not rubric:
            raise unread
        definition = {
            "record": SHARDS if "minionTypeId" in record else "record",
            "threshold": rubric.get("passingThreshold"),
            "prompt": fields.get("promptVersionRef"),
        }
        expected = fields.get("expectedOutputs")
        listed = rubric.get("criteriaIds")
        criteria = case.criteria
        if isinstance(listed, list):
            criteria = tuple(each for each in criteria if each.name in listed)
        return msgspec.structs.replace(
            case, definition=definition, expected=expected, criteria=criteria
        )

    def runs(self, suite: Suite, case: Case, target: Target, count: int, at: str) -> list[TestRun]:
        """Return runs with new ids, in the place of records; none for another prompt's version."""
        asked, named = prompt_in(case.definition.get("prompt")), prompt_in(target.version)
        if asked is not None and (target.version == CURRENT or named not in (None, asked)):
            return []
        names = [str(uuid.uuid4()) for _ in range(count)]
        home = case.source
        assert home is not None, case.id
        return [
            test_run(suite, case, target, name, place(home, "test-run", name)) for name in names
        ]

    def next_place(self, run: TestRun) -> tuple[str, str]:
        """Return another new id, and its place."""
        name = str(uuid.uuid4())
        return name, place(run.place, "test-run", name)

    def of_stored(self, suite: Suite, run: TestRun, known: KnownRun) -> TestRun:
        """Return the test run of an agent-run: its times are those of the execution."""
        source, at = known.source or "", known.pointer or ""
        record, made = suite.raw(source, at), suite.raw(source, f"{at}/fields")
        execution = {
            "agentRunId": record.get("id"),
            "startedAt": made.get("startedAt"),
            "durationMs": made.get("durationMs"),
            PROMPT_SHA256: own_block(record).get(PROMPT_SHA256),
        }
        # The name of the file is no path, whatever the id of the run is.
        file = place(source, "test-run", str(_key(run)))
        return msgspec.structs.replace(run, place=file, execution=execution)

    def shown(self, run: TestRun) -> str:
        """Return the output in the record of the agent-run."""
        return place(run.place, AGENT_RUN, _part(run, AGENT_RUN)) + f"#{OUTPUT}"

    def stored(self, suite: Suite, run: KnownRun) -> str | None:
        """Return the output inside the record of a run, or its own files where it has some."""
        if run.outputs not in (None, run.source) or run.source is None:
            return super().stored(suite, run)
        held = f"{(run.pointer or '').removesuffix(OUTPUT)}{OUTPUT}"
        return f"{run.source}#{held}" if value_there(suite, run.source, held) else None

    def tool_calls(self, suite: Suite, run: KnownRun) -> Json:
        """Return the log of a run, or of the agent-run that it follows from; None without one."""
        fields = _fields(suite.raw(run.source or "", (run.pointer or "").removesuffix(OUTPUT)))
        name = fields.get("agentRunId")
        if fields.get(TOOL_CALLS) or not isinstance(name, str) or not name:
            return fields.get(TOOL_CALLS) or None
        one = suite.documents.get(AGENT_RUN, ())
        likely = dict.fromkeys(path for path in one if name in path.rpartition("/")[2])
        rest = (
            path for path in chain(one, suite.documents.get("records", ())) if path not in likely
        )
        for path in islice(chain(likely, rest), MAX_DOCUMENTS):
            try:
                value = suite.raw(path, "")
            except EvalcoreError:
                continue
            for each in _records(value):
                if each.get("id") == name and type_of(each) == AGENT_RUN:
                    return _fields(each).get(TOOL_CALLS)
        return None

    def score(self, criterion: Criterion, verdict: Verdict) -> float:
        """Return the score that was given, else that of the achieved share of the scale."""
        if verdict.score is not None:
            return whole(verdict.score)
        low = criterion.low or 0.0
        return round(low + (_high(criterion) - low) * (verdict.share or 0.0), 9)

    def documents(self, case: Case, run: TestRun, done: Execution) -> list[Document]:
        """Return the record of the agent-run, from which the test-run follows."""
        fields = {
            "testRunId": run.run,
            "testCaseId": case.id,
            "promptVersionRef": run.version,
            "actualOutput": done.output if isinstance(done.output, dict) else {},
            "status": done.status,
            "startedAt": done.started_at,
            "durationMs": round((done.seconds or 0.0) * 1000),
        }
        if done.tool_calls:
            fields[TOOL_CALLS] = done.tool_calls
        at = done.started_at
        name = _part(run, AGENT_RUN)
        return [_record(case, run, AGENT_RUN, name, fields, at, _of_prompt(done.prompt_sha256))]

    def grading(self, case: Case, run: TestRun, done: Execution, graded: Graded) -> list[Document]:
        """Return the judgments, why the run failed where it did, and last the run itself."""
        if not graded.complete or not graded.judged:
            return []
        known = {each.name: each for each in case.criteria}
        scores = {each.name: self.score(known[each.name], each) for each in graded.judged}
        total = sum((known[name].weight or 0.0) * score for name, score in scores.items())
        most = sum((each.weight or 0.0) * _high(each) for each in known.values())
        threshold = case.definition.get("threshold")
        failed = done.status != "completed"
        passed = not failed and threshold is not None and at_least(total, threshold)
        made = run.execution or {
            "agentRunId": _part(run, AGENT_RUN),
            "startedAt": done.started_at,
            "durationMs": round((done.seconds or 0.0) * 1000),
            PROMPT_SHA256: done.prompt_sha256,
        }
        found: list[Document] = []
        for each in graded.judged:
            judgment = {
                "testRunId": run.run,
                "criterionId": each.name,
                "score": scores[each.name],
                "maxScore": _high(known[each.name]),
                "rationale": explained(each),
                "judgedBy": graded.judge,
                "judgedByType": graded.judge_type,
                "judgedAt": graded.judged_at,
            }
            is_rule = not each.judgment_ids and graded.judging is None
            confidence = RULES_CONFIDENCE if is_rule else each.confidence
            if confidence is not None:
                judgment["confidence"] = confidence
            block: dict[str, Json] = {}
            if graded.judge_type == HUMAN:
                block = written_from(each.judgment_ids)  # the records of people
            elif graded.judging is not None:
                block = {BLOCK: {"judging": graded.judging.about}}
            name, at = _part(run, f"eval-judgment {each.name}"), graded.judged_at
            found.append(_record(case, run, "eval-judgment", name, judgment, at, block))
        if not passed:
            worst = [each for each in graded.judged if scores[each.name] < _high(known[each.name])]
            said = done.why or "; ".join(each.rationale for each in worst)
            failure = {
                "testRunId": run.run,
                "failureType": _FAILURES.get(done.status, "wrong-output"),
                "description": said or "The total is below the passing threshold.",
                "affectedCriterionIds": [each.name for each in worst],
                "severity": "major",
                "rootCause": "",
                "resolvedAt": None,
                "resolutionNotes": None,
            }
            name = _part(run, "eval-failure failure")
            found.append(_record(case, run, "eval-failure", name, failure, graded.judged_at))
        fields = {
            "testCaseId": case.id,
            "agentRunId": made["agentRunId"],
            "promptVersionRef": run.version,
            "actualOutput": done.output if isinstance(done.output, dict) else {},
            "passed": passed,
            "totalScore": round(total, 9),
            "maxPossibleScore": round(most, 9),
            "ranAt": made["startedAt"],
            "durationMs": made["durationMs"],
            "judgeType": graded.judge_type,
        }
        block = _of_prompt(made.get(PROMPT_SHA256))
        return [*found, _record(case, run, "test-run", run.run, fields, made["startedAt"], block)]


def _of_prompt(sha256: Json) -> dict[str, Json]:
    """Return what says by its sha256 which text of a prompt was executed, if one was."""
    return {BLOCK: {PROMPT_SHA256: sha256}} if isinstance(sha256, str) else {}


def _part(run: TestRun, part: str) -> str:
    """Return the id of one of the records of a run, always the same one."""
    return str(uuid.uuid5(_key(run), part))


def _key(run: TestRun) -> uuid.UUID:
    """Return the id of a run; of one that another tool named, one that follows from its name."""
    try:
        return uuid.UUID(run.run)
    except ValueError:
        return uuid.uuid5(uuid.NAMESPACE_OID, run.run)


def _record(
    case: Case,
    run: TestRun,
    kind: str,
    name: str,
    fields: dict[str, Any],
    at: str | None,
    block: dict[str, Json] | None = None,
) -> Document:
    """Return a record of the time `at` beside the others of its store."""
    sharded = case.definition["record"] == SHARDS
    path = run.place if kind == "test-run" else place(run.place, kind, name)
    value = envelope(kind, name, case.name or case.id, fields, at or "", sharded=sharded)
    return Document(path, {**value, **(block or {})})


def _records(value: Json) -> list[dict[str, Any]]:
    """Return the records in the value of a file: one, or a list of them."""
    several = value if isinstance(value, list) else [value]
    return [each for each in several if isinstance(each, dict)]


def _fields(record: Json) -> dict[str, Any]:
    fields = record.get("fields") if isinstance(record, dict) else None
    return fields if isinstance(fields, dict) else {}


def _high(criterion: Criterion) -> float:
    return 1.0 if criterion.high is None else criterion.high


RUNNING: Final = RecordRuns()


COMPARISON: Final = "prompt-comparison"
EVEN: Final = 0.5


def written(study: Compared) -> Written:
    """Return one record of the study, about the newest benchmark that was run with both versions.

    It lies where the record of such a run lies.
    """
    share, a, b = round(study.share_b, 6), study.version_a, study.version_b
    names = ("benchmark", "version", "ran_at", "source")
    rows = values_of(study.tables, "benchmark_runs", study.suite, *names)
    known = {(row[0], row[1]): row for row in sorted(rows, key=lambda row: str(row[2]))}
    both = [
        max(known[name, a], known[name, b], key=lambda row: str(row[2]))
        for name in {row[0] for row in rows if row[0] is not None}
        if (name, a) in known and (name, b) in known
    ]
    if not both:
        why = "it needs a benchmark that was run with both versions"
        return Written(left_out=(f"No prompt-comparison: {why}.",))
    newest = max(both, key=lambda row: (str(row[2]), str(row[0])))
    benchmark, home = str(newest[0]), str(newest[3])
    fields = {
        "benchmarkId": benchmark,
        "promptVersionA": a,
        "promptVersionB": b,
        "scoreA": round(1 - share, 6),
        "scoreB": share,
        "winner": None if share == EVEN else b if share > EVEN else a,
        "sampleSize": study.cases,
        "comparedAt": study.ended_at,
        "notes": study.notes,
    }
    name = str(uuid.uuid5(uuid.NAMESPACE_OID, f"{study.id} {COMPARISON}"))
    sharded = SHARDS in home.split("/")
    value = envelope(COMPARISON, name, f"{a} and {b}", fields, study.ended_at, sharded=sharded)
    return Written((Document(place(home, COMPARISON, name), value),))


COMPARING: Final = Comparing(written)
