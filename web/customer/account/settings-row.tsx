import { Box, Button } from '@mantine/core';
import {
  createContext,
  type KeyboardEvent,
  type ReactNode,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';

type Open = { row: string | null; set: (row: string | null) => void };
const OpenRow = createContext<Open>({ row: null, set: () => {} });

/** The sections of the settings. One row at a time is open. */
export function Sections({ children }: { children: ReactNode }) {
  const [row, set] = useState<string | null>(null);
  // The sections are there only now, so the browser has not found the one of the address.
  useEffect(() => document.getElementById(location.hash.slice(1))?.scrollIntoView(), []);
  return <OpenRow value={{ row, set }}>{children}</OpenRow>;
}

type RowProps = {
  term: string;
  /** What holds now; undefined while it is read. */
  value: ReactNode;
  more?: ReactNode;
  /** The word on the button, if it is not "Change". */
  verb?: string;
  /** The word that closes the open row: "Close" where all is saved at once. */
  back?: 'Cancel' | 'Close';
  /** Instead of opening the row. */
  onPress?: () => void;
  /** What the open row shows. Without it the row is text alone. */
  children?: ((close: () => void) => ReactNode) | undefined;
};

/** One thing that can be set: closed with what holds now, or open with its form. */
export function Row({ term, value, more, verb = 'Change', back = 'Cancel', onPress, children }: RowProps) {
  const { row, set } = useContext(OpenRow);
  const id = useId();
  const isOpen = row === id;
  const button = useRef<HTMLButtonElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    // Else the button that closes, which is the last: what ends something never has the focus first.
    if (isOpen)
      (
        body.current?.querySelector<HTMLElement>('input:not([type=hidden])') ??
        [...body.current!.querySelectorAll('button')].at(-1)
      )?.focus();
    else if (wasOpen.current && document.activeElement === document.body) button.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  const close = () => set(null);
  const onKeyDown = (event: KeyboardEvent) => {
    // A dialog that a row has opened closes first.
    if (event.key === 'Escape' && !event.defaultPrevented && body.current?.contains(event.target as Node)) close();
  };
  const summary = (
    <>
      <span className="ink">{value ?? '…'}</span>
      {more && <span className="small second"> · {more}</span>}
    </>
  );
  return (
    <div className="setting-row" role="group" aria-label={term} data-open={isOpen || undefined}>
      <Box component="span" className={isOpen ? 'setting-term ink' : 'setting-term'} fw={isOpen ? 600 : ''}>
        {term}
      </Box>
      {isOpen ? (
        // eslint-disable-next-line jsx-a11y/no-static-element-interactions -- the keys of what is inside
        <Box className="setting-body" maw={640} ref={body} onKeyDown={onKeyDown}>
          {children?.(close)}
          <Button variant="subtle" size="xs" mt={10} onClick={close}>
            {back}
          </Button>
        </Box>
      ) : (
        <span className="breaks">{summary}</span>
      )}
      {!isOpen && (children ?? onPress) && (
        <Button
          ref={button}
          variant="subtle"
          size="xs"
          h={28}
          aria-label={`${verb}: ${term}`}
          aria-expanded={onPress ? undefined : false}
          onClick={onPress ?? (() => set(id))}
        >
          {verb}
        </Button>
      )}
    </div>
  );
}
