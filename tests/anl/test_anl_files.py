"""Files that the first process has opened, in the processes that it creates."""

from __future__ import annotations

from pathlib import Path

from run_sh import run_sh

PROGRAM = """\
#include <stdio.h>
MAIN_ENV
FILE *in, *log, *own;
child() {
    int n = -1;
    fscanf(in, "%d", &n);
    own = fopen("own", "w");
    fprintf(own, "own %d\\n", n);
    fclose(own);
    unlink("log");
    WRITE
}
main() {
    int n;
    MAIN_INITENV()
    log = fopen("log", "w");
    in = fopen("in", "r");
    fscanf(in, "%d", &n);
    fprintf(log, "first %d\\n", n);
    CREATE(child)
    WAIT_FOR_END(1)
    fscanf(in, "%d", &n);
    fprintf(log, "then %d\\n", n);
    fclose(log);
    MAIN_END
}
"""


def run(tmp_path: Path, write: str):
    (tmp_path / "x.C").write_text(PROGRAM.replace("WRITE", write))
    (tmp_path / "in").write_text("11 22 33\n")
    done = run_sh("cc", "--anl", "x.C", "-o", "x.elf", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    return run_sh("-n", 2, "--input", "in", "--output", "out", "./x.elf", cwd=tmp_path)


def test_files_of_the_first_process(tmp_path):
    """The child reads on where the first process was, and its own file is another than that process's."""
    done = run(tmp_path, "")
    assert (done.returncode, done.stderr) == (0, "")
    out = tmp_path / "out"
    assert {path.name: path.read_text() for path in out.rglob("*") if path.is_file()} == \
        {"own": "own 22\n", "log": "first 11\nthen 22\n"}
    assert (out / "node1" / "own").exists()


def test_writing_to_a_file_of_the_first_process(tmp_path):
    """Would be lost; so the job ends."""
    done = run(tmp_path, 'fprintf(log, "child\\n"); fflush(log);')
    assert done.returncode == 118
    assert "node 1 is ended: write() to a file that the process of another node has opened" in done.stdout
