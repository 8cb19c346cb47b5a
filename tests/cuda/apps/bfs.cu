/* SPDX-License-Identifier: GPL-3.0-or-later
 * bfs.cu -- breadth-first search over a graph read from a file: levels until nothing changes.
 */
#include "common.h"
#include <queue>
#include <vector>

struct Node {
	int start, edges;
};

__global__ void expand(const Node *node, const int *edge, bool *mask, bool *updating,
		       const bool *visited, int *cost, int n)
{
	int id = blockIdx.x * blockDim.x + threadIdx.x;

	if (id >= n || !mask[id])
		return;
	mask[id] = false;
	for (int i = node[id].start; i < node[id].start + node[id].edges; i++) {
		int to = edge[i];

		if (!visited[to]) {
			cost[to] = cost[id] + 1;
			updating[to] = true;
		}
	}
}

__global__ void advance(bool *mask, bool *updating, bool *visited, bool *over, int n)
{
	int id = blockIdx.x * blockDim.x + threadIdx.x;

	if (id < n && updating[id]) {
		mask[id] = visited[id] = *over = true;
		updating[id] = false;
	}
}

template <class T> static T *upload(const std::vector<T> &from)
{
	T *to;

	CHECK(cudaMalloc(&to, from.size() * sizeof(T)));
	CHECK(cudaMemcpy(to, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice));
	return to;
}

int main(int argc, char **argv)
{
	std::vector<Node> node;
	std::vector<int> edge;
	FILE *f = argc > 1 ? fopen(argv[1], "r") : NULL;
	int n = 0, m = 0;

	if (!f || fscanf(f, "%d %d", &n, &m) != 2) {
		fprintf(stderr, "usage: bfs GRAPH\n");
		return EXIT_FAILURE;
	}
	node.resize(n);
	edge.resize(m);
	for (auto &v : node)
		if (fscanf(f, "%d %d", &v.start, &v.edges) != 2)
			return EXIT_FAILURE;
	for (auto &e : edge)
		if (fscanf(f, "%d", &e) != 1)
			return EXIT_FAILURE;
	fclose(f);

	std::vector<int> cost(n, -1), want(n, -1);
	std::queue<int> open;
	bool *mask, *updating, *visited, *over, yes = true, more;

	cost[0] = want[0] = 0;
	for (open.push(0); !open.empty(); open.pop()) {
		const Node &v = node[open.front()];

		for (int i = v.start; i < v.start + v.edges; i++) {
			if (want[edge[i]] < 0) {
				want[edge[i]] = want[open.front()] + 1;
				open.push(edge[i]);
			}
		}
	}
	Node *d_node = upload(node);
	int *d_edge = upload(edge), *d_cost = upload(cost);
	for (bool **p : { &mask, &updating, &visited }) {
		CHECK(cudaMalloc(p, n));
		CHECK(cudaMemset(*p, 0, n));
	}
	CHECK(cudaMalloc(&over, 1));
	CHECK(cudaMemcpy(mask, &yes, 1, cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(visited, &yes, 1, cudaMemcpyHostToDevice));
	do {
		more = false;
		CHECK(cudaMemcpy(over, &more, 1, cudaMemcpyHostToDevice));
		expand<<<(n + 255) / 256, 256>>>(d_node, d_edge, mask, updating, visited, d_cost, n);
		advance<<<(n + 255) / 256, 256>>>(mask, updating, visited, over, n);
		CHECK(cudaMemcpy(&more, over, 1, cudaMemcpyDeviceToHost));
	} while (more);
	CHECK(cudaMemcpy(cost.data(), d_cost, n * sizeof(int), cudaMemcpyDeviceToHost));
	return passed(cost == want);
}
