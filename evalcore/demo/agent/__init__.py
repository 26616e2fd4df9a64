"""The executor of the demo suites: a small program that needs no model and no key.

`answer.py` is run in a copy of a case, reads its prompt, files and skill, and does what it can.
"""

import sys
from pathlib import Path
from typing import Final

COMMAND: Final = (sys.executable, "-I", str(Path(__file__).resolve().with_name("answer.py")))
"""Isolated from the folder that it runs in, and from the environment."""
