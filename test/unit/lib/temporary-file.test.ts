import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { withTemporaryFile } from '../../../lib/temporary-file';

const listLeftFolders = (): string[] => readdirSync(tmpdir()).filter((name) => /^vouch-[0-9a-f-]{36}$/.test(name));

test('the whole file can be read several times, also after a reader that stopped early', async () => {
  const written = Buffer.alloc(300_000, 'list');
  await withTemporaryFile(async (file) => {
    await pipeline(Readable.from([written.subarray(0, 100_000), written.subarray(100_000)]), file.createWriteStream());
    for await (const piece of file.createReadStream()) {
      expect((piece as Buffer).length).toBeLessThanOrEqual(65_536);
      break;
    }
    for (let reader = 0; reader < 2; reader += 1) {
      const pieces: Buffer[] = [];
      for await (const piece of file.createReadStream()) pieces.push(piece as Buffer);
      expect(Buffer.concat(pieces).equals(written)).toBe(true);
    }
  });
});

test('the file stays readable after an aborted write', async () => {
  await withTemporaryFile(async (file) => {
    const writer = file.createWriteStream();
    await new Promise((resolve) => writer.write('begun', resolve));
    writer.destroy();
    const pieces: Buffer[] = [];
    for await (const piece of file.createReadStream()) pieces.push(piece as Buffer);
    expect(Buffer.concat(pieces).toString()).toBe('begun');
  });
});

test('the file has no name while it is open, so that a killed process leaves nothing behind', async () => {
  const before = listLeftFolders();
  await withTemporaryFile((file) => {
    file.createWriteStream().destroy();
    expect(listLeftFolders()).toEqual(before);
    return Promise.resolve();
  });
});
