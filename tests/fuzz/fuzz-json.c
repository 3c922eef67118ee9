/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The writer of JSON against json-glib: numbers, strings and arrays made of the input read back
 * the same, and what json-glib has read is written with the same bytes. */
#include "fuzz.h"

#include <json-glib/json-glib.h>

#include <math.h>
#include <string.h>

#include "json/node.h"
#include "json/writer.h"

typedef struct {
  guint64 number;
  gdouble real;
  gchar *text;
  guint32 words[64];
  GstGlesPoint points[32];
  guint n_words, n_points;
} Values;

static void
take_values (FuzzInput *input, Values *values)
{
  guint64 bits;

  memset (values, 0, sizeof *values);
  /* json-glib has signed numbers */
  values->number = fuzz_take (input, 8) & G_MAXINT64;
  bits = fuzz_take (input, 8);
  memcpy (&values->real, &bits, sizeof bits);
  /* json-glib reads -0 as the integer 0 */
  if (!isfinite (values->real) || values->real == 0)
    values->real = 0;
  values->n_words = fuzz_take_8 (input) % 64;
  values->n_points = fuzz_take_8 (input) % 32;
  for (guint i = 0; i < values->n_words; i++)
    values->words[i] = fuzz_take_32 (input) >> fuzz_take_8 (input) % 32;
  for (guint i = 0; i < values->n_points; i++)
    values->points[i] = (GstGlesPoint){ fuzz_take_16 (input), fuzz_take_16 (input),
      fuzz_take_32 (input) >> fuzz_take_8 (input) % 32 };
  values->text = g_utf8_make_valid ((const gchar *) input->data, (gssize) input->size);
}

/* From a capacity of 0 on, so that it grows. */
static gchar *
write_values (const Values *values, gsize *size)
{
  g_autoptr (GError) error = NULL;
  JsonWriter writer;
  gchar *text;

  json_writer_init (&writer, 0);
  json_writer_raw (&writer, "{\"number\":");
  json_writer_uint (&writer, values->number);
  json_writer_raw (&writer, ",\"real\":");
  json_writer_double (&writer, values->real);
  json_writer_raw (&writer, ",\"text\":");
  json_writer_string (&writer, values->text);
  json_writer_raw (&writer, ",\"words\":");
  json_writer_array (&writer, values->words, values->n_words);
  json_writer_raw (&writer, ",\"points\":");
  json_writer_points (&writer, values->points, values->n_points);
  json_writer_raw (&writer, "}\n");
  text = json_writer_steal (&writer, size, &error);
  fuzz_assert (text != NULL);
  return text;
}

static void
check_values (const Values *values, JsonObject *object)
{
  JsonArray *words = json_object_get_array_member (object, "words");
  JsonArray *points = json_object_get_array_member (object, "points");

  fuzz_assert ((guint64) json_object_get_int_member (object, "number") == values->number);
  fuzz_assert (json_object_get_double_member (object, "real") == values->real);
  fuzz_assert (strcmp (json_object_get_string_member (object, "text"), values->text) == 0);
  fuzz_assert (json_array_get_length (words) == values->n_words);
  for (guint i = 0; i < values->n_words; i++)
    fuzz_assert (json_array_get_int_element (words, i) == values->words[i]);
  fuzz_assert (json_array_get_length (points) == values->n_points);
  for (guint i = 0; i < values->n_points; i++) {
    JsonArray *point = json_array_get_array_element (points, i);

    fuzz_assert (json_array_get_length (point) == 3);
    fuzz_assert (json_array_get_int_element (point, 0) == values->points[i].x);
    fuzz_assert (json_array_get_int_element (point, 1) == values->points[i].y);
    fuzz_assert (json_array_get_int_element (point, 2) == values->points[i].value);
  }
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  FuzzInput input = { data, size };
  g_autoptr (GError) error = NULL;
  g_autofree gchar *text = NULL, *again = NULL;
  Values values;
  gsize length;

  fuzz_init ();
  take_values (&input, &values);
  text = write_values (&values, &length);
  /* one line; json-glib takes other control characters, too, which are no JSON */
  fuzz_assert (length > 0 && text[length - 1] == '\n' && strlen (text) == length);
  for (gsize i = 0; i < length - 1; i++)
    fuzz_assert ((guchar) text[i] >= 0x20);
  if (!json_parser_load_from_data (parser, text, (gssize) length, &error))
    g_error ("no JSON: %s: %s", error->message, text);
  check_values (&values, json_node_get_object (json_parser_get_root (parser)));
  again = json_write_node (json_parser_get_root (parser), 3, &error);
  fuzz_assert (
      again != NULL && strlen (again) == length - 1 && memcmp (again, text, length - 1) == 0);
  fuzz_assert (json_write_node (json_parser_get_root (parser), 1, NULL) == NULL);
  g_free (values.text);
  return 0;
}
