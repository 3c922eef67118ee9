/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The address of a broker. */
#ifndef PUBLISH_ADDRESS_H
#define PUBLISH_ADDRESS_H

#include "publisher-settings.h"

G_BEGIN_DECLS

typedef struct {
  gchar *host; /* owned */
  gint port;
  gboolean secure;
} PublishAddress;

/* Reads [mqtt://|mqtts://]HOST[:PORT]. @address: (nullable). FALSE with @error; @self then has
 * nothing to free. */
gboolean publish_address_parse (PublishAddress *self, const gchar *address, GError **error);

G_END_DECLS

#endif
