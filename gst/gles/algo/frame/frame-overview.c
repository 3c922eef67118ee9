/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One dispatch. Workgroups add to an accumulator, which the last one of them moves to the counts
 * and clears, so no buffer has to be cleared between frames. */
#include "config.h"

#include <string.h>

#include <gst/gles/algo/frame/frame-overview-private.h>
#include <gst/gles/algo/frame/plan.h>
#include <gst/gles/core/checked.h>

/* 16 streams of 1080p on an H200, in frames per second, without an overview and with it: RGBA
 * 27 600, 24 300 (with 16 samples an invocation and at most 16 parts 19 900), P010 26 050, 23 950,
 * I420 24 000, 23 500. */
#define GROUPS_PER_INVOCATION 4
#define MAX_PARTS_OF_SAMPLES 64

/* llvmpipe ends the loops of an invocation after 65535 iterations in total. */
#define MAX_ROUNDS 16384

#define REPLICAS 32

/* How the kernel reads samples: its defines STEP and MATRIX. */
typedef struct {
  guint step;
  gboolean matrix;
} Access;

static const Access accesses[] = { { 0 }, { 1 }, { 2 }, { 3, TRUE }, { 4 }, { 4, TRUE } };

typedef struct {
  GstGlesFrameOverviewShape shape;
  GstGlesComponent components[3];
} Params;

struct _GstGlesFrameOverview {
  GstGlesQueue *queue;
  GstGlesProgram *program;
  GstGlesBuffer *accumulator;
  Params params;
};

static gboolean
is_private (const GstGlesFrameHistogramTuning *tuning)
{
  return tuning->private_max_counters >= GST_GLES_OVERVIEW_BINS;
}

static gboolean
is_access (Access access)
{
  for (guint i = 0; i < G_N_ELEMENTS (accesses); i++) {
    if (accesses[i].step == access.step && accesses[i].matrix == access.matrix)
      return TRUE;
  }
  return FALSE;
}

/* Returns the distance of two samples in bytes if all that luma needs lies within it, and moves the
 * offsets of @components into their shifts. Returns that of any layout for others. */
static Access
pack (GstGlesComponent *components, const GstGlesFrameOverviewShape *shape)
{
  const Access access = { components[0].step, shape->luma };
  const guint step = access.step, n = access.matrix ? 3 : 1;
  const guint alignment = step == 3 ? 1 : step;
  guint32 base = components[0].offset;

  if (!is_access (access) || shape->scale_to_8 || components[0].stride % alignment != 0)
    return accesses[0];
  for (guint i = 1; i < n; i++)
    base = MIN (base, components[i].offset);
  base -= base % alignment;
  for (guint i = 0; i < n; i++) {
    const GstGlesComponent *c = &components[i];

    if (c->step != step || c->stride != components[0].stride || c->depth != components[0].depth ||
        c->offset - base + c->word_bytes > step || (c->big_endian && step != 2))
      return accesses[0];
  }
  for (guint i = 0; i < n; i++) {
    components[i].shift += 8 * (components[i].offset - base);
    components[i].offset = base;
  }
  return access;
}

static void
make_spec (const GstGlesFrameHistogramTuning *tuning, Access access, GstGlesProgramSpec *spec)
{
  const gboolean own = is_private (tuning);

  memset (spec, 0, sizeof (*spec));
  spec->kernel = "frame-overview_count";
  spec->local_size[0] = own ? tuning->private_invocations : tuning->small_invocations;
  spec->shared_bytes = 4 * (own ? 3 : 3 + REPLICAS * GST_GLES_OVERVIEW_BINS);
  spec->n_storage = 3;
  spec->defines[0] = (GstGlesDefine){ "STEP", access.step };
  spec->defines[1] = (GstGlesDefine){ "MATRIX", access.matrix };
  spec->defines[2] = (GstGlesDefine){ "PRIVATE", own };
}

void
gst_gles_frame_overview_specialisations (GstGlesSpecialisationFunc func, gpointer user_data)
{
  guint n_rows;
  const GstGlesFrameHistogramTuning *rows = gst_gles_frame_histogram_tuning_rows (&n_rows);

  for (guint i = 0; i < n_rows; i++) {
    GstGlesProgramSpec spec, other;
    gboolean seen = FALSE;

    make_spec (&rows[i], accesses[0], &spec);
    for (guint k = 0; k < i && !seen; k++) {
      make_spec (&rows[k], accesses[0], &other);
      seen = memcmp (&spec, &other, sizeof (spec)) == 0;
    }
    for (guint k = 0; k < G_N_ELEMENTS (accesses) && !seen; k++) {
      make_spec (&rows[i], accesses[k], &spec);
      func (&spec, user_data);
    }
  }
}

/* Samples that an invocation visits at a time, at least: GROUP of the kernel. */
static guint
group_of (guint step)
{
  return step % 4 == 0 ? 1 : 4;
}

/* Returns the workgroups of an area. */
static guint
count_parts (const GstGlesFrameHistogramTuning *tuning, const GstGlesFrameOverviewShape *shape,
    guint step, guint local)
{
  const guint group = group_of (step);
  const guint64 groups = shape->width / (GST_GLES_OVERVIEW_SIDE * group) + 1;
  const guint64 rows = shape->height / (GST_GLES_OVERVIEW_SIDE * GST_GLES_OVERVIEW_ROW_STEP) + 1;
  const guint64 least = gst_gles_div_ceil (groups * rows, (guint64) local * MAX_ROUNDS);
  const guint64 parts = gst_gles_div_ceil (groups * rows, (guint64) local * GROUPS_PER_INVOCATION);

  return (guint) MAX (tuning->per_processor ? 1 : MIN (parts, MAX_PARTS_OF_SAMPLES / group), least);
}

static gboolean
make_accumulator (GstGlesFrameOverview *overview, GstGlesDevice *device, GError **error)
{
  overview->accumulator =
      gst_gles_buffer_new (device, (GST_GLES_OVERVIEW_WORDS + 1) * sizeof (guint32), error);
  return overview->accumulator != NULL;
}

static gboolean
dispatch (GstGlesFrameOverview *overview, GstGlesBuffer *image, GstGlesBuffer *counts, guint parts,
    GError **error)
{
  const GstGlesBinding bindings[3] = {
    { image, 0, 0, GST_GLES_READ },
    { overview->accumulator, 0, 0, GST_GLES_READ_WRITE },
    { counts, 0, 0, GST_GLES_READ_WRITE },
  };
  const guint groups[3] = { GST_GLES_OVERVIEW_AREAS * MAX (parts, 1), 1, 1 };
  Params params = overview->params;

  params.shape.parts = parts;
  params.shape.last_word = gst_gles_frame_last_word_of (image);
  return gst_gles_queue_dispatch (overview->queue,
      &(GstGlesDispatch){
          overview->program, bindings, 3, &params, sizeof (params), GST_GLES_DISPATCH_INDEPENDENT },
      groups, error);
}

static gboolean
warm_up (gpointer overview, GstGlesBuffer *nothing, GError **error)
{
  return dispatch (overview, nothing, nothing, 0, error);
}

GstGlesFrameOverview *
gst_gles_frame_overview_new (GstGlesQueue *queue, const GstGlesImage *format,
    const GstGlesFrameOverviewShape *shape, GError **error)
{
  g_autoptr (GstGlesFrameOverview) overview = g_new0 (GstGlesFrameOverview, 1);
  g_autoptr (GstGlesDevice) device = gst_gles_queue_get_device (queue);
  const GstGlesFrameHistogramTuning *tuning = gst_gles_frame_histogram_tuning_get (device);
  GstGlesComponent *components = overview->params.components;
  GstGlesProgramSpec spec;
  Access access;

  overview->queue = queue;
  overview->params.shape = *shape;
  memcpy (components, format->components, MIN (format->n_components, 3) * sizeof (*components));
  access = pack (components, shape);
  make_spec (tuning, access, &spec);
  overview->params.shape.parts = count_parts (tuning, shape, access.step, spec.local_size[0]);
  overview->program = gst_gles_program_get (queue, &spec, error);
  if (overview->program == NULL || !make_accumulator (overview, device, error) ||
      !gst_gles_frame_warm_up (queue, warm_up, overview, error))
    return NULL;
  return g_steal_pointer (&overview);
}

void
gst_gles_frame_overview_free (GstGlesFrameOverview *overview)
{
  if (overview == NULL)
    return;
  gst_gles_program_unref (overview->program);
  gst_gles_buffer_unref (overview->accumulator);
  g_free (overview);
}

gboolean
gst_gles_frame_overview_run (GstGlesFrameOverview *overview, GstGlesBuffer *image,
    GstGlesBuffer *counts, guint offset, GError **error)
{
  overview->params.shape.out_word = offset;
  return dispatch (overview, image, counts, overview->params.shape.parts, error);
}
