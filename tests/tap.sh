# SPDX-License-Identifier: GPL-3.0-or-later
# Read by scripts that are tests: results as TAP.
n=0 bad=0

report() { # STATUS TEXT [FILE to show]
	n=$((n + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $n - $2"
	else
		echo "not ok $n - $2"
		[ -z "${3:-}" ] || sed 's/^/# /' "$3" | head -n 20
		bad=1
	fi
}
skip() { # of the whole script: TEXT WHY
	echo "ok 1 - $1 # SKIP $2"
	echo 1..1
	exit 0
}
