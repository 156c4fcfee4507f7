import { Box, Button, Flex, NativeSelect, SegmentedControl } from '@mantine/core';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { AskedList } from './asked-list.tsx';
import './compare.css';
import { type AskedChange, type Compared, type Pair, sayRounds } from './compare.ts';
import { CompareStage, SideLabel, sides } from './compare-stage.tsx';
import { part } from '../page/part.tsx';
import { StageWords } from './other-stage.tsx';
import { Dropped, FileLine, Offline, ReviewHead } from './review-head.tsx';
import { Stage } from './stage.tsx';
import { Thumb, Thumbs } from './strip.tsx';
import { type Comparison, useCompare } from './use-compare.ts';
import { stageKindOf, type ViewFile } from './view-file.ts';
import { counted } from '../job/words.ts';

const CompareText = part(() => import('./compare-text.tsx'), 'CompareText', <div className="stage" />);

type Props = Comparison & {
  title: string;
  /** Other deliveries, and a file of the later one. */
  onChoose: (earlier: Compared, fileId: string) => void;
  words: ComponentProps<typeof AskedList>['words'];
  instructions?: ComponentProps<typeof AskedList>['instructions'];
  /** To a delivery alone. */
  back: { round: number; onGo: () => void };
  actions?: ReactNode;
  /** Instead of the way back. */
  phoneActions?: ReactNode;
  onAskAgain: ((change: AskedChange, fileId: string) => void) | null;
  /** A bar above the files, such as the news of another delivery. */
  notice?: ReactNode;
};

/** Two deliveries of a job beside each other, with what was asked for between them. */
export function CompareViewer(props: Props) {
  const { title, deliveries, earlier, later, onFile, onOpen, onAskAgain } = props;
  const { pairs, added, dropped, pair, index, fileOf, selected, select, pins } = useCompare(props);
  const [isSlider, setSlider] = useState(true);
  const isPicture = pair !== undefined && [pair.earlier, pair.later].every((file) => stageKindOf(file) === 'image');
  const labels = { earlier: earlier.label, later: later.label };
  const pairAt = (at: number) => {
    const id = pairs[at]?.later.id;
    return id === undefined ? null : () => onFile(id);
  };
  const choose = (nextEarlier: Compared, { files }: Compared) => {
    const file = files.find(({ file_name: name }) => name === pair?.later.file_name) ?? files[0];
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
        <Offline />
        {props.notice}
        {deliveries.length > 2 && (
          <Flex className="phone-only line-below small second" justify="center" px={12} py={8} bg="var(--page)">
            {choice}
          </Flex>
        )}
        <Dropped files={dropped} from={labels.later.toLowerCase()} />
        {pair ? (
          <OpenPair
            {...{ pair, labels, selected, isPicture, isSlider }}
            comments={pins}
            onSelect={select}
            count={sayPairs(index, pairs.length, added.length)}
          />
        ) : (
          <StageWords>No file is in both deliveries.</StageWords>
        )}
      </main>
      <PairStrip {...{ pairs, added, pair, onFile, onOpen }} hasSlider={isPicture && isSlider} />
      <AskedList
        changes={props.changes}
        words={props.words}
        instructions={props.instructions ?? []}
        rounds={sayRounds(earlier, later)}
        laterLabel={labels.later.toLowerCase()}
        selected={selected}
        onSelect={select}
        shownIn={fileOf}
        onAskAgain={onAskAgain && ((change) => onAskAgain(change, fileOf(change)?.id ?? ''))}
        phoneActions={props.phoneActions ?? back}
      />
    </div>
  );
}

type OpenProps = Omit<ComponentProps<typeof CompareStage>, 'onDifference'> & { count: string; isPicture: boolean };

const FilmPair = part(() => import('./film-pair.tsx'), 'FilmPair', <div className="stage" />);

/** Pictures on one stage, films under one line of time, texts line by line, other files each on its own. */
function OpenPair({ count, isPicture, isSlider, ...shown }: OpenProps) {
  const { pair, labels, ...pins } = shown;
  const [difference, setDifference] = useState({ of: '', words: '' });
  const key = `${pair.earlier.id} ${pair.later.id}`;
  const onDifference = (words: string) => setDifference({ of: pair.later.id, words });
  const kinds = sides.map((side) => stageKindOf(pair[side]));
  const kind = kinds[0] === kinds[1] ? kinds[0] : null;
  const stages = (
    <Flex flex={1} mih={0}>
      {sides.map((side) => (
        <div key={side} className="pane">
          <SideLabel pos="static" m="10px auto 10px 12px">
            {labels[side]}
          </SideLabel>
          <Stage {...pins} file={pair[side]} writing={null} onPlace={null} />
        </div>
      ))}
    </Flex>
  );
  return (
    <>
      <FileLine
        name={pair.later.file_name}
        words={sayNames(pair, difference.of === pair.later.id ? difference.words : '')}
        count={count}
      />
      {isPicture && <CompareStage key={key} {...shown} isSlider={isSlider} onDifference={onDifference} />}
      {kind === 'video' && <FilmPair key={key} {...shown} />}
      {kind === 'text' && (
        <CompareText key={key} {...shown} onDifference={onDifference}>
          {stages}
        </CompareText>
      )}
      {!isPicture && kind !== 'video' && kind !== 'text' && stages}
    </>
  );
}

const sayNames = ({ earlier, later }: Pair<ViewFile>, difference: string): string =>
  (earlier.file_name === later.file_name ? ' in both' : `, before ${earlier.file_name}`) +
  (difference && ` · ${difference}`);

const sayPairs = (index: number, pairs: number, added: number): string =>
  `${index + 1} of ${counted(pairs, 'pair')}` +
  (added > 0 ? ` · ${added} ${added === 1 ? 'file is' : 'files are'} new` : '');

const Ways = ({ isSlider, onChange }: { isSlider: boolean; onChange: (isSlider: boolean) => void }) => (
  <SegmentedControl
    aria-label="How to compare"
    data={['Slider', 'Side by side']}
    value={isSlider ? 'Slider' : 'Side by side'}
    onChange={(value) => onChange(value === 'Slider')}
  />
);

type StripProps = Pick<ReturnType<typeof useCompare>, 'pairs' | 'added' | 'pair'> &
  Pick<Props, 'onFile' | 'onOpen'> & { hasSlider: boolean };

const PairStrip = ({ pairs, added, pair, onFile, onOpen, hasSlider }: StripProps) => (
  <Thumbs keys={{ ...(hasSlider && { 'move the slider': ['ArrowLeft', 'ArrowRight'] }), next: ['n', 'p'] }}>
    {pairs.map(({ later }) => (
      <Thumb key={later.id} file={later} isOpen={later.id === pair?.later.id} onOpen={() => onFile(later.id)} />
    ))}
    {added.length > 0 && (
      <Box component="span" className="small second" ml={10} mr={4}>
        New:
      </Box>
    )}
    {added.map((file) => (
      <Thumb key={file.id} file={file} isOpen={false} onOpen={() => onOpen(file.id)} />
    ))}
  </Thumbs>
);

type ChoiceProps = Pick<Props, 'deliveries' | 'earlier' | 'later'> & {
  onChoose: (earlier: Compared, later: Compared) => void;
};

/** Which two deliveries are compared. With two there is nothing to choose. */
function DeliveryChoice({ deliveries, earlier, later, onChoose }: ChoiceProps) {
  if (deliveries.length < 3) return `${earlier.label} and ${later.label}`;
  const choice = (label: string, from: Compared[], chosen: Compared, onChange: (delivery: Compared) => void) => (
    <NativeSelect
      aria-label={label}
      size="xs"
      data={from.map((delivery) => ({ value: String(delivery.round), label: delivery.label }))}
      value={String(chosen.round)}
      onChange={({ currentTarget: { value } }) => {
        const delivery = from.find(({ round }) => String(round) === value);
        if (delivery) onChange(delivery);
      }}
    />
  );
  const before = deliveries.filter(({ round }) => round < later.round);
  const after = deliveries.filter(({ round }) => round > earlier.round);
  return (
    <Flex component="span" display="inline-flex" align="center" gap={8}>
      {choice('Earlier delivery', before, earlier, (delivery) => onChoose(delivery, later))}
      and
      {choice('Later delivery', after, later, (delivery) => onChoose(earlier, delivery))}
    </Flex>
  );
}
