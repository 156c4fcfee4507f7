import type { Family } from '../catalog/catalog.ts';
import { labelNamed } from '../requirements/labels.ts';
import { isAnswer, strip } from '../requirements/undecided.ts';
import { askedRequirement, leave, missingOf, newState, nextQuestion, type State, withoutAnswer } from './state.ts';

/** What a command does: the state after it, and what the concierge says to it before it asks or reads back. */
export type Effect = { state: State; say: string; explain?: true; summary?: true };

type Command = {
  /** Messages that call it, with "|" between them, in lower case and without "please" and the marks around them. */
  says: string;
  /** The same in front of the name of a requirement: "remove the audience". */
  before?: string;
  run: (family: Family, state: State, label: string | null) => Effect;
};

const labelAsked = (family: Family, state: State) => askedRequirement(family, state)?.label ?? null;

/** Who cannot answer is told more once; after that, and where the catalog allows it, the requirement stays open. */
function explainOrLeave(family: Family, state: State): Effect {
  const asked = askedRequirement(family, state);
  if (!asked) return { state, say: '', explain: true };
  if (asked.optional || state.explained.includes(asked.label)) return leaveOpen(family, state, asked.label);
  return { state: { ...state, explained: [...state.explained, asked.label] }, say: '', explain: true };
}

function leaveOpen(family: Family, state: State, named: string | null): Effect {
  const label = named ?? labelAsked(family, state);
  if (label === null) return { state, say: '', explain: true };
  return { state: leave(state, label, 'open'), say: `${label} stays open.` };
}

function leaveToStudio(family: Family, state: State, named: string | null): Effect {
  const label = named ?? labelAsked(family, state);
  if (label) return { state: leave(state, label, 'studio'), say: `${label} is left to the studio.` };
  const [first] = family.options;
  if (state.service_type !== null || !first) return { state, say: 'The brief is complete; say what to change.' };
  return {
    state: { ...state, service_type: first.id, option_left_to_studio: true },
    say: `The studio decides. It is ordered as ${first.name}, and the brief says that the studio may choose another option.`,
  };
}

function takeOut(family: Family, state: State, named: string | null): Effect {
  const labels = named ? [named] : state.guessed.length > 0 ? state.guessed : state.history.slice(-1);
  const known = labels.filter((label) => state.answers[label] !== undefined || state.left[label] !== undefined);
  const say =
    known.length > 0
      ? `I took out: ${known.join(', ')}.`
      : 'There is nothing to take out. To change an answer, write its name and the new one, such as ' +
        `“${family.intake_requirements[0]!.label}: …”.`;
  return { state: known.reduce(withoutAnswer, state), say };
}

const help =
  'I gather what the studio has to know, one thing at a time. Answer in your own words, or several at once as ' +
  '“name: answer”, one to a line; “service: …” changes what is ordered. You can also say “skip”, “you decide”, “go back”, “remove …”, “summary” or ' +
  '“start over”, and ask about price, time and changes.';

const howToConfirm =
  'Nothing is ordered until you confirm the brief: with the button, or POST /api/v1/intake/sessions/{id}/confirm.';

/** All that can be said to the concierge itself. Whatever is none of these is about the work. */
export const commands = {
  skip: {
    says: 'skip|skip it|skip this|skip this one|pass|leave it open|leave open|later',
    before: 'skip|leave out|leave open',
    run: leaveOpen,
  },
  skipRest: {
    says: "skip the rest|skip all|skip everything|no more questions|that is all|that's all",
    run: (family, state) => ({
      state: missingOf(family, state).reduce(
        (open, { label }) => leave(open, label, open.left[label] ?? 'open'),
        state,
      ),
      say: 'The rest stays open.',
    }),
  },
  unknown: {
    says: "i do not know|i don't know|i dont know|don't know|dont know|do not know|idk|no idea|i have no idea|not sure|i'm not sure|i am not sure|unsure|hard to say|i can't say|what do you mean|what do you mean by that|what does that mean|explain|example|an example|for example|i don't understand|i do not understand|why do you ask",
    run: explainOrLeave,
  },
  decide: {
    says: "you decide|you choose|the studio decides|let the studio decide|your choice|up to you|it's up to you|whatever you think|whatever|surprise me|no preference|i don't care|i do not care|i don't mind|you tell me|as you like|whatever you prefer",
    before: 'you decide|the studio decides',
    run: leaveToStudio,
  },
  back: {
    says: "back|go back|undo|undo that|wrong|that's wrong|that is wrong|not right|no, wrong",
    before: 'remove|delete|clear|change|forget|undo|go back to',
    run: takeOut,
  },
  restart: {
    says: 'start over|start again|restart|begin again|start from scratch|new brief',
    run: (family, state) => ({
      state: { ...newState(family, null), version: state.version },
      say: 'We start again, and what I had noted is cleared.',
    }),
  },
  summary: {
    says: 'summary|show the brief|show me the brief|show brief|status|what do you have so far|so far',
    run: (_, state) => ({ state, say: '', summary: true }),
  },
  help: {
    says: 'help|help me|commands|what can i say|what can i do|how does this work|?',
    run: (_, state) => ({ state, say: help }),
  },
  confirm: {
    says: 'confirm|order it|go ahead|place the order|lgtm|looks good',
    run: (family, state) => ({
      state,
      say: nextQuestion(family, state) ? 'Not yet: the brief is not complete.' : howToConfirm,
    }),
  },
  greet: {
    says: 'hello|hi|hey|hi there|hello there|good morning|thanks|thank you|thx|ok|okay|yes|yep|yeah|sure',
    run: (family, state) => ({ state, say: nextQuestion(family, state) ? '' : howToConfirm }),
  },
  leave: {
    says: 'cancel|quit|bye|goodbye|never mind|forget it|not interested',
    run: (_, state) => ({
      state,
      say: 'Nothing is ordered. You may leave at any time; close the conversation if you do not need it any more.',
    }),
  },
} satisfies Record<string, Command>;
export type CommandName = keyof typeof commands;

const table = Object.entries(commands) as [CommandName, Command][];
const named = new Map(table.flatMap(([name, { says }]) => says.split('|').map((phrase) => [phrase, name] as const)));

const plain = (text: string): string =>
  (text.trim() === '?' ? text : strip(text))
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/\s+/gu, ' ')
    .replace(/^(?:please |ok |okay |well |sorry |no, (?=skip|pass|idea)){1,2}/u, '')
    .replace(/,? (?:please|then|thanks|now|yet)$/u, '');

/** The command that a message is, and the requirement that it names. */
export function commandIn(
  family: Family,
  state: State,
  text: string,
): { name: CommandName; label: string | null } | null {
  if (text.length > 100) return null;
  const said = plain(text);
  const name = named.get(said);
  if (name) return { name, label: null };
  for (const [command, { before = '' }] of table)
    for (const verb of before.split('|')) {
      const label = said.startsWith(`${verb} `) ? labelNamed(family, said.slice(verb.length + 1)) : null;
      if (label) return { name: command, label };
    }
  if (said === 'no' && !askedRequirement(family, state)?.optional)
    return { name: state.guessed.length > 0 ? 'back' : 'unknown', label: null };
  return isAnswer(strip(text)) ? null : { name: 'unknown', label: null };
}

/** What a customer may choose instead of writing. */
export function suggestedReplies(family: Family, state: State): { label: string; message: string }[] {
  const { asked } = state;
  const lastAnswered = state.history.at(-1);
  const change = (label: string) => ({ label: `Change: ${label}`, message: `Remove ${label}` });
  if (asked === null)
    return [
      { label: 'Show the brief', message: 'Summary' },
      ...state.history.map(change),
      { label: 'Start over', message: 'Start over' },
    ];
  if ('option' in asked)
    return [
      ...family.options.map(({ name }) => ({ label: name, message: name })),
      { label: 'I do not know', message: 'I do not know' },
      { label: 'The studio decides', message: 'The studio decides' },
    ];
  return [
    { label: 'I do not know', message: 'I do not know' },
    { label: 'The studio decides', message: 'The studio decides' },
    { label: 'Skip', message: 'Skip' },
    ...(lastAnswered ? [change(lastAnswered)] : []),
    { label: 'Summary', message: 'Summary' },
  ];
}
