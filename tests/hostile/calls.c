/*
 * System calls with senseless arguments: each returns its error and has no
 * other effect (docs/glaze.md has the table).
 *
 *      calls           every row of the table, checked
 *      calls SEED N    N random calls, without any expected result
 *
 * Prints a line for each failure and one at the end. The exit status is 1 if a
 * check failed, else 0.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "glaze-calls.h"
#include "udm.h"

static unsigned failures;

static void check(const char *what, int32_t got, int32_t want)
{
    if (got != want) {
        printf("FAIL %s: got %ld, want %ld\n", what, (long)got, (long)want);
        failures++;
    }
}

/* Addresses that a process cannot write. */
static const uint32_t bad_addresses[] = {
    0, 1, 0x00fff000, 0x01000000, 0x0ffffff0, 0x10000000, 0x20000000,
    0x3ff00000, 0x40000000, 0x407ffff8, 0x80000000, 0x90000000, 0xa0000000,
    0xbffffff8, 0xc0000000, 0xd0000000, 0xe0000000, 0xf0000000, 0xf0002000,
    0xf0003000, 0xffffa000, 0xffffe000, 0xfffff000, 0xfffffff8, 0xffffffff,
};

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

/* The end of a range that begins in the process's memory: nothing is mapped
 * here. */
#define EDGE            0x20001000

static bool readable(uint32_t address)
{
    return address == 0x10000000 || address == 0xf0000000;
}

static void bad_pointers(void)
{
    int32_t file = glaze_named(FUGU_FILES_CREATE, "f", 1, 0);

    check("PUT", glaze_put(file, 0, "x", 1), 1);
    for (unsigned i = 0; i < COUNT(bad_addresses); i++) {
        uint32_t a = bad_addresses[i];
        bool odd = a & 7;

        if (!readable(a)) {
            check("WRITE", glaze_call(GLAZE_WRITE, a, 1, 0), -EFAULT);
            check("WRITE, long", glaze_call(GLAZE_WRITE, a, 0xffffffff, 0),
                  -EFAULT);
            check("ERROR", glaze_call(GLAZE_ERROR, a, 1, 0), -EFAULT);
            check("NAMED", glaze_call4(GLAZE_NAMED, FUGU_FILES_FIND, a, 1, 0),
                  -EFAULT);
            check("PUT", glaze_call4(GLAZE_PUT, file, 0, a, 1), -EFAULT);
        }
        check("INPUT", glaze_call(GLAZE_INPUT, a, 1, 0), -EFAULT);
        check("GET", glaze_call4(GLAZE_GET, file, 0, a, 1), -EFAULT);
        check("WRITE, of nothing", glaze_call(GLAZE_WRITE, a, 0, 0), 0);
        check("COUNT", glaze_call(GLAZE_COUNT, a, 0, 0), -EFAULT);
        check("MEASURE", glaze_call(GLAZE_MEASURE, a, 1, 0), -EFAULT);
        check("FP_SAVE", glaze_call(GLAZE_FP_SAVE, a, 0, 0),
              odd ? -EINVAL : -EFAULT);
        check("FP_LOAD", glaze_call(GLAZE_FP_LOAD, a, 0, 0),
              odd ? -EINVAL : -EFAULT);
        check("FILE", glaze_call(GLAZE_FILE, 0, a, 0), -ENOENT);
    }
}

/* Calls of the scheduler's server, which this program is not. */
static void not_the_server(void)
{
    static struct glaze_table table = { .period = GLAZE_SLOT_LEAST };
    struct glaze_event event;
    struct glaze_plan plan = { 0 };
    struct glaze_job job;

    check("SCHEDULE", glaze_schedule(&table), -EPERM);
    check("EVENT", glaze_event(GLAZE_E_ALL, &event, GLAZE_NEVER), -EPERM);
    check("JOB", glaze_job(1, &job), -EPERM);
    check("START", glaze_start(1), -EPERM);
    check("ANNOUNCE", glaze_announce(&plan), -EPERM);
    check("PLAN", glaze_plan(&plan), -EPERM);
    check("PLAN, nowhere", glaze_call(GLAZE_PLAN, 0, 0, 0), -EPERM);
    check("SCHEDULE, nowhere", glaze_call(GLAZE_SCHEDULE, 0, 0, 0), -EPERM);
}

/* Memory that is only half mapped: calls may use only that part. */
static void crossing(void)
{
    uint32_t before = EDGE - GLAZE_PAGE;

    check("MAP of a page", glaze_map(before, GLAZE_PAGE), 0);
    check("COUNT over the edge", glaze_call(GLAZE_COUNT, EDGE - 4, 0, 0),
          -EFAULT);
    check("FP_SAVE over the edge", glaze_call(GLAZE_FP_SAVE, EDGE - 8, 0, 0),
          -EFAULT);
    check("WRITE over the edge", glaze_call(GLAZE_WRITE, EDGE - 64, 128, 0),
          -EFAULT);
    for (uint32_t i = 0; i < GLAZE_PAGE; i++) {
        *(char *)(before + i) = i % 64 == 63 ? '\n' : '.';
    }
    check("WRITE up to the edge", glaze_call(GLAZE_WRITE, EDGE - 128, 4096, 0),
          128);
    check("WRITE in parts", glaze_call(GLAZE_WRITE, before, 4096, 0), 1024);
    check("UNMAP", glaze_unmap(before, GLAZE_PAGE), 0);
    check("WRITE behind UNMAP", glaze_call(GLAZE_WRITE, before, 1, 0),
          -EFAULT);
}

static void ranges(void)
{
    static const struct {
        uint32_t address, bytes;
    } bad[] = {
        { 0, 0 }, { 0, 0x1000 }, { 0x10000001, 0x1000 }, { 0x20000000, 1 },
        { 0x20000000, 0x1fff }, { 0x0ffff000, 0x2000 }, { 0x3ff00000, 0 },
        { 0x3fe00000, 0x101000 }, { 0x20000000, 0xfffff000 },
        { 0x20000000, 0xffffffff }, { 0x40000000, 0x1000 },
        { 0x80000000, 0x1000 }, { 0xc0000000, 0x1000 },
        { 0xf0001000, 0x1000 }, { 0xfffff000, 0x1000 },
        { 0xfffff000, 0x10001000 },
    };
    uint32_t *word = (uint32_t *)0x20000000;

    for (unsigned i = 0; i < COUNT(bad); i++) {
        check("MAP", glaze_map(bad[i].address, bad[i].bytes), -EINVAL);
        check("UNMAP", glaze_unmap(bad[i].address, bad[i].bytes), -EINVAL);
    }
    check("MAP of nothing", glaze_map(0x20000000, 0), 0);
    check("MAP of many pages", glaze_map(0x20000000, 0x100000), 0);
    word[0x3ffff] = 1;
    word[0] = 2;
    check("MAP once more", glaze_map(0x20000000, 0x100000), 0);
    check("which leaves what there is", word[0x3ffff] + word[0], 3);
    check("UNMAP", glaze_unmap(0x20000000, 0x100000), 0);
    check("MAP again", glaze_map(0x20000000, 0x100000), 0);
    check("which gives zeros", word[0x3ffff] + word[0], 0);
    check("UNMAP", glaze_unmap(0x20000000, 0x100000), 0);
    check("UNMAP of the program is for nothing",
          glaze_unmap(GLAZE_PROGRAM, GLAZE_PAGE), 0);
}

static void others(void)
{
    static struct glaze_fp fp __attribute__((aligned(8)));
    static const uint32_t numbers[] = {
        GLAZE_CALLS, GLAZE_CALLS + 1, 100, 255, 0x10000, 0x7fffffff,
        0x80000000, 0xffffffff,
    };

    for (unsigned i = 0; i < COUNT(numbers); i++) {
        check("a number that there is not", glaze_call(numbers[i], 1, 2, 3),
              -ENOSYS);
    }
    check("FILE", glaze_call(GLAZE_FILE, 0xffffffff, 0, 0), -ENOENT);
    check("NAMED of no kind", glaze_named(FUGU_FILES_OPEN, "f", 1, 0),
          -EINVAL);
    check("NAMED without end", glaze_named(FUGU_FILES_FIND, "f", 0xffffffff, 0),
          -EACCES);
    check("NAMED out of the directory",
          glaze_named(FUGU_FILES_CREATE, "../f", 4, 0), -EACCES);
    check("SIZED of no kind", glaze_sized(FUGU_FILES_CREATE, 0, 0), -EINVAL);
    check("SIZED of no file", glaze_sized(GLAZE_FILE_SIZE, 99, 0), -EBADF);
    check("SIZED of a large kind", glaze_sized(FUGU_FILES_CLOSE + 1, 0, 0),
          -EINVAL);
    check("OPEN of no file", glaze_sized(FUGU_FILES_OPEN, 99, 0), -EBADF);
    check("CLOSE of no file", glaze_sized(FUGU_FILES_CLOSE, 99, 0), -EBADF);
    check("RESIZE of no file", glaze_sized(FUGU_FILES_RESIZE, 99, 0), -EBADF);
    check("GET from no file", glaze_get(99, 0, &fp, 1), -EBADF);
    check("PUT to no file", glaze_put(99, 0, &fp, 1), -EBADF);
    check("HOLD of no kind", glaze_call(GLAZE_HOLD, 2, 0, 0), -EINVAL);
    check("HOLD back, of none", glaze_call(GLAZE_HOLD, 0, 0, 0), -EINVAL);
    glaze_suspend();
    check("HOLD back, of no such word",
          glaze_call(GLAZE_HOLD, 0, 0xffffffff, 0), -EINVAL);
    glaze_resume(0);
    check("PING", glaze_call(GLAZE_PING, udm_nodes() - 1, 0, 0), -ENOSYS);
    check("PING of oneself", glaze_call(GLAZE_PING, udm_node(), 0, 0),
          -ENOSYS);
    check("READ of nothing", glaze_read((void *)1, 0), 0);
    check("FP_LOAD of nothing", glaze_fp_load(&fp), 0);
    check("FP_SAVE", glaze_fp_save(&fp), 0);
    check("which is valid", fp.valid, 1);
    check("FP_LOAD", glaze_fp_load(&fp), 0);
    check("which is no longer", fp.valid, 0);
    check("YIELD", glaze_call(GLAZE_YIELD, 0xffffffff, 0, 0), 0);
}

/* Names, numbers and bytes of files: the last ones, and the first beyond. */
static void limits_of_files(void)
{
    static const char name[FUGU_FILES_NAME_MAX + 1] =
        "0123456789012345678901234567890123456789012345678901234567890123456789"
        "012345678901234567890123456789";
    static char part[512] __attribute__((aligned(512)));
    char *last = (char *)EDGE - 1;
    int32_t file = glaze_named(FUGU_FILES_CREATE, "limits", 6, 0), other;

    check("the longest name", glaze_named(FUGU_FILES_FIND, name,
                                          FUGU_FILES_NAME_MAX, 0), -ENOENT);
    check("a byte more", glaze_named(FUGU_FILES_FIND, name,
                                     FUGU_FILES_NAME_MAX + 1, 0), -EACCES);
    check("no name", glaze_named(FUGU_FILES_FIND, name, 0, 0), -EACCES);
    check("a kind before the first", glaze_named(FUGU_FILES_FIND - 1, "f", 1, 0),
          -EINVAL);
    check("the last kind", glaze_named(FUGU_FILES_RENAME, "f", 1, 99), -ENOENT);
    check("a kind behind it", glaze_named(FUGU_FILES_RENAME + 1, "f", 1, 99),
          -EINVAL);
    check("MAP of a page", glaze_map(EDGE - GLAZE_PAGE, GLAZE_PAGE), 0);
    *last = 'x';
    check("PUT of a page's last byte", glaze_put(file, 0, last, 1), 1);
    check("PUT up to its end", glaze_put(file, 1, last, 2), 1);
    *last = 0;
    check("GET to it", glaze_get(file, 1, last, 2), 1);
    check("which has it", *last, 'x');
    check("GET at the end", glaze_get(file, 2, last, 1), 0);
    check("GET of nothing", glaze_get(file, 0, last, 0), 0);
    check("PUT of nothing", glaze_put(file, 0, last, 0), 0);
    check("SIZE", glaze_sized(GLAZE_FILE_SIZE, file, 0), 2);
    check("PUT of as much as one call takes", glaze_put(file, 2, part, 256), 256);
    check("PUT of more", glaze_put(file, 2, part, 257), 256);
    check("GET of more", glaze_get(file, 0, part, 257), 256);
    check("GET of the rest", glaze_get(file, 256, part, 257), 2);
    check("UNMAP", glaze_unmap(EDGE - GLAZE_PAGE, GLAZE_PAGE), 0);
    other = glaze_named(FUGU_FILES_CREATE, "other", 5, 0);
    for (unsigned k = 0; k < GLAZE_OPEN_MAX; k++) {
        check("OPEN", glaze_sized(FUGU_FILES_OPEN, k == 1 ? other : file, 0), 0);
    }
    check("OPEN of one more", glaze_sized(FUGU_FILES_OPEN, file, 0), -EMFILE);
    check("CLOSE", glaze_sized(FUGU_FILES_CLOSE, other, 0), 0);
    check("CLOSE again", glaze_sized(FUGU_FILES_CLOSE, other, 0), -EBADF);
    check("OPEN in its place", glaze_sized(FUGU_FILES_OPEN, other, 0), 0);
    check("OPEN of one more", glaze_sized(FUGU_FILES_OPEN, other, 0), -EMFILE);
    check("CLOSE", glaze_sized(FUGU_FILES_CLOSE, other, 0), 0);
    for (unsigned k = 1; k < GLAZE_OPEN_MAX; k++) {
        check("CLOSE", glaze_sized(FUGU_FILES_CLOSE, file, 0), 0);
    }
    check("CLOSE of no open one", glaze_sized(FUGU_FILES_CLOSE, file, 0),
          -EBADF);
}

/* ---- What system calls leave in registers -------------------------------- */

/* Defined in calls_code.S. */
void windows_behind(uint32_t number, uint32_t a, uint32_t b,
                    uint32_t words[6 * 16]);

/*
 * Whether a word in a free window may be this process's. The trap of the call,
 * or of an interrupt after it, leaves the process's PSR, pc and npc in three
 * locals. Of the outs, %sp is the process's.
 */
static bool is_own(unsigned place, uint32_t word)
{
    return place == 0 || place == 14 ||
           (place < 3 && word - GLAZE_PROGRAM < 0x100000);
}

static void free_windows(void)
{
    static struct glaze_count count;
    static struct glaze_fp fp;
    static char text[8];
    static const struct {
        uint32_t number, a, b;
    } calls[] = {
        { GLAZE_COUNT, (uintptr_t)&count, 0 },
        { GLAZE_FP_SAVE, (uintptr_t)&fp, 0 },
        { GLAZE_READ, (uintptr_t)text, sizeof(text) },
        { GLAZE_MAP, 0x20000000, GLAZE_PAGE },
        { GLAZE_UNMAP, 0x20000000, GLAZE_PAGE },
        { GLAZE_YIELD, 0, 0 },
        { GLAZE_CALLS, 0, 0 },
    };
    static uint32_t words[6 * 16];

    for (unsigned i = 0; i < COUNT(calls); i++) {
        uint32_t left = 0;

        windows_behind(calls[i].number, calls[i].a, calls[i].b, words);
        for (unsigned k = 0; k < COUNT(words); k++) {
            left += words[k] != 0 && !is_own(k % 16, words[k]);
        }
        check("words that a call has left in free windows", left, 0);
    }
}

/* ---- Random calls -------------------------------------------------------- */

static uint32_t state;

static uint32_t random32(void)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

static uint32_t random_word(void)
{
    uint32_t r = random32();

    switch (r >> 29) {
    case 0:
        return r & 0x1f;
    case 1:
        return bad_addresses[r % COUNT(bad_addresses)] + (r >> 8 & 0xff);
    case 2:
        return 0x20000000 + (r & 0xff000);
    case 3:
        return r & 0x3f000;
    case 4:
        return -(r & 0xffff);
    default:
        return r;
    }
}

/* Excludes calls that end the process, wait for messages, or print nonsense. */
static bool wanted(uint32_t number)
{
    return number != GLAZE_EXIT && number != GLAZE_ABORT &&
           number != GLAZE_WAIT && number != GLAZE_WRITE &&
           number != GLAZE_ERROR;
}

static void at_random(uint32_t seed, uint32_t calls)
{
    state = seed * 2654435761u + udm_node() + 1;
    for (uint32_t i = 0; i < calls; i++) {
        uint32_t number = random32() % 8 ? random32() % GLAZE_CALLS
                                         : random_word();

        if (wanted(number)) {
            glaze_call(number, random_word(), random_word(), random_word());
        }
    }
}

int main(int argc, char **argv)
{
    if (argc > 2) {
        at_random(strtoul(argv[1], NULL, 0), strtoul(argv[2], NULL, 0));
        printf("calls: node %lu: done\n", (unsigned long)udm_node());
        return 0;
    }
    bad_pointers();
    not_the_server();
    crossing();
    ranges();
    others();
    limits_of_files();
    free_windows();
    printf("calls: node %lu: %u failed\n", (unsigned long)udm_node(),
           failures);
    return failures ? 1 : 0;
}
