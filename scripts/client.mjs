/**
 * `npm run client [-- --check]`: writes clients/typescript/src/generated from openapi/identity.json, or says that it is
 * out of date.
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import prettier from 'prettier';
import ts from 'typescript';
import { root } from './stack/home.mjs';

const folder = path.join(root, 'clients', 'typescript', 'src', 'generated');
const HEADER = '// Generated from openapi/identity.json by `npm run client`; changes made by hand are lost.\n';

/** A file in a multipart body is whatever the client knows how to send. */
const isFile = (schema) => schema.format === 'binary';
const upload = () => ts.factory.createTypeReferenceNode('Upload');

async function schemaFile(document) {
  const nodes = await openapiTS(document, {
    // A field with a default may be left out of a request.
    defaultNonNullable: false,
    transform: (schema) => (isFile(schema) ? upload() : undefined),
  });
  return `${HEADER}import type { Upload } from '../uploads';\n\n${astToString(nodes)}`;
}

/** Every operation of the document with what a method needs to know of it. */
function operationsOf(document) {
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
        body: content && {
          isMultipart: contentType === 'multipart/form-data',
          isRequired: (content.schema.required ?? []).length > 0,
          files: Object.keys(properties).filter((name) => isFile(properties[name])),
        },
        isIdempotent: named('header').includes('Idempotency-Key'),
        items: itemsOf(document, operation),
      };
    }),
  );
}

/** The field of a page that holds its records; undefined where the answer is no page. */
function itemsOf(document, operation) {
  const schema = operation.responses['200']?.content?.['application/json']?.schema;
  const properties = schema?.properties ?? {};
  if (properties.nextCursor === undefined) return undefined;
  return Object.keys(properties).find((name) => properties[name].type === 'array');
}

const comment = (lines) => {
  const text = lines.join('\n\n').replaceAll('*/', '*\\/').split('\n');
  return text.length === 1 ? `/** ${text[0]} */` : `/**\n${text.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */`;
};

/** The path as code, with its parameters put in. */
const pathOf = (route) =>
  route.includes('{')
    ? `\`${route.replace(/\{(\w+)\}/g, (_match, parameter) => `\${encodeURIComponent(${parameter})}`)}\``
    : `'${route}'`;

function methodOf(operation) {
  const { name, method, route, pathParameters, hasQuery, body, isIdempotent, text } = operation;
  const parameters = [
    ...pathParameters.map((parameter) => `${parameter}: string`),
    ...(body ? [`body: Body<'${name}'>${body.isRequired ? '' : ' = {}'}`] : []),
    ...(hasQuery ? [`query: Query<'${name}'> = {}`] : []),
    'options: CallOptions = {}',
  ];
  const parts = [
    `method: '${method}'`,
    `path: ${pathOf(route)}`,
    ...(body ? ['body'] : []),
    ...(body?.isMultipart ? [`files: [${body.files.map((file) => `'${file}'`).join(', ')}]`] : []),
    ...(hasQuery ? ['query'] : []),
    ...(isIdempotent ? ['idempotent: true'] : []),
    'options',
  ];
  return `${comment(text)}\n${name}(${parameters.join(', ')}): Promise<Answer<'${name}'>> {\n return this.call<Answer<'${name}'>>({ ${parts.join(', ')} });\n}`;
}

/** A list is also an iterator that asks for page after page. */
function iteratorOf({ name, pathParameters, items }) {
  const parameters = [
    ...pathParameters.map((parameter) => `${parameter}: string`),
    `query: Omit<Query<'${name}'>, 'cursor'> = {}`,
    'options: CallOptions = {}',
  ];
  const given = pathParameters.map((parameter) => `${parameter}, `).join('');
  return `${comment([`Every record of \`${name}\`, page after page.`])}
${name.replace(/^list/, 'iterate')}(${parameters.join(', ')}): AsyncGenerator<Answer<'${name}'>['${items}'][number]> {
 return pages(async (cursor) => {
  const page = await this.${name}(${given}{ ...query, ...cursor }, options);
  return { items: page.${items}, nextCursor: page.nextCursor };
 });
}`;
}

function operationsFile(operations) {
  const methods = operations.flatMap((operation) => [
    methodOf(operation),
    ...(operation.items === undefined ? [] : [iteratorOf(operation)]),
  ]);
  return `${HEADER}import { pages } from '../pages';
import type { Answer, Body, Call, CallOptions, Query } from '../calls';

/** A method for every operation of the API, named as in its OpenAPI document. */
export abstract class Operations {
/** Sends one request; its answer is checked for an error and nothing else. */
protected abstract call<T>(call: Call): Promise<T>;

${methods.join('\n\n')}
}
`;
}

async function main() {
  const document = JSON.parse(await readFile(path.join(root, 'openapi', 'identity.json'), 'utf8'));
  const files = { 'schema.ts': await schemaFile(document), 'operations.ts': operationsFile(operationsOf(document)) };
  const settings = await prettier.resolveConfig(path.join(root, 'package.json'));
  const check = process.argv.includes('--check');
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    const formatted = await prettier.format(text, { ...settings, parser: 'typescript' });
    if (!check) await writeFile(file, formatted);
    else if ((await readFile(file, 'utf8').catch(() => '')) !== formatted) {
      console.error(`${path.relative(root, file)}: out of date; run npm run client.`);
      process.exitCode = 1;
    }
  }
}

await main();
