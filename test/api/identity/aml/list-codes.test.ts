import { AmlList } from '../../../../models/identity/aml/aml-list';
import { buildListId } from '../../../../services/identity/aml/catalogue';
import { importList } from '../../../../services/identity/aml/import';
import { call } from '../../../support/client';
import { createMemorySource, importOwnList } from '../../../support/identity/watch-lists';
import { closeTestPlatform, createIdentityTenant, getTestPlatform } from '../../../support/tenant';

afterAll(closeTestPlatform);

const ENTRY = { id: 'V1', type: 'person', name: 'Versioned Person' };

/** A list as it is before its first version, which no screening searches: lists of the installation concern every test. */
const storeList = (organisationId: string | null, code: string) =>
  AmlList.create({ _id: buildListId(code, organisationId), code, organisationId, title: code, revision: 0 });

describe('a list of the installation and an own list of an organisation', () => {
  const importFor = (organisationId: string | null, code: string) => importOwnList(organisationId, [ENTRY], code);

  test('do not have the same code, whichever was imported first', async () => {
    const { organisationId } = await createIdentityTenant('Codes');
    const [first, second] = [`first_${organisationId}`, `second_${organisationId}`];
    await importFor(organisationId, first);
    const refused = { code: 'reserved_list', status: 400, message: expect.stringContaining(organisationId) as string };
    await expect(importFor(null, first)).rejects.toMatchObject(refused);
    await storeList(null, second);
    try {
      await expect(importFor(organisationId, second)).rejects.toMatchObject({ code: 'reserved_list' });
    } finally {
      await AmlList.deleteOne({ _id: second });
    }
    // Lists of two organisations may have one code: no request sees both.
    const other = await createIdentityTenant('Other codes');
    expect((await importFor(other.organisationId, first)).status).toBe('current');
  });

  test('that an earlier version accepted with the same code are distinguished: the code names the own one', async () => {
    const { organisationId, identityKey: key } = await createIdentityTenant('Equal codes');
    const code = `equal_${organisationId}`;
    await storeList(null, code);
    try {
      await storeList(organisationId, code);
      const { version } = await importFor(organisationId, code);
      const { body } = await call('GET', `/v1/aml/lists/${code}/changes`, { key });
      expect(body['versions']).toMatchObject([{ id: version }]);
    } finally {
      await AmlList.deleteOne({ _id: code });
    }
  });
});

describe('the code of a published list', () => {
  const refused = (format: string) => ({
    code: 'reserved_list',
    status: 400,
    message: expect.stringContaining(format) as string,
  });

  test.each(['un', 'ofac_consolidated', 'fictional'])(
    '%s does not take a list of the installation itself',
    async (code) => {
      await expect(importOwnList(null, [ENTRY], code)).rejects.toMatchObject(refused('own_csv'));
      expect(await AmlList.exists({ _id: code, currentVersion: { $ne: null } })).toBeNull();
    },
  );

  test('does not take the file of another publisher, which may have the same name', async () => {
    const source = createMemorySource({ 'consolidated.xml': '<sdnList xmlns="https://example.com"></sdnList>' });
    const input = { code: 'un', organisationId: null, source };
    await expect(importList(await getTestPlatform(), input)).rejects.toMatchObject(refused('ofac_xml'));
  });
});
