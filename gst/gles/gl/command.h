/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Recorded submissions: recorder.c makes them, submission.c writes them, batch.c and replay.c
 * execute them. */
#ifndef GST_GLES_COMMAND_H
#define GST_GLES_COMMAND_H

#include <gst/gles/gl/buffer.h>
#include <gst/gles/gl/gl-private.h>
#include <gst/gles/gl/program.h>

/* Commands are contiguous in a byte array; each starts at a multiple of 8 bytes. */
typedef enum {
  GST_GLES_COMMAND_DISPATCH,
  GST_GLES_COMMAND_COPY,
  GST_GLES_COMMAND_WRITE,
  GST_GLES_COMMAND_CALL
} GstGlesCommandType;

typedef struct {
  guint32 type;
  guint32 size_bytes; /* distance to the next command */
} GstGlesCommand;

/* A storage block, or a buffer texture over the whole buffer. NULL leaves the binding unchanged. */
typedef struct {
  GstGlesBuffer *buffer;
  gsize offset_bytes, size_bytes;
  gboolean texels;
} GstGlesBoundRange;

/* Followed by n_bindings times GstGlesBoundRange and by params_bytes bytes of parameters. */
typedef struct {
  GstGlesCommand command;
  GstGlesProgram *program;
  GstGlesBuffer *indirect; /* NULL: the group counts are in groups */
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

/* A write of bytes from the host. If @data is NULL, the bytes follow the command. */
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

typedef struct _GstGlesRecorder GstGlesRecorder;
typedef struct _GstGlesSubmission GstGlesSubmission;

typedef struct {
  const GstGlesHook *hook;
  gpointer user_data;
} GstGlesHookCall;

/* A submission while it is recorded and in flight. */
struct _GstGlesSubmission {
  GstGlesWork work;
  GstGlesQueue *queue;
  GstGlesRecorder *recorder;
  GstGlesSubmission *next; /* in the recorder's list, then in a chain of a batch */
  guint depth;             /* begins without an end so far */
  gboolean is_gl;
  gboolean calls;      /* has a recorded call */
  gboolean awaits;     /* some of the programs are in the making */
  gboolean is_foreign; /* reads what was written without OpenGL ES */
  GError *failure;     /* the first error of recording */
  GstGlesTimer *timer;

  GByteArray *commands;
  GPtrArray *buffers, *programs; /* references, held until the commands are executed */
  GPtrArray *blocks;             /* heap memory that commands point to */
  GPtrArray *transfers;          /* GstGlesTransfer: end before the commands are executed */
  GArray *hooks;                 /* of GstGlesHookCall */
};

/* Returns the submission that this thread has open on @queue, or NULL. */
GstGlesSubmission *gst_gles_submission_find (GstGlesQueue *queue);

/* Waits for the programs of @submission, which no longer changes. If one cannot be built, the
 * submission fails: it keeps the error, and its hooks get it in their turn. */
void gst_gles_submission_await_programs (GstGlesSubmission *submission);

/* Executes the submissions from @first on that can be executed together, at most @n. They are
 * linked by next up to NULL; those that share a buffer are executed in their order. Sets the error
 * of each that fails. Call on the device's thread.
 *
 * Returns: how many were executed, at least one. */
guint gst_gles_batch_execute (GstGlesShare *share, GstGlesWork *first, guint n);

/* Issues the GL calls of one command. @written is of the chain of commands that may depend on each
 * other, and is zero at its begin: a barrier comes first if the chain needs one. Call this and the
 * next function on the device's thread. Errors: NO_MEMORY, FAILED. */
gboolean gst_gles_replay_command (
    GstGlesShare *share, const GstGlesCommand *command, guint64 *written, GError **error);

/* Ends a number of commands. Errors: what OpenGL ES reports of any of them. */
gboolean gst_gles_replay_finish (GstGlesShare *share, GError **error);

#endif
