/*
 * The SPARC reference MMU: one context's page table, for tests.
 */
#ifndef GUEST_MMU_H
#define GUEST_MMU_H

#include <stdint.h>

/* Access rights of a page (ACC): user's, supervisor's. */
enum mmu_access {
    MMU_READ            = 0,    /* r--, r-- */
    MMU_WRITE           = 1,    /* rw-, rw- */
    MMU_READ_EXEC       = 2,    /* r-x, r-x */
    MMU_ALL             = 3,    /* rwx, rwx */
    MMU_KERNEL_WRITE    = 5,    /* r--, rw- */
    MMU_KERNEL_ONLY     = 7,    /* ---, rwx */
};

/*
 * Builds a table in which everything is mapped onto itself: image, RAM and
 * the NI's user page for everybody, the NI's kernel page and the other
 * devices for the kernel only. Then turns the MMU on.
 */
void mmu_on(void);
void mmu_off(void);

/* Turns it on with the tables as they are. */
void mmu_on_again(void);

/* Maps one page, of those that have entries of their own: RAM's first 256 KiB,
 * the devices, and a window for tests. */
void mmu_map(uint32_t virtual, uint32_t physical, enum mmu_access access);
void mmu_unmap(uint32_t virtual);

/* Pages that nothing else uses: 256 KiB from here. */
#define MMU_TEST_WINDOW 0x20000000

/*
 * Two contexts that differ in the test window alone. mmu_on() starts in
 * context 0, and mmu_map() and mmu_unmap() change the window of that which
 * is current, mmu_map_quietly() without a flush.
 */
#define MMU_CONTEXTS 2
void mmu_context(unsigned context);
void mmu_map_quietly(uint32_t virtual, uint32_t physical,
                     enum mmu_access access);
void mmu_flush(void);

/* Fault status and address of the last fault; the status is cleared. */
uint32_t mmu_fault_status(void);
uint32_t mmu_fault_address(void);

/* Access type in the fault status, bits 5 to 7. */
#define MMU_FAULT_TYPE(status)  ((status) >> 5 & 7)
#define MMU_LOAD_USER           0
#define MMU_LOAD_KERNEL         1
#define MMU_STORE_USER          4
#define MMU_STORE_KERNEL        5

#endif
