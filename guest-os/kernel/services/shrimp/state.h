/*
 * Maps over the network: what the kernel knows of them.
 *
 * A page that is mapped out or in stays in its frame until no mapping uses it: it is
 * pinned. The frame's word (frame_note()) counts the mappings: see pins.h. With
 * SHRIMP_SHOOT_DOWN it may go out all the same: see pages.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_SHRIMP_STATE_H
#define GLAZE_SHRIMP_STATE_H

#include "glaze-shrimp.h"
#include "machine/gids.h"
#include "machine/process.h"

/* A range to which others may map. */
struct exported {
    uint32_t bytes;             /* 0: this place is free */
    uint32_t number;
    uint32_t address;
    uint8_t who;                /* SHRIMP_OWN_JOB, ... */
    uint8_t job;
    bool ends;                  /* nothing may map to it: it ends, or is being made */
    uint32_t key[2];
};

enum grant_state {
    GRANT_FREE,
    GRANT_LIVE,
    GRANT_ENDS,                 /* its source is to be told */
    GRANT_TOLD,                 /* and will answer */
    GRANT_DRAINS,               /* the source sends no more. Packets may be in the
                                   Incoming FIFO, */
    GRANT_DRAINS_TO,            /* up to `entered` */
};

/* A mapping from another process to this one. It names that process by its node, its
 * job's number and its own number of the mapping: GIDs are used again. */
struct grant {
    uint8_t state;              /* enum grant_state */
    uint8_t exported;           /* its place */
    uint16_t node;
    uint8_t gid;
    uint8_t job;
    uint8_t map;
    uint8_t pages;              /* that are mapped in */
    uint32_t first;             /* the address of the first of them */
    uint32_t entered;
};

enum map_state {
    MAP_FREE,
    MAP_PINS,                   /* the process pins its pages */
    MAP_ASKS,                   /* for a page of the target's */
    MAP_PARKED,                 /* the export does not exist yet */
    MAP_LIVE,
    MAP_DEAD,                   /* the target has ended it: updates are dropped */
    MAP_ENDS,                   /* its entries are to be cleared, and the target is to
                                   be told if it has granted pages */
    MAP_CLEARS,                 /* some of them are, and their pages let go */
    MAP_FENCES,                 /* all are. Packets up to `sent` are on their way */
};

/* A mapping from this process to another one. */
struct map {
    uint8_t state;              /* enum map_state */
    uint8_t mode;
    uint8_t job;                /* of the target */
    uint8_t grant;              /* the target's number of it; GRANT_NONE: it has none */
    uint16_t node;
    bool closing;               /* one of its target's pages is shot down, and the
                                   engine may be at work for it */
    uint8_t pinned;             /* pages of its own */
    uint8_t granted;            /* pages of the target */
    bool unheard;               /* MAP_FREE: code may come to hear of its end, whose
                                   call has lost its place */
    uint32_t local;
    uint32_t bytes;
    uint32_t displacement;
    uint32_t sent;
    int32_t result;             /* of the call that waits for its end */
};

/*
 * MAP or UNMAP that waits, or is over and whose code has not come back for the result:
 * the process makes the same call again. Code is known by its stack pointer.
 */
struct call {
    bool used;
    bool unmaps;
    bool over;
    bool left;                  /* its code made another call: it is not repeated */
    uint8_t map;                /* of this mapping */
    uint32_t sp;
    int32_t result;
    struct shrimp_map wanted;   /* by MAP */
};

/* Calls of a process at a time: its program's, and of upcalls that interrupt it. */
#define CALLS           4

/* What a process has to do with maps, in a frame of its own. */
struct shrimp_task {
    bool arrived;               /* an update has come to an armed page, or a mapping to
                                   one of its pages */
    bool ends;                  /* the process has ended */
    struct exported *made;      /* an export whose pages up to `checked` have been */
    uint32_t checked;           /* checked; NULL */
    struct call call[CALLS];
    uint32_t remap;             /* a store to this closed page waits for its mappings;
                                   0: none */
    /* The fence of a call that is made again and again. */
    bool fences;
    uint32_t fence_sp;
    uint32_t fence_number;      /* the program's */
    uint32_t fence;
    uint8_t maps_used;          /* the places behind these are free and always were */
    uint8_t grants_used;
    struct exported exported[SHRIMP_EXPORTS];
    struct map maps[SHRIMP_MAPS];
    struct grant grants[SHRIMP_GRANTS];
};

/* What a message says, in words. The source of a mapping asks its target for a page,
 * or tells it that the mapping has ended; */
struct question {
    uint32_t ends;              /* it has ended: the grant is `grant` */
    uint32_t gid, job, map;     /* of the source */
    uint32_t target;            /* job of the target */
    uint32_t number;            /* of the export, */
    uint32_t key[2];
    uint32_t offset, bytes;     /* and the range in it */
    uint32_t grant;             /* GRANT_NONE: this is the first page */
    uint32_t page;              /* of the target's, from 0 */
};

/* the target answers; */
struct answer {
    uint32_t gid, job, map;
    int32_t status;             /* 0, -errno, or ANSWER_WAIT */
    uint32_t frame;             /* of the page */
    uint32_t grant;
    uint32_t offset;            /* of the range's first byte in its page */
};

/* and a target tells a source that the mapping has to end. */
struct ending {
    uint32_t target, grant;     /* job of the target */
    uint32_t gid, job, map;     /* of the source */
};

/* A target tells a source that a page of it goes out. */
struct shot {
    struct ending of;           /* that mapping */
    uint32_t page;              /* from 0 */
};

#define WORDS(type)     (sizeof(type) / sizeof(uint32_t))
#define GRANT_NONE      0xff
#define ANSWER_WAIT     1       /* the export does not exist yet */

/* What another node asks of this one, one thing of each kind at a time. */
struct peer {
    struct question question;
    struct ending ending;
    struct shot shot;
    uint32_t end_fence;
    uint32_t shot_fence;
    uint32_t brings;            /* for the question; 0: no page is brought */
    bool asks;
    bool ends;                  /* a grant of a process of that node */
    bool end_fences;
    bool shoots;                /* a page of that node goes out: */
    bool shot_closed;           /* stores to it wait, */
    bool shot_fences;           /* and its entries are cleared */
    bool told;                  /* it has been told of the end of a grant, */
    bool answered;              /* and has answered */
    uint8_t told_gid, told_grant;
    struct gids waits;          /* GIDs: its process waits for an export of the one of
                                   this node */
};

/* A page of this node with mappings that is to go out (shoot.c). */
struct shoot {
    enum {
        SHOOT_NONE,
        SHOOT_ENGINE,           /* it is closed. The engine may be at work for it */
        SHOOT_TELLS,            /* its entries are cleared. Sources are to be told, */
        SHOOT_TOLD,             /* one has been */
        SHOOT_DRAINS,           /* all have answered. Packets up to `entered` may be in
                                   the Incoming FIFO */
        SHOOT_GOES,             /* none are: it can go */
    } state;
    bool answered;
    uint8_t gid;
    uint8_t payer;              /* GID, or GID_NONE */
    uint8_t grant;              /* that comes next */
    uint32_t page, frame;
    uint32_t entered;
};

/* What the node has to do with maps. */
struct shrimp_node {
    struct shoot shoot;
    uint32_t pinned;            /* frames */
    uint32_t dropped;           /* packets that have been counted */
    bool asks;                  /* a question of this node has no answer yet: */
    bool answered;              /* it has, */
    bool asks_again;            /* for a page that has been granted before: */
    uint8_t ask_gid, ask_map, ask_page;
    struct answer answer;
    struct gids asking;         /* processes with mappings to ask for, or to end */
    struct gids granting;       /* with grants that end */
    struct gids exporting;      /* with exports for which others may wait */
    struct gids ending;         /* that have ended, and have mappings or grants */
    struct gids ended;          /* and have none any more */
    uint32_t retry_gid;         /* of those, which waiting nodes are being told; 0 */
    uint32_t retry_node;        /* and the node that comes next */
    uint32_t todo[FUGU_NODES_MAX / 32];   /* peers that ask or end something */
    struct peer peer[];
};

/* NULL on a machine without SHRIMP's interface. */
extern struct shrimp_node *shrimp;

/*
 * What becomes of pages with mappings when memory is scarce (SHRIMP paper, section
 * 4.4): they stay in memory, or their mappings are shot down (shoot.h), and made anew
 * when a store needs them.
 */
extern uint32_t shrimp_paging;
#define SHRIMP_PIN              0
#define SHRIMP_SHOOT_DOWN       1

/* Notes the chore: something has to be done. */
void shrimp_note(void);

/* Notes it for later: something is waited for that does not interrupt. */
void shrimp_poll(void);

/*
 * What a process waits for (process.waits_for). Nothing else of maps wakes it: a call
 * that an upcall has interrupted, or left by longjmp(), does not end the wait of
 * another one.
 */
enum {
    SHRIMP_WAITS_CALL = 1,      /* until MAP or UNMAP is over */
    SHRIMP_WAITS_UPDATE,        /* an update to an armed page, or a mapping */
    SHRIMP_WAITS_GRANTS,        /* until an export has no grants */
    SHRIMP_WAITS_STORE,         /* until a closed page is open */
};

/* Lets the current process wait. shrimp_wake() wakes one that waits for this. */
void shrimp_wait_for(unsigned what);
void shrimp_wake(struct process *p, unsigned what);

/* Returns the process of a job on this node; NULL: there is none. */
struct process *shrimp_of_job(uint32_t number);

/* An update has come for p, or a mapping: p looks again if it waits for that. */
void shrimp_arrive(struct process *p);

#endif /* GLAZE_SHRIMP_STATE_H */
