import type { ServiceFamily, ServiceOption } from '../../../app/api.ts';
import { Field } from './field.tsx';
import type { OrderDraft } from './use-order-draft.ts';

type Props = {
  family: ServiceFamily;
  option: ServiceOption;
  draft: OrderDraft;
  /** The requirement whose words or field are pointed at. */
  active: string | null;
  onActive: (requirement: string | null) => void;
};

/** What the studio needs to know for a service. */
export const Fields = ({ family, option, draft, active, onActive }: Props) =>
  option.intake_requirements.map((requirement) => (
    <Field
      key={requirement.label}
      requirement={requirement}
      hint={family.intake_hints.find((hint) => hint.requirement === requirement.label)}
      draft={draft}
      active={active === requirement.label}
      onActive={onActive}
    />
  ));
