/*
 * Measures what it costs processes to meet and do nothing else: the yardstick
 * for a round of the machine.
 *
 *     bare rings|unix|tcp PROCESSES ROUNDS
 *
 * The processes form a star. Each peer sends an empty frame to the hub, which
 * waits for all frames and then answers each. With rings, each direction has a
 * slot with a stamp in shared memory, and a process that waits yields its core.
 * With sockets, processes wait in read(). Prints nanoseconds per round.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define PROCESSES_MAX   64
#define FRAME_BYTES     48      /* an empty round of the machine */

typedef struct Slot {
    _Alignas(64) atomic_uint stamp;
    char data[FRAME_BYTES];
} Slot;

static Slot (*rings)[2];                /* of each peer: to and from the hub */
static int sockets[PROCESSES_MAX][2];   /* the hub's end, and the peer's */

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

/* ---- Rings ----------------------------------------------------------------- */

static void ring_put(Slot *slot, unsigned round)
{
    memset(slot->data, 0, sizeof(slot->data));
    atomic_store_explicit(&slot->stamp, round, memory_order_release);
}

static void ring_await(Slot *slot, unsigned round)
{
    while (atomic_load_explicit(&slot->stamp, memory_order_acquire) != round) {
        sched_yield();
    }
}

/* ---- Sockets ---------------------------------------------------------------- */

static void socket_put(int fd)
{
    char frame[FRAME_BYTES] = { 0 };

    if (send(fd, frame, sizeof(frame), MSG_NOSIGNAL) != sizeof(frame)) {
        exit(0);                /* the other process has ended */
    }
}

static void socket_await(int fd)
{
    char frame[FRAME_BYTES];

    if (recv(fd, frame, sizeof(frame), MSG_WAITALL) != sizeof(frame)) {
        exit(0);
    }
}

static void connect_tcp(int pair[2])
{
    struct sockaddr_in to = { .sin_family = AF_INET };
    socklen_t len = sizeof(to);
    int listener = socket(AF_INET, SOCK_STREAM, 0), one = 1;

    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    pair[1] = socket(AF_INET, SOCK_STREAM, 0);
    if (listener < 0 || bind(listener, (struct sockaddr *)&to, len) ||
        listen(listener, 1) ||
        getsockname(listener, (struct sockaddr *)&to, &len) ||
        connect(pair[1], (struct sockaddr *)&to, len)) {
        fail("tcp");
    }
    pair[0] = accept(listener, NULL, NULL);
    for (int i = 0; i < 2; i++) {
        setsockopt(pair[i], IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
    }
    close(listener);
}

/* ---- Both -------------------------------------------------------------------- */

static void peer(int number, unsigned rounds)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (unsigned round = 1; round <= rounds; round++) {
        if (rings) {
            ring_put(&rings[number][0], round);
            ring_await(&rings[number][1], round);
        } else {
            socket_put(sockets[number][1]);
            socket_await(sockets[number][1]);
        }
    }
    exit(0);
}

static void hub(int processes, unsigned rounds)
{
    for (unsigned round = 1; round <= rounds; round++) {
        for (int i = 1; i < processes; i++) {
            rings ? ring_await(&rings[i][0], round)
                  : socket_await(sockets[i][0]);
        }
        for (int i = 1; i < processes; i++) {
            rings ? ring_put(&rings[i][1], round) : socket_put(sockets[i][0]);
        }
    }
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}

int main(int argc, char **argv)
{
    int processes = argc == 4 ? atoi(argv[2]) : 0;
    unsigned rounds = argc == 4 ? atoi(argv[3]) : 0;
    double start;

    if (processes < 2 || processes > PROCESSES_MAX || rounds < 1) {
        fprintf(stderr, "usage: bare rings|unix|tcp PROCESSES ROUNDS\n");
        return 2;
    }
    if (!strcmp(argv[1], "rings")) {
        rings = mmap(NULL, sizeof(*rings) * PROCESSES_MAX,
                     PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (rings == MAP_FAILED) {
            fail("rings");
        }
    }
    for (int i = 1; i < processes; i++) {
        if (!strcmp(argv[1], "tcp")) {
            connect_tcp(sockets[i]);
        } else if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets[i])) {
            fail("unix");
        }
        if (fork() == 0) {
            peer(i, rounds);
        }
    }
    start = now();
    hub(processes, rounds);
    printf("%.0f\n", (now() - start) / rounds);
    return 0;
}
