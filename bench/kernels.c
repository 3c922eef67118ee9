/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "kernels.h"

const GstGlesProgramSpec bench_kernel_copy = {
  .kernel = "bench_copy",
  .local_size = { 128, 1, 1 },
  .n_storage = 2,
};

const GstGlesProgramSpec bench_kernel_matmul = {
  .kernel = "bench_matmul",
  .local_size = { 16, 8, 1 },
  .shared_bytes = 8192,
  .n_storage = 3,
};

void
bench_specialisations (GstGlesSpecialisationFunc func, gpointer user_data)
{
  func (&bench_kernel_copy, user_data);
  func (&bench_kernel_matmul, user_data);
}
