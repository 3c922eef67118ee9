/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Segments are files of about a megabyte, NUMBER.spool, of records one behind the other: a head,
 * the topic, the data. The file `position` says where the first record stands that was not
 * acknowledged; without it, or where it says nonsense, all are sent again. What a crash left of a
 * record at the end of a segment is found by its checksum, and what stands behind it is skipped.
 *
 * After a loss of power the disk has what was synced, and any of what was not. Names of segments
 * are synced when a segment begins. A position that names no place of the segments is emptied
 * before another segment begins, because that one may get the number of a segment that is gone. */
#include "spool.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include <glib/gstdio.h>

#define SEGMENT_BYTES (G_GUINT64_CONSTANT (1) << 20)
#define MAGIC 0x47505231u
#define SUFFIX ".spool"
#define MAX_RECORD (G_GUINT64_CONSTANT (1) << 30)

/* In the byte order of the machine: spools do not travel. */
typedef struct {
  guint32 magic, topic_bytes, data_bytes, retain;
  guint64 sum; /* of the members before, the topic and the data */
} Head;

struct _Spool {
  gchar *path;
  guint64 max_bytes;
  PublisherNotify notify;
  gpointer user_data;
  gint lock, position; /* files */
  gint folder;

  guint64 first, last; /* segments, both included; last is written */
  guint64 own;         /* the first segment that this process began */
  guint64 bytes;       /* the size of all segments */
  gint out, in;        /* files of the last segment, and of that which is read; -1: not open */
  guint64 out_bytes;
  /* where the next record is read, and the end of the last record that was acknowledged */
  SpoolPlace read, sent;
  gboolean dirty;
};

void
publish_record_clear (PublishRecord *record)
{
  g_clear_pointer (&record->topic, g_free);
  g_clear_pointer (&record->data, g_bytes_unref);
}

/* @how: such as "is damaged in". */
static void
tell_damage (Spool *self, const gchar *how, guint64 segment)
{
  g_autofree gchar *text = g_strdup_printf ("the spool %s %s segment %" G_GUINT64_FORMAT
                                            ": the lines that stood there are lost",
      self->path, how, segment);

  if (self->notify != NULL)
    self->notify (TRUE, text, self->user_data);
}

/* FNV-1a, which finds what a crash or a disk does by chance. */
static guint64
add_sum (guint64 sum, gconstpointer data, gsize size)
{
  const guint8 *bytes = data;

  for (gsize i = 0; i < size; i++)
    sum = (sum ^ bytes[i]) * G_GUINT64_CONSTANT (0x100000001b3);
  return sum;
}

static guint64
get_sum (const Head *head, const gchar *topic, const gchar *data)
{
  guint64 sum =
      add_sum (G_GUINT64_CONSTANT (0xcbf29ce484222325), head, G_STRUCT_OFFSET (Head, sum));

  return add_sum (add_sum (sum, topic, head->topic_bytes), data, head->data_bytes);
}

/* ---- files ---- */

/* Returns (transfer full). */
static gchar *
get_path (const Spool *self, guint64 segment)
{
  g_autofree gchar *name = g_strdup_printf ("%016" G_GINT64_MODIFIER "x" SUFFIX, segment);

  return g_build_filename (self->path, name, NULL);
}

static guint64
get_size (const Spool *self, guint64 segment)
{
  g_autofree gchar *path = get_path (self, segment);
  GStatBuf about;

  return g_stat (path, &about) == 0 ? (guint64) about.st_size : 0;
}

static gint
open_file (const Spool *self, const gchar *name, gint flags)
{
  g_autofree gchar *path = g_build_filename (self->path, name, NULL);

  return g_open (path, flags | O_CLOEXEC, 0600);
}

static void
close_file (gint *fd)
{
  if (*fd >= 0)
    close (*fd);
  *fd = -1;
}

/* Reads @size bytes. FALSE if the file has fewer, or cannot be read. */
static gboolean
read_at (gint fd, guint64 offset, gpointer data, gsize size)
{
  gchar *target = data;

  while (size > 0) {
    const gssize n = pread (fd, target, size, (off_t) offset);

    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return FALSE;
    target += n;
    offset += (guint64) n;
    size -= (gsize) n;
  }
  return TRUE;
}

static gboolean
write_at (gint fd, guint64 offset, gconstpointer data, gsize size)
{
  const gchar *source = data;

  while (size > 0) {
    const gssize n = pwrite (fd, source, size, (off_t) offset);

    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return FALSE;
    source += n;
    offset += (guint64) n;
    size -= (gsize) n;
  }
  return TRUE;
}

/* Has the disk keep the names in a folder: FALSE with errno. File systems that cannot do so for a
 * folder alone say EINVAL. */
static gboolean
sync_folder (gint fd)
{
  return fsync (fd) == 0 || errno == EINVAL || errno == ENOTSUP;
}

/* Reads the record at @offset of @fd, and the offset of the next: FALSE: there is none, or what is
 * there is damaged, which *@damaged says. @record: (nullable). */
static gboolean
read_record (gint fd, guint64 *offset, PublishRecord *record, gboolean *damaged)
{
  Head head;
  g_autofree gchar *topic = NULL, *data = NULL;
  guint8 byte;

  *damaged = FALSE;
  if (!read_at (fd, *offset, &head, sizeof head)) {
    *damaged = read_at (fd, *offset, &byte, 1);
    return FALSE;
  }
  *damaged = TRUE;
  if (head.magic != MAGIC || (guint64) head.topic_bytes + head.data_bytes > MAX_RECORD)
    return FALSE;
  topic = g_try_malloc (head.topic_bytes + 1);
  data = g_try_malloc (MAX (head.data_bytes, 1));
  if (topic == NULL || data == NULL ||
      !read_at (fd, *offset + sizeof head, topic, head.topic_bytes) ||
      !read_at (fd, *offset + sizeof head + head.topic_bytes, data, head.data_bytes) ||
      get_sum (&head, topic, data) != head.sum)
    return FALSE;
  *damaged = FALSE;
  topic[head.topic_bytes] = '\0';
  *offset += sizeof head + head.topic_bytes + head.data_bytes;
  if (record != NULL)
    *record = (PublishRecord){ .topic = g_steal_pointer (&topic),
      .data = g_bytes_new_take (g_steal_pointer (&data), head.data_bytes),
      .retain = head.retain != 0 };
  return TRUE;
}

/* ---- segments ---- */

/* Returns how many records of @segment stand at *@offset and behind, but before @stop; *@offset
 * becomes the end of the last one. */
static guint64
count_records (const Spool *self, guint64 segment, guint64 *offset, guint64 stop)
{
  g_autofree gchar *path = get_path (self, segment);
  gint fd = g_open (path, O_RDONLY | O_CLOEXEC, 0);
  gboolean damaged;
  guint64 n = 0;

  while (fd >= 0 && *offset < stop && read_record (fd, offset, NULL, &damaged))
    n++;
  close_file (&fd);
  return n;
}

static void
save_position (Spool *self)
{
  gchar text[64];
  const gint n =
      g_snprintf (text, sizeof text, "%016" G_GINT64_MODIFIER "x %016" G_GINT64_MODIFIER "x\n",
          self->sent.segment, self->sent.offset);

  if (!write_at (self->position, 0, text, (gsize) n))
    g_debug ("the position in %s is not written, so records will be sent again", self->path);
}

/* Removes segments before @segment, of which nothing is needed. */
static void
remove_before (Spool *self, guint64 segment)
{
  for (; self->first < segment; self->first++) {
    g_autofree gchar *path = get_path (self, self->first);

    self->bytes -= MIN (self->bytes, get_size (self, self->first));
    g_unlink (path);
  }
  if (self->read.segment < self->first) {
    close_file (&self->in);
    self->read = (SpoolPlace){ self->first, 0 };
  }
  if (self->sent.segment < self->first)
    self->sent = (SpoolPlace){ self->first, 0 };
}

/* Begins another segment, whose name the disk keeps: FALSE with errno. */
static gboolean
begin_segment (Spool *self)
{
  g_autofree gchar *path = get_path (self, self->last + 1);
  const gint fd = g_open (path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

  if (fd < 0)
    return FALSE;
  if (!sync_folder (self->folder)) {
    const gint code = errno;

    close (fd);
    g_unlink (path);
    errno = code;
    return FALSE;
  }
  spool_sync (self);
  close_file (&self->out);
  self->out = fd;
  self->out_bytes = 0;
  self->last++;
  return TRUE;
}

/* Makes room for @size bytes. Returns how many records that costs. */
static guint64
make_room (Spool *self, guint64 size)
{
  guint64 n = 0;

  while (self->bytes + size > self->max_bytes && self->bytes > 0) {
    guint64 offset = self->sent.segment == self->first ? self->sent.offset : 0;

    if (self->first == self->last && !begin_segment (self))
      break;
    n += count_records (self, self->first, &offset, G_MAXUINT64);
    remove_before (self, self->first + 1);
    save_position (self);
  }
  return n;
}

gboolean
spool_append (Spool *self, const PublishRecord *record, guint64 *n_dropped, GError **error)
{
  gsize data_bytes;
  const gchar *data = g_bytes_get_data (record->data, &data_bytes);
  const gsize topic_bytes = strlen (record->topic);
  const gsize size = sizeof (Head) + topic_bytes + data_bytes;
  Head head = { MAGIC, (guint32) topic_bytes, (guint32) data_bytes, record->retain, 0 };
  g_autofree gchar *whole = g_malloc (size);
  gint code;

  if (size > MIN (self->max_bytes, MAX_RECORD)) {
    *n_dropped += 1;
    return TRUE;
  }
  head.sum = get_sum (&head, record->topic, data);
  memcpy (whole, &head, sizeof head);
  memcpy (whole + sizeof head, record->topic, topic_bytes);
  memcpy (whole + sizeof head + topic_bytes, data, data_bytes);
  *n_dropped += make_room (self, size);
  if ((self->out_bytes >= SEGMENT_BYTES && !begin_segment (self)) ||
      !write_at (self->out, self->out_bytes, whole, size)) {
    code = errno;
    if (ftruncate (self->out, (off_t) self->out_bytes) != 0)
      g_debug ("what was written of a record stays behind the end");
    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code),
        "cannot write to the spool %s: %s", self->path, g_strerror (code));
    return FALSE;
  }
  self->out_bytes += size;
  self->bytes += size;
  self->dirty = TRUE;
  return TRUE;
}

gboolean
spool_read (Spool *self, PublishRecord *record, SpoolPlace *end)
{
  while (self->read.segment <= self->last) {
    g_autofree gchar *path = get_path (self, self->read.segment);
    gboolean damaged = FALSE;

    if (self->in < 0)
      self->in = g_open (path, O_RDONLY | O_CLOEXEC, 0);
    if (self->in < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOMEM))
      /* the segment exists, and will be read when the process has free descriptors again */
      return FALSE;
    if (self->in >= 0 && read_record (self->in, &self->read.offset, record, &damaged)) {
      *end = self->read;
      return TRUE;
    }
    if (self->read.segment == self->last)
      return FALSE; /* what is incomplete at the end of the last segment is still being written */
    if (damaged)
      tell_damage (self, "is damaged in", self->read.segment);
    else if (self->in < 0)
      tell_damage (self, "lacks", self->read.segment);
    close_file (&self->in);
    self->read = (SpoolPlace){ self->read.segment + 1, 0 };
  }
  return FALSE;
}

gboolean
spool_is_old (const Spool *self, const SpoolPlace *end)
{
  return end->segment > 0 && end->segment < self->own;
}

void
spool_acknowledge (Spool *self, const SpoolPlace *end)
{
  if (end->segment < self->first)
    return;
  self->sent = *end;
  remove_before (self, end->segment);
  /* all records were sent, so the segment is not needed any more */
  if (self->sent.segment == self->last && self->sent.offset == self->out_bytes &&
      self->out_bytes >= SEGMENT_BYTES && begin_segment (self)) {
    remove_before (self, self->last);
  }
  save_position (self);
}

void
spool_sync (Spool *self)
{
  if (self->dirty && fdatasync (self->out) == 0)
    self->dirty = FALSE;
}

/* ---- opening ---- */

static void
find_segments (Spool *self)
{
  g_autoptr (GDir) folder = g_dir_open (self->path, 0, NULL);
  const gchar *name;

  self->first = G_MAXUINT64;
  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL) {
    g_autofree gchar *digits = g_strndup (name, 16);
    guint64 number;

    if (strlen (name) != 16 + strlen (SUFFIX) || !g_str_has_suffix (name, SUFFIX) ||
        !g_ascii_string_to_unsigned (digits, 16, 1, G_MAXUINT32, &number, NULL))
      continue;
    self->first = MIN (self->first, number);
    self->last = MAX (self->last, number);
    self->bytes += get_size (self, number);
  }
  if (self->first == G_MAXUINT64)
    self->first = 1;
}

/* Whether a record of a segment that is there ends at @place, or the segment begins there. */
static gboolean
is_border (const Spool *self, const SpoolPlace *place)
{
  guint64 offset = 0;

  if (place->segment < self->first || place->segment > self->last)
    return FALSE;
  count_records (self, place->segment, &offset, place->offset);
  return offset == place->offset;
}

/* FALSE with errno: the position is wrong and cannot be emptied. */
static gboolean
load_position (Spool *self)
{
  gchar text[64] = { 0 };
  SpoolPlace place;

  self->sent = (SpoolPlace){ self->first, 0 };
  if (pread (self->position, text, sizeof text - 1, 0) <= 0)
    return TRUE;
  place.segment = g_ascii_strtoull (text, NULL, 16);
  place.offset = strlen (text) > 17 ? g_ascii_strtoull (text + 17, NULL, 16) : 0;
  if (!is_border (self, &place))
    return ftruncate (self->position, 0) == 0 && fdatasync (self->position) == 0;
  self->sent = place;
  return TRUE;
}

/* Makes the folder; what is made is on the disk when this returns. FALSE with errno. */
static gboolean
make_folder (const gchar *path)
{
  g_autofree gchar *parent = g_path_get_dirname (path);
  gboolean done;
  gint fd;

  if (g_file_test (path, G_FILE_TEST_IS_DIR))
    return TRUE;
  if ((!g_str_equal (parent, path) && !make_folder (parent)) ||
      (g_mkdir (path, 0700) != 0 && errno != EEXIST) ||
      (fd = g_open (parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)) < 0)
    return FALSE;
  done = sync_folder (fd);
  close_file (&fd);
  return done;
}

static gboolean
open_files (Spool *self, GError **error)
{
  const gchar *what = "make the folder";

  if (make_folder (self->path)) {
    what = "open files in";
    self->folder = open_file (self, ".", O_RDONLY | O_DIRECTORY);
    self->lock = open_file (self, "lock", O_RDWR | O_CREAT);
    self->position = open_file (self, "position", O_RDWR | O_CREAT);
  }
  if (self->folder < 0 || self->lock < 0 || self->position < 0) {
    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "spool: cannot %s %s: %s", what,
        self->path, g_strerror (errno));
    return FALSE;
  }
  if (flock (self->lock, LOCK_EX | LOCK_NB) != 0) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_BUSY,
        "spool: the folder %s belongs to another publisher: give each its own", self->path);
    return FALSE;
  }
  find_segments (self);
  if (!load_position (self) || !begin_segment (self)) {
    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "spool: cannot write to %s: %s",
        self->path, g_strerror (errno));
    return FALSE;
  }
  self->own = self->last;
  self->read = self->sent;
  remove_before (self, self->sent.segment);
  return TRUE;
}

Spool *
spool_open (const gchar *path, guint64 max_bytes, PublisherNotify notify, gpointer user_data,
    GError **error)
{
  Spool *self = g_new0 (Spool, 1);

  self->path = g_strdup (path);
  self->max_bytes = max_bytes;
  self->notify = notify;
  self->user_data = user_data;
  self->folder = self->lock = self->position = self->out = self->in = -1;
  if (!open_files (self, error))
    g_clear_pointer (&self, spool_close);
  return self;
}

void
spool_close (Spool *self)
{
  if (self->out >= 0)
    spool_sync (self);
  close_file (&self->out);
  close_file (&self->in);
  close_file (&self->position);
  close_file (&self->lock);
  close_file (&self->folder);
  g_free (self->path);
  g_free (self);
}
