import {
  parseCommand
} from "./shared-parse-command.js";
import "./core.js";
export {
  parseCommand
};
