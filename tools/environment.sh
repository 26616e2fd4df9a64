#!/bin/sh
# Makes the virtual environment of this checkout.
#   tools/environment.sh FOLDER REQUIREMENT     REQUIREMENT is "." or ".[dev]"
# Writes FOLDER/.ready or FOLDER/.ready-dev, so that make knows it is done.
# uv installs in seconds; where it cannot be had, or fails, pip does the same work.
set -eu

venv=$1
requirement=$2
started=$(date +%s)

say() { printf '%s\n' "$*" >&2; }

works() {
    "$1" -c 'import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

find_python() {
    if [ -n "${PYTHON:-}" ]; then
        works "$PYTHON" && { command -v "$PYTHON"; return 0; }
        say "PYTHON=$PYTHON is no Python 3.11 or newer with venv. Name another one: make PYTHON=/path/to/python3.12 …"
        return 1
    fi
    for candidate in python3 python3.13 python3.12 python3.14 python3.11; do
        works "$candidate" && { command -v "$candidate"; return 0; }
    done
    say "evalcore needs Python 3.11 or newer with its venv module, and found: $(python3 --version 2>&1 || echo none)."
    say "Install one (Debian: apt-get install python3 python3-venv; macOS: brew install python) or name one: make PYTHON=/path/to/python3.12 …"
    return 1
}

if ! [ -x "$venv/bin/python" ] || ! works "$venv/bin/python"; then
    python=$(find_python) || exit 1
    say "Making $venv with $("$python" --version) …"
    rm -rf "$venv"
    "$python" -m venv "$venv"
fi
"$venv/bin/python" -m pip --version >/dev/null 2>&1 || "$venv/bin/python" -m ensurepip >/dev/null

if command -v uv >/dev/null >/dev/null 2>&1; then
    uv=uv
else
    uv=$venv/bin/uv
    [ -x "$uv" ] || "$venv/bin/python" -m pip install --quiet --disable-pip-version-check uv >/dev/null 2>&1 || uv=
fi

# What was installed by the name that this project had before would be taken for another project's.
if "$venv/bin/python" -m pip show evalcore >/dev/null 2>&1; then
    "$venv/bin/python" -m pip uninstall --yes --quiet evalcore
fi

# uv prints eighty names nobody reads; should it fail, pip tries the same and tells the story.
if [ -n "$uv" ] && "$uv" pip install --python "$venv/bin/python" -c constraints.txt -e "$requirement" >/dev/null 2>&1; then
    with=uv
else
    say "Installing with pip, which takes a minute or two …"
    "$venv/bin/python" -m pip install -qq --disable-pip-version-check -c constraints.txt -e "$requirement"
    with=pip
fi

case $requirement in
    *dev*) touch "$venv/.ready-dev" ;;
    *) touch "$venv/.ready" ;;
esac
say "$venv is ready: $("$venv/bin/python" --version), $with, $(($(date +%s) - started)) s."
