import { Box, Button, Flex, NumberInput, TextInput } from '@mantine/core';
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { KeyOnce } from '../ui/dialog/key-once.tsx';
import { fieldError } from '../ui/form/form.ts';
import { useWarningOnLeave } from '../ui/page/use-warning-on-leave.ts';
import { Time } from '../ui/time/time.tsx';

type Link = { id: string; name: string; expires_at: string; opened_at: string | null };

export const LinkOnce = ({ name, url, onClose }: { name: string; url: string | null; onClose: () => void }) => (
  <KeyOnce
    title={`Link for ${name}`}
    secret={url}
    shown={(all) => all.indexOf('#') + 1}
    why="Shown once. Whoever has the link can open it: pass it on with care."
    ifLost="Revoke it and create another one."
    onClose={onClose}
  />
);

export const newLink = { name: '', days: 14 };

type FieldsProps = {
  value: typeof newLink;
  onChange: (value: typeof newLink) => void;
  placeholder: string;
  error: Error | null;
  /** What stands between the two fields. */
  children?: ReactNode;
};

/** For whom a link is, and until when. */
export const LinkFields = ({ value, onChange, placeholder, error, children }: FieldsProps) => (
  <>
    <TextInput
      label="For whom?"
      description="Only your account sees this name."
      placeholder={placeholder}
      required
      maxLength={80}
      value={value.name}
      onChange={({ currentTarget }) => onChange({ ...value, name: currentTarget.value })}
      error={fieldError(error, 'name')}
      data-autofocus
    />
    {children}
    <NumberInput
      label="Days until it ends"
      min={1}
      max={30}
      clampBehavior="strict"
      allowDecimal={false}
      value={value.days}
      onChange={(days) => onChange({ ...value, days: Number(days) || 1 })}
      w={140}
    />
  </>
);

type LinesProps<Row extends Link> = {
  links: Row[];
  says: (link: Row) => string;
  revoke: (link: Row) => void;
  /** Asked before, where a link has something to lose; otherwise revoking can be undone for some seconds. */
  ask?: (link: Row) => (() => void) | null;
};

/** Links that work now. */
export function LinkLines<Row extends Link>({ links, says, revoke, ask }: LinesProps<Row>) {
  const { waiting, later, undo } = useUndo(revoke);
  return (
    <ul aria-label="Links that work now">
      {links.map((link) => (
        <Flex
          component="li"
          key={link.id}
          className="line-below"
          align="center"
          justify="space-between"
          gap={12}
          py={8}
        >
          <span>
            <Box component="strong" className="breaks" fw={500}>
              {link.name}
            </Box>
            <Box className="small second">
              {says(link)} · until <Time at={link.expires_at} as="day" /> ·{' '}
              {link.opened_at ? 'opened ' : 'not opened yet'}
              {link.opened_at && <Time at={link.opened_at} />}
            </Box>
          </span>
          {waiting.includes(link.id) ? (
            <span className="row" role="status">
              <span className="small second">Ends in {undoSeconds} s</span>
              <Button variant="default" size="xs" aria-label={`Keep ${link.name}`} onClick={() => undo(link.id)}>
                Undo
              </Button>
            </span>
          ) : (
            <Button
              variant="subtle"
              color="bad"
              size="xs"
              aria-label={`Revoke ${link.name}`}
              onClick={ask?.(link) ?? (() => later(link))}
            >
              Revoke
            </Button>
          )}
        </Flex>
      ))}
    </ul>
  );
}

const undoSeconds = 8;

/** Runs after some seconds, or at once when the dialog is closed. */
function useUndo<Row extends Link>(run: (link: Row) => void) {
  const [waiting, setWaiting] = useState<string[]>([]);
  const timers = useRef(new Map<string, { link: Row; timer: ReturnType<typeof setTimeout> }>());
  useWarningOnLeave(waiting.length > 0);
  const undo = (id: string) => {
    clearTimeout(timers.current.get(id)?.timer);
    timers.current.delete(id);
    setWaiting((ids) => ids.filter((each) => each !== id));
  };
  const end = (link: Row) => (undo(link.id), run(link));
  const endAll = useEffectEvent(() => [...timers.current.values()].forEach(({ link }) => end(link)));
  useEffect(() => () => endAll(), []);
  const later = (link: Row) => {
    timers.current.set(link.id, { link, timer: setTimeout(() => end(link), undoSeconds * 1_000) });
    setWaiting((ids) => [...ids, link.id]);
  };
  return { waiting, later, undo };
}
