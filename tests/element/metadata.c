/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Checks docs/metadata.md: each line of its table keeps or drops the metas that it says. */
#include "lines.h"

#include <gst/gles/meta/points.h>
#include <gst/gles/meta/tiles.h>

#include <string.h>

#define N_FRAMES 4

/* ---- the three kinds alike ---- */

typedef struct {
  const gchar *name, *custom;
  GType (*api) (void);
  GstMiniObject *(*from_buffer) (GstBuffer *buffer);
  guint64 (*frame_number) (GstMiniObject *result);
  void (*size) (GstMiniObject *result, guint *width, guint *height);
} Kind;

#define KIND(kind, element)                                                                        \
  {                                                                                                \
#kind, #element, gst_gles_##kind##_meta_api_get_type,                                          \
        (GstMiniObject * (*) (GstBuffer *) ) gst_gles_##kind##_result_from_buffer,                 \
        (guint64(*)(GstMiniObject *)) gst_gles_##kind##_result_get_frame_number,                   \
        (void (*)(GstMiniObject *, guint *, guint *)) gst_gles_##kind##_result_get_size            \
  }
static const Kind kinds[] = { KIND (histogram, gleshistogram), KIND (points, glescompact),
  KIND (tiles, glestiles) };
#define N_KINDS G_N_ELEMENTS (kinds)

/* ---- a row of the table ---- */

/* The results of N_FRAMES as they came from an analyser, and what is behind the elements. */
typedef struct {
  GstMiniObject *results[N_KINDS][N_FRAMES];
  guint n_frames;
  GPtrArray *out;
} Run;

static GstPadProbeReturn
keep_results (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  Run *run = user_data;

  g_assert (run->n_frames < N_FRAMES);
  for (guint kind = 0; kind < N_KINDS; kind++)
    run->results[kind][run->n_frames] = kinds[kind].from_buffer (GST_PAD_PROBE_INFO_BUFFER (info));
  run->n_frames++;
  return GST_PAD_PROBE_OK;
}

static GstPadProbeReturn
keep_buffer (GstPad *pad, GstPadProbeInfo *info, gpointer out)
{
  g_ptr_array_add (out, gst_buffer_ref (GST_PAD_PROBE_INFO_BUFFER (info)));
  return GST_PAD_PROBE_OK;
}

/* The results of the analysers themselves, each of them, in their order; or none. */
static void
check (const Run *run, const gchar *elements, guint kind, gboolean kept)
{
  guint64 next = 0;

  for (guint i = 0; i < run->out->len; i++) {
    GstBuffer *buffer = g_ptr_array_index (run->out, i);
    const guint n = gst_buffer_get_n_meta (buffer, kinds[kind].api ());
    GstMiniObject *result = kinds[kind].from_buffer (buffer);
    guint64 number;
    guint width, height;

    fail_unless (
        n == (kept ? 1 : 0), "%s: frame %u has %u metas of %s", elements, i, n, kinds[kind].name);
    fail_unless (gst_buffer_get_custom_meta (buffer, kinds[kind].custom) != NULL,
        "%s: frame %u lost the summary of %s", elements, i, kinds[kind].custom);
    if (result == NULL)
      continue;
    number = kinds[kind].frame_number (result);
    fail_unless (number < N_FRAMES && result == run->results[kind][number],
        "%s: another result than that of the analyser", elements);
    /* videorate repeats frames; no element drops frames or reorders them. */
    fail_unless (number == next || number + 1 == next, "%s: frame %u has the %s of %u", elements, i,
        kinds[kind].name, (guint) number);
    next = number + 1;
    kinds[kind].size (result, &width, &height);
    fail_unless (width == 64 && height == 48);
    gst_mini_object_unref (result);
  }
  fail_unless (next == (kept ? N_FRAMES : 0), "%s: ends early", elements);
}

static void
check_row (const gchar *elements, const gboolean kept[N_KINDS])
{
  Run run = { .out = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_buffer_unref) };
  GstElement *pipeline =
      line_new ("videotestsrc num-buffers=%u pattern=ball ! "
                "video/x-raw,format=I420,width=64,height=48,framerate=25/1 ! "
                "gleshistogram custom-meta=true ! glescompact lower=100 custom-meta=true ! "
                "glestiles custom-meta=true name=last ! %s ! fakesink name=sink",
          N_FRAMES, elements);

  line_probe (pipeline, "last", "src", keep_results, &run);
  line_probe (pipeline, "sink", "sink", keep_buffer, run.out);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  line_wait (pipeline, GST_MESSAGE_EOS);
  line_free (pipeline);
  fail_unless_equals_int (run.n_frames, N_FRAMES);
  fail_unless (run.out->len >= N_FRAMES, "%s: %u frames", elements, run.out->len);
  for (guint kind = 0; kind < N_KINDS; kind++) {
    check (&run, elements, kind, kept[kind]);
    for (guint i = 0; i < N_FRAMES; i++)
      gst_clear_mini_object (&run.results[kind][i]);
  }
  g_ptr_array_unref (run.out);
}

/* ---- the table ---- */

/* The content of a cell. */
static gboolean
is_kept (gchar *cell, const gchar *row)
{
  const gchar *word = g_strstrip (cell);

  fail_unless (
      g_str_equal (word, "kept") || g_str_equal (word, "dropped"), "\"%s\" in: %s", word, row);
  return g_str_equal (word, "kept");
}

/* FALSE if an element of a line is not installed here. */
static gboolean
is_installed (const gchar *elements)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GstElement) bin = gst_parse_bin_from_description (elements, FALSE, &error);

  return !g_error_matches (error, GST_PARSE_ERROR, GST_PARSE_ERROR_NO_SUCH_ELEMENT);
}

/* Rows `| `elements` | histogram | points, tiles | why |` */
GST_START_TEST (test_table)
{
  g_autofree gchar *path =
      g_build_filename (g_getenv ("GLES_TEST_SOURCE_ROOT"), "docs", "metadata.md", NULL);
  g_autofree gchar *text = NULL;
  g_auto (GStrv) rows = NULL;
  guint n_ran = 0;

  fail_unless (g_file_get_contents (path, &text, NULL, NULL), "no %s", path);
  rows = g_strsplit (text, "\n", -1);
  for (guint i = 0; rows[i] != NULL; i++) {
    g_auto (GStrv) cells = g_strsplit (rows[i], "|", -1);
    g_auto (GStrv) code = g_strsplit (rows[i], "`", -1);
    gboolean kept[N_KINDS];

    if (!g_str_has_prefix (rows[i], "| `"))
      continue;
    fail_unless (g_strv_length (cells) == 6, "not four cells: %s", rows[i]);
    kept[0] = is_kept (cells[2], rows[i]);
    kept[1] = kept[2] = is_kept (cells[3], rows[i]);
    if (is_installed (code[1])) {
      check_row (code[1], kept);
      n_ran++;
    } else {
      g_print ("# left out, no such element: %s\n", code[1]);
    }
  }
  fail_unless (n_ran >= 10, "%u lines of the table ran", n_ran);
}

GST_END_TEST;

static void
add_tests (TCase *tcase)
{
  tcase_add_test (tcase, test_table);
}

int
main (int argc, char **argv)
{
  return lines_main (argc, argv, add_tests);
}
