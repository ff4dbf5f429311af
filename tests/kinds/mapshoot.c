/*
 * Shoot-downs: memory is scarce, so pages with mappings go out and come back all the
 * time (docs/shrimp.md, paging). Each word is checked.
 *
 *      mapshoot [ROUNDS [MORE [USES [beside]]]]
 *
 *      mapshoot endless [MORE [USES]]
 *      mapshoot engine [PASSES [MORE]]
 *      mapshoot modes [MORE]
 *      mapshoot full [store]
 *      mapshoot gone
 *      mapshoot lost
 *      mapshoot waits, beside mapshoot fills [MORE]
 *
 * Each node sends words of its pages to the next node, in each mode, by whole pages and
 * by pages that go to two of the receiver's, and uses more memory besides than it has
 * frames: by MORE percent, USES pages in a round. A receiver knows which words come in a round, and all that
 * its pages have at the end: no update is lost, and none goes astray.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "glaze-calls.h"
#include "ring.h"
#include "shrimp.h"
#include "udm.h"

#define PAGE    GLAZE_PAGE
#define WORDS   (PAGE / 4)

enum { PAGES = 10, KINDS = 4, FLAGS = 50, DATA = 10, BOTH = 60, ALL = 2000,
       LATE = 600000, BEGIN = 20000000 };

static uint32_t node, nodes, next, before;

/* A page more for those that go to two. */
static volatile uint32_t out[KINDS][PAGES][WORDS] __attribute__((aligned(PAGE)));
static volatile uint32_t in[KINDS][(PAGES + 1) * WORDS] __attribute__((aligned(PAGE)));
static uint32_t want[KINDS][(PAGES + 1) * WORDS] __attribute__((aligned(PAGE)));
static volatile uint32_t both[2][WORDS] __attribute__((aligned(PAGE)));
static volatile uint32_t flag_out[WORDS] __attribute__((aligned(PAGE)));
static volatile uint32_t flag_in[WORDS] __attribute__((aligned(PAGE)));

static const struct {
    uint32_t mode, offset;
} kinds[KINDS] = {
    { SHRIMP_SINGLE, 0 }, { SHRIMP_BLOCKED, 2048 }, { SHRIMP_DELIBERATE, 0 },
    { SHRIMP_SINGLE, 1000 },
};

static bool alone = true;       /* no other job has packets that are dropped */

/* Updates for pages that are not mapped in, or whose mapping has ended. */
static void check_dropped(void)
{
    struct glaze_count count;

    glaze_count(&count);
    check("no packet was dropped", alone ? count.dropped : 0, 0);
}

static void tell(uint32_t word, uint32_t what)
{
    flag_out[word] = what;
}

static void tell_turn(uint32_t turn)
{
    tell(1, turn);
}

/* Uses word 1 of the flags. */
static void barrier(void)
{
    ring_token(node, &flag_in[1], tell_turn);
}

static uint32_t map(volatile void *from, uint32_t bytes, uint32_t number,
                    uint32_t offset, uint32_t mode)
{
    int32_t mapping = shrimp_map(from, bytes, next, number, offset, mode);

    check("it is mapped", mapping >= 0, true);
    return mapping;
}

static void map_all(void)
{
    check("flags are exported", shrimp_export(FLAGS, flag_in, PAGE), 0);
    map(flag_out, PAGE, FLAGS, 0, SHRIMP_SINGLE);
    check("pages for both", shrimp_export(BOTH, both, sizeof(both)), 0);
    map(both, sizeof(both), BOTH, 0, SHRIMP_SINGLE);
    for (uint32_t k = 0; k < KINDS; k++) {
        check("pages are exported", shrimp_export(DATA + k, in[k], sizeof(in[k])), 0);
        map(out[k], sizeof(out[k]), DATA + k, kinds[k].offset, kinds[k].mode);
    }
}

/* ---- Memory that is used besides ------------------------------------------ */

static volatile uint32_t *more;
static uint32_t more_pages, more_next, more_wrong;

static uint32_t canary(uint32_t page)
{
    return (page + 1) * 2654435761u ^ node;
}

static void make_more(uint32_t percent)
{
    struct glaze_count count;
    uint32_t own = (2 * KINDS * (PAGES + 1) + KINDS * PAGES + 4);

    glaze_count(&count);
    more_pages = count.frames * (100 + percent) / 100;
    more_pages = more_pages > own ? more_pages - own : 1;
    more = (volatile uint32_t *)(GLAZE_PROGRAM + 0x8000000);
    check("more memory", glaze_map((uintptr_t)more, more_pages * PAGE), 0);
    for (uint32_t k = 0; k < more_pages; k++) {
        more[k * WORDS + k % WORDS] = canary(k);
    }
}

/* Uses pages of it, each in turn. */
static void use_more(uint32_t count)
{
    for (; count; count--) {
        volatile uint32_t *page = more + more_next * WORDS;

        more_wrong += page[more_next % WORDS] != canary(more_next);
        page[(more_next + 1) % WORDS]++;
        more_next = (more_next + 1) % more_pages;
    }
}

/* ---- Rounds --------------------------------------------------------------- */

/* The numbers by which a node chooses. A receiver draws its sender's as well. */
static uint32_t draw(uint32_t *state)
{
    *state = *state * 1664525 + 1013904223;
    return *state >> 8;
}

enum { STORES = 24 };

static uint32_t uses;           /* pages of the rest in a round */

/* What the store number i of a round is. */
struct store {
    uint32_t kind, page, word, value;
};

static struct store store_of(uint32_t *state, uint32_t of, uint32_t round, uint32_t i)
{
    uint32_t where = draw(state);

    return (struct store) {
        .kind = where % KINDS, .page = where / 8 % PAGES, .word = where / 128 % WORDS,
        .value = of << 28 | (round & 0xfffff) << 8 | (i + 1),
    };
}

/* An atomic store: it faults as others do. */
static void swap(volatile uint32_t *word, uint32_t value)
{
    asm volatile ("swap [%1], %0" : "+r" (value) : "r" (word) : "memory");
}

static void send(uint32_t round)
{
    static uint32_t state[1];

    if (!round) {
        *state = node + 1;
    }
    for (uint32_t i = 0; i < STORES; i++) {
        struct store s = store_of(state, node, round, i);
        volatile uint32_t *word = &out[s.kind][s.page][s.word];

        if (i % 5) {
            *word = s.value;
        } else {
            swap(word, s.value);
        }
        if (kinds[s.kind].mode == SHRIMP_DELIBERATE) {
            shrimp_send(word, 4);
            shrimp_wait_sent(word);
        }
        use_more(uses * (i + 1) / STORES - uses * i / STORES);
    }
    /* Words that are there already: the engine is at work when pages go. */
    shrimp_send(out[2][round % PAGES], PAGE);
    both[round % 2][node] = round + 1;
}

/* Returns how many words of the round are not there. */
static uint32_t receive(uint32_t round)
{
    static uint32_t state[1];
    uint32_t wrong = 0, at[STORES];
    struct store s[STORES];

    if (!round) {
        *state = before + 1;
    }
    for (uint32_t i = 0; i < STORES; i++) {
        s[i] = store_of(state, before, round, i);
        at[i] = s[i].page * WORDS + s[i].word + kinds[s[i].kind].offset / 4;
        want[s[i].kind][at[i]] = s[i].value;
    }
    for (uint32_t i = 0; i < STORES; i++) {
        wrong += in[s[i].kind][at[i]] != want[s[i].kind][at[i]];
    }
    return wrong + (both[round % 2][before] != round + 1);
}

/* ---- Stores without end --------------------------------------------------- */

enum { SEEN = 100 };

/*
 * Node 0 stores to a page, one number after the other, until node 1 has taken all of its
 * memory USES times in turn: so the page goes out and comes back meanwhile. Node 1 sees
 * the numbers in their order, and the last one.
 */
static void endless(uint32_t percent)
{
    volatile uint32_t *to = &out[0][0][0], *from = &in[0][0];
    uint32_t number = 0, last = 0, wrong = 0;

    map_all();
    barrier();
    make_more(node == 1 ? percent : (uint32_t)-90);
    barrier();
    if (node == 0) {
        while (flag_in[2] == 0) {
            to[number % SEEN] = number + 1;
            number++;
        }
        to[SEEN] = number;
        tell(3, 1);
        check("it has stored meanwhile", number > 1000, true);
    } else if (node == 1) {
        for (uint32_t k = 0; k < uses * more_pages; k++) {
            uint32_t at = k % SEEN, new = from[at];

            use_more(1);
            wrong += new && new % SEEN != (at + 1) % SEEN;
            wrong += new < last && last - new > SEEN;
            last = new > last ? new : last;
        }
        tell(2, 1);
        shrimp_wait(&flag_in[3], 1);
        check("numbers come in their order", wrong, 0);
        last = from[SEEN];
        for (uint32_t k = 0; k < SEEN; k++) {
            uint32_t number_of = from[k] - 1;

            wrong += number_of % SEEN != k || last - number_of - 1 >= SEEN;
        }
        check("and the last ones are there", wrong, 0);
        check("nor has other memory changed", more_wrong, 0);
    }
    check_dropped();
}

/* ---- The engine ----------------------------------------------------------- */

static uint32_t pass_value(uint32_t pass, uint32_t page, uint32_t word)
{
    return pass << 16 | page << 12 | word;
}

/*
 * Node 0 sends whole pages by the engine, and uses other memory while that is at work.
 * So does node 1, to which they come. Each word of each pass is there.
 */
static void engine(uint32_t passes, uint32_t percent)
{
    uint32_t wrong = 0;

    map_all();
    barrier();
    make_more(percent);
    barrier();
    for (uint32_t pass = 1; pass <= passes && node < 2; pass++) {
        for (uint32_t k = 0; k < PAGES && !node; k++) {
            for (uint32_t i = 0; i < WORDS; i++) {
                out[2][k][i] = pass_value(pass, k, i);
            }
            shrimp_send(out[2][k], PAGE);
            use_more(1 + pass % 4);
        }
        if (!node) {
            shrimp_fence();
            tell(2, pass);
            shrimp_wait(&flag_in[3], pass);
            continue;
        }
        while (flag_in[2] != pass) {
            use_more(1);
        }
        for (uint32_t i = 0; i < PAGES * WORDS; i++) {
            wrong += in[2][i] != pass_value(pass, i / WORDS, i % WORDS);
        }
        tell(3, pass);
    }
    check("each word of each pass has come", wrong, 0);
    check("no other memory has changed", more_wrong, 0);
    check_dropped();
}

/* ---- Modes ---------------------------------------------------------------- */

/* Stores eight words, one behind the other. Returns how many packets they are: at least,
 * since an interrupt in between closes the open one. */
static uint32_t packets(volatile uint32_t *to)
{
    volatile uint32_t *sent = (uint32_t *)(FUGU_NI_USER_BASE + FUGU_U_SENT);
    uint32_t least = -1;

    *to = 1;                    /* the page is open from here on */
    for (uint32_t try = 0; try < 3; try++) {
        uint32_t before = *sent;

        for (uint32_t k = 0; k < 8; k++) {
            to[k] = k;
        }
        before = *sent - before;
        least = before < least ? before : least;
    }
    return least;
}

/* Parts in each mode, as MAP has set them or another call: which is switched. */
static void check_modes(void)
{
    check("single, switched to blocked", packets(out[0][0]), 1);
    check("single", packets(out[0][1]), 8);
    check("blocked, its lower part switched to single", packets(out[1][0]), 8);
    check("its upper part", packets(&out[1][0][WORDS / 2]), 1);
    check("blocked, its upper part switched", packets(&out[1][1][WORDS / 2]), 8);
    check("its lower part", packets(out[1][1]), 1);
}

/* A node uses all of its memory: so its pages go out. */
static void go_out(uint32_t of)
{
    if (node == of) {
        use_more(2 * more_pages);
    }
    barrier();
}

/* Node 0 switches parts of pages. They stay so when the pages have gone out, on either
 * side. A new mapping has the mode of its MAP. */
static void modes(uint32_t percent)
{
    map_all();
    barrier();
    make_more(percent);
    if (!node) {
        shrimp_set_mode(out[0][0], SHRIMP_BLOCKED);
        shrimp_set_mode(out[1][0], SHRIMP_SINGLE);
        shrimp_set_mode(&out[1][1][WORDS / 2], SHRIMP_SINGLE);
        check_modes();
    }
    for (uint32_t turn = 0; turn < 4; turn++) {
        go_out(turn % 2);
        if (!node) {
            check_modes();
        }
    }
    go_out(0);
    if (!node) {
        check("the first mapping ends", shrimp_unmap(2), 0);
        check("and is made again", map(out[0], sizeof(out[0]), DATA, 0, SHRIMP_SINGLE),
              2);
        check("single", packets(out[0][0]), 8);
    }
    go_out(0);
    if (!node) {
        check("single, still", packets(out[0][0]), 8);
    }
    barrier();
    check_dropped();
}

/* ---- No memory at all ------------------------------------------------------ */

/* Touches new pages until no frame and no slot of the backing store is left for one
 * more. */
static void fill_all(void)
{
    struct glaze_count count;
    uint32_t k = 0;

    more = (volatile uint32_t *)(GLAZE_PROGRAM + 0x8000000);
    check("more memory", glaze_map((uintptr_t)more, ALL * PAGE), 0);
    do {
        more[k++ * WORDS] = 1;
        tell(3, flag_in[3] + k);        /* these pages stay */
        glaze_count(&count);
    } while (!count.outs || count.slots_free || count.frames_free);
    more[k * WORDS] = 1;                /* the last frame, which was kept */
}

/*
 * Node 1 uses all of its memory. The pages to which node 0 maps are out, and cannot come
 * back: MAP to one of them fails, and a store to a page that is mapped already ends the
 * job. When memory is free again, MAP succeeds.
 */
static void full(bool stores)
{
    map_all();
    barrier();
    if (node == 1) {
        fill_all();
        tell(2, 1);
        shrimp_wait(&flag_in[2], 1);
        check("it frees some", glaze_unmap((uintptr_t)more, ALL * PAGE), 0);
        tell(2, 2);
    } else {
        shrimp_wait(&flag_in[2], 1);
        for (uint32_t k = 0; k < PAGES && stores; k++) {
            out[0][k][0] = 1;
        }
        check("no frame is left there",
              shrimp_map(want[0], PAGE, next, DATA, 0, SHRIMP_SINGLE), -ENOMEM);
        tell(2, 1);
        shrimp_wait(&flag_in[2], 2);
        check("now it is", shrimp_map(want[0], PAGE, next, DATA, 0, SHRIMP_SINGLE) >= 0,
              true);
    }
    barrier();
}

/* Node 1 ends an export while a page of it comes for a MAP of node 0: that fails. */
static void gone(void)
{
    map_all();
    barrier();
    if (node == 1) {
        make_more(60);
        use_more(more_pages);
        tell(2, 1);
        for (uint32_t from = udm_cycles32(); udm_cycles32() - from < LATE;) {
        }
        check("it ends the export", shrimp_unexport(DATA), 0);
    } else {
        shrimp_wait(&flag_in[2], 1);
        check("MAP fails", shrimp_map(want[0], PAGES * PAGE, next, DATA, 0,
                                      SHRIMP_SINGLE), -ESRCH);
    }
    barrier();
}

/* Node 0 maps to a page of node 1 that cannot be read any more. Node 1 needs no page
 * itself meanwhile: that would end it. */
static void lost(void)
{
    check("flags are exported", shrimp_export(FLAGS, flag_in, PAGE), 0);
    in[0][0] = 1;
    check("a page is exported", shrimp_export(DATA, in[0], PAGE), 0);
    map(flag_out, PAGE, FLAGS, 0, SHRIMP_SINGLE);
    barrier();
    if (node) {
        make_more(150);
        tell(2, 1);
        while (!flag_in[2]) {
        }
        return;
    }
    shrimp_wait(&flag_in[2], 1);
    check("MAP fails", shrimp_map(both, PAGE, next, DATA, 0, SHRIMP_SINGLE), -EIO);
    check("and once more", shrimp_map(both, PAGE, next, DATA, 0, SHRIMP_SINGLE), -EIO);
    tell(2, 1);
}

/* ---- A process that waits -------------------------------------------------- */

/* Takes all frames that are free, so that the other job needs those of this one. */
static void take_free(void)
{
    struct glaze_count count;

    glaze_count(&count);
    more = (volatile uint32_t *)(GLAZE_PROGRAM + 0x8000000);
    check("all memory", glaze_map((uintptr_t)more, count.frames_free * PAGE), 0);
    for (uint32_t k = 0; k < count.frames_free; k++) {
        more[k * WORDS] = in[0][7] + 1;
    }
}

/* Node 0 waits for an update that does not come. When the page goes out, since another
 * job needs the memory, it has to look again: an update may have come before. */
static void waits(void)
{
    map_all();
    barrier();
    if (!node) {
        take_free();
        /* An update to an armed page is remembered, and ends the next wait at once. */
        *shrimp_command(flag_in) = FUGU_COMMAND_ARM;
        tell(3, 1);
        while (!flag_in[3]) {
        }
        for (uint32_t k = 0; k < 2; k++) {
            glaze_call(GLAZE_SHRIMP, SHRIMP_WAIT, (uintptr_t)&in[0][7], 0);
        }
        check("the other job has begun", udm_cycles32() > BEGIN, true);
    } else {
        shrimp_wait(&flag_in[3], 1);
        tell(3, 1);
    }
    check("nothing has come", in[0][7], 0);
    if (!node) {
        tell(2, 1);
    } else {
        shrimp_wait(&flag_in[2], 1);
    }
    barrier();
}

/* ---- main ----------------------------------------------------------------- */

static void rounds(uint32_t count, uint32_t percent)
{
    uint32_t wrong = 0, all = 0;

    map_all();
    barrier();
    make_more(percent);
    for (uint32_t round = 0; round < count; round++) {
        send(round);
        barrier();
        wrong += receive(round);
        barrier();
    }
    check("each update has come in its round", wrong, 0);
    for (uint32_t k = 0; k < KINDS; k++) {
        for (uint32_t i = 0; i < (PAGES + 1) * WORDS; i++) {
            all += in[k][i] != want[k][i];
        }
    }
    check("no other word has changed", all, 0);
    use_more(more_pages);
    check("nor the rest of the memory", more_wrong, 0);
    barrier();
    check_dropped();
}

int main(int argc, char **argv)
{
    node = udm_node();
    nodes = udm_nodes();
    next = (node + 1) % nodes;
    before = (node + nodes - 1) % nodes;
    alone = argc <= 4;
    uses = argc > 3 ? atoi(argv[3]) : 10;
    if (argc > 1 && !strcmp(argv[1], "endless")) {
        endless(argc > 2 ? atoi(argv[2]) : 20);
        return check_end();
    }
    if (argc > 1 && !strcmp(argv[1], "engine")) {
        engine(argc > 2 ? atoi(argv[2]) : 10, argc > 3 ? atoi(argv[3]) : 20);
        return check_end();
    }
    if (argc > 1 && !strcmp(argv[1], "modes")) {
        modes(argc > 2 ? atoi(argv[2]) : 80);
        return check_end();
    }
    if (argc > 1 && !strcmp(argv[1], "waits")) {
        waits();
        return check_end();
    }
    if (argc > 1 && !strcmp(argv[1], "full")) {
        full(argc > 2);
        return check_end();
    }
    if (argc > 1 && !strcmp(argv[1], "gone")) {
        gone();
        return check_end();
    }
    if (argc > 1 && !strcmp(argv[1], "lost")) {
        lost();
        return check_end();
    }
    if (argc > 1 && !strcmp(argv[1], "fills")) {
        while (udm_cycles32() < BEGIN) {
        }
        make_more(argc > 2 ? atoi(argv[2]) : 60);
        use_more(more_pages);
        check("no memory has changed", more_wrong, 0);
        return check_end();
    }
    rounds(argc > 1 ? atoi(argv[1]) : 20, argc > 2 ? atoi(argv[2]) : 20);
    return check_end();
}
