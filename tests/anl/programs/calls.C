/*
 * Calls of the C library and of IRIX, in C of before 1989 without most of its
 * headers: results that are pointers, old variable arguments, times of type
 * long, numbers of processes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <math.h>
#include <varargs.h>
#include <malloc.h>
#include <memory.h>
#include <strings.h>
#include <values.h>
#include <sys/types.h>
#include <sys/param.h>
#include <sys/file.h>
#include <sys/time.h>
#include <sys/timeb.h>
#include <sys/times.h>
#include <sys/resource.h>
#include <sys/signal.h>
#include <sys/stat.h>
#include <sys/sysmp.h>
#include <sys/wait.h>

MAIN_ENV

char *index(), *rindex(), *strdup(), *strtok();
struct shared { LOCKDEC(lock) int pids[3], different; } *shared;
int failures;

right(is_right, what)
    char *what;
{
    if (!is_right)
        printf("WRONG %s\n", what);
    failures += !is_right;
}

/*VARARGS1*/
say(format, va_alist)
    char *format;
    va_dcl
{
    va_list list;

    va_start(list);
    vprintf(format, list);
    va_end(list);
}

double total(n, va_alist)
    int n;
    va_dcl
{
    va_list list;
    double sum = 0;

    va_start(list);
    while (n--) {
        sum += va_arg(list, int);
        sum += va_arg(list, double);
    }
    va_end(list);
    return sum;
}

static letters(va_alist)
    va_dcl
{
    va_list list;
    char *text;
    int n = 0;

    va_start(list);
    while (text = va_arg(list, char *))
        n += strlen(text);
    va_end(list);
    return n;
}

variable_arguments()
{
    say("no argument\n");
    say("%d %s %g %d %d %d %d %g\n", 1, "two", 3.5, 4, 5, 6, 7, 8.25);
    right(total(0) == 0 && total(2, 1, 2.5, 3, 4.25) == 10.75, "int and double");
    right(letters("a", "bc", "", "def", "g", "h", "ij", "k", "l", (char *) 0) == 12, "pointers");
}

text()
{
    char buffer[40], *copy;
    int number;
    double d;

    bzero(buffer, 40);
    bcopy("hello", buffer, 5);
    right(bcmp(buffer, "hello", 6) == 0, "bzero, bcopy, bcmp");
    right(!strcmp(index(buffer, 'l'), "llo") && !strcmp(rindex(buffer, 'l'), "lo"), "index, rindex");
    copy = strdup("one two");
    right(!strcmp(strtok(copy, " "), "one"), "strdup, strtok");
    sscanf("12 13.5 word", "%d %lf %s", &number, &d, buffer);
    right(number == 12 && d == 13.5 && !strcmp(buffer, "word"), "sscanf");
    printf("%lld %llu %hd\n", 1LL << 40, ~0ULL, 7);
}

memory()
{
    right(((unsigned) valloc(5000) & 4095) == 0, "valloc");
    right(((unsigned) memalign(256, 10) & 255) == 0, "memalign");
    right(alloca(20) != 0, "alloca");
    free(realloc(calloc(3, 4), 100));
}

numbers()
{
    long first, second;

    srand(1);
    first = rand();
    srand(1);
    right(rand() == first, "srand, rand");
    srandom(7);
    first = random();
    second = random();
    srandom(7);
    right(random() == first && random() == second, "srandom, random");
    srand48(3);
    right(drand48() < 1.0 && lrand48() >= 0 && mrand48() != 1, "drand48");
    right(rint(2.5) == 2 && cbrt(8.0) == 2 && hypot(3.0, 4.0) == 5, "rint, cbrt, hypot");
}

clocks()
{
    struct timeval now;
    struct timezone zone;
    struct rusage usage;
    struct tms tms;
    struct timeb timeb;
    long seconds;

    gettimeofday(&now, &zone);
    gettimeofday(&now, 0);
    time(&seconds);
    ftime(&timeb);
    right(timeb.time - seconds <= 1 && timeb.millitm < 1000, "ftime");
    right(now.tv_sec - seconds <= 1, "gettimeofday");
    right(getrusage(RUSAGE_SELF, &usage) == 0 && usage.ru_utime.tv_usec < 1000000, "getrusage");
    right(times(&tms) != -1 && tms.tms_utime >= 0, "times");
    usleep(10);
    sginap(0L);
    sginap(1L);
    right(sysmp(MP_NAPROCS) >= 3 && sysmp(MP_MUSTRUN, 0) == 0 && sysmp(MP_PGSIZE) == 4096, "sysmp");
    right(sysmp(99) == -1, "an unknown command of sysmp");
}

files()
{
    struct stat info;
    int file = open("calls.data", O_RDWR | O_CREAT | O_TRUNC, 0666);
    char buffer[3];

    write(file, "abc", 3);
    lseek(file, 1L, 0);
    right(read(file, buffer, 3) == 2 && buffer[0] == 'b', "read");
    right(fstat(file, &info) == 0 && info.st_size == 3, "fstat");
    close(file);
    unlink("calls.data");
    if (fopen("/none/none", "r") == NULL)
        perror("/none/none");
    setbuf(stderr, NULL);
    setlinebuf(stdout);
}

/* Each process has a number of its own, as after fork(). */
number_process()
{
    int i;

    LOCK(shared->lock)
    for (i = 0; i < 3 && shared->pids[i] != getpid(); i++) {
        if (shared->pids[i] == 0) {
            shared->pids[i] = getpid();
            shared->different++;
            break;
        }
    }
    UNLOCK(shared->lock)
}

main()
{
    MAIN_INITENV(, 10000)
    shared = (struct shared *) G_MALLOC(sizeof(struct shared))
    variable_arguments();
    text();
    memory();
    numbers();
    clocks();
    files();
    CREATE(number_process)
    CREATE(number_process)
    number_process();
    WAIT_FOR_END(2)
    right(shared->different == 3, "getpid");
    printf("calls: %d wrong\n", failures);
    exit(failures != 0);
}
