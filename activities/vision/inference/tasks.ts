import type { CalendarDays } from '../../../domain/identity/calendar-days';
import type {
  AgeResult,
  CaptureComparison,
  EmbeddingResult,
  FaceMatchResult,
  LivenessAnalysis,
} from '../../../domain/identity/biometrics/result';
import type { DocumentResult } from '../../../domain/identity/documents/result';
import type { LivenessChallenge } from '../liveness/frames';
import type { AddressProofResult } from '../../../domain/identity/documents/poa/result';
import type { DecodedImage, ExaminedImage } from '../decoding/pool';
import type { LetterPage } from '../decoding/protocol';

/** Input and output of the tasks of an inference thread. */
export interface VisionTasks {
  warmUp: { input: Record<string, never>; output: { networks: number } };
  readDocument: {
    input: { front: ExaminedImage; back: ExaminedImage | null; days: CalendarDays };
    output: DocumentResult;
  };
  readAddressProof: { input: { pages: LetterPage[]; days: CalendarDays }; output: AddressProofResult };
  analyseLiveness: { input: { image: DecodedImage }; output: LivenessAnalysis };
  analyseFrames: { input: { frames: DecodedImage[]; challenge: LivenessChallenge }; output: LivenessAnalysis };
  matchFaces: {
    input: { userImage: DecodedImage; refImage: DecodedImage; refIsDocument: boolean };
    output: FaceMatchResult;
  };
  compareCaptures: {
    input: { image: DecodedImage; others: { image: DecodedImage; onDocument: boolean }[] };
    output: CaptureComparison;
  };
  estimateAge: { input: { image: DecodedImage; minimumAge: number | null }; output: AgeResult };
  embed: { input: { image: DecodedImage; onDocument: boolean }; output: EmbeddingResult };
}

export type VisionTaskName = keyof VisionTasks;

export type VisionTask = {
  [Name in VisionTaskName]: { name: Name; input: VisionTasks[Name]['input'] };
}[VisionTaskName];
