import { Anchor, Modal, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { BusinessResponse } from '../../../../clients/typescript/src/calls';
import { formatDate, formatMoney } from '../../../shared/format';
import { SimpleTable } from '../../components/simple-table';
import { Fields } from '../records/fields';
import { formatDecimal, Money } from '../records/money';

export type JournalEntry = BusinessResponse<'listJournalEntries'>['data'][number];
type Line = JournalEntry['lines'][number];

/** Where the documents of entries have a page of their own. */
const DOCUMENT_PATHS: Readonly<Record<JournalEntry['documentType'], string | null>> = {
  invoice: '/invoices',
  credit_note: '/credit-notes',
  payable: '/bills',
  receivable_payment: '/receivables/payments',
  payable_payment: '/payables/payments',
  vendor_return: '/vendor-returns',
  product: '/products',
  adjustment: null,
  transfer: null,
};

const isUnnumbered = (type: JournalEntry['documentType']): type is 'product' | 'adjustment' | 'transfer' =>
  ['product', 'adjustment', 'transfer'].includes(type);

/** The number of the document of an entry, as link to its page; its kind and id if its kind has no numbers. */
export function DocumentLink({ entry: { documentType, documentId, documentNumber } }: { entry: JournalEntry }) {
  const { t } = useTranslation('stock');
  const path = DOCUMENT_PATHS[documentType];
  const name = isUnnumbered(documentType) ? t(`sources.${documentType}`, { id: documentId }) : documentNumber;
  if (path === null) return name;
  return (
    <Anchor component={Link} to={`${path}/${documentId}`} size="sm">
      {name}
    </Anchor>
  );
}

interface EntryDialogProps {
  entry: JournalEntry | undefined;
  baseCurrency: string | undefined;
  close: () => void;
}

/** Every line of an entry, with party and tax. */
export function EntryDialog({ entry, baseCurrency, close }: EntryDialogProps) {
  const { t } = useTranslation('accounting');
  const describeTax = ({ tax }: Line): string =>
    tax === null
      ? '–'
      : `${t(`directions.${tax.direction}`)}, ${tax.category} ${formatDecimal(tax.percent)} %, ${t(`parts.${tax.part}`)}`;
  const inCurrency = (line: Line): string =>
    entry === undefined || entry.currencyCode === baseCurrency
      ? ''
      : ` (${formatMoney(line.currencyDebit || -line.currencyCredit, entry.currencyCode)})`;
  return (
    <Modal opened={entry !== undefined} onClose={close} title={entry?.id} size="xl">
      {entry !== undefined && (
        <Stack>
          <Fields
            rows={[
              [t('date'), formatDate(entry.date)],
              [t('kind'), t(`kinds.${entry.kind}`)],
              [t('document'), <DocumentLink key="document" entry={entry} />],
              [t('description'), entry.description],
            ]}
          />
          <SimpleTable
            label={t('lines')}
            head={[t('account'), t('party'), t('tax'), t('debit'), t('credit')]}
            numbersFrom={3}
            rows={entry.lines.map((line, index) => ({
              key: `${index} ${line.accountNumber}`,
              cells: [
                `${line.accountNumber} ${line.accountName}${inCurrency(line)}`,
                line.party?.name ?? '–',
                describeTax(line),
                <Money key="debit" amount={line.debit || null} currency={baseCurrency} />,
                <Money key="credit" amount={line.credit || null} currency={baseCurrency} />,
              ],
            }))}
          />
        </Stack>
      )}
    </Modal>
  );
}
