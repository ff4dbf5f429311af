/*
 * The interfaces that the M-Machine's is compared with (--ni m-machine), on the bare
 * machine: PUT and GET, their registers in the user's page, buffered and streaming.
 * Three nodes.
 *
 * Arguments: streams=1: words leave as they are written, in place of whole messages.
 * memory=1: by stores and loads, in place of instructions. pins=CYCLES: that of
 * --pin-cycles, if it is not 0.
 *
 * Prints one line per check; the exit status is the number of failed checks.
 */
#include "check.h"
#include "cycles.h"
#include "slots.h"
#include "trap.h"

#define ELEVEN          0               /* handlers */
#define COUNT           1
#define RELAY           2
#define HOG             10000           /* cycles that a stream is open for */
#define QUIET           1000

typedef void put_code(uint32_t word);
typedef uint32_t get_code(void);

/* copies_code.S */
void slot_code(void);
void eleven_handler(void);
void count_handler(void);
void relay_handler(void);
extern const char put_routines[], get_routines[], timed_routines[];
void send_none(uint32_t dest, uint32_t handler);
void other_code(void);
void swap_code(void);
uint32_t swap_body(uint32_t word);

/* What slots have seen: copies_code.S. */
volatile uint32_t slot_saw[2];

static struct {
    volatile uint32_t word[11], done;
    volatile uint32_t count;
} area __attribute__((aligned(8)));

#define COUNT_AT        (12 * 4)        /* in area */

static uint32_t node, in_memory;

static void put_code_of(unsigned index, uint32_t word)
{
    ((put_code *)(uintptr_t)(put_routines + 8 * index))(word);
}

static void put(unsigned i, uint32_t word, bool last)
{
    if (in_memory) {
        NI_U((last ? FUGU_U_MM_PUT_LAST : FUGU_U_MM_PUT) + 4 * i) = word;
    } else {
        put_code_of(i | (last ? FUGU_MM_LAST : 0), word);
    }
}

static uint32_t get(bool head)
{
    if (in_memory) {
        return NI_U(head ? FUGU_U_MM_HEAD : FUGU_U_MM_BODY);
    }
    return ((get_code *)(uintptr_t)(get_routines + 8 * head))();
}

static uint32_t word_of(unsigned i)
{
    return 0x01010101 * (i + 1);
}

static void send(uint32_t dest, uint32_t handler, unsigned length)
{
    put(0, dest, false);
    put(1, handler, length == 0);
    for (unsigned i = 0; i < length; i++) {
        put(2 + i, word_of(i), i == length - 1);
    }
}

/* ---- Bodies of each length, to this node ------------------------------------------ */

static void check_slot(unsigned length)
{
    for (unsigned i = 0; i < 11; i++) {
        area.word[i] = ~0u;
    }
    area.done = 0;
    send(at(node, 0), ELEVEN, length);
    while (!area.done) {
    }
    for (unsigned i = 0; i < 11; i++) {
        check_quietly("a word in a slot", area.word[i],
                      i < length ? word_of(i) : 0);
    }
}

static void check_main(unsigned length)
{
    uint32_t head;

    send(at(node, 0), ELEVEN, length);
    while (!(head = get(true))) {
    }
    check_quietly("the handler", head, (uint32_t)(uintptr_t)eleven_handler);
    check_quietly("DestAddr", get(false), (uint32_t)(uintptr_t)&area);
    for (unsigned i = 0; i < 12; i++) {
        check_quietly("a word that is copied", get(false),
                      i < length ? word_of(i) : 0);
    }
    check_quietly("no other message", get(true), 0);
}

/* A handler is there with the first words, or with the last one. */
static void check_whole(bool whole)
{
    bool early = false;

    NI_K(FUGU_K_MM_RULES) |= whole ? FUGU_MM_RULE_WHOLE : 0;
    put(0, at(node, 0), false);
    put(1, ELEVEN, false);
    put(2, word_of(0), false);
    for (uint32_t from = cycles32(); cycles32() - from < QUIET; ) {
        early = early || get(true);
    }
    put(3, word_of(1), true);
    while (!early && !get(true)) {
    }
    for (unsigned i = 0; i < 3; i++) {
        get(false);
    }
    check(whole ? "a whole message comes with its last word"
                : "a stream comes with its first words", early, !whole);
    NI_K(FUGU_K_MM_RULES) &= ~FUGU_MM_RULE_WHOLE;
}

/* ---- What is refused ------------------------------------------------------------- */

struct put_order {
    unsigned index;
    uint32_t word;
};

static void put_order(struct put_order *o)
{
    put_code_of(o->index, o->word);
}

static unsigned tried(unsigned index, uint32_t word)
{
    struct put_order o = { index, word };

    return RUN(KERNEL, put_order, &o, PIL_ALL);
}

static void load_all(void)
{
    (void)NI_U(FUGU_U_MM_HEAD);
}

static void check_refused(bool streams)
{
    uint32_t rules = NI_K(FUGU_K_MM_RULES);

    for (unsigned last = 0; last <= FUGU_MM_LAST; last += FUGU_MM_LAST) {
        for (unsigned i = 12; i < 16; i++) {
            check_quietly("a word beyond the buffer", tried(i | last, 0),
                          FUGU_TT_PROTECTION_VIOLATION);
        }
    }
    check("a message of one word", tried(FUGU_MM_LAST, 0),
          FUGU_TT_PROTECTION_VIOLATION);
    check_quietly("DestAddr", tried(0, 0x100), 0);
    check("a DestAddr in no segment", tried(1 | FUGU_MM_LAST, ELEVEN),
          FUGU_TT_MM_MISS);
    if (streams) {
        check("a stream that leaves out a word", tried(2, 0),
              FUGU_TT_PROTECTION_VIOLATION);
        check("a stream to no segment", tried(1, ELEVEN), FUGU_TT_MM_MISS);
    }
    for (unsigned i = 4; i < 6; i++) {
        check_quietly("a priority that does not exist",
                      RUN(KERNEL, get_routines + 8 * i, NULL, PIL_ALL),
                      FUGU_TT_PROTECTION_VIOLATION);
    }
    NI_K(FUGU_K_MM_RULES) = rules & ~FUGU_MM_RULE_COPIES;
    check("PUT, without the rule", tried(0, 0), FUGU_TT_PROTECTION_VIOLATION);
    check("GET, without the rule", RUN(KERNEL, get_routines, NULL, PIL_ALL),
          FUGU_TT_PROTECTION_VIOLATION);
    check("loads, without the rule", RUN(KERNEL, load_all, NULL, PIL_ALL),
          FUGU_TT_PROTECTION_VIOLATION);
    NI_K(FUGU_K_MM_RULES) = rules;
}

/* ---- Ends of streams --------------------------------------------------------------- */

static void open_stream(uint32_t handler)
{
    put(0, at(node, 0), false);
    put(1, handler, false);
    put(2, word_of(0), false);
}

/* The main context takes the stream: its word, and a null word at its end. */
static void check_ended(const char *name)
{
    uint32_t word[3];

    while (!get(true)) {
    }
    for (unsigned i = 0; i < 3; i++) {
        word[i] = get(false);
    }
    check(name, word[0] == (uint32_t)(uintptr_t)&area && word[1] == word_of(0) &&
          word[2] == 0, true);
}

static void send_tried(void *unused)
{
    (void)unused;
    send_none(at(node, 0), COUNT);
}

static void check_ends(void)
{
    uint32_t rules = NI_K(FUGU_K_MM_RULES);

    open_stream(ELEVEN);
    check("a SEND in one's own stream", RUN(KERNEL, send_tried, NULL, PIL_ALL),
          FUGU_TT_PROTECTION_VIOLATION);
    NI_K(FUGU_K_MM_RULES) = rules;
    check_ended("a store to the rules ends a stream");

    NI_K(FUGU_K_MM_PRIORITY) = 0;
    open_stream(ELEVEN);
    NI_K(FUGU_K_MM_PRIORITY) = 1;
    put(3, 0, true);
    NI_K(FUGU_K_MM_PRIORITY) = 0;
    check_ended("a stream keeps its priority");

    open_stream(ELEVEN);
    for (unsigned i = 3; i < FUGU_MM_PUT_WORDS - 1; i++) {
        put(i, 0, false);
    }
    check("a longest stream that does not end",
          tried(FUGU_MM_PUT_WORDS - 1, 0), FUGU_TT_PROTECTION_VIOLATION);
    put(FUGU_MM_PUT_WORDS - 1, 0, true);
    check_ended("it ends with its last word");

    set_segment_of(1, 1, &area);
    set_handler_of(3, 1, eleven_handler, 4);
    NI_K(FUGU_K_GID) = 1;
    open_stream(3);
    NI_K(FUGU_K_GID) = 2;
    check("a word of another GID", tried(3 | FUGU_MM_LAST, 0),
          FUGU_TT_PROTECTION_VIOLATION);
    NI_K(FUGU_K_GID) = 0;
    check_ended("a stream ends where another GID's PUT begins");
}

static void load_pair(void)
{
    (void)REG64((uint32_t)FUGU_NI_USER_BASE + (FUGU_U_MM_BODY & ~7));
}

/* ---- A hog ------------------------------------------------------------------------- */

/*
 * Node 0 keeps a stream to node 1 open. Node 2's message to node 1 waits behind it, and
 * so does one to node 2 that a slot of node 0 sends, here at the same priority (paper,
 * figures 6a and 6d).
 */
static void hog(void)
{
    NI_K(FUGU_K_MM_RULES) &= ~FUGU_MM_RULE_REPLIES;
    put(0, at(1, 0), false);
    put(1, ELEVEN, false);
    put(2, word_of(0), false);
    while (cycles32() < 3 * HOG + HOG) {
    }
    put(3, word_of(1), true);
    while (cycles32() < 5 * HOG) {
    }
    NI_K(FUGU_K_MM_RULES) |= FUGU_MM_RULE_REPLIES;
}

static void check_hog(void)
{
    while (cycles32() < 3 * HOG + HOG / 2) {
    }
    check(node == 1 ? "a message to a node with an open stream waits"
                    : "a message of a node with an open stream waits",
          area.count, 0);
    while (!area.count) {
    }
    check("it comes after the stream's end", cycles32() > 4 * HOG, true);
}

static void send_beside_hog(void)
{
    while (cycles32() < 3 * HOG + QUIET) {
    }
    send_none(at(1, COUNT_AT), COUNT);
    put(0, at(0, 0), false);
    put(1, RELAY, false);
    put(2, at(2, COUNT_AT), true);
}

/* ---- Who may take what ---------------------------------------------------------------- */

/* While the slot is on, what the main context loads is null, and takes nothing. */
static void check_not_mains(void)
{
    area.done = 0;
    open_stream(ELEVEN);
    for (uint32_t from = cycles32(); cycles32() - from < QUIET; ) {
    }
    check_quietly("MsgBody of a slot that waits for it", get(false), 0);
    put(3, word_of(1), false);
    check_quietly("MsgBody that is there", get(false), 0);
    check_quietly("MsgHead of a slot that is on", get(true), 0);
    put(4, word_of(2), true);
    while (!area.done) {
    }
    for (unsigned i = 0; i < 4; i++) {
        check_quietly("a word that only the slot takes", area.word[i],
                      i < 3 ? word_of(i) : 0);
    }
    check_sum("what a slot takes the main context does not");
}

/* A slot stops itself at the end. */
static void run_slot(unsigned priority, void (*code)(void))
{
    start_slot(priority, code);
    while (NI_K(FUGU_K_MM_STATE + 4 * priority) != FUGU_MM_SLOT_FAULT) {
    }
    NI_K(FUGU_K_MM_STATE + 4 * priority) = FUGU_MM_SLOT_OFF;
}

/* The slot of priority 1 takes nothing of priority 0. A swap takes a word, once, in a slot
 * and in the main context. */
static void check_others(void)
{
    send(at(node, 0), ELEVEN, 2);
    while (!NI_K(FUGU_K_MM_WORDS)) {
    }
    slot_saw[0] = slot_saw[1] = ~0u;
    run_slot(1, other_code);
    check_quietly("MsgHead of another slot's priority", slot_saw[0], 0);
    check_quietly("its MsgBody", slot_saw[1], 0);
    run_slot(0, swap_code);
    check_quietly("a swap takes MsgHead", slot_saw[0],
                  (uint32_t)(uintptr_t)eleven_handler);
    check_quietly("and MsgBody", slot_saw[1], (uint32_t)(uintptr_t)&area);
    check_quietly("one word each", swap_body(7), word_of(0));
    check_quietly("one each time", swap_body(7), word_of(1));
    check_quietly("null beyond the tail", swap_body(7), 0);
    check_sum("each takes its own");
}

/* ---- A stream that another node has not ended ----------------------------------------- */

static void wait_until(uint32_t time)
{
    while (cycles32() < time) {
    }
}

/* Node 2 streams to node 1, whose main context reads; node 0 sends a message behind it. */
static void write_open(uint32_t from)
{
    wait_until(from);
    put(0, at(1, 0), false);
    put(1, ELEVEN, false);
    put(2, word_of(0), false);
    wait_until(from + 4 * QUIET);
    put(3, word_of(1), true);
}

static void read_behind(uint32_t from)
{
    uint32_t head;

    while (!(head = get(true)) && cycles32() < from + 8 * QUIET) {
    }
    (void)get(false);                   /* now the queue may be empty */
    check("the message behind it", head, (uint32_t)(uintptr_t)count_handler);
    check("after its end", cycles32() > from + 4 * QUIET, true);
}

static void check_open(uint32_t from)
{
    uint32_t word[3], time[3];

    if (node == 2) {
        write_open(from);
        write_open(from + 10 * QUIET);
    } else if (node == 0) {
        for (unsigned i = 0; i < 2; i++) {
            wait_until(from + QUIET + i * 10 * QUIET);
            send_none(at(1, COUNT_AT), COUNT);
        }
    } else {
        wait_until(from + 2 * QUIET);
        check("the stream", get(true), (uint32_t)(uintptr_t)eleven_handler);
        wait_until(from + 3 * QUIET);
        check("none before an open stream has ended", get(true), 0);
        read_behind(from);

        from += 10 * QUIET;
        wait_until(from + 2 * QUIET);
        (void)get(true);
        for (unsigned i = 0; i < 3; i++) {
            word[i] = NI_K(FUGU_K_MM_BODY);
            time[i] = cycles32() - from;
        }
        check("a kernel's load of a word that is written",
              word[1] == word_of(0) && time[1] < 3 * QUIET, true);
        check("a load waits for one that is not", word[2], word_of(1));
        check("until it is", time[2] > 4 * QUIET, true);
        read_behind(from);
    }
    wait_until(from + 20 * QUIET);
}

/* ---- Pins -------------------------------------------------------------------------- */

/* In the order of timed_routines. */
enum { PLAIN_LOAD, HEAD, BODY, PLAIN_STORE, PUT, ACCESSES };

/* A load or store of a word of a message takes so many cycles more than one of another
 * register. */
static void check_pins(uint32_t pins)
{
    uint32_t took[ACCESSES];

    for (unsigned k = 0; k < 2; k++) {          /* the second time it is in the cache */
        for (unsigned i = 0; i < ACCESSES; i++) {
            took[i] = ((get_code *)(uintptr_t)(timed_routines + 32 * i))();
        }
    }
    check("cycles more of a load of MsgHead", took[HEAD] - took[PLAIN_LOAD], pins);
    check("cycles more of a load of MsgBody", took[BODY] - took[PLAIN_LOAD], pins);
    check("cycles more of a store", took[PUT] - took[PLAIN_STORE], pins);
}

int main(void)
{
    bool streams = argument("streams", 0);

    node = NI_U(FUGU_U_NODE);
    in_memory = argument("memory", 0);
    pil_set(PIL_ALL);
    set_segment(0, &area);
    set_handler(ELEVEN, eleven_handler, 4);
    set_handler(COUNT, count_handler, 4);
    set_handler(RELAY, relay_handler, 4);
    NI_K(FUGU_K_MM_RULES) = FUGU_MM_RULE_REPLIES | FUGU_MM_RULE_COPIES |
                            (streams ? FUGU_MM_RULE_STREAMS : 0);
    start_slot(0, slot_code);
    while (cycles32() < HOG) {          /* all nodes have got that far */
    }
    if (streams && node == 0) {
        while (cycles32() < 3 * HOG) {
        }
        hog();
    } else if (streams) {
        if (node == 2) {
            send_beside_hog();
        }
        check_hog();
    }
    while (cycles32() < 6 * HOG) {      /* what the others have sent is there */
    }
    for (unsigned length = 0; length <= FUGU_MM_BODY_MAX; length++) {
        check_slot(length);
    }
    check_sum("bodies that a slot takes");
    if (streams) {
        check_not_mains();
    }
    NI_K(FUGU_K_MM_STATE) = FUGU_MM_SLOT_OFF;
    for (unsigned length = 0; length <= FUGU_MM_BODY_MAX; length++) {
        check_main(length);
    }
    check_sum("bodies that the main context copies");
    if (streams) {
        check_whole(true);
        check_whole(false);
        check_ends();
        check_open(30 * HOG);
    }
    if (in_memory) {
        check_others();
    }
    check("an ldd of MsgBody", RUN(KERNEL, load_pair, NULL, PIL_ALL),
          FUGU_TT_PROTECTION_VIOLATION);
    check_pins(argument("pins", 0));
    check_refused(streams);
    check_sum("what is refused");
    check("all space has come back", NI_K(FUGU_K_MM_SPACE), 32);
    return check_result();
}
