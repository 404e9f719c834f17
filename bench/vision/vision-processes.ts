import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { makeDemoImages } from '../../scripts/demo/images';
import type { BenchmarkOptions } from '../benchmark';
import { readLoadAverage } from '../process-meters';
import { percentile, report, roundTo } from '../report';
import { roundResultSchema } from './session-rounds';
import type { StartMessage } from './session-rounds';

const SESSIONS = 5;
/** Rounds with one process and with two, in turn, since the speed of the machine varies. */
const ROUNDS = 5;

async function receiveResult(child: ChildProcess): Promise<number> {
  const message = await new Promise<unknown>((resolve) => child.once('message', resolve));
  return roundResultSchema.parse(message).processorMs;
}

/** A process with an engine of one inference thread. */
class SessionProcess {
  private constructor(
    private readonly child: ChildProcess,
    private processorMs: number,
  ) {}

  static async start(message: StartMessage): Promise<SessionProcess> {
    const child = fork(path.join(__dirname, 'session-process.js'), [], { serialization: 'advanced' });
    child.send(message);
    return new SessionProcess(child, await receiveResult(child));
  }

  /** Verifies sessions one after another. @returns the processor time used, in ms, without decoders */
  async verify(sessions: number): Promise<number> {
    this.child.send({ sessions });
    const before = this.processorMs;
    this.processorMs = await receiveResult(this.child);
    return this.processorMs - before;
  }

  async end(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.disconnect();
    await ended;
  }
}

/** Verifies as many sessions in each process, at the same time. */
async function measureRound(processes: readonly SessionProcess[]) {
  const start = performance.now();
  const used = await Promise.all(processes.map((each) => each.verify(SESSIONS)));
  const sessions = processes.length * SESSIONS;
  return {
    perMinute: (sessions / (performance.now() - start)) * 60_000,
    processorMs: used.reduce((sum, each) => sum + each, 0) / sessions,
  };
}

type Round = Awaited<ReturnType<typeof measureRound>>;

const describe = (name: string, rounds: readonly Round[]): Record<string, number> => ({
  [`${name}PerMinute`]: roundTo(
    percentile(
      rounds.map(({ perMinute }) => perMinute),
      0.5,
    ),
    1,
  ),
  [`${name}CpuMs`]: roundTo(
    percentile(
      rounds.map(({ processorMs }) => processorMs),
      0.5,
    ),
    1,
  ),
});

/**
 * Verifies the documents and faces of sessions in one process and in two, each with one inference thread, in turn. On
 * two cores that nothing else uses, the ratio says what the processes cost each other.
 */
export async function benchVisionProcesses({ modelsDir }: BenchmarkOptions): Promise<void> {
  const { passport, selfie } = await makeDemoImages();
  const message = { modelsDir, passport: passport.body, selfie: selfie.body };
  const processes = await Promise.all([SessionProcess.start(message), SessionProcess.start(message)]);
  await measureRound(processes);
  const rounds: Record<'one' | 'two', Round[]> = { one: [], two: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.one.push(await measureRound(processes.slice(0, 1)));
    rounds.two.push(await measureRound(processes));
  }
  await Promise.all(processes.map((each) => each.end()));
  const ratios = rounds.one.map(({ perMinute }, index) => (rounds.two[index]?.perMinute ?? 0) / perMinute);
  report('vision-processes', {
    sessionsPerRound: SESSIONS,
    rounds: ROUNDS,
    ...describe('one', rounds.one),
    ...describe('two', rounds.two),
    ratio: roundTo(percentile(ratios, 0.5), 2),
    load: readLoadAverage(),
  });
}
