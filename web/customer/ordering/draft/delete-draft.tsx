import { Button } from '@mantine/core';
import { useState } from 'react';
import { ConfirmOperation } from '../../../app/confirm-operation.tsx';

type Props = { id: string; title: string; onDeleted?: () => void; small?: boolean };

export function DeleteDraft({ id, title, onDeleted, small = false }: Props) {
  const [isConfirming, setIsConfirming] = useState(false);
  return (
    <>
      <Button
        variant="subtle"
        color="bad"
        {...(small ? { size: 'compact-sm', ml: 'auto', 'aria-label': `Delete the draft ${title}` } : {})}
        onClick={() => setIsConfirming(true)}
      >
        {small ? 'Delete' : 'Delete the draft'}
      </Button>
      {isConfirming && (
        <ConfirmOperation
          title="Delete this draft?"
          confirm="Delete it"
          destructive
          operation="closeIntake"
          input={{ path: { id } }}
          onDone={onDeleted}
          onClose={() => setIsConfirming(false)}
        >
          Nothing is ordered. You can still read it under Concierge, but not continue it. You can also just leave: it
          stays open for thirty days.
        </ConfirmOperation>
      )}
    </>
  );
}
