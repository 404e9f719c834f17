import { AppError, notFoundError } from '../../../domain/errors';
import { DAY_MS } from '../../../domain/durations';
import { newId } from '../../../lib/ids';
import { InvoiceLink } from '../../../models/business/messages/invoice-link';
import type { InvoiceLinkRecord } from '../../../models/business/messages/invoice-link';
import type { Platform } from '../../platform/platform';
import { runIdempotently } from '../../platform/transactions/idempotency';
import type { IdempotentUse } from '../../platform/transactions/idempotency';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller } from '../access/caller';
import { getIssuedInvoice } from '../invoices/invoice-lists';

/** Lifetime of a link unless a request states another: longer than dunning usually takes. */
export const DEFAULT_LINK_DAYS = 180;

const buildMessage = ({ _id, organisationId }: Pick<InvoiceLinkRecord, '_id' | 'organisationId'>): string =>
  `${organisationId}:${_id}`;

/** `<link id>.<key id>.<code>`: the code is computed with the master key, so no stored copy opens the page. */
function buildToken({ masterKey }: Platform, link: InvoiceLinkRecord): string {
  const code = masterKey.authenticate(buildMessage(link), 'invoice-link');
  const separator = code.lastIndexOf(':');
  const bytes = Buffer.from(code.slice(separator + 1), 'hex');
  return `${link._id}.${code.slice(0, separator)}.${bytes.toString('base64url')}`;
}

/** The address of the page. */
export const buildLinkUrl = (platform: Platform, link: InvoiceLinkRecord): string =>
  `${platform.config.PUBLIC_URL}/invoice/${buildToken(platform, link)}`;

const TOKEN = /^(lnk_[0-9A-Z]{26})\.([A-Za-z0-9._-]{1,64})\.([A-Za-z0-9_-]{43})$/;

/**
 * Finds the link of a token.
 * @throws AppError 404 for a token that is not genuine, 410 `link_expired` or `link_revoked`
 */
export async function openLink(platform: Platform, token: string): Promise<InvoiceLinkRecord> {
  const [, id, keyId, code] = TOKEN.exec(token) ?? [];
  if (id === undefined || code === undefined) throw notFoundError('page');
  const link = await InvoiceLink.findById(id).lean<InvoiceLinkRecord>();
  if (link === null) throw notFoundError('page');
  const authentic = `${keyId ?? ''}:${Buffer.from(code, 'base64url').toString('hex')}`;
  if (!platform.masterKey.isAuthentic(authentic, buildMessage(link), 'invoice-link')) throw notFoundError('page');
  if (link.revokedAt !== null) throw new AppError('link_revoked', 410, 'The link has been revoked.');
  if (link.expiresAt <= platform.clock.now()) throw new AppError('link_expired', 410, 'The link has expired.');
  return link;
}

/** Notes that the page was opened. */
export async function noteOpened({ clock }: Platform, { _id, organisationId }: InvoiceLinkRecord): Promise<void> {
  const now = clock.now();
  await InvoiceLink.updateOne(
    { _id, organisationId },
    [{ $set: { lastOpenedAt: now, firstOpenedAt: { $ifNull: ['$firstOpenedAt', now] } } }],
    { updatePipeline: true },
  );
}

/** Inserts a link in the transaction of what it is made for. */
export async function insertLink(
  unit: UnitOfWork,
  {
    organisationId,
    invoiceId,
    createdBy,
    days,
  }: { organisationId: string; invoiceId: number; createdBy: string; days: number },
): Promise<InvoiceLinkRecord> {
  const now = unit.platform.clock.now();
  const link: InvoiceLinkRecord = {
    _id: newId('lnk'),
    organisationId,
    invoiceId,
    expiresAt: new Date(now.getTime() + days * DAY_MS),
    revokedAt: null,
    firstOpenedAt: null,
    lastOpenedAt: null,
    createdBy,
    createdAt: now,
  };
  await InvoiceLink.insertMany([link], { session: unit.mongoSession, lean: true });
  return link;
}

async function getLink({ organisationId }: BusinessCaller, invoiceId: number, id: string): Promise<InvoiceLinkRecord> {
  const link = await InvoiceLink.findOne({ _id: id, organisationId, invoiceId }).lean<InvoiceLinkRecord>();
  if (link === null) throw notFoundError('link');
  return link;
}

/** Creates a link to the page of an issued invoice. @throws AppError 404; 409 `invoice_not_issued` */
export async function createLink(
  platform: Platform,
  caller: BusinessCaller,
  invoiceId: number,
  days: number,
  use: IdempotentUse | undefined,
): Promise<InvoiceLinkRecord> {
  const { organisationId } = caller;
  await getIssuedInvoice(caller, invoiceId);
  return runIdempotently(
    platform,
    use,
    (claim) =>
      runTransaction(platform, async (unit) => {
        const link = await insertLink(unit, { organisationId, invoiceId, createdBy: caller.id, days });
        await unit.audit(caller, { actor: caller.id, action: 'invoice_link.created', subject: link._id });
        await claim(unit, link._id, 201);
        return link;
      }),
    (id) => getLink(caller, invoiceId, id),
  );
}

/** The links of an invoice, newest first. @throws AppError 404; 409 `invoice_not_issued` */
export async function listLinks(caller: BusinessCaller, invoiceId: number): Promise<InvoiceLinkRecord[]> {
  await getIssuedInvoice(caller, invoiceId);
  const { organisationId } = caller;
  return InvoiceLink.find({ organisationId, invoiceId }).sort({ _id: -1 }).limit(100).lean<InvoiceLinkRecord[]>();
}

/** Revokes a link at once; revoking it again has no effect. @throws AppError 404 */
export async function revokeLink(
  platform: Platform,
  caller: BusinessCaller,
  invoiceId: number,
  id: string,
): Promise<InvoiceLinkRecord> {
  await runTransaction(platform, async (unit) => {
    const revoked = await InvoiceLink.updateOne(
      { _id: id, organisationId: caller.organisationId, invoiceId, revokedAt: null },
      { $set: { revokedAt: platform.clock.now() } },
      { session: unit.mongoSession },
    );
    if (revoked.modifiedCount === 1)
      await unit.audit(caller, { actor: caller.id, action: 'invoice_link.revoked', subject: id });
  });
  return getLink(caller, invoiceId, id);
}
