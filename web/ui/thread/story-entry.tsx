import { Box } from '@mantine/core';
import { IconArrowBackUp, IconLock } from '../look/icons.ts';
import { Fragment, type ReactNode } from 'react';
import { sayClock, sayFull, sayRelative, sayToday } from '../time/time.tsx';
import { startOfDay } from '../time/day.ts';
import { Mark } from '../shell/mark.tsx';
import { initials, type StoryEntry, type StoryEvent, type StoryMessage } from './story.ts';
import { textAndLinks } from './links.ts';
import { StoryFiles } from './story-files.tsx';

const minute = 60_000;

export type EntryProps = {
  entry: StoryEntry;
  /** The entry above, whose day is not repeated. */
  after: StoryEntry | undefined;
  /** It came while the page was open. */
  arrived: boolean;
  now: number;
  onTakeBack: ((id: string) => void) | undefined;
};

export function Entry({ entry, after, arrived, now, onTakeBack }: EntryProps) {
  const classes = [
    `story-${entry.kind}`,
    entry.kind === 'event' ? (entry.tone ?? '') : entry.you ? 'you' : '',
    arrived ? 'arrived' : '',
  ];
  const when = <When at={entry.at} after={after?.at} now={now} />;
  return (
    <li id={entry.id} tabIndex={-1} className={classes.join(' ')}>
      {entry.kind === 'event' ? (
        <EventLine event={entry} when={when} />
      ) : (
        <Words message={entry} when={when} now={now} onTakeBack={onTakeBack} />
      )}
    </li>
  );
}

const EventLine = ({ event: { who, title, detail }, when }: { event: StoryEvent; when: ReactNode }) => (
  <>
    <span>
      {who && <Who>{who}</Who>} {title}
    </span>
    {when}
    {detail && (
      <Box component="p" className="prose" maw="66ch" fz={13.5} style={{ gridColumn: '2 / 4' }} dir="auto">
        <Linked>{detail}</Linked>
      </Box>
    )}
  </>
);

type WordsProps = { message: StoryMessage; when: ReactNode; now: number; onTakeBack: EntryProps['onTakeBack'] };

/** A note is not confused with what the customer reads. */
const note = { bg: 'var(--sunken)', bd: '1px dashed var(--strong-line)', bdrs: 7, p: '6px 12px 10px' };

const Words = ({ message, when, now, onTakeBack }: WordsProps) => (
  <>
    <Face {...message.author} />
    <Box {...(message.kind === 'note' ? note : {})} miw={0} style={{ gridColumn: '2 / 4' }}>
      <Box className="row" mih={26} style={{ alignItems: 'baseline' }}>
        {message.kind === 'note' && (
          <IconLock size={14} className="second" style={{ alignSelf: 'center' }} aria-hidden />
        )}
        <Who>{message.you ? 'You' : message.author.name}</Who>
        {message.kind === 'note' && <span className="small second">internal note</span>}
        {message.badge && (
          <Box component="span" className="turn" px={5} fz={12} bd="1px solid var(--turn)" bdrs={5}>
            {message.badge}
          </Box>
        )}
        <TakeBack message={message} now={now} onTakeBack={onTakeBack} />
        {when}
      </Box>
      <Box component="p" className="prose" maw="66ch" dir="auto">
        <Linked>{message.text}</Linked>
      </Box>
      <StoryFiles files={message.files} />
    </Box>
  </>
);

/** What somebody wrote, as text; whole addresses in it can be followed. */
export const Linked = ({ children }: { children: string }) =>
  textAndLinks(children).map(({ text, href }, index) =>
    href === null ? (
      <Fragment key={index}>{text}</Fragment>
    ) : (
      <a key={index} href={href} target="_blank" rel="noopener noreferrer nofollow" className="breaks">
        <bdi>{text}</bdi>
      </a>
    ),
  );

const Who = ({ children }: { children: string }) => (
  <Box component="bdi" className="ink" fw={600}>
    {children}
  </Box>
);

export const Face = ({ name, face }: StoryMessage['author']) => (
  <span className={`face ${face}`} aria-hidden>
    {face === 'studio' ? <Mark size={26} /> : initials(name)}
  </span>
);

function TakeBack({ message: { id, takeBackUntil }, now, onTakeBack }: Omit<WordsProps, 'when'>) {
  const left = takeBackUntil === null ? 0 : Date.parse(takeBackUntil) - now;
  if (left <= 0 || !onTakeBack) return null;
  return (
    <button type="button" className="take-back" onClick={() => onTakeBack(id)}>
      <IconArrowBackUp size={14} aria-hidden /> Take back{' '}
      <span className="third">{Math.max(1, Math.floor(left / minute))} min left</span>
    </button>
  );
}

const stamp = { lineHeight: '21px', whiteSpace: 'nowrap' } as const;

/** The day only where it differs from that of the entry above. */
function When({ at, after, now }: { at: string; after: string | undefined; now: number }) {
  const time = Date.parse(at);
  const sameDay = after !== undefined && startOfDay(after) === startOfDay(at);
  const words =
    now - time < 60 * minute ? sayRelative(time, Math.max(now, time)) : sameDay ? sayClock(at) : sayToday(at, now);
  return (
    <time dateTime={at} title={sayFull(at)} className="small third push" style={stamp}>
      {words}
    </time>
  );
}
