/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ray tracing: a scene of spheres, at most one in each cell of a cubic lattice.  A work-item follows
 * the ray of its pixel from cell to cell (Amanatides and Woo, "A fast voxel traversal algorithm",
 * 1987), is mirrored where it meets a sphere, and adds up the brightness of what it met.
 * Neighbouring rays begin together and part at the first mirror.
 *
 * A sphere is (offset x, y, z in its cell, radius); none if the radius is not positive.  The
 * test includes this file as C: no arithmetic on vectors.
 */
#define FAR 1.0e30f

/* Spheres of four numbers in [0,1): three cells of ten have one, inside the cell. */
__kernel void scene(const __global float *noise, __global float4 *sphere)
{
	const int cell = get_global_id(0);
	float4 s;

	s.x = 0.4f + 0.2f * noise[4 * cell];
	s.y = 0.4f + 0.2f * noise[4 * cell + 1];
	s.z = 0.4f + 0.2f * noise[4 * cell + 2];
	s.w = noise[4 * cell + 3] < 0.3f ? 0.1f + noise[4 * cell + 3] : 0.0f;
	sphere[cell] = s;
}

/* Where the ray enters the sphere, FAR if it does not. */
static float enter(float ox, float oy, float oz, float dx, float dy, float dz, float r)
{
	const float b = ox * dx + oy * dy + oz * dz;
	const float c = ox * ox + oy * oy + oz * oz - r * r;
	const float under = b * b - c;
	float t;

	if (under < 0.0f)
		return FAR;
	t = -b - sqrt(under);
	return t > 1.0e-3f ? t : FAR;
}

/* Along one axis: how far to the next cell. */
static float to_edge(float at, float direction, int cell)
{
	if (direction > 0.0f)
		return ((float)(cell + 1) - at) / direction;
	if (direction < 0.0f)
		return ((float)cell - at) / direction;
	return FAR;
}

__kernel void ray(const __global float4 *sphere, const __global float *brightness,
		  __global float *image, int side, int bounces)
{
	const int px = get_global_id(0), py = get_global_id(1);
	const int width = get_global_size(0), height = get_global_size(1);
	float x = 0.5f * (float)side, y = 0.5f * (float)side, z = 0.001f;
	float dx = ((float)px + 0.5f) / (float)width - 0.5f;
	float dy = ((float)py + 0.5f) / (float)height - 0.5f, dz = 0.6f;
	float length = sqrt(dx * dx + dy * dy + dz * dz), light = 0.0f, weight = 1.0f;
	int met = 0;

	dx /= length;
	dy /= length;
	dz /= length;
	for (int steps = 0; steps < 8 * side && met <= bounces; steps++) {
		const int i = (int)floor(x), j = (int)floor(y), k = (int)floor(z);
		float tx, ty, tz, t, nx, ny, nz, along;
		float4 s;
		int cell;

		if (i < 0 || j < 0 || k < 0 || i >= side || j >= side || k >= side)
			break;
		cell = i + side * (j + side * k);
		s = sphere[cell];
		nx = x - ((float)i + s.x);
		ny = y - ((float)j + s.y);
		nz = z - ((float)k + s.z);
		t = s.w > 0.0f ? enter(nx, ny, nz, dx, dy, dz, s.w) : FAR;
		tx = to_edge(x, dx, i);
		ty = to_edge(y, dy, j);
		tz = to_edge(z, dz, k);
		along = tx < ty ? (tx < tz ? tx : tz) : (ty < tz ? ty : tz);
		if (t < along) {
			met++;
			light += weight * brightness[cell];
			weight *= 0.5f;
			x += t * dx;
			y += t * dy;
			z += t * dz;
			nx = (nx + t * dx) / s.w;
			ny = (ny + t * dy) / s.w;
			nz = (nz + t * dz) / s.w;
			along = 2.0f * (dx * nx + dy * ny + dz * nz);
			dx -= along * nx;
			dy -= along * ny;
			dz -= along * nz;
		} else {
			/* Just across the edge. */
			x += (along + 1.0e-4f) * dx;
			y += (along + 1.0e-4f) * dy;
			z += (along + 1.0e-4f) * dz;
		}
	}
	image[py * width + px] = light;
}
