/** Prints the contract's schemas as JSON Schema 2020-12, which OpenAPI 3.1 uses. */
import * as z from 'zod';
import { configSchema } from '../../../contract/config.ts';
import { createRunAnswerSchema, createRunSchema } from '../../../contract/create.ts';
import { eventPageSchema, eventSchema } from '../../../contract/events.ts';
import { pageSchema } from '../../../contract/page.ts';
import { problemSchema } from '../../../contract/problem.ts';
import { runSchema, runSourceSchema, runStateSchema } from '../../../contract/run.ts';
import { examples } from './openapi-examples.ts';

/** Named shapes of the document. Generators name their types after the public interface's names. */
const namedSchemas = z.registry<{ readonly id: string }>();
for (const [id, schema] of Object.entries({
  RunAgentRequest: createRunSchema,
  RunAgentResponse: createRunAnswerSchema,
  ListRunsResponse: pageSchema,
  PageInfo: pageSchema.shape.page_info,
  RunItem: runSchema,
  RunState: runStateSchema,
  RunStatusMessage: runSchema.shape.status_message.unwrap(),
  RunSourceType: runSourceSchema,
  RunCreatorInfo: runSchema.shape.creator,
  AmbientAgentConfig: configSchema,
  MCPServerConfig: configSchema.shape.mcp_servers.unwrap().valueType,
  Error: problemSchema,
  RunEvent: eventSchema,
  EventPage: eventPageSchema,
}))
  namedSchemas.add(schema, { id });

const nameAddress = (name: string) => `#/components/schemas/${name}`;

/** Printed as input, schemas allow unknown members. Answers may contain them too. Answers have no defaults. */
const printing = { io: 'input', unrepresentable: 'any' } as const;

/** `components.schemas` */
export function printNamedSchemas() {
  const { schemas } = z.toJSONSchema(namedSchemas, { ...printing, uri: nameAddress });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _dialect, $id: _address, ...schema }]) => [
      name,
      Object.hasOwn(examples, name) ? { ...schema, examples: [examples[name as keyof typeof examples]] } : schema,
    ]),
  );
}

/** Prints a schema with a reference for each named part. */
export function printSchema(schema: z.core.$ZodType) {
  const { $schema: _dialect, ...printed } = z.toJSONSchema(schema, {
    ...printing,
    override({ zodSchema, jsonSchema }) {
      const name = namedSchemas.get(zodSchema)?.id;
      if (name === undefined) return;
      for (const keyword of Object.keys(jsonSchema)) delete jsonSchema[keyword];
      jsonSchema.$ref = nameAddress(name);
    },
  });
  return printed;
}
