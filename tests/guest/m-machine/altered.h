/*
 * Sizes of the program altered, which its test shares.
 */
#ifndef GUEST_ALTERED_H
#define GUEST_ALTERED_H

#define ALTERED_SLOTS   96              /* handlers */
#define ALTERED_WORDS   32              /* of each */
#define ALTERED_TRIALS  384
#define ALTERED_AREA    256             /* words around DestAddr */
#define ALTERED_RING    18              /* words of own_ring */

#endif
