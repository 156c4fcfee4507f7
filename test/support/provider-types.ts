import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { root } from '../../server/lib/places.ts';

/** The objects of the provider that the guide names field by field, with the files of the pinned package. */
const files = {
  Subscription: 'Subscriptions',
  SubscriptionItem: 'SubscriptionItems',
  Price: 'Prices',
  Invoice: 'Invoices',
  InvoiceLineItem: 'InvoiceLineItems',
  InvoicePayment: 'InvoicePayments',
  SubscriptionSchedule: 'SubscriptionSchedules',
  Charge: 'Charges',
  Dispute: 'Disputes',
} as const;
export type ProviderObject = keyof typeof files;

/** `values` are the literals of its type, such as those of a status. */
export type ProviderField = { path: string; values: string[] };

/** As much of the syntax tree as is read here. */
type Node = {
  type: string;
  body?: { body: Node[] } | Node[];
  declaration?: Node;
  id?: Node;
  name?: string;
  key?: { name?: string };
  typeAnnotation?: Node;
  types?: Node[];
  literal?: { value: unknown };
  typeName?: Node;
  left?: Node;
  right?: Node;
  typeArguments?: { params: Node[] };
};

const membersOf = ({ body }: Node): Node[] => (Array.isArray(body) ? body : (body?.body ?? []));
const declared = (node: Node): Node => node.declaration ?? node;
const nameOf = (node: Node | undefined): string =>
  node?.type === 'TSQualifiedName' ? `${nameOf(node.left)}.${nameOf(node.right)}` : (node?.name ?? '');

/** Interfaces and aliases of a file by their full name, such as `Subscription.PauseCollection`. */
function typesOf(nodes: Node[], within = ''): Map<string, Node> {
  return new Map(
    nodes.map(declared).flatMap((node): [string, Node][] => {
      const name = within + nameOf(node.id);
      if (node.type === 'TSModuleDeclaration') return [...typesOf(membersOf(node.body as Node), `${name}.`)];
      return node.type === 'TSInterfaceDeclaration' || node.type === 'TSTypeAliasDeclaration' ? [[name, node]] : [];
    }),
  );
}

/** Every field of an object, those inside its own types included: `pause_collection.behavior`. */
export function providerFields(object: ProviderObject): ProviderField[] {
  const file = join(root, `node_modules/stripe/esm/resources/${files[object]}.d.ts`);
  const { program, errors } = parseSync(file, readFileSync(file, 'utf8'));
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const types = typesOf(program.body as unknown as Node[]);

  const fieldsOf = (name: string, before: string): ProviderField[] => {
    const type = types.get(name);
    if (type?.type !== 'TSInterfaceDeclaration') throw new Error(`${file} has no interface ${name}.`);
    return membersOf(type.body as Node)
      .filter((member) => member.type === 'TSPropertySignature')
      .flatMap((member) => fieldOf(before + (member.key?.name ?? ''), member.typeAnnotation, name));
  };
  const fieldOf = (path: string, annotation: Node | undefined, within: string): ProviderField[] => {
    const { values, names } = partsOf(annotation, within);
    return [{ path, values }, ...names.flatMap((name) => fieldsOf(name, `${path}.`))];
  };
  /** The literals of a type and the interfaces of this object in it. */
  const partsOf = (node: Node | undefined, within: string): { values: string[]; names: string[] } => {
    if (node?.type === 'TSLiteralType')
      return { values: typeof node.literal?.value === 'string' ? [node.literal.value] : [], names: [] };
    const inner =
      node?.type === 'TSTypeAnnotation' ? [node.typeAnnotation] : (node?.types ?? node?.typeArguments?.params);
    const named = node?.type === 'TSTypeReference' ? fullName(nameOf(node.typeName), within) : null;
    if (named !== null) {
      const type = types.get(named);
      return type?.type === 'TSTypeAliasDeclaration'
        ? partsOf(type.typeAnnotation, within)
        : { values: [], names: [named] };
    }
    const parts = (inner ?? []).map((each) => partsOf(each, within));
    return { values: parts.flatMap(({ values }) => values), names: parts.flatMap(({ names }) => names) };
  };
  /** Types are named from the namespace around; other objects are imported and have tables of their own. */
  const fullName = (name: string, within: string): string | null => {
    const around = within.split('.');
    for (let depth = around.length; depth > 0; depth--) {
      const full = [...around.slice(0, depth), name].join('.');
      if (types.has(full)) return full;
    }
    return name.startsWith(`${object}.`) && types.has(name) ? name : null;
  };
  return fieldsOf(object, '');
}
