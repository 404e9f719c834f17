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

export default defineConfig({
  root,
  appType: 'mpa',
  plugins: [servePages()],
  html: { cspNonce: NONCE_PLACEHOLDER },
  build: {
    outDir: path.join(root, '..', 'dist', 'web'),
    emptyOutDir: true,
    target: 'es2022',
    manifest: true,
    // A data URL would need a wider Content-Security-Policy.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
    rollupOptions: {
      input: {
        capture: path.join(root, 'capture', 'index.html'),
        console: path.join(root, 'console', 'index.html'),
      },
    },
  },
});
