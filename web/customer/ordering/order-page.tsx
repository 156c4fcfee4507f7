import { Box, Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { maxFileBytes } from '../../../contract/files/file-types.ts';
import { customerPages } from '../../../contract/pages.ts';
import type { IntakeSession, ServiceFamily, ServiceOption } from '../../app/api.ts';
import { useAcceptedTypes } from '../../app/file-types.ts';
import { useServiceNames } from '../../app/service-names.ts';
import { useReadOnlyReason } from '../../app/session/session.tsx';
import { shownNames } from '../../ui/job/optional-facts.tsx';
import { IconMessage } from '../../ui/look/icons.ts';
import { pathTo } from '../../ui/page/address.ts';
import { usePageTools } from '../../ui/page/page-tools.ts';
import { PageHead, Panel } from '../../ui/page/page.tsx';
import { sayBytes } from '../../ui/upload/bytes.ts';
import { FileTiles } from '../../ui/upload/file-tiles.tsx';
import { downloadUrl } from '../jobs/job-story.ts';
import { BriefBox } from './draft/brief-box.tsx';
import { answerField } from './draft/edits.ts';
import { errorOf, Fields } from './draft/field.tsx';
import { Leave } from './draft/leave.tsx';
import { OptionalInput } from './draft/optional-input.tsx';
import { useDraftFiles } from './draft/use-draft-files.ts';
import { type OrderDraft, type ServiceDraft, useOrderDraft } from './draft/use-order-draft.ts';
import { serviceNamedIn } from './find-services.ts';
import { sayHours, sayRoundCount, sayRoundTime } from './option-words.ts';
import { Verdict } from './verdict.tsx';

type Props = Omit<ServiceDraft, 'draft'> & {
  families: ServiceFamily[];
  session: IntakeSession | null;
  /** Under which this browser stores what the service does not have yet. */
  localName: string;
  onOpened: (id: string) => void;
  onOrdered: () => void;
};

const loadTools = async () => (await import('./draft/order-tools.ts')).orderTools;

export function OrderPage({ families, family, option, session, localName, onOpened, onOrdered }: Props) {
  const reason = useReadOnlyReason();
  const draft = useOrderDraft({ family, option, session, localName, onOpened, reason });
  const { elsewhere } = draft;
  const files = useDraftFiles(draft);
  usePageTools(loadTools, { family, option, draft, reason });
  const [active, setActive] = useState<string | null>(null);
  return (
    <>
      <OrderHead family={family} option={option} draft={draft} />
      <div className="columns order">
        <div className="stack">
          <BriefBox
            draft={draft}
            active={active}
            onActive={setActive}
            onFiles={files.queue.add}
            reason={reason}
            example={option.example_words}
          />
          <BetterService families={families} option={option} draft={draft} />
          <Box role="status" mt={elsewhere.length > 0 ? 0 : -16}>
            {elsewhere.length > 0 && (
              <p className="note small">
                Changed in another window: {elsewhere.join(', ')}. You see the newer version.
              </p>
            )}
          </Box>
          <Panel title="What the studio needs" beside={<span className="second">{progressOf(option, draft)}</span>}>
            <div className="stack draft-fields">
              <Title draft={draft} option={option} />
              <Fields family={family} option={option} draft={draft} active={active} onActive={setActive} />
              <Box className="row draft-fields" style={{ gap: '22px 16px', alignItems: 'flex-start' }}>
                {shownNames.map((name) => (
                  <OptionalInput
                    key={name}
                    name={name}
                    flex="1 1 260px"
                    inputWrapperOrder={order}
                    value={draft.value(name)}
                    onText={(text) => draft.setText(name, text)}
                    error={errorOf(draft, name, name)}
                  />
                ))}
              </Box>
            </div>
          </Panel>
          <Panel title="Files" beside={<span className="second">up to {sayBytes(maxFileBytes)} each</span>}>
            <FileTiles
              label="Files of the draft"
              files={files.stored}
              urlOf={downloadUrl}
              onRemove={files.remove}
              upload={{ queue: files.queue, accept: useAcceptedTypes(), reason }}
            />
          </Panel>
        </div>
        <Verdict
          family={family}
          option={option}
          draft={draft}
          canFold
          onOrdered={onOrdered}
          waiting={files.queue.busy ? 'A file is still being uploaded.' : null}
        />
      </div>
    </>
  );
}

function progressOf({ intake_requirements: requirements }: ServiceOption, draft: OrderDraft): string {
  const answered = requirements.filter(({ label }) => draft.value(answerField(label)).trim() !== '').length;
  const suggested = draft.suggested.length > 0 ? `, ${draft.suggested.length} suggested` : '';
  return `${answered} of ${requirements.length} answered${suggested}`;
}

/** The title that the brief has without one. */
function titleWithout(draft: OrderDraft, { name, intake_requirements: [first] }: ServiceOption): string {
  const subject = first && first.kind !== 'choice' ? draft.value(answerField(first.label)).trim() : '';
  return subject !== '' && subject.length <= 60 ? `${name}: ${subject}` : name;
}

const order: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error'];

const Title = ({ draft, option }: Pick<ServiceDraft, 'draft' | 'option'>) => (
  <TextInput
    label="Title"
    description="A few words that name the job."
    inputWrapperOrder={order}
    placeholder={titleWithout(draft, option)}
    maxLength={200}
    value={draft.value('title')}
    onChange={(event) => draft.setText('title', event.currentTarget.value)}
    error={errorOf(draft, 'title', 'customer_title')}
  />
);

function OrderHead({ family, option, draft }: ServiceDraft) {
  const business = useServiceNames().businessHours !== null;
  const id = draft.session?.id;
  const talk = id
    ? pathTo(customerPages.conversation, { id })
    : pathTo(customerPages.concierge, {}, { family: family.id, type: option.id });
  const another = pathTo(customerPages.newJob, {}, id ? { draft: id, choose: 'yes' } : {});
  return (
    <PageHead
      title="New job"
      below={
        <>
          <strong className="ink">
            {family.name} · {option.name}
          </strong>{' '}
          <span className="wide-only">· first delivery within </span>
          {sayHours(option.turnaround_hours, business)} · {sayRoundCount(option.revision_rounds)}
          <span className="wide-only"> of changes</span>
          {sayRoundTime(option, business)}{' '}
          <Leave draft={draft} to={another}>
            Another service
          </Leave>
        </>
      }
    >
      <Button
        variant="subtle"
        leftSection={<IconMessage size={16} />}
        renderRoot={(props) => <Leave {...props} draft={draft} to={talk} />}
      >
        Talk it through instead
      </Button>
    </PageHead>
  );
}

type BetterProps = Pick<ServiceDraft, 'option' | 'draft'> & { families: ServiceFamily[] };

/** Offers another service that the text names. */
function BetterService({ families, option, draft }: BetterProps) {
  const named = serviceNamedIn(families, draft.value('words'), option);
  if (!named) return null;
  const change = () => void draft.changeService(named.family.id, named.option.id).catch(() => {});
  return (
    <div className="note row between small" role="status">
      Your text speaks of a service of its own: {named.option.name}.
      <Button size="compact-sm" variant="default" onClick={change}>
        Change to {named.option.name}
      </Button>
    </div>
  );
}
