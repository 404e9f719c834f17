import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { BodyIntake } from '../../../api/http/body-intake';
import type { RequestBody } from '../../../api/http/body-intake';
import { prepareSpoolDirectory, SpoolFile } from '../../../lib/spool-file';

const MEGABYTE = 1024 * 1024;

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'intake-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const createIntake = (): BodyIntake =>
  new BodyIntake({ BODY_MEMORY_MEGABYTES: 128, UPLOAD_DISK_MEGABYTES: 128, UPLOAD_DIR: directory });

/** Appends a file in chunks of 1 MB, each filled with its number. */
async function appendFile(body: RequestBody, megabytes: number) {
  const file = body.createFile();
  for (let index = 0; index < megabytes; index += 1) await file.append(Buffer.alloc(MEGABYTE, index));
  return file;
}

describe('files of a request', () => {
  test('are read back as they were sent, and take disk space instead of memory until the body is complete', async () => {
    const intake = createIntake();
    const body = intake.open('a');
    const files = [await appendFile(body, 5), await appendFile(body, 3)];
    // 1 MB of the request is in memory: 127 MB are free, of which another owner may have half.
    expect(intake.memory.tryTake('b', 64 * MEGABYTE)).toBe(true);
    expect(intake.memory.tryTake('c', 64 * MEGABYTE)).toBe(false);
    expect(intake.memory.tryTake('c', 63 * MEGABYTE)).toBe(true);
    intake.memory.give('c', 63 * MEGABYTE);
    await body.loadFiles();
    expect(files.map((file) => [file.body.length, file.body[0], file.body.at(-1)])).toEqual([
      [5 * MEGABYTE, 0, 4],
      [3 * MEGABYTE, 0, 2],
    ]);
    await body.release();
  });

  test('leave no name in the directory, neither while they are open nor afterwards', async () => {
    const body = createIntake().open('a');
    await appendFile(body, 3);
    expect(await readdir(directory)).toEqual([]);
    await body.release();
    expect(await readdir(directory)).toEqual([]);
  });

  test('beyond the disk space are refused with 503, and what they took is given back', async () => {
    const intake = createIntake();
    const body = intake.open('a');
    await expect(appendFile(body, 66)).rejects.toMatchObject({
      code: 'overloaded',
      status: 503,
      details: { retryAfterSeconds: 5 },
    });
    const other = intake.open('b');
    await appendFile(other, 60);
    await body.release();
    await other.release();
    for (const owner of ['c', 'd']) expect(intake.disk.tryTake(owner, 64 * MEGABYTE)).toBe(true);
    for (const owner of ['c', 'd']) expect(intake.memory.tryTake(owner, 64 * MEGABYTE)).toBe(true);
  });

  test('of a request that has ended are not written any more', async () => {
    const body = createIntake().open('a');
    const file = await appendFile(body, 2);
    const pending = file.append(Buffer.alloc(MEGABYTE));
    await body.release();
    await pending.catch(() => undefined);
    await expect(file.append(Buffer.alloc(1))).rejects.toThrow('has ended');
  });

  test('that are complete wait for memory in the order of their arrival', async () => {
    const intake = createIntake();
    const [first, second] = [intake.open('a'), intake.open('b')];
    await appendFile(first, 60);
    await appendFile(second, 60);
    await first.loadFiles();
    let isLoaded = false;
    const loading = second.loadFiles().then(() => {
      isLoaded = true;
    });
    // A round trip to the disk: loading would have ended if it did not wait.
    await stat(directory);
    expect(isLoaded).toBe(false);
    await first.release();
    await loading;
    await second.release();
  });
});

test('JSON bodies take memory of the same budget, of which files leave a quarter', async () => {
  const intake = createIntake();
  const [first, second, third] = [intake.open('a'), intake.open('b'), intake.open('c')];
  await appendFile(first, 60);
  await first.loadFiles();
  second.takeMemory(60 * MEGABYTE);
  expect(intake.open('d').tryKeepInMemory(1024)).toBe(false);
  third.takeMemory(8 * MEGABYTE);
  expect(() => third.takeMemory(1)).toThrow(expect.objectContaining({ code: 'overloaded' }) as Error);
  await Promise.all([first, second, third].map((body) => body.release()));
  intake.open('c').takeMemory(64 * MEGABYTE);
});

test('a request that has ended takes no more memory, which would never be released', async () => {
  const intake = createIntake();
  const body = intake.open('a');
  body.takeMemory(1);
  await body.release();
  expect(() => body.takeMemory(1)).toThrow('has ended');
  for (const owner of ['a', 'b']) expect(intake.memory.tryTake(owner, 64 * MEGABYTE)).toBe(true);
});

test('one owner takes at most half of the memory', () => {
  const intake = createIntake();
  const body = intake.open('a');
  body.takeMemory(64 * MEGABYTE);
  expect(() => body.takeMemory(1)).toThrow(expect.objectContaining({ code: 'overloaded' }) as Error);
  intake.open('b').takeMemory(1);
});

describe('spool files', () => {
  test('hold nothing readable, and only their owner may open them', async () => {
    const opened: { mode: number; content: Buffer }[] = [];
    const file = await SpoolFile.create(directory);
    await file.append(Buffer.from('a passport'));
    // The file has no name; its descriptor leads to its content.
    for (const name of await readdir('/proc/self/fd')) {
      const target = await stat(`/proc/self/fd/${name}`).catch(() => null);
      if (target === null || target.size !== 10 || target.nlink !== 0) continue;
      opened.push({ mode: target.mode & 0o777, content: await readFile(`/proc/self/fd/${name}`) });
    }
    expect(opened.map(({ mode }) => mode)).toEqual([0o600]);
    expect(opened[0]?.content.toString('latin1')).not.toContain('passport');
    const target = Buffer.alloc(10);
    await file.readInto(target);
    expect(target.toString()).toBe('a passport');
    await file.close();
  });

  test('that cannot be removed do not prevent the start', async () => {
    const name = 'vouch-upload-0b7f1f3c-5a51-4f0e-9d2c-0f8f1d1b2a3c';
    await mkdir(path.join(directory, name));
    await prepareSpoolDirectory(directory);
    expect(await readdir(directory)).toEqual([name]);
  });

  test('left by a killed process are removed at the start; other files stay', async () => {
    await writeFile(path.join(directory, 'vouch-upload-0b7f1f3c-5a51-4f0e-9d2c-0f8f1d1b2a3c'), 'left');
    await writeFile(path.join(directory, 'vouch-upload-notes.txt'), 'kept');
    await prepareSpoolDirectory(directory);
    expect(await readdir(directory)).toEqual(['vouch-upload-notes.txt']);
    await prepareSpoolDirectory(path.join(directory, 'new'));
    expect((await stat(path.join(directory, 'new'))).mode & 0o777).toBe(0o700);
  });
});
