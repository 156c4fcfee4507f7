import { Box } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { IconChevronRight, IconCircleCheckFilled, IconCircleDashed } from '../../ui/look/icons.ts';
import { customerPages } from '../../../contract/pages.ts';
import { type JobListItem, operationQuery } from '../../app/api.ts';
import { useRoleReason, useSession } from '../../app/session/session.tsx';
import { pathTo } from '../../ui/page/address.ts';
import { useRead } from '../../app/use-reads.ts';
import { isForPrograms } from '../account/plan-limit.tsx';
import { hasStopped } from '../account/plan-words.ts';
import { countsRead } from '../frame.reads.ts';

type Step = { title: string; why: string; to: string; done: boolean };

/** Steps are checked off by the account's data. Hidden once all are done. */
export function FirstSteps({ waiting }: { waiting: JobListItem | undefined }) {
  const { user, plans } = useSession();
  const counts = useRead(countsRead);
  const forbidden = useRoleReason();
  const keys = useQuery({ ...operationQuery('listApiKeys'), enabled: isForPrograms(plans) && forbidden === null });
  if (!counts.data) return null;
  const by = counts.data.counts;
  const ordered = Object.values(by).some((count) => count > 0);
  const steps: Step[] = [
    {
      title: 'Verify your e-mail address',
      why: 'Open the link in the mail that we sent you. Until then you can look around, but change nothing.',
      to: customerPages.verifyEmail,
      done: user.email_verified,
    },
    {
      title: 'Choose a plan',
      why: 'It sets how many jobs you can order, and whether programs can order too.',
      to: customerPages.plans,
      done: plans.active || hasStopped(plans) || ordered,
    },
    isForPrograms(plans)
      ? {
          title: 'Make an API key',
          why: 'Your plan is for programs: they order with it.',
          to: customerPages.keys,
          done: ordered || Boolean(keys.data?.api_keys.some(({ status }) => status === 'active')),
        }
      : {
          title: 'Order your first job',
          why: 'Choose from the catalog, or talk it through with the concierge.',
          to: customerPages.newJob,
          done: ordered,
        },
    {
      title: 'Review what the studio made',
      why: 'Approve it, or ask for changes.',
      to: waiting ? pathTo(customerPages.job, { id: waiting.id }) : customerPages.jobs,
      done: by.completed > 0,
    },
  ];
  if (steps.every(({ done }) => done)) return null;
  const next = steps.findIndex(({ done }) => !done);
  return (
    <section className="panel" aria-label="First steps">
      <div className="panel-head">
        <h2>First steps</h2>
        <span className="second">
          {steps.filter(({ done }) => done).length} of {steps.length}
        </span>
      </div>
      <ol>
        {steps.map((step, index) => (
          <StepRow key={step.title} step={step} isFirst={index === 0} isNext={index === next} />
        ))}
      </ol>
    </section>
  );
}

type RowProps = { step: Step; isFirst: boolean; isNext: boolean };

const StepRow = ({ step: { title, why, to, done }, isFirst, isNext }: RowProps) => (
  <Box
    component="li"
    className="icon-line"
    display="flex"
    p="10px 16px"
    c="var(--second)"
    bg={isNext ? 'var(--accent-soft)' : ''}
    style={{ gap: 12, borderTop: isFirst ? 0 : '1px solid var(--line)' }}
  >
    {done ? (
      <IconCircleCheckFilled size={18} aria-label="Done" className="good" />
    ) : (
      <IconCircleDashed size={18} aria-label="To do" className="third" />
    )}
    <span>
      {done ? (
        title
      ) : (
        <Link to={to} style={{ fontWeight: isNext ? 500 : 400 }}>
          {title}
        </Link>
      )}
      {!done && <span className="cell-second">{why}</span>}
    </span>
    {isNext && <IconChevronRight size={16} className="push" aria-hidden />}
  </Box>
);
