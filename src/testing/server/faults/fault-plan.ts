/** Faults as plain data: a plan can be stored as JSON, generated, and shrunk until it is readable. */
import type { ServerFeature } from '../../../contract/tables/headers.ts';
import type { RouteId } from '../../../contract/tables/routes.ts';

/** The requests that a fault hits. Without any member: the first request. */
export interface FaultAim {
  readonly method?: string | undefined;
  /** An id of the table of routes: `createRun`, `readRun`, `listEvents`, … */
  readonly route?: RouteId | undefined;
  /** The path after `/api/v1`, without the query. `*` stands for any characters. */
  readonly path?: string | undefined;
  /** Only requests for server-sent events, or only other requests. */
  readonly stream?: boolean | undefined;
  /** The first request to hit, counted from 1 among the matching ones. @default 1 */
  readonly nth?: number | undefined;
  /** How many to hit from there. @default 1 */
  readonly times?: number | 'all' | undefined;
}

/** Before the server acts, or after it has acted. */
export type FaultMoment = 'before' | 'after';

/** The effect on the requests that a fault hits. docs/testing.md has the table. */
export type AimedFault = FaultAim &
  (
    | {
        readonly kind: 'answer';
        /** 200 to 599. */
        readonly status: number;
        readonly headers?: Readonly<Record<string, string>> | undefined;
        /** A string is sent as it is, anything else as JSON. @default no body */
        readonly body?: unknown;
      }
    | { readonly kind: 'unknown-state' /** @default 'PAUSED' */; readonly state?: string | undefined }
    | { readonly kind: 'wrong-type' /** @default 'text/html' */; readonly type?: string | undefined }
    | { readonly kind: 'empty-body' }
    | { readonly kind: 'truncate'; readonly bytes: number }
    | { readonly kind: 'silent-stream' }
    | { readonly kind: 'buffered-stream' }
    | { readonly kind: 'break-stream'; readonly events: number }
    | {
        readonly kind: 'slow-body' /** In one piece. */;
        readonly bytes: number /** Before each. */;
        readonly ms: number;
      }
    | { readonly kind: 'cut-body' /** @default half of the body */; readonly bytes?: number | undefined }
    | { readonly kind: 'close-after' }
    | { readonly kind: 'lost-answer' }
    | { readonly kind: 'hang' /** @default 'before' */; readonly when?: FaultMoment | undefined }
    | { readonly kind: 'reset' }
    | { readonly kind: 'delay'; readonly ms: number /** @default 'before' */; readonly when?: FaultMoment | undefined }
  );

/** For a run: deleted from this request on. */
export type DeletedRun = Omit<FaultAim, 'times'> & { readonly kind: 'deleted-run' };

/** The server's behavior the whole time. */
export type LastingFault =
  | { readonly kind: 'feature-off'; readonly feature: ServerFeature | 'all' }
  | {
      readonly kind: 'lagging-copy';
      /** This many reads of each run find nothing. */
      readonly looks?: number | undefined;
      /** A run is not found for this long after its create, or after its first read if the create was not seen. */
      readonly ms?: number | undefined;
    }
  | { readonly kind: 'clock-skew' /** Added to the server's clock; may be negative. */; readonly ms: number };

export type Fault = AimedFault | DeletedRun | LastingFault;
export type FaultKind = Fault['kind'];
export type FaultPlan = readonly Fault[];
