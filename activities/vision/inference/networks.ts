// The only module that creates and runs ONNX Runtime sessions.
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { NETWORK_ROLES } from '../manifest';
import type { NetworkRole } from '../manifest';
import { readModel } from './model-files';

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
  private constructor(
    private readonly sessions: ReadonlyMap<NetworkRole, InferenceSession>,
    /** Characters of the recogniser by class; class 0 is the CTC blank. */
    readonly dictionary: readonly string[],
  ) {}

  /** Loads all networks; the SHA-256 of each file is verified before use. */
  static async load(modelsDir: string): Promise<Networks> {
    const sessions = new Map<NetworkRole, InferenceSession>();
    for (const role of NETWORK_ROLES) {
      sessions.set(role, await InferenceSession.create(await readModel(modelsDir, role), OPTIONS));
    }
    const lines = (await readModel(modelsDir, 'text_dictionary')).toString('utf8').split('\n');
    if (lines.at(-1) === '') lines.pop();
    return new Networks(sessions, ['', ...lines.map((line) => line.replace(/\r$/, '')), ' ']);
  }

  /** Runs a network on one input tensor; outputs are returned in the order the model declares them. */
  async run(role: NetworkRole, data: Float32Array, dims: readonly number[]): Promise<Output[]> {
    const session = this.sessions.get(role);
    const name = session?.inputNames[0];
    if (session === undefined || name === undefined) throw new Error(`No session for ${role}.`);
    const results = await session.run({ [name]: new Tensor('float32', data, dims) });
    return session.outputNames.map((output) => {
      const tensor = results[output];
      if (tensor === undefined || !(tensor.data instanceof Float32Array)) {
        throw new Error(`The output ${output} of ${role} is not a float32 tensor.`);
      }
      return { data: tensor.data, dims: tensor.dims };
    });
  }

  /** Runs a network and returns its first output. */
  async runFirstOutput(role: NetworkRole, data: Float32Array, dims: readonly number[]): Promise<Float32Array> {
    const [output] = await this.run(role, data, dims);
    if (output === undefined) throw new Error(`The ${role} has no output.`);
    return output.data;
  }

  async release(): Promise<void> {
    await Promise.all([...this.sessions.values()].map((session) => session.release()));
  }
}
