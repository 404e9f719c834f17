// The only module that creates and runs ONNX Runtime sessions.
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { requireDisabledTelemetry } from '../../../lib/inference-telemetry';
import { NETWORK_ROLES } from '../manifest';
import type { NetworkRole } from '../manifest';
import { readModel } from './model-files';

/** How often and how long networks ran. */
export type ModelUsage = Partial<Record<NetworkRole, { runs: number; seconds: number }>>;

/** Output tensor of a network. */
export interface Output {
  data: Float32Array;
  dims: readonly number[];
}

// One thread per session: the pool already runs one worker per slot, and more threads would compete with the other
// slots.
const OPTIONS: InferenceSession.SessionOptions = {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: 'sequential',
  graphOptimizationLevel: 'all',
  logSeverityLevel: 3,
};

/** The networks of one thread and the dictionary of the text recogniser. `run` blocks the thread it is called on. */
export class Networks {
  private readonly sessions = new Map<NetworkRole, Promise<InferenceSession>>();
  private input = new Float32Array(0);
  private usage: ModelUsage = {};

  private constructor(
    private readonly modelsDir: string,
    /**
     * Characters by class; class 0 is the CTC blank. The recogniser has the first classes only, those of Latin, Greek
     * and Cyrillic; the head has all.
     */
    readonly dictionary: readonly string[],
  ) {}

  /** Loads the networks that every thread needs; the SHA-256 of each file is verified before use. */
  static async load(modelsDir: string): Promise<Networks> {
    requireDisabledTelemetry();
    const dictionary = (await readModel(modelsDir, 'text_dictionary')).toString('utf8').split('\n');
    const networks = new Networks(modelsDir, dictionary);
    for (const role of NETWORK_ROLES) await networks.open(role);
    return networks;
  }

  private open(role: NetworkRole): Promise<InferenceSession> {
    const existing = this.sessions.get(role);
    if (existing !== undefined) return existing;
    const opened = readModel(this.modelsDir, role).then((bytes) => InferenceSession.create(bytes, OPTIONS));
    this.sessions.set(role, opened);
    // A file that could not be read is tried again by the next task.
    opened.catch(() => this.sessions.delete(role));
    return opened;
  }

  /**
   * A buffer for the input of the next run, whose values are undefined. It is used again for the run after that: without
   * it, collecting the garbage of large inputs takes several percent of the time of a document.
   */
  takeInput(length: number): Float32Array {
    if (this.input.length < length) this.input = new Float32Array(length);
    return this.input.subarray(0, length);
  }

  /** Runs a network on one input tensor; outputs are returned in the order the model declares them. */
  async run(role: NetworkRole, data: Float32Array, dims: readonly number[]): Promise<Output[]> {
    const session = await this.open(role);
    const name = session.inputNames[0];
    if (name === undefined) throw new Error(`The ${role} has no input.`);
    const startedAt = performance.now();
    const results = await session.run({ [name]: new Tensor('float32', data, dims) });
    this.addUsage(role, performance.now() - startedAt);
    return session.outputNames.map((output) => {
      const tensor = results[output];
      if (tensor === undefined || !(tensor.data instanceof Float32Array)) {
        throw new Error(`The output ${output} of ${role} is not a float32 tensor.`);
      }
      return { data: tensor.data, dims: tensor.dims };
    });
  }

  private addUsage(role: NetworkRole, milliseconds: number): void {
    const { runs, seconds } = this.usage[role] ?? { runs: 0, seconds: 0 };
    this.usage[role] = { runs: runs + 1, seconds: seconds + milliseconds / 1000 };
  }

  /** How often and how long each network ran since the last call. */
  takeUsage(): ModelUsage {
    const { usage } = this;
    this.usage = {};
    return usage;
  }

  /** Runs a network and returns its first output. */
  async runFirstOutput(role: NetworkRole, data: Float32Array, dims: readonly number[]): Promise<Float32Array> {
    const [output] = await this.run(role, data, dims);
    if (output === undefined) throw new Error(`The ${role} has no output.`);
    return output.data;
  }

  /** Frees the native memory of the networks that were loaded; none may be used afterwards. */
  async release(): Promise<void> {
    await Promise.all([...this.sessions.values()].map(async (session) => (await session).release()));
  }
}
