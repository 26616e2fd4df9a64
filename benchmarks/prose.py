"""Seeded text that reads like a judge's: several languages, signs, code words, many lengths."""

import math
import random
from functools import cache

POOL = 3000
MEDIAN, SPREAD = 520, 0.45
SHORTEST, LONGEST = 200, 1500

_SUBJECTS = (
    "the summary", "section {n}", "the second table", "`parse_header()`", "the migration step",
    "the closing paragraph", "item {n} of the list", "the front matter", "the error branch",
    "the quoted log line", "`config.yaml`", "the fallback", "the heading in line {n}",
)  # fmt: skip
_VERBS = (
    "names", "repeats", "leaves out", "contradicts", "explains", "only hints at", "lists",
    "links to", "drops", "rounds", "handles", "invents",
)  # fmt: skip
_OBJECTS = (
    "the retry limit of {n} seconds", "both breaking changes", "the owner of the service",
    "what happens when the file is empty", "the date of release {n}", "every flag but `--force`",
    "the unit of the measurement", "the third input file", "the reason for the change",
    "an example with {n} rows", "the \"known issues\" list", "who has to act, and by when",
)  # fmt: skip
_TAILS = (
    "", ", as asked", ", which the prompt forbids", "; see line {n}", ", twice",
    ", without a source", ", although the input says so", ", so a reader can act on it",
    " and nothing else does",
)  # fmt: skip
_FOREIGN = (
    "Größe und Maß stimmen überein – Zeile {n} fehlt jedoch.",
    "Le résumé cite « annexe {n} » sans l’expliquer ; c’est gênant à l’usage.",
    "El título del apartado {n} está bien, pero ¿dónde está la conclusión?",
    "要約は第{n}節の数値を正しく引用しています。",
    "第{n}项缺少来源,结论因此无法核实。",
    "Раздел {n} отвечает на вопрос полностью.",
    "표 {n}의 단위가 빠져 있습니다.",
    "الجدول رقم {n} واضح ومكتمل.",
    "Step {n} → step {n}b is marked ✅, the rollback ⚠️ is not.",
    "The estimate (≈ {n} µs, ±5 %) is given “as is” — no method.",
)
_ASKS = (
    "Write release notes for version {n} from the attached commit list.",
    "Turn the incident log of week {n} into a report for people who were not there.",
    "Fasse die Änderungen der letzten {n} Tage für Kundinnen und Kunden zusammen.",
    "Draft a migration guide from API level {n} to the next one.",
    "変更履歴({n}件)を利用者向けに要約してください。",
    "Explain to support why error {n} appears, and what they can answer.",
)
_CHECKS = (
    "Names every breaking change of batch {n}",
    "States the version number {n} in the first line",
    "Lists at most {n} highlights",
    "Quotes no internal ticket number (such as T-{n})",
    "Gives an upgrade command that runs as it stands (variant {n})",
    "Mentions the deprecation of `legacy_{n}`",
    "Nennt den Zeitplan für Schritt {n}",
    "Keeps each entry under {n} words",
)


@cache
def pool(seed: int) -> tuple[str, ...]:
    """Return the sentences that all texts of one seed are made of, a quarter not ASCII."""
    rng = random.Random(f"{seed}/pool")
    return tuple(_sentence(rng) for _ in range(POOL))


def _sentence(rng: random.Random) -> str:
    number = str(rng.randint(2, 900))
    if rng.random() < 0.25:
        return rng.choice(_FOREIGN).replace("{n}", number)
    words = (rng.choice(_SUBJECTS), rng.choice(_VERBS), rng.choice(_OBJECTS))
    text = " ".join(words) + rng.choice(_TAILS) + "."
    return (text[0].upper() + text[1:]).replace("{n}", number)


class Prose:
    """Draws texts from one random generator."""

    def __init__(self, rng: random.Random, seed: int) -> None:
        self.rng = rng
        self.sentences = pool(seed)

    def sentence(self) -> str:
        """Return one sentence."""
        return self.rng.choice(self.sentences)

    def reasoning(self, share: float = 1.0) -> str:
        """Return the reasons for one score: `share` of about 520 characters, log-normal."""
        length = math.exp(self.rng.gauss(math.log(MEDIAN), SPREAD))
        wanted = share * min(max(length, SHORTEST), LONGEST)
        parts: list[str] = []
        while wanted > 0:
            parts.append(self.sentence())
            wanted -= len(parts[-1]) + 1
        return " ".join(parts)

    def prompt(self) -> str:
        """Return what a case asks for."""
        return self._filled(_ASKS) + " " + self.sentence()

    def check(self, taken: set[str]) -> str:
        """Return a criterion in words that is not among `taken`, and add it."""
        while (text := self._filled(_CHECKS)) in taken:
            pass
        taken.add(text)
        return text

    def _filled(self, texts: tuple[str, ...]) -> str:
        return self.rng.choice(texts).replace("{n}", str(self.rng.randint(2, 900)))
