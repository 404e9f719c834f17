import { readSealedWrappingKey, listWrappingKeyNames, replaceSealedWrappingKey } from '../evidence/wrapping-keys';
import { sealAgain } from './sealed-collection';
import type { RewrapResult, SealedStore, StoreContext } from './sealed-store';

/** The wrapping keys of the organisations, in the key store. */
export const SEALED_KEY_STORE: SealedStore = {
  name: 'key_store',
  sealedBy: 'services/platform/evidence/wrapping-keys.ts',
  keyIdPaths: [],
  async countByKey(context: StoreContext) {
    const counts = new Map<string, number>();
    for await (const name of listWrappingKeyNames(context)) {
      const secret = await readSealedWrappingKey(context, name);
      if (secret !== null) counts.set(secret.keyId, (counts.get(secret.keyId) ?? 0) + 1);
    }
    return counts;
  },
  async rewrap(context, batchSize, onBatch) {
    const result: RewrapResult = { rewrapped: 0, unreadable: [] };
    const { masterKey } = context;
    for await (const name of listWrappingKeyNames(context)) {
      const secret = await readSealedWrappingKey(context, name);
      if (secret === null || secret.keyId === masterKey.currentKeyId) continue;
      const sealed = sealAgain(masterKey, secret, secret.aad);
      if (sealed === null) {
        result.unreadable.push(name);
        continue;
      }
      if (!(await replaceSealedWrappingKey(context, name, secret, sealed))) continue;
      result.rewrapped += 1;
      if (result.rewrapped % batchSize === 0) onBatch(result.rewrapped);
    }
    onBatch(result.rewrapped);
    return result;
  },
};
