/*
 * The files of a node (see files.h)
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include <glib/gstdio.h>
#include "qapi/error.h"
#include "qemu/error-report.h"
#include "migration/qemu-file-types.h"
#include "migration/vmstate.h"
#include "hw/fugu/devices/device.h"
#include "hw/fugu/devices/files.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/trace.h"

#define LOST_MAX        8       /* messages about files that are not written */

typedef struct FuguFile {
    uint32_t id;
    char *name;                 /* NULL: unlinked */
    uint32_t opens;             /* times that it has been opened, and not closed */
    GByteArray *data;
} FuguFile;

static void file_free(void *opaque)
{
    FuguFile *file = opaque;

    g_free(file->name);
    g_byte_array_unref(file->data);
    g_free(file);
}

static FuguFile *file_new(uint32_t id, const char *name, uint32_t opens)
{
    FuguFile *file = g_new(FuguFile, 1);

    *file = (FuguFile) { id, g_strdup(name), opens, g_byte_array_new() };
    return file;
}

static FuguFile *file_by_id(FuguFiles *s, uint32_t id)
{
    for (unsigned i = 0; i < s->files->len; i++) {
        FuguFile *file = g_ptr_array_index(s->files, i);

        if (file->id == id) {
            return file;
        }
    }
    return NULL;
}

static FuguFile *file_by_name(FuguFiles *s, const char *name)
{
    for (unsigned i = 0; i < s->files->len; i++) {
        FuguFile *file = g_ptr_array_index(s->files, i);

        if (file->name && !strcmp(file->name, name)) {
            return file;
        }
    }
    return NULL;
}

/* Whether the name is that of a node's directory: "node" and a number. */
static bool is_of_node(const char *name)
{
    return g_str_has_prefix(name, "node") && name[4] &&
           strspn(name + 4, "0123456789") == strlen(name + 4);
}

/*
 * Whether a file can have the name, which may have folders: it must not lead out of
 * the node's directory, and not be in the way of the directories of the nodes.
 */
static bool is_name(const char *name, size_t len)
{
    g_auto(GStrv) parts = NULL;

    if (!len || len > FUGU_FILES_NAME_MAX || strlen(name) != len) {
        return false;
    }
    parts = g_strsplit(name, "/", -1);
    for (unsigned i = 0; parts[i]; i++) {
        if (!parts[i][0] || !strcmp(parts[i], ".") || !strcmp(parts[i], "..")) {
            return false;
        }
    }
    return !is_of_node(parts[0]);
}

static bool is_folder_of(const char *folder, const char *name)
{
    size_t len = strlen(folder);

    return !strncmp(folder, name, len) && name[len] == '/';
}

/* Whether the name is that of a folder of a file, or has a file for a folder. */
static bool is_in_the_way(FuguFiles *s, const char *name)
{
    for (unsigned i = 0; i < s->files->len; i++) {
        const FuguFile *file = g_ptr_array_index(s->files, i);

        if (file->name && (is_folder_of(name, file->name) ||
                           is_folder_of(file->name, name))) {
            return true;
        }
    }
    return false;
}

static const char *name_of(const FuguFiles *s)
{
    return (const char *)s->name;
}

/* Sets the length of a file; new bytes are 0. Returns a FUGU_FILES_* result. */
static uint32_t file_resize(FuguFiles *s, FuguFile *file, uint64_t bytes)
{
    uint64_t others = s->bytes - file->data->len;
    unsigned old = file->data->len;

    if (bytes > old && others + bytes > s->node->machine->options.output_max) {
        return FUGU_FILES_FULL;
    }
    g_byte_array_set_size(file->data, bytes);
    if (bytes > old) {
        memset(file->data->data + old, 0, bytes - old);
    }
    s->bytes = others + bytes;
    return 0;
}

/* Frees the file if it can no longer be reached: it has no name, and is not open. */
static void file_drop_unreachable(FuguFiles *s, FuguFile *file)
{
    if (!file->name && !file->opens) {
        s->bytes -= file->data->len;
        g_ptr_array_remove(s->files, file);
    }
}

static void file_unlink(FuguFiles *s, FuguFile *file)
{
    g_clear_pointer(&file->name, g_free);
    file_drop_unreachable(s, file);
}

/* ---- Commands ----------------------------------------------------------- */

/* Gives a file another name. A file that had that name is unlinked. */
static void file_rename(FuguFiles *s, FuguFile *file, const char *name)
{
    FuguFile *old = file_by_name(s, name);

    if (old && old != file) {
        file_unlink(s, old);
    }
    g_free(file->name);
    file->name = g_strdup(name);
}

static uint32_t files_create(FuguFiles *s)
{
    if (file_by_name(s, name_of(s))) {
        return FUGU_FILES_EXISTS;
    }
    if (s->files->len == FUGU_FILES_MAX || s->next_id == UINT32_MAX) {
        return FUGU_FILES_FULL;
    }
    s->id = s->next_id++;
    g_ptr_array_add(s->files, file_new(s->id, name_of(s), 0));
    return 0;
}

/* Commands that look for the file by its name. */
static uint32_t files_by_name(FuguFiles *s, uint32_t command)
{
    FuguFile *file = file_by_name(s, name_of(s));

    if (!file) {
        return FUGU_FILES_MISSING;
    }
    s->id = file->id;
    if (command == FUGU_FILES_UNLINK) {
        file_unlink(s, file);
    }
    return 0;
}

static uint32_t file_open(FuguFile *file)
{
    if (file->opens == UINT32_MAX) {
        return FUGU_FILES_FULL;
    }
    file->opens++;
    return 0;
}

static uint32_t file_close(FuguFiles *s, FuguFile *file)
{
    if (!file->opens) {
        return FUGU_FILES_CLOSED;
    }
    file->opens--;
    file_drop_unreachable(s, file);
    return 0;
}

/* Commands on the file of number s->id. */
static uint32_t files_by_id(FuguFiles *s, uint32_t command)
{
    FuguFile *file = file_by_id(s, s->id);

    if (!file) {
        return FUGU_FILES_MISSING;
    }
    switch (command) {
    case FUGU_FILES_RENAME:
        file_rename(s, file, name_of(s));
        return 0;
    case FUGU_FILES_RESIZE:
        return file_resize(s, file, s->position);
    case FUGU_FILES_OPEN:
        return file_open(file);
    default:
        return file_close(s, file);
    }
}

static bool uses_name(uint32_t command)
{
    return command >= FUGU_FILES_FIND && command <= FUGU_FILES_RENAME;
}

static uint32_t files_do(FuguFiles *s, uint32_t command)
{
    if (uses_name(command) && !is_name(name_of(s), s->name_len)) {
        return FUGU_FILES_BAD_NAME;
    }
    if ((command == FUGU_FILES_CREATE || command == FUGU_FILES_RENAME) &&
        is_in_the_way(s, name_of(s))) {
        return FUGU_FILES_BAD_NAME;
    }
    switch (command) {
    case FUGU_FILES_FIND:
    case FUGU_FILES_UNLINK:
        return files_by_name(s, command);
    case FUGU_FILES_CREATE:
        return files_create(s);
    default:
        return files_by_id(s, command);
    }
}

static void files_command(FuguFiles *s, uint32_t command)
{
    s->result = files_do(s, command);
    trace_fugu_files_command(s->node->number, fugu_node_time(s->node), command,
                             s->id, s->result);
    if (uses_name(command)) {
        memset(s->name, 0, sizeof(s->name));
        s->name_len = 0;
    }
}

/* ---- Registers ---------------------------------------------------------- */

static void files_name(FuguFiles *s, uint8_t byte)
{
    if (s->name_len < FUGU_FILES_NAME_MAX) {
        s->name[s->name_len] = byte;
    }
    s->name_len = MIN(s->name_len + 1, FUGU_FILES_NAME_MAX + 1);
}

static uint32_t files_get(FuguFiles *s)
{
    FuguFile *file = file_by_id(s, s->id);
    uint32_t byte;

    if (!file || s->position >= file->data->len) {
        return -1;
    }
    byte = file->data->data[s->position];
    if (!fugu_device_peeked()) {
        s->position++;
    }
    return byte;
}

static void files_put(FuguFiles *s, uint8_t byte)
{
    FuguFile *file = file_by_id(s, s->id);

    if (!file) {
        s->result = FUGU_FILES_MISSING;
        return;
    }
    s->result = s->position < file->data->len
        ? 0 : file_resize(s, file, s->position + 1ULL);
    if (s->result == 0) {
        file->data->data[s->position++] = byte;
    }
}

static uint64_t files_read(void *opaque, hwaddr addr, unsigned size)
{
    FuguFiles *s = opaque;
    FuguFile *file;

    if (size == 4) {
        switch (addr) {
        case FUGU_FILES_ID:
            return s->id;
        case FUGU_FILES_POSITION:
            return s->position;
        case FUGU_FILES_RESULT:
            return s->result;
        case FUGU_FILES_SIZE:
            file = file_by_id(s, s->id);
            return file ? file->data->len : UINT32_MAX;
        case FUGU_FILES_DATA:
            return files_get(s);
        }
    }
    return fugu_device_bad_read(s->node, TYPE_FUGU_FILES, addr, size);
}

static void files_write(void *opaque, hwaddr addr, uint64_t value,
                        unsigned size)
{
    FuguFiles *s = opaque;

    if (size == 4) {
        switch (addr) {
        case FUGU_FILES_NAME:
            files_name(s, value);
            return;
        case FUGU_FILES_ID:
            s->id = value;
            return;
        case FUGU_FILES_POSITION:
            s->position = value;
            return;
        case FUGU_FILES_COMMAND:
            if (value < FUGU_FILES_FIND || value > FUGU_FILES_CLOSE) {
                break;
            }
            files_command(s, value);
            return;
        case FUGU_FILES_DATA:
            files_put(s, value);
            return;
        }
    }
    fugu_device_bad_write(s->node, TYPE_FUGU_FILES, addr, size, value);
}

static const MemoryRegionOps files_ops =
    FUGU_DEVICE_OPS(files_read, files_write);

/* ---- The host ----------------------------------------------------------- */

/* Makes the folders of a file. A symbolic link does not count as a folder, since it
 * may lead outside. */
static bool make_folders(const char *directory, const char *name, Error **errp)
{
    for (const char *end = strchr(name, '/'); end; end = strchr(end + 1, '/')) {
        g_autofree char *part = g_strndup(name, end - name);
        g_autofree char *path = g_build_filename(directory, part, NULL);
        GStatBuf info;

        if (g_mkdir(path, 0777) && errno != EEXIST) {
            error_setg_errno(errp, errno, "the folder %s for the program's "
                             "files cannot be made", path);
            return false;
        }
        if (g_lstat(path, &info) || !S_ISDIR(info.st_mode)) {
            error_setg(errp, "%s is no folder, so the program's file %s cannot "
                       "be written", path, name);
            return false;
        }
    }
    return true;
}

static bool write_one(const char *directory, const FuguFile *file,
                      Error **errp)
{
    g_autofree char *path = g_build_filename(directory, file->name, NULL);
    g_autoptr(GError) error = NULL;

    if (!make_folders(directory, file->name, errp)) {
        return false;
    }
    /* Replaces a symbolic link, instead of writing where it leads. */
    if (!g_file_set_contents(path, (char *)file->data->data ?: "",
                             file->data->len, &error)) {
        error_setg(errp, "the program's file cannot be written: %s",
                   error->message);
        return false;
    }
    return true;
}

static char *directory_of(FuguFiles *s)
{
    g_autofree char *own = g_strdup_printf("node%u", s->node->number);

    return g_build_filename(s->node->machine->options.output,
                            s->node->number ? own : NULL, NULL);
}

/* Prints why a file was not written, unless it has printed enough of that. The
 * program chose the file's name: bytes that a terminal obeys are left out. */
static void tell(Error *err, unsigned told)
{
    g_autofree char *text = g_strdup(error_get_pretty(err));

    for (char *p = text; *p; p++) {
        *p = g_ascii_iscntrl(*p) ? '?' : *p;
    }
    if (told < LOST_MAX) {
        error_printf("fugu: %s\n", text);
    }
    error_free(err);
}

/* Writes a node's files, also those after one that cannot be written. Adds the
 * number of those that were not written to *@lost. */
static void write_node(FuguFiles *s, unsigned *lost)
{
    g_autofree char *directory = directory_of(s);

    for (unsigned i = 0; i < s->files->len; i++) {
        const FuguFile *file = g_ptr_array_index(s->files, i);
        Error *err = NULL;

        if (!file->name) {
            continue;
        }
        if (g_mkdir_with_parents(directory, 0777)) {
            error_setg_errno(&err, errno, "the directory %s for the program's "
                             "files cannot be made", directory);
        }
        if (err || !write_one(directory, file, &err)) {
            tell(err, (*lost)++);
        }
    }
}

uint32_t fugu_files_write_all(FuguMachineState *m)
{
    unsigned lost = 0;

    if (m->options.output) {
        for (uint32_t i = m->parts.first; i < m->parts.end; i++) {
            write_node(m->parts.nodes[i]->files, &lost);
        }
    }
    if (lost > LOST_MAX) {
        error_printf("fugu: %u more of the program's files cannot be written\n",
                     lost - LOST_MAX);
    }
    return lost ? FUGU_STATUS_FILE : 0;
}

/* ---- State -------------------------------------------------------------- */

static int files_put_state(QEMUFile *f, void *pv, size_t size,
                           const VMStateField *field, JSONWriter *vmdesc)
{
    GPtrArray *files = *(GPtrArray **)pv;

    qemu_put_be32(f, files->len);
    for (unsigned i = 0; i < files->len; i++) {
        const FuguFile *file = g_ptr_array_index(files, i);
        size_t len = file->name ? strlen(file->name) : 0;

        qemu_put_be32(f, file->id);
        qemu_put_be32(f, len);
        qemu_put_buffer(f, (const uint8_t *)file->name, len);
        qemu_put_be32(f, file->opens);
        qemu_put_be32(f, file->data->len);
        qemu_put_buffer(f, file->data->data, file->data->len);
    }
    return 0;
}

/* Loads a file. Returns NULL if there can be no such file. */
static FuguFile *file_load(FuguFiles *s, QEMUFile *f)
{
    char name[FUGU_FILES_NAME_MAX + 1] = "";
    uint32_t id = qemu_get_be32(f), len = qemu_get_be32(f), opens, bytes;
    FuguFile *file;

    if (len > FUGU_FILES_NAME_MAX) {
        return NULL;
    }
    qemu_get_buffer(f, (uint8_t *)name, len);
    opens = qemu_get_be32(f);
    bytes = qemu_get_be32(f);
    if ((!len && !opens) || (len && !is_name(name, len)) ||
        file_by_id(s, id) || (len && file_by_name(s, name)) ||
        (len && is_in_the_way(s, name)) ||
        s->bytes + bytes > s->node->machine->options.output_max) {
        return NULL;
    }
    file = file_new(id, len ? name : NULL, opens);
    file_resize(s, file, bytes);
    if (qemu_get_buffer(f, file->data->data, bytes) != bytes) {
        file_free(file);
        return NULL;
    }
    return file;
}

static int files_get_state(QEMUFile *f, void *pv, size_t size,
                           const VMStateField *field)
{
    FuguFiles *s = container_of(pv, FuguFiles, files);
    uint32_t count = qemu_get_be32(f);

    g_ptr_array_set_size(s->files, 0);
    s->bytes = 0;
    if (count > FUGU_FILES_MAX) {
        return -EINVAL;
    }
    for (uint32_t i = 0; i < count; i++) {
        FuguFile *file = file_load(s, f);

        if (!file) {
            return -EINVAL;
        }
        g_ptr_array_add(s->files, file);
    }
    return 0;
}

static const VMStateInfo vmstate_info_files = {
    .name = TYPE_FUGU_FILES "/files",
    .put = files_put_state,
    .get = files_get_state,
};

static int files_post_load(void *opaque, int version_id)
{
    FuguFiles *s = opaque;

    s->name[FUGU_FILES_NAME_MAX] = '\0';
    return s->name_len <= FUGU_FILES_NAME_MAX + 1 ? 0 : -EINVAL;
}

const VMStateDescription vmstate_fugu_files = {
    .name = TYPE_FUGU_FILES,
    .version_id = 2,
    .minimum_version_id = 2,
    .post_load = files_post_load,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT8_ARRAY(name, FuguFiles, FUGU_FILES_NAME_MAX + 1),
        VMSTATE_UINT32(name_len, FuguFiles),
        VMSTATE_UINT32(id, FuguFiles),
        VMSTATE_UINT32(position, FuguFiles),
        VMSTATE_UINT32(result, FuguFiles),
        VMSTATE_SINGLE(files, FuguFiles, 0, vmstate_info_files, GPtrArray *),
        VMSTATE_UINT32(next_id, FuguFiles),
        VMSTATE_END_OF_LIST()
    }
};

/* ---- Device ------------------------------------------------------------- */

static void files_reset_hold(Object *obj, ResetType type)
{
    FuguFiles *s = FUGU_FILES(obj);

    memset(s->name, 0, sizeof(s->name));
    s->name_len = 0;
    s->id = s->position = s->result = 0;
    g_ptr_array_set_size(s->files, 0);
    s->next_id = 0;
    s->bytes = 0;
}

static void files_init(Object *obj)
{
    FUGU_FILES(obj)->files = g_ptr_array_new_with_free_func(file_free);
}

static void files_finalize(Object *obj)
{
    g_ptr_array_unref(FUGU_FILES(obj)->files);
}

static void files_realize(DeviceState *dev, Error **errp)
{
    FuguFiles *s = FUGU_FILES(dev);

    memory_region_init_io(&s->mmio, OBJECT(s), &files_ops, s, TYPE_FUGU_FILES,
                          FUGU_DEVICE_PAGE);
}

static void files_class_init(ObjectClass *klass, void *data)
{
    DeviceClass *dc = DEVICE_CLASS(klass);
    ResettableClass *rc = RESETTABLE_CLASS(klass);

    dc->desc = "FUGU files of a node";
    dc->realize = files_realize;
    dc->user_creatable = false;
    rc->phases.hold = files_reset_hold;
}

static const TypeInfo files_types[] = {
    {
        .name = TYPE_FUGU_FILES,
        .parent = TYPE_DEVICE,
        .instance_size = sizeof(FuguFiles),
        .instance_init = files_init,
        .instance_finalize = files_finalize,
        .class_init = files_class_init,
    },
};

DEFINE_TYPES(files_types)
