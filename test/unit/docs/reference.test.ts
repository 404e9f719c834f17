import { findCoverage, listGaps } from '../../../scripts/docs/coverage';
import { COVERAGE_PAGE, renderCoveragePage } from '../../../scripts/docs/coverage-page';
import { listConfigurationVariables } from '../../../scripts/docs/configuration-page';
import { listErrorCodes, listStates, listWorkerCodes } from '../../../scripts/docs/facts';
import { buildReferencePages } from '../../../scripts/docs/pages';
import { formatRoute } from '../../../scripts/docs/operation-tests';
import { readOperations, readProjectFile } from '../../../scripts/docs/repository';
import { CONFIGURATION } from '../../../scripts/docs/texts/configuration';
import { ERROR_CODES, WORKER_CODES } from '../../../scripts/docs/texts/error-codes';
import { STATES } from '../../../scripts/docs/texts/states';

const coverage = findCoverage();

describe('coverage', () => {
  test('knows every operation of both APIs', () => {
    const operations = [...readOperations('identity'), ...readOperations('business')];
    expect(operations.length).toBeGreaterThan(150);
    expect([...coverage.operations.keys()]).toEqual(operations.map(formatRoute));
  });

  test('every operation, permission, event, state, risk and error code has a test that names it', () => {
    expect(listGaps(coverage)).toEqual([]);
  });

  test.each([
    ['POST /v1/sessions', 'test/api/identity/sessions/sessions.test.ts'],
    ['POST /api/invoices', 'test/api/business/invoices/invoices.test.ts'],
    // Its path is composed by a function of the test.
    ['POST /v1/webhooks/:id/deliveries/:deliveryId/resend', 'test/api/platform/webhooks/recovery.test.ts'],
    // Its path comes from a constant.
    ['POST /api/crm/leads/:id/convert', 'test/api/business/crm/crm.test.ts'],
  ])('finds the test that requests %s', (route, file) => {
    expect(coverage.operations.get(route)).toContain(file);
  });

  test('finds states and codes in the sources', () => {
    expect(listStates()).toEqual(expect.arrayContaining(['session.approved', 'invoice.draft', 'export.failed']));
    expect(listErrorCodes()).toContainEqual({ code: 'period_locked', statuses: [409], apis: ['business'] });
    expect(listErrorCodes()).toContainEqual({ code: 'not_found', statuses: [404], apis: ['business', 'identity'] });
  });
});

describe('texts of the reference', () => {
  test.each([
    ['states', STATES, listStates()],
    ['error codes', ERROR_CODES, listErrorCodes().map(({ code }) => code)],
    ['worker codes', WORKER_CODES, listWorkerCodes()],
    ['variables', Object.assign({}, ...Object.values(CONFIGURATION)), listConfigurationVariables()],
  ])('there is one for each of the %s, and no other', (_what, texts: object, names) => {
    expect(Object.keys(texts).sort()).toEqual([...names].sort());
  });
});

test.each([...buildReferencePages(), [COVERAGE_PAGE, renderCoveragePage(coverage)] as const])(
  '%s is current (npm run build -- --openapi writes it)',
  (file, text) => {
    expect(readProjectFile(file)).toBe(text);
  },
);
