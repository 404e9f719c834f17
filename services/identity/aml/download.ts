import { AppError } from '../../../domain/errors';
import type { Egress, EgressResponse } from '../../../lib/egress/egress';
import { followRedirects } from '../../../lib/egress/redirects';
import type { TemporaryFile } from '../../../lib/temporary-file';
import type { AmlListRecord } from '../../../models/identity/aml/aml-list';

/** Larger than any list but OpenSanctions' whole collection, which is imported from a file. */
const LARGEST_BYTES = 256 * 1024 * 1024;
const TIMEOUT_MS = 10 * 60_000;

/** What was fetched, or word that there is nothing newer. */
export type Fetched = { kind: 'unchanged' } | { kind: 'file'; etag: string | null; lastModified: string | null };

export interface Download {
  url: string;
  /** what the source gave with the version that is known to come from it */
  known: Pick<AmlListRecord, 'etag' | 'lastModified'>;
  /** exact `host:port` pairs that may be private: those of the organisation whose list it is */
  exceptions: readonly string[];
  /** where the list is written, as it comes */
  into: TemporaryFile;
}

const headerOf = ({ headers }: EgressResponse, name: string): string | null => {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
};

/** Asking again would be answered alike. */
const refused = (code: string, problem: string): AppError =>
  new AppError(code, 422, `The source of the list ${problem}.`);

async function fetchWhole(egress: Egress, { url, known, exceptions, into }: Download): Promise<EgressResponse> {
  const saveTo = into.writing();
  const { response } = await followRedirects(egress, {
    url,
    headers: {
      accept: '*/*',
      'user-agent': 'vouch',
      ...(known.etag === null ? {} : { 'if-none-match': known.etag }),
      ...(known.lastModified === null ? {} : { 'if-modified-since': known.lastModified }),
    },
    timeoutMs: TIMEOUT_MS,
    maxBodyBytes: LARGEST_BYTES,
    requireHttps: true,
    alsoAllow: exceptions,
    saveTo,
  }).finally(() => saveTo.destroy());
  return response;
}

/**
 * Fetches a list into a file, unless its source says that it still holds what is known.
 *
 * @throws AppError 503 `list_fetch_failed` or `egress_failed`, to be tried again; 400 or 422 for what asking again would
 * not change: an address the egress guard refuses, a list that is gone or too large
 */
export async function downloadList(egress: Egress, download: Download): Promise<Fetched> {
  const response = await fetchWhole(egress, download);
  const { status, truncated } = response;
  if (status === 304) return { kind: 'unchanged' };
  if (status >= 500 || status === 429 || status === 408) {
    throw new AppError('list_fetch_failed', 503, `The source of the list answered ${status}.`);
  }
  if (status !== 200) throw refused('list_not_offered', `answered ${status}`);
  if (truncated) throw refused('list_too_large', `sent more than ${LARGEST_BYTES / 1024 / 1024} MiB`);
  return { kind: 'file', etag: headerOf(response, 'etag'), lastModified: headerOf(response, 'last-modified') };
}
