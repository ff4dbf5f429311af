/*
 * Any bytes, taken for a frame between processes
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef TESTS_LINK_FRAMES_H
#define TESTS_LINK_FRAMES_H

/*
 * @data begins with a frame's header; all that is behind it is taken for the
 * payload, whatever length the header claims. Returns NULL if it is a frame
 * that can be decoded, and otherwise what is wrong with it.
 *
 * Ends the program if what was decoded does not encode to the same bytes, or
 * if an error has no text. To find reads outside of @data is up to the
 * address sanitizer.
 */
const char *link_frames_try(const uint8_t *data, size_t size);

#endif /* TESTS_LINK_FRAMES_H */
