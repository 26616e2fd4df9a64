"""Answer a prompt of the demo suites by rules: read the files, write the outputs, print a reply.

What it does follows the skill that is laid beside it: without one, or with an early version of one,
it leaves out what that does not ask for.
"""

import json
import re
import struct
import sys
import zlib
from pathlib import Path
from typing import Any, NamedTuple

MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September",
          "October", "November", "December")  # fmt: skip
GROUPS = {"feat": "Added", "change": "Changed", "fix": "Fixed"}


class Task(NamedTuple):
    """What is asked: the prompt, the texts of the files, and the skill if there is one."""

    prompt: str
    text: str
    skill: str


def _read(pattern: str) -> str:
    return "\n".join(path.read_text("utf-8", "replace") for path in sorted(Path().rglob(pattern)))


def main() -> None:
    """Choose by the prompt what is asked, and do it."""
    prompt = sys.stdin.read()
    task = Task(prompt, _read("*.txt"), _read("SKILL.md"))
    work = next((work for words, work in WORK if re.search(words, prompt, re.IGNORECASE)), support)
    sys.stdout.write(work(task) + "\n")


def invoice(task: Task) -> str:
    """Turn one printed invoice into JSON, a table and a summary."""
    text, skill = task.text, task.skill
    if not text:
        return _scan(skill)
    number = re.search(r"(?:INVOICE|CREDIT NOTE) (\S+)", text)
    date = re.search(r"Date: (\d+ \w+ \d{4})", text)
    lines = [
        {"text": name.strip(), "quantity": int(count), "unit_price": float(price),
         "amount": float(amount)}
        for name, count, price, amount in re.findall(
            r"^(\S.*?) {2,}(\d+) x +(-?[\d.]+) EUR +(-?[\d.]+)$", text, re.MULTILINE)
    ]  # fmt: skip
    value: dict[str, Any] = {
        "supplier": text.split("  ", maxsplit=1)[0].title(),
        "invoice_number": number[1] if number else None,
        "date": _iso(date[1]) if date and skill else date and date[1],
        "currency": "EUR",
        "lines": lines,
        **{name: float(_found(rf"{words} +(-?[\d.]+)", text)[1]) for name, words in
           (("net", "Net"), ("vat", r"VAT \d+ %"), ("total", "Total EUR"))},
        "vat_rate": int(_found(r"VAT (\d+) %", text)[1]),
    }  # fmt: skip
    corrected = re.search(r"Corrects invoice (\S+)", text)
    if corrected and skill:
        value["corrects"] = corrected[1]
    if not skill:
        value["total"] = abs(value["total"])
    Path("invoice.json").write_text(json.dumps(value, indent=2))
    rows = [f'"{each["text"]}",{each["quantity"]},{each["unit_price"]:.2f},{each["amount"]:.2f}'
            for each in lines]  # fmt: skip
    Path("lines.csv").write_text("\n".join(["text,quantity,unit_price,amount", *rows]) + "\n")
    terms = re.search(r"Payment: (Net \d+) \(due (\d+ \w+ \d{4})\)", text)
    summary = [f"# {value['supplier']}, {value['invoice_number']}", f"{value['total']:.2f} EUR"]
    if terms and skill:
        summary += [f"{terms[1]}, due {_iso(terms[2])}"]
    Path("summary.md").write_text("\n".join([*summary, "Open questions: none"]) + "\n")
    return f"Wrote invoice.json, lines.csv and summary.md from {len(lines)} lines."


def _scan(skill: str) -> str:
    """Say what cannot be read: this program sees no pictures."""
    notes = "order_number: digits illegible" if skill else ""
    value = {"order_number": None, "vat_rate": None, "total": None, "notes": notes}
    Path("invoice.json").write_text(json.dumps(value, indent=2))
    return "The scan cannot be read by this program; what is unknown is null."


def batch(task: Task) -> str:
    """Put several invoices into one table, with their total and a chart."""
    text, skill = task.text, task.skill
    found = re.findall(r"^(\S+) {2,}(.+?) {2,}(\S+) +([\d.]+) EUR$", text, re.MULTILINE)
    rows = [f'{number},"{name}",{date},{amount}' for number, name, date, amount in found]
    Path("batch.csv").write_text("\n".join(["number,supplier,date,amount", *rows]) + "\n")
    total = sum(float(row[3]) for row in found)
    Path("totals.json").write_text(json.dumps({"total": round(total, 2), "currency": "EUR"}))
    lines = [f"- {name}: {amount} EUR" for _, name, _, amount in found]
    if skill:
        Path("chart.png").write_bytes(_bars([float(row[3]) for row in found]))
    Path("report.md").write_text(
        "\n".join(["# Invoices", *lines, f"Total: {total:.2f} EUR"]) + "\n"
    )
    return f"{len(found)} invoices, {total:.2f} EUR."


def _found(pattern: str, text: str) -> re.Match[str]:
    """Return the first match of a pattern that a prompt of the demo always has."""
    found = re.search(pattern, text)
    if found is None:
        sys.exit(f"Nothing here looks like {pattern}")
    return found


def _iso(date: str) -> str:
    day, month, year = date.split()
    return f"{year}-{MONTHS.index(month) + 1:02}-{int(day):02}"


def _bars(values: list[float], width: int = 40, height: int = 60) -> bytes:
    """Return a bar chart as a PNG in shades of grey."""
    top = max(values)
    rows = [
        b"\0" + b"".join((b"\x30" if value * height >= top * (height - y) else b"\xff") * width
                         for value in values)
        for y in range(height)
    ]  # fmt: skip
    head = struct.pack(">IIBBBBB", width * len(values), height, 8, 0, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(b"".join(rows))), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in parts
    )


def commit(task: Task) -> str:
    """Write a commit message for what the prompt says of a diff."""
    prompt, skill = task.prompt, task.skill
    secret = re.search(r"(\S+\.toml) .*?line (\d+) key = \"([^\"]+)\"", prompt)
    if secret and skill:
        said = f"No message yet: {secret[1]}, line {secret[2]}, contains an access key. Remove it."
    elif secret:
        said = f'chore: add section to {secret[1]} (key = "{secret[3]}")'
    elif "take back" in prompt:
        said = _revert(prompt, skill)
    elif "removed" in prompt:
        gone = _found(r"parameter (\w+) is removed", prompt)[1]
        new = _found(r"takes (\w+) now", prompt)[1]
        said = f"feat(client)!: replace {gone} with {new}\n\n" if skill else f"replace {gone}\n\n"
        said += f"BREAKING CHANGE: `{gone}` is gone; pass `{new}` instead." if skill else ""
    elif "re-wrapped" in prompt:
        said = "fix(cache): expire entries on time\n"
        said += "--- second commit\nstyle: wrap lines at 100 columns" if skill else ""
    else:
        issue = _found(r"#(\d+)", prompt)[1]
        said = "fix(api): take the cursor after the row\n" if skill else "Fix pages\n"
        said += "\nThe cursor moved before its row was yielded, so the row was skipped.\n"
        said += f"\nCloses #{issue}"
    Path("commit-message.txt").write_text(said.strip() + "\n")
    return said


def _revert(prompt: str, skill: str) -> str:
    found = _found(r"take back (\w+) \((.+?: .+?)\)\.", prompt)
    reason = _found(r"log shows (.+?)\.", prompt)[1]
    if not skill:
        return f"Revert {found[1]}"
    return f"revert: {found[2]}\n\nMemory use: {reason}.\n\nThis reverts commit {found[1]}."


def notes(task: Task) -> str:
    """Write release notes from a list of commits, as far as the skill says how."""
    prompt, text, skill = task.prompt, task.text, task.skill
    version = re.search(r"\d+\.\d+(?:\.\d+)?", prompt)
    found = re.findall(r"^[0-9a-f]{7} (\w+)(?:\(.*?\))?(!?): (.*)$", text, re.MULTILINE)
    if "evert" in skill:
        gone = re.findall(r'Revert "\w+(?:\(.*?\))?: (.*)"', text)
        found = [each for each in found if not any(each[2].startswith(name) for name in gone)]
    lines = [f"# Tern {version[0] if version else ''}".strip()]
    broken = [what for kind, mark, what in found if mark]
    if broken:
        lines += ["", "## Breaking changes"]
        for what in broken:
            names = re.findall(r"`([^`]+)`", what)
            lines.append(f"- {what}")
            if "migration" in skill and len(names) > 1:
                lines.append(f"  1. Replace `{names[0]}` by `{names[1]}`.")
    for kind, title in GROUPS.items():
        entries = [what for own, mark, what in found if own == kind and not mark]
        if entries:
            lines += ["", f"## {title}", *(f"- {what}" for what in entries)]
    if "upgrading from 2.3" in text:
        lines += ["", "Versions from 2.3 on can upgrade directly."]
    if not found:
        lines.append("This release has no user-visible changes.")
    Path("release-notes.md").write_text("\n".join(lines) + "\n")
    return f"Wrote release-notes.md with {len(found)} entries."


STATEMENTS = {
    "Top ten": """SELECT c.id, SUM(o.total_cents) FROM customers c
JOIN orders o ON o.customer_id = c.id
WHERE o.ordered_at >= '2025-01-01' AND o.ordered_at < '2026-01-01'
GROUP BY c.id ORDER BY 2 DESC LIMIT 10;""",
    "Seq Scan": """The line "Seq Scan on orders" costs most:
CREATE INDEX ON orders (customer_id, ordered_at);""",
    "duplicate": """BEGIN;
SELECT * FROM contacts WHERE id NOT IN (SELECT MIN(id) FROM contacts GROUP BY email);
DELETE FROM contacts WHERE id NOT IN (SELECT MIN(id) FROM contacts GROUP BY email);
ROLLBACK;""",
    "running balance": "SELECT *, SUM(amount) OVER (ORDER BY booked_on, id) FROM ledger;",
    "IFNULL": """SELECT COALESCE(nickname, name), string_agg(tag, ',')
FROM "order" GROUP BY 1;""",
    "request.args": """The concatenation in line 2 lets a user write SQL. Use a bound parameter:
cur.execute("SELECT * FROM users WHERE name = %s", (name,))""",
    "pedidos por mes": """SELECT m AS mes, COUNT(o.id)
FROM generate_series('2025-01-01'::date, '2025-12-01', '1 month') m
LEFT JOIN orders o ON date_trunc('month', o.ordered_at) = m GROUP BY m;
Los meses sin pedidos salen con 0.""",
    "spreadsheet": '=SUMIFS(C:C, A:A, "North")',
}


def sql(task: Task) -> str:
    """Answer a question about a database; with a poor description the skill stays unused."""
    prompt, skill = task.prompt, task.skill
    answer = next(said for words, said in STATEMENTS.items() if words in prompt)
    return answer if "SELECT that shows" in skill else answer.replace("BEGIN;\n", "")


MESSAGES = {
    "ERR 28": "The disk is full. The last complete backup is intact. Free some space.",
    "401": "Address and password do not match. Check both, or set a new password.",
    "Network error": """Tern cannot reach the server: check the network, then the proxy.
If both are fine, look at https://example.com/status.""",
    "1 files": """One: "1 file was not deleted: another program has it open."
Several: "{n} files were not deleted: other programs have them open."
Both: "Close it there and delete again.\"""",
}


def message(task: Task) -> str:
    """Rewrite an error message for the people who read it; without the skill hardly anything."""
    asked = _found(r'"(.+?)"', task.prompt)[1]
    said = next(said for words, said in MESSAGES.items() if words in task.prompt)
    said = said if task.skill else f"Sorry! {asked}. Please try again."
    Path("message.txt").write_text(said + "\n")
    return said


def support(task: Task) -> str:
    """Answer a letter with a JSON object, or sort it into a queue."""
    prompt = task.prompt
    message = prompt.casefold()
    found: dict[str, Any]
    if "burnt" in message:
        found = {"queue": "safety", "priority": "urgent"}
    elif "followers" in message:
        found = {"queue": "spam", "priority": "low"}
    elif "money back" in message:
        found = {"decision": "no refund", "offer": "free repair with label"}
    elif "e04" in message:
        found = {"steps": ["empty tray", "fresh water", "hold steam button five seconds"]}
    elif "twice" in message:
        found = {"explanation": "reservation ends on Friday", "refund": "today"}
    elif "birthday" in message:
        found = {"apology": True, "refund": "shipping costs", "tracking": True}
    elif "الضمان" in message:
        found = {"language": "ar", "pump": "two years"}
    else:
        found = {"offer": "PDF by mail"}
    return json.dumps(found, ensure_ascii=False)


WORK = (
    (r"^Rewrite ", message),
    (r"batch\.txt", batch),
    (r"evals/files/", invoice),
    (r"commit message|take back|staged:|for this diff", commit),
    (r"SELECT|PostgreSQL|customers\(|orders |contacts\(|ledger\(|spreadsheet|request\.args", sql),
    (r"notes?|release|announce|post|entry|リリース|שחרור", notes),
)

if __name__ == "__main__":
    main()
