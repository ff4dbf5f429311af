/*
 * Named checks, and the end of a test program.
 *
 *     check("launch empties the descriptor", ni_descriptor_length(), 0);
 *     ...
 *     return check_result();
 *
 * Each check prints one line: "ok NAME", or "FAIL NAME: got ..., want ...".
 * On a machine of several nodes, all nodes but node 0 add their number to the
 * line. The name says what the specification promises. The wanted value must
 * come from a rule that is written in the program, not from an earlier run.
 */
#ifndef GUEST_CHECK_H
#define GUEST_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void check(const char *name, uint64_t got, uint64_t want);

/* Prefixes the names of later checks with "GROUP: ". NULL ends that. */
void check_group(const char *group);

static inline void check_true(const char *name, bool got)
{
    check(name, got, true);
}

/*
 * Counts a check, and prints a line only if the check fails. This is for
 * checks by the thousand, and for code that must run fast. check_sum() then
 * prints one line for all such checks. Returns whether the check passed.
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

/* Number of quiet checks since the last check_sum(), and of failed ones. */
unsigned check_quiet_count(void);
unsigned check_quiet_failures(void);

/* Prints how many checks passed and failed. Returns the number of failed
 * checks, at most 100, as the exit status of the program. */
int check_result(void);

#endif
