/*
 * Prints what the calls give that docs/udm.md lists under "Where newlib differs
 * from C", one line for each row.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

static const char *number(double x)
{
    return isnan(x) ? "nan" : isinf(x) ? "inf" : signbit(x) ? "-0" : "0";
}

static const char *scanned(const char *text)
{
    double d = 1;
    float f = 1;
    long double l = 1;
    static char line[40];

    sscanf(text, "%lf", &d);
    sscanf(text, "%f", &f);
    sscanf(text, "%Lf", &l);
    snprintf(line, sizeof(line), "%s %s %s", number(d), number(f), number(l));
    return line;
}

int main(void)
{
    volatile double zero = 0, one = 1;
    volatile float zerof = 0;
    const wchar_t *wide = L"0x";
    wchar_t *wide_end;
    double x;
    int value;

    printf("nextafter %s %s\n", number(nextafter(zero, -zero)),
           number(nextafterf(zerof, -zerof)));
    errno = 0;
    x = tgamma(-one);
    printf("tgamma %s %d\n", number(x), errno == EDOM);
    printf("-0 %s\n", scanned("-0"));
    printf("-0.0 %s\n", scanned("-0.0"));
    printf("-0e5 %s\n", scanned("-0e5"));
    printf("-0x0 %s\n", scanned("-0x0"));
    printf("strtod %s %s\n", number(strtod("-0", NULL)), number(atof("-0")));
    wcstol(wide, &wide_end, 16);
    printf("wcstol %d\n", (int)(wide_end - wide));
    errno = 0;
    x = strtod("0x1p1024", NULL);
    printf("0x1p1024 %s %d\n", number(x), errno);
    x = strtod("0x1p-1075", NULL);
    printf("0x1p-1075 %s %d\n", number(x), errno);
    printf("percent %d\n", sscanf(" %7", "%%%d", &value));
    return 0;
}
