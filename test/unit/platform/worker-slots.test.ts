import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { readCpuQuota, readMachine } from '../../../lib/machine';
import { planSlots } from '../../../workers/slots';
import { QUEUES } from '../../../workflows/contracts';
import type { Pool } from '../../../workflows/contracts';

const POOLS = Object.keys(QUEUES) as Pool[];

const MACHINE = { cores: 8, memoryMegabytes: 16_384 };

test('a pool that is alone in its process gets a slot for each core', () => {
  expect(planSlots(['vision'], MACHINE, {})).toEqual({ vision: 8, rendering: 0, screening: 0 });
  expect(planSlots(['screening', 'delivery'], MACHINE, {})).toMatchObject({ screening: 8 });
});

test('of pools in one process, vision gets all cores and the others a part of them', () => {
  expect(planSlots(POOLS, MACHINE, {})).toEqual({ vision: 8, rendering: 4, screening: 2 });
  expect(planSlots(POOLS, { ...MACHINE, cores: 2 }, {})).toEqual({ vision: 2, rendering: 2, screening: 1 });
});

test('no more slots are planned than memory suffices for, but at least one', () => {
  expect(planSlots(['vision'], { cores: 64, memoryMegabytes: 2048 }, {}).vision).toBe(4);
  expect(planSlots(POOLS, { cores: 2, memoryMegabytes: 2048 }, {}).vision).toBe(1);
  expect(planSlots(POOLS, { cores: 64, memoryMegabytes: 16_384 }, {})).toEqual({
    vision: 18,
    rendering: 16,
    screening: 16,
  });
  expect(planSlots(POOLS, { cores: 64, memoryMegabytes: 256 }, {})).toEqual({ vision: 1, rendering: 1, screening: 1 });
});

test('VISION_THREADS, RENDERING_PAGES and SCREENING_THREADS take precedence', () => {
  const settings = { VISION_THREADS: 3, RENDERING_PAGES: 5, SCREENING_THREADS: 7 };
  expect(planSlots(POOLS, MACHINE, settings)).toEqual({ vision: 3, rendering: 5, screening: 7 });
});

describe('the quota of a container', () => {
  const root = mkdtempSync(path.join(os.tmpdir(), 'vouch-cgroup-'));
  afterAll(() => rmSync(root, { recursive: true }));

  test.each([
    ['150000 100000', 1.5],
    ['max 100000', null],
  ])('cpu.max %s is %s cores', (text, cores) => {
    writeFileSync(path.join(root, 'cpu.max'), `${text}\n`);
    expect(readCpuQuota(root)).toBe(cores);
  });

  test('without control groups, the cores and the memory of the machine count', () => {
    expect(readCpuQuota(path.join(root, 'missing'))).toBeNull();
    const { cores, memoryMegabytes } = readMachine();
    expect(cores).toBeGreaterThan(0);
    expect(memoryMegabytes).toBeLessThanOrEqual(Math.floor(os.totalmem() / 1024 / 1024));
  });
});
