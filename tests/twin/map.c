/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Maps of arrays against the value of the expression, place by place: sizes around those of
 * workgroups and blocks, types, parameters that change, in place, and refused calls.
 * tests/expressions has many expressions. */
#include <string.h>

#include <gst/gles/algo/compact/compact.h>
#include <gst/gles/algo/map/map.h>

#include "array-cases.h"

static const gchar *const names[] = { "a", "b", "c", NULL };
static const GstGlesMapType types[] = { GST_GLES_MAP_I32, GST_GLES_MAP_U16, GST_GLES_MAP_U8 };

static GstGlesExpression *
expression_of (const gchar *text)
{
  GError *error = NULL;
  GstGlesExpression *expression = gst_gles_expression_new_for_arrays (text, names, &error);

  g_assert_no_error (error);
  return expression;
}

static GstGlesMap *
map_of (GstGlesExpression *expression)
{
  GError *error = NULL;
  GstGlesMap *map =
      gst_gles_map_new (array_test.queue, expression, types, G_N_ELEMENTS (types), &error);

  g_assert_no_error (error);
  return map;
}

/* @n words of values of 4, 2 or 1 bytes. */
static gint32
value_at (const guint32 *words, GstGlesMapType type, guint i)
{
  const guint8 *bytes = (const guint8 *) words;

  if (type == GST_GLES_MAP_U8)
    return bytes[i];
  return type == GST_GLES_MAP_U16 ? ((const guint16 *) (gconstpointer) words)[i]
                                  : (gint32) words[i];
}

static void
check (GstGlesMap *map, GstGlesExpression *expression, Pattern pattern, guint n,
    const gint32 *parameters, guint n_parameters, gboolean in_place)
{
  g_autofree gchar *where =
      g_strdup_printf ("map of %u %s%s", n, pattern_name (pattern), in_place ? " in place" : "");
  g_autofree guint32 *words[3] = { array_input (pattern, n, 1), array_input (pattern, n, 2),
    array_input (pattern, n, 3) };
  g_autofree guint32 *want = g_new0 (guint32, n + 1);
  GstGlesBuffer *inputs[3];
  g_autoptr (GstGlesBuffer) output = array_buffer (n);
  GError *error = NULL;

  for (guint i = 0; i < 3; i++)
    inputs[i] = array_buffer_of (words[i], n);
  for (guint i = 0; i < n; i++) {
    const gint32 values[] = { value_at (words[0], types[0], i), value_at (words[1], types[1], i),
      value_at (words[2], types[2], i) };

    want[i] = (guint32) gst_gles_expression_evaluate (expression, values, parameters);
  }
  /* twice: the second call finds what the first one found */
  for (guint i = 0; i < (in_place ? 1 : 2); i++) {
    assert_ok (gst_gles_map_run (
        map, inputs, 3, parameters, n_parameters, in_place ? inputs[0] : output, n, &error));
    array_check (in_place ? inputs[0] : output, want, n, where);
  }
  array_check (inputs[1], words[1], n, where);
  for (guint i = 0; i < 3; i++)
    gst_gles_buffer_unref (inputs[i]);
}

static void
test_sizes (void)
{
  static const guint sizes[] = { 0, 1, 2, 3, 31, 63, 64, 65, 127, 128, 129, 255, 256, 257, 511, 512,
    513, 1021, 8191, 8192, 8193, 65521, 1280 * 720, (1 << 20) - 1, 1 << 20, (1 << 20) + 1 };
  static const gint32 parameters[] = { -77, 5 };
  g_autoptr (GstGlesExpression) expression =
      expression_of ("a / (c + $p) ^ b * $q + isqrt(a) % 100");
  g_autoptr (GstGlesMap) map = map_of (expression);

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    check (map, expression, PATTERN_RANDOM, sizes[i], parameters, 2, FALSE);
    check (map, expression, PATTERN_RANDOM, sizes[i], parameters, 2, TRUE);
  }
  if (!array_test.quick)
    check (map, expression, PATTERN_RANDOM, 7680 * 4320, parameters, 2, FALSE);
}

static void
test_patterns (void)
{
  static const Pattern patterns[] = { PATTERN_ZEROS, PATTERN_ALL_MAXIMUM, PATTERN_RAMP,
    PATTERN_RANDOM };
  g_autoptr (GstGlesExpression) expression = expression_of ("(a ? b - c : a << c) * 3");
  g_autoptr (GstGlesMap) map = map_of (expression);

  for (guint i = 0; i < G_N_ELEMENTS (patterns); i++)
    check (map, expression, patterns[i], 10007, NULL, 0, FALSE);
}

/* Parameters change from call to call, without a new plan; constants and lone arrays are maps. */
static void
test_parameters (void)
{
  static const gchar *const texts[] = { "7", "c", "$p", "-b" };
  g_autoptr (GstGlesExpression) expression = expression_of ("a > $p");
  g_autoptr (GstGlesMap) map = map_of (expression);

  for (gint32 p = -3; p < 4; p++)
    check (map, expression, PATTERN_RANDOM, 1000, &p, 1, FALSE);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    const gint32 p = 12345;
    g_autoptr (GstGlesExpression) lone = expression_of (texts[i]);
    g_autoptr (GstGlesMap) lone_map = map_of (lone);

    check (lone_map, lone, PATTERN_RANDOM, 1000, &p, i == 2, FALSE);
  }
}

static void
test_errors (void)
{
  const gint32 parameter = 0;
  GError *error = NULL;
  g_autoptr (GstGlesExpression) expression = expression_of ("a + $p"), frames = NULL;
  g_autoptr (GstGlesMap) map = map_of (expression);
  g_autoptr (GstGlesBuffer) buffer = array_buffer (100), small = array_buffer (10);
  GstGlesBuffer *const inputs[] = { buffer, buffer, buffer };

  assert_ok (frames = gst_gles_expression_new ("Y", &error));
  assert_fails (
      gst_gles_map_new (array_test.queue, frames, types, G_N_ELEMENTS (types), &error), SETTINGS);
  assert_fails (gst_gles_map_new (array_test.queue, expression, types, 2, &error), SETTINGS);
  assert_fails (gst_gles_map_run (map, inputs, 2, &parameter, 1, small, 10, &error), INVALID);
  assert_fails (gst_gles_map_run (map, inputs, 3, NULL, 0, small, 10, &error), INVALID);
  assert_fails (gst_gles_map_run (map, inputs, 3, &parameter, 1, small, 1 << 20, &error), INVALID);
  assert_fails (gst_gles_map_run (map, inputs, 3, &parameter, 1, buffer, 50, &error), INVALID);
}

/* Compaction takes a map as its predicate. */
static void
test_compaction (void)
{
  const guint n = 20011;
  const gint32 p = 1 << 28;
  g_autoptr (GstGlesExpression) expression =
      expression_of ("(a & 0x7fffffff) < $p && c % 3 == b % 2");
  g_autoptr (GstGlesMap) map = map_of (expression);
  g_autoptr (GstGlesCompact) compact = ARRAY_NEW (compact, n);
  g_autoptr (GstGlesBuffer) values = array_buffer (n), indices = array_buffer (n);
  g_autofree guint32 *want = g_new (guint32, n), *places = g_new (guint32, n);
  guint32 *words[3];
  GstGlesBuffer *inputs[3];
  GError *error = NULL;
  guint count = 0;

  for (guint i = 0; i < 3; i++) {
    words[i] = array_input (PATTERN_RANDOM, n, 5 + i);
    inputs[i] = array_buffer_of (words[i], n);
  }
  for (guint i = 0; i < n; i++) {
    const gint32 at[] = { value_at (words[0], types[0], i), value_at (words[1], types[1], i),
      value_at (words[2], types[2], i) };

    if (gst_gles_expression_evaluate (expression, at, &p) != 0) {
      want[count] = words[0][i];
      places[count++] = i;
    }
  }
  g_assert_cmpuint (count, >, 100);
  assert_ok (gst_gles_compact_map (
      compact, map, inputs, 3, &p, 1, inputs[0], n, values, indices, n, &error));
  array_check (values, want, count, "values of a map");
  array_check (indices, places, count, "indices of a map");
  assert_fails (
      gst_gles_compact_map (compact, map, inputs, 3, &p, 1, NULL, n + 1, NULL, indices, n, &error),
      TOO_LARGE);
  for (guint i = 0; i < 3; i++) {
    gst_gles_buffer_unref (inputs[i]);
    g_free (words[i]);
  }
}

static void
add_tests (void)
{
  g_test_add_func ("/map/sizes", test_sizes);
  g_test_add_func ("/map/patterns", test_patterns);
  g_test_add_func ("/map/parameters", test_parameters);
  g_test_add_func ("/map/errors", test_errors);
  g_test_add_func ("/map/compaction", test_compaction);
}

ARRAY_TEST_MAIN (NULL, add_tests)
