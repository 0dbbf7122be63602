import {
  icons,
  link,
  quoteInline,
  redactAll,
  renderMarkdownEnd
} from "./shared-markdown-it.js";
import {
  budgets,
  keepHead,
  partNote,
  printTitle
} from "./core.js";

// src/action/report/comment.ts
var titleRoom = 300;
var sentenceRoom = 4e3;
var addressRoom = 2e3;
function printComment({ marker, ...report }, redact) {
  const { title, label, run, jobUrl, state } = redactAll(report, redact);
  const [icon, words] = describeState(state);
  const name = printTitle(title && short(title, titleRoom), label);
  const places = [
    // A run within the step is nowhere but in the job.
    ...run === void 0 || run.address === jobUrl ? [] : [`run ${address(run.runId, run.address)}`],
    ...jobUrl === void 0 ? [] : [address("log and summary of the job", jobUrl)]
  ];
  const sentence = state.kind === "running" ? void 0 : state.sentence;
  const head = [
    `${marker}
### ${icon} ${quoteInline(name)}: ${words}`,
    ...places.length === 0 ? [] : [places.join(" · ")],
    ...sentence === void 0 ? [] : [quoteInline(short(sentence, sentenceRoom))]
  ].join("\n\n");
  const result = state.kind === "ended" ? printResult(state, { taken: head.length, hasLink: places.length > 0, redact }) : "";
  return `${head}${result}
`;
}
function printResult({ result, isResultCut = false }, { taken, hasLink, redact }) {
  if (result.trim() === "") return "";
  const note = isResultCut ? `*${partNote}*

` : "";
  const room = budgets.comment.max - taken - note.length - 10;
  const where = hasLink && !isResultCut ? "the places linked above" : void 0;
  return `

${note}${renderMarkdownEnd(result, { surface: "comment", room, where, redact })}`;
}
function describeState(state) {
  if (state.kind === "running") return ["⏳", "running"];
  if (state.kind === "step_cancelled") return ["🚫", "the step was cancelled"];
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
