/*
 * Decodes any bytes as a frame between processes
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef TESTS_LINK_FRAMES_H
#define TESTS_LINK_FRAMES_H

/*
 * Decodes @data, which begins with a frame's header. All bytes after the header
 * count as payload; the length in the header is ignored. Returns NULL if the
 * frame can be decoded, and otherwise what is wrong.
 *
 * Ends the program if the decoded frame does not encode to the same bytes, or
 * if an error has no text. The address sanitizer finds reads outside of @data.
 */
const char *link_frames_try(const uint8_t *data, size_t size);

#endif /* TESTS_LINK_FRAMES_H */
