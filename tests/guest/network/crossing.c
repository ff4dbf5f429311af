/*
 * All traffic between nodes at once: every node sends messages with bodies of
 * all sizes to every node, and each is acknowledged on the second network. The
 * receiver checks every word. Argument: rounds, the number of messages that
 * each node sends, to one node after the other, itself last.
 *
 * Prints one line per check; the exit status is the number of failed checks.
 */
#include "check.h"
#include "message.h"
#include "ni.h"
#include "random.h"
#include "trap.h"

static uint32_t node, nodes, rounds;
static uint32_t received, acknowledged;

static uint32_t from[FUGU_BODY_MAX / 4], into[FUGU_BODY_MAX / 4];

/* A message's content follows from its source and its number at the source. */
static uint32_t body_words(uint32_t source, uint32_t number)
{
    uint32_t state = random_stream(1, source, number, 0);
    uint32_t words = random_below(&state, 16);

    return words << random_below(&state, 7);
}

static uint32_t body_word(uint32_t source, uint32_t number, uint32_t index)
{
    return random_stream(source, number, index, 0);
}

static uint32_t destination(uint32_t source, uint32_t number)
{
    return (source + 1 + number) % nodes;
}

static void send(uint32_t number)
{
    uint32_t words = body_words(node, number);

    for (uint32_t i = 0; i < words; i++) {
        from[i] = body_word(node, number, i);
    }
    ni_kernel_out(0, HEADER_KERNEL(destination(node, number)));
    ni_kernel_out(1, number);
    ni_kernel_out(2, (uint32_t)from);
    ni_kernel_out(3, 4 * words);
    NI_LAUNCH(4, 1);
}

static void acknowledge(uint32_t source, uint32_t number)
{
    NI_K(FUGU_K_SECOND_OUT) = source;
    NI_K(FUGU_K_SECOND_OUT + 4) = number;
    NI_K(FUGU_K_SECOND_LAUNCH) = 2;
}

static void store_body(uint32_t bytes)
{
    NI_U(FUGU_U_SB_ADDR) = (uint32_t)into;
    NI_U(FUGU_U_SB_OFFSET) = 0;
    NI_U(FUGU_U_SB_COUNT) = bytes;
    asm volatile ("" : : : "memory");   /* the DMA engine has written `into` */
}

static void take_message(void)
{
    uint32_t source = NI_K(FUGU_K_HEAD + FUGU_HEAD_SOURCE);
    uint32_t number = ni_head(1);
    uint32_t bytes = NI_K(FUGU_K_HEAD + FUGU_HEAD_BODY);

    check_quietly("it is for this node", destination(source, number), node);
    check_quietly("its body is as long as it was", bytes,
                  4 * body_words(source, number));
    store_body(bytes);
    for (uint32_t i = 0; i < bytes / 4; i++) {
        check_quietly("a word of the body", into[i],
                      body_word(source, number, i));
    }
    ni_dispose();
    acknowledge(source, number);
    received++;
}

static void take_acknowledgement(void)
{
    uint32_t head = FUGU_K_SECOND_HEAD;

    check_quietly("who acknowledges", header_node(NI_K(head)),
                  destination(node, acknowledged));
    check_quietly("what is acknowledged", NI_K(head + 4), acknowledged);
    NI_K(FUGU_K_SECOND_DISPOSE) = 0;
    acknowledged++;
}

/* Takes what arrives until this many messages and acknowledgements have
 * come. */
static void take_until(uint32_t messages, uint32_t acknowledgements)
{
    while (received < messages || acknowledged < acknowledgements) {
        if (ni_head_present()) {
            take_message();
        }
        if (NI_K(FUGU_K_SECOND_HEAD + FUGU_HEAD_PRESENT)) {
            take_acknowledgement();
        }
    }
}

int main(void)
{
    node = ni_node();
    nodes = ni_nodes();
    rounds = argument("rounds", 8);
    pil_set(PIL_ALL);
    for (uint32_t n = 0; n < rounds; n++) {
        send(n);
        take_until(0, n + 1);
    }
    /* Each node receives as many messages as it sends. */
    take_until(rounds, rounds);
    check_sum("all words have come, and all acknowledgements");
    return check_result();
}
