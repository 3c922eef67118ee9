/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Runs a short pipeline once for each of its calls of EGL, OpenGL ES, allocation, mapping and
 * threads, in a child process in which that call fails. The outcome must be the right result, or an
 * error with a message on the bus, without a hang, a crash or a leak. After an error the pipeline
 * is started again without the fault. */
#include "fault.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gst/video/video.h>

#define OUTPUT_BYTES (1 << 20)
#define MESSAGE_BYTES 512
#define WATCHDOG_SECONDS 120
#define BUS_SECONDS 100

#define SOURCE                                                                                     \
  "videotestsrc num-buffers=3 pattern=gradient ! video/x-raw,format=I420,width=64,height=48 ! "

typedef struct {
  const gchar *name, *line, *base; /* the pipeline @base makes the same calls and fewer */
  gboolean draws; /* pictures are put out, which GStreamer's own blending rounds differently */
  gboolean ends;  /* the end of the stream, also that after an error, makes it put out more */
} Pipeline;

/* a frame that cannot be mapped is an error, not left out */
#define HISTOGRAM "gleshistogram device=%s on-bad-frame=error "
#define COMPACT "glescompact device=%s on-bad-frame=error lower=100 "

static const Pipeline pipelines[] = {
  { "gleshistogram", HISTOGRAM "post-messages=true ! fakesink name=sink", NULL, FALSE, FALSE },
  { "glescompact", COMPACT "! glesjson ! fakesink name=sink", NULL, FALSE, FALSE },
  { "glestiles", COMPACT "! glestiles device=%s ! glesjson ! fakesink name=sink", "glescompact",
      FALSE, FALSE },
  { "glesregions",
      COMPACT "! glesregions device=%s mask=\"0,0 1,0 0,1\" ! glesjson ! fakesink name=sink",
      "glescompact", FALSE, FALSE },
  { "gleshistogram-boxes",
      COMPACT "! glesregions device=%s ! gleshistogram device=%s on-bad-frame=error boxes=roi "
              "mad=true mask=\"0,0 1,0 0,1\" ! glesjson ! fakesink name=sink",
      "glesregions", FALSE, FALSE },
  { "glestrack",
      COMPACT "! glesregions device=%s ! glestrack min-hits=1 ! glesjson ! fakesink name=sink",
      "glesregions", FALSE, FALSE },
  /* events are in the messages, whose ids are blanked, and not in the lines */
  { "gleszones",
      COMPACT "! glesregions device=%s ! glestrack min-hits=1 ! gleszones "
              "zones=\"all:0,0 1,0 1,1 0,1\" lines=\"l:0,0 1,1\" ! "
              "glesjson events=false ! fakesink name=sink",
      "glestrack", FALSE, FALSE },
  { "glesevents",
      HISTOGRAM "mad=true ! glesevents cut-threshold=0 cut-mad-threshold=0 ! glesjson ! "
                "fakesink name=sink",
      "gleshistogram", FALSE, TRUE },
  { "glesjson", HISTOGRAM "profile=true ! glesjson ! fakesink name=sink", "gleshistogram", FALSE,
      FALSE },
  { "glespublish",
      HISTOGRAM "! glesevents ! glespublish method=file address=/dev/null ! glesjson ! "
                "fakesink name=sink",
      "glesevents", FALSE, TRUE },
  { "glesoverlay", HISTOGRAM "! glesoverlay on-bad-frame=error ! fakesink name=sink",
      "gleshistogram", TRUE, FALSE },
};

typedef enum {
  OUTCOME_RIGHT,
  OUTCOME_WARNING,     /* the same, except for what a warning reports as missing */
  OUTCOME_ERROR,       /* and the right result when started again */
  OUTCOME_ERROR_STAYS, /* and an error when started again */
  /* forbidden outcomes */
  OUTCOME_WRONG,
  OUTCOME_NO_MESSAGE,
  OUTCOME_LEAK,
  OUTCOME_HANG,
  OUTCOME_CRASH,
  N_OUTCOMES
} Outcome;

static const gchar *outcome_names[] = { "right", "warning", "error", "error, stays", "WRONG",
  "NO MESSAGE", "LEAK", "HANG", "CRASH" };

/* Lines of JSON or pictures, of the streaming thread; and messages, whose thread is another. */
enum {
  OUTPUT_BUFFERS,
  OUTPUT_MESSAGES,
  N_OUTPUTS
};

typedef struct {
  gsize size[N_OUTPUTS];
  gchar bytes[N_OUTPUTS][OUTPUT_BYTES];
} Output;

/* What processes share. */
typedef struct {
  FaultRecord record;
  Output expected;
  gint descriptors, threads;
  gchar message[MESSAGE_BYTES]; /* of the newest child */
  gchar due[FAULT_NAME_BYTES];  /* the call that failed in it */
} Shared;

static Shared *shared;
static gchar *device, *only;
static gboolean exhaustive, verbose;
static gint warned; /* atomic: a warning was posted in this process */
static gint failed; /* atomic: the pipeline that plays has posted an error */

/* ---- one run, in a process of its own ---- */

static void
append (Output *output, guint which, gconstpointer bytes, gsize size)
{
  size = MIN (size, OUTPUT_BYTES - output->size[which]);
  memcpy (output->bytes[which] + output->size[which], bytes, size);
  output->size[which] += size;
}

/* Blanks what follows @key, in hexadecimal digits: the id that a test source gives its stream is
 * random, and those of events follow from it. */
static void
blank_id (gchar *bytes, gsize size, const gchar *key)
{
  gchar *id = memmem (bytes, size, key, strlen (key));

  if (id == NULL)
    return;
  for (id += strlen (key); id < bytes + size && g_ascii_isxdigit (*id); id++)
    *id = '0';
}

static GstPadProbeReturn
on_buffer (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  GstMapInfo map;

  if (gst_buffer_map (GST_PAD_PROBE_INFO_BUFFER (info), &map, GST_MAP_READ)) {
    Output *output = user_data;
    const gsize at = output->size[OUTPUT_BUFFERS];

    append (output, OUTPUT_BUFFERS, map.data, map.size);
    blank_id (
        output->bytes[OUTPUT_BUFFERS] + at, output->size[OUTPUT_BUFFERS] - at, "\"stream_id\":\"");
    gst_buffer_unmap (GST_PAD_PROBE_INFO_BUFFER (info), &map);
  }
  return GST_PAD_PROBE_OK;
}

static GstPadProbeReturn
on_buffer_until_error (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  return g_atomic_int_get (&failed) ? GST_PAD_PROBE_OK : on_buffer (pad, info, user_data);
}

/* On the thread that posts, before what follows the message. */
static GstBusSyncReply
on_message (GstBus *bus, GstMessage *message, gpointer user_data)
{
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_WARNING)
    g_atomic_int_set (&warned, TRUE);
  else if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR)
    g_atomic_int_set (&failed, TRUE);
  return GST_BUS_PASS;
}

static GstElement *
make_pipeline (const Pipeline *described, Output *output)
{
  g_auto (GStrv) parts = g_strsplit (described->line, "%s", -1);
  g_autofree gchar *line = g_strjoinv (device, parts);
  g_autofree gchar *full = g_strconcat (SOURCE, line, " sync=false", NULL);
  GstElement *pipeline = gst_parse_launch (full, NULL);
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (sink, "sink");
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);

  gst_bus_set_sync_handler (bus, on_message, NULL, NULL);
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER,
      described->ends ? on_buffer_until_error : on_buffer, output, NULL);
  return pipeline;
}

/* To the end or an error, whose message is taken: FALSE. */
static gboolean
play (GstElement *pipeline, Output *output, gchar *message)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  gboolean ended = FALSE, stopped = FALSE;

  g_atomic_int_set (&failed, FALSE);
  memset (output->size, 0, sizeof (output->size));
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  while (!ended && !stopped) {
    GstMessage *news = gst_bus_timed_pop_filtered (
        bus, BUS_SECONDS * GST_SECOND, GST_MESSAGE_EOS | GST_MESSAGE_ERROR | GST_MESSAGE_ELEMENT);

    if (news == NULL)
      raise (SIGALRM);
    if (GST_MESSAGE_TYPE (news) == GST_MESSAGE_ELEMENT) {
      g_autofree gchar *text = gst_structure_to_string (gst_message_get_structure (news));

      blank_id (text, strlen (text), " id=(string)");
      blank_id (text, strlen (text), "stream-id=(string)");
      append (output, OUTPUT_MESSAGES, text, strlen (text));
    } else if (GST_MESSAGE_TYPE (news) == GST_MESSAGE_ERROR) {
      g_autoptr (GError) error = NULL;
      gst_message_parse_error (news, &error, NULL);
      g_strlcpy (message, error->message, MESSAGE_BYTES);
      stopped = TRUE;
    } else {
      ended = TRUE;
    }
    gst_message_unref (news);
  }
  gst_element_set_state (pipeline, GST_STATE_NULL);
  return ended;
}

static gint
count_entries (const gchar *path)
{
  GDir *dir = g_dir_open (path, 0, NULL);
  gint n = 0;

  while (dir != NULL && g_dir_read_name (dir) != NULL)
    n++;
  g_clear_pointer (&dir, g_dir_close);
  return n;
}

/* Counts threads, except the driver's, which belong to displays and live as long as the process. */
static gint
count_threads (void)
{
  GDir *dir = g_dir_open ("/proc/self/task", 0, NULL);
  const gchar *entry;
  gint n = 0;

  while (dir != NULL && (entry = g_dir_read_name (dir)) != NULL) {
    g_autofree gchar *path = g_build_filename ("/proc/self/task", entry, "comm", NULL);
    g_autofree gchar *name = NULL;

    n += g_file_get_contents (path, &name, NULL, NULL) && !g_str_has_prefix (name, "llvmpipe-") &&
        strstr (name, ":disk$") == NULL;
  }
  g_clear_pointer (&dir, g_dir_close);
  return n;
}

/* Threads need a moment to end. */
static gboolean
is_clean (void)
{
  fault_open_displays ();
  for (guint i = 0; i < 100; i++) {
    g_thread_pool_stop_unused_threads ();
    if (count_threads () <= shared->threads &&
        count_entries ("/proc/self/fd") <= shared->descriptors)
      return TRUE;
    g_usleep (20000);
  }
  g_snprintf (shared->message, MESSAGE_BYTES, "%d threads of %d, %d descriptors of %d",
      count_threads (), shared->threads, count_entries ("/proc/self/fd"), shared->descriptors);
  return FALSE;
}

static gboolean
is_equal (const gchar *got, const gchar *expected, gsize size, guint tolerance)
{
  for (gsize i = 0; tolerance > 0 && i < size; i++) {
    if ((guint) ABS ((gint) (guint8) got[i] - (gint) (guint8) expected[i]) > tolerance)
      return FALSE;
  }
  return tolerance > 0 || memcmp (got, expected, size) == 0;
}

/* Whether @output is the expected output or a prefix of it. After a warning, drawings may be
 * missing. */
static gboolean
is_expected (const Pipeline *described, const Output *output, gboolean all)
{
  const guint tolerance = !described->draws ? 0 : g_atomic_int_get (&warned) ? 255 : 2;

  for (guint i = 0; i < N_OUTPUTS; i++) {
    const gsize size = output->size[i];

    if (size > shared->expected.size[i] || (all && size < shared->expected.size[i]) ||
        !is_equal (output->bytes[i], shared->expected.bytes[i], size, tolerance))
      return FALSE;
  }
  return TRUE;
}

static Outcome
run_with_fault (const Pipeline *described, FaultKind kind, gint target)
{
  Output *output = g_new0 (Output, 1);
  GstElement *pipeline = make_pipeline (described, output);
  Outcome outcome = OUTCOME_RIGHT;
  gchar again[MESSAGE_BYTES];

  fault_arm (kind, target, NULL);
  if (!play (pipeline, output, shared->message)) {
    fault_disarm ();
    outcome = OUTCOME_ERROR;
    if (!is_expected (described, output, FALSE))
      outcome = OUTCOME_WRONG;
    else if (strlen (shared->message) < 20)
      outcome = OUTCOME_NO_MESSAGE;
    else if (g_atomic_int_set (&warned, FALSE), !play (pipeline, output, again)) {
      outcome = OUTCOME_ERROR_STAYS;
      g_strlcat (shared->message, "; started again: ", MESSAGE_BYTES);
      g_strlcat (shared->message, again, MESSAGE_BYTES);
    }
  }
  fault_disarm ();
  g_strlcpy (shared->due, fault_get_due (), FAULT_NAME_BYTES);
  if ((outcome == OUTCOME_RIGHT || outcome == OUTCOME_ERROR) &&
      !is_expected (described, output, TRUE))
    outcome = OUTCOME_WRONG;
  if (outcome == OUTCOME_RIGHT && g_atomic_int_get (&warned))
    outcome = OUTCOME_WARNING;
  gst_object_unref (pipeline);
  g_free (output);
  return outcome < OUTCOME_WRONG && !is_clean () ? OUTCOME_LEAK : outcome;
}

/* Runs twice: memory that stays after the first run is no leak, and faults are injected into the
 * second. */
static void
run_without_fault (const Pipeline *described)
{
  GstElement *pipeline = make_pipeline (described, &shared->expected);

  fault_arm (FAULT_FAIL, -1, &shared->record);
  if (!play (pipeline, &shared->expected, shared->message)) {
    g_printerr ("without a fault: %s\n", shared->message);
    _exit (1);
  }
  fault_disarm ();
  if (!play (pipeline, &shared->expected, shared->message))
    _exit (1);
  gst_object_unref (pipeline);
  fault_open_displays ();
  g_thread_pool_stop_unused_threads ();
  g_usleep (200000);
  shared->threads = count_threads ();
  shared->descriptors = count_entries ("/proc/self/fd");
}

/* ---- all runs ---- */

static Outcome
fork_run (const Pipeline *described, FaultKind kind, gint target)
{
  pid_t child;
  int status = 0;

  shared->message[0] = shared->due[0] = '\0';
  child = fork ();
  g_assert (child >= 0);
  if (child == 0) {
    alarm (WATCHDOG_SECONDS);
    _exit (run_with_fault (described, kind, target));
  }
  waitpid (child, &status, 0);
  if (WIFSIGNALED (status))
    return WTERMSIG (status) == SIGALRM ? OUTCOME_HANG : OUTCOME_CRASH;
  return WEXITSTATUS (status) < N_OUTCOMES ? (Outcome) WEXITSTATUS (status) : OUTCOME_CRASH;
}

/* How many calls of @name were recorded. */
static guint
count_calls (const gchar *name)
{
  guint n = 0;

  for (gint i = 0; i < MIN (shared->record.n_calls, FAULT_MAX_CALLS); i++)
    n += g_str_equal (shared->record.names[i], name);
  return n;
}

/* Whether call number @target is to fail: the last of its name, and the first unless another
 * pipeline makes it too, whose numbers of calls @known has. If that makes as many, they are the
 * same. */
static gboolean
is_wanted (gint target, GHashTable *known)
{
  const FaultRecord *record = &shared->record;
  const gchar *name = record->names[target];
  const guint n_known = GPOINTER_TO_UINT (g_hash_table_lookup (known, name));
  gboolean first = n_known == 0, last = TRUE;

  if (only != NULL || exhaustive)
    return only == NULL || g_str_equal (name, only);
  if (n_known == count_calls (name))
    return FALSE;
  for (gint i = 0; i < record->n_calls; i++) {
    if (i != target && g_str_equal (record->names[i], name)) {
      first = first && i > target;
      last = last && i < target;
    }
  }
  return first || last;
}

/* After a reset the device has to be opened anew; an entry point that was not found stays away. */
static gboolean
is_bad (const gchar *name, Outcome outcome)
{
  return outcome >= OUTCOME_WRONG ||
      (outcome == OUTCOME_ERROR_STAYS && g_str_has_prefix (name, "glGetGraphicsResetStatus"));
}

/* Makes call number @target fail and prints the outcome, with the message if that is bad or stays.
 * Returns whether it is allowed. */
static gboolean
check_fault (const Pipeline *described, FaultKind kind, gint target)
{
  const gchar *name = shared->record.names[target];
  const Outcome outcome = fork_run (described, kind, target);

  g_print ("%s%s: %s\n", name, kind == FAULT_LATE ? ", late" : "", outcome_names[outcome]);
  if (verbose || is_bad (name, outcome) || outcome == OUTCOME_ERROR_STAYS)
    g_print ("  call %d (%s): %s\n", target, shared->due, shared->message);
  return !is_bad (name, outcome);
}

/* Fills in shared->record and shared->expected, in a process that leaves nothing behind. */
static gboolean
record (const Pipeline *described)
{
  int status = 0;
  pid_t child;

  memset (shared, 0, sizeof (*shared));
  child = fork ();
  g_assert (child >= 0);
  if (child == 0) {
    run_without_fault (described);
    _exit (0);
  }
  waitpid (child, &status, 0);
  return status == 0 && shared->expected.size[OUTPUT_BUFFERS] > 0;
}

/* Adds the numbers of calls of the pipeline @name to @known, by the names of functions. */
static gboolean
learn_calls (const gchar *name, GHashTable *known)
{
  guint p = 0;

  while (!g_str_equal (pipelines[p].name, name))
    p++;
  if (!record (&pipelines[p]))
    return FALSE;
  for (gint i = 0; i < MIN (shared->record.n_calls, FAULT_MAX_CALLS); i++) {
    const gchar *function = shared->record.names[i];

    if (!g_hash_table_contains (known, function))
      g_hash_table_insert (known, g_strdup (function), GUINT_TO_POINTER (count_calls (function)));
  }
  return TRUE;
}

/* Returns whether no fault had a forbidden outcome. */
static gboolean
run_all (const Pipeline *described)
{
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  guint n_runs = 0, n_bad = 0;

  if (described->base != NULL && !learn_calls (described->base, known))
    return FALSE;
  if (!record (described))
    return FALSE;
  if (shared->record.n_foreign > 0) {
    g_print ("%d calls of EGL or OpenGL ES came from another thread than the device's\n",
        shared->record.n_foreign);
    n_bad++;
  }
  for (gint i = 0; i < MIN (shared->record.n_calls, FAULT_MAX_CALLS); i++) {
    if (!is_wanted (i, known))
      continue;
    n_bad += !check_fault (described, FAULT_FAIL, i);
    n_runs++;
    if (!g_str_equal (shared->record.names[i], "glClientWaitSync"))
      continue;
    n_bad += !check_fault (described, FAULT_LATE, i);
    n_runs++;
  }
  g_print ("%s on %s: %d calls, %u faults, %u with an outcome that must not be\n", described->name,
      device, shared->record.n_calls, n_runs, n_bad);
  return n_runs > 0 && n_bad == 0;
}

int
main (int argc, char **argv)
{
  gchar *element = NULL;
  const GOptionEntry entries[] = { { "element", 0, 0, G_OPTION_ARG_STRING, &element,
                                       "Only the pipeline of this element", "NAME" },
    { "device", 0, 0, G_OPTION_ARG_STRING, &device, "Its device (software)", "DEVICE" },
    { "exhaustive", 0, 0, G_OPTION_ARG_NONE, &exhaustive,
        "Every call, not only the first and the last of each name that others do not make", NULL },
    { "only", 0, 0, G_OPTION_ARG_STRING, &only, "Every call of this name", "CALL" },
    { "verbose", 0, 0, G_OPTION_ARG_NONE, &verbose, "What each fault leads to", NULL }, { NULL } };
  g_autoptr (GOptionContext) context = g_option_context_new ("- makes calls fail");
  g_autoptr (GError) error = NULL;
  gboolean ok = TRUE;

  g_option_context_add_main_entries (context, entries, NULL);
  g_option_context_add_group (context, gst_init_get_option_group ());
  if (!g_option_context_parse (context, &argc, &argv, &error))
    g_error ("%s", error->message);
  if (device == NULL)
    device = g_strdup ("software");
  shared = mmap (NULL, sizeof (*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  g_assert (shared != MAP_FAILED);
  /* children have what is loaded here; what has threads, such as EGL, they open themselves */
  for (guint i = 0; i < G_N_ELEMENTS (pipelines); i++)
    gst_object_unref (make_pipeline (&pipelines[i], &shared->expected));
  g_assert_cmpint (count_entries ("/proc/self/task"), ==, 1);
  for (guint i = 0; i < G_N_ELEMENTS (pipelines); i++) {
    if (element == NULL || g_str_equal (element, pipelines[i].name))
      ok &= run_all (&pipelines[i]);
  }
  return ok ? 0 : 1;
}
