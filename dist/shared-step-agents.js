import {
  InputError,
  MissingCredentialError,
  quoteText
} from "./core.js";

// src/action/embedded/step-agents.ts
var providers = [
  {
    api: "anthropic",
    key: "ANTHROPIC_API_KEY",
    address: "ANTHROPIC_BASE_URL",
    root: "https://api.anthropic.com",
    models: /^claude/i
  },
  {
    api: "openai-responses",
    // What gateways and local servers speak.
    ownApi: "openai-chat",
    key: "OPENAI_API_KEY",
    address: "OPENAI_BASE_URL",
    root: "https://api.openai.com",
    models: /^(gpt|chatgpt|codex|o\d)/i
  },
  {
    api: "gemini",
    key: "GEMINI_API_KEY",
    address: "GOOGLE_GEMINI_BASE_URL",
    root: "https://generativelanguage.googleapis.com",
    models: /^gemini/i
  }
];
var agentApis = {
  builtin: ["anthropic", "openai-responses", "openai-chat", "gemini"],
  claude: ["anthropic"],
  codex: ["openai-responses"],
  gemini: ["gemini"],
  opencode: ["anthropic", "openai-responses", "openai-chat", "gemini"]
};
var stepAgentKinds = Object.keys(agentApis);
function hasModelKey(env) {
  return providers.some((provider) => isSet(env[provider.key]));
}
function findModelKeys(modelId) {
  const meant = providers.filter((provider) => isMeant(provider, modelId));
  return (meant.length === 0 ? providers : meant).map(({ key }) => key);
}
function lackKey({ who, keys, more = "" }, env) {
  const isUnset = keys.every((key) => env[key] === void 0);
  const lack = `${who} needs ${nameKeys(keys)}, but it is ${isUnset ? "not set" : "empty"}`;
  return new MissingCredentialError(lack, { remedy: `${giveKey(keys)}${more}`, isUnset });
}
function nameKeys(keys) {
  return `${keys.join(" or ")} under \`env:\` of the step`;
}
function giveKey(keys) {
  return `. Set ${keys.length === 1 ? spellKeys(keys) : "the one of your provider"} there`;
}
function spellKeys([key = "", ...more]) {
  return more.length === 0 ? `\`${key}: \${{ secrets.${key} }}\`` : [key, ...more].join(" or ");
}
function findModelAddress(env) {
  return providers.find((provider) => isSet(env[provider.address]))?.address;
}
function prepareAgent(kind, { env, modelId, passedEnv }) {
  const endpoint = findEndpoint(kind, env, modelId);
  const meant = providers.find((provider) => isMeant(provider, modelId) && speaks(kind, provider.api));
  if (endpoint === void 0) {
    const able = meant === void 0 ? providers.filter(({ api }) => speaks(kind, api)) : [meant];
    throw lackKey({ who: `\`harness\`: ${kind}`, keys: able.map(({ key }) => key) }, env);
  }
  if (providers.some(({ root }) => root === endpoint.root)) {
    refusePrefix(modelId);
    if (meant !== void 0 && !isSet(env[meant.key])) throw refuseOtherKey(meant.key, modelId, env);
  }
  if (modelId === void 0)
    throw new InputError(
      `\`model_id\` is missing. Set it to a model for ${kind === "builtin" ? "the built-in agent" : quoteText(kind)}, such as claude-haiku-4-5`
    );
  return {
    kind,
    endpoint,
    model: modelId,
    models: void 0,
    program: void 0,
    steps: 200,
    stallMs: 6e5,
    env: passedEnv
  };
}
function findEndpoint(kind, env, modelId) {
  const inOrder = providers.toSorted((a, b) => Number(isMeant(b, modelId)) - Number(isMeant(a, modelId)));
  for (const { api, ownApi = api, key, address, root } of inOrder) {
    const [apiKey, own] = [env[key], env[address]?.trim()];
    const isOwn = isSet(own);
    const spoken = isOwn && speaks(kind, ownApi) ? ownApi : api;
    if (!speaks(kind, spoken) || !(isSet(apiKey) || isOwn)) continue;
    if (isOwn && !isWebAddress(own)) throw refuseAddress(address, own);
    const chosen = isOwn ? own : root;
    return {
      api: spoken,
      root: chosen.replace(/\/+$/, "").replace(/\/v1(beta)?$/, ""),
      apiKey: isSet(apiKey) ? apiKey.trim() : void 0,
      keyOrigin: `${key} under \`env:\` of the step`,
      addressOrigin: `${address} under \`env:\` of the step`
    };
  }
  return void 0;
}
function isMeant({ models }, modelId = "") {
  return models.test(modelId);
}
function refuseOtherKey(key, modelId = "", env) {
  const who = `\`model_id\` ${quoteText(modelId)}`;
  return env[key] === void 0 ? new InputError(`${who} needs ${nameKeys([key])}, but it is not set${giveKey([key])}`) : lackKey({ who, keys: [key] }, env);
}
function refusePrefix(modelId = "") {
  const [, prefix, name = ""] = /^(anthropic|openai|google|gemini)\/(.+)$/i.exec(modelId) ?? [];
  if (prefix !== void 0)
    throw new InputError(
      `\`model_id\` ${quoteText(modelId)} has a prefix that only gateways use. Write it without: ${quoteText(name)}`
    );
}
function refuseAddress(variable, address) {
  const shown = address.includes("@") ? "" : `, not ${quoteText(address)}`;
  return new InputError(
    `${variable} under \`env:\` of the step must be the http or https URL of the agent's model, such as http://127.0.0.1:11434/v1${shown}`
  );
}
function speaks(kind, api) {
  const apis = agentApis[kind];
  return apis.includes(api);
}
function isSet(text) {
  return text !== void 0 && text.trim() !== "";
}
function isWebAddress(text) {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

export {
  stepAgentKinds,
  hasModelKey,
  findModelKeys,
  lackKey,
  spellKeys,
  findModelAddress,
  prepareAgent
};
