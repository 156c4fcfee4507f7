import { Button, type ButtonProps, Tooltip } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useId } from 'react';
import { notify } from '../page/page.tsx';
import { KeyHint, useShortcut } from '../shell/shortcuts.tsx';

type Props = Omit<ButtonProps, 'disabled'> & {
  children: string;
  onClick: () => void;
  /** Why it is disabled: shown on hover and focus, and to screen readers. */
  reason?: string | null | undefined;
  keys?: string;
  /** For the line of keys at the foot of a page. */
  hint?: string;
  icon?: ReactNode;
  type?: 'button' | 'submit';
};

/** Shows its shortcut. If it is disabled, it explains why instead of disappearing. */
export function ActionButton({ children, onClick, reason = null, keys, hint, icon, loading, ...rest }: Props) {
  const describedBy = useId();
  const run = () => reason === null && !loading && onClick();
  useShortcut(keys ?? '', children, keys ? () => (reason === null ? run() : notify(reason)) : null, hint);
  const button = (
    <Button
      {...rest}
      loading={loading ?? false}
      onClick={run}
      leftSection={icon}
      rightSection={keys && <KeyHint>{keys}</KeyHint>}
      {...(reason === null ? {} : { 'aria-disabled': true, 'data-disabled': true, 'aria-describedby': describedBy })}
    >
      {children}
    </Button>
  );
  // One element in both states, so that a press is not lost when it becomes enabled.
  return (
    <>
      <Tooltip label={reason} disabled={reason === null}>
        {button}
      </Tooltip>
      <span id={describedBy} hidden>
        {reason}
      </span>
    </>
  );
}

/** Opens another page. */
export function PageButton({ to, label, ...look }: ButtonProps & { to: string; label: string; icon?: ReactNode }) {
  const navigate = useNavigate();
  return (
    <ActionButton {...look} onClick={() => void navigate({ to })}>
      {label}
    </ActionButton>
  );
}
