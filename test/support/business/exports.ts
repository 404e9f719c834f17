import { setTimeout as delay } from 'node:timers/promises';
import { buffer } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import yauzl from 'yauzl';
import { call } from '../client';
import type { ApiResponse } from '../client';

/** An export as returned by the API. */
export interface ExportData {
  id: number;
  state: string;
  rowsDone: number;
  rowsTotal: number | null;
  parts: number;
  sizeBytes: number | null;
  sha256: string | null;
  failure: string | null;
  failureMessage: string | null;
  expiresAt: string | null;
  download: { url: string; expiresAt: string } | null;
}

/** The credential of a caller and the URL of the API process. */
export interface ApiCaller {
  key?: string;
  token?: string;
  api?: string;
}

const POLL_MS = 50;

/** The export in a response; the status is not checked. */
export const parseExport = (response: ApiResponse): ExportData => response.body['data'] as ExportData;

/** @throws Error unless the export is accepted (202) */
export async function requestExport(caller: ApiCaller, json: object): Promise<ExportData> {
  const response = await call('POST', '/api/exports', { ...caller, json });
  if (response.status !== 202)
    throw new Error(`POST /api/exports: ${response.status} ${response.bytes.toString('utf8')}`);
  return parseExport(response);
}

/** Polls an export until it matches. */
export async function waitForExport(
  caller: ApiCaller,
  id: number,
  matches: (record: ExportData) => boolean,
): Promise<ExportData> {
  for (;;) {
    const record = parseExport(await call('GET', `/api/exports/${id}`, caller));
    if (matches(record)) return record;
    await delay(POLL_MS);
  }
}

const hasExportEnded = ({ state }: ExportData): boolean => !['queued', 'running'].includes(state);

/** The path of a download link. */
export const getDownloadPath = ({ download }: ExportData): string => {
  if (download === null) throw new Error('The export has no download link.');
  const { pathname, search } = new URL(download.url);
  return pathname + search;
};

/** Requests an export, waits for its end, and downloads it by its link without credentials. */
export async function createAndDownloadExport(
  caller: ApiCaller,
  json: object,
): Promise<{ record: ExportData; file: ApiResponse }> {
  const { id } = await requestExport(caller, json);
  const record = await waitForExport(caller, id, hasExportEnded);
  if (record.state !== 'completed') throw new Error(`Export ${id} ended ${record.state}: ${String(record.failure)}`);
  const file = await call('GET', getDownloadPath(record), caller.api === undefined ? {} : { api: caller.api });
  return { record, file };
}

/** The export once it is completed, failed or cancelled. */
export const waitForExportEnd = (caller: ApiCaller, id: number): Promise<ExportData> =>
  waitForExport(caller, id, hasExportEnded);

/** Rows of a CSV file, keyed by its header. */
export const parseCsvRows = (bytes: Buffer): Record<string, string>[] =>
  parse(bytes, { columns: true, bom: true, skip_empty_lines: false });

/** Reads the files of a ZIP archive, with another library than the one that wrote it. */
export const readZipFiles = (archive: Buffer): Promise<Map<string, Buffer>> =>
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
