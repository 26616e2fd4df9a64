"""What the models of documents share: exact types, and unknown fields kept."""

from datetime import datetime
from typing import Annotated, Final

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    SerializeAsAny,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)
from pydantic_core import PydanticCustomError


class SeedModel(BaseModel):
    """A JSON object of a seed document: exact types, unknown fields kept as they are."""

    model_config = ConfigDict(
        extra="allow",
        strict=True,
        populate_by_name=True,
        protected_namespaces=(),
    )


def _same_number(value: object, handler: ValidatorFunctionWrapHandler) -> object:
    handler(value)
    return value


# A JSON number that is written back as it was read: 4 stays 4 and 4.0 stays 4.0.
Number = Annotated[SerializeAsAny[float], Field(allow_inf_nan=False), WrapValidator(_same_number)]
Fraction = Annotated[Number, Field(ge=0, le=1)]


ISO_8601: Final = "must be an ISO 8601 date and time, like 2026-02-22T20:00:00Z"
NOT_BLANK: Final = "must not be blank"


def is_timestamp(text: str) -> bool:
    """Say whether a text is a point in time."""
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _timestamp(text: str) -> str:
    if not is_timestamp(text):
        raise PydanticCustomError("timestamp", ISO_8601)
    return text


def _not_blank(text: str) -> str:
    if not text.strip():
        raise PydanticCustomError("blank", NOT_BLANK)
    return text


Timestamp = Annotated[str, AfterValidator(_timestamp)]
NotBlank = Annotated[str, AfterValidator(_not_blank)]
