import { writeBundle } from '../../../../services/identity/sharing/bundle';

const MEBIBYTE = 1024 * 1024;
const write = (bytes: number) => writeBundle('manifest', new Map([['0'.repeat(64), Buffer.alloc(bytes)]]));

test('a bundle has at most 15 MB, encoded images included', async () => {
  expect(write(11 * MEBIBYTE).length).toBeGreaterThan(14 * MEBIBYTE);
  const writing = Promise.resolve(12 * MEBIBYTE).then(write);
  await expect(writing).rejects.toMatchObject({ status: 413, code: 'bundle_too_large' });
});
