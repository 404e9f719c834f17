import type { CompanyDetail, CompanyQuery } from '../../../domain/identity/kyb/company';
import type { Candidate } from '../../../domain/identity/kyb/match';
import type { GleifEditionRecord } from '../../../models/identity/registers/gleif-edition';
import type { GleifEntityRecord } from '../../../models/identity/registers/gleif-entity';
import {
  activeEdition,
  findEntities,
  findEntity,
  findParent,
} from '../../../services/identity/registers/gleif/look-up';
import type { SearchAnswer } from './provider';
import { registerUnavailable } from './register-client';

const candidateOf = ({ lei, company }: GleifEntityRecord): Candidate => ({ providerId: lei, company });

/**
 * Reads the edition in use. One that was replaced meanwhile may have lost rows under the reader's hands, so that what
 * was read counts only where it is still the one in use.
 * @returns null where none was imported
 */
async function readEdition<T>(read: (edition: GleifEditionRecord) => Promise<T>): Promise<T | null> {
  for (;;) {
    const edition = await activeEdition('entities');
    if (edition === null) return null;
    const answer = await read(edition);
    if ((await activeEdition('entities'))?._id === edition._id) return answer;
  }
}

/** @returns null where no golden copy was imported */
export const searchGoldenCopy = (query: CompanyQuery): Promise<SearchAnswer | null> =>
  readEdition(async (edition) => ({
    candidates: (await findEntities(edition._id, query)).map(candidateOf),
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
export const goldenCopyDetail = ({ providerId: lei }: Candidate): Promise<CompanyDetail | null> =>
  readEdition(async (edition) => {
    const entity = await findEntity(edition._id, lei);
    if (entity === null) throw registerUnavailable('register_replaced');
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
