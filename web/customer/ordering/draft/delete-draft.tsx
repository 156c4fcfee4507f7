import { Button } from '@mantine/core';
import { useState } from 'react';
import { useOperation } from '../../../app/api.ts';
import { Confirm } from '../../../ui/dialog/dialog.tsx';

type Props = { id: string; title: string; onDeleted?: () => void; small?: boolean };

export function DeleteDraft({ id, title, onDeleted = () => {}, small = false }: Props) {
  const close = useOperation('closeIntake');
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
      <Confirm
        opened={isConfirming}
        onClose={() => setIsConfirming(false)}
        title="Delete this draft?"
        confirm="Delete it"
        destructive
        pending={close.isPending}
        error={close.error}
        onConfirm={() =>
          close.mutate(
            { path: { id } },
            {
              onSuccess: () => {
                setIsConfirming(false);
                onDeleted();
              },
            },
          )
        }
      >
        Nothing is ordered. You can still read it under Concierge, but not continue it. You can also just leave: it
        stays open for thirty days.
      </Confirm>
    </>
  );
}
