import { processGroups } from '../../../src/server/executor/containment.ts';
import { testExecutor } from './executor-suite.ts';

testExecutor(processGroups);
