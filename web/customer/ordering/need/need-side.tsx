import { ActionIcon, Box, TextInput, UnstyledButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { customerPages } from '../../../../contract/pages.ts';
import { hoursAfter } from '../../../../contract/studio/business-time.ts';
import { useServiceNames } from '../../../app/service-names.ts';
import { IconX } from '../../../ui/look/icons.ts';
import { pathTo } from '../../../ui/page/address.ts';
import { sayWeekday } from '../../../ui/time/time.tsx';
import { answerField } from '../draft/edits.ts';
import type { FieldState, ServiceDraft } from '../draft/use-order-draft.ts';
import { dayOf, endOfDay } from '../draft/wish.ts';
import { idOf, type Service } from '../find-services.ts';
import { JudgedWish } from '../judged-wish.tsx';
import { sayRoundCount } from '../option-words.ts';
import { cover } from '../service-card.tsx';

/** The row of the wish, beside those of the requirements. */
export const wishRow = 'Wished for';

type ChoicesProps = {
  services: Service[];
  onChoose: (service: Service) => void;
  /** What the catalog is opened for. */
  draft: string | null;
};

const sample = { width: 84, height: 52, borderRadius: 7, flex: 'none' } as const;

const choice = { className: 'row need-choice', w: '100%', style: { gap: 14, flexWrap: 'nowrap' } } as const;

const Sample = ({ picture }: { picture: string | null }) => (
  <span className="service-picture" style={sample}>
    {picture && <img src={picture} alt="" width={640} height={400} style={cover} />}
  </span>
);

/** Services to choose from, for words that name none. */
export const Choices = ({ services, onChoose, draft }: ChoicesProps) => (
  <div role="group" aria-labelledby="need-choices">
    <Box component="h2" id="need-choices" fz={14} fw={600} px={16} pt={14} pb={6}>
      Which of these?
    </Box>
    {services.map((service) => (
      <UnstyledButton key={idOf(service)} {...choice} px={16} py={6} onClick={() => onChoose(service)}>
        <Sample picture={service.option.picture} />
        <span>
          {service.option.name}
          <span className="cell-second">{service.family.name}</span>
        </span>
      </UnstyledButton>
    ))}
    <Box component="p" px={16} py={8} className="small">
      <Link to={pathTo(customerPages.newJob, {}, draft ? { draft, choose: 'yes' } : {})}>Catalog</Link>
    </Box>
  </div>
);

const useDue = (option: Service['option'] | null): number =>
  hoursAfter(useServiceNames().businessHours, Date.now(), option?.turnaround_hours ?? 1);

type HeadProps = {
  service: Service;
  /** Fits as well. */
  other: Service | null;
  offers: Service[];
  onChoose: (service: Service) => void;
};

export function ServiceHead({ service, other, offers, onChoose }: HeadProps) {
  const [isChanging, setIsChanging] = useState(false);
  const { option } = service;
  const due = useDue(option);
  const choose = (next: Service) => {
    setIsChanging(false);
    onChoose(next);
  };
  if (isChanging) return <Choices services={offers} onChoose={choose} draft={null} />;
  return (
    <Box className="row line-below" px={16} py={14} style={{ gap: '10px 14px' }}>
      <Sample picture={option.picture} />
      <Box component="span" flex="1 1 120px">
        <Box component="strong" fw={600}>
          {option.name}
        </Box>
        <span className="cell-second">
          First delivery {sayWeekday(due)} · {sayRoundCount(option.revision_rounds)}
        </span>
      </Box>
      <button type="button" className="link-button small" onClick={() => setIsChanging(true)}>
        Change
      </button>
      {other && (
        <UnstyledButton {...choice} onClick={() => choose(other)}>
          <Sample picture={other.option.picture} />
          <span>
            Or {other.option.name}?<span className="cell-second">Your words speak of both.</span>
          </span>
        </UnstyledButton>
      )}
    </Box>
  );
}

type RowsProps = Pick<ServiceDraft, 'draft'> & {
  /** Null until a service is chosen. */
  option: ServiceDraft['option'] | null;
  active: string | null;
  onActive: (field: string | null) => void;
  isWishing: boolean;
};

const sources: Partial<Record<string, string>> = { brand: 'from your brand kit', assistant: 'from your assistant' };

const sourceOf = (state: FieldState): string | undefined =>
  state.is === 'suggested' ? sources[state.suggestion.by] : undefined;

/** What was found: each a row that can be left out. */
export function NeedRows({ option, draft, active, onActive, isWishing }: RowsProps) {
  const labels = option?.intake_requirements.map(({ label }) => label) ?? [];
  const row = (name: string) => ({ name, isActive: name === active, onActive });
  return (
    <Box component="dl" p={8}>
      {labels
        .filter((label) => draft.answer(label).trim() !== '')
        .map((label) => {
          const state = draft.stateOf(label);
          const source = sourceOf(state);
          const leaveOut = () =>
            state.is === 'suggested' ? draft.dismiss(label) : draft.setText(answerField(label), '');
          return (
            <Row key={label} {...row(label)} onLeaveOut={leaveOut}>
              {draft.answer(label)}
              {source && <span className="cell-second">{source}</span>}
            </Row>
          );
        })}
      <Wish option={option} draft={draft} isWishing={isWishing} {...row(wishRow)} />
    </Box>
  );
}

type WishProps = Pick<RowsProps, 'option' | 'draft' | 'isWishing'> & Omit<RowProps, 'onLeaveOut' | 'children'>;

function Wish({ option, draft, isWishing, ...row }: WishProps) {
  const wish = draft.value('wanted_by');
  const [day, setDay] = useState(dayOf(wish));
  useEffect(() => setDay(dayOf(wish)), [wish]);
  const due = useDue(option);
  return (
    <Row {...row} onLeaveOut={wish === '' ? null : () => draft.setText('wanted_by', '')}>
      <TextInput
        type="date"
        size="xs"
        maw={160}
        aria-label={wishRow}
        autoFocus={isWishing}
        value={day}
        onChange={({ currentTarget: { value } }) => {
          setDay(value);
          const moment = endOfDay(value);
          // A year that is half typed is long past.
          if (Date.parse(moment) > Date.now()) draft.setText('wanted_by', moment);
        }}
      />
      {wish !== '' && option && <JudgedWish wish={wish} fits={Date.parse(wish) >= due} earliest={due} due={due} />}
    </Row>
  );
}

type RowProps = {
  name: string;
  isActive: boolean;
  onActive: (field: string | null) => void;
  /** Null if there is nothing to leave out. */
  onLeaveOut: (() => void) | null;
  children: ReactNode;
};

const Row = ({ name, isActive, onActive, onLeaveOut, children }: RowProps) => (
  <div
    className="need-row"
    data-active={isActive || undefined}
    onMouseEnter={() => onActive(name)}
    onMouseLeave={() => onActive(null)}
    onFocus={() => onActive(name)}
    onBlur={() => onActive(null)}
  >
    <dt className="second">{name}</dt>
    <dd dir="auto">{children}</dd>
    {onLeaveOut && (
      <ActionIcon onClick={onLeaveOut} aria-label={`Leave out ${name}`}>
        <IconX size={16} />
      </ActionIcon>
    )}
  </div>
);
