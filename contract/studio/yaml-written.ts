import { Document, isCollection, isScalar, isSeq, Scalar, visit } from 'yaml';

export type Value = string | number | boolean | null | Value[] | Entry;
/** A map, such as an item of a list. */
export type Entry = { [key: string]: Value };
export const isEntry = (value: Value | undefined): value is Entry =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const longestFlow = 100;

/** A value as it stands after its key or dash; what needs lines of its own begins with a break. */
export function written(value: Value, indent: number, inFlow: boolean, type?: Scalar['type']): string {
  if (typeof value !== 'object' || value === null) return scalarText(value, inFlow, type);
  const document = new Document(value);
  visit(document, {
    Collection(_, node) {
      const isShort = JSON.stringify(node).length <= longestFlow;
      if (inFlow || (isSeq(node) && isShort && node.items.every(isScalar))) node.flow = true;
    },
  });
  const text = document.toString({ lineWidth: 0, flowCollectionPadding: false }).trimEnd();
  if (isCollection(document.contents) && document.contents.flow) return text.replaceAll(/\n\s*/g, ' ');
  return `\n${text.replaceAll(/^(?=.)/gm, ' '.repeat(indent + 2))}`;
}

/** Keeps the quotes that the value had. */
function scalarText(value: string | number | boolean | null, inFlow: boolean, type: Scalar['type'] | undefined) {
  const scalar = new Scalar(value);
  if (typeof value === 'string' && type?.startsWith('QUOTE')) scalar.type = type;
  const text = new Document(scalar).toString({ lineWidth: 0 }).trimEnd();
  return text.includes('\n') || (inFlow && /^[^"'].*[,[\]{}]|[,[\]{}].*[^"']$/.test(text))
    ? JSON.stringify(value)
    : text;
}
