import { createPackedVersions } from '../../../../activities/screening/packed-versions';

const RETAINED = new Set(['current']);

function createCounted() {
  const loaded: string[] = [];
  const packed = createPackedVersions((snapshot) => Promise.resolve(snapshot.toString()));
  const get = (version: string): Promise<string> =>
    packed.get({ version, load: () => (loaded.push(version), Promise.resolve(Buffer.from(version))) });
  return { loaded, packed, get };
}

test('a version is packed once until it is no longer retained', async () => {
  const { loaded, packed, get } = createCounted();
  expect(await Promise.all([get('current'), get('current'), get('old')])).toEqual(['current', 'current', 'old']);
  packed.retain(RETAINED);
  await Promise.all([get('current'), get('old')]);
  expect(loaded).toEqual(['current', 'old', 'old']);
});

test('a version that is held is kept until its last holder releases it', async () => {
  const { loaded, packed, get } = createCounted();
  const [release, releaseAgain] = [packed.hold('new'), packed.hold('new')];
  await get('new');
  release();
  release();
  packed.retain(RETAINED);
  await get('new');
  expect(loaded).toEqual(['new']);
  releaseAgain();
  await get('new');
  expect(loaded).toEqual(['new', 'new']);
});

test('a version that could not be packed is tried again', async () => {
  const { packed, get } = createCounted();
  const load = () => Promise.reject(new Error('The store does not respond.'));
  await expect(packed.get({ version: 'current', load })).rejects.toThrow('The store does not respond.');
  expect(await get('current')).toBe('current');
});
