import { Center, Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { businessQuery } from '../../../shared/api/business';
import { Failure } from '../../components/failure';

const PdfPages = lazy(() => import('./pdf-pages'));

/** Time between two requests for a file that is being rendered. */
const POLL_MS = 2000;

interface PdfPreviewProps {
  operation: 'downloadInvoicePdf' | 'downloadCreditNotePdf';
  /** Identifies the state of the document: a void invoice has another page. */
  parameters: readonly unknown[];
  read: (options: { signal: AbortSignal }) => Promise<unknown>;
  label: string;
}

/** The printed pages of an issued document. */
export function PdfPreview({ operation, parameters, read, label }: PdfPreviewProps) {
  const { t } = useTranslation('business');
  const { data, error } = useQuery({
    ...businessQuery(operation, parameters, read),
    staleTime: Infinity,
    refetchInterval: ({ state }) => (state.data === undefined || state.data instanceof Blob ? false : POLL_MS),
  });
  const waiting = (
    <Center mih={320} role="status">
      <Loader aria-label={t('rendering')} />
    </Center>
  );
  if (error !== null) return <Failure error={error} />;
  if (!(data instanceof Blob)) return waiting;
  return (
    <Suspense fallback={waiting}>
      <PdfPages file={data} label={label} />
    </Suspense>
  );
}
