import { z } from 'zod';
import { AML_CHANGE_KINDS } from '../../../models/identity/aml/aml-list-change';
import type { AmlListChangeRecord } from '../../../models/identity/aml/aml-list-change';
import { AML_VERSION_STATUSES } from '../../../models/identity/aml/aml-list-version';
import type { AmlListVersionRecord, AmlVersionStatus } from '../../../models/identity/aml/aml-list-version';
import {
  countRescreened,
  listVersionChanges,
  getListOverviews,
  getListVersion,
  listVersions,
} from '../../../services/identity/aml/lists';
import type { ListOverview } from '../../../services/identity/aml/lists';
import { endMonitor, getMonitor, listMonitors } from '../../../services/identity/aml/monitors';
import { buildDeletionBody, deletionFields } from '../../http/deletion';
import { buildCursorQuery, cursorPageFields, cursorQuery, idParam } from '../../http/paging';
import type { CursorPage } from '../../../services/platform/lists/cursor-pages';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { AGE_DESCRIPTION, exampleMonitor, monitorSchema, presentMonitor } from './screening-responses';
import { orNull } from '../or-null';

const count = z.number().int();

const listVersionSchema = z
  .object({
    id: z.string(),
    status: z.enum(AML_VERSION_STATUSES),
    format: z.string(),
    sha256: z.string(),
    importedAt: z.iso.datetime(),
    publishedAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'Date of the list that its publisher states in it; null if the format has none.' }),
    counts: z.object({
      entries: count,
      aliases: count,
      addresses: count,
      incomplete: count.meta({
        description: 'Entries that were published with their aliases only; they are searched like all others.',
      }),
      skipped: count,
    }),
    differences: z.object({ added: count, changed: count, removed: count }),
  })
  .meta({ id: 'AmlListVersion' });

export const amlListSchema = z
  .object({
    code: z.string(),
    title: z.string(),
    own: z
      .boolean()
      .meta({ description: "Whether it is the organisation's own list, which no other organisation sees." }),
    loaded: z.boolean().meta({ description: 'Whether screenings search the list.' }),
    stale: z.boolean(),
    ageHours: count.nullable().meta({ description: AGE_DESCRIPTION }),
    checkedAt: z.iso.datetime().nullable(),
    sourceUrl: z.string().nullable(),
    error: z.string().nullable().meta({ description: 'Error code of the last fetch; null if it succeeded.' }),
    version: orNull(listVersionSchema),
    heldVersion: orNull(listVersionSchema).meta({
      description: 'Version that waits for the confirmation of an operator, because the list shrank by half.',
    }),
  })
  .meta({ id: 'AmlList' });

const isVisibleStatus = (status: AmlListVersionRecord['status']): status is AmlVersionStatus =>
  AML_VERSION_STATUSES.some((seen) => seen === status);

function presentListVersion(version: AmlListVersionRecord): z.infer<typeof listVersionSchema> {
  const { _id: id, format, sha256, counts, differences } = version;
  // A version that was discarded after it was read never comes into use.
  const status = isVisibleStatus(version.status) ? version.status : 'superseded';
  const importedAt = version.importedAt.toISOString();
  const publishedAt = version.publishedAt?.toISOString() ?? null;
  return { id, status, format, sha256, importedAt, publishedAt, counts, differences };
}

const presentAmlList = ({ list, current, held, ...overview }: ListOverview): z.infer<typeof amlListSchema> => ({
  code: overview.code,
  title: overview.title,
  own: overview.own,
  loaded: overview.loaded,
  stale: overview.stale,
  ageHours: overview.ageHours,
  checkedAt: list?.checkedAt?.toISOString() ?? null,
  sourceUrl: list?.sourceUrl ?? null,
  error: list?.failure ?? null,
  version: current === null ? null : presentListVersion(current),
  heldVersion: held === null ? null : presentListVersion(held),
});

const lists = defineRoute({
  method: 'get',
  path: '/v1/aml/lists',
  operationId: 'listAmlLists',
  summary: 'List the watch lists with their versions and age',
  description:
    'Published lists serve the whole installation, own lists only their organisation. Operators import both.',
  tag: 'AML',
  addition: true,
  permission: 'aml:read',
  replies: {
    200: { description: 'All lists, whether loaded or not.', schema: z.object({ lists: z.array(amlListSchema) }) },
  },
  async handle({ platform, credential }) {
    return { status: 200, body: { lists: (await getListOverviews(platform, credential)).map(presentAmlList) } };
  },
});

const MAX_VERSIONS = 20;

const EMPTY_PAGE: CursorPage<AmlListChangeRecord> = { records: [], total: 0, nextCursor: null };

const changes = defineRoute({
  method: 'get',
  path: '/v1/aml/lists/:id/changes',
  operationId: 'listAmlListChanges',
  summary: 'List the changes of a watch list',
  description:
    'Returns the latest versions of the list with their counts, and the entries that one of them added, changed or removed (the newest version unless `version` names another).',
  tag: 'AML',
  addition: true,
  permission: 'aml:read',
  params: z.object({ id: z.string().min(1).max(64) }),
  query: cursorQuery.extend({ version: z.string().max(64).optional() }),
  replies: {
    200: {
      description: 'The versions, newest first, and a page of changed entries.',
      schema: z.object({
        versions: z.array(listVersionSchema),
        version: z.string().nullable(),
        affected: count.meta({
          description: 'Number of your monitored subjects that were screened again because of the version.',
        }),
        changes: z.array(z.object({ entryId: z.string(), kind: z.enum(AML_CHANGE_KINDS), caption: z.string() })),
        ...cursorPageFields,
      }),
    },
  },
  async handle({ credential }, { params, query }) {
    const versions = await listVersions(credential, params.id, MAX_VERSIONS);
    const chosen =
      query.version === undefined ? versions[0] : await getListVersion(credential, params.id, query.version);
    const { records, ...page } = chosen === undefined ? EMPTY_PAGE : await listVersionChanges(chosen._id, query);
    const affected = chosen === undefined ? 0 : await countRescreened(credential, chosen._id);
    return {
      status: 200,
      body: {
        versions: versions.map(presentListVersion),
        version: chosen?._id ?? null,
        affected,
        changes: records.map(({ entryId, kind, caption }) => ({ entryId, kind, caption })),
        ...page,
      },
    };
  },
});

const monitors = defineRoute({
  method: 'get',
  path: '/v1/aml/monitors',
  operationId: 'listAmlMonitors',
  summary: 'List monitored subjects',
  tag: 'AML',
  addition: true,
  permission: 'aml:read',
  query: buildCursorQuery('mon'),
  replies: {
    200: {
      description: 'A page of monitors, newest first.',
      schema: z.object({ monitors: z.array(monitorSchema), ...cursorPageFields }),
      example: { monitors: [exampleMonitor], total: 1, nextCursor: null },
    },
  },
  async handle({ credential }, { query }) {
    const { records, ...page } = await listMonitors(credential, query);
    return { status: 200, body: { monitors: records.map(presentMonitor), ...page } };
  },
});

const monitor = defineRoute({
  method: 'get',
  path: '/v1/aml/monitors/:id',
  operationId: 'getAmlMonitor',
  summary: 'Get a monitor',
  tag: 'AML',
  addition: true,
  permission: 'aml:read',
  params: z.object({ id: idParam('mon') }),
  replies: {
    200: {
      description: 'The monitor.',
      schema: z.object({ monitor: monitorSchema }),
      example: { monitor: exampleMonitor },
    },
  },
  async handle({ credential }, { params }) {
    return { status: 200, body: { monitor: presentMonitor(await getMonitor(credential, params.id)) } };
  },
});

const endMonitoring = defineRoute({
  method: 'delete',
  path: '/v1/aml/monitors/:id',
  operationId: 'deleteAmlMonitor',
  summary: 'End monitoring',
  description:
    'Existing screenings are kept; delete the first of them, or the business check of a party, to erase the subject.',
  tag: 'AML',
  addition: true,
  permission: 'aml:screen',
  params: z.object({ id: idParam('mon') }),
  replies: {
    200: {
      description: 'The id of the ended monitor.',
      schema: z.object(deletionFields),
      example: buildDeletionBody(exampleMonitor.id),
    },
  },
  async handle({ platform, credential }, { params }) {
    await endMonitor(platform, credential, credential.id, params.id);
    return { status: 200, body: buildDeletionBody(params.id) };
  },
});

export const amlListRoutes: readonly Route[] = [lists, changes, monitors, monitor, endMonitoring];
