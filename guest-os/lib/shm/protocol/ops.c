/*
 * What each op of a message does: the table of functions.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "shm-state.h"

op_function shm_on_fetch, shm_on_zero_page, shm_on_versions,
    shm_on_granted_home, shm_on_few, shm_on_acknowledge, shm_on_refuse,
    shm_on_notices, shm_on_check, shm_on_copies,
    shm_on_changes, shm_on_lock, shm_on_forward,
    shm_on_carried, shm_on_grant, shm_on_lock_init, shm_on_lock_open,
    shm_on_arrive, shm_on_flat, shm_on_leave, shm_on_flag,
    shm_on_counter, shm_on_malloc, shm_on_free, shm_on_copy, shm_on_begin,
    shm_on_zero, shm_on_start, shm_on_finish, shm_on_room, shm_on_tree,
    shm_on_tree_item, shm_on_tree_taken, shm_on_tree_held, shm_on_ended;

op_function *const op_functions[OPS] = {
    [OP_ANSWER] = shm_on_answer,
    [OP_FETCH] = shm_on_fetch,
    [OP_ZERO_PAGE] = shm_on_zero_page,
    [OP_VERSIONS] = shm_on_versions,
    [OP_GRANTED_HOME] = shm_on_granted_home,
    [OP_DIFFERENCE] = shm_on_few,
    [OP_ACKNOWLEDGE] = shm_on_acknowledge,
    [OP_REFUSE] = shm_on_refuse,
    [OP_CARRIED] = shm_on_carried,
    [OP_NOTICES] = shm_on_notices,
    [OP_CHECK] = shm_on_check,
    [OP_COPIES] = shm_on_copies,
    [OP_CHANGES] = shm_on_changes,
    [OP_LOCK] = shm_on_lock,
    [OP_FORWARD] = shm_on_forward,
    [OP_GRANT] = shm_on_grant,
    [OP_LOCK_INIT] = shm_on_lock_init,
    [OP_LOCK_OPEN] = shm_on_lock_open,
    [OP_ARRIVE] = shm_on_arrive,
    [OP_FLAT] = shm_on_flat,
    [OP_LEAVE] = shm_on_leave,
    [OP_FLAG] = shm_on_flag,
    [OP_COUNTER] = shm_on_counter,
    [OP_MALLOC] = shm_on_malloc,
    [OP_FREE] = shm_on_free,
    [OP_COPY] = shm_on_copy,
    [OP_BEGIN] = shm_on_begin,
    [OP_ZERO] = shm_on_zero,
    [OP_START] = shm_on_start,
    [OP_FINISH] = shm_on_finish,
    [OP_ROOM] = shm_on_room,
    [OP_TREE] = shm_on_tree,
    [OP_TREE_ITEM] = shm_on_tree_item,
    [OP_TREE_TAKEN] = shm_on_tree_taken,
    [OP_TREE_HELD] = shm_on_tree_held,
    [OP_ENDED] = shm_on_ended,
};
