import { Box, Button, Flex, SegmentedControl } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { KeyHint } from '../shell/shortcuts.tsx';
import { AskedList, type AskedWords } from './asked-list.tsx';
import './compare.css';
import { type AskedChange, type Compared, sayRounds } from './compare.ts';
import { CompareStage, SideLabel, sides, type Sides } from './compare-stage.tsx';
import { DeliveryChoice } from './delivery-choice.tsx';
import type { Pair } from './pairs.ts';
import { StageWords } from './other-stage.tsx';
import { FileLine, ReviewHead } from './review-head.tsx';
import { Stage } from './stage.tsx';
import { Thumb, Thumbs } from './strip.tsx';
import { useCompare } from './use-compare.ts';
import { stageKindOf, type ViewFile } from './view-file.ts';

type Props = {
  title: string;
  /** All that can be compared, oldest first. */
  deliveries: Compared[];
  earlier: Compared;
  later: Compared;
  /** Other deliveries, and a file of the later one. */
  onChoose: (earlier: Compared, fileId: string) => void;
  /** Of the later delivery. */
  fileId: string;
  onFile: (fileId: string) => void;
  /** Asked for between the two deliveries, in the order of their rounds. */
  changes: AskedChange[];
  words: AskedWords;
  /** To a delivery alone. */
  back: { round: number; onGo: () => void };
  actions?: ReactNode;
  /** Instead of the way back. */
  phoneActions?: ReactNode;
  onClose: () => void;
  /** Opens a new file in the review. */
  onOpen: (fileId: string) => void;
  onAskAgain: ((change: AskedChange, fileId: string) => void) | null;
};

/** Two deliveries of a job beside each other, with what was asked for between them. */
export function CompareViewer(props: Props) {
  const { title, deliveries, earlier, later, onFile, onOpen, onAskAgain } = props;
  const { pairs, added, pair, index, fileOf, selected, select, pins } = useCompare(props);
  const [isSlider, setSlider] = useState(true);
  const isPicture = pair !== undefined && [pair.earlier, pair.later].every((file) => stageKindOf(file) === 'image');
  const labels = { earlier: earlier.label, later: later.label };
  const pairAt = (at: number) => {
    const id = pairs[at]?.later.id;
    return id === undefined ? null : () => onFile(id);
  };
  const choose = (nextEarlier: Compared, nextLater: Compared) => {
    const same = nextLater.files.find(({ file_name: name }) => name === pair?.later.file_name);
    const file = same ?? nextLater.files[0];
    if (file) props.onChoose(nextEarlier, file.id);
  };
  const back = (
    <Button variant="subtle" onClick={props.back.onGo}>
      {`Review delivery ${props.back.round + 1}`}
    </Button>
  );
  const choice = <DeliveryChoice {...{ deliveries, earlier, later }} onChoose={choose} />;
  return (
    <div className="review">
      <ReviewHead
        title={title}
        subtitle={choice}
        onClose={props.onClose}
        phone={{
          name: pair?.later.file_name,
          words: `${labels.earlier} and ${labels.later}`,
          onBefore: pairAt(index - 1),
          onNext: pairAt(index + 1),
        }}
        actions={
          <>
            {isPicture && <Ways isSlider={isSlider} onChange={setSlider} />}
            {back}
            {props.actions}
          </>
        }
      />
      <main className="review-main pane">
        {deliveries.length > 2 && (
          <Flex className="phone-only line-below small second" justify="center" px={12} py={8} bg="var(--page)">
            {choice}
          </Flex>
        )}
        {pair ? (
          <OpenPair
            {...{ pair, labels, pins, selected, isPicture, isSlider }}
            count={sayPairs(index, pairs.length, added.length)}
            onSelect={select}
          />
        ) : (
          <StageWords>No file is in both deliveries.</StageWords>
        )}
      </main>
      <PairStrip
        pairs={pairs}
        added={added}
        openId={pair?.later.id}
        onPair={onFile}
        onOpen={onOpen}
        hasSlider={isPicture && isSlider}
      />
      <AskedList
        changes={props.changes}
        words={props.words}
        rounds={sayRounds(earlier, later)}
        laterLabel={labels.later.toLowerCase()}
        selected={selected}
        onSelect={select}
        shownIn={(change) => fileOf(change) ?? null}
        onAskAgain={onAskAgain && ((change) => onAskAgain(change, fileOf(change)?.id ?? ''))}
        phoneActions={props.phoneActions ?? back}
      />
    </div>
  );
}

type PairProps = {
  pair: Pair<ViewFile>;
  labels: Sides;
  pins: AskedChange[];
  selected: string | null;
  onSelect: (id: string) => void;
};

type OpenProps = PairProps & { count: string; isPicture: boolean; isSlider: boolean };

function OpenPair({ count, isPicture, isSlider, ...shown }: OpenProps) {
  const { pair, pins } = shown;
  const [difference, setDifference] = useState({ of: '', words: '' });
  return (
    <>
      <FileLine
        name={pair.later.file_name}
        words={sayNames(pair, difference.of === pair.later.id ? difference.words : '')}
        count={count}
      />
      {isPicture ? (
        <CompareStage
          key={`${pair.earlier.id} ${pair.later.id}`}
          {...shown}
          comments={pins}
          isSlider={isSlider}
          onDifference={(words) => setDifference({ of: pair.later.id, words })}
        />
      ) : (
        <BothStages {...shown} />
      )}
    </>
  );
}

const sayNames = ({ earlier, later }: Pair<ViewFile>, difference: string): string =>
  (earlier.file_name === later.file_name ? ' in both' : `, before ${earlier.file_name}`) +
  (difference && ` · ${difference}`);

const sayPairs = (index: number, pairs: number, added: number): string =>
  [
    `${index + 1} of ${pairs} ${pairs === 1 ? 'pair' : 'pairs'}`,
    added > 0 && `${added} ${added === 1 ? 'file is' : 'files are'} new`,
  ]
    .filter(Boolean)
    .join(' · ');

const Ways = ({ isSlider, onChange }: { isSlider: boolean; onChange: (isSlider: boolean) => void }) => (
  <SegmentedControl
    aria-label="How to compare"
    data={['Slider', 'Side by side']}
    value={isSlider ? 'Slider' : 'Side by side'}
    onChange={(value) => onChange(value === 'Slider')}
  />
);

/** Other kinds than pictures: each in its own stage. */
function BothStages({ pair, labels, pins, selected, onSelect }: PairProps) {
  return (
    <Flex flex={1} mih={0}>
      {sides.map((side) => (
        <div key={side} className="pane">
          <SideLabel left={12}>{labels[side]}</SideLabel>
          <Stage
            file={pair[side]}
            comments={pins}
            selected={selected}
            onSelect={onSelect}
            writing={null}
            onPlace={null}
            onHere={() => {}}
            onDetail={() => {}}
          />
        </div>
      ))}
    </Flex>
  );
}

type StripProps = {
  pairs: Pair<ViewFile>[];
  added: ViewFile[];
  openId: string | undefined;
  onPair: (id: string) => void;
  onOpen: (id: string) => void;
  hasSlider: boolean;
};

const PairStrip = ({ pairs, added, openId, onPair, onOpen, hasSlider }: StripProps) => (
  <Thumbs
    keys={
      <>
        {hasSlider && (
          <>
            <KeyHint>ArrowLeft</KeyHint>
            <KeyHint>ArrowRight</KeyHint> move the slider{' '}
          </>
        )}
        <KeyHint>n</KeyHint>
        <KeyHint>p</KeyHint> next{' '}
      </>
    }
  >
    {pairs.map(({ later }) => (
      <Thumb key={later.id} file={later} isOpen={later.id === openId} count={0} onOpen={() => onPair(later.id)} />
    ))}
    {added.length > 0 && (
      <Box component="span" className="small second" ml={10} mr={4}>
        New:
      </Box>
    )}
    {added.map((file) => (
      <Thumb key={file.id} file={file} isOpen={false} count={0} onOpen={() => onOpen(file.id)} />
    ))}
  </Thumbs>
);
