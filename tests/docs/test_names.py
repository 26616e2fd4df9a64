"""What the documentation and the messages say of the distribution's name."""

import re
from pathlib import Path

from evalcore import __version__
from evalcore.errors import DISTRIBUTION, PicturesMissing
from tests.test_packaging import PROJECT

ROOT = Path(__file__).resolve().parents[2]
KINDS = {"", ".md", ".py", ".sh", ".toml", ".yml", ".yaml", ".txt"}
BARE = re.compile(r"""pip3? install [^\n`]*(?<![\w./-])evalcore(?![\w/-])""")
OTHERS = re.compile(r"""["'(\s]evalcore\[[a-z]""")


def test_nobody_is_told_to_install_by_another_projects_name() -> None:
    """No text of the checkout says `pip install evalcore`, with an extra or without."""
    folders = ("benchmarks", "docs", "evalcore", "pages", "tests", "tools")
    files = [ROOT / "Makefile", *ROOT.glob("*.*")]
    files += [file for folder in folders for file in (ROOT / folder).rglob("*.*")]
    named = [each for each in files if each.suffix in KINDS and each != Path(__file__)]
    read = {file for file in named if file.is_file()}
    assert {ROOT / "README.md", ROOT / "docs" / "ci.md", ROOT / "evalcore" / "errors.py"} < read
    texts = {file: file.read_text("utf-8", "replace") for file in read}
    assert [n for n, text in texts.items() if BARE.search(text) or OTHERS.search(text)] == []


def test_the_name_and_version_are_those_of_the_project() -> None:
    """The code and pyproject.toml agree, and hints name the distribution."""
    assert (PROJECT["name"], PROJECT["version"]) == (DISTRIBUTION, __version__)
    assert f'pip install "{DISTRIBUTION}[pictures]"' in str(PicturesMissing())
