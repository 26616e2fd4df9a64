"""What an eval says about itself, under the names that tools use, to a case with its criteria."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

import orjson

from evalcore.checks.typed import check_of
from evalcore.disk.values import Node
from evalcore.families.iterations.amounts import amount
from evalcore.families.iterations.case import Case, numbered
from evalcore.names import PROMPT, WEIGHT, first, slashed
from evalcore.problems import pointer

LISTS: Final = ("expectations", "assertions", "success_criteria", "checklist")
OTHER_LISTS: Final = frozenset(
    {"expectations", "assertions", "criteria", "checks", "checklist", "rubric", "assert",
     "behavior", "behaviors", "behaviour", "behaviours"}
)  # fmt: skip
"""How the name of any other list of criteria ends, such as `deterministic_assertions`."""
OPPOSITE: Final = frozenset({"not", "no", "negative", "forbidden", "anti", "disallowed", "fail"})
"""Words in the name of a list whose items must not hold."""
EMPTY: Final[tuple[Any, ...]] = (None, "", [], {})
OWN: Final = frozenset({"structural_expectations", "quality_rubric"})
WORDINGS: Final = (
    "text", "description", "assertion", "expectation", "criterion", "name", "expect",
)  # fmt: skip
LABELS: Final = ("id", "name", "criterion")
NAMES: Final = ("name", "eval_name", "title", "test_name")
TAGS: Final = ("category", "test_type")
IDS: Final = ("id", "eval_id", "case_id")
READ: Final = frozenset((*IDS, *NAMES, *TAGS, *OWN, "expected_output", "files", "tags"))
CRITICAL: Final = ("critical", "blocker")
USED: Final = frozenset((*WORDINGS[:-1], *LABELS, *WEIGHT, "severity", "critical", "required"))


def fill(case: Case, item: Node, noted: set[str]) -> None:
    """Take an eval's own fields and its criteria of all three kinds.

    `noted` holds the codes of what was already remarked on in this document.
    """
    path = item.path
    case.source, case.pointer = path, item.at
    case.expected = expected_of(item, noted) or case.expected
    case.files = _files(item) or case.files
    tags = [text for text, _ in item.texts("tags")]
    tags += [value for key in TAGS if isinstance(value := item.get(key), str) and value not in tags]
    case.tags = tags or case.tags
    for group, value, at in listed(item):
        text, labels = label_words(value)
        if text is None:
            node = Node(item.reader, path, value, at, item.suite)
            node.type_problem("a text, or an object with a text")
            continue
        for label in labels:
            case.alias.setdefault(label, text)
        if ("expectation", text) not in case.criteria:  # as in each version's metadata of the eval
            fields = value if isinstance(value, dict) else {}
            case.add("expectation", text, path, at, text, ruled=True, **_rules(fields, group))
    for node in item.items("structural_expectations"):
        stated = node.text("id") or node.text("description")
        stated = stated or f"S{sum(case.structural_ids.values()) + 1}"
        name = numbered(stated, case.structural_ids)
        critical, text = node.flag("critical"), node.text("description")
        rule = {k: v for k, v in node.value.items() if k not in ("id", "description", "critical")}
        guide = as_json(rule)
        case.add(
            "structural", name, path, node.at, text, ruled=True, critical=critical, guide=guide
        )
    rubric = item.child("quality_rubric")
    for node in rubric.items("dimensions") if isinstance(rubric.value, dict) else ():
        dimension = node.text("name") or node.text("id")
        if dimension is None:
            what = "This dimension has neither a name nor an id."
            node.note("warning", "no-name", what, "Give it a name.")
            continue
        weight, anchors = node.number("weight"), node.get("scoring")
        case.dimensions[dimension] = 1.0 if weight is None else weight
        text = node.text("description")
        levels = as_json(anchors) if isinstance(anchors, dict) else None
        case.add("rubric", dimension, path, node.at, text, ruled=True, weight=weight, guide=levels)


def _rules(fields: Mapping[str, Any], group: str | None) -> dict[str, Any]:
    """Return what the object of an expectation says beside its text: columns of its criterion."""
    found: dict[str, Any] = {
        key: flag for key in ("critical", "required") if isinstance(flag := fields.get(key), bool)
    }
    severity, weight = fields.get("severity"), amount(first(fields, WEIGHT))
    if isinstance(severity, str):
        found["critical"] = severity.strip().lower() in CRITICAL
    if weight is not None:
        found["weight"] = weight.value
    rule = {} if group is None else {"group": group}
    rule |= {key: inner for key, inner in fields.items() if key not in USED}
    return {**found, "guide": as_json(rule)} if rule else found


def name_of(item: Node) -> str | None:
    """Return what an eval calls itself."""
    return text_under(item.value, NAMES)


def prompt_of(item: Node) -> str | None:
    """Return what an eval asks."""
    return text_under(item.value, PROMPT)


def text_under(value: Any, keys: tuple[str, ...]) -> str | None:
    """Return the first of some fields of an object that is a text and not empty."""
    fields = value if type(value) is dict else {}
    for key in keys:
        value = fields.get(key)
        if value and isinstance(value, str):
            return value
    return None


def expected_of(item: Node, noted: set[str]) -> str | None:
    """Return what an eval expects; an object or a list is kept as its JSON text."""
    value = item.get("expected_output")
    if not isinstance(value, (dict, list)):
        return item.text("expected_output")
    if "expected-as-json" not in noted:
        noted.add("expected-as-json")
        what = "expected_output is not text; it is shown as JSON."
        hint = "Write what is expected as a text, and what can be checked as assertions."
        item.note("info", "expected-as-json", what, hint, "expected_output")
    return as_json(value)


def _files(item: Node) -> list[str]:
    """Return the files of an eval: paths, or objects that name one."""
    found = []
    value = item.get("files")
    for node in item.all_items("files") if isinstance(value, list) else ():
        if isinstance(node.value, dict):
            inner = text_under(node.value, ("path", "name", "file", "source"))
            found.append(slashed(inner) if inner is not None else as_json(node.value))
        elif isinstance(node.value, str):
            found.append(slashed(node.value))
        else:
            node.type_problem("a path")
    if isinstance(value, dict):
        return [slashed(str(name)) for name in value]
    return [slashed(value)] if isinstance(value, str) and value else found


def _lists_in(item: Node) -> list[str]:
    """Return the fields with an eval's criteria: those of the usual names, then its others."""
    fields = item.value if isinstance(item.value, dict) else {}
    others = [key for key in fields if _lists_criteria(key) and isinstance(fields[key], list)]
    return [*(key for key in LISTS if key in fields), *others]


@lru_cache(maxsize=1024)
def _lists_criteria(name: str) -> bool:
    """Say whether a list of this name has criteria, where it has none of the usual names."""
    words = name.lower().replace("-", "_").split("_")
    usual = name in LISTS or name in OWN
    return not usual and words[-1] in OTHER_LISTS and OPPOSITE.isdisjoint(words)


def unread_in(item: Node) -> list[str]:
    """Return the fields of an eval in which nothing was looked for."""
    fields = item.value if isinstance(item.value, dict) else {}
    asked = next((key for key in PROMPT if isinstance(fields.get(key), str)), None)
    read = {*READ, *_lists_in(item), asked}
    return [key for key, value in fields.items() if key not in read and value not in EMPTY]


def listed(item: Node) -> Iterator[tuple[str | None, Any, str]]:
    """Yield (group, value, pointer) of each expectation of an eval.

    They are in lists, in lists by group, or as objects by id; the name of an unusual list is the
    group of what has no other.
    """
    for key in _lists_in(item):
        held, base, own = item.value[key], item.at + pointer(key), None if key in LISTS else key
        for name, inner in held.items() if isinstance(held, dict) else (("", held),):
            at = base + pointer(name) if isinstance(held, dict) else base
            if isinstance(inner, list):
                for index, value in enumerate(inner):
                    yield name or own, value, f"{at}/{index}"
            elif isinstance(held, dict):
                yield own, {"id": name, **inner} if isinstance(inner, dict) else inner, at


def label_words(value: Any) -> tuple[str | None, list[str]]:
    """Return a criterion's wording, and the short names that a judge may use for it."""
    if not isinstance(value, dict):
        return (value if isinstance(value, str) else None), []
    labels = [label for key in LABELS if isinstance(label := value.get(key), str) and label]
    texts = (text for key in WORDINGS if isinstance(text := value.get(key), str) and text)
    text = next(texts, None)
    return (text if text is not None else words_of(value)), labels


def words_of(fields: Mapping[str, Any]) -> str | None:
    """Return a criterion without a text in words: what its type looks for, else its id."""
    check = check_of(fields)
    if check is not None and check.field is not None:
        return check.words
    named = (fields.get(key) for key in ("check", "id"))
    text = next((each for each in named if isinstance(each, str) and each), None)
    return text or (check.words if check is not None else None)


def as_json(value: Any) -> str:
    """Return a value as JSON text; what is nested too deeply for that as an empty object."""
    try:
        return orjson.dumps(value).decode()
    except TypeError:
        return "{}"
