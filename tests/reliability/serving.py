"""Serve a dashboard that lets in as many browsers as come, and that can be made slow.

The dashboard itself is not changed: this module starts it in a process of its own, where the door
keeps its token and the Judge page works for a while before it draws.
"""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from evalcore.recent import remember
from evalcore.server import Dashboard, app_file, free_port
from evalcore.server.process import spawn
from tests.dashboard.live import ROOT, Served, write

SLOW = "TESTS_SLOW_SECONDS"
COOKIE_ALONE = "TESTS_COOKIE_ALONE"


@contextmanager
def serving(
    workspace: Path,
    state: Path,
    *,
    slow: float = 0.0,
    app: Path | None = None,
    cookie_alone: bool = False,
) -> Iterator[tuple[Served, Dashboard]]:
    """Serve a workspace; each run of the Judge page's script takes `slow` seconds longer.

    `let_in` of what is served gives another browser's cookie each time. `app` is another script
    to serve instead of the dashboard; with `cookie_alone` the key is not asked for.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EVALCORE_STATE_DIR", str(state))
        patch.setenv("EVALCORE_CACHE_DIR", str(state / "cache"))
        patch.setenv("EVALCORE_OPEN", remember(workspace))
        patch.setenv(SLOW, str(slow))
        patch.setenv(COOKIE_ALONE, "yes" if cookie_alone else "")
        name = remember(workspace)
        command = ["-m", "tests.reliability.serving", "run", str(app or app_file())]
        found = spawn(command, free_port(0), name, environment=os.environ, folder=ROOT)
    try:
        assert found.wait_until_ready(), "the dashboard did not start"
        yield Served(found.port, name, found.token), found
    finally:
        found.stop()


def letters(root: Path, runs: int, criteria: tuple[str, ...] = ("Names the customer",)) -> Path:
    """Write a suite of one case with so many runs, each graded by a model, and return its folder.

    What the model said has the word MACHINE in it.
    """
    evals = {
        "skill_name": "letters",
        "evals": [
            {
                "id": 1,
                "name": "letter",
                "prompt": "Write a letter.",
                "expected_output": "A letter.",
                "expectations": list(criteria),
            }
        ],
    }
    write(root / "letters/evals/evals.json", evals)
    case = root / "letters-workspace/iteration-1/eval-1"
    write(case / "eval_metadata.json", {"eval_id": 1, "eval_name": "letter"})
    given = [{"text": text, "passed": True, "evidence": "MACHINE"} for text in criteria]
    passed = {"passed": len(given), "failed": 0, "total": len(given), "pass_rate": 1.0}
    for run in range(1, runs + 1):
        place = case / f"with_skill/run-{run}"
        write(place / "grading.json", {"expectations": given, "summary": passed})
        write(place / "outputs/letter.json", "Dear Mrs Iwasaki.")
    return root


def _keep_open() -> None:
    """Let the door take its token again and again: one server, many browsers."""
    from pages.parts.access.gate import Gate  # noqa: PLC0415 - only the process that serves needs it

    exchange = Gate.exchange

    def again(self: Any, token: str) -> Any:
        admission = exchange(self, token)
        if admission is not None:
            self.accept(token)
        return admission

    setattr(Gate, "exchange", again)  # noqa: B010 - a method is replaced on purpose


def _ask_for_no_key() -> None:
    """Let the door be as it was before there was a key."""
    from pages.parts.access.gate import Gate  # noqa: PLC0415

    setattr(Gate, "opens", lambda self, cookie, _: self.admitted([cookie]))  # noqa: B010


def _slow_down(seconds: float) -> None:
    """Let the desk work for a while before it takes up what the judge did."""
    from pages.parts.judge import form  # noqa: PLC0415

    look: Callable[..., Any] = vars(form)["seen"]

    def slowly(name: str) -> Any:
        time.sleep(seconds)
        return look(name)

    setattr(form, "seen", slowly)  # noqa: B010 - a function is replaced on purpose


def main() -> None:
    """Change what was asked for, then be Streamlit."""
    _keep_open()
    if os.environ.get(COOKIE_ALONE):
        _ask_for_no_key()
    if seconds := float(os.environ.get(SLOW, "0")):
        _slow_down(seconds)
    from streamlit.web.cli import main as streamlit  # noqa: PLC0415

    streamlit(prog_name="streamlit")


if __name__ == "__main__":
    main()
