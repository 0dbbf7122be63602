import { readFeatures, type ServerFeature } from '../../contract/tables/headers.ts';
import { ApiError } from '../errors/answer-errors.ts';
import { FeatureUnavailableError } from '../errors/run-errors.ts';

/** Statuses of a program that knows no such address or method. */
export const notThere: ReadonlySet<number> = new Set([404, 405, 501]);

/** Whether an answer says that the address is not there, and not that it announces what the address is for. */
export function isAddressMissing(error: unknown, feature: ServerFeature): error is ApiError {
  return error instanceof ApiError && notThere.has(error.status) && !readFeatures(error.headers).has(feature);
}

/** FeatureUnavailableError where the address is not there; else the same error. */
export function explainMissing(error: unknown, feature: ServerFeature): unknown {
  return isAddressMissing(error, feature) ? new FeatureUnavailableError(feature, error) : error;
}
