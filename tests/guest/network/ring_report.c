#include "am.h"
#include "console.h"
#include "cycles.h"
#include "machine.h"
#include "ring_report.h"

#define ROW_ARGS (sizeof(struct ring_row) / sizeof(uint32_t))

_Static_assert(ROW_ARGS <= AM_ARGS, "a row fits one message");

static struct ring_row rows[FUGU_NODES_MAX];    /* only node 0 uses it */
static volatile uint32_t rows_here;

static void row_arrives(void)
{
    uint32_t *words = (uint32_t *)&rows[am_source()];

    for (unsigned k = 0; k < ROW_ARGS; k++) {
        words[k] = am_arg(k);
    }
    rows_here++;
}

void ring_heading(uint32_t nodes, uint32_t seed)
{
    printf("ring on %u node%s, seed %u\n\n", nodes, nodes == 1 ? "" : "s",
           seed);
}

void ring_token_line(uint32_t laps, uint32_t nodes, uint32_t cycles)
{
    uint32_t hops = laps * nodes;

    printf("  token     %'9u hops in %'u laps, %'u cycles a hop\n", hops,
           laps, hops ? cycles / hops : 0);
}

/* Returns the sums and largest values of all rows, and the mean latency. */
static struct ring_row sum_up(uint32_t nodes, uint32_t *mean)
{
    struct ring_row all = { 0 };
    uint64_t latency_sum = 0;

    for (const struct ring_row *r = rows; r < rows + nodes; r++) {
        all.messages += r->messages;
        all.interrupts += r->interrupts;
        all.words += r->words;
        all.checks += r->checks;
        all.failures += r->failures;
        latency_sum += r->latency_sum;
        if (r->cycles > all.cycles) {
            all.cycles = r->cycles;
        }
        if (r->latency_max > all.latency_max) {
            all.latency_max = r->latency_max;
        }
    }
    *mean = all.messages ? latency_sum / all.messages : 0;
    return all;
}

static void print_row(const struct ring_row *r, uint32_t mean)
{
    printf("%'10u  %'12u  %'9u  %'9u  %'7u  %'7u\n", r->messages,
           r->interrupts, r->words, r->cycles, mean, r->latency_max);
}

static void print_table(uint32_t nodes, uint32_t shown)
{
    uint32_t mean;
    struct ring_row all = sum_up(nodes, &mean);

    printf("  exchange  %'9u messages, %'u taken by interrupt and %'u by "
           "polling\n", all.messages, all.interrupts,
           all.messages - all.interrupts);
    printf("  verified  %'9u values, ", all.checks);
    printf(all.failures ? "%'u of them WRONG\n\n" : "all of them right\n\n",
           all.failures);
    printf("%62s\n", "latency");
    printf("  node    messages  by interrupt      words     cycles"
           "     mean  largest\n");
    for (uint32_t i = 0; i < nodes && i < shown; i++) {
        const struct ring_row *r = &rows[i];

        printf("  %4u  ", i);
        print_row(r, r->messages ? r->latency_sum / r->messages : 0);
    }
    if (shown < nodes) {
        printf("   ...  rows=%u shows all\n", nodes);
    }
    printf("   all  ");
    print_row(&all, mean);
}

static void print_time(uint32_t cycles)
{
    uint32_t tenths = cycles / (CLOCK_HZ / 10000); /* tenths of a millisecond */

    printf("\n  %'u cycles in all: %u.%u ms at 25 MHz\n", cycles, tenths / 10,
           tenths % 10);
}

void ring_report(const struct ring_row *own, uint32_t shown)
{
    uint32_t nodes = ni_nodes();

    am_send(0, row_arrives, ROW_ARGS, (const uint32_t *)own, true);
    if (ni_node() == 0) {
        am_wait(&rows_here, nodes);
        print_table(nodes, shown);
        print_time(cycles());
    }
}
