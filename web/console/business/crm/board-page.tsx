import { DragDropContext, Draggable, Droppable } from '@hello-pangea/dnd';
import type { DragUpdate, DropResult, ResponderProvided } from '@hello-pangea/dnd';
import { ActionIcon, Badge, Box, Button, Group, Menu, Paper, Select, Skeleton, Stack, Text } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { IconDotsVertical, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { business, businessQuery } from '../../../shared/api/business';
import { formatDate, formatNumber } from '../../../shared/format';
import { styleNonce } from '../../../shared/nonce';
import { Failure } from '../../components/failure';
import { Page } from '../../components/page';
import { useSession } from '../../session';
import { ExportButton } from '../exports/export-button';
import { Money } from '../records/money';
import { oneOf } from '../records/record-list';
import { CreateDialog } from './create-dialog';
import { needsReason, STAGES } from './stages';
import type { Move, Opportunity, Stage } from './stages';
import { MoveDialog, useMove } from './move-dialog';
import { WideContent } from '../../components/wide-content';

/** Opportunities shown of each stage; the heading has the exact number of all. */
const PAGE_SIZE = 50;

const stageQuery = (stage: Stage) => {
  const query = { stage: [stage], pageSize: PAGE_SIZE };
  return businessQuery('listOpportunities', [query], (options) => business.listOpportunities(query, options));
};

type MoveHandler = (move: Move) => void;

/** Moves a card without dragging it. */
function StageMenu({ opportunity, move }: { opportunity: Opportunity; move: MoveHandler }) {
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
        {STAGES.filter((to) => to !== from).map((to) => (
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
  canMove: boolean;
  move: MoveHandler;
}

function Card({ opportunity, index, canMove, move }: CardProps) {
  const { t } = useTranslation('crm');
  const { id, name, amount, currencyCode, expectedCloseDate } = opportunity;
  return (
    <Draggable draggableId={String(id)} index={index} isDragDisabled={!canMove}>
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
            {canMove && <StageMenu opportunity={opportunity} move={move} />}
          </Group>
        </Paper>
      )}
    </Draggable>
  );
}

interface ColumnProps {
  stage: Stage;
  canMove: boolean;
  move: MoveHandler;
  /** Whether it is the only column, in the width of the page. */
  isAlone: boolean;
}

function Column({ stage, canMove, move, isAlone }: ColumnProps) {
  const { t } = useTranslation('crm');
  const { data, error } = useQuery(stageQuery(stage));
  return (
    <Box w={isAlone ? '100%' : 240} style={{ flexShrink: 0 }}>
      <Group justify="space-between" mb="xs" wrap="nowrap">
        <Text component="h2" size="sm" fw={700}>
          {t(`stages.${stage}`)}
        </Text>
        <Badge variant="light" color="gray">
          {data === undefined ? '…' : formatNumber(data.totalCount)}
        </Badge>
      </Group>
      <Failure error={error} />
      <Droppable droppableId={stage}>
        {(provided) => (
          <Paper
            bg="var(--mantine-color-default-hover)"
            p="xs"
            mih={320}
            ref={provided.innerRef}
            {...provided.droppableProps}
          >
            {data === undefined && error === null && <Skeleton h={64} />}
            {data?.data.map((opportunity, index) => (
              <Card key={opportunity.id} opportunity={opportunity} index={index} canMove={canMove} move={move} />
            ))}
            {provided.placeholder}
          </Paper>
        )}
      </Droppable>
    </Box>
  );
}

/** The columns side by side; on a phone one of them, chosen above it. */
function Columns({ canMove, move }: { canMove: boolean; move: MoveHandler }) {
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
        <Column stage={shown} canMove={canMove} move={move} isAlone />
      </Stack>
    );
  return (
    <WideContent label={t('title')}>
      <Group align="start" gap="sm" wrap="nowrap" pb="md">
        {STAGES.map((stage) => (
          <Column key={stage} stage={stage} canMove={canMove} move={move} isAlone={false} />
        ))}
      </Group>
    </WideContent>
  );
}

/** Opportunities by stage. A card is moved by dragging it, with the space bar and the arrow keys, or by its menu. */
export default function BoardPage() {
  const { t } = useTranslation('crm');
  const { business: permissions } = useSession();
  const canMove = permissions.has('crm:update');
  const [creating, create] = useDisclosure();
  const [asked, setAsked] = useState<Move | null>(null);
  const move = useMove();
  const request = (next: Move): void => {
    if (needsReason(next)) setAsked(next);
    else move.mutate(next);
  };
  const announce = ({ destination }: DragUpdate, { announce: say }: ResponderProvided): void =>
    say(destination === null ? t('outside') : t('over', { stage: t(`stages.${destination.droppableId as Stage}`) }));
  const onDragEnd = ({ draggableId, source, destination }: DropResult, { announce: say }: ResponderProvided): void => {
    say(t('dropped'));
    if (destination === null || destination.droppableId === source.droppableId) return;
    request({ id: draggableId, from: source.droppableId as Stage, to: destination.droppableId as Stage });
  };
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
        {canMove && (
          <Text size="sm" c="dimmed">
            {t('hint')}
          </Text>
        )}
        <DragDropContext
          onDragStart={(_start, { announce: say }) => say(t('lifted'))}
          onDragUpdate={announce}
          onDragEnd={onDragEnd}
          nonce={styleNonce}
          dragHandleUsageInstructions={t('instructions')}
        >
          <Columns canMove={canMove} move={request} />
        </DragDropContext>
      </Stack>
      <CreateDialog opened={creating} close={create.close} />
      {asked !== null && <MoveDialog move={asked} close={() => setAsked(null)} />}
    </Page>
  );
}
