import { Box } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import type { Insert } from './inserts.ts';

/** What a field offers to insert. */
export type Inserts = {
  /** The name of the list. */
  label: string;
  /** Undefined until they are loaded. */
  items: Insert[] | undefined;
  /** Shown instead of an empty list. */
  none: ReactNode;
  onOpen: () => void;
};

type Props = {
  id: string;
  inserts: Inserts;
  options: Insert[];
  /** How many there are besides. */
  more: number;
  active: Insert | undefined;
  optionId: (insert: Insert) => string;
  fits: (insert: Insert) => boolean;
  onChoose: (insert: Insert) => void;
};

/** A press leaves the focus in the field. */
export function InsertList({ id, inserts, options, more, active, optionId, fits, onChoose }: Props) {
  const list = useRef<HTMLDivElement>(null);
  // Where there is no room below, the page moves up.
  useEffect(() => {
    list.current?.scrollIntoView({ block: 'nearest' });
  }, [options.length]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- it only keeps the focus where it is
    <div
      ref={list}
      // Above the bar of a phone, too.
      style={{ scrollMarginBottom: 84 }}
      className="insert-list"
      onMouseDown={(event) => event.preventDefault()}
    >
      {options.length > 0 ? (
        <Box id={id} p={4} role="listbox" aria-label={inserts.label}>
          {options.map((insert) => (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field has the keys
            <div
              key={insert.id}
              id={optionId(insert)}
              role="option"
              className="insert-option"
              tabIndex={-1}
              style={{ cursor: fits(insert) ? 'pointer' : 'default' }}
              aria-selected={insert === active}
              aria-disabled={!fits(insert)}
              onClick={() => onChoose(insert)}
            >
              <span className="ink">{insert.name}</span>
              <span className="small second one-line">{fits(insert) ? insert.text : 'Too long for this field'}</span>
            </div>
          ))}
        </Box>
      ) : (
        <Words role="status">{inserts.items?.length ? 'None has this name.' : inserts.none}</Words>
      )}
      {more > 0 && <Words>{more} more. Type a part of a name to find it.</Words>}
    </div>
  );
}

const Words = ({ role, children }: { role?: 'status'; children: ReactNode }) => (
  <Box component="p" className="small second" px={12} py={10} role={role}>
    {children}
  </Box>
);
