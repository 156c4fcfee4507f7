import { Box } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { openLine, readBrief } from '../../../contract/jobs/instructions.ts';
import { customerPages } from '../../../contract/pages.ts';
import type { Member, Order as OrderData } from '../../app/api.ts';
import { useServiceNames } from '../../app/service-names.ts';
import { useRoleReason, useSession } from '../../app/session/session.tsx';
import { useRead, useReads } from '../../app/use-reads.ts';
import { Answers } from '../../ui/job/answers.tsx';
import { optionalFacts } from '../../ui/job/optional-facts.tsx';
import { PageButton } from '../../ui/form/action-button.tsx';
import { pathTo } from '../../ui/page/address.ts';
import { Facts, Loaded, PageHead, Panel } from '../../ui/page/page.tsx';
import { part } from '../../ui/page/part.tsx';
import { Time } from '../../ui/time/time.tsx';
import { FileTiles } from '../../ui/upload/file-tiles.tsx';
import { downloadUrl } from '../jobs/job-story.ts';
import { orderReads } from './order.reads.ts';
import { deciders, sayOrder } from './order-words.ts';

const Decide = part(() => import('./decide-order.tsx'), 'DecideOrder');

/** An order that waits for an owner or admin, or did. They decide here; its maker sees where it stands. */
export function Order() {
  const reads = useReads(orderReads);
  // Its maker may change it at any time, and a colleague may decide.
  const order = useRead(reads.order, { refetchInterval: 10_000 });
  const members = useRead(reads.members);
  return (
    <Loaded query={order} head={<PageHead title="Order" />}>
      {({ order: data }) => <OrderPage order={data} members={members.data?.members ?? []} />}
    </Loaded>
  );
}

function OrderPage({ order, members }: { order: OrderData; members: Member[] }) {
  const { service } = useServiceNames();
  return (
    <>
      <PageHead
        title={order.customer_title || 'Order'}
        documentTitle="Order"
        above={service(order.service_family, order.service_type)}
        below={<span role="status">{sayOrder(order, deciders(members, order.created_by.id))}</span>}
      />
      <div className="columns">
        <div className="stack">
          <What order={order} />
          {order.files.length > 0 && (
            <Panel title="Files">
              <FileTiles label="Files of the order" files={order.files} urlOf={downloadUrl} />
            </Panel>
          )}
        </div>
        <aside className="stack">
          <WhatNow order={order} />
          <Panel title="Facts">
            <Facts
              facts={[
                ['Ordered by', <bdi key="by">{order.created_by.name}</bdi>],
                ['Ordered', <Time key="at" at={order.created_at} as="moment" />],
                ...optionalFacts(order, 'Your'),
                ['Brand kit', !order.brand_kit && 'Stays out'],
                ['Lapses', order.status === 'waiting' && <Time key="lapses" at={order.lapses_at} as="moment" />],
              ]}
            />
          </Panel>
        </aside>
      </div>
    </>
  );
}

/** As the page of the job will show it. */
function What({ order }: { order: OrderData }) {
  const { requirements } = useServiceNames();
  const { customer_instructions, answers: answered_requirements, service_family } = order;
  // A draft of which all is left open has a brief, too; other orders without answers were sent as they are.
  const isBrief = answered_requirements.length > 0 || customer_instructions.includes(openLine(''));
  const intent_brief = isBrief ? { answered_requirements } : null;
  const { answers, words, open } = readBrief(requirements(service_family), { customer_instructions, intent_brief });
  const rows = Object.entries(answers);
  return (
    <Panel title="What the studio would be told">
      <Answers answers={rows} open={open} />
      {words && (
        <Box component="p" className="prose" mt={rows.length + open.length > 0 ? 14 : 0} dir="auto">
          {words}
        </Box>
      )}
    </Panel>
  );
}

function WhatNow({ order }: { order: OrderData }) {
  const { user } = useSession();
  const forbidden = useRoleReason();
  const { status, job_id: id, words, intake_session_id: draft } = order;
  const isMine = order.created_by.id === user.id;
  if (status === 'waiting' && !isMine && forbidden === null) return <Decide order={order} />;
  return (
    <Panel
      title={status === 'waiting' ? 'It waits' : status === 'confirmed' ? 'It is a job now' : 'Nothing was ordered'}
    >
      <div className="stack-small">
        {status === 'waiting' && (
          <p className="small second">
            Nothing is made until it is confirmed.{' '}
            {isMine && 'You are told here and by mail, and can change it until then.'}
          </p>
        )}
        {words && (
          <p className="prose" dir="auto">
            “{words}”
          </p>
        )}
        {id && <PageButton label="Look at the job" to={pathTo(customerPages.job, { id })} />}
        {isMine && ['waiting', 'declined', 'lapsed'].includes(status) && (
          <Link to={pathTo(customerPages.newJob, {}, { draft })}>
            {status === 'waiting' ? 'Change the order' : 'Change it and order again'}
          </Link>
        )}
      </div>
    </Panel>
  );
}
