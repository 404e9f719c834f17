import path from 'node:path';
import { defineConfig } from 'vite';

const root = import.meta.dirname;

/** Replaced by the API in every response with the nonce of its Content-Security-Policy. */
const NONCE_PLACEHOLDER = '__CSP_NONCE__';

/** The page of each application, by the paths at which the API serves it. */
const PAGES = [
  { paths: /^\/verify(\/|\?|$)/, file: '/capture/index.html' },
  { paths: /^\/console(\/|\?|$)/, file: '/console/index.html' },
];

/** Serves the pages of the development server at the paths of the API. */
const servePages = () => ({
  name: 'serve-pages',
  configureServer({ middlewares }) {
    middlewares.use((request, _response, next) => {
      const isSource = /\.\w+(\?|$)/.test(request.url);
      const page = PAGES.find(({ paths }) => !isSource && paths.test(request.url));
      if (page !== undefined) request.url = page.file;
      next();
    });
  },
});

/** Modules of the pages themselves, of which the bundler makes their entries. */
const ENTRY = /(index\.html|main\.tsx)/;

/** Pages that share a module, from which it is in one chunk with others like it. */
const MIN_SHARE_COUNT = 8;

/**
 * By default each set of pages that share modules has a chunk of its own: a first visit would be a hundred requests, which
 * a slow network answers one after another. What an application needs before its first page is one chunk, and what many
 * of its pages share is another.
 */
const groups = [
  { name: 'initial', priority: 2, test: (id) => !ENTRY.test(id), tags: ['$initial'] },
  { name: 'pages', priority: 1, test: (id) => !ENTRY.test(id), minShareCount: MIN_SHARE_COUNT },
];

/**
 * The applications are built one by one (`scripts/build/web.mjs`), so that neither loads modules of the other: the mode of
 * a build is the folder of one.
 */
export default defineConfig(({ command, mode }) => ({
  root,
  appType: 'mpa',
  plugins: [servePages()],
  html: { cspNonce: NONCE_PLACEHOLDER },
  build: {
    outDir: path.join(root, '..', 'dist', 'web'),
    emptyOutDir: false,
    target: 'es2022',
    manifest: `.vite/${mode}.json`,
    // A data URL would need a wider Content-Security-Policy.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
    rolldownOptions:
      command === 'build'
        ? { input: path.join(root, mode, 'index.html'), output: { codeSplitting: { groups } } }
        : { input: PAGES.map(({ file }) => path.join(root, file)) },
  },
}));
