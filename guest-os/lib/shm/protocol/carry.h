/*
 * Words that a lock carries from one holder to the next (carry.c).
 *
 * "In a section" means in an atomic section or in a handler.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SHM_CARRY_H
#define SHM_CARRY_H

#include "shm-state.h"

/* Code that a fault has interrupted, as stub.S stores it. */
struct interrupted {
    uint32_t pc, npc;           /* where it goes on */
    uint32_t global[4];         /* %g1 to %g4 */
    uint32_t out[8];            /* its locals and ins are on the stack after a
                                   GLAZE_TRAP_FLUSH, at out[6] */
};

/* The process takes a lock, or gives one. `seq` is this node's number of the lock's
 * carried stores, which goes with the lock. In a section. */
void carry_took(uint32_t lock, uint32_t *seq);
void carry_gave(void);

/* Returns whether the process is in the section of a lock that may carry its stores. */
bool carry_in_section(void);

/* Returns whether there are carried words. They may stay with this lock when the
 * interval ends for its sake. */
bool carry_is_open(void);
uint32_t carry_lock(void);      /* the lock, if there are */
bool carry_stays(uint32_t lock);

/*
 * Lets the lock that is held carry the store which has no right to the page, and does
 * the store; `code` goes on behind it. Returns false if it cannot: then the page needs
 * a twin. The process can read the page. In a section.
 */
bool carry_store(uint32_t number, struct interrupted *code);

/* Returns whether carry_store() may do so once the page has been fetched. */
bool carry_fetches(uint32_t number);

/* Posts what a lock carries: the beginning of OP_GRANT. In a section. */
void carry_post(uint32_t lock, uint32_t seq);

/* Takes what a lock has brought: the beginning of a message. Returns how many words of
 * it that was. For the thread, which is about to apply the records that follow. */
uint32_t carry_take(uint32_t lock, uint32_t *seq, const uint32_t *words);

/* Stores what the lock has brought in the page, if this node has it; or forgets a copy
 * that may have later writes. After the records. For the thread. */
void carry_apply(void);

/* Returns whether a lock carries words of a page: the home must have them before the
 * thread fetches the page. carry_fetched(): it has fetched the page. */
bool carry_goes_first(uint32_t number);
void carry_fetched(uint32_t number);

/*
 * carry_send() sends carried words to their home, unless it has them. Returns how many
 * acknowledgements will come. carry_end(), in a section, gives their page a place in
 * the interval's record, and forgets the words: the home has them.
 */
uint32_t carry_send(void);
void carry_end(void);

#endif /* SHM_CARRY_H */
