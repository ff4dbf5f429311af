/*
 * newlib on Glaze: arguments, memory, files, time, errors. Arguments: one two
 * three. Input files: "empty", and "text" with three lines.
 *
 * Prints one line per check, then an unfinished line, and "exit" from an
 * atexit() function. The exit status is 1 if a check failed.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "glaze-calls.h"

static int constructed;

static void __attribute__((constructor)) construct(void)
{
    constructed = 1;
}

static void test_arguments(int argc, char **argv)
{
    check("argc", argc, 4);
    check("argv[0]", strcmp(argv[0], "clib"), 0);
    check("argv[3]", strcmp(argv[3], "three"), 0);
    check("argv ends", argv[4] == NULL, true);
    check("constructors", constructed, 1);
}

static void test_memory(void)
{
    enum { BLOCKS = 200, SIZE = 10000 };
    uint8_t *block[BLOCKS];
    uint32_t wrong = 0;

    for (int i = 0; i < BLOCKS; i++) {
        block[i] = malloc(SIZE);
        memset(block[i], i, SIZE);
    }
    for (int i = 0; i < BLOCKS; i++) {
        wrong += block[i][0] != i || block[i][SIZE - 1] != i;
        free(block[i]);
    }
    check("malloc()", wrong, 0);
    errno = 0;
    check("more than there can be", malloc(0x7fff0000) == NULL, true);
    check("ENOMEM", errno, ENOMEM);
    check("atomic sections stay closed", udm_atomic(), false);
}

static void test_files(void)
{
    char line[80];
    struct stat stat_text;
    FILE *file = fopen("text", "r");
    int fd;

    check("a file", file != NULL, true);
    check("its first line", strcmp(fgets(line, 80, file), "first\n"), 0);
    fgets(line, 80, file);
    check("its last", strcmp(fgets(line, 80, file), "last\n"), 0);
    check("its end", fgets(line, 80, file) == NULL, true);
    check("back", fseek(file, -5, SEEK_END), 0);
    check("the last again", strcmp(fgets(line, 80, file), "last\n"), 0);
    check("fclose()", fclose(file), 0);
    check("stat()", stat("text", &stat_text), 0);
    check("size", stat_text.st_size, 18);

    fd = open("empty", O_RDONLY);
    check("nothing in it", read(fd, line, 80), 0);
    check("no seek before the start", lseek(fd, -1, SEEK_SET), -1);
    check("EINVAL", errno, EINVAL);
    check("no write", write(fd, line, 1), -1);
    check("EROFS", errno, EROFS);
    close(fd);
    check("closed", read(fd, line, 1), -1);
    check("EBADF", errno, EBADF);
    check("no such file", open("nothing", O_RDONLY), -1);
    check("ENOENT", errno, ENOENT);
    check("not to be written", open("text", O_WRONLY), -1);
    check("EROFS", errno, EROFS);
    for (fd = 0; fd >= 0; ) {
        fd = open("text", O_RDONLY);
    }
    check("EMFILE", errno, EMFILE);
}

static void test_console(void)
{
    check("no terminal", isatty(1), 0);
    check("no seek", lseek(1, 0, SEEK_SET), -1);
    check("ESPIPE", errno, ESPIPE);
    check("no input", read(0, &constructed, 4), 0);
    check("an address that is not ours", write(1, (void *)0x40000000, 4), -1);
    check("EFAULT", errno, EFAULT);
}

static void test_time(void)
{
    struct timeval a, b;
    clock_t start = clock();
    uint32_t cycles = udm_cycles32();

    gettimeofday(&a, NULL);
    while (udm_cycles32() - cycles < 250000) {
    }
    gettimeofday(&b, NULL);
    check("10 ms", (b.tv_usec - a.tv_usec + 50) / 100, 100);
    check("in ticks", (clock() - start) / (CLOCKS_PER_SEC / 100), 1);
}

static void test_rest(void)
{
    static jmp_buf back;
    volatile int times = 0;

    check("sqrt()", sqrt(2) * 1e6, 1414213);
    check("a number as text", strtod("2.5", NULL) * 2, 5);
    check("getpid() is the job", getpid(), glaze_info(GLAZE_I_GID));
    if (setjmp(back) < 3) {
        times++;
        longjmp(back, times);
    }
    check("longjmp()", times, 3);
}

static void at_exit(void)
{
    printf("exit\n");
}

int main(int argc, char **argv)
{
    test_arguments(argc, argv);
    test_memory();
    test_files();
    test_console();
    test_time();
    test_rest();
    atexit(at_exit);
    printf("not a line");
    exit(check_failures ? 1 : 0);
}
