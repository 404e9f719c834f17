import { Organisation } from '../../../models/platform/access/organisation';
import { encryptEarlierObject } from '../../platform/evidence/encrypted-objects';
import type { Migration } from '../../platform/migrations/migration';

/**
 * Versions without encryption of files stored documents and logos as they are. They are encrypted under the same keys;
 * exports of such versions stay as they are until they expire.
 */
export const fileEncryption: Migration = {
  version: 9,
  name: 'file-encryption',
  summary: 'encrypts documents and logos that were stored as they are',
  async run({ platform, cursor, commit }) {
    const after = cursor === null ? {} : { _id: { $gt: cursor } };
    const organisations = await Organisation.find(after, { _id: 1 }).sort({ _id: 1 }).lean<{ _id: string }[]>();
    for (const { _id: organisationId } of organisations) {
      let converted = 0;
      for await (const { key } of platform.objects.list(`${organisationId}/`))
        if (await encryptEarlierObject(platform, organisationId, key)) converted += 1;
      await commit(() => Promise.resolve({ cursor: organisationId, converted }));
    }
  },
};
