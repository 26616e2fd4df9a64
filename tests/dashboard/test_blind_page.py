"""The page Blind without a browser: who is told what, and what a record may not do."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from evalcore.blind.closing import close
from evalcore.blind.judging import take_part
from evalcore.judging.storing.judges import remember_judge
from evalcore.views.blind.ranking import LATER
from evalcore.views.blind.words import RESULTS_LATER
from evalcore.workspace.opened import Workspace
from tests.blind.study import THREE, A, B, created, now, said
from tests.judging.copies import BEN, INVOICES, copied

THIRD = "iteration-1@with_skill"
HOSTILE = "![x](http://evil.example/x.png) <img src=x onerror=alert(1)>"


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    """A copy of the invoice extractor."""
    return copied(tmp_path / "copy", INVOICES)


@pytest.fixture
def page(run: Callable[..., AppTest], ws: Workspace) -> Callable[..., AppTest]:
    """Return a function that runs the page; the first run gives the test its state folder."""
    run("blind", ws.root, suite=INVOICES)
    return lambda **query: run("blind", ws.root, suite=INVOICES, **query)


def texts(app: AppTest) -> str:
    """Return all plain texts of a page."""
    return "\n".join(each.value for each in app.text)


def panels(app: AppTest) -> str:
    """Return all that the panels of a page were given."""
    return "".join(element.proto.json for element in app.get("bidi_component"))


def test_without_a_study_it_says_what_one_is(page: Callable[..., AppTest]) -> None:
    """And asks for a name."""
    app = page()
    assert "without saying which version made which" in texts(app)
    assert [each.label for each in app.text_input] == ["Your name (stored on this machine)"]


def test_names_in_records_stay_text(page: Callable[..., AppTest], ws: Workspace) -> None:
    """Whoever wrote them: nothing of a record is read as Markdown."""
    study = created(ws, BEN)
    file = next(ws.root.rglob(f"blind-study/{study.id}.json"))
    record = json.loads(file.read_text())
    record["createdBy"] = HOSTILE
    record["fields"]["names"] = [HOSTILE]
    file.write_text(json.dumps(record))
    app = page()
    assert HOSTILE in texts(app)
    assert not [each for each in (*app.markdown, *app.caption) if "evil" in each.value]


def test_an_open_study_is_only_for_its_judges(page: Callable[..., AppTest], ws: Workspace) -> None:
    """Without a name, or with one that is not asked, it says what to do."""
    study = created(ws, BEN)
    assert "No name is set" in texts(page(study=study.id))
    remember_judge("Cem", None)
    assert "You are not a judge of this study" in texts(page(study=study.id))
    assert "does not exist" in texts(page(study="another"))


def test_a_closed_study_is_told_to_everybody(page: Callable[..., AppTest], ws: Workspace) -> None:
    """Also to who has no name."""
    study = created(ws, BEN)
    assert A not in texts(page())
    said(ws, study, "left", BEN)
    close(ws, now(ws, study.id), BEN)
    assert f"{A} and {B}" in texts(page())
    app = page(study=study.id)
    assert not app.exception
    assert "does not exist" not in texts(app)


def test_who_gave_up_is_told_so(page: Callable[..., AppTest], ws: Workspace) -> None:
    """Nothing is left to compare."""
    ana = remember_judge("Ana", None)
    study = created(ws, ana)
    take_part(ws, study, ana, "gave up")
    assert "You stopped judging this study blind" in texts(page(study=study.id))


def test_a_ranking_waits_for_who_still_compares(
    page: Callable[..., AppTest], ws: Workspace
) -> None:
    """It names versions and who won, of runs that are hidden from them."""
    ana = remember_judge("Ana", None)
    for sides in ((A, B), (A, THIRD)):
        study = created(ws, BEN, sides=sides)
        for place, winner in enumerate(THREE):
            said(ws, study, winner, BEN, place=place)
        close(ws, now(ws, study.id), BEN)
    seen = page()
    assert LATER not in texts(seen)
    assert THIRD in panels(seen)
    created(ws, ana)
    later = page()
    assert LATER in texts(later)
    assert THIRD not in panels(later)


def test_results_wait_for_who_still_compares(page: Callable[..., AppTest], ws: Workspace) -> None:
    """In another study of the suite; then they are told."""
    ana = remember_judge("Ana", None)
    told = created(ws, BEN)
    said(ws, told, "left", BEN)
    close(ws, now(ws, told.id), BEN)
    open_study = created(ws, ana)
    assert texts(page(study=told.id)) == RESULTS_LATER
    close(ws, open_study, BEN)
    assert RESULTS_LATER not in texts(page(study=told.id))


def pressed(app: AppTest, words: str) -> AppTest:
    """Press a button, and return the page that is drawn after it."""
    (button,) = (each for each in app.button if each.label == words)
    return button.click().run()


def test_joining_opens_the_first_pair(page: Callable[..., AppTest], ws: Workspace) -> None:
    """One press: the study is in the address, and its first pair on the screen."""
    remember_judge("Ana", None)
    study = created(ws)
    app = pressed(page(), "Join and judge")
    assert app.query_params["study"] == study.id
    assert '"of":4' in panels(app).replace(" ", "")


def test_closing_shows_the_result(page: Callable[..., AppTest], ws: Workspace) -> None:
    """With where it was stored."""
    ana = remember_judge("Ana", None)
    study = created(ws, ana)
    said(ws, study, "left", ana)
    app = pressed(page(), "Reveal and close")
    assert app.query_params["study"] == study.id
    assert texts(app).startswith("Stored: ")
    assert "B is preferred in" in panels(app)


def test_a_packet_takes_part_when_it_is_saved(page: Callable[..., AppTest], ws: Workspace) -> None:
    """Not when it is made: the window may be closed before."""
    ana = remember_judge("Ana", None)
    study = created(ws, ana)
    app = pressed(page(), "Make a packet")
    assert "is ready. Save it" in texts(app)
    assert now(ws, study.id).parts == {}


def test_who_finds_every_pair_judged_is_told_why(
    page: Callable[..., AppTest], ws: Workspace
) -> None:
    """Where the study asks for fewer judges than join."""
    ana = remember_judge("Ana", None)
    study = created(ws, per_task=1)
    for judge in (BEN, ana):
        take_part(ws, now(ws, study.id), judge, "joined")
    for place in range(4):
        said(ws, now(ws, study.id), "left", BEN, place=place)
    assert "4 pairs, each for 1 judge" in texts(page())
    assert "had as many judges as the study asks for: 1." in panels(page(study=study.id))
