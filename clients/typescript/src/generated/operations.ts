// Generated from openapi/identity.json by `npm run build -- --openapi`; do not edit.
import { paginate } from '../pages';
import type { OperationResponse, Body, Call, CallOptions, Query } from '../calls';

/** A method for every operation of the API, named as in its OpenAPI document. */
export abstract class Operations {
  /** Sends one request; a response is checked for an error only. */
  protected abstract call<T>(call: Call): Promise<T>;

  /**
   * Create a verification session
   *
   * All options may be left out.
   *
   * Permission: `sessions:write`.
   */
  createSession(
    body: Body<'createSession'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'createSession'>> {
    return this.call<OperationResponse<'createSession'>>({
      method: 'POST',
      path: '/v1/sessions',
      body,
      idempotent: true,
      options,
    });
  }

  /**
   * List sessions
   *
   * Permission: `sessions:read`.
   */
  listSessions(
    query: Query<'listSessions'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'listSessions'>> {
    return this.call<OperationResponse<'listSessions'>>({ method: 'GET', path: '/v1/sessions', query, options });
  }

  /** Every record of `listSessions`, page after page. */
  iterateSessions(
    query: Omit<Query<'listSessions'>, 'cursor'> = {},
    options: CallOptions = {},
  ): AsyncGenerator<OperationResponse<'listSessions'>['sessions'][number]> {
    return paginate(async (cursor) => {
      const page = await this.listSessions({ ...query, ...cursor }, options);
      return { items: page.sessions, nextCursor: page.nextCursor };
    });
  }

  /**
   * List sessions that wait for a reviewer
   *
   * Those waiting longest first, with the risks that sent them there.
   *
   * Permission: `sessions:read`.
   */
  listPendingSessions(
    query: Query<'listPendingSessions'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'listPendingSessions'>> {
    return this.call<OperationResponse<'listPendingSessions'>>({
      method: 'GET',
      path: '/v1/sessions/pending',
      query,
      options,
    });
  }

  /** Every record of `listPendingSessions`, page after page. */
  iteratePendingSessions(
    query: Omit<Query<'listPendingSessions'>, 'cursor'> = {},
    options: CallOptions = {},
  ): AsyncGenerator<OperationResponse<'listPendingSessions'>['sessions'][number]> {
    return paginate(async (cursor) => {
      const page = await this.listPendingSessions({ ...query, ...cursor }, options);
      return { items: page.sessions, nextCursor: page.nextCursor };
    });
  }

  /**
   * Get a session
   *
   * With its steps, results, risks, decision and the ids of its evidence.
   *
   * Permission: `sessions:read`.
   */
  getSession(id: string, options: CallOptions = {}): Promise<OperationResponse<'getSession'>> {
    return this.call<OperationResponse<'getSession'>>({
      method: 'GET',
      path: `/v1/sessions/${encodeURIComponent(id)}`,
      options,
    });
  }

  /**
   * Delete a session and erase the person
   *
   * Its results, pictures, embeddings and fingerprints go, its data key is destroyed, its workflows are cancelled. What stays is the receipt, the audit rows and the event, which hold ids. It cannot be undone; a second call is answered 404.
   *
   * Permission: `sessions:delete`.
   */
  deleteSession(id: string, options: CallOptions = {}): Promise<OperationResponse<'deleteSession'>> {
    return this.call<OperationResponse<'deleteSession'>>({
      method: 'DELETE',
      path: `/v1/sessions/${encodeURIComponent(id)}`,
      options,
    });
  }

  /**
   * Decide a session
   *
   * A reviewer approves, declines or asks for steps again.
   *
   * A final decision is reversed only with `override: true` and a `reason`, which is audited; `review`, an addition, puts a decided session back into the queue. Nobody approves a session while one of its steps came to no result.
   *
   * Permission: `sessions:decide`.
   */
  decideSession(
    id: string,
    body: Body<'decideSession'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'decideSession'>> {
    return this.call<OperationResponse<'decideSession'>>({
      method: 'POST',
      path: `/v1/sessions/${encodeURIComponent(id)}/decision`,
      body,
      idempotent: true,
      options,
    });
  }

  /**
   * Create a session workflow
   *
   * What sessions of one kind have in common. Everything but the name may be left out.
   *
   * Permission: `workflows:write`.
   */
  createSessionWorkflow(
    body: Body<'createSessionWorkflow'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'createSessionWorkflow'>> {
    return this.call<OperationResponse<'createSessionWorkflow'>>({
      method: 'POST',
      path: '/v1/sessions/workflows',
      body,
      idempotent: true,
      options,
    });
  }

  /**
   * List session workflows
   *
   * Permission: `workflows:read`.
   */
  listSessionWorkflows(
    query: Query<'listSessionWorkflows'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'listSessionWorkflows'>> {
    return this.call<OperationResponse<'listSessionWorkflows'>>({
      method: 'GET',
      path: '/v1/sessions/workflows',
      query,
      options,
    });
  }

  /** Every record of `listSessionWorkflows`, page after page. */
  iterateSessionWorkflows(
    query: Omit<Query<'listSessionWorkflows'>, 'cursor'> = {},
    options: CallOptions = {},
  ): AsyncGenerator<OperationResponse<'listSessionWorkflows'>['workflows'][number]> {
    return paginate(async (cursor) => {
      const page = await this.listSessionWorkflows({ ...query, ...cursor }, options);
      return { items: page.workflows, nextCursor: page.nextCursor };
    });
  }

  /**
   * Get a session workflow
   *
   * At its current version, or at the one asked for; also once it is archived.
   *
   * Permission: `workflows:read`.
   */
  getSessionWorkflow(
    id: string,
    query: Query<'getSessionWorkflow'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'getSessionWorkflow'>> {
    return this.call<OperationResponse<'getSessionWorkflow'>>({
      method: 'GET',
      path: `/v1/sessions/workflows/${encodeURIComponent(id)}`,
      query,
      options,
    });
  }

  /**
   * Change a session workflow
   *
   * Fields that are sent replace the former ones whole and make the next version; sessions under way keep theirs. Making it the default alone makes no version.
   *
   * Permission: `workflows:write`.
   */
  updateSessionWorkflow(
    id: string,
    body: Body<'updateSessionWorkflow'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'updateSessionWorkflow'>> {
    return this.call<OperationResponse<'updateSessionWorkflow'>>({
      method: 'PATCH',
      path: `/v1/sessions/workflows/${encodeURIComponent(id)}`,
      body,
      options,
    });
  }

  /**
   * Delete a session workflow
   *
   * It is archived: no session starts with it any more; those under way keep their version.
   *
   * Permission: `workflows:write`.
   */
  deleteSessionWorkflow(id: string, options: CallOptions = {}): Promise<OperationResponse<'deleteSessionWorkflow'>> {
    return this.call<OperationResponse<'deleteSessionWorkflow'>>({
      method: 'DELETE',
      path: `/v1/sessions/workflows/${encodeURIComponent(id)}`,
      options,
    });
  }

  /**
   * Try a draft of a workflow on past sessions
   *
   * Decides past sessions again from what was measured then, by the thresholds, actions, rules and accepted documents of the draft, and counts which would have gone another way. What the draft leaves out is the workflow as it is; only where it names `features` are sessions asked for others than they were, and one that never ran such a step would still wait for it (`in_progress`). Nothing is written. Needs `sessions:read` too.
   *
   * Permission: `workflows:read`.
   */
  simulateSessionWorkflow(
    id: string,
    body: Body<'simulateSessionWorkflow'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'simulateSessionWorkflow'>> {
    return this.call<OperationResponse<'simulateSessionWorkflow'>>({
      method: 'POST',
      path: `/v1/sessions/workflows/${encodeURIComponent(id)}/simulate`,
      body,
      options,
    });
  }

  /**
   * Verify an identity document
   *
   * Reads passport, card, licence, permit or visa from one or two photographs and judges them.
   *
   * Permission: `documents:write`.
   */
  verifyIdentityDocument(
    body: Body<'verifyIdentityDocument'>,
    query: Query<'verifyIdentityDocument'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'verifyIdentityDocument'>> {
    return this.call<OperationResponse<'verifyIdentityDocument'>>({
      method: 'POST',
      path: '/v1/documents/id-verification',
      body,
      files: ['frontImage', 'backImage'],
      query,
      idempotent: true,
      options,
    });
  }

  /**
   * Verify a proof of address
   *
   * Reads a utility bill, bank statement or letter of an authority: who wrote it, when, to whom and where they live. A PDF is read by the text inside it, scans and photographs by recognition.
   *
   * In a session the name is compared with that of its document, or else with the expected one, and the address with `expected.address`.
   *
   * Permission: `documents:write`.
   */
  verifyProofOfAddress(
    body: Body<'verifyProofOfAddress'>,
    query: Query<'verifyProofOfAddress'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'verifyProofOfAddress'>> {
    return this.call<OperationResponse<'verifyProofOfAddress'>>({
      method: 'POST',
      path: '/v1/documents/poa',
      body,
      files: ['document'],
      query,
      idempotent: true,
      options,
    });
  }

  /**
   * Compare two faces
   *
   * The largest face of each picture is compared.
   *
   * In a session `refImage` may be left out: the portrait of its document is used. A session that verifies both document and liveness compares the two by itself; a client's own comparison is then answered too, and never outweighs it.
   *
   * Permission: `biometrics:write`.
   */
  matchFaces(
    body: Body<'matchFaces'>,
    query: Query<'matchFaces'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'matchFaces'>> {
    return this.call<OperationResponse<'matchFaces'>>({
      method: 'POST',
      path: '/v1/biometrics/face-match',
      body,
      files: ['userImage', 'refImage'],
      query,
      idempotent: true,
      options,
    });
  }

  /**
   * Get a check
   *
   * With `wait` the answer is held until the check has ended or the time is up.
   *
   * Permission: `checks:read`.
   */
  getCheck(
    id: string,
    query: Query<'getCheck'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'getCheck'>> {
    return this.call<OperationResponse<'getCheck'>>({
      method: 'GET',
      path: `/v1/checks/${encodeURIComponent(id)}`,
      query,
      options,
    });
  }

  /**
   * Delete a check that stands alone and erase the person
   *
   * Its results, pictures, embeddings and fingerprints go, its data key is destroyed, its workflows are cancelled. What stays is the receipt, the audit rows and the event, which hold ids. It cannot be undone; a second call is answered 404.
   *
   * Permission: `checks:delete`.
   */
  deleteCheck(id: string, options: CallOptions = {}): Promise<OperationResponse<'deleteCheck'>> {
    return this.call<OperationResponse<'deleteCheck'>>({
      method: 'DELETE',
      path: `/v1/checks/${encodeURIComponent(id)}`,
      options,
    });
  }

  /**
   * Check that a live person is before the camera
   *
   * Passive: one photograph as `image`, judged with the parts its score is made of.
   *
   * Active: `challengeId` and 4–24 `frames` in the order they were taken, about three a second, beginning and ending with a look at the camera. The server judges whether one person does what the challenge asks, in its order; the frame that looks most straight at the camera is judged by itself too. This is the stronger check.
   *
   * Permission: `biometrics:write`.
   */
  checkLiveness(
    body: Body<'checkLiveness'> = {},
    query: Query<'checkLiveness'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'checkLiveness'>> {
    return this.call<OperationResponse<'checkLiveness'>>({
      method: 'POST',
      path: '/v1/biometrics/liveness',
      body,
      files: ['image'],
      query,
      idempotent: true,
      options,
    });
  }

  /**
   * Ask what a person is to do before the camera
   *
   * Actions in a random order, to be answered once within five minutes by `POST /v1/biometrics/liveness`.
   *
   * Permission: `biometrics:write`.
   */
  createLivenessChallenge(
    body: Body<'createLivenessChallenge'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'createLivenessChallenge'>> {
    return this.call<OperationResponse<'createLivenessChallenge'>>({
      method: 'POST',
      path: '/v1/biometrics/liveness/challenges',
      body,
      options,
    });
  }

  /**
   * Estimate the age of a person
   *
   * The age of the largest face, with the interval that holds nine of ten people and the mean error of the model at such an age.
   *
   * `minimumAge` is answered yes or no only where the whole interval says so. A no raises `minimum_age_not_met` and declines, an uncertain answer raises it for review: a document has to tell.
   *
   * A session that verifies `age` and `liveness` estimates the age of the selfie by itself.
   *
   * Permission: `biometrics:write`.
   */
  estimateAge(
    body: Body<'estimateAge'>,
    query: Query<'estimateAge'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'estimateAge'>> {
    return this.call<OperationResponse<'estimateAge'>>({
      method: 'POST',
      path: '/v1/biometrics/age',
      body,
      files: ['image'],
      query,
      idempotent: true,
      options,
    });
  }

  /**
   * Search the indexed faces for a person
   *
   * Compares the largest face of the picture with every indexed face of the organisation; selfies of approved sessions are among the `users`. The answer is exact.
   *
   * Without a `threshold` one is set so that a search of somebody absent finds anybody in 1 % of searches; it rises with the gallery and is never below 0.5. `gallerySize`, `threshold` and `expectedFalseHits` say what the matches are worth: a person has to look at them.
   *
   * Permission: `faces:read`.
   */
  searchFaces(
    body: Body<'searchFaces'>,
    query: Query<'searchFaces'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'searchFaces'>> {
    return this.call<OperationResponse<'searchFaces'>>({
      method: 'POST',
      path: '/v1/biometrics/face-search',
      body,
      files: ['image'],
      query,
      idempotent: true,
      options,
    });
  }

  /**
   * Add a face to the index
   *
   * From the answer on every search finds it, and sessions are compared with it: `users` by `duplicate_face`, unless the session has the same `externalId`, and `blocklist` by `face_in_blocklist`. A picture without one clear face is `rejected`, with the reason among its risks.
   *
   * Permission: `faces:write`.
   */
  indexFace(
    body: Body<'indexFace'>,
    query: Query<'indexFace'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'indexFace'>> {
    return this.call<OperationResponse<'indexFace'>>({
      method: 'POST',
      path: '/v1/biometrics/face-search/index',
      body,
      files: ['image'],
      query,
      idempotent: true,
      options,
    });
  }

  /**
   * List the indexed faces
   *
   * Newest first, selfies of approved sessions among them.
   *
   * Permission: `faces:read`.
   */
  listFaces(query: Query<'listFaces'> = {}, options: CallOptions = {}): Promise<OperationResponse<'listFaces'>> {
    return this.call<OperationResponse<'listFaces'>>({
      method: 'GET',
      path: '/v1/biometrics/face-search/index',
      query,
      options,
    });
  }

  /** Every record of `listFaces`, page after page. */
  iterateFaces(
    query: Omit<Query<'listFaces'>, 'cursor'> = {},
    options: CallOptions = {},
  ): AsyncGenerator<OperationResponse<'listFaces'>['faces'][number]> {
    return paginate(async (cursor) => {
      const page = await this.listFaces({ ...query, ...cursor }, options);
      return { items: page.faces, nextCursor: page.nextCursor };
    });
  }

  /**
   * Get an indexed face
   *
   * With `wait` the answer is held until the face is indexed or the time is up.
   *
   * Permission: `faces:read`.
   */
  getFace(id: string, query: Query<'getFace'> = {}, options: CallOptions = {}): Promise<OperationResponse<'getFace'>> {
    return this.call<OperationResponse<'getFace'>>({
      method: 'GET',
      path: `/v1/biometrics/face-search/index/${encodeURIComponent(id)}`,
      query,
      options,
    });
  }

  /**
   * Delete an indexed face and erase the person
   *
   * Its results, pictures, embeddings and fingerprints go, its data key is destroyed, its workflows are cancelled. What stays is the receipt, the audit rows and the event, which hold ids. It cannot be undone; a second call is answered 404.
   *
   * Permission: `faces:write`.
   */
  deleteFace(id: string, options: CallOptions = {}): Promise<OperationResponse<'deleteFace'>> {
    return this.call<OperationResponse<'deleteFace'>>({
      method: 'DELETE',
      path: `/v1/biometrics/face-search/index/${encodeURIComponent(id)}`,
      options,
    });
  }

  /**
   * Validate a person against a database
   *
   * Compares what is claimed of a person with the organisation's own register (`POST /v1/registers/persons/import`) or, where that has nobody of the country, with the rules of the country's national numbers: structure, check digits, and the date of birth and sex that a number encodes. `full` needs a register; a valid number alone is `partial`. A country that neither covers is `database_not_available`, never a pass.
   *
   * `image` is kept with the check as evidence. No register here holds photographs, so it is `not_checked`; compare faces with `POST /v1/biometrics/face-match`.
   *
   * A session that verifies `database` makes this check by itself from its document, where that bears a national number.
   *
   * Permission: `documents:write`.
   */
  validateAgainstDatabase(
    body: Body<'validateAgainstDatabase'>,
    query: Query<'validateAgainstDatabase'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'validateAgainstDatabase'>> {
    return this.call<OperationResponse<'validateAgainstDatabase'>>({
      method: 'POST',
      path: '/v1/documents/database-validation',
      body,
      files: ['image'],
      query,
      idempotent: true,
      options,
    });
  }

  /**
   * Put a document on the blocklist
   *
   * A check that shows it is declined with `document_in_blocklist`. It is named by its number and state, or by the session or check that read it. The number itself is not kept.
   *
   * Permission: `blocklist:write`.
   */
  blockDocument(
    body: Body<'blockDocument'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'blockDocument'>> {
    return this.call<OperationResponse<'blockDocument'>>({
      method: 'POST',
      path: '/v1/blocklist/documents',
      body,
      idempotent: true,
      options,
    });
  }

  /**
   * List blocked documents
   *
   * Permission: `blocklist:read`.
   */
  listBlockedDocuments(
    query: Query<'listBlockedDocuments'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'listBlockedDocuments'>> {
    return this.call<OperationResponse<'listBlockedDocuments'>>({
      method: 'GET',
      path: '/v1/blocklist/documents',
      query,
      options,
    });
  }

  /** Every record of `listBlockedDocuments`, page after page. */
  iterateBlockedDocuments(
    query: Omit<Query<'listBlockedDocuments'>, 'cursor'> = {},
    options: CallOptions = {},
  ): AsyncGenerator<OperationResponse<'listBlockedDocuments'>['documents'][number]> {
    return paginate(async (cursor) => {
      const page = await this.listBlockedDocuments({ ...query, ...cursor }, options);
      return { items: page.documents, nextCursor: page.nextCursor };
    });
  }

  /**
   * Take a document off the blocklist
   *
   * Permission: `blocklist:write`.
   */
  unblockDocument(id: string, options: CallOptions = {}): Promise<OperationResponse<'unblockDocument'>> {
    return this.call<OperationResponse<'unblockDocument'>>({
      method: 'DELETE',
      path: `/v1/blocklist/documents/${encodeURIComponent(id)}`,
      options,
    });
  }

  /**
   * Get the receipt of an erasure
   *
   * Permission: `erasures:read`.
   */
  getErasure(id: string, options: CallOptions = {}): Promise<OperationResponse<'getErasure'>> {
    return this.call<OperationResponse<'getErasure'>>({
      method: 'GET',
      path: `/v1/erasures/${encodeURIComponent(id)}`,
      options,
    });
  }

  /**
   * Run a business check
   *
   * Asks every register that may know the company: the organisation’s own, Companies House, GLEIF, and VIES where a VAT number is given. A number that is given decides which company is meant; else its name must be the same and clearly better than the next one.
   *
   * A register that is away is asked again for a while and then reported as `kyb_registry_unavailable`; it is never taken for an answer that there is no such company.
   *
   * The company that was found, its officers, owners and parents are put to the watch lists (`aml`); a match, and lists that could not be searched, ask for a review. GLEIF is answered from its golden copy where the installation imported one (`copy` of the source).
   *
   * Permission: `kyb:write`.
   */
  createKybCheck(
    body: Body<'createKybCheck'>,
    query: Query<'createKybCheck'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'createKybCheck'>> {
    return this.call<OperationResponse<'createKybCheck'>>({
      method: 'POST',
      path: '/v1/kyb',
      body,
      query,
      idempotent: true,
      options,
    });
  }

  /**
   * List business checks
   *
   * Permission: `kyb:read`.
   */
  listKybChecks(
    query: Query<'listKybChecks'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'listKybChecks'>> {
    return this.call<OperationResponse<'listKybChecks'>>({ method: 'GET', path: '/v1/kyb', query, options });
  }

  /** Every record of `listKybChecks`, page after page. */
  iterateKybChecks(
    query: Omit<Query<'listKybChecks'>, 'cursor'> = {},
    options: CallOptions = {},
  ): AsyncGenerator<OperationResponse<'listKybChecks'>['checks'][number]> {
    return paginate(async (cursor) => {
      const page = await this.listKybChecks({ ...query, ...cursor }, options);
      return { items: page.checks, nextCursor: page.nextCursor };
    });
  }

  /**
   * Get a business check
   *
   * With `wait` the answer is held until the check has ended or the time is up.
   *
   * Permission: `kyb:read`.
   */
  getKybCheck(
    id: string,
    query: Query<'getKybCheck'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'getKybCheck'>> {
    return this.call<OperationResponse<'getKybCheck'>>({
      method: 'GET',
      path: `/v1/kyb/${encodeURIComponent(id)}`,
      query,
      options,
    });
  }

  /**
   * Delete a business check with the people in it
   *
   * Its results, pictures, embeddings and fingerprints go, its data key is destroyed, its workflows are cancelled. What stays is the receipt, the audit rows and the event, which hold ids. It cannot be undone; a second call is answered 404.
   *
   * Permission: `kyb:write`.
   */
  deleteKybCheck(id: string, options: CallOptions = {}): Promise<OperationResponse<'deleteKybCheck'>> {
    return this.call<OperationResponse<'deleteKybCheck'>>({
      method: 'DELETE',
      path: `/v1/kyb/${encodeURIComponent(id)}`,
      options,
    });
  }

  /**
   * Screen a name against watch lists
   *
   * Answers `match`, `score` and `hits`, or 503: a missing answer is never to be read as no match. 202 comes only to a client that asked for it by `wait=0` or `Prefer: respond-async`.
   *
   * Every hit is explained part by part. A live key searches the lists an operator has imported; a test key searches a list of invented names and nothing else.
   *
   * Permission: `aml:screen`.
   */
  screenAml(
    body: Body<'screenAml'>,
    query: Query<'screenAml'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'screenAml'>> {
    return this.call<OperationResponse<'screenAml'>>({
      method: 'POST',
      path: '/v1/aml/screen',
      body,
      query,
      idempotent: true,
      options,
    });
  }

  /**
   * Get a screening with its hits
   *
   * Permission: `aml:read`.
   */
  getAmlScreening(
    id: string,
    query: Query<'getAmlScreening'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'getAmlScreening'>> {
    return this.call<OperationResponse<'getAmlScreening'>>({
      method: 'GET',
      path: `/v1/aml/screenings/${encodeURIComponent(id)}`,
      query,
      options,
    });
  }

  /**
   * Delete a screening, its monitor and the subject
   *
   * Its results, pictures, embeddings and fingerprints go, its data key is destroyed, its workflows are cancelled. What stays is the receipt, the audit rows and the event, which hold ids. It cannot be undone; a second call is answered 404.
   *
   * Permission: `aml:delete`.
   */
  deleteAmlScreening(id: string, options: CallOptions = {}): Promise<OperationResponse<'deleteAmlScreening'>> {
    return this.call<OperationResponse<'deleteAmlScreening'>>({
      method: 'DELETE',
      path: `/v1/aml/screenings/${encodeURIComponent(id)}`,
      options,
    });
  }

  /**
   * Review a hit
   *
   * Of a screening or of a session. The word is remembered for the same subject and entry until either changes: a false positive no longer makes a match, in this screening and in those to come. In sessions the same `externalId`, name and date of birth are the same subject, whatever document they come with. A session not decided yet is judged anew, and still waits for its reviewer.
   *
   * Permission: `aml:review`.
   */
  reviewAmlHit(
    id: string,
    body: Body<'reviewAmlHit'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'reviewAmlHit'>> {
    return this.call<OperationResponse<'reviewAmlHit'>>({
      method: 'POST',
      path: `/v1/aml/hits/${encodeURIComponent(id)}/review`,
      body,
      options,
    });
  }

  /**
   * List the watch lists with their versions and age
   *
   * Lists of publishers serve the whole installation, an own list its organisation alone. Operators import both.
   *
   * Permission: `aml:read`.
   */
  listAmlLists(options: CallOptions = {}): Promise<OperationResponse<'listAmlLists'>> {
    return this.call<OperationResponse<'listAmlLists'>>({ method: 'GET', path: '/v1/aml/lists', options });
  }

  /**
   * What the versions of a list changed
   *
   * Its last versions with counts and what each meant for monitored subjects, and the entries that one of them added, changed or removed (the newest unless `version` names another).
   *
   * Permission: `aml:read`.
   */
  listAmlListChanges(
    id: string,
    query: Query<'listAmlListChanges'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'listAmlListChanges'>> {
    return this.call<OperationResponse<'listAmlListChanges'>>({
      method: 'GET',
      path: `/v1/aml/lists/${encodeURIComponent(id)}/changes`,
      query,
      options,
    });
  }

  /** Every record of `listAmlListChanges`, page after page. */
  iterateAmlListChanges(
    id: string,
    query: Omit<Query<'listAmlListChanges'>, 'cursor'> = {},
    options: CallOptions = {},
  ): AsyncGenerator<OperationResponse<'listAmlListChanges'>['versions'][number]> {
    return paginate(async (cursor) => {
      const page = await this.listAmlListChanges(id, { ...query, ...cursor }, options);
      return { items: page.versions, nextCursor: page.nextCursor };
    });
  }

  /**
   * List monitored subjects
   *
   * Permission: `aml:read`.
   */
  listAmlMonitors(
    query: Query<'listAmlMonitors'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'listAmlMonitors'>> {
    return this.call<OperationResponse<'listAmlMonitors'>>({ method: 'GET', path: '/v1/aml/monitors', query, options });
  }

  /** Every record of `listAmlMonitors`, page after page. */
  iterateAmlMonitors(
    query: Omit<Query<'listAmlMonitors'>, 'cursor'> = {},
    options: CallOptions = {},
  ): AsyncGenerator<OperationResponse<'listAmlMonitors'>['monitors'][number]> {
    return paginate(async (cursor) => {
      const page = await this.listAmlMonitors({ ...query, ...cursor }, options);
      return { items: page.monitors, nextCursor: page.nextCursor };
    });
  }

  /**
   * Get a monitor
   *
   * Permission: `aml:read`.
   */
  getAmlMonitor(id: string, options: CallOptions = {}): Promise<OperationResponse<'getAmlMonitor'>> {
    return this.call<OperationResponse<'getAmlMonitor'>>({
      method: 'GET',
      path: `/v1/aml/monitors/${encodeURIComponent(id)}`,
      options,
    });
  }

  /**
   * End monitoring
   *
   * The screenings made so far stay; delete the first of them to erase the subject.
   *
   * Permission: `aml:screen`.
   */
  deleteAmlMonitor(id: string, options: CallOptions = {}): Promise<OperationResponse<'deleteAmlMonitor'>> {
    return this.call<OperationResponse<'deleteAmlMonitor'>>({
      method: 'DELETE',
      path: `/v1/aml/monitors/${encodeURIComponent(id)}`,
      options,
    });
  }

  /**
   * Import one of the organisation's own registers
   *
   * A CSV file in UTF-8, at most 15 MB, with a header. Columns, those in bold being required:
   *
   * - `persons`: **country**, **idNumber**, **firstName**, **lastName**, dateOfBirth
   * - `companies`: **name**, country, registrationNumber, vatNumber, lei, status, legalForm, incorporationDate, registeredAddress, headquarters, officers, owners
   *
   * Dates are `YYYY-MM-DD`, countries ISO 3166-1 codes; `officers` is `name|role`, `owners` is `name|percentage`, several separated by semicolons.
   *
   * The file replaces the active version as a whole, in one moment, once every row has been read. Rows with errors are left out and reported by line; a file with more wrong rows than right ones changes nothing.
   *
   * Permission: `registers:write`.
   */
  importRegister(
    kind: string,
    body: Body<'importRegister'>,
    query: Query<'importRegister'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'importRegister'>> {
    return this.call<OperationResponse<'importRegister'>>({
      method: 'POST',
      path: `/v1/registers/${encodeURIComponent(kind)}/import`,
      body,
      files: ['file'],
      query,
      idempotent: true,
      options,
    });
  }

  /**
   * List versions of registers
   *
   * Permission: `registers:read`.
   */
  listRegisters(
    query: Query<'listRegisters'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'listRegisters'>> {
    return this.call<OperationResponse<'listRegisters'>>({ method: 'GET', path: '/v1/registers', query, options });
  }

  /** Every record of `listRegisters`, page after page. */
  iterateRegisters(
    query: Omit<Query<'listRegisters'>, 'cursor'> = {},
    options: CallOptions = {},
  ): AsyncGenerator<OperationResponse<'listRegisters'>['registers'][number]> {
    return paginate(async (cursor) => {
      const page = await this.listRegisters({ ...query, ...cursor }, options);
      return { items: page.registers, nextCursor: page.nextCursor };
    });
  }

  /**
   * Get a version of a register
   *
   * With `wait` the answer is held until the file has been read.
   *
   * Permission: `registers:read`.
   */
  getRegister(
    id: string,
    query: Query<'getRegister'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'getRegister'>> {
    return this.call<OperationResponse<'getRegister'>>({
      method: 'GET',
      path: `/v1/registers/${encodeURIComponent(id)}`,
      query,
      options,
    });
  }

  /**
   * Delete a version of a register with all its rows
   *
   * Its results, pictures, embeddings and fingerprints go, its data key is destroyed, its workflows are cancelled. What stays is the receipt, the audit rows and the event, which hold ids. It cannot be undone; a second call is answered 404.
   *
   * Permission: `registers:write`.
   */
  deleteRegister(id: string, options: CallOptions = {}): Promise<OperationResponse<'deleteRegister'>> {
    return this.call<OperationResponse<'deleteRegister'>>({
      method: 'DELETE',
      path: `/v1/registers/${encodeURIComponent(id)}`,
      options,
    });
  }

  /**
   * Sign in from a browser
   *
   * Sets an httpOnly cookie that stands for an API key of the chosen mode with the permissions of the role. It ends after twelve hours, or after one without a request.
   *
   * Needs an `Origin` of `ALLOWED_ORIGINS`, as every later request but GET does beside the CSRF token. Five failed attempts lock an address for 15 minutes, those at the business API counted with them.
   *
   * Roles with access: `admin`, `reviewer`, `developer`, `auditor`, `viewer`.
   *
   * Public.
   */
  loginToConsole(
    body: Body<'loginToConsole'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'loginToConsole'>> {
    return this.call<OperationResponse<'loginToConsole'>>({ method: 'POST', path: '/v1/auth/login', body, options });
  }

  /**
   * End the browser session
   *
   * It stops working at once, on every replica.
   *
   * Any credential.
   */
  logoutFromConsole(options: CallOptions = {}): Promise<OperationResponse<'logoutFromConsole'>> {
    return this.call<OperationResponse<'logoutFromConsole'>>({ method: 'POST', path: '/v1/auth/logout', options });
  }

  /**
   * Who is signed in
   *
   * Works with an API key too: then `user` is null and `key` says which.
   *
   * Any credential.
   */
  getCredential(options: CallOptions = {}): Promise<OperationResponse<'getCredential'>> {
    return this.call<OperationResponse<'getCredential'>>({ method: 'GET', path: '/v1/auth/me', options });
  }

  /**
   * Get a link to a piece of evidence
   *
   * The file is decrypted for whoever follows the link. With `preview` it is a JPEG encoded anew from the pixels, at most 1280 a side, safe to show.
   *
   * Permission: `evidence:read`.
   */
  getSessionEvidence(
    id: string,
    evidenceId: string,
    query: Query<'getSessionEvidence'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'getSessionEvidence'>> {
    return this.call<OperationResponse<'getSessionEvidence'>>({
      method: 'GET',
      path: `/v1/sessions/${encodeURIComponent(id)}/evidence/${encodeURIComponent(evidenceId)}`,
      query,
      options,
    });
  }

  /**
   * Get a link to a piece of evidence
   *
   * The file is decrypted for whoever follows the link. With `preview` it is a JPEG encoded anew from the pixels, at most 1280 a side, safe to show.
   *
   * Permission: `evidence:read`.
   */
  getCheckEvidence(
    id: string,
    evidenceId: string,
    query: Query<'getCheckEvidence'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'getCheckEvidence'>> {
    return this.call<OperationResponse<'getCheckEvidence'>>({
      method: 'GET',
      path: `/v1/checks/${encodeURIComponent(id)}/evidence/${encodeURIComponent(evidenceId)}`,
      query,
      options,
    });
  }

  /**
   * Get a link to the report of a session
   *
   * A PDF with decision, steps, results, risks, reviews and the hashes of the evidence, as the session stands. It is printed once for each state of the session and kept encrypted with its evidence.
   *
   * Permission: `sessions:read`.
   */
  getSessionReport(id: string, options: CallOptions = {}): Promise<OperationResponse<'getSessionReport'>> {
    return this.call<OperationResponse<'getSessionReport'>>({
      method: 'GET',
      path: `/v1/sessions/${encodeURIComponent(id)}/report`,
      options,
    });
  }

  /**
   * Share a finished session with another organisation
   *
   * The token can be taken up once, by its audience, until it expires. The words of consent are kept on both sides. With `bundle` the answer links to a signed file that another installation verifies offline.
   *
   * Permission: `sessions:share`.
   */
  shareSession(
    id: string,
    body: Body<'shareSession'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'shareSession'>> {
    return this.call<OperationResponse<'shareSession'>>({
      method: 'POST',
      path: `/v1/sessions/${encodeURIComponent(id)}/share`,
      body,
      idempotent: true,
      options,
    });
  }

  /**
   * Import a session by its share token
   *
   * A session in review unless `trustReview` takes over an approval; that needs `sessions:trust-import` and an issuer whose decisions the operator accepts.
   *
   * Permission: `sessions:import`.
   */
  importSession(body: Body<'importSession'>, options: CallOptions = {}): Promise<OperationResponse<'importSession'>> {
    return this.call<OperationResponse<'importSession'>>({
      method: 'POST',
      path: '/v1/sessions/import',
      body,
      idempotent: true,
      options,
    });
  }

  /**
   * Import a session from the bundle of another installation
   *
   * A session in review unless `trustReview` takes over an approval; that needs `sessions:trust-import` and an issuer whose decisions the operator accepts. Issuers and their keys are a list of the operator; nothing a bundle names is fetched.
   *
   * Permission: `sessions:import`.
   */
  importSessionBundle(
    body: Body<'importSessionBundle'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'importSessionBundle'>> {
    return this.call<OperationResponse<'importSessionBundle'>>({
      method: 'POST',
      path: '/v1/sessions/import/bundle',
      body,
      files: ['bundle'],
      idempotent: true,
      options,
    });
  }

  /**
   * List the shares of a session
   *
   * Newest first, with what became of each and the consent it rests on. Tokens are never shown again.
   *
   * Permission: `sessions:share`.
   */
  listShares(
    id: string,
    query: Query<'listShares'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'listShares'>> {
    return this.call<OperationResponse<'listShares'>>({
      method: 'GET',
      path: `/v1/sessions/${encodeURIComponent(id)}/shares`,
      query,
      options,
    });
  }

  /** Every record of `listShares`, page after page. */
  iterateShares(
    id: string,
    query: Omit<Query<'listShares'>, 'cursor'> = {},
    options: CallOptions = {},
  ): AsyncGenerator<OperationResponse<'listShares'>['shares'][number]> {
    return paginate(async (cursor) => {
      const page = await this.listShares(id, { ...query, ...cursor }, options);
      return { items: page.shares, nextCursor: page.nextCursor };
    });
  }

  /**
   * Take a share back
   *
   * Nobody takes it up from then on (410 `share_revoked`); one taken back before stays as it is. A bundle that another installation already holds is verified there, without this one.
   *
   * Permission: `sessions:share`.
   */
  revokeShare(id: string, shareId: string, options: CallOptions = {}): Promise<OperationResponse<'revokeShare'>> {
    return this.call<OperationResponse<'revokeShare'>>({
      method: 'DELETE',
      path: `/v1/sessions/${encodeURIComponent(id)}/shares/${encodeURIComponent(shareId)}`,
      options,
    });
  }

  /**
   * Create an API key
   *
   * The secret is shown once. A key can create only keys of its own mode, with a subset of its own permissions, addresses and lifetime; without options it hands on its own permissions, addresses and expiry.
   *
   * Permission: `keys:write`.
   */
  createKey(body: Body<'createKey'> = {}, options: CallOptions = {}): Promise<OperationResponse<'createKey'>> {
    return this.call<OperationResponse<'createKey'>>({
      method: 'POST',
      path: '/v1/keys',
      body,
      idempotent: true,
      options,
    });
  }

  /**
   * List API keys
   *
   * Permission: `keys:read`.
   */
  listKeys(query: Query<'listKeys'> = {}, options: CallOptions = {}): Promise<OperationResponse<'listKeys'>> {
    return this.call<OperationResponse<'listKeys'>>({ method: 'GET', path: '/v1/keys', query, options });
  }

  /** Every record of `listKeys`, page after page. */
  iterateKeys(
    query: Omit<Query<'listKeys'>, 'cursor'> = {},
    options: CallOptions = {},
  ): AsyncGenerator<OperationResponse<'listKeys'>['keys'][number]> {
    return paginate(async (cursor) => {
      const page = await this.listKeys({ ...query, ...cursor }, options);
      return { items: page.keys, nextCursor: page.nextCursor };
    });
  }

  /**
   * Revoke an API key
   *
   * At once and for good. A key may revoke itself.
   *
   * Permission: `keys:write`.
   */
  revokeKey(id: string, options: CallOptions = {}): Promise<OperationResponse<'revokeKey'>> {
    return this.call<OperationResponse<'revokeKey'>>({
      method: 'DELETE',
      path: `/v1/keys/${encodeURIComponent(id)}`,
      options,
    });
  }

  /**
   * Recompute the chain of the audit log
   *
   * Every row of the organisation, of both modes, is hashed over what it says and the hash before it. New rows are sealed within a minute, and the end of the chain is signed once a day: a chain made anew over altered rows does not bear the signatures. One look covers `limit` rows from `from` on; the whole chain is proven by asking again with `nextFrom` until it is null.
   *
   * Permission: `audit:read`.
   */
  verifyAuditLog(
    query: Query<'verifyAuditLog'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'verifyAuditLog'>> {
    return this.call<OperationResponse<'verifyAuditLog'>>({
      method: 'GET',
      path: '/v1/audit-log/verify',
      query,
      options,
    });
  }

  /**
   * List who did what
   *
   * Ids and names of fields, never values; rows of the mode of the credential.
   *
   * Permission: `audit:read`.
   */
  listAuditLog(
    query: Query<'listAuditLog'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'listAuditLog'>> {
    return this.call<OperationResponse<'listAuditLog'>>({ method: 'GET', path: '/v1/audit-log', query, options });
  }

  /** Every record of `listAuditLog`, page after page. */
  iterateAuditLog(
    query: Omit<Query<'listAuditLog'>, 'cursor'> = {},
    options: CallOptions = {},
  ): AsyncGenerator<OperationResponse<'listAuditLog'>['entries'][number]> {
    return paginate(async (cursor) => {
      const page = await this.listAuditLog({ ...query, ...cursor }, options);
      return { items: page.entries, nextCursor: page.nextCursor };
    });
  }

  /**
   * Register a webhook
   *
   * Events are posted as `{type, timestamp, data}`, signed by the Standard Webhooks specification: headers `webhook-id` (the same on every attempt), `webhook-timestamp` and `webhook-signature`, key `whsec_…`. The secret is shown once.
   *
   * A delivery succeeds on any 2xx within 15 s. Else it is repeated after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h; 429 and 503 may ask for more time with `Retry-After`, up to 24 h. Redirects are not followed. 410, or five days of nothing but failures, disables the webhook until it is recovered.
   *
   * Permission: `webhooks:write`.
   */
  createWebhook(body: Body<'createWebhook'>, options: CallOptions = {}): Promise<OperationResponse<'createWebhook'>> {
    return this.call<OperationResponse<'createWebhook'>>({
      method: 'POST',
      path: '/v1/webhooks',
      body,
      idempotent: true,
      options,
    });
  }

  /**
   * List webhooks
   *
   * Permission: `webhooks:read`.
   */
  listWebhooks(
    query: Query<'listWebhooks'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'listWebhooks'>> {
    return this.call<OperationResponse<'listWebhooks'>>({ method: 'GET', path: '/v1/webhooks', query, options });
  }

  /** Every record of `listWebhooks`, page after page. */
  iterateWebhooks(
    query: Omit<Query<'listWebhooks'>, 'cursor'> = {},
    options: CallOptions = {},
  ): AsyncGenerator<OperationResponse<'listWebhooks'>['webhooks'][number]> {
    return paginate(async (cursor) => {
      const page = await this.listWebhooks({ ...query, ...cursor }, options);
      return { items: page.webhooks, nextCursor: page.nextCursor };
    });
  }

  /**
   * Delete a webhook
   *
   * Its secret is destroyed at once; deliveries under way end.
   *
   * Permission: `webhooks:write`.
   */
  deleteWebhook(id: string, options: CallOptions = {}): Promise<OperationResponse<'deleteWebhook'>> {
    return this.call<OperationResponse<'deleteWebhook'>>({
      method: 'DELETE',
      path: `/v1/webhooks/${encodeURIComponent(id)}`,
      options,
    });
  }

  /**
   * Send a test delivery
   *
   * Posts `webhook.test` to this webhook alone, signed and repeated like any event.
   *
   * Permission: `webhooks:write`.
   */
  testWebhook(id: string, options: CallOptions = {}): Promise<OperationResponse<'testWebhook'>> {
    return this.call<OperationResponse<'testWebhook'>>({
      method: 'POST',
      path: `/v1/webhooks/${encodeURIComponent(id)}/test`,
      options,
    });
  }

  /**
   * List the deliveries of a webhook
   *
   * With every attempt; kept for 90 days.
   *
   * Permission: `webhooks:read`.
   */
  listWebhookDeliveries(
    id: string,
    query: Query<'listWebhookDeliveries'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'listWebhookDeliveries'>> {
    return this.call<OperationResponse<'listWebhookDeliveries'>>({
      method: 'GET',
      path: `/v1/webhooks/${encodeURIComponent(id)}/deliveries`,
      query,
      options,
    });
  }

  /** Every record of `listWebhookDeliveries`, page after page. */
  iterateWebhookDeliveries(
    id: string,
    query: Omit<Query<'listWebhookDeliveries'>, 'cursor'> = {},
    options: CallOptions = {},
  ): AsyncGenerator<OperationResponse<'listWebhookDeliveries'>['deliveries'][number]> {
    return paginate(async (cursor) => {
      const page = await this.listWebhookDeliveries(id, { ...query, ...cursor }, options);
      return { items: page.deliveries, nextCursor: page.nextCursor };
    });
  }

  /**
   * Give a webhook a new secret
   *
   * The new secret is shown once. While the two overlap, deliveries carry a signature by each; with `overlapSeconds: 0` the old one ends at once.
   *
   * Permission: `webhooks:write`.
   */
  rotateWebhookSecret(
    id: string,
    body: Body<'rotateWebhookSecret'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'rotateWebhookSecret'>> {
    return this.call<OperationResponse<'rotateWebhookSecret'>>({
      method: 'POST',
      path: `/v1/webhooks/${encodeURIComponent(id)}/rotate`,
      body,
      idempotent: true,
      options,
    });
  }

  /**
   * Send again what a webhook missed
   *
   * Sends every event since a time that the webhook subscribes to and that was not delivered, also what happened while it was disabled; a disabled webhook is enabled.
   *
   * Events keep their `webhook-id`, so that a receiver can drop those it has seen. Events are kept for 90 days.
   *
   * Permission: `webhooks:write`.
   */
  recoverWebhook(
    id: string,
    body: Body<'recoverWebhook'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'recoverWebhook'>> {
    return this.call<OperationResponse<'recoverWebhook'>>({
      method: 'POST',
      path: `/v1/webhooks/${encodeURIComponent(id)}/recover`,
      body,
      options,
    });
  }

  /**
   * Send one event again
   *
   * Whether it was delivered or not: a new delivery under the same `webhook-id`, attempted at once.
   *
   * Permission: `webhooks:write`.
   */
  resendWebhookDelivery(
    id: string,
    deliveryId: string,
    options: CallOptions = {},
  ): Promise<OperationResponse<'resendWebhookDelivery'>> {
    return this.call<OperationResponse<'resendWebhookDelivery'>>({
      method: 'POST',
      path: `/v1/webhooks/${encodeURIComponent(id)}/deliveries/${encodeURIComponent(deliveryId)}/resend`,
      options,
    });
  }
}
