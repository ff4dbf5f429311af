/*
 * Random words to be executed as code. The highest bit is set in all of them,
 * since calls and branches would soon leave the table.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
        .section .text
        .align  4
        .global random_words
        .type   random_words, #object
        .set    number, 20250117
random_words:
        .rept   1024
        .set    number, (number * 1664525 + 1013904223) & 0xffffffff
        .set    second, (number * 22695477 + 1) & 0xffffffff
        .word   (number & 0xffff0000) | (second >> 16) | 1 << 31
        .endr
        .size   random_words, . - random_words
