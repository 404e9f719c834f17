import { DataUpgrade } from '../../../models/business/upgrades/data-upgrade';
import { encryptEarlierObject } from '../../platform/evidence/encrypted-objects';
import type { Platform } from '../../platform/platform';

const UPGRADE_NAME = 'object-encryption';

/**
 * Encrypts the documents and logos that earlier versions stored as they are, under the same keys. Exports of earlier
 * versions stay as they are until they expire. Safe to run in parallel and to kill at any point.
 * @returns the number of objects that were encrypted
 */
export async function upgradeObjectEncryption(platform: Platform): Promise<number> {
  if ((await DataUpgrade.exists({ _id: UPGRADE_NAME })) !== null) return 0;
  let encrypted = 0;
  for await (const { key } of platform.objects.list('org_')) {
    const [organisationId = ''] = key.split('/');
    if (await encryptEarlierObject(platform, organisationId, key)) encrypted += 1;
  }
  const completed = { $setOnInsert: { completedAt: platform.clock.now() } };
  await DataUpgrade.updateOne({ _id: UPGRADE_NAME }, completed, { upsert: true });
  return encrypted;
}
