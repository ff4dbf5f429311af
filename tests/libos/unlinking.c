/*
 * Two jobs and the same files: "keep" has files open that "remove" unlinks or
 * replaces meanwhile. Machine: 100,000 bytes of files for a node. Prints a line
 * for each check. The jobs tell each other how far they are by files, whose names
 * are numbers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"

#define LARGE           80000

static char space[LARGE];

static int make(const char *name, const char *text)
{
    int fd = open(name, O_RDWR | O_CREAT | O_EXCL, 0666);

    write(fd, text, strlen(text));
    return fd;
}

static void reach(const char *step)
{
    close(make(step, ""));
}

static void wait_for(const char *step)
{
    struct stat stat_of;

    while (stat(step, &stat_of)) {
        usleep(100);
    }
}

/* Whether the file has the text, from its beginning. */
static bool has(int fd, const char *text)
{
    char found[80] = "";

    lseek(fd, 0, SEEK_SET);
    return read(fd, found, sizeof(found) - 1) == (int)strlen(text) &&
           !strcmp(found, text);
}

static bool named_has(const char *name, const char *text)
{
    int fd = open(name, O_RDONLY);
    bool result = fd >= 0 && has(fd, text);

    close(fd);
    return result;
}

static void keep(void)
{
    int shared = make("shared", "mine"), target = make("target", "old");
    int twice = open("shared", O_WRONLY), large = make("large", "");

    check("space is taken", write(large, space, LARGE), LARGE);
    reach("1");
    wait_for("2");
    check("an unlinked file has its contents", has(shared, "mine"), true);
    check("it can be written", write(shared, " still", 6), 6);
    check("and read", has(shared, "mine still"), true);
    check("its name is another file's", named_has("shared", "other"), true);
    check("a replaced file has its contents", has(target, "old"), true);
    check("its name is another file's", named_has("target", "new"), true);
    check("a descriptor is closed", close(twice), 0);
    check("the file is still open", has(shared, "mine still"), true);
    check("the last one is closed", close(shared), 0);
    reach("3");
    wait_for("4");
    /* Leaves `large` and `target` open. */
}

static void take_away(void)
{
    int large, again = 0;

    wait_for("1");
    check("unlink()", unlink("shared"), 0);
    close(make("shared", "other"));
    close(make("new", "new"));
    check("rename()", rename("new", "target"), 0);
    check("unlink() of the large file", unlink("large"), 0);
    reach("2");
    wait_for("3");
    check("its name is gone", open("large", O_RDONLY), -1);
    large = make("large", "");
    check("part fits", write(large, space, LARGE) < LARGE, true);
    check("and no more", write(large, space, 1), -1);
    check("ENOSPC", errno, ENOSPC);
    lseek(large, 0, SEEK_SET);
    reach("4");
    while (write(large, space, LARGE) < LARGE && ++again < 100) {
        lseek(large, 0, SEEK_SET);
        usleep(10000);          /* until the other job has ended */
    }
    check("its end gives the space back", again < 100, true);
}

int main(int argc, char **argv)
{
    if (argc == 2 && !strcmp(argv[1], "keep")) {
        keep();
    } else {
        take_away();
    }
    return check_end();
}
