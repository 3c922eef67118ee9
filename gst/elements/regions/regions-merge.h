/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Merges the fragments of one thing, on the host: a car whose roof has the colour of the road is
 * found as its front and its back. */
#ifndef GST_GLES_REGIONS_MERGE_H
#define GST_GLES_REGIONS_MERGE_H

#include <gst/gles/core/region.h>

G_BEGIN_DECLS

/* A length: pixels, or hundredths of a size that its user names. */
typedef struct {
  guint value;
  gboolean percent;
} RegionsLength;

/* All zero merges nothing. */
typedef struct {
  RegionsLength distance; /* the widest gap; share: of the mean size of the two, on each axis */
  guint stacked;          /* the widest gap to what is below, in percent of the mean width */
  RegionsLength expand;   /* on each side; share: of the size of the box */
  guint min_density;      /* percent of the pixels of a box that are points */
  guint min_size, max_regions;
  guint width, height; /* of the picture */
} RegionsMerge;

/* Parses "auto" (if @automatic is not NULL, what that stands for), pixels "12" or a share "50%" of
 * up to 1000 %. @property: for errors. Errors: SETTINGS; *length is then as before. */
gboolean regions_length_parse (RegionsLength *length, const gchar *property, const gchar *text,
    const gchar *automatic, GError **error);

/* Sets the distance of @merge: "auto" is 25 %, or 95 % of the mean width to what is below. Two
 * things of one size with a gap of their width stay two; what is above something is more often
 * another part of it than what is beside it. Errors: SETTINGS. */
gboolean regions_merge_set_distance (RegionsMerge *merge, const gchar *text, GError **error);

/* Whether regions change at all. */
gboolean regions_merge_is_needed (const RegionsMerge *merge);

/* Merges the @n @regions in place, leaves out those that are small or sparse, expands the boxes and
 * sorts them as the device does. Returns how many stay; the first max_regions are to be listed.
 *
 * Regions with a gap of at most the distance on both axes are one; so are stacked ones, which have
 * columns in common, and those that other regions connect. That is repeated on the boxes that
 * result, at most 8 times. Each round depends on the set of boxes only, so the order of @regions
 * changes nothing. */
guint regions_merge (const RegionsMerge *merge, GstGlesRegion *regions, guint n);

G_END_DECLS

#endif
