import type { Express, Request } from 'express';

/** Whether the client has the current version: weak comparison of `If-None-Match` with the ETag (RFC 9110, 13.1.2). */
function isNotModified({ method, res: response, headers }: Request): boolean {
  if (response === undefined || !['GET', 'HEAD'].includes(method) || response.statusCode !== 200) return false;
  const etag = response.get('ETag')?.replace(/^W\//, '');
  const ifNoneMatch = headers['if-none-match'];
  if (etag === undefined || ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()));
}

/**
 * Makes every response of the app 304 for a client that has the current version. Express' own check ignores
 * `If-None-Match` in requests with `Cache-Control: no-cache`, which `fetch` adds to every request that has
 * `If-None-Match`.
 */
export function answerNotModified(app: Express): void {
  Object.defineProperty(app.request, 'fresh', {
    configurable: true,
    get(this: Request) {
      return isNotModified(this);
    },
  });
}
