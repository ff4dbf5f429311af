/* Numbers that the nodes of `backpressure` share. */
#ifndef BACKPRESSURE_H
#define BACKPRESSURE_H

#define SLEEPER         1
#define BYSTANDER       3

/* The message whose descriptor node 0 unloads and reloads: length and tag. */
#define RELOADED_WORDS  8
#define RELOADED_TAG    0x77

void sleeper_wakes(void);

#endif
