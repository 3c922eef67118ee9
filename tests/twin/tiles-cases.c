/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <math.h>
#include <string.h>

#include "sort-cases.h"
#include "tiles-cases.h"

/* ---- records ---- */

guint32
bits_of (gfloat f)
{
  guint32 bits;

  memcpy (&bits, &f, sizeof (bits));
  return bits;
}

static gfloat
float_of (guint32 bits)
{
  gfloat f;

  memcpy (&f, &bits, sizeof (f));
  return f;
}

GstGlesTileRecord
record_of (gfloat min_x, gfloat min_y, gfloat max_x, gfloat max_y, guint32 depth)
{
  return (GstGlesTileRecord){ bits_of (min_x), bits_of (min_y), bits_of (max_x), bits_of (max_y),
    depth, 0x12345678u, 7, 9 };
}

/* Boxes of all sizes around a frame, on edges of tiles and of the frame, of no area, inverted, of
 * odd numbers. */
void
fill_records (const GstGlesTilesConfig *config, guint64 seed, GstGlesTileRecord *records, guint n)
{
  static const guint32 odd[] = { 0x7fc00000, 0xffc00001, 0x7f800000, 0xff800000, 0x80000000,
    0x00000001, 0x80000001, 0x00000000 };
  const gfloat w = config->width, h = config->height;
  Random random = { seed };

  for (guint i = 0; i < n; i++) {
    guint32 r = random_word (&random);
    gfloat x = random_word (&random) / 4294967296.0 * w * 1.4 - 0.2 * w;
    gfloat y = random_word (&random) / 4294967296.0 * h * 1.4 - 0.2 * h;
    gfloat dx = (r & 7) == 0 ? w / 3 : (random_word (&random) & 1023) / 1024.0 * 40;
    gfloat dy = (r & 56) == 0 ? h / 3 : (random_word (&random) & 1023) / 1024.0 * 40;
    /* few depths, so that many are equal */
    guint32 depth = (r & 64) != 0 ? bits_of ((gfloat) (r >> 28)) : random_word (&random);

    if ((r & 0x300) == 0) {
      x = floorf (x / config->tile_width) * config->tile_width;
      y = floorf (y / config->tile_height) * config->tile_height;
    }
    if ((r & 0x3000) == 0)
      dx = (gfloat) config->tile_width * (r >> 30);
    records[i] = record_of (x, y, x + dx, y + dy, depth);
    if ((r & 0x1f0000) == 0)
      records[i] = record_of (x + dx, y, x, y + dy, depth); /* inverted, or of no area */
    if ((r & 0x3e00000) == 0)
      ((guint32 *) &records[i])[r >> 30] = odd[(r >> 26) & 7];
  }
}

/* The tiles of a record as floats have it: FALSE for none. */
static gboolean
covers (const GstGlesTilesConfig *config, const GstGlesTileRecord *record, guint span[4])
{
  gfloat min_x = float_of (record->min_x), min_y = float_of (record->min_y);
  gfloat max_x = float_of (record->max_x), max_y = float_of (record->max_y);

  /* NaNs compare as false */
  if (!(min_x <= max_x) || !(min_y <= max_y) || max_x < 0 || max_y < 0 || min_x >= config->width ||
      min_y >= config->height)
    return FALSE;
  span[0] = (guint) floorf (MAX (min_x, 0)) / config->tile_width;
  span[1] = (guint) floorf (MAX (min_y, 0)) / config->tile_height;
  span[2] = (guint) floorf (MIN (max_x, config->width - 1)) / config->tile_width;
  span[3] = (guint) floorf (MIN (max_y, config->height - 1)) / config->tile_height;
  return TRUE;
}

/* ---- plain lists ---- */

typedef struct {
  guint32 key, order, index;
} Keyed;

static gint
compare_keyed (gconstpointer a, gconstpointer b)
{
  const Keyed *x = a, *y = b;

  if (x->order != y->order)
    return x->order < y->order ? -1 : 1;
  return x->index < y->index ? -1 : x->index > y->index;
}

Lists *
lists_new (guint n_tiles, guint capacity)
{
  Lists *lists = g_new0 (Lists, 1);

  lists->offsets = g_new0 (guint32, n_tiles + 2);
  lists->indices = g_new (guint32, capacity + CANARY_WORDS);
  lists->keys = g_new (guint32, capacity + CANARY_WORDS);
  for (guint i = 0; i < capacity + CANARY_WORDS; i++)
    lists->indices[i] = lists->keys[i] = CANARY;
  return lists;
}

void
lists_free (Lists *lists)
{
  g_free (lists->offsets);
  g_free (lists->indices);
  g_free (lists->keys);
  g_free (lists);
}

static guint32
key_of (const GstGlesTilesConfig *config, const GstGlesTileRecord *record, guint index)
{
  guint32 depth = record->depth;

  if (config->by == GST_GLES_TILES_BY_INDEX)
    return index;
  if (config->by == GST_GLES_TILES_BY_VALUE)
    return depth;
  return (depth >> 31) != 0 ? ~depth : depth | 0x80000000u;
}

/* Calls for each entry of the first @capacity in key order; returns how many there are in all. */
static guint64
visit_entries (const GstGlesTilesConfig *config, const GstGlesTileRecord *records,
    const Keyed *keyed, guint n, guint capacity, guint columns, guint32 *places, Lists *lists)
{
  guint64 total = 0;

  for (guint i = 0; i < n; i++) {
    guint span[4];
    if (!covers (config, &records[keyed[i].index], span))
      continue;
    for (guint row = span[1]; row <= span[3]; row++) {
      for (guint column = span[0]; column <= span[2]; column++) {
        guint tile = row * columns + column;
        if (total++ >= capacity)
          continue;
        if (lists != NULL) {
          lists->indices[places[tile]] = keyed[i].index;
          lists->keys[places[tile]] = keyed[i].key;
        }
        places[tile]++;
      }
    }
  }
  return total;
}

GstGlesTilesConfig
config_of (guint width, guint height, guint tile_width, guint tile_height, guint max_records,
    guint max_entries)
{
  return (GstGlesTilesConfig){
    .width = width,
    .height = height,
    .tile_width = tile_width,
    .tile_height = tile_height,
    .max_records = max_records,
    .max_entries = max_entries,
  };
}

void
fill_off_screen (guint percent, GstGlesTileRecord *records, guint n)
{
  Random random = { percent };

  for (guint k = 0; k < n; k++) {
    const gfloat x = random_word (&random) % 624, y = random_word (&random) % 464;
    const guint side = random_word (&random) % 100 < percent ? 1 + k % 4 : 0;
    const gfloat dx = side == 1 ? 700 : side == 2 ? -700 : 0;
    const gfloat dy = side == 3 ? 500 : side == 4 ? -500 : 0;
    /* few depths, so that the order of the input shows */
    records[k] = record_of (x + dx, y + dy, x + dx + k % 9, y + dy + k % 5,
        bits_of ((gfloat) (random_word (&random) % 50)));
  }
}

static void
assert_words (
    const guint32 *got, const guint32 *want, gsize n, const gchar *what, const gchar *where)
{
  for (gsize i = 0; i < n; i++) {
    if (got[i] != want[i])
      g_error ("%s: word %" G_GSIZE_FORMAT " of the %s is %08x, expected %08x", where, i, what,
          got[i], want[i]);
  }
}

void
assert_lists (const Lists *got, const Lists *want, guint n_tiles, guint capacity, const gchar *who,
    const gchar *where)
{
  g_autofree gchar *text = g_strconcat (where, ": ", who, NULL);

  assert_words (got->offsets, want->offsets, n_tiles + 1, "offsets", text);
  assert_words (got->indices, want->indices, capacity + CANARY_WORDS, "indices", text);
  assert_words (got->keys, want->keys, capacity + CANARY_WORDS, "keys", text);
}

Lists *
list_plainly (
    const GstGlesTilesConfig *config, const GstGlesTileRecord *records, guint n, guint capacity)
{
  guint columns = (config->width - 1) / config->tile_width + 1;
  guint n_tiles = columns * ((config->height - 1) / config->tile_height + 1);
  Lists *lists = lists_new (n_tiles, capacity);
  g_autofree Keyed *keyed = g_new (Keyed, n + 1);
  g_autofree guint32 *places = g_new0 (guint32, n_tiles + 1);
  guint32 sum = 0;

  for (guint i = 0; i < n; i++) {
    guint32 key = key_of (config, &records[i], i);
    keyed[i] = (Keyed){ key, config->descending ? ~key : key, i };
  }
  qsort (keyed, n, sizeof (Keyed), compare_keyed);
  lists->total = visit_entries (config, records, keyed, n, capacity, columns, places, NULL);
  for (guint tile = 0; tile < n_tiles; tile++) {
    guint32 count = places[tile];
    lists->offsets[tile] = places[tile] = sum;
    sum += count;
  }
  lists->offsets[n_tiles] = sum;
  visit_entries (config, records, keyed, n, capacity, columns, places, lists);
  return lists;
}
