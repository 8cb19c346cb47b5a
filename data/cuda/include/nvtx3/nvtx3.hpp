/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * nvtx3/nvtx3.hpp -- ranges as objects, which mean nothing here (nvToolsExt.h).
 */
#pragma GCC system_header
#ifndef WARPSTACK_NVTX3_HPP
#define WARPSTACK_NVTX3_HPP

#include "../nvToolsExt.h"
#include "../cuda_letters_begin.h"

namespace nvtx3
{
inline namespace v1
{
struct scoped_range {
	template <class... A> explicit scoped_range(const A &...) {}
	scoped_range(const scoped_range &) = delete;
	~scoped_range() {}
};
typedef scoped_range thread_range;
template <class D = void> struct scoped_range_in : scoped_range {
	using scoped_range::scoped_range;
};
struct unique_range {
	template <class... A> explicit unique_range(const A &...) {}
	~unique_range() {}
};
struct rgb {
	constexpr rgb(unsigned char, unsigned char, unsigned char) {}
};
template <class... A> inline void mark(const A &...) {}
}
}
#define NVTX3_FUNC_RANGE() ((void)0)
#include "../cuda_letters_end.h"

#endif
