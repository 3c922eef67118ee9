/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The structures of tile lists that C and GLSL share. lib/layout.h has the rules. */
#ifndef GST_GLES_TILES_LAYOUT_H
#define GST_GLES_TILES_LAYOUT_H

#ifdef GL_ES
#include "lib/array-layout.h"
#else
#include <array-layout.h>
#endif

/* A rectangle that is to be listed in the tiles it covers. The f32 words are stored as bits,
 * because a load as float may change denormals and NaNs. */
GST_GLES_STRUCT (GstGlesTileRecord)
{
  GST_GLES_U32 min_x; /* f32 bits, pixels */
  GST_GLES_U32 min_y;
  GST_GLES_U32 max_x; /* the pixel at floor (max_x) is covered too */
  GST_GLES_U32 max_y;
  GST_GLES_U32 depth;  /* f32 bits */
  GST_GLES_U32 radius; /* carried, not used */
  GST_GLES_U32 index;  /* carried, not used */
  GST_GLES_U32 pad;
};
GST_GLES_STRUCT_END (GstGlesTileRecord)

/* The size of a frame in pixels, and the grid of tiles over it. The last column and the last row
 * of tiles may exceed the frame. */
GST_GLES_STRUCT (GstGlesTileGrid)
{
  GST_GLES_U32 width; /* 1 to 2^24, so that an f32 holds it exactly */
  GST_GLES_U32 height;
  GST_GLES_U32 tile_width; /* at least 1 */
  GST_GLES_U32 tile_height;
  GST_GLES_U32 columns; /* ceil (width / tile_width) */
  GST_GLES_U32 rows;
  GST_GLES_U32 n_tiles; /* columns * rows, at most 2^30 */
  GST_GLES_U32 pad_0;
};
GST_GLES_STRUCT_END (GstGlesTileGrid)

/* Key order: the order in which records are listed. */
#define GST_GLES_TILES_SORTED 0u  /* by the indices in scratch, from word 0 on */
#define GST_GLES_TILES_FORWARD 1u /* the order of the input */
#define GST_GLES_TILES_BACKWARD 2u

/* A step from records to tile lists. Scratch holds, from word 0 on, the indices of the records in
 * key order. From word `offsets` on it holds how many tiles each covers, in key order; these
 * counts become the exclusive prefixes, that is, where the entries of each record begin in the
 * expanded list, and the end. From word `counts` on it holds how many tiles each record covers, in
 * input order. docs/algorithms/tiles.md has a drawing. */
GST_GLES_STRUCT (GstGlesTilesPass)
{
  GstGlesTileGrid grid;
  GST_GLES_U32 n;            /* records */
  GST_GLES_U32 counted;      /* 1: the number of records is in the state instead */
  GST_GLES_U32 order;        /* key order: GST_GLES_TILES_SORTED and so on */
  GST_GLES_U32 by;           /* the keys: 0 depths, 1 values, 2 indices of the input */
  GST_GLES_U32 flip;         /* XORed to keys before they are sorted */
  GST_GLES_U32 offsets;      /* word of scratch: first entry of each record, in key order */
  GST_GLES_U32 head;         /* word of scratch: number of records, number of entries */
  GST_GLES_U32 counts;       /* word of scratch: tiles of each record, in input order */
  GST_GLES_U32 entries_each; /* entries per invocation */
  /* local sort: words of the block in which entries are counted, in this call and in the next one,
   * and the capacity for entries */
  GST_GLES_U32 tally;
  GST_GLES_U32 next_tally;
  GST_GLES_U32 max_entries;
};
GST_GLES_STRUCT_END (GstGlesTilesPass)

/* The passes from the numbers of tiles to the first entries of the records, in the scratch of
 * GstGlesTilesPass. */
GST_GLES_STRUCT (GstGlesTilesCountsPass)
{
  GstGlesArrayPass array;
  GST_GLES_U32 order;       /* key order: GST_GLES_TILES_SORTED and so on */
  GST_GLES_U32 offsets;     /* word of scratch: first entry of each record, in key order */
  GST_GLES_U32 head;        /* word of scratch: number of records, number of entries */
  GST_GLES_U32 counts;      /* word of scratch: tiles of each record, in input order */
  GST_GLES_U32 max_entries; /* capacity for entries */
  GST_GLES_U32 sort_tile;   /* keys per tile of the sort of entries */
  GST_GLES_U32 sort_max_groups_x;
  GST_GLES_U32 pad_0;
};
GST_GLES_STRUCT_END (GstGlesTilesCountsPass)

/* Words of the block of the local sort, which sorts lists one by one. Two sets of counts follow.
 * Each has two words for the total and, from GST_GLES_TILES_TALLY_HEAD on, one word per tile,
 * which later becomes the position of the tile's next entry. The tasks follow, two words each: a
 * tile, and the number of a chunk of its list. */
#define GST_GLES_TILES_LOCAL_N 0     /* number of records */
#define GST_GLES_TILES_LOCAL_TASKS 1 /* number of tasks */
/* key, index, number: all entries of records before this one fit, and so many of its own */
#define GST_GLES_TILES_LOCAL_CUT 4
#define GST_GLES_TILES_LOCAL_HEAD 16
#define GST_GLES_TILES_TALLY_HEAD 4

/* Sorts lists one by one. */
GST_GLES_STRUCT (GstGlesTilesLists)
{
  GST_GLES_U32 tasks; /* word of the block: the first task */
  GST_GLES_U32 chunk; /* entries per chunk */
  GST_GLES_U32 pad_0;
  GST_GLES_U32 pad_1;
};
GST_GLES_STRUCT_END (GstGlesTilesLists)

#endif
