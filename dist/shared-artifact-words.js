import {
  isObject
} from "./core.js";

// src/base/artifact-words.ts
function describeArtifact(artifact) {
  const type = String(artifact.artifact_type ?? "thing");
  const data = isObject(artifact.data) ? artifact.data : {};
  const read = (...names) => names.map((name2) => textOf(data[name2])).find((text) => text !== void 0);
  const word = type.toLowerCase().replaceAll("_", " ");
  const url = read("url");
  const name = read("title", "filepath", "filename") ?? url ?? read("description", "reference_type") ?? word;
  const size = type === "FILE" && typeof data.size_bytes === "number" ? [printBytes(data.size_bytes)] : [];
  const copy = data.path === null ? "not kept" : read("path");
  const more = [read("branch"), read("description"), read("title") === void 0 ? void 0 : read("filepath"), copy];
  return {
    kind: type === "EXTERNAL_REFERENCE" ? read("reference_type") ?? word : word,
    name,
    url,
    fileUid: type === "FILE" ? read("artifact_uid") : void 0,
    details: [...size, ...new Set(more.filter((text) => text !== void 0 && text !== name))]
  };
}
function textOf(value) {
  return typeof value === "string" && value.trim() !== "" ? value : void 0;
}
var units = ["bytes", "KB", "MB", "GB"];
function printBytes(bytes) {
  let [size, unit] = [bytes, 0];
  while (size >= 999.5 && unit < units.length - 1) [size, unit] = [size / 1e3, unit + 1];
  const shown = unit === 0 || size >= 100 ? Math.round(size) : Math.round(size * 10) / 10;
  return `${shown} ${units[unit]}`;
}

export {
  describeArtifact
};
