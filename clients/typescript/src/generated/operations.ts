// Generated from openapi/identity.json by `npm run build -- --openapi`; do not edit.
import { paginate } from '../pages';

import type { BodyOf, Call, CallOptions, FileResponse, QueryOf, ResponseOf } from '../calls';
import type { operations } from './schema';

type Body<N extends keyof operations> = BodyOf<operations[N]>;
type Query<N extends keyof operations> = QueryOf<operations[N]>;
type OperationResponse<N extends keyof operations> = ResponseOf<operations[N]>;

/** A method for every operation of the API, named as in its OpenAPI document. */
export abstract class Operations {
  /** Sends one request; a response is checked for an error only. */
  protected abstract call<T>(call: Call): Promise<T>;

  /**
   * Create a verification session
   *
   * All options are optional. The `url` of the response opens the capture page for the person, once; send it to the person or redirect there.
   *
   * Requires the permission `sessions:write`.
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
   * Requires the permission `sessions:read`.
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
   * Longest waiting first, with the risks that caused the review.
   *
   * Requires the permission `sessions:read`.
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
   * Returns the session with its steps, results, risks, decision and the ids of its evidence. Its ETag names this state: a decision that is sent with it as If-Match is made on this state only.
   *
   * Requires the permission `sessions:read`.
   */
  getSession(id: string, options: CallOptions = {}): Promise<OperationResponse<'getSession'>> {
    return this.call<OperationResponse<'getSession'>>({
      method: 'GET',
      path: `/v1/sessions/${encodeURIComponent(id)}`,
      options,
    });
  }

  /**
   * Change a session's metadata
   *
   * Fields of `metadata` that are sent replace those of the same name; null removes a field, and `metadata: null` removes all. Works in every status. Honours If-Match.
   *
   * Requires the permission `sessions:write`.
   */
  updateSession(
    id: string,
    body: Body<'updateSession'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'updateSession'>> {
    return this.call<OperationResponse<'updateSession'>>({
      method: 'PATCH',
      path: `/v1/sessions/${encodeURIComponent(id)}`,
      body,
      options,
    });
  }

  /**
   * Delete a session and erase the person
   *
   * Removes results, images, embeddings and fingerprints, destroys the data key and cancels the workflows of the record. The receipt, the audit entries and the event are kept; they contain only ids. An erasure cannot be undone; a second call returns 404.
   *
   * Requires the permission `sessions:delete`.
   */
  deleteSession(id: string, options: CallOptions = {}): Promise<OperationResponse<'deleteSession'>> {
    return this.call<OperationResponse<'deleteSession'>>({
      method: 'DELETE',
      path: `/v1/sessions/${encodeURIComponent(id)}`,
      options,
    });
  }

  /**
   * Cancel a session
   *
   * Ends a session without a decision: it accepts no more checks. What it has collected is kept until its retention period ends; `DELETE` erases it at once. Cancelling a cancelled session changes nothing. Honours If-Match.
   *
   * Requires the permission `sessions:write`.
   */
  cancelSession(
    id: string,
    body: Body<'cancelSession'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'cancelSession'>> {
    return this.call<OperationResponse<'cancelSession'>>({
      method: 'POST',
      path: `/v1/sessions/${encodeURIComponent(id)}/cancel`,
      body,
      idempotent: true,
      options,
    });
  }

  /**
   * Create a link to the capture page
   *
   * For an open session, such as one whose steps a reviewer has requested again. Replaces an earlier link that was not used.
   *
   * Requires the permission `sessions:write`.
   */
  createSessionLink(id: string, options: CallOptions = {}): Promise<OperationResponse<'createSessionLink'>> {
    return this.call<OperationResponse<'createSessionLink'>>({
      method: 'POST',
      path: `/v1/sessions/${encodeURIComponent(id)}/links`,
      options,
    });
  }

  /**
   * Get what the capture page shows of the organisation
   *
   * Requires the permission `workflows:read`.
   */
  getBranding(options: CallOptions = {}): Promise<OperationResponse<'getBranding'>> {
    return this.call<OperationResponse<'getBranding'>>({ method: 'GET', path: '/v1/branding', options });
  }

  /**
   * Get the logo of the capture page
   *
   * Requires the permission `workflows:read`.
   */
  getBrandLogo(options: CallOptions = {}): Promise<FileResponse<operations['getBrandLogo']>> {
    return this.call<FileResponse<operations['getBrandLogo']>>({
      method: 'GET',
      path: '/v1/branding/logo',
      isFile: true,
      options,
    });
  }

  /**
   * Set the logo of the capture page
   *
   * The organisation has one logo, which people see in live and in test mode.
   *
   * Requires the permission `workflows:write`.
   */
  setBrandLogo(body: Body<'setBrandLogo'>, options: CallOptions = {}): Promise<OperationResponse<'setBrandLogo'>> {
    return this.call<OperationResponse<'setBrandLogo'>>({
      method: 'PUT',
      path: '/v1/branding/logo',
      body,
      files: ['logo'],
      options,
    });
  }

  /**
   * Remove the logo of the capture page
   *
   * Requires the permission `workflows:write`.
   */
  removeBrandLogo(options: CallOptions = {}): Promise<OperationResponse<'removeBrandLogo'>> {
    return this.call<OperationResponse<'removeBrandLogo'>>({ method: 'DELETE', path: '/v1/branding/logo', options });
  }

  /**
   * Decide a session
   *
   * A reviewer approves or declines the session, or requests that steps are submitted again.
   *
   * A final decision is reversed only with `override: true` and a `reason`, which is audited; `review` puts a decided session back into the review queue. A session cannot be approved while one of its steps has no result.
   *
   * Honours If-Match: with the ETag of the session that the reviewer saw, a session that has changed since is not decided (412). Send it whenever a person decides.
   *
   * Requires the permission `sessions:decide`.
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
   * Add a note to a session
   *
   * Records what a reviewer found out, without a decision, in every status. A session has at most 100 notes; they cannot be changed, are part of the session, and are erased with it.
   *
   * Requires the permission `sessions:decide`.
   */
  addSessionNote(
    id: string,
    body: Body<'addSessionNote'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'addSessionNote'>> {
    return this.call<OperationResponse<'addSessionNote'>>({
      method: 'POST',
      path: `/v1/sessions/${encodeURIComponent(id)}/notes`,
      body,
      idempotent: true,
      options,
    });
  }

  /**
   * Create a session workflow
   *
   * A session workflow is the common definition of a group of sessions. All fields except the name are optional.
   *
   * Requires the permission `workflows:write`.
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
   * Requires the permission `workflows:read`.
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
   * Returns the current or the requested version, also of an archived workflow.
   *
   * Requires the permission `workflows:read`.
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
   * Each field that is sent replaces the former value completely. A change of the definition creates the next version; existing sessions keep theirs. Making the workflow the default creates no version. Honours If-Match.
   *
   * Requires the permission `workflows:write`.
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
   * Archives the workflow: no session can start with it any more; existing sessions keep their version. Archiving it again changes nothing.
   *
   * Requires the permission `workflows:write`.
   */
  deleteSessionWorkflow(id: string, options: CallOptions = {}): Promise<OperationResponse<'deleteSessionWorkflow'>> {
    return this.call<OperationResponse<'deleteSessionWorkflow'>>({
      method: 'DELETE',
      path: `/v1/sessions/workflows/${encodeURIComponent(id)}`,
      options,
    });
  }

  /**
   * Simulate a draft of a workflow on past sessions
   *
   * Decides past sessions again from their measurements by the thresholds, actions, rules and accepted documents of the draft, and counts the decisions that differ. Fields that the draft leaves out are those of the workflow. Sessions keep their own features unless the draft names `features`; a session that never ran such a step would still wait for it (`in_progress`). Nothing is stored. Also requires the permission `sessions:read`.
   *
   * Requires the permission `workflows:read`.
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
   * Reads a passport, identity card, driving licence, residence permit or visa from one or two photographs and evaluates it.
   *
   * Requires the permission `documents:write`.
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
   * Reads a utility bill, bank statement or letter of an authority: its issuer, its date, its recipient and the address. The text of a PDF is read directly, scans and photographs by character recognition.
   *
   * In a session the name is compared with the one on its document, else with the expected one, and the address with `expected.address`.
   *
   * Requires the permission `documents:write`.
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
   * Compares the largest face of each image.
   *
   * In a session `refImage` may be left out: the portrait of its document is used. A session that verifies both document and liveness compares the two automatically; a comparison by the client then has a result too, but never overrides the automatic one.
   *
   * Requires the permission `biometrics:write`.
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
   * List checks
   *
   * Standalone checks and those of sessions, without their results.
   *
   * Requires the permission `checks:read`.
   */
  listChecks(query: Query<'listChecks'> = {}, options: CallOptions = {}): Promise<OperationResponse<'listChecks'>> {
    return this.call<OperationResponse<'listChecks'>>({ method: 'GET', path: '/v1/checks', query, options });
  }

  /** Every record of `listChecks`, page after page. */
  iterateChecks(
    query: Omit<Query<'listChecks'>, 'cursor'> = {},
    options: CallOptions = {},
  ): AsyncGenerator<OperationResponse<'listChecks'>['checks'][number]> {
    return paginate(async (cursor) => {
      const page = await this.listChecks({ ...query, ...cursor }, options);
      return { items: page.checks, nextCursor: page.nextCursor };
    });
  }

  /**
   * Get a check
   *
   * With `wait`, the response is delayed until the check has ended or the time has passed.
   *
   * Requires the permission `checks:read`.
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
   * Delete a standalone check and erase the person
   *
   * Removes results, images, embeddings and fingerprints, destroys the data key and cancels the workflows of the record. The receipt, the audit entries and the event are kept; they contain only ids. An erasure cannot be undone; a second call returns 404.
   *
   * Requires the permission `checks:delete`.
   */
  deleteCheck(id: string, options: CallOptions = {}): Promise<OperationResponse<'deleteCheck'>> {
    return this.call<OperationResponse<'deleteCheck'>>({
      method: 'DELETE',
      path: `/v1/checks/${encodeURIComponent(id)}`,
      options,
    });
  }

  /**
   * Check that a live person is in front of the camera
   *
   * Passive: one photograph as `image`; the result has the score and its parts.
   *
   * Active: `challengeId` and 4–24 `frames` in the order of capture, about three per second; the person faces the camera at the beginning and at the end. The server verifies that the same person performs the actions of the challenge in their order; the most frontal frame is also evaluated passively. This is the stronger check.
   *
   * Requires the permission `biometrics:write`.
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
      files: ['image', 'frames'],
      query,
      idempotent: true,
      options,
    });
  }

  /**
   * Create a liveness challenge
   *
   * Returns actions in random order. The challenge can be answered once, within five minutes, by `POST /v1/biometrics/liveness`. A session may draw 10 challenges, and another one for each attempt at its liveness step, so that a person cannot draw until certain actions come up; when a reviewer requests the step again, counting begins anew. Challenges without `sessionId` are not limited.
   *
   * Requires the permission `biometrics:write`.
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
   * Estimates the age of the largest face, with the interval that contains the age of nine out of ten people and the mean error of the model at this age.
   *
   * `meetsMinimumAge` is yes or no only if the whole interval is on one side of `minimumAge`. No raises `minimum_age_not_met` and declines the check; uncertain raises it for review, because only a document can decide.
   *
   * A session that verifies `age` and `liveness` estimates the age of the selfie automatically.
   *
   * Requires the permission `biometrics:write`.
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
   * Compares the largest face of the image with every indexed face of the organisation; selfies of approved sessions are among the `users`. The search is exact.
   *
   * The default `threshold` is set so that a search for an absent person has a match in 1 % of cases; it rises with the size of the gallery and is at least 0.5. `gallerySize`, `threshold` and `expectedFalseHits` indicate how reliable the matches are: a person must verify them.
   *
   * Requires the permission `faces:read`.
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
   * Once indexed, every search finds the face, and selfies of sessions are compared with it: a match among the `users` raises `duplicate_face`, unless the session has the same `externalId`, and a match on the `blocklist` raises `face_in_blocklist`. An image without exactly one clear face is `rejected`, with the reason among its risks.
   *
   * Requires the permission `faces:write`.
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
   * Newest first, including selfies of approved sessions.
   *
   * Requires the permission `faces:read`.
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
   * With `wait`, the response is delayed until the face is indexed or the time has passed.
   *
   * Requires the permission `faces:read`.
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
   * Removes results, images, embeddings and fingerprints, destroys the data key and cancels the workflows of the record. The receipt, the audit entries and the event are kept; they contain only ids. An erasure cannot be undone; a second call returns 404.
   *
   * Requires the permission `faces:write`.
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
   * Compares claims about a person with the organisation's own register (`POST /v1/registers/persons/import`) or, if it does not cover the country, with the rules for the country's national numbers: structure, check digits, and the date of birth and sex that a number encodes. `full` requires a register; a valid number alone is `partial`. A country that neither covers results in `database_not_available`, never in a pass.
   *
   * `image` is stored with the check as evidence. Registers contain no photographs, so that it is `not_checked`; compare faces with `POST /v1/biometrics/face-match`.
   *
   * A session with the feature `database` runs this check automatically if its document contains a national number.
   *
   * Requires the permission `documents:write`.
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
   * Add a document to the blocklist
   *
   * A check of this document is declined with `document_in_blocklist`. The document is identified by its number and issuing state, or by the session or check that read it. The number itself is not stored. Licences and identity cards of the United States, Canada and Mexico with a barcode are numbered by their state or province: an entry by session or check blocks that of one of them, and an entry by number and issuing state the number in all of them.
   *
   * Requires the permission `blocklist:write`.
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
   * Requires the permission `blocklist:read`.
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
   * Remove a document from the blocklist
   *
   * Requires the permission `blocklist:write`.
   */
  unblockDocument(id: string, options: CallOptions = {}): Promise<OperationResponse<'unblockDocument'>> {
    return this.call<OperationResponse<'unblockDocument'>>({
      method: 'DELETE',
      path: `/v1/blocklist/documents/${encodeURIComponent(id)}`,
      options,
    });
  }

  /**
   * List the receipts of erasures
   *
   * Requires the permission `erasures:read`.
   */
  listErasures(
    query: Query<'listErasures'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'listErasures'>> {
    return this.call<OperationResponse<'listErasures'>>({ method: 'GET', path: '/v1/erasures', query, options });
  }

  /** Every record of `listErasures`, page after page. */
  iterateErasures(
    query: Omit<Query<'listErasures'>, 'cursor'> = {},
    options: CallOptions = {},
  ): AsyncGenerator<OperationResponse<'listErasures'>['erasures'][number]> {
    return paginate(async (cursor) => {
      const page = await this.listErasures({ ...query, ...cursor }, options);
      return { items: page.erasures, nextCursor: page.nextCursor };
    });
  }

  /**
   * Get the receipt of an erasure
   *
   * Requires the permission `erasures:read`.
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
   * Queries every register that may contain the company: the organisation’s own, Companies House, GLEIF, and VIES if a VAT number is given. A given number decides which company is selected; otherwise its name must be equal and match clearly better than the next one.
   *
   * An unavailable register is queried again for a limited time and then reported as `kyb_registry_unavailable`; it never counts as proof that the company does not exist.
   *
   * The company that was found, its officers, owners and parents are screened against the watch lists (`aml`); a match, or lists that could not be searched, require a review. Hits are reviewed with `POST /v1/aml/hits/:id/review`; with `monitoring` every screened party is screened again when a list changes (`monitorId`, event `aml.alert`). GLEIF is queried in its golden copy if the installation imported one (`copy` of the source).
   *
   * Requires the permission `kyb:write`.
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
   * Requires the permission `kyb:read`.
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
   * With `wait`, the response is delayed until the check has completed or the time has elapsed.
   *
   * Requires the permission `kyb:read`.
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
   * Delete a business check with the people in it, their hits and monitors
   *
   * Removes results, images, embeddings and fingerprints, destroys the data key and cancels the workflows of the record. The receipt, the audit entries and the event are kept; they contain only ids. An erasure cannot be undone; a second call returns 404.
   *
   * Requires the permission `kyb:write`.
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
   * Returns `match`, `score` and `hits`, or 503 if there is no result, which must not be treated as no match. The response is 202 only if the client requests it by `wait=0` or `Prefer: respond-async`.
   *
   * Every hit has an explanation of its score. A live key searches the lists that an operator has imported; a test key searches only a list of fictional names.
   *
   * Requires the permission `aml:screen`.
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
   * List screenings
   *
   * Screenings of clients and of monitors with their outcome, without subjects and hits.
   *
   * Requires the permission `aml:read`.
   */
  listAmlScreenings(
    query: Query<'listAmlScreenings'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'listAmlScreenings'>> {
    return this.call<OperationResponse<'listAmlScreenings'>>({
      method: 'GET',
      path: '/v1/aml/screenings',
      query,
      options,
    });
  }

  /** Every record of `listAmlScreenings`, page after page. */
  iterateAmlScreenings(
    query: Omit<Query<'listAmlScreenings'>, 'cursor'> = {},
    options: CallOptions = {},
  ): AsyncGenerator<OperationResponse<'listAmlScreenings'>['screenings'][number]> {
    return paginate(async (cursor) => {
      const page = await this.listAmlScreenings({ ...query, ...cursor }, options);
      return { items: page.screenings, nextCursor: page.nextCursor };
    });
  }

  /**
   * Get a screening with its hits
   *
   * Requires the permission `aml:read`.
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
   * Removes results, images, embeddings and fingerprints, destroys the data key and cancels the workflows of the record. The receipt, the audit entries and the event are kept; they contain only ids. An erasure cannot be undone; a second call returns 404.
   *
   * Requires the permission `aml:delete`.
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
   * Reviews a hit of a screening, of a session or of a party of a business check. The review applies to the same subject and entry until either changes: a false positive no longer makes a match, neither in this screening nor in later ones. In sessions an equal `externalId`, name and date of birth denote the same subject, whatever the document. A session without a decision is evaluated again, and still waits for its reviewer. The risks and the status of a business check are evaluated again, too.
   *
   * Requires the permission `aml:review`.
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
   * Published lists serve the whole installation, own lists only their organisation. Operators import both.
   *
   * Requires the permission `aml:read`.
   */
  listAmlLists(options: CallOptions = {}): Promise<OperationResponse<'listAmlLists'>> {
    return this.call<OperationResponse<'listAmlLists'>>({ method: 'GET', path: '/v1/aml/lists', options });
  }

  /**
   * List the changes of a watch list
   *
   * Returns the latest versions of the list with their counts, and the entries that one of them added, changed or removed (the newest version unless `version` names another).
   *
   * Requires the permission `aml:read`.
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
   * Requires the permission `aml:read`.
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
   * Requires the permission `aml:read`.
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
   * Existing screenings are kept; delete the first of them, or the business check of a party, to erase the subject.
   *
   * Requires the permission `aml:screen`.
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
   * Accepts a CSV file in UTF-8 of at most 15 MB with a header. Columns (required ones in bold):
   *
   * - `persons`: **country**, **idNumber**, **firstName**, **lastName**, dateOfBirth
   * - `companies`: **name**, country, registrationNumber, vatNumber, lei, status, legalForm, incorporationDate, registeredAddress, headquarters, officers, owners
   *
   * Dates are `YYYY-MM-DD`, countries ISO 3166-1 codes; `officers` is `name|role` and `owners` is `name|percentage`, separated by semicolons.
   *
   * Once every row has been read, the file atomically replaces the active version. Invalid rows are omitted and reported by line; a file with more invalid than valid rows changes nothing.
   *
   * Requires the permission `registers:write`.
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
   * Requires the permission `registers:read`.
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
   * With `wait`, the response is delayed until the file has been imported or the time has elapsed.
   *
   * Requires the permission `registers:read`.
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
   * Removes results, images, embeddings and fingerprints, destroys the data key and cancels the workflows of the record. The receipt, the audit entries and the event are kept; they contain only ids. An erasure cannot be undone; a second call returns 404.
   *
   * Requires the permission `registers:write`.
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
   * Sets an httpOnly cookie that both APIs accept instead of another credential, with the permissions of the role in each. `/v1` reads and writes records of the chosen mode; `/api` needs live mode. The session ends after `BROWSER_SESSION_SECONDS` (twelve hours), or after `BROWSER_SESSION_IDLE_SECONDS` (one hour) without a request.
   *
   * Requires an `Origin` of `ALLOWED_ORIGINS`, as does every later request except GET, in addition to the CSRF token.
   *
   * After 5 failed attempts, including those at the business API, a client address cannot sign in with an email address for 15 minutes; many failures from all addresses delay each further attempt by a growing time. Browsers in which the user has signed in before are known by a second cookie, and are not affected by failures from elsewhere.
   *
   * No credential is required.
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
   * The session ends immediately in both APIs, on every replica.
   *
   * Any valid credential is accepted.
   */
  logoutFromConsole(options: CallOptions = {}): Promise<OperationResponse<'logoutFromConsole'>> {
    return this.call<OperationResponse<'logoutFromConsole'>>({ method: 'POST', path: '/v1/auth/logout', options });
  }

  /**
   * Switch between live and test mode
   *
   * Replaces the session by one in the other mode: cookie and CSRF token change, so that a page that still shows the earlier mode cannot write. The expiry stays that of the sign-in. In its own mode a session only gets a new cookie.
   *
   * Any valid credential is accepted.
   */
  switchConsoleMode(
    body: Body<'switchConsoleMode'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'switchConsoleMode'>> {
    return this.call<OperationResponse<'switchConsoleMode'>>({ method: 'POST', path: '/v1/auth/mode', body, options });
  }

  /**
   * Get the signed-in user
   *
   * Also works with an API key: then `user` is null and `key` describes the key.
   *
   * Any valid credential is accepted.
   */
  getCredential(options: CallOptions = {}): Promise<OperationResponse<'getCredential'>> {
    return this.call<OperationResponse<'getCredential'>>({ method: 'GET', path: '/v1/auth/me', options });
  }

  /**
   * Change the password of the signed-in user
   *
   * Ends every other session of the user in both APIs. After 5 wrong current passwords, the password cannot be changed for 15 minutes.
   *
   * Any valid credential is accepted.
   */
  changeConsolePassword(
    body: Body<'changeConsolePassword'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'changeConsolePassword'>> {
    return this.call<OperationResponse<'changeConsolePassword'>>({
      method: 'POST',
      path: '/v1/auth/password',
      body,
      options,
    });
  }

  /**
   * List the sessions of the signed-in user
   *
   * Sessions in both APIs that have not ended, most recently used first. An API key has none.
   *
   * Any valid credential is accepted.
   */
  listSignInSessions(options: CallOptions = {}): Promise<OperationResponse<'listSignInSessions'>> {
    return this.call<OperationResponse<'listSignInSessions'>>({ method: 'GET', path: '/v1/auth/sessions', options });
  }

  /**
   * End a session of the signed-in user
   *
   * The session ends immediately on every replica.
   *
   * Any valid credential is accepted.
   */
  endSignInSession(id: string, options: CallOptions = {}): Promise<OperationResponse<'endSignInSession'>> {
    return this.call<OperationResponse<'endSignInSession'>>({
      method: 'DELETE',
      path: `/v1/auth/sessions/${encodeURIComponent(id)}`,
      options,
    });
  }

  /**
   * Get the second factor of the current user
   *
   * Any valid credential is accepted.
   */
  getConsoleSecondFactor(options: CallOptions = {}): Promise<OperationResponse<'getConsoleSecondFactor'>> {
    return this.call<OperationResponse<'getConsoleSecondFactor'>>({
      method: 'GET',
      path: '/v1/auth/second-factor',
      options,
    });
  }

  /**
   * Begin to use a second factor
   *
   * Creates the secret of an authenticator app (TOTP: SHA-1, six digits, 30 seconds). The second factor is asked for once a code has confirmed it.
   *
   * Any valid credential is accepted.
   */
  beginConsoleSecondFactor(
    body: Body<'beginConsoleSecondFactor'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'beginConsoleSecondFactor'>> {
    return this.call<OperationResponse<'beginConsoleSecondFactor'>>({
      method: 'POST',
      path: '/v1/auth/second-factor',
      body,
      options,
    });
  }

  /**
   * Confirm the second factor
   *
   * Confirms the second factor with a code of the authenticator app, and ends every other session of the user.
   *
   * Any valid credential is accepted.
   */
  confirmConsoleSecondFactor(
    body: Body<'confirmConsoleSecondFactor'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'confirmConsoleSecondFactor'>> {
    return this.call<OperationResponse<'confirmConsoleSecondFactor'>>({
      method: 'POST',
      path: '/v1/auth/second-factor/confirm',
      body,
      options,
    });
  }

  /**
   * Remove the second factor
   *
   * Removes the second factor. An organisation that requires one refuses with `second_factor_mandatory`.
   *
   * Any valid credential is accepted.
   */
  removeConsoleSecondFactor(
    body: Body<'removeConsoleSecondFactor'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'removeConsoleSecondFactor'>> {
    return this.call<OperationResponse<'removeConsoleSecondFactor'>>({
      method: 'POST',
      path: '/v1/auth/second-factor/remove',
      body,
      options,
    });
  }

  /**
   * Get a link to an evidence file
   *
   * The file is decrypted when the link is followed. With `preview` it is a JPEG of at most 1280 pixels per side, re-encoded from the pixels and therefore safe to display.
   *
   * Requires the permission `evidence:read`.
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
   * Get a link to an evidence file
   *
   * The file is decrypted when the link is followed. With `preview` it is a JPEG of at most 1280 pixels per side, re-encoded from the pixels and therefore safe to display.
   *
   * Requires the permission `evidence:read`.
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
   * A PDF with the present decision, steps, results, risks and reviews of the session and the hashes of its evidence. It is rendered once for each state of the session and stored encrypted with its evidence.
   *
   * Requires the permission `sessions:read`.
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
   * The audience can import the token once, until it expires. Both sides keep the consent text. With `bundle`, the response links to a signed file that another installation verifies offline.
   *
   * Requires the permission `sessions:share`.
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
   * The imported session is in review, unless `trustReview` accepts its approval; that requires the permission `sessions:trust-import` and an issuer whose decisions are accepted: an organisation of this installation that yours has named (`PUT /v1/sharing/trusted-organisations`), or an installation that the operator has.
   *
   * Requires the permission `sessions:import`.
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
   * The imported session is in review, unless `trustReview` accepts its approval; that requires the permission `sessions:trust-import` and an issuer whose decisions are accepted: an organisation of this installation that yours has named (`PUT /v1/sharing/trusted-organisations`), or an installation that the operator has. The operator configures issuers and their keys; nothing that a bundle refers to is fetched.
   *
   * Requires the permission `sessions:import`.
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
   * Returns the shares, newest first, with their status and consent. Tokens are not returned again.
   *
   * Requires the permission `sessions:share`.
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
   * Revoke a share
   *
   * A revoked share can no longer be imported (410 `share_revoked`); revoking it again changes nothing. The link to its bundle ends. A bundle that another installation already has is verified there, independently of this installation.
   *
   * Requires the permission `sessions:share`.
   */
  revokeShare(id: string, shareId: string, options: CallOptions = {}): Promise<OperationResponse<'revokeShare'>> {
    return this.call<OperationResponse<'revokeShare'>>({
      method: 'DELETE',
      path: `/v1/sessions/${encodeURIComponent(id)}/shares/${encodeURIComponent(shareId)}`,
      options,
    });
  }

  /**
   * List the organisations whose decisions are trusted
   *
   * Organisations of this installation whose approvals an import with `trustReview` adopts, separately in live and test mode. The operator decides about other installations.
   *
   * Requires the permission `sharing:read`.
   */
  listTrustedOrganisations(options: CallOptions = {}): Promise<OperationResponse<'listTrustedOrganisations'>> {
    return this.call<OperationResponse<'listTrustedOrganisations'>>({
      method: 'GET',
      path: '/v1/sharing/trusted-organisations',
      options,
    });
  }

  /**
   * Replace the organisations whose decisions are trusted
   *
   * Applies to the mode of the credential.
   *
   * Requires the permission `sharing:trust`.
   */
  setTrustedOrganisations(
    body: Body<'setTrustedOrganisations'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'setTrustedOrganisations'>> {
    return this.call<OperationResponse<'setTrustedOrganisations'>>({
      method: 'PUT',
      path: '/v1/sharing/trusted-organisations',
      body,
      options,
    });
  }

  /**
   * Create an API key
   *
   * The secret is returned once. The new key has the mode of the creating credential and at most its permissions, addresses and lifetime, which are also the defaults. It ends when its creator is revoked or deactivated. An organisation has at most 200 active keys of a mode: revoked and expired ones do not count.
   *
   * Requires the permission `keys:write`.
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
   * Requires the permission `keys:read`.
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
   * Revokes the key immediately and permanently. A key can revoke itself.
   *
   * Requires the permission `keys:write`.
   */
  revokeKey(id: string, options: CallOptions = {}): Promise<OperationResponse<'revokeKey'>> {
    return this.call<OperationResponse<'revokeKey'>>({
      method: 'DELETE',
      path: `/v1/keys/${encodeURIComponent(id)}`,
      options,
    });
  }

  /**
   * Verify the audit log
   *
   * Every entry carries an authentication code under a key that is not in the database. New entries are sealed within a minute: a keyed hash covers the content and the previous hash, and the head of the chain is signed and written to the object store. An entry that was inserted, rewritten, moved or deleted, a chain that was cut, and signatures that were removed are detected. One request verifies `limit` rows starting at `from`; repeat it with `nextFrom` until it is null to verify the whole chain.
   *
   * Requires the permission `audit:read`.
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
   * List audit log entries
   *
   * Entries of the credential’s mode. They contain ids and names of changed fields, never values.
   *
   * Requires the permission `audit:read`.
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
   * Events are posted as `{type, mode, timestamp, data}` and signed according to the Standard Webhooks specification with the headers `webhook-id` (the same for every attempt), `webhook-timestamp` and `webhook-signature`. The secret (`whsec_…`) is returned once.
   *
   * A delivery succeeds with any 2xx within 15 s. Otherwise it is retried after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h; receivers can request a longer delay, up to 24 h, with 429 or 503 and `Retry-After`. Redirects are not followed. A 410 response, or five days without a successful delivery, disables the webhook until it is recovered.
   *
   * Requires the permission `webhooks:write`.
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
   * Requires the permission `webhooks:read`.
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
   * Get a webhook
   *
   * Requires the permission `webhooks:read`.
   */
  getWebhook(id: string, options: CallOptions = {}): Promise<OperationResponse<'getWebhook'>> {
    return this.call<OperationResponse<'getWebhook'>>({
      method: 'GET',
      path: `/v1/webhooks/${encodeURIComponent(id)}`,
      options,
    });
  }

  /**
   * Change a webhook
   *
   * Changes the fields that are sent; `events` replaces the whole list. Pending deliveries go to the new URL from their next attempt. The secret stays. Honours If-Match.
   *
   * Requires the permission `webhooks:write`.
   */
  updateWebhook(
    id: string,
    body: Body<'updateWebhook'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'updateWebhook'>> {
    return this.call<OperationResponse<'updateWebhook'>>({
      method: 'PATCH',
      path: `/v1/webhooks/${encodeURIComponent(id)}`,
      body,
      options,
    });
  }

  /**
   * Delete a webhook
   *
   * Destroys its secrets immediately and cancels its pending deliveries.
   *
   * Requires the permission `webhooks:write`.
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
   * Posts `webhook.test` to this webhook only, signed and retried like any event.
   *
   * Requires the permission `webhooks:write`.
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
   * Lists deliveries with all their attempts. They are kept for 90 days.
   *
   * Requires the permission `webhooks:read`.
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
   * Get a delivery with its request
   *
   * The delivery with every attempt and its response, and the request that the attempts send.
   *
   * Requires the permission `webhooks:read`.
   */
  getWebhookDelivery(
    id: string,
    deliveryId: string,
    options: CallOptions = {},
  ): Promise<OperationResponse<'getWebhookDelivery'>> {
    return this.call<OperationResponse<'getWebhookDelivery'>>({
      method: 'GET',
      path: `/v1/webhooks/${encodeURIComponent(id)}/deliveries/${encodeURIComponent(deliveryId)}`,
      options,
    });
  }

  /**
   * Rotate the signing secret of a webhook
   *
   * The new secret is returned once. While both secrets are valid, deliveries have a signature of each; with `overlapSeconds: 0` the previous one becomes invalid immediately.
   *
   * Requires the permission `webhooks:write`.
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
   * Redeliver missed events of a webhook
   *
   * Redelivers every event of the time range that the webhook subscribes to and that was not delivered, including events from the time when it was disabled. Enables a disabled webhook.
   *
   * Events keep their `webhook-id`, so that receivers can ignore repetitions. Events are kept for 90 days.
   *
   * Requires the permission `webhooks:write`.
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
   * Redeliver one event
   *
   * Creates a new delivery with the same `webhook-id` and attempts it immediately, even if the event was delivered before.
   *
   * Requires the permission `webhooks:write`.
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

  /**
   * Figures of sessions
   *
   * Sessions of the credential’s mode that were created within the period, by day and present status, the share that a reviewer looked at, and the time to decision. Erased sessions are not counted. Computed from an index alone. Figures over many records are shared by requests at the same time and kept for up to a minute.
   *
   * Requires the permission `sessions:read`.
   */
  getSessionStatistics(
    query: Query<'getSessionStatistics'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'getSessionStatistics'>> {
    return this.call<OperationResponse<'getSessionStatistics'>>({
      method: 'GET',
      path: '/v1/statistics/sessions',
      query,
      options,
    });
  }

  /**
   * Figures of checks
   *
   * Checks of the credential’s mode that were created within the period, and those that could not be run, by day, and by kind with the error codes. Erased checks are not counted. Computed from an index alone. Figures over many records are shared by requests at the same time and kept for up to a minute.
   *
   * Requires the permission `checks:read`.
   */
  getCheckStatistics(
    query: Query<'getCheckStatistics'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'getCheckStatistics'>> {
    return this.call<OperationResponse<'getCheckStatistics'>>({
      method: 'GET',
      path: '/v1/statistics/checks',
      query,
      options,
    });
  }

  /**
   * Figures of webhook deliveries
   *
   * Deliveries of the credential’s mode that were created within the period, by day and present status, and the state of the webhooks. Deliveries are kept for 90 days. Computed from an index alone. Figures over many records are shared by requests at the same time and kept for up to a minute.
   *
   * Requires the permission `webhooks:read`.
   */
  getDeliveryStatistics(
    query: Query<'getDeliveryStatistics'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'getDeliveryStatistics'>> {
    return this.call<OperationResponse<'getDeliveryStatistics'>>({
      method: 'GET',
      path: '/v1/statistics/deliveries',
      query,
      options,
    });
  }

  /**
   * State of the worker pools
   *
   * The task queue of every worker pool of the installation, as Temporal estimates it: work of all organisations and modes, without their data. Kept for five seconds.
   *
   * Requires the permission `operations:read`.
   */
  getPoolStatistics(options: CallOptions = {}): Promise<OperationResponse<'getPoolStatistics'>> {
    return this.call<OperationResponse<'getPoolStatistics'>>({ method: 'GET', path: '/v1/statistics/pools', options });
  }

  /**
   * First-run checklist of identity verification
   *
   * The steps from an empty organisation to a verified person, in the mode of the credential. A step is done as long as a record proves it; steps whose records the credential cannot read are left out.
   *
   * Any valid credential is accepted.
   */
  getIdentitySetup(options: CallOptions = {}): Promise<OperationResponse<'getIdentitySetup'>> {
    return this.call<OperationResponse<'getIdentitySetup'>>({ method: 'GET', path: '/v1/setup', options });
  }

  /**
   * Open the capture page with the token of a link
   *
   * Sets an httpOnly cookie that gives access to the session of the link, and to nothing else, for a day. A link can be exchanged once; the browser that has exchanged it may repeat the request. Requires the `Origin` of the page, as does every later request except GET, in addition to the CSRF token.
   *
   * No credential is required.
   */
  exchangeCaptureLink(
    body: Body<'exchangeCaptureLink'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'exchangeCaptureLink'>> {
    return this.call<OperationResponse<'exchangeCaptureLink'>>({
      method: 'POST',
      path: '/v1/capture/exchange',
      body,
      options,
    });
  }

  /**
   * Create a link for another device of the person
   *
   * Shown as a QR code: the other device continues, and this one follows by `GET /v1/capture/events`.
   *
   * Requires the cookie of the capture page.
   */
  handOverCapture(options: CallOptions = {}): Promise<OperationResponse<'handOverCapture'>> {
    return this.call<OperationResponse<'handOverCapture'>>({ method: 'POST', path: '/v1/capture/hand-overs', options });
  }

  /**
   * End the access of the browser
   *
   * Removes the cookie. The session itself goes on: its checks are processed and it is decided.
   *
   * Requires the cookie of the capture page.
   */
  finishCapture(options: CallOptions = {}): Promise<OperationResponse<'finishCapture'>> {
    return this.call<OperationResponse<'finishCapture'>>({ method: 'POST', path: '/v1/capture/finish', options });
  }

  /**
   * Get the state of the capture
   *
   * What the page needs to continue, on any device and after any interruption: the finished and open steps, without results.
   *
   * Requires the cookie of the capture page.
   */
  getCaptureState(options: CallOptions = {}): Promise<OperationResponse<'getCaptureState'>> {
    return this.call<OperationResponse<'getCaptureState'>>({ method: 'GET', path: '/v1/capture/state', options });
  }

  /**
   * Get the text that the person consents to
   *
   * Requires the cookie of the capture page.
   */
  getCaptureConsent(
    query: Query<'getCaptureConsent'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'getCaptureConsent'>> {
    return this.call<OperationResponse<'getCaptureConsent'>>({
      method: 'GET',
      path: '/v1/capture/consent',
      query,
      options,
    });
  }

  /**
   * Record the consent of the person
   *
   * Nothing of the person is accepted before. The session keeps the text that was shown, and its version.
   *
   * Requires the cookie of the capture page.
   */
  giveCaptureConsent(
    body: Body<'giveCaptureConsent'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'giveCaptureConsent'>> {
    return this.call<OperationResponse<'giveCaptureConsent'>>({
      method: 'POST',
      path: '/v1/capture/consent',
      body,
      options,
    });
  }

  /**
   * Record which document the person photographs
   *
   * Requires the cookie of the capture page.
   */
  chooseCaptureDocument(
    body: Body<'chooseCaptureDocument'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'chooseCaptureDocument'>> {
    return this.call<OperationResponse<'chooseCaptureDocument'>>({
      method: 'POST',
      path: '/v1/capture/document-choice',
      body,
      options,
    });
  }

  /**
   * Follow the capture
   *
   * Server-sent events: `state` with the state of the capture, at once and after every change, and `end` with a `code` when the access has ended. The stream ends after ten minutes at the latest; browsers connect again.
   *
   * Requires the cookie of the capture page.
   */
  followCapture(options: CallOptions = {}): Promise<FileResponse<operations['followCapture']>> {
    return this.call<FileResponse<operations['followCapture']>>({
      method: 'GET',
      path: '/v1/capture/events',
      isFile: true,
      options,
    });
  }

  /**
   * Submit photographs of the identity document
   *
   * The front may be left out if it was kept before (`PUT /v1/capture/document/front`).
   *
   * Requires the cookie of the capture page.
   */
  captureDocument(
    body: Body<'captureDocument'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'captureDocument'>> {
    return this.call<OperationResponse<'captureDocument'>>({
      method: 'POST',
      path: '/v1/capture/document',
      body,
      files: ['frontImage', 'backImage'],
      idempotent: true,
      options,
    });
  }

  /**
   * Keep the front of the identity document until its back is submitted
   *
   * A reload, a crash or another device then continues with the back. Replaces a front that was kept before; it is removed when another document is chosen and when the session ends, and erased with the session.
   *
   * Requires the cookie of the capture page.
   */
  keepCaptureFront(
    body: Body<'keepCaptureFront'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'keepCaptureFront'>> {
    return this.call<OperationResponse<'keepCaptureFront'>>({
      method: 'PUT',
      path: '/v1/capture/document/front',
      body,
      files: ['frontImage'],
      options,
    });
  }

  /**
   * Submit a proof of address
   *
   * Requires the cookie of the capture page.
   */
  captureAddressProof(
    body: Body<'captureAddressProof'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'captureAddressProof'>> {
    return this.call<OperationResponse<'captureAddressProof'>>({
      method: 'POST',
      path: '/v1/capture/address',
      body,
      files: ['document'],
      idempotent: true,
      options,
    });
  }

  /**
   * Submit a selfie, or the frames that answer a challenge
   *
   * One `image` is the alternative for people who cannot perform the actions of a challenge.
   *
   * Requires the cookie of the capture page.
   */
  captureLiveness(
    body: Body<'captureLiveness'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'captureLiveness'>> {
    return this.call<OperationResponse<'captureLiveness'>>({
      method: 'POST',
      path: '/v1/capture/liveness',
      body,
      files: ['image', 'frames'],
      idempotent: true,
      options,
    });
  }

  /**
   * Submit a selfie for a step other than liveness
   *
   * For sessions that compare the face with the portrait of the document, or estimate the age, without verifying liveness.
   *
   * Requires the cookie of the capture page.
   */
  captureSelfie(body: Body<'captureSelfie'>, options: CallOptions = {}): Promise<OperationResponse<'captureSelfie'>> {
    return this.call<OperationResponse<'captureSelfie'>>({
      method: 'POST',
      path: '/v1/capture/selfie',
      body,
      files: ['image'],
      idempotent: true,
      options,
    });
  }

  /**
   * Create a liveness challenge for the person
   *
   * Returns actions in random order. The challenge can be answered once, within five minutes. How many a session may draw is limited, as with `POST /v1/biometrics/liveness/challenges`.
   *
   * Requires the cookie of the capture page.
   */
  createCaptureChallenge(
    body: Body<'createCaptureChallenge'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'createCaptureChallenge'>> {
    return this.call<OperationResponse<'createCaptureChallenge'>>({
      method: 'POST',
      path: '/v1/capture/liveness-challenges',
      body,
      options,
    });
  }

  /**
   * Get the logo of the organisation for the capture page
   *
   * Requires the cookie of the capture page.
   */
  getCaptureLogo(
    query: Query<'getCaptureLogo'> = {},
    options: CallOptions = {},
  ): Promise<FileResponse<operations['getCaptureLogo']>> {
    return this.call<FileResponse<operations['getCaptureLogo']>>({
      method: 'GET',
      path: '/v1/capture/logo',
      query,
      isFile: true,
      options,
    });
  }
}
