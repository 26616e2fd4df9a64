"""Writes what evalcore shows of many folders, so that a change can be held against it.

    python -m tools.freeze OUT            the tables, commands and pages of all folders, as files
    diff -r OUT OTHER                     what another commit says otherwise

The folders are the demo, those of ../shared/realworld where it is there, and generated ones. OUT
lies outside the checkout: it holds data of other people. Nothing is asserted here.
"""

import argparse
import contextlib
import fcntl
import io
import json
import os
import re
import shutil
import tempfile
import traceback
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REALWORLD = ROOT.parent / "shared" / "realworld"
HOME = Path(tempfile.gettempdir()) / "evalcore-frozen"
"""Always the same, as what is shown may name it."""

GENERATED = ("improve", "iterations", "rubric", "descriptions", "records")
COUNT = 120
COMMANDS = (
    "compare", "trends", "rubric", "trust", "failures", "aggregate --dry-run", "feedback",
    "approval list", "benchmark list", "messages",
)  # fmt: skip
PAGES: dict[str, tuple[dict[str, str], ...]] = {
    "overview": ({},),
    "gradings": ({}, {"filter": "failing"}, {"filter": "changed"}, {"q": "the"}),
    "compare": ({}, {"tab": "slices"}, {"tab": "texts"}, {"filter": "regressed"}),
    "rubric": ({},),
    "trends": ({}, {"rows": "all"}),
    "failures": ({},),
    "judge": ({}, {"view": "agreement"}, {"view": "trust"}),
    "blind": ({},),
    "runs": ({}, {"form": "run"}),
    "data": ({}, {"dview": "documents"}, {"dview": "fields"}),
}
_CHANGING = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\d+ (second|minute)s? ago"
)
"""Ids that are drawn anew, and times that pass."""


def folders() -> Iterator[Path]:
    """Yield the folders; those that are generated, and the demo, are made anew below `HOME`."""
    from benchmarks import generate  # noqa: PLC0415 - after the environment is set

    shutil.copytree(ROOT / "evalcore/demo/workspace", HOME / "demo")
    yield HOME / "demo"
    for family in GENERATED:
        with contextlib.suppress(SystemExit):
            generate.main([family, str(COUNT), str(HOME / family)])
        if (HOME / family).is_dir():
            for path in (HOME / family).rglob("*"):
                os.utime(path, (1_700_000_000, 1_700_000_000))
            yield HOME / family
    if REALWORLD.is_dir():
        yield from sorted(path for path in REALWORLD.iterdir() if path.is_dir())


def tables(folder: Path, _: list[str]) -> Iterator[tuple[str, str]]:
    """Yield each table with all its columns and texts, a row a line, in the order of its rows."""
    from evalcore import open_workspace  # noqa: PLC0415
    from evalcore.tables.columns import to_list  # noqa: PLC0415

    for name, columns in open_workspace(folder, cache=False).tables.columns.items():
        values = {
            key: to_list(column)
            if column.values is None or column.kind == "code"
            else column.values.tolist()
            for key, column in columns.items()
        }
        rows = zip(*values.values(), strict=True) if values else ()
        lines = (repr(row) for row in rows)
        yield f"tables/{name}", "\n".join([", ".join(values), *lines])


def commands(folder: Path, suites: list[str]) -> Iterator[tuple[str, str]]:
    """Yield what each command prints as JSON, for each suite."""
    yield "commands/check", _printed(["check", str(folder), "--json"])
    for suite in suites:
        for command in COMMANDS:
            given = [*command.split(), str(folder), "--suite", suite, "--json"]
            yield f"commands/{_file(suite)}/{command.split()[0]}", _printed(given)


def pages(folder: Path, suites: list[str]) -> Iterator[tuple[str, str]]:
    """Yield what each page sends to the browser, for each suite, in a sample of its states."""
    from streamlit.testing.v1 import AppTest  # noqa: PLC0415

    from evalcore.recent import remember  # noqa: PLC0415

    name = remember(folder)
    for suite in suites:
        for page, states in PAGES.items():
            for state in states:
                app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
                app.query_params["w"], app.query_params["suite"] = name, suite
                app.switch_page(f"pages/{page}.py")
                for key, value in state.items():
                    app.query_params[key] = value
                app.run()
                what = "-".join([page, *state.values()])
                yield f"pages/{_file(suite)}/{what}", _sent(app._tree)


def _sent(node: object) -> str:
    """Return what a page consists of: each element with what it was given."""
    lines = [type(node).__name__]
    proto = getattr(node, "proto", None)
    if proto is not None:
        given = str(getattr(proto, "json", "") or proto)
        lines.append(given if given[:1] != "{" else json.dumps(json.loads(given), indent=1))
    children = getattr(node, "children", {})
    return "\n".join([*lines, *map(_sent, children.values())])


def _printed(arguments: list[str]) -> str:
    """Run a command in this process; return its exit code and what it printed."""
    import evalcore.cli.main  # noqa: F401, PLC0415 - registers the commands
    from evalcore.cli.app import app  # noqa: PLC0415

    out, err = io.StringIO(), io.StringIO()
    code: object = 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            app(arguments)
        except SystemExit as end:
            code = end.code
    return f"{code}\n{out.getvalue()}\n{err.getvalue()}"


def _file(suite: str) -> str:
    return suite.replace("/", "+")


def main() -> None:
    """Write everything below OUT, which must be new."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("out", type=Path)
    asked.add_argument("--only", choices=("tables", "commands", "pages"), action="append")
    given = asked.parse_args()
    given.out.mkdir(parents=True)
    # All write to one folder, so they take turns; the lock ends with the process.
    turn = HOME.with_suffix(".lock").open("w")
    fcntl.flock(turn, fcntl.LOCK_EX)
    shutil.rmtree(HOME, ignore_errors=True)
    HOME.mkdir()
    for name in ("STATE", "CACHE", "DEMO"):
        os.environ[f"EVALCORE_{name}_DIR"] = str(HOME / f".{name.lower()}")
    os.chdir(ROOT)
    from evalcore import open_workspace  # noqa: PLC0415 - after the environment is set
    from evalcore.counting.choices import suite_ids  # noqa: PLC0415

    for folder in folders():
        suites = list(suite_ids(open_workspace(folder)))
        parts = {"tables": tables, "commands": commands, "pages": pages}
        for part in given.only or parts:
            try:
                for name, text in parts[part](folder, suites):
                    path = given.out / folder.name / f"{name}.txt"
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_text(_CHANGING.sub("…", text), "utf-8", "surrogatepass")
            except Exception:  # noqa: BLE001 - it is what evalcore does of this folder
                path = given.out / folder.name / f"{part}-failed.txt"
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(traceback.format_exc(), "utf-8")
        print(folder.name, len(suites), "suites", flush=True)


if __name__ == "__main__":
    main()
