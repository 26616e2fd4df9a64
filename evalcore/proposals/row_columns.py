"""Propose which column of a table of runs is what, from the names and values of its columns."""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Final, NamedTuple

from evalcore.disk.reader import Json
from evalcore.disk.sheets import flag_in, number_in, text_in
from evalcore.disk.values import decoded, parse_time
from evalcore.names import spelled
from evalcore.problems import pointer, quoted

SAMPLE: Final = 1_000
"""So many rows are looked at."""
MOST_PLACES: Final = 400
DEEPEST: Final = 3
FEW: Final = 6

NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "case": ("case", "case_id", "test_case", "test_case_id", "testcase", "example_id",
             "reference_example_id", "sample_id", "doc_id", "question_id", "item_id", "span_id",
             "context_span_id", "id", "nr", "fall"),
    "prompt": ("prompt", "question", "input", "inputs", "query", "instruction", "user_input",
               "request", "message", "task", "frage", "eingabe", "input_value"),
    "expected": ("expected", "expected_output", "reference", "reference_output", "ground_truth",
                 "reference_outputs", "target", "gold", "ideal", "correct_answer", "erwartet"),
    "output": ("output", "outputs", "answer", "response", "completion", "prediction", "generated",
               "actual", "actual_output", "model_output", "antwort", "ausgabe", "output_value"),
    "version": ("version", "experiment", "experiment_name", "prompt_version", "revision", "commit",
                "session_name", "git_sha", "release"),
    "configuration": ("configuration", "config", "variant", "condition", "setting"),
    "run": ("run", "repetition", "repetition_number", "repeat", "trial", "epoch", "attempt",
            "durchlauf"),
    "model": ("model", "model_name", "model_id"),
    "tokens": ("tokens", "total_tokens", "token_count", "token_count_total"),
    "cost_usd": ("cost", "cost_usd", "total_cost", "estimated_cost"),
    "duration_s": ("duration", "duration_s", "latency", "execution_time", "seconds", "latency_ms",
                   "duration_ms"),
    "started_at": ("started_at", "start_time", "created_at", "created", "timestamp", "datum"),
    "status": ("status",),
    "error": ("error", "exception", "error_message", "fehler"),
}  # fmt: skip
"""What tools and people call the columns of a run, the likeliest first."""

_INSIDE: Final = {"prompt": ("inputs", "input"), "output": ("outputs", "output"),
                  "expected": ("reference_outputs", "reference", "expected")}  # fmt: skip
"""The objects of which one value is meant, as `inputs.question` is."""
_NUMBERS: Final = ("tokens", "cost_usd", "duration_s")
CRITERION: Final = (
    "criterion", "metric", "metric_name", "evaluator", "evaluator_name", "annotation_name",
    "feedback_key", "scorer", "eval_name", "score_name", "dimension", "kriterium",
)  # fmt: skip
SCORE: Final = ("score", "result_score", "value", "rating", "grade", "points", "note", "punkte")
VERDICT: Final = ("passed", "pass", "correct", "label", "result_label", "verdict", "bestanden")
REASON: Final = (
    "rationale", "reason", "reasoning", "explanation", "result_explanation", "comment",
    "justification", "why", "grund", "begründung",
)  # fmt: skip
JUDGE: Final = ("judge", "annotator", "rater", "grader", "reviewer", "judged_by", "identifier")
JUDGE_TYPE: Final = ("judge_type", "annotator_kind", "feedback_source", "judged_by_type")
_HEADS: Final = ("scores", "score", "feedback", "eval", "evals", "evaluation", "metrics", "metric")
_SCORED: Final = frozenset(
    (*SCORE, *VERDICT, "accuracy", "acc", "f1", "em", "correctness", "helpfulness", "relevance",
     "faithfulness", "quality", "similarity", "bewertung", "match", "success", "bleu", "rouge")
)  # fmt: skip
_BAD: Final = frozenset(
    ("hallucination", "hallucinated", "toxicity", "toxic", "bias", "biased", "harmful", "harm",
     "leak", "pii", "refusal", "refused", "jailbreak")
)  # fmt: skip
"""What is good where it is not found."""
_SPANS: Final = ("span_id", "trace_id")
"""Ids that every execution has anew: they tell runs apart, and no cases."""
_DECIMAL: Final = re.compile(r"-?[0-9]+(,[0-9]+)?")
_WORD: Final = re.compile(r"[\W_]+")
_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


class Guess(NamedTuple):
    """A mapping, the sentences on what of it is not sure, and all places there are."""

    mapping: dict[str, Json]
    unsure: tuple[str, ...]
    places: tuple[str, ...]


Values = Mapping[str, list[Json]]
"""The values that are not empty, by their place: a column, or a pointer into its cells."""


def guessed(
    rows: Sequence[Mapping[str, Json]],
    file: str,
    stated: Mapping[str, str],
    criteria: Sequence[str] = (),
    score: str | None = None,
) -> Guess:
    """Return which column of a table is what; what a person `stated` is taken as it is.

    `criteria` are columns of scores, or with `score` the one that names the criterion of each row.
    """
    values = _values(rows)
    known = _openai(rows, file) or _lm_eval(rows, file)
    if known is not None:
        found, asked = known
        found |= stated
        if criteria:
            names = {place: _name(place) for place in values}
            asked = _wide(values, names, set(), criteria, comma=False, unsure=[])
        return Guess({"schema": 1, **found, "criteria": asked}, (), tuple(values))
    unsure: list[str] = []
    names = {place: _name(place) for place in values}
    used = {*stated.values(), *criteria, *([score] if score else ())}
    found = {"tables": [file]}
    comma = False
    for each in values.values():
        texts = [cell.strip() for cell in each if isinstance(cell, str)]
        if texts and all(map(_DECIMAL.fullmatch, texts)):
            # 1,234 is a thousand; only other digits behind a comma are no whole number.
            comma |= bool({len(text.partition(",")[2]) for text in texts} - {0, 3})
    if comma:
        found["decimal"] = ","
    long = None
    if not criteria:
        long = _called(CRITERION, names, used)
        value = _called((*SCORE, *VERDICT), names, used | {long or ""})
        long = long if value is not None else None
    elif score is not None:
        long, value = criteria[0], score
    if long is not None:
        used |= {long, value or ""}
    taken: dict[str, Json] = dict(stated)
    for role, called in NAMES.items():
        place = None if role in taken else _called(called, names, used)
        if place is None and role in _INSIDE and role not in taken:
            heads = tuple(f"{head}_" for head in _INSIDE[role])
            place = next(
                (p for p, n in names.items() if p not in used and n.startswith(heads)), None
            )
        given = values[place] if place is not None else []
        suits = bool(given) or role in ("error", "status")
        if role in _NUMBERS:
            suits = all(number_in(each, comma=comma) is not None for each in given)
        elif role == "started_at":
            suits = all(parse_time(each) or isinstance(each, int | float) for each in given)
        if place is not None and suits:
            used.add(place)
            is_ms = role == "duration_s" and names[place].endswith("_ms")
            taken[role] = {"column": place, "times": 0.001} if is_ms else place
    _check_case(taken, stated, values, unsure)
    if long is not None and value is not None:
        asked = _long(rows, names, used, long, value, comma, unsure)
    else:
        asked = _wide(values, names, used, criteria, comma, unsure)
    if not asked:
        unsure.append("No column looks like a score. Name one: --criterion COLUMN.")
    return Guess({"schema": 1, **found, **taken, "criteria": asked}, tuple(unsure), tuple(values))


def _values(rows: Iterable[Mapping[str, Json]]) -> dict[str, list[Json]]:
    found: dict[str, list[Json]] = {}

    def look(place: str, value: Json, depth: int) -> None:
        inside = decoded(value)
        if isinstance(inside, dict) and inside and depth < DEEPEST:
            base = place if place.startswith("/") and depth else pointer(place)
            for name, each in islice(inside.items(), MOST_PLACES):
                look(base + pointer(name), each, depth + 1)
        elif place in found or len(found) < MOST_PLACES:
            known = found.setdefault(place, [])
            if value is not None and (not isinstance(value, str) or value.strip()):
                known.append(value)

    for row in islice(rows, SAMPLE):
        for name, value in row.items():
            look(name, value, 0)
    return found


def _name(place: str) -> str:
    """Return the name of a place in small letters with `_` between its words."""
    return _WORD.sub("_", spelled(_HUMP.sub("_", place))).strip("_").lower()


def _called(wanted: Iterable[str], names: Mapping[str, str], used: set[str]) -> str | None:
    """Return the first place that is called so, or whose last words are."""
    free = {place: name for place, name in names.items() if place not in used}
    for name in wanted:
        if place := next((place for place, own in free.items() if own == name), None):
            return place
    for name in wanted:
        found = [p for p, own in free.items() if own.endswith(f"_{name}") and "_" in f"{own}"]
        if len(found) == 1 and len(name) > 2:
            return found[0]
    return None


def _check_case(
    taken: dict[str, Json], stated: Mapping[str, str], values: Values, unsure: list[str]
) -> None:
    """Take the prompt for the case where the column of ids gives each row another one."""
    case, prompt = taken.get("case"), taken.get("prompt")
    prompts = [text_in(each) for each in values.get(str(prompt), ())]
    if case is None:
        what = "the same prompt is one case" if prompt else "each row is a case of its own"
        unsure.append(f"No column looks like the id of a case, so {what}: --case COLUMN.")
    elif "case" not in stated and prompts:
        ids = [text_in(each) for each in values[str(case)]]
        is_span = _name(str(case)).endswith(_SPANS)
        if is_span or len(set(prompts)) < len(prompts) == len(set(ids)):
            del taken["case"]
            why = "is new in every run" if is_span else "differs in every row"
            unsure.append(f"{quoted(case)} {why}, so the same prompt is one case: --case COLUMN.")
            if len(set(ids)) < len(ids):  # several judgments of one run
                taken.setdefault("run", case)
    if "version" not in taken:
        said = "No column looks like a version, so all rows of a table are of one"
        unsure.append(f"{said}: --version COLUMN, or list several tables in the mapping.")


def _judged(
    place: str, name: str, values: Sequence[Json], comma: bool, unsure: list[str]
) -> dict[str, Json] | None:
    """Return where the score of a criterion is and on which scale, None where it has none."""
    if values and all(flag_in(each) is not None for each in values):
        if not _BAD.intersection(_name(name).split("_")):
            return {"passed": place}
        unsure.append(f"By its name, {quoted(name)} is bad, so that yes, true and 1 fail it.")
        said = dict.fromkeys(text_in(each) or "" for each in values)
        return {"passed": place, "words": {word: not flag_in(word) for word in said}}
    numbers = [number_in(each, comma=comma, high=1.0) for each in values]
    known = [each for each in numbers if each is not None]
    most = next((top for top in (1, 5, 10, 100) if known and max(known) <= top), None)
    if most is not None and len(known) == len(numbers) and min(known) >= 0:
        low = 1 if most in (5, 10) and min(known) >= 1 else 0
        if most != 1:
            ends = f"{low} to {most}"
            unsure.append(f"The scale of {quoted(name)} is taken to be {ends}, from its values.")
        return {"score": place, "low": low, "high": most}
    words = list(dict.fromkeys(text_in(each) or "" for each in values))
    if 0 < len(words) <= FEW and all(number_in(each, comma=comma) is None for each in words):
        listed = ", ".join(map(quoted, words))
        unsure.append(
            f'{quoted(name)} says {listed}: write into "words" of the mapping what each means.'
        )
        return {"score": place, "words": dict.fromkeys(words)}
    return None


def _long(
    rows: Sequence[Mapping[str, Json]],
    names: Mapping[str, str],
    used: set[str],
    criterion: str,
    score: str,
    comma: bool,
    unsure: list[str],
) -> list[dict[str, Json]]:
    """Return the criteria of a table with a row for each judgment: one entry if all are alike."""
    further: dict[str, Json] = {"criterion": criterion}
    label = _called(VERDICT, names, used) if names.get(score) not in VERDICT else None
    for role, called in (("rationale", REASON), ("judge", JUDGE), ("judge_type", JUDGE_TYPE)):
        if place := _called(called, names, used):
            further[role] = place
            used.add(place)
    by_name: dict[str, list[Mapping[str, Json]]] = {}
    for row in islice(rows, SAMPLE):
        of = _values([row])
        if name := text_in(next(iter(of.get(criterion, [])), None)):
            by_name.setdefault(name, []).append(of)
    entries: list[dict[str, Json]] = []
    for name, own in by_name.items():
        scores = [each for of in own for each in of.get(score, [])]
        place, given = score, scores
        if not scores and label is not None:
            place, given = label, [each for of in own for each in of.get(label, [])]
        found = _judged(place, name, given, comma, unsure) or {"score": place}
        entries.append({**further, "name": name, **found})
    forms = [{key: of for key, of in each.items() if key != "name"} for each in entries]
    return [forms[0]] if forms and all(each == forms[0] for each in forms) else entries


def _wide(
    values: Values,
    names: Mapping[str, str],
    used: set[str],
    criteria: Sequence[str],
    comma: bool,
    unsure: list[str],
) -> list[dict[str, Json]]:
    """Return a criterion for each column of scores, with the reasons beside it."""
    if criteria:
        chosen = {place: place.rpartition("/")[2] or place for place in criteria}
    else:
        chosen = {}
        for place, name in names.items():
            words = name.split("_")
            is_headed = words[0] in _HEADS[:-2] and len(words) > 1
            if place in used or not values[place] or words[-1] in REASON:
                continue
            if is_headed or words[-1] in _SCORED or words[0] in ("is", "score", "pass"):
                chosen[place] = _title(place)
    asked: dict[str, dict[str, Json]] = {}
    for place, name in chosen.items():
        said: list[str] = []
        found = _judged(place, name, values.get(place, []), comma, said)
        if found is None and criteria:
            found = {"score": place}
        if found is None or (name in asked and "words" in found):
            continue
        if name in asked:
            asked[name] |= {key: of for key, of in found.items() if key not in asked[name]}
            continue
        unsure += said
        asked[name] = {"name": name, **found}
        used.add(place)
    first = next(iter(asked.values()), None)
    judge, judge_type = (_called(called, names, used) for called in (JUDGE, JUDGE_TYPE))
    if judge is not None and judge_type is None and asked:
        unsure.append(
            f"It is not said whether {quoted(judge)} names people, models or rules; they are read "
            'as rules. Write "judge_type" as "human" or "llm" if they are.'
        )
    for name, each in asked.items():
        starts = _name(name)
        own = {p: of for p, of in names.items() if of.startswith(starts) or _title(p) == name}
        beside = [p for p, of in own.items() if p not in used and of.split("_")[-1] in REASON]
        if not beside and each is first and (alone := _called(REASON, names, used)):
            beside = [alone]
            if len(asked) > 1:
                unsure.append(f"The reasons in {quoted(alone)} are taken to be of {quoted(name)}.")
        if beside:
            each["rationale"] = beside[0]
            used.add(beside[0])
            if judge_type is None and judge is None:
                each["judge_type"] = {"is": "llm"}
                unsure.append(
                    f"{quoted(name)} has reasons, so a model is taken to have scored it: write "
                    '"judge_type" as "human" or "heuristic" if it was a person or a rule.'
                )
        if judge is not None:
            each["judge"] = judge
        if judge_type is not None:
            each["judge_type"] = judge_type
    left = [
        quoted(place)
        for place in names
        if place not in used and values[place]
        if all(number_in(each, comma=comma, high=1.0) is not None for each in values[place])
    ]
    if asked and left and not criteria:
        told = f"{', '.join(left[:FEW])} {'have' if len(left) > 1 else 'has'} numbers"
        unsure.append(f"{told} and no role: name each column of scores with --criterion COLUMN.")
    return list(asked.values())


def _title(place: str) -> str:
    """Return the name of a criterion in that of its column: `eval.Tone.score` is of `Tone`."""
    parts = [each for each in re.split(r"[./]", place) if each]
    while len(parts) > 1 and _name(parts[0]) in _HEADS:
        parts.pop(0)
    while len(parts) > 1 and _name(parts[-1]) in (*SCORE, *VERDICT, *REASON):
        parts.pop()
    title = ".".join(parts).replace("~1", "/").replace("~0", "~")
    shorter = re.sub(
        r"(?i)[_ ](score|rating|label|reason|rationale|explanation|comment)$", "", title
    )
    return re.sub(r"(?i)^(score|feedback|eval)[_ ]", "", shorter) or title


def _openai(
    rows: Sequence[Mapping[str, Json]], file: str
) -> tuple[dict[str, Json], list[dict[str, Json]]] | None:
    """Return the mapping of a log of OpenAI evals: a line for each event of a sample."""
    sample = list(islice(rows, SAMPLE))
    events = [row for row in sample if "sample_id" in row and isinstance(row.get("data"), dict)]
    kinds = {str(row.get("type")) for row in events} & {"match", "metrics", "sampling"}
    if not kinds:
        return None
    specs = (row["spec"] for row in sample if isinstance(row.get("spec"), dict))
    spec: dict[str, Json] = next(specs, {})
    table: dict[str, Json] = {"file": file}
    if isinstance(spec.get("run_id"), str):
        table["version"] = spec["run_id"]
    found: dict[str, Json] = {"tables": [table], "only": {"/type": sorted(kinds)}}
    if isinstance(spec.get("eval_name"), str):
        found["name"] = spec["eval_name"]
    models = spec.get("completion_fns")
    if isinstance(models, list) and models and isinstance(models[0], str):
        found["model"] = {"is": models[0]}
    found |= {"case": "sample_id", "run": {"is": 1}, "prompt": "/data/prompt"}
    found |= {"expected": "/data/expected", "output": "/data/sampled", "started_at": "created_at"}
    there = _values(events)
    for name in ("prompt", "expected", "output", "started_at"):
        if not any(place == found[name] for place in there):
            del found[name]
    asked: list[dict[str, Json]] = []
    if there.get("/data/correct"):
        asked.append({"name": "correct", "passed": "/data/correct"})
    metrics = _values([row for row in events if row.get("type") == "metrics"])
    for place, of in metrics.items():
        if place.startswith("/data/") and place != "/data/correct":
            judged = _judged(place, place[6:], of, comma=False, unsure=[])
            asked += [{"name": place[6:], **judged}] if judged and "words" not in judged else []
    return found, asked


def _lm_eval(
    rows: Sequence[Mapping[str, Json]], file: str
) -> tuple[dict[str, Json], list[dict[str, Json]]] | None:
    """Return the mapping of samples of lm-evaluation-harness: a line for each document."""
    sample = [row for row in islice(rows, SAMPLE) if {"doc_id", "doc", "resps"} <= row.keys()]
    if not sample:
        return None
    there = _values(sample)
    found: dict[str, Json] = {"tables": [file], "case": "doc_id", "expected": "target"}
    arguments = sample[0].get("arguments")
    if isinstance(arguments, dict):
        found["prompt"] = "/arguments/gen_args_0/arg_0"
    elif isinstance(arguments, list):
        found["prompt"] = "/arguments/0/0"
    found["output"] = "/filtered_resps/0" if "filtered_resps" in there else "/resps/0"
    if len({text_in(row.get("filter")) for row in sample}) > 1:
        found["configuration"] = "filter"
    named = sample[0].get("metrics")
    names = [each for each in named if isinstance(each, str)] if isinstance(named, list) else []
    standard = {"doc_id", "idx"}
    names = names or [place for place in there if "/" not in place and place not in standard]
    asked = []
    for name in names:
        judged = _judged(name, name, there.get(name, []), comma=False, unsure=[])
        if judged is not None and "words" not in judged:
            asked.append({"name": name, **judged})
    return found, asked
