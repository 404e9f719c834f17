/** Meaning of each variable of `lib/config.ts`, by group. Defaults and limits on the page come from the schema. */
export const CONFIGURATION: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Service: {
    NODE_ENV: '`production` enforces transport security and requires secrets.',
    LOG_LEVEL: 'Lowest level that is logged.',
    HOST: 'Address that the API listens on.',
    PORT: 'Port of the API; `0` takes any free one.',
    PUBLIC_URL:
      'Address at which clients reach the API; links in responses start with it. Must be https unless it is loopback. Default: `http://HOST:PORT`.',
    ALLOWED_ORIGINS:
      'Origins whose pages may call both APIs, also with the cookie of a sign-in. Default: the origin of `PUBLIC_URL`.',
    CAPTURE_FRAME_ORIGINS:
      'Origins whose pages may show the capture page in a frame ([embed](../capture.md#embedding)); needs an https `PUBLIC_URL`. Default: none.',
    TLS_CERT: 'Path of the certificate, with `TLS_KEY`.',
    TLS_KEY: 'Path of the private key, with `TLS_CERT`.',
    TRUSTED_PROXIES: 'CIDRs of reverse proxies whose `X-Forwarded-*` headers are trusted.',
    SHUTDOWN_GRACE_SECONDS: 'Time that running requests and activities get at shutdown.',
    EVENT_LOOP_LIMIT_SECONDS:
      'A process whose event loop has not run for this long ends with SIGKILL, so that its supervisor starts it again. One with an open inspector does not.',
    METRICS_TOKEN:
      'Bearer token for `/metrics` of API and workers ([monitor](../how-to/monitor.md)). Without it the pages do not exist, and nothing of the Temporal SDK is measured.',
    METRICS_TOKEN_FILE: 'File with the value of `METRICS_TOKEN`.',
    OTEL_EXPORTER_OTLP_ENDPOINT:
      'Address of an OTLP receiver over HTTP, such as `http://collector:4318`, for [traces](../how-to/monitor.md#traces). Without it nothing is traced.',
    TRACES_SAMPLE_RATIO:
      'Share of requests that are traced, 0–1. A request that comes with a sampled trace (header `traceparent`) always is.',
    WORKER_HEALTH_PORT:
      'Port of `/healthz`, `/readyz` and, with `METRICS_TOKEN`, `/metrics` of a worker process; it listens on `HOST`.',
    WORKER_BUILD_ID:
      'Build of the worker; Temporal then gives tasks only to the promoted build ([rolling upgrades](../how-to/add-workers.md#rolling-upgrades)). Default: none.',
  },
  'MongoDB, Temporal, object store': {
    MONGO_URL: 'MongoDB; must be a replica set.',
    MONGO_URL_FILE: 'File with the value of `MONGO_URL`.',
    MONGO_PASSWORD: 'Password of the user that `MONGO_URL` names without one.',
    MONGO_PASSWORD_FILE: 'File with the value of `MONGO_PASSWORD`.',
    TEMPORAL_ADDRESS: 'Temporal frontend, `host:port`.',
    TEMPORAL_NAMESPACE: 'Temporal namespace.',
    TEMPORAL_TLS: 'Use TLS to Temporal. Each of the following four settings turns it on, too.',
    TEMPORAL_TLS_CA_FILE: 'PEM file with the private certificate authority of the Temporal server.',
    TEMPORAL_TLS_CERT_FILE: 'PEM file with the client certificate, with `TEMPORAL_TLS_KEY_FILE`.',
    TEMPORAL_TLS_KEY_FILE: 'PEM file with the private key of the client certificate.',
    TEMPORAL_TLS_SERVER_NAME:
      'Name in the certificate of the Temporal server, if it differs from the host of `TEMPORAL_ADDRESS`.',
    TEMPORAL_PAYLOAD_ENCRYPTION:
      'Encrypt what Temporal stores (arguments, results, messages of failures) with a key derived from `MASTER_KEY`. Default: in production. What is not encrypted remains readable.',
    TEMPORAL_API_KEY: 'API key for Temporal.',
    TEMPORAL_API_KEY_FILE: 'File with the value of `TEMPORAL_API_KEY`.',
    TEMPORAL_UI_URL: 'Address of the Temporal UI, for links.',
    S3_ENDPOINT: 'S3 server.',
    S3_REGION: 'Region of the bucket.',
    S3_ACCESS_KEY: 'Access key.',
    S3_ACCESS_KEY_FILE: 'File with the value of `S3_ACCESS_KEY`.',
    S3_SECRET_KEY: 'Secret key.',
    S3_SECRET_KEY_FILE: 'File with the value of `S3_SECRET_KEY`.',
    S3_BUCKET: 'Bucket.',
    S3_AUDIT_BUCKET:
      'Bucket of the signed heads of audit chains; created with Object Lock. Default: `S3_BUCKET` followed by `-audit`.',
    S3_KEY_BUCKET:
      'Bucket of the wrapping keys; its backups must not be kept longer than `KEY_RETENTION_DAYS`. Default: `S3_BUCKET` followed by `-keys`.',
  },
  Backups: {
    BACKUP_TARGET:
      'Folder, or `s3://<bucket>/<prefix>`, of `npm run backup` and `npm run restore` ([back up](../how-to/back-up-data-and-keys.md)).',
    BACKUP_KEY_FILE: 'File with the passphrase that encrypts the backups, of at least 16 characters.',
    BACKUP_S3_ENDPOINT: 'S3 server of the backups. Default: `S3_ENDPOINT`.',
    BACKUP_S3_REGION: 'Region of the bucket of the backups. Default: `S3_REGION`.',
    BACKUP_S3_ACCESS_KEY_FILE: 'File with the access key of the server of the backups. Default: `S3_ACCESS_KEY`.',
    BACKUP_S3_SECRET_KEY_FILE: 'File with the secret key of the server of the backups. Default: `S3_SECRET_KEY`.',
  },
  'Keys and tokens': {
    MASTER_KEY:
      '`<key id>:<32 bytes base64>`, or `<key id>:<service>:<encrypted key>` for a key that a key management service encrypts; several separated by commas; the first wraps new keys, all unwrap ([rotate keys](../how-to/rotate-keys.md)). Every process needs it; `npm start` creates one.',
    MASTER_KEY_FILE: 'File with the value of `MASTER_KEY`.',
    JWT_SECRET:
      'Secret of access and refresh tokens, links to files and CSRF tokens: at least 32 characters, several separated by commas; the first signs, all verify ([rotate keys](../how-to/rotate-keys.md)). The API needs it; `npm start` creates one.',
    JWT_SECRET_FILE: 'File with the value of `JWT_SECRET`.',
    ACCESS_TOKEN_SECONDS: 'Lifetime of an access token.',
    REFRESH_TOKEN_SECONDS: 'Lifetime of a refresh token.',
    REFRESH_REUSE_GRACE_SECONDS: 'Time within which a second use of a refresh token is not treated as theft.',
    LOGIN_SESSION_SECONDS: 'Longest life of a sign-in to `/api`, however often its tokens are refreshed.',
    BROWSER_SESSION_SECONDS: 'Longest life of a browser session.',
    BROWSER_SESSION_IDLE_SECONDS: 'Time without a request after which a browser session ends.',
    TRUSTED_ISSUERS_FILE:
      'JSON list of installations whose shares are accepted ([share a session](../how-to/share-a-session.md)).',
  },
  'Key management services': {
    AWS_KMS_KEY_ID:
      'ARN, id or alias of the key of AWS KMS that encrypts entries `<key id>:awskms:…` of `MASTER_KEY` ([rotate keys](../how-to/rotate-keys.md#key-management-services)). Credentials come from the standard sources of AWS.',
    AWS_KMS_REGION: 'Region of the key. Default: the standard sources of AWS.',
    AWS_KMS_ENDPOINT: 'Address of a private endpoint of AWS KMS.',
    GCP_KMS_KEY:
      'Resource name of the key of Google Cloud KMS that encrypts entries `<key id>:gcpkms:…`. Credentials are the application default credentials.',
    GCP_KMS_ENDPOINT: 'Address of Google Cloud KMS.',
    VAULT_ADDR: 'Address of the HashiCorp Vault server that encrypts entries `<key id>:vault:…`.',
    VAULT_CACERT: 'PEM file with the certificate authority of the Vault server.',
    VAULT_NAMESPACE: 'Namespace in Vault.',
    VAULT_TRANSIT_MOUNT: 'Path at which the transit engine is mounted.',
    VAULT_TRANSIT_KEY: 'Name of the transit key; its type must authenticate data, such as `aes256-gcm96`.',
    VAULT_TOKEN: 'Token of Vault.',
    VAULT_TOKEN_FILE: 'File with the value of `VAULT_TOKEN`.',
    VAULT_ROLE_ID: 'Id of an AppRole of Vault, instead of a token.',
    VAULT_SECRET_ID: 'Secret id of the AppRole.',
    VAULT_SECRET_ID_FILE: 'File with the value of `VAULT_SECRET_ID`.',
  },
  Limits: {
    RATE_LIMIT_IDENTITY_PER_MINUTE: 'Requests of one key to `/v1`.',
    RATE_LIMIT_SESSION_CREATION_PER_MINUTE: 'Sessions created by one key.',
    RATE_LIMIT_BUSINESS_PER_MINUTE: 'Requests of one address to `/api`; with a browser session, of one user.',
    RATE_LIMIT_AUTH_PER_MINUTE: 'Sign-ins and refreshes of one address.',
    RATE_LIMIT_CAPTURE_PER_MINUTE: 'Requests of one browser on the capture page, and links that one address opens.',
    RATE_LIMIT_EXPORTS_PER_MINUTE: 'Exports started by one user or API key.',
    RATE_LIMIT_PAGES_PER_MINUTE:
      'Requests of one address to `/readyz`, `/docs`, `/openapi` and `/.well-known`, counted by each process.',
    QUERY_TIMEOUT_SECONDS:
      'Time that one query of a request may take in MongoDB; after it, the query is ended and the request gets 503 `query_timeout`.',
    RATE_LIMIT_ORGANISATION_MULTIPLE:
      'An organisation may send this many times the requests of one key (`/v1`), address (`/api`), or user or key (exports), whatever the number of its keys and users. Live and test mode count separately.',
    REQUEST_TIMEOUT_SECONDS:
      'Time for a request to arrive; after it, 408 and the connection is closed. Responses may take longer.',
    UPLOAD_MIN_KILOBYTES_PER_SECOND:
      'Least rate at which a body must arrive, measured over `UPLOAD_STALL_SECONDS`; 0 for none. Slower ones get 408.',
    UPLOAD_STALL_SECONDS: 'Span over which the rate of a body is measured.',
    BODY_MEMORY_MEGABYTES:
      'Memory for the bodies of all requests of one API process; files may fill three quarters, one organisation half. Beyond it, 503 with `Retry-After`.',
    UPLOAD_DISK_MEGABYTES:
      'Disk space for files above 1 MB that one API process is receiving; one organisation may fill half. Beyond it, 503 with `Retry-After`.',
    UPLOAD_DIR:
      'Directory of files that are being received, encrypted with a key in memory. On a disk, not in memory (`tmpfs`). Default: the directory of the system for temporary files.',
    EGRESS_ALLOW: 'Exact `host:port` pairs that outgoing requests may reach although they are private.',
    DNS_SERVERS:
      'DNS servers that outgoing requests ask for host names, as `address` or `address:port`. Names in `/etc/hosts` take precedence. Default: those of the system.',
  },
  'Signed heads of the audit log': {
    AUDIT_HEAD_WEBHOOK_URL:
      'Address to which each newly signed head of an audit chain is posted ([keep signed heads](../how-to/keep-signed-heads.md)), with `AUDIT_HEAD_WEBHOOK_SECRET`. It may be private and use http; redirects are not followed.',
    AUDIT_HEAD_WEBHOOK_SECRET:
      'Secret of the signature, as in Standard Webhooks: `whsec_` and 24–64 bytes in base64; several separated by commas, of which all sign.',
    AUDIT_HEAD_WEBHOOK_SECRET_FILE: 'File with the value of `AUDIT_HEAD_WEBHOOK_SECRET`.',
  },
  Retention: {
    AUDIT_RETENTION_DAYS:
      'Days for which the object store refuses to delete the signed head of an audit chain; 0 for stores without Object Lock.',
    KEY_ROTATION_DAYS: 'Age in days at which the wrapping key of an organisation is replaced.',
    KEY_RETENTION_DAYS:
      'Days after which a replaced wrapping key is removed: a backup can be restored for that long, and erased data in it is then unreadable.',
    EXPORT_ARCHIVE_DOCUMENTS: 'Documents in one file of an archive; a larger archive has several files.',
    EXPORT_RETENTION_DAYS: 'Days that the file of an export is kept.',
    CHECK_RETENTION_DAYS:
      'Days that standalone checks, screenings without monitor, business checks and replaced registers are kept.',
  },
  'Watch lists and registers': {
    AML_REFRESH_HOURS: 'Hours between two requests to the source of a watch list.',
    AML_STALE_AFTER_HOURS:
      'Age of a list in hours, counted from the date that it states, from which it is called stale.',
    KYB_PROVIDERS:
      'Registers that business checks query, in the order of their authority: some or all of `companies_house`, `gleif` and `vies`, separated by commas.',
    GLEIF_URL: 'Address of the GLEIF API.',
    COMPANIES_HOUSE_URL: 'Address of the Companies House API.',
    COMPANIES_HOUSE_API_KEY: 'Key of the Companies House API. Without it that register is not queried.',
    COMPANIES_HOUSE_API_KEY_FILE: 'File with the value of `COMPANIES_HOUSE_API_KEY`.',
    TAX_ID_VERIFICATION:
      '`automatic` verifies new VAT identifiers of customers, vendors and companies by VIES; `on_request` only where a request asks for it.',
    VIES_URL: 'Address of VIES, for business checks and VAT identifiers.',
  },
  Workers: {
    MODELS_DIR: 'Folder of the model weights.',
    VISION_THREADS:
      'Documents and faces that one vision process handles at once. Default: from its cores and memory ([add workers](../how-to/add-workers.md#slots)).',
    FACE_GALLERY_MEGABYTES: 'Memory for face embeddings in each vision process; 512 MB hold 209,000 faces.',
    SCREENING_THREADS: 'Threads that search watch lists in one screening process. Default: from its cores and memory.',
    RENDERING_PAGES: 'Pages that one rendering process prints at once. Default: from its cores and memory.',
    CHROMIUM_PATH: 'Chromium executable of the rendering pool.',
    CHROMIUM_SANDBOX:
      'Chromium sandbox. Set `false` where Chromium cannot have one: as root, and where the kernel or container forbids user namespaces. It is never switched off by itself.',
    RUN_AS:
      'User and group, `<uid>:<gid>`, that a worker started as root changes to once it has read its secrets. Decoders and Chromium then run as this user and can read neither the secret files of root nor the memory and environment of the worker.',
  },
};

/** Variables that the launcher, the commands and the tests read themselves, with their defaults. */
export const TOOL_CONFIGURATION: Readonly<Record<string, readonly [meaning: string, fallback: string]>> = {
  VOUCH_HOME: ['Folder of data, secrets and logs of `npm start`.', '`.vouch`'],
  VOUCH_RUN: ['File with the addresses of the running stack, for commands.', '`run.json` in `VOUCH_HOME`'],
  VOUCH_TOOLS_DIR: ['Cache of MongoDB, Temporal, the S3 server and Node.', '`.vouch/tools`'],
  VOUCH_MODELS_DIR: ['Folder of prepared packages of model weights, instead of downloads.', ''],
  VOUCH_NODE_PATH: [
    'Executable of Node that runs the commands, API and workers.',
    'the installed one if it gets security fixes, else one from npm',
  ],
  MONGOD_PATH: ['Executable of MongoDB, instead of a download.', 'found on `PATH`'],
  TEMPORAL_PATH: ['Executable of the Temporal command line, instead of a download.', 'found on `PATH`'],
  TEMPORAL_TEST_SERVER_PATH: ['Executable of the test server of Temporal, instead of a download.', 'found on `PATH`'],
  VOUCH_PROMETHEUS_PATH: ['Program that evaluates alerts and queries in tests, instead of building it.', ''],
  VOUCH_DEPLOYMENT_PATH: ['Program that checks deployment files in tests, instead of building it.', ''],
  VERSITYGW_PATH: ['Executable of the S3 server, instead of a download.', 'found on `PATH`'],
  MALLOC_ARENA_MAX: ['Memory arenas of glibc in each process.', '2'],
  NODE_COMPILE_CACHE: [
    'Folder in which Node 22 and later store compiled code of API and workers.',
    '`.vouch/cache/compiled-code` with `npm start`, else none',
  ],
  UV_THREADPOOL_SIZE: ['Threads of each process for files, decoding of images and cryptography.', '4, of Node.js'],
  DEBUG: ['With any value, the launcher prints the stack of an error.', ''],
  VOUCH_YEAR_DOCUMENTS: ['Documents of `npm test -- year`.', ''],
};
