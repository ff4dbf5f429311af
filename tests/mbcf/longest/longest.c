/*
 * Commands that keep a kernel from its network and clock as long as one can: the most
 * bytes, at addresses at which they have to be shifted, in pages of each colour, and
 * little of all that in the cache. test_mbcf_longest.py runs it, and knows the bound.
 *
 * Node 0 sends the commands of one kind to node 1, one after the other. Node 1 loads its
 * whole cache with other memory meanwhile, and takes what has come.
 *
 *      mbcf-longest KIND
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mbcf.h"
#include "udm-collective.h"
#include "udm.h"

#define COLOURS         16
#define CACHE           0x10000
#define LINE            16
#define COMBINED        16      /* commands of one packet */
#define SIZE            (2 * GLAZE_PAGE)

static uint8_t pages[(COLOURS + 3) * GLAZE_PAGE] __attribute__((aligned(GLAZE_PAGE)));
static uint8_t local[3 * GLAZE_PAGE] __attribute__((aligned(GLAZE_PAGE)));
static uint8_t thrash[CACHE] __attribute__((aligned(GLAZE_PAGE)));

static struct mbcf_fifo fifo;
static struct mbcf_signal to_buffer = {
    .store = MBCF_STORE_BUFFER | MBCF_STORE_SOURCE,
    .during = MBCF_WHILE_STORE,
    .size = SIZE,
    .running = 1,
};
static struct mbcf_signal to_fifo = {
    .store = MBCF_STORE_FIFO | MBCF_STORE_SOURCE,
    .during = MBCF_WHILE_STORE,
    .running = 1,
};
static volatile uint32_t stops;
static unsigned done;           /* commands */

/* Offsets at the ends of pages, so that bytes are in two or three of them. */
static const uint32_t offset[] = { 1, 2, 3, 6, 7, 2045, 2047, 4087, 4093 };

#define OFFSETS         (sizeof(offset) / sizeof(*offset))

static struct mbcf_request request[COMBINED];
static volatile uint32_t status[COMBINED];

static uint32_t at(unsigned colour, uint32_t o)
{
    return (uintptr_t)&pages[colour * GLAZE_PAGE + o];
}

static void expect_done(uint32_t s)
{
    if (s != MBCF_DONE) {
        printf("longest: %s\n", mbcf_status_name(s));
        exit(1);
    }
    done++;
}

/* Sends commands, waits for them, and checks that they are done. */
static void send(unsigned count)
{
    for (unsigned k = 0; k < count; k++) {
        status[k] = MBCF_PENDING;
        request[k].options = MBCF_STATUS;
        request[k].task = 1;
        request[k].status = (uintptr_t)&status[k];
        request[k].local = request[k].local ? request[k].local : (uintptr_t)local;
    }
    mbcf_request(request, count);
    for (unsigned k = 0; k < count; k++) {
        expect_done(mbcf_await(&status[k]));
    }
}

static struct mbcf_request command(uint32_t number, uint32_t address, uint32_t bytes)
{
    return (struct mbcf_request) {
        .command = number, .address = address, .bytes = bytes,
    };
}

static void one(uint32_t number, uint32_t address, uint32_t bytes)
{
    request[0] = command(number, address, bytes);
    send(1);
}

static void write_now(void *to, const void *from, uint32_t bytes)
{
    expect_done(mbcf_write_now(1, (uintptr_t)to, from, bytes));
}

/* ---- The kinds ------------------------------------------------------------- */

static void do_write(unsigned colour, uint32_t o)
{
    one(MBCF_WRITE, at(colour, o), MBCF_BYTES_MAX);
}

static void do_read(unsigned colour, uint32_t o)
{
    for (uint32_t to = 0; to < 4; to++) {
        request[0] = command(MBCF_READ, at(colour, o), MBCF_BYTES_MAX);
        request[0].local = (uintptr_t)&local[GLAZE_PAGE - 2 + to];
        send(1);
    }
}

static void do_update(unsigned colour, uint32_t o)
{
    one(MBCF_UPDATE, at(colour, o % 8), GLAZE_PAGE - o % 8);
}

/* Sets a FIFO so that its next entry begins at an offset. */
static void set_fifo(unsigned colour, uint32_t o)
{
    struct mbcf_fifo f = {
        .buffer = at(colour, 0), .size = SIZE, .head = o & ~3u,
    };

    write_now(&fifo, &f, sizeof(f));
}

static void do_fifo(unsigned colour, uint32_t o)
{
    set_fifo(colour, o);
    one(MBCF_FIFO, (uintptr_t)&fifo, MBCF_BYTES_MAX);
    set_fifo(colour, SIZE - o);
    one(MBCF_FIFO, (uintptr_t)&fifo, MBCF_BYTES_MAX);
}

static void do_signal(unsigned colour, uint32_t o)
{
    uint32_t to = at(colour, o);

    write_now(&to_buffer.to, &to, sizeof(to));
    one(MBCF_SIGNAL, (uintptr_t)&to_buffer, MBCF_BYTES_MAX);
    set_fifo(colour, o);
    one(MBCF_SIGNAL, (uintptr_t)&to_fifo, MBCF_BYTES_MAX);
}

/* Lists of commands over the end of a page. */
static void do_combined(unsigned colour, uint32_t o)
{
    static const uint32_t kind[] = {
        MBCF_WRITE, MBCF_READ, MBCF_FIFO, MBCF_SIGNAL, MBCF_UPDATE, MBCF_FETCH_ADD,
    };

    for (unsigned n = 0; n < sizeof(kind) / sizeof(*kind); n++) {
        set_fifo(colour, o);
        for (unsigned k = 0; k < COMBINED; k++) {
            uint32_t address = at((colour + k) % COLOURS, GLAZE_PAGE - 15);

            address = kind[n] == MBCF_FIFO ? (uintptr_t)&fifo
                    : kind[n] == MBCF_SIGNAL ? (uintptr_t)&to_fifo
                    : kind[n] == MBCF_UPDATE ? address - 17
                    : kind[n] == MBCF_FETCH_ADD ? address & ~3u : address;
            request[k] = command(kind[n], address, kind[n] == MBCF_SIGNAL ? 20 : 24);
            request[k].local = (uintptr_t)&local[GLAZE_PAGE - 13];
        }
        send(COMBINED);
    }
}

static const struct {
    const char *name;
    void (*send)(unsigned colour, uint32_t o);
} kinds[] = {
    { "write", do_write },
    { "read", do_read },
    { "update", do_update },
    { "fifo", do_fifo },
    { "signal", do_signal },
    { "combined", do_combined },
};

static void send_all(const char *kind)
{
    static const uint32_t one_more = 1;
    unsigned k = 0;

    while (k < sizeof(kinds) / sizeof(*kinds) && strcmp(kinds[k].name, kind)) {
        k++;
    }
    for (unsigned colour = 0; colour < COLOURS; colour++) {
        for (unsigned o = 0; o < OFFSETS; o++) {
            kinds[k].send(colour, offset[o]);
        }
    }
    write_now((void *)&stops, &one_more, sizeof(one_more));
}

/* Takes entries to an odd address, and empties the cache. */
static void take_all(bool takes)
{
    while (!stops) {
        for (uint32_t k = 0; k < CACHE; k += LINE) {
            ++*(volatile uint8_t *)&thrash[k];
        }
        if (takes) {
            mbcf_take(&fifo, &local[1], SIZE);
        }
    }
}

int main(int argc, char **argv)
{
    mbcf_open();
    memset(pages, 1, sizeof(pages));
    memset(local, 1, sizeof(local));
    to_fifo.to = (uintptr_t)&fifo;
    if (udm_node() == 1) {
        struct mbcf_copy to[MBCF_COPIES] = { { .task = 0 } };

        for (unsigned k = 0; k < COLOURS; k++) {
            for (unsigned c = 0; c < MBCF_COPIES; c++) {
                to[c].page = at((k + c) % COLOURS, 0);
            }
            mbcf_pattern(at(k, 0), to, MBCF_COPIES);
        }
    }
    udm_barrier();
    if (udm_node() == 0) {
        send_all(argv[1]);
    } else {
        take_all(!strcmp(argv[1], "fifo") || !strcmp(argv[1], "signal"));
    }
    udm_barrier();
    if (udm_node() == 0) {
        printf("longest: %u commands\n", done);
    }
    return argc != 2;
}
