import { Alert, Button, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { describeFailure } from '../../shared/failures';

/** A chunk of the page is missing once a new build has replaced the one that this window loaded. */
const isOutdated = (error: unknown): boolean =>
  error instanceof Error && /dynamically imported module|module script/i.test(error.message);

/** Replaces a page that failed; the rest of the console keeps working. */
export function PageFailure({ error, reset }: { error: unknown; reset?: () => void }) {
  const { t } = useTranslation('shared');
  const { t: common } = useTranslation('common');
  const outdated = isOutdated(error);
  return (
    <Alert color="red" role="alert">
      {outdated ? common('newVersion') : describeFailure(error, t)}
      <Group mt="sm">
        <Button size="xs" variant="default" onClick={outdated || !reset ? () => window.location.reload() : reset}>
          {outdated ? t('reload') : t('retry')}
        </Button>
      </Group>
    </Alert>
  );
}
