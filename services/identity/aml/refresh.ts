import { Readable } from 'node:stream';
import { AppError } from '../../../domain/errors';
import type { Egress, EgressResponse } from '../../../lib/egress';
import { followRedirects } from '../../../lib/egress/redirects';
import { AmlList } from '../../../models/identity/aml-list';
import type { AmlListRecord } from '../../../models/identity/aml-list';
import type { Platform } from '../../platform/platform';
import { importList } from './import';
import type { ImportReport } from './import';

/** Larger than any list but OpenSanctions' whole collection, which is imported from a file. */
const LARGEST_BYTES = 256 * 1024 * 1024;
const TIMEOUT_MS = 10 * 60_000;
const HOUR_MILLISECONDS = 3_600_000;

/** A file fetched, or word that there is nothing newer. */
export type Fetched =
  | { kind: 'unchanged' }
  | { kind: 'file'; body: Buffer; name: string; etag: string | null; lastModified: string | null };

const headerOf = ({ headers }: EgressResponse, name: string): string | null => {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
};

/**
 * Fetches a list, unless its source says that nothing has changed.
 * @throws AppError 503 `list_fetch_failed`, or what the egress guard refused
 */
export async function fetchList(
  egress: Egress,
  url: string,
  known: Pick<AmlListRecord, 'etag' | 'lastModified'>,
): Promise<Fetched> {
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
  });
  if (response.status === 304) return { kind: 'unchanged' };
  if (response.status !== 200 || response.truncated) {
    throw new AppError('list_fetch_failed', 503, `The source of the list answered ${response.status}.`);
  }
  return {
    kind: 'file',
    body: response.bodyStart,
    name: new URL(url).pathname.split('/').at(-1) ?? 'list',
    etag: headerOf(response, 'etag'),
    lastModified: headerOf(response, 'last-modified'),
  };
}

/** Imports a list from where it is published, and has it fetched again from then on. */
export async function importFromUrl(
  platform: Platform,
  egress: Egress,
  input: { code: string; organisationId: string | null; url: string; title?: string | undefined },
  known: Pick<AmlListRecord, 'etag' | 'lastModified'> = { etag: null, lastModified: null },
): Promise<ImportReport | null> {
  const fetched = await fetchList(egress, input.url, known);
  if (fetched.kind === 'unchanged') return null;
  const { body, name, etag, lastModified } = fetched;
  return importList(platform, {
    code: input.code,
    organisationId: input.organisationId,
    title: input.title,
    sourceUrl: input.url,
    source: { name, open: () => Readable.from([body]), sibling: () => null },
    etag,
    lastModified,
  });
}

async function refresh(platform: Platform, egress: Egress, list: AmlListRecord, url: string): Promise<boolean> {
  try {
    const { code, organisationId } = list;
    const report = await importFromUrl(platform, egress, { code, organisationId, url }, list);
    if (report === null) {
      const checkedAt = platform.clock.now();
      await AmlList.updateOne({ _id: list._id }, { $set: { checkedAt, failure: null } });
    }
    return report?.status === 'current';
  } catch (error) {
    const failure = error instanceof AppError ? error.code : 'internal_error';
    platform.logger.warn({ list: list.code, failure }, 'A watch list could not be refreshed');
    await AmlList.updateOne({ _id: list._id }, { $set: { failure } });
    return false;
  }
}

/**
 * Fetches every list that has a source and was not checked within the refresh interval. One that fails keeps its version
 * in use, grows stale, and is tried again by the next run.
 * @returns how many have a new version
 */
export async function refreshLists(platform: Platform, egress: Egress): Promise<number> {
  const before = new Date(platform.clock.now().getTime() - platform.config.AML_REFRESH_HOURS * HOUR_MILLISECONDS);
  const due = await AmlList.find({
    sourceUrl: { $ne: null },
    $or: [{ checkedAt: null }, { checkedAt: { $lte: before } }],
  }).lean<AmlListRecord[]>();
  let renewed = 0;
  for (const list of due) {
    if (list.sourceUrl !== null && (await refresh(platform, egress, list, list.sourceUrl))) renewed += 1;
  }
  return renewed;
}
