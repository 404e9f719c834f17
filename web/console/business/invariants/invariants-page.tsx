import { Alert, Badge, Button, Code, Group, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { BusinessResponse } from '../../../../clients/typescript/src/calls';
import { business, businessQuery } from '../../../shared/api/business';
import { formatDateTime, formatNumber } from '../../../shared/format';
import { Failure } from '../../components/failure';
import { Page } from '../../components/page';
import { useRefreshInterval } from '../../components/use-refresh-interval';
import type en from '../../locales/en/invariants.json';
import { useSession } from '../../session';

declare module '../../../shared/i18n' {
  interface Texts {
    invariants: typeof en;
  }
}

type Invariant = BusinessResponse<'getInvariants'>['data']['invariants'][number];

/** Time between two looks at a check that runs. */
const POLL_MS = 1000;

function InvariantCard({ invariant }: { invariant: Invariant }) {
  const { t } = useTranslation('settings');
  const { t: state } = useTranslation('invariants');
  const holds = invariant.violations === 0;
  return (
    <Paper withBorder p="sm">
      <Group justify="space-between" wrap="nowrap" align="start">
        <Text size="sm">{state(invariant.invariant, { defaultValue: invariant.statement })}</Text>
        <Badge color={holds ? 'green' : 'red'} variant="light" style={{ flexShrink: 0 }}>
          {holds ? t('holds') : t('violations', { count: invariant.violations })}
        </Badge>
      </Group>
      <Text size="xs" c="dimmed">
        {t('compared', { count: invariant.checked, number: formatNumber(invariant.checked) })}
      </Text>
      {invariant.examples.map(({ subject, what, expected, found }) => (
        <Text key={`${subject} ${what}`} size="xs">
          <Code>{subject}</Code> {t('violation', { what, expected, found })}
        </Text>
      ))}
    </Paper>
  );
}

/** Statements that compare records which must agree, such as balances and movements. */
export default function InvariantsPage() {
  const { t } = useTranslation('settings');
  const { business: permissions } = useSession();
  const queries = useQueryClient();
  const interval = useRefreshInterval(POLL_MS);
  const { data, error } = useQuery({
    ...businessQuery('getInvariants', [], (options) => business.getInvariants(options)),
    refetchInterval: ({ state }) => (state.data?.data.running === true ? interval : false),
  });
  const check = useMutation({
    mutationFn: () => business.checkInvariants(),
    onSettled: () => queries.invalidateQueries({ queryKey: ['business', 'getInvariants'] }),
  });
  const report = data?.data;
  return (
    <Page
      title={t('integrity')}
      actions={
        permissions.has('admin:update') ? (
          <Button loading={check.isPending || report?.running === true} onClick={() => check.mutate()}>
            {t('checkNow')}
          </Button>
        ) : undefined
      }
    >
      <Failure error={error ?? check.error} />
      {report === undefined && error === null && <Skeleton h={200} />}
      {report !== undefined && (
        <Stack gap="sm">
          <Alert color={report.checkedAt === null ? 'gray' : report.violations === 0 ? 'green' : 'red'} role="status">
            {report.checkedAt === null
              ? t('neverChecked')
              : t('checkedAt', { time: formatDateTime(report.checkedAt), count: report.violations })}
          </Alert>
          {report.invariants.map((invariant) => (
            <InvariantCard key={invariant.invariant} invariant={invariant} />
          ))}
        </Stack>
      )}
    </Page>
  );
}
