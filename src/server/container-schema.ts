import { z } from 'zod';
import { imageName } from './environment-schema.ts';

export const dockerSchema = z.strictObject({
  command: z.string().min(1).optional().describe('File or name of the program'),
  image: imageName.optional().describe('Image for runs whose environment has none'),
  network: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._:=,-]*$/, 'is no network, such as bridge, host or none')
    .optional()
    .describe('`--network`'),
  memory_mb: z.int().min(16).optional().describe('MiB of memory of a container, without swap'),
  processes: z.int().min(1).optional().describe('Processes and threads of a container'),
  cpus: z.number().positive().optional().describe('Processors of a container'),
});
