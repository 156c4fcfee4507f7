import { Button } from '@mantine/core';
import { customerPages } from '../../../contract/pages.ts';
import { useOperation } from '../../app/api.ts';
import { Failure } from '../../ui/page/page.tsx';

type Props = {
  id: string;
  /** From the mail. It also verifies the address. */
  token?: string | null;
  inline?: boolean;
};

/** Joining switches to the account. Declining changes nothing else. */
export function AnswerInvitation({ id, token = null, inline = false }: Props) {
  const goHome = () => location.assign(customerPages.home);
  const accept = useOperation('acceptInvitation', goHome);
  const decline = useOperation('declineInvitation', goHome);
  const error = accept.error ?? decline.error;
  return (
    <div className={inline ? 'row' : 'stack'}>
      {error && <Failure error={error} />}
      <Button
        onClick={() => accept.mutate({ path: { id }, body: token === null ? {} : { token } })}
        loading={accept.isPending}
        fullWidth={!inline}
      >
        Join the account
      </Button>
      <Button
        variant={inline ? 'default' : 'subtle'}
        onClick={() => decline.mutate({ path: { id } })}
        loading={decline.isPending}
        fullWidth={!inline}
      >
        Decline
      </Button>
    </div>
  );
}
