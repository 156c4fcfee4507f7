/**
 * How often a route may be asked: requests per window, each counted by account, by API key, by address (IPv6: its /64
 * network), by address and e-mail together, by the person who is
 * signed in to or the recipient of a mail, the widest first. Plain data; an installation changes a line by its environment variable, such as `RATE_CREATE_JOB=account=60/60,key=30/60`.
 */
export type CountedBy = 'account' | 'key' | 'address' | 'email' | 'person' | 'recipient';
export type Limit = { limit: number; windowSeconds: number };
export type Rate = Partial<Record<CountedBy, Limit>>;

const minute = 60;
const hour = 3600;

export const rates = {
  create_job: { account: { limit: 60, windowSeconds: minute }, key: { limit: 30, windowSeconds: minute } },
  open_intake: { account: { limit: 10, windowSeconds: minute } },
  add_message: { account: { limit: 30, windowSeconds: minute } },
  list_plans: { address: { limit: 120, windowSeconds: minute } },
  check_intent: { address: { limit: 60, windowSeconds: minute } },
  sign_in: { address: { limit: 100, windowSeconds: minute }, email: { limit: 10, windowSeconds: minute } },
  sign_up: { address: { limit: 20, windowSeconds: hour } },
  send_mail: { address: { limit: 20, windowSeconds: hour }, email: { limit: 5, windowSeconds: hour } },
  /** Sign-ins to one person from networks where they have not signed in before. */
  guess_password: { person: { limit: 30, windowSeconds: hour } },
  /** Mails to one address; beyond that the answer is the same and no mail goes. */
  receive_mail: { recipient: { limit: 5, windowSeconds: hour } },
  /** Passwords and codes that a signed-in person proves themselves with. */
  prove_identity: { person: { limit: 10, windowSeconds: 15 * minute } },
  use_mail_token: { address: { limit: 30, windowSeconds: minute } },
  test_webhook: { account: { limit: 10, windowSeconds: minute } },
  create_api_key: { account: { limit: 30, windowSeconds: minute } },
  /** Pages of the log, a wait of 25 seconds being one. */
  read_events: { key: { limit: 120, windowSeconds: minute } },
  /** A client that connects again after every break opens one in a second or two. */
  open_stream: { account: { limit: 240, windowSeconds: minute }, key: { limit: 60, windowSeconds: minute } },
  /** Calls of tools and reads of resources over MCP, whatever their own limits are. */
  mcp_call: { key: { limit: 120, windowSeconds: minute } },
  /** Credentials that do not hold; a good one is never held up by it. */
  bad_credential: { address: { limit: 100, windowSeconds: minute } },
} satisfies Record<string, Rate>;

export type RateName = keyof typeof rates;
export type Rates = Record<RateName, Rate>;
