import {
  describeArtifact
} from "./shared-artifact-words.js";
import {
  icons,
  printFacts,
  renderMarkdownEnd
} from "./shared-markdown-it.js";
import {
  badConclusions,
  emptyWorkspaceWarning,
  fence,
  isPatch,
  keepHead,
  keepTail,
  link,
  measureText,
  noteOnPart,
  printChanges,
  printTitle,
  quoteInline,
  readRoom,
  redactAll,
  tellWhere
} from "./core.js";

// src/action/report/summary-artifacts.ts
var shownMax = 30;
var textBytes = 400;
function listArtifacts(all, { withoutPatch }) {
  const artifacts = withoutPatch ? all.filter((artifact) => !isPatch(artifact)) : all;
  if (artifacts.length === 0) return "";
  const lines = artifacts.slice(0, shownMax).map((artifact) => `- ${printArtifact(artifact)}`);
  const more = artifacts.length - shownMax;
  return ["Artifacts:", "", ...lines, ...more > 0 ? [`- and ${more} more`] : []].join("\n");
}
function printArtifact(artifact) {
  const { kind, name, url, details } = describeArtifact(artifact);
  const what = url === void 0 ? quoteInline(cut(name)) : link(cut(name), url);
  return [`${quoteInline(cut(kind))}: ${what}`, ...details.map((detail) => quoteInline(cut(detail)))].join(", ");
}
function cut(text) {
  return keepHead(text, { surface: "summary", room: textBytes });
}

// src/action/report/summary.ts
var cutNote = "*(The summary of this step is full. Parts of this report are left out.)*";
function printSummary(given, redact) {
  const report = redactAll(given, redact);
  const parts = [];
  const isBad = badConclusions.has(report.conclusion);
  let isWhole = true;
  let left = readRoom({ surface: "summary", room: report.roomBytes }) - measureText(`${cutNote}

`, "summary");
  const add = (part, at = parts.length) => {
    const bytes = measureText(`${part}

`, "summary");
    if (part === "") return;
    if (part === void 0 || bytes > left) isWhole = false;
    else {
      parts.splice(at, 0, part);
      left -= bytes;
    }
  };
  add(printHead(report));
  if (!isWhole) return "";
  const warnings = report.warnings ?? [];
  add(printWarnings(warnings.filter((text) => text === emptyWorkspaceWarning)));
  add(
    report.sentence === void 0 ? "" : quoteInline(endSentence(keepHead(report.sentence, { surface: "annotation" })))
  );
  add(report.changes === void 0 ? "" : printChanges(report.changes));
  add([printFacts(report), printRun(report)].filter((text) => text !== "").join(" · "));
  const resultAt = parts.length;
  add(isBad ? printLastLines(report.lastLines ?? []) : "");
  add(listArtifacts(report.run?.artifacts ?? [], { withoutPatch: report.changes !== void 0 }));
  add(isBad ? printStates(report.states ?? []) : "");
  add(printWarnings(warnings.filter((text) => text !== emptyWorkspaceWarning)));
  add(printResult(report, left, redact), resultAt);
  if (!isWhole) parts.push(cutNote);
  return parts.map((part) => `${part}

`).join("");
}
function endSentence(text) {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
function printHead({ conclusion, label, run, title: asked }) {
  const title = keepHead(textOf(run?.title ?? asked), { surface: "summary", room: 800 });
  return `### ${icons[conclusion]} ${quoteInline(printTitle(title, label))}: ${quoteInline(conclusion.replaceAll("_", " "))}`;
}
function printRun({ known, isWithinStep = false }) {
  if (known === void 0 || isWithinStep) return "";
  const { runId, address = "" } = known;
  const name = `Run ${keepHead(runId, { surface: "summary", room: 200 })}`;
  return address === "" ? quoteInline(name) : link(name, address);
}
function printWarnings(warnings) {
  return warnings.map((text) => `- ⚠️ ${quoteInline(keepHead(text, { surface: "annotation" }))}`).join("\n");
}
function printLastLines(lines) {
  if (lines.length === 0) return "";
  const text = keepTail(lines.join("\n"), { surface: "lastLines" });
  return `<details open><summary>Last lines of the log</summary>

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
  const opening = "<details open><summary>Answer</summary>\n\n";
  const closing = "\n\n</details>";
  const place = report.resultFile || (report.isWithinStep === true ? void 0 : report.known?.address) || void 0;
  const cut2 = isPart ? {} : { missingBytes: result.cut?.leftOutBytes, where: tellWhere(result, place && `in ${place}`) };
  const note = isPart ? `*${noteOnPart(result)}*

` : "";
  const frameBytes = measureText(`${opening}${note}${closing}

`, "summary");
  const shown = renderMarkdownEnd(text, { surface: "summaryResult", room: leftBytes - frameBytes, ...cut2, redact });
  return shown === "" ? void 0 : `${opening}${note}${shown}${closing}`;
}
function textOf(value) {
  return typeof value === "string" ? value : "";
}
export {
  printSummary
};
