import { Button, type ButtonProps, Group, Modal, type ModalProps } from '@mantine/core';
import type { ComponentPropsWithoutRef, KeyboardEvent, ReactNode } from 'react';
import { submitting } from '../form/form.ts';
import { Failure } from '../page/page.tsx';
import { useFocusBack } from './focus-back.ts';

/** Gives the focus back when it closes. `mod+Enter` submits its form. */
export function Dialog(props: ModalProps) {
  useFocusBack(props.opened);
  return <Modal returnFocus={false} onKeyDownCapture={submitFromList} onKeyDown={submitForm} {...props} />;
}

/** A closed list takes every Enter to open itself. */
function submitFromList(event: KeyboardEvent<HTMLElement>): void {
  const isClosedList =
    event.target instanceof Element && event.target.matches('input[aria-haspopup="listbox"]:not([data-expanded])');
  if (!isClosedList || !(event.ctrlKey || event.metaKey)) return;
  submitForm(event);
  if (event.defaultPrevented) event.stopPropagation();
}

function submitForm(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'Enter' || event.defaultPrevented) return;
  if (!(event.target instanceof Element) || event.target.matches('button:not([type=submit])')) return;
  if (!(event.ctrlKey || event.metaKey)) {
    // On a closed list it would submit the form.
    if (event.target.matches('input[aria-haspopup="listbox"]')) event.preventDefault();
    return;
  }
  const button = event.target.closest('form')?.querySelector<HTMLElement>('button[type="submit"]:not(:disabled)');
  if (!button) return;
  event.preventDefault();
  button.click();
}

type ButtonsProps = { onBack: () => void; back?: string; focusBack?: boolean } & ButtonProps &
  Omit<ComponentPropsWithoutRef<'button'>, keyof ButtonProps>;

/** The way back, and the button for the dialog's action. */
export const DialogButtons = ({ onBack, back = 'Back', focusBack, ...confirm }: ButtonsProps) => (
  <Group justify="flex-end">
    <Button variant="default" onClick={onBack} data-autofocus={focusBack || undefined}>
      {back}
    </Button>
    <Button {...confirm} />
  </Group>
);

type FormDialogProps = {
  opened?: boolean;
  onClose: () => void;
  title: string;
  size?: number;
  children: ReactNode;
  /** The label of the button that submits the form. */
  submit: string;
  onSubmit: () => void;
  /** The label of the button that leaves everything as it is. */
  back?: string;
  /** What that button does instead of closing. */
  onBack?: (() => void) | undefined;
  /** The mutation: its button shows that it is pending, its error is shown above the buttons. */
  action?: { isPending?: boolean; error: Error | null };
  /** Fields that show their own errors. */
  fields?: string[];
  disabled?: boolean;
  destructive?: boolean;
  /** For dialogs without a field to begin with. What cannot be taken back never has the focus first. */
  focusSubmit?: boolean;
  focusBack?: boolean;
};

/** Fields and one action. */
export const FormDialog = ({ opened = true, onClose, title, children, submit, action, ...rest }: FormDialogProps) => (
  <Dialog opened={opened} onClose={onClose} title={title} {...(rest.size && { size: rest.size })}>
    <form className="stack" onSubmit={submitting(rest.onSubmit)}>
      {children}
      {action?.error && <Failure error={action.error} fields={rest.fields ?? []} />}
      <DialogButtons
        onBack={rest.onBack ?? onClose}
        back={rest.back ?? 'Back'}
        type="submit"
        loading={action?.isPending ?? false}
        disabled={rest.disabled ?? false}
        {...(rest.destructive && { color: 'bad' })}
        focusBack={rest.focusBack ?? false}
        {...(rest.focusSubmit && { 'data-autofocus': true })}
      >
        {submit}
      </DialogButtons>
    </form>
  </Dialog>
);

type ConfirmProps = Pick<
  FormDialogProps,
  'opened' | 'onClose' | 'title' | 'children' | 'back' | 'onBack' | 'destructive'
> & {
  /** The label of the button that confirms. */
  confirm: string;
  pending: boolean;
  error: Error | null;
  onConfirm: () => void;
};

export const Confirm = ({ children, confirm, pending, error, onConfirm, ...dialog }: ConfirmProps) => (
  <FormDialog {...dialog} submit={confirm} onSubmit={onConfirm} action={{ isPending: pending, error }} focusBack>
    <div className="second">{children}</div>
  </FormDialog>
);
