/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Checks docs/metadata.md: each line of its table keeps or drops the metas that it says. */
#include <gst/check/gstcheck.h>

#include <gst/gles/meta/histogram.h>
#include <gst/gles/meta/points.h>
#include <gst/gles/meta/tiles.h>

#include <string.h>

#define N_FRAMES 4
#define SOURCE                                                                                     \
  "videotestsrc num-buffers=%u pattern=ball ! "                                                    \
  "video/x-raw,format=I420,width=64,height=48,framerate=25/1 ! "                                   \
  "gleshistogram device=cpu custom-meta=true ! "                                                   \
  "glescompact device=cpu lower=100 custom-meta=true ! "                                           \
  "glestiles device=cpu custom-meta=true name=last ! "

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

/* ---- a line of the table ---- */

typedef struct {
  gchar *elements;
  gboolean kept[N_KINDS];
  GstMiniObject *results[N_KINDS][N_FRAMES]; /* as they came from the analysers */
  guint n_frames;
  GPtrArray *out; /* buffers behind the elements */
} Line;

static void
line_free (Line *line)
{
  for (guint kind = 0; kind < N_KINDS; kind++)
    for (guint i = 0; i < N_FRAMES; i++)
      g_clear_pointer (&line->results[kind][i], gst_mini_object_unref);
  g_ptr_array_unref (line->out);
  g_free (line->elements);
  g_free (line);
}

/* The content of a cell of the table. */
static gboolean
is_kept (const gchar *cell, const gchar *row)
{
  g_autofree gchar *word = g_strstrip (g_strdup (cell));

  fail_unless (
      g_str_equal (word, "kept") || g_str_equal (word, "dropped"), "\"%s\" in: %s", word, row);
  return g_str_equal (word, "kept");
}

/* Lines `| `elements` | histogram | points, tiles | why |`: (transfer full) */
static GPtrArray *
read_table (void)
{
  g_autofree gchar *path =
      g_build_filename (g_getenv ("GLES_TEST_SOURCE_ROOT"), "docs", "metadata.md", NULL);
  GPtrArray *lines = g_ptr_array_new_with_free_func ((GDestroyNotify) line_free);
  g_autofree gchar *text = NULL;
  g_auto (GStrv) rows = NULL;

  fail_unless (g_file_get_contents (path, &text, NULL, NULL), "no %s", path);
  rows = g_strsplit (text, "\n", -1);
  for (guint i = 0; rows[i] != NULL; i++) {
    g_auto (GStrv) cells = NULL;
    Line *line;

    if (!g_str_has_prefix (rows[i], "| `"))
      continue;
    cells = g_strsplit (rows[i], "|", -1);
    fail_unless (g_strv_length (cells) == 6, "not four cells: %s", rows[i]);
    line = g_new0 (Line, 1);
    line->elements = g_strdup (rows[i] + strlen ("| `"));
    *strchrnul (line->elements, '`') = '\0';
    line->kept[0] = is_kept (cells[2], rows[i]);
    line->kept[1] = line->kept[2] = is_kept (cells[3], rows[i]);
    line->out = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_buffer_unref);
    g_ptr_array_add (lines, line);
  }
  return lines;
}

/* ---- running it ---- */

static GstPadProbeReturn
keep_results (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  Line *line = user_data;

  g_assert (line->n_frames < N_FRAMES);
  for (guint kind = 0; kind < N_KINDS; kind++)
    line->results[kind][line->n_frames] =
        kinds[kind].from_buffer (GST_PAD_PROBE_INFO_BUFFER (info));
  line->n_frames++;
  return GST_PAD_PROBE_OK;
}

static GstPadProbeReturn
keep_buffer (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  g_ptr_array_add (((Line *) user_data)->out, gst_buffer_ref (GST_PAD_PROBE_INFO_BUFFER (info)));
  return GST_PAD_PROBE_OK;
}

static void
add_probe (GstElement *pipeline, const gchar *name, const gchar *pad_name,
    GstPadProbeCallback probe, Line *line)
{
  GstElement *element = gst_bin_get_by_name (GST_BIN (pipeline), name);
  GstPad *pad = gst_element_get_static_pad (element, pad_name);

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, probe, line, NULL);
  gst_object_unref (pad);
  gst_object_unref (element);
}

/* FALSE when there is no such element here. */
static gboolean
run (Line *line)
{
  g_autofree gchar *description =
      g_strdup_printf (SOURCE "%s ! fakesink name=sink", N_FRAMES, line->elements);
  g_autoptr (GError) error = NULL;
  GstElement *pipeline =
      gst_parse_launch_full (description, NULL, GST_PARSE_FLAG_FATAL_ERRORS, &error);
  GstMessage *message;
  GstBus *bus;

  if (g_error_matches (error, GST_PARSE_ERROR, GST_PARSE_ERROR_NO_SUCH_ELEMENT))
    return FALSE;
  fail_unless (pipeline != NULL, "%s: %s", line->elements, error != NULL ? error->message : "");
  add_probe (pipeline, "last", "src", keep_results, line);
  add_probe (pipeline, "sink", "sink", keep_buffer, line);
  bus = gst_element_get_bus (pipeline);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, 60 * GST_SECOND, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  fail_unless (message != NULL && GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS, "%s does not end",
      line->elements);
  gst_message_unref (message);
  gst_object_unref (bus);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
  return TRUE;
}

/* The results of the analysers themselves, each of them, in their order; or none. */
static void
check (const Line *line, guint kind)
{
  guint64 next = 0;

  fail_unless_equals_int (line->n_frames, N_FRAMES);
  fail_unless (line->out->len >= N_FRAMES, "%s: %u frames", line->elements, line->out->len);
  for (guint i = 0; i < line->out->len; i++) {
    GstBuffer *buffer = g_ptr_array_index (line->out, i);
    const guint n = gst_buffer_get_n_meta (buffer, kinds[kind].api ());
    GstMiniObject *result = kinds[kind].from_buffer (buffer);
    guint64 number;
    guint width, height;

    fail_unless (n == (line->kept[kind] ? 1 : 0), "%s: frame %u has %u metas of %s", line->elements,
        i, n, kinds[kind].name);
    fail_unless (gst_buffer_get_custom_meta (buffer, kinds[kind].custom) != NULL,
        "%s: frame %u lost the summary of %s", line->elements, i, kinds[kind].custom);
    if (result == NULL)
      continue;
    number = kinds[kind].frame_number (result);
    fail_unless (number < N_FRAMES && result == line->results[kind][number],
        "%s: another result than that of the analyser", line->elements);
    /* videorate repeats frames; no element drops frames or reorders them. */
    fail_unless (number == next || number + 1 == next, "%s: frame %u has the %s of %u",
        line->elements, i, kinds[kind].name, (guint) number);
    next = number + 1;
    kinds[kind].size (result, &width, &height);
    fail_unless (width == 64 && height == 48);
    gst_mini_object_unref (result);
  }
  fail_unless (next == (line->kept[kind] ? N_FRAMES : 0), "%s: ends early", line->elements);
}

GST_START_TEST (test_table)
{
  g_autoptr (GPtrArray) lines = read_table ();
  guint n_ran = 0;

  for (guint i = 0; i < lines->len; i++) {
    Line *line = g_ptr_array_index (lines, i);

    if (!run (line)) {
      g_print ("# left out, no such element: %s\n", line->elements);
      continue;
    }
    for (guint kind = 0; kind < N_KINDS; kind++)
      check (line, kind);
    n_ran++;
  }
  fail_unless (n_ran >= 10, "%u lines of the table ran", n_ran);
}

GST_END_TEST;

static Suite *
metadata_suite (void)
{
  Suite *suite = suite_create ("metadata");
  TCase *tcase = tcase_create ("table");

  suite_add_tcase (suite, tcase);
  tcase_set_timeout (tcase, 240);
  tcase_add_test (tcase, test_table);
  return suite;
}

GST_CHECK_MAIN (metadata);
