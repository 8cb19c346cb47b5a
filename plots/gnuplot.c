/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plots/gnuplot.c -- runs gnuplot on a figure's template and data.
 *
 * The script, in a temporary file, is: terminal and output, the figure's own variables and data,
 * data/plot/common.gp (colours, fonts, axes), data/plot/NAME.gp.  gnuplot writes to the
 * file that ws_out_open made, so an interrupted or failed run leaves the old picture.  gnuplot may
 * exit with 0 when the disk is full; the picture's last bytes are looked at.
 */
#include "plots/script.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const struct terminal {
	const char *ending;
	const char *command;	/* followed by a width and a height */
	const char *unit;	/* after each: pixels, or hundredths of an inch */
	const char *options, *small_font;
	const char *trailer;	/* among the last bytes of a whole picture */
	bool pixels;		/* drawn larger by the scale of struct ws_figure_input */
	bool pair;		/* gnuplot writes a .pdf of the same name beside it */
} terminals[] = {
	{ ".svg", "svg noenhanced", "", "font 'Helvetica,Arial,sans-serif,13' background 'white'",
	  ",10", "</svg>", false, false },
	{ ".png", "pngcairo noenhanced", "", "font 'Sans,10' background 'white'", ",8", "IEND",
	  true, false },
	{ ".pdf", "pdfcairo noenhanced", "/100.0", "font 'Sans,11'", ",9", "%%EOF",
	  false, false },
	{ ".eps", "epscairo noenhanced", "/100.0", "font 'Sans,11'", ",9", "%%EOF",
	  false, false },
	{ ".tex", "cairolatex pdf", "/100.0", "font ',11'", "", "\\endgroup", false, true },
};

const char ws_figure_endings[] = ".svg, .png, .pdf, .eps or .tex";

#define WIDTH_DEFAULT 800u
#define WIDTH_MIN 240u
#define WIDTH_NARROW 500u /* below it figures are higher, for their width */
#define WIDTH_MAX 1200u
#define SCALE_MAX 16u
#define TRAILER_BYTES 32

static const struct terminal *terminal_of(const char *path)
{
	const char *dot = strrchr(path, '.');

	for (size_t i = 0; dot && i < WS_COUNT(terminals); i++)
		if (strcmp(dot, terminals[i].ending) == 0)
			return &terminals[i];
	return NULL;
}

static enum ws_status template_path(const char *name, char **path, struct ws_err *err)
{
	char relative[WS_NAME_MAX + 16];

	snprintf(relative, sizeof relative, "plot/%s.gp", name);
	*path = ws_data_path(relative);
	if (!*path && errno == ENOMEM)
		return ws_fail_memory(err, "a file name");
	if (!*path)
		return ws_fail(err, WS_EINPUT,
			       "%s: the figure's template is in none of the data folders; want "
			       "$WARPSTACK_DATA or an installed share/warpstack", relative);
	return WS_OK;
}

/* The template's own text, or a line that loads it. */
static enum ws_status put_template(struct ws_buf *script, const char *name, bool text,
				   struct ws_err *err)
{
	struct ws_in in = { 0 };
	enum ws_status status;
	char *path = NULL;

	status = template_path(name, &path, err);
	if (status == WS_OK && text)
		status = ws_in_open(&in, path, err);
	if (status == WS_OK && text) {
		ws_put_bytes(script, in.data, in.len);
	} else if (status == WS_OK) {
		ws_put_printf(script, "load ");
		ws_script_quote(script, path);
		ws_put_u8(script, '\n');
	}
	ws_in_close(&in);
	free(path);
	return status;
}

static void put_scale(struct ws_buf *script, const char *what, unsigned tenths)
{
	ws_put_printf(script, " %s %u.%u", what, tenths / 10, tenths % 10);
}

static void put_output(struct ws_buf *script, const struct terminal *t, unsigned width,
		       unsigned scale, const char *output)
{
	unsigned times = t->pixels && scale ? scale : 1;
	unsigned height = width < WIDTH_NARROW ? width : width * 5 / 8;

	ws_put_printf(script, "set terminal %s size %u%s,%u%s %s", t->command, width * times,
		      t->unit, height * times, t->unit, t->options);
	put_scale(script, "fontscale", times * (width < WIDTH_NARROW ? 7 : 10));
	if (times > 1 || width < WIDTH_NARROW) {
		put_scale(script, "linewidth", times * (width < WIDTH_NARROW ? 7 : 10));
		put_scale(script, "pointscale", times * (width < WIDTH_NARROW ? 5 : 10));
	}
	ws_put_printf(script, "\nset output ");
	ws_script_quote(script, output);
	ws_put_printf(script, "\nset encoding utf8\n");
	ws_script_u64(script, "width", width);
	ws_script_string(script, "small_font", t->small_font);
}

static void put_caption(struct ws_buf *script, const struct ws_figure *f, const char *file)
{
	char text[512];

	ws_put_printf(script, "set print ");
	ws_script_quote(script, file);
	ws_put_printf(script, "\nprint said.(strlen(said_below) ? '; '.said_below : '').'. '.");
	snprintf(text, sizeof text, "%c%s.", toupper((unsigned char)*f->summary), f->summary + 1);
	ws_script_quote(script, text);
	ws_put_printf(script, "\nunset print\n");
}

/* The whole script; data: what the figure's own function wrote.  caption: a file for what the
 * figure shows; NULL: none. */
static enum ws_status compose(const struct ws_figure *f, const struct ws_figure_input *in,
			      const struct ws_buf *data, bool alone, const char *caption,
			      struct ws_buf *script, struct ws_err *err)
{
	enum ws_status status;

	ws_script_u64(script, "retitled", in->title != NULL);
	ws_script_string(script, "title", in->title ? in->title : "");
	ws_put_bytes(script, data->data, data->len);
	status = put_template(script, "common", alone, err);
	if (status == WS_OK)
		status = put_template(script, f->name, alone, err);
	ws_put_printf(script, "unset output\n");
	if (caption)
		put_caption(script, f, caption);
	if (status == WS_OK && (data->failed || script->failed))
		status = ws_fail_memory(err, "a figure's data");
	return status;
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* DIR/mm.gp for a figure mm.svg; allocated, NULL: no memory. */
static char *kept_path(const char *folder, const char *figure)
{
	const char *name = last_part(figure);
	size_t stem = (size_t)(strrchr(name, '.') - name), len = strlen(folder) + stem + 8;
	char *path = malloc(len);

	if (path)
		snprintf(path, len, "%s/%.*s.gp", folder, (int)stem, name);
	return path;
}

/* The script that draws the figure again where gnuplot is run, from its own data. */
static enum ws_status keep_script(const struct ws_figure *f, const struct ws_figure_input *in,
				  const struct terminal *t, const char *figure, unsigned width,
				  const struct ws_buf *data, struct ws_err *err)
{
	char *path = kept_path(in->keep, figure);
	struct ws_buf script = { 0 };
	struct ws_out out = { 0 };
	enum ws_status status;

	if (!path)
		return ws_fail_memory(err, "a file name");
	if (mkdir(in->keep, 0777) && errno != EEXIST) {
		free(path);
		return ws_fail(err, WS_EIO, "%s: %s", in->keep, strerror(errno));
	}
	put_output(&script, t, width, in->scale, last_part(figure));
	status = compose(f, in, data, true, NULL, &script, err);
	if (status == WS_OK)
		status = ws_out_open(&out, path, err);
	if (status == WS_OK) {
		out.no_sync = in->no_sync;
		ws_out_write(&out, script.data, script.len);
		status = ws_out_commit(&out, err);
	}
	ws_out_abort(&out);
	ws_buf_clear(&script);
	free(path);
	return status;
}

#define FD_PATH 48u

/* How another program opens a file of ours that may have no name. */
static const char *path_of(FILE *file, char path[FD_PATH])
{
	snprintf(path, FD_PATH, "/proc/%ld/fd/%d", (long)getpid(), fileno(file));
	return path;
}

/* The script as a file without a name. */
static enum ws_status save(const struct ws_buf *script, struct ws_out *file, struct ws_err *err)
{
	enum ws_status status = ws_out_temporary(file, err);

	if (status != WS_OK)
		return status;
	ws_out_write(file, script->data, script->len);
	if (!fflush(file->file) && !file->failed)
		return WS_OK;
	return ws_fail(err, WS_EIO, "gnuplot's script: %s", strerror(errno));
}

/* Starts gnuplot with nothing to read, its standard error going to fd. */
static int start_gnuplot(const char *script, int fd, pid_t *child)
{
	char *argv[] = { (char[]){ "gnuplot" }, (char[]){ "-d" }, ws_strdup(script), NULL };
	posix_spawn_file_actions_t actions;
	int error;

	if (!argv[2])
		return ENOMEM;
	error = posix_spawn_file_actions_init(&actions);
	if (!error) {
		error = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
		if (!error)
			error = posix_spawn_file_actions_addopen(&actions, 1, "/dev/null",
								 O_WRONLY, 0);
		if (!error)
			error = posix_spawn_file_actions_adddup2(&actions, fd, 2);
		if (!error)
			error = posix_spawnp(child, "gnuplot", &actions, NULL, argv, environ);
		posix_spawn_file_actions_destroy(&actions);
	}
	free(argv[2]);
	return error;
}

/* gnuplot's complaint: the last line that is not blank. */
static void complaint(FILE *messages, char *text, size_t len)
{
	char line[512];

	snprintf(text, len, "no message");
	rewind(messages);
	while (fgets(line, sizeof line, messages)) {
		line[strcspn(line, "\r\n")] = '\0';
		if (line[strspn(line, " \t^")])
			snprintf(text, len, "%s", line + strspn(line, " \t"));
	}
}

static enum ws_status run_gnuplot(const char *script, struct ws_err *err)
{
	enum ws_status status;
	struct ws_out messages;
	char text[512];
	int error, how = 0;
	pid_t child;

	status = ws_out_temporary(&messages, err);
	if (status != WS_OK)
		return status;
	error = start_gnuplot(script, fileno(messages.file), &child);
	if (error == ENOENT) {
		status = ws_fail(err, WS_EIO, "gnuplot is not installed, want it on the PATH: "
				 "apt-get install gnuplot-nox");
	} else if (error) {
		status = ws_fail(err, WS_EIO, "gnuplot does not start: %s", strerror(error));
	} else {
		while (waitpid(child, &how, 0) < 0 && errno == EINTR)
			;
		complaint(messages.file, text, sizeof text);
		if (WIFSIGNALED(how))
			status = ws_fail(err, WS_EIO, "gnuplot was ended by signal %d: %s",
					 WTERMSIG(how), text);
		else if (how)
			status = ws_fail(err, WS_EIO, "gnuplot exited with %d: %s",
					 WEXITSTATUS(how), text);
	}
	ws_out_abort(&messages);
	return status;
}

/* The picture ends as a whole one does. */
static enum ws_status complete(const char *picture, const char *path, const struct terminal *t,
			       struct ws_err *err)
{
	char tail[TRAILER_BYTES + 1] = "";
	size_t n = 0, want = strlen(t->trailer);
	FILE *file = fopen(picture, "rb");

	if (file && fseek(file, 0, SEEK_END) == 0) {
		long size = ftell(file);

		if (size >= TRAILER_BYTES && fseek(file, size - TRAILER_BYTES, SEEK_SET) == 0)
			n = fread(tail, 1, TRAILER_BYTES, file);
	}
	if (file)
		fclose(file);
	for (size_t i = 0; i + want <= n; i++)
		if (memcmp(tail + i, t->trailer, want) == 0)
			return WS_OK;
	return ws_fail(err, WS_EIO, "%s: gnuplot left an incomplete picture; is the disk full, or "
		       "this gnuplot built without its %s terminal?", path, t->command);
}

static enum ws_status check_figure(const struct ws_figure *f, const struct ws_figure_input *in,
				   const char *path, unsigned width, struct ws_err *err)
{
	static const char *const what[] = { "profile", "trace", "table" };
	const bool given[] = { in->profile, in->trace, in->table };

	if (!path || !terminal_of(path))
		return ws_fail(err, WS_EINVAL,
			       "%s: want a file name that ends with %s", path ? path : "-",
			       ws_figure_endings);
	if (width < WIDTH_MIN || width > WIDTH_MAX)
		return ws_fail(err, WS_EINVAL, "width %u: want %u..%u", width, WIDTH_MIN,
			       WIDTH_MAX);
	if (in->scale > SCALE_MAX || (in->scale > 1 && !terminal_of(path)->pixels))
		return ws_fail(err, WS_EINVAL, "scale %u: want 1..%u, and a .png: other figures "
			       "have no pixels", in->scale, SCALE_MAX);
	if (!given[f->needs])
		return ws_fail(err, WS_EINVAL, "figure %s is made of a %s, and there is none",
			       f->name, what[f->needs]);
	return WS_OK;
}

/* Draws what the script says to `picture`, by which gnuplot opens out. */
static enum ws_status draw(const struct ws_buf *script, const struct terminal *t,
			   const struct ws_out *out, const char *picture, const char *path,
			   struct ws_err *err)
{
	struct ws_out file = { 0 };
	char saved[FD_PATH];
	enum ws_status status = save(script, &file, err);

	if (status == WS_OK)
		status = run_gnuplot(path_of(file.file, saved), err);
	ws_out_abort(&file);
	if (status == WS_OK && out->target)
		status = complete(picture, path, t, err);
	return status;
}

/* ---- LaTeX: texts in one file, lines in another ------------------------------------------ */

struct latex_pair {
	char *folder;		/* where gnuplot writes both */
	char *tex, *pdf;	/* there */
	char *beside;		/* where the .pdf is to be: beside the figure */
};

/* The first stem bytes of name, in the folder of so many bytes. */
static char *joined(const char *folder, size_t len, const char *name, size_t stem,
		    const char *ending)
{
	size_t room = len + stem + strlen(ending) + 1;
	char *path = malloc(room);

	if (path)
		snprintf(path, room, "%.*s%.*s%s", (int)len, folder, (int)stem, name, ending);
	return path;
}

static enum ws_status pair_begin(struct latex_pair *p, const char *path, struct ws_err *err)
{
	const char *name = last_part(path);
	size_t stem = (size_t)(strrchr(name, '.') - name);
	enum ws_status status = ws_temporary_folder(&p->folder, err);

	if (status != WS_OK)
		return status;
	p->tex = joined(p->folder, strlen(p->folder), "/figure", 7, ".tex");
	p->pdf = joined(p->folder, strlen(p->folder), "/figure", 7, ".pdf");
	p->beside = joined(path, (size_t)(name - path), name, stem, ".pdf");
	return p->tex && p->pdf && p->beside ? WS_OK : ws_fail_memory(err, "a file name");
}

static void pair_end(struct latex_pair *p)
{
	if (p->tex)
		unlink(p->tex);
	if (p->pdf)
		unlink(p->pdf);
	if (p->folder)
		rmdir(p->folder);
	free(p->folder);
	free(p->tex);
	free(p->pdf);
	free(p->beside);
}

static enum ws_status copy_pdf(const struct latex_pair *p, bool no_sync, struct ws_err *err)
{
	struct ws_in in;
	struct ws_out out = { 0 };
	enum ws_status status = ws_in_open(&in, p->pdf, err);

	if (status != WS_OK)
		return status;
	status = ws_out_open(&out, p->beside, err);
	if (status == WS_OK) {
		out.no_sync = no_sync;
		ws_out_write(&out, in.data, in.len);
		status = ws_out_commit(&out, err);
	}
	ws_out_abort(&out);
	ws_in_close(&in);
	return status;
}

#define TEXT_BEGINS "\\strut{}"

/* gnuplot writes texts as they are; to LaTeX some characters are orders. */
static void put_tex_text(struct ws_out *out, const char *text, size_t len)
{
	static const char orders[] = "_%&#${}";

	for (size_t i = 0; i < len; i++) {
		if (text[i] == '\\')
			ws_out_write(out, "\\textbackslash{}", 16);
		else if (text[i] == '^' || text[i] == '~')
			ws_out_write(out, text[i] == '^' ? "\\^{}" : "\\~{}", 4);
		else if (strchr(orders, text[i]))
			ws_out_write(out, "\\", 1);
		if (!strchr("\\^~", text[i]))
			ws_out_write(out, text + i, 1);
	}
}

/* A line of gnuplot's: \put(...){...\strut{}TEXT}}%, with a brace for each that is open. */
static void put_tex_line(struct ws_out *out, const char *line, size_t len)
{
	const char *text = memmem(line, len, TEXT_BEGINS, strlen(TEXT_BEGINS));
	size_t open = 0, before;

	if (!text) {
		ws_out_write(out, line, len);
		return;
	}
	before = (size_t)(text - line) + strlen(TEXT_BEGINS);
	for (size_t i = 0; i < before; i++) {
		open += line[i] == '{';
		open -= line[i] == '}';
	}
	if (len < before + open + 1) {
		ws_out_write(out, line, len);
		return;
	}
	ws_out_write(out, line, before);
	put_tex_text(out, line + before, len - before - open - 1);
	ws_out_write(out, line + len - open - 1, open + 1);
}

/* The text names its .pdf as it is called beside it. */
static enum ws_status copy_tex(const struct latex_pair *p, struct ws_out *out, struct ws_err *err)
{
	const char *name = last_part(p->beside), *end;
	size_t len = strlen(p->pdf) - 4;
	struct ws_in in;
	enum ws_status status = ws_in_open(&in, p->tex, err);

	if (status != WS_OK)
		return status;
	end = (const char *)in.data + in.len;
	for (const char *at = (const char *)in.data; at < end;) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));
		const char *pdf;

		stop = stop ? stop : end;
		pdf = memmem(at, (size_t)(stop - at), p->pdf, len);
		if (pdf) {
			ws_out_write(out, at, (size_t)(pdf - at));
			ws_out_write(out, name, strlen(name) - 4);
			at = pdf + len;
		}
		put_tex_line(out, at, (size_t)(stop - at));
		ws_out_write(out, "\n", 1);
		at = stop + 1;
	}
	ws_in_close(&in);
	return WS_OK;
}

/* ---- a figure ------------------------------------------------------------------------------- */

struct drawing {
	const struct ws_figure *f;
	const struct ws_figure_input *in;
	const struct terminal *t;
	const char *path;
	unsigned width;
	struct ws_out out, caption;
	struct ws_buf data;
	struct latex_pair pair;
};

static enum ws_status draw_figure(struct drawing *d, struct ws_err *err)
{
	char picture[FD_PATH], caption[FD_PATH];
	const char *said = d->in->caption ? path_of(d->caption.file, caption) : NULL;
	const char *to = d->t->pair ? d->pair.tex : path_of(d->out.file, picture);
	struct ws_buf script = { 0 };
	enum ws_status status;

	put_output(&script, d->t, d->width, d->in->scale, to);
	status = compose(d->f, d->in, &d->data, false, said, &script, err);
	if (status == WS_OK)
		status = draw(&script, d->t, &d->out, to, d->path, err);
	if (status == WS_OK && d->t->pair)
		status = copy_tex(&d->pair, &d->out, err);
	if (status == WS_OK && d->t->pair)
		status = copy_pdf(&d->pair, d->in->no_sync, err);
	ws_buf_clear(&script);
	return status;
}

static enum ws_status open_outputs(struct drawing *d, struct ws_err *err)
{
	enum ws_status status = ws_out_open(&d->out, d->path, err);

	if (status == WS_OK && d->in->caption)
		status = ws_out_open(&d->caption, d->in->caption, err);
	if (status == WS_OK && d->t->pair)
		status = pair_begin(&d->pair, d->path, err);
	d->out.no_sync = d->caption.no_sync = d->in->no_sync;
	return status;
}

enum ws_status ws_plot(const struct ws_figure *f, const struct ws_figure_input *in,
		       const char *path, unsigned width, struct ws_err *err)
{
	struct drawing d = { .f = f, .in = in, .path = path,
			     .width = width ? width : WIDTH_DEFAULT };
	enum ws_status status = check_figure(f, in, path, d.width, err);

	if (status != WS_OK)
		return status;
	d.t = terminal_of(path);
	status = open_outputs(&d, err);
	if (status == WS_OK)
		status = f->data(in, &d.data, err);
	if (status == WS_OK)
		status = draw_figure(&d, err);
	if (status == WS_OK && in->keep)
		status = keep_script(f, in, d.t, path, d.width, &d.data, err);
	ws_buf_clear(&d.data);
	pair_end(&d.pair);
	if (status == WS_OK && in->caption)
		status = ws_out_commit(&d.caption, err);
	if (status == WS_OK)
		status = ws_out_commit(&d.out, err);
	ws_out_abort(&d.caption);
	ws_out_abort(&d.out);
	return status;
}
