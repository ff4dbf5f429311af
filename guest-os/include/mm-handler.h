/*
 * Trusted handlers of the M-Machine's messages (docs/m-machine.md, "Certification"):
 * what assembly says of each, and what the launcher reads of it.
 *
 * The section MM_HANDLER_SECTION has an entry for each handler of a program. HandlerIP
 * is the place of the entry, from 0 on. The section MM_HANDLER_STORES lists memory
 * that handlers may write besides the bytes from DestAddr on. Neither is loaded.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef MM_HANDLER_H
#define MM_HANDLER_H

#define MM_HANDLER_SECTION      ".mm.handlers"
#define MM_HANDLER_STORES       ".mm.stores"
#define MM_HANDLER_NAME         52      /* bytes, final zero included */
#define MM_HANDLER_LOG          6       /* log2 of the bytes of an entry */
#define MM_HANDLER_STORES_MAX   256     /* entries of a program */

#ifdef __ASSEMBLER__

#define MSGHEAD         %g6     /* address of the next message's handler */
#define MSGBODY         %g7     /* DestAddr, then the body: a word at each read */

/*
 * MM_HANDLER name, extent: the code of the handler `name` follows, which may write
 * `extent` bytes from DestAddr on. MM_HANDLER_END name: it ends here.
 * mm_handler_NAME is the place of its entry in the section, in bytes:
 * HandlerIP << MM_HANDLER_LOG.
 */
        .macro  MM_HANDLER name, extent
        .pushsection .mm.handlers, "", @progbits
        .global mm_handler_\name
mm_handler_\name:
        .asciz  "\name"
        .if     . - mm_handler_\name > MM_HANDLER_NAME
        .error  "a handler's name has 51 characters at most: \name"
        .endif
        .org    mm_handler_\name + MM_HANDLER_NAME
        .uaword \name, .Lend_\name - \name, \extent
        .popsection
        .pushsection .text.mm.\name, "ax", @progbits
        .balign 32
        .global \name
        .type   \name, @function
\name:
        .endm

        .macro  MM_HANDLER_END name
.Lend_\name:
        .size   \name, . - \name
        .popsection
        .endm

/* MM_STORES name, address, bytes: the handler may write these bytes, too. */
        .macro  MM_STORES name, address, bytes
        .pushsection .mm.stores, "", @progbits
        .uaword \name, \address, \bytes
        .popsection
        .endm

/* The end of each path: goes to the handler of the next message. */
#define MM_NEXT \
        jmp     MSGHEAD;        \
         nop

#else

#include <stdint.h>

struct mm_handler {
    char name[MM_HANDLER_NAME];
    uint32_t entry;             /* address of the first instruction */
    uint32_t bytes;             /* of its code */
    uint32_t extent;            /* bytes from DestAddr on that it may write */
};

struct mm_stores {
    uint32_t entry;             /* of the handler */
    uint32_t address;           /* of bytes that it may write */
    uint32_t bytes;
};

#endif
#endif /* MM_HANDLER_H */
