import * as z from 'zod';
import { imageName } from './environment-schema.ts';

export const dockerSchema = z.strictObject({
  command: z.string().min(1).optional().describe('Path or name of the container program'),
  image: imageName.optional().describe('Image for runs whose environment does not set one'),
  network: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._:=,-]*$/, 'must be a network name, such as bridge, host or none')
    .optional()
    .describe('`--network`'),
  memory_mb: z.int().min(16).optional().describe('Memory of a container in MiB, without swap'),
  processes: z.int().min(1).optional().describe('Maximum number of processes and threads in a container'),
  cpus: z.number().positive().optional().describe('CPUs of a container'),
});
