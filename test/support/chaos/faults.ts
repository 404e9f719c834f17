import { readFileSync } from 'node:fs';
import { mongo } from 'mongoose';
import { listProcessTree } from '../../../bench/soak/process-trees';
import type { SharedStack } from '../shared-stack';
import type { Proxied } from './chaos-stack';
import type { ProxyMode } from './proxy';
import { DISKS } from './small-disks';

/** Something that goes wrong for a while, or at once if it has no end. */
export interface Fault {
  /** Action and target, such as `kill api`. */
  name: string;
  begin(): Promise<void> | void;
  end?(): Promise<void> | void;
  /** Whether invoices are accepted while it lasts: it ends once they are. */
  accepts?: boolean;
}

const PROCESSES = ['api', 'worker', 'mongod', 'temporal', 's3'] as const;

/** Command lines of child processes of the worker. */
const CHILDREN = { chromium: /--headless/, decoder: /decoding\/child\.js/ } as const;

const readCommand = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return '';
  }
};

/** Sends a signal to the first child process of the worker with this command line, if there is one. */
function signalChild(stack: SharedStack, name: keyof typeof CHILDREN, signal: NodeJS.Signals): void {
  const worker = stack.run().pids['worker'];
  const pid = listProcessTree(worker ?? 0).find((each) => CHILDREN[name].test(readCommand(each)));
  if (pid !== undefined) process.kill(pid, signal);
}

const listKills = (stack: SharedStack): Fault[] => [
  ...PROCESSES.map((role) => ({ name: `kill ${role}`, begin: () => stack.kill(role) })),
  ...(['chromium', 'decoder'] as const).map((child) => ({
    name: `kill ${child}`,
    begin: () => signalChild(stack, child, 'SIGKILL'),
  })),
  {
    name: 'kill launcher',
    async begin() {
      stack.kill('launcher');
      await stack.restart();
    },
  },
];

const listPauses = (stack: SharedStack): Fault[] => [
  ...[...PROCESSES, 'launcher'].map((role) => ({
    name: `pause ${role}`,
    begin: () => stack.kill(role, 'SIGSTOP'),
    end: () => stack.kill(role, 'SIGCONT'),
    // Requests are answered before Temporal has accepted their workflows.
    accepts: role === 'temporal',
  })),
  ...(['chromium', 'decoder'] as const).map((child) => ({
    name: `pause ${child}`,
    begin: () => signalChild(stack, child, 'SIGSTOP'),
    end: () => signalChild(stack, child, 'SIGCONT'),
  })),
];

const NETWORK_MODES: readonly ProxyMode[] = ['refuse', 'stall', 'lose', 'delay'];

const listNetworkFaults = ({ proxies }: SharedStack): Fault[] => {
  const disturb = (target: Proxied, mode: ProxyMode): Fault => ({
    name: `${mode} ${target}`,
    begin: () => proxies[target].disturb(mode),
    end: () => proxies[target].disturb('forward'),
  });
  return [
    disturb('api', 'duplicate'),
    ...(['api', 'mongo', 'temporal', 's3'] as const).flatMap((target) =>
      NETWORK_MODES.map((mode) => disturb(target, mode)),
    ),
  ];
};

/** Runs a command on the primary, without the proxy. */
async function runMongoCommand(stack: SharedStack, command: mongo.Document): Promise<void> {
  const client = new mongo.MongoClient(stack.run().mongo, { serverSelectionTimeoutMS: 2000 });
  try {
    await client.db('admin').command(command);
  } finally {
    await client.close();
  }
}

const listFullDisks = (stack: SharedStack): Fault[] => {
  const { disks } = stack;
  if (typeof disks === 'string') return [];
  return DISKS.map((disk) => ({
    name: `full disk ${disk}`,
    async begin() {
      disks.fill(disk);
      // Its files have room for some seconds; a checkpoint needs more, and the process ends without it.
      if (disk === 'mongo') await runMongoCommand(stack, { fsync: 1 }).catch(() => undefined);
    },
    end: () => disks.free(disk),
  }));
};

/** The primary steps down; a replica set with one member elects it again after two seconds. */
const stepDown = (stack: SharedStack): Fault => ({
  name: 'step down mongod',
  begin: () => runMongoCommand(stack, { replSetStepDown: 2, secondaryCatchUpPeriodSecs: 0, force: true }),
});

/** Every fault that can be injected on this machine. */
export const listFaults = (stack: SharedStack): Fault[] => [
  ...listKills(stack),
  ...listPauses(stack),
  ...listNetworkFaults(stack),
  ...listFullDisks(stack),
  stepDown(stack),
];
