import { Button, type ButtonProps, Group, Modal, type ModalProps } from '@mantine/core';
import type { ComponentPropsWithoutRef, KeyboardEvent, ReactNode } from 'react';
import { Failure } from '../page/failure.tsx';
import { useFocusBack } from './focus-back.ts';

/** Gives the focus back when it closes. `mod+Enter` submits its form. */
export function Dialog(props: ModalProps) {
  useFocusBack(props.opened);
  return <Modal returnFocus={false} onKeyDown={submitForm} {...props} />;
}

function submitForm(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
  if (!(event.target instanceof Element)) return;
  const button = event.target.closest('form')?.querySelector<HTMLElement>('button[type="submit"]:not(:disabled)');
  if (!button) return;
  event.preventDefault();
  button.click();
}

type DialogButtonsProps = { onBack: () => void; back?: string } & ButtonProps &
  Omit<ComponentPropsWithoutRef<'button'>, keyof ButtonProps>;

/** The way back, and the button for the dialog's action. */
export const DialogButtons = ({ onBack, back = 'Back', ...confirm }: DialogButtonsProps) => (
  <Group justify="flex-end">
    <Button variant="default" onClick={onBack}>
      {back}
    </Button>
    <Button {...confirm} />
  </Group>
);

type ConfirmProps = {
  opened: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  confirm: string;
  /** The button that leaves everything as it is. */
  back?: string;
  destructive?: boolean;
  pending: boolean;
  error: Error | null;
  onConfirm: () => void;
};

export const Confirm = ({
  opened,
  onClose,
  title,
  children,
  confirm,
  back,
  destructive,
  pending,
  error,
  onConfirm,
}: ConfirmProps) => (
  <Dialog opened={opened} onClose={onClose} title={title}>
    <div className="stack">
      <div className="second">{children}</div>
      {error && <Failure error={error} />}
      <DialogButtons
        onBack={onClose}
        {...(back ? { back } : {})}
        loading={pending}
        onClick={onConfirm}
        data-autofocus
        {...(destructive ? { color: 'bad' } : {})}
      >
        {confirm}
      </DialogButtons>
    </div>
  </Dialog>
);
