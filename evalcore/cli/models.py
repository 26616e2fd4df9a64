"""`evalcore models`: the configured endpoints and models; `doctor --model` asks one of them."""

from typing import Any, Final

import msgspec

from evalcore.cli.answering import Answer, fields, print_lines
from evalcore.models.calls import Call
from evalcore.models.client import complete
from evalcore.models.configuration import (
    Configuration,
    configuration,
    has_key,
    model_of,
    models_path,
)
from evalcore.views.runs.configured import key_words, price_words, server_words

_QUESTION: Final = [{"role": "user", "content": "Answer with the one word: yes"}]
_SECONDS: Final = 30.0
_LIMITS: Final = {"max_tokens", "max_completion_tokens"}
_SHORT: Final = {"max_completion_tokens": 64}
"""A model that reasons first would else take what it likes; servers ignore what they don't know."""


def list_models() -> Answer:
    """List the endpoints and models, whether each has its key, and the file that names them."""
    known = configuration()
    endpoints, models = known.endpoints.items(), known.models.items()
    lines = ["Endpoints"]
    lines += [f"  {name:<10}  {each.base_url}  ({key_words(each)})" for name, each in endpoints]
    lines += ["Models"] if models else []
    lines += [
        f"  {name:<10}  {server_words(name, each)} ({price_words(each)})" for name, each in models
    ]
    lines += [f"Default model for judging: {known.judge}"] if known.judge else []
    lines += [f"Default model for executing: {known.executor}"] if known.executor else []
    lines.append(f"Add your own in {models_path()}; docs/models.md shows how.")
    return Answer(lambda: _document(known), lines)


def _document(known: Configuration) -> dict[str, Any]:
    """Return what is configured; of keys only whether they are set."""
    return {
        "file": models_path(),
        "judge": known.judge or None,
        "executor": known.executor or None,
        "endpoints": [
            {
                "name": name,
                "base_url": each.base_url,
                "key_env": each.key_env or None,
                "has_key": has_key(each),
                **fields(each, "schema", "stream", "seconds"),
            }
            for name, each in known.endpoints.items()
        ],
        "models": [
            {
                "name": name,
                "endpoint": each.endpoint,
                "model": each.model or name,
                **fields(each, "input_usd", "output_usd", "parameters"),
            }
            for name, each in known.models.items()
        ],
    }


def ask_model(name: str) -> int:
    """Ask a model one short question; return 1 if it does not answer."""
    model = model_of(name)
    print_lines([f"Asking {model.model} at {model.base_url} one short question."])
    if not _LIMITS & model.parameters.keys():
        model = msgspec.structs.replace(model, parameters=model.parameters | _SHORT)
    answer = complete(model, Call(_QUESTION, seconds=min(model.seconds, _SECONDS), retries=0))
    if answer.status not in ("completed", "length_cut"):
        print_lines([f"  {answer.status.replace('_', ' ')}: {answer.why}"])
        return 1
    said = " ".join(answer.text.split())[:80]
    used = "tokens not reported" if answer.tokens is None else f"{answer.tokens:,} tokens"
    cost = "price not known" if answer.cost_usd is None else f"${answer.cost_usd:.6f}"
    print_lines([f"  It answered {said!r} in {answer.seconds:.1f} s ({used}, {cost})."])
    return 0
