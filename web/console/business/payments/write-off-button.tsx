import { useTranslation } from 'react-i18next';
import { business } from '../../../shared/api/business';
import { CorrectionButton } from './correction-button';
import type { Side } from './ledger';
import type { Item } from './settlement-rows';

/** Closes a small difference that is left open of a document, or left of a credit. */
export function WriteOffButton({ side, item }: { side: Side; item: Item }) {
  const { t } = useTranslation('payments');
  const isDocument = 'documentId' in item;
  return (
    <CorrectionButton
      action={t('writeOff')}
      title={t(isDocument ? 'writeOffTitle' : 'writeOffCreditTitle')}
      text={t(isDocument ? 'writeOffText' : 'writeOffCreditText')}
      submit={(reason) =>
        side === 'receivable'
          ? business.writeOffReceivable({ ...item, reason })
          : business.writeOffPayable({ ...item, reason })
      }
    />
  );
}
