// SPDX-License-Identifier: LGPL-2.1-or-later
/* Buckets of sizes: eight for each power of two, exact below 16, the largest sizes first. */
#define BUCKETS GST_GLES_COMPONENTS_BUCKETS
/* The place, counted from the smallest sizes, of the sizes of 32 bits that begin with four ones. */
#define LAST_PLACE (8u * 29u + 7u)

/* The number of bits that @value needs. */
uint
bits_of (uint value)
{
  int high = findMSB (value);

  return uint (high + 1);
}

uint
bucket_of_size (uint size)
{
  uint bits = bits_of (size);

  return BUCKETS - 1u - (bits <= 4u ? size : 8u * (bits - 3u) + ((size >> (bits - 4u)) & 7u));
}

/* The smallest size of a bucket. */
uint
size_of_bucket (uint bucket)
{
  uint place = BUCKETS - 1u - bucket;

  return place < 16u ? place : (8u + (place & 7u)) << ((place >> 3u) - 1u);
}

/* The largest size of a bucket. */
uint
last_size_of_bucket (uint bucket)
{
  return bucket <= BUCKETS - 1u - LAST_PLACE ? 0xffffffffu : size_of_bucket (bucket - 1u) - 1u;
}
