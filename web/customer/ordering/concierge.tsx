import { Button, Select } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { customerPages } from '../../../contract/pages.ts';
import {
  type IntakeListItem,
  operationQuery,
  type Output,
  queryClient,
  type ServiceFamily,
  useOperation,
} from '../../app/api.ts';
import { useReadOnlyReason } from '../../app/session/session.tsx';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { pathTo, useAddress } from '../../ui/page/address.ts';
import { curl } from '../../ui/page/curl.ts';
import { type Column, Empty } from '../../ui/list/list.tsx';
import { Failure, Loaded, PageHead, Panel } from '../../ui/page/page.tsx';
import { PagedList } from '../../ui/list/paged-list.tsx';
import { Time } from '../../ui/time/time.tsx';
import { conversationWords, creatorWords } from '../../ui/job/words.ts';
import { useServiceNames } from '../../app/service-names.ts';
import { usePages, useRead, useReads } from '../../app/use-reads.ts';
import { Textarea } from '../../ui/form/fields.tsx';
import { conciergeReads } from './concierge.reads.ts';
import { serviceFor } from './find-services.ts';
import { useNeed } from './need/use-need.ts';

export function Concierge() {
  const catalog = useRead(useReads(conciergeReads).catalog);
  return (
    <>
      <PageHead
        title="Talk it through"
        below="Say it in your own words, and the brief appears beside it. Nothing is ordered until you confirm it."
      >
        <Button component={Link} to={customerPages.newJob} variant="subtle">
          Fill in the form instead
        </Button>
      </PageHead>
      <div className="stack" style={{ gap: 32 }}>
        <Loaded query={catalog} height={345}>
          {({ service_families: families }) => <Begin families={families} />}
        </Loaded>
        <Conversations />
      </div>
    </>
  );
}

/** Characters of a message. */
const longest = 4_000;

function Begin({ families }: { families: ServiceFamily[] }) {
  const [{ family: familyId, type }] = useAddress<'family' | 'type'>();
  const [chosen, setChosen] = useState(families.find(({ id }) => id === familyId)?.id ?? null);
  const [need, setNeed, forget] = useNeed();
  const [other, setOther] = useState('');
  // What has a draft already is talked through there.
  const message = need.draft ? other : need.words;
  const setMessage = (words: string) => (need.draft ? setOther(words) : setNeed((before) => ({ ...before, words })));
  // The words name a service, unless the person or the address has chosen one.
  const { found: likeliest } = serviceFor(families, message);
  const family = chosen ?? likeliest?.family.id ?? families[0]?.id ?? '';
  const open = useOperation('openIntake');
  const navigate = useNavigate();
  const option = type ?? (likeliest?.family.id === family ? likeliest.option.id : undefined);
  const isSold = families.find(({ id }) => id === family)?.service_options.some(({ id }) => id === option);
  const readOnly = useReadOnlyReason();
  const tooLong =
    message.length > longest ? `Say it in ${longest.toLocaleString()} characters, or fill in the form.` : null;
  const begin = () => {
    if (readOnly || tooLong || open.isPending || open.isSuccess) return;
    const body = {
      service_family: family,
      ...(isSold && option ? { service_type: option } : {}),
      ...(message.trim() ? { message: message.trim() } : {}),
    };
    const onSuccess = (opened: Output<'openIntake'>) => {
      const { id } = opened.intake_session;
      if (!need.draft) forget();
      queryClient.setQueryData(operationQuery('readIntake', { path: { id } }).queryKey, opened);
      void navigate({ to: pathTo(customerPages.conversation, { id }) });
    };
    open.mutate({ body }, { onSuccess });
  };
  return (
    <Panel title="What shall we make?">
      {need.draft && (
        <p className="note">
          A draft waits on Home.{' '}
          <Link to={pathTo(customerPages.conversation, { id: need.draft })}>Talk it through</Link>, or begin another.
        </p>
      )}
      <form className="stack" onSubmit={(event) => (event.preventDefault(), begin())}>
        <Select
          label="About"
          data={families.map(({ id, name }) => ({ value: id, label: name }))}
          value={family}
          onChange={setChosen}
          maw={260}
        />
        <Textarea
          label="In your own words"
          description="As much or as little as you know. You can also leave it empty and be asked."
          placeholder="We are opening a bakery on Mill Road in March and need a logo."
          maxLength={longest}
          minRows={3}
          value={message}
          onChange={({ currentTarget: { value } }) => setMessage(value)}
          data-autofocus
        />
        {open.error && <Failure error={open.error} />}
        <div>
          <ActionButton reason={readOnly ?? tooLong} loading={open.isPending || open.isSuccess} onClick={begin}>
            Begin
          </ActionButton>
        </div>
      </form>
    </Panel>
  );
}

function Conversations() {
  const sessions = usePages(useReads(conciergeReads).sessions);
  const { familyName, service } = useServiceNames();
  const columns: Column<IntakeListItem>[] = [
    {
      head: 'Conversation',
      width: '46%',
      cell: ({ intent_brief, service_family, service_type }) => (
        <>
          {intent_brief?.customer_title ?? `About ${familyName(service_family).toLowerCase()}`}
          <span className="cell-second">{service(service_family, service_type)}</span>
        </>
      ),
    },
    {
      head: 'State',
      cell: ({ status }) => (
        <span className={status === 'brief_ready' ? 'status yours' : 'status'}>{conversationWords[status]}</span>
      ),
    },
    { head: 'Begun by', cell: (session) => <bdi>{creatorWords(session)}</bdi> },
    { head: 'Begun', end: true, cell: ({ created_at }) => <Time at={created_at} /> },
  ];
  if (sessions.data?.length === 0)
    return (
      <Empty command={curl({ path: '/api/v1/intake/sessions', body: { service_family: 'design' } })}>
        Your conversations are listed here, so that you can continue them later.
      </Empty>
    );
  return (
    <section aria-label="Conversations">
      <h2 className="section-title">Conversations</h2>
      <PagedList
        label="Conversations"
        pages={sessions}
        columns={columns}
        rowKey={({ id }) => id}
        href={({ id }) => pathTo(customerPages.conversation, { id })}
      />
    </section>
  );
}
