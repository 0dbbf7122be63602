import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const usualTools = 'bash cat chmod env git head id ls mkdir pwd rm seq setsid sleep tail touch true wc';

/**
 * Makes an image of tools of this machine, so that no registry is needed. The result removes it. `extra` is absolute
 * paths of programs.
 */
export function makeToolsImage(
  { file, env }: { readonly file: string; readonly env: Readonly<Record<string, string>> },
  image: string,
  extra: readonly string[] = [],
): () => void {
  const root = mkdtempSync(join(tmpdir(), 'agent-run-image-'));
  const copy = (from: string, to = from) => {
    if (existsSync(join(root, to))) return;
    mkdirSync(dirname(join(root, to)), { recursive: true });
    copyFileSync(from, join(root, to));
  };
  try {
    const tools = usualTools.split(' ').map(name => which(name));
    for (const [index, tool] of [...tools, ...extra].entries()) {
      copy(
        tool,
        `/usr/bin/${index < tools.length ? usualTools.split(' ')[index] : tool.slice(tool.lastIndexOf('/') + 1)}`,
      );
      for (const library of librariesOf(tool)) copy(library);
    }
    for (const folder of ['bin', 'etc', 'tmp', 'proc', 'sys', 'dev'])
      mkdirSync(join(root, folder), { recursive: true });
    for (const shell of ['bin/sh', 'bin/bash']) symlinkSync('/usr/bin/bash', join(root, shell));
    writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0:root:/:/bin/bash\n');
    const tar = execFileSync('tar', ['-C', root, '-c', '.'], { maxBuffer: 1024 ** 3 });
    execFileSync(file, ['import', '--change', 'ENV OF_THE_IMAGE=yes', '-', image], { env, input: tar, stdio: 'pipe' });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
  return () => void execFileSync(file, ['rmi', '--force', image], { env, stdio: 'pipe' });
}

function which(name: string): string {
  const file = ['/usr/bin', '/bin'].map(folder => join(folder, name)).find(path => existsSync(path));
  if (file === undefined) throw new Error(`this machine has no ${name}, which the image needs`);
  return file;
}

function librariesOf(program: string): readonly string[] {
  try {
    const said = execFileSync('ldd', [program], { encoding: 'utf8', stdio: 'pipe' });
    return [...said.matchAll(/(\/\S+)(?= \()/g)].map(([path]) => path);
  } catch {
    // A static program needs no libraries.
    return [];
  }
}
