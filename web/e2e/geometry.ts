import type { Page } from '@playwright/test';
import { expect } from './stage.ts';

/** Nothing on the page is wider than its window, cut, or on top of its neighbour. */
export async function expectLaidOut(page: Page, what: string): Promise<void> {
  await page.evaluate(() => new Promise(requestAnimationFrame));
  expect(await page.evaluate(faultsOfLayout), what).toEqual([]);
}

/** In the page. */
function faultsOfLayout(): string[] {
  const faults: string[] = [];
  /** The narrowest first cell that still reads well. */
  const narrowest = 110;
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) faults.push(`the page is ${root.scrollWidth} px wide`);
  const shown = (element: Element) => {
    const { width, height } = element.getBoundingClientRect();
    // What only screen readers hear is one pixel large.
    return width > 1 && height > 1 && getComputedStyle(element).visibility !== 'hidden';
  };
  const say = (element: Element) => `${element.className} “${element.textContent.trim().slice(0, 40)}”`;
  /** Whether a text ends in an ellipsis on purpose, or is only heard. */
  const isClipped = (text: Node, within: Element) => {
    for (let at = text.parentElement; at && at !== within; at = at.parentElement)
      if (getComputedStyle(at).overflowX !== 'visible') return true;
    return false;
  };
  const texts = (element: Element) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const rects: DOMRect[] = [];
    for (let text = walker.nextNode(); text; text = walker.nextNode()) {
      if (isClipped(text, element)) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      rects.push(...range.getClientRects());
    }
    return rects.filter(({ width }) => width > 0);
  };
  for (const row of document.querySelectorAll('table.list tbody tr:not(.group)')) {
    const cells = [...row.children].filter((cell) => shown(cell) && (cell.textContent.trim() || cell.children.length));
    const boxes = cells.map((cell) => cell.getBoundingClientRect());
    for (const [index, cell] of cells.entries()) {
      const box = boxes[index]!;
      const out = texts(cell).find(({ left, right }) => left < box.left - 1.5 || right > box.right + 1.5);
      if (out) faults.push(`a text leaves its cell: ${say(cell)}`);
      for (const [other, { left, right, top, bottom }] of boxes.entries()) {
        if (other <= index) continue;
        const wide = Math.min(right, box.right) - Math.max(left, box.left);
        const high = Math.min(bottom, box.bottom) - Math.max(top, box.top);
        if (wide > 1.5 && high > 1.5) faults.push(`two cells overlap: ${say(cell)} and ${say(cells[other]!)}`);
      }
    }
    const titled = row.querySelector('a.row-link')?.closest('td');
    if (titled && titled.getBoundingClientRect().width < narrowest) faults.push(`a narrow first cell: ${say(titled)}`);
  }
  for (const label of document.querySelectorAll('.mantine-Button-label'))
    if (shown(label) && label.scrollWidth > label.clientWidth + 1) faults.push(`a button is cut: ${say(label)}`);
  return faults;
}
