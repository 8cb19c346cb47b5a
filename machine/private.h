/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * machine/private.h -- what the files of this room share.
 */
#ifndef WS_MACHINE_PRIVATE_H
#define WS_MACHINE_PRIVATE_H

#include "machine/machine.h"

/* hash.c: the set within a slice of so many sets, of an address there. */
uint64_t ws_hash_local(const struct ws_cache *cache, uint64_t local, uint64_t sets);
/* hash.c: hash->index, but for bits and matrix, by the number of the line; sets > 1. */
uint64_t ws_hash_line(const struct ws_hash *hash, uint64_t line, uint64_t sets);
/* hash.c: those that map every aligned run of `sets` lines one to one onto the sets, and do not
 * look at a line's size: by l2.slice-hash, in the order of ws_slice_hash_names. */
extern const struct ws_hash *const ws_slice_hashes[];

/* hash.c: is ipoly defined for so many sets, or slices? */
bool ws_has_ipoly(uint64_t sets);

/* log2 of a power of two in one instruction: hashes run once per request. */
static inline unsigned ws_exponent(uint64_t pow2)
{
	return ws_lowest_bit(pow2);
}

extern const char *const ws_slice_hash_names[]; /* slice.c; NULL-terminated */
/* WS_EINVAL: there is no such key; says which is nearest. */
enum ws_status ws_key_unknown(const char *name, struct ws_err *err);

/* organisation.c: false if it is none, or not of such a parameter. */
bool ws_organisation_parse(struct ws_organised *out, const char *text);
/* Sectors of 32 B, or back to what there were; whether the cache suits it. */
void ws_organisation_settle(struct ws_cache *cache);
enum ws_status ws_organisation_check(const struct ws_cache *cache, struct ws_err *err);

/* set_ways.c: "17+6x8" or the word for none; false: neither, or too long. */
bool ws_set_ways_parse(struct ws_set_ways *out, const char *text, const char *none);
/* Sizes, sets and ways of an L1 whose sets differ; they may have been given too, and agree. */
enum ws_status ws_set_ways_settle(struct ws_cache *cache, struct ws_err *err);
/* banks.c */
enum ws_status ws_front_check(const struct ws_machine *m, struct ws_err *err);
enum ws_status ws_pipeline_check(const struct ws_machine *m, struct ws_err *err);
enum ws_status ws_dram_check(const struct ws_machine *m, struct ws_err *err);
enum ws_status ws_tlb_check(const struct ws_machine *m, struct ws_err *err);

/* range.c: the error for a value of a key that is not what it should be.  value NULL: the
 * machine's own.  Texts are shown without what a terminal would obey. */
enum ws_status ws_key_refuse(const struct ws_machine *m, const struct ws_key *key,
			     const char *value, struct ws_err *err);
/* text without control characters and no longer than len - 1; returns out. */
const char *ws_shown(const char *text, char *out, size_t len);

/* value.c: the value that the machine has is in the key's range. */
enum ws_status ws_key_check(const struct ws_machine *m, const struct ws_key *key,
			    struct ws_err *err);
/* WS_GIVEN_SIZE, .._SETS, .._WAYS, .._LINE, WS_GIVEN_SECTOR for the keys of a cache's
 * geometry and *cache that cache; 0 for all others. */
unsigned ws_key_given(struct ws_machine *m, const struct ws_key *key, struct ws_cache **cache);

/* alternatives.c: the list "A|B|C" of a key that has none; and that it has one value again. */
enum ws_status ws_alternatives_keep(struct ws_machine *m, const struct ws_key *key,
				    const char *text, struct ws_err *err);
void ws_alternatives_forget(struct ws_machine *m, const struct ws_key *key);

/* geometry.c: settles size, sets, ways and line of one cache; prefix "l1". */
enum ws_status ws_geometry_settle(struct ws_cache *cache, uint64_t slices, const char *prefix,
				  struct ws_err *err);
/* ways = size / (sets * line), if that is a whole number; else nothing. */
bool ws_geometry_ways(struct ws_cache *cache, uint64_t slices);
void ws_geometry_set_line(struct ws_cache *cache, uint64_t line_bytes);

/* carveout.c: settles the L1 and the shared memory of an SM. */
enum ws_status ws_carveout_settle(struct ws_machine *m, struct ws_err *err);
/* value_text.c: where the value of a key is in a machine, and what it is: a number, a choice. */
const char *ws_key_at(const struct ws_machine *m, const struct ws_key *key);
uint64_t ws_key_number(const struct ws_machine *m, const struct ws_key *key);
unsigned ws_key_choice(const struct ws_machine *m, const struct ws_key *key);
/* value_text.c: what a number of a key stands for, if it is a word; else NULL. */
const char *ws_key_word(const struct ws_key *key, uint64_t value);
/* value_text.c: how many choices there are; how many bytes a text may take, with its NUL. */
size_t ws_key_choices(const char *const *choices);
size_t ws_key_room(const struct ws_key *key);

/* Reads the machine of that name that a file at depth - 1 is based on.  WS_EINVAL: it is not to be
 * had; all else is about its file, which the message names. */
typedef enum ws_status ws_base_load(struct ws_machine *m, const char *name, unsigned depth,
				    struct ws_err *err);
/* conf.c: as ws_machine_read; base: how a base is read, NULL: none may be named.  depth: how many
 * files are based on this one. */
enum ws_status ws_conf_read(struct ws_machine *m, const char *text, size_t len,
			    const char *name, unsigned depth, ws_base_load *base,
			    struct ws_err *err);

/* conf.c: "data/machine/gtx480.conf" -> "gtx480", in the characters of a name. */
void ws_machine_name(struct ws_machine *m, const char *path);

/* cache_string.c: the policy of a letter, NULL if it has none; the letter of a policy, or 0. */
const char *ws_gpgpusim_policy(char letter);
char ws_gpgpusim_letter(const char *policy);

/* machine/gpgpusim/read.c: is it one, and no .conf file? */
bool ws_gpgpusim_recognise(const char *text, size_t len);
/* machine/gpgpusim/read.c: ws_gpgpusim_read that follows -config. */
enum ws_status ws_gpgpusim_load(struct ws_machine *m, const char *text, size_t len,
				const char *path, struct ws_notes *notes,
				struct ws_err *err) WS_MUST_CHECK;
/* text.c: what is in a file, allocated, cut after WS_CONF_MAX + 1 bytes so that an endless file
 * ends; the second wants a regular file. */
enum ws_status ws_machine_file(const char *path, char **text, size_t *len,
			       struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_machine_regular_file(const char *path, char **text, size_t *len,
				       struct ws_err *err) WS_MUST_CHECK;

#define WS_BASE_DEPTH 8u	/* of files based on files */
#define WS_CONF_MAX (1u << 20)	/* bytes of a .conf file */

#endif
