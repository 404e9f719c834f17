import { Badge, Button, Code, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDate, formatRelative } from '../../../shared/format';
import { createColumns, DataTable } from '../../components/data-table';
import { LongId } from '../../components/long-id';
import { useConfirm } from '../../components/use-confirm';
import './texts';

/** A key of either product. */
export interface KeyRow {
  id: string;
  name: string;
  permissions: readonly string[];
  allowedIps: readonly string[];
  status: 'active' | 'revoked' | 'expired';
  expiresAt: string | null;
  lastUsedAt: string | null;
  createdAt: string;
}

interface KeyTableProps {
  rows: readonly KeyRow[] | undefined;
  isFetching: boolean;
  /** Absent if the user may not revoke keys. */
  revoke?: ((key: KeyRow) => void) | undefined;
}

const COLORS = { active: 'green', revoked: 'gray', expired: 'orange' } as const;
const MAX_LISTED = 3;

/** The permissions of a key; the first of many, until all are asked for. */
function Permissions({ names }: { names: readonly string[] }) {
  const { t } = useTranslation('api-keys');
  const [showsAll, setShowsAll] = useState(false);
  const hidden = names.length - MAX_LISTED;
  return (
    <Group gap={4} maw={220}>
      {names.slice(0, showsAll ? undefined : MAX_LISTED).map((name) => (
        <Code key={name}>{name}</Code>
      ))}
      {hidden > 0 && (
        <Button size="compact-xs" variant="default" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? t('fewerPermissions') : t('morePermissions', { count: hidden })}
        </Button>
      )}
    </Group>
  );
}

function RevokeButton({ row, revoke }: { row: KeyRow; revoke: (key: KeyRow) => void }) {
  const { t } = useTranslation('api-keys');
  const confirm = useConfirm();
  const ask = (): void =>
    confirm({
      title: t('revokeTitle', { name: row.name }),
      text: t('revokeText'),
      action: t('revoke'),
      onConfirm: () => revoke(row),
    });
  return (
    <Button size="compact-sm" variant="default" onClick={ask} aria-label={t('revokeTitle', { name: row.name })}>
      {t('revoke')}
    </Button>
  );
}

function useColumns(revoke: KeyTableProps['revoke']) {
  const { t } = useTranslation('api-keys');
  const column = createColumns<KeyRow>();
  return column.columns([
    column.accessor('name', {
      header: t('name'),
      cell: ({ row: { original } }) => (
        <Stack gap={0}>
          <Text size="sm" fw={600}>
            {original.name}
          </Text>
          <LongId id={original.id} c="dimmed" />
        </Stack>
      ),
    }),
    column.accessor('status', {
      header: t('status'),
      cell: ({ getValue }) => (
        <Badge color={COLORS[getValue()]} variant="outline" c="var(--mantine-color-text)" tt="none">
          {t(`statuses.${getValue()}`)}
        </Badge>
      ),
    }),
    column.accessor('permissions', {
      header: t('permissions'),
      cell: ({ getValue }) => <Permissions names={getValue()} />,
    }),
    column.accessor('allowedIps', {
      header: t('addresses'),
      cell: ({ getValue }) => (getValue().length === 0 ? t('anyAddress') : getValue().join(', ')),
    }),
    column.accessor('lastUsedAt', {
      header: t('lastUsed'),
      cell: ({ getValue }) => {
        const at = getValue();
        return at === null ? t('never') : formatRelative(at);
      },
    }),
    column.accessor('expiresAt', {
      header: t('expires'),
      cell: ({ getValue }) => {
        const at = getValue();
        return at === null ? t('never') : formatDate(at);
      },
    }),
    column.accessor('createdAt', { header: t('created'), cell: ({ getValue }) => formatDate(getValue()) }),
    column.display({
      id: 'actions',
      header: t('actions'),
      cell: ({ row: { original } }) =>
        revoke !== undefined && original.status === 'active' ? <RevokeButton row={original} revoke={revoke} /> : null,
    }),
  ]);
}

/** Keys of one product. */
export function KeyTable({ rows, isFetching, revoke }: KeyTableProps) {
  const { t } = useTranslation('api-keys');
  return (
    <DataTable
      label={t('title')}
      columns={useColumns(revoke)}
      rows={rows}
      getRowId={({ id }) => id}
      isFetching={isFetching}
      empty={<Text>{t('empty')}</Text>}
    />
  );
}
