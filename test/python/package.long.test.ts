/** The wheel and the source distribution, built and used without a network. */
import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { manifest } from '../../scripts/package-folder.ts';
import { pythonFolder, runPython } from '../support/python.ts';
import { createTempFolder } from '../support/temp-folder.ts';
import { fenced, openTestServer } from '../support/test-server.ts';
import { testInPython } from './python-tests.ts';

const timeoutMs = 120_000;
const built = ['src', 'README.md', 'LICENSE', 'pyproject.toml'];
const program = `
import pathlib, sys
import agent_run
assert pathlib.Path(agent_run.__file__).is_relative_to(sys.prefix), agent_run.__file__
assert (pathlib.Path(agent_run.__file__).parent / "py.typed").exists()
with agent_run.AgentRuns() as client:
    run = client.runs.wait(client.runs.create(sys.argv[1]).run_id)
    print(run.state, agent_run.__version__)
`;

testInPython(
  ['build', 'hatchling', 'venv', 'ensurepip', 'httpx'],
  'the wheel and the source distribution have the sources, their types and nothing else, and work where they are installed',
  async python => {
    const folder = createTempFolder();
    const source = join(folder, 'python');
    for (const path of built)
      cpSync(join(pythonFolder, path), join(source, path), {
        recursive: true,
        filter: from => !from.includes('__pycache__'),
      });
    await runPython(
      python,
      ['-m', 'build', '--no-isolation', '--skip-dependency-check', '--outdir', join(folder, 'dist')],
      {
        cwd: source,
        timeoutMs,
      },
    );
    const { version } = manifest;
    const [wheel, sdist] = [`agent_run-${version}-py3-none-any.whl`, `agent_run-${version}.tar.gz`];
    expect(readdirSync(join(folder, 'dist')).toSorted()).toEqual([wheel, sdist].toSorted());

    const modules = readdirSync(join(source, 'src/agent_run'), { recursive: true, encoding: 'utf8' })
      .filter(path => /\.(py|typed)$/.test(path))
      .map(path => `agent_run/${path}`);
    expect(modules).toContain('agent_run/py.typed');
    const info = `agent_run-${version}.dist-info`;
    const list = 'import sys, zipfile; print("\\n".join(zipfile.ZipFile(sys.argv[1]).namelist()))';
    const inWheel = await runPython(python, ['-c', list, join(folder, 'dist', wheel)], { timeoutMs });
    expect(linesOf(inWheel)).toEqual(
      [...modules, ...['METADATA', 'RECORD', 'WHEEL', 'licenses/LICENSE'].map(name => `${info}/${name}`)].toSorted(),
    );
    const inSdist = execFileSync('tar', ['-tzf', join(folder, 'dist', sdist)], { encoding: 'utf8' });
    // hatchling adds the .gitignore of the repository if it finds one.
    expect(linesOf(inSdist).filter(path => !path.endsWith('.gitignore'))).toEqual(
      ['PKG-INFO', 'README.md', 'LICENSE', 'pyproject.toml', ...modules.map(path => `src/${path}`)]
        .map(path => `agent_run-${version}/${path}`)
        .toSorted(),
    );

    const environment = join(folder, 'environment');
    await runPython(python, ['-m', 'venv', '--system-site-packages', environment], { timeoutMs });
    const installed = join(environment, 'bin/python');
    const install = ['-m', 'pip', 'install', '--no-index', '--no-deps', '--disable-pip-version-check'];
    await runPython(installed, [...install, join(folder, 'dist', wheel)], { timeoutMs });
    const { url, key } = await openTestServer();
    const printed = await runPython(installed, ['-c', program, fenced('true')], {
      cwd: folder,
      timeoutMs,
      env: { AGENT_RUN_BASE_URL: url, AGENT_RUN_API_KEY: key },
    });
    expect(printed.trim()).toBe(`SUCCEEDED ${version}`);
  },
  timeoutMs,
);

function linesOf(text: string): readonly string[] {
  return text.trim().split('\n').toSorted();
}
