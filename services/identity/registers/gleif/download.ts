import { open } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../../../domain/errors';
import type { Egress } from '../../../../lib/egress/egress';
import { followRedirects } from '../../../../lib/egress/redirects';
import { HOUR_MS } from '../../../../domain/durations';

/** The level 1 archive has half a gigabyte and its CSV five; archives are not unpacked while downloading. */
const MAX_BYTES = 16 * 1024 ** 3;
const TIMEOUT_MS = HOUR_MS;

/**
 * Downloads a file of the golden copy as a stream into a folder.
 * @returns path of the file
 * @throws AppError 400 `egress_refused`; 503 `egress_failed`, `register_fetch_failed`
 */
export async function downloadGoldenCopy(egress: Egress, url: string, folder: string): Promise<string> {
  const name = path.posix.basename(new URL(url).pathname) || 'golden-copy';
  const file = path.join(folder, name);
  const saveTo = (await open(file, 'w')).createWriteStream();
  const { response } = await followRedirects(egress, {
    url,
    headers: { accept: '*/*', 'user-agent': 'Vouch/1' },
    timeoutMs: TIMEOUT_MS,
    maxBodyBytes: MAX_BYTES,
    requireHttps: true,
    saveTo,
  }).finally(() => saveTo.destroy());
  const { status, truncated } = response;
  if (status === 200 && !truncated) return file;
  const problem = status === 200 ? `sent more than ${MAX_BYTES / 1024 ** 3} GiB` : `responded with status ${status}`;
  throw new AppError('register_fetch_failed', 503, `The source of the file ${problem}.`);
}
