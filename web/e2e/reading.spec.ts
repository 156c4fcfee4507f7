import { operatorOf } from './desk.ts';
import { expect, test } from './stage.ts';
import { handOver, move, newJob } from './studio.ts';

/** What somebody hears who cannot see the pages: their parts in order, with names and states. */
const fixture = new URL('fixtures/rise-colour.png', import.meta.url);

test('the list of jobs as it is read', async ({ service, customer, page }) => {
  await newJob(service, customer);
  await page.goto('/jobs');
  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - heading "Jobs" [level=1]
    - text: 0 need you · 1 with the studio
    - searchbox "Find a job"
    - button "New job"
    - button "All 1" [pressed]
    - button "Needs you 0"
    - button "Queued 1"
    - button "Under way 0"
    - button "Completed 0"
    - button "Rejected 0"
    - button "Canceled 0"
    - button "Any time"
    - combobox "Service": Any service
    - table "Jobs":
      - rowgroup:
        - row "Job State Next Changed"
      - rowgroup:
        - row /Logo for a neighbourhood bakery Design · Logo Queued First delivery due/:
          - cell:
            - link "Logo for a neighbourhood bakery Design · Logo"
          - cell "Queued"
          - cell /First delivery due .+/
          - cell:
            - time
  `);
});

test('a delivered job as it is read', async ({ service, customer, page }) => {
  const job = await newJob(service, customer);
  await move(service, job, 'accept', 'start');
  await handOver(service, job, [fixture], 'A first direction.');
  await page.goto(`/jobs/${job}`);
  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - link "Jobs"
    - text: / Design · Logo
    - heading "Logo for a neighbourhood bakery" [level=1]
    - status: Ready for you
    - link "Order again"
    - button "Copy the id"
    - region "Delivery 1":
      - heading "Delivery 1" [level=2]
      - time
      - paragraph: A first direction.
      - figure:
        - button "Open rise-colour.png"
        - link /Download rise-colour\\.png, .+/
    - region "Story":
      - heading "Story" [level=2]
      - list:
        - listitem:
          - text: You ordered the job
          - time
        - listitem:
          - text: The studio accepted it
          - time
        - listitem:
          - text: Work started
          - time
        - listitem:
          - text: Delivered for your review, 1 file
          - time
      - textbox "Message to the studio"
      - button "Attach files"
      - button "Send"
    - region "Brief":
      - heading "Brief 3 answers" [level=2]
    - complementary:
      - heading "Your turn" [level=2]
      - button "Review"
      - button "Approve"
      - paragraph: Point at what should change, or approve. Changes use round 1 of 3 and cost nothing.
      - paragraph:
        - text: Approved by itself on
        - time
        - text: ", if you do nothing."
      - heading "Who looks" [level=2]
      - button "Make a link for somebody"
      - heading "Facts" [level=2]
      - term: Ordered by
      - definition: Ada Lovelace
      - heading "Who follows" [level=2]
      - switch "Mail me unread messages of this job" [checked]
  `);
});

test('the order form as it is read', async ({ page }) => {
  await page.goto('/jobs/new?family=design&type=logo');
  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - heading "New job" [level=1]
    - link "Another service"
    - link "Talk it through instead"
    - heading "Tell us, or paste your brief" [level=2]
    - button "or drop a file"
    - textbox "Tell us, or paste your brief"
    - heading "What the studio needs" [level=2]
    - textbox "Title"
    - textbox "Brand name"
    - textbox "Target audience"
    - textbox "Style preferences"
    - textbox "Where it will be used"
    - textbox "Existing brand assets"
    - textbox "Your reference"
    - heading "Files" [level=2]
    - list "Files of the draft":
      - listitem:
        - button "Choose files"
    - complementary "Your order":
      - heading "4 answers missing" [level=2]
      - term: First delivery
      - button "Order job" [disabled]
      - button "Save as template" [disabled]
      - button "Show as curl"
  `);
});

test('the queue of the desk and a job in it as they are read', async ({ service, customer, openAs }) => {
  const title = `Read aloud ${Date.now()}`;
  const job = await newJob(service, customer, { customer_title: title });
  await move(service, job, 'accept', 'start');
  const page = await openAs(operatorOf(service));
  await page.goto(`/desk?q=${encodeURIComponent(title)}`);
  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - heading "Queue" [level=1]
    - searchbox "Find a job": /Read aloud/
    - button "Filter"
    - button "Take next"
    - navigation "Parts of the queue":
      - button /To do \\d+/
      - button /Mine \\d+/
      - button /In review \\d+/
      - button /With customer \\d+/
      - button /Parked \\d+/
      - button /Overdue \\d+/
    - table "To do":
      - rowgroup:
        - row "Selected Job State Due Holder Age"
      - rowgroup:
        - row /Tomorrow and later/
        - row /Read aloud .+ Ada Lovelace · Logo In work .+ You/
    - complementary "Selected job":
      - heading /Read aloud/ [level=2]
      - link "Open"
      - term: Service
      - definition: Design · Logo
  `);
  await page.goto(`/desk/jobs/${job}`);
  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - link "Queue"
    - heading /Read aloud/ [level=1]
    - status: In work
    - navigation "Jobs of this tab"
    - heading "Customer’s words" [level=2]
    - term: Brand name
    - heading "Delivery 1" [level=2]
    - button "Choose files"
    - textbox "Message to the customer"
    - region "Story":
      - heading "Story" [level=2]
      - textbox "Write to the customer"
    - complementary "Holder, moves, facts and notes":
      - heading "Yours" [level=2]
      - heading "Moves" [level=2]
      - button "Submit for review" [disabled]
      - button "Hand over"
      - button "Put back"
      - button "Reject"
      - heading "Note for colleagues" [level=2]
      - textbox "Add a note"
      - heading "Facts" [level=2]
  `);
});
