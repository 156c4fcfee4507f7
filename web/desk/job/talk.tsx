import { Button, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type RefObject, useMemo, useRef, useState } from 'react';
import { canAsk } from '../../../contract/moves.ts';
import {
  type DeskJob,
  type JobEvent,
  type ListDeskMessagesResponse,
  operationQuery,
  useOperation,
} from '../../app/api.ts';
import { useDraft } from '../../app/session/draft.ts';
import { useSession } from '../../app/session/session.tsx';
import { useThread } from '../../app/thread.ts';
import { useRead, useReads } from '../../app/use-reads.ts';
import { Textarea } from '../../ui/form/fields.tsx';
import { useMoveKey } from '../../ui/form/form.ts';
import { IconEye, IconPlayerPause } from '../../ui/look/icons.ts';
import { Failure, Panel } from '../../ui/page/page.tsx';
import { useShortcut } from '../../ui/shell/shortcuts.tsx';
import { Composer } from '../../ui/thread/composer.tsx';
import { emptyDraft, type OutgoingMessage } from '../../ui/thread/message-draft.ts';
import { StoryPanel } from '../../ui/thread/story-panel.tsx';
import { firstUnread } from '../../ui/thread/story.ts';
import { whyNoMessage } from '../../ui/thread/why-no-message.ts';
import { useMay } from '../may.ts';
import { NeverShown } from '../never-shown.tsx';
import { deskStory, type Part } from './desk-story.ts';
import { jobReads } from './job.reads.ts';
import { deskFileUrl, sendFileOf } from './send-deliverable.ts';
import { useMacros } from './use-macros.tsx';
import { useSentComments } from './use-to-do.ts';
import { useWide } from '../../ui/page/use-phone.ts';

type Props = { job: DeskJob; events: JobEvent[]; thread: ListDeskMessagesResponse };

/** What happened, what was said, and what colleagues noted. */
export function Talk({ job, events, thread }: Props) {
  const { user } = useSession();
  const query = { account_id: job.account?.id ?? '', subject: job.id, limit: 100 };
  const audit = useQuery({ ...operationQuery('listAudit', { query }), enabled: useMay()('read_records') });
  const operators = useRead(useReads(jobReads).operators);
  const { takeBack, markRead } = useDeskThread(job);
  const [part, setPart] = useState<Part>('all');
  const panel = useRef<HTMLElement>(null);
  const wide = useWide();
  const sources = {
    job,
    events,
    messages: thread.messages,
    comments: useSentComments(job),
    audit: audit.data?.audit_entries ?? [],
    me: user.id,
    operatorName: (id: unknown) => operators.data?.operators.find((operator) => operator.id === id)?.name,
  };
  const entries = deskStory(sources, part);
  const [newFrom] = useState(() => firstUnread(entries, thread.read_message_id));
  return (
    <StoryPanel
      key={part}
      ref={panel}
      about={`with ${job.account?.name ?? 'the customer'}`}
      beside={<Parts part={part} notes={job.notes.length} onChoose={setPart} />}
      entries={entries}
      newFrom={newFrom}
      onTakeBack={takeBack}
      onSeen={markRead}
    >
      {wide && <MessageField job={job} over={panel} />}
    </StoryPanel>
  );
}

const words: Record<Part, string> = { all: 'All', words: 'Words', notes: 'Notes' };

const Parts = ({ part, notes, onChoose }: { part: Part; notes: number; onChoose: (part: Part) => void }) => (
  <span className="switch" role="group" aria-label="Part of the story">
    {(['all', 'words', 'notes'] as const).map((choice) => (
      <UnstyledButton key={choice} aria-pressed={part === choice} onClick={() => onChoose(choice)}>
        {words[choice]} {choice === 'notes' && notes > 0 && notes}
      </UnstyledButton>
    ))}
  </span>
);

/** Names its readers. Asking is never what mod+Enter does. */
export function MessageField({ job, over }: { job: DeskJob; over?: RefObject<HTMLElement | null> }) {
  const own = useRef<HTMLElement>(null);
  const { send, ask, files } = useDeskThread(job);
  const macros = useMacros(job);
  const draft = useDraft(`message-${job.id}`, emptyDraft);
  const sendWay = { label: 'Send', send };
  const askWay = {
    label: 'Ask and stop the clock',
    send: ask,
    icon: <IconPlayerPause size={16} aria-hidden />,
    keys: 'mod+Shift+Enter' as const,
  };
  return (
    <Composer
      over={over ?? own}
      label="Write to the customer"
      placeholder={`Write to ${job.account?.name ?? 'the customer'}`}
      readers={<Readers job={job} />}
      inserts={macros}
      draft={draft}
      ways={canAsk(job.status) ? [askWay, sendWay] : [sendWay]}
      focusKey="m"
      reason={whyNoMessage(job, Date.now())}
      primary={false}
      {...files}
    />
  );
}

function Readers({ job }: { job: DeskJob }) {
  const account = useQuery({
    ...operationQuery('readAccount', { path: { id: job.account?.id ?? '' } }),
    enabled: job.account !== null,
  });
  const names = account.data?.account.members.map(({ user }) => user.name) ?? [];
  return (
    <span className="icon-line">
      <IconEye size={15} stroke={1.7} aria-hidden />
      <span>
        <strong>{sayReaders(names, job.account?.name ?? 'The customer')}</strong>, signed as the studio
      </span>
    </span>
  );
}

/** "Ada Lovelace and Noor Haddad read this". */
function sayReaders(names: string[], account: string): string {
  if (names.length === 0) return `${account} reads this`;
  const shown = names.length <= 3 ? names : [...names.slice(0, 2), `${names.length - 2} others of ${account}`];
  return `${new Intl.ListFormat('en').format(shown)} ${names.length === 1 ? 'reads' : 'read'} this`;
}

/** What the desk does with the thread of a job. */
export function useDeskThread({ id }: DeskJob) {
  const { accept, ...thread } = useThread('desk', id);
  const upload = useMemo(() => sendFileOf(id, 'job_reference'), [id]);
  return {
    ...thread,
    ask: (message: OutgoingMessage) => thread.send(message, { question: true }),
    files: { upload, accept, fileUrl: deskFileUrl },
  };
}

/** The studio's standing note, which is changed on the page of the account. */
export const AccountNotePanel = ({ note }: { note: string }) => (
  <Panel
    title="About the customer"
    beside={
      <span className="push">
        <NeverShown />
      </span>
    }
  >
    <p className="prose">{note}</p>
  </Panel>
);

/** Looks like the notes in the story, and is written apart from what the customer reads. */
export function Notes({ job }: { job: DeskJob }) {
  const add = useOperation('addNote');
  const [body, setBody, forget] = useDraft(`note-${job.id}`, '');
  const key = useMoveKey(`${job.notes.length}-${body}`);
  const field = useRef<HTMLTextAreaElement>(null);
  useShortcut('n', 'Write a note', () => field.current?.focus());
  const send = () =>
    add.mutate({ path: { id: job.id }, body: { body: body.trim() }, idempotencyKey: key }, { onSuccess: forget });
  return (
    <Panel title="Note for colleagues" beside={<NeverShown />}>
      <form className="stack-small note-field" onSubmit={(event) => (event.preventDefault(), send())}>
        <Textarea
          ref={field}
          aria-label="Add a note"
          placeholder="Add a note"
          minRows={1}
          maxLength={10_000}
          value={body}
          onChange={(event) => setBody(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
            // Otherwise the page's shortcut would submit the work.
            event.preventDefault();
            if (body.trim() !== '') send();
          }}
        />
        {add.error && <Failure error={add.error} />}
        {body.trim() !== '' && (
          <Button type="submit" variant="default" size="xs" loading={add.isPending} style={{ alignSelf: 'flex-end' }}>
            Add the note
          </Button>
        )}
      </form>
    </Panel>
  );
}
