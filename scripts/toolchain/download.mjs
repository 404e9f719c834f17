import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';

const ANSWER_WITHIN_MS = 6_000;
const NEXT_BYTES_WITHIN_MS = 30_000;

/** The sha256 of a file as lower-case hex; reads it as a stream. */
export async function sha256Of(file) {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) hash.update(chunk);
  return hash.digest('hex');
}

/**
 * Downloads one file over HTTPS and checks its sha256 before anyone may use it.
 * A host that does not answer within six seconds counts as unreachable, so that a machine behind a closed network
 * goes on to the next way quickly; a transfer that stalls for thirty seconds is given up.
 * @param {{url: string, file: string, sha256?: string, checksumUrl?: string}} wanted either the hash itself or the
 *   publisher's checksum file, in which the line naming the file (or the only line) begins with the hash
 * @throws {Error} when unreachable, not found or altered
 */
export async function downloadFile({ url, file, sha256, checksumUrl }) {
  const expected = sha256 ?? (await publishedHash(checksumUrl, url));
  const { body, watch } = await open(url);
  await pipeline(Readable.fromWeb(body), watch, createWriteStream(file));
  const actual = await sha256Of(file);
  if (actual !== expected) throw new Error(`${url} has sha256 ${actual}, expected ${expected}`);
}

async function publishedHash(checksumUrl, url) {
  if (checksumUrl === undefined) throw new Error(`no checksum is known for ${url}`);
  const { body } = await open(checksumUrl);
  const lines = (await new Response(body).text()).trim().split('\n');
  const name = url.slice(url.lastIndexOf('/') + 1);
  const line = lines.find((each) => each.endsWith(name)) ?? (lines.length === 1 ? lines[0] : undefined);
  const hash = line?.trim().split(/\s+/)[0]?.toLowerCase();
  if (hash === undefined || !/^[0-9a-f]{64}$/.test(hash)) throw new Error(`${checksumUrl} does not name ${name}`);
  return hash;
}

async function open(url) {
  const controller = new AbortController();
  const host = new URL(url).host;
  const giveUp = (why) => controller.abort(new Error(`${host} ${why}`));
  let timer = setTimeout(() => giveUp('did not answer'), ANSWER_WITHIN_MS);
  try {
    const response = await fetch(url, { signal: controller.signal });
    if (!response.ok || response.body === null) throw new Error(`${url} answered ${response.status}`);
    const watch = async function* (source) {
      for await (const chunk of source) {
        clearTimeout(timer);
        timer = setTimeout(() => giveUp('stopped sending'), NEXT_BYTES_WITHIN_MS);
        yield chunk;
      }
      clearTimeout(timer);
    };
    return { body: response.body, watch };
  } finally {
    clearTimeout(timer);
  }
}
