/* Shared by soft.c, soft_emulation.c and soft_code.S. */
#ifndef SOFT_H
#define SOFT_H

#define SOFT_COUNT      8       /* operations in a timed piece */

/* The interrupt level that masks message-available. */
#define PIL_MESSAGE     FUGU_IRQ_MESSAGE

#ifndef __ASSEMBLER__

#include <stdint.h>

/* Defined in soft_emulation.c. */
void check_emulation(uint32_t node);

#endif /* __ASSEMBLER__ */
#endif
