"""Plant one leak into a dashboard that a test serves: Python imports this file at its start.

`EVALCORE_PLANT` names the leak. Each changes one function of the product, as a careless change of
it could: what it tells a blind judge must then be seen by the comparison of twins.
"""

import hashlib
import os
import sys
import time
from collections.abc import Callable
from functools import wraps
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

JUDGING = "pages.parts.blind.judging"
PANEL = "evalcore.views.blind.panel"
TASK = "evalcore.views.blind.task"
NAMED = 3
"""The case whose run a plant names."""
Change = Callable[[ModuleType], None]


def side(opened: Any) -> str:
    """Return a word for the version that stands left."""
    return "iteration-1" if opened.left == opened.pair.run_a else "iteration-2"


def digest(run: str) -> str:
    """Return what anybody can work out of the name of a run."""
    return hashlib.sha256(run.encode()).hexdigest()[:16]


def like_chance(opened: Any) -> object:
    """Return a digest, a long number or a long word that tells the side; a case has one of them."""
    a_left = opened.left == opened.pair.run_a
    case = int(opened.left.partition("::")[2].partition("@")[0])
    return (digest(opened.left), 1_000_000_000 + a_left, 40 * "rs"[a_left])[case % 3]


def named_or_like_chance(opened: Any) -> object:
    """Return the name of a run in one case, and what looks like chance in the others."""
    case = int(opened.left.partition("::")[2].partition("@")[0])
    return opened.left if case == NAMED else like_chance(opened)


def before_drawing(tell: Callable[[Any, str], None]) -> Change:
    """Call `tell(streamlit, version on the left)` whenever a pair is drawn."""

    def change(module: ModuleType) -> None:
        found = module.blind_task

        @wraps(found)
        def task(ws: Any, study: Any, opened: Any, *args: Any) -> Any:
            tell(module.st, side(opened))
            return found(ws, study, opened, *args)

        module.blind_task = task  # type: ignore[attr-defined]

    return change


def more(**values: Callable[[Any], object]) -> Change:
    """Let a task have more fields, or other values in those that it has."""

    def change(module: ModuleType) -> None:
        found = module.blind_task
        data = module.task_data

        @wraps(found)
        def task(ws: Any, study: Any, opened: Any, *args: Any) -> Any:
            made = found(ws, study, opened, *args)
            told[made.id] = {name: value(opened) for name, value in values.items()}
            return made

        told: dict[str, dict[str, object]] = {}
        module.blind_task = task  # type: ignore[attr-defined]
        module.task_data = lambda made: {**data(made), **told[made.id]}  # type: ignore[attr-defined]

    return change


def a_always_left(module: ModuleType) -> None:
    """Order by version instead of by chance."""
    module.a_is_left = lambda _, __, pairs: {pair.pair: True for pair in pairs}  # type: ignore[attr-defined]


def guessable(module: ModuleType) -> None:
    """Draw sides from what everybody knows: the names of the pairs."""
    module.a_is_left = lambda _, __, pairs: {  # type: ignore[attr-defined]
        pair.pair: sum(pair.pair.encode()) % 2 == 0 for pair in pairs
    }


def own_names(module: ModuleType) -> None:
    """Show files under their own paths."""
    module._paths = lambda ws, run: {  # type: ignore[attr-defined]
        path: path for path in module.output_paths(ws, module.run_row(ws, run))
    }
    module._neutral = lambda *sides: dict.fromkeys(  # type: ignore[attr-defined]
        (name for side in sides for name in side), next(iter(sides[0]))
    )


def cut_by_version(module: ModuleType) -> None:
    """Cut the outputs of one version shorter than those of the other."""
    found = module.load_output

    def loaded(ws: Any, path: str) -> Any:
        output = found(ws, path)
        return output._replace(text=(output.text or "")[: 10 if "iteration-1" in path else None])

    module.load_output = loaded  # type: ignore[attr-defined]


def flashed(st: Any, version: str) -> None:
    """Draw something and take it away at once."""
    place = st.empty()
    place.text(version)
    place.empty()


def waited(st: Any, version: str) -> None:
    """Say for a while what is read; a short wait would show nothing."""
    with st.spinner(f"Reading {version}"):
        time.sleep(0.5)


PLANTS: dict[str, tuple[str, Change]] = {
    "1 address": (JUDGING, before_drawing(lambda st, v: st.query_params.update({"v": v}))),
    "2 frame": (TASK, more(hidden=lambda opened: opened.left)),
    "2 frame, by values that look like chance": (TASK, more(hidden=like_chance)),
    "2 frame, by a name and by what looks like chance": (TASK, more(hidden=named_or_like_chance)),
    "3 key of a widget": (JUDGING, before_drawing(lambda st, v: st.checkbox("See", key=f"at-{v}"))),
    "4 class of a container": (
        JUDGING, before_drawing(lambda st, v: st.container(key=f"box-{v}").text("Compare."))
    ),
    "5 order by version": ("evalcore.blind.drawing", a_always_left),
    "6 sides that can be guessed": ("evalcore.blind.drawing", guessable),
    "8 names of files": (TASK, own_names),
    "9 duration": (
        TASK,
        more(seconds=lambda opened: 47.1875 + (opened.left == opened.pair.run_a)),
    ),
    "10 cut differently": (TASK, cut_by_version),
    "11 name of a download": (
        JUDGING, before_drawing(lambda st, v: st.download_button("Get", b"x", file_name=f"{v}.md"))
    ),
    "12 tooltip": (JUDGING, before_drawing(lambda st, v: st.text("Compare", help=v))),
    "12 title of the page": (
        JUDGING, before_drawing(lambda st, v: st.html(f"<i title='{v}'>Compare</i>"))
    ),
    "13 traceback": (JUDGING, before_drawing(lambda st, v: st.error(f"load {v}: failed"))),
    "14 spinner": (JUDGING, before_drawing(waited)),
    "16 what stood there before": (JUDGING, before_drawing(flashed)),
    "18 what another judge said": (TASK, more(others=lambda _: {"ben-77c0": "left"})),
    "22 image of another address": (
        JUDGING, before_drawing(lambda st, v: st.html(f"<img src='/app/{v}.png' alt=''>"))
    ),
}  # fmt: skip


class Planting(PathFinder):
    """Finds the module of a plant, and changes it after it was executed."""

    @classmethod
    def find_spec(
        cls, fullname: str, path: Any = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the spec of the module to change; None for all others."""
        if fullname != NAME:
            return None
        spec = super().find_spec(fullname, path, target)
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def executed(module: ModuleType) -> None:
                execute(module)
                CHANGE(module)

            spec.loader.exec_module = executed  # type: ignore[method-assign]
        return spec


NAME, CHANGE = PLANTS.get(os.environ.get("EVALCORE_PLANT", ""), ("", lambda _: None))
if NAME:
    sys.meta_path.insert(0, Planting)
