import { isUtf8 } from 'node:buffer';
import { AppError, invalidFieldError, notFoundError } from '../../../domain/errors';
import type { RegisterKind, RegisterStatus } from '../../../domain/identity/registers/columns';
import { sha256Hex } from '../../../lib/crypto/secrets';
import { newId } from '../../../lib/ids';
import { RegisterImport } from '../../../models/identity/registers/register-import';
import type { RegisterImportRecord } from '../../../models/identity/registers/register-import';
import { workflowIds } from '../../../workflows/contracts';
import { saveEvidence, uploadEvidence } from '../../platform/evidence/evidence';
import { readCursorPage } from '../../platform/lists/cursor-pages';
import type { CursorPage, CursorPageRequest } from '../../platform/lists/cursor-pages';
import { runIdempotently } from '../../platform/transactions/idempotency';
import type { IdempotentUse } from '../../platform/transactions/idempotency';
import { awaitRecord } from '../../platform/await-record';
import { toScope } from '../../platform/platform';
import type { Platform, Scope } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';

const ZIP_SIGNATURE = Buffer.from('PK\u0003\u0004', 'latin1');

/** @throws AppError 400 or 415 if the file is not text in UTF-8 */
function requireText(body: Buffer): void {
  if (body.length === 0) throw invalidFieldError('file', 'the file is empty');
  if (body.subarray(0, ZIP_SIGNATURE.length).equals(ZIP_SIGNATURE)) {
    const problem = 'accepts CSV; a spreadsheet or an archive must be saved as CSV first';
    throw new AppError('unsupported_media_type', 415, `file: ${problem}`, { fields: [{ field: 'file', problem }] });
  }
  if (!isUtf8(body) || body.includes(0)) throw invalidFieldError('file', 'accepts CSV in UTF-8');
}

/** A new import in status `importing`. */
export const draftImport = (
  platform: Platform,
  scope: Scope,
  draft: Pick<RegisterImportRecord, '_id' | 'kind' | 'sha256' | 'bytes' | 'createdBy'>,
): RegisterImportRecord => ({
  ...toScope(scope),
  status: 'importing',
  rows: { total: 0, imported: 0, rejected: 0 },
  countries: [],
  problems: [],
  failure: null,
  createdAt: platform.clock.now(),
  completedAt: null,
  retiredAt: null,
  deletedAt: null,
  ...draft,
});

/** Starts the workflow that imports a register. */
export const startImportWorkflow = (unit: UnitOfWork, { _id, organisationId, kind }: RegisterImportRecord): void =>
  unit.start(organisationId, {
    workflow: 'registerImport',
    workflowId: workflowIds.registerImport(_id),
    argument: { registerId: _id, organisationId },
    summary: `import of a ${kind} register`,
    searchAttributes: { status: 'importing' },
  });

/**
 * Imports a register from a CSV file: the file is encrypted and stored, then one transaction records the import and
 * enqueues its workflow. The active version remains until every row has been read.
 *
 * @throws AppError 400 or 415 if the file is not CSV
 */
export function submitImport(
  platform: Platform,
  scope: Scope,
  actor: string,
  input: { kind: RegisterKind; file: Buffer },
  use: IdempotentUse | undefined,
): Promise<RegisterImportRecord> {
  requireText(input.file);
  return runIdempotently(
    platform,
    use,
    async (claim) => {
      const id = newId('reg');
      const { kind, file } = input;
      const evidence = await uploadEvidence(platform, scope, {
        recordId: id,
        checkId: id,
        field: 'file',
        contentType: 'text/csv',
        body: file,
      });
      const record = draftImport(platform, scope, {
        _id: id,
        kind,
        sha256: sha256Hex(file),
        bytes: file.length,
        createdBy: actor,
      });
      return runTransaction(platform, async (unit) => {
        await saveEvidence(unit, [evidence]);
        await RegisterImport.create([record], { session: unit.mongoSession });
        startImportWorkflow(unit, record);
        await unit.audit(scope, { actor, action: 'register.imported', subject: id, fields: ['kind', 'file'] });
        await claim(unit, id, 201);
        return record;
      });
    },
    (id) => getImport(scope, id),
  );
}

/** @throws AppError 404, also for an import of another organisation or mode */
export async function getImport(scope: Scope, id: string): Promise<RegisterImportRecord> {
  const found = await RegisterImport.findOne({
    _id: id,
    ...toScope(scope),
    deletedAt: null,
  }).lean<RegisterImportRecord>();
  if (found === null) throw notFoundError('register');
  return found;
}

/**
 * Waits up to `seconds` for an import to complete.
 * @returns the import as it is then; `importing` if it did not complete in time
 */
export const awaitImport = (
  platform: Platform,
  scope: Scope,
  id: string,
  seconds: number,
): Promise<RegisterImportRecord> =>
  awaitRecord(platform, {
    collection: 'register_imports',
    id,
    waitMs: seconds * 1000,
    read: () => getImport(scope, id),
    isFinished: ({ status }) => status !== 'importing',
  });

/** Versions of registers, newest first. */
export const listImports = (
  scope: Scope,
  { kind, statuses }: { kind?: RegisterKind | undefined; statuses?: readonly RegisterStatus[] | undefined },
  page: CursorPageRequest,
): Promise<CursorPage<RegisterImportRecord>> =>
  readCursorPage(
    RegisterImport,
    {
      ...toScope(scope),
      deletedAt: null,
      ...(kind === undefined ? {} : { kind }),
      ...(statuses === undefined ? {} : { status: { $in: [...statuses] } }),
    },
    page,
  );
