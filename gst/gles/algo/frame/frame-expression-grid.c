/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The components that the names of an expression stand for, and the grid of its values. */
#include "config.h"

#include <gst/gles/algo/frame/frame-expression-private.h>
#include <gst/gles/expression/bind.h>
#include <gst/gles/expression/expression-info.h>

static gint
find_component (const GstGlesImage *format, GstGlesName name)
{
  for (guint i = 0; i < format->n_components; i++) {
    if (g_str_equal (format->names[i], gst_gles_frame_vocabulary.names[name]))
      return (gint) i;
  }
  return -1;
}

/* Returns a bit mask of the components that @name stands for. */
static guint
find_components (const GstGlesImage *format, GstGlesName name)
{
  const gint component = find_component (format, name);
  const gint u = find_component (format, GST_GLES_NAME_U);

  if (component >= 0)
    return 1u << component;
  if (name == GST_GLES_NAME_LUMA && format->luma == GST_GLES_LUMA_STORED)
    return 1u << 0;
  if ((name == GST_GLES_NAME_UV_HUE || name == GST_GLES_NAME_UV_SATURATION) && u >= 0)
    return 1u << u | 1u << find_component (format, GST_GLES_NAME_V);
  return name == GST_GLES_NAME_A ? 0 : (1u << MIN (format->n_components, 3)) - 1;
}

static guint
find_named (const GstGlesImage *format, guint names)
{
  guint mask = 0;

  for (guint name = 0; name < GST_GLES_NAME_PLACE; name++)
    mask |= (names & 1u << name) != 0 ? find_components (format, name) : 0;
  return mask;
}

const GstGlesComponent *
gst_gles_frame_expression_find_grid (const GstGlesImage *format, guint names)
{
  const guint mask = find_named (format, names);
  const GstGlesComponent *grid = NULL;

  for (guint i = 0; i < format->n_components; i++) {
    const GstGlesComponent *c = &format->components[i];

    if ((mask & 1u << i) != 0 && (grid == NULL || c->sub_x + c->sub_y < grid->sub_x + grid->sub_y))
      grid = c;
  }
  return grid != NULL ? grid : &format->components[0];
}
