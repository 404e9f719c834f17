import { useQuery } from '@tanstack/react-query';
import { identity, identityQuery } from '../../../shared/api/identity';

/** Links expire after five minutes; a picture that is still shown then is not requested, and audited, once more. */
const LINK_SECONDS = 240;

/** The path of a link of the API, so that it is requested from this very host. */
export function toPath(link: string): string {
  const { pathname, search } = new URL(link);
  return pathname + search;
}

/** A link to the preview of a picture. The service records each request in the audit log. */
export const useEvidence = (sessionId: string, evidenceId: string) =>
  useQuery({
    ...identityQuery('getSessionEvidence', [sessionId, evidenceId, 'preview'], async (options) => {
      const { url } = await identity.getSessionEvidence(sessionId, evidenceId, { preview: 'true' }, options);
      return toPath(url);
    }),
    staleTime: LINK_SECONDS * 1000,
    refetchOnWindowFocus: false,
  });

/** A file as it was sent, for formats that have no preview. The service records each request in the audit log. */
export const useEvidenceFile = (sessionId: string, evidenceId: string) =>
  useQuery({
    ...identityQuery('getSessionEvidence', [sessionId, evidenceId, 'file'], async (options) => {
      const { url } = await identity.getSessionEvidence(sessionId, evidenceId, {}, options);
      return (await fetch(toPath(url), options)).blob();
    }),
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  });
