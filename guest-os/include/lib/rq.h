/*
 * RQ, Remote Queues: messages wait in named queues until the program takes
 * them.
 *
 * The interface of Brewer et al., "Remote Queues: Exposing Message Queues for
 * Optimization and Atomicity" (SPAA 1995), with the prefix rq_. "Section" and
 * "figure" below refer to that paper. docs/remote-queues.md is the reference.
 *
 * A node has any number of queues, named by small integers. RQ_NI is the queue
 * of the network interface itself. The others are in the memory of the process.
 * An item of a queue is 1 to 13 words, and may have a body of up to
 * FUGU_BODY_MAX (4096) bytes. RQ_NI has active messages too, which have no item
 * but a handler.
 *
 * A mistake ends the job with status 118 and a line that names the call and the
 * queue.
 *
 *     #include <stdio.h>
 *     #include "rq.h"
 *     #include "udm-collective.h"
 *
 *     enum { NUMBERS = 1 };                   // the name of a queue
 *
 *     int main(void)
 *     {
 *         uint32_t number, sum = 0;
 *
 *         rq_init(RQ_BY_MEMORY);
 *         rq_create(NUMBERS, RQ_POLL);
 *         udm_barrier();                      // all queues exist
 *         rq_send(0, NUMBERS, udm_node());
 *         if (udm_node() == 0) {
 *             for (uint32_t items = 0; items < udm_nodes(); items++) {
 *                 while (!rq_dequeue(NUMBERS, &number)) {
 *                     // the item will come
 *                 }
 *                 sum += number;
 *             }
 *             printf("the sum is %lu\n", (unsigned long)sum);
 *         }
 *         return 0;
 *     }
 *
 * On four nodes it prints "the sum is 6".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef RQ_H
#define RQ_H

#include "udm.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Queues ------------------------------------------------------------- */

/*
 * Where items of a named queue wait until the program takes them, and when they
 * get there.
 */
enum rq_back_end {
    RQ_BY_NI,                   /* The program polls: between rq_begin() and
                                   rq_end() no message interrupts. A call that
                                   takes items moves those at the head of the
                                   network interface into their queues. */
    RQ_BY_MEMORY,               /* Each message interrupts, and the library's
                                   handler moves it into its queue. No other
                                   code of the program runs in the interrupt. */
    RQ_BY_FETCH,                /* Fetch-and-increment (section 3.3): the sender
                                   reserves slots of the receiver's queue and
                                   writes the item there, by MBCF. Nothing runs
                                   in the receiver. A queue has RQ_SLOTS slots;
                                   when they are used up, items are refused
                                   until the receiver looks at the queue, which
                                   moves all items from the slots to its memory.
                                   Messages for RQ_NI and for queues that
                                   interrupt come as with RQ_BY_MEMORY. */
};

/* What happens to items of a queue. */
enum rq_kind {
    RQ_POLL,                    /* Items wait for the program. */
    RQ_INTERRUPT,               /* Items are active messages: the first word is
                                   an rq_handler_t. The library calls that
                                   handler when it finds the message: in the
                                   interrupt with RQ_BY_MEMORY and RQ_BY_FETCH,
                                   at the next poll with RQ_BY_NI. Nothing is
                                   ever queued. */
};

/* Numbers of the library. */
enum {
    RQ_NI = 0,                  /* the queue of the network interface */
    RQ_LAST = 65535,            /* the last name that a queue can have */
    RQ_WORDS_MAX = UDM_ARGS_MAX - 1,    /* words of an item */
    RQ_SLOTS = 128,             /* of a queue, with RQ_BY_FETCH. An item takes
                                   one, and one for each RQ_SLOT_BYTES bytes of
                                   its body, or part of them. */
    RQ_SLOT_BYTES = 64,
};

/*
 * Starts the library on this node. All nodes call it once, before any other
 * call. With RQ_BY_FETCH all nodes have the same back end; it opens MBCF
 * (mbcf.h), and takes a page frame for that.
 *
 *   back_end  RQ_BY_NI, RQ_BY_MEMORY or RQ_BY_FETCH
 *
 * Errors: ends the job (118) if it is called twice, if there is no such back end, or if
 * no memory is left.
 */
void rq_init(enum rq_back_end back_end);

/*
 * Makes the queue with that name, from 1 to RQ_LAST, on this node. Each queue
 * must exist before an item for it arrives: programs make their queues and then
 * call udm_barrier().
 *
 *   queue  its name, 1 to RQ_LAST
 *   kind   RQ_POLL or RQ_INTERRUPT
 *
 * Errors: ends the job (118) before rq_init(), if there is no such name or kind, if the
 * queue exists already, or if no memory is left.
 */
void rq_create(uint32_t queue, enum rq_kind kind);

/*
 * Returns how many items of a queue wait in memory. Does not count messages
 * that are still in the network interface.
 *
 * Errors: ends the job (118) if the queue does not exist.
 */
uint32_t rq_waiting(uint32_t queue);

/* ---- Polling (section 3.2.3) -------------------------------------------- */

/*
 * rq_begin() lets the program poll: with RQ_BY_NI it opens an atomic section,
 * in which no message interrupts. rq_end() closes the section. With the other
 * back ends neither does anything, so that a program is written once for all
 * of them. Between the two the program may not make calls that atomic
 * sections exclude, such as udm_barrier(). Errors: none.
 */
void rq_begin(void);
void rq_end(void);

/*
 * Lets the messages that wait interrupt now (figure 8: enable_interrupts();
 * disable_interrupts()), and then no more. To be called between rq_begin() and
 * rq_end(). Errors: none; with other back ends than RQ_BY_NI it does nothing.
 */
void rq_let_in(void);

/* ---- Enqueue (section 1.2) ---------------------------------------------- */

/*
 * The library's handlers. rq_arrive_() gets an item for a queue in memory.
 * rq_data_() gets one for RQ_NI that interrupts, or that is in the way of a
 * poll of another queue. It sets the item aside in memory, where the calls below
 * find it.
 */
void rq_arrive_(void);
void rq_data_(void);

/* Items of RQ_NI that have been set aside and wait. */
extern volatile uint32_t rq_aside_;

#define RQ_IS_NI_(queue) ((queue) == RQ_NI)

/* The back end is RQ_BY_FETCH. */
extern bool rq_fetch_;

/* For the macros below: what has become of an item. */
enum rq_sent { RQ_REFUSED, RQ_COMMITTED, RQ_BY_MESSAGE };

/*
 * With RQ_BY_FETCH, sends an item of `count` words and `bytes` bytes at
 * `address`. Waits for room if `wait` is set. Returns RQ_BY_MESSAGE if the
 * queue interrupts, so that its items have to be messages.
 */
enum rq_sent rq_send_by_fetch_(uint32_t node, uint32_t queue, bool wait,
                               const void *address, uint32_t bytes,
                               unsigned count, const uint32_t *words);

/* The words of an item, as an array. */
#ifdef __cplusplus
extern "C++" {
struct rq_words_ {
    uint32_t word[RQ_WORDS_MAX];
};

template <typename... Words>
inline rq_words_ rq_words_of_(Words... words)
{
    return {{ static_cast<uint32_t>(words)... }};
}
}
#define RQ_WORDS_(...) (rq_words_of_(__VA_ARGS__).word)
#else
#define RQ_WORDS_(...) ((const uint32_t []) { __VA_ARGS__ })
#endif

#define RQ_BY_FETCH_(node, queue, wait, address, bytes, ...) \
    (__builtin_expect(!rq_fetch_, 1) ? RQ_BY_MESSAGE : \
     rq_send_by_fetch_(node, queue, wait, address, bytes, \
                       UDM_COUNT_(__VA_ARGS__), RQ_WORDS_(__VA_ARGS__)))

/*
 * rq_enqueue(node, queue, word...) -> bool: puts an item of 1 to 13 words into
 * a queue of `node`. Returns true if the item is committed: the system
 * guarantees that it will be in the queue. Returns false, with nothing sent, if
 * the network has no space for it now or, with RQ_BY_FETCH, the queue has none.
 *
 *   node     0 to udm_nodes() - 1
 *   queue    RQ_NI, or a name that the node has made
 *   word...  1 to 13, each a uint32_t: cast pointers
 *
 * Errors: ends the job if the node does not exist (protection-violation, or 118 with
 * RQ_BY_FETCH), and on the receiver (118) if the queue does not exist, or if it has no
 * memory for the item. More than 13 words do not compile.
 */
#define rq_enqueue(node, queue, ...) \
    ({ \
        uint32_t rq_queue_ = (queue); \
        enum rq_sent rq_sent_; \
        RQ_IS_NI_(rq_queue_) \
            ? udm_injectc(node, rq_data_, __VA_ARGS__) \
        : (rq_sent_ = RQ_BY_FETCH_(node, rq_queue_, false, NULL, 0, \
                                   __VA_ARGS__)) == RQ_BY_MESSAGE \
            ? udm_injectc(node, rq_arrive_, rq_queue_, __VA_ARGS__) \
            : rq_sent_ == RQ_COMMITTED; \
    })

/*
 * rq_enqueue_body(node, queue, address, bytes, word...) -> bool: the same for
 * an item of 1 to 11 words with a body, which is read at `address` before the
 * call returns. Returns as rq_enqueue() does. `node` and `queue` are as there;
 * `address` and `bytes` are multiples of 4, with 4096 bytes at most.
 *
 * Errors: as for rq_enqueue(), and if address or bytes are others.
 */
#define rq_enqueue_body(node, queue, address, bytes, ...) \
    ({ \
        uint32_t rq_queue_ = (queue); \
        enum rq_sent rq_sent_; \
        RQ_IS_NI_(rq_queue_) \
            ? udm_injectc_body(node, rq_data_, address, bytes, __VA_ARGS__) \
        : (rq_sent_ = RQ_BY_FETCH_(node, rq_queue_, false, address, bytes, \
                                   __VA_ARGS__)) == RQ_BY_MESSAGE \
            ? udm_injectc_body(node, rq_arrive_, address, bytes, rq_queue_, \
                               __VA_ARGS__) \
            : rq_sent_ == RQ_COMMITTED; \
    })

/*
 * rq_send(node, queue, word...) and rq_send_body(node, queue, address, bytes,
 * word...): as rq_enqueue() and rq_enqueue_body(), but wait until the item is
 * committed. With RQ_BY_FETCH, items for queues of this node are moved to its
 * memory meanwhile, so that two nodes that send to each other both go on. The
 * parameters `address` and `bytes` and the others are those of rq_enqueue_body().
 *
 * Errors: as for rq_enqueue() and rq_enqueue_body().
 */
#define rq_send(node, queue, ...) \
    do { \
        uint32_t rq_queue_ = (queue); \
        if (RQ_IS_NI_(rq_queue_)) { \
            udm_inject(node, rq_data_, __VA_ARGS__); \
        } else if (RQ_BY_FETCH_(node, rq_queue_, true, NULL, 0, \
                                __VA_ARGS__) == RQ_BY_MESSAGE) { \
            udm_inject(node, rq_arrive_, rq_queue_, __VA_ARGS__); \
        } \
    } while (0)
#define rq_send_body(node, queue, address, bytes, ...) \
    do { \
        uint32_t rq_queue_ = (queue); \
        if (RQ_IS_NI_(rq_queue_)) { \
            udm_inject_body(node, rq_data_, address, bytes, __VA_ARGS__); \
        } else if (RQ_BY_FETCH_(node, rq_queue_, true, address, bytes, \
                                __VA_ARGS__) == RQ_BY_MESSAGE) { \
            udm_inject_body(node, rq_arrive_, address, bytes, rq_queue_, \
                            __VA_ARGS__); \
        } \
    } while (0)

/* ---- Dequeue (section 1.2) ---------------------------------------------- */

/* For the macros below: whether the item stays. */
enum rq_take { RQ_READ, RQ_TAKE };

/*
 * Reads `count` words and `bytes` bytes of the first item that a queue has in
 * memory, and removes the item with RQ_TAKE. Returns false, and changes nothing, if the
 * item has fewer, or if there is none.
 */
bool rq_take_(uint32_t queue, enum rq_take take, unsigned count,
              uint32_t *const *words, void *address, uint32_t bytes);

/* The same for the item that is the current message. */
UDM_INLINE bool rq_ni_take_(enum rq_take take, unsigned count,
                            uint32_t *const *words, void *address,
                            uint32_t bytes)
{
    if (udm_length() < 2 + count || (bytes && udm_body_length() < bytes)) {
        return false;
    }
#define RQ_WORD_(k) do { if (count > (k)) *words[k] = udm_arg(k); } while (0)
    RQ_WORD_(0); RQ_WORD_(1); RQ_WORD_(2); RQ_WORD_(3); RQ_WORD_(4);
    RQ_WORD_(5); RQ_WORD_(6); RQ_WORD_(7); RQ_WORD_(8); RQ_WORD_(9);
    RQ_WORD_(10); RQ_WORD_(11); RQ_WORD_(12);
#undef RQ_WORD_
    if (bytes) {
        udm_storeback(address, 0, bytes);
    }
    if (take == RQ_TAKE) {
        udm_dispose();
    }
    return true;
}

#ifdef __cplusplus
extern "C++" {
struct rq_pointers_ {
    uint32_t *pointer[RQ_WORDS_MAX + 1];
};

template <typename... Pointers>
inline rq_pointers_ rq_pointers_of_(Pointers... pointers)
{
    return {{ pointers... }};
}
}
#define RQ_POINTERS_(...) (rq_pointers_of_(__VA_ARGS__).pointer)
#else
#define RQ_POINTERS_(...) \
    ((uint32_t *const []) { __VA_ARGS__ __VA_OPT__(,) NULL })
#endif
#define RQ_TAKE_(queue, take, address, bytes, ...) \
    ({ \
        uint32_t rq_from_ = (queue); \
        RQ_IS_NI_(rq_from_) && udm_handler() == rq_data_ && udm_atomic() && \
        !rq_aside_ \
            ? rq_ni_take_(take, UDM_COUNT_(__VA_ARGS__), \
                          RQ_POINTERS_(__VA_ARGS__), address, bytes) \
            : rq_take_(rq_from_, take, UDM_COUNT_(__VA_ARGS__), \
                       RQ_POINTERS_(__VA_ARGS__), address, bytes); \
    })

/*
 * rq_dequeue(queue, pointer...) -> bool: removes the first item of a queue of
 * this node, and stores its first words where the pointers (uint32_t *) say.
 * Returns true if the item has as many words as there are pointers, or more:
 * the rest is lost. Returns false, and changes nothing, if it has fewer, or if
 * no item waits.
 *
 * Between rq_begin() and rq_end() these calls poll: they first run the handlers
 * of active messages and move items for other queues, until an item for `queue`
 * comes or no message is left, but for one message at least.
 *
 *   queue       RQ_NI, or a name that this node has made
 *   pointer...  0 to 13, each a uint32_t *
 *
 * Errors: ends the job (118) if the queue does not exist.
 */
#define rq_dequeue(queue, ...) \
    RQ_TAKE_(queue, RQ_TAKE, NULL, 0, ##__VA_ARGS__)

/*
 * rq_dequeue_body(queue, address, bytes, pointer...) -> bool: the same for an
 * item with a body of `bytes` bytes or more, whose first `bytes` bytes it
 * copies to `address`. Both are multiples of 4. `queue` is as for rq_dequeue().
 *
 * Errors: as for rq_dequeue().
 */
#define rq_dequeue_body(queue, address, bytes, ...) \
    RQ_TAKE_(queue, RQ_TAKE, address, bytes, ##__VA_ARGS__)

/*
 * rq_read_queue(queue, pointer...) -> bool and rq_read_queue_body(queue,
 * address, bytes, pointer...) -> bool: the same, but leave the item in the
 * queue. Errors: as for rq_dequeue().
 */
#define rq_read_queue(queue, ...) \
    RQ_TAKE_(queue, RQ_READ, NULL, 0, ##__VA_ARGS__)
#define rq_read_queue_body(queue, address, bytes, ...) \
    RQ_TAKE_(queue, RQ_READ, address, bytes, ##__VA_ARGS__)

/*
 * rq_delete_queue(queue) -> bool: removes the first item of a queue, not the queue.
 * Returns false if no item waits. Errors: as for rq_dequeue().
 */
#define rq_delete_queue(queue) rq_dequeue(queue)

/* ---- Active messages (figures 3 and 8) ---------------------------------- */

/*
 * rq_send_am(node, handler, word...): sends an active message of up to 14
 * argument words by RQ_NI. `handler` is a udm_handler_t: it reads its arguments
 * with udm_arg(), and calls udm_dispose(). It runs when the receiver polls or,
 * if the receiver does not poll, in an interrupt. Waits until the network takes
 * the message. Errors: those of udm_inject().
 */
#define rq_send_am(node, handler, ...) \
    udm_inject(node, handler, ##__VA_ARGS__)

/*
 * If a message waits in RQ_NI, calls its handler and returns true. Otherwise
 * returns false. To be called between rq_begin() and rq_end(). Errors: those of the
 * handler.
 */
UDM_INLINE bool rq_poll_am(void)
{
    return udm_poll();
}

/*
 * RQ_POLL_INLINED(known, code) -> bool: polls RQ_NI with an inlined handler
 * (figure 8). If the handler of the first message is `known`, executes `code`,
 * which reads the arguments with udm_arg(), and disposes of the message. Any
 * other message interrupts. Returns whether there was a message. To be used
 * between rq_begin() and rq_end(). Errors: `code` must not dispose of the message: the
 * second dispose ends the job (bad-dispose), or takes another message.
 */
#define RQ_POLL_INLINED(known, code) \
    ({ \
        bool rq_there_ = udm_available(); \
        if (rq_there_) { \
            if (udm_handler() == (known)) { \
                code; \
                udm_dispose(); \
            } else { \
                rq_let_in(); \
            } \
        } \
        rq_there_; \
    })

/* An item of a queue in memory, as its handler sees it. */
struct rq_item {
    uint32_t source;            /* the node that has sent it */
    uint32_t words;
    uint32_t word[RQ_WORDS_MAX];        /* the first one is the handler */
    uint32_t bytes;             /* of the body, or 0 without a body */
    void *body;
};

/*
 * A handler of an item in a queue in memory. The item is valid until the
 * handler returns, or takes another item from the same queue. The handler does
 * not dispose of anything.
 */
typedef void (*rq_handler_t)(const struct rq_item *item);

/*
 * rq_send_am_to(node, queue, handler, word...): sends an active message to a
 * queue in memory. `node` and `queue` are as for rq_send(), `handler` is an
 * rq_handler_t of all nodes, and word... are up to 12 further words of the item.
 * Errors: as for rq_send().
 */
#define rq_send_am_to(node, queue, handler, ...) \
    rq_send(node, queue, (uintptr_t)(rq_handler_t)(handler), ##__VA_ARGS__)

/*
 * Removes the first item of a queue in memory and calls its handler. Returns
 * false if no item waits. The items of `queue` must be those of rq_send_am_to(): the
 * first word is called.
 *
 * Errors: ends the job (118) if the queue is RQ_NI, or does not exist.
 */
bool rq_poll_am_of(uint32_t queue);

/* ---- Blocks (section 2.4) ----------------------------------------------- */

/* An item of two words that says that a transfer is complete. */
struct rq_note {
    uint32_t queue;
    uint32_t word[2];
};

/*
 * Copies `bytes` bytes at `from` to the address `to` on `node`, from memory to
 * memory, by udm_transfer(). Puts *sent into a queue of this node when the
 * memory at `from` may change, and *arrived into a queue of `node` when all
 * bytes are at `to`. Either may be NULL. Waits until all bytes are in the
 * network, so it is for threads only.
 *
 *   node      0 to udm_nodes() - 1
 *   to, from  of any alignment
 *   bytes     any number
 *
 * Errors: as for udm_transfer(), and for rq_send() with the notes' queues. With
 * RQ_BY_FETCH the job ends (118) if the node does not exist or cannot take the bytes.
 */
void rq_store(uint32_t node, void *to, const void *from, uint32_t bytes,
              const struct rq_note *sent, const struct rq_note *arrived);

#ifdef __cplusplus
}
#endif

#endif /* RQ_H */
