import {
  findModelAddress,
  findModelKeys,
  hasModelKey,
  lackKey,
  prepareAgent,
  spellKeys,
  stepAgentKinds
} from "./shared-step-agents.js";
import "./core.js";
export {
  findModelAddress,
  findModelKeys,
  hasModelKey,
  lackKey,
  prepareAgent,
  spellKeys,
  stepAgentKinds
};
