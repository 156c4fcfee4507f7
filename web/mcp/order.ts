import '../ui/look/tokens.css';
import '../ui/look/base.css';
import '../ui/look/classes.css';
import './mcp.css';
import type { NewJob } from '../../client/generated/types.gen.ts';
import { element, paragraph, problem, show } from './dom.ts';
import { connect, type ToolAnswer } from './host.ts';
import { head } from './job-card.ts';
import { orderForm } from './order-form.ts';
import {
  type Checked,
  draftOf,
  fillFields,
  openOrder,
  type Order,
  takeChecked,
  type ToolCatalog,
  whyNotSent,
} from './order-state.ts';

let draft: Partial<NewJob> = {};
let order: Order | null = null;

/** One for this form: pressed twice, or after a time-out, it orders once. */
const idempotencyKey = [...crypto.getRandomValues(new Uint8Array(16))]
  .map((byte) => byte.toString(16).padStart(2, '0'))
  .join('');

const host = await connect({
  onInput: (args) => (draft = args),
  onResult: (answer: ToolAnswer<Checked>) => void open(answer),
});

async function open({ body, error }: ToolAnswer<Checked>): Promise<void> {
  if (error) return show(problem(error.message));
  const opened = openOrder(draft, body);
  order = opened;
  draw();
  if (!host.can.serverTools) return;
  const catalog = await host.call<ToolCatalog>('get_catalog', { service_family: draft.service_family });
  if (catalog.body) fillFields(opened, catalog.body);
  if (order === opened) draw();
}

function draw(): void {
  if (order) show(...orderForm(order, actions, { canCall: Boolean(host.can.serverTools), sayTime: host.sayTime }));
}

function change(part: Partial<Order>): void {
  if (!order) return;
  Object.assign(order, part);
  draw();
}

const actions = {
  toStage(stage: Order['stage']) {
    const fault = order && stage === 'confirming' ? whyNotSent(order) : null;
    change(fault === null ? { stage, problem: null } : { problem: fault });
  },
  async check() {
    const checked = order!;
    const fault = whyNotSent(checked);
    if (fault !== null) return change({ problem: fault });
    change({ isBusy: true, problem: null });
    const { body, error } = await host.call<Checked>('preflight_job', draftOf(checked));
    if (body) takeChecked(checked, body);
    change({ isBusy: false, problem: error?.message ?? null });
  },
  async send() {
    const sent = order!;
    change({ isBusy: true, problem: null });
    const args = { ...draftOf(sent), idempotency_key: idempotencyKey };
    const { body, error } = await host.call<{ job: { id: string } }>('create_job', args);
    if (error) return change({ isBusy: false, problem: error.message });
    order = null;
    show(
      head(sent.title, 'good', 'Ordered'),
      element('p', { role: 'status' }, ['The studio has the order. Your assistant can follow it.']),
      paragraph(body.job.id, 'small second'),
    );
    host.tell(`The customer sent the order in the form: it is ${body.job.id}. Do not create it again; follow it.`);
  },
};
