/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * machine/vary.c -- ranges of a key, and the machines of their product.
 *
 *   key=a,b,c          these values; any type of key; cut at every comma
 *   key=lo:hi:+step    lo, lo + step, ... up to hi; numbers and sizes
 *   key=lo:hi:xfactor  lo, lo * factor, ... up to hi
 *
 * Every value is tried on the key when the range is read, so a sweep does not
 * fail half-way for a value that no machine could have.  Numbers are kept in
 * plain decimal ("8K" as 8192), which is what tables show.  A colon makes a range of
 * numbers alone: names may have them.  Names that have commas of their own, as policies with
 * several parameters, are put together again by who knows the names (cli/policies.c).
 */
#include "machine/private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define VALUES_MAX 1000000u
#define VALUE_MAX (2 * WS_NAME_MAX)

struct value_range {
	uint64_t low, high, by;
	bool times;
};

static bool is_number(const struct ws_key *key)
{
	return key->type == WS_KEY_U64 || key->type == WS_KEY_SIZE;
}

static bool parse_number(const struct ws_key *key, const char *text, uint64_t *value)
{
	return key->type == WS_KEY_SIZE ? ws_parse_size(text, value) : ws_parse_u64(text, value);
}

static enum ws_status too_many(const struct ws_vary *v, struct ws_err *err)
{
	return ws_fail(err, WS_EINVAL, "%s has more values than can be varied: want at most %u",
		       v->key->name, VALUES_MAX);
}

/* Adds one value in the form that ws_machine_get gives. */
static enum ws_status add_value(struct ws_vary *v, size_t *cap, const char *text,
				struct ws_err *err)
{
	struct ws_machine scratch;
	char *copy, plain[VALUE_MAX];
	enum ws_status status;

	if (v->count == VALUES_MAX)
		return too_many(v, err);
	memset(&scratch, 0, sizeof scratch);
	status = ws_machine_set_key(&scratch, v->key, text, err);
	if (status != WS_OK)
		return status;
	ws_machine_get(&scratch, v->key, plain, sizeof plain);
	copy = WS_ROOM(v->value, *cap, v->count + 1) ? ws_strdup(plain) : NULL;
	if (!copy)
		return ws_fail_memory(err, "the values of a range");
	v->value[v->count++] = copy;
	return WS_OK;
}

static enum ws_status add_list(struct ws_vary *v, const char *values, struct ws_err *err)
{
	enum ws_status status = WS_OK;
	size_t cap = 0;

	for (const char *p = values; status == WS_OK; p++) {
		size_t len = strcspn(p, ",");
		char item[VALUE_MAX];

		if (len >= sizeof item)
			return ws_key_refuse(NULL, v->key, p, err);
		memcpy(item, p, len);
		item[len] = '\0';
		status = add_value(v, &cap, item, err);
		p += len;
		if (!*p)
			break;
	}
	return status;
}

static enum ws_status bad_range(const struct ws_vary *v, const char *values, struct ws_err *err)
{
	char shown[64];

	return ws_fail(err, WS_EINVAL, "%s=%s: want LOW:HIGH:+STEP or LOW:HIGH:xFACTOR with "
		       "LOW <= HIGH, STEP 1 or more, FACTOR 2 or more", v->key->name,
		       ws_shown(values, shown, sizeof shown));
}

static bool parse_range(const struct ws_key *key, const char *values, struct value_range *r)
{
	char text[VALUE_MAX], *high, *by;

	if (strlen(values) >= sizeof text)
		return false;
	memcpy(text, values, strlen(values) + 1);
	high = strchr(text, ':');
	by = high ? strchr(high + 1, ':') : NULL;
	if (!by)
		return false;
	*high++ = *by++ = '\0';
	r->times = *by == 'x';
	if ((*by != '+' && *by != 'x') || !parse_number(key, text, &r->low) ||
	    !parse_number(key, high, &r->high))
		return false;
	if (r->times ? !ws_parse_u64(by + 1, &r->by) : !parse_number(key, by + 1, &r->by))
		return false;
	/* From zero, multiplying leads nowhere. */
	return r->low <= r->high && r->by > r->times && !(r->times && r->low == 0);
}

static enum ws_status add_range(struct ws_vary *v, const char *values, struct ws_err *err)
{
	enum ws_status status = WS_OK;
	struct value_range r;
	size_t cap = 0;

	if (!parse_range(v->key, values, &r))
		return bad_range(v, values, err);
	if (!r.times && (r.high - r.low) / r.by >= VALUES_MAX)
		return too_many(v, err);
	for (uint64_t value = r.low; status == WS_OK;) {
		char text[24];

		snprintf(text, sizeof text, "%" PRIu64, value);
		status = add_value(v, &cap, text, err);
		if (r.times ? value > r.high / r.by : r.by > r.high - value)
			break;
		value = r.times ? value * r.by : value + r.by;
	}
	return status;
}

enum ws_status ws_vary_parse(struct ws_vary *v, const char *spec, struct ws_err *err)
{
	const char *equals = strchr(spec, '=');
	char name[WS_NAME_MAX], shown[64];
	enum ws_status status;

	*v = (struct ws_vary){ .key = NULL };
	if (!equals || !equals[1])
		return ws_fail(err, WS_EINVAL, "'%s': want KEY=A,B,C, KEY=LOW:HIGH:+STEP or "
			       "KEY=LOW:HIGH:xFACTOR", ws_shown(spec, shown, sizeof shown));
	if ((size_t)(equals - spec) >= sizeof name)
		return ws_key_unknown(spec, err);
	memcpy(name, spec, (size_t)(equals - spec));
	name[equals - spec] = '\0';
	v->key = ws_key_find(name);
	if (!v->key)
		return ws_key_unknown(name, err);
	status = is_number(v->key) && strchr(equals, ':') ? add_range(v, equals + 1, err) :
							   add_list(v, equals + 1, err);
	if (status != WS_OK)
		ws_vary_clear(v);
	return status;
}

void ws_vary_clear(struct ws_vary *v)
{
	for (size_t i = 0; i < v->count; i++)
		free(v->value[i]);
	free(v->value);
	*v = (struct ws_vary){ .key = NULL };
}

uint64_t ws_vary_product(const struct ws_vary *v, size_t n)
{
	uint64_t product = 1;

	for (size_t i = 0; i < n; i++) {
		if (v[i].count == 0)
			return 0;
		if (product > UINT64_MAX / v[i].count)
			product = UINT64_MAX;
		else
			product *= v[i].count;
	}
	return product;
}

enum ws_status ws_vary_machine(const struct ws_machine *base, const struct ws_vary *v, size_t n,
			       uint64_t i, struct ws_machine *out, struct ws_err *err)
{
	return ws_vary_machine_like(base, NULL, v, n, i, out, err);
}

enum ws_status ws_vary_set(const struct ws_machine *base, const struct ws_vary *v, size_t n,
			   uint64_t i, struct ws_machine *out, struct ws_err *err)
{
	enum ws_status status;

	*out = *base;
	for (size_t k = n; k-- > 0; i /= v[k].count) {
		for (size_t j = 0; j < k; j++) {
			if (v[j].key == v[k].key)
				return ws_fail(err, WS_EINVAL, "%s is varied twice: want one "
					       "range for a key", v[k].key->name);
		}
		status = ws_machine_set_key(out, v[k].key, v[k].value[i % v[k].count], err);
		if (status != WS_OK)
			return status;
	}
	return WS_OK;
}

enum ws_status ws_vary_machine_like(const struct ws_machine *base, const struct ws_machine *like,
				    const struct ws_vary *v, size_t n, uint64_t i,
				    struct ws_machine *out, struct ws_err *err)
{
	enum ws_status status = ws_vary_set(base, v, n, i, out, err);

	return status == WS_OK ? ws_machine_check_like(out, like, err) : status;
}
