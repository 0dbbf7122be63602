import { readFeatures, type ServerFeature } from '../../contract/tables/headers.ts';
import { ApiError } from '../errors/answer-errors.ts';
import { FeatureUnavailableError } from '../errors/run-errors.ts';

/** Statuses of a server that does not know an address or a method. */
export const notThere: ReadonlySet<number> = new Set([404, 405, 501]);

/** Whether the answer says that the address does not exist, and the server does not announce the feature. */
export function isAddressMissing(error: unknown, feature: ServerFeature): error is ApiError {
  return error instanceof ApiError && notThere.has(error.status) && !readFeatures(error.headers).has(feature);
}

/** FeatureUnavailableError if the address does not exist, otherwise the same error. */
export function explainMissing(error: unknown, feature: ServerFeature): unknown {
  return isAddressMissing(error, feature) ? new FeatureUnavailableError(feature, error) : error;
}
