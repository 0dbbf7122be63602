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
import { createRequire as __WEBPACK_EXTERNAL_createRequire } from "module";
/******/ var __webpack_modules__ = ({

/***/ 24:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:fs");

/***/ }),

/***/ 760:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:path");

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

/** A timer cannot hold more and fires at once instead: about 24.8 days. */
const longestTimerMs = 2 ** 31 - 1;
const systemClock = {
    now: () => Date.now(),
    monotonicMs: () => performance.now(),
    async sleep(ms, signal) {
        signal?.throwIfAborted();
        const { promise, resolve, reject } = createDeferred();
        const stop = () => reject(signal?.reason);
        // Before the timer, for a signal that is none throws.
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
 * Keeps programs of the same user out of this process: at SIGUSR1 Node would open its debugger on a port of loopback, by which whoever reaches it
 * has everything that this process knows and says. To be called before any such program is started; nothing takes it back.
 */
function closeDebuggerDoor() {
    // Node listens to the signal itself only as long as nobody else does. Windows has none.
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
/* harmony import */ var node_fs__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(24);

/** Linux shows every process with its environment; elsewhere only process groups can be had. */
const hasProcessTable = process.platform === 'linux';
const absences = ['ENOENT', 'ESRCH', 'EACCES', 'EPERM'];
/**
 * Every living process but kernel threads and zombies. Read in one go, because the longer a look takes the more it misses.
 * Throws when /proc cannot be read.
 */
function readProcessTable() {
    return (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.readdirSync)('/proc')
        .filter(name => /^\d+$/.test(name))
        .flatMap(name => readLiving(Number(name)) ?? []);
}
/** One living process; undefined where there is none, or it cannot be read. */
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
/** When a process was started, also when it is a zombie by now; '' where there is none. */
function readStartTicks(pid) {
    return readStat(pid)?.row.startTicks ?? '';
}
/** The environment that a process was started with: `NAME=value` joined by NUL; '' when it cannot be read. */
function readEnviron(pid) {
    return readProcFile(pid, 'environ');
}
/** The folder that a process works in, with every link resolved; '' when it cannot be read. */
function readWorkingFolder(pid) {
    return readOr('', () => (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.readlinkSync)(`/proc/${pid}/cwd`));
}
/** What a process has open, files and named pipes by the path that they were opened with; none when it cannot be read. */
function readOpenFiles(pid) {
    const folder = `/proc/${pid}/fd`;
    return readOr([], () => (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.readdirSync)(folder)).map(name => readOr('', () => (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.readlinkSync)(`${folder}/${name}`)));
}
function readLiving(pid) {
    const stat = readStat(pid);
    return stat?.isAlive === true ? stat.row : undefined;
}
function readStat(pid) {
    const stat = readProcFile(pid, 'stat');
    // The second field is the program's name in parentheses, which may itself hold blanks and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, parent, group, session] = fields;
    const [threads, startTicks] = [fields[17], fields[19]];
    if (startTicks === undefined)
        return undefined;
    const row = { pid, parent: Number(parent), group: Number(group), session: Number(session), startTicks };
    // A program whose first thread ended looks like a zombie and lives on in the others. Only kernel threads have no group.
    const isDead = (state === 'Z' || state === 'X') && Number(threads) <= 1;
    return { row, isAlive: !isDead && row.group > 0 };
}
function readProcFile(pid, name) {
    return readOr('', () => (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.readFileSync)(`/proc/${pid}/${name}`, 'latin1'));
}
function readOr(absent, read) {
    try {
        return read();
    }
    catch (error) {
        // Gone meanwhile, or another user's. Anything else, such as no more open files, must not look like an empty table.
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
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __nccwpck_require__(760);
;// CONCATENATED MODULE: ./build/js/server/executor/cleanup/marker.js
/**
 * Every process of a run carries this variable in its environment: `<server id>/<run id>`. Children inherit it, also those that leave
 * their session, their process group and their parent, so that /proc tells whose they are.
 */
const markerVariable = 'AGENT_RUN_MARKER';
/** The value of the variable. Throws RangeError for an id that could be taken for another one. */
function printMarker({ serverId, runId }) {
    for (const id of [serverId, runId])
        if (!/^[\w.-]+$/.test(id))
            throw new RangeError(`${JSON.stringify(id)} cannot mark a process`);
    return `${serverId}/${runId}`;
}
/** Answers whether an environment, as /proc shows it, has one of the markers: the whole value for a run, its beginning for a server. */
function createMarkerTest(markers) {
    const wanted = markers.map(({ serverId, runId }) => {
        const start = `\0${markerVariable}=${serverId}/`;
        return runId === undefined ? start : `${start}${runId}\0`;
    });
    return environ => wanted.some(text => `\0${environ}\0`.includes(text));
}

;// CONCATENATED MODULE: ./build/js/server/executor/cleanup/run-processes.js



/**
 * Whom the kernel may give a process of a run to when its parent ends: the first process of all, or an ancestor of this one. Its own parent is
 * left out, which starts programs itself and is asked for no others.
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
 * Every living process of a scope: those with one of its markers, those seen before, those in its folders or with its pipes, its orphans (also those whose environment names it),
 * those in a session that began within it, and the descendants of all. What is missed has to have got rid of everything: environment, session,
 * parent (before it was seen), folder and pipes.
 */
function findProcesses(scope) {
    const { markers, leaders, seen = [], folders = [], pipes = [], orphans = [] } = scope;
    const table = (0,process_table/* readProcessTable */.Uc)();
    const isMarked = createMarkerTest(markers);
    const isOfServer = createMarkerTest(markers.map(({ serverId }) => ({ serverId })));
    const byTrace = [];
    const byMarker = table.filter(row => {
        const environ = (0,process_table/* readEnviron */.oW)(row.pid);
        if (isMarked(environ))
            return true;
        if (isOfServer(environ))
            return false;
        if (worksIn(row.pid, folders) || orphans.some(those => isOrphan(row, those, environ)) || holdsOneOf(row.pid, pipes))
            byTrace.push(row);
        return false;
    });
    return findKin(table, { leaders, members: [...byMarker, ...findSame(table, seen)], others: byTrace });
}
/**
 * The members, whatever is in a session that one of them is in or a leader began, and the descendants of all. A session is only ever
 * entered by birth, so that one member proves the rest of it. That does not hold for `others`, which may have come from elsewhere.
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
/** Those of some processes that still live, as the table has them now. */
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
    // A shell that somebody went to the folder with has a parent, and so has what it starts.
    if (!orphans.reapers.includes(row.parent) || began < Number(since.startTicks) || began > Number(until))
        return false;
    return namesRun(environ, orphans) || (folder !== undefined && worksIn(row.pid, [folder]));
}
/** Whether an environment, as /proc shows it, has the run's id or a path that is or lies in its folder. */
function namesRun(environ, { runFolder, runId }) {
    const parts = environ.split(Buffer.from(runFolder).toString('latin1'));
    const isPath = (part, index) => /^(?:[/:\0]|$)/.test(part) && /[=:]$/.test(parts[index - 1] ?? '');
    return parts.some(isPath) || environ.split('\0').includes(`AGENT_RUN_ID=${runId}`);
}
function holdsOneOf(pid, pipes) {
    return pipes.length > 0 && (0,process_table/* readOpenFiles */.A7)(pid).some(path => pipes.some(name => (0,external_node_path_.basename)(path).startsWith(name)));
}
/** False when the leader's pid went to another process, which the kernel allows only after the whole session is gone. */
function isSame(table, leader) {
    const row = table.find(candidate => candidate.pid === leader.pid);
    return row === undefined || row.startTicks === leader.startTicks;
}
/**
 * Sends a signal to the process group that a leader began; false when nothing is left of it. A group keeps its number as long as it has
 * members, so that only a new process of that very pid means that the number went to others.
 */
function run_processes_signalLeaderGroup({ pid, startTicks }, signal) {
    try {
        return ['', startTicks].includes((0,process_table/* readStartTicks */.Tm)(pid)) && sendSignal(-pid, signal);
    }
    catch {
        return false;
    }
}
/** Sends a signal, unless the pid went to another process meanwhile. */
function run_processes_signalProcess(row, signal) {
    if (readProcess(row.pid)?.startTicks === row.startTicks)
        sendSignal(row.pid, signal);
}
/**
 * Kills the process groups of some processes, each group once. The kernel does that as one: no fork within the group gets away.
 * A process in the server's own session is killed alone.
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
/** False where there is no such process (any more), or it is another user's. */
function sendSignal(pid, signal) {
    try {
        return process.kill(pid, signal);
    }
    catch {
        return false;
    }
}

;// CONCATENATED MODULE: ./build/js/server/executor/cleanup/sweep.js


/** For the end of a run, and for what an earlier server left. */
const usualSweepLimits = { quietMs: 25, budgetMs: 10_000 };
/**
 * Kills every process of a scope until none is left. Elsewhere than on Linux: the process groups of its leaders, of which no count can be had.
 * Throws when processes cannot be looked for all the time.
 */
async function sweep(scope, limits, clock) {
    if (!process_table/* hasProcessTable */.kh)
        return sweepGroups(scope);
    const start = clock.monotonicMs();
    const seen = new Set();
    // A program that forks without end must not outgrow the look at it.
    for (const leader of scope.leaders)
        run_processes_signalLeaderGroup(leader, 'SIGSTOP');
    let quietSince;
    for (let pauseMs = 1;; pauseMs = Math.min(pauseMs * 2, 50)) {
        const found = look(scope);
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
/** SIGTERM to every process of a scope, each once; then waits until all are gone, at most `graceMs`. */
async function terminate(scope, { graceMs, clock, find }) {
    const deadline = clock.monotonicMs() + graceMs;
    const found = hasProcessTable ? look(scope, find) : undefined;
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
/** The processes of a scope, or why they cannot be seen at the moment: the server has too many files open, say. */
function look(scope, find = () => findProcesses(scope)) {
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
    const found = look(scope, find);
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
    return `${JSON.stringify(order)}\n`;
}
/** Reads a line that `printOrder` wrote; both ends are the same version of this file. */
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
/* harmony import */ var _containers_container_removal_js__WEBPACK_IMPORTED_MODULE_2__ = __nccwpck_require__(42);
/* harmony import */ var _process_table_js__WEBPACK_IMPORTED_MODULE_3__ = __nccwpck_require__(815);
/* harmony import */ var _sweep_js__WEBPACK_IMPORTED_MODULE_4__ = __nccwpck_require__(563);
/* harmony import */ var _watchdog_orders_js__WEBPACK_IMPORTED_MODULE_6__ = __nccwpck_require__(212);
/**
 * The program that outlives a killed server for a moment: it reads orders from standard input and, when that ends without a goodbye,
 * kills every process and removes every container of the runs it watches. Started by watchdog-link.ts with the server's id as its only argument, in a session of its own, so that
 * Ctrl-C in the server's terminal does not reach it.
 */







const serverId = process.argv[2] ?? '';
const watched = new Map();
let dismissed = false;
// Whoever ends the server by a signal to everything around it must not end its watchdog first.
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
    // A pipe that breaks, or a line cut short, tells the same as one that ends.
}
if (!dismissed) {
    const markers = [...watched.keys()].map(runId => ({ serverId, runId }));
    const runs = [...watched.values()];
    const leaders = runs.map(run => run.leader).filter(leader => leader !== undefined);
    const folders = runs.map(run => run.folder);
    // What begins there from now on is of somebody who came after the server, such as the next step of a job.
    const until = findNewest();
    const orphans = runs.flatMap(run => (run.orphans === undefined ? [] : [{ ...run.orphans, until }]));
    // The clients of containers first, so that none makes another one.
    await (0,_sweep_js__WEBPACK_IMPORTED_MODULE_4__/* .sweep */ .X0)({ markers, leaders, folders, orphans }, { quietMs: 500, budgetMs: 60_000 }, _base_clock_js__WEBPACK_IMPORTED_MODULE_1__/* .systemClock */ .m).catch(() => { });
    for (const [runId, { engine }] of watched)
        if (engine !== undefined)
            await (0,_containers_container_removal_js__WEBPACK_IMPORTED_MODULE_2__/* .removeContainers */ .D)(engine, { serverId, runId }, { clock: _base_clock_js__WEBPACK_IMPORTED_MODULE_1__/* .systemClock */ .m, quietMs: 1000 }).catch(() => { });
}
process.exit();
/** When the newest process of all began. */
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

/***/ 42:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {


// EXPORTS
__nccwpck_require__.d(__webpack_exports__, {
  D: () => (/* binding */ removeContainers)
});

// UNUSED EXPORTS: removeContainer

;// CONCATENATED MODULE: ./build/js/server/executor/containers/container-command.js
/** The command line of one container. No value of a variable is on it: whoever can list processes reads those. */
/** Labels by which containers of a server are found again. */
const serverLabel = 'agent-run.server';
const runLabel = 'agent-run.run';
/** Where the client reads the variables: an open file without a name. */
const variablesFd = 3;
/** Clients read such files by lines, and give up at one of 64 KiB. */
const lineBytesMax = (/* unused pure expression or super */ null && (60 * 1024));
/** Arguments of the engine that run a program and wait for it. The container is left, so that it can be asked how it ended. */
function printRunArguments({ name, owner, command, place, settings, userFlags, passed, }) {
    const { argv, cwd, stdin } = command;
    const [program, ...args] = argv;
    const { network, memoryMb, processes, cpus } = settings;
    return [
        // Images are fetched before, where a fault of that can be told apart.
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
        // Whatever the image starts by itself.
        ...['--entrypoint', program, place.image, ...args],
    ];
}
/** Arguments that list the ids of containers, ended ones as well. */
function printListArguments({ serverId, runId }) {
    const labels = [`${serverLabel}=${serverId}`, ...(runId === undefined ? [] : [`${runLabel}=${runId}`])];
    return ['ps', '--all', '--quiet', '--no-trunc', ...labels.flatMap(label => ['--filter', `label=${label}`])];
}
/** A line of comma-separated values, as the flag takes it. */
function printMount(path, ...more) {
    return ['type=bind', `source=${path}`, `target=${path}`, ...more]
        .map(field => (/[",\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field))
        .join(',');
}
/** A text says why a variable cannot be handed on, as the end of a sentence. `clientEnv` is what the client needs itself. */
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
// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __nccwpck_require__(24);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __nccwpck_require__(760);
;// CONCATENATED MODULE: ./build/js/base/text.js
/** The longest start of `text` that fits in `maxBytes` of UTF-8; never half a character. */
function headOfUtf8(text, maxBytes) {
    const bytes = new TextEncoder().encode(text);
    if (bytes.length <= maxBytes)
        return text;
    let end = maxBytes;
    while (end > 0 && isContinuation(bytes[end]))
        end -= 1;
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, end));
}
/** The longest end of `text` that fits in `maxBytes` of UTF-8; never half a character. */
function tailOfUtf8(text, maxBytes) {
    const bytes = new TextEncoder().encode(text);
    if (bytes.length <= maxBytes)
        return text;
    let start = bytes.length - maxBytes;
    while (start < bytes.length && isContinuation(bytes[start]))
        start += 1;
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(start));
}
/** At most `max` code points of `text`, with an ellipsis in place of what was cut. */
function ellipsis(text, max) {
    // No code point has more than two of the units that a text is counted in.
    const points = Array.from(text.slice(0, 2 * max + 1));
    return points.length <= max ? text : `${points.slice(0, max - 1).join('')}…`;
}
/** The first line of `text` that is not blank, trimmed; '' when there is none. */
function firstLine(text) {
    for (const line of text.split(/\r\n|\r|\n/))
        if (line.trim() !== '')
            return line.trim();
    return '';
}
/** The last `count` lines of `text` that are not blank. */
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

;// CONCATENATED MODULE: ./build/js/server/executor/containers/container-engine.js
/** The program that runs containers: `docker` or `podman`, spoken to by its command line alone. */




/** The engine, an image or a container does not do what it should, and it is not the program's fault. The message is for people. */
class ContainerFault extends Error {
    name = 'ContainerFault';
}
const usualNames = (/* unused pure expression or super */ null && (['docker', 'podman']));
const callMs = 30_000;
const streamEndMs = 1000;
const textMax = 64 * 1024;
/** The command of the configuration, else the first that is there; or why there is none, as the end of a sentence. */
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
function isProgram(path) {
    try {
        accessSync(path, constants.X_OK);
        return statSync(path).isFile();
    }
    catch {
        return false;
    }
}
/** Runs one command of the engine to its end. Never rejects; a signal that is aborted, or 30 s without `signal`, end it. */
async function callEngine({ file, env }, args, signal = AbortSignal.timeout(callMs)) {
    // In a session of its own: Ctrl-C in the server's terminal is none of its business.
    const child = (0,external_node_child_process_namespaceObject.spawn)(file, args, { cwd: '/', env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const kill = () => child.kill('SIGKILL');
    signal.addEventListener('abort', kill, { once: true });
    if (signal.aborted)
        kill();
    const { promise, resolve } = Promise.withResolvers();
    child.once('error', error => resolve({ code: undefined, fault: error.message }));
    child.once('close', code => resolve({ code: code ?? undefined, fault: '' }));
    child.once('exit', () => {
        // What it left in the background may hold its streams.
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
    catch {
        // Closed with its process.
    }
    return text;
}
/** What the engine says went wrong, without the words that are the same each time. */
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
/** Whether a complaint is about a container that is not there (any more). */
function isNoContainer(stderr) {
    return /no such container|no container with name or id|no such object/i.test(stderr);
}

;// CONCATENATED MODULE: ./build/js/server/executor/containers/container-removal.js


const removeMs = 10_000;
const removeAllMs = 60_000;
/** Kills and removes a container; true when it is certainly not there any more, also when it never was. */
async function removeContainer(engine, idOrName, clock) {
    const deadline = clock.monotonicMs() + removeMs;
    for (;;) {
        const { code, stderr } = await callEngine(engine, ['rm', '--force', '--volumes', idOrName]);
        if (code === 0 || isNoContainer(stderr))
            return true;
        if (clock.monotonicMs() >= deadline)
            return false;
        // Somebody else removes it at the moment, or the engine has much to do.
        await clock.sleep(200);
    }
}
/**
 * Removes every container of a server, or of one of its runs, until none is seen for `quietMs`: one may just be made. How many there were. Throws
 * ContainerFault when they cannot be listed or removed.
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
