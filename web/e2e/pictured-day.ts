import { Client } from 'pg';
import { joinEmbeddedPostgres } from '../../server/embedded-postgres/embedded-postgres.ts';
import { readId } from '../../server/lib/id.ts';
import { newMacros, newWorker } from './desk.ts';
import { connectApps } from './pictured-apps.ts';
import type { Person, Service } from './start-service.ts';
import {
  buy,
  deliver,
  handOver,
  mailedLink,
  move,
  newBrand,
  newConversation,
  newCustomer,
  newJob,
  newTemplate,
} from './studio.ts';

const fixture = (name: string) => new URL(`fixtures/${name}`, import.meta.url);

/** Who orders, what, and how long ago: enough that each page has something to show. */
const queue: [string, string, string, string, number][] = [
  ['Harbour & Pine', 'Returns page in plainer words', 'writing', 'web_copy', 74],
  ['Solberg Cycles', 'Trade fair banner, 3 by 2 metres', 'design', 'social_set', 49],
  ['Kiln & Clay', 'Product photos, ceramic bowls', 'design', 'image_cutout', 9],
  ['Fieldnotes Coffee', 'Eight-mail welcome sequence', 'writing', 'email_sequence', 43],
  ['Osteria Lume', 'Winter menu, proofread', 'writing', 'proofreading', 7],
  ['Lindqvist Trust', 'Grant report on two pages', 'research', 'fact_check', 18],
  ['Harbour & Pine', 'Winter sale landing page', 'design', 'landing_page', 26],
  ['Nightferry Radio', 'Podcast cover and six tiles', 'design', 'social_set', 6],
  ['Havre Foods', 'Oat milk competitors in Switzerland', 'research', 'competitor_analysis', 30],
  ['Quay Rowing Club', 'Stripe payments to member list', 'software', 'api_integration', 25],
  ['Marlow Health', 'Icon set for a clinic app', 'design', 'logo', 50],
  ['Paper Swan', 'Wedding stationery with foil', 'design', 'logo', 1],
];
const people = ['Jonas Weber', 'Ana Duarte', 'Tom Reyes', 'Ines Solberg', 'Noor Haddad', 'Paul Quay'];
const ofBakery: [string, string, string, number][] = [
  ['Autumn menu, proofread', 'writing', 'proofreading', 190],
  ['Why sourdough keeps', 'writing', 'blog_article', 160],
  ['Shop sign mock-up', 'design', 'logo', 120],
  ['Loyalty card', 'design', 'social_set', 90],
  ['Christmas hamper labels', 'design', 'social_set', 30],
  ['Opening times for the website', 'writing', 'web_copy', 20],
  ['Flour prices since spring', 'research', 'market_overview', 4],
];
const bakeryBrief =
  'Brand name: Rise Bakery, “Bread before seven”\nTarget audience: Families and commuters within two miles of the shop\nStyle preferences: Warm and hand-made, dark green and cream, no wheat ears\nWhere it will be used: Shop sign, paper bags, website header and Instagram';

const wordsBrief =
  'Main topic: What we send back, when, and who pays for it\nTarget audience: Shoppers who are annoyed already\nTone of voice: Calm, short, no legal words';

export type Day = Awaited<ReturnType<typeof makeDay>>;

/** A studio in the middle of its day, and one of its customers. */
export async function makeDay(service: Service) {
  const { url } = await joinEmbeddedPostgres(service.dataDir, () => {});
  const db = new Client(url);
  await db.connect();
  try {
    return await liveDay(service, db);
  } finally {
    await db.end();
  }
}

async function liveDay(service: Service, db: Client) {
  const { call, operatorToken } = service;
  const age = (job: string, hours: number) => ageJob(db, job, hours);
  await call('PATCH', '/api/auth/profile', operatorToken, { name: 'Mira Okafor' });
  const ada = await newCompany(service, 'Ada Lovelace', 'Rise Bakery');
  await newBrand(service, ada);
  const works = await makeBakeryJobs(service, ada, age);
  const conversation = await talk(service, ada);
  for (const name of ['Logo for another shop', 'Sign for the window']) await newTemplate(service, ada, name);
  for (const name of ['Website order form', 'Editor (MCP)'])
    await call('POST', '/api/v1/api-keys', ada.token, { name });
  const apps = await connectApps(service, db, ada);
  const { webhook_endpoint } = await call('POST', '/api/v1/webhook-endpoints', ada.token, {
    url: 'https://hooks.risebakery.example/atelier',
    description: 'Our build server',
  });
  await call('POST', '/api/auth/invitations', ada.token, { email: 'jonas@risebakery.example', role: 'member' });
  const operatorInvitation = await makeColleagues(service);
  const waiting = await makeQueue(service, age);
  await newMacros(service);
  const robot = await newWorker(service, 'press robot');
  await call('POST', '/api/operator/v1/jobs/claim', robot, { service_families: ['research'] });
  await spreadUsage(db, ada.email);
  const { accounts } = await call('GET', `/api/operator/v1/accounts?q=${encodeURIComponent(ada.email)}`, operatorToken);
  await adjustQuota(service, accounts[0].id);
  const newcomer = await newCustomer(service, 'Grace Hopper', 'grace@hopper.example');
  const { checkout } = await call('POST', '/api/checkout/tier', newcomer.token, { plan_code: 'agent' });
  const { portal } = await call('POST', '/api/checkout/portal', ada.token);
  return {
    ada,
    newcomer,
    conversation,
    account: String(accounts[0].id),
    ...works,
    ...apps,
    waiting,
    operatorInvitation,
    endpoint: String(webhook_endpoint.id),
    checkout: new URL(checkout.url).pathname,
    portal: new URL(portal.url).pathname,
  };
}

/** Operators who joined by mail; answers the link of an invitation that is open. */
async function makeColleagues(service: Service): Promise<string> {
  const { call, operatorToken } = service;
  const invite = async (email: string, role: string) => {
    await call('POST', '/api/operator/v1/operator-invitations', operatorToken, { email, role });
    return new URL(await mailedLink(service, email, '/operator-invitation'));
  };
  for (const [name, email, role] of [
    ['Lena Voss', 'lena@studio.example', 'lead'],
    ['Tariq Aziz', 'tariq@studio.example', 'maker'],
  ] as const) {
    const token = (await invite(email, role)).searchParams.get('token');
    const body = { token, name, password: 'seven green bicycles' };
    await call('POST', '/api/auth/operator-invitations/accept', null, body);
  }
  const { pathname, search } = await invite('yuki@studio.example', 'reviewer');
  return pathname + search;
}

async function newCompany(service: Service, person: string, company: string): Promise<Person> {
  const [given, name] = [person, company].map((words) => words.split(' ')[0]?.toLowerCase());
  const customer = await newCustomer(service, person, `${given}@${name}.example`);
  await service.call('PATCH', '/api/auth/account', customer.token, { name: company });
  await buy(service, customer, 'studio');
  return customer;
}

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

async function makeBakeryJobs(service: Service, ada: Person, age: (job: string, hours: number) => Promise<void>) {
  const jobs: string[] = [];
  for (const [customer_title, service_family, service_type, hours] of ofBakery) {
    const job = await newJob(service, ada, { customer_title, service_family, service_type, wanted_by: inDays(12) });
    await age(job, hours);
    jobs.push(job);
  }
  const [menu = '', article = '', rejected = '', card = '', labels = '', times = ''] = jobs;
  for (const done of [menu, article]) {
    await move(service, done, 'accept', 'start');
    await handOver(service, done, [fixture('notes.txt')]);
    await service.call('POST', `/api/v1/jobs/${done}/approve`, ada.token);
  }
  await move(service, rejected, 'reject');
  await move(service, card, 'accept', 'start');
  await handOver(service, card, [fixture('rise-colour.png')]);
  await move(service, labels, 'accept', 'start');
  const file = await deliver(service, labels, fixture('rise-colour.png'));
  await move(service, labels, { submit: { file_ids: [file], message: 'Twelve labels on one sheet.' } });
  await move(service, times, 'accept', 'start');

  const bakery = await newJob(service, ada, { customer_instructions: bakeryBrief });
  await age(bakery, 45);
  await move(service, bakery, 'accept', 'start');
  await handOver(
    service,
    bakery,
    [fixture('rise-colour.png')],
    'A first direction. Tell us what you think of the ear.',
  );
  await age(bakery, 22);
  await service.call('POST', `/api/v1/jobs/${bakery}/revision`, ada.token, {
    customer_instructions: 'Please make the wheat ear warmer and the name larger.',
  });
  await move(service, bakery, 'start');
  await service.call('POST', `/api/operator/v1/jobs/${bakery}/notes`, service.operatorToken, {
    body: 'Watch the green on the sign: it needs 4.5 to 1 against cream.',
  });
  await handOver(
    service,
    bakery,
    [fixture('rise-colour.png'), fixture('rise-dark.png'), fixture('rise-mono.pdf')],
    'The ear is warmer now and the name a third larger. The single-colour version is for the bags; we kept the green at the contrast your sign needs.',
  );
  for (const [job, hours] of [
    [bakery, 0.1],
    [card, 2],
    [labels, 5],
    [times, 3],
    [rejected, 70],
    [menu, 30],
    [article, 48],
  ] as const)
    await age(job, hours);
  return { bakery, rejected, completed: article, running: times, reviewed: labels };
}

async function talk(service: Service, ada: Person): Promise<string> {
  const id = await newConversation(service, ada);
  for (const content of [
    'Target audience: families nearby and people walking to the early train',
    'Style preferences: warm and hand-made, dark green and cream',
  ])
    await service.call('POST', `/api/v1/intake/sessions/${id}/messages`, ada.token, { content });
  return id;
}

/** The queue of the desk; answers the job that the operator is at work on, whose customer asked for changes. */
async function makeQueue(service: Service, age: (job: string, hours: number) => Promise<void>): Promise<string> {
  const companies = new Map<string, Person>();
  let mine = '';
  for (const [company, customer_title, service_family, service_type, hours] of queue) {
    const person =
      companies.get(company) ?? (await newCompany(service, people[companies.size % people.length] ?? '', company));
    companies.set(company, person);
    const customer_instructions = service_family === 'design' ? bakeryBrief : wordsBrief;
    const job = await newJob(service, person, {
      customer_title,
      service_family,
      service_type,
      customer_instructions,
      ...(/Wedding/.test(customer_title) ? { wanted_by: inDays(1) } : {}),
    });
    await age(job, hours);
    if (/sequence|Grant/.test(customer_title)) await move(service, job, 'accept');
    if (!/Icon/.test(customer_title)) continue;
    mine = job;
    await move(service, job, 'accept', 'start');
    await handOver(service, job, [fixture('rise-colour.png')]);
    await service.call('POST', `/api/v1/jobs/${job}/revision`, person.token, {
      customer_instructions: 'Lovely. Please make the arc a warmer brown. And we need one in a single colour.',
    });
    await move(service, job, 'start');
    await deliver(service, job, fixture('rise-dark.png'));
    await service.call('POST', `/api/operator/v1/jobs/${job}/notes`, service.operatorToken, {
      body: 'Their bag printer does one colour, so no thin strokes under 0.5 mm.',
    });
  }
  return mine;
}

/** Moves what happened to a job so far into the past. */
async function ageJob(db: Client, job: string, hours: number): Promise<void> {
  const past = [readId('job', job), `${hours} hours`];
  await db.query(
    `update jobs set created_at = created_at - $2::interval, updated_at = updated_at - $2::interval,
       status_changed_at = status_changed_at - $2::interval, due_at = due_at - $2::interval where id = $1`,
    past,
  );
  await db.query('update events set created_at = created_at - $2::interval where job_id = $1', past);
  await db.query(
    `update job_submissions set created_at = created_at - $2::interval, released_at = released_at - $2::interval
       where job_id = $1`,
    past,
  );
}

async function adjustQuota({ call, operatorToken }: Service, account: string): Promise<void> {
  const path = `/api/operator/v1/accounts/${account}`;
  const [plan] = (await call('GET', path, operatorToken)).account.entitlements;
  const own = { entitlement_id: plan.id, period_start: plan.period.start };
  for (const [quantity, reason] of [
    [2, 'Printing the shop sign on site took the time of two jobs, as agreed on the phone.'],
    [-1, 'The second logo came three days late, so it does not count.'],
  ])
    await call('POST', `${path}/quota-adjustments`, operatorToken, { ...own, quantity, reason });
}

/** As if the bakery had ordered for three weeks, most of it through its keys. */
async function spreadUsage(db: Client, email: string): Promise<void> {
  await db.query(
    `with own as (
       update entitlement_periods p set period_start = date_trunc('day', p.period_start) - interval '20 days',
         period_end = date_trunc('day', p.period_end) - interval '20 days'
       from members m join people u on u.id = m.user_id where u.email = $1 and p.account_id = m.account_id
       returning p.account_id, p.entitlement_id, p.period_start
     ), moved as (
       update usage_totals t set period_start = own.period_start from own where t.entitlement_id = own.entitlement_id
     ), keys as (
       select k.id, row_number() over (order by k.created_at) as n from api_keys k join own using (account_id)
     )
     insert into usage_totals (account_id, day, entitlement_id, period_start, service_family, api_key_id, quantity)
     select own.account_id, current_date - n, own.entitlement_id, own.period_start,
       (array['design', 'writing', 'design', 'software', 'design', 'writing', 'research'])[1 + n % 7],
       coalesce((select id from keys where keys.n = days.n % 3), '00000000-0000-0000-0000-000000000000'),
       case when extract(isodow from current_date - n) > 5 then 1 else 3 + (n * 5) % 7 end
     from own, generate_series(1, 19) as days(n)`,
    [email],
  );
  await db.query(
    `update entitlement_periods p set used = (select sum(quantity) from usage_totals t where t.entitlement_id = p.entitlement_id)
     where exists (select from usage_totals t where t.entitlement_id = p.entitlement_id)`,
  );
}
