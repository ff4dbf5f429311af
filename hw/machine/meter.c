/*
 * Meter: what the processes of a node have sent, received and used
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "hw/fugu/machine/meter.h"

static uint32_t index_of(uint32_t gid)
{
    return MIN(gid, FUGU_METER_GIDS);
}

/* ---- Cycles -------------------------------------------------------------- */

/* Charges the GID whose message the slot that runs is for. */
static __attribute__((cold, noinline))
void charge_slot(FuguMeter *m, uint64_t cycles)
{
    uint64_t *counter = m->counts[m->slot].counter;

    counter[FUGU_METER_CYCLES] += cycles;
    counter[FUGU_METER_HANDLING] += cycles;
    if (m->slot == m->served) {
        m->before += cycles;    /* they are counted as a handler's already */
    }
}

/* Charges the GID that pays with the cycles until now. They are a handler's if it is
 * served and handles a message: those of an insertion that another process pays for
 * are not. */
static void charge(FuguMeter *m, int64_t now)
{
    FuguMeterCounts *c = &m->counts[m->payer];
    uint64_t cycles = now - m->mark;

    m->mark = now;
    if (unlikely(m->in_slot)) {
        charge_slot(m, cycles);
        return;
    }
    c->counter[FUGU_METER_CYCLES] += cycles;
    if (c->handling && m->payer == m->served) {
        c->counter[FUGU_METER_HANDLING] += cycles;
    }
}

/* From now on the GID that is served pays. A handler that begins with the next
 * return to user mode has begun now. */
static void meter_begin(FuguMeter *m, int64_t now)
{
    charge(m, now);
    m->payer = m->served;
    m->before = m->counts[m->served].counter[FUGU_METER_CYCLES];
}

void fugu_meter_enter(FuguMeter *m, int64_t now, bool forced)
{
    meter_begin(m, now);
    m->counts[m->served].forced = forced;
}

void fugu_meter_leave(FuguMeter *m, int64_t now, bool forced)
{
    FuguMeterCounts *c = &m->counts[m->served];

    charge(m, now);
    m->payer = m->served;
    if (!forced) {
        c->handling = false;
    } else if (!c->forced && !c->handling) {
        c->handling = true;
        c->counter[FUGU_METER_HANDLING] +=
            c->counter[FUGU_METER_CYCLES] - m->before;
    }
}

void fugu_meter_user(FuguMeter *m, int64_t now, bool forced)
{
    if (!forced && m->counts[m->served].handling) {
        charge(m, now);
        m->counts[m->served].handling = false;
    }
}

void fugu_meter_serve(FuguMeter *m, int64_t now, uint32_t gid)
{
    charge(m, now);
    m->served = index_of(gid);
    meter_begin(m, now);
}

void fugu_meter_wait(FuguMeter *m, int64_t now)
{
    meter_begin(m, now);
}

void fugu_meter_slot(FuguMeter *m, int64_t now, uint32_t gid)
{
    charge(m, now);
    m->in_slot = true;
    m->slot = index_of(gid);
}

void fugu_meter_main(FuguMeter *m, int64_t now)
{
    charge(m, now);
    m->in_slot = false;
}

/* ---- Messages ------------------------------------------------------------ */

void fugu_meter_sent(FuguMeter *m, uint32_t gid, bool body, uint32_t bytes)
{
    uint64_t *counter = m->counts[index_of(gid)].counter;

    counter[FUGU_METER_SENT]++;
    counter[FUGU_METER_BODIES] += body;
    counter[FUGU_METER_BYTES] += bytes;
}

void fugu_meter_received(FuguMeter *m)
{
    FuguMeterCounts *c = &m->counts[m->served];

    c->counter[FUGU_METER_RECEIVED]++;
    c->counter[FUGU_METER_HANDLED] += c->handling;
}

void fugu_meter_taken(FuguMeter *m, uint32_t gid)
{
    uint64_t *counter = m->counts[index_of(gid)].counter;

    counter[FUGU_METER_RECEIVED]++;
    counter[FUGU_METER_HANDLED]++;
}

void fugu_meter_inserted(FuguMeter *m, int64_t now, uint32_t gid,
                         int64_t arrival)
{
    uint32_t owner = index_of(gid);

    charge(m, MAX(m->mark, MIN(arrival, now)));
    m->payer = owner;
    if (owner == m->served) {
        m->before = m->counts[owner].counter[FUGU_METER_CYCLES];
    }
    charge(m, now);             /* the next insertion begins after this one */
    m->counts[owner].counter[FUGU_METER_INSERTED]++;
}

/* ---- Counters ------------------------------------------------------------ */

/* Returns the index of the GID that pays now. */
static uint32_t payer(const FuguMeter *m)
{
    return m->in_slot ? m->slot : m->payer;
}

static bool pays_for_handler(const FuguMeter *m)
{
    return m->in_slot ||
           (m->payer == m->served && m->counts[m->payer].handling);
}

uint64_t fugu_meter_read(const FuguMeter *m, int64_t now, uint32_t gid,
                         unsigned k)
{
    uint32_t i = index_of(gid);
    uint64_t value = m->counts[i].counter[k];

    if (i == payer(m) && (k == FUGU_METER_CYCLES ||
                          (k == FUGU_METER_HANDLING && pays_for_handler(m)))) {
        value += now - m->mark;
    }
    return value;
}

void fugu_meter_clear(FuguMeter *m, int64_t now, uint32_t gid)
{
    uint32_t i = index_of(gid);

    charge(m, now);
    memset(m->counts[i].counter, 0, sizeof(m->counts[i].counter));
    if (i == m->served) {
        m->before = 0;          /* a handler that runs goes on */
    } else {
        m->counts[i].forced = m->counts[i].handling = false;
    }
}

/* ---- State --------------------------------------------------------------- */

void fugu_meter_reset(FuguMeter *m)
{
    memset(m, 0, sizeof(*m));
}

bool fugu_meter_valid(const FuguMeter *m)
{
    return m->served <= FUGU_METER_GIDS && m->payer <= FUGU_METER_GIDS &&
           m->slot <= FUGU_METER_GIDS && m->shown <= FUGU_GID_MAX;
}

static const VMStateDescription vmstate_counts = {
    .name = "fugu-meter/counts",
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT64_ARRAY(counter, FuguMeterCounts, FUGU_METER_COUNTERS),
        VMSTATE_BOOL(forced, FuguMeterCounts),
        VMSTATE_BOOL(handling, FuguMeterCounts),
        VMSTATE_END_OF_LIST()
    }
};

static bool slot_needed(void *opaque)
{
    const FuguMeter *m = opaque;

    return m->in_slot;
}

static const VMStateDescription vmstate_slot = {
    .name = "fugu-meter/slot",
    .version_id = 1,
    .minimum_version_id = 1,
    .needed = slot_needed,
    .fields = (const VMStateField[]) {
        VMSTATE_BOOL(in_slot, FuguMeter),
        VMSTATE_UINT32(slot, FuguMeter),
        VMSTATE_END_OF_LIST()
    }
};

static int meter_pre_load(void *opaque)
{
    FuguMeter *m = opaque;

    m->in_slot = false;
    return 0;
}

const VMStateDescription vmstate_fugu_meter = {
    .name = "fugu-meter",
    .version_id = 1,
    .minimum_version_id = 1,
    .pre_load = meter_pre_load,
    .fields = (const VMStateField[]) {
        VMSTATE_STRUCT_ARRAY(counts, FuguMeter, FUGU_METER_GIDS + 1, 1,
                             vmstate_counts, FuguMeterCounts),
        VMSTATE_UINT32(served, FuguMeter),
        VMSTATE_UINT32(payer, FuguMeter),
        VMSTATE_INT64(mark, FuguMeter),
        VMSTATE_UINT64(before, FuguMeter),
        VMSTATE_UINT32(shown, FuguMeter),
        VMSTATE_UINT32(low, FuguMeter),
        VMSTATE_END_OF_LIST()
    },
    .subsections = (const VMStateDescription *const []) {
        &vmstate_slot,
        NULL
    }
};
