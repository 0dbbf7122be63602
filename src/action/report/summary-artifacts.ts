/** What the run left behind, as a list: pull requests and documents are links, files are named. */
import type { Run } from '../../client/index.ts';
import { keepHead } from '../text/budget.ts';
import { link, quoteInline } from '../text/markdown.ts';

type Artifact = NonNullable<Run['artifacts']>[number];

const shownMax = 30;
const textBytes = 400;

/** '' where there is none. */
export function listArtifacts(artifacts: readonly Artifact[]): string {
  if (artifacts.length === 0) return '';
  const lines = artifacts.slice(0, shownMax).map(artifact => `- ${printArtifact(artifact)}`);
  const more = artifacts.length > shownMax ? [`- ${artifacts.length - shownMax} more`] : [];
  return ['Left behind:', '', ...lines, ...more].join('\n');
}

/** Whatever kind it is: an address, a name and a description are looked for under the names that the kinds have for them. */
function printArtifact({ artifact_type, data }: Artifact): string {
  const read = (...names: readonly string[]) => readText(data as Readonly<Record<string, unknown>>, names);
  const kind = quoteInline(cut(String(artifact_type).toLowerCase().replaceAll('_', ' ')));
  const address = read('url');
  const name = read('title', 'filename', 'reference_type');
  const what = address === undefined ? quoteInline(cut(name ?? '')) : link(cut(name ?? address), address);
  const detail = read('branch', 'description', 'filepath');
  return [`${kind}: ${what}`, ...(detail === undefined ? [] : [quoteInline(cut(detail))])].join(', ');
}

function readText(data: Readonly<Record<string, unknown>> | undefined, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = data?.[name];
    if (typeof value === 'string' && value.trim() !== '') return value;
  }
  return undefined;
}

function cut(text: string): string {
  return keepHead(text, { surface: 'summary', room: textBytes });
}
