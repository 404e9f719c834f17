import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { resolveCompiledFile } from '../../../../lib/compiled-file';
import { createRenderer } from '../../../../activities/rendering/renderer';
import { findChromium } from '../../../support/chromium';
import { pollUntilFound } from '../../../support/poll';
import { classifyError } from '../../../../workers/attempts';
import { isRunning } from '../../../support/is-running';

const PAGE = '<!doctype html><title>t</title><p>t</p>';

const sandbox = process.env['CHROMIUM_SANDBOX'] !== 'false';

/** Prints a page as a worker does, writes the process id of its browser, and runs until it is ended. */
const WORKER = `
const { createRenderer } = require(process.argv[1]);
const renderer = createRenderer(JSON.parse(process.argv[2]));
renderer.renderPdf(${JSON.stringify(PAGE)}, { issuedAt: new Date(0), contentId: 'a page' }).then(() => console.log(renderer.pids()[0]));
setInterval(() => undefined, 60_000);
`;

let executablePath: string;
let workFolder: string;
const running: StartedWorker[] = [];

const listProfiles = async (): Promise<string[]> =>
  (await readdir(workFolder)).filter((name) => name !== 'cache' && !name.startsWith('fonts.'));

interface StartedWorker {
  worker: ChildProcess;
  /** Name of the folder of its browser. */
  profile: string;
  /** Process id of its browser. */
  browser: number;
}

/** Starts a worker and waits until it has printed. */
async function startWorker(env: NodeJS.ProcessEnv = {}): Promise<StartedWorker> {
  const before = await listProfiles();
  const module = resolveCompiledFile('activities/rendering/renderer');
  const options = JSON.stringify({ executablePath, workFolder, sandbox });
  const worker = spawn(process.execPath, ['-e', WORKER, module, options], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [printed] = (await once(worker.stdout, 'data')) as [Buffer];
  const added = (await listProfiles()).filter((name) => !before.includes(name));
  expect(added).toHaveLength(1);
  const started = { worker, profile: added[0] ?? '', browser: Number(printed.toString()) };
  running.push(started);
  return started;
}

/** Kills a worker, and waits until its browser has noticed. */
async function kill({ worker, browser }: Omit<StartedWorker, 'profile'>): Promise<void> {
  const ended = once(worker, 'exit');
  worker.kill('SIGKILL');
  await ended;
  await pollUntilFound(() => Promise.resolve(isRunning(browser) ? undefined : true));
}

beforeAll(async () => {
  executablePath = await findChromium();
  workFolder = await mkdtemp(path.join(tmpdir(), 'vouch-profiles-'));
});

afterAll(async () => {
  await Promise.all(running.filter(({ worker }) => worker.signalCode === null).map(kill));
  // Browsers of workers that were killed may write until they have ended, too.
  await rm(workFolder, { recursive: true, force: true, maxRetries: 5 });
});

test('a renderer removes the folders of browsers whose worker was killed, and leaves those of running workers', async () => {
  const working = await startWorker();
  const killed = await startWorker();
  await kill(killed);
  expect(await listProfiles()).toEqual(expect.arrayContaining([working.profile, killed.profile]));
  const renderer = createRenderer({ executablePath, workFolder, sandbox });
  await renderer.health();
  const profiles = await listProfiles();
  expect(profiles).toHaveLength(2);
  expect(profiles).toContain(working.profile);
  expect(profiles).not.toContain(killed.profile);
  await renderer.close();
  expect(await listProfiles()).toEqual([working.profile]);
});

test('a browser that does not start, is killed or is replaced leaves no folder', async () => {
  const before = await listProfiles();
  const options = { executablePath, workFolder, sandbox, pages: 1 };
  const broken = createRenderer({ ...options, executablePath: path.join(workFolder, 'no-such-browser') });
  // No document is the cause, so that what waits for the browser is not given up.
  const error: unknown = await broken.health().catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'unavailable', status: 503 });
  expect(classifyError(error)).toBe('unlimited');
  await broken.close();
  expect(await listProfiles()).toEqual(before);
  const replacing = createRenderer({ ...options, maxRendersPerBrowser: 1 });
  await replacing.health();
  expect(await listProfiles()).toEqual(before);
  await replacing.close();
  const renderer = createRenderer(options);
  await renderer.health();
  const [pid = 0] = renderer.pids();
  const print = () => renderer.renderPdf(PAGE, { issuedAt: new Date(0), contentId: 'a page' });
  process.kill(pid, 'SIGKILL');
  while (renderer.pids().includes(pid)) await print().catch(() => undefined);
  await renderer.close();
  expect(await listProfiles()).toEqual(before);
});

test('a browser makes no files in the shared temporary folder', async () => {
  const shared = path.join(workFolder, 'cache', 'shared');
  await mkdir(shared, { recursive: true });
  const started = await startWorker({ TMPDIR: shared });
  const { profile, browser } = started;
  const descriptors = `/proc/${browser}/fd`;
  const files = await Promise.all(
    (await readdir(descriptors)).map((name) => readlink(path.join(descriptors, name)).catch(() => '')),
  );
  const temporary = files.filter((file) => path.basename(file).startsWith('.org.chromium.'));
  expect(temporary).not.toHaveLength(0);
  expect(temporary.filter((file) => path.dirname(file) !== path.join(workFolder, profile))).toEqual([]);
  await kill(started);
  expect(await readdir(shared)).toEqual([]);
});
