import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { ConnectionError } from '../../../../clients/typescript/src/errors';

/** What the OpenAPI document says about an event. */
const eventSchema = z.object({
  post: z.object({
    summary: z.string(),
    requestBody: z.object({
      content: z.object({ 'application/json': z.object({ example: z.unknown() }) }),
    }),
  }),
});

const documentSchema = z.object({ webhooks: z.record(z.string(), eventSchema) });

export interface EventDescription {
  type: string;
  /** When the event is sent, in English. */
  summary: string;
  example: unknown;
}

const UNAVAILABLE = {
  code: 'unavailable',
  message: 'The description of the API could not be read.',
  details: {},
  requestId: null,
  retryAfterSeconds: null,
};

const DOCUMENTS = ['/openapi/identity.json'] as const;

async function readEvents(signal: AbortSignal): Promise<EventDescription[]> {
  const documents = await Promise.all(
    DOCUMENTS.map(async (path) => {
      const response = await fetch(path, { signal });
      if (!response.ok) throw new ConnectionError({ ...UNAVAILABLE, status: response.status });
      return documentSchema.parse(await response.json());
    }),
  );
  const events = documents.flatMap(({ webhooks }) => Object.entries(webhooks));
  return events
    .map(([type, { post }]) => ({
      type,
      summary: post.summary,
      example: post.requestBody.content['application/json'].example,
    }))
    .sort((one, other) => one.type.localeCompare(other.type, 'en'));
}

/** Every event that webhooks can subscribe to, from the contract that the API serves. */
export const eventsQuery = queryOptions({
  queryKey: ['openapi', 'events'],
  queryFn: ({ signal }) => readEvents(signal),
  staleTime: Infinity,
});
