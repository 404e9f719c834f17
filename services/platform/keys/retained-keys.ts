import { DERIVED_KEY_PURPOSES } from '../../../lib/crypto/master-key';
import type { MasterKey } from '../../../lib/crypto/master-key';
import { RetainedKey } from '../../../models/platform/keys/retained-key';
import type { RetainedKeyRecord } from '../../../models/platform/keys/retained-key';
import type { Platform } from '../platform';

/** Binds a retained key to its purpose and master key: `id` is `<purpose>:<id of the master key>`. */
export const buildRetainedKeyAad = (id: string): string => `retained-key:${id}`;

/**
 * Stores the keys that were derived from replaced master keys, encrypted with the current one, so that the replaced keys
 * can be removed from the configuration. Codes of the audit log that they authenticated stay verifiable. A retained key
 * does not reveal the master key and decrypts nothing that was sealed with it.
 */
export async function retainDerivedKeys({ masterKey, clock }: Platform): Promise<void> {
  const replaced = masterKey.keyIds.filter((keyId) => keyId !== masterKey.currentKeyId);
  for (const masterKeyId of replaced) {
    for (const purpose of DERIVED_KEY_PURPOSES) {
      const _id = `${purpose}:${masterKeyId}`;
      const sealed = masterKey.seal(masterKey.deriveKey(purpose, masterKeyId), buildRetainedKeyAad(_id));
      const record = { purpose, masterKeyId, sealed, createdAt: clock.now() };
      await RetainedKey.updateOne({ _id }, { $setOnInsert: record }, { upsert: true });
    }
  }
}

/** Makes the keys of replaced master keys available to this process. */
export async function loadRetainedKeys(masterKey: MasterKey): Promise<void> {
  const configured = masterKey.keyIds;
  for (const { _id, purpose, masterKeyId, sealed } of await RetainedKey.find().lean<RetainedKeyRecord[]>()) {
    if (!configured.includes(masterKeyId))
      masterKey.addRetainedKey(purpose, masterKeyId, masterKey.open(sealed, buildRetainedKeyAad(_id)));
  }
}
