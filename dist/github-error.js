import {
  GitHubError,
  explainAnswer
} from "./shared-github-error.js";
import "./core.js";
export {
  GitHubError,
  explainAnswer
};
