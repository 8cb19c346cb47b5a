/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * exception.h -- exceptions that say where they come from, as programs of NVIDIA's samples use them.
 */
#pragma GCC system_header
#ifndef WARPSTACK_SAMPLES_EXCEPTION_H
#define WARPSTACK_SAMPLES_EXCEPTION_H

#include <cstdlib>
#include <exception>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include "../cuda_letters_begin.h"

template <class Std_Exception> class Exception : public Std_Exception
{
public:
	explicit Exception(const std::string &text = "") : Std_Exception(text) {}
	static void throw_it(const char *file, const int line, const char *detailed = "-")
	{
		std::ostringstream s;

		s << "Exception in file '" << file << "' in line " << line
		  << "\nDetailed description: " << detailed << "\n";
		throw Exception(s.str());
	}
	static void throw_it(const char *file, const int line, const std::string &detailed)
	{
		throw_it(file, line, detailed.c_str());
	}
};

template <class E> void handleException(const E &e)
{
	std::cerr << e.what() << std::endl;
	exit(EXIT_FAILURE);
}

#define RUNTIME_EXCEPTION(text) Exception<std::runtime_error>::throw_it(__FILE__, __LINE__, text)
#define LOGIC_EXCEPTION(text) Exception<std::logic_error>::throw_it(__FILE__, __LINE__, text)
#define RANGE_EXCEPTION(text) Exception<std::range_error>::throw_it(__FILE__, __LINE__, text)
#include "../cuda_letters_end.h"

#endif
