#!/usr/bin/env bash
# One command for everything: set-up, build, boot, test, bench.
# The code is in tools/fugu; this script finds a Python and runs it.
set -u
# Without this, Control-C would be lost while a Python is tried out.
trap 'exit 130' INT
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
if [ -z "$root" ]; then
    echo "fugu: this host lets the shell start no other program (ulimit -n, -u, -v)" >&2
    exit 3
fi

usable() { command -v "$1" >/dev/null 2>&1 &&
           "$1" -S -E -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }

# The system's Python comes first: the shims of version managers cost 0.1 s.
find_python() {
    for python in ${FUGU_PYTHON:-/usr/bin/python3 python3 python3.13 python3.12 python3.11}; do
        if usable "$python"; then return 0; fi
    done
    return 1
}

install_python() {
    local as_root=()
    if [ "$(id -u)" != 0 ]; then
        if sudo -n true 2>/dev/null; then as_root=(sudo -n)
        elif [ -t 0 ] && command -v sudo >/dev/null; then as_root=(sudo)
        else return 1; fi
    fi
    command -v apt-get >/dev/null || return 1
    # apt's output goes where that of set-up's other packages goes.
    local log=${FUGU_CACHE:-${XDG_CACHE_HOME:-${HOME:-}/.cache}/fugu}/logs/packages.log
    mkdir -p "$(dirname "$log")" 2>/dev/null
    touch "$log" 2>/dev/null || log=$(mktemp)
    echo "fugu: installing python3: ..." >&2
    "${as_root[@]}" apt-get update -q >>"$log" 2>&1
    if ! "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q \
            --no-install-recommends python3 python3-venv >>"$log" 2>&1; then
        echo "fugu: installing python3 failed. The end of $log:" >&2
        tail -n 15 "$log" | sed 's/^/| /' >&2
        return 1
    fi
}

if ! find_python && ! { [ -z "${FUGU_PYTHON:-}" ] && install_python && find_python; }; then
    echo "fugu: Python 3.11 or newer is needed." >&2
    echo "  Install it:     apt-get install python3 python3-venv    (as root)" >&2
    echo "  or name yours:  FUGU_PYTHON=/path/to/python3 $0 ..." >&2
    exit 3
fi
# -S, -E: the launcher needs only the standard library. -X utf8: the encoding
# of files and output does not depend on the locale.
exec "$python" -X utf8 -S -E "$root/tools/fugu/__main__.py" "$@"
