import { spawnSync } from 'node:child_process';

/** Logs of a separate compiled process, as received by a log collector. */
const runAndReadLog = (statement: string): string =>
  spawnSync(
    process.execPath,
    [
      '-e',
      `const { createLogger } = require('./dist/lib/logger'); const { withLogContext } = require('./dist/lib/context'); const log = createLogger({ level: 'info', name: 'test' }); ${statement}`,
    ],
    { encoding: 'utf8' },
  ).stdout;

describe('logs', () => {
  test('contain the request id of their context', () => {
    expect(
      JSON.parse(
        runAndReadLog(`withLogContext({ requestId: 'req_1', workflowId: 'ses_1' }, () => log.info('hello'));`),
      ),
    ).toMatchObject({
      requestId: 'req_1',
      workflowId: 'ses_1',
      msg: 'hello',
    });
  });

  test.each([
    `{ password: 'hidden-value' }`,
    `{ body: { password: 'hidden-value' } }`,
    `{ token: 'hidden-value', refreshToken: 'hidden-value' }`,
    `{ answer: { secret: 'hidden-value' } }`,
    `{ req: { headers: { authorization: 'hidden-value', 'x-api-key': 'hidden-value', cookie: 'hidden-value' } } }`,
    `{ headers: { authorization: 'hidden-value', 'x-api-key': 'hidden-value' } }`,
  ])('never show the secrets of %s', (fields) => {
    const line = runAndReadLog(`log.info(${fields}, 'said');`);
    expect(line).toContain('said');
    expect(line).not.toContain('hidden-value');
  });

  test('show errors without the properties of drivers, and without the values of duplicate keys', () => {
    const line = runAndReadLog(
      `log.error({ err: Object.assign(new Error('E11000 duplicate key error index: email_1 dup key: { email: "a@b.example" }', { cause: new Error('inner') }), { code: 11000, keyValue: { email: 'a@b.example' } }) }, 'failed');`,
    );
    expect(JSON.parse(line)).toMatchObject({ err: { type: 'Error', code: 11000, cause: { message: 'inner' } } });
    expect(line).not.toContain('a@b.example');
  });
});
