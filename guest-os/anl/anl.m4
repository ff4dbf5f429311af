divert(-1)
dnl The ANL macros (PARMACS) for programs in C, as calls of the library shm
dnl (include/lib/shm.h). A source goes through GNU m4 with this file before it:
dnl
dnl     m4 -Ulen -Uindex anl.m4 program.C >program.c
dnl
dnl docs/anl.md lists the macros. Four rules hold for all of them:
dnl
dnl - A macro with arguments is expanded only where parentheses follow its name,
dnl   so a comment or a string may say LOCK. MAIN_ENV, EXTERN_ENV, ENV, MAIN_END
dnl   and the hints take no arguments and are always expanded.
dnl - A statement is a block, and a declaration or an allocation ends in a
dnl   semicolon: a source may write its own semicolon or leave it out. Macros
dnl   whose names end in _F are expressions.
dnl - No expansion has a newline, so line numbers stay as they are.
dnl - Surplus arguments (homes of pages, sizes of shared memory) are ignored.
dnl
dnl SPDX-License-Identifier: GPL-2.0-or-later
changecom

dnl anl_define(NAME, TEXT) defines NAME to expand to TEXT where parentheses follow
dnl it. The empty quotes between $ and # keep m4 from replacing them in here. TEXT
dnl is not quoted when NAME expands, because an argument may have an apostrophe.
define(`anl_define', `define(`$1', `ifelse('$`'#`, 0, ``$1'', $2)')')

dnl anl_refuse(NAME, INSTEAD): where NAME is used, m4 ends with a message.
define(`anl_refuse', `define(`$1', `ifelse('$`'#`, 0, ``$1'',
    `errprint(__file__:__line__: $1 is not supported: $2
)m4exit(1)')')')

dnl anl_hint(NAME): a statement that tells other machines something.
define(`anl_hint', `define(`$1', `{;}')')

dnl ---- The environment of a source ----

define(`MAIN_ENV')
define(`EXTERN_ENV')
define(`ENV')
anl_define(`MAIN_INITENV', `{shm_init();}')
anl_define(`MAIN_INITENV_LITE', `{shm_init();}')
define(`MAIN_END', `{shm_exit(0);}')
define(`MAIN_END_LITE', `{shm_exit(0);}')

dnl ---- Processes ----

dnl CREATE(f) starts one process. CREATE(f, n) with a number starts n - 1
dnl processes and calls f itself, as in SPLASH-3. CREATE(f, p) with a pointer
dnl starts one process that calls f(p). CREATE(f, p, n) starts n - 1 processes that
dnl call f(p), and calls f(p) itself.
anl_define(`CREATE', `{ifelse($#, 1, anl_create($1);,
    $#, 2, anl_create_2($1, $2);, anl_create_3($1, $2, $3);)}')
anl_define(`CREATE_LITE', `{anl_create($1);}')
anl_define(`WAIT_FOR_END', `{shm_wait_for_end(ifelse(`$1', , ANL_ALL, ($1)));}')
anl_define(`GET_PID', `{($1) = shm_node();}')
define(`GET_PID_F', `shm_node()')
anl_define(`GET_HOME', `{($1) = shm_node();}')

dnl ---- Locks ----

anl_define(`LOCKDEC', `struct shm_lock $1;')
anl_define(`LOCKINIT', `{shm_lock_init(&($1));}')
anl_define(`LOCK', `{shm_lock(&($1));}')
anl_define(`UNLOCK', `{shm_unlock(&($1));}')
anl_define(`NLOCKDEC', `struct shm_lock $1;')
anl_define(`NLOCKINIT', `{shm_lock_init(&($1));}')
anl_define(`NLOCK', `{shm_lock(&($1));}')
anl_define(`NUNLOCK', `{shm_unlock(&($1));}')
anl_define(`ALOCKDEC', `struct shm_lock $1[$2];')
anl_define(`ALOCKINIT', `{anl_locks_init($1, $2);}')
anl_define(`ALOCK', `{shm_lock(&($1)[$2]);}')
anl_define(`AULOCK', `{shm_unlock(&($1)[$2]);}')
anl_define(`AUNLOCK', `{shm_unlock(&($1)[$2]);}')
anl_define(`AGETL', `(($1)[$2])')

dnl ---- Barriers ----

anl_define(`BARDEC', `struct shm_barrier $1;')
anl_define(`BARINIT', `{shm_barrier_init(&($1));}')
define(`BARRIER', `ifelse($#, 0, ``BARRIER'', $#, 2, {shm_barrier(&($1), $2);},
    `errprint(__file__:__line__: BARRIER takes a barrier and the number of processes
)m4exit(1)')')
anl_refuse(`BAREXCLUDE', `give BARRIER the number of processes that come')
anl_hint(`BARINCLUDE')

dnl ---- Flags ----

dnl A flag is an array, often of one element, so its name is an address:
dnl SETPAUSE(p) and SETPAUSE(p, i) both work.
define(`anl_flag', `anl_define(`$1', `{$2(('$`'1`) + ifelse('$`'#`, 1, 0, ('$`'2`)));}')')
anl_define(`PAUSEDEC', `struct shm_flag $1[ifelse($#, 1, 1, ($2))];')
anl_define(`PAUSEINIT', `{anl_flags_init($1, ifelse($#, 1, 1, ($2)));}')
anl_flag(`CLEARPAUSE', `shm_flag_clear')
anl_flag(`SETPAUSE', `shm_flag_set')
anl_flag(`WAITPAUSE', `shm_flag_wait')
anl_flag(`PAUSE', `shm_flag_take')
anl_flag(`EVENT', `shm_flag_put')

dnl ---- Conditions (SPLASH-3) ----

anl_define(`CONDVARDEC', `struct anl_condition $1;')
anl_define(`CONDVARINIT', `{anl_condition_init(&($1));}')
anl_define(`CONDVARWAIT', `{anl_condition_wait(&($1), &($2));}')
anl_define(`CONDVARSIGNAL', `{anl_condition_signal(&($1), 0);}')
anl_define(`CONDVARBCAST', `{anl_condition_signal(&($1), 1);}')

dnl ---- Loops whose iterations the processes share ----

anl_define(`GSDEC', `struct shm_counter $1;')
anl_define(`GSINIT', `{shm_counter_init(&($1));}')
anl_define(`GETSUB', `{($2) = shm_getsub(&($1), $3, $4);}')
anl_define(`NU_GSDEC', `struct shm_counter $1;')
anl_define(`NU_GSINIT', `{shm_counter_init(&($1));}')
anl_define(`NU_GETSUB', `{($2) = shm_getsub(&($1), $3, $4);}')

dnl ---- Fences (SPLASH-3) ----

dnl Processes see stores in the order of the program. The compiler must keep it too.
anl_define(`ACQUIRE_FENCE', `{anl_fence();}')
anl_define(`RELEASE_FENCE', `{anl_fence();}')
anl_define(`FULL_FENCE', `{anl_fence();}')

dnl ---- Memory and time ----

anl_define(`G_MALLOC', `shm_malloc($1);')
anl_define(`G_MALLOC_F', `shm_malloc($1)')
anl_define(`G_FREE', `{shm_free($1);}')
anl_define(`NU_MALLOC', `shm_malloc($1);')
anl_define(`NU_MALLOC_F', `shm_malloc($1)')
anl_define(`NU_FREE', `{shm_free($1);}')
anl_define(`CLOCK', `{($1) = shm_clock();}')

dnl ---- Hints ----

anl_hint(`NEWPROC')
anl_hint(`THREAD_INIT_FREE')
anl_hint(`SET_HOME')
anl_hint(`ST_LOG')
anl_hint(`AUG_ON')
anl_hint(`AUG_OFF')
anl_hint(`AUG_DELAY')
anl_hint(`AUG_SET_LOLIMIT')
anl_hint(`AUG_SET_HILIMIT')
anl_hint(`TRACE_ON')
anl_hint(`TRACE_OFF')
anl_hint(`REF_TRACE_ON')
anl_hint(`REF_TRACE_OFF')
anl_hint(`DYN_TRACE_ON')
anl_hint(`DYN_TRACE_OFF')
anl_hint(`DYN_REF_TRACE_ON')
anl_hint(`DYN_REF_TRACE_OFF')
anl_hint(`DYN_SIM_ON')
anl_hint(`DYN_SIM_OFF')
anl_hint(`DYN_SCHED_ON')
anl_hint(`DYN_SCHED_OFF')

dnl ---- What there is not ----

define(`anl_instead', `use LOCK and PAUSE instead')
anl_refuse(`MENTER', anl_instead)
anl_refuse(`MEXIT', anl_instead)
anl_refuse(`MONINIT', anl_instead)
anl_refuse(`DELAY', anl_instead)
anl_refuse(`CONTINUE', anl_instead)
anl_refuse(`SEMDEC', anl_instead)
anl_refuse(`SEMINIT', anl_instead)
anl_refuse(`SEMP', anl_instead)
anl_refuse(`SEMV', anl_instead)
anl_refuse(`ADEC', `take tasks from a queue under a LOCK instead')
anl_refuse(`AINIT', `take tasks from a queue under a LOCK instead')
anl_refuse(`ASKFOR', `take tasks from a queue under a LOCK instead')
anl_refuse(`PROBEND', `take tasks from a queue under a LOCK instead')
anl_refuse(`PROGEND', `take tasks from a queue under a LOCK instead')

dnl Builtins of m4 that a C program may have as names. No macro above needs them
dnl when it expands.
undefine(`len', `index', `substr', `format', `translit', `regexp', `patsubst',
    `incr', `decr', `shift', `sysval', `divnum', `maketemp', `mkstemp', `unix',
    `__unix__', `__gnu__', `anl_define', `anl_refuse', `anl_hint', `anl_flag',
    `anl_instead')
changecom(`#')
divert(0)dnl
