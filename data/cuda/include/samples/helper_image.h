/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * helper_image.h -- images as PGM and PPM files, arrays as text, and comparisons of both, under the
 * names of NVIDIA's samples.  What is loaded comes from malloc if the caller has given no room.
 */
#pragma GCC system_header
#ifndef WARPSTACK_SAMPLES_HELPER_IMAGE_H
#define WARPSTACK_SAMPLES_HELPER_IMAGE_H

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>
#include "../cuda_letters_begin.h"

#ifndef MIN_EPSILON_ERROR
#define MIN_EPSILON_ERROR 1e-3f
#endif

/* ---- files of images --------------------------------------------------------------------- */

/* The next number of the head, past white space and remarks; false: there is none. */
static inline bool __ws_image_number(FILE *f, unsigned int *value)
{
	int c = fgetc(f);

	while (c == '#' || c == ' ' || c == '\t' || c == '\r' || c == '\n') {
		if (c == '#') {
			while (c != '\n' && c != EOF)
				c = fgetc(f);
		}
		c = fgetc(f);
	}
	for (*value = 0; c >= '0' && c <= '9'; c = fgetc(f))
		*value = *value * 10 + (unsigned)(c - '0');
	return *value > 0;
}

/* A binary image of one channel (P5) or three (P6). */
inline bool __loadPPM(const char *file, unsigned char **data, unsigned int *w, unsigned int *h,
		      unsigned int *channels)
{
	FILE *f = fopen(file, "rb");
	char magic[3] = "";
	unsigned int width = 0, height = 0, most = 0;
	size_t bytes;
	bool good = f && fread(magic, 1, 2, f) == 2 && magic[0] == 'P' &&
		    (magic[1] == '5' || magic[1] == '6') && __ws_image_number(f, &width) &&
		    __ws_image_number(f, &height) && __ws_image_number(f, &most) && most < 256;

	*channels = magic[1] == '6' ? 3 : 1;
	bytes = (size_t)width * height * *channels;
	if (good && *data && (*w != width || *h != height))
		good = false;
	if (good && !*data)
		*data = (unsigned char *)malloc(bytes);
	good = good && *data && fread(*data, 1, bytes, f) == bytes;
	if (f)
		fclose(f);
	if (!good) {
		fprintf(stderr, "%s is no PGM or PPM image that can be read\n", file);
		return false;
	}
	*w = width;
	*h = height;
	return true;
}

inline bool __savePPM(const char *file, unsigned char *data, unsigned int w, unsigned int h,
		      unsigned int channels)
{
	FILE *f = fopen(file, "wb");
	size_t bytes = (size_t)w * h * channels;
	bool good = f && (channels == 1 || channels == 3) &&
		    fprintf(f, "P%c\n%u\n%u\n255\n", channels == 1 ? '5' : '6', w, h) > 0 &&
		    fwrite(data, 1, bytes, f) == bytes;

	if (f && fclose(f))
		good = false;
	if (!good)
		fprintf(stderr, "%s cannot be written\n", file);
	return good;
}

template <class T> inline T __ws_from_byte(unsigned char v)
{
	return (T)v;
}
template <> inline float __ws_from_byte<float>(unsigned char v)
{
	return v / 255.0f;
}
template <class T> inline unsigned char __ws_to_byte(T v)
{
	return (unsigned char)v;
}
template <> inline unsigned char __ws_to_byte<float>(float v)
{
	return (unsigned char)(v * 255.0f);
}

/* Floats are from 0 to 1. */
template <class T> inline bool sdkLoadPGM(const char *file, T **data, unsigned int *w,
					   unsigned int *h)
{
	unsigned char *bytes = NULL;
	unsigned int channels = 0, width = 0, height = 0;

	if (!__loadPPM(file, &bytes, &width, &height, &channels))
		return false;
	size_t size = (size_t)width * height * channels;
	if (!*data)
		*data = (T *)malloc(size * sizeof(T));
	for (size_t i = 0; i < size; i++)
		(*data)[i] = __ws_from_byte<T>(bytes[i]);
	free(bytes);
	*w = width;
	*h = height;
	return true;
}
template <class T> inline bool sdkSavePGM(const char *file, T *data, unsigned int w, unsigned int h)
{
	std::vector<unsigned char> bytes((size_t)w * h);

	for (size_t i = 0; i < bytes.size(); i++)
		bytes[i] = __ws_to_byte<T>(data[i]);
	return __savePPM(file, bytes.data(), w, h, 1);
}
template <class T> inline bool sdkLoadPPM(const char *file, T **data, unsigned int *w,
					   unsigned int *h)
{
	return sdkLoadPGM(file, data, w, h);
}

/* Three channels in the file, four in memory. */
template <class T> inline bool sdkLoadPPM4(const char *file, T **data, unsigned int *w,
					    unsigned int *h)
{
	unsigned char *bytes = NULL;
	unsigned int channels = 0;
	bool own = !*data;

	if (!__loadPPM(file, &bytes, w, h, &channels))
		return false;
	size_t pixels = (size_t)*w * *h;
	if (own)
		*data = (T *)malloc(pixels * 4 * sizeof(T));
	for (size_t i = 0; i < pixels; i++) {
		for (size_t c = 0; c < 3; c++)
			(*data)[4 * i + c] = (T)bytes[i * channels + (channels == 3 ? c : 0)];
		(*data)[4 * i + 3] = 0;
	}
	free(bytes);
	return true;
}
inline bool sdkLoadPPM4ub(const char *file, unsigned char **data, unsigned int *w, unsigned int *h)
{
	return sdkLoadPPM4(file, data, w, h);
}
inline bool sdkSavePPM4ub(const char *file, unsigned char *data, unsigned int w, unsigned int h)
{
	std::vector<unsigned char> bytes((size_t)w * h * 3);

	for (size_t i = 0; i < (size_t)w * h; i++) {
		for (size_t c = 0; c < 3; c++)
			bytes[3 * i + c] = data[4 * i + c];
	}
	return __savePPM(file, bytes.data(), w, h, 3);
}

/* ---- files of numbers -------------------------------------------------------------------- */

template <class T> inline bool sdkReadFile(const char *filename, T **data, unsigned int *len,
					    bool verbose)
{
	std::ifstream in(filename);
	std::vector<T> read;
	T value;

	if (!in.good()) {
		if (verbose)
			std::cerr << filename << " cannot be read" << std::endl;
		return false;
	}
	while (in >> value)
		read.push_back(value);
	if (*data && *len != read.size()) {
		std::cerr << filename << " has " << read.size() << " values, there is room for "
			  << *len << std::endl;
		return false;
	}
	if (!*data)
		*data = (T *)malloc(read.size() * sizeof(T) + 1);
	*len = (unsigned int)read.size();
	std::copy(read.begin(), read.end(), *data);
	return true;
}
template <class T, class S> inline bool sdkWriteFile(const char *filename, const T *data,
						      unsigned int len, const S epsilon,
						      bool verbose, bool append = false)
{
	std::ofstream out(filename, append ? std::ios::out | std::ios::app : std::ios::out);

	if (!out.good()) {
		if (verbose)
			std::cerr << filename << " cannot be written" << std::endl;
		return false;
	}
	out << "# " << epsilon << "\n";
	for (unsigned int i = 0; i < len; i++)
		out << data[i] << ' ';
	out << std::endl;
	return out.good();
}

/* All bytes of a file; NULL: it cannot be read. */
inline char *__ws_whole_file(const char *name, size_t want)
{
	FILE *f = fopen(name, "rb");
	char *bytes = f ? (char *)malloc(want + 1) : NULL;

	if (bytes && fread(bytes, 1, want, f) != want) {
		free(bytes);
		bytes = NULL;
	}
	if (f)
		fclose(f);
	return bytes;
}
inline void sdkDumpBin(void *data, unsigned int bytes, const char *filename)
{
	FILE *f = fopen(filename, "wb");

	if (!f)
		return;
	fwrite(data, bytes, 1, f);
	fflush(f);
	fclose(f);
}

/* ---- comparisons ------------------------------------------------------------------------- */

/* As many may be apart as the threshold, a part of all, allows; 0: none. */
template <class T, class S> inline bool compareData(const T *reference, const T *data,
						     const unsigned int len, const S epsilon,
						     const float threshold)
{
	unsigned int apart = 0;

	for (unsigned int i = 0; i < len; i++)
		apart += !(std::fabs((double)reference[i] - (double)data[i]) <= (double)epsilon);
	if (apart && threshold > 0)
		printf("%u of %u values differ\n", apart, len);
	return threshold == 0 ? apart == 0 : apart <= len * threshold;
}
template <class T, class S> inline bool compareDataAsFloatThreshold(const T *reference, const T *data,
								     const unsigned int len,
								     const S epsilon,
								     const float threshold)
{
	unsigned int apart = 0;

	for (unsigned int i = 0; i < len; i++)
		apart += !(std::fabs((double)reference[i] - (double)data[i]) < (double)epsilon);
	return threshold == 0 ? apart == 0 : apart <= len * threshold;
}

/* The length of the difference is at most epsilon of the reference's. */
inline bool sdkCompareL2fe(const float *reference, const float *data, const unsigned int len,
			   const float epsilon)
{
	double apart = 0, all = 0;

	for (unsigned int i = 0; i < len; i++) {
		double d = (double)reference[i] - data[i];

		apart += d * d;
		all += (double)reference[i] * reference[i];
	}
	if (std::fabs(all) < 1e-7) {
		std::cerr << "all of the reference is 0\n";
		return false;
	}
	return std::sqrt(apart) / std::sqrt(all) < epsilon;
}

template <class T> inline bool __ws_compare_files(const char *a, const char *b, unsigned int len,
						   const float epsilon, const float threshold,
						   char *executable)
{
	char *x = __ws_whole_file(a, len * sizeof(T)), *y = NULL;
	std::string beside = executable ? executable : "";

	beside = beside.substr(0, beside.rfind('/') + 1) + "data/" + b;
	y = __ws_whole_file(b, len * sizeof(T));
	if (!y)
		y = __ws_whole_file(beside.c_str(), len * sizeof(T));
	bool same = x && y && compareData((const T *)x, (const T *)y, len, epsilon, threshold);
	free(x);
	free(y);
	return same;
}
template <class T> inline bool sdkCompareBin2BinUint(const char *source, const char *reference,
						      unsigned int len, const float epsilon,
						      const float threshold, T *executable)
{
	return __ws_compare_files<unsigned int>(source, reference, len, epsilon, threshold,
						(char *)executable);
}
template <class T> inline bool sdkCompareBin2BinFloat(const char *source, const char *reference,
						       unsigned int len, const float epsilon,
						       const float threshold, T *executable)
{
	return __ws_compare_files<float>(source, reference, len, epsilon, threshold,
					 (char *)executable);
}

inline bool __ws_compare_images(const char *source, const char *reference, float epsilon,
				float threshold, bool verbose)
{
	unsigned char *a = NULL, *b = NULL;
	unsigned int w = 0, h = 0, c = 0, w2 = 0, h2 = 0, c2 = 0;
	bool same = __loadPPM(source, &a, &w, &h, &c) && __loadPPM(reference, &b, &w2, &h2, &c2) &&
		    w == w2 && h == h2 && c == c2 &&
		    compareData(b, a, w * h * c, epsilon, threshold);

	free(a);
	free(b);
	if (verbose)
		std::cout << (same ? "the images are equal" : "the images differ") << std::endl;
	return same;
}
inline bool sdkComparePPM(const char *source, const char *reference, const float epsilon,
			  const float threshold, bool verbose)
{
	return __ws_compare_images(source, reference, epsilon, threshold, verbose);
}
inline bool sdkComparePGM(const char *source, const char *reference, const float epsilon,
			  const float threshold, bool verbose)
{
	return __ws_compare_images(source, reference, epsilon, threshold, verbose);
}
#include "../cuda_letters_end.h"

#endif
