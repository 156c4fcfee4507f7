import { Button, Collapse, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { plansFor } from '../../../contract/pages.ts';
import type { ServiceOption } from '../../app/api.ts';
import { useServiceNames } from '../../app/service-names.ts';
import { useReadOnlyReason, useSession } from '../../app/session/session.tsx';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { IconChevronUp, IconCircleCheck, IconClock, IconCode, IconLock, IconTemplate } from '../../ui/look/icons.ts';
import { Code } from '../../ui/page/code.tsx';
import { curl } from '../../ui/page/curl.ts';
import { Facts, Failure } from '../../ui/page/page.tsx';
import { part } from '../../ui/page/part.tsx';
import { usePhone } from '../../ui/page/use-phone.ts';
import { sayDue, sayWeekday } from '../../ui/time/time.tsx';
import { Blocked } from '../account/plan-limit.tsx';
import { Leave } from './draft/leave.tsx';
import type { OrderDraft, ServiceDraft } from './draft/use-order-draft.ts';
import { type Order, useOrder } from './draft/use-order.ts';
import { useReadiness } from './draft/use-readiness.ts';
import { JudgedWish } from './judged-wish.tsx';
import { KitLine } from './kit-line.tsx';
import { sayRoundTime } from './option-words.ts';
import { WaitsForPerson } from './waiting-orders.tsx';
import { Price, sayPrice } from './price.tsx';

const SaveTemplateDialog = part(() => import('./save-template-dialog.tsx'), 'SaveTemplateDialog');

type Props = ServiceDraft & {
  /** Why it cannot be ordered yet. */
  waiting?: string | null;
  /** Whether it is a drawer on a phone. */
  canFold?: boolean;
  onOrdered?: () => void;
};

/** What will happen, what is open, and the order button. On a phone it opens over the page. */
export function Verdict({ family, option, draft, waiting = null, canFold = false, onOrdered }: Props) {
  const order = useOrder({ family, option, draft, onOrdered });
  const [unfolded, setUnfolded] = useState(false);
  const phone = usePhone();
  const { preflight } = order;
  const { blocking, waits, open, missing, isEmpty, need, reason, due } = useReadiness(
    { family, option, draft },
    order,
    waiting,
  );
  return (
    <aside className="order-verdict" data-open={unfolded || undefined} aria-label="Your order">
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
              aria-expanded={unfolded}
              onClick={() => setUnfolded(!unfolded)}
            >
              by {sayWeekday(due)} <IconChevronUp size={16} aria-hidden />
            </UnstyledButton>
          )}
        </div>
        <div className="panel-body stack">
          <div className="stack verdict-more">
            <Price preflight={preflight} />
            <Terms option={option} order={order} due={due} />
            <KitLine draft={draft} />
            {waits && <WaitsForPerson />}
            <Notes blocking={blocking} missing={isEmpty ? [] : missing} draft={draft} body={order.body} />
          </div>
          {order.error && <Failure error={order.error} />}
          <ActionButton keys="mod+Enter" reason={reason} loading={order.isPending} onClick={order.run} fullWidth>
            {waits ? 'Send to be confirmed' : orderWords(isEmpty ? 0 : open.length, phone ? sayPrice(preflight) : null)}
          </ActionButton>
          <div className="verdict-more stack-small">
            <SaveTemplate draft={draft} reason={waiting ?? need} />
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

function Terms({ option, order: { preflight, body }, due }: { option: ServiceOption; order: Order; due: number }) {
  const business = useServiceNames().businessHours !== null;
  const { wanted_by: wish, concurrency } = preflight ?? {};
  return (
    <Facts
      facts={[
        ['First delivery', `by ${sayDue(due)}`],
        ['Wished for', wish && body.wanted_by && <JudgedWish key="wish" wish={body.wanted_by} {...wish} due={due} />],
        ['Rounds of changes', `${option.revision_rounds} included${sayRoundTime(option, business)}`],
        [
          'At the same time',
          concurrency && concurrency.limit > 0 && `${concurrency.active_jobs} of ${concurrency.limit}`,
        ],
      ]}
    />
  );
}

const isFromKit = (draft: OrderDraft, label: string): boolean => {
  const state = draft.stateOf(label);
  return state.is === 'suggested' && state.suggestion.by === 'brand';
};

type Reason = Parameters<typeof Blocked>[0]['reason'];
type NotesProps = { blocking: Reason | null; missing: string[]; draft: OrderDraft; body: Order['body'] };

function Notes({ blocking, missing, draft, body }: NotesProps) {
  const { suggested } = draft;
  const { account } = useSession();
  const plans = plansFor(`${body.service_family}.${body.service_type}`, { by: 'human', account: account.id });
  const withDraft = (id: string | null) => (id ? `${plans}&draft=${id}` : plans);
  if (blocking)
    return (
      <Blocked
        reason={blocking}
        plansLink={
          <Leave draft={draft} to={withDraft}>
            See plans
          </Leave>
        }
      />
    );
  const isOne = missing.length === 1;
  const inKit = suggested.filter((label) => isFromKit(draft, label));
  const inText = suggested.filter((label) => !inKit.includes(label));
  const [count, they, answers] =
    inText.length === 1
      ? ['1 suggestion is', 'it goes', 'an answer']
      : [`${inText.length} suggestions are`, 'they go', 'answers'];
  return (
    <>
      {missing.length > 0 && (
        <p className="note turn">
          <strong>{new Intl.ListFormat('en').format(missing)}</strong> {isOne ? 'is' : 'are'} missing. You can order
          without {isOne ? 'it' : 'them'}; the studio may ask, and the clock waits for your answer.
        </p>
      )}
      {inKit.length > 0 && (
        <p className="note">
          Your brand kit answers <strong>{new Intl.ListFormat('en').format(inKit)}</strong>. Not accepted, the brief
          says “see brand kit” there.{' '}
          <button type="button" className="link-button" onClick={() => draft.accept(inKit)}>
            Accept {inKit.length === 1 ? 'it' : `all ${inKit.length}`}
          </button>
        </p>
      )}
      {inText.length > 0 && (
        <p className="note">
          <strong>{count}</strong> neither accepted nor dismissed. Ordered now, {they} along as your words, not as{' '}
          {answers}.
        </p>
      )}
    </>
  );
}

/** Keeps what a draft has, to start from again. `reason`: why there is nothing to keep yet. */
function SaveTemplate({ draft, reason }: { draft: OrderDraft; reason: string | null }) {
  const [isOpen, setIsOpen] = useState(false);
  const readOnly = useReadOnlyReason();
  return (
    <>
      <ActionButton
        variant="subtle"
        icon={<IconTemplate size={16} />}
        reason={readOnly ?? reason}
        onClick={() => setIsOpen(true)}
      >
        Save as template
      </ActionButton>
      {isOpen && <SaveTemplateDialog draft={draft} onClose={() => setIsOpen(false)} />}
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

function Head({ isBlocked, missing, suggested }: { isBlocked: boolean; missing: number; suggested: number }) {
  const open = [
    missing > 0 && (missing === 1 ? 'One answer missing' : `${missing} answers missing`),
    suggested > 0 && `${suggested} to accept`,
  ].filter(Boolean);
  const [tone, Icon, words] = isBlocked
    ? ['bad', IconLock, 'Cannot be ordered now']
    : open.length > 0
      ? ['turn', IconClock, open.join(', ')]
      : ['good', IconCircleCheck, 'Ready to order'];
  return (
    <span className={`status ${tone}`}>
      <Icon size={15} aria-hidden /> {words}
    </span>
  );
}
