import { z } from 'zod';
import {
  BRAND_LOGO_LIMITS,
  findBrandLogo,
  readBrandLogo,
  removeBrandLogo,
  setBrandLogo,
} from '../../../services/identity/capture/brand-logos';
import type { BrandLogoFacts } from '../../../services/identity/capture/brand-logos';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { CAPTURE_PERMISSION } from './capture-credential';

const BRANDING_PATH = '/v1/branding';
const LOGO_PATH = '/v1/branding/logo';
const IMAGE_REPLY = { description: 'The image, PNG or JPEG.', contentType: 'image/*' } as const;
const NO_LOGO = { 404: 'The organisation has no logo.' } as const;

const { maxBytes, maxSide, maxPixels } = BRAND_LOGO_LIMITS;
const REQUIREMENTS = `PNG or JPEG of at most ${maxBytes / 1024} KB, ${maxSide} pixels a side and ${maxPixels / 1_000_000} megapixels.`;

const logoSchema = z.object({
  contentType: z.enum(['image/png', 'image/jpeg']),
  bytes: z.int().min(1),
  sha256: z.string().meta({ description: 'SHA-256 of the file, in hexadecimal.' }),
  updatedAt: z.iso.datetime(),
});

const LOGO_EXAMPLE = {
  contentType: 'image/png',
  bytes: 5120,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  updatedAt: '2026-11-21T10:00:00.000Z',
} as const;

const serialiseLogo = ({ updatedAt, ...logo }: BrandLogoFacts): z.infer<typeof logoSchema> => ({
  ...logo,
  updatedAt: updatedAt.toISOString(),
});

const showBranding = defineRoute({
  method: 'get',
  path: BRANDING_PATH,
  operationId: 'getBranding',
  summary: 'Get what the capture page shows of the organisation',
  tag: 'Capture',
  addition: true,
  permission: 'workflows:read',
  replies: {
    200: {
      description: 'The appearance; without a logo, `logo` is null.',
      schema: z.object({ logo: logoSchema.nullable() }),
      example: { logo: LOGO_EXAMPLE },
    },
  },
  async handle({ credential }) {
    const logo = await findBrandLogo(credential);
    return { status: 200, body: { logo: logo === null ? null : serialiseLogo(logo) } };
  },
});

const show = defineRoute({
  method: 'get',
  path: LOGO_PATH,
  operationId: 'getBrandLogo',
  summary: 'Get the logo of the capture page',
  tag: 'Capture',
  addition: true,
  permission: 'workflows:read',
  replies: { 200: IMAGE_REPLY },
  errors: NO_LOGO,
  async handle({ credential }) {
    const logo = await readBrandLogo(credential);
    return { status: 200, ...logo, headers: { 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' } };
  },
});

const set = defineRoute({
  method: 'put',
  path: LOGO_PATH,
  operationId: 'setBrandLogo',
  summary: 'Set the logo of the capture page',
  description: 'The organisation has one logo, which people see in live and in test mode.',
  tag: 'Capture',
  addition: true,
  permission: 'workflows:write',
  files: { logo: { required: true, description: REQUIREMENTS } },
  replies: {
    200: {
      description: 'The logo.',
      schema: z.object({ logo: logoSchema }),
      example: { logo: LOGO_EXAMPLE },
    },
  },
  errors: { 413: `The logo is larger than ${maxBytes / 1024} KB.` },
  async handle({ platform, credential }, { files }) {
    const body = files['logo']?.body ?? Buffer.alloc(0);
    return {
      status: 200,
      body: { logo: serialiseLogo(await setBrandLogo(platform, credential, credential.id, body)) },
    };
  },
});

const remove = defineRoute({
  method: 'delete',
  path: LOGO_PATH,
  operationId: 'removeBrandLogo',
  summary: 'Remove the logo of the capture page',
  tag: 'Capture',
  addition: true,
  permission: 'workflows:write',
  replies: { 200: { description: 'The logo was removed.', schema: z.object({}), example: {} } },
  errors: NO_LOGO,
  async handle({ platform, credential }) {
    await removeBrandLogo(platform, credential, credential.id);
    return { status: 200, body: {} };
  },
});

/** The version in the address changes with the logo, so that browsers may keep it. */
const KEPT_SECONDS = 86_400;

const showOnPage = defineRoute({
  method: 'get',
  path: '/v1/capture/logo',
  operationId: 'getCaptureLogo',
  summary: 'Get the logo of the organisation for the capture page',
  tag: 'Capture',
  addition: true,
  permission: CAPTURE_PERMISSION,
  query: z.strictObject({
    version: z.string().max(64).optional().meta({ description: 'As in the address that the state has.' }),
  }),
  replies: { 200: IMAGE_REPLY },
  errors: NO_LOGO,
  async handle({ credential }) {
    const logo = await readBrandLogo(credential);
    const headers = { 'X-Content-Type-Options': 'nosniff', 'Cache-Control': `private, max-age=${KEPT_SECONDS}` };
    return { status: 200, ...logo, headers };
  },
});

export const brandingRoutes: readonly Route[] = [showBranding, show, set, remove];

export const captureLogoRoutes: readonly Route[] = [showOnPage];
