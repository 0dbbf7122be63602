import {
  explainByEvent,
  explainFork
} from "./shared-missing-credentials.js";
import "./core.js";
export {
  explainByEvent,
  explainFork
};
