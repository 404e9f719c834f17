import { gunzipSync } from 'node:zlib';
import { JournalEncoder } from '../../../../activities/exports/journal-encoder';
import { PRESET_CHARTS } from '../../../../domain/business/accounting/charts';
import { postStock } from '../../../../domain/business/accounting/postings';
import { addEntries, NO_ENTRIES } from '../../../../domain/business/accounting/saft';
import { Decimal } from '../../../../domain/business/decimal';
import type { JournalFile } from '../../../../services/business/exports/journal-files';

const entries = [1, 2, 3].map((id) =>
  postStock(PRESET_CHARTS.skr03, {
    kind: 'adjustment',
    key: `adjustment:${id}`,
    date: `2026-01-0${id}`,
    order: id,
    document: { type: 'adjustment', id, number: `ADJUSTMENT-${id}` },
    value: new Decimal(id),
    baseCurrencyCode: 'EUR',
  }),
);
const file: JournalFile = {
  buildHead: () => Promise.reject(new Error('the head is passed to the encoder')),
  formatEntries: (batch) => Promise.resolve(batch.map(({ id }) => `${id}\n`).join('')),
  tail: 'tail',
  encode: (text) => Buffer.from(text),
};
const head = { text: 'head\n', totals: addEntries(NO_ENTRIES, entries) };

test('a journal is continued after a part from its stored state', async () => {
  const first = new JournalEncoder(file, null, head);
  await first.add(entries.slice(0, 1));
  const part = await first.end(false);
  const second = new JournalEncoder(file, JSON.parse(JSON.stringify(part.writer)), null);
  await second.add(entries.slice(1));
  const rest = await second.end(true);
  expect(gunzipSync(Buffer.concat([part.body, rest.body])).toString()).toBe(
    'head\nstock:adjustment:1\nstock:adjustment:2\nstock:adjustment:3\ntail',
  );
});

test('a journal whose entries are no longer those of its head fails with journal_changed', async () => {
  const encoder = new JournalEncoder(file, null, head);
  await encoder.add(entries.slice(0, 2));
  await expect(encoder.end(true)).rejects.toMatchObject({ code: 'journal_changed', status: 409 });
});
