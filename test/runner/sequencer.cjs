/** Seconds that the longest test files took in a run of everything on two cores. */
const SECONDS = {
  'api/identity/documents/document-risks': 150,
  'api/identity/registers/golden-copy': 118,
  'api/business/invariants/invariants': 74,
  'api/business/messages/sending': 26,
  'api/business/messages/reminders': 20,
  'chaos/messages': 25,
  'api/identity/sessions/concurrency': 70,
  'chaos/backup': 75,
  'chaos/replaced-data': 40,
  'api/platform/every-route': 53,
  'api/business/exports/contents': 45,
  'api/business/exports/exports': 21,
  'api/business/access/access': 49,
  'api/business/invoices/concurrency': 48,
  'api/identity/checks/fairness': 47,
  'api/identity/kyb/kyb': 46,
  'web/capture': 45,
  'api/identity/biometrics/face-search': 43,
  'api/identity/aml/session-screening': 43,
  'api/business/invoices/far-pages': 42,
  'api/identity/sessions/session-flow': 39,
  'api/identity/documents/proof-of-address': 37,
  'e2e/containers': 40,
  'unit/deploy/compose': 25,
  'api/platform/migrations': 35,
  'e2e/start': 60,
  'e2e/shutdown': 35,
  'api/identity/aml/refresh': 33,
  'api/platform/browser-session': 32,
  'api/platform/browser-session-end': 24,
  'web/business': 90,
  'web/session-page': 50,
  'web/forms': 48,
  'web/finance': 44,
  'web/administration': 44,
  'web/orders': 38,
  'web/verification-records': 20,
  'web/console': 20,
  'web/capture-interruptions': 20,
  'web/shared-records': 18,
  'chaos/business-year': 70,
  'chaos/faults': 60,
  'chaos/rolling-upgrade': 52,
  'chaos/exports': 35,
  'chaos/face-search': 30,
  'api/business/parties/tax-id-verifications': 18,
  'api/business/purchasing/voided-bills': 34,
  'api/business/purchasing/voided-purchases': 33,
  'web/editors': 72,
  'web/purchases-and-payments': 23,
  'api/identity/kyb/screening': 31,
  'api/identity/capture/capture': 30,
  'api/identity/documents/documents': 30,
  'api/identity/documents/licence-numbers': 20,
  'e2e/client': 29,
  'web/verification': 45,
  'api/platform/every-role': 28,
  'api/platform/admin-commands': 25,
  'e2e/demonstration': 27,
  'components/vision/engine': 59,
  'components/vision/poa': 37,
  'components/vision/licences': 20,
  'components/business/documents/einvoice/published': 14,
  'components/business/documents/facturx': 11,
  'unit/deploy/monitoring': 25,
  'components/business/documents/renderer': 12,
  'components/business/documents/printed-page': 12,
  'components/vision/decoder-pool': 12,
  'replay/histories': 12,
  'unit/deploy/chart': 11,
  'unit/api/openapi': 10,
  'unit/business/time-zones': 10,
  'unit/business/exports/encoders': 11,
  'unit/toolchain/lingering': 10,
};

/** Files not listed take less than those; a larger file takes longer. */
const BYTES_PER_SECOND = 2000;

const estimate = ({ path, context }) => {
  const name = path
    .slice(context.config.rootDir.length)
    .replace(/^.*?test[/\\]/, '')
    .replace(/\.test\.ts$/, '');
  return SECONDS[name] ?? Math.min(9, context.hasteFS.getSize(path) / BYTES_PER_SECOND);
};

/**
 * Starts the longest test files first, so that none runs alone at the end. jest knows durations only from earlier runs in
 * the same clone.
 */
class LongestFirst {
  sort(tests) {
    return [...tests].sort((one, other) => estimate(other) - estimate(one));
  }

  cacheResults() {}
}

module.exports = LongestFirst;
