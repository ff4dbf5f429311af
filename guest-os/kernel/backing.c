/*
 * The client of backing store (server.c shows the conversation).
 *
 * One page is on its way at a time. What the server says is noted when it
 * comes; advance() does what it means, at times of this node's choosing.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "backing.h"
#include "buffer.h"
#include "chores.h"
#include "evict.h"
#include "fault.h"
#include "frames.h"
#include "hardware.h"
#include "job.h"
#include "message.h"
#include "print.h"
#include "server.h"
#include "space.h"

/* Longer than a page takes, for each node that may come first. */
#define PATIENCE        1000000000ull

/* One frame in so many is free: enough to read ahead. */
#define SPARE           8

struct backing_count backing_count;

static struct {
    enum { NOT_ASKED, NONE, FOUND } state;
    uint32_t node;
    bool failed;
    uint32_t next;              /* slot to begin a search at */
    uint32_t used[SLOTS_MAX / 32];      /* bit per slot */
} server;

static struct {
    enum {
        IDLE,
        ASKED,
        GRANTED,                /* the server has a buffer for the page */
        ANSWERED,
    } state;
    bool out;
    bool done;                  /* ANSWERED: it worked */
    struct process *p;
    uint32_t page;
    uint32_t frame;
    uint32_t slot;
} request;

/* ---- Slots ------------------------------------------------------------------ */

static uint32_t slot_alloc(void)
{
    uint32_t slot = server.next;

    while (server.used[slot / 32] >> slot % 32 & 1) {
        slot = (slot + 1) % backing_count.slots;
    }
    server.used[slot / 32] |= 1u << slot % 32;
    server.next = (slot + 1) % backing_count.slots;
    backing_count.slots_free--;
    return slot;
}

void backing_slot_free(uint32_t slot)
{
    server.used[slot / 32] &= ~(1u << slot % 32);
    backing_count.slots_free++;
}

/* ---- Conversation ------------------------------------------------------------ */

static void ask(enum operation operation, uint32_t slot)
{
    request.state = ASKED;
    request.slot = slot;
    message_send(server.node, operation, &slot, 1);
}

void backing_message(uint32_t operation, const uint32_t *words)
{
    switch (operation) {
    case OPERATION_SERVES:
        backing_count.slots = backing_count.slots_free = words[0];
        request.state = IDLE;
        break;
    case OPERATION_GO:
        request.state = GRANTED;
        break;
    case OPERATION_PIECE:
        piece_take(request.frame, words);
        break;
    default:                    /* OPERATION_DONE */
        request.done = words[0];
        request.state = ANSWERED;
        break;
    }
}

/* Its head or tail may have come to the page while it was on its way. */
static void finish_out(struct process *p)
{
    if (!request.done || buffer_pins(p, request.page)) {
        backing_slot_free(request.slot);
        server.failed |= !request.done;
        return;
    }
    space_page_out(p, request.page, request.slot);
    frame_free(request.frame);
    buffer_page_gone(p, request.page);
    backing_count.outs++;
}

/* What p has waited for is there, or was already. */
static void came(struct process *p)
{
    if (p->state == PROCESS_PAGING && !space_is_out(p, p->wanted)) {
        p->state = PROCESS_RUNNABLE;
    }
    fault_came(p);
}

static void finish_in(struct process *p)
{
    if (!request.done) {
        frame_free(request.frame);
        server.failed = true;
        p->lost = true;
        return;
    }
    space_page_in(p, request.page, request.frame);
    backing_slot_free(request.slot);
    buffer_page_came(p, request.page);
    backing_count.ins++;
    came(p);
}

static void advance(void)
{
    if (request.state == GRANTED) {
        request.state = ASKED;
        pieces_send(server.node, OPERATION_STORE, request.frame);
    }
    if (request.state == ANSWERED) {
        request.state = IDLE;
        chores_wait = true;     /* others may want it next */
        if (request.out) {
            finish_out(request.p);
        } else {
            finish_in(request.p);
        }
    }
}

bool backing_idle(void)
{
    return request.state == IDLE;
}

void backing_wait(void)
{
    uint64_t start = now();

    while (request.state != IDLE) {
        message_serve();
        server_step();
        advance();
        if (now() - start > PATIENCE * read32(NI_U(NODES))) {
            panic("node %u, which has the backing store, does not answer",
                  (unsigned)server.node);
        }
        if (request.state != IDLE && !read32(NI_SECOND(PRESENT))) {
            wait_for_interrupt();
        }
    }
}

/* ---- Is there one? ----------------------------------------------------------- */

/* The lowest node that has a disk. */
static void look_for_server(void)
{
    server.state = NONE;
    for (uint32_t node = 0; node < read32(NI_U(NODES)); node++) {
        server.node = node;
        ask(OPERATION_WHO, 0);
        backing_wait();
        if (backing_count.slots) {
            server.state = FOUND;
            return;
        }
    }
}

bool backing_usable(void)
{
    if (server.state == NOT_ASKED) {
        look_for_server();
    }
    return backing_count.slots_free && !server.failed;
}

const char *backing_trouble(void)
{
    if (server.failed) {
        return ", and the disk of the backing store has failed";
    }
    if (server.state == NONE) {
        return ", and there is no backing store (give a node a disk: --disk "
               "NODE=FILE)";
    }
    return server.state == FOUND && !backing_count.slots_free ?
           ", and the backing store is full" : "";
}

/* ---- Pages -------------------------------------------------------------------- */

void backing_out(struct process *p, uint32_t page)
{
    request.out = true;
    request.p = p;
    request.page = page;
    request.frame = pte_physical(*space_entry(p, page, false));
    ask(OPERATION_PAGE_OUT, slot_alloc());
}

static void start_in(struct process *p, uint32_t page, uint32_t frame)
{
    request.out = false;
    request.p = p;
    request.page = page;
    request.frame = frame;
    ask(OPERATION_PAGE_IN, pte_slot(*space_entry(p, page, false)));
}

void backing_fetch(struct process *p, uint32_t page)
{
    p->state = PROCESS_PAGING;
    p->wanted = page & ~(GLAZE_PAGE - 1);
    chores_wait = true;
}

bool backing_fetch_now(struct process *p, uint32_t page)
{
    uint32_t frame = 0;

    page &= ~(GLAZE_PAGE - 1);
    backing_wait();
    if (space_is_out(p, page)) {
        frame = frame_for(p);
        if (!frame) {
            return false;
        }
        start_in(p, page, frame);
        backing_wait();
    }
    return !space_is_out(p, page);
}

void backing_leave_page(struct process *p, uint32_t page)
{
    if (request.p == p && request.page == page) {
        backing_wait();
    }
}

void backing_leave(struct process *p)
{
    if (request.p == p) {
        backing_wait();
    }
}

/* ---- Chores -------------------------------------------------------------------- */

/* The page that a process needs next; 0: none. */
static uint32_t page_wanted(const struct process *p)
{
    return p->state == PROCESS_ENDED ? 0 :
           p->faults ? p->fault[0] :
           p->state == PROCESS_PAGING ? p->wanted : 0;
}

/* The next process that waits for a page; those behind the last one first. */
static struct process *next_waiting(void)
{
    static unsigned last;

    for (unsigned i = 1; i <= JOBS_MAX; i++) {
        unsigned gid = (last + i - 1) % JOBS_MAX + 1;

        if (processes[gid] && page_wanted(processes[gid])) {
            last = gid;
            return processes[gid];
        }
    }
    return NULL;
}

static void fetch(struct process *p)
{
    uint32_t page = page_wanted(p), frame;

    if (p->lost) {
        job_abort(p, STATUS_OVERFLOW, "a page of it cannot be read: the disk "
                  "of the backing store has failed");
    } else if (!space_is_out(p, page)) {
        came(p);
    } else if ((frame = frame_alloc()) != 0) {
        start_in(p, page, frame);
    } else if (!evict_start() && !(p->faults && fault_stop(p)) &&
               !evict_job(p)) {
        job_overflow(p);
    }
    /* A job that has ended gives its frames when it is reaped. */
    chores_wait = current->state != PROCESS_ENDED;
}

/* What a buffer will need next comes while its process runs, if there are
 * frames to spare. */
static void read_ahead(void)
{
    for (unsigned gid = 1; gid <= JOBS_MAX; gid++) {
        struct process *p = processes[gid];
        uint32_t page;

        if (frames_free() <= frames_total() / SPARE || !p || p->suspended ||
            p->state == PROCESS_ENDED || p->lost) {
            continue;
        }
        page = buffer_ahead(p);
        if (page) {
            start_in(p, page, frame_alloc());
            return;
        }
    }
}

void backing_step(void)
{
    struct process *p;

    advance();
    if (request.state == IDLE && current->state != PROCESS_ENDED) {
        p = next_waiting();
        if (p) {
            fetch(p);
        } else {
            read_ahead();
        }
    }
}
