import type { IntentBrief } from '../../contract/job.ts';
import type { Family } from '../catalog/catalog.ts';
import { Refusal } from '../http/refusal.ts';
import { unsafe } from '../safety/policy.ts';
import { answersIn, chosenOption, missingOf, type State } from './state.ts';

/** Code points of `customer_instructions`, and how many of them are reserved per missing answer. */
const longest = 20_000;
const keptPerAnswer = 500;

/** `label: answer` for each requirement, then the customer's other messages unchanged. */
function instructionsOf(family: Family, state: State): string {
  const option = chosenOption(family, state)?.name;
  const toStudio = (label: string) =>
    state.notes.some((note) => note.requirement === label && 'left' in note && note.left === 'studio');
  const words = state.own_words.map((text) => `- ${text.trim().replaceAll('\n', '\n  ')}`);
  return [
    ...(state.option_left_to_studio
      ? [`The customer leaves it to the studio whether ${option} or another option fits.`]
      : []),
    ...answersIn(family, state).map(({ requirement, answer }) => `${requirement}: ${answer}`),
    ...missingOf(family, state).map((label) =>
      toStudio(label)
        ? `${label}: to be decided (the customer leaves it to the studio)`
        : `${label}: open (the customer has not answered)`,
    ),
    ...(words.length > 0 ? ['', 'In the customer’s own words:', ...words] : []),
  ].join('\n');
}

/** Whether the instructions still have room for the missing answers. */
const fits = (family: Family, state: State): boolean =>
  [...instructionsOf(family, state)].length + keptPerAnswer * missingOf(family, state).length <= longest;

/** The option and the first answer, on one line of at most 120 characters. */
function titleOf(family: Family, state: State): string {
  const option = chosenOption(family, state)?.name ?? family.name;
  const subject = answersIn(family, state)[0]
    ?.answer.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
    // Characters that a title may not contain.
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .trim();
  const points = [...(subject ? `${option}: ${subject}` : option)];
  return points.length > 120 ? `${points.slice(0, 119).join('').trimEnd()}…` : points.join('');
}

/** Null while there is a question left. */
export function briefOf(family: Family, state: State): IntentBrief | null {
  if (state.service_type === null) return null;
  return {
    version: state.version,
    service_family: family.id,
    service_type: state.service_type,
    customer_title: titleOf(family, state),
    customer_instructions: instructionsOf(family, state),
    answered_requirements: answersIn(family, state),
    quality_signals: family.quality_signals,
    file_ids: state.files.map(({ id }) => id),
  };
}

/** Create must accept every brief, and texts may be unsafe only together. Nothing is ever cut. */
export function refuseUnkeepable(
  family: Family,
  { state, brief }: { state: State; brief: IntentBrief | null },
  location: '/content' | '/message',
): void {
  if (!fits(family, state))
    throw new Refusal('intake_session_conflict', {
      message: 'With this message the brief would be longer than 20,000 characters.',
      action: 'Write it shorter, or upload it as a file and name the file here.',
    });
  const danger = unsafe([
    [location, brief?.customer_title ?? ''],
    [location, instructionsOf(family, state)],
  ]);
  if (danger) throw danger;
}
