import { addCsrfToken } from '../shared/api/transport';

const parseHeaders = (text: string): Headers => {
  const headers = new Headers();
  for (const line of text.trim().split(/\r?\n/)) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.append(line.slice(0, colon).trim(), line.slice(colon + 1).trim());
  }
  return headers;
};

/**
 * A `fetch` for uploads: only XMLHttpRequest reports how much was sent.
 * @param onProgress receives the share that was sent, 0–1
 */
export const createUploadFetch =
  (onProgress: (share: number) => void): typeof fetch =>
  (input, init = {}) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open(init.method ?? 'GET', input instanceof Request ? input.url : String(input));
      for (const [name, value] of addCsrfToken(init.headers)) request.setRequestHeader(name, value);
      request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
      request.onload = () => {
        const headers = parseHeaders(request.getAllResponseHeaders());
        resolve(new Response(request.responseText, { status: request.status, headers }));
      };
      request.onerror = () => reject(new TypeError('The upload failed.'));
      request.onabort = () => reject(new DOMException('The upload was cancelled.', 'AbortError'));
      const { signal, body } = init;
      if (signal?.aborted === true) return reject(new DOMException('The upload was cancelled.', 'AbortError'));
      signal?.addEventListener('abort', () => request.abort(), { once: true });
      request.send(body instanceof FormData || typeof body === 'string' ? body : null);
    });
