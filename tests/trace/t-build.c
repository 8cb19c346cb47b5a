/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Build options: what of a text reaches clang, in what words, and what does not.
 */
#include "tests/test.h"
#include "trace/capture/launch.h"

/* The words, blanks between; the end is the language unless the text names one. */
static void words(const char *text, const char *want, const char *dropped, bool lenient)
{
	const struct ws_build_source from = { .lenient = lenient };
	struct ws_err err = { 0 };
	struct ws_build b;
	char got[512] = "";
	enum ws_status status = ws_build_parse(&b, text, &from, &err);

	for (size_t i = 0; i < b.words; i++) {
		size_t used = strlen(got);

		snprintf(got + used, sizeof got - used, "%s%s", i ? "|" : "", b.word[i]);
	}
	test_ok(status == WS_OK && strcmp(got, want) == 0, "'%s': got %s want %s", text, got, want);
	test_ok(b.dropped.len == strlen(dropped) &&
			(!b.dropped.len || memcmp(b.dropped.data, dropped, b.dropped.len) == 0),
		"'%s': left out: %.*s want %s", text, (int)b.dropped.len,
		(const char *)b.dropped.data, dropped);
	ws_build_clear(&b);
}

static void refused(const char *text)
{
	const struct ws_build_source from = { 0 };
	struct ws_err err = { 0 };
	struct ws_build b;
	enum ws_status status = ws_build_parse(&b, text, &from, &err);

	test_ok(status == WS_EINVAL && b.words == 0, "'%s' is refused: %s", text, err.text);
	ws_build_clear(&b);
}

int main(void)
{
	static const char *const bad[] = {
		"-fpass-plugin=x.so", "-fplugin=x", "-Xclang", "-mllvm", "-load", "@file", "x.cl",
		"-",
		"-o", "-MD", "-MF", "-Wp,-MD,f", "-Wl,x", "-W/x", "-ftime-trace=f", "-include",
		"-DX=asm",
		"-DX=a+__asm__(b)", "-DX=weakref", "-DX=__weakref__", "-Dx=redefine_extname",
		"-D__ws_ctx=f", "-D9=1", "-D=1", "-D", "-U", "-I", "-O4", "-O/x",
		"-gsplit-dwarf", "-cl-std=/x", "-std=x/y", "-D'A=1\n#include \"x\"'", "--config=x",
		"-save-temps", "-dD", "-P", "-C", "-E", "-S", "-x", "-v", "-isystem/x", "-iquote",
		"-B/x",
	};

	words("", "-cl-std=CL1.2", "", false);
	words(" -DA\t-D B -D 'C=x y' -U  D -DF=@x", "-DA|-DB|-DC=x y|-UD|-DF=@x|-cl-std=CL1.2", "",
	      false);
	words("-cl-std=CL2.0 -cl-mad-enable -cl-nv-verbose -cl-kernel-arg-info -g -w -O -O3 -Ofast",
	      "-cl-std=CL2.0|-cl-mad-enable|-w|-O|-O3|-Ofast", "", false);
	words("-std=CL3.0 -Wall -Wno-error=x -I/a -I b", "-std=CL3.0|-Wall|-Wno-error=x|-I/a|-Ib",
	      "", false);
	words("-DA -fno-x -s 'a b.cl' -x spir -Wp,-MD,f -I c", "-DA|-Ic|-cl-std=CL1.2",
	      "-fno-x -s a b.cl -x spir -Wp,-MD,f", true);
	words("-Dasmall=1 -DX=asm_ -DY=plasma -DZ=x__ws",
	      "-Dasmall=1|-DX=asm_|-DY=plasma|-DZ=x__ws|-cl-std=CL1.2", "", false);
	for (size_t i = 0; i < WS_COUNT(bad); i++)
		refused(bad[i]);
	return test_done();
}
