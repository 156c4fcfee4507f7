import { Button, Group } from '@mantine/core';

type Props = {
  /** Of the newest delivery, and of the one that is shown, as pages count them. */
  newest: number;
  shown: number;
  /** Whether the newest came while the review was open. */
  hasCome: boolean;
  onLook: () => void;
};

/** A bar above the file if it is not of the newest delivery. */
export const NewerBar = ({ newest, shown, hasCome, onLook }: Props) =>
  newest > shown && (
    <Group className="line-below" gap="8px 12px" px={16} py={8} bg="var(--turn-soft)" c="var(--turn)" role="status">
      {hasCome
        ? `Delivery ${newest} has come meanwhile.`
        : `This is delivery ${shown}. The newest is delivery ${newest}.`}
      <Button variant="default" size="xs" onClick={onLook}>
        Look at it
      </Button>
    </Group>
  );
