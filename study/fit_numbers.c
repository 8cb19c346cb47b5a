/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/fit_numbers.c -- combinations as numbers, of which each free key has a digit.
 */
#include "study/fit_private.h"

static uint64_t step_of(const struct ws_fit *fit, size_t key)
{
	return ws_vary_product(fit->vary + key + 1, fit->keys - key - 1);
}

size_t ws_fit_digit(const struct ws_fit *fit, uint64_t number, size_t key)
{
	return (size_t)(number / step_of(fit, key) % fit->vary[key].count);
}

uint64_t ws_fit_replace(const struct ws_fit *fit, uint64_t number, size_t key, size_t digit)
{
	uint64_t step = step_of(fit, key);

	return number - ws_fit_digit(fit, number, key) * step + digit * step;
}

uint64_t ws_fit_start_number(const struct ws_fit *fit)
{
	uint64_t number = 0;

	for (size_t k = 0; k < fit->keys; k++)
		number = ws_fit_replace(fit, number, k, fit->key[k].start);
	return number;
}

const struct fit_tried *ws_fit_tried(const struct ws_fit *fit, uint64_t number)
{
	if (number < fit->tried && fit->combination[number].number == number)
		return &fit->combination[number]; /* where all are tried */
	for (uint64_t i = 0; i < fit->tried; i++)
		if (fit->combination[i].number == number)
			return &fit->combination[i];
	return NULL;
}
