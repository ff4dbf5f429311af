/*
 * Which exceptions are being handled: for each thread and each handler of its own,
 * as each has a stack of its own. libstdc++ would have one list for all, and a
 * thread that lets others run inside a `catch` would end another's exception.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "library.h"

/* libstdc++'s struct __cxa_eh_globals. */
struct exceptions {
    void *caught;               /* the exceptions in `catch`, innermost first */
    uint32_t uncaught;          /* how many have been thrown and not caught yet */
};

_Static_assert(sizeof(struct udm_thread) + sizeof(struct exceptions) <= THREAD_SIZE,
               "exceptions lie at the top of a unit");

/* libstdc++ calls these. */
struct exceptions *__cxa_get_globals(void);
struct exceptions *__cxa_get_globals_fast(void);

void __real_udm_thread_exit(void *result) __attribute__((noreturn));
void __wrap_udm_thread_exit(void *result) __attribute__((noreturn));

/* libgcc's walk of the stack: _Unwind_Backtrace() calls `each` for each frame, until it
 * returns another value than 0. */
int _Unwind_Backtrace(int each(void *context, void *argument), void *argument);

static struct exceptions of_first_thread;
static bool prepared;

static int no_further(void *context, void *argument)
{
    (void)context;
    (void)argument;
    return 1;
}

/* Makes the unwinder's table of registers, which the first walk of a stack fills in.
 * No handler that throws may find it half filled. */
static void prepare(void)
{
    uint32_t uac = library_enter();

    if (!prepared) {
        _Unwind_Backtrace(no_further, NULL);
        prepared = true;
    }
    library_leave(uac);
}

/*
 * Returns the exceptions of the thread or handler on whose stack the caller runs.
 * A new unit is full of zeros. Each throw calls this before it walks the stack.
 */
struct exceptions *__cxa_get_globals(void)
{
    uint32_t sp;

    if (!prepared) {
        prepare();
    }
    asm ("mov %%sp, %0" : "=r" (sp));
    if (sp < GLAZE_STACKS) {
        return &of_first_thread;
    }
    return (struct exceptions *)((uintptr_t)unit_of(sp) + THREAD_SIZE) - 1;
}

struct exceptions *__cxa_get_globals_fast(void)
{
    return __cxa_get_globals();
}

/* udm_thread_exit(), which a program may call in a `catch`: the next thread on this
 * stack has no exception (--wrap in program-cplusplus.specs). */
void __wrap_udm_thread_exit(void *result)
{
    *__cxa_get_globals() = (struct exceptions){ 0 };
    __real_udm_thread_exit(result);
}
