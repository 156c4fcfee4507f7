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
  const day = { type: 'date', size: 'xs', w: 200 } as const;
  return (
    <Popover position="bottom-end" trapFocus>
      <Popover.Target>
        <Button variant="default" size="xs" h={30} rightSection={<IconChevronDown size={14} />}>
          {words ? `${verb} ${words}` : none}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <div className="stack-small">
          <TextInput
            {...day}
            label={`${verb} from`}
            value={first ? from : ''}
            onChange={({ currentTarget: { value } }) => onChange({ from: value || undefined })}
          />
          <TextInput
            {...day}
            label={`${verb} until`}
            value={last ? to : ''}
            onChange={({ currentTarget: { value } }) => onChange({ to: value || undefined })}
          />
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
