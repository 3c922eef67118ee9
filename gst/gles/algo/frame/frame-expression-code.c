/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Writes what kernels read and calculate, from numbers alone. Samples of a group of four share the
 * words that they lie in: which bits they are is known when the code is written. */
#include "config.h"

#include <gst/gles/algo/frame/frame-expression-private.h>
#include <gst/gles/expression/bind.h>
#include <gst/gles/expression/glsl.h>

#define GROUP 4

/* Words that a group of samples lies in. Components in the same bytes share them. */
typedef struct {
  guint base; /* a component */
  gboolean previous;
  guint columns, rows; /* log2 of the samples of the grid for one of these */
  guint n_words;       /* 0: less than a word for each group */
} Words;

typedef struct {
  const GstGlesFrameFormula *formula;
  const GstGlesImage *format;
  guint sub_x, sub_y;
  GString *text;
  Words words[GST_GLES_MAX_COMPONENTS * 2];
  guint n_words;
} Writer;

static const GstGlesComponent *
component_of (const Writer *writer, const GstGlesLeaf *leaf)
{
  return &writer->format->components[leaf->numbers[0]];
}

static guint
columns_of (const Writer *writer, const GstGlesComponent *c)
{
  return c->sub_x - writer->sub_x;
}

/* Returns the first byte of sample @k of a group, from the word that the group begins in. */
static guint
byte_of (const Writer *writer, const GstGlesComponent *c, guint k)
{
  return (k >> columns_of (writer, c)) * c->step + (c->offset & 3);
}

static guint
group_bytes (const Writer *writer, const GstGlesComponent *c)
{
  return (GROUP >> columns_of (writer, c)) * c->step;
}

/* Whether the samples of groups lie in the same bits of words everywhere, each in one word. */
static gboolean
has_words (const Writer *writer, const GstGlesLeaf *leaf)
{
  const GstGlesComponent *c = component_of (writer, leaf);
  const guint bytes = group_bytes (writer, c);

  if (leaf->numbers[1] == GST_GLES_MOMENT_BACKGROUND || leaf->numbers[2] != 0 ||
      c->stride % 4 != 0 || (bytes % 4 != 0 && c->offset % 4 != 0) ||
      (bytes % 4 != 0 && 4 % bytes != 0))
    return FALSE;
  for (guint k = 0; k < GROUP; k++) {
    if ((byte_of (writer, c, k) & 3) + c->word_bytes > 4)
      return FALSE;
  }
  return TRUE;
}

static gboolean
same_words (const Writer *writer, const Words *words, const GstGlesLeaf *leaf)
{
  const GstGlesComponent *c = component_of (writer, leaf);
  const GstGlesComponent *base = &writer->format->components[words->base];

  return words->previous == (leaf->numbers[1] == GST_GLES_MOMENT_PREVIOUS) &&
      c->offset / 4 == base->offset / 4 && c->stride == base->stride && c->step == base->step &&
      c->sub_x == base->sub_x && c->sub_y == base->sub_y && c->plane == base->plane;
}

static guint
find_words (Writer *writer, const GstGlesLeaf *leaf)
{
  const GstGlesComponent *c = component_of (writer, leaf);
  const guint last = byte_of (writer, c, GROUP - 1) + c->word_bytes - 1;
  guint i = 0;

  while (i < writer->n_words && !same_words (writer, &writer->words[i], leaf))
    i++;
  if (i == writer->n_words)
    writer->words[writer->n_words++] = (Words){ .base = (guint) leaf->numbers[0],
      .previous = leaf->numbers[1] == GST_GLES_MOMENT_PREVIOUS,
      .columns = columns_of (writer, c),
      .rows = c->sub_y - writer->sub_y };
  if (group_bytes (writer, c) >= 4)
    writer->words[i].n_words = MAX (writer->words[i].n_words, last / 4 + 1);
  return i;
}

/* ---- loads ---- */

/* Declares the words of a group: w0_0, w0_1, …, and of less than a word the bits in front of it. */
static void
append_words (Writer *writer, guint index)
{
  const Words *words = &writer->words[index];
  const guint step = writer->format->components[words->base].step;
  const gchar *load = words->previous ? "previous_word" : "image_word";

  g_string_append_printf (writer->text,
      "  uint b%u = (x >> %uu) * %uu;\n"
      "  uint a%u = (components[%u].offset >> 2) + (y >> %uu) * (components[%u].stride >> 2) + "
      "(b%u >> 2);\n",
      index, words->columns, step, index, words->base, words->rows, words->base, index);
  if (words->n_words == 0)
    g_string_append_printf (
        writer->text, "  uint w%u_0 = %s (a%u) >> ((b%u & 3u) << 3);\n", index, load, index, index);
  for (guint i = 0; i < words->n_words; i++)
    g_string_append_printf (
        writer->text, "  uint w%u_%u = %s (a%u + %uu);\n", index, i, load, index, i);
}

/* Sample @k of a group, out of a word. */
static void
append_bits (Writer *writer, const GstGlesLeaf *leaf, guint k)
{
  const GstGlesComponent *c = component_of (writer, leaf);
  const guint index = find_words (writer, leaf), byte = byte_of (writer, c, k);
  const guint shift = c->word_bytes == 4 ? c->shift : 8 * (byte & 3) + c->shift;
  g_autofree gchar *word = g_strdup_printf ("w%u_%u", index, byte / 4);

  g_string_append (writer->text, "int ((");
  if (!c->big_endian || c->word_bytes == 1)
    g_string_append (writer->text, word);
  else if (c->word_bytes == 2)
    g_string_append_printf (writer->text, "swap_halves (%s)", word);
  else
    g_string_append_printf (
        writer->text, "((swap_halves (%s) << 16) | (swap_halves (%s) >> 16))", word, word);
  g_string_append_printf (writer->text, " >> %uu) & %uu)", shift, (1u << c->depth) - 1);
}

/* A sample at column @x, a variable. */
static void
append_sample (Writer *writer, const GstGlesLeaf *leaf, const gchar *x)
{
  const GstGlesComponent *c = component_of (writer, leaf);
  const guint component = (guint) leaf->numbers[0];
  const gint offset = leaf->numbers[2];
  g_autofree gchar *place = offset != 0
      ? g_strdup_printf ("column_beside (%uu, %s, %d), row_beside (%uu, y, %d)", component, x,
            GST_GLES_OFFSET_X (offset), component, GST_GLES_OFFSET_Y (offset))
      : g_strdup_printf ("(%s << %uu) >> %uu, (y << %uu) >> %uu", x, writer->sub_x, c->sub_x,
            writer->sub_y, c->sub_y);

  if (leaf->numbers[1] == GST_GLES_MOMENT_BACKGROUND)
    g_string_append_printf (writer->text, "background_at (%uu, %s)", component, place);
  else
    g_string_append_printf (writer->text, "%s (components[%u], %s)",
        leaf->numbers[1] == GST_GLES_MOMENT_PREVIOUS ? "previous_at" : "sample_at", component,
        place);
}

static void
append_place (Writer *writer, const GstGlesLeaf *leaf, const gchar *x)
{
  GString *text = writer->text;

  switch ((GstGlesPlace) leaf->numbers[0]) {
    case GST_GLES_PLACE_X:
      g_string_append_printf (text, "int ((%s << pass.sub_x) - pass.crop_x)", x);
      break;
    case GST_GLES_PLACE_Y:
      g_string_append (text, "int ((y << pass.sub_y) - pass.crop_y)");
      break;
    case GST_GLES_PLACE_WIDTH:
      g_string_append (text, "int (pass.crop_width)");
      break;
    case GST_GLES_PLACE_HEIGHT:
      g_string_append (text, "int (pass.crop_height)");
      break;
    default:
      g_string_append (text, "int (pass.frame)");
      break;
  }
}

/* The expression of sample @k of a group, or of one sample, @k: negative. */
static void
append_call (Writer *writer, gint k)
{
  const GstGlesFrameFormula *formula = writer->formula;
  g_autofree gchar *x = k < 0 ? g_strdup ("x") : g_strdup_printf ("x%d", k);
  const gchar *separator = "";

  g_string_append (writer->text, "expression (");
  for (guint i = 0; i < formula->n_leaves; i++) {
    const GstGlesLeaf *leaf = &formula->leaves[i];

    if (formula->table_bits != 0 && leaf->kind != GST_GLES_BOUND_SAMPLE)
      continue;
    g_string_append (writer->text, separator);
    separator = ", ";
    if (leaf->kind == GST_GLES_BOUND_PARAMETER)
      g_string_append_printf (
          writer->text, "parameters[%d][%d]", leaf->numbers[0] / 4, leaf->numbers[0] % 4);
    else if (leaf->kind == GST_GLES_BOUND_PLACE)
      append_place (writer, leaf, x);
    else if (k >= 0 && has_words (writer, leaf))
      append_bits (writer, leaf, (guint) k);
    else
      append_sample (writer, leaf, x);
  }
  g_string_append (writer->text, ")");
}

static void
append_group (Writer *writer)
{
  const GstGlesFrameFormula *formula = writer->formula;

  g_string_append (writer->text, "\nvoid\ncalculate (uint x, uint y, out ivec4 numbers)\n{\n");
  for (guint i = 0; i < formula->n_leaves; i++) {
    if (formula->leaves[i].kind == GST_GLES_BOUND_SAMPLE && has_words (writer, &formula->leaves[i]))
      find_words (writer, &formula->leaves[i]);
  }
  for (guint i = 0; i < writer->n_words; i++)
    append_words (writer, i);
  for (guint k = 0; k < GROUP; k++)
    g_string_append_printf (writer->text, "  uint x%u = min (x + %uu, pass.last_column);\n", k, k);
  g_string_append (writer->text, "\n");
  for (guint k = 0; k < GROUP; k++) {
    g_string_append_printf (writer->text, "  numbers[%u] = ", k);
    append_call (writer, (gint) k);
    g_string_append (writer->text, ";\n");
  }
  g_string_append (writer->text, "}\n");
}

gchar *
gst_gles_frame_formula_write_code (const GstGlesFrameFormula *formula, const GstGlesImage *format,
    guint sub_x, guint sub_y, gboolean groups)
{
  g_autofree gchar *function = formula->table_bits != 0
      ? NULL
      : gst_gles_graph_write_glsl (formula->graph, formula->result, "expression");
  Writer writer = { .formula = formula, .format = format, .sub_x = sub_x, .sub_y = sub_y };

  writer.text = g_string_new (function);
  if (groups) {
    append_group (&writer);
  } else {
    g_string_append (writer.text, "\nint\ncalculate_one (uint x, uint y)\n{\n  return ");
    append_call (&writer, -1);
    g_string_append (writer.text, ";\n}\n");
  }
  return g_string_free (writer.text, FALSE);
}
