/*
 * The library shm for the host: processes made by fork(), and memory that they
 * share. The tests compile programs with ANL macros for the host with it. What
 * such a program prints is what it must print on the machine.
 *
 * One mutex and one condition serve all locks, barriers, flags and counters.
 * SHM_NODES is the number of nodes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "shm.h"

enum { NODES_MAX = 1024, VARIABLES = 1 << 16, PAGE = 4096,
       LOOK_NS = 50000000 };

/* What a lock, barrier, flag or counter holds, found by its address. */
struct variable {
    const void *address;
    int value;                  /* held, set, or the next number */
    int waiting;                /* processes in a barrier, or at its end */
    unsigned round;
};

struct world {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    size_t used;                /* bytes of shared memory */
    struct variable variables[VARIABLES];
};

static struct world *world;
static pid_t children[NODES_MAX];       /* by node; 0: the node is free */
static int self;

static void die(const char *what)
{
    perror(what);
    exit(118);
}

void shm_init(void)
{
    pthread_mutexattr_t mutex;
    pthread_condattr_t cond;

    if (world) {
        return;
    }
    if (mmap((void *)(size_t)SHM_START, SHM_END - SHM_START,
             PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE |
             MAP_FIXED_NOREPLACE, -1, 0) == MAP_FAILED) {
        die("shared memory");
    }
    world = mmap(NULL, sizeof(*world), PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (world == MAP_FAILED) {
        die("shared variables");
    }
    pthread_mutexattr_init(&mutex);
    pthread_mutexattr_setpshared(&mutex, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(&world->mutex, &mutex);
    pthread_condattr_init(&cond);
    pthread_condattr_setpshared(&cond, PTHREAD_PROCESS_SHARED);
    pthread_cond_init(&world->changed, &cond);
}

/* ---- Processes ---------------------------------------------------------- */

int shm_nodes(void)
{
    const char *nodes = getenv("SHM_NODES");

    return nodes ? atoi(nodes) : 16;
}

int shm_node(void)
{
    return self;
}

void shm_exit(int status)
{
    exit(status);
}

/* Waits for one process, and frees its node. A process that fails ends all. */
static void reap(void)
{
    int status, node;
    pid_t pid = wait(&status);

    for (node = 1; node < NODES_MAX && children[node] != pid; node++) {
    }
    if (pid < 0 || node == NODES_MAX) {
        die("wait");
    }
    children[node] = 0;
    if (status) {
        fprintf(stderr, "the process of node %d failed: %#x\n", node, status);
        for (node = 1; node < NODES_MAX; node++) {
            if (children[node]) {
                kill(children[node], SIGKILL);
            }
        }
        exit(WIFEXITED(status) ? WEXITSTATUS(status) : 118);
    }
}

void shm_create_with(void (*function)(void *), void *argument)
{
    int node = 1;

    while (node < shm_nodes() && children[node]) {
        node++;
    }
    if (node == shm_nodes()) {
        reap();
        shm_create_with(function, argument);
        return;
    }
    fflush(stdout);
    children[node] = fork();
    if (children[node] < 0) {
        die("fork");
    }
    if (children[node] == 0) {
        self = node;
        function(argument);
        exit(0);
    }
}

void shm_create(void (*function)(void))
{
    shm_create_with((void (*)(void *))function, NULL);
}

void shm_wait_for_end(int processes)
{
    for (int node = 1; node < NODES_MAX && processes > 0; node++) {
        if (children[node]) {
            reap();
            processes--;
            node = 0;           /* another node's may have ended */
        }
    }
}

/* ---- Variables ---------------------------------------------------------- */

/* Locks the mutex, and returns what belongs to an address. */
static struct variable *open_variable(const void *address)
{
    size_t place = (size_t)address / 4 % VARIABLES;

    pthread_mutex_lock(&world->mutex);
    while (world->variables[place].address != address) {
        if (!world->variables[place].address) {
            world->variables[place].address = address;
            break;
        }
        place = (place + 1) % VARIABLES;
    }
    return &world->variables[place];
}

static void close_variable(void)
{
    pthread_cond_broadcast(&world->changed);
    pthread_mutex_unlock(&world->mutex);
}

/*
 * Waits for the next change, or for LOOK_NS: a wake-up may be lost
 * (https://sourceware.org/bugzilla/show_bug.cgi?id=25847). So the caller looks
 * again in any case.
 */
static void wait_for_change(void)
{
    struct timespec end;

    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_nsec += LOOK_NS;
    if (end.tv_nsec >= 1000000000) {
        end.tv_sec++;
        end.tv_nsec -= 1000000000;
    }
    pthread_cond_timedwait(&world->changed, &world->mutex, &end);
}

/* Waits until the value is `from`, and makes it `to`. */
static void pass(const void *address, int from, int to)
{
    struct variable *variable = open_variable(address);

    while (variable->value != from) {
        wait_for_change();
    }
    variable->value = to;
    close_variable();
}

static void set(const void *address, int to)
{
    open_variable(address)->value = to;
    close_variable();
}

/* Returns when `processes` processes have called it. The mutex is locked. */
static void meet(struct variable *variable, int processes)
{
    unsigned round = variable->round;

    if (++variable->waiting == processes) {
        variable->waiting = 0;
        variable->value = 0;
        variable->round++;
    }
    pthread_cond_broadcast(&world->changed);
    while (variable->round == round) {
        wait_for_change();
    }
}

void shm_lock_init(struct shm_lock *lock)
{
    (void)lock;
}

void shm_lock(struct shm_lock *lock)
{
    pass(lock, 0, 1);
}

void shm_unlock(struct shm_lock *lock)
{
    pass(lock, 1, 0);
}

void shm_barrier_init(struct shm_barrier *barrier)
{
    (void)barrier;
}

void shm_barrier(struct shm_barrier *barrier, int processes)
{
    meet(open_variable(barrier), processes);
    close_variable();
}

void shm_flag_init(struct shm_flag *flag)
{
    set(flag, 0);
}

void shm_flag_clear(struct shm_flag *flag)
{
    set(flag, 0);
}

void shm_flag_set(struct shm_flag *flag)
{
    set(flag, 1);
}

void shm_flag_wait(struct shm_flag *flag)
{
    pass(flag, 1, 1);
}

void shm_flag_take(struct shm_flag *flag)
{
    pass(flag, 1, 0);
}

void shm_flag_put(struct shm_flag *flag)
{
    pass(flag, 0, 1);
}

int shm_flag_test(struct shm_flag *flag)
{
    int value = open_variable(flag)->value;

    close_variable();
    return value;
}

void shm_counter_init(struct shm_counter *counter)
{
    set(counter, 0);
}

int shm_getsub(struct shm_counter *counter, int last, int processes)
{
    struct variable *variable = open_variable(counter);
    int number = -1;

    if (variable->value <= last) {
        number = variable->value++;
    } else {
        meet(variable, processes);
    }
    close_variable();
    return number;
}

/* ---- Memory, time, statistics ------------------------------------------- */

void *shm_malloc(size_t bytes)
{
    size_t unit = bytes >= PAGE ? PAGE : 16, start;

    pthread_mutex_lock(&world->mutex);
    start = (world->used + unit - 1) / unit * unit;
    if (bytes > SHM_END - SHM_START - start) {
        pthread_mutex_unlock(&world->mutex);
        return NULL;
    }
    world->used = start + bytes;
    pthread_mutex_unlock(&world->mutex);
    return (void *)(SHM_START + start);
}

void shm_free(void *block)
{
    (void)block;
}

unsigned shm_clock(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000u + now.tv_nsec / 1000;
}

void shm_statistics(struct shm_statistics *statistics)
{
    *statistics = (struct shm_statistics){0};
}
