import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { kybCheckSchema } from '../../../../api/identity/kyb/kyb-responses';
import { GleifEdition } from '../../../../models/identity/registers/gleif-edition';
import { GleifEntity } from '../../../../models/identity/registers/gleif-entity';
import { removeGoldenCopy } from '../../../../services/identity/registers/gleif/editions';
import { openGoldenCopyFile } from '../../../../services/identity/registers/gleif/file';
import { importGoldenCopy } from '../../../../services/identity/registers/gleif/import';
import type { GoldenCopyReport } from '../../../../services/identity/registers/gleif/import';
import { call } from '../../../support/client';
import { runRegistersCommand } from '../../../support/commands';
import type { CommandResult } from '../../../support/commands';
import { CompanyRegisters } from '../../../support/identity/company-registers';
import { buildLei } from '../../../support/identity/registers/gleif';
import {
  buildEntitiesCsv,
  buildExceptionsCsv,
  buildRelationshipsCsv,
  buildZip,
} from '../../../support/identity/golden-copy';
import type { TestEntity } from '../../../support/identity/golden-copy';
import { closeTestPlatform, createIdentityTenant, getTestPlatform } from '../../../support/tenant';
import type { IdentityTenant } from '../../../support/tenant';
import { HOUR_MS } from '../../../../domain/durations';

const folder = mkdtempSync(path.join(tmpdir(), 'vouch-golden-'));
const PUBLISHED = '20261120-0800-gleif-goldencopy';

const ENTITIES: TestEntity[] = [
  { lei: buildLei('GOLDENHARBOUR'), name: 'Golden Harbour Lights Limited', registeredAs: '01234567' },
  { lei: buildLei('GOLDENHOLDING'), name: 'Golden Quay Holdings PLC', otherName: 'Goldquay Group' },
  { lei: buildLei('GOLDENROMASHKA'), name: 'ООО Ромашкинские Просторы', country: 'RU' },
  { lei: buildLei('GOLDENLAPSED'), name: 'Lapsed Lanterns GmbH', country: 'DE', leiStatus: 'LAPSED' },
];

const writeCopyFile = (name: string, content: string | Buffer): string => {
  const file = path.join(folder, name);
  writeFileSync(file, content);
  return file;
};

const importGleif = (file: string): Promise<CommandResult> => runRegistersCommand(['import', 'gleif', file]);

/** Imports a file as the command does, without a process of its own. */
const importFile = async (file: string): Promise<GoldenCopyReport> =>
  importGoldenCopy(await getTestPlatform(), await openGoldenCopyFile(file));

/** Imports a file from its URL on a local server, which is closed afterwards. */
async function importFromServer(server: Server, url: string): Promise<CommandResult> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const allowed = process.env['EGRESS_ALLOW'];
  process.env['EGRESS_ALLOW'] = `127.0.0.1:${port}`;
  try {
    return await importGleif(`http://127.0.0.1:${port}${url}`);
  } finally {
    process.env['EGRESS_ALLOW'] = allowed;
    server.close();
  }
}

describe('the golden copy of GLEIF', () => {
  let registers: CompanyRegisters;
  let tenant: IdentityTenant;
  beforeAll(async () => {
    registers = await CompanyRegisters.start();
    tenant = await createIdentityTenant('Golden copy');
    await getTestPlatform();
    await removeGoldenCopy();
    const level1 = `${PUBLISHED}-lei2-golden-copy.csv`;
    await importFile(writeCopyFile(`${level1}.zip`, buildZip(level1, buildEntitiesCsv(ENTITIES))));
    await importFile(
      writeCopyFile(
        `${PUBLISHED}-rr-golden-copy.csv`,
        buildRelationshipsCsv([[buildLei('GOLDENHARBOUR'), buildLei('GOLDENHOLDING'), 'DIRECTLY']]),
      ),
    );
    await importFile(
      writeCopyFile(
        `${PUBLISHED}-repex-golden-copy.csv`,
        buildExceptionsCsv([[buildLei('GOLDENHARBOUR'), 'ULTIMATE', 'NATURAL_PERSONS']]),
      ),
    );
    registers.takeRequestCount('gleif');
  });
  afterAll(async () => {
    await removeGoldenCopy();
    await registers.stop();
    await closeTestPlatform();
    rmSync(folder, { recursive: true, force: true });
  });

  const runCheck = async (json: object): Promise<z.infer<typeof kybCheckSchema>> => {
    const { status, body } = await call('POST', '/v1/kyb', { key: tenant.identityKey, json });
    expect(status).toBe(201);
    return z.object({ check: kybCheckSchema }).parse(body).check;
  };
  const findGleifSource = (check: z.infer<typeof kybCheckSchema>) =>
    check.sources.find(({ provider }) => provider === 'gleif');

  test('is queried instead of the API, and states its age', async () => {
    const check = await runCheck({
      companyName: 'Golden Harbour Lights',
      lei: buildLei('GOLDENHARBOUR'),
      country: 'GB',
    });
    expect(check).toMatchObject({
      provider: 'gleif',
      company: {
        legalName: 'Golden Harbour Lights Limited',
        registrationNumber: '01234567',
        leiStatus: 'ISSUED',
        status: 'active',
        legalForm: { code: 'H0PO' },
        registeredAddress: { lines: ['4 Quay Street\nSecond floor'], city: 'Whitby', country: 'GB' },
      },
      parents: {
        direct: {
          lei: buildLei('GOLDENHOLDING'),
          legalName: 'Golden Quay Holdings PLC',
          country: 'GB',
          exceptions: [],
        },
        ultimate: { lei: null, legalName: null, exceptions: ['NATURAL_PERSONS'] },
      },
    });
    const source = findGleifSource(check);
    expect(source).toMatchObject({
      outcome: 'matched',
      dataAt: '2026-10-02T08:00:00Z',
      copy: { publishedAt: '2026-11-20T08:00:00.000Z' },
    });
    const age = (Date.parse(source?.at ?? '') - Date.parse('2026-11-20T08:00:00Z')) / HOUR_MS;
    expect(source?.copy?.ageHours).toBe(Math.max(0, Math.floor(age)));
    expect(registers.takeRequestCount('gleif')).toBe(0);
  });

  test.each([
    ['its name without legal form', { companyName: 'golden harbour lights', country: 'GB' }, 'GOLDENHARBOUR'],
    ['a name with a letter wrong', { companyName: 'Golden Harbour Lightz Ltd', country: 'GB' }, 'GOLDENHARBOUR'],
    ['a trading name', { companyName: 'Goldquay Group' }, 'GOLDENHOLDING'],
    ['a registration number', { companyName: 'Golden Harbour', registrationNumber: '1234567' }, 'GOLDENHARBOUR'],
    ['a name in another script', { companyName: 'Romashkinskie Prostory', country: 'RU' }, 'GOLDENROMASHKA'],
  ])('finds a company by %s', async (_title, query, stem) => {
    const check = await runCheck(query);
    const best = check.matches.filter(({ provider }) => provider === 'gleif')[0];
    expect(best?.company.lei ?? check.company?.lei).toBe(buildLei(stem));
  });

  test('a lapsed LEI is a risk, and an unknown name is not found', async () => {
    const lapsed = await runCheck({ companyName: 'Lapsed Lanterns', country: 'DE' });
    expect(lapsed.risks.map(({ code }) => code)).toContain('kyb_lei_lapsed');
    const unmatched = await runCheck({ companyName: 'Zzyzx Unheard Of', country: 'DE' });
    expect(findGleifSource(unmatched)).toMatchObject({
      status: 'answered',
      outcome: 'none',
      copy: { version: /^gleif-\d+$/ },
    });
  });

  test('the same file again changes nothing', async () => {
    const again = await importFile(path.join(folder, `${PUBLISHED}-lei2-golden-copy.csv.zip`));
    expect(again).toMatchObject({ dataset: 'entities', status: 'unchanged' });
  });

  test.each([
    ['a file of something else', 'companies.csv', 'name,country\nAcme,GB\n', 'golden copy'],
    ['a file of changes', `${PUBLISHED}-lei2-last-week.csv`, buildEntitiesCsv(ENTITIES), 'contains only changes'],
    [
      'a file without a valid row',
      'empty.csv',
      buildEntitiesCsv([{ lei: 'NOTALEI', name: 'Invalid' }]),
      'no valid row',
    ],
    ['a part of the file', 'part.csv', buildEntitiesCsv(ENTITIES.slice(0, 1)), '--accept-smaller'],
  ])('%s is rejected, and the active edition stays', async (_title, name, content, problem) => {
    await expect(importFile(writeCopyFile(name, content))).rejects.toThrow(problem);
    expect((await runCheck({ companyName: 'Lapsed Lanterns', country: 'DE' })).company?.lei).toBe(
      buildLei('GOLDENLAPSED'),
    );
  });

  test('a file is downloaded from its URL through a redirect', async () => {
    const name = '20261121-0800-gleif-goldencopy-lei2-golden-copy.csv';
    const more = [...ENTITIES, { lei: buildLei('GOLDENNEW'), name: 'Newly Gilded Ltd' }];
    const body = buildZip(name, buildEntitiesCsv(more));
    const server = createServer((request, response) => {
      if (request.url === '/latest') response.writeHead(302, { location: `/files/${name}.zip` }).end();
      else response.writeHead(200).end(body);
    });
    const done = await importFromServer(server, '/latest');
    expect(done).toMatchObject({ code: 0, report: { status: 'active', publishedAt: '2026-11-21T08:00:00.000Z' } });
    expect((await runCheck({ companyName: 'Newly Gilded' })).company?.lei).toBe(buildLei('GOLDENNEW'));
  });

  test.each([
    ['is not there', 404, 'register_fetch_failed', 'The source of the file responded with status 404.'],
    ['is not served now', 503, 'register_fetch_failed', 'The source of the file responded with status 503.'],
    ['is cut off', 200, 'egress_failed', 'The address did not respond with valid HTTP.'],
  ])('a file that %s at its URL changes nothing, and the command says why', async (_title, status, code, problem) => {
    const editions = await GleifEdition.find().sort({ _id: 1 }).lean();
    const server = createServer((_request, response) => {
      response.writeHead(status, { 'content-length': '1000' });
      if (status === 200) response.write('LEI,', () => response.destroy());
      else response.end('x'.repeat(1000));
    });
    const refused = await importFromServer(server, '/20261122-0800-gleif-goldencopy-lei2-golden-copy.csv');
    expect([refused.code, refused.report]).toEqual([1, {}]);
    expect(refused.error).toBe(`${code}: ${problem}\n`);
    expect(await GleifEdition.find().sort({ _id: 1 }).lean()).toEqual(editions);
    expect((await runCheck({ companyName: 'Newly Gilded' })).company?.lei).toBe(buildLei('GOLDENNEW'));
  });

  test('while a file is imported another one of its kind is refused by the name of the first, which completes', async () => {
    const rest = ENTITIES.slice(1);
    const next = [...rest, { lei: buildLei('GOLDENLATER'), name: 'Later Lanterns Ltd' }];
    const file = await openGoldenCopyFile(writeCopyFile('running.csv', buildEntitiesCsv(next)));
    const other = writeCopyFile('other.csv', buildEntitiesCsv(ENTITIES));
    let refused: CommandResult | undefined;
    const done = await importGoldenCopy(await getTestPlatform(), file, {
      onProgress: async () => {
        refused ??= await importGleif(other);
      },
    });
    expect([refused?.code, refused?.report]).toEqual([1, {}]);
    const said = refused?.error.trim().split(': ');
    expect(said).toEqual(['import_running', 'running.csv is being imported; try again when it is done.']);
    expect(done).toMatchObject({ status: 'active', rows: { read: next.length, taken: next.length } });
    expect(await GleifEdition.find({ dataset: 'entities' }).lean()).toMatchObject([
      { _id: done.edition, status: 'active' },
    ]);
    expect(await importFile(other)).toMatchObject({ status: 'active', rows: { taken: ENTITIES.length } });
    expect(await GleifEntity.countDocuments()).toBe(ENTITIES.length);
  });

  test('a killed import resumes where it stopped; until it completes the previous edition is queried', async () => {
    const many = Array.from({ length: 20_000 }, (_, at): TestEntity => {
      const number = at.toString(36).toUpperCase().padStart(6, '0');
      return { lei: buildLei(`MANY${number}`), name: `Manifold ${number} Works Ltd`, registeredAs: String(at) };
    });
    const file = writeCopyFile('many.csv', buildEntitiesCsv(many));
    const killed = await runRegistersCommand(['import', 'gleif', file], (kill) => kill());
    expect(killed.code).toBeNull();
    expect((await runCheck({ companyName: 'Lapsed Lanterns', country: 'DE' })).company?.lei).toBe(
      buildLei('GOLDENLAPSED'),
    );

    const done = await importGleif(file);
    expect(done.report).toMatchObject({ status: 'active', rows: { read: 20_000, taken: 20_000, passedOver: 0 } });
    expect(Number(done.report['resumedAt'])).toBeGreaterThan(0);
    // Neither twice nor not at all, and nothing is left of the edition before.
    expect(await GleifEntity.countDocuments()).toBe(20_000);
    const one = await runCheck({ companyName: 'Manifold', lei: many[19_999]?.lei });
    expect(one.company?.registrationNumber).toBe('19999');
  });

  test('an edition that is removed during its import ends the import and leaves nothing', async () => {
    const many = Array.from({ length: 6000 }, (_, at): TestEntity => {
      const number = at.toString(36).toUpperCase().padStart(6, '0');
      return { lei: buildLei(`GONE${number}`), name: `Gone ${number} Works Ltd` };
    });
    const file = await openGoldenCopyFile(writeCopyFile('gone.csv', buildEntitiesCsv(many)));
    const ended = importGoldenCopy(await getTestPlatform(), file, {
      acceptSmaller: true,
      onProgress: async () => void (await removeGoldenCopy()),
    });
    await expect(ended).rejects.toMatchObject({ code: 'import_ended' });
    expect(await GleifEntity.countDocuments()).toBe(0);
  });

  test('after its removal GLEIF itself is queried again', async () => {
    expect((await runRegistersCommand(['remove', 'gleif'])).code).toBe(0);
    const check = await runCheck({ companyName: 'Nordlicht Energie', lei: buildLei('NORDLICHT'), country: 'DE' });
    expect(findGleifSource(check)).toMatchObject({ outcome: 'matched', copy: null });
    expect(registers.takeRequestCount('gleif')).toBeGreaterThan(0);
  });
});
