/*
 * What a boot image contains: walks the directory that follows the program, as
 * the kernel does, and prints all of it. test_image.py boots it in the
 * kernel's place. Argument: address=A, an address to look up in the first
 * program's symbols.
 *
 * Also checks the layout; the exit status is 1 if a check fails, else 0.
 */
#include <string.h>

#include "check.h"
#include "console.h"
#include "image.h"
#include "machine.h"

/* lib/entry/link.ld places the directory where image.h says. */
extern const struct image_directory image_directory;

#define PAGE            0x1000
#define UNKNOWN         0xffffffff

/* The image's content at an address. */
static const void *at(uint32_t address)
{
    return (const void *)(uintptr_t)address;
}

/* A checksum that depends on every byte and on their order. */
static uint32_t sum(uint32_t address, uint32_t size)
{
    const uint8_t *bytes = at(address);
    uint32_t sum = 0;

    for (uint32_t i = 0; i < size; i++) {
        sum = (sum << 5) - sum + bytes[i];
    }
    return sum;
}

/* Whether the bytes from the last one to the end of its page are zero. */
static bool is_zero_behind(uint32_t address, uint32_t size)
{
    const uint8_t *bytes = at(address);

    while (size % PAGE) {
        if (bytes[size++]) {
            return false;
        }
    }
    return true;
}

static void segment(const struct image_segment *s)
{
    printf("  segment 0x%x: 0x%x bytes at 0x%x, 0x%x in memory%s%s, sum %x\n",
           s->address, s->file_bytes, s->image, s->memory_bytes,
           s->flags & IMAGE_EXECUTE ? ", code" : "",
           s->flags & IMAGE_WRITE ? ", written" : "",
           sum(s->image, s->file_bytes));
    check_quietly("address", s->address % PAGE, 0);
    check_quietly("image", s->image % PAGE, 0);
    check_quietly("memory", s->memory_bytes >= s->file_bytes, true);
    check_quietly("rest", is_zero_behind(s->image, s->file_bytes), true);
}

/* The last entry, of a table sorted by address, that is not above an
 * address. */
#define LAST_BEFORE(table, count, wanted) ({            \
    uint32_t low_ = 0, high_ = (count);                 \
    while (low_ < high_) {                              \
        uint32_t middle_ = (low_ + high_) / 2;          \
        if ((table)[middle_].address <= (wanted)) {     \
            low_ = middle_ + 1;                         \
        } else {                                        \
            high_ = middle_;                            \
        }                                               \
    }                                                   \
    low_ ? &(table)[low_ - 1] : NULL;                   \
})

static void look_up(const struct image_program *p, uint32_t address)
{
    const struct image_function *functions = at(p->function), *f;
    const struct image_line *lines = at(p->line), *l;
    const char *strings = at(p->strings);

    f = LAST_BEFORE(functions, p->functions, address);
    l = LAST_BEFORE(lines, p->lines, address);
    printf("  0x%x is", address);
    if (f && address - f->address < f->size) {
        printf(" %s+%u", strings + f->name, address - f->address);
    } else {
        printf(" in no function");
    }
    if (l && l->file != UNKNOWN) {
        printf(", %s:%u", strings + l->file, l->line);
    }
    printf("\n");
}

static void program(const struct image_program *p)
{
    const struct image_function *functions = at(p->function);
    const struct image_line *lines = at(p->line);

    printf("program %s: entry 0x%x, %u segments, %u functions, %u lines\n",
           p->name, p->entry, p->segments, p->functions, p->lines);
    for (uint32_t i = 0; i < p->segments; i++) {
        segment(&p->segment[i]);
    }
    for (uint32_t i = 0; i < p->functions; i++) {
        look_up(p, functions[i].address);
        look_up(p, functions[i].address + functions[i].size - 4);
    }
    for (uint32_t i = 1; i < p->functions; i++) {
        check_quietly("functions rise",
                      functions[i].address > functions[i - 1].address, true);
    }
    for (uint32_t i = 1; i < p->lines; i++) {
        check_quietly("lines rise", lines[i].address > lines[i - 1].address,
                      true);
    }
    check_quietly("name ends", p->name[IMAGE_NAME - 1], 0);
}

static void file(const struct image_file *f)
{
    printf("file %s: %u bytes at 0x%x, sum %x\n", f->name, f->size, f->image,
           sum(f->image, f->size));
    check_quietly("image", f->image % PAGE, 0);
    check_quietly("rest", is_zero_behind(f->image, f->size), true);
    check_quietly("name ends", f->name[IMAGE_NAME - 1], 0);
}

int main(void)
{
    const struct image_directory *d = &image_directory;
    const struct image_program *programs = at(d->program);
    const struct image_file *files = at(d->file);
    uint32_t address = argument("address", 0);

    printf("directory at 0x%x\n", (uint32_t)(uintptr_t)d);
    if (d->magic != IMAGE_MAGIC || d->version != IMAGE_VERSION) {
        panic("this is no boot image with apps: run it by its tests");
    }
    for (uint32_t i = 0; i < d->programs; i++) {
        program(&programs[i]);
    }
    for (uint32_t i = 0; i < d->files; i++) {
        file(&files[i]);
    }
    if (address) {
        look_up(programs, address);
    }
    check_sum("image");
    return check_result();
}
