import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { COVERAGE_PAGE, renderCoveragePage } from './coverage-page';
import { buildReferencePages } from './pages';
import { PROJECT_ROOT } from './repository';

/** Writes docs/reference/*.md and test/COVERAGE.md from the OpenAPI documents, the tables in the code and the tests. */
for (const [file, text] of [...buildReferencePages(), [COVERAGE_PAGE, renderCoveragePage()] as const]) {
  const target = path.join(PROJECT_ROOT, file);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, text);
}
