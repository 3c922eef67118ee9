/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Pictures of each format for the twins of the algorithms that read frames, on the device of
 * array_test. */
#ifndef FRAME_CASES_H
#define FRAME_CASES_H

#include <gst/gles/core/mask.h>
#include <gst/gles/import/format.h>

typedef enum {
  CONTENT_ZEROS,
  CONTENT_MAX,
  CONTENT_RAMP,
  CONTENT_CONSTANT,
  CONTENT_TWO_VALUES,
  CONTENT_NOISE,
  CONTENT_SLOPE, /* the frame of the benchmark */
  N_CONTENTS
} Content;

/* How planes lie in memory: as frames arrive (rows and planes begin at multiples of 16 bytes), or
 * anywhere. */
typedef enum {
  STAGED,
  UNALIGNED
} Placement;

/* A picture in host memory and, where the device has GL, on the device. */
typedef struct {
  const gchar *name; /* of the format */
  guint8 *memory;
  gsize size_bytes;
  GstGlesImage host;   /* planes */
  GstGlesImage device; /* buffer */
} Picture;

extern const GstVideoFormat formats[];
extern const guint n_formats, n_basic_formats;

void picture_init (
    Picture *picture, GstVideoFormat format, guint width, guint height, Placement placement);
void picture_fill (Picture *picture, Content content, guint32 seed);
/* Copies the memory to the device. */
void picture_upload (Picture *picture);
void picture_clear (Picture *picture);
/* The image that the device of array_test reads. */
const GstGlesImage *picture_input (const Picture *picture);
/* What a mask includes. */
typedef enum {
  MASK_POLYGONS,
  MASK_MOST,  /* all but a corner */
  MASK_NOISE, /* every pixel by chance */
  MASK_NOTHING,
  N_MASKS
} MaskKind;

/* A mask of the size of @host: (transfer full). */
GstGlesMaskBits *picture_mask (const GstGlesImage *host, MaskKind kind);
/* Return a sample of @host and its depth, or of the luma of three samples, computed in the simplest
 * way. */
guint32 picture_value (const GstGlesImage *host, guint component, gboolean luma, guint x, guint y);
guint picture_depth (const GstGlesImage *host, guint component, gboolean luma);
/* Returns the samples of a channel, or with a negative one of the luma, with 8 bits, a row after
 * the other: (transfer full). */
guint8 *picture_read_8_bits (const GstGlesImage *host, gint channel);

#endif
