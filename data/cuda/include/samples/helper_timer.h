/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * helper_timer.h -- stop watches of the host's clock, in milliseconds, under the names of NVIDIA's
 * samples.
 */
#pragma GCC system_header
#ifndef WARPSTACK_SAMPLES_HELPER_TIMER_H
#define WARPSTACK_SAMPLES_HELPER_TIMER_H

#include <sys/time.h>
#include <time.h>

class StopWatchInterface
{
public:
	virtual ~StopWatchInterface() {}
	virtual void start() = 0;
	virtual void stop() = 0;
	virtual void reset() = 0;
	virtual float getTime() = 0;	/* of all sessions, the one that runs included */
	virtual float getAverageTime() = 0;
};

class StopWatchLinux : public StopWatchInterface
{
	double begun, total;
	bool running;
	int sessions;

	static double now()
	{
		timespec t;

		clock_gettime(CLOCK_MONOTONIC, &t);
		return t.tv_sec * 1e3 + t.tv_nsec * 1e-6;
	}

public:
	StopWatchLinux() : begun(0), total(0), running(false), sessions(0) {}
	void start()
	{
		begun = now();
		running = true;
	}
	void stop()
	{
		total += running ? now() - begun : 0;
		sessions += running;
		running = false;
	}
	void reset()
	{
		total = 0;
		sessions = 0;
		begun = now();
	}
	float getTime() { return (float)(total + (running ? now() - begun : 0)); }
	float getAverageTime() { return sessions ? (float)(total / sessions) : 0; }
};

inline bool sdkCreateTimer(StopWatchInterface **timer)
{
	*timer = new StopWatchLinux;
	return true;
}
inline bool sdkDeleteTimer(StopWatchInterface **timer)
{
	delete *timer;
	*timer = 0;
	return true;
}
inline bool sdkStartTimer(StopWatchInterface **timer)
{
	if (*timer)
		(*timer)->start();
	return true;
}
inline bool sdkStopTimer(StopWatchInterface **timer)
{
	if (*timer)
		(*timer)->stop();
	return true;
}
inline bool sdkResetTimer(StopWatchInterface **timer)
{
	if (*timer)
		(*timer)->reset();
	return true;
}
inline float sdkGetTimerValue(StopWatchInterface **timer)
{
	return *timer ? (*timer)->getTime() : 0;
}
inline float sdkGetAverageTimerValue(StopWatchInterface **timer)
{
	return *timer ? (*timer)->getAverageTime() : 0;
}

#endif
