/*
 * What hw/machine/mesh.c needs of QEMU's osdep.h, the C library: lets unit
 * tests compile it without QEMU.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef QEMU_OSDEP_H
#define QEMU_OSDEP_H

#include <assert.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#endif /* QEMU_OSDEP_H */
