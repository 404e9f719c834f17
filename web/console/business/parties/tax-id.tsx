import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { formatDate, formatDateTime } from '../../../shared/format';
import type { Party } from './party-kind';
import { notifyFailure } from '../../components/notify-failure';
import { useRefreshInterval } from '../../components/use-refresh-interval';

type Verification = NonNullable<Party['taxIdVerification']>;

/** A customer, a vendor or the company. */
export interface TaxIdHolder {
  taxId: string | null;
  /** When the company confirmed the number itself. */
  taxIdVerifiedOn?: string | null;
  taxIdVerification: Verification | null;
}

const POLL_MS = 2000;

const isPending = (holder: TaxIdHolder | undefined): boolean => holder?.taxIdVerification?.status === 'pending';

/** How often a page reads a holder again: while its number is being verified. */
export function usePollInterval(): (holder: TaxIdHolder | undefined) => number | false {
  const interval = useRefreshInterval(POLL_MS);
  return (holder) => isPending(holder) && interval;
}

/** The result of VIES. */
function Result({ verification }: { verification: Verification }) {
  const { t } = useTranslation('parties');
  const { status, checkedAt, consultationNumber } = verification;
  const time = checkedAt === null ? '–' : formatDateTime(checkedAt);
  const isProven = status === 'valid' && consultationNumber !== null;
  return (
    <Text component="span" size="sm" role="status">
      {isProven
        ? t('taxIdStatus.validWithNumber', { time, consultationNumber })
        : t(`taxIdStatus.${status === 'replaced' ? 'pending' : status}`, { time })}
    </Text>
  );
}

function VerifyButton({ holder, verify }: { holder: TaxIdHolder; verify: () => Promise<unknown> }) {
  const { t } = useTranslation('parties');
  const queries = useQueryClient();
  const request = useMutation({
    mutationFn: verify,
    onSettled: () => queries.invalidateQueries({ queryKey: ['business'] }),
    onError: notifyFailure,
  });
  return (
    <Group>
      <Button
        size="xs"
        variant="default"
        loading={request.isPending || isPending(holder)}
        onClick={() => request.mutate()}
      >
        {t('verifyTaxId')}
      </Button>
    </Group>
  );
}

interface TaxIdProps {
  holder: TaxIdHolder;
  /** Has the number verified by VIES; null without the permission. */
  verify: (() => Promise<unknown>) | null;
}

/** The VAT id with what is known of it: confirmed by the company, or the result of VIES, which can be asked now. */
export function TaxId({ holder, verify }: TaxIdProps) {
  const { t } = useTranslation('parties');
  const { taxId, taxIdVerifiedOn = null, taxIdVerification } = holder;
  if (taxId === null) return null;
  return (
    <Stack gap={4}>
      <span>{taxIdVerifiedOn === null ? taxId : t('verified', { taxId, date: formatDate(taxIdVerifiedOn) })}</span>
      {taxIdVerification !== null && <Result verification={taxIdVerification} />}
      {verify !== null && <VerifyButton holder={holder} verify={verify} />}
    </Stack>
  );
}
