/*
 * System calls for the console and standard input (see io.h).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <stdbool.h>

#include "machine/hardware.h"
#include "machine/message.h"
#include "services/io.h"
#include "machine/ni.h"
#include "machine/pending.h"
#include "machine/process.h"

/*
 * The most bytes of one write, so that no call keeps the kernel busy for long.
 */
#define WRITE_MOST      1024
#define WRITE_PART      128     /* copied to the kernel's stack at once */

/* Bytes between two looks for pieces of pages, which would wait for the end of the
 * call. They make the call longer: it ends early if it has no time left. */
#define WRITE_LOOKS     32

#define CONSOLE(name)   (FUGU_CONSOLE_BASE + FUGU_CONSOLE_##name)

int32_t io_error(enum memory_result result)
{
    switch (result) {
    case MEMORY_OK:
        return 0;
    case MEMORY_NOT_THERE:
        return -EFAULT;
    case MEMORY_LATER:
        return IO_AGAIN;
    default:
        return -ENOMEM;
    }
}

/* ---- Output ------------------------------------------------------------- */

/* Writes to `to`, a register of the console. */
static int32_t write_to(uint32_t to, const uint32_t *a)
{
    char part[WRITE_PART];
    uint32_t done = 0, most = a[1] < WRITE_MOST ? a[1] : WRITE_MOST;
    bool served = false;

    while (done < most) {
        uint32_t bytes = most - done < WRITE_PART ? most - done : WRITE_PART;
        enum memory_result result = memory_read(current, part, a[0] + done,
                                                bytes);

        if (result != MEMORY_OK) {
            return done ? (int32_t)done : io_error(result);
        }
        for (uint32_t i = 0; i < bytes; ) {
            uint32_t end = bytes - i < WRITE_LOOKS ? bytes : i + WRITE_LOOKS;

            for (; i < end; i++) {
                write32(to, (uint8_t)part[i]);
            }
            served |= message_serve_quick();
            if (served && !kernel_time_left()) {
                return done + i;
            }
        }
        done += bytes;
    }
    return done;
}

int32_t io_write(const uint32_t *a)
{
    return write_to(CONSOLE(DATA), a);
}

int32_t io_write_error(const uint32_t *a)
{
    return write_to(CONSOLE(ERROR), a);
}

/* ---- Input -------------------------------------------------------------- */

uint32_t io_most(uint32_t address, uint32_t bytes)
{
    uint32_t most = GLAZE_PAGE - (address & (GLAZE_PAGE - 1));

    most = bytes < most ? bytes : most;
    return most < IO_MOST ? most : IO_MOST;
}

/*
 * Whether the console's input is for this process: it is for the first job
 * alone. That job's GID may be another one's later.
 */
static bool has_input(void)
{
    return current->number == 1;
}

/*
 * Reads what the console has, up to the end of a page. memory_touch() brings
 * that page before the first byte leaves the console, so that no byte is lost.
 */
int32_t io_read(const uint32_t *a)
{
    char part[IO_MOST];
    uint32_t done = 0, most = io_most(a[0], a[1]);
    enum memory_result result;

    if (!most || !has_input() || !read32(CONSOLE(STATUS))) {
        return 0;
    }
    result = memory_touch(current, a[0], true);
    if (result != MEMORY_OK) {
        return io_error(result);
    }
    while (done < most && read32(CONSOLE(STATUS))) {
        part[done++] = read32(CONSOLE(DATA));
    }
    memory_write(current, a[0], part, done);
    return done;
}

/*
 * Reads the rest of the console's part of standard input, which has ended on
 * all nodes but node 0, or asks for the next part. The machine stands still until
 * the host has given that part. The process asks again and again until then, for
 * less than a round.
 */
int32_t io_input(const uint32_t *a)
{
    char part[IO_MOST];
    uint32_t done = 0, most = io_most(a[0], a[1]), byte = FUGU_STDIN_NONE;
    enum memory_result result;

    if (!most || !has_input()) {
        return 0;
    }
    result = memory_touch(current, a[0], true);
    if (result != MEMORY_OK) {
        return io_error(result);
    }
    while (done < most && (byte = read32(CONSOLE(STDIN))) < FUGU_STDIN_END) {
        part[done++] = byte;
    }
    if (!done && byte == FUGU_STDIN_NONE) {
        write32(CONSOLE(STDIN), 0);
        return IO_AGAIN;
    }
    memory_write(current, a[0], part, done);
    return done;
}

int32_t io_terminals(const uint32_t *a)
{
    uint32_t terminals = read32(CONSOLE(TERMINALS));

    (void)a;
    return has_input() && !ni_node() ? terminals
                                     : terminals & ~FUGU_TERMINAL_INPUT;
}
