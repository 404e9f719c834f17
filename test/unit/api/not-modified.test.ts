import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { answerNotModified } from '../../../api/http/not-modified';

let server: Server;
let url: string;

beforeAll(async () => {
  const app = express();
  answerNotModified(app);
  app.get('/record', (_request, response) => void response.json({ ok: true }));
  app.post('/record', (_request, response) => void response.json({ ok: true }));
  app.get('/file', (_request, response) => void response.set('ETag', '"file"').send(Buffer.from('file')));
  app.get('/missing', (_request, response) => void response.status(404).json({ ok: false }));
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.close();
  await once(server, 'close');
});

const getEtag = async (path: string): Promise<string> => {
  const response = await fetch(`${url}${path}`);
  await response.arrayBuffer();
  return response.headers.get('etag') ?? '';
};

const requestWith = async (path: string, tag: string, method = 'GET'): Promise<{ status: number; size: number }> => {
  // fetch adds Cache-Control: no-cache.
  const response = await fetch(`${url}${path}`, { method, headers: { 'if-none-match': tag } });
  return { status: response.status, size: (await response.arrayBuffer()).byteLength };
};

test.each(['/record', '/file'])('%s is 304 without a body for a client that has its ETag', async (path) => {
  const etag = await getEtag(path);
  for (const tag of [etag, `"other", ${etag}`, `W/${etag.replace('W/', '')}`, '*'])
    expect(await requestWith(path, tag)).toEqual({ status: 304, size: 0 });
});

test('another ETag, another status and another method get the whole response', async () => {
  expect((await requestWith('/record', '"other"')).status).toBe(200);
  expect((await requestWith('/record', await getEtag('/record'), 'POST')).status).toBe(200);
  expect((await requestWith('/missing', '*')).status).toBe(404);
});
