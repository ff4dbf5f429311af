/*
 * Checks of views and alarms (views.c).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VIEWS_H
#define VIEWS_H

/* Checks rights upcalls and alarms, in a section and outside. */
void check_views(void);

#endif /* VIEWS_H */
