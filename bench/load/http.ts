/** A response with its body as JSON (empty if it is not JSON) and as bytes. */
export interface ApiResponse {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
  bytes: Buffer;
}

/** A file of a multipart body. */
export interface FormFile {
  body: Buffer;
  name?: string;
  type?: string;
}

export interface RequestOptions {
  /** An API key of either API, sent as X-API-Key. */
  key?: string;
  /** A bearer token. */
  token?: string;
  json?: unknown;
  /** A multipart body: text fields and files. */
  form?: Record<string, string | FormFile | FormFile[]>;
  headers?: Record<string, string>;
  /** Ends the request. */
  signal?: AbortSignal;
}

function buildForm(fields: NonNullable<RequestOptions['form']>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') {
      form.append(name, value);
      continue;
    }
    for (const file of [value].flat()) {
      const blob = new Blob([new Uint8Array(file.body)], { type: file.type ?? 'application/octet-stream' });
      form.append(name, blob, file.name ?? 'upload.bin');
    }
  }
  return form;
}

const parseJsonBody = (bytes: Buffer, type: string): Record<string, unknown> =>
  type.includes('json') ? (JSON.parse(bytes.toString('utf8')) as Record<string, unknown>) : {};

/**
 * Sends an HTTP request as a client of the service would.
 * @param api base URL of an API process
 */
export async function sendRequest(
  api: string,
  method: string,
  path: string,
  options: RequestOptions = {},
): Promise<ApiResponse> {
  const headers: Record<string, string> = { ...options.headers };
  if (options.key !== undefined) headers['x-api-key'] = options.key;
  if (options.token !== undefined) headers['authorization'] = `Bearer ${options.token}`;
  let body: string | FormData | undefined;
  if (options.json !== undefined) {
    headers['content-type'] ??= 'application/json';
    body = JSON.stringify(options.json);
  } else if (options.form !== undefined) body = buildForm(options.form);
  const response = await fetch(`${api}${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  return {
    status: response.status,
    headers: response.headers,
    body: parseJsonBody(bytes, response.headers.get('content-type') ?? ''),
    bytes,
  };
}
