/*
 * SHRIMP's network interface (--ni shrimp): updates that come while the processor is
 * in straight code, on the bare machine. Each node sends to itself.
 *
 * Argument: incoming=CYCLES: that of --incoming-word, at least 40.
 *
 * Prints one line per check; the exit status is the number of failed checks.
 */
#include "cycles.h"
#include "mapped.h"
#include "trap.h"

#define FLIGHT      (64 + 4 * (FUGU_SHRIMP_OVERHEAD + 1))      /* of a word */

static struct page out, in;             /* out goes to in */

struct look {
    uint32_t sent;                      /* after both stores */
    uint32_t left, seen;                /* the end of the sled; the second word */
};

/* arrivals_code.S: stores two words, and looks for the second one after the sled. */
void send_and_wait(volatile uint32_t *to, const char *enter, struct look *look,
                   volatile uint32_t *there);
extern const char wait_sled[], wait_sled_end[];

/* The first word is due in the sled, and is stored at its end at the earliest. The
 * second one follows it at the pace of the bus all the same. */
static void check_pace(uint32_t incoming)
{
    struct look look;
    uint32_t late = 0;

    send_and_wait(&out.word[0], wait_sled, &look, &in.word[1]); /* loads the cache */
    for (const char *at = wait_sled_end; at >= wait_sled; at -= 4) {
        uint32_t first, second;

        settle();
        in.word[1] = 0;
        send_and_wait(&out.word[0], at, &look, &in.word[1]);
        first = look.sent - 6 + FLIGHT + incoming;
        second = first + incoming;
        late += look.left > first && look.left < second;
        check_quietly("the second word is not early", look.seen >= second, true);
        check_quietly("nor late", look.seen < second + 40 ||
                      look.seen < look.left + 40, true);
    }
    check_sum("an update takes its time after the one before it");
    check_true("also after one that was late", late > 20);
}

int main(void)
{
    pil_set(PIL_ALL);
    map_in(&in);
    map_out(&out, FUGU_NIPT_SINGLE, NI_U(FUGU_U_NODE), &in);
    check_pace(argument("incoming", 100));
    return check_result();
}
