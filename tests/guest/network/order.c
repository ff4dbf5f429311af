/*
 * Messages stay in order for each pair of nodes, including a node and itself,
 * whatever their lengths are, and whether the receiver takes them by interrupt
 * or by polling. No message is lost, doubled or changed. Arguments: messages
 * (for each pair), partners (nodes that each node sends to, itself first).
 *
 * Prints one line per check; the exit status is the number of failed checks.
 */
#include "am.h"
#include "check.h"
#include "random.h"
#include "trap.h"

enum { ARG_NUMBER, ARG_RANDOM };

static uint32_t node, nodes, messages, partners;
static uint32_t phase;                          /* 0: interrupts, 1: polling */
static volatile uint32_t received;
static uint16_t next_number[FUGU_NODES_MAX];

/* Returns how many arguments this message of a pair has, and gives the
 * stream from which its words come. */
static uint32_t arguments(uint32_t source, uint32_t to, uint32_t number,
                          uint32_t *stream)
{
    *stream = random_stream(phase, source, to, number);
    return 1 + random_below(stream, AM_ARGS);
}

static void arrives(void)
{
    uint32_t source = am_source(), stream, count;

    count = arguments(source, node, next_number[source], &stream);
    check_quietly("number", am_arg(ARG_NUMBER), next_number[source]);
    check_quietly("length", ni_length(), 2 + count);
    for (uint32_t k = ARG_RANDOM; k < count; k++) {
        check_quietly("word", am_arg(k), random_next(&stream));
    }
    next_number[source]++;
    received++;
}

static void send(uint32_t to, uint32_t number)
{
    uint32_t arg[AM_ARGS], stream;
    uint32_t count = arguments(node, to, number, &stream);

    arg[ARG_NUMBER] = number;
    for (uint32_t k = ARG_RANDOM; k < count; k++) {
        arg[k] = random_next(&stream);
    }
    am_send(to, arrives, count, arg, phase == 1);
}

static void run_phase(uint32_t which, const char *name)
{
    barrier();                          /* no node is in the previous phase */
    phase = which;
    received = 0;
    for (uint32_t i = 0; i < nodes; i++) {
        next_number[i] = 0;
    }
    barrier();                          /* every node is ready for this one */
    pil_set(phase ? PIL_ALL : PIL_NONE);
    for (uint32_t number = 0; number < messages; number++) {
        for (uint32_t p = 0; p < partners; p++) {
            send((node + p) % nodes, number);
        }
    }
    am_wait(&received, messages * partners);
    pil_set(PIL_ALL);
    for (uint32_t p = 0; p < partners; p++) {
        check_quietly("count", next_number[(node + nodes - p) % nodes],
                      messages);
    }
    check_sum(name);
}

int main(void)
{
    node = ni_node();
    nodes = ni_nodes();
    messages = argument("messages", 50);
    partners = argument("partners", nodes < 8 ? nodes : 8);
    am_init();
    run_phase(0, "in order, taken by interrupt");
    run_phase(1, "in order, taken by polling");
    return check_result();
}
