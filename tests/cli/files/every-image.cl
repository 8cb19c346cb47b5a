/* SPDX-License-Identifier: GPL-3.0-or-later
 * Images of every shape, read and written. */
kernel void k(read_write image2d_t m, read_write image3d_t v, read_write image2d_array_t a,
	       read_write image1d_array_t r, read_write image1d_t l, read_write image1d_buffer_t b)
{
	int x = get_global_id(0);
	write_imageui(m, (int2)(x, 1), read_imageui(m, (int2)(x, 1)) + get_image_width(m) +
		      get_image_height(m) + get_image_dim(m).y + get_image_channel_order(m) - CLK_R +
		      get_image_channel_data_type(m) - CLK_UNSIGNED_INT8);
	write_imagef(v, (int4)(x, 0, 1, 0), read_imagef(v, (int4)(x, 0, 1, 0)) +
		     get_image_depth(v) + get_image_dim(v).z);
	write_imagei(a, (int4)(x, 0, 1, 0), read_imagei(a, (int4)(x, 0, 1, 0)) -
		     (int)get_image_array_size(a));
	write_imagei(r, (int2)(x, 1), read_imagei(r, (int2)(x, 1)) - (int)get_image_array_size(r));
	write_imagef(l, x, read_imagef(l, x) * 2);
	write_imageui(b, x, read_imageui(b, x) * 3);
}
