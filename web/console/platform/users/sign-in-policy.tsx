import { Card, Switch } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { business, businessQuery } from '../../../shared/api/business';
import { Failure } from '../../components/failure';
import { useSession } from '../../session';
import './texts';

/** Whether the organisation requires a second factor of everyone. */
export function SignInPolicy() {
  const { t } = useTranslation('users');
  const mayUpdate = useSession().business.has('admin:update');
  const queries = useQueryClient();
  const { data, error } = useQuery(
    businessQuery('getSignInPolicy', [], (options) => business.getSignInPolicy(options)),
  );
  const change = useMutation({
    mutationFn: (secondFactorRequired: boolean) => business.updateSignInPolicy({ secondFactorRequired }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['business', 'getSignInPolicy'] }),
  });
  return (
    <Card withBorder>
      <Failure error={error ?? change.error} />
      <Switch
        label={t('requireSecondFactor')}
        description={t('requireSecondFactorHint')}
        checked={data?.data.secondFactorRequired ?? false}
        disabled={!mayUpdate || data === undefined || change.isPending}
        onChange={({ currentTarget }) => change.mutate(currentTarget.checked)}
      />
    </Card>
  );
}
