"""Write the Inspect logs of the demo: one task, before and after a shorter prompt."""

import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

OUT: Final = Path(__file__).parents[1] / "evalcore/demo/workspace/logs"
MODEL: Final = "acme/desk-2"
ROLE: Final = "Answer questions of colleagues from the handbook."
ASKED: Final = (
    (
        "annual-leave",
        "How many days of leave do I have?",
        "28 days",
        "28 days a year, of which five may be carried over to March",
        "You can see your days of leave in the portal",
    ),
    (
        "sick-note",
        "From when do I need a sick note?",
        "fourth day",
        "From the fourth day; before that a message to your lead is enough",
        "From the fourth day",
    ),
    (
        "parental-leave",
        "How long before parental leave do I have to say so?",
        "seven weeks",
        "At least seven weeks before it begins, in writing",
        "Please say so early and in writing",
    ),
    (
        "expenses",
        "By when do I hand in my expenses?",
        "end of the next month",
        "By the end of the next month, with the receipts",
        "By the end of the next month, with receipts",
    ),
    (
        "travel-class",
        "May I travel first class by train?",
        "over four hours",
        "Yes, on journeys of over four hours",
        "Only on long journeys",
    ),
    (
        "remote-abroad",
        "How long may I work from abroad?",
        "20 days",
        "Up to 20 days a year, inside the EU",
        "For a while, inside the EU",
    ),
    (
        "notice",
        "What is my period of notice?",
        "three months",
        "It is three months to the end of a month",
        "It is three months",
    ),
    (
        "laptop-loss",
        "I lost my laptop. Whom do I call?",
        "within one hour",
        "Call the service desk within one hour; they lock it from afar",
        "Call the service desk, they lock it from afar",
    ),
    (
        "gifts",
        "May I keep a gift of a customer?",
        "50 euros",
        "Yes, up to 50 euros; write it into the list of gifts",
        "Yes, if it is small; write it into the list of gifts",
    ),
    (
        "training",
        "How much money is there for training?",
        "1,500 euros",
        "There are 1,500 euros a year for each of us",
        "1,500 euros a year",
    ),
    (
        "overtime",
        "What happens to my overtime?",
        "within six months",
        "You take it as free time within six months",
        "You take it as free time",
    ),
    (
        "visitors",
        "Do visitors need a badge?",
        "at the desk",
        "Yes, they get one at the desk and are never left alone",
        "Yes, at the desk",
    ),
    (
        "bike",
        "Is there a plan for bikes?",
        "36 months",
        "Yes, a lease that is paid from your gross pay",
        "Yes, you can lease one from your gross pay",
    ),
    (
        "password",
        "How often do I change my password?",
        "only when it leaked",
        "Never by the calendar, only when it leaked",
        "Not by the calendar, only when it leaked",
    ),
)
"""A question: its id, what is asked, what the answer has to name, the answers to both prompts."""
PROMPTS: Final = (
    (datetime.fromisoformat("2026-03-02T09:30:00+00:00"), "prompt 3", ROLE, 3),
    (
        datetime.fromisoformat("2026-03-16T09:30:00+00:00"),
        "prompt 4: shorter answers",
        f"{ROLE} Keep it short: one line, no details.",
        4,
    ),
)


def sample(case: int, begun: datetime, prompt: str, at: int) -> dict[str, Any]:
    """Return one sample as Inspect logs it: what was said, and both scores."""
    name, question, target, *answers = ASKED[case]
    answer = f"{answers[at - 3]}."
    met = target in answer
    call = {"id": f"call-{case}", "function": "search_handbook", "type": "function"}
    seconds = 4.5 + case % 3 - (at - 3)
    asked, written = 420 + 7 * case, 24 + len(answer) // 4
    usage = {"input_tokens": asked, "output_tokens": written, "total_tokens": asked + written}
    said = "names" if met else "does not name"
    ended = begun + timedelta(seconds=seconds)
    scores = {
        "includes": {"value": "C" if met else "I", "answer": answer, "explanation": answer},
        "model_graded_qa": {
            "value": "C" if met else "P",
            "answer": answer,
            "explanation": f"The answer is friendly and {said} “{target}”, which the handbook has.",
            "metadata": {"grading": [{"role": "user", "content": "Is the answer right?"}]},
        },
    }
    return {
        "id": name,
        "epoch": 1,
        "input": question,
        "target": target,
        "messages": [
            {"role": "system", "content": prompt},
            {"role": "user", "content": question},
            {
                "role": "assistant",
                "content": "I look into the handbook.",
                "tool_calls": [{**call, "arguments": {"query": question}}],
            },
            {
                "role": "tool",
                "content": f"Handbook: {ASKED[case][3]}.",
                "tool_call_id": call["id"],
                "function": call["function"],
            },
            {"role": "assistant", "content": answer},
        ],
        "output": {
            "model": MODEL,
            "choices": [
                {"message": {"role": "assistant", "content": answer}, "stop_reason": "stop"}
            ],
            "completion": answer,
            "usage": usage,
        },
        "scores": scores,
        "metadata": {"chapter": name.partition("-")[0]},
        "store": {},
        "events": [],
        "model_usage": {MODEL: usage},
        "started_at": begun.isoformat(),
        "completed_at": ended.isoformat(),
        "total_time": seconds,
        "working_time": seconds,
        "uuid": f"desk{at}{case:02}",
        "attachments": {},
    }


def log(created: datetime, tag: str, prompt: str, at: int) -> dict[str, Any]:
    """Return the entries of one log by name."""
    samples = [
        sample(case, created + timedelta(minutes=case), prompt, at) for case in range(len(ASKED))
    ]
    about = {
        "eval_id": f"handbook{at}", "run_id": f"handbook{at}", "created": created.isoformat(),
        "task": "handbook_answers", "task_id": "handbook", "task_version": 0,
        "task_attribs": {}, "task_args": {}, "solver": "generate", "tags": [tag],
        "dataset": {"name": "handbook", "samples": len(ASKED)},
        "model": MODEL, "model_args": {}, "model_generate_config": {}, "config": {"epochs": 1},
        "packages": {"inspect_ai": "0.3.285"},
        "scorers": [{"name": "includes"}, {"name": "model_graded_qa"}],
    }  # fmt: skip
    plan = {"name": "plan", "steps": [{"solver": "generate", "params": {}}], "config": {}}
    start = {"version": 2, "eval": about, "plan": plan}
    ended = max(each["completed_at"] for each in samples)
    scored = {"total_samples": len(samples), "completed_samples": len(samples), "scores": []}
    stats = {"started_at": created.isoformat(), "completed_at": ended, "model_usage": {}}
    header = {**start, "status": "success", "results": scored, "stats": stats}
    kept = (
        "id", "epoch", "input", "target", "metadata", "scores", "model_usage", "total_time",
        "working_time", "uuid", "started_at", "completed_at",
    )  # fmt: skip
    summaries = [{name: each[name] for name in kept} | {"completed": True} for each in samples]
    return {
        "_journal/start.json": start,
        **{f"samples/{each['id']}_epoch_1.json": each for each in samples},
        "summaries.json": summaries,
        "header.json": header,
    }


def main() -> None:
    """Write both logs; the same bytes each time."""
    OUT.mkdir(exist_ok=True)
    for created, tag, prompt, at in PROMPTS:
        path = OUT / f"{created:%Y-%m-%dT%H-%M-%S}_handbook-answers_{at}.eval"
        with ZipFile(path, "w", ZIP_DEFLATED) as zipped:
            for name, value in log(created, tag, prompt, at).items():
                entry = ZipInfo(name, (2026, 3, 16, 9, 30, 0))
                entry.compress_type, entry.external_attr = ZIP_DEFLATED, 0o600 << 16
                zipped.writestr(entry, json.dumps(value, ensure_ascii=False, indent=1))


if __name__ == "__main__":
    main()
