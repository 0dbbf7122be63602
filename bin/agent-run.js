#!/usr/bin/env node
import { launch } from './launch.js';

launch(['../src/cli/main.ts', '../js/cli/main.js']);
