import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { WorkflowHandle } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import { temporal } from '@temporalio/proto';

const { History } = temporal.api.history.v1;

/** Files `<workflow>[-<case>].<version>.json`; a file is kept as long as workflows of that version may be running. */
const HISTORIES_FOLDER = path.join(__dirname, '..', 'histories');

/** Names of the recorded histories, without their folder. */
export const listHistoryFiles = (): string[] => readdirSync(HISTORIES_FOLDER).filter((file) => file.endsWith('.json'));

/**
 * Reads a history in the object form of protobuf.js, which requires no other library. It differs from the output of
 * `temporal workflow show`.
 */
export const readHistory = (file: string): temporal.api.history.v1.History =>
  History.fromObject(JSON.parse(readFileSync(path.join(HISTORIES_FOLDER, file), 'utf8')) as Record<string, unknown>);

const SAMPLED_TRACE = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };

/** A history as if its start and every signal came from requests that are traced. */
export function traceHistory(history: temporal.api.history.v1.History): temporal.api.history.v1.History {
  const traced = History.fromObject(History.toObject(history));
  const fields = { '_tracer-data': defaultPayloadConverter.toPayload(SAMPLED_TRACE) };
  for (const event of traced.events) {
    const received = event.workflowExecutionStartedEventAttributes ?? event.workflowExecutionSignaledEventAttributes;
    if (received != null) received.header = { fields: { ...received.header?.fields, ...fields } };
  }
  return traced;
}

/**
 * Records the history of a workflow if VOUCH_RECORD_HISTORIES is set to a version such as `v2`, without the identity
 * and file paths of the recording machine. Otherwise does nothing.
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

/** Texts and payloads of a value, without its numbers: a time may have any digits that a test looks for. */
export function collectTexts(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  if (typeof value !== 'object' || value === null) return '';
  return Object.values(value).map(collectTexts).join('\n');
}

/** What the history of a workflow says, payloads as text. */
export const readHistoryTexts = async (handle: WorkflowHandle): Promise<string> =>
  collectTexts((await handle.fetchHistory()).events);
