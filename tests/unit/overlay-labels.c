/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Where glesoverlay puts labels: inside of the frame, at their boxes, not over each other. */
#include "../../gst/elements/overlay/overlay-labels.h"

#define WIDTH 640
#define HEIGHT 360

static gboolean
overlap (const OverlayRect *a, const OverlayRect *b)
{
  return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height &&
      b->y < a->y + a->height;
}

static void
check_inside (const OverlayRect *label)
{
  g_assert_cmpfloat (label->x, >=, 0);
  g_assert_cmpfloat (label->y, >=, 0);
  g_assert_cmpfloat (label->x + label->width, <=, WIDTH);
  g_assert_cmpfloat (label->y + label->height, <=, HEIGHT);
}

/* One label: above its box, below where there is no space above, or inside where there is neither;
 * never beyond the right edge. */
static void
test_one (void)
{
  static const struct {
    OverlayRect box;
    gdouble x, y;
  } cases[] = { { { 100, 100, 50, 50 }, 100, 86 }, { { 100, 5, 50, 50 }, 100, 55 },
    { { 100, 0, 50, HEIGHT }, 101, 1 }, { { 630, 100, 10, 50 }, 600, 86 },
    { { 0, 0, WIDTH, HEIGHT }, 1, 1 }, { { 100.5, 99.75, 50, 50 }, 100, 85 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    OverlayRect label = { 0, 0, 40, 14 };

    overlay_labels_place (&label, &cases[i].box, 1, WIDTH, HEIGHT);
    g_assert_cmpfloat (label.x, ==, cases[i].x);
    g_assert_cmpfloat (label.y, ==, cases[i].y);
  }
}

/* Boxes at random: 20 labels have places of their own. Of 256, which fill more than half of the
 * frame, most have. */
static void
test_many (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);

  for (guint round = 0; round < 50; round++) {
    const guint n = round == 0 ? 256 : 20;
    OverlayRect boxes[256], labels[256];
    guint n_overlaps = 0;

    for (guint i = 0; i < n; i++) {
      boxes[i] = (OverlayRect){ g_rand_double_range (rand, -20, WIDTH - 20),
        g_rand_double_range (rand, -20, HEIGHT - 20), g_rand_int_range (rand, 1, 80),
        g_rand_int_range (rand, 1, 80) };
      labels[i] = (OverlayRect){ 0, 0, g_rand_int_range (rand, 20, 60), 14 };
    }
    overlay_labels_place (labels, boxes, n, WIDTH, HEIGHT);
    for (guint i = 0; i < n; i++) {
      check_inside (&labels[i]);
      for (guint j = 0; j < i; j++)
        n_overlaps += overlap (&labels[i], &labels[j]) ? 1 : 0;
    }
    g_assert_cmpuint (n_overlaps, <=, n == 20 ? 0 : 128);
  }
}

/* Five things in one place have five labels. */
static void
test_same_box (void)
{
  OverlayRect boxes[5], labels[5];

  for (guint i = 0; i < 5; i++) {
    boxes[i] = (OverlayRect){ 300, 200, 30, 30 };
    labels[i] = (OverlayRect){ 0, 0, 50, 14 };
  }
  overlay_labels_place (labels, boxes, 5, WIDTH, HEIGHT);
  for (guint i = 0; i < 5; i++) {
    for (guint j = 0; j < i; j++)
      g_assert_false (overlap (&labels[i], &labels[j]));
    g_assert_cmpfloat (ABS (labels[i].x - 300), <=, 60);
    g_assert_cmpfloat (ABS (labels[i].y - 200), <=, 60);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/overlay-labels/one", test_one);
  g_test_add_func ("/overlay-labels/many", test_many);
  g_test_add_func ("/overlay-labels/same-box", test_same_box);
  return g_test_run ();
}
