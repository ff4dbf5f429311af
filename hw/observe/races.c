/*
 * Races: a log of the accesses of users to memory, and of what orders them
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "hw/fugu/fugu-regs.h"
#include "hw/fugu/observe/races.h"

typedef struct FuguRaceMessage {
    uint32_t source, sequence;
} FuguRaceMessage;

typedef struct Record {
    uint8_t kind, flags;
    uint16_t node;
    uint32_t gid, where, what;
} Record;

QEMU_BUILD_BUG_ON(sizeof(Record) != 16);

struct FuguRaceLog {
    FILE *file;
};

/* ---- The file ----------------------------------------------------------- */

FuguRaceLog *fugu_race_log_new(const char *path)
{
    FILE *file = fopen(path, "wb");
    FuguRaceLog *log;

    if (!file) {
        return NULL;
    }
    log = g_new0(FuguRaceLog, 1);
    log->file = file;
    return log;
}

void fugu_race_log_flush(FuguRaceLog *log)
{
    fflush(log->file);
}

bool fugu_race_log_failed(const FuguRaceLog *log)
{
    return ferror(log->file);
}

bool fugu_race_log_close(FuguRaceLog *log)
{
    bool failed = ferror(log->file);

    return !fclose(log->file) && !failed;
}

FuguRaces *fugu_races_new(FuguRaceLog *log, uint32_t node)
{
    FuguRaces *r = g_new0(FuguRaces, 1);

    r->log = log;
    r->node = node;
    r->epoch = 1;
    return r;
}

static void note(FuguRaces *r, unsigned kind, uint32_t gid, bool handler,
                 uint32_t where, uint32_t what)
{
    Record record = {
        .kind = kind,
        .flags = (handler ? FUGU_RACE_IN_HANDLER : 0) |
                 (r->uac & FUGU_UAC_INTERRUPT_DISABLE ? FUGU_RACE_IN_SECTION
                                                      : 0),
        .node = r->node,
        .gid = gid,
        .where = where,
        .what = what,
    };

    fwrite(&record, sizeof(record), 1, r->log->file);
    if (kind != FUGU_RACE_ACCESS) {
        r->epoch++;
    }
}

/* ---- Accesses ----------------------------------------------------------- */

void fugu_races_access(FuguRaces *r, uint32_t gid, bool handler, uint32_t pc,
                       uint32_t address)
{
    unsigned place = pc / 4 % FUGU_RACES_PLACES;

    if (r->last[place].pc != pc || r->last[place].address != address ||
        r->last[place].epoch != r->epoch) {
        r->last[place].pc = pc;
        r->last[place].address = address;
        r->last[place].epoch = r->epoch;
        note(r, FUGU_RACE_ACCESS, gid, handler, pc, address);
    }
}

void fugu_races_body(FuguRaces *r, uint32_t gid, bool handler, uint32_t pc,
                     uint32_t address, uint32_t bytes, bool stores)
{
    for (uint32_t at = 0; at < bytes; at += 4) {
        note(r, stores ? FUGU_RACE_STOREBACK : FUGU_RACE_GATHER, gid, handler, pc,
             address + at);
    }
}

/* ---- The processor's state ---------------------------------------------- */

static FuguRaceMessage *oldest(FuguRaces *r, uint32_t gid)
{
    return gid < FUGU_SEEN_GIDS ? g_queue_peek_head(&r->buffer[gid]) : NULL;
}

void fugu_races_mode(FuguRaces *r, uint32_t gid, bool user, uint32_t uac,
                     const FuguPacket *next)
{
    bool pending = uac & FUGU_UAC_DISPOSE_PENDING;
    const FuguRaceMessage *m = oldest(r, gid);

    r->epoch++;
    if (!user || gid >= FUGU_SEEN_GIDS) {
        return;
    }
    r->uac = uac;
    if (pending && !r->pending[gid] && next) {
        note(r, FUGU_RACE_BEGIN, gid, true, next->source, next->sequence);
    } else if (pending && !r->pending[gid] && m) {
        note(r, FUGU_RACE_BEGIN, gid, true, m->source, m->sequence);
    }
    r->pending[gid] = pending;
}

void fugu_races_uac(FuguRaces *r, uint32_t uac)
{
    r->uac = uac;
    r->epoch++;
}

/* ---- Messages ----------------------------------------------------------- */

static uint32_t gid_of(const FuguPacket *p)
{
    return (p->words[0] & FUGU_HDR_GID_MASK) >> FUGU_HDR_GID_SHIFT;
}

void fugu_races_launch(FuguRaces *r, bool handler, const FuguPacket *p)
{
    note(r, FUGU_RACE_LAUNCH, gid_of(p), handler, p->source, p->sequence);
}

void fugu_races_dispose(FuguRaces *r, bool handler, const FuguPacket *p)
{
    uint32_t gid = gid_of(p);

    if (gid < FUGU_SEEN_GIDS) {
        r->pending[gid] = false;
    }
    note(r, FUGU_RACE_DISPOSE, gid, handler, p->source, p->sequence);
}

void fugu_races_take(FuguRaces *r, uint32_t gid, bool handler)
{
    FuguRaceMessage *m = oldest(r, gid);

    if (m) {
        note(r, FUGU_RACE_DISPOSE, gid, handler, m->source, m->sequence);
        g_free(g_queue_pop_head(&r->buffer[gid]));
    }
}

void fugu_races_insert(FuguRaces *r, const FuguPacket *p)
{
    FuguRaceMessage m = { p->source, p->sequence };
    uint32_t gid = gid_of(p);

    if (gid < FUGU_SEEN_GIDS) {
        g_queue_push_tail(&r->buffer[gid], g_memdup2(&m, sizeof(m)));
    }
}
