/*
 * A look at a register window that another process, or the kernel, may have
 * left.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef HOSTILE_LOOK_H
#define HOSTILE_LOOK_H

/*
 * LOOK: stores the locals and outs of the current window, 16 words, at
 * `words`, with `sp` in place of %o6. Uses no register.
 */
        .macro  LOOK words, sp
        std     %l0, [\words + 0]
        std     %l2, [\words + 8]
        std     %l4, [\words + 16]
        std     %l6, [\words + 24]
        std     %o0, [\words + 32]
        std     %o2, [\words + 40]
        std     %o4, [\words + 48]
        st      \sp, [\words + 56]
        st      %o7, [\words + 60]
        .endm

#endif
