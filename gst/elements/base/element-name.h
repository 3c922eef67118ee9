/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* GStreamer names an element without a name after its type: glesjsonelement0. Users know it by the
 * name of its factory: glesjson0. */
#ifndef GST_GLES_ELEMENT_NAME_H
#define GST_GLES_ELEMENT_NAME_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* Takes "element" out of a name that GStreamer gave @element, which is just constructed. */
void element_name_instance (GstObject *element);
/* The same for all instances of @klass, which has no constructed() of its own and no subclasses. */
void element_class_name_instances (GObjectClass *klass);

G_END_DECLS

#endif
