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


FOLDERS = """\
#include <stdio.h>
#include <errno.h>
MAIN_ENV
write_one(name) char *name; {
    FILE *file = fopen(name, "w");
    if (!file) { printf("%s: %s\\n", name, strerror(errno)); return; }
    fprintf(file, "node %d\\n", shm_node());
    fclose(file);
}
child() { write_one("d/y.txt"); }
main() {
    char line[20] = "";
    FILE *file;
    MAIN_INITENV()
    printf("%d", mkdir("d", 0777));
    write_one("d/y.txt");
    write_one("d/inner/z.txt");
    printf(" %d %d\\n", mkdir("d/y.txt", 0777), mkdir("../d", 0777));
    CREATE(child)
    WAIT_FOR_END(1)
    write_one("d");
    write_one("d/y.txt/x");
    file = fopen("./d/y.txt", "r");
    printf("%s", fgets(line, 20, file));
    MAIN_END
}
"""


def test_files_in_folders(tmp_path):
    """Each node has its own folders, which mkdir() need not make. A file is no folder."""
    (tmp_path / "x.C").write_text(FOLDERS)
    assert run_sh("cc", "--anl", "x.C", "-o", "x.elf", cwd=tmp_path).returncode == 0
    done = run_sh("-n", 2, "--output", "out", "./x.elf", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "0 -1 -1\nd: Permission denied\nd/y.txt/x: Permission denied\nnode 0\n"
    out = tmp_path / "out"
    assert {str(path.relative_to(out)): path.read_text() for path in out.rglob("*") if path.is_file()} == \
        {"d/y.txt": "node 0\n", "d/inner/z.txt": "node 0\n", "node1/d/y.txt": "node 1\n"}


def test_a_folder_that_leads_elsewhere(tmp_path):
    """A symbolic link in DIR is no folder: nothing is written where it leads."""
    (tmp_path / "x.C").write_text(FOLDERS)
    assert run_sh("cc", "--anl", "x.C", "-o", "x.elf", cwd=tmp_path).returncode == 0
    (tmp_path / "out").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out" / "d").symlink_to("../elsewhere")
    done = run_sh("-n", 2, "--output", "out", "./x.elf", cwd=tmp_path)
    assert done.returncode == 121
    assert "fugu: out/d is no folder, so the program's file d/y.txt cannot be written" in done.stderr
    assert not list((tmp_path / "elsewhere").iterdir())
    assert (tmp_path / "out" / "node1" / "d" / "y.txt").read_text() == "node 1\n"
