"""The documents of the five families, and what people say beside them, as pydantic models."""

from evalcore.documents import descriptions, improve, iterations, records, reviews, rubric
from evalcore.documents.base import Document, Fault, SeedModel, faults

FAMILIES: dict[str, tuple[Document, ...]] = {
    "improve": improve.DOCUMENTS,
    "records": records.DOCUMENTS,
    "rubric": rubric.DOCUMENTS,
    "descriptions": descriptions.DOCUMENTS,
    "iterations": iterations.DOCUMENTS,
    "reviews": reviews.DOCUMENTS,
}

__all__ = ["FAMILIES", "Document", "Fault", "SeedModel", "faults"]
