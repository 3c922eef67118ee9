/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gles/core/error.h>

/* the formatter takes the dashes of the name for arithmetic */
/* clang-format off */
G_DEFINE_QUARK (gst-gles-error-quark, gst_gles_error)
/* clang-format on */

static const struct {
  GstGlesError code;
  gboolean library; /* GST_LIBRARY_ERROR rather than GST_RESOURCE_ERROR */
  gint gst_code;
} gst_codes[] = {
  { GST_GLES_ERROR_FAILED, FALSE, GST_RESOURCE_ERROR_FAILED },
  { GST_GLES_ERROR_SETTINGS, FALSE, GST_RESOURCE_ERROR_SETTINGS },
  { GST_GLES_ERROR_NOT_FOUND, FALSE, GST_RESOURCE_ERROR_NOT_FOUND },
  { GST_GLES_ERROR_OPEN, FALSE, GST_RESOURCE_ERROR_OPEN_READ_WRITE },
  { GST_GLES_ERROR_INIT, TRUE, GST_LIBRARY_ERROR_INIT },
  { GST_GLES_ERROR_DEVICE_LOST, FALSE, GST_RESOURCE_ERROR_FAILED },
  { GST_GLES_ERROR_TOO_LARGE, FALSE, GST_RESOURCE_ERROR_NO_SPACE_LEFT },
  { GST_GLES_ERROR_NO_MEMORY, FALSE, GST_RESOURCE_ERROR_NO_SPACE_LEFT },
  { GST_GLES_ERROR_COMPILE, TRUE, GST_LIBRARY_ERROR_FAILED },
  { GST_GLES_ERROR_INVALID, TRUE, GST_LIBRARY_ERROR_FAILED },
  { GST_GLES_ERROR_TIMEOUT, FALSE, GST_RESOURCE_ERROR_BUSY },
  { GST_GLES_ERROR_CANCELLED, FALSE, GST_RESOURCE_ERROR_FAILED },
};

void
gst_gles_error_post (GstElement *element, const GError *error)
{
  GQuark domain = GST_RESOURCE_ERROR;
  gint code = GST_RESOURCE_ERROR_FAILED;

  g_return_if_fail (GST_IS_ELEMENT (element));
  g_return_if_fail (error != NULL);

  if (error->domain == GST_GLES_ERROR) {
    for (guint i = 0; i < G_N_ELEMENTS (gst_codes); i++) {
      if ((gint) gst_codes[i].code != error->code)
        continue;
      domain = gst_codes[i].library ? GST_LIBRARY_ERROR : GST_RESOURCE_ERROR;
      code = gst_codes[i].gst_code;
    }
  } else if (error->domain == GST_RESOURCE_ERROR || error->domain == GST_LIBRARY_ERROR ||
      error->domain == GST_STREAM_ERROR || error->domain == GST_CORE_ERROR) {
    domain = error->domain;
    code = error->code;
  }
  gst_element_message_full (element, GST_MESSAGE_ERROR, domain, code, g_strdup (error->message),
      NULL, __FILE__, G_STRFUNC, __LINE__);
}
