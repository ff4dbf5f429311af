/*
 * The headers that most files of GCC's compiler proper include, in the order in
 * which they need each other. GNUmakefile compiles them once.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

/* What system.h is asked to include, by any file. */
#define INCLUDE_LIST
#define INCLUDE_MAP
#define INCLUDE_SET
#define INCLUDE_STRING
#define INCLUDE_VECTOR
#define INCLUDE_ARRAY
#define INCLUDE_FUNCTIONAL
#define INCLUDE_MEMORY
#define INCLUDE_ALGORITHM
#define INCLUDE_MALLOC_H

#include "config.h"
#include "system.h"
#include "coretypes.h"
#include "backend.h"
#include "target.h"
#include "rtl.h"
#include "tree.h"
#include "gimple.h"
#include "cfghooks.h"
#include "df.h"
#include "memmodel.h"
#include "tm_p.h"
#include "ssa.h"
#include "regs.h"
#include "emit-rtl.h"
#include "cgraph.h"
#include "diagnostic-core.h"
#include "vec-perm-indices.h"
#include "fold-const.h"
#include "alias.h"
#include "stor-layout.h"
#include "varasm.h"
#include "calls.h"
#include "explow.h"
#include "expr.h"
#include "tree-pass.h"
#include "gimple-iterator.h"
#include "gimplify.h"
#include "cfganal.h"
#include "cfgloop.h"
#include "tree-cfg.h"
#include "tree-dfa.h"
#include "tree-ssa.h"
#include "tree-pretty-print.h"
#include "gimple-pretty-print.h"
#include "langhooks.h"
#include "toplev.h"
#include "opts.h"
#include "options.h"
