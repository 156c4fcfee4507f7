import { ActionIcon } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '../look/icons.ts';
import { type ReactNode, useState } from 'react';
import { sayBytes } from '../upload/bytes.ts';
import { CommentList, type ListProps } from './comment-list.tsx';
import { StageWords } from './other-stage.tsx';
import { Download, FileLine, ReviewHead } from './review-head.tsx';
import { Stage } from './stage.tsx';
import { Strip } from './strip.tsx';
import type { Review } from './use-review.ts';
import { useSwipe } from './use-swipe.ts';
import type { ViewFile } from './view-file.ts';
import './review.css';
import './stages.css';
import './pins.css';

type Props = ListProps & {
  title: string;
  /** "Delivery 2 · 4 min ago". */
  subtitle: ReactNode;
  onClose: (() => void) | null;
  /** At the right of the head; on a phone `phoneActions` stand at the foot instead. */
  actions: ReactNode;
  menu: ReactNode;
  /** A bar above the file, such as the news of another delivery. */
  notice?: ReactNode;
};

/** Shows a delivery over the whole window: the file, its comments beside it, the other files below. */
export function Viewer({ title, subtitle, onClose, actions, menu, notice, ...list }: Props) {
  const { review } = list;
  const { files, file, index } = review;
  const swipe = useSwipe(review.go);
  const count = `${index + 1} of ${files.length}`;
  const phone = {
    name: file?.file_name,
    words: (
      <>
        {count} · {subtitle}
      </>
    ),
    onBefore: index > 0 ? () => review.go(-1) : null,
    onNext: index < files.length - 1 ? () => review.go(1) : null,
  };
  const ways = (
    <>
      {file && <Download file={file} size={44} />}
      {menu}
    </>
  );
  return (
    <div className="review">
      <ReviewHead {...{ title, subtitle, onClose, phone, actions }} menu={ways} />
      <main className="review-main pane" {...swipe}>
        {notice}
        {file ? (
          <OpenFile review={review} file={file} count={count} {...phone} />
        ) : (
          <StageWords>This delivery has no files.</StageWords>
        )}
      </main>
      <Strip review={review} />
      <CommentList {...list} />
    </div>
  );
}

type OpenProps = {
  review: Review;
  file: ViewFile;
  count: string;
  onBefore: (() => void) | null;
  onNext: (() => void) | null;
};

function OpenFile({ review, file, count, onBefore, onNext }: OpenProps) {
  const { own, selected, select, writing, number, canComment, place, onHere } = review;
  const [detail, setDetail] = useState({ of: '', words: '' });
  const words = detail.of === file.id ? detail.words : '';
  return (
    <>
      <FileLine
        name={file.file_name}
        words={[words, sayBytes(file.size_bytes)].filter(Boolean).map((part) => ` · ${part}`)}
        count={count}
      >
        <Download file={file} size={22} />
      </FileLine>
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
      {onBefore && <Go side="left" label="File before" icon={IconChevronLeft} onGo={onBefore} />}
      {onNext && <Go side="right" label="Next file" icon={IconChevronRight} onGo={onNext} />}
    </>
  );
}

type GoProps = { side: 'left' | 'right'; label: string; icon: typeof IconChevronLeft; onGo: () => void };

const Go = ({ side, label, icon: Icon, onGo }: GoProps) => (
  <ActionIcon
    className={`go go-${side} wide-only`}
    variant="default"
    size={38}
    radius="xl"
    onClick={onGo}
    aria-label={label}
  >
    <Icon size={18} />
  </ActionIcon>
);
