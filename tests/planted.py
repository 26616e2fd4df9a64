"""A workspace with a module of every name that could be imported: each tells when it is run."""

import subprocess
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

OWN = {"app", "evalcore", "pages"}
"""What evalcore itself has on the import path."""

TELLS = """import posix
file = posix.open({told!r}, posix.O_WRONLY | posix.O_CREAT | posix.O_APPEND)
posix.write(file, (__name__ + "\\n").encode())
posix.close(file)
raise ImportError("a module of the workspace was run: " + __name__)
"""


class Planted:
    """A folder that holds modules beside what else is in it."""

    def __init__(self, root: Path, told: Path, without: frozenset[str] = frozenset()) -> None:
        self.root, self._told = root, told
        root.mkdir(parents=True, exist_ok=True)
        names = sys.stdlib_module_names | set(packages_distributions()) | OWN
        for name in {each for each in names if each.isidentifier()} - without:
            (root / f"{name}.py").write_text(TELLS.format(told=str(told)))

    def run(self) -> set[str]:
        """Return the modules that were run until now, and forget them."""
        found = set(self._told.read_text().split()) if self._told.exists() else set()
        self._told.unlink(missing_ok=True)
        return found


def loaded_by_python(folder: Path) -> frozenset[str]:
    """Return what `python -m` itself imports before the first line of a package."""
    (folder / "empty").mkdir(parents=True)
    (folder / "empty/__main__.py").write_text("import sys\nprint(*sys.modules)")
    command = [sys.executable, "-m", "empty"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return frozenset(done.stdout.split())
