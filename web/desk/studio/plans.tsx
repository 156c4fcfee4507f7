import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { type Column, List } from '../../ui/list/list.tsx';
import { useAddress } from '../../ui/page/address.ts';
import { sayMoney } from '../office/money-words.ts';
import { textIn } from './families.ts';
import type { StudioAddress } from './spot.ts';
import type { StudioEdits } from './use-edits.ts';
import { at, valueOf } from '../../../contract/studio/yaml-edits.ts';
import { type Entry, isEntry } from '../../../contract/studio/yaml-written.ts';

const access: Record<string, string> = { human: 'people', agent: 'programs', both: 'people and programs' };

function sayPrice({ price }: Entry): string {
  if (!isEntry(price)) return '';
  const { unit_amount: amount, currency } = price;
  if (typeof amount !== 'number' || typeof currency !== 'string' || !/^[a-z]{3}$/.test(currency)) return '';
  return `${sayMoney(amount, currency)} a ${textIn(price, 'interval')}`;
}

const columns: Column<Entry>[] = [
  {
    head: 'Plan',
    cell: (plan) => (
      <span>
        {textIn(plan, 'name')} <span className="mono second">{textIn(plan, 'code')}</span>
        {plan.retired === true && <span className="small third"> retired</span>}
      </span>
    ),
  },
  { head: 'Price', width: '170px', cell: sayPrice },
  { head: 'Jobs a period', width: '120px', named: true, cell: (plan) => textIn(plan, 'quota') },
  { head: 'Open at once', width: '120px', named: true, cell: (plan) => textIn(plan, 'concurrency_limit') },
  { head: 'For', width: '180px', cell: (plan) => access[textIn(plan, 'access_kind')] ?? textIn(plan, 'access_kind') },
];

/** Prices are set at the payment provider, so plans are changed where their ids are: in the text. */
export function Plans({ edits }: { edits: StudioEdits }) {
  const [, setAddress] = useAddress<StudioAddress>();
  const text = edits.text('plans.yaml');
  const plans = useMemo(() => at(valueOf(text), ['plans']), [text]);
  const rows = Array.isArray(plans) ? plans.filter(isEntry) : [];
  return (
    <div className="stack">
      <p className="second row between">
        Prices are set at the payment provider. What is written here has to agree with them.
        <Button
          variant="default"
          size="xs"
          onClick={() => setAddress({ part: 'catalog', view: 'yaml', file: 'plans.yaml' }, { replace: false })}
        >
          {edits.readOnly === null ? 'Change plans.yaml' : 'Read plans.yaml'}
        </Button>
      </p>
      <List label="Plans" rows={rows} columns={columns} rowKey={(plan) => textIn(plan, 'code')} tight />
    </div>
  );
}
