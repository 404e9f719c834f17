/** Parts of reading a document whose time `npm run bench -- document-stages` prints. */
export type Stage =
  | 'text detection'
  | 'line recognition'
  | 'machine-readable zone'
  | 'portrait'
  | 'quality'
  | 'fine structure'
  | 'barcode'
  | 'fields';

/** Receives the begin and end of every stage of the running task; stages may contain others. */
export interface StageRecorder {
  enter(stage: Stage): void;
  leave(stage: Stage): void;
}

// A thread runs one task at a time, so one recorder is enough. Only the benchmark sets it.
let recorder: StageRecorder | null = null;

/** Records the stages of all further tasks of this thread; null ends it. */
export function recordStages(next: StageRecorder | null): void {
  recorder = next;
}

/** Runs a stage. */
export async function runStage<T>(stage: Stage, work: () => T | Promise<T>): Promise<T> {
  if (recorder === null) return work();
  recorder.enter(stage);
  try {
    return await work();
  } finally {
    recorder?.leave(stage);
  }
}
