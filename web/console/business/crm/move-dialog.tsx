import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { business } from '../../../shared/api/business';
import { describeFailure } from '../../../shared/failures';
import { ConfirmDialog } from '../records/confirm-dialog';
import type { Move } from './stages';

const STAGE_QUERIES = { queryKey: ['business', 'listOpportunities'] };

/** Moves an opportunity to another stage; a refusal is shown, and the card returns to its stage. */
export function useMove() {
  const { t } = useTranslation('shared');
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, to }: Move) => business.changeOpportunityStage(id, { stage: to }),
    onError: (error) => notifications.show({ color: 'red', message: describeFailure(error, t) }),
    onSettled: () => queries.invalidateQueries(STAGE_QUERIES),
  });
}

/** Asks why an opportunity is lost, moved back or opened again. */
export function MoveDialog({ move, close }: { move: Move; close: () => void }) {
  const { t } = useTranslation('crm');
  const queries = useQueryClient();
  const isLost = move.to === 'lost';
  return (
    <ConfirmDialog<unknown>
      opened
      close={close}
      title={t(isLost ? 'loseTitle' : 'backTitle')}
      action={t('move')}
      needsReason
      submit={(reason) =>
        business.changeOpportunityStage(move.id, {
          stage: move.to,
          ...(isLost ? { lostReason: reason } : { reason }),
        })
      }
      onDone={() => queries.invalidateQueries(STAGE_QUERIES)}
    >
      {t('reasonText', { stage: t(`stages.${move.to}`) })}
    </ConfirmDialog>
  );
}
