import { z } from 'zod';
import { imageName } from './environment-schema.ts';

export const dockerSchema = z.strictObject({
  command: z
    .string()
    .min(1)
    .optional()
    .describe('File or name of the command; else `docker`, else `podman`, as the PATH of the server has them'),
  image: imageName
    .optional()
    .describe('Image for runs whose environment names none, and for those without an environment'),
  network: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._:=,-]*$/, 'is no network, such as bridge, host or none')
    .optional()
    .describe("The network of containers (`--network`); the engine's usual one where not given"),
  memory_mb: z.int().min(16).optional().describe('MiB of memory of one container, without swap'),
  processes: z.int().min(1).optional().describe('Processes and threads of one container'),
  cpus: z.number().positive().optional().describe('Processors that one container may keep busy, also a part of one'),
});
