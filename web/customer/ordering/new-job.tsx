import { Box, Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ComponentProps, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { customerPages } from '../../../contract/pages.ts';
import {
  type Input,
  type IntakeSession,
  operationQuery,
  type Output,
  queryClient,
  type ServiceFamily,
  useOperation,
} from '../../app/api.ts';
import { useDraft } from '../../app/session/draft.ts';
import { usePages, useRead, useReads } from '../../app/use-reads.ts';
import { ColumnsSkeleton, OptionsSkeleton } from '../../ui/list/skeletons.tsx';
import { Answers } from '../../ui/job/answers.tsx';
import { pathTo, useAddress } from '../../ui/page/address.ts';
import { Failure, Loaded, PageHead } from '../../ui/page/page.tsx';
import { usePageTools } from '../../ui/page/page-tools.ts';
import { ChooseService } from './choose-service.tsx';
import { type Edits, fieldName, pendingFields } from './draft/edits.ts';
import { sessionKey } from './draft/use-versions.ts';
import { Drafts, TemplateLinks } from './drafts.tsx';
import { NeedBox } from './need/need-box.tsx';
import { needEdits, noNeed, useNeed } from './need/use-need.ts';
import { draftsRead, kitRead, newJobReads } from './new-job.reads.ts';
import { OrderPage } from './order-page.tsx';
import { templatesRead } from './templates.reads.ts';

type Search = 'family' | 'type' | 'from' | 'template' | 'draft' | 'choose';

const loadTools = async () => (await import('./catalog-tools.ts')).catalogTools;

/** `draft`: as it is stored. `from` and `template`: a copy of an earlier job or of a template. */
export function NewJob() {
  const [{ type, from, template, draft }] = useAddress<Search>();
  const reads = useReads(newJobReads);
  usePageTools(loadTools, null);
  const catalog = useRead(reads.catalog);
  const session = useRead(reads.session, { refetchInterval: 30_000 });
  // Above the services, which they would push down.
  const above = [usePages(draftsRead, only(reads.drafts)), usePages(templatesRead, only(reads.templates))];
  // A new order begins with what the kit suggests.
  const kit = useRead(kitRead, { enabled: type !== undefined && !draft });
  const isOrder = (type ?? from ?? template ?? draft) !== undefined;
  const skeleton = isOrder ? <ColumnsSkeleton left={[756, 146]} right={[436]} /> : <OptionsSkeleton />;
  const head = <PageHead title="New job" />;
  if (!draft && template) return <StartFrom order={{ template_id: template }} waiting={skeleton} />;
  if (!draft && from) return <StartFrom order={{ job_id: from }} waiting={skeleton} />;
  const isWaiting = reads.session && !session.data;
  const isEarly = kit.isLoading || (reads.drafts && above.some(({ data, error }) => !data && !error));
  const query = isWaiting
    ? { data: undefined, error: session.error, refetch: session.refetch }
    : isEarly
      ? { ...catalog, data: undefined }
      : catalog;
  return (
    <Loaded query={query} skeleton={skeleton} head={head}>
      {({ service_families: families }) => <Draft families={families} session={session.data?.intake_session ?? null} />}
    </Loaded>
  );
}

const only = (read: object | undefined) => ({ enabled: read !== undefined });

function Draft({ families, session }: { families: ServiceFamily[]; session: IntakeSession | null }) {
  const [{ family: familyId, type, choose }, setAddress] = useAddress<Search>();
  const need = useNeed();
  const place = session?.id ?? `${familyId ?? ''} ${type ?? ''}`;
  // The page stays as it is when its draft is stored for the first time.
  const [page, setPage] = useState({ place, key: place });
  const key = page.place === place ? page.key : place;
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  const source = session ?? { service_family: familyId, service_type: type };
  const family = families.find(({ id }) => id === source.service_family);
  const option = family?.service_options.find(({ id }) => id === source.service_type);
  if (session && session.status !== 'open' && session.status !== 'brief_ready') return <EndedDraft session={session} />;
  if (session && familyId && type) return <ChangeService session={session} family={familyId} type={type} />;
  if (!family || !option || choose)
    return (
      <>
        <PageHead
          title="New job"
          below={`What should the studio make${session ? ' instead? What you have said stays.' : '?'}`}
        >
          {session && option && <Link to={pathTo(customerPages.newJob, {}, { draft: session.id })}>Back</Link>}
        </PageHead>
        {type && !session && (
          <p className="note turn">The studio does not make this any more. Choose another service.</p>
        )}
        {!session && (
          <>
            <Box mb={24}>
              <NeedBox of={need} />
            </Box>
            <Drafts except={need[0].draft} />
            <TemplateLinks />
          </>
        )}
        <ChooseService families={families} draft={session?.id ?? null} />
      </>
    );
  return (
    <Order
      key={key}
      families={families}
      family={family}
      option={option}
      session={session}
      need={need}
      place={place}
      onOpened={(id) => {
        if (!isShown.current) return; // stored after the person went on: another page has the address
        setPage({ place: id, key });
        setAddress({ draft: id, family: undefined, type: undefined });
      }}
    />
  );
}

type OrderProps = Omit<ComponentProps<typeof OrderPage>, 'localName' | 'onOrdered'> & {
  need: ReturnType<typeof useNeed>;
  place: string;
};

/** Goes on with what stands in the box for what one needs. */
function Order({ need: [need, setNeed, forget], place, onOpened, ...page }: OrderProps) {
  const { session } = page;
  const [begun, setBegun] = useState(session ? noNeed : need);
  const isBegun = begun.words.trim() !== '';
  if (begun.draft && !session) return <TakeAlong id={begun.draft} onGone={() => setBegun({ ...begun, draft: null })} />;
  return (
    <OrderPage
      {...page}
      localName={!session && isBegun ? needEdits : `order-${session?.id ?? place}`}
      onOpened={(id) => {
        if (isBegun) setNeed((before) => ({ ...before, draft: id }));
        onOpened(id);
      }}
      onOrdered={() => need.draft === session?.id && forget()}
    />
  );
}

/** Chooses the service of the address for the draft that the box has, unless that has ended. */
function TakeAlong({ id, onGone }: { id: string; onGone: () => void }) {
  const [, setAddress] = useAddress<Search>();
  const { data, error } = useQuery(operationQuery('readIntake', { path: { id } }));
  const status = data?.intake_session.status ?? (error ? 'gone' : null);
  const isOpen = status === 'open' || status === 'brief_ready';
  const go = useEffectEvent(() => (isOpen ? setAddress({ draft: id }) : onGone()));
  useEffect(() => {
    if (status !== null) go();
  }, [status]);
  return <ColumnsSkeleton left={[756, 146]} right={[436]} />;
}

/** Opens a draft with a copy of an earlier order or of a template, and goes on with it. */
function StartFrom({ order, waiting }: { order: Input<'openIntake'>['body']; waiting: ReactNode }) {
  const [, setAddress] = useAddress<Search>();
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const open = useOperation('openIntake');
  const onSuccess = (answer: Output<'openIntake'>) => {
    const { id } = answer.intake_session;
    queryClient.setQueryData(sessionKey(id), answer);
    setAddress({ draft: id, from: undefined, template: undefined });
  };
  const run = () => open.mutate({ body: order, idempotencyKey }, { onSuccess });
  return <Once run={run} error={open.error} waiting={waiting} />;
}

/** Gives a draft the service that was chosen for it. */
function ChangeService({ session: { id }, family, type }: { session: IntakeSession; family: string; type: string }) {
  const [, setAddress] = useAddress<Search>();
  const change = useOperation('updateIntake');
  const onSuccess = (answer: Output<'updateIntake'>) => {
    queryClient.setQueryData(sessionKey(id), answer);
    setAddress({ family: undefined, type: undefined, choose: undefined });
  };
  const run = () =>
    change.mutate({ path: { id }, body: { service_family: family, service_type: type } }, { onSuccess });
  return (
    <Once run={run} error={change.error} waiting={<Skeleton height={240} role="progressbar" aria-label="Loading" />} />
  );
}

function Once({ run, error, waiting }: { run: () => void; error: Error | null; waiting: ReactNode }) {
  // oxlint-disable-next-line react/exhaustive-deps -- once
  useEffect(run, []);
  if (!error) return waiting;
  return (
    <>
      <PageHead title="New job" />
      <Failure error={error} retry={run} />
    </>
  );
}

const endings = {
  confirmed: 'This draft was ordered.',
  closed: 'This draft was deleted.',
  expired: 'This draft has expired: drafts stay for thirty days.',
};

/** Instead of the page of a draft that cannot be changed any more. What was not stored in time is shown. */
function EndedDraft({ session }: { session: IntakeSession }) {
  const { id, status, job_id: job } = session;
  const [edits] = useDraft<Edits>(`order-${id}`, {});
  const left = pendingFields(session, edits).filter((field) => field !== 'files' && edits[field] !== '');
  return (
    <div className="stack">
      <PageHead title="New job" />
      <div className="note row">
        {endings[status as keyof typeof endings]}{' '}
        {job && <Link to={pathTo(customerPages.job, { id: job })}>Follow the job</Link>}
        <Button component={Link} to={customerPages.newJob} variant="default" size="xs">
          Begin another one
        </Button>
      </div>
      {left.length > 0 && (
        <section>
          <h2 className="section-title">You typed this afterwards</h2>
          <Answers answers={left.map((field) => [fieldName(field), String(edits[field])])} />
        </section>
      )}
    </div>
  );
}
