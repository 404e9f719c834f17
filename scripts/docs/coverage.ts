import { PERMISSIONS } from '../../domain/business/access/permissions';
import { IDENTITY_PERMISSIONS, isIdentityPermission } from '../../domain/identity/access/permissions';
import { RISK_CODES } from '../../domain/identity/checks/risks';
import type { RiskCode } from '../../domain/identity/checks/risks';
import { EVENT_TYPES } from '../../domain/platform/webhooks/event-types';
import { listErrorCodes, listStates, listWorkerCodes } from './facts';
import { TestIndex } from './named-tests';
import { findOperationTests } from './operation-tests';
import { readOperations, readProjectFile } from './repository';
import type { Operation } from './repository';

const EVERY_ROUTE = 'test/api/platform/every-route.test.ts';
const ROLES_TABLE = 'test/unit/business/access/permissions.test.ts';
const DOCUMENT_RISKS = 'test/api/identity/documents/document-risks.test.ts';

/** Folders of the tests in which a state of a record is expected. */
const STATE_TESTS: Readonly<Record<string, readonly string[]>> = {
  session: ['test/api/identity/sessions/', 'test/workflows/identity/'],
  check: ['test/api/identity/', 'test/chaos/'],
  kyb: ['test/api/identity/kyb/'],
  erasure: ['test/api/identity/erasure/', 'test/chaos/erasure', 'test/chaos/stopped-worker'],
  aml_review: ['test/api/identity/aml/'],
  register: ['test/api/identity/registers/'],
  bank_transaction: ['test/api/business/banking/'],
  invoice: ['test/api/business/'],
  order: ['test/api/business/purchasing/'],
  sales_order: ['test/api/business/orders/'],
  item: ['test/api/business/payments/', 'test/api/business/purchasing/', 'test/api/business/exports/'],
  export: ['test/api/business/exports/', 'test/chaos/exports'],
  message: ['test/api/business/messages/', 'test/chaos/messages'],
  tax_id_verification: ['test/api/business/parties/'],
  lead: ['test/api/business/crm/'],
  opportunity: ['test/api/business/crm/', 'test/unit/business/crm/'],
};

/** The tests that name each operation, permission, event, state, risk and error code. */
export interface Coverage {
  operations: ReadonlyMap<string, readonly string[]>;
  permissions: ReadonlyMap<string, readonly string[]>;
  events: ReadonlyMap<string, readonly string[]>;
  states: ReadonlyMap<string, readonly string[]>;
  risks: ReadonlyMap<string, readonly string[]>;
  errorCodes: ReadonlyMap<string, readonly string[]>;
}

/** Specimens are keyed by the risk that they raise; one test sends each of them. */
function listSpecimenRisks(): Set<string> {
  const [, table = ''] = readProjectFile('test/support/identity/risk-specimens.ts').split('RISK_SPECIMENS = {');
  return new Set([...table.matchAll(/^ {2}(\w+): \{/gm)].map(([, code = '']) => code));
}

function findRiskTests(index: TestIndex, specimens: ReadonlySet<string>, code: RiskCode): string[] {
  const naming = index.findNaming(code, ['test/api/', 'test/components/vision/', 'test/workflows/']);
  return specimens.has(code) ? [DOCUMENT_RISKS, ...naming.filter((file) => file !== DOCUMENT_RISKS)] : naming;
}

function findPermissionTests(index: TestIndex, permission: string, operations: readonly Operation[]): string[] {
  const identity = isIdentityPermission(permission);
  const walked = operations.some((operation) => operation.permission === permission);
  const naming = index.findNaming(permission, [identity ? 'test/api/' : 'test/api/business/']);
  return [...new Set([...(walked ? [EVERY_ROUTE] : []), ...(identity ? [] : [ROLES_TABLE]), ...naming])];
}

function findStateTests(index: TestIndex, state: string): string[] {
  const [record = '', value = ''] = state.split('.');
  return index.findNaming(value, STATE_TESTS[record] ?? []);
}

const mapNames = <T extends string>(names: Iterable<T>, find: (name: T) => string[]): Map<string, string[]> =>
  new Map([...names].map((name) => [name, find(name)]));

/** Reads all sources and tests to find which test files name what; the content of `test/COVERAGE.md`. */
export function findCoverage(): Coverage {
  const index = new TestIndex();
  const specimens = listSpecimenRisks();
  const operations = [...readOperations('identity'), ...readOperations('business')];
  const codes = new Set([...listErrorCodes().map(({ code }) => code), ...listWorkerCodes()]);
  return {
    operations: findOperationTests(),
    permissions: mapNames([...IDENTITY_PERMISSIONS, ...PERMISSIONS], (name) =>
      findPermissionTests(index, name, operations),
    ),
    events: mapNames(EVENT_TYPES, (type) => index.findNaming(type, ['test/api/', 'test/chaos/', 'test/workflows/'])),
    states: mapNames(listStates(), (state) => findStateTests(index, state)),
    risks: mapNames(RISK_CODES, (code) => findRiskTests(index, specimens, code)),
    errorCodes: mapNames([...codes].sort(), (code) => index.findNaming(code)),
  };
}

/** Names without a test. */
export const listGaps = (coverage: Coverage): string[] =>
  Object.values(coverage).flatMap((tests: ReadonlyMap<string, readonly string[]>) =>
    [...tests].filter(([, files]) => files.length === 0).map(([name]) => name),
  );
