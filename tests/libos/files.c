/*
 * Files that a program makes. Input file: "given", the text "text". Machine: 100,000 bytes of
 * files for a node. Prints a line for each check. Leaves the files "kept",
 * "moved" and "holes" on each node.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"

static char text[100];

/* Returns what a file has, as text. */
static const char *contents(const char *name)
{
    int fd = open(name, O_RDONLY), bytes = read(fd, text, sizeof(text) - 1);

    text[bytes > 0 ? bytes : 0] = 0;
    close(fd);
    return text;
}

static void write_text(const char *name, int flags, const char *what)
{
    int fd = open(name, O_WRONLY | flags, 0666);

    write(fd, what, strlen(what));
    close(fd);
}

/* What C leaves to the library, and docs/udm.md says. */
static void test_appended(void)
{
    FILE *file = fopen("kept", "a+");

    check("a+ begins to read at the end", getc(file), EOF);
    rewind(file);
    check("and where it is moved to", getc(file), 'h');
    fclose(file);
}

static void test_open(void)
{
    int fd;

    errno = 0;
    check("no file yet", open("kept", O_WRONLY), -1);
    check("ENOENT", errno, ENOENT);
    fd = open("kept", O_RDWR | O_CREAT, 0666);
    check("made", fd >= 3, true);
    check("write()", write(fd, "hello world\n", 12), 12);
    check("lseek()", lseek(fd, 6, SEEK_SET), 6);
    check("overwrite", write(fd, "W", 1), 1);
    check("from the end", lseek(fd, -6, SEEK_END), 6);
    check("read back", read(fd, text, 80), 6);
    check("what was written", memcmp(text, "World\n", 6), 0);
    check("at the end", read(fd, text, 80), 0);
    check("close()", close(fd), 0);
    errno = 0;
    check("O_EXCL", open("kept", O_WRONLY | O_CREAT | O_EXCL), -1);
    check("EEXIST", errno, EEXIST);
    write_text("kept", O_APPEND, "more\n");
    check("O_APPEND", strcmp(contents("kept"), "hello World\nmore\n"), 0);
    fd = open("kept", O_RDWR | O_APPEND);
    check("no bytes", write(fd, "", 0), 0);
    check("leave the position as it is", lseek(fd, 0, SEEK_CUR), 0);
    close(fd);
    test_appended();
    write_text("kept", O_TRUNC, "new\n");
    check("O_TRUNC", strcmp(contents("kept"), "new\n"), 0);
    fd = open("./kept", O_RDONLY);
    check("./", fd >= 3, true);
    errno = 0;
    check("read-only", write(fd, "x", 1), -1);
    check("EBADF", errno, EBADF);
    close(fd);
}

static void test_stat(void)
{
    struct stat stat_kept;
    int fd = open("kept", O_RDWR);

    check("fstat()", fstat(fd, &stat_kept), 0);
    check("its size", stat_kept.st_size, 4);
    check("stat()", stat("kept", &stat_kept), 0);
    check("a file", S_ISREG(stat_kept.st_mode), true);
    check("no terminal", isatty(fd), 0);
    check("ftruncate()", ftruncate(fd, 2), 0);
    check("is shorter", strcmp(contents("kept"), "ne"), 0);
    check("ftruncate() again", ftruncate(fd, 4), 0);
    check("zeros", memcmp(contents("kept"), "ne\0", 4), 0);
    check("written", write(fd, "kept", 4), 4);
    close(fd);
}

static void test_names(void)
{
    static const char *const bad[] = {
        "../up", "a/../up", "a//b", "", ".", "..", "node3", "node3/a", "./../up",
        "kept/in_a_file",
    };

    for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        errno = 0;
        check("a name that is refused", open(bad[i], O_WRONLY | O_CREAT, 0666), -1);
        check("EACCES", errno, EACCES);
    }
    errno = 0;
    check("an input file", open("given", O_WRONLY), -1);
    check("EROFS", errno, EROFS);
    check("unlink()", unlink("given"), -1);
    check("rename() onto it", rename("kept", "given"), -1);
}

static void test_unlink(void)
{
    int fd = open("gone", O_RDWR | O_CREAT, 0666);

    write(fd, "text", 4);
    check("unlink()", unlink("gone"), 0);
    check("has gone", open("gone", O_RDONLY), -1);
    lseek(fd, 0, SEEK_SET);
    check("but is open", read(fd, text, 80), 4);
    close(fd);
    errno = 0;
    check("twice", unlink("gone"), -1);
    check("ENOENT", errno, ENOENT);
    write_text("first", O_CREAT, "first");
    write_text("moved", O_CREAT, "old");
    check("rename()", rename("first", "moved"), 0);
    check("its contents", strcmp(contents("moved"), "first"), 0);
    check("the old name", rename("first", "moved"), -1);
    check("onto itself", rename("moved", "moved"), 0);
    check("remove()", remove("nothing"), -1);
}

/* A node has room for 100,000 bytes, and space comes back. */
static void test_room(void)
{
    static char block[10000];
    FILE *file;
    int fd;

    for (int i = 0; i < 3; i++) {
        int done = 0, part;

        fd = open("large", O_WRONLY | O_CREAT, 0666);
        errno = 0;
        while ((part = write(fd, block, sizeof(block))) > 0) {
            done += part;
        }
        check("much", done > 99000 && done < 100000, true);
        check("ENOSPC", errno, ENOSPC);
        errno = 0;
        check("not one byte more", write(fd, block, 1), -1);
        close(fd);
        check("unlink()", unlink("large"), 0);
    }
    fd = open("holes", O_WRONLY | O_CREAT, 0666);
    lseek(fd, 2000000000, SEEK_SET);
    errno = 0;
    check("far out", write(fd, "x", 1), -1);
    check("ENOSPC", errno, ENOSPC);
    lseek(fd, 2147483647, SEEK_SET);
    errno = 0;
    check("out of all bounds", write(fd, "x", 1), -1);
    check("EFBIG", errno, EFBIG);
    lseek(fd, 5000, SEEK_SET);
    check("a hole", write(fd, "x", 1), 1);
    close(fd);
    file = fopen("large", "w");
    for (int i = 0; i < 10; i++) {
        fwrite(block, 1, sizeof(block), file);
    }
    check("stdio notices", fflush(file) || ferror(file), true);
    fclose(file);
    unlink("large");
}

/* Checks that a call fails with this error. */
static void check_error(const char *what, int result, int error)
{
    check(what, result, -1);
    check("its error", errno, error);
    errno = 0;
}

/* From the first to the last, and those on both sides of them. */
static void test_descriptors(void)
{
    struct stat found;
    int last = -1, count = 0;

    for (int fd; (fd = open("kept", O_RDONLY)) >= 0; last = fd) {
        count++;
    }
    check("the last descriptor", last, 31);
    check("all of them", count, 29);
    check_error("no more", open("kept", O_RDONLY), EMFILE);
    check("the last reads", read(last, text, 4), 4);
    check("and closes", close(last), 0);
    check_error("once", close(last), EBADF);
    check("it is free again", open("kept", O_RDONLY), last);
    check("as is the first", close(3), 0);
    check("which comes first", open("kept", O_WRONLY), 3);
    check_error("to be written alone", read(3, text, 1), EBADF);
    for (int fd = 3; fd <= last; fd++) {
        close(fd);
    }
    check_error("behind the last", close(32), EBADF);
    check_error("below the first", close(-1), EBADF);
    check_error("read()", read(3, text, 1), EBADF);
    check_error("write()", write(32, text, 1), EBADF);
    check_error("write() below", write(-1, text, 1), EBADF);
    check_error("lseek()", lseek(3, 0, SEEK_SET), EBADF);
    check_error("ftruncate()", ftruncate(3, 0), EBADF);
    check_error("fsync()", fsync(3), EBADF);
    check_error("fstat()", fstat(-1, &found), EBADF);
    check("no terminal", isatty(3), 0);
    check("EBADF", errno, EBADF);
    check("the console", fsync(0) + fsync(2) + close(2) + fstat(2, &found), 0);
    check("is a device", S_ISCHR(found.st_mode), true);
}

/* What a descriptor may do is its access alone, whatever else open() was told. */
static void test_access(void)
{
    static const int others[] = {
        0, O_CREAT, O_APPEND, O_TRUNC, O_CREAT | O_APPEND | O_TRUNC,
    };

    for (unsigned k = 0; k < 3 * sizeof(others) / sizeof(others[0]); k++) {
        static const int accesses[] = { O_RDONLY, O_WRONLY, O_RDWR };
        int access = accesses[k % 3], fd = open("access", access | O_CREAT, 0666);
        bool reads = access != O_WRONLY, writes = access != O_RDONLY;

        close(fd);
        fd = open("access", access | others[k / 3], 0666);
        errno = 0;
        check("read()", read(fd, text, 1) >= 0, reads);
        check("if it may", errno, reads ? 0 : EBADF);
        errno = 0;
        check("write()", write(fd, "x", 1), writes ? 1 : -1);
        check("if it may", errno, writes ? 0 : EBADF);
        errno = 0;
        check("ftruncate()", ftruncate(fd, 3), writes ? 0 : -1);
        check("if it may", errno, writes ? 0 : EINVAL);
        close(fd);
    }
    unlink("access");
}

/* What a program only reads, and directories. */
static void test_input(void)
{
    struct stat found;
    int fd = open("/tmp/given", O_RDONLY);

    check("all of it", read(fd, text, 4), 4);
    check("its end", read(fd, text, 1), 0);
    check("to the end", lseek(fd, 0, SEEK_END), 4);
    check("its last byte", lseek(fd, -1, SEEK_CUR), 3);
    check("and no more", read(fd, text, 80), 1);
    check("which it is", text[0], 't');
    check("beyond the end", lseek(fd, 9, SEEK_SET), 9);
    check("is nothing", read(fd, text, 80), 0);
    check_error("write()", write(fd, "x", 1), EROFS);
    check_error("ftruncate()", ftruncate(fd, 4), EINVAL);
    check("fstat()", fstat(fd, &found), 0);
    check("its mode", found.st_mode & 0777, 0444);
    check("its size", found.st_size, 4);
    check("no terminal", isatty(fd), 0);
    check("ENOTTY", errno, ENOTTY);
    close(fd);
    check("stat()", stat("given", &found), 0);
    check("the same mode", found.st_mode & 0777, 0444);
    check_error("O_TRUNC", open("given", O_RDONLY | O_TRUNC), EROFS);
    check_error("rename()", rename("given", "new"), EROFS);
    check_error("onto it", rename("kept", "given"), EROFS);
    check_error("unlink()", unlink("given"), EROFS);
    check_error("nothing", stat("nothing", &found), ENOENT);
    check_error("no name", stat("", &found), ENOENT);
    check_error("link()", link("kept", "linked"), EPERM);
    for (unsigned k = 0; k < 5; k++) {
        static const char *const names[] = { ".", "/", "/tmp", "/tmp/", "./" };

        check("a directory", stat(names[k], &found), 0);
        check("says so", S_ISDIR(found.st_mode), true);
    }
}

/* Positions and sizes, at their limits. */
static void test_positions(void)
{
    struct stat found;
    int fd = creat("sizes", 0666);

    check("creat()", write(fd, "abcdef", 6), 6);
    check("of what is there", lseek(fd, -6, SEEK_CUR), 0);
    check_error("before the start", lseek(fd, -1, SEEK_CUR), EINVAL);
    check("which moves nothing", lseek(fd, 0, SEEK_CUR), 0);
    check("the start from the end", lseek(fd, -6, SEEK_END), 0);
    check_error("and no further", lseek(fd, -7, SEEK_END), EINVAL);
    check("the last position", lseek(fd, 2147483647, SEEK_SET), 2147483647);
    check_error("has no next", lseek(fd, 1, SEEK_CUR), EINVAL);
    check_error("nowhere else", lseek(fd, 0, 3), EINVAL);
    check_error("a byte there", write(fd, "x", 1), EFBIG);
    check("no byte", write(fd, "", 0), 0);
    check_error("fewer than none", ftruncate(fd, -1), EINVAL);
    check("none", ftruncate(fd, 0), 0);
    check("fstat()", fstat(fd, &found), 0);
    check("its mode", found.st_mode & 0777, 0644);
    check("its size", found.st_size, 0);
    close(fd);
    fd = open("sizes", O_RDWR | O_APPEND);
    check("appended", write(fd, "12", 2) + write(fd, "345", 3), 5);
    check("to the end", lseek(fd, 0, SEEK_CUR), 5);
    check("lseek()", lseek(fd, 1, SEEK_SET), 1);
    check("read()", read(fd, text, 2), 2);
    check("from there", memcmp(text, "23", 2), 0);
    check("appended again", write(fd, "6", 1), 1);
    check("all", strcmp(contents("sizes"), "123456"), 0);
    close(fd);
    fd = open("sizes", O_RDONLY | O_TRUNC);
    check("only read", strcmp(contents("sizes"), "123456"), 0);
    check_error("not resized", ftruncate(fd, 1), EINVAL);
    close(fd);
    check("truncate()", truncate("sizes", 3), 0);
    check("stat()", stat("sizes", &found), 0);
    check("is shorter", found.st_size, 3);
    check("its own mode", found.st_mode & 0777, 0644);
    check_error("no file", truncate("nothing", 3), ENOENT);
    close(creat("sizes", 0666));
    check("made anew", strcmp(contents("sizes"), ""), 0);
    check("unlink()", unlink("/sizes"), 0);
}

int main(void)
{
    test_open();
    test_stat();
    test_names();
    test_unlink();
    test_room();
    test_descriptors();
    test_access();
    test_input();
    test_positions();
    return check_end();
}
