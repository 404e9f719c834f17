import { createPrivateKey, randomBytes } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { Webhook } from 'standardwebhooks';
import { z } from 'zod';
import { formatSecret } from '../../../domain/platform/webhooks/signature';
import { newId } from '../../../lib/ids';
import { createS3Client } from '../../../lib/object-store';
import { createVersionedStore } from '../../../lib/versioned-store';
import { SigningKey } from '../../../models/platform/access/signing-key';
import { Audit, AuditHead } from '../../../models/platform/audit/audit';
import type { AuditRecord } from '../../../models/platform/audit/audit';
import { generateEs256KeyPair } from '../../../lib/crypto/es256-key-pair';
import { sha256Hex } from '../../../lib/crypto/secrets';
import { listPublishedKeys, toVerificationKey } from '../../../services/platform/access/signing-keys';
import { sealAudit } from '../../../services/platform/audit/sealing';
import { postSignedHeads } from '../../../services/platform/audit/head-webhook';
import { isHeadContained } from '../../../services/platform/audit/signed-heads';
import { verifyAuditChain } from '../../../services/platform/audit/verification';
import type { Platform } from '../../../services/platform/platform';
import { runTransaction } from '../../../services/platform/transactions/unit-of-work';
import { pollUntilFound } from '../../support/poll';
import { startReceiver } from '../../support/receiver';
import type { ReceivedRequest, Receiver } from '../../support/receiver';
import { closeTestPlatform, getTestPlatform } from '../../support/tenant';

const ROWS = 5;

let platform: Platform;

beforeAll(async () => {
  platform = await getTestPlatform();
});
afterAll(closeTestPlatform);

const writeRows = (organisationId: string, count: number): Promise<void> =>
  runTransaction(platform, (unit) =>
    unit.auditAll(
      { organisationId, mode: 'live' },
      Array.from({ length: count }, (_, index) => ({
        actor: 'key_a',
        action: `record.changed_${index}`,
        subject: 'rec_1',
      })),
    ),
  );

/** An organisation whose chain has five rows, sealed and signed. */
async function createChain(): Promise<string> {
  const organisationId = newId('org');
  await writeRows(organisationId, ROWS);
  await sealAudit(platform);
  expect(await verifyAuditChain(platform, organisationId)).toMatchObject({
    valid: true,
    sealed: ROWS,
    signedUpTo: ROWS,
  });
  return organisationId;
}

async function readRow(organisationId: string, position: number): Promise<AuditRecord> {
  const row = await Audit.findOne({ organisationId, position }).lean<AuditRecord>();
  if (row === null) throw new Error(`There is no row ${position}.`);
  return row;
}

const unsealed = { position: null, previousHash: null, hash: null };

/** Changes that write access to the database allows without the master key. */
const ATTACKS: Record<string, (organisationId: string) => Promise<unknown>> = {
  'a row was inserted and is not sealed yet': async (organisationId) =>
    Audit.collection.insertOne({ ...(await readRow(organisationId, 1)), _id: newId('aud'), ...unsealed } as never),
  'an inserted row was sealed': async (organisationId) => {
    const row = { ...(await readRow(organisationId, 1)), _id: newId('aud'), actor: 'key_b', ...unsealed };
    await Audit.collection.insertOne(row as never);
    await sealAudit(platform);
  },
  'a row was rewritten before it was sealed': async (organisationId) => {
    await writeRows(organisationId, 1);
    // The Schedule may seal the row first; then it is rewritten after that.
    const newest = { sort: { _id: -1 } } as const;
    await Audit.findOneAndUpdate({ organisationId, action: 'record.changed_0' }, { actor: 'key_b' }, newest);
    await sealAudit(platform);
  },
  'a row was rewritten with hashes computed anew': async (organisationId) => {
    const { position, previousHash } = await readRow(organisationId, ROWS);
    const hash = `k1:${sha256Hex(JSON.stringify([position, previousHash, 'key_b']))}`;
    await Audit.updateOne({ organisationId, position: ROWS }, { actor: 'key_b', hash });
    await AuditHead.updateOne({ _id: organisationId }, { hash });
  },
  'every row was unsealed, one was rewritten, and the service sealed them again': async (organisationId) => {
    await Audit.updateMany({ organisationId }, unsealed);
    await AuditHead.deleteOne({ _id: organisationId });
    await Audit.updateOne({ organisationId, action: 'record.changed_1' }, { actor: 'key_b' });
    await sealAudit(platform);
  },
  'a row was moved to another organisation': async (organisationId) => {
    const row = { ...(await readRow(organisationId, 2)), _id: newId('aud'), organisationId: newId('org'), ...unsealed };
    await Audit.collection.insertOne(row as never);
    await Audit.deleteOne({ organisationId, position: 2 });
  },
  'a row was deleted': (organisationId) => Audit.deleteOne({ organisationId, position: 3 }),
  'the last rows were deleted and the head was set back': async (organisationId) => {
    const { hash } = await readRow(organisationId, 3);
    await Audit.deleteMany({ organisationId, position: { $gt: 3 } });
    await AuditHead.updateOne({ _id: organisationId }, { position: 3, hash, signedPosition: 3 });
  },
  'the chain was cut and new rows were sealed after it': async (organisationId) => {
    const { hash } = await readRow(organisationId, 3);
    await Audit.deleteMany({ organisationId, position: { $gt: 3 } });
    await AuditHead.updateOne({ _id: organisationId }, { position: 3, hash, signedPosition: 3 });
    await writeRows(organisationId, ROWS);
    await sealAudit(platform);
  },
  'everything was deleted': async (organisationId) => {
    await Audit.deleteMany({ organisationId });
    await AuditHead.deleteOne({ _id: organisationId });
  },
};

/** What an object store returns instead of the heads that were written. */
async function* provideVersions(...tokens: string[]): AsyncIterable<Buffer> {
  yield* await Promise.resolve(tokens.map((token) => Buffer.from(token)));
}

test('the audit log verifies while a later head is sealed and signed', async () => {
  const organisationId = await createChain();
  await writeRows(organisationId, 1);
  const auditHeads = {
    ...platform.auditHeads,
    async *readVersions(key: string) {
      for await (const signed of platform.auditHeads.readVersions(key)) {
        await sealAudit(platform);
        yield signed;
      }
    },
  };
  expect(await verifyAuditChain({ ...platform, auditHeads }, organisationId)).toMatchObject({
    valid: true,
    sealed: ROWS + 1,
  });
});

describe('the audit log does not verify after', () => {
  test.each(Object.entries(ATTACKS))('%s', async (_name, attack) => {
    const organisationId = await createChain();
    await attack(organisationId);
    expect(await verifyAuditChain(platform, organisationId)).toMatchObject({ valid: false });
  });

  test('the signed head was removed from the object store', async () => {
    const organisationId = await createChain();
    const withoutHeads = {
      ...platform,
      auditHeads: { ...platform.auditHeads, readVersions: () => provideVersions() },
    };
    expect(await verifyAuditChain(withoutHeads, organisationId)).toMatchObject({ valid: false, brokenAt: 1 });
  });

  test('the signed head was replaced by one signed with a key added to the database', async () => {
    const organisationId = await createChain();
    const { x, y, privateKey: der } = generateEs256KeyPair();
    const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    const kid = newId('key');
    const { sealed } = await SigningKey.findOne().lean().orFail();
    await SigningKey.create({
      _id: kid,
      generation: -Date.now(),
      x,
      y,
      sealed,
      createdAt: new Date(0),
    });
    const { hash } = await readRow(organisationId, 3);
    const token = jwt.sign({ org: organisationId, position: 3, hash }, privateKey, { algorithm: 'ES256', keyid: kid });
    const forged = {
      ...platform,
      auditHeads: { ...platform.auditHeads, readVersions: () => provideVersions(token) },
    };
    expect(await verifyAuditChain(forged, organisationId)).toMatchObject({ valid: false, signedUpTo: null });
    await SigningKey.deleteOne({ _id: kid });
  });
});

describe('a signed head', () => {
  test('is the latest one as soon as a slower run has written an earlier one after it', async () => {
    const verdicts: unknown[] = [];
    const organisationId = await pollUntilFound(async () => {
      const written = newId('org');
      await writeRows(written, ROWS);
      const slow: Platform = {
        ...platform,
        auditHeads: {
          ...platform.auditHeads,
          async append(...head) {
            const isOvertaken = head[0] === `${written}.jws` && verdicts.length === 0;
            if (isOvertaken) {
              await writeRows(written, ROWS);
              await sealAudit(platform);
            }
            await platform.auditHeads.append(...head);
            if (isOvertaken) verdicts.push(await verifyAuditChain(platform, written));
          },
        },
      };
      await sealAudit(slow);
      // The Schedule may have signed the head before this run did.
      return verdicts.length === 0 ? undefined : written;
    });
    verdicts.push(await verifyAuditChain(platform, organisationId));
    const verdict: unknown = expect.objectContaining({ valid: true, signedUpTo: 2 * ROWS });
    expect(verdicts).toEqual([verdict, verdict]);
  });

  test('that cannot be read because the object store does not respond is 503, not a verdict', async () => {
    const organisationId = await createChain();
    const unreachable = createVersionedStore({ ...platform.config, S3_ENDPOINT: 'http://127.0.0.1:1' });
    const verification = verifyAuditChain({ ...platform, auditHeads: unreachable }, organisationId);
    await expect(verification).rejects.toMatchObject({ status: 503, code: 'unavailable' });
  });

  test('cannot be deleted from the object store within its retention, and a delete marker does not hide it', async () => {
    const organisationId = await createChain();
    const client = createS3Client(platform.config);
    const bucket = `${platform.config.S3_BUCKET}-audit`;
    const name = `${organisationId}.jws`;
    const { versionId } = await client.statObject(bucket, name);
    if (typeof versionId !== 'string') throw new Error('The head has no version.');
    await expect(client.removeObject(bucket, name, { versionId })).rejects.toMatchObject({ code: 'AccessDenied' });
    await client.removeObject(bucket, name);
    await Audit.deleteMany({ organisationId });
    await AuditHead.deleteOne({ _id: organisationId });
    expect(await verifyAuditChain(platform, organisationId)).toMatchObject({ valid: false, signedUpTo: ROWS });
  });
});

const postedHeadSchema = z.strictObject({
  type: z.literal('audit_head.signed'),
  timestamp: z.iso.datetime(),
  data: z.strictObject({
    organisationId: z.string(),
    chain: z.string(),
    position: z.number(),
    hash: z.string(),
    signedAt: z.iso.datetime(),
    keyId: z.string(),
    signature: z.string(),
  }),
});

describe('a receiver of signed heads', () => {
  const secrets = [randomBytes(32), randomBytes(32)].map(formatSecret);
  let receiver: Receiver;
  let posting: Platform;

  beforeAll(async () => {
    receiver = await startReceiver();
    const auditHeadWebhook = { url: `${receiver.url}/heads`, secrets };
    posting = { ...platform, config: { ...platform.config, auditHeadWebhook } };
    // Nothing else posts, so the heads of other tests would all be sent to this receiver.
    await AuditHead.updateMany({}, [{ $set: { acceptedPosition: '$signedPosition' } }], { updatePipeline: true });
  });
  afterAll(() => receiver.close());

  const listPosts = (organisationId: string): ReceivedRequest[] =>
    receiver.requests.filter(({ body }) => body.includes(organisationId));

  const readPost = ({ body, headers }: ReceivedRequest, secret: string) =>
    postedHeadSchema.parse(new Webhook(secret).verify(body, headers));

  async function addRowsAndSeal(organisationId: string): Promise<void> {
    await writeRows(organisationId, ROWS);
    await sealAudit(posting);
  }

  test('gets the latest head once it responds with success, and sealing goes on until then', async () => {
    const organisationId = newId('org');
    receiver.reply('cut');
    await addRowsAndSeal(organisationId);
    receiver.reply({ status: 302, headers: { location: `${receiver.url}/elsewhere` } });
    await addRowsAndSeal(organisationId);
    expect(await verifyAuditChain(platform, organisationId)).toMatchObject({ valid: true, signedUpTo: 2 * ROWS });
    receiver.reply({ status: 204 });
    await sealAudit(posting);
    await sealAudit(posting);

    const posts = listPosts(organisationId);
    expect(receiver.requests.every(({ method, path }) => method === 'POST' && path === '/heads')).toBe(true);
    const [refused, accepted] = posts.slice(-2);
    if (refused === undefined || accepted === undefined) throw new Error('The head was not posted twice.');
    expect(accepted.headers['webhook-id']).toBe(refused.headers['webhook-id']);
    expect(posts.filter(({ headers }) => headers['webhook-id'] === accepted.headers['webhook-id'])).toHaveLength(2);
    const { hash } = await readRow(organisationId, 2 * ROWS);
    for (const secret of secrets)
      expect(readPost(accepted, secret).data).toMatchObject({
        organisationId,
        chain: organisationId,
        position: 2 * ROWS,
        hash,
      });
  });

  test('gets a head in the run that signs it, although the database says that it was accepted', async () => {
    const organisationId = await createChain();
    receiver.reply({ status: 204 });
    await AuditHead.updateOne({ _id: organisationId }, { acceptedPosition: 2 ** 40 });
    await postSignedHeads(posting, []);
    expect(listPosts(organisationId)).toHaveLength(0);
    await postSignedHeads(posting, [organisationId]);
    expect(listPosts(organisationId)).toHaveLength(1);
    expect(await AuditHead.findById(organisationId).lean()).toMatchObject({ acceptedPosition: ROWS });
  });

  test('can verify a head with the published keys, and show that the chain was cut', async () => {
    const organisationId = newId('org');
    receiver.reply({ status: 204 });
    await addRowsAndSeal(organisationId);
    const [post] = listPosts(organisationId);
    if (post === undefined) throw new Error('The head was not posted.');
    const { keyId, signature, position, hash } = readPost(post, secrets[0] ?? '').data;
    const published = (await listPublishedKeys(platform)).find(({ kid }) => kid === keyId);
    if (published === undefined) throw new Error('The key is not published.');
    const claims = jwt.verify(signature, toVerificationKey(published), { algorithms: ['ES256'] });
    expect(claims).toMatchObject({ org: organisationId, position, hash });
    expect(await isHeadContained(platform, organisationId, signature)).toBe(true);
    expect(await isHeadContained(platform, newId('org'), signature)).toBe(false);
    await Audit.deleteOne({ organisationId, position });
    expect(await isHeadContained(platform, organisationId, signature)).toBe(false);
  });
});
