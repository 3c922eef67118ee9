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

#include <gst/gles/import/source-private.h>

/* The largest number of copies that records of one source keep, beside those of its upload slots. A
 * queue between two elements can hold many more frames; the second element copies these again. */
#define MAX_RECORDS 8

/* Frames with more memories than this have no record. */
#define MAX_MEMORIES GST_VIDEO_MAX_PLANES

struct _GstGlesUploads {
  gint n_records; /* atomic */
  gint spoiled;   /* atomic: an element wrote a frame that had a record */
};

typedef struct {
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
  return g_atomic_rc_box_new0 (GstGlesUploads);
}

void
gst_gles_uploads_unref (GstGlesUploads *uploads)
{
  if (uploads != NULL)
    g_atomic_rc_box_release (uploads);
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
record_clear (gpointer data)
{
  Record *record = data;

  unlock_memories (record);
  gst_gles_block_unhold (record->block);
  g_atomic_int_add (&record->uploads->n_records, -1);
  gst_gles_uploads_unref (record->uploads);
}

/* ---- the meta ---- */

/* @params: the record, (transfer full). */
static gboolean
meta_init (GstMeta *meta, gpointer params, GstBuffer *buffer)
{
  ((UploadMeta *) meta)->record = params;
  return TRUE;
}

static void
meta_free (GstMeta *meta, GstBuffer *buffer)
{
  g_atomic_rc_box_release_full (((UploadMeta *) meta)->record, record_clear);
}

/* A copy of a buffer that shares its memories shares the record too. */
static gboolean
meta_transform (GstBuffer *target, GstMeta *meta, GstBuffer *source, GQuark type, gpointer data)
{
  const GstMetaTransformCopy *copy = data;

  if (!GST_META_TRANSFORM_IS_COPY (type) || copy->region)
    return FALSE;
  gst_buffer_add_meta (target, meta->info, g_atomic_rc_box_acquire (((UploadMeta *) meta)->record));
  return TRUE;
}

static const GstMetaInfo *
get_info (void)
{
  static const gchar *tags[] = { GST_META_TAG_MEMORY_STR, NULL };
  static gsize info;

  if (g_once_init_enter (&info))
    g_once_init_leave (&info,
        (gsize) gst_meta_register (gst_meta_api_type_register ("GstGlesUploadMetaAPI", tags),
            "GstGlesUploadMeta", sizeof (UploadMeta), meta_init, meta_free, meta_transform));
  return (const GstMetaInfo *) info;
}

static UploadMeta *
get_meta (GstBuffer *buffer)
{
  return (UploadMeta *) gst_buffer_get_meta (buffer, get_info ()->api);
}

/* Removes the record, so that the next writer needs no copy. */
static void
remove_meta (GstBuffer *buffer)
{
  UploadMeta *meta = get_meta (buffer);

  if (meta != NULL)
    gst_buffer_remove_meta (buffer, &meta->meta);
}

void
gst_gles_uploads_record (
    GstGlesUploads *uploads, GstGlesFrameSource *source, GstBuffer *buffer, GstGlesBlock *block)
{
  Record locked = { NULL }, *record;

  remove_meta (buffer);
  if (!lock_memories (&locked, buffer))
    return;
  record = g_atomic_rc_box_dup (sizeof (locked), &locked);
  record->uploads = g_atomic_rc_box_acquire (uploads);
  g_atomic_int_inc (&uploads->n_records);
  record->block = gst_gles_block_hold (block);
  record->n_planes = source->n_planes;
  record->used_planes = source->used_planes;
  memcpy (record->windows, source->windows, sizeof (record->windows));
  memcpy (record->planes, source->planes, sizeof (record->planes));
  gst_buffer_add_meta (buffer, get_info (), record);
}

/* ---- the carrier ---- */

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

/* Returns the block with the copy of @buffer, which @source has mapped, if it has the planes and
 * the layout that @source needs: (transfer none), valid as long as the record is on @buffer; else
 * NULL. */
static GstGlesBlock *
find_block (GstGlesFrameSource *source, GstBuffer *buffer, const Record *record)
{
  if (!has_memories (record, buffer)) {
    g_atomic_int_set (&record->uploads->spoiled, TRUE);
    return NULL;
  }
  return serves (record, source) ? record->block : NULL;
}

static GstGlesCarry
reuse_acquire (GstGlesFrameSource *source, GstBuffer *buffer, GstGlesImage *image,
    GstGlesFrameCost *cost, GError **error)
{
  const UploadMeta *meta = source->on_device ? get_meta (buffer) : NULL;
  GstGlesBlock *block;

  if (meta == NULL)
    return GST_GLES_CARRY_DECLINED;
  if (!gst_gles_frame_source_map (source, buffer, GST_MAP_READ, image, error))
    return GST_GLES_CARRY_FAILED;
  block = find_block (source, buffer, meta->record);
  gst_gles_frame_source_unmap (source);
  if (block == NULL) {
    /* The next carrier copies the frame; the old record would make a writer copy it as well. */
    if (gst_buffer_is_writable (buffer))
      remove_meta (buffer);
    return GST_GLES_CARRY_DECLINED;
  }
  image->buffer =
      gst_gles_block_get_buffer (block, gst_gles_frame_source_is_in_place (source), error);
  if (image->buffer == NULL)
    return GST_GLES_CARRY_FAILED;
  cost->kind = GST_GLES_FRAME_REUSED;
  source->block = gst_gles_block_hold (block);
  return GST_GLES_CARRY_TAKEN;
}

static gboolean
reuse_commit (GstGlesFrameSource *source, GError **error)
{
  return gst_gles_block_commit (source->block, source->queue,
      gst_gles_block_get_size (source->block), gst_gles_frame_source_is_in_place (source), error);
}

static void
reuse_release (GstGlesFrameSource *source)
{
  gst_gles_block_unhold (g_steal_pointer (&source->block));
  if (source->uploads == NULL && gst_buffer_is_writable (source->buffer))
    remove_meta (source->buffer);
}

const GstGlesCarrier gst_gles_carrier_reuse = { .name = "reuse",
  .acquire = reuse_acquire,
  .commit = reuse_commit,
  .release = reuse_release };
