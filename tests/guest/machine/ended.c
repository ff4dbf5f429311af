/*
 * A node that has ended executes no more instructions, but its network
 * interface still receives: senders notice nothing until its queue is full.
 * Runs on two nodes.
 *
 * Prints one line per check; the exit status is the number of failed checks.
 */
#include "check.h"
#include "contract.h"
#include "message.h"

#define LONGEST FUGU_MSG_WORDS

int main(void)
{
    if (ni_node() != 0) {
        return 0;
    }
    settle();                   /* now the other node has ended */
    for (uint32_t words = 0; words < INPUT_QUEUE; words += LONGEST) {
        message_send(1, 1, LONGEST);
    }
    settle();
    for (uint32_t words = 0; words < SOURCE_SPACE; words += LONGEST) {
        check_quietly("space", ni_kernel_space(), LONGEST);
        message_send(1, 2, LONGEST);
    }
    check_sum("what fits into its queue leaves the network");
    settle();
    check("what does not stays there", ni_kernel_space(), 0);
    return check_result();
}
