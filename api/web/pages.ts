import { randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { Router } from 'express';
import type { RequestHandler, Response } from 'express';
import helmet from 'helmet';
import sirv from 'sirv';
import type { Config } from '../../lib/config';

/** The web applications as `npm run build` writes them. */
const webFolder = path.join(process.cwd(), 'dist', 'web');

/** Stands for the nonce in the built pages; the bundler writes it (`web/vite.config.mjs`). */
const NONCE_PLACEHOLDER = '__CSP_NONCE__';

/** Assets have the hash of their content in their names. */
const ASSET_MAX_AGE_SECONDS = 31_536_000;

interface Application {
  /** Folder in dist/web. */
  name: 'capture' | 'console';
  paths: string[];
  /** Browser features that the page may use (`Permissions-Policy`). */
  permissions: string;
}

const APPLICATIONS: readonly Application[] = [
  { name: 'capture', paths: ['/verify'], permissions: 'camera=(self), microphone=(), geolocation=()' },
  {
    name: 'console',
    paths: ['/console', '/console/*path'],
    permissions: 'camera=(), microphone=(), geolocation=()',
  },
];

/** A page's text; it is read again only after a new build. */
function createPageReader(file: string): () => string | null {
  let kept: { text: string; modifiedMs: number } | null = null;
  return () => {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats === undefined) return null;
    if (kept?.modifiedMs !== stats.mtimeMs) kept = { text: readFileSync(file, 'utf8'), modifiedMs: stats.mtimeMs };
    return kept.text;
  };
}

const readNonce = (response: object): string => {
  const { locals } = response as Response;
  return `'nonce-${String(locals['nonce'])}'`;
};

/**
 * Scripts come from this host only; styles that a component adds at run time need the nonce of the response.
 * @param frameOrigins origins whose pages may show the page in a frame
 */
const restrictContent = (frameOrigins: readonly string[]): RequestHandler =>
  helmet.contentSecurityPolicy({
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'"],
      baseUri: ["'none'"],
      connectSrc: ["'self'"],
      fontSrc: ["'self'"],
      formAction: ["'self'"],
      frameAncestors: frameOrigins.length === 0 ? ["'none'"] : [...frameOrigins],
      // Previews of PDF files.
      frameSrc: ["'self'", 'blob:'],
      imgSrc: ["'self'", 'blob:', 'data:'],
      objectSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'", (_request, response) => readNonce(response)],
      workerSrc: ["'self'"],
    },
  });

function servePage({ name, permissions }: Application, frameOrigins: readonly string[]): RequestHandler {
  const readPage = createPageReader(path.join(webFolder, name, 'index.html'));
  return (_request, response) => {
    const page = readPage();
    if (page === null) {
      const error = { code: 'not_built', message: 'The web applications are not built; run npm run build.' };
      response.status(503).json({ ok: false, error });
      return;
    }
    // The older header knows no list of origins.
    if (frameOrigins.length > 0) response.removeHeader('X-Frame-Options');
    response
      .set({ 'Cache-Control': 'no-store', 'Permissions-Policy': permissions })
      .type('html')
      .send(page.replaceAll(NONCE_PLACEHOLDER, String(response.locals['nonce'])));
  };
}

/** `/verify` (hosted capture), `/console` with every path below it, and the assets of both, compressed in the build. */
export function createWebRouter({
  NODE_ENV,
  CAPTURE_FRAME_ORIGINS,
}: Pick<Config, 'NODE_ENV' | 'CAPTURE_FRAME_ORIGINS'>): Router {
  const router = Router();
  router.use(
    '/assets',
    // Outside production a new build may replace the assets of a running process.
    sirv(path.join(webFolder, 'assets'), {
      dev: NODE_ENV !== 'production',
      etag: true,
      gzip: true,
      brotli: true,
      setHeaders: (response) =>
        response.setHeader('Cache-Control', `public, max-age=${ASSET_MAX_AGE_SECONDS}, immutable`),
    }),
  );
  const assignNonce: RequestHandler = (_request, response, next) => {
    response.locals['nonce'] = randomBytes(16).toString('base64');
    next();
  };
  for (const application of APPLICATIONS) {
    const frameOrigins = application.name === 'capture' ? CAPTURE_FRAME_ORIGINS : [];
    router.get(application.paths, assignNonce, restrictContent(frameOrigins), servePage(application, frameOrigins));
  }
  return router;
}
