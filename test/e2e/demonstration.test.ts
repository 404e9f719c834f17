import { spawnSync } from 'node:child_process';
import path from 'node:path';

test.each(['first', 'second'])(
  'the %s demonstration run verifies one person, declines another, and renders an invoice',
  () => {
    const demo = spawnSync(process.execPath, [path.resolve('dist/scripts/demo/main.js')], {
      encoding: 'utf8',
      timeout: 110_000,
      env: { PATH: process.env['PATH'], VOUCH_RUN: process.env['VOUCH_TEST_STACK'] },
    });
    expect({ status: demo.status, stderr: demo.stderr }).toMatchObject({ status: 0 });
    const rows = demo.stdout.split('\n');
    const row = (start: string): string => rows.find((line) => line.startsWith(start)) ?? '';
    expect(row('same person: decision')).toContain('approved');
    expect(row('same person: webhook')).toContain('session.completed, signature verified');
    expect(row('another person: decision')).toContain('declined (face_mismatch)');
    expect(row('another person: webhook')).toContain('session.declined, signature verified');
    expect(row('business: invoice')).toMatch(/INV-\d{4}-\d+ issued/);
    expect(row('business: PDF')).toContain('rendered');
  },
);
