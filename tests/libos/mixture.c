/*
 * mixture SEED OPERATIONS PAGES [switch]: threads and handlers that wait for each
 * other in all ways that the library has, at random.
 *
 * On each node, THREADS threads of both priorities do OPERATIONS operations each, in
 * an order that follows from the seed: mutexes, semaphores made of conditions, a queue
 * with a thread that empties it, calls of other nodes, usleep(), threads that are
 * joined, memory, files that are renamed and unlinked, the FPU, and PAGES pages. The
 * handlers of calls answer at once, or first end their sections, or become threads
 * that wait for a mutex, a semaphore or a page. An answer may come while its thread
 * waits for something else.
 *
 * With little memory, pages are in backing store; with `switch`, other threads run
 * meanwhile (udm_thread_switch_on_fault()). So what threads share has a mutex, and all
 * else is on their stacks.
 *
 * The first wrong answer ends the job with a line that names it, and with status 1.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "random.h"
#include "glaze-calls.h"
#include "udm-collective.h"
#include "udm-thread.h"

enum {
    THREADS = 6,
    MUTEXES = 2,
    SEMAPHORES = 3,             /* number k lets k + 1 threads in */
    ROOM = 5,                   /* items of the queue */
    PAGES = 400,
    OWN = 4,                    /* pages that each thread writes */
    WORDS = GLAZE_PAGE / 4,
    BYTES = 1500,               /* most bytes of a file */
};

static volatile uint32_t page[PAGES][WORDS] __attribute__((aligned(GLAZE_PAGE)));
static volatile uint32_t own[THREADS][OWN][WORDS] __attribute__((aligned(GLAZE_PAGE)));
static uint32_t seed, operations, pages;

static struct guarded {
    udm_mutex_t mutex;
    uint32_t count, far[WORDS], same;
} guarded[MUTEXES];

static struct semaphore {
    udm_mutex_t mutex;
    udm_cond_t cond;
    uint32_t in, most;
} semaphore[SEMAPHORES];

static struct {
    udm_mutex_t mutex;
    udm_cond_t some, room;
    uint32_t item[ROOM], first, items;
} queue;

/* What a thread knows, on its stack. */
struct thread {
    uint32_t id, state, operation;
    uint32_t key[OWN];
    uint32_t put, calls, locked;        /* items, calls, uses of `guarded` */
    uint32_t *memory, memory_words, memory_key;
};

struct answer {
    udm_thread_t *thread;
    volatile bool here;
    volatile uint32_t value;
};

static uint32_t pick(struct thread *t, uint32_t below)
{
    return (random_next(&t->state) >> 3) % below;
}

static void __attribute__((noreturn, format(printf, 2, 3)))
fail(const struct thread *t, const char *format, ...)
{
    char text[200];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    printf("node %lu, thread %ld, operation %lu: %s\n", (unsigned long)udm_node(),
           t ? (long)t->id : -1, t ? (unsigned long)t->operation : 0, text);
    exit(1);
}

static uint32_t word_of(uint32_t k, uint32_t i)
{
    return hash(seed, k, 3) + i;
}

static void look(struct thread *t, uint32_t random)
{
    uint32_t k = random % pages, i = random / pages % WORDS;

    if (page[k][i] != word_of(k, i)) {
        fail(t, "word %lu of page %lu is 0x%lx, not 0x%lx", (unsigned long)i,
             (unsigned long)k, (unsigned long)page[k][i], (unsigned long)word_of(k, i));
    }
    page[k][i] = word_of(k, i);         /* the page has changed */
}

/* ---- Mutexes, semaphores, the queue ---------------------------------------- */

/* Waits a little, or not, in the midst of something: random numbers decide. */
static void linger(struct thread *t, uint32_t random)
{
    volatile double x = random % 1000;

    switch (random / 1000 % 5) {
    case 0:
        udm_thread_yield();
        break;
    case 1:
        usleep(random % 40);
        break;
    case 2:
        look(t, random);
        break;
    }
    if (x * 2.5 != random % 1000 * 5 / 2.0) {
        fail(t, "the FPU has lost %lu", (unsigned long)(random % 1000));
    }
}

static void use_guarded(struct thread *t, uint32_t random)
{
    struct guarded *g = &guarded[random % MUTEXES];

    if (random % 3 || !udm_mutex_trylock(&g->mutex)) {
        udm_mutex_lock(&g->mutex);
    }
    if (g->count != g->same) {
        fail(t, "two threads have one mutex");
    }
    g->count++;
    linger(t, random / MUTEXES);
    g->same++;
    udm_mutex_unlock(&g->mutex);
}

static void use_semaphore(struct thread *t, uint32_t random)
{
    uint32_t k = random % SEMAPHORES;
    struct semaphore *s = &semaphore[k];

    udm_mutex_lock(&s->mutex);
    while (s->in == k + 1) {
        udm_cond_wait(&s->cond, &s->mutex);
    }
    s->in++;
    s->most = s->in > s->most ? s->in : s->most;
    udm_mutex_unlock(&s->mutex);
    linger(t, random / SEMAPHORES);
    udm_mutex_lock(&s->mutex);
    if (s->in == 0 || s->in > k + 1) {
        fail(t, "%lu threads in semaphore %lu", (unsigned long)s->in, (unsigned long)k);
    }
    s->in--;
    if (random & 1) {
        udm_cond_signal(&s->cond);
    } else {
        udm_cond_broadcast(&s->cond);
    }
    udm_mutex_unlock(&s->mutex);
}

static void put(uint32_t item)
{
    udm_mutex_lock(&queue.mutex);
    while (queue.items == ROOM) {
        udm_cond_wait(&queue.room, &queue.mutex);
    }
    queue.item[(queue.first + queue.items++) % ROOM] = item;
    udm_cond_signal(&queue.some);
    udm_mutex_unlock(&queue.mutex);
}

/* Takes items until 0 comes: each thread's must come in order. Returns how many. */
static void *empty(void *unused)
{
    uint32_t next[THREADS] = { 0 }, count = 0;

    (void)unused;
    for (;; count++) {
        uint32_t item;

        udm_mutex_lock(&queue.mutex);
        while (!queue.items) {
            udm_cond_wait(&queue.some, &queue.mutex);
        }
        item = queue.item[queue.first];
        queue.first = (queue.first + 1) % ROOM;
        queue.items--;
        udm_cond_signal(&queue.room);
        udm_mutex_unlock(&queue.mutex);
        if (!item) {
            return (void *)(uintptr_t)count;
        }
        if (item >> 24 > THREADS || ++next[(item >> 24) - 1] != (item & 0xffffff)) {
            fail(NULL, "item %lx of the queue is out of order", (unsigned long)item);
        }
    }
}

/* ---- Calls of other nodes ---------------------------------------------------- */

static volatile uint32_t served, guarded_by_handlers;
static volatile bool closed;    /* a handler has ended its section, or a poll's */

static void on_answer(void)
{
    struct answer *answer = (struct answer *)udm_arg(0);

    answer->value = udm_arg(1);
    udm_dispose();
    answer->here = true;
    udm_thread_wake(answer->thread);
}

static uint32_t computed(uint32_t value)
{
    return (value >> 4) * 1.75;
}

static void on_call(void)
{
    uint32_t place = udm_arg(0), value = udm_arg(1), random = udm_arg(2);
    uint32_t node = udm_source(), what = udm_arg(3);

    served++;
    guarded_by_handlers += what == 2;
    if (what == 4) {
        look(NULL, random);     /* with the message still there */
        if (udm_arg(1) != value || udm_source() != node) {
            fail(NULL, "the message has changed while its handler waited");
        }
    }
    udm_dispose();
    switch (what) {
    case 1:
        closed = true;
        udm_endatom();
        look(NULL, random);
        break;
    case 2:
        use_guarded(NULL, random);
        break;
    case 3:
        use_semaphore(NULL, random);
        break;
    case 5:
        udm_thread_yield();
        linger(NULL, random);
        break;
    }
    udm_inject(node, on_answer, place, computed(value));
}

static void use_locally(struct thread *t)
{
    uint32_t random = random_next(&t->state);

    if (pick(t, 2)) {
        t->locked++;
        use_guarded(t, random);
    } else {
        use_semaphore(t, random);
    }
}

static void call(struct thread *t)
{
    struct answer answer = { .thread = udm_thread_self() };
    uint32_t value = random_next(&t->state), random = random_next(&t->state);

    t->calls++;
    udm_inject(pick(t, udm_nodes()), on_call, (uintptr_t)&answer, value, random,
               pick(t, 6));
    if (pick(t, 2)) {           /* the answer comes meanwhile */
        use_locally(t);
    }
    while (!answer.here) {
        udm_thread_block();
    }
    if (answer.value != computed(value)) {
        fail(t, "the answer is %lu, not %lu", (unsigned long)answer.value,
             (unsigned long)computed(value));
    }
}

/* ---- What a thread has alone --------------------------------------------------- */

static void use_own(struct thread *t)
{
    uint32_t k = pick(t, OWN);
    volatile uint32_t *words = own[t->id][k];

    for (uint32_t i = pick(t, 40); i < WORDS; i += 40) {
        if (words[i] != t->key[k] * i) {
            fail(t, "word %lu of its own page %lu is 0x%lx, not 0x%lx", (unsigned long)i,
                 (unsigned long)k, (unsigned long)words[i], (unsigned long)(t->key[k] * i));
        }
    }
    t->key[k] = random_next(&t->state);
    for (uint32_t i = 0; i < WORDS; i++) {
        words[i] = t->key[k] * i;
    }
}

static void use_memory(struct thread *t)
{
    if (t->memory) {
        for (uint32_t k = 0; k < t->memory_words; k++) {
            if (t->memory[k] != t->memory_key + k) {
                fail(t, "word %lu of its memory has changed", (unsigned long)k);
            }
        }
        free(t->memory);
        t->memory = NULL;
    } else {
        t->memory_words = 1 + pick(t, 3000);
        t->memory_key = random_next(&t->state);
        t->memory = malloc(t->memory_words * 4);
        for (uint32_t k = 0; k < t->memory_words; k++) {
            t->memory[k] = t->memory_key + k;
        }
    }
}

/* A file is written in pieces, gets another name, is read, and goes. */
static void use_file(struct thread *t)
{
    char name[20], other[20], bytes[BYTES];
    uint32_t count = 1 + pick(t, BYTES), key = random_next(&t->state), done;
    int fd;

    snprintf(name, sizeof(name), "mixture-%lu", (unsigned long)t->id);
    snprintf(other, sizeof(other), "other-%lu", (unsigned long)t->id);
    for (uint32_t k = 0; k < count; k++) {
        bytes[k] = key + 7 * k;
    }
    fd = open(name, O_CREAT | O_EXCL | O_RDWR, 0666);
    for (done = 0; fd >= 0 && done < count;) {
        uint32_t some = 1 + pick(t, count - done);

        if (write(fd, bytes + done, some) != (int)some) {
            fail(t, "write() of a file");
        }
        done += some;
        udm_thread_yield();
    }
    if (fd < 0 || rename(name, other) || open(name, O_RDONLY) >= 0) {
        fail(t, "a file that has another name now");
    }
    if (pick(t, 2)) {
        close(fd);
        fd = open(other, O_RDONLY);
    }
    memset(bytes, 0, sizeof(bytes));
    lseek(fd, 0, SEEK_SET);
    done = read(fd, bytes, BYTES);
    for (uint32_t k = 0; k < count; k++) {
        if (done != count || bytes[k] != (char)(key + 7 * k)) {
            fail(t, "byte %lu of %ld bytes of %lu of a file", (unsigned long)k,
                 (long)done, (unsigned long)count);
        }
    }
    if (close(fd) || unlink(other) || open(other, O_RDONLY) >= 0) {
        fail(t, "a file that is gone");
    }
}

static void *child(void *argument)
{
    uint32_t random = (uintptr_t)argument;

    linger(NULL, random);
    return (void *)(uintptr_t)(random ^ 0x5555);
}

static void use_child(struct thread *t)
{
    uint32_t random = random_next(&t->state);
    udm_thread_t *thread = udm_thread_create(child, (void *)(uintptr_t)random,
                                             pick(t, UDM_PRIORITIES));

    if (pick(t, 2)) {
        use_locally(t);
    }
    if (udm_thread_join(thread) != (void *)(uintptr_t)(random ^ 0x5555)) {
        fail(t, "the result of a thread");
    }
}

static void sleep_some(struct thread *t)
{
    uint64_t start = udm_cycles();
    uint32_t time = pick(t, 200);

    usleep(time);
    if (udm_cycles() - start < 25 * time) {
        fail(t, "usleep(%lu) took %lu cycles", (unsigned long)time,
             (unsigned long)(udm_cycles() - start));
    }
}

/* ---- All of it --------------------------------------------------------------- */

static void operate(struct thread *t)
{
    bool polled;

    switch (pick(t, 16)) {
    case 0:
        udm_thread_yield();
        break;
    case 1:
        sleep_some(t);
        break;
    case 2:
        for (uint32_t k = 0; k < 8; k++) {
            look(t, random_next(&t->state));
        }
        break;
    case 3:
        use_own(t);
        break;
    case 4:
        use_memory(t);
        break;
    case 5:
        use_file(t);
        break;
    case 6:
        use_child(t);
        break;
    case 7:
        put((t->id + 1) << 24 | ++t->put);
        break;
    case 8:
    case 9:
    case 10:
        use_locally(t);
        break;
    case 11:
        udm_beginatom();
        closed = false;
        polled = udm_poll();
        look(t, random_next(&t->state));
        if (!udm_atomic() && !(polled && closed)) {
            fail(t, "an atomic section is not open");
        }
        udm_endatom();
        break;
    default:
        call(t);
    }
}

static void *run(void *argument)
{
    struct thread *t = argument;

    for (t->operation = 1; t->operation <= operations; t->operation++) {
        operate(t);
    }
    if (t->memory) {
        use_memory(t);
    }
    return NULL;
}

/* Runs the threads of this node; returns what all nodes have done. */
static uint32_t run_all(void)
{
    udm_thread_t *thread[THREADS], *last;
    struct thread t[THREADS];
    uint32_t all[3] = { 0 }, locked = 0;
    int64_t calls;

    memset(t, 0, sizeof(t));
    last = udm_thread_create(empty, NULL, seed % UDM_PRIORITIES);
    for (uint32_t k = 0; k < THREADS; k++) {
        t[k].id = k;
        t[k].state = hash(seed, udm_node(), k) | 1;
        thread[k] = udm_thread_create(run, &t[k], k % UDM_PRIORITIES);
    }
    for (uint32_t k = 0; k < THREADS; k++) {
        udm_thread_join(thread[k]);
        all[0] += t[k].put;
        all[1] += t[k].calls;
        all[2] += t[k].locked;
    }
    put(0);
    if ((uintptr_t)udm_thread_join(last) != all[0]) {
        fail(NULL, "%lu items were put into the queue, others taken",
             (unsigned long)all[0]);
    }
    udm_barrier();              /* no more calls come */
    for (uint32_t k = 0; k < MUTEXES; k++) {
        locked += guarded[k].count;
    }
    if (locked != all[2] + guarded_by_handlers) {
        fail(NULL, "%lu mutexes taken, %lu times counted",
             (unsigned long)(all[2] + guarded_by_handlers), (unsigned long)locked);
    }
    for (uint32_t k = 0; k < SEMAPHORES; k++) {
        if (semaphore[k].in) {
            fail(NULL, "threads are left in semaphore %lu", (unsigned long)k);
        }
    }
    calls = udm_reduce_all_int(UDM_SUM, all[1]);
    if (calls != udm_reduce_all_int(UDM_SUM, served)) {
        fail(NULL, "calls were lost");
    }
    return calls;
}

int main(int argc, char **argv)
{
    struct glaze_count count;
    uint32_t calls;
    int64_t ins;

    if (argc < 4 || (pages = atoi(argv[3])) < 1 || pages > PAGES) {
        return 2;
    }
    seed = atoi(argv[1]);
    operations = atoi(argv[2]);
    for (uint32_t k = 0; k < pages; k++) {
        for (uint32_t i = 0; i < WORDS; i++) {
            page[k][i] = word_of(k, 0) + i;
        }
    }
    udm_collective_wait(UDM_WAIT_BLOCK);        /* handlers may sleep meanwhile */
    udm_barrier();
    udm_thread_switch_on_fault(argc > 4);
    calls = run_all();
    glaze_count(&count);
    ins = udm_reduce_all_int(UDM_SUM, count.ins);
    if (udm_node() == 0) {
        printf("mixture: %lu operations, %lu calls, %ld pages came back: right\n",
               (unsigned long)(operations * THREADS * udm_nodes()), (unsigned long)calls,
               (long)ins);
    }
    return 0;
}
