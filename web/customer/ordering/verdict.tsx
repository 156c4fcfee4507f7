import { Button, Collapse } from '@mantine/core';
import { IconCircleCheck, IconClock, IconCode, IconLock } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { customerPages } from '../../../contract/pages.ts';
import { AtelierError, type Preflight, type ServiceOption } from '../../app/api.ts';
import { useSession } from '../../app/session/session.tsx';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { Code } from '../../ui/page/code.tsx';
import { curl } from '../../ui/page/curl.ts';
import { Failure } from '../../ui/page/failure.tsx';
import { Facts, Panel } from '../../ui/page/page.tsx';
import { sayMoment } from '../../ui/time/time.tsx';
import { Blocked, useBlockingWords } from '../account/plan-limit.tsx';
import { planWords } from '../account/plan-words.ts';

type Props = {
  option: ServiceOption;
  preflight: Preflight | null;
  error: Error | null;
  missing: string[];
  requirements: number;
  body: { customer_title: string; customer_instructions: string };
  idempotencyKey: string;
  waiting: string | null;
  pending: boolean;
  onOrder: () => void;
};

/** The checks of the draft, its cost, and the order button. */
export function Verdict(props: Props) {
  const { option, preflight, error, missing, requirements, body, idempotencyKey, waiting, pending, onOrder } = props;
  const { plans } = useSession();
  const [shown, setShown] = useState(false);
  const blocking = preflight?.blocking_reasons.find(({ code }) => code !== 'intake_incomplete') ?? null;
  const empty =
    body.customer_title === ''
      ? 'Give the job a title.'
      : body.customer_instructions === ''
        ? 'Say what you need.'
        : null;
  const reason = useBlockingWords(blocking)?.title ?? waiting ?? empty;
  return (
    <aside className="stack verdict">
      <Panel title={<Head blocking={blocking !== null} missing={missing.length} />}>
        <div className="stack">
          <Facts
            facts={[
              ['Brief', `${requirements - missing.length} of ${requirements} answered`],
              ['Plan', planWords(plans)],
              [
                'This period',
                preflight && preflight.usage.quota > 0 && `${preflight.usage.used} of ${preflight.usage.quota} used`,
              ],
              [
                'At the same time',
                preflight &&
                  preflight.concurrency.limit > 0 &&
                  `${preflight.concurrency.active_jobs} of ${preflight.concurrency.limit}`,
              ],
              ['First delivery', `by ${sayMoment(Date.now() + option.turnaround_hours * 3_600_000)}`],
            ]}
          />
          {blocking && <Blocked reason={blocking} />}
          {!blocking && missing.length > 0 && (
            <div className="note turn">
              <strong>Still open</strong>
              <br />
              {missing.join(', ')}. You can order without them; the studio may have to ask.
            </div>
          )}
          {error &&
            (isOrderedBefore(error) ? (
              <OrderedBefore />
            ) : (
              <Failure error={error} fields={['customer_title', 'customer_instructions', 'reference']} />
            ))}
          <ActionButton keys="mod+Enter" reason={reason} loading={pending} onClick={onOrder} fullWidth>
            Order job
          </ActionButton>
          <Button
            variant="subtle"
            leftSection={<IconCode size={16} />}
            aria-expanded={shown}
            onClick={() => setShown(!shown)}
          >
            {shown ? 'Hide curl' : 'Show as curl'}
          </Button>
          <Collapse expanded={shown}>
            <Code>{curl({ path: '/api/v1/jobs', body, idempotencyKey })}</Code>
          </Collapse>
        </div>
      </Panel>
      <p className="small third">Saved as a draft in this browser. Nothing is ordered until you press the button.</p>
    </aside>
  );
}

/** Another tab has ordered this draft, or the answer to the order was lost. */
export const isOrderedBefore = (error: Error): boolean =>
  error instanceof AtelierError && error.code === 'idempotency_key_conflict';

const OrderedBefore = () => (
  <div className="note turn" role="alert">
    <strong>An earlier version of this draft was ordered.</strong> Look at{' '}
    <Link to={customerPages.jobs}>your jobs</Link>; to order this version too, press the button again.
  </div>
);

function Head({ blocking, missing }: { blocking: boolean; missing: number }) {
  if (blocking)
    return (
      <span className="status bad">
        <IconLock size={15} aria-hidden /> Cannot be ordered now
      </span>
    );
  if (missing === 0)
    return (
      <span className="status good">
        <IconCircleCheck size={15} aria-hidden /> Ready to order
      </span>
    );
  return (
    <span className="status turn">
      <IconClock size={15} aria-hidden /> {missing === 1 ? 'One answer missing' : `${missing} answers missing`}
    </span>
  );
}
