import { assessSameCapture, SAME_CAPTURE } from '../../domain/identity/biometrics/capture';
import type { LivenessAnalysis } from '../../domain/identity/biometrics/result';
import type { Risk } from '../../domain/identity/checks/risks';
import type { StoredFile } from '../../lib/files/stored-file';
import type { CheckOfKind } from '../../models/identity/checks/check';
import { CAPTURE_FIELDS, readEarlierCaptures, readSessionCaptures } from '../../services/identity/biometrics/captures';
import type { EarlierCapture } from '../../services/identity/biometrics/captures';
import type { SelfieSession } from '../../services/identity/biometrics/session-faces';
import { findSessionOfCheck } from '../../services/identity/sessions/session-store';
import type { Platform } from '../../services/platform/platform';
import type { VisionEngine } from './engine';
import type { Galleries } from './gallery/galleries';

type CaptureEngine = Pick<VisionEngine, 'compareCaptures'>;

/** Cosine of two embeddings from which the images may be one picture: copies of a picture are above 0.9. */
const CANDIDATE_SIMILARITY = 0.8;
const MAX_CANDIDATES = 2;

/** The largest of the correlations that were measured. */
const findMaximum = (correlations: readonly (number | null)[]): number | null =>
  correlations.reduce((best, value) => (value !== null && (best === null || value > best) ? value : best), null);

/** A liveness check, and what its selfie is compared with. */
export interface SelfieComparison {
  platform: Platform;
  engine: CaptureEngine;
  galleries: Galleries;
  check: CheckOfKind<'liveness'>;
  /** Null for a standalone check. */
  session: SelfieSession | null;
}

/** Whether the selfie and the document of a session without a face match are the same picture. */
async function compareWithDocument(
  { platform, engine, check, session }: SelfieComparison,
  selfie: StoredFile,
): Promise<Risk[]> {
  const images = await readSessionCaptures(platform, check, session, 'id');
  if (images.length === 0) return [];
  const others = images.map((file) => ({ file, onDocument: true }));
  const { correlations } = await engine.compareCaptures(selfie, others);
  return assessSameCapture(findMaximum(correlations), SAME_CAPTURE.session);
}

/** Whether the document and an earlier selfie of a session without a face match are the same picture. */
export async function compareWithSelfie(
  platform: Platform,
  engine: CaptureEngine,
  check: CheckOfKind<'id_verification'>,
  documentImages: readonly StoredFile[],
): Promise<Risk[]> {
  const others = documentImages.map((file) => ({ file, onDocument: true }));
  let best: number | null = null;
  const session = await findSessionOfCheck(check, { fields: CAPTURE_FIELDS });
  for (const selfie of await readSessionCaptures(platform, check, session, 'liveness')) {
    best = findMaximum([best, ...(await engine.compareCaptures(selfie, others)).correlations]);
  }
  return assessSameCapture(best, SAME_CAPTURE.session, { feature: 'id' });
}

/**
 * The risk of a selfie that was sent before. Under the same external id it is recorded without effect, because clients
 * repeat a verification with the same picture.
 */
function assessEarlierCapture(capture: EarlierCapture, correlation: number | null, externalId: string | null): Risk[] {
  const { faceId, sessionId } = capture;
  const samePerson = externalId !== null && capture.externalId === externalId;
  return assessSameCapture(correlation, SAME_CAPTURE.earlier, {
    ...(samePerson ? { action: 'ignore' } : {}),
    details: { faceId, ...(sessionId === null ? {} : { sessionId }) },
  });
}

/** Whether the selfie of a session is the same picture as an indexed face or the selfie of an approved session. */
async function compareWithEarlierEvidence(
  { platform, engine, galleries, check, session }: SelfieComparison,
  { selfie, embedding }: { selfie: StoredFile; embedding: readonly number[] },
): Promise<Risk[]> {
  if (session === null) return [];
  const { hits } = await galleries.search(check, {
    embedding: Float32Array.from(embedding),
    lists: ['users', 'blocklist'],
    topK: MAX_CANDIDATES,
    threshold: CANDIDATE_SIMILARITY,
    exclude: { sessionId: session._id, externalId: null },
  });
  const captures = await readEarlierCaptures(
    platform,
    check,
    hits.map(({ faceId }) => faceId),
  );
  if (captures.length === 0) return [];
  const others = captures.map(({ file }) => ({ file, onDocument: false }));
  const { correlations } = await engine.compareCaptures(selfie, others);
  const risks = captures.flatMap((capture, index) =>
    assessEarlierCapture(capture, correlations[index] ?? null, session.externalId),
  );
  const effective = risks.find(({ action }) => action !== 'ignore') ?? risks[0];
  return effective === undefined ? [] : [effective];
}

/** Whether the selfie of a liveness check is the same picture as its session's document or as earlier evidence. */
export async function findSameCaptures(
  comparison: SelfieComparison,
  { result, embedding }: LivenessAnalysis,
  images: ReadonlyMap<string, StoredFile>,
): Promise<Risk[]> {
  const selfie = images.get(result.active === null ? 'image' : `frames[${result.active.bestFrame ?? 0}]`);
  if (selfie === undefined || embedding === null) return [];
  const inSession = await compareWithDocument(comparison, selfie);
  return inSession.length > 0 ? inSession : compareWithEarlierEvidence(comparison, { selfie, embedding });
}
