import { describe, expect, test } from 'vitest';
import { insteadOf, isAnswer, isSentence, notAnAnswer, type Reason, withoutNonAnswers } from './is-answer.ts';
import { isForeign } from '../lib/language.ts';
import { splitQuestions } from '../lib/sentences.ts';

const text = { kind: 'text', hint: 'Colours and moods.', optional: false } as const;

describe('a reply that is not the answer', () => {
  test.each<[Reason, string[]]>([
    ['asks', ['Why do you need that?', 'how much? and how long?', 'People with bikes, I guess?', '"Really?"']],
    [
      'explain',
      ['I don’t understand', 'Sorry, what do you mean by that', 'not sure what you want', 'example', '?', '...'],
    ],
    ['declines', ['idk', 'Skip', 'TBD', 'whatever you like', 'n/a, sorry', 'I really don’t know', 'we don’t care']],
    ['declines', ['no idea', 'I have no preference', 'No clue.', 'I’m not sure', 'unsure', 'we are undecided']],
    [
      'declines',
      [
        'you decide',
        'please decide',
        'Please choose for us.',
        'see ticket BI-418',
        'You’re the experts, you choose',
        'up to you',
        'that is for you to say',
        'your call',
        '3. You decide',
        'surprise me',
      ],
    ],
    [
      'declines',
      ['anything', 'either is fine', 'I’ll leave that to you', 'leave it open', 'not going to look that up now'],
    ],
    [
      'declines',
      [
        'I’m afraid I’d have to ask my wife',
        'ask our accountant',
        'haven’t thought about it',
        'we have never discussed it',
      ],
    ],
    [
      'declines',
      ['as above', 'see the attachment', 'It’s all in the brief', 'please refer to my mail', 'I told you already'],
    ],
    ['declines', ['Weiß ich nicht', 'weiss ich leider noch nicht.', 'Keine Ahnung!', 'keine Ahnung, egal']],
    ['declines', ['Egal', 'ist mir egal', 'mir egal, macht wie ihr denkt', 'Ihr entscheidet', 'Das entscheiden Sie']],
    ['declines', ['Je ne sais pas', 'aucune idée', 'Peu importe.', 'vous décidez']],
    ['declines', ['No sé', 'no lo sé', 'ni idea', 'me da igual', 'da igual']],
    ['declines', ['that’s all', 'no more questions', 'My boss knows, I don’t', 'cannot say']],
    ['orders', ['just order it', 'ok, just start please', 'order', 'Please place the order', 'go ahead']],
    ['agrees', ['yes', 'Yes please', 'ok', 'Sure!', 'ja']],
    ['accepts', ['accept', 'Accept all 4', 'accept both please']],
    ['refuses', ['wrong', 'no', 'none', 'not right']],
    ['greets', ['hi', 'Hello there', 'Good morning!', 'thanks', 'Thank you very much']],
    [
      'corrects',
      ['actually it is 200 rows', 'I was wrong about the audience', 'Correction: six, not four', 'wait, not that'],
    ],
    ['long', ['x'.repeat(5_001)]],
  ])('%s: %j', (reason, replies) => {
    expect(replies.map((reply) => [reply, notAnAnswer(reply, text)])).toEqual(replies.map((reply) => [reply, reason]));
  });

  test('a name of more than 60 characters is too long', () => {
    expect(notAnAnswer('𝒳'.repeat(60), { ...text, kind: 'name' })).toBeNull();
    expect(notAnAnswer('𝒳'.repeat(61), { ...text, kind: 'name' })).toBe('long');
  });

  test('"none" answers where the hint offers it or the requirement is optional', () => {
    expect(notAnAnswer('None.', { ...text, hint: 'Say "none" if you start fresh.' })).toBeNull();
    expect(notAnAnswer('None.', { ...text, optional: true })).toBeNull();
    expect(notAnAnswer('None.', text)).toBe('refuses');
  });
});

test.each([
  'Rise Bakery',
  'Yes, Chef',
  'Hello Kitty',
  'Next Door Bakery',
  'families who do not know where to begin',
  'warm, but not too warm',
  'Whatever Works, a bar in Leeds',
  'no wheat ears, no brown',
  'People who cannot decide what to cook and want somebody to choose for them every single evening of the week',
  'around 800 words',
  'Egal & Söhne',
  'No Sé Nada Bar',
  'keine Ahnung was Sie meinen',
  '日本語',
  '🎉',
])('%j is an answer', (reply) => {
  expect(notAnAnswer(reply, text)).toBeNull();
});

test('the sentences with "?" are questions, and the rest is the answer', () => {
  expect(splitQuestions('One page. What counts as a page? And, say, two pictures.')).toEqual({
    questions: ['What counts as a page?'],
    rest: 'One page.  And, say, two pictures.',
  });
  expect(splitQuestions('no idea. people with bikes I guess?').rest).toBe('no idea.');
});

test.each([
  ['no, make it navy', 'navy'],
  ['Sorry – please make that Navy Blue.', 'Navy Blue.'],
  ['wait, I meant students', 'students'],
  ['make it bold', null],
  ['no wheat ears', null],
  ['Actually make it six mails', null],
])('%j puts %j in the place of the last answer', (reply, answer) => expect(insteadOf(reply)).toBe(answer));

test.each([
  ['Ubuntu 24. Not sure about the rest.', 'Ubuntu 24.'],
  ['Hello. A shop sign', 'A shop sign'],
  ['1. Rise Bakery\n2. You decide', '1. Rise Bakery'],
  ['3. You decide', '3. You decide'],
  ['No idea. You decide.', 'No idea. You decide.'],
])('of %j, %j may be the answer', (reply, rest) => expect(withoutNonAnswers(reply)).toBe(rest));

test('a sentence is no name', () => {
  expect(['We are a charity.', 'It is for our shop', 'Rise Bakery', 'This End Up'].map(isSentence)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test.each([
  ['Guten Tag, wir brauchen ein Logo', false, true],
  ['Je voudrais un logo pour notre boulangerie', false, true],
  ['A logo for our bakery in Köln', false, false],
  ['egal', true, true],
  ['Rise', false, false],
  ['no gradients, 30 cents per page', false, false],
  ['Speisekarte korrekturlesen, Erdäpfel so lassen!', false, true],
])('%j after another language: %s, is one: %s', (reply, before, foreign) => {
  expect(isForeign(reply, before)).toBe(foreign);
});

test('behind a label, what only declines as a reply is an answer', () => {
  expect(
    ['see the attachment', 'anything warm', 'leave it as it is', 'skip', 'not sure, ask our lawyer'].map(isAnswer),
  ).toEqual([true, true, true, false, false]);
});
