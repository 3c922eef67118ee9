/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What expressions mean, and what errors say. tests/expressions compares many with Python. */
#include <string.h>

#include <gst/gles/core/error.h>
#include <gst/gles/expression/bind.h>
#include <gst/gles/expression/expression-info.h>

static const gchar *const names[] = { "a", "b", NULL };

static gint32
value_of (const gchar *text, gint32 a, gint32 b)
{
  const gint32 values[] = { a, b };
  g_autoptr (GError) error = NULL;
  g_autoptr (GstGlesExpression) expression =
      gst_gles_expression_new_for_arrays (text, names, &error);

  g_assert_no_error (error);
  return gst_gles_expression_evaluate (expression, values, NULL);
}

/* Each rule of docs/expressions.md. */
static void
test_rules (void)
{
  static const struct {
    const gchar *text;
    gint32 a, b, value;
  } rules[] = {
    { "a + b", G_MAXINT32, 1, G_MININT32 },
    { "a - b", G_MININT32, 1, G_MAXINT32 },
    { "a * b", 65536, 65537, 65536 },
    { "a / b", -7, 2, -3 },
    { "a % b", -7, 2, -1 },
    { "a % b", 7, -2, 1 },
    { "a / b", 5, 0, 0 },
    { "a % b", 5, 0, 0 },
    { "a / b", G_MININT32, -1, G_MININT32 },
    { "a % b", G_MININT32, -1, 0 },
    { "abs(a)", G_MININT32, 0, G_MININT32 },
    { "a << b", 1, 33, 2 },
    { "a >> b", -8, 1, -4 },
    { "a >> b", -8, -31, -4 },
    { "a < b", -1, 1, 1 },
    { "a && b", 4, 2, 1 },
    { "a || b", 0, 0, 0 },
    { "!a", 0, 0, 1 },
    { "~a", 0, 0, -1 },
    { "a ? b : 7", 0, 3, 7 },
    { "a ? 1 : b ? 2 : 3", 0, 5, 2 },
    { "clamp(a, 0, 10)", 11, 0, 10 },
    { "in(a, 3, 5)", 5, 0, 1 },
    { "isqrt(a)", -1, 0, 65535 },
    { "isqrt(a)", 24, 0, 4 },
    { "lin(a)", -7, 0, 0 },
    { "lin(a)", 128, 0, 14146 },
    { "lin(a)", 4000, 0, 65535 },
    { "mix(a, b, 64)", 100, 200, 125 },
    { "1 + 2 * 3 << 1 == 14 & 3", 0, 0, 1 },
    { "0xffffffff", 0, 0, -1 },
    { "-a*b", 3, 4, -12 },
    { "7%b", 0, 4, 3 },
    { "7 %b", 0, 4, 3 },
    { " a\t+\nb ", 1, 2, 3 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rules); i++) {
    if (value_of (rules[i].text, rules[i].a, rules[i].b) != rules[i].value)
      g_error ("%s of %d and %d is %d", rules[i].text, rules[i].a, rules[i].b,
          value_of (rules[i].text, rules[i].a, rules[i].b));
  }
}

static void
test_parameters (void)
{
  static const gint32 values[] = { 10, 0 }, parameters[] = { 7, 3 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GstGlesExpression) expression =
      gst_gles_expression_new_for_arrays ("a > $high || a < $low + $high", names, &error);
  const gchar *const *found;

  g_assert_no_error (error);
  found = gst_gles_expression_get_parameters (expression);
  g_assert_cmpstr (found[0], ==, "high");
  g_assert_cmpstr (found[1], ==, "low");
  g_assert_null (found[2]);
  g_assert_cmpint (gst_gles_expression_evaluate (expression, values, parameters), ==, 1);
  g_assert_cmpstr (gst_gles_expression_get_text (expression), ==, "a > $high || a < $low + $high");
}

/* Texts that fail: the column, and a part of what the error says. */
static void
test_errors (void)
{
  static const struct {
    const gchar *text;
    guint column;
    const gchar *says;
  } errors[] = {
    { "", 1, "the expression ends" },
    { "hue > 10 && stat > 3", 13, "did you mean `sat`?" },
    { "y + Z", 5, "there is no name `Z`" },
    { "luma", 1, "no name `luma`" },
    { "Y +", 4, "is expected, and the expression ends" },
    { "Y + + 3", 5, "not `+`" },
    { "Y 3", 3, "an operator is expected, not `3`" },
    { "(Y", 3, "`)` is expected" },
    { "Y)", 2, "an operator is expected" },
    { "min(Y)", 6, "the next argument of min(a, b)" },
    { "min(Y, U, V)", 9, "`)` is expected" },
    { "min Y", 5, "`(` is expected" },
    { "mni(Y, U)", 1, "did you mean `min`?" },
    { "Y ? 1", 6, "`:` is expected" },
    { "Y[1]", 4, "`,` is expected" },
    { "Y[5,0]", 3, "an offset from -4 to 4" },
    { "x[1,0]", 2, "an operator is expected" },
    { "prev.x", 6, "there is no name `x`" },
    { "$", 2, "the name of a parameter" },
    { "4294967296", 1, "more than 32 bits" },
    { "0xY", 1, "hexadecimal" },
    { "3px", 1, "no operator follows" },
    { "101%", 1, "at most 100%" },
    { "1.2345%", 1, "at most three digits" },
    { "17bit(1)", 1, "1 to 16 bits" },
    { "8bit 3", 6, "`(` is expected" },
    { "Y = 3", 3, "`=` means nothing" },
    { "Y \xc3\xa9", 3, "byte 0xc3" },
    { "Y @ 1", 3, "`@` means nothing" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (errors); i++) {
    g_autoptr (GError) error = NULL;
    g_autofree gchar *column = g_strdup_printf ("column %u: ", errors[i].column);
    const gchar *caret;

    g_assert_null (gst_gles_expression_new (errors[i].text, &error));
    g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS);
    if (!g_str_has_prefix (error->message, column) ||
        strstr (error->message, errors[i].says) == NULL)
      g_error ("%s: %s", errors[i].text, error->message);
    caret = strrchr (error->message, '\n') + 1;
    g_assert_cmpuint (strlen (caret), ==, 2 + errors[i].column);
    g_assert_true (g_str_has_suffix (caret, " ^"));
  }
}

/* Texts that are long, deep or strange are refused at once. */
static void
test_hostile (void)
{
  static const gchar pieces[] = "([$!-~?a1%";
  gchar *text = g_malloc (1 << 20);
  gint64 begin_us;

  for (guint i = 0; i + 1 < sizeof (pieces); i++) {
    for (gsize n = 63; n < 1 << 20; n *= 8) {
      memset (text, pieces[i], n);
      text[n] = '\0';
      begin_us = g_get_monotonic_time ();
      g_assert_null (gst_gles_expression_new (text, NULL));
      g_assert_cmpint (g_get_monotonic_time () - begin_us, <, 100 * 1000);
    }
  }
  for (guint c = 1; c < 256; c++) {
    const gchar one[] = { (gchar) c, '\0' };

    gst_gles_expression_unref (gst_gles_expression_new (one, NULL));
  }
  g_free (text);
}

static GstGlesSamples
i420 (guint depth)
{
  GstGlesSamples samples = {
    .n_components = 3, .names = { "Y", "U", "V" }, .kr = 13933, .kg = 46871, .kb = 4732
  };

  for (guint i = 0; i < 3; i++)
    samples.components[i] = (GstGlesComponent){ .depth = depth, .sub_x = i > 0, .sub_y = i > 0 };
  return samples;
}

/* The value of an expression without inputs on a format. */
static void
assert_constant (const gchar *text, guint depth, gint32 value)
{
  const GstGlesSamples samples = i420 (depth);
  g_autoptr (GError) error = NULL;
  g_autoptr (GstGlesExpression) expression = gst_gles_expression_new (text, &error);
  g_autoptr (GstGlesGraph) graph = NULL;
  guint result, n;

  g_assert_no_error (error);
  result = expression->result;
  graph = gst_gles_expression_bind (expression->graph, &result, &samples, &error);
  g_assert_no_error (error);
  g_assert_cmpint (gst_gles_graph_get_nodes (graph, &n)[result].constant, ==, value);
  g_assert_cmpuint (n, ==, 1);
}

static void
test_full_scale (void)
{
  assert_constant ("50%", 8, 128);
  assert_constant ("50%", 10, 512);
  assert_constant ("50% != 1", 8, 1);
  assert_constant ("50% !=128", 8, 0);
  assert_constant ("7 % !0", 8, 0);
  assert_constant ("12.5% + 0%", 8, 32);
  assert_constant ("100%", 16, 65535);
  assert_constant ("8bit(200)", 10, 800);
  assert_constant ("10bit(800)", 8, 200);
  /* what is known without a sample */
  assert_constant ("Y >= 0 && hue < 360 && uvhue <= 359", 8, 1);
  assert_constant ("Y * 0 + (U ^ U)", 8, 0);
  assert_constant ("Y ? 5 : 5", 8, 5);
}

static void
assert_refused (const gchar *text, const GstGlesSamples *samples, const gchar *says)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GstGlesExpression) expression = gst_gles_expression_new (text, &error);
  guint result;

  g_assert_no_error (error);
  result = expression->result;
  g_assert_null (gst_gles_expression_bind (expression->graph, &result, samples, &error));
  g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS);
  if (strstr (error->message, says) == NULL)
    g_error ("%s: %s", text, error->message);
}

static void
test_formats (void)
{
  const GstGlesSamples yuv = i420 (8);
  GstGlesSamples grey = yuv;
  g_autoptr (GString) sum = g_string_new ("Y[0,0]");

  grey.n_components = 1;
  assert_refused ("A", &yuv, "has no A");
  assert_refused ("hue", &grey, "has no hue");
  assert_refused ("R[1,0]", &yuv, "has no neighbours");
  assert_refused ("bg.R", &yuv, "has no background");
  /* a name that does not matter is not asked for */
  assert_constant ("A * 0", 8, 0);
  for (gint y = -4; y <= 4; y++) {
    for (gint x = -4; x <= 4; x++)
      g_string_append_printf (sum, " * 3 + Y[%d,%d]", x, y);
  }
  assert_refused (sum->str, &yuv, "of at most 128");
}

/* The same description means the same values, whatever the text. */
static void
test_describe (void)
{
  static const struct {
    const gchar *text, *description;
  } cases[] = { { "Y > 100 && prev.U[1,-2] < $low",
                    "%1 = less 100 Y\n%2 = less prev.U[1,-2] $low\n"
                    "%3 = and %1 %2\n" },
    { "hue", "hue\n" }, { "2 + 3 * 4", "14\n" }, { "50%", "50.000%\n" } };
  g_autoptr (GstGlesExpression) one = NULL, other = NULL;
  g_autofree gchar *of_one = NULL, *of_other = NULL;
  GError *error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GstGlesExpression) expression = gst_gles_expression_new (cases[i].text, &error);
    g_autofree gchar *description = NULL;

    g_assert_no_error (error);
    description = gst_gles_expression_describe (expression);
    g_assert_cmpstr (description, ==, cases[i].description);
  }
  one = gst_gles_expression_new_for_arrays ("(a + b) * (b + a) + 1 * 7", names, &error);
  other = gst_gles_expression_new_for_arrays ("(b+a)*(b+a)+(9-2)", names, &error);
  of_one = gst_gles_expression_describe (one);
  of_other = gst_gles_expression_describe (other);
  g_assert_cmpstr (of_one, ==, of_other);
  g_assert_cmpstr (of_one, ==, "%1 = add a b\n%2 = multiply %1 %1\n%3 = add %2 7\n");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/expression/rules", test_rules);
  g_test_add_func ("/expression/parameters", test_parameters);
  g_test_add_func ("/expression/errors", test_errors);
  g_test_add_func ("/expression/hostile", test_hostile);
  g_test_add_func ("/expression/full-scale", test_full_scale);
  g_test_add_func ("/expression/formats", test_formats);
  g_test_add_func ("/expression/describe", test_describe);
  return g_test_run ();
}
