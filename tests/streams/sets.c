/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/streams/sets.c -- the three sets of streams.  What n[] means is said at the family.
 *
 * Lines of the geometries that are asked about: 128 (32x4), 384 (64x6), 2048 (128x16),
 * 256 (4x64, 16x16), 768 (4x192), 64 (1x64).  Loops are near and far from those.
 */
#include "tests/streams/streams.h"

#define JITTER STREAMS_JITTER
#define GREEDY STREAMS_GREEDY
#define THROUGH WS_WRITE_THROUGH
#define EVICT WS_WRITE_EVICT

const char *const streams_set_names[STREAMS_SETS] = { "dev", "tried", "report" };

/* family, { n }, skew, warps, scheduler, write, seed, limit, parts */

static const struct streams_spec dev_mixed[] = {
	{ "vector-add", { 4000 }, 0, 32, 0, 0, 1, 12000, NULL },
	{ "mm", { 128, 2 }, 0, 32, 0, 0, 2, 40000, NULL },
	{ "histo", { 20000, 4096, 1 }, 0.8, 32, JITTER, 0, 3, 40000, NULL },
	{ "transpose", { 256, 256, 4 }, 0, 32, 0, 0, 4, 30000, NULL },
	{ "reduce", { 4096 }, 0, 24, 0, 0, 5, 20000, NULL },
	{ 0 },
};
static const struct streams_spec dev_mixed_sparse[] = {
	{ "bfs-frontier", { 6000, 6, 30, 200 }, 0.6, 24, JITTER, 0, 6, 60000, NULL },
	{ "spmv-scalar", { 6000, 6, 30, 200 }, 0.6, 24, 0, 0, 6, 60000, NULL },
	{ "scan", { 15, 0, 1 }, 0, 24, 0, 0, 7, 30000, NULL },
	{ 0 },
};
static const struct streams_spec dev_tiny_add[] = {
	{ "vector-add", { 400 }, 0, 32, 0, 0, 1, 0, NULL },
	{ "reduce", { 256 }, 0, 16, 0, 0, 2, 0, NULL },
	{ 0 },
};
static const struct streams_spec dev_tiny_mm[] = {
	{ "mm-tiled", { 64, 16, 1 }, 0, 16, 0, 0, 1, 0, NULL },
	{ "scan", { 11, 0, 1 }, 0, 16, 0, 0, 1, 0, NULL },
	{ 0 },
};
static const struct streams_spec dev_tiny_sparse[] = {
	{ "spmv-vector", { 600, 8, 0, 0 }, 0.8, 32, 0, 0, 1, 3500, NULL },
	{ 0 },
};

static const struct streams_spec dev[] = {
	{ "mm", { 128, 2 }, 0, 32, 0, 0, 1, 0, NULL },
	{ "mm", { 256, 4 }, 0, 32, GREEDY, 0, 2, 200000, NULL },
	{ "mm", { 512, 8 }, 0, 48, 0, 0, 3, 250000, NULL },
	{ "mm-tiled", { 512, 32, 3 }, 0, 24, 0, 0, 4, 0, NULL },
	{ "mm-tiled", { 256, 16, 1 }, 0, 48, JITTER, 0, 5, 0, NULL },
	{ "transpose", { 1024, 512, 4 }, 0, 32, 0, 0, 6, 0, NULL },
	{ "transpose", { 640, 640, 8 }, 0, 24, JITTER, EVICT, 7, 0, NULL },
	{ "transpose-blocked", { 1000, 1000, 4, 2 }, 0, 32, 0, 0, 8, 0, NULL },
	{ "stencil", { 64, 1, 4, 2 }, 0, 32, 0, THROUGH, 9, 0, NULL },
	{ "stencil", { 128, 3, 8, 1 }, 0, 48, JITTER, 0, 10, 0, NULL },
	{ "conv", { 512, 4, 5, 4 }, 0, 32, 0, 0, 11, 0, NULL },
	{ "conv-halo", { 2048, 1024, 3, 2 }, 0, 24, JITTER, 0, 12, 0, NULL },
	{ "lud", { 256, 0, 2 }, 0, 32, 0, 0, 13, 0, NULL },
	{ "nbody", { 2048, 0, 1 }, 0, 16, JITTER, 0, 14, 0, NULL },
	{ "nbody", { 8192, 1, 1 }, 0, 32, 0, 0, 15, 0, NULL },
	{ "spmv-vector", { 20000, 8, 0, 0 }, 0.9, 32, 0, 0, 16, 250000, NULL },
	{ "spmv-scalar", { 20000, 8, 50, 400 }, 0.9, 16, 0, 0, 17, 200000, NULL },
	{ "pagerank", { 8000, 6, 20, 100, 3 }, 0.7, 32, JITTER, 0, 18, 250000, NULL },
	{ "bfs", { 12000, 7, 0, 0 }, 0.2, 32, 0, 0, 19, 200000, NULL },
	{ "bfs-frontier", { 20000, 8, 0, 0 }, 0.3, 32, 0, 0, 20, 200000, NULL },
	{ "bfs-frontier", { 16000, 5, 99, 60 }, 0, 24, GREEDY, EVICT, 21, 0, NULL },
	{ "sptrsv", { 12000, 6, 80, 2000 }, 0.5, 24, 0, 0, 22, 0, NULL },
	{ "hash", { 20000, 65536, 40 }, 0.8, 32, 0, 0, 23, 250000, NULL },
	{ "hash-join", { 600, 1800, 32768, 70 }, 0.9, 32, JITTER, 0, 24, 0, NULL },
	{ "histo", { 20000, 4096, 1 }, 0.6, 32, 0, 0, 25, 250000, NULL },
	{ "histo-hot", { 20000, 32768, 1, 256, 80, 500 }, 0.3, 24, 0, THROUGH, 26, 0, NULL },
	{ "histo-hot", { 20000, 8192, 2, 64, 60, 0 }, 0, 32, JITTER, 0, 27, 0, NULL },
	{ "kmeans-aos", { 400, 16, 24, 1 }, 0, 24, 0, 0, 28, 250000, NULL },
	{ "kmeans-soa", { 400, 16, 32, 1 }, 0, 32, 0, 0, 29, 200000, NULL },
	{ "cyclic", { 160, 1 }, 0, 8, 0, 0, 30, 200000, NULL },
	{ "cyclic", { 400, 2 }, 0, 16, JITTER, 0, 31, 0, NULL },
	{ "cyclic", { 800, 1 }, 0, 8, 0, 0, 32, 200000, NULL },
	{ "cyclic", { 2400, 4 }, 0, 32, 0, 0, 33, 200000, NULL },
	{ "scanmix", { 96, 20, 13, 0, 1 }, 0, 32, 0, 0, 34, 0, NULL },
	{ "scanmix", { 400, 24, 24, 1, 2 }, 0, 32, GREEDY, 0, 35, 200000, NULL },
	{ "chase", { 75, 0, 1664 }, 0, 8, 0, 0, 36, 200000, NULL },
	{ "chase", { 60, 30, 384 }, 0, 8, JITTER, 0, 37, 200000, NULL },
	{ "zipf", { 4096, 1 }, 0.8, 16, 0, 0, 38, 250000, NULL },
	{ "zipf", { 20000, 8 }, 1.1, 32, 0, 0, 39, 250000, NULL },
	{ "phases", { 2048, 300, 40, 15000 }, 0.7, 16, 0, 0, 40, 300000, NULL },
	{ "repass", { 512, 96, 4 }, 0, 32, 0, 0, 41, 200000, NULL },
	{ "bitonic", { 14, 3 }, 0, 32, 0, 0, 42, 200000, NULL },
	{ "fft", { 12, 2, 1 }, 0, 24, JITTER, 0, 43, 200000, NULL },
	{ "scan", { 16, 0, 2 }, 0, 32, 0, 0, 44, 200000, NULL },
	{ "scan", { 14, 1, 4 }, 0, 16, 0, 0, 45, 200000, NULL },
	{ "wavefront", { 1024, 32, 24 }, 0, 16, 0, 0, 46, 0, NULL },
	{ "mixed", { 0 }, 0, 0, 0, 0, 47, 0, dev_mixed },
	{ "mixed", { 0 }, 0, 0, 0, 0, 48, 0, dev_mixed_sparse },
	{ "tiny", { 0 }, 0, 0, 0, 0, 49, 4900, dev_tiny_add },
	{ "tiny", { 0 }, 0, 0, 0, 0, 50, 4900, dev_tiny_mm },
	{ "tiny", { 0 }, 0, 0, 0, 0, 51, 4900, dev_tiny_sparse },
	{ 0 },
};

static const struct streams_spec tried_mixed[] = {
	{ "conv", { 256, 2, 3, 1 }, 0, 24, 0, 0, 101, 40000, NULL },
	{ "transpose-blocked", { 500, 500, 4, 1 }, 0, 40, 0, 0, 102, 20000, NULL },
	{ "hash", { 5000, 20000, 30 }, 0.9, 24, JITTER, 0, 103, 50000, NULL },
	{ "mm-tiled", { 192, 32, 1 }, 0, 16, 0, 0, 104, 30000, NULL },
	{ "vector-add", { 5000 }, 0, 48, 0, 0, 105, 15000, NULL },
	{ 0 },
};
static const struct streams_spec tried_mixed_sparse[] = {
	{ "pagerank", { 5000, 5, 10, 60, 2 }, 0.8, 32, 0, 0, 106, 70000, NULL },
	{ "reduce", { 8192 }, 0, 32, 0, 0, 107, 25000, NULL },
	{ "bfs", { 5000, 6, 10, 60 }, 0.4, 32, JITTER, 0, 108, 60000, NULL },
	{ 0 },
};
static const struct streams_spec tried_tiny_add[] = {
	{ "vector-add", { 250 }, 0, 24, 0, 0, 101, 0, NULL },
	{ "scan", { 12, 1, 1 }, 0, 24, 0, 0, 102, 0, NULL },
	{ 0 },
};
static const struct streams_spec tried_tiny_mm[] = {
	{ "mm", { 64, 2 }, 0, 24, 0, 0, 103, 3000, NULL },
	{ "reduce", { 128 }, 0, 8, 0, 0, 104, 0, NULL },
	{ 0 },
};
static const struct streams_spec tried_tiny_histo[] = {
	{ "histo", { 300, 2048, 1 }, 0.5, 16, 0, 0, 105, 4200, NULL },
	{ 0 },
};

static const struct streams_spec tried[] = {
	{ "mm", { 192, 3 }, 0, 24, 0, 0, 101, 0, NULL },
	{ "mm", { 320, 5 }, 0, 40, JITTER, 0, 102, 250000, NULL },
	{ "mm", { 640, 16 }, 0, 32, GREEDY, 0, 103, 200000, NULL },
	{ "mm-tiled", { 384, 32, 2 }, 0, 32, JITTER, 0, 104, 0, NULL },
	{ "mm-tiled", { 320, 16, 1 }, 0, 24, 0, 0, 105, 0, NULL },
	{ "transpose", { 768, 768, 4 }, 0, 48, 0, 0, 106, 0, NULL },
	{ "transpose", { 416, 960, 8 }, 0, 16, 0, THROUGH, 107, 0, NULL },
	{ "transpose-blocked", { 720, 1200, 4, 3 }, 0, 24, JITTER, 0, 108, 0, NULL },
	{ "stencil", { 96, 2, 6, 2 }, 0, 24, 0, EVICT, 109, 0, NULL },
	{ "stencil", { 160, 5, 10, 1 }, 0, 40, 0, 0, 110, 0, NULL },
	{ "conv", { 384, 6, 3, 3 }, 0, 40, JITTER, 0, 111, 0, NULL },
	{ "conv-halo", { 1536, 1280, 8, 3 }, 0, 32, 0, 0, 112, 0, NULL },
	{ "lud", { 320, 1, 3 }, 0, 40, JITTER, 0, 113, 0, NULL },
	{ "nbody", { 3072, 0, 1 }, 0, 24, 0, 0, 114, 0, NULL },
	{ "nbody", { 6144, 1, 2 }, 0, 40, JITTER, 0, 115, 0, NULL },
	{ "spmv-vector", { 14000, 12, 20, 300 }, 0.7, 24, JITTER, 0, 116, 200000, NULL },
	{ "spmv-scalar", { 15000, 5, 10, 100 }, 0.75, 24, 0, 0, 117, 250000, NULL },
	{ "pagerank", { 11000, 8, 40, 250, 2 }, 0.5, 24, 0, 0, 118, 200000, NULL },
	{ "bfs", { 9000, 10, 0, 0 }, 0.4, 24, JITTER, 0, 119, 250000, NULL },
	{ "bfs-frontier", { 14000, 11, 10, 500 }, 0.5, 40, 0, 0, 120, 250000, NULL },
	{ "bfs-frontier", { 22000, 4, 98, 100 }, 0.2, 16, 0, THROUGH, 121, 0, NULL },
	{ "sptrsv", { 9000, 9, 60, 1000 }, 0.7, 32, JITTER, 0, 122, 0, NULL },
	{ "hash", { 16000, 40000, 25 }, 0.95, 24, JITTER, 0, 123, 200000, NULL },
	{ "hash-join", { 900, 1500, 20000, 50 }, 0.6, 24, 0, EVICT, 124, 0, NULL },
	{ "histo", { 25000, 6000, 1 }, 0.9, 40, JITTER, 0, 125, 200000, NULL },
	{ "histo-hot", { 20000, 20000, 1, 150, 70, 800 }, 0.5, 32, JITTER, 0, 126, 0, NULL },
	{ "histo-hot", { 20000, 12000, 2, 100, 75, 300 }, 0.2, 16, 0, 0, 127, 0, NULL },
	{ "kmeans-aos", { 500, 12, 30, 1 }, 0, 32, JITTER, 0, 128, 200000, NULL },
	{ "kmeans-soa", { 350, 10, 20, 2 }, 0, 24, 0, 0, 129, 250000, NULL },
	{ "cyclic", { 140, 1 }, 0, 16, JITTER, 0, 130, 0, NULL },
	{ "cyclic", { 288, 2 }, 0, 8, 0, 0, 131, 200000, NULL },
	{ "cyclic", { 1000, 4 }, 0, 24, 0, 0, 132, 200000, NULL },
	{ "cyclic", { 2150, 1 }, 0, 16, 0, 0, 133, 250000, NULL },
	{ "scanmix", { 140, 16, 8, 0, 1 }, 0, 24, JITTER, 0, 134, 0, NULL },
	{ "scanmix", { 260, 12, 18, 1, 3 }, 0, 40, 0, 0, 135, 200000, NULL },
	{ "chase", { 70, 0, 896 }, 0, 12, 0, 0, 136, 200000, NULL },
	{ "chase", { 40, 22, 640 }, 0, 12, GREEDY, 0, 137, 200000, NULL },
	{ "zipf", { 6000, 1 }, 0.65, 24, JITTER, 0, 138, 200000, NULL },
	{ "zipf", { 30000, 4 }, 1.0, 40, 0, 0, 139, 250000, NULL },
	{ "phases", { 3000, 450, 64, 11000 }, 0.9, 24, 0, 0, 140, 250000, NULL },
	{ "repass", { 700, 150, 3 }, 0, 40, JITTER, 0, 141, 200000, NULL },
	{ "bitonic", { 13, 0 }, 0, 24, JITTER, 0, 142, 200000, NULL },
	{ "fft", { 13, 1, 0 }, 0, 32, 0, 0, 143, 200000, NULL },
	{ "scan", { 15, 0, 3 }, 0, 24, JITTER, THROUGH, 144, 200000, NULL },
	{ "scan", { 15, 1, 2 }, 0, 40, 0, 0, 145, 200000, NULL },
	{ "wavefront", { 1408, 16, 20 }, 0, 24, JITTER, 0, 146, 0, NULL },
	{ "mixed", { 0 }, 0, 0, 0, 0, 147, 0, tried_mixed },
	{ "mixed", { 0 }, 0, 0, 0, 0, 148, 0, tried_mixed_sparse },
	{ "tiny", { 0 }, 0, 0, 0, 0, 149, 4900, tried_tiny_add },
	{ "tiny", { 0 }, 0, 0, 0, 0, 150, 4900, tried_tiny_mm },
	{ "tiny", { 0 }, 0, 0, 0, 0, 151, 4900, tried_tiny_histo },
	{ 0 },
};

static const struct streams_spec report_mixed[] = {
	{ "stencil", { 264, 20, 7, 1 }, 0, 16, 0, 0, 301, 45000, NULL },
	{ "kmeans-soa", { 86, 8, 12, 1 }, 0, 32, JITTER, 0, 302, 25000, NULL },
	{ "zipf", { 4130, 4 }, 0.92, 32, 0, 0, 303, 40000, NULL },
	{ "lud", { 128, 0, 1 }, 0, 24, 0, 0, 304, 35000, NULL },
	{ "vector-add", { 3894 }, 0, 44, 0, 0, 305, 10000, NULL },
	{ 0 },
};
static const struct streams_spec report_mixed_sparse[] = {
	{ "sptrsv", { 6020, 5, 50, 344 }, 0.58, 32, 0, 0, 306, 55000, NULL },
	{ "hash-join", { 472, 944, 17700, 60 }, 0.92, 32, JITTER, 0, 307, 50000, NULL },
	{ "fft", { 11, 3, 0 }, 0, 32, 0, 0, 308, 30000, NULL },
	{ 0 },
};
static const struct streams_spec report_tiny_add[] = {
	{ "vector-add", { 389 }, 0, 16, 0, 0, 301, 0, NULL },
	{ "bitonic", { 9, 0 }, 0, 12, 0, 0, 302, 0, NULL },
	{ 0 },
};
static const struct streams_spec report_tiny_nbody[] = {
	{ "nbody", { 302, 0, 1 }, 0, 8, 0, 0, 303, 0, NULL },
	{ "reduce", { 275 }, 0, 32, 0, 0, 304, 0, NULL },
	{ 0 },
};
static const struct streams_spec report_tiny_hash[] = {
	{ "hash", { 236, 3540, 20 }, 0.62, 16, JITTER, 0, 305, 4400, NULL },
	{ 0 },
};

static const struct streams_spec report[] = {
	{ "mm", { 138, 1 }, 0, 32, JITTER, 0, 301, 300000, NULL },
	{ "mm", { 491, 6 }, 0, 16, 0, 0, 302, 300000, NULL },
	{ "mm", { 660, 12 }, 0, 44, 0, 0, 303, 300000, NULL },
	{ "mm-tiled", { 512, 32, 2 }, 0, 36, GREEDY, 0, 304, 300000, NULL },
	{ "mm-tiled", { 224, 16, 1 }, 0, 40, 0, 0, 305, 300000, NULL },
	{ "transpose", { 1600, 576, 4 }, 0, 16, JITTER, 0, 306, 300000, NULL },
	{ "transpose", { 480, 672, 8 }, 0, 40, 0, 0, 307, 300000, NULL },
	{ "transpose-blocked", { 708, 1062, 4, 4 }, 0, 44, 0, EVICT, 308, 300000, NULL },
	{ "stencil", { 32, 1, 4, 8 }, 0, 24, JITTER, 0, 309, 300000, NULL },
	{ "stencil", { 227, 7, 12, 1 }, 0, 24, 0, THROUGH, 310, 300000, NULL },
	{ "conv", { 275, 3, 7, 2 }, 0, 32, 0, 0, 311, 300000, NULL },
	{ "conv-halo", { 1510, 1888, 5, 4 }, 0, 44, 0, 0, 312, 300000, NULL },
	{ "lud", { 320, 2, 4 }, 0, 24, GREEDY, 0, 313, 300000, NULL },
	{ "nbody", { 1812, 0, 2 }, 0, 32, 0, 0, 314, 300000, NULL },
	{ "nbody", { 9687, 1, 2 }, 0, 24, 0, 0, 315, 300000, NULL },
	{ "spmv-vector", { 20060, 10, 60, 177 }, 0.62, 32, 0, 0, 316, 300000, NULL },
	{ "spmv-scalar", { 10320, 7, 30, 688 }, 0.78, 32, JITTER, 0, 317, 300000, NULL },
	{ "pagerank", { 7670, 4, 0, 0, 5 }, 0.97, 44, 0, 0, 318, 300000, NULL },
	{ "bfs", { 12900, 5, 40, 258 }, 0.53, 32, 0, 0, 319, 300000, NULL },
	{ "bfs-frontier", { 21240, 9, 50, 177 }, 0.52, 32, JITTER, 0, 320, 300000, NULL },
	{ "bfs-frontier", { 10320, 6, 97, 40 }, 0.03, 32, 0, 0, 321, 300000, NULL },
	{ "sptrsv", { 17700, 5, 70, 708 }, 0.37, 44, 0, 0, 322, 300000, NULL },
	{ "hash", { 10320, 22360, 55 }, 0.63, 24, 0, THROUGH, 323, 300000, NULL },
	{ "hash-join", { 1416, 1180, 59000, 85 }, 0.82, 32, 0, 0, 324, 300000, NULL },
	{ "histo", { 15480, 7740, 1 }, 0.33, 32, 0, EVICT, 325, 300000, NULL },
	{ "histo-hot", { 16000, 26000, 2, 200, 65, 1000 }, 0.47, 32, 0, 0, 326, 300000, NULL },
	{ "histo-hot", { 16000, 15000, 1, 80, 85, 200 }, 0.03, 24, JITTER, 0, 327, 300000, NULL },
	{ "kmeans-aos", { 708, 8, 40, 1 }, 0, 44, 0, 0, 328, 300000, NULL },
	{ "kmeans-soa", { 387, 24, 18, 1 }, 0, 24, JITTER, 0, 329, 300000, NULL },
	{ "cyclic", { 208, 1 }, 0, 16, 0, 0, 330, 300000, NULL },
	{ "cyclic", { 232, 2 }, 0, 12, JITTER, 0, 331, 300000, NULL },
	{ "cyclic", { 1015, 3 }, 0, 24, 0, 0, 332, 300000, NULL },
	{ "cyclic", { 2408, 1 }, 0, 40, JITTER, 0, 333, 300000, NULL },
	{ "scanmix", { 52, 10, 14, 0, 2 }, 0, 16, 0, 0, 334, 300000, NULL },
	{ "scanmix", { 533, 28, 10, 1, 1 }, 0, 32, JITTER, 0, 335, 300000, NULL },
	{ "chase", { 31, 0, 1408 }, 0, 10, JITTER, 0, 336, 300000, NULL },
	{ "chase", { 18, 11, 2176 }, 0, 20, 0, 0, 337, 300000, NULL },
	{ "zipf", { 2950, 2 }, 0.52, 16, 0, 0, 338, 300000, NULL },
	{ "zipf", { 38700, 6 }, 1.13, 44, JITTER, 0, 339, 300000, NULL },
	{ "phases", { 1416, 236, 90, 21240 }, 0.57, 24, JITTER, 0, 340, 300000, NULL },
	{ "repass", { 292, 60, 5 }, 0, 32, GREEDY, 0, 341, 300000, NULL },
	{ "bitonic", { 15, 5 }, 0, 32, 0, 0, 342, 300000, NULL },
	{ "fft", { 14, 2, 1 }, 0, 24, 0, 0, 343, 300000, NULL },
	{ "scan", { 13, 0, 6 }, 0, 24, 0, 0, 344, 300000, NULL },
	{ "scan", { 17, 1, 1 }, 0, 40, JITTER, 0, 345, 300000, NULL },
	{ "wavefront", { 1359, 24, 16 }, 0, 24, 0, 0, 346, 300000, NULL },
	{ "mixed", { 0 }, 0, 0, 0, 0, 347, 0, report_mixed },
	{ "mixed", { 0 }, 0, 0, 0, 0, 348, 0, report_mixed_sparse },
	{ "tiny", { 0 }, 0, 0, 0, 0, 349, 4900, report_tiny_add },
	{ "tiny", { 0 }, 0, 0, 0, 0, 350, 4900, report_tiny_nbody },
	{ "tiny", { 0 }, 0, 0, 0, 0, 351, 4900, report_tiny_hash },
	{ 0 },
};

const struct streams_spec *const streams_sets[STREAMS_SETS] = { dev, tried, report };
