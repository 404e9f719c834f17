import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { WorkflowHandle } from '@temporalio/client';
import { temporal } from '@temporalio/proto';

const { History } = temporal.api.history.v1;

/** `<workflow>[-<case>].<version>.json`; a file stays as long as a workflow of that version may still run. */
const HISTORIES_FOLDER = path.join(__dirname, '..', 'histories');

export const listHistoryFiles = (): string[] => readdirSync(HISTORIES_FOLDER).filter((file) => file.endsWith('.json'));

/**
 * The history in protobuf's own object form, which needs no second library to be read back; what `temporal workflow
 * show` prints is another form.
 */
export const readHistory = (file: string): temporal.api.history.v1.History =>
  History.fromObject(JSON.parse(readFileSync(path.join(HISTORIES_FOLDER, file), 'utf8')) as Record<string, unknown>);

/**
 * Keeps the history of a test's workflow when VOUCH_RECORD_HISTORIES names a version, such as `v2`; does nothing
 * otherwise. The identity of the recording machine and its file paths are left out.
 */
export async function recordHistory(handle: WorkflowHandle, name: string): Promise<void> {
  const version = process.env['VOUCH_RECORD_HISTORIES'];
  if (version === undefined) return;
  const plain = History.toObject(History.fromObject(await handle.fetchHistory()), {
    longs: String,
    enums: String,
    bytes: String,
  });
  const text = JSON.stringify(plain, null, 1)
    .replace(/"\d+@[^"]+"/g, '"worker"')
    .replace(/("stackTrace": )"(?:[^"\\]|\\.)*"/g, '$1""');
  writeFileSync(path.join(HISTORIES_FOLDER, `${name}.${version}.json`), `${text}\n`);
}
