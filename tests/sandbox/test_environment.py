"""The environment of children: what is harmless, and what is named."""

import pytest

from evalcore.sandbox.environment import ALLOWED, clean_environment

SECRETS = {
    "ANTHROPIC_API_KEY": "canary",
    "OPENAI_API_KEY": "canary",
    "GITHUB_TOKEN": "canary",
    "AWS_SECRET_ACCESS_KEY": "canary",
    "DATABASE_PASSWORD": "canary",
    "LC_API_KEY": "canary",
    "EVALCORE_COOKIE": "canary",
    "SSH_AUTH_SOCK": "canary",
    "LD_PRELOAD": "canary",
    "PYTHONPATH": "canary",
    "path": "canary",
}


def test_only_harmless_variables_are_kept() -> None:
    """Whatever a secret is called, it is not on the list."""
    kept = {"HOME": "/home/x", "LANG": "C.UTF-8", "LC_ALL": "C", "PATH": "/bin", "TZ": "UTC"}
    assert clean_environment(own=kept | SECRETS) == kept


def test_no_allowed_name_looks_like_that_of_a_secret() -> None:
    """The list itself holds none."""
    words = ("KEY", "TOKEN", "SECRET", "PASS", "AUTH", "COOKIE", "CRED")
    assert not [name for name in ALLOWED if any(word in name for word in words)]


def test_a_named_one_is_passed() -> None:
    """The user's configuration gives an agent its key, and no other."""
    passed = clean_environment(["GITHUB_TOKEN", "NOT_SET"], own=SECRETS)
    assert passed["GITHUB_TOKEN"] == "canary"
    assert set(passed) == {"GITHUB_TOKEN", "PATH"}


@pytest.mark.parametrize(
    ("path", "kept"),
    [
        ("/a:.:/b", "/a:/b"),
        (":/a", "/a"),
        ("bin", "/usr/local/bin:/usr/bin:/bin"),
        ("", "/usr/local/bin:/usr/bin:/bin"),
    ],
)
def test_a_path_into_the_current_folder_is_left_out(path: str, kept: str) -> None:
    """Programs of a workspace are not found in place of the system's."""
    assert clean_environment(own={"PATH": path})["PATH"] == kept


def test_it_is_made_from_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """By default the variables are our own."""
    monkeypatch.setenv("TZ", "Europe/Vienna")
    monkeypatch.setenv("SOME_TOKEN", "canary")
    made = clean_environment()
    assert made["TZ"] == "Europe/Vienna"
    assert "canary" not in made.values()
