import { existsSync, createReadStream } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import type { WatchListEntry } from '../../../../domain/identity/aml/entry';
import { readCsvRows } from '../../../../services/identity/aml/formats/csv';
import { detectFormat, PARSERS } from '../../../../services/identity/aml/formats/detection';
import { readPublicationDate } from '../../../../services/identity/aml/formats/publication-date';
import { createEmptyCounts } from '../../../../services/identity/aml/formats/source';
import type { ListCounts, ListSource } from '../../../../services/identity/aml/formats/source';
import { parsePartialDate, resolveCountryCode } from '../../../../services/identity/aml/formats/values';
import { createMemorySource } from '../../../support/identity/watch-lists';

async function readSource(source: ListSource, beginning: string) {
  const format = detectFormat(beginning);
  const counts: ListCounts = createEmptyCounts();
  const entries: WatchListEntry[] = [];
  for await (const entry of PARSERS[format](source, counts)) entries.push(entry);
  return { format, counts, entries };
}

const readFiles = (files: Record<string, string>) =>
  readSource(createMemorySource(files), Object.values(files)[0] ?? '');

test('parses the CSV set of OFAC with weak aliases in the remarks and aliases of a missing entry', async () => {
  const { format, counts, entries } = await readFiles({
    'sdn.csv':
      '7,"INVENTED, Ivan","individual","TEST] [MORE",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,"DOB 02 Mar 1965; nationality Panama; Gender Male; Passport X123456 (Panama); a.k.a. \'GHOST\'."\r\n\x1a',
    'alt.csv': '7,1,"aka","INVENTOV, Iwan",-0- \r\n9,2,"aka","LOST, Larry",-0- \r\n\x1a',
    'add.csv': '7,1,"1 Street","Town","Panama",-0- \r\n\x1a',
  });
  expect(format).toBe('ofac_csv');
  expect(counts).toEqual({ entries: 1, aliases: 2, addresses: 1, incomplete: 1, skipped: 0 });
  expect(entries[0]).toMatchObject({
    caption: 'Ivan INVENTED',
    type: 'person',
    datesOfBirth: ['1965-03-02'],
    countries: ['PA'],
    genders: ['male'],
    programs: ['TEST', 'MORE'],
    identifiers: [{ type: 'Passport', value: 'X123456', country: 'PA' }],
    aliases: [
      { name: 'Iwan INVENTOV', weak: false },
      { name: 'GHOST', weak: true },
    ],
  });
  expect(entries[1]).toMatchObject({ id: '9', caption: 'Larry LOST' });
});

test('parses the XML of OFAC', async () => {
  const { entries } = await readFiles({
    'sdn.xml': `<?xml version="1.0"?><sdnList xmlns="http://tempuri.org/sdnList.xsd"><sdnEntry><uid>5</uid><firstName>Ivan</firstName><lastName>INVENTED</lastName><sdnType>Individual</sdnType><programList><program>TEST</program></programList><idList><id><uid>1</uid><idType>Gender</idType><idNumber>Female</idNumber></id></idList><akaList><aka><uid>1</uid><type>a.k.a.</type><category>weak</category><lastName>GHOST</lastName></aka></akaList><dateOfBirthList><dateOfBirthItem><uid>1</uid><dateOfBirth>circa 1965</dateOfBirth></dateOfBirthItem></dateOfBirthList></sdnEntry></sdnList>`,
  });
  expect(entries).toMatchObject([
    {
      id: '5',
      type: 'person',
      caption: 'Ivan INVENTED',
      genders: ['female'],
      datesOfBirth: ['~1965'],
      aliases: [{ name: 'GHOST', weak: true }],
    },
  ]);
});

test('parses the XML of the United Nations with the name in its original script', async () => {
  const { entries } = await readFiles({
    'consolidated.xml': `<CONSOLIDATED_LIST><INDIVIDUALS><INDIVIDUAL><DATAID>1</DATAID><FIRST_NAME>IVAN</FIRST_NAME><SECOND_NAME>INVENTED</SECOND_NAME><THIRD_NAME>na</THIRD_NAME><UN_LIST_TYPE>T</UN_LIST_TYPE><NAME_ORIGINAL_SCRIPT>Иван</NAME_ORIGINAL_SCRIPT><NATIONALITY><VALUE>Iran (Islamic Republic of)</VALUE></NATIONALITY><INDIVIDUAL_ALIAS><QUALITY>Low</QUALITY><ALIAS_NAME>Vanya</ALIAS_NAME></INDIVIDUAL_ALIAS><INDIVIDUAL_ALIAS><QUALITY>Good</QUALITY><ALIAS_NAME>Wanja Erfunden (Ваня Выдуман)</ALIAS_NAME></INDIVIDUAL_ALIAS><INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>BETWEEN</TYPE_OF_DATE><FROM_YEAR>1960</FROM_YEAR><TO_YEAR>1961</TO_YEAR></INDIVIDUAL_DATE_OF_BIRTH></INDIVIDUAL></INDIVIDUALS><ENTITIES><ENTITY><DATAID>2</DATAID><FIRST_NAME>INVENTED BANK</FIRST_NAME></ENTITY></ENTITIES></CONSOLIDATED_LIST>`,
  });
  expect(entries).toMatchObject([
    {
      caption: 'IVAN INVENTED',
      countries: ['IR'],
      datesOfBirth: ['1960', '1961'],
      aliases: [
        { name: 'Vanya', weak: true },
        { name: 'Wanja Erfunden', weak: false },
        { name: 'Ваня Выдуман', weak: false },
        { name: 'Иван', weak: false },
      ],
    },
    { caption: 'INVENTED BANK', type: 'company' },
  ]);
});

test('parses the XML of the European Union', async () => {
  const { format, entries } = await readFiles({
    'eu.xml': `<export xmlns="http://eu.europa.ec/fpi/fsd/export"><sanctionEntity designationDetails="" euReferenceNumber="EU.1.1" logicalId="13"><regulation programme="TST"><publicationUrl>https://example.org/r</publicationUrl></regulation><subjectType code="person" classificationCode="P"/><nameAlias wholeName="Ivan Invented" gender="M" strong="true" function="Minister"/><nameAlias wholeName="Vanya" strong="false"/><citizenship countryIso2Code="RU"/><birthdate circa="false" calendarType="GREGORIAN" birthdate="1965-03-02" year="1965"/><identification number="X123456" identificationTypeCode="passport" countryIso2Code="RU"/></sanctionEntity></export>`,
  });
  expect(format).toBe('eu_xml');
  expect(entries).toMatchObject([
    {
      id: 'EU.1.1',
      type: 'person',
      caption: 'Ivan Invented',
      aliases: [{ name: 'Vanya', weak: true }],
      datesOfBirth: ['1965-03-02'],
      countries: ['RU'],
      genders: ['male'],
      programs: ['TST'],
      sourceUrl: 'https://example.org/r',
    },
  ]);
});

test('parses the CSV of the United Kingdom with an entry over several rows', async () => {
  const { format, entries } = await readFiles({
    'uk.csv': `Report Date: 01-Jan-2026
Last Updated,Unique ID,Name 6,Name 1,Name type,Alias strength,Name non-latin script,Regime Name,D.O.B,Nationality(/ies),"Individual, Entity, Ship"
x,TST0001,INVENTED,Ivan,Primary Name,,Иван,Test,02/03/1965,Russia,Individual
x,TST0001,GHOST,,Alias,Low,,Test,dd/mm/1966,,Individual`,
  });
  expect(format).toBe('uk_csv');
  expect(entries).toMatchObject([
    {
      id: 'TST0001',
      type: 'person',
      caption: 'Ivan INVENTED',
      datesOfBirth: ['1965-03-02', '1966'],
      countries: ['RU'],
      aliases: [
        { name: 'Иван', weak: false },
        { name: 'GHOST', weak: true },
      ],
    },
  ]);
});

test.each([
  ['un_xml', '<CONSOLIDATED_LIST xmlns:xsi="x" dateGenerated="2026-02-27T00:00:09.554Z">', '2026-02-27T00:00:09.554Z'],
  ['eu_xml', '<export generationDate="2026-03-05T14:33:00+01:00" globalFileId="1">', '2026-03-05T13:33:00.000Z'],
  ['ofac_xml', '<sdnList><publshInformation><Publish_Date>05/21/2026</Publish_Date>', '2026-05-21T00:00:00.000Z'],
  ['uk_csv', 'Report Date: 01-Jan-2026\nLast Updated,Unique ID', '2026-01-01T00:00:00.000Z'],
  ['un_xml', '<CONSOLIDATED_LIST dateGenerated="yesterday">', null],
  ['own_csv', 'name,listedOn\nReport Date: 01-Jan-2026,', null],
] as const)('reads the date that a list of format %s states: %s', (format, beginning, date) => {
  expect(readPublicationDate(format, beginning)?.toISOString() ?? null).toBe(date);
});

test('parses the simple CSV of OpenSanctions and an own list', async () => {
  const open = await readFiles({
    'targets.simple.csv': `id,schema,name,aliases,birth_date,countries,addresses,identifiers,sanctions,phones,emails,dataset,first_seen,last_seen,last_change
Q1,Person,Ivan Invented,Vanya;Iwan,1965-03-02,ru;pa,,X123456,T,,,Test,2024-01-01,,`,
  });
  expect(open.format).toBe('opensanctions_csv');
  expect(open.entries).toMatchObject([
    { id: 'Q1', countries: ['RU', 'PA'], aliases: [{ name: 'Vanya' }, { name: 'Iwan' }] },
  ]);
  const own = await readFiles({ 'own.csv': 'name,type,country\nIvan Invented,person,France\n,person,France\n' });
  expect(own.format).toBe('own_csv');
  expect(own.counts).toMatchObject({ entries: 1, skipped: 1 });
});

test.each([
  ['half a document', '<CONSOLIDATED_LIST><INDIVIDUAL><DATAID>1', 'invalid_list'],
  ['no list at all', 'hello world', 'unknown_list_format'],
])('%s is refused', async (_what, text, code) => {
  await expect(readFiles({ 'x.xml': text })).rejects.toMatchObject({ status: 422, code });
});

test('dates and countries are parsed as lists write them', () => {
  expect(
    ['31 Aug 1960', 'Aug 1960', 'circa 1960', '00/00/1960', '1960-08-31', 'unknown'].map(parsePartialDate),
  ).toEqual(['1960-08-31', '1960-08', '~1960', '1960', '1960-08-31', null]);
  expect(['Korea, North', 'Russian Federation', 'FR', 'DEU', 'Atlantis'].map(resolveCountryCode)).toEqual([
    'KP',
    'RU',
    'FR',
    'DE',
    null,
  ]);
});

test('a CSV file is closed when reading it ends early', async () => {
  const file = Readable.from(Array.from({ length: 10_000 }, (_, index) => Buffer.from(`${index},INVENTED\n`)));
  for await (const row of readCsvRows(file)) {
    expect(row).toEqual(['0', 'INVENTED']);
    break;
  }
  expect(file.destroyed).toBe(true);
});

const LISTS = process.env['VOUCH_WATCH_LISTS'] ?? '';
const published = LISTS === '' ? test.skip : test;

published(
  "the Treasury's and the United Nations' files are read whole (VOUCH_WATCH_LISTS names their folder)",
  async () => {
    const openFile = async (file: string) => {
      const source: ListSource = {
        name: path.basename(file),
        open: () => createReadStream(file),
        sibling(name) {
          const siblingPath = path.join(path.dirname(file), name);
          return existsSync(siblingPath) ? createReadStream(siblingPath) : null;
        },
      };
      const first: unknown = (await source.open().take(1).toArray()).at(0);
      return readSource(source, String(first).slice(0, 4000));
    };
    const ofac = await openFile(path.join(LISTS, 'ofac/sdn.csv'));
    expect(ofac.counts).toMatchObject({ entries: 7379, aliases: 17_091, addresses: 18_990 });
    const un = await openFile(path.join(LISTS, 'un/consolidated.xml'));
    expect(un.entries.filter(({ type }) => type === 'person')).toHaveLength(730);
    expect(un.entries.filter(({ type }) => type === 'company')).toHaveLength(273);
  },
);
