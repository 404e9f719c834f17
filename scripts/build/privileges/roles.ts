import mongoose from 'mongoose';
import '../../../models';
import { BLIND_FIELDS } from '../../../services/identity/erasure/blind-fields';
import type { BlindField } from '../../../services/platform/evidence/key-rotation';
import { QUEUES } from '../../../workflows/contracts';
import { ModelUses } from './model-uses';
import type { ModelUse } from './model-uses';
import type { Declared } from './source-modules';

/** Privileges of a role on one collection; the empty name stands for every collection of the database. */
export interface Privilege {
  collection: string;
  actions: string[];
}

/** Actions that a call of a method of a model needs. */
const METHOD_ACTIONS: Readonly<Record<string, readonly string[]>> = {
  aggregate: ['find'],
  collection: ['find'],
  countDocuments: ['find'],
  create: ['insert'],
  deleteMany: ['find', 'remove'],
  deleteOne: ['find', 'remove'],
  distinct: ['find'],
  estimatedDocumentCount: ['find'],
  exists: ['find'],
  find: ['find'],
  findById: ['find'],
  findByIdAndUpdate: ['find', 'update'],
  findOne: ['find'],
  findOneAndDelete: ['find', 'remove'],
  findOneAndUpdate: ['find', 'update'],
  insertMany: ['insert'],
  replaceOne: ['find', 'update'],
  schema: [],
  updateMany: ['find', 'update'],
  updateOne: ['find', 'update'],
};

/** What functions do with a model that is passed to them. */
const FUNCTION_ACTIONS: Readonly<Record<string, readonly string[]>> = {
  buildSearchFilter: ['find'],
  insertNew: ['insert'],
  readCursorPage: ['find'],
  readMatchingPage: ['find'],
  readPage: ['find'],
};

/** What is done with a model that is a property of a definition, by the file of the definition; default: everything. */
const DEFINITION_ACTIONS: readonly (readonly [RegExp, readonly string[]])[] = [
  // Sources of exports and of the journal are only read.
  [/^services\/business\/(exports|accounting)\//, ['find']],
  // A valuation begins with one of two models.
  [/^services\/business\/stock\/stock-valuation\.ts$/, ['find']],
  // Renditions are requested, claimed and completed, and removed by the sweep alone.
  [/-renditions\.ts$/, ['find', 'insert', 'update']],
];

const EVERYTHING = ['find', 'insert', 'remove', 'update'];

function listPassedActions({ passedTo, file }: ModelUse): readonly string[] {
  if (passedTo !== null) return FUNCTION_ACTIONS[passedTo] ?? EVERYTHING;
  return DEFINITION_ACTIONS.find(([pattern]) => pattern.test(file))?.[1] ?? EVERYTHING;
}

function listActions(use: ModelUse): readonly string[] {
  const { model, method, upserts, removes } = use;
  if (method === null) return listPassedActions(use);
  if (method === 'bulkWrite') return ['find', 'insert', 'update', ...(removes ? ['remove'] : [])];
  const actions = METHOD_ACTIONS[method];
  if (actions === undefined) throw new Error(`${model}.${method}: add its actions to METHOD_ACTIONS.`);
  return actions.includes('update') && upserts ? [...actions, 'insert'] : actions;
}

/** What every process runs, in addition to its own. */
const PLATFORM: readonly Declared[] = [
  { file: 'services/platform/bootstrap.ts', name: 'createPlatform' },
  { file: 'services/platform/bootstrap.ts', name: 'closePlatform' },
  { file: 'services/platform/migrations/schema-state.ts', name: 'awaitCurrentSchema' },
];

const RELAY: readonly Declared[] = [{ file: 'services/platform/transactions/relay.ts', name: 'startRelay' }];

const RATE_LIMITS: Privilege = { collection: 'rate_limits', actions: ['createIndex', 'find', 'insert', 'update'] };

/** The API creates missing collections and indexes when it starts, and watches changes with one stream. */
function listApiPrivileges(): Privilege[] {
  const collections = Object.values(mongoose.models).map(({ collection }) => collection.name);
  return [
    RATE_LIMITS,
    { collection: '', actions: ['changeStream', 'find', 'listCollections'] },
    ...collections.map((collection) => ({ collection, actions: ['createCollection', 'createIndex', 'listIndexes'] })),
  ];
}

/** The rotation of keys re-encrypts a field; where its values are unique, it removes one of two rows with the same value. */
function listBlindFieldActions({ collection, field }: BlindField): string[] {
  const found = Object.values(mongoose.models).find((model) => model.collection.name === collection);
  const indexes = found?.schema.indexes() ?? [];
  const isUnique = indexes.some(([fields, { unique = false }]) => field in fields && unique !== false);
  return isUnique ? ['find', 'remove', 'update'] : ['find', 'update'];
}

/** What the code does with collections by their name instead of a model. */
const NAMED_COLLECTIONS: Readonly<Record<string, readonly Privilege[]>> = {
  // An activity that waits for the next document is notified of it.
  rendering: [{ collection: 'renditions', actions: ['changeStream', 'find'] }],
  orchestration: BLIND_FIELDS.map((blindField) => ({
    collection: blindField.collection,
    actions: listBlindFieldActions(blindField),
  })),
};

/**
 * Migrations, backups and restorations reach every collection by its name, and restorations replace collections. Only the
 * commands of operators have this user.
 */
const MAINTENANCE: readonly Privilege[] = [
  {
    collection: '',
    actions: [
      ...['createCollection', 'createIndex', 'dropCollection', 'dropIndex', 'find', 'insert', 'listCollections'],
      ...['listIndexes', 'remove', 'update'],
    ],
  },
];

function mergePrivileges(privileges: readonly Privilege[]): Privilege[] {
  const merged = new Map<string, Set<string>>();
  for (const { collection, actions } of privileges)
    merged.set(collection, new Set([...(merged.get(collection) ?? []), ...actions]));
  return [...merged]
    .map(([collection, actions]) => ({ collection, actions: [...actions].sort() }))
    .sort((one, other) => (one.collection < other.collection ? -1 : 1));
}

/**
 * The least privileges of the API, of each pool, and of the relay, by component: what the code that each can reach does
 * with each collection; and those of the commands for maintenance.
 * @param root the folder of the repository
 */
export function buildRoles(root: string): Record<string, Privilege[]> {
  const modelUses = new ModelUses(root);
  const build = (roots: readonly Declared[], others: readonly Privilege[]): Privilege[] =>
    mergePrivileges([
      ...others,
      ...modelUses.list([...PLATFORM, ...roots]).map((use) => ({
        collection: mongoose.model(use.model).collection.name,
        actions: [...listActions(use)],
      })),
    ]);
  const pools = Object.keys(QUEUES).map((pool) => {
    const roots = [
      { file: `workers/pools/${pool}.ts`, name: `${pool}Pool` },
      { file: 'workers/interceptors.ts', name: 'createActivityInterceptors' },
    ];
    return [pool, build(roots, NAMED_COLLECTIONS[pool] ?? [])] as const;
  });
  const api = [
    { file: 'api/serve.ts', name: 'serve' },
    { file: 'api/app.ts', name: 'createApp' },
  ];
  return {
    api: build(api, listApiPrivileges()),
    ...Object.fromEntries(pools),
    relay: build(RELAY, []),
    maintenance: mergePrivileges(MAINTENANCE),
  };
}
