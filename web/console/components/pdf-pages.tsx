import { Center, Group, Loader, Pagination, Stack } from '@mantine/core';
import { getDocument, GlobalWorkerOptions } from 'pdfjs-dist';
import type { PDFDocumentProxy, RenderTask } from 'pdfjs-dist';
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Failure } from './failure';

GlobalWorkerOptions.workerSrc = workerUrl;

/** Pixels for each point of the page, so that small print is sharp on screens of high resolution, too. */
const SCALE = 2;

interface LoadedDocument {
  document: PDFDocumentProxy | null;
  failure: unknown;
}

/** Opens a file for as long as the component is shown. */
function useDocument(file: Blob): LoadedDocument {
  const [loaded, setLoaded] = useState<LoadedDocument>({ document: null, failure: null });
  useEffect(() => {
    let isShown = true;
    let task: ReturnType<typeof getDocument> | undefined;
    const open = async (): Promise<void> => {
      const data = new Uint8Array(await file.arrayBuffer());
      if (!isShown) return;
      // WebAssembly would need a wider Content-Security-Policy, and these documents need no codec of it.
      task = getDocument({ data, useWasm: false });
      const document = await task.promise;
      if (isShown) setLoaded({ document, failure: null });
    };
    open().catch((failure: unknown) => {
      if (isShown) setLoaded({ document: null, failure });
    });
    return () => {
      isShown = false;
      void task?.destroy();
    };
  }, [file]);
  return loaded;
}

interface PdfPagesProps {
  file: Blob;
  /** What the document is, for screen readers. */
  label: string;
}

/** Shows a PDF page by page, also in browsers without a viewer of their own, such as those of phones. */
export default function PdfPages({ file, label }: PdfPagesProps) {
  const { t } = useTranslation('common');
  const { document, failure } = useDocument(file);
  const [number, setNumber] = useState(1);
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    let task: RenderTask | undefined;
    let isShown = true;
    const draw = async (): Promise<void> => {
      const page = await document?.getPage(number);
      const target = canvas.current;
      if (page === undefined || target === null || !isShown) return;
      const viewport = page.getViewport({ scale: SCALE });
      target.width = viewport.width;
      target.height = viewport.height;
      task = page.render({ canvas: target, viewport });
      await task.promise;
      target.dataset['page'] = String(number);
    };
    // A drawing that is cancelled, because another page is shown, is no failure.
    draw().catch(() => undefined);
    return () => {
      isShown = false;
      task?.cancel();
    };
  }, [document, number]);
  if (failure !== null) return <Failure error={failure} />;
  if (document === null)
    return (
      <Center mih={320}>
        <Loader aria-label={t('loading')} />
      </Center>
    );
  const count = document.numPages;
  return (
    <Stack gap="xs">
      <canvas
        ref={canvas}
        role="img"
        aria-label={t('pageOf', { label, number, count })}
        style={{ width: '100%', height: 'auto', border: '1px solid var(--mantine-color-default-border)' }}
      />
      {count > 1 && (
        <Group justify="center">
          <Pagination
            value={number}
            total={count}
            onChange={setNumber}
            size="sm"
            getControlProps={(control) => ({ 'aria-label': t(control === 'previous' ? 'previousPage' : 'nextPage') })}
          />
        </Group>
      )}
    </Stack>
  );
}
