"""Keys that must be seen nowhere, and the places to look for them."""

from collections.abc import Iterator
from pathlib import Path

import psutil  # type: ignore[import-untyped]

KEYS = {
    "JUDGE_KEY": "sk-canary-of-the-judge-5c1d",
    "OPENAI_API_KEY": "sk-canary-of-the-account-90fe",
    "OPENAI_ADMIN_KEY": "sk-canary-of-the-admin-02ab",
    "OPENAI_ORG_ID": "org-canary-77aa",
    "OPENAI_PROJECT_ID": "proj-canary-e3c4",
}
IN_FILE = "sk-canary-in-the-file-31b8"
EACH = (*KEYS.values(), IN_FILE)


def configured(home: Path, *endpoints: str) -> None:
    """Write the user's file of models, the only one that may hold a key, with one in it."""
    path = home / "config/models.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    other = f'[endpoints.other]\nbase_url = "http://127.0.0.1:9/v1"\nkey = "{IN_FILE}"\n'
    path.write_text("".join(endpoints) + other)
    path.chmod(0o600)


def own(home: Path) -> dict[str, str]:
    """Return the variables of a user with keys, whose files are all below one folder."""
    for name in ("config", "tmp", "state", "cache"):
        (home / name).mkdir(parents=True, exist_ok=True)
    folders = {
        f"EVALCORE_{name.upper()}_DIR": str(home / name) for name in ("config", "state", "cache")
    }
    return {**folders, **KEYS, "TMPDIR": str(home / "tmp"), "OPENAI_LOG": "debug"}


def leaks(home: Path, *printed: str) -> list[str]:
    """Return the files below a folder that hold a key, and what was printed with one."""
    secret = [each.encode() for each in EACH]
    files = (path for path in sorted(home.rglob("*")) if path.is_file() and not path.is_symlink())
    found = [
        str(path.relative_to(home))
        for path in files
        if path != home / "config/models.toml" and _holds(path.read_bytes(), secret)
    ]
    return found + [text[:2000] for text in printed if _holds(text.encode(), secret)]


def _holds(data: bytes, secret: list[bytes]) -> bool:
    return any(key in data for key in secret)


def seen_in_processes() -> Iterator[str]:
    """Yield the processes that show a key on their command line, or have one they do not need.

    evalcore and its process of a run need theirs.
    """
    for process in psutil.process_iter():
        try:
            line, held = process.cmdline(), "\n".join(process.environ().values())
        except psutil.Error:
            continue
        shown, plain = " ".join(line), [each for each in line if each != "-P"]
        if any(key in shown for key in EACH):
            yield f"on the command line: {shown}"
        if any(key in held for key in EACH) and "evalcore" not in "".join(plain[1:3]):
            yield f"in the environment: {shown}"
