import { Button, type ButtonProps, Group, Modal } from '@mantine/core';
import { type ComponentPropsWithoutRef, type ReactNode, useLayoutEffect, useState } from 'react';
import { AtelierError } from '../../client/error.ts';
import { Failure } from './failure.tsx';

/** State that outlives a reload, a session and a deployment, until `forget` is called. */
export function useDraft<Draft>(name: string, initial: Draft) {
  const key = `atelier-draft-${name}`;
  const [draft, setDraft] = useState(() => (readDraft(key) as Draft | null) ?? initial);
  // Before it is shown: what the page says is kept must survive a reload at that very moment.
  useLayoutEffect(() => {
    // A full or closed storage loses the draft on reload, nothing else.
    try {
      localStorage.setItem(key, JSON.stringify(draft));
    } catch {}
  }, [key, draft]);
  const forget = () => {
    localStorage.removeItem(key);
    setDraft(initial);
  };
  return [draft, setDraft, forget] as const;
}

function readDraft(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') as unknown;
  } catch {
    return null;
  }
}

/** The fault that an error names for a field, such as `/customer_title`. */
export function fieldError(error: Error | null, location: string): string | null {
  if (!(error instanceof AtelierError)) return null;
  const found = error.details.find((detail) => detail.location === location || detail.location === `/${location}`);
  return found ? `This ${found.message}.` : null;
}

/** Whether an error names one of these fields, so that it is shown there and not below the form too. */
export const namesField = (error: Error | null, locations: string[]): boolean =>
  locations.some((location) => fieldError(error, location) !== null);

type DialogButtonsProps = { onBack: () => void } & ButtonProps &
  Omit<ComponentPropsWithoutRef<'button'>, keyof ButtonProps>;

/** At the foot of a dialog: the way back, and the button that does what the dialog is for. */
export const DialogButtons = ({ onBack, ...confirm }: DialogButtonsProps) => (
  <Group justify="flex-end">
    <Button variant="default" onClick={onBack}>
      Back
    </Button>
    <Button {...confirm} />
  </Group>
);

type ConfirmProps = {
  opened: boolean;
  onClose: () => void;
  title: string;
  /** What follows from it. */
  children: ReactNode;
  confirm: string;
  destructive?: boolean;
  pending: boolean;
  error: Error | null;
  onConfirm: () => void;
};

/** Asks before what cannot be undone, and says what follows. */
export const Confirm = ({
  opened,
  onClose,
  title,
  children,
  confirm,
  destructive,
  pending,
  error,
  onConfirm,
}: ConfirmProps) => (
  <Modal opened={opened} onClose={onClose} title={title}>
    <div className="stack">
      <div className="second">{children}</div>
      {error && <Failure error={error} />}
      <DialogButtons
        onBack={onClose}
        loading={pending}
        onClick={onConfirm}
        data-autofocus
        {...(destructive ? { color: 'bad' } : {})}
      >
        {confirm}
      </DialogButtons>
    </div>
  </Modal>
);
