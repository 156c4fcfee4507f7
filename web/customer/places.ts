import {
  IconBriefcase,
  IconChartBar,
  IconCreditCard,
  IconHome,
  IconKey,
  IconMessage,
  IconPalette,
  IconPhoto,
  IconTemplate,
  IconUsers,
  IconWebhook,
} from '../ui/look/icons.ts';
import { customerPages } from '../../contract/pages.ts';
import type { Place } from '../ui/shell/shell.tsx';

export const places: Place[] = [
  { label: 'Home', to: customerPages.home, icon: IconHome },
  { label: 'Jobs', to: customerPages.jobs, icon: IconBriefcase },
  { label: 'Concierge', to: customerPages.concierge, icon: IconMessage },
  { label: 'Templates', to: customerPages.templates, icon: IconTemplate },
  { label: 'Library', to: customerPages.library, icon: IconPhoto },
  { label: 'Brand', to: customerPages.brand, icon: IconPalette },
  { label: 'Usage', to: customerPages.usage, icon: IconChartBar },
  { label: 'Plans', to: customerPages.plans, icon: IconCreditCard },
  { label: 'API keys', to: customerPages.keys, icon: IconKey },
  { label: 'Webhooks', to: customerPages.webhooks, icon: IconWebhook },
  { label: 'Members', to: customerPages.members, icon: IconUsers },
];

/** What an operator sees who views the account. */
const { home, jobs, usage, plans, members } = customerPages;
const viewable: string[] = [home, jobs, usage, plans, members];
export const viewablePlaces = places.filter(({ to }) => viewable.includes(to));

export const isViewable = (path: string): boolean =>
  viewable.includes(path) || (path.startsWith(`${jobs}/job_`) && !path.slice(6).includes('/'));

/** What a reviewer sees. Everything else is about ordering, or managed by owners and admins. */
const { library, settings } = customerPages;
export const reviewerPlaces = places.filter(({ to }) => [home, jobs, library, members].includes(to as typeof home));

export const isForReviewers = (path: string): boolean =>
  [library, settings].includes(path as typeof library) || (isViewable(path) && path !== usage && path !== plans);
