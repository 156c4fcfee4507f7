import type { ignoredReasons } from '../../../contract/desk/provider-events.ts';

type Words = { sentence: string; remedy: string };

const changed = 'then re-evaluate the event';
const nothing = 'Nothing is to be done.';

const otherPrice = (sentence: string): Words => ({
  sentence,
  remedy: `Make the price there and at the provider the same, ${changed}.`,
});

/** What is wrong with an ignored event, and who mends it where. */
const words: Record<(typeof ignoredReasons)[number], Words> = {
  'unsupported type': { sentence: 'The service does not use events of this type.', remedy: nothing },
  'wrong livemode': {
    sentence: 'One of both is in test mode: the event or this service.',
    remedy: 'Send the events of each mode to its own service.',
  },
  'missing subscription': {
    sentence: 'The event names no subscription.',
    remedy: 'Sell plans by the checkout, which makes a subscription.',
  },
  'missing metadata': {
    sentence: 'The subscription does not say for which account or plan it is.',
    remedy:
      'Add service_account_id and service_entitlement_code to its metadata at the provider, which then sends a new event.',
  },
  'unknown plan code': {
    sentence: 'The subscription names a plan that is not in plans.yaml.',
    remedy: `Add the plan there, ${changed}; or correct the metadata at the provider.`,
  },
  'unknown price': {
    sentence: 'No plan in plans.yaml has the price that was paid.',
    remedy: `Add the price there, ${changed}; or move the subscription to another price at the provider.`,
  },
  'price of another plan': {
    sentence: 'The price belongs to another plan than the metadata names.',
    remedy: 'Correct one of both at the provider, which then sends a new event.',
  },
  'unknown product': {
    sentence: 'The product of the price is another one than in plans.yaml.',
    remedy: `Correct the product there, ${changed}.`,
  },
  'wrong amount': otherPrice('The amount differs from the price in plans.yaml.'),
  'wrong currency': otherPrice('The currency differs from the price in plans.yaml.'),
  'wrong interval': otherPrice('The price is paid at other times than in plans.yaml, or by use.'),
  'wrong quantity': {
    sentence: 'The subscription has its price more than once, or not at all.',
    remedy: 'Set the quantity to 1 at the provider, which then sends a new event.',
  },
  'several items': {
    sentence: 'The subscription has several prices. A plan is one.',
    remedy:
      'Remove the other items at the provider, which then sends a new event; sell them by a subscription of their own.',
  },
  'unusable period': {
    sentence: 'The paid period ends before it begins.',
    remedy: 'Look at the subscription at the provider: its next event may be right.',
  },
  'unbound customer': {
    sentence: 'The customer of the provider is bound to no account.',
    remedy: `A checkout of the account binds its customer: ask for one, ${changed}.`,
  },
  'customer of another account': {
    sentence: 'The customer is bound to another account than the metadata names.',
    remedy: 'Find out who paid, then correct the metadata at the provider, which sends a new event.',
  },
  'subscription of another account': {
    sentence: 'The subscription belongs to another account already.',
    remedy: 'Find out who paid, and end the subscription at the provider if it is wrong.',
  },
  'older than what is already applied': {
    sentence: 'A newer event of this subscription was applied before.',
    remedy: nothing,
  },
  'another product': {
    sentence: 'Something else is sold in the same account of the provider. No customer, price or metadata is ours.',
    remedy: nothing,
  },
  'no subscription yet': {
    sentence: 'The subscription has not arrived yet. The event counts as soon as it does.',
    remedy: nothing,
  },
};

export const needsLook = (reason: string): boolean => reasonWords(reason).remedy !== nothing;

/** A reason with a path names the field that the provider does not document like that. */
export function reasonWords(reason: string): Words {
  if (Object.hasOwn(words, reason)) return words[reason as keyof typeof words];
  const [field] = reason.split(':');
  return {
    sentence: `The field ${field} is not of the form that the provider documents.`,
    remedy: 'Compare the API version of the webhook at the provider with the one that the service expects.',
  };
}

/** Why the customer's plan or its owner allows no order, in words for the studio. */
export const refusalWords: Record<string, string> = {
  account_suspended: 'The account is suspended.',
  studio_orders_off: 'Their owner has not allowed it: Settings, Account, Orders by the studio.',
  entitlement_required: 'They have no plan for people.',
  quota_exceeded: 'The quota of their period is used up.',
  concurrency_limit_exceeded: 'They have as many open jobs as their plan allows.',
};
