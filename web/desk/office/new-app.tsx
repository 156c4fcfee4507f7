import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useOperation } from '../../app/api.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { FormDialog } from '../../ui/dialog/form-dialog.tsx';
import { fieldError } from '../../ui/form/form.ts';
import { useMoveKey } from '../../ui/form/move-key.ts';
import { Textarea } from '../../ui/form/textarea.tsx';
import { Code } from '../../ui/page/code.tsx';

/** Registers an app, then shows its client id. */
export function NewApp({ onClose }: { onClose: () => void }) {
  const create = useOperation('createStudioApp');
  const [name, setName] = useState('');
  const [text, setText] = useState('');
  const redirects = text.split('\n').flatMap((line) => line.trim() || []);
  const body = { name: name.trim(), redirect_uris: redirects };
  const idempotencyKey = useMoveKey(JSON.stringify(body));
  if (create.data) return <Registered id={create.data.app.id} name={create.data.app.name} onClose={onClose} />;
  return (
    <FormDialog
      onClose={onClose}
      title="New app"
      size={560}
      submit="Register the app"
      onSubmit={() => create.mutate({ body, idempotencyKey })}
      action={create}
      fields={['name', ...placesOf(redirects)]}
      disabled={body.name === '' || redirects.length === 0}
    >
      <TextInput
        label="Name"
        description="People see it when the app asks for access, with “Set up by this studio”."
        required
        maxLength={100}
        value={name}
        onChange={({ currentTarget: { value } }) => setName(value)}
        error={fieldError(create.error, 'name')}
        data-autofocus
      />
      <Textarea
        label="Redirect addresses"
        description="Where the browser goes back to, as the documentation of the app says. One a line."
        placeholder="http://127.0.0.1/callback"
        classNames={{ input: 'mono' }}
        minRows={2}
        required
        value={text}
        onChange={({ currentTarget: { value } }) => setText(value)}
        error={redirectsError(create.error, redirects)}
      />
    </FormDialog>
  );
}

const placesOf = (redirects: readonly string[]) => [
  'redirect_uris',
  ...redirects.map((_, at) => `redirect_uris/${at}`),
];

/** The message names the address, because several stand in one field. */
function redirectsError(error: Error | null, redirects: readonly string[]): string | null {
  const places = placesOf(redirects);
  const at = places.findIndex((place) => fieldError(error, place) !== null);
  const message = fieldError(error, places[at] ?? '');
  return message && at > 0 ? `${redirects[at - 1]}: ${message}` : message;
}

const Registered = ({ id, name, onClose }: { id: string; name: string; onClose: () => void }) => (
  <Dialog opened onClose={onClose} title={`The client id of ${name}`} size={560}>
    <div className="stack">
      <p>Enter it where the app asks for a client id. There is no client secret: leave that field empty.</p>
      <Code>{id}</Code>
      <Button style={{ alignSelf: 'end' }} onClick={onClose} data-autofocus>
        Done
      </Button>
    </div>
  </Dialog>
);
