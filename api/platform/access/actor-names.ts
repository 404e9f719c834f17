import { z } from 'zod';

/** Current names of users and API keys by their ids; those that were deleted are not among them. */
export type ActorNames = ReadonlyMap<string, string>;

export const actorName = z
  .string()
  .nullable()
  .meta({ description: 'Current name of the user or API key; null for one that was deleted.' });

/** The name of an actor where the service itself can be one. */
export const actorNameOrSystem = actorName.meta({
  description: 'Current name of the user or API key; null for `system` and for one that was deleted.',
});

/** @returns null for an actor that was deleted, or that is the service itself */
export const findActorName = (names: ActorNames, id: string): string | null => names.get(id) ?? null;
