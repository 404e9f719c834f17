import { Stack } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { BusinessBody, BusinessResponse } from '../../../../clients/typescript/src/calls';
import { business, businessQuery } from '../../../shared/api/business';
import { Failure } from '../../components/failure';
import { NumberedPager } from '../../components/pager';
import { useSession } from '../../session';
import { KeyTable } from './key-table';
import type { KeyRow } from './key-table';
import { NewKey } from './new-key';
import type { KeyValues } from './new-key';

type Permission = BusinessBody<'createApiKey'>['permissions'][number];
type BusinessKey = BusinessResponse<'listApiKeys'>['data'][number];

const toRow = ({ status, expired, ...key }: BusinessKey): KeyRow => ({
  ...key,
  status: status === 'Revoked' ? 'revoked' : expired ? 'expired' : 'active',
});

/** The keys of `/api`. */
export function BusinessKeys({ page, change }: { page: number; change: (page: number) => void }) {
  const session = useSession();
  const queries = useQueryClient();
  const query = { page };
  const { data, error, isFetching } = useQuery({
    ...businessQuery('listApiKeys', [query], (options) => business.listApiKeys(query, options)),
    placeholderData: keepPreviousData,
  });
  const reload = () => queries.invalidateQueries({ queryKey: ['business', 'listApiKeys'] });
  const revocation = useMutation({ mutationFn: (id: string) => business.revokeApiKey(id), onSuccess: reload });
  const permitted = [...session.business];
  const create = async ({ name, permissions, allowedIps, expiresAt }: KeyValues): Promise<string | null> => {
    const chosen = permitted.filter((permission): permission is Permission => permissions.includes(permission));
    const { data: created } = await business.createApiKey({
      name,
      permissions: chosen,
      ...(allowedIps.length === 0 ? {} : { allowedIps }),
      ...(expiresAt === '' ? {} : { expiresAt }),
    });
    await reload();
    return created.key;
  };
  const mayWrite = session.business.has('admin:update');
  return (
    <Stack>
      {mayWrite && <NewKey permissions={permitted} create={create} />}
      <Failure error={error ?? revocation.error} />
      <KeyTable
        rows={data?.data.map(toRow)}
        isFetching={isFetching}
        revoke={mayWrite ? ({ id }) => revocation.mutate(id) : undefined}
      />
      <NumberedPager page={data} change={change} />
    </Stack>
  );
}
