import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';

const RESPONSE_TIMEOUT_MS = 6_000;
const STALL_TIMEOUT_MS = 30_000;

/** The SHA-256 of a file, lower-case hex. The file is read as a stream. */
export async function hashFile(file) {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) hash.update(chunk);
  return hash.digest('hex');
}

/**
 * Downloads a file over HTTPS and checks its SHA-256. The time limits are short, so that the resolver tries the next
 * source quickly on a machine without access to the internet.
 * @param {{url: string, file: string, sha256?: string, checksumUrl?: string}} download either the hash itself or the
 *   publisher's checksum file, in which the line that names the file (or the only line) starts with the hash
 * @throws {Error} if the host is unreachable, the file does not exist or its hash differs
 */
export async function downloadFile({ url, file, sha256, checksumUrl }) {
  const expected = sha256 ?? (await publishedHash(checksumUrl, url));
  const { body, watch } = await open(url);
  await pipeline(Readable.fromWeb(body), watch, createWriteStream(file));
  const actual = await hashFile(file);
  if (actual !== expected) throw new Error(`${url} has sha256 ${actual}, expected ${expected}`);
}

async function publishedHash(checksumUrl, url) {
  if (checksumUrl === undefined) throw new Error(`there is no checksum for ${url}`);
  const { body } = await open(checksumUrl);
  const lines = (await new Response(body).text()).trim().split('\n');
  const name = url.slice(url.lastIndexOf('/') + 1);
  const line = lines.find((each) => each.endsWith(name)) ?? (lines.length === 1 ? lines[0] : undefined);
  const hash = line?.trim().split(/\s+/)[0]?.toLowerCase();
  if (hash === undefined || !/^[0-9a-f]{64}$/.test(hash)) throw new Error(`${checksumUrl} has no checksum for ${name}`);
  return hash;
}

async function open(url) {
  const controller = new AbortController();
  const host = new URL(url).host;
  const abort = (reason) => controller.abort(new Error(`${host} ${reason}`));
  let timer = setTimeout(() => abort('did not respond'), RESPONSE_TIMEOUT_MS);
  try {
    const response = await fetch(url, { signal: controller.signal });
    if (!response.ok || response.body === null) throw new Error(`${url} returned status ${response.status}`);
    const watch = async function* (source) {
      for await (const chunk of source) {
        clearTimeout(timer);
        timer = setTimeout(() => abort('stopped sending'), STALL_TIMEOUT_MS);
        yield chunk;
      }
      clearTimeout(timer);
    };
    return { body: response.body, watch };
  } finally {
    clearTimeout(timer);
  }
}
