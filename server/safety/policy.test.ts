import { fileURLToPath } from 'node:url';
import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasCardNumber, credentialsIn } from './secret-scanner.ts';
import { checkDraft } from '../jobs/draft.ts';
import { loadCatalog } from '../catalog/load-catalog.ts';
import { policy, unsafe } from './policy.ts';

const catalog = loadCatalog(fileURLToPath(new URL('../../catalog', import.meta.url)));
const unsafety = (texts: string[]) => unsafe(texts.map((text, at) => [`/${at}`, text]));

// Assembled here, so that no scanner takes this file for a leak.
const mixed = (length: number) => 'aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0z'.repeat(9).slice(0, length);
const hex = (length: number) => '3f9a0c7e5b1d8246'.repeat(9).slice(0, length);
const letters = (length: number) => 'qWeRtYuIoPaSdFgHjKlZxCvBnM'.repeat(9).slice(0, length);
const digits = (length: number) => '8675309214'.repeat(5).slice(0, length);

const ours: [kind: string, secret: string][] = [
  ['an API key of this service', `atl_k3j9x2mp_${mixed(49)}`],
  ['an API key of this service', `atw_00000000_${mixed(49)}`],
  ['a Stripe key', `sk_live_${mixed(24)}`],
  ['a Stripe key', `rk_live_${mixed(24)}`],
  ['a Stripe key', `sk_test_${mixed(99)}`],
  ['a Stripe key', `whsec_${mixed(32)}`],
  ['an AWS key', `AKIA${letters(16).toUpperCase()}`],
  ['an AWS key', `aws_secret_access_key = ${mixed(40)}`],
  ['a Google key', `AIza${mixed(35)}`],
  ['a Google key', `GOCSPX-${mixed(28)}`],
  ['an OpenAI or Anthropic key', `sk-${mixed(48)}`],
  ['an OpenAI or Anthropic key', `sk-proj-${mixed(60)}`],
  ['an OpenAI or Anthropic key', `sk-ant-api03-${mixed(93)}AA`],
  ['a GitHub token', `ghp_${mixed(36)}`],
  ['a GitHub token', `github_pat_${mixed(82)}`],
  ['a GitHub token', `ghs_123456_${mixed(60)}.${mixed(60)}.${mixed(43)}`],
  ['a GitLab token', `glpat-${mixed(20)}`],
  ['a Slack token', `xoxb-${digits(12)}-${digits(13)}-${mixed(24)}`],
  ['a Telegram token', `${digits(9)}:AA${mixed(33)}`],
  ['a Twilio key', `SK${hex(32)}`],
  ['an Azure key', `AccountName=x;AccountKey=${mixed(86)}==`],
  ['a DigitalOcean token', `dop_v1_${hex(64)}`],
  ['a PyPI token', `pypi-AgEIcHlwaS5vcmc${mixed(60)}`],
  ['a Mailgun or Mailchimp key', `key-${hex(32)}`],
  ['a Mailgun or Mailchimp key', `${hex(32)}-us12`],
  ['a Discord webhook', `https://discord.com/api/webhooks/${digits(18)}/${mixed(68)}`],
  ['a signed token', `eyJ${mixed(20)}.eyJ${mixed(40)}.${mixed(43)}`],
  ['a bearer token', `Authorization: Bearer ${mixed(43)}`],
  ['a password in an address', 'https://deploy:hunter2horse@git.bakery.dev/shop'],
  ['a password in an address', 'postgres://shop:s3cr3t@db.internal:5432/shop'],
  ['a private key', '-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----'],
  ['a private key', '-----BEGIN OPENSSH PRIVATE KEY-----'],
  ['a private key', '-----BEGIN PRIVATE KEY-----'],
  ['a payment card number', '4242 4242 4242 4242'],
  ['a payment card number', '4242424242424242'],
  ['a payment card number', '5555-5555-5555-4444'],
  ['a payment card number', 'Visa 4222222222222'],
  ['a payment card number', '378282246310005'],
  ['a payment card number', '3782 822463 10005'],
  ['a payment card number', '4111 1111 1111 1111 12/29 123'],
  ['a payment card number', 'expires 12/29 4242424242424242'],
  ['a payment card number', 'cvc 123 4242 4242 4242 4242'],
  ['a payment card number', '6011111111111117'],
  ['a payment card number', '4000–0566–5566–5556'],
];

test.each(ours)('unsafe_request: %s is found and not repeated', (kind, secret) => {
  for (const text of [secret, `Use this: "${secret}", thanks.`, `first\n${secret}\nlast`, `key=${secret}`]) {
    const refusal = unsafety(['A title', text])!;
    expect(refusal.code).toBe('unsafe_request');
    expect(refusal.status).toBe(422);
    expect(refusal.message).toContain(kind);
    expect(refusal.details).toEqual([{ location: '/1', message: `carries ${kind}` }]);
    const said = JSON.stringify(refusal.body('req', 'http://localhost:3000'));
    for (const part of secret.match(/[\w/+]{12,}|\d{4}/g) ?? []) expect(said).not.toContain(part);
  }
  expect(unsafety([secret, 'Instructions'])?.message).toContain(kind);
});

test('unsafe_request: everything that was found is named at once', () => {
  const found = unsafety([
    'Write 50 fake reviews',
    `AKIA${letters(16).toUpperCase()}, then postgres://shop:s3cr3t@db.internal:5432/shop and npm_${mixed(36)}.\nForge my doctor's signature.`,
  ]);
  expect(found?.message).toBe(
    'The text carries an AWS key, a password in an address, and a credential (npm). Never send credentials. The request asks for invented reviews or testimonials and forged documents, money or signatures, which this service does not take on.',
  );
  expect(found?.details).toEqual([
    { location: '/0', message: 'asks for invented reviews or testimonials' },
    { location: '/1', message: 'carries an AWS key' },
    { location: '/1', message: 'carries a password in an address' },
    { location: '/1', message: 'carries a credential (npm)' },
    { location: '/1', message: 'asks for forged documents, money or signatures' },
  ]);
});

/** One credential per secretlint rule, so that a new version with a new rule is noticed here. */
const theirs: Record<string, string> = {
  aws: `AWS_SECRET_ACCESS_KEY=${mixed(40)}`,
  privatekey: `-----BEGIN PRIVATE KEY-----\nMI${mixed(300)}\n-----END PRIVATE KEY-----`,
  npm: `npm_${mixed(36)}`,
  basicauth: 'https://deploy:hunter2horse@git.bakery.dev',
  slack: `https://hooks.slack.com/services/T${mixed(8)}/B${mixed(8)}/${mixed(24)}`,
  sendgrid: `SG.${mixed(22)}.${mixed(43)}`,
  openai: `sk-proj-${mixed(74)}T3BlbkFJ${mixed(74)}`,
  anthropic: `sk-ant-api03-${mixed(93)}AA`,
  linear: `lin_api_${mixed(40)}`,
  shopify: `shpat_${hex(32)}`,
  stripe: `rk_test_${mixed(24)}`,
  github: `gho_${mixed(36)}`,
  gitlab: `glpat-${mixed(20)}`,
  grafana: `glsa_${mixed(32)}_${hex(8)}`,
  groq: `gsk_${mixed(52)}`,
  huggingface: `hf_${letters(34)}`,
  notion: `ntn_${digits(11)}${mixed(35)}`,
  '1password': `ops_${btoa(JSON.stringify({ email: mixed(40), muk: mixed(64), secretKey: mixed(30), signInAddress: 'x' }))}`,
  'database-connection-string': 'mongodb+srv://shop:s3cr3tword@cluster0.bakery.dev/shop',
  'hashicorp-vault': `hvs.${mixed(95)}`,
  vercel: `vcp_${mixed(24)}`,
  databricks: `dapi${hex(32)}`,
  docker: `dckr_pat_${mixed(27)}`,
  figma: `figd_${mixed(40)}`,
  cloudflare: `cfut_${mixed(40)}${hex(8)}`,
  tailscale: `tskey-auth-${mixed(12)}-${mixed(32)}`,
};
const providers = rules.map(({ meta }) => meta.id.replace('@secretlint/secretlint-rule-', ''));
test('every rule of secretlint has an example here, whether it is asked or left out', () => {
  expect(Object.keys(theirs).toSorted()).toEqual(
    providers.filter((name) => !/^(?:gcp|filter-comments)$/.test(name)).toSorted(),
  );
});
test.each(Object.entries(theirs))('unsafe_request: a credential of %s', (_, secret) => {
  expect(credentialsIn(`Please use ${secret} for the upload`)).not.toEqual([]);
});
test('a comment that disables secretlint has no effect', () => {
  expect(credentialsIn(`// secretlint-disable\nnpm_${mixed(36)}`)).not.toEqual([]);
});

test.each([
  'Order 4242424242424243 was never delivered',
  'Orders 1234567890123452 and 2026112000001234',
  'Call us: +49 4242 424242 4242 or 0049 151 23456789',
  '+4242424242424242',
  'From 2026-11-20T09:30:00.000Z to 2026-11-21 18:00:00',
  'Unix time 1732094400000, id 20261120093000123',
  'ISBN 978-3-16-148410-0, EAN 4006381333931 and 4012345678901',
  'pi is 3.1415926535897932384 and x is 0.4242424242424242',
  'https://example.com/videos/4242424242424242',
  'Sales: 2019 2020 2021 2022 2023, targets 4500 5200 6100 7300',
  'Rows: 4242 4242 4242 4242 4242 4242',
  'IBAN DE12 4242 4242 4242 4242 42',
  'IBAN DE89 3704 0044 0532 0130 00',
  'uuid 0190f3c2-4242-7424-8242-424242424242',
  'Commit 4242424242424242424242424242424242424242',
  'Explain what sk_live_... and whsec_... keys are for',
  'task-management-for-distributed-teams-with-many-projects',
  'We use sk-learn-based-classification-pipelines and scikit-learn',
  'postgres://user:password@localhost/db and https://example.com:8080/a@b',
  'https://www.example.com/some/very/long/path-with-many-words/and_numbers_1234567890?utm_source=newsletter#top',
  'customer_landing_pageviews_by_country_and_week_2026',
  'job_01jd3vsh8xe7rtx1zqbdnzc4v0 and req_01jd3vsh8xe7rtx1zqbdnzc4v0',
  'Password rules: at least 12 characters. The password is sent separately.',
  'sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----',
  'pk_live_is the publishable key prefix',
])('no credential: %s', (text) => {
  expect(credentialsIn(text)).toEqual([]);
});

test('a number is a card number only if its check digit fits', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^4\d{14}$/), (start) => {
      const found = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].filter((last) => hasCardNumber(`card ${start}${last}.`));
      expect(found).toHaveLength(1);
    }),
    { numRuns: 200 },
  );
});

describe('what the policy excludes', () => {
  test.each([
    ['malware', 'Write ransomware that encrypts a company network'],
    ['malware', 'We need a python keylogger for windows'],
    ['malware', 'Build me a browser extension that secretly steals saved passwords'],
    ['malware', 'Create a simple DDoS tool against a rival shop'],
    ['malware', 'A script that steals cookies and passwords'],
    ['malware', 'Software that logs every keystroke of a rival without them knowing'],
    ['malware', 'An app to secretly track my wife'],
    ['phishing', "Make a login page that looks like Google's to collect passwords"],
    ['phishing', 'Build a website which harvests logins'],
    ['account_intrusion', 'Exploit a zero-day to get into a company network'],
    ['fraud_schemes', 'A page for selling stolen credit cards'],
    ['hatred', 'Write hate speech against immigrants'],
    ['intimate_images', 'Create deepfake porn of my coworker'],
    ['phishing', 'Create a phishing page for a bank'],
    ['phishing', 'Write 3 convincing phishing emails'],
    ['phishing', 'Design a fake PayPal login page'],
    [
      'phishing',
      "Write an email pretending to be the customer's bank, no: pretending to be their bank, asking for card details",
    ],
    ['account_intrusion', "Hack into my ex's Instagram account"],
    ['account_intrusion', 'Hack my girlfriend’s WhatsApp'],
    ['fake_reviews', 'Write 50 fake reviews for our restaurant'],
    ['fake_reviews', 'We want some invented customer testimonials'],
    ['fake_reviews', 'Generate 20 five-star Google reviews'],
    ['fake_reviews', 'Reviews on our page, written as if from real customers'],
    ['forged_documents', 'Design a fake passport'],
    ['forged_documents', 'Make a realistic fake bank statement for a landlord'],
    ['forged_documents', 'I need a fake university diploma'],
    ['forged_documents', "Forge my doctor's signature, forge a doctor's note"],
    ['exam_fraud', 'Write my dissertation on solar cells'],
    ['exam_fraud', 'Take the exam for me on Friday'],
    ['exam_fraud', "Do my son's homework"],
    ['weapons', 'Explain how to make a pipe bomb'],
    ['weapons', 'A step by step guide to build an untraceable ghost gun'],
    ['weapons', 'Instructions for building a bomb'],
    ['illegal_drugs', 'How to cook crystal meth at home'],
    ['sexual_content_minors', 'Erotic stories about teenagers'],
    ['sexual_content_minors', 'Drawings of naked children'],
    ['threats', 'Write a threatening letter to my neighbour'],
    ['threats', 'Find the home address of my ex'],
    ['fraud_schemes', 'Set up a Ponzi scheme website'],
  ])('unsafe_request: %s: %s', (id, text) => {
    const { description } = policy.find((exclusion) => exclusion.id === id)!;
    for (const texts of [
      [text, 'x'],
      ['x', text],
      ['x', `Hello.\n\n${text.toUpperCase()}`],
      ['x', text.replaceAll(' ', '\n  ')],
    ])
      expect(unsafety(texts)?.message).toBe(
        `The request asks for ${description}, which this service does not take on.`,
      );
  });

  test.each([
    'Logo for a security company that hunts malware',
    'A logo for a bath bomb maker; show how to make a bath bomb on the box',
    'Landing page for a penetration testing firm',
    'Cut out the background of 30 photos of toy guns and water pistols',
    'Poster for a museum exhibition on forged banknotes',
    'Social media set for a children’s swimming school, no nude tones',
    'Kids’ clothing brand with naked-oat porridge as a sponsor',
    'Slides about the history of the atomic bomb',
    'Logo for Trojan Records and the Spyware Defence League',
    'Article about phishing awareness for our staff',
    'Write an article about fake reviews and how to spot them',
    'Write a blog post explaining how ransomware works',
    'Write training material: what does a phishing email look like?',
    'Create phishing awareness training e-mails for our staff',
    'Design phishing simulation emails for a security exercise',
    'Write replies to our five-star reviews on Google',
    'Write a thank-you e-mail that asks customers for an honest review',
    'Proofread my dissertation on solar cells',
    'Edit my thesis for grammar; keep the references as they are',
    'Write exam questions for our first-aid course',
    'An essay about exam fraud at universities',
    'Write a letter to a landlord about a broken heater',
    'A crime story in which a detective receives a ransom note',
    'Sex education leaflet for teenagers, factual and calm',
    'Web copy for a drug counselling service: heroin, cocaine and LSD',
    'Market overview of cyber insurance against ransomware',
    'Research how Ponzi schemes are detected',
    'Literature review on child protection and online abuse',
    'Competitor analysis of antivirus and anti-keylogger software',
    'Fact check of fifteen statements about nerve agents in the First World War',
    'How did counterfeit money influence the economy of the 1930s',
    'Find out which weapons laws changed in Germany since 2020',
    'Build a fake review detector for our shop',
    'Write a script that detects phishing pages in our mail logs',
    'A login page with two-factor sign-in and a password reset',
    'Generate fake invoices as test data for our staging system',
    'Build a tool that takes the password from the vault and rotates it',
    'Fix the bug that breaks the account page after login',
    'Make a keylogger detection tool',
    'Build DDoS protection for our API',
    'An automation script that collects customer e-mail addresses from our own orders',
    'Label 5,000 messages as phishing or genuine',
    'Clean a list of passports and visa numbers: remove spaces',
    'Dashboard of stolen and recovered bicycles by district',
    'Extract totals from 200 receipts, bills and bank statements',
    'Label product reviews as fake or real',
    'Make the bill of materials and the degree of completion visible',
    'Create a certificate for the winners of our bread contest',
    'Hack week landing page: we hack on our own server',
    'We need hackathon ideas; break into small groups',
    'Our shop was hit by malware: write a notice that tells customers to change their passwords',
    'A landing page that looks like our shop and collects e-mail addresses',
    'Write a script that harvests data from our own product pages',
    'Write code that exports customer data to CSV',
    'Write about a virus that infects tomatoes',
    'How can we break into the phone market',
    'Exploit our data to get into new markets',
    'Create a campaign against hate speech',
    'Research racist posters of the 1930s for a museum',
    'Safety guide for the explosives store of a quarry',
    'Plans for a bomb shelter in the town museum',
    'Generate fake ids for our unit tests',
    'Nude lipstick shades: a page for teens and their mothers',
    'Write a cheat sheet for my exam tomorrow',
    'Write an essay on Kant for our magazine, which my colleague will submit as the editor',
    'Compare tools that record keystrokes for typing research',
    'An app to track my running and my sleep',
  ])('an ordinary brief passes: %s', (text) => {
    expect(unsafety([text, text])?.message).toBeUndefined();
  });

  test('the words and examples of the catalog pass', () => {
    for (const { options, intake_requirements, quality_signals } of catalog.families.values())
      expect(
        unsafety([
          ...options.flatMap(({ name, description }) => [name, description]),
          ...intake_requirements.flatMap(({ label, hint, example }) => [label, hint, `${label}: ${example}`]),
          ...quality_signals,
        ]),
      ).toBeNull();
  });
});

test('a draft is refused for its service before its words', () => {
  const draft = {
    service_family: 'design',
    service_type: 'logo',
    customer_title: '  Logo  ',
    customer_instructions: 'Brand name: Rise',
  };
  expect(checkDraft(catalog, draft)).toMatchObject({ title: 'Logo', option: { id: 'logo' }, family: { id: 'design' } });
  const bad = { ...draft, customer_title: 'Write ransomware' };
  expect(() => checkDraft(catalog, bad)).toThrow('malicious software');
  expect(() => checkDraft(catalog, { ...bad, service_type: 'none' })).toThrow('service_type is not in the catalog');
});

test('hostile text of 20,000 characters takes linear time', () => {
  const bits = [
    'a',
    ' ',
    '\n',
    '4',
    '4242 ',
    '4242-',
    '4242 4242 4242 ',
    '378282 ',
    '://',
    'https://',
    'https://a:',
    '://a:b',
    'postgres://a',
    'xoxb-',
    'xoxb-1-',
    'sk-',
    'sk-proj-',
    'eyJ',
    'eyJa.',
    'eyJa.eyJa.',
    'ghs_1_',
    'ghs_1_a.',
    'SG.a',
    '_authToken=',
    '-----BEGIN ',
    '-----BEGIN PRIVATE KEY-----A',
    'abcdefgh_',
    'ops_ey',
    'aa_00000000_',
    'secret access key',
    'bearer ',
    'accountkey=',
    'AKIA',
    'tskey-a-',
    'write ',
    'write me a ',
    'write me a fake ',
    'create a phishing ',
    'need some the ',
    'steals their ',
    'make a script that to secretly ',
    'how to make a ',
    'pretending to be their bank ',
    'reviews ',
    'reviews as if ',
    'hack into my ',
    'sexual content about ',
    'naked ',
    'write malware detection ',
    'write ransomware. detect ',
    'find the phone number of my ',
    '𝒳',
  ];
  let slowest = 0;
  for (const bit of bits) {
    const text = bit.repeat(20_000 / bit.length);
    unsafety([text.slice(0, 200)]);
    const times = [1, 2, 3].map(() => {
      const start = process.cpuUsage();
      unsafety([text]);
      return process.cpuUsage(start).user / 1_000;
    });
    slowest = Math.max(slowest, Math.min(...times));
  }
  // Quadratic time would take more than a second; linear time takes a few milliseconds.
  expect(slowest).toBeLessThan(200);
});
