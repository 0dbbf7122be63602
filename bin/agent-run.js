#!/usr/bin/env node
import { launch } from './launch.js';

launch(['../src/cli/main.ts', '../bundle/agent-run.js']);
