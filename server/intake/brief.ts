import type { IntentBrief } from '../../contract/jobs/brief.ts';
import { inKitLine, openLine, ownWordsLine } from '../../contract/jobs/instructions.ts';
import { type Family, requirementsOf } from '../catalog/catalog.ts';
import { Refusal } from '../http/refusal.ts';
import { ownTexts } from '../jobs/draft.ts';
import { unsafe } from '../safety/policy.ts';
import { answersOf, type Draft, fieldOf, isInBrand, isReady, missingIn, optionOf, suggestionsOf } from './draft.ts';

/** Code points of `customer_instructions`, and how many of them are reserved per missing answer. */
const longest = 20_000;
const keptPerAnswer = 500;

/** `label: answer` for each requirement, then what the customer wrote, as it is. */
function instructionsOf(family: Family, draft: Draft): string {
  return [
    ...answersOf(family, draft).map(({ requirement, answer }) => `${requirement}: ${answer}`),
    ...missingIn(family, draft).map((label) => (isInBrand(draft, label) ? inKitLine(label) : openLine(label))),
    ...(draft.files.length === 0 ? [] : [`Files: ${draft.files.map(({ name }) => name).join(', ')}`]),
    ...(draft.words === '' ? [] : ['', ownWordsLine, draft.words]),
  ].join('\n');
}

/** As the customer says, or the name or topic in at most 60 characters, otherwise the day. */
function titleOf(family: Family, draft: Draft, day: Date): string {
  if (draft.title !== null) return draft.title;
  const service = optionOf(family, draft)?.name ?? family.name;
  const [first] = requirementsOf(family, draft.service_type);
  const subject = (first && ['name', 'text'].includes(first.kind) ? fieldOf(draft, first.label).answer?.answer : null)
    ?.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    // Characters that a title may not contain.
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .trim();
  if (subject && [...subject].length <= 60) return `${service}: ${subject}`;
  return `${service}, ${day.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' })}`;
}

/** Null until a service is chosen and every requirement is answered or left open. */
export function briefOf(family: Family, draft: Draft, day: Date): IntentBrief | null {
  const { service_type, version, files, wanted_by } = draft;
  if (service_type === null || !isReady(family, draft)) return null;
  const answers = answersOf(family, draft);
  return {
    version,
    service_family: family.id,
    service_type,
    customer_title: titleOf(family, draft, day),
    customer_instructions: instructionsOf(family, draft),
    answered_requirements: answers.map(({ requirement, answer }) => ({ requirement, answer })),
    answers,
    suggestions: suggestionsOf(family, draft),
    quality_signals: family.quality_signals,
    file_ids: files.map(({ id }) => id),
    wanted_by,
  };
}

export const conflict = (message: string, action: string) =>
  new Refusal('intake_session_conflict', { message, action });

/** Create must accept every brief, and texts may be unsafe only together. Nothing is ever cut. */
export function refuseUnkeepable(family: Family, draft: Draft, location: `/${string}`): void {
  const instructions = instructionsOf(family, draft);
  if ([...instructions].length + keptPerAnswer * missingIn(family, draft).length > longest)
    throw conflict(
      'With this the brief would be longer than 20,000 characters.',
      'Write it shorter, or upload it as a file and name the file here.',
    );
  const danger = unsafe([[location, instructions], ['/customer_title', draft.title ?? ''], ...ownTexts(draft)]);
  if (danger) throw danger;
}
