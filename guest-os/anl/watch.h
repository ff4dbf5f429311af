/*
 * Programs that cc --anl --check-globals has compiled (watch.c).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ANL_WATCH_H
#define ANL_WATCH_H

/* Begins to watch globals, if that has not begun. On node 0, before a CREATE. */
void anl_watch(void);

/* The program's variables, which the command lists when it links; the last one's name
 * is NULL. */
struct anl_variable {
    unsigned long address, bytes;
    const char *name;
};
extern const struct anl_variable anl_variables[];

#endif /* ANL_WATCH_H */
