/*
 * The FUGU machine as its software sees it: addresses, registers, encodings.
 *
 * The device models, their qtests, and guest programs in C and in assembly
 * include this header, so it holds plain constants alone. docs/machine.md is
 * the reference that explains them; "paper" means Mackenzie et al.,
 * Exploiting Two-Case Delivery for Fast Protected Messaging, HPCA 1998.
 *
 * All registers are 32-bit, big-endian words at word-aligned offsets, unless
 * a comment says 64. A 64-bit register can be read and written whole with ldd
 * and std, or by halves, the high word first.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_REGS_H
#define FUGU_REGS_H

/* ---- Physical address map, the same on every node ---------------------- */

/*
 *  0x00000000  boot image: read-only, one copy shared by all nodes
 *  0x00fff000    its last page: boot parameters
 *  0x40000000  RAM of the node
 *  0x80000000  command memory (kind SHRIMP)
 *  0xffff9000  files
 *  0xffffa000  node control
 *  0xffffb000  disk (if the node has one)
 *  0xffffc000  console
 *  0xffffd000  cycle timer
 *  0xffffe000  network interface, kernel page
 *  0xfffff000  network interface, user page
 *
 * The user page is the last page of the address space because a 13-bit
 * signed displacement from %g0 reaches it: no access to it needs a base
 * register, and describing a null message costs two stores (table 4).
 */
#define FUGU_BOOT_BASE          0x00000000
#define FUGU_BOOT_SIZE          0x01000000
#define FUGU_PARAM_BASE         0x00fff000
#define FUGU_RAM_BASE           0x40000000
#define FUGU_RAM_MAX            0x40000000
#define FUGU_FILES_BASE         0xffff9000
#define FUGU_CONTROL_BASE       0xffffa000
#define FUGU_DISK_BASE          0xffffb000
#define FUGU_CONSOLE_BASE       0xffffc000
#define FUGU_TIMER_BASE         0xffffd000
#define FUGU_NI_KERNEL_BASE     0xffffe000
#define FUGU_NI_USER_BASE       0xfffff000
#define FUGU_DEVICE_PAGE        0x1000

/* The user page as a displacement from %g0. */
#define FUGU_NI_USER_DISP       (-4096)

#define FUGU_NODES_MAX          1024

/* ---- Boot parameters (page at FUGU_PARAM_BASE) ------------------------- */

#define FUGU_PARAM_MAGIC        0x00    /* FUGU_PARAM_MAGIC_VALUE */
#define FUGU_PARAM_RAM_SIZE     0x04    /* bytes of RAM at FUGU_RAM_BASE */
#define FUGU_PARAM_CMDLINE_LEN  0x08    /* bytes, final zero not counted */
#define FUGU_PARAM_ATOMICITY    0x0c    /* FUGU_ATOMICITY_* */
#define FUGU_PARAM_CMDLINE      0x10    /* zero-terminated */
#define FUGU_PARAM_CMDLINE_MAX  0xfef   /* longest command line, in bytes */
#define FUGU_PARAM_MAGIC_VALUE  0x46554755      /* "FUGU" */

#define FUGU_ATOMICITY_HARD     0
#define FUGU_ATOMICITY_SOFT     1

/* ---- Interrupt levels and trap types ----------------------------------- */

/*
 * The second network outranks all interrupts of the first one. The cycle
 * timer outranks those of the first one too: the software that sets the timer
 * bounds its rate, while nothing on this node bounds a flood of mismatching
 * messages.
 */
#define FUGU_IRQ_SECOND         14      /* second network: message present */
#define FUGU_IRQ_TIMER          13      /* cycle timer */
#define FUGU_IRQ_TIMEOUT        12      /* atomicity-timeout */
#define FUGU_IRQ_MISMATCH       11      /* mismatch-available */
#define FUGU_IRQ_MESSAGE        10      /* message-available */
#define FUGU_IRQ_DISK           8
#define FUGU_IRQ_CONSOLE        6

/* An interrupt of level L vectors through trap type 0x10 + L. */
#define FUGU_TT_IRQ(level)      (0x10 + (level))

/* Precise traps of the network interface (paper, table 2). */
#define FUGU_TT_DISPOSE_FAILURE         0x61
#define FUGU_TT_BAD_DISPOSE             0x62
#define FUGU_TT_ATOMICITY_EXTEND        0x63
#define FUGU_TT_PROTECTION_VIOLATION    0x64
#define FUGU_TT_STOREBACK_EXTEND        0x65
/*
 * The trap types after this one are unused, so that its handler can continue
 * into their vectors. The handler is short, and runs for every buffered
 * message.
 */
#define FUGU_TT_DISPOSE_EXTEND          0x68

/* ---- NI operations: CPop1 instructions (paper, table 1) ---------------- */

/*
 *  31 30 29    25 24    19 18  14 13     5 4     0
 * |  10 |  imm   | 110110 | rs1  |  opc   |  imm2 |
 *
 * launch:              N = imm + r[rs1], D = imm2
 * beginatom, endatom:  MASK = imm | r[rs1]
 * With rs1 = %g0, the operand is the constant imm.
 */
#define FUGU_OPC_LAUNCH         0x001
#define FUGU_OPC_DISPOSE        0x002
#define FUGU_OPC_BEGINATOM      0x003
#define FUGU_OPC_ENDATOM        0x004
/*
 * M-Machine. SEND: imm = words of the body, with 16 if it is in FPU registers;
 * DestAddr = r[rs1], HandlerIP = r[imm2]. AWAIT: MASK = imm | r[rs1].
 *
 * Of the interfaces that it is compared with (FUGU_MM_RULE_COPIES): PUT copies
 * r[rs1] to word imm2 of the message buffer, FUGU_MM_LAST is added for the last
 * word. GET: r[imm] = a word of the message of priority imm2 >> 1: MsgBody, or with
 * FUGU_MM_GET_HEAD the next message's handler, or 0 if none has come.
 */
#define FUGU_OPC_SEND(ack)      ((ack) << 4 | 0x005)
#define FUGU_OPC_AWAIT          0x006
#define FUGU_OPC_PUT            0x007
#define FUGU_OPC_GET            0x008

#define FUGU_MM_LAST            0x10
#define FUGU_MM_GET_HEAD        0x1

#define FUGU_INSN(opc, imm, rs1, imm2) \
    (0x81b00000 | ((imm) << 25) | ((rs1) << 14) | ((opc) << 5) | (imm2))

/* ---- Header word of a message ------------------------------------------ */

#define FUGU_HDR_KERNEL         0x80000000      /* kernel message */
#define FUGU_HDR_OWN_GID        0x40000000      /* kernel launch: take the GID
                                                   below; never transmitted */
#define FUGU_HDR_TYPE_MASK      0x30000000      /* spare, carried unchanged */
#define FUGU_HDR_TYPE_SHIFT     28
#define FUGU_HDR_GID_MASK       0x0fff0000
#define FUGU_HDR_GID_SHIFT      16
#define FUGU_HDR_NODE_MASK      0x0000ffff      /* destination, then source */
#define FUGU_GID_MAX            0xfff

#define FUGU_MSG_WORDS          16      /* longest descriptor, in words */
#define FUGU_BODY_MAX           4096    /* longest body of one message, bytes */

/* ---- NI: user page ------------------------------------------------------ */

#define FUGU_U_OUT              0x000   /* rw: output window, 16 words */
#define FUGU_U_DESC_LEN         0x040   /* r: descriptor-length */
#define FUGU_U_SPACE            0x044   /* r: space-available, words */
#define FUGU_U_UAC              0x048   /* r: UAC */
#define FUGU_U_NODE             0x04c   /* r: number of this node */
#define FUGU_U_NODES            0x050   /* r: nodes in the machine */
#define FUGU_U_BODY_SPACE       0x054   /* r: space-available for a message
                                           with a body, words */
#define FUGU_U_CYCLES           0x058   /* r 64: local time + cycle-offset */
#define FUGU_U_RECORD           0x080   /* r: receive record, as below */
#define FUGU_U_STOREBACK        0x0e0   /* storeback DMA, as below */

/* A receive record: offsets from FUGU_U_RECORD, or from a copy in memory. */
#define FUGU_REC_WINDOW         0x00    /* input window, 16 words */
#define FUGU_REC_HEADER         0x00
#define FUGU_REC_HANDLER        0x04
#define FUGU_REC_ARGS           0x08
#define FUGU_REC_AVAILABLE      0x40    /* message-available: 0 or 1 */
#define FUGU_REC_LENGTH         0x44    /* message-length, descriptor words */
#define FUGU_REC_BODY           0x48    /* body length, bytes */
#define FUGU_REC_SIZE           0x4c

/*
 * Storeback DMA: SB_ADDR is the destination. A store of a byte count (a
 * multiple of 4) to SB_COUNT copies that many bytes of the head message's body
 * to the destination, starting at offset SB_OFFSET of the body. The copy has
 * the rights of the code that stores to SB_COUNT.
 */
#define FUGU_U_SB_ADDR          0x0e0   /* rw: virtual address */
#define FUGU_U_SB_OFFSET        0x0e4   /* rw: offset in the body, bytes */
#define FUGU_U_SB_COUNT         0x0e8   /* w: bytes; starts the copy */

/* ---- NI: kernel page ---------------------------------------------------- */

#define FUGU_K_OUT              0x000   /* rw: kernel output window */
#define FUGU_K_DESC_LEN         0x040   /* r: its descriptor-length */
#define FUGU_K_SPACE            0x044   /* r: space-available */
#define FUGU_K_UAC              0x048   /* rw: all four bits */
#define FUGU_K_GID              0x04c   /* rw */
#define FUGU_K_DIVERT           0x050   /* rw: divert-mode, bit 0 */
#define FUGU_K_TIMEOUT          0x054   /* rw: atomicity-timeout, in cycles */
#define FUGU_K_TIMER            0x058   /* rw: the counter itself */
#define FUGU_K_PENDING          0x05c   /* r: interrupts asked for, PEND_* */
#define FUGU_K_OFFSET           0x060   /* rw 64: cycle-offset, signed */
#define FUGU_K_HEAD             0x080   /* r: head record, as below */
#define FUGU_K_USER_OUT         0x100   /* rw: user's descriptor, no waiting */
#define FUGU_K_USER_LEN         0x140   /* rw: its length */
#define FUGU_K_DMA_ADDR         0x180   /* rw: physical address, word-aligned */
#define FUGU_K_DMA_ARM          0x184   /* rw: 1: the next kernel dispose
                                           stores the head there first */
#define FUGU_K_DMA_BODY         0x188   /* rw: physical address for the body,
                                           word-aligned; 0: after the words */
#define FUGU_K_SECOND_OUT       0x200   /* rw: second network, output window */
#define FUGU_K_SECOND_LAUNCH    0x240   /* w: N; sends that many words */
#define FUGU_K_SECOND_SPACE     0x244   /* r: words that can be sent */
#define FUGU_K_SECOND_HEAD      0x280   /* r: head record of its input */
#define FUGU_K_SECOND_DISPOSE   0x2d0   /* w: drops its head */

/* Head record: the head message, of any GID; all 0 if there is no message. */
#define FUGU_HEAD_WORDS         0x00    /* 16 words, header first */
#define FUGU_HEAD_PRESENT       0x40
#define FUGU_HEAD_LENGTH        0x44    /* descriptor words */
#define FUGU_HEAD_BODY          0x48    /* body length, bytes */
#define FUGU_HEAD_GID           0x4c    /* first network only */
#define FUGU_HEAD_KERNEL        0x50    /* first network only: 0 or 1 */
#define FUGU_HEAD_SOURCE        0x54    /* first network only */
#define FUGU_HEAD_SIZE          0x58

/* UAC: user atomicity control (paper, table 3). */
#define FUGU_UAC_INTERRUPT_DISABLE      0x1
#define FUGU_UAC_TIMER_FORCE            0x2
#define FUGU_UAC_DISPOSE_PENDING        0x4
#define FUGU_UAC_ATOMICITY_EXTEND       0x8
#define FUGU_UAC_USER                   0x3
#define FUGU_UAC_ALL                    0xf

#define FUGU_PEND_MESSAGE       0x1
#define FUGU_PEND_MISMATCH      0x2
#define FUGU_PEND_TIMEOUT       0x4
#define FUGU_PEND_SECOND        0x8
#define FUGU_PEND_ARRIVAL       0x10    /* SHRIMP_IRQ_ARRIVAL */
#define FUGU_PEND_OUTGOING      0x20    /* SHRIMP_IRQ_OUTGOING, as the next two */
#define FUGU_PEND_ROOM          0x40
#define FUGU_PEND_DROPPED       0x80
#define FUGU_PEND_FAULT         0x100   /* a message slot is at fault: M-Machine */

/* ---- NI: the SHRIMP message part ------------------------------------------ */

/*
 * Where the FUGU message part has registers and this one has none, loads give 0
 * and stores by the kernel do nothing. A page is a page of RAM; its number is its
 * distance from FUGU_RAM_BASE in pages of 4 KiB.
 */
#define FUGU_SHRIMP_FIFO        1024    /* words of each FIFO */
#define FUGU_SHRIMP_CREDITS     256     /* words of a node in the network */
#define FUGU_SHRIMP_OVERHEAD    3       /* words of a packet besides its data */
#define FUGU_SHRIMP_NO_PAGE     0xffffffff
#define FUGU_SHRIMP_MERGE_MAX   65536   /* cycles */

/* Interrupt levels of the FUGU message part, by their names here. */
#define FUGU_SHRIMP_IRQ_OUTGOING FUGU_IRQ_MISMATCH      /* Outgoing FIFO, and
                                                           dropped packets */
#define FUGU_SHRIMP_IRQ_ARRIVAL FUGU_IRQ_MESSAGE        /* an update came to a
                                                           page that was armed */

/* User page. Packets are counted modulo 2^32, each from 0 at reset. */
#define FUGU_U_SENT             0x100   /* r: packets put into the Outgoing
                                           FIFO. The load puts the open one of
                                           blocked-write there before */
#define FUGU_U_CREDITED         0x104   /* r: the first so many of them have
                                           entered their Incoming FIFOs */

/* Kernel page: the entry of the NIPT that NIPT_PAGE names. */
#define FUGU_K_NIPT_PAGE        0x400   /* rw: number of a page */
#define FUGU_K_NIPT_SPLIT       0x404   /* rw: first byte of the upper part, a
                                           multiple of 8 below 4096 */
#define FUGU_K_NIPT_LOWER       0x408   /* rw 64: the part below the split */
#define FUGU_K_NIPT_UPPER       0x410   /* rw 64: the part from the split on */
#define FUGU_K_NIPT_IN          0x418   /* rw: FUGU_NIPT_IN_* */

/* Kernel page: arrivals, FIFOs, engine. */
#define FUGU_K_ARRIVAL          0x41c   /* r: lowest page with an arrival, or
                                           NO_PAGE; w: takes that of a page */
#define FUGU_K_OUT_WORDS        0x420   /* r: words in the Outgoing FIFO */
#define FUGU_K_OUT_THRESHOLD    0x424   /* rw: 1 to SHRIMP_FIFO words */
#define FUGU_K_OUT_AWAIT        0x428   /* rw: words of room to interrupt for;
                                           0: none */
#define FUGU_K_IN_WORDS         0x42c   /* r: words in the Incoming FIFO */
#define FUGU_K_IN_ENTERED       0x430   /* r: packets that have entered it, */
#define FUGU_K_IN_LEFT          0x434   /* r: and left it, stored or dropped */
#define FUGU_K_DROPPED          0x438   /* r: packets dropped; w: withdraws the
                                           interrupt */
#define FUGU_K_DROPPED_PLACE    0x43c   /* r: of those, wrong coordinates */
#define FUGU_K_DROPPED_CRC      0x440   /* r: wrong CRC */
#define FUGU_K_DROPPED_PAGE     0x444   /* r: page not mapped in */
#define FUGU_K_ENGINE_PAGE      0x448   /* r: page that the engine reads, or
                                           NO_PAGE */
#define FUGU_K_ENGINE_LEFT      0x44c   /* r: words left to send */
#define FUGU_K_MERGE            0x450   /* rw: cycles that a store keeps the packet
                                           of blocked-write open, 1 to MERGE_MAX */

/*
 * A part, two words: mode and node, then destination. The destination of the
 * byte at offset O of the page is in the page that the second word names, at
 * offset (O + displacement) modulo 4096.
 */
#define FUGU_NIPT_MODE_SHIFT    30      /* first word: mode, FUGU_NIPT_* */
#define FUGU_NIPT_NODE_MASK     0x0000ffff      /* and node */
#define FUGU_NIPT_PAGE_MASK     0xfffff000      /* second word: physical
                                                   address of a page */
#define FUGU_NIPT_DISPLACEMENT  0x00000ff8      /* and displacement, bytes */
#define FUGU_NIPT_NOTHING       0       /* modes: the part is not mapped out */
#define FUGU_NIPT_SINGLE        1       /* for automatic update: each store is
                                           a packet */
#define FUGU_NIPT_BLOCKED       2       /* the same; stores that follow each
                                           other are merged */
#define FUGU_NIPT_DELIBERATE    3       /* for deliberate update */

#define FUGU_NIPT_IN_MAPPED     0x1     /* the page accepts updates */
#define FUGU_NIPT_IN_ARMED      0x2     /* the next one interrupts */

/*
 * Command memory: as large as RAM, and as far behind it for each byte. A load
 * gives the state of the engine, a store of a command does what it says.
 */
#define FUGU_COMMAND_BASE       0x80000000
#define FUGU_COMMAND_OFFSET     (FUGU_COMMAND_BASE - FUGU_RAM_BASE)
#define FUGU_COMMAND_WORDS_MAX  1024    /* 1 to this: sends so many words */
#define FUGU_COMMAND_SINGLE     0x80000000      /* automatic: stores are sent
                                                   one by one, */
#define FUGU_COMMAND_BLOCKED    0x80000001      /* or merged */
#define FUGU_COMMAND_ARM        0x80000002      /* interrupt at next arrival */
#define FUGU_COMMAND_DISARM     0x80000003
#define FUGU_ENGINE_HERE        0x80000000      /* load: this address began it */
#define FUGU_ENGINE_WORDS       0x7fffffff      /* load: words left, 0: free */

/* ---- NI: the M-Machine's message part --------------------------------------- */

/*
 * Where the FUGU message part has registers and this one has none, loads give 0
 * and stores by the kernel do nothing. A message is a header, the address of its
 * handler, DestAddr, and a body of 0 to MM_BODY_MAX words; all of them count. There
 * are two priorities, each with a network, a queue and source space of its own.
 */
#define FUGU_MM_PRIORITIES      2
#define FUGU_MM_BODY_MAX        10      /* words of a body */
#define FUGU_MM_HEAD            3       /* words before it */
#define FUGU_MM_PUT_WORDS       12      /* of the buffer: all but the header */
#define FUGU_MM_ACKS            16      /* Ack bits of a context */
#define FUGU_MM_GTLB            16      /* entries: segments */
#define FUGU_MM_HANDLERS        64      /* entries: trusted handlers */

/* Types of traps. They have their own names for what a SEND may meet. */
#define FUGU_TT_MM_MISS                 0x66    /* no entry for DestAddr or
                                                   HandlerIP */
#define FUGU_TT_MM_WATCHDOG             0x67    /* of a slot alone: see
                                                   K_MM_WATCHDOG */

/* User page. */
#define FUGU_U_MM_ACK           0x110   /* r: Ack bits that are valid, of the
                                           context that loads it */
/* With FUGU_MM_RULE_COPIES. Words of the buffer: DestAddr, HandlerIP, body. */
#define FUGU_U_MM_PUT           0x120   /* w 12 words: as PUT */
#define FUGU_U_MM_PUT_LAST      0x160   /* w 12 words: as PUT of the last word */
/* No other word of their doubleword can be read: an ldd takes nothing. */
#define FUGU_U_MM_HEAD          0x1a4   /* r, +8 * priority: as GET; a slot that
                                           loads its own waits for it */
#define FUGU_U_MM_BODY          0x1b4   /* r, +8 * priority: as GET */

/* Kernel page. Registers of a priority P are at +4 * P. */
#define FUGU_K_MM_GTLB          0x500   /* rw: number of the entry below */
#define FUGU_K_MM_SEGMENT       0x510   /* rw 4 words: segment, FUGU_MM_SEG_* */
#define FUGU_K_MM_HANDLER       0x520   /* rw: number of the entry below */
#define FUGU_K_MM_ENTRY         0x530   /* rw 3 words: handler, FUGU_MM_ENTRY_* */
#define FUGU_K_MM_MISS_DEST     0x540   /* r: DestAddr and HandlerIP of the main */
#define FUGU_K_MM_MISS_IP       0x544   /*    context's last SEND that trapped */
#define FUGU_K_MM_PRIORITY      0x548   /* rw: priority of the main context's
                                           SENDs, 0 or 1 */
#define FUGU_K_MM_RULES         0x54c   /* rw: FUGU_MM_RULE_*; a store ends all
                                           streams of the node */
#define FUGU_K_MM_START         0x550   /* w: starts the slot of a priority at
                                           that address; r: its pc */
#define FUGU_K_MM_STATE         0x558   /* r: FUGU_MM_SLOT_*; w: the slot that is
                                           at fault or held tries again, is held, or
                                           is off */
#define FUGU_K_MM_FAULT         0x560   /* r: type of the trap that stopped it */
#define FUGU_K_MM_GID           0x568   /* r: GID of its message */
#define FUGU_K_MM_WORDS         0x570   /* r: words in the queue */
#define FUGU_K_MM_SPACE         0x578   /* r: words that can be sent */
#define FUGU_K_MM_LEFT          0x580   /* r: messages that have left the queue */
#define FUGU_K_MM_HEAD          0x588   /* r: MsgHead, while the slot is not on; 0:
                                           no message has come */
#define FUGU_K_MM_BODY          0x590   /* r: MsgBody; the load waits for the word */
#define FUGU_K_MM_IRQ           0x598   /* rw: priorities whose messages interrupt
                                           the main context, a bit each */
#define FUGU_K_MM_BUSY          0x5a0   /* r 3 words: cycles that each context has
                                           used since reset, modulo 2^32 */

#define FUGU_K_MM_ADDRESS       0x5b0   /* r: of that fault; DestAddr of a SEND */
#define FUGU_K_MM_CAUSE         0x5b8   /* r: its status, as the MMU's; HandlerIP of
                                           a SEND */
#define FUGU_K_MM_WATCHDOG      0x5c0   /* rw: cycles that a slot may use for a
                                           message: then it stops at fault; 0, at
                                           reset: any number */

/*
 * A segment: a window of addresses, of which each node has a part of the same size.
 * Node N has the bytes from base + N * size on, which are its local base on.
 */
#define FUGU_MM_SEG_GID         0       /* word: GID, and VALID; */
#define FUGU_MM_SEG_BASE        1       /* base of the window, a multiple of 8; */
#define FUGU_MM_SEG_SIZE        2       /* size: log2, 3 to 30, and rights << 8; */
#define FUGU_MM_SEG_LOCAL       3       /* local base, a multiple of 8 */
#define FUGU_MM_SEG_WORDS       4
#define FUGU_MM_VALID           0x80000000
#define FUGU_MM_RIGHTS_SHIFT    8
#define FUGU_MM_RIGHTS          0xff    /* software gives them their meaning */

/* A trusted handler, by its GID and index. */
#define FUGU_MM_ENTRY_GID       0       /* word: GID, VALID, and index << 16; */
#define FUGU_MM_ENTRY_PC        1       /* address, a multiple of 4; */
#define FUGU_MM_ENTRY_EXTENT    2       /* bytes from DestAddr on that it may touch,
                                           and the rights that it needs << 24 */
#define FUGU_MM_ENTRY_WORDS     3
#define FUGU_MM_INDEX_SHIFT     16
#define FUGU_MM_INDEX           0x7fff
#define FUGU_MM_EXTENT          0x00ffffff
#define FUGU_MM_NEEDS_SHIFT     24

#define FUGU_MM_RULE_REPLIES    0x1     /* handlers of priority 0 send at 1, those
                                           of 1 do not send; at reset */
/* The other rules are those of the interfaces that this one is compared with. */
#define FUGU_MM_RULE_COPIES     0x2     /* PUT and GET, and their registers in the
                                           user page */
#define FUGU_MM_RULE_STREAMS    0x4     /* a word leaves when it is PUT */
#define FUGU_MM_RULE_WHOLE      0x8     /* a message has come when its last word
                                           has */
#define FUGU_MM_RULES           0xf

#define FUGU_MM_SLOT_OFF        0       /* states of a slot */
#define FUGU_MM_SLOT_ON         1
#define FUGU_MM_SLOT_FAULT      2       /* a trap has stopped it */
#define FUGU_MM_SLOT_HELD       3       /* the kernel has: no interrupt */

/* ---- Cycle timer -------------------------------------------------------- */

#define FUGU_TIMER_COMPARE      0x00    /* rw 64 */
#define FUGU_TIMER_CONTROL      0x08    /* rw: bit 0: enabled */
#define FUGU_TIMER_STATUS       0x0c    /* r: bit 0: reached, interrupting */
#define FUGU_TIMER_NOW          0x10    /* r 64: local time + cycle-offset */

/* ---- Console ------------------------------------------------------------ */

#define FUGU_CONSOLE_DATA       0x00    /* w: byte out; r: byte in, or -1 */
#define FUGU_CONSOLE_STATUS     0x04    /* r: bit 0: a byte can be read */
#define FUGU_CONSOLE_CONTROL    0x08    /* rw: bit 0: interrupt on input */
#define FUGU_CONSOLE_ERROR      0x0c    /* w: byte out, to standard error */
#define FUGU_CONSOLE_TERMINALS  0x10    /* r: FUGU_TERMINAL_* */
#define FUGU_CONSOLE_STDIN      0x14    /* w: asks for a part of standard input;
                                           r: its next byte, or below */

/* Which of the host's standard files are terminals. */
#define FUGU_TERMINAL_INPUT     0x1
#define FUGU_TERMINAL_OUTPUT    0x2
#define FUGU_TERMINAL_ERROR     0x4
#define FUGU_TERMINAL_ALL       0x7

#define FUGU_STDIN_NONE         0xffffffff      /* ask, or wait for the part */
#define FUGU_STDIN_END          0xfffffffe      /* standard input has ended */

/* ---- Files -------------------------------------------------------------- */

#define FUGU_FILES_NAME         0x00    /* w: the next byte of a name */
#define FUGU_FILES_ID           0x04    /* rw: the file to work on */
#define FUGU_FILES_POSITION     0x08    /* rw: where in it, in bytes */
#define FUGU_FILES_COMMAND      0x0c    /* w: FUGU_FILES_FIND and so on */
#define FUGU_FILES_RESULT       0x10    /* r: of the last command or store to
                                           DATA: 0, or below */
#define FUGU_FILES_SIZE         0x14    /* r: bytes of the file, or -1 */
#define FUGU_FILES_DATA         0x18    /* r: byte at POSITION, or -1; w: puts a
                                           byte there; POSITION advances */

/* Commands. Those that use the name forget it. A file that has no name and is not
 * open ceases to exist. */
#define FUGU_FILES_FIND         1       /* ID := the file of that name */
#define FUGU_FILES_CREATE       2       /* ID := a new file of that name */
#define FUGU_FILES_UNLINK       3       /* takes the name from a file; ID := the
                                           file */
#define FUGU_FILES_RENAME       4       /* the file gets that name */
#define FUGU_FILES_RESIZE       5       /* the file gets POSITION bytes */
#define FUGU_FILES_OPEN         6       /* the file is open once more */
#define FUGU_FILES_CLOSE        7       /* and once less */

/* FUGU_FILES_RESULT. */
#define FUGU_FILES_MISSING      1       /* no such file */
#define FUGU_FILES_EXISTS       2       /* CREATE: the name is taken */
#define FUGU_FILES_BAD_NAME     3       /* no file can have that name */
#define FUGU_FILES_FULL         4       /* too many bytes, or too many files */
#define FUGU_FILES_CLOSED       5       /* CLOSE: the file is not open */

#define FUGU_FILES_NAME_MAX     100     /* longest name, in bytes */
#define FUGU_FILES_MAX          1024    /* files of a node */

/* ---- Disk --------------------------------------------------------------- */

#define FUGU_DISK_SECTORS       0x00    /* r: capacity, 512-byte sectors */
#define FUGU_DISK_SECTOR        0x04    /* rw: first sector */
#define FUGU_DISK_COUNT         0x08    /* rw: sectors */
#define FUGU_DISK_ADDR          0x0c    /* rw: physical address in RAM */
#define FUGU_DISK_COMMAND       0x10    /* w: FUGU_DISK_READ and so on */
#define FUGU_DISK_STATUS        0x14    /* r: below; w: acknowledges */
#define FUGU_DISK_CONTROL       0x18    /* rw: bit 0: interrupt when done */

#define FUGU_DISK_READ          1
#define FUGU_DISK_WRITE         2
#define FUGU_DISK_FLUSH         3

#define FUGU_DISK_BUSY          0x1
#define FUGU_DISK_DONE          0x2
#define FUGU_DISK_ERROR         0x4     /* with DONE */
#define FUGU_DISK_SECTOR_SIZE   512

/* ---- Node control ------------------------------------------------------- */

#define FUGU_CONTROL_EXIT       0x00    /* w: status; this node is done */
#define FUGU_CONTROL_STOP       0x04    /* w: status; ends the machine */
#define FUGU_CONTROL_FETCH_MISS 0x10    /* r: cache misses of fetches */
#define FUGU_CONTROL_DATA_MISS  0x14    /* r: cache misses of data */
#define FUGU_CONTROL_NETIF      0x18    /* r: kind of network interface */
#define FUGU_CONTROL_GID        0x20    /* rw: GID whose counters are shown */
#define FUGU_CONTROL_CLEAR      0x24    /* w: sets its counters to 0 */
#define FUGU_CONTROL_METER      0x40    /* r 64: FUGU_METER_COUNTERS counters of
                                           that GID, 8 bytes each */

/* Counters of a GID on the node (docs/machine.md, "Counters"). */
#define FUGU_METER_SENT         0       /* messages sent by the user */
#define FUGU_METER_BODIES       1       /* of those, with a body */
#define FUGU_METER_BYTES        2       /* bytes of these bodies */
#define FUGU_METER_RECEIVED     3       /* messages that the user has disposed
                                           of, or left to the kernel to do */
#define FUGU_METER_HANDLED      4       /* of those, in handlers */
#define FUGU_METER_INSERTED     5       /* messages that the kernel has taken */
#define FUGU_METER_CYCLES       6       /* cycles charged to the GID */
#define FUGU_METER_HANDLING     7       /* of those, in handlers */
#define FUGU_METER_COUNTERS     8       /* number of counters */

#define FUGU_METER_GIDS         64      /* GIDs 0 to 63 have counters; all
                                           others share a set of them */

/* Kinds of network interface. */
#define FUGU_NETIF_FUGU         1       /* the FUGU paper's */
#define FUGU_NETIF_NONE         2       /* one without a message part */
#define FUGU_NETIF_SHRIMP       3       /* SHRIMP's */
#define FUGU_NETIF_M_MACHINE    4       /* the M-Machine's */

#endif /* FUGU_REGS_H */
