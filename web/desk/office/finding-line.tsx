import { VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconCircleX } from '../../ui/look/icons.ts';

const looks = {
  fail: { word: 'Broken', Icon: IconCircleX, tone: 'bad' },
  warn: { word: 'Needs a look', Icon: IconAlertTriangle, tone: 'turn' },
  ok: { word: 'Fine', Icon: IconCircleCheck, tone: 'good' },
};

type Props = { status: keyof typeof looks; check?: string; sentence: string; action?: string | null };

/** All of it is text: a sentence may name an address, which nobody should have to trust. */
export function FindingLine({ status, check, sentence, action = null }: Props) {
  const { word, Icon, tone } = looks[status];
  return (
    <li className="row" style={{ flexWrap: 'nowrap', alignItems: 'start', padding: check ? '12px 16px' : 0 }}>
      <Icon size={16} aria-hidden className={tone} style={{ flex: 'none', marginTop: 2 }} />
      <VisuallyHidden>{word}:</VisuallyHidden>
      <div className="breaks">
        {check && <strong>{check}: </strong>}
        {sentence}
        {action !== null && <div className="second">→ {action}</div>}
      </div>
    </li>
  );
}
