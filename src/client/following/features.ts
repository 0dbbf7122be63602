import { readFeatures, type ServerFeature } from '../../contract/headers.ts';
import { ApiError } from '../errors/errors.ts';
import { FeatureUnavailableError } from '../errors/run-errors.ts';

const notThere: ReadonlySet<number> = new Set([404, 405, 501]);

/** FeatureUnavailableError where the address is not there and the server does not announce what it is for; else the same error. */
export function explainMissing(error: unknown, feature: ServerFeature): unknown {
  const isMissing = error instanceof ApiError && notThere.has(error.status);
  return isMissing && !readFeatures(error.headers).has(feature) ? new FeatureUnavailableError(feature, error) : error;
}
