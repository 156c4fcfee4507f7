import { Button, Group } from '@mantine/core';
import type { ModeProps } from './mode.ts';

/** A bar above the file if it is not of the newest delivery. */
export function Newer({ delivery, newest, hasCome, onNewest }: ModeProps) {
  if (delivery.round === newest.round) return null;
  const number = newest.round + 1;
  return (
    <Group className="line-below" gap="8px 12px" px={16} py={8} bg="var(--turn-soft)" c="var(--turn)" role="status">
      {hasCome
        ? `Delivery ${number} has come meanwhile.`
        : `This is delivery ${delivery.round + 1}. The newest is delivery ${number}.`}
      <Button variant="default" size="xs" onClick={onNewest}>
        Look at it
      </Button>
    </Group>
  );
}
