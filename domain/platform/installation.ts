/**
 * Stands for the installation where an organisation is expected: owner of what belongs to no organisation, such as public
 * watch lists, the golden copy of GLEIF and failed logins of unknown addresses. Stored in audit rows, object keys, counters
 * and workflow ids, so it must not change.
 */
export const INSTALLATION = 'installation';
