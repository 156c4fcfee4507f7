import { useCallback, useRef, useState } from 'react';
import { useShortcut } from '../shell/shortcuts.tsx';
import { neighbor, nextNumber, ofFile, type ReviewComment, type Writing } from './comments.ts';
import type { Place } from './place.ts';
import type { Here, ViewFile } from './view-file.ts';

type Options = {
  files: ViewFile[];
  fileId: string;
  onFile: (id: string) => void;
  comments: ReviewComment[];
  /** The comment that is selected first. */
  first?: string | null;
  canComment: boolean;
  /** The comment being written. The page keeps it, so that a reload loses nothing. */
  writing?: Writing | null;
  setWriting?: (writing: Writing | null) => void;
  onClose: () => void;
};

/** What is open, selected and written in a review, and its keys. */
export function useReview(options: Options) {
  const { files, fileId, onFile, comments, first = null, canComment, writing = null, onClose } = options;
  const { setWriting = () => {} } = options;
  const [selected, setSelected] = useState<string | null>(first);
  const here = useRef<Here | null>(null);
  const onHere = useCallback((next: Here | null) => void (here.current = next), []);
  const file = files.find(({ id }) => id === fileId) ?? files[0];
  const index = file ? files.indexOf(file) : 0;
  const own = ofFile(comments, file?.id ?? '');
  const isReading = writing === null || writing.fileId !== file?.id;
  const number = comments.find(({ id }) => id === writing?.id)?.number ?? nextNumber(comments);
  const go = (by: 1 | -1) => {
    const next = files[index + by];
    if (next) onFile(next.id);
  };
  const select = (id: string) => {
    const comment = comments.find((comment) => comment.id === id);
    if (!comment) return;
    setSelected(id);
    if (comment.fileId !== fileId) onFile(comment.fileId);
  };
  const walk = (by: 1 | -1) => {
    // Without a selected comment it begins on the open file.
    const next = neighbor(selected === null && own.length > 0 ? own : comments, selected, by);
    if (next) select(next.id);
  };
  /** Places the comment being written, or begins one. Words written about another file come first. */
  const place = (place: Place | null) => {
    if (!file || !canComment) return;
    if (writing && writing.fileId !== file.id && writing.text.trim() !== '') return onFile(writing.fileId);
    setSelected(null);
    setWriting(writing?.fileId === file.id ? { ...writing, place } : { id: null, fileId: file.id, place, text: '' });
  };
  const begin = () => place(writing?.fileId === fileId ? writing.place : (here.current?.() ?? null));
  const edit = ({ id, fileId, place, text }: ReviewComment) => setWriting({ id, fileId, place, text });
  const discard = () => setWriting(null);
  const closeInnermost = () => {
    if (!isReading && writing?.text.trim() === '') return discard();
    if (isReading && selected) return setSelected(null);
    onClose();
  };
  useShortcut('ArrowLeft', 'File before', isReading ? () => go(-1) : null);
  useShortcut('ArrowRight', 'Next file', isReading ? () => go(1) : null);
  useShortcut('n', 'Next comment', isReading ? () => walk(1) : null);
  useShortcut('p', 'Comment before', isReading ? () => walk(-1) : null);
  useShortcut('c', 'Comment', canComment ? begin : null);
  useShortcut('Escape', 'Close', closeInnermost);
  return {
    files,
    file,
    index,
    comments,
    own,
    selected,
    select,
    writing: isReading ? null : writing,
    /** A comment on another file that is being written. */
    elsewhere: isReading ? writing : null,
    /** Of the comment being written. */
    number,
    isReading,
    onHere,
    go,
    onFile,
    canComment,
    place,
    begin,
    edit,
    discard,
    setText: (text: string) => writing && setWriting({ ...writing, text }),
  };
}

export type Review = ReturnType<typeof useReview>;
