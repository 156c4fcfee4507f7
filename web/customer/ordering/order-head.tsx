import { Button } from '@mantine/core';
import { IconMessage } from '../../ui/look/icons.ts';
import { customerPages } from '../../../contract/pages.ts';
import type { ServiceFamily, ServiceOption } from '../../app/api.ts';
import { useServiceNames } from '../../app/service-names.ts';
import { pathTo } from '../../ui/page/address.ts';
import { PageHead } from '../../ui/page/page.tsx';
import { Leave } from './draft/leave.tsx';
import type { OrderDraft } from './draft/use-order-draft.ts';
import { sayHours, sayRoundCount, sayRoundTime } from './option-words.ts';

type Props = { family: ServiceFamily; option: ServiceOption; draft: OrderDraft };

export function OrderHead({ family, option, draft }: Props) {
  const business = useServiceNames().businessHours !== null;
  const id = draft.session?.id;
  const talk = id
    ? pathTo(customerPages.conversation, { id })
    : pathTo(customerPages.concierge, {}, { family: family.id, type: option.id });
  const another = pathTo(customerPages.newJob, {}, id ? { draft: id, choose: 'yes' } : {});
  return (
    <PageHead
      title="New job"
      below={
        <>
          <strong className="ink">
            {family.name} · {option.name}
          </strong>{' '}
          <span className="wide-only">· first delivery within </span>
          {sayHours(option.turnaround_hours, business)} · {sayRoundCount(option.revision_rounds)}
          <span className="wide-only"> of changes</span>
          {sayRoundTime(option, business)}{' '}
          <Leave draft={draft} to={another}>
            Another service
          </Leave>
        </>
      }
      actions={
        <Button
          variant="subtle"
          leftSection={<IconMessage size={16} />}
          renderRoot={(props) => <Leave {...props} draft={draft} to={talk} />}
        >
          Talk it through instead
        </Button>
      }
    />
  );
}
