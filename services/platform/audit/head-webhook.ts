import { INSTALLATION } from '../../../domain/platform/installation';
import { buildSignedHeaders } from '../../../domain/platform/webhooks/signature';
import type { AuditHeadWebhook } from '../../../lib/audit-head-webhook';
import { sha256Hex } from '../../../lib/crypto/secrets';
import { createEgress } from '../../../lib/egress/egress';
import type { Egress } from '../../../lib/egress/egress';
import { formatHostPort } from '../../../lib/egress/url';
import { summariseError } from '../../../lib/logger';
import { AuditHead } from '../../../models/platform/audit/audit';
import type { AuditHeadRecord } from '../../../models/platform/audit/audit';
import type { Platform } from '../platform';
import { readSignedHead } from './signed-heads';
import type { SignedHead } from './signed-heads';

const RESPONSE_TIMEOUT_MS = 10_000;
const MAX_RESPONSE_BYTES = 1024;
/** With the last response still less than the minute between two sealing runs. */
const MAX_RUN_MS = 30_000;
/** Chains of one run; the others come first in the next one. */
const MAX_CHAINS = 5000;

/**
 * Chains whose signed head was not accepted, those that have waited longest first. Those signed just now are posted
 * whatever the database says about acceptance, so that write access to the database does not keep a head back.
 */
async function findChainsToPost(signedNow: readonly string[]): Promise<string[]> {
  const rows = await AuditHead.find(
    {
      $or: [
        { _id: { $in: signedNow } },
        { $expr: { $gt: [{ $ifNull: ['$signedPosition', 0] }, { $ifNull: ['$acceptedPosition', 0] }] } },
      ],
    },
    { _id: 1 },
  )
    .sort({ postedAt: 1 })
    .limit(MAX_CHAINS)
    .lean();
  return rows.map(({ _id }) => _id);
}

/** The same for every attempt of a head. Another hash at the same position gives another id: it is not a repetition. */
const buildMessageId = (chain: string, { position, hash }: SignedHead): string =>
  `head_${sha256Hex(JSON.stringify([chain, position, hash])).slice(0, 32)}`;

function buildBody(chain: string, { position, hash, signedAt, keyId, token }: SignedHead): string {
  const timestamp = signedAt.toISOString();
  const organisationId = chain === INSTALLATION ? null : chain;
  const data = { organisationId, chain, position, hash, signedAt: timestamp, keyId, signature: token };
  return JSON.stringify({ type: 'audit_head.signed', timestamp, data });
}

/** @throws AppError `egress_failed` if the receiver does not respond */
async function postHead(
  { clock }: Platform,
  egress: Egress,
  webhook: AuditHeadWebhook,
  chain: string,
  head: SignedHead,
): Promise<number> {
  const body = buildBody(chain, head);
  const signature = buildSignedHeaders(buildMessageId(chain, head), clock.now(), body, webhook.secrets);
  const { status } = await egress.request({
    url: webhook.url,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...signature },
    body,
    timeoutMs: RESPONSE_TIMEOUT_MS,
    maxBodyBytes: MAX_RESPONSE_BYTES,
  });
  return status;
}

/** Posts the head of a chain that was signed last, and records whether it was accepted. */
async function postChainHead(
  platform: Platform,
  egress: Egress,
  webhook: AuditHeadWebhook,
  chain: string,
): Promise<void> {
  const { logger, clock } = platform;
  const row = await AuditHead.findOneAndUpdate(
    { _id: chain },
    { $set: { postedAt: clock.now() } },
  ).lean<AuditHeadRecord>();
  const head = await readSignedHead(platform, chain, row?.signedPosition ?? 0);
  if (head === null || head === 'invalid') {
    logger.error({ chain }, 'The signed head of an audit chain is missing or invalid; not posted');
    return;
  }
  const status = await postHead(platform, egress, webhook, chain, head);
  if (status < 200 || status >= 300) {
    logger.warn({ chain, status }, 'A signed head of an audit chain was not accepted; it will be posted again');
    return;
  }
  await AuditHead.updateOne({ _id: chain }, { $set: { acceptedPosition: head.position } });
}

async function postChains(platform: Platform, webhook: AuditHeadWebhook, chains: readonly string[]): Promise<void> {
  // The operator has set the address, so it may be private.
  const allow = [formatHostPort(new URL(webhook.url))];
  const egress = createEgress({ allow, dnsServers: platform.config.DNS_SERVERS });
  const startedAt = performance.now();
  try {
    for (const chain of chains) {
      if (performance.now() - startedAt > MAX_RUN_MS) return;
      await postChainHead(platform, egress, webhook, chain);
    }
  } finally {
    await egress.close();
  }
}

/**
 * Posts signed heads that were not accepted yet to AUDIT_HEAD_WEBHOOK_URL, at least once each unless a later head of the
 * chain replaces it. Never throws: a receiver that does not respond ends this run only.
 * @param signedNow chains whose head was signed in this run
 */
export async function postSignedHeads(platform: Platform, signedNow: readonly string[]): Promise<void> {
  const { auditHeadWebhook } = platform.config;
  if (auditHeadWebhook === undefined) return;
  try {
    const chains = await findChainsToPost(signedNow);
    if (chains.length > 0) await postChains(platform, auditHeadWebhook, chains);
  } catch (error) {
    platform.logger.warn(
      { reason: summariseError(error) },
      'Signed heads of audit chains were not posted; they will be posted again',
    );
  }
}
