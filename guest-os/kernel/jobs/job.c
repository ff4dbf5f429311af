/*
 * Jobs.
 *
 * Their GIDs are known to every node before a program runs on any: each
 * kernel makes the same list out of the same command line. Node 0 hears of
 * every process that has ended, and stops the machine after the last one.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "backing.h"
#include "buffer.h"
#include "directory.h"
#include "frames.h"
#include "hardware.h"
#include "job.h"
#include "message.h"
#include "parameter.h"
#include "print.h"
#include "schedule.h"
#include "server.h"

static const char separator[] = " + ";

/* What has become of each job, and of the machine: node 0 knows. */
static struct {
    uint32_t left;              /* processes that have not ended */
    bool ending;                /* all nodes are told to end it */
    bool tell_gone;             /* all are to be told that it has ended */
    /* Every node: chores that messages of other kernels have left. */
    bool tell_all;
    bool end_here;
    uint32_t status;
} jobs[JOBS_MAX + 1];
static uint32_t processes_left;
static uint32_t first_status;

uint32_t messages_dropped;

static uint32_t node(void)
{
    return read32(NI_U(NODE));
}

static uint32_t nodes(void)
{
    return read32(NI_U(NODES));
}

static void stop(uint32_t status)
{
    write32(FUGU_CONTROL_BASE + FUGU_CONTROL_STOP, status);
}

/* ---- The command line ------------------------------------------------------ */

static bool starts_with(const char *text, const char *with)
{
    while (*with && *text == *with) {
        text++;
        with++;
    }
    return !*with;
}

/* The length of the words up to the next separator or the end. */
static unsigned job_length(const char *words)
{
    unsigned length = 0;

    while (words[length] && !starts_with(words + length, separator)) {
        length++;
    }
    return length;
}

void jobs_refuse(const char *why)
{
    if (node() == 0) {
        if (why) {
            print("glaze: %s\n", why);
        }
        stop(STATUS_COMMAND);
    }
    for (;;) {
        wait_for_interrupt();
    }
}

static void refuse_job(unsigned gid, const char *why)
{
    if (node() == 0) {
        print("glaze: job %u cannot be started: %s\n", gid, why);
    }
    jobs_refuse(NULL);
}

void jobs_create(void)
{
    const char *words = (const char *)(FUGU_PARAM_BASE + FUGU_PARAM_CMDLINE);
    unsigned gid = 1;

    words = parameters_take(words);
    if (!words) {
        jobs_refuse(NULL);
    }
    while (*words) {
        unsigned length = job_length(words);

        const char *wrong = gid > JOBS_MAX ? "there are too many" :
                            process_create(gid, words, length);

        if (wrong) {
            refuse_job(gid, wrong);
        }
        jobs[gid].left = nodes();
        processes_left += nodes();
        gid++;
        words += length;
        words += *words ? sizeof(separator) - 1 : 0;
    }
    if (frames_free() < SERVER_FRAMES) {
        jobs_refuse("a node's RAM is too small for so many jobs");
    }
    if (!processes_left) {
        stop(0);
    }
}

/* ---- Ends -------------------------------------------------------------------- */

static void tell_node_0(enum operation operation, uint32_t gid,
                        uint32_t status)
{
    uint32_t words[] = { gid, status };

    message_send(0, operation, words, 2);
}

void job_exit(struct process *p, uint32_t status)
{
    if (!process_has_ended(p)) {
        process_doom(p);
        tell_node_0(OPERATION_ENDED, p->gid, status);
    }
}

static void job_end(struct process *p, uint32_t status)
{
    tell_node_0(OPERATION_END_ALL, p->gid, status);
    job_exit(p, status);
}

static void print_end(struct process *p, const char *cause)
{
    print("glaze: %s (job %u) on node %u is ended: %s", p->program->name,
          (unsigned)p->gid, (unsigned)node(), cause);
}

static void print_place(struct process *p)
{
    print("; pc 0x%08x", (unsigned)p->registers.pc);
    directory_print_place(p->program, p->registers.pc);
    print("\n");
}

void job_fault(struct process *p, const char *cause)
{
    if (!process_has_ended(p)) {
        print_end(p, cause);
        print_place(p);
        job_end(p, STATUS_FAULT);
    }
}

void job_fault_at(struct process *p, const char *cause, uint32_t address)
{
    if (!process_has_ended(p)) {
        print_end(p, cause);
        print(", address 0x%08x", (unsigned)address);
        print_place(p);
        job_end(p, STATUS_FAULT);
    }
}

void job_abort(struct process *p, uint32_t status, const char *text)
{
    if (!process_has_ended(p)) {
        print_end(p, text);
        print("\n");
        job_end(p, status);
    }
}

void job_overflow(struct process *p)
{
    if (!process_has_ended(p)) {
        print_end(p, buffer_is_full(p) ? "its message buffer is full" :
                     "the node has no memory left for it");
        print("%s: %u pages, %u of them for %u messages in its buffer\n",
              buffer_is_full(p) ? "" : backing_trouble(),
              (unsigned)(p->pages + p->pages_out),
              (unsigned)(p->buffer_pages + p->buffer_pages_out),
              (unsigned)buffer_messages(p));
        job_end(p, STATUS_OVERFLOW);
    }
}

void job_wrong_gid(uint32_t gid, uint32_t source)
{
    print("glaze: node %u: a message of node %u has GID %u, which no job "
          "has\n", (unsigned)node(), (unsigned)source, (unsigned)gid);
}

void job_count_dropped(void)
{
    messages_dropped++;
}

/* ---- What kernels tell each other ------------------------------------------- */

static void ended(uint32_t gid, uint32_t status)
{
    jobs[gid].tell_gone = --jobs[gid].left == 0;
    if (status && !first_status) {
        first_status = status;
    }
    if (--processes_left == 0) {
        stop(first_status);
    }
}

static void tell_all(enum operation operation, uint32_t gid)
{
    uint32_t words[] = { gid, jobs[gid].status };

    for (uint32_t n = 0; n < nodes(); n++) {
        message_send(n, operation, words, 2);
    }
}

void job_message(uint32_t operation, const uint32_t *words)
{
    uint32_t gid = words[0];

    if (gid > JOBS_MAX || !processes[gid]) {
        return;                 /* a job that nobody has: nothing to end */
    }
    switch (operation) {
    case OPERATION_ENDED:
        ended(gid, words[1]);
        break;
    case OPERATION_END:
        jobs[gid].end_here = true;
        jobs[gid].status = words[1];
        break;
    case OPERATION_GONE:
        schedule_job_gone(gid);
        break;
    case OPERATION_END_ALL:
        if (!jobs[gid].ending) {
            jobs[gid].ending = jobs[gid].tell_all = true;
            jobs[gid].status = words[1];
        }
        break;
    default:
        panic("operation %u of another kernel", (unsigned)operation);
    }
}

void jobs_settle(void)
{
    for (uint32_t gid = 1; gid <= JOBS_MAX; gid++) {
        if (jobs[gid].tell_all) {
            jobs[gid].tell_all = false;
            tell_all(OPERATION_END, gid);
        }
        if (jobs[gid].tell_gone) {
            jobs[gid].tell_gone = false;
            tell_all(OPERATION_GONE, gid);
        }
        if (jobs[gid].end_here) {
            jobs[gid].end_here = false;
            job_exit(processes[gid], jobs[gid].status);
        }
    }
}
