/**
 * `npm run year`: generates a year of business of 10,000 documents on a stack of its own and compares what the service
 * says with what its answers add up to. VOUCH_YEAR_DOCUMENTS and VOUCH_YEAR_SEED choose another year.
 */
process.env['VOUCH_YEAR_DOCUMENTS'] ??= '10000';
process.argv.push('test/chaos/business-year');
await import('./test.mjs');
