#include "check.h"
#include "console.h"
#include "ni.h"

#define STATUS_MAX 100  /* below the statuses that have a meaning */

static unsigned passed, failed;

/* Quiet checks that passed, and that failed, since the last check_sum(). */
unsigned check_quiet_passed;
static unsigned quiet_failed;

static const char *current_group;

static void where(void)
{
    if (ni_node()) {
        printf(" (node %u)", ni_node());
    }
}

static void name_line(const char *verdict, const char *name)
{
    printf("%s %s%s%s", verdict, current_group ? current_group : "",
           current_group ? ": " : "", name);
    where();
}

static void fail(const char *name, uint64_t got, uint64_t want)
{
    name_line("FAIL", name);
    printf(": got %lld (0x%llx), want %lld (0x%llx)\n", got, got, want, want);
}

void check_group(const char *group)
{
    current_group = group;
}

void check(const char *name, uint64_t got, uint64_t want)
{
    if (got != want) {
        failed++;
        fail(name, got, want);
        return;
    }
    passed++;
    name_line("ok", name);
    putchar('\n');
}

void check_quiet_failure(const char *name, uint32_t got, uint32_t want)
{
    quiet_failed++;
    if (quiet_failed <= 8) {    /* enough to show what is wrong */
        fail(name, got, want);
    }
}

unsigned check_quiet_count(void)
{
    return check_quiet_passed + quiet_failed;
}

unsigned check_quiet_failures(void)
{
    return quiet_failed;
}

void check_sum(const char *name)
{
    unsigned failures = quiet_failed, total = check_quiet_count();

    check_quiet_passed = quiet_failed = 0;
    if (failures) {
        printf("%u of %u checks failed\n", failures, total);
    }
    check(name, failures, 0);
}

int check_result(void)
{
    if (ni_node() == 0 || failed) {
        printf("%u check%s, %u failed", passed + failed,
               passed + failed == 1 ? "" : "s", failed);
        where();
        putchar('\n');
    }
    return failed < STATUS_MAX ? failed : STATUS_MAX;
}
