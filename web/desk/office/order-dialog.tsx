import { NativeSelect, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { composeInstructions } from '../../../contract/jobs/instructions.ts';
import { deskPages } from '../../../contract/pages.ts';
import { AtelierError, type DeskAccount, type ServiceOption, useOperation } from '../../app/api.ts';
import { useServiceNames } from '../../app/service-names.ts';
import { useDraft } from '../../app/session/draft.ts';
import { FormDialog } from '../../ui/dialog/dialog.tsx';
import { Textarea } from '../../ui/form/fields.tsx';
import { fieldError } from '../../ui/form/form.ts';
import { pathTo } from '../../ui/page/address.ts';
import { notify } from '../../ui/page/page.tsx';
import { fromField } from '../job/due-choice.ts';
import { refusalWords } from './reason-words.ts';

type Answers = Record<string, string>;
const empty = { service: '', customer_title: '', words: '', wanted_by: '', answers: {} as Answers };

/** The order as it is written, kept until it is sent. */
function useAccountOrder(account: DeskAccount) {
  const { families } = useServiceNames();
  const [fields, setFields, forget] = useDraft(`order-for-${account.id}`, empty);
  // With the draft, so that an order whose answer was lost is not made again, however late it is repeated.
  const [sent, setSent, forgetSent] = useDraft(`order-sent-${account.id}`, { text: '', key: '' });
  const order = useOperation('orderForAccount', ({ job }) => {
    forget();
    forgetSent();
    notify(`Ordered “${job.customer_title}” for ${account.name}.`);
  });
  const change = (changed: Partial<typeof empty>) => setFields((before) => ({ ...before, ...changed }));
  const field = (name: Exclude<keyof typeof empty, 'answers'>, location: string = name) => ({
    value: fields[name],
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) => change({ [name]: value }),
    error: fieldError(order.error, location),
  });
  const navigate = useNavigate();
  const [familyId, optionId] = fields.service.split('/');
  const family = families.find(({ id }) => id === familyId);
  const option = family?.service_options.find(({ id }) => id === optionId);
  const questions = option?.intake_requirements ?? [];
  const labels = questions.map(({ label }) => label);
  const instructions = composeInstructions(labels, fields.answers, fields.words);
  const wish = fromField(`${fields.wanted_by}T23:59`);
  const body = {
    service_family: familyId ?? '',
    service_type: optionId ?? '',
    customer_title: fields.customer_title.trim(),
    customer_instructions: instructions,
    ...(wish && { wanted_by: wish }),
  };
  const refused = order.error instanceof AtelierError && refusalWords[order.error.code];
  const send = () => {
    const text = JSON.stringify(body);
    const idempotencyKey = sent.text === text ? sent.key : crypto.randomUUID();
    setSent({ text, key: idempotencyKey });
    const onSuccess = ({ job: { id } }: { job: { id: string } }) =>
      void navigate({ to: pathTo(deskPages.job, { id }) });
    order.mutate({ path: { id: account.id }, body, idempotencyKey }, { onSuccess });
  };
  const canSend = option !== undefined && body.customer_title !== '' && instructions !== '';
  return { families, questions, answers: fields.answers, field, change, canSend, send, order, refused };
}

/** What the customer would say in the order form. Files follow in the thread of the job. */
export function OrderDialog({ account, onClose }: { account: DeskAccount; onClose: () => void }) {
  const { families, questions, answers, field, change, canSend, send, order, refused } = useAccountOrder(account);
  return (
    <FormDialog
      onClose={onClose}
      title={`Order for ${account.name}`}
      size={640}
      submit="Order"
      onSubmit={send}
      action={{ isPending: order.isPending, error: refused ? null : order.error }}
      fields={['customer_title', 'customer_instructions', 'wanted_by']}
      disabled={!canSend}
    >
      <NativeSelect
        label="Service"
        required
        data={[
          { value: '', label: 'Choose a service' },
          ...families.map(({ id, name, service_options: options }) => ({
            group: name,
            items: options.map((each) => ({ value: `${id}/${each.id}`, label: each.name })),
          })),
        ]}
        {...field('service', 'service_type')}
        data-autofocus
      />
      <TextInput label="Title" required maxLength={200} {...field('customer_title')} />
      {questions.map((question) => (
        <Question
          key={question.label}
          question={question}
          answer={answers[question.label] ?? ''}
          onAnswer={(answer) => change({ answers: { ...answers, [question.label]: answer } })}
        />
      ))}
      <Textarea
        label="In their words"
        description="What they told you. They read it as their order."
        minRows={3}
        {...field('words')}
        error={fieldError(order.error, 'customer_instructions')}
      />
      <TextInput label="Their wish" description="Optional. It moves no due date." type="date" {...field('wanted_by')} />
      <p className="small second">
        {sayPrice(account.studio_orders)} Their owners and admins are told, and they can cancel it.
      </p>
      {refused && (
        <p className="note turn" role="alert">
          {refused}
        </p>
      )}
    </FormDialog>
  );
}

/** "1 job of their Studio plan, 3 left." */
const sayPrice = ({ plan_names: names, quota_left: left, unit }: DeskAccount['studio_orders']): string =>
  `1 ${unit} of their ${names.length === 1 ? `${names[0]} plan` : 'plans'}, ${left} left.`;

type QuestionProps = {
  question: ServiceOption['intake_requirements'][number];
  answer: string;
  onAnswer: (answer: string) => void;
};

function Question({ question: { label, kind, choices, optional }, answer, onAnswer }: QuestionProps) {
  if (kind === 'files')
    return (
      <p className="small second">
        <strong>{label}</strong>: files go in the thread, once the job is ordered.
      </p>
    );
  const field = {
    label,
    description: optional ? 'Optional' : undefined,
    value: answer,
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) => onAnswer(value),
  };
  if (kind === 'choice') return <NativeSelect {...field} data={['', ...choices]} />;
  if (kind === 'text') return <Textarea {...field} minRows={1} maxLength={5_000} />;
  return <TextInput {...field} type={kind === 'date' ? 'date' : 'text'} maxLength={kind === 'name' ? 60 : 2_000} />;
}
