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
 * Compares a downloaded file with the checksum that the repository pins for it.
 * @param {string} file
 * @param {string | undefined} sha256 undefined if nothing is pinned, which is an error too
 * @param {string} title what the message calls the file
 * @throws {Error} with both checksums
 */
export async function checkFileHash(file, sha256, title) {
  if (sha256 === undefined) {
    throw new Error(`${title} has no checksum in scripts/toolchain; a file without a pinned checksum is not installed`);
  }
  const actual = await hashFile(file);
  if (actual !== sha256)
    throw new Error(`${title} has sha256 ${actual}, but ${sha256} is pinned; it was not installed`);
}

/**
 * Downloads a file over HTTPS and checks its SHA-256. The time limits are short, so that the resolver tries the next
 * source quickly on a machine without access to the internet.
 * @param {{url: string, file: string, sha256: string}} download
 * @throws {Error} if the host is unreachable, the file does not exist or its hash differs
 */
export async function downloadFile({ url, file, sha256 }) {
  const { body, watch } = await open(url);
  await pipeline(Readable.fromWeb(body), watch, createWriteStream(file));
  await checkFileHash(file, sha256, url);
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
