import { customerPages } from '../../contract/pages.ts';
import { SetUpSecondFactor } from '../app/session/set-up-second-factor.tsx';
import { Entry } from '../ui/page/entry.tsx';

/** In place of the page that was asked for, which opens once the factor is on. */
export const SecondFactorGate = ({ onDone }: { onDone: () => void }) => (
  <Entry
    title="A second factor is needed"
    lead="The desk asks its operators for one. Set yours up here, and this page opens."
    below={<a href={customerPages.home}>Go to your jobs instead</a>}
  >
    <SetUpSecondFactor onDone={onDone} />
  </Entry>
);
