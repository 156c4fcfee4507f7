import { Box } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { JobStatus } from '../../../contract/moves.ts';
import { customerPages } from '../../../contract/pages.ts';
import { type JobListItem, operationQuery } from '../../app/api.ts';
import { useRoleReason, useSession } from '../../app/session/session.tsx';
import { pathTo } from '../../ui/page/address.ts';
import { isForPrograms } from '../account/plan-limit.tsx';
import { hasStopped } from '../account/plan-words.ts';

type Props = { counts: Record<JobStatus, number>; waiting: JobListItem | undefined };

const bar = { component: 'i', display: 'inline-block', w: 16, h: 4, mr: 3, bdrs: 2 } as const;

/** One line, by the account's data, until all is done. Nothing for people who were invited. */
export function FirstSteps({ counts, waiting }: Props) {
  const { user, plans, role } = useSession();
  const forbidden = useRoleReason();
  const programs = isForPrograms(plans);
  const keys = useQuery({ ...operationQuery('listApiKeys'), enabled: programs && forbidden === null });
  const ordered = Object.values(counts).some((count) => count > 0);
  const hasKey = Boolean(keys.data?.api_keys.some(({ status }) => status === 'active'));
  const steps = [
    { words: 'verify your e-mail address', to: customerPages.verifyEmail, done: user.email_verified },
    { words: 'choose a plan', to: customerPages.plans, done: plans.active || hasStopped(plans) || ordered },
    programs
      ? { words: 'make an API key', to: customerPages.keys, done: ordered || hasKey }
      : { words: 'order your first job', to: customerPages.newJob, done: ordered },
    {
      words: 'review what the studio made',
      to: waiting ? pathTo(customerPages.job, { id: waiting.id }) : customerPages.jobs,
      done: counts.completed > 0,
    },
  ];
  const next = steps.find(({ done }) => !done);
  if (!next || role !== 'owner') return null;
  return (
    <section className="row small second" aria-label="First steps" style={{ gap: 10 }}>
      <span aria-hidden>
        {steps.map(({ words, done }) => (
          <Box key={words} {...bar} bg={done ? 'var(--good)' : 'var(--strong-line)'} />
        ))}
      </span>
      <span>
        First steps, {steps.filter(({ done }) => done).length} of {steps.length}. Next:{' '}
        <Box component={Link} to={next.to} fw={500}>
          {next.words}
        </Box>
      </span>
    </section>
  );
}
