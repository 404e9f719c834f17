import { Anchor, Modal, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { BusinessResponse } from '../../../../clients/typescript/src/calls';
import { formatDate } from '../../../shared/format';
import { SimpleTable } from '../../components/simple-table';
import { Fields } from '../records/fields';
import { formatDecimal, Money } from '../records/money';

export type JournalEntry = BusinessResponse<'listJournalEntries'>['data'][number];
type Line = JournalEntry['lines'][number];

/** Where the documents of entries have a page of their own, by the kind of the entry. */
const DOCUMENT_PATHS: Readonly<Record<string, string>> = {
  invoice: '/invoices',
  invoice_void: '/invoices',
  credit_note: '/credit-notes',
  receipt: '/bills',
  receipt_billed: '/bills',
  bill: '/bills',
  vendor_credit_note: '/bills',
};

const PAYMENT_KINDS: readonly string[] = ['payment', 'refund', 'payment_void'];

/** The page of the document that an entry is derived from; null where the document has no page of its own. */
function findDocumentPath({ kind, documentId, lines }: JournalEntry): string | null {
  const side = lines.find(({ party }) => party !== null)?.party?.side;
  if (PAYMENT_KINDS.includes(kind)) return side === undefined ? null : `/${side}s/payments/${documentId}`;
  const path = DOCUMENT_PATHS[kind];
  return path === undefined ? null : `${path}/${documentId}`;
}

/** The number of the document of an entry, as link to its page. */
export function DocumentLink({ entry }: { entry: JournalEntry }) {
  const path = findDocumentPath(entry);
  if (path === null) return entry.documentNumber;
  return (
    <Anchor component={Link} to={path} size="sm">
      {entry.documentNumber}
    </Anchor>
  );
}

interface EntryDialogProps {
  entry: JournalEntry | undefined;
  baseCurrency: string;
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
      : ` (${formatDecimal(line.currencyDebit || -line.currencyCredit)} ${entry.currencyCode})`;
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
