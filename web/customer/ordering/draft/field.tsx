import { ActionIcon, Box, Button, NativeSelect, TextInput, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconCircleCheck, IconPencil, IconX } from '../../../ui/look/icons.ts';
import { type KeyboardEvent, type ReactNode, useId } from 'react';
import type { ServiceFamily, ServiceOption } from '../../../app/api.ts';
import { Textarea } from '../../../ui/form/fields.tsx';
import { fieldError } from '../../../ui/form/form.ts';
import { failureSentence } from '../../../ui/page/page.tsx';
import { answerField } from './edits.ts';
import type { FieldState, OrderDraft, ServiceDraft } from './use-order-draft.ts';

type Requirement = ServiceOption['intake_requirements'][number];
export type FieldsProps = ServiceDraft & {
  /** The requirement whose words or field are pointed at. */
  active: string | null;
  onActive: (requirement: string | null) => void;
};

/** What the studio needs to know for a service. */
export const Fields = ({ family, option, active, ...rest }: FieldsProps) =>
  option.intake_requirements.map((requirement) => {
    const { label } = requirement;
    const hint = family.intake_hints.find((each) => each.requirement === label);
    return <Field key={label} requirement={requirement} hint={hint} active={active === label} {...rest} />;
  });

type Props = Pick<FieldsProps, 'draft' | 'onActive'> & {
  requirement: Requirement;
  hint: ServiceFamily['intake_hints'][number] | undefined;
  active: boolean;
};

const moves = { gap: 4, flexWrap: 'nowrap' } as const;

/** The field of a requirement. A suggestion stands in it with a dotted border, and counts once accepted. */
function Field({ requirement, hint, draft, active, onActive }: Props) {
  const id = useId();
  const { label } = requirement;
  const state = draft.stateOf(label);
  const accept = () => {
    draft.accept([label]);
    document.getElementById(id)?.focus();
  };
  const dismiss = () => draft.dismiss(label);
  const onKeyDown = (event: KeyboardEvent) => {
    const decide = event.key === 'Enter' ? accept : event.key === 'Escape' ? dismiss : null;
    if (!decide || state.is !== 'suggested' || event.nativeEvent.isComposing) return;
    if (event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    decide();
  };
  const isMissing = state.is === 'empty' && !requirement.optional && draft.session !== null;
  return (
    <div
      className="draft-field"
      data-field={label}
      data-active={active || undefined}
      onMouseEnter={() => onActive(label)}
      onMouseLeave={() => onActive(null)}
      onFocus={() => onActive(label)}
      onBlur={() => onActive(null)}
    >
      <Box className="row" mb={4} style={{ gap: '4px 10px', alignItems: 'baseline' }}>
        <Box component="label" htmlFor={id} fz={13.5} fw={500}>
          {label}
        </Box>
        <State state={state} isMissing={isMissing} onUndo={() => draft.takeBack(label)} />
      </Box>
      <Box pos="relative" className="draft-input" data-suggested={state.is === 'suggested' || undefined}>
        <Input
          requirement={requirement}
          example={hint?.example}
          field={{
            id,
            value: draft.answer(label),
            error: errorOf(draft, answerField(label), 'answer'),
            inputWrapperOrder: ['input', 'description', 'error'],
            description: (
              <>
                {hint?.hint}
                {state.is === 'suggested' && (
                  <VisuallyHidden> Suggested. Enter accepts, Escape dismisses.</VisuallyHidden>
                )}
              </>
            ),
            onChange: (event) => draft.setText(answerField(label), event.currentTarget.value),
            onKeyDown,
          }}
        />
        {state.is === 'suggested' && (
          <Box className="row" component="span" pos="absolute" top={0} right={4} h={34} style={moves}>
            <Button
              variant="subtle"
              color="dark"
              size="compact-sm"
              leftSection={<IconCheck size={15} />}
              onClick={accept}
              aria-label={`Accept ${label}`}
            >
              Accept
            </Button>
            <ActionIcon onClick={dismiss} aria-label={`Dismiss ${label}`}>
              <IconX size={16} />
            </ActionIcon>
          </Box>
        )}
      </Box>
    </div>
  );
}

/** Why the text of a field was refused. `name`: what the request calls the field. */
export function errorOf({ refused, value }: OrderDraft, field: string, name: string): string | null {
  const refusal = refused[field];
  return refusal?.text === value(field) ? (fieldError(refusal.error, name) ?? failureSentence(refusal.error)) : null;
}

const sources: Record<string, string> = { brand: 'from your brand kit', assistant: 'from your assistant' };

const inLine = { gap: 4, alignSelf: 'center' } as const;

function State({ state, isMissing, onUndo }: { state: FieldState; isMissing: boolean; onUndo: () => void }) {
  if (state.is === 'suggested')
    return (
      <span className="icon-line small second" style={inLine}>
        <IconPencil size={14} aria-hidden />
        {sources[state.suggestion.by] ?? 'from your text'}
      </span>
    );
  if (state.is === 'accepted')
    return (
      <>
        <span className="icon-line small good" style={inLine}>
          <IconCircleCheck size={14} aria-hidden /> accepted<span className="wide-only"> from your text</span>
        </span>
        <button type="button" className="link-button small" onClick={onUndo}>
          Undo
        </button>
      </>
    );
  if (state.is === 'copied') return <span className="small second">copied</span>;
  return isMissing && <span className="small turn">missing</span>;
}

type InputProps = {
  requirement: Requirement;
  example: string | undefined;
  field: {
    id: string;
    value: string;
    error: ReactNode;
    inputWrapperOrder: ('input' | 'description' | 'error')[];
    description: ReactNode;
    onChange: (event: { currentTarget: { value: string } }) => void;
    onKeyDown: (event: KeyboardEvent) => void;
  };
};

/** By the kind of the requirement. */
function Input({ requirement: { kind, choices, optional }, example, field }: InputProps) {
  if (kind === 'choice')
    return <NativeSelect {...field} data={[{ value: '', label: optional ? 'Leave open' : 'Choose' }, ...choices]} />;
  if (kind === 'date') return <TextInput {...field} type="date" />;
  const placeholder = `${optional ? 'Optional. ' : ''}For example: ${example}`;
  if (kind === 'url') return <TextInput {...field} type="url" placeholder={placeholder} />;
  if (kind === 'name') return <TextInput {...field} maxLength={60} placeholder={placeholder} />;
  return <Textarea {...field} minRows={1} maxLength={5_000} placeholder={placeholder} />;
}
