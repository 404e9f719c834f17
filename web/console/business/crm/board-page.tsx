import { DragDropContext, Draggable, Droppable } from '@hello-pangea/dnd';
import type { DragStart, DragUpdate, DropResult, ResponderProvided } from '@hello-pangea/dnd';
import { ActionIcon, Badge, Box, Button, Group, Menu, Paper, Select, Skeleton, Stack, Text } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { IconDotsVertical, IconPlus } from '@tabler/icons-react';
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { business } from '../../../shared/api/business';
import { formatDate, formatNumber } from '../../../shared/format';
import { styleNonce } from '../../../shared/nonce';
import { Failure } from '../../components/failure';
import { Page } from '../../components/page';
import { useSession } from '../../session';
import { ExportButton } from '../exports/export-button';
import { Money } from '../records/money';
import { oneOf } from '../records/record-list';
import { CreateDialog } from './create-dialog';
import { isPossible, listTargets, needsReason, STAGES } from './stages';
import type { Move, Opportunity, Stage } from './stages';
import { MoveDialog, useMove } from './move-dialog';
import { WideContent } from '../../components/wide-content';

/** Opportunities of a stage that are read at once; the heading has the exact number of all. */
const PAGE_SIZE = 50;

const stageQuery = (stage: Stage) =>
  infiniteQueryOptions({
    queryKey: ['business', 'listOpportunities', 'board', stage],
    queryFn: ({ pageParam, signal }) =>
      business.listOpportunities({ stage: [stage], pageSize: PAGE_SIZE, page: pageParam }, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ totalCount }, pages) => (pages.length * PAGE_SIZE < totalCount ? pages.length + 1 : null),
  });

/** The opportunities that were read, each once: one that has moved between two requests is on two pages. */
const listOnce = (pages: readonly { data: Opportunity[] }[]): Opportunity[] => [
  ...new Map(pages.flatMap(({ data }) => data).map((opportunity) => [opportunity.id, opportunity])).values(),
];

type MoveHandler = (move: Move) => void;

/** What the user may do with the cards. */
interface Rights {
  canMove: boolean;
  /** Whether closed opportunities can be moved, too. */
  canReopen: boolean;
}

interface StageMenuProps {
  opportunity: Opportunity;
  targets: readonly Stage[];
  move: MoveHandler;
}

/** Moves a card without dragging it. */
function StageMenu({ opportunity, targets, move }: StageMenuProps) {
  const { t } = useTranslation('crm');
  const { id, name, stage: from } = opportunity;
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t('moveCard', { name })}>
          <IconDotsVertical size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('moveTo')}</Menu.Label>
        {targets.map((to) => (
          <Menu.Item key={to} onClick={() => move({ id: String(id), from, to })}>
            {t(`stages.${to}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

interface CardProps {
  opportunity: Opportunity;
  index: number;
  rights: Rights;
  move: MoveHandler;
}

function Card({ opportunity, index, rights, move }: CardProps) {
  const { t } = useTranslation('crm');
  const { id, name, amount, currencyCode, expectedCloseDate, stage } = opportunity;
  const targets = rights.canMove ? listTargets(stage, rights.canReopen) : [];
  return (
    <Draggable draggableId={String(id)} index={index} isDragDisabled={targets.length === 0}>
      {(provided) => (
        <Paper withBorder p="xs" mb="xs" ref={provided.innerRef} {...provided.draggableProps}>
          <Group gap={4} wrap="nowrap" align="start">
            <Box flex={1} miw={0} {...provided.dragHandleProps}>
              <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
                {name}
              </Text>
              <Money amount={amount} currency={currencyCode} />
              {expectedCloseDate !== null && (
                <Text size="xs" c="dimmed">
                  {t('closes', { date: formatDate(expectedCloseDate) })}
                </Text>
              )}
            </Box>
            {targets.length > 0 && <StageMenu opportunity={opportunity} targets={targets} move={move} />}
          </Group>
        </Paper>
      )}
    </Draggable>
  );
}

interface ColumnsProps {
  rights: Rights;
  /** The stage of the card that is being dragged; null while there is none. */
  dragged: Stage | null;
  move: MoveHandler;
}

interface ColumnProps extends ColumnsProps {
  stage: Stage;
  /** Whether it is the only column, in the width of the page. */
  isAlone: boolean;
}

function Column({ stage, rights, dragged, move, isAlone }: ColumnProps) {
  const { t } = useTranslation('crm');
  const isTarget = dragged === null || dragged === stage || isPossible({ from: dragged, to: stage }, rights.canReopen);
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(stageQuery(stage));
  const shown = listOnce(data?.pages ?? []);
  const total = data?.pages.at(-1)?.totalCount;
  return (
    <Box w={isAlone ? '100%' : 240} style={{ flexShrink: 0 }}>
      <Group justify="space-between" mb="xs" wrap="nowrap">
        <Text component="h2" size="sm" fw={700}>
          {t(`stages.${stage}`)}
        </Text>
        <Badge variant="light" color="gray">
          {total === undefined ? '…' : formatNumber(total)}
        </Badge>
      </Group>
      <Failure error={error} />
      <Droppable droppableId={stage} isDropDisabled={!isTarget}>
        {(provided) => (
          <Paper
            bg="var(--mantine-color-default-hover)"
            p="xs"
            mih={320}
            ref={provided.innerRef}
            {...provided.droppableProps}
          >
            {data === undefined && error === null && <Skeleton h={64} />}
            {shown.map((opportunity, index) => (
              <Card key={opportunity.id} opportunity={opportunity} index={index} rights={rights} move={move} />
            ))}
            {provided.placeholder}
          </Paper>
        )}
      </Droppable>
      {hasNextPage && (
        <Button fullWidth mt="xs" variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('showMore', { rest: formatNumber((total ?? 0) - shown.length) })}
        </Button>
      )}
    </Box>
  );
}

/** The columns side by side; on a phone one of them, chosen above it. */
function Columns(props: ColumnsProps) {
  const { t } = useTranslation('crm');
  const isNarrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false });
  const [shown, setShown] = useState<Stage>('prospecting');
  if (isNarrow)
    return (
      <Stack>
        <Select
          label={t('stage')}
          allowDeselect={false}
          data={STAGES.map((stage) => ({ value: stage, label: t(`stages.${stage}`) }))}
          value={shown}
          onChange={(stage) => setShown(oneOf(STAGES, stage ?? undefined) ?? shown)}
        />
        <Column {...props} stage={shown} isAlone />
      </Stack>
    );
  return (
    <WideContent label={t('title')}>
      <Group align="start" gap="sm" wrap="nowrap" pb="md">
        {STAGES.map((stage) => (
          <Column {...props} key={stage} stage={stage} isAlone={false} />
        ))}
      </Group>
    </WideContent>
  );
}

/** Announces what happens to the dragged card, and moves it to the stage where it is dropped. */
function useDragging({ canReopen }: Rights, move: MoveHandler) {
  const { t } = useTranslation('crm');
  const [dragged, setDragged] = useState<Stage | null>(null);
  const onDragStart = ({ source }: DragStart, { announce: say }: ResponderProvided): void => {
    say(t('lifted'));
    setDragged(source.droppableId as Stage);
  };
  const onDragUpdate = ({ destination }: DragUpdate, { announce: say }: ResponderProvided): void =>
    say(destination === null ? t('outside') : t('over', { stage: t(`stages.${destination.droppableId as Stage}`) }));
  const onDragEnd = ({ draggableId, source, destination }: DropResult, { announce: say }: ResponderProvided): void => {
    say(t('dropped'));
    setDragged(null);
    if (destination === null) return;
    const next = { id: draggableId, from: source.droppableId as Stage, to: destination.droppableId as Stage };
    if (isPossible(next, canReopen)) move(next);
  };
  return { dragged, onDragStart, onDragUpdate, onDragEnd };
}

/** Opportunities by stage. A card is moved by dragging it, with the space bar and the arrow keys, or by its menu. */
export default function BoardPage() {
  const { t } = useTranslation('crm');
  const { business: permissions } = useSession();
  const rights = { canMove: permissions.has('crm:update'), canReopen: permissions.has('admin:update') };
  const [creating, create] = useDisclosure();
  const [asked, setAsked] = useState<Move | null>(null);
  const move = useMove();
  const request = (next: Move): void => {
    if (needsReason(next)) setAsked(next);
    else move.mutate(next);
  };
  const { dragged, ...handlers } = useDragging(rights, request);
  return (
    <Page
      title={t('title')}
      actions={
        <>
          <ExportButton resource="opportunities" filters={{}} />
          <Button variant="default" component={Link} to="/leads">
            {t('leads')}
          </Button>
          {permissions.has('crm:create') && (
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={create.open}>
              {t('new')}
            </Button>
          )}
        </>
      }
    >
      <Stack gap="xs">
        {rights.canMove && (
          <Text size="sm" c="dimmed">
            {t('hint')}
          </Text>
        )}
        <DragDropContext {...handlers} nonce={styleNonce} dragHandleUsageInstructions={t('instructions')}>
          <Columns rights={rights} dragged={dragged} move={request} />
        </DragDropContext>
      </Stack>
      <CreateDialog opened={creating} close={create.close} />
      {asked !== null && <MoveDialog move={asked} close={() => setAsked(null)} />}
    </Page>
  );
}
