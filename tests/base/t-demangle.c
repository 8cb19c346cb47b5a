/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/base/t-demangle.c -- names of C++ against what c++filt says, without types and parameters.
 */
#include "base/demangle.h"

#include <stdlib.h>
#include <string.h>

#include "tests/test.h"

static const char *const known[][2] = {
	{ "_Z2mmIfLi16EEvPKT_S2_PS0_i", "mm<float, 16>" },
	{ "_Z6KernelP4NodePiPbS2_S2_S1_i", "Kernel" },
	{ "_ZN3lib5scaleEPfi", "lib::scale" },
	{ "_ZN12_GLOBAL__N_15scaleEPfi", "(anonymous namespace)::scale" },
	{ "_ZN3lib12_GLOBAL__N_15scaleIdEEvPT_i", "lib::(anonymous namespace)::scale<double>" },
	{ "_Z5applyIZ4mainEUliE_EvT_", "apply<main::{lambda(int)#1}>" },
	{ "_Z5applyIFviEEvPT_", "apply<void (int)>" },
	{ "mm", "mm" },
	{ "", "" },
	{ "_Z", "_Z" },
	{ "_Znonsense", "_Znonsense" },
	{ "_Z2mmIfLi16E", "_Z2mmIfLi16E" },
	{ "mm<float>(float*)", "mm<float>(float*)" },
};

/* f<p<p<..., ...>, ...> >: each level has the one within twice. */
static void doubling(void)
{
	char name[512] = "_Z1fI1pI";

	for (unsigned i = 1; i < 30; i++)
		strcat(name, "S0_I");
	strcat(name, "iiE");
	for (unsigned i = 1; i < 30; i++) {
		char again[] = "S?_E";

		again[1] = (char)(i < 10 ? '0' + i : 'A' + i - 10);
		strcat(name, again);
	}
	strcat(name, "EvT_");
	char *plain = ws_plain_name(name);

	test_str(plain, name, "a name that stands for gigabytes is left as it is");
	free(plain);
}

int main(void)
{
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		char *plain = ws_plain_name(known[i][0]);

		test_str(plain, known[i][1], known[i][0]);
		free(plain);
	}
	doubling();
	return test_done();
}
