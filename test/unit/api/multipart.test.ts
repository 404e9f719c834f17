import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { BodyIntake } from '../../../api/http/body-intake';
import { readMultipart } from '../../../api/http/multipart';
import { AppError } from '../../../domain/errors';

const bodies = new BodyIntake({ BODY_MEMORY_MEGABYTES: 128, UPLOAD_DISK_MEGABYTES: 128, UPLOAD_DIR: undefined });
const ACCEPTED = { image: {}, frames: { maxCount: 5 } };

let server: Server;

beforeAll(async () => {
  const app = express();
  app.post('/', async (request, response) => {
    const body = bodies.open('test');
    try {
      const { fields, files } = await readMultipart(request, ACCEPTED, body);
      response.json({ fields: Object.entries(fields), files: Object.keys(files) });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const { code, status, message, details } = error;
      response.status(status).json({ code, field: details?.fields?.[0]?.field, message });
    } finally {
      await body.release();
    }
  });
  server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

const buildPart = (disposition: string, content: string): string =>
  `--B\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`;

interface ParsedUpload {
  status: number;
  body: { fields?: [string, string][]; files?: string[]; field?: string; code?: string; message?: string };
}

async function post(body: string, headers: Record<string, string> = {}): Promise<ParsedUpload> {
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/`, {
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=B', ...headers },
    body,
  });
  return { status: response.status, body: (await response.json()) as ParsedUpload['body'] };
}

/** Declares more bytes than it sends, then disconnects. */
function postAndAbort(body: string): Promise<void> {
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      const head = `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=B\r\nContent-Length: 9999\r\n\r\n`;
      socket.write(head + body, () => socket.destroy());
    });
    socket.on('close', () => resolve());
    socket.on('error', reject);
  });
}

const PHOTO = 'name="image"; filename="photo.jpg"';

test('a complete body is read', async () => {
  const { status, body } = await post(`${buildPart('name="sessionId"', 'ses_1')}${buildPart(PHOTO, 'bytes')}--B--\r\n`);
  expect(status).toBe(200);
  expect(body).toEqual({ fields: [['sessionId', 'ses_1']], files: ['image'] });
});

test.each([
  ['within a file', buildPart(PHOTO, 'bytes').slice(0, -4)],
  ['within the head of a part', '--B\r\nContent-Disposition: form-data; name="ima'],
  ['before its closing boundary', buildPart('name="sessionId"', 'ses_1')],
  ['before it began', ''],
])('a body that ends %s is refused, and the process lives on', async (_, cut) => {
  const { status, body } = await post(cut);
  expect([status, body.field]).toEqual([400, 'body']);
  expect((await post(`${buildPart(PHOTO, 'bytes')}--B--\r\n`)).status).toBe(200);
});

test('files of more than 64 MB in total are refused', async () => {
  const frame = buildPart('name="frames"; filename="frame.jpg"', 'x'.repeat(13 * 1024 * 1024));
  const { status, body } = await post(`${frame.repeat(5)}--B--\r\n`);
  expect([status, body.code]).toEqual([413, 'request_too_large']);
});

test('a client that disconnects during an upload does not end the process', async () => {
  await postAndAbort(buildPart(PHOTO, 'bytes').slice(0, -4));
  expect((await post(`${buildPart(PHOTO, 'bytes')}--B--\r\n`)).status).toBe(200);
});

test('a file above 15 MB is refused, and the process lives on', async () => {
  const { status, body } = await post(`${buildPart(PHOTO, 'x'.repeat(16 * 1024 * 1024))}--B--\r\n`);
  expect([status, body.code, body.field]).toEqual([413, 'file_too_large', 'image']);
  expect((await post(`${buildPart(PHOTO, 'bytes')}--B--\r\n`)).status).toBe(200);
});

test('a text field in an unknown character set is refused with its name', async () => {
  const head = 'Content-Disposition: form-data; name="note"\r\nContent-Type: text/plain; charset=unknown';
  const { status, body } = await post(`--B\r\n${head}\r\n\r\ntext\r\n--B--\r\n`);
  expect([status, body.field]).toEqual([400, 'note']);
});

test('a text field with U+0000 is refused with its name, as in JSON', async () => {
  const { status, body } = await post(`${buildPart('name="note"', 'a\u0000b')}--B--\r\n`);
  expect([status, body.field]).toEqual([400, 'note']);
});

test.each(['__proto__', 'constructor', 'toString'])('a field named %s is a field like any other', async (name) => {
  expect((await post(`${buildPart(`name="${name}"`, 'x')}--B--\r\n`)).body.fields).toEqual([[name, 'x']]);
});

test('text fields in excess of the limit are rejected, not ignored', async () => {
  const many = Array.from({ length: 51 }, (_, index) => buildPart(`name="field${index}"`, 'x')).join('');
  const { status, body } = await post(`${many}--B--\r\n`);
  expect(status).toBe(400);
  expect(body.message).toContain('at most 50 text fields');
});

test('a compressed body is refused by the name of its header, not as one that is malformed', async () => {
  const { status, body } = await post(buildPart('name="a"', '1') + '--B--', { 'content-encoding': 'gzip' });
  expect([status, body.code]).toEqual([415, 'unsupported_media_type']);
  expect(body.message).toContain('Content-Encoding');
  expect((await post(buildPart('name="a"', '1') + '--B--\r\n', { 'content-encoding': 'identity' })).status).toBe(200);
});
