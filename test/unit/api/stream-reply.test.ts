import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import type { Duplex } from 'node:stream';
import { createGunzip, gzipSync } from 'node:zlib';
import express from 'express';
import type { Response } from 'express';
import { isIncomplete, sendStream } from '../../../api/http/stream-reply';

type Streams = readonly [Readable, ...Duplex[]];

interface Outcome {
  response: Response;
  /** What sendStream() threw; null if it ended. */
  error: unknown;
}

interface ServeOptions {
  /** Listeners of middleware. */
  otherListeners?: number;
  /** Runs before the stream is sent. */
  before?: (response: Response) => Promise<unknown>;
}

/** Serves streams on a port of its own; an error is answered as the router does it. */
async function serve(streams: Streams, { otherListeners = 0, before = () => Promise.resolve() }: ServeOptions = {}) {
  const app = express();
  let resolve: (outcome: Outcome) => void = () => undefined;
  const outcome = new Promise<Outcome>((settle) => {
    resolve = settle;
  });
  app.get('/', async (_request, response) => {
    for (let count = 0; count < otherListeners; count += 1) response.once('close', () => undefined);
    await before(response);
    const error = await sendStream(response, streams, () => response.status(200).type('text')).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    if (error !== null && response.headersSent) response.destroy();
    else if (error !== null) response.status(503).end();
    resolve({ response, error });
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, outcome, close: () => server.close() };
}

const CHUNK = Buffer.alloc(100_000, 'x');

/** A source that ends, fails, or waits for ever after its chunks. */
function* produce(chunks: number, end: 'ends' | 'fails' = 'ends'): Generator<Buffer> {
  for (let index = 0; index < chunks; index += 1) yield CHUNK;
  if (end === 'fails') throw new Error('the source failed');
}

test('a stream is sent whole, through all its transformations', async () => {
  const { url, outcome, close } = await serve([Readable.from([gzipSync(CHUNK)]), createGunzip()]);
  const response = await fetch(url);
  expect([response.status, await response.text()]).toEqual([200, CHUNK.toString()]);
  expect((await outcome).error).toBeNull();
  close();
});

test('an empty stream is an empty file', async () => {
  const { url, close } = await serve([Readable.from([])]);
  const response = await fetch(url);
  expect([response.status, await response.text()]).toEqual([200, '']);
  close();
});

test('a source that fails before its first byte is answered with an error, without the head of the file', async () => {
  const { url, outcome, close } = await serve([Readable.from(produce(0, 'fails'))]);
  expect((await fetch(url)).status).toBe(503);
  const { response, error } = await outcome;
  expect(error).toMatchObject({ message: 'the source failed' });
  expect(isIncomplete(response)).toBe(false);
  close();
});

test.each([
  ['fails', () => [Readable.from(produce(20, 'fails'))]],
  ['fails before a transformation', () => [Readable.from(produce(20, 'fails')), new PassThrough()]],
] as [string, () => Streams][])(
  'a source that %s in the middle is no complete file for the client',
  async (_, make) => {
    const { url, outcome, close } = await serve(make());
    const response = await fetch(url);
    expect(response.status).toBe(200);
    await expect(response.arrayBuffer()).rejects.toThrow('terminated');
    const served = await outcome;
    expect(served.error).toMatchObject({ message: 'the source failed' });
    expect(isIncomplete(served.response)).toBe(true);
    close();
  },
);

test('a source that is closed in the middle is an error, not a client that disconnects', async () => {
  const source = new PassThrough();
  source.write(CHUNK);
  const { url, outcome, close } = await serve([source]);
  const response = await fetch(url);
  source.destroy();
  await expect(response.arrayBuffer()).rejects.toThrow('terminated');
  const served = await outcome;
  expect(served.error).toMatchObject({ code: 'ERR_STREAM_PREMATURE_CLOSE' });
  expect(isIncomplete(served.response)).toBe(true);
  close();
});

test('a client that disconnects ends the source, and is no error', async () => {
  const source = new PassThrough();
  source.write(CHUNK);
  const { url, outcome, close } = await serve([source, new PassThrough()]);
  const controller = new AbortController();
  await fetch(url, { signal: controller.signal });
  controller.abort();
  const { response, error } = await outcome;
  expect([error, isIncomplete(response), source.destroyed]).toEqual([null, false, true]);
  close();
});

test('a client that has disconnected before the stream is sent ends the source, and is no error', async () => {
  const source = new PassThrough();
  source.write(CHUNK);
  const controller = new AbortController();
  const before = async (response: Response): Promise<void> => {
    controller.abort();
    await once(response, 'close');
  };
  const { url, outcome, close } = await serve([source, new PassThrough()], { before });
  await expect(fetch(url, { signal: controller.signal })).rejects.toThrow();
  const { response, error } = await outcome;
  expect([error, isIncomplete(response), source.destroyed]).toEqual([null, false, true]);
  close();
});

test('next to the listeners of all middleware, those of a stream stay within the limit of an emitter', async () => {
  const warned = jest.fn();
  process.on('warning', warned);
  const { url, outcome, close } = await serve([Readable.from(produce(20)), new PassThrough()], { otherListeners: 5 });
  expect((await (await fetch(url)).arrayBuffer()).byteLength).toBe(20 * CHUNK.length);
  await outcome;
  process.off('warning', warned);
  expect(warned).not.toHaveBeenCalled();
  close();
});
