"""Links of the documentation lead somewhere, and the index of decisions has each page."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FILES = [
    *ROOT.glob("*.md"),
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted(path for part in ("benchmarks", "tests") for path in (ROOT / part).rglob("*.md")),
]
DECISIONS = sorted((ROOT / "docs" / "decisions").glob("[0-9]*.md"))
INDEX = (ROOT / "docs" / "decisions" / "README.md").read_text("utf-8")
LINK = re.compile(r"\]\((?!\w+:)([^)#]*)(?:#([^)]*))?\)")
REPLACED = re.compile(r"Replaced (?:by|in part: .*) \[[^\]]+\]\((\d{4}-[a-z0-9-]+\.md)\)")


def anchors(file: Path) -> set[str]:
    """Return what GitHub calls the headings of a page."""
    text = re.sub(r"^```.*?^```", "", file.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_every_link_leads_to_a_file_and_a_heading(file: Path) -> None:
    """Also those between headings of one page."""
    links = LINK.findall(file.read_text("utf-8"))
    targets = [(file.parent / path if path else file, part) for path, part in links]
    assert [str(target) for target, _ in targets if not target.exists()] == []
    named = [(target, part) for target, part in targets if part]
    assert [each for each in named if each[1] not in anchors(each[0])] == []


def test_the_index_has_each_decision_once() -> None:
    """By its title, in the order of the numbers."""
    titles = [each.read_text("utf-8").partition("\n")[0].removeprefix("# ") for each in DECISIONS]
    listed = re.findall(r"^- \[(.+)\]\((\d{4}-.+\.md)\)$", INDEX, re.MULTILINE)
    assert listed == [(t, each.name) for t, each in zip(titles, DECISIONS, strict=True)]


@pytest.mark.parametrize("file", DECISIONS, ids=lambda file: file.stem[:4])
def test_a_decision_that_is_replaced_says_by_which(file: Path) -> None:
    """Below its title, with a link to another decision that is there."""
    title, _, *rest = file.read_text("utf-8").splitlines()
    assert title.startswith("# ")
    said = [line for line in rest if line.startswith("Replaced")]
    assert said in ([], rest[:1])
    for line in said:
        found = REPLACED.match(line)
        assert found, line
        assert found[1] in {each.name for each in DECISIONS} - {file.name}
