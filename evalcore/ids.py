"""Ids used in records and addresses."""

import uuid
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import quote, unquote

_SAFE = " ._-~()[],!'"


class RunKey(NamedTuple):
    """The parts of a run id."""

    suite: str
    case_id: str
    version: str
    configuration: str
    run: str


def run_id(suite: str, case_id: str, version: str, configuration: str, run: str | int) -> str:
    """Return `suite::case@version/configuration#run` with each segment percent-encoded."""
    place = f"{_quoted(version)}/{_quoted(configuration)}"
    return f"{_quoted(suite, '/')}::{_quoted(case_id)}@{place}#{_quoted(str(run))}"


@lru_cache(maxsize=4096)
def _quoted(text: str, also: str = "") -> str:
    return quote(text, safe=_SAFE + also)


def derived_id(of: str, what: str) -> str:
    """Return the id of a record that follows from another: for the same two always the same."""
    return str(uuid.uuid5(uuid.NAMESPACE_OID, f"{of} {what}"))


def within(run_id: str) -> str:
    """Return the part of a run id after its suite: the same whichever folder is opened."""
    return run_id.partition("::")[2] or run_id


def parse_run_id(text: str) -> RunKey | None:
    """Return the parts of a run id, or None when `text` is not one."""
    suite, found, rest = text.partition("::")
    case, at, rest = rest.partition("@")
    version, slash, rest = rest.partition("/")
    configuration, number, run = rest.partition("#")
    if not (found and at and slash and number):
        return None
    return RunKey(*map(unquote, (suite, case, version, configuration, run)))
