/*
 * mbcf-cancel judge | greet STATE: first messages that let their target end the
 * sender's job, and the cancels.
 *
 * The judge is job 1, so its tasks have number 1. Node 0's reads first messages.
 * Job 2 greets it from node 1, lets it end the job, and is then in a STATE. Job 3,
 * "silent", greets it from node 0 and does not. Node 1's judge and job 3 try job
 * 2's key, which is not theirs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <string.h>

#include "check.h"
#include "glaze-calls.h"
#include "mbcf.h"
#include "udm-collective.h"

#define JUDGE   1               /* number of the judge's task */
#define ENTRY   0               /* entries of the table of logical tasks */
#define GUESS   1
#define MEMORY  2

/* What a first message says. */
enum { SILENT, AGREES };
struct hello {
    uint32_t what;
    uint32_t key[2];            /* of the sender's memory */
    uint32_t go;                /* address of the sender's `go` */
};

static uint32_t memory[200][GLAZE_PAGE / 4];
static volatile uint32_t go;    /* 1: `agreed` has come; 2: it has been
                                   tried; 3: the judge is ready */
static struct mbcf_first agreed, silent;        /* what has come from jobs 2, 3 */

/* ---- The judge ----------------------------------------------------------- */

static uint32_t try(uint32_t command, uint32_t node, uint32_t number,
                    uint64_t key)
{
    static const uint32_t word = 1;
    volatile uint32_t status = MBCF_PENDING;
    struct mbcf_request r = {
        .command = command,
        .options = MBCF_STATUS,
        .task = mbcf_enter(GUESS, node, number, key),
        .address = agreed.data[3],
        .bytes = command == MBCF_CANCEL ? 0 : sizeof(word),
        .local = (uintptr_t)&word,
        .status = (uintptr_t)&status,
    };

    mbcf_request(&r, 1);
    return mbcf_await(&status);
}

/* Tries what must end no job. */
static void forge(void)
{
    const struct mbcf_source *from = &agreed.source;
    const uint64_t keys[] = {
        0, UINT64_MAX, mbcf_page()->key,
        (uint64_t)agreed.data[1] << 32 | agreed.data[2],
    };
    uint32_t wrong = 0;

    for (unsigned bit = 0; bit < 64; bit++) {
        wrong += try(MBCF_CANCEL, from->node, from->number,
                     agreed.cancel ^ 1ull << bit) != MBCF_BAD_KEY;
    }
    check("a bit is wrong", wrong, 0);
    for (unsigned k = 0; k < sizeof(keys) / sizeof(*keys); k++) {
        check("another key", try(MBCF_CANCEL, from->node, from->number,
                                 keys[k]), MBCF_BAD_KEY);
    }
    check("another node", try(MBCF_CANCEL, 0, from->number, agreed.cancel),
          MBCF_BAD_KEY);
    check("another job", try(MBCF_CANCEL, from->node, silent.source.number,
                             agreed.cancel), MBCF_BAD_KEY);
    check("an agent", try(MBCF_CANCEL, from->node, 1 << 8 | from->number,
                          agreed.cancel), MBCF_BAD_KEY);
    check("no task", try(MBCF_CANCEL, from->node, 60, agreed.cancel),
          MBCF_NO_TASK);
    check("opens no memory", try(MBCF_WRITE, from->node, from->number,
                                 agreed.cancel), MBCF_BAD_KEY);
    check("nor a FIFO", try(MBCF_FIFO, from->node, from->number,
                            agreed.cancel), MBCF_BAD_KEY);
    check("no consent", silent.cancel, 0);
    check("no key", mbcf_cancel(ENTRY, &silent), MBCF_BAD_KEY);
}

/* A task tries the key of another one of its number, or of its node. */
static void steal(void)
{
    check("another task's key", try(MBCF_CANCEL, agreed.source.node,
                                    agreed.source.number, agreed.cancel),
          MBCF_BAD_KEY);
}

/* Makes job 3 the logical task of ENTRY. */
static uint32_t enter_silent(void)
{
    return mbcf_enter(ENTRY, silent.source.node, silent.source.number,
                      (uint64_t)silent.data[1] << 32 | silent.data[2]);
}

/* Gives job 2's key to job 3, and waits until that has tried it. */
static void lend(void)
{
    uint32_t word = 1, task = enter_silent();

    mbcf_write_now(task, (uintptr_t)&agreed, &agreed, sizeof(agreed));
    mbcf_write_now(task, silent.data[3], &word, sizeof(word));
    while (word != 2) {
        mbcf_read_now(task, &word, silent.data[3], sizeof(word));
    }
}

/*
 * Two cancels in one packet: the job has ended when the second is looked at.
 * They wait behind a READ, if its page is not in memory.
 */
static void cancel_twice(void)
{
    uint32_t task = mbcf_enter(MEMORY, agreed.source.node,
                               agreed.source.number,
                               (uint64_t)agreed.data[1] << 32 | agreed.data[2]);
    volatile uint32_t status[2] = { MBCF_PENDING, MBCF_PENDING };
    volatile uint32_t before = MBCF_PENDING;
    static uint32_t word;
    struct mbcf_request r[2];

    for (unsigned k = 0; k < 2; k++) {
        r[k] = (struct mbcf_request) {
            .command = MBCF_CANCEL,
            .options = MBCF_STATUS | MBCF_WAKES,
            .task = mbcf_enter(ENTRY, agreed.source.node, agreed.source.number,
                               agreed.cancel),
            .status = (uintptr_t)&status[k],
        };
    }
    mbcf_read(task, &word, (uintptr_t)&memory[100], sizeof(word), MBCF_STATUS,
              &before);
    mbcf_request(r, 2);
    check("before", mbcf_await(&before), MBCF_DONE);
    check("cancelled", mbcf_await(&status[0]), MBCF_DONE);
    check("has ended", mbcf_await(&status[1]), MBCF_NO_TASK);
}

static void judge(void)
{
    static const uint32_t ready = 3;
    struct mbcf_first first;

    mbcf_queue();
    while (udm_node() == 0 && !(agreed.bytes && silent.bytes)) {
        if (!mbcf_read_queue(&first)) {
            glaze_yield();
        } else if (first.data[0] == AGREES) {
            agreed = first;
        } else {
            silent = first;
        }
    }
    if (udm_node() == 0) {
        forge();
        mbcf_write_now(1, (uintptr_t)&agreed, &agreed, sizeof(agreed));
        lend();
    }
    udm_barrier();
    if (udm_node() == 1) {
        steal();
    }
    udm_barrier();
    if (udm_node() == 0) {
        for (uint64_t start = udm_cycles(); udm_cycles() - start < 300000;) {
        }                       /* it sleeps, or has much under way */
        cancel_twice();
        check("once more", mbcf_cancel(ENTRY, &agreed), MBCF_NO_TASK);
        check("the other goes on", mbcf_write_now(enter_silent(),
              silent.data[3], &ready, sizeof(ready)), MBCF_DONE);
        check("no slot is lost", mbcf_page()->free, MBCF_SLOTS);
    }
}

/* ---- Those who greet ----------------------------------------------------- */

static uint32_t hello(uint32_t node, uint32_t number, uint32_t what)
{
    const struct hello data = {
        what, { mbcf_page()->key >> 32, mbcf_page()->key }, (uintptr_t)&go,
    };
    uint32_t status;

    do {
        volatile uint32_t s = MBCF_PENDING;

        mbcf_send(MBCF_WRITE_QUEUE, mbcf_enter(ENTRY, node, number, 0), 0,
                  &data, sizeof(data),
                  MBCF_STATUS | (what == AGREES ? MBCF_CANCELS : 0), &s);
        status = mbcf_await(&s);
    } while (status == MBCF_NO_TASK || status == MBCF_NO_QUEUE);
    return status;
}

/* Consent belongs to first messages. */
static void mistakes(void)
{
    struct mbcf_request r = {
        .command = MBCF_WRITE,
        .options = MBCF_CANCELS,
        .task = udm_node(),
        .address = (uintptr_t)&go,
        .bytes = 4,
        .local = (uintptr_t)&go,
    };

    check("no option of a WRITE", mbcf_try(&r, 1), -EINVAL);
    r.command = MBCF_CANCEL;
    check("nor of a CANCEL", mbcf_try(&r, 1), -EINVAL);
}

static void spin(void)
{
    for (;;) {
    }
}

static void sleep(void)
{
    mbcf_sleep_while(&go, 0);
}

static void section(void)
{
    udm_beginatom();
    while (!go) {
    }
}

/* Has commands under way to the other job's tasks and its own. */
static void busy(void)
{
    static uint32_t bytes[1024];

    for (uint32_t k = 0; !go; k++) {
        mbcf_read(k % 2, bytes, (uintptr_t)bytes, sizeof(bytes), 0, NULL);
        hello(0, JUDGE, AGREES);
    }
}

/* Touches more memory than the node has, so that it mostly waits for a page. */
static void pages(void)
{
    for (uint32_t k = 0; !go; k = (k + 1) % 200) {
        memory[k][0]++;
    }
}

/* Greets itself and cancels itself. */
static void self(void)
{
    struct mbcf_first first;

    mbcf_queue();
    hello(udm_node(), mbcf_page()->task, AGREES);
    mbcf_read_queue(&first);
    mbcf_cancel(ENTRY, &first);
}

static const struct {
    const char *name;
    void (*run)(void);
} states[] = {
    { "spin", spin }, { "sleep", sleep }, { "section", section },
    { "busy", busy }, { "pages", pages },
};

static int greet(const char *state)
{
    if (strcmp(state, "self") == 0) {
        self();
        return 3;
    }
    while (udm_node() == 0) {
        glaze_yield();          /* the cancel ends this process, too */
    }
    hello(0, JUDGE, AGREES);
    for (unsigned k = 0; k < sizeof(states) / sizeof(*states); k++) {
        if (strcmp(state, states[k].name) == 0) {
            states[k].run();
        }
    }
    return 3;                   /* it should not have got here */
}

static void stay_silent(void)
{
    if (udm_node() == 0) {
        mistakes();
        hello(0, JUDGE, SILENT);
        while (!go) {
            glaze_yield();
        }
        steal();
        go = 2;
        while (go == 2) {
            glaze_yield();
        }
    }
}

int main(int argc, char **argv)
{
    mbcf_open();
    udm_barrier();
    if (argc == 2) {
        judge();
    } else if (strcmp(argv[2], "silent") == 0) {
        stay_silent();
    } else {
        return greet(argv[2]);
    }
    udm_barrier();
    return check_failures != 0;
}
