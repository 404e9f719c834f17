import { findCoverage, listGaps } from './coverage';
import type { Coverage } from './coverage';
import { code, renderPage, renderTable } from './markdown';

export const COVERAGE_PAGE = 'test/COVERAGE.md';

const TITLES: Readonly<Record<keyof Coverage, string>> = {
  operations: 'Operations',
  permissions: 'Permissions',
  events: 'Events',
  states: 'States',
  risks: 'Risk codes',
  errorCodes: 'Error codes',
};

const formatTest = (file: string): string => code(file.replace(/^test\/|\.test\.ts$/g, ''));

const renderTests = (tests: ReadonlyMap<string, readonly string[]>): string =>
  renderTable(
    ['name', 'tests'],
    [...tests].map(([name, files]) => [code(name), files.map(formatTest).join(', ')]),
  );

/** The page that names the tests of each operation, permission, event, state, risk and error code. */
export function renderCoveragePage(coverage: Coverage = findCoverage()): string {
  const gaps = listGaps(coverage);
  const sections = (Object.keys(TITLES) as (keyof Coverage)[]).map(
    (kind) => `## ${TITLES[kind]}\n\n${renderTests(coverage[kind])}`,
  );
  return renderPage(
    'What the tests cover',
    'Operations: tests that request the route. Permissions, events, states and codes: tests that name them. In addition `test/api/platform/every-route.test.ts` calls every route without a credential, without its permission and for records of other organisations, and `npm test -- fuzz` calls it with generated input. Where the requests of a test are composed in a way that cannot be read from its text, a comment `Covers operations: …` names them.',
    ...(gaps.length === 0 ? [] : [`Without a test that names them: ${gaps.map(code).join(', ')}.`]),
    ...sections,
  );
}
