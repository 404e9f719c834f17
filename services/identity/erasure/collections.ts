import type { ClientSession } from 'mongoose';
import type { ErasedRows } from '../../../domain/identity/erasure/erasure';
import type { RegisterKind } from '../../../domain/identity/registers/columns';
import { AmlHit } from '../../../models/identity/aml/aml-hit';
import { AmlMonitor } from '../../../models/identity/aml/aml-monitor';
import { AmlScreening } from '../../../models/identity/aml/aml-screening';
import { Check, isCheckOfKind } from '../../../models/identity/checks/check';
import type { CheckRecord } from '../../../models/identity/checks/check';
import { KybCheck } from '../../../models/identity/kyb/kyb-check';
import { RegisterImport } from '../../../models/identity/registers/register-import';
import { EvidenceRendition } from '../../../models/identity/reports/evidence-rendition';
import { Face } from '../../../models/identity/biometrics/face';
import { Session } from '../../../models/identity/sessions/session';
import { Share } from '../../../models/identity/sharing/share';
import { DocumentUses } from '../../../models/identity/documents/document-use';
import { Evidence } from '../../../models/platform/evidence/evidence';
import { Idempotency } from '../../../models/platform/transactions/idempotency';
import { WebhookDelivery } from '../../../models/platform/webhooks/webhook-delivery';
import { WebhookEvent } from '../../../models/platform/webhooks/webhook-event';
import { removeRegisterRows } from '../registers/rows';
import { ERASED_FACE } from '../biometrics/face-gallery';
import { countAnonymised, countRemoved, toTenantFilter } from './collection-erasure';
import type { CollectionErasure, ErasureTarget } from './collection-erasure';

/** The event about the erasure itself is kept; it contains only ids. */
const ERASURE_EVENT_TYPE = 'session.deleted' as const;

/**
 * Removes the rows of a register, whose data key is destroyed. There may be more rows than a transaction can hold;
 * removing them twice is harmless.
 */
async function eraseRegisterRows(target: ErasureTarget, kind: RegisterKind): Promise<ErasedRows> {
  if (target.kind !== 'register') return { removed: 0, anonymised: 0 };
  const { recordId: _id, organisationId, mode } = target;
  return { removed: await removeRegisterRows({ _id, organisationId, mode }, kind), anonymised: 0 };
}

/** Removes erased faces from the results of searches. @returns the number of searches */
async function removeFromSearches(target: ErasureTarget, mongoSession: ClientSession): Promise<number> {
  const scope = toTenantFilter(target);
  const searches = await Check.find({ ...scope, kind: 'face_search', foundFaces: { $in: target.ids } })
    .session(mongoSession)
    .lean<CheckRecord[]>();
  for (const search of searches) {
    if (!isCheckOfKind(search, 'face_search') || search.result === null) continue;
    const matches = search.result.matches.filter(({ id }) => !target.ids.includes(id));
    await Check.updateOne(
      { _id: search._id, ...scope, recordId: search.recordId },
      { $set: { result: { ...search.result, matches }, foundFaces: matches.map(({ id }) => id) } },
      { session: mongoSession },
    );
  }
  return searches.length;
}

/**
 * The authoritative list of what an erasure removes, one entry per collection, in the order of removal: dependent rows
 * first, the record itself last. A test compares it with all existing collections
 * (test/unit/identity/erasure/erasure.test.ts).
 */
export const ERASED_COLLECTIONS: readonly CollectionErasure[] = [
  {
    collection: 'idempotency',
    // A fingerprint is a hash of the client's data about the person.
    erase: async ({ organisationId, ids }, mongoSession) =>
      countRemoved(await Idempotency.deleteMany({ organisationId, recordId: { $in: ids } }, { session: mongoSession })),
  },
  {
    collection: 'webhook_deliveries',
    erase: async (target, mongoSession) => {
      const deliveryFilter = {
        ...toTenantFilter(target),
        subjectId: { $in: target.ids },
        eventType: { $ne: ERASURE_EVENT_TYPE },
      };
      // A pending delivery has nothing left to send; cancelled here, it records no further responses.
      await WebhookDelivery.updateMany(
        { ...deliveryFilter, status: 'pending' },
        {
          $set: {
            status: 'cancelled',
            reason: 'event_erased',
            nextAttemptAt: null,
            completedAt: target.requestedAt,
          },
        },
        { session: mongoSession },
      );
      // The response of a receiver may contain data about the person.
      return countAnonymised(
        await WebhookDelivery.updateMany(
          { ...deliveryFilter, 'attempts.response': { $type: 'string' } },
          { $set: { 'attempts.$[].response': null } },
          { session: mongoSession },
        ),
      );
    },
  },
  {
    collection: 'webhook_events',
    erase: async (target, mongoSession) =>
      countAnonymised(
        await WebhookEvent.updateMany(
          {
            ...toTenantFilter(target),
            subjectId: { $in: target.ids },
            type: { $ne: ERASURE_EVENT_TYPE },
            body: { $type: 'string' },
          },
          { $set: { body: null } },
          { session: mongoSession },
        ),
      ),
  },
  {
    collection: 'document_uses',
    // Uses of a document are removed with the record; a blocklist entry stays until it is removed itself.
    erase: async (target, mongoSession) => {
      const filter = { ...toTenantFilter(target), 'uses.recordId': { $in: target.ids } };
      const pulled = await DocumentUses.updateMany(
        filter,
        { $pull: { uses: { recordId: { $in: target.ids } } } },
        { session: mongoSession },
      );
      await DocumentUses.deleteMany({ ...toTenantFilter(target), uses: { $size: 0 } }, { session: mongoSession });
      return { removed: pulled.modifiedCount, anonymised: 0 };
    },
  },
  {
    collection: 'faces',
    // The remaining row contains no personal data and makes every worker remove the face from its memory.
    erase: async (target, mongoSession) =>
      countAnonymised(
        await Face.updateMany(
          { ...toTenantFilter(target), _id: { $in: target.ids } },
          { $set: ERASED_FACE },
          { session: mongoSession },
        ),
      ),
  },
  {
    collection: 'evidence',
    // The objects are removed by prefix; their data key was destroyed before.
    erase: async (target, mongoSession) =>
      countRemoved(
        await Evidence.deleteMany(
          { ...toTenantFilter(target), recordId: { $in: target.ids } },
          { session: mongoSession },
        ),
      ),
  },
  {
    collection: 'register_persons',
    erase: (target) => eraseRegisterRows(target, 'persons'),
  },
  {
    collection: 'register_companies',
    erase: (target) => eraseRegisterRows(target, 'companies'),
  },
  {
    collection: 'register_imports',
    erase: async (target, mongoSession) =>
      countRemoved(
        await RegisterImport.deleteMany(
          { ...toTenantFilter(target), _id: { $in: target.ids } },
          { session: mongoSession },
        ),
      ),
  },
  {
    collection: 'shares',
    // The consent text as shown to the person.
    erase: async (target, mongoSession) =>
      countRemoved(
        await Share.deleteMany(
          { ...toTenantFilter(target), sessionId: { $in: target.ids } },
          { session: mongoSession },
        ),
      ),
  },
  {
    collection: 'evidence_renditions',
    erase: async (target, mongoSession) =>
      countRemoved(
        await EvidenceRendition.deleteMany(
          { ...toTenantFilter(target), recordId: { $in: target.ids } },
          { session: mongoSession },
        ),
      ),
  },
  {
    collection: 'aml_hits',
    erase: async (target, mongoSession) =>
      countRemoved(
        await AmlHit.deleteMany(
          { ...toTenantFilter(target), recordId: { $in: target.ids } },
          { session: mongoSession },
        ),
      ),
  },
  {
    collection: 'aml_monitors',
    erase: async (target, mongoSession) =>
      countRemoved(
        await AmlMonitor.deleteMany(
          { ...toTenantFilter(target), recordId: { $in: target.ids } },
          { session: mongoSession },
        ),
      ),
  },
  {
    collection: 'aml_screenings',
    erase: async (target, mongoSession) =>
      countRemoved(
        await AmlScreening.deleteMany(
          { ...toTenantFilter(target), recordId: { $in: target.ids } },
          { session: mongoSession },
        ),
      ),
  },
  {
    collection: 'kyb_checks',
    erase: async (target, mongoSession) =>
      countRemoved(
        await KybCheck.deleteMany({ ...toTenantFilter(target), _id: { $in: target.ids } }, { session: mongoSession }),
      ),
  },
  {
    collection: 'checks',
    erase: async (target, mongoSession) => {
      // Removes the erased person from the results of other searches.
      const searches = await removeFromSearches(target, mongoSession);
      const { deletedCount } = await Check.deleteMany(
        { ...toTenantFilter(target), _id: { $in: target.ids } },
        { session: mongoSession },
      );
      return { removed: deletedCount, anonymised: searches };
    },
  },
  {
    collection: 'sessions',
    erase: async (target, mongoSession) =>
      countRemoved(
        await Session.deleteMany({ ...toTenantFilter(target), _id: { $in: target.ids } }, { session: mongoSession }),
      ),
  },
];

/** Collections without data for an erasure to remove, each with the reason. */
export const RETAINED_COLLECTIONS: Readonly<Record<string, string>> = {
  aml_list_changes: 'entries of published lists, and of lists an operator maintains',
  aml_list_versions: 'counts and hashes of imported lists',
  aml_lists: 'sources of lists',
  api_keys: 'credentials of the organisation',
  audit_heads: 'positions and hashes of the audit chain',
  audit_log: 'ids and field names, never values; a chained row cannot be changed',
  brand_logos: 'logos of organisations',
  browser_sessions: 'sign-ins of users of the service',
  blocked_documents:
    'a keyed hash and the encrypted end of a number, added and removed by the organisation with its data key',
  capture_browsers: 'ids and hashes of tokens; removed a day after they expire',
  capture_links:
    'ids and hashes of tokens, so that a link to an erased session is answered as such; removed a month after they expire',
  counters: 'sequence numbers',
  data_keys: 'destroyed in the transaction that starts the erasure; the remaining row contains no key',
  face_galleries: 'revision numbers',
  face_packs: 'ids and revision numbers; a pack is dropped with its data key when one of its faces is withdrawn',
  erasures: 'the receipts: ids, counts and hashes',
  gleif_editions: 'names and hashes of imported files of the golden copy',
  gleif_entities: 'legal entities as published by GLEIF',
  gleif_parents: 'parents of legal entities as published by GLEIF',
  liveness_challenges: 'names of actions and ids; removed a day after they expire',
  login_failures: 'failed sign-ins of users of the service',
  login_sessions: 'sign-ins of users of the service',
  migrations: 'names and progress of conversions of stored data',
  organisations: 'the tenant itself',
  schema_state: 'the version of the stored data',
  session_template_versions: 'configuration of the organisation; no personal data',
  session_templates: 'names of the organisation’s session templates',
  process_heartbeats: 'ids of running processes of the service; removed an hour after they end',
  backlog_readers: 'ids of workflows that read pending rows; removed when they have read them',
  outbox: 'ids, statuses and codes; completed rows are removed after a week',
  share_uses: 'ids and hashes of token ids: an imported share stays used after its session is erased',
  retained_keys: 'keys of the installation',
  signing_keys: 'keys of the installation',
  statistics_day_changes: 'days on which sessions and checks were created, and times of changes; removed after a month',
  statistics_day_counts: 'numbers of sessions and checks by day',
  second_factors: 'second factors of users of the service',
  users: 'users of the service, not the people whom it verifies',
  webhook_endpoints: 'addresses of the organisation',
};
