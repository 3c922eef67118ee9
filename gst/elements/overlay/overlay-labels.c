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

/* The search for a place of labels[i]; those before it have theirs. */
typedef struct {
  OverlayRect *labels;
  guint i;
  gdouble width, height; /* of the frame */
  gdouble least;         /* how much of it is on other labels at the best place so far */
} Search;

/* Moves the label to x, y, or as near as it is inside of the frame, if that is better than the best
 * place so far. Returns whether no place can be better. */
static gboolean
try (Search *search, gdouble x, gdouble y)
{
  OverlayRect there = search->labels[search->i];
  gdouble covered;

  there.x = MAX (MIN (floor (x), search->width - there.width), 0);
  there.y = MAX (MIN (floor (y), search->height - there.height), 0);
  covered = get_cover (&there, search->labels, search->i);
  if (covered < search->least) {
    search->labels[search->i] = there;
    search->least = covered;
  }
  return search->least <= 0;
}

static void
place (Search *search, const OverlayRect *box)
{
  const gdouble w = search->labels[search->i].width, h = search->labels[search->i].height;
  const gdouble right = box->x + box->width - w, bottom = ceil (box->y + box->height);
  const struct {
    gdouble x, y;
  } places[] = { { box->x, box->y - h }, { right, box->y - h }, { box->x, bottom },
    { right, bottom }, { box->x + 1, box->y + 1 }, { right - 1, bottom - h - 1 },
    { ceil (box->x + box->width), box->y }, { box->x - w, box->y } };

  for (guint p = 0; p < G_N_ELEMENTS (places); p++) {
    /* above and below only where the frame does not push it into the box */
    if ((p < 2 && places[p].y < 0) || ((p == 2 || p == 3) && bottom + h > search->height))
      continue;
    if (try (search, places[p].x, places[p].y))
      return;
  }
  for (guint row = 1; row <= MAX_ROWS; row++) {
    if (try (search, box->x, bottom + row * h) || try (search, box->x, box->y - (row + 1) * h))
      return;
  }
}

void
overlay_labels_place (
    OverlayRect *labels, const OverlayRect *boxes, guint n, gdouble width, gdouble height)
{
  for (guint i = 0; i < n; i++) {
    Search search = { labels, i, width, height, G_MAXDOUBLE };

    place (&search, &boxes[i]);
  }
}
