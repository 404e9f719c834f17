import { Skeleton, Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { Failure } from '../../components/failure';
import type { Session } from './session';
import { SessionPicture } from './session-picture';
import { useEvidenceFile } from './use-evidence';

const PdfPages = lazy(() => import('../../components/pdf-pages'));

export type EvidenceFile = Session['evidence'][number];

interface SessionFileProps {
  sessionId: string;
  file: EvidenceFile;
  label: string;
}

/** The pages of a PDF, which has no preview that the service makes. */
function SessionPdf({ sessionId, file, label }: SessionFileProps) {
  const { data, error } = useEvidenceFile(sessionId, file.id);
  const waiting = <Skeleton height={320} role="status" aria-label={label} />;
  if (error !== null) return <Failure error={error} />;
  if (data === undefined) return waiting;
  return (
    <Suspense fallback={waiting}>
      <Text size="sm" fw={600}>
        {label}
      </Text>
      <PdfPages file={data} label={label} />
    </Suspense>
  );
}

/** A file of a session: a picture or a PDF. Showing it is recorded in the audit log. */
export function SessionFile(props: SessionFileProps) {
  const { sessionId, file, label } = props;
  if (file.contentType === 'application/pdf') return <SessionPdf {...props} />;
  return <SessionPicture sessionId={sessionId} evidenceId={file.id} label={label} />;
}
