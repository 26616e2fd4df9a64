"""`evalcore models`: the configured endpoints and models; `doctor --model` asks one of them."""

import sys
from typing import Any, Final

import msgspec

from evalcore.cli.json_text import json_text
from evalcore.cli.terminal import harmless
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


def list_models(*, as_json: bool) -> int:
    """Print the endpoints and models, whether each has its key, and the file that names them."""
    known = configuration()
    if as_json:
        sys.stdout.write(json_text(models_document(known)))
        return 0
    lines = [*_endpoints(known), *_models(known)]
    lines += [f"Default model for judging: {known.judge}"] if known.judge else []
    lines += [f"Default model for executing: {known.executor}"] if known.executor else []
    sys.stdout.write("".join(f"{harmless(line)}\n" for line in lines))
    sys.stdout.write(f"Add your own in {models_path()}; docs/models.md shows how.\n")
    return 0


def models_document(known: Configuration) -> dict[str, Any]:
    """Return what is configured as a JSON document; of keys only whether they are set."""
    return {
        "file": str(models_path()),
        "judge": known.judge or None,
        "executor": known.executor or None,
        "endpoints": [
            {
                "name": name,
                "base_url": each.base_url,
                "key_env": each.key_env or None,
                "has_key": has_key(each),
                "schema": each.schema,
                "stream": each.stream,
                "seconds": each.seconds,
            }
            for name, each in known.endpoints.items()
        ],
        "models": [
            {
                "name": name,
                "endpoint": each.endpoint,
                "model": each.model or name,
                "input_usd": each.input_usd,
                "output_usd": each.output_usd,
                "parameters": each.parameters,
            }
            for name, each in known.models.items()
        ],
    }


def ask_model(name: str) -> int:
    """Ask a model one short question; return 1 if it does not answer."""
    model = model_of(name)
    _say(f"Asking {model.model} at {model.base_url} one short question.")
    if not _LIMITS & model.parameters.keys():
        model = msgspec.structs.replace(model, parameters=model.parameters | _SHORT)
    answer = complete(model, Call(_QUESTION, seconds=min(model.seconds, _SECONDS), retries=0))
    if answer.status not in ("completed", "length_cut"):
        _say(f"  {answer.status.replace('_', ' ')}: {answer.why}")
        return 1
    said = " ".join(answer.text.split())[:80]
    used = "tokens not reported" if answer.tokens is None else f"{answer.tokens:,} tokens"
    cost = "price not known" if answer.cost_usd is None else f"${answer.cost_usd:.6f}"
    _say(f"  It answered {said!r} in {answer.seconds:.1f} s ({used}, {cost}).")
    return 0


def _say(line: str) -> None:
    sys.stdout.write(f"{harmless(line)}\n")


def _endpoints(known: Configuration) -> list[str]:
    found = known.endpoints.items()
    lines = [f"  {name:<10}  {each.base_url}  ({key_words(each)})" for name, each in found]
    return ["Endpoints", *lines]


def _models(known: Configuration) -> list[str]:
    found = [
        f"  {name:<10}  {server_words(name, each)} ({price_words(each)})"
        for name, each in known.models.items()
    ]
    return ["Models", *found] if found else []
