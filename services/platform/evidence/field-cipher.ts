import type { ClientSession } from 'mongoose';
import { notFoundError } from '../../../domain/errors';
import { decrypt, encrypt } from '../../../lib/crypto/envelope';
import type { FieldCipher, FieldOwner, FieldValue } from '../../../models/sealed-fields';
import type { Platform } from '../platform';
import { buildValueAad, createDataKeys, openDataKeys } from './data-keys';

/** Groups fields by organisation and mode, whose data keys are read in one query. */
function groupRecordIds(fields: readonly FieldValue<unknown>[]): Map<string, { owner: FieldOwner; ids: Set<string> }> {
  const groups = new Map<string, { owner: FieldOwner; ids: Set<string> }>();
  for (const { owner } of fields) {
    const name = `${owner.organisationId}.${owner.mode}`;
    const group = groups.get(name) ?? { owner, ids: new Set() };
    group.ids.add(owner.recordId);
    groups.set(name, group);
  }
  return groups;
}

const getAad = ({ owner, name }: FieldValue<unknown>): string =>
  buildValueAad(owner.organisationId, owner.recordId, name);

/** Encrypts personal fields with the data keys of their records; a record without one gets it in the transaction. */
export function createFieldCipher(platform: Platform): FieldCipher {
  async function readKeys(
    fields: readonly FieldValue<unknown>[],
    mongoSession: ClientSession | null,
    create: boolean,
  ): Promise<Map<string, Buffer>> {
    const keys = new Map<string, Buffer>();
    for (const { owner, ids } of groupRecordIds(fields).values()) {
      const found = await openDataKeys(platform, owner, [...ids], mongoSession);
      const missing = create ? [...ids].filter((id) => !found.has(id)) : [];
      const created = missing.length === 0 ? [] : await createDataKeys(platform, owner, missing, mongoSession);
      for (const [id, key] of [...found, ...created]) keys.set(id, key);
    }
    return keys;
  }
  return {
    async seal(fields, mongoSession) {
      const keys = await readKeys(fields, mongoSession, true);
      return fields.map((field) => {
        const key = keys.get(field.owner.recordId);
        if (key === undefined) throw notFoundError('record');
        return encrypt(key, field.value, getAad(field));
      });
    },
    async open(fields, mongoSession) {
      const keys = await readKeys(fields, mongoSession, false);
      return fields.map((field) => {
        const key = keys.get(field.owner.recordId);
        return key === undefined ? null : decrypt(key, field.value, getAad(field));
      });
    },
  };
}
