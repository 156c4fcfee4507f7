import { weekdays } from '../../../contract/studio/business-time.ts';
import { listAt, type Path, textAt } from './studio-yaml.ts';

/** What the form changes, in its words. */
const faceFields: { label: string; paths: Path[] }[] = [
  { label: 'Name', paths: [['name']] },
  { label: 'Tagline', paths: [['tagline']] },
  { label: 'Marks', paths: [['mark'], ['mark_dark'], ['icon']] },
  { label: 'Accent', paths: [['accent']] },
  {
    label: 'Support',
    paths: [
      ['support', 'email'],
      ['support', 'url'],
    ],
  },
  {
    label: 'Links',
    paths: [
      ['links', 'terms'],
      ['links', 'privacy'],
      ['links', 'imprint'],
    ],
  },
  { label: 'Mail footer', paths: [['mail_footer']] },
  { label: 'Hours', paths: [['time_zone'], ...weekdays.map((day): Path => ['hours', day]), ['holidays']] },
];

const days: Record<string, string> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
};
export const dayName = (day: string): string => days[day] ?? day;

/** "Hours, Monday"; null for what the form does not know. */
export function faceLabel(path: string): string | null {
  const [field, part] = path.slice(1).split('/');
  if (field === 'holidays' || field === 'time_zone') return field === 'holidays' ? 'Holidays' : 'Time zone';
  const label = faceFields.find(({ paths }) => paths.some(([name]) => name === field))?.label;
  if (!label) return null;
  return field === 'hours' && part ? `${label}, ${dayName(part)}` : label;
}

const valueAt = (text: string, path: Path) => JSON.stringify(textAt(text, ...path) ?? listAt(text, ...path) ?? null);

/** "Accent, Links"; the name of the file for a change that the form does not know. */
export function changedFields(before: string, after: string): string[] {
  if (before === after) return [];
  const labels = faceFields
    .filter(({ paths }) => paths.some((path) => valueAt(before, path) !== valueAt(after, path)))
    .map(({ label }) => label);
  return labels.length > 0 ? labels : ['studio.yaml'];
}
