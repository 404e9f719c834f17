import { spawnSync } from 'node:child_process';

/** What a separate compiled process prints whose events are logged: to standard output and to standard error. */
const runAndReadOutput = (statement: string): { stdout: string; stderr: string } =>
  spawnSync(
    process.execPath,
    [
      '-e',
      `const { createLogger } = require('./dist/lib/logger'); const { logProcessEvents } = require('./dist/lib/process-log'); logProcessEvents(createLogger({ level: 'debug', name: 'test' })); ${statement}`,
    ],
    { encoding: 'utf8' },
  );

const readLines = (statement: string): unknown[] => {
  const { stdout, stderr } = runAndReadOutput(statement);
  expect(stderr).toBe('');
  return stdout
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
};

/** Answers 500 to the first request, as a store that is overloaded, and 200 to the others. */
const RETRIED_REQUEST = `
  const { createServer } = require('node:http');
  const { createS3Client } = require('./dist/lib/object-store');
  let requests = 0;
  const server = createServer((request, response) => response.writeHead(requests++ === 0 ? 500 : 200).end());
  server.listen(0, '127.0.0.1', async () => {
    const client = createS3Client({
      S3_ENDPOINT: 'http://127.0.0.1:' + server.address().port,
      S3_REGION: 'us-east-1', S3_ACCESS_KEY: 'access-key', S3_SECRET_KEY: 'secret-key',
    });
    console.log('exists: %s, requests: %d', await client.bucketExists('bucket'), requests);
    server.close();
    server.closeAllConnections();
  });`;

describe('what a process prints', () => {
  test.each([
    ['debug', 20],
    ['log', 30],
    ['info', 30],
    ['warn', 40],
    ['error', 50],
  ])('is a JSON log line if a library calls console.%s', (method, level) => {
    expect(readLines(`console.${method}('%d lines\\nof %s', 2, 'text');`)).toMatchObject([
      { level, msg: '2 lines\nof text' },
    ]);
  });

  test('is a JSON log line if the S3 client retries a request', () => {
    expect(readLines(RETRIED_REQUEST)).toMatchObject([
      { level: 40, msg: expect.stringContaining('HTTP status: 500') as string },
      { level: 30, msg: 'exists: true, requests: 2' },
    ]);
  });

  test('is a JSON log line if Node.js warns', () => {
    expect(readLines(`process.emitWarning('old');`)).toMatchObject([{ level: 40, msg: 'old' }]);
  });

  test('is a JSON log line if an error ends the process', () => {
    expect(readLines(`setImmediate(() => { throw new Error('unexpected'); });`)).toMatchObject([
      { level: 60, err: { message: 'unexpected' } },
    ]);
  });
});
