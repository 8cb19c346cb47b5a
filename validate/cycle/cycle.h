/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/cycle/cycle.h -- the machine that the cycle simulator simulates, cycle by cycle.
 *
 * The simulator is driven by events; idle cycles are skipped, and the result is as if every cycle
 * had been looked at.  This text is what it must equal; tests/ref/cycle.c is written from it.
 *
 * What stands as l1.latency in times of data is l1.latency - l1.lookup, 0 if that is negative.
 *
 * Of a launch that sm.pipeline executes (ws_launch_has_pipeline) the cycles from issue to look-up
 * (ws_pipeline_front) are taken off it, too, the LSU holds one op, and the phases of an SM are
 * those of trace/order/pipeline.h: 1, 3 and 4 below come before issue, and an op that the LSU takes
 * in a cycle is looked up from the next one on.  With sm.front lines of code are asked for by
 * packets of H bytes, at 0xF0000000 and their PCs, behind phase 4; the L2 reads them as it does
 * loads, but they are counted nowhere but in DRAM's bytes.
 *
 * Names: keys of the machine; H = 8, the bytes of a packet's header; N = ws_icnt_cycles, T =
 * ws_l2_cycles, M = l1.mshr.latency, so that a load that is alone takes l1.latency cycles if it
 * hits in the L1, l1.latency + 2 N + T + M if it hits in the L2, and dram.latency more otherwise.
 *
 * SM.  Warps, schedulers, residency, barriers and ends of CTAs are those of trace/order/sm.h, but
 * for the load-store unit.  CTAs are given to SMs as trace/order/engine.c does: breadth-first at
 * cycle 0, then to the slot of a CTA that ended, from the cycle after on, in order of (cycle, SM).
 * A cycle c of an SM has these phases:
 *
 *   1 receive  If the receiving port is free, the first reply in its queue that has arrived by c
 *              is taken; the port is busy until c + ceil(size / icnt.width).  Replies queue in
 *              order of arrival, those of one cycle by slice.  A reply to a fetch fills (below),
 *              one to an atomic is data.  Credits that arrive by c are added.
 *   2 issue    The schedulers, as in sm.h.  A memory op is issued only if the LSU holds fewer than
 *              sm.lsu, and one a cycle.  It goes behind the others.  Its requests are in order of
 *              the first lanes that have them, or with sm.lsu.requests = falling of address, the
 *              highest first.
 *   3 look up  The first request of the first op is looked up in the L1.  If it is accepted the
 *              op goes behind the others, so that ops take turns (not with sm.lsu.order = fifo: it
 *              stays first), or leaves if it has no more (one
 *              without requests leaves when it is the first, before a look-up).  Then the first
 *              request of the op that is first now is looked up, up to l1.banks of them; the LSU
 *              stops after a request that fails, and before one whose bank was used in this cycle:
 *              address of its first sector / l1.banks.bytes (0: l1.line) mod l1.banks.  Such stops
 *              are bank_conflicts.  The place of an op that leaves in cycle c is
 *              free for an op issued at c + 1.  A request that fails is tried again every cycle,
 *              and counted each time under its cause.
 *              With l1.lookup = P > 0: first, of each bank in turn, the first request of the
 *              bank's queue is looked up if it entered at c - P or before; if it is accepted it
 *              leaves, else it is tried again every cycle.  Then, in place of its look-up, a
 *              request of the first op enters its bank's queue, which is a failure without a count
 *              if that holds P; the LSU stops after an op that leaves, too.  Atomics and what goes
 *              past the L1 are looked up at once, as the LSU has them.
 *   4 send     If the sending port is free, the queue to the L2 is not empty and there is a
 *              credit, its head is sent: it arrives at c + N, uses up a credit, and the port is
 *              busy until c + ceil(size / icnt.width).
 *
 * A load's data is back when that of all its requests is; needs of later ops, CTA ends as in sm.h.
 * With sm.stores = acknowledged a CTA also does not end before its stores are done: each request of
 * one when it is looked up or, if packets were sent to the L2 for it (not of lines thrown out), in
 * the cycle in which the last reply to these is received.
 * The packets of one look-up enter the queue together, those of a line thrown out first, or not at
 * all: all fit in l1.queue, or the queue is empty.  With profile = gpgpusim a store has one place
 * more.
 *
 * TLBs (tlb.*).  Packets that enter the queue at c for a line (of one request, or of a line thrown
 * out) ask the L1's TLBs of it once (validate/sim/tlb.h).  If that takes t > 0 cycles, they enter
 * it in phase 4 of cycle c + t instead, before anything is sent, behind what is there; of one cycle
 * those first that the second TLB knew, then in the order in which they asked.  Until then they
 * count for l1.queue as if they were in it.
 *
 * L1 look-up of a request of line A.  Its sectors are the sectors of the cache (l1.sector; the line
 * if not sectored) that its 32-byte sectors touch.  Each sector of a line is INVALID, RESERVED,
 * VALID or MODIFIED; a line is in the cache if its tag is; a line with a RESERVED sector is
 * reserved.
 *
 *   atomic     no look-up; a packet of H + 32 bytes for each 32-byte sector asked for enters the
 *              queue, for each piece (below); fails QUEUE.  Counted as a miss.  Its data is back at
 *              r + M + l1.latency, r the cycle in which the last piece's reply was received.
 *   Without an L1 (l1.size = 0), and of an instruction that goes past it (struct
 *   ws_cycle_options), loads and stores are handled so, too: packets of the 32-byte
 *   sectors asked for, of a load H bytes each, and a store needs no reply.  No MSHR is taken.
 *
 *   load
 *     hit      the line is there and all its sectors are VALID or MODIFIED: on_hit; data is back at
 *              c + l1.latency.
 *     pending  (a) the line is there, no sector asked for is INVALID, some are RESERVED; or (b),
 *              on-fill, the line is there or not, and all sectors that are not VALID or MODIFIED
 *              are being fetched by MSHRs of this line.  It waits for those MSHRs (a: that hold
 *              those sectors for this way).  Fails MERGE if one of them has l1.mshr.merge requests
 *              already; before that, with profile = gpgpusim (a cache of lines), QUEUE if no packet
 *              fits.  on_hit, if the line is there.
 *     miss     else; a sector miss if the line is there.  Fetched are the sectors asked for that
 *              are neither there nor being fetched; for those that are being fetched it waits as in
 *              pending.  Fails, the first that applies: LINE, on-miss, no line, and all ways of the
 *              set are reserved; QUEUE, the fetch's packets, and that of a line thrown out,
 *              do not fit; MSHR, l1.mshr are in use (with l1.lookup and M > 0 also one that is
 *              filled, until M - 1 cycles after the last that waited for it is served); MERGE as
 *              above.  Else an MSHR takes the fetch,
 *              and a packet of H bytes for each piece enters the queue.  A line that is there:
 *              on_hit; else, on-miss, it takes a way (below).  on-miss: the sectors become
 *              RESERVED.
 *   store      its sectors; "there" as for a load
 *     A miss whose line is there is a sector miss.
 *     write-evict, write-through   Fails QUEUE if its packets, H + 32 bytes for each 32-byte sector
 *     asked
 *              for, for each piece, do not fit.  Counted as hit if the line is there and all its
 *              sectors are VALID or MODIFIED, as pending if the line is there, none is INVALID and
 *              some are RESERVED, else as miss.  write-through: on_hit, if the line is there.
 *              write-evict: the line, if there, is thrown out, reserved or not, and nothing of it
 *              is sent.  (profile = gpgpusim, on-miss, an L1: if it is reserved it stays.)
 *     write-through-allocate, write-back   counted likewise.
 *              If the line is not there it takes a way, also with on-fill: fails LINE if all are
 *              reserved; QUEUE if its packets and that of a line thrown out do not fit.  Else
 *              on_hit if it is there, or it takes a way.  Its sectors become VALID
 *              (write-through-allocate, which also sends the packets of write-through; MODIFIED
 *              ones stay so) or MODIFIED (write-back), those that are RESERVED when their data
 *              comes.
 *
 *   partial sectors (profile = gpgpusim, a cache of lines)  A sector that write-through-allocate or
 *              write-back made VALID or MODIFIED is partial until stores have written each of its
 *              bytes.  (One that was VALID or MODIFIED before, RESERVED or, on-fill, being fetched,
 *              is not.)  It is a hit for stores; a load or atomic takes it, with the cache's sector
 *              around it, for one that is not there, and on-miss its fetch makes it RESERVED; after
 *              the fill it is not partial.  Lines thrown out and sent to the L2 are taken to be
 *              written as a whole.
 *
 *   To take a way: the lowest-numbered way without a line; else the victim.  on_evict, of a line
 *   that was there (of a store under write-evict too); on_fill.  The victim
 *   is the first way without a RESERVED sector that the policy names when each reserved way that it
 *   named is taken to have been filled anew (victim; if reserved, on_fill of it, and again; if 2 *
 *   ways calls of victim named none, then the lowest-numbered way that is not reserved); what was
 *   so asked is forgotten again, but for one call of victim.  If no way of the set is reserved, it
 *   is what victim says.  A victim with MODIFIED sectors is sent to the L2 as a store of those
 *   sectors, a packet for each piece.  A set's clock, which the policy reads, counts accepted
 *   look-ups; on-fill, no load whose line is not there, but each fill that takes a way.
 *
 *   To go past: a load or a store whose line is not there and would be brought, if the policy's
 *   bypass says so; it is asked once the request is known to need a fetch or a way.  on_bypass.
 *   Counts as a miss, and in the set's clock when it is accepted.  A load takes an MSHR with its
 *   fetch, of which later requests do not learn, takes no way, and its fill changes no line (fails
 *   QUEUE, MSHR, MERGE); a store is sent as under write-through (fails QUEUE).
 *
 *   fill       When the reply to the last piece of an MSHR's fetch is received at r, its sectors
 *              become VALID, or MODIFIED if a store asked for that or they are already; on-fill: if
 *              the line is not there it takes a way (no MODIFIED victim there waits for the queue:
 *              it enters in any case).  All requests that wait for it are served: their data is
 *              back at r + M + l1.latency if they wait for no other.  (With l1.mshr.rate = R > 0, R
 *              are served a cycle, in that order, after those of earlier fills, also such as wait
 *              for others still: at r or, if R were served in a cycle, from the next one on, and r
 *              stands for that.)  The MSHR is free.  A line that was thrown out while reserved is
 *              not filled, the requests are served all the same, and what is asked of it after that
 *              is a new miss.
 *
 *   stream     Of a request that took an MSHR, fetch is the cycle of its fill less that of its
 *              look-up.
 *
 *   piece      The part of a request that lies in one line of the L2 (l2.line) and, as
 *              l2.interleave is not less, one slice.  In ascending order of address.
 *
 * L1 of words (l1.organisation decoupled, elastic or dycache).  validate/grain/grain.h says what
 * regions, blocks, partial hits and the grain are, where a block goes, and what uses what; here is
 * when. l1.sector and the set's clock are nothing here; on-miss only.  A word in the set is
 * RESERVED from the look-up that fetches it to the fill, else VALID or MODIFIED, and each is of one
 * MSHR or none. A request is looked up with the grain of that cycle, and its set changes at once as
 * that of the functional cache would, but that RESERVED words take no part in making room: of what
 * grain.h has a block take in order, a group with a RESERVED word, or for a whole line, or a tag,
 * one with any, is passed over as if it were not there, a line that l1.chunk.victim names has a
 * group without, and what comes next in that order is taken.  (So, if all groups of its region's
 * lines are reserved, the first group of an invalid line, whatever l1.chunk.invalid says, else a
 * line without RESERVED words.)
 *
 *   load
 *     hit      as grain.h has it, and all its words are VALID or MODIFIED: used; data is back at
 *              c + l1.latency.
 *     pending  likewise, but some are RESERVED: used; it waits for their MSHRs.  Fails MERGE.
 *     miss     else; a sector miss if words of the block are in the set, or, decoupled, any of the
 *              line.
 *              chunks     Words of the block in the set are thrown out, RESERVED ones too: their
 *                         fetch goes on, and serves who waits for it, but does not fill them.  An
 *                         MSHR takes the fetch of the whole block, be it in part on its way, and it
 *                         takes its places, RESERVED.
 *              decoupled  as of a line: fetched are the sectors that are not there; for those
 *                         RESERVED it waits.
 *              Fails, the first that applies: LINE, there are no places for all of it; QUEUE, the
 *              fetch's packets, and those of what is thrown out, do not fit; MSHR; MERGE
 *              (decoupled).
 *   store      hit, pending and miss as a load is, at once
 *     write-evict, write-through   Fails QUEUE.  Uses or throws out, RESERVED or not, as grain.h
 *     says.
 *     write-through-allocate, write-back   A hit or a pending hit uses.  A miss takes places as
 *     that of a load
 *              does (fails LINE, QUEUE), and nothing is fetched: the words are VALID (of a block,
 *              also those not asked for).  write-back: those asked for, by a hit too, are MODIFIED,
 *              RESERVED ones once their data comes.
 *
 *   The block of a request is what its packet asks for, so that a miss on 32 bytes may fetch 32.
 *   MODIFIED words thrown out, and RESERVED ones that would be, are sent to the L2, those of a line
 *   as one store, a packet for each piece, by ascending address, before the request's own packets.
 *
 *   fill       Those words of the MSHR's fetch that are in the set and still of that MSHR become
 *              VALID or MODIFIED.  All who wait for it are served.
 *
 *   The grain  Each accepted look-up of a load or store counts as a request, a pending hit as a
 *              hit.  The look-up with which a period ends is done under the old grain; then, in the
 *              same cycle, a larger grain flushes: RESERVED words go, or with l1.grain.retain stay,
 *              as the others do (their fetches as above).  What is MODIFIED of them enters the
 *              queue after that look-up's packets, in any case.  That takes no time but the
 *              packets'.
 *
 * The L1s are empty when a launch starts.  The policies draw random numbers seeded with the seed in
 * each L1, with seed + i in slice i; they go on from launch to launch.
 *
 * Slice.  Packets from SMs queue in order of arrival, those of one cycle by SM.  A cycle c of a
 * slice:
 *
 *   1 fill     data from DRAM that comes at c, in the order in which it was asked for
 *   2 look up  the head of the queue that has arrived by c.  If it is accepted, a credit is back
 *              with its SM at e + N; else it is tried again every cycle, and counted each time
 *              under its cause (LINE, MSHR, MERGE).  It ends in e = c + ceil(n / l2.rate) - 1, n
 *              the 32-byte sectors of its packet (l2.rate 0: e = c), and the next one is looked up
 *              from e + 1 on.  Tags change in c; what goes to DRAM does in e.
 *   counts     With profile = gpgpusim and a sectored L2 each 32-byte sector asked for counts as
 *              a request: a hit, a pending hit or a miss as it is by itself, all misses but the
 *              first of a line that is not there being sector misses.
 *   3 send     if the port is free, the first packet that is ready by c: it arrives at c + N; the
 *              port is busy until c + ceil(size / icnt.width).  Packets leave in the order in which
 *              they were looked up or, of those that waited, served.
 *
 * Look-up is that of the L1, l2.* for l1.*, on-miss, the slice's sets (ws_l2_local), without a
 * queue that could be full: what goes to DRAM always can.  A hit's reply is ready at e + T, that of
 * requests that wait at f + T, f the cycle of the last fill they waited for, in the order in which
 * they began to wait.  Replies have H + 32 bytes for each 32-byte sector of the packet's request.
 * What fetches and stores of an SM ask for is as in their packet.  A store gets no reply, or, if
 * one is waited for, one of H bytes, as of a hit; an atomic
 * is a load whose sectors become MODIFIED, when their data comes if RESERVED, and counts as atomic.
 * Stores as in the L1, "sent" meaning written to DRAM.  l2.start = cold: empty when a launch
 * starts.  warm: every line that the launch's arrays touch was first loaded and filled in turn
 * (arrays in order, ascending addresses), uncounted.  copies: the same of what the
 * host copied to the device before the launch (ws_launch_copied).  keep: what the launch before
 * left there, MODIFIED lines too; before the first one it is empty.
 *
 * DRAM.  Channel k serves slices [k, k + 1) * l2.slices / channels, channels = ws_dram_channels.
 * Requests are served one after the other in order of (cycle of the look-up, slice), a line thrown
 * out before the
 * fetch that threw it out.  In time units of 1 / dram.bandwidth cycles one of n 32-byte sectors
 * asked for at
 * cycle c starts at s = max(c * dram.bandwidth, free) and free becomes s + n * dram.atom *
 * channels.  A fetch's
 * data comes at ceil(s / dram.bandwidth) + dram.latency, and never before c + 1; any request waited
 * ceil(s / dram.bandwidth) - c cycles.  With dram.row a fetch from another row (ws_dram_row) than
 * the channel's last request, or from any at first, takes dram.row.miss more, and no data come
 * before those that the channel was asked for before.  Fetches are of whole L2 sectors, writes of
 * the sectors MODIFIED (or, if the store went through, of the 32-byte sectors stored).
 *
 * DRAM of banks (dram.timing; machine.h has its times' names).  In place of that, each channel has
 * the clock of dram.ticks: tick k, from 0 on, is at k * dram.ticks.cycles / dram.ticks cycles, and
 * is done in that cycle, rounded up, before the slices' phases.  (As double precision has it, which
 * decides where both are at once: tick k is at a sum of k times 1 / (1000 dram.ticks), cycle c at
 * one of c times 1 / (1000 dram.ticks.cycles).)  A look-up that began in b asks for
 * what it fetches sector by sector, each a request of one burst, the n-th of its packet's sectors
 * (from 0) in cycle b + 1 + floor(n / l2.rate), or b + 1 if l2.rate is 0; before them, for a line
 * thrown out, and after them, for what a store sends, in b + 1, for n sectors at once, ceil(32 n /
 * dram.atom) bursts.  These join their slice's queue.  A tick of a channel:
 *
 *   1 return    One read, the oldest whose data left the bus in an earlier tick, is over: its data
 *               comes to its slice in this cycle.  (MSHRs are filled by the last of their sectors;
 *               requests that waited are ready a cycle later than above.)
 *   2 bus       Requests leave the bus CL ticks after the last column command, writes WL, in the
 *               order of these, reads while there are fewer than `out` that wait for 1.  A write
 *               is over then.
 *   3 schedule  What was passed on in earlier ticks joins those that wait for its bank
 *               (ws_dram_place).  Of the banks from p (0 at first) on, in turn, the first one that
 *               serves none takes one: the oldest of the row that it opened last (0 at first), or
 *               the oldest; p becomes p + 1.
 *   4 command   bus = 2: the first bank from p on, in turn, that can gives a column command, then
 *               the first that can a row command.  bus = 1: each in turn gives a column command,
 *               with which it ends, or, if none was given in the tick, a row command.  Row commands
 *               make p the next bank, for this turn, too: the n-th bank of it is p + n.
 *               column    for the request that it serves: its row is open, at least RCD since (of
 *                         a write RCD - WL - 1); CCD since the last column command, CCDL since
 *                         that of its group of banks; of a read WL + BL + CDLR since the last
 *                         write, of a write CL + BL + 2 - WL since the last read.  With its last
 *                         burst the bank serves none.
 *               row       it serves one, and none is open: opens its row, RRD since any was opened,
 *                         RP since its own was closed and RC since it was opened.  Or another one
 *                         is open: closes it, RAS since it was opened, WL + BL + WR since its last
 *                         write, BL since its last read, RTPL since the last read of its group.
 *   5 admit     Of the slices' queues, from that after the last one on, the first whose head came
 *               in an earlier cycle and that has a place (one of its own, taken first and given
 *               back first, and in + out - slices + 1 for all of the channel; from here until it is
 *               over), unless `in` requests wait for banks: its head waits dram.wait cycles.
 *   6 pass      The first of those that waited so long is passed on, unless `in` wait for banks.
 *
 * Any fetch's sector waited from its cycle, and dram.wait more, to that of its column command.
 * Rows are closed when a launch starts; with l2.start = keep they, p and the slice that was served
 * last are as the launch before left them, and what came then is long ago.  The clock then goes on,
 * too: cycle 0 is the one behind the last of the launch before, and sums are of all its cycles.
 *
 * icnt.queues = input.  A packet that arrives at c, at a slice or an SM, does so at x instead, in
 * which it crosses: x is the first cycle from c on in which the packets that its sender sent before
 * have crossed, the last of them y cycles earlier or more, y = ceil(its size / icnt.width), and
 * likewise the last that crossed to the same receiver.  Of packets that could cross in one cycle
 * the one that arrived first does, then that of the lower sender, until none can.
 *
 * icnt.queues = router.  Requests and replies each go through a router (router.h) with
 * icnt.router.*, whose flits are of icnt.width bytes.  A packet is as many flits as its size takes,
 * and a reply is of one 32-byte sector: what is asked for has come with the last of its sectors.  A
 * load that is alone takes as long as above.  W = l2.latency - M - 16, with icnt.router.speedup = 0
 * l2.latency - M - 6, at least 1; Q = l2.queue; no credits, ports or rates (l2.rate) beside those
 * below.  The routers' turns go on from launch to
 * launch, and so does the place of SMs there: with sm.front a launch's first SM is the one behind
 * the last that got a CTA in the launch before.  A cycle c:
 *
 *   1 deliver  Each SM takes one reply, which it receives in cycle c + 1.
 *   2 send     Of each slice's replies the first that was made in an earlier cycle enters the
 *              router, if there is room.
 *   3 DRAM     as above
 *   4 slices   Each of them:
 *      take       one packet, if its requests and the sectors of an L2 line are Q at most.  Its
 *                 sectors, in ascending order, are requests of their own, and are delayed.
 *      answer     Of those that waited the first whose fill was in an earlier cycle becomes a
 *                 reply, unless there are Q: in order of fills, of one fill as they began to wait.
 *                 (profile = gpgpusim: an MSHR with whose fill requests no longer wait is in use
 *                 until the last of these has become a reply.)
 *      fill       what came first of what has come
 *      miss       With l2.misses = F > 0 and DRAM of banks, what look-ups ask of DRAM waits in a
 *                 queue, what they fetch before a line thrown out, and this before what a store
 *                 sends.  Its first one joins those that wait for DRAM, as of this cycle, unless Q
 *                 do.  While it holds any, a load or an atomic that is no hit fails QUEUE with
 *                 F - 1 in it or more, a store that is none, or is sent, with F or more; after
 *                 LINE, and before MSHR and MERGE.
 *      look up    the first request, unless Q replies are there or Q wait for DRAM (those of banks
 *                 that no tick admitted).  If it is accepted it leaves, and a hit becomes a reply;
 *                 else it is tried again every cycle.  (profile = gpgpusim, l2.rate > 0: after a
 *                 store that throws out n MODIFIED 32-byte sectors the next look-up comes
 *                 floor(n / l2.rate) cycles later, if that is more than 1.)
 *      delay      The first of those delayed becomes a request if it was taken at c + 1 - W or
 *                 before, and there are fewer than Q.
 *   5 routers  A cycle of each.
 *   6 SMs      as above, but that they send first, after receiving, in front of the look-ups: the
 *              queue's first packet enters the router, if there is room.
 *
 * The launch ends with its last CTA, in cycle `cycles` - 1.  What is then in LSUs or on its way is
 * simulated to its end and counted; lines that stay MODIFIED are written nowhere by then.  Issue
 * slots count up to that cycle, for all SMs alike, also those that had no CTA or ended before
 * (WS_STALL_EMPTY).  What stalls a scheduler is looked at when it is its turn in the cycle.
 *
 * Not modelled, and otherwise in GPGPU-Sim 4 (gpu-cache.cc, shader.cc, l2cache.cc):
 * - without l1.lookup, as in presets, the L1's latency comes after the look-up, not before it: the
 *   same times, shifted for tags and MSHRs;
 * - without a router, an MSHR of a slice is of a fetch, all missing sectors of one request, not of
 *   a sector; it is free with the fill, not when the last that waited is answered; its misses have
 *   no queue;
 * - without a router MSHRs of a slice, and without l1.mshr.rate of an L1, answer all that was
 *   merged in the cycle of the fill, not one a cycle;
 * - without profile = gpgpusim stores are taken to write whole sectors: none is partly readable;
 *   with it a store to a RESERVED sector does not make it MODIFIED before the data comes;
 * - data ports but for what stores throw out behind a router, dirty-line protection (write
 *   ratio), texture, constant and instruction caches;
 * - fences: traces do not hold them; instruction dependences other than on loads;
 * - one clock;
 * - without dram.timing, DRAM banks and turnarounds (a channel has one row open); refresh; what
 *   page tables ask of the memory;
 * - kernels that run side by side;
 * - without profile = gpgpusim atomics of a warp's lanes to one word one after the other: they are
 *   one request, where GPGPU-Sim makes one of each;
 * - the time that a packet itself takes through a port, without a router: it arrives after
 *   icnt.latency whatever its size, and only those behind it wait for the port;
 * - behind a router: more than one virtual channel, and a network's own clock.
 */
#ifndef WS_VALIDATE_CYCLE_H
#define WS_VALIDATE_CYCLE_H

#include "validate/validate.h"

#include <assert.h>

#define WS_HEADER_BYTES WS_PACKET_HEADER_BYTES

/* ---- packets between SMs and slices ------------------------------------------------------ */

struct ws_packet {
	uint64_t arrival;	/* cycle, at the other end */
	uint64_t address;	/* of the piece's L2 line */
	uint32_t sectors;	/* bit i: 32-byte sector i of that line */
	uint32_t ticket;	/* the SM's; comes back with the reply */
	uint32_t instruction;	/* that asked; UINT32_MAX: a line thrown out */
	uint32_t cta;		/* that asked, and which of its warps */
	uint16_t warp;
	uint16_t sm, slice;
	uint8_t kind;		/* enum ws_kind */
	bool partial;		/* a store's: .written is known */
	bool code;		/* of instructions; not counted */
	bool last;		/* the last answer of a slice's MSHR */
	struct ws_written written;
};

struct ws_packets {		/* in order; emptied and used again, so nothing is allocated per
				 * packet */
	struct ws_packet *packet;
	size_t head, count, cap; /* packet[head .. count - 1] are there */
};

/* for one */
enum ws_status ws_packets_room(struct ws_packets *p, struct ws_err *err) WS_MUST_CHECK;
void ws_packets_clear(struct ws_packets *p); /* frees; can be used again */

static inline size_t ws_packets_waiting(const struct ws_packets *p)
{
	return p->count - p->head;
}

static inline void ws_packets_empty(struct ws_packets *p)
{
	p->head = p->count = 0;
}

/* The place of one more, to be filled in; NULL: memory is out.  A packet that is made there costs
 * less than one that is made elsewhere and copied at once. */
static inline struct ws_packet *ws_packets_next(struct ws_packets *p, struct ws_err *err)
{
	if (p->head == p->count)
		p->head = p->count = 0;
	if (p->count == p->cap && ws_packets_room(p, err) != WS_OK)
		return NULL;
	return &p->packet[p->count++];
}

WS_MUST_CHECK static inline enum ws_status ws_packets_add(struct ws_packets *p,
							  const struct ws_packet *packet,
							  struct ws_err *err)
{
	struct ws_packet *to = ws_packets_next(p, err);

	if (!to)
		return WS_ENOMEM;
	*to = *packet;
	return WS_OK;
}

/* What tags.c and sub_sectors.c say of a look-up; the latter not which sectors. */
struct ws_answer {
	uint8_t outcome;	/* enum ws_outcome; WS_FAILED: nothing below but .cause is set */
	uint8_t cause;		/* enum ws_fail */
	uint32_t hits, pending;	/* 32-byte sectors that are there, and that are coming */
	uint32_t mshr;		/* that takes the fetch */
	uint32_t fetch;		/* 32-byte sectors to be fetched; 0: none */
	uint32_t send;		/* 32-byte sectors of a store that goes on to the next level; 0:
				 * none */
	uint32_t victim_sectors; /* 32-byte sectors MODIFIED of the line thrown out; 0: none */
	uint64_t victim;	/* its address */
	unsigned waits;		/* MSHRs that it waits for; 0: served at once */
};

/* How many; most are of lines of four, whose counts stand in a constant. */
static inline unsigned ws_sector_count(uint32_t sectors)
{
	return sectors < 16 ? (unsigned)(UINT64_C(0x4332322132212110) >> 4 * sectors) & 7
			    : ws_popcount(sectors);
}

/* A look-up of these sectors that was accepted; outcome: enum ws_outcome. */
static inline void ws_cycle_count(struct ws_cycle_counts *n, uint8_t outcome, uint32_t sectors)
{
	n->requests++;
	n->sectors += ws_sector_count(sectors);
	if (outcome == WS_HIT) {
		n->hits++;
	} else if (outcome == WS_PENDING) {
		n->pending++;
	} else {
		assert(outcome < WS_FAILED);
		n->misses++;
		n->sector_misses += outcome == WS_SECTOR_MISS;
	}
}

/* The same, each sector a request of its own; of those that miss the first finds no line if the
 * request found none. */
static inline void ws_cycle_count_each(struct ws_cycle_counts *n, const struct ws_answer *a,
				       uint32_t sectors)
{
	unsigned all = ws_popcount(sectors), hits = ws_popcount(sectors & a->hits);
	unsigned pending = ws_popcount(sectors & a->pending), misses = all - hits - pending;

	n->requests += all;
	n->hits += hits;
	n->pending += pending;
	n->misses += misses;
	n->sector_misses += misses - (a->outcome == WS_MISS);
	n->sectors += all;
}

struct ws_credit {
	uint64_t arrival;
	uint32_t sm;
};

struct ws_credits {		/* in no order */
	struct ws_credit *credit;
	size_t count, cap;
};

static inline uint64_t ws_packet_cycles(uint64_t bytes, uint64_t width)
{
	return bytes <= width ? 1 : (bytes + width - 1) / width;
}

static inline uint64_t ws_data_bytes(uint32_t sectors)
{
	return (uint64_t)ws_sector_count(sectors) * WS_SECTOR_BYTES;
}

/* From an SM. */
static inline uint64_t ws_request_bytes(uint8_t kind, uint32_t sectors)
{
	return WS_HEADER_BYTES + (kind == WS_LOAD ? 0 : ws_data_bytes(sectors));
}

/* Of what a slice sends for it. */
static inline uint64_t ws_reply_bytes(const struct ws_packet *p)
{
	return WS_HEADER_BYTES + (p->kind == WS_STORE ? 0 : ws_data_bytes(p->sectors));
}

/* ---- tags.c: tags, sector states, policy and MSHRs of one cache, an L1 or a slice ------------
 *
 * All of "look-up", "take a way" and "fill" above but what is sent where and when.  A look-up that
 * fails leaves everything as it was, the policy's words and random numbers too.
 */
struct ws_tags;

struct ws_lookup {
	struct ws_access access; /* WS_ATOMIC of a slice only */
	uint64_t set;
	uint32_t waiter;	/* what ws_tags_fill calls it, if it has to wait */
	uint32_t room;		/* packets that fit; UINT32_MAX: any number */
	uint32_t held;		/* MSHRs that are filled, whose place is not free yet */
	bool stays;		/* write-evict: a line that is reserved */
	bool full;		/* the queue has no place: nothing but a hit is accepted, or a store
				 * that hits and is not sent */
	const struct ws_written *written; /* by a store; NULL: all of its sectors */
};

/* use: the cache's policy.  piece_bytes: of which packets are (of a slice its line).  seed: of the
 * policy's random numbers. */
enum ws_status ws_tags_new(struct ws_tags **out, const struct ws_cache *cache,
			   const struct ws_use *use, uint64_t sets, uint64_t piece_bytes,
			   uint64_t seed, struct ws_err *err) WS_MUST_CHECK;
void ws_tags_free(struct ws_tags *t);
/* Changes the ways, before a flush.  Random numbers continue.  After a failure only ws_tags_free is
 * allowed. */
enum ws_status ws_tags_resize(struct ws_tags *t, uint64_t ways, struct ws_err *err) WS_MUST_CHECK;
void ws_tags_flush(struct ws_tags *t);	/* empty; no MSHR is in use.  Random numbers go on */
enum ws_status ws_tags_lookup(struct ws_tags *t, const struct ws_lookup *l, struct ws_answer *a,
			      struct ws_err *err) WS_MUST_CHECK;
/* The fetch of an MSHR is complete; it is free after.  *waiter, *count: who waited for it, in the
 * order in which they began to, each once; valid until the next call.  victim as in ws_answer
 * (on-fill). */
enum ws_status ws_tags_fill(struct ws_tags *t, uint32_t mshr, const uint32_t **waiter,
			    size_t *count,
			    uint64_t *victim, uint32_t *victim_sectors,
			    struct ws_err *err) WS_MUST_CHECK;
/* The policy's words of the cache, until it is resized. */
uint64_t *ws_tags_shared(const struct ws_tags *t);
/* l2.start = warm: a load that is filled at once. */
enum ws_status ws_tags_warm(struct ws_tags *t, uint64_t line, uint64_t set, uint32_t sectors,
			    struct ws_err *err) WS_MUST_CHECK;

/* ---- sub_sectors.c: the same of an L1 of words under tags of their own --------------------------
 *
 * Look-ups as above, the set aside; nothing is in .victim, but in ws_words_thrown.
 */
struct ws_words;

struct ws_thrown {		/* to be sent as a store */
	uint64_t line;
	uint32_t sectors;	/* MODIFIED words of it that were thrown out */
};

enum ws_status ws_words_new(struct ws_words **out, const struct ws_cache *cache,
			    const struct ws_use *use, uint64_t piece_bytes,
			    struct ws_err *err) WS_MUST_CHECK;
void ws_words_free(struct ws_words *w);
/* Empty; no MSHR is in use. */
void ws_words_launch(struct ws_words *w);
void ws_words_stats(const struct ws_words *w, struct ws_grain_stats *stats); /* since then */
enum ws_status ws_words_lookup(struct ws_words *w, const struct ws_lookup *l, struct ws_answer *a,
			       struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_words_fill(struct ws_words *w, uint32_t mshr, const uint32_t **waiter,
			     size_t *count, struct ws_err *err) WS_MUST_CHECK;
/* The last look-up's evictions: the first ones for its own block, the others by a change to a
 * larger grain. */
const struct ws_thrown *ws_words_thrown(const struct ws_words *w, size_t *first, size_t *count);
uint64_t ws_words_in_flight(const struct ws_words *w); /* MSHRs in use */

/* ---- core.c: the load-store unit, L1 and ports of one SM ----------------------------------------
 *
 * A struct ws_lsu (trace/trace.h) that the SM engine drives, between windows fed with packets.
 */
struct ws_core;

/* sites.c: counts by (instruction, array), one table for each SM and channel, then added up.  NULL:
 * not wanted.  The array is the instruction's or, if it has several, the one that holds the
 * address, which is that of the first sector asked for. */
struct ws_site_table;

enum ws_status ws_site_table_new(struct ws_site_table **out, const struct ws_launch *launch,
				 struct ws_err *err) WS_MUST_CHECK;
void ws_site_table_free(struct ws_site_table *p);
/* The counts of a site; NULL for an instruction of UINT32_MAX.  O(1), or O(log arrays). */
struct ws_cycle_site *ws_site_table_at(struct ws_site_table *p, uint32_t instruction,
				       uint64_t address);

/* use: the L1's policy, which must outlive the core. */
enum ws_status ws_core_new(struct ws_core **out, const struct ws_machine *m,
			   const struct ws_use *use, uint64_t sm, uint64_t seed,
			   struct ws_err *err) WS_MUST_CHECK;
void ws_core_free(struct ws_core *c);
struct ws_lsu *ws_core_lsu(struct ws_core *c);
/* Sets the ways of the L1 for the next launch (ws_machine_adapt); nothing else changes. */
enum ws_status ws_core_fit(struct ws_core *c, const struct ws_cache *l1,
			   struct ws_err *err) WS_MUST_CHECK;
/* The pipeline that executes the next launch; NULL: no sm.pipeline. */
void ws_core_pipeline(struct ws_core *c, const struct ws_pipeline *p);
/* past[instruction]: its loads and stores go past the L1 in the next launch; NULL: none do. */
void ws_core_past(struct ws_core *c, const bool *past);
/* Empties L1, LSU and ports; cycles start from 0.  Counts go to *stats, which the caller clears.
 * accepted (NULL: not wanted) gets the requests of a memory op when the last of them is accepted.
 * Their .cycle is that in which each was accepted; .fetch is WS_FETCH_COMING until it is known.
 * ws_core_take empties it. */
#define WS_FETCH_COMING UINT64_MAX
void ws_core_launch(struct ws_core *c, struct ws_core_stats *stats, struct ws_site_table *sites,
		    struct ws_stream *accepted);
/* Adds a reply or a credit that arrives in a future cycle; replies in order of arrival. */
enum ws_status ws_core_reply(struct ws_core *c, const struct ws_packet *p,
			     struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_core_credit(struct ws_core *c, uint64_t arrival,
			      struct ws_err *err) WS_MUST_CHECK;
/* How many of the first requests of `accepted` have their .fetch; `known` had it before. */
size_t ws_core_known(const struct ws_core *c, size_t known);
void ws_core_take(struct ws_core *c, size_t count); /* removes the first count of them, 1 or more */
void ws_core_end(struct ws_core *c); /* the launch has ended: the rest of stats */
struct ws_packets *ws_core_sent(struct ws_core *c); /* since the caller last emptied it */
/* With routers: how many bytes the router can take, until the next call. */
void ws_core_room_for(struct ws_core *c, uint64_t bytes);
uint64_t ws_core_in_flight(const struct ws_core *c); /* MSHRs in use */
/* shared[]: the policy's words of each of its L1s (ws_tags_shared), possibly none; returns how
 * many. */
size_t ws_core_shared(const struct ws_core *c, uint64_t **shared);
void ws_core_met(struct ws_core *c, uint64_t cycle); /* its policies' words changed before cycle */

/* ---- slice.c: the slices of one DRAM channel, and the channel ---------------------------- */

struct ws_channel;

/* DRAM's clock beside the SMs', in seconds or parts of them; all channels have the same. */
struct ws_dram_clock {
	uint64_t tick, cycle;		/* the next tick, and the cycle before whose phases it is */
	double at, begins;		/* when the tick is, and when the cycle begins */
	double tick_takes, cycle_takes;
};

/* In banks.c, for machines with dram.timing: both clocks start from 0. */
void ws_dram_clock_start(struct ws_dram_clock *c, const struct ws_machine *m);
/* That many cycles later, of which the last is cycle 0 of what follows.  O(cycles): times are added
 * up one by one. */
void ws_dram_clock_go_on(struct ws_dram_clock *c, uint64_t cycles);

/* use: the L2's policy. */
enum ws_status ws_channel_new(struct ws_channel **out, const struct ws_machine *m,
			      const struct ws_use *use, uint64_t channel, uint64_t seed,
			      struct ws_err *err) WS_MUST_CHECK;
void ws_channel_free(struct ws_channel *c);
/* As l2.start says: empties the L2, fills it with the launch's arrays, or keeps its contents.
 * clock: of DRAM, as the launch begins. */
enum ws_status ws_channel_launch(struct ws_channel *c, const struct ws_launch *launch,
				 const struct ws_dram_clock *clock,
				 struct ws_slice_stats *stats /* [slices of the channel] */,
				 struct ws_site_table *sites, struct ws_err *err) WS_MUST_CHECK;
/* Adds a packet for one of its slices; in order of (arrival, SM). */
enum ws_status ws_channel_push(struct ws_channel *c, const struct ws_packet *p,
			       struct ws_err *err) WS_MUST_CHECK;
/* Simulates the cycles before `end`; *due: the next cycle with work, from `end` on. */
enum ws_status ws_channel_run(struct ws_channel *c, uint64_t end, uint64_t *due,
			      struct ws_err *err) WS_MUST_CHECK;
size_t ws_channel_shared(const struct ws_channel *c, uint64_t **shared); /* of its slices */
/* With routers, of a slice of the channel: can it take a packet?  The reply that it has to send in
 * the cycle, NULL: none.  That reply was sent. */
bool ws_channel_open(const struct ws_channel *c, size_t slice);
const struct ws_packet *ws_channel_offer(const struct ws_channel *c, size_t slice, uint64_t cycle);
void ws_channel_sent(struct ws_channel *c, size_t slice);
struct ws_packets *ws_channel_replies(struct ws_channel *c); /* in order of (arrival, slice) */
struct ws_credits *ws_channel_credits(struct ws_channel *c);

/* ---- run.c ------------------------------------------------------------------------------- */

/* ws_cycles_run in windows of at most `window` cycles, 0: as long as possible.  The result does not
 * depend on it; tests check that. */
enum ws_status ws_cycles_windows(struct ws_cycle_result **out, size_t *launches,
				 const struct ws_trace *t, const struct ws_machine *m,
				 const struct ws_cycle_options *options, uint64_t window,
				 struct ws_err *err) WS_MUST_CHECK;

#endif
