/*
 * Messages of any number of words.
 *
 * A message of more words than one UDM message has is sent in parts. They come
 * in order, and no other part from the same node comes in between: all posts
 * are made in atomic sections or handlers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>

#include "shm-state.h"

#define PART_WORDS      (UDM_ARGS_MAX - 1)      /* after the header */
#define MORE            0x100   /* in the header: other parts follow */

/* Words that have come, of a message in parts. */
struct assembly {
    uint32_t *words;            /* MESSAGE_WORDS; NULL: none have come yet */
    uint32_t count;
};

static struct assembly *from_node;      /* by source */

/* Posts to this node itself: one may be made in another one's function. */
#define DEPTH           4
static struct assembly own[DEPTH];
static unsigned depth;

/* The message that is being posted. */
static uint32_t to_node, header, part[PART_WORDS], part_count;

static void append(struct assembly *a, const uint32_t *words, uint32_t count)
{
    if (!a->words) {
        a->words = private_take(MESSAGE_WORDS * sizeof(uint32_t));
    }
    if (a->count + count > MESSAGE_WORDS) {
        mistake("a message of the library is too long");
    }
    memcpy(a->words + a->count, words, count * sizeof(uint32_t));
    a->count += count;
}

static void run(uint32_t op, uint32_t source, const uint32_t *words,
                uint32_t count)
{
    if (op >= OPS) {
        mistake("a message came that the library does not send");
    }
    op_functions[op](source, words, count);
}

static void take_part(uint32_t source, uint32_t head, const uint32_t *words,
                      uint32_t count)
{
    struct assembly *a = &from_node[source];

    if (!(head & MORE) && !a->count) {
        run(head, source, words, count);
        return;
    }
    append(a, words, count);
    if (!(head & MORE)) {
        count = a->count;
        a->count = 0;
        run(head & ~MORE, source, a->words, count);
    }
}

/* Handler: a part has come. */
static void on_part(void)
{
    uint32_t words[PART_WORDS], source = udm_source(), head = udm_arg(0);
    uint32_t count = udm_length() - 3;
    const char *faults = faults_pause();

    for (uint32_t k = 0; k < count; k++) {
        words[k] = udm_arg(1 + k);
    }
    udm_dispose();
    take_part(source, head, words, count);
    faults_resume(faults);
}

static void flush(uint32_t more)
{
    udm_inject_words(to_node, on_part, part, part_count, header | more);
    part_count = 0;
}

void post_begin(uint32_t node, enum op op)
{
    to_node = node;
    header = op;
    part_count = 0;
    if (node == shm_self) {
        if (depth == DEPTH) {
            mistake("the library's messages to itself nest too deep");
        }
        own[depth].count = 0;
    }
}

void post_words(const uint32_t *words, uint32_t count)
{
    if (to_node == shm_self) {
        append(&own[depth], words, count);
        return;
    }
    while (count--) {
        if (part_count == PART_WORDS) {
            flush(MORE);
        }
        part[part_count++] = *words++;
    }
}

void post_word(uint32_t word)
{
    post_words(&word, 1);
}

void post_end(void)
{
    if (to_node == shm_self) {
        struct assembly *a = &own[depth++];

        run(header, shm_self, a->words, a->count);
        depth--;
    } else {
        flush(0);
    }
}

void post(uint32_t node, enum op op, const uint32_t *words, uint32_t count)
{
    post_begin(node, op);
    post_words(words, count);
    post_end();
}

/* ---- Waiting ------------------------------------------------------------ */

/* The thread spins for this many cycles, then lets other jobs and threads run. If there
 * are none, to wake a thread costs 3,000 to 5,000 cycles and gains nothing: a lock that
 * many processes take in turn would cost them each time. So the thread spins on, and
 * sleeps at last, so that the machine finds a deadlock. */
#define SPIN            20000
#define SPIN_ALONE      400000

static struct udm_queue_ sleeping;      /* the thread, if it has blocked */

/* Values of the code that a fault or an alarm has interrupted. A thread that
 * runs while the first one blocks may use the FPU. */
static struct glaze_fp fpu;

static void fpu_keep(void)
{
    if (fpu_interrupted) {
        glaze_fp_save(&fpu);
    }
}

static void fpu_return(void)
{
    if (fpu_interrupted) {
        glaze_fp_load(&fpu);
    }
}

/*
 * Blocks, in the library's section. The wait is not that of udm_thread_block():
 * the program may be between its test of a condition and that call, and a wake that
 * comes now is for the program. A report of a deadlock knows this function by its
 * name.
 */
__attribute__((noinline))
static void shm_sleep(uint32_t uac)
{
    queue_wait(&sleeping, &uac);
}

/*
 * Returns whether the thread may block. Not another thread, whose visit ends before
 * the first one runs; nor in call_block(), where the thread waits already. These run
 * in a loop, but for a thread whose suspended section keeps all handlers from
 * running.
 */
static bool may_block(void)
{
    if (LIBRARY->current == &first_thread && shm_now.call != CALL_BLOCK) {
        return true;
    }
    if (glaze_info(GLAZE_I_HOLD)) {
        fpu_keep();
        udm_thread_yield();
        fpu_return();
    }
    return false;
}

/* Returns whether no other job has a process on this node. The kernel's answer counts
 * for a while: it takes 1,500 cycles. */
static __attribute__((noinline)) bool has_node(void)
{
    static uint32_t asked, processes;   /* 0: not asked yet */
    struct glaze_count count;

    if (!processes || udm_cycles32() - asked > SPIN_ALONE) {
        glaze_count(&count);
        processes = count.processes;
        asked = udm_cycles32();
    }
    return processes < 2;
}

#define WAIT(condition) do { \
        uint32_t start_ = udm_cycles32(), spin_ = 0; \
        \
        while (!(condition)) { \
            uint32_t cycles_ = udm_cycles32() - start_; \
            \
            if (cycles_ < SPIN) { \
                continue; \
            } \
            if (!spin_) { \
                spin_ = has_node() ? SPIN_ALONE : SPIN; \
            } else if ((cycles_ >= spin_ || ready_any(&first_thread)) && \
                       may_block()) { \
                uint32_t uac_; \
                \
                fpu_keep(); \
                uac_ = library_enter(); \
                if (!(condition)) { \
                    shm_sleep(uac_); \
                } \
                library_leave(uac_); \
                fpu_return(); \
            } \
        } \
    } while (0)

void wake(void)
{
    if (sleeping.first) {
        uint32_t uac = library_enter();

        queue_wake(&sleeping);
        library_leave(uac);
    }
}

void wait_for(const volatile uint32_t *count, uint32_t want)
{
    WAIT((int32_t)(*count - want) >= 0);
}

uint32_t *answer_words, answer_count;
static volatile uint32_t answers;

void answered(void)
{
    answers = 1;
    wake();
}

void shm_on_answer(uint32_t source, const uint32_t *words, uint32_t count)
{
    (void)source;
    memcpy(answer_words, words, count * sizeof(uint32_t));
    answer_count = count;
    answered();
}

void ask_begin(void)
{
    answers = 0;
}

/*
 * Other nodes may want pages of this process before they can answer: then the
 * interval ends here.
 */
void ask_end(void)
{
    for (;;) {
        WAIT(answers || pages_wanted);
        if (answers) {
            return;
        }
        interval_close();
    }
}

void ask(uint32_t node, enum op op, const uint32_t *words, uint32_t count)
{
    ask_begin();
    udm_beginatom();
    post(node, op, words, count);
    udm_endatom();
    ask_end();
}

void send_init(void)
{
    from_node = private_take(shm_count * sizeof(*from_node));
    answer_words = private_take(MESSAGE_WORDS * sizeof(uint32_t));
}
