/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <string.h>

#include <glsl/frame/frame-background-layout.h>

#include <gst/gles/algo/frame/frame-reference.h>
#include <gst/gles/algo/frame/plan.h>
#include <gst/gles/core/checked.h>
#include <gst/gles/cpu/frame/frame-background.h>

#define INVOCATIONS 64

/* Words or samples per invocation. llvmpipe runs the loop of an invocation at most 65535 times. */
#define WORDS_EACH_SOFTWARE 64
#define WORDS_EACH 2

typedef struct {
  GstGlesFrameBackgroundPass pass;
  GstGlesComponent components[3];
} Params;

guint
gst_gles_frame_reference_weight (guint adaptation)
{
  const guint one = GST_GLES_CPU_FRAME_BACKGROUND_ONE;

  /* (1 - 3 / n)^n is about 5 %. */
  return adaptation <= 3 ? one : (guint) ((3ull * one + adaptation / 2) / adaptation);
}

static gboolean
takes_words (GstGlesFrameReferenceKind kind)
{
  return kind <= GST_GLES_FRAME_REFERENCE_BYTES;
}

static void
make_spec (GstGlesFrameReferenceKind kind, GstGlesProgramSpec *spec)
{
  *spec = (GstGlesProgramSpec){ .kernel = "frame-background_update",
    .local_size = { INVOCATIONS, 1, 1 },
    .n_storage = takes_words (kind) ? 3 : 2,
    .defines = { { "BYTES", takes_words (kind) }, { "LUMA", kind == GST_GLES_FRAME_REFERENCE_LUMA },
        { "KEEP", kind == GST_GLES_FRAME_REFERENCE_KEEP } } };
}

void
gst_gles_frame_reference_specialisations (GstGlesSpecialisationFunc func, gpointer user_data)
{
  GstGlesProgramSpec spec;

  for (GstGlesFrameReferenceKind kind = 0; kind < GST_GLES_FRAME_N_REFERENCES; kind++) {
    make_spec (kind, &spec);
    func (&spec, user_data);
  }
}

GstGlesProgram *
gst_gles_frame_reference_get_program (
    GstGlesQueue *queue, GstGlesFrameReferenceKind kind, GError **error)
{
  GstGlesProgramSpec spec;

  make_spec (kind, &spec);
  return gst_gles_program_get (queue, &spec, error);
}

gboolean
gst_gles_frame_reference_run (GstGlesQueue *queue, GstGlesProgram *program,
    GstGlesFrameReferenceKind kind, const GstGlesFrameReferenceCall *call, GError **error)
{
  g_autoptr (GstGlesDevice) device = gst_gles_queue_get_device (queue);
  const guint groups[3] = {
    gst_gles_frame_n_groups (device, call->n, INVOCATIONS, WORDS_EACH, WORDS_EACH_SOFTWARE), 1, 1
  };
  const GstGlesBinding bindings[] = { call->image, call->averages, call->kept };
  const guint n_components = kind == GST_GLES_FRAME_REFERENCE_LUMA ? 3 : 1;
  Params params = { .pass = {
                        .n = call->n,
                        .first_word = (guint32) (call->from / 4),
                        .width = call->components->width,
                        .weight = call->weight,
                        .first = call->first,
                        .last_word = gst_gles_frame_last_word (call->image.size_bytes),
                        .scale_to_8 = gst_gles_frame_scales_to_8 (call->format),
                        .kr = call->format->kr,
                        .kg = call->format->kg,
                        .kb = call->format->kb,
                    } };

  memcpy (params.components, call->components, n_components * sizeof (*call->components));
  return gst_gles_queue_dispatch (queue,
      GST_GLES_DISPATCH (program, bindings, takes_words (kind) ? 3 : 2, &params), groups, error);
}
