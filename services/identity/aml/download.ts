import { AppError } from '../../../domain/errors';
import type { Egress, EgressResponse } from '../../../lib/egress/egress';
import { followRedirects } from '../../../lib/egress/redirects';
import type { TemporaryFile } from '../../../lib/temporary-file';
import type { AmlListRecord } from '../../../models/identity/aml/aml-list';
import { MINUTE_MS } from '../../../domain/durations';

/** Larger than any list except OpenSanctions' whole collection, which is imported from a file. */
const MAX_BYTES = 256 * 1024 * 1024;
const TIMEOUT_MS = 10 * MINUTE_MS;

/** Result of a conditional fetch. */
export type DownloadResult = { kind: 'unchanged' } | { kind: 'file'; etag: string | null; lastModified: string | null };

export interface DownloadRequest {
  url: string;
  /** Validators that the source sent with its last known version. */
  known: Pick<AmlListRecord, 'etag' | 'lastModified'>;
  /** Exact `host:port` pairs at which private addresses are allowed: those of the organisation that owns the list. */
  exceptions: readonly string[];
  /** The organisation that owns the list; null for a list of the installation. */
  organisationId: string | null;
  /** File to which the list is written as it arrives. */
  into: TemporaryFile;
}

const getHeader = ({ headers }: EgressResponse, name: string): string | null => {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
};

/** A failure that another attempt would repeat. */
const sourceRejectedError = (code: string, problem: string): AppError =>
  new AppError(code, 422, `The source of the list ${problem}.`);

async function fetchFile(
  egress: Egress,
  { url, known, exceptions, organisationId, into }: DownloadRequest,
): Promise<EgressResponse> {
  const saveTo = into.createWriteStream();
  const { response } = await followRedirects(egress, {
    url,
    headers: {
      accept: '*/*',
      'user-agent': 'vouch',
      ...(known.etag === null ? {} : { 'if-none-match': known.etag }),
      ...(known.lastModified === null ? {} : { 'if-modified-since': known.lastModified }),
    },
    timeoutMs: TIMEOUT_MS,
    maxBodyBytes: MAX_BYTES,
    requireHttps: true,
    additionalAllow: exceptions,
    ...(organisationId === null ? {} : { tenant: organisationId }),
    saveTo,
  }).finally(() => saveTo.destroy());
  return response;
}

/**
 * Fetches a list into a file, unless its source reports no change.
 *
 * @throws AppError 503 `list_fetch_failed` or `egress_failed`, which may be retried; 400 or 422 for permanent failures:
 * an address that the egress guard rejects, a list that is gone or too large
 */
export async function downloadList(egress: Egress, download: DownloadRequest): Promise<DownloadResult> {
  const response = await fetchFile(egress, download);
  const { status, truncated } = response;
  if (status === 304) return { kind: 'unchanged' };
  if (status >= 500 || status === 429 || status === 408) {
    throw new AppError('list_fetch_failed', 503, `The source of the list responded with status ${status}.`);
  }
  if (status !== 200) throw sourceRejectedError('list_not_offered', `responded with status ${status}`);
  if (truncated) throw sourceRejectedError('list_too_large', `sent more than ${MAX_BYTES / 1024 / 1024} MiB`);
  return { kind: 'file', etag: getHeader(response, 'etag'), lastModified: getHeader(response, 'last-modified') };
}
