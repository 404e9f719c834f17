import { Alert, Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { describeFailure } from '../../shared/failures';

/** The script of a page could not be read: without a connection, or because a new build has replaced it. */
const isUnread = (error: unknown): boolean =>
  error instanceof Error && /dynamically imported module|module script/i.test(error.message);

/** The address of the script, which browsers name in the message; the page itself where they do not. */
const readAddress = (error: unknown): string =>
  (error instanceof Error ? /https?:\S+/.exec(error.message)?.[0] : undefined) ?? window.location.href;

/** Whether the service has replaced a script; null if it does not answer. */
async function isReplaced(address: string, signal: AbortSignal): Promise<boolean | null> {
  if (!navigator.onLine) return null;
  const response = await fetch(address, { cache: 'no-store', signal }).catch(() => null);
  signal.throwIfAborted();
  return response === null || response.status >= 500 ? null : response.status === 404;
}

interface NoticeProps {
  text: string;
  action: string;
  onAction: () => void;
}

const Notice = ({ text, action, onAction }: NoticeProps) => (
  <Alert color="red" role="alert">
    {text}
    <Group mt="sm">
      <Button size="xs" variant="default" onClick={onAction}>
        {action}
      </Button>
    </Group>
  </Alert>
);

const reload = (): void => window.location.reload();

/**
 * Says why the script of a page could not be read. Browsers do not read it a second time within a page, so that the page is
 * loaded again once the service answers.
 */
function UnreadPage({ error }: { error: unknown }) {
  const { t } = useTranslation('shared');
  const { t: common } = useTranslation('common');
  const address = readAddress(error);
  const { data, isPending, refetch } = useQuery({
    queryKey: ['script', address],
    queryFn: ({ signal }) => isReplaced(address, signal),
    networkMode: 'always',
    gcTime: 0,
  });
  const retry = async (): Promise<void> => {
    if ((await refetch()).data === false) reload();
  };
  if (isPending) return null;
  return data === true ? (
    <Notice text={common('newVersion')} action={t('reload')} onAction={reload} />
  ) : (
    <Notice text={t('noConnection')} action={t('retry')} onAction={() => void retry()} />
  );
}

/** Replaces a page that failed; the rest of the console keeps working. */
export function PageFailure({ error, reset = reload }: { error: unknown; reset?: () => void }) {
  const { t } = useTranslation('shared');
  if (isUnread(error)) return <UnreadPage error={error} />;
  return <Notice text={describeFailure(error, t)} action={t('retry')} onAction={reset} />;
}
