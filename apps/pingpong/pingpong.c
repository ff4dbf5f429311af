/*
 * Ping-pong between all pairs of nodes, three ways: messages taken by
 * interrupt, by polling, and out of the buffer. See README.md.
 *
 * One pair of nodes plays at a time. Node 0 tells the lower node of the next
 * pair, the pinger, to play. The pinger prepares its partner, plays, and sends
 * the score to node 0.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "glaze-calls.h"
#include "pingpong.h"
#include "udm-thread.h"

enum { WARM_UP = 2 };           /* rounds before the first counted one, to warm
                                   up the caches */

static udm_thread_t *player;    /* the thread of main() on this node */
static uint32_t rounds;
static volatile bool over;

/*
 * What this node has to do next. serve_way: be the partner in a game played in
 * that way. ping_way: be the pinger. NO_WAY: neither.
 */
static volatile enum way serve_way = NO_WAY, ping_way = NO_WAY;
static volatile uint32_t partner;

/* ---- A round ------------------------------------------------------------ */

/*
 * How far this node's clock is ahead of the others' with --skew. Times that
 * another node compares with its own clock are without it.
 */
static uint32_t ahead;

static volatile bool ponged;
static uint32_t pinged_at, there, back, round_trip;
static uint32_t partner_buffered;       /* messages that the partner has taken
                                           out of its buffer so far */

/*
 * Handler. Arguments: the common time at which the pong was sent, the one-way cycles
 * of the ping, and the messages that the sender has taken out of its buffer.
 */
static void pong(void)
{
    uint32_t now = udm_cycles32();

    back = now - ahead - udm_arg(0);
    there = udm_arg(1);
    partner_buffered = udm_arg(2);
    udm_dispose();
    round_trip = now - pinged_at;
    ponged = true;
}

/* Handler. Argument: the common time at which the ping was sent. */
static void ping(void)
{
    uint32_t now = udm_cycles32();
    uint32_t source = udm_source();
    uint32_t one_way = now - ahead - udm_arg(0);

    udm_dispose();
    udm_inject(source, pong, udm_cycles32() - ahead, one_way,
               glaze_info(GLAZE_I_INSERTED));
}

/* ---- The three ways to receive ------------------------------------------ */

/* Receives messages in the given way until *flag is true. */
static void receive(enum way way, const volatile bool *flag)
{
    switch (way) {
    case INTERRUPT:
        while (!*flag) {
        }
        break;
    case POLLING:
        while (!*flag) {
            udm_poll();
        }
        break;
    case BUFFER:
        while (!*flag) {
            if (glaze_info(GLAZE_I_MODE) == GLAZE_FAST) {
                glaze_divert();         /* again: the buffer was drained */
            }
        }
        break;
    default:
        break;
    }
}

static void begin(enum way way)
{
    if (way == POLLING) {
        udm_beginatom();
    } else if (way == BUFFER) {
        glaze_divert();
    }
}

static void end(enum way way)
{
    if (way == POLLING) {
        udm_endatom();
    }
}

/* ---- Pinger and partner ------------------------------------------------- */

static volatile bool ready, served;

static void is_ready(void)
{
    udm_dispose();
    ready = true;
    udm_thread_wake(player);
}

static void finish(void)
{
    udm_dispose();
    served = true;
}

/* Handler on the partner: the pinger asks it to play. Argument: the way. */
static void serve(void)
{
    partner = udm_source();
    serve_way = udm_arg(0);
    udm_dispose();
    udm_thread_wake(player);
}

static void play_partner(enum way way)
{
    served = false;             /* not in serve(), whose message may come before
                                   this thread has seen that it was true */
    begin(way);
    udm_inject(partner, is_ready);
    receive(way, &served);
    end(way);
}

static void play_round(enum way way, struct score *score)
{
    ponged = false;
    pinged_at = udm_cycles32();
    udm_inject(partner, ping, pinged_at - ahead);
    receive(way, &ponged);
    if (score) {
        sample(&score->one_way, there);
        sample(&score->one_way, back);
        sample(&score->round_trip, round_trip);
    }
}

static void play_pinger(enum way way)
{
    struct score score = NO_SCORE;
    uint32_t before = 0, partner_before = 0;

    ready = false;
    udm_inject(partner, serve, way);
    while (!ready) {
        udm_thread_block();
    }
    begin(way);
    for (uint32_t i = 0; i < WARM_UP; i++) {
        play_round(way, NULL);
    }
    before = glaze_info(GLAZE_I_INSERTED);
    partner_before = partner_buffered;
    for (uint32_t i = 0; i < rounds; i++) {
        play_round(way, &score);
    }
    /* The partner counts a ping before it sends the pong with its count. */
    score.buffered = glaze_info(GLAZE_I_INSERTED) - before +
                     partner_buffered - partner_before;
    end(way);
    udm_inject(partner, finish);
    score_send(0, way, &score);
}

/* ---- Node 0 names the pairs --------------------------------------------- */

/*
 * Handler on the pinger: node 0 asks it to play. Arguments: the way, and the
 * number of the partner.
 */
static void play(void)
{
    partner = udm_arg(1);
    ping_way = udm_arg(0);
    udm_dispose();
    udm_thread_wake(player);
}

static void stop(void)
{
    udm_dispose();
    over = true;
    udm_thread_wake(player);
}

/*
 * Starts the next pair, or ends the program on all nodes after the last pair.
 * Called on node 0, at the start and after each pair has played.
 */
void next_pair(void)
{
    static uint32_t low, high;
    static enum way way;

    if (++high == udm_nodes()) {
        high = ++low + 1;
    }
    if (high == udm_nodes()) {
        low = 0;
        high = 1;
        way++;
    }
    if (way < WAYS) {
        udm_inject(low, play, way, high);
        return;
    }
    for (uint32_t node = 0; node < udm_nodes(); node++) {
        udm_inject(node, stop);
    }
}

static void play_all(void)
{
    while (!over) {
        if (serve_way != NO_WAY) {
            enum way way = serve_way;

            serve_way = NO_WAY;
            play_partner(way);
        } else if (ping_way != NO_WAY) {
            enum way way = ping_way;

            ping_way = NO_WAY;
            play_pinger(way);
        } else {
            udm_thread_block();
        }
    }
}

/*
 * A constructor, because it runs before any message can come: other nodes may
 * be ahead of this one, and handlers use `player`.
 */
static void __attribute__((constructor)) name_player(void)
{
    player = udm_thread_self();
}

int main(int argc, char **argv)
{
    if (!arguments(argc, argv, &rounds)) {
        return 2;
    }
    ahead = glaze_info(GLAZE_I_AHEAD);
    if (udm_node() == 0) {
        next_pair();
    }
    play_all();
    if (udm_node() == 0) {
        print_scores(rounds);
    }
    return 0;
}
