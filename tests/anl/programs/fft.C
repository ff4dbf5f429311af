/*
 * A complex Fourier transform of n = m * m numbers: transpose, m transforms of m
 * numbers each, a multiplication, transpose, m transforms, transpose. Rows belong
 * to processes, and transposing moves data between them. The inverse transform
 * must give the input again.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <math.h>
#include "common.h"

MAIN_ENV

#define PI 3.14159265358979323846
#define SIZE_MAX_ROW 64

struct complex {
    double re, im;
};

static struct start *start;
static struct complex *data, *other;
static int m;                           /* rows, and numbers in a row */
static int first, last;                 /* this process's rows */

static struct complex value(index)
    int index;
{
    struct complex x;

    x.re = (int)random_number(index) / 2147483648.0;
    x.im = (int)random_number(index + m * m) / 2147483648.0;
    return x;
}

static void rotate(x, angle)
    struct complex *x;
    double angle;
{
    double c = cos(angle), s = sin(angle), re = x->re * c - x->im * s;

    x->im = x->re * s + x->im * c;
    x->re = re;
}

/* The transform of one row, by halves: even and odd places. */
static void transform(row, stride, n, sign, out)
    struct complex *row, *out;
    int stride, n, sign;
{
    int k;

    if (n == 1) {
        *out = *row;
        return;
    }
    transform(row, 2 * stride, n / 2, sign, out);
    transform(row + stride, 2 * stride, n / 2, sign, out + n / 2);
    for (k = 0; k < n / 2; k++) {
        struct complex even = out[k], odd = out[k + n / 2];

        rotate(&odd, sign * 2 * PI * k / n);
        out[k].re = even.re + odd.re;
        out[k].im = even.im + odd.im;
        out[k + n / 2].re = even.re - odd.re;
        out[k + n / 2].im = even.im - odd.im;
    }
}

static void transpose(from, to)
    struct complex *from, *to;
{
    int i, j;

    for (i = first; i < last; i++) {
        for (j = 0; j < m; j++) {
            to[i * m + j] = from[j * m + i];
        }
    }
    BARRIER(start->barrier, P)
}

static void rows(array, sign)
    struct complex *array;
    int sign;
{
    struct complex row[SIZE_MAX_ROW];
    int i, j;

    for (i = first; i < last; i++) {
        transform(array + i * m, 1, m, sign, row);
        for (j = 0; j < m; j++) {
            array[i * m + j] = row[j];
        }
    }
}

/* data becomes its transform; sign -1 is forward, 1 inverse without the factor. */
static void fft(sign)
    int sign;
{
    int i, j;

    transpose(data, other);
    rows(other, sign);
    for (i = first; i < last; i++) {
        for (j = 0; j < m; j++) {
            rotate(&other[i * m + j], sign * 2 * PI * i * j / (m * m));
        }
    }
    BARRIER(start->barrier, P)
    transpose(other, data);
    rows(data, sign);
    BARRIER(start->barrier, P)
    transpose(data, other);
    for (i = first * m; i < last * m; i++) {
        data[i] = other[i];
    }
    BARRIER(start->barrier, P)
}

/* One number of the transform, from its definition. */
static struct complex direct(k)
    int k;
{
    struct complex sum;
    int i;

    sum.re = sum.im = 0;
    for (i = 0; i < m * m; i++) {
        struct complex x = value(i);

        rotate(&x, -2 * PI * (i * k % (m * m)) / (m * m));
        sum.re += x.re;
        sum.im += x.im;
    }
    return sum;
}

void work()
{
    int me = take_number(start), i;
    double n = m * m;

    first = m * me / P;
    last = m * (me + 1) / P;
    for (i = first * m; i < last * m; i++) {
        data[i] = value(i);
    }
    BARRIER(start->barrier, P)
    fft(-1);
    for (i = me; i < 4 * P; i += P) {
        struct complex right = direct(i * 7 % (m * m)), have = data[i * 7 % (m * m)];

        check(fabs(right.re - have.re) + fabs(right.im - have.im) < 1e-9, "a frequency");
    }
    if (me == 0) {
        printf("fft: frequency 1 is %.6f %.6f\n", data[1].re, data[1].im);
    }
    BARRIER(start->barrier, P)
    fft(1);
    for (i = first * m; i < last * m; i++) {
        struct complex right = value(i);

        check(fabs(right.re - data[i].re / n) + fabs(right.im - data[i].im / n) < 1e-12, "the inverse");
    }
}

int main(argc, argv)
    int argc;
    char **argv;
{
    int i;

    m = options(argc, argv, 16);
    check(m <= SIZE_MAX_ROW && (m & (m - 1)) == 0, "-n takes a power of two");
    MAIN_INITENV(,4000000)
    start = start_init();
    data = (struct complex *) G_MALLOC(m * m * sizeof(struct complex))
    other = (struct complex *) G_MALLOC(m * m * sizeof(struct complex))
    for (i = 1; i < P; i++) {
        CREATE(work)
    }
    work();
    WAIT_FOR_END(P - 1)
    printf("fft: %d numbers, forward and back\n", m * m);
    MAIN_END
}
