/*
 * The instruction timing table of docs/machine.md, measured by the program
 * itself.
 *
 * Prints one line per check; the exit status is the number of failed checks.
 */
#include "check.h"
#include "console.h"
#include "cycles.h"
#include "message.h"
#include "timing.h"

typedef uint32_t piece(void *memory);

/* The table of docs/machine.md: cycles of one instruction. */
#define PLAIN           1
#define LOAD            2
#define LOAD_DOUBLE     3
#define STORE           3
#define STORE_DOUBLE    4
#define ATOMIC          4
#define JUMP            2       /* jmpl, rett */
#define NI_OPERATION    1
#define TRAP            4
#define INTERRUPT       6

/* The shortest handler, in timing_code.S: jmp and rett. */
#define HANDLER         (JUMP + JUMP)

/* A row: the piece's name, the cycles of one repetition, and the cycles of
 * what the piece does only once. */
#define ROWS(ROW) \
    ROW(nothing, 0, 0) \
    ROW(nop, PLAIN, 0) \
    ROW(add, PLAIN, 0) \
    ROW(sethi, PLAIN, 0) \
    ROW(mulscc, PLAIN, 0) \
    ROW(read_y, PLAIN, 0) \
    ROW(write_y, PLAIN, 0) \
    ROW(save_restore, PLAIN + PLAIN, 0) \
    ROW(untaken, PLAIN + PLAIN, 0) \
    ROW(taken, PLAIN + PLAIN, 0) \
    ROW(untaken_annulled, PLAIN + PLAIN, 0) \
    ROW(taken_annulled, PLAIN + PLAIN, 0) \
    ROW(condition_untaken, PLAIN + PLAIN, PLAIN) \
    ROW(condition_annulled, PLAIN + PLAIN, PLAIN) \
    ROW(condition_taken, PLAIN + PLAIN, PLAIN) \
    ROW(call, PLAIN + PLAIN, PLAIN) \
    ROW(jmpl, PLAIN + JUMP + PLAIN, 0) \
    ROW(ld, LOAD, 0) \
    ROW(lduh, LOAD, 0) \
    ROW(ldsh, LOAD, 0) \
    ROW(ldub, LOAD, 0) \
    ROW(ldsb, LOAD, 0) \
    ROW(ldd, LOAD_DOUBLE, 0) \
    ROW(st, STORE, 0) \
    ROW(sth, STORE, 0) \
    ROW(stb, STORE, 0) \
    ROW(std, STORE_DOUBLE, 0) \
    ROW(ldstub, ATOMIC, 0) \
    ROW(swap, ATOMIC, 0) \
    ROW(ldf, LOAD, 0) \
    ROW(lddf, LOAD_DOUBLE, 0) \
    ROW(stf, STORE, 0) \
    ROW(stdf, STORE_DOUBLE, 0) \
    ROW(launch, NI_OPERATION, 0) \
    ROW(beginatom, NI_OPERATION, 0) \
    ROW(endatom, NI_OPERATION, 0) \
    ROW(fmovs, 2, 0) \
    ROW(fabss, 2, 0) \
    ROW(fnegs, 2, 0) \
    ROW(fadds, 4, 0) \
    ROW(faddd, 4, 0) \
    ROW(fsubs, 4, 0) \
    ROW(fsubd, 4, 0) \
    ROW(fcmps, 4, 0) \
    ROW(fcmpd, 4, 0) \
    ROW(fmuls, 5, 0) \
    ROW(fmuld, 9, 0) \
    ROW(fdivs, 20, 0) \
    ROW(fdivd, 35, 0) \
    ROW(fsqrts, 37, 0) \
    ROW(fsqrtd, 65, 0) \
    ROW(fdtoi, 7, 0) \
    ROW(fitos, 6, 0) \
    ROW(fitod, 6, 0) \
    ROW(fstoi, 6, 0) \
    ROW(fdtos, 3, 0) \
    ROW(fstod, 2, 0) \
    ROW(ticc, TRAP + HANDLER, 0) \
    ROW(illegal, TRAP + HANDLER, 0) \
    ROW(misaligned, TRAP + HANDLER, 0) \
    ROW(ni_trap, TRAP + HANDLER, 0)

#define DECLARE(name, turn, once) piece t_##name;
ROWS(DECLARE)

#define ENTRY(name, turn, once) { #name, t_##name, turn, once },
static const struct {
    const char *name;
    piece *piece;
    uint32_t turn, once;
} rows[] = { ROWS(ENTRY) };

piece t_interrupt, t_set_fp;

static uint64_t memory[8];

/* Returns the cycles between a piece's two reads of the clock, with its lines
 * in the cache. */
static uint32_t measure(piece *p)
{
    memory[0] = 0;
    t_set_fp(memory + 4);
    p(memory);
    return p(memory) - CYCLES_READ;
}

static void check_rows(void)
{
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        uint32_t got = measure(rows[i].piece);
        uint32_t want = PIECE_COUNT * rows[i].turn + rows[i].once;

        check(rows[i].name, got, want);
        if (got != want) {
            printf("  %u cycles a turn, where the table says %u\n",
                   (got - rows[i].once) / PIECE_COUNT, rows[i].turn);
        }
    }
}

/* Takes the difference between a run with a waiting message and one without. */
static void check_interrupt(void)
{
    uint32_t with, without;

    for (int i = 0; i < 2; i++) {               /* twice: loads the cache */
        ni_fresh();
        message_send(HEADER_GID(ni_node(), GID_OWN), 1, 2);
        settle();
        with = t_interrupt(memory);
        without = t_interrupt(memory);
    }
    check("interrupt", with - without, INTERRUPT + NI_OPERATION + HANDLER);
    check("it was taken", ni_head_present(), false);
}

int main(void)
{
    ni_fresh();
    check_rows();
    check_interrupt();
    return check_result();
}
