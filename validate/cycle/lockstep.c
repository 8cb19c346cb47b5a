/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/cycle/lockstep.c -- a launch behind a router (icnt.queues = router), cycle by cycle.
 *
 * SMs and slices see in each cycle how far what they sent has come, and whether there is room for
 * more, so that nobody can be simulated ahead of the others.  Cycles in which nothing is on its way
 * and nobody has anything to do are skipped.
 */
#include "validate/cycle/run.h"

#define NEVER UINT64_MAX

enum ws_status ws_lockstep_new(struct ws_cycles *run, struct ws_err *err)
{
	const struct ws_machine *m = run->machine;
	struct ws_router_shape shape = {
		.inputs = run->cores, .outputs = (size_t)m->l2_slices, .in = m->icnt_router_in,
		.buffer = m->icnt_router_buffer, .out = m->icnt_router_out,
		.speedup = m->icnt_router_speedup,
	};
	enum ws_status status = ws_router_new(&run->out, &shape, err);

	shape.inputs = shape.outputs;
	shape.outputs = run->cores;
	return status == WS_OK ? ws_router_new(&run->back, &shape, err) : status;
}

/* Where an SM is at the routers, whose turns go on from launch to launch: a launch's first SM is
 * the one behind the last of the launch before. */
static size_t port_of(const struct ws_cycles *run, size_t sm)
{
	size_t port = run->first + sm;

	return port < run->cores ? port : port - run->cores;
}

static enum ws_status enter_router(struct ws_cycles *run, bool reply, const struct ws_packet *p,
			  struct ws_err *err)
{
	uint64_t bytes = reply ? ws_reply_bytes(p) : ws_request_bytes(p->kind, p->sectors);
	uint64_t flits = ws_packet_cycles(bytes, run->machine->icnt_width);

	size_t port = port_of(run, p->sm);

	return ws_router_add(reply ? run->back : run->out, reply ? p->slice : port,
			     reply ? port : p->slice, flits, p, err);
}

/* To each SM one reply, which it receives in the cycle after. */
static enum ws_status deliver(struct ws_cycles *run, uint64_t cycle, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < run->cores && status == WS_OK; i++) {
		const struct ws_packet *p = ws_router_take(run->back, port_of(run, i));
		struct ws_packet come;

		if (!p)
			continue;
		come = *p;
		come.arrival = cycle + 1;
		status = ws_core_reply(run->core[i], &come, err);
	}
	return status;
}

/* From each slice one reply that is ready. */
static enum ws_status send_replies(struct ws_cycles *run, uint64_t cycle, struct ws_err *err)
{
	size_t each = (size_t)run->machine->l2_slices / run->channels;
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < run->machine->l2_slices && status == WS_OK; i++) {
		struct ws_channel *c = run->channel[i / each];
		const struct ws_packet *p = ws_channel_offer(c, i % each, cycle);

		if (!p || ws_packet_cycles(ws_reply_bytes(p), run->machine->icnt_width) >
			  ws_router_room(run->back, i))
			continue;
		status = enter_router(run, true, p, err);
		ws_channel_sent(c, i % each);
	}
	return status;
}

/* To each slice one packet, and then what channels have to do. */
static enum ws_status run_slices(struct ws_cycles *run, uint64_t cycle, struct ws_err *err)
{
	size_t each = (size_t)run->machine->l2_slices / run->channels;
	enum ws_status status = WS_OK;

	ws_meetings_hold(&run->slices, cycle);
	for (size_t i = 0; i < run->machine->l2_slices && status == WS_OK; i++) {
		const struct ws_packet *p = NULL;
		struct ws_packet come;

		if (ws_channel_open(run->channel[i / each], i % each))
			p = ws_router_take(run->out, i);
		if (!p)
			continue;
		come = *p;
		come.arrival = cycle;
		status = ws_channel_push(run->channel[i / each], &come, err);
		run->due[i / each] = cycle;
	}
	for (size_t i = 0; i < run->channels && status == WS_OK; i++)
		if (run->due[i] <= cycle)
			status = ws_channel_run(run->channel[i], cycle + 1, &run->due[i], err);
	return status;
}

/* same_room: in the router, as when SMs were told last.  An SM without CTAs sends nothing. */
static enum ws_status run_cores(struct ws_cycles *run, uint64_t cycle, bool same_room,
				struct ws_err *err)
{
	enum ws_status status;

	ws_cycles_up_to(run, cycle);
	for (size_t i = 0; i < run->sms && !same_room; i++)
		ws_core_room_for(run->core[i], ws_router_room(run->out, port_of(run, i)) *
				 run->machine->icnt_width);
	status = ws_cycles_sms(run, cycle + 1, err);
	for (size_t i = 0; i < run->sms && status == WS_OK; i++) {
		struct ws_packets *sent = run->sent[i];

		for (; ws_packets_waiting(sent) && status == WS_OK; sent->head++)
			status = enter_router(run, false, &sent->packet[sent->head], err);
		ws_packets_empty(sent);
	}
	return status;
}

/* The first cycle in which a channel has anything to do. */
static uint64_t first_due(const struct ws_cycles *run)
{
	uint64_t first = NEVER;

	for (size_t i = 0; i < run->channels; i++)
		first = run->due[i] < first ? run->due[i] : first;
	return first;
}

/* Is anything on its way? */
static bool is_under_way(const struct ws_cycles *run)
{
	return !ws_router_idle(run->out) || !ws_router_idle(run->back);
}

/* The next cycle in which something happens, from one on; UINT64_MAX: there is none.  due: of
 * channels. */
static uint64_t next_cycle(const struct ws_cycles *run, uint64_t from, uint64_t due)
{
	uint64_t next = ws_engine_next(run->engine), also = ws_cycles_next_sample(run);

	if (is_under_way(run))
		return from;
	next = due < next ? due : next;
	if (next == NEVER)
		return NEVER;
	also = ws_meetings_next(&run->l1s) < also ? ws_meetings_next(&run->l1s) : also;
	also = ws_meetings_next(&run->slices) < also ? ws_meetings_next(&run->slices) : also;
	next = also < next ? also : next;
	return next > from ? next : from;
}

static enum ws_status run_memory(struct ws_cycles *run, uint64_t cycle, struct ws_err *err)
{
	enum ws_status status = deliver(run, cycle, err);

	if (status == WS_OK)
		status = send_replies(run, cycle, err);
	if (status == WS_OK)
		status = run_slices(run, cycle, err);
	if (!ws_router_idle(run->out))
		ws_router_step(run->out);
	if (!ws_router_idle(run->back))
		ws_router_step(run->back);
	return status;
}

/* Most cycles of long runs without memory instructions have nothing on its way and no channel that
 * has anything to do, and cost no look at each slice. */
enum ws_status ws_lockstep(struct ws_cycles *run, struct ws_err *err)
{
	enum ws_status status = WS_OK;
	uint64_t due = first_due(run);
	bool told = false;

	for (uint64_t cycle = next_cycle(run, 0, due); cycle != NEVER && status == WS_OK;
	     cycle = next_cycle(run, cycle + 1, due)) {
		bool quiet = due > cycle && !is_under_way(run);

		if (quiet) {
			ws_meetings_hold(&run->slices, cycle);
		} else {
			status = run_memory(run, cycle, err);
			due = first_due(run);
		}
		if (status == WS_OK)
			status = run_cores(run, cycle, quiet && told, err);
		told = true;
	}
	return status;
}
