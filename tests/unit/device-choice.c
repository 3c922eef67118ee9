/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which GPU `auto` takes: owners of frames, GPUs, users and loads, as a table. */
#include "config.h"

#include <string.h>

#include <gst/check/gstcheck.h>

#include <gst/gles/device/choice.h>

#define N_GPUS 3

/* Three GPUs: the first two are known by all three names, the third by its node alone. */
static const GstGlesGpuFacts machine[N_GPUS] = {
  { .has_uuid = TRUE, .uuid = { 1 }, .node = 128, .egl_device = (gpointer) 1 },
  { .has_uuid = TRUE, .uuid = { 2 }, .node = 129, .egl_device = (gpointer) 2 },
  { .node = 130 },
};

#define HOST                                                                                       \
  {                                                                                                \
    GST_GLES_OWNER_HOST                                                                            \
  }
#define UUID(first)                                                                                \
  {                                                                                                \
    .kind = GST_GLES_OWNER_UUID, .uuid = { first }                                                 \
  }
#define NODE(number)                                                                               \
  {                                                                                                \
    .kind = GST_GLES_OWNER_NODE, .node = (number)                                                  \
  }
#define EGL_DEVICE(handle)                                                                         \
  {                                                                                                \
    .kind = GST_GLES_OWNER_EGL_DEVICE, .egl_device = (gpointer) (handle)                           \
  }

static const struct {
  const gchar *what;
  GstGlesOwner owner;
  gint current;
  guint users[N_GPUS];
  gint loads[N_GPUS]; /* percent; -1: not known */
  gint refused;       /* the GPU that cannot be opened; -1: none */
  gint expected;
} rows[] = {
  { "an idle machine", HOST, -1, { 0 }, { 0 }, -1, 0 },
  { "the second stream", HOST, -1, { 1, 0, 0 }, { 0 }, -1, 1 },
  { "the third", HOST, -1, { 1, 1, 0 }, { 0 }, -1, 2 },
  { "the fourth", HOST, -1, { 1, 1, 1 }, { 0 }, -1, 0 },
  { "another process works on the first", HOST, -1, { 0 }, { 90, 5, 7 }, -1, 1 },
  { "others work everywhere", HOST, -1, { 0 }, { 90, 80, 70 }, -1, 2 },
  { "users come before loads", HOST, -1, { 0, 1, 1 }, { 90, 0, 0 }, -1, 0 },
  { "loads decide among the idle", HOST, -1, { 1, 0, 0 }, { 0, 40, 30 }, -1, 2 },
  { "no load is known", HOST, -1, { 0 }, { -1, -1, -1 }, -1, 0 },
  { "a load is not compared with none", HOST, -1, { 0 }, { 90, -1, 80 }, -1, 2 },
  { "the first cannot be opened", HOST, -1, { 0 }, { 0 }, 0, 1 },
  { "frames of the host stay", HOST, 2, { 0, 0, 9 }, { 0, 0, 99 }, -1, 2 },
  { "but not on a GPU that is gone", HOST, 2, { 0, 1, 9 }, { 0 }, 2, 0 },
  { "CUDA, first", UUID (1), -1, { 9, 0, 0 }, { 99, 0, 0 }, -1, 0 },
  { "CUDA, second", UUID (2), 0, { 0, 9, 0 }, { 0, 99, 0 }, -1, 1 },
  { "CUDA where the stream is", UUID (2), 1, { 0, 9, 0 }, { 0 }, -1, 1 },
  { "CUDA of a GPU that is not listed", UUID (3), 1, { 0 }, { 0 }, -1, 1 },
  { "the same before the stream is anywhere", UUID (3), -1, { 1, 1, 0 }, { 0 }, -1, 2 },
  { "no UUID is no UUID of zeros", UUID (0), 1, { 0 }, { 0 }, -1, 1 },
  { "CUDA of a GPU that cannot be opened", UUID (2), 0, { 9, 0, 0 }, { 0 }, 1, 0 },
  { "VA, third", NODE (130), 0, { 0, 0, 9 }, { 0 }, -1, 2 },
  { "VA of another node", NODE (131), 0, { 1, 0, 0 }, { 0 }, -1, 0 },
  { "textures, second", EGL_DEVICE (2), 0, { 0 }, { 0 }, -1, 1 },
  { "textures of another device", EGL_DEVICE (3), 2, { 0 }, { 0 }, -1, 2 },
  { "no device is no device of NULL", EGL_DEVICE (0), 1, { 0 }, { 0 }, -1, 1 },
};

GST_START_TEST (test_choice)
{
  GstGlesGpuFacts gpus[N_GPUS];
  gint chosen;

  memcpy (gpus, machine, sizeof (gpus));
  for (guint i = 0; i < N_GPUS; i++) {
    gpus[i].n_users = rows[__i__].users[i];
    gpus[i].load_percent = rows[__i__].loads[i];
    gpus[i].is_refused = rows[__i__].refused == (gint) i;
  }
  chosen = gst_gles_choose_gpu (gpus, N_GPUS, &rows[__i__].owner, rows[__i__].current);
  fail_unless (chosen == rows[__i__].expected, "%s: GPU %d instead of %d", rows[__i__].what, chosen,
      rows[__i__].expected);
}

GST_END_TEST;

GST_START_TEST (test_none)
{
  const GstGlesGpuFacts refused = { .has_uuid = TRUE, .uuid = { 1 }, .is_refused = TRUE };
  const GstGlesOwner owners[] = { HOST, UUID (1) };

  for (guint i = 0; i < G_N_ELEMENTS (owners); i++) {
    fail_unless_equals_int (gst_gles_choose_gpu (&refused, 1, &owners[i], -1), -1);
    fail_unless_equals_int (gst_gles_choose_gpu (&refused, 1, &owners[i], 0), -1);
    fail_unless_equals_int (gst_gles_choose_gpu (NULL, 0, &owners[i], -1), -1);
  }
}

GST_END_TEST;

GST_START_TEST (test_nodes)
{
  static const struct {
    const gchar *path;
    guint node;
  } paths[] = { { "/dev/dri/renderD128", 128 }, { "/dev/dri/renderD191", 191 },
    { "/dev/dri/card0", 0 }, { "/dev/dri/renderD", 0 }, { "/dev/dri/renderD128x", 0 },
    { "renderD128", 0 }, { "", 0 }, { NULL, 0 } };

  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    fail_unless_equals_int (gst_gles_node_of_path (paths[i].path), paths[i].node);
}

GST_END_TEST;

static Suite *
device_choice_suite (void)
{
  Suite *suite = suite_create ("device-choice");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_loop_test (tcase, test_choice, 0, G_N_ELEMENTS (rows));
  tcase_add_test (tcase, test_none);
  tcase_add_test (tcase, test_nodes);
  return suite;
}

GST_CHECK_MAIN (device_choice)
