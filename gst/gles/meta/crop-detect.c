/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gles/meta/crop-detect.h>

/* Widens the span from @first to @last to the bright rows or columns of a frame, -1 for none. The
 * last one is sought behind the first one of the span. */
static void
widen (gint *first, gint *last, gint bright_first, gint bright_last)
{
  if (bright_first >= 0 && bright_first < *first)
    *first = bright_first;
  if (bright_last > MAX (*first, *last))
    *last = bright_last;
}

static void
begin (GstGlesCropState *state)
{
  state->x1 = (gint) state->width - 1;
  state->y1 = (gint) state->height - 1;
  state->x2 = state->y2 = 0;
}

/* Sets @at and @size to the span from @first to @last: even, and a multiple of @round. */
static void
round_span (gint first, gint last, gint round, gint *at, gint *size)
{
  gint excess;

  *at = (first + 1) & ~1;
  *size = last - *at + 1;
  excess = *size % round;
  *size -= excess;
  *at += (excess / 2 + 1) & ~1;
}

gboolean
gst_gles_crop_detect_push (GstGlesCropState *state, const GstGlesCropOptions *options,
    const GstGlesCrop *crop, guint width, guint height)
{
  gint round = options->round <= 1 ? 16 : (gint) options->round;

  round <<= round % 2;
  if (state->width != width || state->height != height) {
    *state =
        (GstGlesCropState){ .width = width, .height = height, .frame = -(gint64) options->skip };
    begin (state);
  }
  if (++state->frame <= 0)
    return FALSE;
  if (options->reset > 0 && state->frame > options->reset) {
    begin (state);
    state->frame = 1;
  }
  widen (&state->y1, &state->y2, crop->top, crop->bottom);
  widen (&state->x1, &state->x2, crop->left, crop->right);
  round_span (state->x1, state->x2, round, &state->x, &state->w);
  round_span (state->y1, state->y2, round, &state->y, &state->h);
  return TRUE;
}
