/*
 * Profile: where the cycles of a node go, by function and its callers
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "profile.h"

#define WHOLE_PROCESS   UINT32_MAX      /* region: all calls of a process that
                                           does not run */

/* ---- Frames ------------------------------------------------------------- */

static FuguFrame *frame_at(FuguProfile *p, uint32_t index)
{
    return &g_array_index(p->frames, FuguFrame, index);
}

/* Returns the frame of this kind and code below @parent. */
static uint32_t find_frame(FuguProfile *p, uint32_t parent, uint32_t kind,
                           uint32_t gid, uint32_t code)
{
    FuguFrame new = { .parent = parent, .kind = kind, .gid = gid,
                      .code = code };
    uint32_t i;

    for (i = frame_at(p, parent)->child; i; i = frame_at(p, i)->next) {
        FuguFrame *f = frame_at(p, i);

        if (f->kind == kind && f->code == code && f->gid == gid) {
            return i;
        }
    }
    new.next = frame_at(p, parent)->child;
    g_array_append_val(p->frames, new);
    frame_at(p, parent)->child = p->frames->len - 1;
    return p->frames->len - 1;
}

static FuguCall *top(FuguProfile *p)
{
    return &p->call[p->depth - 1];
}

static FuguFrame *top_frame(FuguProfile *p)
{
    return frame_at(p, top(p)->frame);
}

static void push(FuguProfile *p, uint32_t kind, uint32_t gid, uint32_t code,
                 uint32_t sp, uint32_t back)
{
    uint32_t below = p->depth ? top(p)->frame : 0;

    if (p->depth < FUGU_PROFILE_DEPTH) {
        p->call[p->depth++] = (FuguCall) {
            .frame = find_frame(p, below, kind, gid, code),
            .sp = sp,
            .back = back,
        };
    }
}

/* ---- Stacks that are not in use ----------------------------------------- */

static uint32_t region_of(const FuguProfile *p, uint32_t sp)
{
    const FuguPlan *plan = p->plan;

    return sp >= plan->stacks && sp < plan->stacks_end
           ? sp / plan->stack_size : 0;
}

static void save_stack(FuguProfile *p, uint32_t region, unsigned depth)
{
    int64_t key = (int64_t)p->gid << 32 | region;
    GArray *calls = g_hash_table_lookup(p->stacks, &key);

    if (!calls) {
        calls = g_array_new(false, false, sizeof(FuguCall));
        g_hash_table_insert(p->stacks, g_memdup2(&key, sizeof(key)), calls);
    }
    g_array_set_size(calls, 0);
    g_array_append_vals(calls, p->call, depth);
}

/* Returns whether there was such a stack. If not, the process alone is left. */
static bool load_stack(FuguProfile *p, uint32_t gid, uint32_t region)
{
    int64_t key = (int64_t)gid << 32 | region;
    GArray *calls = g_hash_table_lookup(p->stacks, &key);

    p->gid = gid;
    p->depth = 0;
    if (!calls) {
        push(p, FUGU_FRAME_JOB, gid, gid, UINT32_MAX, 0);
        return false;
    }
    memcpy(p->call, calls->data, calls->len * sizeof(FuguCall));
    p->depth = calls->len;
    return true;
}

/* ---- Changes between user and kernel, processes, threads ---------------- */

/* The network interface serves another process. The kernel's functions go on,
 * on top of that one's. */
static void change_process(FuguProfile *p, uint32_t gid)
{
    unsigned count = p->user ? 0 : p->depth - p->user_depth;
    g_autofree FuguCall *kernel = g_memdup2(&p->call[p->depth - count],
                                            count * sizeof(FuguCall));

    save_stack(p, WHOLE_PROCESS, p->depth - count);
    load_stack(p, gid, WHOLE_PROCESS);
    p->user_depth = p->depth;
    for (unsigned i = 0; i < count; i++) {
        FuguFrame *f = frame_at(p, kernel[i].frame);

        push(p, f->kind, f->gid, f->code, kernel[i].sp, kernel[i].back);
    }
}

static void enter_kernel(FuguProfile *p, const FuguProfileBlock *b)
{
    p->user_depth = p->depth;
    p->pc = b->l1;
    p->npc = b->l2;
    push(p, FUGU_FRAME_TRAP, 0, b->trap, UINT32_MAX, 0);
}

/* A thread runs whose stack is not that of the last call. Either a call below
 * is on its stack, or it has run before, or it is new. */
static void change_thread(FuguProfile *p, uint32_t region)
{
    unsigned depth = p->depth;

    while (depth > 1 && region_of(p, p->call[depth - 1].sp) != region) {
        depth--;
    }
    save_stack(p, region_of(p, top(p)->sp), p->depth);
    if (depth > 1) {
        p->depth = depth;
    } else {
        load_stack(p, p->gid, region);
    }
}

/* ---- Calls and returns -------------------------------------------------- */

/* Takes away the calls from @base on whose frames are gone, and those that have
 * returned. */
static void drop_calls(FuguProfile *p, const FuguProfileBlock *b,
                       unsigned base)
{
    while (p->depth > base && top(p)->sp < b->sp) {
        p->depth--;
    }
    for (unsigned d = p->depth; d > base && p->call[d - 1].sp == b->sp; d--) {
        if (p->call[d - 1].back == b->pc) {
            p->depth = d - 1;
        }
    }
}

static void enter_function(FuguProfile *p, const FuguProfileBlock *b,
                           unsigned base, uint32_t gid)
{
    uint32_t start = fugu_plan_function(p->plan, gid, b->pc);
    uint32_t back = b->o7 + 8;

    drop_calls(p, b, base);
    if (b->pc == start && p->depth > base &&
        (top(p)->back != back || top(p)->sp != b->sp)) {
        push(p, FUGU_FRAME_FUNCTION, gid, start, b->sp, back);
        return;
    }
    if (p->depth > base && top_frame(p)->code == start) {
        return;
    }
    /* The first function, a jump to another one, or one that the last one has
     * returned to although its call was not seen. */
    if (p->depth > base) {
        back = top(p)->back;
        p->depth--;
    }
    push(p, FUGU_FRAME_FUNCTION, gid, start, b->sp, back);
}

static void enter_user(FuguProfile *p, const FuguProfileBlock *b)
{
    uint32_t start = fugu_plan_function(p->plan, b->gid, b->pc);
    bool resumes = b->pc == p->pc || b->pc == p->npc;

    p->depth = MAX(p->user_depth, 1);
    if (!resumes && b->pc == start && p->depth > 1) {
        push(p, FUGU_FRAME_FUNCTION, b->gid, start, b->sp, 0);      /* upcall */
    }
}

/*
 * Counts the cycles until @now for the last block, and those of a wait for the
 * wait. The processor takes back the cycles of an instruction that it has to try
 * again, so a block may be entered before the time up to which all is counted, and
 * waits may have become shorter, or be longer than what has passed: later blocks
 * make up for that. No count ever falls.
 */
static void charge(FuguProfile *p, int64_t now, int64_t waited, uint32_t why)
{
    int64_t passed = now - p->mark, cycles;

    if (passed <= 0) {
        return;
    }
    cycles = CLAMP(waited - p->waited, 0, passed);
    top_frame(p)->cycles += passed - cycles;
    if (cycles) {
        uint32_t wait = find_frame(p, top(p)->frame, FUGU_FRAME_WAIT, 0, why);

        frame_at(p, wait)->cycles += cycles;
    }
    p->mark = now;
    p->waited += cycles;
}

void fugu_profile_block(FuguProfile *p, int64_t now,
                        const FuguProfileBlock *b)
{
    charge(p, now, b->waited, b->why);
    if (b->gid != p->gid) {
        change_process(p, b->gid);
    }
    if (b->user != p->user) {
        p->user = b->user;
        if (b->user) {
            enter_user(p, b);
        } else {
            enter_kernel(p, b);
        }
    }
    if (!b->user) {
        enter_function(p, b, p->user_depth + 1, 0);
        return;
    }
    if (p->depth > 1 && region_of(p, b->sp) != region_of(p, top(p)->sp)) {
        change_thread(p, region_of(p, b->sp));
    }
    enter_function(p, b, 1, b->gid);
}

/* ---- Start and end ------------------------------------------------------ */

FuguProfile *fugu_profile_new(const FuguPlan *plan, uint32_t gid, int64_t now)
{
    FuguProfile *p = g_new0(FuguProfile, 1);

    p->plan = plan;
    p->frames = g_array_new(false, true, sizeof(FuguFrame));
    g_array_set_size(p->frames, 1);
    p->stacks = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free,
                                      (GDestroyNotify)g_array_unref);
    load_stack(p, gid, WHOLE_PROCESS);
    p->user_depth = p->depth;
    p->user = true;
    p->mark = now;
    return p;
}

void fugu_profile_write(FuguProfile *p, int64_t now, int64_t waited,
                        uint32_t why, uint32_t node, FILE *file)
{
    charge(p, now, waited, why);
    for (uint32_t i = 1; i < p->frames->len; i++) {
        const FuguFrame *f = frame_at(p, i);

        fprintf(file, "frame %u %u %u %u %u %u %" PRIu64 "\n", node, i,
                f->parent, f->kind, f->gid, f->code, f->cycles);
    }
}
