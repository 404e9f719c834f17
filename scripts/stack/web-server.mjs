import { viteConfigFile } from '../build/web.mjs';

const PREFERRED_PORT = 5173;

/** Paths that the development server passes on to the API. */
const API_PATHS = ['/v1', '/api', '/files', '/docs', '/openapi', '/.well-known'];

/**
 * Serves the pages of web/ from their sources and reloads them in the browser on every change.
 * @param {string} api address of the running API, which answers everything else
 * @returns {Promise<string>} address of the pages
 */
export async function serveWeb(api) {
  const { createServer } = await import('vite');
  // The API accepts sign-ins from its own origin only; the pages are on another port of this machine.
  const passOn = {
    target: api,
    configure: (proxy) =>
      proxy.on('proxyReq', (request) => {
        if (request.getHeader('origin') !== undefined) request.setHeader('origin', new URL(api).origin);
      }),
  };
  const server = await createServer({
    configFile: viteConfigFile,
    clearScreen: false,
    logLevel: 'warn',
    server: {
      host: '127.0.0.1',
      port: PREFERRED_PORT,
      proxy: Object.fromEntries(API_PATHS.map((path) => [path, passOn])),
    },
  });
  await server.listen();
  const { port } = server.httpServer.address();
  return `http://127.0.0.1:${port}`;
}
