import type { Response } from 'express';

/**
 * Whether the client has the current version: weak comparison of `If-None-Match` with the response's ETag (RFC 9110,
 * 13.1.2). Express' own check ignores `If-None-Match` in requests with `Cache-Control: no-cache`, which `fetch` adds to
 * every request that has `If-None-Match`.
 */
export function isNotModified(response: Response): boolean {
  const etag = response.get('ETag');
  const ifNoneMatch = response.req.get('If-None-Match');
  if (etag === undefined || ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()));
}
