// Generated from openapi/identity.json by `npm run build -- --openapi`; do not edit.
import type { Upload } from '../uploads';

export interface paths {
  '/v1/sessions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List sessions
     * @description Requires the permission `sessions:read`.
     */
    get: operations['listSessions'];
    put?: never;
    /**
     * Create a verification session
     * @description All options are optional. The `url` of the response opens the capture page for the person, once; send it to the person or redirect there.
     *
     *     Requires the permission `sessions:write`.
     */
    post: operations['createSession'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/sessions/pending': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List sessions that wait for a reviewer
     * @description Longest waiting first, with the risks that caused the review.
     *
     *     Requires the permission `sessions:read`.
     */
    get: operations['listPendingSessions'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/sessions/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a session
     * @description Returns the session with its steps, results, risks, decision and the ids of its evidence. Its ETag names this state: a decision that is sent with it as If-Match is made on this state only.
     *
     *     Requires the permission `sessions:read`.
     */
    get: operations['getSession'];
    put?: never;
    post?: never;
    /**
     * Delete a session and erase the person
     * @description Removes results, images, embeddings and fingerprints, destroys the data key and cancels the workflows of the record. The receipt, the audit entries and the event are kept; they contain only ids. An erasure cannot be undone; a second call returns 404.
     *
     *     Requires the permission `sessions:delete`.
     */
    delete: operations['deleteSession'];
    options?: never;
    head?: never;
    /**
     * Change a session's metadata
     * @description Fields of `metadata` that are sent replace those of the same name; null removes a field, and `metadata: null` removes all. Works in every status. Honours If-Match.
     *
     *     Requires the permission `sessions:write`.
     */
    patch: operations['updateSession'];
    trace?: never;
  };
  '/v1/sessions/{id}/cancel': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Cancel a session
     * @description Ends a session without a decision: it accepts no more checks. What it has collected is kept until its retention period ends; `DELETE` erases it at once. Cancelling a cancelled session changes nothing. Honours If-Match.
     *
     *     Requires the permission `sessions:write`.
     */
    post: operations['cancelSession'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/sessions/{id}/links': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Create a link to the capture page
     * @description For an open session, such as one whose steps a reviewer has requested again. Replaces an earlier link that was not used.
     *
     *     Requires the permission `sessions:write`.
     */
    post: operations['createSessionLink'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/branding': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get what the capture page shows of the organisation
     * @description Requires the permission `workflows:read`.
     */
    get: operations['getBranding'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/branding/logo': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the logo of the capture page
     * @description Requires the permission `workflows:read`.
     */
    get: operations['getBrandLogo'];
    /**
     * Set the logo of the capture page
     * @description The organisation has one logo, which people see in live and in test mode.
     *
     *     Requires the permission `workflows:write`.
     */
    put: operations['setBrandLogo'];
    post?: never;
    /**
     * Remove the logo of the capture page
     * @description Requires the permission `workflows:write`.
     */
    delete: operations['removeBrandLogo'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/sessions/{id}/decision': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Decide a session
     * @description A reviewer approves or declines the session, or requests that steps are submitted again.
     *
     *     A final decision is reversed only with `override: true` and a `reason`, which is audited; `review` puts a decided session back into the review queue. A session cannot be approved while one of its steps has no result.
     *
     *     Honours If-Match: with the ETag of the session that the reviewer saw, a session that has changed since is not decided (412). Send it whenever a person decides.
     *
     *     Requires the permission `sessions:decide`.
     */
    post: operations['decideSession'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/sessions/{id}/notes': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Add a note to a session
     * @description Records what a reviewer found out, without a decision, in every status. A session has at most 100 notes; they cannot be changed, are part of the session, and are erased with it.
     *
     *     Requires the permission `sessions:decide`.
     */
    post: operations['addSessionNote'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/sessions/workflows': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List session workflows
     * @description Requires the permission `workflows:read`.
     */
    get: operations['listSessionWorkflows'];
    put?: never;
    /**
     * Create a session workflow
     * @description A session workflow is the common definition of a group of sessions. All fields except the name are optional.
     *
     *     Requires the permission `workflows:write`.
     */
    post: operations['createSessionWorkflow'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/sessions/workflows/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a session workflow
     * @description Returns the current or the requested version, also of an archived workflow.
     *
     *     Requires the permission `workflows:read`.
     */
    get: operations['getSessionWorkflow'];
    put?: never;
    post?: never;
    /**
     * Delete a session workflow
     * @description Archives the workflow: no session can start with it any more; existing sessions keep their version. Archiving it again changes nothing.
     *
     *     Requires the permission `workflows:write`.
     */
    delete: operations['deleteSessionWorkflow'];
    options?: never;
    head?: never;
    /**
     * Change a session workflow
     * @description Each field that is sent replaces the former value completely. A change of the definition creates the next version; existing sessions keep theirs. Making the workflow the default creates no version. Honours If-Match.
     *
     *     Requires the permission `workflows:write`.
     */
    patch: operations['updateSessionWorkflow'];
    trace?: never;
  };
  '/v1/sessions/workflows/{id}/simulate': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Simulate a draft of a workflow on past sessions
     * @description Decides past sessions again from their measurements by the thresholds, actions, rules and accepted documents of the draft, and counts the decisions that differ. Fields that the draft leaves out are those of the workflow. Sessions keep their own features unless the draft names `features`; a session that never ran such a step would still wait for it (`in_progress`). Nothing is stored. Also requires the permission `sessions:read`.
     *
     *     Requires the permission `workflows:read`.
     */
    post: operations['simulateSessionWorkflow'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/documents/id-verification': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Verify an identity document
     * @description Reads a passport, identity card, driving licence, residence permit or visa from one or two photographs and evaluates it.
     *
     *     Requires the permission `documents:write`.
     */
    post: operations['verifyIdentityDocument'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/documents/poa': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Verify a proof of address
     * @description Reads a utility bill, bank statement or letter of an authority: its issuer, its date, its recipient and the address. The text of a PDF is read directly, scans and photographs by character recognition.
     *
     *     In a session the name is compared with the one on its document, else with the expected one, and the address with `expected.address`.
     *
     *     Requires the permission `documents:write`.
     */
    post: operations['verifyProofOfAddress'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/biometrics/face-match': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Compare two faces
     * @description Compares the largest face of each image.
     *
     *     In a session `refImage` may be left out: the portrait of its document is used. A session that verifies both document and liveness compares the two automatically; a comparison by the client then has a result too, but never overrides the automatic one.
     *
     *     Requires the permission `biometrics:write`.
     */
    post: operations['matchFaces'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/checks': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List checks
     * @description Standalone checks and those of sessions, without their results.
     *
     *     Requires the permission `checks:read`.
     */
    get: operations['listChecks'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/checks/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a check
     * @description With `wait`, the response is delayed until the check has ended or the time has passed.
     *
     *     Requires the permission `checks:read`.
     */
    get: operations['getCheck'];
    put?: never;
    post?: never;
    /**
     * Delete a standalone check and erase the person
     * @description Removes results, images, embeddings and fingerprints, destroys the data key and cancels the workflows of the record. The receipt, the audit entries and the event are kept; they contain only ids. An erasure cannot be undone; a second call returns 404.
     *
     *     Requires the permission `checks:delete`.
     */
    delete: operations['deleteCheck'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/biometrics/liveness': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Check that a live person is in front of the camera
     * @description Passive: one photograph as `image`; the result has the score and its parts.
     *
     *     Active: `challengeId` and 4–24 `frames` in the order of capture, about three per second; the person faces the camera at the beginning and at the end. The server verifies that the same person performs the actions of the challenge in their order; the most frontal frame is also evaluated passively. This is the stronger check.
     *
     *     Requires the permission `biometrics:write`.
     */
    post: operations['checkLiveness'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/biometrics/liveness/challenges': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Create a liveness challenge
     * @description Returns actions in random order. The challenge can be answered once, within five minutes, by `POST /v1/biometrics/liveness`. A session may draw 10 challenges, and another one for each attempt at its liveness step, so that a person cannot draw until certain actions come up; when a reviewer requests the step again, counting begins anew. Challenges without `sessionId` are not limited.
     *
     *     Requires the permission `biometrics:write`.
     */
    post: operations['createLivenessChallenge'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/biometrics/age': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Estimate the age of a person
     * @description Estimates the age of the largest face, with the interval that contains the age of nine out of ten people and the mean error of the model at this age.
     *
     *     `meetsMinimumAge` is yes or no only if the whole interval is on one side of `minimumAge`. No raises `minimum_age_not_met` and declines the check; uncertain raises it for review, because only a document can decide.
     *
     *     A session that verifies `age` and `liveness` estimates the age of the selfie automatically.
     *
     *     Requires the permission `biometrics:write`.
     */
    post: operations['estimateAge'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/biometrics/face-search': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Search the indexed faces for a person
     * @description Compares the largest face of the image with every indexed face of the organisation; selfies of approved sessions are among the `users`. The search is exact.
     *
     *     The default `threshold` is set so that a search for an absent person has a match in 1 % of cases; it rises with the size of the gallery and is at least 0.5. `gallerySize`, `threshold` and `expectedFalseHits` indicate how reliable the matches are: a person must verify them.
     *
     *     Requires the permission `faces:read`.
     */
    post: operations['searchFaces'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/biometrics/face-search/index': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the indexed faces
     * @description Newest first, including selfies of approved sessions.
     *
     *     Requires the permission `faces:read`.
     */
    get: operations['listFaces'];
    put?: never;
    /**
     * Add a face to the index
     * @description Once indexed, every search finds the face, and selfies of sessions are compared with it: a match among the `users` raises `duplicate_face`, unless the session has the same `externalId`, and a match on the `blocklist` raises `face_in_blocklist`. An image without exactly one clear face is `rejected`, with the reason among its risks.
     *
     *     Requires the permission `faces:write`.
     */
    post: operations['indexFace'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/biometrics/face-search/index/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get an indexed face
     * @description With `wait`, the response is delayed until the face is indexed or the time has passed.
     *
     *     Requires the permission `faces:read`.
     */
    get: operations['getFace'];
    put?: never;
    post?: never;
    /**
     * Delete an indexed face and erase the person
     * @description Removes results, images, embeddings and fingerprints, destroys the data key and cancels the workflows of the record. The receipt, the audit entries and the event are kept; they contain only ids. An erasure cannot be undone; a second call returns 404.
     *
     *     Requires the permission `faces:write`.
     */
    delete: operations['deleteFace'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/documents/database-validation': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Validate a person against a database
     * @description Compares claims about a person with the organisation's own register (`POST /v1/registers/persons/import`) or, if it does not cover the country, with the rules for the country's national numbers: structure, check digits, and the date of birth and sex that a number encodes. `full` requires a register; a valid number alone is `partial`. A country that neither covers results in `database_not_available`, never in a pass.
     *
     *     `image` is stored with the check as evidence. Registers contain no photographs, so that it is `not_checked`; compare faces with `POST /v1/biometrics/face-match`.
     *
     *     A session with the feature `database` runs this check automatically if its document contains a national number.
     *
     *     Requires the permission `documents:write`.
     */
    post: operations['validateAgainstDatabase'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/blocklist/documents': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List blocked documents
     * @description Requires the permission `blocklist:read`.
     */
    get: operations['listBlockedDocuments'];
    put?: never;
    /**
     * Add a document to the blocklist
     * @description A check of this document is declined with `document_in_blocklist`. The document is identified by its number and issuing state, or by the session or check that read it. The number itself is not stored. Licences and identity cards of the United States, Canada and Mexico with a barcode are numbered by their state or province: an entry by session or check blocks that of one of them, and an entry by number and issuing state the number in all of them.
     *
     *     Requires the permission `blocklist:write`.
     */
    post: operations['blockDocument'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/blocklist/documents/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Remove a document from the blocklist
     * @description Requires the permission `blocklist:write`.
     */
    delete: operations['unblockDocument'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/erasures': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the receipts of erasures
     * @description Requires the permission `erasures:read`.
     */
    get: operations['listErasures'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/erasures/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the receipt of an erasure
     * @description Requires the permission `erasures:read`.
     */
    get: operations['getErasure'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/kyb': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List business checks
     * @description Requires the permission `kyb:read`.
     */
    get: operations['listKybChecks'];
    put?: never;
    /**
     * Run a business check
     * @description Queries every register that may contain the company: the organisation’s own, Companies House, GLEIF, and VIES if a VAT number is given. A given number decides which company is selected; otherwise its name must be equal and match clearly better than the next one.
     *
     *     An unavailable register is queried again for a limited time and then reported as `kyb_registry_unavailable`; it never counts as proof that the company does not exist.
     *
     *     The company that was found, its officers, owners and parents are screened against the watch lists (`aml`); a match, or lists that could not be searched, require a review. Hits are reviewed with `POST /v1/aml/hits/:id/review`; with `monitoring` every screened party is screened again when a list changes (`monitorId`, event `aml.alert`). GLEIF is queried in its golden copy if the installation imported one (`copy` of the source).
     *
     *     Requires the permission `kyb:write`.
     */
    post: operations['createKybCheck'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/kyb/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a business check
     * @description With `wait`, the response is delayed until the check has completed or the time has elapsed.
     *
     *     Requires the permission `kyb:read`.
     */
    get: operations['getKybCheck'];
    put?: never;
    post?: never;
    /**
     * Delete a business check with the people in it, their hits and monitors
     * @description Removes results, images, embeddings and fingerprints, destroys the data key and cancels the workflows of the record. The receipt, the audit entries and the event are kept; they contain only ids. An erasure cannot be undone; a second call returns 404.
     *
     *     Requires the permission `kyb:write`.
     */
    delete: operations['deleteKybCheck'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/aml/screen': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Screen a name against watch lists
     * @description Returns `match`, `score` and `hits`, or 503 if there is no result, which must not be treated as no match. The response is 202 only if the client requests it by `wait=0` or `Prefer: respond-async`.
     *
     *     Every hit has an explanation of its score. A live key searches the lists that an operator has imported; a test key searches only a list of fictional names.
     *
     *     Requires the permission `aml:screen`.
     */
    post: operations['screenAml'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/aml/screenings': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List screenings
     * @description Screenings of clients and of monitors with their outcome, without subjects and hits.
     *
     *     Requires the permission `aml:read`.
     */
    get: operations['listAmlScreenings'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/aml/screenings/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a screening with its hits
     * @description Requires the permission `aml:read`.
     */
    get: operations['getAmlScreening'];
    put?: never;
    post?: never;
    /**
     * Delete a screening, its monitor and the subject
     * @description Removes results, images, embeddings and fingerprints, destroys the data key and cancels the workflows of the record. The receipt, the audit entries and the event are kept; they contain only ids. An erasure cannot be undone; a second call returns 404.
     *
     *     Requires the permission `aml:delete`.
     */
    delete: operations['deleteAmlScreening'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/aml/hits/{id}/review': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Review a hit
     * @description Reviews a hit of a screening, of a session or of a party of a business check. The review applies to the same subject and entry until either changes: a false positive no longer makes a match, neither in this screening nor in later ones. In sessions an equal `externalId`, name and date of birth denote the same subject, whatever the document. A session without a decision is evaluated again, and still waits for its reviewer. The risks and the status of a business check are evaluated again, too.
     *
     *     Requires the permission `aml:review`.
     */
    post: operations['reviewAmlHit'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/aml/lists': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the watch lists with their versions and age
     * @description Published lists serve the whole installation, own lists only their organisation. Operators import both.
     *
     *     Requires the permission `aml:read`.
     */
    get: operations['listAmlLists'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/aml/lists/{id}/changes': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the changes of a watch list
     * @description Returns the latest versions of the list with their counts, and the entries that one of them added, changed or removed (the newest version unless `version` names another).
     *
     *     Requires the permission `aml:read`.
     */
    get: operations['listAmlListChanges'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/aml/monitors': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List monitored subjects
     * @description Requires the permission `aml:read`.
     */
    get: operations['listAmlMonitors'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/aml/monitors/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a monitor
     * @description Requires the permission `aml:read`.
     */
    get: operations['getAmlMonitor'];
    put?: never;
    post?: never;
    /**
     * End monitoring
     * @description Existing screenings are kept; delete the first of them, or the business check of a party, to erase the subject.
     *
     *     Requires the permission `aml:screen`.
     */
    delete: operations['deleteAmlMonitor'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/registers/{kind}/import': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Import one of the organisation's own registers
     * @description Accepts a CSV file in UTF-8 of at most 15 MB with a header. Columns (required ones in bold):
     *
     *     - `persons`: **country**, **idNumber**, **firstName**, **lastName**, dateOfBirth
     *     - `companies`: **name**, country, registrationNumber, vatNumber, lei, status, legalForm, incorporationDate, registeredAddress, headquarters, officers, owners
     *
     *     Dates are `YYYY-MM-DD`, countries ISO 3166-1 codes; `officers` is `name|role` and `owners` is `name|percentage`, separated by semicolons.
     *
     *     Once every row has been read, the file atomically replaces the active version. Invalid rows are omitted and reported by line; a file with more invalid than valid rows changes nothing.
     *
     *     Requires the permission `registers:write`.
     */
    post: operations['importRegister'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/registers': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List versions of registers
     * @description Requires the permission `registers:read`.
     */
    get: operations['listRegisters'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/registers/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a version of a register
     * @description With `wait`, the response is delayed until the file has been imported or the time has elapsed.
     *
     *     Requires the permission `registers:read`.
     */
    get: operations['getRegister'];
    put?: never;
    post?: never;
    /**
     * Delete a version of a register with all its rows
     * @description Removes results, images, embeddings and fingerprints, destroys the data key and cancels the workflows of the record. The receipt, the audit entries and the event are kept; they contain only ids. An erasure cannot be undone; a second call returns 404.
     *
     *     Requires the permission `registers:write`.
     */
    delete: operations['deleteRegister'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/auth/login': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Sign in from a browser
     * @description Sets an httpOnly cookie that both APIs accept instead of another credential, with the permissions of the role in each. `/v1` reads and writes records of the chosen mode; `/api` needs live mode. The session ends after `BROWSER_SESSION_SECONDS` (twelve hours), or after `BROWSER_SESSION_IDLE_SECONDS` (one hour) without a request.
     *
     *     Requires an `Origin` of `ALLOWED_ORIGINS`, as does every later request except GET, in addition to the CSRF token.
     *
     *     After 5 failed attempts, including those at the business API, a client address cannot sign in with an email address for 15 minutes; many failures from all addresses delay each further attempt by a growing time. Browsers in which the user has signed in before are known by a second cookie, and are not affected by failures from elsewhere.
     *
     *     No credential is required.
     */
    post: operations['loginToConsole'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/auth/logout': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * End the browser session
     * @description The session ends immediately in both APIs, on every replica.
     *
     *     Any valid credential is accepted.
     */
    post: operations['logoutFromConsole'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/auth/mode': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Switch between live and test mode
     * @description Replaces the session by one in the other mode: cookie and CSRF token change, so that a page that still shows the earlier mode cannot write. The expiry stays that of the sign-in. In its own mode a session only gets a new cookie.
     *
     *     Any valid credential is accepted.
     */
    post: operations['switchConsoleMode'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/auth/me': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the signed-in user
     * @description Also works with an API key: then `user` is null and `key` describes the key.
     *
     *     Any valid credential is accepted.
     */
    get: operations['getCredential'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/auth/password': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Change the password of the signed-in user
     * @description Ends every other session of the user in both APIs. After 5 wrong current passwords, the password cannot be changed for 15 minutes.
     *
     *     Any valid credential is accepted.
     */
    post: operations['changeConsolePassword'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/auth/sessions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the sessions of the signed-in user
     * @description Sessions in both APIs that have not ended, most recently used first. An API key has none.
     *
     *     Any valid credential is accepted.
     */
    get: operations['listSignInSessions'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/auth/sessions/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * End a session of the signed-in user
     * @description The session ends immediately on every replica.
     *
     *     Any valid credential is accepted.
     */
    delete: operations['endSignInSession'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/auth/second-factor': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the second factor of the current user
     * @description Any valid credential is accepted.
     */
    get: operations['getConsoleSecondFactor'];
    put?: never;
    /**
     * Begin to use a second factor
     * @description Creates the secret of an authenticator app (TOTP: SHA-1, six digits, 30 seconds). The second factor is asked for once a code has confirmed it.
     *
     *     Any valid credential is accepted.
     */
    post: operations['beginConsoleSecondFactor'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/auth/second-factor/confirm': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Confirm the second factor
     * @description Confirms the second factor with a code of the authenticator app, and ends every other session of the user.
     *
     *     Any valid credential is accepted.
     */
    post: operations['confirmConsoleSecondFactor'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/auth/second-factor/remove': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Remove the second factor
     * @description Removes the second factor. An organisation that requires one refuses with `second_factor_mandatory`.
     *
     *     Any valid credential is accepted.
     */
    post: operations['removeConsoleSecondFactor'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/sessions/{id}/evidence/{evidenceId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a link to an evidence file
     * @description The file is decrypted when the link is followed. With `preview` it is a JPEG of at most 1280 pixels per side, re-encoded from the pixels and therefore safe to display.
     *
     *     Requires the permission `evidence:read`.
     */
    get: operations['getSessionEvidence'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/checks/{id}/evidence/{evidenceId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a link to an evidence file
     * @description The file is decrypted when the link is followed. With `preview` it is a JPEG of at most 1280 pixels per side, re-encoded from the pixels and therefore safe to display.
     *
     *     Requires the permission `evidence:read`.
     */
    get: operations['getCheckEvidence'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/sessions/{id}/report': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a link to the report of a session
     * @description A PDF with the present decision, steps, results, risks and reviews of the session and the hashes of its evidence. It is rendered once for each state of the session and stored encrypted with its evidence.
     *
     *     Requires the permission `sessions:read`.
     */
    get: operations['getSessionReport'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/sessions/{id}/share': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Share a finished session with another organisation
     * @description The audience can import the token once, until it expires. Both sides keep the consent text. With `bundle`, the response links to a signed file that another installation verifies offline.
     *
     *     Requires the permission `sessions:share`.
     */
    post: operations['shareSession'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/sessions/import': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Import a session by its share token
     * @description The imported session is in review, unless `trustReview` accepts its approval; that requires the permission `sessions:trust-import` and an issuer whose decisions are accepted: an organisation of this installation that yours has named (`PUT /v1/sharing/trusted-organisations`), or an installation that the operator has.
     *
     *     Requires the permission `sessions:import`.
     */
    post: operations['importSession'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/sessions/import/bundle': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Import a session from the bundle of another installation
     * @description The imported session is in review, unless `trustReview` accepts its approval; that requires the permission `sessions:trust-import` and an issuer whose decisions are accepted: an organisation of this installation that yours has named (`PUT /v1/sharing/trusted-organisations`), or an installation that the operator has. The operator configures issuers and their keys; nothing that a bundle refers to is fetched.
     *
     *     Requires the permission `sessions:import`.
     */
    post: operations['importSessionBundle'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/sessions/{id}/shares': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the shares of a session
     * @description Returns the shares, newest first, with their status and consent. Tokens are not returned again.
     *
     *     Requires the permission `sessions:share`.
     */
    get: operations['listShares'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/sessions/{id}/shares/{shareId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Revoke a share
     * @description A revoked share can no longer be imported (410 `share_revoked`); revoking it again changes nothing. The link to its bundle ends. A bundle that another installation already has is verified there, independently of this installation.
     *
     *     Requires the permission `sessions:share`.
     */
    delete: operations['revokeShare'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/sharing/trusted-organisations': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the organisations whose decisions are trusted
     * @description Organisations of this installation whose approvals an import with `trustReview` adopts, separately in live and test mode. The operator decides about other installations.
     *
     *     Requires the permission `sharing:read`.
     */
    get: operations['listTrustedOrganisations'];
    /**
     * Replace the organisations whose decisions are trusted
     * @description Applies to the mode of the credential.
     *
     *     Requires the permission `sharing:trust`.
     */
    put: operations['setTrustedOrganisations'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/keys': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List API keys
     * @description Requires the permission `keys:read`.
     */
    get: operations['listKeys'];
    put?: never;
    /**
     * Create an API key
     * @description The secret is returned once. The new key has the mode of the creating credential and at most its permissions, addresses and lifetime, which are also the defaults. It ends when its creator is revoked or deactivated. An organisation has at most 200 active keys of a mode: revoked and expired ones do not count.
     *
     *     Requires the permission `keys:write`.
     */
    post: operations['createKey'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/keys/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Revoke an API key
     * @description Revokes the key immediately and permanently. A key can revoke itself.
     *
     *     Requires the permission `keys:write`.
     */
    delete: operations['revokeKey'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/audit-log/verify': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Verify the audit log
     * @description Every entry carries an authentication code under a key that is not in the database. New entries are sealed within a minute: a keyed hash covers the content and the previous hash, and the head of the chain is signed and written to the object store. An entry that was inserted, rewritten, moved or deleted, a chain that was cut, and signatures that were removed are detected. One request verifies `limit` rows starting at `from`; repeat it with `nextFrom` until it is null to verify the whole chain.
     *
     *     Requires the permission `audit:read`.
     */
    get: operations['verifyAuditLog'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/audit-log': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List audit log entries
     * @description Entries of the credential’s mode. They contain ids and names of changed fields, never values.
     *
     *     Requires the permission `audit:read`.
     */
    get: operations['listAuditLog'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhooks': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List webhooks
     * @description Requires the permission `webhooks:read`.
     */
    get: operations['listWebhooks'];
    put?: never;
    /**
     * Register a webhook
     * @description Events are posted as `{type, mode, timestamp, data}` and signed according to the Standard Webhooks specification with the headers `webhook-id` (the same for every attempt), `webhook-timestamp` and `webhook-signature`. The secret (`whsec_…`) is returned once.
     *
     *     A delivery succeeds with any 2xx within 15 s. Otherwise it is retried after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h; receivers can request a longer delay, up to 24 h, with 429 or 503 and `Retry-After`. Redirects are not followed. A 410 response, or five days without a successful delivery, disables the webhook until it is recovered.
     *
     *     Requires the permission `webhooks:write`.
     */
    post: operations['createWebhook'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhooks/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a webhook
     * @description Requires the permission `webhooks:read`.
     */
    get: operations['getWebhook'];
    put?: never;
    post?: never;
    /**
     * Delete a webhook
     * @description Destroys its secrets immediately and cancels its pending deliveries.
     *
     *     Requires the permission `webhooks:write`.
     */
    delete: operations['deleteWebhook'];
    options?: never;
    head?: never;
    /**
     * Change a webhook
     * @description Changes the fields that are sent; `events` replaces the whole list. Pending deliveries go to the new URL from their next attempt. The secret stays. Honours If-Match.
     *
     *     Requires the permission `webhooks:write`.
     */
    patch: operations['updateWebhook'];
    trace?: never;
  };
  '/v1/webhooks/{id}/test': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send a test delivery
     * @description Posts `webhook.test` to this webhook only, signed and retried like any event.
     *
     *     Requires the permission `webhooks:write`.
     */
    post: operations['testWebhook'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhooks/{id}/deliveries': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the deliveries of a webhook
     * @description Lists deliveries with all their attempts. They are kept for 90 days.
     *
     *     Requires the permission `webhooks:read`.
     */
    get: operations['listWebhookDeliveries'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhooks/{id}/deliveries/{deliveryId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a delivery with its request
     * @description The delivery with every attempt and its response, and the request that the attempts send.
     *
     *     Requires the permission `webhooks:read`.
     */
    get: operations['getWebhookDelivery'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhooks/{id}/rotate': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Rotate the signing secret of a webhook
     * @description The new secret is returned once. While both secrets are valid, deliveries have a signature of each; with `overlapSeconds: 0` the previous one becomes invalid immediately.
     *
     *     Requires the permission `webhooks:write`.
     */
    post: operations['rotateWebhookSecret'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhooks/{id}/recover': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Redeliver missed events of a webhook
     * @description Redelivers every event of the time range that the webhook subscribes to and that was not delivered, including events from the time when it was disabled. Enables a disabled webhook.
     *
     *     Events keep their `webhook-id`, so that receivers can ignore repetitions. Events are kept for 90 days.
     *
     *     Requires the permission `webhooks:write`.
     */
    post: operations['recoverWebhook'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhooks/{id}/deliveries/{deliveryId}/resend': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Redeliver one event
     * @description Creates a new delivery with the same `webhook-id` and attempts it immediately, even if the event was delivered before.
     *
     *     Requires the permission `webhooks:write`.
     */
    post: operations['resendWebhookDelivery'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/statistics/sessions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Figures of sessions
     * @description Sessions of the credential’s mode that were created within the period, by day and present status, the share that a reviewer looked at, and the time to decision. Erased sessions are not counted. Computed from an index alone. Figures over many records are shared by requests at the same time and kept for up to a minute.
     *
     *     Requires the permission `sessions:read`.
     */
    get: operations['getSessionStatistics'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/statistics/checks': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Figures of checks
     * @description Checks of the credential’s mode that were created within the period, and those that could not be run, by day, and by kind with the error codes. Erased checks are not counted. Computed from an index alone. Figures over many records are shared by requests at the same time and kept for up to a minute.
     *
     *     Requires the permission `checks:read`.
     */
    get: operations['getCheckStatistics'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/statistics/deliveries': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Figures of webhook deliveries
     * @description Deliveries of the credential’s mode that were created within the period, by day and present status, and the state of the webhooks. Deliveries are kept for 90 days. Computed from an index alone. Figures over many records are shared by requests at the same time and kept for up to a minute.
     *
     *     Requires the permission `webhooks:read`.
     */
    get: operations['getDeliveryStatistics'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/statistics/pools': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * State of the worker pools
     * @description The task queue of every worker pool of the installation, as Temporal estimates it: work of all organisations and modes, without their data. Kept for five seconds.
     *
     *     Requires the permission `operations:read`.
     */
    get: operations['getPoolStatistics'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/setup': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * First-run checklist of identity verification
     * @description The steps from an empty organisation to a verified person, in the mode of the credential. A step is done as long as a record proves it; steps whose records the credential cannot read are left out.
     *
     *     Any valid credential is accepted.
     */
    get: operations['getIdentitySetup'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/capture/exchange': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Open the capture page with the token of a link
     * @description Sets an httpOnly cookie that gives access to the session of the link, and to nothing else, for a day. A link can be exchanged once; the browser that has exchanged it may repeat the request. Requires the `Origin` of the page, as does every later request except GET, in addition to the CSRF token.
     *
     *     No credential is required.
     */
    post: operations['exchangeCaptureLink'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/capture/hand-overs': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Create a link for another device of the person
     * @description Shown as a QR code: the other device continues, and this one follows by `GET /v1/capture/events`.
     *
     *     Requires the cookie of the capture page.
     */
    post: operations['handOverCapture'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/capture/finish': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * End the access of the browser
     * @description Removes the cookie. The session itself goes on: its checks are processed and it is decided.
     *
     *     Requires the cookie of the capture page.
     */
    post: operations['finishCapture'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/capture/state': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the state of the capture
     * @description What the page needs to continue, on any device and after any interruption: the finished and open steps, without results.
     *
     *     Requires the cookie of the capture page.
     */
    get: operations['getCaptureState'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/capture/consent': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the text that the person consents to
     * @description Requires the cookie of the capture page.
     */
    get: operations['getCaptureConsent'];
    put?: never;
    /**
     * Record the consent of the person
     * @description Nothing of the person is accepted before. The session keeps the text that was shown, and its version.
     *
     *     Requires the cookie of the capture page.
     */
    post: operations['giveCaptureConsent'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/capture/document-choice': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Record which document the person photographs
     * @description Requires the cookie of the capture page.
     */
    post: operations['chooseCaptureDocument'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/capture/events': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Follow the capture
     * @description Server-sent events: `state` with the state of the capture, at once and after every change, and `end` with a `code` when the access has ended. The stream ends after ten minutes at the latest; browsers connect again.
     *
     *     Requires the cookie of the capture page.
     */
    get: operations['followCapture'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/capture/document': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Submit photographs of the identity document
     * @description The front may be left out if it was kept before (`PUT /v1/capture/document/front`).
     *
     *     Requires the cookie of the capture page.
     */
    post: operations['captureDocument'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/capture/document/front': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /**
     * Keep the front of the identity document until its back is submitted
     * @description A reload, a crash or another device then continues with the back. Replaces a front that was kept before; it is removed when another document is chosen and when the session ends, and erased with the session.
     *
     *     Requires the cookie of the capture page.
     */
    put: operations['keepCaptureFront'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/capture/address': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Submit a proof of address
     * @description Requires the cookie of the capture page.
     */
    post: operations['captureAddressProof'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/capture/liveness': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Submit a selfie, or the frames that answer a challenge
     * @description One `image` is the alternative for people who cannot perform the actions of a challenge.
     *
     *     Requires the cookie of the capture page.
     */
    post: operations['captureLiveness'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/capture/selfie': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Submit a selfie for a step other than liveness
     * @description For sessions that compare the face with the portrait of the document, or estimate the age, without verifying liveness.
     *
     *     Requires the cookie of the capture page.
     */
    post: operations['captureSelfie'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/capture/liveness-challenges': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Create a liveness challenge for the person
     * @description Returns actions in random order. The challenge can be answered once, within five minutes. How many a session may draw is limited, as with `POST /v1/biometrics/liveness/challenges`.
     *
     *     Requires the cookie of the capture page.
     */
    post: operations['createCaptureChallenge'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/capture/logo': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the logo of the organisation for the capture page
     * @description Requires the cookie of the capture page.
     */
    get: operations['getCaptureLogo'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export interface webhooks {
  'session.created': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** A session was created. */
    post: operations['onSessionCreated'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'session.started': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** The first check of a session was submitted, or the first check after a resubmission request. */
    post: operations['onSessionStarted'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'session.completed': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** A session was approved. */
    post: operations['onSessionCompleted'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'session.declined': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** A session was declined. */
    post: operations['onSessionDeclined'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'session.review': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** A session needs the decision of a reviewer. */
    post: operations['onSessionReview'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'session.resubmission_requested': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** A reviewer requested new attempts at steps of a session. */
    post: operations['onSessionResubmissionRequested'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'session.expired': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** A session was not started before its link expired. */
    post: operations['onSessionExpired'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'session.abandoned': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** A started session was not continued in time. */
    post: operations['onSessionAbandoned'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'session.cancelled': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** A session was cancelled by the client before its decision. */
    post: operations['onSessionCancelled'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'session.approval_expired': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** The validity period of an approval ended. */
    post: operations['onSessionApprovalExpired'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'session.deleted': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** A session was deleted and its personal data erased. */
    post: operations['onSessionDeleted'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'check.completed': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** A check has ended, completed or failed. */
    post: operations['onCheckCompleted'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'aml.alert': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Ongoing monitoring found new hits for a subject. */
    post: operations['onAmlAlert'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'kyb.completed': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** A business check has ended. */
    post: operations['onKybCompleted'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'export.completed': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** The file of an export is ready for download. */
    post: operations['onExportCompleted'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'export.failed': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** An export failed. */
    post: operations['onExportFailed'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'invoice.issued': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** An invoice was issued. */
    post: operations['onInvoiceIssued'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'invoice.paid': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** An invoice was settled in full by payments and credit. */
    post: operations['onInvoicePaid'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'invoice.voided': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** An invoice was voided. */
    post: operations['onInvoiceVoided'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'credit_note.issued': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** A credit note was issued. */
    post: operations['onCreditNoteIssued'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'payment.received': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** A payment of a customer was registered. */
    post: operations['onPaymentReceived'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'stock.low': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** The stock of a product fell to its reorder level or below. */
    post: operations['onStockLow'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'message.sent': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** A mail server accepted an e-mail. */
    post: operations['onMessageSent'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'message.failed': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** An e-mail could not be sent: it was rejected, or its last attempt failed. */
    post: operations['onMessageFailed'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'message.bounced': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** A delivery report says that the recipient did not get an e-mail. */
    post: operations['onMessageBounced'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'tax_id.verified': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** VIES has said whether a VAT identifier is valid. */
    post: operations['onTaxIdVerified'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'webhook.test': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** A test delivery was requested. */
    post: operations['onWebhookTest'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export interface components {
  schemas: {
    IdentityError: {
      /** @enum {boolean} */
      ok: false;
      error: {
        /** @description Stable error code in snake_case. */
        code: string;
        message: string;
        details?: {
          [key: string]: unknown;
        };
        requestId: string;
      };
    };
    BusinessError: {
      /** @enum {boolean} */
      ok: false;
      message: string;
      errors?: string[];
      /** @description Stable error code in snake_case. */
      code: string;
      details?: {
        [key: string]: unknown;
      };
      requestId: string;
    };
    Session: {
      id: string;
      number: number;
      /** @enum {string} */
      mode: 'live' | 'test';
      status: components['schemas']['SessionStatus'];
      features: components['schemas']['Feature'][];
      workflowId: string | null;
      /** @description Version of the workflow that the session started with and keeps. */
      workflowVersion: number | null;
      /** @description Issuing state of the document, else the expected country; ISO 3166-1 alpha-3. */
      country: string | null;
      /** @description Link to the capture page for the person, which opens it once; only in the response that creates the session, otherwise null. Null also for a session that the page cannot complete. */
      url: string | null;
      externalId: string | null;
      metadata: {
        [key: string]: unknown;
      } | null;
      decision: components['schemas']['Decision'] | null;
      /** Format: date-time */
      createdAt: string;
      /**
       * Format: date-time
       * @description Time at which the session expires unless it has been started.
       */
      expiresAt: string;
      /** Format: date-time */
      startedAt: string | null;
      /** Format: date-time */
      lastActivityAt: string;
      /** Format: date-time */
      reviewSince: string | null;
      /** Format: date-time */
      finishedAt: string | null;
      /**
       * Format: date-time
       * @description Time at which the approval expires; null if it does not.
       */
      approvalExpiresAt: string | null;
      /**
       * Format: date-time
       * @description Time at which the session is erased; null if it is kept.
       */
      retainUntil: string | null;
      callbackUrl: string | null;
      language: string | null;
      expected: {
        firstName?: string;
        lastName?: string;
        dateOfBirth?: string;
        nationality?: string;
        country?: string;
        documentNumber?: string;
        address?: string;
      } | null;
      contact: {
        email?: string;
        phone?: string;
      } | null;
      steps: components['schemas']['Step'][];
      reviews: components['schemas']['Review'][];
      /** @description Notes of reviewers without a decision, the first one first. */
      notes: components['schemas']['SessionNote'][];
      /** @description Source of an imported session; null for other sessions. */
      imported: {
        issuer: string;
        /** @description The sharing organisation; null for shares of earlier versions. */
        organisation: {
          id: string;
          name: string;
        } | null;
        shareId: string;
        include: ('images' | 'contact')[];
        /** @description Whether the decision was adopted without a review by the importing organisation. */
        trusted: boolean;
        consent: {
          text: string;
          /** Format: date-time */
          at: string;
        };
        /** Format: date-time */
        at: string;
      } | null;
      /** @description Consent of the person on the capture page, with the text that was shown. */
      consent: {
        version: string;
        language: string;
        text: string;
        /** Format: date-time */
        at: string;
      } | null;
      results: {
        document: {
          status: components['schemas']['Verdict'];
          risks: components['schemas']['Risk'][];
          /** @enum {string|null} */
          documentType: 'passport' | 'identity_card' | 'driving_licence' | 'residence_permit' | 'visa' | null;
          /** @description Issuing state: ISO 3166-1 alpha-3, or a code of ICAO 9303. */
          issuingState: string | null;
          documentNumber: string | null;
          personalNumber: string | null;
          firstName: string | null;
          lastName: string | null;
          fullName: string | null;
          /** @description Date of birth, YYYY-MM-DD; an unknown month or day is XX. */
          dateOfBirth: string | null;
          age: number | null;
          /** @enum {string|null} */
          sex: 'F' | 'M' | 'X' | null;
          nationality: string | null;
          issueDate: string | null;
          /** @description Date of expiry, YYYY-MM-DD; in the year 9999 for a document that is valid permanently. */
          expiryDate: string | null;
          placeOfBirth: string | null;
          address: string | null;
          mrz: components['schemas']['MachineReadableZone'] | null;
          barcode: components['schemas']['Barcode'] | null;
          fields: {
            name: string;
            value: string;
            /** @enum {string} */
            source: 'mrz' | 'visual' | 'barcode';
            confidence: number;
            /** @enum {string} */
            side: 'front' | 'back';
            box: components['schemas']['Box'] | null;
            /** @description Whether the sources agree; null if only one source has the field. */
            agrees: boolean | null;
          }[];
          portrait: {
            /** @enum {string} */
            side: 'front' | 'back';
            box: components['schemas']['Box'];
            confidence: number;
          } | null;
          quality: components['schemas']['DocumentQuality'];
          sides: {
            /** @enum {string} */
            side: 'front' | 'back';
            width: number;
            height: number;
            rotation: 0 | 90 | 180 | 270;
            quality: components['schemas']['DocumentQuality'];
          }[];
          thresholds: {
            [key: string]: number;
          };
          models: components['schemas']['ModelUse'][];
          checkId: string;
        } | null;
        liveness: {
          status: components['schemas']['Verdict'];
          risks: components['schemas']['Risk'][];
          /**
           * @description How it was examined; `active` is the recommended method.
           * @enum {string}
           */
          method: 'passive' | 'active';
          /** @description Evaluation of the requested actions; null for a passive check. */
          active: components['schemas']['ActiveLiveness'] | null;
          /** @description Liveness score, 0–100; null without a face. */
          score: number | null;
          /** @description Parts of the score. */
          parts: components['schemas']['LivenessParts'] | null;
          /** @description Points that each part deducted from the model's score. */
          deductions: {
            model?: number;
            narrowCrop?: number;
            moire?: number;
            specular?: number;
            gamut?: number;
            frameEdges?: number;
            faceToFrame?: number;
          };
          face: components['schemas']['Face'] | null;
          faces: components['schemas']['Face'][];
          rotation: 0 | 90 | 180 | 270;
          quality: components['schemas']['FaceQuality'] | null;
          thresholds: {
            decline: number;
            review: number;
          };
          measuredOn: string;
          models: components['schemas']['ModelUse'][];
          checkId: string;
        } | null;
        faceMatch: {
          status: components['schemas']['Verdict'];
          risks: components['schemas']['Risk'][];
          /** @description Match score, 0–100, 50 at the threshold; null if an image has no face. */
          score: number | null;
          /** @description Cosine similarity of the embeddings, −1 to 1. */
          similarity: number | null;
          /** @description How far the two images are the same picture, −1 to 1; different photographs of one person stay below 0.90. */
          captureCorrelation: number | null;
          match: boolean;
          threshold: number;
          reviewThreshold: number;
          /** @description Share of pairs of different people that reach the threshold. */
          falseMatchRate: number;
          measuredOn: string;
          userImage: components['schemas']['MatchedImage'];
          refImage: components['schemas']['MatchedImage'];
          models: components['schemas']['ModelUse'][];
          checkId: string;
        } | null;
        age: {
          status: components['schemas']['Verdict'];
          risks: components['schemas']['Risk'][];
          /** @description Estimated age in years; null without a face. */
          age: number | null;
          interval: {
            low: number;
            high: number;
            /** @description Share of people whose age lies within the interval. */
            coverage: number;
          } | null;
          /** @description Mean absolute error of the model at this age, in years. */
          meanAbsoluteError: number | null;
          errorByAge: {
            from: number;
            /** @description Upper limit in years, exclusive; null if unlimited. */
            to: number | null;
            meanAbsoluteError: number;
          }[];
          measuredOn: string;
          minimumAge: number | null;
          /**
           * @description `yes` or `no` only if the whole interval is on one side of the minimum age; null if none was requested.
           * @enum {string|null}
           */
          meetsMinimumAge: 'yes' | 'no' | 'uncertain' | null;
          /** @description The face that was examined: the largest one. */
          face: components['schemas']['Face'] | null;
          /** @description All faces found, the largest first. */
          faces: components['schemas']['Face'][];
          rotation: 0 | 90 | 180 | 270;
          quality: components['schemas']['FaceQuality'] | null;
          models: components['schemas']['ModelUse'][];
          checkId: string;
        } | null;
        database: {
          status: components['schemas']['Verdict'];
          risks: components['schemas']['Risk'][];
          /**
           * @description Extent of the match. `full`: every given field matches a register. Null if no provider covers the country.
           * @enum {string|null}
           */
          matchType: 'full' | 'partial' | 'none' | null;
          /**
           * @description Source of the validation: the organisation's own register, or the rules for the country's numbers.
           * @enum {string|null}
           */
          provider: 'register' | 'national_number' | null;
          /** @description Verdicts on all given fields. */
          validations: {
            /** @enum {string} */
            field: 'idNumber' | 'firstName' | 'lastName' | 'dateOfBirth' | 'sex' | 'image';
            /** @enum {string} */
            status: 'match' | 'partial' | 'mismatch' | 'not_checked';
          }[];
          /**
           * @description Verdict on the number by its structure and check digits: a valid number may be unassigned.
           * @enum {string}
           */
          numberStatus: 'valid' | 'invalid' | 'unsupported';
          /**
           * Format: date-time
           * @description Time of the register’s import.
           */
          dataAt: string | null;
          checkId: string;
        } | null;
        poa: {
          status: components['schemas']['Verdict'];
          risks: components['schemas']['Risk'][];
          /** @enum {string} */
          documentType: 'utility_bill' | 'bank_statement' | 'government_letter' | 'other';
          issuer: string | null;
          /** @description Date of issue, YYYY-MM-DD. */
          issueDate: string | null;
          /** @description Language of the text, ISO 639-1. */
          language: string | null;
          /** @description Name of the recipient as printed. */
          name: string | null;
          /** @description Other names next to the recipient, such as joint holders. */
          otherNames: string[];
          address: components['schemas']['PostalAddress'] | null;
          /**
           * @description Text inside a PDF, or characters recognised on an image.
           * @enum {string}
           */
          source: 'text_layer' | 'recognition';
          pages: number;
          confidence: number;
          thresholds: {
            [key: string]: number;
          };
          models: components['schemas']['ModelUse'][];
          checkId: string;
        } | null;
        aml: {
          status: components['schemas']['Verdict'];
          risks: components['schemas']['Risk'][];
          match: boolean;
          /** @description Score of the best hit that counts, 0–100. */
          score: number;
          hits: components['schemas']['AmlHit'][];
          thresholds: {
            review: number;
            /** @description Score from which the session is declined; null if no score declines it. */
            decline: number | null;
          };
          listsSearched: {
            list: string;
            version: string;
            ageHours: number;
            stale: boolean;
          }[];
          checkId: string;
        } | null;
      };
      risks: components['schemas']['Risk'][];
      evidence: {
        id: string;
        checkId: string;
        field: string;
        contentType: string;
        bytes: number;
        /** @description SHA-256 of the file as sent, hex. */
        sha256: string;
        /** Format: date-time */
        createdAt: string;
      }[];
    };
    /** @enum {string} */
    SessionStatus:
      | 'not_started'
      | 'in_progress'
      | 'in_review'
      | 'approved'
      | 'declined'
      | 'resubmission_requested'
      | 'expired'
      | 'abandoned'
      | 'cancelled'
      | 'approval_expired';
    /** @enum {string} */
    Feature: 'id' | 'liveness' | 'face_match' | 'poa' | 'age' | 'aml' | 'database';
    Decision: {
      outcome: components['schemas']['SessionStatus'];
      reasons: components['schemas']['RiskCode'][];
      /** @enum {string} */
      decidedBy: 'rules' | 'reviewer';
      /** @description Id of the rule of the session's workflow that decided; null if none did. */
      rule: string | null;
      /** Format: date-time */
      at: string;
    };
    /**
     * @description Risk code, catalogue version 3.
     * @enum {string}
     */
    RiskCode:
      | 'document_expired'
      | 'document_not_recognised'
      | 'document_not_accepted'
      | 'portrait_not_found'
      | 'mrz_not_found'
      | 'mrz_check_failed'
      | 'print_unverified'
      | 'mrz_visual_mismatch'
      | 'barcode_not_found'
      | 'barcode_check_failed'
      | 'barcode_visual_mismatch'
      | 'name_not_found'
      | 'date_of_birth_not_found'
      | 'document_number_not_found'
      | 'expiry_not_found'
      | 'invalid_date'
      | 'issue_after_expiry'
      | 'wrong_side'
      | 'two_documents'
      | 'image_blurred'
      | 'image_glare'
      | 'image_dark'
      | 'image_too_small'
      | 'document_cut_off'
      | 'screen_capture_suspected'
      | 'printed_copy_suspected'
      | 'duplicate_document'
      | 'document_in_blocklist'
      | 'expected_name_mismatch'
      | 'expected_date_of_birth_mismatch'
      | 'expected_country_mismatch'
      | 'expected_document_number_mismatch'
      | 'minimum_age_not_met'
      | 'poa_too_old'
      | 'poa_date_in_future'
      | 'poa_issuer_not_found'
      | 'poa_name_not_found'
      | 'poa_script_not_supported'
      | 'poa_name_mismatch'
      | 'poa_address_mismatch'
      | 'poa_address_not_found'
      | 'poa_poor_quality'
      | 'liveness_low'
      | 'attack_suspected'
      | 'no_face'
      | 'multiple_faces'
      | 'face_too_small'
      | 'face_low_quality'
      | 'same_capture'
      | 'face_in_blocklist'
      | 'duplicate_face'
      | 'face_mismatch'
      | 'no_face_in_user_image'
      | 'no_face_in_ref_image'
      | 'aml_match'
      | 'aml_possible_match'
      | 'aml_list_stale'
      | 'database_no_match'
      | 'database_partial_match'
      | 'database_not_available'
      | 'kyb_not_active'
      | 'kyb_lei_lapsed'
      | 'kyb_name_mismatch'
      | 'kyb_country_mismatch'
      | 'kyb_identifier_mismatch'
      | 'kyb_registry_unavailable'
      | 'attempts_exhausted'
      | 'processing_failed';
    Step: {
      feature: components['schemas']['Feature'];
      /**
       * @description `retry`: a better image may help. `exhausted`: no attempts are left.
       * @enum {string}
       */
      status: 'not_run' | 'processing' | 'passed' | 'review' | 'retry' | 'exhausted' | 'declined';
      attempts: number;
      attemptsLeft: number;
      checkIds: string[];
    };
    Review: {
      /** @enum {string} */
      decision: 'approve' | 'decline' | 'resubmit' | 'review';
      from: components['schemas']['SessionStatus'];
      to: components['schemas']['SessionStatus'];
      reason: string | null;
      comment: string | null;
      /** @description Steps to submit again. */
      steps: components['schemas']['Feature'][];
      override: boolean;
      by: string;
      /** @description Current name of the user or API key; null for one that was deleted. */
      byName: string | null;
      /** Format: date-time */
      at: string;
    };
    SessionNote: {
      id: string;
      text: string;
      by: string;
      /** @description Current name of the user or API key; null for one that was deleted. */
      byName: string | null;
      /** Format: date-time */
      at: string;
    };
    /**
     * @description `recapture`: the image does not show enough; `risks` say why. The step waits for another one.
     * @enum {string}
     */
    Verdict: 'approved' | 'review' | 'recapture' | 'declined';
    Risk: {
      code: components['schemas']['RiskCode'];
      /** @enum {string} */
      severity: 'low' | 'medium' | 'high';
      /**
       * @description Effect of the risk on its step.
       * @enum {string}
       */
      action: 'decline' | 'recapture' | 'review' | 'ignore';
      /** @enum {string} */
      feature: 'id' | 'liveness' | 'face_match' | 'poa' | 'age' | 'aml' | 'database' | 'kyb' | 'session';
      message: string;
      details?: {
        [key: string]: string | number | boolean | null;
      };
    };
    MachineReadableZone: {
      /**
       * @description Layout by ICAO Doc 9303, or IDFRA: the French identity card of 1988 to 2021, two lines of 36 characters.
       * @enum {string}
       */
      format: 'TD1' | 'TD2' | 'TD3' | 'MRVA' | 'MRVB' | 'IDFRA';
      /** @enum {string} */
      side: 'front' | 'back';
      lines: string[];
      /** @description Fields as encoded in the zone. */
      fields: {
        documentCode: string;
        issuingState: string | null;
        documentNumber: string | null;
        lastName: string | null;
        firstName: string | null;
        nameTruncated: boolean;
        nationality: string | null;
        dateOfBirth: string | null;
        /** @enum {string|null} */
        sex: 'F' | 'M' | 'X' | null;
        expiryDate: string | null;
        personalNumber: string | null;
        optionalData: string[];
      };
      checkDigits: {
        name: string;
        printed: string;
        expected: number | null;
        valid: boolean;
      }[];
      /** @description Whether all check digits verify, which does not prove that every character is right. */
      valid: boolean;
      /** @description Whether one character was replaced so that the check digits verify. */
      repaired: boolean;
      confidence: number;
      box: components['schemas']['Box'];
    };
    /** @description Rectangle in pixels of the image as sent, after its EXIF orientation was applied. */
    Box: {
      x: number;
      y: number;
      width: number;
      height: number;
    };
    /** @description PDF417 barcode of a driving licence or identity card. */
    Barcode: {
      /** @enum {string} */
      symbology: 'PDF417';
      /** @enum {string} */
      side: 'front' | 'back';
      /** @description Content by the AAMVA standard; null for other content, or a barcode that could not be decoded. */
      aamva: {
        /** @enum {string} */
        documentType: 'driving_licence' | 'identity_card';
        /** @description Issuer identification number assigned by AAMVA. */
        issuerId: string;
        /** @description Postal abbreviation of the state or province. */
        jurisdiction: string | null;
        /** @description Version of the AAMVA Card Design Standard. */
        version: number;
        fields: {
          documentNumber: string | null;
          lastName: string | null;
          firstName: string | null;
          suffix: string | null;
          dateOfBirth: string | null;
          expiryDate: string | null;
          issueDate: string | null;
          /** @enum {string|null} */
          sex: 'F' | 'M' | 'X' | null;
          street: string | null;
          city: string | null;
          region: string | null;
          postalCode: string | null;
          /** @enum {string|null} */
          country: 'USA' | 'CAN' | 'MEX' | null;
          vehicleClass: string | null;
          discriminator: string | null;
        };
        /** @description Mandatory elements that are missing or impossible. */
        faults: string[];
      } | null;
      /** @description Whether the barcode was decoded and, for AAMVA content, has no faults. */
      valid: boolean;
      box: components['schemas']['Box'];
    };
    DocumentQuality: {
      sharpness: number;
      glare: number;
      brightness: number;
      cutOff: boolean;
      resolution: number;
    };
    /** @description Model weights that the result was computed with. */
    ModelUse: {
      role: string;
      name: string;
      version: string;
      sha256: string;
    };
    ActiveLiveness: {
      challengeId: string;
      actions: {
        /** @enum {string} */
        action: 'turn_left' | 'turn_right' | 'blink' | 'come_closer';
        /** @description Index of the frame that shows the action; null if none does. */
        frame: number | null;
      }[];
      /**
       * @description A turn of the head that was not requested at that point; null if there was none.
       * @enum {string|null}
       */
      unexpected: 'turn_left' | 'turn_right' | 'blink' | 'come_closer' | null;
      frames: number;
      facelessFrames: number;
      bestFrame: number | null;
      passiveScore: number | null;
      /** @description Minimum cosine of any frame with the best one. */
      continuity: number | null;
    };
    LivenessParts: {
      model: number;
      narrowCrop: number;
      moire: number;
      specular: number;
      gamut: number;
      frameEdges: number;
      faceToFrame: number;
    };
    Face: {
      box: components['schemas']['Box'];
      confidence: number;
    };
    FaceQuality: {
      sharpness: number;
      brightness: number;
      /** @description Head pose in degrees. */
      pose: {
        yaw: number;
        pitch: number;
        roll: number;
      };
      /** @description Probability that each eye is open: the person's right eye, then the left one. */
      eyesOpen: number[];
      /** @description Distance between the eye centres in pixels. */
      interEyeDistance: number;
      occlusion: number;
      /** @description Parts of the face that cannot be seen. */
      covered: ('eyes_closed' | 'eyes_covered' | 'mouth_covered')[];
      /** @description Overall quality, 0–100. */
      overall: number;
    };
    MatchedImage: {
      /** @description All faces found, the largest first. */
      faces: components['schemas']['Face'][];
      /** @description The face that was compared. */
      face: components['schemas']['Face'] | null;
      rotation: 0 | 90 | 180 | 270;
      quality: components['schemas']['FaceQuality'] | null;
    };
    PostalAddress: {
      raw: string;
      street: string | null;
      city: string | null;
      region: string | null;
      postalCode: string | null;
      /** @description Country of the address, ISO 3166-1 alpha-3. */
      country: string | null;
    };
    /** @description An entry of a watch list that may be the screened subject. */
    AmlHit: {
      id: string;
      list: string;
      listVersion: string;
      entryId: string;
      /** @description SHA-256 of the facts that the list states about the entry, hex. A review holds until it changes. */
      entryHash: string;
      /** @enum {string} */
      entityType: 'person' | 'company' | 'vessel' | 'aircraft' | 'unknown';
      caption: string;
      matchedName: string;
      score: number;
      explanation: components['schemas']['AmlExplanation'][];
      aliases: string[];
      /** @description Dates of birth as YYYY, YYYY-MM or YYYY-MM-DD, prefixed with `~` if approximate. */
      datesOfBirth: string[];
      countries: string[];
      genders: string[];
      programs: string[];
      identifiers: {
        type: string;
        value: string;
        country: string | null;
      }[];
      positions: string[];
      addresses: string[];
      remarks: string | null;
      sourceUrl: string | null;
      /** Format: date-time */
      firstSeen: string;
      /** Format: date-time */
      lastChanged: string;
      /** @enum {string} */
      reviewStatus: 'unreviewed' | 'false_positive' | 'confirmed' | 'inconclusive';
      review: components['schemas']['AmlReview'] | null;
    };
    AmlExplanation: {
      /** @enum {string} */
      part: 'name' | 'alias' | 'weak_alias' | 'date_of_birth' | 'country' | 'gender' | 'document' | 'limits';
      weight: number;
      queryValue: string | null;
      listValue: string | null;
      /** @description Effect on the score in points; the effects of all parts add up to the score. */
      effect: number;
    };
    AmlReview: {
      /** @enum {string} */
      status: 'false_positive' | 'confirmed' | 'inconclusive';
      reason: string;
      /** @description Id of the user or API key. */
      by: string;
      /** @description Current name of the user or API key; null for one that was deleted. */
      byName: string | null;
      /** Format: date-time */
      at: string;
    };
    SessionSummary: {
      id: string;
      number: number;
      /** @enum {string} */
      mode: 'live' | 'test';
      status: components['schemas']['SessionStatus'];
      features: components['schemas']['Feature'][];
      workflowId: string | null;
      /** @description Version of the workflow that the session started with and keeps. */
      workflowVersion: number | null;
      /** @description Issuing state of the document, else the expected country; ISO 3166-1 alpha-3. */
      country: string | null;
      /** @description Link to the capture page for the person, which opens it once; only in the response that creates the session, otherwise null. Null also for a session that the page cannot complete. */
      url: string | null;
      externalId: string | null;
      metadata: {
        [key: string]: unknown;
      } | null;
      decision: components['schemas']['Decision'] | null;
      /** Format: date-time */
      createdAt: string;
      /**
       * Format: date-time
       * @description Time at which the session expires unless it has been started.
       */
      expiresAt: string;
      /** Format: date-time */
      startedAt: string | null;
      /** Format: date-time */
      lastActivityAt: string;
      /** Format: date-time */
      reviewSince: string | null;
      /** Format: date-time */
      finishedAt: string | null;
      /**
       * Format: date-time
       * @description Time at which the approval expires; null if it does not.
       */
      approvalExpiresAt: string | null;
      /**
       * Format: date-time
       * @description Time at which the session is erased; null if it is kept.
       */
      retainUntil: string | null;
    };
    PendingSession: {
      id: string;
      number: number;
      /** @enum {string} */
      mode: 'live' | 'test';
      status: components['schemas']['SessionStatus'];
      features: components['schemas']['Feature'][];
      workflowId: string | null;
      /** @description Version of the workflow that the session started with and keeps. */
      workflowVersion: number | null;
      /** @description Issuing state of the document, else the expected country; ISO 3166-1 alpha-3. */
      country: string | null;
      /** @description Link to the capture page for the person, which opens it once; only in the response that creates the session, otherwise null. Null also for a session that the page cannot complete. */
      url: string | null;
      externalId: string | null;
      metadata: {
        [key: string]: unknown;
      } | null;
      decision: components['schemas']['Decision'] | null;
      /** Format: date-time */
      createdAt: string;
      /**
       * Format: date-time
       * @description Time at which the session expires unless it has been started.
       */
      expiresAt: string;
      /** Format: date-time */
      startedAt: string | null;
      /** Format: date-time */
      lastActivityAt: string;
      /** Format: date-time */
      reviewSince: string | null;
      /** Format: date-time */
      finishedAt: string | null;
      /**
       * Format: date-time
       * @description Time at which the approval expires; null if it does not.
       */
      approvalExpiresAt: string | null;
      /**
       * Format: date-time
       * @description Time at which the session is erased; null if it is kept.
       */
      retainUntil: string | null;
      /** @description Risks that caused the review. */
      risks: components['schemas']['Risk'][];
    };
    CaptureLink: {
      /** @description URL of the capture page with a token in its fragment, which opens it once. It is returned here only; do not log or store it. */
      url: string;
      /** Format: date-time */
      expiresAt: string;
    };
    SessionWorkflow: {
      id: string;
      /** @enum {string} */
      mode: 'live' | 'test';
      /** @description Version of the definition; sessions keep the version they started with. */
      version: number;
      currentVersion: number;
      isDefault: boolean;
      name: string;
      features: string[];
      thresholds: components['schemas']['Thresholds'];
      actions: {
        [key: string]: 'decline' | 'recapture' | 'review' | 'ignore';
      };
      rules: {
        id: string;
        field: string;
        /** @enum {string} */
        operator:
          | 'exists'
          | 'not_exists'
          | 'equals'
          | 'not_equals'
          | 'in'
          | 'not_in'
          | 'contains'
          | 'not_contains'
          | 'starts_with'
          | 'ends_with'
          | 'matches'
          | 'greater'
          | 'greater_or_equal'
          | 'less'
          | 'less_or_equal';
        /** @description Value to compare with: absent with exists and not_exists, a list with in and not_in. */
        value?: string | number | boolean | (string | number)[];
        and?: {
          /** @description Field to compare: one of document.type, document.issuingState, document.nationality, document.number, document.personalNumber, document.firstName, document.lastName, document.fullName, document.dateOfBirth, document.age, document.sex, document.issueDate, document.expiryDate, document.placeOfBirth, document.address, document.mrzValid, liveness.score, liveness.method, liveness.quality, faceMatch.score, faceMatch.similarity, age.estimate, age.meetsMinimumAge, faceMatch.match, poa.documentType, poa.issuer, poa.issueDate, poa.language, poa.name, poa.address, poa.city, poa.postalCode, poa.country, database.matchType, database.provider, database.numberStatus, aml.match, aml.score, aml.lists, session.externalId, session.language, session.country, session.email, session.phone, session.attempts, risks, session.metadata.<name>. */
          field: string;
          /** @enum {string} */
          operator:
            | 'exists'
            | 'not_exists'
            | 'equals'
            | 'not_equals'
            | 'in'
            | 'not_in'
            | 'contains'
            | 'not_contains'
            | 'starts_with'
            | 'ends_with'
            | 'matches'
            | 'greater'
            | 'greater_or_equal'
            | 'less'
            | 'less_or_equal';
          /** @description Value to compare with: absent with exists and not_exists, a list with in and not_in. */
          value?: string | number | boolean | (string | number)[];
        }[];
        /** @enum {string} */
        status: 'approved' | 'declined' | 'in_review';
      }[];
      maxAttempts: number;
      attemptWindowDays: number;
      linkTtlHours: number;
      abandonAfterHours: number;
      approvalValidDays: number | null;
      retentionDays: number | null;
      indexApprovedFaces: boolean;
      callbackUrl: string | null;
      /** @description Appearance of the capture page. */
      branding: {
        name?: string;
        /** Format: uri */
        logoUrl?: string;
        primaryColor?: string;
      } | null;
      /** @description Accepted documents; any other one raises `document_not_accepted`. Null accepts every document that the service reads. */
      acceptedDocuments:
        | {
            /** @enum {string} */
            type: 'passport' | 'identity_card' | 'driving_licence' | 'residence_permit' | 'visa';
            /** @description Issuing states. Default: any. */
            countries?: string[];
          }[]
        | null;
      acceptPdfDocuments: boolean;
      /** Format: date-time */
      createdAt: string;
      /**
       * Format: date-time
       * @description Time at which this version was created.
       */
      versionedAt: string;
      /** Format: date-time */
      archivedAt: string | null;
    };
    Thresholds: {
      /** @description Scores below which the check is declined or reviewed. Default {"decline":30,"review":70}. */
      liveness?: {
        decline: number;
        review: number;
      };
      /** @description Calibrated scores below which the check is declined or reviewed; 50 is the match threshold of the service. Default {"decline":25,"review":50}. */
      faceMatch?: {
        decline: number;
        review: number;
      };
      /** @description Scores from which the check is reviewed or declined. */
      aml?: {
        review: number;
        decline: number;
      };
      /** @description Minimum age in years; a younger person is declined with `minimum_age_not_met`. */
      minimumAge?: number;
    };
    Rule: {
      /** @description Id of the rule, which decisions refer to. Default `rule-<position>`. */
      id?: string;
      /** @description Field to compare: one of document.type, document.issuingState, document.nationality, document.number, document.personalNumber, document.firstName, document.lastName, document.fullName, document.dateOfBirth, document.age, document.sex, document.issueDate, document.expiryDate, document.placeOfBirth, document.address, document.mrzValid, liveness.score, liveness.method, liveness.quality, faceMatch.score, faceMatch.similarity, age.estimate, age.meetsMinimumAge, faceMatch.match, poa.documentType, poa.issuer, poa.issueDate, poa.language, poa.name, poa.address, poa.city, poa.postalCode, poa.country, database.matchType, database.provider, database.numberStatus, aml.match, aml.score, aml.lists, session.externalId, session.language, session.country, session.email, session.phone, session.attempts, risks, session.metadata.<name>. */
      field: string;
      /** @enum {string} */
      operator:
        | 'exists'
        | 'not_exists'
        | 'equals'
        | 'not_equals'
        | 'in'
        | 'not_in'
        | 'contains'
        | 'not_contains'
        | 'starts_with'
        | 'ends_with'
        | 'matches'
        | 'greater'
        | 'greater_or_equal'
        | 'less'
        | 'less_or_equal';
      /** @description Value to compare with: absent with exists and not_exists, a list with in and not_in. */
      value?: string | number | boolean | (string | number)[];
      /** @description Further conditions, which must hold too. */
      and?: {
        /** @description Field to compare: one of document.type, document.issuingState, document.nationality, document.number, document.personalNumber, document.firstName, document.lastName, document.fullName, document.dateOfBirth, document.age, document.sex, document.issueDate, document.expiryDate, document.placeOfBirth, document.address, document.mrzValid, liveness.score, liveness.method, liveness.quality, faceMatch.score, faceMatch.similarity, age.estimate, age.meetsMinimumAge, faceMatch.match, poa.documentType, poa.issuer, poa.issueDate, poa.language, poa.name, poa.address, poa.city, poa.postalCode, poa.country, database.matchType, database.provider, database.numberStatus, aml.match, aml.score, aml.lists, session.externalId, session.language, session.country, session.email, session.phone, session.attempts, risks, session.metadata.<name>. */
        field: string;
        /** @enum {string} */
        operator:
          | 'exists'
          | 'not_exists'
          | 'equals'
          | 'not_equals'
          | 'in'
          | 'not_in'
          | 'contains'
          | 'not_contains'
          | 'starts_with'
          | 'ends_with'
          | 'matches'
          | 'greater'
          | 'greater_or_equal'
          | 'less'
          | 'less_or_equal';
        /** @description Value to compare with: absent with exists and not_exists, a list with in and not_in. */
        value?: string | number | boolean | (string | number)[];
      }[];
      /** @enum {string} */
      status: 'approved' | 'declined' | 'in_review';
    };
    Simulation: {
      examined: number;
      unchanged: number;
      changed: number;
      moves: {
        /**
         * @description Status that the rules decided then, before any review.
         * @enum {string}
         */
        from:
          | 'not_started'
          | 'in_progress'
          | 'in_review'
          | 'approved'
          | 'declined'
          | 'resubmission_requested'
          | 'expired'
          | 'abandoned'
          | 'cancelled'
          | 'approval_expired';
        /**
         * @description Status under the draft. `in_progress`: the draft would have required another attempt, or a step that was not run.
         * @enum {string}
         */
        to:
          | 'not_started'
          | 'in_progress'
          | 'in_review'
          | 'approved'
          | 'declined'
          | 'resubmission_requested'
          | 'expired'
          | 'abandoned'
          | 'cancelled'
          | 'approval_expired';
        count: number;
        /** @description Decisions of reviewers on these sessions. */
        reviewed: {
          approved: number;
          declined: number;
        };
        /** @description Ids of the sessions whose status changes. */
        sessionIds: string[];
      }[];
    };
    DocumentCheck: {
      id: string;
      /** @enum {string} */
      kind:
        | 'id_verification'
        | 'liveness'
        | 'face_match'
        | 'age'
        | 'face_search'
        | 'database_validation'
        | 'proof_of_address'
        | 'aml_screening';
      /**
       * @description Feature whose step the check fulfils; null for a kind that is always standalone.
       * @enum {string|null}
       */
      feature: 'id' | 'liveness' | 'face_match' | 'poa' | 'age' | 'aml' | 'database' | null;
      /** @enum {string} */
      mode: 'live' | 'test';
      sessionId: string | null;
      /**
       * @description `failed`: the check could not be run and has no result.
       * @enum {string}
       */
      status: 'processing' | 'completed' | 'failed';
      /** @description Verdict; null until the check is completed, and if it failed. */
      outcome: components['schemas']['Verdict'] | null;
      /** @description True for a comparison submitted after the session was decided by its own comparison: it has a result, but does not affect the session. */
      supplementary: boolean;
      risks: components['schemas']['Risk'][];
      result: components['schemas']['DocumentResult'] | null;
      error: {
        code: string;
        message: string;
      } | null;
      evidence: {
        id: string;
        field: string;
      }[];
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      completedAt: string | null;
    };
    /** @description Result of reading an identity document. */
    DocumentResult: {
      status: components['schemas']['Verdict'];
      risks: components['schemas']['Risk'][];
      /** @enum {string|null} */
      documentType: 'passport' | 'identity_card' | 'driving_licence' | 'residence_permit' | 'visa' | null;
      /** @description Issuing state: ISO 3166-1 alpha-3, or a code of ICAO 9303. */
      issuingState: string | null;
      documentNumber: string | null;
      personalNumber: string | null;
      firstName: string | null;
      lastName: string | null;
      fullName: string | null;
      /** @description Date of birth, YYYY-MM-DD; an unknown month or day is XX. */
      dateOfBirth: string | null;
      age: number | null;
      /** @enum {string|null} */
      sex: 'F' | 'M' | 'X' | null;
      nationality: string | null;
      issueDate: string | null;
      /** @description Date of expiry, YYYY-MM-DD; in the year 9999 for a document that is valid permanently. */
      expiryDate: string | null;
      placeOfBirth: string | null;
      address: string | null;
      mrz: components['schemas']['MachineReadableZone'] | null;
      barcode: components['schemas']['Barcode'] | null;
      fields: {
        name: string;
        value: string;
        /** @enum {string} */
        source: 'mrz' | 'visual' | 'barcode';
        confidence: number;
        /** @enum {string} */
        side: 'front' | 'back';
        box: components['schemas']['Box'] | null;
        /** @description Whether the sources agree; null if only one source has the field. */
        agrees: boolean | null;
      }[];
      portrait: {
        /** @enum {string} */
        side: 'front' | 'back';
        box: components['schemas']['Box'];
        confidence: number;
      } | null;
      quality: components['schemas']['DocumentQuality'];
      sides: {
        /** @enum {string} */
        side: 'front' | 'back';
        width: number;
        height: number;
        rotation: 0 | 90 | 180 | 270;
        quality: components['schemas']['DocumentQuality'];
      }[];
      thresholds: {
        [key: string]: number;
      };
      models: components['schemas']['ModelUse'][];
    };
    AddressProofCheck: {
      id: string;
      /** @enum {string} */
      kind:
        | 'id_verification'
        | 'liveness'
        | 'face_match'
        | 'age'
        | 'face_search'
        | 'database_validation'
        | 'proof_of_address'
        | 'aml_screening';
      /**
       * @description Feature whose step the check fulfils; null for a kind that is always standalone.
       * @enum {string|null}
       */
      feature: 'id' | 'liveness' | 'face_match' | 'poa' | 'age' | 'aml' | 'database' | null;
      /** @enum {string} */
      mode: 'live' | 'test';
      sessionId: string | null;
      /**
       * @description `failed`: the check could not be run and has no result.
       * @enum {string}
       */
      status: 'processing' | 'completed' | 'failed';
      /** @description Verdict; null until the check is completed, and if it failed. */
      outcome: components['schemas']['Verdict'] | null;
      /** @description True for a comparison submitted after the session was decided by its own comparison: it has a result, but does not affect the session. */
      supplementary: boolean;
      risks: components['schemas']['Risk'][];
      result: components['schemas']['AddressProofResult'] | null;
      error: {
        code: string;
        message: string;
      } | null;
      evidence: {
        id: string;
        field: string;
      }[];
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      completedAt: string | null;
    };
    /** @description Result of reading a proof of address. */
    AddressProofResult: {
      status: components['schemas']['Verdict'];
      risks: components['schemas']['Risk'][];
      /** @enum {string} */
      documentType: 'utility_bill' | 'bank_statement' | 'government_letter' | 'other';
      issuer: string | null;
      /** @description Date of issue, YYYY-MM-DD. */
      issueDate: string | null;
      /** @description Language of the text, ISO 639-1. */
      language: string | null;
      /** @description Name of the recipient as printed. */
      name: string | null;
      /** @description Other names next to the recipient, such as joint holders. */
      otherNames: string[];
      address: components['schemas']['PostalAddress'] | null;
      /**
       * @description Text inside a PDF, or characters recognised on an image.
       * @enum {string}
       */
      source: 'text_layer' | 'recognition';
      pages: number;
      confidence: number;
      thresholds: {
        [key: string]: number;
      };
      models: components['schemas']['ModelUse'][];
    };
    FaceMatchCheck: {
      id: string;
      /** @enum {string} */
      kind:
        | 'id_verification'
        | 'liveness'
        | 'face_match'
        | 'age'
        | 'face_search'
        | 'database_validation'
        | 'proof_of_address'
        | 'aml_screening';
      /**
       * @description Feature whose step the check fulfils; null for a kind that is always standalone.
       * @enum {string|null}
       */
      feature: 'id' | 'liveness' | 'face_match' | 'poa' | 'age' | 'aml' | 'database' | null;
      /** @enum {string} */
      mode: 'live' | 'test';
      sessionId: string | null;
      /**
       * @description `failed`: the check could not be run and has no result.
       * @enum {string}
       */
      status: 'processing' | 'completed' | 'failed';
      /** @description Verdict; null until the check is completed, and if it failed. */
      outcome: components['schemas']['Verdict'] | null;
      /** @description True for a comparison submitted after the session was decided by its own comparison: it has a result, but does not affect the session. */
      supplementary: boolean;
      risks: components['schemas']['Risk'][];
      result: components['schemas']['FaceMatchResult'] | null;
      error: {
        code: string;
        message: string;
      } | null;
      evidence: {
        id: string;
        field: string;
      }[];
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      completedAt: string | null;
    };
    /** @description Whether two images show the same person. */
    FaceMatchResult: {
      status: components['schemas']['Verdict'];
      risks: components['schemas']['Risk'][];
      /** @description Match score, 0–100, 50 at the threshold; null if an image has no face. */
      score: number | null;
      /** @description Cosine similarity of the embeddings, −1 to 1. */
      similarity: number | null;
      /** @description How far the two images are the same picture, −1 to 1; different photographs of one person stay below 0.90. */
      captureCorrelation: number | null;
      match: boolean;
      threshold: number;
      reviewThreshold: number;
      /** @description Share of pairs of different people that reach the threshold. */
      falseMatchRate: number;
      measuredOn: string;
      userImage: components['schemas']['MatchedImage'];
      refImage: components['schemas']['MatchedImage'];
      models: components['schemas']['ModelUse'][];
    };
    CheckSummary: {
      id: string;
      /** @enum {string} */
      kind:
        | 'id_verification'
        | 'liveness'
        | 'face_match'
        | 'age'
        | 'face_search'
        | 'database_validation'
        | 'proof_of_address'
        | 'aml_screening';
      /**
       * @description Feature whose step the check fulfils; null for a kind that is always standalone.
       * @enum {string|null}
       */
      feature: 'id' | 'liveness' | 'face_match' | 'poa' | 'age' | 'aml' | 'database' | null;
      /** @enum {string} */
      mode: 'live' | 'test';
      sessionId: string | null;
      /**
       * @description `failed`: the check could not be run and has no result.
       * @enum {string}
       */
      status: 'processing' | 'completed' | 'failed';
      /** @description Verdict; null until the check is completed, and if it failed. */
      outcome: components['schemas']['Verdict'] | null;
      /** @description True for a comparison submitted after the session was decided by its own comparison: it has a result, but does not affect the session. */
      supplementary: boolean;
      risks: components['schemas']['Risk'][];
      error: {
        code: string;
        message: string;
      } | null;
      evidence: {
        id: string;
        field: string;
      }[];
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      completedAt: string | null;
    };
    Check: {
      id: string;
      /** @enum {string} */
      kind:
        | 'id_verification'
        | 'liveness'
        | 'face_match'
        | 'age'
        | 'face_search'
        | 'database_validation'
        | 'proof_of_address'
        | 'aml_screening';
      /**
       * @description Feature whose step the check fulfils; null for a kind that is always standalone.
       * @enum {string|null}
       */
      feature: 'id' | 'liveness' | 'face_match' | 'poa' | 'age' | 'aml' | 'database' | null;
      /** @enum {string} */
      mode: 'live' | 'test';
      sessionId: string | null;
      /**
       * @description `failed`: the check could not be run and has no result.
       * @enum {string}
       */
      status: 'processing' | 'completed' | 'failed';
      /** @description Verdict; null until the check is completed, and if it failed. */
      outcome: components['schemas']['Verdict'] | null;
      /** @description True for a comparison submitted after the session was decided by its own comparison: it has a result, but does not affect the session. */
      supplementary: boolean;
      risks: components['schemas']['Risk'][];
      result:
        | components['schemas']['DocumentResult']
        | components['schemas']['AddressProofResult']
        | components['schemas']['LivenessResult']
        | components['schemas']['FaceMatchResult']
        | components['schemas']['AgeResult']
        | components['schemas']['FaceSearchResult']
        | components['schemas']['DatabaseResult']
        | components['schemas']['AmlResult']
        | null;
      error: {
        code: string;
        message: string;
      } | null;
      evidence: {
        id: string;
        field: string;
      }[];
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      completedAt: string | null;
    };
    /** @description Whether a live person was in front of the camera. A passive result states only that no copy was noticed in one image: sharp prints and displays, masks, generated faces and images that were not taken by a camera may pass. Active liveness is the recommended method; it excludes prepared images, but not videos generated in real time. */
    LivenessResult: {
      status: components['schemas']['Verdict'];
      risks: components['schemas']['Risk'][];
      /**
       * @description How it was examined; `active` is the recommended method.
       * @enum {string}
       */
      method: 'passive' | 'active';
      /** @description Evaluation of the requested actions; null for a passive check. */
      active: components['schemas']['ActiveLiveness'] | null;
      /** @description Liveness score, 0–100; null without a face. */
      score: number | null;
      /** @description Parts of the score. */
      parts: components['schemas']['LivenessParts'] | null;
      /** @description Points that each part deducted from the model's score. */
      deductions: {
        model?: number;
        narrowCrop?: number;
        moire?: number;
        specular?: number;
        gamut?: number;
        frameEdges?: number;
        faceToFrame?: number;
      };
      face: components['schemas']['Face'] | null;
      faces: components['schemas']['Face'][];
      rotation: 0 | 90 | 180 | 270;
      quality: components['schemas']['FaceQuality'] | null;
      thresholds: {
        decline: number;
        review: number;
      };
      measuredOn: string;
      models: components['schemas']['ModelUse'][];
    };
    /** @description Estimated age of a person. */
    AgeResult: {
      status: components['schemas']['Verdict'];
      risks: components['schemas']['Risk'][];
      /** @description Estimated age in years; null without a face. */
      age: number | null;
      interval: {
        low: number;
        high: number;
        /** @description Share of people whose age lies within the interval. */
        coverage: number;
      } | null;
      /** @description Mean absolute error of the model at this age, in years. */
      meanAbsoluteError: number | null;
      errorByAge: {
        from: number;
        /** @description Upper limit in years, exclusive; null if unlimited. */
        to: number | null;
        meanAbsoluteError: number;
      }[];
      measuredOn: string;
      minimumAge: number | null;
      /**
       * @description `yes` or `no` only if the whole interval is on one side of the minimum age; null if none was requested.
       * @enum {string|null}
       */
      meetsMinimumAge: 'yes' | 'no' | 'uncertain' | null;
      /** @description The face that was examined: the largest one. */
      face: components['schemas']['Face'] | null;
      /** @description All faces found, the largest first. */
      faces: components['schemas']['Face'][];
      rotation: 0 | 90 | 180 | 270;
      quality: components['schemas']['FaceQuality'] | null;
      models: components['schemas']['ModelUse'][];
    };
    /** @description Indexed faces that resemble the face of an image. */
    FaceSearchResult: {
      status: components['schemas']['Verdict'];
      risks: components['schemas']['Risk'][];
      /** @description Matches, best first. */
      matches: components['schemas']['FaceSearchMatch'][];
      lists: ('users' | 'blocklist')[];
      topK: number;
      /** @description Number of faces compared: the whole gallery. */
      gallerySize: number;
      /** @description Minimum cosine of a match. It rises with the size of the gallery and is at least 0.5. */
      threshold: number;
      /** @description Expected number of strangers among the matches of one search. */
      expectedFalseHits: number;
      /** @description Probability that a search for an absent person has a match. */
      falsePositiveIdentificationRate: number;
      /** @description Data set from which these two figures are derived. */
      measuredOn: string;
      /** @description The face that was examined: the largest one. */
      face: components['schemas']['Face'] | null;
      /** @description All faces found, the largest first. */
      faces: components['schemas']['Face'][];
      rotation: 0 | 90 | 180 | 270;
      quality: components['schemas']['FaceQuality'] | null;
      models: components['schemas']['ModelUse'][];
    };
    FaceSearchMatch: {
      id: string;
      name: string | null;
      externalId: string | null;
      /** @description Approved session of the selfie; null for a face that was indexed on its own. */
      sessionId: string | null;
      /** @enum {string} */
      list: 'users' | 'blocklist';
      /** @description Cosine similarity of the embeddings, −1 to 1. */
      similarity: number;
    };
    /** @description Result of validating claims about a person. */
    DatabaseResult: {
      status: components['schemas']['Verdict'];
      risks: components['schemas']['Risk'][];
      /**
       * @description Extent of the match. `full`: every given field matches a register. Null if no provider covers the country.
       * @enum {string|null}
       */
      matchType: 'full' | 'partial' | 'none' | null;
      /**
       * @description Source of the validation: the organisation's own register, or the rules for the country's numbers.
       * @enum {string|null}
       */
      provider: 'register' | 'national_number' | null;
      /** @description Verdicts on all given fields. */
      validations: {
        /** @enum {string} */
        field: 'idNumber' | 'firstName' | 'lastName' | 'dateOfBirth' | 'sex' | 'image';
        /** @enum {string} */
        status: 'match' | 'partial' | 'mismatch' | 'not_checked';
      }[];
      /**
       * @description Verdict on the number by its structure and check digits: a valid number may be unassigned.
       * @enum {string}
       */
      numberStatus: 'valid' | 'invalid' | 'unsupported';
      /**
       * Format: date-time
       * @description Time of the register’s import.
       */
      dataAt: string | null;
    };
    /** @description Result of screening the person against the watch lists. */
    AmlResult: {
      status: components['schemas']['Verdict'];
      risks: components['schemas']['Risk'][];
      match: boolean;
      /** @description Score of the best hit that counts, 0–100. */
      score: number;
      hits: components['schemas']['AmlHit'][];
      thresholds: {
        review: number;
        /** @description Score from which the session is declined; null if no score declines it. */
        decline: number | null;
      };
      listsSearched: {
        list: string;
        version: string;
        ageHours: number;
        stale: boolean;
      }[];
    };
    LivenessCheck: {
      id: string;
      /** @enum {string} */
      kind:
        | 'id_verification'
        | 'liveness'
        | 'face_match'
        | 'age'
        | 'face_search'
        | 'database_validation'
        | 'proof_of_address'
        | 'aml_screening';
      /**
       * @description Feature whose step the check fulfils; null for a kind that is always standalone.
       * @enum {string|null}
       */
      feature: 'id' | 'liveness' | 'face_match' | 'poa' | 'age' | 'aml' | 'database' | null;
      /** @enum {string} */
      mode: 'live' | 'test';
      sessionId: string | null;
      /**
       * @description `failed`: the check could not be run and has no result.
       * @enum {string}
       */
      status: 'processing' | 'completed' | 'failed';
      /** @description Verdict; null until the check is completed, and if it failed. */
      outcome: components['schemas']['Verdict'] | null;
      /** @description True for a comparison submitted after the session was decided by its own comparison: it has a result, but does not affect the session. */
      supplementary: boolean;
      risks: components['schemas']['Risk'][];
      result: components['schemas']['LivenessResult'] | null;
      error: {
        code: string;
        message: string;
      } | null;
      evidence: {
        id: string;
        field: string;
      }[];
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      completedAt: string | null;
    };
    LivenessChallenge: {
      challengeId: string;
      sessionId: string | null;
      /** @description Actions that the person must perform, in this order. Left and right are the person's own. */
      actions: ('turn_left' | 'turn_right' | 'blink' | 'come_closer')[];
      frames: {
        least: number;
        most: number;
      };
      /** Format: date-time */
      expiresAt: string;
    };
    AgeCheck: {
      id: string;
      /** @enum {string} */
      kind:
        | 'id_verification'
        | 'liveness'
        | 'face_match'
        | 'age'
        | 'face_search'
        | 'database_validation'
        | 'proof_of_address'
        | 'aml_screening';
      /**
       * @description Feature whose step the check fulfils; null for a kind that is always standalone.
       * @enum {string|null}
       */
      feature: 'id' | 'liveness' | 'face_match' | 'poa' | 'age' | 'aml' | 'database' | null;
      /** @enum {string} */
      mode: 'live' | 'test';
      sessionId: string | null;
      /**
       * @description `failed`: the check could not be run and has no result.
       * @enum {string}
       */
      status: 'processing' | 'completed' | 'failed';
      /** @description Verdict; null until the check is completed, and if it failed. */
      outcome: components['schemas']['Verdict'] | null;
      /** @description True for a comparison submitted after the session was decided by its own comparison: it has a result, but does not affect the session. */
      supplementary: boolean;
      risks: components['schemas']['Risk'][];
      result: components['schemas']['AgeResult'] | null;
      error: {
        code: string;
        message: string;
      } | null;
      evidence: {
        id: string;
        field: string;
      }[];
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      completedAt: string | null;
    };
    FaceSearchCheck: {
      id: string;
      /** @enum {string} */
      kind:
        | 'id_verification'
        | 'liveness'
        | 'face_match'
        | 'age'
        | 'face_search'
        | 'database_validation'
        | 'proof_of_address'
        | 'aml_screening';
      /**
       * @description Feature whose step the check fulfils; null for a kind that is always standalone.
       * @enum {string|null}
       */
      feature: 'id' | 'liveness' | 'face_match' | 'poa' | 'age' | 'aml' | 'database' | null;
      /** @enum {string} */
      mode: 'live' | 'test';
      sessionId: string | null;
      /**
       * @description `failed`: the check could not be run and has no result.
       * @enum {string}
       */
      status: 'processing' | 'completed' | 'failed';
      /** @description Verdict; null until the check is completed, and if it failed. */
      outcome: components['schemas']['Verdict'] | null;
      /** @description True for a comparison submitted after the session was decided by its own comparison: it has a result, but does not affect the session. */
      supplementary: boolean;
      risks: components['schemas']['Risk'][];
      result: components['schemas']['FaceSearchResult'] | null;
      error: {
        code: string;
        message: string;
      } | null;
      evidence: {
        id: string;
        field: string;
      }[];
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      completedAt: string | null;
    };
    IndexedFace: {
      id: string;
      /** @enum {string} */
      mode: 'live' | 'test';
      /**
       * @description `indexed`: searchable. `rejected`: the image shows no face suitable for searches; `risks` has the reasons. `failed`: the image could not be examined. `held`: the selfie of a session that is not approved.
       * @enum {string}
       */
      status: 'processing' | 'indexed' | 'rejected' | 'failed' | 'held';
      /** @enum {string} */
      list: 'users' | 'blocklist';
      name: string | null;
      externalId: string | null;
      metadata: {
        [key: string]: unknown;
      } | null;
      /** @description Session of the selfie; null for a face that was indexed on its own. */
      sessionId: string | null;
      quality: components['schemas']['FaceQuality'] | null;
      risks: components['schemas']['Risk'][];
      error: {
        code: string;
        message: string;
      } | null;
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      indexedAt: string | null;
      /**
       * Format: date-time
       * @description Time at which the face is erased automatically; null if it is kept until it is deleted, or as long as its session. A face that is not searchable is not kept longer than a standalone check.
       */
      retainUntil: string | null;
    };
    /** @description The receipt of an erasure: ids, counts and hashes. */
    Erasure: {
      id: string;
      /**
       * @description Kind of the erased record.
       * @enum {string}
       */
      kind: 'session' | 'check' | 'screening' | 'register' | 'kyb' | 'face';
      recordId: string;
      /** @enum {string} */
      mode: 'live' | 'test';
      /**
       * @description Status of the erasure. `erasing`: the record is no longer accessible and its data key is destroyed; the remaining data is being removed.
       * @enum {string}
       */
      status: 'erasing' | 'completed';
      /** @enum {string} */
      reason: 'request' | 'retention';
      /** @description Id of the API key or user; `system` at the end of the retention period. */
      by: string;
      /** @description Current name of the user or API key; null for `system` and for one that was deleted. */
      byName: string | null;
      /** Format: date-time */
      requestedAt: string;
      /** Format: date-time */
      completedAt: string | null;
      dataKeysDestroyed: number;
      /** @description All erased files. */
      evidence: {
        id: string;
        /** @description SHA-256 of the file as uploaded, hex. */
        sha256: string;
      }[];
      /** @description Number of removed objects; null until they are removed. */
      objectsRemoved: number | null;
      /** @description Number of rows by collection. */
      collections: {
        name: string;
        removed: number;
        anonymised: number;
      }[];
    };
    DatabaseCheck: {
      id: string;
      /** @enum {string} */
      kind:
        | 'id_verification'
        | 'liveness'
        | 'face_match'
        | 'age'
        | 'face_search'
        | 'database_validation'
        | 'proof_of_address'
        | 'aml_screening';
      /**
       * @description Feature whose step the check fulfils; null for a kind that is always standalone.
       * @enum {string|null}
       */
      feature: 'id' | 'liveness' | 'face_match' | 'poa' | 'age' | 'aml' | 'database' | null;
      /** @enum {string} */
      mode: 'live' | 'test';
      sessionId: string | null;
      /**
       * @description `failed`: the check could not be run and has no result.
       * @enum {string}
       */
      status: 'processing' | 'completed' | 'failed';
      /** @description Verdict; null until the check is completed, and if it failed. */
      outcome: components['schemas']['Verdict'] | null;
      /** @description True for a comparison submitted after the session was decided by its own comparison: it has a result, but does not affect the session. */
      supplementary: boolean;
      risks: components['schemas']['Risk'][];
      result: components['schemas']['DatabaseResult'] | null;
      error: {
        code: string;
        message: string;
      } | null;
      evidence: {
        id: string;
        field: string;
      }[];
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      completedAt: string | null;
    };
    BlockedDocument: {
      id: string;
      /** @enum {string} */
      mode: 'live' | 'test';
      /** @description Document number with all but its last characters masked. The number itself is stored only as a keyed hash. */
      hint: string;
      issuingState: string;
      reason: string | null;
      /** Format: date-time */
      createdAt: string;
    };
    KybCheck: {
      id: string;
      /** @enum {string} */
      mode: 'live' | 'test';
      /**
       * @description Status of the check. `found`: one company matches without contradiction. `review`: several companies match, or a risk requires a review. `not_found`: every queried register has responded, and none contains the company. `failed`: no register could be queried.
       * @enum {string}
       */
      status: 'processing' | 'found' | 'not_found' | 'review' | 'failed';
      query: {
        companyName: string;
        country: string | null;
        registrationNumber: string | null;
        vatNumber: string | null;
        lei: string | null;
      };
      /** @description Register of the company; the other registers complete its data. */
      provider: ('register' | 'companies_house' | 'gleif' | 'vies' | 'sandbox') | null;
      dataAt: string | null;
      company: components['schemas']['Company'] | null;
      officers: components['schemas']['Officer'][];
      owners: components['schemas']['Owner'][];
      parents: {
        direct: components['schemas']['ParentCompany'] | null;
        ultimate: components['schemas']['ParentCompany'] | null;
      };
      /** @description Watch-list screening of the company; null if no company was found. */
      aml: components['schemas']['KybScreening'] | null;
      /** @description Matching companies, best first. */
      matches: components['schemas']['CompanyMatch'][];
      /** @description All queried registers. */
      sources: components['schemas']['KybSource'][];
      risks: components['schemas']['Risk'][];
      error: {
        code: string;
        message: string;
      } | null;
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      completedAt: string | null;
    };
    Company: {
      /** @description Legal name; null if the register confirms a number without disclosing the name. */
      legalName: string | null;
      otherNames: string[];
      country: string | null;
      registrationNumber: string | null;
      vatNumber: string | null;
      lei: string | null;
      /** @description Status of the LEI registration, such as ISSUED or LAPSED. */
      leiStatus: string | null;
      /** @enum {string} */
      status: 'active' | 'dissolved' | 'liquidation' | 'administration' | 'insolvency' | 'inactive' | 'unknown';
      legalForm: {
        /** @description ISO 20275 (ELF) code, if the register states one. */
        code: string | null;
        name: string | null;
      } | null;
      incorporationDate: string | null;
      dissolutionDate: string | null;
      registeredAddress: components['schemas']['CompanyAddress'] | null;
      headquarters: components['schemas']['CompanyAddress'] | null;
    };
    CompanyAddress: {
      lines: string[];
      city: string | null;
      region: string | null;
      postalCode: string | null;
      country: string | null;
    };
    Officer: {
      name: string;
      /** @enum {string} */
      kind: 'person' | 'company' | 'unknown';
      role: string | null;
      appointedOn: string | null;
      resignedOn: string | null;
      nationality: string | null;
      country: string | null;
      dateOfBirth: components['schemas']['PartialDate'] | null;
    };
    /** @description A date as registers publish it, often without the day. */
    PartialDate: {
      year: number;
      month: number | null;
      day: number | null;
    };
    Owner: {
      name: string;
      /** @enum {string} */
      kind: 'person' | 'company' | 'unknown';
      /** @description Share of ownership in percent; a range if the register publishes ranges. */
      sharesPercent: {
        from: number;
        to: number;
      } | null;
      /** @description Kinds of control, in the register's terms. */
      control: string[];
      registrationNumber: string | null;
      country: string | null;
      nationality: string | null;
      dateOfBirth: components['schemas']['PartialDate'] | null;
      notifiedOn: string | null;
      ceasedOn: string | null;
    };
    ParentCompany: {
      lei: string | null;
      legalName: string | null;
      country: string | null;
      /** @description Reported reasons for the absence of a parent, such as NATURAL_PERSONS. */
      exceptions: string[];
    };
    /** @description Result of screening the company and its people against the watch lists. */
    KybScreening: {
      /**
       * @description Status of the screening. `unavailable`: the watch lists could not be searched, which does not mean that there is no match.
       * @enum {string}
       */
      status: 'completed' | 'unavailable';
      /** @description Error code if the watch lists could not be searched. */
      reason: string | null;
      /** @description Whether any party has a hit that counts. */
      match: boolean | null;
      parties: components['schemas']['ScreenedParty'][];
      listsSearched: {
        list: string;
        version: string;
        ageHours: number;
        stale: boolean;
      }[];
      /** Format: date-time */
      at: string;
    };
    ScreenedParty: {
      roles: ('company' | 'officer' | 'owner' | 'parent')[];
      name: string;
      /** @enum {string} */
      kind: 'person' | 'company' | 'unknown';
      match: boolean;
      /** @description Score of the best hit that counts, 0–100. */
      score: number;
      hits: components['schemas']['PartyHit'][];
      /** @description Monitor that screens the party again; null if it is not monitored. */
      monitorId: string | null;
    };
    /** @description An entry of a watch list that may be the party. */
    PartyHit: {
      /** @description Id by which the hit is reviewed; null in checks of version 0.1.0, whose hits cannot be reviewed individually. */
      id: string | null;
      list: string;
      listVersion: string;
      entryId: string;
      /** @description SHA-256 of the facts that the list states about the entry, hex. A review holds until it changes. */
      entryHash: string;
      /** @enum {string} */
      entityType: 'person' | 'company' | 'vessel' | 'aircraft' | 'unknown';
      caption: string;
      matchedName: string;
      score: number;
      explanation: components['schemas']['AmlExplanation'][];
      aliases: string[];
      /** @description Dates of birth as YYYY, YYYY-MM or YYYY-MM-DD, prefixed with `~` if approximate. */
      datesOfBirth: string[];
      countries: string[];
      genders: string[];
      programs: string[];
      identifiers: {
        type: string;
        value: string;
        country: string | null;
      }[];
      positions: string[];
      addresses: string[];
      remarks: string | null;
      sourceUrl: string | null;
      /** Format: date-time */
      firstSeen: string;
      /** Format: date-time */
      lastChanged: string;
      /** @enum {string} */
      reviewStatus: 'unreviewed' | 'false_positive' | 'confirmed' | 'inconclusive';
      review: components['schemas']['AmlReview'] | null;
    };
    CompanyMatch: {
      /**
       * @description Source of the data. `register`: the register that the organisation imported; `sandbox`: the register of test keys.
       * @enum {string}
       */
      provider: 'register' | 'companies_house' | 'gleif' | 'vies' | 'sandbox';
      /** @description Score of the match, 0–100. */
      score: number;
      /** @description Whether a requested number belongs to this company. */
      confirmed: boolean;
      contradicted: ('lei' | 'registrationNumber' | 'vatNumber')[];
      company: components['schemas']['Company'];
    };
    KybSource: {
      /**
       * @description Source of the data. `register`: the register that the organisation imported; `sandbox`: the register of test keys.
       * @enum {string}
       */
      provider: 'register' | 'companies_house' | 'gleif' | 'vies' | 'sandbox';
      /** @enum {string} */
      status: 'pending' | 'answered' | 'unavailable';
      /** @enum {string|null} */
      outcome: 'matched' | 'several' | 'none' | null;
      /** @description Error code if the register was unavailable. */
      reason: string | null;
      /** Format: date-time */
      at: string | null;
      /** @description Imported copy that was queried; null if the register itself was queried. */
      copy: components['schemas']['RegisterCopy'] | null;
      /** @description Time of the register’s last update of the company, if stated. */
      dataAt: string | null;
    };
    RegisterCopy: {
      version: string;
      /** Format: date-time */
      publishedAt: string;
      /** @description Age of the copy in hours when it was queried. */
      ageHours: number;
    };
    AmlScreening: {
      id: string;
      /** @enum {string} */
      mode: 'live' | 'test';
      /** @enum {string} */
      status: 'processing' | 'completed' | 'failed';
      /** @enum {string} */
      origin: 'client' | 'monitor';
      monitorId: string | null;
      threshold: number;
      lists: string[] | null;
      listsSearched: components['schemas']['AmlSearchedList'][];
      /** @description Requested lists that are not loaded. */
      listsNotLoaded: string[];
      risks: (
        | 'document_expired'
        | 'document_not_recognised'
        | 'document_not_accepted'
        | 'portrait_not_found'
        | 'mrz_not_found'
        | 'mrz_check_failed'
        | 'print_unverified'
        | 'mrz_visual_mismatch'
        | 'barcode_not_found'
        | 'barcode_check_failed'
        | 'barcode_visual_mismatch'
        | 'name_not_found'
        | 'date_of_birth_not_found'
        | 'document_number_not_found'
        | 'expiry_not_found'
        | 'invalid_date'
        | 'issue_after_expiry'
        | 'wrong_side'
        | 'two_documents'
        | 'image_blurred'
        | 'image_glare'
        | 'image_dark'
        | 'image_too_small'
        | 'document_cut_off'
        | 'screen_capture_suspected'
        | 'printed_copy_suspected'
        | 'duplicate_document'
        | 'document_in_blocklist'
        | 'expected_name_mismatch'
        | 'expected_date_of_birth_mismatch'
        | 'expected_country_mismatch'
        | 'expected_document_number_mismatch'
        | 'minimum_age_not_met'
        | 'poa_too_old'
        | 'poa_date_in_future'
        | 'poa_issuer_not_found'
        | 'poa_name_not_found'
        | 'poa_script_not_supported'
        | 'poa_name_mismatch'
        | 'poa_address_mismatch'
        | 'poa_address_not_found'
        | 'poa_poor_quality'
        | 'liveness_low'
        | 'attack_suspected'
        | 'no_face'
        | 'multiple_faces'
        | 'face_too_small'
        | 'face_low_quality'
        | 'same_capture'
        | 'face_in_blocklist'
        | 'duplicate_face'
        | 'face_mismatch'
        | 'no_face_in_user_image'
        | 'no_face_in_ref_image'
        | 'aml_match'
        | 'aml_possible_match'
        | 'aml_list_stale'
        | 'database_no_match'
        | 'database_partial_match'
        | 'database_not_available'
        | 'kyb_not_active'
        | 'kyb_lei_lapsed'
        | 'kyb_name_mismatch'
        | 'kyb_country_mismatch'
        | 'kyb_identifier_mismatch'
        | 'kyb_registry_unavailable'
        | 'attempts_exhausted'
        | 'processing_failed'
      )[];
      error: {
        code: string;
        message: string;
      } | null;
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      completedAt: string | null;
    };
    AmlSearchedList: {
      list: string;
      title: string;
      version: string;
      /** Format: date-time */
      importedAt: string;
      /** @description Hours since the date that the publisher states in the list, or, without one, since it was last confirmed to be the newest. */
      ageHours: number;
      stale: boolean;
    };
    AmlScreeningSummary: {
      id: string;
      /** @enum {string} */
      mode: 'live' | 'test';
      /** @enum {string} */
      status: 'processing' | 'completed' | 'failed';
      /** @enum {string} */
      origin: 'client' | 'monitor';
      monitorId: string | null;
      threshold: number;
      lists: string[] | null;
      listsSearched: components['schemas']['AmlSearchedList'][];
      /** @description Requested lists that are not loaded. */
      listsNotLoaded: string[];
      risks: (
        | 'document_expired'
        | 'document_not_recognised'
        | 'document_not_accepted'
        | 'portrait_not_found'
        | 'mrz_not_found'
        | 'mrz_check_failed'
        | 'print_unverified'
        | 'mrz_visual_mismatch'
        | 'barcode_not_found'
        | 'barcode_check_failed'
        | 'barcode_visual_mismatch'
        | 'name_not_found'
        | 'date_of_birth_not_found'
        | 'document_number_not_found'
        | 'expiry_not_found'
        | 'invalid_date'
        | 'issue_after_expiry'
        | 'wrong_side'
        | 'two_documents'
        | 'image_blurred'
        | 'image_glare'
        | 'image_dark'
        | 'image_too_small'
        | 'document_cut_off'
        | 'screen_capture_suspected'
        | 'printed_copy_suspected'
        | 'duplicate_document'
        | 'document_in_blocklist'
        | 'expected_name_mismatch'
        | 'expected_date_of_birth_mismatch'
        | 'expected_country_mismatch'
        | 'expected_document_number_mismatch'
        | 'minimum_age_not_met'
        | 'poa_too_old'
        | 'poa_date_in_future'
        | 'poa_issuer_not_found'
        | 'poa_name_not_found'
        | 'poa_script_not_supported'
        | 'poa_name_mismatch'
        | 'poa_address_mismatch'
        | 'poa_address_not_found'
        | 'poa_poor_quality'
        | 'liveness_low'
        | 'attack_suspected'
        | 'no_face'
        | 'multiple_faces'
        | 'face_too_small'
        | 'face_low_quality'
        | 'same_capture'
        | 'face_in_blocklist'
        | 'duplicate_face'
        | 'face_mismatch'
        | 'no_face_in_user_image'
        | 'no_face_in_ref_image'
        | 'aml_match'
        | 'aml_possible_match'
        | 'aml_list_stale'
        | 'database_no_match'
        | 'database_partial_match'
        | 'database_not_available'
        | 'kyb_not_active'
        | 'kyb_lei_lapsed'
        | 'kyb_name_mismatch'
        | 'kyb_country_mismatch'
        | 'kyb_identifier_mismatch'
        | 'kyb_registry_unavailable'
        | 'attempts_exhausted'
        | 'processing_failed'
      )[];
      error: {
        code: string;
        message: string;
      } | null;
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      completedAt: string | null;
      /** @description Null until the screening is completed. */
      match: boolean | null;
      score: number | null;
      /** @description Number of hits, reviewed ones among them. */
      hitCount: number | null;
    };
    AmlList: {
      code: string;
      title: string;
      /** @description Whether it is the organisation's own list, which no other organisation sees. */
      own: boolean;
      /** @description Whether screenings search the list. */
      loaded: boolean;
      stale: boolean;
      /** @description Hours since the date that the publisher states in the list, or, without one, since it was last confirmed to be the newest. */
      ageHours: number | null;
      /** Format: date-time */
      checkedAt: string | null;
      sourceUrl: string | null;
      /** @description Error code of the last fetch; null if it succeeded. */
      error: string | null;
      version: components['schemas']['AmlListVersion'] | null;
      /** @description Version that waits for the confirmation of an operator, because the list shrank by half. */
      heldVersion: components['schemas']['AmlListVersion'] | null;
    };
    AmlListVersion: {
      id: string;
      /** @enum {string} */
      status: 'current' | 'held' | 'superseded' | 'rejected';
      format: string;
      sha256: string;
      /** Format: date-time */
      importedAt: string;
      /**
       * Format: date-time
       * @description Date of the list that its publisher states in it; null if the format has none.
       */
      publishedAt: string | null;
      counts: {
        entries: number;
        aliases: number;
        addresses: number;
        /** @description Entries that were published with their aliases only; they are searched like all others. */
        incomplete: number;
        skipped: number;
      };
      differences: {
        added: number;
        changed: number;
        removed: number;
      };
    };
    AmlMonitor: {
      id: string;
      /** @description Screening that started the monitor; deleting it ends the monitor. Null for a party of a business check. */
      screeningId: string | null;
      /** @description Business check whose party is monitored; deleting it ends the monitor. Null for other subjects. */
      kybId: string | null;
      threshold: number;
      lists: string[] | null;
      /** @description Last screening; null until a party of a business check is screened again. */
      lastScreeningId: string | null;
      /** Format: date-time */
      lastScreenedAt: string;
      alerts: number;
      /** Format: date-time */
      createdAt: string;
    };
    /** @description A version of one of the organisation's own registers. */
    Register: {
      id: string;
      /** @enum {string} */
      kind: 'persons' | 'companies';
      /** @enum {string} */
      mode: 'live' | 'test';
      /**
       * @description Status of the version. `active`: lookups read this version. `superseded`: an older version, whose rows were removed.
       * @enum {string}
       */
      status: 'importing' | 'active' | 'superseded' | 'failed';
      /** @description SHA-256 of the file as uploaded, hex. */
      sha256: string;
      bytes: number;
      rows: {
        total: number;
        imported: number;
        rejected: number;
      };
      /** @description The first 100 problems of rejected rows; the header is line 1. */
      problems: {
        line: number;
        field: string;
        problem: string;
      }[];
      error: {
        code: string;
        message: string;
      } | null;
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      completedAt: string | null;
    };
    Share: {
      id: string;
      /** @enum {string} */
      status: 'open' | 'used' | 'revoked' | 'expired';
      audience: string;
      include: ('images' | 'contact')[];
      /** @description Consent text that the person agreed to. */
      consentText: string;
      /** @description Whether the share has a bundle for another installation. */
      bundle: boolean;
      /** @description Id of the user or API key. */
      createdBy: string;
      /** @description Current name of the user or API key; null for one that was deleted. */
      createdByName: string | null;
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      expiresAt: string;
      /**
       * Format: date-time
       * @description Time at which it was imported within this installation.
       */
      usedAt: string | null;
      /** Format: date-time */
      revokedAt: string | null;
    };
    AuditEntry: {
      id: string;
      /** @description Id of the user or API key; `system` for the service itself. */
      actor: string;
      /** @description Current name of the user or API key; null for `system` and for one that was deleted. */
      actorName: string | null;
      /** @description Action as `resource.action`, such as `session.decided`. */
      action: string;
      /** @description Id of the record on which the action was performed. */
      subject: string;
      /** @description Names of the written fields, never their values. */
      fields: string[];
      reason: string | null;
      requestId: string | null;
      /** @description Position in the chain; null until the entry is sealed. */
      position: number | null;
      hash: string | null;
      /** Format: date-time */
      at: string;
    };
    CaptureState: {
      sessionId: string;
      status: components['schemas']['SessionStatus'];
      /** @enum {string} */
      mode: 'live' | 'test';
      /** @description Whether the person can capture anything now. */
      open: boolean;
      /** @description Whether the session has ended. */
      decided: boolean;
      /** @description Language requested for the session. */
      language: string | null;
      organisation: {
        name: string;
        /** @description Path of the logo on this host, which the cookie of the page can read; null without a logo. */
        logo: string | null;
        primaryColor: string | null;
      };
      consent: {
        version: string;
        language: string;
        /** Format: date-time */
        at: string;
      } | null;
      /** @description Documents that the session accepts, with their issuing states. */
      documents: {
        /** @enum {string} */
        type: 'passport' | 'identity_card' | 'driving_licence' | 'residence_permit' | 'visa';
        countries: string[];
        /** @description Whether its back has to be photographed as well. */
        back: boolean;
      }[];
      documentChoice: {
        /** @enum {string} */
        type: 'passport' | 'identity_card' | 'driving_licence' | 'residence_permit' | 'visa';
        /** @description ISO 3166-1 alpha-2 code. */
        country: string;
      } | null;
      /** @description Whether the front of the document was kept and its back is to be photographed. */
      frontKept: boolean;
      acceptPdfDocuments: boolean;
      steps: {
        /** @enum {string} */
        feature: 'id' | 'liveness' | 'face_match' | 'poa' | 'age' | 'aml' | 'database';
        /** @enum {string} */
        task: 'document' | 'liveness' | 'selfie' | 'address';
        /** @enum {string} */
        status: 'not_run' | 'processing' | 'passed' | 'review' | 'retry' | 'exhausted' | 'declined';
        attemptsLeft: number;
        /** @description Why the last capture must be repeated; only what a better capture may cure. */
        problems: components['schemas']['RiskCode'][];
      }[];
      /** @description Whether another device continues the capture. */
      handedOver: boolean;
      /** @description How often another device has opened a link that this browser created (`handOverCapture`). */
      handOvers: number;
      /** @description Address to which the person returns, with `session_id` and `status` in its query. */
      returnUrl: string | null;
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  listSessions: {
    parameters: {
      query?: {
        limit?: number;
        cursor?: string;
        /** @description One or more of not_started, in_progress, in_review, approved, declined, resubmission_requested, expired, abandoned, cancelled, approval_expired, separated by commas; the parameter can also be repeated. */
        status?: string;
        externalId?: string;
        workflowId?: string;
        /** @description ISO 3166-1 alpha-2 or alpha-3 code. */
        country?: string;
        /** @description Prefixes of words of the externalId, of the number or of the id; all must match. */
        search?: string;
        /** @description Created at or after this date or time, which must not be after `to`. */
        from?: string;
        /** @description Created before this time, or on or before this date. */
        to?: string;
        /** @description Order by the time of creation: `desc` is newest first. */
        sortDir?: 'asc' | 'desc';
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Sessions by the time of creation; `total` counts all that match the filters. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "sessions": [
           *         {
           *           "id": "ses_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *           "number": 17,
           *           "mode": "live",
           *           "status": "in_review",
           *           "features": [
           *             "id",
           *             "liveness",
           *             "face_match"
           *           ],
           *           "workflowId": "wfl_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *           "workflowVersion": 2,
           *           "country": "FRA",
           *           "url": null,
           *           "externalId": "customer-4711",
           *           "metadata": {
           *             "branch": "Lyon"
           *           },
           *           "decision": {
           *             "outcome": "in_review",
           *             "reasons": [
           *               "mrz_check_failed"
           *             ],
           *             "decidedBy": "rules",
           *             "rule": null,
           *             "at": "2026-11-21T10:00:05.000Z"
           *           },
           *           "createdAt": "2026-11-21T09:58:00.000Z",
           *           "expiresAt": "2026-11-28T09:58:00.000Z",
           *           "startedAt": "2026-11-21T09:59:00.000Z",
           *           "lastActivityAt": "2026-11-21T10:00:05.000Z",
           *           "reviewSince": "2026-11-21T10:00:05.000Z",
           *           "finishedAt": null,
           *           "approvalExpiresAt": null,
           *           "retainUntil": null
           *         }
           *       ],
           *       "total": 1,
           *       "nextCursor": null
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            sessions: components['schemas']['SessionSummary'][];
            total: number;
            nextCursor: string | null;
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  createSession: {
    parameters: {
      query?: never;
      header?: {
        /** @description Unique key of the request, chosen by the client. A retry with the same key within 24 hours returns the first response. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "features": [
         *         "id",
         *         "liveness",
         *         "face_match"
         *       ],
         *       "externalId": "customer-4711"
         *     }
         */
        'application/json': {
          /** @description Session workflow that the session starts with. Default: the default workflow, if there is one. */
          workflowId?: string;
          /** @description Features to verify instead of those of the workflow. Default without a workflow: id, liveness, face_match. */
          features?: ('id' | 'liveness' | 'face_match' | 'poa' | 'age' | 'aml' | 'database')[];
          /** @description The client's own id of the person or case. */
          externalId?: string;
          metadata?: {
            [key: string]: unknown;
          };
          /**
           * Format: uri
           * @description URL to which the person's browser is redirected afterwards, of a page or an app; the server never calls it.
           */
          callbackUrl?: string;
          /**
           * @description Language of the person: a BCP 47 tag with a script or region where they matter, stored in canonical form (`zh-hant-tw` as `zh-Hant-TW`). The capture page is shown in it, else in the language that the browser prefers.
           * @example pt-BR
           */
          language?: string;
          /** @description Details of the person that are already known; a document that differs goes to review. */
          expected?: {
            firstName?: string;
            lastName?: string;
            /**
             * Format: date
             * @description Date of birth, not in the future.
             */
            dateOfBirth?: string;
            /** @description ISO 3166-1 alpha-2 or alpha-3 code. */
            nationality?: string;
            /** @description ISO 3166-1 alpha-2 or alpha-3 code. */
            country?: string;
            documentNumber?: string;
            address?: string;
          };
          contact?: {
            /** Format: email */
            email?: string;
            phone?: string;
          };
        };
      };
    };
    responses: {
      /** @description The session, waiting for its first check. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "session": {
           *         "id": "ses_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *         "number": 17,
           *         "mode": "live",
           *         "status": "not_started",
           *         "features": [
           *           "id",
           *           "liveness",
           *           "face_match"
           *         ],
           *         "workflowId": "wfl_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *         "workflowVersion": 2,
           *         "country": "FRA",
           *         "url": "https://verify.example.com/verify#8t1Gk3…",
           *         "externalId": "customer-4711",
           *         "metadata": {
           *           "branch": "Lyon"
           *         },
           *         "decision": null,
           *         "createdAt": "2026-11-21T09:58:00.000Z",
           *         "expiresAt": "2026-11-28T09:58:00.000Z",
           *         "startedAt": null,
           *         "lastActivityAt": "2026-11-21T10:00:05.000Z",
           *         "reviewSince": null,
           *         "finishedAt": null,
           *         "approvalExpiresAt": null,
           *         "retainUntil": null,
           *         "callbackUrl": "https://shop.example/verified",
           *         "language": "fr",
           *         "expected": {
           *           "lastName": "Moreau"
           *         },
           *         "contact": null,
           *         "steps": [
           *           {
           *             "feature": "id",
           *             "status": "review",
           *             "attempts": 1,
           *             "attemptsLeft": 2,
           *             "checkIds": [
           *               "chk_01JQZ4R8W3M6N9P2T5V8X1Y4Z7"
           *             ]
           *           },
           *           {
           *             "feature": "liveness",
           *             "status": "passed",
           *             "attempts": 1,
           *             "attemptsLeft": 2,
           *             "checkIds": [
           *               "chk_01JQZ4R8W3M6N9P2T5V8X1Y4ZA"
           *             ]
           *           },
           *           {
           *             "feature": "face_match",
           *             "status": "passed",
           *             "attempts": 1,
           *             "attemptsLeft": 2,
           *             "checkIds": [
           *               "chk_01JQZ4R8W3M6N9P2T5V8X1Y4ZB"
           *             ]
           *           }
           *         ],
           *         "reviews": [],
           *         "notes": [],
           *         "imported": null,
           *         "consent": null,
           *         "results": {
           *           "document": null,
           *           "liveness": null,
           *           "faceMatch": null,
           *           "age": null,
           *           "database": null,
           *           "poa": null,
           *           "aml": null
           *         },
           *         "risks": [
           *           {
           *             "code": "mrz_check_failed",
           *             "severity": "high",
           *             "action": "review",
           *             "feature": "id",
           *             "message": "A check digit of the machine-readable zone does not verify."
           *           }
           *         ],
           *         "evidence": []
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            session: components['schemas']['Session'];
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body did not arrive in time or arrived too slowly; the connection is closed. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A request with the same Idempotency-Key is still running. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is larger than 1 MB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The Idempotency-Key was used with a different body. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  listPendingSessions: {
    parameters: {
      query?: {
        limit?: number;
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Sessions in review. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "sessions": [
           *         {
           *           "id": "ses_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *           "number": 17,
           *           "mode": "live",
           *           "status": "in_review",
           *           "features": [
           *             "id",
           *             "liveness",
           *             "face_match"
           *           ],
           *           "workflowId": "wfl_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *           "workflowVersion": 2,
           *           "country": "FRA",
           *           "url": null,
           *           "externalId": "customer-4711",
           *           "metadata": {
           *             "branch": "Lyon"
           *           },
           *           "decision": {
           *             "outcome": "in_review",
           *             "reasons": [
           *               "mrz_check_failed"
           *             ],
           *             "decidedBy": "rules",
           *             "rule": null,
           *             "at": "2026-11-21T10:00:05.000Z"
           *           },
           *           "createdAt": "2026-11-21T09:58:00.000Z",
           *           "expiresAt": "2026-11-28T09:58:00.000Z",
           *           "startedAt": "2026-11-21T09:59:00.000Z",
           *           "lastActivityAt": "2026-11-21T10:00:05.000Z",
           *           "reviewSince": "2026-11-21T10:00:05.000Z",
           *           "finishedAt": null,
           *           "approvalExpiresAt": null,
           *           "retainUntil": null,
           *           "risks": [
           *             {
           *               "code": "mrz_check_failed",
           *               "severity": "high",
           *               "action": "review",
           *               "feature": "id",
           *               "message": "A check digit of the machine-readable zone does not verify."
           *             }
           *           ]
           *         }
           *       ],
           *       "total": 1,
           *       "nextCursor": null
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            sessions: components['schemas']['PendingSession'][];
            total: number;
            nextCursor: string | null;
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  getSession: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The session. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "session": {
           *         "id": "ses_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *         "number": 17,
           *         "mode": "live",
           *         "status": "in_review",
           *         "features": [
           *           "id",
           *           "liveness",
           *           "face_match"
           *         ],
           *         "workflowId": "wfl_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *         "workflowVersion": 2,
           *         "country": "FRA",
           *         "url": null,
           *         "externalId": "customer-4711",
           *         "metadata": {
           *           "branch": "Lyon"
           *         },
           *         "decision": {
           *           "outcome": "in_review",
           *           "reasons": [
           *             "mrz_check_failed"
           *           ],
           *           "decidedBy": "rules",
           *           "rule": null,
           *           "at": "2026-11-21T10:00:05.000Z"
           *         },
           *         "createdAt": "2026-11-21T09:58:00.000Z",
           *         "expiresAt": "2026-11-28T09:58:00.000Z",
           *         "startedAt": "2026-11-21T09:59:00.000Z",
           *         "lastActivityAt": "2026-11-21T10:00:05.000Z",
           *         "reviewSince": "2026-11-21T10:00:05.000Z",
           *         "finishedAt": null,
           *         "approvalExpiresAt": null,
           *         "retainUntil": null,
           *         "callbackUrl": "https://shop.example/verified",
           *         "language": "fr",
           *         "expected": {
           *           "lastName": "Moreau"
           *         },
           *         "contact": null,
           *         "steps": [
           *           {
           *             "feature": "id",
           *             "status": "review",
           *             "attempts": 1,
           *             "attemptsLeft": 2,
           *             "checkIds": [
           *               "chk_01JQZ4R8W3M6N9P2T5V8X1Y4Z7"
           *             ]
           *           },
           *           {
           *             "feature": "liveness",
           *             "status": "passed",
           *             "attempts": 1,
           *             "attemptsLeft": 2,
           *             "checkIds": [
           *               "chk_01JQZ4R8W3M6N9P2T5V8X1Y4ZA"
           *             ]
           *           },
           *           {
           *             "feature": "face_match",
           *             "status": "passed",
           *             "attempts": 1,
           *             "attemptsLeft": 2,
           *             "checkIds": [
           *               "chk_01JQZ4R8W3M6N9P2T5V8X1Y4ZB"
           *             ]
           *           }
           *         ],
           *         "reviews": [],
           *         "notes": [],
           *         "imported": null,
           *         "consent": null,
           *         "results": {
           *           "document": null,
           *           "liveness": null,
           *           "faceMatch": null,
           *           "age": null,
           *           "database": null,
           *           "poa": null,
           *           "aml": null
           *         },
           *         "risks": [
           *           {
           *             "code": "mrz_check_failed",
           *             "severity": "high",
           *             "action": "review",
           *             "feature": "id",
           *             "message": "A check digit of the machine-readable zone does not verify."
           *           }
           *         ],
           *         "evidence": []
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            session: components['schemas']['Session'];
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  deleteSession: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The receipt of the completed erasure. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "id": "ses_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *       "deleted": true,
           *       "erasure": {
           *         "id": "era_01JQZ5B1S3T5V7X9Z1B3D5F7H9",
           *         "kind": "session",
           *         "recordId": "ses_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *         "mode": "live",
           *         "status": "completed",
           *         "reason": "request",
           *         "by": "key_01JQZ4A7C9E1G3J5M7P9R1T3V5",
           *         "byName": "Checkout of the shop",
           *         "requestedAt": "2026-11-21T10:12:00.000Z",
           *         "completedAt": "2026-11-21T10:12:00.140Z",
           *         "dataKeysDestroyed": 1,
           *         "evidence": [
           *           {
           *             "id": "evd_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *             "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
           *           }
           *         ],
           *         "objectsRemoved": 1,
           *         "collections": [
           *           {
           *             "name": "idempotency",
           *             "removed": 1,
           *             "anonymised": 0
           *           },
           *           {
           *             "name": "webhook_events",
           *             "removed": 0,
           *             "anonymised": 4
           *           },
           *           {
           *             "name": "evidence",
           *             "removed": 1,
           *             "anonymised": 0
           *           },
           *           {
           *             "name": "checks",
           *             "removed": 1,
           *             "anonymised": 0
           *           },
           *           {
           *             "name": "sessions",
           *             "removed": 1,
           *             "anonymised": 0
           *           }
           *         ]
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            erasure: components['schemas']['Erasure'];
            /** @description Id of the record. */
            id: string;
            /**
             * @description The record can no longer be used.
             * @enum {boolean}
             */
            deleted: true;
          };
        };
      };
      /** @description The receipt of a started erasure: the record is inaccessible and unreadable; `Location` is the address of the receipt. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "id": "ses_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *       "deleted": true,
           *       "erasure": {
           *         "id": "era_01JQZ5B1S3T5V7X9Z1B3D5F7H9",
           *         "kind": "session",
           *         "recordId": "ses_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *         "mode": "live",
           *         "status": "erasing",
           *         "reason": "request",
           *         "by": "key_01JQZ4A7C9E1G3J5M7P9R1T3V5",
           *         "byName": "Checkout of the shop",
           *         "requestedAt": "2026-11-21T10:12:00.000Z",
           *         "completedAt": null,
           *         "dataKeysDestroyed": 1,
           *         "evidence": [
           *           {
           *             "id": "evd_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *             "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
           *           }
           *         ],
           *         "objectsRemoved": null,
           *         "collections": []
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            erasure: components['schemas']['Erasure'];
            /** @description Id of the record. */
            id: string;
            /**
             * @description The record can no longer be used.
             * @enum {boolean}
             */
            deleted: true;
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  updateSession: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "metadata": {
         *         "branch": "Paris",
         *         "ticket": null
         *       }
         *     }
         */
        'application/json': {
          metadata: {
            [key: string]: unknown;
          } | null;
        };
      };
    };
    responses: {
      /** @description The session with its metadata. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "session": {
           *         "id": "ses_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *         "number": 17,
           *         "mode": "live",
           *         "status": "in_review",
           *         "features": [
           *           "id",
           *           "liveness",
           *           "face_match"
           *         ],
           *         "workflowId": "wfl_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *         "workflowVersion": 2,
           *         "country": "FRA",
           *         "url": null,
           *         "externalId": "customer-4711",
           *         "metadata": {
           *           "branch": "Paris"
           *         },
           *         "decision": {
           *           "outcome": "in_review",
           *           "reasons": [
           *             "mrz_check_failed"
           *           ],
           *           "decidedBy": "rules",
           *           "rule": null,
           *           "at": "2026-11-21T10:00:05.000Z"
           *         },
           *         "createdAt": "2026-11-21T09:58:00.000Z",
           *         "expiresAt": "2026-11-28T09:58:00.000Z",
           *         "startedAt": "2026-11-21T09:59:00.000Z",
           *         "lastActivityAt": "2026-11-21T10:00:05.000Z",
           *         "reviewSince": "2026-11-21T10:00:05.000Z",
           *         "finishedAt": null,
           *         "approvalExpiresAt": null,
           *         "retainUntil": null,
           *         "callbackUrl": "https://shop.example/verified",
           *         "language": "fr",
           *         "expected": {
           *           "lastName": "Moreau"
           *         },
           *         "contact": null,
           *         "steps": [
           *           {
           *             "feature": "id",
           *             "status": "review",
           *             "attempts": 1,
           *             "attemptsLeft": 2,
           *             "checkIds": [
           *               "chk_01JQZ4R8W3M6N9P2T5V8X1Y4Z7"
           *             ]
           *           },
           *           {
           *             "feature": "liveness",
           *             "status": "passed",
           *             "attempts": 1,
           *             "attemptsLeft": 2,
           *             "checkIds": [
           *               "chk_01JQZ4R8W3M6N9P2T5V8X1Y4ZA"
           *             ]
           *           },
           *           {
           *             "feature": "face_match",
           *             "status": "passed",
           *             "attempts": 1,
           *             "attemptsLeft": 2,
           *             "checkIds": [
           *               "chk_01JQZ4R8W3M6N9P2T5V8X1Y4ZB"
           *             ]
           *           }
           *         ],
           *         "reviews": [],
           *         "notes": [],
           *         "imported": null,
           *         "consent": null,
           *         "results": {
           *           "document": null,
           *           "liveness": null,
           *           "faceMatch": null,
           *           "age": null,
           *           "database": null,
           *           "poa": null,
           *           "aml": null
           *         },
           *         "risks": [
           *           {
           *             "code": "mrz_check_failed",
           *             "severity": "high",
           *             "action": "review",
           *             "feature": "id",
           *             "message": "A check digit of the machine-readable zone does not verify."
           *           }
           *         ],
           *         "evidence": []
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            session: components['schemas']['Session'];
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body did not arrive in time or arrived too slowly; the connection is closed. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description `version_mismatch`: the session has changed since the version that If-Match names; nothing was changed. */
      412: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is larger than 1 MB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  cancelSession: {
    parameters: {
      query?: never;
      header?: {
        /** @description Unique key of the request, chosen by the client. A retry with the same key within 24 hours returns the first response. */
        'Idempotency-Key'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "reason": "The customer withdrew the order."
         *     }
         */
        'application/json': {
          /** @description Recorded in the audit log. */
          reason?: string;
        };
      };
    };
    responses: {
      /** @description The cancelled session. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "session": {
           *         "id": "ses_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *         "number": 17,
           *         "mode": "live",
           *         "status": "cancelled",
           *         "features": [
           *           "id",
           *           "liveness",
           *           "face_match"
           *         ],
           *         "workflowId": "wfl_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *         "workflowVersion": 2,
           *         "country": "FRA",
           *         "url": null,
           *         "externalId": "customer-4711",
           *         "metadata": {
           *           "branch": "Lyon"
           *         },
           *         "decision": null,
           *         "createdAt": "2026-11-21T09:58:00.000Z",
           *         "expiresAt": "2026-11-28T09:58:00.000Z",
           *         "startedAt": "2026-11-21T09:59:00.000Z",
           *         "lastActivityAt": "2026-11-21T10:00:05.000Z",
           *         "reviewSince": "2026-11-21T10:00:05.000Z",
           *         "finishedAt": null,
           *         "approvalExpiresAt": null,
           *         "retainUntil": null,
           *         "callbackUrl": "https://shop.example/verified",
           *         "language": "fr",
           *         "expected": {
           *           "lastName": "Moreau"
           *         },
           *         "contact": null,
           *         "steps": [
           *           {
           *             "feature": "id",
           *             "status": "review",
           *             "attempts": 1,
           *             "attemptsLeft": 2,
           *             "checkIds": [
           *               "chk_01JQZ4R8W3M6N9P2T5V8X1Y4Z7"
           *             ]
           *           },
           *           {
           *             "feature": "liveness",
           *             "status": "passed",
           *             "attempts": 1,
           *             "attemptsLeft": 2,
           *             "checkIds": [
           *               "chk_01JQZ4R8W3M6N9P2T5V8X1Y4ZA"
           *             ]
           *           },
           *           {
           *             "feature": "face_match",
           *             "status": "passed",
           *             "attempts": 1,
           *             "attemptsLeft": 2,
           *             "checkIds": [
           *               "chk_01JQZ4R8W3M6N9P2T5V8X1Y4ZB"
           *             ]
           *           }
           *         ],
           *         "reviews": [],
           *         "notes": [],
           *         "imported": null,
           *         "consent": null,
           *         "results": {
           *           "document": null,
           *           "liveness": null,
           *           "faceMatch": null,
           *           "age": null,
           *           "database": null,
           *           "poa": null,
           *           "aml": null
           *         },
           *         "risks": [
           *           {
           *             "code": "mrz_check_failed",
           *             "severity": "high",
           *             "action": "review",
           *             "feature": "id",
           *             "message": "A check digit of the machine-readable zone does not verify."
           *           }
           *         ],
           *         "evidence": []
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            session: components['schemas']['Session'];
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body did not arrive in time or arrived too slowly; the connection is closed. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description `invalid_transition`: the session has a final decision or has ended. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description `version_mismatch`: the session has changed since the version that If-Match names; nothing was changed. */
      412: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is larger than 1 MB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The Idempotency-Key was used with a different body. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  createSessionLink: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The link. A session that was not started keeps its expiry. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "link": {
           *         "url": "https://verify.example.com/verify#8t1Gk3…",
           *         "expiresAt": "2026-11-28T09:58:00.000Z"
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            link: components['schemas']['CaptureLink'];
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The session has ended or is in review (`session_closed`), or the page cannot complete it (`session_not_capturable`). */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  getBranding: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The appearance; without a logo, `logo` is null. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "logo": {
           *         "contentType": "image/png",
           *         "bytes": 5120,
           *         "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
           *         "updatedAt": "2026-11-21T10:00:00.000Z"
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            logo: {
              /** @enum {string} */
              contentType: 'image/png' | 'image/jpeg';
              bytes: number;
              /** @description SHA-256 of the file, in hexadecimal. */
              sha256: string;
              /** Format: date-time */
              updatedAt: string;
            } | null;
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  getBrandLogo: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The image, PNG or JPEG. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'image/*': Upload;
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The organisation has no logo. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  setBrandLogo: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'multipart/form-data': {
          /**
           * Format: binary
           * @description PNG or JPEG of at most 256 KB, 2000 pixels a side and 2 megapixels.
           */
          logo: Upload;
        };
      };
    };
    responses: {
      /** @description The logo. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "logo": {
           *         "contentType": "image/png",
           *         "bytes": 5120,
           *         "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
           *         "updatedAt": "2026-11-21T10:00:00.000Z"
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            logo: {
              /** @enum {string} */
              contentType: 'image/png' | 'image/jpeg';
              bytes: number;
              /** @description SHA-256 of the file, in hexadecimal. */
              sha256: string;
              /** Format: date-time */
              updatedAt: string;
            };
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body did not arrive in time or arrived too slowly; the connection is closed. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The logo is larger than 256 KB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is not multipart/form-data, or the type of a file is not accepted. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  removeBrandLogo: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The logo was removed. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The organisation has no logo. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  decideSession: {
    parameters: {
      query?: never;
      header?: {
        /** @description Unique key of the request, chosen by the client. A retry with the same key within 24 hours returns the first response. */
        'Idempotency-Key'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "decision": "approve",
         *       "reason": "Name change documented."
         *     }
         */
        'application/json': {
          /** @enum {string} */
          decision: 'approve' | 'decline' | 'resubmit' | 'review';
          reason?: string;
          comment?: string;
          /** @description With `resubmit`: the steps to submit again. Default: all steps. Steps that follow from them are reopened, too, and captures whose images one of those needs and a share did not include. */
          steps?: ('id' | 'liveness' | 'face_match' | 'poa' | 'age' | 'aml' | 'database')[];
          /** @default false */
          override?: boolean;
        };
      };
    };
    responses: {
      /** @description The session with its decision. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "session": {
           *         "id": "ses_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *         "number": 17,
           *         "mode": "live",
           *         "status": "approved",
           *         "features": [
           *           "id",
           *           "liveness",
           *           "face_match"
           *         ],
           *         "workflowId": "wfl_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *         "workflowVersion": 2,
           *         "country": "FRA",
           *         "url": null,
           *         "externalId": "customer-4711",
           *         "metadata": {
           *           "branch": "Lyon"
           *         },
           *         "decision": {
           *           "outcome": "in_review",
           *           "reasons": [
           *             "mrz_check_failed"
           *           ],
           *           "decidedBy": "rules",
           *           "rule": null,
           *           "at": "2026-11-21T10:00:05.000Z"
           *         },
           *         "createdAt": "2026-11-21T09:58:00.000Z",
           *         "expiresAt": "2026-11-28T09:58:00.000Z",
           *         "startedAt": "2026-11-21T09:59:00.000Z",
           *         "lastActivityAt": "2026-11-21T10:00:05.000Z",
           *         "reviewSince": "2026-11-21T10:00:05.000Z",
           *         "finishedAt": null,
           *         "approvalExpiresAt": null,
           *         "retainUntil": null,
           *         "callbackUrl": "https://shop.example/verified",
           *         "language": "fr",
           *         "expected": {
           *           "lastName": "Moreau"
           *         },
           *         "contact": null,
           *         "steps": [
           *           {
           *             "feature": "id",
           *             "status": "review",
           *             "attempts": 1,
           *             "attemptsLeft": 2,
           *             "checkIds": [
           *               "chk_01JQZ4R8W3M6N9P2T5V8X1Y4Z7"
           *             ]
           *           },
           *           {
           *             "feature": "liveness",
           *             "status": "passed",
           *             "attempts": 1,
           *             "attemptsLeft": 2,
           *             "checkIds": [
           *               "chk_01JQZ4R8W3M6N9P2T5V8X1Y4ZA"
           *             ]
           *           },
           *           {
           *             "feature": "face_match",
           *             "status": "passed",
           *             "attempts": 1,
           *             "attemptsLeft": 2,
           *             "checkIds": [
           *               "chk_01JQZ4R8W3M6N9P2T5V8X1Y4ZB"
           *             ]
           *           }
           *         ],
           *         "reviews": [],
           *         "notes": [],
           *         "imported": null,
           *         "consent": null,
           *         "results": {
           *           "document": null,
           *           "liveness": null,
           *           "faceMatch": null,
           *           "age": null,
           *           "database": null,
           *           "poa": null,
           *           "aml": null
           *         },
           *         "risks": [
           *           {
           *             "code": "mrz_check_failed",
           *             "severity": "high",
           *             "action": "review",
           *             "feature": "id",
           *             "message": "A check digit of the machine-readable zone does not verify."
           *           }
           *         ],
           *         "evidence": []
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            session: components['schemas']['Session'];
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body did not arrive in time or arrived too slowly; the connection is closed. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The move is not allowed (`details.allowed` names those that are), or a step came to no result. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description `version_mismatch`: the session has changed since the version that If-Match names; nothing was changed. */
      412: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is larger than 1 MB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The Idempotency-Key was used with a different body. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  addSessionNote: {
    parameters: {
      query?: never;
      header?: {
        /** @description Unique key of the request, chosen by the client. A retry with the same key within 24 hours returns the first response. */
        'Idempotency-Key'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "text": "Called the customer: the name changed by marriage."
         *     }
         */
        'application/json': {
          text: string;
        };
      };
    };
    responses: {
      /** @description The note. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "note": {
           *         "id": "nte_01JQZ5B7D9F1H3K5M7P9R1T3V5",
           *         "text": "Called the customer: the name changed by marriage.",
           *         "by": "usr_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *         "byName": "Alex Kim",
           *         "at": "2026-11-21T10:20:00.000Z"
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            note: components['schemas']['SessionNote'];
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body did not arrive in time or arrived too slowly; the connection is closed. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description `note_limit_reached`: the session has as many notes as it may have. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is larger than 1 MB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The Idempotency-Key was used with a different body. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  listSessionWorkflows: {
    parameters: {
      query?: {
        limit?: number;
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Workflows that are not archived, at their current versions, newest first. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "workflows": [
           *         {
           *           "id": "wfl_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *           "mode": "live",
           *           "version": 2,
           *           "currentVersion": 2,
           *           "isDefault": true,
           *           "name": "Adults with a European passport",
           *           "features": [
           *             "id",
           *             "liveness",
           *             "face_match"
           *           ],
           *           "thresholds": {
           *             "liveness": {
           *               "decline": 30,
           *               "review": 80
           *             },
           *             "minimumAge": 18
           *           },
           *           "actions": {
           *             "image_blurred": "ignore"
           *           },
           *           "rules": [
           *             {
           *               "id": "large-amounts",
           *               "field": "session.metadata.amount",
           *               "operator": "greater",
           *               "value": 10000,
           *               "and": [
           *                 {
           *                   "field": "document.issuingState",
           *                   "operator": "not_in",
           *                   "value": [
           *                     "FRA",
           *                     "DEU"
           *                   ]
           *                 }
           *               ],
           *               "status": "in_review"
           *             }
           *           ],
           *           "maxAttempts": 3,
           *           "attemptWindowDays": 7,
           *           "linkTtlHours": 168,
           *           "abandonAfterHours": 24,
           *           "approvalValidDays": 365,
           *           "retentionDays": null,
           *           "indexApprovedFaces": true,
           *           "callbackUrl": "https://shop.example/verified",
           *           "branding": {
           *             "name": "Shop",
           *             "primaryColor": "#1a73e8"
           *           },
           *           "acceptedDocuments": [
           *             {
           *               "type": "passport",
           *               "countries": [
           *                 "FRA",
           *                 "DEU"
           *               ]
           *             }
           *           ],
           *           "acceptPdfDocuments": true,
           *           "createdAt": "2026-11-20T10:00:00.000Z",
           *           "versionedAt": "2026-11-21T10:00:00.000Z",
           *           "archivedAt": null
           *         }
           *       ],
           *       "total": 1,
           *       "nextCursor": null
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            workflows: components['schemas']['SessionWorkflow'][];
            total: number;
            nextCursor: string | null;
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  createSessionWorkflow: {
    parameters: {
      query?: never;
      header?: {
        /** @description Unique key of the request, chosen by the client. A retry with the same key within 24 hours returns the first response. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "Adults with a European passport",
         *       "thresholds": {
         *         "minimumAge": 18
         *       },
         *       "rules": [
         *         {
         *           "field": "session.metadata.amount",
         *           "operator": "greater",
         *           "value": 10000,
         *           "status": "in_review"
         *         }
         *       ]
         *     }
         */
        'application/json': {
          name: string;
          /** @description Features that sessions verify. Default id, liveness, face_match. */
          features?: ('id' | 'liveness' | 'face_match' | 'poa' | 'age' | 'aml' | 'database')[];
          thresholds?: components['schemas']['Thresholds'];
          /** @description Actions by risk code in place of the defaults of the catalogue; `recapture` only for risks that another capture may cure. */
          actions?: {
            [key: string]: 'decline' | 'recapture' | 'review' | 'ignore';
          };
          /** @description Rules, evaluated in order once all steps are completed; the first one that holds decides. A rule cannot approve a session that a finding declines or that has a step which did not pass. */
          rules?: components['schemas']['Rule'][];
          /** @description Attempts at each step within the window. Default 3. */
          maxAttempts?: number;
          /** @description Window in days in which attempts are counted. Default 7. */
          attemptWindowDays?: number;
          /** @description Hours until a session that was not started expires. Default 168. */
          linkTtlHours?: number;
          /** @description Hours of inactivity until a started session is abandoned. Default 24. */
          abandonAfterHours?: number;
          /** @description Days until an approval expires (`approval_expired`). Default null: never. */
          approvalValidDays?: number | null;
          /** @description Days after its end until a session is erased. Default null: it is kept until deleted. */
          retentionDays?: number | null;
          /** @description Whether selfies of approved sessions are added to the `users` of the face index, which detects the same face under another externalId. Default true. */
          indexApprovedFaces?: boolean;
          /**
           * Format: uri
           * @description URL to which the person's browser is redirected afterwards, of a page or an app; the server never calls it.
           */
          callbackUrl?: string | null;
          /** @description Appearance of the capture page. */
          branding?: {
            name?: string;
            /** Format: uri */
            logoUrl?: string;
            primaryColor?: string;
          } | null;
          /** @description Accepted documents; any other one raises `document_not_accepted`. Null accepts every document that the service reads. */
          acceptedDocuments?:
            | {
                /** @enum {string} */
                type: 'passport' | 'identity_card' | 'driving_licence' | 'residence_permit' | 'visa';
                /** @description Issuing states. Default: any. */
                countries?: string[];
              }[]
            | null;
          /** @description Whether identity documents may be sent as PDFs (otherwise 415 `unsupported_media_type`). A PDF can hold any picture, without traces of a camera. Default true. */
          acceptPdfDocuments?: boolean;
          /** @description Whether sessions created without a workflowId start with this workflow. Replaces the former default. */
          isDefault?: boolean;
        };
      };
    };
    responses: {
      /** @description The workflow, at its first version. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "workflow": {
           *         "id": "wfl_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *         "mode": "live",
           *         "version": 2,
           *         "currentVersion": 2,
           *         "isDefault": true,
           *         "name": "Adults with a European passport",
           *         "features": [
           *           "id",
           *           "liveness",
           *           "face_match"
           *         ],
           *         "thresholds": {
           *           "liveness": {
           *             "decline": 30,
           *             "review": 80
           *           },
           *           "minimumAge": 18
           *         },
           *         "actions": {
           *           "image_blurred": "ignore"
           *         },
           *         "rules": [
           *           {
           *             "id": "large-amounts",
           *             "field": "session.metadata.amount",
           *             "operator": "greater",
           *             "value": 10000,
           *             "and": [
           *               {
           *                 "field": "document.issuingState",
           *                 "operator": "not_in",
           *                 "value": [
           *                   "FRA",
           *                   "DEU"
           *                 ]
           *               }
           *             ],
           *             "status": "in_review"
           *           }
           *         ],
           *         "maxAttempts": 3,
           *         "attemptWindowDays": 7,
           *         "linkTtlHours": 168,
           *         "abandonAfterHours": 24,
           *         "approvalValidDays": 365,
           *         "retentionDays": null,
           *         "indexApprovedFaces": true,
           *         "callbackUrl": "https://shop.example/verified",
           *         "branding": {
           *           "name": "Shop",
           *           "primaryColor": "#1a73e8"
           *         },
           *         "acceptedDocuments": [
           *           {
           *             "type": "passport",
           *             "countries": [
           *               "FRA",
           *               "DEU"
           *             ]
           *           }
           *         ],
           *         "acceptPdfDocuments": true,
           *         "createdAt": "2026-11-20T10:00:00.000Z",
           *         "versionedAt": "2026-11-21T10:00:00.000Z",
           *         "archivedAt": null
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            workflow: components['schemas']['SessionWorkflow'];
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body did not arrive in time or arrived too slowly; the connection is closed. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Another workflow became the default meanwhile. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is larger than 1 MB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The Idempotency-Key was used with a different body. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  getSessionWorkflow: {
    parameters: {
      query?: {
        version?: number;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The workflow. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "workflow": {
           *         "id": "wfl_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *         "mode": "live",
           *         "version": 2,
           *         "currentVersion": 2,
           *         "isDefault": true,
           *         "name": "Adults with a European passport",
           *         "features": [
           *           "id",
           *           "liveness",
           *           "face_match"
           *         ],
           *         "thresholds": {
           *           "liveness": {
           *             "decline": 30,
           *             "review": 80
           *           },
           *           "minimumAge": 18
           *         },
           *         "actions": {
           *           "image_blurred": "ignore"
           *         },
           *         "rules": [
           *           {
           *             "id": "large-amounts",
           *             "field": "session.metadata.amount",
           *             "operator": "greater",
           *             "value": 10000,
           *             "and": [
           *               {
           *                 "field": "document.issuingState",
           *                 "operator": "not_in",
           *                 "value": [
           *                   "FRA",
           *                   "DEU"
           *                 ]
           *               }
           *             ],
           *             "status": "in_review"
           *           }
           *         ],
           *         "maxAttempts": 3,
           *         "attemptWindowDays": 7,
           *         "linkTtlHours": 168,
           *         "abandonAfterHours": 24,
           *         "approvalValidDays": 365,
           *         "retentionDays": null,
           *         "indexApprovedFaces": true,
           *         "callbackUrl": "https://shop.example/verified",
           *         "branding": {
           *           "name": "Shop",
           *           "primaryColor": "#1a73e8"
           *         },
           *         "acceptedDocuments": [
           *           {
           *             "type": "passport",
           *             "countries": [
           *               "FRA",
           *               "DEU"
           *             ]
           *           }
           *         ],
           *         "acceptPdfDocuments": true,
           *         "createdAt": "2026-11-20T10:00:00.000Z",
           *         "versionedAt": "2026-11-21T10:00:00.000Z",
           *         "archivedAt": null
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            workflow: components['schemas']['SessionWorkflow'];
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  deleteSessionWorkflow: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Id of the archived workflow, and the time. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "id": "wfl_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *       "deleted": true,
           *       "archivedAt": "2026-11-21T10:00:00.000Z"
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            /** @description Id of the record. */
            id: string;
            /**
             * @description The record can no longer be used.
             * @enum {boolean}
             */
            deleted: true;
            /** Format: date-time */
            archivedAt: string;
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description It is the default: make another workflow the default first. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  updateSessionWorkflow: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "thresholds": {
         *         "liveness": {
         *           "decline": 30,
         *           "review": 80
         *         },
         *         "minimumAge": 21
         *       },
         *       "version": 2
         *     }
         */
        'application/json': {
          name?: string;
          /** @description Features that sessions verify. Default id, liveness, face_match. */
          features?: ('id' | 'liveness' | 'face_match' | 'poa' | 'age' | 'aml' | 'database')[];
          thresholds?: components['schemas']['Thresholds'];
          /** @description Actions by risk code in place of the defaults of the catalogue; `recapture` only for risks that another capture may cure. */
          actions?: {
            [key: string]: 'decline' | 'recapture' | 'review' | 'ignore';
          };
          /** @description Rules, evaluated in order once all steps are completed; the first one that holds decides. A rule cannot approve a session that a finding declines or that has a step which did not pass. */
          rules?: components['schemas']['Rule'][];
          /** @description Attempts at each step within the window. Default 3. */
          maxAttempts?: number;
          /** @description Window in days in which attempts are counted. Default 7. */
          attemptWindowDays?: number;
          /** @description Hours until a session that was not started expires. Default 168. */
          linkTtlHours?: number;
          /** @description Hours of inactivity until a started session is abandoned. Default 24. */
          abandonAfterHours?: number;
          /** @description Days until an approval expires (`approval_expired`). Default null: never. */
          approvalValidDays?: number | null;
          /** @description Days after its end until a session is erased. Default null: it is kept until deleted. */
          retentionDays?: number | null;
          /** @description Whether selfies of approved sessions are added to the `users` of the face index, which detects the same face under another externalId. Default true. */
          indexApprovedFaces?: boolean;
          /**
           * Format: uri
           * @description URL to which the person's browser is redirected afterwards, of a page or an app; the server never calls it.
           */
          callbackUrl?: string | null;
          /** @description Appearance of the capture page. */
          branding?: {
            name?: string;
            /** Format: uri */
            logoUrl?: string;
            primaryColor?: string;
          } | null;
          /** @description Accepted documents; any other one raises `document_not_accepted`. Null accepts every document that the service reads. */
          acceptedDocuments?:
            | {
                /** @enum {string} */
                type: 'passport' | 'identity_card' | 'driving_licence' | 'residence_permit' | 'visa';
                /** @description Issuing states. Default: any. */
                countries?: string[];
              }[]
            | null;
          /** @description Whether identity documents may be sent as PDFs (otherwise 415 `unsupported_media_type`). A PDF can hold any picture, without traces of a camera. Default true. */
          acceptPdfDocuments?: boolean;
          /** @enum {boolean} */
          isDefault?: true;
          /** @description Version that the change is based on; if it is no longer the current one, the response is 409. */
          version?: number;
        };
      };
    };
    responses: {
      /** @description The workflow, at its next version. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "workflow": {
           *         "id": "wfl_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *         "mode": "live",
           *         "version": 2,
           *         "currentVersion": 2,
           *         "isDefault": true,
           *         "name": "Adults with a European passport",
           *         "features": [
           *           "id",
           *           "liveness",
           *           "face_match"
           *         ],
           *         "thresholds": {
           *           "liveness": {
           *             "decline": 30,
           *             "review": 80
           *           },
           *           "minimumAge": 18
           *         },
           *         "actions": {
           *           "image_blurred": "ignore"
           *         },
           *         "rules": [
           *           {
           *             "id": "large-amounts",
           *             "field": "session.metadata.amount",
           *             "operator": "greater",
           *             "value": 10000,
           *             "and": [
           *               {
           *                 "field": "document.issuingState",
           *                 "operator": "not_in",
           *                 "value": [
           *                   "FRA",
           *                   "DEU"
           *                 ]
           *               }
           *             ],
           *             "status": "in_review"
           *           }
           *         ],
           *         "maxAttempts": 3,
           *         "attemptWindowDays": 7,
           *         "linkTtlHours": 168,
           *         "abandonAfterHours": 24,
           *         "approvalValidDays": 365,
           *         "retentionDays": null,
           *         "indexApprovedFaces": true,
           *         "callbackUrl": "https://shop.example/verified",
           *         "branding": {
           *           "name": "Shop",
           *           "primaryColor": "#1a73e8"
           *         },
           *         "acceptedDocuments": [
           *           {
           *             "type": "passport",
           *             "countries": [
           *               "FRA",
           *               "DEU"
           *             ]
           *           }
           *         ],
           *         "acceptPdfDocuments": true,
           *         "createdAt": "2026-11-20T10:00:00.000Z",
           *         "versionedAt": "2026-11-21T10:00:00.000Z",
           *         "archivedAt": null
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            workflow: components['schemas']['SessionWorkflow'];
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body did not arrive in time or arrived too slowly; the connection is closed. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description It is archived, or changed meanwhile. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record has changed since the version that If-Match names. */
      412: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is larger than 1 MB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  simulateSessionWorkflow: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "draft": {
         *         "thresholds": {
         *           "liveness": {
         *             "decline": 30,
         *             "review": 85
         *           }
         *         }
         *       },
         *       "sessions": {
         *         "limit": 500
         *       }
         *     }
         */
        'application/json': {
          /** @default {} */
          draft?: {
            thresholds?: components['schemas']['Thresholds'];
            /** @description Actions by risk code in place of the defaults of the catalogue; `recapture` only for risks that another capture may cure. */
            actions?: {
              [key: string]: 'decline' | 'recapture' | 'review' | 'ignore';
            };
            /** @description Rules, evaluated in order once all steps are completed; the first one that holds decides. A rule cannot approve a session that a finding declines or that has a step which did not pass. */
            rules?: components['schemas']['Rule'][];
            /** @description Features that sessions verify. Default id, liveness, face_match. */
            features?: ('id' | 'liveness' | 'face_match' | 'poa' | 'age' | 'aml' | 'database')[];
            /** @description Accepted documents; any other one raises `document_not_accepted`. Null accepts every document that the service reads. */
            acceptedDocuments?:
              | {
                  /** @enum {string} */
                  type: 'passport' | 'identity_card' | 'driving_licence' | 'residence_permit' | 'visa';
                  /** @description Issuing states. Default: any. */
                  countries?: string[];
                }[]
              | null;
          };
          /**
           * @description Filter of the decided sessions, newest first.
           * @default {
           *       "limit": 200
           *     }
           */
          sessions?: {
            workflowId?: string;
            statuses?: ('approved' | 'declined' | 'in_review' | 'approval_expired')[];
            /** @description Created at or after this date or time, which must not be after `to`. */
            from?: string;
            /** @description Created before this time, or on or before this date. */
            to?: string;
            /** @default 200 */
            limit?: number;
          };
        };
      };
    };
    responses: {
      /** @description Number of sessions by status then and under the draft. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "simulation": {
           *         "examined": 500,
           *         "unchanged": 499,
           *         "changed": 1,
           *         "moves": [
           *           {
           *             "from": "approved",
           *             "to": "approved",
           *             "count": 499,
           *             "reviewed": {
           *               "approved": 0,
           *               "declined": 2
           *             },
           *             "sessionIds": []
           *           },
           *           {
           *             "from": "approved",
           *             "to": "in_review",
           *             "count": 1,
           *             "reviewed": {
           *               "approved": 0,
           *               "declined": 1
           *             },
           *             "sessionIds": [
           *               "ses_01JQZ4QXKD0A3C6F9H2J5M8P1R"
           *             ]
           *           }
           *         ]
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            simulation: components['schemas']['Simulation'];
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body did not arrive in time or arrived too slowly; the connection is closed. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is larger than 1 MB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  verifyIdentityDocument: {
    parameters: {
      query?: {
        /** @description Seconds to wait for the result, 0–60; `Prefer: wait=` means the same. Default 25. */
        wait?: number;
      };
      header?: {
        /** @description Unique key of the request, chosen by the client. A retry with the same key within 24 hours returns the first response. */
        'Idempotency-Key'?: string;
        /** @description Test keys only: the simulated outcome of the check. `approve`, `review`, `decline`, `fail`, or risk codes separated by commas. */
        'X-Sandbox-Result'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'multipart/form-data': {
          /** @description Session whose id step the check is; without one the check is standalone. */
          sessionId?: string;
          /**
           * Format: binary
           * @description Side with the portrait, data page, or both sides in one image. JPEG, PNG, WebP, HEIC or PDF, at most 15 MB and 50 megapixels; the type is detected from the content.
           */
          frontImage: Upload;
          /**
           * Format: binary
           * @description Other side of the document. JPEG, PNG, WebP, HEIC or PDF, at most 15 MB and 50 megapixels; the type is detected from the content.
           */
          backImage?: Upload;
        };
      };
    };
    responses: {
      /** @description The check with its result. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "check": {
           *         "id": "chk_01M815RYZ0BKP7CM138J9EBNFM",
           *         "kind": "id_verification",
           *         "feature": "id",
           *         "mode": "live",
           *         "sessionId": null,
           *         "status": "completed",
           *         "outcome": "approved",
           *         "supplementary": false,
           *         "risks": [],
           *         "result": {
           *           "documentType": "passport",
           *           "issuingState": "UTO",
           *           "documentNumber": "X42K90617",
           *           "personalNumber": null,
           *           "firstName": "KLARA EMILIA",
           *           "lastName": "MARTINSDOTTER",
           *           "fullName": "KLARA EMILIA MARTINSDOTTER",
           *           "dateOfBirth": "1991-07-23",
           *           "age": 35,
           *           "sex": "F",
           *           "nationality": "UTO",
           *           "issueDate": "2021-01-11",
           *           "expiryDate": "2031-01-10",
           *           "placeOfBirth": "ZENITH",
           *           "address": null,
           *           "mrz": {
           *             "format": "TD3",
           *             "side": "front",
           *             "lines": [
           *               "P<UTOMARTINSDOTTER<<KLARA<EMILIA<<<<<<<<<<<<",
           *               "X42K906174UTO9107234F3101104<<<<<<<<<<<<<<08"
           *             ],
           *             "fields": {
           *               "documentCode": "P",
           *               "issuingState": "UTO",
           *               "documentNumber": "X42K90617",
           *               "lastName": "MARTINSDOTTER",
           *               "firstName": "KLARA EMILIA",
           *               "nameTruncated": false,
           *               "nationality": "UTO",
           *               "dateOfBirth": "1991-07-23",
           *               "sex": "F",
           *               "expiryDate": "2031-01-10",
           *               "personalNumber": null,
           *               "optionalData": []
           *             },
           *             "checkDigits": [
           *               {
           *                 "name": "documentNumber",
           *                 "printed": "4",
           *                 "expected": 4,
           *                 "valid": true
           *               },
           *               {
           *                 "name": "dateOfBirth",
           *                 "printed": "4",
           *                 "expected": 4,
           *                 "valid": true
           *               },
           *               {
           *                 "name": "expiryDate",
           *                 "printed": "4",
           *                 "expected": 4,
           *                 "valid": true
           *               },
           *               {
           *                 "name": "personalNumber",
           *                 "printed": "0",
           *                 "expected": 0,
           *                 "valid": true
           *               },
           *               {
           *                 "name": "composite",
           *                 "printed": "8",
           *                 "expected": 8,
           *                 "valid": true
           *               }
           *             ],
           *             "valid": true,
           *             "repaired": false,
           *             "confidence": 0.999,
           *             "box": {
           *               "x": 111,
           *               "y": 890,
           *               "width": 1279,
           *               "height": 108
           *             }
           *           },
           *           "barcode": null,
           *           "fields": [
           *             {
           *               "name": "documentNumber",
           *               "value": "X42K90617",
           *               "source": "mrz",
           *               "confidence": 0.999,
           *               "side": "front",
           *               "box": {
           *                 "x": 111,
           *                 "y": 962,
           *                 "width": 262,
           *                 "height": 36
           *               },
           *               "agrees": true
           *             },
           *             {
           *               "name": "documentNumber",
           *               "value": "X42K90617",
           *               "source": "visual",
           *               "confidence": 0.999,
           *               "side": "front",
           *               "box": {
           *                 "x": 1083,
           *                 "y": 208,
           *                 "width": 163,
           *                 "height": 31
           *               },
           *               "agrees": true
           *             },
           *             {
           *               "name": "lastName",
           *               "value": "MARTINSDOTTER",
           *               "source": "mrz",
           *               "confidence": 0.999,
           *               "side": "front",
           *               "box": {
           *                 "x": 256,
           *                 "y": 890,
           *                 "width": 1134,
           *                 "height": 37
           *               },
           *               "agrees": true
           *             },
           *             {
           *               "name": "lastName",
           *               "value": "MARTINSDOTTER",
           *               "source": "visual",
           *               "confidence": 0.998,
           *               "side": "front",
           *               "box": {
           *                 "x": 559,
           *                 "y": 283,
           *                 "width": 247,
           *                 "height": 28
           *               },
           *               "agrees": true
           *             },
           *             {
           *               "name": "firstName",
           *               "value": "KLARA EMILIA",
           *               "source": "mrz",
           *               "confidence": 0.999,
           *               "side": "front",
           *               "box": {
           *                 "x": 256,
           *                 "y": 890,
           *                 "width": 1134,
           *                 "height": 37
           *               },
           *               "agrees": true
           *             },
           *             {
           *               "name": "firstName",
           *               "value": "KLARA EMILIA",
           *               "source": "visual",
           *               "confidence": 0.99,
           *               "side": "front",
           *               "box": {
           *                 "x": 560,
           *                 "y": 357,
           *                 "width": 202,
           *                 "height": 29
           *               },
           *               "agrees": true
           *             },
           *             {
           *               "name": "dateOfBirth",
           *               "value": "1991-07-23",
           *               "source": "mrz",
           *               "confidence": 0.999,
           *               "side": "front",
           *               "box": {
           *                 "x": 489,
           *                 "y": 962,
           *                 "width": 174,
           *                 "height": 36
           *               },
           *               "agrees": true
           *             },
           *             {
           *               "name": "dateOfBirth",
           *               "value": "1991-07-23",
           *               "source": "visual",
           *               "confidence": 0.962,
           *               "side": "front",
           *               "box": {
           *                 "x": 559,
           *                 "y": 504,
           *                 "width": 166,
           *                 "height": 33
           *               },
           *               "agrees": true
           *             },
           *             {
           *               "name": "sex",
           *               "value": "F",
           *               "source": "mrz",
           *               "confidence": 0.999,
           *               "side": "front",
           *               "box": {
           *                 "x": 692,
           *                 "y": 962,
           *                 "width": 29,
           *                 "height": 36
           *               },
           *               "agrees": null
           *             },
           *             {
           *               "name": "nationality",
           *               "value": "UTO",
           *               "source": "mrz",
           *               "confidence": 0.998,
           *               "side": "front",
           *               "box": {
           *                 "x": 402,
           *                 "y": 962,
           *                 "width": 87,
           *                 "height": 36
           *               },
           *               "agrees": true
           *             },
           *             {
           *               "name": "nationality",
           *               "value": "UTO",
           *               "source": "visual",
           *               "confidence": 1,
           *               "side": "front",
           *               "box": {
           *                 "x": 820,
           *                 "y": 206,
           *                 "width": 67,
           *                 "height": 35
           *               },
           *               "agrees": true
           *             },
           *             {
           *               "name": "expiryDate",
           *               "value": "2031-01-10",
           *               "source": "mrz",
           *               "confidence": 0.999,
           *               "side": "front",
           *               "box": {
           *                 "x": 721,
           *                 "y": 962,
           *                 "width": 175,
           *                 "height": 36
           *               },
           *               "agrees": true
           *             },
           *             {
           *               "name": "expiryDate",
           *               "value": "2031-01-10",
           *               "source": "visual",
           *               "confidence": 0.94,
           *               "side": "front",
           *               "box": {
           *                 "x": 822,
           *                 "y": 578,
           *                 "width": 170,
           *                 "height": 32
           *               },
           *               "agrees": true
           *             },
           *             {
           *               "name": "placeOfBirth",
           *               "value": "ZENITH",
           *               "source": "visual",
           *               "confidence": 0.999,
           *               "side": "front",
           *               "box": {
           *                 "x": 1084,
           *                 "y": 504,
           *                 "width": 111,
           *                 "height": 30
           *               },
           *               "agrees": null
           *             },
           *             {
           *               "name": "issueDate",
           *               "value": "2021-01-11",
           *               "source": "visual",
           *               "confidence": 0.988,
           *               "side": "front",
           *               "box": {
           *                 "x": 558,
           *                 "y": 578,
           *                 "width": 171,
           *                 "height": 31
           *               },
           *               "agrees": null
           *             }
           *           ],
           *           "portrait": {
           *             "side": "front",
           *             "box": {
           *               "x": 215,
           *               "y": 318,
           *               "width": 188,
           *               "height": 257
           *             },
           *             "confidence": 1
           *           },
           *           "quality": {
           *             "sharpness": 77,
           *             "glare": 0,
           *             "brightness": 211,
           *             "cutOff": false,
           *             "resolution": 18.2
           *           },
           *           "sides": [
           *             {
           *               "side": "front",
           *               "width": 1500,
           *               "height": 1120,
           *               "rotation": 0,
           *               "quality": {
           *                 "sharpness": 77,
           *                 "glare": 0,
           *                 "brightness": 211,
           *                 "cutOff": false,
           *                 "resolution": 18.2
           *               }
           *             }
           *           ],
           *           "thresholds": {
           *             "minSharpness": 12,
           *             "maxGlare": 0.06,
           *             "minBrightness": 45,
           *             "minResolution": 7,
           *             "minMedian": 5.2,
           *             "minLattice": 10,
           *             "minOpponentShare": 0.1,
           *             "minOpponentShareOfGrid": 0.14
           *           },
           *           "models": [
           *             {
           *               "role": "text_detector",
           *               "name": "ch_PP-OCRv4_det",
           *               "version": "4",
           *               "sha256": "30a86f5731181461d08021402766601e4302a9b9b9666be8aff402696339cdff"
           *             },
           *             {
           *               "role": "text_recogniser",
           *               "name": "PP-OCRv5_mobile_rec",
           *               "version": "5",
           *               "sha256": "bf66820f48fa99f779974c4df78e5274a9d8e0458c4137e8c5357e40e2c3faf2"
           *             },
           *             {
           *               "role": "text_dictionary",
           *               "name": "PP-OCRv5_dictionary",
           *               "version": "5",
           *               "sha256": "d1979e9f794c464c0d2e0b70a7fe14dd978e9dc644c0e71f14158cdf8342af1b"
           *             },
           *             {
           *               "role": "face_detector",
           *               "name": "faceplugin-detect",
           *               "version": "0.0.1",
           *               "sha256": "6c0256ccd3164f844736a401faf936ec2930764a87ae39442180887d0c5c8854"
           *             },
           *             {
           *               "role": "face_landmarks",
           *               "name": "faceplugin-landmark",
           *               "version": "0.0.1",
           *               "sha256": "f10b0ba1d2a8a099adefede1ebf3733e44fe370715e7303dbeb7f59c02142258"
           *             },
           *             {
           *               "role": "face_embedding",
           *               "name": "faceplugin-feature",
           *               "version": "0.0.1",
           *               "sha256": "87aacdfe57510db2af90c0251df680e8eec88f122ee94712121d09bcaaaf3581"
           *             }
           *           ],
           *           "status": "approved",
           *           "risks": []
           *         },
           *         "error": null,
           *         "evidence": [
           *           {
           *             "id": "evd_01M815RYZ8V408C6N392VGKY3Y",
           *             "field": "frontImage"
           *           }
           *         ],
           *         "createdAt": "2026-11-22T08:25:45.201Z",
           *         "completedAt": "2026-11-22T08:25:49.302Z"
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            check: components['schemas']['DocumentCheck'];
          };
        };
      };
      /** @description The check is still processing; `Location` is its URL. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "check": {
           *         "id": "chk_01M815RYZ0BKP7CM138J9EBNFM",
           *         "kind": "id_verification",
           *         "feature": "id",
           *         "mode": "live",
           *         "sessionId": null,
           *         "status": "processing",
           *         "outcome": null,
           *         "supplementary": false,
           *         "risks": [],
           *         "result": null,
           *         "error": null,
           *         "evidence": [
           *           {
           *             "id": "evd_01M815RYZ8V408C6N392VGKY3Y",
           *             "field": "frontImage"
           *           }
           *         ],
           *         "createdAt": "2026-11-22T08:25:45.201Z",
           *         "completedAt": null
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            check: components['schemas']['DocumentCheck'];
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body did not arrive in time or arrived too slowly; the connection is closed. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The session does not accept this check now: it is decided, does not verify this feature, or has no attempts left. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A file exceeds 15 MB or 50 megapixels. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A file is not of an accepted type, or the body is not multipart. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The Idempotency-Key was used with a different body. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  verifyProofOfAddress: {
    parameters: {
      query?: {
        /** @description Seconds to wait for the result, 0–60; `Prefer: wait=` means the same. Default 25. */
        wait?: number;
      };
      header?: {
        /** @description Unique key of the request, chosen by the client. A retry with the same key within 24 hours returns the first response. */
        'Idempotency-Key'?: string;
        /** @description Test keys only: the simulated outcome of the check. `approve`, `review`, `decline`, `fail`, or risk codes separated by commas. */
        'X-Sandbox-Result'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'multipart/form-data': {
          /** @description Session whose poa step the check is; without one the check is standalone. */
          sessionId?: string;
          /**
           * Format: binary
           * @description Proof of address; of a PDF the first three pages are read. JPEG, PNG, WebP, HEIC or PDF, at most 15 MB and 50 megapixels; the type is detected from the content.
           */
          document: Upload;
        };
      };
    };
    responses: {
      /** @description The check with its result. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "check": {
           *         "id": "chk_01M815S5EMMRNWMW6HJ9K029NA",
           *         "kind": "proof_of_address",
           *         "feature": "poa",
           *         "mode": "live",
           *         "sessionId": null,
           *         "status": "completed",
           *         "outcome": "approved",
           *         "supplementary": false,
           *         "risks": [],
           *         "result": {
           *           "documentType": "utility_bill",
           *           "issuer": "Northern Rivers Water plc",
           *           "issueDate": "2026-11-02",
           *           "language": "en",
           *           "name": "Klara Martinsdotter",
           *           "otherNames": [],
           *           "address": {
           *             "raw": "14 Larkfield Road, LEEDS, LS6 2AB",
           *             "street": "14 Larkfield Road",
           *             "city": "LEEDS",
           *             "region": null,
           *             "postalCode": "LS6 2AB",
           *             "country": "GBR"
           *           },
           *           "confidence": 1,
           *           "source": "text_layer",
           *           "pages": 1,
           *           "thresholds": {
           *             "maxAgeDays": 90,
           *             "minConfidence": 0.75,
           *             "minCharacters": 60
           *           },
           *           "models": [],
           *           "status": "approved",
           *           "risks": []
           *         },
           *         "error": null,
           *         "evidence": [
           *           {
           *             "id": "evd_01M815S5ERJQA3S8X43MHDTMZD",
           *             "field": "document"
           *           }
           *         ],
           *         "createdAt": "2026-11-22T08:25:51.837Z",
           *         "completedAt": "2026-11-22T08:25:52.179Z"
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            check: components['schemas']['AddressProofCheck'];
          };
        };
      };
      /** @description The check is still processing; `Location` is its URL. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "check": {
           *         "id": "chk_01M815S5EMMRNWMW6HJ9K029NA",
           *         "kind": "proof_of_address",
           *         "feature": "poa",
           *         "mode": "live",
           *         "sessionId": null,
           *         "status": "processing",
           *         "outcome": null,
           *         "supplementary": false,
           *         "risks": [],
           *         "result": null,
           *         "error": null,
           *         "evidence": [
           *           {
           *             "id": "evd_01M815S5ERJQA3S8X43MHDTMZD",
           *             "field": "document"
           *           }
           *         ],
           *         "createdAt": "2026-11-22T08:25:51.837Z",
           *         "completedAt": null
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            check: components['schemas']['AddressProofCheck'];
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body did not arrive in time or arrived too slowly; the connection is closed. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The session does not accept this check now: it is decided, does not verify this feature, or has no attempts left. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A file exceeds 15 MB or 50 megapixels. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A file is not of an accepted type, or the body is not multipart. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The Idempotency-Key was used with a different body. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  matchFaces: {
    parameters: {
      query?: {
        /** @description Seconds to wait for the result, 0–60; `Prefer: wait=` means the same. Default 25. */
        wait?: number;
      };
      header?: {
        /** @description Unique key of the request, chosen by the client. A retry with the same key within 24 hours returns the first response. */
        'Idempotency-Key'?: string;
        /** @description Test keys only: the simulated outcome of the check. `approve`, `review`, `decline`, `fail`, or risk codes separated by commas. */
        'X-Sandbox-Result'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'multipart/form-data': {
          /** @description Session whose face_match step the check is; without one the check is standalone. */
          sessionId?: string;
          /**
           * Format: binary
           * @description Image of the person. JPEG, PNG, WebP or HEIC, at most 15 MB and 50 megapixels; the type is detected from the content.
           */
          userImage: Upload;
          /**
           * Format: binary
           * @description Image of the person or document to compare with; required without a session. JPEG, PNG, WebP or HEIC, at most 15 MB and 50 megapixels; the type is detected from the content.
           */
          refImage?: Upload;
        };
      };
    };
    responses: {
      /** @description The check with its result. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "check": {
           *         "id": "chk_01M815S3G30CG8KQAG8EP8AGG3",
           *         "kind": "face_match",
           *         "feature": "face_match",
           *         "mode": "live",
           *         "sessionId": null,
           *         "status": "completed",
           *         "outcome": "approved",
           *         "supplementary": false,
           *         "risks": [],
           *         "result": {
           *           "score": 100,
           *           "similarity": 0.9959,
           *           "captureCorrelation": 0.412,
           *           "match": true,
           *           "threshold": 0.31,
           *           "reviewThreshold": 0.25,
           *           "falseMatchRate": 0.0009,
           *           "measuredOn": "100 public photographs of 10 people (450 same, 4500 different pairs)",
           *           "userImage": {
           *             "faces": [
           *               {
           *                 "box": {
           *                   "x": 210,
           *                   "y": 272,
           *                   "width": 282,
           *                   "height": 367
           *                 },
           *                 "confidence": 1
           *               }
           *             ],
           *             "face": {
           *               "box": {
           *                 "x": 210,
           *                 "y": 272,
           *                 "width": 282,
           *                 "height": 367
           *               },
           *               "confidence": 1
           *             },
           *             "rotation": 0,
           *             "quality": {
           *               "sharpness": 57,
           *               "brightness": 151,
           *               "pose": {
           *                 "yaw": 15,
           *                 "pitch": -6.3,
           *                 "roll": -3
           *               },
           *               "eyesOpen": [
           *                 1,
           *                 1
           *               ],
           *               "interEyeDistance": 130,
           *               "occlusion": 0,
           *               "covered": [],
           *               "overall": 57
           *             }
           *           },
           *           "refImage": {
           *             "faces": [
           *               {
           *                 "box": {
           *                   "x": 215,
           *                   "y": 318,
           *                   "width": 188,
           *                   "height": 257
           *                 },
           *                 "confidence": 1
           *               }
           *             ],
           *             "face": {
           *               "box": {
           *                 "x": 215,
           *                 "y": 318,
           *                 "width": 188,
           *                 "height": 257
           *               },
           *               "confidence": 1
           *             },
           *             "rotation": 0,
           *             "quality": {
           *               "sharpness": 41,
           *               "brightness": 135,
           *               "pose": {
           *                 "yaw": 15,
           *                 "pitch": -3.5,
           *                 "roll": -3
           *               },
           *               "eyesOpen": [
           *                 1,
           *                 1
           *               ],
           *               "interEyeDistance": 92,
           *               "occlusion": 0,
           *               "covered": [],
           *               "overall": 41
           *             }
           *           },
           *           "models": [
           *             {
           *               "role": "face_detector",
           *               "name": "faceplugin-detect",
           *               "version": "0.0.1",
           *               "sha256": "6c0256ccd3164f844736a401faf936ec2930764a87ae39442180887d0c5c8854"
           *             },
           *             {
           *               "role": "face_landmarks",
           *               "name": "faceplugin-landmark",
           *               "version": "0.0.1",
           *               "sha256": "f10b0ba1d2a8a099adefede1ebf3733e44fe370715e7303dbeb7f59c02142258"
           *             },
           *             {
           *               "role": "face_embedding",
           *               "name": "faceplugin-feature",
           *               "version": "0.0.1",
           *               "sha256": "87aacdfe57510db2af90c0251df680e8eec88f122ee94712121d09bcaaaf3581"
           *             },
           *             {
           *               "role": "face_pose",
           *               "name": "faceplugin-pose",
           *               "version": "0.0.1",
           *               "sha256": "72d032ec941b7153bf8d3f2c03a4c165453cc7e63d479041ec7c6ef087e5839d"
           *             },
           *             {
           *               "role": "eye_state",
           *               "name": "faceplugin-eye",
           *               "version": "0.0.1",
           *               "sha256": "1afcea006abc1ccac3c517022abde0aa092bed74ff3c9fe6878483ef9e6e38de"
           *             }
           *           ],
           *           "status": "approved",
           *           "risks": []
           *         },
           *         "error": null,
           *         "evidence": [
           *           {
           *             "id": "evd_01M815S3GHYS8TGDEGWY2KCPTF",
           *             "field": "userImage"
           *           },
           *           {
           *             "id": "evd_01M815S3GTQJETEY1M790F07JC",
           *             "field": "refImage"
           *           }
           *         ],
           *         "createdAt": "2026-11-22T08:25:49.860Z",
           *         "completedAt": "2026-11-22T08:25:50.063Z"
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            check: components['schemas']['FaceMatchCheck'];
          };
        };
      };
      /** @description The check is still processing; `Location` is its URL. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "check": {
           *         "id": "chk_01M815S3G30CG8KQAG8EP8AGG3",
           *         "kind": "face_match",
           *         "feature": "face_match",
           *         "mode": "live",
           *         "sessionId": null,
           *         "status": "processing",
           *         "outcome": null,
           *         "supplementary": false,
           *         "risks": [],
           *         "result": null,
           *         "error": null,
           *         "evidence": [
           *           {
           *             "id": "evd_01M815S3GHYS8TGDEGWY2KCPTF",
           *             "field": "userImage"
           *           },
           *           {
           *             "id": "evd_01M815S3GTQJETEY1M790F07JC",
           *             "field": "refImage"
           *           }
           *         ],
           *         "createdAt": "2026-11-22T08:25:49.860Z",
           *         "completedAt": null
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            check: components['schemas']['FaceMatchCheck'];
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body did not arrive in time or arrived too slowly; the connection is closed. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The session does not accept this check now: it is decided, does not verify this feature, or has no attempts left. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A file exceeds 15 MB or 50 megapixels. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A file is not of an accepted type, or the body is not multipart. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The Idempotency-Key was used with a different body. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  listChecks: {
    parameters: {
      query?: {
        limit?: number;
        cursor?: string;
        /** @description One or more of id_verification, liveness, face_match, age, face_search, database_validation, proof_of_address, aml_screening, separated by commas; the parameter can also be repeated. */
        kind?: string;
        /** @description One or more of processing, completed, failed, separated by commas; the parameter can also be repeated. */
        status?: string;
        sessionId?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Checks, newest first; `total` counts all that match the filters. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "checks": [
           *         {
           *           "id": "chk_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *           "kind": "face_match",
           *           "feature": "face_match",
           *           "mode": "live",
           *           "sessionId": "ses_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *           "status": "completed",
           *           "outcome": "declined",
           *           "supplementary": false,
           *           "risks": [
           *             {
           *               "code": "face_mismatch",
           *               "severity": "high",
           *               "action": "decline",
           *               "feature": "face_match",
           *               "message": "The two faces do not match.",
           *               "details": {
           *                 "similarity": 0.08
           *               }
           *             }
           *           ],
           *           "error": null,
           *           "evidence": [
           *             {
           *               "id": "evd_01JQZ4R8W3M6N9P2T5V8X1Y4Z8",
           *               "field": "userImage"
           *             },
           *             {
           *               "id": "evd_01JQZ4R8W3M6N9P2T5V8X1Y4Z9",
           *               "field": "refImage"
           *             }
           *           ],
           *           "createdAt": "2026-11-21T10:00:00.000Z",
           *           "completedAt": "2026-11-21T10:00:01.000Z"
           *         }
           *       ],
           *       "total": 1,
           *       "nextCursor": null
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            checks: components['schemas']['CheckSummary'][];
            total: number;
            nextCursor: string | null;
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  getCheck: {
    parameters: {
      query?: {
        /** @description Seconds to wait for the result, 0–60; `Prefer: wait=` means the same. Default 25. */
        wait?: number;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The check; `status` says whether it has a result. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "check": {
           *         "id": "chk_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *         "kind": "face_match",
           *         "feature": "face_match",
           *         "mode": "live",
           *         "sessionId": "ses_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *         "status": "completed",
           *         "outcome": "declined",
           *         "supplementary": false,
           *         "risks": [
           *           {
           *             "code": "face_mismatch",
           *             "severity": "high",
           *             "action": "decline",
           *             "feature": "face_match",
           *             "message": "The two faces do not match.",
           *             "details": {
           *               "similarity": 0.08
           *             }
           *           }
           *         ],
           *         "result": {
           *           "status": "declined",
           *           "risks": [
           *             {
           *               "code": "face_mismatch",
           *               "severity": "high",
           *               "action": "decline",
           *               "feature": "face_match",
           *               "message": "The two faces do not match.",
           *               "details": {
           *                 "similarity": 0.08
           *               }
           *             }
           *           ],
           *           "score": 1.2,
           *           "similarity": 0.08,
           *           "captureCorrelation": 0.21,
           *           "match": false,
           *           "threshold": 0.36,
           *           "reviewThreshold": 0.29,
           *           "falseMatchRate": 0.00068,
           *           "measuredOn": "450 same and 4500 different pairs of public photographs",
           *           "userImage": {
           *             "faces": [],
           *             "face": null,
           *             "rotation": 0,
           *             "quality": null
           *           },
           *           "refImage": {
           *             "faces": [],
           *             "face": null,
           *             "rotation": 0,
           *             "quality": null
           *           },
           *           "models": []
           *         },
           *         "error": null,
           *         "evidence": [
           *           {
           *             "id": "evd_01JQZ4R8W3M6N9P2T5V8X1Y4Z8",
           *             "field": "userImage"
           *           },
           *           {
           *             "id": "evd_01JQZ4R8W3M6N9P2T5V8X1Y4Z9",
           *             "field": "refImage"
           *           }
           *         ],
           *         "createdAt": "2026-11-21T10:00:00.000Z",
           *         "completedAt": "2026-11-21T10:00:01.000Z"
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            check: components['schemas']['Check'];
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  deleteCheck: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The receipt of the completed erasure. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "id": "ses_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *       "deleted": true,
           *       "erasure": {
           *         "id": "era_01JQZ5B1S3T5V7X9Z1B3D5F7H9",
           *         "kind": "session",
           *         "recordId": "ses_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *         "mode": "live",
           *         "status": "completed",
           *         "reason": "request",
           *         "by": "key_01JQZ4A7C9E1G3J5M7P9R1T3V5",
           *         "byName": "Checkout of the shop",
           *         "requestedAt": "2026-11-21T10:12:00.000Z",
           *         "completedAt": "2026-11-21T10:12:00.140Z",
           *         "dataKeysDestroyed": 1,
           *         "evidence": [
           *           {
           *             "id": "evd_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *             "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
           *           }
           *         ],
           *         "objectsRemoved": 1,
           *         "collections": [
           *           {
           *             "name": "idempotency",
           *             "removed": 1,
           *             "anonymised": 0
           *           },
           *           {
           *             "name": "webhook_events",
           *             "removed": 0,
           *             "anonymised": 4
           *           },
           *           {
           *             "name": "evidence",
           *             "removed": 1,
           *             "anonymised": 0
           *           },
           *           {
           *             "name": "checks",
           *             "removed": 1,
           *             "anonymised": 0
           *           },
           *           {
           *             "name": "sessions",
           *             "removed": 1,
           *             "anonymised": 0
           *           }
           *         ]
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            erasure: components['schemas']['Erasure'];
            /** @description Id of the record. */
            id: string;
            /**
             * @description The record can no longer be used.
             * @enum {boolean}
             */
            deleted: true;
          };
        };
      };
      /** @description The receipt of a started erasure: the record is inaccessible and unreadable; `Location` is the address of the receipt. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "id": "ses_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *       "deleted": true,
           *       "erasure": {
           *         "id": "era_01JQZ5B1S3T5V7X9Z1B3D5F7H9",
           *         "kind": "session",
           *         "recordId": "ses_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *         "mode": "live",
           *         "status": "erasing",
           *         "reason": "request",
           *         "by": "key_01JQZ4A7C9E1G3J5M7P9R1T3V5",
           *         "byName": "Checkout of the shop",
           *         "requestedAt": "2026-11-21T10:12:00.000Z",
           *         "completedAt": null,
           *         "dataKeysDestroyed": 1,
           *         "evidence": [
           *           {
           *             "id": "evd_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *             "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
           *           }
           *         ],
           *         "objectsRemoved": null,
           *         "collections": []
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            erasure: components['schemas']['Erasure'];
            /** @description Id of the record. */
            id: string;
            /**
             * @description The record can no longer be used.
             * @enum {boolean}
             */
            deleted: true;
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The check is part of a session: `details.sessionId` names the session to delete. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  checkLiveness: {
    parameters: {
      query?: {
        /** @description Seconds to wait for the result, 0–60; `Prefer: wait=` means the same. Default 25. */
        wait?: number;
      };
      header?: {
        /** @description Unique key of the request, chosen by the client. A retry with the same key within 24 hours returns the first response. */
        'Idempotency-Key'?: string;
        /** @description Test keys only: the simulated outcome of the check. `approve`, `review`, `decline`, `fail`, or risk codes separated by commas. */
        'X-Sandbox-Result'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'multipart/form-data': {
          /** @description Session whose liveness step the check is; without one the check is standalone. */
          sessionId?: string;
          /** @description Challenge that `frames` answer. */
          challengeId?: string;
          /**
           * Format: binary
           * @description Selfie; required without a challenge. JPEG, PNG, WebP or HEIC, at most 15 MB and 50 megapixels; the type is detected from the content.
           */
          image?: Upload;
          frames?: Upload[];
        };
      };
    };
    responses: {
      /** @description The check with its result. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "check": {
           *         "id": "chk_01M815S32B2R8FK03ADJ49MC6E",
           *         "kind": "liveness",
           *         "feature": "liveness",
           *         "mode": "live",
           *         "sessionId": null,
           *         "status": "completed",
           *         "outcome": "approved",
           *         "supplementary": false,
           *         "risks": [],
           *         "result": {
           *           "method": "passive",
           *           "active": null,
           *           "face": {
           *             "box": {
           *               "x": 210,
           *               "y": 272,
           *               "width": 282,
           *               "height": 367
           *             },
           *             "confidence": 1
           *           },
           *           "faces": [
           *             {
           *               "box": {
           *                 "x": 210,
           *                 "y": 272,
           *                 "width": 282,
           *                 "height": 367
           *               },
           *               "confidence": 1
           *             }
           *           ],
           *           "rotation": 0,
           *           "thresholds": {
           *             "decline": 30,
           *             "review": 70
           *           },
           *           "measuredOn": "6 labelled images (3 live, 3 attacks) and 100 ordinary photographs: too few to state an error rate",
           *           "models": [
           *             {
           *               "role": "face_detector",
           *               "name": "faceplugin-detect",
           *               "version": "0.0.1",
           *               "sha256": "6c0256ccd3164f844736a401faf936ec2930764a87ae39442180887d0c5c8854"
           *             },
           *             {
           *               "role": "face_landmarks",
           *               "name": "faceplugin-landmark",
           *               "version": "0.0.1",
           *               "sha256": "f10b0ba1d2a8a099adefede1ebf3733e44fe370715e7303dbeb7f59c02142258"
           *             },
           *             {
           *               "role": "face_liveness",
           *               "name": "faceplugin-liveness",
           *               "version": "0.0.1",
           *               "sha256": "afa783b7e902fdfcf323a7240cac2a1c580c25314ea4161129dc1b0d100dc32d"
           *             },
           *             {
           *               "role": "face_pose",
           *               "name": "faceplugin-pose",
           *               "version": "0.0.1",
           *               "sha256": "72d032ec941b7153bf8d3f2c03a4c165453cc7e63d479041ec7c6ef087e5839d"
           *             },
           *             {
           *               "role": "eye_state",
           *               "name": "faceplugin-eye",
           *               "version": "0.0.1",
           *               "sha256": "1afcea006abc1ccac3c517022abde0aa092bed74ff3c9fe6878483ef9e6e38de"
           *             }
           *           ],
           *           "score": 93.5,
           *           "parts": {
           *             "model": 0.982,
           *             "narrowCrop": 0.997,
           *             "moire": 0,
           *             "specular": 0,
           *             "gamut": 0,
           *             "frameEdges": 0.312,
           *             "faceToFrame": 0.392
           *           },
           *           "deductions": {
           *             "narrowCrop": 0.5,
           *             "frameEdges": 4.7
           *           },
           *           "quality": {
           *             "sharpness": 57,
           *             "brightness": 151,
           *             "pose": {
           *               "yaw": 15,
           *               "pitch": -6.3,
           *               "roll": -3
           *             },
           *             "eyesOpen": [
           *               1,
           *               1
           *             ],
           *             "interEyeDistance": 130,
           *             "occlusion": 0,
           *             "covered": [],
           *             "overall": 57
           *           },
           *           "status": "approved",
           *           "risks": []
           *         },
           *         "error": null,
           *         "evidence": [
           *           {
           *             "id": "evd_01M815S32MWCY6JQ6ZPYB3KF5W",
           *             "field": "image"
           *           }
           *         ],
           *         "createdAt": "2026-11-22T08:25:49.403Z",
           *         "completedAt": "2026-11-22T08:25:49.571Z"
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            check: components['schemas']['LivenessCheck'];
          };
        };
      };
      /** @description The check is still processing; `Location` is its URL. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "check": {
           *         "id": "chk_01M815S32B2R8FK03ADJ49MC6E",
           *         "kind": "liveness",
           *         "feature": "liveness",
           *         "mode": "live",
           *         "sessionId": null,
           *         "status": "processing",
           *         "outcome": null,
           *         "supplementary": false,
           *         "risks": [],
           *         "result": null,
           *         "error": null,
           *         "evidence": [
           *           {
           *             "id": "evd_01M815S32MWCY6JQ6ZPYB3KF5W",
           *             "field": "image"
           *           }
           *         ],
           *         "createdAt": "2026-11-22T08:25:49.403Z",
           *         "completedAt": null
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            check: components['schemas']['LivenessCheck'];
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body did not arrive in time or arrived too slowly; the connection is closed. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The session does not accept this check now, or the challenge was already answered (`challenge_used`). */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The challenge has expired (`challenge_expired`). */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A file exceeds 15 MB or 50 megapixels. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A file is not of an accepted type, or the body is not multipart. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The Idempotency-Key was used with a different body. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  createLivenessChallenge: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "count": 3
         *     }
         */
        'application/json': {
          /** @description Session that the challenge is bound to. */
          sessionId?: string;
          /** @default 3 */
          count?: number;
        };
      };
    };
    responses: {
      /** @description The challenge. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "challenge": {
           *         "challengeId": "chl_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *         "sessionId": null,
           *         "actions": [
           *           "turn_left",
           *           "come_closer",
           *           "blink"
           *         ],
           *         "frames": {
           *           "least": 4,
           *           "most": 24
           *         },
           *         "expiresAt": "2026-11-21T10:05:00.000Z"
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            challenge: components['schemas']['LivenessChallenge'];
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body did not arrive in time or arrived too slowly; the connection is closed. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The session has drawn as many challenges as it may (`challenges_exhausted`). */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is larger than 1 MB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  estimateAge: {
    parameters: {
      query?: {
        /** @description Seconds to wait for the result, 0–60; `Prefer: wait=` means the same. Default 25. */
        wait?: number;
      };
      header?: {
        /** @description Unique key of the request, chosen by the client. A retry with the same key within 24 hours returns the first response. */
        'Idempotency-Key'?: string;
        /** @description Test keys only: the simulated outcome of the check. `approve`, `review`, `decline`, `fail`, or risk codes separated by commas. */
        'X-Sandbox-Result'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'multipart/form-data': {
          /** @description Session whose age step the check is; without one the check is standalone. */
          sessionId?: string;
          minimumAge?: number;
          /**
           * Format: binary
           * @description Selfie. JPEG, PNG, WebP or HEIC, at most 15 MB and 50 megapixels; the type is detected from the content.
           */
          image: Upload;
        };
      };
    };
    responses: {
      /** @description The check with its result. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "check": {
           *         "id": "chk_01M815S392J8JF0NX345RVZPZV",
           *         "kind": "age",
           *         "feature": "age",
           *         "mode": "live",
           *         "sessionId": null,
           *         "status": "completed",
           *         "outcome": "review",
           *         "supplementary": false,
           *         "risks": [
           *           {
           *             "code": "minimum_age_not_met",
           *             "severity": "high",
           *             "action": "review",
           *             "feature": "age",
           *             "message": "The person is younger than the minimum age.",
           *             "details": {
           *               "minimumAge": 18,
           *               "answer": "uncertain"
           *             }
           *           }
           *         ],
           *         "result": {
           *           "face": {
           *             "box": {
           *               "x": 210,
           *               "y": 272,
           *               "width": 282,
           *               "height": 367
           *             },
           *             "confidence": 1
           *           },
           *           "faces": [
           *             {
           *               "box": {
           *                 "x": 210,
           *                 "y": 272,
           *                 "width": 282,
           *                 "height": 367
           *               },
           *               "confidence": 1
           *             }
           *           ],
           *           "rotation": 0,
           *           "minimumAge": 18,
           *           "errorByAge": [
           *             {
           *               "from": 0,
           *               "to": 4,
           *               "meanAbsoluteError": 1.52
           *             },
           *             {
           *               "from": 4,
           *               "to": 9,
           *               "meanAbsoluteError": 3.06
           *             },
           *             {
           *               "from": 9,
           *               "to": 19,
           *               "meanAbsoluteError": 4.82
           *             },
           *             {
           *               "from": 19,
           *               "to": 29,
           *               "meanAbsoluteError": 4.99
           *             },
           *             {
           *               "from": 29,
           *               "to": 41,
           *               "meanAbsoluteError": 5.43
           *             },
           *             {
           *               "from": 41,
           *               "to": 61,
           *               "meanAbsoluteError": 4.94
           *             },
           *             {
           *               "from": 61,
           *               "to": 81,
           *               "meanAbsoluteError": 6.17
           *             },
           *             {
           *               "from": 81,
           *               "to": null,
           *               "meanAbsoluteError": 9.91
           *             }
           *           ],
           *           "measuredOn": "the maker's test sets (UTK, FGNET, Chalearn, Wiki, IMDB, CACD, MegaAge, MegaAge-Asian); errors by group are not stated",
           *           "models": [
           *             {
           *               "role": "face_detector",
           *               "name": "faceplugin-detect",
           *               "version": "0.0.1",
           *               "sha256": "6c0256ccd3164f844736a401faf936ec2930764a87ae39442180887d0c5c8854"
           *             },
           *             {
           *               "role": "face_landmarks",
           *               "name": "faceplugin-landmark",
           *               "version": "0.0.1",
           *               "sha256": "f10b0ba1d2a8a099adefede1ebf3733e44fe370715e7303dbeb7f59c02142258"
           *             },
           *             {
           *               "role": "face_embedding",
           *               "name": "faceplugin-feature",
           *               "version": "0.0.1",
           *               "sha256": "87aacdfe57510db2af90c0251df680e8eec88f122ee94712121d09bcaaaf3581"
           *             },
           *             {
           *               "role": "face_age",
           *               "name": "faceapi-age",
           *               "version": "1.7.15",
           *               "sha256": "0cf7742a9ec3769592056f8d8663ca1f1ecdb34dad7221afbcbbc9575e34d892"
           *             },
           *             {
           *               "role": "face_pose",
           *               "name": "faceplugin-pose",
           *               "version": "0.0.1",
           *               "sha256": "72d032ec941b7153bf8d3f2c03a4c165453cc7e63d479041ec7c6ef087e5839d"
           *             },
           *             {
           *               "role": "eye_state",
           *               "name": "faceplugin-eye",
           *               "version": "0.0.1",
           *               "sha256": "1afcea006abc1ccac3c517022abde0aa092bed74ff3c9fe6878483ef9e6e38de"
           *             }
           *           ],
           *           "age": 27.6,
           *           "interval": {
           *             "low": 17.3,
           *             "high": 37.9,
           *             "coverage": 0.9
           *           },
           *           "meanAbsoluteError": 4.99,
           *           "meetsMinimumAge": "uncertain",
           *           "quality": {
           *             "sharpness": 57,
           *             "brightness": 151,
           *             "pose": {
           *               "yaw": 15,
           *               "pitch": -6.3,
           *               "roll": -3
           *             },
           *             "eyesOpen": [
           *               1,
           *               1
           *             ],
           *             "interEyeDistance": 130,
           *             "occlusion": 0,
           *             "covered": [],
           *             "overall": 57
           *           },
           *           "status": "review",
           *           "risks": [
           *             {
           *               "code": "minimum_age_not_met",
           *               "severity": "high",
           *               "action": "review",
           *               "feature": "age",
           *               "message": "The person is younger than the minimum age.",
           *               "details": {
           *                 "minimumAge": 18,
           *                 "answer": "uncertain"
           *               }
           *             }
           *           ]
           *         },
           *         "error": null,
           *         "evidence": [
           *           {
           *             "id": "evd_01M815S39Q932E4N3C17VKJAS8",
           *             "field": "image"
           *           }
           *         ],
           *         "createdAt": "2026-11-22T08:25:49.630Z",
           *         "completedAt": "2026-11-22T08:25:49.744Z"
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            check: components['schemas']['AgeCheck'];
          };
        };
      };
      /** @description The check is still processing; `Location` is its URL. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "check": {
           *         "id": "chk_01M815S392J8JF0NX345RVZPZV",
           *         "kind": "age",
           *         "feature": "age",
           *         "mode": "live",
           *         "sessionId": null,
           *         "status": "processing",
           *         "outcome": null,
           *         "supplementary": false,
           *         "risks": [],
           *         "result": null,
           *         "error": null,
           *         "evidence": [
           *           {
           *             "id": "evd_01M815S39Q932E4N3C17VKJAS8",
           *             "field": "image"
           *           }
           *         ],
           *         "createdAt": "2026-11-22T08:25:49.630Z",
           *         "completedAt": null
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            check: components['schemas']['AgeCheck'];
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body did not arrive in time or arrived too slowly; the connection is closed. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The session does not accept this check now: it is decided, does not verify this feature, or has no attempts left. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A file exceeds 15 MB or 50 megapixels. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A file is not of an accepted type, or the body is not multipart. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The Idempotency-Key was used with a different body. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  searchFaces: {
    parameters: {
      query?: {
        /** @description Seconds to wait for the result, 0–60; `Prefer: wait=` means the same. Default 25. */
        wait?: number;
      };
      header?: {
        /** @description Unique key of the request, chosen by the client. A retry with the same key within 24 hours returns the first response. */
        'Idempotency-Key'?: string;
        /** @description Test keys only: the simulated outcome of the check. `approve`, `review`, `decline`, `fail`, or risk codes separated by commas. */
        'X-Sandbox-Result'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'multipart/form-data': {
          /** @default 10 */
          topK?: number;
          threshold?: number;
          /**
           * @description Lists to search, separated by commas. Default users, blocklist.
           * @example users
           */
          lists?: string;
          /**
           * Format: binary
           * @description Image of the person to search for. JPEG, PNG, WebP or HEIC, at most 15 MB and 50 megapixels; the type is detected from the content.
           */
          image: Upload;
        };
      };
    };
    responses: {
      /** @description The check with its result. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "check": {
           *         "id": "chk_01M815S45YFB525KPET8D3PANH",
           *         "kind": "face_search",
           *         "feature": null,
           *         "mode": "live",
           *         "sessionId": null,
           *         "status": "completed",
           *         "outcome": "approved",
           *         "supplementary": false,
           *         "risks": [],
           *         "result": {
           *           "matches": [
           *             {
           *               "id": "fac_01M815S3STKZWN1T6ZYW5PKESM",
           *               "name": null,
           *               "externalId": "customer-4711",
           *               "sessionId": null,
           *               "list": "users",
           *               "similarity": 1
           *             },
           *             {
           *               "id": "fac_01M815S3X0APM3A8TCJXAGK18M",
           *               "name": null,
           *               "externalId": "customer-4711",
           *               "sessionId": null,
           *               "list": "users",
           *               "similarity": 1
           *             }
           *           ],
           *           "lists": [
           *             "users",
           *             "blocklist"
           *           ],
           *           "topK": 10,
           *           "gallerySize": 2,
           *           "threshold": 0.5,
           *           "expectedFalseHits": 0.0000066475259354686515,
           *           "falsePositiveIdentificationRate": 0.000006647514888068385,
           *           "measuredOn": "4500 pairs of photographs of different people (10 people, highest cosine 0.33), extrapolated as a normal distribution",
           *           "faces": [
           *             {
           *               "box": {
           *                 "x": 210,
           *                 "y": 272,
           *                 "width": 282,
           *                 "height": 367
           *               },
           *               "confidence": 1
           *             }
           *           ],
           *           "face": {
           *             "box": {
           *               "x": 210,
           *               "y": 272,
           *               "width": 282,
           *               "height": 367
           *             },
           *             "confidence": 1
           *           },
           *           "rotation": 0,
           *           "quality": {
           *             "sharpness": 57,
           *             "brightness": 151,
           *             "pose": {
           *               "yaw": 15,
           *               "pitch": -6.3,
           *               "roll": -3
           *             },
           *             "eyesOpen": [
           *               1,
           *               1
           *             ],
           *             "interEyeDistance": 130,
           *             "occlusion": 0,
           *             "covered": [],
           *             "overall": 57
           *           },
           *           "models": [
           *             {
           *               "role": "face_detector",
           *               "name": "faceplugin-detect",
           *               "version": "0.0.1",
           *               "sha256": "6c0256ccd3164f844736a401faf936ec2930764a87ae39442180887d0c5c8854"
           *             },
           *             {
           *               "role": "face_landmarks",
           *               "name": "faceplugin-landmark",
           *               "version": "0.0.1",
           *               "sha256": "f10b0ba1d2a8a099adefede1ebf3733e44fe370715e7303dbeb7f59c02142258"
           *             },
           *             {
           *               "role": "face_embedding",
           *               "name": "faceplugin-feature",
           *               "version": "0.0.1",
           *               "sha256": "87aacdfe57510db2af90c0251df680e8eec88f122ee94712121d09bcaaaf3581"
           *             },
           *             {
           *               "role": "face_pose",
           *               "name": "faceplugin-pose",
           *               "version": "0.0.1",
           *               "sha256": "72d032ec941b7153bf8d3f2c03a4c165453cc7e63d479041ec7c6ef087e5839d"
           *             },
           *             {
           *               "role": "eye_state",
           *               "name": "faceplugin-eye",
           *               "version": "0.0.1",
           *               "sha256": "1afcea006abc1ccac3c517022abde0aa092bed74ff3c9fe6878483ef9e6e38de"
           *             }
           *           ],
           *           "status": "approved",
           *           "risks": []
           *         },
           *         "error": null,
           *         "evidence": [
           *           {
           *             "id": "evd_01M815S469FZHM768VFYRMXBB6",
           *             "field": "image"
           *           }
           *         ],
           *         "createdAt": "2026-11-22T08:25:50.541Z",
           *         "completedAt": "2026-11-22T08:25:50.713Z"
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            check: components['schemas']['FaceSearchCheck'];
          };
        };
      };
      /** @description The check is still processing; `Location` is its URL. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "check": {
           *         "id": "chk_01M815S45YFB525KPET8D3PANH",
           *         "kind": "face_search",
           *         "feature": null,
           *         "mode": "live",
           *         "sessionId": null,
           *         "status": "processing",
           *         "outcome": null,
           *         "supplementary": false,
           *         "risks": [],
           *         "result": null,
           *         "error": null,
           *         "evidence": [
           *           {
           *             "id": "evd_01M815S469FZHM768VFYRMXBB6",
           *             "field": "image"
           *           }
           *         ],
           *         "createdAt": "2026-11-22T08:25:50.541Z",
           *         "completedAt": null
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            check: components['schemas']['FaceSearchCheck'];
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body did not arrive in time or arrived too slowly; the connection is closed. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A request with the same Idempotency-Key is still running. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A file exceeds 15 MB or 50 megapixels. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A file is not of an accepted type, or the body is not multipart. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The Idempotency-Key was used with a different body. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  listFaces: {
    parameters: {
      query?: {
        limit?: number;
        cursor?: string;
        list?: 'users' | 'blocklist';
        externalId?: string;
        /** @description One or more of processing, indexed, rejected, failed, separated by commas; the parameter can also be repeated. */
        status?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of faces. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "faces": [
           *         {
           *           "id": "fac_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *           "mode": "live",
           *           "status": "indexed",
           *           "list": "users",
           *           "name": "Klara Martinsdotter",
           *           "externalId": "customer-4711",
           *           "metadata": {
           *             "branch": "Zenith"
           *           },
           *           "sessionId": null,
           *           "quality": {
           *             "sharpness": 82,
           *             "brightness": 141,
           *             "pose": {
           *               "yaw": -2.1,
           *               "pitch": 4.5,
           *               "roll": 0.3
           *             },
           *             "eyesOpen": [
           *               0.99,
           *               0.98
           *             ],
           *             "interEyeDistance": 124,
           *             "occlusion": 0,
           *             "covered": [],
           *             "overall": 82
           *           },
           *           "risks": [],
           *           "error": null,
           *           "createdAt": "2026-11-21T10:00:00.000Z",
           *           "indexedAt": "2026-11-21T10:00:00.310Z",
           *           "retainUntil": null
           *         }
           *       ],
           *       "total": 1,
           *       "nextCursor": null
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            faces: components['schemas']['IndexedFace'][];
            total: number;
            nextCursor: string | null;
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  indexFace: {
    parameters: {
      query?: {
        /** @description Seconds to wait for the result, 0–60; `Prefer: wait=` means the same. Default 25. */
        wait?: number;
      };
      header?: {
        /** @description Unique key of the request, chosen by the client. A retry with the same key within 24 hours returns the first response. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'multipart/form-data': {
          /**
           * @default users
           * @enum {string}
           */
          list?: 'users' | 'blocklist';
          name?: string;
          /** @description The client's own id of the person. */
          externalId?: string;
          /**
           * @description JSON object of at most 4 kB.
           * @example {"branch": "Zenith"}
           */
          metadata?: string;
          /** @description Days until the face is erased automatically. Default: it is kept until it is deleted. */
          retentionDays?: number;
          /**
           * Format: binary
           * @description Image that shows only this person. JPEG, PNG, WebP or HEIC, at most 15 MB and 50 megapixels; the type is detected from the content.
           */
          image: Upload;
        };
      };
    };
    responses: {
      /** @description The face; `status` says whether it is indexed. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "face": {
           *         "id": "fac_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *         "mode": "live",
           *         "status": "indexed",
           *         "list": "users",
           *         "name": "Klara Martinsdotter",
           *         "externalId": "customer-4711",
           *         "metadata": {
           *           "branch": "Zenith"
           *         },
           *         "sessionId": null,
           *         "quality": {
           *           "sharpness": 82,
           *           "brightness": 141,
           *           "pose": {
           *             "yaw": -2.1,
           *             "pitch": 4.5,
           *             "roll": 0.3
           *           },
           *           "eyesOpen": [
           *             0.99,
           *             0.98
           *           ],
           *           "interEyeDistance": 124,
           *           "occlusion": 0,
           *           "covered": [],
           *           "overall": 82
           *         },
           *         "risks": [],
           *         "error": null,
           *         "createdAt": "2026-11-21T10:00:00.000Z",
           *         "indexedAt": "2026-11-21T10:00:00.310Z",
           *         "retainUntil": null
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            face: components['schemas']['IndexedFace'];
          };
        };
      };
      /** @description The face is still processing; `Location` is its URL. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "face": {
           *         "id": "fac_01M815S3STKZWN1T6ZYW5PKESM",
           *         "mode": "live",
           *         "status": "processing",
           *         "list": "users",
           *         "name": null,
           *         "externalId": "customer-4711",
           *         "metadata": null,
           *         "sessionId": null,
           *         "quality": null,
           *         "risks": [],
           *         "error": null,
           *         "createdAt": "2026-11-22T08:25:50.176Z",
           *         "indexedAt": null,
           *         "retainUntil": null
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            face: components['schemas']['IndexedFace'];
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body did not arrive in time or arrived too slowly; the connection is closed. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A request with the same Idempotency-Key is still running. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A file exceeds 15 MB or 50 megapixels. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A file is not of an accepted type, or the body is not multipart. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The Idempotency-Key was used with a different body. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  getFace: {
    parameters: {
      query?: {
        /** @description Seconds to wait for the result, 0–60; `Prefer: wait=` means the same. Default 25. */
        wait?: number;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The face. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "face": {
           *         "id": "fac_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *         "mode": "live",
           *         "status": "indexed",
           *         "list": "users",
           *         "name": "Klara Martinsdotter",
           *         "externalId": "customer-4711",
           *         "metadata": {
           *           "branch": "Zenith"
           *         },
           *         "sessionId": null,
           *         "quality": {
           *           "sharpness": 82,
           *           "brightness": 141,
           *           "pose": {
           *             "yaw": -2.1,
           *             "pitch": 4.5,
           *             "roll": 0.3
           *           },
           *           "eyesOpen": [
           *             0.99,
           *             0.98
           *           ],
           *           "interEyeDistance": 124,
           *           "occlusion": 0,
           *           "covered": [],
           *           "overall": 82
           *         },
           *         "risks": [],
           *         "error": null,
           *         "createdAt": "2026-11-21T10:00:00.000Z",
           *         "indexedAt": "2026-11-21T10:00:00.310Z",
           *         "retainUntil": null
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            face: components['schemas']['IndexedFace'];
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  deleteFace: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The receipt of the completed erasure. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "id": "ses_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *       "deleted": true,
           *       "erasure": {
           *         "id": "era_01JQZ5B1S3T5V7X9Z1B3D5F7H9",
           *         "kind": "session",
           *         "recordId": "ses_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *         "mode": "live",
           *         "status": "completed",
           *         "reason": "request",
           *         "by": "key_01JQZ4A7C9E1G3J5M7P9R1T3V5",
           *         "byName": "Checkout of the shop",
           *         "requestedAt": "2026-11-21T10:12:00.000Z",
           *         "completedAt": "2026-11-21T10:12:00.140Z",
           *         "dataKeysDestroyed": 1,
           *         "evidence": [
           *           {
           *             "id": "evd_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *             "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
           *           }
           *         ],
           *         "objectsRemoved": 1,
           *         "collections": [
           *           {
           *             "name": "idempotency",
           *             "removed": 1,
           *             "anonymised": 0
           *           },
           *           {
           *             "name": "webhook_events",
           *             "removed": 0,
           *             "anonymised": 4
           *           },
           *           {
           *             "name": "evidence",
           *             "removed": 1,
           *             "anonymised": 0
           *           },
           *           {
           *             "name": "checks",
           *             "removed": 1,
           *             "anonymised": 0
           *           },
           *           {
           *             "name": "sessions",
           *             "removed": 1,
           *             "anonymised": 0
           *           }
           *         ]
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            erasure: components['schemas']['Erasure'];
            /** @description Id of the record. */
            id: string;
            /**
             * @description The record can no longer be used.
             * @enum {boolean}
             */
            deleted: true;
          };
        };
      };
      /** @description The receipt of a started erasure: the record is inaccessible and unreadable; `Location` is the address of the receipt. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "id": "ses_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *       "deleted": true,
           *       "erasure": {
           *         "id": "era_01JQZ5B1S3T5V7X9Z1B3D5F7H9",
           *         "kind": "session",
           *         "recordId": "ses_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *         "mode": "live",
           *         "status": "erasing",
           *         "reason": "request",
           *         "by": "key_01JQZ4A7C9E1G3J5M7P9R1T3V5",
           *         "byName": "Checkout of the shop",
           *         "requestedAt": "2026-11-21T10:12:00.000Z",
           *         "completedAt": null,
           *         "dataKeysDestroyed": 1,
           *         "evidence": [
           *           {
           *             "id": "evd_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *             "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
           *           }
           *         ],
           *         "objectsRemoved": null,
           *         "collections": []
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            erasure: components['schemas']['Erasure'];
            /** @description Id of the record. */
            id: string;
            /**
             * @description The record can no longer be used.
             * @enum {boolean}
             */
            deleted: true;
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description `face_of_session`: the face is the selfie of a session; `details.sessionId` names the session to delete. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  validateAgainstDatabase: {
    parameters: {
      query?: {
        /** @description Seconds to wait for the result, 0–60; `Prefer: wait=` means the same. Default 25. */
        wait?: number;
      };
      header?: {
        /** @description Unique key of the request, chosen by the client. A retry with the same key within 24 hours returns the first response. */
        'Idempotency-Key'?: string;
        /** @description Test keys only: the simulated outcome of the check. `approve`, `review`, `decline`, `fail`, or risk codes separated by commas. */
        'X-Sandbox-Result'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'multipart/form-data': {
          /**
           * @description Country that issued the number, ISO 3166-1 alpha-2 or alpha-3.
           * @example FI
           */
          country: string;
          /** @example 131052-308T */
          idNumber: string;
          firstName?: string;
          lastName?: string;
          /**
           * Format: date
           * @description Date of birth, not in the future.
           * @example 1952-10-13
           */
          dateOfBirth?: string;
          /** @enum {string} */
          sex?: 'F' | 'M';
          /** @description Session to whose database step the check belongs; without it the check is standalone. */
          sessionId?: string;
          /**
           * Format: binary
           * @description A photograph of the person. JPEG, PNG, WebP or HEIC, at most 15 MB and 50 megapixels; the type is detected from the content.
           */
          image?: Upload;
        };
      };
    };
    responses: {
      /** @description The check with its result. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "check": {
           *         "id": "chk_01M815S4DNZ0DXF5C0ZTV4WWFN",
           *         "kind": "database_validation",
           *         "feature": "database",
           *         "mode": "live",
           *         "sessionId": null,
           *         "status": "completed",
           *         "outcome": "review",
           *         "supplementary": false,
           *         "risks": [
           *           {
           *             "code": "database_partial_match",
           *             "severity": "medium",
           *             "action": "review",
           *             "feature": "database",
           *             "message": "Only some of the details match the register.",
           *             "details": {
           *               "provider": "national_number"
           *             }
           *           }
           *         ],
           *         "result": {
           *           "matchType": "partial",
           *           "provider": "national_number",
           *           "validations": [
           *             {
           *               "field": "idNumber",
           *               "status": "match"
           *             },
           *             {
           *               "field": "firstName",
           *               "status": "not_checked"
           *             },
           *             {
           *               "field": "lastName",
           *               "status": "not_checked"
           *             },
           *             {
           *               "field": "dateOfBirth",
           *               "status": "match"
           *             }
           *           ],
           *           "numberStatus": "valid",
           *           "dataAt": null,
           *           "status": "review",
           *           "risks": [
           *             {
           *               "code": "database_partial_match",
           *               "severity": "medium",
           *               "action": "review",
           *               "feature": "database",
           *               "message": "Only some of the details match the register.",
           *               "details": {
           *                 "provider": "national_number"
           *               }
           *             }
           *           ]
           *         },
           *         "error": null,
           *         "evidence": [],
           *         "createdAt": "2026-11-22T08:25:50.774Z",
           *         "completedAt": "2026-11-22T08:25:50.857Z"
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            check: components['schemas']['DatabaseCheck'];
          };
        };
      };
      /** @description The check is still processing; `Location` is its URL. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "check": {
           *         "id": "chk_01M815S4DNZ0DXF5C0ZTV4WWFN",
           *         "kind": "database_validation",
           *         "feature": "database",
           *         "mode": "live",
           *         "sessionId": null,
           *         "status": "processing",
           *         "outcome": null,
           *         "supplementary": false,
           *         "risks": [],
           *         "result": null,
           *         "error": null,
           *         "evidence": [],
           *         "createdAt": "2026-11-22T08:25:50.774Z",
           *         "completedAt": null
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            check: components['schemas']['DatabaseCheck'];
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body did not arrive in time or arrived too slowly; the connection is closed. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The session does not accept this check now: it is decided, does not verify this feature, or has no attempts left. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A file exceeds 15 MB or 50 megapixels. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A file is not of an accepted type, or the body is not multipart. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The Idempotency-Key was used with a different body. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  listBlockedDocuments: {
    parameters: {
      query?: {
        limit?: number;
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Blocked documents, newest first. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "documents": [
           *         {
           *           "id": "blk_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *           "mode": "live",
           *           "hint": "••••••617",
           *           "issuingState": "UTO",
           *           "reason": "reported stolen",
           *           "createdAt": "2026-11-21T10:00:00.000Z"
           *         }
           *       ],
           *       "total": 1,
           *       "nextCursor": null
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            documents: components['schemas']['BlockedDocument'][];
            total: number;
            nextCursor: string | null;
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  blockDocument: {
    parameters: {
      query?: never;
      header?: {
        /** @description Unique key of the request, chosen by the client. A retry with the same key within 24 hours returns the first response. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "documentNumber": "B55512345",
         *       "issuingState": "UTO",
         *       "reason": "Reported stolen."
         *     }
         */
        'application/json': {
          documentNumber?: string;
          /** @description State that issued the document; required with `documentNumber`, not accepted otherwise. */
          issuingState?: string;
          /** @description Session whose document is blocked: the latest one read. */
          sessionId?: string;
          /** @description Check whose document is blocked. */
          checkId?: string;
          reason?: string;
        };
      };
    };
    responses: {
      /** @description The entry. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "document": {
           *         "id": "blk_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *         "mode": "live",
           *         "hint": "••••••617",
           *         "issuingState": "UTO",
           *         "reason": "reported stolen",
           *         "createdAt": "2026-11-21T10:00:00.000Z"
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            document: components['schemas']['BlockedDocument'];
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The session or check does not exist. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body did not arrive in time or arrived too slowly; the connection is closed. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The document is already on the blocklist, or the session or check read no document number with an issuing state. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is larger than 1 MB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The Idempotency-Key was used with a different body. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  unblockDocument: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The document was removed. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "id": "blk_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *       "deleted": true
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            /** @description Id of the record. */
            id: string;
            /**
             * @description The record can no longer be used.
             * @enum {boolean}
             */
            deleted: true;
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  listErasures: {
    parameters: {
      query?: {
        limit?: number;
        cursor?: string;
        /** @description One or more of session, check, screening, register, kyb, face, separated by commas; the parameter can also be repeated. */
        kind?: string;
        /** @description One or more of erasing, completed, separated by commas; the parameter can also be repeated. */
        status?: string;
        /** @description Id of the erased record. */
        recordId?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Receipts, newest first; `total` counts all that match the filters. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "erasures": [
           *         {
           *           "id": "era_01JQZ5B1S3T5V7X9Z1B3D5F7H9",
           *           "kind": "session",
           *           "recordId": "ses_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *           "mode": "live",
           *           "status": "completed",
           *           "reason": "request",
           *           "by": "key_01JQZ4A7C9E1G3J5M7P9R1T3V5",
           *           "byName": "Checkout of the shop",
           *           "requestedAt": "2026-11-21T10:12:00.000Z",
           *           "completedAt": "2026-11-21T10:12:00.140Z",
           *           "dataKeysDestroyed": 1,
           *           "evidence": [
           *             {
           *               "id": "evd_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *               "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
           *             }
           *           ],
           *           "objectsRemoved": 1,
           *           "collections": [
           *             {
           *               "name": "idempotency",
           *               "removed": 1,
           *               "anonymised": 0
           *             },
           *             {
           *               "name": "webhook_events",
           *               "removed": 0,
           *               "anonymised": 4
           *             },
           *             {
           *               "name": "evidence",
           *               "removed": 1,
           *               "anonymised": 0
           *             },
           *             {
           *               "name": "checks",
           *               "removed": 1,
           *               "anonymised": 0
           *             },
           *             {
           *               "name": "sessions",
           *               "removed": 1,
           *               "anonymised": 0
           *             }
           *           ]
           *         }
           *       ],
           *       "total": 1,
           *       "nextCursor": null
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            erasures: components['schemas']['Erasure'][];
            total: number;
            nextCursor: string | null;
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  getErasure: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The receipt; `status` states whether the erasure is complete. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "erasure": {
           *         "id": "era_01JQZ5B1S3T5V7X9Z1B3D5F7H9",
           *         "kind": "session",
           *         "recordId": "ses_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *         "mode": "live",
           *         "status": "completed",
           *         "reason": "request",
           *         "by": "key_01JQZ4A7C9E1G3J5M7P9R1T3V5",
           *         "byName": "Checkout of the shop",
           *         "requestedAt": "2026-11-21T10:12:00.000Z",
           *         "completedAt": "2026-11-21T10:12:00.140Z",
           *         "dataKeysDestroyed": 1,
           *         "evidence": [
           *           {
           *             "id": "evd_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *             "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
           *           }
           *         ],
           *         "objectsRemoved": 1,
           *         "collections": [
           *           {
           *             "name": "idempotency",
           *             "removed": 1,
           *             "anonymised": 0
           *           },
           *           {
           *             "name": "webhook_events",
           *             "removed": 0,
           *             "anonymised": 4
           *           },
           *           {
           *             "name": "evidence",
           *             "removed": 1,
           *             "anonymised": 0
           *           },
           *           {
           *             "name": "checks",
           *             "removed": 1,
           *             "anonymised": 0
           *           },
           *           {
           *             "name": "sessions",
           *             "removed": 1,
           *             "anonymised": 0
           *           }
           *         ]
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            erasure: components['schemas']['Erasure'];
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  listKybChecks: {
    parameters: {
      query?: {
        limit?: number;
        cursor?: string;
        /** @description One or more of processing, found, not_found, review, failed, separated by commas; the parameter can also be repeated. */
        status?: string;
        /** @description Requested country, ISO 3166-1 alpha-2 or alpha-3. */
        country?: string;
        /** @description Created at or after this date or time, which must not be after `to`. */
        from?: string;
        /** @description Created before this time, or on or before this date. */
        to?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of checks, newest first; `total` counts all checks that match the filters. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "checks": [
           *         {
           *           "id": "kyb_01JQZ7E5X8Z1C4F7J0M3P6R9T2",
           *           "mode": "live",
           *           "status": "found",
           *           "query": {
           *             "companyName": "Harbour Lights",
           *             "country": "GB",
           *             "registrationNumber": "01234567",
           *             "vatNumber": null,
           *             "lei": null
           *           },
           *           "provider": "companies_house",
           *           "dataAt": null,
           *           "company": {
           *             "legalName": "HARBOUR LIGHTS LIMITED",
           *             "otherNames": [],
           *             "country": "GB",
           *             "registrationNumber": "01234567",
           *             "vatNumber": null,
           *             "lei": null,
           *             "leiStatus": null,
           *             "status": "active",
           *             "legalForm": {
           *               "code": null,
           *               "name": "Private limited company"
           *             },
           *             "incorporationDate": "1988-04-12",
           *             "dissolutionDate": null,
           *             "registeredAddress": {
           *               "lines": [
           *                 "4 Quay Street"
           *               ],
           *               "city": "Whitby",
           *               "region": "North Yorkshire",
           *               "postalCode": "YO21 1AA",
           *               "country": "United Kingdom"
           *             },
           *             "headquarters": null
           *           },
           *           "officers": [
           *             {
           *               "name": "Edith QUAYLE",
           *               "kind": "person",
           *               "role": "director",
           *               "appointedOn": "2011-02-01",
           *               "resignedOn": null,
           *               "nationality": "British",
           *               "country": "United Kingdom",
           *               "dateOfBirth": {
           *                 "year": 1971,
           *                 "month": 8,
           *                 "day": null
           *               }
           *             }
           *           ],
           *           "owners": [
           *             {
           *               "name": "Edith Quayle",
           *               "kind": "person",
           *               "sharesPercent": {
           *                 "from": 75,
           *                 "to": 100
           *               },
           *               "control": [
           *                 "ownership-of-shares-75-to-100-percent"
           *               ],
           *               "registrationNumber": null,
           *               "country": "United Kingdom",
           *               "nationality": "British",
           *               "dateOfBirth": {
           *                 "year": 1971,
           *                 "month": 8,
           *                 "day": null
           *               },
           *               "notifiedOn": "2016-04-06",
           *               "ceasedOn": null
           *             }
           *           ],
           *           "parents": {
           *             "direct": null,
           *             "ultimate": null
           *           },
           *           "aml": {
           *             "status": "completed",
           *             "reason": null,
           *             "match": false,
           *             "parties": [
           *               {
           *                 "roles": [
           *                   "company"
           *                 ],
           *                 "name": "HARBOUR LIGHTS LIMITED",
           *                 "kind": "company",
           *                 "match": false,
           *                 "score": 0,
           *                 "hits": [],
           *                 "monitorId": null
           *               },
           *               {
           *                 "roles": [
           *                   "officer",
           *                   "owner"
           *                 ],
           *                 "name": "Edith QUAYLE",
           *                 "kind": "person",
           *                 "match": false,
           *                 "score": 0,
           *                 "hits": [],
           *                 "monitorId": null
           *               }
           *             ],
           *             "listsSearched": [
           *               {
           *                 "list": "un",
           *                 "version": "alv_01JQZ7E5X8Z1C4F7J0M3P6R9T2",
           *                 "ageHours": 5,
           *                 "stale": false
           *               }
           *             ],
           *             "at": "2026-11-21T10:30:00.000Z"
           *           },
           *           "matches": [],
           *           "sources": [
           *             {
           *               "provider": "companies_house",
           *               "status": "answered",
           *               "outcome": "matched",
           *               "reason": null,
           *               "at": "2026-11-21T10:30:00.000Z",
           *               "copy": null,
           *               "dataAt": null
           *             }
           *           ],
           *           "risks": [],
           *           "error": null,
           *           "createdAt": "2026-11-21T10:29:59.000Z",
           *           "completedAt": "2026-11-21T10:30:00.000Z"
           *         }
           *       ],
           *       "total": 1,
           *       "nextCursor": null
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            checks: components['schemas']['KybCheck'][];
            total: number;
            nextCursor: string | null;
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  createKybCheck: {
    parameters: {
      query?: {
        /** @description Seconds to wait for the result, 0–60; `Prefer: wait=` means the same. Default 25. */
        wait?: number;
      };
      header?: {
        /** @description Unique key of the request, chosen by the client. A retry with the same key within 24 hours returns the first response. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "companyName": "Harbour Lights",
         *       "country": "GB",
         *       "registrationNumber": "01234567"
         *     }
         */
        'application/json': {
          /** @example Harbour Lights Ltd */
          companyName: string;
          /**
           * @description Country of the company, ISO 3166-1 alpha-2 or alpha-3.
           * @example GB
           */
          country?: string;
          /**
           * @description Number of the company in the register of its country.
           * @example 01234567
           */
          registrationNumber?: string;
          /**
           * @description VAT number, with or without the prefix of its state.
           * @example GB123456789
           */
          vatNumber?: string;
          /**
           * @description Legal entity identifier, ISO 17442; the check digits are verified.
           * @example 529900T8BM49AURSDO55
           */
          lei?: string;
          /** @description Whether to screen the company, its officers, owners and parents again whenever a relevant list entry changes. */
          monitoring?: boolean;
        };
      };
    };
    responses: {
      /** @description The completed check. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "check": {
           *         "id": "kyb_01JQZ7E5X8Z1C4F7J0M3P6R9T2",
           *         "mode": "live",
           *         "status": "found",
           *         "query": {
           *           "companyName": "Harbour Lights",
           *           "country": "GB",
           *           "registrationNumber": "01234567",
           *           "vatNumber": null,
           *           "lei": null
           *         },
           *         "provider": "companies_house",
           *         "dataAt": null,
           *         "company": {
           *           "legalName": "HARBOUR LIGHTS LIMITED",
           *           "otherNames": [],
           *           "country": "GB",
           *           "registrationNumber": "01234567",
           *           "vatNumber": null,
           *           "lei": null,
           *           "leiStatus": null,
           *           "status": "active",
           *           "legalForm": {
           *             "code": null,
           *             "name": "Private limited company"
           *           },
           *           "incorporationDate": "1988-04-12",
           *           "dissolutionDate": null,
           *           "registeredAddress": {
           *             "lines": [
           *               "4 Quay Street"
           *             ],
           *             "city": "Whitby",
           *             "region": "North Yorkshire",
           *             "postalCode": "YO21 1AA",
           *             "country": "United Kingdom"
           *           },
           *           "headquarters": null
           *         },
           *         "officers": [
           *           {
           *             "name": "Edith QUAYLE",
           *             "kind": "person",
           *             "role": "director",
           *             "appointedOn": "2011-02-01",
           *             "resignedOn": null,
           *             "nationality": "British",
           *             "country": "United Kingdom",
           *             "dateOfBirth": {
           *               "year": 1971,
           *               "month": 8,
           *               "day": null
           *             }
           *           }
           *         ],
           *         "owners": [
           *           {
           *             "name": "Edith Quayle",
           *             "kind": "person",
           *             "sharesPercent": {
           *               "from": 75,
           *               "to": 100
           *             },
           *             "control": [
           *               "ownership-of-shares-75-to-100-percent"
           *             ],
           *             "registrationNumber": null,
           *             "country": "United Kingdom",
           *             "nationality": "British",
           *             "dateOfBirth": {
           *               "year": 1971,
           *               "month": 8,
           *               "day": null
           *             },
           *             "notifiedOn": "2016-04-06",
           *             "ceasedOn": null
           *           }
           *         ],
           *         "parents": {
           *           "direct": null,
           *           "ultimate": null
           *         },
           *         "aml": {
           *           "status": "completed",
           *           "reason": null,
           *           "match": false,
           *           "parties": [
           *             {
           *               "roles": [
           *                 "company"
           *               ],
           *               "name": "HARBOUR LIGHTS LIMITED",
           *               "kind": "company",
           *               "match": false,
           *               "score": 0,
           *               "hits": [],
           *               "monitorId": null
           *             },
           *             {
           *               "roles": [
           *                 "officer",
           *                 "owner"
           *               ],
           *               "name": "Edith QUAYLE",
           *               "kind": "person",
           *               "match": false,
           *               "score": 0,
           *               "hits": [],
           *               "monitorId": null
           *             }
           *           ],
           *           "listsSearched": [
           *             {
           *               "list": "un",
           *               "version": "alv_01JQZ7E5X8Z1C4F7J0M3P6R9T2",
           *               "ageHours": 5,
           *               "stale": false
           *             }
           *           ],
           *           "at": "2026-11-21T10:30:00.000Z"
           *         },
           *         "matches": [],
           *         "sources": [
           *           {
           *             "provider": "companies_house",
           *             "status": "answered",
           *             "outcome": "matched",
           *             "reason": null,
           *             "at": "2026-11-21T10:30:00.000Z",
           *             "copy": null,
           *             "dataAt": null
           *           }
           *         ],
           *         "risks": [],
           *         "error": null,
           *         "createdAt": "2026-11-21T10:29:59.000Z",
           *         "completedAt": "2026-11-21T10:30:00.000Z"
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            check: components['schemas']['KybCheck'];
          };
        };
      };
      /** @description The check, still processing; `Location` is its address. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "check": {
           *         "id": "kyb_01M815S6AFDZ00SMGEGMYM0XB4",
           *         "mode": "live",
           *         "status": "processing",
           *         "query": {
           *           "companyName": "Harbour Lights",
           *           "country": "GB",
           *           "registrationNumber": null,
           *           "vatNumber": null,
           *           "lei": null
           *         },
           *         "provider": null,
           *         "dataAt": null,
           *         "company": null,
           *         "officers": [],
           *         "owners": [],
           *         "parents": {
           *           "direct": null,
           *           "ultimate": null
           *         },
           *         "aml": null,
           *         "matches": [],
           *         "sources": [
           *           {
           *             "provider": "companies_house",
           *             "status": "pending",
           *             "outcome": null,
           *             "reason": null,
           *             "at": null,
           *             "copy": null,
           *             "dataAt": null
           *           },
           *           {
           *             "provider": "gleif",
           *             "status": "pending",
           *             "outcome": null,
           *             "reason": null,
           *             "at": null,
           *             "copy": null,
           *             "dataAt": null
           *           }
           *         ],
           *         "risks": [],
           *         "error": null,
           *         "createdAt": "2026-11-22T08:25:52.719Z",
           *         "completedAt": null
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            check: components['schemas']['KybCheck'];
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body did not arrive in time or arrived too slowly; the connection is closed. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A request with the same Idempotency-Key is still running. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is larger than 1 MB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The Idempotency-Key was used with a different body. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  getKybCheck: {
    parameters: {
      query?: {
        /** @description Seconds to wait for the result, 0–60; `Prefer: wait=` means the same. Default 25. */
        wait?: number;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The check. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "check": {
           *         "id": "kyb_01JQZ7E5X8Z1C4F7J0M3P6R9T2",
           *         "mode": "live",
           *         "status": "found",
           *         "query": {
           *           "companyName": "Harbour Lights",
           *           "country": "GB",
           *           "registrationNumber": "01234567",
           *           "vatNumber": null,
           *           "lei": null
           *         },
           *         "provider": "companies_house",
           *         "dataAt": null,
           *         "company": {
           *           "legalName": "HARBOUR LIGHTS LIMITED",
           *           "otherNames": [],
           *           "country": "GB",
           *           "registrationNumber": "01234567",
           *           "vatNumber": null,
           *           "lei": null,
           *           "leiStatus": null,
           *           "status": "active",
           *           "legalForm": {
           *             "code": null,
           *             "name": "Private limited company"
           *           },
           *           "incorporationDate": "1988-04-12",
           *           "dissolutionDate": null,
           *           "registeredAddress": {
           *             "lines": [
           *               "4 Quay Street"
           *             ],
           *             "city": "Whitby",
           *             "region": "North Yorkshire",
           *             "postalCode": "YO21 1AA",
           *             "country": "United Kingdom"
           *           },
           *           "headquarters": null
           *         },
           *         "officers": [
           *           {
           *             "name": "Edith QUAYLE",
           *             "kind": "person",
           *             "role": "director",
           *             "appointedOn": "2011-02-01",
           *             "resignedOn": null,
           *             "nationality": "British",
           *             "country": "United Kingdom",
           *             "dateOfBirth": {
           *               "year": 1971,
           *               "month": 8,
           *               "day": null
           *             }
           *           }
           *         ],
           *         "owners": [
           *           {
           *             "name": "Edith Quayle",
           *             "kind": "person",
           *             "sharesPercent": {
           *               "from": 75,
           *               "to": 100
           *             },
           *             "control": [
           *               "ownership-of-shares-75-to-100-percent"
           *             ],
           *             "registrationNumber": null,
           *             "country": "United Kingdom",
           *             "nationality": "British",
           *             "dateOfBirth": {
           *               "year": 1971,
           *               "month": 8,
           *               "day": null
           *             },
           *             "notifiedOn": "2016-04-06",
           *             "ceasedOn": null
           *           }
           *         ],
           *         "parents": {
           *           "direct": null,
           *           "ultimate": null
           *         },
           *         "aml": {
           *           "status": "completed",
           *           "reason": null,
           *           "match": false,
           *           "parties": [
           *             {
           *               "roles": [
           *                 "company"
           *               ],
           *               "name": "HARBOUR LIGHTS LIMITED",
           *               "kind": "company",
           *               "match": false,
           *               "score": 0,
           *               "hits": [],
           *               "monitorId": null
           *             },
           *             {
           *               "roles": [
           *                 "officer",
           *                 "owner"
           *               ],
           *               "name": "Edith QUAYLE",
           *               "kind": "person",
           *               "match": false,
           *               "score": 0,
           *               "hits": [],
           *               "monitorId": null
           *             }
           *           ],
           *           "listsSearched": [
           *             {
           *               "list": "un",
           *               "version": "alv_01JQZ7E5X8Z1C4F7J0M3P6R9T2",
           *               "ageHours": 5,
           *               "stale": false
           *             }
           *           ],
           *           "at": "2026-11-21T10:30:00.000Z"
           *         },
           *         "matches": [],
           *         "sources": [
           *           {
           *             "provider": "companies_house",
           *             "status": "answered",
           *             "outcome": "matched",
           *             "reason": null,
           *             "at": "2026-11-21T10:30:00.000Z",
           *             "copy": null,
           *             "dataAt": null
           *           }
           *         ],
           *         "risks": [],
           *         "error": null,
           *         "createdAt": "2026-11-21T10:29:59.000Z",
           *         "completedAt": "2026-11-21T10:30:00.000Z"
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            check: components['schemas']['KybCheck'];
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  deleteKybCheck: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The receipt of the completed erasure. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "id": "ses_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *       "deleted": true,
           *       "erasure": {
           *         "id": "era_01JQZ5B1S3T5V7X9Z1B3D5F7H9",
           *         "kind": "session",
           *         "recordId": "ses_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *         "mode": "live",
           *         "status": "completed",
           *         "reason": "request",
           *         "by": "key_01JQZ4A7C9E1G3J5M7P9R1T3V5",
           *         "byName": "Checkout of the shop",
           *         "requestedAt": "2026-11-21T10:12:00.000Z",
           *         "completedAt": "2026-11-21T10:12:00.140Z",
           *         "dataKeysDestroyed": 1,
           *         "evidence": [
           *           {
           *             "id": "evd_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *             "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
           *           }
           *         ],
           *         "objectsRemoved": 1,
           *         "collections": [
           *           {
           *             "name": "idempotency",
           *             "removed": 1,
           *             "anonymised": 0
           *           },
           *           {
           *             "name": "webhook_events",
           *             "removed": 0,
           *             "anonymised": 4
           *           },
           *           {
           *             "name": "evidence",
           *             "removed": 1,
           *             "anonymised": 0
           *           },
           *           {
           *             "name": "checks",
           *             "removed": 1,
           *             "anonymised": 0
           *           },
           *           {
           *             "name": "sessions",
           *             "removed": 1,
           *             "anonymised": 0
           *           }
           *         ]
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            erasure: components['schemas']['Erasure'];
            /** @description Id of the record. */
            id: string;
            /**
             * @description The record can no longer be used.
             * @enum {boolean}
             */
            deleted: true;
          };
        };
      };
      /** @description The receipt of a started erasure: the record is inaccessible and unreadable; `Location` is the address of the receipt. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "id": "ses_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *       "deleted": true,
           *       "erasure": {
           *         "id": "era_01JQZ5B1S3T5V7X9Z1B3D5F7H9",
           *         "kind": "session",
           *         "recordId": "ses_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *         "mode": "live",
           *         "status": "erasing",
           *         "reason": "request",
           *         "by": "key_01JQZ4A7C9E1G3J5M7P9R1T3V5",
           *         "byName": "Checkout of the shop",
           *         "requestedAt": "2026-11-21T10:12:00.000Z",
           *         "completedAt": null,
           *         "dataKeysDestroyed": 1,
           *         "evidence": [
           *           {
           *             "id": "evd_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *             "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
           *           }
           *         ],
           *         "objectsRemoved": null,
           *         "collections": []
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            erasure: components['schemas']['Erasure'];
            /** @description Id of the record. */
            id: string;
            /**
             * @description The record can no longer be used.
             * @enum {boolean}
             */
            deleted: true;
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  screenAml: {
    parameters: {
      query?: {
        /** @description Seconds to wait for the result, 0–60; `Prefer: wait=` means the same. Default 25. */
        wait?: number;
      };
      header?: {
        /** @description Unique key of the request, chosen by the client. A retry with the same key within 24 hours returns the first response. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "fullName": "Jane Example",
         *       "entityType": "person",
         *       "dateOfBirth": "1980-01-31",
         *       "nationality": "FR"
         *     }
         */
        'application/json': {
          /** @description Name of the subject, in any script and any order of its parts. */
          fullName: string;
          /**
           * @default any
           * @enum {string}
           */
          entityType?: 'person' | 'company' | 'vessel' | 'aircraft' | 'any';
          /** @description Date of birth as YYYY, YYYY-MM or YYYY-MM-DD, not in the future. */
          dateOfBirth?: string;
          nationality?: string;
          /** @description Country of residence or registration, ISO 3166-1 alpha-2 or alpha-3. */
          country?: string;
          documentNumber?: string;
          /** @enum {string} */
          gender?: 'male' | 'female';
          /** @description Score from which an entry is a hit. Default: 70. */
          threshold?: number;
          /** @description Codes of the lists to search. Default: all loaded lists. */
          lists?: string[];
          /** @description Whether to screen the subject again whenever a relevant list entry changes. */
          monitoring?: boolean;
        };
      };
    };
    responses: {
      /** @description The result of the screening. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "match": false,
           *       "score": 0,
           *       "hits": [],
           *       "screening": {
           *         "id": "aml_01JQZ7A1B3C5D7E9F1G3H5J7K9",
           *         "mode": "live",
           *         "status": "completed",
           *         "origin": "client",
           *         "monitorId": null,
           *         "threshold": 70,
           *         "lists": null,
           *         "listsSearched": [
           *           {
           *             "list": "un",
           *             "title": "United Nations Security Council consolidated list",
           *             "version": "alv_01JQZ5S1T3V5W7X9Y1Z3A5B7C9",
           *             "importedAt": "2026-11-21T06:00:00.000Z",
           *             "ageHours": 4,
           *             "stale": false
           *           }
           *         ],
           *         "listsNotLoaded": [],
           *         "risks": [],
           *         "error": null,
           *         "createdAt": "2026-11-21T10:00:00.000Z",
           *         "completedAt": "2026-11-21T10:00:00.060Z"
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            /** @description Whether there is a hit that no reviewer has marked as a false positive. */
            match: boolean;
            /** @description Score of the best such hit, 0–100. */
            score: number;
            hits: components['schemas']['AmlHit'][];
            screening: components['schemas']['AmlScreening'];
          };
        };
      };
      /** @description The screening, still processing; `Location` is the address of its result. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "screening": {
           *         "id": "aml_01JQZ7A1B3C5D7E9F1G3H5J7K9",
           *         "mode": "live",
           *         "status": "processing",
           *         "origin": "client",
           *         "monitorId": null,
           *         "threshold": 70,
           *         "lists": null,
           *         "listsSearched": [],
           *         "listsNotLoaded": [],
           *         "risks": [],
           *         "error": null,
           *         "createdAt": "2026-11-21T10:00:00.000Z",
           *         "completedAt": null
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            screening: components['schemas']['AmlScreening'];
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body did not arrive in time or arrived too slowly; the connection is closed. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A request with the same Idempotency-Key is still running. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is larger than 1 MB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The Idempotency-Key was used with another body. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No list is loaded (`lists_unavailable`), or the screening did not complete in time (`screening_unavailable`); see `Retry-After`. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  listAmlScreenings: {
    parameters: {
      query?: {
        limit?: number;
        cursor?: string;
        /** @description One or more of processing, completed, failed, separated by commas; the parameter can also be repeated. */
        status?: string;
        match?: boolean;
        monitorId?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Screenings, newest first; `total` counts all that match the filters. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "screenings": [
           *         {
           *           "id": "aml_01JQZ7A1B3C5D7E9F1G3H5J7K9",
           *           "mode": "live",
           *           "status": "completed",
           *           "origin": "client",
           *           "monitorId": null,
           *           "threshold": 70,
           *           "lists": null,
           *           "listsSearched": [
           *             {
           *               "list": "un",
           *               "title": "United Nations Security Council consolidated list",
           *               "version": "alv_01JQZ5S1T3V5W7X9Y1Z3A5B7C9",
           *               "importedAt": "2026-11-21T06:00:00.000Z",
           *               "ageHours": 4,
           *               "stale": false
           *             }
           *           ],
           *           "listsNotLoaded": [],
           *           "risks": [],
           *           "error": null,
           *           "createdAt": "2026-11-21T10:00:00.000Z",
           *           "completedAt": "2026-11-21T10:00:00.060Z",
           *           "match": false,
           *           "score": 0,
           *           "hitCount": 0
           *         }
           *       ],
           *       "total": 1,
           *       "nextCursor": null
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            screenings: components['schemas']['AmlScreeningSummary'][];
            total: number;
            nextCursor: string | null;
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  getAmlScreening: {
    parameters: {
      query?: {
        /** @description Seconds to wait for the result, 0–60; `Prefer: wait=` means the same. Default 25. */
        wait?: number;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The result of the screening. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "match": false,
           *       "score": 0,
           *       "hits": [],
           *       "screening": {
           *         "id": "aml_01JQZ7A1B3C5D7E9F1G3H5J7K9",
           *         "mode": "live",
           *         "status": "completed",
           *         "origin": "client",
           *         "monitorId": null,
           *         "threshold": 70,
           *         "lists": null,
           *         "listsSearched": [
           *           {
           *             "list": "un",
           *             "title": "United Nations Security Council consolidated list",
           *             "version": "alv_01JQZ5S1T3V5W7X9Y1Z3A5B7C9",
           *             "importedAt": "2026-11-21T06:00:00.000Z",
           *             "ageHours": 4,
           *             "stale": false
           *           }
           *         ],
           *         "listsNotLoaded": [],
           *         "risks": [],
           *         "error": null,
           *         "createdAt": "2026-11-21T10:00:00.000Z",
           *         "completedAt": "2026-11-21T10:00:00.060Z"
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            /** @description Whether there is a hit that no reviewer has marked as a false positive. */
            match: boolean;
            /** @description Score of the best such hit, 0–100. */
            score: number;
            hits: components['schemas']['AmlHit'][];
            screening: components['schemas']['AmlScreening'];
          };
        };
      };
      /** @description The screening without a result: still processing or failed, see `screening.status`. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "screening": {
           *         "id": "aml_01JQZ7A1B3C5D7E9F1G3H5J7K9",
           *         "mode": "live",
           *         "status": "processing",
           *         "origin": "client",
           *         "monitorId": null,
           *         "threshold": 70,
           *         "lists": null,
           *         "listsSearched": [],
           *         "listsNotLoaded": [],
           *         "risks": [],
           *         "error": null,
           *         "createdAt": "2026-11-21T10:00:00.000Z",
           *         "completedAt": null
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            screening: components['schemas']['AmlScreening'];
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  deleteAmlScreening: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The receipt of the completed erasure. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "id": "ses_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *       "deleted": true,
           *       "erasure": {
           *         "id": "era_01JQZ5B1S3T5V7X9Z1B3D5F7H9",
           *         "kind": "session",
           *         "recordId": "ses_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *         "mode": "live",
           *         "status": "completed",
           *         "reason": "request",
           *         "by": "key_01JQZ4A7C9E1G3J5M7P9R1T3V5",
           *         "byName": "Checkout of the shop",
           *         "requestedAt": "2026-11-21T10:12:00.000Z",
           *         "completedAt": "2026-11-21T10:12:00.140Z",
           *         "dataKeysDestroyed": 1,
           *         "evidence": [
           *           {
           *             "id": "evd_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *             "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
           *           }
           *         ],
           *         "objectsRemoved": 1,
           *         "collections": [
           *           {
           *             "name": "idempotency",
           *             "removed": 1,
           *             "anonymised": 0
           *           },
           *           {
           *             "name": "webhook_events",
           *             "removed": 0,
           *             "anonymised": 4
           *           },
           *           {
           *             "name": "evidence",
           *             "removed": 1,
           *             "anonymised": 0
           *           },
           *           {
           *             "name": "checks",
           *             "removed": 1,
           *             "anonymised": 0
           *           },
           *           {
           *             "name": "sessions",
           *             "removed": 1,
           *             "anonymised": 0
           *           }
           *         ]
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            erasure: components['schemas']['Erasure'];
            /** @description Id of the record. */
            id: string;
            /**
             * @description The record can no longer be used.
             * @enum {boolean}
             */
            deleted: true;
          };
        };
      };
      /** @description The receipt of a started erasure: the record is inaccessible and unreadable; `Location` is the address of the receipt. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "id": "ses_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *       "deleted": true,
           *       "erasure": {
           *         "id": "era_01JQZ5B1S3T5V7X9Z1B3D5F7H9",
           *         "kind": "session",
           *         "recordId": "ses_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *         "mode": "live",
           *         "status": "erasing",
           *         "reason": "request",
           *         "by": "key_01JQZ4A7C9E1G3J5M7P9R1T3V5",
           *         "byName": "Checkout of the shop",
           *         "requestedAt": "2026-11-21T10:12:00.000Z",
           *         "completedAt": null,
           *         "dataKeysDestroyed": 1,
           *         "evidence": [
           *           {
           *             "id": "evd_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *             "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
           *           }
           *         ],
           *         "objectsRemoved": null,
           *         "collections": []
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            erasure: components['schemas']['Erasure'];
            /** @description Id of the record. */
            id: string;
            /**
             * @description The record can no longer be used.
             * @enum {boolean}
             */
            deleted: true;
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The screening was made by a monitor: `details.recordId` names the screening or business check to delete. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  reviewAmlHit: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "status": "false_positive",
         *       "reason": "Another date and place of birth."
         *     }
         */
        'application/json': {
          /** @enum {string} */
          status: 'false_positive' | 'confirmed' | 'inconclusive';
          reason: string;
        };
      };
    };
    responses: {
      /** @description The hit, and the new evaluation of its screening, of the check of its session or of all parties of its business check. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "hit": {
           *         "id": "hit_01M815S66KMCC4QG2T2RQ2633B",
           *         "list": "own",
           *         "listVersion": "alv_01M815S5TQJXN06SJQY45BTA9M",
           *         "entryId": "W1",
           *         "entryHash": "352601698b47d0d0e371e81ca215ce037518167c24ce389c982b08c93b5bb2b3",
           *         "entityType": "person",
           *         "caption": "Jane Example",
           *         "matchedName": "Jane Example",
           *         "score": 100,
           *         "explanation": [
           *           {
           *             "part": "name",
           *             "weight": 1,
           *             "queryValue": "Jane Example",
           *             "listValue": "Jane Example",
           *             "effect": 100
           *           }
           *         ],
           *         "aliases": [],
           *         "datesOfBirth": [],
           *         "countries": [],
           *         "genders": [],
           *         "programs": [],
           *         "identifiers": [],
           *         "positions": [],
           *         "addresses": [],
           *         "remarks": null,
           *         "sourceUrl": null,
           *         "firstSeen": "2026-11-22T08:25:52.201Z",
           *         "lastChanged": "2026-11-22T08:25:52.201Z",
           *         "reviewStatus": "false_positive",
           *         "review": {
           *           "status": "false_positive",
           *           "reason": "Another date and place of birth.",
           *           "by": "key_01M815RY083K99C6RCN02NKPXH",
           *           "byName": "Compliance",
           *           "at": "2026-11-22T08:25:52.639Z"
           *         }
           *       },
           *       "match": false,
           *       "score": 0
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            hit: components['schemas']['AmlHit'];
            match: boolean;
            score: number;
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body did not arrive in time or arrived too slowly; the connection is closed. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is larger than 1 MB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  listAmlLists: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description All lists, whether loaded or not. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "lists": [
           *         {
           *           "code": "own",
           *           "title": "own",
           *           "own": true,
           *           "loaded": true,
           *           "stale": false,
           *           "ageHours": 0,
           *           "checkedAt": "2026-11-22T08:25:52.258Z",
           *           "sourceUrl": null,
           *           "error": null,
           *           "version": {
           *             "id": "alv_01M815S5TQJXN06SJQY45BTA9M",
           *             "status": "current",
           *             "format": "own_csv",
           *             "sha256": "05930ae1beccf002e66e57e38427093e2b73616cdf10bb1267e992b5bf822661",
           *             "importedAt": "2026-11-22T08:25:52.201Z",
           *             "publishedAt": null,
           *             "counts": {
           *               "entries": 1,
           *               "aliases": 0,
           *               "addresses": 0,
           *               "incomplete": 0,
           *               "skipped": 0
           *             },
           *             "differences": {
           *               "added": 1,
           *               "changed": 0,
           *               "removed": 0
           *             }
           *           },
           *           "heldVersion": null
           *         },
           *         {
           *           "code": "ofac_sdn",
           *           "title": "OFAC Specially Designated Nationals and Blocked Persons",
           *           "own": false,
           *           "loaded": false,
           *           "stale": false,
           *           "ageHours": null,
           *           "checkedAt": null,
           *           "sourceUrl": null,
           *           "error": null,
           *           "version": null,
           *           "heldVersion": null
           *         }
           *       ]
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            lists: components['schemas']['AmlList'][];
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  listAmlListChanges: {
    parameters: {
      query?: {
        limit?: number;
        cursor?: string;
        version?: string;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The versions, newest first, and a page of changed entries. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "versions": [
           *         {
           *           "id": "alv_01M815S5TQJXN06SJQY45BTA9M",
           *           "status": "current",
           *           "format": "own_csv",
           *           "sha256": "05930ae1beccf002e66e57e38427093e2b73616cdf10bb1267e992b5bf822661",
           *           "importedAt": "2026-11-22T08:25:52.201Z",
           *           "publishedAt": null,
           *           "counts": {
           *             "entries": 1,
           *             "aliases": 0,
           *             "addresses": 0,
           *             "incomplete": 0,
           *             "skipped": 0
           *           },
           *           "differences": {
           *             "added": 1,
           *             "changed": 0,
           *             "removed": 0
           *           }
           *         }
           *       ],
           *       "version": "alv_01M815S5TQJXN06SJQY45BTA9M",
           *       "affected": 0,
           *       "changes": [],
           *       "total": 0,
           *       "nextCursor": null
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            versions: components['schemas']['AmlListVersion'][];
            version: string | null;
            /** @description Number of your monitored subjects that were screened again because of the version. */
            affected: number;
            changes: {
              entryId: string;
              /** @enum {string} */
              kind: 'added' | 'changed' | 'removed';
              caption: string;
            }[];
            total: number;
            nextCursor: string | null;
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  listAmlMonitors: {
    parameters: {
      query?: {
        limit?: number;
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of monitors, newest first. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "monitors": [
           *         {
           *           "id": "mon_01JQZ7B1C3D5E7F9G1H3J5K7M9",
           *           "screeningId": "aml_01JQZ7A1B3C5D7E9F1G3H5J7K9",
           *           "kybId": null,
           *           "threshold": 70,
           *           "lists": null,
           *           "lastScreeningId": "aml_01JQZ7A1B3C5D7E9F1G3H5J7K9",
           *           "lastScreenedAt": "2026-11-21T10:00:00.060Z",
           *           "alerts": 0,
           *           "createdAt": "2026-11-21T10:00:00.000Z"
           *         }
           *       ],
           *       "total": 1,
           *       "nextCursor": null
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            monitors: components['schemas']['AmlMonitor'][];
            total: number;
            nextCursor: string | null;
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  getAmlMonitor: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The monitor. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "monitor": {
           *         "id": "mon_01JQZ7B1C3D5E7F9G1H3J5K7M9",
           *         "screeningId": "aml_01JQZ7A1B3C5D7E9F1G3H5J7K9",
           *         "kybId": null,
           *         "threshold": 70,
           *         "lists": null,
           *         "lastScreeningId": "aml_01JQZ7A1B3C5D7E9F1G3H5J7K9",
           *         "lastScreenedAt": "2026-11-21T10:00:00.060Z",
           *         "alerts": 0,
           *         "createdAt": "2026-11-21T10:00:00.000Z"
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            monitor: components['schemas']['AmlMonitor'];
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  deleteAmlMonitor: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The id of the ended monitor. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "id": "mon_01JQZ7B1C3D5E7F9G1H3J5K7M9",
           *       "deleted": true
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            /** @description Id of the record. */
            id: string;
            /**
             * @description The record can no longer be used.
             * @enum {boolean}
             */
            deleted: true;
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  importRegister: {
    parameters: {
      query?: {
        /** @description Seconds to wait for the result, 0–60; `Prefer: wait=` means the same. Default 25. */
        wait?: number;
      };
      header?: {
        /** @description Unique key of the request, chosen by the client. A retry with the same key within 24 hours returns the first response. */
        'Idempotency-Key'?: string;
      };
      path: {
        kind: 'persons' | 'companies';
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'multipart/form-data': {
          /**
           * Format: binary
           * @description The CSV file.
           */
          file: Upload;
        };
      };
    };
    responses: {
      /** @description The import report; `status` is `active` or `failed`. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "register": {
           *         "id": "reg_01JQZ6D4W7Y0B3E6H9K2N5Q8S1",
           *         "kind": "persons",
           *         "mode": "live",
           *         "status": "active",
           *         "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
           *         "bytes": 48213,
           *         "rows": {
           *           "total": 811,
           *           "imported": 810,
           *           "rejected": 1
           *         },
           *         "problems": [
           *           {
           *             "line": 407,
           *             "field": "dateOfBirth",
           *             "problem": "is not a date YYYY-MM-DD"
           *           }
           *         ],
           *         "error": null,
           *         "createdAt": "2026-11-21T10:20:00.000Z",
           *         "completedAt": "2026-11-21T10:20:00.412Z"
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            register: components['schemas']['Register'];
          };
        };
      };
      /** @description The version, still being imported; `Location` is its address. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "register": {
           *         "id": "reg_01JQZ6D4W7Y0B3E6H9K2N5Q8S1",
           *         "kind": "persons",
           *         "mode": "live",
           *         "status": "importing",
           *         "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
           *         "bytes": 48213,
           *         "rows": {
           *           "total": 0,
           *           "imported": 0,
           *           "rejected": 0
           *         },
           *         "problems": [],
           *         "error": null,
           *         "createdAt": "2026-11-21T10:20:00.000Z",
           *         "completedAt": null
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            register: components['schemas']['Register'];
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body did not arrive in time or arrived too slowly; the connection is closed. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A request with the same Idempotency-Key is still running. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The file has more than 15 MB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is not multipart, or the file is not CSV. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The Idempotency-Key was used with a different body. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  listRegisters: {
    parameters: {
      query?: {
        limit?: number;
        cursor?: string;
        kind?: 'persons' | 'companies';
        /** @description One or more of importing, active, superseded, failed, separated by commas; the parameter can also be repeated. */
        status?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of versions, newest first; `total` counts all versions that match the filters. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "registers": [
           *         {
           *           "id": "reg_01JQZ6D4W7Y0B3E6H9K2N5Q8S1",
           *           "kind": "persons",
           *           "mode": "live",
           *           "status": "active",
           *           "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
           *           "bytes": 48213,
           *           "rows": {
           *             "total": 811,
           *             "imported": 810,
           *             "rejected": 1
           *           },
           *           "problems": [
           *             {
           *               "line": 407,
           *               "field": "dateOfBirth",
           *               "problem": "is not a date YYYY-MM-DD"
           *             }
           *           ],
           *           "error": null,
           *           "createdAt": "2026-11-21T10:20:00.000Z",
           *           "completedAt": "2026-11-21T10:20:00.412Z"
           *         }
           *       ],
           *       "total": 1,
           *       "nextCursor": null
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            registers: components['schemas']['Register'][];
            total: number;
            nextCursor: string | null;
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  getRegister: {
    parameters: {
      query?: {
        /** @description Seconds to wait for the result, 0–60; `Prefer: wait=` means the same. Default 25. */
        wait?: number;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The version. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "register": {
           *         "id": "reg_01JQZ6D4W7Y0B3E6H9K2N5Q8S1",
           *         "kind": "persons",
           *         "mode": "live",
           *         "status": "active",
           *         "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
           *         "bytes": 48213,
           *         "rows": {
           *           "total": 811,
           *           "imported": 810,
           *           "rejected": 1
           *         },
           *         "problems": [
           *           {
           *             "line": 407,
           *             "field": "dateOfBirth",
           *             "problem": "is not a date YYYY-MM-DD"
           *           }
           *         ],
           *         "error": null,
           *         "createdAt": "2026-11-21T10:20:00.000Z",
           *         "completedAt": "2026-11-21T10:20:00.412Z"
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            register: components['schemas']['Register'];
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  deleteRegister: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The receipt of the completed erasure. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "id": "ses_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *       "deleted": true,
           *       "erasure": {
           *         "id": "era_01JQZ5B1S3T5V7X9Z1B3D5F7H9",
           *         "kind": "session",
           *         "recordId": "ses_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *         "mode": "live",
           *         "status": "completed",
           *         "reason": "request",
           *         "by": "key_01JQZ4A7C9E1G3J5M7P9R1T3V5",
           *         "byName": "Checkout of the shop",
           *         "requestedAt": "2026-11-21T10:12:00.000Z",
           *         "completedAt": "2026-11-21T10:12:00.140Z",
           *         "dataKeysDestroyed": 1,
           *         "evidence": [
           *           {
           *             "id": "evd_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *             "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
           *           }
           *         ],
           *         "objectsRemoved": 1,
           *         "collections": [
           *           {
           *             "name": "idempotency",
           *             "removed": 1,
           *             "anonymised": 0
           *           },
           *           {
           *             "name": "webhook_events",
           *             "removed": 0,
           *             "anonymised": 4
           *           },
           *           {
           *             "name": "evidence",
           *             "removed": 1,
           *             "anonymised": 0
           *           },
           *           {
           *             "name": "checks",
           *             "removed": 1,
           *             "anonymised": 0
           *           },
           *           {
           *             "name": "sessions",
           *             "removed": 1,
           *             "anonymised": 0
           *           }
           *         ]
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            erasure: components['schemas']['Erasure'];
            /** @description Id of the record. */
            id: string;
            /**
             * @description The record can no longer be used.
             * @enum {boolean}
             */
            deleted: true;
          };
        };
      };
      /** @description The receipt of a started erasure: the record is inaccessible and unreadable; `Location` is the address of the receipt. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "id": "ses_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *       "deleted": true,
           *       "erasure": {
           *         "id": "era_01JQZ5B1S3T5V7X9Z1B3D5F7H9",
           *         "kind": "session",
           *         "recordId": "ses_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *         "mode": "live",
           *         "status": "erasing",
           *         "reason": "request",
           *         "by": "key_01JQZ4A7C9E1G3J5M7P9R1T3V5",
           *         "byName": "Checkout of the shop",
           *         "requestedAt": "2026-11-21T10:12:00.000Z",
           *         "completedAt": null,
           *         "dataKeysDestroyed": 1,
           *         "evidence": [
           *           {
           *             "id": "evd_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *             "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
           *           }
           *         ],
           *         "objectsRemoved": null,
           *         "collections": []
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            erasure: components['schemas']['Erasure'];
            /** @description Id of the record. */
            id: string;
            /**
             * @description The record can no longer be used.
             * @enum {boolean}
             */
            deleted: true;
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  loginToConsole: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "email": "alex@example.com",
         *       "password": "a long passphrase",
         *       "mode": "live"
         *     }
         */
        'application/json': {
          email: string;
          password: string;
          /** @description Current code of the second factor, or a recovery code; needed by users who have one (401 `second_factor_required`). A valid code is accepted also while failed attempts delay others. */
          code?: string;
          /** @description Slug of the organisation; needed only where several have an account with this email address and password (409 `organisation_required`). Without it, the password is tried for every account of the address, and counts as a failed attempt if it is wrong for one. */
          organisation?: string;
          /**
           * @description Mode of the session, which determines whether it accesses live or test records.
           * @default live
           * @enum {string}
           */
          mode?: 'live' | 'test';
        };
      };
    };
    responses: {
      /** @description The started session; its cookie is in `Set-Cookie`. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "user": {
           *         "id": "usr_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *         "name": "Alex Kim",
           *         "email": "alex@example.com",
           *         "role": "admin",
           *         "businessRole": "accountant"
           *       },
           *       "mode": "live",
           *       "permissions": [
           *         "sessions:read",
           *         "sessions:decide"
           *       ],
           *       "businessPermissions": [
           *         "invoices:read",
           *         "invoices:create"
           *       ],
           *       "restriction": null,
           *       "csrfToken": "f1d2…",
           *       "expiresAt": "2026-11-21T22:00:00.000Z"
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            user: {
              id: string;
              name: string;
              email: string;
              /**
               * @description Role in identity verification; null without access.
               * @enum {string|null}
               */
              role: 'admin' | 'reviewer' | 'developer' | 'auditor' | 'viewer' | null;
              /**
               * @description Role in business management; null without access.
               * @enum {string|null}
               */
              businessRole: 'admin' | 'accountant' | 'sales' | 'warehouse' | 'viewer' | null;
            };
            /** @enum {string} */
            mode: 'live' | 'test';
            /** @description Permissions in `/v1`. */
            permissions: (
              | 'sessions:read'
              | 'sessions:write'
              | 'sessions:decide'
              | 'workflows:read'
              | 'workflows:write'
              | 'sessions:delete'
              | 'sessions:share'
              | 'sessions:import'
              | 'sessions:trust-import'
              | 'sharing:read'
              | 'sharing:trust'
              | 'checks:read'
              | 'checks:delete'
              | 'erasures:read'
              | 'evidence:read'
              | 'documents:write'
              | 'biometrics:write'
              | 'blocklist:read'
              | 'blocklist:write'
              | 'kyb:read'
              | 'kyb:write'
              | 'aml:read'
              | 'aml:screen'
              | 'aml:review'
              | 'aml:delete'
              | 'registers:read'
              | 'registers:write'
              | 'faces:read'
              | 'faces:write'
              | 'webhooks:read'
              | 'webhooks:write'
              | 'audit:read'
              | 'operations:read'
              | 'keys:read'
              | 'keys:write'
            )[];
            /** @description Permissions in `/api`, which has only live mode. */
            businessPermissions: (
              | 'products:read'
              | 'products:create'
              | 'products:update'
              | 'products:delete'
              | 'inventory:read'
              | 'inventory:adjust'
              | 'inventory:transfer'
              | 'customers:read'
              | 'customers:create'
              | 'customers:update'
              | 'vendors:read'
              | 'vendors:create'
              | 'vendors:update'
              | 'invoices:read'
              | 'invoices:create'
              | 'invoices:update'
              | 'invoices:delete'
              | 'invoices:issue'
              | 'invoices:void'
              | 'credit-notes:read'
              | 'credit-notes:create'
              | 'purchase-orders:read'
              | 'purchase-orders:create'
              | 'purchase-orders:update'
              | 'purchase-orders:receive'
              | 'receivables:read'
              | 'receivables:create'
              | 'receivables:update'
              | 'payables:read'
              | 'payables:create'
              | 'payables:update'
              | 'accounting:read'
              | 'accounting:update'
              | 'banking:read'
              | 'banking:create'
              | 'banking:update'
              | 'crm:read'
              | 'crm:create'
              | 'crm:update'
              | 'config:read'
              | 'config:update'
              | 'config:lock'
              | 'messages:read'
              | 'messages:send'
              | 'messages:report'
              | 'exports:read'
              | 'exports:create'
              | 'admin:read'
              | 'admin:update'
            )[];
            /**
             * @description What the user must do first: until then, all routes but those to do it return 403 with this code. Null for a complete account.
             * @enum {string|null}
             */
            restriction: 'password_change_required' | 'second_factor_enrolment_required' | null;
            /** @description CSRF token, to be sent as X-CSRF-Token with every request except GET. */
            csrfToken: string;
            /** Format: date-time */
            expiresAt: string;
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credentials are invalid, or the user has a second factor: `second_factor_required`, `second_factor_invalid`. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The request does not come from an allowed origin, or the user has no role in either API. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body did not arrive in time or arrived too slowly; the connection is closed. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description `organisation_required`: several organisations have an account with this email address and password; `details.organisations` names them. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is larger than 1 MB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  logoutFromConsole: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The session has ended. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  switchConsoleMode: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "mode": "test"
         *     }
         */
        'application/json': {
          /** @enum {string} */
          mode: 'live' | 'test';
        };
      };
    };
    responses: {
      /** @description The new session; its cookie is in `Set-Cookie`. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "user": {
           *         "id": "usr_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *         "name": "Alex Kim",
           *         "email": "alex@example.com",
           *         "role": "admin",
           *         "businessRole": "accountant"
           *       },
           *       "mode": "live",
           *       "permissions": [
           *         "sessions:read",
           *         "sessions:decide"
           *       ],
           *       "businessPermissions": [
           *         "invoices:read",
           *         "invoices:create"
           *       ],
           *       "restriction": null,
           *       "csrfToken": "f1d2…",
           *       "expiresAt": "2026-11-21T22:00:00.000Z"
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            user: {
              id: string;
              name: string;
              email: string;
              /**
               * @description Role in identity verification; null without access.
               * @enum {string|null}
               */
              role: 'admin' | 'reviewer' | 'developer' | 'auditor' | 'viewer' | null;
              /**
               * @description Role in business management; null without access.
               * @enum {string|null}
               */
              businessRole: 'admin' | 'accountant' | 'sales' | 'warehouse' | 'viewer' | null;
            };
            /** @enum {string} */
            mode: 'live' | 'test';
            /** @description Permissions in `/v1`. */
            permissions: (
              | 'sessions:read'
              | 'sessions:write'
              | 'sessions:decide'
              | 'workflows:read'
              | 'workflows:write'
              | 'sessions:delete'
              | 'sessions:share'
              | 'sessions:import'
              | 'sessions:trust-import'
              | 'sharing:read'
              | 'sharing:trust'
              | 'checks:read'
              | 'checks:delete'
              | 'erasures:read'
              | 'evidence:read'
              | 'documents:write'
              | 'biometrics:write'
              | 'blocklist:read'
              | 'blocklist:write'
              | 'kyb:read'
              | 'kyb:write'
              | 'aml:read'
              | 'aml:screen'
              | 'aml:review'
              | 'aml:delete'
              | 'registers:read'
              | 'registers:write'
              | 'faces:read'
              | 'faces:write'
              | 'webhooks:read'
              | 'webhooks:write'
              | 'audit:read'
              | 'operations:read'
              | 'keys:read'
              | 'keys:write'
            )[];
            /** @description Permissions in `/api`, which has only live mode. */
            businessPermissions: (
              | 'products:read'
              | 'products:create'
              | 'products:update'
              | 'products:delete'
              | 'inventory:read'
              | 'inventory:adjust'
              | 'inventory:transfer'
              | 'customers:read'
              | 'customers:create'
              | 'customers:update'
              | 'vendors:read'
              | 'vendors:create'
              | 'vendors:update'
              | 'invoices:read'
              | 'invoices:create'
              | 'invoices:update'
              | 'invoices:delete'
              | 'invoices:issue'
              | 'invoices:void'
              | 'credit-notes:read'
              | 'credit-notes:create'
              | 'purchase-orders:read'
              | 'purchase-orders:create'
              | 'purchase-orders:update'
              | 'purchase-orders:receive'
              | 'receivables:read'
              | 'receivables:create'
              | 'receivables:update'
              | 'payables:read'
              | 'payables:create'
              | 'payables:update'
              | 'accounting:read'
              | 'accounting:update'
              | 'banking:read'
              | 'banking:create'
              | 'banking:update'
              | 'crm:read'
              | 'crm:create'
              | 'crm:update'
              | 'config:read'
              | 'config:update'
              | 'config:lock'
              | 'messages:read'
              | 'messages:send'
              | 'messages:report'
              | 'exports:read'
              | 'exports:create'
              | 'admin:read'
              | 'admin:update'
            )[];
            /**
             * @description What the user must do first: until then, all routes but those to do it return 403 with this code. Null for a complete account.
             * @enum {string|null}
             */
            restriction: 'password_change_required' | 'second_factor_enrolment_required' | null;
            /** @description CSRF token, to be sent as X-CSRF-Token with every request except GET. */
            csrfToken: string;
            /** Format: date-time */
            expiresAt: string;
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body did not arrive in time or arrived too slowly; the connection is closed. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is larger than 1 MB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  getCredential: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The credential, its organisation, mode and permissions in both APIs. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "user": {
           *         "id": "usr_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *         "name": "Alex Kim",
           *         "email": "alex@example.com",
           *         "role": "admin",
           *         "businessRole": "accountant"
           *       },
           *       "key": null,
           *       "organisation": {
           *         "id": "org_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *         "name": "Example GmbH"
           *       },
           *       "mode": "live",
           *       "permissions": [
           *         "sessions:read",
           *         "sessions:decide"
           *       ],
           *       "businessPermissions": [
           *         "invoices:read",
           *         "invoices:create"
           *       ],
           *       "restriction": null,
           *       "csrfToken": "f1d2…",
           *       "expiresAt": "2026-11-21T22:00:00.000Z",
           *       "temporalUi": "https://temporal.example.com/namespaces/vouch"
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            user: {
              id: string;
              name: string;
              email: string;
              /**
               * @description Role in identity verification; null without access.
               * @enum {string|null}
               */
              role: 'admin' | 'reviewer' | 'developer' | 'auditor' | 'viewer' | null;
              /**
               * @description Role in business management; null without access.
               * @enum {string|null}
               */
              businessRole: 'admin' | 'accountant' | 'sales' | 'warehouse' | 'viewer' | null;
            } | null;
            key: {
              id: string;
              name: string;
            } | null;
            organisation: {
              id: string;
              name: string;
            };
            /** @enum {string} */
            mode: 'live' | 'test';
            /** @description Permissions in `/v1`. */
            permissions: (
              | 'sessions:read'
              | 'sessions:write'
              | 'sessions:decide'
              | 'workflows:read'
              | 'workflows:write'
              | 'sessions:delete'
              | 'sessions:share'
              | 'sessions:import'
              | 'sessions:trust-import'
              | 'sharing:read'
              | 'sharing:trust'
              | 'checks:read'
              | 'checks:delete'
              | 'erasures:read'
              | 'evidence:read'
              | 'documents:write'
              | 'biometrics:write'
              | 'blocklist:read'
              | 'blocklist:write'
              | 'kyb:read'
              | 'kyb:write'
              | 'aml:read'
              | 'aml:screen'
              | 'aml:review'
              | 'aml:delete'
              | 'registers:read'
              | 'registers:write'
              | 'faces:read'
              | 'faces:write'
              | 'webhooks:read'
              | 'webhooks:write'
              | 'audit:read'
              | 'operations:read'
              | 'keys:read'
              | 'keys:write'
            )[];
            /** @description Permissions in `/api`, which has only live mode. */
            businessPermissions: (
              | 'products:read'
              | 'products:create'
              | 'products:update'
              | 'products:delete'
              | 'inventory:read'
              | 'inventory:adjust'
              | 'inventory:transfer'
              | 'customers:read'
              | 'customers:create'
              | 'customers:update'
              | 'vendors:read'
              | 'vendors:create'
              | 'vendors:update'
              | 'invoices:read'
              | 'invoices:create'
              | 'invoices:update'
              | 'invoices:delete'
              | 'invoices:issue'
              | 'invoices:void'
              | 'credit-notes:read'
              | 'credit-notes:create'
              | 'purchase-orders:read'
              | 'purchase-orders:create'
              | 'purchase-orders:update'
              | 'purchase-orders:receive'
              | 'receivables:read'
              | 'receivables:create'
              | 'receivables:update'
              | 'payables:read'
              | 'payables:create'
              | 'payables:update'
              | 'accounting:read'
              | 'accounting:update'
              | 'banking:read'
              | 'banking:create'
              | 'banking:update'
              | 'crm:read'
              | 'crm:create'
              | 'crm:update'
              | 'config:read'
              | 'config:update'
              | 'config:lock'
              | 'messages:read'
              | 'messages:send'
              | 'messages:report'
              | 'exports:read'
              | 'exports:create'
              | 'admin:read'
              | 'admin:update'
            )[];
            /**
             * @description What the user must do first: until then, all routes but those to do it return 403 with this code. Null for a complete account.
             * @enum {string|null}
             */
            restriction: 'password_change_required' | 'second_factor_enrolment_required' | null;
            /** @description CSRF token, to be sent as X-CSRF-Token with every request except GET. */
            csrfToken: string | null;
            /**
             * Format: date-time
             * @description End of the browser session; null for a key.
             */
            expiresAt: string | null;
            /** @description Address of the namespace in the Temporal UI (`TEMPORAL_UI_URL`); null if it is not configured. */
            temporalUi: string | null;
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  changeConsolePassword: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "currentPassword": "a long passphrase",
         *       "newPassword": "another long passphrase"
         *     }
         */
        'application/json': {
          currentPassword: string;
          /** @description New password. At least 12 characters, neither known from breaches nor easy to guess from words, dates, patterns or what is known about the user. */
          newPassword: string;
        };
      };
    };
    responses: {
      /** @description The password has been changed. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body did not arrive in time or arrived too slowly; the connection is closed. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is larger than 1 MB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  listSignInSessions: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The sessions. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "sessions": [
           *         {
           *           "id": "bws_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *           "api": "identity",
           *           "address": "203.0.113.7",
           *           "device": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
           *           "current": true,
           *           "createdAt": "2026-11-21T10:00:00.000Z",
           *           "lastUsedAt": "2026-11-21T11:30:00.000Z",
           *           "expiresAt": "2026-11-21T22:00:00.000Z"
           *         }
           *       ]
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            sessions: {
              id: string;
              /**
               * @description The API in which the user signed in.
               * @enum {string}
               */
              api: 'business' | 'identity';
              /** @description IP address of the sign-in. */
              address: string | null;
              /** @description User-Agent of the sign-in. */
              device: string | null;
              /** @description Whether it is the session of this request. */
              current: boolean;
              /** Format: date-time */
              createdAt: string;
              /** Format: date-time */
              lastUsedAt: string;
              /** Format: date-time */
              expiresAt: string;
            }[];
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  endSignInSession: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The session has ended. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "id": "bws_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *       "deleted": true
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            /** @description Id of the record. */
            id: string;
            /**
             * @description The record can no longer be used.
             * @enum {boolean}
             */
            deleted: true;
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  getConsoleSecondFactor: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Whether the user has a second factor, and since when. An API key has none. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "enrolledAt": "2026-11-21T10:00:00.000Z",
           *       "required": false,
           *       "recoveryCodesLeft": 10
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            /** Format: date-time */
            enrolledAt: string | null;
            /** @description Whether the organisation requires a second factor of every user. */
            required: boolean;
            /** @description Number of recovery codes that were not used yet. */
            recoveryCodesLeft: number;
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  beginConsoleSecondFactor: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "currentPassword": "a long passphrase"
         *     }
         */
        'application/json': {
          currentPassword: string;
        };
      };
    };
    responses: {
      /** @description The secret. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "secret": "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
           *       "uri": "otpauth://totp/Vouch:alex%40example.com?issuer=Vouch&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30"
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            /** @description Secret for the authenticator app, in base32; returned only once. */
            secret: string;
            /** @description The same as an `otpauth:` address, for a QR code. */
            uri: string;
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body did not arrive in time or arrived too slowly; the connection is closed. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description `second_factor_enrolled`: the user has a second factor already. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is larger than 1 MB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  confirmConsoleSecondFactor: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "code": "123456"
         *     }
         */
        'application/json': {
          /** @description Current code of the authenticator app (six digits), or a recovery code. Each is accepted once. */
          code: string;
        };
      };
    };
    responses: {
      /** @description The recovery codes. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "recoveryCodes": [
           *         "k7qd-2mzx-4hpa-w3vn-6jtb-r5ec"
           *       ]
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            /** @description Codes for sign-ins without the authenticator app; each works once. Returned only once. */
            recoveryCodes: string[];
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body did not arrive in time or arrived too slowly; the connection is closed. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is larger than 1 MB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  removeConsoleSecondFactor: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "currentPassword": "a long passphrase",
         *       "code": "123456"
         *     }
         */
        'application/json': {
          currentPassword: string;
          /** @description Current code of the authenticator app (six digits), or a recovery code. Each is accepted once. */
          code: string;
        };
      };
    };
    responses: {
      /** @description The second factor has been removed. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body did not arrive in time or arrived too slowly; the connection is closed. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description `second_factor_mandatory`: the organisation requires a second factor. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is larger than 1 MB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  getSessionEvidence: {
    parameters: {
      query?: {
        /** @description Whether to link to a preview instead of the file as it was sent. */
        preview?: 'true' | 'false';
      };
      header?: never;
      path: {
        id: string;
        evidenceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A link that is valid for 5 minutes. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "url": "https://vouch.example.com/files/eyJhbGciOiJIUzI1NiJ9.eyJvcmciOiJvcmdfMDFKUSJ9.c2lnbmF0dXJl",
           *       "expiresAt": "2026-11-21T10:05:00.000Z"
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            /**
             * Format: uri
             * @description URL of the file, which needs no credential until it expires. The file is sent as an attachment; every download is audited.
             */
            url: string;
            /** Format: date-time */
            expiresAt: string;
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description `preview_not_available`: the file is not an image. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description `evidence_missing`, `evidence_altered`: the file that the preview is made of was lost or changed in the object store. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description `rendering_not_ready` or `rendering_failed`: try again after Retry-After seconds. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  getCheckEvidence: {
    parameters: {
      query?: {
        /** @description Whether to link to a preview instead of the file as it was sent. */
        preview?: 'true' | 'false';
      };
      header?: never;
      path: {
        id: string;
        evidenceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A link that is valid for 5 minutes. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "url": "https://vouch.example.com/files/eyJhbGciOiJIUzI1NiJ9.eyJvcmciOiJvcmdfMDFKUSJ9.c2lnbmF0dXJl",
           *       "expiresAt": "2026-11-21T10:05:00.000Z"
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            /**
             * Format: uri
             * @description URL of the file, which needs no credential until it expires. The file is sent as an attachment; every download is audited.
             */
            url: string;
            /** Format: date-time */
            expiresAt: string;
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description `preview_not_available`: the file is not an image. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description `evidence_missing`, `evidence_altered`: the file that the preview is made of was lost or changed in the object store. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description `rendering_not_ready` or `rendering_failed`: try again after Retry-After seconds. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  getSessionReport: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A link that is valid for 5 minutes. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "url": "https://vouch.example.com/files/eyJhbGciOiJIUzI1NiJ9.eyJvcmciOiJvcmdfMDFKUSJ9.c2lnbmF0dXJl",
           *       "expiresAt": "2026-11-21T10:05:00.000Z"
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            /**
             * Format: uri
             * @description URL of the file, which needs no credential until it expires. The file is sent as an attachment; every download is audited.
             */
            url: string;
            /** Format: date-time */
            expiresAt: string;
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description `session_changed`: the session changed while the report was rendered; try again. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description `rendering_not_ready` or `rendering_failed`: try again after Retry-After seconds. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  shareSession: {
    parameters: {
      query?: never;
      header?: {
        /** @description Unique key of the request, chosen by the client. A retry with the same key within 24 hours returns the first response. */
        'Idempotency-Key'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "audience": "org_01JQZ4A7C9E1G3J5M7P9R1T3V5",
         *       "include": [
         *         "images"
         *       ],
         *       "consentText": "I agree that Lender Ltd receives my verification from Bank AG."
         *     }
         */
        'application/json': {
          /** @description Organisation (`org_…`) of this installation, or issuer (public address) of another installation, that may import the share. Default: any organisation of this installation. */
          audience?: string;
          /** @default 3600 */
          ttlSeconds?: number;
          /**
           * @description Content that is included in addition to the results.
           * @default []
           */
          include?: ('images' | 'contact')[];
          /** @description Consent text as shown to the person. */
          consentText: string;
          /**
           * @description Whether to create a file for another installation too.
           * @default false
           */
          bundle?: boolean;
        };
      };
    };
    responses: {
      /** @description The share. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "shareToken": "eyJhbGciOiJFUzI1NiIsImtpZCI6IjN2In0.eyJpc3MiOiJodHRwczovL3ZvdWNoIn0.c2lnbmF0dXJl",
           *       "shareId": "shr_01JQZ5B1S3T5V7X9Z1B3D5F7H9",
           *       "audience": "org_01JQZ4A7C9E1G3J5M7P9R1T3V5",
           *       "include": [
           *         "images"
           *       ],
           *       "expiresAt": "2026-11-21T11:00:00.000Z",
           *       "bundle": null
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            /** @description Share token: an ES256 JWT with only the claims iss, aud, jti and exp. */
            shareToken: string;
            shareId: string;
            audience: string;
            include: ('images' | 'contact')[];
            /** Format: date-time */
            expiresAt: string;
            /** @description Link to the bundle for another installation; null if none was requested. */
            bundle: {
              /** Format: uri */
              url: string;
              /** Format: date-time */
              expiresAt: string;
            } | null;
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body did not arrive in time or arrived too slowly; the connection is closed. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description `session_not_finished`: only approved and declined sessions and expired approvals can be shared; `session_changed`: the session changed while it was shared, try again; or the Idempotency-Key is in use. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description `evidence_missing`, `evidence_altered`: a file of the bundle was lost or changed in the object store. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description `bundle_too_large`: a bundle may have at most 15 MB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The Idempotency-Key was used with a different body. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  importSession: {
    parameters: {
      query?: never;
      header?: {
        /** @description Unique key of the request, chosen by the client. A retry with the same key within 24 hours returns the first response. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "shareToken": "eyJhbGciOiJFUzI1NiIsImtpZCI6IjN2In0.eyJpc3MiOiJodHRwczovL3ZvdWNoIn0.c2lnbmF0dXJl"
         *     }
         */
        'application/json': {
          shareToken: string;
          /** @default false */
          trustReview?: boolean;
          /** @description Session workflow whose settings apply to the session. Default: the organisation’s default. */
          workflowId?: string;
        };
      };
    };
    responses: {
      /** @description The session: in review, or approved if an approval was trusted. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "session": {
           *         "id": "ses_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *         "number": 17,
           *         "mode": "live",
           *         "status": "in_review",
           *         "features": [
           *           "id",
           *           "liveness",
           *           "face_match"
           *         ],
           *         "workflowId": "wfl_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *         "workflowVersion": 2,
           *         "country": "FRA",
           *         "url": null,
           *         "externalId": "customer-4711",
           *         "metadata": {
           *           "branch": "Lyon"
           *         },
           *         "decision": {
           *           "outcome": "in_review",
           *           "reasons": [
           *             "mrz_check_failed"
           *           ],
           *           "decidedBy": "rules",
           *           "rule": null,
           *           "at": "2026-11-21T10:00:05.000Z"
           *         },
           *         "createdAt": "2026-11-21T09:58:00.000Z",
           *         "expiresAt": "2026-11-28T09:58:00.000Z",
           *         "startedAt": "2026-11-21T09:59:00.000Z",
           *         "lastActivityAt": "2026-11-21T10:00:05.000Z",
           *         "reviewSince": "2026-11-21T10:00:05.000Z",
           *         "finishedAt": null,
           *         "approvalExpiresAt": null,
           *         "retainUntil": null,
           *         "callbackUrl": "https://shop.example/verified",
           *         "language": "fr",
           *         "expected": {
           *           "lastName": "Moreau"
           *         },
           *         "contact": null,
           *         "steps": [
           *           {
           *             "feature": "id",
           *             "status": "review",
           *             "attempts": 1,
           *             "attemptsLeft": 2,
           *             "checkIds": [
           *               "chk_01JQZ4R8W3M6N9P2T5V8X1Y4Z7"
           *             ]
           *           },
           *           {
           *             "feature": "liveness",
           *             "status": "passed",
           *             "attempts": 1,
           *             "attemptsLeft": 2,
           *             "checkIds": [
           *               "chk_01JQZ4R8W3M6N9P2T5V8X1Y4ZA"
           *             ]
           *           },
           *           {
           *             "feature": "face_match",
           *             "status": "passed",
           *             "attempts": 1,
           *             "attemptsLeft": 2,
           *             "checkIds": [
           *               "chk_01JQZ4R8W3M6N9P2T5V8X1Y4ZB"
           *             ]
           *           }
           *         ],
           *         "reviews": [],
           *         "notes": [],
           *         "imported": null,
           *         "consent": null,
           *         "results": {
           *           "document": null,
           *           "liveness": null,
           *           "faceMatch": null,
           *           "age": null,
           *           "database": null,
           *           "poa": null,
           *           "aml": null
           *         },
           *         "risks": [
           *           {
           *             "code": "mrz_check_failed",
           *             "severity": "high",
           *             "action": "review",
           *             "feature": "id",
           *             "message": "A check digit of the machine-readable zone does not verify."
           *           }
           *         ],
           *         "evidence": []
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            session: components['schemas']['Session'];
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description `wrong_audience`, `issuer_not_trusted`, or the permission is missing. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body did not arrive in time or arrived too slowly; the connection is closed. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description `share_used`: the share was already imported; `session_not_finished`: the session was reopened; `share_outdated`: the session of the bundle was reopened or decided again; `session_changed`: the session was decided again during the import, try again; or the Idempotency-Key is in use. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description `share_expired`, `share_revoked` or `share_gone`; `evidence_missing`, `evidence_altered`: an image was lost or changed. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is larger than 1 MB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The Idempotency-Key was used with a different body. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  importSessionBundle: {
    parameters: {
      query?: never;
      header?: {
        /** @description Unique key of the request, chosen by the client. A retry with the same key within 24 hours returns the first response. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'multipart/form-data': {
          /**
           * @default false
           * @enum {string}
           */
          trustReview?: 'true' | 'false';
          /** @description Session workflow whose settings apply to the session. Default: the organisation’s default. */
          workflowId?: string;
          /**
           * Format: binary
           * @description The file of a share with `bundle`, at most 15 MB.
           */
          bundle: Upload;
        };
      };
    };
    responses: {
      /** @description The session: in review, or approved if an approval was trusted. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "session": {
           *         "id": "ses_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *         "number": 17,
           *         "mode": "live",
           *         "status": "in_review",
           *         "features": [
           *           "id",
           *           "liveness",
           *           "face_match"
           *         ],
           *         "workflowId": "wfl_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *         "workflowVersion": 2,
           *         "country": "FRA",
           *         "url": null,
           *         "externalId": "customer-4711",
           *         "metadata": {
           *           "branch": "Lyon"
           *         },
           *         "decision": {
           *           "outcome": "in_review",
           *           "reasons": [
           *             "mrz_check_failed"
           *           ],
           *           "decidedBy": "rules",
           *           "rule": null,
           *           "at": "2026-11-21T10:00:05.000Z"
           *         },
           *         "createdAt": "2026-11-21T09:58:00.000Z",
           *         "expiresAt": "2026-11-28T09:58:00.000Z",
           *         "startedAt": "2026-11-21T09:59:00.000Z",
           *         "lastActivityAt": "2026-11-21T10:00:05.000Z",
           *         "reviewSince": "2026-11-21T10:00:05.000Z",
           *         "finishedAt": null,
           *         "approvalExpiresAt": null,
           *         "retainUntil": null,
           *         "callbackUrl": "https://shop.example/verified",
           *         "language": "fr",
           *         "expected": {
           *           "lastName": "Moreau"
           *         },
           *         "contact": null,
           *         "steps": [
           *           {
           *             "feature": "id",
           *             "status": "review",
           *             "attempts": 1,
           *             "attemptsLeft": 2,
           *             "checkIds": [
           *               "chk_01JQZ4R8W3M6N9P2T5V8X1Y4Z7"
           *             ]
           *           },
           *           {
           *             "feature": "liveness",
           *             "status": "passed",
           *             "attempts": 1,
           *             "attemptsLeft": 2,
           *             "checkIds": [
           *               "chk_01JQZ4R8W3M6N9P2T5V8X1Y4ZA"
           *             ]
           *           },
           *           {
           *             "feature": "face_match",
           *             "status": "passed",
           *             "attempts": 1,
           *             "attemptsLeft": 2,
           *             "checkIds": [
           *               "chk_01JQZ4R8W3M6N9P2T5V8X1Y4ZB"
           *             ]
           *           }
           *         ],
           *         "reviews": [],
           *         "notes": [],
           *         "imported": null,
           *         "consent": null,
           *         "results": {
           *           "document": null,
           *           "liveness": null,
           *           "faceMatch": null,
           *           "age": null,
           *           "database": null,
           *           "poa": null,
           *           "aml": null
           *         },
           *         "risks": [
           *           {
           *             "code": "mrz_check_failed",
           *             "severity": "high",
           *             "action": "review",
           *             "feature": "id",
           *             "message": "A check digit of the machine-readable zone does not verify."
           *           }
           *         ],
           *         "evidence": []
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            session: components['schemas']['Session'];
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description `wrong_audience`, `issuer_not_trusted`, or the permission is missing. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body did not arrive in time or arrived too slowly; the connection is closed. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description `share_used`: the share was already imported; `session_not_finished`: the session was reopened; `share_outdated`: the session of the bundle was reopened or decided again; `session_changed`: the session was decided again during the import, try again; or the Idempotency-Key is in use. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description `share_expired`, `share_revoked` or `share_gone`; `evidence_missing`, `evidence_altered`: an image was lost or changed. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A file is larger than 15 MB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is not multipart/form-data, or the type of a file is not accepted. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The Idempotency-Key was used with a different body. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  listShares: {
    parameters: {
      query?: {
        limit?: number;
        cursor?: string;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of shares. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "shares": [
           *         {
           *           "id": "shr_01JQZ5B1S3T5V7X9Z1B3D5F7H9",
           *           "status": "open",
           *           "audience": "org_01JQZ4A7C9E1G3J5M7P9R1T3V5",
           *           "include": [
           *             "images"
           *           ],
           *           "consentText": "I agree that Lender Ltd receives my verification from Bank AG.",
           *           "bundle": false,
           *           "createdBy": "key_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *           "createdByName": "Checkout of the shop",
           *           "createdAt": "2026-11-21T10:00:00.000Z",
           *           "expiresAt": "2026-11-21T11:00:00.000Z",
           *           "usedAt": null,
           *           "revokedAt": null
           *         }
           *       ],
           *       "total": 1,
           *       "nextCursor": null
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            shares: components['schemas']['Share'][];
            total: number;
            nextCursor: string | null;
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  revokeShare: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
        shareId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The share. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "id": "shr_01JQZ5B1S3T5V7X9Z1B3D5F7H9",
           *       "deleted": true,
           *       "share": {
           *         "id": "shr_01JQZ5B1S3T5V7X9Z1B3D5F7H9",
           *         "status": "revoked",
           *         "audience": "org_01JQZ4A7C9E1G3J5M7P9R1T3V5",
           *         "include": [
           *           "images"
           *         ],
           *         "consentText": "I agree that Lender Ltd receives my verification from Bank AG.",
           *         "bundle": false,
           *         "createdBy": "key_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *         "createdByName": "Checkout of the shop",
           *         "createdAt": "2026-11-21T10:00:00.000Z",
           *         "expiresAt": "2026-11-21T11:00:00.000Z",
           *         "usedAt": null,
           *         "revokedAt": "2026-11-21T10:05:00.000Z"
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            /** @description Id of the record. */
            id: string;
            /**
             * @description The record can no longer be used.
             * @enum {boolean}
             */
            deleted: true;
            share: components['schemas']['Share'];
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description `share_used`: the share was already imported. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  listTrustedOrganisations: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The trusted organisations. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "organisations": [
           *         {
           *           "id": "org_01JQZ4A7C9E1G3J5M7P9R1T3V5",
           *           "name": "Bank AG"
           *         }
           *       ]
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            organisations: {
              id: string;
              name: string;
            }[];
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  setTrustedOrganisations: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "organisationIds": []
         *     }
         */
        'application/json': {
          organisationIds: string[];
        };
      };
    };
    responses: {
      /** @description The trusted organisations. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "organisations": [
           *         {
           *           "id": "org_01JQZ4A7C9E1G3J5M7P9R1T3V5",
           *           "name": "Bank AG"
           *         }
           *       ]
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            organisations: {
              id: string;
              name: string;
            }[];
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body did not arrive in time or arrived too slowly; the connection is closed. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is larger than 1 MB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  listKeys: {
    parameters: {
      query?: {
        limit?: number;
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of keys, newest first. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "keys": [
           *         {
           *           "id": "key_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *           "name": "Checkout server",
           *           "mode": "live",
           *           "permissions": [
           *             "sessions:read",
           *             "sessions:write"
           *           ],
           *           "allowedIps": [
           *             "203.0.113.0/24"
           *           ],
           *           "status": "active",
           *           "expiresAt": null,
           *           "lastUsedAt": null,
           *           "createdAt": "2026-11-21T10:00:00.000Z"
           *         }
           *       ],
           *       "total": 1,
           *       "nextCursor": null
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            keys: {
              id: string;
              name: string;
              /** @enum {string} */
              mode: 'live' | 'test';
              permissions: (
                | 'sessions:read'
                | 'sessions:write'
                | 'sessions:decide'
                | 'workflows:read'
                | 'workflows:write'
                | 'sessions:delete'
                | 'sessions:share'
                | 'sessions:import'
                | 'sessions:trust-import'
                | 'sharing:read'
                | 'sharing:trust'
                | 'checks:read'
                | 'checks:delete'
                | 'erasures:read'
                | 'evidence:read'
                | 'documents:write'
                | 'biometrics:write'
                | 'blocklist:read'
                | 'blocklist:write'
                | 'kyb:read'
                | 'kyb:write'
                | 'aml:read'
                | 'aml:screen'
                | 'aml:review'
                | 'aml:delete'
                | 'registers:read'
                | 'registers:write'
                | 'faces:read'
                | 'faces:write'
                | 'webhooks:read'
                | 'webhooks:write'
                | 'audit:read'
                | 'operations:read'
                | 'keys:read'
                | 'keys:write'
              )[];
              /** @description CIDR ranges; empty allows any address. */
              allowedIps: string[];
              /** @enum {string} */
              status: 'active' | 'revoked' | 'expired';
              /** Format: date-time */
              expiresAt: string | null;
              /** Format: date-time */
              lastUsedAt: string | null;
              /** Format: date-time */
              createdAt: string;
            }[];
            total: number;
            nextCursor: string | null;
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  createKey: {
    parameters: {
      query?: never;
      header?: {
        /** @description Unique key of the request, chosen by the client. A retry with the same key within 24 hours returns the first response. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "name": "Checkout server",
         *       "permissions": [
         *         "sessions:read",
         *         "sessions:write"
         *       ]
         *     }
         */
        'application/json': {
          /** @default API key */
          name?: string;
          permissions?: (
            | 'sessions:read'
            | 'sessions:write'
            | 'sessions:decide'
            | 'workflows:read'
            | 'workflows:write'
            | 'sessions:delete'
            | 'sessions:share'
            | 'sessions:import'
            | 'sessions:trust-import'
            | 'sharing:read'
            | 'sharing:trust'
            | 'checks:read'
            | 'checks:delete'
            | 'erasures:read'
            | 'evidence:read'
            | 'documents:write'
            | 'biometrics:write'
            | 'blocklist:read'
            | 'blocklist:write'
            | 'kyb:read'
            | 'kyb:write'
            | 'aml:read'
            | 'aml:screen'
            | 'aml:review'
            | 'aml:delete'
            | 'registers:read'
            | 'registers:write'
            | 'faces:read'
            | 'faces:write'
            | 'webhooks:read'
            | 'webhooks:write'
            | 'audit:read'
            | 'operations:read'
            | 'keys:read'
            | 'keys:write'
          )[];
          /** @description IP addresses or CIDR ranges. */
          allowedIps?: string[];
          /** Format: date-time */
          expiresAt?: string;
        };
      };
    };
    responses: {
      /** @description The key with its secret. An idempotent repeat returns null as the secret, with `secretAlreadyShown`. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "key": {
           *         "id": "key_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *         "name": "Checkout server",
           *         "mode": "live",
           *         "permissions": [
           *           "sessions:read",
           *           "sessions:write"
           *         ],
           *         "allowedIps": [
           *           "203.0.113.0/24"
           *         ],
           *         "status": "active",
           *         "expiresAt": null,
           *         "lastUsedAt": null,
           *         "createdAt": "2026-11-21T10:00:00.000Z"
           *       },
           *       "secret": "vk_live_01JQZ4R8W3M6N9P2T5V8X1Y4Z7_…"
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            key: {
              id: string;
              name: string;
              /** @enum {string} */
              mode: 'live' | 'test';
              permissions: (
                | 'sessions:read'
                | 'sessions:write'
                | 'sessions:decide'
                | 'workflows:read'
                | 'workflows:write'
                | 'sessions:delete'
                | 'sessions:share'
                | 'sessions:import'
                | 'sessions:trust-import'
                | 'sharing:read'
                | 'sharing:trust'
                | 'checks:read'
                | 'checks:delete'
                | 'erasures:read'
                | 'evidence:read'
                | 'documents:write'
                | 'biometrics:write'
                | 'blocklist:read'
                | 'blocklist:write'
                | 'kyb:read'
                | 'kyb:write'
                | 'aml:read'
                | 'aml:screen'
                | 'aml:review'
                | 'aml:delete'
                | 'registers:read'
                | 'registers:write'
                | 'faces:read'
                | 'faces:write'
                | 'webhooks:read'
                | 'webhooks:write'
                | 'audit:read'
                | 'operations:read'
                | 'keys:read'
                | 'keys:write'
              )[];
              /** @description CIDR ranges; empty allows any address. */
              allowedIps: string[];
              /** @enum {string} */
              status: 'active' | 'revoked' | 'expired';
              /** Format: date-time */
              expiresAt: string | null;
              /** Format: date-time */
              lastUsedAt: string | null;
              /** Format: date-time */
              createdAt: string;
            };
            secret: string | null;
            secretAlreadyShown?: boolean;
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body did not arrive in time or arrived too slowly; the connection is closed. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A request with the same Idempotency-Key is still running. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is larger than 1 MB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The Idempotency-Key was used with a different body. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  revokeKey: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The revoked key. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "id": "key_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *       "deleted": true,
           *       "key": {
           *         "id": "key_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *         "name": "Checkout server",
           *         "mode": "live",
           *         "permissions": [
           *           "sessions:read",
           *           "sessions:write"
           *         ],
           *         "allowedIps": [
           *           "203.0.113.0/24"
           *         ],
           *         "status": "revoked",
           *         "expiresAt": null,
           *         "lastUsedAt": null,
           *         "createdAt": "2026-11-21T10:00:00.000Z"
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            /** @description Id of the record. */
            id: string;
            /**
             * @description The record can no longer be used.
             * @enum {boolean}
             */
            deleted: true;
            key: {
              id: string;
              name: string;
              /** @enum {string} */
              mode: 'live' | 'test';
              permissions: (
                | 'sessions:read'
                | 'sessions:write'
                | 'sessions:decide'
                | 'workflows:read'
                | 'workflows:write'
                | 'sessions:delete'
                | 'sessions:share'
                | 'sessions:import'
                | 'sessions:trust-import'
                | 'sharing:read'
                | 'sharing:trust'
                | 'checks:read'
                | 'checks:delete'
                | 'erasures:read'
                | 'evidence:read'
                | 'documents:write'
                | 'biometrics:write'
                | 'blocklist:read'
                | 'blocklist:write'
                | 'kyb:read'
                | 'kyb:write'
                | 'aml:read'
                | 'aml:screen'
                | 'aml:review'
                | 'aml:delete'
                | 'registers:read'
                | 'registers:write'
                | 'faces:read'
                | 'faces:write'
                | 'webhooks:read'
                | 'webhooks:write'
                | 'audit:read'
                | 'operations:read'
                | 'keys:read'
                | 'keys:write'
              )[];
              /** @description CIDR ranges; empty allows any address. */
              allowedIps: string[];
              /** @enum {string} */
              status: 'active' | 'revoked' | 'expired';
              /** Format: date-time */
              expiresAt: string | null;
              /** Format: date-time */
              lastUsedAt: string | null;
              /** Format: date-time */
              createdAt: string;
            };
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  verifyAuditLog: {
    parameters: {
      query?: {
        /** @description First position to verify. */
        from?: number;
        /** @description Maximum number of rows to verify. */
        limit?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The result of the verification. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "valid": true,
           *       "from": 1,
           *       "sealed": 4711,
           *       "unsealed": 3,
           *       "brokenAt": null,
           *       "signedUpTo": 4711,
           *       "signedAt": "2026-11-21T10:00:12.000Z",
           *       "nextFrom": null
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            /** @description Whether the verified rows match the chain. */
            valid: boolean;
            from: number;
            /** @description Last verified position. */
            sealed: number;
            /** @description Number of rows that are not sealed yet. */
            unsealed: number;
            /** @description Position of the first row that does not match the chain. */
            brokenAt: number | null;
            /** @description Last position that is signed in the object store. */
            signedUpTo: number | null;
            /** @description First position of the next segment; null at the end of the chain or if a row does not match. */
            nextFrom: number | null;
            /** Format: date-time */
            signedAt: string | null;
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  listAuditLog: {
    parameters: {
      query?: {
        limit?: number;
        cursor?: string;
        action?: string;
        subject?: string;
        actor?: string;
        /** @description Start of the time range, inclusive; must not be after `to`. */
        from?: string;
        /** @description End of the time range, exclusive. */
        to?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of entries, newest first; `total` counts all entries that match the filters. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "entries": [
           *         {
           *           "id": "aud_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *           "at": "2026-11-21T10:00:00.000Z",
           *           "actor": "key_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *           "actorName": "Checkout of the shop",
           *           "action": "session.decided",
           *           "subject": "ses_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *           "fields": [
           *             "status",
           *             "decision"
           *           ],
           *           "reason": null,
           *           "requestId": "req_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *           "position": 4711,
           *           "hash": "k1:b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c"
           *         }
           *       ],
           *       "total": 1,
           *       "nextCursor": null
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            entries: components['schemas']['AuditEntry'][];
            total: number;
            nextCursor: string | null;
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  listWebhooks: {
    parameters: {
      query?: {
        limit?: number;
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of webhooks in the mode of the credential, newest first. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "webhooks": [
           *         {
           *           "id": "whk_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *           "url": "https://shop.example/hooks/vouch",
           *           "events": [
           *             "session.completed",
           *             "session.declined",
           *             "session.review"
           *           ],
           *           "description": null,
           *           "mode": "live",
           *           "status": "enabled",
           *           "disabledReason": null,
           *           "disabledAt": null,
           *           "previousSecretsUntil": null,
           *           "createdAt": "2026-11-21T10:00:00.000Z"
           *         }
           *       ],
           *       "total": 1,
           *       "nextCursor": null
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            webhooks: {
              id: string;
              url: string;
              events: string[];
              description: string | null;
              /** @enum {string} */
              mode: 'live' | 'test';
              /** @enum {string} */
              status: 'enabled' | 'disabled';
              /**
               * @description `gone`: the receiver responded with 410; `failing`: no delivery succeeded for five days.
               * @enum {string|null}
               */
              disabledReason: 'gone' | 'failing' | null;
              /** Format: date-time */
              disabledAt: string | null;
              /**
               * Format: date-time
               * @description Time until which previous secrets sign in addition to the current one; null if there are none.
               */
              previousSecretsUntil: string | null;
              /** Format: date-time */
              createdAt: string;
            }[];
            total: number;
            nextCursor: string | null;
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  createWebhook: {
    parameters: {
      query?: never;
      header?: {
        /** @description Unique key of the request, chosen by the client. A retry with the same key within 24 hours returns the first response. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "url": "https://shop.example/hooks/vouch",
         *       "events": [
         *         "session.completed",
         *         "session.declined",
         *         "session.review"
         *       ]
         *     }
         */
        'application/json': {
          /**
           * Format: uri
           * @description URL that events are posted to: https, without user name or password, with a public address.
           */
          url: string;
          /** @description Event types; `*` subscribes to all. */
          events: (
            | '*'
            | 'session.created'
            | 'session.started'
            | 'session.completed'
            | 'session.declined'
            | 'session.review'
            | 'session.resubmission_requested'
            | 'session.expired'
            | 'session.abandoned'
            | 'session.cancelled'
            | 'session.approval_expired'
            | 'session.deleted'
            | 'check.completed'
            | 'aml.alert'
            | 'kyb.completed'
            | 'export.completed'
            | 'export.failed'
            | 'invoice.issued'
            | 'invoice.paid'
            | 'invoice.voided'
            | 'credit_note.issued'
            | 'payment.received'
            | 'stock.low'
            | 'message.sent'
            | 'message.failed'
            | 'message.bounced'
            | 'tax_id.verified'
            | 'webhook.test'
          )[];
          /** @default null */
          description?: string | null;
        };
      };
    };
    responses: {
      /** @description The webhook with its secret. An idempotent repeat returns null as the secret, with `secretAlreadyShown`. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "webhook": {
           *         "id": "whk_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *         "url": "https://shop.example/hooks/vouch",
           *         "events": [
           *           "session.completed",
           *           "session.declined",
           *           "session.review"
           *         ],
           *         "description": null,
           *         "mode": "live",
           *         "status": "enabled",
           *         "disabledReason": null,
           *         "disabledAt": null,
           *         "previousSecretsUntil": null,
           *         "createdAt": "2026-11-21T10:00:00.000Z"
           *       },
           *       "secret": "whsec_…"
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            webhook: {
              id: string;
              url: string;
              events: string[];
              description: string | null;
              /** @enum {string} */
              mode: 'live' | 'test';
              /** @enum {string} */
              status: 'enabled' | 'disabled';
              /**
               * @description `gone`: the receiver responded with 410; `failing`: no delivery succeeded for five days.
               * @enum {string|null}
               */
              disabledReason: 'gone' | 'failing' | null;
              /** Format: date-time */
              disabledAt: string | null;
              /**
               * Format: date-time
               * @description Time until which previous secrets sign in addition to the current one; null if there are none.
               */
              previousSecretsUntil: string | null;
              /** Format: date-time */
              createdAt: string;
            };
            secret: string | null;
            secretAlreadyShown?: boolean;
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body did not arrive in time or arrived too slowly; the connection is closed. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The limit of 50 webhooks is reached, or the first request with this Idempotency-Key is still running. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is larger than 1 MB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The Idempotency-Key was used with a different body. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  getWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The webhook, without its secret. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "webhook": {
           *         "id": "whk_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *         "url": "https://shop.example/hooks/vouch",
           *         "events": [
           *           "session.completed",
           *           "session.declined",
           *           "session.review"
           *         ],
           *         "description": null,
           *         "mode": "live",
           *         "status": "enabled",
           *         "disabledReason": null,
           *         "disabledAt": null,
           *         "previousSecretsUntil": null,
           *         "createdAt": "2026-11-21T10:00:00.000Z"
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            webhook: {
              id: string;
              url: string;
              events: string[];
              description: string | null;
              /** @enum {string} */
              mode: 'live' | 'test';
              /** @enum {string} */
              status: 'enabled' | 'disabled';
              /**
               * @description `gone`: the receiver responded with 410; `failing`: no delivery succeeded for five days.
               * @enum {string|null}
               */
              disabledReason: 'gone' | 'failing' | null;
              /** Format: date-time */
              disabledAt: string | null;
              /**
               * Format: date-time
               * @description Time until which previous secrets sign in addition to the current one; null if there are none.
               */
              previousSecretsUntil: string | null;
              /** Format: date-time */
              createdAt: string;
            };
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  deleteWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The deleted webhook. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "id": "whk_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *       "deleted": true
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            /** @description Id of the record. */
            id: string;
            /**
             * @description The record can no longer be used.
             * @enum {boolean}
             */
            deleted: true;
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  updateWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "events": [
         *         "session.completed",
         *         "session.declined"
         *       ]
         *     }
         */
        'application/json': {
          /**
           * Format: uri
           * @description URL that events are posted to: https, without user name or password, with a public address.
           */
          url?: string;
          /** @description Event types; `*` subscribes to all. */
          events?: (
            | '*'
            | 'session.created'
            | 'session.started'
            | 'session.completed'
            | 'session.declined'
            | 'session.review'
            | 'session.resubmission_requested'
            | 'session.expired'
            | 'session.abandoned'
            | 'session.cancelled'
            | 'session.approval_expired'
            | 'session.deleted'
            | 'check.completed'
            | 'aml.alert'
            | 'kyb.completed'
            | 'export.completed'
            | 'export.failed'
            | 'invoice.issued'
            | 'invoice.paid'
            | 'invoice.voided'
            | 'credit_note.issued'
            | 'payment.received'
            | 'stock.low'
            | 'message.sent'
            | 'message.failed'
            | 'message.bounced'
            | 'tax_id.verified'
            | 'webhook.test'
          )[];
          description?: string | null;
        };
      };
    };
    responses: {
      /** @description The changed webhook. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "webhook": {
           *         "id": "whk_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *         "url": "https://shop.example/hooks/vouch",
           *         "events": [
           *           "session.completed",
           *           "session.declined",
           *           "session.review"
           *         ],
           *         "description": null,
           *         "mode": "live",
           *         "status": "enabled",
           *         "disabledReason": null,
           *         "disabledAt": null,
           *         "previousSecretsUntil": null,
           *         "createdAt": "2026-11-21T10:00:00.000Z"
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            webhook: {
              id: string;
              url: string;
              events: string[];
              description: string | null;
              /** @enum {string} */
              mode: 'live' | 'test';
              /** @enum {string} */
              status: 'enabled' | 'disabled';
              /**
               * @description `gone`: the receiver responded with 410; `failing`: no delivery succeeded for five days.
               * @enum {string|null}
               */
              disabledReason: 'gone' | 'failing' | null;
              /** Format: date-time */
              disabledAt: string | null;
              /**
               * Format: date-time
               * @description Time until which previous secrets sign in addition to the current one; null if there are none.
               */
              previousSecretsUntil: string | null;
              /** Format: date-time */
              createdAt: string;
            };
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body did not arrive in time or arrived too slowly; the connection is closed. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record has changed since the version that If-Match names. */
      412: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is larger than 1 MB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  testWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The pending delivery; its attempts appear in the list of deliveries. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "delivery": {
           *         "id": "dlv_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *         "webhookId": "whk_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *         "eventId": "evt_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *         "type": "webhook.test",
           *         "status": "pending",
           *         "reason": null,
           *         "attempts": [],
           *         "nextAttemptAt": null,
           *         "completedAt": null,
           *         "createdAt": "2026-11-21T10:00:00.000Z"
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            delivery: {
              id: string;
              webhookId: string;
              /** @description Value of the `webhook-id` header, the same for every attempt. */
              eventId: string;
              /** @enum {string} */
              type:
                | 'session.created'
                | 'session.started'
                | 'session.completed'
                | 'session.declined'
                | 'session.review'
                | 'session.resubmission_requested'
                | 'session.expired'
                | 'session.abandoned'
                | 'session.cancelled'
                | 'session.approval_expired'
                | 'session.deleted'
                | 'check.completed'
                | 'aml.alert'
                | 'kyb.completed'
                | 'export.completed'
                | 'export.failed'
                | 'invoice.issued'
                | 'invoice.paid'
                | 'invoice.voided'
                | 'credit_note.issued'
                | 'payment.received'
                | 'stock.low'
                | 'message.sent'
                | 'message.failed'
                | 'message.bounced'
                | 'tax_id.verified'
                | 'webhook.test';
              /** @enum {string} */
              status: 'pending' | 'succeeded' | 'failed' | 'cancelled';
              /** @description Reason of an unsuccessful end, such as `attempts_exhausted`. */
              reason: string | null;
              attempts: {
                number: number;
                /** Format: date-time */
                at: string;
                durationMs: number;
                /** @description HTTP status; null without a response. */
                status: number | null;
                /** @description Error code without a response, such as `timeout` or `dns_failed`. */
                error: string | null;
                /** @description First kilobyte of the response. */
                response: string | null;
              }[];
              /** Format: date-time */
              nextAttemptAt: string | null;
              /** Format: date-time */
              completedAt: string | null;
              /** Format: date-time */
              createdAt: string;
            };
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The webhook is disabled. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  listWebhookDeliveries: {
    parameters: {
      query?: {
        limit?: number;
        cursor?: string;
        /** @description One or more of pending, succeeded, failed, cancelled, separated by commas; the parameter can also be repeated. */
        status?: string;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of deliveries, newest first. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "deliveries": [
           *         {
           *           "id": "dlv_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *           "webhookId": "whk_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *           "eventId": "evt_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *           "type": "session.completed",
           *           "status": "succeeded",
           *           "reason": null,
           *           "attempts": [
           *             {
           *               "number": 1,
           *               "at": "2026-11-21T10:00:00.000Z",
           *               "durationMs": 84,
           *               "status": 500,
           *               "error": null,
           *               "response": "down"
           *             },
           *             {
           *               "number": 2,
           *               "at": "2026-11-21T10:00:05.300Z",
           *               "durationMs": 61,
           *               "status": 204,
           *               "error": null,
           *               "response": ""
           *             }
           *           ],
           *           "nextAttemptAt": null,
           *           "completedAt": "2026-11-21T10:00:05.361Z",
           *           "createdAt": "2026-11-21T10:00:00.000Z"
           *         }
           *       ],
           *       "total": 1,
           *       "nextCursor": null
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            deliveries: {
              id: string;
              webhookId: string;
              /** @description Value of the `webhook-id` header, the same for every attempt. */
              eventId: string;
              /** @enum {string} */
              type:
                | 'session.created'
                | 'session.started'
                | 'session.completed'
                | 'session.declined'
                | 'session.review'
                | 'session.resubmission_requested'
                | 'session.expired'
                | 'session.abandoned'
                | 'session.cancelled'
                | 'session.approval_expired'
                | 'session.deleted'
                | 'check.completed'
                | 'aml.alert'
                | 'kyb.completed'
                | 'export.completed'
                | 'export.failed'
                | 'invoice.issued'
                | 'invoice.paid'
                | 'invoice.voided'
                | 'credit_note.issued'
                | 'payment.received'
                | 'stock.low'
                | 'message.sent'
                | 'message.failed'
                | 'message.bounced'
                | 'tax_id.verified'
                | 'webhook.test';
              /** @enum {string} */
              status: 'pending' | 'succeeded' | 'failed' | 'cancelled';
              /** @description Reason of an unsuccessful end, such as `attempts_exhausted`. */
              reason: string | null;
              attempts: {
                number: number;
                /** Format: date-time */
                at: string;
                durationMs: number;
                /** @description HTTP status; null without a response. */
                status: number | null;
                /** @description Error code without a response, such as `timeout` or `dns_failed`. */
                error: string | null;
                /** @description First kilobyte of the response. */
                response: string | null;
              }[];
              /** Format: date-time */
              nextAttemptAt: string | null;
              /** Format: date-time */
              completedAt: string | null;
              /** Format: date-time */
              createdAt: string;
            }[];
            total: number;
            nextCursor: string | null;
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  getWebhookDelivery: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
        deliveryId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The delivery. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "delivery": {
           *         "id": "dlv_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *         "webhookId": "whk_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *         "eventId": "evt_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *         "type": "webhook.test",
           *         "status": "succeeded",
           *         "reason": null,
           *         "attempts": [
           *           {
           *             "number": 1,
           *             "at": "2026-11-21T10:00:00.000Z",
           *             "durationMs": 84,
           *             "status": 500,
           *             "error": null,
           *             "response": "down"
           *           },
           *           {
           *             "number": 2,
           *             "at": "2026-11-21T10:00:05.300Z",
           *             "durationMs": 61,
           *             "status": 204,
           *             "error": null,
           *             "response": ""
           *           }
           *         ],
           *         "nextAttemptAt": null,
           *         "completedAt": "2026-11-21T10:00:05.361Z",
           *         "createdAt": "2026-11-21T10:00:00.000Z",
           *         "request": {
           *           "method": "POST",
           *           "url": "https://shop.example/hooks/vouch",
           *           "headers": {
           *             "content-type": "application/json",
           *             "user-agent": "Vouch-Webhooks/1",
           *             "webhook-id": "evt_01JQZ4R8W3M6N9P2T5V8X1Y4Z7"
           *           },
           *           "body": "{\"type\":\"webhook.test\",\"mode\":\"live\",\"timestamp\":\"2026-11-21T10:00:00.000Z\",\"data\":{\"webhookId\":\"whk_01JQZ4R8W3M6N9P2T5V8X1Y4Z7\"}}"
           *         }
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            delivery: {
              id: string;
              webhookId: string;
              /** @description Value of the `webhook-id` header, the same for every attempt. */
              eventId: string;
              /** @enum {string} */
              type:
                | 'session.created'
                | 'session.started'
                | 'session.completed'
                | 'session.declined'
                | 'session.review'
                | 'session.resubmission_requested'
                | 'session.expired'
                | 'session.abandoned'
                | 'session.cancelled'
                | 'session.approval_expired'
                | 'session.deleted'
                | 'check.completed'
                | 'aml.alert'
                | 'kyb.completed'
                | 'export.completed'
                | 'export.failed'
                | 'invoice.issued'
                | 'invoice.paid'
                | 'invoice.voided'
                | 'credit_note.issued'
                | 'payment.received'
                | 'stock.low'
                | 'message.sent'
                | 'message.failed'
                | 'message.bounced'
                | 'tax_id.verified'
                | 'webhook.test';
              /** @enum {string} */
              status: 'pending' | 'succeeded' | 'failed' | 'cancelled';
              /** @description Reason of an unsuccessful end, such as `attempts_exhausted`. */
              reason: string | null;
              attempts: {
                number: number;
                /** Format: date-time */
                at: string;
                durationMs: number;
                /** @description HTTP status; null without a response. */
                status: number | null;
                /** @description Error code without a response, such as `timeout` or `dns_failed`. */
                error: string | null;
                /** @description First kilobyte of the response. */
                response: string | null;
              }[];
              /** Format: date-time */
              nextAttemptAt: string | null;
              /** Format: date-time */
              completedAt: string | null;
              /** Format: date-time */
              createdAt: string;
              request: {
                /** @enum {string} */
                method: 'POST';
                /** @description Present URL of the webhook, which later attempts use. */
                url: string;
                /** @description Headers without `webhook-timestamp` and `webhook-signature`, which differ for each attempt. */
                headers: {
                  [key: string]: string;
                };
                /** @description The exact body; null once the subject of the event has been erased. */
                body: string | null;
              };
            };
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  rotateWebhookSecret: {
    parameters: {
      query?: never;
      header?: {
        /** @description Unique key of the request, chosen by the client. A retry with the same key within 24 hours returns the first response. */
        'Idempotency-Key'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "overlapSeconds": 86400
         *     }
         */
        'application/json': {
          /**
           * @description Seconds for which the previous secret stays valid, at most one week; one day by default.
           * @default 86400
           */
          overlapSeconds?: number;
        };
      };
    };
    responses: {
      /** @description The webhook with its new secret. An idempotent repeat returns null as the secret, with `secretAlreadyShown`. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "webhook": {
           *         "id": "whk_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *         "url": "https://shop.example/hooks/vouch",
           *         "events": [
           *           "session.completed",
           *           "session.declined",
           *           "session.review"
           *         ],
           *         "description": null,
           *         "mode": "live",
           *         "status": "enabled",
           *         "disabledReason": null,
           *         "disabledAt": null,
           *         "previousSecretsUntil": "2026-11-22T10:00:00.000Z",
           *         "createdAt": "2026-11-21T10:00:00.000Z"
           *       },
           *       "secret": "whsec_…"
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            webhook: {
              id: string;
              url: string;
              events: string[];
              description: string | null;
              /** @enum {string} */
              mode: 'live' | 'test';
              /** @enum {string} */
              status: 'enabled' | 'disabled';
              /**
               * @description `gone`: the receiver responded with 410; `failing`: no delivery succeeded for five days.
               * @enum {string|null}
               */
              disabledReason: 'gone' | 'failing' | null;
              /** Format: date-time */
              disabledAt: string | null;
              /**
               * Format: date-time
               * @description Time until which previous secrets sign in addition to the current one; null if there are none.
               */
              previousSecretsUntil: string | null;
              /** Format: date-time */
              createdAt: string;
            };
            secret: string | null;
            secretAlreadyShown?: boolean;
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body did not arrive in time or arrived too slowly; the connection is closed. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Five secrets are valid already, or the first request with this Idempotency-Key is still running. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is larger than 1 MB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The Idempotency-Key was used with a different body. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  recoverWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "since": "2026-11-20T00:00:00Z"
         *     }
         */
        'application/json': {
          /**
           * Format: date-time
           * @description Start of the time range, inclusive.
           */
          since: string;
          /**
           * Format: date-time
           * @description End of the time range, inclusive; the current time by default.
           */
          until?: string;
        };
      };
    };
    responses: {
      /** @description The recovery has started; its deliveries appear in the list of deliveries. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "webhook": {
           *         "id": "whk_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *         "url": "https://shop.example/hooks/vouch",
           *         "events": [
           *           "session.completed",
           *           "session.declined",
           *           "session.review"
           *         ],
           *         "description": null,
           *         "mode": "live",
           *         "status": "enabled",
           *         "disabledReason": null,
           *         "disabledAt": null,
           *         "previousSecretsUntil": null,
           *         "createdAt": "2026-11-21T10:00:00.000Z"
           *       },
           *       "recovery": {
           *         "since": "2026-11-20T00:00:00.000Z",
           *         "until": "2026-11-21T10:00:00.000Z"
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            webhook: {
              id: string;
              url: string;
              events: string[];
              description: string | null;
              /** @enum {string} */
              mode: 'live' | 'test';
              /** @enum {string} */
              status: 'enabled' | 'disabled';
              /**
               * @description `gone`: the receiver responded with 410; `failing`: no delivery succeeded for five days.
               * @enum {string|null}
               */
              disabledReason: 'gone' | 'failing' | null;
              /** Format: date-time */
              disabledAt: string | null;
              /**
               * Format: date-time
               * @description Time until which previous secrets sign in addition to the current one; null if there are none.
               */
              previousSecretsUntil: string | null;
              /** Format: date-time */
              createdAt: string;
            };
            recovery: {
              /** Format: date-time */
              since: string;
              /** Format: date-time */
              until: string;
            };
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body did not arrive in time or arrived too slowly; the connection is closed. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is larger than 1 MB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  resendWebhookDelivery: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
        deliveryId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The new delivery, still pending. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "delivery": {
           *         "id": "dlv_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *         "webhookId": "whk_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *         "eventId": "evt_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *         "type": "session.completed",
           *         "status": "pending",
           *         "reason": null,
           *         "attempts": [],
           *         "nextAttemptAt": null,
           *         "completedAt": null,
           *         "createdAt": "2026-11-21T10:00:00.000Z"
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            delivery: {
              id: string;
              webhookId: string;
              /** @description Value of the `webhook-id` header, the same for every attempt. */
              eventId: string;
              /** @enum {string} */
              type:
                | 'session.created'
                | 'session.started'
                | 'session.completed'
                | 'session.declined'
                | 'session.review'
                | 'session.resubmission_requested'
                | 'session.expired'
                | 'session.abandoned'
                | 'session.cancelled'
                | 'session.approval_expired'
                | 'session.deleted'
                | 'check.completed'
                | 'aml.alert'
                | 'kyb.completed'
                | 'export.completed'
                | 'export.failed'
                | 'invoice.issued'
                | 'invoice.paid'
                | 'invoice.voided'
                | 'credit_note.issued'
                | 'payment.received'
                | 'stock.low'
                | 'message.sent'
                | 'message.failed'
                | 'message.bounced'
                | 'tax_id.verified'
                | 'webhook.test';
              /** @enum {string} */
              status: 'pending' | 'succeeded' | 'failed' | 'cancelled';
              /** @description Reason of an unsuccessful end, such as `attempts_exhausted`. */
              reason: string | null;
              attempts: {
                number: number;
                /** Format: date-time */
                at: string;
                durationMs: number;
                /** @description HTTP status; null without a response. */
                status: number | null;
                /** @description Error code without a response, such as `timeout` or `dns_failed`. */
                error: string | null;
                /** @description First kilobyte of the response. */
                response: string | null;
              }[];
              /** Format: date-time */
              nextAttemptAt: string | null;
              /** Format: date-time */
              completedAt: string | null;
              /** Format: date-time */
              createdAt: string;
            };
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The delivery is pending, the webhook is disabled, or the subject of the event has been erased. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  getSessionStatistics: {
    parameters: {
      query?: {
        /** @description First day of the period, at most 366 days before its last. Default: 30 days that end with `to`. */
        from?: string;
        /** @description Last day of the period. Default: today. */
        to?: string;
        /** @description IANA time zone in which days begin. */
        timeZone?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The figures; `days` has every day of the period. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "period": {
           *         "from": "2026-11-21",
           *         "to": "2026-11-21",
           *         "timeZone": "UTC"
           *       },
           *       "days": [
           *         {
           *           "date": "2026-11-21",
           *           "created": 46,
           *           "statuses": {
           *             "not_started": 0,
           *             "in_progress": 0,
           *             "in_review": 2,
           *             "approved": 41,
           *             "declined": 3,
           *             "resubmission_requested": 0,
           *             "expired": 0,
           *             "abandoned": 0,
           *             "cancelled": 0,
           *             "approval_expired": 0
           *           }
           *         }
           *       ],
           *       "created": 46,
           *       "statuses": {
           *         "not_started": 0,
           *         "in_progress": 0,
           *         "in_review": 2,
           *         "approved": 41,
           *         "declined": 3,
           *         "resubmission_requested": 0,
           *         "expired": 0,
           *         "abandoned": 0,
           *         "cancelled": 0,
           *         "approval_expired": 0
           *       },
           *       "review": {
           *         "sessions": 5,
           *         "share": 0.1087
           *       },
           *       "timeToDecision": {
           *         "sessions": 44,
           *         "medianSeconds": 38.2,
           *         "p95Seconds": 1260.5
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            period: {
              /** Format: date */
              from: string;
              /** Format: date */
              to: string;
              timeZone: string;
            };
            days: {
              /** Format: date */
              date: string;
              created: number;
              /** @description Number of sessions by their present status. */
              statuses: {
                not_started: number;
                in_progress: number;
                in_review: number;
                approved: number;
                declined: number;
                resubmission_requested: number;
                expired: number;
                abandoned: number;
                cancelled: number;
                approval_expired: number;
              };
            }[];
            created: number;
            /** @description Number of sessions by their present status. */
            statuses: {
              not_started: number;
              in_progress: number;
              in_review: number;
              approved: number;
              declined: number;
              resubmission_requested: number;
              expired: number;
              abandoned: number;
              cancelled: number;
              approval_expired: number;
            };
            review: {
              /** @description Sessions that wait for a reviewer or were decided by one. */
              sessions: number;
              /** @description Their share of the sessions that were decided or wait for a reviewer; null if there are none. */
              share: number | null;
            };
            /** @description Time from the first capture to the decision of approved and declined sessions. Each value is within 5 % of the exact one, and at least a second; null without such a session. */
            timeToDecision: {
              sessions: number;
              medianSeconds: number | null;
              p95Seconds: number | null;
            };
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  getCheckStatistics: {
    parameters: {
      query?: {
        /** @description First day of the period, at most 366 days before its last. Default: 30 days that end with `to`. */
        from?: string;
        /** @description Last day of the period. Default: today. */
        to?: string;
        /** @description IANA time zone in which days begin. */
        timeZone?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The figures; `days` has every day of the period, `kinds` every kind that occurred. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "period": {
           *         "from": "2026-11-21",
           *         "to": "2026-11-21",
           *         "timeZone": "UTC"
           *       },
           *       "days": [
           *         {
           *           "date": "2026-11-21",
           *           "created": 138,
           *           "failed": 1
           *         }
           *       ],
           *       "kinds": [
           *         {
           *           "kind": "id_verification",
           *           "created": 46,
           *           "failed": 1,
           *           "failures": [
           *             {
           *               "code": "image_unreadable",
           *               "count": 1
           *             }
           *           ]
           *         },
           *         {
           *           "kind": "liveness",
           *           "created": 92,
           *           "failed": 0,
           *           "failures": []
           *         }
           *       ]
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            period: {
              /** Format: date */
              from: string;
              /** Format: date */
              to: string;
              timeZone: string;
            };
            days: {
              /** Format: date */
              date: string;
              created: number;
              failed: number;
            }[];
            kinds: {
              /** @enum {string} */
              kind:
                | 'id_verification'
                | 'liveness'
                | 'face_match'
                | 'age'
                | 'face_search'
                | 'database_validation'
                | 'proof_of_address'
                | 'aml_screening';
              created: number;
              failed: number;
              /** @description Failed checks by error code, the most frequent first. */
              failures: {
                code: string;
                count: number;
              }[];
            }[];
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  getDeliveryStatistics: {
    parameters: {
      query?: {
        /** @description First day of the period, at most 366 days before its last. Default: 30 days that end with `to`. */
        from?: string;
        /** @description Last day of the period. Default: today. */
        to?: string;
        /** @description IANA time zone in which days begin. */
        timeZone?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The figures; `days` has every day of the period. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "period": {
           *         "from": "2026-11-21",
           *         "to": "2026-11-21",
           *         "timeZone": "UTC"
           *       },
           *       "days": [
           *         {
           *           "date": "2026-11-21",
           *           "statuses": {
           *             "pending": 1,
           *             "succeeded": 211,
           *             "failed": 2,
           *             "cancelled": 0
           *           }
           *         }
           *       ],
           *       "statuses": {
           *         "pending": 1,
           *         "succeeded": 211,
           *         "failed": 2,
           *         "cancelled": 0
           *       },
           *       "webhooks": {
           *         "enabled": 2,
           *         "failing": 1,
           *         "disabled": 0
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            period: {
              /** Format: date */
              from: string;
              /** Format: date */
              to: string;
              timeZone: string;
            };
            days: {
              /** Format: date */
              date: string;
              /** @description Number of deliveries by their present status. */
              statuses: {
                pending: number;
                succeeded: number;
                failed: number;
                cancelled: number;
              };
            }[];
            /** @description Number of deliveries by their present status. */
            statuses: {
              pending: number;
              succeeded: number;
              failed: number;
              cancelled: number;
            };
            webhooks: {
              enabled: number;
              /** @description Enabled webhooks whose latest attempts failed. */
              failing: number;
              disabled: number;
            };
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  getPoolStatistics: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Every pool. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "pools": [
           *         {
           *           "pool": "vision",
           *           "workers": 2,
           *           "backlog": 7,
           *           "waitSeconds": 3.4,
           *           "tasksPerSecond": 1.8
           *         }
           *       ]
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            pools: {
              /** @enum {string} */
              pool: 'orchestration' | 'vision' | 'rendering' | 'delivery' | 'screening' | 'exports';
              /** @description Worker processes that asked for tasks within the last minutes. */
              workers: number;
              /** @description Tasks that no worker has received yet. */
              backlog: number;
              /** @description How long the oldest of them has waited; 0 without any. */
              waitSeconds: number;
              /** @description Tasks handed to workers per second, over the last half minute. */
              tasksPerSecond: number;
            }[];
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Temporal does not respond. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  getIdentitySetup: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The steps in their order. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "steps": [
           *         {
           *           "step": "session_workflow_created",
           *           "done": true
           *         },
           *         {
           *           "step": "session_created",
           *           "done": true
           *         },
           *         {
           *           "step": "person_approved",
           *           "done": false
           *         },
           *         {
           *           "step": "key_created",
           *           "done": true
           *         },
           *         {
           *           "step": "webhook_registered",
           *           "done": false
           *         }
           *       ]
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            steps: {
              /** @enum {string} */
              step:
                | 'session_workflow_created'
                | 'session_created'
                | 'person_approved'
                | 'key_created'
                | 'webhook_registered';
              done: boolean;
            }[];
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  exchangeCaptureLink: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "token": "8t1Gk3…"
         *     }
         */
        'application/json': {
          token: string;
        };
      };
    };
    responses: {
      /** @description The state of the capture; its cookie is in `Set-Cookie`. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "csrfToken": "f1d2…",
           *       "state": {
           *         "sessionId": "ses_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *         "status": "in_progress",
           *         "mode": "live",
           *         "open": true,
           *         "decided": false,
           *         "language": "fr",
           *         "organisation": {
           *           "name": "Example GmbH",
           *           "logo": "/v1/capture/logo?version=9f86d081884c7d65",
           *           "primaryColor": "#1a73e8"
           *         },
           *         "consent": {
           *           "version": "2026-11-22",
           *           "language": "fr",
           *           "at": "2026-11-21T09:59:00.000Z"
           *         },
           *         "documents": [
           *           {
           *             "type": "passport",
           *             "countries": [
           *               "DE",
           *               "FR"
           *             ],
           *             "back": false
           *           },
           *           {
           *             "type": "identity_card",
           *             "countries": [
           *               "FR"
           *             ],
           *             "back": true
           *           }
           *         ],
           *         "documentChoice": {
           *           "type": "identity_card",
           *           "country": "FR"
           *         },
           *         "frontKept": false,
           *         "acceptPdfDocuments": true,
           *         "steps": [
           *           {
           *             "feature": "id",
           *             "task": "document",
           *             "status": "retry",
           *             "attemptsLeft": 2,
           *             "problems": [
           *               "image_blurred"
           *             ]
           *           },
           *           {
           *             "feature": "liveness",
           *             "task": "liveness",
           *             "status": "not_run",
           *             "attemptsLeft": 3,
           *             "problems": []
           *           }
           *         ],
           *         "handedOver": false,
           *         "handOvers": 0,
           *         "returnUrl": "https://shop.example/verified?session_id=ses_01JQZ4QXKD0A3C6F9H2J5M8P1R&status=in_progress"
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            csrfToken: string;
            state: components['schemas']['CaptureState'];
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The request does not come from the capture page. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description There is no such link (`link_unknown`). */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body did not arrive in time or arrived too slowly; the connection is closed. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The link was used (`link_used`) or has expired (`link_expired`), or its session was erased (`session_erased`). */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is larger than 1 MB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  handOverCapture: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The link, which is valid for ten minutes and replaces an earlier one. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "link": {
           *         "url": "https://verify.example.com/verify#8t1Gk3…",
           *         "expiresAt": "2026-11-28T09:58:00.000Z"
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            link: components['schemas']['CaptureLink'];
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The session accepts no captures now (`session_closed`). */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The session was erased (`session_erased`). */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  finishCapture: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Where the person returns to: the `callbackUrl` with the id and status of the session, or null. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "sessionId": "ses_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *       "status": "in_progress",
           *       "returnUrl": "https://shop.example/verified?session_id=ses_01JQZ4QXKD0A3C6F9H2J5M8P1R&status=in_progress"
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            sessionId: string;
            status: components['schemas']['SessionStatus'];
            returnUrl: string | null;
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The session was erased (`session_erased`). */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  getCaptureState: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The state of the capture, and the CSRF token of the browser. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "csrfToken": "f1d2…",
           *       "state": {
           *         "sessionId": "ses_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *         "status": "in_progress",
           *         "mode": "live",
           *         "open": true,
           *         "decided": false,
           *         "language": "fr",
           *         "organisation": {
           *           "name": "Example GmbH",
           *           "logo": "/v1/capture/logo?version=9f86d081884c7d65",
           *           "primaryColor": "#1a73e8"
           *         },
           *         "consent": {
           *           "version": "2026-11-22",
           *           "language": "fr",
           *           "at": "2026-11-21T09:59:00.000Z"
           *         },
           *         "documents": [
           *           {
           *             "type": "passport",
           *             "countries": [
           *               "DE",
           *               "FR"
           *             ],
           *             "back": false
           *           },
           *           {
           *             "type": "identity_card",
           *             "countries": [
           *               "FR"
           *             ],
           *             "back": true
           *           }
           *         ],
           *         "documentChoice": {
           *           "type": "identity_card",
           *           "country": "FR"
           *         },
           *         "frontKept": false,
           *         "acceptPdfDocuments": true,
           *         "steps": [
           *           {
           *             "feature": "id",
           *             "task": "document",
           *             "status": "retry",
           *             "attemptsLeft": 2,
           *             "problems": [
           *               "image_blurred"
           *             ]
           *           },
           *           {
           *             "feature": "liveness",
           *             "task": "liveness",
           *             "status": "not_run",
           *             "attemptsLeft": 3,
           *             "problems": []
           *           }
           *         ],
           *         "handedOver": false,
           *         "handOvers": 0,
           *         "returnUrl": "https://shop.example/verified?session_id=ses_01JQZ4QXKD0A3C6F9H2J5M8P1R&status=in_progress"
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            csrfToken: string;
            state: components['schemas']['CaptureState'];
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The session was erased (`session_erased`). */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  getCaptureConsent: {
    parameters: {
      query?: {
        language?: 'en' | 'de' | 'fr' | 'es' | 'ar';
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The text with its version; the last paragraph is the consent itself. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "consent": {
           *         "version": "2026-11-22",
           *         "language": "en",
           *         "paragraphs": [
           *           "Example GmbH asks you to confirm who you are. …",
           *           "I consent to Example GmbH processing …"
           *         ]
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            consent: {
              version: string;
              /** @enum {string} */
              language: 'en' | 'de' | 'fr' | 'es' | 'ar';
              paragraphs: string[];
            };
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The session was erased (`session_erased`). */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  giveCaptureConsent: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "version": "2026-11-22",
         *       "language": "fr"
         *     }
         */
        'application/json': {
          /** @description Version of the text that was shown. */
          version: string;
          /** @enum {string} */
          language: 'en' | 'de' | 'fr' | 'es' | 'ar';
        };
      };
    };
    responses: {
      /** @description The state of the capture. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "state": {
           *         "sessionId": "ses_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *         "status": "in_progress",
           *         "mode": "live",
           *         "open": true,
           *         "decided": false,
           *         "language": "fr",
           *         "organisation": {
           *           "name": "Example GmbH",
           *           "logo": "/v1/capture/logo?version=9f86d081884c7d65",
           *           "primaryColor": "#1a73e8"
           *         },
           *         "consent": {
           *           "version": "2026-11-22",
           *           "language": "fr",
           *           "at": "2026-11-21T09:59:00.000Z"
           *         },
           *         "documents": [
           *           {
           *             "type": "passport",
           *             "countries": [
           *               "DE",
           *               "FR"
           *             ],
           *             "back": false
           *           },
           *           {
           *             "type": "identity_card",
           *             "countries": [
           *               "FR"
           *             ],
           *             "back": true
           *           }
           *         ],
           *         "documentChoice": {
           *           "type": "identity_card",
           *           "country": "FR"
           *         },
           *         "frontKept": false,
           *         "acceptPdfDocuments": true,
           *         "steps": [
           *           {
           *             "feature": "id",
           *             "task": "document",
           *             "status": "retry",
           *             "attemptsLeft": 2,
           *             "problems": [
           *               "image_blurred"
           *             ]
           *           },
           *           {
           *             "feature": "liveness",
           *             "task": "liveness",
           *             "status": "not_run",
           *             "attemptsLeft": 3,
           *             "problems": []
           *           }
           *         ],
           *         "handedOver": false,
           *         "handOvers": 0,
           *         "returnUrl": "https://shop.example/verified?session_id=ses_01JQZ4QXKD0A3C6F9H2J5M8P1R&status=in_progress"
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            state: components['schemas']['CaptureState'];
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body did not arrive in time or arrived too slowly; the connection is closed. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The text has changed since it was shown (`consent_outdated`), or the session has ended. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The session was erased (`session_erased`). */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is larger than 1 MB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  chooseCaptureDocument: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "type": "identity_card",
         *       "country": "FR"
         *     }
         */
        'application/json': {
          /** @enum {string} */
          type: 'passport' | 'identity_card' | 'driving_licence' | 'residence_permit' | 'visa';
          /** @description ISO 3166-1 alpha-2 or alpha-3 code. */
          country: string;
        };
      };
    };
    responses: {
      /** @description The state of the capture. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "state": {
           *         "sessionId": "ses_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *         "status": "in_progress",
           *         "mode": "live",
           *         "open": true,
           *         "decided": false,
           *         "language": "fr",
           *         "organisation": {
           *           "name": "Example GmbH",
           *           "logo": "/v1/capture/logo?version=9f86d081884c7d65",
           *           "primaryColor": "#1a73e8"
           *         },
           *         "consent": {
           *           "version": "2026-11-22",
           *           "language": "fr",
           *           "at": "2026-11-21T09:59:00.000Z"
           *         },
           *         "documents": [
           *           {
           *             "type": "passport",
           *             "countries": [
           *               "DE",
           *               "FR"
           *             ],
           *             "back": false
           *           },
           *           {
           *             "type": "identity_card",
           *             "countries": [
           *               "FR"
           *             ],
           *             "back": true
           *           }
           *         ],
           *         "documentChoice": {
           *           "type": "identity_card",
           *           "country": "FR"
           *         },
           *         "frontKept": false,
           *         "acceptPdfDocuments": true,
           *         "steps": [
           *           {
           *             "feature": "id",
           *             "task": "document",
           *             "status": "retry",
           *             "attemptsLeft": 2,
           *             "problems": [
           *               "image_blurred"
           *             ]
           *           },
           *           {
           *             "feature": "liveness",
           *             "task": "liveness",
           *             "status": "not_run",
           *             "attemptsLeft": 3,
           *             "problems": []
           *           }
           *         ],
           *         "handedOver": false,
           *         "handOvers": 0,
           *         "returnUrl": "https://shop.example/verified?session_id=ses_01JQZ4QXKD0A3C6F9H2J5M8P1R&status=in_progress"
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            state: components['schemas']['CaptureState'];
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body did not arrive in time or arrived too slowly; the connection is closed. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The person has not consented (`consent_required`), or the session verifies no document or has ended. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The session was erased (`session_erased`). */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is larger than 1 MB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  followCapture: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The events. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/event-stream': Upload;
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The session was erased (`session_erased`). */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  captureDocument: {
    parameters: {
      query?: never;
      header?: {
        /** @description Unique key of the request, chosen by the client. A retry with the same key within 24 hours returns the first response. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'multipart/form-data': {
          /**
           * Format: binary
           * @description Side with the portrait, or data page; required unless it was kept. JPEG, PNG, WebP HEIC or PDF, at most 15 MB and 50 megapixels; the type is detected from the content.
           */
          frontImage?: Upload;
          /**
           * Format: binary
           * @description Other side of the document. JPEG, PNG, WebP HEIC or PDF, at most 15 MB and 50 megapixels; the type is detected from the content.
           */
          backImage?: Upload;
        };
      };
    };
    responses: {
      /** @description The state, in which the step is being processed. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "state": {
           *         "sessionId": "ses_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *         "status": "in_progress",
           *         "mode": "live",
           *         "open": true,
           *         "decided": false,
           *         "language": "fr",
           *         "organisation": {
           *           "name": "Example GmbH",
           *           "logo": "/v1/capture/logo?version=9f86d081884c7d65",
           *           "primaryColor": "#1a73e8"
           *         },
           *         "consent": {
           *           "version": "2026-11-22",
           *           "language": "fr",
           *           "at": "2026-11-21T09:59:00.000Z"
           *         },
           *         "documents": [
           *           {
           *             "type": "passport",
           *             "countries": [
           *               "DE",
           *               "FR"
           *             ],
           *             "back": false
           *           },
           *           {
           *             "type": "identity_card",
           *             "countries": [
           *               "FR"
           *             ],
           *             "back": true
           *           }
           *         ],
           *         "documentChoice": {
           *           "type": "identity_card",
           *           "country": "FR"
           *         },
           *         "frontKept": false,
           *         "acceptPdfDocuments": true,
           *         "steps": [
           *           {
           *             "feature": "id",
           *             "task": "document",
           *             "status": "retry",
           *             "attemptsLeft": 2,
           *             "problems": [
           *               "image_blurred"
           *             ]
           *           },
           *           {
           *             "feature": "liveness",
           *             "task": "liveness",
           *             "status": "not_run",
           *             "attemptsLeft": 3,
           *             "problems": []
           *           }
           *         ],
           *         "handedOver": false,
           *         "handOvers": 0,
           *         "returnUrl": "https://shop.example/verified?session_id=ses_01JQZ4QXKD0A3C6F9H2J5M8P1R&status=in_progress"
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            state: components['schemas']['CaptureState'];
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body did not arrive in time or arrived too slowly; the connection is closed. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The person has not consented (`consent_required`), the step was captured already, such as on another device (`step_captured`), or the session does not accept this check now. `session_changed`: the front that the session keeps was replaced meanwhile; try again. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The session was erased (`session_erased`). */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A file exceeds 15 MB or 50 megapixels. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A file is not of an accepted type, or the body is not multipart. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The Idempotency-Key was used with a different body. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  keepCaptureFront: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'multipart/form-data': {
          /**
           * Format: binary
           * @description Side with the portrait. JPEG, PNG, WebP HEIC or PDF, at most 15 MB and 50 megapixels; the type is detected from the content.
           */
          frontImage: Upload;
        };
      };
    };
    responses: {
      /** @description The state of the capture. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "state": {
           *         "sessionId": "ses_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *         "status": "in_progress",
           *         "mode": "live",
           *         "open": true,
           *         "decided": false,
           *         "language": "fr",
           *         "organisation": {
           *           "name": "Example GmbH",
           *           "logo": "/v1/capture/logo?version=9f86d081884c7d65",
           *           "primaryColor": "#1a73e8"
           *         },
           *         "consent": {
           *           "version": "2026-11-22",
           *           "language": "fr",
           *           "at": "2026-11-21T09:59:00.000Z"
           *         },
           *         "documents": [
           *           {
           *             "type": "passport",
           *             "countries": [
           *               "DE",
           *               "FR"
           *             ],
           *             "back": false
           *           },
           *           {
           *             "type": "identity_card",
           *             "countries": [
           *               "FR"
           *             ],
           *             "back": true
           *           }
           *         ],
           *         "documentChoice": {
           *           "type": "identity_card",
           *           "country": "FR"
           *         },
           *         "frontKept": false,
           *         "acceptPdfDocuments": true,
           *         "steps": [
           *           {
           *             "feature": "id",
           *             "task": "document",
           *             "status": "retry",
           *             "attemptsLeft": 2,
           *             "problems": [
           *               "image_blurred"
           *             ]
           *           },
           *           {
           *             "feature": "liveness",
           *             "task": "liveness",
           *             "status": "not_run",
           *             "attemptsLeft": 3,
           *             "problems": []
           *           }
           *         ],
           *         "handedOver": false,
           *         "handOvers": 0,
           *         "returnUrl": "https://shop.example/verified?session_id=ses_01JQZ4QXKD0A3C6F9H2J5M8P1R&status=in_progress"
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            state: components['schemas']['CaptureState'];
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body did not arrive in time or arrived too slowly; the connection is closed. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The person has not consented (`consent_required`), the step was captured already, such as on another device (`step_captured`), or the session does not accept this check now. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The session was erased (`session_erased`). */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A file exceeds 15 MB or 50 megapixels. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A file is not of an accepted type, or the body is not multipart. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  captureAddressProof: {
    parameters: {
      query?: never;
      header?: {
        /** @description Unique key of the request, chosen by the client. A retry with the same key within 24 hours returns the first response. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'multipart/form-data': {
          /**
           * Format: binary
           * @description Proof of address. JPEG, PNG, WebP HEIC or PDF, at most 15 MB and 50 megapixels; the type is detected from the content.
           */
          document: Upload;
        };
      };
    };
    responses: {
      /** @description The state, in which the step is being processed. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "state": {
           *         "sessionId": "ses_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *         "status": "in_progress",
           *         "mode": "live",
           *         "open": true,
           *         "decided": false,
           *         "language": "fr",
           *         "organisation": {
           *           "name": "Example GmbH",
           *           "logo": "/v1/capture/logo?version=9f86d081884c7d65",
           *           "primaryColor": "#1a73e8"
           *         },
           *         "consent": {
           *           "version": "2026-11-22",
           *           "language": "fr",
           *           "at": "2026-11-21T09:59:00.000Z"
           *         },
           *         "documents": [
           *           {
           *             "type": "passport",
           *             "countries": [
           *               "DE",
           *               "FR"
           *             ],
           *             "back": false
           *           },
           *           {
           *             "type": "identity_card",
           *             "countries": [
           *               "FR"
           *             ],
           *             "back": true
           *           }
           *         ],
           *         "documentChoice": {
           *           "type": "identity_card",
           *           "country": "FR"
           *         },
           *         "frontKept": false,
           *         "acceptPdfDocuments": true,
           *         "steps": [
           *           {
           *             "feature": "id",
           *             "task": "document",
           *             "status": "retry",
           *             "attemptsLeft": 2,
           *             "problems": [
           *               "image_blurred"
           *             ]
           *           },
           *           {
           *             "feature": "liveness",
           *             "task": "liveness",
           *             "status": "not_run",
           *             "attemptsLeft": 3,
           *             "problems": []
           *           }
           *         ],
           *         "handedOver": false,
           *         "handOvers": 0,
           *         "returnUrl": "https://shop.example/verified?session_id=ses_01JQZ4QXKD0A3C6F9H2J5M8P1R&status=in_progress"
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            state: components['schemas']['CaptureState'];
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body did not arrive in time or arrived too slowly; the connection is closed. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The person has not consented (`consent_required`), the step was captured already, such as on another device (`step_captured`), or the session does not accept this check now. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The session was erased (`session_erased`). */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A file exceeds 15 MB or 50 megapixels. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A file is not of an accepted type, or the body is not multipart. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The Idempotency-Key was used with a different body. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  captureLiveness: {
    parameters: {
      query?: never;
      header?: {
        /** @description Unique key of the request, chosen by the client. A retry with the same key within 24 hours returns the first response. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'multipart/form-data': {
          challengeId?: string;
          /**
           * Format: binary
           * @description Selfie; required without a challenge. JPEG, PNG, WebP or HEIC, at most 15 MB and 50 megapixels; the type is detected from the content.
           */
          image?: Upload;
          frames?: Upload[];
        };
      };
    };
    responses: {
      /** @description The state, in which the step is being processed. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "state": {
           *         "sessionId": "ses_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *         "status": "in_progress",
           *         "mode": "live",
           *         "open": true,
           *         "decided": false,
           *         "language": "fr",
           *         "organisation": {
           *           "name": "Example GmbH",
           *           "logo": "/v1/capture/logo?version=9f86d081884c7d65",
           *           "primaryColor": "#1a73e8"
           *         },
           *         "consent": {
           *           "version": "2026-11-22",
           *           "language": "fr",
           *           "at": "2026-11-21T09:59:00.000Z"
           *         },
           *         "documents": [
           *           {
           *             "type": "passport",
           *             "countries": [
           *               "DE",
           *               "FR"
           *             ],
           *             "back": false
           *           },
           *           {
           *             "type": "identity_card",
           *             "countries": [
           *               "FR"
           *             ],
           *             "back": true
           *           }
           *         ],
           *         "documentChoice": {
           *           "type": "identity_card",
           *           "country": "FR"
           *         },
           *         "frontKept": false,
           *         "acceptPdfDocuments": true,
           *         "steps": [
           *           {
           *             "feature": "id",
           *             "task": "document",
           *             "status": "retry",
           *             "attemptsLeft": 2,
           *             "problems": [
           *               "image_blurred"
           *             ]
           *           },
           *           {
           *             "feature": "liveness",
           *             "task": "liveness",
           *             "status": "not_run",
           *             "attemptsLeft": 3,
           *             "problems": []
           *           }
           *         ],
           *         "handedOver": false,
           *         "handOvers": 0,
           *         "returnUrl": "https://shop.example/verified?session_id=ses_01JQZ4QXKD0A3C6F9H2J5M8P1R&status=in_progress"
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            state: components['schemas']['CaptureState'];
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body did not arrive in time or arrived too slowly; the connection is closed. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The person has not consented (`consent_required`), the step was captured already, such as on another device (`step_captured`), or the session does not accept this check now. Or the challenge was already answered (`challenge_used`). */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The challenge has expired (`challenge_expired`), or the session was erased (`session_erased`). */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A file exceeds 15 MB or 50 megapixels. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A file is not of an accepted type, or the body is not multipart. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The Idempotency-Key was used with a different body. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  captureSelfie: {
    parameters: {
      query?: never;
      header?: {
        /** @description Unique key of the request, chosen by the client. A retry with the same key within 24 hours returns the first response. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'multipart/form-data': {
          /** @enum {string} */
          feature: 'face_match' | 'age';
          /**
           * Format: binary
           * @description Selfie. JPEG, PNG, WebP or HEIC, at most 15 MB and 50 megapixels; the type is detected from the content.
           */
          image: Upload;
        };
      };
    };
    responses: {
      /** @description The state, in which the step is being processed. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "state": {
           *         "sessionId": "ses_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *         "status": "in_progress",
           *         "mode": "live",
           *         "open": true,
           *         "decided": false,
           *         "language": "fr",
           *         "organisation": {
           *           "name": "Example GmbH",
           *           "logo": "/v1/capture/logo?version=9f86d081884c7d65",
           *           "primaryColor": "#1a73e8"
           *         },
           *         "consent": {
           *           "version": "2026-11-22",
           *           "language": "fr",
           *           "at": "2026-11-21T09:59:00.000Z"
           *         },
           *         "documents": [
           *           {
           *             "type": "passport",
           *             "countries": [
           *               "DE",
           *               "FR"
           *             ],
           *             "back": false
           *           },
           *           {
           *             "type": "identity_card",
           *             "countries": [
           *               "FR"
           *             ],
           *             "back": true
           *           }
           *         ],
           *         "documentChoice": {
           *           "type": "identity_card",
           *           "country": "FR"
           *         },
           *         "frontKept": false,
           *         "acceptPdfDocuments": true,
           *         "steps": [
           *           {
           *             "feature": "id",
           *             "task": "document",
           *             "status": "retry",
           *             "attemptsLeft": 2,
           *             "problems": [
           *               "image_blurred"
           *             ]
           *           },
           *           {
           *             "feature": "liveness",
           *             "task": "liveness",
           *             "status": "not_run",
           *             "attemptsLeft": 3,
           *             "problems": []
           *           }
           *         ],
           *         "handedOver": false,
           *         "handOvers": 0,
           *         "returnUrl": "https://shop.example/verified?session_id=ses_01JQZ4QXKD0A3C6F9H2J5M8P1R&status=in_progress"
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            state: components['schemas']['CaptureState'];
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body did not arrive in time or arrived too slowly; the connection is closed. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The person has not consented (`consent_required`), the step was captured already, such as on another device (`step_captured`), or the session does not accept this check now. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The session was erased (`session_erased`). */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A file exceeds 15 MB or 50 megapixels. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A file is not of an accepted type, or the body is not multipart. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The Idempotency-Key was used with a different body. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  createCaptureChallenge: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "count": 3
         *     }
         */
        'application/json': {
          /** @default 3 */
          count?: number;
        };
      };
    };
    responses: {
      /** @description The challenge. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "challenge": {
           *         "challengeId": "chl_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *         "sessionId": null,
           *         "actions": [
           *           "turn_left",
           *           "come_closer",
           *           "blink"
           *         ],
           *         "frames": {
           *           "least": 4,
           *           "most": 24
           *         },
           *         "expiresAt": "2026-11-21T10:05:00.000Z"
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            challenge: components['schemas']['LivenessChallenge'];
          };
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The record does not exist or is not accessible to this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body did not arrive in time or arrived too slowly; the connection is closed. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The session has drawn as many challenges as it may (`challenges_exhausted`). */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The session was erased (`session_erased`). */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is larger than 1 MB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The body is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  getCaptureLogo: {
    parameters: {
      query?: {
        /** @description As in the address that the state has. */
        version?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The image, PNG or JPEG. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'image/*': Upload;
        };
      };
      /** @description The request is invalid; the response names every wrong field. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential is missing or invalid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the required permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The organisation has no logo. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Internal error; the request id identifies it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A required store does not respond, the query took too long, or too many requests are being processed; try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
    };
  };
  onSessionCreated: {
    parameters: {
      query?: never;
      header: {
        /** @description Id of the delivery, the same for every attempt. */
        'webhook-id': string;
        /** @description Time of the attempt in Unix seconds. */
        'webhook-timestamp': string;
        /** @description Standard Webhooks signatures (`v1,…`), one for each valid secret, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "type": "session.created",
         *       "mode": "live",
         *       "timestamp": "2026-11-21T10:00:05.000Z",
         *       "data": {
         *         "sessionId": "ses_01JQZ4QXKD0A3C6F9H2J5M8P1R",
         *         "number": 17,
         *         "mode": "live",
         *         "externalId": "customer-4711",
         *         "workflowId": "wfl_01JQZ4QXKD0A3C6F9H2J5M8P1R",
         *         "workflowVersion": 2,
         *         "decision": null,
         *         "status": "not_started"
         *       }
         *     }
         */
        'application/json': {
          /** @enum {string} */
          type: 'session.created';
          /**
           * @description Mode of the record; business records have only live mode.
           * @enum {string}
           */
          mode: 'live' | 'test';
          /**
           * Format: date-time
           * @description Time of the event, the same for every attempt.
           */
          timestamp: string;
          data: {
            sessionId: string;
            /** @description Number of the session within the organisation and mode. */
            number: number;
            /** @enum {string} */
            mode: 'live' | 'test';
            /**
             * @description Status of the session after the event.
             * @enum {string}
             */
            status:
              | 'not_started'
              | 'in_progress'
              | 'in_review'
              | 'approved'
              | 'declined'
              | 'resubmission_requested'
              | 'expired'
              | 'abandoned'
              | 'cancelled'
              | 'approval_expired';
            /** @description The client's own id of the person or case. */
            externalId: string | null;
            /** @description Session workflow that the session started with. */
            workflowId: string | null;
            workflowVersion: number | null;
            /** @description Latest decision; null before the first. */
            decision: {
              /** @enum {string} */
              outcome:
                | 'not_started'
                | 'in_progress'
                | 'in_review'
                | 'approved'
                | 'declined'
                | 'resubmission_requested'
                | 'expired'
                | 'abandoned'
                | 'cancelled'
                | 'approval_expired';
              reasons: (
                | 'document_expired'
                | 'document_not_recognised'
                | 'document_not_accepted'
                | 'portrait_not_found'
                | 'mrz_not_found'
                | 'mrz_check_failed'
                | 'print_unverified'
                | 'mrz_visual_mismatch'
                | 'barcode_not_found'
                | 'barcode_check_failed'
                | 'barcode_visual_mismatch'
                | 'name_not_found'
                | 'date_of_birth_not_found'
                | 'document_number_not_found'
                | 'expiry_not_found'
                | 'invalid_date'
                | 'issue_after_expiry'
                | 'wrong_side'
                | 'two_documents'
                | 'image_blurred'
                | 'image_glare'
                | 'image_dark'
                | 'image_too_small'
                | 'document_cut_off'
                | 'screen_capture_suspected'
                | 'printed_copy_suspected'
                | 'duplicate_document'
                | 'document_in_blocklist'
                | 'expected_name_mismatch'
                | 'expected_date_of_birth_mismatch'
                | 'expected_country_mismatch'
                | 'expected_document_number_mismatch'
                | 'minimum_age_not_met'
                | 'poa_too_old'
                | 'poa_date_in_future'
                | 'poa_issuer_not_found'
                | 'poa_name_not_found'
                | 'poa_script_not_supported'
                | 'poa_name_mismatch'
                | 'poa_address_mismatch'
                | 'poa_address_not_found'
                | 'poa_poor_quality'
                | 'liveness_low'
                | 'attack_suspected'
                | 'no_face'
                | 'multiple_faces'
                | 'face_too_small'
                | 'face_low_quality'
                | 'same_capture'
                | 'face_in_blocklist'
                | 'duplicate_face'
                | 'face_mismatch'
                | 'no_face_in_user_image'
                | 'no_face_in_ref_image'
                | 'aml_match'
                | 'aml_possible_match'
                | 'aml_list_stale'
                | 'database_no_match'
                | 'database_partial_match'
                | 'database_not_available'
                | 'kyb_not_active'
                | 'kyb_lei_lapsed'
                | 'kyb_name_mismatch'
                | 'kyb_country_mismatch'
                | 'kyb_identifier_mismatch'
                | 'kyb_registry_unavailable'
                | 'attempts_exhausted'
                | 'processing_failed'
              )[];
              /** @enum {string} */
              decidedBy: 'rules' | 'reviewer';
              /** @description Id of the workflow's rule that decided; null if none did. */
              rule: string | null;
            } | null;
          };
        };
      };
    };
    responses: {
      /** @description The endpoint is gone: the webhook is disabled. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The delivery is accepted. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The delivery is retried with increasing delays. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onSessionStarted: {
    parameters: {
      query?: never;
      header: {
        /** @description Id of the delivery, the same for every attempt. */
        'webhook-id': string;
        /** @description Time of the attempt in Unix seconds. */
        'webhook-timestamp': string;
        /** @description Standard Webhooks signatures (`v1,…`), one for each valid secret, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "type": "session.started",
         *       "mode": "live",
         *       "timestamp": "2026-11-21T10:00:05.000Z",
         *       "data": {
         *         "sessionId": "ses_01JQZ4QXKD0A3C6F9H2J5M8P1R",
         *         "number": 17,
         *         "mode": "live",
         *         "externalId": "customer-4711",
         *         "workflowId": "wfl_01JQZ4QXKD0A3C6F9H2J5M8P1R",
         *         "workflowVersion": 2,
         *         "decision": null,
         *         "status": "in_progress"
         *       }
         *     }
         */
        'application/json': {
          /** @enum {string} */
          type: 'session.started';
          /**
           * @description Mode of the record; business records have only live mode.
           * @enum {string}
           */
          mode: 'live' | 'test';
          /**
           * Format: date-time
           * @description Time of the event, the same for every attempt.
           */
          timestamp: string;
          data: {
            sessionId: string;
            /** @description Number of the session within the organisation and mode. */
            number: number;
            /** @enum {string} */
            mode: 'live' | 'test';
            /**
             * @description Status of the session after the event.
             * @enum {string}
             */
            status:
              | 'not_started'
              | 'in_progress'
              | 'in_review'
              | 'approved'
              | 'declined'
              | 'resubmission_requested'
              | 'expired'
              | 'abandoned'
              | 'cancelled'
              | 'approval_expired';
            /** @description The client's own id of the person or case. */
            externalId: string | null;
            /** @description Session workflow that the session started with. */
            workflowId: string | null;
            workflowVersion: number | null;
            /** @description Latest decision; null before the first. */
            decision: {
              /** @enum {string} */
              outcome:
                | 'not_started'
                | 'in_progress'
                | 'in_review'
                | 'approved'
                | 'declined'
                | 'resubmission_requested'
                | 'expired'
                | 'abandoned'
                | 'cancelled'
                | 'approval_expired';
              reasons: (
                | 'document_expired'
                | 'document_not_recognised'
                | 'document_not_accepted'
                | 'portrait_not_found'
                | 'mrz_not_found'
                | 'mrz_check_failed'
                | 'print_unverified'
                | 'mrz_visual_mismatch'
                | 'barcode_not_found'
                | 'barcode_check_failed'
                | 'barcode_visual_mismatch'
                | 'name_not_found'
                | 'date_of_birth_not_found'
                | 'document_number_not_found'
                | 'expiry_not_found'
                | 'invalid_date'
                | 'issue_after_expiry'
                | 'wrong_side'
                | 'two_documents'
                | 'image_blurred'
                | 'image_glare'
                | 'image_dark'
                | 'image_too_small'
                | 'document_cut_off'
                | 'screen_capture_suspected'
                | 'printed_copy_suspected'
                | 'duplicate_document'
                | 'document_in_blocklist'
                | 'expected_name_mismatch'
                | 'expected_date_of_birth_mismatch'
                | 'expected_country_mismatch'
                | 'expected_document_number_mismatch'
                | 'minimum_age_not_met'
                | 'poa_too_old'
                | 'poa_date_in_future'
                | 'poa_issuer_not_found'
                | 'poa_name_not_found'
                | 'poa_script_not_supported'
                | 'poa_name_mismatch'
                | 'poa_address_mismatch'
                | 'poa_address_not_found'
                | 'poa_poor_quality'
                | 'liveness_low'
                | 'attack_suspected'
                | 'no_face'
                | 'multiple_faces'
                | 'face_too_small'
                | 'face_low_quality'
                | 'same_capture'
                | 'face_in_blocklist'
                | 'duplicate_face'
                | 'face_mismatch'
                | 'no_face_in_user_image'
                | 'no_face_in_ref_image'
                | 'aml_match'
                | 'aml_possible_match'
                | 'aml_list_stale'
                | 'database_no_match'
                | 'database_partial_match'
                | 'database_not_available'
                | 'kyb_not_active'
                | 'kyb_lei_lapsed'
                | 'kyb_name_mismatch'
                | 'kyb_country_mismatch'
                | 'kyb_identifier_mismatch'
                | 'kyb_registry_unavailable'
                | 'attempts_exhausted'
                | 'processing_failed'
              )[];
              /** @enum {string} */
              decidedBy: 'rules' | 'reviewer';
              /** @description Id of the workflow's rule that decided; null if none did. */
              rule: string | null;
            } | null;
          };
        };
      };
    };
    responses: {
      /** @description The endpoint is gone: the webhook is disabled. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The delivery is accepted. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The delivery is retried with increasing delays. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onSessionCompleted: {
    parameters: {
      query?: never;
      header: {
        /** @description Id of the delivery, the same for every attempt. */
        'webhook-id': string;
        /** @description Time of the attempt in Unix seconds. */
        'webhook-timestamp': string;
        /** @description Standard Webhooks signatures (`v1,…`), one for each valid secret, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "type": "session.completed",
         *       "mode": "live",
         *       "timestamp": "2026-11-21T10:00:05.000Z",
         *       "data": {
         *         "sessionId": "ses_01JQZ4QXKD0A3C6F9H2J5M8P1R",
         *         "number": 17,
         *         "mode": "live",
         *         "externalId": "customer-4711",
         *         "workflowId": "wfl_01JQZ4QXKD0A3C6F9H2J5M8P1R",
         *         "workflowVersion": 2,
         *         "decision": {
         *           "outcome": "approved",
         *           "reasons": [],
         *           "decidedBy": "rules",
         *           "rule": null
         *         },
         *         "status": "approved"
         *       }
         *     }
         */
        'application/json': {
          /** @enum {string} */
          type: 'session.completed';
          /**
           * @description Mode of the record; business records have only live mode.
           * @enum {string}
           */
          mode: 'live' | 'test';
          /**
           * Format: date-time
           * @description Time of the event, the same for every attempt.
           */
          timestamp: string;
          data: {
            sessionId: string;
            /** @description Number of the session within the organisation and mode. */
            number: number;
            /** @enum {string} */
            mode: 'live' | 'test';
            /**
             * @description Status of the session after the event.
             * @enum {string}
             */
            status:
              | 'not_started'
              | 'in_progress'
              | 'in_review'
              | 'approved'
              | 'declined'
              | 'resubmission_requested'
              | 'expired'
              | 'abandoned'
              | 'cancelled'
              | 'approval_expired';
            /** @description The client's own id of the person or case. */
            externalId: string | null;
            /** @description Session workflow that the session started with. */
            workflowId: string | null;
            workflowVersion: number | null;
            /** @description Latest decision; null before the first. */
            decision: {
              /** @enum {string} */
              outcome:
                | 'not_started'
                | 'in_progress'
                | 'in_review'
                | 'approved'
                | 'declined'
                | 'resubmission_requested'
                | 'expired'
                | 'abandoned'
                | 'cancelled'
                | 'approval_expired';
              reasons: (
                | 'document_expired'
                | 'document_not_recognised'
                | 'document_not_accepted'
                | 'portrait_not_found'
                | 'mrz_not_found'
                | 'mrz_check_failed'
                | 'print_unverified'
                | 'mrz_visual_mismatch'
                | 'barcode_not_found'
                | 'barcode_check_failed'
                | 'barcode_visual_mismatch'
                | 'name_not_found'
                | 'date_of_birth_not_found'
                | 'document_number_not_found'
                | 'expiry_not_found'
                | 'invalid_date'
                | 'issue_after_expiry'
                | 'wrong_side'
                | 'two_documents'
                | 'image_blurred'
                | 'image_glare'
                | 'image_dark'
                | 'image_too_small'
                | 'document_cut_off'
                | 'screen_capture_suspected'
                | 'printed_copy_suspected'
                | 'duplicate_document'
                | 'document_in_blocklist'
                | 'expected_name_mismatch'
                | 'expected_date_of_birth_mismatch'
                | 'expected_country_mismatch'
                | 'expected_document_number_mismatch'
                | 'minimum_age_not_met'
                | 'poa_too_old'
                | 'poa_date_in_future'
                | 'poa_issuer_not_found'
                | 'poa_name_not_found'
                | 'poa_script_not_supported'
                | 'poa_name_mismatch'
                | 'poa_address_mismatch'
                | 'poa_address_not_found'
                | 'poa_poor_quality'
                | 'liveness_low'
                | 'attack_suspected'
                | 'no_face'
                | 'multiple_faces'
                | 'face_too_small'
                | 'face_low_quality'
                | 'same_capture'
                | 'face_in_blocklist'
                | 'duplicate_face'
                | 'face_mismatch'
                | 'no_face_in_user_image'
                | 'no_face_in_ref_image'
                | 'aml_match'
                | 'aml_possible_match'
                | 'aml_list_stale'
                | 'database_no_match'
                | 'database_partial_match'
                | 'database_not_available'
                | 'kyb_not_active'
                | 'kyb_lei_lapsed'
                | 'kyb_name_mismatch'
                | 'kyb_country_mismatch'
                | 'kyb_identifier_mismatch'
                | 'kyb_registry_unavailable'
                | 'attempts_exhausted'
                | 'processing_failed'
              )[];
              /** @enum {string} */
              decidedBy: 'rules' | 'reviewer';
              /** @description Id of the workflow's rule that decided; null if none did. */
              rule: string | null;
            } | null;
          };
        };
      };
    };
    responses: {
      /** @description The endpoint is gone: the webhook is disabled. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The delivery is accepted. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The delivery is retried with increasing delays. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onSessionDeclined: {
    parameters: {
      query?: never;
      header: {
        /** @description Id of the delivery, the same for every attempt. */
        'webhook-id': string;
        /** @description Time of the attempt in Unix seconds. */
        'webhook-timestamp': string;
        /** @description Standard Webhooks signatures (`v1,…`), one for each valid secret, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "type": "session.declined",
         *       "mode": "live",
         *       "timestamp": "2026-11-21T10:00:05.000Z",
         *       "data": {
         *         "sessionId": "ses_01JQZ4QXKD0A3C6F9H2J5M8P1R",
         *         "number": 17,
         *         "mode": "live",
         *         "externalId": "customer-4711",
         *         "workflowId": "wfl_01JQZ4QXKD0A3C6F9H2J5M8P1R",
         *         "workflowVersion": 2,
         *         "decision": {
         *           "outcome": "declined",
         *           "reasons": [
         *             "document_expired"
         *           ],
         *           "decidedBy": "rules",
         *           "rule": null
         *         },
         *         "status": "declined"
         *       }
         *     }
         */
        'application/json': {
          /** @enum {string} */
          type: 'session.declined';
          /**
           * @description Mode of the record; business records have only live mode.
           * @enum {string}
           */
          mode: 'live' | 'test';
          /**
           * Format: date-time
           * @description Time of the event, the same for every attempt.
           */
          timestamp: string;
          data: {
            sessionId: string;
            /** @description Number of the session within the organisation and mode. */
            number: number;
            /** @enum {string} */
            mode: 'live' | 'test';
            /**
             * @description Status of the session after the event.
             * @enum {string}
             */
            status:
              | 'not_started'
              | 'in_progress'
              | 'in_review'
              | 'approved'
              | 'declined'
              | 'resubmission_requested'
              | 'expired'
              | 'abandoned'
              | 'cancelled'
              | 'approval_expired';
            /** @description The client's own id of the person or case. */
            externalId: string | null;
            /** @description Session workflow that the session started with. */
            workflowId: string | null;
            workflowVersion: number | null;
            /** @description Latest decision; null before the first. */
            decision: {
              /** @enum {string} */
              outcome:
                | 'not_started'
                | 'in_progress'
                | 'in_review'
                | 'approved'
                | 'declined'
                | 'resubmission_requested'
                | 'expired'
                | 'abandoned'
                | 'cancelled'
                | 'approval_expired';
              reasons: (
                | 'document_expired'
                | 'document_not_recognised'
                | 'document_not_accepted'
                | 'portrait_not_found'
                | 'mrz_not_found'
                | 'mrz_check_failed'
                | 'print_unverified'
                | 'mrz_visual_mismatch'
                | 'barcode_not_found'
                | 'barcode_check_failed'
                | 'barcode_visual_mismatch'
                | 'name_not_found'
                | 'date_of_birth_not_found'
                | 'document_number_not_found'
                | 'expiry_not_found'
                | 'invalid_date'
                | 'issue_after_expiry'
                | 'wrong_side'
                | 'two_documents'
                | 'image_blurred'
                | 'image_glare'
                | 'image_dark'
                | 'image_too_small'
                | 'document_cut_off'
                | 'screen_capture_suspected'
                | 'printed_copy_suspected'
                | 'duplicate_document'
                | 'document_in_blocklist'
                | 'expected_name_mismatch'
                | 'expected_date_of_birth_mismatch'
                | 'expected_country_mismatch'
                | 'expected_document_number_mismatch'
                | 'minimum_age_not_met'
                | 'poa_too_old'
                | 'poa_date_in_future'
                | 'poa_issuer_not_found'
                | 'poa_name_not_found'
                | 'poa_script_not_supported'
                | 'poa_name_mismatch'
                | 'poa_address_mismatch'
                | 'poa_address_not_found'
                | 'poa_poor_quality'
                | 'liveness_low'
                | 'attack_suspected'
                | 'no_face'
                | 'multiple_faces'
                | 'face_too_small'
                | 'face_low_quality'
                | 'same_capture'
                | 'face_in_blocklist'
                | 'duplicate_face'
                | 'face_mismatch'
                | 'no_face_in_user_image'
                | 'no_face_in_ref_image'
                | 'aml_match'
                | 'aml_possible_match'
                | 'aml_list_stale'
                | 'database_no_match'
                | 'database_partial_match'
                | 'database_not_available'
                | 'kyb_not_active'
                | 'kyb_lei_lapsed'
                | 'kyb_name_mismatch'
                | 'kyb_country_mismatch'
                | 'kyb_identifier_mismatch'
                | 'kyb_registry_unavailable'
                | 'attempts_exhausted'
                | 'processing_failed'
              )[];
              /** @enum {string} */
              decidedBy: 'rules' | 'reviewer';
              /** @description Id of the workflow's rule that decided; null if none did. */
              rule: string | null;
            } | null;
          };
        };
      };
    };
    responses: {
      /** @description The endpoint is gone: the webhook is disabled. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The delivery is accepted. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The delivery is retried with increasing delays. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onSessionReview: {
    parameters: {
      query?: never;
      header: {
        /** @description Id of the delivery, the same for every attempt. */
        'webhook-id': string;
        /** @description Time of the attempt in Unix seconds. */
        'webhook-timestamp': string;
        /** @description Standard Webhooks signatures (`v1,…`), one for each valid secret, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "type": "session.review",
         *       "mode": "live",
         *       "timestamp": "2026-11-21T10:00:05.000Z",
         *       "data": {
         *         "sessionId": "ses_01JQZ4QXKD0A3C6F9H2J5M8P1R",
         *         "number": 17,
         *         "mode": "live",
         *         "externalId": "customer-4711",
         *         "workflowId": "wfl_01JQZ4QXKD0A3C6F9H2J5M8P1R",
         *         "workflowVersion": 2,
         *         "decision": {
         *           "outcome": "in_review",
         *           "reasons": [
         *             "image_blurred"
         *           ],
         *           "decidedBy": "rules",
         *           "rule": null
         *         },
         *         "status": "in_review"
         *       }
         *     }
         */
        'application/json': {
          /** @enum {string} */
          type: 'session.review';
          /**
           * @description Mode of the record; business records have only live mode.
           * @enum {string}
           */
          mode: 'live' | 'test';
          /**
           * Format: date-time
           * @description Time of the event, the same for every attempt.
           */
          timestamp: string;
          data: {
            sessionId: string;
            /** @description Number of the session within the organisation and mode. */
            number: number;
            /** @enum {string} */
            mode: 'live' | 'test';
            /**
             * @description Status of the session after the event.
             * @enum {string}
             */
            status:
              | 'not_started'
              | 'in_progress'
              | 'in_review'
              | 'approved'
              | 'declined'
              | 'resubmission_requested'
              | 'expired'
              | 'abandoned'
              | 'cancelled'
              | 'approval_expired';
            /** @description The client's own id of the person or case. */
            externalId: string | null;
            /** @description Session workflow that the session started with. */
            workflowId: string | null;
            workflowVersion: number | null;
            /** @description Latest decision; null before the first. */
            decision: {
              /** @enum {string} */
              outcome:
                | 'not_started'
                | 'in_progress'
                | 'in_review'
                | 'approved'
                | 'declined'
                | 'resubmission_requested'
                | 'expired'
                | 'abandoned'
                | 'cancelled'
                | 'approval_expired';
              reasons: (
                | 'document_expired'
                | 'document_not_recognised'
                | 'document_not_accepted'
                | 'portrait_not_found'
                | 'mrz_not_found'
                | 'mrz_check_failed'
                | 'print_unverified'
                | 'mrz_visual_mismatch'
                | 'barcode_not_found'
                | 'barcode_check_failed'
                | 'barcode_visual_mismatch'
                | 'name_not_found'
                | 'date_of_birth_not_found'
                | 'document_number_not_found'
                | 'expiry_not_found'
                | 'invalid_date'
                | 'issue_after_expiry'
                | 'wrong_side'
                | 'two_documents'
                | 'image_blurred'
                | 'image_glare'
                | 'image_dark'
                | 'image_too_small'
                | 'document_cut_off'
                | 'screen_capture_suspected'
                | 'printed_copy_suspected'
                | 'duplicate_document'
                | 'document_in_blocklist'
                | 'expected_name_mismatch'
                | 'expected_date_of_birth_mismatch'
                | 'expected_country_mismatch'
                | 'expected_document_number_mismatch'
                | 'minimum_age_not_met'
                | 'poa_too_old'
                | 'poa_date_in_future'
                | 'poa_issuer_not_found'
                | 'poa_name_not_found'
                | 'poa_script_not_supported'
                | 'poa_name_mismatch'
                | 'poa_address_mismatch'
                | 'poa_address_not_found'
                | 'poa_poor_quality'
                | 'liveness_low'
                | 'attack_suspected'
                | 'no_face'
                | 'multiple_faces'
                | 'face_too_small'
                | 'face_low_quality'
                | 'same_capture'
                | 'face_in_blocklist'
                | 'duplicate_face'
                | 'face_mismatch'
                | 'no_face_in_user_image'
                | 'no_face_in_ref_image'
                | 'aml_match'
                | 'aml_possible_match'
                | 'aml_list_stale'
                | 'database_no_match'
                | 'database_partial_match'
                | 'database_not_available'
                | 'kyb_not_active'
                | 'kyb_lei_lapsed'
                | 'kyb_name_mismatch'
                | 'kyb_country_mismatch'
                | 'kyb_identifier_mismatch'
                | 'kyb_registry_unavailable'
                | 'attempts_exhausted'
                | 'processing_failed'
              )[];
              /** @enum {string} */
              decidedBy: 'rules' | 'reviewer';
              /** @description Id of the workflow's rule that decided; null if none did. */
              rule: string | null;
            } | null;
          };
        };
      };
    };
    responses: {
      /** @description The endpoint is gone: the webhook is disabled. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The delivery is accepted. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The delivery is retried with increasing delays. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onSessionResubmissionRequested: {
    parameters: {
      query?: never;
      header: {
        /** @description Id of the delivery, the same for every attempt. */
        'webhook-id': string;
        /** @description Time of the attempt in Unix seconds. */
        'webhook-timestamp': string;
        /** @description Standard Webhooks signatures (`v1,…`), one for each valid secret, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "type": "session.resubmission_requested",
         *       "mode": "live",
         *       "timestamp": "2026-11-21T10:00:05.000Z",
         *       "data": {
         *         "sessionId": "ses_01JQZ4QXKD0A3C6F9H2J5M8P1R",
         *         "number": 17,
         *         "mode": "live",
         *         "externalId": "customer-4711",
         *         "workflowId": "wfl_01JQZ4QXKD0A3C6F9H2J5M8P1R",
         *         "workflowVersion": 2,
         *         "decision": null,
         *         "status": "resubmission_requested"
         *       }
         *     }
         */
        'application/json': {
          /** @enum {string} */
          type: 'session.resubmission_requested';
          /**
           * @description Mode of the record; business records have only live mode.
           * @enum {string}
           */
          mode: 'live' | 'test';
          /**
           * Format: date-time
           * @description Time of the event, the same for every attempt.
           */
          timestamp: string;
          data: {
            sessionId: string;
            /** @description Number of the session within the organisation and mode. */
            number: number;
            /** @enum {string} */
            mode: 'live' | 'test';
            /**
             * @description Status of the session after the event.
             * @enum {string}
             */
            status:
              | 'not_started'
              | 'in_progress'
              | 'in_review'
              | 'approved'
              | 'declined'
              | 'resubmission_requested'
              | 'expired'
              | 'abandoned'
              | 'cancelled'
              | 'approval_expired';
            /** @description The client's own id of the person or case. */
            externalId: string | null;
            /** @description Session workflow that the session started with. */
            workflowId: string | null;
            workflowVersion: number | null;
            /** @description Latest decision; null before the first. */
            decision: {
              /** @enum {string} */
              outcome:
                | 'not_started'
                | 'in_progress'
                | 'in_review'
                | 'approved'
                | 'declined'
                | 'resubmission_requested'
                | 'expired'
                | 'abandoned'
                | 'cancelled'
                | 'approval_expired';
              reasons: (
                | 'document_expired'
                | 'document_not_recognised'
                | 'document_not_accepted'
                | 'portrait_not_found'
                | 'mrz_not_found'
                | 'mrz_check_failed'
                | 'print_unverified'
                | 'mrz_visual_mismatch'
                | 'barcode_not_found'
                | 'barcode_check_failed'
                | 'barcode_visual_mismatch'
                | 'name_not_found'
                | 'date_of_birth_not_found'
                | 'document_number_not_found'
                | 'expiry_not_found'
                | 'invalid_date'
                | 'issue_after_expiry'
                | 'wrong_side'
                | 'two_documents'
                | 'image_blurred'
                | 'image_glare'
                | 'image_dark'
                | 'image_too_small'
                | 'document_cut_off'
                | 'screen_capture_suspected'
                | 'printed_copy_suspected'
                | 'duplicate_document'
                | 'document_in_blocklist'
                | 'expected_name_mismatch'
                | 'expected_date_of_birth_mismatch'
                | 'expected_country_mismatch'
                | 'expected_document_number_mismatch'
                | 'minimum_age_not_met'
                | 'poa_too_old'
                | 'poa_date_in_future'
                | 'poa_issuer_not_found'
                | 'poa_name_not_found'
                | 'poa_script_not_supported'
                | 'poa_name_mismatch'
                | 'poa_address_mismatch'
                | 'poa_address_not_found'
                | 'poa_poor_quality'
                | 'liveness_low'
                | 'attack_suspected'
                | 'no_face'
                | 'multiple_faces'
                | 'face_too_small'
                | 'face_low_quality'
                | 'same_capture'
                | 'face_in_blocklist'
                | 'duplicate_face'
                | 'face_mismatch'
                | 'no_face_in_user_image'
                | 'no_face_in_ref_image'
                | 'aml_match'
                | 'aml_possible_match'
                | 'aml_list_stale'
                | 'database_no_match'
                | 'database_partial_match'
                | 'database_not_available'
                | 'kyb_not_active'
                | 'kyb_lei_lapsed'
                | 'kyb_name_mismatch'
                | 'kyb_country_mismatch'
                | 'kyb_identifier_mismatch'
                | 'kyb_registry_unavailable'
                | 'attempts_exhausted'
                | 'processing_failed'
              )[];
              /** @enum {string} */
              decidedBy: 'rules' | 'reviewer';
              /** @description Id of the workflow's rule that decided; null if none did. */
              rule: string | null;
            } | null;
          };
        };
      };
    };
    responses: {
      /** @description The endpoint is gone: the webhook is disabled. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The delivery is accepted. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The delivery is retried with increasing delays. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onSessionExpired: {
    parameters: {
      query?: never;
      header: {
        /** @description Id of the delivery, the same for every attempt. */
        'webhook-id': string;
        /** @description Time of the attempt in Unix seconds. */
        'webhook-timestamp': string;
        /** @description Standard Webhooks signatures (`v1,…`), one for each valid secret, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "type": "session.expired",
         *       "mode": "live",
         *       "timestamp": "2026-11-21T10:00:05.000Z",
         *       "data": {
         *         "sessionId": "ses_01JQZ4QXKD0A3C6F9H2J5M8P1R",
         *         "number": 17,
         *         "mode": "live",
         *         "externalId": "customer-4711",
         *         "workflowId": "wfl_01JQZ4QXKD0A3C6F9H2J5M8P1R",
         *         "workflowVersion": 2,
         *         "decision": null,
         *         "status": "expired"
         *       }
         *     }
         */
        'application/json': {
          /** @enum {string} */
          type: 'session.expired';
          /**
           * @description Mode of the record; business records have only live mode.
           * @enum {string}
           */
          mode: 'live' | 'test';
          /**
           * Format: date-time
           * @description Time of the event, the same for every attempt.
           */
          timestamp: string;
          data: {
            sessionId: string;
            /** @description Number of the session within the organisation and mode. */
            number: number;
            /** @enum {string} */
            mode: 'live' | 'test';
            /**
             * @description Status of the session after the event.
             * @enum {string}
             */
            status:
              | 'not_started'
              | 'in_progress'
              | 'in_review'
              | 'approved'
              | 'declined'
              | 'resubmission_requested'
              | 'expired'
              | 'abandoned'
              | 'cancelled'
              | 'approval_expired';
            /** @description The client's own id of the person or case. */
            externalId: string | null;
            /** @description Session workflow that the session started with. */
            workflowId: string | null;
            workflowVersion: number | null;
            /** @description Latest decision; null before the first. */
            decision: {
              /** @enum {string} */
              outcome:
                | 'not_started'
                | 'in_progress'
                | 'in_review'
                | 'approved'
                | 'declined'
                | 'resubmission_requested'
                | 'expired'
                | 'abandoned'
                | 'cancelled'
                | 'approval_expired';
              reasons: (
                | 'document_expired'
                | 'document_not_recognised'
                | 'document_not_accepted'
                | 'portrait_not_found'
                | 'mrz_not_found'
                | 'mrz_check_failed'
                | 'print_unverified'
                | 'mrz_visual_mismatch'
                | 'barcode_not_found'
                | 'barcode_check_failed'
                | 'barcode_visual_mismatch'
                | 'name_not_found'
                | 'date_of_birth_not_found'
                | 'document_number_not_found'
                | 'expiry_not_found'
                | 'invalid_date'
                | 'issue_after_expiry'
                | 'wrong_side'
                | 'two_documents'
                | 'image_blurred'
                | 'image_glare'
                | 'image_dark'
                | 'image_too_small'
                | 'document_cut_off'
                | 'screen_capture_suspected'
                | 'printed_copy_suspected'
                | 'duplicate_document'
                | 'document_in_blocklist'
                | 'expected_name_mismatch'
                | 'expected_date_of_birth_mismatch'
                | 'expected_country_mismatch'
                | 'expected_document_number_mismatch'
                | 'minimum_age_not_met'
                | 'poa_too_old'
                | 'poa_date_in_future'
                | 'poa_issuer_not_found'
                | 'poa_name_not_found'
                | 'poa_script_not_supported'
                | 'poa_name_mismatch'
                | 'poa_address_mismatch'
                | 'poa_address_not_found'
                | 'poa_poor_quality'
                | 'liveness_low'
                | 'attack_suspected'
                | 'no_face'
                | 'multiple_faces'
                | 'face_too_small'
                | 'face_low_quality'
                | 'same_capture'
                | 'face_in_blocklist'
                | 'duplicate_face'
                | 'face_mismatch'
                | 'no_face_in_user_image'
                | 'no_face_in_ref_image'
                | 'aml_match'
                | 'aml_possible_match'
                | 'aml_list_stale'
                | 'database_no_match'
                | 'database_partial_match'
                | 'database_not_available'
                | 'kyb_not_active'
                | 'kyb_lei_lapsed'
                | 'kyb_name_mismatch'
                | 'kyb_country_mismatch'
                | 'kyb_identifier_mismatch'
                | 'kyb_registry_unavailable'
                | 'attempts_exhausted'
                | 'processing_failed'
              )[];
              /** @enum {string} */
              decidedBy: 'rules' | 'reviewer';
              /** @description Id of the workflow's rule that decided; null if none did. */
              rule: string | null;
            } | null;
          };
        };
      };
    };
    responses: {
      /** @description The endpoint is gone: the webhook is disabled. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The delivery is accepted. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The delivery is retried with increasing delays. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onSessionAbandoned: {
    parameters: {
      query?: never;
      header: {
        /** @description Id of the delivery, the same for every attempt. */
        'webhook-id': string;
        /** @description Time of the attempt in Unix seconds. */
        'webhook-timestamp': string;
        /** @description Standard Webhooks signatures (`v1,…`), one for each valid secret, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "type": "session.abandoned",
         *       "mode": "live",
         *       "timestamp": "2026-11-21T10:00:05.000Z",
         *       "data": {
         *         "sessionId": "ses_01JQZ4QXKD0A3C6F9H2J5M8P1R",
         *         "number": 17,
         *         "mode": "live",
         *         "externalId": "customer-4711",
         *         "workflowId": "wfl_01JQZ4QXKD0A3C6F9H2J5M8P1R",
         *         "workflowVersion": 2,
         *         "decision": null,
         *         "status": "abandoned"
         *       }
         *     }
         */
        'application/json': {
          /** @enum {string} */
          type: 'session.abandoned';
          /**
           * @description Mode of the record; business records have only live mode.
           * @enum {string}
           */
          mode: 'live' | 'test';
          /**
           * Format: date-time
           * @description Time of the event, the same for every attempt.
           */
          timestamp: string;
          data: {
            sessionId: string;
            /** @description Number of the session within the organisation and mode. */
            number: number;
            /** @enum {string} */
            mode: 'live' | 'test';
            /**
             * @description Status of the session after the event.
             * @enum {string}
             */
            status:
              | 'not_started'
              | 'in_progress'
              | 'in_review'
              | 'approved'
              | 'declined'
              | 'resubmission_requested'
              | 'expired'
              | 'abandoned'
              | 'cancelled'
              | 'approval_expired';
            /** @description The client's own id of the person or case. */
            externalId: string | null;
            /** @description Session workflow that the session started with. */
            workflowId: string | null;
            workflowVersion: number | null;
            /** @description Latest decision; null before the first. */
            decision: {
              /** @enum {string} */
              outcome:
                | 'not_started'
                | 'in_progress'
                | 'in_review'
                | 'approved'
                | 'declined'
                | 'resubmission_requested'
                | 'expired'
                | 'abandoned'
                | 'cancelled'
                | 'approval_expired';
              reasons: (
                | 'document_expired'
                | 'document_not_recognised'
                | 'document_not_accepted'
                | 'portrait_not_found'
                | 'mrz_not_found'
                | 'mrz_check_failed'
                | 'print_unverified'
                | 'mrz_visual_mismatch'
                | 'barcode_not_found'
                | 'barcode_check_failed'
                | 'barcode_visual_mismatch'
                | 'name_not_found'
                | 'date_of_birth_not_found'
                | 'document_number_not_found'
                | 'expiry_not_found'
                | 'invalid_date'
                | 'issue_after_expiry'
                | 'wrong_side'
                | 'two_documents'
                | 'image_blurred'
                | 'image_glare'
                | 'image_dark'
                | 'image_too_small'
                | 'document_cut_off'
                | 'screen_capture_suspected'
                | 'printed_copy_suspected'
                | 'duplicate_document'
                | 'document_in_blocklist'
                | 'expected_name_mismatch'
                | 'expected_date_of_birth_mismatch'
                | 'expected_country_mismatch'
                | 'expected_document_number_mismatch'
                | 'minimum_age_not_met'
                | 'poa_too_old'
                | 'poa_date_in_future'
                | 'poa_issuer_not_found'
                | 'poa_name_not_found'
                | 'poa_script_not_supported'
                | 'poa_name_mismatch'
                | 'poa_address_mismatch'
                | 'poa_address_not_found'
                | 'poa_poor_quality'
                | 'liveness_low'
                | 'attack_suspected'
                | 'no_face'
                | 'multiple_faces'
                | 'face_too_small'
                | 'face_low_quality'
                | 'same_capture'
                | 'face_in_blocklist'
                | 'duplicate_face'
                | 'face_mismatch'
                | 'no_face_in_user_image'
                | 'no_face_in_ref_image'
                | 'aml_match'
                | 'aml_possible_match'
                | 'aml_list_stale'
                | 'database_no_match'
                | 'database_partial_match'
                | 'database_not_available'
                | 'kyb_not_active'
                | 'kyb_lei_lapsed'
                | 'kyb_name_mismatch'
                | 'kyb_country_mismatch'
                | 'kyb_identifier_mismatch'
                | 'kyb_registry_unavailable'
                | 'attempts_exhausted'
                | 'processing_failed'
              )[];
              /** @enum {string} */
              decidedBy: 'rules' | 'reviewer';
              /** @description Id of the workflow's rule that decided; null if none did. */
              rule: string | null;
            } | null;
          };
        };
      };
    };
    responses: {
      /** @description The endpoint is gone: the webhook is disabled. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The delivery is accepted. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The delivery is retried with increasing delays. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onSessionCancelled: {
    parameters: {
      query?: never;
      header: {
        /** @description Id of the delivery, the same for every attempt. */
        'webhook-id': string;
        /** @description Time of the attempt in Unix seconds. */
        'webhook-timestamp': string;
        /** @description Standard Webhooks signatures (`v1,…`), one for each valid secret, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "type": "session.cancelled",
         *       "mode": "live",
         *       "timestamp": "2026-11-21T10:00:05.000Z",
         *       "data": {
         *         "sessionId": "ses_01JQZ4QXKD0A3C6F9H2J5M8P1R",
         *         "number": 17,
         *         "mode": "live",
         *         "externalId": "customer-4711",
         *         "workflowId": "wfl_01JQZ4QXKD0A3C6F9H2J5M8P1R",
         *         "workflowVersion": 2,
         *         "decision": null,
         *         "status": "cancelled"
         *       }
         *     }
         */
        'application/json': {
          /** @enum {string} */
          type: 'session.cancelled';
          /**
           * @description Mode of the record; business records have only live mode.
           * @enum {string}
           */
          mode: 'live' | 'test';
          /**
           * Format: date-time
           * @description Time of the event, the same for every attempt.
           */
          timestamp: string;
          data: {
            sessionId: string;
            /** @description Number of the session within the organisation and mode. */
            number: number;
            /** @enum {string} */
            mode: 'live' | 'test';
            /**
             * @description Status of the session after the event.
             * @enum {string}
             */
            status:
              | 'not_started'
              | 'in_progress'
              | 'in_review'
              | 'approved'
              | 'declined'
              | 'resubmission_requested'
              | 'expired'
              | 'abandoned'
              | 'cancelled'
              | 'approval_expired';
            /** @description The client's own id of the person or case. */
            externalId: string | null;
            /** @description Session workflow that the session started with. */
            workflowId: string | null;
            workflowVersion: number | null;
            /** @description Latest decision; null before the first. */
            decision: {
              /** @enum {string} */
              outcome:
                | 'not_started'
                | 'in_progress'
                | 'in_review'
                | 'approved'
                | 'declined'
                | 'resubmission_requested'
                | 'expired'
                | 'abandoned'
                | 'cancelled'
                | 'approval_expired';
              reasons: (
                | 'document_expired'
                | 'document_not_recognised'
                | 'document_not_accepted'
                | 'portrait_not_found'
                | 'mrz_not_found'
                | 'mrz_check_failed'
                | 'print_unverified'
                | 'mrz_visual_mismatch'
                | 'barcode_not_found'
                | 'barcode_check_failed'
                | 'barcode_visual_mismatch'
                | 'name_not_found'
                | 'date_of_birth_not_found'
                | 'document_number_not_found'
                | 'expiry_not_found'
                | 'invalid_date'
                | 'issue_after_expiry'
                | 'wrong_side'
                | 'two_documents'
                | 'image_blurred'
                | 'image_glare'
                | 'image_dark'
                | 'image_too_small'
                | 'document_cut_off'
                | 'screen_capture_suspected'
                | 'printed_copy_suspected'
                | 'duplicate_document'
                | 'document_in_blocklist'
                | 'expected_name_mismatch'
                | 'expected_date_of_birth_mismatch'
                | 'expected_country_mismatch'
                | 'expected_document_number_mismatch'
                | 'minimum_age_not_met'
                | 'poa_too_old'
                | 'poa_date_in_future'
                | 'poa_issuer_not_found'
                | 'poa_name_not_found'
                | 'poa_script_not_supported'
                | 'poa_name_mismatch'
                | 'poa_address_mismatch'
                | 'poa_address_not_found'
                | 'poa_poor_quality'
                | 'liveness_low'
                | 'attack_suspected'
                | 'no_face'
                | 'multiple_faces'
                | 'face_too_small'
                | 'face_low_quality'
                | 'same_capture'
                | 'face_in_blocklist'
                | 'duplicate_face'
                | 'face_mismatch'
                | 'no_face_in_user_image'
                | 'no_face_in_ref_image'
                | 'aml_match'
                | 'aml_possible_match'
                | 'aml_list_stale'
                | 'database_no_match'
                | 'database_partial_match'
                | 'database_not_available'
                | 'kyb_not_active'
                | 'kyb_lei_lapsed'
                | 'kyb_name_mismatch'
                | 'kyb_country_mismatch'
                | 'kyb_identifier_mismatch'
                | 'kyb_registry_unavailable'
                | 'attempts_exhausted'
                | 'processing_failed'
              )[];
              /** @enum {string} */
              decidedBy: 'rules' | 'reviewer';
              /** @description Id of the workflow's rule that decided; null if none did. */
              rule: string | null;
            } | null;
          };
        };
      };
    };
    responses: {
      /** @description The endpoint is gone: the webhook is disabled. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The delivery is accepted. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The delivery is retried with increasing delays. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onSessionApprovalExpired: {
    parameters: {
      query?: never;
      header: {
        /** @description Id of the delivery, the same for every attempt. */
        'webhook-id': string;
        /** @description Time of the attempt in Unix seconds. */
        'webhook-timestamp': string;
        /** @description Standard Webhooks signatures (`v1,…`), one for each valid secret, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "type": "session.approval_expired",
         *       "mode": "live",
         *       "timestamp": "2026-11-21T10:00:05.000Z",
         *       "data": {
         *         "sessionId": "ses_01JQZ4QXKD0A3C6F9H2J5M8P1R",
         *         "number": 17,
         *         "mode": "live",
         *         "externalId": "customer-4711",
         *         "workflowId": "wfl_01JQZ4QXKD0A3C6F9H2J5M8P1R",
         *         "workflowVersion": 2,
         *         "decision": null,
         *         "status": "approval_expired"
         *       }
         *     }
         */
        'application/json': {
          /** @enum {string} */
          type: 'session.approval_expired';
          /**
           * @description Mode of the record; business records have only live mode.
           * @enum {string}
           */
          mode: 'live' | 'test';
          /**
           * Format: date-time
           * @description Time of the event, the same for every attempt.
           */
          timestamp: string;
          data: {
            sessionId: string;
            /** @description Number of the session within the organisation and mode. */
            number: number;
            /** @enum {string} */
            mode: 'live' | 'test';
            /**
             * @description Status of the session after the event.
             * @enum {string}
             */
            status:
              | 'not_started'
              | 'in_progress'
              | 'in_review'
              | 'approved'
              | 'declined'
              | 'resubmission_requested'
              | 'expired'
              | 'abandoned'
              | 'cancelled'
              | 'approval_expired';
            /** @description The client's own id of the person or case. */
            externalId: string | null;
            /** @description Session workflow that the session started with. */
            workflowId: string | null;
            workflowVersion: number | null;
            /** @description Latest decision; null before the first. */
            decision: {
              /** @enum {string} */
              outcome:
                | 'not_started'
                | 'in_progress'
                | 'in_review'
                | 'approved'
                | 'declined'
                | 'resubmission_requested'
                | 'expired'
                | 'abandoned'
                | 'cancelled'
                | 'approval_expired';
              reasons: (
                | 'document_expired'
                | 'document_not_recognised'
                | 'document_not_accepted'
                | 'portrait_not_found'
                | 'mrz_not_found'
                | 'mrz_check_failed'
                | 'print_unverified'
                | 'mrz_visual_mismatch'
                | 'barcode_not_found'
                | 'barcode_check_failed'
                | 'barcode_visual_mismatch'
                | 'name_not_found'
                | 'date_of_birth_not_found'
                | 'document_number_not_found'
                | 'expiry_not_found'
                | 'invalid_date'
                | 'issue_after_expiry'
                | 'wrong_side'
                | 'two_documents'
                | 'image_blurred'
                | 'image_glare'
                | 'image_dark'
                | 'image_too_small'
                | 'document_cut_off'
                | 'screen_capture_suspected'
                | 'printed_copy_suspected'
                | 'duplicate_document'
                | 'document_in_blocklist'
                | 'expected_name_mismatch'
                | 'expected_date_of_birth_mismatch'
                | 'expected_country_mismatch'
                | 'expected_document_number_mismatch'
                | 'minimum_age_not_met'
                | 'poa_too_old'
                | 'poa_date_in_future'
                | 'poa_issuer_not_found'
                | 'poa_name_not_found'
                | 'poa_script_not_supported'
                | 'poa_name_mismatch'
                | 'poa_address_mismatch'
                | 'poa_address_not_found'
                | 'poa_poor_quality'
                | 'liveness_low'
                | 'attack_suspected'
                | 'no_face'
                | 'multiple_faces'
                | 'face_too_small'
                | 'face_low_quality'
                | 'same_capture'
                | 'face_in_blocklist'
                | 'duplicate_face'
                | 'face_mismatch'
                | 'no_face_in_user_image'
                | 'no_face_in_ref_image'
                | 'aml_match'
                | 'aml_possible_match'
                | 'aml_list_stale'
                | 'database_no_match'
                | 'database_partial_match'
                | 'database_not_available'
                | 'kyb_not_active'
                | 'kyb_lei_lapsed'
                | 'kyb_name_mismatch'
                | 'kyb_country_mismatch'
                | 'kyb_identifier_mismatch'
                | 'kyb_registry_unavailable'
                | 'attempts_exhausted'
                | 'processing_failed'
              )[];
              /** @enum {string} */
              decidedBy: 'rules' | 'reviewer';
              /** @description Id of the workflow's rule that decided; null if none did. */
              rule: string | null;
            } | null;
          };
        };
      };
    };
    responses: {
      /** @description The endpoint is gone: the webhook is disabled. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The delivery is accepted. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The delivery is retried with increasing delays. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onSessionDeleted: {
    parameters: {
      query?: never;
      header: {
        /** @description Id of the delivery, the same for every attempt. */
        'webhook-id': string;
        /** @description Time of the attempt in Unix seconds. */
        'webhook-timestamp': string;
        /** @description Standard Webhooks signatures (`v1,…`), one for each valid secret, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "type": "session.deleted",
         *       "mode": "live",
         *       "timestamp": "2026-11-21T10:00:05.000Z",
         *       "data": {
         *         "sessionId": "ses_01JQZ4QXKD0A3C6F9H2J5M8P1R",
         *         "number": 17,
         *         "erasureId": "era_01JQZ6C3V5X8Z1B4D7F0H3K6M9"
         *       }
         *     }
         */
        'application/json': {
          /** @enum {string} */
          type: 'session.deleted';
          /**
           * @description Mode of the record; business records have only live mode.
           * @enum {string}
           */
          mode: 'live' | 'test';
          /**
           * Format: date-time
           * @description Time of the event, the same for every attempt.
           */
          timestamp: string;
          data: {
            sessionId: string;
            /** @description Number of the session within the organisation and mode. */
            number: number;
            /** @description Id of the erasure receipt. */
            erasureId: string;
          };
        };
      };
    };
    responses: {
      /** @description The endpoint is gone: the webhook is disabled. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The delivery is accepted. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The delivery is retried with increasing delays. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onCheckCompleted: {
    parameters: {
      query?: never;
      header: {
        /** @description Id of the delivery, the same for every attempt. */
        'webhook-id': string;
        /** @description Time of the attempt in Unix seconds. */
        'webhook-timestamp': string;
        /** @description Standard Webhooks signatures (`v1,…`), one for each valid secret, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "type": "check.completed",
         *       "mode": "live",
         *       "timestamp": "2026-11-21T10:00:05.000Z",
         *       "data": {
         *         "checkId": "chk_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
         *         "kind": "face_match",
         *         "sessionId": "ses_01JQZ4QXKD0A3C6F9H2J5M8P1R",
         *         "externalId": "customer-4711",
         *         "status": "completed",
         *         "outcome": "approved"
         *       }
         *     }
         */
        'application/json': {
          /** @enum {string} */
          type: 'check.completed';
          /**
           * @description Mode of the record; business records have only live mode.
           * @enum {string}
           */
          mode: 'live' | 'test';
          /**
           * Format: date-time
           * @description Time of the event, the same for every attempt.
           */
          timestamp: string;
          data: {
            checkId: string;
            /** @enum {string} */
            kind:
              | 'id_verification'
              | 'liveness'
              | 'face_match'
              | 'age'
              | 'face_search'
              | 'database_validation'
              | 'proof_of_address'
              | 'aml_screening';
            /** @description Null for a standalone check. */
            sessionId: string | null;
            /** @description External id of the session, if it has one. */
            externalId: string | null;
            /** @enum {string} */
            status: 'processing' | 'completed' | 'failed';
            /**
             * @description Null if the check failed.
             * @enum {string|null}
             */
            outcome: 'approved' | 'review' | 'recapture' | 'declined' | null;
          };
        };
      };
    };
    responses: {
      /** @description The endpoint is gone: the webhook is disabled. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The delivery is accepted. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The delivery is retried with increasing delays. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onAmlAlert: {
    parameters: {
      query?: never;
      header: {
        /** @description Id of the delivery, the same for every attempt. */
        'webhook-id': string;
        /** @description Time of the attempt in Unix seconds. */
        'webhook-timestamp': string;
        /** @description Standard Webhooks signatures (`v1,…`), one for each valid secret, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "type": "aml.alert",
         *       "mode": "live",
         *       "timestamp": "2026-11-21T10:00:05.000Z",
         *       "data": {
         *         "monitorId": "mon_01JQZ7A2B4D6F8H0K2M4P6R8T0",
         *         "screeningId": "aml_01JQZ7A9C1E3G5J7M9P1R3T5V7",
         *         "kybId": null,
         *         "newHits": 1,
         *         "score": 92,
         *         "match": true
         *       }
         *     }
         */
        'application/json': {
          /** @enum {string} */
          type: 'aml.alert';
          /**
           * @description Mode of the record; business records have only live mode.
           * @enum {string}
           */
          mode: 'live' | 'test';
          /**
           * Format: date-time
           * @description Time of the event, the same for every attempt.
           */
          timestamp: string;
          data: {
            monitorId: string;
            screeningId: string;
            /** @description Business check of the monitored party; null for other subjects. */
            kybId: string | null;
            /** @description Number of hits that the previous screening did not have. */
            newHits: number;
            /** @description Highest score of the new hits. */
            score: number;
            match: boolean | null;
          };
        };
      };
    };
    responses: {
      /** @description The endpoint is gone: the webhook is disabled. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The delivery is accepted. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The delivery is retried with increasing delays. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onKybCompleted: {
    parameters: {
      query?: never;
      header: {
        /** @description Id of the delivery, the same for every attempt. */
        'webhook-id': string;
        /** @description Time of the attempt in Unix seconds. */
        'webhook-timestamp': string;
        /** @description Standard Webhooks signatures (`v1,…`), one for each valid secret, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "type": "kyb.completed",
         *       "mode": "live",
         *       "timestamp": "2026-11-21T10:00:05.000Z",
         *       "data": {
         *         "kybId": "kyb_01JQZ7E5X8Z1C4F7J0M3P6R9T2",
         *         "status": "found",
         *         "provider": "companies_house"
         *       }
         *     }
         */
        'application/json': {
          /** @enum {string} */
          type: 'kyb.completed';
          /**
           * @description Mode of the record; business records have only live mode.
           * @enum {string}
           */
          mode: 'live' | 'test';
          /**
           * Format: date-time
           * @description Time of the event, the same for every attempt.
           */
          timestamp: string;
          data: {
            kybId: string;
            /** @enum {string} */
            status: 'processing' | 'found' | 'not_found' | 'review' | 'failed';
            /**
             * @description Provider of the result, if any.
             * @enum {string|null}
             */
            provider: 'register' | 'companies_house' | 'gleif' | 'vies' | 'sandbox' | null;
          };
        };
      };
    };
    responses: {
      /** @description The endpoint is gone: the webhook is disabled. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The delivery is accepted. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The delivery is retried with increasing delays. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onExportCompleted: {
    parameters: {
      query?: never;
      header: {
        /** @description Id of the delivery, the same for every attempt. */
        'webhook-id': string;
        /** @description Time of the attempt in Unix seconds. */
        'webhook-timestamp': string;
        /** @description Standard Webhooks signatures (`v1,…`), one for each valid secret, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "type": "export.completed",
         *       "mode": "live",
         *       "timestamp": "2026-11-21T10:00:05.000Z",
         *       "data": {
         *         "exportId": 1,
         *         "resource": "invoices",
         *         "format": "csv",
         *         "rows": 1284,
         *         "failure": null
         *       }
         *     }
         */
        'application/json': {
          /** @enum {string} */
          type: 'export.completed';
          /**
           * @description Mode of the record; business records have only live mode.
           * @enum {string}
           */
          mode: 'live' | 'test';
          /**
           * Format: date-time
           * @description Time of the event, the same for every attempt.
           */
          timestamp: string;
          data: {
            exportId: number;
            /** @enum {string} */
            resource:
              | 'invoices'
              | 'invoice-lines'
              | 'credit-notes'
              | 'customers'
              | 'vendors'
              | 'products'
              | 'stock'
              | 'stock-ledger'
              | 'stock-valuation'
              | 'receivables'
              | 'receivable-payments'
              | 'receivable-entries'
              | 'payables'
              | 'payable-payments'
              | 'payable-entries'
              | 'purchase-orders'
              | 'journal'
              | 'leads'
              | 'opportunities';
            /** @enum {string} */
            format: 'csv' | 'xlsx' | 'json' | 'ndjson' | 'zip-pdf' | 'datev' | 'saf-t';
            /** @description Number of rows written. */
            rows: number;
            /** @description Error code of a failed export. */
            failure: string | null;
          };
        };
      };
    };
    responses: {
      /** @description The endpoint is gone: the webhook is disabled. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The delivery is accepted. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The delivery is retried with increasing delays. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onExportFailed: {
    parameters: {
      query?: never;
      header: {
        /** @description Id of the delivery, the same for every attempt. */
        'webhook-id': string;
        /** @description Time of the attempt in Unix seconds. */
        'webhook-timestamp': string;
        /** @description Standard Webhooks signatures (`v1,…`), one for each valid secret, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "type": "export.failed",
         *       "mode": "live",
         *       "timestamp": "2026-11-21T10:00:05.000Z",
         *       "data": {
         *         "exportId": 1,
         *         "resource": "invoices",
         *         "format": "csv",
         *         "rows": 500,
         *         "failure": "rendering_failed"
         *       }
         *     }
         */
        'application/json': {
          /** @enum {string} */
          type: 'export.failed';
          /**
           * @description Mode of the record; business records have only live mode.
           * @enum {string}
           */
          mode: 'live' | 'test';
          /**
           * Format: date-time
           * @description Time of the event, the same for every attempt.
           */
          timestamp: string;
          data: {
            exportId: number;
            /** @enum {string} */
            resource:
              | 'invoices'
              | 'invoice-lines'
              | 'credit-notes'
              | 'customers'
              | 'vendors'
              | 'products'
              | 'stock'
              | 'stock-ledger'
              | 'stock-valuation'
              | 'receivables'
              | 'receivable-payments'
              | 'receivable-entries'
              | 'payables'
              | 'payable-payments'
              | 'payable-entries'
              | 'purchase-orders'
              | 'journal'
              | 'leads'
              | 'opportunities';
            /** @enum {string} */
            format: 'csv' | 'xlsx' | 'json' | 'ndjson' | 'zip-pdf' | 'datev' | 'saf-t';
            /** @description Number of rows written. */
            rows: number;
            /** @description Error code of a failed export. */
            failure: string | null;
          };
        };
      };
    };
    responses: {
      /** @description The endpoint is gone: the webhook is disabled. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The delivery is accepted. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The delivery is retried with increasing delays. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onInvoiceIssued: {
    parameters: {
      query?: never;
      header: {
        /** @description Id of the delivery, the same for every attempt. */
        'webhook-id': string;
        /** @description Time of the attempt in Unix seconds. */
        'webhook-timestamp': string;
        /** @description Standard Webhooks signatures (`v1,…`), one for each valid secret, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "type": "invoice.issued",
         *       "mode": "live",
         *       "timestamp": "2026-11-21T10:00:05.000Z",
         *       "data": {
         *         "invoiceId": 42,
         *         "number": "INV-2026-0042",
         *         "customerId": 7,
         *         "issueDate": "2026-11-21",
         *         "currencyCode": "EUR",
         *         "grandTotal": 1190,
         *         "status": "issued"
         *       }
         *     }
         */
        'application/json': {
          /** @enum {string} */
          type: 'invoice.issued';
          /**
           * @description Mode of the record; business records have only live mode.
           * @enum {string}
           */
          mode: 'live' | 'test';
          /**
           * Format: date-time
           * @description Time of the event, the same for every attempt.
           */
          timestamp: string;
          data: {
            invoiceId: number;
            /** @enum {string} */
            status: 'draft' | 'issued' | 'partially_paid' | 'paid' | 'credited' | 'void';
            /** @description Document number. */
            number: string;
            customerId: number;
            /** Format: date */
            issueDate: string;
            currencyCode: string;
            grandTotal: number;
          };
        };
      };
    };
    responses: {
      /** @description The endpoint is gone: the webhook is disabled. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The delivery is accepted. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The delivery is retried with increasing delays. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onInvoicePaid: {
    parameters: {
      query?: never;
      header: {
        /** @description Id of the delivery, the same for every attempt. */
        'webhook-id': string;
        /** @description Time of the attempt in Unix seconds. */
        'webhook-timestamp': string;
        /** @description Standard Webhooks signatures (`v1,…`), one for each valid secret, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "type": "invoice.paid",
         *       "mode": "live",
         *       "timestamp": "2026-11-21T10:00:05.000Z",
         *       "data": {
         *         "invoiceId": 42,
         *         "number": "INV-2026-0042",
         *         "customerId": 7,
         *         "issueDate": "2026-11-21",
         *         "currencyCode": "EUR",
         *         "grandTotal": 1190,
         *         "status": "paid"
         *       }
         *     }
         */
        'application/json': {
          /** @enum {string} */
          type: 'invoice.paid';
          /**
           * @description Mode of the record; business records have only live mode.
           * @enum {string}
           */
          mode: 'live' | 'test';
          /**
           * Format: date-time
           * @description Time of the event, the same for every attempt.
           */
          timestamp: string;
          data: {
            invoiceId: number;
            /** @enum {string} */
            status: 'draft' | 'issued' | 'partially_paid' | 'paid' | 'credited' | 'void';
            /** @description Document number. */
            number: string;
            customerId: number;
            /** Format: date */
            issueDate: string;
            currencyCode: string;
            grandTotal: number;
          };
        };
      };
    };
    responses: {
      /** @description The endpoint is gone: the webhook is disabled. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The delivery is accepted. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The delivery is retried with increasing delays. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onInvoiceVoided: {
    parameters: {
      query?: never;
      header: {
        /** @description Id of the delivery, the same for every attempt. */
        'webhook-id': string;
        /** @description Time of the attempt in Unix seconds. */
        'webhook-timestamp': string;
        /** @description Standard Webhooks signatures (`v1,…`), one for each valid secret, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "type": "invoice.voided",
         *       "mode": "live",
         *       "timestamp": "2026-11-21T10:00:05.000Z",
         *       "data": {
         *         "invoiceId": 42,
         *         "number": "INV-2026-0042",
         *         "customerId": 7,
         *         "issueDate": "2026-11-21",
         *         "currencyCode": "EUR",
         *         "grandTotal": 1190,
         *         "status": "void"
         *       }
         *     }
         */
        'application/json': {
          /** @enum {string} */
          type: 'invoice.voided';
          /**
           * @description Mode of the record; business records have only live mode.
           * @enum {string}
           */
          mode: 'live' | 'test';
          /**
           * Format: date-time
           * @description Time of the event, the same for every attempt.
           */
          timestamp: string;
          data: {
            invoiceId: number;
            /** @enum {string} */
            status: 'draft' | 'issued' | 'partially_paid' | 'paid' | 'credited' | 'void';
            /** @description Document number. */
            number: string;
            customerId: number;
            /** Format: date */
            issueDate: string;
            currencyCode: string;
            grandTotal: number;
          };
        };
      };
    };
    responses: {
      /** @description The endpoint is gone: the webhook is disabled. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The delivery is accepted. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The delivery is retried with increasing delays. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onCreditNoteIssued: {
    parameters: {
      query?: never;
      header: {
        /** @description Id of the delivery, the same for every attempt. */
        'webhook-id': string;
        /** @description Time of the attempt in Unix seconds. */
        'webhook-timestamp': string;
        /** @description Standard Webhooks signatures (`v1,…`), one for each valid secret, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "type": "credit_note.issued",
         *       "mode": "live",
         *       "timestamp": "2026-11-21T10:00:05.000Z",
         *       "data": {
         *         "invoiceId": 42,
         *         "number": "CN-2026-0003",
         *         "customerId": 7,
         *         "issueDate": "2026-11-21",
         *         "currencyCode": "EUR",
         *         "grandTotal": 119,
         *         "creditNoteId": 3
         *       }
         *     }
         */
        'application/json': {
          /** @enum {string} */
          type: 'credit_note.issued';
          /**
           * @description Mode of the record; business records have only live mode.
           * @enum {string}
           */
          mode: 'live' | 'test';
          /**
           * Format: date-time
           * @description Time of the event, the same for every attempt.
           */
          timestamp: string;
          data: {
            creditNoteId: number;
            invoiceId: number;
            /** @description Document number. */
            number: string;
            customerId: number;
            /** Format: date */
            issueDate: string;
            currencyCode: string;
            grandTotal: number;
          };
        };
      };
    };
    responses: {
      /** @description The endpoint is gone: the webhook is disabled. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The delivery is accepted. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The delivery is retried with increasing delays. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onPaymentReceived: {
    parameters: {
      query?: never;
      header: {
        /** @description Id of the delivery, the same for every attempt. */
        'webhook-id': string;
        /** @description Time of the attempt in Unix seconds. */
        'webhook-timestamp': string;
        /** @description Standard Webhooks signatures (`v1,…`), one for each valid secret, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "type": "payment.received",
         *       "mode": "live",
         *       "timestamp": "2026-11-21T10:00:05.000Z",
         *       "data": {
         *         "paymentId": 11,
         *         "customerId": 7,
         *         "date": "2026-11-28",
         *         "currencyCode": "EUR",
         *         "amount": 1190
         *       }
         *     }
         */
        'application/json': {
          /** @enum {string} */
          type: 'payment.received';
          /**
           * @description Mode of the record; business records have only live mode.
           * @enum {string}
           */
          mode: 'live' | 'test';
          /**
           * Format: date-time
           * @description Time of the event, the same for every attempt.
           */
          timestamp: string;
          data: {
            paymentId: number;
            customerId: number;
            /** Format: date */
            date: string;
            currencyCode: string;
            amount: number;
          };
        };
      };
    };
    responses: {
      /** @description The endpoint is gone: the webhook is disabled. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The delivery is accepted. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The delivery is retried with increasing delays. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onStockLow: {
    parameters: {
      query?: never;
      header: {
        /** @description Id of the delivery, the same for every attempt. */
        'webhook-id': string;
        /** @description Time of the attempt in Unix seconds. */
        'webhook-timestamp': string;
        /** @description Standard Webhooks signatures (`v1,…`), one for each valid secret, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "type": "stock.low",
         *       "mode": "live",
         *       "timestamp": "2026-11-21T10:00:05.000Z",
         *       "data": {
         *         "productId": 1,
         *         "quantity": 9,
         *         "reorderLevel": 10
         *       }
         *     }
         */
        'application/json': {
          /** @enum {string} */
          type: 'stock.low';
          /**
           * @description Mode of the record; business records have only live mode.
           * @enum {string}
           */
          mode: 'live' | 'test';
          /**
           * Format: date-time
           * @description Time of the event, the same for every attempt.
           */
          timestamp: string;
          data: {
            productId: number;
            /** @description Quantity on hand after the movement, in all warehouses. */
            quantity: number;
            reorderLevel: number;
          };
        };
      };
    };
    responses: {
      /** @description The endpoint is gone: the webhook is disabled. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The delivery is accepted. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The delivery is retried with increasing delays. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onMessageSent: {
    parameters: {
      query?: never;
      header: {
        /** @description Id of the delivery, the same for every attempt. */
        'webhook-id': string;
        /** @description Time of the attempt in Unix seconds. */
        'webhook-timestamp': string;
        /** @description Standard Webhooks signatures (`v1,…`), one for each valid secret, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "type": "message.sent",
         *       "mode": "live",
         *       "timestamp": "2026-11-21T10:00:05.000Z",
         *       "data": {
         *         "messageId": "msg_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
         *         "kind": "invoice",
         *         "documentId": 42,
         *         "customerId": 7,
         *         "level": null,
         *         "reason": null
         *       }
         *     }
         */
        'application/json': {
          /** @enum {string} */
          type: 'message.sent';
          /**
           * @description Mode of the record; business records have only live mode.
           * @enum {string}
           */
          mode: 'live' | 'test';
          /**
           * Format: date-time
           * @description Time of the event, the same for every attempt.
           */
          timestamp: string;
          data: {
            messageId: string;
            /** @enum {string} */
            kind: 'invoice' | 'credit_note' | 'reminder' | 'statement' | 'test';
            /** @description Id of the invoice or credit note, or of the content of the statement. */
            documentId: number | null;
            customerId: number | null;
            /** @description Level of a reminder. */
            level: number | null;
            /**
             * @description Why it was not delivered, also to some recipients alone; null if it was sent to all.
             * @enum {string|null}
             */
            reason:
              | 'rejected'
              | 'attempts_exhausted'
              | 'email_not_configured'
              | 'attachment_failed'
              | 'some_recipients_failed'
              | 'delivery_failed'
              | 'invoice_settled'
              | 'open_amount_changed'
              | 'reminders_paused'
              | 'credit_available'
              | 'cancelled'
              | 'erased'
              | null;
          };
        };
      };
    };
    responses: {
      /** @description The endpoint is gone: the webhook is disabled. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The delivery is accepted. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The delivery is retried with increasing delays. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onMessageFailed: {
    parameters: {
      query?: never;
      header: {
        /** @description Id of the delivery, the same for every attempt. */
        'webhook-id': string;
        /** @description Time of the attempt in Unix seconds. */
        'webhook-timestamp': string;
        /** @description Standard Webhooks signatures (`v1,…`), one for each valid secret, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "type": "message.failed",
         *       "mode": "live",
         *       "timestamp": "2026-11-21T10:00:05.000Z",
         *       "data": {
         *         "messageId": "msg_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
         *         "kind": "invoice",
         *         "documentId": 42,
         *         "customerId": 7,
         *         "level": null,
         *         "reason": "rejected"
         *       }
         *     }
         */
        'application/json': {
          /** @enum {string} */
          type: 'message.failed';
          /**
           * @description Mode of the record; business records have only live mode.
           * @enum {string}
           */
          mode: 'live' | 'test';
          /**
           * Format: date-time
           * @description Time of the event, the same for every attempt.
           */
          timestamp: string;
          data: {
            messageId: string;
            /** @enum {string} */
            kind: 'invoice' | 'credit_note' | 'reminder' | 'statement' | 'test';
            /** @description Id of the invoice or credit note, or of the content of the statement. */
            documentId: number | null;
            customerId: number | null;
            /** @description Level of a reminder. */
            level: number | null;
            /**
             * @description Why it was not delivered, also to some recipients alone; null if it was sent to all.
             * @enum {string|null}
             */
            reason:
              | 'rejected'
              | 'attempts_exhausted'
              | 'email_not_configured'
              | 'attachment_failed'
              | 'some_recipients_failed'
              | 'delivery_failed'
              | 'invoice_settled'
              | 'open_amount_changed'
              | 'reminders_paused'
              | 'credit_available'
              | 'cancelled'
              | 'erased'
              | null;
          };
        };
      };
    };
    responses: {
      /** @description The endpoint is gone: the webhook is disabled. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The delivery is accepted. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The delivery is retried with increasing delays. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onMessageBounced: {
    parameters: {
      query?: never;
      header: {
        /** @description Id of the delivery, the same for every attempt. */
        'webhook-id': string;
        /** @description Time of the attempt in Unix seconds. */
        'webhook-timestamp': string;
        /** @description Standard Webhooks signatures (`v1,…`), one for each valid secret, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "type": "message.bounced",
         *       "mode": "live",
         *       "timestamp": "2026-11-21T10:00:05.000Z",
         *       "data": {
         *         "messageId": "msg_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
         *         "kind": "invoice",
         *         "documentId": 42,
         *         "customerId": 7,
         *         "level": null,
         *         "reason": "delivery_failed"
         *       }
         *     }
         */
        'application/json': {
          /** @enum {string} */
          type: 'message.bounced';
          /**
           * @description Mode of the record; business records have only live mode.
           * @enum {string}
           */
          mode: 'live' | 'test';
          /**
           * Format: date-time
           * @description Time of the event, the same for every attempt.
           */
          timestamp: string;
          data: {
            messageId: string;
            /** @enum {string} */
            kind: 'invoice' | 'credit_note' | 'reminder' | 'statement' | 'test';
            /** @description Id of the invoice or credit note, or of the content of the statement. */
            documentId: number | null;
            customerId: number | null;
            /** @description Level of a reminder. */
            level: number | null;
            /**
             * @description Why it was not delivered, also to some recipients alone; null if it was sent to all.
             * @enum {string|null}
             */
            reason:
              | 'rejected'
              | 'attempts_exhausted'
              | 'email_not_configured'
              | 'attachment_failed'
              | 'some_recipients_failed'
              | 'delivery_failed'
              | 'invoice_settled'
              | 'open_amount_changed'
              | 'reminders_paused'
              | 'credit_available'
              | 'cancelled'
              | 'erased'
              | null;
          };
        };
      };
    };
    responses: {
      /** @description The endpoint is gone: the webhook is disabled. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The delivery is accepted. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The delivery is retried with increasing delays. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onTaxIdVerified: {
    parameters: {
      query?: never;
      header: {
        /** @description Id of the delivery, the same for every attempt. */
        'webhook-id': string;
        /** @description Time of the attempt in Unix seconds. */
        'webhook-timestamp': string;
        /** @description Standard Webhooks signatures (`v1,…`), one for each valid secret, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "type": "tax_id.verified",
         *       "mode": "live",
         *       "timestamp": "2026-11-21T10:00:05.000Z",
         *       "data": {
         *         "verificationId": "txv_01JQZ5D7F9H1K3M5P7R9T1V3X5",
         *         "holder": "customer",
         *         "holderId": 7,
         *         "status": "valid"
         *       }
         *     }
         */
        'application/json': {
          /** @enum {string} */
          type: 'tax_id.verified';
          /**
           * @description Mode of the record; business records have only live mode.
           * @enum {string}
           */
          mode: 'live' | 'test';
          /**
           * Format: date-time
           * @description Time of the event, the same for every attempt.
           */
          timestamp: string;
          data: {
            verificationId: string;
            /** @enum {string} */
            holder: 'customer' | 'vendor' | 'company';
            /** @description Id of the customer or vendor; null for the company. */
            holderId: number | null;
            /** @enum {string} */
            status: 'valid' | 'invalid';
          };
        };
      };
    };
    responses: {
      /** @description The endpoint is gone: the webhook is disabled. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The delivery is accepted. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The delivery is retried with increasing delays. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onWebhookTest: {
    parameters: {
      query?: never;
      header: {
        /** @description Id of the delivery, the same for every attempt. */
        'webhook-id': string;
        /** @description Time of the attempt in Unix seconds. */
        'webhook-timestamp': string;
        /** @description Standard Webhooks signatures (`v1,…`), one for each valid secret, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "type": "webhook.test",
         *       "mode": "live",
         *       "timestamp": "2026-11-21T10:00:05.000Z",
         *       "data": {
         *         "webhookId": "whk_01JQZ5D7F9H1K3M5P7R9T1V3X5"
         *       }
         *     }
         */
        'application/json': {
          /** @enum {string} */
          type: 'webhook.test';
          /**
           * @description Mode of the record; business records have only live mode.
           * @enum {string}
           */
          mode: 'live' | 'test';
          /**
           * Format: date-time
           * @description Time of the event, the same for every attempt.
           */
          timestamp: string;
          data: {
            webhookId: string;
          };
        };
      };
    };
    responses: {
      /** @description The endpoint is gone: the webhook is disabled. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The delivery is accepted. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The delivery is retried with increasing delays. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
}
