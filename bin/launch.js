import { existsSync } from 'node:fs';
import { refuseNode } from './node-version.js';

/**
 * Imports the first of the files that is there, on a Node that can run it; one that is too old gets a sentence. Sources lie in a clone, built files in the published
 * package. Plain JavaScript that Node 14 can parse.
 */
export function launch(files) {
  const addresses = files.map(file => new URL(file, import.meta.url));
  const refusal = refuseNode(process.versions.node, process.execPath, existsSync(addresses[0]));
  if (refusal !== undefined) {
    process.exitCode = 2;
    console.error(refusal);
    return;
  }
  hideSqliteWarning();
  import((addresses.find(address => existsSync(address)) || addresses[0]).href).catch(error => {
    process.exitCode = 2;
    const hint = error.code === 'ERR_MODULE_NOT_FOUND' ? '. In a clone, run `npm ci` first.' : '';
    console.error(`agent-run cannot start: ${error.message}${hint}`);
  });
}

/** node:sqlite says on every start that it is experimental; every other warning is shown. */
function hideSqliteWarning() {
  const emitWarning = process.emitWarning;
  process.emitWarning = (warning, ...rest) => {
    if (rest[0] === 'ExperimentalWarning' && /SQLite/.test(String(warning))) return;
    emitWarning.call(process, warning, ...rest);
  };
}
