import { useTranslation } from 'react-i18next';
import { formatDate } from '../../../shared/format';
import type { Party } from './party-kind';

/** The tax number with what is known of it: confirmed by the company, or the result of VIES. */
export function TaxId({ party }: { party: Party }) {
  const { t } = useTranslation('parties');
  const { taxId, taxIdVerifiedOn, taxIdVerification } = party;
  if (taxId === null) return null;
  if (taxIdVerifiedOn !== null) return t('verified', { taxId, date: formatDate(taxIdVerifiedOn) });
  if (taxIdVerification === null) return taxId;
  const { status, checkedAt, consultationNumber } = taxIdVerification;
  const date = checkedAt === null ? '' : formatDate(checkedAt.slice(0, 10));
  switch (status) {
    case 'valid':
      return consultationNumber === null
        ? t('taxIdStatus.valid', { taxId, date })
        : t('taxIdStatus.validWithNumber', { taxId, date, consultationNumber });
    case 'invalid':
      return t('taxIdStatus.invalid', { taxId, date });
    case 'unavailable':
      return t('taxIdStatus.unavailable', { taxId });
    case 'pending':
    case 'replaced':
      return t('taxIdStatus.pending', { taxId });
  }
}
