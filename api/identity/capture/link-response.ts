import { z } from 'zod';
import type { IssuedLink } from '../../../services/identity/capture/links';

/** A link to the capture page. */
export const linkSchema = z
  .object({
    url: z.string().meta({
      description:
        'URL of the capture page with a token in its fragment, which opens it once. It is returned here only; do not log or store it.',
    }),
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: 'CaptureLink' });

export const exampleLink = {
  url: 'https://verify.example.com/verify#8t1Gk3…',
  expiresAt: '2026-11-28T09:58:00.000Z',
};

/** Response body of a new link. The URL contains the token, which is stored only as a hash. */
export const presentLink = ({ url, expiresAt }: IssuedLink): z.infer<typeof linkSchema> => ({
  url,
  expiresAt: expiresAt.toISOString(),
});
