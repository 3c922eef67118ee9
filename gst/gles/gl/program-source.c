/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Makes the source of a specialisation: the preamble, then the kernel with its includes
 * flattened. */
#include "config.h"

#include <string.h>

#include <gio/gio.h>

#include <gst/gles/core/error.h>
#include <gst/gles/gl/program.h>

#define MAX_INCLUDE_DEPTH 8

/* Mesa's compiler drops the file index of #line (its parser sets it to 0), so the line number
 * includes the index as well. */
static void
append_line_directive (GString *source, guint line, guint index)
{
  g_string_append_printf (
      source, "#line %u %u\n", index * GST_GLES_PROGRAM_LINES_PER_FILE + line, index);
}

/* Called only so that the linker keeps the object with the shaders; its constructor registers them
 * with GLib before the first lookup. The result is not used: it is NULL while another thread
 * registers the resource, and registering it again would leak. */
extern GResource *gst_gles_shaders_get_resource (void);

static GBytes *
load (const gchar *file, const gchar *code, GError **error)
{
  g_autofree gchar *path = g_strconcat (GST_GLES_SHADER_PATH, file, NULL);
  GBytes *bytes;

  if (code != NULL && g_str_equal (file, GST_GLES_GENERATED_FILE))
    return g_bytes_new_static (code, strlen (code));
  gst_gles_shaders_get_resource ();
  bytes = g_resources_lookup_data (path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  if (bytes == NULL)
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_NOT_FOUND,
        "shader %s is not in the library's resources (G_RESOURCE_OVERLAYS can add it)", file);
  return bytes;
}

/* Returns the name in `#include "name"`: (transfer full); NULL for any other line. */
static gchar *
included_name (const gchar *line)
{
  const gchar *at = line + strspn (line, " \t");
  const gchar *end;

  if (*at != '#')
    return NULL;
  at += 1 + strspn (at + 1, " \t");
  if (!g_str_has_prefix (at, "include"))
    return NULL;
  at = strchr (at, '"');
  end = at != NULL ? strchr (at + 1, '"') : NULL;
  return end != NULL ? g_strndup (at + 1, end - at - 1) : NULL;
}

static gboolean
is_system_include (const gchar *line)
{
  const gchar *at = line + strspn (line, " \t");

  return *at == '#' && strstr (at, "include") != NULL && strchr (at, '<') != NULL;
}

/* A source in the making. */
typedef struct {
  GString *text;
  const gchar *code; /* of the generated file */
  GPtrArray *files;  /* names of those that were appended */
} Source;

/* Appends @file and its includes; a file that was appended already is skipped. */
static gboolean
append_file (const Source *source, const gchar *file, guint depth, GError **error)
{
  GPtrArray *files = source->files;
  g_autoptr (GBytes) bytes = NULL;
  g_autofree gchar *text = NULL;
  g_auto (GStrv) lines = NULL;
  const guint index = files->len;

  if (g_ptr_array_find_with_equal_func (files, file, g_str_equal, NULL))
    return TRUE;
  g_ptr_array_add (files, g_strdup (file));
  if (depth > MAX_INCLUDE_DEPTH) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
        "shader %s: includes are nested deeper than %d", file, MAX_INCLUDE_DEPTH);
    return FALSE;
  }
  bytes = load (file, source->code, error);
  if (bytes == NULL)
    return FALSE;
  text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  lines = g_strsplit (text, "\n", -1);
  append_line_directive (source->text, 1, index);
  for (guint i = 0; lines[i] != NULL; i++) {
    g_autofree gchar *name = included_name (lines[i]);
    if (name != NULL) {
      if (!append_file (source, name, depth + 1, error))
        return FALSE;
      append_line_directive (source->text, i + 2, index);
    } else {
      /* Files shared with C include system headers in their C half; GLSL must not see them. */
      g_string_append (source->text, is_system_include (lines[i]) ? "" : lines[i]);
      g_string_append_c (source->text, '\n');
    }
  }
  return TRUE;
}

static void
append_preamble (GString *source, const GstGlesProgramSpec *spec)
{
  static const gchar *const subgroup_extensions[] = { "basic", "vote", "arithmetic", "ballot",
    "shuffle", "shuffle_relative" };
  static const gchar axes[] = "XYZ";

  g_string_append_printf (source, "#version 310 es\n/* %s */\n", spec->kernel);
  for (guint i = 0; spec->subgroups != 0 && i < G_N_ELEMENTS (subgroup_extensions); i++)
    g_string_append_printf (
        source, "#extension GL_KHR_shader_subgroup_%s : require\n", subgroup_extensions[i]);
  if (spec->texels)
    g_string_append (source, "#extension GL_EXT_texture_buffer : require\n");
  g_string_append (source, "precision highp float;\nprecision highp int;\n");
  if (spec->subgroups != 0)
    g_string_append_printf (source, "#define SUBGROUPS %u\n", spec->subgroups);
  if (spec->texels)
    g_string_append (source, "#define TEXELS 1\nprecision highp usamplerBuffer;\n");
  for (guint i = 0; i < 3; i++)
    g_string_append_printf (
        source, "#define LOCAL_SIZE_%c %u\n", axes[i], MAX (spec->local_size[i], 1));
  for (guint i = 0; i < GST_GLES_PROGRAM_MAX_DEFINES && spec->defines[i].name != NULL; i++)
    g_string_append_printf (
        source, "#define %s %" G_GINT64_FORMAT "\n", spec->defines[i].name, spec->defines[i].value);
  g_string_append (source,
      "layout (local_size_x = LOCAL_SIZE_X, local_size_y = LOCAL_SIZE_Y, "
      "local_size_z = LOCAL_SIZE_Z) in;\n");
}

/* The file of kernel "NAME_pass" is NAME/NAME_pass.comp. Kernels "frame-NAME_pass", which read
 * frames, lie in the folder frame. */
static gchar *
kernel_file (const gchar *kernel)
{
  gsize length = g_str_has_prefix (kernel, "frame-") ? strlen ("frame") : strcspn (kernel, "_");

  return g_strdup_printf ("%.*s/%s.comp", (gint) length, kernel, kernel);
}

gchar *
gst_gles_program_flatten (const GstGlesProgramSpec *spec, gchar ***files, GError **error)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  const Source source = { g_string_new (NULL), spec->code, names };
  g_autofree gchar *file = kernel_file (spec->kernel);
  gboolean ok;

  /* Index 0 is the preamble. */
  g_ptr_array_add (names, g_strdup ("preamble"));
  append_preamble (source.text, spec);
  ok = append_file (&source, file, 0, error);
  if (ok && files != NULL) {
    g_ptr_array_add (names, NULL);
    g_ptr_array_set_free_func (names, NULL);
    *files = (gchar **) g_ptr_array_free (names, FALSE);
  } else {
    g_ptr_array_unref (names);
  }
  return g_string_free (source.text, !ok);
}
