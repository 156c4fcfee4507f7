import { Button, Popover, TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { IconChevronDown } from '../look/icons.ts';
import { boundOfDay } from '../time/day.ts';
import { sayDays } from '../time/time.tsx';

type Days = { from: string | undefined; to: string | undefined };
type Props = Days & {
  /** What happened on those days, such as "Ordered". */
  verb: string;
  none: string;
  onChange: (change: Partial<Days>) => void;
};

/** Chooses days (`2026-11-22`), both included. */
export function BetweenDays({ verb, none, from, to, onChange }: Props) {
  const words = sayDays(from, to);
  return (
    <Popover position="bottom-end" trapFocus>
      <Popover.Target>
        <Button variant="default" size="xs" h={30} rightSection={<IconChevronDown size={14} />}>
          {words ? `${verb} ${words}` : none}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <div className="stack-small">
          <DayFields {...{ verb, from, to, onChange }} size="xs" w={200} />
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

type FieldsProps = Omit<Props, 'none'> & Pick<TextInputProps, 'size' | 'w'>;

/** The two fields, for a form of other fields. */
export const DayFields = ({ verb, from, to, onChange, ...look }: FieldsProps) => (
  <>
    <DayField {...look} label={`${verb} from`} day={from} onDay={(day) => onChange({ from: day })} />
    <DayField {...look} label={`${verb} until`} day={to} onDay={(day) => onChange({ to: day })} />
  </>
);

type FieldProps = TextInputProps & { day: string | undefined; onDay: (day: string | undefined) => void };

/** While a year is typed, the browser reports the years 2, 20 and 202: the field alone keeps those. */
function DayField({ day, onDay, ...look }: FieldProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const onType = (text: string) => {
    const isDay = text === '' || (boundOfDay(text) !== undefined && !text.startsWith('0'));
    setTyped(isDay ? null : text);
    if (isDay) onDay(text || undefined);
  };
  return (
    <TextInput
      {...look}
      type="date"
      value={typed ?? (boundOfDay(day) ? day : '')}
      onChange={({ currentTarget: { value } }) => onType(value)}
    />
  );
}
