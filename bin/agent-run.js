#!/usr/bin/env node
import { refuseNode } from './node-version.js';

const refusal = refuseNode(process.versions.node, process.execPath);
if (refusal === undefined) start();
else {
  process.exitCode = 2;
  console.error(refusal);
}

function start() {
  hideSqliteWarning();
  import('node:fs')
    .then(({ existsSync }) => {
      const source = new URL('../src/cli/main.ts', import.meta.url);
      return import(existsSync(source) ? source.href : new URL('../js/cli/main.js', import.meta.url).href);
    })
    .catch(error => {
      process.exitCode = 2;
      const hint = error.code === 'ERR_MODULE_NOT_FOUND' ? '; in a clone, run `npm ci` first' : '';
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
