/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cuda/std/host.h -- the host's library as cuda::std, for the headers of this folder.
 */
#pragma GCC system_header
#ifndef WARPSTACK_CUDA_STD_HOST_H
#define WARPSTACK_CUDA_STD_HOST_H

#include <cstddef>
namespace cuda
{
namespace std
{
using namespace ::std;
}
}

#endif
