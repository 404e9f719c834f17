import { randomBytes } from 'node:crypto';
import mongoose from 'mongoose';
import { z } from 'zod';
import { SigningKey } from '../../../models/platform/access/signing-key';
import type { SigningKeyRecord } from '../../../models/platform/access/signing-key';
import { getSigningKey } from '../../../services/platform/access/signing-keys';
import { call } from '../../support/client';
import { runAdminCommand } from '../../support/commands';
import { pollUntilFound } from '../../support/poll';
import { closeTestPlatform, getTestPlatform } from '../../support/tenant';

afterAll(closeTestPlatform);

const listPublishedIds = async (): Promise<string[]> => {
  const { body } = await call('GET', '/.well-known/jwks.json');
  return (body['keys'] as { kid: string }[]).map(({ kid }) => kid);
};

const findNewest = (): Promise<SigningKeyRecord> => SigningKey.findOne().sort({ generation: -1 }).orFail().lean();

/** How many processes wait to insert a signing key. */
async function countWaitingInserts(): Promise<number> {
  const ns = `${mongoose.connection.name}.${SigningKey.collection.collectionName}`;
  const waiting = { currentOp: true, ns, op: 'insert', writeConflicts: { $gt: 0 } };
  const operations = await mongoose.connection.getClient().db('admin').command(waiting);
  return z.object({ inprog: z.array(z.unknown()) }).parse(operations).inprog.length;
}

/** Runs `work` while no process can insert the key of a generation. */
async function withBlockedGeneration<T>(generation: number, work: () => Promise<T>): Promise<T> {
  const session = await mongoose.startSession();
  session.startTransaction();
  try {
    const before = await findNewest();
    const blocker = { ...before, _id: `blocker-${randomBytes(6).toString('hex')}`, generation };
    await SigningKey.create([blocker], { session });
    return await work();
  } finally {
    await session.abortTransaction();
    await session.endSession();
  }
}

test('of two rotations at the same time one creates a key, and the other says that it has changed nothing', async () => {
  await getSigningKey(await getTestPlatform());
  const before = await findNewest();
  const generation = before.generation + 1;
  const running = await withBlockedGeneration(generation, async () => {
    const commands = [runAdminCommand(['rotate-signing-key']), runAdminCommand(['rotate-signing-key'])];
    await pollUntilFound(async () => ((await countWaitingInserts()) === commands.length ? true : undefined));
    return { commands };
  });
  const [done, refused] = (await Promise.all(running.commands)).sort((a, b) => Number(a.code) - Number(b.code));
  expect(done).toMatchObject({ code: 0, report: { generation, retired: { kid: before._id } } });
  expect([refused?.code, refused?.report]).toEqual([1, {}]);
  expect(refused?.error.split(': ')).toEqual(['rotated_meanwhile', expect.stringMatching(/has changed nothing\.\n$/)]);

  const after = await findNewest();
  expect([after._id, after.generation]).toEqual([done?.report['kid'], generation]);
  // The previous key verifies what it has signed.
  expect((await listPublishedIds()).slice(0, 2)).toEqual([after._id, before._id]);
});
