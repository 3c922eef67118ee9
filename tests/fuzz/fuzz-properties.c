/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Properties as strings, as applications take them from their users: lines "ELEMENT PROPERTY
 * VALUE", ELEMENT a digit. A frame follows: it passes, or it is refused with a message. */
#include "fuzz.h"

#include <string.h>

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define HAVE_LSAN
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define HAVE_LSAN
#endif
#ifdef HAVE_LSAN
#include <sanitizer/lsan_interface.h>
#else
#define __lsan_disable()
#define __lsan_enable()
#endif

static const gchar *const names[] = { "gleshistogram", "glescompact", "glestiles", "glesoverlay",
  "glesjson", "glesregions", "glesevents", "glestrack", "gleszones",
  "glespublish address=/dev/null" };

/* Devices are opened on cpu alone: drivers are not what is tested here. Nothing is written but to
 * /dev/null, and no host is called. Properties of GStreamer's base classes are not ours. */
static gboolean
is_ours (const GParamSpec *spec)
{
  static const gchar *const others[] = { "device", "address", "method", "spool-directory", NULL };

  return (spec->flags & G_PARAM_WRITABLE) != 0 && !g_strv_contains (others, spec->name) &&
      g_str_has_prefix (g_type_name (spec->owner_type), "GstGles");
}

static void
set_property (GstElement *element, const gchar *name, const gchar *value)
{
  GParamSpec *spec = g_object_class_find_property (G_OBJECT_GET_CLASS (element), name);
  GValue parsed = G_VALUE_INIT;
  gboolean ok;

  if (spec == NULL || !is_ours (spec) || !g_utf8_validate (value, -1, NULL))
    return;
  /* as gst_util_set_object_arg(), which leaks what it cannot parse; GStreamer 1.22 leaks the
   * elements of an array that it cannot parse to its end */
  g_value_init (&parsed, spec->value_type);
  __lsan_disable ();
  ok = gst_value_deserialize_with_pspec (&parsed, value, spec);
  __lsan_enable ();
  if (ok)
    g_object_set_property (G_OBJECT (element), name, &parsed);
  g_value_unset (&parsed);
}

/* Serialises every property of @element, as `gst-launch-1.0 -v` does. */
static void
read_properties (GstElement *element)
{
  guint n;
  GParamSpec **specs = g_object_class_list_properties (G_OBJECT_GET_CLASS (element), &n);

  for (guint i = 0; i < n; i++) {
    GValue value = G_VALUE_INIT;

    if ((specs[i]->flags & G_PARAM_READABLE) == 0)
      continue;
    g_value_init (&value, specs[i]->value_type);
    g_object_get_property (G_OBJECT (element), specs[i]->name, &value);
    g_free (gst_value_serialize (&value));
    g_value_unset (&value);
  }
  g_free (specs);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  FuzzInput input = { data, size };
  const guint index = fuzz_take_8 (&input) % G_N_ELEMENTS (names);
  const gboolean late = fuzz_take_8 (&input) % 2 == 1;
  g_autofree gchar *description = NULL;
  GstElement *element;
  FuzzStream stream;
  GstBuffer *out;

  fuzz_init ();
  description = g_strdup_printf ("%s name=it", names[index]);
  if (!fuzz_stream_init (&stream, description))
    g_error ("%s cannot be made", description);
  element = gst_bin_get_by_name (GST_BIN (stream.harness->element), "it");
  for (guint i = 0; i < 2; i++) {
    if (i == (late ? 1 : 0)) {
      while (input.size > 0) {
        g_autofree gchar *line = fuzz_take_line (&input);
        g_auto (GStrv) words = g_strsplit (line, " ", 2);

        if (words[0] != NULL && words[1] != NULL)
          set_property (element, words[0], words[1]);
      }
    }
    gst_harness_set_src_caps_str (
        stream.harness, "video/x-raw,format=I420,width=32,height=16,framerate=25/1");
    out = fuzz_stream_push (&stream, gst_buffer_new ());
    if (out != NULL)
      gst_buffer_unref (out);
    out = fuzz_stream_push (&stream, gst_buffer_new_allocate (NULL, 32 * 16 * 3 / 2, NULL));
    if (out != NULL)
      gst_buffer_unref (out);
  }
  read_properties (element);
  gst_object_unref (element);
  fuzz_stream_clear (&stream);
  return 0;
}
