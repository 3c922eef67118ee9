/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What whoever publishes records includes: publishers, the topics of records, and small files that
 * a kill leaves whole. The other headers of this folder are for its own sources and tests. */
#ifndef PUBLISH_H
#define PUBLISH_H

#include "publisher.h"
#include "replace-file.h"
#include "topic-tags.h"
#include "topic.h"

#endif
