import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { customerPages } from '../../../contract/pages.ts';
import { type Entitlement, operationQuery, type Plan, useOperation } from '../../app/api.ts';
import { useServiceNames } from '../../app/service-names.ts';
import { useSession } from '../../app/session/session.tsx';
import { pathTo } from '../../ui/page/address.ts';
import { notify, sayFailure } from '../../ui/page/page.tsx';
import type { PlanRequest } from './plan-request.ts';

type Props = { request: PlanRequest; plans: Plan[]; active: Entitlement[] };

/** Says what a plan is needed for and which ones serve it, or that the account has one, and leads back. */
export function RequestedPlan({ request, plans, active }: Props) {
  const { account } = useSession();
  const service = useRequestedService(request);
  const isAgent = request.by === 'agent';
  if (request.account && request.account !== account.id) return <OtherAccount id={request.account} />;
  const own = active.find((plan) => servesRequest(plan, request) && (plan.remaining > 0 || !isOrder(request)));
  const names = plans.filter((plan) => servesRequest(plan, request)).map(({ name }) => name);
  return (
    <div className={own ? 'note good' : 'note turn'} role="note" style={{ marginBottom: 20 }}>
      <strong>{own ? sayServed(own, request, service) : sayNeed(request, service)}</strong>
      {!own && request.by && names.length > 0 && ` ${sayOr(names)} serves it.`}{' '}
      {isAgent ? (
        `${own ? 'Now' : 'Then'} go back to your assistant and let it try again.`
      ) : (
        <Link to={backTo(request, service !== null)}>{isOrder(request) ? 'Back to the order' : 'Back'}</Link>
      )}
    </div>
  );
}

const isOrder = ({ for: purpose }: PlanRequest): boolean => purpose !== 'files' && purpose !== 'revision';

/** Anybody could have written the address: only what the catalog has is named. */
function useRequestedService({ for: purpose }: PlanRequest): string | null {
  const { families, service } = useServiceNames();
  const [family = '', type = ''] = purpose.split('.');
  const options = families.find(({ id }) => id === family)?.service_options ?? [];
  return options.some(({ id }) => id === type) ? service(family, type) : null;
}

function sayNeed({ for: purpose, by }: PlanRequest, service: string | null): string {
  if (purpose === 'files') return 'More files need a plan.';
  if (purpose === 'revision') return 'Changes to a delivery need a plan.';
  if (service === null) return 'An order needs a plan with jobs left.';
  return `To order ${service}${by === 'agent' ? ' by an agent' : ''}, the account needs a plan with jobs left.`;
}

/** Does not promise that an order succeeds: the limit of open jobs may be reached. */
function sayServed(plan: Entitlement, { for: purpose, by }: PlanRequest, service: string | null): string {
  const { name, remaining, concurrency_limit: limit } = plan;
  if (purpose === 'files') return `${name} is active: you can add files now.`;
  if (purpose === 'revision') return `${name} is active: you can ask for changes now.`;
  const what = service === null ? '' : ` to order ${service}${by === 'agent' ? ' by an agent' : ''}`;
  return `${name} has ${remaining} ${remaining === 1 ? 'job' : 'jobs'} left${what}, ${limit} at the same time.`;
}

const sayOr = (names: string[]): string => new Intl.ListFormat('en', { type: 'disjunction' }).format(names);

const servesRequest = ({ access_kind: kind }: Pick<Plan, 'access_kind'>, { by }: PlanRequest): boolean =>
  !by || kind === 'both' || kind === by;

function backTo({ for: purpose, draft }: PlanRequest, isKnown: boolean): string {
  const [family = '', type = ''] = purpose.split('.');
  if (purpose === 'files') return customerPages.library;
  if (purpose === 'revision') return customerPages.jobs;
  return pathTo(customerPages.newJob, {}, draft ? { draft } : isKnown ? { family, type } : {});
}

/** The plan would be bought for the wrong account. Only the person's own accounts are named. */
function OtherAccount({ id }: { id: string }) {
  const { account } = useSession();
  const accounts = useQuery(operationQuery('listMyAccounts'));
  const change = useOperation('switchAccount', () => location.reload());
  const other = accounts.data?.accounts.find((candidate) => candidate.id === id);
  if (!accounts.data) return null;
  const whose = other?.name ?? 'another account, which you do not belong to';
  return (
    <div className="note bad row" role="note" style={{ marginBottom: 20 }}>
      <span>
        This was asked for {whose}. You have {account.name} open.{' '}
        {other ? 'Switch before you choose a plan.' : 'Sign in with the address that belongs to it.'}
      </span>
      {other && (
        <Button
          className="push"
          size="xs"
          variant="default"
          loading={change.isPending}
          onClick={() => change.mutate({ path: { id } }, { onError: (error) => notify(sayFailure(error).title) })}
        >
          Switch to {other.name}
        </Button>
      )}
    </div>
  );
}
