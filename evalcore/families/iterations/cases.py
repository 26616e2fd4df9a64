"""The cases of a suite: defined in evals.json, in eval_metadata.json, or only met in a grading."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import Any, Final, NamedTuple

from evalcore.disk.reader import MISSING, Reader
from evalcore.disk.values import Node
from evalcore.families.base import Plan
from evalcore.families.iterations.case import (
    IDS,
    NAMES,
    Case,
    alike_prompts,
    as_json,
    expected_of,
    label_words,
    listed,
    text_under,
    unread_in,
)
from evalcore.families.iterations.items import listed_items, wording_of
from evalcore.families.iterations.split_runs import Folder
from evalcore.layouts.iterations import RunLocation, folder_words, run_location, version_of
from evalcore.layouts.shapes import UNREAD, list_of_cases, lists_of_queries
from evalcore.names import CASES, PROMPT, first, spelled
from evalcore.tables.builder import Rows
from evalcore.tables.rows import CaseRow

FILES: Final = ("file", "entry_point")
REVISED: Final = re.compile(r"[-_]v\d+$", re.IGNORECASE)
BETWEEN: Final = re.compile(r"[\W_]+")
MOST_NAMED: Final = 12
CHECKLIST: Final = "checklist"
"""The kind of a file with the weighted criteria of one case, beside the task.md that asks it."""


class Said(NamedTuple):
    """What the documents and the name of an eval folder say of its eval.

    `stated` is the name that its metadata gives, `words` are those of the folder's own name.
    """

    eval_id: str | None
    stated: str | None
    words: str
    prompt: str | None

    @property
    def name(self) -> str:
        """What the eval is called: by its metadata, else by its folder."""
        return self.stated or self.words

    def may_ask(self, case: Case) -> bool:
        """Say whether the prompts of a folder and of a case, if both are known, are alike."""
        return not (self.prompt and case.prompt) or alike_prompts(self.prompt, case.prompt)

    def differs(self, other: "Said") -> bool:
        """Say whether two folders that mean one case are known to ask for different things."""
        renamed = None not in (self.stated, other.stated) and self.stated != other.stated
        if not self.prompt or not other.prompt:
            return renamed
        same = self.prompt == other.prompt
        return not same and (renamed or not alike_prompts(self.prompt, other.prompt))


class Cases:
    """The cases of one suite; finds the case that an eval folder means."""

    def __init__(self, plan: Plan, reader: Reader, folders: Sequence[Folder]) -> None:
        """Define the cases of a suite, whose run folders these are."""
        self.suite = plan.suite
        self.reader = reader
        self.by_id: dict[str, Case] = {}
        self.config = Node(reader, "", {})
        self.skill_name: str | None = None
        self.folders: dict[str, list[str]] = defaultdict(list)
        """Case id to the folders that were found to mean it."""
        self.stated: dict[str, tuple[str, str]] = {}
        """The eval folders whose documents state the id and the name of their eval."""
        self.ids: dict[tuple[str, str], list[str]] = defaultdict(list)
        """Version and case id to the eval ids that mean this case, and no other, there."""
        self.metadata = {path.rpartition("/")[0]: path for path in plan.of("eval_metadata")}
        self._by_folder: dict[str, Case] = {}
        self._by_number: dict[tuple[str, str], Case | None] = {}
        self._by_mark: dict[tuple[str, ...], Case] = {}
        """What eval folders have in common to the case that they mean and nothing defines."""
        self._noted: dict[str, set[str]] = defaultdict(set)
        self._own: dict[tuple[str, str], Case] = {}
        """Version and id to a case that only the version's own evals.json defines so."""
        self._run_folders = folders
        self._first: dict[tuple[str, str], Said] = {}
        """Version and case id to what the first eval folder that meant it says."""
        self._by_texts: dict[str, Case] | None = None
        """The name of an eval folder to the only case whose expectations were graded in it."""
        sent = ((run_location(path.rpartition("/")[0]), path) for path in plan.of("prompts"))
        self._sent = {at.eval_folder: path for at, path in sent if at is not None}
        checklists = frozenset(plan.of(CHECKLIST))
        documents = dict.fromkeys((*plan.of("evals"), *plan.of(CHECKLIST)))
        for path in sorted(documents, key=lambda path: version_of(path) is not None):
            value = reader.json(path)
            if value is not MISSING:
                root = Node(reader, path, value, suite=self.suite)
                self._define(path, self._asked(root, path in checklists))
        self._marks: dict[tuple[str, str], list[Case]] = defaultdict(list)
        """What folders may say of a defined case to the cases it fits; several of them are none."""
        for case in self.by_id.values():
            name = case.name or case.case_id
            marks = [("id", case.case_id), ("name", name), ("plain", _plain(name))]
            for mark in [*marks, ("prompt", case.prompt)] if case.prompt else marks:
                self._marks[mark].append(case)
        self._version = {case.case_id: version for (version, _), case in self._own.items()}

    def _asked(self, root: Node, is_checklist: bool) -> list[Node]:
        """Return the evals that a document defines."""
        fields = root.value if isinstance(root.value, dict) else {}
        if root.has("eval_config") and not self.config.value:
            self.config = root.child("eval_config")
        self.skill_name = self.skill_name or text_under(fields, ("skill_name", "skill"))
        if is_checklist:  # named by its folder, and asked by the task.md in it
            folder = root.path.rpartition("/")[0]
            task = self.reader.extra(f"{folder}/task.md")  # noqa: S610 - a file beside the listed ones
            prompt = None if task is None else task.decode("utf-8-sig", "replace").strip()
            fields = {**fields, "id": folder.rpartition("/")[2], "prompt": prompt}
            return [Node(self.reader, root.path, fields, "", self.suite)]
        evals = list(_evals(root))
        _note_unread(root, evals)
        return evals

    def _define(self, path: str, evals: list[Node]) -> None:
        """Take the evals that a document defines; an id means one in it."""
        ids: set[str] = set()
        version = version_of(path)
        for item in evals:
            number = next((found for key in IDS if (found := item.text(key)) is not None), None)
            name, prompt = text_under(item.value, NAMES), text_under(item.value, PROMPT)
            case_id = number if number is not None else (name or str(len(self.by_id)))
            if case_id in ids:
                what = f"The id {case_id!r} is used twice; the first is kept."
                item.note("warning", "duplicate-id", what, "Give each eval its own id.", "id")
                continue
            ids.add(case_id)
            known, key = self.by_id.get(case_id), case_id
            if known is not None:
                if not prompt or not known.prompt or alike_prompts(prompt, known.prompt):
                    known.call(*filter(None, [name]))
                    continue
                if version is None:
                    what = f"Eval {case_id!r} has a different prompt in {known.source}, which is "
                    hint = "Keep one evals.json per skill, or give this eval its own id."
                    item.note("warning", "evals-differ", f"{what}used.", hint)
                    continue
                key = f"{case_id} ({version})"
            case = self.by_id[key] = Case(self.suite, key, name, prompt)
            if known is not None and version is not None:
                self._own[version, case_id] = case
            case.defined = True
            case.take(item, self._noted[path])

    def at(self, place: RunLocation, grading: Any) -> Case:
        """Return the case that a run's eval folder means, making one when none is defined."""
        folder = place.eval_folder
        case = self._by_folder.get(folder)
        if case is None:
            case = self._by_folder[folder] = self._find(place, grading)
            self.folders[case.case_id].append(folder)
        return case

    def join(self, place: RunLocation, case: Case) -> None:
        """Take the eval folder of a run for a copy of one of this case; drop what nothing means."""
        folder = place.eval_folder
        before = self._by_folder[folder]
        if folder in self.stated:
            self._by_number[place.version, self.stated[folder][0]] = case
        self._by_folder[folder] = case
        self.folders[case.case_id].append(folder)
        self.folders[before.case_id].remove(folder)
        if not before.defined and not self.folders[before.case_id]:
            self.by_id.pop(before.case_id, None)

    def numbered(self, version: str, eval_id: Any) -> Case | None:
        """Return the case that a version's own folders give this eval id, when it is one case."""
        return self._by_number.get((version, str(eval_id)))

    def _find(self, place: RunLocation, grading: Any) -> Case:
        """Return the case that an eval folder means, else the one where the same was asked."""
        own = grading.get("eval_id") if isinstance(grading, dict) else None
        meta = self._meta(place)
        said = self._said(place, meta, own)
        version, wanted, folder = place.version, said.eval_id, place.eval_folder.rpartition("/")[2]
        named = said.stated or (text_under(grading, ("eval_name",)) if own is not None else None)
        if wanted is not None and named is not None:
            self.stated[place.eval_folder] = wanted, named
        case, graded = self._meant(version, said), None
        if case is None:
            graded = self._texts().get(folder)
            case = graded if graded is not None and said.may_ask(graded) else None
        if case is not None and (before := self._first.get((version, case.case_id))):
            case = None if said.differs(before) else case
        if case is None:
            case = self._undefined(version, said, folder, grading)
        self._first.setdefault((version, case.case_id), said)
        if wanted is not None:
            known = self._by_number.setdefault((version, wanted), case)
            if known is case:
                self.ids[version, case.case_id].append(wanted)
            else:  # an id that means two cases in a version names neither
                before = self._first.get((version, known.case_id)) if known is not None else None
                if known is not None and before is not None and said.differs(before):
                    what = f"In {version}, eval_id {wanted} is also that of {known.names!r}, which "
                    what += "asks for something else, so they are two cases."
                    field = "eval_id" if meta.has("eval_id") else None
                    hint = "Give each eval its own eval_id."
                    meta.note("warning", "duplicate-id", what, hint, field)
                self._by_number[version, wanted] = None
                for each in filter(None, (known, case)):
                    ids = self.ids[version, each.case_id]
                    ids[:] = [other for other in ids if other != wanted]
        case.prompt = case.prompt or said.prompt
        case.name = case.name or said.name
        if graded is case:
            case.call(said.name)
        if isinstance(meta.value, dict):
            if case.source is None:
                case.source, case.pointer = meta.path, ""
            noted = self._noted[meta.path]
            if not case.defined:
                case.take(meta, noted)
                return case
            # What evals.json does not say.
            case.expected = case.expected or expected_of(meta, noted)
            for _, value, _ in listed(meta):
                text, labels = label_words(value)
                for label in labels if text is not None else ():
                    case.alias.setdefault(label, text or label)
        elif said.prompt is not None and case.source is None:
            case.source, case.pointer = self._sent[place.eval_folder], ""
        return case

    def _meant(self, version: str, said: Said) -> Case | None:
        """Return the defined case that an eval folder of a version names.

        An id that was used anew for another task, by its prompt, names none, nor does what two
        cases share. A case that only the evals.json of one version defines is meant in that
        version, and goes before the others there.
        """
        case = self._own.get((version, said.eval_id or ""))
        if case is not None:
            return case
        case = self.by_id.get(said.eval_id) if said.eval_id is not None else None
        named = case is not None and case.name is not None and case.name == said.name
        if case is not None and case.defined and (named or said.may_ask(case)):
            return case
        marks = [("name", said.name), ("plain", _plain(said.name)), ("prompt", said.prompt or "")]
        if said.eval_id is None:
            marks.insert(0, ("id", said.words))
        for mark in marks:
            found = self._marks.get(mark, [])
            here = [each for each in found if self._version.get(each.case_id) == version]
            here = here or [each for each in found if each.case_id not in self._version]
            if len(here) == 1:
                return here[0]
        return None

    def _undefined(self, version: str, said: Said, folder: str, grading: Any) -> Case:
        """Return the case of an eval folder that no defined one fits, the same in all versions."""
        whole = said.words == folder and folder_words(folder)[0] is not None
        key = said.name if whole else said.words
        # What two folders of one eval share: id and prompt, or the file that a run was about and
        # the name without `_v2`.
        marks: list[tuple[str, ...]] = []
        if said.eval_id is not None and said.prompt:
            marks.append(("prompt", said.eval_id, said.prompt))
        file = text_under(grading, FILES)
        if file is not None:
            name, stem = REVISED.sub("", key), file.rpartition("/")[2].partition(".")[0]
            marks.append(("file", file, stem if name == file.replace("/", "-") else name))
        spelling = ("spelled", spelled(key))
        case = next((known for mark in marks if (known := self._by_mark.get(mark))), None)
        if case is None and key not in self.by_id:
            case = self._by_mark.get(spelling)
            if case is not None and (version, case.case_id) in self._first:
                case = None  # both are there, so they are two
        if case is not None:
            case.call(key, said.name)
        else:
            case = self.by_id.get(key)
            if case is None or case.defined:
                key = key if case is None else f"{key} (folder)"
                new = Case(self.suite, key, said.name, said.prompt)
                case = self.by_id.setdefault(key, new)
        for mark in (*marks, spelling):
            self._by_mark.setdefault(mark, case)
        return case

    def _said(self, place: RunLocation, meta: Node, own: Any) -> Said:
        """Return what an eval folder with this metadata says of its eval; `own` is a graded id."""
        number, words = folder_words(place.eval_folder)
        ids = (value for value in (_id_of(meta), number, own) if isinstance(value, (str, int)))
        prompt, path = text_under(meta.value, PROMPT), self._sent.get(place.eval_folder)
        if prompt is None and path is not None:
            prompt = text_under(self.reader.json(path), ("user",))
        return Said(next(map(str, ids), None), text_under(meta.value, NAMES), words, prompt)

    def _texts(self) -> dict[str, Case]:
        """Return the only case graded in all eval folders of each name that says none."""
        if self._by_texts is not None:
            return self._by_texts
        self._by_texts = {}
        wanted: dict[frozenset[str], Case | None] = {}
        """Expectations to the only defined case that has them."""
        for case in (each for each in self.by_id.values() if each.defined):
            texts = frozenset(map(spelled, case.ruled["expectation"]))
            wanted[texts] = None if texts in wanted or not texts else case
        graded: dict[str, set[str]] = defaultdict(set)
        versions: dict[str, set[str]] = defaultdict(set)
        taken = set[tuple[str, str]]()
        for folder in self._run_folders if any(wanted.values()) else ():
            path, at = folder.files.get("grading"), folder.at
            if path is None or folder.whole:
                continue
            meta, value = self._meta(at), None
            said = self._said(at, meta, None)
            known = self._meant(at.version, said)
            if known is None:
                value = self.reader.peek(path)
                own = value.get("eval_id") if isinstance(value, dict) else None
                said = self._said(at, meta, own)
                known = self._meant(at.version, said)
            if known is not None:
                taken.add((at.version, known.case_id))
                continue
            name = at.eval_folder.rpartition("/")[2]
            versions[name].add(at.version)
            wordings = filter(None, map(wording_of, listed_items(value)))
            meant = wanted.get(frozenset(map(spelled, wordings)))
            if meant is not None and said.may_ask(meant):
                graded[name].add(meant.case_id)
        places = {
            name: {(version, case_id) for version in versions[name] for case_id in cases}
            for name, cases in graded.items()
            if len(cases) == 1
        }
        taken |= {at for at, count in Counter(chain(*places.values())).items() if count > 1}
        for name, found in places.items():
            if found.isdisjoint(taken):
                self._by_texts[name] = self.by_id[graded[name].pop()]
        return self._by_texts

    def _meta(self, place: RunLocation) -> Node:
        """Return what the metadata nearest to a run says of its eval; of nothing without any."""
        around = place.eval_folder.rpartition("/")[0]
        shared = (around, place.container)
        for folder in (place.eval_folder, place.configuration_folder, place.folder, *shared):
            path = self.metadata.get(folder)
            value = self.reader.json(path) if path is not None else MISSING
            if path is None or value is MISSING:
                continue
            node = Node(self.reader, path, value, suite=self.suite)
            if list_of_cases(value) is not None:
                # Of a list the eval of the folder's number, of its name, or the only one.
                number, words = folder_words(place.eval_folder)
                evals = list(_evals(node))
                meant = [item for item in evals if number and str(_id_of(item)) == number]
                meant += [
                    item for item in evals if words in (text_under(item.value, NAMES), _id_of(item))
                ]
                meant += evals if len(evals) == 1 else []
                node = next(iter(meant), Node(self.reader, path, None))
            elif folder in shared and folder != place.eval_folder:
                continue
            elif not isinstance(value, dict):
                node.type_problem("an object")
            return node
        return Node(self.reader, place.eval_folder, None)

    def emit(self, rows: Rows) -> None:
        """Add the rows of all cases and their criteria, those that were only asked too."""
        for folder in self.metadata:
            at = run_location(folder)
            if at is not None:
                self.at(at, None)
        self._note_joined()
        for case in self.by_id.values():
            rows.add(
                CaseRow(
                    suite=self.suite,
                    case_id=case.case_id,
                    name=case.names,
                    prompt=case.prompt,
                    expected=case.expected,
                    tags=as_json(case.tags),
                    status="active",
                    files=as_json(case.files),
                    source=case.source,
                    pointer=case.pointer,
                )
            )
            for row in case.criteria.values():
                rows.add(row)

    def _note_joined(self) -> None:
        """Note the eval folders that only their graded texts joined to a case, and what is open."""
        cases = self.by_id.values()
        path = next((case.source for case in cases if case.defined and case.source), "")
        joined = {name: case.case_id for name, case in (self._by_texts or {}).items()}
        if joined:
            pairs = _first_of([f"{name} is {case_id}" for name, case_id in joined.items()])
            what = f"{len(joined)} eval folder{' names' if len(joined) == 1 else 's name'} no case;"
            what += f" what was graded in each are the expectations of exactly one: {pairs}."
            hint = "Write the id of the case into the name of its folder, such as eval-1-…."
            self.reader.problem(path, "", "info", "joined-by-texts", what, hint, self.suite)
        found = {case_id for case_id, folders in self.folders.items() if folders}
        idle = [case.case_id for case in cases if case.defined and case.case_id not in found]
        unknown = (case for case in cases if not (case.defined or case.prompt))
        lost = [case.case_id for case in unknown if case.case_id in found]
        if idle and lost:
            others = "1 other name has" if len(lost) == 1 else f"{len(lost)} other names have"
            what = f"{len(idle)} case{' has' if len(idle) == 1 else 's have'} no run "
            what += f"({_first_of(idle)}), and what ran under {others} no case ({_first_of(lost)})."
            hint = "If they belong together, write the id of the case into the name of each eval "
            hint += "folder, such as eval-1-…, or as eval_id into its eval_metadata.json."
            self.reader.problem(path, "", "warning", "cases-without-runs", what, hint, self.suite)


def _note_unread(root: Node, evals: list[Node]) -> None:
    """Name the fields that were not read, once a file, where evals are in another tool's form.

    In the usual form, further fields are the author's own; only trigger queries are none.
    """
    names = dict.fromkeys(lists_of_queries(root.value))
    key = list_of_cases(root.value)
    fields = root.value if isinstance(root.value, dict) else {}
    usual = key in (None, CASES[0]) and all(item.has("prompt") for item in evals)
    if not usual and (key is not None or isinstance(root.value, list)):
        names |= {name: None for name, value in fields.items() if isinstance(value, list)}
        names |= {name: None for item in evals for name in unread_in(item)}
    names.pop(key or "", None)
    if names:
        listed = ", ".join(map(repr, islice(names, MOST_NAMED)))
        listed += " and others" if len(names) > MOST_NAMED else ""
        those = "This field was" if len(names) == 1 else "These fields were"
        root.note("info", "unread-fields", f"{those} not read: {listed}.", UNREAD)


def _first_of(names: Sequence[str]) -> str:
    """Return the first three of some names in words, and how many more there are."""
    more = len(names) - 3
    shown = ", ".join(name[:60] for name in names[:3])
    return f"{shown} and {more:,} more" if more > 0 else shown


def _evals(root: Node) -> Iterator[Node]:
    """Yield the evals of a document: of its list, of a bare list, or the one that it is."""
    if not isinstance(root.value, dict):
        yield from root.items()
        return
    key = list_of_cases(root.value)
    if key is not None:
        yield from root.items(key)
    elif isinstance(root.get("grading"), dict) and root.has("prompt"):
        value = {**root.value, "expectations": root.get("grading").get("expectations")}
        yield Node(root.reader, root.path, value, root.at, root.suite)
    else:
        yield from root.items("evals")


def _id_of(item: Node) -> Any:
    return first(item.value, ("eval_id", "id"))


def _plain(name: str) -> str:
    """Return a name as runners make a folder's of it: small letters, and - between its words."""
    return BETWEEN.sub("-", spelled(name)).strip("-")
