import { SharedLookups } from '../../../lib/shared-lookups';

interface Named {
  id: number;
  name: string;
}

/** Lookups whose end the test decides. */
function createControlledLookups() {
  const begun: { organisationId: string; ids: number[]; end: (records: Named[]) => void; fail: (e: Error) => void }[] =
    [];
  const lookups = new SharedLookups(
    (organisationId: string, ids: number[]) =>
      new Promise<Named[]>((end, fail) => void begun.push({ organisationId, ids, end, fail })),
  );
  return { lookups, begun };
}

/** Lets everything run that waits for promises which have settled. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const name = (id: number): Named => ({ id, name: `record ${id}` });

describe('lookups that are shared', () => {
  test('ask once for the ids of all callers that came meanwhile, after these have called', async () => {
    const { lookups, begun } = createControlledLookups();
    const first = lookups.read('org_a', [1]);
    const waiting = [lookups.read('org_a', [2, 3]), lookups.read('org_a', [3, 1]), lookups.read('org_a', [4])];
    expect(begun.map(({ ids }) => ids)).toEqual([[1]]);
    begun[0]?.end([{ id: 1, name: 'stored before' }]);
    expect((await first).get(1)?.name).toBe('stored before');
    await settle();
    expect(begun[1]?.ids.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4]);
    begun[1]?.end([name(1), name(2), name(3)]);
    const [two, one, missing] = await Promise.all(waiting);
    expect([two?.get(2), two?.get(3)]).toEqual([name(2), name(3)]);
    expect(one?.get(1)).toEqual(name(1));
    expect(missing?.get(4)).toBeUndefined();
    expect(begun).toHaveLength(2);
  });

  test('never combine the ids of two organisations', async () => {
    const { lookups, begun } = createControlledLookups();
    const reads = [
      lookups.read('org_a', [1]),
      lookups.read('org_b', [1]),
      lookups.read('org_a', [2]),
      lookups.read('org_b', [3]),
    ];
    begun[0]?.end([{ id: 1, name: 'of a' }]);
    begun[1]?.end([{ id: 1, name: 'of b' }]);
    await settle();
    expect(begun.map(({ organisationId, ids }) => [organisationId, ids])).toEqual([
      ['org_a', [1]],
      ['org_b', [1]],
      ['org_a', [2]],
      ['org_b', [3]],
    ]);
    begun[2]?.end([]);
    begun[3]?.end([]);
    const [a, b, secondOfA] = await Promise.all(reads);
    expect(a?.get(1)?.name).toBe('of a');
    expect(b?.get(1)?.name).toBe('of b');
    expect(secondOfA?.size).toBe(0);
  });

  test('that fail are reported to their own callers only', async () => {
    const { lookups, begun } = createControlledLookups();
    const first = lookups.read('org_a', [1]);
    const second = lookups.read('org_a', [2]);
    begun[0]?.fail(new Error('connection closed'));
    await expect(first).rejects.toThrow('connection closed');
    await settle();
    expect(begun[1]?.ids).toEqual([2]);
    begun[1]?.end([name(2)]);
    expect((await second).get(2)).toEqual(name(2));
  });

  test('without ids read nothing', async () => {
    const { lookups, begun } = createControlledLookups();
    expect((await lookups.read('org_a', [])).size).toBe(0);
    expect(begun).toHaveLength(0);
  });
});
