import { setTimeout as delay } from 'node:timers/promises';
import { buffer } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import yauzl from 'yauzl';
import { call } from '../client';
import type { Answer } from '../client';

/** An export as the API shows it. */
export interface ShownExport {
  id: number;
  state: string;
  rowsDone: number;
  rowsTotal: number | null;
  parts: number;
  sizeBytes: number | null;
  sha256: string | null;
  failure: string | null;
  expiresAt: string | null;
  download: { url: string; expiresAt: string } | null;
}

/** Who asks, and of which API process. */
export interface Asker {
  key?: string;
  token?: string;
  api?: string;
}

const POLL_MS = 50;

export const shown = (answer: Answer): ShownExport => answer.body['data'] as ShownExport;

export async function askForExport(asker: Asker, json: object): Promise<ShownExport> {
  const answer = await call('POST', '/api/exports', { ...asker, json });
  if (answer.status !== 202) throw new Error(`POST /api/exports: ${answer.status} ${answer.bytes.toString('utf8')}`);
  return shown(answer);
}

/** Waits until the export is as it should be. */
export async function untilExport(
  asker: Asker,
  id: number,
  is: (record: ShownExport) => boolean,
): Promise<ShownExport> {
  for (;;) {
    const record = shown(await call('GET', `/api/exports/${id}`, asker));
    if (is(record)) return record;
    await delay(POLL_MS);
  }
}

const hasEnded = ({ state }: ShownExport): boolean => !['queued', 'running'].includes(state);

/** The part of a link behind the address of the API. */
export const linkPath = ({ download }: ShownExport): string => {
  if (download === null) throw new Error('The export has no link.');
  const { pathname, search } = new URL(download.url);
  return pathname + search;
};

/** Asks for an export, waits for its end, and downloads it as anybody who holds the link can. */
export async function takeOut(asker: Asker, json: object): Promise<{ record: ShownExport; file: Answer }> {
  const { id } = await askForExport(asker, json);
  const record = await untilExport(asker, id, hasEnded);
  if (record.state !== 'completed') throw new Error(`Export ${id} ended ${record.state}: ${String(record.failure)}`);
  const file = await call('GET', linkPath(record), asker.api === undefined ? {} : { api: asker.api });
  return { record, file };
}

export const untilEnded = (asker: Asker, id: number): Promise<ShownExport> => untilExport(asker, id, hasEnded);

/** Rows of a CSV file by the names in its first line. */
export const csvRows = (bytes: Buffer): Record<string, string>[] =>
  parse(bytes, { columns: true, bom: true, skip_empty_lines: false });

/** The files of a ZIP archive, by another library than wrote it. */
export const zipFiles = (archive: Buffer): Promise<Map<string, Buffer>> =>
  new Promise((resolve, reject) => {
    const files = new Map<string, Buffer>();
    yauzl.fromBuffer(archive, { lazyEntries: true, strictFileNames: true }, (failure, zip) => {
      if (failure !== null) return reject(failure);
      zip.on('error', reject);
      zip.on('end', () => resolve(files));
      zip.on('entry', (entry: yauzl.Entry) =>
        zip.openReadStream(entry, (unreadable, stream) => {
          if (unreadable !== null) return reject(unreadable);
          buffer(stream).then((bytes) => {
            files.set(entry.fileName, bytes);
            zip.readEntry();
          }, reject);
        }),
      );
      zip.readEntry();
    });
  });
