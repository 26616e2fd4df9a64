"""The kinds of columns; the annotations of row types name them.

`Code` is a short string that repeats (a categorical in the frame), `Str` a name or sentence, `Text`
a long string that stays out of the frame and is fetched with `Tables.text`, `Time` an aware
datetime. Every column may be missing unless its comment says otherwise; missing is null, never 0
and never "".
"""

from datetime import datetime
from typing import Annotated, Literal

Kind = Literal["code", "str", "text", "float", "int", "bool", "time"]

Code = Annotated[str | None, "code"]
Str = Annotated[str | None, "str"]
Text = Annotated[str | None, "text"]
Float = Annotated[float | None, "float"]
Int = Annotated[int | None, "int"]
Bool = Annotated[bool | None, "bool"]
Time = Annotated[datetime | None, "time"]
