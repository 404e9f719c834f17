import type { CompanyDetail, CompanyQuery } from '../../../domain/identity/kyb/company';
import type { Candidate } from '../../../domain/identity/kyb/match';
import type { GleifEditionRecord } from '../../../models/identity/registers/gleif-edition';
import type { GleifEntityRecord } from '../../../models/identity/registers/gleif-entity';
import {
  findActiveEdition,
  findEntities,
  findEntity,
  findParent,
} from '../../../services/identity/registers/gleif/lookup';
import type { RegisterSearchResult } from './provider';
import { registerUnavailableError } from '../../../lib/registers/register-client';

const toCandidate = ({ lei, company }: GleifEntityRecord): Candidate => ({ providerId: lei, company });

/**
 * Reads the active edition. An edition that was replaced meanwhile may have lost rows, so that the result is valid only
 * if it is still the active one.
 * @returns null if none was imported
 */
async function readActiveEdition<T>(read: (edition: GleifEditionRecord) => Promise<T>): Promise<T | null> {
  for (;;) {
    const edition = await findActiveEdition('entities');
    if (edition === null) return null;
    const result = await read(edition);
    if ((await findActiveEdition('entities'))?._id === edition._id) return result;
  }
}

/** @returns null if no golden copy was imported */
export const searchGoldenCopy = (query: CompanyQuery): Promise<RegisterSearchResult | null> =>
  readActiveEdition(async (edition) => ({
    candidates: (await findEntities(edition._id, query)).map(toCandidate),
    copy: {
      version: `gleif-${edition._id}`,
      publishedAt: edition.publishedAt ?? edition.completedAt ?? edition.startedAt,
    },
  }));

/**
 * All facts of the golden copy about an entity.
 * @returns null if no golden copy was imported
 * @throws AppError 503 if a newer edition no longer contains the entity, so that the query is retried
 */
export const readGoldenCopyDetail = ({ providerId: lei }: Candidate): Promise<CompanyDetail | null> =>
  readActiveEdition(async (edition) => {
    const entity = await findEntity(edition._id, lei);
    if (entity === null) throw registerUnavailableError('register_replaced');
    return {
      company: entity.company,
      officers: [],
      owners: [],
      parents: {
        direct: await findParent(edition._id, lei, 'direct'),
        ultimate: await findParent(edition._id, lei, 'ultimate'),
      },
      dataAt: entity.updatedAt,
    };
  });
