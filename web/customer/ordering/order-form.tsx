import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { IconCircleCheck } from '@tabler/icons-react';
import { customerPages } from '../../../contract/pages.ts';
import { maxFileBytes } from '../../../contract/file-types.ts';
import {
  type File as StoredFile,
  operationQuery,
  type ServiceFamily,
  type ServiceOption,
  useOperation,
} from '../../app/api.ts';
import { useUnverifiedReason } from '../../app/session/session.tsx';
import { pathTo } from '../../ui/page/address.ts';
import { sayBytes } from '../../ui/upload/bytes.ts';
import { useDraft } from '../../app/session/draft.ts';
import { fieldError } from '../../ui/form/form.ts';
import { Panel } from '../../ui/page/page.tsx';
import { UploadArea } from '../../ui/upload/upload.tsx';
import { useUploads } from '../../ui/upload/uploads.ts';
import { type Answers, composeInstructions } from '../../ui/job/instructions.ts';
import { useAcceptedTypes } from '../../app/file-types.ts';
import { Textarea } from '../../ui/form/textarea.tsx';
import { sendFile } from './send-file.ts';
import { StoredFiles } from './stored-files.tsx';
import { isOrderedBefore, Verdict } from './verdict.tsx';

type Start = { title: string; answers: Answers; words: string };
/** Saved across reloads. Its key is the Idempotency-Key, so one draft becomes one job. */
type Draft = Start & { reference?: string; files: Pick<StoredFile, 'id' | 'file_name' | 'size_bytes'>[]; key: string };

type Props = { family: ServiceFamily; option: ServiceOption; draftName: string; start: Start };

/** Milliseconds without typing before the draft is checked. */
const pause = 600;

export function OrderForm({ family, option, draftName, start }: Props) {
  const navigate = useNavigate();
  const acceptedTypes = useAcceptedTypes();
  const unverified = useUnverifiedReason();
  const [draft, setDraft, forget] = useDraft<Draft>(draftName, { ...start, files: [], key: crypto.randomUUID() });
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const leaveOut = (id: string) =>
    setDraft((before) => ({ ...before, files: before.files.filter((file) => file.id !== id) }));
  const queue = useUploads(sendFile, {
    onStored: ({ id, file_name, size_bytes }) =>
      setDraft((before) => ({ ...before, files: [...before.files, { id, file_name, size_bytes }] })),
    onRemoved: ({ id }) => leaveOut(id),
  });

  const body = orderOf(family, option, draft);
  const create = useOperation('createJob');
  // A sent order is not checked again, because its files now belong to the job.
  const preflight = usePreflight(body, option, !create.isPending && !create.isSuccess);
  const order = () =>
    create.mutate(
      { body, idempotencyKey: draft.key },
      {
        onSuccess: ({ job }) => {
          forget();
          void navigate({ to: pathTo(customerPages.job, { id: job.id }) });
        },
        // The next attempt orders the draft as it is now.
        onError: (error) => isOrderedBefore(error) && change({ key: crypto.randomUUID() }),
      },
    );
  const missing = preflight.data?.preflight.intent_check.missing_intake_requirements ?? family.intake_requirements;
  const inSession = new Set(queue.uploads.map(({ stored }) => stored?.id));

  return (
    <div className="columns">
      <div className="stack">
        <Wishes
          family={family}
          draft={draft}
          missing={missing}
          error={create.error ?? preflight.error}
          onChange={change}
        />
        <Panel title="Files" beside={<span className="second">up to {sayBytes(maxFileBytes)} each</span>}>
          <UploadArea queue={queue} accept={acceptedTypes} reason={unverified}>
            <StoredFiles files={draft.files.filter(({ id }) => !inSession.has(id))} onLeaveOut={leaveOut} />
          </UploadArea>
        </Panel>
      </div>
      <Verdict
        option={option}
        preflight={preflight.data?.preflight ?? null}
        error={create.error ?? preflight.error}
        missing={missing}
        requirements={family.intake_requirements.length}
        body={body}
        idempotencyKey={draft.key}
        waiting={queue.busy ? 'A file is still being uploaded.' : null}
        pending={create.isPending}
        onOrder={order}
      />
    </div>
  );
}

const orderOf = (family: ServiceFamily, option: ServiceOption, draft: Draft) => ({
  service_family: family.id,
  service_type: option.id,
  customer_title: draft.title.trim(),
  customer_instructions: composeInstructions(family.intake_requirements, draft.answers, draft.words),
  ...(draft.reference?.trim() ? { reference: draft.reference.trim() } : {}),
  ...(draft.files.length > 0 ? { file_ids: draft.files.map(({ id }) => id) } : {}),
});

function usePreflight(body: ReturnType<typeof orderOf>, option: ServiceOption, enabled: boolean) {
  const [settled] = useDebouncedValue(body, pause);
  return useQuery({
    // Even an empty draft reveals problems with plan and quota.
    ...operationQuery('preflightJob', {
      body: {
        ...settled,
        customer_title: settled.customer_title || option.name,
        customer_instructions: settled.customer_instructions || option.name,
      },
    }),
    staleTime: 15_000,
    enabled,
  });
}

type WishesProps = {
  family: ServiceFamily;
  draft: Draft;
  missing: string[];
  error: Error | null;
  onChange: (part: Partial<Draft>) => void;
};

const Wishes = ({ family, draft, missing, error, onChange }: WishesProps) => (
  <Panel title="What you need">
    <div className="stack">
      <TextInput
        label="Title"
        description="A few words that name the job."
        maxLength={200}
        value={draft.title}
        onChange={(event) => onChange({ title: event.currentTarget.value })}
        error={fieldError(error, 'customer_title')}
        data-autofocus
      />
      {family.intake_hints.map(({ requirement, hint, example, optional }) => (
        <Textarea
          key={requirement}
          label={
            <Label
              name={requirement}
              answered={Boolean(draft.answers[requirement]?.trim()) && !missing.includes(requirement)}
            />
          }
          description={hint}
          placeholder={`${optional ? 'Optional. ' : ''}For example: ${example}`}
          minRows={1}
          value={draft.answers[requirement] ?? ''}
          onChange={(event) => onChange({ answers: { ...draft.answers, [requirement]: event.currentTarget.value } })}
        />
      ))}
      <Textarea
        label="Anything else"
        description="In your own words. Never passwords, keys or card numbers."
        value={draft.words}
        onChange={(event) => onChange({ words: event.currentTarget.value })}
        error={fieldError(error, 'customer_instructions')}
      />
      <TextInput
        label="Your reference"
        description="Optional. Your own number for this job, such as a purchase order. The studio sees it."
        maxLength={100}
        value={draft.reference ?? ''}
        onChange={(event) => onChange({ reference: event.currentTarget.value })}
        error={fieldError(error, 'reference')}
      />
    </div>
  </Panel>
);

const Label = ({ name, answered }: { name: string; answered: boolean }) => (
  <span className="row" style={{ gap: 10 }}>
    {name}
    {answered && (
      <span className="status good small">
        <IconCircleCheck size={14} aria-hidden /> answered
      </span>
    )}
  </span>
);
