/** Responses with the names and types of GitHub's own description of its API, as far as a fake has the members. */
import type { components } from '@octokit/openapi-types';
import type { FakeReply } from './fake-pull.ts';

type Schemas = components['schemas'];
type Part<Whole> = Whole extends readonly (infer Item)[]
  ? readonly Part<Item>[]
  : Whole extends object
    ? { readonly [Name in keyof Whole]?: Part<Whole[Name]> }
    : Whole;

export type Shape<Name extends keyof Schemas> = Part<Schemas[Name]>;

export function reply<Name extends keyof Schemas>(_: Name, body: Shape<Name>, status = 200): FakeReply {
  return { status, body };
}

export function refuse(
  status: number,
  message: string,
  ...errors: readonly (string | Shape<'basic-error'>)[]
): FakeReply {
  return { status, body: { message, ...(errors.length > 0 && { errors }) } };
}
