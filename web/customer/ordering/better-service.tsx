import { Button } from '@mantine/core';
import type { ServiceFamily, ServiceOption } from '../../app/api.ts';
import type { OrderDraft } from './draft/use-order-draft.ts';
import { serviceNamedIn } from './find-services.ts';

type Props = { families: ServiceFamily[]; option: ServiceOption; draft: OrderDraft };

/** The text names another service. Nothing changes by itself. */
export function BetterService({ families, option, draft }: Props) {
  const named = serviceNamedIn(families, draft.value('words'), option);
  if (!named) return null;
  const change = () => void draft.changeService(named.family.id, named.option.id).catch(() => {});
  return (
    <div className="note row between small" role="status">
      Your text speaks of a service of its own: {named.option.name}.
      <Button size="compact-sm" variant="default" onClick={change}>
        Change to {named.option.name}
      </Button>
    </div>
  );
}
