/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Pictures and configurations for the histogram's twin test and benchmark. */
#ifndef HISTOGRAM_CASES_H
#define HISTOGRAM_CASES_H

#include <gst/gles/algo/frame/frame-histogram.h>
#include <gst/gles/frame/format.h>

typedef enum {
  PATTERN_ZEROS,
  PATTERN_MAX,
  PATTERN_RAMP,
  PATTERN_CONSTANT,
  PATTERN_TWO_VALUES,
  PATTERN_NOISE,
  PATTERN_SLOPE, /* the frame of the benchmark */
  N_PATTERNS
} Pattern;

/* How planes lie in memory: as frames arrive (rows and planes begin at multiples of 16 bytes), or
 * anywhere. */
typedef enum {
  STAGED,
  UNALIGNED
} Placement;

/* A picture in host memory and, where the device has GL, on the device. */
typedef struct {
  guint8 *memory;
  gsize size_bytes;
  GstGlesImage host;   /* planes */
  GstGlesImage device; /* buffer */
} Picture;

void picture_init (Picture *picture, GstGlesQueue *queue, GstVideoFormat format, guint width,
    guint height, Placement placement);
void picture_fill (Picture *picture, GstGlesQueue *queue, Pattern pattern, guint32 seed);
void picture_clear (Picture *picture);
/* Return a sample of @host, and the luma of three samples, computed in the simplest way. */
guint32 picture_load (const GstGlesImage *host, guint component, guint x, guint y);
guint32 picture_load_luma (const GstGlesImage *host, guint x, guint y);

typedef struct {
  guint width, height;
  guint x, y, region_width, region_height; /* all 0: the whole picture */
  guint columns, rows;
  guint bins;
} Case;

extern const Case cases[];
extern const guint n_cases;
extern const GstVideoFormat formats[];
extern const guint n_formats, n_basic_formats;

GstGlesHistogramConfig case_config (const Case *c);

/* Computes the expected counts by a plain loop: `layout` words. */
void oracle_count (const GstGlesImage *host, const GstGlesHistogramConfig *config,
    const GstGlesHistogramLayout *layout, guint32 *counts);

#endif
