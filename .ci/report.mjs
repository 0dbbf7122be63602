// The end of `.ci/run`: every failed test by its name with the beginning of what it said, so that the end of a log is enough to know what broke,
// and then, alone on the last line, the sum of the test runs.
//
//     node .ci/report.mjs REPORT…    reports of vitest's JSON reporter; one that is missing or broken counts as a failed test
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const SHOWN_LINES = 12;
const SHOWN_CHARACTERS = 200;

const reports = process.argv.slice(2).map(readReport);

for (const { name, said } of reports.flatMap(failuresIn)) {
  console.log(`FAILED ${name}\n${beginningOf(said)}`);
}

const passed = sumOf(report => report.numPassedTests);
const failed = sumOf(({ numFailedTests, success }) => Math.max(numFailedTests, success ? 0 : 1));
console.log(`${passed} passed, ${failed} failed`);
if (reports.some(({ numTotalTests }) => numTotalTests === 0)) process.exitCode = 1;

// A run that ended before its report is one that failed.
function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const lost = { name: file, status: 'failed', message: error.message, assertionResults: [] };
    return { numPassedTests: 0, numFailedTests: 0, numTotalTests: 0, success: false, testResults: [lost] };
  }
}

// A file that fails while it is loaded, or in a hook, has a message of its own.
function failuresIn({ testResults }) {
  return testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, message, assertionResults }) => {
      const file = relative(process.cwd(), name);
      const tests = assertionResults
        .filter(({ status }) => status === 'failed')
        .map(({ fullName, failureMessages }) => ({ name: `${file} > ${fullName}`, said: failureMessages.join('\n') }));
      return tests.length > 0 ? tests : [{ name: file, said: message }];
    });
}

function beginningOf(text) {
  const lines = stripVTControlCharacters(text).split('\n');
  return lines
    .slice(0, SHOWN_LINES)
    .map(line => `    ${line.slice(0, SHOWN_CHARACTERS)}`)
    .join('\n');
}

function sumOf(count) {
  return reports.reduce((total, report) => total + count(report), 0);
}
