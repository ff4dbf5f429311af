/*
 * The M-Machine's message interface: the registers of the user's and the kernel's
 * page
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "hw/fugu/devices/device.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/ni/m-machine/extract.h"
#include "hw/fugu/ni/m-machine/inject.h"
#include "hw/fugu/ni/m-machine/regs.h"
#include "hw/fugu/ni/m-machine/tables.h"
#include "hw/fugu/ni/m-machine/watchdog.h"
#include "hw/fugu/ni/system/absent.h"
#include "hw/fugu/ni/system/flags.h"
#include "hw/fugu/ni/system/regs.h"
#include "hw/fugu/trace.h"

#define FIRST           FUGU_K_MM_GTLB

/* Whether @offset is in the @n words of register @first; sets *@i to which. */
static bool is_at(hwaddr offset, hwaddr first, unsigned n, unsigned *i)
{
    *i = (offset - first) / 4;
    return offset >= first && *i < n;
}

/* ---- Reading ------------------------------------------------------------ */

static uint32_t one_read(const MMachineNI *ni, hwaddr offset, bool *ok)
{
    switch (offset) {
    case FUGU_K_MM_GTLB:
        return ni->tables.at_segment;
    case FUGU_K_MM_HANDLER:
        return ni->tables.at_handler;
    case FUGU_K_MM_MISS_DEST:
        return ni->tables.miss_dest;
    case FUGU_K_MM_MISS_IP:
        return ni->tables.miss_ip;
    case FUGU_K_MM_PRIORITY:
        return ni->main_priority;
    case FUGU_K_MM_RULES:
        return ni->rules;
    case FUGU_K_MM_IRQ:
        return ni->irqs;
    case FUGU_K_MM_WATCHDOG:
        return ni->watchdog;
    }
    *ok = false;
    return 0;
}

/*
 * A load of MsgHead takes nothing, and gives 0, before the word has come; one of
 * MsgBody stays on the bus until it comes. What a debugger looks at stays.
 */
static uint32_t head_read(MMachineNI *ni, unsigned i)
{
    uint32_t word = 0;

    if (fugu_device_peeked() || ni->extraction[i].state == FUGU_MM_SLOT_ON ||
        !mm_peek(ni, i, true, fugu_node_time(ni->node), &word)) {
        return 0;
    }
    mm_pop(ni, i, true);
    return word;
}

static uint32_t body_read(MMachineNI *ni, unsigned i, bool *ok)
{
    int64_t now = fugu_node_time(ni->node);
    int64_t time = mm_body_time(ni, i);
    uint32_t word = 0;

    if (fugu_device_peeked() || ni->extraction[i].state == FUGU_MM_SLOT_ON) {
        return 0;
    }
    if (time == FUGU_NEVER) {           /* it has not been written yet */
        ni->main_reads = i;
        fugu_system_load_waits(&ni->parent_obj, FUGU_WAIT_WORD, ok);
        return 0;
    }
    if (time > now) {
        CPU(&ni->node->cpu)->neg.cycles_left -= time - now;
    }
    if (mm_peek(ni, i, false, fugu_node_time(ni->node), &word)) {
        mm_pop(ni, i, false);
    }
    return word;
}

/* ---- Of interfaces that SEND is compared with ------------------------------- */

/* The processor is held while a word crosses its pins. */
static void cross_pins(MMachineNI *ni)
{
    CPU(&ni->node->cpu)->neg.cycles_left -=
        ni->node->machine->options.pin_cycles;
}

/* Whether @context may take messages of priority @i: the main one, if the slot does
 * not, and the slot. */
static bool may_take(const MMachineNI *ni, unsigned context, unsigned i)
{
    return context ? context == i + 1
                   : ni->extraction[i].state != FUGU_MM_SLOT_ON;
}

/*
 * A load of MsgHead or MsgBody by the user. The main context's holds the processor
 * until a word of a body comes, if it has left its sender; it does not wait for a
 * message. What a debugger looks at stays.
 */
static uint32_t mapped_read(MMachineNI *ni, bool head, unsigned i, bool *ok)
{
    unsigned context = sparcle_context(&ni->node->cpu.env);
    int64_t now = fugu_node_time(ni->node);
    int64_t time = head ? 0 : mm_body_time(ni, i);
    uint32_t word = 0;

    if (fugu_device_peeked() || !may_take(ni, context, i)) {
        return 0;
    }
    if (context == 0 && time > now && time != FUGU_NEVER) {
        CPU(&ni->node->cpu)->neg.cycles_left -= time - now;
        now = time;
    }
    if (!mm_peek(ni, i, head, now, &word)) {
        if (context || !head) {
            ni->main_reads = context ? ni->main_reads : i;
            fugu_system_load_waits(&ni->parent_obj, head ? FUGU_WAIT_MESSAGE
                                                         : FUGU_WAIT_WORD, ok);
        } else {
            cross_pins(ni);
        }
        return 0;
    }
    mm_pop(ni, i, head);
    if (context && head) {
        mm_began(ni, i);
        mm_watchdog_began(ni, i);
    }
    cross_pins(ni);
    return word;
}

/* Whether @offset is a priority's register of those that begin at @first; sets *@i to
 * the priority. */
static bool is_word_of_pair(hwaddr offset, hwaddr first, unsigned *i)
{
    *i = (offset - first) / 8;
    return offset >= first && *i < FUGU_MM_PRIORITIES &&
           (offset - first) % 8 == 0;
}

/* Whether a load at @offset takes a word. */
static bool is_taken_from(hwaddr offset)
{
    unsigned i;

    return is_word_of_pair(offset, FUGU_U_MM_HEAD, &i) ||
           is_word_of_pair(offset, FUGU_U_MM_BODY, &i);
}

static uint32_t user_read(FuguSystemNI *system, hwaddr offset, bool *ok)
{
    MMachineNI *ni = mm_of(system);
    bool copies = ni->rules & FUGU_MM_RULE_COPIES;
    unsigned i;

    if (offset == FUGU_U_MM_ACK) {
        return mm_acks(ni, sparcle_context(&ni->node->cpu.env));
    }
    if (copies && is_word_of_pair(offset, FUGU_U_MM_HEAD, &i)) {
        return mapped_read(ni, true, i, ok);
    }
    if (copies && is_word_of_pair(offset, FUGU_U_MM_BODY, &i)) {
        return mapped_read(ni, false, i, ok);
    }
    return fugu_absent_user_read(system, offset, ok);
}

static MemTxResult user_write(FuguSystemNI *system, hwaddr offset,
                              unsigned size, uint64_t value)
{
    MMachineNI *ni = mm_of(system);
    unsigned i;
    bool last = is_at(offset, FUGU_U_MM_PUT_LAST, FUGU_MM_PUT_WORDS, &i);
    int tt;

    if (size == 4 && (ni->rules & FUGU_MM_RULE_COPIES) && is_taken_from(offset)) {
        return MEMTX_OK;        /* of a swap, whose load has taken the word */
    }
    if (size == 8 || !(ni->rules & FUGU_MM_RULE_COPIES) ||
        (!last && !is_at(offset, FUGU_U_MM_PUT, FUGU_MM_PUT_WORDS, &i))) {
        return fugu_absent_user_write(system, offset, size, value);
    }
    tt = mm_put(ni, sparcle_context(&ni->node->cpu.env),
                i | (last ? FUGU_MM_LAST : 0), value,
                ni->node->machine->options.pin_cycles);
    if (tt == SPARCLE_WAIT) {
        return fugu_system_leave_wait(system, ni->node->wait);
    }
    if (tt) {
        return fugu_system_leave_trap(system, tt);
    }
    cross_pins(ni);
    fugu_system_update(system);
    return MEMTX_OK;
}

/* ---- The kernel's page ------------------------------------------------------ */

/* Whether each priority has a register at @offset. */
static bool is_of_priority(hwaddr offset)
{
    return (offset >= FUGU_K_MM_START && offset < FUGU_K_MM_IRQ) ||
           (offset >= FUGU_K_MM_ADDRESS && offset < FUGU_K_MM_CAUSE + 8);
}

/* Reads a register that each priority has. */
static uint32_t priority_read(MMachineNI *ni, hwaddr reg, unsigned i, bool *ok)
{
    const MMExtraction *x = &ni->extraction[i];

    switch (reg) {
    case FUGU_K_MM_START:
        return sparcle_bank(&ni->node->cpu.env, i + 1)->pc;
    case FUGU_K_MM_STATE:
        return x->state;
    case FUGU_K_MM_FAULT:
        return x->fault;
    case FUGU_K_MM_ADDRESS:
        return x->fault_address;
    case FUGU_K_MM_CAUSE:
        return x->fault_cause;
    case FUGU_K_MM_GID:
        return x->gid;
    case FUGU_K_MM_WORDS:
        return ni->channel[i].queue_words;
    case FUGU_K_MM_SPACE:
        return ni->channel[i].space;
    case FUGU_K_MM_LEFT:
        return x->left;
    case FUGU_K_MM_HEAD:
        return head_read(ni, i);
    case FUGU_K_MM_BODY:
        return body_read(ni, i, ok);
    }
    *ok = false;
    return 0;
}

static uint32_t kernel_read(FuguSystemNI *system, hwaddr offset, bool *ok)
{
    MMachineNI *ni = mm_of(system);
    unsigned i;

    if (offset < FIRST) {
        return fugu_absent_kernel_read(system, offset, ok);
    }
    if (is_at(offset, FUGU_K_MM_SEGMENT, FUGU_MM_SEG_WORDS, &i)) {
        return ni->tables.segment[ni->tables.at_segment][i];
    }
    if (is_at(offset, FUGU_K_MM_ENTRY, FUGU_MM_ENTRY_WORDS, &i)) {
        return ni->tables.handler[ni->tables.at_handler][i];
    }
    if (is_at(offset, FUGU_K_MM_BUSY, SPARCLE_CONTEXTS, &i)) {
        return fugu_node_busy(ni->node, i);
    }
    if (is_of_priority(offset)) {
        return priority_read(ni, offset & ~(hwaddr)7, offset / 4 % 2, ok);
    }
    return one_read(ni, offset, ok);
}

/* ---- Writing ------------------------------------------------------------ */

/* Stores @value, which may be up to @max, to *@reg. */
static bool set(uint32_t *reg, uint32_t value, uint32_t max)
{
    if (value > max) {
        return false;
    }
    *reg = value;
    return true;
}

static bool one_write(MMachineNI *ni, hwaddr offset, uint32_t value)
{
    switch (offset) {
    case FUGU_K_MM_GTLB:
        return set(&ni->tables.at_segment, value, FUGU_MM_GTLB - 1);
    case FUGU_K_MM_HANDLER:
        return set(&ni->tables.at_handler, value, FUGU_MM_HANDLERS - 1);
    case FUGU_K_MM_PRIORITY:
        return set(&ni->main_priority, value, FUGU_MM_PRIORITIES - 1);
    case FUGU_K_MM_RULES:
        if (value <= FUGU_MM_RULES) {
            mm_rules_changed(ni);
        }
        return set(&ni->rules, value, FUGU_MM_RULES);
    case FUGU_K_MM_IRQ:
        return set(&ni->irqs, value, (1u << FUGU_MM_PRIORITIES) - 1);
    case FUGU_K_MM_WATCHDOG:
        mm_watchdog_set(ni, value);
        return true;
    }
    return false;
}

static bool start(MMachineNI *ni, unsigned i, uint32_t pc)
{
    if (pc % 4) {
        return false;
    }
    mm_close_stream(ni, i + 1);
    ni->extraction[i].state = FUGU_MM_SLOT_ON;
    if (ni->node->seen) {
        fugu_seen_slot_ends(ni->node->seen, fugu_node_time(ni->node), i);
    }
    sparcle_start_slot(&ni->node->cpu.env, i + 1, pc, 0);
    fugu_node_set_slot(ni->node, i + 1, true);
    mm_watchdog_began(ni, i);
    return true;
}

/* A slot that is off keeps its registers, and may not go on: it is started. Nor can it
 * be held. One that is held keeps its instruction, which it tries when it goes on. */
static bool state_write(MMachineNI *ni, unsigned i, uint32_t state)
{
    MMExtraction *x = &ni->extraction[i];

    if (state == FUGU_MM_SLOT_FAULT || state > FUGU_MM_SLOT_HELD ||
        (state != FUGU_MM_SLOT_OFF && x->state == FUGU_MM_SLOT_OFF)) {
        return false;
    }
    if (state == FUGU_MM_SLOT_OFF) {
        mm_close_stream(ni, i + 1);
    }
    x->state = state;
    fugu_node_set_slot(ni->node, i + 1, state == FUGU_MM_SLOT_ON);
    mm_watchdog_rearm(ni, i);
    if (state == FUGU_MM_SLOT_OFF && ni->node->seen) {
        fugu_seen_slot_ends(ni->node->seen, fugu_node_time(ni->node), i);
    } else if (state == FUGU_MM_SLOT_HELD && ni->node->seen) {
        fugu_seen_slot_does(ni->node->seen, fugu_node_time(ni->node), i,
                            FUGU_NAME_HELD);
    }
    return true;
}

static bool priority_write(MMachineNI *ni, hwaddr reg, unsigned i,
                           uint32_t value)
{
    switch (reg) {
    case FUGU_K_MM_START:
        return start(ni, i, value);
    case FUGU_K_MM_STATE:
        return state_write(ni, i, value);
    }
    return false;
}

static bool register_write(MMachineNI *ni, hwaddr offset, uint32_t value)
{
    unsigned i;

    if (is_at(offset, FUGU_K_MM_SEGMENT, FUGU_MM_SEG_WORDS, &i)) {
        return mm_segment_write(&ni->tables, i, value);
    }
    if (is_at(offset, FUGU_K_MM_ENTRY, FUGU_MM_ENTRY_WORDS, &i)) {
        return mm_handler_write(&ni->tables, i, value);
    }
    if (offset >= FUGU_K_MM_START && offset < FUGU_K_MM_IRQ) {
        return priority_write(ni, offset & ~(hwaddr)7, offset / 4 % 2, value);
    }
    return one_write(ni, offset, value);
}

static MemTxResult kernel_write(FuguSystemNI *system, hwaddr offset,
                                unsigned size, uint64_t value)
{
    MMachineNI *ni = mm_of(system);

    if (offset < FIRST) {
        return fugu_absent_kernel_write(system, offset, size, value);
    }
    if (size == 8 || !register_write(ni, offset, value)) {
        return fugu_system_violation(system, "kernel", offset);
    }
    trace_fugu_ni_control(ni->node->number, offset, value,
                          fugu_node_time(ni->node));
    mm_extraction_rearm(ni);
    fugu_system_update(system);
    return MEMTX_OK;
}

void mm_class_init_regs(FuguSystemNIClass *part)
{
    part->user_read = user_read;
    part->user_write = user_write;
    part->kernel_read = kernel_read;
    part->kernel_write = kernel_write;
}
