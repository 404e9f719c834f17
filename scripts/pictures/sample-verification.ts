import { Readable } from 'node:stream';
import { importList } from '../../services/identity/aml/import';
import type { Platform } from '../../services/platform/platform';
import type { Client } from '../demo/client';

const WATCH_LIST = [
  'id,type,name,aliases,datesOfBirth,countries',
  'X-17,person,Viktor Sample,V. Sample,1970-05-02,UA',
  'X-18,person,Victoria Sampel,,1982-11-30,EE',
].join('\n');

const COMPANIES = [
  'name,country,registrationNumber,status,officers,owners',
  'Harbour Lights Limited,GB,09812345,active,Edith Quayle|director,Edith Quayle|80',
].join('\n');

/** A list of the organisation itself, so that screenings have hits without a download. */
async function importWatchList(platform: Platform, organisationId: string): Promise<void> {
  const open = (): Readable => Readable.from([Buffer.from(WATCH_LIST)]);
  const source = { name: 'samples.csv', open, sibling: () => null };
  await importList(platform, { code: 'samples', organisationId, source });
}

/** A session workflow, a blocked document, a screening with hits and a company check, once for each installation. */
export async function addSampleVerification(platform: Platform, organisationId: string, client: Client): Promise<void> {
  const { screenings } = await client.json('GET', '/v1/aml/screenings');
  if (Array.isArray(screenings) && screenings.length > 0) return;
  await client.json('POST', '/v1/sessions/workflows', { name: 'Age check' });
  await client.json('POST', '/v1/blocklist/documents', { documentNumber: 'X42K90617', issuingState: 'UTO' });
  await importWatchList(platform, organisationId);
  await client.json('POST', '/v1/aml/screen?wait=30', {
    fullName: 'Victor Sample',
    dateOfBirth: '1970-05-02',
    monitoring: true,
  });
  const file = { body: Buffer.from(COMPANIES), name: 'companies.csv' };
  await client.upload('/v1/registers/companies/import?wait=30', {}, { file });
  await client.json('POST', '/v1/kyb?wait=30', { companyName: 'Harbour Lights', country: 'GB' });
}
