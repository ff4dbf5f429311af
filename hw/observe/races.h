/*
 * Races: a log of the accesses of users to memory, and of what orders them
 *
 * The launcher (tools/fugu/observe/races) finds the races in it. Each record has 16
 * bytes, with the host's order of bytes:
 *
 *      kind    u8      FUGU_RACE_*
 *      flags   u8      FUGU_RACE_IN_*: where the processor is
 *      node    u16
 *      gid     u32     of the user, or of the message
 *      where   u32     address of the instruction; source of the message
 *      what    u32     address of the data; the source's number of the message
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_RACES_H
#define FUGU_RACES_H

#include "hw/fugu/machine/packet.h"
#include "names.h"

/* The log of all nodes. */
typedef struct FuguRaceLog FuguRaceLog;

/* Accesses that a node does not log again while nothing else happens there. */
#define FUGU_RACES_PLACES       1024

/* A node's part. */
typedef struct FuguRaces {
    FuguRaceLog *log;
    uint16_t node;
    uint32_t uac;
    bool pending[FUGU_SEEN_GIDS];       /* a handler has not disposed of its
                                           message yet */
    GQueue buffer[FUGU_SEEN_GIDS];      /* of FuguRaceMessage, oldest first */
    uint32_t epoch;             /* grows with each record that is no access */
    struct {
        uint32_t pc, address, epoch;
    } last[FUGU_RACES_PLACES];  /* by pc */
} FuguRaces;

/* Makes the log; NULL if the file cannot be written. Writes what it has. Returns
 * whether a write has failed. Closes it, and returns whether all was written. */
FuguRaceLog *fugu_race_log_new(const char *path);
void fugu_race_log_flush(FuguRaceLog *log);
bool fugu_race_log_failed(const FuguRaceLog *log);
bool fugu_race_log_close(FuguRaceLog *log);

FuguRaces *fugu_races_new(FuguRaceLog *log, uint32_t node);

/* The user of @gid, in a handler or not, accesses the word at @address by the
 * instruction at @pc; its network interface does, for an operation at @pc. */
void fugu_races_access(FuguRaces *r, uint32_t gid, bool handler, uint32_t pc,
                       uint32_t address);
void fugu_races_body(FuguRaces *r, uint32_t gid, bool handler, uint32_t pc,
                     uint32_t address, uint32_t bytes, bool stores);

/* The processor is in user mode from now on, with this UAC, or in the kernel; @next is
 * as in fugu_seen_mode(). */
void fugu_races_mode(FuguRaces *r, uint32_t gid, bool user, uint32_t uac,
                     const FuguPacket *next);
void fugu_races_uac(FuguRaces *r, uint32_t uac);

/* A user's message leaves; the user, in a handler or not, has disposed of it in the
 * network or in the buffer; the kernel has put it into the buffer. */
void fugu_races_launch(FuguRaces *r, bool handler, const FuguPacket *p);
void fugu_races_dispose(FuguRaces *r, bool handler, const FuguPacket *p);
void fugu_races_take(FuguRaces *r, uint32_t gid, bool handler);
void fugu_races_insert(FuguRaces *r, const FuguPacket *p);

#endif /* FUGU_RACES_H */
