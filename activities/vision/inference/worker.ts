// Entry point of an inference thread: loads the networks once, then runs one task at a time.
import { workerData } from 'node:worker_threads';
import { z } from 'zod';
import { readDocument } from '../documents/read';
import { estimateAge } from '../faces/age';
import { compareFaces, compareWithCaptures, embedLargestFace } from '../faces/match';
import { readAddressProof } from '../poa/read';
import { analyseLiveness } from '../liveness/analyse';
import { analyseFrames } from '../liveness/frames';
import { listModelUses } from '../manifest';
import { Networks } from './networks';
import type { ModelUsage } from './networks';
import type { VisionTask, VisionTasks } from './tasks';

type TaskOutput = VisionTasks[VisionTask['name']]['output'];

/** The output of a task and the networks that ran for it. */
export interface TaskReply<O = TaskOutput> {
  output: O;
  usage: ModelUsage;
}

async function runTask(networks: Networks, { name, input }: VisionTask): Promise<TaskOutput> {
  switch (name) {
    case 'warmUp':
      return { networks: 1 };
    case 'readDocument':
      return readDocument(networks, input);
    case 'readAddressProof':
      return readAddressProof(networks, input);
    case 'analyseLiveness':
      return analyseLiveness(networks, input.image);
    case 'analyseFrames':
      return analyseFrames(networks, input.frames, input.challenge);
    case 'matchFaces': {
      const user = await embedLargestFace(networks, input.userImage);
      return compareFaces(user, await embedLargestFace(networks, input.refImage, input.refIsDocument));
    }
    case 'compareCaptures':
      return compareWithCaptures(networks, input.image, input.others);
    case 'estimateAge':
      return estimateAge(networks, input.image, input.minimumAge);
    case 'embed': {
      const { embedding, image } = await embedLargestFace(networks, input.image, input.onDocument);
      return {
        embedding: embedding && Array.from(embedding),
        image,
        models: listModelUses('face_detector', 'face_landmarks', 'face_embedding', 'face_pose', 'eye_state'),
      };
    }
  }
}

// Piscina passes an array: its own settings first, then the workerData of the pool.
const { modelsDir } = z.object({ modelsDir: z.string() }).parse(Array.isArray(workerData) ? workerData[1] : workerData);

// Piscina waits for this promise before it assigns tasks to the thread, so the networks are loaded for every task.
export default Networks.load(modelsDir).then((networks) => async (task: VisionTask): Promise<TaskReply> => {
  const output = await runTask(networks, task);
  return { output, usage: networks.takeUsage() };
});
