import {
  Octokit
} from "./shared-json-with-bigint.js";
import "./core.js";
export {
  Octokit
};
