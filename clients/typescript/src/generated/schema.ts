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
     * @description Permission: `sessions:read`.
     */
    get: operations['listSessions'];
    put?: never;
    /**
     * Create a verification session
     * @description All options may be left out.
     *
     *     Permission: `sessions:write`.
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
     * @description Those waiting longest first, with the risks that sent them there.
     *
     *     Permission: `sessions:read`.
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
     * @description With its steps, results, risks, decision and the ids of its evidence.
     *
     *     Permission: `sessions:read`.
     */
    get: operations['getSession'];
    put?: never;
    post?: never;
    /**
     * Delete a session and erase the person
     * @description Its results, pictures, embeddings and fingerprints go, its data key is destroyed, its workflows are cancelled. What stays is the receipt, the audit rows and the event, which hold ids. It cannot be undone; a second call is answered 404.
     *
     *     Permission: `sessions:delete`.
     */
    delete: operations['deleteSession'];
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
     * @description A reviewer approves, declines or asks for steps again.
     *
     *     A final decision is reversed only with `override: true` and a `reason`, which is audited; `review`, an addition, puts a decided session back into the queue. Nobody approves a session while one of its steps came to no result.
     *
     *     Permission: `sessions:decide`.
     */
    post: operations['decideSession'];
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
     * @description Permission: `workflows:read`.
     */
    get: operations['listSessionWorkflows'];
    put?: never;
    /**
     * Create a session workflow
     * @description What sessions of one kind have in common. Everything but the name may be left out.
     *
     *     Permission: `workflows:write`.
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
     * @description At its current version, or at the one asked for; also once it is archived.
     *
     *     Permission: `workflows:read`.
     */
    get: operations['getSessionWorkflow'];
    put?: never;
    post?: never;
    /**
     * Delete a session workflow
     * @description It is archived: no session starts with it any more; those under way keep their version.
     *
     *     Permission: `workflows:write`.
     */
    delete: operations['deleteSessionWorkflow'];
    options?: never;
    head?: never;
    /**
     * Change a session workflow
     * @description Fields that are sent replace the former ones whole and make the next version; sessions under way keep theirs. Making it the default alone makes no version.
     *
     *     Permission: `workflows:write`.
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
     * Try a draft of a workflow on past sessions
     * @description Decides past sessions again from what was measured then, by the thresholds, actions, rules and accepted documents of the draft, and counts which would have gone another way. What the draft leaves out is the workflow as it is; only where it names `features` are sessions asked for others than they were, and one that never ran such a step would still wait for it (`in_progress`). Nothing is written. Needs `sessions:read` too.
     *
     *     Permission: `workflows:read`.
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
     * @description Reads passport, card, licence, permit or visa from one or two photographs and judges them.
     *
     *     Permission: `documents:write`.
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
     * @description Reads a utility bill, bank statement or letter of an authority: who wrote it, when, to whom and where they live. A PDF is read by the text inside it, scans and photographs by recognition.
     *
     *     In a session the name is compared with that of its document, or else with the expected one, and the address with `expected.address`.
     *
     *     Permission: `documents:write`.
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
     * @description The largest face of each picture is compared.
     *
     *     In a session `refImage` may be left out: the portrait of its document is used. A session that verifies both document and liveness compares the two by itself; a client's own comparison is then answered too, and never outweighs it.
     *
     *     Permission: `biometrics:write`.
     */
    post: operations['matchFaces'];
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
     * @description With `wait` the answer is held until the check has ended or the time is up.
     *
     *     Permission: `checks:read`.
     */
    get: operations['getCheck'];
    put?: never;
    post?: never;
    /**
     * Delete a check that stands alone and erase the person
     * @description Its results, pictures, embeddings and fingerprints go, its data key is destroyed, its workflows are cancelled. What stays is the receipt, the audit rows and the event, which hold ids. It cannot be undone; a second call is answered 404.
     *
     *     Permission: `checks:delete`.
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
     * Check that a live person is before the camera
     * @description Passive: one photograph as `image`, judged with the parts its score is made of.
     *
     *     Active: `challengeId` and 4–24 `frames` in the order they were taken, about three a second, beginning and ending with a look at the camera. The server judges whether one person does what the challenge asks, in its order; the frame that looks most straight at the camera is judged by itself too. This is the stronger check.
     *
     *     Permission: `biometrics:write`.
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
     * Ask what a person is to do before the camera
     * @description Actions in a random order, to be answered once within five minutes by `POST /v1/biometrics/liveness`.
     *
     *     Permission: `biometrics:write`.
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
     * @description The age of the largest face, with the interval that holds nine of ten people and the mean error of the model at such an age.
     *
     *     `minimumAge` is answered yes or no only where the whole interval says so. A no raises `minimum_age_not_met` and declines, an uncertain answer raises it for review: a document has to tell.
     *
     *     A session that verifies `age` and `liveness` estimates the age of the selfie by itself.
     *
     *     Permission: `biometrics:write`.
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
     * @description Compares the largest face of the picture with every indexed face of the organisation; selfies of approved sessions are among the `users`. The answer is exact.
     *
     *     Without a `threshold` one is set so that a search of somebody absent finds anybody in 1 % of searches; it rises with the gallery and is never below 0.5. `gallerySize`, `threshold` and `expectedFalseHits` say what the matches are worth: a person has to look at them.
     *
     *     Permission: `faces:read`.
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
     * @description Newest first, selfies of approved sessions among them.
     *
     *     Permission: `faces:read`.
     */
    get: operations['listFaces'];
    put?: never;
    /**
     * Add a face to the index
     * @description From the answer on every search finds it, and sessions are compared with it: `users` by `duplicate_face`, unless the session has the same `externalId`, and `blocklist` by `face_in_blocklist`. A picture without one clear face is `rejected`, with the reason among its risks.
     *
     *     Permission: `faces:write`.
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
     * @description With `wait` the answer is held until the face is indexed or the time is up.
     *
     *     Permission: `faces:read`.
     */
    get: operations['getFace'];
    put?: never;
    post?: never;
    /**
     * Delete an indexed face and erase the person
     * @description Its results, pictures, embeddings and fingerprints go, its data key is destroyed, its workflows are cancelled. What stays is the receipt, the audit rows and the event, which hold ids. It cannot be undone; a second call is answered 404.
     *
     *     Permission: `faces:write`.
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
     * @description Compares what is claimed of a person with the organisation's own register (`POST /v1/registers/persons/import`) or, where that has nobody of the country, with the rules of the country's national numbers: structure, check digits, and the date of birth and sex that a number encodes. `full` needs a register; a valid number alone is `partial`. A country that neither covers is `database_not_available`, never a pass.
     *
     *     `image` is kept with the check as evidence. No register here holds photographs, so it is `not_checked`; compare faces with `POST /v1/biometrics/face-match`.
     *
     *     A session that verifies `database` makes this check by itself from its document, where that bears a national number.
     *
     *     Permission: `documents:write`.
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
     * @description Permission: `blocklist:read`.
     */
    get: operations['listBlockedDocuments'];
    put?: never;
    /**
     * Put a document on the blocklist
     * @description A check that shows it is declined with `document_in_blocklist`. It is named by its number and state, or by the session or check that read it. The number itself is not kept.
     *
     *     Permission: `blocklist:write`.
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
     * Take a document off the blocklist
     * @description Permission: `blocklist:write`.
     */
    delete: operations['unblockDocument'];
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
     * @description Permission: `erasures:read`.
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
     * @description Permission: `kyb:read`.
     */
    get: operations['listKybChecks'];
    put?: never;
    /**
     * Run a business check
     * @description Asks every register that may know the company: the organisation’s own, Companies House, GLEIF, and VIES where a VAT number is given. A number that is given decides which company is meant; else its name must be the same and clearly better than the next one.
     *
     *     A register that is away is asked again for a while and then reported as `kyb_registry_unavailable`; it is never taken for an answer that there is no such company.
     *
     *     The company that was found, its officers, owners and parents are put to the watch lists (`aml`); a match, and lists that could not be searched, ask for a review. GLEIF is answered from its golden copy where the installation imported one (`copy` of the source).
     *
     *     Permission: `kyb:write`.
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
     * @description With `wait` the answer is held until the check has ended or the time is up.
     *
     *     Permission: `kyb:read`.
     */
    get: operations['getKybCheck'];
    put?: never;
    post?: never;
    /**
     * Delete a business check with the people in it
     * @description Its results, pictures, embeddings and fingerprints go, its data key is destroyed, its workflows are cancelled. What stays is the receipt, the audit rows and the event, which hold ids. It cannot be undone; a second call is answered 404.
     *
     *     Permission: `kyb:write`.
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
     * @description Answers `match`, `score` and `hits`, or 503: a missing answer is never to be read as no match. 202 comes only to a client that asked for it by `wait=0` or `Prefer: respond-async`.
     *
     *     Every hit is explained part by part. A live key searches the lists an operator has imported; a test key searches a list of invented names and nothing else.
     *
     *     Permission: `aml:screen`.
     */
    post: operations['screenAml'];
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
     * @description Permission: `aml:read`.
     */
    get: operations['getAmlScreening'];
    put?: never;
    post?: never;
    /**
     * Delete a screening, its monitor and the subject
     * @description Its results, pictures, embeddings and fingerprints go, its data key is destroyed, its workflows are cancelled. What stays is the receipt, the audit rows and the event, which hold ids. It cannot be undone; a second call is answered 404.
     *
     *     Permission: `aml:delete`.
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
     * @description Of a screening or of a session. The word is remembered for the same subject and entry until either changes: a false positive no longer makes a match, in this screening and in those to come. In sessions the same `externalId`, name and date of birth are the same subject, whatever document they come with. A session not decided yet is judged anew, and still waits for its reviewer.
     *
     *     Permission: `aml:review`.
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
     * @description Lists of publishers serve the whole installation, an own list its organisation alone. Operators import both.
     *
     *     Permission: `aml:read`.
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
     * What the versions of a list changed
     * @description Its last versions with counts and what each meant for monitored subjects, and the entries that one of them added, changed or removed (the newest unless `version` names another).
     *
     *     Permission: `aml:read`.
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
     * @description Permission: `aml:read`.
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
     * @description Permission: `aml:read`.
     */
    get: operations['getAmlMonitor'];
    put?: never;
    post?: never;
    /**
     * End monitoring
     * @description The screenings made so far stay; delete the first of them to erase the subject.
     *
     *     Permission: `aml:screen`.
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
     * @description A CSV file in UTF-8, at most 15 MB, with a header. Columns, those in bold being required:
     *
     *     - `persons`: **country**, **idNumber**, **firstName**, **lastName**, dateOfBirth
     *     - `companies`: **name**, country, registrationNumber, vatNumber, lei, status, legalForm, incorporationDate, registeredAddress, headquarters, officers, owners
     *
     *     Dates are `YYYY-MM-DD`, countries ISO 3166-1 codes; `officers` is `name|role`, `owners` is `name|percentage`, several separated by semicolons.
     *
     *     The file replaces the active version as a whole, in one moment, once every row has been read. Rows with errors are left out and reported by line; a file with more wrong rows than right ones changes nothing.
     *
     *     Permission: `registers:write`.
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
     * @description Permission: `registers:read`.
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
     * @description With `wait` the answer is held until the file has been read.
     *
     *     Permission: `registers:read`.
     */
    get: operations['getRegister'];
    put?: never;
    post?: never;
    /**
     * Delete a version of a register with all its rows
     * @description Its results, pictures, embeddings and fingerprints go, its data key is destroyed, its workflows are cancelled. What stays is the receipt, the audit rows and the event, which hold ids. It cannot be undone; a second call is answered 404.
     *
     *     Permission: `registers:write`.
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
     * @description Sets an httpOnly cookie that stands for an API key of the chosen mode with the permissions of the role. It ends after twelve hours, or after one without a request.
     *
     *     Needs an `Origin` of `ALLOWED_ORIGINS`, as every later request but GET does beside the CSRF token. Five failed attempts lock an address for 15 minutes, those at the business API counted with them.
     *
     *     Roles with access: `admin`, `reviewer`, `developer`, `auditor`, `viewer`.
     *
     *     Public.
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
     * @description It stops working at once, on every replica.
     *
     *     Any credential.
     */
    post: operations['logoutFromConsole'];
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
     * Who is signed in
     * @description Works with an API key too: then `user` is null and `key` says which.
     *
     *     Any credential.
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
  '/v1/sessions/{id}/evidence/{evidenceId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a link to a piece of evidence
     * @description The file is decrypted for whoever follows the link. With `preview` it is a JPEG encoded anew from the pixels, at most 1280 a side, safe to show.
     *
     *     Permission: `evidence:read`.
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
     * Get a link to a piece of evidence
     * @description The file is decrypted for whoever follows the link. With `preview` it is a JPEG encoded anew from the pixels, at most 1280 a side, safe to show.
     *
     *     Permission: `evidence:read`.
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
     * @description A PDF with decision, steps, results, risks, reviews and the hashes of the evidence, as the session stands. It is printed once for each state of the session and kept encrypted with its evidence.
     *
     *     Permission: `sessions:read`.
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
     * @description The token can be taken up once, by its audience, until it expires. The words of consent are kept on both sides. With `bundle` the answer links to a signed file that another installation verifies offline.
     *
     *     Permission: `sessions:share`.
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
     * @description A session in review unless `trustReview` takes over an approval; that needs `sessions:trust-import` and an issuer whose decisions the operator accepts.
     *
     *     Permission: `sessions:import`.
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
     * @description A session in review unless `trustReview` takes over an approval; that needs `sessions:trust-import` and an issuer whose decisions the operator accepts. Issuers and their keys are a list of the operator; nothing a bundle names is fetched.
     *
     *     Permission: `sessions:import`.
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
     * @description Newest first, with what became of each and the consent it rests on. Tokens are never shown again.
     *
     *     Permission: `sessions:share`.
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
     * Take a share back
     * @description Nobody takes it up from then on (410 `share_revoked`); one taken back before stays as it is. A bundle that another installation already holds is verified there, without this one.
     *
     *     Permission: `sessions:share`.
     */
    delete: operations['revokeShare'];
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
     * @description Permission: `keys:read`.
     */
    get: operations['listKeys'];
    put?: never;
    /**
     * Create an API key
     * @description The secret is shown once. A key can create only keys of its own mode, with a subset of its own permissions, addresses and lifetime; without options it hands on its own permissions, addresses and expiry.
     *
     *     Permission: `keys:write`.
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
     * @description At once and for good. A key may revoke itself.
     *
     *     Permission: `keys:write`.
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
     * Recompute the chain of the audit log
     * @description Every row of the organisation, of both modes, is hashed over what it says and the hash before it. New rows are sealed within a minute, and the end of the chain is signed once a day: a chain made anew over altered rows does not bear the signatures. One look covers `limit` rows from `from` on; the whole chain is proven by asking again with `nextFrom` until it is null.
     *
     *     Permission: `audit:read`.
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
     * List who did what
     * @description Ids and names of fields, never values; rows of the mode of the credential.
     *
     *     Permission: `audit:read`.
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
     * @description Permission: `webhooks:read`.
     */
    get: operations['listWebhooks'];
    put?: never;
    /**
     * Register a webhook
     * @description Events are posted as `{type, timestamp, data}`, signed by the Standard Webhooks specification: headers `webhook-id` (the same on every attempt), `webhook-timestamp` and `webhook-signature`, key `whsec_…`. The secret is shown once.
     *
     *     A delivery succeeds on any 2xx within 15 s. Else it is repeated after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h; 429 and 503 may ask for more time with `Retry-After`, up to 24 h. Redirects are not followed. 410, or five days of nothing but failures, disables the webhook until it is recovered.
     *
     *     Permission: `webhooks:write`.
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
    get?: never;
    put?: never;
    post?: never;
    /**
     * Delete a webhook
     * @description Its secret is destroyed at once; deliveries under way end.
     *
     *     Permission: `webhooks:write`.
     */
    delete: operations['deleteWebhook'];
    options?: never;
    head?: never;
    patch?: never;
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
     * @description Posts `webhook.test` to this webhook alone, signed and repeated like any event.
     *
     *     Permission: `webhooks:write`.
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
     * @description With every attempt; kept for 90 days.
     *
     *     Permission: `webhooks:read`.
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
     * Give a webhook a new secret
     * @description The new secret is shown once. While the two overlap, deliveries carry a signature by each; with `overlapSeconds: 0` the old one ends at once.
     *
     *     Permission: `webhooks:write`.
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
     * Send again what a webhook missed
     * @description Sends every event since a time that the webhook subscribes to and that was not delivered, also what happened while it was disabled; a disabled webhook is enabled.
     *
     *     Events keep their `webhook-id`, so that a receiver can drop those it has seen. Events are kept for 90 days.
     *
     *     Permission: `webhooks:write`.
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
     * Send one event again
     * @description Whether it was delivered or not: a new delivery under the same `webhook-id`, attempted at once.
     *
     *     Permission: `webhooks:write`.
     */
    post: operations['resendWebhookDelivery'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    IdentityError: {
      /** @enum {boolean} */
      ok: false;
      error: {
        /** @description Stable, lower_snake. */
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
      /** @description An addition: stable, lower_snake. */
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
      /** @description The version it started with and keeps. */
      workflowVersion: number | null;
      /** @description State of the document that was read, else the expected one, alpha-3. */
      country: string | null;
      /** @description Where the person is sent; null until the capture page exists. */
      url: null;
      externalId: string | null;
      metadata: {
        [key: string]: unknown;
      } | null;
      decision: components['schemas']['Decision'] | null;
      /** Format: date-time */
      createdAt: string;
      /**
       * Format: date-time
       * @description A session not opened by then expires.
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
       * @description When the approval lapses; null where it does not.
       */
      approvalExpiresAt: string | null;
      /**
       * Format: date-time
       * @description When it is erased; null where it is kept.
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
      /** @description Where the session came from; null for one that was created here. */
      imported: {
        issuer: string;
        shareId: string;
        include: ('images' | 'contact')[];
        /** @description The decision was taken over without a review here. */
        trusted: boolean;
        consent: {
          text: string;
          /** Format: date-time */
          at: string;
        };
        /** Format: date-time */
        at: string;
      } | null;
      results: {
        document: {
          status: components['schemas']['Verdict'];
          risks: components['schemas']['Risk'][];
          /** @enum {string|null} */
          documentType: 'passport' | 'identity_card' | 'driving_licence' | 'residence_permit' | 'visa' | null;
          /** @description ISO 3166-1 alpha-3, or the code of ICAO 9303. */
          issuingState: string | null;
          documentNumber: string | null;
          personalNumber: string | null;
          firstName: string | null;
          lastName: string | null;
          fullName: string | null;
          /** @description YYYY-MM-DD; an unknown month or day stands as XX. */
          dateOfBirth: string | null;
          age: number | null;
          /** @enum {string|null} */
          sex: 'F' | 'M' | 'X' | null;
          nationality: string | null;
          issueDate: string | null;
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
            /** @description Null where only one source has the field. */
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
          /** @enum {string} */
          method: 'passive' | 'active';
          /** @description What was seen of the actions asked for; null of a passive check. */
          active: components['schemas']['ActiveLiveness'] | null;
          /** @description 0–100, null without a face. */
          score: number | null;
          /** @description What the score is made of. */
          parts: components['schemas']['LivenessParts'] | null;
          /** @description Points each part took from the model's score. */
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
          /** @description 0–100, 50 at the threshold; null where an image has no face. */
          score: number | null;
          /** @description Cosine of the embeddings. */
          similarity: number | null;
          match: boolean;
          threshold: number;
          reviewThreshold: number;
          /** @description Share of different people who would reach the threshold. */
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
          /** @description Estimate in years; null without a face. */
          age: number | null;
          interval: {
            low: number;
            high: number;
            /** @description Share of people it is meant to hold. */
            coverage: number;
          } | null;
          /** @description Of the model at such an age, in years. */
          meanAbsoluteError: number | null;
          errorByAge: {
            from: number;
            /** @description Exclusive; null without an upper end. */
            to: number | null;
            meanAbsoluteError: number;
          }[];
          measuredOn: string;
          minimumAge: number | null;
          /**
           * @description Yes or no only where the whole interval says so; null where nothing was asked.
           * @enum {string|null}
           */
          meetsMinimumAge: 'yes' | 'no' | 'uncertain' | null;
          /** @description The one examined: the largest. */
          face: components['schemas']['Face'] | null;
          /** @description The largest first. */
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
           * @description `full`: every field that was given agrees with a register. Null where no provider covers the country.
           * @enum {string|null}
           */
          matchType: 'full' | 'partial' | 'none' | null;
          /**
           * @description The organisation's own register, or the rules of the country's numbers.
           * @enum {string|null}
           */
          provider: 'register' | 'national_number' | null;
          /** @description Every field that was given. */
          validations: {
            /** @enum {string} */
            field: 'idNumber' | 'firstName' | 'lastName' | 'dateOfBirth' | 'sex' | 'image';
            /** @enum {string} */
            status: 'match' | 'partial' | 'mismatch' | 'not_checked';
          }[];
          /**
           * @description What the number alone says: a valid one may still be nobody’s.
           * @enum {string}
           */
          numberStatus: 'valid' | 'invalid' | 'unsupported';
          /**
           * Format: date-time
           * @description When the register was imported.
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
          /** @description YYYY-MM-DD. */
          issueDate: string | null;
          /** @description ISO 639-1. */
          language: string | null;
          /** @description Whom it is addressed to, as printed. */
          name: string | null;
          /** @description Others it names beside them, such as joint holders. */
          otherNames: string[];
          address: components['schemas']['PostalAddress'] | null;
          /**
           * @description The text inside a PDF, or characters recognised on a picture.
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
          /** @description Of the best hit that counts, 0–100. */
          score: number;
          hits: components['schemas']['AmlHit'][];
          thresholds: {
            review: number;
            /** @description Null where no score declines. */
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
        /** @description Of the file as sent. */
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
      | 'approval_expired';
    /** @enum {string} */
    Feature: 'id' | 'liveness' | 'face_match' | 'poa' | 'age' | 'aml' | 'database';
    Decision: {
      outcome: components['schemas']['SessionStatus'];
      reasons: components['schemas']['RiskCode'][];
      /** @enum {string} */
      decidedBy: 'rules' | 'reviewer';
      /** @description Id of the rule of the session's workflow that decided; null where none did. */
      rule: string | null;
      /** Format: date-time */
      at: string;
    };
    /**
     * @description Risk code, catalogue version 2.
     * @enum {string}
     */
    RiskCode:
      | 'document_expired'
      | 'document_not_recognised'
      | 'document_not_accepted'
      | 'portrait_not_found'
      | 'mrz_not_found'
      | 'mrz_check_failed'
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
       * @description `retry`: a better picture may help. `exhausted`: no attempts are left.
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
      /** @description Steps asked for again. */
      steps: components['schemas']['Feature'][];
      override: boolean;
      by: string;
      /** Format: date-time */
      at: string;
    };
    /** @enum {string} */
    Verdict: 'approved' | 'review' | 'declined';
    Risk: {
      code: components['schemas']['RiskCode'];
      /** @enum {string} */
      severity: 'low' | 'medium' | 'high';
      /**
       * @description What the risk does to its step.
       * @enum {string}
       */
      action: 'decline' | 'review' | 'ignore';
      /** @enum {string} */
      feature: 'id' | 'liveness' | 'face_match' | 'poa' | 'age' | 'aml' | 'database' | 'kyb' | 'session';
      message: string;
      details?: {
        [key: string]: string | number | boolean | null;
      };
    };
    MachineReadableZone: {
      /** @enum {string} */
      format: 'TD1' | 'TD2' | 'TD3' | 'MRVA' | 'MRVB';
      /** @enum {string} */
      side: 'front' | 'back';
      lines: string[];
      /** @description The fields as the zone encodes them. */
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
      /** @description All check digits verify; they are no proof that every character is right. */
      valid: boolean;
      /** @description One character was replaced so that the digits verify. */
      repaired: boolean;
      confidence: number;
      box: components['schemas']['Box'];
    };
    /** @description Pixels of the image as sent, after its EXIF orientation. */
    Box: {
      x: number;
      y: number;
      width: number;
      height: number;
    };
    /** @description The PDF417 symbol of a driving licence or card. */
    Barcode: {
      /** @enum {string} */
      symbology: 'PDF417';
      /** @enum {string} */
      side: 'front' | 'back';
      /** @description Null for a symbol of another content, or one that could not be decoded. */
      aamva: {
        /** @enum {string} */
        documentType: 'driving_licence' | 'identity_card';
        /** @description Issuer identification number, as AAMVA assigns them. */
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
      /** @description It was decoded; one after the AAMVA standard has no faults. */
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
    /** @description The weights a result rests on. */
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
        /** @description The frame it was seen in; null where it was not. */
        frame: number | null;
      }[];
      /**
       * @description A turn of the head that was not asked for then.
       * @enum {string|null}
       */
      unexpected: 'turn_left' | 'turn_right' | 'blink' | 'come_closer' | null;
      frames: number;
      facelessFrames: number;
      bestFrame: number | null;
      passiveScore: number | null;
      /** @description Least cosine of any frame with the best one. */
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
      /** @description Degrees. */
      pose: {
        yaw: number;
        pitch: number;
        roll: number;
      };
      /** @description The person's right eye, then the left one. */
      eyesOpen: number[];
      /** @description Pixels. */
      interEyeDistance: number;
      occlusion: number;
      /** @description 0–100. */
      overall: number;
    };
    MatchedImage: {
      /** @description The largest first. */
      faces: components['schemas']['Face'][];
      /** @description The one compared. */
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
      /** @description ISO 3166-1 alpha-3. */
      country: string | null;
    };
    /** @description An entry of a watch list that may be who was asked about. */
    AmlHit: {
      id: string;
      list: string;
      listVersion: string;
      entryId: string;
      /** @description Of what the list says of the entry. A review holds until it changes. */
      entryHash: string;
      /** @enum {string} */
      entityType: 'person' | 'company' | 'vessel' | 'aircraft' | 'unknown';
      caption: string;
      matchedName: string;
      score: number;
      explanation: components['schemas']['AmlExplanation'][];
      aliases: string[];
      /** @description `~` before one that is approximate. */
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
      /** @description Points; those of all parts add up to the score. */
      effect: number;
    };
    AmlReview: {
      /** @enum {string} */
      status: 'false_positive' | 'confirmed' | 'inconclusive';
      reason: string;
      by: string;
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
      /** @description The version it started with and keeps. */
      workflowVersion: number | null;
      /** @description State of the document that was read, else the expected one, alpha-3. */
      country: string | null;
      /** @description Where the person is sent; null until the capture page exists. */
      url: null;
      externalId: string | null;
      metadata: {
        [key: string]: unknown;
      } | null;
      decision: components['schemas']['Decision'] | null;
      /** Format: date-time */
      createdAt: string;
      /**
       * Format: date-time
       * @description A session not opened by then expires.
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
       * @description When the approval lapses; null where it does not.
       */
      approvalExpiresAt: string | null;
      /**
       * Format: date-time
       * @description When it is erased; null where it is kept.
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
      /** @description The version it started with and keeps. */
      workflowVersion: number | null;
      /** @description State of the document that was read, else the expected one, alpha-3. */
      country: string | null;
      /** @description Where the person is sent; null until the capture page exists. */
      url: null;
      externalId: string | null;
      metadata: {
        [key: string]: unknown;
      } | null;
      decision: components['schemas']['Decision'] | null;
      /** Format: date-time */
      createdAt: string;
      /**
       * Format: date-time
       * @description A session not opened by then expires.
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
       * @description When the approval lapses; null where it does not.
       */
      approvalExpiresAt: string | null;
      /**
       * Format: date-time
       * @description When it is erased; null where it is kept.
       */
      retainUntil: string | null;
      /** @description What sent the session to review. */
      risks: components['schemas']['Risk'][];
    };
    SessionWorkflow: {
      id: string;
      /** @enum {string} */
      mode: 'live' | 'test';
      /** @description Of the definition shown; sessions keep the version they started with. */
      version: number;
      currentVersion: number;
      isDefault: boolean;
      name: string;
      features: string[];
      thresholds: components['schemas']['Thresholds'];
      actions: {
        [key: string]: 'decline' | 'review' | 'ignore';
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
        /** @description None with exists and not_exists, a list with in and not_in. */
        value?: string | number | boolean | (string | number)[];
        and?: {
          /** @description One of document.type, document.issuingState, document.nationality, document.number, document.personalNumber, document.firstName, document.lastName, document.fullName, document.dateOfBirth, document.age, document.sex, document.issueDate, document.expiryDate, document.placeOfBirth, document.address, document.mrzValid, liveness.score, liveness.method, liveness.quality, faceMatch.score, faceMatch.similarity, age.estimate, age.meetsMinimumAge, faceMatch.match, poa.documentType, poa.issuer, poa.issueDate, poa.language, poa.name, poa.address, poa.city, poa.postalCode, poa.country, database.matchType, database.provider, database.numberStatus, aml.match, aml.score, aml.lists, session.externalId, session.language, session.country, session.email, session.phone, session.attempts, risks, session.metadata.<name>. */
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
          /** @description None with exists and not_exists, a list with in and not_in. */
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
      /** @description How the capture page presents itself. */
      branding: {
        name?: string;
        /** Format: uri */
        logoUrl?: string;
        primaryColor?: string;
      } | null;
      /** @description Any other document is `document_not_accepted`. Null: every document the service reads. */
      acceptedDocuments:
        | {
            /** @enum {string} */
            type: 'passport' | 'identity_card' | 'driving_licence' | 'residence_permit' | 'visa';
            /** @description Issuing states; any by default. */
            countries?: string[];
          }[]
        | null;
      /** Format: date-time */
      createdAt: string;
      /**
       * Format: date-time
       * @description When this version was made.
       */
      versionedAt: string;
      /** Format: date-time */
      archivedAt: string | null;
    };
    Thresholds: {
      /** @description Below, declined or reviewed. Default {"decline":30,"review":70}. */
      liveness?: {
        decline: number;
        review: number;
      };
      /** @description Calibrated scores: 50 stands at the service's match threshold. Default {"decline":25,"review":50}. */
      faceMatch?: {
        decline: number;
        review: number;
      };
      /** @description From there on, reviewed or declined. */
      aml?: {
        review: number;
        decline: number;
      };
      /** @description Anyone younger is declined with `minimum_age_not_met`. */
      minimumAge?: number;
    };
    Rule: {
      /** @description The decision names it. Default `rule-<position>`. */
      id?: string;
      /** @description One of document.type, document.issuingState, document.nationality, document.number, document.personalNumber, document.firstName, document.lastName, document.fullName, document.dateOfBirth, document.age, document.sex, document.issueDate, document.expiryDate, document.placeOfBirth, document.address, document.mrzValid, liveness.score, liveness.method, liveness.quality, faceMatch.score, faceMatch.similarity, age.estimate, age.meetsMinimumAge, faceMatch.match, poa.documentType, poa.issuer, poa.issueDate, poa.language, poa.name, poa.address, poa.city, poa.postalCode, poa.country, database.matchType, database.provider, database.numberStatus, aml.match, aml.score, aml.lists, session.externalId, session.language, session.country, session.email, session.phone, session.attempts, risks, session.metadata.<name>. */
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
      /** @description None with exists and not_exists, a list with in and not_in. */
      value?: string | number | boolean | (string | number)[];
      /** @description Further conditions that must hold too. */
      and?: {
        /** @description One of document.type, document.issuingState, document.nationality, document.number, document.personalNumber, document.firstName, document.lastName, document.fullName, document.dateOfBirth, document.age, document.sex, document.issueDate, document.expiryDate, document.placeOfBirth, document.address, document.mrzValid, liveness.score, liveness.method, liveness.quality, faceMatch.score, faceMatch.similarity, age.estimate, age.meetsMinimumAge, faceMatch.match, poa.documentType, poa.issuer, poa.issueDate, poa.language, poa.name, poa.address, poa.city, poa.postalCode, poa.country, database.matchType, database.provider, database.numberStatus, aml.match, aml.score, aml.lists, session.externalId, session.language, session.country, session.email, session.phone, session.attempts, risks, session.metadata.<name>. */
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
        /** @description None with exists and not_exists, a list with in and not_in. */
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
         * @description What the rules decided then, before any reviewer.
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
          | 'approval_expired';
        /**
         * @description `in_progress`: the draft would have asked for another attempt, or for a step that never ran.
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
          | 'approval_expired';
        count: number;
        /** @description What reviewers made of those they decided. */
        reviewed: {
          approved: number;
          declined: number;
        };
        /** @description Of the sessions that change. */
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
       * @description Null of a kind that always stands alone.
       * @enum {string|null}
       */
      feature: 'id' | 'liveness' | 'face_match' | 'poa' | 'age' | 'aml' | 'database' | null;
      /** @enum {string} */
      mode: 'live' | 'test';
      sessionId: string | null;
      /**
       * @description `failed`: it could not be run, nothing was found out.
       * @enum {string}
       */
      status: 'processing' | 'completed' | 'failed';
      /** @description Null until completed, and where it failed. */
      outcome: components['schemas']['Verdict'] | null;
      /** @description Came after the session's own comparison had decided it; answered and kept, without weight in the session. */
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
    /** @description What was read in an identity document. */
    DocumentResult: {
      status: components['schemas']['Verdict'];
      risks: components['schemas']['Risk'][];
      /** @enum {string|null} */
      documentType: 'passport' | 'identity_card' | 'driving_licence' | 'residence_permit' | 'visa' | null;
      /** @description ISO 3166-1 alpha-3, or the code of ICAO 9303. */
      issuingState: string | null;
      documentNumber: string | null;
      personalNumber: string | null;
      firstName: string | null;
      lastName: string | null;
      fullName: string | null;
      /** @description YYYY-MM-DD; an unknown month or day stands as XX. */
      dateOfBirth: string | null;
      age: number | null;
      /** @enum {string|null} */
      sex: 'F' | 'M' | 'X' | null;
      nationality: string | null;
      issueDate: string | null;
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
        /** @description Null where only one source has the field. */
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
       * @description Null of a kind that always stands alone.
       * @enum {string|null}
       */
      feature: 'id' | 'liveness' | 'face_match' | 'poa' | 'age' | 'aml' | 'database' | null;
      /** @enum {string} */
      mode: 'live' | 'test';
      sessionId: string | null;
      /**
       * @description `failed`: it could not be run, nothing was found out.
       * @enum {string}
       */
      status: 'processing' | 'completed' | 'failed';
      /** @description Null until completed, and where it failed. */
      outcome: components['schemas']['Verdict'] | null;
      /** @description Came after the session's own comparison had decided it; answered and kept, without weight in the session. */
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
    /** @description What was read on a proof of address. */
    AddressProofResult: {
      status: components['schemas']['Verdict'];
      risks: components['schemas']['Risk'][];
      /** @enum {string} */
      documentType: 'utility_bill' | 'bank_statement' | 'government_letter' | 'other';
      issuer: string | null;
      /** @description YYYY-MM-DD. */
      issueDate: string | null;
      /** @description ISO 639-1. */
      language: string | null;
      /** @description Whom it is addressed to, as printed. */
      name: string | null;
      /** @description Others it names beside them, such as joint holders. */
      otherNames: string[];
      address: components['schemas']['PostalAddress'] | null;
      /**
       * @description The text inside a PDF, or characters recognised on a picture.
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
       * @description Null of a kind that always stands alone.
       * @enum {string|null}
       */
      feature: 'id' | 'liveness' | 'face_match' | 'poa' | 'age' | 'aml' | 'database' | null;
      /** @enum {string} */
      mode: 'live' | 'test';
      sessionId: string | null;
      /**
       * @description `failed`: it could not be run, nothing was found out.
       * @enum {string}
       */
      status: 'processing' | 'completed' | 'failed';
      /** @description Null until completed, and where it failed. */
      outcome: components['schemas']['Verdict'] | null;
      /** @description Came after the session's own comparison had decided it; answered and kept, without weight in the session. */
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
    /** @description Whether two pictures show the same person. */
    FaceMatchResult: {
      status: components['schemas']['Verdict'];
      risks: components['schemas']['Risk'][];
      /** @description 0–100, 50 at the threshold; null where an image has no face. */
      score: number | null;
      /** @description Cosine of the embeddings. */
      similarity: number | null;
      match: boolean;
      threshold: number;
      reviewThreshold: number;
      /** @description Share of different people who would reach the threshold. */
      falseMatchRate: number;
      measuredOn: string;
      userImage: components['schemas']['MatchedImage'];
      refImage: components['schemas']['MatchedImage'];
      models: components['schemas']['ModelUse'][];
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
       * @description Null of a kind that always stands alone.
       * @enum {string|null}
       */
      feature: 'id' | 'liveness' | 'face_match' | 'poa' | 'age' | 'aml' | 'database' | null;
      /** @enum {string} */
      mode: 'live' | 'test';
      sessionId: string | null;
      /**
       * @description `failed`: it could not be run, nothing was found out.
       * @enum {string}
       */
      status: 'processing' | 'completed' | 'failed';
      /** @description Null until completed, and where it failed. */
      outcome: components['schemas']['Verdict'] | null;
      /** @description Came after the session's own comparison had decided it; answered and kept, without weight in the session. */
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
    /** @description Whether a live person was in front of the camera. */
    LivenessResult: {
      status: components['schemas']['Verdict'];
      risks: components['schemas']['Risk'][];
      /** @enum {string} */
      method: 'passive' | 'active';
      /** @description What was seen of the actions asked for; null of a passive check. */
      active: components['schemas']['ActiveLiveness'] | null;
      /** @description 0–100, null without a face. */
      score: number | null;
      /** @description What the score is made of. */
      parts: components['schemas']['LivenessParts'] | null;
      /** @description Points each part took from the model's score. */
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
    /** @description How old a person seems. */
    AgeResult: {
      status: components['schemas']['Verdict'];
      risks: components['schemas']['Risk'][];
      /** @description Estimate in years; null without a face. */
      age: number | null;
      interval: {
        low: number;
        high: number;
        /** @description Share of people it is meant to hold. */
        coverage: number;
      } | null;
      /** @description Of the model at such an age, in years. */
      meanAbsoluteError: number | null;
      errorByAge: {
        from: number;
        /** @description Exclusive; null without an upper end. */
        to: number | null;
        meanAbsoluteError: number;
      }[];
      measuredOn: string;
      minimumAge: number | null;
      /**
       * @description Yes or no only where the whole interval says so; null where nothing was asked.
       * @enum {string|null}
       */
      meetsMinimumAge: 'yes' | 'no' | 'uncertain' | null;
      /** @description The one examined: the largest. */
      face: components['schemas']['Face'] | null;
      /** @description The largest first. */
      faces: components['schemas']['Face'][];
      rotation: 0 | 90 | 180 | 270;
      quality: components['schemas']['FaceQuality'] | null;
      models: components['schemas']['ModelUse'][];
    };
    /** @description The indexed faces that resemble one. */
    FaceSearchResult: {
      status: components['schemas']['Verdict'];
      risks: components['schemas']['Risk'][];
      /** @description Best first. */
      matches: components['schemas']['FaceSearchMatch'][];
      lists: ('users' | 'blocklist')[];
      topK: number;
      /** @description Faces compared, every one of them. */
      gallerySize: number;
      /** @description Least cosine of a match. It rises with the gallery, never below 0.5. */
      threshold: number;
      /** @description Strangers expected among the matches of one search. */
      expectedFalseHits: number;
      /** @description Chance that a search of somebody absent finds anybody. */
      falsePositiveIdentificationRate: number;
      /** @description What these two figures rest on. */
      measuredOn: string;
      /** @description The one examined: the largest. */
      face: components['schemas']['Face'] | null;
      /** @description The largest first. */
      faces: components['schemas']['Face'][];
      rotation: 0 | 90 | 180 | 270;
      quality: components['schemas']['FaceQuality'] | null;
      models: components['schemas']['ModelUse'][];
    };
    FaceSearchMatch: {
      id: string;
      name: string | null;
      externalId: string | null;
      /** @description The approved session whose selfie it is. */
      sessionId: string | null;
      /** @enum {string} */
      list: 'users' | 'blocklist';
      /** @description Cosine of the embeddings. */
      similarity: number;
    };
    /** @description Whether what is claimed of a person agrees with a register. */
    DatabaseResult: {
      status: components['schemas']['Verdict'];
      risks: components['schemas']['Risk'][];
      /**
       * @description `full`: every field that was given agrees with a register. Null where no provider covers the country.
       * @enum {string|null}
       */
      matchType: 'full' | 'partial' | 'none' | null;
      /**
       * @description The organisation's own register, or the rules of the country's numbers.
       * @enum {string|null}
       */
      provider: 'register' | 'national_number' | null;
      /** @description Every field that was given. */
      validations: {
        /** @enum {string} */
        field: 'idNumber' | 'firstName' | 'lastName' | 'dateOfBirth' | 'sex' | 'image';
        /** @enum {string} */
        status: 'match' | 'partial' | 'mismatch' | 'not_checked';
      }[];
      /**
       * @description What the number alone says: a valid one may still be nobody’s.
       * @enum {string}
       */
      numberStatus: 'valid' | 'invalid' | 'unsupported';
      /**
       * Format: date-time
       * @description When the register was imported.
       */
      dataAt: string | null;
    };
    /** @description What the watch lists say of the person. */
    AmlResult: {
      status: components['schemas']['Verdict'];
      risks: components['schemas']['Risk'][];
      match: boolean;
      /** @description Of the best hit that counts, 0–100. */
      score: number;
      hits: components['schemas']['AmlHit'][];
      thresholds: {
        review: number;
        /** @description Null where no score declines. */
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
       * @description Null of a kind that always stands alone.
       * @enum {string|null}
       */
      feature: 'id' | 'liveness' | 'face_match' | 'poa' | 'age' | 'aml' | 'database' | null;
      /** @enum {string} */
      mode: 'live' | 'test';
      sessionId: string | null;
      /**
       * @description `failed`: it could not be run, nothing was found out.
       * @enum {string}
       */
      status: 'processing' | 'completed' | 'failed';
      /** @description Null until completed, and where it failed. */
      outcome: components['schemas']['Verdict'] | null;
      /** @description Came after the session's own comparison had decided it; answered and kept, without weight in the session. */
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
      /** @description What the person is to do, in this order. Left and right are the person's own. */
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
       * @description Null of a kind that always stands alone.
       * @enum {string|null}
       */
      feature: 'id' | 'liveness' | 'face_match' | 'poa' | 'age' | 'aml' | 'database' | null;
      /** @enum {string} */
      mode: 'live' | 'test';
      sessionId: string | null;
      /**
       * @description `failed`: it could not be run, nothing was found out.
       * @enum {string}
       */
      status: 'processing' | 'completed' | 'failed';
      /** @description Null until completed, and where it failed. */
      outcome: components['schemas']['Verdict'] | null;
      /** @description Came after the session's own comparison had decided it; answered and kept, without weight in the session. */
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
       * @description Null of a kind that always stands alone.
       * @enum {string|null}
       */
      feature: 'id' | 'liveness' | 'face_match' | 'poa' | 'age' | 'aml' | 'database' | null;
      /** @enum {string} */
      mode: 'live' | 'test';
      sessionId: string | null;
      /**
       * @description `failed`: it could not be run, nothing was found out.
       * @enum {string}
       */
      status: 'processing' | 'completed' | 'failed';
      /** @description Null until completed, and where it failed. */
      outcome: components['schemas']['Verdict'] | null;
      /** @description Came after the session's own comparison had decided it; answered and kept, without weight in the session. */
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
       * @description `indexed`: found by searches. `rejected`: the picture shows no face that could be searched for, `risks` says why. `failed`: it could not be examined. `held`: the selfie of a session that is not approved.
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
      /** @description The session whose selfie it is. */
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
       * @description When it is erased by itself; null where it is kept until it is deleted, or as long as its session. A face that cannot be searched for is not kept longer than a check that stands alone.
       */
      retainUntil: string | null;
    };
    /** @description The receipt of an erasure: ids, counts and hashes. */
    Erasure: {
      id: string;
      /**
       * @description What was erased.
       * @enum {string}
       */
      kind: 'session' | 'check' | 'screening' | 'register' | 'kyb' | 'face';
      recordId: string;
      /** @enum {string} */
      mode: 'live' | 'test';
      /**
       * @description `erasing`: gone for everyone and its data key destroyed; what is left is being removed.
       * @enum {string}
       */
      status: 'erasing' | 'completed';
      /** @enum {string} */
      reason: 'request' | 'retention';
      /** @description Id of the credential; `system` where the retention time was over. */
      by: string;
      /** Format: date-time */
      requestedAt: string;
      /** Format: date-time */
      completedAt: string | null;
      dataKeysDestroyed: number;
      /** @description Every file that was erased. */
      evidence: {
        id: string;
        /** @description Of the file as sent. */
        sha256: string;
      }[];
      /** @description Null until they are. */
      objectsRemoved: number | null;
      /** @description Rows by collection. */
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
       * @description Null of a kind that always stands alone.
       * @enum {string|null}
       */
      feature: 'id' | 'liveness' | 'face_match' | 'poa' | 'age' | 'aml' | 'database' | null;
      /** @enum {string} */
      mode: 'live' | 'test';
      sessionId: string | null;
      /**
       * @description `failed`: it could not be run, nothing was found out.
       * @enum {string}
       */
      status: 'processing' | 'completed' | 'failed';
      /** @description Null until completed, and where it failed. */
      outcome: components['schemas']['Verdict'] | null;
      /** @description Came after the session's own comparison had decided it; answered and kept, without weight in the session. */
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
      /** @description The number, all but its end masked: only a keyed hash of it is kept. */
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
       * @description `found`: one company fits and nothing speaks against it. `review`: several fit, or a risk asks for a person. `not_found`: every register that was asked answered, and none knows it. `failed`: none could be asked.
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
      /** @description Whose company it is; completed by what the others know of it. */
      provider: ('register' | 'companies_house' | 'gleif' | 'vies' | 'sandbox') | null;
      dataAt: string | null;
      company: components['schemas']['Company'] | null;
      officers: components['schemas']['Officer'][];
      owners: components['schemas']['Owner'][];
      parents: {
        direct: components['schemas']['ParentCompany'] | null;
        ultimate: components['schemas']['ParentCompany'] | null;
      };
      /** @description Null where no company was found that could be screened. */
      aml: components['schemas']['KybScreening'] | null;
      /** @description Companies that fit, best first. */
      matches: components['schemas']['CompanyMatch'][];
      /** @description Every register that was asked. */
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
      /** @description Null where the register confirms a number and keeps the name to itself. */
      legalName: string | null;
      otherNames: string[];
      country: string | null;
      registrationNumber: string | null;
      vatNumber: string | null;
      lei: string | null;
      /** @description Of the LEI itself, such as ISSUED or LAPSED. */
      leiStatus: string | null;
      /** @enum {string} */
      status: 'active' | 'dissolved' | 'liquidation' | 'administration' | 'insolvency' | 'inactive' | 'unknown';
      legalForm: {
        /** @description ISO 20275 (ELF), where the register gives one. */
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
    /** @description As registers publish it, often without the day. */
    PartialDate: {
      year: number;
      month: number | null;
      day: number | null;
    };
    Owner: {
      name: string;
      /** @enum {string} */
      kind: 'person' | 'company' | 'unknown';
      /** @description A band where the register publishes bands. */
      sharesPercent: {
        from: number;
        to: number;
      } | null;
      /** @description Kinds of control, in the register's own terms. */
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
      /** @description Why none is named, such as NATURAL_PERSONS. */
      exceptions: string[];
    };
    /** @description What the watch lists say of the company and the people in it. */
    KybScreening: {
      /**
       * @description `unavailable`: the watch lists could not be searched, which is never the same as no match.
       * @enum {string}
       */
      status: 'completed' | 'unavailable';
      /** @description Why they could not be searched: an error code. */
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
      /** @description Of the best hit that counts, 0–100. */
      score: number;
      hits: {
        list: string;
        listVersion: string;
        entryId: string;
        /** @description Of what the list says of the entry. A review holds until it changes. */
        entryHash: string;
        /** @enum {string} */
        entityType: 'person' | 'company' | 'vessel' | 'aircraft' | 'unknown';
        caption: string;
        matchedName: string;
        score: number;
        explanation: components['schemas']['AmlExplanation'][];
        aliases: string[];
        /** @description `~` before one that is approximate. */
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
      }[];
    };
    CompanyMatch: {
      /**
       * @description `register` is the one the organisation imported itself; `sandbox` answers test keys.
       * @enum {string}
       */
      provider: 'register' | 'companies_house' | 'gleif' | 'vies' | 'sandbox';
      /** @description 0–100. */
      score: number;
      /** @description A number that was given is this company’s. */
      confirmed: boolean;
      contradicted: ('lei' | 'registrationNumber' | 'vatNumber')[];
      company: components['schemas']['Company'];
    };
    KybSource: {
      /**
       * @description `register` is the one the organisation imported itself; `sandbox` answers test keys.
       * @enum {string}
       */
      provider: 'register' | 'companies_house' | 'gleif' | 'vies' | 'sandbox';
      /** @enum {string} */
      status: 'pending' | 'answered' | 'unavailable';
      /** @enum {string|null} */
      outcome: 'matched' | 'several' | 'none' | null;
      /** @description Why the register could not be asked: an error code. */
      reason: string | null;
      /** Format: date-time */
      at: string | null;
      /** @description The imported copy that answered; null where the register itself was asked. */
      copy: components['schemas']['RegisterCopy'] | null;
      /** @description When the register last brought the company up to date, where it says so. */
      dataAt: string | null;
    };
    RegisterCopy: {
      version: string;
      /** Format: date-time */
      publishedAt: string;
      /** @description When the question was answered. */
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
      /** @description Lists asked for that are not loaded. */
      listsNotLoaded: string[];
      risks: (
        | 'document_expired'
        | 'document_not_recognised'
        | 'document_not_accepted'
        | 'portrait_not_found'
        | 'mrz_not_found'
        | 'mrz_check_failed'
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
      /** @description Since the list was last known to be the newest. */
      ageHours: number;
      stale: boolean;
    };
    AmlList: {
      code: string;
      title: string;
      /** @description The organisation's own, seen by nobody else. */
      own: boolean;
      loaded: boolean;
      stale: boolean;
      ageHours: number | null;
      /** Format: date-time */
      checkedAt: string | null;
      sourceUrl: string | null;
      /** @description Code of what went wrong when it was last fetched. */
      error: string | null;
      version: components['schemas']['AmlListVersion'] | null;
      /** @description Waits for an operator to confirm it, since the list shrank by half. */
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
      counts: {
        entries: number;
        aliases: number;
        addresses: number;
        /** @description Entries published with their aliases only; searched like the others. */
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
      /** @description The screening that began it; deleting that ends it. */
      screeningId: string;
      threshold: number;
      lists: string[] | null;
      lastScreeningId: string;
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
       * @description `active`: the version that look-ups read. `superseded`: an older one, whose rows are gone.
       * @enum {string}
       */
      status: 'importing' | 'active' | 'superseded' | 'failed';
      /** @description Of the file as sent. */
      sha256: string;
      bytes: number;
      rows: {
        total: number;
        imported: number;
        rejected: number;
      };
      /** @description Of rows that were not taken, the first hundred; the header is line 1. */
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
      /** @description What the person agreed to. */
      consentText: string;
      /** @description Whether a file for another installation was made of it. */
      bundle: boolean;
      createdBy: string;
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      expiresAt: string;
      /**
       * Format: date-time
       * @description When it was taken up within this installation.
       */
      usedAt: string | null;
      /** Format: date-time */
      revokedAt: string | null;
    };
    AuditEntry: {
      id: string;
      /** Format: date-time */
      at: string;
      /** @description Id of the key or person; `system` for the service itself. */
      actor: string;
      /** @description `resource.action`, such as `session.decided`. */
      action: string;
      /** @description Id of the record acted upon. */
      subject: string;
      /** @description Names of what was written, never values. */
      fields: string[];
      reason: string | null;
      requestId: string | null;
      /** @description Place in the chain; null until it is sealed. */
      position: number | null;
      hash: string | null;
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
        /** @description One or more of not_started, in_progress, in_review, approved, declined, resubmission_requested, expired, abandoned, approval_expired, separated by commas. */
        status?: string;
        externalId?: string;
        workflowId?: string;
        /** @description ISO 3166-1 alpha-2 or alpha-3. */
        country?: string;
        /** @description Beginnings of words of the externalId, of the number or of the id; all must fit. */
        search?: string;
        /** @description Created at or after this date or time. */
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
      /** @description Sessions, newest first; `total` counts all that fit the filters. */
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
           *               "image_blurred"
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
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
        /** @description Makes a retry safe for 24 hours. */
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
          /** @description The session workflow it starts with; without one your default workflow, if you have one. */
          workflowId?: string;
          /** @description What to verify, instead of what the workflow says. Default id, liveness, face_match. */
          features?: ('id' | 'liveness' | 'face_match' | 'poa' | 'age' | 'aml' | 'database')[];
          /** @description Your own id of the person or case. */
          externalId?: string;
          metadata?: {
            [key: string]: unknown;
          };
          /**
           * Format: uri
           * @description Where the person's browser is sent afterwards; the server never calls it.
           */
          callbackUrl?: string;
          language?: string;
          /** @description What is known already; a document that says otherwise goes to review. */
          expected?: {
            firstName?: string;
            lastName?: string;
            /** Format: date */
            dateOfBirth?: string;
            /** @description ISO 3166-1 alpha-2 or alpha-3. */
            nationality?: string;
            /** @description ISO 3166-1 alpha-2 or alpha-3. */
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
           *         "url": null,
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
           *         "imported": null,
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
           *             "code": "image_blurred",
           *             "severity": "medium",
           *             "action": "review",
           *             "feature": "id",
           *             "message": "The image is blurred."
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
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A request with the same Idempotency-Key still runs. */
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
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
           *               "image_blurred"
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
           *               "code": "image_blurred",
           *               "severity": "medium",
           *               "action": "review",
           *               "feature": "id",
           *               "message": "The image is blurred."
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
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
           *             "image_blurred"
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
           *         "imported": null,
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
           *             "code": "image_blurred",
           *             "severity": "medium",
           *             "action": "review",
           *             "feature": "id",
           *             "message": "The image is blurred."
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
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
      /** @description Erased: the receipt. */
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
      /** @description Gone for everyone and unreadable; `Location` says where the receipt is completed. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            erasure: components['schemas']['Erasure'];
          };
        };
      };
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
        /** @description Makes a retry safe for 24 hours. */
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
          /** @description With `resubmit`: the steps asked for again; all of them by default. */
          steps?: ('id' | 'liveness' | 'face_match' | 'poa' | 'age' | 'aml' | 'database')[];
          /** @default false */
          override?: boolean;
        };
      };
    };
    responses: {
      /** @description The session as decided. */
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
           *             "image_blurred"
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
           *         "imported": null,
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
           *             "code": "image_blurred",
           *             "severity": "medium",
           *             "action": "review",
           *             "feature": "id",
           *             "message": "The image is blurred."
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
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
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
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
      /** @description Workflows in use at their current versions, newest first. */
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
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
        /** @description Makes a retry safe for 24 hours. */
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
          /** @description What its sessions verify. Default id, liveness, face_match. */
          features?: ('id' | 'liveness' | 'face_match' | 'poa' | 'age' | 'aml' | 'database')[];
          thresholds?: components['schemas']['Thresholds'];
          /** @description What a risk does instead of its default in the catalogue. */
          actions?: {
            [key: string]: 'decline' | 'review' | 'ignore';
          };
          /** @description Asked in order once the steps are done; the first that holds decides. A rule approves no session that a finding declines or whose steps came to no good end. */
          rules?: components['schemas']['Rule'][];
          /** @description Attempts at each step within the window. Default 3. */
          maxAttempts?: number;
          /** @description Days in which attempts count together. Default 7. */
          attemptWindowDays?: number;
          /** @description Hours until a session that was never opened expires. Default 168. */
          linkTtlHours?: number;
          /** @description Hours without activity until an opened session is abandoned. Default 24. */
          abandonAfterHours?: number;
          /** @description Days until an approval lapses (`approval_expired`). Null, the default: never. */
          approvalValidDays?: number | null;
          /** @description Days after its end until a session is erased. Null, the default: kept until deleted. */
          retentionDays?: number | null;
          /** @description Whether the selfies of approved sessions join the `users` of the face index, which finds the same face under another external id. Default true. */
          indexApprovedFaces?: boolean;
          /**
           * Format: uri
           * @description Where the person's browser is sent afterwards; the server never calls it.
           */
          callbackUrl?: string | null;
          /** @description How the capture page presents itself. */
          branding?: {
            name?: string;
            /** Format: uri */
            logoUrl?: string;
            primaryColor?: string;
          } | null;
          /** @description Any other document is `document_not_accepted`. Null: every document the service reads. */
          acceptedDocuments?:
            | {
                /** @enum {string} */
                type: 'passport' | 'identity_card' | 'driving_licence' | 'residence_permit' | 'visa';
                /** @description Issuing states; any by default. */
                countries?: string[];
              }[]
            | null;
          /** @description Sessions created without a workflowId start with it; the former default is none any more. */
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
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
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
      /** @description The Idempotency-Key was used with another body. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
      /** @description What was archived, and when. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "id": "wfl_01JQZ4QXKD0A3C6F9H2J5M8P1R",
           *       "archivedAt": "2026-11-21T10:00:00.000Z"
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            id: string;
            /** Format: date-time */
            archivedAt: string;
          };
        };
      };
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
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
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
          /** @description What its sessions verify. Default id, liveness, face_match. */
          features?: ('id' | 'liveness' | 'face_match' | 'poa' | 'age' | 'aml' | 'database')[];
          thresholds?: components['schemas']['Thresholds'];
          /** @description What a risk does instead of its default in the catalogue. */
          actions?: {
            [key: string]: 'decline' | 'review' | 'ignore';
          };
          /** @description Asked in order once the steps are done; the first that holds decides. A rule approves no session that a finding declines or whose steps came to no good end. */
          rules?: components['schemas']['Rule'][];
          /** @description Attempts at each step within the window. Default 3. */
          maxAttempts?: number;
          /** @description Days in which attempts count together. Default 7. */
          attemptWindowDays?: number;
          /** @description Hours until a session that was never opened expires. Default 168. */
          linkTtlHours?: number;
          /** @description Hours without activity until an opened session is abandoned. Default 24. */
          abandonAfterHours?: number;
          /** @description Days until an approval lapses (`approval_expired`). Null, the default: never. */
          approvalValidDays?: number | null;
          /** @description Days after its end until a session is erased. Null, the default: kept until deleted. */
          retentionDays?: number | null;
          /** @description Whether the selfies of approved sessions join the `users` of the face index, which finds the same face under another external id. Default true. */
          indexApprovedFaces?: boolean;
          /**
           * Format: uri
           * @description Where the person's browser is sent afterwards; the server never calls it.
           */
          callbackUrl?: string | null;
          /** @description How the capture page presents itself. */
          branding?: {
            name?: string;
            /** Format: uri */
            logoUrl?: string;
            primaryColor?: string;
          } | null;
          /** @description Any other document is `document_not_accepted`. Null: every document the service reads. */
          acceptedDocuments?:
            | {
                /** @enum {string} */
                type: 'passport' | 'identity_card' | 'driving_licence' | 'residence_permit' | 'visa';
                /** @description Issuing states; any by default. */
                countries?: string[];
              }[]
            | null;
          /** @enum {boolean} */
          isDefault?: true;
          /** @description The version you have seen; if it is no longer the current one, the answer is 409. */
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
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
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
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
            /** @description What a risk does instead of its default in the catalogue. */
            actions?: {
              [key: string]: 'decline' | 'review' | 'ignore';
            };
            /** @description Asked in order once the steps are done; the first that holds decides. A rule approves no session that a finding declines or whose steps came to no good end. */
            rules?: components['schemas']['Rule'][];
            /** @description What its sessions verify. Default id, liveness, face_match. */
            features?: ('id' | 'liveness' | 'face_match' | 'poa' | 'age' | 'aml' | 'database')[];
            /** @description Any other document is `document_not_accepted`. Null: every document the service reads. */
            acceptedDocuments?:
              | {
                  /** @enum {string} */
                  type: 'passport' | 'identity_card' | 'driving_licence' | 'residence_permit' | 'visa';
                  /** @description Issuing states; any by default. */
                  countries?: string[];
                }[]
              | null;
          };
          /**
           * @description Which sessions: the newest that were decided.
           * @default {
           *       "limit": 200
           *     }
           */
          sessions?: {
            workflowId?: string;
            statuses?: ('approved' | 'declined' | 'in_review' | 'approval_expired')[];
            /** @description Created at or after this date or time. */
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
      /** @description How many sessions would have gone where. */
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
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
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
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
        wait?: number | null;
      };
      header?: {
        /** @description Makes a retry safe for 24 hours. */
        'Idempotency-Key'?: string;
        /** @description Test keys only: decides the check instead of its engine. `approve`, `review`, `decline`, `fail`, or risk codes separated by commas. */
        'X-Sandbox-Result'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'multipart/form-data': {
          /** @description The session whose id step it is; without one the check stands alone. */
          sessionId?: string;
          /**
           * Format: binary
           * @description The side with the portrait, the data page, or both sides in one picture. JPEG, PNG, WebP or PDF, at most 15 MB and 50 megapixels; the type is told by the content.
           */
          frontImage: Upload;
          /**
           * Format: binary
           * @description The other side. JPEG, PNG, WebP or PDF, at most 15 MB and 50 megapixels; the type is told by the content.
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
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            check: components['schemas']['DocumentCheck'];
          };
        };
      };
      /** @description Still processing; `Location` says where to ask again. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            check: components['schemas']['DocumentCheck'];
          };
        };
      };
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The session does not take this check now: it is decided, does not verify this, or has no attempts left. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A file has more than 15 MB or 50 megapixels. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A file is no JPEG, PNG or WebP, or the body is not multipart. */
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
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
        wait?: number | null;
      };
      header?: {
        /** @description Makes a retry safe for 24 hours. */
        'Idempotency-Key'?: string;
        /** @description Test keys only: decides the check instead of its engine. `approve`, `review`, `decline`, `fail`, or risk codes separated by commas. */
        'X-Sandbox-Result'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'multipart/form-data': {
          /** @description The session whose poa step it is; without one the check stands alone. */
          sessionId?: string;
          /**
           * Format: binary
           * @description The first three pages of a PDF are read. JPEG, PNG, WebP or PDF, at most 15 MB and 50 megapixels; the type is told by the content.
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
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            check: components['schemas']['AddressProofCheck'];
          };
        };
      };
      /** @description Still processing; `Location` says where to ask again. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            check: components['schemas']['AddressProofCheck'];
          };
        };
      };
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The session does not take this check now: it is decided, does not verify this, or has no attempts left. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A file has more than 15 MB or 50 megapixels. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A file is no JPEG, PNG or WebP, or the body is not multipart. */
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
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
        wait?: number | null;
      };
      header?: {
        /** @description Makes a retry safe for 24 hours. */
        'Idempotency-Key'?: string;
        /** @description Test keys only: decides the check instead of its engine. `approve`, `review`, `decline`, `fail`, or risk codes separated by commas. */
        'X-Sandbox-Result'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'multipart/form-data': {
          /** @description The session whose face_match step it is; without one the check stands alone. */
          sessionId?: string;
          /**
           * Format: binary
           * @description The person. JPEG, PNG or WebP, at most 15 MB and 50 megapixels; the type is told by the content.
           */
          userImage: Upload;
          /**
           * Format: binary
           * @description The person or document to compare with; required without a session. JPEG, PNG or WebP, at most 15 MB and 50 megapixels; the type is told by the content.
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
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            check: components['schemas']['FaceMatchCheck'];
          };
        };
      };
      /** @description Still processing; `Location` says where to ask again. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            check: components['schemas']['FaceMatchCheck'];
          };
        };
      };
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The session does not take this check now: it is decided, does not verify this, or has no attempts left. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A file has more than 15 MB or 50 megapixels. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A file is no JPEG, PNG or WebP, or the body is not multipart. */
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
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
        wait?: number | null;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The check; `status` tells whether its result is there. */
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
           *           "match": false,
           *           "threshold": 0.31,
           *           "reviewThreshold": 0.25,
           *           "falseMatchRate": 0.001,
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
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
      /** @description Erased: the receipt. */
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
      /** @description Gone for everyone and unreadable; `Location` says where the receipt is completed. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            erasure: components['schemas']['Erasure'];
          };
        };
      };
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
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
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
        wait?: number | null;
      };
      header?: {
        /** @description Makes a retry safe for 24 hours. */
        'Idempotency-Key'?: string;
        /** @description Test keys only: decides the check instead of its engine. `approve`, `review`, `decline`, `fail`, or risk codes separated by commas. */
        'X-Sandbox-Result'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'multipart/form-data': {
          /** @description The session whose liveness step it is; without one the check stands alone. */
          sessionId?: string;
          /** @description The challenge that `frames` answer. */
          challengeId?: string;
          /**
           * Format: binary
           * @description A selfie; required without a challenge. JPEG, PNG or WebP, at most 15 MB and 50 megapixels; the type is told by the content.
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
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            check: components['schemas']['LivenessCheck'];
          };
        };
      };
      /** @description Still processing; `Location` says where to ask again. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            check: components['schemas']['LivenessCheck'];
          };
        };
      };
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The session does not take this check now, or the challenge was answered before (`challenge_used`). */
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
      /** @description A file has more than 15 MB or 50 megapixels. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A file is no JPEG, PNG or WebP, or the body is not multipart. */
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
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
          /** @description Binds the challenge to a session. */
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
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
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
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
        wait?: number | null;
      };
      header?: {
        /** @description Makes a retry safe for 24 hours. */
        'Idempotency-Key'?: string;
        /** @description Test keys only: decides the check instead of its engine. `approve`, `review`, `decline`, `fail`, or risk codes separated by commas. */
        'X-Sandbox-Result'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'multipart/form-data': {
          /** @description The session whose age step it is; without one the check stands alone. */
          sessionId?: string;
          minimumAge?: number;
          /**
           * Format: binary
           * @description A selfie. JPEG, PNG or WebP, at most 15 MB and 50 megapixels; the type is told by the content.
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
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            check: components['schemas']['AgeCheck'];
          };
        };
      };
      /** @description Still processing; `Location` says where to ask again. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            check: components['schemas']['AgeCheck'];
          };
        };
      };
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The session does not take this check now: it is decided, does not verify this, or has no attempts left. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A file has more than 15 MB or 50 megapixels. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A file is no JPEG, PNG or WebP, or the body is not multipart. */
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
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
        wait?: number | null;
      };
      header?: {
        /** @description Makes a retry safe for 24 hours. */
        'Idempotency-Key'?: string;
        /** @description Test keys only: decides the check instead of its engine. `approve`, `review`, `decline`, `fail`, or risk codes separated by commas. */
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
           * @description Lists searched, separated by commas. Default users, blocklist.
           * @example users
           */
          lists?: string;
          /**
           * Format: binary
           * @description The person searched for. JPEG, PNG or WebP, at most 15 MB and 50 megapixels; the type is told by the content.
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
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            check: components['schemas']['FaceSearchCheck'];
          };
        };
      };
      /** @description Still processing; `Location` says where to ask again. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            check: components['schemas']['FaceSearchCheck'];
          };
        };
      };
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A request with the same Idempotency-Key still runs. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A file has more than 15 MB or 50 megapixels. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A file is no JPEG, PNG or WebP, or the body is not multipart. */
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
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
        status?: 'processing' | 'indexed' | 'rejected' | 'failed';
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
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
        wait?: number | null;
      };
      header?: {
        /** @description Makes a retry safe for 24 hours. */
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
          /** @description Your own id of the person. */
          externalId?: string;
          /**
           * @description A JSON object, at most 4 kB.
           * @example {"branch": "Zenith"}
           */
          metadata?: string;
          /** @description Days after which the face is erased by itself. Left out: kept until it is deleted. */
          retentionDays?: number;
          /**
           * Format: binary
           * @description A picture of the person alone. JPEG, PNG or WebP, at most 15 MB and 50 megapixels; the type is told by the content.
           */
          image: Upload;
        };
      };
    };
    responses: {
      /** @description The face; `status` tells whether it is indexed. */
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
      /** @description Still processing; `Location` says where to ask again. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            face: components['schemas']['IndexedFace'];
          };
        };
      };
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A request with the same Idempotency-Key still runs. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A file has more than 15 MB or 50 megapixels. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A file is no JPEG, PNG or WebP, or the body is not multipart. */
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
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
        wait?: number | null;
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
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
      /** @description Erased: the receipt. */
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
      /** @description Gone for everyone and unreadable; `Location` says where the receipt is completed. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            erasure: components['schemas']['Erasure'];
          };
        };
      };
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The face is the selfie of a session: `details.sessionId` names the session to delete. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
        wait?: number | null;
      };
      header?: {
        /** @description Makes a retry safe for 24 hours. */
        'Idempotency-Key'?: string;
        /** @description Test keys only: decides the check instead of its engine. `approve`, `review`, `decline`, `fail`, or risk codes separated by commas. */
        'X-Sandbox-Result'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'multipart/form-data': {
          /**
           * @description ISO 3166-1 alpha-2 or alpha-3.
           * @example FI
           */
          country: string;
          /** @example 131052-308T */
          idNumber: string;
          firstName?: string;
          lastName?: string;
          /**
           * Format: date
           * @example 1952-10-13
           */
          dateOfBirth?: string;
          /** @enum {string} */
          sex?: 'F' | 'M';
          /** @description The session whose database step it is; without one the check stands alone. */
          sessionId?: string;
          /**
           * Format: binary
           * @description A photograph of the person. JPEG, PNG or WebP, at most 15 MB and 50 megapixels; the type is told by the content.
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
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            check: components['schemas']['DatabaseCheck'];
          };
        };
      };
      /** @description Still processing; `Location` says where to ask again. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            check: components['schemas']['DatabaseCheck'];
          };
        };
      };
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The session does not take this check now: it is decided, does not verify this, or has no attempts left. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A file has more than 15 MB or 50 megapixels. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A file is no JPEG, PNG or WebP, or the body is not multipart. */
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
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
      /** @description Newest first. */
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
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
        /** @description Makes a retry safe for 24 hours. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': {
          documentNumber?: string;
          /** @description Required with `documentNumber`, and with nothing else. */
          issuingState?: string;
          /** @description The document shown in this session, the latest one read. */
          sessionId?: string;
          /** @description The document read by this check. */
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
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description There is no such session or check. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The document is on the blocklist, or the session or check read no number with a state. */
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
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
      /** @description It is off the list. */
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
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
      /** @description The receipt; `status` tells whether it is complete. */
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
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
        /** @description One or more of processing, found, not_found, review, failed, separated by commas. */
        status?: string;
        /** @description The country that was asked for. */
        country?: string;
        /** @description Created at or after this date or time. */
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
      /** @description Checks, newest first; `total` counts all that fit the filters. */
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
           *                 "hits": []
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
           *                 "hits": []
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
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
        wait?: number | null;
      };
      header?: {
        /** @description Makes a retry safe for 24 hours. */
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
           * @description ISO 3166-1 alpha-2 or alpha-3.
           * @example GB
           */
          country?: string;
          /**
           * @description In the register of its country.
           * @example 01234567
           */
          registrationNumber?: string;
          /**
           * @description With or without the prefix of its state.
           * @example GB123456789
           */
          vatNumber?: string;
          /**
           * @description Legal entity identifier, ISO 17442.
           * @example 529900T8BM49AURSDO55
           */
          lei?: string;
        };
      };
    };
    responses: {
      /** @description The check with what was found. */
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
           *               "hits": []
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
           *               "hits": []
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
      /** @description Still processing; `Location` says where to ask again. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            check: components['schemas']['KybCheck'];
          };
        };
      };
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A request with the same Idempotency-Key still runs. */
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
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
        wait?: number | null;
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
           *               "hits": []
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
           *               "hits": []
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
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
      /** @description Erased: the receipt. */
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
      /** @description Gone for everyone and unreadable; `Location` says where the receipt is completed. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            erasure: components['schemas']['Erasure'];
          };
        };
      };
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
        wait?: number | null;
      };
      header?: {
        /** @description Makes a retry safe for 24 hours. */
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
          /** @description In any script and any order of its parts. */
          fullName: string;
          /**
           * @default any
           * @enum {string}
           */
          entityType?: 'person' | 'company' | 'vessel' | 'aircraft' | 'any';
          dateOfBirth?: string;
          nationality?: string;
          /** @description Of residence or registration. */
          country?: string;
          documentNumber?: string;
          /** @enum {string} */
          gender?: 'male' | 'female';
          /** @description Score from which an entry is a hit. Default 70. */
          threshold?: number;
          /** @description Codes of the lists to search; all that are loaded where it is missing. */
          lists?: string[];
          /** @description Screen the subject again whenever a list changes in what concerns it. */
          monitoring?: boolean;
        };
      };
    };
    responses: {
      /** @description The answer. */
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
            /** @description Whether a hit stands that no reviewer called a false positive. */
            match: boolean;
            /** @description Of the best such hit, 0–100. */
            score: number;
            hits: components['schemas']['AmlHit'][];
            screening: components['schemas']['AmlScreening'];
          };
        };
      };
      /** @description Asked for without waiting; `Location` says where the answer will be. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            screening: components['schemas']['AmlScreening'];
          };
        };
      };
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A request with the same Idempotency-Key still runs. */
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
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No list is loaded (`lists_unavailable`), or the answer took too long (`screening_unavailable`); see `Retry-After`. */
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
        wait?: number | null;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The answer. */
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
            /** @description Whether a hit stands that no reviewer called a false positive. */
            match: boolean;
            /** @description Of the best such hit, 0–100. */
            score: number;
            hits: components['schemas']['AmlHit'][];
            screening: components['schemas']['AmlScreening'];
          };
        };
      };
      /** @description Still being answered, or it could not be: see `screening.status`. */
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
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
      /** @description Erased: the receipt. */
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
      /** @description Gone for everyone and unreadable; `Location` says where the receipt is completed. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            erasure: components['schemas']['Erasure'];
          };
        };
      };
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
      /** @description The hit, and the screening or the check of the session judged anew. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            hit: components['schemas']['AmlHit'];
            match: boolean;
            score: number;
          };
        };
      };
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
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
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
      /** @description The lists, loaded or not. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            lists: components['schemas']['AmlList'][];
          };
        };
      };
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
      /** @description Versions, newest first, and entries. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            versions: components['schemas']['AmlListVersion'][];
            version: string | null;
            /** @description Monitored subjects of yours that the version had screened again. */
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
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
      /** @description Newest first. */
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
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
      /** @description Ended. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "id": "mon_01JQZ7B1C3D5E7F9G1H3J5K7M9"
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            id: string;
          };
        };
      };
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
        wait?: number | null;
      };
      header?: {
        /** @description Makes a retry safe for 24 hours. */
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
      /** @description Read: the report; `status` is `active` or `failed`. */
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
      /** @description Still being read; `Location` says where to ask again. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            register: components['schemas']['Register'];
          };
        };
      };
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A request with the same Idempotency-Key still runs. */
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
      /** @description The body is not multipart, or the file is no CSV. */
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
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
        /** @description `active`: the version that look-ups read. `superseded`: an older one, whose rows are gone. */
        status?: 'importing' | 'active' | 'superseded' | 'failed';
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Versions, newest first; `total` counts all that fit the filters. */
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
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
        wait?: number | null;
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
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
      /** @description Erased: the receipt. */
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
      /** @description Gone for everyone and unreadable; `Location` says where the receipt is completed. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            erasure: components['schemas']['Erasure'];
          };
        };
      };
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
          /**
           * @description Whose records the session sees: live or test ones.
           * @default live
           * @enum {string}
           */
          mode?: 'live' | 'test';
        };
      };
    };
    responses: {
      /** @description The session has begun; its cookie is in `Set-Cookie`. */
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
           *         "role": "admin"
           *       },
           *       "mode": "live",
           *       "permissions": [
           *         "sessions:read",
           *         "sessions:decide"
           *       ],
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
              role: string;
            };
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
              | 'keys:read'
              | 'keys:write'
            )[];
            /** @description Send it as X-CSRF-Token with every request but GET. */
            csrfToken: string;
            /** Format: date-time */
            expiresAt: string;
          };
        };
      };
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credentials are invalid or the account is locked. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The request does not come from an allowed origin, or the role has no access. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
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
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
      /** @description The credential, its organisation, mode and permissions. */
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
           *         "role": "admin"
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
           *       "csrfToken": "f1d2…"
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            user: {
              id: string;
              name: string;
              email: string;
              role: string;
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
              | 'keys:read'
              | 'keys:write'
            )[];
            /** @description Send it as X-CSRF-Token with every request but GET. */
            csrfToken: string | null;
          };
        };
      };
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
        /** @description A preview instead of the file as it was sent. */
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
      /** @description A link that works for 5 minutes. */
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
             * @description Opens the file without a credential until then, whole, as an attachment. Each look is audited.
             */
            url: string;
            /** Format: date-time */
            expiresAt: string;
          };
        };
      };
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description `preview_not_available`: the file is no picture. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description `evidence_missing`, `evidence_altered`: of a preview, the file was lost or changed in the object store. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description `rendering_not_ready` or `rendering_failed`: ask again after Retry-After seconds. */
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
        /** @description A preview instead of the file as it was sent. */
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
      /** @description A link that works for 5 minutes. */
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
             * @description Opens the file without a credential until then, whole, as an attachment. Each look is audited.
             */
            url: string;
            /** Format: date-time */
            expiresAt: string;
          };
        };
      };
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description `preview_not_available`: the file is no picture. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description `evidence_missing`, `evidence_altered`: of a preview, the file was lost or changed in the object store. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description `rendering_not_ready` or `rendering_failed`: ask again after Retry-After seconds. */
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
      /** @description A link that works for 5 minutes. */
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
             * @description Opens the file without a credential until then, whole, as an attachment. Each look is audited.
             */
            url: string;
            /** Format: date-time */
            expiresAt: string;
          };
        };
      };
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description `session_changed`: it changes while it is printed; try again. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description `rendering_not_ready` or `rendering_failed`: ask again after Retry-After seconds. */
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
        /** @description Makes a retry safe for 24 hours. */
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
          /** @description Who may take it up: an organisation (`org_…`) of this installation, or the issuer (its address) of another one. Default: any organisation of this installation. */
          audience?: string;
          /** @default 3600 */
          ttlSeconds?: number;
          /**
           * @description What goes along besides the results.
           * @default []
           */
          include?: ('images' | 'contact')[];
          /** @description What the person agreed to, in the words they were shown. */
          consentText: string;
          /**
           * @description Also as a file for another installation.
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
            /** @description An ES256 JWT that holds iss, aud, jti and exp alone. */
            shareToken: string;
            shareId: string;
            audience: string;
            include: ('images' | 'contact')[];
            /** Format: date-time */
            expiresAt: string;
            /** @description Link to the file for another installation; null unless asked for. */
            bundle: {
              /** Format: uri */
              url: string;
              /** Format: date-time */
              expiresAt: string;
            } | null;
          };
        };
      };
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description `session_not_finished`: only approved, declined and lapsed sessions can be shared; or an Idempotency-Key in use. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description `evidence_missing`, `evidence_altered`: of a bundle, a file was lost or changed in the object store. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description `bundle_too_large`: a bundle holds at most 15 MB. */
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
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
        /** @description Makes a retry safe for 24 hours. */
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
          /** @description The template whose settings the session goes by here; the default one without. */
          workflowId?: string;
        };
      };
    };
    responses: {
      /** @description The session: in review, or approved where an approval was trusted. */
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
           *             "image_blurred"
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
           *         "imported": null,
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
           *             "code": "image_blurred",
           *             "severity": "medium",
           *             "action": "review",
           *             "feature": "id",
           *             "message": "The image is blurred."
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
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
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
      /** @description No such record for this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description `share_used`: a share is taken up once; `session_not_finished`: it was reopened since; or an Idempotency-Key in use. */
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
      /** @description The Idempotency-Key was used with another body. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
        /** @description Makes a retry safe for 24 hours. */
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
          /** @description The template whose settings the session goes by here; the default one without. */
          workflowId?: string;
          /**
           * Format: binary
           * @description The file a share with `bundle` linked to, at most 15 MB.
           */
          bundle: Upload;
        };
      };
    };
    responses: {
      /** @description The session: in review, or approved where an approval was trusted. */
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
           *             "image_blurred"
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
           *         "imported": null,
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
           *             "code": "image_blurred",
           *             "severity": "medium",
           *             "action": "review",
           *             "feature": "id",
           *             "message": "The image is blurred."
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
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
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
      /** @description No such record for this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description `share_used`: a share is taken up once; `session_not_finished`: it was reopened since; or an Idempotency-Key in use. */
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
      /** @description The body is not multipart, or a file is of no accepted type. */
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
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
            share: components['schemas']['Share'];
          };
        };
      };
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description `share_used`: it was taken up before. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
      /** @description Keys, newest first. */
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
                | 'keys:read'
                | 'keys:write'
              )[];
              /** @description CIDRs; empty allows any address. */
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
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
        /** @description Makes a retry safe for 24 hours. */
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
            | 'keys:read'
            | 'keys:write'
          )[];
          /** @description IP addresses or CIDRs. */
          allowedIps?: string[];
          /** Format: date-time */
          expiresAt?: string;
        };
      };
    };
    responses: {
      /** @description The key and, this once, its secret; null with `secretAlreadyShown` on an idempotent repeat. */
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
                | 'keys:read'
                | 'keys:write'
              )[];
              /** @description CIDRs; empty allows any address. */
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
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A request with the same Idempotency-Key still runs. */
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
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
                | 'keys:read'
                | 'keys:write'
              )[];
              /** @description CIDRs; empty allows any address. */
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
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
        /** @description Position to begin at. */
        from?: number;
        /** @description Most rows looked at. */
        limit?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Whether the rows looked at are whole, and how far they reach. */
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
           *       "signedUpTo": 4600,
           *       "signedAt": "2026-11-21T00:00:12.000Z",
           *       "nextFrom": null
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            /** @description Of the rows looked at. */
            valid: boolean;
            from: number;
            /** @description The last position proven. */
            sealed: number;
            /** @description Rows written and not yet chained. */
            unsealed: number;
            /** @description Position of the first row that does not fit. */
            brokenAt: number | null;
            /** @description The last position whose hash was signed. */
            signedUpTo: number | null;
            /** @description Where to go on; null once the end was reached or a row does not fit. */
            nextFrom: number | null;
            /** Format: date-time */
            signedAt: string | null;
          };
        };
      };
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
        /** @description At this time or later. */
        from?: string;
        /** @description Before this time. */
        to?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Entries, newest first; `total` counts all that fit the filters. */
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
           *           "action": "session.decided",
           *           "subject": "ses_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *           "fields": [
           *             "status",
           *             "decision"
           *           ],
           *           "reason": null,
           *           "requestId": "req_01JQZ4R8W3M6N9P2T5V8X1Y4Z7",
           *           "position": 4711,
           *           "hash": "b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c"
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
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
      /** @description Webhooks of the mode of the key, newest first. */
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
               * @description `gone`: the receiver answered 410; `failing`: five days of nothing but failures.
               * @enum {string|null}
               */
              disabledReason: 'gone' | 'failing' | null;
              /** Format: date-time */
              disabledAt: string | null;
              /**
               * Format: date-time
               * @description Until then earlier secrets sign beside the current one; null when none does.
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
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
        /** @description Makes a retry safe for 24 hours. */
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
          /** @description Where events are posted. https only; no user name or password; an address of the public internet. */
          url: string;
          /** @description Event kinds; `*` subscribes to all. */
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
            | 'webhook.test'
          )[];
          /** @default null */
          description?: string | null;
        };
      };
    };
    responses: {
      /** @description The webhook and, this once, its secret; null with `secretAlreadyShown` on an idempotent repeat. */
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
               * @description `gone`: the receiver answered 410; `failing`: five days of nothing but failures.
               * @enum {string|null}
               */
              disabledReason: 'gone' | 'failing' | null;
              /** Format: date-time */
              disabledAt: string | null;
              /**
               * Format: date-time
               * @description Until then earlier secrets sign beside the current one; null when none does.
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
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description There are 50 webhooks already, or the first request with this Idempotency-Key still runs. */
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
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
      /** @description What was deleted. */
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
           *         "deleted": true
           *       }
           *     }
           */
          'application/json': {
            /** @enum {boolean} */
            ok: true;
            webhook: {
              id: string;
              /** @enum {boolean} */
              deleted: true;
            };
          };
        };
      };
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
      /** @description The delivery, which has begun; its attempts appear in the list of deliveries. */
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
              /** @description The `webhook-id` header, the same on every attempt. */
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
                | 'webhook.test';
              /** @enum {string} */
              status: 'pending' | 'succeeded' | 'failed' | 'cancelled';
              /** @description Why it ended without success, such as `attempts_exhausted`. */
              reason: string | null;
              attempts: {
                number: number;
                /** Format: date-time */
                at: string;
                durationMs: number;
                /** @description HTTP status; null when no answer came. */
                status: number | null;
                /** @description Why no answer came, such as `timeout` or `dns_failed`. */
                error: string | null;
                /** @description The first kilobyte of the answer. */
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
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
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
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
        status?: 'pending' | 'succeeded' | 'failed' | 'cancelled';
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Deliveries, newest first. */
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
              /** @description The `webhook-id` header, the same on every attempt. */
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
                | 'webhook.test';
              /** @enum {string} */
              status: 'pending' | 'succeeded' | 'failed' | 'cancelled';
              /** @description Why it ended without success, such as `attempts_exhausted`. */
              reason: string | null;
              attempts: {
                number: number;
                /** Format: date-time */
                at: string;
                durationMs: number;
                /** @description HTTP status; null when no answer came. */
                status: number | null;
                /** @description Why no answer came, such as `timeout` or `dns_failed`. */
                error: string | null;
                /** @description The first kilobyte of the answer. */
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
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
        /** @description Makes a retry safe for 24 hours. */
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
           * @description How long the old secret still signs, at most a week; a day if left out.
           * @default 86400
           */
          overlapSeconds?: number;
        };
      };
    };
    responses: {
      /** @description The webhook and, this once, its new secret; null with `secretAlreadyShown` on a repeat. */
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
               * @description `gone`: the receiver answered 410; `failing`: five days of nothing but failures.
               * @enum {string|null}
               */
              disabledReason: 'gone' | 'failing' | null;
              /** Format: date-time */
              disabledAt: string | null;
              /**
               * Format: date-time
               * @description Until then earlier secrets sign beside the current one; null when none does.
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
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Five secrets are in force already, or the first request with this Idempotency-Key still runs. */
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
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
           * @description Events that happened at this time or later.
           */
          since: string;
          /**
           * Format: date-time
           * @description And no later than this; now if left out.
           */
          until?: string;
        };
      };
    };
    responses: {
      /** @description The recovery has begun; its deliveries appear in the list of deliveries. */
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
               * @description `gone`: the receiver answered 410; `failing`: five days of nothing but failures.
               * @enum {string|null}
               */
              disabledReason: 'gone' | 'failing' | null;
              /** Format: date-time */
              disabledAt: string | null;
              /**
               * Format: date-time
               * @description Until then earlier secrets sign beside the current one; null when none does.
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
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
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
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
      /** @description The new delivery, which has begun. */
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
              /** @description The `webhook-id` header, the same on every attempt. */
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
                | 'webhook.test';
              /** @enum {string} */
              status: 'pending' | 'succeeded' | 'failed' | 'cancelled';
              /** @description Why it ended without success, such as `attempts_exhausted`. */
              reason: string | null;
              attempts: {
                number: number;
                /** Format: date-time */
                at: string;
                durationMs: number;
                /** @description HTTP status; null when no answer came. */
                status: number | null;
                /** @description Why no answer came, such as `timeout` or `dns_failed`. */
                error: string | null;
                /** @description The first kilobyte of the answer. */
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
      /** @description The request is not valid; every wrong field is named. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No valid credential. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The credential lacks the permission. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description No such record for this credential. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description The delivery is under way, the webhook is disabled, or what the event was about has been erased. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Rate limit exceeded; Retry-After says for how long. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description Our fault; the request id finds it in the logs. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IdentityError'];
        };
      };
      /** @description A store does not answer; try again. */
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
}
