/*
 * Fuzzing the frames between processes: a libFuzzer target
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "../unit/link-frames.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    link_frames_try(data, size);
    return 0;
}
