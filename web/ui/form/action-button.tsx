import { Button, type ButtonProps, Tooltip } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { KeyHint, useShortcut } from '../shell/shortcuts.tsx';

type Props = Omit<ButtonProps, 'disabled'> & {
  children: string;
  onClick: () => void;
  /** Why it cannot be done now: the button is shown, does nothing, and says so to hover, focus and screen readers. */
  reason?: string | null | undefined;
  keys?: string;
  icon?: ReactNode;
  type?: 'button' | 'submit';
};

/** A button with its key. One that is forbidden says why instead of vanishing. */
export function ActionButton({ children, onClick, reason = null, keys, icon, loading, ...rest }: Props) {
  const describedBy = useId();
  const run = () => {
    if (reason === null && !loading) onClick();
  };
  useShortcut(keys ?? '', children, keys && reason === null ? run : null);
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
  // One tree for both: a button that becomes possible under a press stays the one that is pressed.
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
