import { Box } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { customerPages } from '../../../../contract/pages.ts';
import type { IntakeSession, ServiceFamily, ServiceOption } from '../../../app/api.ts';
import { pathTo } from '../../../ui/page/address.ts';
import { Verdict } from '../verdict.tsx';
import { DeleteDraft } from './delete-draft.tsx';
import { Fields } from './fields.tsx';
import type { OrderDraft } from './use-order-draft.ts';
import { useOrder } from './use-order.ts';

type Props = { session: IntakeSession; family: ServiceFamily; option: ServiceOption | undefined; draft: OrderDraft };

/** The draft beside its conversation: the same fields and the same order as on the order page. */
export function TalkDraft({ session, family, option, draft }: Props) {
  const navigate = useNavigate();
  const [active, setActive] = useState<string | null>(null);
  const choose = pathTo(customerPages.newJob, {}, { draft: session.id, choose: 'yes' });
  const title = session.intent_brief?.customer_title ?? option?.name ?? family.name;
  return (
    <Box className="stack talk-draft breaks" component="aside" aria-label="Brief" style={{ gap: 20 }}>
      <div className="stack-small">
        <strong>{title}</strong>
        <span className="small second">
          {option ? `${family.name} · ${option.name} ` : `${family.name}: say which service, or `}
          <Link to={choose}>{option ? 'Another service' : 'choose it'}</Link>
        </span>
      </div>
      {option && (
        <>
          <div className="stack">
            <Fields family={family} option={option} draft={draft} active={active} onActive={setActive} />
          </div>
          <Order family={family} option={option} draft={draft} />
        </>
      )}
      <DeleteDraft id={session.id} title={title} onDeleted={() => void navigate({ to: customerPages.concierge })} />
    </Box>
  );
}

type OrderProps = { family: ServiceFamily; option: ServiceOption; draft: OrderDraft };

function Order({ family, option, draft }: OrderProps) {
  const navigate = useNavigate();
  const order = useOrder(draft, { family, option }, (id) => void navigate({ to: pathTo(customerPages.job, { id }) }));
  return <Verdict option={option} draft={draft} order={order} waiting={null} />;
}
