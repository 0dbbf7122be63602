import {
  guardLine
} from "./core.js";

// src/action/github/step-github.ts
function createStepGitHub(host, { token, apiUrl, network, budgetMs }) {
  const open = async () => {
    const { openGitHub } = await import("./github.js");
    return openGitHub({
      token,
      apiUrl,
      fetch: network.fetch,
      log: (line) => host.print(guardLine(line)),
      ...budgetMs === void 0 ? {} : { budgetMs }
    });
  };
  let opening;
  return () => opening ??= open();
}
export {
  createStepGitHub
};
