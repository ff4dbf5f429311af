/*
 * The list of a node's files: names, numbers and contents, in the host's memory
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "migration/qemu-file-types.h"
#include "hw/fugu/devices/file-list.h"

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

void fugu_file_list_init(FuguFileList *s)
{
    s->files = g_ptr_array_new_with_free_func(file_free);
}

void fugu_file_list_clear(FuguFileList *s)
{
    g_ptr_array_set_size(s->files, 0);
    s->next_id = 0;
    s->bytes = 0;
}

void fugu_file_list_finalize(FuguFileList *s)
{
    g_ptr_array_unref(s->files);
}

FuguFile *fugu_file_by_id(const FuguFileList *s, uint32_t id)
{
    for (unsigned i = 0; i < s->files->len; i++) {
        FuguFile *file = g_ptr_array_index(s->files, i);

        if (file->id == id) {
            return file;
        }
    }
    return NULL;
}

FuguFile *fugu_file_by_name(const FuguFileList *s, const char *name)
{
    for (unsigned i = 0; i < s->files->len; i++) {
        FuguFile *file = g_ptr_array_index(s->files, i);

        if (file->name && !strcmp(file->name, name)) {
            return file;
        }
    }
    return NULL;
}

/* ---- Names --------------------------------------------------------------- */

/* Whether the name is that of a node's directory: "node" and a number. */
static bool is_of_node(const char *name)
{
    return g_str_has_prefix(name, "node") && name[4] &&
           strspn(name + 4, "0123456789") == strlen(name + 4);
}

bool fugu_file_is_name(const char *name, size_t len)
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

bool fugu_file_is_in_the_way(const FuguFileList *s, const char *name)
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

/* ---- Changes ------------------------------------------------------------- */

FuguFile *fugu_file_create(FuguFileList *s, const char *name)
{
    FuguFile *file;

    if (s->files->len == FUGU_FILES_MAX || s->next_id == UINT32_MAX) {
        return NULL;
    }
    file = file_new(s->next_id++, name, 0);
    g_ptr_array_add(s->files, file);
    return file;
}

uint32_t fugu_file_resize(FuguFileList *s, FuguFile *file, uint64_t bytes)
{
    uint64_t others = s->bytes - file->data->len;
    unsigned old = file->data->len;

    if (bytes > old && others + bytes > s->most) {
        return FUGU_FILES_FULL;
    }
    g_byte_array_set_size(file->data, bytes);
    if (bytes > old) {
        memset(file->data->data + old, 0, bytes - old);
    }
    s->bytes = others + bytes;
    return 0;
}

void fugu_file_drop_unreachable(FuguFileList *s, FuguFile *file)
{
    if (!file->name && !file->opens) {
        s->bytes -= file->data->len;
        g_ptr_array_remove(s->files, file);
    }
}

void fugu_file_unlink(FuguFileList *s, FuguFile *file)
{
    g_clear_pointer(&file->name, g_free);
    fugu_file_drop_unreachable(s, file);
}

void fugu_file_rename(FuguFileList *s, FuguFile *file, const char *name)
{
    FuguFile *old = fugu_file_by_name(s, name);

    if (old && old != file) {
        fugu_file_unlink(s, old);
    }
    g_free(file->name);
    file->name = g_strdup(name);
}

/* ---- State --------------------------------------------------------------- */

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
static FuguFile *file_load(FuguFileList *s, QEMUFile *f)
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
    if ((!len && !opens) || (len && !fugu_file_is_name(name, len)) ||
        fugu_file_by_id(s, id) || (len && fugu_file_by_name(s, name)) ||
        (len && fugu_file_is_in_the_way(s, name)) ||
        s->bytes + bytes > s->most) {
        return NULL;
    }
    file = file_new(id, len ? name : NULL, opens);
    fugu_file_resize(s, file, bytes);
    if (qemu_get_buffer(f, file->data->data, bytes) != bytes) {
        file_free(file);
        return NULL;
    }
    return file;
}

static int files_get_state(QEMUFile *f, void *pv, size_t size,
                           const VMStateField *field)
{
    FuguFileList *s = container_of(pv, FuguFileList, files);
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
    .name = "fugu-files/files",
    .put = files_put_state,
    .get = files_get_state,
};

const VMStateDescription vmstate_fugu_file_list = {
    .name = "fugu-files/list",
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_SINGLE(files, FuguFileList, 0, vmstate_info_files, GPtrArray *),
        VMSTATE_UINT32(next_id, FuguFileList),
        VMSTATE_END_OF_LIST()
    }
};
