/*
 * Calls between pages: main() calls two functions, each in a page that no other
 * code is in.
 *
 * Three times, main() calls far_leaf() a hundred times and then far_pause(). A
 * debugger that stops at far_pause() finds a processor that has called
 * far_leaf() before.
 */
#include "check.h"
#include "console.h"

#define PAGE    4096
#define FAR     __attribute__((noinline, noclone, aligned(PAGE)))

enum { CALLS = 100, PAUSES = 3 };

static volatile uint32_t pauses;

FAR uint32_t far_leaf(uint32_t n)
{
    return 5 * n + 1;
}

FAR void far_pause(void)
{
    pauses++;
}

FAR int main(void)
{
    uint32_t n = 0, wanted = 0;

    for (int pause = 0; pause < PAUSES; pause++) {
        for (int call = 0; call < CALLS; call++) {
            n = far_leaf(n);
            wanted = 5 * wanted + 1;
        }
        far_pause();
    }
    check("results of calls to another page", n, wanted);
    check("calls of far_pause()", pauses, PAUSES);
    return check_result();
}
