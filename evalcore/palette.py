"""The colours of evalcore, shared by the theme, the charts and the reports."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

Mode = Literal["light", "dark"]


class Role(NamedTuple):
    """A colour with a meaning, on a light and on a dark ground, and the sign shown with it.

    Colours are `#RRGGBB`. `sign` is empty for roles that carry no judgement.
    """

    light: str
    dark: str
    sign: str = ""

    def on(self, mode: Mode) -> str:
        """Return the colour for the ground of `mode`."""
        return self.light if mode == "light" else self.dark


class Palette(NamedTuple):
    """Every colour evalcore uses, by what it says rather than by what it looks like.

    A `hairline` parts what belongs together; an `outline` is the edge of something to act on.
    """

    ground: Role
    second_ground: Role
    hairline: Role
    outline: Role
    text: Role
    quiet: Role
    accent: Role
    better: Role
    worse: Role
    tie: Role
    flaky: Role
    missing: Role
    side_a: Role
    side_b: Role

    def foregrounds(self) -> dict[str, Role]:
        """Return the roles that are read as text or marks, by name."""
        behind = {"ground", "second_ground", "hairline", "outline"}
        return {name: role for name, role in self._asdict().items() if name not in behind}


PALETTE: Final = Palette(
    ground=Role("#FFFFFF", "#11151B"),
    second_ground=Role("#F5F6F8", "#1A2029"),
    hairline=Role("#DDE1E7", "#2C3440"),
    outline=Role("#848C98", "#66717F"),
    text=Role("#1A1F26", "#E7EAEF"),
    quiet=Role("#59626F", "#9AA5B4"),
    accent=Role("#3D4FC4", "#8F9CF5"),
    better=Role("#0A756C", "#45C7B5", "▲"),
    worse=Role("#B5400F", "#F08A5D", "▼"),
    tie=Role("#6A6F7A", "#A4ACB9", "="),
    flaky=Role("#7A3E9D", "#C79BE8", "≈"),
    missing=Role("#69707B", "#8A94A3", "·"),
    side_a=Role("#2563A8", "#6CB2F0", "A"),
    side_b=Role("#9A5B00", "#E9B44C", "B"),
)

# A score is one hue from pale to strong, so that more always reads as more; ten steps because
# that is what the theme's sequential scale takes.
SCORE_SCALE: Final[dict[Mode, tuple[str, ...]]] = {
    "light": (
        "#E4E8FB",
        "#CDD4F6",
        "#B5BEF1",
        "#9EA9EB",
        "#8793E4",
        "#707EDB",
        "#5A69D0",
        "#4758C6",
        "#3747B0",
        "#293690",
    ),
    "dark": (
        "#1F2748",
        "#29335F",
        "#344076",
        "#404E8F",
        "#4D5DA8",
        "#5C6CC0",
        "#6D7DD6",
        "#7F8EE8",
        "#99A6F7",
        "#B9C3FF",
    ),
}

INKS: Final = ("#000000", "#FFFFFF")

# Every text on screen has one of these sizes, in CSS pixels.
TYPE_SIZES: Final = {"small": 12, "text-size": 14, "head": 17, "title": 21}


def css_variables() -> str:
    """Return the CSS custom properties of the colours and type sizes.

    Colours follow the ground: `--better:light-dark(…);…--small:12px;…`.
    """
    named = PALETTE._asdict().items()
    colours = "".join(
        f"--{name.replace('_', '-')}:light-dark({role.light},{role.dark});" for name, role in named
    )
    return colours + "".join(f"--{name}:{pixels}px;" for name, pixels in TYPE_SIZES.items())


def shade_styles() -> str:
    """Return a CSS class for each step of the scale of scores: `.shade-0{background:…;color:…}`."""
    return "".join(
        f".shade-{at}{{background:light-dark({light},{dark});"
        f"color:light-dark({ink_on(light)},{ink_on(dark)})}}"
        for at, (light, dark) in enumerate(
            zip(SCORE_SCALE["light"], SCORE_SCALE["dark"], strict=True)
        )
    )


def ink_on(shade: str) -> str:
    """Return black or white, whichever is read best on a shade."""
    return max(INKS, key=lambda ink: contrast(ink, shade))


def relative_luminance(colour: str) -> float:
    """Return the WCAG relative luminance of `#RRGGBB`, from 0 (black) to 1 (white)."""
    channels = (int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5))
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first: str, second: str) -> float:
    """Return the WCAG contrast of two `#RRGGBB` colours, from 1 to 21."""
    darker, lighter = sorted((relative_luminance(first), relative_luminance(second)))
    return (lighter + 0.05) / (darker + 0.05)


def theme_colours(mode: Mode) -> dict[str, str | list[str]]:
    """Return the colour options of the dashboard's theme, under the names the theme file uses."""
    on = {name: role.on(mode) for name, role in PALETTE._asdict().items()}
    named = {
        "red": on["worse"],
        "green": on["better"],
        "orange": on["side_b"],
        "yellow": on["side_b"],
        "blue": on["side_a"],
        "violet": on["flaky"],
        "gray": on["missing"],
    }
    colours: dict[str, str | list[str]] = {
        "primaryColor": on["accent"],
        "backgroundColor": on["ground"],
        "secondaryBackgroundColor": on["second_ground"],
        "textColor": on["text"],
        "linkColor": on["accent"],
        "codeTextColor": on["text"],
        "codeBackgroundColor": on["second_ground"],
        "borderColor": on["hairline"],
        "dataframeBorderColor": on["hairline"],
        "dataframeHeaderBackgroundColor": on["second_ground"],
        "dataframeHeaderTextColor": on["quiet"],
        "chartCategoricalColors": [
            on[name] for name in ("side_a", "side_b", "better", "flaky", "worse", "accent", "tie")
        ],
        "chartSequentialColors": list(SCORE_SCALE[mode]),
    }
    for name, colour in named.items():
        colours[f"{name}Color"] = colour
        colours[f"{name}TextColor"] = colour
        colours[f"{name}BackgroundColor"] = on["second_ground"]
    return colours
