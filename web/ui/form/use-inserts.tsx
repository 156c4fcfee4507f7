import { type KeyboardEvent, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react';
import { KeyHint } from '../shell/shortcuts.tsx';
import { InsertList, type Inserts } from './insert-list.tsx';
import { type Insert, inserted, matching, type Query, queryAfter } from './inserts.ts';

type Field = { value: string; onWrite: (text: string) => void; maxLength: number };

/** Shown at once. The others are found by typing, so that nothing has to be scrolled. */
const atOnce = 8;

/** Saved texts for a text field: `/` as its first character lists them, and so does the button. */
export function useInserts(
  field: RefObject<HTMLTextAreaElement | null>,
  { value, onWrite, maxLength }: Field,
  inserts: Inserts | undefined,
) {
  const id = useId();
  const [query, setQuery] = useState<Query | null>(null);
  const [at, setAt] = useState(0);
  const moveCaret = useCaret(field);
  const open = inserts !== undefined && query !== null;
  const all = open ? matching(inserts.items ?? [], value, query) : [];
  const options = all.slice(0, atOnce);
  const active = options[Math.min(at, options.length - 1)];
  const fits = (insert: Insert) => query === null || inserted(value, query, insert).length <= maxLength;
  const show = (next: Query | null) => {
    if (next && !query) inserts?.onOpen();
    setQuery(next);
    setAt(0);
  };
  const choose = (insert: Insert | undefined) => {
    if (!insert || !query || !fits(insert)) return;
    onWrite(inserted(value, query, insert));
    moveCaret(query.from + insert.text.length);
    show(null);
  };
  const openByButton = () => {
    const caret = field.current?.selectionEnd ?? value.length;
    show(open ? null : { from: caret, to: caret, slash: false });
    field.current?.focus();
  };
  /** Whether the list has used the key. */
  const onKey = (event: KeyboardEvent): boolean => {
    if (!open || event.nativeEvent.isComposing) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && options.length > 0) setAt((Math.min(at, options.length - 1) + step + options.length) % options.length);
    else if (event.key === 'Enter' && active) choose(active);
    else if (event.key === 'Escape') show(null);
    else return false;
    event.preventDefault();
    return true;
  };
  const optionId = (insert: Insert) => `${id}-${insert.id}`;
  return {
    onKey,
    field: {
      onBlur: () => show(null),
      onChange: ({ currentTarget }: { currentTarget: HTMLTextAreaElement }) => {
        onWrite(currentTarget.value);
        show(inserts ? queryAfter(currentTarget.value, currentTarget.selectionEnd, query) : null);
      },
      // Otherwise Escape closes the dialog around the field.
      ...(open ? { 'data-mantine-stop-propagation': 'true' } : {}),
      // A field of several lines may not be called a combobox. It names its list all the same.
      ...(active && {
        'aria-haspopup': 'listbox' as const,
        'aria-autocomplete': 'list' as const,
        'aria-controls': id,
        'aria-activedescendant': optionId(active),
      }),
    },
    button: inserts && <InsertButton label={inserts.label} onPress={openByButton} />,
    list: open && (
      <InsertList
        id={id}
        inserts={inserts}
        options={options}
        more={all.length - options.length}
        active={active}
        optionId={optionId}
        fits={fits}
        onChoose={choose}
      />
    ),
  };
}

/** A press leaves the focus in the field. */
const InsertButton = ({ label, onPress }: { label: string; onPress: () => void }) => (
  <button
    type="button"
    className="text-button"
    style={{ minHeight: 24 }}
    onMouseDown={(event) => event.preventDefault()}
    onClick={onPress}
  >
    {label} <KeyHint>/</KeyHint>
  </button>
);

/** Puts the caret somewhere once the field shows the new text. */
function useCaret(field: RefObject<HTMLTextAreaElement | null>): (caret: number) => void {
  const next = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (next.current !== null) field.current?.setSelectionRange(next.current, next.current);
    next.current = null;
  });
  return (caret) => (next.current = caret);
}
