import { Center, Loader } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { businessQuery } from '../../../shared/api/business';
import { Failure } from '../../components/failure';
import { awaitFile } from './await-file';

const PdfPages = lazy(() => import('../../components/pdf-pages'));

interface PdfPreviewProps {
  operation: 'downloadInvoicePdf' | 'downloadCreditNotePdf' | 'previewCompany';
  /** Identifies the state of the document: a void invoice has another page. */
  parameters: readonly unknown[];
  read: (options: { signal: AbortSignal }) => Promise<unknown>;
  label: string;
  /** Whether the earlier pages stay until those of other parameters are there. @default false */
  keepsPrevious?: boolean;
}

/** The printed pages of a document. */
export function PdfPreview({ operation, parameters, read, label, keepsPrevious = false }: PdfPreviewProps) {
  const { t } = useTranslation('business');
  const { data, error } = useQuery({
    ...businessQuery(operation, parameters, ({ signal }) => awaitFile(read, signal)),
    staleTime: Infinity,
    ...(keepsPrevious ? { placeholderData: keepPreviousData, retry: false, gcTime: 0 } : {}),
  });
  const waiting = (
    <Center mih={320} role="status">
      <Loader aria-label={t('rendering')} />
    </Center>
  );
  if (error !== null) return <Failure error={error} />;
  if (data === undefined) return waiting;
  return (
    <Suspense fallback={waiting}>
      <PdfPages file={data} label={label} />
    </Suspense>
  );
}
