/*
 * The disk: reads and writes of sectors, the time they take, and commands that
 * it refuses. Argument: sectors, the size of the machine's disk; 0 without a
 * disk. At the start each word of a sector holds the sector's number; the test
 * overwrites the last sector.
 *
 * Prints one line per check; the exit status is the number of failed checks.
 */
#include "check.h"
#include "machine.h"
#include "stamp.h"

#define D(offset) REG(FUGU_DISK_BASE + (offset))
#define SECTOR_WORDS    (FUGU_DISK_SECTOR_SIZE / 4)

/* Cycles of a command, and for each sector (docs/machine.md, "Disk"). */
#define COMMAND_CYCLES  25000
#define SECTOR_CYCLES   1280

static uint32_t buffer[4 * SECTOR_WORDS];
static uint32_t sectors;

/* Starts a command. Returns the time of its start. */
static uint32_t start(uint32_t command, uint32_t sector, uint32_t count,
                      uint32_t address)
{
    D(FUGU_DISK_SECTOR) = sector;
    D(FUGU_DISK_COUNT) = count;
    D(FUGU_DISK_ADDR) = address;
    return stamp_store(FUGU_DISK_BASE + FUGU_DISK_COMMAND, command);
}

static uint32_t finish(void)
{
    uint32_t status;

    while ((status = D(FUGU_DISK_STATUS)) & FUGU_DISK_BUSY) {
    }
    D(FUGU_DISK_STATUS) = 0;
    return status;
}

static bool holds(const volatile uint32_t *words, uint32_t value)
{
    bool right = true;

    for (unsigned i = 0; i < SECTOR_WORDS; i++) {
        right &= words[i] == value;
    }
    return right;
}

static void check_read(void)
{
    uint32_t started, woken;

    D(FUGU_DISK_CONTROL) = 1;
    started = start(FUGU_DISK_READ, 1, 3, (uint32_t)buffer);
    woken = stamp_wait();
    check("a command takes its time", woken - started,
          COMMAND_CYCLES + 3 * SECTOR_CYCLES);
    check("and interrupts when it is done", D(FUGU_DISK_STATUS),
          FUGU_DISK_DONE);
    D(FUGU_DISK_STATUS) = 0;
    check("until it is acknowledged", D(FUGU_DISK_STATUS), 0);
    D(FUGU_DISK_CONTROL) = 0;
    for (uint32_t i = 0; i < 3; i++) {
        check_quietly("sector", holds(buffer + i * SECTOR_WORDS, 1 + i), true);
    }
    check_quietly("no more", buffer[3 * SECTOR_WORDS], 0);
    check_sum("so many sectors are read");
}

static void check_write(void)
{
    for (unsigned i = 0; i < SECTOR_WORDS; i++) {
        buffer[i] = 0x5eed;
    }
    start(FUGU_DISK_WRITE, sectors - 1, 1, (uint32_t)buffer);
    check("a sector is written", finish(), FUGU_DISK_DONE);
    buffer[0] = 0;
    start(FUGU_DISK_READ, sectors - 1, 1, (uint32_t)buffer);
    check("and read again", finish(), FUGU_DISK_DONE);
    check_true("as it was", holds(buffer, 0x5eed));
    start(FUGU_DISK_FLUSH, 0, 0, 0);
    check("a flush is done", finish(), FUGU_DISK_DONE);
}

static void check_errors(void)
{
    const uint32_t error = FUGU_DISK_DONE | FUGU_DISK_ERROR;

    start(FUGU_DISK_READ, sectors, 1, (uint32_t)buffer);
    check("beyond its end", finish(), error);
    start(FUGU_DISK_READ, sectors ? sectors - 1 : 0, 2, (uint32_t)buffer);
    check("in part, too", finish(), error);
    start(FUGU_DISK_READ, 0, 1, FUGU_BOOT_BASE);
    check("to what is not RAM", finish(), error);
    start(99, 0, 1, (uint32_t)buffer);
    check("by a command that is none", finish(), error);
}

int main(void)
{
    sectors = argument("sectors", 0);
    check("its capacity", D(FUGU_DISK_SECTORS), sectors);
    if (sectors) {
        check_read();
        check_write();
    }
    check_errors();
    return check_result();
}
