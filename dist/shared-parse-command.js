import {
  InputError
} from "./core.js";

// src/action/embedded/parse-command.ts
var blanks = " 	";
var escapable = '"\\$`';
var shellWords = 'use ["sh", "-c", "…"] to run a shell command';
async function parseCommand(text) {
  const trimmed = text.trim();
  const words = /^(\[|-\s)/.test(trimmed) ? await readList(trimmed) : splitLine(trimmed);
  const [program = "", ...args] = words;
  if (program.trim() === "") throw new InputError("`command` must start with a program");
  if (/^[A-Za-z_]\w*=/.test(program))
    throw new InputError(
      "`command` must start with a program, not with a variable; set the variable under `env:` of the step and name it in `pass_env`, or start with the program `env`"
    );
  return [program, ...args];
}
async function readList(text) {
  const list = readJson(text) ?? await readYaml(text);
  if (isWords(list)) return list;
  throw new InputError('`command`: the list must contain only strings, such as ["my-agent", "--json"]');
}
function readJson(text) {
  try {
    const value = JSON.parse(text);
    return isWords(value) ? value : void 0;
  } catch {
    return void 0;
  }
}
async function readYaml(text) {
  const { parse } = await import("./yaml.js");
  try {
    return parse(text, { schema: "failsafe", prettyErrors: false });
  } catch {
    throw new InputError(
      '`command` starts like a list but is neither JSON nor YAML; use a list such as ["my-agent", "--json"], or one line'
    );
  }
}
function isWords(value) {
  return Array.isArray(value) && value.every((word) => typeof word === "string");
}
function splitLine(line) {
  const words = [];
  let word;
  for (let at = 0; at < line.length; ) {
    const sign = line.charAt(at);
    if (blanks.includes(sign)) {
      if (word !== void 0) words.push(word);
      word = void 0;
      at += 1;
      continue;
    }
    const piece = sign === "'" || sign === '"' ? readQuoted(line, at) : readBare(line, at, word === void 0);
    word = (word ?? "") + piece.text;
    at = piece.end;
  }
  return word === void 0 ? words : [...words, word];
}
function readQuoted(line, start) {
  const quote = line.charAt(start);
  let text = "";
  for (let at = start + 1; at < line.length; at += 1) {
    const sign = line.charAt(at);
    if (sign === quote) return { text, end: at + 1 };
    const next = line.charAt(at + 1);
    if (quote === "'") text += sign;
    else if (sign === "\\" && next !== "" && escapable.includes(next)) {
      text += next;
      at += 1;
    } else if (sign === "`" || sign === "$" && /[\w{(]/.test(next))
      throw new InputError(
        `\`command\`: ${sign} in double quotes has no effect, because no shell runs the command; put it in single quotes to pass it literally, or ${shellWords}`
      );
    else text += sign;
  }
  throw new InputError(`\`command\`: the quote ${quote} is never closed; close it, or put a backslash before it`);
}
function readBare(line, at, isFirst) {
  const sign = line.charAt(at);
  const next = line.charAt(at + 1);
  if (sign === "\\" && next !== "" && !"\r\n".includes(next)) return { text: next, end: at + 2 };
  if ("\r\n".includes(sign) || sign === "\\")
    throw new InputError(`\`command\` must be one line or a list; or ${shellWords}`);
  if ("|&;<>()$`*?[".includes(sign) || isFirst && "~#".includes(sign))
    throw new InputError(
      `\`command\`: ${sign === "&" && next === "&" ? "&&" : sign} outside quotes has no effect, because no shell runs the command; put it in single quotes to pass it literally, or ${shellWords}`
    );
  return { text: sign, end: at + 1 };
}

export {
  parseCommand
};
