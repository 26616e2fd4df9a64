"""PNG pictures, made from the SVG by resvg: no browser, nothing loaded.

This is the only module that uses resvg, which comes with the extra `pictures`.
"""

from importlib.util import find_spec
from pathlib import Path
from typing import Final

from evalcore.charts.svg import svg
from evalcore.errors import PicturesMissing
from evalcore.palette import Mode
from evalcore.views.charts.model import Picture

FONT: Final = Path(__file__).parent / "font" / "pictures.ttf"
FAMILY: Final = "DejaVu Sans"
ZOOM: Final = 2


def png(picture: Picture, mode: Mode = "light", *, system_fonts: bool = True) -> bytes:
    """Return a picture as PNG, at twice the size of the SVG.

    Labels have our own font; other scripts need a font of the system.

    Raises:
        PicturesMissing: the extra `pictures` is not installed.
    """
    if not available():
        raise PicturesMissing
    import resvg_py  # noqa: PLC0415 - an extra

    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg(picture, mode),
            zoom=ZOOM,
            font_files=[str(FONT)],
            font_family=FAMILY,
            sans_serif_family=FAMILY,
            skip_system_fonts=not system_fonts,
        )
    )


def available() -> bool:
    """Return whether PNG pictures can be made here."""
    return find_spec("resvg_py") is not None
