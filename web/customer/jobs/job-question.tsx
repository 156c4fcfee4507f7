import { Box, Button } from '@mantine/core';
import { IconHandStop } from '../../ui/look/icons.ts';
import { useEffect, useRef, useState } from 'react';
import type { Job, Message } from '../../app/api.ts';
import { useDraft } from '../../app/session/draft.ts';
import { useSession } from '../../app/session/session.tsx';
import { filesOf } from '../../app/message-entry.ts';
import { Composer, type ComposerHandle } from '../../ui/thread/composer.tsx';
import { Linked } from '../../ui/thread/story-entry.tsx';
import { emptyDraft, isSendable, type MessageDraft } from '../../ui/thread/message-draft.ts';
import { StoryFiles } from '../../ui/thread/story-files.tsx';
import { useAtEnd } from '../../ui/thread/use-arrivals.ts';
import { useNow } from '../../ui/time/now.ts';
import { sayRelative, sayToday, useUtc } from '../../ui/time/time.tsx';
import { downloadUrl } from './job-story.ts';
import { openQuestions, type Outcome, outcomeOf } from './job-questions.ts';
import type { JobThread } from './job-thread.ts';

type Props = {
  job: Job;
  messages: Message[];
  thread: JobThread;
  /** Takes over an answer that was not sent. */
  onOffer: (draft: MessageDraft) => void;
  onAnswered: () => void;
};

/** The open questions first on the page, with one field for all of them; afterwards what became of them. */
export function Questions(props: Props) {
  const { job, messages, onAnswered } = props;
  const open = openQuestions(messages);
  const openIds = open.map(({ id }) => id).join(' ');
  const [openBefore, setOpenBefore] = useState('');
  if (openIds !== '' && openIds !== openBefore) setOpenBefore(openIds);
  const draft = useDraft(`answer-${job.id}`, emptyDraft);
  const outcome = open.length > 0 ? null : outcomeOf(openBefore.split(' '), messages);
  const mine = outcome?.kind === 'answered' && outcome.mine;
  const answered = useRef(onAnswered);
  answered.current = onAnswered;
  useEffect(() => {
    if (mine) answered.current();
  }, [mine]);
  if (open.length > 0) return <OpenQuestions {...props} questions={open} draft={draft} />;
  if (outcome === null || mine) return null;
  return <NotNeeded outcome={outcome} draft={draft} onOffer={props.onOffer} onClose={() => setOpenBefore('')} />;
}

type Draft = ReturnType<typeof useDraft<MessageDraft>>;

function OpenQuestions({ job, questions, draft, thread }: Props & { questions: Message[]; draft: Draft }) {
  const { view } = useSession();
  const now = useNow(30_000);
  useUtc();
  const panel = useRef<HTMLElement>(null);
  const composer = useRef<ComposerHandle>(null);
  const first = questions[0]!;
  const last = questions.at(-1)!.id;
  const { markRead } = thread;
  const isSeen = useAtEnd(panel);
  useEffect(() => {
    if (isSeen && !view) markRead(last);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- it is another function at each render
  }, [isSeen, last]);
  useEffect(() => {
    // The mail leads here.
    if (location.hash === '#answer') composer.current?.focus();
  }, []);
  return (
    <section className="panel question" aria-label="Your turn" ref={panel}>
      <div className="panel-head">
        <h2 className="turn icon-line">
          <IconHandStop size={16} aria-hidden /> Your turn
        </h2>
        <span className="second">The studio asks</span>
        <span className="push second small">
          <span className="wide-only">{sayToday(first.created_at, now)} · </span>
          {sayRelative(Date.parse(first.created_at), now)}
        </span>
      </div>
      <div className="panel-body">
        {questions.map((question) => (
          <Box key={question.id} className="prose" fz={15} mb={14}>
            <p dir="auto">
              <Linked>{question.text ?? ''}</Linked>
            </p>
            <StoryFiles files={filesOf(job.files, question, downloadUrl)} />
          </Box>
        ))}
        {!view && (
          <div className="at-thumb">
            <Composer
              ref={composer}
              over={panel}
              label="Your answer"
              placeholder="Your answer"
              hint="The studio reads this. Drop or paste pictures."
              draft={draft}
              ways={[{ label: 'Answer', send: thread.send }]}
              {...thread.files}
            />
          </div>
        )}
        <Box component="p" className="small second wide-only" mt={10}>
          Work and the due date wait for your answer; it costs nothing. The date moves by exactly the time that you
          take.
        </Box>
      </div>
    </section>
  );
}

const outcomeWords = {
  answered: 'answered meanwhile.',
  withdrawn: 'took its question back.',
  closed: 'went on without an answer.',
};

type NotNeededProps = { outcome: Outcome; draft: Draft; onOffer: Props['onOffer']; onClose: () => void };

/** Somebody else answered first, or the question was closed. What was typed is not lost. */
function NotNeeded({ outcome, draft: [draft, , forget], onOffer, onClose }: NotNeededProps) {
  const unsent = isSendable(draft) || draft.files.length > 0;
  const offer = () => {
    onOffer(draft);
    forget();
    onClose();
  };
  return (
    <div className="note" role="status">
      <p>
        <bdi className="ink">{outcome.kind === 'answered' ? outcome.by : 'The studio'}</bdi>{' '}
        {outcomeWords[outcome.kind]} {unsent && 'Your answer was not sent:'}
      </p>
      {unsent && (
        <Box component="blockquote" dir="auto" className="prose second" m="8px 0">
          {draft.text}
        </Box>
      )}
      <div className="row">
        {unsent && (
          <Button variant="default" onClick={offer}>
            Make it a message
          </Button>
        )}
        <Button variant="subtle" onClick={() => (forget(), onClose())}>
          {unsent ? 'Discard it' : 'Close'}
        </Button>
      </div>
    </div>
  );
}
