import { Button, Flex, Skeleton } from '@mantine/core';
import { type ReactNode, useEffect, useEffectEvent, useMemo, useRef } from 'react';
import { Failure } from '../page/page.tsx';
import type { Pair } from './compare.ts';
import { differenceOf, type PairOfLines, sayDifferent, shownWords, type Side } from './text-difference.ts';
import { TextRow, TextRows } from './text-rows.tsx';
import { useDecoded } from './use-decoded.ts';
import type { PlacedComment, StageProps, ViewFile } from './view-file.ts';

type Props = Pick<StageProps, 'comments' | 'selected' | 'onSelect'> & {
  pair: Pair<ViewFile>;
  labels: { earlier: string; later: string };
  onDifference: (words: string) => void;
  /** Two stages, shown if the texts cannot be compared. */
  children: ReactNode;
};

/** Two texts line by line, with the words that only one of them has. */
export function CompareText({ pair, labels, comments, onDifference, children, ...rest }: Props) {
  const [earlier, later] = [useDecoded(pair.earlier), useDecoded(pair.later)];
  const list = useRef<HTMLDivElement>(null);
  const pairs = useMemo(
    () => (earlier.written && later.written ? differenceOf(earlier.written, later.written) : undefined),
    [earlier.written, later.written],
  );
  const parts = useMemo(() => {
    const rows = () => pairs?.map((lines, index) => <PairRow key={index} {...lines} row={index + 1} />);
    return [{ from: 1, to: pairs?.length ?? 1, rows }];
  }, [pairs]);
  const said = pairs && sayDifferent(pairs, earlier.isWhole === true && later.isWhole === true);
  const tell = useEffectEvent(onDifference);
  useEffect(() => {
    if (said) tell(said);
  }, [said]);
  for (const { error, retry } of [earlier, later]) if (error) return <Failure error={error} retry={retry} />;
  if (pairs === null)
    return (
      <>
        <p className="small second line-below list-note">
          These texts are too large or too different to mark what differs. They are shown side by side.
        </p>
        {children}
      </>
    );
  if (!pairs) return <Skeleton height={240} />;
  const limits = [...new Set([...earlier.limits, ...later.limits])];
  return (
    <div className="stage stage-text" data-testid="stage">
      <Flex className="line-below small second" align="center" gap={10} px={16} py={6} wrap="wrap">
        <span>{`${labels.earlier}: ${earlier.detail}. ${labels.later}: ${later.detail}. ${limits.join(' ')}`}</span>
        <Button className="push" size="xs" variant="default" onClick={() => goOn(list.current)}>
          Next difference
        </Button>
      </Flex>
      <div className="text-scroller" ref={list}>
        <TextRows
          {...rest}
          label={`${labels.earlier} and ${labels.later}`}
          className="compared"
          comments={comments.map((comment) => ({ ...comment, place: rowsOf(pairs, comment) }))}
          writing={null}
          onPlace={null}
          parts={parts}
        />
      </div>
    </div>
  );
}

/** Comments are on lines of the earlier text. */
function rowsOf(pairs: PairOfLines[], { place }: PlacedComment): PlacedComment['place'] {
  const rowOf = (line: number) => pairs.findIndex(({ earlier }) => earlier?.line === line) + 1;
  return place?.lines ? { lines: { from: rowOf(place.lines.from), to: rowOf(place.lines.to) } } : null;
}

/** Moves the focus to the next row that differs. */
function goOn(list: HTMLElement | null): void {
  const buttons = [...(list?.querySelectorAll<HTMLElement>('.line > button') ?? [])];
  const isNext = (button: HTMLElement) => button.parentElement?.matches('.differs') ?? false;
  const current = list?.dataset.isRead ? buttons.findIndex(({ tabIndex }) => tabIndex === 0) : -1;
  if (list) list.dataset.isRead = 'yes';
  const next = buttons.slice(current + 1).find(isNext) ?? buttons.find(isNext);
  next?.focus({ preventScroll: true });
  next?.scrollIntoView({ block: 'center' });
}

function PairRow({ earlier, later, isSame, row }: PairOfLines & { row: number }) {
  const name = [earlier && `line ${earlier.line} before`, later && `line ${later.line} now`].filter(Boolean).join(', ');
  return (
    <TextRow
      from={row}
      to={row}
      name={name}
      className={isSame ? '' : 'differs'}
      number={earlier && `${earlier.line}${isSame ? '' : ' −'}`}
    >
      <span dir="auto">{earlier && marked(earlier, 'del')}</span>
      <span className="line-number later">{later && `${later.line}${isSame ? '' : ' +'}`}</span>
      <span dir="auto" className="later">
        {later && marked(later, 'ins')}
      </span>
    </TextRow>
  );
}

const marked = ({ words }: Side, Mark: 'ins' | 'del') =>
  shownWords(words).map(({ words: text, isOnly }, index) => (isOnly && text ? <Mark key={index}>{text}</Mark> : text));
