/**
 * Writes clients/typescript/src/generated from the documents in openapi/ (`npm run build -- --openapi`). With --check,
 * writes nothing and fails if a generated file is out of date (`npm test -- static`).
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import { format } from 'oxfmt';
import ts from 'typescript';
import { readJson, root } from '../stack/home.mjs';

const folder = path.join(root, 'clients', 'typescript', 'src', 'generated');

/** The generated files of each API. */
const APIS = [
  { document: 'identity.json', className: 'Operations', schema: 'schema', operations: 'operations' },
  {
    document: 'business.json',
    className: 'BusinessOperations',
    schema: 'business-schema',
    operations: 'business-operations',
  },
];

const header = ({ document }) =>
  `// Generated from openapi/${document} by \`npm run build -- --openapi\`; do not edit.\n`;

/** A file in a multipart body has the type `Upload`, which covers every kind of content that the client can send. */
const isFile = (schema) => schema.format === 'binary';
const upload = () => ts.factory.createTypeReferenceNode('Upload');

/** Alternatives that only restrict a schema, such as fields that exclude each other, have no type of their own. */
const restrictsOnly = (schema) => !['type', '$ref', 'properties', 'enum', 'const'].some((key) => key in schema);

/** A copy of a document without alternatives that would become `unknown`. */
function removeRestrictions(node) {
  if (Array.isArray(node)) return node.map(removeRestrictions);
  if (typeof node !== 'object' || node === null) return node;
  const kept = Object.entries(node).filter(
    ([key, value]) => !(['anyOf', 'oneOf'].includes(key) && Array.isArray(value) && value.every(restrictsOnly)),
  );
  return Object.fromEntries(kept.map(([key, value]) => [key, removeRestrictions(value)]));
}

async function renderSchemaFile(api, document) {
  const nodes = await openapiTS(removeRestrictions(document), {
    // A field with a default may be left out of a request.
    defaultNonNullable: false,
    transform: (schema) => (isFile(schema) ? upload() : undefined),
  });
  const types = astToString(nodes);
  const imports = types.includes('Upload') ? "import type { Upload } from '../uploads';\n\n" : '';
  return `${header(api)}${imports}${types}`;
}

/** Every operation of the document, with what is needed to generate its method. */
function listOperations(document) {
  return Object.entries(document.paths).flatMap(([route, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const named = (where) => (operation.parameters ?? []).filter((each) => each.in === where).map(({ name }) => name);
      const [contentType, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
      const properties = content?.schema?.properties ?? {};
      return {
        name: operation.operationId,
        method: method.toUpperCase(),
        route,
        text: [operation.summary, operation.description].filter(Boolean),
        pathParameters: named('path'),
        hasQuery: named('query').length > 0,
        requiresQuery: (operation.parameters ?? []).some((each) => each.in === 'query' && each.required),
        body: content && {
          isMultipart: contentType === 'multipart/form-data',
          isRequired: (content.schema.required ?? []).length > 0,
          files: Object.keys(properties).filter((name) => isFile(properties[name].items ?? properties[name])),
        },
        isIdempotent: named('header').includes('Idempotency-Key'),
        isFile: Object.keys(operation.responses['200']?.content ?? {}).some((type) => type !== 'application/json'),
        items: findItemsField(document, operation),
      };
    }),
  );
}

/** The field of a page that holds its records; undefined if the response is not a page. */
function findItemsField(document, operation) {
  const schema = operation.responses['200']?.content?.['application/json']?.schema;
  const properties = schema?.properties ?? {};
  if (properties.nextCursor === undefined) return undefined;
  return Object.keys(properties).find((name) => properties[name].type === 'array');
}

const comment = (lines) => {
  const text = lines.join('\n\n').replaceAll('*/', '*\\/').split('\n');
  return text.length === 1 ? `/** ${text[0]} */` : `/**\n${text.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */`;
};

/** The path as a JavaScript literal, with its parameters interpolated. */
const renderPath = (route) =>
  route.includes('{')
    ? `\`${route.replace(/\{(\w+)\}/g, (_match, parameter) => `\${encodeURIComponent(${parameter})}`)}\``
    : `'${route}'`;

function renderMethod(operation) {
  const { name, method, route, pathParameters, hasQuery, requiresQuery, body, isIdempotent, isFile, text } = operation;
  const parameters = [
    ...pathParameters.map((parameter) => `${parameter}: string`),
    ...(body ? [`body: Body<'${name}'>${body.isRequired ? '' : ' = {}'}`] : []),
    ...(hasQuery ? [`query: Query<'${name}'>${requiresQuery ? '' : ' = {}'}`] : []),
    'options: CallOptions = {}',
  ];
  const parts = [
    `method: '${method}'`,
    `path: ${renderPath(route)}`,
    ...(body ? ['body'] : []),
    ...(body?.isMultipart ? [`files: [${body.files.map((file) => `'${file}'`).join(', ')}]`] : []),
    ...(hasQuery ? ['query'] : []),
    ...(isIdempotent ? ['idempotent: true'] : []),
    ...(isFile ? ['isFile: true'] : []),
    'options',
  ];
  const response = isFile ? `FileResponse<operations['${name}']>` : `OperationResponse<'${name}'>`;
  return `${comment(text)}\n${name}(${parameters.join(', ')}): Promise<${response}> {\n return this.call<${response}>({ ${parts.join(', ')} });\n}`;
}

/** A list operation also gets an iterator, which requests page after page. */
function renderIterator({ name, pathParameters, items, requiresQuery }) {
  const parameters = [
    ...pathParameters.map((parameter) => `${parameter}: string`),
    `query: Omit<Query<'${name}'>, 'cursor'>${requiresQuery ? '' : ' = {}'}`,
    'options: CallOptions = {}',
  ];
  const pathArguments = pathParameters.map((parameter) => `${parameter}, `).join('');
  return `${comment([`Every record of \`${name}\`, page after page.`])}
${name.replace(/^list/, 'iterate')}(${parameters.join(', ')}): AsyncGenerator<OperationResponse<'${name}'>['${items}'][number]> {
 return paginate(async (cursor) => {
  const page = await this.${name}(${pathArguments}{ ...query, ...cursor }, options);
  return { items: page.${items}, nextCursor: page.nextCursor };
 });
}`;
}

function renderOperationsFile(api, operations) {
  const methods = operations
    .flatMap((operation) => [
      renderMethod(operation),
      ...(operation.items === undefined ? [] : [renderIterator(operation)]),
    ])
    .join('\n\n');
  const files = methods.includes('FileResponse<') ? ['FileResponse'] : [];
  return `${header(api)}${methods.includes('paginate(') ? "import { paginate } from '../pages';\n" : ''}
import type { ${['BodyOf', 'Call', 'CallOptions', ...files, 'QueryOf', 'ResponseOf'].join(', ')} } from '../calls';
import type { operations } from './${api.schema}';

type Body<N extends keyof operations> = BodyOf<operations[N]>;
type Query<N extends keyof operations> = QueryOf<operations[N]>;
type OperationResponse<N extends keyof operations> = ResponseOf<operations[N]>;

/** A method for every operation of the API, named as in its OpenAPI document. */
export abstract class ${api.className} {
/** Sends one request; a response is checked for an error only. */
protected abstract call<T>(call: Call): Promise<T>;

${methods}
}
`;
}

/** The generated files of one API, by their names. */
async function renderFiles(api) {
  const document = JSON.parse(await readFile(path.join(root, 'openapi', api.document), 'utf8'));
  return {
    [`${api.schema}.ts`]: await renderSchemaFile(api, document),
    [`${api.operations}.ts`]: renderOperationsFile(api, listOperations(document)),
  };
}

async function main() {
  const files = Object.assign({}, ...(await Promise.all(APIS.map(renderFiles))));
  const { $schema: _, ignorePatterns: __, ...settings } = await readJson(path.join(root, '.oxfmtrc.json'));
  const check = process.argv.includes('--check');
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    const { code: formatted } = await format(name, text, settings);
    if (!check) await writeFile(file, formatted);
    else if ((await readFile(file, 'utf8').catch(() => '')) !== formatted) {
      console.error(`${path.relative(root, file)}: out of date; run \`npm run build -- --openapi\`.`);
      process.exitCode = 1;
    }
  }
}

await main();
