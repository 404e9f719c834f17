import { IDENTITY_PERMISSIONS } from '../../domain/identity/access/permissions';
import { IDENTITY_ROLES, listIdentityRolePermissions } from '../../domain/identity/access/roles';
import { RISK_CATALOGUE_VERSION, RISK_CODES, RISKS } from '../../domain/identity/checks/risks';
import { RULE_FIELDS } from '../../domain/identity/sessions/rules/fields';
import { listAllowedTransitions, SESSION_STATUSES } from '../../domain/identity/sessions/session';
import { listRolePermissions, PERMISSIONS, ROLES } from '../../domain/business/access/permissions';
import type { Permission } from '../../domain/business/access/permissions';
import { EVENT_TYPES } from '../../domain/platform/webhooks/event-types';
import { EVENT_DOCS } from '../../api/platform/webhooks/event-docs';
import { renderConfigurationPage } from './configuration-page';
import { renderMetricsPage } from './metrics-page';
import { isIdentityEvent, listErrorCodes, listStates, listWorkerCodes } from './facts';
import { code, listCodes, renderPage, renderTable } from './markdown';
import { readOperations } from './repository';
import type { ApiName, Operation } from './repository';
import { ERROR_CODES, WORKER_CODES } from './texts/error-codes';
import { RISK_CONDITIONS } from './texts/risks';
import { STATES } from './texts/states';

const groupBy = <T>(items: readonly T[], getKey: (item: T) => string): Map<string, T[]> => {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(getKey(item), [...(groups.get(getKey(item)) ?? []), item]);
  return groups;
};

const renderOperations = (operations: readonly Operation[]): string =>
  renderTable(
    ['operation', 'route', 'what it does', 'permission'],
    operations.map(({ operationId, method, path, summary, permission }) => [
      code(operationId),
      code(`${method} ${path}`),
      summary,
      permission === null ? 'none' : code(permission),
    ]),
  );

const OPERATIONS_INTRODUCTION =
  'Every field, schema and example is in the OpenAPI documents `openapi/identity.json` and `openapi/business.json`, shown at `/docs` of a running service. Which test calls each operation: [test/COVERAGE.md](../../test/COVERAGE.md).';

function renderOperationsPage(api: ApiName, title: string): string {
  const groups = groupBy(readOperations(api), ({ tag }) => tag);
  const sections = [...groups].map(([tag, operations]) => `## ${tag}\n\n${renderOperations(operations)}`);
  return renderPage(title, OPERATIONS_INTRODUCTION, ...sections);
}

/** What a permission is required for in addition to that of the operation. */
const ADDITIONAL_USES: Readonly<Partial<Record<Permission, string>>> = {
  'inventory:adjust': `${listCodes(['createProduct', 'createProducts'])} with ${code('initialStock')}; ${listCodes(['listSalesOrders', 'getSalesOrder'])} instead of ${code('invoices:read')}`,
  'payables:create': `${code('createVendorReturn')} with a ${code('unitCost')} that is neither that of the receipt nor that of its bill`,
};

function renderPermissionsPage(): string {
  const opened = groupBy(
    [...readOperations('identity'), ...readOperations('business')],
    ({ api, permission }) => `${api} ${permission ?? ''}`,
  );
  const listOpened = (api: ApiName, permission: string): string =>
    listCodes((opened.get(`${api} ${permission}`) ?? []).map(({ operationId }) => operationId));
  const identity = IDENTITY_PERMISSIONS.map((permission) => [
    code(permission),
    permission === 'sessions:trust-import'
      ? `${listCodes(['importSession', 'importSessionBundle'])} with ${code('trustReview')}`
      : listOpened('identity', permission),
    listCodes(IDENTITY_ROLES.filter((role) => listIdentityRolePermissions(role).includes(permission))),
  ]);
  const business = PERMISSIONS.map((permission) => [
    code(permission),
    [listOpened('business', permission), ADDITIONAL_USES[permission]].filter((text) => text !== undefined).join('; '),
    listCodes(ROLES.filter((role) => listRolePermissions(role).includes(permission))),
  ]);
  const head = ['permission', 'operations', 'roles'];
  return renderPage(
    'Permissions',
    'A permission is `resource:action`. API keys have the permissions that they were created with; users have those of their role. `test/api/platform/every-route.test.ts` calls each operation with a key that has every permission except the required one, or those of which one is, and expects 403.',
    `## Identity verification\n\n${renderTable(head, identity)}`,
    `## Business management\n\n${renderTable(head, business)}`,
  );
}

function renderEventsPage(): string {
  const describe = (type: (typeof EVENT_TYPES)[number]): string => {
    const { summary, example: data } = EVENT_DOCS[type];
    const body = JSON.stringify({ type, mode: 'live', timestamp: '2026-11-21T10:00:05.000Z', data }, null, 2);
    return `### ${code(type)}\n\n${summary}\n\n\`\`\`json\n${body}\n\`\`\``;
  };
  const identity = EVENT_TYPES.filter(isIdentityEvent);
  const business = EVENT_TYPES.filter((type) => !isIdentityEvent(type));
  return renderPage(
    'Events',
    'A webhook receives each event that it subscribes to; `*` subscribes to all events, also to those added later. The body has ids, numbers, statuses and codes, never personal data: the receiver reads the record with its own credential. Headers, signature and retries: [webhooks](../explanation/security.md#webhooks).',
    `## Identity verification\n\n${identity.map(describe).join('\n\n')}`,
    `## Business management\n\nBusiness events are always emitted in mode live.\n\n${business.map(describe).join('\n\n')}`,
  );
}

const renderRisksPage = (): string =>
  renderPage(
    'Risk codes',
    `Catalogue version ${RISK_CATALOGUE_VERSION}. The action is the default: a threshold may soften it, such as \`face_mismatch\` between the thresholds of review and match, and the [session workflow](../explanation/session-workflows.md) has the last word. "Retry" means that a better capture may cure the risk: a step whose declining risks are all curable asks for another attempt.`,
    renderTable(
      ['code', 'source', 'severity', 'action', 'retry', 'raised when'],
      RISK_CODES.map((risk) => {
        const { source, severity, action, retryable } = RISKS[risk];
        return [code(risk), source, severity, action, retryable ? 'yes' : 'no', RISK_CONDITIONS[risk]];
      }),
    ),
  );

function renderStatesPage(): string {
  const groups = groupBy(listStates(), (state) => state.split('.')[0] ?? '');
  const sections = [...groups].map(([record, states]) => {
    const rows = states.map((state) => [code(state.split('.')[1] ?? ''), STATES[state] ?? '']);
    return `## ${record}\n\n${renderTable(['state', 'meaning'], rows)}`;
  });
  const transitions = renderTable(
    ['from', 'to', 'with `override`'],
    SESSION_STATUSES.map((from) => {
      const allowed = listAllowedTransitions(from);
      const overrides = listAllowedTransitions(from, { override: true }).filter((to) => !allowed.includes(to));
      return [code(from), listCodes(allowed), listCodes(overrides)];
    }),
  );
  return renderPage(
    'States',
    'States of records that have a life cycle.',
    ...sections,
    `## Session transitions\n\n${transitions}`,
  );
}

function renderErrorCodesPage(): string {
  const rows = listErrorCodes().map(({ code: name, statuses, apis }) => [
    code(name),
    statuses.join(', '),
    apis.map((api) => (api === 'identity' ? '`/v1`' : '`/api`')).join(', '),
    ERROR_CODES[name] ?? '',
  ]);
  const failures = listWorkerCodes().map((name) => [code(name), WORKER_CODES[name] ?? '']);
  return renderPage(
    'Error codes',
    'Codes are stable; messages may change. In `/v1` a failure is `{ok: false, error: {code, message, details, requestId}}`, in `/api` it is `{ok: false, message, errors, code, details, requestId}`. `details.fields` lists each wrong field with its `problem`; one that many fields have also has a `code`, such as `required` or `too_long`, and the values of its text in `params`, from which a client can write it in another language.',
    renderTable(['code', 'status', 'API', 'returned when'], rows),
    `## Failure codes of workers\n\nThese codes appear as the failure of a check, of a watch list or of a rendition, and in logs.\n\n${renderTable(['code', 'meaning'], failures)}`,
  );
}

const renderRuleFieldsPage = (): string =>
  renderPage(
    'Rule fields',
    'Fields that the conditions of [session workflow rules](../explanation/session-workflows.md#rules) may name.',
    renderTable(
      ['field', 'type', 'meaning'],
      Object.entries(RULE_FIELDS).map(([name, { type, description }]) => [code(name), type, description]),
    ),
  );

/** Text of every generated page, by its path from the project root. */
export function buildReferencePages(): Map<string, string> {
  const pages: Record<string, string> = {
    'identity-api': renderOperationsPage('identity', 'Identity verification API'),
    'business-api': renderOperationsPage('business', 'Business management API'),
    permissions: renderPermissionsPage(),
    events: renderEventsPage(),
    'risk-codes': renderRisksPage(),
    'rule-fields': renderRuleFieldsPage(),
    states: renderStatesPage(),
    'error-codes': renderErrorCodesPage(),
    configuration: renderConfigurationPage(),
    metrics: renderMetricsPage(),
  };
  return new Map(Object.entries(pages).map(([name, text]) => [`docs/reference/${name}.md`, text]));
}
