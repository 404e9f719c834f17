import type { CompanyDetail, CompanyQuery } from '../../../domain/identity/kyb/company';
import type { Candidate } from '../../../domain/identity/kyb/match';
import type { GleifEditionRecord } from '../../../models/identity/registers/gleif-edition';
import type { GleifEntityRecord } from '../../../models/identity/registers/gleif-entity';
import {
  findActiveEdition,
  findEntities,
  findEntity,
  findParent,
} from '../../../services/identity/registers/gleif/look-up';
import type { RegisterSearchResult } from './provider';
import { registerUnavailableError } from './register-client';

const toCandidate = ({ lei, company }: GleifEntityRecord): Candidate => ({ providerId: lei, company });

/**
 * Reads the edition in use. One that was replaced meanwhile may have lost rows under the reader's hands, so that what
 * was read counts only where it is still the one in use.
 * @returns null where none was imported
 */
async function readActiveEdition<T>(read: (edition: GleifEditionRecord) => Promise<T>): Promise<T | null> {
  for (;;) {
    const edition = await findActiveEdition('entities');
    if (edition === null) return null;
    const result = await read(edition);
    if ((await findActiveEdition('entities'))?._id === edition._id) return result;
  }
}

/** @returns null where no golden copy was imported */
export const searchGoldenCopy = (query: CompanyQuery): Promise<RegisterSearchResult | null> =>
  readActiveEdition(async (edition) => ({
    candidates: (await findEntities(edition._id, query)).map(toCandidate),
    copy: {
      version: `gleif-${edition._id}`,
      publishedAt: edition.publishedAt ?? edition.completedAt ?? edition.startedAt,
    },
  }));

/**
 * All the golden copy tells of an entity.
 * @returns null where no golden copy is imported
 * @throws AppError 503 where a newer edition lost the entity between the two look-ups: it is asked again
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
