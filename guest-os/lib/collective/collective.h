/*
 * What the files of the library share. README.md lists them.
 *
 * There are two ways by which a call's messages go: as UDM messages, and as updates of
 * the receiver's memory on a machine with SHRIMP's or the M-Machine's interface. The
 * files of this folder are compiled for each of them; updates/names.h gives the
 * functions of the second one other names.
 * Functions for programs take the machine's way: see ELSE_BY_UPDATES().
 *
 * A message of a call fills a *slot* of its receiver: a place for one value.
 * In each call, each slot gets the messages of one sender only. The receiver's
 * thread waits until the slot is full, uses the value and frees the slot. A
 * node sends nothing for a call before all nodes have begun the call before
 * it. So messages for two calls at most can be on their way, and there are two
 * sets of slots: one for every other call.
 *
 * Handlers of the library use no FPU: all files but reduce.c are built without
 * FPU instructions, and no handler runs code of reduce.c.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COLLECTIVE_H
#define COLLECTIVE_H

#include "glaze-calls.h"
#include "udm-collective.h"
#include "udm-thread.h"

/* ---- The two ways ------------------------------------------------------- */

/* The launcher runs the program on a machine with one of the ways (note.h). */
#define BY_UPDATES_HERE (glaze_info(GLAZE_I_NETIF) != FUGU_NETIF_FUGU)

#ifdef BY_UPDATES
#define ELSE_BY_UPDATES(call)   ((void)0)
#define COLLECTIVE_IS_HERE      BY_UPDATES_HERE
#define COLLECTIVE_BODY         512     /* bytes of a body, at most */
#else
/* Begins a function for programs: returns what the other way's one does if that is the
 * machine's. */
#define ELSE_BY_UPDATES(call) \
    do { \
        if (__builtin_expect(BY_UPDATES_HERE, false)) { \
            return call; \
        } \
    } while (0)
#define COLLECTIVE_IS_HERE      (!BY_UPDATES_HERE)
#define COLLECTIVE_BODY         FUGU_BODY_MAX
#endif

/* The second way's functions for programs. */
void updates_barrier(void);
void updates_broadcast(uint32_t root, void *data, size_t bytes);
void updates_collective_wait(enum udm_wait how);
void updates_quiesce(void);
int64_t updates_reduce_int(uint32_t root, enum udm_operation operation,
                           int64_t value);
double updates_reduce_double(uint32_t root, enum udm_operation operation,
                             double value);
int64_t updates_reduce_all_int(enum udm_operation operation, int64_t value);
double updates_reduce_all_double(enum udm_operation operation, double value);

/* ---- Calls -------------------------------------------------------------- */

enum function {
    NO_FUNCTION,
    BARRIER,
    BROADCAST,
    REDUCE_INT,
    REDUCE_DOUBLE,
    REDUCE_ALL_INT,
    REDUCE_ALL_DOUBLE,
    QUIESCE,
};

/*
 * The identity of a call, which all nodes must agree on. Argument 0 of each
 * message is the identity, with the number of the slot in its lowest bits.
 */
#define IDENTITY_SLOT           0xf
#define IDENTITY_ODD            0x10    /* every other call has this bit */
#define IDENTITY_FUNCTION(x)    ((x) >> 5 & 7)
#define IDENTITY(odd, function, operation, root) \
    ((odd) * IDENTITY_ODD | (function) << 5 | (operation) << 8 | (root) << 10)

/*
 * Slot k gets the messages of round k of a barrier, or those of the child at
 * distance 2^k in the tree. FROM_PARENT gets those of the parent.
 */
enum {
    ROUNDS = 10,                /* enough for 1024 nodes */
    FROM_PARENT = ROUNDS,
    SLOTS,
};

_Static_assert(SLOTS <= IDENTITY_SLOT + 1, "a slot fits into an identity");

union value {
    uint32_t word[2];
    int64_t integer;
    double real;
};

struct call {
    /* Handlers write these. The thread swaps the first one when it begins. */
    volatile uint32_t identity; /* of the call that this node has begun, or of
                                   which it has got a message; 0: of neither */
    volatile uint32_t from;     /* in the second case, the message's sender */

    uint32_t root;              /* of the tree; for the thread alone */

    /* Handlers fill slots, and the thread frees full ones. */
    struct slot {
        volatile uint32_t count;        /* messages since it was freed */
        union value value;              /* of the last one */
    } slot[SLOTS];
};

/* ---- mistake.c ---------------------------------------------------------- */

/* Ends the job. The line names the function, and says what is wrong. */
void collective_mistake(enum function function, const char *what)
    __attribute__((noreturn));

/* The same: this node's call is `ours`, an identity, and a node's `theirs`. */
void collective_mismatch(uint32_t ours, uint32_t theirs, uint32_t node)
    __attribute__((noreturn));

/* ---- leave.c ------------------------------------------------------------ */

/* This node begins a call. Ends the job if another one has ended before it. */
void collective_enter(enum function function);

/* This node has made the call. */
void collective_leave(void);

/* A node's process has ended after so many calls. Ends the job if this node is in a
 * later one. */
void collective_left(uint32_t node, uint32_t after);

enum side { BEFORE, AFTER };    /* of this node */

/* This node's process ends after `made` calls: tells a node, which is 2^k from it. */
void collective_tell(uint32_t node, enum side side, unsigned k, uint32_t made);

/* Do what handlers do with messages: call collective_left() for what has been told,
 * and end the job if this node has ended a call early and another one is in another
 * call. */
#ifdef BY_UPDATES
void collective_look_for_left(void);
void collective_look_for_others(void);
#else
static inline void collective_look_for_left(void)
{
}

static inline void collective_look_for_others(void)
{
}
#endif

/* ---- messages/slot.c, updates/slot.c ------------------------------------ */

extern struct call collective_calls[2];

/* Sends `value` to a slot of the same call on another node. */
void collective_send(const struct call *call, uint32_t node, unsigned slot,
                     const union value *value);

/* As collective_send(), but without a value, which saves two words. */
void collective_signal(const struct call *call, uint32_t node, unsigned slot);

/* Waits until `count` messages have come to a slot since it was freed. */
void collective_wait(struct slot *slot, uint32_t count);

/*
 * Waits for one message, and frees the slot. Returns the value, which stays
 * until the call has ended.
 */
const union value *collective_take(struct call *call, unsigned slot);

/* Frees a slot. */
#ifdef BY_UPDATES
void collective_free(struct call *call, unsigned slot);
#else
static inline void collective_free(struct call *call, unsigned slot)
{
    call->slot[slot].count = 0;
}
#endif

/*
 * Waits until what the process has sent before cannot be overtaken by what it sends, or
 * what others send because of that: an order that messages do not have.
 */
#ifdef BY_UPDATES
void collective_fence(void);
#else
static inline void collective_fence(void)
{
}
#endif

/*
 * collective_into() says where the bodies that collective_send_body() sends to
 * this node belong. Such a message goes to slot FROM_PARENT and has no value.
 * `offset` is that of the body in the data. The sender must know that the
 * receiver has called collective_into() for this call.
 */
void collective_into(struct call *call, void *data);
void collective_send_body(const struct call *call, uint32_t node,
                          const void *body, uint32_t bytes, uint32_t offset);

/* ---- tree.c ------------------------------------------------------------- */

/* Combines *from into *to. */
typedef void combine_t(union value *to, const union value *from);

/* Returns true if this node is the root. */
bool collective_is_root(const struct call *call);

/* Fills in the nodes of all children, furthest first. Returns their number. */
unsigned collective_children(const struct call *call,
                             uint32_t children[ROUNDS]);

/*
 * Waits for the values of all children, nearest first, and combines each into
 * *value. Then sends *value to the parent, if this node is not the root.
 */
void collective_gather(struct call *call, union value *value,
                       combine_t *combine);

/*
 * Waits for the parent's value in *value, if this node is not the root. Then
 * sends *value to all children.
 */
void collective_release(struct call *call, union value *value);

/* ---- call.c ------------------------------------------------------------- */

/*
 * Begins a call, and returns it. Ends the job if the caller may not make it,
 * or if another node has made another call. `root` is 0 without a tree.
 */
struct call *collective_begin(enum function function, unsigned operation,
                              uint32_t root);

/* Ends a call. All its messages to this node have come, and slots are free. */
void collective_end(struct call *call);

/*
 * Ends a call that still has to do its collective_release(): the next
 * collective_begin() of this node does it.
 */
void collective_end_early(struct call *call);

#endif
