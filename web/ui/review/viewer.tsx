import { ActionIcon, Button, Menu } from '@mantine/core';
import type { Icon } from '../look/icon.ts';
import { IconChevronLeft, IconChevronRight, IconColumns2, IconDots, IconFileZip } from '../look/icons.ts';
import { type PointerEvent, type ReactNode, useRef, useState } from 'react';
import { sayBytes } from '../upload/bytes.ts';
import { CommentList, type ListProps } from './comment-list.tsx';
import { pairFiles } from './compare.ts';
import { StageWords } from './other-stage.tsx';
import { Download, Dropped, FileLine, Offline, ReviewHead } from './review-head.tsx';
import { Stage } from './stage.tsx';
import { Strip } from './strip.tsx';
import type { Review } from './use-review.ts';
import type { ViewFile } from './view-file.ts';
import './review.css';

type Props = ListProps & {
  title: string;
  /** "Delivery 2 · 4 min ago". */
  subtitle: ReactNode;
  onClose: (() => void) | null;
  /** At the right of the head; on a phone `phoneActions` stand at the foot instead. */
  actions?: ReactNode;
  /** Before them. */
  intro?: ReactNode;
  /** To other views of the delivery, between both. */
  ways: Way[];
  /** Of the delivery before, if there is one. */
  before: ViewFile[];
  /** A bar above the file, such as the news of another delivery. */
  notice?: ReactNode;
};

/** Shows a delivery over the whole window: the file, its comments beside it, the other files below. */
export function Viewer({ title, subtitle, onClose, intro, actions, ways, before, notice, ...list }: Props) {
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
  return (
    <div className="review">
      <ReviewHead
        {...{ title, subtitle, onClose, phone }}
        actions={
          <>
            {intro}
            {ways.map(({ label, icon: Icon, onGo }) => (
              <Button key={label} variant="subtle" leftSection={<Icon size={16} />} onClick={onGo}>
                {label}
              </Button>
            ))}
            {actions}
          </>
        }
        menu={
          <>
            {file && <Download file={file} size={44} />}
            <PhoneWays ways={ways} />
          </>
        }
      />
      <main className="review-main pane" {...swipe}>
        <Offline />
        {notice}
        <Dropped files={pairFiles(before, files).dropped} />
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

export const comparing = { label: 'Compare', icon: IconColumns2 };
/** A button for the whole delivery as one zip, unless it has a single file. */
export const zipWays = (files: readonly ViewFile[], onGo: () => void): Way[] =>
  files.filter(({ status }) => status === 'uploaded').length < 2
    ? []
    : [{ label: 'All, .zip', phoneLabel: 'All files, .zip', icon: IconFileZip, onGo }];

type Way = { label: string; phoneLabel: string; icon: Icon; onGo: () => void };

/** Several are in a menu, because the name of the file needs the room. */
function PhoneWays({ ways }: Pick<Props, 'ways'>) {
  if (ways.length < 2)
    return ways.map(({ phoneLabel, icon: Icon, onGo }) => (
      <ActionIcon key={phoneLabel} size={44} onClick={onGo} aria-label={phoneLabel}>
        <Icon size={20} />
      </ActionIcon>
    ));
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon size={44} aria-label="More">
          <IconDots size={20} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {ways.map(({ phoneLabel, icon: Icon, onGo }) => (
          <Menu.Item key={phoneLabel} leftSection={<Icon size={16} />} onClick={onGo}>
            {phoneLabel}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

type OpenProps = { review: Review; file: ViewFile; count: string } & Record<'onBefore' | 'onNext', (() => void) | null>;

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
      {onBefore && (
        <ActionIcon {...go} className="go go-left wide-only" onClick={onBefore} aria-label="File before">
          <IconChevronLeft size={18} />
        </ActionIcon>
      )}
      {onNext && (
        <ActionIcon {...go} className="go go-right wide-only" onClick={onNext} aria-label="Next file">
          <IconChevronRight size={18} />
        </ActionIcon>
      )}
    </>
  );
}

const go = { variant: 'default', size: 38, radius: 'xl' };

/** Pixels and milliseconds of a swipe. */
const far = 60;
const quick = 600;

/** A finger that moves sideways over a stage that does not pan. */
function useSwipe(onSwipe: (by: 1 | -1) => void) {
  const start = useRef<{ x: number; y: number; at: number; id: number } | null>(null);
  return {
    onPointerDown: ({ pointerType, pointerId, clientX, clientY, target, timeStamp }: PointerEvent) => {
      const swipes = pointerType === 'touch' && target instanceof Element && target.closest('.swipes') !== null;
      // A second finger is a pinch.
      start.current =
        swipes && start.current === null ? { x: clientX, y: clientY, at: timeStamp, id: pointerId } : null;
    },
    onPointerUp: ({ pointerId, clientX, clientY, timeStamp }: PointerEvent) => {
      const from = start.current;
      start.current = null;
      if (!from || from.id !== pointerId || timeStamp - from.at > quick) return;
      const [x, y] = [clientX - from.x, clientY - from.y];
      if (Math.abs(x) > far && Math.abs(x) > 2 * Math.abs(y)) onSwipe(x < 0 ? 1 : -1);
    },
    onPointerCancel: () => void (start.current = null),
  };
}
