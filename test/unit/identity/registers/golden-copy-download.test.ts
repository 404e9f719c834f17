import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Egress } from '../../../../lib/egress/egress';
import { downloadGoldenCopy } from '../../../../services/identity/registers/gleif/download';

const folder = mkdtempSync(path.join(tmpdir(), 'vouch-download-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a file that is longer than the limit is refused by its size, not by the status of the response', async () => {
  const egress: Egress = {
    async request({ saveTo }) {
      if (saveTo !== undefined) await once(saveTo.end(), 'close');
      return { status: 200, headers: {}, bodyStart: Buffer.alloc(0), truncated: true };
    },
    resolveTarget: () => Promise.reject(new Error('not used')),
    findUrlProblem: () => undefined,
    close: () => Promise.resolve(),
  };
  await expect(downloadGoldenCopy(egress, 'https://gleif.example/copy.csv', folder)).rejects.toMatchObject({
    code: 'register_fetch_failed',
    message: 'The source of the file sent more than 16 GiB.',
  });
});
