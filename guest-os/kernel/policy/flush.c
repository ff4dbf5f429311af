/*
 * Flush.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "policy/flush.h"
#include "glaze.h"
#include "machine/hardware.h"
#include "machine/chores.h"
#include "machine/message.h"
#include "machine/kind.h"
#include "machine/ni.h"
#include "services/mm/markers.h"

/* Cycles until node 0 asks again, when a node was not done. */
#define PATIENCE        5000

/* On each node. Rounds are numbered from 1. */
static uint32_t round;          /* the last one that node 0 has asked about */
static uint32_t sent;           /* markers of that round that have been sent */
static bool asked;              /* node 0 waits for an answer, */
static bool told;               /* and other nodes have to be told */

/* On node 0. */
static uint32_t begun;          /* number of rounds */
static uint32_t answers;        /* that have not come */
static bool incomplete;         /* a node has answered that it is not done */
static bool under_way;
static uint64_t again;          /* when to ask again; 0: no node has been found
                                   not to be done */

static void ask_all(void)
{
    answers = ni_nodes();
    incomplete = false;
    message_tell_all(OPERATION_FLUSH, &begun, 1);
}

void flush_begin(void)
{
    begun++;
    under_way = true;
    ask_all();
}

bool flush_is_under_way(void)
{
    return under_way;
}

void flush_message(uint32_t operation, const uint32_t *words)
{
    if (operation == OPERATION_FLUSH) {
        sent = words[0] == round ? sent : 0;
        round = words[0];
        asked = told = true;
    } else {
        incomplete |= !words[0];
        answers--;
    }
}

/* Sends the markers of this kind of network interface to a node. Returns false if there
 * is no space now. */
static bool mark(uint32_t node)
{
    return kind->messages ? message_mark(node) : markers_send(node);
}

/* Markers that a node sends at one time, and cycles for others after that. */
#define MARKERS_MOST    64
#define PAUSE           5000

/*
 * Sends markers as far as there is space, in parts, and says whether this node is
 * done.
 */
static void answer(void)
{
    uint32_t done, most = sent + MARKERS_MOST;

    if (told) {
        told = false;
        message_pass_on(OPERATION_FLUSH, &round, 1);
    }
    if (!kind->messages) {
        markers_begin();
    }
    while (sent < ni_nodes() && sent < most && mark(sent)) {
        sent++;
    }
    if (sent < ni_nodes() && sent == most) {
        chores_later(CHORE_JOBS, now() + PAUSE);
        return;
    }
    done = sent == ni_nodes() && message_marks == round * ni_nodes() * kind->markers;
    asked = false;
    message_send(0, OPERATION_FLUSHED, &done, 1);
}

bool flush_step(void)
{
    if (asked) {
        answer();
    }
    if (!under_way || answers) {
        return false;
    }
    if (now() < again) {
        chores_later(CHORE_JOBS, again);        /* chores have had an earlier time */
        return false;
    }
    if (!incomplete) {
        under_way = false;
        return true;
    }
    if (again) {
        again = 0;
        ask_all();
    } else {
        again = now() + PATIENCE;
        chores_later(CHORE_JOBS, again);
    }
    return false;
}
