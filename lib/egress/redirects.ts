import type { Egress, EgressRequest, EgressResponse } from './egress';
import { egressError } from './failure';

const MAX_REDIRECTS = 4;
const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Sends a GET and follows at most four redirects, which publishers of files use. Every URL is checked.
 * @returns the last response and its URL
 * @throws AppError like {@link Egress.request}; `egress_failed` for too many redirects or a redirect without a URL
 */
export async function followRedirects(
  egress: Egress,
  request: Omit<EgressRequest, 'method' | 'body'>,
): Promise<{ response: EgressResponse; url: string }> {
  let { url } = request;
  for (let step = 0; step <= MAX_REDIRECTS; step += 1) {
    const response = await egress.request({ ...request, url, method: 'GET' });
    const header = response.headers['location'];
    const location = Array.isArray(header) ? header[0] : header;
    if (!REDIRECT_STATUSES.has(response.status) || location === undefined) return { response, url };
    if (!URL.canParse(location, url)) throw egressError('invalid_response');
    url = new URL(location, url).href;
  }
  throw egressError('invalid_response');
}
