/** Of the Python client's own tests those that need few seconds and no server. The others are long. */
import { shortFiles, testPythonFile } from './python-tests.ts';

for (const file of shortFiles) testPythonFile(file);
