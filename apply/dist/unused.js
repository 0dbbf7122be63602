// In place of @ai-sdk/gateway, @modelcontextprotocol/client/_shims, @workflow/serde, jose, undici, debug
class NoGatewayError extends Error {
  static isInstance() {
    return false;
  }
}
export { NoGatewayError as GatewayAuthenticationError, NoGatewayError as GatewayError };
export const gateway = undefined;
export function createGateway() {
  throw new Error('The bundle has no gateway');
}
export class DefaultJsonSchemaValidator {}
export const CORS_IS_POSSIBLE = false;
export const WORKFLOW_SERIALIZE = Symbol('not used');
export const WORKFLOW_DESERIALIZE = Symbol('not used');
export class ProxyAgent {}
export const fetch = undefined;
export default () => () => {};
