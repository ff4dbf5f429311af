/* Shared by soft.c and soft_code.S. */
#ifndef SOFT_H
#define SOFT_H

#define SOFT_COUNT      8       /* operations of a timed piece */

#endif
