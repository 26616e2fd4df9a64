"""One test case and the criteria it has so far."""

from collections import defaultdict
from collections.abc import Container

from evalcore.families.base import SEVERAL
from evalcore.names import spelled
from evalcore.tables.rows import CriterionRow

ALIKE = 40
SHORT = 16


class Case:
    """One test case with the criteria it has so far."""

    def __init__(self, suite: str, case_id: str, name: str | None, prompt: str | None) -> None:
        self.suite = suite
        self.case_id = case_id
        self.name = name
        self.also: list[str] = []
        """Further names that it has elsewhere."""
        self.prompt = prompt
        self.expected: str | None = None
        self.tags: list[str] = []
        self.files: list[str] = []
        self.source: str | None = None
        self.pointer = ""
        self.defined = False
        self.dimensions: dict[str, float] = {}
        """The weights of the dimensions of its rubric."""
        self.criteria: dict[tuple[str, str], CriterionRow] = {}
        self._spelled: dict[str, dict[str, str]] = defaultdict(dict)
        """Kind to its criteria, each as it is compared with what graders wrote."""
        self.alias: dict[str, str] = {}
        self.ruled: dict[tuple[str, str], CriterionRow] = {}
        """The criteria that a definition says something of, by kind and name; all are in it too."""
        self.structural_ids: dict[str, int] = {}

    @property
    def names(self) -> str | None:
        """Its name, and any others behind it."""
        return SEVERAL.join(filter(None, [self.name, *self.also])) or None

    def call(self, *names: str) -> None:
        """Note names that it goes by besides its own."""
        for name in names:
            if name not in (self.case_id, self.name, *self.also):
                self.also.append(name)

    def known_as(self, kind: str, text: str) -> str:
        """Return the defined wording of a criterion that a judge shortened or touched up.

        A wording met before means what it meant then. What differs only in case or Unicode form,
        begins alike for 40 letters, or is the beginning of the other, is taken for the same; where
        none or several do, `text` stands for itself.
        """
        known = self.alias.get(text)
        if known is None:
            known = text
            if (kind, text) not in self.criteria:
                wanted = spelled(text)
                names = self._spelled[kind].items()
                near = [name for name, plain in names if plain == wanted]
                if not near and len(text) >= SHORT:
                    start = wanted[:ALIKE]
                    near = [name for name, plain in names if plain.startswith(start)]
                known = near[0] if len(near) == 1 else text
            self.alias[text] = known
        return known

    def add(
        self,
        kind: str,
        name: str,
        source: str,
        pointer: str,
        description: str | None,
        critical: bool | None = None,
        weight: float | None = None,
        guide: str | None = None,
        required: bool | None = None,
        *,
        ruled: bool = False,
    ) -> None:
        """Add a criterion unless it is there already.

        What a definition says of it (`ruled`) outranks what results say.
        """
        if (kind, name) not in self.criteria:
            scored = kind == "rubric"
            self._spelled[kind][name] = spelled(name)
            self.criteria[kind, name] = CriterionRow(
                suite=self.suite,
                case_id=self.case_id,
                kind=kind,
                criterion=name,
                description=description,
                required=required,
                critical=critical,
                weight=weight,
                min_score=1.0 if scored else 0.0,
                max_score=5.0 if scored else 1.0,
                pass_at=None if scored else 1.0,
                guide=guide,
                position=len(self.criteria),
                source=source,
                pointer=pointer,
            )
        if ruled:
            self.ruled.setdefault((kind, name), self.criteria[kind, name])

    def defined_as(self, kind: str, name: str) -> dict[str, bool | float | None]:
        """Return what a definition says of a criterion; nothing where none has it."""
        row = self.ruled.get((kind, name))
        if row is None:
            return {}
        found: dict[str, bool | float | None] = {
            "critical": row.critical,
            "required": row.required,
            "weight": row.weight,
        }
        if kind == "rubric":
            found["max_score"] = row.max_score
        return found

    def unanswered(self, kind: str, answered: Container[str]) -> list[str]:
        """Return the defined criteria of a kind that a run has no result for."""
        return [name for of, name in self.ruled if of == kind and name not in answered]


def numbered(name: str, seen: dict[str, int]) -> str:
    """Return `name`, or `name#2` and so on where it was met before; `seen` counts."""
    seen[name] = seen.get(name, 0) + 1
    return name if seen[name] == 1 else f"{name}#{seen[name]}"
