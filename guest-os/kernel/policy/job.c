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
#include <errno.h>
#include <string.h>

#include "machine/directory.h"
#include "policy/flush.h"
#include "policy/listed.h"
#include "machine/hardware.h"
#include "machine/kind.h"
#include "machine/chores.h"
#include "buffer/end.h"
#include "policy/job.h"
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

/* On node 0: which messages of the GID's last job may be in the network. */
enum rest {
    NO_REST,                    /* none: no job has had the GID, or the job has
                                   gone and a flush has followed */
    SOME_REST,
    REST_FLUSHED,               /* none after the flush that is under way */
};

/* The state of each GID. */
static struct {
    struct process *process;    /* of this node; NULL: no job gets this GID */
    uint32_t number;            /* of its job, the last one; 0: none yet */
    /* On node 0. */
    uint16_t left;              /* processes that have not ended */
    uint16_t unmade;            /* nodes that have not answered MAKE */
    uint8_t rest;               /* enum rest */
    bool failed;                /* a node could not make its process */
    bool ending;                /* all nodes have been told to end it */
    /* On node 0, for jobs_settle(). */
    bool tell_make;             /* tell all nodes to make it, */
    bool tell_begin;            /* to run it, */
    bool tell_gone;             /* that it has ended, */
    bool tell_all;              /* or to end it */
    /* On each node, for jobs_settle(). */
    bool make_told;             /* pass on that the process is to be made, */
    bool make_here;             /* make the process of this node, */
    uint8_t cleared;            /* parts of the last one that have been cleared for
                                   it; 0: all, or none yet, */
    bool prepared;              /* and that it has been begun, */
    bool begin_here;            /* let it run, */
    bool gone_here;             /* note that the job has ended, */
    bool end_here;              /* or end it */
    uint32_t status;            /* the status to end it with */
} jobs[GID_MAX + 1];

/* The GIDs for which jobs_settle() has something to do: on this node, and as node 0.
 * And those that wait for a flush, on node 0. */
static struct gids to_settle, to_tell, to_flush;

static uint8_t gids[GLAZE_JOBS_LISTED + 1];   /* by job's number; 0: none yet */
static uint32_t processes_left;
static uint32_t first_status;
static bool give_up;            /* node 0: the server has ended */

static uint32_t nodes(void)
{
    return ni_nodes();
}

static void note(uint32_t gid)
{
    gids_add(&to_settle, gid);
    gids_add(&to_tell, gid);
    chores_wait |= CHORE_JOBS;
}

/* ---- The command line ---------------------------------------------------- */

static const char too_little_ram[] =
    "a node's RAM is too small for it and the jobs before it";

/* Gives a GID to a job of the command line. */
static void give(uint32_t gid, uint32_t number)
{
    jobs[gid].number = number;
    jobs[gid].left = nodes();
    jobs[gid].failed = jobs[gid].ending = false;
    gids[number] = gid;
}

static __attribute__((cold)) void prepare(uint32_t gid)
{
    struct listed job = listed_job(jobs[gid].number);

    process_prepare(jobs[gid].process, job.program, job.name, job.name_length,
                    job.rest, job.rest_length);
    jobs[gid].process->number = jobs[gid].number;
    jobs[gid].process->info->job = jobs[gid].number;
}

/* For the start, when no program runs. Returns false if too few frames are free. */
static __attribute__((cold)) bool make_and_begin(struct process *p)
{
    enum memory_result result;

    do {
        result = process_make(p);
    } while (result == MEMORY_LATER);
    if (result == MEMORY_OK) {
        process_begin(p);
    }
    return result == MEMORY_OK;
}

/* Takes the pages of a GID. Makes the job of that number, if it begins now. */
static __attribute__((cold)) bool begin(uint32_t gid)
{
    jobs[gid].process = process_alloc(gid);
    if (!jobs[gid].process) {
        return false;
    }
    if (listed_job(gid).begins) {
        return true;
    }
    give(gid, gid);
    prepare(gid);
    return make_and_begin(jobs[gid].process);
}

__attribute__((cold)) const char *jobs_begin(unsigned *number)
{
    uint32_t count = listed_count();

    processes_recur = count > JOBS_MAX;
    processes_left = count * nodes();
    for (*number = 1; *number <= count; ++*number) {
        bool later = *number > JOBS_MAX || listed_job(*number).begins;

        if (later && !directory_scheduler()) {
            return "that takes the scheduler's server";
        }
        if (*number <= JOBS_MAX && !begin(*number)) {
            return too_little_ram;
        }
    }
    return NULL;
}

__attribute__((cold)) bool job_add_server(void)
{
    const struct image_program *program = directory_scheduler();
    struct process *p;

    if (!program) {
        return true;
    }
    p = jobs[GID_SERVER].process = process_alloc(GID_SERVER);
    if (!p) {
        return false;
    }
    jobs[GID_SERVER].left = nodes();
    process_prepare(p, program, program->name, strlen(program->name), "", 0);
    return make_and_begin(p);
}

/* ---- What the server asks for -------------------------------------------- */

/* Returns when a job is to be started; 0: the kernel has done so at the start. */
static uint64_t begins(uint32_t number)
{
    uint64_t time = listed_job(number).begins;

    return time || number <= JOBS_MAX ? time : 1;
}

static uint32_t state(uint32_t number)
{
    uint32_t gid = gids[number];
    const struct process *p = jobs[gid].process;

    if (!gid) {
        return GLAZE_JOB_WAITS;
    }
    if (jobs[gid].number != number) {
        return GLAZE_JOB_GONE;
    }
    if (jobs[gid].unmade || p->state <= PROCESS_NEW) {
        return GLAZE_JOB_STARTS;
    }
    return p->job_gone ? GLAZE_JOB_GONE : GLAZE_JOB_RUNS;
}

int32_t job_describe(uint32_t number, struct glaze_job *job)
{
    if (number - 1 >= listed_count()) {
        return -ENOENT;
    }
    job->begins = begins(number);
    job->state = state(number);
    job->gid = gids[number];
    return 0;
}

/* Returns whether the GID's job has gone, and the server has taken the event:
 * the next events of this GID are the next job's. */
static bool is_free(uint32_t gid)
{
    const struct process *p = jobs[gid].process;

    return jobs[gid].number && !jobs[gid].left && p->job_gone &&
           !(p->events & GLAZE_E_GONE);
}

/* Returns a free GID, one that needs no flush if possible; 0: there is none. */
static uint32_t free_gid(void)
{
    uint32_t found = 0;

    for (uint32_t gid = 1; gid <= JOBS_MAX; gid++) {
        if (is_free(gid) && (!found || jobs[gid].rest == NO_REST)) {
            found = gid;
            if (jobs[gid].rest == NO_REST) {
                break;
            }
        }
    }
    return found;
}

int32_t job_start(uint32_t number)
{
    uint32_t gid = number;

    if (ni_node()) {
        return -EINVAL;
    }
    if (number - 1 >= listed_count()) {
        return -ENOENT;
    }
    if (gids[number]) {
        return -EEXIST;
    }
    if (number > JOBS_MAX) {
        gid = free_gid();
    }
    if (!gid) {
        return -EAGAIN;
    }
    give(gid, number);
    jobs[gid].tell_make = true;
    jobs[gid].unmade = nodes();
    note(gid);
    return gid;
}

/* ---- Messages ------------------------------------------------------------ */

static void note_status(uint32_t status)
{
    if (status && !first_status) {
        first_status = status;
    }
}

static void job_left(uint32_t processes)
{
    processes_left -= processes;
    if (!processes_left) {
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
        give_up |= jobs[gid].left == nodes();   /* it is the first to end */
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
    note(gid);
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
        gids[jobs[gid].number] = gid;
        prepare(gid);
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
        if (!gids[number + 1]) {
            if (!kernel_begins(kernel_has_time(now(), GIVE_UP_MOST), &put_off)) {
                chores_later(CHORE_JOBS, now());
                return false;
            }
            print("glaze: %s (job %u) is not started: the scheduler's server "
                  "has ended\n", listed_job(number + 1).program->name,
                  (unsigned)(number + 1));
            note_status(STATUS_COMMAND);
            number++;
            job_left(nodes());
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
        gids_add(&to_tell, gid);
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
        gids_add(&to_settle, gid);
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

    if (!settle_each(&to_settle, &here, settle_here)) {
        return;
    }
    if (flush_step()) {
        flushed();
    }
    if (!settle_each(&to_tell, &told, settle_node_0)) {
        return;
    }
    if (give_up && give_up_all()) {
        give_up = false;
    }
}
