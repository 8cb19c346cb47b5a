/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Flow of a gas through an unstructured mesh, finite volumes: for each element the step that is stable,
 * then the flux through its four faces, gathered from the elements beyond them, then the
 * step.  Variables (density, momentum, energy) and normals lie one after the
 * other, each for all elements.  Faces without a neighbour are walls (-1) or the far field (-2).
 */
#define GAMMA 1.4f
#define FACES 4

struct state {
	float density, x, y, z, energy;
};

static struct state load(const __global float *v, int i, int n)
{
	return (struct state){ v[i], v[n + i], v[2 * n + i], v[3 * n + i], v[4 * n + i] };
}

static float pressure(struct state s)
{
	const float square = (s.x * s.x + s.y * s.y + s.z * s.z) / (s.density * s.density);

	return (GAMMA - 1.0f) * (s.energy - 0.5f * s.density * square);
}

static float speed(struct state s)
{
	return sqrt(s.x * s.x + s.y * s.y + s.z * s.z) / s.density +
	       sqrt(GAMMA * pressure(s) / s.density);
}

/* A face's neighbour is `jump` elements away; some are at the border. */
__kernel void cfd_mesh(const __global int *jump, __global int *neighbour, int n)
{
	const int i = get_global_id(0);

	for (int f = 0; f < FACES; f++) {
		const int j = jump[f * n + i];

		neighbour[f * n + i] = j % 64 == 0 ? -1 : j % 64 == 1 ? -2 : (i + j + n) % n;
	}
}

__kernel void cfd_start(__global float *v, const __global float *noise, int n)
{
	const int i = get_global_id(0);

	v[i] = 1.4f + 0.1f * noise[i];
	v[n + i] = 1.7f;
	v[2 * n + i] = 0.1f * noise[i];
	v[3 * n + i] = 0.0f;
	v[4 * n + i] = 3.5f + 0.1f * noise[i];
}

__kernel void cfd_step_factor(const __global float *v, const __global float *area,
			      __global float *factor, int n)
{
	const int i = get_global_id(0);

	factor[i] = 0.5f / (sqrt(area[i]) * speed(load(v, i, n)));
}

/* Adds the flux of s along the normal, once more for each call. */
static void add_flux(struct state *sum, struct state s, float nx, float ny, float nz)
{
	const float p = pressure(s), through = (s.x * nx + s.y * ny + s.z * nz) / s.density;

	sum->density += s.density * through;
	sum->x += s.x * through + p * nx;
	sum->y += s.y * through + p * ny;
	sum->z += s.z * through + p * nz;
	sum->energy += (s.energy + p) * through;
}

__kernel void cfd_flux(const __global float *v, const __global int *neighbour,
		       const __global float *normal, __global float *flux, int n)
{
	const struct state far = { 1.4f, 1.7f, 0.0f, 0.0f, 3.5f };
	const int i = get_global_id(0);
	const struct state own = load(v, i, n);
	const float own_speed = speed(own);
	struct state sum = { 0.0f, 0.0f, 0.0f, 0.0f, 0.0f };

	for (int f = 0; f < FACES; f++) {
		const int j = neighbour[f * n + i];
		const float nx = normal[3 * f * n + i], ny = normal[(3 * f + 1) * n + i];
		const float nz = normal[(3 * f + 2) * n + i];

		if (j == -1) {
			const float p = pressure(own);

			sum.x += p * nx;
			sum.y += p * ny;
			sum.z += p * nz;
		} else {
			const struct state other = j < 0 ? far : load(v, j, n);
			const float size = sqrt(nx * nx + ny * ny + nz * nz);
			const float damp = 0.2f * size * (own_speed + speed(other));

			add_flux(&sum, own, 0.5f * nx, 0.5f * ny, 0.5f * nz);
			add_flux(&sum, other, 0.5f * nx, 0.5f * ny, 0.5f * nz);
			sum.density -= damp * (other.density - own.density);
			sum.x -= damp * (other.x - own.x);
			sum.y -= damp * (other.y - own.y);
			sum.z -= damp * (other.z - own.z);
			sum.energy -= damp * (other.energy - own.energy);
		}
	}
	flux[i] = sum.density;
	flux[n + i] = sum.x;
	flux[2 * n + i] = sum.y;
	flux[3 * n + i] = sum.z;
	flux[4 * n + i] = sum.energy;
}

__kernel void cfd_step(__global float *v, const __global float *flux,
		       const __global float *factor, int n)
{
	const int i = get_global_id(0);

	for (int k = 0; k < 5; k++)
		v[k * n + i] -= factor[i] * flux[k * n + i];
}
