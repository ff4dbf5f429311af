/*
 * Shoot-downs. tests/model/shoot is a model of the rules, which it names.
 *
 * A page that is to go out is closed. When the engine has done with it, its own entries
 * are cleared. Then each source of a mapping to it is told, one after the other
 * (closed_shoot()): that closes its pages, clears the entries, and answers when all
 * packets that it has sent have entered the Incoming FIFO here. When these have left
 * it, the page goes.
 *
 * A node shoots down one page at a time. It serves those of others meanwhile.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "buffer/backing.h"
#include "buffer/end.h"
#include "machine/chores.h"
#include "machine/hardware.h"
#include "machine/message.h"
#include "machine/nipt.h"
#include "marks.h"
#include "memory/space.h"
#include "services/shrimp/pages.h"
#include "services/shrimp/pins.h"
#include "services/shrimp/shoot.h"
#include "services/shrimp/target.h"

bool shoot_is_on(void)
{
    return shrimp && shrimp->shoot.state != SHOOT_NONE;
}

bool shoot_is_of(const struct process *p)
{
    return shoot_is_on() && shrimp->shoot.gid == p->gid;
}

__attribute__((cold)) bool shoot_begin(struct process *p, uint32_t page)
{
    uint32_t frame = pins_frame(p, page);

    if (!shrimp || !*frame_note(frame)) {
        return false;
    }
    shrimp->shoot = (struct shoot) {
        .state = SHOOT_ENGINE, .gid = p->gid, .payer = backing_payer, .page = page,
        .frame = frame,
    };
    pages_settle(p, page);      /* closes it */
    shrimp_note();
    return true;
}

/* Returns whether the page is where it was: the process may have unmapped it. */
static bool is_there(struct process *p)
{
    const struct shoot *s = &shrimp->shoot;

    return space_is_in(p, s->page) && pins_frame(p, s->page) == s->frame;
}

/* Clears the page's own entries. Its open packet closes. */
static void clear_own(struct process *p)
{
    if (is_there(p)) {
        pages_note_modes(p, shrimp->shoot.page);
        nipt_select(shrimp->shoot.frame);
        nipt_set_lower(0);
        nipt_set_upper(0);
    }
}

/* Tells the source of a grant. */
static void tell(const struct process *p, const struct grant *g)
{
    struct shoot *s = &shrimp->shoot;
    struct shot shot = {
        .of = {
            .target = p->number, .grant = g - p->shrimp->grants, .gid = g->gid,
            .job = g->job, .map = g->map,
        },
        .page = (s->page - g->first) / GLAZE_PAGE,
    };

    s->answered = false;
    s->state = SHOOT_TOLD;
    MARK("shoot", p->gid);
    message_send(g->node, OPERATION_MAP_SHOOT, (const uint32_t *)&shot, WORDS(shot));
}

/* Tells the next source. Returns false if all have been told. */
static bool tell_next(struct process *p)
{
    struct shoot *s = &shrimp->shoot;

    while (s->grant < p->shrimp->grants_used) {
        const struct grant *g = &p->shrimp->grants[s->grant++];

        /* A source that has ended the mapping sends nothing more. */
        if (target_covers(g, s->page) && g->state < GRANT_DRAINS) {
            tell(p, g);
            return true;
        }
    }
    return false;
}

/* Nothing is sent to the page any more, and all that was is there. It goes, unless it
 * need not any more. */
static void go(struct process *p)
{
    struct shoot *s = &shrimp->shoot;
    bool there = is_there(p);

    if (there && !process_has_ended(p) && backing_usable() && !backing_idle()) {
        return;                 /* another page is on its way */
    }
    if (there) {
        pages_detach_in(p, s->page);
        *frame_note(s->frame) = 0;
    }
    s->state = SHOOT_NONE;
    chores_wait |= CHORE_PAGER;
    if (there && !process_has_ended(p) && backing_usable() && backing_idle()) {
        backing_payer = s->payer;
        backing_out(p, s->page);
        backing_payer = GID_NONE;
    } else if (there) {
        pages_settle(p, s->page);
    }
}

__attribute__((cold)) void shoot_step(void)
{
    struct shoot *s = &shrimp->shoot;
    struct process *p = processes[s->gid];

    switch (s->state) {
    case SHOOT_ENGINE:
        if (nipt_engine() == s->frame) {
            break;
        }
        clear_own(p);
        s->state = SHOOT_TELLS;
        /* fall through */
    case SHOOT_TOLD:
        if ((s->state == SHOOT_TOLD && !s->answered) || tell_next(p)) {
            return;             /* the answer notes the chore */
        }
        s->entered = nipt_entered();
        s->state = SHOOT_DRAINS;
        /* fall through */
    case SHOOT_DRAINS:
        if (!nipt_has_left(s->entered)) {
            break;
        }
        s->state = SHOOT_GOES;
        /* fall through */
    case SHOOT_GOES:
        go(p);
        break;
    default:
        break;
    }
    if (s->state != SHOOT_NONE) {
        shrimp_poll();
    }
}
