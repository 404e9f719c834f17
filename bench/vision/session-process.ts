// Entry point of a process of the benchmark `vision-processes`: verifies sessions with an engine of its own.
import { getCalendarDays } from '../../domain/identity/calendar-days';
import { createVisionEngine } from '../../activities/vision/engine';
import { growHeapBetweenCollections } from '../../workers/garbage-collection';
import { roundSchema, startMessageSchema } from './session-rounds';
import type { StartMessage } from './session-rounds';
import { toStoredFile } from './stored-file';

growHeapBetweenCollections();

/** Starts the engine. @returns makes the checks of a session, one after another like the slot of a worker */
async function prepareSession({ modelsDir, ...images }: StartMessage): Promise<() => Promise<void>> {
  const engine = await createVisionEngine({ modelsDir, threads: 1 });
  const front = toStoredFile(Buffer.from(images.passport));
  const selfie = toStoredFile(Buffer.from(images.selfie));
  const days = getCalendarDays(new Date());
  return async () => {
    await engine.readDocument({ front, days });
    await engine.analyseLiveness(selfie);
    await engine.matchFaces(selfie, front, { refIsDocument: true });
  };
}

function reply(): void {
  const { user, system } = process.cpuUsage();
  process.send?.({ processorMs: (user + system) / 1000 });
}

process.once('message', (message) => {
  const prepared = prepareSession(startMessageSchema.parse(message));
  const run = async (request: unknown): Promise<void> => {
    const verify = await prepared;
    const { sessions } = roundSchema.parse(request);
    for (let count = 0; count < sessions; count += 1) await verify();
    reply();
  };
  process.on('message', (request) => void run(request));
  void prepared.then(reply);
});
process.once('disconnect', () => process.exit(0));
