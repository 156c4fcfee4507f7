import { Button } from '@mantine/core';
import { Dialog, DialogButtons } from '../../ui/dialog/dialog.tsx';
import { sayCount } from '../../ui/review/comments.ts';

export type UnsavedComments = { count: number; isSaving: boolean; save: () => void };

type Props = { unsaved: UnsavedComments; onClose: () => void; onGoOn: () => void };

/** Before anything is decided: what only this browser has is in no decision. */
export function NotSaved({ unsaved: { count, isSaving, save }, onClose, onGoOn }: Props) {
  const them = count === 1 ? 'it' : 'them';
  return (
    <Dialog opened onClose={onClose} title={`${sayCount(count, 'comment')} ${count === 1 ? 'is' : 'are'} not saved`}>
      <div className="stack">
        <p className="second">
          Only this browser has {them}: neither your colleagues nor the studio read {them}. Try again, or go on without{' '}
          {them}.
        </p>
        <DialogButtons onBack={onClose} onClick={save} loading={isSaving} data-autofocus>
          Try again
        </DialogButtons>
        <Button variant="subtle" onClick={onGoOn}>
          Go on without {them}
        </Button>
      </div>
    </Dialog>
  );
}
