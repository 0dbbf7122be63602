import { waitForSlowAddresses } from '../base/network/slow-addresses.ts';
import { runCommandLine } from './command-line.ts';
import { openShell } from './terminal/command-shell.ts';

waitForSlowAddresses();
process.exitCode = await runCommandLine(process.argv.slice(2), openShell());
