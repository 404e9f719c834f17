import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';

/** Size of the disk of each engine, by the folder of its data. */
const MEGABYTES = { mongo: 1000, temporal: 300, s3: 500 } as const;
export type Disk = keyof typeof MEGABYTES;
export const DISKS = Object.keys(MEGABYTES) as Disk[];

const BALLAST = 'ballast';

/**
 * Small disks (tmpfs) for the data of engines, mounted in a mount namespace of their own: they end with this process, and
 * no other process sees them.
 */
export class SmallDisks {
  private constructor(
    private readonly holder: ChildProcess,
    private readonly folder: string,
  ) {}

  /**
   * Mounts the disks in `<home>/data`.
   * @returns the disks, or why they cannot be mounted: only root may
   */
  static async mount(home: string): Promise<SmallDisks | string> {
    const folder = path.join(home, 'data');
    const mounts = DISKS.map(
      (disk) => `mkdir -p "$1/${disk}" && mount -t tmpfs -o size=${MEGABYTES[disk]}m tmpfs "$1/${disk}"`,
    ).join(' && ');
    // cat ends with the pipe, hence with this process, and the namespace with the last process in it.
    const script = `${mounts} && echo mounted && exec cat`;
    const holder = spawn('unshare', ['--mount', 'sh', '-c', script, 'sh', folder], { stdio: ['pipe', 'pipe', 'pipe'] });
    const result = await new Promise<string | null>((resolve) => {
      let errors = '';
      holder.stderr?.on('data', (bytes: Buffer) => (errors += bytes.toString('utf8')));
      holder.stdout?.once('data', () => resolve(null));
      holder.once('error', ({ message }) => resolve(message));
      holder.once('close', () => resolve(errors.trim() || 'unshare ended'));
    });
    if (result !== null) return result;
    holder.unref();
    for (const stream of [holder.stdin, holder.stdout, holder.stderr])
      (stream as unknown as { unref(): void } | null)?.unref();
    return new SmallDisks(holder, folder);
  }

  /** A command that executes another one where the disks are mounted. */
  getPrefix(cwd: string): string[] {
    return ['nsenter', `--mount=/proc/${this.holder.pid}/ns/mnt`, 'env', '-C', cwd];
  }

  private getBallastFile(disk: Disk): string {
    return path.join(`/proc/${this.holder.pid}/root`, this.folder, disk, BALLAST);
  }

  /** Leaves no free byte. */
  fill(disk: Disk): void {
    // Ends with "No space left on device", as intended.
    spawnSync('dd', ['if=/dev/zero', `of=${this.getBallastFile(disk)}`, 'bs=64k']);
  }

  /** Gives back what `fill` has taken. */
  free(disk: Disk): void {
    rmSync(this.getBallastFile(disk), { force: true });
  }

  /** Ends the namespace, once no other process is in it. */
  close(): void {
    this.holder.stdin?.end();
  }
}
