import { runCommandLine } from './command-line.ts';
import { openShell } from './shell.ts';

process.exitCode = await runCommandLine(process.argv.slice(2), openShell());
