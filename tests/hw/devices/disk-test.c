/*
 * qtest of the disk (docs/machine.md, "Disk")
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "../common/fugu-qtest.h"

#define SECTORS         (FUGU_DISK_BASE + FUGU_DISK_SECTORS)
#define SECTOR          (FUGU_DISK_BASE + FUGU_DISK_SECTOR)
#define COUNT           (FUGU_DISK_BASE + FUGU_DISK_COUNT)
#define ADDR            (FUGU_DISK_BASE + FUGU_DISK_ADDR)
#define COMMAND         (FUGU_DISK_BASE + FUGU_DISK_COMMAND)
#define STATUS          (FUGU_DISK_BASE + FUGU_DISK_STATUS)
#define CONTROL         (FUGU_DISK_BASE + FUGU_DISK_CONTROL)

#define IMAGE_SECTORS   300     /* more than the device copies at a time */
#define IMAGE_WORDS     (IMAGE_SECTORS * FUGU_DISK_SECTOR_SIZE / 4)
#define RAM_SIZE        (1024 * 1024)
#define OPTIONS         "nodes=2,node-ram=1048576"

#define FAILED          (FUGU_DISK_DONE | FUGU_DISK_ERROR)

/* A disk for node 1. Each word of the disk holds the number of the word. */
typedef struct Disk {
    QTestState *qts;
    char *file;
    char *args;
} Disk;

static void disk_open(Disk *d, const char *more)
{
    g_autofree uint32_t *image = g_new(uint32_t, IMAGE_WORDS);

    for (uint32_t i = 0; i < IMAGE_WORDS; i++) {
        image[i] = GUINT32_TO_BE(i);
    }
    d->file = fugu_temp_file(image, IMAGE_WORDS * 4);
    d->args = g_strdup_printf("-drive if=none,id=disk1,format=raw,file=%s%s",
                              d->file, more);
    d->qts = fugu_start(OPTIONS, d->args);
}

static void disk_close(Disk *d)
{
    qtest_quit(d->qts);
    unlink(d->file);
    g_free(d->file);
    g_free(d->args);
}

static uint32_t disk_word(Disk *d, uint32_t word)
{
    g_autofree char *image = NULL;
    gsize len;

    g_assert_true(g_file_get_contents(d->file, &image, &len, NULL));
    return GUINT32_FROM_BE(((uint32_t *)image)[word]);
}

static void command(QTestState *qts, uint32_t what, uint32_t sector,
                    uint32_t count, uint32_t addr)
{
    fugu_store(qts, 1, SECTOR, sector);
    fugu_store(qts, 1, COUNT, count);
    fugu_store(qts, 1, ADDR, addr);
    fugu_store(qts, 1, COMMAND, what);
}

static uint32_t status(QTestState *qts)
{
    return fugu_load(qts, 1, STATUS);
}

/* Asserts that the disk is busy for exactly this time. */
static void assert_takes(QTestState *qts, uint64_t cycles, uint32_t then)
{
    g_assert_cmphex(status(qts), ==, FUGU_DISK_BUSY);
    fugu_advance(qts, cycles - 1);
    g_assert_cmphex(status(qts), ==, FUGU_DISK_BUSY);
    fugu_advance(qts, 2);
    g_assert_cmphex(status(qts), ==, then);
}

static void test_reset(void)
{
    Disk d;

    disk_open(&d, "");
    g_assert_cmpuint(fugu_load(d.qts, 1, SECTORS), ==, IMAGE_SECTORS);
    command(d.qts, FUGU_DISK_READ, 1, 1, FUGU_RAM_BASE);
    fugu_store(d.qts, 1, CONTROL, 1);
    qtest_system_reset(d.qts);
    g_assert_cmpuint(fugu_load(d.qts, 1, SECTOR), ==, 0);
    g_assert_cmpuint(fugu_load(d.qts, 1, COUNT), ==, 0);
    g_assert_cmpuint(fugu_load(d.qts, 1, ADDR), ==, 0);
    g_assert_cmpuint(fugu_load(d.qts, 1, CONTROL), ==, 0);
    fugu_advance(d.qts, 100000);
    g_assert_cmphex(status(d.qts), ==, 0);
    disk_close(&d);
}

static void test_read(void)
{
    const uint32_t addr = FUGU_RAM_BASE + 0x1004;
    const uint32_t first = 7, count = 200;
    Disk d;

    disk_open(&d, "");
    fugu_store(d.qts, 1, addr - 4, 0x55555555);
    fugu_store(d.qts, 1, addr + count * FUGU_DISK_SECTOR_SIZE, 0xaaaaaaaa);
    command(d.qts, FUGU_DISK_READ, first, count, addr + 3);
    g_assert_cmphex(fugu_load(d.qts, 1, ADDR), ==, addr);
    assert_takes(d.qts, 25000 + 1280 * count, FUGU_DISK_DONE);

    for (uint32_t i = 0; i < count * FUGU_DISK_SECTOR_SIZE / 4; i += 61) {
        g_assert_cmphex(fugu_load(d.qts, 1, addr + 4 * i), ==,
                        first * FUGU_DISK_SECTOR_SIZE / 4 + i);
    }
    g_assert_cmphex(fugu_load(d.qts, 1, addr - 4), ==, 0x55555555);
    g_assert_cmphex(fugu_load(d.qts, 1, addr + count * FUGU_DISK_SECTOR_SIZE),
                    ==, 0xaaaaaaaa);
    /* The memory of node 0 has not changed. */
    g_assert_cmphex(fugu_load(d.qts, 0, addr + 4), ==, 0);
    disk_close(&d);
}

static void test_write(void)
{
    const uint32_t word = FUGU_DISK_SECTOR_SIZE / 4;
    Disk d;

    disk_open(&d, "");
    fugu_store(d.qts, 1, FUGU_RAM_BASE, 0x12345678);
    fugu_store(d.qts, 1, FUGU_RAM_BASE + 2 * FUGU_DISK_SECTOR_SIZE - 4,
               0x9abcdef0);
    command(d.qts, FUGU_DISK_WRITE, 5, 2, FUGU_RAM_BASE);
    assert_takes(d.qts, 25000 + 1280 * 2, FUGU_DISK_DONE);
    command(d.qts, FUGU_DISK_FLUSH, 1000, 1000, 0);
    assert_takes(d.qts, 25000, FUGU_DISK_DONE);

    g_assert_cmphex(disk_word(&d, 5 * word - 1), ==, 5 * word - 1);
    g_assert_cmphex(disk_word(&d, 5 * word), ==, 0x12345678);
    g_assert_cmphex(disk_word(&d, 7 * word - 1), ==, 0x9abcdef0);
    g_assert_cmphex(disk_word(&d, 7 * word), ==, 7 * word);

    /* A read returns what was written. */
    command(d.qts, FUGU_DISK_READ, 5, 1, FUGU_RAM_BASE + 0x10000);
    assert_takes(d.qts, 25000 + 1280, FUGU_DISK_DONE);
    g_assert_cmphex(fugu_load(d.qts, 1, FUGU_RAM_BASE + 0x10000), ==,
                    0x12345678);
    disk_close(&d);
}

static void test_interrupt(void)
{
    const uint32_t up = FUGU_IRQ_BIT(FUGU_IRQ_DISK);
    Disk d;

    disk_open(&d, "");
    command(d.qts, FUGU_DISK_READ, 0, 1, FUGU_RAM_BASE);
    fugu_store(d.qts, 1, CONTROL, ~0u);
    g_assert_cmpuint(fugu_load(d.qts, 1, CONTROL), ==, 1);
    g_assert_cmphex(fugu_irq(d.qts, 1), ==, 0);
    fugu_advance(d.qts, 30000);
    g_assert_cmphex(fugu_irq(d.qts, 1), ==, up);
    fugu_store(d.qts, 1, CONTROL, 0);
    g_assert_cmphex(fugu_irq(d.qts, 1), ==, 0);
    fugu_store(d.qts, 1, CONTROL, 1);
    g_assert_cmphex(fugu_irq(d.qts, 1), ==, up);
    fugu_store(d.qts, 1, STATUS, 0);
    g_assert_cmphex(fugu_irq(d.qts, 1), ==, 0);
    g_assert_cmphex(status(d.qts), ==, 0);

    /* The next command clears the interrupt too. */
    command(d.qts, FUGU_DISK_READ, 0, 1, FUGU_RAM_BASE);
    fugu_advance(d.qts, 30000);
    g_assert_cmphex(fugu_irq(d.qts, 1), ==, up);
    fugu_store(d.qts, 1, COMMAND, FUGU_DISK_READ);
    g_assert_cmphex(fugu_irq(d.qts, 1), ==, 0);
    g_assert_cmphex(fugu_irq(d.qts, 0), ==, 0);
    disk_close(&d);
}

static void assert_fails(QTestState *qts, uint32_t what, uint32_t sector,
                         uint32_t count, uint32_t addr)
{
    command(qts, what, sector, count, addr);
    assert_takes(qts, 25000, FAILED);
}

static void test_errors(void)
{
    const uint32_t end = FUGU_RAM_BASE + RAM_SIZE;
    Disk d;

    disk_open(&d, "");
    assert_fails(d.qts, FUGU_DISK_READ, IMAGE_SECTORS, 1, FUGU_RAM_BASE);
    assert_fails(d.qts, FUGU_DISK_READ, 0, IMAGE_SECTORS + 1, FUGU_RAM_BASE);
    assert_fails(d.qts, FUGU_DISK_READ, 0xffffffff, 2, FUGU_RAM_BASE);
    assert_fails(d.qts, FUGU_DISK_READ, 0, 1, 0);
    assert_fails(d.qts, FUGU_DISK_READ, 0, 1, FUGU_RAM_BASE - 4);
    assert_fails(d.qts, FUGU_DISK_READ, 0, 2, end - FUGU_DISK_SECTOR_SIZE);
    assert_fails(d.qts, FUGU_DISK_READ, 0, 1, FUGU_DISK_BASE);
    assert_fails(d.qts, FUGU_DISK_WRITE, IMAGE_SECTORS, 1, FUGU_RAM_BASE);
    assert_fails(d.qts, 0, 0, 1, FUGU_RAM_BASE);
    assert_fails(d.qts, 4, 0, 1, FUGU_RAM_BASE);
    g_assert_cmphex(fugu_load(d.qts, 1, end - 4), ==, 0);
    fugu_store(d.qts, 1, STATUS, 1);
    g_assert_cmphex(status(d.qts), ==, 0);

    /* The last sector and the last word of RAM work, and so do 0 sectors. */
    command(d.qts, FUGU_DISK_READ, IMAGE_SECTORS - 1, 1,
            end - FUGU_DISK_SECTOR_SIZE);
    assert_takes(d.qts, 25000 + 1280, FUGU_DISK_DONE);
    g_assert_cmphex(fugu_load(d.qts, 1, end - 4), ==, IMAGE_WORDS - 1);
    command(d.qts, FUGU_DISK_READ, IMAGE_SECTORS, 0, end);
    assert_takes(d.qts, 25000, FUGU_DISK_DONE);
    disk_close(&d);
}

static void test_busy(void)
{
    Disk d;

    disk_open(&d, "");
    command(d.qts, FUGU_DISK_READ, 3, 1, FUGU_RAM_BASE);
    fugu_advance(d.qts, 1000);
    command(d.qts, FUGU_DISK_READ, 4, 1, FUGU_RAM_BASE + 0x1000);
    fugu_store(d.qts, 1, STATUS, 0);
    assert_takes(d.qts, 24000 + 1280, FUGU_DISK_DONE);
    fugu_advance(d.qts, 100000);
    g_assert_cmphex(fugu_load(d.qts, 1, FUGU_RAM_BASE + 0x1004), ==, 0);
    disk_close(&d);
}

static void test_read_only(void)
{
    Disk d;

    disk_open(&d, ",readonly=on");
    assert_fails(d.qts, FUGU_DISK_WRITE, 0, 1, FUGU_RAM_BASE);
    command(d.qts, FUGU_DISK_READ, 0, 1, FUGU_RAM_BASE);
    assert_takes(d.qts, 25000 + 1280, FUGU_DISK_DONE);
    g_assert_cmphex(disk_word(&d, 1), ==, 1);
    disk_close(&d);
}

static void test_no_disk(void)
{
    QTestState *qts = fugu_start(OPTIONS, "");

    g_assert_cmpuint(fugu_load(qts, 1, SECTORS), ==, 0);
    assert_fails(qts, FUGU_DISK_READ, 0, 1, FUGU_RAM_BASE);
    assert_fails(qts, FUGU_DISK_READ, 0, 0, FUGU_RAM_BASE);
    assert_fails(qts, FUGU_DISK_FLUSH, 0, 0, 0);
    qtest_quit(qts);
}

static void test_bad_access(void)
{
    Disk d;

    disk_open(&d, "");
    fugu_assert_bad(d.qts, 1, SECTOR, 1);
    fugu_assert_bad(d.qts, 1, ADDR, 2);
    fugu_assert_bad(d.qts, 1, COUNT, 8);
    fugu_assert_bad(d.qts, 1, FUGU_DISK_BASE + 0x1c, 4);
    g_assert_cmpuint(fugu_load(d.qts, 1, COMMAND), ==, 0);
    fugu_store(d.qts, 1, SECTORS, 1);
    g_assert_cmpuint(fugu_load(d.qts, 1, SECTORS), ==, IMAGE_SECTORS);
    disk_close(&d);
}

static void test_migration(void)
{
    Disk d;

    disk_open(&d, "");
    fugu_store(d.qts, 1, CONTROL, 1);
    command(d.qts, FUGU_DISK_READ, 2, 1, FUGU_RAM_BASE);
    fugu_advance(d.qts, 20000);
    d.qts = fugu_migrate(d.qts, OPTIONS, d.args);
    g_assert_cmpuint(fugu_load(d.qts, 1, SECTOR), ==, 2);
    assert_takes(d.qts, 6280, FUGU_DISK_DONE);
    g_assert_cmphex(fugu_irq(d.qts, 1), ==, FUGU_IRQ_BIT(FUGU_IRQ_DISK));
    g_assert_cmphex(fugu_load(d.qts, 1, FUGU_RAM_BASE), ==,
                    2 * FUGU_DISK_SECTOR_SIZE / 4);
    disk_close(&d);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    qtest_add_func("fugu/disk/reset", test_reset);
    qtest_add_func("fugu/disk/read", test_read);
    qtest_add_func("fugu/disk/write", test_write);
    qtest_add_func("fugu/disk/interrupt", test_interrupt);
    qtest_add_func("fugu/disk/errors", test_errors);
    qtest_add_func("fugu/disk/busy", test_busy);
    qtest_add_func("fugu/disk/read-only", test_read_only);
    qtest_add_func("fugu/disk/no-disk", test_no_disk);
    qtest_add_func("fugu/disk/bad-access", test_bad_access);
    qtest_add_func("fugu/disk/migration", test_migration);
    return g_test_run();
}
