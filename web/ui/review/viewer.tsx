import { ActionIcon } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconDownload, IconX } from '../look/icons.ts';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { sayBytes } from '../upload/bytes.ts';
import { CommentList } from './comment-list.tsx';
import { PhoneTitle } from './phone-title.tsx';
import { Stage } from './stage.tsx';
import { Strip } from './strip.tsx';
import type { Review } from './use-review.ts';
import { useSwipe } from './use-swipe.ts';
import type { ViewFile } from './view-file.ts';
import './viewer.css';
import './strip.css';
import './stage.css';
import './pins.css';
import './list.css';
import './review-foot.css';
import './media.css';
import './pdf.css';
import './phone.css';

type Props = {
  review: Review;
  title: string;
  /** "Delivery 2 · 4 min ago". */
  subtitle: ReactNode;
  onClose: (() => void) | null;
  /** At the right of the head; on a phone `phoneActions` stand at the foot instead. */
  actions: ReactNode;
  menu: ReactNode;
  phoneActions: ReactNode;
  /** A bar above the file, such as the news of another delivery. */
  notice?: ReactNode;
  /** Beside the number of comments: "not sent yet". */
  state: ReactNode;
  /** Who reads the comments, and when. */
  readers: string;
  /** Instead of the comments, if they could not be read. */
  failure?: ReactNode;
  /** Where nobody has commented. */
  none?: string;
  onKeep: () => void;
  onRemove: (id: string) => void;
  onRetry: (id: string) => void;
};

/** Shows a delivery over the whole window: the file, its comments beside it, the other files below. */
export function Viewer({ review, title, subtitle, onClose, actions, menu, phoneActions, notice, ...list }: Props) {
  const { files, file, index } = review;
  const swipe = useSwipe(review.go);
  return (
    <div className="review">
      <ReviewHead title={title} onClose={onClose}>
        <span className="review-subtitle wide-only">{subtitle}</span>
        <PhoneTitle
          name={file?.file_name}
          onBefore={index > 0 ? () => review.go(-1) : null}
          onNext={index < files.length - 1 ? () => review.go(1) : null}
        >
          {`${index + 1} of ${files.length}`} · {subtitle}
        </PhoneTitle>
        <span className="push row wide-only">{actions}</span>
        <span className="review-menu row">
          {file && <Download file={file} />}
          {menu}
        </span>
      </ReviewHead>
      <main className="review-main" {...swipe}>
        {notice}
        {file ? <OpenFile review={review} /> : <p className="stage stage-words">This delivery has no files.</p>}
      </main>
      <Strip review={review} />
      <CommentList review={review} {...list} phoneActions={phoneActions} />
    </div>
  );
}

const Download = ({ file: { url, file_name: name } }: { file: ViewFile }) =>
  url && (
    <ActionIcon component="a" href={url} download={name} size={22} aria-label={`Download ${name}`}>
      <IconDownload size={16} />
    </ActionIcon>
  );

type HeadProps = { title: string; onClose: (() => void) | null; children: ReactNode };

/** The heading is focused, so that a screen reader begins there. */
export function ReviewHead({ title, onClose, children }: HeadProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <header className="review-head">
      {onClose && (
        <ActionIcon onClick={onClose} aria-label="Close the review" size={34}>
          <IconX size={18} />
        </ActionIcon>
      )}
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </header>
  );
}

function OpenFile({ review }: { review: Review }) {
  const { file, files, index, own, selected, select, writing, number, canComment, place, onHere, go } = review;
  const [detail, setDetail] = useState({ of: '', words: '' });
  if (!file) return null;
  const words = detail.of === file.id ? detail.words : '';
  return (
    <>
      <h2 className="file-line">
        <span>
          <strong>{file.file_name}</strong>
          {[words, sayBytes(file.size_bytes)].filter(Boolean).map((part) => ` · ${part}`)}
        </span>
        <span className="push numbers">{`${index + 1} of ${files.length}`}</span>
        <Download file={file} />
      </h2>
      <Stage
        file={file}
        comments={own}
        selected={selected}
        onSelect={select}
        writing={writing && { ...writing, number }}
        onPlace={canComment ? place : null}
        onHere={onHere}
        onDetail={(words) => setDetail({ of: file.id, words })}
      />
      {index > 0 && (
        <ActionIcon
          className="go go-left"
          variant="default"
          radius="xl"
          onClick={() => go(-1)}
          aria-label="File before"
        >
          <IconChevronLeft size={18} />
        </ActionIcon>
      )}
      {index < files.length - 1 && (
        <ActionIcon className="go go-right" variant="default" radius="xl" onClick={() => go(1)} aria-label="Next file">
          <IconChevronRight size={18} />
        </ActionIcon>
      )}
    </>
  );
}
