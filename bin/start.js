import { launch } from './launch.js';

launch(['../src/demo/main.ts']);
