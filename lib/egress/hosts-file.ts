import { readFile, stat } from 'node:fs/promises';
import { getAddressFamily } from './address';

/** Changes of the file take effect after this long. */
const RECHECK_MS = 5000;

/** Reads `address name alias…` lines; a comment starts with `#`. */
function parseHosts(text: string): Map<string, string[]> {
  const addressesByName = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = (line.split('#')[0] ?? '').trim().split(/\s+/);
    if (getAddressFamily(address) === 0) continue;
    for (const name of names.map((each) => each.toLowerCase()))
      addressesByName.set(name, [...(addressesByName.get(name) ?? []), address]);
  }
  return addressesByName;
}

/** The names of a hosts file, which c-ares does not read; they take precedence over DNS. */
export class HostsFile {
  private names = new Map<string, string[]>();
  private modifiedMs: number | null = null;
  private checkedAt = -Infinity;
  private check: Promise<void> = Promise.resolve();

  constructor(private readonly path = '/etc/hosts') {}

  /** @returns no address if the file does not have the name, or cannot be read */
  async find(name: string): Promise<readonly string[]> {
    if (performance.now() - this.checkedAt > RECHECK_MS) {
      this.checkedAt = performance.now();
      this.check = this.readIfChanged().catch(() => this.names.clear());
    }
    await this.check;
    return this.names.get(name) ?? [];
  }

  private async readIfChanged(): Promise<void> {
    const { mtimeMs } = await stat(this.path);
    if (mtimeMs === this.modifiedMs) return;
    this.names = parseHosts(await readFile(this.path, 'utf8'));
    this.modifiedMs = mtimeMs;
  }
}
