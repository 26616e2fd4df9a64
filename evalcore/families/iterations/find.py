"""Find the suites of the iterations layout and what each of their files is."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Final, NamedTuple

from evalcore.disk.reader import Reader
from evalcore.families.base import REVIEWS, ClaimedFile, Loose, Plan, suite_id
from evalcore.families.iterations.benchmark import is_placeholder
from evalcore.families.iterations.case import alike_prompts
from evalcore.families.iterations.cases import CHECKLIST
from evalcore.families.iterations.items import holds_several
from evalcore.families.iterations.listed import has_result, is_told, runs_in
from evalcore.families.iterations.split_runs import OUTPUTS, version_named
from evalcore.families.iterations.totals import holds_totals
from evalcore.layouts.files import is_index, spot
from evalcore.layouts.iterations import (
    CONTAINERS,
    ITERATION,
    NONE,
    RUN,
    STAMP,
    container_of,
    folder_words,
    gathered,
    is_run,
    lone_run,
    run_location,
)
from evalcore.layouts.shapes import (
    Document,
    are_scored_cases,
    is_asked,
    is_checklist,
    list_of_cases,
    lists_of_queries,
)
from evalcore.names import slashed

BESIDE: Final = {
    "feedback.json": "feedback",
    "eval_feedback_aggregate.json": "eval_feedback_aggregate",
    "analysis.json": "analysis",
    "comparison.json": "comparison",
    "analysis_notes.json": "analysis",
    "improvement.json": "analysis",
}
COMPARISONS: Final = ("comparison-", "comparison_", "comparator-", "comparator_")
LATER: Final = ("history.json", "case.json", "eval_metadata.json", "meta.json", "prompts.json")
OF_RUNNER: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "meta.json": ("meta", ("name", "target")),
    "prompts.json": ("prompts", ("user",)),
}
"""What the runner of the open standard writes: the kind of each, and the texts that it has."""
RUBRIC_KINDS: Final = frozenset({"structural", "eval_feedback_aggregate"})
RUBRIC_KEYS: Final = frozenset({"eval_config", "structural_expectations", "quality_rubric"})
PRODUCED: Final = "outputs"
"""The kind of a folder that holds what a run without a grading produced."""
OF_RUNS: Final = frozenset({"grading", "structural", PRODUCED})
LISTED: Final = ("runs", "run_summary", "eval_results", "per_eval", "per_case", "evals", "results")
LABELS: Final = frozenset({"eval_id", "id", "eval_name", "name", "eval", "case_id"})
DEEPEST: Final = 3
COMMON: Final = frozenset(
    {"", "workspace", "eval-workspace", "evals", "eval", "iterations", "results", "tests", "test",
     "benchmarks", "benchmark", "runs", "skills", "skill"}
)  # fmt: skip
"""Names of folders that name no skill."""

_stamp: Final = lru_cache(maxsize=256)(STAMP.match)
"""Every file asks for the folder that it is in, of which there are few."""


class Claims:
    """The documents of this layout in a listing, by the container of the runs that has each."""

    def __init__(self, reader: Reader) -> None:
        """Take the files that say by themselves what they are, then those that others explain."""
        self.reader = reader
        self.files: dict[str, dict[ClaimedFile, None]] = defaultdict(dict)
        """Container to its files with their kinds, each once, and its folders of outputs."""
        self.others: list[str] = []
        """The files that no name explains."""
        later: list[tuple[str, str]] = []
        lone: list[str] = []
        for path in reader.listing.paths:
            folder, _, name = path.rpartition("/")
            if is_index(name):
                later.append((path, name))
            elif (seen := spot(folder, name)) is not None:
                self.files[seen.at.container][path, seen.kind] = None
            elif name in BESIDE or name.startswith(COMPARISONS):
                # It stands in an iteration's folder, or deeper below one.
                beside, home = BESIDE.get(name, "comparison"), container_of(folder)
                if home is not None and not STAMP.match(folder.rpartition("/")[2]):
                    self.files[home[0]][path, beside] = None
                else:
                    later.append((path, beside))
            elif name in LATER or _is_named_benchmark(name):
                later.append((path, name))
            else:
                (lone if name == "grading.json" else self.others).append(path)
        # Gradings that no layout places are taken with the timing beside each.
        graded = [path for path in lone if Document(reader.peek(path)).holds_items]
        folders = {path: path.rpartition("/")[0] for path in graded}
        near = Counter(folder.rpartition("/")[0] for folder in folders.values() if folder)
        for path, folder in folders.items():
            several = folder != "" and near[folder.rpartition("/")[0]] > 1
            at = lone_run(folder, several=several)
            self.files[at.container][path, "grading"] = None
            timing = f"{at.folder}/timing.json".removeprefix("/")
            if reader.exists(timing):
                self.files[at.container][timing, "timing"] = None
        self.others += [path for path in lone if path not in folders]
        for path, name in later:
            found = self._explained(path, name)
            if found is not None:
                self.files[found[0]][path, found[1]] = None
            if found is None or name == "case.json":
                self.others.append(path)
        self._take_outputs()

    def _explained(self, path: str, name: str) -> tuple[str, str] | None:
        """Return container and kind of a document by what is around and in it; None if unclear."""
        folder = path.rpartition("/")[0]
        home, at = container_of(folder), run_location(folder)
        container = folder if home is None else home[0]
        if name == "case.json":  # one eval; the folders of several lie side by side
            value = self.reader.peek(path)
            grading = value.get("grading") if isinstance(value, dict) else None
            is_case = isinstance(grading, dict) and "expectations" in grading and "prompt" in value
            return (folder.rpartition("/")[0], "evals") if is_case else None
        if name == "history.json":
            return (folder, "history") if folder in self.files else None
        if is_index(name):
            # As their grading where it holds the items of runs, else as totals.
            value = self.reader.peek(path)
            if Document(value).holds_items:
                seen = None if name == "summary.json" else spot(folder, name)
                if seen is not None:
                    return seen.at.container, seen.kind
                is_known = home is not None and container in self.files
                return (container, "grading") if is_known else None
            # What sums up something in the folder of one run is that run's own work.
            of_run = at is not None and at.configuration != NONE
            is_sum = container in self.files and not of_run and holds_totals(value)
            return (container, "totals") if is_sum else None
        if _is_named_benchmark(name):
            if container not in self.files and folder in self.files:
                container = folder
            plain = name == "benchmark.json" and (container in self.files or gathered(folder))
            is_one = plain or is_benchmark(self.reader.peek(path))
            return (container, "benchmark") if is_one else None
        if container not in self.files:
            return None
        kind, needed = OF_RUNNER.get(name, (name.removesuffix(".json"), ()))
        value = self.reader.peek(path) if needed else None
        texts = value if isinstance(value, dict) else {}
        return (container, kind) if all(isinstance(texts.get(key), str) for key in needed) else None

    def _take_outputs(self) -> None:
        """Take the outputs of runs without a grading, or the one grading that lies among them."""
        if not self.reader.output_folders:
            return
        graded = {
            path.rpartition("/")[0]
            for found in self.files.values()
            for path, kind in found
            if kind in ("grading", "structural") and not path.endswith("/summary.json")
        }
        split = (folder.rpartition("/") for folder in graded)
        graded |= {parent for parent, _, name in split if RUN.match(name)}
        for folder in self.reader.output_folders:
            run = folder.removesuffix(OUTPUTS)
            if run in graded or gathered(run) or f"{OUTPUTS}/" in f"/{folder}":
                continue
            at = run_location(run)
            if at is None:
                continue
            known, path = at.container in self.files, f"{folder}/grading.json"
            alone = graded.isdisjoint((at.eval_folder, at.configuration_folder))
            if known and alone and self.reader.extra(path) is not None:  # noqa: S610
                self.files[at.container][path, "grading"] = None
                continue
            if not known:
                # Where no document is of any run around them, they must surely be a run's.
                skill = at.container.removesuffix("-workspace")
                beside = skill != at.container and skill in self.reader.listing.folders
                sure = beside or ITERATION.match(at.version) is not None
                known = is_run(at) and sure and at.configuration != NONE
                known = known and self.reader.has_outputs(folder)
            if known and at.configuration != NONE:
                self.files[at.container][folder, PRODUCED] = None


def _is_named_benchmark(name: str) -> bool:
    """Say whether a file is a benchmark by its name, such as `final_benchmark.json`."""
    return name == "benchmark.json" or name.endswith(("_benchmark.json", "-benchmark.json"))


def is_benchmark(value: Any) -> bool:
    """Say whether a benchmark.json has runs or means; runs by name with a version are gradings."""
    held = value if isinstance(value, dict) else {}
    if isinstance(held.get("run_summary"), (dict, list)):
        return True
    runs = [run for run in runs_in(value) if has_result(run)]
    listed = isinstance(held.get("runs"), list)
    return bool(runs) and (listed or not any(version_named(run.item.value) for run in runs))


class Eval(NamedTuple):
    """An eval as some document names it."""

    labels: frozenset[str]
    prompt: str | None = None


@dataclass(eq=False)
class Draft:
    """A suite to be: the folder that its runs are named by, their root, its files and its skill.

    `beside` is the folder of its skill where that lies beside the runs: it names the suite.
    """

    reader: Reader
    home: str
    root: str
    files: list[ClaimedFile]
    skill: str | None = None
    beside: str | None = None

    def of(self, kind: str) -> list[str]:
        """Return its files of one kind."""
        return [path for path, found in self.files if found == kind]

    def has_runs(self) -> bool:
        """Return whether anything in it may be a run, an empty benchmark left out."""
        if any(kind in OF_RUNS for _, kind in self.files):
            return True
        values = (self.reader.peek(path) for path in self.of("benchmark"))
        return any(isinstance(value, dict) and any(map(value.get, LISTED)) for value in values)

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of its skill in small letters: its folder's, and those that files state."""
        folders = (self.home, self.skill or "")
        found = [name.rpartition("/")[2].removesuffix("-workspace") for name in folders]
        for path in (*self.of("evals"), *self.of("benchmark")):
            found += _skill_names(self.reader, path)
        return frozenset(name.casefold() for name in (*found, *self.ran)) - COMMON

    @cached_property
    def ran(self) -> dict[str, str]:
        """The skills that its runner says it ran: their names, and where each lay."""
        values = (self.reader.peek(path) for path in self.of("meta"))
        known = (value for value in values if isinstance(value, dict))
        return {str(value.get("name")): str(value.get("relPath") or "") for value in known}

    @cached_property
    def evals(self) -> list[Eval]:
        """The evals that its evals.json define, else those that folders and other files name."""
        found = list(_evals(self.reader, self.of("evals")))
        if not found:
            found += _evals(self.reader, (*self.of("eval_metadata"), *self.of("benchmark")))
            folders = (p.rpartition("/")[0] for p in (*self.of("grading"), *self.of(PRODUCED)))
            places = filter(None, map(run_location, folders))
            named = (frozenset(filter(None, folder_words(at.eval_folder))) for at in places)
            found = list(dict.fromkeys((*found, *map(Eval, named))))
        return found

    def take(self, evals: "Draft") -> None:
        """Add the evals of its skill; the first of several folders is the skill's."""
        self.files += evals.files
        self.skill = evals.skill if self.skill is None else self.skill
        for known in ("names", "evals"):
            self.__dict__.pop(known, None)

    def likeness(self, other: "Draft") -> int:
        """Return how many evals of another draft are this one's; 0 where they are two skills.

        The same are those that share a label, and are not known to ask for different things. Where
        a runner names the skill and its folder, all are.
        """
        for name, place in other.ran.items():
            folder, above = f"/{self.skill or ''}", f"/{slashed(place).strip('/')}"
            fits = folder.endswith(above) or above.endswith(folder) or above == "/"
            if name.casefold() in self.names and fits:
                return len(self.evals) + 1
        if self.names.isdisjoint(other.names):
            return 0
        if not other.evals and not other.has_runs():
            return 1
        prompts: dict[str, list[str | None]] = defaultdict(list)
        for each in other.evals:
            for label in each.labels:
                prompts[label].append(each.prompt)
        shared = 0
        for mine in self.evals:
            asked = (prompt for label in mine.labels for prompt in prompts.get(label, ()))
            own = mine.prompt
            shared += any(not own or not each or alike_prompts(own, each) for each in asked)
        return shared if shared * 2 > min(len(self.evals), len(other.evals)) else 0

    def plan(self) -> Plan:
        """Return its plan: `rubric` where evals, files or the first run have what that adds."""
        evals = [self.reader.peek(path) for path in self.of("evals")]
        items = [item for value in evals for item in _listed(value) or []]
        graded = [self.reader.peek(path) for path in self.of("grading")[:1]]
        is_rubric = (
            any(kind in RUBRIC_KINDS for _, kind in self.files)
            or any(isinstance(value, dict) and "eval_config" in value for value in evals)
            or any(not RUBRIC_KEYS.isdisjoint(item) for item in items)
            or any(isinstance(value, dict) and "rubric_scores" in value for value in graded)
        )
        return Plan(
            suite_id(self.home if self.beside is None else self.beside),
            "rubric" if is_rubric else "iterations",
            self.root,
            self.beside if self.skill is None else self.skill,
            tuple(file for file in self.files if file[1] != PRODUCED),
            dict.fromkeys(self.of(PRODUCED)),
        )


def find(reader: Reader, loose: Loose) -> list[Plan]:
    """Return one plan a skill with runs, then one an evals.json without any."""
    del loose
    claims, skills = Claims(reader), _skills(reader)
    _take_several(claims, skills)
    found: dict[str, Draft] = {}
    for container, places in sorted(claims.files.items()):
        for part in _split_by_skill(Draft(reader, container, container, sorted(places)), skills):
            known = found.setdefault(part.home, part)
            if known is not part:
                known.files = sorted([*known.files, *part.files])
    by_skill: dict[str, list[Draft]] = defaultdict(list)
    for draft in found.values():
        draft.skill = draft.beside = _skill_of(draft.home, skills)
        if draft.skill is not None:
            draft.files.append((skills[draft.skill], "evals"))
            by_skill[draft.skill].append(draft)
        else:  # X of `X-workspace` is the skill also without an evals.json
            skill = draft.home.removesuffix("-workspace")
            is_beside = skill != draft.home and skill in reader.listing.folders
            draft.beside = skill if is_beside else None
    taken = {path for draft in found.values() for path in draft.of("evals")}
    for same in by_skill.values():
        # Those that hold no run are put to the one of the same skill that does.
        full = [draft for draft in same if len(same) > 1 and draft.has_runs()]
        for draft in same if len(full) == 1 else ():
            if draft is not full[0]:
                full[0].files += found.pop(draft.home).files
    drafts = list(found.values())

    # The evals of skills that lie elsewhere are those of a draft with which names agree, and what
    # is asked: by ids, and by prompts where both are known. Others are a draft of their own.
    elsewhere = [skill for skill, path in skills.items() if path not in taken]
    # The copy of a skill that an agent keeps in a hidden folder comes last.
    for skill in sorted(elsewhere, key=lambda each: ("/." in f"/{each}", each.count("/"), each)):
        own = Draft(reader, skill, skill, [(skills[skill], "evals")], skill, skill)
        reviewed = f"{skill}/{REVIEWS}" in reader.listing.folders
        alike = [0 if reviewed else own.likeness(each) for each in drafts]
        if any(alike):
            drafts[alike.index(max(alike))].take(own)
        else:
            drafts.append(own)
    # Weighted checklists of scenarios, side by side in a folder, belong to the skill's suite.
    for path in claims.others:
        folder, _, name = path.rpartition("/")
        if name != "criteria.json" or not folder or not is_checklist(reader.peek(path)):
            continue
        skill = _skill_around(folder.rpartition("/")[0])
        mine = next((draft for draft in drafts if draft.skill == skill), None)
        if mine is None:
            mine = Draft(reader, skill, skill, [], skill, skill)
            drafts.append(mine)
        mine.files.append((path, CHECKLIST))
    return [draft.plan() for draft in drafts]


def find_left(reader: Reader, loose: Loose) -> list[Plan]:
    """Return one plan for each file that lists runs: by content, a rate with total, or items."""
    del reader
    plans = []
    for path, document in loose.items():
        hopeless = document.stated is None and not document.holds_items
        folder, _, name = path.rpartition("/")
        if hopeless or container_of(folder) is not None:
            continue
        if any(map(is_told, runs_in(document.value))):
            suite = suite_id(path.removesuffix(name) + name.partition(".")[0])
            plans.append(Plan(suite, "iterations", folder, None, ((path, "benchmark"),)))
    return plans


def _skills(reader: Reader) -> dict[str, str]:
    """Return the skills that have an evals.json of this layout: skill folder to path."""
    skills: dict[str, str] = {}
    for path in reader.listing.paths:
        folder, _, name = path.rpartition("/")
        if name != "evals.json" or any(ITERATION.match(part) for part in folder.split("/")):
            continue
        value = reader.peek(path)
        evals = _listed(value)
        if evals is None or are_scored_cases(value):
            continue
        usual = isinstance(value, list) or isinstance(value.get("evals"), list)
        known = usual and (not evals or any("prompt" in item for item in evals))
        # Queries that should trigger a skill are another family's, with any cases beside them.
        if known or (any(map(is_asked, evals)) and not lists_of_queries(value)):
            skill = _skill_around(folder)
            if skill not in skills or skill != folder:
                skills[skill] = path
    return skills


def _skill_around(folder: str) -> str:
    """Return the folder whose `evals` a folder is, else the folder itself."""
    inner = folder == "evals" or folder.endswith("/evals")
    return folder.removesuffix("evals").removesuffix("/") if inner else folder


def _listed(value: Any) -> list[dict[str, Any]] | None:
    """Return the evals that an evals.json lists; None where it lists none, or something else."""
    key = list_of_cases(value)
    evals = value if key is None else value[key]
    is_list = isinstance(evals, list) and all(isinstance(item, dict) for item in evals)
    return evals if is_list else None


def _take_several(claims: Claims, skills: Mapping[str, str]) -> None:
    """Take gradings of several evals that lie beside their evals.json, or in an iteration."""
    homes = {path.rpartition("/")[0]: skill for skill, path in skills.items()}
    homes.update({skill: skill for skill in skills})
    for path in claims.others:
        folder = path.rpartition("/")[0]
        parent, _, name = folder.rpartition("/")
        within = gathered(folder)
        skill = homes.get(folder, homes.get(parent) if name in CONTAINERS else None)
        if (within is None and skill is None) or path in skills.values():
            continue
        if path.endswith(".json") and holds_several(claims.reader.peek(path)):
            mine = (each for each in claims.files if _skill_of(each, skills) == skill)
            container = within[0] if within is not None else next(mine, skill or "")
            claims.files[container][path, "grading"] = None


def _skill_of(container: str, skills: Mapping[str, str]) -> str | None:
    """Return the skill whose runs `container` holds: a sibling, itself, or the one it lies in."""
    if container.endswith("-workspace") and container.removesuffix("-workspace") in skills:
        return container.removesuffix("-workspace")
    if container in skills:
        return container
    parent, _, name = container.rpartition("/")
    is_container = name.startswith("eval") or name in ("workspace", "iterations", "results")
    skill = _skill_around(parent)
    return skill if is_container and skill in skills else None


def _split_by_skill(draft: Draft, known: Mapping[str, str]) -> list[Draft]:
    """Return one draft a skill where the dated versions of a container hold different ones.

    An evals.json in a version's own folder (`known`: folder to path) names its skill, else its
    benchmark does. Versions without a name stay together. So it is too where a runner laid several
    skills beside each other in its iterations, each with a `meta.json` of its own.
    """
    reader = draft.reader
    above = (path.rpartition("/")[0] for path in draft.of("meta"))
    inner = [folder for folder in above if folder != draft.home and gathered(folder) is None]
    homes = {} if inner else {path: path.rpartition("/")[0] for path, _ in draft.files}
    dates = {folder: _dated(draft.home, f"{folder}/") for folder in set(homes.values())}
    dated = {path: dates[folder] for path, folder in homes.items()}
    names: dict[str | None, str] = {}
    for folder in dict.fromkeys(filter(None, dated.values())):
        standard = f"{folder}/benchmark.json"
        paths = [standard] if (standard, "benchmark") in draft.files else []
        if folder in known:
            paths.insert(0, known[folder])
            draft.files.append((known[folder], "evals"))
            dated[known[folder]] = folder
        stated = (name for path in paths for name in _skill_names(reader, path))
        if (named := next(stated, None)) is not None:
            names[folder] = named
    if not inner and len({name.casefold() for name in names.values()}) < 2:
        return [draft]
    parts: dict[str, Draft] = {}
    reviewed = not inner and f"{draft.root}/{REVIEWS}" in reader.listing.folders
    for path, kind in draft.files:
        home = draft.home
        if inner:
            inside = next((each for each in inner if path.startswith(f"{each}/")), "")
            home = f"{home}/{inside.rpartition('/')[2]}".strip("/")
        elif (name := names.get(dated[path])) is not None:
            home = f"{home}/{name.replace('/', '-')}".removeprefix("/")
        root = draft.root if reviewed else home
        parts.setdefault(home, Draft(reader, home, root, [])).files.append((path, kind))
    return list(parts.values())


def _dated(home: str, path: str) -> str | None:
    """Return the folder of the version that a file is of, if that is named by a date."""
    parent, _, name = home.rpartition("/")
    beside = f"{home}/" if home else ""
    inside = path.startswith(beside)
    above = beside if inside else f"{parent}/" if parent else ""
    version = path[len(above) :].partition("/")[0]
    if _stamp(version) is None:
        return None
    return f"{above}{version}" if inside else f"{above}{version}/{name}"


def _skill_names(reader: Reader, path: str) -> list[str]:
    """Return the names that an evals.json or a benchmark gives its skill."""
    value = reader.peek(path)
    parts = (value, value.get("metadata")) if isinstance(value, dict) else ()
    named = (
        part.get(key) for part in parts if isinstance(part, dict) for key in ("skill_name", "skill")
    )
    return [name for name in named if isinstance(name, str) and name and not is_placeholder(name)]


def _evals(reader: Reader, paths: Iterable[str]) -> Iterator[Eval]:
    """Yield the evals in documents: every object in a list, or the document, that has an id."""
    for item in (item for path in paths for item in _objects(reader.peek(path), 0)):
        stated = (item[key] for key in LABELS & item.keys())
        labels = frozenset(str(each) for each in stated if isinstance(each, (str, int)))
        if labels:
            prompt = item.get("prompt")
            yield Eval(labels, prompt if isinstance(prompt, str) else None)


def _objects(value: Any, depth: int) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        found = False
        for inner in value.values() if depth < DEEPEST else ():
            if isinstance(inner, list) and any(isinstance(item, dict) for item in inner):
                found = True
                yield from _objects(inner, depth + 1)
        if not found or depth:
            yield value
    elif isinstance(value, list) and depth < DEEPEST:
        for item in value:
            yield from _objects(item, depth + 1)
