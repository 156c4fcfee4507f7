import { useEffect, useRef, useState } from 'react';
import { Link } from '@tanstack/react-router';
import { customerPages } from '../../../contract/pages.ts';
import type { IntakeSession, ServiceFamily } from '../../app/api.ts';
import { useRead, useReads } from '../../app/use-reads.ts';
import { pathTo, useAddress } from '../../ui/page/address.ts';
import { usePageTools } from '../../ui/page/page-tools.ts';
import { Loaded, PageHead } from '../../ui/page/page.tsx';
import { ColumnsSkeleton, OptionsSkeleton } from '../../ui/list/skeletons.tsx';
import { ChangeService } from './change-service.tsx';
import { ChooseService } from './choose-service.tsx';
import { Drafts } from './drafts.tsx';
import { draftsRead } from './drafts.reads.ts';
import { EndedDraft } from './ended-draft.tsx';
import { newJobReads } from './new-job.reads.ts';
import { OrderPage } from './order-page.tsx';
import { StartFrom } from './start-from.tsx';
import { TemplateLinks } from './template-links.tsx';

type Search = 'family' | 'type' | 'from' | 'template' | 'draft' | 'choose';

/** Milliseconds between two looks for changes of another person. */
const interval = 30_000;

const loadTools = async () => (await import('./catalog-tools.ts')).catalogTools;

/** `draft`: as it is stored. `from` and `template`: a copy of an earlier job or of a template. */
export function NewJob() {
  const [{ type, from, template, draft }] = useAddress<Search>();
  const reads = useReads(newJobReads);
  usePageTools(loadTools, null);
  const catalog = useRead(reads.catalog);
  const session = useRead(reads.session, { refetchInterval: interval });
  const isOrder = (type ?? from ?? template ?? draft) !== undefined;
  const skeleton = isOrder ? <ColumnsSkeleton left={[756, 146]} right={[436]} /> : <OptionsSkeleton />;
  const head = <PageHead title="New job" />;
  if (!draft && template) return <StartFrom order={{ template_id: template }} waiting={skeleton} />;
  if (!draft && from) return <StartFrom order={{ job_id: from }} waiting={skeleton} />;
  if (reads.session && !session.data)
    return (
      <Loaded query={session} skeleton={skeleton} head={head}>
        {() => null}
      </Loaded>
    );
  return (
    <Loaded query={catalog} skeleton={skeleton} head={head}>
      {({ service_families: families }) => <Draft families={families} session={session.data?.intake_session ?? null} />}
    </Loaded>
  );
}

function Draft({ families, session }: { families: ServiceFamily[]; session: IntakeSession | null }) {
  const [{ family: familyId, type, choose }, setAddress] = useAddress<Search>();
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
          below={
            session ? 'What should the studio make instead? What you have said stays.' : 'What should the studio make?'
          }
          actions={session && option && <Link to={pathTo(customerPages.newJob, {}, { draft: session.id })}>Back</Link>}
        />
        {!session && (
          <>
            <Drafts read={draftsRead} />
            <TemplateLinks />
          </>
        )}
        <ChooseService families={families} draft={session?.id ?? null} />
      </>
    );
  return (
    <OrderPage
      key={key}
      families={families}
      family={family}
      option={option}
      session={session}
      localName={`order-${place}`}
      onOpened={(id) => {
        if (!isShown.current) return; // stored after the person went on: another page has the address
        setPage({ place: id, key });
        setAddress({ draft: id, family: undefined, type: undefined });
      }}
    />
  );
}
