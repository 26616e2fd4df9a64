"""Where every field of every document goes: a column or the raw document, and which page."""

from evalcore.documents.places import (
    descriptions,
    improve,
    iterations,
    records,
    reviews,
    rubric,
)
from evalcore.documents.places.words import RAW, Place, Places

PLACES: dict[str, dict[str, Places]] = {
    "improve": improve.PLACES,
    "records": records.PLACES,
    "rubric": rubric.PLACES,
    "descriptions": descriptions.PLACES,
    "iterations": iterations.PLACES,
    "reviews": reviews.PLACES,
}

# The fields of every record, listed once.
ENVELOPES: dict[str, Places] = {"records": records.ENVELOPE, "reviews": reviews.ENVELOPE}

__all__ = ["ENVELOPES", "PLACES", "RAW", "Place", "Places"]
