/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gles/core/error.h>

/* Not G_DEFINE_QUARK: its variable is not synchronised, and any thread may make the first call. */
GQuark
gst_gles_error_quark (void)
{
  static gsize quark = 0;

  if (g_once_init_enter (&quark))
    g_once_init_leave (&quark, g_quark_from_static_string ("gst-gles-error-quark"));
  return (GQuark) quark;
}

/* What elements report, by GstGlesError. */
static const struct {
  GQuark (*domain) (void);
  gint gst_code;
  const gchar *advice; /* nullable: what a user of the pipeline can do; appended to the message */
} gst_codes[] = {
  [GST_GLES_ERROR_FAILED] = { gst_resource_error_quark, GST_RESOURCE_ERROR_FAILED },
  [GST_GLES_ERROR_SETTINGS] = { gst_resource_error_quark, GST_RESOURCE_ERROR_SETTINGS },
  [GST_GLES_ERROR_NOT_FOUND] = { gst_resource_error_quark, GST_RESOURCE_ERROR_NOT_FOUND },
  [GST_GLES_ERROR_OPEN] = { gst_resource_error_quark, GST_RESOURCE_ERROR_OPEN_READ_WRITE },
  [GST_GLES_ERROR_INIT] = { gst_library_error_quark, GST_LIBRARY_ERROR_INIT },
  [GST_GLES_ERROR_DEVICE_LOST] = { gst_resource_error_quark, GST_RESOURCE_ERROR_FAILED },
  [GST_GLES_ERROR_TOO_LARGE] = { gst_resource_error_quark, GST_RESOURCE_ERROR_NO_SPACE_LEFT },
  [GST_GLES_ERROR_NO_MEMORY] = { gst_resource_error_quark, GST_RESOURCE_ERROR_NO_SPACE_LEFT },
  [GST_GLES_ERROR_COMPILE] = { gst_library_error_quark, GST_LIBRARY_ERROR_FAILED,
      "Update the GPU's driver; until then device=cpu or device=software, or "
      "GST_GLES_LIMITS=minimum in the environment, may work. Report it to the project's issue "
      "tracker, with this message and the output of gst-gles-info-1.0" },
  [GST_GLES_ERROR_INVALID] = { gst_library_error_quark, GST_LIBRARY_ERROR_FAILED },
  [GST_GLES_ERROR_TIMEOUT] = { gst_resource_error_quark, GST_RESOURCE_ERROR_BUSY },
  [GST_GLES_ERROR_CANCELLED] = { gst_resource_error_quark, GST_RESOURCE_ERROR_FAILED },
  [GST_GLES_ERROR_BAD_FRAME] = { gst_stream_error_quark, GST_STREAM_ERROR_FAILED },
  [GST_GLES_ERROR_OUTSIDE] = { gst_resource_error_quark, GST_RESOURCE_ERROR_SETTINGS },
};

void
gst_gles_error_post (GstElement *element, const GError *error)
{
  const gchar *advice = NULL;
  GQuark domain = GST_RESOURCE_ERROR;
  gint code = GST_RESOURCE_ERROR_FAILED;

  g_return_if_fail (GST_IS_ELEMENT (element));
  g_return_if_fail (error != NULL);

  if (error->domain == GST_GLES_ERROR && error->code >= 0 &&
      error->code < (gint) G_N_ELEMENTS (gst_codes)) {
    domain = gst_codes[error->code].domain ();
    code = gst_codes[error->code].gst_code;
    advice = gst_codes[error->code].advice;
  } else if (error->domain == GST_RESOURCE_ERROR || error->domain == GST_LIBRARY_ERROR ||
      error->domain == GST_STREAM_ERROR || error->domain == GST_CORE_ERROR) {
    domain = error->domain;
    code = error->code;
  }
  gst_element_message_full (element, GST_MESSAGE_ERROR, domain, code,
      advice == NULL ? g_strdup (error->message) : g_strconcat (error->message, "\n", advice, NULL),
      NULL, __FILE__, G_STRFUNC, __LINE__);
}
