"""The demo workspace: eight suites in six formats that evalcore reads."""

import os
import shutil
import tempfile
from pathlib import Path

import platformdirs


def packaged() -> Path:
    """Return the demo as it was shipped; it is only read."""
    return Path(__file__).resolve().parent / "workspace"


def minimal_folder() -> str:
    """Return the tree of the smallest folder that can be opened, in five lines."""
    return Path(__file__).with_name("minimal-folder.txt").read_text(encoding="utf-8").rstrip()


def is_demo(root: Path) -> bool:
    """Say whether a folder is a copy of the demo, by its unchanged README."""
    name = "README.md"
    try:
        return (root / name).read_bytes() == (packaged() / name).read_bytes()
    except OSError:
        return False


def demo_dir() -> Path:
    """Return the user's own copy: `EVALCORE_DEMO_DIR`, else in the state or the data folder."""
    chosen, state = os.environ.get("EVALCORE_DEMO_DIR"), os.environ.get("EVALCORE_STATE_DIR")
    if chosen:
        return Path(chosen).expanduser().absolute()
    if state:
        return Path(state).expanduser().absolute() / "demo"
    return platformdirs.user_data_path("evalcore") / "demo"


def copy_demo(*, fresh: bool = False) -> Path:
    """Return the user's copy of the demo, made now if there is none.

    A copy that is there stays as the user left it; `fresh` makes another beside it (demo-2 …).
    Nothing is deleted or overwritten. Raises `OSError` when the copy cannot be written.
    """
    first = demo_dir()
    if not fresh and first.is_dir():
        return first
    first.parent.mkdir(parents=True, exist_ok=True)
    # Copied beside its place and then put there whole: an interrupted copy is never opened.
    made = Path(tempfile.mkdtemp(prefix=f".{first.name}-", dir=first.parent))
    try:
        # Contents only: where the package is installed read-only, the copy can still be changed.
        shutil.copytree(packaged(), made, dirs_exist_ok=True, copy_function=shutil.copyfile)
        for folder in [made, *(path for path in made.rglob("*") if path.is_dir())]:
            folder.chmod(0o755)
        return _placed(made, first, fresh=fresh)
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _placed(made: Path, first: Path, *, fresh: bool) -> Path:
    """Move the finished copy to the first name that is free.

    Where another process has made the first copy meanwhile, that one is the user's; only `fresh`
    asks for a further one.
    """
    number = 1
    while True:
        target = first if number == 1 else first.with_name(f"{first.name}-{number}")
        if not os.path.lexists(target):
            made.rename(target)
            return target
        if not fresh and target.is_dir():
            return target
        number += 1
