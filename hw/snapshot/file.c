/*
 * Snapshots: the file (see snapshot.h)
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/uuid.h"
#include "qobject/qjson.h"
#include "qobject/qstring.h"
#include "io/channel-file.h"
#include "migration/snapshot.h"
#include "hw/fugu/node/hub.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/machine/netif.h"
#include "hw/fugu/node/node.h"
#include "hw/fugu/snapshot/parameters.h"
#include "hw/fugu/snapshot/disks.h"
#include "hw/fugu/snapshot/file.h"

#define MAGIC           "fugu snapshot "
#define DIGITS          64      /* bytes of a SHA-256 in hex */
#define TRAILER         (DIGITS + 1)    /* bytes of the last line */
#define HEAD_MAX        (8 * 1024 * 1024)   /* bytes of the second line: a
                                               path for each node's disk */

/* ---- What every snapshot is --------------------------------------------- */

/*
 * Checks the conditions on which network interfaces and hub rely: before the
 * state is saved, and after it was loaded. The check sum shows only that the
 * file is as its writer made it; the writer may have been another program.
 */
static bool check_state(FuguMachineState *m, Error **errp)
{
    const char *broken;

    for (uint32_t i = 0; i < m->options.node_count; i++) {
        FuguNetif *ni = m->parts.nodes[i]->ni;

        broken = ni->kind->check(ni);
        if (broken) {
            error_setg(errp, "node %u: not %s", i, broken);
            return false;
        }
    }
    broken = fugu_netif_kind(m)->check_balance(m);
    if (broken || !QTAILQ_EMPTY(fugu_hub_sent(m->parts.hub))) {
        error_setg(errp, "not %s", broken ?: "between two rounds");
        return false;
    }
    return true;
}

/* ---- Writing ------------------------------------------------------------ */

static char *sha256_of(const void *data, size_t len)
{
    return g_compute_checksum_for_data(G_CHECKSUM_SHA256, data, len);
}

QDict *fugu_snapshot_program(FuguMachineState *m)
{
    const char *file = MACHINE(m)->kernel_filename;
    g_autoptr(GMappedFile) map = file ? g_mapped_file_new(file, false, NULL)
                                      : NULL;
    QDict *dict = qdict_new();

    if (map) {
        g_autofree char *path = g_canonicalize_filename(file, NULL);
        g_autofree char *sum = sha256_of(g_mapped_file_get_contents(map),
                                         g_mapped_file_get_length(map));

        qdict_put_str(dict, "file", path);
        qdict_put_str(dict, "sha256", sum);
    }
    qdict_put_str(dict, "args", MACHINE(m)->kernel_cmdline ?: "");
    return dict;
}

static char *head_text(FuguMachineState *m, const char *disk_snapshot)
{
    g_autoptr(QDict) head = qdict_new();
    g_autoptr(GString) json = NULL;

    qdict_put_int(head, "cycle", m->time.round_start);
    qdict_put(head, "program", qobject_ref(m->parts.program));
    qdict_put(head, "parameters", fugu_parameters_get(m));
    qdict_put(head, "disks", fugu_snapshot_disk_paths(m));
    qdict_put_str(head, "disk-snapshot", disk_snapshot);
    json = qobject_to_json(QOBJECT(head));
    return g_strdup_printf(MAGIC "%d\n%s\n", FUGU_SNAPSHOT_VERSION, json->str);
}

/* Appends the SHA-256 of all that is in the file. */
static bool write_trailer(int fd, Error **errp)
{
    g_autoptr(GMappedFile) map = g_mapped_file_new_from_fd(fd, false, NULL);
    g_autofree char *line = NULL, *sum = NULL;

    if (!map) {
        error_setg(errp, "what was written cannot be read");
        return false;
    }
    sum = sha256_of(g_mapped_file_get_contents(map),
                    g_mapped_file_get_length(map));
    line = g_strdup_printf("%s\n", sum);
    if (lseek(fd, 0, SEEK_END) < 0 ||
        qemu_write_full(fd, line, TRAILER) != TRAILER) {
        error_setg_errno(errp, errno, "writing its end");
        return false;
    }
    return true;
}

/* Writes all parts of a snapshot to @fd, which stays open. */
static bool write_parts(int fd, const char *head, Error **errp)
{
    g_autoptr(QIOChannelFile) ioc = qio_channel_file_new_dupfd(fd, errp);

    return ioc &&
           qio_channel_write_all(QIO_CHANNEL(ioc), head, strlen(head),
                                 errp) == 0 &&
           save_vmstate(QIO_CHANNEL(ioc), errp) && write_trailer(fd, errp);
}

/*
 * Opens a new file in @path's folder. It has no name yet, so that nothing stays
 * of it if this process is killed. Returns -1 if the file system has no such
 * files.
 */
static int open_unnamed(const char *path)
{
    g_autofree char *folder = g_path_get_dirname(path);

    return access("/proc/self/fd", X_OK)
        ? -1 : open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
}

/* Gives the unnamed file @fd a name beside @path that no file has. Returns the
 * name; NULL with errno set. */
static char *give_name(int fd, const char *path)
{
    g_autofree char *self = g_strdup_printf("/proc/self/fd/%d", fd);

    for (int tries = 0; tries < 100; tries++) {
        g_autofree char *name = g_strdup_printf("%s.%06x", path,
                                                g_random_int() & 0xffffff);

        if (!linkat(AT_FDCWD, self, AT_FDCWD, name, AT_SYMLINK_FOLLOW)) {
            return g_steal_pointer(&name);
        }
        if (errno != EEXIST) {
            break;
        }
    }
    return NULL;
}

/* Writes a new file beside @path, whose name no file had, and renames it. */
static bool write_file(const char *path, const char *head, Error **errp)
{
    g_autofree char *part = NULL;
    int fd = open_unnamed(path);
    bool ok;

    if (fd < 0) {
        part = g_strdup_printf("%s.XXXXXX", path);
        fd = g_mkstemp_full(part, O_RDWR | O_CLOEXEC, 0666);
    }
    if (fd < 0) {
        error_setg_errno(errp, errno, "a file beside it cannot be made");
        return false;
    }
    ok = write_parts(fd, head, errp);
    if (ok && !part) {
        part = give_name(fd, path);
        if (!part) {
            error_setg_errno(errp, errno, "a file beside it cannot be named");
            ok = false;
        }
    }
    if (close(fd) && ok) {
        error_setg_errno(errp, errno, "closing %s", part);
        ok = false;
    }
    if (ok && rename(part, path)) {
        error_setg_errno(errp, errno, "renaming %s", part);
        ok = false;
    }
    if (!ok && part) {
        unlink(part);
    }
    return ok;
}

/* Checks that what is to be saved can be loaded. */
static bool check_loadable(FuguMachineState *m, const char *head, Error **errp)
{
    if (strlen(head) > HEAD_MAX) {
        error_setg(errp, "the paths of its disks are too long");
        return false;
    }
    return check_state(m, errp);
}

bool fugu_snapshot_write(FuguMachineState *m, const char *path, Error **errp)
{
    g_autofree char *uuid = g_uuid_string_random();
    g_autofree char *name = g_strdup_printf("fugu-%s", uuid);
    g_autofree char *head = head_text(m, name);
    ERRP_GUARD();

    if (!fugu_snapshot_may_write(path, errp) ||
        !fugu_snapshot_check_disks(m, errp)) {
        return false;
    }
    if (!check_loadable(m, head, errp) ||
        !fugu_snapshot_disks_save(m, name, errp)) {
        error_prepend(errp, "%s cannot be written: ", path);
        return false;
    }
    if (!write_file(path, head, errp)) {
        error_prepend(errp, "%s cannot be written: ", path);
        fugu_snapshot_disks_forget(m, name);
        return false;
    }
    return true;
}

/* ---- Reading ------------------------------------------------------------ */

bool fugu_snapshot_may_write(const char *path, Error **errp)
{
    char start[sizeof(MAGIC)] = "";
    struct stat st = { 0 };
    FILE *file;

    if (stat(path, &st) && errno == ENOENT) {
        return true;
    }
    file = S_ISREG(st.st_mode) ? fopen(path, "r") : NULL;
    if (file) {
        (void)!fread(start, 1, strlen(MAGIC), file);
        fclose(file);
    }
    if (strcmp(start, MAGIC)) {
        error_setg(errp, "%s is there and is no snapshot: it is not "
                   "overwritten", path);
        return false;
    }
    return true;
}

/*
 * Reads the first two lines. Sets *head, and returns the offset at which the
 * machine's state begins, or 0 with @errp.
 */
static size_t read_head(const char *data, size_t len, QDict **head,
                        Error **errp)
{
    const char *json, *end;
    g_autofree char *text = NULL;
    QObject *object;
    int version;

    if (len < strlen(MAGIC) || memcmp(data, MAGIC, strlen(MAGIC))) {
        error_setg(errp, "is no snapshot");
        return 0;
    }
    json = memchr(data, '\n', MIN(len, strlen(MAGIC) + 10));
    end = json ? memchr(json + 1, '\n', MIN(len - (json + 1 - data), HEAD_MAX))
               : NULL;
    if (!end) {
        error_setg(errp, "is damaged or cut short");
        return 0;
    }
    version = atoi(data + strlen(MAGIC));
    if (version != FUGU_SNAPSHOT_VERSION) {
        error_setg(errp, "is a snapshot of version %d, and this machine reads "
                   "version %d", version, FUGU_SNAPSHOT_VERSION);
        return 0;
    }
    text = g_strndup(json + 1, end - json - 1);
    object = qobject_from_json(text, NULL);
    *head = qobject_to(QDict, object);
    if (!*head) {
        qobject_unref(object);
        error_setg(errp, "is damaged");
        return 0;
    }
    return end + 1 - data;
}

/* Whether these are a program's entries: the next snapshot gets them too. */
static bool is_program(QDict *program)
{
    const QDictEntry *e = program ? qdict_first(program) : NULL;

    for (; e; e = qdict_next(program, e)) {
        if (!qobject_to(QString, qdict_entry_value(e))) {
            return false;
        }
    }
    return program;
}

static bool check_sum(const char *data, size_t len, Error **errp)
{
    g_autofree char *sum = NULL;

    if (len > TRAILER) {
        sum = sha256_of(data, len - TRAILER);
        if (!memcmp(sum, data + len - TRAILER, DIGITS)) {
            return true;
        }
    }
    error_setg(errp, "is damaged or cut short: its check sum is wrong");
    return false;
}

/*
 * As read_head(). Also checks all that can be checked before the state is
 * loaded: check sum, contents of the head, parameters of the machine.
 */
static size_t open_snapshot(FuguMachineState *m, const char *path,
                            QDict **head, Error **errp)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GMappedFile) map = g_mapped_file_new(path, false, &error);
    const char *data = map ? g_mapped_file_get_contents(map) : NULL;
    size_t len = map ? g_mapped_file_get_length(map) : 0;
    size_t offset;
    QDict *saved;

    if (!map) {
        error_setg(errp, "cannot be read: %s", error->message);
        return 0;
    }
    offset = read_head(data, len, head, errp);
    if (!offset || !check_sum(data, len, errp)) {
        return 0;
    }
    saved = qdict_get_qdict(*head, "parameters");
    if (!saved || !is_program(qdict_get_qdict(*head, "program")) ||
        !qdict_get_try_str(*head, "disk-snapshot")) {
        error_setg(errp, "does not say what it is of");
        return 0;
    }
    return fugu_parameters_check(m, saved, errp) ? offset : 0;
}

static bool load_state(FuguMachineState *m, const char *path, QDict *head,
                       size_t offset, Error **errp)
{
    g_autoptr(QIOChannelFile) ioc = NULL;

    if (!fugu_snapshot_disks_load(m, qdict_get_str(head, "disk-snapshot"),
                                  errp)) {
        return false;
    }
    ioc = qio_channel_file_new_path(path, O_RDONLY, 0, errp);
    return ioc && qio_channel_io_seek(QIO_CHANNEL(ioc), offset, SEEK_SET,
                                      errp) >= 0 &&
           load_vmstate(QIO_CHANNEL(ioc), errp);
}

bool fugu_snapshot_read(FuguMachineState *m, const char *path, Error **errp)
{
    g_autoptr(QDict) head = NULL;
    size_t offset;
    ERRP_GUARD();

    offset = open_snapshot(m, path, &head, errp);
    if (!offset || !load_state(m, path, head, offset, errp)) {
        error_prepend(errp, "%s: ", path);
        return false;
    }
    if (!check_state(m, errp)) {
        error_prepend(errp, "%s: is damaged: ", path);
        return false;
    }
    qobject_unref(m->parts.program);
    m->parts.program = qobject_ref(qdict_get_qdict(head, "program"));
    return true;
}
