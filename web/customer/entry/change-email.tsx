import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { customerPages } from '../../../contract/pages.ts';
import { useOperation } from '../../app/api.ts';
import { Entry } from '../../ui/page/entry.tsx';
import { Failure } from '../../ui/page/failure.tsx';
import { useMailToken } from './mail-token.ts';

/** The new address gets a link that makes the change, the old one a link that takes it back. */
export function ChangeEmail() {
  const undo = useMailToken('undo');
  return undo === null ? <Confirm /> : <Undo token={undo} />;
}

function Undo({ token }: { token: string }) {
  const undo = useOperation('undoEmailChange');
  if (undo.isSuccess)
    return (
      <Entry title="Your old address is back" lead="All sessions have ended. Set a new password now.">
        <Button component={Link} to={customerPages.forgotPassword}>
          Set a new password
        </Button>
      </Entry>
    );
  return (
    <Entry title="Was this not you?" lead="Take the change of your e-mail address back. All sessions end.">
      {undo.error && <Failure error={undo.error} />}
      <Button onClick={() => undo.mutate({ body: { token } })} loading={undo.isPending} fullWidth>
        Take the change back
      </Button>
    </Entry>
  );
}

/** In the session that asked for the change. */
function Confirm() {
  const token = useMailToken();
  const confirm = useOperation('confirmEmailChange');
  if (confirm.isSuccess)
    return (
      <Entry title="Your address is changed">
        <Button component={Link} to={customerPages.home}>
          Go on
        </Button>
      </Entry>
    );
  return (
    <Entry title="Your new e-mail address" lead="The button works in the browser in which you asked for the change.">
      {confirm.error && <Failure error={confirm.error} />}
      <Button
        onClick={() => confirm.mutate({ body: { token: token ?? '' } })}
        loading={confirm.isPending}
        disabled={token === null}
        fullWidth
      >
        This address is mine
      </Button>
      <Link to={customerPages.settings}>Back to the settings</Link>
    </Entry>
  );
}
