"""The `improve` family: expectations scored 1 to 5, version by version, next to a history."""

from evalcore.families.base import Family, Update
from evalcore.families.improve.find import find
from evalcore.families.improve.read import read
from evalcore.families.improve.update import folders_of, root_of, update

FAMILY = Family("improve", find, read, Update(root_of, folders_of, ("history",), update))
