/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Recorded submissions: what submission.c writes and replay.c executes. */
#ifndef GST_GLES_COMMAND_H
#define GST_GLES_COMMAND_H

#include <gst/gles/gl/gl-private.h>

/* Commands lie one behind the other in a byte array, each at a multiple of 8 bytes. */
typedef enum {
  GST_GLES_COMMAND_DISPATCH,
  GST_GLES_COMMAND_COPY,
  GST_GLES_COMMAND_WRITE,
  GST_GLES_COMMAND_CALL
} GstGlesCommandType;

typedef struct {
  guint32 type;
  guint32 size_bytes; /* to the next command */
} GstGlesCommand;

/* A storage block, or a buffer texture over the whole buffer. A NULL buffer leaves it as it is. */
typedef struct {
  GstGlesBuffer *buffer;
  gsize offset_bytes, size_bytes;
  gboolean texels;
} GstGlesBoundRange;

/* Followed by n_bindings of GstGlesBoundRange and by params_bytes of parameters. */
typedef struct {
  GstGlesCommand command;
  GstGlesProgram *program;
  GstGlesBuffer *indirect; /* NULL: groups counts */
  gsize indirect_offset;
  guint32 groups[3];
  guint32 n_bindings;
  guint32 params_bytes;
  guint32 flags; /* GstGlesDispatchFlags */
} GstGlesDispatchCommand;

typedef struct {
  GstGlesCommand command;
  GstGlesBuffer *source, *target;
  gsize source_offset, target_offset, size_bytes;
} GstGlesCopyCommand;

/* Bytes from the host. Followed by them where @data is NULL. */
typedef struct {
  GstGlesCommand command;
  GstGlesBuffer *target;
  gsize offset_bytes, size_bytes;
  const guint8 *data;
} GstGlesWriteCommand;

typedef struct {
  GstGlesCommand command;
  GstGlesReplayFunc func;
  gpointer user_data;
} GstGlesCallCommand;

/* On the device's thread: issues the GL calls of @commands. Errors: NO_MEMORY, FAILED. */
gboolean gst_gles_replay (GstGlesShare *share, GByteArray *commands, GError **error);

#endif
