import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { customerPages } from '../../../contract/pages.ts';
import { useOperation } from '../../app/api.ts';
import { PageForm } from '../../ui/form/page-form.tsx';
import { Entry } from '../../ui/page/entry.tsx';
import { useMailToken } from './mail-token.ts';

/** In the session that asked for the change. */
export function ChangeEmail() {
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
      <PageForm
        submit="This address is mine"
        onSubmit={() => confirm.mutate({ body: { token: token ?? '' } })}
        action={confirm}
        disabled={token === null}
      />
      <Link to={customerPages.settings}>Back to the settings</Link>
    </Entry>
  );
}
