import { Button, Collapse, UnstyledButton } from '@mantine/core';
import { IconChevronUp, IconCircleCheck, IconClock, IconCode, IconLock } from '../../ui/look/icons.ts';
import { useState } from 'react';
import { hoursAfter } from '../../../contract/studio/business-time.ts';
import { plansFor } from '../../../contract/pages.ts';
import type { Preflight, ServiceOption } from '../../app/api.ts';
import { useServiceNames } from '../../app/service-names.ts';
import { useSession } from '../../app/session/session.tsx';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { Code } from '../../ui/page/code.tsx';
import { curl } from '../../ui/page/curl.ts';
import { Failure } from '../../ui/page/failure.tsx';
import { Facts } from '../../ui/page/page.tsx';
import { usePhone } from '../../ui/page/use-phone.ts';
import { sayDue, sayWeekday } from '../../ui/time/time.tsx';
import { Blocked, useBlockingWords } from '../account/plan-limit.tsx';
import { answerField } from './draft/edits.ts';
import { Leave } from './draft/leave.tsx';
import type { OrderDraft } from './draft/use-order-draft.ts';
import type { Order } from './draft/use-order.ts';
import { sayRoundTime } from './option-words.ts';
import { Price, sayPrice } from './price.tsx';
import { SaveTemplate } from './save-template.tsx';

const sayNeed = 'Say what you need.';

type Props = {
  option: ServiceOption;
  draft: OrderDraft;
  order: Order;
  waiting: string | null;
  /** Whether it is a drawer on a phone. */
  canFold?: boolean;
};

/** What will happen, what is open, and the order button. On a phone it opens over the page. */
export function Verdict({ option, draft, order, waiting, canFold = false }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const phone = usePhone();
  const { preflight } = order;
  const blocking = preflight?.blocking_reasons.find(({ code }) => code !== 'intake_incomplete') ?? null;
  const open = option.intake_requirements.filter(
    ({ label, optional }) =>
      !optional && draft.value(answerField(label)).trim() === '' && draft.stateOf(label).is !== 'accepted',
  );
  const missing = open.map(({ label }) => label).filter((label) => !draft.suggested.includes(label));
  const refused = Object.entries(draft.refused).some(([field, { text }]) => draft.value(field) === text);
  const isEmpty =
    draft.value('words').trim() === '' &&
    option.intake_requirements.every(({ label }) => draft.answer(label).trim() === '');
  const reason =
    useBlockingWords(blocking)?.title ??
    waiting ??
    (refused ? 'A field was refused: see there why.' : isEmpty ? sayNeed : null);
  const { businessHours } = useServiceNames();
  const due = hoursAfter(businessHours, Date.now(), option.turnaround_hours);
  const delivery = sayDue(due);
  return (
    <aside className="order-verdict" data-open={isOpen || undefined} aria-label="Your order">
      <div className="panel">
        <div className="panel-head">
          <h2>
            <Head isBlocked={blocking !== null} missing={missing.length} suggested={draft.suggested.length} />
          </h2>
          {phone && canFold && (
            <UnstyledButton
              className="icon-line small second push verdict-line"
              fz={12.5}
              py={4}
              aria-expanded={isOpen}
              onClick={() => setIsOpen(!isOpen)}
            >
              by {sayWeekday(due)} <IconChevronUp size={16} aria-hidden />
            </UnstyledButton>
          )}
        </div>
        <div className="panel-body stack">
          <div className="stack verdict-more">
            <Price preflight={preflight} />
            <Facts
              facts={[
                ['First delivery', `by ${delivery}`],
                [
                  'Wished for',
                  preflight?.wanted_by && <Judged key="wish" wish={preflight.wanted_by} body={order.body} due={due} />,
                ],
                [
                  'Rounds of changes',
                  `${option.revision_rounds} included${sayRoundTime(option, businessHours !== null)}`,
                ],
                ['At the same time', preflight && preflight.concurrency.limit > 0 && sayActive(preflight.concurrency)],
              ]}
            />
            <Notes blocking={blocking} missing={isEmpty ? [] : missing} draft={draft} body={order.body} />
          </div>
          {order.error && <Failure error={order.error} />}
          <ActionButton keys="mod+Enter" reason={reason} loading={order.isPending} onClick={order.run} fullWidth>
            {orderWords(isEmpty ? 0 : open.length, phone ? sayPrice(preflight) : null)}
          </ActionButton>
          <div className="verdict-more stack-small">
            <SaveTemplate draft={draft} reason={waiting ?? (isEmpty ? sayNeed : null)} />
            <AsCurl order={order} />
          </div>
        </div>
      </div>
      <Saved draft={draft} />
    </aside>
  );
}

/** "Order with 2 open for 1 job, then 478 left". */
const orderWords = (open: number, price: string | null): string =>
  [open > 0 ? `Order with ${open} open` : price ? 'Order' : 'Order job', price && `for ${price}`]
    .filter(Boolean)
    .join(' ');

type JudgedProps = { wish: NonNullable<Preflight['wanted_by']>; body: Order['body']; due: number };

const nowrap = { whiteSpace: 'nowrap' } as const;

/** A wish a day after the delivery at most is tight. */
function Judged({ wish: { fits, earliest }, body, due }: JudgedProps) {
  const day = body.wanted_by ? sayWeekday(body.wanted_by) : '';
  const isTight = Date.parse(body.wanted_by ?? '') - due < 86_400_000;
  const words = fits ? (isTight ? 'tight' : 'in good time') : `impossible; ${sayWeekday(earliest)} at the earliest`;
  return (
    <span className={fits && !isTight ? 'good' : 'turn'}>
      <span style={nowrap}>{day},</span> <span style={fits ? nowrap : undefined}>{words}</span>
    </span>
  );
}

const sayActive = ({ active_jobs: active, limit }: { active_jobs: number; limit: number }) => `${active} of ${limit}`;

type NotesProps = {
  blocking: Parameters<typeof Blocked>[0]['reason'] | null;
  missing: string[];
  draft: OrderDraft;
  body: Order['body'];
};

function Notes({ blocking, missing, draft, body }: NotesProps) {
  const { suggested } = draft;
  const { account } = useSession();
  const plans = plansFor(`${body.service_family}.${body.service_type}`, { by: 'human', account: account.id });
  const plansLink = (
    <Leave draft={draft} to={(id) => (id ? `${plans}&draft=${id}` : plans)}>
      See plans
    </Leave>
  );
  if (blocking) return <Blocked reason={blocking} plansLink={plansLink} />;
  return (
    <>
      {missing.length > 0 && (
        <p className="note turn">
          <strong>{new Intl.ListFormat('en').format(missing)}</strong> {missing.length === 1 ? 'is' : 'are'} missing.
          You can order without {missing.length === 1 ? 'it' : 'them'}; the studio may ask, and the clock waits for your
          answer.
        </p>
      )}
      {suggested.length > 0 && (
        <p className="note">
          <strong>{suggested.length === 1 ? '1 suggestion is' : `${suggested.length} suggestions are`}</strong> neither
          accepted nor dismissed. Ordered now, {suggested.length === 1 ? 'it goes' : 'they go'} along as your words, not
          as {suggested.length === 1 ? 'an answer' : 'answers'}.{' '}
          <button type="button" className="link-button" onClick={() => draft.accept(suggested)}>
            {suggested.length === 1 ? 'Accept it' : `Accept all ${suggested.length}`}
          </button>
        </p>
      )}
    </>
  );
}

function AsCurl({ order }: { order: Order }) {
  const [shown, setShown] = useState(false);
  return (
    <>
      <Button
        variant="subtle"
        leftSection={<IconCode size={16} />}
        aria-expanded={shown}
        onClick={() => setShown(!shown)}
      >
        {shown ? 'Hide curl' : 'Show as curl'}
      </Button>
      <Collapse expanded={shown}>
        <Code>{curl({ path: '/api/v1/jobs', body: order.body, idempotencyKey: order.key })}</Code>
      </Collapse>
    </>
  );
}

function Saved({ draft }: { draft: OrderDraft }) {
  const words = draft.isUnsaved
    ? draft.failure
      ? 'Not stored yet, but in this browser: the service cannot be reached. It is tried again.'
      : 'Storing…'
    : draft.session
      ? 'Stored as a draft of your account for thirty days.'
      : 'Stored as a draft with your first answer.';
  return <p className="small third verdict-saved">{words} Nothing is ordered until you press the button.</p>;
}

type HeadProps = { isBlocked: boolean; missing: number; suggested: number };

function Head({ isBlocked, missing, suggested }: HeadProps) {
  if (isBlocked)
    return (
      <span className="status bad">
        <IconLock size={15} aria-hidden /> Cannot be ordered now
      </span>
    );
  const parts = [
    missing > 0 && (missing === 1 ? 'One answer missing' : `${missing} answers missing`),
    suggested > 0 && `${suggested} to accept`,
  ].filter(Boolean);
  if (parts.length === 0)
    return (
      <span className="status good">
        <IconCircleCheck size={15} aria-hidden /> Ready to order
      </span>
    );
  return (
    <span className="status turn">
      <IconClock size={15} aria-hidden /> {parts.join(', ')}
    </span>
  );
}
