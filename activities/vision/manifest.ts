import { z } from 'zod';
import type { ModelUse } from '../../domain/identity/biometrics/result';
import manifest from './models.json';

/** Roles of the neural networks that every thread loads at its start. */
export const NETWORK_ROLES = [
  'face_detector',
  'face_landmarks',
  'face_embedding',
  'face_liveness',
  'face_age',
  'face_pose',
  'eye_state',
  'text_detector',
  'text_recogniser',
  'mrz_recogniser',
] as const;

/** Roles of the networks that a thread loads when it first needs them. */
export const RARE_NETWORK_ROLES = ['text_head'] as const;

const modelSchema = z.object({
  role: z.enum([...NETWORK_ROLES, ...RARE_NETWORK_ROLES, 'text_dictionary']),
  name: z.string(),
  version: z.string(),
  file: z.string(),
  /** true for a model of this project, whose file is next to the manifest instead of in the models folder */
  bundled: z.boolean().default(false),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** of the file that the model was converted from at installation */
  publishedSha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  licence: z.string(),
  provenance: z.string(),
});

export type ManifestModel = z.infer<typeof modelSchema>;
export type ModelRole = ManifestModel['role'];
export type NetworkRole = (typeof NETWORK_ROLES | typeof RARE_NETWORK_ROLES)[number];

const models = z.object({ models: z.array(modelSchema) }).parse(manifest).models;

/** Every model file of the engine, one per role. */
export const MODELS: readonly ManifestModel[] = models;

/** The model of a role; the manifest contains each role once. */
export function getModel(role: ModelRole): ManifestModel {
  const found = models.find((entry) => entry.role === role);
  if (found === undefined) throw new Error(`The model manifest contains no ${role}.`);
  return found;
}

/**
 * The identity of the weights that embed faces. Conversions do not change embeddings, so it is the SHA-256 of the
 * published file: embeddings of before a conversion remain comparable.
 */
export function getEmbeddingWeights(): string {
  const { publishedSha256, sha256 } = getModel('face_embedding');
  return publishedSha256 ?? sha256;
}

/** The models used for a result, in the form results state them. */
export const listModelUses = (...roles: ModelRole[]): ModelUse[] =>
  roles.map((role) => {
    const { name, version, sha256 } = getModel(role);
    return { role, name, version, sha256 };
  });
