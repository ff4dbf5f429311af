/*
 * Part of `dma`: bodies from and to what is not RAM. The boot image can be
 * read. All else is refused, and the refused operation has no effect.
 */
#include "check.h"
#include "dma.h"
#include "message.h"
#include "mmu.h"
#include "ops.h"
#include "trap.h"

#define BYTES           16
#define VIOLATION       FUGU_TT_PROTECTION_VIOLATION
#define SB_COUNT        (FUGU_NI_USER_BASE + FUGU_U_SB_COUNT)
#define IN_IMAGE        (FUGU_BOOT_BASE + 64)   /* C has nothing at 0 */
#define RAM_SIZE        REG(FUGU_PARAM_BASE + FUGU_PARAM_RAM_SIZE)
#define RAM_END         (FUGU_RAM_BASE + RAM_SIZE)

static unsigned launch_from(uint32_t address, uint32_t bytes)
{
    const struct dma_piece piece = { address, bytes };

    return RUN(KERNEL, op_launch_d1, dma_describe_kernel(1, &piece), PIL_ALL);
}

static unsigned store_to(uint32_t address)
{
    struct op_store count = { SB_COUNT, BYTES };

    NI_U(FUGU_U_SB_ADDR) = address;
    NI_U(FUGU_U_SB_OFFSET) = 0;
    return RUN(KERNEL, op_store_value, &count, PIL_ALL);
}

static void check_sources(void)
{
    ni_fresh();
    check("a body in a device is refused",
          launch_from(FUGU_NI_USER_BASE + FUGU_U_OUT, BYTES), VIOLATION);
    check("one in a hole", launch_from(FUGU_BOOT_BASE + FUGU_BOOT_SIZE, BYTES),
          VIOLATION);
    check("one that ends beyond RAM", launch_from(RAM_END - 8, BYTES),
          VIOLATION);
    check("nothing was sent", drain(), 0);
    check("the last of RAM is sent", launch_from(RAM_END - BYTES, BYTES), 0);
    check("and arrives", drain(), 1);

    ni_fresh();
    dma_fill(1);
    check("the boot image is sent", launch_from(IN_IMAGE, BYTES), 0);
    settle();
    dma_storeback((uint32_t)into, 0, BYTES);
    check("as it is", into[0] == REG(IN_IMAGE) &&
          into[3] == REG(IN_IMAGE + BYTES - 4), true);
    drain();
}

static void check_destinations(void)
{
    uint32_t before = REG(IN_IMAGE);

    ni_fresh();
    dma_fill(1);
    dma_send(BYTES);
    settle();
    check("a storeback to a device is refused",
          store_to(FUGU_NI_USER_BASE + FUGU_U_OUT), VIOLATION);
    check("one to a hole", store_to(FUGU_BOOT_BASE + FUGU_BOOT_SIZE),
          VIOLATION);
    check("one that ends beyond RAM", store_to(RAM_END - 8), VIOLATION);
    check("one to the boot image", store_to(IN_IMAGE), VIOLATION);
    check("which stays as it was", REG(IN_IMAGE), before);
    check("the message stays", store_to((uint32_t)into), 0);
    check("with its body", dma_wrong(1, BYTES / 4), 0);
    drain();
}

void check_places(void)
{
    check_sources();
    check_destinations();
}
