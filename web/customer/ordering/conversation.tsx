import { Box, Button } from '@mantine/core';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { customerPages } from '../../../contract/pages.ts';
import {
  type IntakeMessage,
  type IntakeSession,
  type ServiceFamily,
  type ServiceOption,
  useOperation,
} from '../../app/api.ts';
import { useReadOnlyReason } from '../../app/session/session.tsx';
import { useRead, useReads } from '../../app/use-reads.ts';
import { pathTo } from '../../ui/page/address.ts';
import { Failure, Loaded, PageHead } from '../../ui/page/page.tsx';
import { Mark } from '../../ui/shell/mark.tsx';
import { Time } from '../../ui/time/time.tsx';
import { Composer } from './composer.tsx';
import { conversationReads } from './conversation.reads.ts';
import { DeleteDraft } from './draft/delete-draft.tsx';
import { Fields } from './draft/field.tsx';
import { Leave } from './draft/leave.tsx';
import { type ServiceDraft, useOrderDraft } from './draft/use-order-draft.ts';
import { Verdict } from './verdict.tsx';

export function Conversation() {
  const { id = '' } = useParams({ strict: false });
  const reads = useReads(conversationReads);
  const session = useRead(reads.session, { refetchInterval: 30_000 });
  const catalog = useRead(reads.catalog);
  return (
    <Loaded query={session} height={560} head={<Head />}>
      {({ intake_session: data }) => (
        <Loaded query={catalog} height={560} head={<Head />}>
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

const Head = ({ actions }: { actions?: ReactNode }) => (
  <PageHead title="Talk it through" above={<Link to={customerPages.concierge}>Concierge</Link>}>
    {actions}
  </PageHead>
);

function Talk({ session, family }: { session: IntakeSession; family: ServiceFamily }) {
  const { id } = session;
  const option = family.service_options.find((each) => each.id === session.service_type);
  const reason = useReadOnlyReason();
  const draft = useOrderDraft({ family, option, session, localName: `order-${id}`, onOpened: () => {}, reason });
  const field = useRef<HTMLTextAreaElement>(null);
  const add = useOperation('addMessage');
  const [again, setAgain] = useState(() => () => {});
  const send = (content: string, onSent?: () => void) => {
    const run = () =>
      add.mutate(
        { path: { id }, body: { content } },
        {
          onSuccess: (answer) => {
            draft.answered(answer, () => true);
            onSent?.();
            field.current?.focus();
          },
        },
      );
    setAgain(() => run);
    run();
  };
  const form = (
    <Button
      variant="subtle"
      renderRoot={(props) => <Leave {...props} draft={draft} to={pathTo(customerPages.newJob, {}, { draft: id })} />}
    >
      Fill in the form instead
    </Button>
  );
  return (
    <div className="talk">
      <Box className="stack talk-main" miw={0} style={{ gap: 14 }}>
        <Head actions={form} />
        <Chat messages={session.messages} sending={add.isPending ? (add.variables.body.content ?? null) : null} />
        {!add.isPending && (
          <div className="row replies" role="group" aria-label="Suggested replies">
            {session.suggested_replies.map(({ label, message }) => (
              // Ignores the second half of a double click, which would press the next suggestion.
              <button key={label} type="button" className="chip" onClick={({ detail }) => detail < 2 && send(message)}>
                {label}
              </button>
            ))}
          </div>
        )}
        {add.error && <Failure error={add.error} retry={again} />}
        <Composer field={field} name={`talk-${id}`} sending={add.isPending} onSend={send} />
      </Box>
      <TalkDraft session={session} family={family} option={option} draft={draft} />
    </div>
  );
}

const chat = { gap: 18, overflowY: 'auto' } as const;

function Chat({ messages, sending = null }: { messages: IntakeMessage[]; sending?: string | null }) {
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'end' });
  }, [messages.length, sending]);
  return (
    <Box
      className="stack"
      flex={1}
      mih={200}
      p="2px 2px 8px"
      role="log"
      aria-label="Conversation"
      tabIndex={0}
      style={chat}
    >
      {messages[0] && (
        <Box component="p" ta="center" className="small third">
          <Time at={messages[0].created_at} as="moment" />
        </Box>
      )}
      {messages.map(({ id, ...message }) => (
        <Bubble key={id} {...message} />
      ))}
      {sending !== null && (
        <div className="stack-small">
          <Bubble role="customer" content={sending} />
          <Box component="p" ta="end" className="third small">
            The concierge is reading…
          </Box>
        </div>
      )}
      <div ref={end} />
    </Box>
  );
}

const bubble = { gap: 12, alignItems: 'flex-start', flexWrap: 'nowrap', whiteSpace: 'pre-wrap' } as const;

/** Hides file ids, which only the concierge needs. */
const Bubble = ({ role, content }: Pick<IntakeMessage, 'role' | 'content'>) => (
  <Box className={`row breaks bubble ${role}`} maw="85%" style={bubble}>
    {role === 'concierge' && <Mark size={24} title="Concierge:" />}
    <Box component="p" maw="68ch">
      {content.replace(/\bfile_[a-z0-9]{26}\b/g, '(file)')}
    </Box>
  </Box>
);

type DraftProps = Omit<ServiceDraft, 'option'> & { session: IntakeSession; option: ServiceOption | undefined };

/** The draft beside its conversation: the same fields and the same order as on the order page. */
function TalkDraft({ session: { id, intent_brief: brief }, family, option, draft }: DraftProps) {
  const navigate = useNavigate();
  const [active, setActive] = useState<string | null>(null);
  const title = brief?.customer_title ?? option?.name ?? family.name;
  return (
    <Box className="stack talk-draft breaks" component="aside" aria-label="Brief" style={{ gap: 20 }}>
      <div className="stack-small">
        <strong>{title}</strong>
        <span className="small second">
          {option ? `${family.name} · ${option.name} ` : `${family.name}: say which service, or `}
          <Link to={pathTo(customerPages.newJob, {}, { draft: id, choose: 'yes' })}>
            {option ? 'Another service' : 'choose it'}
          </Link>
        </span>
      </div>
      {option && (
        <>
          <div className="stack draft-fields">
            <Fields family={family} option={option} draft={draft} active={active} onActive={setActive} />
          </div>
          <Verdict family={family} option={option} draft={draft} />
        </>
      )}
      <DeleteDraft id={id} title={title} onDeleted={() => void navigate({ to: customerPages.concierge })} />
    </Box>
  );
}

const Ended = ({ session: { status, job_id: job, messages } }: { session: IntakeSession }) => (
  <div className="stack">
    <Head />
    <Chat messages={messages} />
    <div className={job ? 'note good row' : 'note row'}>
      {job ? 'You ordered this.' : `This conversation ${status === 'expired' ? 'has expired' : 'was ended'}.`}{' '}
      <Link to={job ? pathTo(customerPages.job, { id: job }) : customerPages.concierge}>
        {job ? 'Follow the job' : 'Start another one'}
      </Link>
    </div>
  </div>
);
