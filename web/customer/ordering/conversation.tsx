import { Box, Button } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { customerPages } from '../../../contract/pages.ts';
import { type IntakeSession, type ServiceFamily, useOperation } from '../../app/api.ts';
import { useReadOnlyReason } from '../../app/session/session.tsx';
import { pathTo } from '../../ui/page/address.ts';
import { Failure } from '../../ui/page/failure.tsx';
import { useDraft } from '../../app/session/draft.ts';
import { Loaded, PageHead } from '../../ui/page/page.tsx';
import { useRead, useReads } from '../../app/use-reads.ts';
import { Chat } from './chat.tsx';
import { Composer } from './composer.tsx';
import { conversationReads } from './conversation.reads.ts';
import { Leave } from './draft/leave.tsx';
import { TalkDraft } from './draft/talk-draft.tsx';
import { type OrderDraft, useOrderDraft } from './draft/use-order-draft.ts';

export function Conversation() {
  const { id = '' } = useParams({ strict: false });
  const reads = useReads(conversationReads);
  const session = useRead(reads.session, { refetchInterval: 30_000 });
  const catalog = useRead(reads.catalog);
  const head = <PageHead title="Talk it through" above={<Link to={customerPages.concierge}>Concierge</Link>} />;
  return (
    <Loaded query={session} height={560} head={head}>
      {({ intake_session: data }) => (
        <Loaded query={catalog} height={560} head={head}>
          {({ service_families: families }) => {
            const family = families.find((item) => item.id === data.service_family);
            const isOpen = data.status === 'open' || data.status === 'brief_ready';
            return family && isOpen ? <Talk key={id} session={data} family={family} /> : <Ended session={data} />;
          }}
        </Loaded>
      )}
    </Loaded>
  );
}

function Talk({ session, family }: { session: IntakeSession; family: ServiceFamily }) {
  const { id } = session;
  const option = family.service_options.find((each) => each.id === session.service_type);
  const draft = useOrderDraft({
    family,
    option,
    session,
    localName: `order-${id}`,
    onOpened: () => {},
    reason: useReadOnlyReason(),
  });
  const [words, setWords] = useDraft(`talk-${id}`, '');
  const field = useRef<HTMLTextAreaElement>(null);
  const { send, again, add } = useSending(draft, () => field.current?.focus());
  return (
    <div className="talk">
      <Box className="stack talk-main" miw={0} style={{ gap: 14 }}>
        <PageHead
          title="Talk it through"
          above={<Link to={customerPages.concierge}>Concierge</Link>}
          actions={
            <Button
              variant="subtle"
              renderRoot={(props) => (
                <Leave {...props} draft={draft} to={pathTo(customerPages.newJob, {}, { draft: id })} />
              )}
            >
              Fill in the form instead
            </Button>
          }
        />
        <Chat messages={session.messages} sending={add.isPending ? (add.variables.body.content ?? null) : null} />
        {!add.isPending && <Replies replies={session.suggested_replies} send={send} />}
        {add.error && <Failure error={add.error} {...(again ? { retry: again } : {})} />}
        <Composer field={field} words={words} setWords={setWords} sending={add.isPending} onSend={send} />
      </Box>
      <TalkDraft session={session} family={family} option={option} draft={draft} />
    </div>
  );
}

/** Sends a message. One that failed can be sent again. */
function useSending(draft: OrderDraft, onAnswer: () => void) {
  const add = useOperation('addMessage');
  const [again, setAgain] = useState<() => void>();
  const send = (content: string, onSent?: () => void) => {
    const run = () => {
      if (!draft.session) return;
      add.mutate(
        { path: { id: draft.session.id }, body: { content } },
        {
          onSuccess: (answer) => {
            draft.answered(answer, () => true);
            onSent?.();
            onAnswer();
          },
        },
      );
    };
    setAgain(() => run);
    run();
  };
  return { send, again, add };
}

type RepliesProps = { replies: IntakeSession['suggested_replies']; send: (content: string) => void };

const Replies = ({ replies, send }: RepliesProps) => (
  <div className="row replies" role="group" aria-label="Suggested replies">
    {replies.map(({ label, message }) => (
      // Ignores the second half of a double click, which would press the next suggestion.
      <button key={label} type="button" className="chip" onClick={({ detail }) => detail < 2 && send(message)}>
        {label}
      </button>
    ))}
  </div>
);

function Ended({ session }: { session: IntakeSession }) {
  const { status, job_id: jobId, messages } = session;
  return (
    <div className="stack">
      <PageHead title="Talk it through" above={<Link to={customerPages.concierge}>Concierge</Link>} />
      <Chat messages={messages} sending={null} />
      {jobId ? (
        <div className="note good row">
          You ordered this. <Link to={pathTo(customerPages.job, { id: jobId })}>Follow the job</Link>
        </div>
      ) : (
        <div className="note row">
          {status === 'expired' ? 'This conversation has expired.' : 'This conversation was ended.'}{' '}
          <Link to={customerPages.concierge}>Start another one</Link>
        </div>
      )}
    </div>
  );
}
