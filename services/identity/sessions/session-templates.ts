import { conflictError, notFoundError } from '../../../domain/errors';
import { DEFAULT_DEFINITION } from '../../../domain/identity/sessions/session-template';
import type { TemplateDefinition } from '../../../domain/identity/sessions/session-template';
import { newId } from '../../../lib/ids';
import { isDuplicateKeyError } from '../../../lib/mongo';
import { SessionTemplate, TemplateVersion } from '../../../models/identity/sessions/session-template';
import type { SessionTemplateRecord, TemplateVersionRecord } from '../../../models/identity/sessions/session-template';
import { readCursorPage } from '../../platform/lists/cursor-pages';
import type { CursorPage, CursorPageRequest } from '../../platform/lists/cursor-pages';
import { runIdempotently } from '../../platform/transactions/idempotency';
import type { IdempotentUse } from '../../platform/transactions/idempotency';
import { toScope } from '../../platform/platform';
import type { Platform, Scope } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { requireVersion } from '../../platform/transactions/versions';

/** A template with its definition at one version. */
export interface Template {
  record: SessionTemplateRecord;
  /** The version of the definition: the current one unless another was requested. */
  version: number;
  definition: TemplateDefinition;
  /** When that version was created. */
  versionedAt: Date;
}

/** Fields of a new template or of a change; a new template has the default of every field left out. */
export type TemplateFields = { [F in keyof TemplateDefinition]?: TemplateDefinition[F] | undefined } & {
  isDefault?: boolean | undefined;
};

const buildActiveFilter = (scope: Scope) => ({ ...toScope(scope), archivedAt: null });

const templateChangedError = () =>
  conflictError('workflow_changed', 'The workflow or the default workflow changed meanwhile; try again.');

async function getTemplateVersion(
  record: SessionTemplateRecord,
  version: number,
  unit?: UnitOfWork,
): Promise<Template> {
  const found = await TemplateVersion.findOne({ ...toScope(record), templateId: record._id, version })
    .session(unit?.mongoSession ?? null)
    .lean<TemplateVersionRecord>();
  if (found === null) throw notFoundError('workflow version');
  return { record, version, definition: found.definition, versionedAt: found.createdAt };
}

/**
 * A template, also an archived one: sessions that started with it still refer to it.
 * @throws AppError 404, the same whether it does not exist or belongs to another organisation or mode
 */
export async function getTemplate(scope: Scope, id: string, version?: number): Promise<Template> {
  const record = await SessionTemplate.findOne({ ...toScope(scope), _id: id }).lean<SessionTemplateRecord>();
  if (record === null) throw notFoundError('workflow');
  return getTemplateVersion(record, version ?? record.version);
}

async function writeVersion(
  unit: UnitOfWork,
  record: SessionTemplateRecord,
  definition: TemplateDefinition,
  createdBy: string,
): Promise<void> {
  const { organisationId, mode, _id: templateId, version, updatedAt: createdAt } = record;
  const row = { organisationId, mode, templateId, version, definition, createdBy, createdAt };
  await TemplateVersion.create([row], { session: unit.mongoSession });
}

/** Clears the flag of the present default, before another template becomes it. */
const clearDefault = async (unit: UnitOfWork, scope: Scope): Promise<void> => {
  await SessionTemplate.updateMany(
    { ...toScope(scope), isDefault: true },
    { $set: { isDefault: false } },
    { session: unit.mongoSession },
  );
};

/** Two templates that become the default concurrently conflict at the unique index: the later one gets this error. */
async function mapDuplicateToConflict<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw isDuplicateKeyError(error) ? templateChangedError() : error;
  }
}

/** Names of the fields that were sent; undefined means not sent. */
const listProvidedFields = (fields: TemplateFields): string[] =>
  Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name]) => name);

/** A definition with the fields that were sent replaced. */
function mergeFields(
  definition: TemplateDefinition,
  { isDefault: _flag, ...fields }: TemplateFields,
): TemplateDefinition {
  const sent = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.assign({ ...definition }, Object.fromEntries(sent));
}

/**
 * Creates a template with version 1 of its definition.
 * @throws AppError 409 `workflow_changed` if another one becomes the default at the same time
 */
export const createTemplate = (
  platform: Platform,
  scope: Scope,
  actor: string,
  input: TemplateFields & { name: string },
  use: IdempotentUse | undefined,
): Promise<Template> =>
  runIdempotently(
    platform,
    use,
    (claim) =>
      mapDuplicateToConflict(
        runTransaction(platform, async (unit) => {
          const now = platform.clock.now();
          const definition = mergeFields({ ...DEFAULT_DEFINITION, name: input.name }, input);
          const record: SessionTemplateRecord = {
            _id: newId('wfl'),
            ...toScope(scope),
            name: input.name,
            version: 1,
            isDefault: input.isDefault ?? false,
            createdBy: actor,
            createdAt: now,
            updatedAt: now,
            archivedAt: null,
          };
          if (record.isDefault) await clearDefault(unit, scope);
          await SessionTemplate.create([record], { session: unit.mongoSession });
          await writeVersion(unit, record, definition, actor);
          await unit.audit(scope, {
            actor,
            action: 'workflow.created',
            subject: record._id,
            fields: listProvidedFields(input),
          });
          await claim(unit, record._id, 201);
          return { record, version: 1, definition, versionedAt: now };
        }),
      ),
    (id) => getTemplate(scope, id, 1),
  );

/** Templates that are not archived, newest first. */
export async function listTemplates(scope: Scope, request: CursorPageRequest): Promise<CursorPage<Template>> {
  const page = await readCursorPage(SessionTemplate, buildActiveFilter(scope), request);
  const records = await Promise.all(page.records.map((record) => getTemplateVersion(record, record.version)));
  return { ...page, records };
}

/**
 * Changes a template. A change of its definition creates the next version, with which later sessions start; making it
 * the default does not.
 *
 * @param expectedVersion the version that the caller has read; if it is no longer the current one, the change is rejected
 * @param ifMatch the same as a header, which is answered with 412
 * @throws AppError 404; 409 `workflow_archived`, `workflow_changed`; 412
 */
export const changeTemplate = (
  platform: Platform,
  scope: Scope,
  actor: string,
  id: string,
  {
    changes,
    expectedVersion,
    ifMatch,
  }: { changes: TemplateFields; expectedVersion?: number | undefined; ifMatch?: number | undefined },
): Promise<Template> =>
  mapDuplicateToConflict(
    runTransaction(platform, async (unit) => {
      const before = await SessionTemplate.findOne({ ...toScope(scope), _id: id })
        .session(unit.mongoSession)
        .lean<SessionTemplateRecord>();
      if (before === null) throw notFoundError('workflow');
      if (before.archivedAt !== null) throw templateArchivedError();
      requireVersion(before.version, ifMatch);
      if (expectedVersion !== undefined && expectedVersion !== before.version) throw templateChangedError();
      const current = await getTemplateVersion(before, before.version, unit);
      const definition = mergeFields(current.definition, changes);
      const versioned = listProvidedFields(changes).some((name) => name !== 'isDefault');
      const now = platform.clock.now();
      const after: SessionTemplateRecord = {
        ...before,
        name: definition.name,
        version: before.version + (versioned ? 1 : 0),
        isDefault: changes.isDefault ?? before.isDefault,
        updatedAt: now,
      };
      if (after.isDefault && !before.isDefault) await clearDefault(unit, scope);
      const { name, version, isDefault, updatedAt } = after;
      // Filtering by the version that was read keeps two concurrent changes from both creating the next one.
      const written = await SessionTemplate.updateOne(
        { ...buildActiveFilter(scope), _id: id, version: before.version },
        { $set: { name, version, isDefault, updatedAt } },
        { session: unit.mongoSession },
      );
      if (written.matchedCount === 0) throw templateChangedError();
      if (versioned) await writeVersion(unit, after, definition, actor);
      await unit.audit(scope, { actor, action: 'workflow.changed', subject: id, fields: listProvidedFields(changes) });
      return { record: after, version, definition, versionedAt: versioned ? now : current.versionedAt };
    }),
  );

const templateArchivedError = () =>
  conflictError(
    'workflow_archived',
    'The workflow is archived: it cannot be changed, and no session can start with it.',
  );

/**
 * Archives a template: its sessions continue, new ones cannot start with it. One that is archived already stays as it is.
 * @throws AppError 404; 409 `workflow_is_default`
 */
export const archiveTemplate = (
  platform: Platform,
  scope: Scope,
  actor: string,
  id: string,
): Promise<SessionTemplateRecord> =>
  runTransaction(platform, async (unit) => {
    const before = await SessionTemplate.findOne({ ...toScope(scope), _id: id })
      .session(unit.mongoSession)
      .lean<SessionTemplateRecord>();
    if (before === null) throw notFoundError('workflow');
    if (before.archivedAt !== null) return before;
    const archivedAt = platform.clock.now();
    const written = await SessionTemplate.updateOne(
      { ...buildActiveFilter(scope), _id: id, isDefault: false },
      { $set: { archivedAt, updatedAt: archivedAt } },
      { session: unit.mongoSession },
    );
    if (written.matchedCount === 0) {
      throw conflictError(
        'workflow_is_default',
        'The default workflow cannot be deleted: make another one the default first.',
      );
    }
    await unit.audit(scope, { actor, action: 'workflow.archived', subject: id });
    return { ...before, archivedAt, updatedAt: archivedAt };
  });

/**
 * The template of a new session: the one it names, else the organisation's default, else null.
 * @throws AppError 404 unknown, 409 `workflow_archived`
 */
export async function findTemplateForSession(scope: Scope, id: string | undefined): Promise<Template | null> {
  if (id !== undefined) {
    const named = await getTemplate(scope, id);
    if (named.record.archivedAt !== null) throw templateArchivedError();
    return named;
  }
  const record = await SessionTemplate.findOne({
    ...buildActiveFilter(scope),
    isDefault: true,
  }).lean<SessionTemplateRecord>();
  return record === null ? null : getTemplateVersion(record, record.version);
}
