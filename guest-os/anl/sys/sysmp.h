/*
 * IRIX's <sys/sysmp.h>: what programs ask about processors. sysmp() has no
 * prototype, since its arguments depend on the first one.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SYS_SYSMP_H
#define SYS_SYSMP_H

enum {
    MP_NPROCS = 1, MP_NAPROCS, MP_PGSIZE, MP_MUSTRUN, MP_RUNANYWHERE,
    MP_MUSTRUN_PID, MP_RUNANYWHERE_PID, MP_RESTRICT, MP_EMPOWER, MP_ISOLATE,
    MP_UNISOLATE
};

int sysmp();

#endif /* SYS_SYSMP_H */
