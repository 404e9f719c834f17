import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { notifyFailure } from '../../components/notify-failure';
import { awaitFile } from './await-file';

/** Saves a file that was read with the cookie of the session, as a link to it would. */
function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

interface DownloadOptions<F> {
  /** Requests the file in a format. */
  read: (format: F, options: { signal: AbortSignal }) => Promise<unknown>;
  /** The name under which it is saved. */
  nameOf: (format: F) => string;
}

/** Saves a file once it is rendered, unless the page is left before; a failure is shown as a notice. */
export function useDownload<F extends string>({ read, nameOf }: DownloadOptions<F>) {
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  return useMutation({
    mutationFn: async (format: F) => {
      const { signal } = (running.current = new AbortController());
      try {
        saveFile(await awaitFile((options) => read(format, options), signal), nameOf(format));
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    },
    onError: notifyFailure,
  });
}
