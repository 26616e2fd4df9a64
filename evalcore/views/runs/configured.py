"""The endpoints and models of the user's configuration: never a key, only whether it is set."""

from evalcore.models.configuration import (
    Configuration,
    Configured,
    Endpoint,
    has_key,
    models_path,
)
from evalcore.views.blocks.base import Block
from evalcore.views.blocks.page import Cell, Row, Say, Table

NO_PRICE = "price not known: only tokens are counted"
_ENDPOINTS = (("Endpoint", False), ("Address", False), ("Key", False))
_MODELS = (("Model", False), ("On the server", False), ("Price", False))


def configured_blocks(known: Configuration) -> list[Block]:
    """Describe what can judge: endpoints with their addresses, models with their prices."""
    endpoints = [
        Row([Cell(name, id=name), Cell(each.base_url), Cell(key_words(each))])
        for name, each in known.endpoints.items()
    ]
    models = [
        Row([Cell(name, id=name), Cell(server_words(name, each)), Cell(price_words(each))])
        for name, each in known.models.items()
    ]
    blocks: list[Block] = [Table("Endpoints", _ENDPOINTS, endpoints)]
    if models:
        blocks.append(Table("Models", _MODELS, models))
    return [*blocks, Say(f"Add yours in {models_path()}; docs/models.md shows how.", quiet=True)]


def key_words(endpoint: Endpoint) -> str:
    """Return where the key of an endpoint comes from, and whether it is set."""
    if endpoint.key:
        return "key in the file"
    if not endpoint.key_env:
        return "no key"
    return f"key from {endpoint.key_env}{'' if has_key(endpoint) else ', which is not set'}"


def server_words(name: str, model: Configured) -> str:
    """Return a model as its server calls it, and the endpoint."""
    return f"{model.model or name} at {model.endpoint}"


def price_words(model: Configured) -> str:
    """Return the price of a model for a million tokens."""
    if model.input_usd is None or model.output_usd is None:
        return NO_PRICE
    return f"${model.input_usd:g} in, ${model.output_usd:g} out for a million tokens"
