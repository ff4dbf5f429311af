/* Shared by softcost.c and softcost_code.S: what a kernel has of a process. */
#ifndef SOFTCOST_H
#define SOFTCOST_H

#define P_MODE          0x00    /* 0: fast, and nothing out of the ordinary */
#define P_TIMEOUT       0x04    /* cycles that a handler may take */
#define P_QUANTUM       0x08    /* 64: when the quantum ends */
#define P_UAC           0x10    /* the bits of beginatom and endatom */
#define P_SIZE          0x18

#define P_COUNT         8       /* operations of a timed piece */

#endif
