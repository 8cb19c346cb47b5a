# SPDX-License-Identifier: GPL-3.0-or-later
"""warpstack from Python: traces, profiles, predictions and simulations of GPU caches.

One file over the C library by ctypes; it needs the standard library alone.

    import warpstack as ws

    trace = ws.trace("mm.launch")                       # runs the kernels on the CPU
    rows = trace.sweep("l1.size=8K:64K:x2", machine="gtx480", kind="load")
    rows.dataframe()                                    # with pandas; rows is a list of dicts

    with trace.profile("gtx480") as profile:            # rows in microseconds
        profile.sweep("l1.policy=all")

Rows have the columns of the command (`warpstack help columns`), with None where a value is
missing.  Errors of the library are exceptions of class Error, with its message and status.  The
library is the file in WARPSTACK_LIB, else the one beside this file's tree (build/release), else the
installed one; of another version than this file it is refused.
"""

import collections
import ctypes
import ctypes.util
import json
import logging
import os

__version__ = "0.2.0"
__all__ = ["Error", "VersionError", "Machine", "Trace", "Profile", "Rows", "columns", "data",
           "keys", "library_version", "machines", "open", "policies", "profile", "trace"]

log = logging.getLogger("warpstack")

STATUS = ("OK", "EINVAL", "EFORMAT", "EINPUT", "EIO", "ENOMEM", "ENOCONV")


class Error(Exception):
    """What the library says: str(e) is its sentence, e.status the name of its status, e.more the
    lines below it, such as a compiler's with the source ("" if there are none).

    EINVAL: a value out of range or a name unknown.  EFORMAT: an input is malformed; the sentence
    has file and place.  EINPUT: an input is missing, or a kernel failed.  EIO, ENOMEM, ENOCONV (a
    solver did not converge).
    """

    def __init__(self, message, status="EINVAL", more=""):
        super().__init__(message)
        self.status = status
        self.more = more


class VersionError(Error):
    """The library is of another version than this file."""


# ---- structs of the public headers; tests/check-python compares their layout with C's -----------------

c_char_p, c_void_p, c_size_t, c_uint = (ctypes.c_char_p, ctypes.c_void_p, ctypes.c_size_t,
                                        ctypes.c_uint)
c_u8, c_u32, c_u64, c_bool = ctypes.c_uint8, ctypes.c_uint32, ctypes.c_uint64, ctypes.c_bool
c_double, c_int = ctypes.c_double, ctypes.c_int


class ws_err(ctypes.Structure):
    _fields_ = [("status", c_int), ("text", ctypes.c_char * 1024), ("remedy", c_int),
                ("more", ctypes.c_char * 2048)]


class ws_buf(ctypes.Structure):
    _fields_ = [("data", c_void_p), ("len", c_size_t), ("cap", c_size_t), ("failed", c_bool)]


class ws_in(ctypes.Structure):
    _fields_ = [("data", c_void_p), ("len", c_size_t), ("name", c_char_p), ("map", c_void_p)]


class ws_out(ctypes.Structure):
    _fields_ = [("file", c_void_p), ("path", c_char_p), ("offset", c_u64), ("failed", c_bool),
                ("why", c_int), ("no_sync", c_bool), ("target", c_void_p)]


class ws_list(ctypes.Structure):
    _fields_ = [("item", ctypes.POINTER(c_char_p)), ("count", c_size_t), ("cap", c_size_t)]


SAY = ctypes.CFUNCTYPE(None, c_void_p, c_char_p)
PARTIAL = ctypes.CFUNCTYPE(None, c_void_p, c_char_p, c_u64, c_u64)
OURS = ctypes.CFUNCTYPE(c_bool, c_void_p, c_size_t)


class ws_study_options(ctypes.Structure):
    _fields_ = [("machine", c_char_p), ("set", ws_list), ("vary", ws_list), ("order", c_char_p),
                ("l2_what_if", c_bool), ("own", c_bool), ("levels", c_uint), ("latency", c_bool),
                ("cycles", c_bool), ("seed", c_u64), ("runs", c_u64), ("kind", c_char_p),
                ("by", c_char_p), ("kernel", c_char_p), ("verify", c_bool), ("band", c_bool),
                ("search", c_bool), ("budget", c_u64), ("part", c_u64), ("parts", c_u64),
                ("threads", c_uint), ("sample", c_double), ("sample_lines", c_u64),
                ("context", c_void_p), ("note", SAY), ("detail", SAY), ("progress", c_bool),
                ("hint", c_char_p), ("cancelled", c_void_p)]


class ws_study_input(ctypes.Structure):
    _fields_ = [("trace", c_void_p), ("profile", c_void_p)]


class ws_import_options(ctypes.Structure):
    _fields_ = [("arrays", c_bool), ("partial", PARTIAL), ("context", c_void_p),
                ("listed", c_bool)]


class ws_capture_options(ctypes.Structure):
    _fields_ = [("threads", c_uint), ("local", c_bool), ("no_source", c_bool),
                ("max_threads", c_u64), ("budget", c_u64),
                ("seconds", c_u64), ("machine", c_void_p), ("progress", c_void_p),
                ("context", c_void_p), ("out_of_bounds", c_int), ("outside", c_void_p),
                ("unmet", c_void_p), ("cache", c_void_p), ("test", c_void_p)]


class ws_launch_spec(ctypes.Structure):
    _fields_ = [("kernel", c_void_p), ("dim", c_uint), ("global", c_u64 * 3), ("local", c_u64 * 3),
                ("offset", c_u64 * 3), ("registers", c_u64), ("repeat", c_u64), ("arg", c_void_p),
                ("args", c_size_t), ("line", c_int)]


class ws_program(ctypes.Structure):
    _fields_ = [("name", c_void_p), ("source", c_void_p), ("options", c_void_p),
                ("options_line", c_int), ("device_base", c_u64), ("device_align", c_u64),
                ("buffer", c_void_p), ("buffers", c_size_t), ("launch", c_void_p),
                ("launches", c_size_t), ("check", c_void_p), ("checks", c_size_t)]


class ws_launch(ctypes.Structure):
    _fields_ = [("kernel", c_char_p), ("grid", c_u64 * 3), ("block", c_u64 * 3),
                ("shared_bytes", c_u64), ("registers", c_u64), ("array", c_void_p),
                ("instruction", c_void_p), ("segment", c_void_p), ("file", c_void_p), ("text", c_void_p),
                ("arrays", c_size_t), ("instructions", c_size_t), ("segments", c_size_t),
                ("files", c_size_t), ("executed", c_u64), ("code", c_void_p), ("reg", c_void_p),
                ("run", c_void_p), ("path", c_void_p), ("copy", c_void_p), ("codes", c_size_t),
                ("regs", c_size_t), ("runs", c_size_t), ("paths", c_size_t), ("copies", c_size_t),
                ("unmet", c_void_p), ("unmets", c_size_t), ("ctas", c_u64), ("accesses", c_u64 * 3)]


class ws_key(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("type", c_int), ("stage", c_int), ("offset", c_size_t),
                ("min", c_u64), ("max", c_u64), ("pow2", c_bool),
                ("choices", ctypes.POINTER(c_char_p)), ("unit", c_char_p), ("help", c_char_p),
                ("fallback", c_char_p)]


class ws_column(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("unit", c_char_p), ("type", c_int), ("decimals", c_int),
                ("brief", c_uint), ("meaning", c_char_p), ("formula", c_char_p),
                ("when", c_char_p)]


class ws_column_group(ctypes.Structure):
    _fields_ = [("title", c_char_p), ("first", c_int)]


class ws_policy(ctypes.Structure):  # its first members
    _fields_ = [("name", c_char_p), ("params", c_char_p), ("summary", c_char_p),
                ("source", c_char_p)]


STRUCTS = (ws_err, ws_buf, ws_in, ws_out, ws_list, ws_study_options, ws_study_input,
           ws_import_options, ws_capture_options, ws_launch_spec, ws_program, ws_launch, ws_key,
           ws_column, ws_column_group)
PARTS = (ws_policy,)  # structs whose first members alone are here


# ---- the library -----------------------------------------------------------------------------

# Functions that return no status: result, arguments.  All others return one, and the last argument
# is a struct ws_err.
PLAIN = {
    "ws_version": (c_char_p, []),
    "ws_buf_clear": (None, [c_void_p]),
    "ws_in_close": (None, [c_void_p]),
    "ws_out_abort": (None, [c_void_p]),
    "ws_data_path": (c_void_p, [c_char_p]),
    "ws_strdup": (c_void_p, [c_char_p]),
    "ws_trace_recognise": (c_bool, [c_void_p, c_size_t]),
    "ws_trace_close": (None, [c_void_p]),
    "ws_trace_launches": (c_size_t, [c_void_p]),
    "ws_trace_launch": (ctypes.POINTER(ws_launch), [c_void_p, c_size_t]),
    "ws_trace_copy": (None, [c_void_p, c_void_p]),
    "ws_trace_format_find": (c_void_p, [c_char_p]),
    "ws_profile_recognise": (c_bool, [c_void_p, c_size_t]),
    "ws_profile_free": (None, [c_void_p]),
    "ws_program_clear": (None, [c_void_p]),
    "ws_program_add_launch": (ctypes.POINTER(ws_launch_spec), [c_void_p, c_int]),
    "ws_launch_grid": (c_bool, [c_void_p]),
    "ws_capture_cache": (c_void_p, []),
}
FALLIBLE = {
    "ws_in_open": [c_void_p, c_char_p],
    "ws_in_unpack": [c_void_p, OURS],
    "ws_out_open": [c_void_p, c_char_p],
    "ws_out_commit": [c_void_p],
    "ws_machine_list": [c_void_p, c_void_p],
    "ws_trace_open_in": [c_void_p, c_void_p],
    "ws_trace_format_recognise": [c_void_p, c_void_p],
    "ws_import_trace": [c_void_p, c_void_p, c_void_p, c_void_p],
    "ws_profile_read": [c_void_p, c_void_p],
    "ws_profile_write": [c_void_p, c_void_p],
    "ws_program_parse": [c_void_p, c_char_p, c_void_p, c_size_t],
    "ws_program_arg": [c_void_p, c_char_p],
    "ws_capture_trace": [c_void_p, c_void_p, c_void_p],
    "ws_study_json": [c_void_p, c_void_p, c_bool, c_void_p],
    "ws_study_profile": [c_void_p, c_void_p, c_void_p],
    "ws_study_conf": [c_void_p, c_void_p],
}


def _candidates():
    """WARPSTACK_LIB alone if it is set; else the build folder, the install prefix, the system."""
    if os.environ.get("WARPSTACK_LIB"):
        yield os.environ["WARPSTACK_LIB"]
        return
    here = os.path.dirname(os.path.realpath(__file__))
    yield os.path.join(here, "..", "build", "release", "libwarpstack.so")
    folder = here  # PREFIX/lib/python3/dist-packages, PREFIX/share/warpstack/python
    for _ in range(4):
        folder = os.path.dirname(folder)
        yield os.path.join(folder, "lib", "libwarpstack.so.0")
    yield "libwarpstack.so.0"
    yield "/usr/local/lib/libwarpstack.so.0"


def _load():
    tried = []
    for path in _candidates():
        if os.sep in path and not os.environ.get("WARPSTACK_LIB") and not os.path.exists(path):
            continue
        try:
            library = ctypes.CDLL(os.path.normpath(path) if os.sep in path else path)
        except OSError as e:
            tried.append(str(e))
            continue
        return library
    raise Error("libwarpstack.so is not found: build it, install it, or name it in WARPSTACK_LIB"
                + "".join("; " + t for t in tried), "EINPUT")


def _check(version):
    """Structs are those of one version."""
    if version != __version__:
        raise VersionError("warpstack.py is of version %s and the library of %s: want the same"
                           % (__version__, version))


def _declare(library):
    library.ws_version.restype = c_char_p
    _check(library.ws_version().decode())
    for name, (result, arguments) in PLAIN.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    for name, arguments in FALLIBLE.items():
        function = getattr(library, name)
        function.restype, function.argtypes = c_int, arguments + [c_void_p]
    return library


_lib = _declare(_load())
_free = ctypes.CDLL(None).free
_free.restype, _free.argtypes = None, [c_void_p]


def _call(name, *arguments):
    """Calls a function that returns a status; a failure is raised."""
    err = ws_err()
    status = getattr(_lib, name)(*arguments, ctypes.byref(err))
    if status:
        raise Error(err.text.decode("utf-8", "replace") or name, STATUS[status],
                    err.more.decode("utf-8", "replace"))


def _bytes(text):
    return None if text is None else os.fsencode(text)


def _taken(pointer):
    """The text at an allocated pointer, which is freed; None: NULL."""
    if not pointer:
        return None
    text = ctypes.cast(pointer, c_char_p).value
    _free(pointer)
    return os.fsdecode(text)


def library_version():
    return _lib.ws_version().decode()


def data(relative):
    """The path of an installed data file ("kernel/mm-16x8.launch"), or None."""
    return _taken(_lib.ws_data_path(_bytes(relative)))


# ---- machines, keys, policies --------------------------------------------------------------

def machines():
    """The names of all presets."""
    names, count = ctypes.POINTER(c_void_p)(), c_size_t()
    _call("ws_machine_list", ctypes.byref(names), ctypes.byref(count))
    texts = [_taken(names[i]) for i in range(count.value)]
    _free(ctypes.cast(names, c_void_p))
    return texts


def keys():
    """All keys of a machine: name -> what it is."""
    table, found, i = ctypes.cast(_lib.ws_keys, ctypes.POINTER(ws_key)), {}, 0
    while table[i].name:
        found[table[i].name.decode()] = table[i].help.decode()
        i += 1
    return found


def policies():
    """All replacement policies: name -> summary."""
    table = ctypes.cast(_lib.ws_policies, ctypes.POINTER(ctypes.POINTER(ws_policy)))
    found, i = {}, 0
    while table[i]:
        found[table[i].contents.name.decode()] = table[i].contents.summary.decode()
        i += 1
    return found


def columns():
    """All columns of rows: name -> what it is."""
    return {c.name.decode(): c.meaning.decode() for c in _columns()}


def _columns():
    groups = ctypes.cast(_lib.ws_column_groups, ctypes.POINTER(ws_column_group))
    i = 0
    while groups[i].title:
        i += 1
    table = ctypes.cast(_lib.ws_columns, ctypes.POINTER(ws_column))
    return [table[c] for c in range(groups[i].first)]


def _assignments(settings):
    """Texts "KEY=VALUE" of a dict, a list of such texts, or one."""
    if settings is None:
        return []
    if isinstance(settings, str):
        return [settings]
    if isinstance(settings, dict):
        return ["%s=%s" % (k, ",".join(map(str, v)) if isinstance(v, (list, tuple, range)) else v)
                for k, v in settings.items()]
    return [str(s) for s in settings]


class Machine(collections.abc.Mapping):
    """A preset, a .conf file or a gpgpusim.config, with keys set: Machine("gtx480",
    {"l1.size": "32K"}).  Reads as a mapping of all keys to their values, as texts."""

    def __init__(self, name="gtx480", set=None):
        self.name, self.set, self._value = os.fspath(name), _assignments(set), {}
        out = ws_buf()
        try:
            o = _Options(self)
            _call("ws_study_conf", ctypes.byref(o.c), ctypes.byref(out))
            self.conf = ctypes.string_at(out.data, out.len).decode()
        finally:
            _lib.ws_buf_clear(ctypes.byref(out))
        for line in self.conf.splitlines():
            key, equals, value = line.partition("=")
            if equals and not line.startswith("#"):
                self._value[key.strip()] = value.strip()

    def __getitem__(self, key):
        return self._value[key]

    def __iter__(self):
        return iter(self._value)

    def __len__(self):
        return len(self._value)

    def __repr__(self):
        return "Machine(%r%s)" % (self.name, ", %r" % self.set if self.set else "")


# ---- a query ---------------------------------------------------------------------------------

LEVELS = {"l1": 1, "l2": 2, "all": 3}


class _Options:
    """struct ws_study_options of keyword arguments; messages go to the logger "warpstack"."""

    def __init__(self, machine=None, set=None, vary=None, order=None, level="l1", kind=None,
                 by=None, kernel=None, latency=False, verify=False, runs=0, seed=1, threads=0,
                 sample=0.0, sample_lines=0):
        if level not in LEVELS:
            raise Error("level=%s: want one of %s" % (level, ", ".join(LEVELS)))
        assigned = _assignments(set)
        if isinstance(machine, Machine):
            machine, assigned = machine.name, machine.set + assigned
        own = order == "own"
        self.c = ws_study_options(
            machine=_bytes(machine), set=self._list(assigned), vary=self._list(_assignments(vary)),
            order=b"cycles" if own else _bytes(order), own=own, levels=LEVELS[level],
            latency=latency, seed=seed, runs=runs, kind=_bytes(kind), by=_bytes(by),
            kernel=_bytes(kernel), verify=verify, band=True, threads=threads, sample=sample,
            sample_lines=sample_lines, note=SAY(self._note), detail=SAY(self._detail))

    @staticmethod
    def _list(texts):
        array = (c_char_p * max(len(texts), 1))(*map(_bytes, texts))
        result = ws_list(ctypes.cast(array, ctypes.POINTER(c_char_p)), len(texts), len(texts))
        result.keep = array
        return result

    @staticmethod
    def _note(_context, text):
        log.warning("%s", text.decode("utf-8", "replace"))

    @staticmethod
    def _detail(_context, text):
        log.info("%s", text.decode("utf-8", "replace"))



_REAL = 2  # WS_COLUMN_REAL
_reals = frozenset(c.name.decode() for c in _columns() if c.type == _REAL)


def _row(pairs):
    """A real is written as 1 where it is 1.0."""
    return {k: float(v) if k in _reals and isinstance(v, int) else v for k, v in pairs}


class Rows(list):
    """Rows as dicts of column to value (None: missing)."""

    def dataframe(self):
        """A pandas.DataFrame of the rows, NaN where a value is missing; needs pandas."""
        import pandas
        return pandas.DataFrame(list(self), columns=list(self[0]) if self else None)

    def column(self, name):
        """All values of a column: a numpy array, where NumPy is, else a list."""
        values = [row[name] for row in self]
        try:
            import numpy
        except ImportError:
            return values
        return numpy.array(values)

    def table(self, *columns):
        """The rows as aligned text: these columns, or all that have a value."""
        names = columns or [n for n in (self[0] if self else ())
                            if any(row[n] is not None for row in self)]
        cells = [list(names)] + [[self._text(row[n]) for n in names] for row in self]
        widths = [max(len(line[i]) for line in cells) for i in range(len(names))]
        number = [bool(self) and all(isinstance(row[n], (int, float, type(None))) for row in self)
                  for n in names]
        lines = [[c.rjust(w) if r else c.ljust(w) for c, w, r in zip(line, widths, number)]
                 for line in cells]
        return "\n".join("  ".join(line).rstrip() for line in lines)

    @staticmethod
    def _text(value):
        if value is None:
            return ""
        return "%.4f" % value if isinstance(value, float) else str(value)


class _Handle:
    """What the library owns, closed at the end of a with statement, by close(), or when it is
    collected."""

    _close = None

    def __init__(self, pointer):
        self._pointer = pointer

    @property
    def _as_parameter_(self):
        if not self._pointer:
            raise Error("the %s is closed" % type(self).__name__.lower())
        return self._pointer

    def close(self):
        pointer, self._pointer = self._pointer, None
        if pointer:
            getattr(_lib, self._close)(pointer)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        try:
            self.close()
        except (AttributeError, TypeError):  # at the end of the interpreter
            pass

    def _rows(self, simulate, options):
        out, asked = ws_buf(), ws_study_input(**{self._input: self._as_parameter_})
        try:
            o = _Options(**options)
            _call("ws_study_json", ctypes.byref(o.c), ctypes.byref(asked), simulate,
                  ctypes.byref(out))
            text = ctypes.string_at(out.data, out.len) if out.len else b""
        finally:
            _lib.ws_buf_clear(ctypes.byref(out))
        return Rows(json.loads(line, object_pairs_hook=_row) for line in text.splitlines())

    def predict(self, machine=None, **options):
        """Rows of one machine by the model, a row for each kind of request.

        machine: a Machine, a preset or a path.  set: {"l1.ways": 8}.  level: "l1", "l2", "all".
        kind: "load", "store", "atomic", "all".  by: "array", "line", "site".  Also order, kernel,
        latency, verify, runs, seed, threads, sample, sample_lines, as of the command.
        """
        return self._rows(False, dict(options, machine=machine))

    def sweep(self, vary, machine=None, **options):
        """Rows over ranges: vary="l1.size=8K:64K:x2", or a list of such texts, or
        {"l1.ways": [1, 2, 4]}; the last varies fastest.  Else as predict, of all kinds together."""
        options.setdefault("kind", "all")
        return self._rows(False, dict(options, machine=machine, vary=vary))

    def _save(self, path, write):
        out = ws_out()
        _call("ws_out_open", ctypes.byref(out), _bytes(path))
        try:
            write(out)
            _call("ws_out_commit", ctypes.byref(out))
        finally:
            _lib.ws_out_abort(ctypes.byref(out))


Launch = collections.namedtuple("Launch", "kernel grid block ctas shared_bytes loads stores atomics")


class Trace(_Handle):
    """The memory accesses of kernels, independent of any machine."""

    _close, _input = "ws_trace_close", "trace"

    def simulate(self, machine=None, **options):
        """Rows by the functional simulator, of any policy; vary as of sweep, else as predict."""
        return self._rows(True, dict(options, machine=machine))

    def profile(self, machine=None, **options):
        """Measures stack distances once: a Profile, which answers in microseconds a row."""
        pointer = c_void_p()
        o = _Options(machine=machine, **options)
        _call("ws_study_profile", ctypes.byref(o.c), self, ctypes.byref(pointer))
        return Profile(pointer.value)

    def save(self, path):
        """Writes a .wst file."""
        self._save(path, lambda out: _lib.ws_trace_copy(self, ctypes.byref(out)))

    @property
    def launches(self):
        """What ran: a list of Launch."""
        found = []
        for i in range(_lib.ws_trace_launches(self)):
            l = _lib.ws_trace_launch(self, i).contents
            found.append(Launch(l.kernel.decode(), tuple(l.grid), tuple(l.block), l.ctas,
                                l.shared_bytes, *l.accesses))
        return found


class Profile(_Handle):
    """Stack distances of a trace in the order of one machine."""

    _close, _input = "ws_profile_free", "profile"

    def save(self, path):
        """Writes a .wsp file."""
        self._save(path, lambda out: _call("ws_profile_write", self, ctypes.byref(out)))


# ---- inputs ------------------------------------------------------------------------------------

@OURS
def _is_ours(start, length):
    return _lib.ws_trace_recognise(start, length) or _lib.ws_profile_recognise(start, length)


def _partial(_context, kernel, has, grid):
    log.warning("%s has %d of its %d CTAs there", kernel.decode("utf-8", "replace"), has, grid)


def _capture(program, threads, seconds, local):
    pointer, cache = c_void_p(), _lib.ws_capture_cache()
    options = ws_capture_options(threads=threads, seconds=seconds, local=local, cache=cache)
    try:
        _call("ws_capture_trace", ctypes.byref(pointer), ctypes.byref(program),
              ctypes.byref(options))
    finally:
        _free(cache)
    return Trace(pointer.value)


def _launch_file(source, threads, seconds, local):
    program = ws_program()
    try:
        _call("ws_program_parse", ctypes.byref(program), source.name, source.data, source.len)
        return _capture(program, threads, seconds, local)
    finally:
        _lib.ws_program_clear(ctypes.byref(program))


def _foreign(source, format):
    pointer = c_void_p()
    options = ws_import_options(arrays=True, partial=PARTIAL(_partial))
    _call("ws_import_trace", ctypes.byref(pointer), ctypes.byref(source), format,
          ctypes.byref(options))
    return Trace(pointer.value)


def _own(source, is_trace):
    pointer = c_void_p()
    if is_trace:
        _call("ws_trace_open_in", ctypes.byref(pointer), ctypes.byref(source))
        return Trace(pointer.value)
    _call("ws_profile_read", ctypes.byref(pointer), ctypes.byref(source))
    return Profile(pointer.value)


def open(path, format=None, threads=0, seconds=60, local=False):
    """A Trace or a Profile: a .wst or .wsp file, another tool's trace (format: its name, if its
    first bytes do not tell), packed or not, or a launch file, whose kernels are run.  threads:
    0: all cores; seconds: that a kernel may take; local: records shared memory, too."""
    source, found = ws_in(), c_void_p()
    wanted = _lib.ws_trace_format_find(_bytes(format)) if format else None
    if format and not wanted:
        raise Error("format=%s: there is none of that name" % format)
    _call("ws_in_open", ctypes.byref(source), _bytes(path))
    try:
        _call("ws_in_unpack", ctypes.byref(source), _is_ours)
        if _lib.ws_trace_recognise(source.data, source.len):
            return _own(source, True)
        if _lib.ws_profile_recognise(source.data, source.len):
            return _own(source, False)
        if not wanted:
            _call("ws_trace_format_recognise", ctypes.byref(source), ctypes.byref(found))
        if wanted or found.value:
            return _foreign(source, wanted or found)
        return _launch_file(source, threads, seconds, local)
    finally:
        _lib.ws_in_close(ctypes.byref(source))


def profile(path):
    """A Profile of a .wsp file."""
    found = open(path)
    if not isinstance(found, Profile):
        found.close()
        raise Error("%s is no profile" % os.fspath(path))
    return found


def _sizes(what, sizes):
    sizes = (sizes,) if isinstance(sizes, int) else tuple(sizes)
    if not 1 <= len(sizes) <= 3 or any(not isinstance(n, int) or n < 1 for n in sizes):
        raise Error("%s=%r: want one to three numbers from 1 on" % (what, sizes))
    return sizes


def trace(path, kernel=None, grid=None, block=None, args=(), build="", format=None, threads=0,
          seconds=60, local=False):
    """A Trace of a file as of open(), or of a kernel in a source of OpenCL C or CUDA:

        trace("mm.cu", "mm", grid=(10, 10), block=(16, 16),
              args=["A=buffer:float:25600:random", "width=160"])

    args: in order, as --arg of the command has them, or a dict.  build: the compiler's options.
    """
    if kernel is None:
        found = open(path, format, threads, seconds, local)
        if not isinstance(found, Trace):
            found.close()
            raise Error("%s is a profile: want a trace or a launch file" % os.fspath(path))
        return found
    grid, block = _sizes("grid", grid or ()), _sizes("block", block or ())
    if len(grid) != len(block):
        raise Error("grid=%r and block=%r: want as many numbers in both" % (grid, block))
    program = ws_program(source=_lib.ws_strdup(_bytes(path)), options=_lib.ws_strdup(_bytes(build)))
    try:
        spec = _lib.ws_program_add_launch(ctypes.byref(program), 0)
        if not spec:
            raise Error("out of memory", "ENOMEM")
        spec.contents.kernel, spec.contents.dim = _lib.ws_strdup(_bytes(kernel)), len(grid)
        for i, (ctas, threads_of) in enumerate(zip(grid, block)):
            getattr(spec.contents, "global")[i], spec.contents.local[i] = ctas, threads_of
        if not _lib.ws_launch_grid(spec):
            raise Error("grid=%r: want less than 2^64 threads in each dimension" % (grid,))
        for text in _assignments(args):
            _call("ws_program_arg", ctypes.byref(program), _bytes(text))
        return _capture(program, threads, seconds, local)
    finally:
        _lib.ws_program_clear(ctypes.byref(program))
