import type { Family, Requirement } from '../catalog/catalog.ts';
import type { Brief } from './brief.ts';
import type { Heard } from './heard.ts';
import type { Changes } from './remember.ts';
import { count, duration, list } from './service-question.ts';
import { type Asked, missingOf, type Talk } from './talk.ts';

const optionOf = (family: Family, id: string | null) => family.options.find((option) => option.id === id);
const requirementOf = (family: Family, label: string): Requirement =>
  family.intake_requirements.find((one) => one.label === label) ?? family.intake_requirements[0]!;

/** A sentence ends once, whatever stands at its end. */
const sentence = (text: string): string => (/[.!?…]["”'’)]*$/u.test(text) ? text : `${text}.`);

const explanation = ({ hint, example }: Requirement): string => `${sentence(hint)} For example: ${sentence(example)}`;

const optionList = (family: Family): string =>
  family.options.map(({ name, description }, i) => `${i + 1}. ${name}: ${description}`).join('\n');

/** How a question is put: new, after a reply that did not answer it, or with all that can be said about it. */
export type Manner = 'first' | 'again' | 'explained';

/** The one question of a reply. */
export function question(family: Family, asked: Asked, manner: Manner): string {
  if ('option' in asked)
    return manner === 'first'
      ? `Which of these do you need: ${list(
          family.options.map(({ name }) => name),
          'or',
        )}?`
      : `Which of these do you need? A number will do.\n${optionList(family)}`;
  const requirement = requirementOf(family, asked.requirement);
  if (manner === 'again') return `${requirement.question} For example: ${sentence(requirement.example)}`;
  return `${requirement.question} ${explanation(requirement)}`;
}

/** The first words of a conversation: what the family offers, or what the chosen option is. */
export function greeting(family: Family, talk: Talk): string {
  const option = optionOf(family, talk.service_type);
  if (!option) return `Hello, and welcome to ${family.name}. ${family.description}`;
  const questions = count(missingOf(family, talk).length, 'short question');
  return `Hello! ${option.name}, gladly. ${option.description} First delivery is planned within ${duration(option.turnaround_hours)}. I have ${questions}.`;
}

const thanks = ['Thank you.', 'Got it.', 'Noted.', 'Good, that helps.'];

/** What was understood, so that a mistake is seen at once; in few words where just the question was answered. */
export function acknowledgement(changes: Changes, heard: Heard, turn: number): string {
  const { option, noted, corrected, added, deadline, leftOpen, takenBack, files, unknownFiles, answered } = changes;
  const plainly = noted.length === 1 && answered === noted[0] && corrected.length === 0;
  const lost = heard.requests.includes('back') && takenBack.length === 0;
  const said = [
    changes.restarted ? 'We start again, and what I had noted is cleared.' : '',
    takenBack.length > 0 ? `I took out: ${list(takenBack)}.` : '',
    lost
      ? 'Nothing to take back that way. To change an answer, name it: “the audience is …” or “remove the audience”.'
      : '',
    option ? (option.changed ? `${option.name} instead; all you told me stays.` : `${option.name}, gladly.`) : '',
    plainly ? thanks[turn % thanks.length]! : noted.length > 0 ? `I noted: ${list(noted)}.` : '',
    ...corrected.map(({ label, answer }) => `${label} is now: ${sentence(answer)}`),
    added.length > 0 ? `I added that to: ${list(added)}.` : '',
    deadline ? `The deadline goes into the brief: ${sentence(deadline)}` : '',
    leftOpen.length > 0 ? `That stays open: ${list(leftOpen)}.` : '',
    files.length > 0 ? `Along with the brief: ${list(files)}.` : '',
    unknownFiles.length > 0 ? `I find no uploaded file of yours that is still free as ${list(unknownFiles)}.` : '',
    heard.unsorted ? 'I cannot tell which of your points answers what; they go along in your own words.' : '',
    heard.unknownQuestion ? 'That one is for the studio; it goes along with the brief.' : '',
  ].filter((part) => part !== '');
  if (said.length === 0 && heard.rest.length > 0) return 'I keep that for the studio.';
  return said.join(' ');
}

/** Why a requirement is asked for, said once to who cannot answer it. */
export const plea = (family: Family, label: string): string =>
  `The studio can choose the details, but it needs some idea before it starts; no need to be exact. If you cannot say at all, answer “skip”. ${question(family, { requirement: label }, 'explained')}`;

/** The whole brief, read back. */
export function readBack(family: Family, talk: Talk, brief: Brief): string {
  const option = optionOf(family, talk.service_type)!;
  const open = missingOf(family, talk).map(({ label }) => label);
  const lines = [
    brief.customer_title,
    ...brief.answered_requirements.map(({ requirement, answer }) => `${requirement}: ${answer}`),
    ...(talk.deadline ? [`Deadline: ${talk.deadline}`] : []),
    ...(open.length > 0 ? [`Left open: ${list(open)}`] : []),
    ...(talk.files.length > 0 ? [`Files: ${list(talk.files.map(({ name }) => name))}`] : []),
  ];
  const promise = `First delivery is planned within ${duration(option.turnaround_hours)} of the order, with ${count(option.revision_rounds, 'round')} of changes included.`;
  return `Here is your brief, version ${brief.version}:\n\n${lines.join('\n')}\n\n${promise} Whatever else you wrote goes along in your own words. Tell me what to change, or confirm the brief to order the job.`;
}
