import { Alert, Button, Code, Group, NumberInput, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { IconCircleCheck, IconAlertTriangle } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { business } from '../../../shared/api/business';
import { formatNumber } from '../../../shared/format';
import { Failure } from '../../components/failure';
import { usePageSearch } from '../../components/use-page-search';
import { Fields } from '../records/fields';
import { settingsSearch } from './settings-search';

/** Reads the proof of a year part by part, since the API recomputes a limited number of documents in each request. */
const useProof = (year: number | undefined) =>
  useInfiniteQuery({
    queryKey: ['business', 'proveInvoiceNumbering', year],
    queryFn: ({ pageParam, signal }) =>
      business.proveInvoiceNumbering({ year, from: pageParam ?? undefined }, { signal }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ data }) => data.nextFrom,
  });

/** Shows that the numbers of invoices have no gap, and that no issued document has changed since. */
export default function NumberingProof() {
  const { t } = useTranslation('settings');
  const [search, change] = usePageSearch(settingsSearch);
  const year = Number(search.year) || undefined;
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage } = useProof(year);
  const parts = data?.pages.map((page) => page.data) ?? [];
  const last = parts.at(-1);
  const isValid = parts.every(({ checked, missing }) => checked.valid && missing.length === 0);
  return (
    <Stack maw={760}>
      <Text size="sm">{t('proofText')}</Text>
      <NumberInput
        label={t('year')}
        maw={160}
        hideControls
        allowDecimal={false}
        thousandSeparator={false}
        value={year ?? ''}
        onBlur={({ currentTarget }) => change({ year: currentTarget.value || undefined })}
      />
      <Failure error={error} />
      {last === undefined && error === null && <Skeleton h={160} />}
      {last !== undefined && (
        <>
          <Alert
            color={isValid ? 'green' : 'red'}
            icon={isValid ? <IconCircleCheck aria-hidden /> : <IconAlertTriangle aria-hidden />}
          >
            {t(isValid ? 'proofValid' : 'proofInvalid', {
              to: formatNumber(last.checked.to),
              last: formatNumber(last.last),
            })}
          </Alert>
          <Paper withBorder p="md">
            <Fields
              rows={[
                [t('firstNumber'), last.firstNumber],
                [t('lastNumber'), last.lastNumber],
                [t('documents'), formatNumber(last.count)],
                [t('voided'), formatNumber(last.voided)],
                [t('missing'), last.missing.join(', ')],
                [t('chainHash'), last.checked.chainHash && <Code key="hash">{last.checked.chainHash}</Code>],
              ]}
            />
          </Paper>
          {hasNextPage && (
            <Group>
              <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                {t('checkMore')}
              </Button>
            </Group>
          )}
        </>
      )}
    </Stack>
  );
}
