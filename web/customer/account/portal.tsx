import type { ButtonProps } from '@mantine/core';
import { IconExternalLink } from '../../ui/look/icons.ts';
import { useOperation } from '../../app/api.ts';
import { useEndingReason, useSession } from '../../app/session/session.tsx';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { leaveForProvider } from './plan-request.ts';
import { Failure } from '../../ui/page/page.tsx';

/** `reason`: another one than the role. */
type Props = Pick<ButtonProps, 'variant' | 'size' | 'fullWidth'> & { label: string; reason?: string | null };

export function PortalButton({ label, reason = null, ...look }: Props) {
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
        {label}
      </ActionButton>
      {portal.error && <Failure error={portal.error} />}
    </>
  );
}
