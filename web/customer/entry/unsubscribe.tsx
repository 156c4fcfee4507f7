import { Button } from '@mantine/core';
import { customerPages } from '../../../contract/pages.ts';
import { useOperation } from '../../app/api.ts';
import { PageForm } from '../../ui/form/page-form.tsx';
import { Entry } from '../../ui/page/entry.tsx';
import { useMailToken } from './mail-token.ts';

/** A mail program may open every link of a mail, so the page ends nothing before its button is pressed. */
export function Unsubscribe() {
  const token = useMailToken();
  const end = useOperation('unsubscribe');
  if (end.data)
    return (
      <Entry title="No more such mails" lead="You still see everything behind the bell.">
        {end.data.ended.length > 0 && (
          <ul>
            {end.data.ended.map((says) => (
              <li key={says}>{says}</li>
            ))}
          </ul>
        )}
        <ToSettings />
      </Entry>
    );
  if (token === null)
    return (
      <Entry title="This link is incomplete" lead="Open the link of the mail again, or choose in the settings.">
        <ToSettings />
      </Entry>
    );
  return (
    <Entry title="End these mails?" lead="You get these mails no more. The settings can turn them on again.">
      <PageForm submit="End these mails" onSubmit={() => end.mutate({ body: { token } })} action={end} />
    </Entry>
  );
}

const ToSettings = () => (
  <Button component="a" href={customerPages.settings} variant="default" fullWidth>
    Choose what is mailed
  </Button>
);
