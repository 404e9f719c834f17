import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import mongoose from 'mongoose';
import { z } from 'zod';
import { evaluate } from '../evaluate';
import { pollUntilFound } from '../poll';
import { findFreePort } from '../processes';
import type { Fault } from './faults';

const MEMBERS = 3;
/** The members elect another primary once one has not responded for this long; the default is ten seconds. */
const ELECTION_TIMEOUT_MS = 3000;
/** For this long a primary that stepped down is not elected again. */
const STEP_DOWN_SECONDS = 20;

/** Names of the faults that a replica set has. */
export const REPLICA_SET_FAULTS = ['step down primary', 'kill primary', 'pause primary'] as const;

interface Member {
  port: number;
  folder: string;
  process: ChildProcess;
}

/** The path of mongod, although the environment names the server of the test stack. */
const findMongod = (): string =>
  z
    .string()
    .parse(
      evaluate(
        `import { resolveTool } from './scripts/toolchain/resolver.mjs'; import { tools, toolsFolder } from './scripts/toolchain/tools.mjs';`,
        `(await resolveTool(tools.mongod, { dir: toolsFolder(), env: { PATH: process.env.PATH } })).executable`,
      ),
    );

function startMember(executable: string, port: number, folder: string): ChildProcess {
  mkdirSync(folder, { recursive: true });
  const address = ['--port', String(port), '--bind_ip', '127.0.0.1', '--nounixsocket'];
  const data = ['--dbpath', folder, '--replSet', 'vouch', '--wiredTigerCacheSizeGB', '0.25', '--oplogSize', '256'];
  return spawn(executable, [...address, ...data, '--quiet'], { stdio: 'ignore' });
}

/** A MongoDB replica set with three members on this machine. */
export class ReplicaSet {
  private constructor(
    private readonly executable: string,
    private readonly folder: string,
    private readonly members: readonly Member[],
  ) {}

  /** Starts three members in a new folder and initiates them. @throws Error if they elect no primary, with all ended */
  static async start(): Promise<ReplicaSet> {
    const executable = findMongod();
    const folder = mkdtempSync(path.join(tmpdir(), 'vouch-replica-set-'));
    const members: Member[] = [];
    for (let index = 0; index < MEMBERS; index += 1) {
      const port = findFreePort();
      const data = path.join(folder, String(index));
      members.push({ port, folder: data, process: startMember(executable, port, data) });
    }
    const set = new ReplicaSet(executable, folder, members);
    try {
      await set.initiate();
      return set;
    } catch (error) {
      await set.stop();
      throw error;
    }
  }

  /** For clients that follow the primary. */
  get url(): string {
    return `mongodb://${this.members.map(({ port }) => `127.0.0.1:${port}`).join(',')}/vouch?replicaSet=vouch`;
  }

  private async initiate(): Promise<void> {
    const members = this.members.map(({ port }, id) => ({ _id: id, host: `127.0.0.1:${port}` }));
    const settings = { electionTimeoutMillis: ELECTION_TIMEOUT_MS };
    await pollUntilFound(() => this.command(this.members[0], { replSetInitiate: { _id: 'vouch', members, settings } }));
    await this.untilComplete();
  }

  /** Runs a command on one member; undefined without a member, or if it does not respond or refuses. */
  private async command(
    member: Member | undefined,
    command: mongoose.mongo.Document,
  ): Promise<mongoose.mongo.Document | undefined> {
    if (member === undefined) return undefined;
    const url = `mongodb://127.0.0.1:${member.port}/?directConnection=true`;
    const client = new mongoose.mongo.MongoClient(url, { serverSelectionTimeoutMS: 1000, socketTimeoutMS: 5000 });
    try {
      return await client.db('admin').command(command);
    } catch {
      return undefined;
    } finally {
      await client.close();
    }
  }

  private async findPrimary(): Promise<Member | undefined> {
    const answers = await Promise.all(this.members.map((member) => this.command(member, { hello: 1 })));
    return this.members[answers.findIndex((answer) => answer?.['isWritablePrimary'] === true)];
  }

  /** Starts the members that have ended, and waits until there is a primary and every other member follows it. */
  async untilComplete(): Promise<void> {
    for (const member of this.members)
      if (member.process.exitCode !== null || member.process.signalCode !== null)
        member.process = startMember(this.executable, member.port, member.folder);
    await pollUntilFound(async () => {
      const status = await this.command(await this.findPrimary(), { replSetGetStatus: 1 });
      const states = ((status?.['members'] ?? []) as { stateStr: string }[]).map(({ stateStr }) => stateStr);
      return states.sort().join() === 'PRIMARY,SECONDARY,SECONDARY' ? true : undefined;
    });
  }

  private async withPrimary(act: (primary: Member) => Promise<void> | void): Promise<void> {
    await this.untilComplete();
    const primary = await this.findPrimary();
    if (primary === undefined) throw new Error('The replica set has no primary.');
    await act(primary);
  }

  /** Ways to lose the primary. Each begins with a complete set. */
  listFaults(): Fault[] {
    let paused: Member | undefined;
    return [
      {
        name: 'step down primary',
        begin: () =>
          this.withPrimary(async (primary) => {
            await this.command(primary, { replSetStepDown: STEP_DOWN_SECONDS, secondaryCatchUpPeriodSecs: 10 });
          }),
      },
      {
        name: 'kill primary',
        begin: () => this.withPrimary((primary) => void primary.process.kill('SIGKILL')),
      },
      {
        name: 'pause primary',
        begin: () =>
          this.withPrimary((primary) => {
            paused = primary;
            primary.process.kill('SIGSTOP');
          }),
        end: () => void paused?.process.kill('SIGCONT'),
      },
    ];
  }

  /** Kills all members, paused ones too, and removes their data. */
  async stop(): Promise<void> {
    for (const { process: member } of this.members) {
      if (member.exitCode !== null || member.signalCode !== null) continue;
      const ended = once(member, 'exit');
      member.kill('SIGCONT');
      member.kill('SIGKILL');
      await ended;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}
