/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frames in system memory that an earlier element has copied to the device. A record of the copy
 * travels on the buffer as a meta.
 *
 * The record holds an exclusive lock of each GstMemory of the frame (GST_LOCK_FLAG_EXCLUSIVE). The
 * lock can be taken only while nobody has the memory mapped for writing, and as long as it is held
 * beside the buffer's own, nobody can map the memory for writing: gst_buffer_map() gives a writer a
 * copy of the memory instead, which is another GstMemory. So the bytes of a memory that is still
 * part of the buffer are those that were copied. */
#include "config.h"

#include <string.h>

#include <gst/gles/frame/source-private.h>

/* The largest number of copies that records of one source keep, beside those of its upload slots. A
 * queue between two elements can hold many more frames; the second element copies these again. */
#define MAX_RECORDS 8

/* Frames with more memories than this have no record. */
#define MAX_MEMORIES GST_VIDEO_MAX_PLANES

struct _GstGlesUploads {
  gint ref_count;
  gint n_records; /* atomic */
  gint spoiled;   /* atomic: an element wrote a frame that had a record */
};

typedef struct {
  gint ref_count;
  GstGlesUploads *uploads;
  GstGlesBlock *block;
  GstMemory *memories[MAX_MEMORIES];
  guint n_memories;
  guint n_planes, used_planes;
  GstGlesPlaneWindow windows[GST_VIDEO_MAX_PLANES];
  GstGlesStagedPlane planes[GST_VIDEO_MAX_PLANES];
} Record;

typedef struct {
  GstMeta meta;
  Record *record;
} UploadMeta;

/* ---- uploads ---- */

GstGlesUploads *
gst_gles_uploads_new (void)
{
  GstGlesUploads *uploads = g_new0 (GstGlesUploads, 1);

  uploads->ref_count = 1;
  return uploads;
}

void
gst_gles_uploads_unref (GstGlesUploads *uploads)
{
  if (uploads != NULL && g_atomic_int_dec_and_test (&uploads->ref_count))
    g_free (uploads);
}

gboolean
gst_gles_uploads_wanted (GstGlesUploads *uploads)
{
  return !g_atomic_int_get (&uploads->spoiled) &&
      g_atomic_int_get (&uploads->n_records) < MAX_RECORDS;
}

/* ---- records ---- */

static void
unlock_memories (Record *record)
{
  while (record->n_memories > 0) {
    GstMemory *memory = record->memories[--record->n_memories];

    gst_memory_unlock (memory, GST_LOCK_FLAG_EXCLUSIVE);
    gst_memory_unref (memory);
  }
}

/* Holds and locks the memories of @buffer. FALSE: one of them may be written by others. */
static gboolean
lock_memories (Record *record, GstBuffer *buffer)
{
  const guint n = gst_buffer_n_memory (buffer);

  if (n > MAX_MEMORIES)
    return FALSE;
  for (guint i = 0; i < n; i++) {
    GstMemory *memory = gst_buffer_peek_memory (buffer, i);

    /* The owner of a memory with parts may write to it; other kinds of memory are also written
     * without being mapped. */
    if (memory->parent != NULL || !gst_memory_is_type (memory, GST_ALLOCATOR_SYSMEM) ||
        !gst_memory_lock (memory, GST_LOCK_FLAG_EXCLUSIVE)) {
      unlock_memories (record);
      return FALSE;
    }
    record->memories[record->n_memories++] = gst_memory_ref (memory);
  }
  return TRUE;
}

static gboolean
has_memories (const Record *record, GstBuffer *buffer)
{
  if (gst_buffer_n_memory (buffer) != record->n_memories)
    return FALSE;
  for (guint i = 0; i < record->n_memories; i++) {
    if (gst_buffer_peek_memory (buffer, i) != record->memories[i])
      return FALSE;
  }
  return TRUE;
}

static void
record_unref (Record *record)
{
  if (!g_atomic_int_dec_and_test (&record->ref_count))
    return;
  unlock_memories (record);
  gst_gles_block_unhold (record->block);
  g_atomic_int_add (&record->uploads->n_records, -1);
  gst_gles_uploads_unref (record->uploads);
  g_free (record);
}

static Record *
record_new (
    GstGlesUploads *uploads, GstGlesFrameSource *source, GstBuffer *buffer, GstGlesBlock *block)
{
  Record *record = g_new0 (Record, 1);

  if (!lock_memories (record, buffer)) {
    g_free (record);
    return NULL;
  }
  record->ref_count = 1;
  record->uploads = uploads;
  g_atomic_int_inc (&uploads->ref_count);
  g_atomic_int_inc (&uploads->n_records);
  record->block = gst_gles_block_hold (block);
  record->n_planes = source->n_planes;
  record->used_planes = source->used_planes;
  memcpy (record->windows, source->windows, sizeof (record->windows));
  memcpy (record->planes, source->planes, sizeof (record->planes));
  return record;
}

/* ---- the meta ---- */

static gboolean
meta_init (GstMeta *meta, gpointer params, GstBuffer *buffer)
{
  ((UploadMeta *) meta)->record = NULL;
  return TRUE;
}

static void
meta_free (GstMeta *meta, GstBuffer *buffer)
{
  UploadMeta *self = (UploadMeta *) meta;

  if (self->record != NULL)
    record_unref (self->record);
}

static const GstMetaInfo *get_info (void);

/* A copy of a buffer that shares its memories shares the record too. */
static gboolean
meta_transform (GstBuffer *target, GstMeta *meta, GstBuffer *source, GQuark type, gpointer data)
{
  const UploadMeta *self = (const UploadMeta *) meta;
  const GstMetaTransformCopy *copy = data;
  UploadMeta *added;

  if (!GST_META_TRANSFORM_IS_COPY (type) || copy->region || self->record == NULL)
    return FALSE;
  added = (UploadMeta *) gst_buffer_add_meta (target, get_info (), NULL);
  g_atomic_int_inc (&self->record->ref_count);
  added->record = self->record;
  return TRUE;
}

static GType
get_api (void)
{
  static const gchar *tags[] = { GST_META_TAG_MEMORY_STR, NULL };
  static gsize type;

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, gst_meta_api_type_register ("GstGlesUploadMetaAPI", tags));
  return type;
}

static const GstMetaInfo *
get_info (void)
{
  static gsize info;

  if (g_once_init_enter (&info))
    g_once_init_leave (&info,
        (gsize) gst_meta_register (get_api (), "GstGlesUploadMeta", sizeof (UploadMeta), meta_init,
            meta_free, meta_transform));
  return (const GstMetaInfo *) info;
}

void
gst_gles_uploads_record (
    GstGlesUploads *uploads, GstGlesFrameSource *source, GstBuffer *buffer, GstGlesBlock *block)
{
  Record *record;

  gst_gles_uploads_remove (buffer);
  record = record_new (uploads, source, buffer, block);
  if (record != NULL)
    ((UploadMeta *) gst_buffer_add_meta (buffer, get_info (), NULL))->record = record;
}

/* Whether the copy has what @source needs, where @source expects it. */
static gboolean
serves (const Record *record, const GstGlesFrameSource *source)
{
  if (!gst_gles_block_is_on (record->block, source->queue) ||
      gst_gles_block_get_size (record->block) < source->staged_bytes ||
      record->n_planes != source->n_planes)
    return FALSE;
  for (guint p = 0; p < source->n_planes; p++) {
    const GstGlesPlaneWindow *copied = &record->windows[p], *window = &source->windows[p];
    const GstGlesStagedPlane *at = &record->planes[p], *plane = &source->planes[p];

    if ((source->used_planes & (1u << p)) == 0)
      continue;
    if ((record->used_planes & (1u << p)) == 0 || copied->data != window->data ||
        copied->stride != window->stride || copied->row_bytes != window->row_bytes ||
        copied->rows != window->rows || at->offset != plane->offset || at->stride != plane->stride)
      return FALSE;
  }
  return TRUE;
}

gboolean
gst_gles_uploads_has (GstBuffer *buffer)
{
  return gst_buffer_get_meta (buffer, get_api ()) != NULL;
}

GstGlesBlock *
gst_gles_uploads_find (GstGlesFrameSource *source, GstBuffer *buffer)
{
  const UploadMeta *meta = (const UploadMeta *) gst_buffer_get_meta (buffer, get_api ());

  if (meta == NULL || meta->record == NULL)
    return NULL;
  if (!has_memories (meta->record, buffer)) {
    g_atomic_int_set (&meta->record->uploads->spoiled, TRUE);
    return NULL;
  }
  return serves (meta->record, source) ? meta->record->block : NULL;
}

void
gst_gles_uploads_remove (GstBuffer *buffer)
{
  GstMeta *meta = gst_buffer_get_meta (buffer, get_api ());

  if (meta != NULL)
    gst_buffer_remove_meta (buffer, meta);
}
