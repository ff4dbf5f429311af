/*
 * system: clocks, sleeping, the heap's end, memory that is not there, and what POSIX
 * programs ask of their system.
 *
 * Prints a line for each check; the status is the number of checks that fail.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>

#include "glaze.h"
#include "udm.h"

#define MS_CYCLES 25000         /* cycles of a millisecond */

static int failed;

/* Each check begins with no error: one that a check before has had would count for the next. */
static void check(int holds, const char *what)
{
    printf("%s %s\n", holds ? "ok" : "FAIL", what);
    failed += !holds;
    errno = 0;
}

static void test_clocks(void)
{
    struct timespec before, after, step;
    struct rusage usage;
    void *block = NULL, *end;
    uint64_t start;

    check(clock_getres(CLOCK_MONOTONIC, &step) == 0 && step.tv_sec == 0 &&
          step.tv_nsec == 40, "a cycle takes 40 ns");
    clock_gettime(CLOCK_MONOTONIC, &before);
    start = udm_cycles();
    check(usleep(2000) == 0 && udm_cycles() - start >= 2 * MS_CYCLES &&
          udm_cycles() - start < 3 * MS_CYCLES, "usleep() waits");
    clock_gettime(CLOCK_REALTIME, &after);
    check((after.tv_sec - before.tv_sec) * 1000000000ll + after.tv_nsec -
          before.tv_nsec >= 2000000, "clock_gettime() counts");
    start = udm_cycles();
    step = (struct timespec){ .tv_nsec = 1 };
    check(nanosleep(&step, NULL) == 0, "nanosleep() waits");
    step.tv_nsec = 1000000000;
    check(nanosleep(&step, NULL) == -1 && errno == EINVAL,
          "nanosleep() refuses too many nanoseconds");
    check(clock_gettime((clockid_t)77, &after) == -1 && errno == EINVAL,
          "a clock that does not exist is refused");
    check(sleep(0) == 0, "sleep() returns");
    check(posix_memalign(&block, 256, 100) == 0 && (uintptr_t)block % 256 == 0,
          "posix_memalign() aligns");
    check(posix_memalign(&block, 24, 100) == EINVAL,
          "posix_memalign() refuses what is no power of 2");
    check(posix_memalign(&block, 64, 0x40000000) == ENOMEM,
          "posix_memalign() says that there is no memory");
    end = block;
    check(posix_memalign(&block, 2, 8) == EINVAL &&
          posix_memalign(&block, 0, 8) == EINVAL,
          "posix_memalign() refuses an alignment below that of pointers");
    errno = 7;
    check(posix_memalign(&block, 64, 0x40000000) == ENOMEM && errno == 7 &&
          block == end, "posix_memalign() leaves errno and the block");
    check(posix_memalign(&block, sizeof(void *), 0) == 0,
          "posix_memalign() of 0 bytes");
    free(block);
    check(posix_memalign(&block, 8192, 24) == 0 && (uintptr_t)block % 8192 == 0,
          "posix_memalign() aligns beyond a page");
    free(block);
    clock_gettime(CLOCK_MONOTONIC, &before);
    check(getrusage(RUSAGE_SELF, &usage) == 0 &&
          usage.ru_utime.tv_sec == before.tv_sec &&
          usage.ru_utime.tv_usec - before.tv_nsec / 1000 <= 100 &&
          usage.ru_stime.tv_sec == 0, "getrusage() has the clock");
    check(getrusage(RUSAGE_CHILDREN, &usage) == 0 &&
          usage.ru_utime.tv_sec == 0 && usage.ru_utime.tv_usec == 0,
          "there are no children");
    check(getrusage(7, &usage) == -1 && errno == EINVAL,
          "getrusage() of others is refused");
}

static void test_surroundings(void)
{
    char text[16], small[1], *own = getcwd(NULL, 0);
    struct stat info;

    check(own && !strcmp(own, "/") && getcwd(text, sizeof(text)) == text &&
          !strcmp(text, "/"), "getcwd()");
    check(!getcwd(small, sizeof(small)) && errno == ERANGE,
          "getcwd() without room");
    check(chdir("/") == 0 && chdir("/tmp") == 0 && chdir("/home") == -1 &&
          errno == ENOENT, "there is one directory");
    check(stat("/", &info) == 0 && S_ISDIR(info.st_mode) &&
          stat("/tmp", &info) == 0 && S_ISDIR(info.st_mode) &&
          stat("/home", &info) == -1, "stat() of directories");
    check(mkdir("new", 0777) == 0 && mkdir("../up", 0777) == -1 && errno == EACCES &&
          mkdir("/tmp", 0777) == -1 && errno == EEXIST &&
          rmdir("/") == -1 && errno == EPERM &&
          rmdir("missing") == -1 && errno == ENOENT,
          "folders need not be made, and none can be removed");
    check(sysconf(_SC_PAGESIZE) == 4096 && sysconf(_SC_NPROCESSORS_ONLN) == 1 &&
          sysconf(9999) == -1 && errno == EINVAL, "sysconf()");
    check(lstat("missing", &info) == -1 && errno == ENOENT &&
          access("missing", R_OK) == -1 && chmod("missing", 0) == -1 &&
          utime("missing", NULL) == -1, "a file that is missing");
    check(fchmod(1, 0600) == 0 && umask(077) == 022 && umask(022) == 077,
          "fchmod() and umask()");
    free(own);
}

int getpagesize(void);
int gethostname(char *name, size_t size);

/* What is refused, and the last value that is not. */
static void test_limits(void)
{
    char text[8] = "";
    int file = creat("/plain", 0666);

    check(gethostname(text, 5) == -1 && errno == ENAMETOOLONG && !text[0] &&
          gethostname(text, 0) == -1 && gethostname(text, 6) == 0 &&
          !strcmp(text, "node0"), "gethostname() has room for the name");
    check(!getcwd(text, 0) && errno == EINVAL && getcwd(text, 2) == text &&
          !strcmp(text, "/"), "getcwd() with room for its two characters");
    errno = 0;
    check(access("/plain", R_OK | W_OK) == 0 && access("/plain", F_OK) == 0 &&
          access("/plain", X_OK) == -1 && errno == EACCES,
          "access() to what cannot be executed");
    check(chmod("/plain", 0) == 0 && utime("/plain", NULL) == 0 &&
          chmod("/", 0) == 0, "chmod() and utime()");
    errno = 0;
    check(mkdir("/plain", 0777) == -1 && errno == EEXIST,
          "mkdir() of a file that is there");
    check(close(file) == 0 && unlink("/plain") == 0, "a file without bytes");
    errno = 0;
    check(fchmod(31, 0) == -1 && errno == EBADF && fchown(-1, 0, 0) == -1,
          "fchmod() of no file");
    check(sysconf(_SC_CLK_TCK) == CLOCKS_PER_SEC && getpagesize() == 4096 &&
          sysconf(_SC_NPROCESSORS_CONF) == 1, "sysconf() of clock and processors");
    check(getuid() == 0 && geteuid() == 0 && getgid() == 0 && getegid() == 0 &&
          getppid() == 0, "one user");
    check(kill(getpid() + 1, SIGTERM) == -1 && errno == ESRCH,
          "kill() of another process");
    check(umask(01777) == 022 && umask(022) == 0777, "umask() has nine bits");
}

/* Times to the cycle, or nearly so. */
static void test_times(void)
{
    struct timespec time = { .tv_sec = -1 }, now;
    struct timeval day;
    struct tms used;
    uint64_t start;
    clock_t ticks;

    errno = 0;
    check(nanosleep(&time, NULL) == -1 && errno == EINVAL,
          "nanosleep() refuses less than no second");
    time = (struct timespec){ .tv_nsec = -1 };
    errno = 0;
    check(nanosleep(&time, NULL) == -1 && errno == EINVAL,
          "nanosleep() refuses less than no nanosecond");
    time = (struct timespec){ .tv_nsec = 4000001 };
    start = udm_cycles();
    check(nanosleep(&time, NULL) == 0 && udm_cycles() - start >= 100001 &&
          udm_cycles() - start < 105000, "nanosleep() counts part of a cycle");
    time.tv_nsec = 0;
    start = udm_cycles();
    check(nanosleep(&time, NULL) == 0 && udm_cycles() - start < 5000,
          "nanosleep() of nothing");
    errno = 0;
    check(clock_getres((clockid_t)77, &time) == -1 && errno == EINVAL &&
          clock_getres(CLOCK_PROCESS_CPUTIME_ID, NULL) == 0,
          "clock_getres() of no clock, and to nowhere");
    start = udm_cycles();
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    gettimeofday(&day, NULL);
    ticks = times(&used);
    check(now.tv_sec * 25000000ull + now.tv_nsec / 40 - start < 20000 &&
          now.tv_nsec % 40 == 0, "clock_gettime() has the cycle");
    check(day.tv_sec * 1000000ull + day.tv_usec - start / 25 < 1000,
          "gettimeofday() has the microsecond");
    check(ticks == used.tms_utime && ticks - start * CLOCKS_PER_SEC / 25000000 <=
          CLOCKS_PER_SEC / 1000 + 1 && !used.tms_stime && !used.tms_cutime &&
          !used.tms_cstime, "times() counts all as the user's");
}

static void test_names(void)
{
    char name[] = "/tmp/XXXXXX", text[4];
    int file = creat("/made", 0666), other;
    FILE *stream;

    check(file >= 0 && write(file, "four", 4) == 4 && fsync(file) == 0 &&
          close(file) == 0 && truncate("./made", 3) == 0 &&
          (file = open("/tmp/made", O_RDONLY)) >= 0 &&
          read(file, text, 4) == 3 && !memcmp(text, "fou", 3),
          "a file has one name in all directories");
    check(chown("made", 1, 1) == 0 && fchown(file, 1, 1) == 0 &&
          lchown("made", 1, 1) == 0 && chown("missing", 1, 1) == -1 &&
          errno == ENOENT, "chown()");
    check(symlink("made", "other") == -1 && errno == EPERM &&
          symlink("other", "made") == -1 && errno == EEXIST &&
          readlink("made", text, 4) == -1 && errno == EINVAL &&
          readlink("other", text, 4) == -1 && errno == ENOENT,
          "there are no links");
    check(chdir("made") == -1 && errno == ENOTDIR && rmdir("made") == -1 &&
          errno == ENOTDIR, "a file is no directory");
    check(close(file) == 0 && fsync(file) == -1 && errno == EBADF &&
          truncate("missing", 0) == -1 && errno == ENOENT &&
          unlink("made") == 0, "fsync() and truncate() of what is missing");
    other = mkstemp(name);
    check(other >= 0 && close(other) == 0 && unlink(name) == 0, "mkstemp()");
    stream = tmpfile();
    check(stream && fputs("text", stream) >= 0 && fseek(stream, 0, 0) == 0 &&
          fgetc(stream) == 't' && fclose(stream) == 0, "tmpfile()");
}

static void test_lines(void)
{
    static char data[] = "first\n\nthe last one";
    FILE *file = fmemopen(data, strlen(data), "r");
    char *line = NULL;
    size_t size = 0;

    check(getline(&line, &size, file) == 6 && !strcmp(line, "first\n") &&
          getline(&line, &size, file) == 1 &&
          getline(&line, &size, file) == 12 && !strcmp(line, "the last one") &&
          getline(&line, &size, file) == -1, "getline()");
    free(line);
    fclose(file);
}

/* -Wformat, an error here, accepts a uint32_t for %u. */
static void test_int32(void)
{
    uint32_t number = 4000000000u;
    char text[16], same[16];

    snprintf(text, sizeof(text), "%u", number);
    snprintf(same, sizeof(same), "%" PRIu32, number);
    check(!strcmp(text, "4000000000") && !strcmp(text, same),
          "uint32_t is an unsigned int");
}

/* The heap goes up to the end of the memory of programs, and down to where it began. */
static void test_break(void)
{
    char *end = sbrk(0);
    ptrdiff_t rest = GLAZE_PROGRAM_END - (uintptr_t)end;

    errno = 0;
    check(sbrk(rest + 1) == (void *)-1 && errno == ENOMEM && sbrk(0) == end,
          "sbrk() refuses a byte more than there is");
    check(sbrk(rest) == end && (uintptr_t)sbrk(0) == GLAZE_PROGRAM_END,
          "sbrk() gives all that there is");
    end[rest - 1] = 7;
    errno = 0;
    check(end[rest - 1] == 7 && sbrk(1) == (void *)-1 && errno == ENOMEM,
          "sbrk() gives the last byte, and no other");
    check((uintptr_t)sbrk(-rest) == GLAZE_PROGRAM_END && sbrk(0) == end,
          "sbrk() takes it back");
}

/* Calls with memory that the program does not have. */
static void test_no_memory(void)
{
    char *nowhere = (char *)0x2ffffff0;
    int file = open("/some", O_RDWR | O_CREAT | O_TRUNC, 0666);

    check(write(file, "four", 4) == 4 && lseek(file, 0, SEEK_SET) == 0,
          "a file to read");
    errno = 0;
    check(read(file, nowhere, 4) == -1 && errno == EFAULT,
          "read() of a file to nowhere");
    errno = 0;
    check(write(file, nowhere, 4) == -1 && errno == EFAULT,
          "write() to a file from nowhere");
    check(read(file, nowhere, 0) == 0 && lseek(file, 0, SEEK_CUR) == 0,
          "the file's position stays");
    check(close(file) == 0 && unlink("/some") == 0, "and it closes");
    errno = 0;
    check(read(STDIN_FILENO, nowhere, 4) == -1 && errno == EFAULT,
          "read() of standard input to nowhere");
    errno = 0;
    check(write(STDOUT_FILENO, nowhere, 4) == -1 && errno == EFAULT,
          "write() to standard output from nowhere");
    errno = 0;
    check(write(STDERR_FILENO, nowhere, 4) == -1 && errno == EFAULT,
          "write() to standard error from nowhere");
}

int main(void)
{
    test_no_memory();
    test_break();
    test_clocks();
    test_surroundings();
    test_limits();
    test_times();
    test_names();
    test_lines();
    test_int32();
    return failed;
}
