import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import readWorkbook from 'read-excel-file/node';
import { ArchiveEncoder, toArchiveFileName } from '../../../../activities/exports/archive-encoder';
import { createLocalInstantReader, formatPlainDecimal } from '../../../../activities/exports/cell-text';
import type { PartEncoder } from '../../../../activities/exports/part-encoder';
import { buildSheetTail, buildWorkbookFiles, toColumnLetters } from '../../../../activities/exports/sheet-xml';
import { TextPartEncoder } from '../../../../activities/exports/text-encoder';
import { WorkbookEncoder } from '../../../../activities/exports/workbook-encoder';
import { formatInstant } from '../../../../domain/business/calendar';
import { formatCsvField, neutraliseFormula } from '../../../../domain/business/exports/exports';
import type { Cell, ExportColumn } from '../../../../domain/business/exports/exports';
import { sha256Hex } from '../../../../lib/crypto/secrets';
import type { ArchivedFile } from '../../../../models/business/exports/export';
import type { PrintedFile } from '../../../../services/business/exports/archive';

const COLUMNS: ExportColumn[] = [
  { name: 'id', kind: 'integer' },
  { name: 'name', kind: 'text' },
  { name: 'amount', kind: 'decimal' },
  { name: 'on', kind: 'boolean' },
  { name: 'day', kind: 'day' },
];
const AT = new Date('2026-11-21T10:00:00Z');

/** Writes a file in parts, each by an encoder that knows of the last one only what is kept in MongoDB. */
async function encodeParts<T>(parts: T[][], open: (state: unknown) => PartEncoder<T>): Promise<Buffer> {
  const bodies: Buffer[] = [];
  let state: unknown = null;
  for (const [index, items] of parts.entries()) {
    const encoder = open(state);
    await encoder.add(items);
    const part = await encoder.end(index === parts.length - 1);
    bodies.push(part.body);
    state = JSON.parse(JSON.stringify(part.writer)) as unknown;
  }
  return Buffer.concat(bodies);
}

const cells = fc.tuple(
  fc.integer({ min: 0, max: 1e9 }),
  fc.string({ unit: 'binary', maxLength: 20 }).map((text) => text.replace(/[\uFFFE\uFFFF]/g, '')),
  fc.integer({ min: -1e9, max: 1e9 }).map((cents) => (cents / 100).toFixed(2)),
  fc.boolean(),
  fc
    .date({ min: new Date('1900-03-01'), max: new Date('2100-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
);
const partsOfRows = fc.array(fc.array(cells, { maxLength: 8 }), { minLength: 1, maxLength: 5 });

describe('a file written in parts by independent processes', () => {
  test('CSV: another library reads every row once, in order', async () => {
    await fc.assert(
      fc.asyncProperty(partsOfRows, async (parts) => {
        const file = gunzipSync(
          await encodeParts<Cell[]>(parts, (state) => new TextPartEncoder('csv', COLUMNS, 'utc', state)),
        );
        const [head, ...rows] = parse(file, { bom: true, relax_column_count: false });
        expect(head).toEqual(COLUMNS.map(({ name }) => name));
        expect(rows).toEqual(
          parts
            .flat()
            .map(([id, name, amount, on, day]) => [String(id), neutraliseFormula(name), amount, String(on), day]),
        );
      }),
      { numRuns: 60 },
    );
  });

  test('JSON: one array, numbers digit by digit', async () => {
    await fc.assert(
      fc.asyncProperty(partsOfRows, async (parts) => {
        const open = (state: unknown) => new TextPartEncoder('json', COLUMNS, 'utc', state);
        const file = gunzipSync(await encodeParts<Cell[]>(parts, open)).toString('utf8');
        expect(JSON.parse(file)).toEqual(
          parts.flat().map(([id, name, amount, on, day]) => ({ id, name, amount: Number(amount), on, day })),
        );
      }),
      { numRuns: 60 },
    );
  });

  test('NDJSON: one object per line, also across parts', async () => {
    const parts: Cell[][][] = [[[1, 'a\nb', '1.50', true, '2026-02-28']], [], [[2, null, '0.10', false, null]]];
    const open = (state: unknown) => new TextPartEncoder('ndjson', COLUMNS, 'utc', state);
    const file = gunzipSync(await encodeParts<Cell[]>(parts, open)).toString('utf8');
    expect(file.endsWith('\n')).toBe(true);
    const lines = file.trimEnd().split('\n');
    expect(lines).toHaveLength(2);
    expect(lines.map((line) => (JSON.parse(line) as { name: unknown }).name)).toEqual(['a\nb', null]);
  });

  test('XLSX: the header row has filters over all rows of the sheet', () => {
    expect(buildSheetTail(COLUMNS, 11)).toBe('</sheetData><autoFilter ref="A1:E11"/></worksheet>');
  });

  test('XLSX: decimals are shown with every digit, also those of small exchange rates', () => {
    const styles = buildWorkbookFiles('rates', 1).find(({ name }) => name === 'xl/styles.xml')?.text ?? '';
    const shown = /formatCode="#,##0\.([0#]+)"/.exec(styles)?.[1] ?? '';
    // One rupiah in euros, with the ten significant digits of a rate.
    expect(shown.length).toBeGreaterThanOrEqual('00005571234567'.length);
  });

  test('XLSX: another library reads several sheets, with numbers as numbers and days as days', async () => {
    const rows = Array.from({ length: 25 }, (_, id): Cell[] => [
      id,
      `=${id}<&>"\u0001`,
      `${id}.50`,
      id % 2 === 0,
      '2026-02-28',
    ]);
    for (const size of [1, 4, 9, 25]) {
      const parts = Array.from({ length: Math.ceil(25 / size) }, (_, at) => rows.slice(at * size, (at + 1) * size));
      const options = { columns: COLUMNS, timeZone: 'utc', title: 'rows', createdAt: AT, maxRows: 11 };
      const file = await encodeParts<Cell[]>(parts, (state) => new WorkbookEncoder(options, state));
      const sheets = await readWorkbook(file, { trim: false });
      expect(sheets.map(({ sheet, data }) => [sheet, data.length])).toEqual([
        ['rows 1', 11],
        ['rows 2', 11],
        ['rows 3', 6],
      ]);
      const unescape = (text: unknown) => String(text).replace('_x0001_', '\u0001');
      expect(
        sheets.flatMap(({ data }) => data.slice(1)).map(([id, name, ...rest]) => [id, unescape(name), ...rest]),
      ).toEqual(rows.map(([id, name, amount, on]) => [id, name, Number(amount), on, new Date('2026-02-28T00:00:00Z')]));
    }
  });
});

const hasPython = spawnSync('python3', ['--version']).status === 0;

function runInFolder<T>(files: Record<string, Buffer>, work: (folder: string) => T): T {
  const folder = mkdtempSync(path.join(tmpdir(), 'vouch-exports-'));
  try {
    for (const [name, body] of Object.entries(files)) writeFileSync(path.join(folder, name), body);
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const buildPrintedFile = (documentId: number, number: string, bytes: Buffer): PrintedFile => ({
  issued: { organisationId: 'org_1', kind: 'invoice', id: documentId, number, contentHash: '', voidedOn: null },
  facts: {
    documentId,
    number,
    issueDate: '2026-11-21',
    status: 'issued',
    currencyCode: documentId % 2 === 0 ? 'EUR' : 'USD',
    total: '10.10',
    taxTotal: '2.02',
    grandTotal: '12.12',
  },
  bytes,
  sha256: sha256Hex(bytes),
});

/** An archive of documents, in parts of three. */
async function buildArchive(documents: PrintedFile[]): Promise<Buffer> {
  const files: ArchivedFile[] = [];
  const facts = { exportId: 1, resource: 'invoices', filters: {}, createdAt: AT, draftsLeftOut: 2 };
  const bodies: Buffer[] = [];
  let state: unknown = null;
  for (let at = 0; at < documents.length; at += 3) {
    const encoder = new ArchiveEncoder(state, facts, () => Promise.resolve(files.slice()));
    await encoder.add(documents.slice(at, at + 3));
    const part = await encoder.end(at + 3 >= documents.length);
    bodies.push(part.body);
    files.push(...part.files);
    state = JSON.parse(JSON.stringify(part.writer)) as unknown;
  }
  return Buffer.concat(bodies);
}

(hasPython ? describe : describe.skip)('read by Python', () => {
  const python = (script: string, folder: string): unknown =>
    JSON.parse(execFileSync('python3', ['-c', script], { cwd: folder, encoding: 'utf8' }));

  test('a ZIP archive is valid and uncompressed, and its table of contents lists every file with its hash', async () => {
    const documents = Array.from({ length: 8 }, (_, at) =>
      buildPrintedFile(at + 1, `INV-2026-00000${at + 1}`, Buffer.alloc(999 + at, at)),
    );
    const script = `
import hashlib, json, zipfile
z = zipfile.ZipFile('a.zip')
m = json.loads(z.read('manifest.json'))
print(json.dumps({
  'bad': z.testzip(),
  'names': z.namelist(),
  'stored': all(i.compress_type == 0 for i in z.infolist()),
  'hashes': all(hashlib.sha256(z.read(f['name'])).hexdigest() == f['sha256'] for f in m['files']),
  'documents': m['documents'], 'drafts': m['draftsLeftOut'], 'totals': m['totals'],
}))`;
    expect(runInFolder({ 'a.zip': await buildArchive(documents) }, (folder) => python(script, folder))).toEqual({
      bad: null,
      names: [...documents.map(({ facts }) => `${facts.number}.pdf`), 'manifest.json'],
      stored: true,
      hashes: true,
      documents: 8,
      drafts: 2,
      totals: {
        USD: { documents: 4, total: 40.4, taxTotal: 8.08, grandTotal: 48.48 },
        EUR: { documents: 4, total: 40.4, taxTotal: 8.08, grandTotal: 48.48 },
      },
    });
  });

  test('an archive of more than 65,535 files is valid', async () => {
    const documents = Array.from({ length: 65_600 }, (_, at) =>
      buildPrintedFile(at + 1, `N-${at}`, Buffer.from(String(at))),
    );
    const facts = { exportId: 1, resource: 'invoices', filters: {}, createdAt: AT, draftsLeftOut: 0 };
    const encoder = new ArchiveEncoder(null, facts, () => Promise.resolve([]));
    await encoder.add(documents);
    const { body } = await encoder.end(true);
    const script = `
import json, zipfile
z = zipfile.ZipFile('a.zip')
print(json.dumps([len(z.namelist()), z.read('N-65599.pdf').decode(), z.testzip()]))`;
    expect(runInFolder({ 'a.zip': body }, (folder) => python(script, folder))).toEqual([65_601, '65599', null]);
  });

  test('CSV is read by the csv module', async () => {
    const rows: Cell[][] = [
      [1, 'a "b", c\r\nd', '1.50', true, '2026-01-01'],
      [2, '=1+1', '-3', false, null],
    ];
    const file = gunzipSync(
      await encodeParts<Cell[]>([rows], (state) => new TextPartEncoder('csv', COLUMNS, 'utc', state)),
    );
    const script = `
import csv, json
print(json.dumps(list(csv.reader(open('a.csv', newline='', encoding='utf-8-sig')))))`;
    expect(runInFolder({ 'a.csv': file }, (folder) => python(script, folder))).toEqual([
      ['id', 'name', 'amount', 'on', 'day'],
      ['1', 'a "b", c\r\nd', '1.50', 'true', '2026-01-01'],
      ['2', "'=1+1", '-3', 'false', ''],
    ]);
  });
});

describe('values', () => {
  test.each(['=1', '+1', '-1', '@A', '\t1', '\r1', '\n1', ' =1', '＝1', '＋1', '－1', '＠A'])(
    '%j is made harmless',
    (text) => {
      expect(neutraliseFormula(text)).toBe(`'${text}`);
    },
  );

  test.each(['a=1', '1-2', 'a@b.example', '', "'=1", 'a; b-c', 'a;b=1', 'a\nb - c', 'a "=1"', 'a, -1'])(
    '%j does not change',
    (text) => {
      expect(neutraliseFormula(text)).toBe(text);
    },
  );

  test.each([
    ['a;=1+1', "a;'=1+1"],
    ['a; \u00a0+1;b', "a; \u00a0'+1;b"],
    ['a\t@SUM(A1)', "a\t'@SUM(A1)"],
    ['a\r\n-1', "a\r\n'-1"],
    ['a;"=1', `a;"'=1`],
    ['\t=1', "'\t'=1"],
    ['\n=1', "'\n'=1"],
    ['a;＝1', "a;'＝1"],
    ['=1;=2', "'=1;'=2"],
  ])('%j is made harmless for a spreadsheet that splits lines at other separators', (text, harmless) => {
    expect(neutraliseFormula(text)).toBe(harmless);
  });

  test.each([';', '\t'])(
    'a text never begins a formula in a spreadsheet that splits lines at %j alone',
    (separator) => {
      const text = fc.string({ unit: fc.constantFrom(';', '\t', '\n', '\r', ',', '"', ' ', '=', '-', 'a', '1') });
      fc.assert(
        fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (texts) => {
          const line = ['1', ...texts.map(formatCsvField)].join(',');
          // Such a spreadsheet takes a quote only at the beginning of a cell, whose content may then follow it.
          const cells = line.split(new RegExp(`[${separator}\\r\\n]`));
          for (const cell of cells) expect(cell).not.toMatch(/^[\s"]*[=+\-@]/u);
        }),
        { numRuns: 500 },
      );
    },
  );

  test.each(['a;b', 'a\tb'])('%j is quoted, so that no other separator divides it', (text) => {
    expect(formatCsvField(text)).toBe(`"${text}"`);
  });

  test('a time is formatted as in API responses, in every zone', () => {
    const zones = [
      'utc',
      'UTC',
      'Europe/London',
      'America/St_Johns',
      'Asia/Kathmandu',
      'Australia/Lord_Howe',
      'Pacific/Apia',
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.date({ min: new Date('1990-01-01'), max: new Date('2080-01-01'), noInvalidDate: true }),
        (zone, instant) => {
          expect(createLocalInstantReader(zone)(instant).text).toBe(formatInstant(instant, zone));
        },
      ),
    );
  });

  test('decimals have no exponent, columns have letters, and file names that differ only in case are made unique', () => {
    expect(['1E-7', '12.30', '1E+3'].map(formatPlainDecimal)).toEqual(['0.0000001', '12.30', '1000']);
    expect([0, 25, 26, 701, 702].map(toColumnLetters)).toEqual(['A', 'Z', 'AA', 'ZZ', 'AAA']);
    expect([toArchiveFileName('INV-1', 1), toArchiveFileName('inv-1', 2), toArchiveFileName('../x', 3)]).toEqual([
      'INV-1.pdf',
      'inv-1-2.pdf',
      '__x-3.pdf',
    ]);
  });
});
