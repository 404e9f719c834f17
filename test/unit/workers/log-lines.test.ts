import pino from 'pino';
import { ApplicationFailure } from '@temporalio/common';
import type { ActivityExecuteInput } from '@temporalio/worker';
import type { Context } from '@temporalio/activity';
import { AppError } from '../../../domain/errors';
import { createActivityInterceptors } from '../../../workers/interceptors';
import { createTemporalLogger } from '../../../workers/temporal-runtime';

interface Line {
  level: number;
  msg: string;
  reason?: string;
  err?: object;
}

/** A logger and the lines that it has written. */
function createLog() {
  const lines: Line[] = [];
  const write = (text: string): void => void lines.push(JSON.parse(text) as Line);
  return { lines, logger: pino({ level: 'info', serializers: { err: pino.stdSerializers.err } }, { write }) };
}

/** The line that an activity leaves whose attempt fails with this error. */
async function failAttempt(error: Error, attempt = 1, lastFaults = 0): Promise<Line | undefined> {
  const { logger, lines } = createLog();
  const info = { activityType: 'runCheck', attempt, heartbeatDetails: { faults: lastFaults, lost: 0 } };
  const context = { info, heartbeat: () => undefined } as unknown as Context;
  const { inbound } = createActivityInterceptors(logger, { retriesFaults: false })(context);
  const input: ActivityExecuteInput = { args: [], headers: {} };
  await expect(inbound?.execute?.(input, () => Promise.reject(error))).rejects.toBeInstanceOf(ApplicationFailure);
  expect(lines.length).toBe(1);
  return lines[0];
}

describe('the line of a failed attempt', () => {
  const info = 30;
  const warn = 40;
  const error = 50;
  test.each([
    ['an input that cannot be processed', new AppError('no_face', 422, 'No face.'), info, 'AppError no_face No face.'],
    ['a turn that comes later', new AppError('busy', 503, 'Later.'), info, 'AppError busy Later.'],
    ['an outage', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }), warn, 'Error ECONNREFUSED connect'],
    [
      'a failure of an engine',
      new AppError('rendering_failed', 503, 'Again.'),
      warn,
      'AppError rendering_failed Again.',
    ],
  ])('%s is summarised without a stack', async (_, thrown, level, reason) => {
    const line = await failAttempt(thrown);
    expect(line).toMatchObject({ level, reason });
    expect(line).not.toHaveProperty('err');
  });

  test('an unexpected error has its stack at the first attempt and at the last, not in between', async () => {
    expect(await failAttempt(new TypeError('x'))).toMatchObject({ level: warn, err: { type: 'TypeError' } });
    expect(await failAttempt(new TypeError('x'), 2)).toMatchObject({ level: warn, reason: 'TypeError x' });
    expect(await failAttempt(new TypeError('x'), 4, 3)).toMatchObject({ level: error, err: { type: 'TypeError' } });
  });
});

describe('messages of the Temporal SDK', () => {
  test('are log lines with errors on one line, and repeat no failure of an activity or workflow', () => {
    const { logger, lines } = createLog();
    const sdk = createTemporalLogger(logger);
    sdk.warn('Poll failed', { taskQueue: 'vouch-vision', error: new Error('transport\nerror') });
    sdk.warn('Activity failed', { error: new Error('x') });
    sdk.info('Worker state changed', { state: 'RUNNING' });
    expect(lines).toMatchObject([
      { level: 40, msg: 'Poll failed', taskQueue: 'vouch-vision', reason: 'Error transport error' },
      { level: 30, msg: 'Worker state changed', state: 'RUNNING' },
    ]);
  });
});
