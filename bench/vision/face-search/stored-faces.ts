import { getEmbeddingWeights } from '../../../activities/vision/manifest';
import { encrypt } from '../../../lib/crypto/envelope';
import { newId } from '../../../lib/ids';
import { Face } from '../../../models/identity/biometrics/face';
import { FaceGallery } from '../../../models/identity/biometrics/face-gallery';
import { FacePack } from '../../../models/identity/biometrics/face-pack';
import { DataKey } from '../../../models/platform/evidence/data-key';
import { Evidence } from '../../../models/platform/evidence/evidence';
import { buildValueAad, createDataKeys } from '../../../services/platform/evidence/data-keys';
import { removeEvidenceObjects } from '../../../services/platform/evidence/evidence';
import type { Platform, Scope } from '../../../services/platform/platform';
import { createUnitVectors } from './vectors';

const BATCH = 1000;

/** Inserts random faces, each encrypted under its own data key, as the API stores them. */
export async function insertFaces(platform: Platform, scope: Scope, count: number): Promise<void> {
  const { organisationId, mode } = scope;
  const getVector = createUnitVectors(count);
  const createdAt = platform.clock.now();
  const none = { sessionId: null, checkId: null, name: null, externalId: null, externalIdKey: null, metadata: null };
  const state = { source: 'index', list: 'users', status: 'indexed', evidenceId: null, quality: null } as const;
  const ended = { risks: [], failure: null, retainUntil: null, deletedAt: null, indexedAt: createdAt };
  const common = { organisationId, mode, ...none, ...state, ...ended, model: getEmbeddingWeights(), createdAt };
  for (let at = 0; at < count; at += BATCH) {
    const ids = Array.from({ length: Math.min(BATCH, count - at) }, () => newId('fac'));
    const keys = await createDataKeys(platform, scope, ids, null);
    const rows = [...keys].map(([id, key], index) => {
      const values = Buffer.from(new Uint8Array(getVector(at + index).buffer));
      const embedding = encrypt(key, values, buildValueAad(organisationId, id, 'embedding'));
      return { ...common, _id: id, recordId: id, revision: at + index + 1, embedding, createdBy: 'bench' };
    });
    // Without the checks of the schema, which would take most of the time.
    await Face.insertMany(rows, { lean: true });
  }
  await FaceGallery.create({ _id: `${organisationId}.${mode}`, organisationId, mode, revision: count });
}

/** Removes everything that {@link insertFaces} and the packing of its faces wrote. */
export async function removeFaces(platform: Platform, scope: Scope): Promise<void> {
  const tenant = { organisationId: scope.organisationId };
  for (const { _id } of await FacePack.find(tenant, { _id: 1 }).lean<{ _id: string }[]>()) {
    await removeEvidenceObjects(platform, scope, _id);
  }
  await Face.deleteMany(tenant);
  await FaceGallery.deleteMany(tenant);
  await FacePack.deleteMany(tenant);
  await Evidence.deleteMany(tenant);
  await DataKey.deleteMany(tenant);
}
