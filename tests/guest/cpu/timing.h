/* How often a piece of timing_code.S repeats its instruction. */
#ifndef TIMING_H
#define TIMING_H

#define PIECE_COUNT     8

#endif
