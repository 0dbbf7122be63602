import {
  icons,
  printFacts,
  renderMarkdownEnd
} from "./shared-markdown-it.js";
import {
  budgets,
  countChanges,
  keepHead,
  link,
  noteOnPart,
  printTitle,
  quoteInline,
  redactAll,
  tellWhere
} from "./core.js";

// src/action/report/comment.ts
var titleRoom = 300;
var sentenceRoom = 4e3;
var addressRoom = 2e3;
function printComment({ marker, ...report }, redact) {
  const { title, label, run, jobUrl, state } = redactAll(report, redact);
  const [icon, words] = describeState(state);
  const name = printTitle(title && short(title, titleRoom), label);
  const hasRunLink = run !== void 0 && run.address !== "" && run.address !== jobUrl;
  const places = [
    ...run === void 0 || run.address === jobUrl ? [] : [`run ${address(run.runId, run.address)}`],
    ...jobUrl === void 0 ? [] : [address("log and summary", jobUrl)]
  ];
  const sentence = state.kind === "running" ? void 0 : state.sentence;
  const { facts: known = {} } = state.kind === "ended" ? state : {};
  const facts = [known.changes === void 0 ? "" : countChanges(known.changes), printFacts(known)].filter((text) => text !== "").join(" · ");
  const head = [
    `${marker}
### ${icon} ${quoteInline(name)}: ${words}`,
    ...places.length === 0 ? [] : [places.join(" · ")],
    ...sentence === void 0 ? [] : [quoteInline(short(sentence, sentenceRoom))],
    ...facts === "" ? [] : [facts]
  ].join("\n\n");
  const result = state.kind === "ended" ? printResult(state, { taken: head.length, hasRunLink, redact }) : "";
  return `${head}${result}
`;
}
function printResult({ result, resultFile }, { taken, hasRunLink, redact }) {
  if (result === void 0 || result.text.trim() === "") return "";
  const { text, isPart } = result;
  const note = isPart ? `*${noteOnPart(result)}*

` : "";
  const room = budgets.comment.max - taken - note.length - 10;
  const inFile = resultFile ? "in the file that the output `result_file` of the step names" : void 0;
  const where = tellWhere(result, hasRunLink ? "with the run, linked above" : inFile);
  const cut = isPart ? {} : { missingBytes: result.cut?.leftOutBytes, where };
  return `

${note}${renderMarkdownEnd(text, { surface: "comment", room, ...cut, redact })}`;
}
function describeState(state) {
  if (state.kind === "running") return ["⏳", "running"];
  if (state.kind === "step_cancelled") return ["🚫", "the step was canceled"];
  if (state.kind === "step_gone") return [icons.lost, "the step ended before it reported the result of the run"];
  return [icons[state.conclusion], state.conclusion.replaceAll("_", " ")];
}
function short(text, room) {
  return keepHead(text.replace(/\s+/g, " ").trim(), { surface: "comment", room });
}
function address(label, target) {
  return target.length > addressRoom ? quoteInline(short(label, titleRoom)) : link(short(label, titleRoom), target);
}
export {
  printComment
};
