import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Box, TextInput } from '@mantine/core';
import { customerPages } from '../../../contract/pages.ts';
import { maxFileBytes } from '../../../contract/files/file-types.ts';
import type { StudioField } from '../../../contract/jobs/optional-fields.ts';
import type { IntakeSession, ServiceFamily, ServiceOption } from '../../app/api.ts';
import { useAcceptedTypes } from '../../app/file-types.ts';
import { useReadOnlyReason } from '../../app/session/session.tsx';
import { shownNames } from '../../ui/job/optional-facts.tsx';
import { pathTo } from '../../ui/page/address.ts';
import { usePageTools } from '../../ui/page/page-tools.ts';
import { Panel } from '../../ui/page/page.tsx';
import { sayBytes } from '../../ui/upload/bytes.ts';
import { FileTiles } from '../../ui/upload/file-tiles.tsx';
import { BriefBox } from './draft/brief-box.tsx';
import { answerField } from './draft/edits.ts';
import { Fields } from './draft/fields.tsx';
import { refusalOf } from './draft/field.tsx';
import { OptionalInput } from './draft/optional-input.tsx';
import { useDraftFiles } from './draft/use-draft-files.ts';
import { type OrderDraft, useOrderDraft } from './draft/use-order-draft.ts';
import { useOrder } from './draft/use-order.ts';
import { OrderHead } from './order-head.tsx';
import { BetterService } from './better-service.tsx';
import { downloadUrl } from '../jobs/job-story.ts';
import { Verdict } from './verdict.tsx';

type Props = {
  families: ServiceFamily[];
  family: ServiceFamily;
  option: ServiceOption;
  session: IntakeSession | null;
  /** Under which this browser stores what the service does not have yet. */
  localName: string;
  onOpened: (id: string) => void;
};

const loadTools = async () => (await import('./draft/order-tools.ts')).orderTools;

export function OrderPage({ families, family, option, session, localName, onOpened }: Props) {
  const navigate = useNavigate();
  const reason = useReadOnlyReason();
  const draft = useOrderDraft({ family, option, session, localName, onOpened, reason });
  const files = useDraftFiles(draft);
  const order = useOrder(draft, { family, option }, (id) => void navigate({ to: pathTo(customerPages.job, { id }) }));
  usePageTools(loadTools, { family, option, draft, reason });
  const [active, setActive] = useState<string | null>(null);
  const acceptedTypes = useAcceptedTypes();
  return (
    <>
      <OrderHead family={family} option={option} draft={draft} />
      <div className="columns order">
        <div className="stack">
          <BriefBox
            draft={draft}
            active={active}
            onActive={setActive}
            accept={acceptedTypes}
            onFiles={files.queue.add}
            filesReason={reason}
          />
          <BetterService families={families} option={option} draft={draft} />
          <Elsewhere draft={draft} />
          <Panel title="What the studio needs" beside={<span className="second">{progressOf(option, draft)}</span>}>
            <div className="stack">
              <Title draft={draft} option={option} />
              <Fields family={family} option={option} draft={draft} active={active} onActive={setActive} />
              <Box className="row" style={{ gap: 16, alignItems: 'flex-start' }}>
                {shownNames.map((name) => (
                  <Optional key={name} draft={draft} name={name} />
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
              upload={{ queue: files.queue, accept: acceptedTypes, reason }}
            />
          </Panel>
        </div>
        <Verdict
          option={option}
          draft={draft}
          order={order}
          canFold
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

const Elsewhere = ({ draft: { elsewhere } }: { draft: OrderDraft }) => (
  <Box role="status" mt={elsewhere.length > 0 ? 0 : -16}>
    {elsewhere.length > 0 && (
      <p className="note small">Changed in another window: {elsewhere.join(', ')}. You see the newer version.</p>
    )}
  </Box>
);

type FactProps = { draft: OrderDraft };

const errorOf = (draft: OrderDraft, field: string, name: string): string | null => {
  const refused = draft.refused[field];
  return refused && refused.text === draft.value(field) ? refusalOf(refused.error, name) : null;
};

/** The title that the brief has without one. */
function titleWithout(draft: OrderDraft, { name, intake_requirements: [first] }: ServiceOption): string {
  const subject = first && first.kind !== 'choice' ? draft.value(answerField(first.label)).trim() : '';
  return subject !== '' && subject.length <= 60 ? `${name}: ${subject}` : name;
}

const Title = ({ draft, option }: FactProps & { option: ServiceOption }) => (
  <TextInput
    label="Title"
    description="A few words that name the job."
    inputWrapperOrder={['label', 'input', 'description', 'error']}
    placeholder={titleWithout(draft, option)}
    maxLength={200}
    value={draft.value('title')}
    onChange={(event) => draft.setText('title', event.currentTarget.value)}
    error={errorOf(draft, 'title', 'customer_title')}
  />
);

const Optional = ({ draft, name }: FactProps & { name: StudioField }) => (
  <OptionalInput
    flex="1 1 260px"
    name={name}
    inputWrapperOrder={['label', 'input', 'description', 'error']}
    value={draft.value(name)}
    onText={(text) => draft.setText(name, text)}
    error={errorOf(draft, name, name)}
  />
);
