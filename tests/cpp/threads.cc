/*
 * Exceptions of threads and handlers that run by turns, and atomic operations of both.
 * Each node counts what has come out right, and node 0 prints the sums.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "udm-collective.h"
#include "udm-thread.h"
#include "udm.h"

namespace {

constexpr unsigned THREADS = 5, ROUNDS = 20, MESSAGES = 200;

std::atomic<unsigned> right, handled, told, added;
std::atomic<unsigned long long> sum;
std::atomic<unsigned char> small;
unsigned plain;

struct Many {
    unsigned word[20];
};
std::atomic<Many> many;         /* all words are equal, at any time */

/* What is compared may lie anywhere that its own type may. */
template <unsigned BYTES> bool swaps_anywhere()
{
    struct Some {
        char byte[BYTES];
    };
    alignas(8) char room[BYTES + 1] = { 0, 1 };     /* from the second byte on: 1, 0, ... */
    Some &expected = *reinterpret_cast<Some *>(room + 1);
    std::atomic<Some> atom(Some { { 2 } });

    return !atom.compare_exchange_strong(expected, Some { { 3 } }) && expected.byte[0] == 2 &&
        atom.compare_exchange_strong(expected, Some { { 3 } }) && atom.load().byte[0] == 3;
}

/* Each catch lets the other threads run, which are in theirs. */
void *turns(void *argument)
{
    int number = reinterpret_cast<intptr_t>(argument);

    for (unsigned round = 0; round < ROUNDS; round++) {
        try {
            throw number;
        } catch (int outer) {
            udm_thread_yield();
            try {
                throw std::to_string(number);
            } catch (const std::string &inner) {
                udm_thread_yield();
                right += inner == std::to_string(outer);
            }
            udm_thread_yield();
            try {
                throw;
            } catch (int again) {
                right += again == number;
            }
        }
        right += !std::current_exception() && !std::uncaught_exceptions();
    }
    return nullptr;
}

/* Ends in a catch. The next thread on its stack has no exception. */
void *leaves(void *)
{
    try {
        throw 1;
    } catch (int) {
        udm_thread_exit(nullptr);
    }
}

void *looks(void *)
{
    right += !std::current_exception();
    return nullptr;
}

int thrown(int levels, unsigned value)
{
    if (levels == 0) {
        throw value;
    }
    return thrown(levels - 1, value) + 1;
}

/* Throws in a handler, whatever it has interrupted. */
void handler()
{
    unsigned value = udm_arg(0);

    udm_dispose();
    try {
        thrown(10, value);
    } catch (unsigned caught) {
        handled += caught == value;
        plain++;
    }
    sum += value;
    small++;
}

/* Adds to what main() adds to at the same time. */
void adds()
{
    Many all;

    std::fill(std::begin(all.word), std::end(all.word), udm_arg(0));
    udm_dispose();
    many = all;
    added++;
    sum++;
}

/* Becomes a thread inside a catch, and goes on when main() has thrown and caught. */
udm_cond_t gate;
udm_mutex_t lock;
bool open_;

void waits()
{
    udm_dispose();
    try {
        throw std::runtime_error("handler");
    } catch (const std::runtime_error &error) {
        udm_mutex_lock(&lock);
        while (!open_) {
            udm_cond_wait(&gate, &lock);
        }
        udm_mutex_unlock(&lock);
        told += std::string(error.what()) == "handler";
    }
}

}

int main()
{
    unsigned other = udm_nodes() - 1 - udm_node();
    std::vector<udm_thread_t *> threads;
    bool torn = false;

    for (unsigned k = 0; k < THREADS; k++) {
        threads.push_back(udm_thread_create(turns, reinterpret_cast<void *>(k), UDM_NORMAL));
    }
    for (udm_thread_t *thread : threads) {
        udm_thread_join(thread);
    }
    for (unsigned k = 0; k < 3; k++) {
        udm_thread_join(udm_thread_create(leaves, nullptr, UDM_NORMAL));
        udm_thread_join(udm_thread_create(looks, nullptr, UDM_NORMAL));
    }
    udm_barrier();
    for (unsigned k = 0; k < MESSAGES; k++) {
        udm_inject(other, handler, k);
        try {
            thrown(12, k);
        } catch (unsigned caught) {
            right += caught == k;
        }
        sum += 1;
        small -= 1;
    }
    while (handled < MESSAGES) {
    }
    udm_barrier();
    for (unsigned k = 0; k < MESSAGES; k++) {
        udm_inject(other, adds, k);
        for (unsigned j = 0; j < 10; j++) {
            Many all = many;
            torn |= std::count(std::begin(all.word), std::end(all.word), all.word[0]) != 20;
            added++;
            sum++;
        }
    }
    while (added < 11 * MESSAGES) {
    }
    udm_inject(other, waits);
    udm_barrier();
    try {
        throw 2;
    } catch (int) {
        udm_mutex_lock(&lock);
        open_ = true;
        udm_cond_broadcast(&gate);
        udm_mutex_unlock(&lock);
        while (!told) {
            udm_thread_yield();
        }
    }
    unsigned char expected = 0;
    bool swapped = small.compare_exchange_strong(expected, 9);
    bool wrong = torn || right != THREADS * ROUNDS * 3 + 3 + MESSAGES ||
        sum != MESSAGES * (MESSAGES - 1ull) / 2 + 12 * MESSAGES || plain != MESSAGES || !swapped ||
        !swaps_anywhere<2>() || !swaps_anywhere<4>() || !swaps_anywhere<8>() || !swaps_anywhere<20>() ||
        small.exchange(1) != 9 || (small |= 6) != 7 || !small.is_lock_free();
    std::printf("node %u: %u right, %u handled, sum %llu%s\n", udm_node(), right.load(), handled.load(),
                sum.load(), wrong ? ", and some are wrong" : "");
    return wrong;
}
