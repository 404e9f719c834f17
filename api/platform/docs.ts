import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import express, { Router } from 'express';
import helmet from 'helmet';
import absolutePath from 'swagger-ui-dist/absolute-path';

/** The committed OpenAPI documents. */
const openApiFolder = path.join(process.cwd(), 'openapi');

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Vouch API</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/docs/assets/swagger-ui.css">
</head>
<body>
<div id="docs"></div>
<script src="/docs/assets/swagger-ui-bundle.js"></script>
<script src="/docs/assets/swagger-ui-standalone-preset.js"></script>
<script src="/docs/init.js"></script>
</body>
</html>
`;

const INIT_SCRIPT = `window.ui = SwaggerUIBundle({
  dom_id: '#docs',
  urls: [
    { name: 'Identity verification (/v1)', url: '/openapi/identity.json' },
    { name: 'Business management (/api)', url: '/openapi/business.json' },
  ],
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  layout: 'StandaloneLayout',
  validatorUrl: null,
  persistAuthorization: true,
  showExtensions: false,
  showCommonExtensions: false,
});
`;

/** Clients need not ask again for this long. */
const MAX_AGE_SECONDS = 300;

interface Page {
  body: Buffer;
  etag: string;
}

/** A file in memory; it is read and hashed again only after a change, as `npm run build -- --openapi` makes. */
function createFileReader(file: string): () => Page {
  let kept: { page: Page; modifiedMs: number } | null = null;
  return () => {
    const { mtimeMs } = statSync(file);
    if (kept?.modifiedMs === mtimeMs) return kept.page;
    const body = readFileSync(file);
    kept = { page: { body, etag: `"${createHash('sha256').update(body).digest('base64url')}"` }, modifiedMs: mtimeMs };
    return kept.page;
  };
}

/** `/openapi/*.json` and the documentation page `/docs`, which loads nothing from other hosts. */
export function createDocsRouter(): Router {
  const router = Router();
  for (const name of ['identity', 'business']) {
    const read = createFileReader(path.join(openApiFolder, `${name}.json`));
    router.get(`/openapi/${name}.json`, (_request, response) => {
      const { body, etag } = read();
      response
        .set({ ETag: etag, 'Cache-Control': `public, max-age=${MAX_AGE_SECONDS}` })
        .type('application/json')
        .send(body);
    });
  }
  router.use(
    '/docs',
    // Swagger UI sets style attributes; scripts are loaded from this host only.
    helmet.contentSecurityPolicy({
      directives: {
        defaultSrc: ["'self'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        upgradeInsecureRequests: null,
      },
    }),
  );
  router.use('/docs/assets', express.static(absolutePath(), { index: false }));
  router.get('/docs/init.js', (_request, response) => {
    response.type('text/javascript').send(INIT_SCRIPT);
  });
  router.get('/docs', (_request, response) => {
    response.type('html').send(PAGE);
  });
  return router;
}
