import type { SealedSecret } from '../../../lib/crypto/master-key';
import { readSealedWrappingKey, listWrappingKeyNames, replaceSealedWrappingKey } from '../evidence/wrapping-keys';
import type { SealedWrappingKey } from '../evidence/wrapping-keys';
import { sealAgain } from './sealed-collection';
import type { RewrapResult, SealedStore, StoreContext } from './sealed-store';

interface EarlierKey {
  name: string;
  secret: SealedWrappingKey;
  /** Under the current master key; null if the secret cannot be decrypted. */
  sealed: SealedSecret | null;
}

/** The wrapping keys of other master keys than the current one. */
async function* listEarlierKeys(context: StoreContext): AsyncGenerator<EarlierKey> {
  const { masterKey } = context;
  for await (const name of listWrappingKeyNames(context)) {
    const secret = await readSealedWrappingKey(context, name);
    if (secret === null || secret.keyId === masterKey.currentKeyId) continue;
    yield { name, secret, sealed: sealAgain(masterKey, secret, secret.aad) };
  }
}

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
  async findUnreadable(context, _batchSize, limit) {
    const unreadable: string[] = [];
    for await (const { name, sealed } of listEarlierKeys(context)) {
      if (sealed === null) unreadable.push(name);
      if (unreadable.length === limit) break;
    }
    return unreadable;
  },
  async rewrap(context, batchSize, onBatch) {
    const result: RewrapResult = { rewrapped: 0, unreadable: [] };
    for await (const { name, secret, sealed } of listEarlierKeys(context)) {
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
