/*
 * Jobs.
 *
 * Each node knows the jobs of the command line before a program runs on any
 * node: each kernel makes the same list out of the same text (policy/listed.c). A
 * job with a number up to JOBS_MAX has that number as its GID. A later one gets
 * the GID of a job that has gone, after a flush (policy/flush.h).
 *
 * A job that starts later begins in two steps. Node 0 tells all nodes to make
 * their process (MAKE), and waits until all have answered (MADE). Then it tells
 * all nodes to run it (BEGIN). So each node has a process for a message before
 * any process can send one. If a node has too little memory, node 0 ends the
 * job.
 *
 * Each node tells node 0 when a process has ended. Node 0 stops the machine
 * after the last one.
 *
 * Whatever a node says about a job comes before its answer to the flush that
 * precedes the next job of that GID, since messages between two nodes of the
 * second network stay in order.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "policy/flush.h"
#include "policy/listed.h"
#include "machine/hardware.h"
#include "machine/kind.h"
#include "machine/chores.h"
#include "buffer/end.h"
#include "policy/job.h"
#include "policy/job_state.h"
#include "machine/message.h"
#include "machine/gids.h"
#include "machine/ni.h"
#include "machine/pending.h"
#include "policy/evict.h"
#include "policy/overflow.h"
#include "policy/pager.h"
#include "machine/print.h"
#include "delivery/control.h"
#include "machine/process.h"

static struct gids to_flush;    /* on node 0: GIDs that wait for a flush */

static uint32_t first_status;
static bool give_up;            /* node 0: the server has ended */

/* ---- Messages ------------------------------------------------------------ */

static void note_status(uint32_t status)
{
    if (status && !first_status) {
        first_status = status;
    }
}

static void job_left(uint32_t processes)
{
    job_processes_left -= processes;
    if (!job_processes_left) {
        machine_stop(first_status);
    }
}

static void end_all(uint32_t gid, uint32_t status)
{
    if (!jobs[gid].ending) {
        jobs[gid].ending = jobs[gid].tell_all = true;
        jobs[gid].status = status;
    }
}

static void ended(uint32_t gid, uint32_t status)
{
    if (gid == GID_SERVER) {
        end_all(gid, status);   /* one server alone is of no use */
        give_up |= jobs[gid].left == ni_nodes();   /* it is the first to end */
        jobs[gid].left--;
        return;
    }
    if (--jobs[gid].left == 0) {
        jobs[gid].tell_gone = true;
        jobs[gid].rest = SOME_REST;
    }
    note_status(status);
    job_left(1);
}

static void made(uint32_t gid, bool well)
{
    jobs[gid].failed |= !well;
    if (--jobs[gid].unmade == 0) {
        if (jobs[gid].failed) {
            end_all(gid, STATUS_COMMAND);
        } else {
            jobs[gid].tell_begin = true;
        }
    }
}

void job_message(uint32_t operation, const uint32_t *words)
{
    uint32_t gid = words[0];

    if (operation == OPERATION_FLUSH || operation == OPERATION_FLUSHED) {
        flush_message(operation, words);
        return;
    }
    if (gid > GID_MAX || !jobs[gid].process) {
        return;                 /* there is no such job */
    }
    job_note(gid);
    switch (operation) {
    case OPERATION_ENDED:
        ended(gid, words[1]);
        break;
    case OPERATION_END:
        jobs[gid].end_here = true;
        jobs[gid].status = words[1];
        break;
    case OPERATION_END_ALL:
        end_all(gid, words[1]);
        break;
    case OPERATION_GONE:
        jobs[gid].gone_here = true;
        break;
    case OPERATION_MAKE:
        jobs[gid].make_told = jobs[gid].make_here = true;
        jobs[gid].number = words[1];
        break;
    case OPERATION_MADE:
        made(gid, words[1]);
        break;
    case OPERATION_BEGIN:
        jobs[gid].begin_here = true;
        break;
    default:
        panic("operation %u of another kernel", (unsigned)operation);
    }
}

/* ---- The chore ------------------------------------------------------------ */

static void tell_all(enum operation operation, uint32_t gid, uint32_t word)
{
    uint32_t words[] = { gid, word };

    message_tell_all(operation, words, 2);
}

static void pass_on(enum operation operation, uint32_t gid, uint32_t word)
{
    uint32_t words[] = { gid, word };

    message_pass_on(operation, words, 2);
}

/* Clears a flag. Returns what it was. */
static bool take(bool *flag)
{
    bool was = *flag;

    *flag = false;
    return was;
}

/* Cycles for others between two parts of a process that is made. */
#define MAKE_PAUSE      10000

/* Makes a part of the process. Returns false if there are others. */
static __attribute__((cold)) bool make_part(struct process *p)
{
    enum memory_result result = process_make(p);

    if (result == MEMORY_LATER ||
        (result == MEMORY_NO_FRAME && !pager_make(p))) {
        chores_later(CHORE_JOBS, now() + MAKE_PAUSE);
    }
    return result == MEMORY_OK;
}

/*
 * Clears a part of what the last process of the GID has left. Returns true if nothing
 * is left; otherwise the chore goes on with the next part.
 */
static __attribute__((cold)) bool clear_part(uint32_t gid)
{
    if (!processes[gid] && !jobs[gid].cleared) {
        return true;
    }
    process_clear_part(jobs[gid].process, jobs[gid].cleared);
    jobs[gid].cleared = (jobs[gid].cleared + 1) % PROCESS_PARTS;
    chores_later(CHORE_JOBS, now());
    return false;
}

/*
 * Makes the process of this node, in parts. Pages may have to go out for it, and a
 * job may have to end first. If the process of the GID before it still has memory,
 * this waits until that is given back. Returns false if another call has to go on: the
 * chore is noted for it, or will be by the event that this waits for.
 */
static __attribute__((cold)) bool make(uint32_t gid)
{
    struct process *p = jobs[gid].process;
    uint32_t words[] = { gid, true };

    if (!jobs[gid].prepared) {
        if (!process_is_freed(p) || !clear_part(gid)) {
            return false;
        }
        job_gids[jobs[gid].number] = gid;
        job_prepare(gid);
        jobs[gid].prepared = true;
    }
    if (p->refused) {
        print("glaze: %s (job %u) cannot be started: node %u has too little "
              "memory left\n", p->program->name, (unsigned)gid,
              (unsigned)ni_node());
        process_give_up(p);
        job_tell_ended(p, STATUS_COMMAND);
        words[1] = false;
    } else if (!make_part(p)) {
        return false;
    }
    jobs[gid].prepared = false;
    message_send(0, OPERATION_MADE, words, 2);
    return true;
}

static void gone(struct process *p)
{
    p->job_gone = true;
    overflow_gone(p);
    processes_changed = true;
    process_note(p, GLAZE_E_GONE);
}

/* Cycles to give a job up, with its line. */
#define GIVE_UP_MOST    4000

/* Ends all jobs that have not been started: without a server, none will be. Returns
 * false if another entry into the kernel has to go on. */
static __attribute__((cold)) bool give_up_all(void)
{
    static uint32_t number;     /* of the job at which this has ended */
    static unsigned put_off;

    while (number < listed_count()) {
        if (!job_gids[number + 1]) {
            if (!kernel_begins(kernel_has_time(now(), GIVE_UP_MOST), &put_off)) {
                chores_later(CHORE_JOBS, now());
                return false;
            }
            print("glaze: %s (job %u) is not started: the scheduler's server "
                  "has ended\n", listed_job(number + 1).program->name,
                  (unsigned)(number + 1));
            note_status(STATUS_COMMAND);
            number++;
            job_left(ni_nodes());
        } else {
            number++;
        }
    }
    return true;
}

/* Begins a flush of all GIDs whose jobs have gone. */
static void flush_all(void)
{
    for (uint32_t gid = 1; gid <= JOBS_MAX; gid++) {
        if (jobs[gid].rest == SOME_REST) {
            jobs[gid].rest = REST_FLUSHED;
        }
    }
    flush_begin();
}

/*
 * Node 0: tells all nodes to make the job's process if no message with its GID
 * is in the network, as on a machine without messages. If one may be, the job waits
 * for a flush that has begun after the GID's last job has gone.
 */
static void tell_make(uint32_t gid)
{
    if (jobs[gid].rest == NO_REST || !kind->markers) {
        jobs[gid].tell_make = false;
        tell_all(OPERATION_MAKE, gid, jobs[gid].number);
        return;
    }
    if (!flush_is_under_way()) {
        flush_all();
    }
    gids_add(&to_flush, gid);
}

static void flushed(void)
{
    for (uint32_t gid = 1; gid <= JOBS_MAX; gid++) {
        if (jobs[gid].rest == REST_FLUSHED) {
            jobs[gid].rest = NO_REST;
        }
    }
    gids_each(gid, &to_flush) {
        gids_add(&job_to_tell, gid);
    }
    to_flush = (struct gids) { { 0 } };
}

static void settle_node_0(uint32_t gid)
{
    if (jobs[gid].tell_make) {
        tell_make(gid);
    }
    if (take(&jobs[gid].tell_begin)) {
        tell_all(OPERATION_BEGIN, gid, 0);
    }
    if (take(&jobs[gid].tell_all)) {
        tell_all(OPERATION_END, gid, jobs[gid].status);
    }
    if (take(&jobs[gid].tell_gone)) {
        tell_all(OPERATION_GONE, gid, 0);
    }
}

/*
 * Passes on, and does, what node 0 tells all nodes, in the order in which node 0 can
 * have told it. A node that was busy for long may learn at one time that a job has
 * ended and that the next one of its GID is to be made. The end of the new job cannot
 * be among them, unless its process has been made: node 0 has waited for that. Nor can
 * an end of the old one come later: each node asks for it before it says that its
 * process has ended, and the job has gone when all have said so. Nor GONE: node 0
 * sends it before MAKE.
 */
static void settle_here(uint32_t gid)
{
    struct process *p = jobs[gid].process;

    if (take(&jobs[gid].end_here)) {
        pass_on(OPERATION_END, gid, jobs[gid].status);
        job_exit(p, jobs[gid].status);
    }
    if (take(&jobs[gid].gone_here)) {
        pass_on(OPERATION_GONE, gid, 0);
        gone(p);
    }
    if (take(&jobs[gid].make_told)) {
        pass_on(OPERATION_MAKE, gid, jobs[gid].number);
    }
    if (jobs[gid].make_here && !make(gid)) {
        gids_add(&job_to_settle, gid);
    } else {
        jobs[gid].make_here = false;
    }
    if (take(&jobs[gid].begin_here)) {
        pass_on(OPERATION_BEGIN, gid, 0);
        if (p->state == PROCESS_NEW) {
            process_begin(p);
        }
    }
}

/* Cycles to tell nine others about a job, with waits for space in the network; to pass
 * its end on and end its process; or to make a part of a process. */
#define TELL_MOST       4500
#define END_MOST        7500
#define MAKE_MOST       12000

/* Returns whether this entry into the kernel has time for the job. */
static bool has_time_for(uint32_t gid)
{
    static unsigned put_off;

    uint32_t most = jobs[gid].make_here ? MAKE_MOST
                  : jobs[gid].end_here ? END_MOST : TELL_MOST;

    return kernel_begins(kernel_has_time(now(), most), &put_off);
}

/*
 * Settles each job of a set once, and takes it out, before settle_one() may put it
 * back. Returns false if the time is over before: then the chore goes on after the job
 * *at. So a job that puts itself back again and again keeps no other one waiting.
 */
static bool settle_each(struct gids *set, unsigned *at,
                        void (*settle_one)(uint32_t gid))
{
    bool all = *at == GID_NONE;
    unsigned gid;

    while ((gid = gids_after(set, *at))) {
        if (!has_time_for(gid)) {
            chores_later(CHORE_JOBS, now());
            return false;
        }
        *at = gid;
        gids_remove(set, gid);
        settle_one(gid);
    }
    *at = GID_NONE;
    if (!all) {
        chores_later(CHORE_JOBS, now());        /* for those before */
    }
    return true;
}

/*
 * The flush comes after settle_here(): what a node passes on about a job that has gone
 * comes before its part in the flush. There is one exception: what has come for a GID
 * before `here` while the entries had no time. It is passed on later, and still before
 * MAKE for that GID, since settle_here() keeps that order.
 */
void jobs_settle(void)
{
    static unsigned here, told;         /* the last jobs that have been settled */

    if (!settle_each(&job_to_settle, &here, settle_here)) {
        return;
    }
    if (flush_step()) {
        flushed();
    }
    if (!settle_each(&job_to_tell, &told, settle_node_0)) {
        return;
    }
    if (give_up && give_up_all()) {
        give_up = false;
    }
}
