// src/base/clock.ts
// src/base/deferred.ts
// src/base/process/debugger-door.ts
// src/base/text.ts
// src/server/executor/cleanup/marker.ts
// src/server/executor/cleanup/process-table.ts
// src/server/executor/cleanup/run-processes.ts
// src/server/executor/cleanup/sweep.ts
// src/server/executor/cleanup/watchdog-orders.ts
// src/server/executor/cleanup/watchdog.ts
// src/server/executor/containers/container-command.ts
// src/server/executor/containers/container-engine.ts
// src/server/executor/containers/container-removal.ts
// src/server/executor/program-file.ts
import { createRequire as __WEBPACK_EXTERNAL_createRequire } from "module";
/******/ var __webpack_modules__ = ({

/***/ 24:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:fs");

/***/ }),

/***/ 481:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:readline");

/***/ }),

/***/ 972:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {


// EXPORTS
__nccwpck_require__.d(__webpack_exports__, {
  m: () => (/* binding */ systemClock)
});

// UNUSED EXPORTS: longestTimerMs

;// CONCATENATED MODULE: ./build/js/base/deferred.js
/** `Promise.withResolvers`, which Node 20 does not have. */
function createDeferred() {
    const deferred = {};
    deferred.promise = new Promise((resolve, reject) => Object.assign(deferred, { resolve, reject }));
    return deferred;
}

;// CONCATENATED MODULE: ./build/js/base/clock.js

/** The longest delay of a timer, about 24.8 days. Timers fire at once for longer ones. */
const longestTimerMs = 2 ** 31 - 1;
const systemClock = {
    now: () => Date.now(),
    monotonicMs: () => performance.now(),
    async sleep(ms, signal) {
        signal?.throwIfAborted();
        const { promise, resolve, reject } = createDeferred();
        const stop = () => reject(signal?.reason);
        // Before the timer starts, because an invalid signal throws.
        signal?.addEventListener('abort', stop, { once: true });
        const timer = setTimeout(resolve, Math.min(ms, longestTimerMs));
        try {
            await promise;
        }
        finally {
            clearTimeout(timer);
            signal?.removeEventListener('abort', stop);
        }
    },
};


/***/ }),

/***/ 98:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   q: () => (/* binding */ closeDebuggerDoor)
/* harmony export */ });
/**
 * Stops Node from opening its debugger on SIGUSR1. The debugger's loopback port would give every program of the user
 * full access to this process. Call this before starting any such program; it cannot be undone.
 */
function closeDebuggerDoor() {
    // Node's own handler runs only without other listeners. Windows does not have the signal.
    if (process.platform !== 'win32')
        process.on('SIGUSR1', () => { });
}


/***/ }),

/***/ 815:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   A7: () => (/* binding */ readOpenFiles),
/* harmony export */   Tm: () => (/* binding */ readStartTicks),
/* harmony export */   UP: () => (/* binding */ readWorkingFolder),
/* harmony export */   Uc: () => (/* binding */ readProcessTable),
/* harmony export */   Wv: () => (/* binding */ readProcess),
/* harmony export */   kh: () => (/* binding */ hasProcessTable),
/* harmony export */   oW: () => (/* binding */ readEnviron),
/* harmony export */   xw: () => (/* binding */ ownSession)
/* harmony export */ });
/* unused harmony exports isExiting, readChildren */
/* harmony import */ var node_fs__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(24);

/** Only Linux shows every process with its environment. Elsewhere there are only process groups. */
const hasProcessTable = process.platform === 'linux';
/** Any process on the machine can have a path that is too long to read. */
const absences = ['ENOENT', 'ESRCH', 'EACCES', 'EPERM', 'ENAMETOOLONG'];
/**
 * Reads every living process except kernel threads and zombies. It reads all at once, because a longer look misses
 * more. Throws if /proc cannot be read.
 */
function readProcessTable() {
    return (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.readdirSync)('/proc')
        .filter(name => /^\d+$/.test(name))
        .flatMap(name => readLiving(Number(name)) ?? []);
}
/** Undefined if the process does not exist or cannot be read. */
function readProcess(pid) {
    try {
        return readLiving(pid);
    }
    catch {
        return undefined;
    }
}
/** The session of this process, which never changes. */
const ownSession = readProcess(process.pid)?.session;
/** Start time of a process, even of a zombie; '' if it does not exist. */
function readStartTicks(pid) {
    return readStat(pid)?.row.startTicks ?? '';
}
/** Whether a process has begun to end. The kernel takes some time for that, longest for a namespace's first process. */
function isExiting(pid) {
    return readStat(pid)?.isExiting ?? true;
}
/** Environment at the start of a process: `NAME=value` joined by NUL; '' if it cannot be read. */
function readEnviron(pid) {
    return readProcFile(pid, 'environ');
}
/** Working folder of a process, a real path; '' if it cannot be read. */
function readWorkingFolder(pid) {
    return readOr('', () => (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.readlinkSync)(`/proc/${pid}/cwd`));
}
/** Paths of a process's open files and named pipes; empty if they cannot be read. */
function readOpenFiles(pid) {
    const folder = `/proc/${pid}/fd`;
    return readOr([], () => (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.readdirSync)(folder)).map(name => readOr('', () => (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.readlinkSync)(`${folder}/${name}`)));
}
/** Children of a process, if it has a single thread. Undefined if this kernel does not list them. */
function readChildren(pid) {
    const text = readProcFile(pid, `task/${pid}/children`);
    if (text === '' && !listsChildren)
        return undefined;
    return text
        .split(' ')
        .filter(name => name !== '')
        .map(Number);
}
const listsChildren = (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.existsSync)(`/proc/self/task/${process.pid}/children`);
function readLiving(pid) {
    const stat = readStat(pid);
    return stat?.isAlive === true ? stat.row : undefined;
}
function readStat(pid) {
    const stat = readProcFile(pid, 'stat');
    // The second field is the program's name in parentheses, which may itself hold spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, parent, group, session] = fields;
    const [flags, threads, startTicks] = [fields[6], fields[17], fields[19]];
    if (startTicks === undefined)
        return undefined;
    const row = { pid, parent: Number(parent), group: Number(group), session: Number(session), startTicks };
    // A program whose first thread ended looks like a zombie but lives in its other threads. Only kernel threads have
    // no group.
    const isDead = (state === 'Z' || state === 'X') && Number(threads) <= 1;
    return { row, isAlive: !isDead && row.group > 0, isExiting: (Number(flags) & exitingFlag) !== 0 };
}
/** PF_EXITING of the kernel's include/linux/sched.h. */
const exitingFlag = 4;
/** Kept between reads: a look at the machine reads hundreds of files, and `readFileSync` makes three buffers for each. */
let buffer = Buffer.allocUnsafe(16 * 1024);
function readProcFile(pid, name) {
    return readOr('', () => {
        const file = (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.openSync)(`/proc/${pid}/${name}`, 'r');
        try {
            for (let end = 0;;) {
                end += (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.readSync)(file, buffer, end, buffer.length - end, null);
                // Files of /proc fill what they are given, so a short read is the last one.
                if (end < buffer.length)
                    return buffer.toString('latin1', 0, end);
                buffer = Buffer.concat([buffer], 2 * buffer.length);
            }
        }
        finally {
            (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.closeSync)(file);
        }
    });
}
function readOr(absent, read) {
    try {
        return read();
    }
    catch (error) {
        // These errors mean that the process is gone or belongs to another user. Any other, such as too many open files,
        // must not look like an empty table.
        if (error instanceof Error && 'code' in error && absences.includes(error.code))
            return absent;
        throw error;
    }
}


/***/ }),

/***/ 563:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {


// EXPORTS
__nccwpck_require__.d(__webpack_exports__, {
  X0: () => (/* binding */ sweep)
});

// UNUSED EXPORTS: terminate, usualSweepLimits

// EXTERNAL MODULE: ./build/js/server/executor/cleanup/process-table.js
var process_table = __nccwpck_require__(815);
;// CONCATENATED MODULE: ./build/js/server/executor/cleanup/marker.js
/**
 * Every process of a run has this variable in its environment: `<server id>/<run id>`. Children inherit it, even if
 * they leave their session, process group and parent. So /proc shows their run.
 */
const markerVariable = 'AGENT_RUN_MARKER';
/**
 * Prints the variable's value. Without a run id it marks a process that waits for a run. Throws RangeError for an id
 * that could be confused with another one.
 */
function printMarker({ serverId, runId }) {
    for (const id of [serverId, runId ?? 'none'])
        if (!/^[\w.-]+$/.test(id))
            throw new RangeError(`${JSON.stringify(id)} cannot mark a process`);
    return runId === undefined ? serverId : `${serverId}/${runId}`;
}
/** Tests an environment from /proc for one of the markers: the whole value for a run, its start for a server. */
function createMarkerTest(markers) {
    const wanted = markers.flatMap(({ serverId, runId }) => {
        const start = `\0${markerVariable}=${serverId}`;
        return runId === undefined ? [`${start}/`, `${start}\0`] : [`${start}/${runId}\0`];
    });
    return environ => wanted.some(text => `\0${environ}\0`.includes(text));
}

;// CONCATENATED MODULE: ./build/js/server/executor/cleanup/run-processes.js


/**
 * Processes that may adopt an orphan: pid 1, or an ancestor of this process. Its own parent is left out, because that
 * starts programs itself and rarely adopts any.
 */
function findReapers() {
    const reapers = new Set([1]);
    for (let pid = readProcess(process.ppid)?.parent ?? 0; pid > 0 && !reapers.has(pid);) {
        reapers.add(pid);
        pid = readProcess(pid)?.parent ?? 0;
    }
    return [...reapers];
}
/**
 * Finds every living process of a scope. A process belongs to it by its marker, by an earlier sighting, by its
 * folder, by a pipe, as an orphan, by its session, or as a descendant of one of these. A process is missed only if it
 * changed its environment, session, folder and pipes, and lost its parent before it was seen.
 */
function findProcesses(scope) {
    const { markers, leaders, seen = [], folders = [], pipes = [], orphans = [], since = '' } = scope;
    const table = (0,process_table/* readProcessTable */.Uc)();
    const isMarked = createMarkerTest(markers);
    const isOfServer = createMarkerTest(markers.map(({ serverId }) => ({ serverId })));
    const byTrace = [];
    const byMarker = table.filter(row => {
        const isOlder = Number(row.startTicks) < Number(since);
        const isThere = worksIn(row.pid, folders) || holdsOneOf(row.pid, pipes);
        if (isOlder && !isThere)
            return false;
        const environ = (0,process_table/* readEnviron */.oW)(row.pid);
        if (isMarked(environ))
            return true;
        if (isOfServer(environ))
            return false;
        if (isThere || orphans.some(those => isOrphan(row, those, environ)))
            byTrace.push(row);
        return false;
    });
    return findKin(table, { leaders, members: [...byMarker, ...findSame(table, seen)], others: byTrace });
}
/**
 * Returns the members, every process in their sessions or in the leaders', and all descendants. A process enters a
 * session only by birth, so one member proves the whole session. That does not hold for `others`, which may come from
 * elsewhere.
 */
function findKin(table, { leaders, members, others = [] }) {
    const sessions = new Set(leaders.filter(leader => isSame(table, leader)).map(leader => leader.pid));
    const found = new Map();
    const rest = new Set(table.filter(row => row.pid !== 1 && row.pid !== process.pid));
    const addKin = (row) => {
        if (!rest.delete(row))
            return;
        found.set(row.pid, row);
        if (row.session !== process_table/* ownSession */.xw && row.session > 0)
            sessions.add(row.session);
    };
    for (const row of members)
        addKin(row);
    for (let before = -1; before !== found.size;) {
        before = found.size;
        for (const row of rest)
            if (sessions.has(row.session) || found.has(row.parent))
                addKin(row);
    }
    for (const row of others)
        if (rest.delete(row))
            found.set(row.pid, row);
    for (let before = -1; before !== found.size;) {
        before = found.size;
        for (const row of rest)
            if (found.has(row.parent) && rest.delete(row))
                found.set(row.pid, row);
    }
    return [...found.values()];
}
/** Returns the current rows of processes that still live. */
function findSame(table, processes) {
    if (processes.length === 0)
        return [];
    const rows = new Map(table.map(row => [row.pid, row]));
    return processes.flatMap(({ pid, startTicks }) => {
        const row = rows.get(pid);
        return row?.startTicks === startTicks ? [row] : [];
    });
}
function worksIn(pid, folders) {
    if (folders.length === 0)
        return false;
    const path = (0,process_table/* readWorkingFolder */.UP)(pid);
    return folders.some(folder => path === folder || path.startsWith(`${folder}/`) || path === `${folder} (deleted)`);
}
function isOrphan(row, orphans, environ) {
    const { folder, since, until = 'Infinity' } = orphans;
    const began = Number(row.startTicks);
    // A shell that a user opened in the folder has a parent, and so do its children.
    if (!orphans.reapers.includes(row.parent) || began < Number(since.startTicks) || began > Number(until))
        return false;
    return namesRun(environ, orphans) || (folder !== undefined && worksIn(row.pid, [folder]));
}
/** True if an environment from /proc has the run's id or a path in the run's folder. */
function namesRun(environ, { runFolder, runId }) {
    const parts = environ.split(Buffer.from(runFolder).toString('latin1'));
    const isPath = (part, index) => /^(?:[/:\0]|$)/.test(part) && /[=:]$/.test(parts[index - 1] ?? '');
    return parts.some(isPath) || environ.split('\0').includes(`AGENT_RUN_ID=${runId}`);
}
function holdsOneOf(pid, pipes) {
    return pipes.length > 0 && (0,process_table/* readOpenFiles */.A7)(pid).some(path => pipes.includes(path));
}
/** False if another process now has the leader's pid. The kernel reuses it only after the whole session is gone. */
function isSame(table, leader) {
    const row = table.find(candidate => candidate.pid === leader.pid);
    return row === undefined || row.startTicks === leader.startTicks;
}
/**
 * Sends a signal to the process group that a leader began. False if the group is empty. A group keeps its number
 * while it has members, so only a new process with that pid means that the number was reused.
 */
function run_processes_signalLeaderGroup({ pid, startTicks }, signal) {
    try {
        return ['', startTicks].includes((0,process_table/* readStartTicks */.Tm)(pid)) && sendSignal(-pid, signal);
    }
    catch {
        return false;
    }
}
/** Sends a signal, unless the pid was reused. */
function run_processes_signalProcess(row, signal) {
    if (readProcess(row.pid)?.startTicks === row.startTicks)
        sendSignal(row.pid, signal);
}
/**
 * Kills process groups, each once. The kernel kills a group atomically, so no fork escapes. A process in the server's
 * own session is killed alone.
 */
function killGroups(rows) {
    const done = new Set();
    for (const row of rows) {
        if (done.has(row.group))
            continue;
        const now = (0,process_table/* readProcess */.Wv)(row.pid);
        if (now === undefined || now.startTicks !== row.startTicks)
            continue;
        if (now.group > 1 && now.session !== process_table/* ownSession */.xw) {
            sendSignal(-now.group, 'SIGKILL');
            done.add(now.group);
        }
        else
            sendSignal(row.pid, 'SIGKILL');
    }
}
/** False if the process is gone or belongs to another user. */
function sendSignal(pid, signal) {
    try {
        return process.kill(pid, signal);
    }
    catch {
        return false;
    }
}

;// CONCATENATED MODULE: ./build/js/server/executor/cleanup/sweep.js


/** For the end of a run, and for processes that an earlier server left. */
const usualSweepLimits = { quietMs: 25, budgetMs: 10_000 };
/**
 * Kills the processes of a scope until none is left. Outside Linux, it kills the leaders' process groups and cannot
 * count them. Throws if processes could not be listed during the whole sweep.
 */
async function sweep(scope, limits, clock) {
    if (!process_table/* hasProcessTable */.kh)
        return sweepGroups(scope);
    const start = clock.monotonicMs();
    const seen = new Set();
    // Stops a fork bomb from outgrowing the list.
    for (const leader of scope.leaders)
        run_processes_signalLeaderGroup(leader, 'SIGSTOP');
    let quietSince;
    for (let pauseMs = 1;; pauseMs = Math.min(pauseMs * 2, 50)) {
        const found = listProcesses(scope);
        const now = clock.monotonicMs();
        const isLate = now - start > limits.budgetMs;
        if (found instanceof Error) {
            quietSince = undefined;
            if (isLate)
                throw found;
        }
        else if (found.length > 0) {
            quietSince = undefined;
            for (const { pid, startTicks } of found)
                seen.add(`${pid} ${startTicks}`);
            if (isLate)
                return { found: seen.size, survivors: found.map(row => row.pid) };
            killGroups(found);
        }
        else {
            quietSince ??= now;
            if (now - quietSince >= limits.quietMs)
                return { found: seen.size, survivors: [] };
        }
        await clock.sleep(quietSince === undefined ? pauseMs : Math.max(limits.quietMs, 1));
    }
}
/** Sends SIGTERM once to every process of a scope, then waits until all are gone, for at most `graceMs`. */
async function terminate(scope, { graceMs, clock, find }) {
    const deadline = clock.monotonicMs() + graceMs;
    const found = hasProcessTable ? listProcesses(scope, find) : undefined;
    if (Array.isArray(found))
        for (const row of found)
            signalProcess(row, 'SIGTERM');
    else
        for (const leader of scope.leaders)
            signalLeaderGroup(leader, 'SIGTERM');
    for (;;) {
        const restMs = deadline - clock.monotonicMs();
        if (restMs <= 0 || !hasProcesses(scope, find))
            return;
        await clock.sleep(Math.min(restMs, 50));
    }
}
/** Lists a scope's processes. Returns the error if they cannot be listed now, for example with too many open files. */
function listProcesses(scope, find = () => findProcesses(scope)) {
    try {
        return find();
    }
    catch (error) {
        return error instanceof Error ? error : new Error(String(error));
    }
}
function hasProcesses(scope, find) {
    if (!hasProcessTable)
        return scope.leaders.some(leader => signalLeaderGroup(leader, 0));
    const found = listProcesses(scope, find);
    return found instanceof Error || found.length > 0;
}
function sweepGroups({ leaders }) {
    const killed = leaders.filter(leader => run_processes_signalLeaderGroup(leader, 'SIGKILL'));
    return { found: killed.length, survivors: [] };
}


/***/ }),

/***/ 212:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   o: () => (/* binding */ parseOrder)
/* harmony export */ });
/* unused harmony export printOrder */

function printOrder(order) {
    return printJsonLine(order);
}
/** Reads a line of `printOrder`. Both ends run the same version of this file. */
function parseOrder(line) {
    return JSON.parse(line);
}


/***/ }),

/***/ 444:
/***/ ((__webpack_module__, __unused_webpack___webpack_exports__, __nccwpck_require__) => {

__nccwpck_require__.a(__webpack_module__, async (__webpack_handle_async_dependencies__, __webpack_async_result__) => { try {
/* harmony import */ var node_readline__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(481);
/* harmony import */ var _base_clock_js__WEBPACK_IMPORTED_MODULE_1__ = __nccwpck_require__(972);
/* harmony import */ var _base_process_debugger_door_js__WEBPACK_IMPORTED_MODULE_5__ = __nccwpck_require__(98);
/* harmony import */ var _containers_container_removal_js__WEBPACK_IMPORTED_MODULE_2__ = __nccwpck_require__(253);
/* harmony import */ var _process_table_js__WEBPACK_IMPORTED_MODULE_3__ = __nccwpck_require__(815);
/* harmony import */ var _sweep_js__WEBPACK_IMPORTED_MODULE_4__ = __nccwpck_require__(563);
/* harmony import */ var _watchdog_orders_js__WEBPACK_IMPORTED_MODULE_6__ = __nccwpck_require__(212);
/**
 * A program that outlives a killed server for a moment. It reads orders from standard input. If that ends without a
 * goodbye, it kills every process and removes every container of the watched runs. watchdog-link.ts starts it with
 * the server's id as its only argument. It has its own session, so Ctrl-C in the server's terminal does not reach it.
 */







const serverId = process.argv[2] ?? '';
const watched = new Map();
let dismissed = false;
// A signal sent to the server and everything around it must not end the watchdog first.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => { });
(0,_base_process_debugger_door_js__WEBPACK_IMPORTED_MODULE_5__/* .closeDebuggerDoor */ .q)();
process.title = `agent-run watchdog of ${serverId}`;
try {
    for await (const line of (0,node_readline__WEBPACK_IMPORTED_MODULE_0__.createInterface)({ input: process.stdin })) {
        const order = (0,_watchdog_orders_js__WEBPACK_IMPORTED_MODULE_6__/* .parseOrder */ .o)(line);
        if (order.kind === 'watch')
            watched.set(order.runId, order);
        else if (order.kind === 'drop')
            watched.delete(order.runId);
        else
            dismissed = true;
    }
}
catch {
    // A broken pipe or a line cut short means the same as the end of input.
}
if (!dismissed) {
    const markers = [...watched.keys()].map(runId => ({ serverId, runId }));
    const runs = [...watched.values()];
    const leaders = runs.flatMap(run => run.leaders ?? []);
    const folders = runs.map(run => run.folder);
    // Processes that begin after this belong to someone else, such as the job's next step.
    const until = findNewest();
    const orphans = runs.flatMap(run => (run.orphans === undefined ? [] : [{ ...run.orphans, until }]));
    // Clients of containers go first, so that none makes another container.
    await (0,_sweep_js__WEBPACK_IMPORTED_MODULE_4__/* .sweep */ .X0)({ markers, leaders, folders, orphans }, { quietMs: 500, budgetMs: 60_000 }, _base_clock_js__WEBPACK_IMPORTED_MODULE_1__/* .systemClock */ .m).catch(() => { });
    for (const [runId, { engine }] of watched)
        if (engine !== undefined)
            await (0,_containers_container_removal_js__WEBPACK_IMPORTED_MODULE_2__/* .removeContainers */ .D)(engine, { serverId, runId }, { clock: _base_clock_js__WEBPACK_IMPORTED_MODULE_1__/* .systemClock */ .m, quietMs: 1000 }).catch(() => { });
}
process.exit();
/** Start time of the newest process. */
function findNewest() {
    try {
        return String(Math.max(...(0,_process_table_js__WEBPACK_IMPORTED_MODULE_3__/* .readProcessTable */ .Uc)().map(({ startTicks }) => Number(startTicks))));
    }
    catch {
        return undefined;
    }
}

__webpack_async_result__();
} catch(e) { __webpack_async_result__(e); } }, 1);

/***/ }),

/***/ 253:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {


// EXPORTS
__nccwpck_require__.d(__webpack_exports__, {
  D: () => (/* binding */ removeContainers)
});

// UNUSED EXPORTS: removeContainer

;// CONCATENATED MODULE: ./build/js/server/executor/containers/container-command.js
/** Builds the command line of one container, without values of variables: every user can list command lines. */
/** Labels that find a server's containers again. */
const serverLabel = 'agent-run.server';
const runLabel = 'agent-run.run';
/** The client reads the variables from this descriptor, an unlinked file. */
const variablesFd = 3;
/** Clients read such files line by line and fail at a line of 64 KiB. */
const lineBytesMax = (/* unused pure expression or super */ null && (60 * 1024));
/** Arguments that run a program and wait for it. The container is kept, so that its exit state can be read. */
function printRunArguments({ name, owner, command, place, settings, userFlags, passed, }) {
    const { argv, cwd, stdin } = command;
    const [program, ...args] = argv;
    const { network, memoryMb, processes, cpus } = settings;
    return [
        // prepareImage pulls images earlier, where a failed pull can be told from a failed run.
        ...['run', '--name', name, '--pull', 'never', '--init', '--log-driver', 'none', '--stop-signal', 'SIGTERM'],
        ...['--label', `${serverLabel}=${owner.serverId}`, '--label', `${runLabel}=${owner.runId}`],
        ...['--security-opt', 'no-new-privileges', ...userFlags, '--workdir', cwd],
        ...(stdin === '' ? [] : ['--interactive']),
        ...['--env-file', `/dev/fd/${variablesFd}`, ...passed.flatMap(variable => ['--env', variable])],
        ...(network === undefined ? [] : ['--network', network]),
        ...(memoryMb === undefined ? [] : ['--memory', `${memoryMb}m`, '--memory-swap', `${memoryMb}m`]),
        ...(processes === undefined ? [] : ['--pids-limit', String(processes)]),
        ...(cpus === undefined ? [] : ['--cpus', String(cpus)]),
        ...place.writable.flatMap(path => ['--mount', printMount(path)]),
        ...place.readable.flatMap(path => ['--mount', printMount(path, 'readonly')]),
        // Replaces the image's own entrypoint.
        ...['--entrypoint', program, place.image, ...args],
    ];
}
/** Arguments that list the ids of containers, including stopped ones. */
function printListArguments({ serverId, runId }) {
    const labels = [`${serverLabel}=${serverId}`, ...(runId === undefined ? [] : [`${runLabel}=${runId}`])];
    return ['ps', '--all', '--quiet', '--no-trunc', ...labels.flatMap(label => ['--filter', `label=${label}`])];
}
/** Prints a mount as one line of comma-separated values. */
function printMount(path, ...more) {
    return ['type=bind', `source=${path}`, `target=${path}`, ...more]
        .map(field => (/[",\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field))
        .join(',');
}
/**
 * Returns the reason, as the end of a sentence, if a variable cannot be passed on. The client needs `clientEnv`
 * itself.
 */
function divideVariables(env, clientEnv) {
    const lines = [];
    const passed = {};
    for (const [name, value] of Object.entries(env)) {
        if (!/^[^\s#=\0][^\s=\0]*$/.test(name))
            return `the name of the variable ${JSON.stringify(name)} is not valid in a container`;
        if (value.includes('\0'))
            return `the variable ${name} contains a NUL character`;
        const fits = !/[\r\n]/.test(value) && Buffer.byteLength(`${name}=${value}`) <= lineBytesMax;
        if (fits)
            lines.push(`${name}=${value}\n`);
        else if (Object.hasOwn(clientEnv, name))
            return `the variable ${name} has several lines or is too long, and the container engine uses a variable of this name itself`;
        else
            passed[name] = value;
    }
    return { file: lines.join(''), passed };
}

;// CONCATENATED MODULE: external "node:child_process"
const external_node_child_process_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:child_process");
;// CONCATENATED MODULE: external "node:path"
const external_node_path_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:path");
;// CONCATENATED MODULE: ./build/js/base/text.js
/** The longest start of `text` that fits in `maxBytes` of UTF-8. Never splits a character. */
function headOfUtf8(text, maxBytes) {
    // A UTF-16 unit takes at most three bytes.
    if (3 * text.length <= maxBytes)
        return text;
    return text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(maxBytes)).read);
}
/** The longest end of `text` that fits in `maxBytes` of UTF-8. Never splits a character. */
function tailOfUtf8(text, maxBytes) {
    // A UTF-16 unit takes at least one byte, so an earlier one is never part of the end.
    const bytes = new TextEncoder().encode(text.slice(Math.max(0, text.length - maxBytes)));
    if (bytes.length <= maxBytes)
        return text.slice(Math.max(0, text.length - maxBytes));
    let start = bytes.length - maxBytes;
    while (start < bytes.length && isContinuation(bytes[start]))
        start += 1;
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(start));
}
/** At most `max` code points of `text`, with an ellipsis for what was cut. */
function ellipsis(text, max) {
    // A code point has at most two UTF-16 units.
    const points = Array.from(text.slice(0, 2 * max + 1));
    return points.length <= max ? text : `${points.slice(0, max - 1).join('')}…`;
}
/** The first line of `text` with visible characters, trimmed; '' if there is none. */
function firstLine(text) {
    for (const line of text.split(/\r\n|\r|\n/))
        if (line.trim() !== '')
            return line.trim();
    return '';
}
/** The last `count` lines of `text` that are not empty. */
function lastLines(text, count) {
    return text
        .split(/\r\n|\r|\n/)
        .filter(line => line.trim() !== '')
        .slice(-count);
}
/** `1 run`, `2 runs`. */
function counted(count, noun) {
    return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
function isContinuation(byte) {
    return byte !== undefined && (byte & 0xc0) === 0x80;
}

// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __nccwpck_require__(24);
;// CONCATENATED MODULE: ./build/js/server/executor/program-file.js


/** The absolute path of a program on a PATH. Relative entries are skipped: they would mean another folder later. */
function findProgram(name, searchPath) {
    const folders = searchPath.split(delimiter).filter(isAbsolute);
    return folders.map(folder => join(folder, name)).find(program_file_isProgram);
}
/** Whether a path leads to a file that may be executed. */
function program_file_isProgram(path) {
    try {
        accessSync(path, constants.X_OK);
        return statSync(path).isFile();
    }
    catch {
        return false;
    }
}

;// CONCATENATED MODULE: ./build/js/server/executor/containers/container-engine.js
/** Calls the program that runs containers, `docker` or `podman`, only through its command line. */




/** The engine, an image or a container failed, not the program. The message is for people. */
class ContainerFault extends Error {
    name = 'ContainerFault';
}
const usualNames = (/* unused pure expression or super */ null && (['docker', 'podman']));
const callMs = 30_000;
const streamEndMs = 1000;
const textMax = 64 * 1024;
/** Finds the configured command, or the first one installed. Otherwise the reason, as the end of a sentence. */
function findContainerEngine({ command, env, }) {
    const folders = (env.PATH ?? '/usr/local/bin:/usr/bin:/bin').split(delimiter).filter(isAbsolute);
    const names = command === undefined ? usualNames : [command];
    const paths = names.flatMap(name => (isAbsolute(name) ? [name] : folders.map(folder => join(folder, name))));
    const file = paths.find(isProgram);
    if (file !== undefined)
        return { file, env };
    if (command === undefined)
        return "docker and podman were not found on the server's PATH; install one of them, or set `docker.command` to its path";
    return isAbsolute(command)
        ? `\`docker.command\`: ${command} does not exist or is not executable`
        : `\`docker.command\`: ${command} was not found on the server's PATH`;
}
/** Runs one engine command to its end. Never rejects. `signal` stops it; without a signal it is stopped after 30 s. */
async function callEngine({ file, env }, args, signal = AbortSignal.timeout(callMs)) {
    // A separate session keeps Ctrl-C in the server's terminal away from it.
    const child = (0,external_node_child_process_namespaceObject.spawn)(file, args, { cwd: '/', env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const kill = () => child.kill('SIGKILL');
    signal.addEventListener('abort', kill, { once: true });
    if (signal.aborted)
        kill();
    const { promise, resolve } = Promise.withResolvers();
    child.once('error', error => resolve({ code: undefined, fault: error.message }));
    child.once('close', code => resolve({ code: code ?? undefined, fault: '' }));
    child.once('exit', () => {
        // Background processes it started may still hold its streams.
        const streams = [child.stdout, child.stderr];
        setTimeout(() => streams.forEach(stream => void stream.destroy()), streamEndMs).unref();
    });
    const texts = [collect(child.stdout), collect(child.stderr)];
    const { code, fault } = await promise;
    signal.removeEventListener('abort', kill);
    const [stdout = '', stderr = ''] = fault === '' ? await Promise.all(texts) : [];
    return { code, stdout: stdout.trim(), stderr: fault === '' ? stderr : fault };
}
async function collect(stream) {
    let text = '';
    try {
        for await (const chunk of stream)
            text = `${text}${String(chunk)}`.slice(-textMax);
    }
    catch { }
    return text;
}
/** Extracts the engine's error without its fixed phrases. */
function describeComplaint(stderr) {
    const said = stderr
        .split('\n')
        .map(line => line.trim())
        .filter(line => line !== '' && !/^Run '.+ --help' for more information$/.test(line));
    const words = lastLines(said.join('\n'), 2)
        .map(line => line.replace(/^(docker: |Error: )?(Error response from daemon: )?/, ''))
        .join(' | ');
    return words === '' ? 'it gave no reason' : words.slice(0, 500);
}
/** True if the error says that the container does not exist. */
function isNoContainer(stderr) {
    return /no such container|no container with name or id|no such object/i.test(stderr);
}

;// CONCATENATED MODULE: ./build/js/server/executor/containers/container-removal.js


const removeMs = 10_000;
const removeAllMs = 60_000;
/** Kills and removes a container. True if it certainly no longer exists, including when it never did. */
async function removeContainer(engine, idOrName, clock) {
    const deadline = clock.monotonicMs() + removeMs;
    for (;;) {
        const { code, stderr } = await callEngine(engine, ['rm', '--force', '--volumes', idOrName]);
        if (code === 0 || isNoContainer(stderr))
            return true;
        if (clock.monotonicMs() >= deadline)
            return false;
        // Another process may be removing it, or the engine is busy.
        await clock.sleep(200);
    }
}
/**
 * Removes every container of a server or of one run, and returns their number. Repeats until it sees none for
 * `quietMs`, because one may be in the making. Throws ContainerFault if they cannot be listed or removed.
 */
async function removeContainers(engine, owner, { clock, quietMs = 0 }) {
    const removed = new Set();
    const deadline = clock.monotonicMs() + removeAllMs;
    for (let quietSince;;) {
        const { code, stdout, stderr } = await callEngine(engine, printListArguments(owner));
        if (code !== 0)
            throw new ContainerFault(`cannot list the containers of runs: ${describeComplaint(stderr)}`);
        const ids = stdout.split('\n').filter(id => id !== '');
        for (const id of ids) {
            if (!(await removeContainer(engine, id, clock)))
                throw new ContainerFault(`cannot remove the container ${id.slice(0, 12)} of a run`);
            removed.add(id);
        }
        const now = clock.monotonicMs();
        quietSince = ids.length > 0 ? undefined : (quietSince ?? now);
        if (quietSince !== undefined && now - quietSince >= quietMs)
            return removed.size;
        if (now > deadline)
            throw new ContainerFault('containers of runs are created faster than they can be removed');
        await clock.sleep(ids.length > 0 ? 20 : 100);
    }
}


/***/ })

/******/ });
/************************************************************************/
/******/ // The module cache
/******/ var __webpack_module_cache__ = {};
/******/ 
/******/ // The require function
/******/ function __nccwpck_require__(moduleId) {
/******/ 	// Check if module is in cache
/******/ 	var cachedModule = __webpack_module_cache__[moduleId];
/******/ 	if (cachedModule !== undefined) {
/******/ 		return cachedModule.exports;
/******/ 	}
/******/ 	// Create a new module (and put it into the cache)
/******/ 	var module = __webpack_module_cache__[moduleId] = {
/******/ 		// no module.id needed
/******/ 		// no module.loaded needed
/******/ 		exports: {}
/******/ 	};
/******/ 
/******/ 	// Execute the module function
/******/ 	var threw = true;
/******/ 	try {
/******/ 		__webpack_modules__[moduleId](module, module.exports, __nccwpck_require__);
/******/ 		threw = false;
/******/ 	} finally {
/******/ 		if(threw) delete __webpack_module_cache__[moduleId];
/******/ 	}
/******/ 
/******/ 	// Return the exports of the module
/******/ 	return module.exports;
/******/ }
/******/ 
/************************************************************************/
/******/ /* webpack/runtime/asset-relocator-loader */
/******/ if (typeof __nccwpck_require__ !== 'undefined') __nccwpck_require__.ab = decodeURIComponent(new URL('.', import.meta.url).pathname).slice(import.meta.url.match(/^file:\/\/\/\w:/) ? 1 : 0, -1) + "/";
/******/ 
/******/ /* webpack/runtime/async module */
/******/ (() => {
/******/ 	var webpackQueues = typeof Symbol === "function" ? Symbol("webpack queues") : "__webpack_queues__";
/******/ 	var webpackExports = typeof Symbol === "function" ? Symbol("webpack exports") : "__webpack_exports__";
/******/ 	var webpackError = typeof Symbol === "function" ? Symbol("webpack error") : "__webpack_error__";
/******/ 	var resolveQueue = (queue) => {
/******/ 		if(queue && queue.d < 1) {
/******/ 			queue.d = 1;
/******/ 			queue.forEach((fn) => (fn.r--));
/******/ 			queue.forEach((fn) => (fn.r-- ? fn.r++ : fn()));
/******/ 		}
/******/ 	}
/******/ 	var wrapDeps = (deps) => (deps.map((dep) => {
/******/ 		if(dep !== null && typeof dep === "object") {
/******/ 			if(dep[webpackQueues]) return dep;
/******/ 			if(dep.then) {
/******/ 				var queue = [];
/******/ 				queue.d = 0;
/******/ 				dep.then((r) => {
/******/ 					obj[webpackExports] = r;
/******/ 					resolveQueue(queue);
/******/ 				}, (e) => {
/******/ 					obj[webpackError] = e;
/******/ 					resolveQueue(queue);
/******/ 				});
/******/ 				var obj = {};
/******/ 				obj[webpackQueues] = (fn) => (fn(queue));
/******/ 				return obj;
/******/ 			}
/******/ 		}
/******/ 		var ret = {};
/******/ 		ret[webpackQueues] = x => {};
/******/ 		ret[webpackExports] = dep;
/******/ 		return ret;
/******/ 	}));
/******/ 	__nccwpck_require__.a = (module, body, hasAwait) => {
/******/ 		var queue;
/******/ 		hasAwait && ((queue = []).d = -1);
/******/ 		var depQueues = new Set();
/******/ 		var exports = module.exports;
/******/ 		var currentDeps;
/******/ 		var outerResolve;
/******/ 		var reject;
/******/ 		var promise = new Promise((resolve, rej) => {
/******/ 			reject = rej;
/******/ 			outerResolve = resolve;
/******/ 		});
/******/ 		promise[webpackExports] = exports;
/******/ 		promise[webpackQueues] = (fn) => (queue && fn(queue), depQueues.forEach(fn), promise["catch"](x => {}));
/******/ 		module.exports = promise;
/******/ 		body((deps) => {
/******/ 			currentDeps = wrapDeps(deps);
/******/ 			var fn;
/******/ 			var getResult = () => (currentDeps.map((d) => {
/******/ 				if(d[webpackError]) throw d[webpackError];
/******/ 				return d[webpackExports];
/******/ 			}))
/******/ 			var promise = new Promise((resolve) => {
/******/ 				fn = () => (resolve(getResult));
/******/ 				fn.r = 0;
/******/ 				var fnQueue = (q) => (q !== queue && !depQueues.has(q) && (depQueues.add(q), q && !q.d && (fn.r++, q.push(fn))));
/******/ 				currentDeps.map((dep) => (dep[webpackQueues](fnQueue)));
/******/ 			});
/******/ 			return fn.r ? promise : getResult();
/******/ 		}, (err) => ((err ? reject(promise[webpackError] = err) : outerResolve(exports)), resolveQueue(queue)));
/******/ 		queue && queue.d < 0 && (queue.d = 0);
/******/ 	};
/******/ })();
/******/ 
/******/ /* webpack/runtime/define property getters */
/******/ (() => {
/******/ 	// define getter functions for harmony exports
/******/ 	__nccwpck_require__.d = (exports, definition) => {
/******/ 		for(var key in definition) {
/******/ 			if(__nccwpck_require__.o(definition, key) && !__nccwpck_require__.o(exports, key)) {
/******/ 				Object.defineProperty(exports, key, { enumerable: true, get: definition[key] });
/******/ 			}
/******/ 		}
/******/ 	};
/******/ })();
/******/ 
/******/ /* webpack/runtime/hasOwnProperty shorthand */
/******/ (() => {
/******/ 	__nccwpck_require__.o = (obj, prop) => (Object.prototype.hasOwnProperty.call(obj, prop))
/******/ })();
/******/ 
/************************************************************************/
/******/ 
/******/ // startup
/******/ // Load entry module and return exports
/******/ // This entry module used 'module' so it can't be inlined
/******/ var __webpack_exports__ = __nccwpck_require__(444);
/******/ __webpack_exports__ = await __webpack_exports__;
/******/ 
