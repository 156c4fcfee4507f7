import { IconCircleCheck, IconCircleMinus, IconMapPin } from '../look/icons.ts';
import type { AskedChange } from './compare.ts';
import { Answer } from './answer.tsx';
import { PhoneSheet } from './phone-sheet.tsx';
import { sayPlace } from './place-words.ts';

export type AskedWords = {
  /** "What you asked for". */
  title: string;
  /** Instead of changes, if there are none. */
  none: string;
};

type Props = {
  changes: AskedChange[];
  words: AskedWords;
  /** "rounds 1 and 2". */
  rounds: string;
  laterLabel: string;
  selected: string | null;
  onSelect: (id: string) => void;
  /** The file of the later delivery that shows a change; null if there is none. */
  shownIn: (change: AskedChange) => { file_name: string } | null;
  /** Null where no more changes can be asked for. */
  onAskAgain: ((change: AskedChange) => void) | null;
  phoneActions: React.ReactNode;
};

/** What was asked for between the two deliveries, each with the studio's answer. */
export function AskedList({ changes, words, rounds, phoneActions, onAskAgain, ...item }: Props) {
  const byRound = [...Map.groupBy(changes, ({ round }) => round)];
  const done = changes.filter(({ isDone }) => isDone).length;
  const count = changes.length === 0 ? '' : `${done} of ${changes.length} done`;
  return (
    <PhoneSheet count={count || words.title} state={rounds} foot={phoneActions} isWriting={false}>
      <div className="list-head">
        <h2>{words.title}</h2>
        <span className="second">{rounds}</span>
        <strong className="push">{count}</strong>
      </div>
      <div className="asked-bar" aria-hidden>
        {changes.map(({ id, isDone }) => (
          <span key={id} className={isDone ? 'done' : undefined} />
        ))}
      </div>
      <div className="list-body">
        {byRound.map(([round, ofRound]) => (
          <section key={round} aria-label={`Round ${round + 1}`}>
            {byRound.length > 1 && <h3 className="asked-round">{`Round ${round + 1}`}</h3>}
            <ol>
              {ofRound.map((change) => (
                <AskedItem key={change.id} change={change} onAskAgain={onAskAgain} {...item} />
              ))}
            </ol>
          </section>
        ))}
        {changes.length === 0 && <p className="list-note">{words.none}</p>}
      </div>
      {onAskAgain && changes.length > 0 && (
        <p className="review-foot small second">Not content with one of them? “Ask again” keeps its place and words.</p>
      )}
    </PhoneSheet>
  );
}

type ItemProps = Pick<Props, 'laterLabel' | 'selected' | 'onSelect' | 'shownIn' | 'onAskAgain'> & {
  change: AskedChange;
};

function AskedItem({ change, laterLabel, selected, onSelect, shownIn, onAskAgain }: ItemProps) {
  const { id, number, text, isDone, note, place, fileName } = change;
  const isSelected = id === selected;
  const file = shownIn(change);
  return (
    <li className={isSelected ? 'comment selected' : 'comment'}>
      {isDone ? (
        <IconCircleCheck size={20} className="good asked-icon" aria-hidden />
      ) : (
        <IconCircleMinus size={20} className="third asked-icon" aria-hidden />
      )}
      <div className="comment-body">
        <p className="asked-text">{`${number}. ${text}`}</p>
        <Answer isDone={isDone} note={note} />
        <div className="comment-foot">
          {file ? (
            <button
              type="button"
              className="text-link plain icon-line"
              aria-label={`${isSelected ? 'Shown' : `Show in ${laterLabel}`}: ${number}, ${sayPlace(place) || fileName}`}
              aria-pressed={isSelected}
              onClick={() => onSelect(id)}
            >
              <IconMapPin size={14} aria-hidden />
              {isSelected ? 'Shown' : `Show in ${laterLabel}`}
            </button>
          ) : (
            <span className="small second">{`${fileName} is not in ${laterLabel}`}</span>
          )}
          {onAskAgain && file && (
            <button
              type="button"
              className="text-link plain push"
              aria-label={`Ask again: ${number}`}
              onClick={() => onAskAgain(change)}
            >
              Ask again
            </button>
          )}
        </div>
      </div>
    </li>
  );
}
