/*
 * A check of the guest's flushes of the MMU
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/error-report.h"
#include "exec/cputlb.h"
#include "target/sparc/sparcle-mmu.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/node/mmu-check.h"
#include "hw/fugu/node/node.h"

/* SPARC V8 manual, appendix H: what a flush names, by bits 8 to 11. */
enum { FLUSH_PAGE, FLUSH_SEGMENT, FLUSH_REGION, FLUSH_CONTEXT, FLUSH_ALL };

#define TABLES_REGISTER         1
#define CONTEXT_REGISTER        2
#define ENTRY_IS_TABLE          1       /* of the next level */
#define ACCESS_SUPERVISOR       6       /* from here on, in all contexts */

/* The most words that are looked at before QEMU's TLB is flushed instead. */
#define WORDS_MAX               1024

/* A word of the tables, as it was at a walk. */
typedef struct Word {
    const uint32_t *at;         /* in the host's memory */
    uint32_t value;             /* as it lies there */
} Word;

typedef struct FuguMmuCheck {
    GHashTable *held;           /* page-table entries, by context and page */
    GArray *words;              /* of Word: all on the way to what QEMU's TLB
                                   holds for user mode, and maybe others */
} FuguMmuCheck;

static gpointer key(uint32_t context, uint32_t page)
{
    return (gpointer)(uintptr_t)((uint64_t)context << 32 | page);
}

static FuguNode *node_of(CPUSPARCState *env)
{
    return container_of(env, FuguNode, cpu.env);
}

/*
 * Whether a TLB that holds @held does what the tables ask, which have @entry
 * now: it maps the same page with the same rights, and notes that the page is
 * modified.
 */
static bool agrees(uint32_t held, uint32_t entry)
{
    return !((held ^ entry) & ~(PG_ACCESSED_MASK | PG_MODIFIED_MASK)) &&
           !(held & ~entry & PG_MODIFIED_MASK);
}

/* Notes the words of the tables that a walk for @page reads. */
static void note_words(FuguNode *node, uint32_t page)
{
    static const struct {
        unsigned shift;
        uint32_t mask;
    } level[] = { { 22, 0x3fc }, { 16, 0xfc }, { 10, 0xfc } };
    const CPUSPARCState *env = &node->cpu.env;
    hwaddr at = ((hwaddr)env->mmuregs[TABLES_REGISTER] << 4) +
                (env->mmuregs[CONTEXT_REGISTER] << 2);
    Word word;

    for (int i = 0; ; i++) {
        hwaddr offset, length = sizeof(word.value);
        MemoryRegion *memory;

        RCU_READ_LOCK_GUARD();
        memory = address_space_translate(CPU(&node->cpu)->as, at, &offset,
                                         &length, false,
                                         MEMTXATTRS_UNSPECIFIED);
        if (!memory_region_is_ram(memory)) {
            return;             /* no walk finds an entry there */
        }
        word.at = memory_region_get_ram_ptr(memory) + offset;
        word.value = *word.at;
        g_array_append_val(node->mmu->words, word);
        if (i == ARRAY_SIZE(level) ||
            (be32_to_cpu(word.value) & PTE_ENTRYTYPE_MASK) != ENTRY_IS_TABLE) {
            return;
        }
        at = ((hwaddr)(be32_to_cpu(word.value) & ~PTE_ENTRYTYPE_MASK) << 4) +
             ((page >> level[i].shift) & level[i].mask);
    }
}

static void walked(CPUSPARCState *env, uint32_t page, uint32_t entry)
{
    FuguNode *node = node_of(env);
    FuguMachineState *m = node->machine;
    uint32_t context = env->mmuregs[CONTEXT_REGISTER];
    gpointer where = key(context, page), held;

    if (g_hash_table_lookup_extended(node->mmu->held, where, NULL, &held) &&
        !agrees(GPOINTER_TO_UINT(held), entry) && !m->time.stopping) {
        error_printf("fugu: node %u has not flushed page 0x%08x of context %u: "
                     "its MMU may still have the entry 0x%08x, and the tables "
                     "have 0x%08x, at cycle %" PRId64 "\n",
                     node->number, page, context, GPOINTER_TO_UINT(held), entry,
                     fugu_node_time(node));
        fugu_machine_stop(m, FUGU_STATUS_CHECK, fugu_node_time(node));
    }
    if (entry) {
        g_hash_table_insert(node->mmu->held, where, GUINT_TO_POINTER(entry));
        note_words(node, page);
    } else {
        g_hash_table_remove(node->mmu->held, where);
    }
}

typedef struct Flush {
    unsigned what;
    uint32_t context, address;
} Flush;

static gboolean is_flushed(gpointer where, gpointer held, gpointer opaque)
{
    static const unsigned bits[] = { 12, 18, 24 };
    const Flush *f = opaque;
    uint64_t at = (uintptr_t)where;
    bool supervisors = (GPOINTER_TO_UINT(held) & PTE_ACCESS_MASK) >>
                       PTE_ACCESS_SHIFT >= ACCESS_SUPERVISOR;
    bool in_context = at >> 32 == f->context;

    switch (f->what) {
    case FLUSH_PAGE:
    case FLUSH_SEGMENT:
    case FLUSH_REGION:
        return (in_context || supervisors) &&
               !(((uint32_t)at ^ f->address) >> bits[f->what]);
    case FLUSH_CONTEXT:
        return in_context && !supervisors;
    default:
        return f->what == FLUSH_ALL;
    }
}

static void flushed(CPUSPARCState *env, uint32_t address)
{
    Flush f = {
        .what = extract32(address, 8, 4),
        .context = env->mmuregs[CONTEXT_REGISTER],
        .address = address,
    };

    g_hash_table_foreach_remove(node_of(env)->mmu->held, is_flushed, &f);
}

static const SparcleMmuCheck check = {
    .walked = walked,
    .flushed = flushed,
};

/*
 * QEMU's own TLB is to ask again if it might hear something else. The words of
 * the tables say whether: to flush QEMU's TLB at each return to user mode takes
 * longer than the program.
 */
static void to_user(FuguNode *node)
{
    GArray *words = node->mmu->words;
    bool same = words->len <= WORDS_MAX;

    for (unsigned i = 0; same && i < words->len; i++) {
        const Word *word = &g_array_index(words, Word, i);

        same = *word->at == word->value;
    }
    if (!same) {
        tlb_flush_by_mmuidx(CPU(&node->cpu), 1 << MMU_USER_IDX);
        g_array_set_size(words, 0);
    }
}

void fugu_mmu_check_init(FuguNode *node)
{
    node->mmu = g_new0(FuguMmuCheck, 1);
    node->mmu->held = g_hash_table_new(NULL, NULL);
    node->mmu->words = g_array_new(false, false, sizeof(Word));
    node->to_user = to_user;
    sparcle_mmu_check = &check;
}

void fugu_mmu_check_reset(FuguNode *node)
{
    if (node->mmu) {
        g_hash_table_remove_all(node->mmu->held);
    }
}
