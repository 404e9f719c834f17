import type { ErasedRows } from '../../../domain/identity/erasure/erasure';
import type { RegisterKind } from '../../../domain/identity/registers/columns';
import { AmlHit } from '../../../models/identity/aml/aml-hit';
import { AmlMonitor } from '../../../models/identity/aml/aml-monitor';
import { AmlScreening } from '../../../models/identity/aml/aml-screening';
import { Check } from '../../../models/identity/checks/check';
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
import { removeRows } from '../registers/rows';
import { ERASED_FACE } from '../biometrics/face-gallery';
import { anonymisedRows, removedRows, tenantOf } from './collection-erasure';
import type { CollectionErasure, ErasureTarget } from './collection-erasure';

/** Told to subscribers because of the erasure itself, so it outlives it; it carries ids alone. */
const TOLD_OF_ERASURE = 'session.deleted' as const;

/**
 * Rows of a register, sealed under a data key that is gone: there may be millions, more than a transaction holds, and
 * removing them twice removes them once.
 */
async function erasedRegisterRows(target: ErasureTarget, kind: RegisterKind): Promise<ErasedRows> {
  if (target.kind !== 'register') return { removed: 0, anonymised: 0 };
  const { recordId: _id, organisationId, mode } = target;
  return { removed: await removeRows({ _id, organisationId, mode }, kind), anonymised: 0 };
}

/**
 * The one list of what an erasure removes, a collection an entry, in the order it goes: first what hangs on the record,
 * the record itself last. A test compares it with every collection there is (test/unit/identity/erasure/erasure.test.ts).
 */
export const ERASED_COLLECTIONS: readonly CollectionErasure[] = [
  {
    collection: 'idempotency',
    // A fingerprint is a hash of what the client sent about the person.
    erase: async ({ organisationId, ids }, session) =>
      removedRows(await Idempotency.deleteMany({ organisationId, recordId: { $in: ids } }, { session })),
  },
  {
    collection: 'webhook_deliveries',
    erase: async (target, session) => {
      const told = { ...tenantOf(target), subjectId: { $in: target.ids }, eventType: { $ne: TOLD_OF_ERASURE } };
      // One still owed has nothing left to post; ended here, it can record no more answers.
      await WebhookDelivery.updateMany(
        { ...told, status: 'pending' },
        { $set: { status: 'cancelled', reason: 'event_erased', nextAttemptAt: null } },
        { session },
      );
      // What a receiver answered may repeat what it knows of the person.
      return anonymisedRows(
        await WebhookDelivery.updateMany(
          { ...told, 'attempts.response': { $type: 'string' } },
          { $set: { 'attempts.$[].response': null } },
          { session },
        ),
      );
    },
  },
  {
    collection: 'webhook_events',
    erase: async (target, session) =>
      anonymisedRows(
        await WebhookEvent.updateMany(
          {
            ...tenantOf(target),
            subjectId: { $in: target.ids },
            type: { $ne: TOLD_OF_ERASURE },
            body: { $type: 'string' },
          },
          { $set: { body: null } },
          { session },
        ),
      ),
  },
  {
    collection: 'document_uses',
    // That a document was shown goes with the record; an entry of the blocklist stays until it is taken off.
    erase: async (target, session) => {
      const mine = { ...tenantOf(target), 'uses.recordId': { $in: target.ids } };
      const pulled = await DocumentUses.updateMany(
        mine,
        { $pull: { uses: { recordId: { $in: target.ids } } } },
        { session },
      );
      await DocumentUses.deleteMany({ ...tenantOf(target), uses: { $size: 0 } }, { session });
      return { removed: pulled.modifiedCount, anonymised: 0 };
    },
  },
  {
    collection: 'faces',
    // What is left is a mark without a person, which tells every worker that the face is gone from its memory.
    erase: async (target, session) =>
      anonymisedRows(
        await Face.updateMany({ ...tenantOf(target), _id: { $in: target.ids } }, { $set: ERASED_FACE }, { session }),
      ),
  },
  {
    collection: 'evidence',
    // The objects themselves are removed by prefix; their data key was destroyed before.
    erase: async (target, session) =>
      removedRows(await Evidence.deleteMany({ ...tenantOf(target), recordId: { $in: target.ids } }, { session })),
  },
  {
    collection: 'register_persons',
    erase: (target) => erasedRegisterRows(target, 'persons'),
  },
  {
    collection: 'register_companies',
    erase: (target) => erasedRegisterRows(target, 'companies'),
  },
  {
    collection: 'register_imports',
    erase: async (target, session) =>
      removedRows(await RegisterImport.deleteMany({ ...tenantOf(target), _id: { $in: target.ids } }, { session })),
  },
  {
    collection: 'shares',
    // What the person consented to, in the words that were shown to them.
    erase: async (target, session) =>
      removedRows(await Share.deleteMany({ ...tenantOf(target), sessionId: { $in: target.ids } }, { session })),
  },
  {
    collection: 'evidence_renditions',
    erase: async (target, session) =>
      removedRows(
        await EvidenceRendition.deleteMany({ ...tenantOf(target), recordId: { $in: target.ids } }, { session }),
      ),
  },
  {
    collection: 'aml_hits',
    erase: async (target, session) =>
      removedRows(await AmlHit.deleteMany({ ...tenantOf(target), recordId: { $in: target.ids } }, { session })),
  },
  {
    collection: 'aml_monitors',
    erase: async (target, session) =>
      removedRows(await AmlMonitor.deleteMany({ ...tenantOf(target), recordId: { $in: target.ids } }, { session })),
  },
  {
    collection: 'aml_screenings',
    erase: async (target, session) =>
      removedRows(await AmlScreening.deleteMany({ ...tenantOf(target), recordId: { $in: target.ids } }, { session })),
  },
  {
    collection: 'kyb_checks',
    erase: async (target, session) =>
      removedRows(await KybCheck.deleteMany({ ...tenantOf(target), _id: { $in: target.ids } }, { session })),
  },
  {
    collection: 'checks',
    erase: async (target, session) => {
      // Searches of others forget whom they found.
      const found = await Check.updateMany(
        { ...tenantOf(target), kind: 'face_search', 'result.matches.id': { $in: target.ids } },
        { $pull: { 'result.matches': { id: { $in: target.ids } } } },
        { session },
      );
      const { deletedCount } = await Check.deleteMany({ ...tenantOf(target), _id: { $in: target.ids } }, { session });
      return { removed: deletedCount, anonymised: found.modifiedCount };
    },
  },
  {
    collection: 'sessions',
    erase: async (target, session) =>
      removedRows(await Session.deleteMany({ ...tenantOf(target), _id: { $in: target.ids } }, { session })),
  },
];

/** Collections that hold nothing an erasure has to remove, each with the reason why. */
export const NOT_ERASED: Readonly<Record<string, string>> = {
  aml_list_changes: 'entries of published lists, and of lists an operator maintains',
  aml_list_versions: 'counts and hashes of imported lists',
  aml_lists: 'where lists come from',
  api_keys: 'credentials of the organisation',
  audit_heads: 'positions and hashes of the audit chain',
  audit_log: 'ids and field names, never values; a chained row cannot be changed',
  audit_signatures: 'signatures of the ends of the audit chain',
  browser_sessions: 'sign-ins of people who work with the service',
  blocked_documents: 'a keyed hash and the masked end of a number, entered by the organisation and taken off by it',
  counters: 'numbers',
  data_keys: 'destroyed in the transaction that begins the erasure; what stays says only that a key was',
  face_galleries: 'numbers',
  erasures: 'the receipts: ids, counts and hashes',
  gleif_editions: 'which files of the golden copy were imported',
  gleif_entities: 'legal entities as GLEIF publishes them to everyone',
  gleif_parents: 'parents of legal entities as GLEIF publishes them to everyone',
  liveness_challenges: 'names of actions and ids; gone a day after they expire',
  login_failures: 'failed sign-ins of people who work with the service',
  organisations: 'the tenant itself',
  session_template_versions: 'what the organisation configured; not about one person',
  session_templates: 'names the organisation gave to its workflows',
  outbox: 'ids, statuses and codes; done rows go after a week',
  share_uses: 'hashes of token ids, and ids: an imported share stays used after its session is gone',
  signing_keys: 'keys of the installation',
  users: 'people who work with the service, not those it verifies',
  webhook_endpoints: 'addresses of the organisation',
};
