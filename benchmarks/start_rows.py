"""What it takes to begin: a command on a small folder, and the demo until its verdict is shown."""
# ruff: noqa: PLC0415 - a browser is driven for one of these rows only

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.bench import Bench
from benchmarks.measure import Result
from benchmarks.process import ROOT, MethodFailed

if TYPE_CHECKING:
    from playwright.sync_api import Browser

DEMO = ROOT / "evalcore" / "demo" / "workspace"
TWO_LINES = 'import streamlit as st\nst.title("x")\n'
COMMANDS = {
    "evalcore check": ("check", str(DEMO)),
    "evalcore compare": ("compare", str(DEMO), "--suite", "release-notes"),
}
VERDICT = r"passes (more|less|the same)|\d+ % against \d+ %"
TITLE = "^x$"
PAINTED = """
(() => {
  const text = (node) => node.nodeType === Node.TEXT_NODE ? [node.data]
    : [...node.childNodes, ...(node.shadowRoot?.childNodes ?? [])].flatMap(text);
  const look = () => {
    if (!text(document.body ?? document).some((each) => new RegExp(WANTED).test(each.trim()))) {
      setTimeout(look, 20);
    } else requestAnimationFrame(() => setTimeout(() => {
      painted(performance.timeOrigin + performance.now());
    }));
  };
  look();
})();
"""
"""Takes down when the browser has painted a text. Asked from outside, it would answer only once the
charts are there: they keep it busy for half a second, after the verdict."""


def commands(bench: Bench) -> Iterator[Result]:
    """CPU of commands on the demo, as a multiple of importing pandas."""
    floor = ("-c", "import pandas")
    ways = {"pandas": floor} | {k: ("-m", "evalcore", *v) for k, v in COMMANDS.items()}
    found: dict[str, list[float]] = {name: [] for name in ways}
    with tempfile.TemporaryDirectory() as kept:
        for _ in range(bench.rounds + 1):
            for name, command in ways.items():
                bench.say(name)
                bench.limit()
                found[name].append(_cpu(command, kept))
    for name in COMMANDS:  # the first round compiles, and writes the index
        pairs = zip(found[name][1:], found["pandas"][1:], strict=True)
        yield Result(
            "commands",
            f"{name}, whole process",
            "demo",
            cpu_s=statistics.median(found[name][1:]),
            unit="import pandas",
            cpu_ratio=statistics.median(ours / theirs for ours, theirs in pairs),
            rounds=bench.rounds,
        )


def _cpu(command: tuple[str, ...], kept: str) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env=os.environ | {"EVALCORE_CACHE_DIR": kept, "EVALCORE_STATE_DIR": kept},
        stdout=subprocess.DEVNULL,
        check=False,  # the demo has faults on purpose, and `check` says so
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def start(bench: Bench) -> Iterator[Result]:
    """From `evalcore demo`, with nothing kept, to the verdict; two lines of Streamlit in turn."""
    from playwright.sync_api import Error, sync_playwright

    from benchmarks.pages import FLAGS
    from tools.browser import find

    bench.limit()
    ours, theirs = [], []
    try:
        with sync_playwright() as playwright:
            path = find()
            if path is None:
                raise MethodFailed("No Chromium was found: python -m tools.browser gets one.")
            browser = playwright.chromium.launch(executable_path=str(path), args=list(FLAGS))
            for _ in range(bench.rounds):
                bench.limit()
                bench.say("evalcore demo")
                ours.append(_shown(browser, _demo, VERDICT))
                bench.say("two lines of Streamlit")
                theirs.append(_shown(browser, _two_lines, TITLE))
            browser.close()
    except Error as error:
        raise MethodFailed(f"start: {str(error).splitlines()[0]}") from error
    printed, wall = (statistics.median(each) for each in zip(*ours, strict=True))
    ratios = (o[1] / t[1] for o, t in zip(ours, theirs, strict=True))
    yield Result(
        "start",
        "evalcore demo to its verdict on screen",
        "demo",
        wall_s=wall,
        unit="two-line page",
        ratio=statistics.median(ratios),
        target=1.5,
        rounds=bench.rounds,
        detail=f"address after {printed:.2f} s",
    )


def _shown(browser: "Browser", serve: Callable[[Path], object], wanted: str) -> tuple[float, float]:
    """Return the seconds until the address is known, and until what is wanted is painted."""
    with tempfile.TemporaryDirectory() as home:
        began = time.time()  # the clock that a browser has, too
        with serve(Path(home)) as address:  # type: ignore[attr-defined]
            known = time.time() - began
            page = browser.new_page()
            painted: list[float] = []
            page.expose_function("painted", lambda at: painted.append(at))  # noqa: PLW0108 - Playwright marks it
            page.add_init_script(PAINTED.replace("WANTED", json.dumps(wanted)))
            page.goto(address, wait_until="commit")
            while not painted:
                page.wait_for_timeout(20)
            page.context.close()
    return known, painted[0] / 1000 - began


@contextmanager
def _demo(home: Path) -> Iterator[str]:
    kept = {f"EVALCORE_{name}_DIR": str(home / name) for name in ("STATE", "CACHE", "CONFIG")}
    command = [sys.executable, "-m", "evalcore", "demo", "--no-browser", "--port", "0"]
    with subprocess.Popen(
        command, env=os.environ | kept, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            yield next(line.strip() for line in process.stdout if "http://" in line)
        finally:
            process.terminate()


@contextmanager
def _two_lines(home: Path) -> Iterator[str]:
    from evalcore.server import Dashboard, free_port

    (home / "page.py").write_text(TWO_LINES, "utf-8")
    port = free_port(0)
    options = [f"--server.port={port}", "--server.headless=true", "--server.address=127.0.0.1"]
    command = [sys.executable, "-m", "streamlit", "run", "page.py", *options]
    with subprocess.Popen(
        [*command, "--browser.gatherUsageStats=false"],
        cwd=home,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        try:
            if not Dashboard(process, port, "", "").wait_until_ready():
                raise MethodFailed("Streamlit's two-line page did not start.")
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
