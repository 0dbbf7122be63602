/** Changes that the workflow must allow: files that decide what runs or who reviews, and anything but plain files. */
import picomatch from 'picomatch';
import { isInstruction } from '../../action/github/base-files.ts';
import { counted } from '../../base/text.ts';
import type { ChangeInputs } from '../apply-inputs.ts';
import type { ChangedFile } from './patched-tree.ts';

const protectedPaths = [
  ...['.github/**', '**/CODEOWNERS', '**/.gitmodules', '**/.gitattributes', '**/package-lock.json'],
  ...['*.lock', '*.lockb', '*.lockfile', '*.lock.json', '*.lock.hcl', 'npm-shrinkwrap.json', 'pnpm-lock.yaml'],
  ...['pylock.toml', 'gems.locked', '*.resolved', 'conda-lock.yml', 'cabal.project.freeze', 'Manifest.toml'],
  ...['go.sum', 'go.work.sum', '.npmrc', '.yarnrc.yml', '.pnp.cjs'],
  // Other CI, which also runs on a push by a job's token.
  ...['.circleci/**', '.gitlab-ci.yml', '.travis.yml', 'azure-pipelines.yml', 'Jenkinsfile', '.buildkite/**'],
].map(pattern => (pattern.includes('/') ? pattern : `**/${pattern}`));

// Some file systems ignore case.
const isListed = picomatch(protectedPaths, { dot: true, nocase: true });
const shownMax = 10;

/** Whether the workflow must allow a change of the path. */
export function isProtectedPath(path: string): boolean {
  return isListed(path) || isInstruction(path);
}

/** Why the changes are refused, as sentences. Empty if they are not. */
export function findProtected(
  files: readonly ChangedFile[],
  { allowPaths, maxFiles, maxBytes }: ChangeInputs,
): readonly string[] {
  const isAllowed = allowPaths.length === 0 ? () => false : picomatch([...allowPaths], { dot: true });
  const refused = files.flatMap(file => {
    const why = describeKind(file) ?? (isProtectedPath(file.path) ? 'protected' : undefined);
    return why === undefined || isAllowed(file.path) ? [] : [`${JSON.stringify(file.path)} (${why})`];
  });
  const more = refused.length - shownMax;
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return [
    ...(refused.length === 0
      ? []
      : [
          `these paths are not in \`changes_allow_paths\`: ${refused.slice(0, shownMax).join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
        ]),
    ...(files.length > maxFiles
      ? [`${counted(files.length, 'file')} changed, and \`changes_max_files\` is ${maxFiles}`]
      : []),
    ...(bytes > maxBytes ? [`the files have ${bytes} bytes, and \`changes_max_bytes\` is ${maxBytes}`] : []),
  ];
}

function describeKind({ mode, formerMode }: ChangedFile): string | undefined {
  for (const [word, kind] of [
    ['120000', 'a link'],
    ['160000', 'a submodule'],
  ])
    if (mode === word || formerMode === word) return kind;
  return mode === '100755' && formerMode !== '100755' ? 'becomes executable' : undefined;
}
