import { z } from 'zod';
import { configurationSchema } from '../../lib/config';
import { code, renderPage, renderTable } from './markdown';
import { CONFIGURATION, TOOL_CONFIGURATION } from './texts/configuration';

const propertySchema = z.looseObject({
  minLength: z.number().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  enum: z.array(z.string()).optional(),
});

type Variable = z.infer<typeof propertySchema> & { default?: unknown; required: boolean };

const shape: Readonly<Record<string, z.ZodType>> = configurationSchema.shape;

/** What the code uses for a variable that is not set; JSON Schema lacks it where the value is converted. */
const findDefault = (name: string): unknown => shape[name]?.safeParse(undefined).data;

/** Variables of the schema with their JSON Schema. */
function readVariables(): Map<string, Variable> {
  const { properties = {}, required = [] } = z.toJSONSchema(configurationSchema, {
    io: 'input',
    unrepresentable: 'any',
  });
  return new Map(
    Object.entries(properties).map(([name, property]) => [
      name,
      { ...propertySchema.parse(property), default: findDefault(name), required: required.includes(name) },
    ]),
  );
}

/** Names of all variables of the service, for the test that each is described. */
export const listConfigurationVariables = (): string[] => [...readVariables().keys()];

function formatAccepted({ minLength = 0, minimum, maximum, enum: values }: Variable): string {
  if (values !== undefined) return values.map(code).join(', ');
  if (minLength > 1) return `at least ${minLength} characters`;
  return minimum === undefined || maximum === undefined ? '' : `${minimum}–${maximum}`;
}

function formatDefault({ default: value, required }: Variable): string {
  if (required) return 'required';
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return '';
  return code(Array.isArray(value) ? value.join(',') : JSON.stringify(value).replaceAll('"', ''));
}

/** What the launcher and commands read, which the schema of the service does not have. */
function renderToolSection(): string {
  const rows = Object.entries(TOOL_CONFIGURATION).map(([name, [meaning, fallback]]) => [code(name), meaning, fallback]);
  return `## Launcher, commands and tests\n\n${renderTable(['variable', 'meaning', 'default'], rows)}`;
}

/**
 * `docs/reference/configuration.md`: defaults and limits are read from the schema, meanings from
 * `texts/configuration.ts`.
 */
export function renderConfigurationPage(): string {
  const variables = readVariables();
  const sections = Object.entries(CONFIGURATION).map(([group, texts]) => {
    const rows = Object.entries(texts).map(([name, text]) => {
      const variable = variables.get(name) ?? { required: false };
      return [code(name), text, formatDefault(variable), formatAccepted(variable)];
    });
    return `## ${group}\n\n${renderTable(['variable', 'meaning', 'default', 'accepts'], rows)}`;
  });
  return renderPage(
    'Configuration',
    'API and workers read these environment variables once, when they start, and name every variable that is not valid. `npm start` sets those that are required. Secrets may be given as the path of a file in `<NAME>_FILE`.',
    ...sections,
    renderToolSection(),
  );
}
