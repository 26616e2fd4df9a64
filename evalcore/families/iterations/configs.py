"""The file beside a flat grading that says how its run was made: `eval-6-config.json`."""

from evalcore.disk.reader import MISSING
from evalcore.families.iterations.runs import RunContext, RunFiles, SuiteContext

MODELS = ("model", "executor_model")
OUTPUTS = ("-output.md", "_output.md", "-output.txt")


def with_config(
    context: SuiteContext, place: RunContext, files: RunFiles, path: str
) -> tuple[RunContext, RunFiles]:
    """Return a run with what its configuration file adds: prompt, model, times and output."""
    value = context.reader.json(path)
    if value is MISSING:
        return place, files
    doc = context.node(path, value)
    if not isinstance(value, dict):
        doc.type_problem("an object")
        return place, files
    case = place.case
    if case.prompt is None and isinstance(doc.get("prompt"), str):
        case.prompt = doc.text("prompt")
        if case.source is None:
            case.source, case.pointer = path, ""
    model = next((found for key in MODELS if (found := doc.text(key))), None)
    context.judged.setdefault(path, 1)
    return (
        place._replace(model=model or place.model),
        files._replace(
            timing_path=files.timing_path or path, outputs=files.outputs or _output(context, path)
        ),
    )


def _output(context: SuiteContext, path: str) -> str | None:
    """Return the file with the run's output beside its configuration."""
    stem = path.removesuffix(".json").removesuffix("config").rstrip("-_.")
    for ending in OUTPUTS:
        if context.reader.extra(f"{stem}{ending}") is not None:  # noqa: S610
            return f"{stem}{ending}"
    return None
