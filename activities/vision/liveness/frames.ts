import {
  ACTION_LIMITS,
  computeActiveScore,
  evaluateSequence,
} from '../../../domain/identity/biometrics/active-liveness';
import type {
  FrameObservation,
  LivenessAction,
  SequenceEvaluation,
} from '../../../domain/identity/biometrics/active-liveness';
import { assessLivenessRisks } from '../../../domain/identity/biometrics/liveness';
import type { LivenessAnalysis, LivenessResult } from '../../../domain/identity/biometrics/result';
import { FACE_LIMITS, LIVENESS } from '../../../domain/identity/biometrics/thresholds';
import { buildRisk, computeVerdict } from '../../../domain/identity/checks/risks';
import type { Risk, RiskCode } from '../../../domain/identity/checks/risks';
import type { DecodedImage } from '../decoding/pool';
import { estimatePose, estimateEyesOpen } from '../faces/pose';
import { searchFaces, computeSecondFaceShare } from '../faces/search';
import type { FaceSearch } from '../faces/search';
import type { Networks } from '../inference/networks';
import { listModelUses } from '../manifest';
import { assessLiveness } from './analyse';

/** The actions requested of the person, in this order. */
export interface LivenessChallenge {
  challengeId: string;
  actions: readonly LivenessAction[];
}

/** Observes one frame; null without a face. */
async function observeFrame(networks: Networks, search: FaceSearch): Promise<FrameObservation | null> {
  const [largest] = search.faces;
  if (largest === undefined || search.embedding === null) return null;
  const { yaw, pitch } = await estimatePose(networks, search.image, largest.box);
  return {
    yaw,
    pitch,
    eyesOpen: Math.max(...(await estimateEyesOpen(networks, search.image, largest.landmarks))),
    size: largest.box.height / search.image.height,
    embedding: search.embedding.values,
    crowded: computeSecondFaceShare(search) >= FACE_LIMITS.secondFaceShare,
  };
}

/** Risks of the evaluated image that say less than those of the sequence. */
const JUDGED_BY_SEQUENCE: ReadonlySet<RiskCode> = new Set(['attack_suspected', 'liveness_low', 'multiple_faces']);

/** Risks of the sequence as a whole; those of its score are from `assessLivenessRisks`. */
function findSequenceRisks(judged: SequenceEvaluation, frames: number): Risk[] {
  const risks: Risk[] = [];
  const { actions, unexpected, complete, samePerson, facelessFrames, crowdedFrames } = judged;
  if (facelessFrames > frames * ACTION_LIMITS.facelessShare) {
    risks.push(buildRisk('no_face', { feature: 'liveness', details: { frames: facelessFrames } }));
  }
  if (crowdedFrames > 0) risks.push(buildRisk('multiple_faces', { details: { frames: crowdedFrames } }));
  if (!complete && samePerson) {
    // Missing actions are not evidence of an attack; the person may try again.
    const missing = actions.find(({ frame }) => frame === null)?.action ?? null;
    risks.push(buildRisk('liveness_low', { action: 'decline', details: { missing, unexpected } }));
  }
  return risks;
}

/**
 * Active liveness: whether the frames, in chronological order, show one person performing the requested actions in
 * order. The most frontal frame is also assessed for passive liveness.
 */
export async function analyseFrames(
  networks: Networks,
  frames: readonly DecodedImage[],
  { challengeId, actions }: LivenessChallenge,
): Promise<LivenessAnalysis> {
  const observations: (FrameObservation | null)[] = [];
  for (const frame of frames)
    observations.push(await observeFrame(networks, await searchFaces(networks, frame.raster)));
  const judged = evaluateSequence(actions, observations);
  const image = frames[judged.bestFrame ?? 0];
  if (image === undefined) throw new Error('An active check has no frames.');
  const passive = await assessLiveness(networks, image, await searchFaces(networks, image.raster));
  const best = judged.bestFrame === null ? null : (observations[judged.bestFrame] ?? null);
  const score = passive.score === null ? null : computeActiveScore(judged, passive.score);
  const sequence = findSequenceRisks(judged, frames.length);
  const capture = passive.risks.filter(({ code }) => !JUDGED_BY_SEQUENCE.has(code));
  const risks = [
    // Without a face in that image, most of the frames may have none, which is one risk.
    ...capture.filter(({ code }) => !sequence.some((risk) => risk.code === code)),
    ...sequence,
    ...(score === null || passive.quality === null ? [] : assessLivenessRisks(score, passive.quality, LIVENESS)),
  ];
  const result: LivenessResult = {
    ...passive,
    method: 'active',
    active: {
      challengeId,
      actions: judged.actions,
      unexpected: judged.unexpected,
      frames: frames.length,
      facelessFrames: judged.facelessFrames,
      bestFrame: judged.bestFrame,
      passiveScore: passive.score,
      continuity: judged.continuity === null ? null : Math.round(judged.continuity * 1000) / 1000,
    },
    score,
    risks,
    status: computeVerdict(risks),
    models: listModelUses(
      'face_detector',
      'face_landmarks',
      'face_embedding',
      'face_liveness',
      'face_pose',
      'eye_state',
    ),
  };
  return { result, embedding: best === null ? null : Array.from(best.embedding) };
}
