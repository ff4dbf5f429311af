/*
 * What it takes to change a file's size. Prints the cycles of each call.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <inttypes.h>
#include <stdio.h>

#include "glaze-calls.h"
#include "udm.h"

#define NAME "sized"

static const uint32_t sizes[] = {
    0x10000, 0, 0x20000, 0x30000, 0, 15 << 20, 0, 15 << 20, 0, 0,
};

/* Where bytes are put. */
static const uint32_t places[] = { 0, 0x10000, 0x20000, 15 << 20, 0x30000 };
static char bytes[100];

int main(void)
{
    uint32_t took[sizeof(sizes) / sizeof(sizes[0])];
    int32_t file = glaze_named(FUGU_FILES_CREATE, NAME, sizeof(NAME) - 1, 0);

    for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        uint32_t begin = udm_cycles32();
        int32_t error = glaze_sized(FUGU_FILES_RESIZE, file, sizes[i]);

        took[i] = udm_cycles32() - begin;
        if (error) {
            printf("error %" PRId32 "\n", error);
        }
    }
    for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        printf("%" PRIu32 " bytes: %" PRIu32 " cycles\n", sizes[i], took[i]);
    }
    for (unsigned i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        uint32_t begin = udm_cycles32();
        int32_t put = glaze_put(file, places[i], bytes, sizeof(bytes));
        uint32_t cycles = udm_cycles32() - begin;

        printf("put %" PRId32 " bytes at %" PRIu32 ": %" PRIu32 " cycles, then %"
               PRId32 " bytes\n", put, places[i], cycles,
               glaze_sized(GLAZE_FILE_SIZE, file, 0));
    }
    return 0;
}
