"""The files that differ from a revision, as git says."""

from __future__ import annotations

import subprocess
from pathlib import Path

from ..errors import UsageError


def changed(root: Path, revision: str) -> list[str]:
    """The paths below `root`, sorted: changed, new, deleted, and both names of what was moved. UsageError if git
    does not know the revision, or `root` is no checkout."""
    _git(root, "rev-parse", "--verify", f"{revision}^{{commit}}")
    return sorted({*_git(root, "diff", "--name-only", "--no-renames", "-z", revision, "--"),
                   *_git(root, "ls-files", "--others", "--exclude-standard", "-z")})


def described(root: Path) -> str:
    """The commit of the checkout in a few digits, and whether its files are still those."""
    try:
        [commit] = _git(root, "rev-parse", "--short=12", "HEAD")
        return commit.strip() + (" with changes" if changed(root, "HEAD") else "")
    except (UsageError, ValueError):
        return "sources without a commit"


def _git(root: Path, *words: str) -> list[str]:
    try:
        done = subprocess.run(["git", "-C", root, *words], capture_output=True, text=True, errors="surrogateescape")
    except OSError as error:
        raise UsageError(f"test --changed needs git: {error.strerror}.") from error
    if done.returncode:
        said = done.stderr.partition("\n")[0].removeprefix("fatal: ")
        raise UsageError(f"test --changed: git does not know {words[-1].removesuffix('^{commit}')}: {said or 'git failed'}.\n"
                         "Name a commit or a branch of this checkout: --changed=main.")
    return [path for path in done.stdout.split("\0") if path]
