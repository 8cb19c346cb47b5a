/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * base/base.h -- what every room needs; nothing here is about caches.
 *
 * Errors, numbers, random numbers, byte buffers, checksummed blocks, files, threads, option tables,
 * result tables, progress.
 *
 * Functions that can fail return enum ws_status; 0 is success.  The last
 * parameter, struct ws_err *err, may be NULL; on failure it receives one
 * sentence (the first failure wins), on success it is untouched.
 * The library never exits or aborts, and prints nothing unasked: tables go to the
 * file they are given, progress (ws_progress) to a terminal, a captured kernel's
 * printf to standard error.
 */
#ifndef WS_BASE_H
#define WS_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#if defined(__GNUC__)
#define WS_MUST_CHECK __attribute__((warn_unused_result))
#define WS_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#define WS_COLD __attribute__((cold)) /* code that leads to such a call is moved off the hot path */
#else
#define WS_COLD
#define WS_MUST_CHECK
#define WS_PRINTF(fmt, args)
#endif

/* A public header declares its functions between these two: as C, also in C++, and exported from
 * the shared library, which is built with -fvisibility=hidden. */
#if defined(__GNUC__)
#define WS_VISIBLE_BEGIN _Pragma("GCC visibility push(default)")
#define WS_VISIBLE_END _Pragma("GCC visibility pop")
#else
#define WS_VISIBLE_BEGIN
#define WS_VISIBLE_END
#endif
#ifdef __cplusplus
#define WS_API_BEGIN extern "C" { WS_VISIBLE_BEGIN
#define WS_API_END WS_VISIBLE_END }
#else
#define WS_API_BEGIN WS_VISIBLE_BEGIN
#define WS_API_END WS_VISIBLE_END
#endif

#define WS_VERSION "0.2.0"
#define WS_COUNT(array) (sizeof(array) / sizeof((array)[0]))

WS_API_BEGIN

/* The version of the library in use.  WS_VERSION is that of the headers. */
const char *ws_version(void);

/* ---- errors ---------------------------------------------------------- */

enum ws_status {
	WS_OK = 0,
	WS_EINVAL,	/* a value out of range or a name unknown: usage */
	WS_EFORMAT,	/* input malformed; the message has file and place */
	WS_EINPUT,	/* input missing or unreadable */
	WS_EIO,		/* a write or another system call failed */
	WS_ENOMEM,
	WS_ENOCONV,	/* a solver did not converge */
};

/* What would help.  Messages name it in the library's words; a program can name it in its own, as
 * an option. */
enum ws_remedy {
	WS_REMEDY_NONE,
	WS_REMEDY_KEYS,		/* one of machine.h's ws_keys */
	/* A profile (stackdist.h) with: */
	WS_REMEDY_DETAIL,	/* WS_RECORD_DETAIL and WS_RECORD_SITES, of all lines */
	WS_REMEDY_CHUNKS,	/* WS_RECORD_CHUNKS */
	WS_REMEDY_WINDOWS,	/* and grain_period, the number the message ends with */
	WS_REMEDY_L2,		/* filter: the L2 behind its L1s */
	WS_REMEDY_SIMULATE,	/* ws_simulate: there is no model */
	WS_REMEDY_CHOOSE,	/* ws_machine_set: one of the alternatives */
	WS_REMEDY_KERNEL,	/* its name, and how many threads */
	WS_REMEDY_ARGUMENT,	/* ws_program_arg: what the message ends with */
	WS_REMEDY_KERNEL_TIME,	/* more seconds, in struct ws_capture_options */
	WS_REMEDIES,
};

struct ws_err {
	enum ws_status status;
	char text[1024];
	enum ws_remedy remedy;
	char more[2048];	/* lines below the text, each with its '\n': a compiler's, with the
				 * source; "" */
};

/* Sets *err (unless it already holds a failure) and returns status. */
enum ws_status ws_fail(struct ws_err *err, enum ws_status status,
		       const char *fmt, ...) WS_COLD WS_PRINTF(3, 4);
/* WS_EINVAL with a remedy. */
enum ws_status ws_fail_remedy(struct ws_err *err, enum ws_remedy remedy,
			      const char *fmt, ...) WS_COLD WS_PRINTF(3, 4);
/* The failure *why, remedy and all. */
enum ws_status ws_fail_as(struct ws_err *err, const struct ws_err *why) WS_COLD;
/* WS_ENOMEM.  what is what the memory was for: "a lane buffer". */
enum ws_status ws_fail_memory(struct ws_err *err, const char *what) WS_COLD;
/* The status of an input that could not be opened or read, by errno.  WS_EIO: memory, descriptors
 * or disk space are exhausted, or the descriptor is closed.  Otherwise WS_EINPUT. */
enum ws_status ws_input_status(int error);
/* The command line's exit code: 0; 2 EINVAL; 3 EFORMAT, EINPUT; else 4. */
int ws_exit_code(enum ws_status status);

/* ---- numbers and names ------------------------------------------------ */

/* The whole string must be one number: decimal or 0x hexadecimal, no sign.
 * False, *value untouched, on anything else or on overflow. */
bool ws_parse_u64(const char *text, uint64_t *value);
/* The same with an optional K, M, G, KB, MB, GB, KiB, MiB, GiB (all powers of 1024), or B. */
bool ws_parse_size(const char *text, uint64_t *value);
/* As ws_parse_u64, with an optional minus. */
bool ws_parse_i64(const char *text, int64_t *value);
/* A finite number; hexadecimal floats too. */
bool ws_parse_double(const char *text, double *value);
/* Index of the name that word is a letter off (another, more, fewer, or two swapped), else of the
 * shortest whose first word begins with it, else of that nearest to it, at most a third of its
 * letters off, or -1: for "did you mean".  name(i) gives the i-th name. */
int ws_nearest_name(const char *word, size_t count,
		    const char *(*name)(size_t i, const void *context),
		    const void *context);

static inline bool ws_is_pow2(uint64_t x)
{
	return x != 0 && (x & (x - 1)) == 0;
}

static inline unsigned ws_log2(uint64_t x) /* floor; x > 0 */
{
#if defined(__GNUC__)
	return 63u - (unsigned)__builtin_clzll(x | 1);
#else
	unsigned bits = 0;

	while (x >>= 1)
		bits++;
	return bits;
#endif
}

static inline unsigned ws_lowest_bit(uint64_t x) /* its index; x > 0 */
{
#if defined(__GNUC__)
	return (unsigned)__builtin_ctzll(x);
#else
	return ws_log2(x & (0 - x));
#endif
}

static inline unsigned ws_popcount(uint64_t x)
{
#if defined(__POPCNT__) || defined(__aarch64__)
	return (unsigned)__builtin_popcountll(x);
#else /* the compiler would call a function */
	x -= x >> 1 & 0x5555555555555555u;
	x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
	x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
	return (unsigned)(x * 0x0101010101010101u >> 56);
#endif
}

/* ---- random numbers: xoshiro256** seeded by splitmix64 ----------------
 * Blackman and Vigna 2018.  The same seed gives the same numbers everywhere.
 */
struct ws_rng {
	uint64_t s[4];
};

void ws_rng_seed(struct ws_rng *rng, uint64_t seed);
uint64_t ws_rng_u64(struct ws_rng *rng);
uint64_t ws_rng_below(struct ws_rng *rng, uint64_t bound); /* unbiased; bound > 0 */
double ws_rng_double(struct ws_rng *rng);		   /* [0, 1) */
void ws_rng_doubles(struct ws_rng *rng, double *to, size_t count); /* as many of those */

/* ---- growing arrays ----------------------------------------------------
 * WS_ROOM(array, cap, need): grows array to hold need elements.  array is a pointer variable, cap a
 * size_t variable; array may be NULL if cap is 0.  Capacity doubles; new elements are not cleared.
 * False: out of memory, and nothing has changed.  O(1) amortised per element; free(array) ends it.
 */
#define WS_ROOM(array, cap, need) ws_room(&(array), &(cap), (need), sizeof *(array))
bool ws_grow(void *array, size_t *cap, size_t need, size_t size);
/* array: the address of the pointer. */
static inline bool ws_room(void *array, size_t *cap, size_t need, size_t size)
{
	return need <= *cap || ws_grow(array, cap, need, size);
}
/* malloc/calloc of count elements with the product checked; NULL if it overflows or memory is out,
 * never because count is 0.  Caller frees. */
void *ws_alloc(size_t count, size_t size);
void *ws_alloc_zero(size_t count, size_t size);
char *ws_strdup(const char *text);

/* ---- byte buffers: little-endian, LEB128 variable-length integers -------
 * Writing never fails visibly: a failed allocation sets .failed, which is checked once at the end.
 * Reading never passes the end: a short or malformed value sets .bad and yields 0.  A text for
 * which there is no memory sets .no_memory as well.
 */
struct ws_buf {
	uint8_t *data;
	size_t len, cap;
	bool failed;
};

void ws_buf_clear(struct ws_buf *buf); /* frees; the struct can be used again */
void ws_put_bytes(struct ws_buf *buf, const void *data, size_t len);
void ws_put_u8(struct ws_buf *buf, uint8_t value);
void ws_put_u32(struct ws_buf *buf, uint32_t value); /* fixed 4 bytes */
void ws_put_u64(struct ws_buf *buf, uint64_t value); /* fixed 8 bytes */
void ws_put_var(struct ws_buf *buf, uint64_t value); /* 1..10 bytes */
void ws_put_str(struct ws_buf *buf, const char *text); /* length, bytes */
void ws_put_printf(struct ws_buf *buf, const char *fmt, ...) WS_PRINTF(2, 3); /* without a NUL */

struct ws_cursor {
	const uint8_t *p, *end;
	bool bad, no_memory;
};

uint8_t ws_get_u8(struct ws_cursor *c);
uint32_t ws_get_u32(struct ws_cursor *c);
uint64_t ws_get_u64(struct ws_cursor *c);
uint64_t ws_get_var(struct ws_cursor *c);
const uint8_t *ws_get_bytes(struct ws_cursor *c, size_t len); /* NULL if short */
/* A string of at most max bytes without NUL inside, allocated; caller frees.
 * NULL sets .bad. */
char *ws_get_str(struct ws_cursor *c, size_t max);
/* A count of things that take at least size bytes each in what is left:
 * refuses counts that the input cannot hold, so no absurd allocation. */
uint64_t ws_get_count(struct ws_cursor *c, size_t size);

/* ---- files --------------------------------------------------------------
 * Input is a whole file as read-only memory: mapped if it is a regular file, else (a pipe, standard
 * input) copied to an unnamed temporary file first, of whatever size.  path NULL or "-" is standard
 * input.  If another program truncates a mapped file, reading it raises SIGBUS.  The command line
 * tool catches that.
 */
/* Called for each file that another file names; the first failure ends the visits. */
typedef enum ws_status ws_file_visit(void *context, const char *path, struct ws_err *err);

struct ws_in {
	const uint8_t *data;
	size_t len;
	char *name;	/* for messages: the path, or "(standard input)" */
	void *map;	/* private */
};

enum ws_status ws_in_open(struct ws_in *in, const char *path,
			  struct ws_err *err) WS_MUST_CHECK;
/* Its first len bytes are not needed soon: they need not stay in memory.  They stay readable. */
void ws_in_leave(const struct ws_in *in, size_t len);
void ws_in_close(struct ws_in *in); /* a cleared struct is fine */

/* An output replaces the file of its name when it is complete, or not at all.  It goes to an
 * unnamed file in the same folder, or to ".warpstack-XXXXXXXX"; ws_out_commit writes that to disk
 * and renames it, ws_out_abort drops it.  A new file keeps mode and owner of the old one.  A
 * symbolic link stays, and the file it leads to is replaced.  path NULL or "-" is standard output.
 * What is no regular file (/dev/full, a pipe) and open descriptors (/dev/stdout, /dev/fd/3) are
 * written in place. */
struct ws_out_target;
struct ws_out {
	FILE *file;
	char *path;		/* as given; NULL for standard output */
	uint64_t offset;	/* bytes written so far */
	bool failed;
	int why;		/* errno, if it has failed */
	bool no_sync;		/* set between open and commit: does not wait for the disk, so a
				 * power cut may leave an empty file */
	struct ws_out_target *target; /* private; NULL: written in place */
};

enum ws_status ws_out_open(struct ws_out *out, const char *path,
			   struct ws_err *err) WS_MUST_CHECK;
void ws_out_write(struct ws_out *out, const void *data, size_t len); /* errors show at commit */
enum ws_status ws_out_commit(struct ws_out *out, struct ws_err *err) WS_MUST_CHECK;
/* Completes the file; ws_out_commit then only renames it.  For files that are replaced together or
 * not at all.  A file written in place is flushed. */
enum ws_status ws_out_settle(struct ws_out *out, struct ws_err *err) WS_MUST_CHECK;
/* The same, and closes the descriptor.  For very many files. */
enum ws_status ws_out_park(struct ws_out *out, struct ws_err *err) WS_MUST_CHECK;
void ws_out_abort(struct ws_out *out); /* after commit: nothing */
/* Whether outputs to these two paths would replace the same file, through links and other spellings
 * too. */
bool ws_out_same(const char *a, const char *b);

/* A file without a name in $TMPDIR (or /tmp), to be written and read. */
enum ws_status ws_temporary_fd(int *fd, struct ws_err *err) WS_MUST_CHECK;
/* A folder there, for files of other programs.  *path is allocated, NULL after a failure; the
 * caller empties the folder, removes it and frees the path. */
enum ws_status ws_temporary_folder(char **path, struct ws_err *err) WS_MUST_CHECK;
/* Such a file as an output, to be written and then read; ws_out_abort ends it. */
enum ws_status ws_out_temporary(struct ws_out *out, struct ws_err *err) WS_MUST_CHECK;
/* The bytes written to *out, as an input that outlives it.  name is for messages. */
enum ws_status ws_in_written(struct ws_in *in, struct ws_out *out, const char *name,
			     struct ws_err *err) WS_MUST_CHECK;

/* A path that the file `by` names (NULL: none does), from where that file is; allocated. */
char *ws_path_beside(const char *by, const char *path);
/* The full path of a data file ("machine/gtx480.conf"), allocated, or NULL if
 * it is nowhere (errno is ENOENT) or memory is out (ENOMEM).  Looked for in
 * $WARPSTACK_DATA, beside the executable (../share/warpstack, and ../../data in a
 * source tree), in the compiled-in data directory. */
char *ws_data_path(const char *relative);
/* The existing ones of these directories, at most max.  Each is allocated; caller frees.  NULL
 * stands for one for which there was no memory. */
size_t ws_data_dirs(char **dirs, size_t max);

/* ---- checksummed blocks ---------------------------------------------------
 * The container of traces and profiles:
 *
 *   file   = magic (8 bytes)  u32 version  u32 0  block*
 *   block  = u32 type  u32 crc  u64 packed_len  u64 raw_len  packed bytes
 *
 * Integers little-endian; type is four letters; packed bytes are one zstd frame of raw_len bytes;
 * crc is zlib's CRC-32 of type, packed_len, raw_len and the packed bytes, in this order.
 */
#define WS_BLOCK_TYPE(a, b, c, d) \
	((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)
#define WS_BLOCK_HEADER 24u		/* bytes before the packed bytes */
#define WS_BLOCK_MAX (1ull << 31)	/* every raw_len is below it */

void ws_blocks_begin(struct ws_out *out, const char magic[8], uint32_t version);
/* Packs data[len] as a complete block (header included) onto *packed; may run
 * in any thread.  WS_EINVAL unless len < WS_BLOCK_MAX. */
enum ws_status ws_block_pack(struct ws_buf *packed, uint32_t type,
			     const void *data, size_t len,
			     struct ws_err *err) WS_MUST_CHECK;
/* The same bytes, with a compressor that one thread keeps from block to block: short blocks take a
 * tenth of the time.  NULL: keeps none. */
struct ws_packer;
enum ws_status ws_packer_new(struct ws_packer **out, struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_packer_block(struct ws_packer *p, struct ws_buf *packed, uint32_t type,
			       const void *data, size_t len, struct ws_err *err) WS_MUST_CHECK;
void ws_packer_free(struct ws_packer *p);
/* Checks magic and version (1..max_version). *offset: the first block. */
enum ws_status ws_blocks_check(const struct ws_in *in, const char magic[8],
			       uint32_t max_version, uint64_t *offset,
			       struct ws_err *err) WS_MUST_CHECK;

struct ws_block {
	uint32_t type, crc;
	uint64_t offset, next;	/* of its header, of the block after it */
	uint64_t packed_len, raw_len;
	const uint8_t *packed;
};

/* Reads the header at offset; the packed bytes are known to be there.
 * WS_EFORMAT names the file and the offset.  offset == in->len is an error:
 * a complete file has a last block that the format knows. */
enum ws_status ws_block_at(const struct ws_in *in, uint64_t offset,
			   struct ws_block *block, struct ws_err *err) WS_MUST_CHECK;
/* Verifies and unpacks into *raw (replaced).  Any thread. */
enum ws_status ws_block_unpack(const struct ws_in *in, const struct ws_block *block,
			       struct ws_buf *raw, struct ws_err *err) WS_MUST_CHECK;

/* ---- threads ----------------------------------------------------------------
 * Runs work(context, i, thread) for i in 0..count-1 on up to threads threads (0: all cores; the
 * caller's is one of them), thread in 0..threads-1.  Items are taken in order; the first failure by
 * index is returned and stops taking new ones.  Results must not depend on the thread.
 */
typedef enum ws_status ws_work(void *context, size_t i, unsigned thread,
			       struct ws_err *err);
enum ws_status ws_parallel(unsigned threads, size_t count, ws_work *work,
			   void *context, struct ws_err *err) WS_MUST_CHECK;
unsigned ws_threads(unsigned asked); /* what 0 means here; at least 1 */

/* ---- option tables --------------------------------------------------------
 * One table per command drives the parser, --help, the man page and shell
 * completion.  A table ends with {0}.
 */
enum ws_option_type {
	WS_OPT_FLAG,	/* bool */
	WS_OPT_STRING,	/* const char * */
	WS_OPT_U64,	/* uint64_t, size suffixes allowed */
	WS_OPT_REAL,	/* double */
	WS_OPT_LIST,	/* struct ws_list: may be repeated */
	WS_OPT_CHOICE,	/* const char *, one of choices (space-separated) */
};

struct ws_list {
	const char **item; /* pointers into argv: not the list's */
	size_t count, cap;
};

#define WS_OPT_WORD (-1.0)

struct ws_option {
	const char *name;	/* without the dashes */
	char letter;		/* short form, or 0 */
	enum ws_option_type type;
	size_t offset;		/* in the command's struct of options */
	const char *arg;	/* name of the argument in help: "FILE" */
	const char *choices;	/* "tsv csv json"; completion uses it; of WS_OPT_REAL: words in
				 * place of a number, WS_OPT_WORD */
	const char *complete;	/* what completion offers: "file", "machine", "key", "figure",
				 * NULL */
	const char *brief;	/* a few words for a short help; NULL: not in it */
	const char *group;	/* its heading in a long help; NULL: the command's own */
	const char *help;	/* one or two sentences, no final newline */
	uint64_t min, max;	/* WS_OPT_U64; both 0: any */
	double above, most;	/* WS_OPT_REAL: above < value <= most; both 0: any */
};

/* Parses argv[1..argc-1] against all tables into base (each table's
 * offsets are relative to it).  Options and operands may be mixed; "--" ends
 * options; --name=value, --name value, -nvalue, -n value.  What is neither a list nor a
 * flag is given once.  Operands are
 * gathered in *operands.  --help is not special here: put it in a table. */
enum ws_status ws_options_parse(const struct ws_option *const tables[], size_t ntables,
				void *base, int argc, char **argv,
				struct ws_list *operands,
				struct ws_err *err) WS_MUST_CHECK;
void ws_list_clear(struct ws_list *list); /* frees the list, not what it points to */
bool ws_list_add(struct ws_list *list, const char *item); /* false: memory is out */

/* ---- result tables ----------------------------------------------------------
 * Rows of typed cells.  A schema describes and numbers the columns; a table has some of them.  The
 * cells of a row are set by column number, in any order, each at most once.  A cell that is not set
 * is missing; one of a column that the table does not have is dropped.
 */
enum ws_format {
	WS_TSV, WS_CSV,		/* missing: empty */
	WS_JSON,		/* an object a line; missing: null */
	WS_MARKDOWN,		/* for people, as WS_ALIGNED, of any width */
	WS_ALIGNED,		/* columns for a terminal */
};
bool ws_format_parse(const char *name, enum ws_format *format); /* tsv csv json md table */

enum ws_column_type {
	WS_COLUMN_TEXT, WS_COLUMN_COUNT, WS_COLUMN_REAL,
	WS_COLUMN_ANY,		/* a number or a text, row by row */
};
extern const char *const ws_column_types[]; /* "text", "count", "real", "any" */

struct ws_column {
	const char *name;
	const char *unit;	/* "bytes"; NULL: none */
	enum ws_column_type type;
	int decimals;		/* of a real in tsv and csv; -1: as many as read back as the same */
	unsigned brief;		/* formats for people drop the columns of the highest number first
				 * where space is short; 0: shown only if asked for */
	const char *meaning;	/* a sentence without its full stop */
	const char *formula;	/* of columns, numbers, + - * / ( ) and |x|, as far as a
				 * semicolon; NULL: none */
	const char *when;	/* when it has a value; NULL: always */
};

struct ws_field {		/* a column of a table */
	unsigned id;
	const struct ws_column *column; /* outlives the table */
};

struct ws_table_options {
	enum ws_format format;
	const char *columns;	/* "a,b": these; "+a": the usual ones and a; "all"; NULL: the
				 * usual */
	const char *sort;	/* "a,b:desc"; NULL: as they come.  Keeps the rows in memory */
	const struct ws_list *where; /* "a<0.3": all must hold; NULL: none */
	uint64_t top;		/* the first so many rows; 0: all */
	bool remarks;		/* writes remarks too */
	const char *others;	/* aligned: how to see the columns that did not fit; NULL: nothing
				 * is said.  It outlives the table */
	const char *provenance;	/* the first of them; NULL: none */
	bool goes_on;		/* rows follow those of another table: no header */
};

struct ws_table;

/* Writes the header.  WS_EINVAL: columns, sort or where name what is not there. */
enum ws_status ws_table_new(struct ws_table **out, FILE *file, const struct ws_field *field,
			    size_t fields, const struct ws_table_options *o,
			    struct ws_err *err) WS_MUST_CHECK;
void ws_cell_str(struct ws_table *t, unsigned id, const char *text); /* NULL: missing */
void ws_cell_u64(struct ws_table *t, unsigned id, uint64_t value);
void ws_cell_f64(struct ws_table *t, unsigned id, double value); /* missing unless finite */
void ws_cell_ratio(struct ws_table *t, unsigned id, double part, double whole); /* of 0: missing */
/* Reports that there was no memory for a cell: ws_table_end fails. */
void ws_table_no_memory(struct ws_table *t);
void ws_row_end(struct ws_table *t);
/* A line after the rows; false if the format or the options leave it out. */
bool ws_table_remark(struct ws_table *t, const char *text);
/* Writes the rows and remarks that are still kept.  WS_ENOMEM: some of them are lost. */
enum ws_status ws_table_end(struct ws_table *t, struct ws_err *err) WS_MUST_CHECK;
/* Were there rows, and does `where` leave none of them? */
bool ws_table_all_left_out(const struct ws_table *t);
void ws_table_free(struct ws_table *t); /* NULL is fine */

/* ---- progress -----------------------------------------------------------------
 * A line on standard error, only if that is a terminal, it is not quiet and
 * two seconds have passed.
 */
struct ws_progress {
	const char *what;
	const char *of;		/* the part that is at hand, as a kernel; NULL */
	const char *hint;	/* what would be quicker, said while half a minute is left; NULL */
	uint64_t total, done;
	double start, shown;
	bool on;
};

void ws_progress_begin(struct ws_progress *p, const char *what, uint64_t total, bool quiet);
void ws_progress_step(struct ws_progress *p, uint64_t done);
void ws_progress_end(struct ws_progress *p);
double ws_seconds(void); /* monotonic clock */

WS_API_END
#endif
