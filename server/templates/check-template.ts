import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { Body } from '../../contract/endpoint.ts';
import { fitsKind } from '../../contract/ordering/fits-kind.ts';
import { reusedNames, valuesOf } from '../../contract/jobs/optional-fields.ts';
import type { createTemplate } from '../../contract/ordering/templates.ts';
import { type Catalog, offeredFamily, requirementsOf } from '../catalog/catalog.ts';
import type { Trx } from '../db/pool.ts';
import { badBody, type Detail } from '../http/refusal.ts';
import { unsafe } from '../safety/policy.ts';
import type { TemplateRow } from './template.ts';

export type Sent = Body<typeof createTemplate>;
type Order = Pick<TemplateRow, 'service_family' | 'service_type' | 'answers'>;

export const orderOf = ({ service_family, service_type = null, answers = [] }: Omit<Sent, 'name'>): Order => ({
  service_family,
  service_type,
  answers,
});

/** What the columns of a template hold, its files aside. */
export const columnsOf = (sent: Sent) => ({
  ...orderOf(sent),
  ...valuesOf(reusedNames, sent),
  name: sent.name,
  answers: JSON.stringify(sent.answers ?? []),
  words: sent.words ?? '',
});

/** What `before` has already is not held against the catalog, which may have changed since. */
export function checkTemplate(catalog: Catalog, sent: Sent, before?: Order): void {
  const order = orderOf(sent);
  const same = before && isDeepStrictEqual(order, orderOf(before));
  if (!same) refuseUnfit(catalog, order);
  const refusal = unsafe([
    ['/name', sent.name],
    ...order.answers.map(({ answer }, at): [string, string] => [`/answers/${at}/answer`, answer]),
    ['/words', sent.words ?? ''],
  ]);
  if (refusal) throw refusal;
}

function refuseUnfit(catalog: Catalog, { service_family, service_type, answers }: Order): void {
  const family = offeredFamily(catalog, service_family, service_type);
  const { name } = family.options.find(({ id }) => id === service_type) ?? family;
  const requirements = requirementsOf(family, service_type);
  const details = answers.flatMap(({ requirement: label, answer }, at): Detail[] => {
    const requirement = requirements.find((other) => other.label === label);
    const place = `/answers/${at}`;
    if (!requirement)
      return [{ location: `${place}/requirement`, message: `names “${label}”, which ${name} does not ask for` }];
    if (answers.findIndex((other) => other.requirement === label) < at)
      return [{ location: `${place}/requirement`, message: 'repeats an earlier one' }];
    return fitsKind(requirement, answer.trim())
      ? []
      : [{ location: `${place}/answer`, message: `must be an answer of the kind ${requirement.kind}` }];
  });
  if (details.length > 0) throw badBody(details);
}

/** The account is locked, so that two cannot get one name at the same time. */
export async function refuseTakenName(trx: Trx, accountId: string, name: string, own: string | null): Promise<void> {
  const { rows } = await sql`
    select from templates where account_id = ${accountId} and lower(name) = lower(${name})
      and id is distinct from ${own}`.execute(trx);
  if (rows.length > 0) throw badBody([{ location: '/name', message: 'is the name of another template' }]);
}
