import {
  describeArtifact
} from "./shared-artifact-words.js";
import {
  fence,
  icons,
  link,
  quoteInline,
  redactAll,
  renderMarkdownEnd
} from "./shared-markdown-it.js";
import {
  badConclusions,
  keepHead,
  keepTail,
  listUsage,
  measureText,
  noteOnPart,
  printTitle,
  readRoom,
  tellWhere
} from "./core.js";

// src/action/report/summary-artifacts.ts
var shownMax = 30;
var textBytes = 400;
function listArtifacts(artifacts) {
  if (artifacts.length === 0) return "";
  const lines = artifacts.slice(0, shownMax).map((artifact) => `- ${printArtifact(artifact)}`);
  const more = artifacts.length > shownMax ? [`- ${artifacts.length - shownMax} more`] : [];
  return ["Left behind:", "", ...lines, ...more].join("\n");
}
function printArtifact(artifact) {
  const { kind, name, url, details } = describeArtifact(artifact);
  const what = url === void 0 ? quoteInline(cut(name)) : link(cut(name), url);
  return [`${quoteInline(cut(kind))}: ${what}`, ...details.map((detail) => quoteInline(cut(detail)))].join(", ");
}
function cut(text) {
  return keepHead(text, { surface: "summary", room: textBytes });
}

// src/action/report/summary-facts.ts
var usageRowsMax = 20;
var valueBytes = 400;
function listFacts({ run, durationSeconds, usage }) {
  const config = run?.agent_config;
  const queued = secondsBetween(run?.created_at, run?.started_at ?? run?.finished_at);
  const worked = secondsBetween(run?.started_at, run?.finished_at) ?? durationSeconds;
  return [
    ...row("State", run?.state),
    ...row("Queued", queued === void 0 ? void 0 : printSeconds(queued)),
    ...row("Worked", worked === void 0 ? void 0 : printSeconds(worked)),
    ...row("Name", config?.name),
    ...row("Model", config?.model_id ?? config?.harness?.model_id),
    ...row("Skill", config?.skill_spec ?? config?.skills?.join(", ") ?? run?.agent_skill?.name),
    ...row("Environment", run?.environment_name ?? config?.environment_id),
    ...row("Harness", config?.harness?.name ?? config?.harness?.type),
    ...usageRows(run?.request_usage ?? usage ?? {})
  ];
}
function usageRows(usage) {
  return listUsage(usage).slice(0, usageRowsMax).flatMap(([name, value]) => row(quoteInline(cut2(name.replaceAll("_", " "))), printNumber(value)));
}
function row(name, value) {
  if (typeof value !== "string" || value.trim() === "") return [];
  return [[name, quoteInline(cut2(value))]];
}
function printNumber(value) {
  if (typeof value === "number") return value.toLocaleString("en-GB", { maximumFractionDigits: 4 });
  return typeof value === "string" ? value : void 0;
}
function cut2(text) {
  return keepHead(text, { surface: "summary", room: valueBytes });
}
function secondsBetween(from, to) {
  if (typeof from !== "string" || typeof to !== "string") return void 0;
  const ms = Date.parse(to) - Date.parse(from);
  return Number.isFinite(ms) ? Math.max(0, ms / 1e3) : void 0;
}
function printSeconds(seconds) {
  const tenths = Math.round(seconds * 10) / 10;
  if (tenths < 60) return `${tenths} s`;
  const whole = Math.round(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min ${whole % 60} s`;
}

// src/action/report/summary.ts
var cutNote = "*(The summary of this step is full, so that parts of this report are left out.)*";
function printSummary(given, redact) {
  const report = redactAll(given, redact);
  const parts = [];
  let isWhole = true;
  let left = readRoom({ surface: "summary", room: report.roomBytes }) - measureText(`${cutNote}

`, "summary");
  const add = (part) => {
    const bytes = measureText(`${part}

`, "summary");
    if (part === "") return;
    if (part === void 0 || bytes > left) isWhole = false;
    else {
      parts.push(part);
      left -= bytes;
    }
  };
  add(printHead(report));
  if (!isWhole) return "";
  add(report.sentence === void 0 ? "" : quoteInline(keepHead(report.sentence, { surface: "annotation" })));
  add(printWarnings(report.warnings ?? []));
  add(printTable(listFacts(report)));
  add(listArtifacts(report.run?.artifacts ?? []));
  if (badConclusions.has(report.conclusion)) {
    add(printLastLines(report.lastLines ?? []));
    add(printStates(report.states ?? []));
  }
  add(printResult(report, left, redact));
  if (!isWhole) parts.push(cutNote);
  return parts.map((part) => `${part}

`).join("");
}
function printHead({ conclusion, label, run, known }) {
  const title = quoteInline(printTitle(keepHead(textOf(run?.title), { surface: "summary", room: 800 }), label));
  const head = `### ${icons[conclusion]} ${title}: ${quoteInline(conclusion.replaceAll("_", " "))}`;
  if (known === void 0) return head;
  const address = known.address ?? "";
  const name = `Run ${keepHead(known.runId, { surface: "summary", room: 200 })}`;
  return `${head}

${address === "" ? quoteInline(name) : link(name, address)}`;
}
function printWarnings(warnings) {
  return warnings.map((text) => `- ⚠️ ${quoteInline(keepHead(text, { surface: "annotation" }))}`).join("\n");
}
function printTable(rows) {
  if (rows.length === 0) return "";
  return ["| | |", "|---|---|", ...rows.map(([name, value]) => `| ${name} | ${value} |`)].join("\n");
}
function printLastLines(lines) {
  if (lines.length === 0) return "";
  const text = keepTail(lines.join("\n"), { surface: "lastLines" });
  return `<details open><summary>The last lines of the log</summary>

${fence(text)}

</details>`;
}
function printStates(states) {
  if (states.length === 0) return "";
  const shown = (text) => quoteInline(keepHead(text, { surface: "summary", room: 100 }));
  const rows = states.map(({ state, at }) => `| ${shown(state)} | ${shown(textOf(at))} |`);
  return `<details><summary>States</summary>

| state | since |
|---|---|
${rows.join("\n")}

</details>`;
}
function printResult(report, leftBytes, redact) {
  const result = report.result ?? { text: textOf(report.run?.result?.text), isPart: false };
  const { text, isPart } = result;
  if (text.trim() === "") return "";
  const opening = "<details open><summary>Result</summary>\n\n";
  const closing = "\n\n</details>";
  const place = report.resultFile || (report.isWithinStep === true ? void 0 : report.known?.address) || void 0;
  const cut3 = isPart ? {} : { missingBytes: result.cut?.leftOutBytes, where: tellWhere(result, place && `in ${place}`) };
  const note = isPart ? `*${noteOnPart(result)}*

` : "";
  const frameBytes = measureText(`${opening}${note}${closing}

`, "summary");
  const shown = renderMarkdownEnd(text, { surface: "summaryResult", room: leftBytes - frameBytes, ...cut3, redact });
  return shown === "" ? void 0 : `${opening}${note}${shown}${closing}`;
}
function textOf(value) {
  return typeof value === "string" ? value : "";
}
export {
  printSummary
};
