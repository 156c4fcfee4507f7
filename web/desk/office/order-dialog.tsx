import { NativeSelect, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { composeInstructions } from '../../../contract/jobs/instructions.ts';
import { deskPages } from '../../../contract/pages.ts';
import { type DeskAccount, type ServiceOption, useOperation } from '../../app/api.ts';
import { useServiceNames } from '../../app/service-names.ts';
import { FormDialog } from '../../ui/dialog/dialog.tsx';
import { Textarea } from '../../ui/form/fields.tsx';
import { fieldError } from '../../ui/form/form.ts';
import { useFields } from '../../ui/form/use-fields.ts';
import { pathTo } from '../../ui/page/address.ts';
import { fromField } from '../job/due-choice.ts';

type Answers = Record<string, string>;

/** What the customer would say in the order form. Files follow in the thread of the job. */
export function OrderDialog({ account, onClose }: { account: DeskAccount; onClose: () => void }) {
  const { families } = useServiceNames();
  const order = useOperation('orderForAccount');
  const { fields, field } = useFields({ service: '', customer_title: '', words: '', wanted_by: '' }, order.error);
  const [answers, setAnswers] = useState<Answers>({});
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const navigate = useNavigate();
  const [familyId, optionId] = fields.service.split('/');
  const family = families.find(({ id }) => id === familyId);
  const option = family?.service_options.find(({ id }) => id === optionId);
  const instructions = composeInstructions(family?.intake_requirements ?? [], answers, fields.words);
  const wish = fromField(`${fields.wanted_by}T23:59`);
  const send = () => {
    if (!family || !option) return;
    const body = {
      service_family: family.id,
      service_type: option.id,
      customer_title: fields.customer_title.trim(),
      customer_instructions: instructions,
      ...(wish && { wanted_by: wish }),
    };
    const onSuccess = ({ job: { id } }: { job: { id: string } }) =>
      void navigate({ to: pathTo(deskPages.job, { id }) });
    order.mutate({ path: { id: account.id }, body, idempotencyKey }, { onSuccess });
  };
  return (
    <FormDialog
      onClose={onClose}
      title={`Order for ${account.name}`}
      size={640}
      submit="Order"
      onSubmit={send}
      action={order}
      fields={['customer_title', 'customer_instructions', 'wanted_by']}
      disabled={!option || fields.customer_title.trim() === '' || instructions === ''}
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
      {option?.intake_requirements.map((requirement) => (
        <Question key={requirement.label} requirement={requirement} answers={answers} onAnswers={setAnswers} />
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
    </FormDialog>
  );
}

/** "1 job of their Studio plan, 3 left." */
const sayPrice = ({ plan_names: names, quota_left: left, unit }: DeskAccount['studio_orders']): string =>
  `1 ${unit} of their ${names.length === 1 ? `${names[0]} plan` : 'plans'}, ${left} left.`;

type QuestionProps = {
  requirement: ServiceOption['intake_requirements'][number];
  answers: Answers;
  onAnswers: (change: (before: Answers) => Answers) => void;
};

/** Files are sent in the thread, so there is no field for them. */
function Question({ requirement: { label, kind, choices, optional }, answers, onAnswers }: QuestionProps) {
  if (kind === 'files') return null;
  const field = {
    label,
    description: optional ? 'Optional' : undefined,
    value: answers[label] ?? '',
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      onAnswers((before) => ({ ...before, [label]: value })),
  };
  if (kind === 'choice') return <NativeSelect {...field} data={['', ...choices]} />;
  if (kind === 'text') return <Textarea {...field} minRows={1} maxLength={5_000} />;
  return <TextInput {...field} type={kind === 'date' ? 'date' : 'text'} maxLength={kind === 'name' ? 60 : 2_000} />;
}
