/*
 * The system part of a network interface: the registers of both pages
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_SYSTEM_REGS_H
#define FUGU_SYSTEM_REGS_H

#include "hw/fugu/ni/system/system.h"

/* Makes both pages, and maps them into the node's memory. */
void fugu_system_init_pages(FuguSystemNI *ni);

/* ---- For the methods of a message part ---- */

/*
 * A register's handler must not longjmp, so it leaves a trap, a wait or more
 * work to fugu_system_resolve(). Each of these functions returns what the
 * handler has to return.
 */
MemTxResult fugu_system_leave_trap(FuguSystemNI *ni, int tt);
MemTxResult fugu_system_leave_wait(FuguSystemNI *ni, FuguWait why);
/* The method resolve_part() completes the access. */
MemTxResult fugu_system_leave_part(FuguSystemNI *ni);

/* A load of a register waits, and is tried again: clears *@ok. */
void fugu_system_load_waits(FuguSystemNI *ni, FuguWait why, bool *ok);

/* Logs the guest's mistake, and leaves a protection violation. */
MemTxResult fugu_system_violation(FuguSystemNI *ni, const char *page,
                                  hwaddr offset);

/* Returns word @offset / 4 of a message, or 0 beyond its end. */
static inline uint32_t fugu_message_word(const FuguPacket *p, hwaddr offset)
{
    uint32_t i = offset / 4;

    return i < p->length ? p->words[i] : 0;
}

/*
 * Reads @offset of the head record of @head, which may be NULL. Clears *@ok if
 * no register is there: GID, kernel and source are the message part's.
 */
uint32_t fugu_head_read(const FuguPacket *head, hwaddr offset, bool *ok);

/* ---- For the device ---- */

/* Makes the access that a register's handler could not. Returns 0, a trap
 * type, or SPARCLE_WAIT. */
int fugu_system_resolve(FuguSystemNI *ni, uintptr_t ra);

#endif /* FUGU_SYSTEM_REGS_H */
