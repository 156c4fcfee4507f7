import { Button } from '@mantine/core';

type Props = {
  children: string;
  /** For screen readers: with the name of the row. */
  label?: string | undefined;
  destructive?: boolean;
  onClick: () => void;
};

/** A button in the last column of a list. */
export const RowButton = ({ children, label, destructive = false, onClick }: Props) => (
  <Button variant="subtle" size="xs" h={28} {...(destructive && { color: 'bad' })} aria-label={label} onClick={onClick}>
    {children}
  </Button>
);
