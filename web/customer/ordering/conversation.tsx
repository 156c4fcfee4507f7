import { Button } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { customerPages } from '../../../contract/pages.ts';
import { type IntakeSession, operationQuery, queryClient, useOperation } from '../../app/api.ts';
import { pathTo } from '../../ui/page/address.ts';
import { Failure } from '../../ui/page/failure.tsx';
import { useDraft } from '../../app/session/draft.ts';
import { Loaded, PageHead } from '../../ui/page/page.tsx';
import { useRead, useReads } from '../../app/use-reads.ts';
import { Chat } from './chat.tsx';
import { Composer } from './composer.tsx';
import { ConversationBrief } from './conversation-brief.tsx';
import { conversationReads } from './conversation.reads.ts';

export function Conversation() {
  const { id = '' } = useParams({ strict: false });
  const session = useRead(useReads(conversationReads).session, { refetchInterval: 30_000 });
  return (
    <Loaded
      query={session}
      height={560}
      head={<PageHead title="Talk it through" above={<Link to={customerPages.concierge}>Concierge</Link>} />}
    >
      {({ intake_session: data }) => <Talk key={id} session={data} />}
    </Loaded>
  );
}

function Talk({ session }: { session: IntakeSession }) {
  const { id } = session;
  const catalog = useRead(useReads(conversationReads).catalog);
  const family = catalog.data?.service_families.find((item) => item.id === session.service_family);
  const [words, setWords] = useDraft(`talk-${id}`, '');
  const field = useRef<HTMLTextAreaElement>(null);
  const add = useOperation('addMessage');
  const open = session.status === 'open' || session.status === 'brief_ready';

  const [again, setAgain] = useState<() => void>();
  const send = (content: string, onSent?: () => void) => {
    const run = () =>
      add.mutate(
        { path: { id }, body: { content } },
        {
          onSuccess: ({ intake_session }) => {
            queryClient.setQueryData(operationQuery('readIntake', { path: { id } }).queryKey, { intake_session });
            onSent?.();
            field.current?.focus();
          },
        },
      );
    setAgain(() => run);
    run();
  };
  /** An answer is corrected by sending it again with its label, below a half-typed message. */
  const edit = (requirement: string, answer: string) => {
    const line = `${requirement}: ${answer}`;
    setWords((before) =>
      before.split('\n').includes(line) ? before : [before.trimEnd(), line].filter(Boolean).join('\n'),
    );
    field.current?.focus();
  };

  return (
    <div className="talk">
      <div className="talk-main">
        <PageHead
          title="Talk it through"
          above={<Link to={customerPages.concierge}>Concierge</Link>}
          actions={
            <Button
              component={Link}
              variant="subtle"
              to={pathTo(
                customerPages.newJob,
                {},
                { family: session.service_family, ...(session.service_type ? { type: session.service_type } : {}) },
              )}
            >
              Fill in the form instead
            </Button>
          }
        />
        <Chat
          messages={session.messages}
          sending={add.isPending ? (add.variables.body.content ?? null) : null}
          onEdit={open ? edit : null}
        />
        {open && !add.isPending && (
          <div className="row replies" role="group" aria-label="Suggested replies">
            {session.suggested_replies.map(({ label, message }) => (
              // Ignores the second half of a double click, which would press the next suggestion.
              <button key={label} type="button" className="chip" onClick={({ detail }) => detail < 2 && send(message)}>
                {label}
              </button>
            ))}
          </div>
        )}
        {add.error && <Failure error={add.error} {...(again ? { retry: again } : {})} />}
        {open ? (
          <Composer field={field} words={words} setWords={setWords} sending={add.isPending} onSend={send} />
        ) : (
          <Ended session={session} />
        )}
      </div>
      <ConversationBrief session={session} family={family} onEdit={open ? edit : null} />
    </div>
  );
}

function Ended({ session: { status, job_id: jobId } }: { session: IntakeSession }) {
  if (jobId)
    return (
      <div className="note good row">
        You ordered this. <Link to={pathTo(customerPages.job, { id: jobId })}>Follow the job</Link>
      </div>
    );
  return (
    <div className="note row">
      {status === 'expired' ? 'This conversation has expired.' : 'This conversation was ended.'}{' '}
      <Link to={customerPages.concierge}>Start another one</Link>
    </div>
  );
}
