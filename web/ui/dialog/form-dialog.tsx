import type { ReactNode } from 'react';
import { Failure } from '../page/failure.tsx';
import { Dialog, DialogButtons } from './dialog.tsx';

type Props = {
  opened?: boolean;
  onClose: () => void;
  title: string;
  size?: number;
  children: ReactNode;
  /** The label of the button that submits the form. */
  submit: string;
  onSubmit: () => void;
  /** The mutation: its button shows that it is pending, its error is shown above the buttons. */
  action?: { isPending?: boolean; error: Error | null };
  /** Fields that show their own errors. */
  fields?: string[];
  disabled?: boolean;
  destructive?: boolean;
  /** For dialogs without a field to begin with. */
  focusSubmit?: boolean;
};

/** Fields and one action: what is repeated wherever people fill in a form in a dialog. */
export const FormDialog = ({
  opened = true,
  onClose,
  title,
  size,
  children,
  submit,
  onSubmit,
  action,
  fields = [],
  disabled = false,
  destructive = false,
  focusSubmit = false,
}: Props) => (
  <Dialog opened={opened} onClose={onClose} title={title} {...(size ? { size } : {})}>
    <form className="stack" onSubmit={(event) => (event.preventDefault(), onSubmit())}>
      {children}
      {action?.error && <Failure error={action.error} fields={fields} />}
      <DialogButtons
        onBack={onClose}
        type="submit"
        loading={action?.isPending ?? false}
        disabled={disabled}
        {...(destructive ? { color: 'bad' } : {})}
        {...(focusSubmit ? { 'data-autofocus': true } : {})}
      >
        {submit}
      </DialogButtons>
    </form>
  </Dialog>
);
