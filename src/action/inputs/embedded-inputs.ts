/** The inputs of a step without a server. */
import { isUsualVariableName } from '../../base/variable-name.ts';
import type { ActionHost } from '../host/host.ts';
import { readWorkingDirectory } from './file-inputs.ts';
import { InputError, quote, readAll, readBoolean, readText, readWord, readWords } from './values.ts';

export interface EmbeddedInputs {
  readonly command: string | undefined;
  readonly passEnv: readonly string[];
  readonly harnessVersion: string | undefined;
  readonly allowScript: boolean;
  /** Absolute. */
  readonly workingDirectory: string | undefined;
}

export function readEmbedded(host: ActionHost): Promise<EmbeddedInputs> {
  return readAll<EmbeddedInputs>({
    command: () => readText(host, 'command')?.trim(),
    passEnv: () => readNames(host),
    harnessVersion: () => readVersion(host),
    allowScript: () => readBoolean(host, 'allow_script', false),
    workingDirectory: () => readWorkingDirectory(host),
  });
}

function readVersion(host: ActionHost): string | undefined {
  const version = readWord(host, 'harness_version');
  if (version === undefined || /^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) return version;
  throw new InputError(`\`harness_version\` must be an exact version such as 2.1.332, not ${quote(version)}`);
}

function readNames(host: ActionHost): readonly string[] {
  const names = readWords(host, 'pass_env') ?? [];
  const wrong = names.find(name => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name));
  if (wrong !== undefined)
    throw new InputError(
      `\`pass_env\`: ${describeWrongName(wrong)} is not a variable name. Write only names here, and set the values under \`env:\``,
    );
  return names;
}

/** The text may be a secret value without its name, so only a usual name is shown. */
function describeWrongName(text: string): string {
  const [name = ''] = text.split('=');
  return isUsualVariableName(name) ? quote(name) : 'the value (not shown)';
}
