/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Recursive descent; the depth of the recursion is limited. */
#include <gst/gles/expression/parser.h>

#include <string.h>

#include <gst/gles/core/error.h>
#include <gst/gles/expression/lexer.h>

typedef struct {
  const gchar *text, *at;
  GstGlesToken token; /* the next one */
  guint depth;
  const GstGlesVocabulary *vocabulary;
  GPtrArray *parameters;
  GstGlesGraph *graph;
  GError **error;
} Parser;

/* Each function returns FALSE with the error set, or stores a node. */
static gboolean parse_choice (Parser *parser, guint *node);

/* ---- errors ---- */

/* The characters of a line that an error shows on either side of the place. */
#define SHOWN 36

/* Sets the error of the bytes at @place. Takes @message. */
static gboolean
fail (Parser *parser, const gchar *place, gchar *message)
{
  const gsize column = (gsize) (place - parser->text);
  const gsize first = column > SHOWN ? column - SHOWN : 0;
  g_autofree gchar *line = g_strndup (parser->text + first, SHOWN + (column - first));

  for (gchar *c = line; *c != '\0'; c++)
    *c = g_ascii_isprint (*c) ? *c : ' ';
  if (parser->error != NULL && *parser->error == NULL)
    g_set_error (parser->error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS,
        "column %" G_GSIZE_FORMAT ": %s\n  %s\n  %*s^", column + 1, message, line,
        (gint) (column - first), "");
  g_free (message);
  return FALSE;
}

static gboolean
fail_at_token (Parser *parser, const gchar *expected)
{
  if (parser->token.kind == GST_GLES_TOKEN_END)
    return fail (parser, parser->token.text,
        g_strdup_printf ("%s is expected, and the expression ends", expected));
  return fail (parser, parser->token.text,
      g_strdup_printf ("%s is expected, not `%.*s`", expected,
          (gint) MIN (parser->token.length, 40), parser->token.text));
}

/* The number of letters that are added, left out or changed between two words; letters in a row
 * that are exchanged are one. */
static guint
distance (const gchar *a, const gchar *b)
{
  const gsize n = strlen (a), m = strlen (b);
  guint rows[3][32];
  guint *before = rows[0], *above = rows[1], *row = rows[2];

  if (n > 30 || m > 30)
    return 30;
  for (guint k = 0; k <= m; k++)
    above[k] = before[k] = k;
  for (guint i = 1; i <= n; i++) {
    guint *spare = before;

    row[0] = i;
    for (guint k = 1; k <= m; k++) {
      row[k] = MIN (MIN (above[k], row[k - 1]) + 1, above[k - 1] + (a[i - 1] != b[k - 1]));
      if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
        row[k] = MIN (row[k], before[k - 2] + 1);
    }
    before = above;
    above = row;
    row = spare;
  }
  return above[m];
}

/* ---- functions ---- */

typedef guint (*CallFunc) (GstGlesGraph *graph, const guint *arguments);

static guint
add (GstGlesGraph *graph, GstGlesOperation operation, guint a, guint b)
{
  return gst_gles_graph_add (graph, operation, a, b, 0);
}

static guint
call_least (GstGlesGraph *graph, const guint *a)
{
  return add (graph, GST_GLES_OPERATION_LEAST, a[0], a[1]);
}

static guint
call_most (GstGlesGraph *graph, const guint *a)
{
  return add (graph, GST_GLES_OPERATION_MOST, a[0], a[1]);
}

static guint
call_magnitude (GstGlesGraph *graph, const guint *a)
{
  return add (graph, GST_GLES_OPERATION_MAGNITUDE, a[0], 0);
}

static guint
call_square_root (GstGlesGraph *graph, const guint *a)
{
  return add (graph, GST_GLES_OPERATION_SQUARE_ROOT, a[0], 0);
}

static guint
call_linear (GstGlesGraph *graph, const guint *a)
{
  return add (graph, GST_GLES_OPERATION_LINEAR, a[0], 0);
}

static guint
call_clamp (GstGlesGraph *graph, const guint *a)
{
  return add (
      graph, GST_GLES_OPERATION_LEAST, add (graph, GST_GLES_OPERATION_MOST, a[0], a[1]), a[2]);
}

static guint
call_in (GstGlesGraph *graph, const guint *a)
{
  return add (graph, GST_GLES_OPERATION_AND,
      add (graph, GST_GLES_OPERATION_LESS_OR_EQUAL, a[1], a[0]),
      add (graph, GST_GLES_OPERATION_LESS_OR_EQUAL, a[0], a[2]));
}

static guint
call_mix (GstGlesGraph *graph, const guint *a)
{
  const guint whole = gst_gles_graph_add_constant (graph, 256);
  const guint rest = add (graph, GST_GLES_OPERATION_SUBTRACT, whole, a[2]);
  const guint sum =
      add (graph, GST_GLES_OPERATION_ADD, add (graph, GST_GLES_OPERATION_MULTIPLY, a[0], rest),
          add (graph, GST_GLES_OPERATION_MULTIPLY, a[1], a[2]));

  return add (graph, GST_GLES_OPERATION_SHIFT_RIGHT, sum, gst_gles_graph_add_constant (graph, 8));
}

#define MAX_ARGUMENTS 3

static const struct {
  const gchar *name, *arguments;
  guint n_arguments;
  CallFunc call;
} functions[] = {
  { "min", "min(a, b)", 2, call_least },
  { "max", "max(a, b)", 2, call_most },
  { "abs", "abs(a)", 1, call_magnitude },
  { "clamp", "clamp(a, least, most)", 3, call_clamp },
  { "in", "in(a, least, most)", 3, call_in },
  { "isqrt", "isqrt(a)", 1, call_square_root },
  { "lin", "lin(a)", 1, call_linear },
  { "mix", "mix(a, b, weight)", 3, call_mix },
};

/* ---- tokens ---- */

static gboolean
next (Parser *parser)
{
  gchar *wrong = NULL;

  if (gst_gles_lexer_read (&parser->at, &parser->token, &wrong))
    return TRUE;
  return fail (parser, parser->token.text, wrong);
}

static gboolean
expect (Parser *parser, const gchar *sign)
{
  g_autofree gchar *expected = NULL;

  if (gst_gles_token_is (&parser->token, sign))
    return next (parser);
  expected = g_strdup_printf ("`%s`", sign);
  return fail_at_token (parser, expected);
}

/* Goes one level deeper; the caller goes back. */
static gboolean
enter (Parser *parser)
{
  if (++parser->depth <= GST_GLES_EXPRESSION_MAX_DEPTH)
    return TRUE;
  return fail (parser, parser->token.text,
      g_strdup_printf ("this is nested deeper than %d levels", GST_GLES_EXPRESSION_MAX_DEPTH));
}

/* ---- operands ---- */

static gboolean
parse_arguments (Parser *parser, guint n, const gchar *usage, guint *nodes)
{
  g_autofree gchar *expected = g_strdup_printf ("the next argument of %s", usage);

  if (!expect (parser, "("))
    return FALSE;
  for (guint i = 0; i < n; i++) {
    if (i > 0 && !gst_gles_token_is (&parser->token, ","))
      return fail_at_token (parser, expected);
    if ((i > 0 && !next (parser)) || !parse_choice (parser, &nodes[i]))
      return FALSE;
  }
  return expect (parser, ")");
}

/* A number from -MAX_OFFSET to MAX_OFFSET. */
static gboolean
parse_offset (Parser *parser, gint *offset)
{
  const gboolean negative = gst_gles_token_is (&parser->token, "-");

  if (negative && !next (parser))
    return FALSE;
  if (parser->token.kind != GST_GLES_TOKEN_NUMBER ||
      parser->token.value > GST_GLES_EXPRESSION_MAX_OFFSET)
    return fail_at_token (parser, "an offset from -4 to 4");
  *offset = negative ? -(gint) parser->token.value : (gint) parser->token.value;
  return next (parser);
}

static gboolean
parse_neighbour (Parser *parser, gint *offset)
{
  gint dx, dy;

  if (!gst_gles_token_is (&parser->token, "["))
    return TRUE;
  if (!next (parser) || !parse_offset (parser, &dx) || !expect (parser, ",") ||
      !parse_offset (parser, &dy) || !expect (parser, "]"))
    return FALSE;
  *offset = GST_GLES_OFFSET (dx, dy);
  return TRUE;
}

/* Sets the error of a name that does not exist, and suggests one that does. */
static gboolean
fail_at_name (Parser *parser, const gchar *place, const gchar *name)
{
  const GstGlesVocabulary *vocabulary = parser->vocabulary;
  const gchar *best = NULL;
  guint least = 3;

  for (guint i = 0; i < vocabulary->n_names + G_N_ELEMENTS (functions); i++) {
    const gchar *other =
        i < vocabulary->n_names ? vocabulary->names[i] : functions[i - vocabulary->n_names].name;
    const guint d = g_ascii_strcasecmp (name, other) == 0 ? 0 : distance (name, other);

    if (d < least && d < strlen (other)) {
      least = d;
      best = other;
    }
  }
  if (best != NULL)
    return fail (parser, place,
        g_strdup_printf ("there is no name `%.40s`; did you mean `%s`?", name, best));
  return fail (parser, place, g_strdup_printf ("there is no name `%.40s`", name));
}

static gboolean
find_name (const GstGlesVocabulary *vocabulary, const gchar *name, guint n, gint *place)
{
  for (guint i = 0; i < n; i++) {
    if (!g_str_equal (vocabulary->names[i], name))
      continue;
    *place = (gint) i;
    return TRUE;
  }
  return FALSE;
}

/* A name of the vocabulary, which is the last token. */
static gboolean
parse_input (Parser *parser, const gchar *name, const gchar *place, guint *node)
{
  const GstGlesVocabulary *vocabulary = parser->vocabulary;
  GstGlesLeaf leaf = { .kind = GST_GLES_LEAF_NAME, .least = G_MININT32, .most = G_MAXINT32 };
  const gchar *rest = name;

  if (vocabulary->n_samples > 0 && g_str_has_prefix (name, "prev.")) {
    leaf.numbers[1] = GST_GLES_MOMENT_PREVIOUS;
    rest += strlen ("prev.");
  } else if (vocabulary->n_samples > 0 && g_str_has_prefix (name, "bg.")) {
    leaf.numbers[1] = GST_GLES_MOMENT_BACKGROUND;
    rest += strlen ("bg.");
  }
  if (!find_name (vocabulary, rest, rest == name ? vocabulary->n_names : vocabulary->n_samples,
          &leaf.numbers[0]))
    return fail_at_name (parser, place + (rest - name), rest);
  if ((guint) leaf.numbers[0] < vocabulary->n_samples &&
      !parse_neighbour (parser, &leaf.numbers[2]))
    return FALSE;
  *node = gst_gles_graph_add_leaf (parser->graph, &leaf);
  return TRUE;
}

static gboolean
parse_name (Parser *parser, guint *node)
{
  const gchar *place = parser->token.text;
  g_autofree gchar *name = g_strndup (place, parser->token.length);
  guint arguments[MAX_ARGUMENTS];

  if (!next (parser))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (functions); i++) {
    if (!g_str_equal (functions[i].name, name))
      continue;
    if (!parse_arguments (parser, functions[i].n_arguments, functions[i].arguments, arguments))
      return FALSE;
    *node = functions[i].call (parser->graph, arguments);
    return TRUE;
  }
  if (gst_gles_token_is (&parser->token, "(") &&
      !find_name (parser->vocabulary, name, parser->vocabulary->n_names, &(gint){ 0 }))
    return fail_at_name (parser, place, name);
  return parse_input (parser, name, place, node);
}

static gboolean
parse_parameter (Parser *parser, guint *node)
{
  const gchar *place = parser->token.text;
  g_autofree gchar *name = g_strndup (place, parser->token.length);
  GstGlesLeaf leaf = { .kind = GST_GLES_LEAF_PARAMETER, .least = G_MININT32, .most = G_MAXINT32 };
  guint i;

  if (!g_ptr_array_find_with_equal_func (parser->parameters, name, g_str_equal, &i)) {
    i = parser->parameters->len;
    if (i == GST_GLES_PARSER_MAX_PARAMETERS)
      return fail (parser, place,
          g_strdup_printf (
              "an expression has at most %d parameters", GST_GLES_PARSER_MAX_PARAMETERS));
    g_ptr_array_add (parser->parameters, g_steal_pointer (&name));
  }
  leaf.numbers[0] = (gint) i;
  *node = gst_gles_graph_add_leaf (parser->graph, &leaf);
  return next (parser);
}

/* A value of as many bits as the token says, scaled to those of the samples by a shift. */
static gboolean
parse_scaled (Parser *parser, guint *node)
{
  const GstGlesLeaf leaf = { .kind = GST_GLES_LEAF_DEPTH, .least = 1, .most = 16 };
  GstGlesGraph *graph = parser->graph;
  const guint bits = gst_gles_graph_add_constant (graph, (gint32) parser->token.value);
  const guint depth = gst_gles_graph_add_leaf (graph, &leaf);
  guint value;

  if (!next (parser) || !parse_arguments (parser, 1, "8bit(value)", &value))
    return FALSE;
  *node = gst_gles_graph_add (graph, GST_GLES_OPERATION_CHOOSE,
      add (graph, GST_GLES_OPERATION_LESS, bits, depth),
      add (graph, GST_GLES_OPERATION_SHIFT_LEFT, value,
          add (graph, GST_GLES_OPERATION_SUBTRACT, depth, bits)),
      add (graph, GST_GLES_OPERATION_SHIFT_RIGHT, value,
          add (graph, GST_GLES_OPERATION_SUBTRACT, bits, depth)));
  return TRUE;
}

static gboolean
parse_operand (Parser *parser, guint *node)
{
  const GstGlesToken *token = &parser->token;

  if (!parser->vocabulary->has_depth &&
      (token->kind == GST_GLES_TOKEN_SHARE || token->kind == GST_GLES_TOKEN_BITS))
    return fail (parser, token->text, g_strdup ("only samples of frames have a full scale"));
  switch (token->kind) {
    case GST_GLES_TOKEN_NUMBER:
      *node = gst_gles_graph_add_constant (parser->graph, (gint32) token->value);
      return next (parser);
    case GST_GLES_TOKEN_SHARE: {
      const GstGlesLeaf leaf = {
        .kind = GST_GLES_LEAF_SHARE, .numbers = { (gint) token->value }, .most = G_MAXUINT16
      };

      *node = gst_gles_graph_add_leaf (parser->graph, &leaf);
      return next (parser);
    }
    case GST_GLES_TOKEN_BITS:
      return parse_scaled (parser, node);
    case GST_GLES_TOKEN_NAME:
      return parse_name (parser, node);
    case GST_GLES_TOKEN_PARAMETER:
      return parse_parameter (parser, node);
    default:
      break;
  }
  if (!gst_gles_token_is (token, "("))
    return fail_at_token (parser, "a number, a name or `(`");
  return next (parser) && parse_choice (parser, node) && expect (parser, ")");
}

/* ---- operators ---- */

static gboolean
parse_unary (Parser *parser, guint *node)
{
  static const struct {
    const gchar *sign;
    GstGlesOperation operation;
  } signs[] = { { "-", GST_GLES_OPERATION_NEGATE }, { "~", GST_GLES_OPERATION_COMPLEMENT },
    { "!", GST_GLES_OPERATION_IS_ZERO } };
  gboolean ok;

  for (guint i = 0; i < G_N_ELEMENTS (signs); i++) {
    if (!gst_gles_token_is (&parser->token, signs[i].sign))
      continue;
    ok = enter (parser) && next (parser) && parse_unary (parser, node);
    parser->depth--;
    if (ok)
      *node = add (parser->graph, signs[i].operation, *node, 0);
    return ok;
  }
  return parse_operand (parser, node);
}

/* Whether a value is a truth: 1 or 0. */
static guint
add_truth (GstGlesGraph *graph, guint node)
{
  return add (graph, GST_GLES_OPERATION_DIFFERENT, node, gst_gles_graph_add_constant (graph, 0));
}

typedef enum {
  PLAIN,
  EXCHANGED,
  TRUTHS
} Form;

/* From the loosest on. Operators of a level are calculated from the left. */
static const struct {
  const gchar *sign;
  guint level;
  GstGlesOperation operation;
  Form form;
} operators[] = {
  { "||", 1, GST_GLES_OPERATION_OR, TRUTHS },
  { "&&", 2, GST_GLES_OPERATION_AND, TRUTHS },
  { "|", 3, GST_GLES_OPERATION_OR, PLAIN },
  { "^", 4, GST_GLES_OPERATION_XOR, PLAIN },
  { "&", 5, GST_GLES_OPERATION_AND, PLAIN },
  { "==", 6, GST_GLES_OPERATION_EQUAL, PLAIN },
  { "!=", 6, GST_GLES_OPERATION_DIFFERENT, PLAIN },
  { "<", 7, GST_GLES_OPERATION_LESS, PLAIN },
  { "<=", 7, GST_GLES_OPERATION_LESS_OR_EQUAL, PLAIN },
  { ">", 7, GST_GLES_OPERATION_LESS, EXCHANGED },
  { ">=", 7, GST_GLES_OPERATION_LESS_OR_EQUAL, EXCHANGED },
  { "<<", 8, GST_GLES_OPERATION_SHIFT_LEFT, PLAIN },
  { ">>", 8, GST_GLES_OPERATION_SHIFT_RIGHT, PLAIN },
  { "+", 9, GST_GLES_OPERATION_ADD, PLAIN },
  { "-", 9, GST_GLES_OPERATION_SUBTRACT, PLAIN },
  { "*", 10, GST_GLES_OPERATION_MULTIPLY, PLAIN },
  { "/", 10, GST_GLES_OPERATION_DIVIDE, PLAIN },
  { "%", 10, GST_GLES_OPERATION_REMAINDER, PLAIN },
};

#define N_LEVELS 10

/* Returns the operator that the next token is, or one past the last. */
static guint
find_operator (const Parser *parser)
{
  guint i = 0;

  while (i < G_N_ELEMENTS (operators) && !gst_gles_token_is (&parser->token, operators[i].sign))
    i++;
  return i;
}

static guint
apply_operator (Parser *parser, guint i, guint left, guint right)
{
  GstGlesGraph *graph = parser->graph;

  if (operators[i].form == TRUTHS)
    return add (graph, operators[i].operation, add_truth (graph, left), add_truth (graph, right));
  if (operators[i].form == EXCHANGED)
    return add (graph, operators[i].operation, right, left);
  return add (graph, operators[i].operation, left, right);
}

/* Operators of @level and tighter ones. Levels are not nested deeper by the user. */
static gboolean
parse_level (Parser *parser, guint level, guint *node)
{
  guint i, right;

  if (level > N_LEVELS)
    return parse_unary (parser, node);
  if (!parse_level (parser, level + 1, node))
    return FALSE;
  while ((i = find_operator (parser)) < G_N_ELEMENTS (operators) && operators[i].level == level) {
    const gchar *place = parser->token.text;

    if (!next (parser) || !parse_level (parser, level + 1, &right))
      return FALSE;
    *node = apply_operator (parser, i, *node, right);
    if (gst_gles_graph_is_full (parser->graph))
      return fail (parser, place, g_strdup ("the expression has too many operations"));
  }
  return TRUE;
}

/* `a ? b : c` is looser than all other operators, and groups from the right. */
static gboolean
parse_choice_inside (Parser *parser, guint *node)
{
  guint yes, no;

  if (!parse_level (parser, 1, node) || !gst_gles_token_is (&parser->token, "?"))
    return parser->error == NULL || *parser->error == NULL;
  if (!next (parser) || !parse_choice (parser, &yes) || !expect (parser, ":") ||
      !parse_choice (parser, &no))
    return FALSE;
  *node = gst_gles_graph_add (parser->graph, GST_GLES_OPERATION_CHOOSE, *node, yes, no);
  return TRUE;
}

static gboolean
parse_choice (Parser *parser, guint *node)
{
  const gboolean ok = enter (parser) && parse_choice_inside (parser, node);

  parser->depth--;
  return ok;
}

GstGlesGraph *
gst_gles_expression_parse (const gchar *text, const GstGlesVocabulary *vocabulary,
    GPtrArray *parameters, guint *result, GError **error)
{
  g_autoptr (GstGlesGraph) graph = gst_gles_graph_new ();
  g_autoptr (GError) failure = NULL;
  Parser parser = { text, text, { 0 }, 0, vocabulary, parameters, graph, &failure };

  if (strlen (text) > GST_GLES_EXPRESSION_MAX_BYTES) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS,
        "an expression has at most %d bytes, and this one has %" G_GSIZE_FORMAT,
        GST_GLES_EXPRESSION_MAX_BYTES, strlen (text));
    return NULL;
  }
  gst_gles_graph_add_constant (graph, 0); /* stands for nodes that a full graph has not */
  if (next (&parser) && parse_choice (&parser, result) && parser.token.kind != GST_GLES_TOKEN_END)
    fail_at_token (&parser, "an operator");
  if (failure == NULL && gst_gles_graph_is_full (graph))
    fail (&parser, text, g_strdup ("the expression has too many operations"));
  if (failure == NULL)
    return g_steal_pointer (&graph);
  g_propagate_error (error, g_steal_pointer (&failure));
  return NULL;
}
