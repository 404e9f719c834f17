import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { serviceEnvironment } from '../scripts/demo/running-service';
import { GOLDEN_COPY_COLUMNS } from '../domain/identity/registers/gleif/golden-copy';
import type { CompanyQuery } from '../domain/identity/kyb/company';
import { loadConfig } from '../lib/config';
import { ensureIndexes } from '../models';
import { removeGoldenCopy } from '../services/identity/registers/gleif/editions';
import { goldenCopyFile } from '../services/identity/registers/gleif/file';
import { importGoldenCopy } from '../services/identity/registers/gleif/import';
import { activeEdition, findEntities } from '../services/identity/registers/gleif/look-up';
import { closePlatform, createPlatform } from '../services/platform/bootstrap';
import { percentile, report, rounded } from './report';
import type { BenchInput } from './report';

const ROWS = 1_000_000;
/** Columns of a published file; those that nobody reads are empty here, as most of them are there. */
const COLUMNS = 338;
const LOOK_UPS = 500;
const SAMPLE_MS = 200;

const FIRST = 'Harbour Northern Silver Atlantic Meridian Crescent Juniper Falcon Granite Orchid Vantage Summit'.split(
  ' ',
);
const SECOND = 'Lights Quarry Rivers Meadow Lantern Compass Anchor Beacon Timber Castle Willow Bridge'.split(' ');
const TRADES = 'Trading Capital Shipping Holdings Energy Services Investments Management'.split(' ');
const FORMS = ['Ltd', 'GmbH', 'S.A.', 'Inc.', 'B.V.', 'S.p.A.', 'plc', 'LLC'];
const COUNTRIES = ['GB', 'DE', 'FR', 'US', 'NL', 'IT', 'LU', 'KY'];

const at = (values: readonly string[], index: number): string => values[index % values.length] ?? '';

/** A syllable or two that makes the name one of a kind, as most names are. */
const coined = (index: number): string => {
  const letters = [...(index * 7919).toString(20)].map((digit) => 'bcdfghjklmnprstvwxyz'[parseInt(digit, 20)] ?? 'b');
  const word = letters.map((letter, place) => `${letter}${'aeiou'[(index + place) % 5] ?? 'a'}`).join('');
  return word.charAt(0).toUpperCase() + word.slice(1);
};

const nameOf = (index: number): string =>
  `${at(FIRST, index)} ${at(SECOND, Math.floor(index / 12))} ${coined(index)} ${at(TRADES, index >> 3)} ${at(FORMS, index)}`;

/** A LEI with right check digits, ISO 7064 MOD 97-10. */
function leiAt(index: number): string {
  const body = `5299${index.toString(36).toUpperCase().padStart(14, '0')}`;
  const digits = [...`${body}00`].map((character) => parseInt(character, 36).toString()).join('');
  return body + String(98n - (BigInt(digits) % 97n)).padStart(2, '0');
}

async function writeMadeFile(file: string, rows: number): Promise<void> {
  const { required, optional } = GOLDEN_COPY_COLUMNS.entities;
  const known = [...required, ...optional];
  const header = [...known, ...Array.from({ length: COLUMNS - known.length }, (_, each) => `Entity.Unread.${each}`)];
  const values: Readonly<Record<string, (index: number) => string>> = {
    LEI: leiAt,
    'Entity.LegalName': nameOf,
    'Entity.EntityStatus': () => 'ACTIVE',
    'Registration.RegistrationStatus': () => 'ISSUED',
    'Registration.LastUpdateDate': () => '2026-10-02T08:00:00Z',
    'Entity.LegalJurisdiction': (index) => at(COUNTRIES, index),
    'Entity.LegalAddress.FirstAddressLine': (index) => `${index % 200} Quay Street`,
    'Entity.LegalAddress.City': () => 'Whitby',
    'Entity.LegalAddress.Country': (index) => at(COUNTRIES, index),
    'Entity.HeadquartersAddress.FirstAddressLine': (index) => `${index % 200} Quay Street`,
    'Entity.HeadquartersAddress.City': () => 'Whitby',
    'Entity.HeadquartersAddress.Country': (index) => at(COUNTRIES, index),
    'Entity.RegistrationAuthority.RegistrationAuthorityEntityID': (index) => String(10_000_000 + index),
    'Entity.LegalForm.EntityLegalFormCode': () => 'H0PO',
    'Entity.EntityCreationDate': () => '1999-05-04T00:00:00Z',
  };
  const out = createWriteStream(file);
  out.write(`${header.map((name) => `"${name}"`).join(',')}\n`);
  for (let index = 0; index < rows; index += 1) {
    const line = header.map((name) => `"${values[name]?.(index) ?? ''}"`).join(',');
    if (!out.write(`${line}\n`)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'close');
}

const asked = (change: Partial<CompanyQuery>): CompanyQuery => ({
  companyName: '',
  country: null,
  registrationNumber: null,
  vatNumber: null,
  lei: null,
  ...change,
});

/** Milliseconds of look-ups spread over the whole edition. */
async function lookUps(edition: number, rows: number, query: (index: number) => CompanyQuery): Promise<number[]> {
  const milliseconds: number[] = [];
  for (let round = 0; round < LOOK_UPS; round += 1) {
    const start = performance.now();
    await findEntities(edition, query((round * 7919) % rows));
    milliseconds.push(performance.now() - start);
  }
  return milliseconds;
}

/**
 * Imports a made level 1 file into the database of the running service: rows a second and the memory of the process,
 * then look-ups in it. An argument is the number of rows. The golden copy there is removed, before and after.
 */
export async function benchGleifImport({ files }: BenchInput): Promise<void> {
  const rows = Number(files[0] ?? ROWS);
  const folder = await mkdtemp(path.join(tmpdir(), 'vouch-bench-'));
  const platform = await createPlatform(
    { ...loadConfig(serviceEnvironment()), LOG_LEVEL: 'warn' },
    { name: 'bench', watch: false },
  );
  try {
    await ensureIndexes();
    await removeGoldenCopy();
    const file = path.join(folder, '20261121-0800-gleif-goldencopy-lei2-golden-copy.csv');
    await writeMadeFile(file, rows);
    const source = await goldenCopyFile(file);
    let peak = 0;
    const sample = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), SAMPLE_MS);
    const start = performance.now();
    const before = process.cpuUsage();
    const { edition } = await importGoldenCopy(platform, source);
    const seconds = (performance.now() - start) / 1000;
    const { user, system } = process.cpuUsage(before);
    clearInterval(sample);
    const active = await activeEdition('entities');
    const byName = await lookUps(edition, rows, (index) => asked({ companyName: nameOf(index) }));
    const misspelt = await lookUps(edition, rows, (index) => asked({ companyName: nameOf(index).replace('a', 'o') }));
    const byLei = await lookUps(edition, rows, (index) => asked({ companyName: 'x', lei: leiAt(index) }));
    report('gleif-import', {
      rows: active?.rows.taken ?? 0,
      fileMegabytes: Math.round(source.bytes / 1e6),
      seconds: rounded(seconds, 1),
      rowsASecond: Math.round(rows / seconds),
      // On a machine that does other work too, the time of the processor says what one core would do alone.
      rowsACpuSecond: Math.round((rows * 1e6) / (user + system)),
      peakRssMegabytes: Math.round(peak / 1e6),
      byNameP50Ms: rounded(percentile(byName, 0.5), 1),
      byNameP95Ms: rounded(percentile(byName, 0.95), 1),
      misspeltP95Ms: rounded(percentile(misspelt, 0.95), 1),
      byLeiP95Ms: rounded(percentile(byLei, 0.95), 1),
    });
  } finally {
    await removeGoldenCopy();
    await closePlatform(platform);
    await rm(folder, { recursive: true, force: true });
  }
}
