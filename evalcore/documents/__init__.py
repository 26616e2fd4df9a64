"""The documents of the five families as pydantic models, which say where a file is not one."""

from evalcore.documents import descriptions, improve, iterations, records, rubric
from evalcore.documents.base import Document, Fault, SeedModel, faults

FAMILIES: dict[str, tuple[Document, ...]] = {
    "improve": improve.DOCUMENTS,
    "records": records.DOCUMENTS,
    "rubric": rubric.DOCUMENTS,
    "descriptions": descriptions.DOCUMENTS,
    "iterations": iterations.DOCUMENTS,
}

__all__ = ["FAMILIES", "Document", "Fault", "SeedModel", "faults"]
