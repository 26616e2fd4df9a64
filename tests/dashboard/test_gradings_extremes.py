"""The Gradings page on hostile words and on two thousand cases."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.dashboard.live import Served, Visit, write
from tests.dashboard.screen import box, fits, idle

BEACON = "http://127.0.0.1:9/beacon"
WORDS = (
    f"<script>window.ran=1</script><img src={BEACON} onerror=window.ran=2>",
    f"![x]({BEACON}) [y](javascript:window.ran=3) <a href='{BEACON}'>z</a>",
    ":material/delete: $\\frac{1}{2}$ :red[ink] </script ",
    "abc\u202edcba \u2066x\u2069 \u0000\u0007",
    "w" * 10_000,
)
HOSTILE = " ".join(WORDS)
CASES = 2_000
LONG = "发布说明 " + "وصف طويل جدا " * 24
ASKED = [f"{number} " + "x" * 297 for number in range(40)]
WIDE = "with_a_skill_whose_name_is_as_long_as_a_name_of_a_folder_may_be_" + "y" * 16
SIDE = "with<img src=x onerror=window.ran=4>"


CUT = """head => [...head.querySelectorAll("*")].filter(node => {
  if (node.closest(".hidden, svg, option") || !node.checkVisibility()) return false;
  const edge = head.getBoundingClientRect(), own = node.getBoundingClientRect();
  const { display, textOverflow } = getComputedStyle(node);
  const cut = node.scrollWidth > node.clientWidth + 1 && display !== "inline";
  const beyond = own.right > edge.right + 1 || own.left < edge.left - 1;
  return beyond || (cut && textOverflow !== "ellipsis");
}).map(node => node.outerHTML.slice(0, 90))"""
"""What of the head is cut off without an ellipsis, or stands beyond its edge."""


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace whose every text would load, run or break something if it were markup."""
    root = tmp_path_factory.mktemp("hostile") / "hostile"
    evals = [
        {
            "id": 1,
            "name": HOSTILE,
            "prompt": HOSTILE,
            "expected_output": HOSTILE,
            "expectations": [HOSTILE],
        }
    ]
    write(root / "s/evals/evals.json", {"skill_name": HOSTILE, "evals": evals})
    for number in (1, 2):
        folder = root / f"s-workspace/iteration-{number}/eval-1/{SIDE}"
        write(folder / "grading.json", _grading(passed=number == 1))
        write(folder / "timing.json", {"total_tokens": 3, "note": HOSTILE})
        outputs = folder / "outputs"
        outputs.mkdir()
        (outputs / "a.html").write_text(HOSTILE, "utf-8")
        (outputs / "b.md").write_text(HOSTILE, "utf-8")
        (outputs / "c.csv").write_text(f"a,b\n{HOSTILE.replace(',', '')},1\n", "utf-8")
        (outputs / "d.svg").write_text(f"<svg onload=window.ran=5><image href='{BEACON}'/></svg>")
        (folder / "transcript.md").write_text(HOSTILE, "utf-8")
    return root


def _grading(*, passed: bool) -> dict[str, Any]:
    return {
        "expectations": [{"text": HOSTILE, "passed": passed, "evidence": f"“{HOSTILE[:200]}”"}],
        "claims": [{"claim": HOSTILE, "type": HOSTILE, "verified": False, "evidence": HOSTILE}],
        "user_notes_summary": {"uncertainties": [HOSTILE], "needs_review": [HOSTILE]},
        "eval_feedback": {
            "suggestions": [{"assertion": HOSTILE, "reason": HOSTILE}],
            "overall": HOSTILE,
        },
    }


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace of 2,000 cases, every tenth of which fails."""
    root = tmp_path_factory.mktemp("many") / "many"
    for number in range(1, CASES + 1):
        passed = number % 10 != 0
        expectations = [{"text": "Holds the rope", "passed": passed, "evidence": "The rope."}]
        folder = root / f"s-workspace/iteration-1/eval-{number}/with_skill"
        write(folder / "grading.json", {"expectations": expectations})
        (folder / "outputs").mkdir()
        (folder / "outputs/note.md").write_text(f"发布说明 {number} " * 400, "utf-8")
    return root


@pytest.fixture(scope="module")
def crowded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace of one case with 40 criteria of 300 characters, 10 versions and 12 runs each."""
    root = tmp_path_factory.mktemp("crowded") / "crowded"
    evals = [{"id": 1, "name": LONG, "prompt": "p", "expected_output": "e", "expectations": ASKED}]
    write(root / "s/evals/evals.json", {"skill_name": "s", "evals": evals})
    for version in range(1, 11):
        folder = root / f"s-workspace/iteration-{version}/eval-1"
        write(folder / "eval_metadata.json", {"eval_id": 1, "eval_name": LONG})
        for run in range(1, 13):
            found = [
                {"text": text, "passed": at != 7, "evidence": ""} for at, text in enumerate(ASKED)
            ]
            write(folder / f"{WIDE}/run-{run}/grading.json", {"expectations": found})
    return root


@pytest.fixture(scope="module")
def dashboard(showing: Callable[[Path], Served], hostile: Path) -> Served:
    """Serve the hostile workspace."""
    return showing(hostile)


def test_hostile_words_are_only_words(visit: Visit) -> None:
    """On every tab and in every file nothing loads, runs, links away or tears the page."""
    page = visit.page
    views = [
        {"filter": "failing"},
        {"tab": "case"},
        {"tab": "raw"},
        {"tab": "transcript"},
        {"outputs": "1"},
        *(
            {"tab": "output", "file": f"s-workspace/iteration-2/eval-1/{SIDE}/outputs/{name}"}
            for name in ("a.html", "b.md", "c.csv", "d.svg")
        ),
    ]
    for query in views:
        visit.open("gradings", **query)
        expect(page.locator(".head h2")).to_contain_text("<script>window.ran=1</script>")
        page.wait_for_timeout(400)
        assert page.evaluate("window.ran") is None
        assert page.locator("a[href*=beacon], a[href^=javascript]").count() == 0
        assert fits(page)
    page.get_by_text("Stored about ").click()
    page.get_by_role("button", name="Export").click()
    expect(page.get_by_role("button", name="Download")).to_be_visible()
    assert page.evaluate("window.ran") is None
    assert visit.foreign_requests() == []
    assert [url for url in visit.requested if "beacon" in url] == []


def test_two_thousand_cases_come_in_pages(
    visit: Visit, showing: Callable[[Path], Served], many: Path
) -> None:
    """50 a page; the pager, the keyboard and the address go on from page to page."""
    sent: list[int] = []
    visit.page.on(
        "websocket",
        lambda socket: socket.on("framereceived", lambda data: sent.append(len(data))),
    )
    page = visit.page
    page.goto(f"{showing(many).address('gradings')}&page=40")
    expect(page.locator(".foot")).to_contain_text("1,951–2,000 · 2,000 cases")
    expect(page.locator(".list tbody")).to_have_count(50)
    idle(page)
    before = sum(sent)
    page.get_by_role("button", name="Previous page").click()
    expect(page.locator(".foot")).to_contain_text("1,901–1,950 · 2,000 cases")
    idle(page)
    assert sum(sent) - before <= 150 * 1024
    page.goto(f"{page.url}&outputs=1")
    expect(page.locator(".list div.output").first).to_contain_text("发布说明")
    idle(page)
    before = sum(sent)
    page.locator(".list tbody .name").nth(3).click()
    expect(page.locator(".head .place")).to_have_text("1,904 of 2,000")
    idle(page)
    assert sum(sent) - before <= 60 * 1024
    page.locator(".list tbody").last.locator(".name").click()
    expect(page.locator(".head .place")).to_have_text("1,950 of 2,000")
    page.keyboard.press("j")
    expect(page.locator(".head .place")).to_have_text("1,951 of 2,000")
    expect(page.locator(".foot")).to_contain_text("1,951–2,000")
    page.keyboard.press("f")
    expect(page.locator(".foot")).to_contain_text("1–50 · 200 of 2,000 cases")
    expect(page).not_to_have_url(re.compile("page="))


@pytest.mark.usefixtures("font")
def test_a_crowded_head_cuts_nothing_without_a_sign(
    visit: Visit, showing: Callable[[Path], Served], crowded: Path
) -> None:
    """Within 130 pixels; what has no room is counted, or ends in an ellipsis, and can be read."""
    page = visit.page
    page.goto(showing(crowded).address("gradings"))
    head, marks = page.locator(".head"), page.locator(".head .marks button")
    expect(marks.last).to_have_text(re.compile(r"^\+\d+$"))
    # How many fit is measured anew when the font has come, so all are read at one moment.
    *shown, rest = marks.evaluate_all("marks => marks.map(mark => mark.textContent)")
    assert rest == f"+{40 - len(shown)}"
    assert len(shown) > 8
    marks.first.hover()
    expect(page.locator(".head .tip")).to_have_text(f"failed: {ASKED[7]}")
    expect(page.get_by_label("Version and configuration").locator("option")).to_have_count(10)
    expect(page.get_by_label("Run", exact=True).locator("option")).to_have_count(12)
    page.locator(".head h2").hover()
    assert box(head)["height"] <= 130
    for width in (1440, 390):
        page.set_viewport_size({"width": width, "height": 844})
        expect(head).to_have_class("head narrow" if width == 390 else "head")
        assert head.evaluate(CUT) == []
        assert fits(page)
