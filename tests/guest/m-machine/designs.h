/*
 * The design space of message interfaces (Lee et al., IEEE Computer 1998,
 * "Performance evaluation"), on the M-Machine's node: what the C and the assembly of
 * designs.c share.
 *
 * DESIGN is one of these five interfaces, for the whole program.
 */
#ifndef GUEST_DESIGNS_H
#define GUEST_DESIGNS_H

#define M_MACHINE               0       /* SEND; words of messages are operands */
#define REGISTER_BUFFERED       1       /* words are copied by instructions; */
#define REGISTER_STREAMING      2       /*   each leaves when it is written */
#define MEMORY_BUFFERED         3       /* words are stored and loaded; */
#define MEMORY_STREAMING        4       /*   each leaves when it is written */

#define IN_MEMORY       (DESIGN == MEMORY_BUFFERED || DESIGN == MEMORY_STREAMING)
#define STREAMS         (DESIGN == REGISTER_STREAMING || DESIGN == MEMORY_STREAMING)
#define BUFFERS         (DESIGN == REGISTER_BUFFERED || DESIGN == MEMORY_BUFFERED)

/* Numbers of handlers: HandlerIP. */
#define REQUEST         0       /* ping: sends REPLY to its body's word */
#define REPLY           1
#define SPAWN           2       /* rpc, distribute */
#define BLOCK           3       /* blockwrite: the first, the last, the others */
#define BLOCK_FIRST     4
#define BLOCK_LAST      5
#define HANDLERS        6

/* Words of a message of blockwrite, and of its last one. */
#define BLOCK_WORDS     1024
#define BLOCK_BODY      10
#define BLOCK_TAIL      4

/* A thread's record: its eight arguments, and whether it may run. */
#define THREAD_READY    32

/* For software's translation: a segment as hardware has it, and a handler. */
#define SOFT_BASE       0
#define SOFT_LOG        4
#define SOFT_NODES      8
#define SOFT_LOCAL      12
#define SOFT_EXTENT     16

#define SLED            128     /* cycles before the loop, at most */
#define POLL_CYCLES     100     /* from one poll to the next */

#endif
