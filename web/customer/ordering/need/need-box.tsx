import { Box, FileButton, Skeleton, UnstyledButton } from '@mantine/core';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useAcceptedTypes } from '../../../app/file-types.ts';
import { useReadOnlyReason } from '../../../app/session/session.tsx';
import { IconCalendarTime, IconPaperclip } from '../../../ui/look/icons.ts';
import { useAddress } from '../../../ui/page/address.ts';
import { part } from '../../../ui/page/part.tsx';
import { KeyHint } from '../../../ui/shell/shortcuts.tsx';
import { useDroppedFiles } from '../../../ui/upload/use-dropped-files.ts';
import { MarkedText } from '../draft/marked-text.tsx';
import type { Span } from '../draft/spans.ts';
import { KitLine } from '../kit-line.tsx';
import { type Need, type useNeed, withMore } from './use-need.ts';
import './need.css';

const OpenedNeed = part(
  () => import('./opened-need.tsx'),
  'OpenedNeed',
  <Box className="need-side panel-body">
    <Skeleton height={54} />
  </Box>,
);

/** One box for what a person needs. With something in it, it shows what that becomes, and orders it. */
export function NeedBox({ of: [need, setNeed, forget] }: { of: ReturnType<typeof useNeed> }) {
  const [spans, setSpans] = useState<Span[]>([]);
  const [active, setActive] = useState<string | null>(null);
  const [files, setFiles] = useState<File[]>([]);
  const [isWishing, setIsWishing] = useState(false);
  const [isOpening, setIsOpening] = useState(false);
  const reason = useReadOnlyReason();
  useCarriedWords(need, setNeed);
  const addFiles = (added: Iterable<File>) => {
    if (reason !== null || [...added].length === 0) return;
    setFiles((before) => [...before, ...added]);
    setNeed((before) => ({ ...before, hasFiles: true }));
  };
  const box = useRef<HTMLElement>(null);
  useDroppedFiles(box, addFiles, ['drop']);
  const isOpen = need.words.trim() !== '' || need.draft !== null || need.hasFiles || isWishing;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing)
      return;
    event.preventDefault();
    setIsOpening(need.words.trim() !== '');
  };
  const onWords = (words: string) => {
    setIsOpening(false);
    // An emptied box begins anew.
    setNeed((before) => ({ ...before, words, ...(words.trim() === '' && { service: null }) }));
  };
  return (
    <section ref={box} className="panel brief-box need" data-open={isOpen || undefined} aria-label="What do you need?">
      <MarkedText
        words={need.words}
        onWords={onWords}
        spans={spans}
        active={active}
        onActive={setActive}
        onFiles={addFiles}
        aria-label="What do you need?"
        aria-describedby="need-found"
        placeholder="Say it in your own words, paste a mail, or drop files here. You see what it becomes before you order."
        onKeyDown={onKeyDown}
        // What office programs copy is a text with a picture of it.
        onPaste={({ clipboardData: { files: pasted, types } }) => types.includes('text/plain') || addFiles(pasted)}
        enterKeyHint="go"
      />
      {!isOpen && (
        <Box component="span" pos="absolute" top={16} right={18}>
          <KeyHint>c</KeyHint>
        </Box>
      )}
      {isOpen ? (
        <OpenedNeed
          need={need}
          setNeed={setNeed}
          onEnded={() => (forget(), setFiles([]), setIsWishing(false))}
          dropped={files}
          onTaken={() => setFiles([])}
          active={active}
          onActive={setActive}
          onSpans={setSpans}
          isOpening={isOpening}
          onOpening={setIsOpening}
          isWishing={isWishing}
        />
      ) : (
        <ClosedFoot onFiles={addFiles} onWish={() => setIsWishing(true)} reason={reason} />
      )}
    </section>
  );
}

type ClosedFootProps = { onFiles: (files: File[]) => void; onWish: () => void; reason: string | null };

/** How to begin other than by words. */
function ClosedFoot({ onFiles, onWish, reason }: ClosedFootProps) {
  const accept = useAcceptedTypes();
  return (
    <Box className="row line-above need-foot second small">
      <FileButton multiple accept={accept} onChange={onFiles}>
        {(props) => (
          <UnstyledButton className="icon-line" fz={12.5} disabled={reason !== null} {...props}>
            <IconPaperclip size={15} aria-hidden /> Attach
          </UnstyledButton>
        )}
      </FileButton>
      <UnstyledButton className="icon-line" fz={12.5} onClick={onWish}>
        <IconCalendarTime size={15} aria-hidden /> <span className="wide-only">Wished for: </span>any day
      </UnstyledButton>
      <KitLine />
    </Box>
  );
}

/** Takes over words that a link to this page brought along. They leave the address once they are stored. */
function useCarriedWords(need: Need, setNeed: ReturnType<typeof useNeed>[1]) {
  const [{ words }, setAddress] = useAddress<'words'>();
  useEffect(() => {
    if (!words) return;
    if (need.words.includes(words)) setAddress({ words: undefined });
    else setNeed((before) => withMore(before, words));
    // oxlint-disable-next-line react/exhaustive-deps -- when either has other words
  }, [words, need.words]);
}
