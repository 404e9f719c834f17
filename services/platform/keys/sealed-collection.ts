import mongoose from 'mongoose';
import type { mongo } from 'mongoose';
import type { MasterKey, SealedSecret } from '../../../lib/crypto/master-key';
import type { RewrapResult, SealedStore, StoreContext } from './sealed-store';

/** The owner of a secret, to which the additional authenticated data binds it. */
export interface SecretOwner {
  _id: string;
  /** Empty for records of the installation. */
  organisationId: string;
}

/** Where the records of a collection have their sealed secrets. */
export type SealedLayout =
  /** `keyId` and the encrypted bytes are fields of the record. */
  | { layout: 'record'; path?: never }
  /** `path` is an object with both, or null. */
  | { layout: 'field'; path: string }
  /** `path` is a list of objects with both. */
  | { layout: 'list'; path: string };

export type SealedCollectionOptions = SealedLayout & {
  collection: string;
  /** Field with the encrypted bytes in base64. @default 'data' */
  dataField?: string;
  sealedBy: string;
  buildAad: (owner: SecretOwner) => string;
};

interface StoredRow {
  _id: string;
}

interface SealedRow extends SecretOwner {
  secrets: SealedSecret[];
}

/** Paths of one secret in the record. */
interface SecretPaths {
  keyId: string;
  data: string;
}

const getPaths = ({ path, dataField = 'data' }: SealedCollectionOptions): SecretPaths => {
  const prefix = path === undefined ? '' : `${path}.`;
  return { keyId: `${prefix}keyId`, data: `${prefix}${dataField}` };
};

/** Expression for the list of all secrets of a record. */
function listSecrets(options: SealedCollectionOptions): mongo.Document {
  const { dataField = 'data' } = options;
  const list =
    options.layout === 'list'
      ? {
          $map: {
            input: { $ifNull: [`$${options.path}`, []] },
            in: { keyId: '$$this.keyId', data: `$$this.${dataField}` },
          },
        }
      : [{ keyId: `$${getPaths(options).keyId}`, data: `$${getPaths(options).data}` }];
  return { $filter: { input: list, cond: { $eq: [{ $type: '$$this.data' }, 'string'] } } };
}

/** Replaces one secret, unless it has changed since it was read. */
function buildReplacement(
  options: SealedCollectionOptions,
  _id: string,
  before: SealedSecret,
  after: SealedSecret,
): mongo.AnyBulkWriteOperation<StoredRow> {
  const { dataField = 'data' } = options;
  const paths = getPaths(options);
  const filter: mongo.Document =
    options.layout === 'list'
      ? { _id, [options.path]: { $elemMatch: { keyId: before.keyId, [dataField]: before.data } } }
      : { _id, [paths.keyId]: before.keyId, [paths.data]: before.data };
  const target =
    options.layout === 'list'
      ? { keyId: `${options.path}.$.keyId`, data: `${options.path}.$.${dataField}` }
      : { keyId: paths.keyId, data: paths.data };
  return { updateOne: { filter, update: { $set: { [target.keyId]: after.keyId, [target.data]: after.data } } } };
}

/** The secret under the current master key; null if it cannot be decrypted. */
export function sealAgain(masterKey: MasterKey, secret: SealedSecret, aad: string): SealedSecret | null {
  try {
    return masterKey.seal(masterKey.open(secret, aad), aad);
  } catch {
    return null;
  }
}

/** A secret of another master key than the current one. */
interface EarlierSecret {
  /** Id of its record. */
  _id: string;
  secret: SealedSecret;
  /** Under the current master key; null if it cannot be decrypted. */
  sealed: SealedSecret | null;
}

/** The records of the secrets that cannot be decrypted. */
const listUnreadable = (secrets: readonly EarlierSecret[]): string[] =>
  secrets.filter(({ sealed }) => sealed === null).map(({ _id }) => _id);

const getCollection = (name: string) => mongoose.connection.collection<StoredRow>(name);

/** Records after `after` with secrets of other keys than the current one. */
const readBatch = (
  options: SealedCollectionOptions,
  currentKeyId: string,
  after: string | null,
  limit: number,
): Promise<SealedRow[]> =>
  getCollection(options.collection)
    .aggregate<SealedRow>([
      ...(after === null ? [] : [{ $match: { _id: { $gt: after } } }]),
      { $sort: { _id: 1 } },
      { $project: { organisationId: { $ifNull: ['$organisationId', ''] }, secrets: listSecrets(options) } },
      { $match: { secrets: { $elemMatch: { keyId: { $ne: currentKeyId } } } } },
      { $limit: limit },
    ])
    .toArray();

/** The secrets of other keys than the current one, in batches of records. */
async function* listEarlierSecrets(
  options: SealedCollectionOptions,
  { masterKey }: StoreContext,
  batchSize: number,
): AsyncGenerator<EarlierSecret[]> {
  const { currentKeyId } = masterKey;
  let after: string | null = null;
  for (;;) {
    const rows = await readBatch(options, currentKeyId, after, batchSize);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.flatMap((row) =>
      row.secrets
        .filter(({ keyId }) => keyId !== currentKeyId)
        .map((secret) => ({ _id: row._id, secret, sealed: sealAgain(masterKey, secret, options.buildAad(row)) })),
    );
    after = last._id;
  }
}

async function rewrapSecrets(
  options: SealedCollectionOptions,
  context: StoreContext,
  batchSize: number,
  onBatch: (rewrapped: number) => void,
): Promise<RewrapResult> {
  const result: RewrapResult = { rewrapped: 0, unreadable: [] };
  for await (const secrets of listEarlierSecrets(options, context, batchSize)) {
    result.unreadable.push(...listUnreadable(secrets));
    const replacements = secrets.flatMap(({ _id, secret, sealed }) =>
      sealed === null ? [] : [buildReplacement(options, _id, secret, sealed)],
    );
    if (replacements.length > 0) {
      const { modifiedCount } = await getCollection(options.collection).bulkWrite(replacements, { ordered: false });
      result.rewrapped += modifiedCount;
    }
    onBatch(result.rewrapped);
  }
  return result;
}

/** A collection with secrets that are encrypted with the master key. */
export const createSealedCollection = (options: SealedCollectionOptions): SealedStore => ({
  name: options.collection,
  sealedBy: options.sealedBy,
  keyIdPaths: [getPaths(options).keyId],
  async countByKey() {
    const groups = await getCollection(options.collection)
      .aggregate<{ _id: string; count: number }>([
        { $project: { secrets: listSecrets(options) } },
        { $unwind: '$secrets' },
        { $group: { _id: '$secrets.keyId', count: { $sum: 1 } } },
      ])
      .toArray();
    return new Map(groups.map(({ _id, count }) => [_id, count]));
  },
  async findUnreadable(context, batchSize, limit) {
    const unreadable: string[] = [];
    for await (const secrets of listEarlierSecrets(options, context, batchSize)) {
      unreadable.push(...listUnreadable(secrets));
      if (unreadable.length >= limit) break;
    }
    return unreadable.slice(0, limit);
  },
  rewrap: (context, batchSize, onBatch) => rewrapSecrets(options, context, batchSize, onBatch),
});
