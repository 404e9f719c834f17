import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import fc from 'fast-check';
import { BodyIntake } from '../../../api/http/body-intake';
import { toAppError } from '../../../api/http/errors';
import { readJson } from '../../../api/http/json-body';
import { createLogger } from '../../../lib/logger';

const bodies = new BodyIntake({ BODY_MEMORY_MEGABYTES: 128, UPLOAD_DISK_MEGABYTES: 128, UPLOAD_DIR: undefined });
const logger = createLogger({ level: 'silent', name: 'test' });
let server: Server;

beforeAll(async () => {
  const app = express();
  app.post('/', async (request, response) => {
    try {
      const body = bodies.open('test');
      response.json({ read: await readJson(request, response, body).finally(() => body.release()) });
    } catch (error) {
      const { status, code, message } = toAppError(error, logger);
      response.status(status).json({ code, message });
    }
  });
  server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

async function post(body: string | Uint8Array<ArrayBuffer>, type = 'application/json', encoding?: string) {
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/`, {
    method: 'POST',
    headers: { 'content-type': type, ...(encoding === undefined ? {} : { 'content-encoding': encoding }) },
    body,
  });
  return { status: response.status, body: (await response.json()) as { read?: unknown; message?: string } };
}

const buildNestedJson = (levels: number): string => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);

test('storable JSON is read unchanged', async () => {
  const storable = fc.dictionary(
    fc
      .string({ unit: 'grapheme' })
      .filter((name) => !name.includes('\u0000') && !/^(\$|_bsontype|is|to)/.test(name) && !(name in {})),
    fc.oneof(fc.integer(), fc.boolean(), fc.constant('ü€😀')),
  );
  await fc.assert(
    fc.asyncProperty(storable, async (value) => {
      expect((await post(JSON.stringify(value))).body.read).toEqual(JSON.parse(JSON.stringify(value)));
    }),
    { numRuns: 30 },
  );
});

test.each([
  ['a zero character in a name', '{"a":{"n\\u0000":1}}', 'a: has a name with U+0000'],
  ['a zero character in a value', '{"a":["n\\u0000"]}', 'a.0: must not contain U+0000'],
  ...['$__', '$set', '_bsontype', '__proto__', 'constructor', 'valueOf', 'toBSON', 'isMongooseBuffer'].map((name) => [
    `the reserved name ${name}`,
    `{"metadata":{"a":[{"${name}":1}]}}`,
    `metadata.a.0.${name}: is a reserved name`,
  ]),
  ['a number without end', '{"metadata":{"a":[1e999]}}', 'metadata.a.0: must not be larger than'],
  ['a negative number without end', '{"a":-1e999}', 'a: must not be larger than'],
  ['half of a surrogate pair', '{"a":"\\ud800"}', 'a: must not contain'],
  ['more levels than any field has', buildNestedJson(33), 'nested deeper'],
  ['more levels than the stack has', buildNestedJson(100_000), 'nested deeper'],
])('%s is refused by name', async (_, body, words) => {
  const response = await post(body);
  expect(response.status).toBe(400);
  expect(response.body.message).toContain(words);
});

test('bytes that are not UTF-8 are rejected, not replaced', async () => {
  const response = await post(new Uint8Array([...Buffer.from('{"a":"'), 0xff, 0xfe, ...Buffer.from('"}')]));
  expect([response.status, response.body.message]).toEqual([400, 'body: is not valid UTF-8']);
});

test('JSON in an encoding other than UTF-8 is rejected', async () => {
  const response = await post(new Uint8Array(Buffer.from('{}', 'utf16le')), 'application/json; charset=utf-16le');
  expect(response.status).toBe(415);
});

test('a character set or content encoding that is not accepted is refused by the name of its header', async () => {
  const charset = await post('{}', 'application/json; charset=x-unknown');
  expect([charset.status, charset.body.message]).toEqual([415, 'Content-Type: accepts JSON in UTF-8 only.']);
  for (const encoding of ['compress', 'gzip, gzip', 'x-unknown']) {
    const { status, body } = await post('{}', 'application/json', encoding);
    expect([status, body.message]).toEqual([415, 'Content-Encoding: accepts gzip, deflate and br.']);
  }
});

test.each(['gzip', 'deflate', 'br'])(
  'a body that is not compressed as its Content-Encoding %s says is named',
  async (encoding) => {
    const { status, body } = await post('{"name":"A"}', 'application/json', encoding);
    expect([status, body.message]).toEqual([400, 'body: is not compressed as Content-Encoding says']);
  },
);

test.each(['null', '7', '"text"', 'true', ' [1]'])(
  '%s is JSON; whether it is accepted is decided by the route',
  async (text) => {
    const { status, body } = await post(text);
    expect([status, body.read]).toEqual([200, JSON.parse(text)]);
  },
);

test('JSON with the maximum nesting is read', async () => {
  expect((await post(buildNestedJson(32))).status).toBe(200);
});
