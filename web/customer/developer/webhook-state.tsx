import { IconAlertTriangle, IconCircleCheck, IconPlayerPause } from '../../ui/look/icons.ts';
import type { WebhookEndpoint } from '../../app/api.ts';
import { Time } from '../../ui/time/time.tsx';
import { disabledWords } from './webhook-words.ts';

export function EndpointState({ endpoint: { disabled_reason, failing_since } }: { endpoint: WebhookEndpoint }) {
  if (disabled_reason)
    return (
      <span className={disabled_reason === 'by_person' ? 'status third' : 'status bad'}>
        <IconPlayerPause size={14} aria-hidden /> {disabledWords[disabled_reason]}
      </span>
    );
  if (failing_since)
    return (
      <span className="status bad">
        <IconAlertTriangle size={14} aria-hidden />
        <span>
          Failing since <Time at={failing_since} as="moment" />
        </span>
      </span>
    );
  return (
    <span className="status good">
      <IconCircleCheck size={14} aria-hidden /> Active
    </span>
  );
}
