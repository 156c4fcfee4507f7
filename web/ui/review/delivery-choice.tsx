import { Flex, NativeSelect } from '@mantine/core';
import type { Compared } from './compare.ts';

type Props = {
  /** Oldest first. */
  deliveries: Compared[];
  earlier: Compared;
  later: Compared;
  onChoose: (earlier: Compared, later: Compared) => void;
};

/** Which two deliveries are compared. With two there is nothing to choose. */
export function DeliveryChoice({ deliveries, earlier, later, onChoose }: Props) {
  if (deliveries.length < 3) return `${earlier.label} and ${later.label}`;
  const choice = (label: string, from: Compared[], chosen: Compared, onChange: (delivery: Compared) => void) => (
    <NativeSelect
      aria-label={label}
      size="xs"
      data={from.map((delivery) => ({ value: String(delivery.round), label: delivery.label }))}
      value={String(chosen.round)}
      onChange={({ currentTarget: { value } }) => {
        const delivery = from.find(({ round }) => String(round) === value);
        if (delivery) onChange(delivery);
      }}
    />
  );
  const before = deliveries.filter(({ round }) => round < later.round);
  const after = deliveries.filter(({ round }) => round > earlier.round);
  return (
    <Flex component="span" display="inline-flex" align="center" gap={8}>
      {choice('Earlier delivery', before, earlier, (delivery) => onChoose(delivery, later))}
      and
      {choice('Later delivery', after, later, (delivery) => onChoose(earlier, delivery))}
    </Flex>
  );
}
