"""The names of record types, relations and folders, and the form of a record."""

from typing import Any, Final, NamedTuple

from evalcore.shapes.relations import (
    AGGREGATES,
    COMPOSED_OF,
    CONTAINS,
    EVALUATED_BY,
    GROUPS,
    ORIGINATED_FROM,
    PRODUCES_BENCHMARK_RUN,
    PRODUCES_RUN,
    REFERENCES,
    RELATIONS,
    SCORES,
    TRACKED_BY,
    Relation,
)

TYPES: Final = (
    "test-case", "rubric", "rubric-criterion", "test-run", "eval-judgment", "benchmark",
    "benchmark-run", "eval-trend", "prompt-comparison", "eval-failure",
)  # fmt: skip
AGENT_RUN: Final = "agent-run"
SENT: Final = ("approval", "task", "message", "memory-item")
"""Types of which a store's records are read: decisions on versions, and what was sent to others."""
PROMPT_VERSION: Final = "prompt-version"
CONNECTED: Final = ("skill-definition", "prompt", PROMPT_VERSION, "proposal-draft")
"""Types of other toolboxes whose records a store may hold beside its own: they are referenced."""
_PROMPTS: Final = (PROMPT_VERSION, "prompt")
CONNECTIONS: Final = {
    "agentRunId": (AGENT_RUN,),
    "skillId": ("skill-definition",),
    "promptVersionRef": _PROMPTS,
    "promptRef": _PROMPTS,
}
"""Fields that name a record of another toolbox, with the types that it may be of."""
FURTHER: Final = frozenset(
    {"relation", AGENT_RUN, "approval-request", "adjudication", "exclusion", "note", "blind-study",
     "blind-commitment", "blind-verdict", "blind-key", "reveal", "skip", *SENT, *CONNECTED}
)  # fmt: skip
"""Types that a store may hold beside the ten, and that alone make no store."""

SHARDS: Final = ".minions"
CONTAINERS: Final = frozenset({"records", "minions-evals"})
PREFIXES: Final = (
    "minions-evals-", "evals-", "builtin-", "minions-agents-", "minions-skills-",
    "minions-prompts-", "minions-proposals-", "minions-memory-", "minions-tasks-",
    "minions-approvals-",
)  # fmt: skip
_KNOWN: Final = frozenset(TYPES)
TYPE_FOLDERS: Final = frozenset(
    {name for kind in (*TYPES, "relation", AGENT_RUN) for name in (kind, kind + "s")}
    | {"rubric-criteria"}
)


class Rule(NamedTuple):
    """A relation and the field that states it, of records of the type `on` at one of its ends."""

    relation: Relation
    on: str
    field: str


RULES: Final = (
    Rule(EVALUATED_BY, "test-case", "rubricId"),
    Rule(PRODUCES_RUN, "test-run", "testCaseId"),
    Rule(COMPOSED_OF, "rubric", "criteriaIds"),
    Rule(COMPOSED_OF, "rubric-criterion", "rubricId"),
    Rule(CONTAINS, "eval-judgment", "testRunId"),
    Rule(SCORES, "eval-judgment", "criterionId"),
    Rule(GROUPS, "benchmark", "testCaseIds"),
    Rule(PRODUCES_BENCHMARK_RUN, "benchmark-run", "benchmarkId"),
    Rule(AGGREGATES, "benchmark-run", "testRunIds"),
    Rule(TRACKED_BY, "eval-trend", "benchmarkId"),
    Rule(ORIGINATED_FROM, "eval-failure", "testRunId"),
    Rule(REFERENCES, "prompt-comparison", "benchmarkRunIds"),
)
RELATION_NAMES: Final = tuple(dict.fromkeys(each.name for each in RELATIONS))


def type_of(value: object) -> str | None:
    """Return the normalised type of a record, or None.

    A sharded store writes it as `minionTypeId`, with a package prefix; a plain relation of such a
    store has the relation's name as its type.
    """
    if not isinstance(value, dict):
        return None
    name = value.get("minionTypeId")
    if not isinstance(name, str):
        name = value.get("type")
    if not isinstance(name, str):
        return None
    if name in _KNOWN:
        return name
    plain = name.strip().replace("_", "-")
    for prefix in ("", *PREFIXES):
        if plain.startswith(prefix) and plain.removeprefix(prefix) in _KNOWN | FURTHER:
            return plain.removeprefix(prefix)
    if name in RELATION_NAMES and _has_ends(value):
        return "relation"
    return name


def leads_to_run(fields: dict[str, Any]) -> bool:
    """Return whether an agent-run says which test-run follows from it; those of others do not."""
    return all(fields.get(name) is not None for name in ("testRunId", "testCaseId", "actualOutput"))


def document_type(value: object) -> str:
    """Return the type by whose shape a record is checked; empty for one of another tool."""
    kind = type_of(value) or ""
    if kind == AGENT_RUN and isinstance(value, dict):
        fields = value.get("fields")
        return kind if isinstance(fields, dict) and leads_to_run(fields) else ""
    return kind


def is_known(value: object) -> bool:
    """Return whether a value is a record of one of the ten types, which indicates a store."""
    return (
        isinstance(value, dict)
        and isinstance(value.get("fields"), dict)
        and type_of(value) in _KNOWN
    )


def is_envelope(value: object) -> bool:
    """Return whether a value has the form of a record of any type."""
    kind = type_of(value)
    if kind is None or not isinstance(value, dict):
        return False
    return isinstance(value.get("fields"), dict) or (kind == "relation" and _has_ends(value))


def _has_ends(value: dict[str, Any]) -> bool:
    return isinstance(value.get("sourceId"), str) and isinstance(value.get("targetId"), str)
