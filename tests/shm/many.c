/*
 * shm-many LOCKS: so many locks, each locked twice, by the one process of the node that
 * manages them all. Prints how many there are. Machine: 1 node.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>

#include "shm.h"

int main(int argc, char **argv)
{
    int locks = argc > 1 ? atoi(argv[1]) : 1;
    struct shm_lock *lock;

    shm_init();
    lock = shm_malloc(locks * sizeof(*lock));
    for (int round = 0; round < 2; round++) {
        for (int k = 0; k < locks; k++) {
            shm_lock(&lock[k]);
            shm_unlock(&lock[k]);
        }
    }
    printf("many: %d locks\n", locks);
    return 0;
}
