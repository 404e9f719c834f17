import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { getServiceEnvironment } from '../../scripts/demo/running-service';
import { GOLDEN_COPY_COLUMNS } from '../../domain/identity/registers/gleif/golden-copy';
import type { CompanyQuery } from '../../domain/identity/kyb/company';
import { loadConfig } from '../../lib/config';
import { ensureIndexes } from '../../models';
import { removeGoldenCopy } from '../../services/identity/registers/gleif/editions';
import { openGoldenCopyFile } from '../../services/identity/registers/gleif/file';
import { importGoldenCopy } from '../../services/identity/registers/gleif/import';
import { findActiveEdition, findEntities } from '../../services/identity/registers/gleif/lookup';
import { closePlatform, createPlatform } from '../../services/platform/bootstrap';
import { percentile, report, roundTo } from '../report';

const ROWS = 1_000_000;
/** Columns of a published file; those the import does not read are empty here, as most of them are there. */
const COLUMNS = 338;
const LOOKUPS = 500;
const SAMPLE_MS = 200;

const FIRST = 'Harbour Northern Silver Atlantic Meridian Crescent Juniper Falcon Granite Orchid Vantage Summit'.split(
  ' ',
);
const SECOND = 'Lights Quarry Rivers Meadow Lantern Compass Anchor Beacon Timber Castle Willow Bridge'.split(' ');
const TRADES = 'Trading Capital Shipping Holdings Energy Services Investments Management'.split(' ');
const FORMS = ['Ltd', 'GmbH', 'S.A.', 'Inc.', 'B.V.', 'S.p.A.', 'plc', 'LLC'];
const COUNTRIES = ['GB', 'DE', 'FR', 'US', 'NL', 'IT', 'LU', 'KY'];

const pickCyclic = (values: readonly string[], index: number): string => values[index % values.length] ?? '';

/** A few syllables that make the name unique, as most names are. */
const buildUniqueWord = (index: number): string => {
  const letters = [...(index * 7919).toString(20)].map((digit) => 'bcdfghjklmnprstvwxyz'[parseInt(digit, 20)] ?? 'b');
  const word = letters.map((letter, position) => `${letter}${'aeiou'[(index + position) % 5] ?? 'a'}`).join('');
  return word.charAt(0).toUpperCase() + word.slice(1);
};

const buildName = (index: number): string =>
  `${pickCyclic(FIRST, index)} ${pickCyclic(SECOND, Math.floor(index / 12))} ${buildUniqueWord(index)} ${pickCyclic(TRADES, index >> 3)} ${pickCyclic(FORMS, index)}`;

/** A LEI with valid check digits (ISO 7064 MOD 97-10). */
function buildLei(index: number): string {
  const body = `5299${index.toString(36).toUpperCase().padStart(14, '0')}`;
  const digits = [...`${body}00`].map((character) => parseInt(character, 36).toString()).join('');
  return body + String(98n - (BigInt(digits) % 97n)).padStart(2, '0');
}

async function writeGeneratedFile(file: string, rows: number): Promise<void> {
  const { required, optional } = GOLDEN_COPY_COLUMNS.entities;
  const usedColumns = [...required, ...optional];
  const header = [
    ...usedColumns,
    ...Array.from({ length: COLUMNS - usedColumns.length }, (_, each) => `Entity.Unread.${each}`),
  ];
  const values: Readonly<Record<string, (index: number) => string>> = {
    LEI: buildLei,
    'Entity.LegalName': buildName,
    'Entity.EntityStatus': () => 'ACTIVE',
    'Registration.RegistrationStatus': () => 'ISSUED',
    'Registration.LastUpdateDate': () => '2026-10-02T08:00:00Z',
    'Entity.LegalJurisdiction': (index) => pickCyclic(COUNTRIES, index),
    'Entity.LegalAddress.FirstAddressLine': (index) => `${index % 200} Quay Street`,
    'Entity.LegalAddress.City': () => 'Whitby',
    'Entity.LegalAddress.Country': (index) => pickCyclic(COUNTRIES, index),
    'Entity.HeadquartersAddress.FirstAddressLine': (index) => `${index % 200} Quay Street`,
    'Entity.HeadquartersAddress.City': () => 'Whitby',
    'Entity.HeadquartersAddress.Country': (index) => pickCyclic(COUNTRIES, index),
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

const buildQuery = (change: Partial<CompanyQuery>): CompanyQuery => ({
  companyName: '',
  country: null,
  registrationNumber: null,
  vatNumber: null,
  lei: null,
  ...change,
});

/** Milliseconds per lookup, for entities spread over the whole edition. */
async function measureLookups(
  edition: number,
  rows: number,
  query: (index: number) => CompanyQuery,
): Promise<number[]> {
  const milliseconds: number[] = [];
  for (let round = 0; round < LOOKUPS; round += 1) {
    const start = performance.now();
    await findEntities(edition, query((round * 7919) % rows));
    milliseconds.push(performance.now() - start);
  }
  return milliseconds;
}

/**
 * Imports a generated level 1 file into the database of the running service, then measures lookups in it. Removes the
 * golden copy of the database before and after.
 */
export async function benchGleifImport(rows = ROWS): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'vouch-bench-'));
  const platform = await createPlatform(
    { ...loadConfig(getServiceEnvironment()), LOG_LEVEL: 'warn' },
    { name: 'bench', watch: false },
  );
  try {
    await ensureIndexes();
    await removeGoldenCopy();
    const file = path.join(folder, '20261121-0800-gleif-goldencopy-lei2-golden-copy.csv');
    await writeGeneratedFile(file, rows);
    const source = await openGoldenCopyFile(file);
    let peak = 0;
    const sample = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), SAMPLE_MS);
    const start = performance.now();
    const before = process.cpuUsage();
    const { edition } = await importGoldenCopy(platform, source);
    const seconds = (performance.now() - start) / 1000;
    const { user, system } = process.cpuUsage(before);
    clearInterval(sample);
    const active = await findActiveEdition('entities');
    const byName = await measureLookups(edition, rows, (index) => buildQuery({ companyName: buildName(index) }));
    const misspelt = await measureLookups(edition, rows, (index) =>
      buildQuery({ companyName: buildName(index).replace('a', 'o') }),
    );
    const byLei = await measureLookups(edition, rows, (index) =>
      buildQuery({ companyName: 'x', lei: buildLei(index) }),
    );
    report('gleif-import', {
      rows: active?.rows.taken ?? 0,
      fileMegabytes: Math.round(source.bytes / 1e6),
      seconds: roundTo(seconds, 1),
      rowsASecond: Math.round(rows / seconds),
      // Processor time shows what one core achieves alone, on a machine that is shared with other work.
      rowsACpuSecond: Math.round((rows * 1e6) / (user + system)),
      peakRssMegabytes: Math.round(peak / 1e6),
      byNameP50Ms: roundTo(percentile(byName, 0.5), 1),
      byNameP95Ms: roundTo(percentile(byName, 0.95), 1),
      misspeltP95Ms: roundTo(percentile(misspelt, 0.95), 1),
      byLeiP95Ms: roundTo(percentile(byLei, 0.95), 1),
    });
  } finally {
    await removeGoldenCopy();
    await closePlatform(platform);
    await rm(folder, { recursive: true, force: true });
  }
}
