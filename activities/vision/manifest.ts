import { z } from 'zod';
import type { ModelUse } from '../../domain/identity/biometrics/result';
import manifest from './models.json';

/** Roles of the neural networks. */
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
] as const;

const modelSchema = z.object({
  role: z.enum([...NETWORK_ROLES, 'text_dictionary']),
  name: z.string(),
  version: z.string(),
  file: z.string(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  licence: z.string(),
  provenance: z.string(),
});

export type ManifestModel = z.infer<typeof modelSchema>;
export type ModelRole = ManifestModel['role'];
export type NetworkRole = (typeof NETWORK_ROLES)[number];

const models = z.object({ models: z.array(modelSchema) }).parse(manifest).models;

/** Every model file of the engine, one per role. */
export const MODELS: readonly ManifestModel[] = models;

/** The model of a role; the manifest contains each role once. */
export function getModel(role: ModelRole): ManifestModel {
  const found = models.find((entry) => entry.role === role);
  if (found === undefined) throw new Error(`The model manifest contains no ${role}.`);
  return found;
}

/** The models used for a result, in the form results state them. */
export const listModelUses = (...roles: ModelRole[]): ModelUse[] =>
  roles.map((role) => {
    const { name, version, sha256 } = getModel(role);
    return { role, name, version, sha256 };
  });
