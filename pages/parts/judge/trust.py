"""Trust in the judge: a section of the Judge page."""

from typing import Final

from evalcore import Workspace
from evalcore.judging.storing.stored_reviews import load_reviews, review_folder
from evalcore.validating.trust import trust
from evalcore.views.judge.agreement import hidden_blocks
from evalcore.views.judge.trust import trust_blocks
from pages.parts.address import apply_changes, change_address, parameter
from pages.parts.links import follow
from pages.parts.panels.components import new_acts, sheet_panel
from pages.parts.state import Choice

PARAMETERS: Final = ("of", "only")
"""The address parameters of this section: the judge, and which labels."""


def trust_section(ws: Workspace, choice: Choice, suite: str) -> None:
    """Draw the section and handle its links."""
    for did in new_acts():
        asked = follow(choice, did, "judge")
        change_address(**{name: asked[name] for name in PARAMETERS if name in asked})
    apply_changes("Judge")
    independent = parameter("only", {"independent"}) is not None
    records = load_reviews(review_folder(ws, suite))
    found = trust(ws, suite, records, judge=parameter("of"), independent=independent)
    chosen = None if choice.version is None else (choice.version, choice.configuration)
    blocks = trust_blocks(found, chosen)
    sheet_panel([*blocks, *hidden_blocks(ws, suite)], choice.query(), "judge-trust")
