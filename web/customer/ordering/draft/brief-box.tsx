import { Box, FileButton, UnstyledButton } from '@mantine/core';
import { IconChecks, IconPaperclip } from '../../../ui/look/icons.ts';
import { useEffect, useState } from 'react';
import { useAcceptedTypes } from '../../../app/file-types.ts';
import { ActionButton } from '../../../ui/form/action-button.tsx';
import { failureSentence } from '../../../ui/page/page.tsx';
import { KeyHint, useShortcut } from '../../../ui/shell/shortcuts.tsx';
import type { FieldsProps } from './field.tsx';
import { MarkedText } from './marked-text.tsx';
import { type Span, spansIn } from './spans.ts';
import type { OrderDraft } from './use-order-draft.ts';

type Props = Pick<FieldsProps, 'draft' | 'active' | 'onActive'> & {
  onFiles: (files: File[]) => void;
  /** Why no file can be sent. */
  reason: string | null;
  /** What a customer might write. */
  example: string | null;
};

/** What the customer says in their own words. What is found in it is underlined. */
export function BriefBox({ reason, example, draft, active, onActive, onFiles }: Props) {
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
      <MarkedText
        words={draft.value('words')}
        onWords={(words) => draft.setText('words', words)}
        spans={spans}
        active={active}
        onActive={onActive}
        onFiles={onFiles}
        aria-labelledby="brief-words"
        aria-describedby="brief-found"
        placeholder={
          example ? `${example} …` : 'What it is, whom it is for, where it will be seen, and when you need it.'
        }
        data-autofocus
      />
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
export function useLasting(isGoingOn: boolean): boolean {
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
