const require = process.getBuiltinModule('node:module').createRequire(import.meta.url);
var __create = Object.create;
var __defProp = Object.defineProperty;
var __getOwnPropDesc = Object.getOwnPropertyDescriptor;
var __getOwnPropNames = Object.getOwnPropertyNames;
var __getProtoOf = Object.getPrototypeOf;
var __hasOwnProp = Object.prototype.hasOwnProperty;
var __require = /* @__PURE__ */ ((x2) => typeof require !== "undefined" ? require : typeof Proxy !== "undefined" ? new Proxy(x2, {
  get: (a, b) => (typeof require !== "undefined" ? require : a)[b]
}) : x2)(function(x2) {
  if (typeof require !== "undefined") return require.apply(this, arguments);
  throw Error('Dynamic require of "' + x2 + '" is not supported');
});
var __commonJS = (cb, mod) => function __require2() {
  try {
    return mod || (0, cb[__getOwnPropNames(cb)[0]])((mod = { exports: {} }).exports, mod), mod.exports;
  } catch (e) {
    throw mod = 0, e;
  }
};
var __export = (target, all) => {
  for (var name in all)
    __defProp(target, name, { get: all[name], enumerable: true });
};
var __copyProps = (to, from, except, desc) => {
  if (from && typeof from === "object" || typeof from === "function") {
    for (let key of __getOwnPropNames(from))
      if (!__hasOwnProp.call(to, key) && key !== except)
        __defProp(to, key, { get: () => from[key], enumerable: !(desc = __getOwnPropDesc(from, key)) || desc.enumerable });
  }
  return to;
};
var __toESM = (mod, isNodeMode, target) => (target = mod != null ? __create(__getProtoOf(mod)) : {}, __copyProps(
  // If the importer is in node compatibility mode or this is not an ESM
  // file that has been converted to a CommonJS file using a Babel-
  // compatible transform (i.e. "__esModule" has not been set), then set
  // "default" to the CommonJS "module.exports" for node compatibility.
  isNodeMode || !mod || !mod.__esModule ? __defProp(target, "default", { value: mod, enumerable: true }) : target,
  mod
));

// src/base/text.ts
function headOfUtf8(text, maxBytes) {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= maxBytes) return text;
  let end2 = maxBytes;
  while (end2 > 0 && isContinuation(bytes[end2])) end2 -= 1;
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, end2));
}
function tailOfUtf8(text, maxBytes) {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= maxBytes) return text;
  let start = bytes.length - maxBytes;
  while (start < bytes.length && isContinuation(bytes[start])) start += 1;
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(start));
}
function ellipsis(text, max) {
  const points = Array.from(text.slice(0, 2 * max + 1));
  return points.length <= max ? text : `${points.slice(0, max - 1).join("")}…`;
}
function firstLine(text) {
  for (const line of text.split(/\r\n|\r|\n/)) if (line.trim() !== "") return line.trim();
  return "";
}
function lastLines(text, count) {
  return text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== "").slice(-count);
}
function counted(count, noun) {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
function isContinuation(byte) {
  return byte !== void 0 && (byte & 192) === 128;
}

// src/base/terminal-text.ts
var escapeSequences = /\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\)|[ -/]*[0-~])/g;
var controls = /[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;
function withoutEscapes(text) {
  return text.replace(escapeSequences, "");
}
var escapeUnits = 64 * 1024;
function skipEscape(text, at) {
  const start = Math.max(at - escapeUnits, text.lastIndexOf("\n", at - 1) + 1, 0);
  if (at <= start || !text.slice(start, at).includes("\x1B")) return at;
  for (const { 0: sequence, index } of text.slice(start, at + escapeUnits).matchAll(escapeSequences)) {
    if (start + index >= at) break;
    if (start + index + sequence.length > at) return start + index + sequence.length;
  }
  return at;
}
var begunEscape = /\x1b(?:\[[0-?]*[ -/]*|[\]PX^_][^\x07\x1b\n]*\x1b?|[ -/]*)$/;
function withoutBegunEscape(text) {
  const start = Math.max(0, text.length - escapeUnits);
  const index = begunEscape.exec(text.slice(start))?.index;
  return index === void 0 ? text : text.slice(0, start + index);
}
function tailOfTerminalText(text, maxBytes) {
  const tail = tailOfUtf8(text, maxBytes);
  const at = text.length - tail.length;
  return tail.slice(skipEscape(text, at) - at);
}
function drawnText(text) {
  return withoutEscapes(text).split("\n").map(keepLastDrawing).join("\n");
}
function terminalText(text) {
  return drawnText(text).replace(controls, "");
}
function terminalLine(text) {
  return terminalText(text.replace(/(?<![\r\n])[\r\n]+$/, "").replace(/[\r\n]+/g, " "));
}
function plainLine(text, instead = " ") {
  return text.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, instead);
}
function keepLastDrawing(drawings) {
  const line = drawings.replace(/\r$/, "");
  return line.includes("\r") ? line.split("\r").findLast((drawing) => drawing !== "") ?? "" : line;
}

// src/action/text/budget.ts
var budgets = {
  /** One output: the next step mostly gets it as a variable, of which Linux takes 128 KiB. Its UTF-16 units are never more than its bytes. */
  result: { unit: "utf8", limit: 128 * 1024, max: 64 * 1024 },
  /** `result_json`, which has the same use. */
  resultJson: { unit: "utf8", limit: 128 * 1024, max: 64 * 1024 },
  /** Each of `artifacts` and `usage`. */
  list: { unit: "utf8", limit: 128 * 1024, max: 32 * 1024 },
  /** Each of the outputs that are words of the server. */
  words: { unit: "utf8", limit: 128 * 1024, max: 8 * 1024 },
  /** All outputs together: 1 MB a job, counted as UTF-16, which is two bytes a unit; and the job has other steps. */
  outputs: { unit: "utf16", limit: 5e5, max: 3e5 },
  /** 1 MiB a step, counting what its file holds already; above it nothing is shown. */
  summary: { unit: "utf8", limit: 1024 * 1024, max: 900 * 1024 },
  /** The result on it: beyond that the summary is of no use to whoever reads it. */
  summaryResult: { unit: "utf8", limit: 1024 * 1024, max: 64 * 1024 },
  comment: { unit: "utf16", limit: 65536, max: 6e4 },
  annotation: { unit: "utf16", limit: 4096, max: 3e3 },
  /** One line of the log. The limit is the longest line that we keep in memory. */
  logLine: { unit: "utf16", limit: 64 * 1024, max: 8 * 1024 },
  /** What `log: normal` shows of an agent. The limit is where GitHub's page stops being of use. */
  log: { unit: "utf8", limit: 4 * 1024 * 1024, max: 1024 * 1024 },
  /** The last lines beside the reason. */
  lastLines: { unit: "utf8", limit: 64 * 1024, max: 8 * 1024 }
};
var lineBudgets = { log: 4e3, logEnd: 50, lastLines: 40 };
function measureText(text, surface) {
  return sizeOf(text, budgets[surface].unit);
}
function readRoom({ surface, room = Number.POSITIVE_INFINITY }) {
  return Math.max(0, Math.min(room, budgets[surface].max));
}
function keepHead(text, room) {
  const [unit, max] = [budgets[room.surface].unit, readRoom(room)];
  if (sizeOf(text, unit) <= max) return text;
  const mark = sizeOf("…", unit);
  return max < mark ? "" : `${cutHead(text, max - mark, unit)}…`;
}
function keepTail(text, { where, missingBytes = 0, ...room }) {
  const [unit, max] = [budgets[room.surface].unit, readRoom(room)];
  if (missingBytes === 0 && sizeOf(text, unit) <= max) return text;
  const counted2 = missingBytes === 0 ? unit : "utf8";
  const whole = missingBytes + sizeOf(text, counted2);
  const reserve = sizeOf(describeCut(whole, counted2, where), unit);
  if (reserve >= max) return cutTail(text, max, unit);
  const end2 = cutTail(text, max - reserve, unit);
  const tail = end2 === text ? text : fromLineStart(end2);
  return `${describeCut(whole - sizeOf(tail, counted2), counted2, where)}${tail}`;
}
function keepEnd(text, room) {
  const [unit, max] = [budgets[room.surface].unit, readRoom(room)];
  return sizeOf(text, unit) <= max ? text : fromLineStart(cutTail(text, max, unit));
}
function sizeOf(text, unit) {
  return unit === "utf16" ? text.length : Buffer.byteLength(text);
}
function describeCut(count, unit, where) {
  const rest = where === void 0 ? "" : `; ${where}`;
  return `(the first ${count} ${unit === "utf8" ? "bytes" : "characters"} are left out${rest})
`;
}
function fromLineStart(tail) {
  const end2 = tail.indexOf("\n");
  return end2 >= 0 && end2 < tail.length / 10 ? tail.slice(end2 + 1) : tail;
}
function cutHead(text, max, unit) {
  if (unit === "utf8") return headOfUtf8(text, max);
  const splitsPair = isHighSurrogate(text.charCodeAt(max - 1)) && isLowSurrogate(text.charCodeAt(max));
  return text.slice(0, splitsPair ? max - 1 : max);
}
function cutTail(text, max, unit) {
  const tail = tailWithin(text, max, unit);
  const at = text.length - tail.length;
  return tail.slice(skipEscape(text, at) - at);
}
function tailWithin(text, max, unit) {
  if (sizeOf(text, unit) <= max) return text;
  if (unit === "utf8") return tailOfUtf8(text, max);
  const start = text.length - max;
  const splitsPair = isHighSurrogate(text.charCodeAt(start - 1)) && isLowSurrogate(text.charCodeAt(start));
  return text.slice(splitsPair ? start + 1 : start);
}
function isHighSurrogate(unit) {
  return unit >= 55296 && unit < 56320;
}
function isLowSurrogate(unit) {
  return unit >= 56320 && unit < 57344;
}

// src/base/debugger-door.ts
function closeDebuggerDoor() {
  if (process.platform !== "win32") process.on("SIGUSR1", () => {
  });
}

// src/base/slow-addresses.ts
import { setDefaultAutoSelectFamilyAttemptTimeout } from "node:net";
var addressAttemptMs = 2500;
function waitForSlowAddresses() {
  setDefaultAutoSelectFamilyAttemptTimeout(addressAttemptMs);
}

// src/action/text/guard.ts
function guardLines(text) {
  return text.split(lineEnds).map((line) => `│ ${disarm(line)}`);
}
function guardLine(text) {
  const line = disarm(text.replace(/[\n\r\u0085\u2028\u2029\v\f]+/g, " "));
  const start = line.search(visible);
  return line[start] === ":" ? `${line.slice(0, start)}​${line.slice(start)}` : line;
}
function guardNote(text) {
  return guardLine(keepHead(text, { surface: "annotation" }));
}
function guardTitle(text) {
  return keepHead(guardLine(text), { surface: "logLine", room: titleUnits });
}
var titleUnits = 200;
function disarm(line) {
  return drawnText(line).replace(otherControls, "").replaceAll("##[", "##​[");
}
var lineEnds = /\r\n|[\n\r\u0085\u2028\u2029\v\f]/;
var visible = /[\p{L}\p{N}\p{P}\p{S}]/u;
var otherControls = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

// src/action/host/log-commands.ts
function printCommand(name, data = "", properties = {}) {
  const pairs2 = Object.entries(properties).filter(([, value]) => value !== "").map(([key, value]) => `${key}=${escapeProperty(value)}`);
  return `::${name}${pairs2.length === 0 ? "" : ` ${pairs2.join(",")}`}::${escapeData(data)}`;
}
function escapeData(text) {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}
function escapeProperty(text) {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

// src/action/host/annotations.ts
var annotationsMax = 9;
function createAnnotations(print) {
  const counts = /* @__PURE__ */ new Map();
  return {
    add(kind, message) {
      const count = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, count);
      print(count <= annotationsMax ? printCommand(kind, message) : plainNote(kind, message));
    },
    finish() {
      for (const [kind, count] of counts)
        if (count > annotationsMax) print(printCommand(kind, `${count - annotationsMax} more, see the log`));
      counts.clear();
    }
  };
}
function plainNote(kind, message) {
  return guardLine(`${kind}: ${message}`);
}

// src/action/host/command-files.ts
import { closeSync as closeSync2, constants as constants2, openSync as openSync2, statSync as statSync2 } from "node:fs";

// src/action/host/append-whole.ts
import { fstatSync, ftruncateSync, truncateSync, writeSync } from "node:fs";
function appendWhole(fd, path, bytes) {
  const before = fstatSync(fd);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
  } catch (error) {
    if (before.isFile()) cutTo(before.size, fd, path);
    throw error;
  }
}
function cutTo(size, fd, path) {
  try {
    if (process.platform === "win32") truncateSync(path, size);
    else ftruncateSync(fd, size);
  } catch {
  }
}

// src/action/host/kept-files.ts
import { randomUUID } from "node:crypto";
import {
  chmodSync,
  closeSync,
  constants,
  fstatSync as fstatSync2,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync
} from "node:fs";
import { dirname } from "node:path";
var runnerFiles = [
  "GITHUB_OUTPUT",
  "GITHUB_STATE",
  "GITHUB_STEP_SUMMARY",
  "GITHUB_ENV",
  "GITHUB_PATH",
  "GITHUB_EVENT_PATH"
];
function keepFiles(readVariable, except = []) {
  const kept = /* @__PURE__ */ new Map();
  for (const file of runnerFiles) {
    const path = readVariable(file) ?? "";
    const found = path === "" || except.includes(file) ? void 0 : readPlain(path);
    if (found === void 0) continue;
    const { bytes, mode } = found;
    kept.set(file, { path, mode, parts: [bytes], size: bytes.length, isWhole: true });
  }
  return {
    has: (file) => kept.has(file),
    sizeOf: (file) => kept.get(file)?.size ?? 0,
    append(file, text) {
      const entry = kept.get(file);
      if (entry === void 0) return;
      const bytes = Buffer.from(text);
      const isAdded = entry.isWhole && appendPlain(entry.path, bytes);
      entry.parts.push(bytes);
      entry.size += bytes.length;
      entry.isWhole = isAdded;
    },
    restore() {
      const faults = [];
      const changed = [...kept].filter(([, entry]) => {
        try {
          return putBack(entry);
        } catch (error) {
          faults.push(error);
          return true;
        }
      });
      if (faults.length > 0) throw faults[0];
      return changed.map(([file]) => file);
    }
  };
}
function putBack(entry) {
  const wanted = Buffer.concat(entry.parts);
  const found = readPlain(entry.path, wanted.length)?.bytes;
  if (found?.equals(wanted)) return false;
  const isOurs = !entry.isWhole && found?.equals(wanted.subarray(0, found.length));
  replace(entry, wanted);
  entry.isWhole = true;
  return !isOurs;
}
var { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
function readPlain(path, limit = Number.POSITIVE_INFINITY) {
  return withPlain(
    path,
    constants.O_RDONLY,
    (fd, { size, mode }) => size > limit ? void 0 : { bytes: readFileSync(fd), mode: mode & 511 }
  );
}
function appendPlain(path, bytes) {
  let fault;
  const isPlain2 = withPlain(path, constants.O_WRONLY | constants.O_APPEND, (fd) => {
    try {
      appendWhole(fd, path, bytes);
    } catch (error) {
      fault = { error };
    }
    return true;
  });
  if (fault !== void 0) throw fault.error;
  return isPlain2 ?? false;
}
function withPlain(path, flags, act) {
  let fd;
  try {
    fd = openSync(path, flags | O_NOFOLLOW | O_NONBLOCK);
    const stats = fstatSync2(fd);
    return stats.isFile() && stats.nlink === 1 ? act(fd, stats) : void 0;
  } catch {
    return void 0;
  } finally {
    if (fd !== void 0) closeSync(fd);
  }
}
function replace({ path, mode }, bytes) {
  const write2 = () => {
    makeWay(dirname(path));
    moveAside(path);
    try {
      writeFileSync(path, bytes, { flag: "wx", mode });
    } catch (error) {
      rmSync(path, { force: true });
      throw error;
    }
  };
  try {
    write2();
  } catch (error) {
    try {
      chmodSync(dirname(path), 493);
    } catch {
      throw error;
    }
    write2();
  }
}
function makeWay(folder) {
  if (!isFolder(dirname(folder))) makeWay(dirname(folder));
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  moveAside(folder);
  mkdirSync(folder);
}
function isFolder(path) {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
function moveAside(path) {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) renameSync(path, `${path}-${randomUUID()}`);
  else if (found !== void 0) unlinkSync(path);
}

// src/action/host/command-files.ts
var CommandFileError = class extends Error {
  name = "CommandFileError";
};
var lineEnd = process.platform === "win32" ? "\r\n" : "\n";
function createCommandFiles(readVariable, random = () => crypto.randomUUID()) {
  let last = "";
  const drawDelimiter = (file, texts2) => {
    const drawn = drawRandom(file, random);
    const isRepeated = drawn === (last === "" ? drawRandom(file, random) : last);
    last = drawn;
    const delimiter = `agent_run_${drawn}`;
    if (isRepeated || texts2.some((text) => text.includes(delimiter)))
      throw brokenRandom(file, "it repeats earlier values");
    return delimiter;
  };
  let kept;
  const append = (file, text) => {
    const path = pathOf(file, readVariable);
    try {
      if (kept?.has(file)) kept.append(file, text);
      else appendNow(path, text);
    } catch (error) {
      const remedy2 = isDiskFull(error) ? "free disk space on the runner in an earlier step" : "earlier steps must not remove or replace it";
      throw new CommandFileError(
        `${file}: ${path} cannot be written (${error instanceof Error ? error.message : error}); ${remedy2}`,
        { cause: error }
      );
    }
  };
  const sizeOf2 = (file) => {
    if (kept?.has(file)) return kept.sizeOf(file);
    const path = readVariable(file) ?? "";
    return path === "" ? 0 : statSync2(path, { throwIfNoEntry: false })?.size ?? 0;
  };
  const gapOf = (file) => sizeOf2(file) > 0 ? "\n\n" : "";
  return {
    appendPair(file, name, value) {
      if (!/^[A-Za-z_][\w-]*$/.test(name))
        throw new CommandFileError(
          `${file}: ${JSON.stringify(name)} is not a valid name; use letters, digits, - and _, starting with a letter or _`
        );
      const delimiter = drawDelimiter(file, [name, value]);
      append(file, [`${name}<<${delimiter}`, value, delimiter, ""].join(lineEnd));
    },
    appendText(file, text) {
      append(file, `${gapOf(file)}${text}`);
    },
    keep(except) {
      kept = keepFiles(readVariable, except);
    },
    restore: () => kept?.restore() ?? [],
    roomOf: (file, limitBytes) => Math.max(0, limitBytes - sizeOf2(file) - gapOf(file).length)
  };
}
function appendNow(path, text) {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK: O_NONBLOCK2 = 0 } = constants2;
  const fd = openSync2(path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK2);
  try {
    appendWhole(fd, path, Buffer.from(text));
  } finally {
    closeSync2(fd);
  }
}
function isDiskFull(error) {
  return error instanceof Error && "code" in error && (error.code === "ENOSPC" || error.code === "EDQUOT");
}
function pathOf(file, readVariable) {
  const path = readVariable(file) ?? "";
  if (path !== "") return path;
  throw new CommandFileError(
    `${file} is not set, so the step cannot pass anything to the runner; the action needs GitHub Actions runner 2.327.1 or later, or a compatible one`
  );
}
function drawRandom(file, random) {
  let drawn;
  try {
    drawn = random();
  } catch (error) {
    throw brokenRandom(file, error instanceof Error ? error.message : String(error), error);
  }
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(drawn)) throw brokenRandom(file, "it did not return a UUID");
  return drawn;
}
function brokenRandom(file, reason, cause) {
  return new CommandFileError(
    `${file} was not written: the random source of this machine fails (${reason}), and without it one value could forge another; fix the machine's random device`,
    { cause }
  );
}

// src/base/text-finder.ts
function createTextFinder(texts2) {
  const sorted = [...new Set(texts2)].filter((text) => text !== "").sort();
  const size = sorted.reduce((sum, text) => sum + text.length, 1);
  const { codes, children, fallbacks, depths, ended } = createNodes(size);
  const roots = new Int32Array(65536);
  const find = (node, code) => {
    let low = children[node] ?? 0;
    let high = (children[node + 1] ?? 0) - 1;
    while (low <= high) {
      const middle = low + high >> 1;
      const found = codes[middle] ?? 0;
      if (found === code) return middle;
      if (found < code) low = middle + 1;
      else high = middle - 1;
    }
    return 0;
  };
  const step = (from, code) => {
    for (let node = from; node > 0; node = fallbacks[node] ?? 0) {
      const child = find(node, code);
      if (child > 0) return child;
    }
    return roots[code] ?? 0;
  };
  const [firsts, ends] = [new Int32Array(size), new Int32Array(size)];
  ends[0] = sorted.length;
  children[0] = 1;
  let count = 1;
  for (let node = 0; node < count; node += 1) {
    const depth = depths[node] ?? 0;
    const end2 = ends[node] ?? 0;
    let first = firsts[node] ?? 0;
    if (sorted[first]?.length === depth && node > 0) {
      ended[node] = depth;
      first += 1;
    } else ended[node] = ended[fallbacks[node] ?? 0] ?? 0;
    for (; first < end2; count += 1) {
      const code = sorted[first]?.charCodeAt(depth) ?? 0;
      codes[count] = code;
      depths[count] = depth + 1;
      firsts[count] = first;
      if (node === 0) roots[code] = count;
      while (first < end2 && sorted[first]?.charCodeAt(depth) === code) first += 1;
      ends[count] = first;
    }
    children[node + 1] = count;
    for (let child = children[node] ?? 0; child < count && node > 0; child += 1)
      fallbacks[child] = step(fallbacks[node] ?? 0, codes[child] ?? 0);
  }
  const walk = (from, text, start, onFound) => {
    let node = from;
    for (let at = start; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      node = node === 0 ? roots[code] ?? 0 : step(node, code);
      if (node !== 0 && ended[node] !== 0) onFound(at + 1, ended[node] ?? 0);
    }
    return node;
  };
  const begun = (at) => {
    let node = at;
    while (node > 0 && children[node] === children[node + 1]) node = fallbacks[node] ?? 0;
    return depths[node] ?? 0;
  };
  return { walk, begun };
}
function createNodes(size) {
  return {
    /** The last character of its beginning. */
    codes: new Uint16Array(size),
    /** Where its children begin; they end where those of the next one begin. */
    children: new Int32Array(size + 1),
    fallbacks: new Int32Array(size),
    depths: new Int32Array(size),
    ended: new Int32Array(size)
  };
}

// src/base/secret-hider.ts
var mask = "***";
function createSecretHider(secrets) {
  const finder = createTextFinder(secrets);
  const openStream = () => {
    let [held, spans, isMasked, node] = ["", [], false, 0];
    const show2 = (end2) => {
      const shown = [];
      let at = 0;
      for (const span of spans) {
        if (span.start >= end2) break;
        if (span.start > at) shown.push(held.slice(at, span.start));
        if (span.start > at || !isMasked) shown.push(mask);
        isMasked = true;
        at = Math.min(span.end, end2);
      }
      if (at < end2) {
        shown.push(held.slice(at, end2));
        isMasked = false;
      }
      spans = spans.flatMap(
        (span) => span.end > end2 ? [{ start: Math.max(0, span.start - end2), end: span.end - end2 }] : []
      );
      held = held.slice(end2);
      return shown.join("");
    };
    return {
      push(text) {
        const from = held.length;
        held += text;
        node = finder.walk(node, held, from, (end2, length) => addSpan(spans, { start: end2 - length, end: end2 }));
        return show2(held.length - finder.begun(node));
      },
      end() {
        const rest = show2(held.length);
        [isMasked, node] = [false, 0];
        return rest;
      }
    };
  };
  const hide = (text) => {
    const stream = openStream();
    return stream.push(text) + stream.end();
  };
  return { hide, openStream };
}
function addSpan(spans, { start, end: end2 }) {
  let first = start;
  for (let last = spans.at(-1); last !== void 0 && last.end >= first; last = spans.at(-1)) {
    first = Math.min(first, last.start);
    spans.pop();
  }
  spans.push({ start: first, end: end2 });
}

// src/base/base64-within.ts
function base64Within(bytes) {
  return [0, 1, 2].map(
    (offset) => btoa("\0".repeat(offset) + bytes).slice(Math.ceil(offset * 4 / 3), Math.floor((offset + bytes.length) * 4 / 3))
  );
}

// src/base/secret-variables.ts
var secretLengthMin = 8;
var secretName = /key|token|secret|passw|credential|auth(?!or)|(^|_)pat$/i;
var aboutSecret = /_(mode|type|kind|method|scheme|provider|env|environment|stage|level|format|version|realm|scopes?|audience|issuer|algorithm|region|file|path|dir|folder|ur[il]|host|port|name|user|username|email|enabled|required|timeout|ttl|limit|count|size)$/i;
var openName = /(^|_)(sha\d*|commit|digest|hash|checksum|revision)$/i;
function isSecretName(name) {
  return secretName.test(name);
}
function findSecrets(variables) {
  const found = Object.entries(variables).flatMap(
    ([name, value]) => isNamedSecret(name, value) ? linesOf(value) : openName.test(name) ? [] : findRandom(value.trim())
  );
  return [...new Set(found)].filter((secret) => secret.length >= secretLengthMin);
}
function isNamedSecret(name, value) {
  return isSecretName(name) && !aboutSecret.test(name) && (/passw|secret/i.test(name) || !/^\d{1,15}$/.test(value));
}
function linesOf(value) {
  const lines = value.split(/[\r\n]+/).map((line) => line.trim());
  return [value.trim(), ...lines.filter((line) => !/^-----.*-----$/.test(line))];
}
function findRandom(value) {
  const address = URL.parse(value);
  if (address !== null && value.includes("://"))
    return [address.password, decode(address.password), ...piecesOf(value).filter(isRandom)];
  const isWord = value.length >= 20 && /^(?![~.]?\/|sha\d+[:-])[\w+/=.~:-]+$/.test(value);
  return isWord && piecesOf(value).some(isRandom) ? [value] : [];
}
function piecesOf(value) {
  return value.split(/[^A-Za-z0-9]+/);
}
function isRandom(piece) {
  return piece.length >= 16 && /[A-Za-z]/.test(piece) && /\d.*\d/.test(piece);
}
function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// src/action/host/masks.ts
var usefulLength = 8;
function masksOf(secret) {
  if (secret.trim() === "") return [];
  const lines = secret.split(/[\r\n]+/).map((line) => line.trim()).filter((line) => line !== "");
  const useful = lines.filter((line) => line.length >= usefulLength);
  const whole = lines.length === 1 || useful.length === lines.length ? [secret] : [];
  const inHtml = lines.map((line) => line.replace(/[&<>"]/g, (character2) => entities[character2] ?? ""));
  const encoded = [...encodedForms(secret), ...inHtml].filter((form) => form.length >= usefulLength);
  return [.../* @__PURE__ */ new Set([...whole, ...useful, ...encoded])].sort((a, b) => b.length - a.length);
}
function encodedForms(secret) {
  const bytes = Buffer.from(secret, "utf8");
  const hex = bytes.toString("hex");
  return [
    bytes.toString("base64").replace(/=+$/, ""),
    bytes.toString("base64url"),
    ...base64Within(bytes.toString("latin1")).flatMap((form) => [form, form.replaceAll("+", "-").replaceAll("/", "_")]),
    hex,
    hex.toUpperCase(),
    encodeURIComponent(secret.toWellFormed()),
    // As forms write it: blanks as +, and more of the punctuation.
    new URLSearchParams({ "": secret }).toString().slice(1),
    // Within JSON.
    JSON.stringify(secret).slice(1, -1)
  ];
}
var entities = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
var secretLength = 16;
function isSecretVariable(name, value) {
  if (isSecretName(name)) return value.length >= usefulLength;
  return value.length >= secretLength && !/model/i.test(name) && !/^(?:GITHUB|RUNNER)_/.test(name);
}

// src/action/host/redactor.ts
function createRedactor() {
  const forms2 = /* @__PURE__ */ new Set();
  let hider;
  return {
    add(secret) {
      const added = masksOf(secret).filter((form) => !forms2.has(form));
      for (const form of added) forms2.add(form);
      if (added.length > 0) hider = void 0;
      return added;
    },
    redact(text) {
      hider ??= createSecretHider([...forms2]);
      return hider.hide(text);
    }
  };
}

// src/action/host/stop-signals.ts
var signals = ["SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK"];
var parentLookMs = 1e3;
var insistMs = 7500;
function listenForStop(times2 = { insistMs }) {
  const { promise: stopped, resolve: resolve3 } = Promise.withResolvers();
  const parent = process.ppid;
  const look = setInterval(() => {
    if (process.ppid === parent) return;
    heard();
    setTimeout(() => process.kill(process.pid, "SIGTERM"), times2.insistMs).unref();
  }, parentLookMs);
  look.unref();
  const stopListening = () => {
    clearInterval(look);
    for (const signal of signals) process.off(signal, heard);
  };
  const heard = () => {
    stopListening();
    resolve3();
  };
  for (const signal of signals) process.on(signal, heard);
  return {
    onStop(listener) {
      let isWanted = true;
      void stopped.then(() => {
        if (isWanted) listener();
      });
      return () => {
        isWanted = false;
        stopListening();
      };
    }
  };
}

// src/action/host/host.ts
function runnerHost(stopSignals) {
  const readVariable = (name) => process.env[name];
  const files = createCommandFiles(readVariable);
  const print = (line) => void process.stdout.write(`${line}
`);
  const annotations = createAnnotations(print);
  const warned = /* @__PURE__ */ new Set();
  let annotates = true;
  const note = (kind, message) => {
    if (annotates) annotations.add(kind, message);
    else print(plainNote(kind, message));
  };
  const redactor = createRedactor();
  process.stdout.on("error", () => {
  });
  process.once("beforeExit", annotations.finish);
  return {
    readInput: (name) => readVariable(`INPUT_${name.replaceAll(" ", "_").toUpperCase()}`) ?? "",
    readVariable,
    variables: () => ({ ...process.env }),
    setOutput: (name, value) => files.appendPair("GITHUB_OUTPUT", name, value),
    saveState: (name, value) => files.appendPair("GITHUB_STATE", name, value),
    readState: (name) => readVariable(`STATE_${name}`) ?? "",
    mask(value) {
      for (const form of redactor.add(value)) print(printCommand("add-mask", form));
    },
    redact: redactor.redact,
    print,
    group: (title) => print(printCommand("group", title)),
    endGroup: () => print(printCommand("endgroup")),
    warn(message) {
      warned.add(message);
      note("warning", message);
    },
    warned: () => [...warned],
    fail(message) {
      process.exitCode = 1;
      note("error", message);
    },
    leaveOutAnnotations() {
      annotates = false;
    },
    appendSummary: async (markdown) => files.appendText("GITHUB_STEP_SUMMARY", markdown),
    summaryRoom: () => files.roomOf("GITHUB_STEP_SUMMARY", budgets.summary.limit),
    keepFiles: files.keep,
    restoreFiles: files.restore,
    onCancel: (listener) => (stopSignals ?? listenForStop()).onStop(listener)
  };
}

// src/action/host/entry.ts
async function enterMain(runStep, times2) {
  closeDebuggerDoor();
  waitForSlowAddresses();
  const host = runnerHost(listenForStop());
  try {
    await runStep(host);
  } catch (error) {
    host.fail(`The step failed unexpectedly: ${describe(error)}`);
  }
  endSoon(times2);
}
async function enterPost(runStep, times2) {
  closeDebuggerDoor();
  waitForSlowAddresses();
  const host = runnerHost();
  try {
    await runStep(host);
  } catch (error) {
    host.warn(`The cleanup failed unexpectedly: ${describe(error)}`);
  }
  endSoon(times2);
}
var usualTimes = { lingerMs: 1e4 };
function endSoon({ lingerMs } = usualTimes) {
  setTimeout(() => process.exit(), lingerMs).unref();
}
function describe(error) {
  return guardNote(error instanceof Error ? error.message : String(error));
}

// src/base/json.ts
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
function canonicalJson(value) {
  return JSON.stringify(
    value,
    (_key, member) => isObject(member) ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => a < b ? -1 : 1)) : member
  );
}
function isNestedBeyond(value, levels) {
  let level = [value];
  for (let depth = 0; ; depth += 1) {
    level = level.filter((member) => typeof member === "object" && member !== null);
    if (level.length === 0) return false;
    if (depth === levels) return true;
    level = level.flatMap((member) => Object.values(member));
  }
}

// node_modules/is-network-error/index.js
var objectToString = Object.prototype.toString;
var isError = (value) => objectToString.call(value) === "[object Error]";
var errorMessages = /* @__PURE__ */ new Set([
  "network error",
  // Chrome
  "NetworkError when attempting to fetch resource.",
  // Firefox
  "The Internet connection appears to be offline.",
  // Safari 16
  "Network request failed",
  // `cross-fetch`
  "fetch failed",
  // Undici (Node.js)
  "terminated",
  // Undici (Node.js)
  " A network error occurred.",
  // Bun (WebKit)
  "Network connection lost"
  // Cloudflare Workers (fetch)
]);
function isNetworkError(error) {
  const isValid = error && isError(error) && error.name === "TypeError" && typeof error.message === "string";
  if (!isValid) {
    return false;
  }
  const { message, stack } = error;
  if (message === "Load failed" || message.startsWith("Load failed (") && message.endsWith(")")) {
    return stack === void 0 || "__sentry_captured__" in error;
  }
  if (message.startsWith("error sending request for url")) {
    return true;
  }
  if (message === "Failed to fetch" || message.startsWith("Failed to fetch (") && message.endsWith(")")) {
    return true;
  }
  return errorMessages.has(message);
}

// node_modules/p-retry/index.js
function validateRetries(retries) {
  if (typeof retries === "number") {
    if (retries < 0) {
      throw new TypeError("Expected `retries` to be a non-negative number.");
    }
    if (Number.isNaN(retries)) {
      throw new TypeError("Expected `retries` to be a valid number or Infinity, got NaN.");
    }
    if (Number.isFinite(retries) && !Number.isInteger(retries)) {
      throw new TypeError("Expected `retries` to be a non-negative integer or Infinity.");
    }
  } else if (retries !== void 0) {
    throw new TypeError("Expected `retries` to be a number or Infinity.");
  }
}
function validateNumberOption(name, value, { allowInfinity = false } = {}) {
  if (typeof value !== "number" || Number.isNaN(value)) {
    throw new TypeError(`Expected \`${name}\` to be a number${allowInfinity ? " or Infinity" : ""}.`);
  }
  if (!allowInfinity && !Number.isFinite(value)) {
    throw new TypeError(`Expected \`${name}\` to be a finite number.`);
  }
  if (value < 0) {
    throw new TypeError(`Expected \`${name}\` to be ≥ 0.`);
  }
}
function validateOption(name, value, type) {
  if (value === void 0 || value === null) {
    return;
  }
  if (typeof value !== type) {
    throw new TypeError(`Expected \`${name}\` to be a ${type}.`);
  }
}
function validateSignal(value) {
  if (value === void 0 || value === null) {
    return;
  }
  if (typeof value.throwIfAborted !== "function" || typeof value.addEventListener !== "function" || typeof value.removeEventListener !== "function") {
    throw new TypeError("Expected `signal` to be an AbortSignal.");
  }
}
var AbortError = class _AbortError extends Error {
  constructor(message) {
    super(typeof message === "string" ? message : void 0);
    this.name = "AbortError";
    if (message instanceof Error) {
      this.originalError = message;
      ({ message } = message);
    } else {
      this.originalError = new Error(message);
      ({ message } = this.originalError);
      Error.captureStackTrace?.(this.originalError, _AbortError);
    }
    this.message = message;
  }
};
var maximumDelay = 2 ** 31 - 1;
function calculateDelay(retriesConsumed, options) {
  if (options.minTimeout === 0) {
    return 0;
  }
  const attempt2 = retriesConsumed + 1;
  const random = options.randomize ? Math.random() + 1 : 1;
  const timeout = Math.round(random * options.minTimeout * options.factor ** (attempt2 - 1));
  return Math.min(timeout, Math.ceil(options.maxTimeout), maximumDelay);
}
function calculateRemainingTime(start, max) {
  return Number.isFinite(max) ? max - (performance.now() - start) : max;
}
async function delayForRetry(delay, options) {
  if (delay <= 0) {
    return;
  }
  await new Promise((resolve3, reject) => {
    const onAbort = () => {
      clearTimeout(timeoutToken);
      reject(options.signal.reason);
    };
    const timeoutToken = setTimeout(() => {
      options.signal?.removeEventListener("abort", onAbort);
      resolve3();
    }, delay);
    if (options.unref) {
      timeoutToken.unref?.();
    }
    options.signal?.addEventListener("abort", onAbort, { once: true });
  });
}
function stringifyThrownValue(value) {
  try {
    return String(value);
  } catch {
    return Object.prototype.toString.call(value);
  }
}
function unwrapAbortError(error) {
  let cause = error;
  while (cause instanceof AbortError && cause.originalError instanceof Error) {
    cause = cause.originalError;
  }
  return cause;
}
async function onAttemptFailure({ error, attemptNumber, retriesConsumed, startTime, options }) {
  const abortIfNeeded = () => {
    options.signal?.throwIfAborted();
  };
  const normalizedError = error instanceof Error ? error : new TypeError(`Non-error was thrown: "${stringifyThrownValue(error)}". You should only throw errors.`);
  abortIfNeeded();
  if (normalizedError instanceof AbortError) {
    throw unwrapAbortError(normalizedError);
  }
  const retriesLeft = options.retries - retriesConsumed;
  const isRetriableError = !(normalizedError instanceof TypeError) || isNetworkError(normalizedError);
  const timeLeft = calculateRemainingTime(startTime, options.maxRetryTime);
  const delayTime = isRetriableError && timeLeft > 0 && retriesLeft > 0 ? calculateDelay(retriesConsumed, options) : 0;
  const consumeRetryContext = Object.freeze({
    error: normalizedError,
    attemptNumber,
    retriesLeft,
    retriesConsumed,
    retryDelay: delayTime
  });
  const consumeRetry = await options.shouldConsumeRetry(consumeRetryContext) ?? true;
  abortIfNeeded();
  const effectiveDelay = consumeRetry ? delayTime : 0;
  const context = Object.freeze({
    error: normalizedError,
    attemptNumber,
    retriesLeft,
    retriesConsumed,
    retryDelay: effectiveDelay
  });
  await options.onFailedAttempt(context);
  abortIfNeeded();
  const remainingTime = calculateRemainingTime(startTime, options.maxRetryTime);
  if (!isRetriableError || remainingTime <= 0 || retriesLeft <= 0) {
    throw normalizedError;
  }
  const shouldRetry = await options.shouldRetry(context);
  abortIfNeeded();
  if (!shouldRetry) {
    throw normalizedError;
  }
  const remainingTimeAfterShouldRetry = calculateRemainingTime(startTime, options.maxRetryTime);
  if (remainingTimeAfterShouldRetry <= 0) {
    throw normalizedError;
  }
  if (!consumeRetry) {
    return false;
  }
  await delayForRetry(Math.min(effectiveDelay, remainingTimeAfterShouldRetry), options);
  return true;
}
async function pRetry(input, options = {}) {
  options = { ...options };
  options.retries ??= 10;
  validateRetries(options.retries);
  if (Object.hasOwn(options, "forever")) {
    throw new Error("The `forever` option is no longer supported. For many use-cases, you can set `retries: Infinity` instead.");
  }
  options.factor ??= 2;
  options.minTimeout ??= 1e3;
  options.maxTimeout ??= Infinity;
  options.maxRetryTime ??= Infinity;
  options.randomize ??= false;
  options.onFailedAttempt ??= () => {
  };
  options.shouldRetry ??= () => true;
  options.shouldConsumeRetry ??= () => true;
  validateOption("onFailedAttempt", options.onFailedAttempt, "function");
  validateOption("shouldRetry", options.shouldRetry, "function");
  validateOption("shouldConsumeRetry", options.shouldConsumeRetry, "function");
  validateOption("randomize", options.randomize, "boolean");
  validateOption("unref", options.unref, "boolean");
  validateSignal(options.signal);
  validateNumberOption("factor", options.factor);
  validateNumberOption("minTimeout", options.minTimeout);
  validateNumberOption("maxTimeout", options.maxTimeout, { allowInfinity: true });
  validateNumberOption("maxRetryTime", options.maxRetryTime, { allowInfinity: true });
  if (options.factor === 0) {
    options.factor = 1;
  }
  options.signal?.throwIfAborted();
  let attemptNumber = 0;
  let retriesConsumed = 0;
  const startTime = performance.now();
  while (retriesConsumed <= options.retries) {
    attemptNumber++;
    try {
      options.signal?.throwIfAborted();
      const result = await input(attemptNumber);
      options.signal?.throwIfAborted();
      return result;
    } catch (error) {
      if (await onAttemptFailure({
        error,
        attemptNumber,
        retriesConsumed,
        startTime,
        options
      })) {
        retriesConsumed++;
      }
    }
  }
  throw new Error("Retry attempts exhausted without throwing an error.");
}

// src/base/retry.ts
async function retry(attempt2, { retriesMax, wait, countsAsRetry = () => true }) {
  return await pRetry(attempt2, {
    retries: retriesMax,
    // The wait is in shouldRetry, because only a failure that is repeated has one, and its length depends on the answer.
    minTimeout: 0,
    shouldRetry: async ({ error, attemptNumber }) => await wait(error, attemptNumber - 1),
    shouldConsumeRetry: ({ error }) => countsAsRetry(error)
  });
}
function backoffMs(attempt2, { baseDelayMs, maxDelayMs }, random = Math.random) {
  return Math.min(baseDelayMs * 2 ** attempt2, maxDelayMs) * (0.5 + random() / 2);
}
function readRetryAfterMs(get, nowMs) {
  const ms = readNumber(get("retry-after-ms"));
  if (ms !== void 0) return ms;
  const text = get("retry-after") ?? "";
  const seconds = readNumber(text);
  if (seconds !== void 0) return seconds * 1e3;
  const at = /^[A-Z][a-z]{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at)) return void 0;
  const sent = Date.parse(get("date") ?? "");
  return at - (Number.isNaN(sent) ? nowMs : sent);
}
function readNumber(text) {
  return /^\d+(\.\d+)?$/.test(text?.trim() ?? "") ? Number(text) : void 0;
}

// src/client/errors/errors.ts
var AgentRunsError = class extends Error {
  name = "AgentRunsError";
  /** What a server says must not be able to move the cursor of a terminal, to hide anything or to begin a line of a log. */
  constructor(message, options) {
    super(plainLine(message), options);
  }
  /** What loggers that write JSON show: an error has no message there otherwise. Without the body, which may repeat a prompt. */
  toJSON() {
    return { ...this, headers: void 0, body: void 0, message: this.message };
  }
};
var ConfigurationError = class extends AgentRunsError {
  name = "ConfigurationError";
  /** The option that is wrong or would fix the error; undefined if the error is elsewhere, for example in a variable. */
  option;
  #sentence;
  constructor(sentence, facts = {}) {
    super(
      sayWith(sentence, (option) => `the option ${option}`),
      { cause: facts.cause }
    );
    this.option = facts.option;
    this.#sentence = sentence;
  }
  /** The message, with the caller's own names for the options. */
  describe(nameOption) {
    return sayWith(this.#sentence, nameOption);
  }
};
function sayWith(sentence, nameOption) {
  return typeof sentence === "string" ? sentence : sentence(nameOption);
}
var ApiKeyError = class extends AgentRunsError {
  name = "ApiKeyError";
  /** True if the function threw, so that it may succeed next time; false if it returned an invalid key. */
  retryable;
  constructor(message, facts) {
    super(message, { cause: facts.cause });
    this.retryable = facts.retryable;
  }
};
var ConnectionError = class extends AgentRunsError {
  name = "ConnectionError";
  host;
  fault;
  neverLeft;
  /** The message without foreign text, which could contain the address and its query. */
  headline;
  constructor(message, facts) {
    super(message, { cause: facts.cause });
    this.headline = facts.headline ?? message;
    this.host = facts.host;
    this.fault = facts.fault;
    this.neverLeft = facts.neverLeft;
  }
};
var ConnectionTimeoutError = class extends ConnectionError {
  name = "ConnectionTimeoutError";
};
var AbortedError = class extends AgentRunsError {
  name = "AbortedError";
  /** Set if a create was sent and may have started a run. Repeat the create with this key and the same body on a server that supports keys. */
  idempotencyKey;
  constructor(reason, idempotencyKey) {
    const more = idempotencyKey === void 0 ? "" : `, and the run may have been started (Idempotency-Key ${idempotencyKey})`;
    super(`the call was aborted by its signal${more}`, { cause: reason });
    this.idempotencyKey = idempotencyKey;
  }
};
function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}

// src/base/loopback.ts
var ipv4Loopback = /^127(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}$/;
function isLoopback(host) {
  const bare = host.replace(/^\[|\]$/g, "").toLowerCase();
  if (bare === "localhost" || bare.endsWith(".localhost") || bare === "::1") return true;
  return ipv4Loopback.test(bare);
}

// src/base/deferred.ts
function createDeferred() {
  const deferred = {};
  deferred.promise = new Promise((resolve3, reject) => Object.assign(deferred, { resolve: resolve3, reject }));
  return deferred;
}

// src/base/clock.ts
var longestTimerMs = 2 ** 31 - 1;
var systemClock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  async sleep(ms, signal) {
    signal?.throwIfAborted();
    const { promise, resolve: resolve3, reject } = createDeferred();
    const stop2 = () => reject(signal?.reason);
    signal?.addEventListener("abort", stop2, { once: true });
    const timer = setTimeout(resolve3, Math.min(ms, longestTimerMs));
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop2);
    }
  }
};

// src/client/errors/run-errors.ts
var FeatureUnavailableError = class extends AgentRunsError {
  name = "FeatureUnavailableError";
  feature;
  constructor(feature, cause, more = "") {
    super(`this server does not offer "${feature}"${more}`, { cause });
    this.feature = feature;
  }
};
var overdue = {
  total: "had not ended after",
  queue: "was still queued after",
  run: "had not ended after running for",
  stall: "has shown no activity for"
};
function describeOverdue({ limit, timeoutMs, state, phase, cause }) {
  const last = cause instanceof Error ? `: ${cause.message}` : "";
  if (state === void 0) return `could not be read for ${timeoutMs} ms${last}`;
  const where = phase === "queue" ? "waiting to start" : "started";
  const since = cause === void 0 ? "" : ` when last seen; every request since then has failed${last}`;
  return `${overdue[limit]} ${timeoutMs} ms; last state ${state}, ${where}${since}`;
}
var FollowTimeoutError = class extends AgentRunsError {
  name = "FollowTimeoutError";
  runId;
  limit;
  /** The limit that was reached, in ms. */
  timeoutMs;
  /** The last state seen; undefined if no poll was answered. */
  state;
  /** Whether the run was queued or running when last seen; undefined if it was never seen. */
  phase;
  constructor(facts) {
    super(`run ${facts.runId} ${describeOverdue(facts)}`, { cause: facts.cause });
    this.runId = facts.runId;
    this.limit = facts.limit;
    this.timeoutMs = facts.timeoutMs;
    this.state = facts.state;
    this.phase = facts.phase;
  }
};
var RunLostError = class extends AgentRunsError {
  name = "RunLostError";
  runId;
  /** The last state seen; undefined if the run was never seen. */
  state;
  constructor(facts) {
    const what = facts.state === void 0 ? `is not known to the server: ${facts.cause.message}` : `is no longer known to the server; last state ${facts.state}`;
    super(`run ${facts.runId} ${what}`, { cause: facts.cause });
    this.runId = facts.runId;
    this.state = facts.state;
  }
};
var StartUnknownError = class extends AgentRunsError {
  name = "StartUnknownError";
  /** Repeat the create with this key and the same body on a server that supports keys. */
  idempotencyKey;
  constructor(facts) {
    const then = facts.afterwards === void 0 ? "" : `; then ${facts.afterwards}`;
    super(
      `it is unclear whether the run was started: ${messageOf(facts.cause)}${then}. Check the list of runs before you start it again (Idempotency-Key ${facts.idempotencyKey})`,
      { cause: facts.cause }
    );
    this.idempotencyKey = facts.idempotencyKey;
  }
};

// src/contract/state.ts
var finality = {
  QUEUED: false,
  PENDING: false,
  CLAIMED: false,
  INPROGRESS: false,
  SUCCEEDED: true,
  FAILED: true,
  ERROR: true,
  BLOCKED: false,
  CANCELLED: true
};
var runStates = Object.keys(finality);
var finalStates = runStates.filter((state) => finality[state]);
var stateMeanings = {
  QUEUED: "accepted, waiting for a free slot",
  PENDING: "being prepared (other services only)",
  CLAIMED: "taken by a worker (other services only)",
  INPROGRESS: "the agent is working",
  SUCCEEDED: "the agent succeeded",
  FAILED: "agent error, bad setup, missing skill, no result, time limit",
  ERROR: "the service failed: worker lost, internal error",
  BLOCKED: "the agent is waiting for a person",
  CANCELLED: "stopped on request, or its lease expired"
};
var moves = {
  QUEUED: ["INPROGRESS", "CANCELLED", "FAILED", "ERROR"],
  PENDING: [],
  CLAIMED: [],
  INPROGRESS: ["SUCCEEDED", "FAILED", "ERROR", "BLOCKED", "CANCELLED", "QUEUED"],
  BLOCKED: ["QUEUED", "CANCELLED"],
  SUCCEEDED: [],
  FAILED: [],
  ERROR: [],
  CANCELLED: []
};
function statesBefore(to) {
  return runStates.filter((from) => moves[from].includes(to));
}
function isFinal(state) {
  return finalStates.includes(state);
}

// src/contract/routes.ts
var apiPrefix = "/api/v1";
var routes = {
  createRun: { method: "POST", path: "/agent/runs" },
  createRunOldPath: { method: "POST", path: "/agent/run" },
  listRuns: { method: "GET", path: "/agent/runs" },
  readRun: { method: "GET", path: "/agent/runs/{runId}" },
  cancelRun: { method: "POST", path: "/agent/runs/{runId}/cancel" },
  sendFollowup: { method: "POST", path: "/agent/runs/{runId}/followups" },
  renewLease: { method: "PUT", path: "/agent/runs/{runId}/lease" },
  releaseLease: { method: "DELETE", path: "/agent/runs/{runId}/lease" },
  listEvents: { method: "GET", path: "/agent/runs/{runId}/events" },
  readResult: { method: "GET", path: "/agent/runs/{runId}/result" },
  listAgents: { method: "GET", path: "/agent" },
  listEnvironments: { method: "GET", path: "/agent/environments" },
  readArtifact: { method: "GET", path: "/agent/artifacts/{artifactUid}" },
  downloadArtifact: { method: "GET", path: "/agent/artifacts/{artifactUid}/download" },
  redirectSession: { method: "GET", path: "/agent/sessions/{sessionUuid}/redirect" },
  redirectConversation: { method: "GET", path: "/agent/conversations/{conversationId}/redirect" }
};
var routeSummaries = {
  createRun: "Start a run",
  createRunOldPath: "Start a run (older path)",
  listRuns: "List runs, page by page",
  readRun: "Read a run, or wait for a change",
  cancelRun: "Cancel a run",
  sendFollowup: "Answer a BLOCKED run",
  renewLease: "Renew the lease of a run",
  releaseLease: "Remove the lease of a run",
  listEvents: "Read the events of a run",
  readResult: "Read the whole result of a run as text",
  listAgents: "List the skills that a run can use",
  listEnvironments: "List the environments that a run can use",
  readArtifact: "Read an artifact, with a download URL that expires",
  downloadArtifact: "Redirect to the download URL of an artifact",
  redirectSession: "Redirect to the conversation of an ended session (no key needed)",
  redirectConversation: "Redirect to the session of a running conversation (no key needed)"
};
function routePath(id, parts = {}) {
  return routes[id].path.replace(/\{(\w+)\}/g, (_all, name) => encodePathPart(name, parts[name] ?? ""));
}
function encodePathPart(name, value) {
  if (value === "" || value === "." || value === "..")
    throw new RangeError(`${name} must not be ${JSON.stringify(value)} in a URL path`);
  return encodeURIComponent(value);
}

// src/base/url.ts
function parseUrl(text, base) {
  return URL.canParse(text, base) ? new URL(text, base) : null;
}

// src/contract/headers.ts
var headerNames = {
  features: "Agent-Run-Features",
  source: "X-Agent-Run-Source",
  requestId: "X-Request-Id",
  idempotencyKey: "Idempotency-Key",
  idempotentReplayed: "Idempotent-Replayed",
  prefer: "Prefer",
  preferenceApplied: "Preference-Applied",
  shouldRetry: "x-should-retry",
  resultBytes: "Agent-Run-Result-Bytes"
};
var serverFeatures = ["idempotency", "wait", "events", "lease", "result"];
function readFeatures(headers) {
  const words = (headers.get(headerNames.features) ?? "").split(",").map((word) => word.trim());
  return new Set(words.filter((word) => word !== ""));
}

// src/client/errors/problem.ts
var addressMax = 2e3;
function readProblem(body, headers) {
  const problem = isObject(body) ? body : {};
  return {
    code: readCode(problem.type),
    title: readText(problem.title),
    detail: readText(problem.detail) ?? readText(problem.error),
    requestId: headers.get(headerNames.requestId) ?? readText(problem.trace_id),
    retryable: typeof problem.retryable === "boolean" ? problem.retryable : void 0,
    issues: readIssues(problem.issues)
  };
}
function readCode(type) {
  if (typeof type !== "string" || type.length > addressMax || type.startsWith("about:")) return void 0;
  const last = type.split(/[?#]/, 1).join().split("/").findLast((part) => part !== "");
  return last !== void 0 && /^[a-z][\w-]*$/i.test(last) ? last.replaceAll("-", "_") : void 0;
}
function readText(value) {
  return typeof value === "string" && value !== "" ? value : void 0;
}
function readIssues(value) {
  if (!Array.isArray(value)) return [];
  return value.filter(isObject).map((issue) => ({ path: readText(issue.path) ?? "", message: readText(issue.message) ?? "" }));
}

// src/client/errors/answer-errors.ts
function headlineOf(error) {
  if (error instanceof ApiError) {
    return `${error.method} ${error.path}: ${error.status}${spaced(error.code)}${closingId(error.requestId)}`;
  }
  if (error instanceof UnexpectedResponseError || error instanceof ConnectionError) return error.headline;
  if (error instanceof ApiKeyError) return "the apiKey function failed";
  return messageOf(error);
}
var ApiError = class extends AgentRunsError {
  name = "ApiError";
  method;
  path;
  status;
  headers;
  body;
  /** A code of the error table, or of a newer server; undefined if the response has none. */
  code;
  title;
  detail;
  requestId;
  /** Whether the server says that a retry may succeed; undefined if it does not say. */
  retryable;
  /** Which members of the request are wrong, and why; empty unless the request was invalid. */
  issues;
  constructor(facts) {
    const problem = readProblem(facts.body, facts.headers);
    super(describeAnswer(facts, problem));
    this.method = facts.method;
    this.path = facts.path;
    this.status = facts.status;
    this.headers = facts.headers;
    this.body = facts.body;
    this.code = problem.code;
    this.title = problem.title;
    this.detail = problem.detail;
    this.requestId = problem.requestId;
    this.retryable = problem.retryable;
    this.issues = problem.issues;
  }
  /**
   * Whether the response was not JSON. Such a response comes from something in front of the service, such as a proxy or a firewall, or from
   * a wrong address, not from the service.
   */
  get isPage() {
    return !isObject(this.body) && this.method !== "HEAD" && readFeatures(this.headers).size === 0;
  }
};
var BadRequestError = class extends ApiError {
  name = "BadRequestError";
};
var AuthenticationError = class extends ApiError {
  name = "AuthenticationError";
};
var PermissionDeniedError = class extends ApiError {
  name = "PermissionDeniedError";
};
var NotFoundError = class extends ApiError {
  name = "NotFoundError";
};
var ConflictError = class extends ApiError {
  name = "ConflictError";
};
var UnprocessableEntityError = class extends ApiError {
  name = "UnprocessableEntityError";
};
var RateLimitError = class extends ApiError {
  name = "RateLimitError";
};
var InternalServerError = class extends ApiError {
  name = "InternalServerError";
};
var classOfStatus = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionDeniedError,
  404: NotFoundError,
  409: ConflictError,
  422: UnprocessableEntityError,
  429: RateLimitError
};
function createApiError(facts) {
  const Class = classOfStatus[facts.status] ?? (facts.status >= 500 ? InternalServerError : ApiError);
  return new Class(facts);
}
var UnexpectedResponseError = class extends AgentRunsError {
  name = "UnexpectedResponseError";
  status;
  headers;
  contentType;
  requestId;
  /** At most 200 characters of the body. */
  excerpt;
  /** The message without the excerpt. */
  headline;
  cut;
  constructor(facts) {
    const contentType = facts.headers.get("content-type") ?? void 0;
    const excerpt = excerptOf(facts.text);
    const requestId = facts.headers.get("x-request-id") ?? void 0;
    const shown = excerpt === "" ? "" : `: ${JSON.stringify(excerpt)}`;
    const headline = `${facts.method} ${facts.path}: ${facts.status} ${facts.why} (${contentType ?? "no content type"})`;
    super(`${headline}${shown}${closingId(requestId)}`);
    this.headline = headline;
    this.status = facts.status;
    this.headers = facts.headers;
    this.contentType = contentType;
    this.requestId = requestId;
    this.excerpt = excerpt;
    this.cut = facts.cut ?? false;
  }
};
var issuesMax = 100;
function describeAnswer(facts, problem) {
  const words = ellipsis(problem.detail ?? problem.title ?? describeBody(facts), 2e3);
  const issues = problem.issues.slice(0, issuesMax).map((issue) => `${issue.path}: ${issue.message}`).filter((issue) => !words.includes(issue)).join("; ");
  const said = words === "" ? "" : `: ${words}`;
  const faults = issues === "" ? "" : ` [${ellipsis(issues, 1e3)}]`;
  const opening = `${facts.method} ${facts.path}: ${facts.status}${spaced(problem.code)}`;
  return `${opening}${said}${faults}${describeWait(facts)}${closingId(problem.requestId)}`;
}
function describeWait({ headers }) {
  const seconds = Math.ceil((readRetryAfterMs((name) => headers.get(name), Date.now()) ?? 0) / 1e3);
  return seconds > 10 && Number.isSafeInteger(seconds) ? `; the server asks to wait ${seconds} s` : "";
}
function describeBody(facts) {
  if (typeof facts.body !== "string") return facts.body === void 0 ? "" : excerptOf(JSON.stringify(facts.body));
  const excerpt = excerptOf(facts.body);
  if (excerpt === "") return "";
  return `${facts.headers.get("content-type") ?? "no content type"} ${JSON.stringify(excerpt)}`;
}
function excerptOf(text) {
  return ellipsis(plainLine(text.slice(0, 2e3)).replace(/\s+/g, " ").trim(), 200);
}
function spaced(word) {
  return word === void 0 ? "" : ` ${word}`;
}
function closingId(requestId) {
  return requestId === void 0 ? "" : ` (request id ${requestId})`;
}

// src/client/http/answer.ts
var bodyBytesMax = 64 * 1024 * 1024;
var smallBodyBytes = 1024 * 1024;
var errorCharactersMax = 128 * 1024;
var levelsMax = 500;
var decoder = new TextDecoder();
var exactDecoder = new TextDecoder("utf-8", { ignoreBOM: true });
async function readBody(call, response, secrets) {
  if (isTakenStream(call, response)) return new Uint8Array();
  const { headers } = response;
  const length = headers.has("content-encoding") ? Number.NaN : Number(headers.get("content-length") ?? Number.NaN);
  const checkBytes = (bytes2) => {
    if (!(bytes2 > bodyBytesMax)) return;
    throw new UnexpectedResponseError({
      method: call.method,
      path: call.path,
      status: response.status,
      headers: secrets.cleanHeaders(headers),
      text: "",
      why: `is longer than ${bodyBytesMax} bytes`
    });
  };
  if (length <= smallBodyBytes || !hasReader(response)) {
    checkBytes(length);
    const whole = new Uint8Array(await response.arrayBuffer());
    checkBytes(whole.length);
    return whole;
  }
  const chunks = [];
  let bytes = 0;
  const reader = response.body.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    chunks.push(read.value);
    bytes += read.value.length;
    if (bytes > bodyBytesMax) reader.cancel().catch(() => {
    });
    checkBytes(bytes);
  }
  const body = new Uint8Array(bytes);
  let at = 0;
  for (const chunk of chunks) {
    body.set(chunk, at);
    at += chunk.length;
  }
  return body;
}
function readAnswer(call, response, body, secrets) {
  const { status, statusText = "", headers } = response;
  const text = (call.as.endsWith("text") ? exactDecoder : decoder).decode(body);
  const requestId = headers.get(headerNames.requestId) ?? void 0;
  const answer = { status, statusText, headers, body, data: void 0, requestId };
  const shown = () => secrets.clean(text.slice(0, errorCharactersMax), true);
  const describe2 = (why, cut2 = false) => new UnexpectedResponseError({
    method: call.method,
    path: call.path,
    status,
    headers: secrets.cleanHeaders(headers),
    text: shown(),
    why: secrets.clean(why),
    cut: cut2
  });
  const refuse = (why, cut2 = false) => {
    throw describe2(why, cut2);
  };
  if (status === 304 && call.takesNotModified) return answer;
  if (isTakenStream(call, response)) return { ...answer, stream: response.body };
  if (status >= 400) {
    throw createApiError({
      method: call.method,
      path: call.path,
      status,
      headers: secrets.cleanHeaders(headers),
      body: parseLoosely(shown())
    });
  }
  if (status < 200 || status >= 300) return refuse(describeRedirect(response));
  const resultBytes = headers.get(headerNames.resultBytes);
  if (resultBytes !== null && Number(resultBytes) !== body.length && call.method !== "HEAD")
    return refuse("has a truncated result", true);
  if (call.as === "bytes") return { ...answer, data: body };
  const contentType = headers.get("content-type") ?? "";
  if (body.length === 0) {
    if (call.as.startsWith("any-")) return answer;
    return refuse("has no body", status !== 204 && isJson(contentType));
  }
  if (call.as === "text") {
    if (!/^text\/plain\b/i.test(contentType)) return refuse("is not plain text");
    return headers.has(headerNames.features) ? { ...answer, data: text } : refuse("is text from another service");
  }
  if (call.as === "any-text") {
    return !/\bx?html\b/i.test(contentType) ? { ...answer, data: text } : { ...answer, unread: describe2("is an HTML page") };
  }
  if (!isJson(contentType))
    return call.as === "any-json" ? { ...answer, unread: describe2("is not JSON") } : refuse("is not JSON");
  let data;
  try {
    data = JSON.parse(text);
  } catch {
    return refuse("has truncated or invalid JSON", true);
  }
  if (call.isExpected?.(data) === false) return refuse("is JSON, but not what this service sends");
  return { ...answer, data };
}
function toResponse({ status, statusText, headers, body }) {
  const reason = statusText.replace(/[^\t\x20-\x7e\x80-\xff]/g, "?");
  return new Response(body.length === 0 ? null : body, { status, statusText: reason, headers });
}
function replaceData(answer, data) {
  return { ...answer, data, body: new TextEncoder().encode(JSON.stringify(data)) };
}
function hasReader(response) {
  return typeof response.body?.getReader === "function";
}
function isTakenStream(call, response) {
  if (call.takesStream !== true || response.status !== 200 || !hasReader(response)) return false;
  return /^text\/event-stream\b/i.test(response.headers.get("content-type") ?? "");
}
function isJson(contentType) {
  return /^application\/([\w.+-]+\+)?json\b/i.test(contentType);
}
function parseLoosely(text) {
  if (text === "") return void 0;
  try {
    const data = JSON.parse(text);
    return isDeep(data) ? text : data;
  } catch {
    return text;
  }
}
function isDeep(data, levels = levelsMax) {
  if (typeof data !== "object" || data === null) return false;
  return levels === 0 || Object.values(data).some((value) => isDeep(value, levels - 1));
}
function describeRedirect({ status, type, headers, url }) {
  if (type !== "opaqueredirect" && (status < 300 || status === 304)) return "is not an answer to this request";
  const location = headers.get("location");
  const target = location === null ? null : parseUrl(location, url === "" ? void 0 : url);
  return `redirects${target === null ? "" : ` to ${target.origin}`}, which is not followed`;
}

// src/client/http/api-promise.ts
var ApiPromise = class extends Promise {
  #answer;
  /** What `then` makes is a plain promise. */
  static get [Symbol.species]() {
    return Promise;
  }
  constructor(answer, read) {
    super((resolve3) => resolve3(answer.then(read)));
    this.#answer = answer;
  }
  async withResponse() {
    const [data, answer] = await Promise.all([this, this.#answer]);
    return { data, response: toResponse(answer), requestId: answer.requestId };
  }
  /** The response, with its body unread. Throws the same errors as the promise itself. */
  async asResponse() {
    this.catch(() => {
    });
    return toResponse(await this.#answer);
  }
};

// src/base/version.ts
var version = "0.1.0";

// src/base/nearest.ts
function nearest(word, known) {
  let best;
  const farthest = Math.min(Math.max(2, Math.floor(word.length / 3)), word.length - 1);
  let bestDistance = farthest + 1;
  for (const candidate of known) {
    const [asked, there] = [word.toLowerCase(), candidate.toLowerCase()];
    const isLonger = there.length > 4 && asked.endsWith(there);
    if (!isLonger && Math.abs(asked.length - there.length) >= bestDistance) continue;
    const distance = isLonger ? 1 : editDistance(asked, there);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}
function didYouMean(word, known) {
  const guess = nearest(word, known);
  return guess === void 0 ? "" : `. Did you mean "${guess}"?`;
}
function editDistance(a, b) {
  let above = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? (above[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + change, swapped));
    }
    [above, row] = [row, next];
  }
  return row[b.length] ?? 0;
}

// src/client/options/options.ts
var ownedNames = ["method", "headers", "body", "signal", "redirect"];
var defaults = Object.freeze({
  timeoutMs: 6e4,
  totalTimeoutMs: 6e5,
  maxRetries: 4,
  logLevel: "warn",
  allowHttp: false,
  allowBrowser: false,
  /** Of following: */
  toleranceMs: 3e5,
  notFoundGraceMs: 1e4,
  eventsGraceMs: 5e3
});
var callNames = ["timeoutMs", "totalTimeoutMs", "maxRetries", "onRetry", "fetchOptions"];
var clientNames = [
  "baseUrl",
  "apiKey",
  "fetch",
  "defaultHeaders",
  "defaultQuery",
  "logger",
  "logLevel",
  "clock",
  "allowHttp",
  "allowBrowser",
  ...callNames
];
var requestNames = [
  "signal",
  "headers",
  "query",
  ...callNames
];
function checkNames(what, options, known, hint = "") {
  if (!isPlain(options))
    throw new ConfigurationError(`${what} must be an object, not ${nameKind(options)}`);
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== void 0)
    throw new ConfigurationError(
      `${what}: unknown name ${JSON.stringify(unknown)}${didYouMean(unknown, known)}${hint}`
    );
}
function isPlain(value) {
  if (!isObject(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
function nameKind(value) {
  if (Array.isArray(value)) return "a list";
  if (isObject(value)) return `a ${value.constructor?.name ?? "thing"}, which is not a plain object`;
  return value === null || value === void 0 ? String(value) : `a ${typeof value}`;
}
var kinds = {
  fetch: "function",
  onRetry: "function",
  onRun: "function",
  onEvent: "function",
  onStatesOnly: "function",
  idempotencyKey: "string",
  source: "string",
  reason: "string",
  allowHttp: "boolean",
  allowBrowser: "boolean",
  defaultQuery: "object",
  query: "object",
  fetchOptions: "object"
};
function checkOptions(what, options, known) {
  checkNames(what, options, known);
  for (const [name, value] of Object.entries(options)) {
    const kind = kinds[name];
    if (kind === void 0 || value === void 0) continue;
    if (kind === "object" ? !isPlain(value) : typeof value !== kind)
      throw new ConfigurationError(`${name} must be ${kind === "object" ? "an" : "a"} ${kind}, not ${nameKind(value)}`);
  }
}
function checkCallOptions(options) {
  for (const name of ["timeoutMs", "totalTimeoutMs"]) checkDuration(name, options[name]);
  checkSignal(options.signal);
  const { maxRetries: maxRetries2, fetchOptions } = options;
  const owned = ownedNames.find((name) => fetchOptions?.[name] !== void 0);
  if (owned !== void 0)
    throw new ConfigurationError(
      `fetchOptions must not contain "${owned}", which the client sets; pass signal and headers to a call, method and body to request`
    );
  if (maxRetries2 !== void 0 && !(Number.isInteger(maxRetries2) && maxRetries2 >= 0))
    throw new ConfigurationError(`maxRetries must be a whole number, 0 or more, not ${show(maxRetries2)}`);
}
function checkSignal(signal) {
  if (signal !== void 0 && typeof signal?.addEventListener !== "function")
    throw new ConfigurationError("signal must be an AbortSignal, such as the `signal` of an AbortController");
}
function checkDuration(name, ms) {
  if (ms !== void 0 && !(typeof ms === "number" && ms > 0))
    throw new ConfigurationError(`${name} must be a number of milliseconds above 0, not ${show(ms)}`);
}
function show(value) {
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}

// src/client/http/address.ts
function nameOrigin(origin, nameOption) {
  return "option" in origin ? nameOption(origin.option) : origin.variable;
}
function readBaseUrl(text, origin) {
  const url = parseUrl(text.trim());
  const refuse = (why) => {
    const option = "option" in origin ? origin.option : void 0;
    throw new ConfigurationError((nameOption) => `${nameOrigin(origin, nameOption)} ${why}`, { option });
  };
  if (url === null || !/^https?:$/.test(url.protocol))
    return refuse(`must be a URL that starts with https:// or http://${suggestScheme(text.trim())}`);
  if (url.username !== "" || url.password !== "")
    return refuse("must not contain a user name or password; the key is a separate setting");
  if (url.search !== "" || url.hash !== "") return refuse("must not contain a query or fragment");
  const bare = `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
  if (bare.endsWith(apiPrefix)) return { baseUrl: bare, note: void 0 };
  const baseUrl = `${bare}${apiPrefix}`;
  return { baseUrl, note: `${bare} does not end with ${apiPrefix}; using ${baseUrl}` };
}
function suggestScheme(text) {
  const [, host] = /^((?:[a-z0-9-]{1,40}\.)+[a-z0-9-]{1,40}|localhost)(?::\d{1,5})?(?:\/[a-z0-9/]{0,40})?$/.exec(text) ?? [];
  const hasKeyWord = /(?=[a-z]*\d)[a-z\d]{16}/.test(text);
  return host === void 0 || hasKeyWord ? "" : `, not "${text}". Use ${isLoopback(host) ? "http" : "https"}://${text}`;
}
function encodeQuery(query) {
  try {
    return Object.entries(query).flatMap(([name, value]) => encodeValue(name, value)).join("&");
  } catch (cause) {
    throw new ConfigurationError(`the query cannot be sent: ${messageOf(cause)}`, {
      cause
    });
  }
}
function encodeValue(name, value) {
  if (value === void 0) return [];
  if (typeof value === "function" || typeof value === "symbol") throw new TypeError(`${name} is a ${typeof value}`);
  if (Array.isArray(value)) return value.flatMap((item) => encodeValue(name, item));
  if (value instanceof Date) return [encodePair(name, value.toISOString())];
  if (isPlain(value)) return Object.entries(value).flatMap(([key, item]) => encodeValue(`${name}[${key}]`, item));
  if (typeof value === "object" && value !== null) throw new TypeError(`${name} is not a plain object`);
  return [encodePair(name, value === null ? "" : String(value))];
}
function encodePair(name, text) {
  return `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(text.toWellFormed())}`;
}
function fillRoute(id, parts) {
  for (const [name, value] of Object.entries(parts))
    if (typeof value !== "string" || /[/\\]/.test(value))
      throw new ConfigurationError(`${name} must be a string without slashes, not ${JSON.stringify(value)}`);
  try {
    return routePath(id, parts);
  } catch (error) {
    throw new ConfigurationError(messageOf(error), { cause: error });
  }
}
function joinAddress(baseUrl, path, query = {}) {
  if (typeof path !== "string") throw new ConfigurationError(`the path must be a string, not ${String(path)}`);
  const mark = path.indexOf("?");
  const [route, ownQuery] = mark < 0 ? [path, ""] : [path.slice(0, mark), path.slice(mark + 1)];
  const refuse = (why) => {
    throw new ConfigurationError(`the path ${JSON.stringify(path)} ${why}`);
  };
  if (!route.startsWith("/") || route.startsWith("//")) refuse('must start with exactly one "/"');
  if (/[\\#\s\p{Cc}]/u.test(path)) refuse('contains a backslash, "#", space or control character; encode it');
  if (/(\/|%2f|%5c)(\.|%2e){1,2}(\/|%2f|%5c|$)/i.test(route))
    refuse('must not contain a "." or ".." segment, which would change the URL');
  const all = [ownQuery, encodeQuery(query)].filter((part) => part !== "").join("&");
  return `${baseUrl}${route}${all === "" ? "" : `?${all}`}`;
}

// src/client/http/request.ts
var keyGoesHere = "";
var credentialNames = ["authorization", "proxy-authorization", "x-api-key"];
function prepareRequest(call, settings, limits2) {
  const { secrets } = settings.keys;
  try {
    return prepare(call, settings, limits2);
  } catch (error) {
    if (!(error instanceof ConfigurationError) || secrets.cleanCause(error) === error) throw error;
    throw new ConfigurationError(secrets.clean(error.message), { cause: secrets.cleanCause(error.cause) });
  }
}
function prepare(call, settings, limits2) {
  const { baseUrl, defaultHeaders, defaultQuery, keys } = settings;
  checkCallOptions(call);
  checkMethod(call);
  const { idempotencyKey } = call;
  if (idempotencyKey !== void 0 && !/^[\x21-\x7e]{1,255}$/.test(idempotencyKey))
    throw new ConfigurationError("idempotencyKey must be 1 to 255 visible ASCII characters without spaces");
  const body = encodeBody(call.body);
  const url = joinAddress(baseUrl, call.path, { ...defaultQuery, ...call.query });
  const headers = createHeaders(
    {
      "user-agent": `agent-run/${version}`,
      accept: accepted[call.as],
      authorization: keyGoesHere,
      ...body === null ? {} : { "content-type": "application/json" }
    },
    defaultHeaders,
    call.headers
  );
  if (idempotencyKey !== void 0) headers[headerNames.idempotencyKey.toLowerCase()] = idempotencyKey;
  for (const name of credentialNames) keys.secrets.add(headers[name]?.replace(/^\S+ +/, "") ?? "");
  return {
    ...limits2,
    pinnedKey: void 0,
    // A query may be private, so neither errors nor lines name it.
    call: {
      ...call,
      path: keys.secrets.clean(call.path.split("?", 1).join()),
      isIdempotent: call.isIdempotent || idempotencyKey !== void 0
    },
    url,
    headers,
    body,
    count: 0,
    attemptBeganMs: 0,
    hasLeft: false,
    key: void 0,
    refusal: void 0
  };
}
var accepted = {
  json: "application/json",
  "any-json": "application/json",
  text: "text/plain",
  "any-text": "text/*",
  bytes: "*/*"
};
var methods = {
  GET: true,
  HEAD: true,
  PUT: true,
  DELETE: true,
  POST: false,
  PATCH: false
};
function isIdempotent(method) {
  return methods[method] === true;
}
function checkMethod({ method, body }) {
  if (!Object.hasOwn(methods, method))
    throw new ConfigurationError(
      `the method must be one of ${Object.keys(methods).join(", ")}, not ${JSON.stringify(method)}`
    );
  if (body !== void 0 && (method === "GET" || method === "HEAD"))
    throw new ConfigurationError(`a ${method} request cannot have a body`);
}
function encodeBody(body) {
  if (body === void 0) return null;
  let text;
  let cause;
  try {
    text = JSON.stringify(body);
  } catch (error) {
    cause = error;
  }
  if (text !== void 0) return text;
  const reason = cause instanceof Error ? cause.message.split("\n", 1)[0] : `it is a ${typeof body}`;
  throw new ConfigurationError(`the body cannot be sent as JSON: ${reason}`, { cause });
}
var ownedByFetch = /^(expect|host|keep-alive|transfer-encoding|upgrade|content-length):|^connection: (?!(close|keep-alive)$)/i;
function createHeaders(own, ...layers) {
  const headers = { ...own };
  for (const layer of layers) {
    for (const [given, value] of entriesOf(layer)) {
      const name = given.toLowerCase();
      if (value === void 0 || value === null) delete headers[name];
      else if (name === headerNames.idempotencyKey.toLowerCase())
        throw new ConfigurationError(`the header ${given} cannot be set; use the option idempotencyKey of a call`);
      else if (ownedByFetch.test(`${name}: ${typeof value === "object" ? "" : String(value)}`))
        throw new ConfigurationError(`the header ${JSON.stringify(given)} cannot be set; fetch sets it itself`);
      else if (typeof value !== "object" && /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(String(value)))
        headers[name] = String(value);
      else throw new ConfigurationError(`the header ${JSON.stringify(given)} has a name or value that cannot be sent`);
    }
  }
  return headers;
}
function keepOptions(options) {
  if (!isPlain(options)) return options;
  const { headers, query } = options;
  return { ...options, headers: headers && keepValues(entriesOf(headers)), query: query && keepValues(query) };
}
function keepValues(values) {
  try {
    return copy(values);
  } catch {
    return values;
  }
}
function copy(value) {
  if (Array.isArray(value)) return value.map(copy);
  if (value instanceof Date) return new Date(value);
  return isPlain(value) ? Object.fromEntries(Object.entries(value).map(([name, item]) => [name, copy(item)])) : value;
}
function entriesOf(headers) {
  if (headers === void 0 || headers === null) return [];
  const pairs2 = typeof headers === "object" && Symbol.iterator in headers ? [...headers] : isPlain(headers) ? Object.entries(headers) : [headers];
  if (pairs2.every((pair) => Array.isArray(pair) && typeof pair[0] === "string")) return pairs2;
  throw new ConfigurationError("headers must be an object of names and values, a list of pairs, or Headers");
}

// src/client/agent.ts
var Agent = class {
  #transport;
  constructor(transport) {
    this.#transport = transport;
  }
  /** The skills that a run can use, grouped by name. Throws NotFoundError if the server does not read the repository. */
  list(params = {}, options = {}) {
    const names2 = ["repo", "refresh", "sort_by", "include_malformed_skills"];
    return new ApiPromise(this.#read("agents", params, names2, options), ({ data }) => data);
  }
  /** The environments that a run can use. Pass the `uid` or name of one as `config.environment_id`. */
  listEnvironments(params = {}, options = {}) {
    return new ApiPromise(
      this.#read("environments", params, ["sort_by"], options),
      ({ data }) => data
    );
  }
  async #read(member, params, names2, given) {
    checkNames("the parameters of a list", params, names2);
    checkOptions("the options of a call", given, requestNames);
    const options = keepOptions(given);
    const { method, path } = routes[member === "agents" ? "listAgents" : "listEnvironments"];
    return await this.#transport.send({
      ...options,
      method,
      path,
      as: "json",
      isExpected: (data) => isObject(data) && Array.isArray(data[member]),
      isIdempotent: true,
      query: { ...options.query, ...keepValues(params) }
    });
  }
};

// src/client/http/shape.ts
function isRun(data) {
  return isObject(data) && isText(data, "run_id") && isText(data, "state");
}
function isRunOf(runId) {
  return (data) => isRun(data) && isIdOf(runId)(data.run_id);
}
function isRunPage(data) {
  return isObject(data) && Array.isArray(data.runs) && data.runs.every(isRun) && isObject(data.page_info);
}
function isEventPage(data) {
  return isObject(data) && Array.isArray(data.events) && data.events.every(isEvent) && typeof data.done === "boolean";
}
function isLease(data) {
  return isObject(data) && isText(data, "lease_expires_at");
}
function isIdOf(runId) {
  return (data) => typeof data === "string" && data.toLowerCase() === runId.toLowerCase();
}
function isEvent(data) {
  return isObject(data) && Number.isSafeInteger(data.seq) && isText(data, "type") && isObject(data.data);
}
function isText(data, member) {
  return typeof data[member] === "string" && data[member] !== "";
}

// src/client/http/connection.ts
var meanings = [
  [/^bad port$| are blocked$/, { fault: "fetch", words: "fetch refuses to use this port", neverLeft: true }],
  [
    /^(ECONNREFUSED|ConnectionRefused)$|\(Connect\).*Connection refused/,
    { fault: "refused", words: "connection refused", neverLeft: true }
  ],
  [
    /^(ENOTFOUND|EAI_(AGAIN|FAIL|NODATA))$|\(Connect\): dns error/,
    { fault: "unresolved", words: "name does not resolve", neverLeft: true }
  ],
  [/^(E(HOST|NET)UNREACH|ENETDOWN|EADDRNOTAVAIL)$/, { fault: "unreachable", words: "host cannot be reached" }],
  [/^UND_ERR_CONNECT_TIMEOUT$/, { fault: "timeout", words: "timed out while connecting", neverLeft: true }],
  [/^(ETIMEDOUT|UND_ERR_(HEADERS|BODY)_TIMEOUT)$/, { fault: "timeout", words: "timed out waiting for an answer" }],
  [
    /^(ECONNRESET|EPIPE|UND_ERR_(SOCKET|RES_CONTENT_LENGTH_MISMATCH))$|: connection closed before|^Connection reset|^error reading a body/,
    { fault: "closed", words: "connection closed before the answer was complete" }
  ],
  [
    /SELF_SIGNED_CERT|^UNABLE_TO_(VERIFY|GET)_|^CERT_UNTRUSTED$|certificate: (UnknownIssuer|Other)/,
    {
      fault: "certificate",
      words: "certificate not trusted; set NODE_EXTRA_CA_CERTS to the file of its authority before the program starts",
      neverLeft: true
    }
  ],
  [
    /^CERT_HAS_EXPIRED$|certificate:? .*[Ee]xpired/,
    { fault: "certificate", words: "certificate has expired", neverLeft: true }
  ],
  [/^CERT_NOT_YET_VALID$/, { fault: "certificate", words: "certificate is not valid yet", neverLeft: true }],
  [
    /^ERR_TLS_CERT_ALTNAME|certificate: certificate not valid for name/,
    { fault: "certificate", words: "certificate is for another host name", neverLeft: true }
  ],
  [
    /^(ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)|EPROTO)$|\(Connect\): received corrupt message/,
    { fault: "tls", words: "no TLS there; use http instead of https?", neverLeft: true }
  ]
];
var earlyCalls = /* @__PURE__ */ new Set(["connect", "getaddrinfo", "queryA", "queryAaaa"]);
function describeConnectionFailure(thrown, call) {
  const { code, isEarly, message, parts } = readFailure(thrown);
  const key = code ?? message;
  const known = meanings.find(([pattern]) => pattern.test(key))?.[1];
  const fault = known?.fault ?? "other";
  const say3 = (words, more = "") => {
    const closing = code === void 0 ? "" : ` (${code}${more})`;
    return call.secrets.clean(`${call.method} ${call.path}: ${call.host}: ${words}${closing}`);
  };
  return new ConnectionError(say3(known?.words ?? message, parts), {
    host: call.host,
    fault,
    neverLeft: known?.neverLeft ?? isEarly,
    headline: say3(known?.words ?? "no complete answer"),
    cause: call.secrets.cleanCause(thrown)
  });
}
function hasAnswerBegun({ cause }) {
  for (let error = cause, depth = 0; depth < 5 && isObject(error); depth += 1, error = error.cause) {
    if (error.code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH") return true;
    if (isObject(error.socket) && Number(error.socket.bytesRead) > 0) return true;
  }
  return false;
}
function readFailure(thrown) {
  let error = thrown;
  let parts = "";
  let code;
  let isEarly = false;
  let message = "no answer";
  try {
    for (let depth = 0; depth < 5 && isObject(error); depth += 1) {
      if (typeof error.code === "string") code = error.code;
      if (earlyCalls.has(error.syscall)) isEarly = true;
      if (typeof error.message === "string" && error.message !== "")
        message = error.message.replace(/\bhttps?:[^\s")]+/g, "…");
      if (message.includes("client error (Connect)")) isEarly = true;
      const each = Array.isArray(error.errors) ? error.errors : [];
      if (each.length > 0) parts = `: ${each.map((part) => part.message).join("; ")}`;
      error = error.cause ?? each[0];
    }
  } catch {
  }
  return { code, isEarly, message, parts };
}

// src/client/http/deadline.ts
async function withDeadline(bounds, work) {
  throwIfAborted(bounds.signal);
  const controller = new AbortController();
  const stopped = createDeferred();
  stopped.promise.catch(() => {
  });
  const stop2 = (makeReason) => {
    let reason;
    try {
      reason = makeReason();
    } catch (thrown) {
      reason = thrown;
    }
    stopped.reject(reason);
    controller.abort(reason);
  };
  const onAbort = () => stop2(() => new AbortedError(bounds.signal?.reason));
  bounds.signal?.addEventListener("abort", onAbort, { once: true });
  const timer = setTimeout(stop2, Math.min(bounds.ms, longestTimerMs), bounds.onTimeout);
  try {
    return await Promise.race([work(controller.signal), stopped.promise]);
  } finally {
    clearTimeout(timer);
    bounds.signal?.removeEventListener("abort", onAbort);
  }
}
var joinables = /* @__PURE__ */ new WeakMap();
function joinable(signal) {
  const isOfPlatform = (given) => given instanceof AbortSignal;
  if (signal === void 0 || isOfPlatform(signal)) return signal;
  const known = joinables.get(signal);
  if (known !== void 0) return known;
  const controller = new AbortController();
  joinables.set(signal, controller.signal);
  const abort = () => controller.abort(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener("abort", abort, { once: true });
  return controller.signal;
}
async function pause(clock, ms, signal) {
  throwIfAborted(signal);
  if (ms <= 0) return;
  try {
    await clock.sleep(ms, signal);
  } catch (error) {
    throwIfAborted(signal);
    throw error;
  }
}
function throwIfAborted(signal) {
  if (signal?.aborted) throw new AbortedError(signal.reason);
}

// src/client/http/retry.ts
var retryBackoff = Object.freeze({ baseDelayMs: 500, maxDelayMs: 8e3 });
var longestServerDelayMs = 6e4;
var hopeless = /* @__PURE__ */ new Set(["certificate", "tls", "fetch"]);
function judgeFailure(error) {
  if (error instanceof ConnectionError) {
    if (hopeless.has(error.fault)) return "final";
    return error.neverLeft ? "not-done" : "unknown";
  }
  if (error instanceof UnexpectedResponseError) return error.cut ? "unknown" : "final";
  if (error instanceof ApiKeyError) return error.retryable ? "not-done" : "final";
  return error instanceof ApiError ? judgeAnswer(error) : "final";
}
function mayBeDone(error) {
  if (error instanceof UnexpectedResponseError) return true;
  if (error instanceof ConnectionError) return !error.neverLeft;
  if (!(error instanceof ApiError)) return !(error instanceof AgentRunsError);
  const { status, code } = error;
  if (status === 501 || status === 505 || code === "environment_setup_failed") return false;
  return (status === 408 || status >= 500) && !isTurnedAway(error);
}
function judgeAnswer(error) {
  const { status, headers, retryable } = error;
  const repeat = mayBeDone(error) ? "unknown" : "not-done";
  const word = headers.get(headerNames.shouldRetry);
  if (word === "true") return repeat;
  if (word === "false" || retryable === false) return "final";
  if (status === 409) return retryable === true ? repeat : "final";
  if (status === 501 || status === 505) return "final";
  return status >= 500 || status === 408 || status === 425 || status === 429 ? repeat : "final";
}
function isWordOfAnother(error) {
  return error instanceof ApiError && error.isPage && error.headers.get(headerNames.shouldRetry) !== "false";
}
function isWordOfService({ body, headers }) {
  if (readFeatures(headers).size > 0 || headers.get("content-type")?.includes("problem+json")) return true;
  return isObject(body) && !!body.type && !!body.status && !!(body.title ?? body.error);
}
function isOfThisService(error) {
  return error.code !== void 0 && readFeatures(error.headers).has("idempotency");
}
function isTurnedAway(error) {
  return error.status === 503 && error.code === "resource_unavailable" && isOfThisService(error);
}
function retryDelayMs(error, attempt2, now, random = Math.random) {
  const told = serverDelayMs(error, now);
  if (told === void 0 || told <= 0) return backoffMs(attempt2, retryBackoff, random);
  return Math.min(told + random() * retryBackoff.baseDelayMs, longestServerDelayMs);
}
function serverDelayMs(error, now) {
  return error instanceof ApiError ? readRetryAfterMs((name) => error.headers.get(name), now) : void 0;
}

// src/client/http/transport.ts
var Transport = class {
  #settings;
  host;
  #hasAnswered = false;
  constructor(settings) {
    this.#settings = settings;
    this.host = new URL(settings.baseUrl).host;
  }
  get clock() {
    return this.#settings.clock;
  }
  get logger() {
    return this.#settings.logger;
  }
  /** Text from outside, without any API key in it. */
  clean(text) {
    return this.#settings.keys.secrets.clean(text);
  }
  /** `own` over the client's. */
  limits(own) {
    return {
      timeoutMs: own.timeoutMs ?? this.#settings.timeoutMs,
      totalTimeoutMs: own.totalTimeoutMs ?? this.#settings.totalTimeoutMs,
      maxRetries: own.maxRetries ?? this.#settings.maxRetries
    };
  }
  /** Tells the listener of the call, else the client's. What it throws is its own affair. */
  noteRetry(own, failure) {
    const tell = async () => (own.onRetry ?? this.#settings.onRetry)?.(failure);
    tell().catch(() => {
    });
  }
  /** Throws ConfigurationError and what `carryOut` throws. */
  async send(call) {
    throwIfAborted(call.signal);
    return await this.carryOut(this.prepare(call));
  }
  /** Throws ConfigurationError. */
  prepare(call) {
    return prepareRequest(call, this.#settings, this.limits(call));
  }
  /** Throws ApiKeyError, AbortedError, ConnectionError, ApiError or UnexpectedResponseError. What was carried out before can be once more. */
  async carryOut(request) {
    const { call } = request;
    const { clock, logger } = this.#settings;
    const began = clock.monotonicMs();
    const leftMs = () => request.totalTimeoutMs - (clock.monotonicMs() - began);
    try {
      const attempt2 = async () => {
        try {
          return await this.#attemptWithGoodKey(request, leftMs);
        } catch (error) {
          if (!isIdempotent(call.method) && mayBeDone(error)) request.pinnedKey ??= request.key;
          throw error;
        }
      };
      return await retry(attempt2, {
        retriesMax: request.maxRetries,
        // A rate limit that says when to come back is not a fault of the connection. The total time bounds it.
        countsAsRetry: (error) => !(error instanceof RateLimitError && (serverDelayMs(error, clock.now()) ?? 0) >= 1e3),
        wait: async (error, attemptsBefore) => {
          const verdict = verdictOn(error, call);
          if (verdict === "final") return false;
          const delayMs = retryDelayMs(error, attemptsBefore, clock.now());
          if (delayMs >= leftMs()) return false;
          const tookMs = Math.round(clock.monotonicMs() - request.attemptBeganMs);
          logger.info(`${headlineOf(error)} after ${tookMs} ms; retrying in ${Math.round(delayMs)} ms`);
          if (verdict === "not-done") request.hasLeft = false;
          this.noteRetry(call, error);
          await pause(clock, delayMs, call.signal);
          return true;
        }
      });
    } catch (error) {
      throw this.#isPerhapsTls(error) && verdictOn(error, call) !== "final" ? suspectTls(error) : error;
    }
  }
  /** A 401 is an attempt that was certainly not carried out; it is made again, once a call, where the apiKey function gives another key. */
  async #attemptWithGoodKey(request, leftMs) {
    try {
      return await this.#attempt(request, leftMs());
    } catch (error) {
      const isFirst = error instanceof AuthenticationError && request.refusal === void 0;
      if (!isFirst || request.key === void 0 || request.pinnedKey !== void 0) throw error;
      request.refusal = error;
      return await this.#attempt(request, leftMs(), error);
    }
  }
  /** `refusal` is the answer to the key of the attempt before; without another key it is thrown again. */
  async #attempt(request, leftMs, refusal) {
    const { keys, fetch, clock, logger, fetchOptions } = this.#settings;
    const { call, timeoutMs, totalTimeoutMs } = request;
    const { host } = this;
    const began = clock.monotonicMs();
    request.attemptBeganMs = began;
    request.hasLeft = false;
    const onTimeout = () => {
      const bound = timeoutMs <= leftMs ? `${Math.ceil(timeoutMs)} ms` : `${Math.ceil(totalTimeoutMs)} ms in total`;
      const { hasLeft } = request;
      const lack = hasLeft ? "no complete answer" : "no key from the apiKey function (which must not call this client)";
      if (!hasLeft) keys.forget();
      return new ConnectionTimeoutError(`${call.method} ${call.path}: ${host}: ${lack} within ${bound}`, {
        host,
        fault: "timeout",
        neverLeft: !hasLeft
      });
    };
    const { response, body } = await withDeadline(
      { ms: Math.min(timeoutMs, leftMs), signal: call.signal, onTimeout },
      async (signal) => {
        const headers = { ...request.headers };
        if (headers.authorization === keyGoesHere) {
          const key = request.pinnedKey ?? (refusal === void 0 ? keys.current() : keys.replace(request.key ?? ""));
          request.key = typeof key === "string" ? key : await key;
          if (request.key === void 0) throw refusal;
          signal.throwIfAborted();
          keys.secrets.add(request.key);
          headers.authorization = `Bearer ${request.key}`;
        }
        headers["x-retry-count"] = String(request.count);
        request.count += 1;
        request.hasLeft = true;
        try {
          const response2 = await fetch(request.url, {
            ...fetchOptions,
            ...call.fetchOptions,
            method: call.method,
            headers,
            body: request.body,
            redirect: "manual",
            signal
          });
          if (typeof response2?.arrayBuffer !== "function")
            throw new ConnectionError(
              `${call.method} ${call.path}: the fetch option returned no Response, so the outcome of the request is unknown`,
              { host, fault: "fetch", neverLeft: false }
            );
          if (signal.aborted) await response2.body?.cancel();
          this.#hasAnswered = true;
          return { response: response2, body: await readBody(call, response2, keys.secrets) };
        } catch (error) {
          if (error instanceof UnexpectedResponseError || error instanceof ConnectionError) throw error;
          const { method, path } = call;
          throw describeConnectionFailure(error, { method, path, host, secrets: keys.secrets });
        }
      }
    );
    const requestId = response.headers.get(headerNames.requestId);
    const closing = requestId === null ? "" : ` (request id ${requestId})`;
    logger.debug(
      `${call.method} ${call.path}: ${response.status} in ${Math.round(clock.monotonicMs() - began)} ms${closing}`
    );
    return readAnswer(call, response, body, keys.secrets);
  }
  /** A TLS port hangs up on plain http; a server of runs that does so has answered before. */
  #isPerhapsTls(error) {
    const isClosed = error instanceof ConnectionError && error.fault === "closed" && !hasAnswerBegun(error);
    return isClosed && !this.#hasAnswered && this.#settings.baseUrl.startsWith("http:");
  }
};
function verdictOn(error, call) {
  const verdict = call.bearsPages === true && isWordOfAnother(error) ? "unknown" : judgeFailure(error);
  return verdict === "unknown" && !call.isIdempotent ? "final" : verdict;
}
function suspectTls(error) {
  return new ConnectionError(`${error.message}; use https instead of http?`, error);
}

// src/client/options/plain-text.ts
var named = new Map(
  "excl! quot\" num# dollar$ percnt% amp& apos' lpar( rpar) ast* plus+ comma, period. sol/ colon: semi; lt< equals= gt> quest? commat@ lsqb[ lbrack[ bsol\\ rsqb] rbrack] hat^ lowbar_ grave` lcub{ lbrace{ verbar| vert| rcub} rbrace} hyphen- tilde~".split(" ").map((word) => [word.slice(0, -1), word.charCodeAt(word.length - 1)])
);
var htmlMax = 12;
var htmlEscape = /&(?:#0{0,5}(\d{1,3})|#x0{0,5}([\da-f]{2})|([a-z]{2,8}));/;
var [percent, ampersand, semicolon, backslash, zero, u, x] = [37, 38, 59, 92, 48, 117, 120];
var escaped = 65536;
var behind = 131072;
var character = 65535;
var batch = 4096;
function readPlain2(spelled) {
  if (!/[%&\\]/.test(spelled)) return { text: spelled.replace(/[A-Z+/]/g, foldCharacter) };
  const codes = new Uint32Array(spelled.length);
  const starts = new Uint32Array(spelled.length + 1);
  let length = 0;
  let backslashAt = -1;
  let isSpelled = false;
  for (let at = 0; at < spelled.length; at += 1) {
    let start = at;
    let isRead = false;
    for (let code = spelled.charCodeAt(at); code !== void 0; isRead = true) {
      if (backslashAt >= 0) start = backslashAt;
      if (code === backslash) {
        isSpelled = isSpelled || isRead;
        backslashAt = start;
        break;
      }
      code = fold(code);
      const isFirst = code === percent || code === ampersand;
      const mark = backslashAt < 0 ? 0 : isSpelled || isFirst ? escaped | behind : escaped;
      codes[length] = isFirst || code === u || code === x ? code | mark : code;
      starts[length] = start;
      length += 1;
      backslashAt = -1;
      isSpelled = false;
      const size = measureEscape(codes, length);
      code = size === 0 ? void 0 : readEscape(codes.subarray(length - size, length));
      if (code === void 0) break;
      length -= size;
      start = starts[length] ?? 0;
      if (((codes[length] ?? 0) & behind) !== 0) {
        backslashAt = start;
        isSpelled = true;
      }
    }
  }
  starts[length] = spelled.length;
  let text = "";
  for (let at = 0; at < length; at += batch)
    text += String.fromCharCode(...codes.subarray(at, Math.min(at + batch, length)));
  return { text, starts };
}
function fold(code) {
  if (code >= 65 && code <= 90) return code + 32;
  if (code === 43) return 45;
  return code === 47 ? 95 : code;
}
function foldCharacter(character2) {
  return String.fromCharCode(fold(character2.charCodeAt(0)));
}
function measureEscape(codes, length) {
  const last = codes[length - 1];
  if (last === semicolon) {
    let size = 1;
    while (size < htmlMax && ((codes[length - size] ?? 0) & character) !== ampersand) size += 1;
    return ((codes[length - size] ?? 0) & character) === ampersand ? size : 0;
  }
  if (!isHex(last) || !isHex(codes[length - 2])) return 0;
  const before = codes[length - 3] ?? 0;
  if ((before & character) === percent || (before & ~behind) === (x | escaped)) return 3;
  return before === zero && codes[length - 4] === zero && ((codes[length - 5] ?? 0) & ~behind) === (u | escaped) ? 5 : 0;
}
function isHex(code = 0) {
  return code >= 48 && code <= 57 || code >= 97 && code <= 102;
}
function readEscape(codes) {
  const text = String.fromCharCode(...codes);
  if (!text.endsWith(";")) return Number.parseInt(text.slice(-2), 16);
  const [, decimal, hex, name = ""] = htmlEscape.exec(text) ?? [];
  if (decimal !== void 0) return Number(decimal);
  return hex === void 0 ? named.get(name) : Number.parseInt(hex, 16);
}

// src/client/options/told-texts.ts
var placesMax = 1e3;
var charactersMax = 1e6;
var ownPrinter = /* @__PURE__ */ Symbol.for("nodejs.util.inspect.custom");
function readToldTexts(thrown) {
  const places = /* @__PURE__ */ new Set([thrown]);
  let told = "";
  try {
    for (const place of places) {
      if (places.size > placesMax || told.length > charactersMax) return void 0;
      if ((typeof place !== "object" || place === null) && typeof place !== "function") {
        told += `${String(place)}
`;
        continue;
      }
      if (place instanceof Headers) for (const pair of place) places.add(pair);
      else if (!isOpen(place)) return void 0;
      const names2 = Reflect.ownKeys(place);
      for (const name of ["name", "message", ...names2]) places.add(name).add(Reflect.get(place, name));
    }
  } catch {
    return void 0;
  }
  return told;
}
function isOpen(place) {
  if (Array.isArray(place)) return true;
  if (place instanceof Error || nameClass(place) === "[object Error]") return !(ownPrinter in place);
  const prototype = Object.getPrototypeOf(place);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
function nameClass(place) {
  return Object.prototype.toString.call(place);
}
var levelsMax2 = 5;
function createBareError(thrown, clean, level = 1) {
  const read = (name) => {
    try {
      return isObject(thrown) ? thrown[name] : void 0;
    } catch {
      return void 0;
    }
  };
  const cause = read("cause");
  const message = read("message") ?? thrown;
  const bare = new Error(
    typeof message === "string" ? clean(message) : `a thrown ${typeof thrown} without a message`,
    isObject(cause) && level < levelsMax2 ? { cause: createBareError(cause, clean, level + 1) } : {}
  );
  for (const name of ["name", "code", "stack"]) {
    const value = read(name);
    if (typeof value === "string")
      Object.defineProperty(bare, name, { value: clean(value), configurable: true, writable: true });
  }
  return bare;
}

// src/client/options/secrets.ts
var shortestKey = 4;
var keysKept = 8;
var escapeMax = 10;
var Secrets = class {
  /** What is looked for by key, the one used last at the end; undefined until something is cleaned. */
  #forms = /* @__PURE__ */ new Map();
  /** Remembers a key that is about to be sent. */
  add(key) {
    if (key.length < shortestKey) return;
    const forms2 = this.#forms.get(key);
    this.#forms.delete(key);
    this.#forms.set(key, forms2);
    const [oldest] = this.#forms.keys();
    if (this.#forms.size > keysKept && oldest !== void 0) this.#forms.delete(oldest);
  }
  /** No key is known yet, so nothing can be cleaned of it. */
  get isEmpty() {
    return this.#forms.size === 0;
  }
  /** Of a text that may have been cut, the beginning of a key at its end is taken out as well. */
  clean(text, isCut = false) {
    if (text.length < shortestKey || this.isEmpty) return text;
    const found = [];
    const find = (within, form, starts) => {
      for (let at2 = within.indexOf(form); at2 >= 0; at2 = within.indexOf(form, at2 + form.length)) {
        const end2 = at2 + form.length;
        found.push([starts?.[at2] ?? at2, starts?.[end2] ?? end2]);
      }
    };
    const plain = readPlain2(text);
    for (const [key, known] of this.#forms) {
      const forms2 = known ?? createForms(key);
      if (known === void 0) this.#forms.set(key, forms2);
      for (const form of forms2) {
        find(plain.text, form, plain.starts);
        const at2 = isCut ? findHalf(plain.text, form) : -1;
        if (at2 >= 0) found.push([plain.starts?.[at2] ?? at2, text.length]);
      }
      find(text, key);
    }
    let cleaned = "";
    let at = 0;
    for (const [start, end2] of found.sort(([a], [b]) => a - b)) {
      if (start >= at) cleaned += `${text.slice(at, start)}***`;
      at = Math.max(at, end2);
    }
    return cleaned + text.slice(at);
  }
  cleanHeaders(headers) {
    const cleaned = new Headers();
    for (const [name, value] of headers) cleaned.append(this.clean(name), this.clean(value));
    return cleaned;
  }
  /** The thrown thing as it is, or a bare error in its place where it tells a key, or may do so. */
  cleanCause(thrown) {
    if (this.isEmpty) return thrown;
    const told = readToldTexts(thrown);
    return told !== void 0 && this.clean(told) === told ? thrown : createBareError(thrown, (text) => this.clean(text));
  }
};
function findHalf(text, form) {
  const last = text.slice(-escapeMax);
  const ends = [text.length, ...Array.from(last.matchAll(/[%&ux]/g), ({ index }) => text.length - last.length + index)];
  for (let length = form.length - 1; length >= shortestKey; length -= 1) {
    const half = form.slice(0, length);
    const end2 = ends.find((end3) => text.endsWith(half, end3));
    if (end2 !== void 0) return end2 - length;
  }
  return -1;
}
function createForms(key) {
  const bytes = key.replace(/[^\0-\xff]/g, "?");
  const forms2 = [key, ...base64Within(bytes)].map((text) => readPlain2(text).text.replace(/%.?$/, ""));
  return forms2.filter((text) => text.length >= shortestKey);
}

// src/client/options/key-source.ts
var longestMarginMs = 6e4;
var KeySource = class {
  secrets = new Secrets();
  #ask;
  #clock;
  #key;
  #dueMs = Number.POSITIVE_INFINITY;
  #lapsesMs = Number.POSITIVE_INFINITY;
  #asking;
  constructor(given, clock) {
    this.#clock = clock;
    if (typeof given === "function") this.#ask = given;
    else this.#keep(given);
  }
  /** The key to send now. Throws ApiKeyError. */
  current() {
    const key = this.#key;
    if (key === void 0) return this.#renew();
    const now = this.#clock.monotonicMs();
    if (now < this.#dueMs) return key;
    const next = this.#renew();
    return now < this.#lapsesMs ? key : next;
  }
  /** A key in place of the one that the server refused; undefined where there is no other. Throws ApiKeyError. */
  async replace(refused) {
    if (this.#ask === void 0) return void 0;
    if (this.#key === refused) this.#key = void 0;
    const key = this.#key ?? await this.#renew();
    return key === refused ? void 0 : key;
  }
  /** Who waited in vain for the function lets the next one ask it anew. */
  forget() {
    this.#asking = void 0;
  }
  #renew() {
    if (this.#asking !== void 0) return this.#asking;
    const beganMs = this.#clock.monotonicMs();
    const asking = this.#askFunction().then(
      ({ key, expiresInMs = Number.POSITIVE_INFINITY }) => {
        this.secrets.add(key);
        if (this.#asking !== asking) return key;
        this.#asking = void 0;
        this.#keep(key);
        this.#lapsesMs = beganMs + expiresInMs;
        this.#dueMs = this.#lapsesMs - Math.min(longestMarginMs, expiresInMs / 10);
        return key;
      },
      (error) => {
        if (this.#asking === asking) this.#asking = void 0;
        throw error;
      }
    );
    asking.catch(() => {
    });
    this.#asking = asking;
    return asking;
  }
  async #askFunction() {
    await void 0;
    let given;
    try {
      given = await this.#ask?.();
    } catch (error) {
      throw new ApiKeyError(`the apiKey function failed: ${this.#describe(error)}`, {
        retryable: true,
        cause: this.secrets.cleanCause(error)
      });
    }
    const answer = isObject(given) ? given : { key: given };
    if (isKey(answer.key) && isLife(answer.expiresInMs)) return { key: answer.key, expiresInMs: answer.expiresInMs };
    throw new ApiKeyError(
      `the apiKey function failed: it must return a key of visible ASCII characters or { key, expiresInMs }, not ${isKey(answer.key) ? "an invalid expiresInMs" : "an invalid key"}`,
      { retryable: false }
    );
  }
  /** The words of the function may tell a key; before the first one there is nothing to clean them of. */
  #describe(error) {
    if (this.secrets.isEmpty)
      return error instanceof Error ? `${error.constructor.name}, see its cause` : "see its cause";
    return this.secrets.clean(messageOf(error));
  }
  #keep(key) {
    this.#key = key;
    this.secrets.add(key);
  }
};
function isKey(text) {
  return typeof text === "string" && /^[\x21-\x7e]+$/.test(text);
}
function isLife(ms) {
  return ms === void 0 || typeof ms === "number" && ms > 0;
}

// src/client/options/credentials.ts
var ownPair = { address: "AGENT_RUN_BASE_URL", key: "AGENT_RUN_API_KEY" };
var publicPair = { address: "OZ_API_BASE_URL", key: "WARP_API_KEY" };
var pairs = [ownPair, publicPair];
function resolveCredentials(options, variables) {
  const environment = (name) => variables(name)?.trim();
  const givenUrl = sayOption("baseUrl", options.baseUrl);
  const source = isSource(options.apiKey) ? options.apiKey : void 0;
  const givenKey = isSource(options.apiKey) ? void 0 : sayOption("apiKey", options.apiKey);
  const pair = pairs.find(({ address: address2, key: key2 }) => environment(address2) !== void 0 || environment(key2) !== void 0) ?? ownPair;
  const isKeyGiven = source !== void 0 || givenKey !== void 0;
  const url = givenUrl ?? (isKeyGiven ? findAddress(givenKey, environment) : say(pair.address, environment));
  if (url === void 0) throw lackingAddress(pair, environment);
  const address = readBaseUrl(url.text, url.origin);
  checkScheme(address, url.origin, options.allowHttp ?? false);
  const { baseUrl, note: baseUrlNote } = address;
  if (source !== void 0) return { baseUrl, baseUrlNote, apiKey: source };
  const key = givenKey ?? (givenUrl === void 0 ? say(pair.key, environment) : findKey(address, environment));
  if (key === void 0) throw lackingKey(address, givenUrl === void 0 ? [pair] : pairs, environment);
  checkKey(key);
  return { baseUrl, baseUrlNote, apiKey: key.text };
}
function isSource(key) {
  return typeof key === "function" || key instanceof KeySource;
}
function findAddress(key, environment) {
  const owners = pairs.filter((pair) => key !== void 0 && environment(pair.key) === key.text);
  const candidates = owners.length === 0 ? pairs : owners;
  return candidates.map((pair) => say(pair.address, environment)).find((said) => said !== void 0);
}
function findKey(address, environment) {
  const pair = pairs.find((one) => environment(one.key) !== void 0 && isKeyFor(one, address, environment));
  return pair === void 0 ? void 0 : say(pair.key, environment);
}
function isKeyFor(pair, address, environment) {
  const own = say(pair.address, environment);
  return own === void 0 ? pair === ownPair : readBaseUrl(own.text, own.origin).baseUrl === address.baseUrl;
}
function checkKey(key) {
  if (!isKey(key.text))
    throw new ConfigurationError(
      (nameOption) => `the API key in ${nameOrigin(key.origin, nameOption)} contains a space, a line break or another invalid character`,
      { option: "option" in key.origin ? key.origin.option : void 0 }
    );
}
function checkScheme(address, origin, allowHttp) {
  const url = new URL(address.baseUrl);
  if (url.protocol === "https:" || isLoopback(url.hostname) || allowHttp) return;
  throw new ConfigurationError(
    (nameOption) => `${nameOrigin(origin, nameOption)}: the API key would be sent to ${url.hostname} over plain HTTP. Use https, or allow it with ${nameOption("allowHttp")}`,
    { option: "allowHttp" }
  );
}
function lackingAddress(pair, environment) {
  const what = "the address of the service";
  return environment(pair.address) === void 0 ? lacking({ what, option: "baseUrl", variable: pair.address }) : lacking({ what, option: "baseUrl", reason: `the one in ${pair.address} belongs to another key` });
}
function lackingKey(address, candidates, environment) {
  const reasons = candidates.flatMap((pair) => {
    if (environment(pair.key) === void 0) return [];
    const own = say(pair.address, environment);
    const owner = own === void 0 ? pair.address : new URL(readBaseUrl(own.text, own.origin).baseUrl).origin;
    return [`the key in ${pair.key} belongs to ${owner}`];
  });
  return lacking({
    what: `the API key for ${address.baseUrl}`,
    option: "apiKey",
    variable: candidates.find((pair) => isKeyFor(pair, address, environment))?.key,
    reason: reasons.length === 0 ? void 0 : reasons.join(", ")
  });
}
function lacking(facts) {
  const { what, option, variable, reason } = facts;
  const because = reason === void 0 ? "" : `${reason}; `;
  const otherwise = variable === void 0 ? "" : `, or set ${variable}`;
  return new ConfigurationError((nameOption) => `${what} is missing: ${because}give ${nameOption(option)}${otherwise}`, {
    option
  });
}
function sayOption(option, given) {
  if (given === void 0 || given === null) return void 0;
  const text = given instanceof URL ? given.href : given;
  if (typeof text !== "string")
    throw new ConfigurationError((nameOption) => `${nameOption(option)} must be a string`, { option });
  return text.trim() === "" ? void 0 : { text, origin: { option } };
}
function say(variable, environment) {
  const text = environment(variable);
  return text === void 0 ? void 0 : { text, origin: { variable } };
}

// src/client/options/logger.ts
var logLevels = ["off", "error", "warn", "info", "debug"];
function createLogger(target, level, clean) {
  const limit = logLevels.indexOf(level);
  if (![target.info, target.warn, target.error, target.debug].some((method) => typeof method === "function"))
    throw new ConfigurationError("logger must have at least one of the methods error, warn, info and debug");
  const lend = (name) => (message) => {
    if (logLevels.indexOf(name) > limit) return;
    const line = plainLine(clean(`agent-run: ${message}`));
    const write2 = async () => (target[name] ?? target.info)?.call(target, line);
    write2().catch(() => {
    });
  };
  return { error: lend("error"), warn: lend("warn"), info: lend("info"), debug: lend("debug") };
}
function isLogLevel(word) {
  return logLevels.some((level) => level === word);
}

// src/client/options/settings.ts
function resolveOptions(options) {
  const environment = readEnvironment();
  checkOptions("the options of a client", options, clientNames);
  checkCallOptions(options);
  const { baseUrl, baseUrlNote, apiKey } = resolveCredentials(options, environment);
  if (typeof apiKey === "string" && !(options.allowBrowser ?? defaults.allowBrowser)) refuseBrowser();
  const { clock = systemClock } = options;
  checkClock(clock);
  const keys = apiKey instanceof KeySource ? apiKey : new KeySource(apiKey, clock);
  const logLevel = readLogLevel(options.logLevel, environment);
  return {
    baseUrl,
    baseUrlNote,
    keys,
    // Looked up at each call, so that a fetch put in its place later is used, and called as a function of its own.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    timeoutMs: options.timeoutMs ?? defaults.timeoutMs,
    totalTimeoutMs: options.totalTimeoutMs ?? defaults.totalTimeoutMs,
    maxRetries: options.maxRetries ?? defaults.maxRetries,
    onRetry: options.onRetry,
    defaultHeaders: options.defaultHeaders ?? {},
    defaultQuery: options.defaultQuery ?? {},
    fetchOptions: options.fetchOptions ?? {},
    logger: createLogger(options.logger ?? console, logLevel, (text) => keys.secrets.clean(text)),
    clock
  };
}
function checkClock(clock) {
  for (const name of ["now", "monotonicMs", "sleep"])
    if (typeof clock?.[name] !== "function") throw new ConfigurationError(`clock must have a method ${name}`);
}
function refuseBrowser() {
  if (typeof navigator === "undefined" || !navigator.userAgent?.startsWith("Mozilla/")) return;
  throw new ConfigurationError(
    "this is a browser, where every visitor can read the API key; send requests from your server, or set apiKey to a function that gets a short-lived key from it; allowBrowser uses the key anyway",
    { option: "apiKey" }
  );
}
function readLogLevel(option, environment) {
  const word = option ?? environment("AGENT_RUN_LOG") ?? defaults.logLevel;
  if (isLogLevel(word)) return word;
  const where = option === void 0 ? "AGENT_RUN_LOG" : "logLevel";
  throw new ConfigurationError(
    `${where} must be one of ${logLevels.join(", ")}, not "${word}"${didYouMean(word, logLevels)}`
  );
}
function readEnvironment() {
  return (name) => {
    try {
      const value = typeof process === "undefined" ? void 0 : process.env[name];
      return value === void 0 || value.trim() === "" ? void 0 : value;
    } catch {
      return void 0;
    }
  };
}

// src/client/following/server-sent-events.ts
var pendingCharactersMax = 16 * 1024 * 1024;
var ServerSentEventParser = class {
  /** The pieces of the line that has not ended yet. */
  #line = [];
  #data = [];
  #pendingCharacters = 0;
  #kind = "";
  #endedWithReturn = false;
  /** The data of the messages, events of the default kind, that this piece completes. Throws RangeError for one that is longer than any of this service. */
  read(piece) {
    const messages = [];
    let at = this.#endedWithReturn && piece.startsWith("\n") ? 1 : 0;
    if (piece !== "") this.#endedWithReturn = piece.endsWith("\r");
    for (const { index, 0: end2 } of piece.matchAll(/\r\n?|\n/g)) {
      if (index < at) continue;
      this.#line.push(piece.slice(at, index));
      const message = this.#readLine(this.#line.join(""));
      if (message !== void 0) messages.push(message);
      this.#line = [];
      at = index + end2.length;
    }
    this.#line.push(piece.slice(at));
    this.#pendingCharacters += piece.length;
    if (this.#pendingCharacters > pendingCharactersMax)
      throw new RangeError(`an event is longer than ${pendingCharactersMax} characters`);
    return messages;
  }
  #readLine(line) {
    if (line === "") return this.#finish();
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (field === "data") this.#data.push(value);
    else if (field === "event") this.#kind = value;
    return void 0;
  }
  #finish() {
    const isMessage = this.#data.length > 0 && (this.#kind === "" || this.#kind === "message");
    const message = isMessage ? this.#data.join("\n") : void 0;
    this.#data = [];
    this.#kind = "";
    this.#pendingCharacters = 0;
    return message;
  }
};

// src/client/following/event-stream.ts
var streamTimes = Object.freeze({ firstWordMs: 15e3, silenceMs: 45e3, closingMs: 2e3 });
async function* readStream(stream, { signal, times: times2 = streamTimes, onWord } = {}) {
  const reader = stream.getReader();
  const decoder2 = new TextDecoder();
  const parser = new ServerSentEventParser();
  let hasSpoken = false;
  let closesAtMs;
  try {
    for (; ; ) {
      const restMs2 = closesAtMs === void 0 ? times2.silenceMs : Math.max(1, closesAtMs - performance.now());
      const piece = await readPiece(reader, hasSpoken ? restMs2 : times2.firstWordMs, signal);
      if (piece === "silent" && !hasSpoken) return "useless";
      if (typeof piece === "string") return closesAtMs === void 0 ? "ended" : "over";
      hasSpoken = true;
      onWord?.();
      for (const message of parser.read(decoder2.decode(piece, { stream: true }))) {
        const event = readEvent(message);
        closesAtMs = isLast(event) ? performance.now() + times2.closingMs : void 0;
        yield event;
      }
      if (closesAtMs !== void 0 && performance.now() >= closesAtMs) return "over";
    }
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return "useless";
    throw error;
  } finally {
    reader.cancel().catch(() => {
    });
  }
}
async function readPiece(reader, ms, signal) {
  const silent = new Error("silent");
  try {
    const { value } = await withDeadline({ ms, signal, onTimeout: () => silent }, () => reader.read());
    return value ?? "closed";
  } catch (error) {
    throwIfAborted(signal);
    return error === silent ? "silent" : "closed";
  }
}
function isLast({ type, data }) {
  return type === "state" && isFinal(String(data.state));
}
function readEvent(data) {
  const event = JSON.parse(data);
  if (!isEvent(event)) throw new SyntaxError("not an event of a run");
  return event;
}

// src/client/following/features.ts
var notThere = /* @__PURE__ */ new Set([404, 405, 501]);
function isAddressMissing(error, feature) {
  return error instanceof ApiError && notThere.has(error.status) && !readFeatures(error.headers).has(feature);
}
function explainMissing(error, feature) {
  return isAddressMissing(error, feature) ? new FeatureUnavailableError(feature, error) : error;
}

// src/client/following/pace.ts
var longPollSeconds = 25;
var floorMs = 250;
var fullPageEvents = 1e3;
var pageFloorMs = 500;
var promptMs = 1e3;
var firstPlainMs = 2e3;
var longestPlainMs = 15e3;
function restMs(poll, random = Math.random) {
  if (poll.serverWaits && poll.hasNews) return Math.max(0, floorMs - poll.tookMs);
  return quietRestMs(poll, random);
}
function pageRestMs(poll, random = Math.random) {
  if (poll.news >= fullPageEvents) return 0;
  if (poll.serverWaits && poll.news > 0) return Math.max(0, pageFloorMs - poll.tookMs);
  return quietRestMs(poll, random);
}
function streamRestMs(random = Math.random) {
  return floorMs * (1 + random());
}
function quietRestMs(poll, random) {
  if (poll.serverWaits && poll.tookMs >= promptMs) return 0;
  return Math.min(firstPlainMs * 1.5 ** poll.quietPolls, longestPlainMs) * (0.8 + 0.2 * random());
}

// src/client/following/patience.ts
var patienceNames = ["toleranceMs", "notFoundGraceMs", "signal"];
var Patience = class {
  #runId;
  #transport;
  #toleranceMs;
  #graceEndMs;
  #askedMs;
  #failingSinceMs = 0;
  #failures = 0;
  /** Throws ConfigurationError. */
  constructor(runId, transport, options) {
    checkDuration("toleranceMs", options.toleranceMs);
    if (options.notFoundGraceMs !== 0) checkDuration("notFoundGraceMs", options.notFoundGraceMs);
    this.#runId = runId;
    this.#transport = transport;
    this.#toleranceMs = options.toleranceMs ?? defaults.toleranceMs;
    this.#askedMs = transport.clock.monotonicMs();
    this.#graceEndMs = this.#askedMs + (options.notFoundGraceMs ?? defaults.notFoundGraceMs);
  }
  /** Before each poll. What the caller did since the last one, perhaps for hours, is no failure of the server. */
  noteAsked() {
    this.#askedMs = this.#transport.clock.monotonicMs();
  }
  noteGoodAnswer() {
    if (this.#failures > 0) this.#transport.logger.info(`run ${this.#runId}: the server is answering again`);
    this.#failures = 0;
  }
  /**
   * How long to wait, in ms, before the next poll. Throws when it is enough: what no waiting cures as it is, RunLostError for a run that is
   * not there, and ConnectionError (`cause` is the last failure) when the tolerance is used up.
   */
  bear(error, lastState) {
    const { clock, logger } = this.#transport;
    const askedMs = this.#askedMs;
    if (this.#failures === 0) this.#failingSinceMs = askedMs;
    const isTooLong = askedMs - this.#failingSinceMs >= this.#toleranceMs;
    if (saysNoSuchRun(error)) {
      if (isTooLong || askedMs >= this.#graceEndMs)
        throw new RunLostError({ runId: this.#runId, state: lastState, cause: error });
    } else if (!isCurable(error)) {
      throw error;
    } else if (isTooLong) {
      throw this.#giveUp(error);
    }
    if (this.#failures === 0) logger.warn(`run ${this.#runId}: ${headlineOf(error)}; still following`);
    this.#failures += 1;
    return retryDelayMs(error, this.#failures - 1, clock.now());
  }
  #giveUp(error) {
    const seconds = Math.round(this.#toleranceMs / 1e3);
    return new ConnectionError(`run ${this.#runId}: no good answer for ${seconds} s; last failure: ${error.message}`, {
      host: this.#transport.host,
      fault: "other",
      neverLeft: false,
      cause: error
    });
  }
};
function saysNoSuchRun(error) {
  if (!(error instanceof NotFoundError)) return false;
  return error.code !== void 0 || isObject(error.body) && typeof error.body.error === "string";
}
function isCurable(error) {
  if (error instanceof UnexpectedResponseError || error instanceof NotFoundError) return true;
  return isWordOfAnother(error) || judgeFailure(error) !== "final";
}

// src/client/following/event-reader.ts
var eventsNames = ["after", "onStatesOnly", ...patienceNames];
var barrenStreamsMax = 2;
var EventReader = class {
  #transport;
  #path;
  #runPath;
  #signal;
  #patience;
  #onStream;
  #after;
  #streams;
  #barrenStreams = 0;
  /** A stream that ended without an event may have been at the end of all. */
  #asksForPage = false;
  #wasThere = false;
  #quietPolls = 0;
  constructor(transport, runId, options, onStream = () => {
  }, usesStreams = true) {
    this.#streams = usesStreams;
    checkOptions("the options of events", options, eventsNames);
    checkSignal(options.signal);
    const { after = 0, signal } = options;
    if (!Number.isSafeInteger(after) || after < 0)
      throw new ConfigurationError(`after must be the number of an event or 0, not ${after}`);
    this.#transport = transport;
    this.#path = fillRoute("listEvents", { runId });
    this.#runPath = fillRoute("readRun", { runId });
    this.#signal = signal;
    this.#patience = new Patience(runId, transport, options);
    this.#after = after;
    this.#onStream = onStream;
  }
  async *read() {
    const { clock } = this.#transport;
    for (let restMs2 = 0; ; ) {
      this.#patience.noteAsked();
      const askedMs = clock.monotonicMs();
      if (this.#streams && !this.#asksForPage) this.#onStream("asked");
      let answer;
      try {
        answer = await (this.#streams && !this.#asksForPage ? this.#askForStream() : this.#askForPage());
      } catch (error) {
        this.#onStream("none");
        restMs2 = this.#patience.bear(await this.#explain(error), void 0);
        await pause(clock, restMs2, this.#signal);
        continue;
      }
      this.#patience.noteGoodAnswer();
      this.#wasThere = true;
      restMs2 = answer.stream === void 0 ? yield* this.#readPage(answer, clock.monotonicMs() - askedMs) : yield* this.#readStream(answer.stream);
      if (restMs2 === "over") return;
      await pause(clock, restMs2, this.#signal);
    }
  }
  /** Perhaps it is only a proxy that does not know the address: an answer about the run says whether the server has events. */
  async #explain(error) {
    if (this.#wasThere || !isAddressMissing(error, "events")) return error;
    try {
      const { timeoutMs } = this.#transport.limits({});
      const { headers } = await this.#transport.send({
        method: "GET",
        path: this.#runPath,
        as: "json",
        isExpected: isRun,
        isIdempotent: true,
        maxRetries: 0,
        totalTimeoutMs: timeoutMs,
        signal: this.#signal
      });
      return readFeatures(headers).has("events") ? error : new FeatureUnavailableError("events", error);
    } catch (failure) {
      return failure;
    }
  }
  /** Says how long to rest before the next page, in ms. */
  async *#readPage(answer, tookMs) {
    this.#onStream("none");
    if (!this.#asksForPage) this.#streams = false;
    this.#asksForPage = false;
    const { events, done } = answer.data;
    const news = yield* this.#pick(events);
    if (done) return "over";
    if (this.#streams) return streamRestMs();
    this.#quietPolls = news > 0 ? 0 : this.#quietPolls + 1;
    const serverWaits = readFeatures(answer.headers).has("wait");
    return pageRestMs({ news, serverWaits, tookMs, quietPolls: this.#quietPolls });
  }
  /** Says how long to rest before the next connection, in ms. */
  async *#readStream(stream) {
    const reading = readStream(stream, { signal: this.#signal, onWord: () => this.#onStream("heard") });
    const before = this.#after;
    let end2;
    try {
      for (; ; ) {
        const step = await reading.next();
        if (step.done) {
          end2 = step.value;
          break;
        }
        yield* this.#pick([step.value]);
      }
    } finally {
      await reading.return("ended");
    }
    if (end2 === "over") return "over";
    this.#asksForPage = this.#after === before;
    this.#barrenStreams = this.#asksForPage ? this.#barrenStreams + 1 : 0;
    if (end2 === "useless" || this.#barrenStreams >= barrenStreamsMax) this.#streams = false;
    this.#onStream(this.#streams && !this.#asksForPage ? "asked" : "none");
    return streamRestMs();
  }
  /** Those that are new. */
  *#pick(events) {
    let news = 0;
    for (const event of events) {
      if (event.seq <= this.#after) continue;
      this.#after = event.seq;
      news += 1;
      throwIfAborted(this.#signal);
      yield event;
    }
    return news;
  }
  async #askForStream() {
    const after = this.#after;
    try {
      return await this.#ask(Math.min(this.#transport.limits({}).timeoutMs, streamTimes.firstWordMs), {
        Accept: "text/event-stream, application/json;q=0.5",
        "Last-Event-ID": after > 0 ? String(after) : void 0
      });
    } catch (error) {
      if (error instanceof ConnectionTimeoutError) this.#streams = false;
      throw error;
    }
  }
  async #askForPage() {
    const waitSeconds = this.#streams ? 0 : longPollSeconds;
    return await this.#ask(this.#transport.limits({}).timeoutMs + waitSeconds * 1e3, {
      [headerNames.prefer]: waitSeconds === 0 ? void 0 : `wait=${waitSeconds}`
    });
  }
  async #ask(timeoutMs, headers) {
    return await this.#transport.send({
      method: "GET",
      path: this.#path,
      query: { after: this.#after },
      headers,
      as: "json",
      isExpected: isEventPage,
      takesStream: headers.Accept !== void 0,
      isIdempotent: true,
      // One failure is borne by the reader's patience.
      maxRetries: 0,
      timeoutMs,
      totalTimeoutMs: timeoutMs,
      signal: this.#signal
    });
  }
};

// src/client/following/event-watch.ts
var openingMs = 1e3;
var EventWatch = class {
  #watched;
  #stopping = new AbortController();
  #onEvent;
  /** Ends the reader of now; one that was given up gives no event any more. */
  #reading = new AbortController();
  #stream = "asked";
  /** By the machine's clock, like all times here: they are about what a socket does. */
  #heardMs = 0;
  #openingFromMs = performance.now();
  /** The last event that was given, and the last one of a change of state. */
  #seq = 0;
  #stateSeq = 0;
  /** The last event that the run is known to have. */
  #runSeq = 0;
  #isOver = false;
  /** When the event that the caller has in hand was given, and how long all before it were in hand. */
  #givingFromMs;
  #gaveMs = 0;
  #fault;
  #wake = createDeferred();
  constructor(watched) {
    this.#watched = watched;
    this.#onEvent = watched.onEvent;
    this.#begin(true);
  }
  /** How long from now, in ms, the stream makes it needless to ask for the run; 0 where it does not. */
  trustMs() {
    if (this.#stream === "none" || this.#stateSeq > this.#runSeq) return 0;
    const isAbreast = this.#stream === "heard" && this.#seq >= this.#runSeq;
    const untilMs = isAbreast ? this.#heardMs + streamTimes.silenceMs : this.#openingFromMs + openingMs;
    return Math.max(0, untilMs - performance.now());
  }
  /** Takes note of a whole run that has just come. */
  noteRun({ last_seq }) {
    this.#runSeq = last_seq ?? Number.POSITIVE_INFINITY;
    this.#openingFromMs = performance.now();
  }
  /** Waits for `work`, or until there is something to look at; `work` is then told to stop. */
  async race(work) {
    const nap = new AbortController();
    try {
      await Promise.race([work(nap.signal), this.#wake.promise]);
    } finally {
      nap.abort();
    }
  }
  /**
   * Waits until every event that the run is known to have was given, `graceMs` of the server's time at most: while the caller has one in hand,
   * none passes. Throws what `onEvent` threw.
   */
  async catchUp({ graceMs, leftMs, isOver, signal }) {
    const beganMs = performance.now();
    const isThrough = () => this.#isOver || this.#seq >= this.#runSeq || signal?.aborted === true;
    const serverMs = () => (this.#givingFromMs ?? performance.now()) - this.#gaveMs;
    const callerLeftMs = () => {
      const graceLeftMs = beganMs + graceMs - performance.now();
      return isOver ? Math.max(leftMs() + graceMs, graceLeftMs) : Math.min(leftMs(), graceLeftMs);
    };
    const onTimeout = () => new Error("the last events are late");
    let endMs = serverMs() + graceMs;
    for (let asksForPages = false; !isThrough(); ) {
      const isInHand = this.#givingFromMs !== void 0;
      const ms = isInHand ? Math.min(graceMs, callerLeftMs()) : endMs - serverMs();
      const { transport, runId } = this.#watched;
      if (ms > 0) {
        await withDeadline({ ms, signal, onTimeout }, () => this.#wake.promise).catch(() => {
        });
      } else if (isInHand) {
        if (isOver) transport.logger.warn(`run ${runId}: onEvent was too slow to receive all of its events`);
        break;
      } else if (asksForPages) {
        transport.logger.warn(`run ${runId}: not all of its events arrived in time`);
        break;
      } else {
        asksForPages = true;
        this.#begin(false);
        endMs = serverMs() + graceMs;
      }
    }
    this.throwFault();
  }
  /** Throws what `onEvent` threw. */
  throwFault() {
    if (this.#fault !== void 0) throw this.#fault.error;
  }
  /** No event is given from now on. */
  stop() {
    this.#stopping.abort();
  }
  /** Reads on from the last event that was given, in place of the reader before. */
  #begin(usesStreams) {
    const { transport, runId, patience, signal } = this.#watched;
    this.#reading.abort();
    const reading = new AbortController();
    this.#reading = reading;
    const ends = [reading.signal, this.#stopping.signal, ...signal === void 0 ? [] : [signal]];
    const ending = AbortSignal.any(ends);
    const options = { ...patience, signal: ending, after: this.#seq };
    const reader = new EventReader(transport, runId, options, (news) => this.#noteStream(news), usesStreams);
    void this.#read(reader, reading, (error) => {
      if (ending.aborted) return;
      transport.logger.warn(`run ${runId}: its events can no longer be read: ${headlineOf(error)}`);
    });
  }
  async #read(reader, reading, explain2) {
    try {
      for await (const event of reader.read()) {
        if (this.#stopping.signal.aborted || reading.signal.aborted) return;
        await this.#give(event);
        if (this.#fault !== void 0) return;
      }
    } catch (error) {
      explain2(error);
    } finally {
      if (reading === this.#reading) {
        this.#isOver = true;
        this.#stream = "none";
        this.#rouse();
      }
    }
  }
  async #give(event) {
    if (event.type === "state") {
      this.#stateSeq = event.seq;
      this.#rouse();
    }
    this.#givingFromMs = performance.now();
    try {
      await this.#onEvent(event);
    } catch (error) {
      this.#fault = { error };
    }
    this.#gaveMs += performance.now() - this.#givingFromMs;
    this.#givingFromMs = void 0;
    const wasBehind = this.#seq < this.#runSeq;
    this.#seq = event.seq;
    if (wasBehind && this.#seq >= this.#runSeq) this.#rouse();
  }
  #noteStream(news) {
    const isNew = news !== this.#stream;
    this.#stream = news;
    if (news === "heard") this.#heardMs = performance.now();
    if (news === "asked" && isNew) this.#openingFromMs = performance.now();
    if (isNew) this.#rouse();
  }
  #rouse() {
    this.#wake.resolve();
    this.#wake = createDeferred();
  }
};

// src/client/following/follow-limits.ts
var waiting = /* @__PURE__ */ new Set(["QUEUED", "PENDING", "CLAIMED"]);
function isWaiting(state) {
  return waiting.has(state);
}
function printPlain(values) {
  return JSON.stringify(values.map((value) => typeof value === "object" ? null : value));
}
var limitNames = ["timeoutMs", "queueTimeoutMs", "runTimeoutMs", "stallTimeoutMs"];
var none = Number.POSITIVE_INFINITY;
var FollowLimits = class {
  #options;
  #beganMs;
  #state;
  #phaseBeganMs;
  #life = "";
  #lifeMs;
  #silentSinceMs;
  /** The last event that came by itself. */
  #seq = 0;
  /** Throws ConfigurationError. */
  constructor(options, nowMs) {
    for (const name of limitNames) checkDuration(name, options[name]);
    this.#options = options;
    this.#beganMs = nowMs;
    this.#phaseBeganMs = nowMs;
    this.#lifeMs = nowMs;
  }
  /** Takes note of a whole run that has just come. */
  noteRun(run, nowMs) {
    if (this.#state === void 0 || isWaiting(this.#state) !== isWaiting(run.state)) this.#phaseBeganMs = nowMs;
    this.#state = run.state;
    const life = printPlain([run.state, run.attempt, run.updated_at, run.last_seq]);
    const isKnown = this.#seq > 0 && run.last_seq != null && run.last_seq <= this.#seq;
    if (life !== this.#life && !isKnown) this.#lifeMs = nowMs;
    this.#life = life;
  }
  /** Takes note of an event. */
  noteEvent(seq, nowMs) {
    this.#seq = seq;
    this.noteAnswer(nowMs);
    this.#lifeMs = nowMs;
  }
  /** A look that began then has failed. While the server is silent nobody knows whether the run is: that time does not count as a stall. */
  noteSilence(sinceMs) {
    this.#silentSinceMs ??= sinceMs;
  }
  noteAnswer(nowMs) {
    this.#lifeMs += this.#silenceMs(nowMs);
    this.#silentSinceMs = void 0;
  }
  #silenceMs(nowMs) {
    return this.#silentSinceMs === void 0 ? 0 : nowMs - this.#silentSinceMs;
  }
  nearest(nowMs) {
    const { timeoutMs, queueTimeoutMs, runTimeoutMs } = this.#options;
    const state = this.#state;
    const isQueued = state === void 0 || isWaiting(state);
    const make = (limit, ms, sinceMs) => ({
      limit,
      timeoutMs: ms ?? none,
      leftMs: (ms ?? none) - (nowMs - sinceMs)
    });
    return [
      isQueued ? make("queue", queueTimeoutMs, this.#phaseBeganMs) : make("run", runTimeoutMs, this.#phaseBeganMs),
      make("stall", this.#mayStall() ? this.#options.stallTimeoutMs : none, this.#lifeMs + this.#silenceMs(nowMs)),
      make("total", timeoutMs, this.#beganMs)
    ].reduce((first, other) => other.leftMs < first.leftMs ? other : first);
  }
  /** How long an answer without a whole run may be taken as enough, in ms: log lines move `updated_at`, and not the version that a long poll waits for. */
  get longestWithoutRunMs() {
    return this.#mayStall() ? (this.#options.stallTimeoutMs ?? none) / 4 : none;
  }
  #mayStall() {
    return this.#state !== void 0 && !isWaiting(this.#state) && this.#state !== "BLOCKED";
  }
};

// src/client/following/follow.ts
var eventNames = ["onEvent", "onStatesOnly", "eventsGraceMs"];
var lastLookMs = 2e3;
var sleptMs = 500;
var strangeStatesMax = 20;
var afterLifeMs = 250;
var trustedLookMs = 3e5;
async function* followRun(transport, runId, options) {
  const follower = new Follower(transport, runId, options);
  try {
    for (; ; ) {
      const run = await follower.look();
      if (run !== void 0) {
        if (isFinal(run.state) || run.state === "BLOCKED") await follower.awaitEvents(run);
        yield run;
        if (isFinal(run.state)) return;
      }
      await follower.rest();
    }
  } finally {
    follower.stop();
  }
}
var Follower = class {
  #transport;
  #runId;
  #path;
  #options;
  #signal;
  #patience;
  #limits;
  #strangeStates = /* @__PURE__ */ new Set();
  #run;
  /** For the next conditional long poll; undefined where the server does not offer it. */
  #etag;
  /** When a whole run came last. */
  #wholeMs;
  /** What was left of the time-outs when the last look began. */
  #leftMs = Number.POSITIVE_INFINITY;
  /** How far that look ran past them, how long it was given, and whether the program slept through it: that is no time that the server took. */
  #overranMs = 0;
  #attemptMs = 0;
  #hasSlept = false;
  #looksForLife = false;
  #quietPolls = 0;
  #restMs = 0;
  #failure;
  #watch;
  /** Whether it was said that there are no events. */
  #isStatesOnly = false;
  constructor(transport, runId, options) {
    checkOptions("the options of following", options, ["onRun", ...eventNames, ...limitNames, ...patienceNames]);
    checkSignal(options.signal);
    checkDuration("eventsGraceMs", options.eventsGraceMs);
    this.#transport = transport;
    this.#runId = runId;
    this.#path = fillRoute("readRun", { runId });
    this.#options = options;
    this.#signal = joinable(options.signal);
    this.#patience = new Patience(runId, transport, options);
    this.#limits = new FollowLimits(options, transport.clock.monotonicMs());
    this.#wholeMs = transport.clock.monotonicMs();
  }
  /** Polls once. The run where it has changed; a failure that is borne counts as no change. */
  async look() {
    const { clock } = this.#transport;
    this.#patience.noteAsked();
    const askedMs = clock.monotonicMs();
    let answer;
    try {
      answer = await this.#poll().finally(() => {
        const tookMs = clock.monotonicMs() - askedMs;
        this.#hasSlept = tookMs > this.#attemptMs + sleptMs;
        this.#overranMs = this.#hasSlept ? 0 : Math.max(0, tookMs - Math.max(0, this.#leftMs));
      });
    } catch (error) {
      this.#failure = error;
      this.#restMs = this.#patience.bear(error, this.#shownState());
      this.#limits.noteSilence(askedMs);
      return void 0;
    }
    this.#failure = void 0;
    this.#limits.noteAnswer(clock.monotonicMs());
    this.#patience.noteGoodAnswer();
    const news = answer.status === 304 ? void 0 : await this.#take(answer);
    this.#quietPolls = news === void 0 ? this.#quietPolls + 1 : 0;
    this.#restMs = this.#looksForLife ? afterLifeMs : restMs({
      hasNews: news !== void 0,
      serverWaits: this.#etag !== void 0,
      tookMs: clock.monotonicMs() - askedMs,
      quietPolls: this.#quietPolls
    });
    return news;
  }
  /** Waits until the next poll is due. Throws FollowTimeoutError when a time-out has passed. */
  async rest() {
    const { clock } = this.#transport;
    for (const beganMs = clock.monotonicMs(); ; ) {
      this.#watch?.throwFault();
      const nowMs = clock.monotonicMs();
      const { limit, timeoutMs, leftMs } = this.#limits.nearest(nowMs);
      const isOneDue = this.#leftMs > 0 || this.#hasSlept && this.#failure !== void 0;
      if (leftMs <= 0 && isOneDue && this.#overranMs < lastLookMs) return;
      if (leftMs <= 0) {
        throw new FollowTimeoutError({
          runId: this.#runId,
          limit,
          timeoutMs,
          state: this.#shownState(),
          phase: this.#run === void 0 ? void 0 : isWaiting(this.#run.state) ? "queue" : "run",
          cause: this.#failure
        });
      }
      const trustMs = this.#failure === void 0 ? this.#watch?.trustMs() ?? 0 : 0;
      const dueMs = (trustMs > 0 ? trustedLookMs : this.#restMs) - (nowMs - beganMs);
      const ms = Math.min(dueMs, Math.max(leftMs, 1));
      if (trustMs === 0) {
        await pause(clock, ms, this.#signal);
        return;
      }
      if (dueMs <= 0) return;
      await this.#watch?.race((nap) => pause(clock, Math.max(1, Math.min(ms, trustMs)), signalOf(this.#signal, nap)));
    }
  }
  /** Waits a moment for the events that the run had when it was looked at. */
  async awaitEvents({ state }) {
    const { eventsGraceMs: graceMs = defaults.eventsGraceMs, signal } = this.#options;
    const leftMs = () => this.#limits.nearest(this.#transport.clock.monotonicMs()).leftMs;
    await this.#watch?.catchUp({ graceMs, leftMs, isOver: isFinal(state), signal });
  }
  stop() {
    this.#watch?.stop();
  }
  async #poll() {
    const nowMs = this.#transport.clock.monotonicMs();
    const { leftMs } = this.#limits.nearest(nowMs);
    const withoutRunMs = this.#limits.longestWithoutRunMs - (nowMs - this.#wholeMs);
    this.#leftMs = leftMs;
    this.#looksForLife = this.#etag !== void 0 && (withoutRunMs <= 0 || leftMs <= 0);
    const etag = this.#looksForLife ? void 0 : this.#etag;
    const mayWait = etag !== void 0 && this.#failure === void 0;
    const waitMs = mayWait ? Math.min(longPollSeconds * 1e3, leftMs, withoutRunMs) : 0;
    const waitSeconds = Math.floor(waitMs / 1e3);
    const { timeoutMs } = this.#transport.limits({});
    const attemptMs = Math.min(timeoutMs + waitSeconds * 1e3, Math.max(leftMs, lastLookMs - this.#overranMs));
    this.#attemptMs = attemptMs;
    return await this.#transport.send({
      method: "GET",
      path: this.#path,
      headers: {
        "If-None-Match": etag,
        [headerNames.prefer]: waitSeconds > 0 ? `wait=${waitSeconds}` : void 0
      },
      as: "json",
      isExpected: isRunOf(this.#runId),
      takesNotModified: etag !== void 0,
      isIdempotent: true,
      // One failed poll is borne here, with everything else that goes wrong.
      maxRetries: 0,
      timeoutMs: attemptMs,
      totalTimeoutMs: attemptMs,
      signal: this.#signal
    });
  }
  async #take(answer) {
    const run = answer.data;
    const before = this.#run;
    const nowMs = this.#transport.clock.monotonicMs();
    this.#run = run;
    this.#wholeMs = nowMs;
    this.#limits.noteRun(run, nowMs);
    const features = readFeatures(answer.headers);
    const serverWaits = features.has("wait");
    await this.#readEvents(features);
    this.#watch?.noteRun(run);
    this.#etag = serverWaits ? answer.headers.get("etag") ?? void 0 : void 0;
    this.#warnOfStrangeState(run.state);
    return before === void 0 || printOf(before) !== printOf(run) ? run : void 0;
  }
  /** Begins to, where that is wanted and the server has any. */
  async #readEvents(features) {
    const { onEvent, onStatesOnly } = this.#options;
    if (onEvent === void 0 || this.#watch !== void 0) return;
    if (!features.has("events")) {
      if (!this.#isStatesOnly) await onStatesOnly?.();
      this.#isStatesOnly = true;
      return;
    }
    const { toleranceMs, notFoundGraceMs } = this.#options;
    this.#watch = new EventWatch({
      transport: this.#transport,
      runId: this.#runId,
      patience: { toleranceMs, notFoundGraceMs },
      signal: this.#signal,
      onEvent: (event) => {
        this.#limits.noteEvent(event.seq, this.#transport.clock.monotonicMs());
        return onEvent(event);
      }
    });
  }
  /** As it may stand in a message: a server can say anything. */
  #shownState() {
    const state = this.#run?.state;
    return state === void 0 ? void 0 : plainLine(this.#transport.clean(state.slice(0, 200)));
  }
  #warnOfStrangeState(state) {
    if (this.#strangeStates.size >= strangeStatesMax || this.#strangeStates.has(state)) return;
    if (runStates.some((known) => known === state)) return;
    this.#strangeStates.add(state);
    this.#transport.logger.warn(
      `run ${this.#runId}: unknown state "${this.#shownState()}"; treating the run as still running`
    );
  }
};
function signalOf(signal, nap) {
  return signal === void 0 ? nap : AbortSignal.any([signal, nap]);
}
function printOf(run) {
  const { state, attempt: attempt2, session_link, cancel_requested_at } = run;
  const plain = printPlain([state, attempt2, session_link, cancel_requested_at]);
  try {
    return plain + JSON.stringify([run.status_message, run.result, run.artifacts]);
  } catch {
    return plain;
  }
}

// src/client/following/events.ts
async function* readEvents(transport, runId, options) {
  try {
    yield* new EventReader(transport, runId, options).read();
  } catch (error) {
    if (!(error instanceof FeatureUnavailableError)) throw error;
    transport.logger.info(`run ${runId}: ${error.message}; following only its state`);
    await options.onStatesOnly?.();
    const { after: _after, onStatesOnly: _told, ...following } = options;
    for await (const { state, status_message, updated_at } of followRun(transport, runId, following)) {
      const message = status_message?.message ?? void 0;
      yield { seq: 0, at: updated_at, type: "state", data: { state, ...message === void 0 ? {} : { message } } };
    }
  }
}

// src/client/http/page.ts
var RunsPage = class _RunsPage {
  runs;
  /** As received. */
  page_info;
  #nextCursor;
  #ask;
  /** The cursors that all pages of the list have followed, each with the number of its page: a server that repeats one makes no endless list. */
  #followed;
  #number;
  constructor(page, ask, followed = /* @__PURE__ */ new Map(), number = 0) {
    this.runs = page.runs;
    this.page_info = page.page_info;
    this.#ask = ask;
    this.#followed = followed;
    this.#number = number;
    this.#nextCursor = page.page_info?.has_next_page === true ? page.page_info.next_cursor || void 0 : void 0;
  }
  /** False on an empty page, and if the cursor is missing or was already followed, whatever the server says. */
  hasNextPage() {
    const cursor = this.#nextCursor;
    if (this.runs.length === 0 || cursor === void 0) return false;
    return (this.#followed.get(cursor) ?? this.#number) >= this.#number;
  }
  /** Throws AgentRunsError on the last page. */
  async getNextPage() {
    const cursor = this.#nextCursor;
    if (cursor === void 0 || !this.hasNextPage())
      throw new AgentRunsError("there is no next page; check hasNextPage() first");
    const answer = await this.#ask(cursor);
    this.#followed.set(cursor, this.#number);
    return new _RunsPage(answer.data, this.#ask, this.#followed, this.#number + 1);
  }
  /** This page and all after it. */
  async *iterPages() {
    let page = this;
    yield page;
    while (page.hasNextPage()) {
      page = await page.getNextPage();
      yield page;
    }
  }
  async *[Symbol.asyncIterator]() {
    for await (const page of this.iterPages()) yield* page.runs;
  }
};
var RunList = class extends ApiPromise {
  constructor(first, ask) {
    super(first, (answer) => new RunsPage(answer.data, ask));
  }
  async *[Symbol.asyncIterator]() {
    yield* await this;
  }
};

// src/client/start/search.ts
var dateMarginMs = 2e3;
var doubtMs = 6e4;
var pageLimit = 100;
var pagesMax = 10;
async function findStartedRun(transport, search) {
  const serverNow = Date.parse(search.serverDate ?? "");
  if (Number.isNaN(serverNow)) return void 0;
  const beganAfter = serverNow - search.elapsedMs - dateMarginMs;
  const doubtAfter = beganAfter - doubtMs;
  const filter = {
    name: search.body.config?.name,
    created_after: new Date(doubtAfter).toISOString(),
    sort_by: "created_at",
    sort_order: "desc",
    limit: pageLimit
  };
  const ask = (cursor) => transport.send({
    ...search.options(),
    method: "GET",
    path: routePath("listRuns"),
    query: { ...filter, cursor },
    as: "json",
    isExpected: isRunPage,
    isIdempotent: true
  });
  const isLate = (time) => Date.parse(time) >= doubtAfter;
  const found = [];
  let page = new RunsPage((await ask()).data, ask);
  for (let pages = 1; ; pages += 1) {
    found.push(...page.runs.filter((run2) => isLate(run2.created_at) && fits(run2, search.body) && !search.isTaken(run2)));
    const last = page.runs.at(-1);
    const isOver = last !== void 0 && !isLate(last.created_at) && !isLate(last.updated_at);
    if (found.length > 1 || isOver || !page.hasNextPage()) break;
    if (pages === pagesMax) return void 0;
    page = await page.getNextPage();
  }
  const [run] = found;
  return found.length === 1 && run !== void 0 && Date.parse(run.created_at) >= beganAfter ? run : void 0;
}
function fits(run, body) {
  const { config } = body;
  const skill = body.skill ?? config?.skill_spec ?? config?.skills?.[0];
  const same = [
    [body.prompt, run.prompt],
    [skill, run.agent_config?.skill_spec],
    [body.title, run.title],
    [config?.name, run.agent_config?.name],
    [config?.model_id, run.agent_config?.model_id]
  ];
  if (!same.every(([asked, kept]) => asked === void 0 || kept === void 0 || asked === kept)) return false;
  if (run.trigger_url != null && run.trigger_url !== body.trigger_url) return false;
  const metadata = body.metadata ?? {};
  return run.metadata == null || Object.keys(run.metadata).length === Object.keys(metadata).length && Object.entries(metadata).every(([key, value]) => run.metadata?.[key] === value);
}

// src/client/start/start.ts
async function startRun(transport, body, options) {
  checkOptions("the options of a create", options, ["idempotencyKey", "source", ...requestNames]);
  if (!isObject(body)) throw new ConfigurationError("the body of a create must be an object");
  const { idempotencyKey = crypto.randomUUID(), source, ...given } = options;
  const kept = keepOptions(given);
  throwIfAborted(kept.signal);
  const began = transport.clock.monotonicMs();
  const prepared = transport.prepare({
    ...kept,
    method: "POST",
    path: routePath("createRun"),
    body,
    headers: {
      ...Object.fromEntries(entriesOf(kept.headers)),
      ...source === void 0 ? {} : { [headerNames.source]: source }
    },
    idempotencyKey,
    as: "json",
    isExpected: isRun,
    isIdempotent: false
  });
  const create2 = { ...prepared, call: { ...prepared.call, isIdempotent: false } };
  const elapsedMs = () => transport.clock.monotonicMs() - began;
  const start = { transport, idempotencyKey, options: kept, create: create2, elapsedMs };
  unsettled.add(start);
  try {
    const answer = await carryOutStart(start);
    noteTaken(transport, answer.data);
    return answer;
  } catch (error) {
    if (error instanceof AbortedError && create2.hasLeft) throw new AbortedError(error.cause, idempotencyKey);
    throw error;
  } finally {
    unsettled.delete(start);
  }
}
async function carryOutStart(start) {
  try {
    return await start.transport.carryOut(start.create);
  } catch (failure) {
    if ((start.create.hasLeft || failure instanceof ApiError) && isOpen2(failure))
      return await settleStart(start, failure);
    if (!isInTheWay(failure)) throw failure;
    try {
      return await passThePage(start, failure);
    } catch (later) {
      if (isOpen2(later)) return await settleStart(start, later);
      throw later;
    }
  }
}
function isOpen2(failure) {
  const isOfAnother = failure instanceof ApiError && !isWordOfService(failure) && !isInTheWay(failure);
  return mayBeDone(failure) || isOfAnother && judgeFailure(failure) === "final";
}
function isInTheWay(failure) {
  return isWordOfAnother(failure) && judgeFailure(failure) === "final" && !notThere.has(failure.status);
}
async function passThePage(start, page) {
  if (!hasTimeAfter(start, page)) throw page;
  let asked;
  try {
    asked = await askServer(start, page);
  } catch (error) {
    const isRefused2 = error instanceof AuthenticationError || error instanceof PermissionDeniedError;
    throw error instanceof AbortedError || isRefused2 && isWordOfService(error) ? error : page;
  }
  if (!readFeatures(asked.headers).has("idempotency")) throw page;
  return await repeatCreate(start);
}
function hasTimeAfter({ transport, options, elapsedMs }, failure) {
  const { totalTimeoutMs, maxRetries: maxRetries2 } = transport.limits(options);
  return maxRetries2 > 0 && elapsedMs() + retryDelayMs(failure, 0, transport.clock.now()) < totalTimeoutMs;
}
function remainingOf({ transport, options, elapsedMs }) {
  return { totalTimeoutMs: Math.max(1, transport.limits(options).totalTimeoutMs - elapsedMs()) };
}
async function askServer(start, failure) {
  const { transport, options } = start;
  transport.logger.info(`${headlineOf(failure)}; checking with the server before retrying`);
  transport.noteRetry(options, failure);
  await pause(transport.clock, retryDelayMs(failure, 0, transport.clock.now()), options.signal);
  return await transport.send({
    ...options,
    ...remainingOf(start),
    method: "GET",
    path: routePath("listRuns"),
    query: { limit: 1 },
    as: "json",
    isExpected: isRunPage,
    isIdempotent: true,
    // Where one answer was not the service's, the next one tells: a wrong address answers everything so.
    bearsPages: mayBeDone(failure) || isInTheWay(failure)
  });
}
async function repeatCreate(start) {
  const { transport, create: create2 } = start;
  return await transport.carryOut({
    ...create2,
    ...remainingOf(start),
    call: { ...create2.call, isIdempotent: true, bearsPages: true }
  });
}
async function settleStart(start, failure) {
  const { transport, idempotencyKey, options } = start;
  const unknown = (afterwards2) => new StartUnknownError({ idempotencyKey, cause: failure, afterwards: afterwards2 });
  if (!hasTimeAfter(start, failure)) throw unknown();
  let asked;
  let afterwards = "no run in the list could be identified as this one";
  try {
    asked = await askServer(start, failure);
    const askedMs = start.elapsedMs();
    const isForbidden = failure instanceof ApiError && (mayBeDone(failure) ? judgeFailure(failure) === "final" : failure.headers.get(headerNames.shouldRetry) === "false");
    if (readFeatures(asked.headers).has("idempotency") && !isForbidden) {
      start.create.pinnedKey ??= start.create.key;
      try {
        return await repeatCreate(start);
      } catch (error) {
        if (!(error instanceof AuthenticationError)) throw error;
        afterwards = messageOf(error);
      }
    }
    const run = await findStartedRun(transport, {
      body: bodyOf(start),
      serverDate: asked.headers.get("date"),
      elapsedMs: askedMs,
      options: () => ({ ...options, ...remainingOf(start) }),
      isTaken: (run2) => isTaken(start, run2)
    });
    if (run !== void 0) return replaceData(asked, createAnswer(run));
  } catch (error) {
    if (error instanceof AbortedError || refusesBody(error)) throw error;
    if (asked === void 0 && isForeign(failure) && isForeign(error)) throw failure;
    throw unknown(messageOf(error));
  }
  throw unknown(afterwards);
}
var unsettled = /* @__PURE__ */ new Set();
var taken = /* @__PURE__ */ new Set();
var takenMax = 1e3;
function isTaken(start, run) {
  const name = nameOf(start.transport, run);
  return taken.has(name) || [...unsettled].some((other) => other !== start && nameOf(other.transport, run) === name && fits(run, bodyOf(other)));
}
function bodyOf({ create: create2 }) {
  const body = JSON.parse(create2.body ?? "{}");
  return isObject(body) ? body : {};
}
function noteTaken(transport, run) {
  taken.add(nameOf(transport, run));
  for (const oldest of taken) {
    if (taken.size <= takenMax) break;
    taken.delete(oldest);
  }
}
function nameOf(transport, run) {
  return `${transport.host} ${run.run_id}`;
}
function isForeign(error) {
  if (error instanceof ApiError)
    return !isWordOfService(error) && (notThere.has(error.status) || [401, 403].includes(error.status));
  return error instanceof UnexpectedResponseError && !error.cut && !error.excerpt.includes('"run_id"');
}
function refusesBody(error) {
  const isOfCreate = error instanceof ApiError && error.method === "POST";
  return isOfCreate && [400, 413, 415, 422].includes(error.status) && isOfThisService(error);
}
function createAnswer({ run_id, state, session_link }) {
  return { run_id, task_id: run_id, state, ...typeof session_link === "string" ? { session_link } : {} };
}

// src/client/runs.ts
var Runs = class {
  #transport;
  constructor(transport) {
    this.#transport = transport;
  }
  /**
   * Starts a run exactly once, even if responses get lost. Throws StartUnknownError, with the idempotency key, if a run may have been started
   * but cannot be found.
   */
  create(body, options = {}) {
    return new ApiPromise(startRun(this.#transport, body, options), (answer) => answer.data);
  }
  /** The run as it is now. */
  retrieve(runId, options = {}) {
    const answer = this.#send("readRun", { runId }, { isExpected: isRunOf(runId) }, options);
    return new ApiPromise(answer, ({ data }) => data);
  }
  /** One page when awaited, every run when iterated. Later pages repeat the filters. */
  list(params = {}, options = {}) {
    let kept;
    const ask = async (cursor) => {
      checkNames("the parameters of a list", params, listNames, "; pass one of a newer server in the option `query`");
      const empty = Object.entries(params).find(
        ([, value]) => Array.isArray(value) && value.every((one) => one === void 0)
      );
      if (empty !== void 0)
        throw new ConfigurationError(
          `the parameters of a list: ${empty[0]} is an empty list, which matches no run; use undefined to leave it out`
        );
      kept ??= [keepValues(params), keepOptions(options)];
      const [filters, own] = kept;
      const query = cursor === void 0 ? filters : { ...filters, cursor };
      return await this.#send("listRuns", {}, { isExpected: isRunPage, query }, own);
    };
    return new RunList(ask(), ask);
  }
  /** Asks the server to cancel the run; returns its id. Throws BadRequestError if the run has ended. */
  cancel(runId, options = {}) {
    return new ApiPromise(this.#cancel(runId, options), ({ data }) => data);
  }
  /**
   * Sends a message to a BLOCKED run, which then continues. Retried after a lost response only with an `idempotencyKey`. Throws
   * BadRequestError if the run has ended.
   */
  followup(runId, body, options = {}) {
    const answer = this.#send("sendFollowup", { runId }, { isExpected: isObject, body }, options, ["idempotencyKey"]);
    return new ApiPromise(answer, ({ data }) => data);
  }
  /** Extends the run's lease to `leaseSeconds` from now. Throws FeatureUnavailableError on a server without leases. */
  renewLease(runId, leaseSeconds, options = {}) {
    const body = { lease_seconds: leaseSeconds };
    const answer = this.#send("renewLease", { runId }, { isExpected: isLease, body }, options);
    return new ApiPromise(explained(answer, "lease"), ({ data }) => data);
  }
  /**
   * Removes the run's lease, so that it continues even if nobody follows it. Throws BadRequestError if the run has ended or is being canceled, and
   * FeatureUnavailableError on a server without leases.
   */
  releaseLease(runId, options = {}) {
    const answer = this.#send("releaseLease", { runId }, { isExpected: isObject }, options);
    return new ApiPromise(explained(answer, "lease"), () => void 0);
  }
  /**
   * The full text of the result, as far as the server keeps it; the run's `left_out_bytes` says how much it dropped. If the server offers results only
   * on the run, the run is read instead. Throws NotFoundError with the code `no_result` if the run has no result, and FeatureUnavailableError if the server
   * offers no full results and the run has only part of one, or none.
   */
  result(runId, options = {}) {
    return new ApiPromise(this.#result(runId, options), ({ data }) => data);
  }
  /**
   * Every event after `after`, once and in order, until the run ends. Broken connections are reopened. Throws what `follow` throws
   * except FollowTimeoutError; use the signal to stop.
   */
  events(runId, options = {}) {
    return readEvents(this.#transport, runId, copyOf(options));
  }
  /**
   * The run now and after every change, up to its final state. A change of times alone does not count. `onEvent` receives the events meanwhile.
   * Throws FollowTimeoutError, RunLostError, ConnectionError if no good response came for `toleranceMs`, and any error that a retry cannot fix.
   */
  follow(runId, options = {}) {
    return followRun(this.#transport, runId, copyOf(options));
  }
  /** Waits for the run to end and returns it, in whatever final state. Throws what `follow` throws. */
  async wait(runId, options = {}) {
    const onRun = options?.onRun;
    for await (const run of this.follow(runId, options)) {
      await onRun?.(run);
      if (isFinal(run.state)) return run;
    }
    throw new AgentRunsError(`run ${runId}: following ended before the run did`);
  }
  async #result(runId, given) {
    const options = keepOptions(given);
    try {
      return await explained(this.#send("readResult", { runId }, { as: "text" }, options), "result");
    } catch (error) {
      if (!(error instanceof FeatureUnavailableError)) throw error;
      const answer = await this.#send("readRun", { runId }, { isExpected: isRunOf(runId) }, options);
      const { result } = answer.data;
      const hasText = typeof result?.text === "string";
      if (hasText && !result.truncated) return replaceData(answer, result.text);
      if (readFeatures(answer.headers).has("result")) throw error.cause;
      throw new FeatureUnavailableError(
        "result",
        error,
        `, and the run itself has ${hasText ? "only the first part of it" : "no result"}`
      );
    }
  }
  async #cancel(runId, given) {
    checkOptions("the options of a cancel", given, ["reason", ...requestNames]);
    const { reason, ...options } = keepOptions(given);
    let isRepeated = false;
    const onRetry = (failure) => {
      isRepeated = true;
      this.#transport.noteRetry(options, failure);
    };
    try {
      const body = reason === void 0 ? void 0 : { reason };
      const call = { isExpected: isIdOf(runId), isIdempotent: true, onRetry, body };
      return await this.#send("cancelRun", { runId }, call, options);
    } catch (error) {
      if (!isRepeated || !(error instanceof BadRequestError)) throw error;
      const answer = await this.#send("readRun", { runId }, { isExpected: isRunOf(runId) }, options);
      if (answer.data.state !== "CANCELLED") throw error;
      return replaceData(answer, runId);
    }
  }
  async #send(id, parts, call, options, more = []) {
    checkOptions("the options of a call", options, [...more, ...requestNames]);
    const { method } = routes[id];
    const path = fillRoute(id, parts);
    return await this.#transport.send({
      ...options,
      method,
      path,
      as: "json",
      isIdempotent: isIdempotent(method),
      ...call,
      query: { ...options.query, ...call.query }
    });
  }
};
var listNames = [
  "state",
  "name",
  "config_name",
  "model_id",
  "creator",
  "executor",
  "source",
  "execution_location",
  "skill_spec",
  "skill",
  "environment_id",
  "q",
  "metadata",
  "created_after",
  "created_before",
  "updated_after",
  "artifact_type",
  "schedule_id",
  "ancestor_run_id",
  "automation_id",
  "factory_uid",
  "limit",
  "cursor",
  "sort_by",
  "sort_order"
];
function copyOf(options) {
  return isPlain(options) ? { ...options } : options;
}
async function explained(answer, feature) {
  try {
    return await answer;
  } catch (error) {
    throw explainMissing(error, feature);
  }
}

// src/client/client.ts
var AgentRuns = class _AgentRuns {
  /** Address of the service, with its prefix and without a slash at the end. */
  baseUrl;
  /** A sentence that says that the prefix was added; undefined if the given address had it. */
  baseUrlNote;
  runs;
  agent;
  #options;
  #transport;
  /** Throws ConfigurationError, which names the option or variable that is missing or wrong. */
  constructor(options = {}) {
    const settings = resolveOptions(options);
    this.baseUrl = settings.baseUrl;
    this.baseUrlNote = settings.baseUrlNote;
    this.#options = { ...options, baseUrl: settings.baseUrl, apiKey: settings.keys };
    this.#transport = new Transport(settings);
    this.runs = new Runs(this.#transport);
    this.agent = new Agent(this.#transport);
    if (settings.baseUrlNote !== void 0) settings.logger.debug(settings.baseUrlNote);
  }
  /** A copy with other options; a different `baseUrl` needs its own `apiKey`. Throws ConfigurationError. */
  withOptions(options = {}) {
    checkOptions("the options of a client", options, clientNames);
    const given = Object.fromEntries(
      Object.entries(options).filter(([, value]) => value !== void 0)
    );
    const copy2 = new _AgentRuns({ ...this.#options, ...given });
    if (copy2.baseUrl !== this.baseUrl && given.apiKey === void 0)
      throw new ConfigurationError("a copy with another baseUrl also needs an apiKey for that service");
    return copy2;
  }
  /**
   * Sends any request, with the same retries, time limits and errors. A response without a body gives undefined. A POST or PATCH
   * is retried only if it was certainly not carried out, or with an `idempotencyKey`.
   */
  request(method, path, options = {}) {
    return new ApiPromise(this.#request(method, path, options), ({ data, unread }) => {
      if (unread !== void 0) throw unread;
      return data;
    });
  }
  /** `request` with GET. */
  get(path, options) {
    return this.request("GET", path, options);
  }
  /** `request` with POST. */
  post(path, options) {
    return this.request("POST", path, options);
  }
  /** `request` with PUT. */
  put(path, options) {
    return this.request("PUT", path, options);
  }
  /** `request` with PATCH. */
  patch(path, options) {
    return this.request("PATCH", path, options);
  }
  /** `request` with DELETE. */
  delete(path, options) {
    return this.request("DELETE", path, options);
  }
  async #request(method, path, options) {
    checkOptions("the options of a request", options, ["body", "as", "idempotencyKey", ...requestNames]);
    const as = ways[options.as ?? "json"];
    if (as === void 0) throw new ConfigurationError(`as must be one of ${Object.keys(ways).join(", ")}`);
    const call = { ...options, method, path, as, isIdempotent: isIdempotent(method) };
    const answer = await this.#transport.send(call);
    if (method === "POST" && path.split("?", 1)[0] === routePath("createRun") && isRun(answer.data))
      noteTaken(this.#transport, answer.data);
    return answer;
  }
};
var ways = {
  json: "any-json",
  text: "any-text",
  bytes: "bytes"
};

// src/base/tool-text.ts
var toolUnits = 4e3;
var titlePoints = 120;
var contextLines = 2;
var mcpMark = "mcp__";
var mainArguments = ["command", "pattern", "query", "url", "file_path", "filePath", "notebook_path", "path"];
var editedTexts = [
  ["old_text", "new_text"],
  ["old_string", "new_string"],
  ["oldString", "newString"]
];
function describeCall(name, input) {
  const shownName = showName(name);
  const [key, main] = name.startsWith(mcpMark) ? [void 0, void 0] : findMain(input);
  const said = main ?? (typeof input === "string" ? input : compact(input));
  const [first = "", ...more] = said.trim().split("\n");
  const line = more.length === 0 ? first.trim() : `${first.trim()} …`;
  const all = line === "" || line === "{}" ? shownName : `${shownName}  ${line}`;
  const title = ellipsis(all, titlePoints);
  const isWhole = title === all && more.length === 0;
  const label = ellipsis(key === "command" ? line : all.replace("  ", " "), titlePoints / 2);
  const lines = { title: plainLine(title), label: plainLine(label) };
  if (isObject(input)) return { ...lines, text: isWhole && key === void 0 ? "" : tellInput(input, key, isWhole) };
  return { ...lines, text: isWhole ? "" : said };
}
function showName(name) {
  if (name === "MultiEdit") return "edit";
  const end2 = name.startsWith(mcpMark) ? name.indexOf("__", mcpMark.length + 1) : -1;
  const shown = end2 < 0 || end2 + 2 === name.length ? name || "tool" : `${name.slice(5, end2)}.${name.slice(end2 + 2)}`;
  return /^[\w./-]+$/.test(shown) ? shown : JSON.stringify(shown);
}
function textOfValue(value) {
  if (typeof value === "string") return value;
  if (!isObject(value)) return value === void 0 || value === null ? "" : compact(value);
  return Object.entries(value).map(tellMember).join("\n");
}
function describeCallEnd({
  is_error: isError2,
  exit_code: exitCode,
  output
}, tookMs) {
  const time = tookMs !== void 0 && tookMs >= 1e3 ? ` after ${describeSpan(tookMs)}` : "";
  if (exitCode === 0 && isError2 === true) return `failed (exit code 0)${time}`;
  if (typeof exitCode === "number") return `exit code ${exitCode}${time}`;
  const [reason = ""] = textOfValue(output).trim().split("\n", 1);
  if (isError2 === true) return `failed${time}${reason === "" ? "" : `: ${plainLine(ellipsis(reason, titlePoints))}`}`;
  return time === "" ? void 0 : `done${time}`;
}
function describeSpan(ms) {
  if (ms >= 59500) return `${Math.round(ms / 6e4)} min`;
  return ms >= 9950 ? `${Math.round(ms / 1e3)} s` : `${Math.max(0.1, Math.round(ms / 100) / 10)} s`;
}
function findMain(input) {
  if (!isObject(input)) return [void 0, void 0];
  const key = mainArguments.find((name) => typeof input[name] === "string" && input[name] !== "");
  if (key !== void 0) return [key, key === "command" ? unwrapShell(String(input[key])) : String(input[key])];
  const paths = changesOf(input).map(({ path }) => String(path));
  return paths.length === 0 ? [void 0, void 0] : ["changes", paths.join(", ")];
}
function changesOf({ changes }) {
  return Array.isArray(changes) ? changes.filter(isObject).filter(({ path }) => typeof path === "string") : [];
}
function unwrapShell(command) {
  const [, single, double] = /^(?:\/\S+\/)?(?:ba|z)?sh -l?c (?:'([^']+)'|"([^"\\$`]+)")$/.exec(command) ?? [];
  return single ?? double ?? command;
}
function tellInput(input, mainKey, isWhole) {
  const lines = [];
  const pair = findEdit(input);
  for (const [key, value] of Object.entries(input)) {
    if (pair?.includes(key)) {
      if (pair[0] === key) lines.push(printDiff(String(input[pair[0]]), String(input[pair[1]])));
    } else if (key === "changes" && mainKey === key)
      for (const { path, kind } of changesOf(input)) lines.push(`${isText2(kind) ? kind : "change"} ${path}`);
    else if (key === "edits" && Array.isArray(value) && value.every(isEdit))
      for (const edit of value) lines.push(tellInput(edit, void 0, false));
    else if (key === "command" && isText2(value))
      lines.push(...isWhole ? [] : [`$ ${unwrapShell(value).replaceAll("\n", "\n  ")}`]);
    else if (key !== mainKey || !isWhole) lines.push(tellMember([key, value]));
  }
  return lines.join("\n");
}
function findEdit(input) {
  return editedTexts.find((names2) => names2.every((name) => isText2(input[name])));
}
function isEdit(value) {
  return isObject(value) && findEdit(value) !== void 0;
}
function tellMember([key, value]) {
  const text = isText2(value) ? value.replace(/\n$/, "") : compact(value);
  return text.includes("\n") ? `${key}:
${text.replaceAll(/^/gm, "  ")}` : `${key}: ${text}`;
}
function printDiff(from, to) {
  const [before, after] = [from.split("\n"), to.split("\n")];
  const shared = Math.min(before.length, after.length);
  let head = 0;
  while (head < shared && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shared - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const end2 = before.length - tail;
  return [
    ...before.slice(Math.max(0, head - contextLines), head).map((line) => `  ${line}`),
    ...before.slice(head, end2).map((line) => `- ${line}`),
    ...after.slice(head, after.length - tail).map((line) => `+ ${line}`),
    ...before.slice(end2, end2 + contextLines).map((line) => `  ${line}`)
  ].join("\n");
}
function compact(value) {
  return JSON.stringify(value) ?? "";
}
function isText2(value) {
  return typeof value === "string";
}

// src/base/open-calls.ts
var callsMax = 200;
var OpenCalls = class {
  #calls = /* @__PURE__ */ new Map();
  begin(id, name, { input, atMs }) {
    const call = { id, name, sinceMs: atMs, ...describeCall(name, input) };
    this.#calls.set(id, call);
    const [oldest] = this.#calls.keys();
    if (this.#calls.size > callsMax && oldest !== void 0) this.#calls.delete(oldest);
    return call;
  }
  /** Once for each call. */
  end(id) {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    return call;
  }
  /** `, 28 of them in \`npm test\``: the call that has taken the most of a time, for the end of a clause that names it; '' where none is at work. */
  describeOldest(nowMs, allMs) {
    const [oldest] = this.#calls.values();
    if (oldest === void 0) return "";
    const tookMs = Math.min(allMs, nowMs - oldest.sinceMs);
    if (!Number.isFinite(tookMs)) return "";
    const [count, unit] = describeSpan(tookMs).split(" ");
    const isSame = describeSpan(allMs).endsWith(` ${unit}`);
    return `, ${isSame ? `${count} of them` : `${count} ${unit} of it`} in \`${oldest.label}\``;
  }
};

// src/client/following/event-lines.ts
var longestLineCharacters = 64 * 1024;
var EventLines = class {
  #unfinished = /* @__PURE__ */ new Map();
  #calls = new OpenCalls();
  /** The id of the call that was shown last, with nothing after it. */
  #lastCall;
  read(event) {
    const lastCall = this.#lastCall;
    if (event.type !== "usage") this.#lastCall = void 0;
    switch (event.type) {
      case "log":
        if (event.data.stream === "system") return quote(event.data.text);
        return this.#readLog(event.data.stream, event.data.text);
      case "state":
        return [...this.finish(), { text: `state: ${event.data.state}`, isQuoted: false }];
      case "message":
        return [{ text: `${event.data.role}:`, isQuoted: false }, ...quote(event.data.text)];
      case "tool_call":
        return this.#readCall(event.data, Date.parse(event.at));
      case "tool_result":
        return this.#readResult(event.data, { lastCall, atMs: Date.parse(event.at) });
      default:
        return [];
    }
  }
  /** Returns unfinished lines when no more events will come. */
  finish() {
    const left = [...this.#unfinished.values()];
    this.#unfinished.clear();
    return left.flatMap(quote);
  }
  #readCall({ id, name, input }, atMs) {
    const call = this.#calls.begin(textOfValue(id), textOfValue(name), { input, atMs });
    this.#lastCall = call.id;
    return [{ text: call.title, isQuoted: false }, ...quoteTool(headOf(call.text))];
  }
  #readResult(data, { lastCall, atMs }) {
    const call = this.#calls.end(textOfValue(data.id));
    const lines = quoteTool(tailOf(textOfValue(data.output)));
    const end2 = describeCallEnd({ ...data, output: void 0 }, call && atMs - call.sinceMs);
    if (end2 !== void 0) lines.push({ text: end2, isQuoted: false });
    if (lines.length === 0 || lastCall === textOfValue(data.id)) return lines;
    return [{ text: `${call?.title ?? "tool"} (result)`, isQuoted: false }, ...lines];
  }
  #readLog(stream, text) {
    const all = (this.#unfinished.get(stream) ?? "") + text;
    const end2 = all.length > longestLineCharacters ? all.length : all.lastIndexOf("\n") + 1;
    const rest = all.slice(end2);
    if (rest === "") this.#unfinished.delete(stream);
    else this.#unfinished.set(stream, rest);
    return end2 === 0 ? [] : quote(all.slice(0, end2));
  }
};
function headOf(text) {
  return text.length <= toolUnits ? text : `${text.slice(0, toolUnits).replace(/[\ud800-\udbff]$/, "")}…`;
}
function tailOf(text) {
  const left = text.length - toolUnits;
  return left <= 0 ? text : `(the first ${left} characters are left out)
${text.slice(left).replace(/^[\udc00-\udfff]/, "")}`;
}
function quoteTool(text) {
  return text === "" ? [] : quote(text);
}
function quote(text) {
  return drawnText(text).replace(/\n$/, "").split("\n").map((line) => ({ text: line, isQuoted: true }));
}

// src/base/visible-text.ts
function isVisible(text) {
  const drawn = withoutEscapes(text);
  for (let at = 0; ; ) {
    visible2.lastIndex = at;
    const next = visible2.exec(drawn)?.index;
    if (next === void 0) return false;
    const end2 = skipComment(drawn, next) ?? skipHidden(drawn, next) ?? skipEntity(drawn, next) ?? skipLink(drawn, next) ?? skipMarkup(drawn, next);
    if (end2 === void 0) return true;
    at = end2;
  }
}
var visible2 = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}\u{16fe4}]/gu;
var emptyFence = /(`{3,}(?!`)|~{3,}(?!~))[ \t]*(?:[\w+-]+[ \t]*)?\n\s*\1[`~]*[ \t]*(?:\n|$)/y;
var emptyTag = /<\/?(?:a|b|big|br|center|cite|code|del|div|em|font|i|ins|kbd|p|pre|s|small|span|strike|strong|sub|sup|tt|u|wbr)(?=[\s/>])[^<>]*>/iy;
var hiddenTag = /<(script|style)(?=[\s>])[^<>]*>/iy;
var hiddenEnds = { script: /<\/script\s{0,200}>/gi, style: /<\/style\s{0,200}>/gi };
var entity = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(?:nbsp|NonBreakingSpace|ensp|emsp|emsp13|emsp14|thinsp|hairsp|numsp|puncsp|MediumSpace|NoBreak|ZeroWidthSpace|Tab|NewLine|shy|zwj|zwnj|lrm|rlm));/iy;
var link = /(?:!\[([^[\]]{0,200})\]\(\s{0,200}\)|\[([^[\]]{0,200})\]\([^()\n]{0,2000}\))/y;
function skipComment(text, at) {
  if (!text.startsWith("<!--", at)) return void 0;
  const end2 = text.indexOf("-->", at + "<!".length);
  return end2 === -1 ? text.length : end2 + "-->".length;
}
function skipHidden(text, at) {
  const found = matchAt(hiddenTag, text, at);
  if (found === void 0) return void 0;
  const end2 = matchAt(hiddenEnds[found[1]?.toLowerCase() === "style" ? "style" : "script"], text, at + found[0].length);
  return end2 && end2.index + end2[0].length;
}
function skipEntity(text, at) {
  const found = matchAt(entity, text, at);
  if (found === void 0) return void 0;
  const [all, decimal, hexadecimal] = found;
  const point = decimal === void 0 ? Number.parseInt(hexadecimal ?? "20", 16) : Number(decimal);
  return point > 1114111 || isVisible(String.fromCodePoint(point)) ? void 0 : at + all.length;
}
function skipLink(text, at) {
  const found = matchAt(link, text, at);
  return found === void 0 || isVisible(found[1] ?? found[2] ?? "") ? void 0 : at + found[0].length;
}
function skipMarkup(text, at) {
  const found = matchAt(emptyTag, text, at) ?? matchAt(emptyFence, text, at);
  return found && at + found[0].length;
}
function matchAt(form, text, at) {
  form.lastIndex = at;
  return form.exec(text) ?? void 0;
}

// src/action/verdict/verdict.ts
var conclusions = [
  "succeeded",
  "failed",
  "cancelled",
  "timed_out",
  "blocked",
  "lost",
  "start_failed",
  "skipped",
  "started"
];
var badConclusions = new Set(
  conclusions.filter((word) => !["succeeded", "skipped", "started"].includes(word))
);
var ofFinalState = /* @__PURE__ */ new Map([
  ["SUCCEEDED", "succeeded"],
  ["FAILED", "failed"],
  ["ERROR", "failed"],
  ["CANCELLED", "cancelled"]
]);
var ofHappening = {
  ended: "lost",
  started: "started",
  blocked: "blocked",
  step_cancelled: "cancelled",
  timed_out: "timed_out",
  cancel_asked: "lost",
  lost: "lost",
  not_started: "start_failed",
  skipped: "skipped"
};
function decide(happening, run, { requiresResult }) {
  const own = run === void 0 ? void 0 : ofFinalState.get(run.state);
  const { kind } = happening;
  if (run === void 0 || own === void 0 || kind === "started" || own === "cancelled" && kind !== "ended")
    return decideByHappening(happening, run, own);
  const isWanted = kind === "cancel_asked";
  if (own === "cancelled")
    return { conclusion: own, phase: phaseOf(run), sentence: explainEnd(run, "The run was canceled"), isWanted };
  if (own === "failed") {
    const opening = run.state === "ERROR" ? "The run ended with an error" : "The run failed";
    return { conclusion: own, phase: phaseOf(run), sentence: explainEnd(run, opening), isWanted };
  }
  if (requiresResult && isResultEmpty(run) && !isWanted)
    return {
      conclusion: "failed",
      phase: "result",
      sentence: "The run succeeded without a result, and `require_result` is set",
      isWanted
    };
  return { conclusion: own, phase: void 0, sentence: void 0, isWanted };
}
function decideByHappening(happening, run, own) {
  const conclusion = ofHappening[happening.kind];
  const isCancelled = own === "cancelled";
  switch (happening.kind) {
    case "started":
      return { conclusion, phase: void 0, sentence: void 0, isWanted: true };
    case "blocked":
      return {
        conclusion,
        phase: "run",
        sentence: explainEnd(
          run,
          `The run is blocked: the agent asked a question. Answer it with \`npx agent-run followup ${run?.run_id ?? "RUN_ID"} MESSAGE\`. The question`,
          " is on the page of the run"
        ),
        isWanted: happening.isWanted
      };
    case "step_cancelled":
      return {
        conclusion,
        phase: "step",
        sentence: `The step was canceled. ${isCancelled ? "The run was canceled, too" : happening.stopping}`,
        isWanted: false
      };
    case "timed_out":
      return {
        conclusion,
        phase: happening.phase,
        sentence: `${happening.why}. ${isCancelled ? "The run was canceled" : happening.stopping}`,
        isWanted: false
      };
    case "cancel_asked":
      return isCancelled ? { conclusion: "cancelled", phase: void 0, sentence: void 0, isWanted: true } : {
        conclusion,
        phase: "follow",
        sentence: happening.problem ?? "The run was told to stop, but it did not end in time",
        isWanted: false
      };
    case "ended":
      return {
        conclusion,
        phase: "follow",
        sentence: "The step stopped following the run before its end",
        isWanted: false
      };
    case "lost":
      return { conclusion, phase: "follow", sentence: happening.why, isWanted: false };
    default:
      return { conclusion, phase: happening.phase, sentence: happening.why, isWanted: false };
  }
}
function isRed(verdict, failOn) {
  return !verdict.isWanted && failOn.has(verdict.conclusion);
}
function isResultEmpty({ result }) {
  return !isVisible(result?.text ?? "") && result?.truncated !== true && result?.structured === void 0;
}
var setupCodes = /* @__PURE__ */ new Set([
  "environment_setup_failed",
  "resource_not_found",
  "operation_not_supported"
]);
function readCode2({ status_message: status }) {
  return status?.reason ?? status?.error_code;
}
function phaseOf(run) {
  const code = readCode2(run) ?? "";
  if (code === "authentication_required") return "setup";
  if (run.state === "ERROR") return "service";
  if (code === "no_result" || code === "result_invalid") return "result";
  if (setupCodes.has(code)) return "setup";
  return run.started_at === null ? "queue" : "run";
}
function explainEnd(run, opening, silence = ", and the server gave no reason") {
  const reason = run?.status_message?.message;
  const code = run && readCode2(run);
  const why = (reason ?? "") === "" ? silence : `: ${reason}`;
  return `${opening}${code === void 0 ? "" : ` (${code})`}${why}`;
}

// src/base/document.ts
var DocumentError = class extends Error {
  name = "DocumentError";
};
async function readDocument(value, readFile3) {
  const text = value.trim();
  const path = text.includes("\n") || text.startsWith("{") ? void 0 : text;
  const parsed = await parseDocument(text, "the value");
  if (isObject(parsed)) return parsed;
  if (path === void 0 || typeof parsed !== "string")
    throw new DocumentError("the value must be an object in JSON or YAML, or the path of a file that contains one");
  const shown = quoteText(path);
  const read = await parseDocument(await readFile3(path), shown);
  if (isObject(read)) return read;
  throw new DocumentError(`${shown} does not contain an object in JSON or YAML`);
}
function unwrapMcpServers(document) {
  const { mcpServers: inner } = document;
  const isServer = isObject(inner) && ["command", "url"].some((member) => typeof inner[member] === "string");
  return isObject(inner) && !isServer ? inner : document;
}
async function parseDocument(text, what) {
  if (text.trimStart().startsWith("{"))
    try {
      return JSON.parse(text);
    } catch {
    }
  const { parse: parse3 } = await import("./yaml.js");
  try {
    return parse3(text);
  } catch (error) {
    const place = /at line \d+, column \d+/.exec(error instanceof Error ? error.message : "")?.[0];
    throw new DocumentError(`${what} is neither JSON nor YAML${place === void 0 ? "" : ` (${place})`}`);
  }
}
function quoteText(value) {
  return JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value);
}

// src/action/inputs/values.ts
var InputError = class extends Error {
  name = "InputError";
};
var whyEmpty = "the secret is not set (Settings, Secrets and variables, Actions, Secrets), its name is misspelled, or this event gets no secrets (pull requests from forks and from Dependabot)";
var MissingCredentialError = class extends InputError {
  /** Begins a sentence with what is empty. Undefined if the variable is not set at all, which the event cannot explain. */
  lack;
  /** `remedy` goes on after why it is. */
  constructor(lack, { remedy: remedy2 = "", isUnset = false } = {}) {
    super(`${lack}${isUnset ? "" : `: ${whyEmpty}`}${remedy2}`);
    this.lack = isUnset ? void 0 : lack;
  }
};
async function readAll(readers, findMore = async () => []) {
  const values = [];
  const faults = [];
  for (const [name, read] of Object.entries(readers))
    try {
      values.push([name, await read()]);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      faults.push(error.message);
    }
  if (faults.length > 0) refuseFaults([...faults, ...await findMore(Object.fromEntries(values))]);
  return Object.fromEntries(values);
}
function refuseFaults(faults) {
  if (faults.length === 0) return;
  const [first = "", ...more] = faults;
  const sentences = [first, ...more.map((text) => text.charAt(0).toUpperCase() + text.slice(1))];
  throw new InputError(sentences.join(". ").replaceAll("?. ", "? "));
}
var maxMinutes = 5 * 24 * 60;
function isGiven(host, name) {
  return host.readInput(name).trim() !== "";
}
function readText2(host, name) {
  const value = host.readInput(name);
  refuseExpression(name, value);
  return value.trim() === "" ? void 0 : value;
}
function readTrimmed(host, name) {
  return readText2(host, name)?.trim();
}
function readWord(host, name) {
  const word = readTrimmed(host, name);
  if (word !== void 0 && /[\p{Cc}\p{Zl}\p{Zp}]/u.test(word))
    throw new InputError(
      `\`${name}\`: ${quoteText(word)} contains a line break or another control character. Write it on one line`
    );
  return word;
}
function readBoolean(host, name, usual) {
  const value = readWord(host, name);
  if (value === void 0) return usual;
  if (["true", "True", "TRUE"].includes(value)) return true;
  if (["false", "False", "FALSE"].includes(value)) return false;
  throw new InputError(`\`${name}\` must be true or false, not ${quoteText(value)}`);
}
function readMinutes(host, name) {
  const value = readWord(host, name);
  if (value === void 0) return void 0;
  const minutes = /^\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
  if (!(minutes > 0 && minutes <= maxMinutes))
    throw new InputError(
      `\`${name}\` must be a number of minutes above 0 and at most ${maxMinutes}, such as 90 or 0.5, not ${quoteText(value)}`
    );
  return minutes * 6e4;
}
function readChoice(host, name, words) {
  const value = readWord(host, name);
  return value === void 0 ? words[0] : checkWord(name, value, words);
}
function readWords(host, name) {
  return readTrimmed(host, name)?.split(/[\s,]+/).filter((word) => word !== "");
}
var switchWords = /* @__PURE__ */ new Map([
  ["true", "on"],
  ["false", "off"]
]);
function checkWord(name, value, words) {
  const word = words.find((known) => known === value);
  if (word !== void 0) return word;
  const hint = didYouMean(switchWords.get(value) ?? value, words);
  throw new InputError(`\`${name}\`: ${quoteText(value)} is not one of ${words.join(", ")}${hint}`);
}
function readPairs(host, name, maxPairs) {
  const lines = (readText2(host, name) ?? "").split(/\r?\n/).filter((line) => line.trim() !== "");
  const pairs2 = /* @__PURE__ */ new Map();
  for (const line of lines) {
    const [key = "", ...rest] = line.split("=");
    if (rest.length === 0 || key.trim() === "")
      throw new InputError(`\`${name}\`: the line ${quoteText(line)} is not a pair. Write one key=value per line`);
    if (pairs2.has(key.trim())) throw new InputError(`\`${name}\`: ${quoteText(key.trim())} is set twice. Set it once`);
    pairs2.set(key.trim(), rest.join("=").trim());
  }
  if (pairs2.size > maxPairs)
    throw new InputError(`\`${name}\` has ${pairs2.size} pairs. At most ${maxPairs} are allowed`);
  return pairs2.size === 0 ? void 0 : Object.fromEntries(pairs2);
}
function refuseExpression(name, value) {
  if (value.trimStart().startsWith("${{"))
    throw new InputError(
      `\`${name}\` begins with \${{, an expression that was not evaluated: ${quoteText(value)}. Expressions work under \`with:\` of a workflow step`
    );
}

// src/action/report/heading.ts
var labelUnits = 100;
function labelOfStep({
  matrix,
  name
}) {
  const label = listValues(parse(matrix)).join(", ") || (name ?? "");
  return label.trim() === "" ? void 0 : keepHead(label, { surface: "comment", room: labelUnits });
}
function printTitle(title, label) {
  const shown = title === void 0 || title.trim() === "" ? "agent run" : withoutEnd(title);
  return label === void 0 || label === shown.trim() ? shown : `${shown} (${label})`;
}
function withoutEnd(title) {
  const end2 = /[\s.:;,]{1,100}$/.exec(title)?.[0] ?? "";
  return title.slice(0, title.length - end2.length) || title;
}
function parse(json) {
  try {
    return JSON.parse(json);
  } catch {
    return void 0;
  }
}
function listValues(value) {
  if (Array.isArray(value)) return value.flatMap(listValues);
  if (isObject(value)) return Object.values(value).flatMap(listValues);
  return value === null || value === void 0 ? [] : [String(value)];
}
var emptyWorkspaceWarning = "The workspace is empty, so the agent sees no code. Add actions/checkout as an earlier step";

// src/action/text/key-words.ts
var keyWords = /[\w.+/=~-]+/g;
function isKeyLike(word) {
  return word.length >= 16 && /\d|[a-z][A-Z]/.test(word);
}

// src/action/text/markdown.ts
var gap = "​";
function quoteInline(text) {
  return escapeLineStart(escapeText(cleanText(text).trim()));
}
function fence(text, language = "text") {
  const shown = cleanText(text).replace(/\n$/, "");
  const bar = "`".repeat(Math.max(3, longestBackticks(shown) + 1));
  return `${bar}${language}
${shown}
${bar}`;
}
function link2(label, address) {
  const target = readTarget(address);
  return target === void 0 ? quoteInline(keepHead(address, { surface: "logLine", room: shownUnits })) : `[${quoteInline(label)}](<${target}>)`;
}
function readTarget(address) {
  if (!/^https?:\/\//i.test(address) || address.length > targetUnits || !URL.canParse(address)) return void 0;
  const { href, username, password } = new URL(address);
  if (username !== "" || password !== "") return void 0;
  return href.replace(
    /[\\|<>`&]/g,
    (character2) => character2 === "&" ? "&amp;" : `%${character2.charCodeAt(0).toString(16).toUpperCase()}`
  );
}
var targetUnits = 2048;
var shownUnits = 300;
function escapeText(text) {
  const line = text.replace(/\s+/g, (blank) => /[^ \u00a0]/.test(blank) ? " " : blank);
  let escaped2 = "";
  let end2 = 0;
  for (const { 0: word, index } of line.matchAll(keyWords)) {
    if (!isKeyLike(word) || escapePlain(word) === word) continue;
    escaped2 += `${escapePlain(line.slice(end2, index))}\`${word}\``;
    end2 = index + word.length;
  }
  return escaped2 + escapePlain(line.slice(end2));
}
function escapePlain(text) {
  return text.replace(/[@＠﹫]/g, `$&${gap}`).replace(/#(?=\d|$)/g, `#${gap}`).replace(/GH-(?=\d|$)/gi, `$&${gap}`).replace(/:(?=\/\/)/g, `:${gap}`).replace(/www(?=\.)/gi, `$&${gap}`).replace(/^\$|\$$/g, `${gap}$&${gap}`).replace(/[\\`*[\]~!$#]/g, "\\$&").replace(
    /_+/g,
    (run, at, whole) => isWithinWord(whole, at, run) ? run : run.replaceAll("_", "\\_")
  ).replace(/[&<>|]/g, (character2) => entities2[character2] ?? "");
}
function isWithinWord(text, at, run) {
  return /[\p{L}\p{N}]$/u.test(text.slice(Math.max(0, at - 2), at)) && /^[\p{L}\p{N}]/u.test(text.slice(at + run.length, at + run.length + 2));
}
var entities2 = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "|": "&#124;" };
function escapeLineStart(line) {
  return line.replace(/^(?:[-+](?=\s|$)|[=:]|-(?=[-:=\s]*$))/, "\\$&").replace(
    /^(\/[\w.+/=~-]*)(`?)/,
    (_, word, bar) => isKeyLike(word) ? `\`${word}\`${bar === "" ? "" : gap + bar}` : `\\${word}${bar}`
  ).replace(/^(\d{1,9})([.)])(?=\s|$)/, "$1\\$2");
}
function cleanText(text) {
  return drawnText(text.toWellFormed()).replace(noText, "");
}
var noText = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;
function longestBackticks(text) {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}

// src/action/text/redact.ts
function redactAll(value, redact) {
  return redactValue(value, (text) => redact(cleanText(redact(text))));
}
function redactValue(value, redact) {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map((item) => redactValue(item, redact));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [redact(name), redactValue(item, redact)]));
}

// src/action/report/changed-files.ts
var shownMax = 20;
var pathBytes = 400;
function listChanges(patch) {
  const files = [];
  const sum = { count: 0, added: 0, removed: 0 };
  let file;
  let [oldLeft, newLeft] = [0, 0];
  for (const line of readLines(patch)) {
    if (oldLeft + newLeft > 0 && file !== void 0) {
      const mark = line[0];
      if (mark === "+") [file.added, sum.added] = [file.added + 1, sum.added + 1];
      if (mark === "-") [file.removed, sum.removed] = [file.removed + 1, sum.removed + 1];
      if (mark !== "+" && mark !== "\\") oldLeft -= 1;
      if (mark !== "-" && mark !== "\\") newLeft -= 1;
    } else if (line.startsWith("diff --git ")) {
      file = { path: readName(findName(line.slice("diff --git ".length))), added: 0, removed: 0, isBinary: false };
      sum.count += 1;
      if (sum.count <= shownMax) files.push(file);
    } else if (file === void 0) continue;
    else if (line.startsWith("+++ ") && line !== "+++ /dev/null") file.path = readName(line.slice(4));
    else if (line.startsWith("GIT binary patch")) file.isBinary = true;
    else {
      const [, before = "1", after = "1"] = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line) ?? ["", "0", "0"];
      [oldLeft, newLeft] = [Number(before), Number(after)];
    }
  }
  return { files, ...sum };
}
function findName(names2) {
  const half = (names2.length - 1) / 2;
  if (names2.slice(2, half) === names2.slice(half + 3)) return names2.slice(half + 1);
  return names2.slice(Math.max(names2.lastIndexOf(" b/"), names2.lastIndexOf(' "b/')) + 1);
}
function* readLines(text) {
  for (let at = 0; at < text.length; ) {
    const end2 = text.indexOf("\n", at);
    yield text.slice(at, end2 < 0 ? text.length : end2);
    at = end2 < 0 ? text.length : end2 + 1;
  }
}
function readName(written) {
  const name = written.replace(/\t$/, "");
  if (!name.startsWith('"')) return name.slice("b/".length);
  const escapes = { t: "	", n: "\n", r: "\r" };
  const bytes = name.slice('"b/'.length, -1).replace(
    /\\(\d{3}|.)/g,
    (_, code) => code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : escapes[code] ?? code
  );
  return Buffer.from(bytes, "latin1").toString();
}
function countChanges({ count, added, removed }) {
  if (count === 0) return "";
  const lines = [signed("+", added), signed("−", removed)].filter((text) => text !== "").join(" ");
  return [`${counted(count, "file")} changed`, ...lines === "" ? [] : [lines]].join(", ");
}
function printChanges(changes) {
  if (changes.count === 0) return "";
  const rows = changes.files.map(({ path, added, removed, isBinary }) => {
    const name = quoteInline(keepHead(path, { surface: "summary", room: pathBytes }));
    return `| ${name} | ${isBinary ? "binary" : signed("+", added)} | ${signed("−", removed)} |`;
  });
  const more = changes.count - changes.files.length;
  return [
    `| ${countChanges(changes)} | | |
|---|--:|--:|`,
    ...rows,
    ...more > 0 ? [`| and ${more} more | | |`] : []
  ].join("\n");
}
function signed(sign, lines) {
  return lines === 0 ? "" : `${sign}${lines.toLocaleString("en-US")}`;
}

// src/action/report/result-words.ts
function noteOnPart({ cut: cut2 }) {
  return cut2 === void 0 ? "(only the beginning of the result could be read from the server)" : `(the server did not keep the first ${cut2.leftOutBytes} bytes of the result, and only the beginning of the rest could be read)`;
}
function tellWhere({ cut: cut2 }, place) {
  if (cut2 === void 0) return place === void 0 ? void 0 : `the complete result is ${place}`;
  const { leftOutBytes, keptBytes } = cut2;
  const kept = `the server kept only the last ${keptBytes} of ${leftOutBytes + keptBytes} bytes`;
  return place === void 0 ? kept : `${kept}, which are ${place}`;
}

// src/action/inputs/files.ts
import {
  closeSync as closeSync3,
  constants as constants3,
  existsSync,
  fstatSync as fstatSync3,
  mkdtempSync,
  openSync as openSync3,
  readSync,
  realpathSync,
  rmdirSync,
  statSync as statSync3
} from "node:fs";
import { dirname as dirname2, join, relative, resolve, sep } from "node:path";

// src/contract/sizes.ts
var sizes = {
  /** One request body. */
  bodyBytes: 8 * 1024 * 1024,
  promptBytes: 1e6,
  basePromptBytes: 256 * 1024,
  configBytes: 256 * 1024,
  /** One variable, one header or the address of an MCP server: most of them are secrets, which all that a run prints is searched for. */
  mcpValueBytes: 32 * 1024,
  /** All of them together. */
  mcpValuesBytes: 64 * 1024,
  /** Arguments of an MCP server, skills. */
  configListEntries: 256,
  attachments: 5,
  titleCodePoints: 200,
  /** A title made from the prompt. */
  madeTitleCodePoints: 80,
  nameCodePoints: 200,
  metadataPairs: 20,
  metadataKeyBytes: 64,
  metadataValueBytes: 256,
  idempotencyKeyCharacters: 255,
  triggerUrlCharacters: 2048,
  /** What of a result stands on the run; the whole text has an address of its own. */
  resultInlineBytes: 64 * 1024,
  /** The whole text of a result; what is longer is cut at its start and says so. */
  resultBytes: 4 * 1024 * 1024,
  /** One page of a list ends early here. */
  pageBytes: 4 * 1024 * 1024,
  listLimit: 500,
  listLimitDefault: 20,
  eventLimit: 1e3,
  /** The longest `Prefer: wait=N` that is honoured, in seconds. */
  waitSeconds: 50,
  leaseSecondsMin: 30,
  leaseSecondsMax: 3600,
  /**
   * What a follower of ours asks for, in seconds: how long its run outlives it when it is killed. Longer than a follower bears an unreachable server (five
   * minutes and one poll), or a gap in the network would cancel the run that somebody still waits for.
   */
  followerLeaseSeconds: 420,
  /** Files that one run may leave as artifacts. */
  artifactFiles: 100,
  /** All files that one run leaves as artifacts together. */
  artifactBytes: 256 * 1024 * 1024,
  /** How deep arrays and objects stand in each other, in what comes in and in what an agent says. */
  jsonLevels: 100,
  /** Values in one request, all members of its arrays and objects: parser and validator work on each. */
  jsonValues: 1e4,
  /** What an agent may ask; the rest of a longer text is cut. */
  questionBytes: 4 * 1024,
  /** One log event. */
  logEventBytes: 16 * 1024,
  /** All log events of one run together. */
  logBytes: 16 * 1024 * 1024
};
function utf8Bytes(text) {
  return new TextEncoder().encode(text).length;
}

// src/action/inputs/files.ts
function readPrompt(host) {
  const prompt = readText2(host, "prompt");
  const file = readWord(host, "prompt_file");
  if (file === void 0) {
    if (prompt !== void 0 && namesFile(host, prompt.trim()))
      throw new InputError(`\`prompt\` is the path of a file, ${quoteText(prompt.trim())}. Did you mean \`prompt_file\`?`);
    return prompt;
  }
  if (prompt !== void 0) throw new InputError("`prompt` and `prompt_file` are both set. Remove one of them");
  const text = readFile(host, "prompt_file", file);
  if (text.trim() === "") throw new InputError(`\`prompt_file\`: ${quoteText(file)} is empty`);
  return text;
}
function namesFile(host, text) {
  const path = resolveInWorkspace(host, text);
  return !/\s/.test(text) && existsSync(path) && statSync3(path).isFile() && isInWorkspace(host, path);
}
async function readDocument2(host, name) {
  const value = readText2(host, name);
  if (value === void 0) return void 0;
  try {
    return await readDocument(value, (path) => readFile(host, name, path));
  } catch (error) {
    throw error instanceof DocumentError ? new InputError(`\`${name}\`: ${error.message}`) : error;
  }
}
async function readMcpServers(host) {
  const document = await readDocument2(host, "mcp_servers");
  return document && unwrapMcpServers(document);
}
function resolveInWorkspace(host, path) {
  return resolve(host.readVariable("GITHUB_WORKSPACE") ?? ".", path);
}
function isInWorkspace(host, path) {
  return relative(realpathSync(resolveInWorkspace(host, ".")), realpathSync(path)).split(sep)[0] !== "..";
}
function readFile(host, name, file) {
  try {
    const bytes = readRegularFile(resolveInWorkspace(host, file), sizes.promptBytes);
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new InputError(`\`${name}\`: ${quoteText(file)} cannot be read: ${explainFileFault(error)}`);
  }
}
var pieceBytes = 64 * 1024;
function readRegularFile(path, maxBytes) {
  const file = openSync3(path, constants3.O_RDONLY | (constants3.O_NONBLOCK ?? 0));
  try {
    const info = fstatSync3(file);
    if (!info.isFile() && !info.isDirectory()) throw new Error("it is a device or a pipe. Name a regular file");
    const pieces = [];
    for (let left = maxBytes; ; ) {
      const piece = Buffer.alloc(pieceBytes);
      const length = readSync(file, piece);
      if (length === 0) return Buffer.concat(pieces);
      left -= length;
      if (left < 0) throw new Error(`it is larger than the limit of ${maxBytes.toLocaleString("en")} bytes`);
      pieces.push(piece.subarray(0, length));
    }
  } finally {
    closeSync3(file);
  }
}
function readResultFile(host) {
  const given = readWord(host, "result_file");
  if (given === void 0) return void 0;
  const path = resolveInWorkspace(host, given);
  const refuse = (why) => {
    throw new InputError(`\`result_file\`: ${quoteText(given)} ${why}. Give the path of a file that this step can write`);
  };
  try {
    const found = lookAt(path);
    if (/[/\\]$/.test(given) || found?.isDirectory() === true) refuse("is a folder");
    if (found?.isFile() === false) refuse("is a device or a pipe");
    let folder = dirname2(path);
    while (lookAt(folder) === void 0 && folder !== dirname2(folder)) folder = dirname2(folder);
    if (lookAt(folder)?.isDirectory() !== true) refuse(`cannot be created: ${quoteText(folder)} is not a folder`);
    rmdirSync(mkdtempSync(join(folder, ".agent-run-")));
  } catch (error) {
    if (error instanceof InputError) throw error;
    refuse(`cannot be created (${error instanceof Error ? error.message : error})`);
  }
  return given;
}
function readWorkingDirectory(host) {
  const given = readWord(host, "working_directory");
  if (given === void 0) return void 0;
  const folder = resolveInWorkspace(host, given);
  if (lookAt(folder)?.isDirectory() === true && isInWorkspace(host, folder)) return folder;
  throw new InputError(
    `\`working_directory\`: the workspace has no folder ${quoteText(given)}. Did an earlier step check out the repository (\`path\` of actions/checkout)?`
  );
}
function lookAt(path) {
  try {
    return statSync3(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && ["ENOENT", "ENOTDIR"].includes(String(error.code)))
      return void 0;
    throw error;
  }
}
function explainFileFault(error) {
  if (error instanceof TypeError) return "it is not UTF-8. Save it as UTF-8";
  const code = error instanceof Error && "code" in error ? error.code : void 0;
  if (code === "ENOENT") return "the file does not exist. Did an earlier step write it or check out the repository?";
  if (code === "EISDIR") return "it is a folder. Name a file";
  if (code === "EACCES") return "this user has no permission to read it";
  return error instanceof Error ? error.message : String(error);
}

// src/base/variable-name.ts
var usualName = /^([A-Z][A-Z0-9]{0,18}(_[A-Z0-9]{0,18})*|(https?|all|no)_proxy)$/;
function isUsualVariableName(text) {
  return usualName.test(text);
}
function describeUnsetVariable(name) {
  return isUsualVariableName(name) ? `the variable ${name} is not set` : "the value (not shown) is not the name of a variable that is set, such as MY_TOKEN";
}

// src/action/inputs/later-faults.ts
var baseUrlVariables = ["AGENT_RUN_BASE_URL", "OZ_API_BASE_URL"];
function findServer(host, baseUrl) {
  if (baseUrl !== void 0) return { option: "`base_url`", address: baseUrl };
  return baseUrlVariables.map((option) => ({ option, address: (host.readVariable(option) ?? "").trim() })).find(({ address }) => address !== "");
}
function findUnknownNames(host, { passEnv }) {
  const missing = passEnv.filter((name) => host.readVariable(name) === void 0);
  const shown = missing.filter(isUsualVariableName);
  const named2 = shown.length === missing.length ? shown : [...shown, "whose name may be a secret (not shown)"];
  return missing.length === 0 ? [] : [`\`pass_env\`: the step has no variable ${named2.join(", ")}. Set it under \`env:\` of the step`];
}
var ownVariable = /^(?:PATH|HOME|TMPDIR|TERM|CI|NO_COLOR|USER|LOGNAME|LANG|LC_ALL|PWD|OLDPWD|SHLVL|SHELL|_|(?:GITHUB|RUNNER|ACTIONS|INPUT|STATE|AGENT_RUN)_.*)$/;
function hintAtUnpassed(host, passEnv, output) {
  const said = new Set(output.flatMap((line) => line.match(/\w+/g) ?? []));
  const [name] = Object.entries(host.variables()).flatMap(
    ([known, value]) => said.has(known) && isUsualVariableName(known) && value !== "" && !passEnv.includes(known) && !ownVariable.test(known) ? [known] : []
  );
  return name === void 0 ? "" : `. ${name} is set in the step but not passed to the program: add it to \`pass_env\``;
}
async function findLaterFaults(host, { embedded }) {
  if (embedded === void 0 || isGiven(host, "base_url") || findServer(host, void 0) !== void 0) return [];
  const { parseCommand } = await import("./parse-command.js");
  const { command } = embedded;
  const faults = await readAll({ command: () => command && parseCommand(command) }).then(
    () => [],
    (error) => [error.message]
  );
  return [...findUnknownNames(host, embedded), ...faults];
}

// src/action/inputs/option-names.ts
var names = { baseUrl: "`base_url`", apiKey: "`api_key`", allowHttp: "`allow_http: true`" };
var nameInput = (option) => names[option];
function nameMembers(text) {
  return text.replace(/\bconfig\.harness(?:\.(?:type|name)\b)?/g, "`harness`").replace(
    /\bconfig\.((?:base_prompt|environment_id|mcp_servers|model_id|name|output_schema|skill_spec)\b(?:\.[\w-]+)*)/g,
    "`$1`"
  );
}

// src/action/report/late-code.ts
async function loadLateCode() {
  await Promise.all([
    import("./comment.js"),
    import("./summary.js"),
    import("./comments.js"),
    import("./event.js"),
    import("./github.js"),
    import("./github-error.js")
  ]);
}

// src/action/connect/addresses.ts
function readSessionLink(answer) {
  const link3 = answer.session_link;
  return typeof link3 === "string" && /^https?:\/\/[!-~]{1,2000}$/.test(link3) ? link3 : void 0;
}
function addressOfRun(client, answer) {
  const page = readSessionLink(answer)?.split("?")[0];
  if (page?.endsWith(`/runs/${answer.run_id}`)) return page;
  try {
    return `${client.baseUrl}${routePath("readRun", { runId: answer.run_id })}`;
  } catch {
    return "";
  }
}

// src/action/connect/heard-stream.ts
function hearStream(response, hear) {
  const { body, status, statusText, headers } = response;
  if (headers.get("content-type")?.startsWith("text/event-stream") !== true) return response;
  const heard = new TransformStream({
    transform(chunk, controller) {
      hear();
      controller.enqueue(chunk);
    }
  });
  return new Response(body?.pipeThrough(heard), { status, statusText, headers });
}

// src/action/connect/network.ts
async function openNetwork({ variables, caFile, baseUrl }) {
  const proxies = await readNamedProxies(variables);
  if (proxies === void 0 && caFile === void 0) return platformNetwork;
  for (const url of baseUrl === void 0 ? anyServer : [baseUrl]) if (URL.canParse(url)) proxies?.find(new URL(url));
  const trust = caFile === void 0 ? void 0 : (await import("./trust.js")).trustFile(caFile);
  const { createProxiedFetch } = await import("./proxied-fetch.js");
  const findProxy = (url) => proxies?.find(url);
  const { fetch, close } = createProxiedFetch({ findProxy, secureContext: trust?.secureContext });
  const proxyOf = (url) => {
    const proxy = findProxy(new URL(url));
    return proxy === void 0 ? void 0 : `${proxy.host} (${proxy.variable})`;
  };
  return {
    fetch,
    proxyOf,
    describe(url) {
      const proxy = proxyOf(url);
      const way = proxy === void 0 ? [] : [`through the proxy ${proxy}`];
      const also = trust === void 0 ? [] : [`also trusting \`ca_file\` (certificates: ${trust.certificates})`];
      return [...way, ...also].join(", ") || void 0;
    },
    secrets: proxies?.secrets ?? [],
    async close() {
      await close();
      trust?.close();
    }
  };
}
var platformNetwork = {
  fetch: (url, init) => globalThis.fetch(url, init),
  proxyOf: () => void 0,
  describe: () => void 0,
  secrets: [],
  close: async () => {
  }
};
var anyServer = ["https://server.invalid", "http://server.invalid"];
async function readNamedProxies(variables) {
  const isNamed = Object.entries(variables).some(
    ([name, value]) => /^(https?|all)_proxy$/i.test(name) && value?.trim()
  );
  return isNamed ? (await import("./proxies.js")).readProxies(variables) : void 0;
}

// src/contract/skill-spec.ts
var SkillSpecError = class extends Error {
  name = "SkillSpecError";
};
var forms = "owner/repo:skill-name or owner/repo:path/to/SKILL.md";
var ownerPattern = /^[A-Za-z0-9][A-Za-z0-9-]*$/;
var repoPattern = /^[A-Za-z0-9._-]+$/;
var namePattern = /^[A-Za-z0-9._-]+$/;
function parseSkillSpec(text) {
  const refuse = (why) => {
    throw new SkillSpecError(`${JSON.stringify(text)} is not a valid skill: ${why}. Use ${forms}`);
  };
  const colon = text.indexOf(":");
  if (colon < 0) return refuse("the colon is missing");
  const [owner = "", repo = "", ...more] = text.slice(0, colon).split("/");
  const rest = text.slice(colon + 1);
  if (more.length > 0 || !ownerPattern.test(owner)) return refuse("the part before the colon must be owner/repo");
  if (!repoPattern.test(repo) || isDots(repo)) return refuse("the part before the colon must be owner/repo");
  if (rest === "") return refuse("nothing follows the colon");
  if (!rest.includes("/")) {
    if (rest === "SKILL.md") return { owner, repo, target: { path: rest } };
    if (!namePattern.test(rest) || isDots(rest))
      return refuse('a name may contain only letters, digits, ".", "_" and "-"');
    return { owner, repo, target: { name: rest } };
  }
  const parts = rest.split("/");
  if (parts.at(-1) !== "SKILL.md") return refuse("a path must end with SKILL.md");
  if (parts.some((part) => part === "" || isDots(part) || part.includes("\\") || hasControl(part)))
    return refuse("a path must stay inside the repository");
  return { owner, repo, target: { path: rest } };
}
function skillName(spec) {
  if ("name" in spec.target) return spec.target.name;
  return spec.target.path.split("/").at(-2) ?? spec.repo;
}
function isDots(part) {
  return part === "." || part === "..";
}
function hasControl(part) {
  return Array.from(part).some((character2) => (character2.codePointAt(0) ?? 0) < 32);
}

// src/action/connect/server-only.ts
var remedy = "set `base_url` to a server that supports it";
function findServerOnly({ task, follow, embedded }, repository) {
  const faults = [];
  if (!follow.wait)
    faults.push(
      "`wait` must be true without a server, because the run ends with the step; set `base_url`, or remove `wait`"
    );
  if (follow.onTimeout === "leave")
    faults.push(
      "`on_timeout` must not be leave without a server, because the run ends with the step; set `base_url`, or remove `on_timeout`"
    );
  if (task.environmentId !== void 0)
    faults.push(`\`environment_id\`: a step without a server has no environments; remove it, or ${remedy}`);
  const isProgram = embedded.command !== void 0 || embedded.allowScript;
  if (Object.keys(task.mcpServers ?? {}).length > 0 && isProgram && !isAgent(task.harness))
    faults.push(
      `\`mcp_servers\`: a \`command\` does not receive MCP servers; configure them in the program itself, set \`harness\` to an agent, or ${remedy}`
    );
  if (task.skillSpec !== void 0) {
    const { owner, repo } = parseSkillSpec(task.skillSpec);
    const wanted = `${owner}/${repo}`;
    if (wanted.toLowerCase() !== repository?.toLowerCase())
      faults.push(
        `\`skill_spec\`: a step without a server can use only the skills of its own repository (${repository ?? "GITHUB_REPOSITORY is not set"}), not those of ${wanted}; copy the skill, or ${remedy}`
      );
  }
  return faults;
}
function isAgent(harness) {
  return harness !== void 0 && !["oz", "command", "script"].includes(harness);
}

// src/action/connect/connect.ts
var apiKeyVariables = ["AGENT_RUN_API_KEY", "WARP_API_KEY"];
var maxRetries = 6;
async function connect(host, {
  inputs,
  context,
  network
}) {
  if (await isEmbedded(host, inputs)) return await connectInside(host, { inputs, context, network });
  try {
    return connectToServer(host, { place: inputs.place, network, logLevel: "info" });
  } catch (error) {
    const isForeign2 = error instanceof ConfigurationError && error.option === "apiKey" && readApiKeys(host).length > 0;
    throw isForeign2 ? new InputError(error.describe(nameInput)) : error;
  }
}
async function openStepNetwork(host, { baseUrl, caFile }) {
  const network = await openNetwork({
    variables: host.variables(),
    caFile: caFile === void 0 ? void 0 : resolveInWorkspace(host, caFile),
    baseUrl: findServer(host, baseUrl)?.address
  });
  for (const secret of [...network.secrets, ...readApiKeys(host)]) host.mask(secret);
  return network;
}
function readApiKeys(host) {
  return apiKeyVariables.map((name) => host.readVariable(name)?.trim() ?? "").filter((key) => key !== "");
}
function connectToServer(host, { place, network, logLevel }) {
  const { baseUrl, apiKey, allowHttp } = place;
  const { client, ...rest } = makeClient(host, network.fetch, { baseUrl, apiKey, allowHttp, logLevel });
  const way = network.describe(client.baseUrl);
  if (way !== void 0) host.print(guardLine(`connecting to the server ${way}`));
  return {
    client,
    ...rest,
    isEmbedded: false,
    linkOf: readSessionLink,
    addressOf: (answer) => readSessionLink(answer) ?? addressOfRun(client, answer),
    pageOf: (answer) => addressOfRun(client, answer),
    fetch: network.fetch,
    close: async () => {
    }
  };
}
async function connectInside(host, { inputs, context }) {
  const { embedded, task, trust } = inputs;
  const variables = host.variables();
  refuseFaults([...findServerOnly(inputs, context.repository), ...findUnknownNames(host, embedded)]);
  const empty = embedded.passEnv.filter((name) => variables[name]?.trim() === "");
  const missing = empty.filter(isSecretName);
  if (missing.length > 0 && trust.onMissingCredentials === "skip")
    throw new MissingCredentialError(`\`pass_env\`: ${missing.join(", ")} is empty`);
  const [{ openEmbedded }] = await Promise.all([import("./embedded.js"), loadLateCode()]);
  for (const name of empty) host.warn(`\`pass_env\`: ${name} is empty, so the agent does not get it: ${whyEmpty}`);
  const passedEnv = Object.fromEntries(embedded.passEnv.map((name) => [name, variables[name] ?? ""]));
  for (const [name, value] of Object.entries(passedEnv)) if (isSecretVariable(name, value)) host.mask(value);
  host.keepFiles(embedded.passEnv.filter((name) => name !== "GITHUB_OUTPUT" && name !== "GITHUB_STATE"));
  const server = await openEmbedded({
    workspace: context.workspace ?? process.cwd(),
    workingFolder: embedded.workingDirectory,
    tempDir: context.tempDir,
    repository: context.repository,
    command: embedded.command,
    allowScript: embedded.allowScript,
    harness: task.harness,
    modelId: task.modelId,
    passedEnv,
    baseEnv: variables,
    mask: (value) => host.mask(value),
    warn: (message) => host.warn(guardLine(message))
  });
  if (server.isWorkspaceEmpty) host[server.asksModel ? "warn" : "print"](emptyWorkspaceWarning);
  const { client, ...rest } = makeClient(host, server.fetch, {
    baseUrl: server.baseUrl,
    apiKey: server.apiKey,
    logLevel: "warn"
  });
  return {
    client,
    ...rest,
    isEmbedded: true,
    // It has no page and no port.
    linkOf: () => void 0,
    addressOf: () => context.jobUrl ?? "",
    pageOf: () => context.jobUrl ?? "",
    fetch: server.fetch,
    close: server.close
  };
}
function makeClient(host, fetch, options) {
  const print = (message) => host.print(guardLine(message));
  let heardAt = performance.now();
  let features = /* @__PURE__ */ new Set();
  const client = new AgentRuns({
    ...options,
    logger: { error: print, warn: print, info: print, debug: print },
    maxRetries,
    async fetch(url, init) {
      const response = await fetch(url, init);
      if (!response.ok && response.status !== 304) return response;
      const hear = () => {
        heardAt = performance.now();
      };
      hear();
      features = readFeatures(response.headers);
      return hearStream(response, hear);
    }
  });
  return { client, silentMs: () => performance.now() - heardAt, features: () => features };
}
async function isEmbedded(host, { task, place, embedded, follow }) {
  const server = findServer(host, place.baseUrl)?.option;
  const asked = embedded.command !== void 0 ? "command" : embedded.allowScript ? "allow_script" : void 0;
  if (server !== void 0 && asked !== void 0)
    throw new InputError(
      `\`${asked}\` runs the agent in this step, but ${server} names a server; set only one of the two`
    );
  if (server !== void 0 && embedded.workingDirectory !== void 0)
    throw new InputError(
      `\`working_directory\` is a folder of this job, but ${server} names a server, which cannot see it; set only one of the two`
    );
  if (server !== void 0) return false;
  if (follow.runId !== void 0)
    throw new InputError(`\`run_id\` names a run on a server, but \`base_url\` is empty. Set ${addressRemedy}`);
  if (place.apiKey === void 0) return true;
  const { findModelKeys, spellKeys } = await import("./step-agents.js");
  const keys = `${spellKeys(findModelKeys(task.modelId))} under \`env:\` of the step`;
  const remedy2 = task.modelId !== void 0 ? `If this is the key of the model's provider, remove \`api_key\` and set ${keys}` : asked === void 0 ? `To run without a server, remove \`api_key\`. Set \`model_id\`, and ${keys}; or set \`command\`` : `To run without a server, remove \`api_key\`; \`${asked}\` is enough`;
  throw new InputError(
    `\`api_key\` is the key of an agent-run server. ${remedy2}. To use a server, set ${addressRemedy}`
  );
}
var addressRemedy = "`base_url` or AGENT_RUN_BASE_URL. If the URL comes from a variable, check the variable's name in Settings > Secrets and variables > Actions > Variables";

// src/action/connect/through-pages.ts
import { setTimeout as sleep } from "node:timers/promises";
var usualLimitMs = 15e3;
var firstPauseMs = 250;
var longestPauseMs = 2e3;
async function throughPages(act, { limitMs = usualLimitMs, signal }) {
  const endsAt = performance.now() + limitMs;
  const leftMs = () => Math.max(1, Math.ceil(endsAt - performance.now()));
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    try {
      return await act(leftMs());
    } catch (error) {
      if (!isPage(error) || pauseMs >= leftMs()) throw error;
      await sleep(pauseMs, void 0, { signal }).catch(() => {
      });
      if (signal?.aborted === true) throw error;
    }
  }
}
var repeated = /* @__PURE__ */ new Set([408, 425, 429]);
function isPage(error) {
  if (error instanceof UnexpectedResponseError) return !error.cut;
  return error instanceof ApiError && error.isPage && error.status < 500 && !repeated.has(error.status);
}

// src/action/follow/tidy-run.ts
function tidyRun(run) {
  const said = run;
  const tidy = {
    ...said,
    title: textOr(said.title, ""),
    prompt: textOr(said.prompt, ""),
    status_message: tidyStatus(said.status_message),
    result: tidyResult(said.result),
    agent_config: tidyConfig(said.agent_config),
    agent_skill: isObject(said.agent_skill) ? said.agent_skill : void 0,
    artifacts: Array.isArray(said.artifacts) ? said.artifacts.filter(isArtifact) : void 0,
    request_usage: isObject(said.request_usage) ? said.request_usage : void 0,
    ...Object.fromEntries(texts.map((name) => [name, textOr(said[name], void 0)])),
    ...Object.fromEntries(times.map((name) => [name, said[name] === null ? null : textOr(said[name], void 0)]))
  };
  return Object.fromEntries(Object.entries(tidy).filter(([, value]) => value !== void 0));
}
var texts = ["created_at", "updated_at", "environment_name", "session_id", "session_link", "trigger_url"];
var times = ["started_at", "finished_at"];
function textOr(value, otherwise) {
  return typeof value === "string" ? value : otherwise;
}
function tidyStatus(status) {
  if (!isObject(status)) return void 0;
  const codes = ["error_code", "reason"].flatMap((name) => {
    const code = status[name];
    return typeof code === "string" && code !== "" ? [[name, code]] : [];
  });
  if (typeof status.message !== "string" && codes.length === 0) return void 0;
  return { message: textOr(status.message, ""), ...Object.fromEntries(codes) };
}
function tidyResult(result) {
  if (!isObject(result)) return void 0;
  const { text, truncated, left_out_bytes: leftOut, structured } = result;
  const isThere = structured !== void 0 && structured !== null;
  if (typeof text !== "string" && !isThere) return void 0;
  return {
    text: textOr(text, ""),
    truncated: truncated === true,
    ...Number.isSafeInteger(leftOut) && Number(leftOut) > 0 ? { left_out_bytes: leftOut } : {},
    ...isThere ? { structured } : {}
  };
}
function tidyConfig(config) {
  if (!isObject(config)) return void 0;
  const { skills, harness, ...rest } = config;
  return {
    ...Object.fromEntries(Object.entries(rest).filter(([, value]) => typeof value === "string")),
    ...Array.isArray(skills) ? { skills: skills.filter((skill) => typeof skill === "string") } : {},
    ...isObject(harness) ? { harness } : {}
  };
}
function isArtifact(artifact) {
  return isObject(artifact) && typeof artifact.artifact_type === "string" && isObject(artifact.data);
}

// src/action/follow/cancel-run.ts
var secondLookMs = 1e3;
async function cancelRun(client, runId, { reason, requestMs, lookMs, signal }) {
  try {
    await throughPages(
      (leftMs) => client.runs.cancel(runId, { reason, timeoutMs: leftMs, totalTimeoutMs: leftMs, signal }),
      { limitMs: requestMs, signal }
    );
  } catch (error) {
    if (error instanceof NotFoundError && await isUnknown(client, runId, signal))
      throw new RunLostError({ runId, state: void 0, cause: error });
    if (!(error instanceof BadRequestError) || isPage(error)) throw error;
  }
  const ends = [AbortSignal.timeout(Math.ceil(typeof lookMs === "number" ? lookMs : lookMs())), signal].filter(
    (end2) => end2 !== void 0
  );
  let last;
  try {
    for await (const run of client.runs.follow(runId, { signal: AbortSignal.any(ends) })) {
      last = tidyRun(run);
      if (isFinal(run.state)) break;
    }
  } catch {
  }
  return last;
}
async function isUnknown(client, runId, signal) {
  try {
    await client.runs.retrieve(runId, { totalTimeoutMs: secondLookMs, maxRetries: 0, signal });
    return false;
  } catch (error) {
    return error instanceof NotFoundError && error.code !== void 0;
  }
}
function explainNoCancel(error, runId) {
  if (error instanceof RunLostError) return `The server no longer knows the run ${runId}, so there is nothing to stop`;
  const reason = error instanceof Error ? error.message : String(error);
  const later = "The post step tries again. A run with a lease also ends when the lease does";
  if (isPage(error))
    return `The run ${runId} could not be told to stop: something in front of the server answered with a page. ${reason}. ${later}`;
  const cannot = error instanceof ApiError && [404, 405, 422, 501].includes(error.status);
  return cannot ? `This server cannot cancel the run ${runId}, which may continue and cost money: ${reason}` : `Canceling the run ${runId} failed: ${reason}. ${later}`;
}

// src/action/host/step-state.ts
var stateKeys = [
  "step_key",
  "run_id",
  "is_done",
  "last_state",
  "comment",
  "is_comment_final",
  "verdict",
  "is_cancelled",
  "title",
  "is_embedded"
];
function saveEmbeddedState(host) {
  for (const key of stateKeys) host.saveState(key, key === "is_embedded" ? "true" : "");
}
function saveStepState(host, key, value) {
  host.saveState(key, value);
}
function readStepState(host, key) {
  const value = host.readState(key);
  return value === "" ? void 0 : value;
}

// src/action/inputs/input-names.ts
var inputNames = split(`
  prompt prompt_file skill_spec model_id environment_id name title base_prompt mcp_servers harness output_schema
  metadata base_url api_key ca_file allow_http command working_directory pass_env allow_script wait run_id cancel timeout_minutes
  queue_timeout_minutes stall_timeout_minutes on_timeout on_blocked rerun lease fail_on require_result log summary
  comment comment_key github_token result_file annotations allow_bots require_permission event_context
  on_missing_credentials matrix_context job_index
`);
var keyInputs = split("anthropic_api_key openai-api-key gemini_api_key");
var peerInputs = {
  "anthropics/claude-code-action": split(`
    prompt direct_prompt=prompt override_prompt=prompt custom_instructions=base_prompt claude_args settings mode
    model=model_id anthropic_model=model_id fallback_model max_turns timeout_minutes allowed_tools disallowed_tools
    mcp_config=mcp_servers claude_env=pass_env anthropic_api_key claude_code_oauth_token use_bedrock use_vertex
    use_foundry anthropic_federation_rule_id anthropic_organization_id anthropic_service_account_id
    anthropic_workspace_id anthropic_oidc_audience trigger_phrase assignee_trigger label_trigger track_progress
    allowed_bots=allow_bots allowed_non_write_users=require_permission include_comments_by_actor
    exclude_comments_by_actor github_token additional_permissions use_sticky_comment=comment:'on'
    classify_inline_comments include_fix_links base_branch branch_prefix branch_name_template use_commit_signing
    ssh_signing_key bot_id bot_name display_report=summary show_full_output=log:full plugins plugin_marketplaces
    path_to_claude_code_executable path_to_bun_executable
  `),
  "openai/codex-action": split(`
    prompt prompt-file=prompt_file output-file=result_file output-schema=output_schema model=model_id effort
    output-schema-file=output_schema codex-args openai-api-key responses-api-endpoint sandbox permission-profile
    working-directory=working_directory safety-strategy codex-user codex-version codex-home
    allow-users=require_permission allow-bots=allow_bots allow-bot-users=allow_bots
  `),
  "google-github-actions/run-gemini-cli": split(`
    prompt gemini_model=model_id settings extensions gemini_api_key google_api_key gemini_cli_version
    gemini_debug=log:full gcp_location gcp_project_id gcp_service_account gcp_workload_identity_provider gcp_token_format
    gcp_access_token_scopes use_gemini_code_assist use_vertex_ai upload_artifacts use_pnpm workflow_name
    github_pr_number github_issue_number
  `)
};
var unreplacedInputs = split(`
  include_comments_by_actor exclude_comments_by_actor classify_inline_comments include_fix_links fallback_model effort
  codex-args codex-home codex-version gemini_cli_version use_pnpm workflow_name github_pr_number github_issue_number
`);
var claudeFlags = {
  "--model": "model_id",
  "--mcp-config": "mcp_servers",
  "--json-schema": "output_schema",
  "--append-system-prompt": "base_prompt",
  "--system-prompt": "base_prompt"
};
function split(text) {
  return text.trim().split(/\s+/);
}

// src/action/inputs/stray-inputs.ts
function findStrayInputs(host) {
  return Object.entries(host.variables()).flatMap(([variable, value]) => {
    const name = /^INPUT_(.+)$/i.exec(variable)?.[1]?.toLowerCase() ?? "";
    if (name === "" || value.trim() === "" || inputNames.includes(name)) return [];
    return describeStray(name, value) ?? [];
  });
}
function describeStray(name, value) {
  const [owner, another] = Object.entries(peerInputs).flatMap(([action, names2]) => {
    const entry = names2.find((known) => known.split("=")[0] === name);
    return entry === void 0 ? [] : [{ action, entry }];
  });
  if (owner !== void 0) {
    const whose = another === void 0 ? `an input of ${owner.action}, not of` : "not an input of";
    const advice = adviseInstead(owner.entry, value);
    return `\`${name}\` is ${whose} this action. ${advice.charAt(0).toUpperCase()}${advice.slice(1)}`;
  }
  const word = name.replaceAll("-", "_");
  const near = inputNames.find((known) => editDistance(word, known) <= (known.length < 6 ? 1 : 2));
  return near && `\`${name}\` is not an input of this action. Did you mean \`${near}\`?`;
}
function adviseInstead(entry, value) {
  const [theirs = "", ours] = entry.split("=");
  if (keyInputs.includes(theirs)) return `set ${theirs.replaceAll("-", "_").toUpperCase()} under \`env:\` of the step`;
  const instead = theirs === "claude_args" ? readClaudeArguments(value) : void 0;
  if (instead !== void 0) return instead;
  if (ours === void 0)
    return unreplacedInputs.includes(theirs) ? "remove it; this action has nothing like it" : "remove it; docs/coming-from-another-action.md of agent-run says what to use instead";
  return ours.includes(":") && value.trim() === "false" ? "remove it" : `did you mean \`${ours.replace(":", ": ")}\`?`;
}
function readClaudeArguments(value) {
  const flags = [...value.matchAll(/(?:^|\s)(--[a-z][a-z-]*)(?:[\s=]+(?!--)("[^"]*"|'[^']*'|\S+))?/gi)];
  const replaced = flags.flatMap(([, flag = "", text = ""]) => {
    const ours = claudeFlags[flag];
    if (ours === void 0) return [];
    const model = flag === "--model" ? /^["']?([\w.:@/[\]-]{1,100})["']?$/.exec(text)?.[1] : void 0;
    return [`\`${ours}${model === void 0 ? "" : `: ${model}`}\` for ${flag}`];
  });
  const others = flags.flatMap(([, flag = ""]) => claudeFlags[flag] === void 0 ? [flag] : []);
  const parts = [
    ...replaced.length === 0 ? [] : [`set ${replaced.join(", ")}`],
    ...others.length === 0 ? [] : [`there is no input for ${others.join(", ")}`],
    ...others.includes("--max-turns") ? ["`timeout_minutes` limits the run"] : []
  ];
  return parts.length === 0 ? void 0 : parts.join("; ");
}

// src/action/inputs/inputs.ts
var defaultTimeoutMs = 60 * 6e4;
var metadataPairs = sizes.metadataPairs - 1;
async function readInputs(host) {
  const readers = {
    // First, so that nothing can be printed before it is masked.
    place: () => readPlace(host),
    // A misspelled input explains what seems to be missing.
    leg: () => {
      refuseFaults(findStrayInputs(host));
      return { matrix: readTrimmed(host, "matrix_context") ?? "null", jobIndex: readWord(host, "job_index") ?? "0" };
    },
    task: () => readTask(host),
    embedded: () => readAll({
      command: () => readText2(host, "command")?.trim(),
      passEnv: () => readNames(host),
      allowScript: () => readBoolean(host, "allow_script", false),
      workingDirectory: () => readWorkingDirectory(host)
    }),
    follow: () => readFollow(host),
    report: () => readReport(host),
    trust: () => readAll({
      allowBots: () => readBots(host),
      requirePermission: () => readChoice(host, "require_permission", ["write", "none"]),
      eventContext: () => readChoice(host, "event_context", ["auto", "off"]),
      onMissingCredentials: () => readChoice(host, "on_missing_credentials", ["fail", "skip"])
    })
  };
  const inputs = await readAll(readers, (values) => findLaterFaults(host, values));
  return Object.freeze(inputs);
}
function readPlace(host) {
  return {
    apiKey: readSecret(host, "api_key"),
    baseUrl: readWord(host, "base_url"),
    caFile: readWord(host, "ca_file"),
    allowHttp: readBoolean(host, "allow_http", false)
  };
}
function readSecret(host, name) {
  const value = host.readInput(name).trim();
  if (value === "") return void 0;
  if (value.startsWith("${{"))
    throw new InputError(`\`${name}\` is an expression that was not evaluated. Write it under \`with:\` of the step`);
  host.mask(value);
  if (!/^[\x21-\x7e]+$/.test(value))
    throw new InputError(
      `\`${name}\` contains ${describeStranger(value)}, so it is not a key (not shown). Save only the key in the secret, without quotes, \`Bearer\` or a second line`
    );
  if (value.length < 8)
    host.warn(`\`${name}\` is shorter than 8 characters. Masking it also masks other text in the log`);
  return value;
}
function describeStranger(key) {
  if (/[\r\n]/.test(key)) return "a line break";
  return /\s/.test(key) ? "a space" : "a character that is not ASCII";
}
function readPublicWord(host, name) {
  const word = readWord(host, name);
  if (word !== void 0 && /^(?:sk-|ar-|gh[a-z]_|github_pat_|AIza)|^\w{32,}$/.test(word)) host.mask(word);
  return word;
}
function readTask(host) {
  return readAll({
    prompt: () => {
      checkTask(host);
      return readPrompt(host);
    },
    skillSpec: () => readSkillSpec(host),
    modelId: () => readPublicWord(host, "model_id"),
    environmentId: () => readWord(host, "environment_id"),
    name: () => readWord(host, "name"),
    title: () => readTrimmed(host, "title"),
    basePrompt: () => readText2(host, "base_prompt"),
    mcpServers: () => readMcpServers(host),
    harness: () => readPublicWord(host, "harness"),
    outputSchema: () => readDocument2(host, "output_schema"),
    metadata: () => readPairs(host, "metadata", metadataPairs)
  });
}
function readFollow(host) {
  return readAll({
    wait: () => readBoolean(host, "wait", true),
    runId: () => readRunId(host),
    cancel: () => readCancel(host),
    timeoutMs: () => readMinutes(host, "timeout_minutes") ?? defaultTimeoutMs,
    queueTimeoutMs: () => readMinutes(host, "queue_timeout_minutes"),
    stallTimeoutMs: () => readMinutes(host, "stall_timeout_minutes"),
    onTimeout: () => readChoice(host, "on_timeout", ["cancel", "leave"]),
    onBlocked: () => readChoice(host, "on_blocked", ["fail", "wait", "neutral"]),
    rerun: () => readChoice(host, "rerun", ["attach", "new"]),
    lease: () => readBoolean(host, "lease", true)
  });
}
function readRunId(host) {
  const runId = readWord(host, "run_id");
  if (runId === void 0) return void 0;
  if (!/^[A-Za-z0-9._-]{1,200}$/.test(runId))
    throw new InputError(
      `\`run_id\`: ${quoteText(runId)} is not a run id. Use the output \`run_id\` of the step that started the run`
    );
  const given = taskInputs.find((name) => isGiven(host, name));
  if (given === void 0) return runId;
  throw new InputError(
    `\`run_id\` names an existing run, but \`${given}\` is for a new one. Remove one of them${/^true$/i.test(host.readInput("cancel").trim()) ? " (`cancel` starts no run)" : ""}`
  );
}
function readCancel(host) {
  const cancel = readBoolean(host, "cancel", false);
  if (cancel && !isGiven(host, "run_id"))
    throw new InputError("`cancel` is true, but `run_id` is empty. Set `run_id` to the run to cancel");
  return cancel;
}
function readReport(host) {
  return readAll({
    failOn: () => readFailOn(host),
    requireResult: () => readChoice(host, "require_result", ["auto", "true", "false"]),
    log: () => readChoice(host, "log", ["normal", "full", "quiet"]),
    summary: () => readBoolean(host, "summary", true),
    comment: () => readChoice(host, "comment", ["off", "on", "on_failure"]),
    commentKey: () => readWord(host, "comment_key"),
    githubToken: () => readSecret(host, "github_token"),
    resultFile: () => readResultFile(host),
    annotations: () => readBoolean(host, "annotations", true)
  });
}
function readFailOn(host) {
  const words = readWords(host, "fail_on");
  if (words === void 0) return badConclusions;
  if (words.length === 1 && words[0] === "none") return /* @__PURE__ */ new Set();
  return new Set(words.map((word) => checkWord("fail_on", word, conclusions)));
}
function readBots(host) {
  const bots = readWords(host, "allow_bots") ?? [];
  const pattern = bots.find((bot) => bot.includes("*"));
  if (pattern !== void 0)
    throw new InputError(
      `\`allow_bots\`: ${quoteText(pattern)} is a pattern. Write each login in full, such as dependabot[bot]`
    );
  return bots;
}
function readNames(host) {
  const names2 = readWords(host, "pass_env") ?? [];
  const wrong = names2.find((name) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name));
  if (wrong !== void 0)
    throw new InputError(
      `\`pass_env\`: ${describeWrongName(wrong)} is not a variable name. Write only names here, and set the values under \`env:\``
    );
  return names2;
}
function describeWrongName(text) {
  const [name = ""] = text.split("=");
  return isUsualVariableName(name) ? quoteText(name) : "the value (not shown)";
}
function readSkillSpec(host) {
  const text = readWord(host, "skill_spec");
  if (text === void 0) return void 0;
  try {
    parseSkillSpec(text);
    return text;
  } catch (error) {
    throw new InputError(`\`skill_spec\`: ${error instanceof Error ? error.message : error}`);
  }
}
var taskInputs = [
  ...["prompt", "prompt_file", "skill_spec", "model_id", "environment_id", "name", "title", "base_prompt"],
  ...["mcp_servers", "harness", "output_schema", "metadata"]
];
function checkTask(host) {
  if (["prompt", "prompt_file", "skill_spec", "run_id"].some((name) => isGiven(host, name))) return;
  throw new InputError(
    "there is nothing to run. Set `prompt`, `prompt_file` or `skill_spec` under `with:`, or `run_id` to follow an existing run"
  );
}

// src/action/inputs/step-context.ts
function readStepContext(host) {
  const read = (name) => {
    const value = host.readVariable(name)?.trim() ?? "";
    return value === "" ? void 0 : value;
  };
  const [server, repository, runId] = [read("GITHUB_SERVER_URL"), read("GITHUB_REPOSITORY"), read("GITHUB_RUN_ID")];
  const attempt2 = Number(read("GITHUB_RUN_ATTEMPT") ?? "1");
  return {
    repository,
    repositoryId: read("GITHUB_REPOSITORY_ID"),
    runId,
    attempt: Number.isSafeInteger(attempt2) && attempt2 > 0 ? attempt2 : 1,
    workflow: read("GITHUB_WORKFLOW"),
    job: read("GITHUB_JOB"),
    step: read("GITHUB_ACTION"),
    eventName: read("GITHUB_EVENT_NAME"),
    eventPath: read("GITHUB_EVENT_PATH"),
    actor: read("GITHUB_ACTOR"),
    triggeringActor: read("GITHUB_TRIGGERING_ACTOR"),
    ref: read("GITHUB_REF"),
    sha: read("GITHUB_SHA"),
    apiUrl: read("GITHUB_API_URL") ?? "https://api.github.com",
    jobUrl: server && repository && runId ? `${server}/${repository}/actions/runs/${runId}` : void 0,
    workspace: read("GITHUB_WORKSPACE"),
    tempDir: read("RUNNER_TEMP")
  };
}

// src/action/github/step-github.ts
var gitHubLimits = Object.freeze({ gate: 6e4, firstComment: 3e4, lastComment: 6e4, post: 15e3 });
function createStepGitHub(host, { token, apiUrl, network }) {
  return async (use) => {
    const { openGitHub } = await import("./github.js");
    return openGitHub({
      token,
      apiUrl,
      fetch: network.fetch,
      log: (line) => host.print(guardLine(line)),
      ...use
    });
  };
}

// src/action/report/step-comment.ts
function beginComment(host, options) {
  const { inputs, context, github, run, signal } = options;
  const { comment: when } = inputs.report;
  if (when === "off") return void 0;
  const hurry = new AbortController();
  const { jobUrl } = context;
  const open2 = async () => {
    if (github === void 0)
      throw new Error("`comment` needs `github_token`, which is empty. Remove the input to use the token of the job");
    return { kept: await findPlace(options), github };
  };
  const begin2 = async () => {
    let opened;
    try {
      opened = await open2();
      const kept = { ...opened.kept, run };
      saveStepState(host, "comment", JSON.stringify(kept));
      if (when !== "on" || run === void 0) return opened;
      const use = { limitMs: gitHubLimits.firstComment, signal, hurry: hurry.signal };
      await write(host, { kept, github: opened.github, use, jobUrl, state: { kind: "running" } });
    } catch (error) {
      if (opened === void 0 && !signal.aborted)
        host.warn(guardLine(`the comment could not be written: ${error instanceof Error ? error.message : error}`));
    }
    return opened;
  };
  const begun = begin2();
  return {
    async end({ state, title, run: last, isRed: isRed2, signal: over }) {
      hurry.abort();
      const opened = await begun;
      if (opened === void 0 || over.aborted) return;
      const kept = { ...opened.kept, title, run: last };
      const use = { limitMs: gitHubLimits.lastComment, signal: over };
      try {
        await write(host, { kept, github: opened.github, use, jobUrl, state, creates: when === "on" || isRed2 });
      } catch (error) {
        if (await isRefused(error)) saveStepState(host, "is_comment_final", "true");
        throw error;
      }
      saveStepState(host, "is_comment_final", "true");
    }
  };
}
async function isRefused(error) {
  const { GitHubError } = await import("./github-error.js");
  return error instanceof GitHubError && error.isRefusal;
}
async function findPlace({ inputs, context }) {
  const { report, task, leg } = inputs;
  const { readEvent: readEvent2 } = await import("./event.js");
  const event = readEvent2(context);
  const [owner, repo] = event?.repository?.split("/") ?? [];
  const number = event?.subject?.kind === "discussion" ? void 0 : event?.subject?.number;
  if (owner === void 0 || repo === void 0 || number === void 0)
    throw new Error(
      `\`comment\` is ${report.comment}, but the event ${context.eventName ?? "of this job"} has no issue or pull request to comment on`
    );
  const { workflow, job, step } = context;
  const key = report.commentKey ?? [workflow, job, step, leg.matrix === "null" ? "" : leg.matrix].join("/");
  const label = labelOfStep({ matrix: leg.matrix, name: task.name });
  const isOnFailure = report.comment === "on_failure";
  return { owner, repo, number, key, title: task.title, label, run: void 0, isOnFailure };
}
function keepVerdict(host, { sentence, title, ...verdict }) {
  const [said, called] = [sentence, title].map((text) => text && shorten(host, text));
  saveStepState(host, "verdict", JSON.stringify({ ...verdict, sentence: said, title: called }));
}
function keepCancelled(host, title) {
  saveStepState(host, "is_cancelled", "true");
  if (title !== void 0) saveStepState(host, "title", shorten(host, title));
}
function shorten(host, text) {
  return keepHead(host.redact(text), { surface: "annotation" });
}
async function repairComment(host, context, { token, network, sentence }) {
  const text = readStepState(host, "comment");
  if (text === void 0 || token === void 0 || readStepState(host, "is_comment_final") !== void 0) return;
  const kept = JSON.parse(text);
  const said = readStepState(host, "verdict");
  const verdict = said === void 0 ? void 0 : JSON.parse(said);
  const wasCancelled = readStepState(host, "is_cancelled") !== void 0;
  const { apiUrl, jobUrl } = context;
  const github = createStepGitHub(host, { token, apiUrl, network });
  await write(host, {
    kept: { ...kept, title: verdict?.title ?? readStepState(host, "title") ?? kept.title },
    github,
    use: { limitMs: gitHubLimits.post },
    jobUrl,
    state: verdict === void 0 ? { kind: wasCancelled ? "step_cancelled" : "step_gone", sentence } : { kind: "ended", conclusion: verdict.conclusion, sentence: verdict.sentence, result: void 0 },
    creates: !kept.isOnFailure || (verdict?.isRed ?? true)
  });
}
async function write(host, { kept, github, use, creates, jobUrl, state }) {
  const [api, { markerOf, upsertComment }, { printComment }] = await Promise.all([
    github(use),
    import("./comments.js"),
    import("./comment.js")
  ]);
  const { owner, repo, number, key, title, label, run } = kept;
  const marker = markerOf(key);
  const body = printComment({ marker, title, label, run, jobUrl, state }, host.redact);
  await upsertComment(api, { owner, repo, number, marker, body, creates });
}

// src/action/start/run-body.ts
var stepLabel = "agent_run_step";
function printTask(task, prompt, extras) {
  const config = defined({
    name: task.name,
    model_id: task.modelId,
    environment_id: task.environmentId,
    skill_spec: task.skillSpec,
    base_prompt: task.basePrompt,
    mcp_servers: task.mcpServers,
    output_schema: task.outputSchema,
    harness: task.harness === void 0 ? void 0 : { type: task.harness }
  });
  return defined({ prompt, title: task.title, metadata: task.metadata, ...extras, config });
}
function completeBody(task, { stepKey, leaseSeconds }) {
  const metadata = { ...task.metadata, ...defined({ [stepLabel]: stepKey }) };
  return {
    ...task,
    ...Object.keys(metadata).length === 0 ? {} : { metadata },
    ...defined({ lease_seconds: leaseSeconds })
  };
}
function readLeaseSeconds(host) {
  const text = host.readVariable("AGENT_RUN_LEASE_SECONDS")?.trim() ?? "";
  if (text === "") return sizes.followerLeaseSeconds;
  const seconds = Number(text);
  if (!(seconds > 0 && seconds <= sizes.leaseSecondsMax))
    throw new InputError(
      `AGENT_RUN_LEASE_SECONDS: must be a number of seconds above 0, at most ${sizes.leaseSecondsMax}, not ${quoteText(text)}`
    );
  return seconds;
}
function defined(members) {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== void 0));
}

// src/action/start/start-run.ts
var warningsMax = 20;
async function startRun2(start) {
  const earlier = start.looksForEarlier ? await findEarlier(start) : void 0;
  if (earlier !== void 0) {
    start.print(`an earlier attempt of this job has a run that is still open; following it (\`rerun: attach\`)`);
    return { answer: answerOf(earlier), attached: true };
  }
  const key = start.key?.ofAttempt;
  start.onStart(start.key?.ofStep);
  const first = await create(start, key);
  if (!first.isForeign) return { answer: first.answer, attached: false };
  if (!isFinal(first.answer.state)) {
    start.print(
      "a step with the same job, matrix leg and inputs already started this run; following it. Set a different `name` or `title` to start another one"
    );
    return { answer: first.answer, attached: true };
  }
  start.print("a step with the same inputs started a run that has ended; starting a new one");
  const again = await create(start, `${key}-${crypto.randomUUID()}`);
  return { answer: again.answer, attached: false };
}
async function create({ client, task, key, leaseSeconds, limitMs, signal }, idempotencyKey) {
  let isRepeated = false;
  const { data, response } = await client.runs.create(completeBody(task, { stepKey: key?.ofStep, leaseSeconds }), {
    source: "GITHUB_ACTION",
    totalTimeoutMs: limitMs,
    signal,
    onRetry: () => {
      isRepeated = true;
    },
    ...idempotencyKey === void 0 ? {} : { idempotencyKey }
  }).withResponse().catch(explainOtherBody);
  return { answer: data, isForeign: !isRepeated && response.headers.get(headerNames.idempotentReplayed) === "true" };
}
function explainOtherBody(error) {
  const isOther = error instanceof ApiError && error.status === 422 && error.headers.has("location");
  if (!isOther) throw error;
  throw new InputError(
    "another step of this job has the same inputs and differs only in `wait` or `lease`; give each step its own `name` or `title`"
  );
}
async function findEarlier({ client, key, signal }) {
  return key === void 0 ? void 0 : await findAlive(client, key.ofStep, { signal });
}
async function findAlive(client, stepKey, options = {}) {
  const filter = { metadata: { [stepLabel]: stepKey }, sort_by: "created_at", sort_order: "desc", limit: 10 };
  try {
    const page = await throughPages(async () => await client.runs.list(filter, options), {
      limitMs: options.totalTimeoutMs,
      signal: options.signal
    });
    return page.runs.find((run) => run.metadata?.[stepLabel] === stepKey && isAlive(run));
  } catch (error) {
    if (error instanceof ApiError && cannotLook(error)) return void 0;
    throw error;
  }
}
function cannotLook(error) {
  if (error.status === 404 || error.status === 405) return true;
  return error.status < 500 && ![401, 403, 429].includes(error.status) && !isPage(error);
}
function isAlive(run) {
  return !isFinal(run.state) && (run.cancel_requested_at ?? void 0) === void 0;
}
function readWarnings({ warnings }) {
  const said = Array.isArray(warnings) ? warnings : [];
  return said.slice(0, warningsMax).filter((warning) => typeof warning === "string");
}
function answerOf(run) {
  const { run_id, task_id, state, session_link } = run;
  return { run_id, task_id, state, ...session_link === void 0 ? {} : { session_link } };
}

// src/action/post-action.ts
var limits = { requestMs: 1e4, lookMs: 2e3 };
async function postAction(host) {
  const isRunOpen = mayLeaveRun(host);
  const isCommentOpen = mayLeaveComment(host);
  if (!isRunOpen && !isCommentOpen) return;
  const state = readStepState(host, "last_state");
  let sentence = state === void 0 ? "The step was stopped before it knew the outcome of the run" : `The step was stopped. The run is ${state}`;
  await attempt(host, "the clean-up could not begin", async () => {
    const place = readPlace(host);
    const network = await openStepNetwork(host, place);
    try {
      if (isRunOpen)
        await attempt(host, "the run could not be stopped, and ends with its lease if it has one", async () => {
          const fate = await stopRun(host, connectToServer(host, { place, network, logLevel: "warn" }));
          if (fate !== void 0) sentence = `The step was stopped. ${fate}`;
        });
      if (isCommentOpen)
        await attempt(host, "the comment could not be corrected", async () => {
          const token = readSecret(host, "github_token");
          await repairComment(host, readStepContext(host), { token, network, sentence });
        });
    } finally {
      await network.close();
    }
  });
}
async function attempt(host, what, act) {
  try {
    await act();
  } catch (error) {
    host.warn(guardNote(`${what}: ${error instanceof Error ? error.message : error}`));
  }
}
function mayLeaveRun(host) {
  if (readStepState(host, "is_done") !== void 0 || readStepState(host, "is_embedded") !== void 0) return false;
  return readStepState(host, "run_id") !== void 0 || readStepState(host, "step_key") !== void 0;
}
function mayLeaveComment(host) {
  return readStepState(host, "comment") !== void 0 && readStepState(host, "is_comment_final") === void 0;
}
async function stopRun(host, { client }) {
  const { requestMs, lookMs } = limits;
  const [knownId, stepKey] = [readStepState(host, "run_id"), readStepState(host, "step_key")];
  const run = knownId === void 0 ? await findAlive(client, stepKey ?? "", { totalTimeoutMs: requestMs }) : await client.runs.retrieve(knownId, { totalTimeoutMs: lookMs, maxRetries: 1 }).catch(() => void 0);
  const runId = knownId ?? run?.run_id;
  if (runId === void 0) return void 0;
  if (run !== void 0 && isFinal(run.state)) return `The run is ${run.state}`;
  try {
    const last = await cancelRun(client, runId, { ...limits, reason: "the step that followed it is over" });
    const state = last?.state ?? run?.state;
    const now = state === void 0 ? "its state is unknown" : `it is now ${state}`;
    host.print(guardLine(`run ${runId} was still running and was told to stop; ${now}`));
    return `The run ${state === void 0 ? "was told to stop" : `is ${state}`}`;
  } catch (error) {
    if (!(error instanceof RunLostError)) throw error;
    const fate = explainNoCancel(error, runId);
    host.print(guardLine(fate));
    return fate;
  }
}

// src/action/follow/cancellation.ts
var wholeMs = 4500;
var lateMs = 2e3;
function listenForCancel(host) {
  const cancel = new AbortController();
  const late = new AbortController();
  let endsAt = Number.POSITIVE_INFINITY;
  const stopListening = host.onCancel(() => {
    endsAt = performance.now() + wholeMs;
    setTimeout(() => late.abort(), lateMs).unref();
    cancel.abort();
  });
  return {
    signal: cancel.signal,
    lateSignal: late.signal,
    leftMs: () => Math.max(1, endsAt - performance.now()),
    stopListening
  };
}

// src/action/follow/follow-run.ts
var requestShare = 0.7;
var onTimeoutMs = Object.freeze({ requestMs: 3e4, lookMs: 2e4 });
var releaseMs = 1e4;
var lastEventsMs = 500;
async function followToEnd(following) {
  const { connection, cancellation, inputs, runId, liveLog } = following;
  let last;
  let lastSeq = 0;
  try {
    const limits2 = limitsOf(inputs);
    const onEvent = (event) => {
      lastSeq = event.seq;
      liveLog.noteEvent(event);
    };
    const shown = { onEvent, onStatesOnly: liveLog.noteStatesOnly };
    for await (const seen of connection.client.runs.follow(runId, {
      signal: cancellation.signal,
      ...shown,
      ...limits2
    })) {
      const run = tidyRun(seen);
      last = run;
      liveLog.noteRun(run);
      if (isFinal(run.state)) return { happening: { kind: "ended" }, run, isDone: true };
      if (run.state === "BLOCKED" && inputs.onBlocked !== "wait") {
        await leave(following);
        return { happening: { kind: "blocked", isWanted: inputs.onBlocked === "neutral" }, run, isDone: true };
      }
    }
    throw new Error("following ended before the run did");
  } catch (error) {
    if (error instanceof AbortedError) {
      const requestMs = Math.ceil(cancellation.leftMs() * requestShare);
      const reason = "the step was canceled";
      const lookMs = () => cancellation.leftMs();
      const { run, stopping: stopping2, isDone } = await stop(following, last, { reason, requestMs, lookMs });
      await showEnd(following, run, lastSeq);
      return { happening: { kind: "step_cancelled", stopping: stopping2 }, run, isDone };
    }
    if (error instanceof FollowTimeoutError) {
      const { why, phase } = explainTimeout(error, following, last?.state);
      if (inputs.onTimeout === "leave") {
        await leave(following);
        const run2 = await lookOnce(connection.client, runId, cancellation.signal);
        const fate = run2 === void 0 ? "The run may still be running on the server" : "The run continues";
        const stopping3 = `${fate} (\`on_timeout: leave\`)`;
        return { happening: { kind: "timed_out", why, phase, stopping: stopping3 }, run: run2 ?? last, isDone: true };
      }
      const { run, stopping: stopping2, isDone } = await stop(following, last, {
        reason: why,
        ...onTimeoutMs,
        signal: cancellation.lateSignal
      });
      await showEnd(following, run, lastSeq);
      return { happening: { kind: "timed_out", why, phase, stopping: stopping2 }, run, isDone };
    }
    const lost = error instanceof RunLostError ? `The server no longer knows the run ${runId}` : `The step lost contact with the run ${runId}, so its outcome is unknown`;
    return { happening: { kind: "lost", why: `${lost}: ${messageOf2(error)}` }, run: last, isDone: false };
  }
}
async function cancelAndFollow(following) {
  const { connection, runId, inputs, cancellation } = following;
  try {
    const reason = "a step with `cancel: true`";
    const signal = cancellation.lateSignal;
    await cancelRun(connection.client, runId, { reason, requestMs: 6e4, lookMs: 1, signal });
  } catch (error) {
    const isDone = !cancellation.signal.aborted;
    return { happening: { kind: "cancel_asked", problem: explainNoCancel(error, runId) }, isDone };
  }
  if (!inputs.wait) {
    const run = await lookOnce(connection.client, runId, cancellation.lateSignal);
    const isEnded = run !== void 0 && isFinal(run.state) && run.state !== "CANCELLED";
    return { happening: { kind: isEnded ? "cancel_asked" : "started" }, run, isDone: true };
  }
  const ending = await followToEnd(following);
  return ending.happening.kind === "ended" ? { ...ending, happening: { kind: "cancel_asked" } } : ending;
}
function limitsOf({ timeoutMs, queueTimeoutMs, stallTimeoutMs }) {
  return queueTimeoutMs === void 0 ? { timeoutMs, stallTimeoutMs } : { runTimeoutMs: timeoutMs, queueTimeoutMs, stallTimeoutMs };
}
function explainTimeout(error, { inputs, liveLog }, state) {
  const { phase, limit } = error;
  const { timeoutMs, queueTimeoutMs = 0, stallTimeoutMs = 0 } = inputs;
  if (phase === void 0) {
    const last = error.cause === void 0 ? "" : `. The last error: ${messageOf2(error.cause)}`;
    const input = limit === "queue" ? "queue_timeout_minutes" : "timeout_minutes";
    const time2 = describeSpan(error.timeoutMs ?? 0);
    return { phase: "follow", why: `The server did not answer with the run within ${time2} (\`${input}\`)${last}` };
  }
  if (limit === "queue") {
    const time2 = describeSpan(queueTimeoutMs);
    return { phase, why: `The run was still queued after ${time2}. Raise \`queue_timeout_minutes\`, or start it later` };
  }
  if (limit === "stall") {
    const time2 = describeSpan(stallTimeoutMs);
    return {
      phase,
      why: `The run stalled: it showed no activity for ${time2}. Raise \`stall_timeout_minutes\` if it needs longer`
    };
  }
  const time = `The run timed out after ${describeSpan(timeoutMs)}`;
  if (phase === "queue")
    return { phase, why: `${time}, still in the queue. Raise \`timeout_minutes\`, or start it later` };
  if (state === "BLOCKED")
    return {
      phase,
      why: `${time}: nobody answered the agent's question. Answer it in time, or raise \`timeout_minutes\``
    };
  const where = liveLog.describeOpenCall(timeoutMs);
  return { phase, why: `${time}${where}. Raise \`timeout_minutes\`, or give the agent a smaller task` };
}
async function leave({ connection, runId, inputs, cancellation }) {
  if (!inputs.lease) return;
  try {
    const signal = cancellation.lateSignal;
    await throughPages((totalTimeoutMs) => connection.client.runs.releaseLease(runId, { totalTimeoutMs, signal }), {
      limitMs: releaseMs,
      signal
    });
  } catch {
  }
}
async function lookOnce(client, runId, signal) {
  try {
    return tidyRun(await client.runs.retrieve(runId, { totalTimeoutMs: releaseMs, signal }));
  } catch {
    return void 0;
  }
}
async function stop({ connection, runId, liveLog }, last, cancelling) {
  try {
    const run = await cancelRun(connection.client, runId, cancelling) ?? last;
    if (run !== void 0) liveLog.noteRun(run);
    const stopping2 = `The run was told to stop${connection.isEmbedded ? ", and ends with the step at the latest" : ""}`;
    return { run, stopping: stopping2, isDone: run !== void 0 && isFinal(run.state) };
  } catch (error) {
    return { run: last, stopping: explainNoCancel(error, runId), isDone: error instanceof RunLostError };
  }
}
async function showEnd({ connection, runId, liveLog, cancellation }, run, after) {
  if (!connection.isEmbedded || run === void 0 || !isFinal(run.state)) return;
  const signal = AbortSignal.timeout(Math.ceil(Math.min(lastEventsMs, cancellation.leftMs())));
  try {
    for await (const event of connection.client.runs.events(runId, { after, signal })) liveLog.noteEvent(event);
  } catch {
  }
}
function messageOf2(error) {
  return error instanceof Error ? error.message : String(error);
}

// src/base/usage-total.ts
var namesMax = 50;
var UsageTotal = class {
  #values = /* @__PURE__ */ new Map();
  add(data) {
    for (const [name, value] of Object.entries(data)) {
      if (typeof value !== "number" && typeof value !== "string" && typeof value !== "boolean") continue;
      if (name.length > 100 || String(value).length > 200) continue;
      if (this.#values.has(name) || this.#values.size < namesMax) this.#values.set(name, value);
    }
  }
  read() {
    return this.#values.size === 0 ? void 0 : Object.fromEntries(this.#values);
  }
};
function listUsage(usage) {
  return Object.entries(usage).filter(([name]) => name !== "inference_cost_usd" || usage.cost_usd === void 0);
}
function printUsage(usage) {
  return listUsage(usage).filter(([, value]) => typeof value === "number" || typeof value === "string").map(([name, value]) => `${name.replaceAll("_", " ")} ${printAmount(value)}`).join(" · ");
}
function printAmount(value) {
  return typeof value === "number" ? value.toLocaleString("en-GB", { maximumFractionDigits: 4 }) : String(value);
}

// src/action/follow/recent-lines.ts
var RecentLines = class {
  #max;
  #lines = [];
  #count = 0;
  constructor(max) {
    this.#max = max;
  }
  /** How many there were in all. */
  get count() {
    return this.#count;
  }
  add(line) {
    this.#count += 1;
    this.#lines.push(keepHead(line, { surface: "logLine", room: longestUnits }));
    if (this.#lines.length > this.#max) this.#lines.shift();
  }
  /** The last of them, at most `count`, that have `budgets.lastLines` together. */
  last(count) {
    let left = budgets.lastLines.max;
    let first = this.#lines.length;
    for (; first > Math.max(0, this.#lines.length - count); first -= 1) {
      left -= measureText(this.#lines[first - 1] ?? "", "lastLines") + 1;
      if (left < 0) break;
    }
    return this.#lines.slice(first);
  }
};
var longestUnits = 2e3;

// src/action/follow/event-printer.ts
var outputTitle = "Output";
var streams = /* @__PURE__ */ new Set(["stdout", "stderr", "system"]);
var toldLinesMax = 3;
var ofModel = /^(?:the model|Codex|Gemini CLI|opencode)\b/;
var keptOutputLines = 20;
var waitingMax = 200;
var EventPrinter = class {
  #printing;
  #lines = new EventLines();
  /** Since the last line of the agent. */
  #told = new RecentLines(toldLinesMax);
  #recent = new RecentLines(lineBudgets.logEnd);
  /** What was not shown because the budget was over. */
  #hidden = new RecentLines(lineBudgets.logEnd);
  #calls = new OpenCalls();
  /** Calls that are not shown yet: another one is at work, whose result would come below theirs. */
  #waiting = [];
  /** The call whose group is open. */
  #shownCall;
  #group;
  #lastEvent = { atMs: 0, seenMs: performance.now() };
  #linesLeft;
  #bytesLeft;
  constructor(printing) {
    this.#printing = printing;
    const isCut = printing.level !== "full";
    this.#linesLeft = isCut ? lineBudgets.log : Number.POSITIVE_INFINITY;
    this.#bytesLeft = isCut ? budgets.log.max : Number.POSITIVE_INFINITY;
  }
  /** A line of our own, outside every group. It comes in each level, however much was printed. */
  say(line) {
    this.#closeGroup();
    this.#printing.host.print(guardLine(line));
  }
  /** Redacts first: masks do not know a part of a secret, and much of it is cut. */
  print(given) {
    const event = { ...given, data: redactAll(given.data, this.#printing.redact) };
    const atMs = Date.parse(event.at);
    this.#lastEvent = { atMs, seenMs: performance.now() };
    switch (event.type) {
      case "log": {
        const { stream } = event.data;
        const data = { stream: streams.has(stream) ? stream : "stdout", text: textOfValue(event.data.text) };
        const lines = this.#lines.read({ ...event, data }).map(({ text }) => text);
        if (data.stream !== "system") this.#showOutput(lines);
        else {
          if (event.data.level !== "warning") {
            for (const line of lines) if (!line.startsWith("workspace: ")) this.#told.add(line);
          }
          this.#showLines(lines);
        }
        return;
      }
      case "message": {
        const { role, text } = event.data;
        this.#showWaiting();
        this.#closeGroup();
        const lines = this.#linesOf(textOfValue(text));
        this.#keepRecent(lines);
        this.#show([guardLine(`${textOfValue(role)}:`), ...lines.flatMap(guardLines)]);
        return;
      }
      case "tool_call": {
        const { id, name, input } = event.data;
        if (this.#waiting.length === waitingMax) this.#showWaiting();
        const call = this.#calls.begin(textOfValue(id), textOfValue(name), { input, atMs });
        if (this.#shownCall === void 0) this.#showCall(call);
        else this.#waiting.push(call);
        return;
      }
      case "tool_result":
        this.#showResult(event.data, atMs);
        return;
      default:
    }
  }
  /** `, 28 of them in \`npm test\``: which call a time of the step went to; '' where none is at work. */
  describeOpenCall(allMs) {
    const { atMs, seenMs } = this.#lastEvent;
    return this.#calls.describeOldest(atMs + performance.now() - seenMs, allMs);
  }
  /** Shows what came without an end of its line, where nothing more can come. */
  endLines() {
    this.#showOutput(this.#lines.finish().map(({ text }) => text));
  }
  /** The end: the last lines, where they were not shown. */
  finish() {
    this.endLines();
    this.#showWaiting();
    this.#closeGroup();
    const { count } = this.#hidden;
    if (count === 0 || this.#printing.level === "quiet") return;
    const lines = this.#hidden.last(lineBudgets.logEnd);
    this.#printing.host.group(guardTitle(`The last ${lines.length} of ${count} lines that were left out`));
    for (const line of lines) this.#printing.host.print(line);
    this.#printing.host.endGroup();
  }
  /** The last lines of the agent's messages, calls and output, as they were shown, with what was said of the run among them. */
  lastLines() {
    const told = this.#told.last(toldLinesMax);
    if (this.#recent.count === 0 && !told.some((line) => ofModel.test(line))) return [];
    return [...this.#recent.last(lineBudgets.lastLines - told.length), ...told];
  }
  #keepRecent(lines) {
    if (lines.length === 0) return;
    for (const line of [...this.#told.last(toldLinesMax), ...lines]) this.#recent.add(line);
    this.#told = new RecentLines(toldLinesMax);
  }
  #showOutput(lines) {
    if (lines.length > 0) this.#showWaiting();
    this.#keepRecent(lines);
    this.#showLines(lines);
  }
  #showLines(lines) {
    if (lines.length === 0) return;
    this.#showWaiting();
    this.#openGroup(outputTitle);
    this.#show(lines.flatMap((line) => guardLines(this.#cutLine(line))));
  }
  #showCall(call) {
    this.#closeGroup();
    this.#openGroup(call.title);
    this.#shownCall = call;
    this.#keepRecent([call.title]);
    this.#show(this.#linesOf(call.text, keepHead).flatMap(guardLines));
  }
  #showWaiting() {
    const calls = this.#waiting;
    this.#waiting = [];
    for (const call of calls) this.#showCall(call);
  }
  #showResult(data, atMs) {
    const call = this.#calls.end(textOfValue(data.id));
    if (call !== void 0 && this.#waiting.includes(call)) {
      this.#waiting = this.#waiting.filter((other) => other !== call);
      this.#showCall(call);
    } else if (call === void 0 || this.#shownCall !== call) {
      const title = `${call?.title ?? "tool"} (result)`;
      this.#closeGroup();
      this.#openGroup(title);
      this.#keepRecent([title]);
    }
    const lines = this.#linesOf(textOfValue(data.output), keepTail);
    this.#show(lines.flatMap(guardLines));
    const end2 = describeCallEnd(data, call && atMs - call.sinceMs);
    const [first = "", second] = lines;
    if (second !== void 0 || end2?.endsWith(`: ${first}`) !== true)
      this.#keepRecent(lines.slice(-keptOutputLines).map((line) => `  ${line}`));
    if (end2 !== void 0) this.#keepRecent([end2]);
    if (data.is_error) this.#closeGroup();
    if (end2 !== void 0) this.#show([guardLine(end2)]);
    this.#closeGroup();
    const next = this.#waiting.shift();
    if (next !== void 0) this.#showCall(next);
  }
  #linesOf(text, cut2) {
    const shown = cut2 === void 0 || this.#printing.level === "full" ? text : cut2(text, { surface: "logLine", room: toolUnits });
    return shown === "" ? [] : shown.replace(/\n$/, "").split("\n").map((line) => this.#cutLine(line));
  }
  #cutLine(line) {
    return this.#printing.level === "full" ? line : keepHead(line, { surface: "logLine" });
  }
  #openGroup(title) {
    if (this.#group === title) return;
    this.#closeGroup();
    if (this.#printing.level === "quiet" || this.#linesLeft <= 0) return;
    this.#group = title;
    this.#printing.host.group(guardTitle(title));
  }
  #closeGroup() {
    if (this.#group !== void 0) this.#printing.host.endGroup();
    this.#group = void 0;
    this.#shownCall = void 0;
  }
  /** Prints guarded lines as long as there is room for them. */
  #show(lines) {
    if (this.#printing.level === "quiet") return;
    for (const line of lines) {
      if (this.#linesLeft <= 0) {
        this.#hidden.add(line);
        continue;
      }
      this.#linesLeft -= 1;
      this.#bytesLeft -= measureText(line, "log") + 1;
      if (this.#linesLeft > 0 && this.#bytesLeft >= 0) this.#printing.host.print(line);
      else this.#cut(line);
    }
  }
  #cut(line) {
    this.#linesLeft = 0;
    this.#hidden.add(line);
    const { address } = this.#printing;
    const where = address === void 0 ? "Set `log: full` to see all of it" : `All of it is at ${address}`;
    this.say(`The log is long, so the rest of the agent's output is left out here. ${where}`);
  }
};

// src/action/follow/run-warnings.ts
var keptMax = 8;
var RunWarnings = class {
  #texts = /* @__PURE__ */ new Set();
  #leftOut = 0;
  note(event) {
    if (event.type !== "log" || event.data.stream !== "system" || event.data.level !== "warning") return;
    const text = keepHead(textOfValue(event.data.text), { surface: "annotation" }).replace(/^warning: /, "").trim();
    if (text === "" || this.#texts.has(text)) return;
    if (this.#texts.size < keptMax) this.#texts.add(text);
    else this.#leftOut += 1;
  }
  /** As they came, each once; a last one says how many were left out. */
  list() {
    return [...this.#texts, ...this.#leftOut === 0 ? [] : [`${this.#leftOut} more warnings are in the run's log`]];
  }
};

// src/action/follow/state-history.ts
var changesMax = 100;
var stateUnits = 100;
var StateHistory = class {
  #byEvents = [];
  #byRuns = [];
  #shown;
  /** The number of the last event that the shown state reflects. */
  #shownSeq = 0;
  /** The state, where it is news for a reader. */
  noteRun({
    state,
    last_seq = this.#shownSeq,
    updated_at
  }) {
    if (last_seq < this.#shownSeq) return void 0;
    keepChange(this.#byRuns, { state: cut(state), at: updated_at });
    return this.#show(cut(state), last_seq);
  }
  /** The same of an event; `seq` is 0 where events are only made of the run. */
  noteEvent({ state, at, seq }) {
    keepChange(this.#byEvents, { state: cut(state), at });
    return seq > 0 && seq <= this.#shownSeq ? void 0 : this.#show(cut(state), seq);
  }
  /** Every change, from the first on. */
  list() {
    const last = this.#byRuns.at(-1);
    if (this.#byEvents.length === 0) return [...this.#byRuns];
    const isMissing2 = last !== void 0 && last.state !== this.#byEvents.at(-1)?.state && last.state === this.#shown;
    return isMissing2 ? [...this.#byEvents, last] : [...this.#byEvents];
  }
  #show(state, seq) {
    this.#shownSeq = Math.max(this.#shownSeq, seq);
    if (state === this.#shown) return void 0;
    this.#shown = state;
    return state;
  }
};
function keepChange(changes, change) {
  if (changes.at(-1)?.state === change.state) return;
  changes.push(change);
  if (changes.length > changesMax) changes.shift();
}
function cut(state) {
  return String(state).slice(0, stateUnits);
}

// src/action/follow/live-log.ts
var defaultHeartbeatMs = 6e4;
var statesTellable = 20;
function startLiveLog(host, { silentMs }, { level, address, onState, heartbeatMs = defaultHeartbeatMs }) {
  const startedAt = performance.now();
  let printedAt = startedAt;
  const print = (line) => {
    printedAt = performance.now();
    host.print(line);
  };
  const printer = new EventPrinter({
    host: { print, group: (title) => host.group(title), endGroup: () => host.endGroup() },
    level,
    redact: host.redact,
    address: address === "" ? void 0 : address
  });
  const history = new StateHistory();
  const usage = new UsageTotal();
  const warnings = new RunWarnings();
  let isBroken = false;
  let statesTold = 0;
  const attempt2 = (show2) => {
    try {
      show2();
    } catch (error) {
      if (!isBroken) printer.say(`the log has a gap: ${error instanceof Error ? error.message : error}`);
      isBroken = true;
    }
  };
  const sayState = (state) => {
    if (state === void 0) return;
    printer.say(`state: ${state}`);
    statesTold += 1;
    if (statesTold <= statesTellable) onState?.(state);
  };
  const heartbeat = setInterval(() => {
    if (performance.now() - printedAt >= heartbeatMs * 0.98)
      attempt2(() => printer.say(describeSilence(performance.now() - startedAt, silentMs())));
  }, heartbeatMs);
  return {
    noteRun: (run) => attempt2(() => sayState(history.noteRun(run))),
    noteEvent: (event) => attempt2(() => {
      warnings.note(event);
      if (event.type === "state") {
        printer.endLines();
        sayState(history.noteEvent({ state: event.data.state, at: event.at, seq: event.seq }));
      } else if (event.type === "usage") usage.add(event.data);
      else printer.print(event);
    }),
    noteStatesOnly: () => attempt2(() => printer.say("this server does not send the log of the agent, only the state of the run")),
    stop() {
      clearInterval(heartbeat);
      attempt2(() => printer.finish());
    },
    lastLines: () => printer.lastLines(),
    // With every other level they are right above the end.
    unseenLines: () => level === "quiet" ? printer.lastLines() : [],
    describeOpenCall: (allMs) => printer.describeOpenCall(allMs),
    states: () => history.list(),
    warnings: () => warnings.list(),
    usage: () => usage.read()
  };
}
function describeSilence(runningMs, silentMs) {
  const minutes = (ms) => Math.round(ms / 6e4);
  if (silentMs >= defaultHeartbeatMs)
    return `the server has not answered for ${minutes(silentMs)} min, so the state of the run is unknown`;
  return `still running after ${minutes(runningMs)} min`;
}
function printLastLines(host, lines) {
  if (lines.length > 0) host.print("the last lines of the run:");
  for (const line of lines) for (const guarded of guardLines(line)) host.print(guarded);
}

// src/action/report/outputs.ts
var emptyOutputs = {
  run_id: "",
  run_url: "",
  state: "",
  conclusion: "start_failed",
  failure_reason: "The step ended before it reported a result",
  failure_phase: "step",
  title: "",
  name: "",
  session_id: "",
  session_link: "",
  result: "",
  result_json: "null",
  result_file: "",
  result_truncated: "false",
  result_empty: "true",
  status_message: "",
  error_code: "",
  artifacts: "[]",
  artifacts_folder: "",
  pull_request_url: "",
  patch_file: "",
  usage: "{}",
  created_at: "",
  started_at: "",
  finished_at: "",
  duration_seconds: "",
  attached: "false"
};
var unendedOutputs = {
  conclusion: "lost",
  failure_reason: "The step ended before it reported the result of the run",
  failure_phase: "step"
};
function setOutputs(host, outputs) {
  for (const [name, value] of Object.entries(outputs)) host.setOutput(name, value);
}
function outputsOfRun(run, { usage, link: link3 }) {
  const durationSeconds = workedSeconds(run);
  return {
    state: say2(run.state),
    title: say2(run.title),
    name: say2(run.agent_config?.name),
    session_id: say2(run.session_id),
    status_message: say2(run.status_message?.message),
    error_code: say2(readCode2(run)),
    ...outputOfArtifacts(run),
    pull_request_url: findPullRequest(run) ?? "",
    usage: jsonWithin(isObject(usage) ? usage : {}, "{}"),
    created_at: say2(run.created_at),
    started_at: say2(run.started_at),
    finished_at: say2(run.finished_at),
    duration_seconds: durationSeconds === void 0 ? "" : String(durationSeconds),
    ...link3 === void 0 ? {} : { session_link: link3 }
  };
}
function outputOfArtifacts({ artifacts }) {
  return { artifacts: jsonWithin(artifacts ?? [], "[]") };
}
function say2(value) {
  return typeof value === "string" ? keepHead(value, { surface: "words" }) : "";
}
function workedSeconds(run) {
  if (typeof run.started_at !== "string" || !isFinal(run.state)) return void 0;
  const [, measured] = /^PT([\d.]+)S$/.exec(String(run.run_time)) ?? [];
  const ms = measured === void 0 ? Date.parse(run.finished_at ?? run.updated_at) - Date.parse(run.started_at) : Number(measured) * 1e3;
  return Number.isFinite(ms) ? Math.max(0, Math.round(ms / 100) / 10) : void 0;
}
function findPullRequest({ artifacts }) {
  const urls = (Array.isArray(artifacts) ? artifacts : []).flatMap((artifact) => {
    const { artifact_type, data } = isObject(artifact) ? artifact : {};
    return artifact_type === "PULL_REQUEST" && isObject(data) && typeof data.url === "string" ? [data.url] : [];
  });
  return urls.findLast((url) => /^https?:\/\/[!-~]+$/.test(url));
}
function jsonWithin(value, otherwise) {
  const text = JSON.stringify(value);
  return measureText(text, "list") <= budgets.list.max ? text : otherwise;
}

// src/action/report/report.ts
import { join as join4 } from "node:path";

// src/base/artifact-files.ts
import { open, rm } from "node:fs/promises";
import { dirname as dirname4, join as join2, parse as parse2 } from "node:path";

// src/base/make-folder.ts
import { mkdir, stat } from "node:fs/promises";
import { dirname as dirname3 } from "node:path";
async function makeFolder(path) {
  try {
    await mkdir(path);
  } catch (error) {
    const parent = dirname3(path);
    if (!isMissing(error) || parent === path) return await expectFolder(path, error);
    await makeFolder(parent);
    await mkdir(path).catch((again) => expectFolder(path, again));
  }
}
async function expectFolder(path, error) {
  const found = await stat(path).catch(() => void 0);
  if (found?.isDirectory() !== true) throw error;
}
function isMissing(error) {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

// src/base/artifact-files.ts
async function* downloadArtifact(source, uid, { name, bytesMax, signal }) {
  const answer = await source.get(`/agent/artifacts/${encodeURIComponent(uid)}`, { signal });
  const address = isObject(answer) && isObject(answer.data) ? answer.data.download_url : void 0;
  if (typeof address !== "string" || !/^https?:\/\//.test(address))
    throw new Error(`the server returned no download URL for ${name}`);
  const response = await source.fetch(address, { signal, redirect: "error" });
  if (!response.ok || response.body === null)
    throw new Error(`${name} could not be downloaded: status ${response.status}`);
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.length;
    if (size > bytesMax) throw new Error(`${name} is larger than the limit of ${bytesMax} bytes`);
    yield chunk;
  }
}
async function saveArtifacts(source, artifacts, { folder, bytesMax, signal }) {
  const paths = /* @__PURE__ */ new Map();
  const faults = [];
  const taken2 = /* @__PURE__ */ new Set();
  let left = bytesMax;
  for (const { uid, name } of artifacts.flatMap(readFile2)) {
    signal.throwIfAborted();
    try {
      const path = join2(folder, findFree(makePortable(name), taken2));
      left -= await writeArtifact(path, downloadArtifact(source, uid, { name, bytesMax: left, signal }));
      paths.set(uid, path);
    } catch (error) {
      signal.throwIfAborted();
      faults.push(explain(error, name));
    }
  }
  return { paths, faults };
}
function readFile2(artifact) {
  const { artifact_type: type, data } = isObject(artifact) ? artifact : {};
  if (type !== "FILE" || !isObject(data) || typeof data.artifact_uid !== "string") return [];
  const name = [data.filepath, data.filename].find((text) => typeof text === "string" && text !== "");
  return [{ uid: data.artifact_uid, name: typeof name === "string" ? name : data.artifact_uid }];
}
var unportable = /["*:<>?\\|]/g;
function makePortable(name) {
  const parts = name.split("/");
  if (parts.some((part) => ["", ".", ".."].includes(part) || part.includes("\0")))
    throw new Error(`${name} is not a safe relative path, so it was not written`);
  return parts.map((part) => plainLine(part, "_").replace(unportable, "_")).join("/");
}
function findFree(path, taken2) {
  const { dir, name, ext } = parse2(path);
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? path : join2(dir, `${name}-${number}${ext}`);
    const key = free.normalize().toLowerCase();
    if (!taken2.has(key) && taken2.add(key)) return free;
  }
}
async function writeArtifact(path, chunks) {
  await makeFolder(dirname4(path));
  const file = await open(path, "wx");
  try {
    let size = 0;
    for await (const chunk of chunks) {
      await file.writeFile(chunk);
      size += chunk.length;
    }
    return size;
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}
function explain(error, name) {
  const code = error instanceof Error && "code" in error ? error.code : void 0;
  if (code === "EEXIST") return `${name} already exists and was not overwritten`;
  if (code === "ENOTDIR") return `${name} was not written, because part of its path is a file`;
  const message = error instanceof Error ? error.message : String(error);
  return message.includes(name) ? message : `${name}: ${message}`;
}

// src/action/report/patch-file.ts
import { writeFile } from "node:fs/promises";
var patchName = "changes.patch";
var patchBytes = 64 * 1024 * 1024;
function findPatch(run) {
  const data = (run.artifacts ?? []).findLast(isPatch)?.data;
  const uid = isObject(data) ? data.artifact_uid : void 0;
  return typeof uid === "string" ? uid : void 0;
}
function isPatch({
  artifact_type,
  data
}) {
  if (artifact_type !== "FILE" || !isObject(data)) return false;
  return data.filename === patchName && (data.filepath === void 0 || data.filepath === patchName);
}
async function writePatchFile(connection, uid, { path, signal }) {
  const chunks = [];
  const download = { name: patchName, bytesMax: patchBytes, signal };
  for await (const chunk of downloadArtifact(sourceOf(connection), uid, download)) chunks.push(chunk);
  await writeFile(path, chunks, { flag: "wx" });
  return listChanges(Buffer.concat(chunks).toString());
}
function sourceOf({ client, fetch }) {
  return { get: (path, options) => client.get(path, options), fetch };
}

// src/action/report/kept-artifacts.ts
async function keepArtifacts(connection, run, { folder, except, signal }) {
  const files = (run.artifacts ?? []).filter((artifact) => uidOf(artifact) !== except);
  return await saveArtifacts(sourceOf(connection), files, { folder, bytesMax: sizes.artifactBytes, signal });
}
function hasFiles(run, except) {
  return (run.artifacts ?? []).some((artifact) => uidOf(artifact) !== void 0 && uidOf(artifact) !== except);
}
function tellPaths(run, paths) {
  if (run.artifacts === void 0) return run;
  const artifacts = run.artifacts.map((artifact) => {
    const uid = uidOf(artifact);
    return uid === void 0 ? artifact : { ...artifact, data: { ...artifact.data, path: paths.get(uid) ?? null } };
  });
  return { ...run, artifacts };
}
function uidOf({ artifact_type, data }) {
  const uid = artifact_type === "FILE" && isObject(data) ? data.artifact_uid : void 0;
  return typeof uid === "string" ? uid : void 0;
}

// src/action/report/report-time.ts
var reportTimes = Object.freeze({ wholeMs: 12e4, readMs: 6e4 });
var hurriedWriteMs = 1e3;
function startReportTime(stop2, { wholeMs: wholeMs2, readMs } = reportTimes) {
  const [reading, telling, writing] = [new AbortController(), new AbortController(), new AbortController()];
  const timers = [];
  const abortAfter = (ms, why, ...controllers) => {
    const abort = () => {
      for (const controller of controllers) controller.abort(new Error(why));
    };
    timers.push(setTimeout(abort, ms));
  };
  const over = (ms) => `the limit of ${ms / 1e3} s for reporting was reached`;
  abortAfter(readMs, over(readMs), reading);
  abortAfter(wholeMs2, over(wholeMs2), telling, writing);
  const hurry = () => {
    for (const controller of [reading, telling]) controller.abort(new Error(stopping));
    abortAfter(hurriedWriteMs, stopping, writing);
  };
  stop2.addEventListener("abort", hurry, { once: true });
  if (stop2.aborted) hurry();
  return {
    reading: reading.signal,
    telling: telling.signal,
    writing: writing.signal,
    end() {
      stop2.removeEventListener("abort", hurry);
      for (const timer of timers) clearTimeout(timer);
    }
  };
}
var stopping = "the step is being stopped";
async function waitWithin(signal, work) {
  const { promise: over, reject } = Promise.withResolvers();
  const stop2 = () => reject(signal.reason);
  signal.addEventListener("abort", stop2, { once: true });
  if (signal.aborted) stop2();
  try {
    return await Promise.race([work, over]);
  } finally {
    signal.removeEventListener("abort", stop2);
  }
}

// src/action/report/result.ts
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join as join3, resolve as resolve2 } from "node:path";

// src/contract/result-cut.ts
function markAsCut(kept, leftOutBytes) {
  return `${printCut(leftOutBytes)}${kept}`;
}
function readKept(text, leftOutBytes) {
  const line = printCut(leftOutBytes);
  return text.startsWith(line) ? text.slice(line.length) : text;
}
function printCut(leftOutBytes) {
  return `[the first ${leftOutBytes} bytes of the result were cut]
`;
}

// src/action/report/result-file.ts
import { randomUUID as randomUUID2 } from "node:crypto";
import { rename, rm as rm2, stat as stat2, writeFile as writeFile2 } from "node:fs/promises";
import { dirname as dirname5 } from "node:path";
var ResultFileError = class extends Error {
  name = "ResultFileError";
};
async function writeResultFile({ path, text }) {
  if (/[/\\]$/.test(path) || await isFolder2(path))
    throw new ResultFileError(`\`result_file\`: ${JSON.stringify(path)} is a folder. Give the path of a file`);
  const draft = `${path}.${randomUUID2()}.tmp`;
  try {
    await makeFolder(dirname5(path));
    await writeFile2(draft, text, { flag: "wx" });
    await rename(draft, path);
  } catch (error) {
    await rm2(draft, { force: true }).catch(() => {
    });
    const why = error instanceof Error ? error.message : String(error);
    throw new ResultFileError(
      `\`result_file\`: ${JSON.stringify(path)} cannot be written (${why}). Give a path that this step can write to`,
      { cause: error }
    );
  }
}
async function isFolder2(path) {
  try {
    return (await stat2(path)).isDirectory();
  } catch {
    return false;
  }
}

// src/action/report/result.ts
function resultOf(run) {
  const { text = "", truncated = false } = run?.result ?? {};
  return makeResult(run, text, truncated);
}
async function readResult(run, { client }, signal) {
  try {
    return makeResult(run, await throughPages(() => client.runs.result(run.run_id, { signal }), { signal }), false);
  } catch (error) {
    if (!(error instanceof FeatureUnavailableError)) throw error;
    return resultOf(run);
  }
}
function makeResult(run, text, isPart) {
  const leftOutBytes = run?.result?.left_out_bytes;
  if (leftOutBytes === void 0) return { text, isPart };
  const kept = readKept(text, leftOutBytes);
  return { text: kept, isPart, cut: { leftOutBytes, keptBytes: Buffer.byteLength(kept) } };
}
async function resultPath(asked, folder, { workspace }) {
  if (asked !== void 0) return resolve2(workspace ?? ".", asked);
  return join3(await folder(), "result.md");
}
async function makeKeptFolder(tempDir = tmpdir()) {
  await makeFolder(tempDir);
  return await mkdtemp(join3(tempDir, "agent-run-kept-"));
}
async function keepResult(run, result, path) {
  const structured = structuredOf(run);
  const text = result.text.trim() === "" && structured !== void 0 ? structured : result.text;
  if (text === "") return outputsOfResult(run, result, "");
  const { isPart, cut: cut2 } = result;
  const kept = cut2 === void 0 ? text : markAsCut(text, cut2.leftOutBytes);
  await writeResultFile({ path, text: isPart ? `${kept}

${noteOnPart(result)}
` : kept });
  return outputsOfResult(run, result, result.isPart ? "" : path);
}
function outputsOfResult(run, result, path) {
  const { text, isPart, cut: cut2 } = result;
  const where = tellWhere(result, path === "" ? void 0 : `in the file ${path}`);
  const shown = isPart ? showPart(result) : keepTail(text, { surface: "result", where, missingBytes: cut2?.leftOutBytes });
  const structured = structuredOf(run);
  const isCut = isPart || shown !== text || structured !== void 0 && !fitsOutput(structured);
  return {
    result: shown,
    result_json: printJson(structured, isPart ? "" : text),
    result_file: path,
    result_truncated: isCut ? "true" : "false",
    result_empty: isResultEmpty(run) ? "true" : "false"
  };
}
function showPart(result) {
  const { text } = result;
  if (text === "") return "";
  const note = `

${noteOnPart(result)}`;
  return `${keepHead(text, { surface: "result", room: budgets.result.max - measureText(note, "result") })}${note}`;
}
function structuredOf({ result }) {
  return JSON.stringify(result?.structured);
}
function printJson(structured, text) {
  const json = structured ?? compactJson(text);
  return fitsOutput(json) ? json : "null";
}
function fitsOutput(json) {
  return measureText(json, "resultJson") <= budgets.resultJson.max;
}
function compactJson(text) {
  if (text.length > budgets.resultJson.max * 4) return "null";
  const json = [text, drawnText(text)].map(takeOffFence).find(isJson2);
  return json === void 0 ? "null" : printCompact(json);
}
function isJson2(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
function printCompact(json) {
  return json.replace(/("[^"\\]*(?:\\.[^"\\]*)*")|\s+/g, "$1");
}
function takeOffFence(text) {
  const trimmed = text.trim();
  const [opening, mark] = /^(`{3,}|~{3,})[^\n`]*\n/.exec(trimmed) ?? [];
  if (opening === void 0 || mark === void 0 || !trimmed.endsWith(mark)) return trimmed;
  return trimmed.slice(opening.length, -mark.length);
}

// src/action/report/report.ts
async function reportEnd(end2, times2 = reportTimes) {
  const time = startReportTime(end2.signal, times2);
  try {
    await tellEnd(end2, time);
  } finally {
    time.end();
  }
}
async function tellEnd(end2, time) {
  const { host, verdict, inputs, signal, liveLog, connection } = end2;
  let { run } = end2;
  const sentence = verdict.sentence === void 0 ? void 0 : keepHead(plainLine(terminalText(verdict.sentence)), { surface: "annotation" });
  const warn = (text) => host.warn(guardNote(text));
  const attempt2 = async (what, write2) => {
    try {
      await write2();
    } catch (error) {
      warn(`${what}: ${error instanceof Error ? error.message : error}`);
    }
  };
  const usage = run?.request_usage ?? liveLog?.usage();
  let result = resultOf(run);
  let file = "";
  let changes;
  await attempt2("the outputs could not be written", () => {
    setOutputs(host, {
      conclusion: verdict.conclusion,
      failure_reason: sentence ?? "",
      failure_phase: verdict.phase ?? ""
    });
    if (run === void 0) return;
    setOutputs(host, outputsOfRun(run, { usage, link: connection?.linkOf(run) }));
    setOutputs(host, outputsOfResult(run, result, ""));
  });
  if (run !== void 0) {
    const ended = run;
    let made;
    const folder = () => made ??= makeKeptFolder(end2.context.tempDir);
    const patch = findPatch(run);
    const paths = /* @__PURE__ */ new Map();
    const isLeaving = connection?.isEmbedded === true;
    if (connection !== void 0 && !signal.aborted)
      await Promise.all([
        result.isPart && attempt2("the complete result could not be read", async () => {
          result = await waitWithin(time.reading, readResult(ended, connection, time.reading));
          setOutputs(host, outputsOfResult(ended, result, ""));
        }),
        patch !== void 0 && attempt2("the patch could not be written", async () => {
          const path = join4(await waitWithin(time.reading, folder()), "changes.patch");
          changes = await waitWithin(time.reading, writePatchFile(connection, patch, { path, signal: time.reading }));
          setOutputs(host, { patch_file: path });
          paths.set(patch, path);
        }),
        isLeaving && hasFiles(run, patch) && attempt2("some files that the agent left could not be copied", async () => {
          const place = join4(await waitWithin(time.reading, folder()), "artifacts");
          const keeping = { folder: place, except: patch, signal: time.reading };
          const kept = await waitWithin(time.reading, keepArtifacts(connection, ended, keeping));
          for (const [uid, path] of kept.paths) paths.set(uid, path);
          if (kept.paths.size > 0) setOutputs(host, { artifacts_folder: place });
          if (kept.faults.length > 0) throw new Error(kept.faults.join("; "));
        })
      ]);
    if (isLeaving) {
      run = tellPaths(ended, paths);
      const told = outputOfArtifacts(run);
      await attempt2("the outputs could not be written", () => setOutputs(host, told));
    }
    await attempt2("the result file could not be written", async () => {
      const path = await waitWithin(time.writing, resultPath(inputs.resultFile, folder, end2.context));
      const outputs = await waitWithin(time.writing, keepResult(ended, result, path));
      file = outputs.result_file ?? "";
      setOutputs(host, outputs);
      if (result.isPart && result.text !== "")
        warn(
          `the result is incomplete ${noteOnPart(result)}. \`result_file\` is empty; the part that was read is in ${path}`
        );
    });
    if (result.cut !== void 0 && !result.isPart)
      warn(`the result is incomplete: ${tellWhere(result, file === "" ? void 0 : `in ${file}`)}`);
  }
  const facts = { run, durationSeconds: run && workedSeconds(run), usage, changes };
  warnOfRun(end2);
  if (end2.comment !== void 0 && !signal.aborted) {
    const told = reportComment(end2, { sentence, result, facts, resultFile: file, signal: time.telling });
    await attempt2("the comment could not be written", () => waitWithin(time.telling, told));
  }
  if (inputs.summary)
    await attempt2("the summary could not be written", async () => {
      const { printSummary } = await import("./summary.js");
      const summary = printSummary(
        {
          ...facts,
          conclusion: verdict.conclusion,
          title: end2.title,
          label: end2.label,
          sentence,
          result,
          resultFile: file,
          known: end2.runId === void 0 ? void 0 : { runId: end2.runId, address: end2.address },
          isWithinStep: connection?.isEmbedded,
          lastLines: liveLog?.lastLines() ?? [],
          states: liveLog?.states() ?? [],
          warnings: host.warned(),
          roomBytes: host.summaryRoom()
        },
        host.redact
      );
      if (summary !== "") await host.appendSummary(summary);
      else host.warn("the summary of this step is full (1 MiB), so the report of the run is left out");
    });
  printEnd(end2, sentence);
}
async function reportComment({ comment, verdict, run, runId, title, address, inputs }, { sentence, result, facts, resultFile, signal }) {
  const { conclusion } = verdict;
  await comment?.end({
    state: { kind: "ended", conclusion, sentence, result, facts, resultFile },
    title: run?.title ?? title,
    run: runId === void 0 ? void 0 : { runId, address },
    isRed: isRed(verdict, inputs.failOn),
    signal
  });
}
function warnOfRun({ host, verdict, liveLog, run }) {
  for (const warning of liveLog?.warnings() ?? []) host.warn(guardNote(warning));
  const code = run && readCode2(run);
  if (run?.state === "SUCCEEDED" && code !== void 0)
    host.warn(guardNote(`the run succeeded, but the server also reported ${code}: ${run.status_message?.message}`));
  if (verdict.conclusion === "succeeded" && run !== void 0 && isResultEmpty(run))
    host.warn("the run succeeded but left no result. To make that a failure, set `require_result: true`");
}
function printEnd({ host, verdict, inputs, liveLog, address, connection }, sentence) {
  const { conclusion } = verdict;
  const where = address === "" || connection?.isEmbedded === true ? "" : `. See ${address}`;
  const isStepRed = isRed(verdict, inputs.failOn);
  const named2 = isStepRed ? `conclusion: ${conclusion}, which \`fail_on\` lists` : `conclusion: ${conclusion}`;
  const line = guardLine(`${sentence ?? named2}${where}`);
  if (isStepRed) {
    printLastLines(host, liveLog?.unseenLines() ?? []);
    host.fail(line);
  } else if (sentence !== void 0) host.warn(line);
  host.print(`conclusion: ${conclusion}`);
}

// src/action/start/begin-run.ts
import { existsSync as existsSync2 } from "node:fs";
import { join as join5 } from "node:path";

// src/base/prompt-title.ts
function titleOfPrompt(prompt) {
  return firstLine(prompt.replace(/^ {0,3}(`{3,}|~{3,}).*$/gm, "").replace(/^ {0,3}#{1,6} /gm, ""));
}

// src/action/start/step-key.ts
import { createHash } from "node:crypto";
function makeStepKey(context, { leg }, task) {
  const { repository, repositoryId, runId, workflow, job, step, attempt: attempt2 } = context;
  if (runId === void 0 || job === void 0) return void 0;
  const identity = {
    repository: repositoryId ?? repository ?? "",
    run: runId,
    workflow: workflow ?? "",
    job,
    step: step ?? "",
    matrix: readLeg(leg.matrix),
    job_index: leg.jobIndex,
    task
  };
  const ofStep = createHash("sha256").update(canonicalJson(identity)).digest("hex").slice(0, 40);
  return { ofStep, ofAttempt: `step-${ofStep}-${attempt2}` };
}
function readLeg(matrix) {
  try {
    return JSON.parse(matrix);
  } catch {
    return matrix;
  }
}

// src/action/start/begin-run.ts
var noNews = { block: void 0, fields: {} };
var startLimits = { leastMs: 3e4, mostMs: 18e4 };
async function beginRun(begin2) {
  const { host, inputs, context, connection, event, signal } = begin2;
  const { client } = connection;
  const { task, follow } = inputs;
  if (follow.runId !== void 0)
    return { answer: answerOf(await lookAt2(client, follow.runId, signal)), attached: true };
  const leaseSeconds = follow.wait && follow.lease ? readLeaseSeconds(host) : void 0;
  const prompt = [event.block, task.prompt].filter((part) => part !== void 0).join("\n");
  const { repository, ref, sha } = event.fields;
  const title = event.block === void 0 ? task.title : titleOf(task);
  const body = printTask({ ...task, title }, prompt === "" ? void 0 : prompt, {
    trigger_url: context.jobUrl,
    repository,
    ref,
    sha
  });
  const starting = startRun2({
    client,
    task: body,
    key: makeStepKey(context, inputs, body),
    looksForEarlier: context.attempt > 1 && follow.rerun === "attach" && !connection.isEmbedded,
    leaseSeconds,
    limitMs: Math.min(Math.max(follow.timeoutMs, startLimits.leastMs), startLimits.mostMs),
    signal,
    print: (line) => host.print(guardLine(line)),
    onStart: (key) => {
      if (key !== void 0 && !connection.isEmbedded) saveStepState(host, "step_key", key);
      begin2.onStart();
    }
  });
  const started = await (connection.isEmbedded ? starting.catch(explainOwnRefusal(inputs, context)) : starting);
  if (started.attached && leaseSeconds !== void 0) await takeLease(connection, started.answer, leaseSeconds);
  return started;
}
async function lookAt2(client, runId, signal) {
  return await throughPages(() => client.runs.retrieve(runId, { signal }), { signal });
}
function explainOwnRefusal({ task }, { workspace = "." }) {
  return (error) => {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    const isChecked = error.status !== 404 || task.skillSpec === void 0 || existsSync2(join5(workspace, ".git"));
    const hint = isChecked ? "" : ". Add a step with actions/checkout before this one";
    throw new InputError(`${nameMembers(error.detail ?? error.message)}${hint}`);
  };
}
function titleOf({ title, prompt, skillSpec }) {
  if (title !== void 0) return title;
  const line = titleOfPrompt(prompt ?? "") || (skillSpec === void 0 ? "" : skillName(parseSkillSpec(skillSpec)));
  return line === "" ? void 0 : ellipsis(line, sizes.madeTitleCodePoints);
}
async function takeLease({ client }, { run_id }, seconds) {
  try {
    await client.runs.renewLease(run_id, seconds, { totalTimeoutMs: 1e4 });
  } catch {
  }
}

// src/action/start/learn-event.ts
var plainEvents = /* @__PURE__ */ new Set(["push", "schedule", "workflow_dispatch"]);
async function learnEvent({ inputs, context, stepGitHub, signal }) {
  const { eventName, repository, ref, sha, actor, triggeringActor } = context;
  const { trust } = inputs;
  const tells = trust.eventContext === "auto";
  if (eventName === void 0) return { news: noNews };
  const seed = [context.runId ?? "", context.job ?? ""].join("/");
  if (plainEvents.has(eventName)) {
    if (!tells) return { news: noNews };
    const block = eventName === "workflow_dispatch" && context.eventPath === void 0 ? void 0 : await printPlainEvent(context, seed);
    return { news: { block, fields: { repository, ref, sha } } };
  }
  const [{ readEvent: readEvent2 }, { checkGate }] = await Promise.all([import("./event.js"), import("./gate.js")]);
  const event = readEvent2(context);
  let asking;
  const github = stepGitHub && (() => asking ??= stepGitHub({ limitMs: gitHubLimits.gate, signal }));
  const { allowBots, requirePermission } = trust;
  const answer = await checkGate({ event, actor, triggeringActor, allowBots, requirePermission, github });
  if (!answer.allowed) {
    const refusal = { phase: "permission", why: `No run was started: ${answer.reason}` };
    return { refusal: { kind: answer.isKnown ? "skipped" : "not_started", ...refusal }, news: noNews };
  }
  if (!tells || event === void 0) return { news: noNews };
  const { printEventContext, requestFieldsOf } = await import("./event-context.js");
  return {
    news: {
      block: printEventContext(event, { mayQuoteText: answer.mayQuoteText, seed }),
      fields: requestFieldsOf(event)
    }
  };
}
async function printPlainEvent(context, seed) {
  const [{ readEvent: readEvent2 }, { printEventContext }] = await Promise.all([
    import("./event.js"),
    import("./event-context.js")
  ]);
  const event = readEvent2(context);
  return event && printEventContext(event, { mayQuoteText: false, seed });
}

// src/action/start/refusal.ts
async function explainRefusal({ host, error, context, inputs, network, isOpen: isOpen3 }) {
  const refuse = (phase, why) => ({ kind: "not_started", phase, why });
  const message = error instanceof Error ? error.message : String(error);
  const isSkipped = inputs?.trust.onMissingCredentials === "skip";
  const lacks = (why) => isSkipped ? { kind: "skipped", phase: "inputs", why: `No run was started: ${why}` } : refuse("inputs", `No run was started: ${why}`);
  if (error instanceof MissingCredentialError) {
    const why = error.lack === void 0 ? void 0 : await explainByEvent(context, isSkipped);
    return lacks(why === void 0 ? message : `${error.lack}: ${why}`);
  }
  if (error instanceof InputError) return refuse("inputs", `No run was started: ${message}`);
  const server = findServer(host, inputs?.place.baseUrl);
  if (error instanceof ConfigurationError) {
    if (error.option !== "apiKey")
      return refuse(
        "inputs",
        `No run was started: ${error.option === "allowHttp" ? explainPlainHttp(server) : error.describe(nameInput)}`
      );
    return lacks(`\`api_key\` is empty: ${await explainByEvent(context, isSkipped) ?? noSecret}`);
  }
  const option = server?.option ?? "`base_url`";
  const hint = await explainNetwork(error, { inputs, network, server });
  if (isOpen3 && !isWordOfStranger(error)) {
    const why = message.replace(/^it is unclear whether the run was started: /, "");
    const isTold = error instanceof StartUnknownError || server === void 0;
    const look = isTold ? void 0 : "Check the list of runs before you start it again";
    const said = [why, look, hint].filter((part) => part !== void 0).join(". ");
    return refuse("start", `It is unclear whether a run was started: ${said}`);
  }
  if (error instanceof ConnectionError)
    return refuse(
      "start",
      `No run was started, because the server cannot be reached: ${message}. ${hint ?? `Check ${option}`}`
    );
  if (isWordOfStranger(error)) {
    const key = error.status === 401 || error.status === 403 ? ", `api_key`" : "";
    return refuse(
      "start",
      `Probably no run was started: a proxy or firewall seems to have answered in place of the server: ${message}. Check ${option}${key}, and the proxy or firewall`
    );
  }
  if (error instanceof AuthenticationError || error instanceof PermissionDeniedError)
    return refuse(
      "start",
      `No run was started, because the server does not accept the key. Check \`api_key\` (${numbersOf(error)})`
    );
  const isLong = error instanceof ApiError && Number(error.headers.get("retry-after")) > 60;
  const patience = isLong ? ", which is longer than the step waits" : "";
  return refuse("start", `No run was started: ${nameMembers(message)}${patience}${hintAtAddress(error, server)}`);
}
function numbersOf({ status, code, requestId }) {
  const said = code === void 0 ? `${status}` : `${status} ${code}`;
  return requestId === void 0 ? said : `${said}, request id ${requestId}`;
}
function explainPlainHttp({ option = "`base_url`", address = "" } = {}) {
  const origin = URL.parse(address)?.origin ?? "http://…";
  return `${option} "${origin}" would send the key unencrypted. Use "${origin.replace("http:", "https:")}", or set \`allow_http: true\` if you trust the network`;
}
function mayHaveStarted(error) {
  if (error instanceof StartUnknownError || isWordOfStranger(error)) return true;
  if (error instanceof ConnectionError) return !error.neverLeft;
  return !(error instanceof AgentRunsError || error instanceof InputError);
}
function isWordOfStranger(error) {
  return error instanceof ApiError && isPage(error) && ![404, 405, 501].includes(error.status);
}
function hintAtAddress(error, server) {
  const isStrange = error instanceof UnexpectedResponseError && !error.cut;
  const isNowhere = error instanceof ApiError && (error.status === 404 || error.status === 405);
  if (!isStrange && !isNowhere) return "";
  const { option = "`base_url`", address = "" } = server ?? {};
  const path = URL.parse(address)?.pathname.replace(/(?:\/api\/v1)?\/*$/, "") ?? "";
  if (path !== "")
    return `. Check ${option}: its path is ${path}, but a server usually has none. Do not use the URL of a page`;
  return error instanceof NotFoundError && error.code !== void 0 ? "" : `. Check ${option}`;
}
var noSecret = "the secret is not set, or its name is misspelled (GitHub replaces a missing secret with nothing). See Settings > Secrets and variables > Actions. A reusable workflow gets secrets only if its caller passes them, for example with `secrets: inherit`. A job gets an environment's secrets only if it names that environment";
async function explainByEvent(context, isSkipped) {
  const [{ readEvent: readEvent2 }, { explainByEvent: explain2 }] = await Promise.all([
    import("./event.js"),
    import("./missing-credentials.js")
  ]);
  return explain2({ event: readEvent2(context), actor: context.actor, isSkipped });
}
async function explainNetwork(error, { inputs, network, server }) {
  const fault = error instanceof StartUnknownError ? error.cause : error;
  if (!(fault instanceof ConnectionError)) return void 0;
  const { explainNetworkFault } = await import("./network-faults.js");
  const caFile = inputs?.place.caFile;
  const proxy = network?.proxyOf(server?.address ?? `https://${fault.host}`);
  return explainNetworkFault(error, { hasCaFile: caFile !== void 0, proxy, option: server?.option });
}

// src/action/run-action.ts
async function runAction(host) {
  const cancellation = listenForCancel(host);
  const step = { host, cancellation, context: readStepContext(host) };
  try {
    setOutputs(host, emptyOutputs);
    const refusal = await begin(step);
    const ending = refusal === void 0 ? await carryOn(step) : { happening: refusal, isDone: false };
    await end(step, ending);
  } finally {
    cancellation.stopListening();
    await step.connection?.close();
    putFilesBack(host, { isLast: true });
    await step.network?.close();
  }
}
async function begin(step) {
  const { host, context, cancellation } = step;
  try {
    step.inputs = await readInputs(host);
    if (!step.inputs.report.annotations) host.leaveOutAnnotations();
    const { runId } = step.inputs.follow;
    if (runId !== void 0) setOutputs(host, { run_id: runId, attached: "true" });
    step.network = await openStepNetwork(host, step.inputs.place);
    const { inputs, network } = step;
    const { githubToken: token } = inputs.report;
    step.github = token === void 0 ? void 0 : createStepGitHub(host, { token, apiUrl: context.apiUrl, network });
    const event = await learnEvent({ inputs, context, stepGitHub: step.github, signal: cancellation.signal });
    if (event.refusal !== void 0) cancellation.signal.throwIfAborted();
    if (event.refusal !== void 0) return event.refusal;
    step.connection = await connect(host, { inputs, context, network });
    if (step.connection.isEmbedded) saveEmbeddedState(host);
    const { connection } = step;
    const signal = cancellation.lateSignal;
    const onStart = () => {
      step.mayHaveStarted = true;
    };
    step.started = await beginRun({ host, inputs, context, connection, event: event.news, signal, onStart });
    return void 0;
  } catch (error) {
    const runId = step.inputs?.follow.runId;
    if (cancellation.signal.aborted) return { kind: "step_cancelled", stopping: explainEarly(step) };
    if (error instanceof NotFoundError && runId !== void 0)
      return {
        kind: "lost",
        why: `The server has no run ${runId} (${numbersOf(error)}). Check \`run_id\`${hintAtAddress(error, findServer(host, step.inputs?.place.baseUrl))}`
      };
    const isOpen3 = step.mayHaveStarted === true && mayHaveStarted(error);
    if (step.inputs !== void 0 && !isOpen3)
      warnOfFault(host, "could not record that no run was started", () => saveStepState(host, "step_key", ""));
    return await explainRefusal({ host, error, context, inputs: step.inputs, network: step.network, isOpen: isOpen3 });
  }
}
function explainEarly({ mayHaveStarted: mayHaveStarted2 = false, connection }) {
  if (!mayHaveStarted2) return "No run was started";
  if (connection?.isEmbedded === true) return "The run that it was starting ended with it";
  return "It is unclear whether the server started a run. The post step looks for it, and a run that no step follows ends with its lease";
}
function noteRun({ host }, { answer, attached }, connection) {
  const address = connection.addressOf(answer);
  warnOfFault(host, "could not record the id of the run", () => {
    saveStepState(host, "run_id", answer.run_id);
    setOutputs(host, {
      run_id: answer.run_id,
      run_url: connection.pageOf(answer),
      session_link: connection.linkOf(answer) ?? "",
      state: answer.state,
      attached: attached ? "true" : "false",
      ...unendedOutputs
    });
  });
  const waits = answer.at_capacity === true ? " is waiting for a free slot" : "";
  host.print(guardLine(`run ${answer.run_id}${waits}`));
  if (address !== "" && !connection.isEmbedded) host.print(guardLine(`see ${address}`));
}
async function carryOn(step) {
  const { host, context, inputs, connection, started, cancellation } = step;
  if (inputs === void 0 || connection === void 0 || started === void 0) throw new Error("there is no run");
  noteRun(step, started, connection);
  for (const warning of readWarnings(started.answer)) host.warn(guardNote(warning));
  const { follow } = inputs;
  const runId = started.answer.run_id;
  if (!follow.wait && !follow.cancel) {
    const run = await lookOnce(connection.client, runId, cancellation.signal);
    if (!cancellation.signal.aborted) return { happening: { kind: "started" }, run, isDone: true };
  }
  const address = connection.addressOf(started.answer);
  const { signal } = cancellation;
  step.comment = beginComment(host, { inputs, context, github: step.github, run: { runId, address }, signal });
  const onState = (state) => setOutputs(host, { state });
  const elsewhere = connection.isEmbedded ? void 0 : address;
  step.liveLog = startLiveLog(host, connection, { level: inputs.report.log, address: elsewhere, onState });
  const following = { connection, runId, inputs: follow, cancellation, liveLog: step.liveLog };
  try {
    return await (follow.cancel ? cancelAndFollow(following) : followToEnd(following));
  } finally {
    step.liveLog.stop();
  }
}
function warnOfFault(host, what, act) {
  try {
    act();
  } catch (error) {
    host.warn(guardNote(`${what}: ${error instanceof Error ? error.message : error}`));
  }
}
function putFilesBack(host, { isLast: isLast2 }) {
  const what = "the agent changed files of the runner that pass outputs, variables and the event to later steps";
  try {
    const changed = host.restoreFiles();
    if (changed.length > 0) host.warn(guardNote(`${what} (${changed.join(", ")}). Its changes were undone`));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    if (isLast2) host.fail(guardNote(`${what}, and the changes cannot be undone: ${why}. Do not trust these files`));
  }
}
async function end(step, { happening, run, isDone }) {
  const { host, context, inputs, connection, started, liveLog, cancellation } = step;
  putFilesBack(host, { isLast: false });
  if (isDone)
    warnOfFault(host, "could not record the end of the run", () => {
      saveStepState(host, "last_state", run?.state ?? "");
      saveStepState(host, "is_done", "true");
    });
  const { signal } = cancellation;
  if (inputs !== void 0 && happening.kind !== "skipped" && !isOfStranger(happening) && !signal.aborted)
    step.comment ??= beginComment(host, { inputs, context, github: step.github, run: void 0, signal });
  const asked = inputs?.report.requireResult ?? "auto";
  const requiresResult = asked === "auto" ? connection?.features().has("result") ?? false : asked === "true";
  const report = inputs?.report ?? plainReport;
  const decided = decide(happening, run, { requiresResult });
  const isOfProgram = decided.conclusion === "failed" && connection?.isEmbedded && inputs?.embedded.command;
  const hint = isOfProgram ? hintAtUnpassed(host, inputs.embedded.passEnv, liveLog?.lastLines() ?? []) : "";
  const verdict = hint === "" ? decided : { ...decided, sentence: `${decided.sentence}${hint}` };
  const { conclusion, sentence } = verdict;
  if (step.comment !== void 0)
    warnOfFault(host, "could not record the verdict", () => {
      if (happening.kind === "step_cancelled" && conclusion === "cancelled") keepCancelled(host, run?.title);
      else keepVerdict(host, { conclusion, sentence, isRed: isRed(verdict, report.failOn), title: run?.title });
    });
  await reportEnd({
    host,
    context,
    inputs: report,
    verdict,
    run,
    runId: started?.answer.run_id,
    connection,
    liveLog,
    address: (started && connection?.addressOf(started.answer)) ?? "",
    signal,
    label: inputs && labelOfStep({ matrix: inputs.leg.matrix, name: inputs.task.name }),
    title: inputs === void 0 ? host.readInput("title").trim() : titleOf(inputs.task),
    comment: step.comment
  });
}
function isOfStranger(happening) {
  return happening.kind === "not_started" && happening.phase === "permission";
}
var plainReport = {
  failOn: badConclusions,
  requireResult: "auto",
  log: "normal",
  summary: true,
  comment: "off",
  commentKey: void 0,
  githubToken: void 0,
  resultFile: void 0,
  annotations: true
};

export {
  __require,
  __commonJS,
  __export,
  __toESM,
  addressAttemptMs,
  headOfUtf8,
  tailOfUtf8,
  ellipsis,
  lastLines,
  counted,
  withoutEscapes,
  escapeUnits,
  withoutBegunEscape,
  tailOfTerminalText,
  drawnText,
  terminalText,
  terminalLine,
  plainLine,
  budgets,
  measureText,
  readRoom,
  keepHead,
  keepTail,
  keepEnd,
  createSecretHider,
  secretLengthMin,
  findSecrets,
  enterMain,
  enterPost,
  runStates,
  finalStates,
  stateMeanings,
  statesBefore,
  isFinal,
  apiPrefix,
  routes,
  routeSummaries,
  routePath,
  isObject,
  canonicalJson,
  isNestedBeyond,
  headerNames,
  serverFeatures,
  backoffMs,
  readRetryAfterMs,
  ConnectionError,
  version,
  nearest,
  didYouMean,
  isLoopback,
  longestTimerMs,
  systemClock,
  StartUnknownError,
  describeCall,
  describeSpan,
  OpenCalls,
  isUsualVariableName,
  describeUnsetVariable,
  sizes,
  utf8Bytes,
  parseSkillSpec,
  skillName,
  isVisible,
  badConclusions,
  InputError,
  MissingCredentialError,
  printTitle,
  emptyWorkspaceWarning,
  isKeyLike,
  gap,
  quoteInline,
  fence,
  link2 as link,
  readTarget,
  escapeText,
  escapeLineStart,
  cleanText,
  longestBackticks,
  redactAll,
  countChanges,
  printChanges,
  noteOnPart,
  tellWhere,
  postAction,
  quoteText,
  readRegularFile,
  explainFileFault,
  isPatch,
  titleOfPrompt,
  UsageTotal,
  printUsage,
  markAsCut,
  runAction
};
