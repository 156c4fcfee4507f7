import { Button } from '@mantine/core';
import { IconMessage } from '../../ui/look/icons.ts';
import type { DeskJob } from '../../app/api.ts';
import { Panel } from '../../ui/page/page.tsx';
import { OtherMoves } from './other-moves.tsx';
import { PrimaryMove } from './primary-move.tsx';
import type { Delivery } from './use-delivery.ts';
import type { ToDo } from './use-to-do.ts';
import { useWide } from './use-wide.ts';
import { useMoves } from './use-moves.ts';

type Props = { job: DeskJob; delivery: Delivery; toDo: ToDo; onMoved: () => void };

export function MovesPanel(props: Props) {
  const { has, allowed } = useMoves(props.job);
  const wide = useWide();
  if (!has('accept') && !has('hold') && !has('pass') && !has('reject')) return null;
  // A phone has the next move in its bar. Whoever may do any other move may do one of these.
  if (!wide && !allowed('return') && !allowed('reject') && !(props.job.holder && allowed('release'))) return null;
  return (
    <Panel title="Moves">
      <div className="stack-small">
        {wide && <PrimaryMove {...props} />}
        <OtherMoves job={props.job} />
      </div>
    </Panel>
  );
}

type BarProps = Props & { onWrite: () => void };

/** On a phone the next move and the way to the customer stay at the bottom of the window. */
export function MoveBar({ onWrite, ...props }: BarProps) {
  const { has } = useMoves(props.job);
  if (useWide()) return null;
  return (
    <div className="phone-bar" role="group" aria-label="Next move">
      <Button variant="default" leftSection={<IconMessage size={17} />} onClick={onWrite}>
        Write
      </Button>
      {(has('accept') || has('hold') || has('pass')) && <PrimaryMove {...props} />}
    </div>
  );
}
