/**
 * Requests per window, counted per account, API key, address (or IPv6 /64), address and e-mail, person,
 * recipient, or review link. An installation can change them, such as
 * `RATE_CREATE_JOB=account=60/60,key=30/60`.
 */
export type CountedBy = 'account' | 'key' | 'address' | 'email' | 'person' | 'recipient' | 'link' | 'credential';
export type Limit = { limit: number; windowSeconds: number };
export type Rate = Partial<Record<CountedBy, Limit>>;

const minute = 60;
const hour = 3600;

export const rates = {
  /** All requests with one API key, worker key, session or review link, but for preflight. */
  request: { credential: { limit: 600, windowSeconds: minute } },
  create_job: { account: { limit: 60, windowSeconds: minute }, key: { limit: 30, windowSeconds: minute } },
  /** The reference, metadata and wish of a job. */
  update_job: { account: { limit: 240, windowSeconds: minute }, key: { limit: 120, windowSeconds: minute } },
  open_intake: { account: { limit: 10, windowSeconds: minute } },
  add_message: { account: { limit: 30, windowSeconds: minute } },
  /** A form saves while its author types. */
  change_draft: { account: { limit: 240, windowSeconds: minute }, key: { limit: 120, windowSeconds: minute } },
  /** Comments on deliveries. */
  write_comment: { account: { limit: 240, windowSeconds: minute }, key: { limit: 120, windowSeconds: minute } },
  ask_to_look: { account: { limit: 60, windowSeconds: hour } },
  send_message: { account: { limit: 60, windowSeconds: minute }, key: { limit: 30, windowSeconds: minute } },
  /** The catalog, the installation and the OpenAPI document. */
  read_public: { address: { limit: 600, windowSeconds: minute } },
  list_plans: { address: { limit: 120, windowSeconds: minute } },
  check_intent: { address: { limit: 60, windowSeconds: minute } },
  sign_in: { address: { limit: 100, windowSeconds: minute }, email: { limit: 10, windowSeconds: minute } },
  sign_up: { address: { limit: 20, windowSeconds: hour } },
  send_mail: { address: { limit: 20, windowSeconds: hour }, email: { limit: 5, windowSeconds: hour } },
  /** Sign-ins to one person from networks without an earlier sign-in. */
  guess_password: { person: { limit: 30, windowSeconds: hour } },
  /** Beyond this no mail is sent, and the answer is the same. */
  receive_mail: { recipient: { limit: 5, windowSeconds: hour } },
  /** Passwords and codes of a signed-in person. */
  prove_identity: { person: { limit: 10, windowSeconds: 15 * minute } },
  use_mail_token: { address: { limit: 30, windowSeconds: minute } },
  /** Each asks the payment provider, whose own limit is the whole studio's. */
  start_checkout: { account: { limit: 10, windowSeconds: hour } },
  invite_member: {
    account: { limit: 20, windowSeconds: hour },
    address: { limit: 20, windowSeconds: hour },
    email: { limit: 5, windowSeconds: hour },
  },
  test_webhook: { account: { limit: 10, windowSeconds: minute } },
  create_review_link: { account: { limit: 30, windowSeconds: minute } },
  write_guest_comment: { link: { limit: 60, windowSeconds: minute } },
  /** Several guests may share a link, and their pages read it again and again. */
  open_review: { link: { limit: 300, windowSeconds: minute } },
  /** Feeds of calendars, which programs read again and again. */
  read_calendar: { address: { limit: 120, windowSeconds: minute }, link: { limit: 30, windowSeconds: minute } },
  /** Upload pages, whose address is the credential. */
  use_upload_page: { address: { limit: 60, windowSeconds: minute } },
  /** Requests of apps for access, each of which may read a metadata document. */
  authorize_app: { address: { limit: 60, windowSeconds: minute } },
  connect_app: { address: { limit: 60, windowSeconds: minute } },
  /** Codes of programs without a browser: eight letters, which live for ten minutes. */
  enter_device_code: { person: { limit: 5, windowSeconds: 10 * minute }, address: { limit: 60, windowSeconds: hour } },
  /** Tokens and their ends. The servers of an app ask for all of its people. */
  app_token: { address: { limit: 600, windowSeconds: minute } },
  register_app: { address: { limit: 20, windowSeconds: hour } },
  create_api_key: { account: { limit: 30, windowSeconds: minute } },
  /** A wait of 25 seconds counts as one page. */
  read_events: { key: { limit: 120, windowSeconds: minute } },
  /** Enough for a client that reconnects every second or two. */
  open_stream: { account: { limit: 240, windowSeconds: minute }, key: { limit: 60, windowSeconds: minute } },
  /** In addition to the limits of each operation. */
  mcp_call: { key: { limit: 120, windowSeconds: minute } },
  /** Only invalid credentials count. Valid ones are never limited by it. */
  bad_credential: { address: { limit: 100, windowSeconds: minute } },
} satisfies Record<string, Rate>;

export type RateName = keyof typeof rates;
export type Rates = Record<RateName, Rate> & { request: { credential: Limit } };
