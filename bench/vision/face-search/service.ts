import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import path from 'node:path';
import { z } from 'zod';
import { loadConfig } from '../../../lib/config';
import { getEmbeddingWeights } from '../../../activities/vision/manifest';
import { packGallery } from '../../../services/identity/biometrics/face-packing';
import { listFacePacks } from '../../../services/identity/biometrics/face-packs';
import type { Platform, Scope } from '../../../services/platform/platform';
import { issueApiKey } from '../../../services/platform/access/api-keys';
import { createOrganisation } from '../../../services/platform/access/organisations';
import { closePlatform, createPlatform } from '../../../services/platform/bootstrap';
import { Client, readObject, readText } from '../../../scripts/demo/client';
import { loadSelfie } from '../../../scripts/demo/photos';
import { getServiceEnvironment, readRunningService } from '../../../scripts/demo/running-service';
import { readLoadAverage, startServiceMeter } from '../../process-meters';
import { roundTo } from '../../report';
import { measurePhases } from './phases';
import type { TimedSearch } from './phases';
import { measureConcurrently, toPercentiles } from './repeated';
import { insertFaces, removeFaces } from './stored-faces';

const WARM_UP = 5;
/** Searches whose time is divided into phases. */
const PROFILED = 50;
/** Concurrent searches over HTTP. */
const AT_ONCE = 4;
const TOP_K = 10;

const run = promisify(execFile);

/** The first search in a process that was just started: time by phase. */
async function searchInNewWorker(scope: Scope, name: string): Promise<Record<string, number>> {
  const script = path.join(__dirname, 'new-worker.js');
  const { stdout } = await run(process.execPath, [script, scope.organisationId], { env: getServiceEnvironment() });
  const times = z.record(z.string(), z.number()).parse(JSON.parse(stdout.trim().split('\n').at(-1) ?? ''));
  return Object.fromEntries(Object.entries(times).map(([key, value]) => [`${name}_${key}`, value]));
}

/** Processor milliseconds of each process per search. */
function measureUse(): (searches: number) => Record<string, number> {
  const measure = startServiceMeter();
  return (searches) => {
    const { capacity: _, ...used } = measure();
    const perSearch = Object.entries(used).map(([name, seconds]) => [
      `http_${name}CpuMs`,
      roundTo((seconds * 1000) / searches, 1),
    ]);
    return Object.fromEntries(perSearch) as Record<string, number>;
  };
}

/** Searches over HTTP: upload, decoding, embedding and search of the gallery. */
async function searchOverHttp(
  platform: Platform,
  secret: string,
  searchCount: number,
): Promise<Record<string, number>> {
  const client = new Client(readRunningService().api, { authorization: `Bearer ${secret}` });
  const searches: TimedSearch[] = [];
  const image = { body: await loadSelfie('anna'), name: 'selfie.jpg' };
  const search = async (lists: string): Promise<number> => {
    const [started, sentAt] = [performance.now(), Date.now()];
    const fields = { topK: String(TOP_K), lists };
    const check = readObject(await client.upload('/v1/biometrics/face-search?wait=60', fields, { image }), 'check');
    searches.push({ checkId: readText(check, 'id'), sentAt, respondedAt: Date.now() });
    return performance.now() - started;
  };
  const firstMs = await search('users');
  await measureConcurrently(1, WARM_UP, () => search('users'));
  // Every face is a user: a search of the blocklist compares none and so measures everything but the comparison.
  const without = await measureConcurrently(1, searchCount, () => search('blocklist'));
  const use = measureUse();
  const alone = await measureConcurrently(1, searchCount, () => search('users'));
  const used = use(searchCount);
  const phases = await measurePhases(platform, searches.slice(-PROFILED));
  const together = await measureConcurrently(AT_ONCE, searchCount, () => search('users'));
  return {
    httpFirstMs: Math.round(firstMs),
    ...toPercentiles('httpEmptyList', without),
    ...toPercentiles('http', alone),
    ...toPercentiles(`http${AT_ONCE}AtOnce`, together),
    ...phases,
    ...used,
  };
}

/** Packs the faces as workers do in the background. */
async function packFaces(platform: Platform, scope: Scope, revision: number): Promise<Record<string, number>> {
  const started = performance.now();
  const processor = process.cpuUsage();
  await packGallery(platform, scope, getEmbeddingWeights(), revision);
  const { user, system } = process.cpuUsage(processor);
  return {
    packingMs: Math.round(performance.now() - started),
    packingProcessorMs: Math.round((user + system) / 1000),
    packs: (await listFacePacks(scope, getEmbeddingWeights())).length,
  };
}

/**
 * Searches of faces that are stored in the running service.
 * @param count faces
 * @param searchCount searches over HTTP of each kind
 */
export async function benchService(count: number, searchCount: number): Promise<Record<string, number>> {
  const config = { ...loadConfig(getServiceEnvironment()), LOG_LEVEL: 'error' } as const;
  const platform = await createPlatform(config, { name: 'bench', watch: false });
  const organisation = await createOrganisation(platform, { name: 'Bench', slug: `bench-${Date.now()}` });
  const scope: Scope = { organisationId: organisation._id, mode: 'live' };
  try {
    const permissions = ['faces:read', 'faces:write'];
    const { secret } = await issueApiKey(platform, scope, 'identity', { name: 'Bench', permissions });
    await insertFaces(platform, scope, count);
    const loadBefore = readLoadAverage();
    return {
      serviceFaces: count,
      ...(await searchInNewWorker(scope, 'unpacked')),
      ...(await packFaces(platform, scope, count)),
      ...(await searchInNewWorker(scope, 'packed')),
      ...(await searchOverHttp(platform, secret, searchCount)),
      loadBefore,
      loadAfter: readLoadAverage(),
    };
  } finally {
    await removeFaces(platform, scope);
    await closePlatform(platform);
  }
}
