import Type from 'typebox';
import { JobBrand } from '../ordering/brand.ts';
import { Member } from '../people/members.ts';
import { Entitlement, Role } from '../plans/entitlements.ts';
import { DeskQuotaAdjustment } from '../plans/quota-adjustment.ts';
import { Text } from './job.ts';
import { Closed, Code, Count, Creator, Email, Id, Nullable, Timestamp } from '../shapes.ts';
import { standing } from './standing.ts';

export const SuspensionReason = Text(
  1_000,
  'For the studio and its audit log: the account never reads it.',
  'The card was charged back twice.',
);

const DeskEntitlement = Closed(
  {
    ...Entitlement.properties,
    adjustable: Nullable(
      Closed({
        give_back: Count('Jobs that can be given back at most.'),
        charge: Count('Jobs that can be charged at most.'),
      }),
      'Null if the plan gives no access now.',
    ),
  },
  { $id: 'DeskEntitlement', description: 'An entitlement, and by how much its quota can be adjusted.' },
);

const listed = {
  id: Id('acct'),
  name: Type.String({ description: 'The name of the account.' }),
  owner_email: Nullable(Type.String(), 'The address of the owner; null where there is none.'),
  plan_codes: Type.Array(Type.String(), { description: 'Codes of the active plans.' }),
  paused: Type.Array(Type.String(), { description: 'Codes of paused plans, which give no access.' }),
  past_due: Type.Array(Type.String(), {
    description: 'Codes of overdue plans, which give access until the end of their period.',
  }),
  suspension: Nullable(
    Closed(
      {
        since: Timestamp('When the studio suspended it.'),
        reason: SuspensionReason,
        created_by: Creator,
      },
      { $id: 'Suspension', description: 'Why and by whom an account is suspended.' },
    ),
    'Null while the account is open.',
  ),
  standing,
  active_jobs: Count('Jobs that have not ended.'),
  created_at: Timestamp('When the account was created.'),
  imported_at: Nullable(
    Timestamp('When the studio imported the customer.'),
    'Null for accounts that were opened here.',
  ),
};

const ImportedPerson = Closed(
  {
    id: Id('user'),
    name: Type.String({ description: 'The name in the import.' }),
    email: Email,
    role: Role,
    invited_until: Nullable(Timestamp('When the open invitation lapses.'), 'Null while none is open.'),
  },
  { $id: 'ImportedPerson', description: 'Somebody whom an import named, and who has not joined the account.' },
);

export const DeskAccountListItem = Closed(listed, {
  $id: 'DeskAccountListItem',
  description: 'An account as the studio lists it.',
});

export const DeskAccount = Closed(
  {
    ...listed,
    jobs: Count('Jobs ever created.'),
    active_keys: Count('Working API keys.'),
    noted_minutes: Count('Minutes that operators noted on its jobs.'),
    studio_orders: Closed(
      {
        allowed: Type.Boolean({ description: 'Whether an owner of the account lets the studio order for it.' }),
        refusals: Type.Array(Code, { description: 'What an order would be answered now; empty if it would be taken.' }),
        plan_names: Type.Array(Type.String(), { description: 'The active plans that serve people.' }),
        quota_left: Count('Jobs that remain of them.'),
        unit: Type.String({ description: 'What they count.' }),
      },
      { $id: 'DeskStudioOrders', description: 'Whether leads and owners of the studio can order for the account.' },
    ),
    entitlements: Type.Array(DeskEntitlement, { description: 'Newest grant first.' }),
    quota_adjustments: Type.Array(DeskQuotaAdjustment, { description: 'The newest 50, newest first.' }),
    note: Nullable(
      Closed(
        {
          body: Type.String({ description: 'The text of the note.' }),
          created_by: Creator,
          updated_at: Timestamp('When this version was written.'),
        },
        { $id: 'AccountNote', description: 'What operators should know about an account. The account never sees it.' },
      ),
      'The standing note of the studio; null without one.',
    ),
    brand: Nullable(JobBrand, 'The brand kit; null if empty.'),
    members: Type.Array(Member, { description: 'Members of the account, oldest first.' }),
    imported_people: Type.Array(ImportedPerson, { description: 'Imported people who have not joined, by name.' }),
  },
  { $id: 'DeskAccount', description: 'An account as the studio sees it.' },
);
