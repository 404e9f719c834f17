import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { ConfirmDialog } from '../records/confirm-dialog';

interface CorrectionButtonProps {
  action: string;
  title: string;
  /** What is posted. */
  text: string;
  submit: (reason: string) => Promise<unknown>;
  /** Whether the button is one of a table. @default false */
  isCompact?: boolean;
}

/** Posts a correction, for which a reason is asked. */
export function CorrectionButton({ action, title, text, submit, isCompact = false }: CorrectionButtonProps) {
  const queries = useQueryClient();
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant={isCompact ? 'subtle' : 'default'} size={isCompact ? 'compact-sm' : 'sm'} onClick={open}>
        {action}
      </Button>
      <ConfirmDialog<unknown>
        opened={opened}
        close={close}
        title={title}
        action={action}
        isDestructive
        needsReason
        submit={submit}
        onDone={() => queries.invalidateQueries({ queryKey: ['business'] })}
      >
        {text}
      </ConfirmDialog>
    </>
  );
}
