import { Stack } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Body } from '../../../../clients/typescript/src/calls';
import { identity, identityQuery } from '../../../shared/api/identity';
import { Failure } from '../../components/failure';
import { CursorPager } from '../../components/pager';
import { useSession } from '../../session';
import { KeyTable } from './key-table';
import { NewKey } from './new-key';
import type { KeyValues } from './new-key';

type Permission = NonNullable<Body<'createKey'>['permissions']>[number];

interface IdentityKeysProps {
  search: { cursor?: string | undefined; skip?: number | undefined };
  change: (search: { cursor: string | undefined; skip: number | undefined }) => void;
}

/** The end of a day in the time zone of the browser. */
const endOfDay = (day: string): string => new Date(`${day}T23:59:59`).toISOString();

/** The keys of `/v1` in the mode of the browser session. */
export function IdentityKeys({ search, change }: IdentityKeysProps) {
  const session = useSession();
  const queries = useQueryClient();
  const query = { cursor: search.cursor };
  const { data, error, isFetching, isPlaceholderData } = useQuery({
    ...identityQuery('listKeys', [query], (options) => identity.listKeys(query, options)),
    placeholderData: keepPreviousData,
  });
  const reload = () => queries.invalidateQueries({ queryKey: ['identity', 'listKeys'] });
  const revocation = useMutation({ mutationFn: (id: string) => identity.revokeKey(id), onSuccess: reload });
  const permitted = [...session.identity];
  const create = async ({ name, permissions, allowedIps, expiresAt }: KeyValues): Promise<string | null> => {
    const chosen = permitted.filter((permission): permission is Permission => permissions.includes(permission));
    const { secret } = await identity.createKey({
      name,
      permissions: chosen,
      ...(allowedIps.length === 0 ? {} : { allowedIps }),
      ...(expiresAt === '' ? {} : { expiresAt: endOfDay(expiresAt) }),
    });
    await reload();
    return secret;
  };
  const mayWrite = session.identity.has('keys:write');
  return (
    <Stack>
      {mayWrite && <NewKey permissions={permitted} create={create} />}
      <Failure error={error ?? revocation.error} />
      <KeyTable
        rows={data?.keys}
        isFetching={isFetching}
        revoke={mayWrite ? ({ id }) => revocation.mutate(id) : undefined}
      />
      <CursorPager
        search={search}
        change={change}
        page={data && { count: data.keys.length, total: data.total, nextCursor: data.nextCursor }}
        isPlaceholderData={isPlaceholderData}
      />
    </Stack>
  );
}
