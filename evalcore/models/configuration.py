"""The endpoints, models, prices and keys of the user's own configuration and environment.

Nothing of it comes from a workspace, and a key is in no value that is kept, shown or passed on.
"""

import os
import stat
import tomllib
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec

from evalcore.errors import CannotRun, UnknownName
from evalcore.folders import config_dir

CONFIG: Final = "models.toml"
USUAL: Final = "openai"
"""The endpoint that the client's own environment variables describe."""
USUAL_URL: Final = "https://api.openai.com/v1"
USUAL_KEY: Final = "OPENAI_API_KEY"
SECONDS: Final = 120.0

_OWN: Final = frozenset(
    {"messages", "model", "n", "response_format", "stream", "stream_options", "tools"}
)
_PRIVATE: Final = stat.S_IRWXG | stat.S_IRWXO
_PER: Final = 1_000_000


class Endpoint(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A server of models; `key_env` names the variable with its key, `key` is the key itself.

    `schema` says whether it takes a JSON schema for answers, `stream` whether it can answer in
    pieces, `seconds` how long one call may take.
    """

    base_url: str = ""
    key_env: str = ""
    key: str = ""
    schema: bool = True
    stream: bool = True
    seconds: float = SECONDS


class Configured(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A model by a name of the user; prices are US dollars for a million tokens."""

    endpoint: str = USUAL
    model: str = ""
    input_usd: float | None = None
    output_usd: float | None = None
    parameters: dict[str, Any] = {}


class Configuration(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What `models.toml` says; `judge` and `executor` are the models where none is named."""

    judge: str = ""
    executor: str = ""
    endpoints: dict[str, Endpoint] = {}
    models: dict[str, Configured] = {}


class Model(msgspec.Struct, frozen=True, omit_defaults=True):
    """A model to call, as a plan keeps it: everything but the key."""

    name: str
    model: str
    endpoint: str
    base_url: str
    schema: bool = True
    stream: bool = True
    seconds: float = SECONDS
    input_usd: float | None = None
    output_usd: float | None = None
    parameters: dict[str, Any] = {}

    def cost(self, tokens_in: int | None, tokens_out: int | None) -> float | None:
        """Return the price of a call in US dollars; None where a price or count is not known."""
        if None in (self.input_usd, self.output_usd, tokens_in, tokens_out):
            return None
        spent = (tokens_in or 0) * (self.input_usd or 0.0)
        return (spent + (tokens_out or 0) * (self.output_usd or 0.0)) / _PER


def models_path() -> Path:
    """Return the file of the user's endpoints and models."""
    return config_dir() / CONFIG


def configuration() -> Configuration:
    """Return what the user configured, with the endpoint of the environment.

    Raises:
        CannotRun: the file cannot be read, or says what cannot be.
    """
    path = models_path()
    try:
        found = msgspec.convert(tomllib.loads(path.read_text("utf-8")), Configuration)
    except FileNotFoundError:
        found = Configuration()
    except (OSError, ValueError) as error:  # TOML, UTF-8 and types are all ValueErrors
        raise CannotRun(f"{path} cannot be read: {error}. Correct it, then try again.") from error
    keys = any(each.key for each in found.endpoints.values())
    if keys and path.stat().st_mode & _PRIVATE:
        raise CannotRun(
            f"{path} holds a key and can be read by others. Make it your own: chmod 600 {path}"
        )
    known = {USUAL: Endpoint(), **found.endpoints}
    endpoints = {name: _whole(name, each) for name, each in known.items()}
    for name, each in found.models.items():
        if each.endpoint not in endpoints:
            raise UnknownName("endpoint", each.endpoint, endpoints)
        own = sorted(_OWN & each.parameters.keys())
        if own:
            raise CannotRun(
                f"{path}: the model {name!r} cannot set {own[0]!r}, which evalcore sets."
            )
    return msgspec.structs.replace(found, endpoints=endpoints)


def _whole(name: str, endpoint: Endpoint) -> Endpoint:
    """Return an endpoint with what the client's environment variables say of the usual one."""
    if name == USUAL:
        url = endpoint.base_url or os.environ.get("OPENAI_BASE_URL", "").strip() or USUAL_URL
        key_env = endpoint.key_env or ("" if endpoint.key else USUAL_KEY)
        endpoint = msgspec.structs.replace(endpoint, base_url=url, key_env=key_env)
    try:
        parts = urlsplit(endpoint.base_url)
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        is_address = False
    if not is_address or parts.query or parts.fragment or "@" in parts.netloc:
        raise CannotRun(
            f"The endpoint {name!r} needs an address like http://127.0.0.1:8080/v1, without a name "
            "or key in it: keys are named with key_env."
        )
    return endpoint


def model_of(name: str, known: Configuration | None = None) -> Model:
    """Return a model by the user's name for it, as `endpoint/model`, or as the usual server's own.

    Raises:
        CannotRun: the configuration cannot be read, or the name is empty.
    """
    known = configuration() if known is None else known
    if not name.strip():
        raise CannotRun(
            "No model to judge was given. Name one with --model (of `evalcore run`: "
            "--judge-model), or as judge in the file that `evalcore models` prints."
        )
    configured = known.models.get(name)
    if configured is None:
        endpoint, _, rest = name.partition("/")
        is_named = bool(rest) and endpoint in known.endpoints
        configured = Configured(endpoint, rest) if is_named else Configured(model=name)
    server = known.endpoints[configured.endpoint]
    return Model(
        name=name,
        model=configured.model or name,
        endpoint=configured.endpoint,
        base_url=server.base_url,
        schema=server.schema,
        stream=server.stream,
        seconds=server.seconds,
        input_usd=configured.input_usd,
        output_usd=configured.output_usd,
        parameters=configured.parameters,
    )


def key_of(model: Model) -> str | None:
    """Return the key for a model's server; None where it needs none.

    Raises:
        CannotRun: the endpoint leads elsewhere by now, or the variable with its key is not set.
    """
    endpoint = configuration().endpoints.get(model.endpoint)
    if endpoint is None or endpoint.base_url != model.base_url:
        raise CannotRun(
            f"The endpoint {model.endpoint!r} is no longer {model.base_url}, for which this was "
            "planned. Start a new run."
        )
    key = endpoint.key or os.environ.get(endpoint.key_env, "").strip()
    if key:
        _refuse_key(model, key)
        return key
    if not endpoint.key_env:
        return None
    if endpoint.key_env == USUAL_KEY and endpoint.base_url != USUAL_URL:
        return None  # servers on one's own machine ask for none
    raise CannotRun(
        f"The key of the endpoint {model.endpoint!r} is missing: set {endpoint.key_env} in the "
        "environment of evalcore."
    )


def _refuse_key(model: Model, key: str) -> None:
    """Raise where a key cannot be sent, or would be read by others on its way."""
    if not (key.isascii() and key.isprintable() and " " not in key):
        raise CannotRun(
            f"The key of the endpoint {model.endpoint!r} has characters that no key has, such as a "
            "line break. Set it again."
        )
    if urlsplit(model.base_url).scheme == "http" and not is_local(model.base_url):
        raise CannotRun(
            f"The key of the endpoint {model.endpoint!r} would go unencrypted to {model.base_url}. "
            "Use https, an SSH tunnel to this machine, or no key."
        )


def is_local(url: str) -> bool:
    """Return whether an address leads to this machine, by what it says: no name is looked up."""
    host = urlsplit(url).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def has_key(endpoint: Endpoint) -> bool:
    """Return whether a key is set for an endpoint."""
    return bool(endpoint.key or os.environ.get(endpoint.key_env, "").strip())
