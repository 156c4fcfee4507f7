import { ActionIcon, Button, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '../../ui/look/icons.ts';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { brandBounds } from '../../../contract/ordering/brand-bounds.ts';
import { type Brand, operationQuery, queryClient, useOperation } from '../../app/api.ts';
import { useReadOnlyReason } from '../../app/session/session.tsx';
import { Textarea } from '../../ui/form/fields.tsx';
import { fieldError } from '../../ui/form/form.ts';
import { Failure, notify } from '../../ui/page/page.tsx';
import { Section } from '../../ui/page/section.tsx';

type Row = { key: string; label: string; text: string };

const asRows = ({ facts }: Brand): Row[] => facts.map((fact) => ({ key: fact.label, ...fact }));
const newRow = (): Row => ({ key: crypto.randomUUID(), label: '', text: '' });

/** The facts as fields, saved together. Until something is typed they follow the changes of others. */
export function FactsForm({ kit }: { kit: Brand }) {
  const { typed, setRows, discard, save, error, pending } = useFacts(kit);
  const readOnly = useReadOnlyReason();
  const rows = typed?.rows ?? (kit.facts.length > 0 ? asRows(kit) : [newRow()]);
  const change = (key: string, part: Partial<Row>) =>
    setRows(rows.map((row) => (row.key === key ? { ...row, ...part } : row)));
  return (
    <Section title="Facts" below={<span className="numbers">{`${kit.facts.length} of ${brandBounds.facts}`}</span>}>
      <form className="stack" onSubmit={save} aria-label="Facts">
        {kit.facts.length === 0 && typed === null && (
          <p className="second">
            Write down once what every order asks again, such as name, colours and tone of voice: new orders suggest it
            and the studio reads it.
          </p>
        )}
        {rows.map((row, at) => (
          <FactRow
            key={row.key}
            row={row}
            at={at}
            error={error}
            onChange={(part) => change(row.key, part)}
            onRemove={() => setRows(rows.filter(({ key }) => key !== row.key))}
          />
        ))}
        <div className="row">
          <Button
            variant="default"
            leftSection={<IconPlus size={16} />}
            disabled={rows.length >= brandBounds.facts}
            onClick={() => setRows([...rows, newRow()])}
          >
            Add a fact
          </Button>
          {typed && (
            <span className="row push">
              <Button variant="default" onClick={discard}>
                Discard
              </Button>
              <Button type="submit" loading={pending} disabled={readOnly !== null}>
                Save the facts
              </Button>
            </span>
          )}
        </div>
        {error && <Failure error={error} />}
      </form>
    </Section>
  );
}

function useFacts(kit: Brand) {
  // What was typed, and the version of the kit that it changes.
  const [typed, setTyped] = useState<{ rows: Row[]; version: number } | null>(null);
  const replace = useOperation('replaceBrand');
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (typed === null) return;
    const facts = typed.rows.map(({ label, text }) => ({ label: label.trim(), text: text.trim() }));
    const body = {
      facts: facts.filter(({ label, text }) => label || text),
      file_ids: kit.file_ids,
      version: typed.version,
    };
    replace.mutate(
      { body },
      {
        onSuccess: () => (setTyped(null), notify('The facts are saved.')),
        onError: ({ code }) => void (code === 'brand_changed' && readNewer()),
      },
    );
  };
  /** What was typed stays. Saved again, it replaces the newer facts. */
  const readNewer = async () => {
    const { brand } = await queryClient.fetchQuery({ ...operationQuery('readBrand'), staleTime: 0 });
    setTyped((mine) => mine && { ...mine, version: brand.version });
  };
  // Adding or removing files on this page makes new versions, too.
  const newest = useRef(kit);
  useEffect(() => {
    const { facts, version } = newest.current;
    newest.current = kit;
    if (JSON.stringify(facts) === JSON.stringify(kit.facts))
      setTyped((mine) => (mine?.version === version ? { ...mine, version: kit.version } : mine));
  }, [kit]);
  return {
    typed,
    save,
    pending: replace.isPending,
    error: replace.error,
    setRows: (rows: Row[]) => setTyped((mine) => ({ rows, version: mine?.version ?? kit.version })),
    discard: () => (setTyped(null), replace.reset()),
  };
}

type FactRowProps = {
  row: Row;
  at: number;
  error: Error | null;
  onChange: (part: Partial<Row>) => void;
  onRemove: () => void;
};

function FactRow({ row: { label, text }, at, error, onChange, onRemove }: FactRowProps) {
  const name = label.trim() || `fact ${at + 1}`;
  const isNew = at === 0 && label === '' && text === '';
  return (
    <div className="fact-row">
      <TextInput
        aria-label={`Label of fact ${at + 1}`}
        placeholder="Colours"
        maxLength={brandBounds.label}
        value={label}
        onChange={(event) => onChange({ label: event.currentTarget.value })}
        error={fieldError(error, `facts/${at}/label`)}
      />
      <Textarea
        aria-label={`Text of ${name}`}
        placeholder="Dark green #1f4d3a and cream"
        minRows={1}
        maxLength={brandBounds.text}
        value={text}
        onChange={(event) => onChange({ text: event.currentTarget.value })}
        error={fieldError(error, `facts/${at}/text`)}
      />
      {!isNew && (
        <ActionIcon aria-label={`Remove ${name}`} onClick={onRemove}>
          <IconX size={16} />
        </ActionIcon>
      )}
    </div>
  );
}
