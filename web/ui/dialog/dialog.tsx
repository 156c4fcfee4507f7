import { Button, type ButtonProps, Group, Modal, type ModalProps } from '@mantine/core';
import type { ComponentPropsWithoutRef, ReactNode } from 'react';
import { Failure } from '../page/failure.tsx';
import { useFocusBack } from './focus-back.ts';

/** Gives the focus back when it closes. */
export function Dialog(props: ModalProps) {
  useFocusBack(props.opened);
  return <Modal returnFocus={false} {...props} />;
}

type DialogButtonsProps = { onBack: () => void } & ButtonProps &
  Omit<ComponentPropsWithoutRef<'button'>, keyof ButtonProps>;

/** The way back, and the button for the dialog's action. */
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
  children: ReactNode;
  confirm: string;
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
