/*
 * time() for sources that do not include <time.h>: to them, and to anl.h, its
 * result and what it fills are long. `./run.sh cc --anl` links this file.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
long long anl_time_64(void *place) __asm__("time");

long anl_time(long *place)
{
    long now = (long)anl_time_64(0);

    if (place) {
        *place = now;
    }
    return now;
}
