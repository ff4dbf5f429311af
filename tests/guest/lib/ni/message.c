#include "cycles.h"
#include "message.h"
#include "trap.h"

void message_send(uint32_t header, uint32_t tag, unsigned words)
{
    ni_kernel_out(0, header);
    for (unsigned k = 1; k < words; k++) {
        ni_kernel_out(k, message_word(tag, k));
    }
    ni_launch(words);
}

void until(uint64_t time)
{
    while (cycles() < time) {
        /* spins: an interrupt could end a wait too early */
    }
}

void settle(void)
{
    until(cycles() + 1024);
}

unsigned drain(void)
{
    unsigned count = 0;

    for (settle(); ni_head_present(); count++) {
        ni_dispose();
    }
    return count;
}

void ni_fresh(void)
{
    pil_set(PIL_ALL);
    drain();
    NI_K(FUGU_K_USER_LEN) = 0;
    if (NI_K(FUGU_K_DESC_LEN)) {
        ni_kernel_out(0, HEADER_KERNEL(ni_node()));
        NI_LAUNCH(1, 0);        /* the only way to empty the kernel's window */
        drain();
    }
    NI_K(FUGU_K_GID) = GID_OWN;
    NI_K(FUGU_K_DIVERT) = 0;
    NI_K(FUGU_K_UAC) = 0;
    NI_K(FUGU_K_TIMEOUT) = 0;
    REG64(FUGU_NI_KERNEL_BASE + FUGU_K_OFFSET) = 0;
}
