/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The two kernels that only the benchmark uses. */
#ifndef BENCH_KERNELS_H
#define BENCH_KERNELS_H

#include <gst/gles/gl/submission.h>

extern const GstGlesProgramSpec bench_kernel_copy, bench_kernel_matmul;

void bench_specialisations (GstGlesSpecialisationFunc func, gpointer user_data);

#endif
