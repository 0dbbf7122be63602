import type { Plugin } from 'esbuild';

/** Keeps out of the bundle what packages bring along and nothing here uses. */
export const leanPackages: Plugin = {
  name: 'lean-packages',
  setup({ onLoad, onResolve }) {
    // The words of errors in fifty languages.
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    }));
    // What the AI SDK asks where a model is named and not made: a service of its maker, which nobody here has named.
    // And names of methods for a runtime of its maker, in a package without the text of its licence.
    onResolve(
      { filter: /^(@ai-sdk\/gateway|@workflow\/serde|@modelcontextprotocol\/client\/_shims)$/ },
      ({ path }) => ({
        path,
        namespace: 'lean',
        sideEffects: false,
      }),
    );
    onLoad({ filter: /^@ai-sdk/, namespace: 'lean' }, () => ({ contents: noGateway }));
    onLoad({ filter: /^@workflow/, namespace: 'lean' }, () => ({ contents: noSerde }));
    // A validator for the results of tools, which nothing here asks the client for.
    onLoad({ filter: /^@modelcontextprotocol/, namespace: 'lean' }, () => ({ contents: noValidator }));
  },
};

const noGateway = `class NoGatewayError extends Error {
  static isInstance() {
    return false;
  }
}
export { NoGatewayError as GatewayAuthenticationError, NoGatewayError as GatewayError };
export const gateway = undefined;
export function createGateway() {
  throw new Error('there is no gateway in the bundle');
}
`;

const noValidator = `export class DefaultJsonSchemaValidator {}
export const CORS_IS_POSSIBLE = false;
`;

const noSerde = `export const WORKFLOW_SERIALIZE = Symbol('not used');
export const WORKFLOW_DESERIALIZE = Symbol('not used');
`;
