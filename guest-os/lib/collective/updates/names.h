/*
 * Names of the collective operations by updates. The common files of the library are
 * compiled twice, and the second time with this file before all others, so that a
 * program has both and takes one of them at run time (collective.h).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COLLECTIVE_NAMES_H
#define COLLECTIVE_NAMES_H

#define BY_UPDATES              1

#define udm_barrier             updates_barrier
#define udm_broadcast           updates_broadcast
#define udm_reduce_int          updates_reduce_int
#define udm_reduce_double       updates_reduce_double
#define udm_reduce_all_int      updates_reduce_all_int
#define udm_reduce_all_double   updates_reduce_all_double
#define udm_quiesce             updates_quiesce
#define udm_collective_wait     updates_collective_wait

#define collective_await        updates_await
#define collective_begin        updates_begin
#define collective_calls        updates_calls
#define collective_children     updates_children
#define collective_end          updates_end
#define collective_end_early    updates_end_early
#define collective_enter        updates_enter
#define collective_fence        updates_fence
#define collective_flush        updates_flush
#define collective_free         updates_free
#define collective_gather       updates_gather
#define collective_into         updates_into
#define collective_is_root      updates_is_root
#define collective_leave        updates_leave
#define collective_left         updates_left
#define collective_look_for_left updates_look_for_left
#define collective_look_for_others updates_look_for_others
#define collective_own          updates_own
#define collective_release      updates_release
#define collective_send         updates_send
#define collective_send_body    updates_send_body
#define collective_signal       updates_signal
#define collective_store        updates_store
#define collective_store_body   updates_store_body
#define collective_store_letter updates_store_letter
#define collective_take         updates_take
#define collective_tell         updates_tell
#define collective_to           updates_to
#define collective_try_to       updates_try_to
#define collective_wait         updates_wait

#endif /* COLLECTIVE_NAMES_H */
