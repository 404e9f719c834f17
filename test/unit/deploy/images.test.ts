import { readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '..', '..', '..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const PINNED = /^[a-z0-9./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/;

test('the Dockerfile names every base image with its tag and digest', () => {
  const froms = [...read('Dockerfile').matchAll(/^FROM (\S+)(?: AS (\w+))?$/gm)];
  const stages = new Set(froms.map(([, , stage]) => stage));
  const images = froms.map(([, image = '']) => image).filter((image) => !stages.has(image));
  expect(images.length).toBeGreaterThan(0);
  expect(images.filter((image) => !PINNED.test(image))).toEqual([]);
});

test('the compose file names every image of others with its tag and digest, and one digest per tag', () => {
  const images = [...read('docker-compose.yml').matchAll(/^\s*image: (\S+)$/gm)]
    .map(([, image = '']) => image)
    .filter((image) => !image.startsWith('vouch:'));
  expect(images.length).toBeGreaterThan(5);
  expect(images.filter((image) => !PINNED.test(image))).toEqual([]);
  expect(new Set(images.map((image) => image.split('@')[0])).size).toBe(new Set(images).size);
});

test('the image and the recommended version have the same major version of Node', () => {
  expect(read('Dockerfile')).toContain(`FROM node:${read('.nvmrc').trim()}.`);
});

test('continuous integration names every action of others by the commit of a version', () => {
  const actions = [...read('.github/workflows/ci.yml').matchAll(/^\s*uses: (.+)$/gm)].map(([, action = '']) => action);
  expect(actions.length).toBeGreaterThan(5);
  expect(actions.filter((action) => !/^[\w.-]+\/[\w.-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action))).toEqual([]);
});
