import { z } from 'zod';
import { REVIEW_DECISIONS } from '../../../domain/identity/sessions/session';
import type { SessionNote, SessionRecord } from '../../../models/identity/sessions/session';
import { actorName, findActorName } from '../../platform/access/actor-names';
import type { ActorNames } from '../../platform/access/actor-names';
import { featureSchema, sessionStatusSchema } from './session-values';

const instant = z.iso.datetime();

export const reviewSchema = z
  .object({
    decision: z.enum(REVIEW_DECISIONS),
    from: sessionStatusSchema,
    to: sessionStatusSchema,
    reason: z.string().nullable(),
    comment: z.string().nullable(),
    steps: z.array(featureSchema).meta({ description: 'Steps to submit again.' }),
    override: z.boolean(),
    by: z.string(),
    byName: actorName,
    at: instant,
  })
  .meta({ id: 'Review' });

export const noteSchema = z
  .object({ id: z.string(), text: z.string(), by: z.string(), byName: actorName, at: instant })
  .meta({ id: 'SessionNote' });

export const exampleNote = {
  id: 'nte_01JQZ5B7D9F1H3K5M7P9R1T3V5',
  text: 'Called the customer: the name changed by marriage.',
  by: 'usr_01JQZ4R8W3M6N9P2T5V8X1Y4Z7',
  byName: 'Alex Kim',
  at: '2026-11-21T10:20:00.000Z',
};

/** Response body of a note. @param names current names of users and API keys */
export const presentNote = ({ id, text, by, at }: SessionNote, names: ActorNames): z.infer<typeof noteSchema> => ({
  id,
  text,
  by,
  byName: findActorName(names, by),
  at: at.toISOString(),
});

/** Response body of a decision of a reviewer. @param names current names of users and API keys */
export const presentReview = (
  review: SessionRecord['reviews'][number],
  names: ActorNames,
): z.infer<typeof reviewSchema> => ({
  ...review,
  byName: findActorName(names, review.by),
  at: review.at.toISOString(),
});
