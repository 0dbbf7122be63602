// src/server/executor/watchdog.ts
import { createInterface } from "node:readline";

// src/base/deferred.ts
function createDeferred() {
  const deferred = {};
  deferred.promise = new Promise((resolve, reject) => Object.assign(deferred, { resolve, reject }));
  return deferred;
}

// src/base/clock.ts
var longestTimerMs = 2 ** 31 - 1;
var systemClock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  async sleep(ms, signal) {
    signal?.throwIfAborted();
    const { promise, resolve, reject } = createDeferred();
    const stop = () => reject(signal?.reason);
    signal?.addEventListener("abort", stop, { once: true });
    const timer = setTimeout(resolve, Math.min(ms, longestTimerMs));
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
    }
  }
};

// src/base/debugger-door.ts
function closeDebuggerDoor() {
  if (process.platform !== "win32") process.on("SIGUSR1", () => {
  });
}

// src/server/executor/container-command.ts
var serverLabel = "agent-run.server";
var runLabel = "agent-run.run";
var lineBytesMax = 60 * 1024;
function printListArguments({ serverId: serverId2, runId }) {
  const labels = [`${serverLabel}=${serverId2}`, ...runId === void 0 ? [] : [`${runLabel}=${runId}`]];
  return ["ps", "--all", "--quiet", "--no-trunc", ...labels.flatMap((label) => ["--filter", `label=${label}`])];
}

// src/server/executor/container-engine.ts
import { spawn } from "node:child_process";

// src/base/text.ts
function lastLines(text, count) {
  return text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== "").slice(-count);
}

// src/server/executor/container-engine.ts
var ContainerFault = class extends Error {
  name = "ContainerFault";
};
var callMs = 3e4;
var streamEndMs = 1e3;
var textMax = 64 * 1024;
async function callEngine({ file, env }, args, signal = AbortSignal.timeout(callMs)) {
  const child = spawn(file, args, { cwd: "/", env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  const kill = () => child.kill("SIGKILL");
  signal.addEventListener("abort", kill, { once: true });
  if (signal.aborted) kill();
  const { promise, resolve } = Promise.withResolvers();
  child.once("error", (error) => resolve({ code: void 0, fault: error.message }));
  child.once("close", (code2) => resolve({ code: code2 ?? void 0, fault: "" }));
  child.once("exit", () => {
    const streams = [child.stdout, child.stderr];
    setTimeout(() => streams.forEach((stream) => void stream.destroy()), streamEndMs).unref();
  });
  const texts = [collect(child.stdout), collect(child.stderr)];
  const { code, fault } = await promise;
  signal.removeEventListener("abort", kill);
  const [stdout = "", stderr = ""] = fault === "" ? await Promise.all(texts) : [];
  return { code, stdout: stdout.trim(), stderr: fault === "" ? stderr : fault };
}
async function collect(stream) {
  let text = "";
  try {
    for await (const chunk of stream) text = `${text}${String(chunk)}`.slice(-textMax);
  } catch {
  }
  return text;
}
function describeComplaint(stderr) {
  const said = stderr.split("\n").map((line) => line.trim()).filter((line) => line !== "" && !/^Run '.+ --help' for more information$/.test(line));
  const words = lastLines(said.join("\n"), 2).map((line) => line.replace(/^(docker: |Error: )?(Error response from daemon: )?/, "")).join(" | ");
  return words === "" ? "it gave no reason" : words.slice(0, 500);
}
function isNoContainer(stderr) {
  return /no such container|no container with name or id|no such object/i.test(stderr);
}

// src/server/executor/container-removal.ts
var removeMs = 1e4;
var removeAllMs = 6e4;
async function removeContainer(engine, idOrName, clock) {
  const deadline = clock.monotonicMs() + removeMs;
  for (; ; ) {
    const { code, stderr } = await callEngine(engine, ["rm", "--force", "--volumes", idOrName]);
    if (code === 0 || isNoContainer(stderr)) return true;
    if (clock.monotonicMs() >= deadline) return false;
    await clock.sleep(200);
  }
}
async function removeContainers(engine, owner, { clock, quietMs = 0 }) {
  const removed = /* @__PURE__ */ new Set();
  const deadline = clock.monotonicMs() + removeAllMs;
  for (let quietSince; ; ) {
    const { code, stdout, stderr } = await callEngine(engine, printListArguments(owner));
    if (code !== 0) throw new ContainerFault(`cannot list the containers of runs: ${describeComplaint(stderr)}`);
    const ids = stdout.split("\n").filter((id) => id !== "");
    for (const id of ids) {
      if (!await removeContainer(engine, id, clock))
        throw new ContainerFault(`cannot remove the container ${id.slice(0, 12)} of a run`);
      removed.add(id);
    }
    const now = clock.monotonicMs();
    quietSince = ids.length > 0 ? void 0 : quietSince ?? now;
    if (quietSince !== void 0 && now - quietSince >= quietMs) return removed.size;
    if (now > deadline) throw new ContainerFault("containers of runs are created faster than they can be removed");
    await clock.sleep(ids.length > 0 ? 20 : 100);
  }
}

// src/server/executor/process-table.ts
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
var hasProcessTable = process.platform === "linux";
var absences = ["ENOENT", "ESRCH", "EACCES", "EPERM"];
function readProcessTable() {
  return readdirSync("/proc").filter((name) => /^\d+$/.test(name)).flatMap((name) => readLiving(Number(name)) ?? []);
}
function readProcess(pid) {
  try {
    return readLiving(pid);
  } catch {
    return void 0;
  }
}
var ownSession = readProcess(process.pid)?.session;
function readStartTicks(pid) {
  return readStat(pid)?.row.startTicks ?? "";
}
function readEnviron(pid) {
  return readProcFile(pid, "environ");
}
function readWorkingFolder(pid) {
  return readOr("", () => readlinkSync(`/proc/${pid}/cwd`));
}
function readOpenFiles(pid) {
  const folder = `/proc/${pid}/fd`;
  return readOr([], () => readdirSync(folder)).map((name) => readOr("", () => readlinkSync(`${folder}/${name}`)));
}
function readLiving(pid) {
  const stat = readStat(pid);
  return stat?.isAlive === true ? stat.row : void 0;
}
function readStat(pid) {
  const stat = readProcFile(pid, "stat");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state, parent, group, session] = fields;
  const [threads, startTicks] = [fields[17], fields[19]];
  if (startTicks === void 0) return void 0;
  const row = { pid, parent: Number(parent), group: Number(group), session: Number(session), startTicks };
  const isDead = (state === "Z" || state === "X") && Number(threads) <= 1;
  return { row, isAlive: !isDead && row.group > 0 };
}
function readProcFile(pid, name) {
  return readOr("", () => readFileSync(`/proc/${pid}/${name}`, "latin1"));
}
function readOr(absent, read) {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error && "code" in error && absences.includes(error.code)) return absent;
    throw error;
  }
}

// src/server/executor/run-processes.ts
import { basename } from "node:path";

// src/server/executor/marker.ts
var markerVariable = "AGENT_RUN_MARKER";
function createMarkerTest(markers) {
  const wanted = markers.map(({ serverId: serverId2, runId }) => {
    const start = `\0${markerVariable}=${serverId2}/`;
    return runId === void 0 ? start : `${start}${runId}\0`;
  });
  return (environ) => wanted.some((text) => `\0${environ}\0`.includes(text));
}

// src/server/executor/run-processes.ts
function findProcesses(scope) {
  const { markers, leaders, seen = [], folders = [], pipes = [], orphans = [] } = scope;
  const table = readProcessTable();
  const isMarked = createMarkerTest(markers);
  const isOfServer = createMarkerTest(markers.map(({ serverId: serverId2 }) => ({ serverId: serverId2 })));
  const byTrace = [];
  const byMarker = table.filter((row) => {
    const environ = readEnviron(row.pid);
    if (isMarked(environ)) return true;
    if (isOfServer(environ)) return false;
    if (worksIn(row.pid, folders) || orphans.some((those) => isOrphan(row, those, environ)) || holdsOneOf(row.pid, pipes))
      byTrace.push(row);
    return false;
  });
  return findKin(table, { leaders, members: [...byMarker, ...findSame(table, seen)], others: byTrace });
}
function findKin(table, { leaders, members, others = [] }) {
  const sessions = new Set(leaders.filter((leader) => isSame(table, leader)).map((leader) => leader.pid));
  const found = /* @__PURE__ */ new Map();
  const rest = new Set(table.filter((row) => row.pid !== 1 && row.pid !== process.pid));
  const addKin = (row) => {
    if (!rest.delete(row)) return;
    found.set(row.pid, row);
    if (row.session !== ownSession && row.session > 0) sessions.add(row.session);
  };
  for (const row of members) addKin(row);
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const row of rest) if (sessions.has(row.session) || found.has(row.parent)) addKin(row);
  }
  for (const row of others) if (rest.delete(row)) found.set(row.pid, row);
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const row of rest) if (found.has(row.parent) && rest.delete(row)) found.set(row.pid, row);
  }
  return [...found.values()];
}
function findSame(table, processes) {
  if (processes.length === 0) return [];
  const rows = new Map(table.map((row) => [row.pid, row]));
  return processes.flatMap(({ pid, startTicks }) => {
    const row = rows.get(pid);
    return row?.startTicks === startTicks ? [row] : [];
  });
}
function worksIn(pid, folders) {
  if (folders.length === 0) return false;
  const path = readWorkingFolder(pid);
  return folders.some((folder) => path === folder || path.startsWith(`${folder}/`) || path === `${folder} (deleted)`);
}
function isOrphan(row, orphans, environ) {
  const { folder, since, until = "Infinity" } = orphans;
  const began = Number(row.startTicks);
  if (!orphans.reapers.includes(row.parent) || began < Number(since.startTicks) || began > Number(until)) return false;
  return namesRun(environ, orphans) || folder !== void 0 && worksIn(row.pid, [folder]);
}
function namesRun(environ, { runFolder, runId }) {
  const parts = environ.split(Buffer.from(runFolder).toString("latin1"));
  const isPath = (part, index) => /^(?:[/:\0]|$)/.test(part) && /[=:]$/.test(parts[index - 1] ?? "");
  return parts.some(isPath) || environ.split("\0").includes(`AGENT_RUN_ID=${runId}`);
}
function holdsOneOf(pid, pipes) {
  return pipes.length > 0 && readOpenFiles(pid).some((path) => pipes.some((name) => basename(path).startsWith(name)));
}
function isSame(table, leader) {
  const row = table.find((candidate) => candidate.pid === leader.pid);
  return row === void 0 || row.startTicks === leader.startTicks;
}
function signalLeaderGroup({ pid, startTicks }, signal) {
  try {
    return ["", startTicks].includes(readStartTicks(pid)) && sendSignal(-pid, signal);
  } catch {
    return false;
  }
}
function killGroups(rows) {
  const done = /* @__PURE__ */ new Set();
  for (const row of rows) {
    if (done.has(row.group)) continue;
    const now = readProcess(row.pid);
    if (now === void 0 || now.startTicks !== row.startTicks) continue;
    if (now.group > 1 && now.session !== ownSession) {
      sendSignal(-now.group, "SIGKILL");
      done.add(now.group);
    } else sendSignal(row.pid, "SIGKILL");
  }
}
function sendSignal(pid, signal) {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

// src/server/executor/sweep.ts
async function sweep(scope, limits, clock) {
  if (!hasProcessTable) return sweepGroups(scope);
  const start = clock.monotonicMs();
  const seen = /* @__PURE__ */ new Set();
  for (const leader of scope.leaders) signalLeaderGroup(leader, "SIGSTOP");
  let quietSince;
  for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, 50)) {
    const found = look(scope);
    const now = clock.monotonicMs();
    const isLate = now - start > limits.budgetMs;
    if (found instanceof Error) {
      quietSince = void 0;
      if (isLate) throw found;
    } else if (found.length > 0) {
      quietSince = void 0;
      for (const { pid, startTicks } of found) seen.add(`${pid} ${startTicks}`);
      if (isLate) return { found: seen.size, survivors: found.map((row) => row.pid) };
      killGroups(found);
    } else {
      quietSince ??= now;
      if (now - quietSince >= limits.quietMs) return { found: seen.size, survivors: [] };
    }
    await clock.sleep(quietSince === void 0 ? pauseMs : Math.max(limits.quietMs, 1));
  }
}
function look(scope, find = () => findProcesses(scope)) {
  try {
    return find();
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
function sweepGroups({ leaders }) {
  const killed = leaders.filter((leader) => signalLeaderGroup(leader, "SIGKILL"));
  return { found: killed.length, survivors: [] };
}

// src/server/executor/watchdog-orders.ts
function parseOrder(line) {
  return JSON.parse(line);
}

// src/server/executor/watchdog.ts
var serverId = process.argv[2] ?? "";
var watched = /* @__PURE__ */ new Map();
var dismissed = false;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {
});
closeDebuggerDoor();
process.title = `agent-run watchdog of ${serverId}`;
try {
  for await (const line of createInterface({ input: process.stdin })) {
    const order = parseOrder(line);
    if (order.kind === "watch") watched.set(order.runId, order);
    else if (order.kind === "drop") watched.delete(order.runId);
    else dismissed = true;
  }
} catch {
}
if (!dismissed) {
  const markers = [...watched.keys()].map((runId) => ({ serverId, runId }));
  const runs = [...watched.values()];
  const leaders = runs.map((run) => run.leader).filter((leader) => leader !== void 0);
  const folders = runs.map((run) => run.folder);
  const until = findNewest();
  const orphans = runs.flatMap((run) => run.orphans === void 0 ? [] : [{ ...run.orphans, until }]);
  await sweep({ markers, leaders, folders, orphans }, { quietMs: 500, budgetMs: 6e4 }, systemClock).catch(() => {
  });
  for (const [runId, { engine }] of watched)
    if (engine !== void 0)
      await removeContainers(engine, { serverId, runId }, { clock: systemClock, quietMs: 1e3 }).catch(() => {
      });
}
process.exit();
function findNewest() {
  try {
    return String(Math.max(...readProcessTable().map(({ startTicks }) => Number(startTicks))));
  } catch {
    return void 0;
  }
}
