/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gles/expression/bind.h>

#include <string.h>

#include <gst/gles/core/error.h>
#include <gst/gles/expression/names.h>

/* Fixed point of colours: with 13 bits behind the point no sum needs more than 32 bits. */
#define POINT 13

typedef struct {
  const GstGlesSamples *samples;
  GstGlesGraph *graph;
  guint depth; /* of the format: its full scale */
  GError *error;
} Binder;

/* A name at a moment, with the offset of a neighbour. */
typedef struct {
  GstGlesName name;
  GstGlesMoment moment;
  gint offset;
} Input;

static guint resolve (Binder *binder, Input input);

/* ---- nodes ---- */

static guint
number (Binder *binder, gint64 value)
{
  return gst_gles_graph_add_constant (binder->graph, (gint32) value);
}

static guint
combine (Binder *binder, GstGlesOperation operation, guint a, guint b)
{
  return gst_gles_graph_add (binder->graph, operation, a, b, 0);
}

static guint
choose (Binder *binder, guint condition, guint yes, guint no)
{
  return gst_gles_graph_add (binder->graph, GST_GLES_OPERATION_CHOOSE, condition, yes, no);
}

#define ADD(a, b) combine (binder, GST_GLES_OPERATION_ADD, a, b)
#define SUBTRACT(a, b) combine (binder, GST_GLES_OPERATION_SUBTRACT, a, b)
#define MULTIPLY(a, b) combine (binder, GST_GLES_OPERATION_MULTIPLY, a, b)
#define DIVIDE(a, b) combine (binder, GST_GLES_OPERATION_DIVIDE, a, b)
#define LESS(a, b) combine (binder, GST_GLES_OPERATION_LESS, a, b)
#define EQUAL(a, b) combine (binder, GST_GLES_OPERATION_EQUAL, a, b)
#define LEAST(a, b) combine (binder, GST_GLES_OPERATION_LEAST, a, b)
#define MOST(a, b) combine (binder, GST_GLES_OPERATION_MOST, a, b)
#define SHIFT_RIGHT(a, n) combine (binder, GST_GLES_OPERATION_SHIFT_RIGHT, a, number (binder, n))

static guint
clamp (Binder *binder, guint node, gint64 most)
{
  return LEAST (MOST (node, number (binder, 0)), number (binder, most));
}

/* ---- what the format has ---- */

static gint
find_component (const GstGlesSamples *samples, GstGlesName name)
{
  for (guint i = 0; i < samples->n_components; i++) {
    if (g_str_equal (samples->names[i], gst_gles_frame_vocabulary.names[name]))
      return (gint) i;
  }
  return -1;
}

static gboolean
stores (const GstGlesSamples *samples, GstGlesName name)
{
  return find_component (samples, name) >= 0;
}

static gint64
full_scale (guint depth)
{
  return ((gint64) 1 << depth) - 1;
}

/* @format: with places for the name, and for what else there is. */
static guint
fail (Binder *binder, const gchar *format, GstGlesName name)
{
  if (binder->error == NULL)
    binder->error = g_error_new (GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS, format,
        gst_gles_frame_vocabulary.names[name], name == GST_GLES_NAME_Y ? "; L has" : "");
  return 0;
}

static guint
stored (Binder *binder, Input input)
{
  const gint component = find_component (binder->samples, input.name);
  const GstGlesLeaf leaf = { .kind = GST_GLES_BOUND_SAMPLE,
    .numbers = { component, (gint) input.moment, input.offset },
    .most = (gint32) full_scale (binder->samples->components[component].depth) };

  return gst_gles_graph_add_leaf (binder->graph, &leaf);
}

static guint
input_of (Binder *binder, GstGlesName name, Input like)
{
  return resolve (binder, (Input){ name, like.moment, like.offset });
}

/* ---- colours ---- */

/* a / b of numbers that are not negative, rounded. */
static gint64
rounded (gint64 a, gint64 b)
{
  return (a + b / 2) / b;
}

/* The factor of chroma, whose range stands for 2 (1 - k), in a colour that has @part of @whole
 * of it. Every product needs less than 63 bits. */
static guint
chroma_factor (Binder *binder, gint64 k, gint64 part, gint64 whole)
{
  const gint64 full = full_scale (binder->depth);
  const gint64 range = binder->samples->full_range ? full : (gint64) 224 << (binder->depth - 8);

  return number (binder,
      rounded (2 * (65536 - k) * (ABS (part) * (full << POINT)), 65536 * whole * range) *
          (part < 0 ? -1 : 1));
}

/* Red, green or blue of stored Y, U and V, or of grey: sums of products with POINT bits behind the
 * point. */
static guint
red_green_blue (Binder *binder, Input input)
{
  const GstGlesSamples *samples = binder->samples;
  const guint depth = binder->depth;
  const gint64 kr = samples->kr, kg = samples->kg, kb = samples->kb, full = full_scale (depth);
  const gint64 range = samples->full_range ? full : (gint64) 219 << (depth - 8);
  const gboolean has_chroma = stores (samples, GST_GLES_NAME_U);
  const guint middle = number (binder, -((gint64) 1 << (depth - 1)));
  const guint low = number (binder, samples->full_range ? 0 : -((gint64) 16 << (depth - 8)));
  guint sum = MULTIPLY (ADD (input_of (binder, GST_GLES_NAME_Y, input), low),
      number (binder, rounded (full << POINT, range)));

  if (has_chroma && input.name != GST_GLES_NAME_B)
    sum = ADD (sum,
        MULTIPLY (ADD (input_of (binder, GST_GLES_NAME_V, input), middle),
            input.name == GST_GLES_NAME_R ? chroma_factor (binder, kr, 1, 1)
                                          : chroma_factor (binder, kr, -kr, kg)));
  if (has_chroma && input.name != GST_GLES_NAME_R)
    sum = ADD (sum,
        MULTIPLY (ADD (input_of (binder, GST_GLES_NAME_U, input), middle),
            input.name == GST_GLES_NAME_B ? chroma_factor (binder, kb, 1, 1)
                                          : chroma_factor (binder, kb, -kb, kg)));
  sum = ADD (sum, number (binder, 1 << (POINT - 1)));
  return clamp (binder, SHIFT_RIGHT (sum, POINT), full);
}

/* Brings a sample of @depth bits to 8 bits: of more bits by leaving out the lowest, of fewer as
 * luma does. */
static guint
to_eight_bits (Binder *binder, guint sample, guint depth)
{
  if (depth >= 8)
    return SHIFT_RIGHT (sample, depth - 8);
  return DIVIDE (
      ADD (MULTIPLY (sample, number (binder, 255)), number (binder, full_scale (depth) >> 1)),
      number (binder, full_scale (depth)));
}

/* A stored sample of red, green or blue with the bits of luma. */
static guint
scaled (Binder *binder, GstGlesName name, Input like)
{
  const gint component = find_component (binder->samples, name);
  const guint depth = binder->samples->components[component].depth;
  const guint sample = input_of (binder, name, like);

  return depth == binder->depth ? sample : to_eight_bits (binder, sample, depth);
}

static guint
luma (Binder *binder, Input input)
{
  const GstGlesSamples *samples = binder->samples;
  guint sum;

  if (stores (samples, GST_GLES_NAME_Y))
    return input_of (binder, GST_GLES_NAME_Y, input);
  sum = ADD (MULTIPLY (scaled (binder, GST_GLES_NAME_R, input), number (binder, samples->kr)),
      MULTIPLY (scaled (binder, GST_GLES_NAME_G, input), number (binder, samples->kg)));
  sum = ADD (sum, MULTIPLY (scaled (binder, GST_GLES_NAME_B, input), number (binder, samples->kb)));
  /* the sum has no sign, and may have 32 bits */
  return combine (binder, GST_GLES_OPERATION_AND,
      SHIFT_RIGHT (ADD (sum, number (binder, 32768)), 16),
      number (binder, full_scale (binder->depth)));
}

/* Chroma of stored red, green and blue, in full range. */
static guint
chroma (Binder *binder, Input input)
{
  const GstGlesName name = input.name == GST_GLES_NAME_U ? GST_GLES_NAME_B : GST_GLES_NAME_R;
  const gint64 k = input.name == GST_GLES_NAME_U ? binder->samples->kb : binder->samples->kr;
  const guint difference = SUBTRACT (scaled (binder, name, input), luma (binder, input));
  const guint product =
      MULTIPLY (difference, number (binder, rounded ((gint64) 65536 << POINT, 2 * (65536 - k))));
  const guint whole = SHIFT_RIGHT (ADD (product, number (binder, 1 << (POINT - 1))), POINT);

  return clamp (binder, ADD (whole, number (binder, (gint64) 1 << (binder->depth - 1))),
      full_scale (binder->depth));
}

/* ---- hue and saturation ---- */

/* Red, green or blue with 8 bits. */
static guint
eight_bits (Binder *binder, GstGlesName name, Input like)
{
  const guint sample =
      stores (binder->samples, name) ? scaled (binder, name, like) : input_of (binder, name, like);

  return to_eight_bits (binder, sample, binder->depth);
}

static guint
hue_or_saturation (Binder *binder, Input input)
{
  const guint r = eight_bits (binder, GST_GLES_NAME_R, input),
              g = eight_bits (binder, GST_GLES_NAME_G, input),
              b = eight_bits (binder, GST_GLES_NAME_B, input);
  const guint most = MOST (MOST (r, g), b), least = LEAST (LEAST (r, g), b);
  const guint range = SUBTRACT (most, least);
  const guint is_red = EQUAL (most, r), is_green = EQUAL (most, g);
  guint difference, degrees;

  if (input.name == GST_GLES_NAME_SATURATION)
    return DIVIDE (MULTIPLY (range, number (binder, 255)), most);
  difference = choose (binder, is_green, SUBTRACT (b, r), SUBTRACT (r, g));
  difference = choose (binder, is_red, SUBTRACT (g, b), difference);
  degrees = choose (binder, is_green, number (binder, 120), number (binder, 240));
  degrees = choose (binder, is_red, MULTIPLY (LESS (g, b), number (binder, 360)), degrees);
  degrees = ADD (MULTIPLY (difference, number (binder, 60)), MULTIPLY (degrees, range));
  /* its range of values would be that of any quotient */
  return clamp (binder, DIVIDE (degrees, range), 359);
}

/* The light of red, green or blue, of the picture as sRGB; grey is all of them. */
static guint
linear (Binder *binder, GstGlesName name, Input like)
{
  const gboolean is_grey =
      !stores (binder->samples, GST_GLES_NAME_R) && !stores (binder->samples, GST_GLES_NAME_U);
  const guint code = is_grey
      ? to_eight_bits (binder,
            red_green_blue (binder, (Input){ GST_GLES_NAME_R, like.moment, like.offset }),
            binder->depth)
      : eight_bits (binder, name, like);

  return combine (binder, GST_GLES_OPERATION_LINEAR, code, 0);
}

/* WCAG's relative luminance, with the shares of red, green and blue in 1/65536; or red without the
 * other two where it is saturated: where at least 80 % of the light is red. */
static guint
luminance_or_red (Binder *binder, Input input)
{
  const guint r = linear (binder, GST_GLES_NAME_R, input),
              g = linear (binder, GST_GLES_NAME_G, input),
              b = linear (binder, GST_GLES_NAME_B, input);
  guint sum, others;

  if (input.name == GST_GLES_NAME_LUMINANCE) {
    sum = ADD (MULTIPLY (r, number (binder, 13933)), MULTIPLY (g, number (binder, 46871)));
    sum = ADD (sum, MULTIPLY (b, number (binder, 4732)));
    /* the sum has no sign, and may have 32 bits */
    return combine (binder, GST_GLES_OPERATION_AND,
        SHIFT_RIGHT (ADD (sum, number (binder, 32768)), 16), number (binder, 65535));
  }
  others = ADD (g, b);
  return choose (binder, LESS (r, MULTIPLY (others, number (binder, 4))), number (binder, 0),
      MOST (SUBTRACT (r, others), number (binder, 0)));
}

static guint
chroma_angle_or_length (Binder *binder, Input input)
{
  const guint middle = number (binder, -((gint64) 1 << (binder->depth - 1)));
  const guint u = ADD (input_of (binder, GST_GLES_NAME_U, input), middle);
  const guint v = ADD (input_of (binder, GST_GLES_NAME_V, input), middle);

  if (input.name == GST_GLES_NAME_UV_HUE)
    return combine (binder, GST_GLES_OPERATION_DEGREES, u, v);
  return combine (
      binder, GST_GLES_OPERATION_SQUARE_ROOT, ADD (MULTIPLY (u, u), MULTIPLY (v, v)), 0);
}

/* ---- names ---- */

static guint
derived (Binder *binder, Input input)
{
  const GstGlesSamples *samples = binder->samples;
  const gboolean has_yuv = stores (samples, GST_GLES_NAME_U),
                 has_rgb = stores (samples, GST_GLES_NAME_R);

  if (input.offset != 0 && input.name != GST_GLES_NAME_LUMA)
    return fail (binder, "%s is calculated in this format, and has no neighbours%s", input.name);
  if (input.moment == GST_GLES_MOMENT_BACKGROUND && input.name != GST_GLES_NAME_LUMA)
    return fail (binder, "bg.%s is calculated in this format, and has no background%s", input.name);
  switch (input.name) {
    case GST_GLES_NAME_LUMA:
      return luma (binder, input);
    case GST_GLES_NAME_R:
    case GST_GLES_NAME_G:
    case GST_GLES_NAME_B:
      if (has_yuv)
        return red_green_blue (binder, input);
      break;
    case GST_GLES_NAME_Y:
      if (has_rgb)
        return luma (binder, input);
      break;
    case GST_GLES_NAME_U:
    case GST_GLES_NAME_V:
      if (has_rgb)
        return chroma (binder, input);
      break;
    case GST_GLES_NAME_HUE:
    case GST_GLES_NAME_SATURATION:
      if (has_yuv || has_rgb)
        return hue_or_saturation (binder, input);
      break;
    case GST_GLES_NAME_LUMINANCE:
    case GST_GLES_NAME_SATURATED_RED:
      return luminance_or_red (binder, input);
    case GST_GLES_NAME_UV_HUE:
    case GST_GLES_NAME_UV_SATURATION:
      if (has_yuv || has_rgb)
        return chroma_angle_or_length (binder, input);
      break;
    default:
      break;
  }
  return fail (binder, "this format has no %s%s", input.name);
}

static guint
resolve (Binder *binder, Input input)
{
  return stores (binder->samples, input.name) ? stored (binder, input) : derived (binder, input);
}

/* Returns the node that stands for a leaf of a parsed graph. */
static guint
replace (Binder *binder, const GstGlesLeaf *leaf)
{
  const gint64 full = full_scale (binder->depth);
  GstGlesLeaf place = { .kind = GST_GLES_BOUND_PLACE, .most = G_MAXINT32 };

  switch (leaf->kind) {
    case GST_GLES_LEAF_PARAMETER:
      place = *leaf;
      place.kind = GST_GLES_BOUND_PARAMETER;
      return gst_gles_graph_add_leaf (binder->graph, &place);
    case GST_GLES_LEAF_SHARE:
      return number (binder, rounded (leaf->numbers[0] * full, 100000));
    case GST_GLES_LEAF_DEPTH:
      return number (binder, binder->depth);
    default:
      break;
  }
  if (leaf->numbers[0] < GST_GLES_NAME_PLACE)
    return resolve (
        binder, (Input){ leaf->numbers[0], (GstGlesMoment) leaf->numbers[1], leaf->numbers[2] });
  place.numbers[0] = leaf->numbers[0] - GST_GLES_NAME_PLACE;
  return gst_gles_graph_add_leaf (binder->graph, &place);
}

static guint
count_operations (const GstGlesGraph *graph)
{
  guint n, count = 0;
  const GstGlesNode *nodes = gst_gles_graph_get_nodes (graph, &n);

  for (guint i = 0; i < n; i++)
    count += nodes[i].operation < GST_GLES_N_OPERATIONS;
  return count;
}

/* The bits of the first component, or 8 where the colours have different ones. */
static guint
common_depth (const GstGlesSamples *samples)
{
  for (guint i = 1; i < MIN (samples->n_components, 3); i++) {
    if (samples->components[i].depth != samples->components[0].depth)
      return 8;
  }
  return samples->components[0].depth;
}

GstGlesGraph *
gst_gles_expression_bind (
    const GstGlesGraph *graph, guint *result, const GstGlesSamples *samples, GError **error)
{
  g_autoptr (GstGlesGraph) bound = gst_gles_graph_new ();
  Binder binder = { samples, bound, common_depth (samples), NULL };
  guint n, n_leaves, count;
  const GstGlesNode *nodes = gst_gles_graph_get_nodes (graph, &n);
  const GstGlesLeaf *leaves = gst_gles_graph_get_leaves (graph, &n_leaves);
  g_autofree guint *numbers = g_new0 (guint, n);
  GstGlesGraph *pruned;

  gst_gles_graph_add_constant (bound, 0); /* stands for what is missing */
  for (guint i = 0; i <= *result; i++) {
    const GstGlesNode *node = &nodes[i];

    if (node->operation == GST_GLES_OPERATION_CONSTANT)
      numbers[i] = number (&binder, node->constant);
    else if (node->operation == GST_GLES_OPERATION_LEAF)
      numbers[i] = replace (&binder, &leaves[node->operands[0]]);
    else
      numbers[i] = gst_gles_graph_add (bound, node->operation, numbers[node->operands[0]],
          numbers[node->operands[1]], numbers[node->operands[2]]);
  }
  if (binder.error != NULL) {
    g_propagate_error (error, binder.error);
    return NULL;
  }
  *result = numbers[*result];
  pruned = gst_gles_graph_prune (bound, result, 1);
  count = count_operations (pruned);
  if (count <= GST_GLES_EXPRESSION_MAX_OPERATIONS && !gst_gles_graph_is_full (bound))
    return pruned;
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS,
      "the expression has %u operations on this format, of at most %d", count,
      GST_GLES_EXPRESSION_MAX_OPERATIONS);
  gst_gles_graph_free (pruned);
  return NULL;
}
