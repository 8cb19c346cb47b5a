/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/launch.h -- programs: what launch*.c, fill.c and those that run them share.
 */
#ifndef WS_LAUNCH_H
#define WS_LAUNCH_H

#include "trace/capture.h"

#define WS_PROGRAM_BYTES_MAX (16ull << 30) /* all buffers together, in device memory */
#define WS_PROGRAM_RUNS_MAX 1000000u /* of all launches together */
#define WS_PROGRAM_BUFFERS_MAX 1024u
#define WS_PROGRAM_EDGES_MAX (1ull << 31)
#define WS_DEVICE_ALIGN 256u
#define WS_LOCAL_MAX (16u << 20) /* bytes of a __local array */

/* ---- places, names and paths (launch_text.c) ---- */

/* Where a mistake was made, and so what kind of failure it is: a launch file's
 * line ("mm.launch:4", WS_EFORMAT) or what the caller gave ("argument A=...", WS_EINVAL). */
struct ws_text_place {
	char text[512];
	enum ws_status status;
};

/* line 0: the program does not come from a file; then what names the place. */
struct ws_text_place ws_place_of(const struct ws_program *p, int line, const char *what);
enum ws_status ws_place_fail(const struct ws_text_place *at, struct ws_err *err,
			     const char *fmt, ...) WS_PRINTF(3, 4);

#define WS_BLANK " \t\r"
char *ws_trim(char *s);			/* in place */
bool ws_is_name(const char *s);		/* an identifier */
bool ws_is_kernel_name(const char *s);	/* or, of CUDA, one as in "mm<float, 16>" */

/* ---- putting a program together (launch.c) ---- */

bool ws_is_cuda(const char *source); /* by its name */

/* Allocates and initialises the buffers and gives them device addresses: in the order of
 * declaration, each at a multiple of device_align (0: WS_DEVICE_ALIGN), from device_base (0:
 * WS_DEVICE_BASE).  Again: fills them anew. */
#define WS_DEVICE_BASE 0x100000000ull
#define WS_DEVICE_BASE_MAX 0xffffff000000ull
#define WS_DEVICE_ALIGN_MAX (1ull << 30)
enum ws_status ws_program_fill(struct ws_program *p, struct ws_err *err) WS_MUST_CHECK;

/* For tests of what the two options structs of capture.h point to. */
struct ws_capture_test {
	bool in_process;	/* kernels run in the caller's own process */
	bool skip_silent;	/* leave out blocks that access nothing: the same warp memory
				 * instructions, but what those blocks compute takes no time */
	bool thorough;		/* code is made well, however few the work-items are */
	/* Of ws_soft_run: after so many segments other work-items of the CTA have their turn (0:
	 * never), when the cache runs; what is left out of it (bits of enum ws_soft_omit). */
	uint64_t turn;
	unsigned omit;
};

enum ws_soft_omit { WS_SOFT_OMIT_BARRIER = 1, WS_SOFT_OMIT_ATOMIC = 2, WS_SOFT_OMIT_END = 4 };

/* The files that the source includes (launch_includes.c). */
enum ws_status ws_program_includes(const struct ws_program *p, ws_file_visit *visit, void *context,
				   struct ws_err *err) WS_MUST_CHECK;

struct ws_declaration { /* a buffer as written; init "" is zero */
	const char *name, *type, *count, *init;
	const char *base; /* the file that paths are relative to */
	int line;
};

enum ws_status ws_program_add_buffer(struct ws_program *p, const struct ws_declaration *d,
				     const struct ws_text_place *at,
				     struct ws_err *err) WS_MUST_CHECK;
/* name: the parameter that it is to be; NULL: not said. */
enum ws_status ws_launch_add_arg(struct ws_launch_spec *l, const char *name, const char *text,
				 const struct ws_text_place *at, struct ws_err *err) WS_MUST_CHECK;

struct ws_check_text { /* value: FILE and perhaps a separator and a tolerance; cut up */
	const char *buffer;
	char *value;
	char separator;
	const char *base;
	int line;
};

enum ws_status ws_program_add_check(struct ws_program *p, const struct ws_check_text *c,
				    const struct ws_text_place *at,
				    struct ws_err *err) WS_MUST_CHECK;

/* ---- build options (launch_build.c) ---- */

#define WS_BUILD_WORDS_MAX 256u

struct ws_build_source {	/* who wrote them */
	const char *file;	/* a launch file: folders of headers are relative to its folder, and
				 * below it; NULL: any, relative to the current folder */
	bool lenient;		/* what is not let through is dropped, not an error */
	bool cuda;		/* they are of a CUDA source */
};

struct ws_build {		/* what clang is given */
	char **word;		/* each begins with '-' */
	size_t words, cap;
	bool standard;		/* the text names one; else the last word does */
	struct ws_buf dropped;	/* options left out, blanks between, no NUL */
};

/* WS_EINVAL quotes the option and says which there are.  On failure *b is empty. */
enum ws_status ws_build_parse(struct ws_build *b, const char *text,
			      const struct ws_build_source *from, struct ws_err *err) WS_MUST_CHECK;
void ws_build_clear(struct ws_build *b);

/* ---- elements in host memory (launch_elem.c) ---- */

bool ws_elem_is_float(enum ws_elem e);
bool ws_elem_is_signed(enum ws_elem e);
uint64_t ws_elem_max(enum ws_elem e); /* integers; the least is 0 or -max-1 */
void ws_elem_store_int(uint8_t *to, enum ws_elem e, uint64_t value); /* its low bytes */
void ws_elem_store_float(uint8_t *to, enum ws_elem e, double value);
uint64_t ws_elem_load_int(const uint8_t *from, enum ws_elem e);	/* sign-extended */
double ws_elem_load_double(const uint8_t *from, enum ws_elem e); /* of any type */

uint16_t ws_half_bits(double value);	/* to nearest, ties to even */
double ws_half_of(uint16_t bits);

/* Components an element takes in memory: its lanes, and 4 for 3. */
static inline unsigned ws_buffer_stride(const struct ws_buffer *b)
{
	return b->lanes == 3 ? 4 : b->lanes;
}

/* A loop: to points at each component in order of memory, padding left out. */
#define WS_EACH_COMPONENT(b, to)                                                               \
	for (uint64_t element_ = 0; element_ < (b)->count; element_++)                         \
		for (uint8_t *to = (b)->host + element_ * ws_buffer_stride(b) *                \
					       ws_elem_bytes[(b)->elem],                       \
			     *end_ = to + (size_t)(b)->lanes * ws_elem_bytes[(b)->elem];       \
		     to < end_; to += ws_elem_bytes[(b)->elem])

/* ---- images (image.c) ---- */

/* "image2d:rgba:float" or "image2d:rgba:float:block-linear", and "64x48".  False: neither. */
bool ws_is_image(const char *type);
enum ws_status ws_image_parse(struct ws_buffer *b, const char *type, const char *size,
			      const struct ws_text_place *at, struct ws_err *err) WS_MUST_CHECK;
/* Bytes of a texel; 0: no format that is supported. */
uint32_t ws_texel_bytes(uint32_t order, uint32_t type);
/* Its kernel parameter's type, "image2d_t". */
const char *ws_image_type(enum ws_image_shape shape);
/* Where byte `offset` of its rows is on the device. */
uint64_t ws_image_place(const struct ws_image *m, uint64_t offset);
uint64_t ws_image_bytes(const struct ws_image *m); /* on the device */
/* Bytes of device memory. */
uint64_t ws_buffer_span(const struct ws_buffer *b);
/* "sampler:linear:clamp:normalized" as OpenCL C's bits; false if it is none. */
bool ws_sampler_parse(const char *text, uint32_t *bits);

/* ---- contents (launch_init.c, launch_graph.c, fill.c) ---- */

enum ws_init_kind {
	WS_INIT_ZERO, WS_INIT_IOTA, WS_INIT_CONSTANT, WS_INIT_RANDOM, WS_INIT_PATH,
	WS_INIT_CSR_ROWS, WS_INIT_CSR_COLUMNS, WS_INIT_ROAD_ROWS, WS_INIT_ROAD_COLUMNS,
	WS_INIT_KINDS,
};

#define WS_LANES_MAX 16u
#define WS_ELEM_BYTES_MAX 8u

struct ws_init {
	enum ws_init_kind kind;
	uint8_t value[WS_LANES_MAX * WS_ELEM_BYTES_MAX]; /* constant: one element */
	uint64_t low, span;	/* random integers: low + [0, span); 0 is 2^64 */
	double from, to;	/* random floats: [from, to) */
	uint64_t seed, nodes, edges; /* edges: entries of the rows together */
	uint64_t width, grid_edges;  /* of a grid, 0 of others; its edges, missing ones too */
	bool symmetric, uniform;     /* a graph: edges in both rows; all edges alike probable */
	bool columns;		     /* a graph: its columns, not its rows */
	const char *path;	/* in the buffer's init */
};

/* Is b->init a known initialiser with good arguments for this buffer, the
 * number-th (from 0) of its program?  Reads no file. */
enum ws_status ws_init_parse(struct ws_init *init, const struct ws_buffer *b, size_t number,
			     const struct ws_text_place *at, struct ws_err *err) WS_MUST_CHECK;
struct ws_edges { /* of the graph that was drawn last; NULL: none.  The caller frees them. */
	uint64_t *edge;
	struct ws_init of;
};
enum ws_status ws_graph_fill(struct ws_buffer *b, const struct ws_init *init,
			     struct ws_edges *last, struct ws_err *err) WS_MUST_CHECK;
/* Host memory, zero, with an unreadable page before and after it. */
enum ws_status ws_buffer_map(struct ws_buffer *b, struct ws_err *err) WS_MUST_CHECK;
void ws_buffer_unmap(struct ws_buffer *b);

#endif
