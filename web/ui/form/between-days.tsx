import { Button, Popover, TextInput } from '@mantine/core';
import { IconChevronDown } from '../look/icons.ts';
import { boundOfDay } from '../time/day.ts';
import { sayDay } from '../time/time.tsx';

type Days = { from: string | undefined; to: string | undefined };
type Props = Days & {
  /** What happened on those days, such as "Ordered". */
  verb: string;
  none: string;
  onChange: (change: Partial<Days>) => void;
};

/** Chooses days (`2026-11-22`), both included. */
export function BetweenDays({ verb, none, from, to, onChange }: Props) {
  const [first, last] = [boundOfDay(from), boundOfDay(to)];
  const words = [first && `from ${sayDay(first)}`, last && `until ${sayDay(last)}`].filter(Boolean).join(' ');
  return (
    <Popover position="bottom-end" trapFocus>
      <Popover.Target>
        <Button variant="default" size="xs" h={30} rightSection={<IconChevronDown size={14} />}>
          {words ? `${verb} ${words}` : none}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <div className="stack-small">
          <DateField label={`${verb} from`} value={from} onChange={(value) => onChange({ from: value })} />
          <DateField label={`${verb} until`} value={to} onChange={(value) => onChange({ to: value })} />
          {words && (
            <Button variant="subtle" size="xs" onClick={() => onChange({ from: undefined, to: undefined })}>
              Clear
            </Button>
          )}
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}

type DateProps = { label: string; value: string | undefined; onChange: (value: string | undefined) => void };

const DateField = ({ label, value, onChange }: DateProps) => (
  <TextInput
    type="date"
    size="xs"
    w={200}
    label={label}
    value={boundOfDay(value) ? value : ''}
    onChange={(event) => onChange(event.currentTarget.value || undefined)}
  />
);
