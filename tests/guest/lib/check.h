/*
 * Named checks, and the end of a test program.
 *
 *     check("launch empties the descriptor", ni_descriptor_length(), 0);
 *     ...
 *     return check_result();
 *
 * One line a check: "ok NAME", or "FAIL NAME: got ..., want ...". On a
 * machine of several nodes the lines of all but node 0 name their node. A
 * name says what the contract promises; the value wanted comes from a rule
 * that stands in the program, not from what was seen.
 */
#ifndef GUEST_CHECK_H
#define GUEST_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void check(const char *name, uint64_t got, uint64_t want);

/* From now on names are "GROUP: NAME", until the group is NULL. */
void check_group(const char *group);

static inline void check_true(const char *name, bool got)
{
    check(name, got, true);
}

/*
 * Counts silently, and reports only what fails: for checks by the thousand,
 * on paths that should be quick. check_sum() then prints one line for all of
 * them.
 */
static inline bool check_quietly(const char *name, uint32_t got, uint32_t want)
{
    extern unsigned check_quiet_passed;
    extern void check_quiet_failure(const char *, uint32_t, uint32_t);

    if (got != want) {
        check_quiet_failure(name, got, want);
        return false;
    }
    check_quiet_passed++;
    return true;
}

void check_sum(const char *name);

/* How many of these there were since the last check_sum(), and failed. */
unsigned check_quiet_count(void);
unsigned check_quiet_failures(void);

/* Prints the counts; the number of failures is the program's status. */
int check_result(void);

#endif
