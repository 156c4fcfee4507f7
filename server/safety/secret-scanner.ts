import { rules } from '@secretlint/secretlint-rule-preset-recommend';

/** Kinds of credentials that secretlint does not check, or accepts as examples. */
const shapes: [kind: string, RegExp][] = [
  ['a private key', /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY|PuTTY-User-Key-File-\d/],
  ['an API key of this service', /(?<![A-Za-z0-9])[a-z]{2,8}_[0-9a-z]{8}_[0-9A-Za-z]{40}/],
  ['a Stripe key', /(?<![A-Za-z0-9])(?:[sr]k_(?:live|test)|whsec)_[0-9A-Za-z]{12}/],
  ['an AWS key', /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|secret[ _-]?access[ _-]?key\W{1,5}[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+])/i],
  ['a Google key', /(?<![\w-])(?:AIza[\w-]{35}|GOCSPX-[\w-]{20}|ya29\.[\w-]{20})/],
  ['an OpenAI or Anthropic key', /(?<![\w-])sk-(?:(?:proj|svcacct|admin|ant|or)-[\w-]{16}|[A-Za-z0-9]{20})/],
  ['a GitHub token', /(?<![A-Za-z0-9])(?:gh[opsru]_[A-Za-z0-9]{30}|github_pat_\w{30}|ghs_\d{1,20}_[\w-]{20,200}\.)/],
  ['a GitLab token', /(?<![\w-])gl(?:pat|ptt|dt|rt|cbt|soat)-[\w-]{20}/],
  ['a Slack token', /(?<![\w-])xox[a-z](?:\.xox[a-z])?-[0-9A-Za-z-]{15}/],
  ['a Telegram token', /(?<!\d)\d{8,10}:AA[\w-]{33}(?![\w-])/],
  ['a Twilio key', /\bSK[0-9a-f]{32}\b/],
  ['an Azure key', /\bAccountKey=[A-Za-z0-9+/]{40}/i],
  ['a DigitalOcean token', /(?<![A-Za-z0-9])do[opr]_v1_[0-9a-f]{40}/],
  ['a SendGrid key', /(?<![\w-])SG\.[\w-]{22}\.[\w-]{20}/],
  ['a PyPI token', /\bpypi-[\w-]{50}/],
  ['a Mailgun or Mailchimp key', /\bkey-[0-9a-f]{32}\b|\b[0-9a-f]{32}-us\d{1,2}\b/],
  ['a Discord webhook', /discord(?:app)?\.com\/api\/webhooks\/\d{15,20}\/[\w-]{30}/],
  ['a signed token', /(?<![\w-])eyJ[\w-]{10,2000}\.eyJ[\w-]{10,2000}\.[\w-]{10}/],
  ['a bearer token', /\bbearer [\w.~+/-]{32}/i],
  [
    'a password in an address',
    /:\/\/[^\s:@/]{1,100}:(?!(?:password|pass|secret|pwd|x{3,20}|\*{3,20})@)[^\s@/<{$[]{4,100}@/i,
  ],
];

/** Each shape with the rest of its word, so that a credential is named once. */
const words = shapes.map(([kind, pattern]) => ({
  kind,
  pattern,
  word: new RegExp(`(?:${pattern.source})[\\w+/=.-]{0,4096}`, `g${pattern.flags}`),
}));

type Rule = (typeof rules)[number];
type Source = Parameters<NonNullable<ReturnType<Rule['create']>['file']>>[0];

// secretlint's rules are called directly, because its engine records a performance entry per rule and text,
// which would leak in a server. Left out: the rule for Google service accounts, which reads files (the
// patterns above find their private key), and those for GitHub and SendGrid, which take 8 and 17 ms for a
// hostile text of 20,000 characters.
const provider = (rule: Rule) => rule.meta.id.replace('@secretlint/secretlint-rule-', '');
const scanners = rules.filter((rule) => !['gcp', 'github', 'sendgrid'].includes(provider(rule)));

// A rule's message contains the secret, so it is never built.
const untranslated = () => ({ message: '', messageId: '' }) as never;

function secretlintFinds(rule: Rule, text: string): boolean {
  let hasSecret = false;
  const report = () => {
    hasSecret = true;
  };
  const handler = rule.create({ sharedOptions: {}, createTranslator: () => untranslated, report, ignore: report }, {});
  void handler.file?.({ content: text, filePath: undefined, ext: '.txt', contentType: 'text' } as Source);
  return hasSecret;
}

/** No credential is shorter than this, except passwords in URLs and keys that begin with a line of dashes. */
const couldBeSecret = /(?:^|[^\w+/=.-])[\w+/=.-]{18}|:\/\/|-----BEGIN/;

/** The kinds of credentials that a text contains, each once. The result never contains a credential. */
export function credentialsIn(text: string): string[] {
  const card = hasCardNumber(text) ? ['a payment card number'] : [];
  if (!couldBeSecret.test(text)) return card;
  let rest = text;
  const ours = words.filter(({ pattern, word }) => {
    if (!pattern.test(rest)) return false;
    rest = rest.replaceAll(word, ' ');
    return true;
  });
  const theirs = scanners.filter((scanner) => secretlintFinds(scanner, rest));
  return [...card, ...ours.map(({ kind }) => kind), ...theirs.map((rule) => `a credential (${provider(rule)})`)];
}

// 13 to 19 digits, in one piece or in the groups printed on cards. Not after "+" (a phone number), "." (a
// fraction) or "/" (an id in a URL). Groups must not be part of a longer row of figures or an IBAN.
const gap = '[ \\u00a0–-]{1,2}';
const fours = `(?<!\\d{4}[ -])(?<![A-Z]{2}\\d\\d )\\d{4}(?:${gap}\\d{4}){3}(?!${gap}\\d{4})(?:${gap}\\d{1,3})?`;
const amex = `3\\d{3}${gap}\\d{6}${gap}\\d{4,5}`;
const candidate = new RegExp(`(?=\\d)(?<![\\p{L}\\p{N}_+./])(?:\\d{13,19}|${fours}|${amex})(?![\\p{L}\\p{N}_])`, 'gu');

// The networks and their lengths. Without them, one order number in ten would pass for a card.
const networks = [
  /4\d{12}(?:\d{3}){0,2}/,
  /(?:5[1-5]|2[2-7])\d{14}/,
  /3[47]\d{13}/,
  /3(?:0[0-5]|[689]\d)\d{11,16}/,
  /(?:6011|64[4-9]\d|65\d\d|62\d\d)\d{12,15}/,
  /35[2-8]\d{13,16}/,
  /(?:50(?:18|20|38)|5893|6304|6759|676[1-3])\d{9,15}/,
];
const network = new RegExp(`^(?:${networks.map(({ source }) => source).join('|')})$`);

function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i += 1) {
    const digit = Number(digits[digits.length - 1 - i]);
    sum += i % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2;
  }
  return sum % 10 === 0;
}

export function hasCardNumber(text: string): boolean {
  for (const [match] of text.matchAll(candidate)) {
    const digits = match.replace(/\D/g, '');
    // Cards of 13 digits are nearly extinct, but product codes of 13 digits are everywhere.
    const plausible = digits.length > 13 || /\b(?:card|visa|cvc|cvv)\b/i.test(text);
    // The expiry date may follow the groups.
    const numbers = [digits, digits.slice(0, 16)];
    if (plausible && numbers.some((number) => network.test(number) && passesLuhn(number))) return true;
  }
  return false;
}
