import { IconExternalLink } from '../../ui/look/icons.ts';
import { useOperation } from '../../app/api.ts';
import { useEndingReason, useSession } from '../../app/session/session.tsx';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { leaveForProvider } from './plan-request.ts';
import { Failure } from '../../ui/page/failure.tsx';

type Props = {
  children: string;
  /** Other reasons than the role. */
  reason?: string | null;
  variant?: 'filled' | 'default';
  size?: 'xs';
  fullWidth?: boolean;
};

/** Opens the payment provider's portal. */
export function PortalButton({ children, reason = null, ...look }: Props) {
  const { view } = useSession();
  const forbidden = useEndingReason();
  const portal = useOperation('startPortal');
  if (view) return null;
  const open = () => portal.mutate({}, { onSuccess: ({ portal: { url } }) => leaveForProvider(url) });
  return (
    <>
      <ActionButton
        {...look}
        icon={<IconExternalLink size={16} />}
        reason={forbidden ?? reason}
        loading={portal.isPending}
        onClick={open}
      >
        {children}
      </ActionButton>
      {portal.error && <Failure error={portal.error} />}
    </>
  );
}
