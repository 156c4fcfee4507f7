import { TextInput } from '@mantine/core';
import { fillMacro, macroBounds, macroPlaceholders, unknownPlaceholders } from '../../../contract/desk/macro-text.ts';
import { type Macro, useOperation } from '../../app/api.ts';
import { useDraft } from '../../app/session/draft.ts';
import { FormDialog } from '../../ui/dialog/form-dialog.tsx';
import { fieldError } from '../../ui/form/form.ts';
import { useMoveKey } from '../../ui/form/move-key.ts';
import { Textarea } from '../../ui/form/textarea.tsx';
import { notify } from '../../ui/page/notify.ts';
import { Facts } from '../../ui/page/page.tsx';

type Props = { macro: Macro | null; onClose: () => void };

/** Writes a new macro, or changes one. */
export function MacroDialog({ macro, onClose }: Props) {
  const [{ name, text }, setDraft, forget] = useDraft(`macro-${macro?.id ?? 'new'}`, {
    name: macro?.name ?? '',
    text: macro?.text ?? '',
  });
  const body = { name: name.trim(), text };
  const done = { onSuccess: () => (forget(), onClose(), notify(`Saved “${body.name}”.`)) };
  const create = useOperation('createMacro');
  const replace = useOperation('replaceMacro');
  const idempotencyKey = useMoveKey(JSON.stringify(body));
  const save = () => {
    if (macro) replace.mutate({ path: { id: macro.id }, body }, done);
    else create.mutate({ body, idempotencyKey }, done);
  };
  const action = macro ? replace : create;
  const unknown = unknownPlaceholders(text);
  return (
    <FormDialog
      onClose={onClose}
      title={macro ? 'Edit the macro' : 'New macro'}
      size={560}
      submit="Save"
      onSubmit={save}
      action={action}
      fields={['name', 'text']}
      disabled={body.name === '' || text.trim() === '' || unknown.length > 0}
    >
      <TextInput
        label="Name"
        description="What you type after / to find it."
        required
        maxLength={macroBounds.name}
        value={name}
        onChange={({ currentTarget: { value } }) => setDraft((now) => ({ ...now, name: value }))}
        error={fieldError(action.error, 'name')}
        data-autofocus
      />
      <Textarea
        label="Text"
        minRows={4}
        required
        maxLength={macroBounds.text}
        value={text}
        onChange={({ currentTarget: { value } }) => setDraft((now) => ({ ...now, text: value }))}
        error={unknown.length > 0 ? `${unknown.join(', ')} is not known.` : fieldError(action.error, 'text')}
      />
      <Facts facts={placeholders} />
      <Example text={text} />
    </FormDialog>
  );
}

const placeholders = Object.entries(macroPlaceholders).map(([name, meaning]): [string, string] => [
  `{${name}}`,
  meaning,
]);

const example = { customer: 'Ada Lovelace', title: 'Logo for a neighbourhood bakery', round: '1' };

/** Only where something is filled in. */
function Example({ text }: { text: string }) {
  const filled = fillMacro(text, example);
  if (filled === text) return null;
  return (
    <section aria-label="Example" className="stack-small">
      <span className="small second">For example</span>
      <p className="prose quote">{filled}</p>
    </section>
  );
}
