"""Every line of seed 001 is mapped to where it is, and nothing else is named.

Its types and fields stand in docs/families.md, all else in seed_001.md.
"""

import importlib
import importlib.util
import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import typer

from evalcore.cli.app import app
from evalcore.families.records.documents import KINDS
from evalcore.families.records.shapes import RULES, TYPES
from evalcore.shapes.fields import RAW, Shape
from evalcore.tables.rows import TABLES, columns

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "tests" / "seed_001.md"
FAMILIES = ROOT / "docs" / "families.md"
SEEDS = Path(os.environ.get("EVALCORE_SEEDS", ROOT.parent / "shared" / "seeds"))
STEPS = {
    "Run a Test Case": 8,
    "Run a Benchmark": 6,
    "Detect Trends": 5,
    "Compare Prompt Versions": 2,
    "Classify Failures": 2,
}
TOOLBOXES = ("agents", "skills", "prompts", "proposals", "memory", "tasks")
HARD_RULES = (
    "Never modify agent outputs",
    "Never approve a prompt version change",
    "Always create an eval-failure",
    "Every judgment must include a rationale",
    "Surface regressions immediately",
)


def test_every_line_of_the_seed_is_mapped_and_every_name_is_there() -> None:
    """A missing row, an unknown column, module, command, page or code is a fault."""
    assert list(faults(PAGE.read_text("utf-8"))) == []


def test_the_lists_here_are_those_of_the_seed(seed: str) -> None:
    """Types, fields, relations, steps, connections and rules, parsed from its text."""
    stated = {table: set(names) for table, names in expected().items()}
    assert of_seed(seed)["Types and fields"] <= set(shaped())
    for table in ("Relations", "Skills", "Connections"):
        assert of_seed(seed)[table] == stated[table]
    lines = re.findall(r"^- (.+)$", seed.partition("## Hard Rules")[2], re.MULTILINE)
    assert [each for each in HARD_RULES for line in lines if line.startswith(each)] == (
        sorted(HARD_RULES, key=lambda rule: [line.startswith(rule) for line in lines].index(True))
    )
    assert len(lines) == len(HARD_RULES)


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("| `Detect Trends 3` |", "| `Detect Trends 9` |", "Detect Trends 3 is not mapped"),
        ("| `minions-tasks` |", "| `minions-chores` |", "minions-tasks is not mapped"),
        ("`fingerprints.kept`", "`fingerprints.held`", "no column fingerprints.held"),
        ("`evalcore.hard_rules.checking`", "`evalcore.hard_rules.checks`", "no module evalcore"),
        ("`evalcore benchmark show`", "`evalcore benchmark view`", "no command evalcore benchmark"),
        ("`evalcore failures --record`", "`evalcore failures --write`", "no command evalcore fail"),
        ("`output-changed`", "`output-modified`", "no problem output-modified"),
        ("*Data: hard rules*", "*Facts: hard rules*", "no page Facts"),
    ],
)
def test_what_is_missing_or_renamed_is_found(old: str, new: str, fault: str) -> None:
    """Each kind of name is looked up, not only read."""
    text = PAGE.read_text("utf-8")
    assert old in text
    assert any(fault in each for each in faults(text.replace(old, new)))


def test_every_field_has_its_place() -> None:
    """In docs/families.md: its column, and the page that shows it."""
    assert list(faults_of_fields(FAMILIES.read_text("utf-8"))) == []


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("`fields.ownerId`", "`fields.keeper`", "benchmark.ownerId is not mapped"),
        ("`judgments.confidence`", "`judgments.certainty`", "is in judgments.confidence"),
        ("| Gradings: grid |", "| Gradings: chart |", "is shown in Gradings: grid"),
    ],
)
def test_a_field_in_another_place_is_found(old: str, new: str, fault: str) -> None:
    """Its name, its column and its page are looked up."""
    text = FAMILIES.read_text("utf-8")
    assert old in text
    assert any(fault in each for each in faults_of_fields(text.replace(old, new)))


@pytest.fixture
def seed() -> str:
    """Return the text of the seed; the test is skipped where it is not there."""
    found = sorted(SEEDS.glob("001_*.txt"))
    if not found:
        pytest.skip("seed 001 is not here (EVALCORE_SEEDS names its folder)")
    return found[0].read_text("utf-8")


def of_seed(text: str) -> dict[str, set[str]]:
    """Return the lines that the text of the seed has, by the table that maps them."""
    fields = set()
    for kind, block in re.findall(r"^// ([a-z-]+)\n\{(.*?)^\}", text, re.MULTILINE | re.DOTALL):
        inside = block.partition("fields: {")[2]
        fields |= {f"{kind}.{name}" for name in re.findall(r"^ {4}(\w+):", inside, re.MULTILINE)}
    relations = re.findall(r"^([a-z-]+) +--(\w+)--> +([a-z-]+)$", text, re.MULTILINE)
    steps = set()
    for name, body in re.findall(r"## Skill: (.+)\n((?:(?!## ).*\n)+)", text):
        steps |= {f"{name} {number}" for number in re.findall(r"^(\d+)\.", body, re.MULTILINE)}
    return {
        "Types and fields": fields,
        "Relations": {" ".join(each) for each in relations},
        "Skills": steps,
        "Connections": set(re.findall(r"^(minions-[a-z]+) +→", text, re.MULTILINE)),
    }


@cache
def expected() -> dict[str, tuple[str, ...]]:
    """Return what each table of the map must hold, whether or not the seed is here."""
    return {
        "Relations": tuple(dict.fromkeys(" ".join(rule.relation[:3]) for rule in RULES)),
        "Skills": tuple(f"{name} {at + 1}" for name, steps in STEPS.items() for at in range(steps)),
        "Connections": tuple(f"minions-{name}" for name in TOOLBOXES),
        "Hard rules": HARD_RULES,
    }


@cache
def shaped() -> dict[str, tuple[str, str]]:
    """Return column and page of each field of the ten types, as their shapes have them."""
    found = {}
    for document in KINDS:
        fields = document.shape.by_name.get("fields")
        if document.kind in TYPES and fields is not None and isinstance(fields.type, Shape):
            for field in fields.type.fields:
                found[f"{document.kind}.{field.name}"] = field.column, field.shown
    return found


def faults(page: str) -> Iterator[str]:
    """Yield what the map lacks, and what it names that is not there."""
    for title, wanted in expected().items():
        table = page.partition(f"## {title}\n")[2].partition("\n## ")[0]
        rows = dict(re.findall(r"^\| `([^`]+)` \| (.+) \|$", table, re.MULTILINE))
        yield from (f"{name} is not mapped" for name in wanted if name not in rows)
        yield from (f"{name} is not of the seed" for name in rows if name not in wanted)
        for name, where in rows.items():
            found = (fault_of(token) for token in re.findall(r"`([^`]+)`", where))
            yield from (f"{name}: {fault}" for fault in found if fault)
    pages = re.findall(r"\*([A-Z][a-z]+): [^*]+\*", page)
    yield from (f"no page {name}" for name in pages if not is_page(name))


def faults_of_fields(page: str) -> Iterator[str]:
    """Yield the fields that the page of families does not name, or with another place."""
    section = page.partition("## `records`\n")[2].partition("\n## ")[0]
    for name, (column, shown) in shaped().items():
        kind, field = name.split(".")
        table = section.partition(f"### {kind}\n")[2].partition("\n### ")[0]
        rows = re.findall(
            rf"^\|.*`fields\.{field}(?:\[\])?`.*\| (.+) \| (.+) \|$", table, re.MULTILINE
        )
        if not rows:
            yield f"{name} is not mapped"
        for stated, page_part in rows:
            columns = re.findall(r"`([^`]+)`", stated)
            if ", ".join(columns) != column:
                yield f"{name} is in {column}"
            if page_part != shown:
                yield f"{name} is shown in {shown}"
            yield from (f"{name}: {fault}" for each in columns if (fault := fault_of(each)))


def fault_of(token: str) -> str | None:
    """Return what is wrong with a name in the map; None if it is there."""
    if token.startswith("evalcore "):
        return None if is_command(token) else f"no command {token}"
    if token.startswith("evalcore."):
        return None if is_module(token) else f"no module {token}"
    table, dot, column = token.partition(".")
    if dot and table in TABLES:
        return None if column in columns(TABLES[table]) else f"no column {token}"
    if token == RAW or token in shaped() or is_field(token):
        return None
    return None if token in words() else f"no problem {token}"


def is_command(token: str) -> bool:
    """Return whether a command, and each option that it is named with, exists."""
    importlib.import_module("evalcore.cli.main")  # each command is added where it is defined
    group = typer.main.get_command(app)
    for word in token.split()[1:]:
        if word.startswith("--"):
            if not any(word in option.opts for option in group.params):
                return False
        else:
            found = getattr(group, "commands", {}).get(word)
            if found is None:
                return False
            group = found
    return True


def is_module(token: str) -> bool:
    """Return whether a module can be found."""
    try:
        return importlib.util.find_spec(token) is not None
    except ModuleNotFoundError:
        return False


def is_page(name: str) -> bool:
    """Return whether the dashboard has a page of this name."""
    return (ROOT / "pages" / f"{name.lower()}.py").is_file()


def is_field(token: str) -> bool:
    """Return whether a record has such a field, named with its type or without."""
    return any(token in (rule.field, f"{rule.on}.{rule.field}") for rule in RULES) or any(
        token == field.rpartition(".")[2] for field in shaped()
    )


@cache
def words() -> frozenset[str]:
    """Return every plain word that the code of evalcore has as a text: codes, types, fields."""
    code = "\n".join(path.read_text("utf-8") for path in (ROOT / "evalcore").rglob("*.py"))
    return frozenset(re.findall(r'"([A-Za-z][A-Za-z-]+)"', code))
