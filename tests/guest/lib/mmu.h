/*
 * The SPARC reference MMU: page tables for tests.
 */
#ifndef GUEST_MMU_H
#define GUEST_MMU_H

#include <stdint.h>

/* Access rights of a page (the ACC field): the user's, then the
 * supervisor's. */
enum mmu_access {
    MMU_READ            = 0,    /* r--, r-- */
    MMU_WRITE           = 1,    /* rw-, rw- */
    MMU_READ_EXEC       = 2,    /* r-x, r-x */
    MMU_ALL             = 3,    /* rwx, rwx */
    MMU_KERNEL_WRITE    = 5,    /* r--, rw- */
    MMU_KERNEL_ONLY     = 7,    /* ---, rwx */
};

/*
 * Builds tables that map every address to itself. Image, RAM and the network
 * interface's user page are accessible to user and kernel; its kernel page and
 * the other devices to the kernel only. Then turns the MMU on.
 */
void mmu_on(void);
void mmu_off(void);

/* Turns the MMU on with the tables as they are. */
void mmu_on_again(void);

/*
 * Maps or unmaps one page, and flushes the TLB. Only three ranges have an
 * entry per page: the first 256 KiB of RAM, the devices, and the test window.
 */
void mmu_map(uint32_t virtual, uint32_t physical, enum mmu_access access);
void mmu_unmap(uint32_t virtual);

/* The test window: 256 KiB of addresses that nothing else uses. */
#define MMU_TEST_WINDOW 0x20000000

/*
 * There are two contexts, which differ in the test window only. mmu_on()
 * starts in context 0. For the test window, mmu_map() and mmu_unmap() change
 * the table of the current context. mmu_map_quietly() and mmu_unmap_quietly() are
 * the same without the flush.
 */
#define MMU_CONTEXTS 2
void mmu_context(unsigned context);
void mmu_map_quietly(uint32_t virtual, uint32_t physical,
                     enum mmu_access access);
void mmu_unmap_quietly(uint32_t virtual);

/* Flush everything, or the page at an address in the current context. */
void mmu_flush(void);
void mmu_flush_page(uint32_t virtual);

/* Fault status and fault address of the last fault. Reading the status
 * clears it. */
uint32_t mmu_fault_status(void);
uint32_t mmu_fault_address(void);

/* Access type: bits 5 to 7 of the fault status. */
#define MMU_FAULT_TYPE(status)  ((status) >> 5 & 7)
#define MMU_LOAD_USER           0
#define MMU_LOAD_KERNEL         1
#define MMU_STORE_USER          4
#define MMU_STORE_KERNEL        5

#endif
