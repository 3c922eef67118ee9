/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "overlay-labels.h"

#include <math.h>

/* A crowd has no place for each label. */
#define MAX_ROWS 8

static gdouble
get_overlap (const OverlayRect *a, const OverlayRect *b)
{
  const gdouble width = MIN (a->x + a->width, b->x + b->width) - MAX (a->x, b->x);
  const gdouble height = MIN (a->y + a->height, b->y + b->height) - MAX (a->y, b->y);

  return width > 0 && height > 0 ? width * height : 0;
}

/* How much of @label lies on the first @n labels. */
static gdouble
get_cover (const OverlayRect *label, const OverlayRect *labels, guint n)
{
  gdouble covered = 0;

  for (guint i = 0; i < n; i++)
    covered += get_overlap (label, &labels[i]);
  return covered;
}

/* Moves labels[i] to x, y, or as near as it is inside of the frame, if that is better than the best
 * place so far. Returns whether no place can be better. */
static gboolean
try (OverlayRect *labels, guint i, gdouble x, gdouble y, gdouble width, gdouble height,
    gdouble *least)
{
  OverlayRect there = labels[i];
  gdouble covered;

  there.x = MAX (MIN (floor (x), width - there.width), 0);
  there.y = MAX (MIN (floor (y), height - there.height), 0);
  covered = get_cover (&there, labels, i);
  if (covered < *least) {
    labels[i] = there;
    *least = covered;
  }
  return *least <= 0;
}

static void
place (OverlayRect *labels, const OverlayRect *box, guint i, gdouble width, gdouble height)
{
  const gdouble w = labels[i].width, h = labels[i].height;
  const gdouble right = box->x + box->width - w, bottom = ceil (box->y + box->height);
  const struct {
    gdouble x, y;
  } places[] = { { box->x, box->y - h }, { right, box->y - h }, { box->x, bottom },
    { right, bottom }, { box->x + 1, box->y + 1 }, { right - 1, bottom - h - 1 },
    { ceil (box->x + box->width), box->y }, { box->x - w, box->y } };
  gdouble least = G_MAXDOUBLE;

  for (guint p = 0; p < G_N_ELEMENTS (places); p++) {
    /* above and below only where the frame does not push it into the box */
    if ((p < 2 && places[p].y < 0) || ((p == 2 || p == 3) && bottom + h > height))
      continue;
    if (try (labels, i, places[p].x, places[p].y, width, height, &least))
      return;
  }
  for (guint row = 1; row <= MAX_ROWS; row++) {
    if (try (labels, i, box->x, bottom + row * h, width, height, &least) ||
        try (labels, i, box->x, box->y - (row + 1) * h, width, height, &least))
      return;
  }
}

void
overlay_labels_place (
    OverlayRect *labels, const OverlayRect *boxes, guint n, gdouble width, gdouble height)
{
  for (guint i = 0; i < n; i++)
    place (labels, &boxes[i], i, width, height);
}
