/*
 * Fields of the processor state register and the like, for C and assembly.
 */
#ifndef GUEST_PSR_H
#define GUEST_PSR_H

#include "sparcle.h"

/* Software traps of this library. */
#define TRAP_FLUSH      3       /* flush windows to the stack, as ever */
#define TRAP_LEAVE      16      /* back to the caller of run_as() */
#define TRAP_KERNEL     17      /* call %o0(%o1) in supervisor mode */

#endif
