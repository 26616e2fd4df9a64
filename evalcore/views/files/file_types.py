"""File types by extension, and image types by their header bytes."""

import struct
from pathlib import PurePosixPath
from typing import Final, Literal

Kind = Literal[
    "json", "jsonl", "csv", "markdown", "code", "text", "image", "binary", "unreadable",
]  # fmt: skip

MAX_PIXELS: Final = 50_000_000
"""An image with more pixels would fill a browser's memory, however small its file is."""

IMAGES: Final = {
    ".png": "PNG", ".jpg": "JPEG", ".jpeg": "JPEG", ".gif": "GIF", ".webp": "WebP",
}  # fmt: skip

BINARY: Final = {
    ".7z": "a 7z archive", ".avi": "video", ".bin": "binary data", ".bmp": "a BMP image",
    ".bz2": "compressed data", ".db": "a database", ".doc": "a Word document",
    ".docx": "a Word document", ".exe": "a program", ".gz": "compressed data",
    ".heic": "a HEIC image", ".ico": "an icon", ".jar": "a Java archive", ".mov": "video",
    ".mp3": "audio", ".mp4": "video", ".ods": "a spreadsheet", ".odt": "a text document",
    ".otf": "a font", ".parquet": "a Parquet table", ".pdf": "application/pdf",
    ".pickle": "a Python pickle", ".pkl": "a Python pickle", ".ppt": "a presentation",
    ".pptx": "a presentation", ".pyc": "compiled Python", ".so": "a library",
    ".sqlite": "a database", ".tar": "an archive", ".tif": "a TIFF image", ".tiff": "a TIFF image",
    ".ttf": "a font", ".wasm": "WebAssembly", ".wav": "audio", ".webm": "video",
    ".woff": "a font", ".woff2": "a font", ".xls": "a spreadsheet", ".xlsx": "a spreadsheet",
    ".xz": "compressed data", ".zip": "a ZIP archive", ".zst": "compressed data",
}  # fmt: skip

CODE: Final = {
    ".bash": "bash", ".c": "c", ".cc": "cpp", ".cjs": "javascript", ".cpp": "cpp", ".cs": "csharp",
    ".css": "css", ".diff": "diff", ".ex": "elixir", ".go": "go", ".graphql": "graphql",
    ".h": "c", ".hcl": "hcl", ".hpp": "cpp", ".htm": "html", ".html": "html", ".ini": "ini",
    ".java": "java", ".js": "javascript", ".jsx": "jsx", ".kt": "kotlin", ".lua": "lua",
    ".mjs": "javascript", ".patch": "diff", ".php": "php", ".pl": "perl", ".proto": "protobuf",
    ".ps1": "powershell", ".py": "python", ".pyi": "python", ".r": "r", ".rb": "ruby",
    ".rs": "rust", ".scala": "scala", ".scss": "scss", ".sh": "bash", ".sql": "sql",
    ".svelte": "html", ".svg": "xml", ".swift": "swift", ".tf": "hcl", ".toml": "toml",
    ".ts": "typescript", ".tsx": "tsx", ".vue": "html", ".xml": "xml", ".yaml": "yaml",
    ".yml": "yaml", ".zsh": "bash",
}  # fmt: skip

_OTHERS: Final[dict[str, Kind]] = {
    ".json": "json", ".ipynb": "json", ".geojson": "json", ".jsonl": "jsonl", ".ndjson": "jsonl",
    ".csv": "csv", ".tsv": "csv", ".md": "markdown", ".markdown": "markdown", ".mdx": "markdown",
}  # fmt: skip


def kind_of(path: str) -> Kind:
    """Return the kind of content by a file's extension; text if unknown."""
    ending = PurePosixPath(path).suffix.lower()
    if ending in IMAGES:
        return "image"
    if ending in BINARY:
        return "binary"
    if ending in CODE:
        return "code"
    return _OTHERS.get(ending, "text")


def image_type(data: bytes) -> str | None:
    """Return PNG, JPEG, GIF or WebP by the first bytes, else None."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "PNG"
    if data.startswith(b"\xff\xd8\xff"):
        return "JPEG"
    if data.startswith((b"GIF87a", b"GIF89a")):
        return "GIF"
    return "WebP" if data[:4] == b"RIFF" and data[8:12] == b"WEBP" else None


def image_pixels(data: bytes) -> int | None:
    """Return width x height of an image from its header, or None when the header does not say."""
    kind, chunk = image_type(data), data[12:16]
    try:
        if kind == "PNG":
            width, height = struct.unpack_from(">II", data, 16)
        elif kind == "GIF":
            width, height = struct.unpack_from("<HH", data, 6)
        elif kind == "WebP" and chunk == b"VP8X":
            width, height = (int.from_bytes(data[at : at + 3], "little") + 1 for at in (24, 27))
        elif kind == "WebP" and chunk == b"VP8L":
            bits = int(struct.unpack_from("<I", data, 21)[0])
            width, height = (bits & 0x3FFF) + 1, ((bits >> 14) & 0x3FFF) + 1
        elif kind == "WebP" and chunk == b"VP8 ":
            width, height = (side & 0x3FFF for side in struct.unpack_from("<HH", data, 26))
        else:
            return _jpeg(data) if kind == "JPEG" else None
    except struct.error:
        return None
    return int(width) * int(height)


def _jpeg(data: bytes) -> int | None:
    """Walk the segments up to the frame header, which holds the size."""
    at = 2
    while data[at : at + 1] == b"\xff":
        marker, length = struct.unpack_from(">BH", data, at + 1)
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack_from(">HH", data, at + 5)
            return int(width) * int(height)
        at += 2 + max(length, 2)
    return None
