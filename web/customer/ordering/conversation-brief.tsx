import { ActionIcon, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { IconCircleCheckFilled, IconCircleDashed, IconPencil } from '@tabler/icons-react';
import { useState } from 'react';
import { customerPages } from '../../../contract/pages.ts';
import {
  type IntakeSession,
  type IntentBrief,
  operationQuery,
  type Preflight,
  type ServiceFamily,
  useOperation,
} from '../../app/api.ts';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { pathTo } from '../../ui/page/address.ts';
import { Confirm } from '../../ui/dialog/dialog.tsx';
import { Failure } from '../../ui/page/failure.tsx';
import { sayHours } from './option-words.ts';
import { Blocked, useBlockingWords } from '../account/plan-limit.tsx';

type Props = {
  session: IntakeSession;
  family: ServiceFamily | undefined;
  onEdit: ((requirement: string, answer: string) => void) | null;
};

export function ConversationBrief({ session, family, onEdit }: Props) {
  const option = family?.service_options.find(({ id }) => id === session.service_type);
  const answers = answersOf(session);
  const requirements = family?.intake_hints ?? [];
  const answered = requirements.filter(({ requirement }) => answers.has(requirement)).length;
  return (
    <aside className="brief" aria-label="Brief">
      <div className="brief-head">
        <div className="row between small third">
          <span>{session.intent_brief ? `Brief, version ${session.intent_brief.version}` : 'Brief, draft'}</span>
          <span>
            {answered} of {requirements.length} answered
          </span>
        </div>
        <strong>{session.intent_brief?.customer_title ?? (option ? option.name : (family?.name ?? ''))}</strong>
        <div className="segments" aria-hidden>
          {requirements.map(({ requirement }, index) => (
            <span key={requirement} className={index < answered ? 'full' : undefined} />
          ))}
        </div>
      </div>
      <ul className="brief-lines">
        <Line name="Service" answer={option?.name} hint="Which one you want" onEdit={onEdit} />
        {requirements.map(({ requirement, hint, optional }) => (
          <Line
            key={requirement}
            name={requirement}
            answer={answers.get(requirement)}
            hint={optional ? `${hint} (optional)` : hint}
            onEdit={onEdit}
          />
        ))}
      </ul>
      {(session.status === 'open' || session.status === 'brief_ready') && (
        <Order session={session} turnaround={option?.turnaround_hours ?? null} />
      )}
    </aside>
  );
}

/** From the brief, or else the last answer to each requirement. */
function answersOf({ intent_brief: brief, messages, missing_intake_requirements: missing }: IntakeSession) {
  const understood = brief?.answered_requirements ?? messages.flatMap((message) => message.understood);
  const answers = new Map(understood.map(({ requirement, answer }) => [requirement, answer]));
  for (const requirement of missing) answers.delete(requirement);
  return answers;
}

type LineProps = { name: string; answer: string | undefined; hint: string; onEdit: Props['onEdit'] };

const Line = ({ name, answer, hint, onEdit }: LineProps) => (
  <li>
    {answer ? (
      <IconCircleCheckFilled size={16} className="good" aria-label="Answered" />
    ) : (
      <IconCircleDashed size={16} className="third" aria-label="Open" />
    )}
    <span>
      <span className="small third">{name}</span>
      <span className={answer ? 'brief-answer' : 'brief-answer third'}>{answer ?? hint}</span>
    </span>
    {onEdit && (
      <ActionIcon size={22} onClick={() => onEdit(name, answer ?? '')} aria-label={`Say ${name} yourself`}>
        <IconPencil size={14} />
      </ActionIcon>
    )}
  </li>
);

function Order({ session, turnaround }: { session: IntakeSession; turnaround: number | null }) {
  const navigate = useNavigate();
  const confirm = useOperation('confirmBrief');
  const [key] = useState(() => crypto.randomUUID());
  const [read, setRead] = useState<IntentBrief | null>(null);
  const { id, intent_brief: brief, missing_intake_requirements: missing } = session;
  const run = () => {
    if (!brief) return;
    setRead(brief);
    confirm.mutate(
      { path: { id }, body: { brief_version: brief.version }, idempotencyKey: `${key}-${brief.version}` },
      { onSuccess: ({ job }) => void navigate({ to: pathTo(customerPages.job, { id: job.id }) }) },
    );
  };
  const preflight = usePreflight(brief, confirm.isPending || confirm.isSuccess);
  const blocking = preflight?.blocking_reasons.find(({ code }) => code !== 'intake_incomplete');
  const open = missing.length > 0 ? `Still open: ${missing.join(', ')}.` : 'Say first what you need.';
  const words = useBlockingWords(blocking ?? null);
  const reason = words ? words.title : brief ? null : open;
  return (
    <div className="brief-foot stack-small">
      {turnaround !== null && <span className="small second">First delivery within {sayHours(turnaround)}</span>}
      <ActionButton keys="mod+Enter" reason={reason} loading={confirm.isPending} onClick={run} fullWidth>
        Confirm the order
      </ActionButton>
      {blocking ? <Blocked reason={blocking} /> : reason && <span className="small turn">{reason}</span>}
      {confirm.error && <Failure error={confirm.error} />}
      {confirm.error && read && brief && read.version !== brief.version && <Changed before={read} after={brief} />}
      <EndWithoutOrdering id={id} />
    </div>
  );
}

function EndWithoutOrdering({ id }: { id: string }) {
  const navigate = useNavigate();
  const close = useOperation('closeIntake');
  const [isConfirming, setIsConfirming] = useState(false);
  return (
    <>
      <Button variant="subtle" color="bad" onClick={() => setIsConfirming(true)}>
        End without ordering
      </Button>
      <Confirm
        opened={isConfirming}
        onClose={() => setIsConfirming(false)}
        title="End this conversation?"
        confirm="End it"
        destructive
        pending={close.isPending}
        error={close.error}
        onConfirm={() =>
          close.mutate({ path: { id } }, { onSuccess: () => void navigate({ to: customerPages.concierge }) })
        }
      >
        Nothing is ordered. You can still read it, but not continue it. You can also just leave: it stays open for seven
        days.
      </Confirm>
    </>
  );
}

/** Checks plan and quota before the brief is confirmed. */
function usePreflight(brief: IntentBrief | null, ordered: boolean): Preflight | null {
  const { service_family, service_type, customer_title, customer_instructions } = brief ?? nothingYet;
  const body = { service_family, service_type, customer_title, customer_instructions };
  const query = useQuery({ ...operationQuery('preflightJob', { body }), enabled: brief !== null && !ordered });
  return query.data?.preflight ?? null;
}

const nothingYet = { service_family: '', service_type: '', customer_title: '', customer_instructions: '' };

/** Shows the changes that another window made to the brief. */
function Changed({ before, after }: { before: IntentBrief; after: IntentBrief }) {
  const earlier = new Map(before.answered_requirements.map(({ requirement, answer }) => [requirement, answer]));
  const changes = after.answered_requirements.filter(({ requirement, answer }) => earlier.get(requirement) !== answer);
  return (
    <div className="note turn small">
      <strong>The brief changed after you read it.</strong>
      {changes.map(({ requirement, answer }) => (
        <p key={requirement}>
          {requirement}: <s>{earlier.get(requirement) ?? 'open'}</s> {answer}
        </p>
      ))}
    </div>
  );
}
