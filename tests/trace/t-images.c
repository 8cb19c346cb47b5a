/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Captured kernels that read and write images, against tests/ref/image.h: random images of all
 * shapes, formats, address modes and filters, at random coordinates and at those on the edges of
 * texels.  Results and the addresses in the trace are compared.
 */
#include <unistd.h>

#include "tests/ref/image.h"
#include "tests/test.h"
#include "trace/capture/launch.h"

#define ITEMS 192u
#define LOCAL 32u
#define ROUNDS 2u
#define LAUNCHES 30u
#define TOLERANCE 4e-6 /* of a filter's sum in float: eight products of three factors */

static char folder[] = "/tmp/warpstack-test-XXXXXX";

static FILE *open_in(const char *name, const char *mode)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof path, "%s/%s", folder, name);
	f = fopen(path, mode);
	if (!f)
		abort();
	return f;
}

/* f, i, u: read with a sampler at float4 coordinates; fi: at int4; fn: without a sampler;
 * wf, wi, wu: written at int4. */
static const char source[] =
	"#define SAMPLED(NAME, T, READ, IMAGE, C, CI, ARG) \\\n"
	"kernel void f_##NAME(read_only IMAGE m, sampler_t s, global const float4 *c, global T##4 "
	"*o)\\\n"
	"{ size_t g = get_global_id(0); o[g] = READ(m, s, C(c[g])); } \\\n"
	"kernel void fi_##NAME(read_only IMAGE m, sampler_t s, global const int4 *c, global T##4 "
	"*o)\\\n"
	"{ size_t g = get_global_id(0); o[g] = READ(m, s, CI(c[g])); }\n"
	"#define PLAIN(NAME, T, READ, WRITE, IMAGE, CI) \\\n"
	"kernel void fn_##NAME(read_only IMAGE m, global const int4 *c, global T##4 *o)\\\n"
	"{ size_t g = get_global_id(0); o[g] = READ(m, CI(c[g])); } \\\n"
	"kernel void w_##NAME(write_only IMAGE m, global const int4 *c, global const T##4 *v)\\\n"
	"{ size_t g = get_global_id(0); WRITE(m, CI(c[g]), v[g]); }\n"
	"#define X(v) (v).x\n#define XY(v) (v).xy\n#define ALL(v) (v)\n"
	"#define SHAPE(NAME, IMAGE, C) KIND(NAME##_f, float, f, IMAGE, C) \\\n"
	"	KIND(NAME##_i, int, i, IMAGE, C) KIND(NAME##_u, uint, ui, IMAGE, C)\n"
	"#define KIND(NAME, T, K, IMAGE, C) SAMPLED(NAME, T, read_image##K, IMAGE, C, C, ) \\\n"
	"	PLAIN(NAME, T, read_image##K, write_image##K, IMAGE, C)\n"
	"#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable\n"
	"SHAPE(image1d, image1d_t, X) SHAPE(image1d_array, image1d_array_t, XY)\n"
	"SHAPE(image2d, image2d_t, XY) SHAPE(image2d_array, image2d_array_t, ALL)\n"
	"SHAPE(image3d, image3d_t, ALL)\n"
	"#undef KIND\n"
	"#define KIND(NAME, T, K, IMAGE, C) PLAIN(NAME, T, read_image##K, write_image##K, IMAGE, "
	"C)\n"
	"SHAPE(image1d_buffer, image1d_buffer_t, X)\n";

/* ---- a random launch --------------------------------------------------------------------- */

static const struct shape {
	const char *name;
	unsigned axes;
	bool layers, tiles;
} shapes[] = {
	{ "image2d", 2, false, true }, { "image1d", 1, false, false },
	{ "image1d_array", 1, true, false }, { "image2d_array", 2, true, true },
	{ "image3d", 3, false, true }, { "image1d_buffer", 1, false, false },
};
static const char *const orders[] = { "RGBA", "R", "RG", "BGRA", "A", "RA", "ARGB", "INTENSITY",
				      "LUMINANCE", "Rx", "RGx", "RGB", "RGBx" };
static const char *const types[] = {
	"FLOAT", "UNORM_INT8", "UNORM_INT16", "SNORM_INT8", "SNORM_INT16", "HALF_FLOAT",
	"SIGNED_INT8", "SIGNED_INT16", "SIGNED_INT32", "UNSIGNED_INT8", "UNSIGNED_INT16",
	"UNSIGNED_INT32", "UNORM_SHORT_565", "UNORM_SHORT_555", "UNORM_INT_101010",
};

enum form { SAMPLED, AT_INTEGERS, WITHOUT, WRITTEN, FORMS };

struct trial {
	const struct shape *shape;
	enum form form;
	struct ref_image image;
	struct ref_sampler sampler;
	bool tiled;
	float at[ITEMS][4];
	int texel[ITEMS][4];
	union {
		float f[4];
		int32_t i[4];
		uint32_t u[4];
	} value[ITEMS]; /* written */
};

static unsigned pick(struct ws_rng *rng, unsigned n)
{
	return (unsigned)ws_rng_below(rng, n);
}

static bool of_integers(const char *type)
{
	return strncmp(type, "SIGNED", 6) == 0 || strncmp(type, "UNSIGNED", 8) == 0;
}

/* Those that go together, as the table of clCreateImage has them. */
static bool go_together(const char *order, const char *type)
{
	bool packed = strncmp(type, "UNORM_SHORT", 11) == 0 ||
		      strcmp(type, "UNORM_INT_101010") == 0;

	if (packed || strncmp(order, "RGB", 3) == 0) {
		if (strcmp(order, "RGBA") != 0 || packed)
			return packed && (strcmp(order, "RGB") == 0 || strcmp(order, "RGBx") == 0);
	}
	if (strcmp(order, "INTENSITY") == 0 || strcmp(order, "LUMINANCE") == 0)
		return !of_integers(type);
	if (strcmp(order, "BGRA") == 0 || strcmp(order, "ARGB") == 0)
		return strstr(type, "INT8") != NULL;
	return true;
}

static void random_format(struct ws_rng *rng, struct ref_image *m)
{
	do {
		m->order = orders[pick(rng, sizeof orders / sizeof *orders)];
		m->type = types[pick(rng, sizeof types / sizeof *types)];
	} while (!go_together(m->order, m->type));
}

/* Around the image: anywhere, on an edge between texels, in a texel's middle. */
static float coordinate(struct ws_rng *rng, const struct trial *t, unsigned d)
{
	int size = t->image.size[d];
	bool inside = t->sampler.address == REF_NONE;
	float u;

	switch (pick(rng, 3)) {
	case 0:
		u = (float)(ws_rng_double(rng) * (size + (inside ? -1.0 : 6.0)) +
			    (inside ? 0.5 : -3.0));
		break;
	case 1:
		u = (float)pick(rng, (unsigned)size) + (inside ? 0.5f : 0.0f);
		break;
	default:
		u = (float)pick(rng, (unsigned)size) + 0.5f;
	}
	return t->sampler.normalized ? u / (float)size : u;
}

static void random_points(struct ws_rng *rng, struct trial *t)
{
	unsigned axes = t->shape->axes;

	for (unsigned n = 0; n < ITEMS; n++) {
		bool inside = t->form == WITHOUT || (t->form == AT_INTEGERS &&
						     t->sampler.address == REF_NONE);

		for (unsigned d = 0; d < axes; d++) {
			t->at[n][d] = coordinate(rng, t, d);
			t->texel[n][d] = (int)pick(rng,
						   (unsigned)t->image.size[d] + (inside ? 0 : 4)) -
					 (inside ? 0 : 2);
		}
		if (t->form == WRITTEN) /* no two work-items write one texel */
			t->texel[n][0] = (int)n - 5;
		t->at[n][axes] = (float)(ws_rng_double(rng) * 8 - 2);
		t->texel[n][axes] = (int)pick(rng, 8) - 2;
		for (int i = 0; i < 4; i++) {
			if (of_integers(t->image.type))
				t->value[n].u[i] = (uint32_t)ws_rng_u64(rng) >> pick(rng, 32);
			else
				t->value[n].f[i] = (float)(ws_rng_double(rng) * 3 - 1.5);
		}
	}
}

static void random_trial(struct ws_rng *rng, struct trial *t)
{
	memset(t, 0, sizeof *t);
	t->shape = &shapes[pick(rng, 6)];
	t->form = (enum form)pick(rng, FORMS);
	if (strcmp(t->shape->name, "image1d_buffer") == 0)
		t->form = pick(rng, 2) ? WITHOUT : WRITTEN;
	t->image.axes = t->shape->axes;
	t->image.layers = t->shape->layers;
	for (unsigned d = 0; d < 3; d++)
		t->image.size[d] = d < t->image.axes ? 1 + (int)pick(rng, 23) : 1;
	if (t->form == WRITTEN)
		t->image.size[0] = ITEMS - 11;
	t->image.layer_count = t->image.layers ? 1 + (int)pick(rng, 5) : 1;
	random_format(rng, &t->image);
	t->tiled = t->shape->tiles && pick(rng, 3) == 0;
	t->sampler.address = (enum ref_address)pick(rng,
						    t->form == AT_INTEGERS ? 3 : REF_ADDRESSES);
	t->sampler.linear = t->form == SAMPLED && !of_integers(t->image.type) && pick(rng, 2);
	t->sampler.normalized = t->sampler.address >= REF_REPEAT ||
				(t->form == SAMPLED && pick(rng, 2));
	random_points(rng, t);
}

/* ---- as a launch file -------------------------------------------------------------------- */

static const char *lower(const char *text, char *to, size_t len)
{
	size_t i = 0;

	for (; text[i] && i + 1 < len; i++)
		to[i] = (char)(text[i] >= 'A' && text[i] <= 'Z' ? text[i] + 32 : text[i]);
	to[i] = '\0';
	return to;
}

static void put_points(const struct trial *t, unsigned n)
{
	char name[32];
	FILE *f;

	snprintf(name, sizeof name, "c%u.bin", n);
	f = open_in(name, "wb");
	if (t->form == SAMPLED ? !fwrite(t->at, sizeof t->at, 1, f)
			       : !fwrite(t->texel, sizeof t->texel, 1, f))
		abort();
	fclose(f);
	snprintf(name, sizeof name, "v%u.bin", n);
	f = open_in(name, "wb");
	if (!fwrite(t->value, sizeof t->value, 1, f))
		abort();
	fclose(f);
}

static void put_size(FILE *f, const struct trial *t)
{
	fprintf(f, " %d", t->image.size[0]);
	for (unsigned d = 1; d < t->image.axes; d++)
		fprintf(f, "x%d", t->image.size[d]);
	if (t->image.layers)
		fprintf(f, "x%d", t->image.layer_count);
}

static const char *element(const struct trial *t)
{
	return !of_integers(t->image.type) ? "float" : t->image.type[0] == 'S' ? "int" : "uint";
}

static void put_buffers(FILE *f, const struct trial *t, unsigned n)
{
	char order[32], type[32];
	bool real = strstr(t->image.type, "FLOAT") != NULL;

	put_points(t, n);
	fprintf(f, "m%u = %s:%s:%s%s", n, t->shape->name,
		lower(t->image.order, order, sizeof order), lower(t->image.type, type, sizeof type),
		t->tiled ? ":block-linear" : "");
	put_size(f, t);
	fprintf(f, " random %s seed=%u\n", real ? "-2 3" : "", n + 7);
	fprintf(f, "c%u = %s4 %u file c%u.bin\n", n, t->form == SAMPLED ? "float" : "int", ITEMS,
		n);
	fprintf(f, "o%u = %s4 %u file v%u.bin\n", n, element(t), ITEMS, n);
}

static void put_launch(FILE *f, const struct trial *t, unsigned n)
{
	static const char *const form[FORMS] = { "f", "fi", "fn", "w" };
	static const char *const mode[REF_ADDRESSES] = { "none", "clamp_to_edge", "clamp", "repeat",
							 "mirrored_repeat" };

	fprintf(f, "[launch]\nkernel = %s_%s_%c\nglobal = %u\nlocal = %u\nargs = m%u ",
		form[t->form], t->shape->name, element(t)[0], ITEMS, LOCAL, n);
	if (t->form == SAMPLED || t->form == AT_INTEGERS)
		fprintf(f, "sampler:%s:%s:%s ", t->sampler.linear ? "linear" : "nearest",
			mode[t->sampler.address],
			t->sampler.normalized ? "normalized" : "unnormalized");
	fprintf(f, "c%u o%u\n", n, n);
}

/* ---- what it did ------------------------------------------------------------------------- */

struct seen { /* texel addresses of each work-item, in order */
	uint64_t address[ITEMS][8];
	unsigned count[ITEMS];
	uint32_t bytes;
	bool odd; /* more than there can be, of another size, or not marked as texture's */
};

static void see_step(struct seen *s, const struct ws_launch *l, const struct ws_step *step,
		     uint64_t cta, bool stores)
{
	const struct ws_segment *segment = &l->segment[step->segment];

	for (uint32_t a = 0; a < segment->count; a++) {
		const struct ws_instruction *in = &l->instruction[segment->first + a];
		bool image = in->array == 0;

		s->odd |= image != in->texture || (image && in->bytes != s->bytes) ||
			  (image && in->kind != (stores ? WS_STORE : WS_LOAD));
		for (unsigned lane = 0; image && lane < LOCAL; lane++) {
			uint64_t item = cta * LOCAL + lane;

			if (!(step->mask[0] >> lane & 1))
				continue;
			if (s->count[item] == 8)
				s->odd = true;
			else
				s->address[item][s->count[item]++] = step->address[a][lane];
		}
	}
}

static void see(struct seen *s, const struct ws_trace *t, size_t launch, bool stores)
{
	const struct ws_launch *l = ws_trace_launch(t, launch);
	struct ws_decoder *d = NULL;
	struct ws_err err = { 0 };
	struct ws_step step;
	bool more = true;

	if (ws_decoder_new(&d, t, launch, &err) != WS_OK)
		abort();
	for (uint64_t cta = 0; cta < l->ctas; cta++) {
		if (ws_decoder_seek(d, cta, &err) != WS_OK)
			abort();
		while (ws_decoder_next(d, &step, &more, &err) == WS_OK && more)
			see_step(s, l, &step, cta, stores);
	}
	ws_decoder_free(d);
}

static uint64_t place(const struct trial *t, uint64_t offset)
{
	uint64_t row = (uint64_t)t->image.size[0] * (uint64_t)ref_texel_bytes(&t->image);
	uint64_t slice = row * (uint64_t)t->image.size[1];

	if (!t->tiled)
		return offset;
	return ref_block_linear(offset % row, offset % slice / row, offset / slice, row,
				(uint64_t)t->image.size[1]);
}

static bool same_places(const struct trial *t, const struct ref_read *r, const struct seen *s,
			unsigned item, uint64_t base)
{
	bool same = r->texels == s->count[item];

	for (unsigned i = 0; same && i < r->texels; i++)
		same = s->address[item][i] == base + place(t, r->offset[i]);
	return same;
}

static bool same_number(float got, double want, double largest)
{
	if (isnan(want) || isinf(want))
		return isnan(want) == isnan(got) && (isnan(want) || (double)got == want);
	return fabs((double)got - want) <=
	       TOLERANCE * (largest > fabs(want) ? largest : fabs(want));
}

static bool same_values(const struct trial *t, const struct ref_read *r, const uint8_t *got)
{
	bool same = true;

	for (int i = 0; i < 4; i++) {
		float f;
		int32_t n;

		memcpy(&f, got + 4 * i, 4);
		memcpy(&n, got + 4 * i, 4);
		same &= of_integers(t->image.type) ? (uint32_t)n == (uint32_t)r->integer[i]
						   : same_number(f, r->number[i], r->largest);
	}
	return same;
}

static unsigned wrong_reads(const struct trial *t, const struct seen *s, const struct ws_buffer *m,
			    const struct ws_buffer *o)
{
	struct ref_sampler sampler = t->sampler;
	unsigned wrong = 0;

	if (t->form == WITHOUT)
		sampler = (struct ref_sampler){ .address = REF_NONE };
	for (unsigned n = 0; n < ITEMS; n++) {
		struct ref_read r;
		bool good;

		if (t->form == SAMPLED)
			ref_read(&r, &t->image, &sampler, t->at[n]);
		else
			ref_read_at(&r, &t->image, &sampler, t->texel[n]);
		good = same_values(t, &r, o->host + (size_t)16 * n) &&
		       same_places(t, &r, s, n, m->base);
		if (!good && !wrong++)
			printf("# item %u at %.9g %.9g %.9g or %d %d %d: want %.9g %.9g %.9g %.9g "
			       "of %u texels\n", n, (double)t->at[n][0], (double)t->at[n][1],
			       (double)t->at[n][2], t->texel[n][0], t->texel[n][1], t->texel[n][2],
			       r.number[0], r.number[1], r.number[2], r.number[3], r.texels);
	}
	return wrong;
}

/* Is a channel of the texel what was written there? */
static bool is_written(const struct trial *t, const struct ref_read *r, int i, unsigned n)
{
	static const char *const signed_types[] = { "SIGNED_INT8", "SIGNED_INT16" };
	const char *type = t->image.type;
	double v = (double)t->value[n].f[i];
	int64_t want = t->value[n].i[i], most;

	if (strcmp(type, "FLOAT") == 0)
		return r->number[i] == v;
	if (strcmp(type, "HALF_FLOAT") == 0)
		return fabs(r->number[i] - v) <= fabs(v) * 0x1p-11;
	if (!of_integers(type)) {
		double scale = ref_quantised(type, i, 1.0f),
		       q = ref_quantised(type, i, t->value[n].f[i]);

		return fabs(r->number[i] - fmax(q / scale, -1)) < 1e-9;
	}
	for (int k = 0; k < 2; k++) {
		most = k ? 32767 : 127;
		if (strcmp(type, signed_types[k]) == 0)
			want = want > most ? most : want < -most - 1 ? -most - 1 : want;
	}
	if (type[0] == 'U') {
		want = t->value[n].u[i];
		most = strstr(type, "8") ? 255 : strstr(type, "16") ? 65535 : UINT32_MAX;
		want = want > most ? most : want;
	}
	return r->integer[i] == want;
}

static unsigned wrong_writes(const struct trial *t, const struct seen *s, const struct ws_buffer *m)
{
	static const struct ref_sampler none = { .address = REF_NONE };
	const char *has = t->image.order; /* the channels that are kept */
	unsigned wrong = 0;

	for (unsigned n = 0; n < ITEMS; n++) {
		struct ref_read r;
		bool good, grey = strcmp(has, "INTENSITY") == 0 || strcmp(has, "LUMINANCE") == 0;

		ref_read_at(&r, &t->image, &none, t->texel[n]);
		good = same_places(t, &r, s, n, m->base);
		for (int i = 0; i < 4 && r.texels; i++) {
			if (grey ? i == 0 : strchr(has, "RGBA"[i]) != NULL)
				good &= is_written(t, &r, i, n);
		}
		wrong += !good;
	}
	return wrong;
}

static void check(struct trial *t, unsigned n, const struct ws_program *p,
		  const struct ws_trace *trace)
{
	static const char *const form[FORMS] = { "sampled", "at integers", "without a sampler",
						 "written" };
	const struct ws_buffer *m = &p->buffer[3 * n], *o = &p->buffer[3 * n + 2];
	struct seen *s = calloc(1, sizeof *s);
	unsigned wrong;

	if (!s)
		abort();
	s->bytes = (uint32_t)ref_texel_bytes(&t->image);
	t->image.data = m->host;
	see(s, trace, n, t->form == WRITTEN);
	wrong = t->form == WRITTEN ? wrong_writes(t, s, m) : wrong_reads(t, s, m, o);
	test_ok(wrong == 0 && !s->odd, "%s %s %s %dx%dx%d%s %s, mode %d%s%s: %u wrong%s",
		t->shape->name, t->image.order, t->image.type, t->image.size[0], t->image.size[1],
		t->image.layers ? t->image.layer_count : t->image.size[2], t->tiled ? " tiled" : "",
		form[t->form], (int)t->sampler.address, t->sampler.linear ? " linear" : "",
		t->sampler.normalized ? " normalized" : "", wrong, s->odd ? ", odd accesses" : "");
	free(s);
}

/* ---- rounds ------------------------------------------------------------------------------ */

static void capture(struct trial *t, unsigned count)
{
	const struct ws_capture_options options = { .threads = 1 };
	struct ws_program p = { 0 };
	struct ws_err err = { 0 };
	struct ws_trace *trace = NULL;
	char path[128];
	enum ws_status status;

	snprintf(path, sizeof path, "%s/k.launch", folder);
	status = ws_program_read(&p, path, &err);
	if (status == WS_OK)
		status = ws_capture_trace(&trace, &p, &options, &err);
	if (status != WS_OK)
		test_ok(false, "%s", err.text);
	for (unsigned n = 0; n < count && status == WS_OK; n++)
		check(&t[n], n, &p, trace);
	ws_trace_close(trace);
	ws_program_clear(&p);
}

static void test_round(struct ws_rng *rng)
{
	struct trial *t = calloc(LAUNCHES, sizeof *t);
	FILE *f = open_in("k.launch", "w");

	if (!t)
		abort();
	fprintf(f, "source = k.cl\n[buffers]\n");
	for (unsigned n = 0; n < LAUNCHES; n++) {
		random_trial(rng, &t[n]);
		put_buffers(f, &t[n], n);
	}
	for (unsigned n = 0; n < LAUNCHES; n++)
		put_launch(f, &t[n], n);
	fclose(f);
	capture(t, LAUNCHES);
	free(t);
}

/* What is in the trace of a filtered read whose texels may be outside: four loads, of which the
 * address computation and the filter take no slot; their value is used behind the last, by the
 * store, and by no instruction between. */
static void test_slots(void)
{
	static const struct {
		uint32_t gap, use;
	} want[] = { { 0, 4 }, { 0, 3 }, { 0, 2 }, { 0, 1 }, { 0, 0 } };
	const struct ws_capture_options options = { .threads = 1 };
	struct ws_program p = { 0 };
	struct ws_err err = { 0 };
	struct ws_trace *trace = NULL;
	FILE *f = open_in("slots.cl", "w");
	char path[128];
	const struct ws_launch *l;

	fputs("kernel void k(read_only image2d_t m, global const float2 *at, global float4 *o)\n{\n"
	      "\tconst sampler_t s = CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;\n"
	      "\to[0] = read_imagef(m, s, at[0]);\n}\n", f);
	fclose(f);
	f = open_in("slots.launch", "w");
	fputs("source = slots.cl\n[buffers]\nm = image2d:rgba:float 4x4 iota\n"
	      "at = float2 1 constant 2\n"
	      "o = float4 1\n[launch]\nkernel = k\nglobal = 1\nlocal = 1\nargs = m at o\n", f);
	fclose(f);
	snprintf(path, sizeof path, "%s/slots.launch", folder);
	if (ws_program_read(&p, path, &err) != WS_OK ||
	    ws_capture_trace(&trace, &p, &options, &err) != WS_OK) {
		test_ok(false, "slots: %s", err.text);
		ws_program_clear(&p);
		return;
	}
	l = ws_trace_launch(trace, 0);
	test_u64(l->instructions, 6, "one load of the coordinates, four of texels, a store");
	test_u64(l->segment[0].tail, 0, "slots of the address computation");
	for (size_t i = 0; i < 5 && l->instructions == 6; i++) {
		const struct ws_instruction *in = &l->instruction[i + 1];

		test_ok(in->gap == want[i].gap && in->use == want[i].use && in->texture == (i < 4),
			"instruction %zu: gap %" PRIu32 " use %" PRIu32 ", want %" PRIu32
			" and %" PRIu32,
			i + 1, in->gap, in->use, want[i].gap, want[i].use);
	}
	ws_trace_close(trace);
	ws_program_clear(&p);
}

/* Every half there is comes back, and what lies between two goes to the nearer, or the even one. */
static void test_half(void)
{
	unsigned wrong = 0;

	for (unsigned bits = 0; bits < 0x7c00; bits++) {
		double here = ws_half_of((uint16_t)bits), next = ws_half_of((uint16_t)(bits + 1));
		double middle = bits == 0x7bff ? 65520 : (here + next) / 2;

		wrong += ws_half_bits(here) != bits || ws_half_bits(-here) != (bits | 0x8000);
		wrong += ws_half_bits(middle) != bits + (bits & 1);
		wrong += ws_half_bits(nextafter(middle, 0)) != bits;
		wrong += ws_half_bits(nextafter(middle, 1e9)) != bits + 1;
	}
	test_u64(wrong, 0, "wrong halves");
	test_ok(ws_half_of(0x3c00) == 1 && ws_half_of(1) == 0x1p-24 && ws_half_of(0xfbff) == -65504,
		"1, the least and the greatest");
}

int main(void)
{
	struct ws_err why = { 0 };
	char command[64];
	struct ws_rng rng;
	FILE *f;

	if (ws_capture_load(&why) != WS_OK) {
		test_skip("images", why.text);
		return test_done();
	}
	if (!mkdtemp(folder))
		return 1;
	f = open_in("k.cl", "w");
	fputs(source, f);
	fclose(f);
	ws_rng_seed(&rng, test_seed(2));
	for (unsigned round = 0; round < ROUNDS; round++)
		test_round(&rng);
	test_slots();
	test_half();
	snprintf(command, sizeof command, "rm -r %s", folder);
	return system(command) != 0 || test_done();
}
