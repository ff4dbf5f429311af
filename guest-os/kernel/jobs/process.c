/*
 * Processes: how they begin, run in turn, and end.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stddef.h>
#include <string.h>

#include "buffer.h"
#include "delivery.h"
#include "chores.h"
#include "directory.h"
#include "fpu.h"
#include "frames.h"
#include "hardware.h"
#include "memory.h"
#include "overflow.h"
#include "print.h"
#include "schedule.h"
#include "soft.h"
#include "space.h"
#include "upcall.h"

/* The assembly's offsets are the compiler's. */
#define CHECK(name, field) \
    _Static_assert(offsetof(struct process, field) == (name), #name)
CHECK(P_PSR, registers.psr);
CHECK(P_PC, registers.pc);
CHECK(P_NPC, registers.npc);
CHECK(P_TRAP, registers.trap);
CHECK(P_Y, registers.y);
CHECK(P_WINDOWS, registers.windows);
CHECK(P_G + 4, registers.g);
CHECK(P_OUT, registers.out);
CHECK(P_WINDOW, registers.window);
CHECK(P_INSERT, insert_next);
CHECK(P_INSERT + 4, insert_end);
CHECK(P_TAIL, tail);
CHECK(P_TAIL + 4, tail_note);
CHECK(P_SLOT_END, slot_end);
CHECK(P_TIMEOUT, timeout);
_Static_assert(sizeof(struct process) <= GLAZE_PAGE, "one page");
_Static_assert(offsetof(struct process, fp) % 8 == 0 &&
               offsetof(struct process, fp.f) % 8 == 0,
               "doubles go there");

#define CHECK_INFO(name, field) \
    _Static_assert(offsetof(struct information, field) == (name), #name)
CHECK_INFO(GLAZE_I_HEAD, head);
CHECK_INFO(GLAZE_I_STOP, stop);
CHECK_INFO(GLAZE_I_MODE, mode);
CHECK_INFO(GLAZE_I_HOLD, hold);
CHECK_INFO(GLAZE_I_INSERTED, inserted);
CHECK_INFO(GLAZE_I_CAUSES, causes);
CHECK_INFO(GLAZE_I_GANG, gang);
CHECK_INFO(GLAZE_I_SUSPENSIONS, suspensions);
CHECK_INFO(GLAZE_I_RESUMPTIONS, resumptions);
CHECK_INFO(GLAZE_I_ARRIVALS, arrivals);
CHECK_INFO(GLAZE_I_EMPTY, empty);
_Static_assert(offsetof(struct upcall_page, fp) == GLAZE_U_FP &&
               offsetof(struct upcall_page, arrivals) == GLAZE_U_ARRIVALS,
               "upcall page");
CHECK_INFO(GLAZE_I_ARGS_LENGTH, args_length);
CHECK_INFO(GLAZE_I_ARGS, args);
_Static_assert(sizeof(struct information) == GLAZE_PAGE, "one page");

struct process *current;
struct process *processes[JOBS_MAX + 1];

/* ---- Beginning ----------------------------------------------------------- */

/* Upcall, information and process page, one behind the other; or NULL. */
static struct process *pages_alloc(unsigned gid)
{
    uint32_t first = frames_alloc_together(3);
    struct process *p = (struct process *)(first + 2 * GLAZE_PAGE);

    if (!first) {
        return NULL;
    }
    p->gid = gid;
    p->info = (struct information *)(first + GLAZE_PAGE);
    p->info->gid = gid;
    p->info->node = read32(NI_U(NODE));
    p->info->nodes = read32(NI_U(NODES));
    return p;
}

bool process_create_idle(void)
{
    idle = current = pages_alloc(GID_NONE);
    if (!current) {
        return false;
    }
    current->info->mode = GLAZE_BUFFERED;
    current->state = PROCESS_NONE;
    return true;
}

static const char too_little_ram[] =
    "a node's RAM is too small for it and the jobs before it";

static unsigned first_word(const char *words, unsigned length)
{
    unsigned n = 0;

    while (n < length && words[n] != ' ') {
        n++;
    }
    return n;
}

static void registers_start(struct process *p)
{
    struct registers *r = &p->registers;

    r->psr = PSR_S;
    r->pc = p->program->entry & ~3u;
    r->npc = r->pc + 4;
    r->windows = 1;
    r->out[6] = GLAZE_MAIN_STACK_TOP - FRAME_MIN;
    r->g[6] = GLAZE_UPCALL;
    p->ni.uac = FUGU_UAC_INTERRUPT_DISABLE;
}

const char *process_create(unsigned gid, const char *words, unsigned length)
{
    const struct image_program *program =
        directory_program(words, first_word(words, length));
    struct process *p;

    if (!program) {
        return "there is no such program";
    }
    if (length > GLAZE_I_ARGS_MAX) {
        return "its arguments are too long";
    }
    p = pages_alloc(gid);
    if (!p) {
        return too_little_ram;
    }
    p->program = program;
    p->info->args_length = length;
    memcpy(p->info->args, words, length);
    if (!space_create(p, gid) || !memory_load(p) ||
        !space_map(p, GLAZE_UPCALL, (uint32_t)process_upcall(p),
                   ACCESS_RW_RW)) {
        return too_little_ram;
    }
    buffer_init(p);
    registers_start(p);
    p->state = PROCESS_RUNNABLE;
    processes[gid] = p;
    return NULL;
}

/* ---- In turn ----------------------------------------------------------------- */

static void ni_save(struct ni_state *ni)
{
    ni->uac = read32(NI_K(UAC));
    ni->descriptor_length = read32(NI_K(USER_LEN));
    for (uint32_t i = 0; i < ni->descriptor_length; i++) {
        ni->descriptor[i] = read32(NI_K(USER_OUT) + 4 * i);
    }
    ni->storeback_address = read32(NI_U(SB_ADDR));
    ni->storeback_offset = read32(NI_U(SB_OFFSET));
    write32(NI_K(USER_LEN), 0);
}

static void ni_load(const struct process *p)
{
    const struct ni_state *ni = &p->ni;
    bool buffered = p->info->mode == GLAZE_BUFFERED;

    for (uint32_t i = 0; i < ni->descriptor_length; i++) {
        write32(NI_K(USER_OUT) + 4 * i, ni->descriptor[i]);
    }
    write32(NI_K(USER_LEN), ni->descriptor_length);
    write32(NI_U(SB_ADDR), ni->storeback_address);
    write32(NI_U(SB_OFFSET), ni->storeback_offset);
    write32(NI_K(UAC), ni->uac);
    write32(NI_K(TIMEOUT), buffered ? 0 : atomicity_timeout);
    /* Together: what comes in between would be seen by the wrong one. */
    write32(NI_K(DIVERT), buffered);
    write32(NI_K(GID), p->gid);
}

static bool switched;

bool process_switched(void)
{
    bool result = switched;

    switched = false;
    return result;
}

void process_switch(struct process *p)
{
    if (p == current) {
        return;
    }
    if (current->state != PROCESS_NONE && !process_has_ended(current)) {
        delivery_free_network(GLAZE_IN_QUANTUM);
        ni_save(&current->ni);
        if (current->state != PROCESS_PAGING && current->fresh_next) {
            memset(current->fresh, 0, sizeof(current->fresh));
            current->fresh_next = 0;
            chores_wait |= CHORE_PAGER; /* they may go out now */
        }
    } else {
        write32(NI_K(USER_LEN), 0);
    }
    fpu_switch(p);
    switched = true;
    current = p;
    space_switch(p);
    ni_load(p);
}

/* Nothing must keep the message from interrupting the kernel's wait. */
void process_wait(void)
{
    uint32_t uac = read32(NI_K(UAC));

    current->state = PROCESS_WAITING;
    current->waits_with = uac & FUGU_UAC_USER;
    write32(NI_K(UAC), uac & ~FUGU_UAC_USER);
    current->registers.psr &= ~PSR_PIL;
}

void process_wake(struct process *p)
{
    if (p->state != PROCESS_WAITING) {
        return;
    }
    p->state = PROCESS_RUNNABLE;
    if (p == current) {
        write32(NI_K(UAC), read32(NI_K(UAC)) | p->waits_with);
    } else {
        p->ni.uac |= p->waits_with;
    }
}

void process_wait_for_page(struct process *p, uint32_t address)
{
    p->state = PROCESS_PAGING;
    p->wanted = address & ~(GLAZE_PAGE - 1);
    p->wants_table = false;
}

void process_page_came(struct process *p)
{
    if (p->state == PROCESS_PAGING) {
        p->state = PROCESS_RUNNABLE;
    }
}

void process_refuse(struct process *p)
{
    p->refused = true;
    process_page_came(p);
}

/* ---- End ----------------------------------------------------------------------- */

static bool doomed;             /* some process is */

void process_doom(struct process *p)
{
    p->state = PROCESS_DOOMED;
    p->insert_next = p->insert_end = 0;
    doomed = true;
}

/*
 * What is left is the page that says that it has ended, for the messages that
 * still come.
 */
static void reap(struct process *p)
{
    if (p == current) {
        process_switch(idle);
    }
    p->state = PROCESS_ENDED;
    overflow_forget(p);
    buffer_destroy(p);
    space_destroy(p);
    frame_free((uint32_t)process_upcall(p));
    fpu_forget(p);
    /* Another process may need its frames. */
    chores_wait |= CHORE_PAGER | CHORE_OVERFLOW;
}

bool process_reap_waits(void)
{
    return doomed;
}

void process_reap(void)
{
    if (!doomed) {
        return;
    }
    doomed = false;
    for (unsigned gid = 1; gid <= JOBS_MAX; gid++) {
        if (processes[gid] && processes[gid]->state == PROCESS_DOOMED) {
            reap(processes[gid]);
        }
    }
}
