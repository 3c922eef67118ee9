/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The whole public API of libgstgles-1.0. */
#ifndef GST_GLES_H
#define GST_GLES_H

#include <gst/gles/algo/histogram/histogram.h>
#include <gst/gles/algo/compact/compact.h>
#include <gst/gles/algo/components/components.h>
#include <gst/gles/algo/map/map.h>
#include <gst/gles/algo/reduce/reduce.h>
#include <gst/gles/algo/scan/scan.h>
#include <gst/gles/algo/segments/segments.h>
#include <gst/gles/algo/sort/sort.h>
#include <gst/gles/algo/tiles/tiles.h>
#include <gst/gles/algo/top-k/top-k.h>
#include <gst/gles/algo/unique/unique.h>
#include <gst/gles/core/types.h>
#include <gst/gles/core/error.h>
#include <gst/gles/core/region.h>
#include <gst/gles/device/device.h>
#include <gst/gles/expression/expression.h>
#include <gst/gles/gl/buffer.h>
#include <gst/gles/gl/image.h>
#include <gst/gles/gl/kernel.h>
#include <gst/gles/gl/queue.h>
#include <gst/gles/gl/readback.h>
#include <gst/gles/import/source.h>
#include <gst/gles/meta/box.h>
#include <gst/gles/meta/histogram.h>
#include <gst/gles/meta/frame-info.h>
#include <gst/gles/meta/crop.h>
#include <gst/gles/meta/flash.h>
#include <gst/gles/meta/light.h>
#include <gst/gles/meta/outliers.h>
#include <gst/gles/meta/points.h>
#include <gst/gles/meta/regions.h>
#include <gst/gles/meta/tiles-types.h>
#include <gst/gles/meta/tiles.h>
#include <gst/gles/meta/tracks.h>
#include <gst/gles/meta/zones.h>

#endif
