"""The colours can be read, mean one thing each, and are the theme's."""

import tomllib
from pathlib import Path
from typing import get_args

import pytest

from evalcore.palette import (
    PALETTE,
    SCORE_SCALE,
    Mode,
    contrast,
    css_variables,
    relative_luminance,
    theme_colours,
)

CONFIG = Path(__file__).resolve().parents[2] / ".streamlit" / "config.toml"
MODES: tuple[Mode, ...] = get_args(Mode)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", PALETTE.foregrounds())
def test_every_colour_can_be_read(name: str, mode: Mode) -> None:
    """Text and marks have a contrast of at least 4.5:1 on both grounds, light and dark."""
    colour = PALETTE.foregrounds()[name].on(mode)
    grounds = (PALETTE.ground.on(mode), PALETTE.second_ground.on(mode))
    assert min(contrast(colour, ground) for ground in grounds) >= 4.5


@pytest.mark.parametrize("mode", MODES)
def test_the_edge_of_a_control_can_be_seen(mode: Mode) -> None:
    """Outlines of fields, chips and buttons have a contrast of at least 3:1 on both grounds."""
    grounds = (PALETTE.ground.on(mode), PALETTE.second_ground.on(mode))
    assert min(contrast(PALETTE.outline.on(mode), ground) for ground in grounds) >= 3


def test_contrast_is_the_standard_one() -> None:
    """Black on white is 21:1, and #767676 is the palest grey that passes 4.5:1 on white."""
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#767676", "#FFFFFF") == pytest.approx(4.54, abs=0.01)
    assert contrast("#777777", "#FFFFFF") < 4.5


def test_no_verdict_rests_on_colour_alone() -> None:
    """Each role that judges or names a side has a sign, and no two share one."""
    signs = [
        getattr(PALETTE, name).sign
        for name in ("better", "worse", "tie", "flaky", "missing", "side_a", "side_b")
    ]
    assert all(signs)
    assert len(set(signs)) == len(signs)


@pytest.mark.parametrize("mode", MODES)
def test_the_theme_uses_exactly_these_colours(mode: Mode) -> None:
    """The theme file holds what the palette says for each ground, and no colour besides."""
    theme = tomllib.loads(CONFIG.read_text("utf-8"))["theme"]
    assert theme[mode] == theme_colours(mode)
    assert not [option for option in theme if "olor" in option]


@pytest.mark.parametrize("mode", MODES)
def test_more_score_is_more_colour(mode: Mode) -> None:
    """The scale of scores leaves the ground step by step, so that more reads as more."""
    ground = PALETTE.ground.on(mode)
    steps = [contrast(colour, ground) for colour in SCORE_SCALE[mode]]
    assert steps == sorted(set(steps))


def test_style_sheets_get_both_grounds() -> None:
    """Each role is a CSS variable that follows the ground by itself."""
    assert "--better:light-dark(#0A756C,#45C7B5);" in css_variables()
    assert css_variables().count("light-dark(") == len(PALETTE)


def test_luminance_runs_from_black_to_white() -> None:
    """Black has none, white has all."""
    assert relative_luminance("#000000") == 0
    assert relative_luminance("#FFFFFF") == pytest.approx(1)
