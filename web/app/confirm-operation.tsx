import type { ReactNode } from 'react';
import { Confirm } from '../ui/dialog/dialog.tsx';
import { type Operation, type Output, type Sent, useOperation } from './api.ts';

export type Question<K extends Operation> = {
  title: string;
  /** The label of the button that runs the operation. */
  confirm: string;
  children: ReactNode;
  operation: K;
  input: Sent<K>;
  /** Runs after the dialog is closed, also if the page has gone. */
  onDone?: ((output: Output<K>) => void) | undefined;
  destructive?: boolean;
};

/** Asks, runs an operation, and closes. */
export function ConfirmOperation<K extends Operation>({
  operation,
  input,
  onDone,
  onClose,
  ...question
}: Question<K> & { opened?: boolean; onClose: () => void }) {
  const { mutate, isPending, error } = useOperation(operation, (output) => (onClose(), onDone?.(output)));
  return (
    <Confirm opened {...question} onClose={onClose} pending={isPending} error={error} onConfirm={() => mutate(input)} />
  );
}
