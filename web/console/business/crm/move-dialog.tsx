import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { BusinessBody } from '../../../../clients/typescript/src/calls';
import { business } from '../../../shared/api/business';
import { changeAsSeen } from '../../../shared/api/versions';
import { ConfirmDialog } from '../records/confirm-dialog';
import { toReasons } from './stages';
import type { Move } from './stages';
import { notifyFailure } from '../../components/notify-failure';

const STAGE_QUERIES = { queryKey: ['business', 'listOpportunities'] };

/** Moves an opportunity that is still in the stage that the board shows. */
const changeStage = ({ id, from, to }: Move, reasons: Omit<BusinessBody<'changeOpportunityStage'>, 'stage'>) =>
  changeAsSeen(
    (options) => business.getOpportunity(id, options),
    ({ stage }) => stage === from,
    (options) => business.changeOpportunityStage(id, { stage: to, ...reasons }, options),
  );

/** Moves an opportunity to another stage; a refusal is shown, and the card returns to its stage. */
export function useMove() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (move: Move) => changeStage(move, {}),
    onError: notifyFailure,
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
      submit={(reason) => changeStage(move, toReasons(move, reason))}
      onDone={() => queries.invalidateQueries(STAGE_QUERIES)}
    >
      {t('reasonText', { stage: t(`stages.${move.to}`) })}
    </ConfirmDialog>
  );
}
