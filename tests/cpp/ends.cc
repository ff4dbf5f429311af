/*
 * Exceptions that nothing catches: one for each word that the program can be called with.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "udm-thread.h"
#include "udm.h"

static void throws(const char *what)
{
    throw std::logic_error(what);
}

static void handler()
{
    udm_dispose();
    throws("left a handler");
}

static void *thread(void *)
{
    throws("left a thread");
    return nullptr;
}

static void promises() noexcept
{
    throws("left noexcept");
}

static int compares(const void *, const void *)
{
    throws("left through C");
    return 0;
}

int main(int argc, char **argv)
{
    std::string word = argc > 1 ? argv[1] : "";

    try {
        if (word == "handler") {
            udm_inject(udm_node(), handler);
            for (;;) {
            }
        } else if (word == "thread") {
            udm_thread_join(udm_thread_create(thread, nullptr, UDM_NORMAL));
        } else if (word == "noexcept") {
            promises();
        } else if (word == "C") {
            int numbers[] = { 2, 1, 3 };
            std::qsort(numbers, 3, sizeof(int), compares);
        } else if (word == "rethrow") {
            throw;
        }
    } catch (const std::logic_error &) {
        return 1;
    }
    throws("left main");
}
