import { Anchor, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { OperationResponse } from '../../../../clients/typescript/src/calls';
import { formatNumber } from '../../../shared/format';
import { SimpleTable } from '../../components/simple-table';
import './texts';

export type SimulationResult = OperationResponse<'simulateSessionWorkflow'>['simulation'];

const SHOWN_SESSIONS = 5;

/** How past sessions would have been decided by a draft. */
export function Simulation({ simulation }: { simulation: SimulationResult }) {
  const { t } = useTranslation('session-workflows');
  const { examined, changed, moves } = simulation;
  return (
    <Stack role="status">
      <Text>{t('simulation.summary', { examined: formatNumber(examined), changed: formatNumber(changed) })}</Text>
      {moves.length > 0 && (
        <SimpleTable
          label={t('simulation.title')}
          head={[
            t('simulation.from'),
            t('simulation.to'),
            t('simulation.count'),
            t('simulation.reviewed'),
            t('simulation.sessions'),
          ]}
          rows={moves.map(({ from, to, count, reviewed, sessionIds }) => ({
            key: `${from}.${to}`,
            cells: [
              t(`sessionStatus.${from}`),
              t(`sessionStatus.${to}`),
              formatNumber(count),
              `${formatNumber(reviewed.approved)} / ${formatNumber(reviewed.declined)}`,
              <Group key="sessions" gap="xs">
                {sessionIds.slice(0, SHOWN_SESSIONS).map((id) => (
                  <Anchor key={id} component={Link} to={`/sessions/${id}`} size="sm">
                    {id.slice(-6)}
                  </Anchor>
                ))}
              </Group>,
            ],
          }))}
        />
      )}
    </Stack>
  );
}
