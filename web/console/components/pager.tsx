import { Button, Group, Pagination, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../shared/format';

interface RangeProps {
  skip: number;
  count: number;
  /** Null if the API does not count the records. */
  total: number | null;
}

function Range({ skip, count, total }: RangeProps) {
  const { t } = useTranslation('common');
  if (total === 0 || count === 0) return null;
  const range = { from: formatNumber(skip + 1), to: formatNumber(skip + count) };
  return (
    <Text size="sm" c="dimmed" role="status">
      {total === null ? `${range.from}–${range.to}` : t('pageRange', { ...range, total: formatNumber(total) })}
    </Text>
  );
}

/** Where a page of a list begins. */
interface Position {
  cursor?: string | undefined;
  skip?: number | undefined;
}

/** Earlier pages by the cursor of the page after them, for as long as the window is open. */
const previousPages = new Map<string, Position>();

interface CursorPagerProps {
  search: Position;
  change: (search: { cursor: string | undefined; skip: number | undefined }) => void;
  page: { count: number; total: number | null; nextCursor: string | null } | undefined;
  /** Whether `page` is still the page before, because that of `search` is being read. */
  isPlaceholderData: boolean;
}

/** Pages of a list that is read by cursor. After a reload, "previous" leads to the first page. */
export function CursorPager({ search: { cursor, skip = 0 }, change, page, isPlaceholderData }: CursorPagerProps) {
  const { t } = useTranslation('common');
  if (page === undefined) return null;
  const { count, total, nextCursor } = page;
  const goBack = (): void => {
    const previous = cursor === undefined ? undefined : previousPages.get(cursor);
    change({ cursor: previous?.cursor, skip: previous?.skip });
  };
  const goOn = (next: string): void => {
    previousPages.set(next, { cursor, skip: cursor === undefined ? undefined : skip });
    change({ cursor: next, skip: skip + count });
  };
  return (
    <Group justify="space-between">
      {isPlaceholderData ? <span /> : <Range skip={skip} count={count} total={total} />}
      {(cursor !== undefined || nextCursor !== null) && (
        <Group gap="xs">
          <Button variant="default" size="xs" disabled={cursor === undefined} onClick={goBack}>
            {t('previous')}
          </Button>
          <Button
            variant="default"
            size="xs"
            disabled={nextCursor === null}
            // The cursor behind the page before would lead to this page once more. The button keeps the focus.
            aria-disabled={isPlaceholderData}
            onClick={() => nextCursor !== null && !isPlaceholderData && goOn(nextCursor)}
          >
            {t('next')}
          </Button>
        </Group>
      )}
    </Group>
  );
}

/** Leads from a page that has no records any more to the first; undefined on the first page. */
export const goToFirst = ({
  search: { cursor },
  change,
}: Pick<CursorPagerProps, 'search' | 'change'>): (() => void) | undefined =>
  cursor === undefined ? undefined : () => change({ cursor: undefined, skip: undefined });

interface NumberedPagerProps {
  page: { page: number; pageSize: number; totalCount: number; data: readonly unknown[] } | undefined;
  change: (page: number) => void;
}

/** Numbered pages of a list of `/api`. */
export function NumberedPager({ page: shown, change }: NumberedPagerProps) {
  const { t } = useTranslation('common');
  if (shown === undefined) return null;
  const { page, pageSize, totalCount, data } = shown;
  const pages = Math.max(1, Math.ceil(totalCount / pageSize));
  return (
    <Group justify="space-between">
      <Range skip={(page - 1) * pageSize} count={data.length} total={totalCount} />
      {pages > 1 && (
        <Pagination
          value={page}
          total={pages}
          onChange={change}
          size="sm"
          getControlProps={(control) => ({ 'aria-label': t(control === 'previous' ? 'previous' : 'next') })}
        />
      )}
    </Group>
  );
}
