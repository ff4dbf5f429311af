/*
 * Software traps of this library, and the register fields of sparcle.h, for C
 * and assembly.
 */
#ifndef GUEST_PSR_H
#define GUEST_PSR_H

#include "sparcle.h"

/* Software traps of this library: the n of ta n. */
#define TRAP_FLUSH      3  /* flush windows to the stack, as SPARC systems do */
#define TRAP_LEAVE      16      /* return to the caller of run_as() */
#define TRAP_KERNEL     17   /* call %o0 with argument %o1 in supervisor mode */

#endif
