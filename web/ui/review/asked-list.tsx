import { Box, Flex, UnstyledButton } from '@mantine/core';
import { IconCircleCheck, IconCircleMinus, IconMapPin } from '../look/icons.ts';
import { Answer, CommentFoot } from './comment-item.tsx';
import type { AskedChange } from './compare.ts';
import { Author } from './replies.tsx';
import { ListHead, PhoneSheet } from './phone-sheet.tsx';
import { sayPlace } from './place-words.ts';

type Props = {
  changes: AskedChange[];
  /** "What you asked for", and what stands there if nothing was. */
  words: { title: string; none: string };
  /** What was asked for in words, by the round. */
  instructions?: { round: number; text: string }[];
  /** "rounds 1 and 2". */
  rounds: string;
  laterLabel: string;
  selected: string | null;
  onSelect: (id: string) => void;
  /** The file of the later delivery that shows a change, if there is one. */
  shownIn: (change: AskedChange) => unknown;
  /** Null where no more changes can be asked for. */
  onAskAgain: ((change: AskedChange) => void) | null;
  phoneActions: React.ReactNode;
};

/** What was asked for between the two deliveries, each with the studio's answer. */
export function AskedList({ changes, words, instructions = [], rounds, phoneActions, onAskAgain, ...item }: Props) {
  const byRound = [...Map.groupBy(changes, ({ round }) => round)];
  const count = changes.length > 0 && `${changes.filter(({ isDone }) => isDone).length} of ${changes.length} done`;
  return (
    <PhoneSheet count={count || words.title} state={rounds} foot={phoneActions} isWriting={false}>
      <ListHead title={words.title} count={rounds}>
        <strong className="push">{count}</strong>
      </ListHead>
      {changes.length > 0 && (
        <Flex className="line-below" gap={4} px={18} py={10} aria-hidden>
          {changes.map(({ id, isDone }) => (
            <Box key={id} flex={1} h={4} bdrs={2} bg={isDone ? 'var(--accent)' : 'var(--line)'} />
          ))}
        </Flex>
      )}
      <div className="list-body">
        {instructions.map(({ round, text }) => (
          <Box key={round} component="p" className="comment line-below prose" fz={13} dir="auto">
            {text}
          </Box>
        ))}
        {byRound.map(([round, ofRound]) => (
          <section key={round} aria-label={`Round ${round + 1}`}>
            {byRound.length > 1 && (
              <Box component="h3" className="line-below small second" p="12px 18px 6px" fw={600}>
                {`Round ${round + 1}`}
              </Box>
            )}
            <ol>
              {ofRound.map((change) => (
                <AskedItem key={change.id} change={change} onAskAgain={onAskAgain} {...item} />
              ))}
            </ol>
          </section>
        ))}
        {changes.length === 0 && instructions.length === 0 && <p className="list-note small second">{words.none}</p>}
      </div>
      {onAskAgain && changes.length > 0 && (
        <p className="review-foot line-above small second">
          Not content with one of them? “Ask again” keeps its place and words.
        </p>
      )}
    </PhoneSheet>
  );
}

type ItemProps = Pick<Props, 'laterLabel' | 'selected' | 'onSelect' | 'shownIn' | 'onAskAgain'> & {
  change: AskedChange;
};

const link = { fz: 12.5, c: 'var(--accent-text)' };

function AskedItem({ change, laterLabel, selected, onSelect, shownIn, onAskAgain }: ItemProps) {
  const { id, number, text, isDone, note, place, fileName } = change;
  const isSelected = id === selected;
  const isShown = shownIn(change) !== undefined;
  const Icon = isDone ? IconCircleCheck : IconCircleMinus;
  const show = isSelected ? 'Shown' : `Show in ${laterLabel}`;
  return (
    <li className={isSelected ? 'comment line-below selected' : 'comment line-below'}>
      <Icon size={20} className={isDone ? 'good' : 'third'} aria-hidden />
      <Box flex={1} miw={0}>
        <Flex align="center" gap={8} fz={12.5}>
          <Author author={change.author} isGuest={change.isGuest} />
        </Flex>
        <Box component="p" className="breaks" fz={13} fw={600}>
          {`${number}. ${text}`}
        </Box>
        <Answer isDone={isDone} note={note} />
        <CommentFoot>
          {isShown ? (
            <UnstyledButton
              {...link}
              className="icon-line"
              aria-label={`${show}: ${number}, ${sayPlace(place) || fileName}`}
              aria-pressed={isSelected}
              onClick={() => onSelect(id)}
            >
              <IconMapPin size={14} aria-hidden />
              {show}
            </UnstyledButton>
          ) : (
            <span className="small second">{`${fileName} is not in ${laterLabel}`}</span>
          )}
          {onAskAgain && isShown && (
            <UnstyledButton
              {...link}
              className="push"
              aria-label={`Ask again: ${number}`}
              onClick={() => onAskAgain(change)}
            >
              Ask again
            </UnstyledButton>
          )}
        </CommentFoot>
      </Box>
    </li>
  );
}
