import { Box, FileButton, UnstyledButton } from '@mantine/core';
import { IconChecks, IconPaperclip } from '../../../ui/look/icons.ts';
import { type MouseEvent, type UIEvent, useEffect, useRef, useState } from 'react';
import { useAcceptedTypes } from '../../../app/file-types.ts';
import { ActionButton } from '../../../ui/form/action-button.tsx';
import { failureSentence } from '../../../ui/page/page.tsx';
import { KeyHint, useShortcut } from '../../../ui/shell/shortcuts.tsx';
import type { FieldsProps } from './field.tsx';
import { piecesOf, type Span, spansIn } from './spans.ts';
import type { OrderDraft } from './use-order-draft.ts';

type Props = Pick<FieldsProps, 'draft' | 'active' | 'onActive'> & {
  onFiles: (files: File[]) => void;
  /** Why no file can be sent. */
  reason: string | null;
};

/** What the customer says in their own words. What is found in it is underlined. */
export function BriefBox({ reason, ...props }: Props) {
  const { draft, onFiles } = props;
  const count = draft.suggested.length;
  useShortcut('mod+z', 'Undo the last accept', draft.undo);
  const spans = draft.session ? spansIn(draft.value('words'), draft.session) : [];
  return (
    <section className="panel brief-box">
      <div className="panel-head">
        <h2 id="brief-words">Tell us, or paste your brief</h2>
        <span className="small second wide-only">in your own words; a mail or a document will do</span>
        <FileButton multiple accept={useAcceptedTypes()} onChange={onFiles}>
          {(props) => (
            <UnstyledButton className="icon-line second push" fz={12.5} disabled={reason !== null} {...props}>
              <IconPaperclip size={15} aria-hidden /> or drop a file
            </UnstyledButton>
          )}
        </FileButton>
      </div>
      <MarkedText spans={spans} {...props} />
      <Box className="row" mih={48} p="8px 16px" style={foot}>
        <Box component="p" flex="1 1 200px" id="brief-found" className="small second" role="status">
          <Findings draft={draft} spans={spans} />
        </Box>
        {draft.undo && (
          <button type="button" className="link-button small icon-line" onClick={draft.undo}>
            Undo <KeyHint>mod+z</KeyHint>
          </button>
        )}
        {count > 0 && (
          <ActionButton
            variant="default"
            size="xs"
            keys="mod+Shift+Enter"
            icon={<IconChecks size={16} />}
            onClick={() => draft.accept(draft.suggested)}
          >
            {draft.undo ? `Accept the other ${count}` : count === 1 ? 'Accept it' : `Accept all ${count}`}
          </ActionButton>
        )}
      </Box>
    </section>
  );
}

/** A text field over its own text: the text below has the marks and gives the height. */
function MarkedText({ spans, draft, active, onActive, onFiles }: Omit<Props, 'reason'> & { spans: Span[] }) {
  const words = draft.value('words');
  const below = useRef<HTMLDivElement>(null);
  const spanAtCaret = ({ currentTarget }: UIEvent<HTMLTextAreaElement>) => {
    const { selectionStart: at } = currentTarget;
    onActive(spans.find(({ start, end }) => start <= at && at <= end && end > 0)?.requirement ?? null);
  };
  const spanAtPointer = ({ clientX: x, clientY: y }: MouseEvent) => {
    const isThere = ({ left, right, top, bottom }: DOMRect) => left <= x && x <= right && top <= y && y <= bottom;
    const marks = [...(below.current?.querySelectorAll<HTMLElement>('[data-requirement]') ?? [])];
    const mark = marks.find((each) => [...each.getClientRects()].some(isThere));
    onActive(mark?.dataset['requirement'] ?? null);
  };
  return (
    <div className="marked-text">
      <div className="marked-below" ref={below} aria-hidden>
        {piecesOf(words, spans).map(({ text, span }, index) =>
          span ? (
            <mark
              key={index}
              data-requirement={span.requirement}
              data-accepted={span.accepted || undefined}
              data-active={span.requirement === active || undefined}
            >
              {text}
            </mark>
          ) : (
            text
          ),
        )}
        {'\n'}
      </div>
      <textarea
        aria-labelledby="brief-words"
        aria-describedby="brief-found"
        placeholder="We are opening a second shop in March, Rise Bakery, and need a logo for the window. It is for families and people on their way to work …"
        maxLength={20_000}
        value={words}
        onChange={(event) => draft.setText('words', event.currentTarget.value)}
        onSelect={spanAtCaret}
        onMouseMove={spanAtPointer}
        onMouseLeave={() => onActive(null)}
        onBlur={() => onActive(null)}
        onDrop={(event) => {
          if (event.dataTransfer.files.length === 0) return;
          event.preventDefault();
          onFiles([...event.dataTransfer.files]);
        }}
        data-autofocus
      />
    </div>
  );
}

const foot = { gap: '8px 16px', borderTop: '1px solid var(--line)' };

function Findings({ draft, spans }: { draft: OrderDraft; spans: Span[] }) {
  const words = draft.value('words');
  const refused = draft.refused['words'];
  const isReading = useLasting(draft.isSaving && words !== '');
  if (refused && refused.text === words) return <span className="bad">{failureSentence(refused.error)}</span>;
  if (isReading) return 'Reading…';
  if (words.trim() === '') return 'What is found fills the fields below, and counts once you accept it.';
  if (draft.isUnsaved || !draft.session) return 'Your words go along whole.';
  const accepted = spans.filter((span) => span.accepted).length;
  if (spans.length === 0) return 'Nothing found that fits a question; your words go along whole.';
  return (
    <>
      <strong className="ink">{spans.length === 1 ? '1 answer found.' : `${spans.length} answers found.`}</strong>{' '}
      <span className="wide-only">
        {accepted === spans.length
          ? 'You accepted all of them; your words go along whole.'
          : 'They count once you accept them; your words go along whole.'}
      </span>
    </>
  );
}

/** Whether something has been going on for a second. */
function useLasting(isGoingOn: boolean): boolean {
  const [lasts, setLasts] = useState(false);
  useEffect(() => {
    if (!isGoingOn) return;
    const timer = setTimeout(setLasts, 1_000, true);
    return () => {
      clearTimeout(timer);
      setLasts(false);
    };
  }, [isGoingOn]);
  return lasts;
}
