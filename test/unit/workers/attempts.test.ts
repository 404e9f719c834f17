import { readFile } from 'node:fs/promises';
import { AppError } from '../../../domain/errors';
import { classifyError } from '../../../workers/attempts';

const fail = (code: string): Error => Object.assign(new Error(`${code}: it failed`), { code });

test.each(['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EROFS'])(
  'work that a shortage of the machine interrupts (%s) is repeated without a limit',
  (code) => {
    expect(classifyError(fail(code))).toBe('unlimited');
    expect(classifyError(new Error('The file could not be written.', { cause: fail(code) }))).toBe('unlimited');
  },
);

test('errors that the input may have caused are repeated a few times only', async () => {
  const missing: unknown = await readFile('/no/such/file').catch((reason: unknown) => reason);
  expect(classifyError(missing)).toBe('limited');
  for (const code of ['ENOENT', 'EACCES', 'EINVAL', 'ERR_WORKER_OUT_OF_MEMORY']) {
    expect(classifyError(fail(code))).toBe('limited');
  }
  expect(classifyError(new AppError('image_decoder_crashed', 500, 'It ended.'))).toBe('limited');
  expect(classifyError(new AppError('rendering_failed', 503, 'The browser crashed.'))).toBe('limited');
});
