import { Button, Center, Loader, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { business, businessQuery } from '../../../shared/api/business';
import { Failure } from '../../components/failure';
import type { InvoiceBody } from './invoice-values';

const PdfPages = lazy(() => import('../../components/pdf-pages'));

/** The printed pages of an invoice that is not stored, as the API renders them. */
function PreviewPages({ body }: { body: InvoiceBody }) {
  const { t } = useTranslation('invoices');
  const { t: common } = useTranslation('business');
  const { data, error } = useQuery({
    ...businessQuery('previewInvoice', [body], (options) => business.previewInvoice(body, options)),
    retry: false,
    gcTime: 0,
  });
  const waiting = (
    <Center mih={320} role="status">
      <Loader aria-label={common('rendering')} />
    </Center>
  );
  if (error !== null) return <Failure error={error} />;
  if (!(data instanceof Blob)) return waiting;
  return (
    <Suspense fallback={waiting}>
      <PdfPages file={data} label={t('preview')} />
    </Suspense>
  );
}

/**
 * Shows how an invoice will be printed.
 *
 * @param body null while the invoice is not complete
 */
export function PreviewButton({ body }: { body: InvoiceBody | null }) {
  const { t } = useTranslation('invoices');
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="default" onClick={open} disabled={body === null}>
        {t('preview')}
      </Button>
      <Modal opened={opened && body !== null} onClose={close} size="xl" title={t('previewTitle')}>
        {body !== null && <PreviewPages body={body} />}
      </Modal>
    </>
  );
}
