/** The run's artifacts as a list: pull requests and documents are links, files are named. */
import { describeArtifact } from '../../../base/wording/artifact-words.ts';
import type { Artifact } from '../../../client/index.ts';
import { keepHead } from '../../text/budget.ts';
import { link, quoteInline } from '../../text/markdown.ts';
import { isPatch } from '../saved-patch.ts';

const shownMax = 30;
const textBytes = 400;

/** '' without artifacts. `withoutPatch`: the summary already lists the changes. */
export function listArtifacts(all: readonly Artifact[], { withoutPatch }: { readonly withoutPatch: boolean }): string {
  const artifacts = withoutPatch ? all.filter(artifact => !isPatch(artifact)) : all;
  if (artifacts.length === 0) return '';
  const lines = artifacts.slice(0, shownMax).map(artifact => `- ${printArtifact(artifact)}`);
  const more = artifacts.length - shownMax;
  return ['Artifacts:', '', ...lines, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n');
}

function printArtifact(artifact: Artifact): string {
  const { kind, name, url, details } = describeArtifact(artifact);
  const what = url === undefined ? quoteInline(cut(name)) : link(cut(name), url);
  return [`${quoteInline(cut(kind))}: ${what}`, ...details.map(detail => quoteInline(cut(detail)))].join(', ');
}

function cut(text: string): string {
  return keepHead(text, { surface: 'summary', room: textBytes });
}
