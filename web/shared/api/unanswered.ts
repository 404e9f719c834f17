/**
 * Idempotency keys of requests that may have taken effect although they were not answered. The same request, sent again
 * by the user, has the same key, so that a payment whose response was lost counts once.
 */
const keys = new Map<string, string>();

/** Statuses of requests that were not executed yet, and can be sent again as they are. */
const UNDECIDED: ReadonlySet<number> = new Set([401, 408, 409, 425, 429]);

/** The address of a request, as `fetch` accepts it. */
type Input = Parameters<typeof fetch>[0];

/** A file by what distinguishes it from others without reading it. */
const describeEntry = ([name, value]: [string, string | File]): unknown[] =>
  typeof value === 'string' ? [name, value] : [name, value.name, value.size, value.type];

/** What a request asks for. */
function describeRequest(input: Input, { method, body }: RequestInit): string {
  const url = input instanceof Request ? input.url : String(input);
  const content = body instanceof FormData ? [...body].map(describeEntry) : typeof body === 'string' ? body : null;
  return JSON.stringify([method, url, content]);
}

/** Whether the service has executed the request, and its answer has arrived in whole. */
async function isAnswered(response: Response): Promise<boolean> {
  if (!response.ok) return response.status < 500 && !UNDECIDED.has(response.status);
  return response
    .clone()
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );
}

/** As `send`, but a request with an idempotency key that was not answered before is sent with the key that it had then. */
export const repeatWithSameKey =
  (send: (input: Input, init: RequestInit) => Promise<Response>): typeof fetch =>
  async (input, init = {}) => {
    const headers = new Headers(init.headers);
    const own = headers.get('idempotency-key');
    if (own === null) return send(input, init);
    const request = describeRequest(input, init);
    const key = keys.get(request) ?? own;
    headers.set('idempotency-key', key);
    keys.set(request, key);
    const response = await send(input, { ...init, headers });
    if (await isAnswered(response)) keys.delete(request);
    return response;
  };

/** The same request is a new one from now on, since the user has begun something else. */
export const forgetUnanswered = (): void => keys.clear();
