/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The kernel that replaces what later frames are compared with: the frame itself, or a running
 * average of each sample. */
#ifndef GST_GLES_FRAME_REFERENCE_H
#define GST_GLES_FRAME_REFERENCE_H

#include <gst/gles/gl/image.h>
#include <gst/gles/gl/submission.h>

G_BEGIN_DECLS

typedef enum {
  GST_GLES_FRAME_REFERENCE_KEEP,    /* words of the picture, as they are */
  GST_GLES_FRAME_REFERENCE_BYTES,   /* averages of bytes, also rounded as a picture */
  GST_GLES_FRAME_REFERENCE_SAMPLES, /* averages of the samples of a component */
  GST_GLES_FRAME_REFERENCE_LUMA,    /* averages of luma, of three components */
  GST_GLES_FRAME_N_REFERENCES
} GstGlesFrameReferenceKind;

/* A call. Averages are a word for each byte or sample, with 16 fractional bits. */
typedef struct {
  const GstGlesImage *format;         /* the matrix */
  const GstGlesComponent *components; /* the component, or three of luma */
  GstGlesBinding image;
  gsize from;              /* the first byte of the picture that is kept, a multiple of 16 */
  GstGlesBinding averages; /* not with KEEP */
  GstGlesBinding kept;     /* KEEP, BYTES: a picture */
  guint n;                 /* words of the picture, or samples */
  guint weight;            /* of this frame in the averages */
  gboolean first;          /* there are no averages yet */
} GstGlesFrameReferenceCall;

GstGlesProgram *gst_gles_frame_reference_get_program (
    GstGlesQueue *queue, GstGlesFrameReferenceKind kind, GError **error);

/* Inside a submission. @program: of @kind */
gboolean gst_gles_frame_reference_run (GstGlesQueue *queue, GstGlesProgram *program,
    GstGlesFrameReferenceKind kind, const GstGlesFrameReferenceCall *call, GError **error);

/* Returns the weight of a frame, where GST_GLES_CPU_FRAME_BACKGROUND_ONE is 1, with which 5 % of a
 * change are left after @adaptation frames. */
guint gst_gles_frame_reference_weight (guint adaptation);

void gst_gles_frame_reference_specialisations (GstGlesSpecialisationFunc func, gpointer user_data);

G_END_DECLS

#endif
